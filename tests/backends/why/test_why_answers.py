"""What supports an answer: triples, values, checks, superlatives and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from pylf.backends.why.evidence import (
    Arm,
    Checked,
    Counted,
    Held,
    Labelled,
    Listed,
    Standing,
    Stated,
    Typed,
    Walked,
    Weighed,
)
from pylf.ir.terms import RDF, XSD, Blank, Iri, Literal, tagged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pylf.backends.why import Explanation
    from pylf.backends.why.evidence import Evidence
    from pylf.ir.terms import Node

    MakeWorld = Callable[[str], Any]

T = TypeVar("T")
NS = "http://c.example/"


def e(name: str) -> Iri:
    return Iri(NS + name)


def flat(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Evidence with all that stands within it."""
    out: list[Evidence] = []
    for one in evidence:
        out.append(one)
        match one:
            case Standing(evidence=inner) | Arm(evidence=inner) | Checked(against=inner):
                out.extend(flat(inner))
            case _:
                pass
    return out


def of(explanation: Explanation, *answer: Node) -> list[Evidence]:
    """The evidence for one answer."""
    (block,) = [block for block in explanation.blocks if block.answer == answer]
    assert block.found
    return flat(block.evidence)


def all_of(kind: type[T], evidence: Iterable[object]) -> list[T]:
    return [each for each in evidence if isinstance(each, kind)]


def only(kind: type[T], evidence: Iterable[object]) -> T:
    (one,) = all_of(kind, evidence)
    return one


def short(node: Node) -> str:
    return node.value.removeprefix(NS) if isinstance(node, Iri) else getattr(node, "lexical", str(node))


def triples(evidence: Iterable[Evidence]) -> set[tuple[str, ...]]:
    """The triples that are stated, by local names and lexical forms."""
    return {tuple(short(node) for node in one.triple) for one in all_of(Stated, evidence)}


# --- case 76 ------------------------------------------------------------------------------------------------------

MACHINES = """
:part a rdf:Property ; rdfs:domain :Machine ; rdfs:range :Part .
:maker a rdf:Property ; rdfs:domain :Part ; rdfs:range :Firm .
:weight a rdf:Property ; rdfs:domain :Machine ; rdfs:range xsd:decimal .
:a a :Machine ; :part :p1 ; :weight 9 .
:b a :Machine ; :part :p2 ; :weight 7.0 .
:c a :Machine ; :part :p3 ; :weight 7 .
:d a :Machine ; :part :p2 ; :weight 5 .
:p1 a :Part ; :maker :x . :p2 a :Part ; :maker :y . :p3 a :Part .
:x a :Firm ; rdfs:label "X Works" . :y a :Firm ; rdfs:label "Y & Sons"@en .
"""
HEAVIEST = """
others = JOIN('maker', START('X Works'), neg=True)
machines = JOIN('part', others)
expression = STOP(ARG('ARGMAX', machines, 'weight'))
"""


def test_case_76_each_answer_has_its_triples_its_negative_check_and_its_runner_up(world: MakeWorld) -> None:
    asked = world(MACHINES)
    why = asked.why(HEAVIEST)
    assert [block.answer for block in why.blocks] == [(e("b"),), (e("c"),)]
    for name, part, verdict, maker in (
        ("b", "p2", "known otherwise", ("y",)),
        ("c", "p3", "nothing recorded", ()),
    ):
        evidence = of(why, e(name))
        assert triples(evidence) == {(name, "weight", "7"), (name, "part", part)}
        assert [one.node for one in all_of(Typed, evidence)] == [e(part)]
        check = only(Checked, evidence)
        assert check.verdict == verdict
        assert check.fixed == (("part", e(part)),)
        assert check.snapshot == asked.graph.engine.snapshot
        assert [(r.near, r.relation, r.along, tuple(map(short, r.values))) for r in check.recorded] == [
            (e(part), e("maker"), True, maker)
        ]
        stands = only(Standing, evidence)
        assert (short(stands.value), stands.candidates) == ("7", 3)
        assert stands.next is not None
        assert (short(stands.next), stands.bearer, stands.bearers) == ("5", e("d"), 1)
        assert stands.ties == (e("c") if name == "b" else e("b"),)


def test_case_76_reads_well(world: MakeWorld) -> None:
    why = world(MACHINES).why(HEAVIEST)
    assert (
        why.render()
        == f"""2 answers. Graph snapshot {why.snapshot[:16]}.

:b
  largest weight of 3: 7, which :c has too
    runner-up: 5, of :d
  :b  weight  7
  :b  part  :p2
  :p2  is a  Part
  checked: no triple matches
      :p2  maker  X Works (:x)
    known otherwise: :p2  maker  Y & Sons (:y)

:c
  largest weight of 3: 7, which :b has too
    runner-up: 5, of :d
  :c  weight  7
  :c  part  :p3
  :p3  is a  Part
  checked: no triple matches
      :p3  maker  X Works (:x)
    nothing recorded: :p3 has no maker"""
    )


def test_case_76_as_data(world: MakeWorld) -> None:
    data = world(MACHINES).why(HEAVIEST).to_json()
    kinds = [one["kind"] for one in data["blocks"][0]["evidence"]]
    assert kinds == ["superlative"]
    superlative = data["blocks"][0]["evidence"][0]
    assert superlative["runner_up"]["value"]["value"] == "5"
    assert superlative["runner_up"]["item"]["value"] == NS + "d"
    check = superlative["evidence"][-1]
    assert check["pattern"] == f"<{NS}p2>  <{NS}maker>  <{NS}x>"
    assert check["verdict"] == "known otherwise"
    assert check["snapshot"] == data["snapshot"]
    assert check["recorded"][0]["values"] == [{"kind": "iri", "value": NS + "y", "label": "Y & Sons"}]


# --- negation -----------------------------------------------------------------------------------------------------

FILMS = """
:directed_by a rdf:Property ; rdfs:domain :Film .
:f a :Film ; :directed_by :x, :y . :g a :Film ; :directed_by :y . :h a :Film .
"""


def test_case_22_not_directed_by_x_is_known_otherwise_or_not_recorded(world: MakeWorld) -> None:
    why = world(FILMS).why("expression = STOP(JOIN('directed_by', START(':x'), neg=True))")
    assert {block.answer: only(Checked, block.evidence).verdict for block in why.blocks} == {
        (e("g"),): "known otherwise",
        (e("h"),): "nothing recorded",
    }


def test_under_partial_completeness_every_check_is_known_otherwise(world: MakeWorld) -> None:
    why = world(FILMS).why("expression = STOP(JOIN('directed_by', START(':x'), neg=True))", negation="pca")
    (block,) = why.blocks
    assert block.answer == (e("g"),)
    assert only(Checked, block.evidence).verdict == "known otherwise"
    assert triples(block.evidence) == {("g", "directed_by", "y")}


CHAIN = """
:r a rdf:Property ; rdfs:domain :S ; rdfs:range :M .
:q a rdf:Property ; rdfs:domain :M .
:s1 a :S ; :r :m1 . :s2 a :S ; :r :m2 . :s3 a :S .
:m1 a :M ; :q :c . :m2 a :M ; :q :d .
"""


def test_case_22_negating_the_chain_and_negating_its_inner_hop_are_told_apart(world: MakeWorld) -> None:
    asked = world(CHAIN)
    outer = asked.why("expression = STOP(JOIN('r', JOIN('q', START(':c')), neg=True))")
    assert [block.answer for block in outer.blocks] == [(e("s2"),), (e("s3"),)]
    s2, s3 = (only(Checked, block.evidence) for block in outer.blocks)
    # the whole chain is checked, from the answer on
    assert (s2.verdict, [short(node) for node in s2.recorded[0].values]) == ("known otherwise", ["m2"])
    assert (s3.verdict, s3.recorded[0].relation) == ("nothing recorded", e("r"))
    inner = asked.why("expression = STOP(JOIN('r', JOIN('q', START(':c'), neg=True)))")
    (block,) = inner.blocks
    assert block.answer == (e("s2"),)
    # the first hop is stated, the check is made of the thing in the middle
    assert triples(block.evidence) == {("s2", "r", "m2")}
    check = only(Checked, block.evidence)
    assert check.fixed == (("m", e("m2")),)
    assert [(r.near, r.relation) for r in check.recorded] == [(e("m2"), e("q"))]


def test_another_value_is_a_comparison_and_no_negative_check(world: MakeWorld) -> None:
    why = world(MACHINES).why("expression = STOP(CMP('!=', 'weight', 7))")
    evidence = of(why, e("a"))
    assert not all_of(Checked, evidence)
    held = only(Held, evidence)
    assert (short(held.left), held.op.value, short(held.right)) == ("9", "!=", "7")


def test_a_reversed_negation_names_what_leads_there(world: MakeWorld) -> None:
    asked = world(
        ":made a rdf:Property ; rdfs:range :T . :x :made :t1 . :y :made :t2 . :t1 a :T . :t2 a :T . :t3 a :T ."
    )
    why = asked.why("expression = STOP(JOIN('R_made', START(':x'), neg=True))")
    t2, t3 = of(why, e("t2")), of(why, e("t3"))
    (recorded,) = only(Checked, t2).recorded
    assert (recorded.values, recorded.along) == ((e("y"),), False)
    assert only(Checked, t3).verdict == "nothing recorded"
    text = why.render()
    assert "known otherwise: :y  made  :t2" in text
    assert "nothing recorded: no made leads to :t3" in text


def test_of_many_other_values_the_first_three_are_named(world: MakeWorld) -> None:
    others = ", ".join(f":n{i}" for i in range(9))
    asked = world(f":likes a rdf:Property ; rdfs:domain :P . :a a :P ; :likes {others} . :b a :P ; :likes :x .")
    (check,) = all_of(Checked, of(asked.why("expression = STOP(JOIN('likes', START(':x'), neg=True))"), e("a")))
    assert (check.recorded[0].values, check.recorded[0].total) == ((e("n0"), e("n1"), e("n2")), 9)


def test_where_a_longer_pattern_stops_is_told(world: MakeWorld) -> None:
    asked = world(
        ":counted a rdf:Property ; rdfs:domain :Town . :a a :Town ; :counted [ :year 2001 ], [ :year 2011 ] . "
        ":b a :Town ; :counted [ :year 1890 ] ."
    )
    why = asked.why("expression = STOP(JOIN('counted', CMP('<', 'year', 1900), neg=True))")
    check = only(Checked, of(why, e("a")))
    assert [short(node) for node in check.seen] == ["2001", "2011"]
    assert "but  ?year < 1900  holds for none of 2001 and 2011" in why.render()


def test_a_negation_within_a_negation_is_ruled_out_by_what_is_there(world: MakeWorld) -> None:
    why = world("""
        :part a rdf:Property ; rdfs:domain :El ; rdfs:range :El . :has a rdf:Property ; rdfs:domain :El .
        :root a :El ; :part :body . :body a :El ; :part :leaf . :leaf a :El ; :has :f .
    """).why("expression = STOP(JOIN('part', JOIN('has', START(':f'), neg=True), neg=True))")
    assert [short(*block.answer) for block in why.blocks] == ["body", "leaf"]
    body, leaf = (all_of(Checked, block.evidence)[0] for block in why.blocks)
    assert body.verdict == "known otherwise"
    assert triples(body.against) == {("leaf", "has", "f")}
    assert (leaf.verdict, leaf.against) == ("nothing recorded", ())


def test_what_is_denied_may_be_a_class_or_the_thing_itself(world: MakeWorld) -> None:
    asked = world(":r a rdf:Property . :a a :A, :B ; :r :c . :b a :A ; :r :c . :c a :A .")
    (block,) = asked.why("expression = STOP(MINUS(JOIN('r', START(':c')), START('B')))").blocks
    check = only(Checked, block.evidence)
    assert (check.verdict, check.recorded[0].values) == ("known otherwise", (e("A"),))
    why = asked.why_ir("set ?x\nwhere\n  ?x :r :c\n  not\n    ?x is :b")
    check = only(Checked, of(why, e("a")))
    assert (check.verdict, check.recorded) == (None, ())
    assert "checked: this does not hold\n      :a is the same as :b" in why.render()


def test_alternatives_that_are_denied_are_all_looked_at(world: MakeWorld) -> None:
    asked = world(":r a rdf:Property . :a a :A ; :r :c . :b a :A .")
    why = asked.why_ir("set ?x\nwhere\n  ?x a :A\n  not\n    either\n      ?x :r :d\n    or\n      ?x :s :d")
    a, b = only(Checked, of(why, e("a"))), only(Checked, of(why, e("b")))
    assert (a.verdict, b.verdict) == ("known otherwise", "nothing recorded")
    assert [r.total for r in a.recorded] == [1, 0]


# --- atoms --------------------------------------------------------------------------------------------------------


def test_a_comparison_shows_the_value_that_held(world: MakeWorld) -> None:
    why = world(MACHINES).why("expression = STOP(CMP('<', 'weight', 6))")
    (block,) = why.blocks
    held = only(Held, block.evidence)
    assert (short(held.left), held.op.value, short(held.right)) == ("5", "<", "6")
    assert "\n  5 < 6" in why.render()


def test_a_label_is_shown_as_it_is_written(world: MakeWorld) -> None:
    asked = world(MACHINES)
    why = asked.why_ir(
        "set ?x\nwhere\n  ?x :maker ?f\n  ?f <http://www.w3.org/2000/01/rdf-schema#label> ?l\n"
        '  ?l in ("Y & Sons", "Y & Sons"@en)'
    )
    (block,) = why.blocks
    assert only(Labelled, block.evidence).triple[2] == tagged("Y & Sons", "en")
    assert not all_of(Listed, block.evidence)
    assert 'Y & Sons  is labelled  "Y & Sons"@en' in why.render()


def test_an_instance_is_shown_by_its_type_and_the_classes_between(world: MakeWorld) -> None:
    asked = world(":C rdfs:subClassOf :B . :B rdfs:subClassOf :A . :A a rdfs:Class . :x a :C .")
    why = asked.why("expression = STOP(START('A'))")
    typed = only(Typed, of(why, e("x")))
    assert typed.statement == (e("x"), Iri(RDF + "type"), e("C"))
    assert typed.above == (e("C"), e("B"), e("A"))
    assert ":x  is a  A, by its class C below B" in why.render()


def test_an_instance_of_a_signature_class_is_shown_by_its_triple(world: MakeWorld) -> None:
    asked = world(":a :likes :x . :b :likes :y . ")  # no types: classes are formed from who likes
    why = asked.why("expression = STOP(JOIN('likes', START(':x'), neg=True))")
    (block,) = why.blocks
    assert block.answer == (e("b"),)
    typed = only(Typed, block.evidence)
    assert (typed.by_signature, typed.statement) == (True, (e("b"), e("likes"), e("y")))


def test_the_hops_of_a_closure_are_those_walked(world: MakeWorld) -> None:
    asked = world(":a :next :b . :b :next :c . :c :next :a . :b :next :z .")
    why = asked.why("expression = STOP(JOIN(CLOSURE('next'), START(':a')))")
    walked = only(Walked, of(why, e("b")))
    assert [tuple(map(short, triple)) for triple, _ in walked.hops] == [("b", "next", "c"), ("c", "next", "a")]
    # a walk from a thing to itself goes round
    assert len(only(Walked, of(why, e("a"))).hops) == 3
    none = asked.why("expression = STOP(JOIN(CLOSURE('next', min=0), START(':z')))")
    assert only(Walked, of(none, e("z"))).hops == ()
    assert ":z  reaches itself by no step" in none.render()
    assert ":a  reaches  :z  by 2 steps of next:\n    :a  next  :b\n    :b  next  :z" in none.render()


def test_a_path_keeps_the_order_and_the_direction_of_its_hops(world: MakeWorld) -> None:
    asked = world(":a :p :m . :b :q :m .")
    (block,) = asked.why_ir("rows ?x ?y\nwhere\n  path ?x -:p-> ?m <-:q- ?y").blocks
    assert block.answer == (e("a"), e("b"))
    walked = only(Walked, block.evidence)
    assert [(tuple(map(short, triple)), along) for triple, along in walked.hops] == [
        (("a", "p", "m"), True),
        (("b", "q", "m"), False),
    ]


def test_a_confidence_is_shown_with_the_node_that_states_it(world: MakeWorld) -> None:
    asked = world("""
        :s1 rdf:subject :a ; rdf:predicate :p ; rdf:object :b ; <urn:pylf:confidence> 0.4 .
        :s2 rdf:subject :a ; rdf:predicate :p ; rdf:object :b ; <urn:pylf:confidence> 0.9 .
    """)
    why = asked.why_ir('set ?x\nwhere\n  ?x :p :b with confidence ?c\n  ?c > "0.5"^^<' + XSD + "decimal>")
    weighed = only(Weighed, of(why, e("a")))
    assert (short(weighed.confidence), weighed.statement) == ("0.9", e("s2"))


def test_a_given_value_is_said_to_be_one_of_those_asked_for(world: MakeWorld) -> None:
    why = world(":a :r :b .").why_ir("set ?x\nwhere\n  ?x in (:b, :c)\n  :a :r ?x")
    assert only(Listed, of(why, e("b"))).values == (e("b"), e("c"))
    assert ":b  is one of the 2 asked for" in why.render()


def test_which_alternative_held_is_told(world: MakeWorld) -> None:
    asked = world(":a :r :x ; :s :x . :b :s :x .")
    why = asked.why("expression = STOP(OR(JOIN('r', START(':x')), JOIN('s', START(':x'))))")
    a, b = only(Arm, of(why, e("a"))), only(Arm, of(why, e("b")))
    assert (a.number, a.also, triples(a.evidence)) == (0, (1,), {("a", "r", "x")})
    assert (b.number, b.also, triples(b.evidence)) == (1, (), {("b", "s", "x")})


# --- superlatives and counts --------------------------------------------------------------------------------------


def test_a_superlative_of_dates_orders_by_their_start(world: MakeWorld) -> None:
    asked = world("""
        :born a rdf:Property ; rdfs:domain :P .
        :a a :P ; :born "-0044"^^xsd:gYear . :b a :P ; :born "1990-05"^^xsd:gYearMonth . :c a :P ; :born "unknown" .
    """)
    why = asked.why("expression = STOP(ARG('ARGMIN', START('P'), 'born'))")
    stands = only(Standing, of(why, e("a")))
    assert (short(stands.value), stands.candidates, stands.bearer) == ("-0044", 2, e("b"))


def test_the_runner_up_is_another_item(world: MakeWorld) -> None:
    asked = world(":v a rdf:Property ; rdfs:domain :P . :a a :P ; :v 10, 8 . :b a :P ; :v 7 . :c a :P ; :v 7.0 .")
    stands = only(Standing, of(asked.why("expression = STOP(ARG('ARGMAX', START('P'), 'v'))"), e("a")))
    assert stands.next is not None
    assert (short(stands.value), short(stands.next), stands.bearer, stands.bearers) == ("10", "7", e("b"), 2)


@pytest.mark.parametrize(
    ("turtle", "words"),
    [
        (":a :v 1 .", "no runner-up: it is the only one that has a value"),
        (":a :v 1 . :b :v 1.0 .", "no runner-up: all have the same value"),
    ],
)
def test_where_there_is_no_runner_up_that_is_said(world: MakeWorld, turtle: str, words: str) -> None:
    asked = world(":v a rdf:Property ; rdfs:domain :P . :a a :P . :b a :P . " + turtle)
    assert words in asked.why("expression = STOP(ARG('ARGMAX', START('P'), 'v'))").render()


def test_places_among_the_top_k_and_the_first_one_out(world: MakeWorld) -> None:
    values = " ".join(f":i{n} a :P ; :v {v} ." for n, v in enumerate((9, 8, 8, 7, 7, 1)))
    asked = world(":v a rdf:Property ; rdfs:domain :P . " + values)
    why = asked.why("expression = STOP(ARG('ARGMAX', START('P'), 'v', k=4))")
    stands = {short(*block.answer): only(Standing, block.evidence) for block in why.blocks}
    assert {name: one.place for name, one in stands.items()} == {"i0": 1, "i1": 2, "i2": 2, "i3": 4, "i4": 4}
    assert stands["i3"].ties == (e("i4"),)
    assert {(short(one.next), one.bearer) for one in stands.values() if one.next is not None} == {("1", e("i5"))}
    assert "place 4 of the 4 largest v of 6: 7, which :i4 has too\n    the first one out: 1, of :i5" in why.render()


def test_a_superlative_within_another_has_a_standing_of_its_own(world: MakeWorld) -> None:
    asked = world("""
        :size a rdf:Property ; rdfs:domain :R . :thrust a rdf:Property ; rdfs:domain :E . :engine a rdf:Property .
        :r1 a :R ; :size 5 ; :engine :e1, :e2 . :r2 a :R ; :size 4 ; :engine :e3 .
        :e1 a :E ; :thrust 10 . :e2 a :E ; :thrust 20 . :e3 a :E ; :thrust 30 .
    """)
    why = asked.why(
        "largest = ARG('ARGMAX', START('R'), 'size')\n"
        "expression = STOP(ARG('ARGMAX', JOIN('R_engine', largest), 'thrust'))"
    )
    outer, inner = all_of(Standing, of(why, e("e2")))
    assert (short(outer.value), outer.candidates, short(inner.value), inner.bearer) == ("20", 2, "5", e("r2"))


def test_a_superlative_of_counts_names_what_was_counted(world: MakeWorld) -> None:
    asked = world(":has a rdf:Property ; rdfs:domain :P . :a a :P ; :has :x, :y . :b a :P ; :has :x .")
    why = asked.why("expression = STOP(ARG('ARGMAX', START('P'), COUNT('has')))")
    evidence = of(why, e("a"))
    counted = only(Counted, evidence)
    assert (counted.number, counted.members) == (2, (e("x"), e("y")))
    assert short(only(Standing, evidence).value) == "2"
    assert "largest number of ?has of 2: 2" in why.render()


def test_a_count_is_explained_by_its_members(world: MakeWorld) -> None:
    asked = world(MACHINES)
    why = asked.why("expression = STOP(COUNT(JOIN('part', START(':p2'))))", limit=1)
    assert (why.total, [block.answer for block in why.blocks]) == (2, [(e("b"),)])
    assert triples(of(why, e("b"))) == {("b", "part", "p2")}
    assert why.render().startswith("The count is 2, the first 1 explained.")


def test_a_count_beside_what_else_is_asked(world: MakeWorld) -> None:
    why = world(MACHINES).why_ir("number ?n\nwhere\n  ?n counts ?m\n    ?m :part :p2\n  :p2 :maker :y")
    assert (why.total, [short(*block.answer) for block in why.blocks]) == (2, ["b", "d"])
    assert triples(why.about) == {("p2", "maker", "y")}


def test_a_comparison_with_a_count(world: MakeWorld) -> None:
    why = world(MACHINES).why_ir(f'set ?p\nwhere\n  ?n counts ?m per ?p\n    ?m :part ?p\n  ?n > "1"^^<{XSD}integer>')
    evidence = of(why, e("p2"))
    assert only(Counted, evidence).group == (("p", e("p2")),)
    assert short(only(Held, evidence).left) == "2"


# --- forms --------------------------------------------------------------------------------------------------------


def test_a_yes_is_shown_by_one_solution(world: MakeWorld) -> None:
    why = world(MACHINES).why("expression = STOP(ASK(JOIN('part', JOIN('maker', START(':y')))))")
    (block,) = why.blocks
    assert block.answer == ()
    assert triples(block.evidence) == {("b", "part", "p2"), ("p2", "maker", "y")}
    assert why.render().startswith("Yes: there is a solution.")


def test_rows_are_explained_row_by_row(world: MakeWorld) -> None:
    why = world(MACHINES).why_ir("rows ?m ?p\nwhere\n  ?m :part ?p\n  ?p :maker :y")
    assert [block.answer for block in why.blocks] == [(e("b"), e("p2")), (e("d"), e("p2"))]
    assert triples(of(why, e("b"), e("p2"))) == {("b", "part", "p2"), ("p2", "maker", "y")}
    assert "\n:b  |  :p2\n" in why.render()


def test_values_and_blank_nodes_can_be_answers(world: MakeWorld) -> None:
    asked = world(':a :says "two\\nlines", "zwei"@de, 7, "P1D"^^xsd:duration ; :knows [ :name "B" ] .')
    why = asked.why("expression = STOP(JOIN('R_says', START(':a')))")
    titles = [block.split("\n")[0] for block in why.render().split("\n\n")[1:]]
    assert titles == ["7", '"P1D"^^xsd:duration', '"two\\nlines"', '"zwei"@de']
    assert all(block.found for block in why.blocks)
    (block,) = asked.why("expression = STOP(JOIN('R_knows', START(':a')))").blocks
    assert isinstance(block.answer[0], Blank)
    assert only(Stated, block.evidence).triple[:2] == (e("a"), e("knows"))


def test_only_the_first_answers_are_explained(world: MakeWorld) -> None:
    asked = world(MACHINES)
    why = asked.why("expression = STOP(START('Machine'))", limit=2)
    assert (why.total, len(why.blocks)) == (4, 2)
    assert why.render().startswith("4 answers, the first 2 explained.")
    assert asked.why("expression = STOP(START('Machine'))", limit=0).blocks == ()


# --- names --------------------------------------------------------------------------------------------------------


def test_labels_come_first_and_the_id_once(world: MakeWorld) -> None:
    why = world(MACHINES).why("expression = STOP(JOIN('R_maker', JOIN('maker', START(':y'))))")
    assert why.render().split("\n\n")[1] == "Y & Sons (:y)\n  :p2  maker  Y & Sons"


def test_things_that_share_a_label_keep_their_ids(world: MakeWorld) -> None:
    why = world(':a :r :b . :a rdfs:label "twin" . :b rdfs:label "twin" .').why(
        "expression = STOP(JOIN('r', START(':b')))"
    )
    assert why.render().split("\n\n")[1] == "twin (:a)\n  twin (:a)  r  twin (:b)"


def test_hostile_labels_stay_on_one_line_and_steer_no_terminal(world: MakeWorld) -> None:
    hostile = "red\\u001B[31m\\nline\\u202Eright\\u0000"
    asked = world(f':a :r :b ; rdfs:label "{hostile}" . :b rdfs:label "{"long " * 200}" . :c :r "{hostile}" .')
    for program in ("JOIN('r', START(':b'))", "JOIN('R_r', START(':c'))"):
        why = asked.why(f"expression = STOP({program})")
        lines = why.render().split("\n")
        assert all(line.isprintable() for line in lines)
        assert max(map(len, lines)) < 400
        assert len(lines) == 4


def test_the_data_form_is_valid_json_with_whole_labels(world: MakeWorld) -> None:
    import json

    asked = world(':a :r :b ; rdfs:label "tab\\there" . :b :v "NaN"^^xsd:double .')
    data = asked.why("expression = STOP(JOIN('r', START(':b')))").to_json()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["blocks"][0]["answer"] == [{"kind": "iri", "value": NS + "a", "label": "tab\there"}]


# --- what does not fit --------------------------------------------------------------------------------------------


def test_another_spelling_of_an_answer_is_found_by_its_value(world: MakeWorld) -> None:
    from pylf.backends.why import explain
    from pylf.ir.answers import Answers
    from pylf.ir.text import parse_query

    graph = world(":a :v 7 .").graph
    query = parse_query(f"set ?v\nwhere\n  <{NS}a> <{NS}v> ?v")
    for spelled, found in ((Literal("7.0", XSD + "decimal"), True), (Literal("8", XSD + "integer"), False)):
        why = explain(query, Answers.of_values([spelled]), graph.engine, graph.schema, graph.vocabulary)
        assert [(block.answer, block.found) for block in why.blocks] == [((spelled,), found)]
    assert "the reference evaluator does not find this" in why.render()


def test_a_count_that_is_not_borne_out_is_said_to_be_wrong(world: MakeWorld) -> None:
    from pylf.backends.why import explain
    from pylf.ir.answers import Answers
    from pylf.ir.text import parse_query

    graph = world(":a :v 7 .").graph
    query = parse_query(f"number ?n\nwhere\n  ?n counts ?v\n    <{NS}a> <{NS}v> ?v")
    why = explain(query, Answers.of_number(2), graph.engine, graph.schema, graph.vocabulary)
    assert [block.found for block in why.blocks] == [False]
