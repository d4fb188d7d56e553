"""Each rule of verify for the wide tier: what breaks it is refused and its node named, what is beside it is not."""

from __future__ import annotations

import pytest

from pylf.errors import InvalidIR
from pylf.ir.expressions import MAX_DEPTH, Apply
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Condition,
    Extend,
    Form,
    LeftJoin,
    Member,
    Order,
    Query,
    Reduction,
    Slice,
    Triple,
)
from pylf.ir.scope import MAX_NESTING, bound, opened
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.text import parse_query
from pylf.ir.types import ANY, ENTITY, LiteralType
from pylf.ir.verify import verify

X, Y, Z, P = Var("x"), Var("y"), Var("z"), Iri("p")
ABOUT = Triple(X, P, Y)


def lines(*body: str, head: str = "set ?x") -> Query:
    return parse_query("\n".join((head, "where", *(f"  {line}" for line in body))), check=False)


def refused(query: Query) -> str:
    with pytest.raises(InvalidIR) as error:
        verify(query)
    return str(error.value)


OPTIONAL = ("?x <p> ?z", "optionally", "  ?x <q> ?y")

SOUND = [
    ("a condition on what a left join binds", [*OPTIONAL, "if !bound(?y)"]),
    ("an extension of it, and a condition on that", [*OPTIONAL, "?w := coalesce(?y, ?x)", "if isiri(?w)"]),
    ("extensions in any order", ["?x <p> ?y", '?b := ?a + "1"', '?a := ?y + "1"']),
    ("a left join that sees what is bound beside it", ["?x <p> ?z", "optionally", "  ?x <q> ?y", "  if ?y < ?z"]),
    ("a left join within one", [*OPTIONAL, "  optionally", "    ?y <r> ?w", "if bound(?w)"]),
    (
        "what a slice leaves open, in a negation's condition",
        [
            "slice ?x ?y",
            *[f"  {line}" for line in OPTIONAL],
            "?x <p> ?w",
            "not",
            "  ?x <r> ?v",
            "  if ?v = ?y",
        ],
    ),
    (
        "what a slice leaves open, in an arm's condition",
        [
            "slice ?x ?y",
            *[f"  {line}" for line in OPTIONAL],
            "either",
            "  ?x <r> ?v",
            "  if ?v = ?y",
            "or",
            "  ?x <s> ?u",
        ],
    ),
    ("groups that are open", ["aggregate ?n := count(*) per ?x ?y", *[f"  {line}" for line in OPTIONAL], "?x <p> ?q"]),
    ("a count is joined with", ["aggregate ?n := count(*)", "  ?v <p> ?w", "?x <q> ?n"]),
    ("the greatest per group is joined with", ["aggregate ?m := max(?v) per ?x", "  ?x <p> ?v", "?y <q> ?m"]),
    (
        "a left join in an arm, and its variable outside",
        [
            "either",
            *[f"  {line}" for line in OPTIONAL],
            "or",
            "  ?x <r> ?y",
            "if bound(?y)",
        ],
    ),
    ("what is certain outside is certain in a left join", ["?x <p> ?y", "optionally", "  ?x <q> ?y", "?y <r> ?w"]),
    ("a limit of none", ["slice ?x limit 0", "  ?x <p> ?y"]),
    ("a condition without variables", ["?x <p> ?y", 'if "1" = "1"']),
]


@pytest.mark.parametrize(("name", "body"), SOUND)
def test_sound(name: str, body: list[str]) -> None:
    verify(lines(*body))


UNSOUND = [
    # open variables
    ("joined with by a triple beside", [*OPTIONAL, "not", "  ?y <r> ?w"], "open: ?y", "not { ?y <r> ?w }"),
    ("compared", [*OPTIONAL, '?y < "5"'], "open: ?y may be open, and is compared", '?y < "5"'),
    ("in an arm", [*OPTIONAL, "either", "  ?y <r> ?w", "or", "  ?x <s> ?w"], "open: ?y", "?y <r> ?w"),
    (
        "in an arm's condition",
        [*OPTIONAL, "either", "  ?x <r> ?w", "  if ?y = ?w", "or", "  ?x <s> ?w"],
        "open: ?y",
        "or",
    ),
    (
        "by two left joins",
        [*OPTIONAL, "optionally", "  ?x <r> ?y"],
        "open: ?y may be open here and is bound",
        "optionally",
    ),
    (
        "looked at by a second left join",
        [*OPTIONAL, "optionally", "  ?x <r> ?w", "  if ?w < ?y"],
        "open: ?y",
        "?w < ?y",
    ),
    ("an extension of what is bound", ["?x <p> ?y", '?y := "1"'], "open: ?y may be open here and is bound", "?y := "),
    ("extended twice", ["?x <p> ?z", '?y := "1"', '?y := "2"'], "open: ?y may be open here and is bound", '?y := "2"'),
    ("an extension and a left join", [*OPTIONAL, '?y := "2"'], "open: ?y may be open here and is bound", '?y := "2"'),
    ("an extension and a negation", ["?x <p> ?z", '?y := "1"', "not", "  ?x <q> ?y"], "open: ?y", "not { ?x <q> ?y }"),
    (
        "in a circle",
        ["?x <p> ?z", "?a := ?b", "?b := ?a"],
        "open: extensions look at one another in a circle",
        "?a := ?b",
    ),
    ("of itself", ["?x <p> ?z", '?a := ?a + "1"'], "open: extensions look at one another in a circle", "?a := "),
    (
        "a slice's, joined with",
        ["slice ?x ?y", *[f"  {line}" for line in OPTIONAL], "?y <r> ?w"],
        "open: ?y",
        "slice ?x ?y",
    ),
    (
        "a slice's, in a negation",
        [
            "slice ?x ?y",
            *[f"  {line}" for line in OPTIONAL],
            "not",
            "  ?y <r> ?w",
        ],
        "open: ?y may be open, and cannot be joined with",
        "?y <r> ?w",
    ),
    ("a sum, joined with", ["aggregate ?n := sum(?v) per ?x", "  ?x <p> ?v", "?y <q> ?n"], "open: ?n", "aggregate"),
    (
        "the greatest of all, joined with",
        ["aggregate ?n := max(?v)", "  ?u <p> ?v", "?x <q> ?n"],
        "open: ?n",
        "aggregate",
    ),
    (
        "projected",
        ["distinct ?x ?y", *[f"  {line}" for line in OPTIONAL]],
        "open: ?y may be open in the body",
        "distinct",
    ),
    (
        "counted",
        ["?n counts ?y per ?x", *[f"  {line}" for line in OPTIONAL]],
        "open: ?y may be open in the body",
        "counts",
    ),
    ("a key of an extreme", ["?x with largest ?y", *[f"  {line}" for line in OPTIONAL]], "open: ?y", "with largest"),
    # safety and scope
    ("a condition on nothing", ["?x <p> ?y", "if ?w = ?y"], "safety: nothing binds ?w", "if ?w = ?y"),
    ("an extension of nothing", ["?x <p> ?y", "?z := str(?w)"], "safety: nothing binds ?w", "?z := str(?w)"),
    (
        "a key that the body does not bind",
        ["slice ?x by ?k", "  ?x <p> ?y"],
        "safety: nothing binds ?k",
        "slice ?x by ?k",
    ),
    (
        "a reduction of what the body does not bind",
        [
            "aggregate ?n := sum(?k) per ?x",
            "  ?x <p> ?y",
        ],
        "safety: nothing binds ?k",
        "aggregate",
    ),
    (
        "a key that stands outside alone",
        ["?x <q> ?k", "slice ?x by ?k", "  ?x <p> ?y"],
        "safety: nothing binds ?k",
        "slice",
    ),
    (
        "a group that the body does not bind",
        [
            "?x <p> ?y",
            "aggregate ?n := count(*) per ?k",
            "  ?v <p> ?w",
        ],
        "scope: the body does not bind ?k",
        "aggregate",
    ),
    (
        "an output that the body does not bind",
        ["slice ?x ?k", "  ?x <p> ?y"],
        "scope: the body does not bind ?k",
        "slice",
    ),
    (
        "a result that occurs in the body",
        [
            "aggregate ?n := count(?y) per ?x",
            "  ?x <p> ?y",
            "  ?y <q> ?n",
        ],
        "scope: the result ?n occurs in the body",
        "aggregate",
    ),
    (
        "a closed body's own variable outside",
        [
            "?x <p> ?v",
            "aggregate ?n := count(*) per ?x",
            "  ?x <q> ?v",
        ],
        "scope: ?v",
        "?v",
    ),
    ("an output without binder", ['if "1" = "1"'], "form: nothing positive binds the output ?x", ""),
    # shapes
    ("no function of that name", ["?x <p> ?y", "if sha(?y)"], "shape: there is no function 'sha'", "if sha(?y)"),
    ("too few arguments", ["?x <p> ?y", "if contains(?y)"], "shape: 'contains' takes 2 arguments, not 1", "contains"),
    ("too many arguments", ["?x <p> ?y", "?z := substr(?y, ?y, ?y, ?y)"], "shape: 'substr' takes 2 to 3", "substr"),
    (
        "no cast",
        ["?x <p> ?y", "?z := <http://t>(?y)"],
        "shape: nothing can be cast to 'http://t'",
        "?z := <http://t>(?y)",
    ),
    ("whether a constant is bound", ["?x <p> ?y", 'if bound("1")'], "shape: only of a variable", 'bound("1")'),
    (
        "no reduction of that name",
        [
            "aggregate ?n := median(?y) per ?x",
            "  ?x <p> ?y",
        ],
        "shape: there is no reduction 'median'",
        "aggregate ?n := median",
    ),
    (
        "a sum of solutions",
        ["aggregate ?n := sum(*) per ?x", "  ?x <p> ?y"],
        "shape: 'sum' is of an expression",
        "sum(*)",
    ),
    (
        "a count of distinct solutions",
        ["aggregate ?n := count(distinct *) per ?x", "  ?x <p> ?y"],
        "shape: what counts solutions counts all of them",
        "count(distinct *)",
    ),
    (
        "a separator of a sum",
        [
            'aggregate ?n := sum(?y separator ",") per ?x',
            "  ?x <p> ?y",
        ],
        "shape: 'sum' takes no separator",
        "separator",
    ),
    (
        "results that are one",
        [
            "aggregate ?n := sum(?y), ?n := count(*) per ?x",
            "  ?x <p> ?y",
        ],
        "shape: the results and the groups of an aggregate are apart",
        "aggregate",
    ),
    ("outputs that are one", ["slice ?x ?x", "  ?x <p> ?y"], "shape: a slice has outputs, each once", "slice ?x ?x"),
]


@pytest.mark.parametrize(("name", "body", "rule", "node"), UNSOUND)
def test_unsound(name: str, body: list[str], rule: str, node: str) -> None:
    said = refused(lines(*body))
    assert said.startswith(rule)
    assert node in said.partition(", in: ")[2] or not node


def of(*conjuncts: Condition | Extend | Slice | Aggregate | Triple | LeftJoin | Member) -> Query:
    """What the text form cannot say."""
    return Query(Form.SET, (X,), Body(conjuncts), (("x", ENTITY), ("y", ANY)))


@pytest.mark.parametrize(
    ("node", "rule"),
    [
        (Slice((X,), Body((ABOUT,)), limit=-1), "shape: there cannot be -1 rows"),
        (Slice((X,), Body((ABOUT,)), limit=10**18), "shape: there cannot be"),
        (Slice((X,), Body((ABOUT,)), offset=-1), "shape: the rows cannot begin after -1"),
        (Slice((), Body((ABOUT,))), "shape: a slice has outputs"),
        (Aggregate((), Body((Triple(X, P, Y),))), "shape: an aggregate has a reduction or a group"),
        (Condition(Apply("||", (Y,))), "shape: '||' takes 2 or more arguments, not 1"),
        (Condition(Iri("a b")), "term: 'a b' is not an IRI"),
        (Condition(Apply("=", (Y, Literal("1", "")))), "term: the datatype '' is not an IRI"),
        (Slice((X,), Body((ABOUT,)), (Order(Apply("no", (Y,))),)), "shape: there is no function 'no'"),
    ],
)
def test_unsound_nodes(node: Condition | Slice | Aggregate, rule: str) -> None:
    parts = (ABOUT, node) if isinstance(node, Condition) else (node,)
    assert refused(of(*parts)).startswith(rule)


def nested(depth: int) -> Apply:
    expression: Apply = Apply("!", (Y,))
    for _ in range(depth - 1):
        expression = Apply("!", (expression,))
    return expression


def test_expressions_nest_as_deep_as_is_allowed() -> None:
    verify(of(ABOUT, Condition(nested(MAX_DEPTH))))
    for deep in (MAX_DEPTH + 1, 5_000):
        for node in (Condition(nested(deep)), Extend(Z, nested(deep))):
            assert refused(of(ABOUT, node)).startswith("nesting: expressions stand within expressions")


def test_bodies_of_the_wide_tier_nest_as_deep_as_is_allowed() -> None:
    body = joined = sliced = Body((ABOUT,))
    for _ in range(MAX_NESTING):
        joined = Body((ABOUT, LeftJoin(joined)))
        sliced = Body((Slice((X, Y), sliced),))
    for sound, node in ((joined, LeftJoin(body)), (sliced, Slice((X, Y), body))):
        verify(of(*[c for c in sound.conjuncts if isinstance(c, Triple | LeftJoin | Slice)]))
        deep = sound
        for _ in range(500):
            deep = Body((ABOUT, LeftJoin(deep)) if isinstance(node, LeftJoin) else (Slice((X, Y), deep),))
        wide = of(*[c for c in deep.conjuncts if isinstance(c, Triple | LeftJoin | Slice)])
        assert refused(wide).startswith("nesting: bodies stand within bodies")


def test_a_number_is_a_count_without_groups() -> None:
    body = Body((Aggregate((Reduction("count", X, Y),), Body((Triple(Z, P, Y),))),))
    types = (("x", LiteralType(XSD_INTEGER)), ("y", ANY), ("z", ENTITY))
    verify(Query(Form.NUMBER, (X,), body, types))
    summed = Body((Aggregate((Reduction("sum", X, Y),), Body((Triple(Z, P, Y),))),))
    assert refused(Query(Form.NUMBER, (X,), summed, types)).startswith("form: a number is the result of a count")
    wrong = tuple((name, ENTITY if name == "x" else type_) for name, type_ in types)
    assert refused(Query(Form.NUMBER, (X,), body, wrong)).startswith("types: ?x is a number")


def test_a_triple_of_a_subgraph_has_all_of_its_parts() -> None:
    body = ("?s ?p ?o", "optionally", "  ?s <sure> ?c", "optionally", "  ?s <q> ?w")
    verify(lines(*body, head="subgraph ?s ?p ?o ?c"))
    assert refused(lines(*body, head="subgraph ?s ?p ?w ?c")).startswith("form: a triple has all of its parts")


def test_what_is_bound_and_what_is_open() -> None:
    body = lines(
        "?x <p> ?z",
        "optionally",
        "  ?x <q> ?y",
        "?w := str(?y)",
        "aggregate ?n := count(*), ?s := sum(?v) per ?g",
        "  ?g <r> ?v",
        "slice ?a ?b",
        "  ?a <p> ?c",
        "  optionally",
        "    ?a <q> ?b",
    ).body
    assert bound(body) == {"x", "z", "n", "g", "a"}
    assert opened(body) == {"y", "w", "s", "b"}
    assert opened(body, {"y"}) == {"w", "s", "b"}
