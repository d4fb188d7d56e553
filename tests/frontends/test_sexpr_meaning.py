"""Random s-expressions mean what the definitions say, in every form and on every engine.

The answers by :mod:`tests.frontends.sexpr_meaning`, which shares nothing with the compiler, are held against those of
the compiled question; of the question when it is written as PyLF or as a graph query and compiled from that; and, on
some graphs, of embedded Oxigraph at both levels. A graph query has to mean the same by its own definition, too.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import pytest

import pylf
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.errors import CompileError, NoForm
from pylf.frontends.sexpr import tree
from pylf.frontends.sexpr.parser import parse
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from tests.frontends.graphquery_meaning import graph_meaning
from tests.frontends.random_sexpr import WITH_SCHEMA, WITHOUT, Questions, random_graph, schema
from tests.frontends.sexpr_meaning import Known, Meaning, Members, Triple, steps_of
from tests.frontends.small_freebase import vocabulary
from tests.frontends.value_meaning import Number, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.ir.answers import Answers
    from pylf.ir.schema.model import Schema

TODAY = "1990-07-01"
FREEBASE = vocabulary()
QUESTIONS_A_GRAPH = 10
#: on every so many graphs the questions are written in other forms, and asked of an engine, too
FORMS_EVERY = 3
ENGINE_EVERY = 16
OPERATORS = ("JOIN", "R", "AND", "COUNT", "ARGMAX", "ARGMIN", "lt", "le", "gt", "ge", "TC", "path", "NOW")


@dataclass
class Tally:
    """What became of the questions. ``operators`` are those of questions that have an answer; ``refused`` counts codes,
    ``sides`` the answers that were compared, ``mismatches`` are told in words."""

    asked: int = 0
    answered: int = 0
    operators: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    sides: Counter[str] = field(default_factory=Counter)
    mismatches: list[str] = field(default_factory=list)


def tally(known: Known, seeds: Iterable[int]) -> Tally:
    """Ask random questions of a random graph for each seed."""
    listed = schema(known)
    found = Tally()
    for seed in seeds:
        rng = Random(seed)
        triples = random_graph(rng)
        world = _World(triples, known, listed, seed % FORMS_EVERY == 0, seed % ENGINE_EVERY == 0)
        questions = Questions(rng)
        for _ in range(QUESTIONS_A_GRAPH):
            world.ask(questions.question(), found)
    return found


class _World:
    def __init__(
        self, triples: list[Triple], known: Known, listed: Schema, with_forms: bool, with_engine: bool
    ) -> None:
        self.meaning = Meaning(triples, known, TODAY)
        self.graph = MemoryGraph(triples)
        self.schema = listed
        self.with_forms = with_forms
        self.engine = OxigraphEngine.memory(triples) if with_engine else None

    def ask(self, text: str, found: Tally) -> None:
        """Hold every answer to a question against its meaning."""
        try:
            query = self.compiled(text, "sexpr")
        except CompileError as refusal:
            found.refused[next(d.code for d in refusal.diagnostics if d.severity == "error")] += 1
            return
        root = parse(text).root
        meant = self.meaning.of(root)
        found.asked += 1
        if meant not in (frozenset(), {Number(0.0)}):
            found.answered += 1
            found.operators.update(set(operators(root)))
        for side, answers in self.answers(query):
            found.sides[side] += 1
            if answers != meant:
                found.mismatches.append(f"{text}\n  {side}: {answers}\n  meant: {meant}")

    def answers(self, query: pylf.CompiledQuery) -> Iterator[tuple[str, Members]]:
        """The answers to a question by all sides that can give them."""
        yield "evaluated", self.evaluated(query)
        if self.with_forms:
            yield from self.in_other_forms(query)
        if self.engine is not None:
            for level in (0, 1):
                yield f"Oxigraph at {level}", members(self.engine.run(query.ir, self.schema, FREEBASE, level))

    def in_other_forms(self, query: pylf.CompiledQuery) -> Iterator[tuple[str, Members]]:
        """The answers to a question by what it is written as."""
        yield "by PyLF", self.evaluated(self.compiled(query.to("pylf"), "pylf"))
        try:
            graph_query = query.to("graphquery")
        except NoForm:
            return
        yield "by graph query", self.evaluated(self.compiled(graph_query, "graphquery"))
        yield "meaning of the graph query", graph_meaning(json.loads(graph_query), self.meaning)

    def compiled(self, text: str, source: str) -> pylf.CompiledQuery:
        return pylf.compile(text, source=source, schema=self.schema, vocabulary=FREEBASE, today=TODAY)

    def evaluated(self, query: pylf.CompiledQuery) -> Members:
        return members(evaluate(query.ir, self.graph, self.schema, FREEBASE))


def members(answers: Answers) -> Members:
    """The values of an answer, of which each stands once."""
    if answers.number is not None:
        return frozenset((Number(float(answers.number)),))
    values = [value_of(node) for node in answers.values]
    assert len(values) == len(set(values)), answers
    return frozenset(values)


def operators(node: tree.Expression) -> Iterator[str]:
    """The operators of an expression, and ``path`` and ``NOW``."""
    match node:
        case tree.Join(relation, of):
            yield "JOIN"
            yield from [*of_relation(relation), *operators(of)]
        case tree.And(sets):
            yield "AND"
            for one in sets:
                yield from operators(one)
        case tree.Count(of):
            yield "COUNT"
            yield from operators(of)
        case tree.Superlative(mode, of, relation):
            yield mode
            yield from [*of_relation(relation), *operators(of)]
        case tree.Comparison(op, relation):
            yield op
            yield from of_relation(relation)
        case tree.TimeConstraint(of, relation, value):
            yield "TC"
            if isinstance(value, tree.Word):
                yield value.text
            yield from [*of_relation(relation), *operators(of)]


def of_relation(relation: tree.Relation) -> Iterator[str]:
    if isinstance(relation, tree.Path):
        yield "path"
    if any(isinstance(step, tree.Inverse) for step in steps_of(relation)):
        yield "R"


@pytest.fixture(scope="module", params=[WITH_SCHEMA, WITHOUT], ids=["with schema", "without schema"])
def asked(request: pytest.FixtureRequest) -> Tally:
    return tally(request.param, range(300))


def test_every_answer_is_what_the_definitions_say(asked: Tally) -> None:
    assert not asked.mismatches, "\n".join([f"{len(asked.mismatches)} mismatches", *asked.mismatches[:5]])
    assert asked.sides["evaluated"] == asked.asked
    assert asked.sides["by PyLF"] > asked.asked * 0.3
    assert asked.sides["by graph query"] == asked.sides["meaning of the graph query"] > asked.sides["by PyLF"] / 2
    assert asked.sides["Oxigraph at 0"] == asked.sides["Oxigraph at 1"] > asked.asked * 0.05


def test_the_questions_are_many_and_have_answers(asked: Tally) -> None:
    assert asked.asked >= 2_900
    assert asked.answered >= asked.asked * 0.3
    assert all(asked.operators[name] >= 20 for name in OPERATORS), asked.operators


def test_few_questions_are_refused_and_those_for_their_types(asked: Tally) -> None:
    # without a schema, ``true`` is no value: nothing says that truth values are met
    assert set(asked.refused) <= {"type-mismatch", "unknown-name"}, asked.refused
    assert asked.refused.total() <= 60
