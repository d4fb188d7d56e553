"""Where two steps of a path meet in what may be a value, they meet by value, as a JOIN of a JOIN does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.errors import CompileError
from pylf.ir.canonical import fingerprint
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Compare, Op
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import XSD, Iri, Literal
from pylf.ir.traverse import walk
from pylf.ir.types import ANY
from pylf.ir.verify import verify
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.parser import parse
from pylf.language.raise_ import raise_query
from pylf.testing.denotation import denote

if TYPE_CHECKING:
    from pylf.ir.nodes import Query
    from pylf.language.context import Negation

NS = "http://e/"
VOCABULARY = Vocabulary("rdf", prefixes={"": NS})
THING = NS + "Thing"
SCHEMA = Schema(
    MemorySource(
        (
            Relation(NS + "any", domain=((THING,),)),
            Relation(NS + "other", domain=((THING,),)),
            Relation(NS + "size", domain=((THING,),), datatypes=(XSD + "decimal",)),
            Relation(NS + "year", domain=((THING,),), datatypes=(XSD + "gYear",)),
            Relation(NS + "to", domain=((THING,),), range=((THING,),)),
            Relation(NS + "loose"),
        ),
        (Class(THING, "thing"),),
    )
)
#: what :any and :size of :a are is :other of :b, and what :any of :b is is :other of :c, in other spellings
GRAPH = MemoryGraph.parse(
    f"""
    @prefix : <{NS}> . @prefix xsd: <{XSD}> .
    :a a :Thing ; :any "2.50"^^xsd:decimal, :b ; :size 2.50 ; :to :b .
    :b a :Thing ; :any 3 ; :other "2.5"^^xsd:double ; :to :c ; :year "1999"^^xsd:gYear .
    :c a :Thing ; :other 3.0, :a ; :size 2.5 ; :loose "3.00"^^xsd:decimal ; :year "2001"^^xsd:gYear .
    :d :loose "2.500"^^xsd:decimal ; :year "1990"^^xsd:gYear .
    """
)


def compiled(expression: str, negation: Negation = "cwa") -> Query:
    query = lower(parse(f"e = STOP({expression})"), Context(SCHEMA, VOCABULARY, negation=negation)).query
    verify(query)
    return query


def answers(expression: str, negation: Negation = "cwa") -> set[str]:
    """What the compiled program answers: what the definition says, also when it is raised and compiled again."""
    query = compiled(expression, negation)
    found = evaluate(query, GRAPH, SCHEMA, VOCABULARY)
    assert found.key() == denote(parse(f"e = STOP({expression})"), GRAPH, SCHEMA, VOCABULARY, negation).key()
    raised = raise_query(query, SCHEMA, VOCABULARY)
    again = lower(raised, Context(SCHEMA, VOCABULARY, negation=negation)).query
    assert fingerprint(again) == fingerprint(query)
    return {v.value.removeprefix(NS) if isinstance(v, Iri) else str(float(v.lexical)) for v in found.values}


def meetings(query: Query) -> int:
    """How often two variables are said to have one value."""
    return sum(isinstance(c, Compare) and c.op is Op.IS and not isinstance(c.right, Literal) for c in walk(query))


@pytest.mark.parametrize(
    ("path", "nested", "expected"),
    [
        ("JOIN(['any', 'R_other'], ':b')", "JOIN('any', JOIN('R_other', ':b'))", {"a"}),
        ("JOIN(['any', 'R_other'], ':c')", "JOIN('any', JOIN('R_other', ':c'))", {"b"}),
        ("JOIN(['size', 'R_size'], ':a')", "JOIN('size', JOIN('R_size', ':a'))", {"a", "c"}),
        ("JOIN(['any', 'R_other', 'year'], '1999')", "JOIN('any', JOIN('R_other', JOIN('year', '1999')))", {"a"}),
        (
            "JOIN(['any', 'R_other', 'other', 'R_any', 'to'], ':c')",
            "JOIN('any', JOIN('R_other', JOIN('other', JOIN('R_any', JOIN('to', ':c')))))",
            {"b"},
        ),
        (
            "JOIN(['to', 'any', 'R_other'], JOIN('year', 2001))",
            "JOIN('to', JOIN('any', JOIN('R_other', JOIN('year', 2001))))",
            {"a"},
        ),
        (
            "JOIN(['any', 'R_other'], ':b', neg=True)",
            "JOIN('any', JOIN('R_other', ':b'), neg=True)",
            {"b", "c"},
        ),
        (
            "CMP('<', ['any', 'R_other', 'year'], '2000')",
            "JOIN('any', JOIN('R_other', CMP('<', 'year', '2000')))",
            {"a"},
        ),
        (
            "JOIN(['any', CLOSURE('R_other')], ':b')",
            "JOIN('any', JOIN(CLOSURE('R_other'), ':b'))",
            {"a"},
        ),
        (
            "JOIN(['any', CLOSURE('R_other', min=0)], ':b')",
            "JOIN('any', JOIN(CLOSURE('R_other', min=0), ':b'))",
            {"a"},
        ),
        (
            "JOIN(['any', CLOSURE('to', min=0), 'R_other'], ':b')",
            "JOIN('any', JOIN(CLOSURE('to', min=0), JOIN('R_other', ':b')))",
            {"a"},
        ),
    ],
)
def test_a_path_means_what_the_nested_joins_mean(path: str, nested: str, expected: set[str]) -> None:
    assert answers(path) == expected
    assert fingerprint(compiled(path)) == fingerprint(compiled(nested))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("JOIN(['any', 'R_other'], ':b', neg=True)", {"b"}),  # :b reaches :c by values, :c has no :any
        ("JOIN(['to', 'any', 'R_other'], ':b', neg=True)", {"a"}),
    ],
)
def test_partial_completeness_asks_for_some_walk_by_value(expression: str, expected: set[str]) -> None:
    assert answers(expression, "pca") == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("ARG('ARGMAX', START('thing'), ['any', 'R_loose', 'year'])", {"b"}),
        ("ARG('ARGMIN', START('thing'), ['any', 'R_other', 'year'])", {"a"}),
        ("ARG('ARGMAX', START('thing'), ['any', 'R_other', 'year'], k=2)", {"a", "b"}),
        ("ARG('ARGMAX', START('thing'), COUNT(['size', 'R_any']))", {"a", "c"}),
        ("TC(START('thing'), ['any', 'R_other', 'year'], '2000')", {"a", "c"}),
        ("TC(START('thing'), ['any', 'R_other', 'year'], '2000', until=True)", {"b", "c"}),
        ("TC(JOIN('loose', 7, neg=True), ['any', 'R_other', 'year'], '2000')", None),
        ("AND(TC(JOIN('loose', 7, neg=True), ['any', 'R_other', 'year'], '2000'), START('thing'))", {"a", "c"}),
        ("CMP('>', ['size', 'R_other', 'year'], 1900)", {"a", "c"}),
        ("MINUS(START('thing'), JOIN(['size', 'R_other'], ':b'))", {"b"}),
    ],
)
def test_so_do_the_paths_of_all_other_forms(expression: str, expected: set[str] | None) -> None:
    if expected is None:
        with pytest.raises(CompileError, match="unsafe"):
            answers(expression)
    else:
        assert answers(expression) == expected


@pytest.mark.parametrize(
    ("expression", "times"),
    [
        ("JOIN(['to', 'to', 'R_to'], ':a')", 0),
        ("JOIN(['to', 'R_to', 'any'], 3)", 0),
        ("JOIN(['R_to', 'to'], ':a', neg=True)", 0),
        ("JOIN([CLOSURE('to', min=0), CLOSURE('R_to')], ':a')", 0),
        ("CMP('<', ['any', 'year'], 2000)", 0),  # what has a year is no value, whatever :any leads to
        ("CMP('<', ['any', CLOSURE('to', min=0), 'year'], 2000)", 0),
        ("JOIN(['any', 'R_to'], ':a')", 0),
        ("JOIN(['to', 'any', 'R_other', 'to'], ':a')", 1),
        ("JOIN(['any', 'R_other', 'any', 'R_other'], ':a')", 2),
    ],
)
def test_only_what_may_be_a_value_is_met_by_value(expression: str, times: int) -> None:
    assert meetings(compiled(expression)) == times


# --- closures of no steps -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("JOIN([CLOSURE('to', min=0), 'R_other'], ':b')", {"2.5"}),
        ("AND(JOIN([CLOSURE('to', min=0), 'R_other'], ':b'), JOIN('R_any', ':a'))", {"2.5"}),
        ("ARG('ARGMAX', JOIN('R_any', ':a'), COUNT([CLOSURE('to', min=0), 'R_other']))", {"2.5"}),
        ("ARG('ARGMAX', JOIN('R_any', ':a'), [CLOSURE('to', min=0), 'R_other', 'year'])", {"2.5"}),
        ("TC(JOIN('R_any', ':a'), [CLOSURE('to', min=0), 'R_other', 'year'], '1998')", {"b"}),
        ("ARG('ARGMAX', OR('1990^^xsd:gYear', '2003^^xsd:gYear', ':a'), CLOSURE('to', min=0))", {"2003.0"}),
        ("TC(OR('1990^^xsd:gYear', '2003^^xsd:gYear', ':a'), CLOSURE('to', min=0), '2000')", {"1990.0"}),
        ("AND(JOIN('R_any', ':a'), CMP('>', CLOSURE('to', min=0), 2))", {"2.5"}),
        ("AND(OR(COUNT(START('thing')), ':a'), CMP('>', CLOSURE('to', min=0), 2))", {"3.0"}),
        ("AND(START('thing'), JOIN(CLOSURE('to', min=0), JOIN('loose', 2.5, neg=True)))", {"a", "b", "c"}),
    ],
)
def test_in_no_steps_members_reach_themselves_in_the_graph_or_not(expression: str, expected: set[str]) -> None:
    assert answers(expression) == expected


def test_what_is_reached_in_no_steps_is_of_the_type_of_what_reaches_it() -> None:
    query = compiled("JOIN([CLOSURE('to', min=0), 'R_other'], ':b')")
    assert query.type_of[query.outputs[0].name] == ANY


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("CMP('>', CLOSURE('to', min=0), 2)", "unsafe"),
        ("COUNT(CMP('>', [CLOSURE('to', min=0), CLOSURE('to', min=0)], 2))", "unsafe"),
        ("JOIN(CLOSURE('to', min=0), JOIN('loose', 2.5, neg=True))", "unsafe-negation"),
        ("ARG('ARGMAX', JOIN('loose', 2.5, neg=True), CLOSURE('to', min=0))", "unsafe-negation"),
    ],
)
@pytest.mark.parametrize("negation", ["cwa", "pca"])
def test_what_every_value_reaches_cannot_be_listed(expression: str, code: str, negation: Negation) -> None:
    with pytest.raises(CompileError) as by_compiler:
        compiled(expression, negation)
    with pytest.raises(CompileError) as by_definition:
        denote(parse(f"e = STOP({expression})"), GRAPH, SCHEMA, VOCABULARY, negation)
    for refused in (by_compiler, by_definition):
        assert [d.code for d in refused.value.diagnostics] == [code]
