"""Estimates beside counts: which rows are counted, in which order, and where counting ends."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from pylf.backends import rows as bounds
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.store import load
from pylf.backends.rows import RowCounter
from pylf.errors import EngineError, EngineTimeout
from pylf.graphs import bundled, bundled_schema
from pylf.ir.evaluate import Evaluator
from pylf.ir.nodes import Body, Compare, Member
from pylf.ir.passes.context import Context
from pylf.ir.passes.estimates import Line, Rows, estimates, named_first, table, uncounted
from pylf.ir.tables import UNIT
from pylf.ir.terms import Literal
from pylf.ir.text import parse_query
from pylf.ir.traverse import terms, walk
from tests.ir.passes.planned import OXIGRAPH, VOCABULARY
from tests.ir.passes.soundness import questions, small_questions
from tests.ir.passes.test_cost import SCHEMA

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.ir.nodes import Query

CONTEXT = Context(SCHEMA, VOCABULARY, OXIGRAPH)
GRAPH = """
@prefix : <http://t.example/> .
:alice :wrote :a1, :a2, :a3 ; :born :here .
:bob :wrote :b1 ; :born :there .
:carol :wrote :a1 .
"""


def query(text: str) -> Query:
    lines = text.replace("<", "<http://t.example/").strip("\n")
    return parse_query(f"boolean\nwhere\n{lines}\n")


@pytest.fixture
def engine(tmp_path: Path) -> OxigraphEngine:
    (tmp_path / "graph.ttl").write_text(GRAPH, encoding="utf-8")
    return OxigraphEngine.open(tmp_path / "graph.ttl")


def lines(text: str, engine: OxigraphEngine) -> list[tuple[str, object, object]]:
    """Of each line its text and what was counted."""
    found = estimates(query(text), CONTEXT, RowCounter.of(engine, SCHEMA, VOCABULARY))
    return [
        (
            "  " * x.depth + x.text.replace("http://t.example/", ""),
            x.alone and x.alone.counted,
            x.so_far and x.so_far.counted,
        )
        for x in found
    ]


def test_rows_alone_and_so_far(engine: OxigraphEngine) -> None:
    text = """
  ?x <wrote> ?y
  ?x <born> ?z
  not
    ?x <born> <there>
"""
    assert lines(text, engine) == [
        ("?x <wrote> ?y", 5, 5),
        ("?x <born> ?z", 2, 4),
        ("not", None, 3),
        ("  ?x <born> <there>", 1, None),
    ]
    assert [line.alone and line.alone.estimated for line in estimates(query(text), CONTEXT)] == [1_000, 100, None, 20]
    assert all(x.so_far is None or x.so_far.counted is None for x in estimates(query(text), CONTEXT))


def test_what_needs_a_variable_stands_behind_what_gives_it_a_value(engine: OxigraphEngine) -> None:
    assert lines(
        """
  not
    ?x <born> ?z
  ?y is <a1>
  ?z <wrote> ?w
  ?x <wrote> ?y
  ?z <born> ?y
""",
        engine,
    ) == [
        ("?z <wrote> ?w", 5, 5),
        ("?z <born> ?y", 2, 4),  # shares ?z, and so it comes before ?x <wrote> ?y
        ("?y is <a1>", None, 0),
        ("?x <wrote> ?y", 5, 0),
        ("not", None, 0),
        ("  ?x <born> ?z", 2, None),
    ]


def test_closed_bodies_are_looked_into_and_arms_conjunct_by_conjunct(engine: OxigraphEngine) -> None:
    assert lines(
        """
  ?n counts ?y per ?x
    ?x <wrote> ?y
    ?x <born> ?z
  either
    ?x <born> <here>
  or
    ?x <wrote> <a1>
    ?n > "1"
  <alice> <born> <here>
""",
        engine,
    ) == [
        ("?n counts ?y per ?x", 2, 2),
        ("  ?x <wrote> ?y", 5, 5),
        ("  ?x <born> ?z", 2, 4),
        ("either", None, 1),  # an arm looks at ?n: it means nothing alone
        ("  ?x <born> <here>", 1, None),
        ("or", None, None),
        ("  ?x <wrote> <a1>", 2, None),
        ('  ?n > "1"'.replace("<", ""), None, None),
        ("<alice> <born> <here>", 1, 1),
    ]


def test_counts_are_those_of_the_evaluator() -> None:
    """Over random questions; what is counted of a whole body has to be all of its solutions."""
    seen = 0
    for question in chain(questions(31, 8), small_questions(31, 40)):
        here = OxigraphEngine.memory(question.ground.triples)
        context = question.context
        counter = RowCounter.of(here, context.schema, context.vocabulary)
        assert counter is not None

        def counted(
            query: Query, here: OxigraphEngine = here, context: Context = context, by_engine: RowCounter = counter
        ) -> int:
            names = frozenset([output.name for output in query.outputs])
            found = len(Evaluator(here, context.schema, context.vocabulary).solve(query.body, UNIT, names).rows)
            told = by_engine(query)
            assert told is None or told == found or _spelled(query), query
            return found

        for line in estimates(question.query, context, counted):
            seen += line.so_far is not None and isinstance(line.so_far.counted, int) and line.so_far.counted > 0
    assert seen > 100


def _spelled(query: Query) -> bool:
    """Whether a literal stands as a term in it, which Oxigraph spells its own way."""
    return any(
        isinstance(term, Literal)
        for conjunct in walk(query)
        for term in (*terms(conjunct), *(conjunct.values if isinstance(conjunct, Member) else ()))
        if not isinstance(conjunct, Compare)
    )


def test_a_count_is_cut_off(engine: OxigraphEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST", 4)
    assert [row[1:] for row in lines("  ?x <wrote> ?y\n  ?x <born> ?z\n", engine)] == [("> 4", "> 4"), (2, 4)]


class Slow(OxigraphEngine):
    """One that takes too long over anything about births, and fails on what is about deaths."""

    def select(self, sparql: str, timeout: float | None = None):
        assert timeout is not None
        assert 0 < timeout <= bounds.EACH
        if "born" in sparql:
            raise EngineTimeout("too long")
        if "died" in sparql:
            raise EngineError("no")
        return super().select(sparql, timeout)


def test_a_slow_count_is_given_up_and_in_memory_all_that_follow(tmp_path: Path) -> None:
    text = "  ?x <died> ?d\n  ?x <wrote> ?y\n  ?x <born> ?z\n  ?x <wrote> ?w\n"
    source = tmp_path / "graph.ttl"
    source.write_text(GRAPH, encoding="utf-8")
    late = ("not tried", "not tried")
    assert [row[1:] for row in lines(text, Slow.open(source))] == [
        ("failed", "failed"), (5, "failed"), ("> 2 s", "not tried"), late,
    ]  # fmt: skip
    load([source], tmp_path / "graph")
    with_folder = Slow.open(tmp_path / "graph")
    assert [row[1:] for row in lines(text, with_folder)] == [
        ("failed", "failed"), (5, "failed"), ("> 2 s", "> 2 s"), (5, "> 2 s"),
    ]  # fmt: skip
    with_folder.close()


def test_endpoints_are_not_counted_on() -> None:
    assert RowCounter.of(object(), SCHEMA, VOCABULARY) is None


def test_what_has_no_statistics_is_named_once() -> None:
    asked = query("""
  ?x <wrote> ?y
  ?x <uncounted> ?y
  ?x a <Author> | <Uncounted>
  path ?x -<born>-> ?z -<unheard>-> ?w
  ?x <unknown>+ ?z
  ?x ?p ?w
  not
    ?x <uncounted> ?y
""")
    unknown = [f"http://t.example/{name}" for name in ("uncounted", "Uncounted", "unheard", "unknown")]
    assert uncounted(asked, SCHEMA) == unknown
    assert uncounted(query("  ?x <wrote> ?y\n"), SCHEMA) == []
    assert named_first(["a", "b", "c"]) == "<a>, <b>, <c>"
    assert named_first(["a", "b", "c", "d", "e"]) == "<a>, <b>, <c>, and 2 more"


def test_what_is_not_known_has_no_estimate() -> None:
    found = estimates(query("  ?x <uncounted> ?y\n  ?x <born> ?z\n"), CONTEXT)
    assert [(line.alone and line.alone.estimated, line.so_far and line.so_far.estimated) for line in found] == [
        (None, None),
        (100, None),
    ]


def test_the_table() -> None:
    shown = [
        Line(0, "?x <p> ?y", Rows(1234.5, 1_300), Rows(1234.5, "> 100,000")),
        Line(0, "not", None, Rows(0.123, 0)),
        Line(1, "?x <q> ?z", Rows(None, None)),
    ]
    assert table(shown, counted=True).splitlines() == [
        "             alone                  so far",
        "estimated  counted    estimated    counted",
        "    1,234    1,300        1,234  > 100,000   ?x <p> ?y",
        "                           0.12          0   not",
        "        ?        ?                             ?x <q> ?z",
    ]
    assert table(shown, counted=False).splitlines() == [
        "alone    so far",
        "1,234     1,234   ?x <p> ?y",
        "           0.12   not",
        "    ?               ?x <q> ?z",
    ]
    assert [json.loads(json.dumps(line.to_json())) for line in shown[:2]] == [
        {
            "depth": 0,
            "conjunct": "?x <p> ?y",
            "alone": {"estimated": 1234, "counted": 1300},
            "so_far": {"estimated": 1234, "counted": "> 100,000"},
        },
        {"depth": 0, "conjunct": "not", "alone": None, "so_far": {"estimated": 0.123, "counted": 0}},
    ]


def test_the_body_without_conjuncts_has_no_lines() -> None:
    graph, (schema, vocabulary) = bundled(), bundled_schema()
    counter = RowCounter.of(graph.engine, schema, vocabulary)
    always = parse_query("boolean\nwhere\n  always\n")
    assert always.body == Body()
    assert estimates(always, Context(schema, vocabulary), counter) == []
    assert table([], counted=False) == "alone    so far"
