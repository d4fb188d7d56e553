"""One program, every way of answering it: the denotation, the reference evaluator, and the engines at each level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.rdfs import read_schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.verify import verify
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.parser import parse
from pylf.testing.denotation import denote

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pylf.backends.engines.protocol import Executor
    from pylf.ir.answers import Answers
    from pylf.ir.schema.model import Schema

NS = "http://c.example/"
PREFIXES = f"""
@prefix : <{NS}> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
VOCABULARY = Vocabulary("test", prefixes={"": NS})


class World:
    """A small graph that is its own schema, on the embedded engines, or on ``engines`` that hold it already."""

    def __init__(self, path: Path, engines: Mapping[str, Executor] | None = None) -> None:
        self.memory = MemoryGraph.read(path)
        self.schema: Schema = read_schema(path, VOCABULARY)
        if engines is None:
            engines = {"oxigraph": OxigraphEngine.open(path), "rdflib": RdflibEngine.from_file(path)}
        self.engines = engines

    def answers(self, program: str, negation: str = "cwa", exclude_topic: bool = False) -> Answers:
        """The program's answers, after every way of finding them has been seen to agree.

        With the graph at hand and without; engines at each level of optimization.
        """
        tree = parse(program)
        found: dict[str, Answers] = {}
        for hand, graph in (("at hand", self.memory), ("not at hand", None)):
            context = Context(
                self.schema, VOCABULARY, graph, "pca" if negation == "pca" else "cwa", exclude_topic=exclude_topic
            )
            query = lower(tree, context).query
            verify(query)
            found[f"evaluator, graph {hand}"] = evaluate(query, self.memory, self.schema, VOCABULARY)
            for level in (0, 1):
                for name, engine in self.engines.items():
                    found[f"{name} -O{level}, graph {hand}"] = engine.run(query, self.schema, VOCABULARY, level)
        if not exclude_topic:  # an option of the lowering, which the language's table does not know
            found["denotation"] = denote(tree, self.memory, self.schema, VOCABULARY, negation)
        first = next(iter(found.values()))
        assert {way: a.key() for way, a in found.items()} == dict.fromkeys(found, first.key()), program
        return first

    def names(self, program: str, negation: str = "cwa", exclude_topic: bool = False) -> set[str]:
        """The answers as local names (entities) or lexical forms (values)."""
        values = self.answers(program, negation, exclude_topic).values
        return {str(v).strip("<>").removeprefix(NS) for v in values}


class MakeWorld(Protocol):
    def __call__(self, turtle: str) -> World: ...


@pytest.fixture
def world(tmp_path: Path) -> MakeWorld:
    """Makes a world from Turtle; the usual prefixes are declared."""

    def make(turtle: str) -> World:
        path = tmp_path / "graph.ttl"
        path.write_text(PREFIXES + turtle, encoding="utf-8")
        return World(path)

    return make
