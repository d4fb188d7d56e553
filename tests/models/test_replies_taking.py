"""What is taken from a reply, or why nothing is: null, refusals, thoughts, several candidates; and strict JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.errors import CompileError
from pylf.models.chat.protocol import Finish, Reply
from pylf.models.replies.candidates import candidates
from pylf.models.replies.strict_json import json_in, read_json
from pylf.models.replies.taking import NotTaken, Taken, Why, take, take_all
from pylf.models.replies.thinking import without_thoughts
from pylf.models.replies.tidy import straightened, tidied


def number(text: str) -> int:
    return int(text.strip("()"))


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (None, Why.EMPTY),
        ("", Why.EMPTY),
        (" \n\t", Why.EMPTY),
        (Reply("", Finish.EMPTY), Why.EMPTY),
        (Reply("(5)", Finish.REFUSED), Why.REFUSED),
        (Reply("", Finish.FILTERED), Why.FILTERED),
        (Reply("half of", Finish.FILTERED), Why.FILTERED),
        (Reply("", Finish.LENGTH), Why.CUT),
        (Reply("the number is (", Finish.LENGTH), Why.CUT),
        (Reply("<think>is it (5)? or", Finish.LENGTH), Why.THOUGHTS),
        ("<think>5</think>", Why.THOUGHTS),
        ("I'm sorry, but I can't help with that.", Why.REFUSED),
        ("I’m sorry, but I cannot tell.", Why.REFUSED),
        ("As an AI, I am not able to do so.", Why.REFUSED),
        ("Sorry, here you are: five", Why.UNREADABLE),
        ("five", Why.UNREADABLE),
    ],
)
def test_why_nothing_is_taken(reply: Reply | str | None, why: Why) -> None:
    found = take(reply, number)
    assert isinstance(found, NotTaken)
    assert found.why is why


def test_what_follows_an_excuse_is_taken_all_the_same() -> None:
    found = take("I'm sorry, I cannot be sure. I'd say (5).", number)
    assert isinstance(found, Taken)
    assert found.value == 5


def test_an_error_of_another_kind_is_no_reason_to_go_on() -> None:
    with pytest.raises(ZeroDivisionError):
        take("(5)", lambda text: 1 // 0)


def test_all_candidates_are_taken_where_several_are_wanted() -> None:
    reply = "```\n(7)\n```\n1. (5)\n2. (6)\n3. (5)\n"
    assert [one.value for one in take_all(reply, number)] == [7, 5, 6]
    assert list(take_all(None, number)) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a <think> b", "a <think> b"),
        ("'<think>'", "'<think>'"),
        ("<think>a<think>b</think>c</think>d", "d"),
        ("[THINK]a[/THINK]d", "d"),
        ("x\n<THINKING>a</thinking>d", "x\nd"),
        ("a</think>d", "d"),
        ("JOIN('</think>')", "JOIN('</think>')"),
        ("<|channel|>analysis<|message|>a<|end|>", ""),
    ],
)
def test_thoughts_are_left_out(text: str, said: str) -> None:
    assert without_thoughts(text) == said


@given(st.text(alphabet="ab'\"“”‘’\\(), \n#", max_size=80))
def test_strings_that_are_straight_stay(text: str) -> None:
    written = repr(text.replace("\\", ""))
    assert straightened(f"f({written}, x)") == f"f({written}, x)"


@given(st.text(max_size=200))
def test_no_text_makes_trouble(text: str) -> None:
    assert isinstance(tidied(text), str)
    assert len({one.text for one in candidates(text, ("python",))}) == len(list(candidates(text, ("python",))))


# --- JSON ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        '{"a": [1, 2.5, null, "é"]}',
        'Sure (it\'s easy):\n```json\n{"a": [1, 2.5, null, "é"]}\n```\nThat is {all}.',
        'The answer is {"a": [1, 2.5, null, "é"]}, which is [1].',
        "The answer is {“a”: [1, 2.5, null, “é”]}.",
        '<think>{"a": 1}</think>\n1. {"a": [1, 2.5, null, "é"]}',
    ],
)
def test_json_is_found_in_a_reply(reply: str) -> None:
    def has_a(value: Any) -> Any:
        if not isinstance(value, dict) or "a" not in value:
            raise ValueError("no object with a")
        return value["a"]

    found = json_in(reply, has_a)
    assert isinstance(found, Taken)
    assert found.value == [1, 2.5, None, "é"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("NaN", "NaN is no JSON"),
        ('{"a": -Infinity}', "-Infinity is no JSON"),
        ("1e999", "more than a number"),
        ("9" * 500, "500 digits"),
        ("{'a': 1}", "property name"),
        ('{"a": 1,}', "no JSON"),
        ('{"a": 1, "a": 2}', "'a' twice"),
        ('{"a": 1} {"b": 2}', "extra data"),
        ('"\\ud800"', "surrogates"),
        ("// x\n1", "no JSON"),
        ("[" * 40 + "]" * 40, "more than 32 deep"),
        ("[" * 100_000, "more than 32 deep"),
        ('"' + "x" * 300_000 + '"', "300,002 characters"),
        ("", "no JSON"),
    ],
)
def test_what_is_no_json_is_refused(text: str, told: str) -> None:
    with pytest.raises(CompileError, match=told):
        read_json(text)


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
_PLAIN = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
_VALUES = st.recursive(
    _PLAIN | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(_VALUES)
def test_what_json_writes_is_read(value: Any) -> None:
    assert read_json(json.dumps(value), depth=100) == value
    found = json_in(f"Here it is:\n```json\n{json.dumps(value)}\n```", lambda found: found)
    assert isinstance(found, Taken)
    assert found.value == value
