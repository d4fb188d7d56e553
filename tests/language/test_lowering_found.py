"""Where a set of unknown type meets values or entities, a compiled program answers what the language defines.

Each of these kinds of programs was once compiled to something else, or to a query that breaks the IR's rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.ir.canonical import fingerprint
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Compare, Form, Member, Not, Union
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema, ValueProfile
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF_LANG_STRING, XSD, Literal
from pylf.ir.types import ANY, LiteralType
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
TAGGED = ValueProfile(tagged=2, languages=("de", "en"))
SCHEMA = Schema(
    MemorySource(
        (
            Relation(NS + "any", domain=((THING,),)),
            Relation(NS + "other", domain=((THING,),)),
            Relation(NS + "rank", domain=((THING,),)),
            Relation(NS + "rated", domain=((THING,),)),
            Relation(NS + "to", domain=((THING,),), range=((THING,),)),
            Relation(NS + "year", domain=((THING,),), datatypes=(XSD + "gYear",)),
            Relation(NS + "size", domain=((THING,),), datatypes=(XSD + "integer",)),
            Relation(NS + "tagged", datatypes=(RDF_LANG_STRING,), profile=TAGGED),
            Relation(NS + "mixed", profile=ValueProfile(tagged=2, strings=1, months=1, languages=("de", "en"))),
            Relation(NS + "loose"),
        ),
        (Class(THING, "thing"),),
    )
)
#: values of :any and :other are the same in other spellings; :year leads to an entity too, though it is said to lead to
#: years
GRAPH = MemoryGraph.parse(
    f"""
    @prefix : <{NS}> . @prefix xsd: <{XSD}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :a a :Thing ; rdfs:label "two" ; :any "1990"^^xsd:gYear, :b ; :rank 1 ; :year "1990"^^xsd:gYear, :b ; :size 1, 7 .
    :b a :Thing ; rdfs:label "two" ; :any 2, 3 ; :rank 2 ; :other "2"^^xsd:int ; :year "1991"^^xsd:gYear ; :to :c .
    :c a :Thing ; rdfs:label "three" ; :other 2.0, 3.0 ; :rated 5 ; :to :a .
    :d :rated 4 ; :other 3 ; :tagged "10"@en ; :mixed "1990"@de .
    :e :rated "2001"^^xsd:gYear ; :other 2 ; :tagged "10" ; :mixed "1990-07"^^xsd:gYearMonth .
    :f :loose 2, "2001"^^xsd:gYear ; :mixed "1991"@de .
    :h :mixed "1990" .
    :g :loose "2.0"^^xsd:double .
    """
)


def compiled(expression: str, negation: Negation = "cwa") -> Query:
    query = lower(parse(f"e = STOP({expression})"), Context(SCHEMA, VOCABULARY, negation=negation)).query
    verify(query)
    return query


def answers(expression: str, negation: Negation = "cwa") -> set[str] | int | bool | None:
    """What the compiled program answers, which has to be what the definition says."""
    found = evaluate(compiled(expression, negation), GRAPH, SCHEMA, VOCABULARY)
    assert found.key() == denote(parse(f"e = STOP({expression})"), GRAPH, SCHEMA, VOCABULARY, negation).key()
    match found.form:
        case Form.NUMBER:
            return found.number
        case Form.BOOLEAN:
            return found.boolean
    return {str(value).replace(NS, "").replace(XSD, "").replace('"', "'") for value in found.values}


# --- what may be an entity or a value, beside values --------------------------------------------------------------

YEARS = "JOIN('R_year', START(':a'))"
ANY_OF_A = "JOIN('R_any', START(':a'))"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (f"MINUS({ANY_OF_A}, START('two'))", {"'1990'^^<gYear>"}),
        (f"MINUS({ANY_OF_A}, START('three'))", {"'1990'^^<gYear>", "<b>"}),
        (f"MINUS({ANY_OF_A}, START('thing'))", {"'1990'^^<gYear>"}),
        (f"MINUS({ANY_OF_A}, CMP('<', 'size', 5))", {"'1990'^^<gYear>", "<b>"}),
        (f"MINUS({ANY_OF_A}, JOIN('to', START(':c')))", {"'1990'^^<gYear>"}),
        (f"MINUS({ANY_OF_A}, JOIN(CLOSURE('to'), START(':c')))", {"'1990'^^<gYear>"}),
        (f"MINUS({ANY_OF_A}, ARG('ARGMAX', START('thing'), 'any'))", {"'1990'^^<gYear>"}),
        (f"OR({ANY_OF_A}, JOIN('to', START(':c')))", {"'1990'^^<gYear>", "<b>"}),
        (f"OR({ANY_OF_A}, START('two'))", {"'1990'^^<gYear>", "<b>"}),
        (f"OR(CMP('>', 'any', 2), {ANY_OF_A})", {"'1990'^^<gYear>", "<b>"}),
        (f"TC({ANY_OF_A}, 'year', '1991')", {"'1990'^^<gYear>", "<b>"}),
        (f"TC({ANY_OF_A}, 'year', '1990')", {"'1990'^^<gYear>"}),
        (f"ARG('ARGMAX', OR({ANY_OF_A}, START('two')), ['R_any', 'size'])", {"'1990'^^<gYear>", "<b>"}),
        (f"MINUS({ANY_OF_A}, JOIN('to', START(':c'), neg=True))", {"'1990'^^<gYear>", "<b>"}),
    ],
)
@pytest.mark.parametrize("negation", ["cwa", "pca"])
def test_beside_values_the_graph_decides_what_a_subject_is(part: str, expected: set[str], negation: Negation) -> None:
    if negation == "cwa" or "neg=True" not in part:
        assert answers(f"AND({part}, {YEARS})", negation) == expected
    assert answers(f"COUNT(AND({YEARS}, {part}))", negation) == answers(f"COUNT(AND({part}, {YEARS}))", negation)
    assert answers(f"JOIN('year', AND({YEARS}, {part}))", negation) == {"<a>"}


def test_what_stands_as_a_subject_is_not_typed_as_a_literal() -> None:
    query = compiled(f"AND(MINUS({ANY_OF_A}, START('two')), {YEARS})")
    assert query.type_of[query.outputs[0].name] == ANY
    plain = compiled(f"AND({ANY_OF_A}, {YEARS})")
    assert plain.type_of[plain.outputs[0].name] == LiteralType(XSD + "gYear")


def test_a_superlative_is_told_among_all_its_members_whatever_stands_beside_it() -> None:
    # of :b, which :year leads to, the size is 1; of 2, which :other leads to, the rating is 5: the value is the best
    best = "ARG('ARGMAX', OR(START(':b'), START('2.0^^xsd:double')), ['R_any', 'rank'])"
    assert answers(f"COUNT(AND({best}, START(2)))") == 1
    assert answers(f"AND({best}, START('thing'))") == set()
    assert answers(f"JOIN('to', {best})") == set()
    assert answers(
        "AND(ARG('ARGMIN', OR(START(':b'), START('2.0^^xsd:double')), ['R_any', 'rank']), START('thing'))"
    ) == {"<b>"}


# --- by value -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("ARG('ARGMAX', START(2), ['R_other', 'rated'])", {"'2'^^<int>"}),
        ("ARG('ARGMAX', START('2.0^^xsd:double'), ['R_other', 'rated'])", {"'2'^^<int>"}),
        ("ARG('ARGMIN', OR(START(2), START(3)), ['R_other', 'rated'])", {"'3'^^<integer>"}),
        ("ARG('ARGMAX', OR(START(2), START(3)), ['R_other', 'rated'], k=2)", {"'2'^^<int>", "'3'^^<integer>"}),
        ("ARG('ARGMAX', JOIN('R_any', START(':b')), COUNT('R_other'))", {"'2'^^<int>", "'3'^^<integer>"}),
        ("ARG('ARGMAX', MINUS(JOIN('R_any', START(':b')), START(3)), COUNT('R_other'))", {"'2'^^<int>"}),
        ("ARG('ARGMAX', COUNT(START('two')), ['R_other', 'rated'])", {"'2'^^<int>"}),
        ("ARG('ARGMAX', AND(JOIN('R_any', START(':b')), START('2.0')), ['R_other', 'rated'])", set()),
        ("TC(START('2.0^^xsd:double'), ['R_other', 'rated'], '2000')", set()),
        ("TC(START('2.0^^xsd:double'), ['R_other', 'rated'], '2001')", {"'2.0'^^<double>"}),
        ("TC(START('3.0^^xsd:double'), ['R_other', 'rated'], '2001')", set()),
        ("TC(START('4.0^^xsd:double'), ['R_other', 'rated'], '2001')", {"'4.0'^^<double>"}),
        (
            "MINUS(JOIN('R_any', START(':b')), TC(START('2.0^^xsd:double'), ['R_other', 'rated'], '2001'))",
            {"'3'^^<integer>"},
        ),
    ],
)
def test_members_have_the_values_of_other_spellings(expression: str, expected: set[str]) -> None:
    found = answers(expression)
    assert isinstance(found, set)
    # which spelling stands for a value is for the evaluator to say
    assert {value(text) for text in found} == {value(text) for text in expected}
    assert answers(f"COUNT({expression})") == len(expected)
    assert answers(f"ASK({expression})") == bool(expected)


def value(text: str) -> object:
    number = text.split("'")[1]
    return float(number)


def test_sets_of_entities_are_not_met_by_value() -> None:
    query = compiled("ARG('ARGMAX', START('thing'), 'any')")
    assert "Compare" not in repr(query.body)


@pytest.mark.parametrize(
    "expression",
    [
        "ARG('ARGMAX', START(2), ['R_other', 'rated'])",
        "ARG('ARGMIN', JOIN('R_any', START(':b')), COUNT('R_other'), k=2)",
        "TC(START(2.0), ['R_other', 'rated'], '2001')",
        f"AND(MINUS({ANY_OF_A}, START('two')), {YEARS})",
        "MINUS(COUNT(START(':a')), START(':b'))",
    ],
)
def test_they_can_be_told_again(expression: str) -> None:
    query = compiled(expression)
    again = lower(raise_query(query, SCHEMA, VOCABULARY), Context(SCHEMA, VOCABULARY)).query
    assert fingerprint(again) == fingerprint(query)


# --- nothing taken away -------------------------------------------------------------------------------------------


def test_a_count_from_which_nothing_is_taken_is_a_set() -> None:
    assert answers("COUNT(START(':a'))") == 1
    assert answers("MINUS(COUNT(START(':a')), START(':b'))") == {"'1'^^<integer>"}
    assert answers("MINUS(COUNT(START(':a')), START('two'))") == {"'1'^^<integer>"}
    assert answers("MINUS(COUNT(START(':a')), START('thing'))") == {"'1'^^<integer>"}
    assert answers("JOIN('size', MINUS(COUNT(START(':a')), START(':b')))") == {"<a>"}


def test_a_constant_from_which_nothing_is_taken_is_a_set() -> None:
    # a constant meets a date that lies within it, a set only what is the same
    assert answers("JOIN('mixed', START('1990', kind='literal'))") == {"<d>", "<e>", "<h>"}
    assert answers("JOIN('loose', START('2001^^xsd:gYear'))") == {"<f>"}
    for right in ("START(':b')", "START('two')", "START('thing')", "JOIN('to', START(':a'))"):
        assert answers(f"JOIN('mixed', MINUS(START('1990^^xsd:gYear'), {right}))") == set()
        assert answers(f"JOIN('loose', MINUS(START('2^^xsd:integer'), {right}))") == {"<f>", "<g>"}


def test_that_nothing_is_taken_is_told_and_the_graph_decides() -> None:
    program = parse("e = STOP(MINUS(JOIN('R_year', START(':a')), START(':b')))")
    found = lower(program, Context(SCHEMA, VOCABULARY))
    assert [d.code for d in found.diagnostics] == ["no-effect"]
    assert any(isinstance(conjunct, Not) for conjunct in found.query.body.conjuncts)
    assert answers("MINUS(JOIN('R_year', START(':a')), START(':b'))") == {"'1990'^^<gYear>"}


# --- tagged strings, spelled like dates ---------------------------------------------------------------------------


def test_a_string_spelled_like_a_date_meets_tagged_strings_too() -> None:
    assert answers("JOIN('tagged', '10')") == {"<d>", "<e>"}
    assert answers("JOIN('tagged', START(10))") == {"<d>", "<e>"}
    assert answers("JOIN('mixed', START('1990', kind='literal'))") == {"<d>", "<e>", "<h>"}


def test_where_no_dates_are_counted_a_string_is_looked_up() -> None:
    *_, member = compiled("JOIN('tagged', '10')").body.conjuncts
    assert isinstance(member, Member)
    assert [v.language for v in member.values if isinstance(v, Literal)] == [None, "de", "en"]
    assert any(isinstance(c, Union) for c in compiled("JOIN('mixed', START('1990', kind='literal'))").body.conjuncts)
    assert any(isinstance(c, Compare) for c in compiled("JOIN('loose', START('1990', kind='literal'))").body.conjuncts)


# --- closures of no steps -----------------------------------------------------------------------------------------


def test_in_no_steps_values_reach_themselves() -> None:
    assert answers("JOIN(CLOSURE('to', min=0), OR(START(':a'), COUNT(START(':b'))))") == {
        "<a>",
        "<b>",
        "<c>",
        "'1'^^<integer>",
    }
    # along a relation that leads to values they are what is reached, and are met by value
    assert answers("COUNT(ARG('ARGMAX', JOIN(CLOSURE('R_any', min=0), START(':b')), COUNT('R_other')))") == 2
