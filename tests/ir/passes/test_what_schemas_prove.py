"""What a schema says of its graph still holds when it is read again, laid over another, or measured on other data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.passes import orient_inverses, simplify_types
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.overlay import overlay
from pylf.ir.terms import Iri
from pylf.ir.text import parse_query
from tests.ir.passes.pairs import TYPE, VOCABULARY, context

if TYPE_CHECKING:
    from pylf.ir.graph import TripleRow

P = "http://p.example/"
EDGES: list[TripleRow] = [(Iri(P + f"r{n}"), Iri(P + "made_by"), Iri(P + "acme")) for n in range(3)]
TYPES: list[TripleRow] = [(Iri(P + f"r{n}"), TYPE, Iri(P + "Rocket")) for n in range(3)]


def back(edges: list[TripleRow]) -> list[TripleRow]:
    return [(o, Iri(P + "made"), s) for s, _, o in edges]


def test_a_domain_laid_over_a_measured_schema_is_not_proved_by_it() -> None:
    graph = MemoryGraph([*EDGES, *TYPES])
    declared = Schema(MemorySource([Relation(P + "made_by", domain=((P + "Ship",),))], [Class(P + "Ship")]))
    schema = overlay(declared, infer_schema(graph, VOCABULARY))
    query = parse_query(f"set ?x\n  ?x: entity\n  ?y: any\nwhere\n  ?x a <{P}Ship>\n  ?x <{P}made_by> ?y\n")
    assert simplify_types.run(query, context(schema)) is query
    assert not evaluate(query, graph, schema, VOCABULARY).values


def test_a_pair_laid_over_a_measured_schema_is_not_proved_by_it() -> None:
    graph = MemoryGraph([*EDGES, *back(EDGES), (Iri(P + "acme"), Iri(P + "built"), Iri(P + "r0"))])
    measured = infer_schema(graph, VOCABULARY)
    assert measured.source.meta("inverses") == "mirrored"
    pair = [Relation(P + "made_by", inverse=P + "built"), Relation(P + "built", inverse=P + "made_by")]
    schema = overlay(Schema(MemorySource(pair, ())), measured)
    query = parse_query(f"set ?x\n  ?x: entity\nwhere\n  ?x <{P}made_by> <{P}acme>\n")
    assert orient_inverses.run(query, context(schema)) is query


def test_a_pair_that_was_found_in_other_data_is_not_proved_by_that() -> None:
    earlier = infer_schema(MemoryGraph([*EDGES, *back(EDGES)]), VOCABULARY)
    others = [(Iri(P + f"x{n}"), Iri(P + "made_by"), Iri(P + "acme")) for n in range(3)]
    schema = infer_schema(MemoryGraph([*EDGES, *back(others)]), VOCABULARY, earlier)
    query = parse_query(f"set ?x\n  ?x: entity\nwhere\n  ?x <{P}made_by> <{P}acme>\n")
    assert schema.source.meta("inverses") is None
    assert orient_inverses.run(query, context(schema)) is query


def test_stated_pairs_are_measured() -> None:
    stated = Schema(
        MemorySource([Relation(P + "made_by", inverse=P + "made"), Relation(P + "made", inverse=P + "made_by")], ())
    )
    assert infer_schema(MemoryGraph([*EDGES, *back(EDGES)]), VOCABULARY, stated).source.meta("inverses") == "mirrored"
    assert infer_schema(MemoryGraph([*EDGES, *back(EDGES[:2])]), VOCABULARY, stated).source.meta("inverses") is None
    assert infer_schema(MemoryGraph(EDGES), VOCABULARY).source.meta("inverses") is None


@pytest.mark.parametrize("both", [True, False])
def test_disjoint_classes_are_measured(both: bool) -> None:
    apart = [Class(P + "Rocket", disjoint=(P + "Person",)), Class(P + "Crew", parents=(P + "Person",))]
    declared = Schema(MemorySource((), [*apart, Class(P + "Person", disjoint=(P + "Rocket",))]))
    crew: list[TripleRow] = [(Iri(P + ("r0" if both else "c0")), TYPE, Iri(P + "Crew"))]
    schema = infer_schema(MemoryGraph([*TYPES, *crew]), VOCABULARY, declared)
    assert schema.source.meta("disjoint") == ("false" if both else "true")
    query = parse_query(f"set ?x\n  ?x: entity\nwhere\n  ?x a <{P}Rocket>\n  ?x a <{P}Crew>\n")
    assert (simplify_types.run(query, context(schema)) is query) == both
