"""The wide tier as text, as JSON, in canonical form, walked and rewritten."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from pylf.errors import CompileError, InputError
from pylf.ir import build
from pylf.ir.canonical import canonical, fingerprint
from pylf.ir.expressions import FALSE, MAX_DEPTH, TRUE, Apply, names_in
from pylf.ir.json import from_json, to_json
from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Condition,
    Extend,
    Form,
    LeftJoin,
    Member,
    Order,
    Reduction,
    Slice,
    Triple,
    Union,
)
from pylf.ir.terms import Iri, Var
from pylf.ir.text import parse_query, print_expression, print_query
from pylf.ir.traverse import bodies, rename, rewrite, terms, variables, walk, with_bodies, with_terms
from pylf.ir.types import ANY, INTEGER, LiteralType
from pylf.ir.verify import verify
from tests.ir.wide_queries import query

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct

X, Y, Z, N, P = Var("x"), Var("y"), Var("z"), Var("n"), Iri("e:p")
ABOUT = Triple(X, P, Y)

TEXT = """\
rows ?x ?y ?n
  ?g: literal
  ?k: any
  ?m: literal <http://www.w3.org/2001/XMLSchema#integer>
  ?n: literal <http://www.w3.org/2001/XMLSchema#integer>
  ?q: any
  ?w: any
  ?x: entity
  ?y: any
  ?z: any
where
  ?x <e:p> ?z
  optionally
    ?x <e:q> ?y
    if ((?y < "5") || !bound(?x)) && in(?x, <e:a>, ?z)
  ?w := (?y + "1") * negative("2")
  if (<http://www.w3.org/2001/XMLSchema#integer>(?y) - "1") >= "3"
  if if(?y = ?z, coalesce(), concat())
  aggregate ?n := count(*), ?m := count(distinct ?q), ?g := group_concat(distinct str(?q) separator ", ") per ?x
    ?x <e:r> ?q
  slice distinct ?x by descending ?k, strlen(str(?x)) limit 5 offset 2
    ?x <e:k> ?k
  slice ?x limit 0
    ?x <e:k> ?k
"""


def test_the_form_of_every_node() -> None:
    found = parse_query(TEXT, check=False)
    assert print_query(found) == TEXT
    assert parse_query(print_query(found), check=False) == found
    assert from_json(json.loads(json.dumps(to_json(found))), check=False) == found
    kinds = {type(node) for node in walk(found)}
    assert {LeftJoin, Condition, Extend, Aggregate, Slice} <= kinds


@pytest.mark.parametrize("seed", range(40))
def test_what_is_written_reads_back_the_same(seed: int) -> None:
    given = query(random.Random(seed))
    verify(given)
    text = print_query(given)
    again = parse_query(text)
    assert again == given
    assert again.types == given.types
    assert print_query(again) == text
    assert from_json(json.loads(json.dumps(to_json(again)))) == given


@pytest.mark.parametrize("seed", range(40))
def test_names_and_order_do_not_count(seed: int) -> None:
    source = random.Random(seed)
    given = query(source)
    names = list(variables(given))
    others = [f"w{number}" for number in range(len(names))]
    source.shuffle(others)
    renamed = rename(given, dict(zip(names, others, strict=True)))
    verify(renamed)
    shuffled = rewrite(renamed, _shuffling(source))
    assert fingerprint(shuffled) == fingerprint(given)
    assert canonical(shuffled) == canonical(given)
    verify(canonical(given))
    assert fingerprint(canonical(given)) == fingerprint(given)
    assert rename(renamed, dict(zip(others, names, strict=True))) == given


def _shuffling(source: random.Random) -> Callable[[Body | Conjunct], Body | Conjunct]:
    def shuffled(node: Body | Conjunct) -> Body | Conjunct:
        match node:
            case Body(conjuncts):
                return Body(tuple(source.sample(conjuncts, len(conjuncts))))
            case Aggregate(reductions, body, group):
                mixed = tuple(source.sample(reductions, len(reductions)))
                return Aggregate(mixed, body, tuple(source.sample(group, len(group))))
            case _:
                return node

    return shuffled


DIFFERENT = [
    (["if ?x = ?y"], ["if ?y = ?x"]),
    (["if ?x < ?y"], ["if ?x <= ?y"]),
    (["?z := ?x"], ["?z := ?y"]),
    (["if (?x = ?y) || ?x || ?y"], ["if ((?x = ?y) || ?x) || ?y"]),
    (["slice ?x by ?a", "  ?x <e:p> ?a"], ["slice ?x by descending ?a", "  ?x <e:p> ?a"]),
    (["slice ?x by ?a, ?x", "  ?x <e:p> ?a"], ["slice ?x by ?x, ?a", "  ?x <e:p> ?a"]),
    (["slice ?x limit 5", "  ?x <e:p> ?a"], ["slice ?x limit 5 offset 5", "  ?x <e:p> ?a"]),
    (["slice ?x", "  ?x <e:p> ?a"], ["slice distinct ?x", "  ?x <e:p> ?a"]),
    (
        ["aggregate ?n := count(?a) per ?x", "  ?x <e:p> ?a"],
        ["aggregate ?n := count(distinct ?a) per ?x", "  ?x <e:p> ?a"],
    ),
    (["aggregate ?n := count(?a) per ?x", "  ?x <e:p> ?a"], ["aggregate ?n := sum(?a) per ?x", "  ?x <e:p> ?a"]),
    (
        ['aggregate ?n := group_concat(?a separator "1 1") per ?x', "  ?x <e:p> ?a"],
        ["aggregate ?n := group_concat(?a) per ?x", "  ?x <e:p> ?a"],
    ),
    (["optionally", "  ?x <e:q> ?a"], ["not", "  ?x <e:q> ?a"]),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_is_different_has_different_prints(one: list[str], other: list[str]) -> None:
    heads = ["rows ?x ?y", "where", "  ?x <e:p> ?y"]
    queries = [parse_query("\n".join([*heads, *(f"  {line}" for line in body)])) for body in (one, other)]
    assert fingerprint(queries[0]) != fingerprint(queries[1])


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("if ?x <", "ir-syntax"),
        ("if ?x = ?y = ?x", "ir-syntax"),
        ("if ?x && ?y || ?x", "ir-syntax"),
        ("?z := foo ?y", "ir-syntax"),
        ("slice by ?x", "ir-syntax"),
        ("if " + "!" * (MAX_DEPTH + 1) + "?x", "too-deep"),
        ('aggregate ?n := group_concat(?z separator "a"@en)\n    ?z <e:p> ?w', "ir-separator"),
        ("if foo(?x)", "invalid-ir"),
        ("if ?w", "invalid-ir"),
    ],
)
def test_a_text_that_is_wrong_is_refused_at_its_place(line: str, code: str) -> None:
    with pytest.raises(CompileError) as error:
        parse_query(f"rows ?x ?y\nwhere\n  ?x <e:p> ?y\n  {line}\n")
    finding = error.value.diagnostics[0]
    assert finding.code == code
    assert finding.source is not None
    assert finding.span is not None
    assert finding.source.position(finding.span.start)[0] == 4


def test_json_that_is_wrong_is_refused() -> None:
    data = to_json(parse_query("set ?x\nwhere\n  ?x <e:p> ?y\n  if ?y = ?x\n"))
    body = data["body"]
    assert isinstance(body, list)
    sound = body[1]["expression"]
    deep: object = sound
    for _ in range(MAX_DEPTH + 1):
        deep = {"apply": "!", "arguments": [deep]}
    for wrong in ({"apply": "="}, {"apply": 1, "arguments": []}, sound | {"more": 1}, {"blank": "b"}, deep):
        body[1]["expression"] = wrong
        with pytest.raises(InputError, match=r"body\[1\]\.expression"):
            from_json(data)


# --- walking and building -----------------------------------------------------------------------------------------


def test_terms_are_those_of_expressions_too() -> None:
    inner = Body((ABOUT,))
    one = Apply("+", (X, Apply("negative", (Y,))))
    assert terms(Condition(one)) == (X, Y)
    assert terms(Extend(N, one)) == (N, X, Y)
    assert terms(Aggregate((Reduction("count", N), Reduction("sum", Z, one)), inner, (X,))) == (N, Z, X, Y, X)
    assert terms(Slice((X,), inner, (Order(one), Order(Y)))) == (X, X, Y, Y)
    assert [bodies(node) for node in (LeftJoin(inner), Condition(one), Slice((X,), inner))] == [(inner,), (), (inner,)]
    assert mentions(Aggregate((Reduction("sum", Z, Y),), inner, (X,))) == {"z", "x"}
    assert mentions(LeftJoin(inner)) == {"x", "y"}
    assert names_in(one, N) == {"x", "y", "n"}


def test_bodies_are_put_in_place_and_nothing_else_changes() -> None:
    inner, other = Body((ABOUT,)), Body((Triple(X, P, Z), ABOUT))
    for node in (
        LeftJoin(inner),
        Aggregate((Reduction("count", N, Y, True),), inner, (X,)),
        Slice((X,), inner, (Order(Y, True),), 3, 2, True),
    ):
        changed = with_bodies(node, (other,))
        assert type(changed) is type(node)
        assert bodies(changed) == (other,)
        assert with_bodies(changed, (inner,)) == node


def test_a_variable_becomes_a_constant() -> None:
    asked = Condition(Apply("||", (Apply("bound", (X,)), Apply("=", (X, Y)))))
    put = with_terms(asked, lambda term: Iri("e:a") if term == X else term)
    assert put == Condition(Apply("||", (TRUE, Apply("=", (Iri("e:a"), Y)))))
    with pytest.raises(TypeError, match="the result of an extension"):
        with_terms(Extend(X, Y), lambda _: Iri("e:a"))


def test_identities_of_the_constructors() -> None:
    always, never = build.ALWAYS, build.NEVER
    assert build.left_join(always) == always
    assert build.condition(TRUE) == always
    assert build.condition(FALSE) == never
    both = Apply("&&", (Apply("=", (X, Y)), TRUE, Apply("<", (X, Y))))
    assert build.condition(both) == Body((Condition(Apply("=", (X, Y))), Condition(Apply("<", (X, Y)))))
    count = (Reduction("count", N, Y),)
    assert build.aggregate(count, never, (X,)) == never
    assert build.aggregate(count, never) == Body((Aggregate(count, never),))
    assert build.slice_((X,), never) == never
    assert build.slice_((X,), Body((ABOUT,)), limit=0) == never


def test_a_left_join_that_never_joins_still_binds() -> None:
    given = parse_query("rows ?x ?z\nwhere\n  ?x <e:p> ?y\n  optionally\n    ?y <e:q> ?z\n    ?z <e:r> ?w\n")

    def dropped(node: Body | Conjunct) -> Body | Conjunct:
        return Union(()) if node == Triple(Z, Iri("e:r"), Var("w")) else node

    found = rewrite(given, dropped)
    verify(found)
    assert [node for node in walk(found) if isinstance(node, Member)] == [Member(Var(n), ()) for n in ("w", "y", "z")]


def test_types_that_nodes_tell() -> None:
    body = Body(
        (Aggregate((Reduction("count", N, Y), Reduction("avg", Z, Y), Reduction("max", Var("m"), Y)), Body((ABOUT,))),)
    )
    told = build.query(Form.ROWS, (N, Z), body).type_of
    assert told["n"] == INTEGER
    assert told["z"] == LiteralType()
    assert told["m"] == ANY


def test_an_expression_is_printed_no_deeper_than_it_may_be() -> None:
    deep: Expression = X
    for _ in range(5_000):
        deep = Apply("!", (deep,))
    assert print_expression(deep) == "!" * (MAX_DEPTH + 1) + "…"
