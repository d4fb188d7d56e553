"""Averages, intervals, comparisons, breakdowns, and the reports that tell them."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

import pytest

from pylf.errors import InputError
from pylf.evaluation import Ended, Record, Setup, State, breakdown, compare, summarize
from pylf.evaluation.breakdowns import parts_data, worth_telling
from pylf.evaluation.comparing import p_value
from pylf.evaluation.files import Held
from pylf.evaluation.intervals import averages, between
from pylf.evaluation.report import comparison_page, html, markdown, score_page
from pylf.evaluation.report.page import Bars
from pylf.evaluation.report.svg import bars_svg
from pylf.evaluation.summary import MEMORY, Spread, in_order
from pylf.models.chat.protocol import Usage
from tests.evaluation.made import answered, entities


def run_of(*worth: float, **more: object) -> list[Record]:
    """Records with these F1: 0, 1, or 2/3 (one of two)."""
    made = {0.0: ("x", "a"), 1.0: ("a", "a"), 2 / 3: ("ab", "a")}
    return [answered(*made[f1], id=f"q{n}", **more) for n, f1 in enumerate(worth)]


def test_all_questions_count_also_the_failed_and_the_unasked() -> None:
    records = [
        *run_of(1.0, 1.0),
        answered("a", "a", id="t", ended=Ended.TIMEOUT),
        answered("", "a", id="u", ended=Ended.UNASKED),
    ]
    found = summarize(records)
    assert (found.questions, found.scored) == (4, 4)
    assert found.averages["f1"].value == 0.5
    assert found.ended == {"answered": 2, "empty": 0, "timeout": 1, "invalid": 0, "not asked": 1}


def test_case_64_both_averages_are_told() -> None:
    found = summarize([answered("a", "a"), answered("x", "a"), answered("", ""), answered("x", "")])
    assert found.empty_gold == 2
    assert (found.averages["em"].value, found.averages["em"].count) == (0.5, 4)
    assert (found.with_gold["em"].value, found.with_gold["em"].count) == (0.5, 2)
    found = summarize([answered("x", "a"), answered("", "")])
    assert (found.averages["em"].value, found.with_gold["em"].value) == (0.5, 0.0)
    text = markdown(score_page(found, [], {}))
    assert "Gold is empty for 1" in text
    assert "| EM | 50.0 | 0.0 to 100.0 | 0.0 | 0.0 to 0.0 |" in text


def test_kgr_and_ff1() -> None:
    one, half, none = (
        answered("a", "a", state=State.STRUCTURED, sparql="SELECT"),
        answered("ab", "a", state=State.SYNTHESIS, evidence=({"triples": []},)),
        answered("a", "a", state=State.PARAMETRIC),
    )
    found = summarize([one, half, none, answered("", "a", ended=Ended.INVALID)])
    f1, kgr = (1 + 2 / 3 + 1) / 4, (1 + 0.5) / 4
    assert found.averages["grounded"].value == kgr
    assert found.averages["f1"].value == pytest.approx(f1)
    assert found.averages["ff1"].value == pytest.approx(f1 * kgr)
    assert found.averages["ff1_each"].value == pytest.approx((1 + (2 / 3) * 0.5) / 4)
    assert found.states == {"none": 1, "structured": 1, "synthesis": 1, "parametric": 1}


def test_cost_and_depth() -> None:
    records = [
        answered("a", "a", usage=Usage(prompt=n, completion=1, calls=n), seconds=n, memory=n << 20, tags={"hops": n})
        for n in (1, 2, 6)
    ]
    found = summarize(records, again=Usage(calls=7))
    assert (found.cost.usage.prompt, found.cost.usage.calls, found.cost.again.calls) == (9, 9, 7)
    assert found.cost.each["calls"] == found.cost.each["seconds"] == Spread(9, 3, 2, 6)
    assert found.cost.each[MEMORY] == Spread(None, 3, 2, 6)
    cost = found.to_json()["cost"]
    assert [cost[name]["calls"] for name in ("total", "counted", "asked_again")] == [16, 9, 7]
    text = markdown(score_page(found, records, {}))
    assert "16 calls, 0 retries" in text
    assert "| seconds | 9 | 3 | 2 | 6 |" in text
    assert "| memory (MiB) | – | 3 | 2 | 6 |" in text


def test_what_failed_and_was_retried_is_in_the_cost_and_the_unasked_is_not() -> None:
    records = [
        answered("", "a", id="a", ended=Ended.TIMEOUT, usage=Usage(calls=1, retries=3)),
        answered("a", "a", id="b", usage=Usage(calls=1, retries=1)),
        answered("a", "a", id="c"),
        answered("a", "a", id="d"),
        answered("", "a", id="e", ended=Ended.UNASKED),
    ]
    assert summarize(records, draws=0).cost.each["retries"] == Spread(4, 1, 0.5, 3)


def test_depth_coverage_is_of_all_questions_up_to_a_depth() -> None:
    records = [answered(said, "a", tags={"hops": hops}) for said, hops in (("a", 1), ("x", 2), ("ab", 2), ("x", 6))]
    found = summarize([*records, answered("a", "a"), answered("a", "a", tags={"hops": "far"})], draws=0)
    assert found.coverage == {
        1: (0.25, 1.0, 1.0),
        2: (0.75, pytest.approx((1 + 0 + 2 / 3) / 3), pytest.approx((1 + 0 + 1 / 2) / 3)),
        6: (1.0, pytest.approx((1 + 0 + 2 / 3) / 4), pytest.approx((1 + 0 + 1 / 2) / 4)),
    }


def test_the_tags_of_a_record_come_before_those_of_the_set() -> None:
    one = answered("a", "a", tags={"level": "own", "mine": 1})
    blank = answered("", "b", ended=Ended.UNASKED, tags={"level": "set", "hops": 2})
    other = answered("", "b", id="never", ended=Ended.UNASKED)
    found = in_order(Held({"q": one}), [blank, other])
    assert found[0].tags == {"level": "own", "mine": 1, "hops": 2}
    assert (found[0].gold, found[0].answers, found[1]) == (entities("b"), entities("a"), other)


def test_intervals_are_those_of_draws_over_questions() -> None:
    values = [0.0] * 50 + [1.0] * 50
    found = averages({"a": values}, {"square": lambda means: means["a"] ** 2}, 2_000)
    assert found["a"].low is not None
    assert found["a"].high is not None
    spread = 1.96 * math.sqrt(0.25 / 100)
    assert found["a"].low == pytest.approx(0.5 - spread, abs=0.02)
    assert found["a"].high == pytest.approx(0.5 + spread, abs=0.02)
    assert found["square"].value == 0.25
    assert found["square"].low == pytest.approx(found["a"].low ** 2, abs=0.01)
    assert between([float(n) for n in range(1, 202)]) == pytest.approx((6, 196))
    assert between([0.0, 1.0]) == pytest.approx((0.025, 0.975))
    assert averages({"a": values}, {}, 2_000) == averages({"a": values}, {}, 2_000)
    assert averages({"a": []}, {}) == {}
    assert averages({"a": values}, {}, 0)["a"].low is None
    with pytest.raises(InputError):
        averages({"a": values}, {}, -1)


def test_two_runs_are_compared_on_what_both_have() -> None:
    first, second = run_of(0.0, 0.0, 1.0, 2 / 3, 1.0), run_of(1.0, 1.0, 1.0, 0.0)
    found = compare(first, second)
    assert (found.questions, found.apart) == (4, (1, 0))
    assert (found.gained, found.lost) == (("q0", "q1"), ("q3",))
    f1 = found.metrics["f1"]
    assert (f1.better, f1.same, f1.worse) == (2, 1, 1)
    assert f1.difference == pytest.approx(f1.second - f1.first) == pytest.approx((2 - 2 / 3) / 4)
    again = compare(first, first)
    assert {one.p_value for one in again.metrics.values()} == {1.0}
    with pytest.raises(InputError, match=r"other gold answers for 'q0'$"):
        compare(first, [answered("a", "b", id="q0")])
    with pytest.raises(InputError, match="'q0': the same in the first reading, but the first keeps 0 further readings"):
        compare(first, [answered("a", "a", id="q0", others=(entities("b"),))])
    with pytest.raises(InputError, match="no question in common"):
        compare(first, [answered("a", "b", id="z")])


def test_two_runs_are_compared_over_the_questions_with_gold_answers_too() -> None:
    first = [answered("a", "a", id="a"), answered("a", "", id="b")]
    second = [answered("a", "a", id="a"), answered("", "", id="b", setup=setup_of("virtuoso", 1.0))]
    found = compare(first, second, draws=10)
    assert (found.metrics["em"].difference, found.with_gold["em"].difference) == (0.5, 0.0)
    assert found.to_json()["metrics_with_gold"]["em"]["first"] == 1.0
    assert compare(first[1:], second[1:]).with_gold == {}
    text = markdown(comparison_page(found, ("one", "two"), {}))
    assert "| metric, all questions | one | two |" in text
    assert "| metric, with gold answers | one | two |" in text


def test_the_sign_test_is_exact_and_swapping_agrees_with_it() -> None:
    for draws in (0, 1_000):
        assert p_value([1.0] * 9 + [-1.0], draws) == pytest.approx(2 * 11 / 1024)
        assert p_value([-1.0] * 9 + [1.0], draws) == pytest.approx(2 * 11 / 1024)
        assert p_value([0.0, 0.0], draws) == 1.0
        assert p_value([1.0] * 5_000, draws) == pytest.approx(0.0, abs=1e-300)
    for sign in (1, -1):  # whichever run is better
        drawn = p_value([sign * 1.0] * 9 + [sign * -1.000001], 20_000)
        assert drawn == pytest.approx(2 * 11 / 1024, abs=0.005)
        assert p_value([sign * 1.0] * 9 + [sign * 0.5], 20_000) == pytest.approx(2 / 1024, abs=0.002)


def test_what_is_seen_is_one_of_the_draws_and_without_draws_nothing_is_said() -> None:
    change = [0.5 + n / 100 for n in range(40)]
    assert p_value(change, 99) == 1 / 100
    assert p_value(change, 0) is None
    records = [run_of(*worth) for worth in ((0.0, 2 / 3), (1.0, 1.0))]
    found = compare(*records, draws=0)
    assert found.metrics["f1"].p_value is None
    assert found.to_json()["metrics"]["f1"]["p_value"] is None
    assert "| F1 | 33.3 | 100.0 | +66.7 |  | – | 2/0/0 |" in markdown(comparison_page(found, ("a", "b"), {}))


def test_breakdowns_by_tag() -> None:
    records = [
        answered("a", "a", tags={"kinds": ["negation", "count"], "hops": 2}),
        answered("x", "a", tags={"kinds": ["count"], "hops": 10}),
        answered("a", "a", tags={}),
    ]
    found = {one.value: (one.count, one.averages["f1"].value) for one in breakdown(records, "kinds")}
    assert found == {"count": (2, 0.5), "negation": (1, 1.0), "(none)": (1, 1.0)}
    assert [one.value for one in breakdown(records, "hops")] == ["2", "10", "(none)"]
    assert worth_telling(records) == ("hops", "kinds")


def test_values_of_tags_are_told_apart_and_no_question_is_lost() -> None:
    tags: tuple[object, ...] = ([], ["x", "x"], {"a": 1}, [["a"], "x"], True, 1, 10**400, None, "1")
    records = [answered("a", "a", id=f"q{n}", tags={"odd": tag}) for n, tag in enumerate(tags)]
    found = [(one.value, one.count) for one in breakdown(records, "odd", draws=0)]
    expected = [("1", 1), ("1", 1), ("True", 1), ('["a"]', 1), ("x", 2), ('{"a": 1}', 1), (str(10**400), 1)]
    assert sorted(found) == sorted([*expected, ("(none)", 2)])
    assert worth_telling(records, ["odd"]) == ("odd",)


def test_a_breakdown_tells_the_questions_with_gold_answers_too() -> None:
    records = [answered("a", "a", tags={"level": "i"}), answered("x", "", tags={"level": "i"})]
    (part,) = breakdown(records, "level", draws=0)
    assert (part.averages["f1"].value, part.with_gold["f1"].value, part.with_gold["f1"].count) == (0.5, 1.0, 1)
    assert parts_data([part])[0]["averages_with_gold"]["f1"]["value"] == 1.0
    text = markdown(score_page(summarize(records, draws=0), records, {"level": [part]}))
    assert "| i | 2 | 50.0 |  | 100.0 |" in text
    (part,) = breakdown(records[1:], "level", draws=0)
    assert part.with_gold == {}


def setup_of(engine: str, seconds: float) -> Setup:
    return Setup(
        "cuckoo",
        "model-x@somewhere",
        engine={"name": engine, "version": "7.2.1"},
        limits={"question": seconds, "connect": 10.0, "read": 120.0, "total": 300.0, "tries": 6},
        data={"name": "dev.jsonl", "sha256": "ab" * 32},
    )


def test_case_68_a_report_says_what_others_need_to_get_the_same() -> None:
    endings = (Ended.INVALID, Ended.TIMEOUT, Ended.TIMEOUT, Ended.EMPTY, Ended.ANSWERED)
    reports = []
    for setup in (setup_of("virtuoso", 60.0), setup_of("oxigraph", 180.0)):
        records = [answered("", "a", id=f"q{n}", ended=ended, setup=setup) for n, ended in enumerate(endings)]
        text = markdown(score_page(summarize(records), records, {}))
        for told in (
            setup.engine["name"],
            "7.2.1",
            str(setup.limits["question"]),
            "limits.tries | 6",
            "ab" * 32,
            setup.hash,
        ):
            assert told in text
        assert "| empty | 1 |" in text
        assert "| timeout | 2 |" in text
        assert "| invalid | 1 |" in text
        reports.append(text)
    assert reports[0] != reports[1]
    mixed = [answered("a", "a", id="a", setup=setup_of("x", 1.0)), answered("a", "a", id="b", setup=setup_of("x", 2.0))]
    assert "of 2 runs, which differ" in markdown(score_page(summarize(mixed), mixed, {}))


def test_case_68_settings_are_told_whole_and_those_of_both_runs_that_are_compared() -> None:
    long = Setup("m", model="http://host/v1/" + "x" * 300, settings={"stop": ["y" * 200]})
    other = setup_of("virtuoso", 60.0)
    assert long.model is not None
    first = [answered("a", "a", id="a", setup=long), answered("", "a", id="t", ended=Ended.TIMEOUT, setup=long)]
    second = [answered("a", "a", id="a", setup=other), answered("a", "a", id="t", setup=other)]
    report = markdown(score_page(summarize(first), first, {}))
    assert long.model in report
    assert "y" * 200 in report
    found = compare(first, second, draws=50)
    page = comparison_page(found, ("one", "two"), {})
    text = markdown(page)
    for told in (long.model, long.hash, other.hash, "virtuoso", "7.2.1", "ab" * 32, "50 draws, seed 20260"):
        assert told in text
    assert "| timeout | 1 | 0 |" in text
    assert [plot.title for plot in page.sections[0].plots] == ["averages of one", "averages of two"]
    assert [plot.bars[0][1] for plot in page.sections[0].plots] == [0.5, 1.0]
    data = found.to_json()
    assert (data["draws"], data["seed"], data["outcomes"][0]["timeout"]) == (50, 20_260, 1)
    assert [runs[0]["method"] for runs in data["runs"]] == ["m", "cuckoo"]


HOSTILE = "<script>alert(1)</script> | **x** `code` ]]> & \x1b[31m \ud835"


def test_nothing_that_a_report_quotes_steers_it() -> None:
    records = [answered("x", "a", question=HOSTILE, reason=HOSTILE, tags={"level": HOSTILE}, setup=Setup(HOSTILE))]
    page = score_page(summarize(records), records, {"level": breakdown(records, "level")}, title=HOSTILE)
    text = html(page)
    assert "<script" not in text
    assert "\x1b" not in text
    text.encode()
    other = markdown(page)
    outside = re.sub(r"```text\n.*?\n```", "", other, flags=re.DOTALL)  # in a fence nothing is special but its end
    assert "<script>" not in outside.replace("\\<script", "")
    assert other.count("```") % 2 == 0
    assert "\x1b" not in other
    assert all(line.count(" | ") for line in other.splitlines() if line.startswith("| q "))
    other.encode()


def test_plots_are_svg() -> None:
    for bars in ((), (("a <b>", 0.5, 0.25, 0.75), ("long " * 20, 1.0, None, None), ("none", 0.0, 0.0, 0.0))):
        tree = ET.fromstring(bars_svg(Bars("plot & more", bars)))
        assert tree.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(tree.findall("{http://www.w3.org/2000/svg}rect")) == len(bars)
    assert ">1</text>" in bars_svg(Bars("questions", (("answered", 1.0, None, None),), 1, shares=False))
    assert ">100.0</text>" in bars_svg(Bars("F1", (("i", 1.0, None, None),)))
    counts = [plot for one in score_page(summarize(run_of(1.0)), [], {}).sections for plot in one.plots]
    assert [plot.title for plot in counts if not plot.shares] == ["questions", "questions"]
    page = html(score_page(summarize(run_of(1.0)), run_of(1.0), {}))
    assert page.count("<svg") >= 3
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "").replace("http://e.example", "")


def test_a_comparison_is_told() -> None:
    first, second = run_of(0.0, 1.0), run_of(1.0, 1.0)
    page = comparison_page(compare(first, second), ("one", "two"), {"q0": "Which?"})
    assert "| q0 | Which? |" in markdown(page)
    assert "Which?" in html(page)


def test_nothing_is_a_report_too() -> None:
    found = summarize([])
    assert (found.questions, found.averages) == (0, {})
    assert "0 questions" in markdown(score_page(found, [], {}))
    unknown = [Record("q", "?", Ended.ANSWERED, entities("a"))]
    assert "1 questions, 0 with known gold" in markdown(score_page(summarize(unknown), unknown, {}))
