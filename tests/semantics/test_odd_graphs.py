"""Graphs that are not tidy: labelled blank nodes, relations of mixed range, closures that begin nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pylf
from pylf.ir.terms import Literal

if TYPE_CHECKING:
    from conftest import MakeWorld


def test_a_label_on_a_blank_node_counts(world: MakeWorld) -> None:
    w = world(
        """:C a rdfs:Class . :s rdfs:domain :C .
        :a a :C ; :s _:q . :b a :C ; :s :i . :c a :C ; :s :j .
        _:q rdfs:label "x" . :i rdfs:label "x" . _:w rdfs:label "only" . :c :s _:w ."""
    )
    assert w.names("e = STOP(JOIN('s', START('x', kind='entity')))") == {"a", "b"}
    assert w.names("e = STOP(JOIN('s', START('x', kind='entity'), neg=True))") == {"c"}
    assert w.names("e = STOP(JOIN('s', START('only', kind='entity')))") == {"c"}


def test_a_stray_literal_does_not_make_a_negation_unsafe(world: MakeWorld) -> None:
    w = world(
        """:Film a rdfs:Class . :Person a rdfs:Class . :by rdfs:domain :Film ; rdfs:range :Person, xsd:string .
        :f a :Film ; :by :p . :g a :Film ; :by "unknown" . :p a :Person . :q a :Person ."""
    )
    assert w.names("e = STOP(JOIN('R_by', START('Film'), neg=True))") == {"q"}
    assert w.names("e = STOP(JOIN('R_by', START('Film'), neg=True))", "pca") == set()
    assert w.names("e = STOP(AND(START('Person'), JOIN('R_by', START(':f'), neg=True)))") == {"q"}


def test_closures_of_no_steps_chain(world: MakeWorld) -> None:
    w = world(
        """:p a rdf:Property . :q a rdf:Property .
        :a :p :b . :b :q :c . :c :p :a ."""
    )
    two = "e = STOP(JOIN(CLOSURE('p', min=0), JOIN(CLOSURE('q', min=0), START(':c'))))"
    assert w.names(two) == {"a", "b", "c"}


def test_a_closure_over_values_is_refused() -> None:
    with pytest.raises(pylf.CompileError, match="no second step can begin"):
        pylf.compile("e = STOP(JOIN(CLOSURE('spaceflight.rocket.mass', min=0), 5))")


@pytest.mark.parametrize("constant", ["5^^xsd:boolean", "1e5^^xsd:integer", " 5^^xsd:integer", "5^^xsd:string"])
def test_a_constant_that_no_value_can_meet_is_refused(constant: str) -> None:
    with pytest.raises(pylf.CompileError, match="cannot be read as"):
        pylf.compile(f"e = STOP(CMP('<', 'spaceflight.rocket.mass', {constant!r}))")


def test_time_constraints_want_dates() -> None:
    with pytest.raises(pylf.CompileError, match="TC compares dates"):
        pylf.compile("e = STOP(TC(START('rocket'), 'spaceflight.rocket.mass', 'NOW'))")


@pytest.mark.parametrize(
    ("expression", "answers"),
    [
        ("AND(START(2.0), COUNT(JOIN('by', START(':p'))))", {"2"}),
        ("AND(START(-2.5), COUNT(JOIN('by', START(':p'))))", set()),
        ("OR(START(5.5), COUNT(JOIN('by', START(':p'))))", {"5.5", "2"}),
        ("OR(JOIN('R_odd', START(':f')), COUNT(JOIN('by', START(':p'))))", {"2.0", "many"}),
        ("MINUS(OR(COUNT(JOIN('by', START(':p'))), START(5.5)), START(2.0))", {"5.5"}),
        ("COUNT(OR(COUNT(JOIN('by', START(':p'))), START(2.0)))", {"1"}),
    ],
)
def test_a_count_meets_other_values(world: MakeWorld, expression: str, answers: set[str]) -> None:
    w = world(
        """:Film a rdfs:Class . :by rdfs:domain :Film . :odd rdfs:domain :Film .
        :f a :Film ; :by :p ; :odd 2.0, "many" . :g a :Film ; :by :p ."""
    )
    found = w.answers(f"e = STOP({expression})")
    number = set() if found.number is None else {str(found.number)}
    assert number | {getattr(v, "lexical", "") for v in found.values} == answers


@pytest.mark.parametrize(
    ("expression", "answers"),
    [
        # what cannot be listed on its own is looked at where it stands
        ("MINUS(JOIN('R_odd', START('Film')), JOIN('R_odd', START(':f'), neg=True))", {"2.0", "many"}),
        ("MINUS(JOIN('R_odd', START('Film')), JOIN('R_odd', START(':g'), neg=True))", {"3"}),
        # no entity is a number
        ("JOIN('by', OR(COUNT(START('Film')), START(':p')))", {"f", "g"}),
        ("AND(START(':f'), OR(JOIN('odd', 2), COUNT(START('Film'))))", {"f"}),
    ],
)
def test_sets_of_values_in_odd_places(world: MakeWorld, expression: str, answers: set[str]) -> None:
    w = world(
        """:Film a rdfs:Class . :Person a rdfs:Class .
        :by rdfs:domain :Film ; rdfs:range :Person . :odd rdfs:domain :Film .
        :f a :Film ; :by :p ; :odd 2.0, "many" . :g a :Film ; :by :p ; :odd 3 . :p a :Person ."""
    )
    found = w.answers(f"e = STOP({expression})").values
    assert {v.lexical if isinstance(v, Literal) else str(v).rpartition("/")[2].strip(">") for v in found} == answers
