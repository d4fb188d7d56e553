"""What emptied an answer: the steps with what each leaves, the conjunct at fault, and what would mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pylf.backends.why.evidence import Stated
from pylf.errors import Source
from pylf.ir.nodes import Compare, Member, Not, Triple
from pylf.ir.terms import XSD, Iri

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.backends.why import Explanation
    from pylf.backends.why.evidence import Emptiness, Remedy

    MakeWorld = Callable[[str], Any]

NS = "http://c.example/"


def e(name: str) -> Iri:
    return Iri(NS + name)


def empty(explanation: Explanation) -> Emptiness:
    assert explanation.empty is not None
    assert explanation.blocks == ()
    return explanation.empty


def left(emptiness: Emptiness) -> list[tuple[str | None, int | None]]:
    """The variable at hand and how many values of it are left, after each step up to the one at fault."""
    assert emptiness.culprit is not None
    return [(step.variable, step.left) for step in emptiness.steps[: emptiness.culprit + 1]]


def at_fault(emptiness: Emptiness) -> object:
    assert emptiness.culprit is not None
    return emptiness.steps[emptiness.culprit].conjuncts[0]


def remedies(emptiness: Emptiness) -> dict[str, Remedy]:
    return {remedy.kind: remedy for remedy in emptiness.remedies}


ROCKETS = """
:mass a rdf:Property ; rdfs:domain :Rocket . :made_by a rdf:Property ; rdfs:domain :Rocket ; rdfs:range :Firm .
:a a :Rocket ; :mass 10 ; :made_by :x . :b a :Rocket ; :mass 20 ; :made_by :x . :c a :Rocket ; :made_by :y .
:d a :Rocket ; :mass "heavy" ; :made_by :x . :x a :Firm ; rdfs:label "Xenon Works"@en . :y a :Firm .
"""


def test_case_76_the_first_conjunct_that_leaves_nothing_with_counts_after_each_step(world: MakeWorld) -> None:
    program = "made = JOIN('made_by', START(':x'))\nexpression = STOP(AND(made, CMP('>', 'mass', 50)))"
    why = world(ROCKETS).why(program)
    emptiness = empty(why)
    assert left(emptiness) == [("rocket", 3), ("rocket", 3), ("mass", 0)]
    assert isinstance(at_fault(emptiness), Compare)
    assert why.span is not None
    assert program[slice(*why.span)] == "CMP('>', 'mass', 50)"
    assert (
        why.render(Source(program, "rockets.pylf"))
        == f"""No answer. Graph snapshot {why.snapshot[:16]}.

1. ?rocket  made_by  Xenon Works (:x)   3 ?rocket
2. ?rocket  mass  ?mass                 3 ?rocket
3. ?mass > 50                           0 ?mass   <- nothing is left, at rockets.pylf:2:29
   - the values lie between 10 and 20"""
    )


def test_steps_after_the_one_at_fault_are_not_reached(world: MakeWorld) -> None:
    emptiness = empty(world(ROCKETS).why("expression = STOP(AND(JOIN('made_by', START(':z')), CMP('>', 'mass', 5)))"))
    assert emptiness.culprit == 0
    assert [step.left for step in emptiness.steps] == [0, None, None]


def test_filters_come_after_what_binds_them_and_negations_last(world: MakeWorld) -> None:
    emptiness = empty(
        world(ROCKETS).why(
            "others = JOIN('made_by', START(':x'), neg=True)\nexpression = STOP(AND(others, CMP('<', 'mass', 50)))"
        )
    )
    assert [type(step.conjuncts[0]).__name__ for step in emptiness.steps] == ["Triple", "InstanceOf", "Compare", "Not"]
    assert left(emptiness)[0] == ("rocket", 3)
    assert left(emptiness)[-1] == ("rocket", 0)


def test_case_8_the_reversed_direction_is_named(world: MakeWorld) -> None:
    asked = world(":france :capital :paris .")
    why = asked.why("expression = STOP(JOIN('capital', START(':france')))")
    emptiness = empty(why)
    assert at_fault(emptiness) == Triple(getattr(at_fault(emptiness), "subject", None), e("capital"), e("france"))
    assert remedies(emptiness).keys() == {"reversed"}
    assert "in the other direction there is 1 match: :france  capital  :paris" in why.render()
    assert asked.why("expression = STOP(JOIN('R_capital', START(':france')))").blocks[0].answer == (e("paris"),)


def test_a_relation_that_the_graph_states_by_its_inverse_alone(world: MakeWorld) -> None:
    asked = world(":made a rdf:Property ; owl:inverseOf :made_by . :made_by a rdf:Property . :x :made :a .")
    why = asked.why("expression = STOP(JOIN('made_by', START(':x')))")
    assert remedies(empty(why)).keys() == {"absent", "inverse"}
    assert "its inverse made has 1 match: :x  made  :a" in why.render()


@pytest.mark.parametrize(
    ("stored", "named"),
    [
        ('"2010-03-28"', '0 rows with xsd:date; 1 row with xsd:string: "2010-03-28"'),
        ('"2010"^^xsd:gYear', "0 rows with xsd:date; 1 row with xsd:gYear: 2010"),
        ('"2010-03-28"@en', '0 rows with xsd:date; 1 row with @en: "2010-03-28"@en'),
        ('"2010-03-28"^^:day', '0 rows with xsd:date; 1 row with :day: "2010-03-28"^^:day'),
    ],
)
def test_case_1_the_same_value_under_another_datatype_is_named(world: MakeWorld, stored: str, named: str) -> None:
    why = world(f":g :released {stored} . :h :released 7 .").why(
        "expression = STOP(JOIN('released', '2010-03-28^^xsd:date'))"
    )
    assert remedies(empty(why)).keys() == {"datatype"}
    assert f"- {named}" in why.render()


@pytest.mark.parametrize("stored", ['"2010-03-28"^^xsd:date', '"2010-03-28T10:00:00"^^xsd:dateTime'])
def test_case_1_a_date_matches_whatever_lies_within_it(world: MakeWorld, stored: str) -> None:
    why = world(f":g :released {stored} .").why("expression = STOP(JOIN('released', '2010-03-28^^xsd:date'))")
    assert [block.answer for block in why.blocks] == [(e("g"),)]


def test_case_1_a_string_is_looked_for_as_a_term(world: MakeWorld) -> None:
    asked = world(':a :code "7"^^xsd:integer . :b :code "x" .')
    why = asked.why_ir('set ?x\nwhere\n  ?x :code "7"')
    assert "0 rows with xsd:string; 1 row with xsd:integer: 7" in why.render()
    why = asked.why_ir('set ?x\nwhere\n  ?x :code ?c\n  ?c in ("X", "Y")')
    assert isinstance(at_fault(empty(why)), Member)
    assert '0 rows with xsd:string; 1 row with xsd:string: "x"' in why.render()


def test_a_label_that_nothing_bears_has_its_nearest_named(world: MakeWorld) -> None:
    asked = world(ROCKETS)
    why = asked.why("expression = STOP(JOIN('made_by', START('Xenon Worcs')))")
    assert 'nothing bears this label; the nearest are "Xenon Works"@en of Xenon Works (:x)' in why.render()
    assert left(empty(why)) == [("x", 0)]
    why = asked.why("expression = STOP(JOIN('made_by', START('Quite Another')))")
    assert "nothing bears this label, nor one like it" in why.render()


def test_a_label_in_another_language_and_one_that_others_bear(world: MakeWorld) -> None:
    asked = world(ROCKETS + ':y rdfs:label "Ypsilon"@de . :z rdfs:label "Zed" .')
    rdfs_label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    why = asked.why_ir(f'set ?x\nwhere\n  ?x {rdfs_label} ?l\n  ?l in ("Ypsilon", "Ypsilon"@en)')
    assert '"Ypsilon"@de of Ypsilon (:y)' in why.render()
    why = asked.why_ir(f'set ?x\nwhere\n  ?r :made_by ?x\n  ?x {rdfs_label} ?l\n  ?l in ("Zed", "Zed"@en)')
    assert left(empty(why)) == [("x", 1), ("x", 0)]


def test_a_class_without_instances_and_things_of_other_classes(world: MakeWorld) -> None:
    # firms enough that one looks for what was made by :x first
    asked = world(ROCKETS + ":Ghost a rdfs:Class . :z1 a :Firm . :z2 a :Firm . :z3 a :Firm . :z4 a :Firm .")
    why = asked.why("expression = STOP(START('Ghost'))")
    assert "the graph has no instance of Ghost" in why.render()
    why = asked.why_ir("set ?x\nwhere\n  ?x a :Nobody")
    assert "the schema does not know the class" in why.render()
    why = asked.why_ir("set ?x\nwhere\n  ?x :made_by :x\n  ?x a :Firm")
    assert "what was left is of the classes Rocket (3)" in why.render()
    why = asked.why_ir("set ?v\nwhere\n  :a :mass ?v\n  ?v a :Firm")
    assert "what was left are values, which are instances of nothing: 10" in why.render()


def test_a_negation_that_removed_everybody_says_how_many_and_why(world: MakeWorld) -> None:
    why = world(ROCKETS).why(
        "made = JOIN('made_by', START(':x'))\n"
        "expression = STOP(AND(made, JOIN('made_by', START('Xenon Works'), neg=True)))"
    )
    emptiness = empty(why)
    assert isinstance(at_fault(emptiness), Not)
    (removed,) = emptiness.remedies
    assert removed.kind == "removed"
    assert removed.evidence == (Stated((e("a"), e("made_by"), e("x"))),)
    assert "the negation removes all 3 left, for one :a, by this:\n       :a  made_by  Xenon Works" in why.render()


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("CMP('>', 'mass', 20)", "the values lie between 10 and 20"),
        ("AND(JOIN('made_by', START(':x')), CMP('<', 'mass', 1))", "the values lie between 10 and 20"),
    ],
)
def test_a_comparison_that_nothing_satisfies_names_what_there_is(world: MakeWorld, program: str, words: str) -> None:
    assert words in world(ROCKETS).why(f"expression = STOP({program})").render()


def test_values_that_cannot_be_compared_are_named_with_their_datatypes(world: MakeWorld) -> None:
    asked = world(':a :h "abc" . :b :h "x"^^xsd:integer .')
    why = asked.why_ir(f'set ?x\nwhere\n  ?x :h ?v\n  ?v > "5"^^<{XSD}integer> by number')
    assert remedies(empty(why)).keys() == {"incomparable"}
    text = why.render()
    assert "none of the 2 values left can be compared with 5: " in text
    assert '"abc" with xsd:string' in text
    one = asked.why_ir("set ?x\nwhere\n  ?x with largest ?v by date\n    ?x :h ?v")
    assert "of 2 values none is a date: " in one.render()


def test_dates_lie_between_dates(world: MakeWorld) -> None:
    asked = world(':a :d "-0044"^^xsd:gYear . :b :d "1990-05-01"^^xsd:date .')
    why = asked.why("expression = STOP(CMP('>', 'd', 2000))")
    assert "the values lie between -0044 and 1990-05-01" in why.render()


def test_names_that_the_graph_does_not_hold(world: MakeWorld) -> None:
    asked = world(":a :r :b .")
    why = asked.why_ir("set ?x\nwhere\n  ?x :unheard :nobody")
    text = why.render()
    assert "the graph has no triple of unheard" in text or "the graph has no triple of :unheard" in text
    assert ":nobody is in no triple of this graph" in text


def test_what_there_is_instead(world: MakeWorld) -> None:
    asked = world(ROCKETS)
    why = asked.why_ir(f'set ?x\nwhere\n  ?x :mass ?m\n  ?m > "0"^^<{XSD}integer>\n  ?x :made_by :y')
    assert left(empty(why))[-1] == ("x", 0)
    why = asked.why_ir("set ?x\nwhere\n  :a :made_by ?x\n  ?y :mass ?x")
    assert "none of the 3 triples of mass leads to" in why.render()


# --- within -------------------------------------------------------------------------------------------------------


def test_a_superlative_over_nothing_is_descended_into(world: MakeWorld) -> None:
    why = world(ROCKETS).why("expression = STOP(ARG('ARGMAX', JOIN('made_by', START(':z')), 'mass'))")
    emptiness = empty(why)
    ((title, inner),) = emptiness.within
    assert title == "among what is ranked"
    assert at_fault(inner) == Triple(getattr(at_fault(inner), "subject", None), e("made_by"), e("z"))
    assert why.span == inner.span != emptiness.steps[0].span


def test_every_alternative_is_descended_into(world: MakeWorld) -> None:
    why = world(ROCKETS).why("expression = STOP(OR(CMP('>', 'mass', 99), JOIN('made_by', START(':z'))))")
    assert [title for title, _ in empty(why).within] == ["alternative 1 of 2", "alternative 2 of 2"]
    assert [at_fault(inner).__class__ for _, inner in empty(why).within] == [Compare, Triple]


def test_counts_by_group_projections_and_paths_are_descended_into(world: MakeWorld) -> None:
    asked = world(ROCKETS)
    for text, title in (
        ("set ?g\nwhere\n  ?n counts ?x per ?g\n    ?x :made_by ?g\n    ?g :mass ?m", "among what is counted"),
        ("set ?g\nwhere\n  distinct ?g\n    ?x :made_by ?g\n    ?g :mass ?m", "among those rows"),
        ("set ?g\nwhere\n  path ?x -:made_by-> ?g -:mass-> ?m", "along the path"),
    ):
        ((named, inner),) = empty(asked.why_ir(text)).within
        assert named == title
        assert len(left(inner)) == 2


def test_a_superlative_whose_winner_is_no_answer(world: MakeWorld) -> None:
    asked = world(ROCKETS)
    why = asked.why_ir("set ?x\nwhere\n  ?x with largest ?m by number\n    ?x :mass ?m\n  ?x :made_by :y")
    assert left(empty(why)) == [("x", 1), ("x", 0)]
    assert "with made_by there are only Xenon Works (:x)" in why.render()


# --- forms --------------------------------------------------------------------------------------------------------


def test_a_no_and_a_count_of_nothing_are_explained_alike(world: MakeWorld) -> None:
    asked = world(ROCKETS)
    no = asked.why("expression = STOP(ASK(CMP('>', 'mass', 99)))")
    nothing = asked.why("expression = STOP(COUNT(CMP('>', 'mass', 99)))")
    assert no.render().startswith("No. Graph snapshot")
    assert nothing.render().startswith("The count is 0. Graph snapshot")
    for why in (no, nothing):
        assert isinstance(at_fault(empty(why)), Compare)
        assert remedies(empty(why)).keys() == {"range"}


def test_what_can_never_hold_is_said_to(world: MakeWorld) -> None:
    asked = world(ROCKETS)
    assert remedies(empty(asked.why_ir("set ?x\nwhere\n  ?x :mass ?m\n  ?x in ()"))).keys() == {"never"}


def test_nothing_to_tell_is_no_crash_where_relations_are_asked_for(world: MakeWorld) -> None:
    why = world(ROCKETS).why_ir("set ?p\nwhere\n  :a ?p :y")
    assert left(empty(why)) == [("p", 0)]


def test_values_on_two_sides_meet_by_value(world: MakeWorld) -> None:
    asked = world(":a :p 1 . :b :q 2 .")
    why = asked.why_ir("rows ?x ?y\nwhere\n  ?x :p ?v\n  ?y :q ?w\n  ?v is ?w")
    assert left(empty(why)) == [("x", 1), ("y", 1), ("v", 0)]
    assert "no value is on both sides: 1 and 2" in why.render()


def test_the_data_form_holds_the_steps_and_the_place(world: MakeWorld) -> None:
    program = "expression = STOP(CMP('>', 'mass', 99))"
    data = world(ROCKETS).why(program).to_json()
    assert [(step["variable"], step["left"]) for step in data["empty"]["steps"]] == [("rocket", 3), ("mass", 0)]
    assert data["empty"]["culprit"] == 1
    assert program[slice(*data["empty"]["span"])] == "CMP('>', 'mass', 99)"
    (remedy,) = data["empty"]["remedies"]
    assert [node["value"] for node in remedy["nodes"]] == ["10", "20"]


def test_a_disagreement_between_engine_and_evaluator_is_owned_up_to(world: MakeWorld) -> None:
    from pylf.backends.why import explain
    from pylf.ir.answers import Answers
    from pylf.ir.text import parse_query

    graph = world(":a :v 7 .").graph
    query = parse_query(f"set ?v\nwhere\n  <{NS}a> <{NS}v> ?v")
    why = explain(query, Answers.of_values([]), graph.engine, graph.schema, graph.vocabulary)
    assert empty(why).culprit is None
    assert remedies(empty(why)).keys() == {"disagree"}
    assert "one of the two is wrong" in why.render()
