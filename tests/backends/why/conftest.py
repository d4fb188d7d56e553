"""Small graphs, asked and explained."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest

import pylf
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.text import parse_query

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.backends.why import Explanation
    from pylf.language.context import Negation

NS = "http://c.example/"
PREFIXES = f"""
@prefix : <{NS}> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
VOCABULARY = Vocabulary("test", prefixes={"": NS})


class Asked(NamedTuple):
    """A graph, with ways to ask it."""

    graph: pylf.KnowledgeGraph

    def why(self, program: str, limit: int = 20, negation: Negation = "cwa") -> Explanation:
        """What a program's answers rest on."""
        return pylf.compile(program, kg=self.graph, negation=negation).run().why(limit)

    def why_ir(self, text: str, limit: int = 20) -> Explanation:
        """The same for a query in the IR's printed form; ``:x`` stands for an IRI of the graph's namespace."""
        import re

        from pylf.backends.why import explain

        query = parse_query(re.sub(r"(?<![\w<\"]):(\w+)", rf"<{NS}\1>", text))
        graph = self.graph
        answers = graph.engine.run(query, graph.schema, graph.vocabulary)
        return explain(query, answers, graph.engine, graph.schema, graph.vocabulary, limit)


class MakeWorld(Protocol):
    def __call__(self, turtle: str) -> Asked: ...


@pytest.fixture
def world(tmp_path: Path) -> MakeWorld:
    """Makes a graph of Turtle text that holds its own schema; its namespace is the empty prefix."""

    def make(turtle: str) -> Asked:
        path = tmp_path / "graph.ttl"
        path.write_text(PREFIXES + turtle, encoding="utf-8")
        engine = OxigraphEngine.open(path)
        return Asked(pylf.KnowledgeGraph(engine, infer_schema(engine, VOCABULARY), VOCABULARY, "test"))

    return make
