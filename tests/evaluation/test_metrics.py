"""The metrics of one question, worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.datasets.formats.question import Answer, AnswerKind
from pylf.evaluation import Ended, Record, Score, State, score
from pylf.evaluation.metrics import METRICS
from pylf.records import replace
from tests.evaluation.made import answered, entities

RATES = [name for name in METRICS if name not in {"form", "grounded"}]


def f1_of(found: Score | None) -> float:
    assert found is not None
    return found.f1


def test_a_set_that_is_partly_right() -> None:
    found = score(answered("abx", "abcd"))
    assert found is not None
    assert (found.precision, found.recall) == (pytest.approx(2 / 3), 0.5)
    assert found.f1 == pytest.approx(2 * (2 / 3) * 0.5 / (2 / 3 + 0.5))
    assert (found.em, found.accuracy, found.hit) == (0, 0, 1)
    assert found.hits1 == pytest.approx(2 / 3)  # one drawn from a set without order


def test_a_ranking_has_a_first_one() -> None:
    right = score(answered("abx", "a", ranking=entities("axb")))
    wrong = score(answered("abx", "a", ranking=entities("xab")))
    assert right is not None
    assert wrong is not None
    assert (right.hits1, right.accuracy, wrong.hits1, wrong.accuracy) == (1, 1, 0, 0)
    assert right.f1 == wrong.f1 == pytest.approx(0.5)


def test_all_right() -> None:
    found = score(answered("ba", "ab"))
    assert found is not None
    assert [getattr(found, name) for name in RATES] == [1.0] * len(RATES)


@pytest.mark.parametrize("ended", [one for one in Ended if one not in {Ended.ANSWERED, Ended.EMPTY}])
@pytest.mark.parametrize("gold", ["a", ""])
def test_a_question_that_failed_is_a_0_whatever_gold_is(ended: Ended, gold: str) -> None:
    found = score(answered("a" if gold else "", gold, ended=ended, state=State.STRUCTURED, sparql="SELECT", form=1.0))
    assert found is not None
    assert {getattr(found, name) for name in METRICS} == {0.0}


def test_answers_that_are_not_complete_count_where_that_is_asked_for() -> None:
    cut = answered("a", "ab", ended=Ended.PARTIAL)
    assert f1_of(score(cut)) == 0
    assert f1_of(score(cut, allow_partial=True)) == pytest.approx(2 / 3)
    late = answered("a", "ab", ended=Ended.TIMEOUT)
    assert f1_of(score(late, allow_partial=True)) == 0


def test_case_64_empty_gold() -> None:
    nothing, something = score(answered("", "")), score(answered("a", ""))
    assert nothing is not None
    assert something is not None
    assert nothing.empty_gold
    assert something.empty_gold
    assert {getattr(nothing, name) for name in RATES} == {1.0}
    assert {getattr(something, name) for name in RATES} == {0.0}


def test_a_ranking_is_no_answer() -> None:
    found = score(answered("", "a", ranking=entities("a")))
    assert found is not None
    assert {getattr(found, name) for name in RATES} == {0.0}
    nothing = score(answered("", "", ranking=entities("a")))
    assert nothing is not None
    assert nothing.em == 1


@pytest.mark.parametrize("predicted", ["", "a", "x"])
def test_whether_gold_is_empty_does_not_depend_on_what_is_predicted(predicted: str) -> None:
    for gold, others, empty in (
        ("", (entities("a"),), False),
        ("a", ((),), False),
        (None, ((), entities("a")), False),
        ("", ((),), True),
        (None, ((),), True),
    ):
        found = score(answered(predicted, gold, others=others))
        assert found is not None
        assert found.empty_gold is empty


def test_gold_that_is_not_known_is_not_scored() -> None:
    assert score(answered("a", None)) is None


def test_of_several_readings_the_best_counts() -> None:
    found = score(answered("ab", "x", others=(entities("abc"), entities("ab"), entities("a"))))
    assert found is not None
    assert found.em == 1


def test_case_67_a_right_answer_that_the_graph_does_not_hold_is_parametric() -> None:
    for claimed in State:
        one = Record("q", "?", Ended.ANSWERED, entities("a"), gold=entities("a"), state=claimed)
        found = score(one)
        assert found is not None
        assert (found.accuracy, found.hit, found.grounded, found.state) == (1, 1, 0, State.PARAMETRIC)
        assert found.lowered is (claimed is not State.PARAMETRIC)


@pytest.mark.parametrize(
    ("claimed", "sparql", "evidence", "state", "worth"),
    [
        (State.STRUCTURED, "SELECT", (), State.STRUCTURED, 1.0),
        (State.STRUCTURED, None, ({"path": ["a"], "checked": True},), State.STRUCTURED, 1.0),
        (State.STRUCTURED, None, ({"path": ["a"]},), State.SYNTHESIS, 0.5),
        (State.SYNTHESIS, "SELECT", (), State.SYNTHESIS, 0.5),
        (State.SYNTHESIS, None, ({"triples": []},), State.SYNTHESIS, 0.5),
        (State.PARAMETRIC, "SELECT", ({"triples": []},), State.PARAMETRIC, 0.0),
        (None, "SELECT", (), None, 0.0),
    ],
)
def test_states(
    claimed: State | None,
    sparql: str | None,
    evidence: tuple[dict[str, object], ...],
    state: State | None,
    worth: float,
) -> None:
    found = score(answered("a", "a", state=claimed, sparql=sparql, evidence=evidence))
    assert found is not None
    assert (found.state, found.grounded) == (state, worth)


def test_names_and_choices_are_not_what_a_query_answers() -> None:
    kinds: tuple[AnswerKind, ...] = ("name", "choice")
    for kind in kinds:
        said = (Answer(kind, "a"),)
        one = Record("q", "?", Ended.ANSWERED, said, gold=said, state=State.STRUCTURED, sparql="SELECT")
        found, checked = score(one), score(replace(one, evidence=({"path": ["a"], "checked": True},)))
        assert found is not None
        assert checked is not None
        assert (found.state, found.lowered, checked.state) == (State.PARAMETRIC, True, State.STRUCTURED)


@given(st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef"), min_size=1))
def test_what_holds_of_all_answers(predicted: set[str], gold: set[str]) -> None:
    found = score(answered("".join(sorted(predicted)), "".join(sorted(gold))))
    assert found is not None
    assert all(0 <= getattr(found, name) <= 1 for name in RATES)
    assert found.em <= found.accuracy <= found.hits1 <= found.hit
    assert min(found.precision, found.recall) <= found.f1 + 1e-12
    assert (found.em == 1) == (predicted == gold)
    shared = len(predicted & gold)
    assert found.f1 == pytest.approx(2 * shared / (len(predicted) + len(gold)))
    assert found.hits1 == pytest.approx(shared / len(predicted) if predicted else 0)
