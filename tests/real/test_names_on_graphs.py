"""Names that real graphs have taught something about.

``R_film.director.film`` is spelled as the names of Freebase's vocabulary are, and means the reverse all the same; and
an IRI that a graph knows nothing of is more often a slip than meant.
"""

from __future__ import annotations

import pytest

import pylf
from pylf.ir.nodes import Triple
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.terms import Iri, Var

FREEBASE = "http://rdf.freebase.com/ns/"
PROGRAM = "expression = STOP(JOIN('R_film.director.film', START('m.06pj8')))"


def only_triple(schema: Schema | None) -> Triple:
    query = pylf.compile(PROGRAM, schema=schema, vocabulary="freebase").ir
    (triple,) = query.body.conjuncts
    assert isinstance(triple, Triple)
    return triple


def schema_of(*names: str) -> Schema:
    return Schema(MemorySource([Relation(FREEBASE + name) for name in names], (), {}))


@pytest.mark.parametrize("schema", [None, schema_of("film.director.film")], ids=["without a schema", "with a schema"])
def test_a_reversed_relation_is_read_as_reversed(schema: Schema | None) -> None:
    triple = only_triple(schema)
    assert (triple.subject, triple.predicate) == (Iri(FREEBASE + "m.06pj8"), Iri(FREEBASE + "film.director.film"))


def test_a_relation_that_the_schema_lists_under_that_very_name_wins() -> None:
    triple = only_triple(schema_of("film.director.film", "R_film.director.film"))
    assert isinstance(triple.subject, Var)
    assert triple.predicate == Iri(FREEBASE + "R_film.director.film")


def test_an_unknown_reversed_relation_is_refused_by_its_own_name() -> None:
    with pytest.raises(pylf.CompileError) as caught:
        only_triple(schema_of("film.film.genre"))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "unknown-relation"
    assert "'film.director.film'" in diagnostic.message


@pytest.mark.parametrize("name", [":boeing_company", "<http://pylf.example/rockets/boeing_company>"])
def test_an_entity_that_the_graph_knows_nothing_of_is_warned_about(name: str) -> None:
    query = pylf.compile(
        f"expression = STOP(JOIN('spaceflight.rocket.manufacturer', START('{name}')))", kg=pylf.bundled()
    )
    (diagnostic,) = query.diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("unknown-entity", "warning")
    assert repr(name) in diagnostic.message


@pytest.mark.parametrize("name", [":boeing", ":mercury"])
def test_an_entity_that_some_triple_is_about_is_not(name: str) -> None:
    query = pylf.compile(f"expression = STOP(START('{name}'))", kg=pylf.bundled())
    assert query.diagnostics == ()
