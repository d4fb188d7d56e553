"""Each rule of verify, by a query that breaks it and one beside it that does not."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings

from pylf.errors import InvalidIR, Span
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Direction,
    Extreme,
    Form,
    InstanceOf,
    Member,
    Not,
    Op,
    Path,
    Project,
    Query,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import bound, never
from pylf.ir.terms import RDF_LANG_STRING, Blank, Iri, Literal, Var
from pylf.ir.text import parse_query
from pylf.ir.types import ANY, ENTITY, INTEGER, RELATION, EntityType, LiteralType, RowType, SubgraphType
from pylf.ir.verify import verify
from pylf.testing.ir_strategies import queries

X, Y, P, C = Var("x"), Var("y"), Iri("http://x/p"), Iri("http://x/C")
ABOUT_X = Triple(X, P, Y)


def lines(*body: str, head: str = "set ?x") -> Query:
    return parse_query("\n".join((head, "where", *(f"  {line}" for line in body))), check=False)


def of(*conjuncts: object, form: Form = Form.SET, outputs: tuple[Var, ...] = (X,)) -> Query:
    """A query with whatever is given as conjuncts, for what the text form cannot say."""
    return Query(form, outputs, Body(conjuncts), (("x", ENTITY), ("y", ANY)))  # type: ignore[arg-type]


@settings(max_examples=40)
@given(queries())
def test_random_queries_are_sound(query: Query) -> None:
    verify(query)
    assert never(query.body) or bound(query.body) >= {output.name for output in query.outputs}


SOUND = [
    ("a comparison of what a triple binds", ["?x <p> ?v", '?v < "5"']),
    ("a filter in an arm", ["?x <p> ?v", "either", '  ?v < "5"', "or", '  ?v > "7"']),
    ("a union that binds the output in each arm", ["either", "  ?x <p> ?y", "or", "  ?x <q> ?z"]),
    ("arms with a local variable of one name", ["?x <p> <a>", "either", "  ?x <q> ?z", "or", "  ?x <r> ?z"]),
    ("a middle negation that only negates", ["?x <p> ?y", "not", "  not", "    ?x <q> ?z", "    ?z <r> ?w"]),
    ("what a negation is closed over", ["?x <p> ?v", "not", "  ?x <q> ?w", "  ?w is ?v"]),
    ("a closure beside what binds one end", ["?x <p>* ?y", "?y <q> ?z"]),
    ("a closure from a constant", ["<a> <p>* ?x"]),
    ("closures in a row", ["?z <p>* ?x", "?y <p>* ?z", "<a> <p>* ?y"]),
    ("a closure whose end each arm binds", ["?x <p>* ?y", "either", "  ?y <p> ?z", "or", "  ?y in (<a>)"]),
    ("a closure in an arm from outside of it", ["?y <p> ?z", "either", "  ?y <p>* ?x", "or", "  ?x <p> <a>"]),
    ("a count beside its group", ["?x <p> <a>", "?n counts ?v per ?x", "  ?x <q> ?v", '?n > "2"']),
    ("extremes within extremes", ["?x with largest ?m", "  ?x <p> ?m", "  ?x with smallest ?k", "    ?x <q> ?k"]),
    ("an extreme under a negation", ["?x <p> ?y", "not", "  ?x with largest ?m", "    ?x <q> ?m"]),
    ("what never holds", ["never"]),
    ("what never holds, with a comparison", ["never", '?y < "5"', "not", '  ?z < "5"']),
    ("an arm that never holds", ["either", "  never", "or", "  ?x <p> ?y"]),
    ("a predicate as a subject too", ["?x ?p ?y", '?p <label> "mass"']),
    ("an arm that shares what is bound beside it", ["?z <s> ?x", "either", "  ?x <q> ?z", "or", "  ?x <r> <a>"]),
    ("an arm that only negates", ["?x <p> <a>", "either", "  not", "    ?x <q> ?y", "or", "  ?x <q> ?z", '  ?z < "5"']),
    ("an instance of a constant", ["?x <p> <a>", "<a> a <C>"]),
]


@pytest.mark.parametrize("body", [body for _, body in SOUND], ids=[name for name, _ in SOUND])
def test_sound_queries_pass(body: list[str]) -> None:
    query = lines(*body)
    verify(query)
    assert query.outputs == (X,)


UNSOUND = [
    ("safety", ["?x <p> ?y", '?v < "5"'], 'nothing positive binds ?v, in: ?v < "5"'),
    ("safety", ["?x <p> ?y", "not", '  ?v < "5"'], 'nothing positive binds ?v, in: ?v < "5"'),
    ("safety", ["?x <p> ?y", "not", "  not", "    ?x <q> ?z", '  ?z < "5"'], "nothing positive binds ?z"),
    ("safety", ["?x <p> ?y", "?z <p>* ?w"], "neither end of the closure is bound"),
    ("safety", ["?x <p> ?y", "?z <p>* ?w", "?w <p>* ?z"], "neither end of the closure is bound"),
    ("safety", ["?x <p> ?v", "either", "  ?x <q> ?w", "or", '  ?w < "5"'], "nothing positive binds ?w"),
    ("safety", ["?x <p> ?v", "?x with largest ?k", "  ?x <q> ?k", "  ?k < ?v"], "nothing positive binds ?v"),
    ("form", ["either", "  ?x <p> ?y", "or", "  ?y <p> <a>"], "nothing positive binds the output ?x"),
    ("form", ["not", "  ?x <p> ?y"], "nothing positive binds the output ?x"),
    ("scope", ["?x <p> <a>", "not", "  ?x <q> ?z", "not", "  ?x <r> ?z"], "?z is local to one part of the query"),
    ("scope", ["?x <p> <a>", "not", "  ?x <q> ?z", "  not", "    ?z <r> ?w", "not", "  ?x <r> ?w"], "?w is local"),
    ("scope", ["?x <p> ?k", "?x with largest ?k", "  ?x <q> ?k"], "?k is local to one part of the query"),
    ("scope", ["?x <p> <a>", "either", "  ?x <q> ?z", "or", "  ?x <r> <a>", "not", "  ?z <s> ?x"], "?z is local"),
    ("scope", ["?x with largest ?k", "  ?x <q> ?y"], "the body does not bind ?k, in: ?x with largest ?k { ?x"),
    ("scope", ["?x with 2 largest ?k", "  ?y <q> ?k"], "the body does not bind ?x"),
    ("scope", ["distinct ?x ?z", "  ?x <p> ?y"], "the body does not bind ?z"),
    ("scope", ["?x <p> ?y", "?n counts ?v per ?x", "  ?x <p> ?w"], "the body does not bind ?v"),
    ("scope", ["?x <p> ?y", "?n counts ?v per ?g", "  ?x2 <p> ?v"], "the body does not bind ?g"),
    ("scope", ["?x <p> ?y", "?n counts ?v", "  ?v <p> ?n"], "the result ?n occurs in the body that is counted"),
    ("shape", ["?x <p> ?y", "?n counts ?n", "  ?n <p> ?v"], "the result, what is counted and the groups"),
    ("shape", ["?x <p> ?y", "distinct ?x ?x", "  ?x <p> ?z"], "a projection has outputs, each once"),
    ("shape", ["?x with 0 largest ?k", "  ?x <p> ?k"], "the best 0 cannot be asked for"),
    ("term", ['"a" <p> ?x'], 'a literal cannot be a subject, in: "a" <p> ?x'),
    ("term", ['?x "p" ?y'], 'a predicate is an IRI or a variable, in: ?x "p" ?y'),
    ("term", ["?x <p> ?y with confidence ?c", '"a" <p> ?y with confidence ?c'], "a literal cannot be a subject"),
    ("term", ['path ?x <-<p>- "a"'], "a literal cannot be a subject"),
    ("term", ['path ?x -"p"-> ?y'], "a predicate is an IRI or a variable"),
    ("term", ['"a" <p>+ ?x'], "a literal cannot be a subject"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "body", "message"), UNSOUND, ids=[f"{r}-{m[:40]}" for r, _, m in UNSOUND])
def test_unsound_queries_are_refused_with_the_node_named(rule: str, body: list[str], message: str) -> None:
    with pytest.raises(InvalidIR) as refused:
        verify(lines(*body))
    assert str(refused.value).startswith(f"{rule}: ")
    assert message in str(refused.value)


BAD_NODES = [
    ("term", Triple(X, Var("y"), Iri("a b")), "is not an IRI"),
    ("term", Triple(X, P, Iri("")), "is not an IRI"),
    ("term", Triple(X, P, Iri("http://x/\udcff")), "is not an IRI"),
    ("term", Member(X, (Iri("http://x/\ud800"),)), "is not an IRI"),
    ("term", InstanceOf(X, (Iri(""),)), "is not an IRI"),
    ("term", Triple(X, P, Literal("a", "")), "the datatype '' is not an IRI"),
    ("term", Triple(X, P, Literal("a", "x y")), "the datatype 'x y' is not an IRI"),
    ("term", Triple(X, P, Literal("a", RDF_LANG_STRING)), "rdf:langString"),
    ("term", Triple(X, P, Literal("a", language="en")), "rdf:langString"),
    ("term", Triple(X, P, Literal("a", RDF_LANG_STRING, "EN")), "'EN' is not a language tag in lower case"),
    ("term", Triple(X, P, Blank("b0")), "a Blank is not a term of a query"),
    ("term", Compare(Op.LT, X, Blank("b0")), "a Blank is not a term of a query"),
    ("term", Member(X, (Y,)), "?y stands where only a constant can"),
    ("term", InstanceOf(X, (Y,)), "?y stands where only a constant can"),
    ("term", Closure(X, Y, Y), "the relation of a closure is an IRI"),
    ("term", Confidence(X, P, Y, P), "a confidence is a variable"),
    ("shape", InstanceOf(X, ()), "an instance-of names no class"),
    ("shape", Path((X,), (), ()), "a path has at least one relation"),
    ("shape", Path((X, Y), (P, P), (True, True)), "a path has at least one relation"),
    ("shape", Path((X, Y), (P,), ()), "a path has at least one relation"),
    ("shape", Closure(X, P, Y, 2), "a closure has at least zero or at least one steps"),
    ("shape", Project((), Body((ABOUT_X,))), "a projection has outputs, each once"),
    ("shape", TopK(Direction.MAX, 10**18, X, Y, Body((ABOUT_X,))), "cannot be asked for"),
    ("shape", Count(X, Y, Body((ABOUT_X,)), (X,)), "the result, what is counted and the groups"),
    ("shape", Body((ABOUT_X,)), "a Body is not a conjunct"),
    ("shape", "?x <p> ?y", "a str is not a conjunct"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "node", "message"), BAD_NODES, ids=[m for _, _, m in BAD_NODES])
def test_malformed_nodes_are_refused(rule: str, node: object, message: str) -> None:
    with pytest.raises(InvalidIR) as refused:
        verify(of(ABOUT_X, node))
    assert str(refused.value).startswith(f"{rule}: ")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("set", "a set query cannot have 0 outputs"),
        ("set ?x ?y", "a set query cannot have 2 outputs"),
        ("boolean ?x", "a boolean query cannot have 1 outputs"),
        ("rows", "a rows query cannot have 0 outputs"),
        ("subgraph ?x ?y", "a subgraph query cannot have 2 outputs"),
        ("rows ?x ?x", "an output is named twice"),
        ("number ?x", "form: a number is the result of a count without groups, and ?x is not"),
    ],
)
def test_outputs_are_as_the_form_wants(head: str, message: str) -> None:
    with pytest.raises(InvalidIR) as refused:
        verify(lines("?x <p> ?y", head=head))
    assert message in str(refused.value)


@pytest.mark.parametrize("head", ["boolean", "rows ?y", "rows ?y ?x", "subgraph ?x ?y ?z", "subgraph ?x ?y ?z ?w"])
def test_forms_take_their_outputs(head: str) -> None:
    query = lines("?x <p> ?y", "?y <p> ?z", "?z <p> ?w", head=head)
    verify(query)
    assert len(query.outputs) == head.count("?")


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ({"x": ENTITY}, "?y occurs and has no type"),
        ({"x": ENTITY, "y": ANY, "z": ANY}, "?z has a type and does not occur"),
        ({"y": ANY, "x": ENTITY}, "types are not sorted by name"),
        ({"x": LiteralType(), "y": ANY}, "?x is a subject and is typed as a literal"),
        ({"x": RELATION, "y": ANY}, "?x is typed as a relation and is no predicate"),
        ({"x": RowType(), "y": ANY}, "?x has the type of a whole result"),
        ({"x": SubgraphType(), "y": ANY}, "?x has the type of a whole result"),
        ({"x": EntityType((("b", "a"),)), "y": ANY}, "are not sorted, each once"),
        ({"x": EntityType((("a",), ("a",))), "y": ANY}, "are not sorted, each once"),
        ({"x": EntityType(((),)), "y": ANY}, "or none"),
        ({"x": EntityType((("a b",),)), "y": ANY}, "'a b' in ?x's type is not an IRI"),
    ],
)
def test_types_fit_the_variables(types: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidIR) as refused:
        verify(replace(of(ABOUT_X), types=tuple(types.items())))
    assert str(refused.value).split(":")[0] in {"types", "term"}
    assert message in str(refused.value)


def test_a_predicate_is_typed_as_a_relation_and_a_count_as_a_number() -> None:
    relation = lines("?x ?p ?y")
    with pytest.raises(InvalidIR, match=r"\?p is a predicate and is not typed as a relation"):
        verify(replace(relation, types=(("p", ANY), ("x", ENTITY), ("y", ANY))))
    count = lines("?n counts ?x", "  ?x <p> ?y", head="number ?n")
    verify(count)
    with pytest.raises(InvalidIR, match=r"\?n is a number and is typed as something else"):
        verify(replace(count, types=(("n", ENTITY), ("x", ENTITY), ("y", ANY))))
    verify(replace(count, types=(("n", ANY), ("x", ENTITY), ("y", ANY))))  # it may be one of several things
    assert dict(count.types)["n"] == INTEGER


NUMBERS = [
    ['?n in ("1"^^<http://www.w3.org/2001/XMLSchema#integer>, "2"^^<http://www.w3.org/2001/XMLSchema#integer>)'],
    ["?n counts ?x per ?y", "  ?x <p> ?y"],
    ["either", "  ?n counts ?x", "    ?x <p> ?y", "or", "  ?n counts ?z", "    ?z <q> ?w"],
    ["distinct ?n", "  ?n counts ?x per ?y", "    ?x <p> ?y"],
]


@pytest.mark.parametrize("body", NUMBERS, ids=["values", "groups", "alternatives", "distinct"])
def test_a_number_is_the_result_of_one_count(body: list[str]) -> None:
    with pytest.raises(InvalidIR, match=r"form: a number is the result of a count without groups, and \?n is not"):
        verify(replace(lines(*body, head="set ?n"), form=Form.NUMBER))
    verify(lines("?n counts ?x", "  ?x <p> ?y", "<a> <q> <b>", head="number ?n"))


def test_a_name_is_a_name() -> None:
    bad = Var("x y")
    with pytest.raises(InvalidIR, match="'x y' is not a variable's name"):
        verify(Query(Form.SET, (bad,), Body((Triple(bad, P, C),)), (("x y", ENTITY),)))


def test_the_error_keeps_the_place_of_the_node() -> None:
    bad = Compare(Op.LT, Var("v"), Literal("5"), span=Span(7, 20))
    with pytest.raises(InvalidIR) as refused:
        verify(of(ABOUT_X, bad))
    assert refused.value.span == Span(7, 20)


@pytest.mark.parametrize("depth", [101, 20_000])
@pytest.mark.parametrize("wrap", ["not", "union", "extreme", "mixed"])
def test_nesting_is_limited_and_does_not_end_the_stack(depth: int, wrap: str) -> None:
    def nested(levels: int) -> Query:
        body = Body((ABOUT_X,))
        for level in range(levels):
            match wrap if wrap != "mixed" else ("not", "union")[level % 2]:
                case "not":
                    body = Body((ABOUT_X, Not(body)))
                case "union":
                    body = Body((Union((body, Body((ABOUT_X,)))),))
                case _:
                    body = Body((Extreme(Direction.MAX, X, X, body),))
        return of(ABOUT_X, *body.conjuncts)

    if wrap != "extreme":
        verify(nested(99))
    with pytest.raises(InvalidIR, match="more than 100 deep"):
        verify(nested(depth))


def test_long_bodies_are_fine() -> None:
    names = [Var(f"v{i}") for i in range(3001)]
    chain = tuple(Triple(a, P, b) for a, b in itertools.pairwise(names))
    closures = tuple(Closure(b, P, Var(f"w{i}"), 0) for i, b in enumerate(names))
    types = tuple((name, ANY) for name in sorted([v.name for v in names] + [f"w{i}" for i in range(len(names))]))
    query = Query(Form.SET, (names[0],), Body(closures + chain), types)
    verify(query)
    assert len(query.body.conjuncts) == 6001
