"""``R_`` before a relation where the vocabulary takes the whole for a name: ``R_film.director.film`` is spelled so."""

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
