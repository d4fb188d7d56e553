"""Comparison, identity and order by value, against pylf.ir.values: every kind of literal, guarded and by statistics.

PYLF_FUZZ=20 compares all pairs on Oxigraph, and twenty times as many on rdflib.
"""

from __future__ import annotations

import itertools
import os
from random import Random

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.ir.dates import canonical
from pylf.ir.nodes import Body, Compare, Count, Direction, Extreme, Form, Kind, Not, Op, Query, Triple
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.schema.profiles import profile_of
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import XSD, Iri, Literal, Var, tagged
from pylf.ir.types import ANY
from pylf.ir.values import compare, identity, order_key

FUZZ = int(os.environ.get("PYLF_FUZZ", "1"))
E = "http://e/"
VOCABULARY = Vocabulary("rdf")
NO_SCHEMA = Schema(MemorySource([], [], {}))
VALUE, OTHER = Iri(E + "value"), Iri(E + "other")
X, V, W, N = map(Var, ("x", "v", "w", "n"))


def typed(datatype: str, *forms: str) -> list[Literal]:
    return [Literal(form, XSD + datatype) for form in forms]


NUMBERS = [
    *typed("integer", "1", "01", "+5", "-3", "300", "2001", "99999999999999999999", "9007199254740993"),
    *typed("decimal", "1.0", "1.", ".5", "0.1", "12345.678", "0.3"),
    *typed(
        "double", "1e0", "-0", "3e2", "INF", "-INF", "0.30000000000000004", "1e400", "12345.678", "9007199254740992"
    ),
    *typed("float", "1", "0.1", "+INF"),
    *typed("unsignedByte", "7"),
    *typed("nonPositiveInteger", "-3"),
]
PLAIN_DATES = [
    *typed("gYear", "2001", "1990", "0000", "9999"),
    *typed("gYearMonth", "2001-05", "2001-02", "2000-12"),
    *typed("date", "2001-05-17", "2000-12-31", "2001-01-01", "2001-02-28", "2001-02-30", "2000-02-29", "9999-12-31"),
    *typed("dateTime", "2001-05-17T10:00:00", "2001-12-31T23:59:59", "2001-01-01T00:00:00"),
    *typed("dateTime", "2001-05-17T10:00:00.5", "2001-05-17T10:00:00.59", "2001-05-17T10:00:00.9"),
]
ODD_DATES = [
    *typed("gYear", "2001Z", "-0044", "-0001", "12001", "-12001", "123456789012", "-123456789012"),
    *typed("date", "2001-05-17+02:00", "-0044-03-15", "-0045-12-31", "20011-01-01"),
    *typed("dateTime", "2001-05-17T10:00:00Z", "2001-05-17T10:00:00-14:00", "2001-05-17T10:00:00.500Z"),
]
TEXTS = [
    Literal(text)
    for text in ("x", "X", "", "10", "2001", "2001-05", "x\n", "5 integer", "2001 gYear", "é", "\U0001f680")
]
TAGGED = [tagged("x", "en"), tagged("x", "de"), tagged("y", "en")]
OTHERS = [
    *typed("boolean", "true", "1", "false", "TRUE"),
    *typed("integer", "abc", " 1", "5\n", "5.0", ""),
    *typed("double", "NaN", "1e"),
    *typed("decimal", "INF", "."),
    *typed("gYear", "2001\n", "044", "1234567890123", "20x1"),
    *typed("date", "2001-1-1", "2001-13-01", "2001-05-17+15:00"),
    *typed("time", "12:00:00"),
    Literal("zz", E + "dt"),
    Literal("5", E + "integer"),
    Literal("2001", E + "XMLSchema#gYear"),
]
ENTITIES = [Iri(E + "a")]
EVERYTHING = [*NUMBERS, *PLAIN_DATES, *ODD_DATES, *TEXTS, *TAGGED, *OTHERS, *ENTITIES]
CONSTANTS = [
    *EVERYTHING,
    *typed("integer", "1949", "-44", "10000"),
    *typed("gYear", "2000", "10000"),
    *typed("gYearMonth", "-0044-03"),
    *typed("dateTime", "2000-12-31T23:59:59.99", "2001-05-17T10:00:01"),
    Literal("-0044"),
]


def graph(values, relation=VALUE):
    return [(Iri(f"{E}s{number}"), relation, value) for number, value in enumerate(values)]


def schema_of(values) -> Schema:
    """A schema that knows what occurs among the values."""
    literals = [(v.lexical, v.datatype, v.language or "", 1) for v in values if isinstance(v, Literal)]
    profile = profile_of(literals, entities=len(values) - len(literals))
    return Schema(MemorySource([Relation(VALUE.value, profile=profile)], [], {}))


def oxigraph(values, relation=VALUE):
    """An engine, and the values as it stores them."""
    engine = OxigraphEngine.memory(graph(values, relation))
    return engine, {subject: value for subject, _, value in engine.triples(None, relation, None)}


def rdflib(values, relation=VALUE):
    """An engine whose dates are canonical, and its values."""
    triples = graph([canonical(value) if isinstance(value, Literal) else value for value in values], relation)
    return RdflibEngine.from_triples(triples), {subject: value for subject, _, value in triples}


def one_of(*conjuncts, outputs=(X,), form=Form.SET) -> Query:
    return Query(form, outputs, Body(conjuncts), (("n", ANY), ("v", ANY), ("w", ANY), ("x", ANY)))


def check(engine, stored, schema, dialect, level, comparisons, negated=False):
    """Every comparison holds of exactly those values of which it holds by definition."""
    wrong = []
    for op, constant, kind in comparisons:
        test = Compare(op, V, constant, kind)
        asked = one_of(Triple(X, VALUE, V), Not(Body((test,))) if negated else test)
        found = engine.answers(asked, emit(asked, schema, VOCABULARY, dialect, level)).values
        right = {subject for subject, value in stored.items() if compare(op, value, constant, kind) is not negated}
        wrong += [(op, str(constant), kind, str(stored[x]), x in right) for x in right.symmetric_difference(found)]
    assert not wrong, wrong


ALL = list(itertools.product(Op, CONSTANTS, Kind))


def test_comparisons_on_oxigraph():
    engine, stored = oxigraph(EVERYTHING)
    check(engine, stored, NO_SCHEMA, "oxigraph", 1, ALL if FUZZ > 1 else Random(9).sample(ALL, 1500))


def test_generic_comparisons_on_oxigraph():
    engine, stored = oxigraph(EVERYTHING)
    check(engine, stored, NO_SCHEMA, "sparql11", 0, Random(1).sample(ALL, 300))


def test_comparisons_on_rdflib():
    engine, stored = rdflib(EVERYTHING)
    telling = [(op, constant, kind) for op, constant, kind in ALL if kind is Kind.ANY]
    check(engine, stored, NO_SCHEMA, "rdflib", 0, Random(2).sample(telling, 12 * FUZZ))
    check(engine, stored, NO_SCHEMA, "rdflib", 1, Random(3).sample(ALL, 6 * FUZZ))


def test_negated_comparisons():
    """What cannot be compared does not satisfy the comparison, so it satisfies the negation."""
    engine, stored = oxigraph(EVERYTHING)
    check(engine, stored, NO_SCHEMA, "oxigraph", 1, Random(4).sample(ALL, 150), negated=True)
    engine, stored = rdflib(EVERYTHING)
    check(engine, stored, NO_SCHEMA, "rdflib", 1, Random(5).sample(ALL, 4 * FUZZ), negated=True)


@pytest.mark.parametrize(
    "values",
    [NUMBERS, PLAIN_DATES, [*PLAIN_DATES, *ODD_DATES], TEXTS, [*NUMBERS, *ENTITIES], [*NUMBERS, *PLAIN_DATES]]
    + [[date for date in PLAIN_DATES if date.datatype == XSD + kind] for kind in ("gYear", "date", "dateTime")]
    + [[*TEXTS, *TAGGED], [*typed("integer", "1", "2"), *OTHERS], [*PLAIN_DATES, *typed("gYear", "-0044")]],
)
def test_statistics_leave_out_guards_but_change_nothing(values):
    schema = schema_of(values)
    engine, stored = oxigraph(values)
    check(engine, stored, schema, "oxigraph", 1, Random(6).sample(ALL, 80))
    check(engine, stored, schema, "sparql11", 1, Random(7).sample(ALL, 30))
    engine, stored = rdflib(values)
    check(engine, stored, schema, "rdflib", 1, Random(8).sample(ALL, 2 * FUZZ))


def test_what_statistics_leave_out():
    def text(values, constant, kind=Kind.ANY):
        asked = one_of(Triple(X, VALUE, V), Compare(Op.LT, V, constant, kind))
        return emit(asked, schema_of(values), VOCABULARY).split("FILTER")[1].strip(" }\n")

    assert text(NUMBERS, Literal("42", XSD + "integer")) == f"(<{XSD}double>(STR(?v)) < 42e0)"
    assert text(typed("date", "2001-05-17"), Literal("2001", XSD + "gYear")) == '(CONCAT(STR(?v), "~") < "2001")'
    assert text(TEXTS, Literal("m"), Kind.TEXT) == '(STR(?v) < "m")'
    assert "REGEX" in text([*NUMBERS, *OTHERS], Literal("42", XSD + "integer"))


def pairs(values):
    return list(itertools.product(values, repeat=2))


@pytest.mark.parametrize("kind", list(Kind))
def test_identity_of_two_variables(kind):
    both = pairs([*NUMBERS[:12], *PLAIN_DATES[::3], *ODD_DATES[:9], *TEXTS[:5], *TAGGED, *OTHERS[:9], *ENTITIES])
    left = graph([one for one, _ in both], VALUE)
    right = graph([other for _, other in both], OTHER)
    asked = one_of(Triple(X, VALUE, V), Triple(X, OTHER, W), Compare(Op.IS, V, W, kind))
    engine = OxigraphEngine.memory([*left, *right])
    stored = {subject: [value, None] for subject, _, value in engine.triples(None, VALUE, None)}
    for subject, _, value in engine.triples(None, OTHER, None):
        stored[subject][1] = value
    right_ones = {subject for subject, (one, other) in stored.items() if compare(Op.IS, one, other, kind)}
    for dialect in ("oxigraph", "sparql11"):
        found = engine.answers(asked, emit(asked, NO_SCHEMA, VOCABULARY, dialect)).values
        assert set(found) == right_ones


@pytest.mark.parametrize(
    ("op", "kind"),
    [(op, kind) for kind in (Kind.NUMBER, Kind.TEXT) for op in Op if op is not Op.IS]
    + [(Op.GE, Kind.DATE), (Op.LT, Kind.DATE)],
)
def test_comparison_of_two_variables(op, kind):
    days = [date for date in [*PLAIN_DATES, *ODD_DATES] if date.lexical != "2001-02-30"]
    values = {Kind.NUMBER: NUMBERS, Kind.TEXT: [*TEXTS, *TAGGED], Kind.DATE: days}[kind]
    both = pairs([*values, *OTHERS[:6], *ENTITIES])
    engine = OxigraphEngine.memory(
        [*graph([one for one, _ in both], VALUE), *graph([other for _, other in both], OTHER)]
    )
    asked = one_of(Triple(X, VALUE, V), Triple(X, OTHER, W), Compare(op, V, W, kind))
    found = set(engine.answers(asked, emit(asked, NO_SCHEMA, VOCABULARY, "oxigraph")).values)
    lefts = {subject: value for subject, _, value in engine.triples(None, VALUE, None)}
    rights = {subject: value for subject, _, value in engine.triples(None, OTHER, None)}
    assert found == {subject for subject in lefts if compare(op, lefts[subject], rights[subject], kind)}


def test_counts_are_of_identities():
    """Every pair of values is counted: one where they are the same value, else two."""
    values = [*NUMBERS, *PLAIN_DATES[::4], *ODD_DATES, *TEXTS[:4], *TAGGED, *OTHERS[:9], *ENTITIES]
    couples = list(itertools.combinations(values, 2))
    triples = [*graph([one for one, _ in couples]), *graph([other for _, other in couples])]
    engine = OxigraphEngine.memory(triples)
    stored: dict = {}
    for subject, _, value in engine.triples(None, VALUE, None):
        stored.setdefault(subject, set()).add(identity(value))
    asked = one_of(Count(N, V, Body((Triple(X, VALUE, V),)), (X,)), outputs=(X, N), form=Form.ROWS)
    for dialect in ("oxigraph", "sparql11"):
        rows = engine.answers(asked, emit(asked, NO_SCHEMA, VOCABULARY, dialect)).rows
        assert {subject: int(number.lexical) for subject, number in rows} == {s: len(v) for s, v in stored.items()}


def test_counts_on_rdflib():
    engine, stored = rdflib(EVERYTHING)
    asked = one_of(Count(N, V, Body((Triple(X, VALUE, V),))), outputs=(N,), form=Form.NUMBER)
    found = engine.answers(asked, emit(asked, NO_SCHEMA, VOCABULARY, "rdflib")).number
    assert found == len({identity(value) for value in stored.values()})


@pytest.mark.parametrize("kind", [Kind.NUMBER, Kind.DATE, Kind.TEXT])
@pytest.mark.parametrize("direction", list(Direction))
def test_extremes_follow_the_order_of_values(direction, kind):
    """The extreme one is taken away until none is left: on the way every key is met, in order."""
    left = [value for value in EVERYTHING if value != Literal("2001-05-17T10:00:00.500Z", XSD + "dateTime")]
    best = max if direction is Direction.MAX else min
    steps = 0
    while True:
        engine, stored = oxigraph(left)
        keys = {subject: order_key(value, kind) for subject, value in stored.items()}
        ordered = [key for key in keys.values() if key is not None]
        schema = NO_SCHEMA if steps % 2 else schema_of(left)
        asked = one_of(Extreme(direction, X, V, Body((Triple(X, VALUE, V),)), kind))
        dialect = ("oxigraph", "sparql11")[steps % 3 == 0]
        found = set(engine.answers(asked, emit(asked, schema, VOCABULARY, dialect)).values)
        extreme = best(ordered, default=None)
        assert found == {subject for subject, key in keys.items() if key is not None and key == extreme}
        if not found:
            return
        left = [value for (subject, _, value) in graph(left) if subject not in found]
        steps += 1


def test_extremes_on_rdflib():
    for kind in (Kind.NUMBER, Kind.DATE, Kind.TEXT):
        for direction, best in ((Direction.MAX, max), (Direction.MIN, min)):
            engine, stored = rdflib(EVERYTHING)
            keys = {subject: order_key(value, kind) for subject, value in stored.items()}
            extreme = best(key for key in keys.values() if key is not None)
            asked = one_of(Extreme(direction, X, V, Body((Triple(X, VALUE, V),)), kind))
            found = engine.answers(asked, emit(asked, NO_SCHEMA, VOCABULARY, "rdflib")).values
            assert set(found) == {subject for subject, key in keys.items() if key == extreme}


# --- the cases that users reported elsewhere --------------------------------------------------------------------------


def both_engines(values):
    return (*oxigraph(values)[:1], "oxigraph"), (*rdflib(values)[:1], "rdflib")


def subjects(values, *comparison) -> list[set[int]]:
    found = []
    for engine, dialect in both_engines(values):
        for level in (0, 1):
            asked = one_of(Triple(X, VALUE, V), Compare(comparison[0], V, *comparison[1:]))
            nodes = engine.answers(asked, emit(asked, NO_SCHEMA, VOCABULARY, dialect, level)).values
            found.append({int(node.value.removeprefix(E + "s")) for node in nodes})
    return found


def test_case_2_dates_of_mixed_precision():
    values = [*typed("gYear", "2007"), *typed("date", "2009-05-01"), *typed("dateTime", "2009-05-01T00:00:00Z")]
    for constant in (*typed("gYear", "2008"), Literal("2008"), *typed("integer", "2008")):
        assert subjects(values, Op.GE, constant) == [{1, 2}] * 4
    assert subjects(values, Op.GE, *typed("dateTime", "2008-01-01T00:00:00Z")) == [{1, 2}] * 4


def test_case_3_years_before_zero():
    values = typed("date", "-0012-11-29", "2000-01-01")
    assert subjects(values, Op.LT, Literal("0500")) == [{0}] * 4
    assert subjects(values, Op.LT, *typed("gYear", "-0012"), Kind.DATE) == [set()] * 4
    assert subjects(values, Op.LE, *typed("gYear", "-0012"), Kind.DATE) == [{0}] * 4


def test_case_4_what_is_no_number_satisfies_no_comparison():
    values = [*typed("integer", "10", "hello"), Literal("abc")]
    assert subjects(values, Op.GT, *typed("integer", "5")) == [{0}] * 4
    assert subjects(values, Op.GT, *typed("integer", "1"), Kind.NUMBER) == [{0}] * 4
    assert subjects(values, Op.NE, *typed("integer", "5")) == [{0}] * 4
