"""CN15k and NL27k, uncertain graphs of 241,158 and 175,412 lines: neighbours above a floor are a scan of the table."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.uncertain import NAMESPACE, confidence_of, convert, iri_of, read_table
from pylf.frontends.subgraph.lower import lower
from pylf.frontends.subgraph.shapes import IN, OUT
from pylf.frontends.subgraph.tree import Around, Bound, Hop, Name, Neighbours, Paths, Way
from pylf.graphs import empty_schema
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.ir.schema.vocabulary import NaryStatements, Vocabulary
from pylf.ir.terms import Literal
from pylf.language.context import Context

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.backends.engines.uncertain import Quadruple
    from pylf.frontends.subgraph.tree import Question
    from pylf.ir.terms import Node

UKG = Vocabulary("ukg", prefixes={"": NAMESPACE}, statements=NaryStatements())
FRONTIERS = {
    "cn15k": ("bone", "basement", "cat", "library"),
    "nl27k": ("concept:company:twitter", "concept:televisionnetwork:pbs"),
}


class Held:
    """A table, and the graph that it becomes."""

    def __init__(self, table: Path, folder: Path) -> None:
        self.rows = list(read_table(table))
        convert(table, folder / "graph.nq", UKG.statements, labels=False)
        self.engine = OxigraphEngine.open(folder / "graph.nq")

    def answers(self, question: Question) -> Answers:
        query, findings = lower(question, Context(empty_schema(), UKG))
        assert findings == ()
        return self.engine.run(query, empty_schema(), UKG)


@pytest.fixture(scope="module", params=FRONTIERS)
def held(request: pytest.FixtureRequest, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Held]:
    table = shared / "data" / "ukg" / f"{request.param}.tsv.gz"
    if not table.is_file():
        pytest.skip(f"there is no {table}")
    return request.param, Held(table, tmp_path_factory.mktemp(request.param))


def name(text: str) -> Name:
    return Name(f"<{iri_of(text).value}>")


def as_rows(found: set[tuple[object, ...]], form: Form) -> object:
    def node(value: object) -> Node:
        match value:
            case Decimal():
                return confidence_of(value)
            case Literal():
                return value
            case _:
                return iri_of(str(value))

    return Answers.of_rows([tuple(map(node, row)) for row in found], form).key()


def sure(rows: list[Quadruple], floor: str) -> list[Quadruple]:
    return [
        row._replace(confidence=round(row.confidence, 6)) for row in rows if round(row.confidence, 6) >= Decimal(floor)
    ]


def test_neighbours_of_a_frontier(held: tuple[str, Held]) -> None:
    which, graph = held
    frontier = FRONTIERS[which]
    rows = sure(graph.rows, "0.7")
    wanted: set[tuple[object, ...]] = {
        (row.head, OUT, row.relation, row.tail, row.confidence) for row in rows if row.head in frontier
    }
    wanted |= {(row.tail, IN, row.relation, row.head, row.confidence) for row in rows if row.tail in frontier}
    assert len(wanted) > 20
    found = graph.answers(Neighbours(tuple(map(name, frontier)), Hop(floor=Bound(">=", "0.7"))))
    assert found.key() == as_rows(wanted, Form.ROWS)


def test_what_lies_within_two_hops_outward(held: tuple[str, Held]) -> None:
    which, graph = held
    center = FRONTIERS[which][0]
    rows = sure(graph.rows, "0.9")
    first = {row for row in rows if row.head == center}
    reached = {row.tail for row in first}
    wanted: set[tuple[object, ...]] = {tuple(row) for row in (*first, *[row for row in rows if row.head in reached])}
    found = graph.answers(Around((name(center),), 2, Hop(Way.OUT, floor=Bound(">=", "0.9"))))
    assert found.key() == as_rows(wanted, Form.SUBGRAPH)
    assert found.rows


def test_products_along_two_hops(held: tuple[str, Held]) -> None:
    which, graph = held
    center = FRONTIERS[which][0]
    rows = [row._replace(confidence=round(row.confidence, 6)) for row in graph.rows]
    by_head: dict[str, list[Quadruple]] = {}
    for row in rows:
        by_head.setdefault(row.head, []).append(row)
    pairs = [(one, two) for one in by_head[center] for two in by_head.get(one.tail, ())]
    wanted: set[tuple[object, ...]] = {
        (center, OUT, one.relation, one.tail, one.confidence, OUT, two.relation, two.tail, two.confidence)
        for one, two in pairs
        if one.confidence * two.confidence >= Decimal("0.6")
    }
    asked = Paths((name(center),), 2, (), Hop(Way.OUT), Bound(">=", "0.6"))
    found = graph.answers(asked)
    assert Answers.of_rows([row[:-1] for row in found.rows], Form.ROWS).key() == as_rows(wanted, Form.ROWS)
    assert found.rows
