"""Regular expressions: what XPath says of them, what is refused, and that none takes for ever."""

from __future__ import annotations

from random import Random

import pytest

from pylf.errors import UnsupportedOperation
from pylf.ir.patterns import pattern_of, replacement_of


def found(pattern: str, text: str, flags: str = "") -> bool | None:
    compiled = pattern_of(pattern, flags)
    return None if compiled is None else compiled.is_in(text)


@pytest.mark.parametrize(
    ("pattern", "text", "flags", "expected"),
    [
        # white space goes outside of classes, and nothing else does
        ("a#b", "a", "x", False),
        ("a#b", "a#b", "x", True),
        ("a b", "ab", "x", True),
        ("a[ ]b", "a b", "x", True),
        ("a\\ .b", "a.b", "x", True),
        ("[\\] ]b", " b", "x", True),
        # lines
        ("^b$", "a\nb\nc", "m", True),
        ("^b$", "a\nb\nc", "", False),
        ("^$", "a\n", "m", False),
        ("a$", "a\n", "", False),
        ("a$", "a\n", "m", True),
        # groups, also those that matched nothing
        (r"^(a)|b\1$", "b", "", True),
        (r"^(a)\12$", "aa2", "", True),
        (r"(a)(b)\2", "abb", "", True),
        ("^(?:ab)+$", "abab", "", True),
        # classes
        ("[a&&b]", "&", "", True),
        ("^[-a]+$", "-a", "", True),
        ("^[a-]+$", "-a", "", True),
        ("^[^-a]+$", "-", "", False),
        ("[a^]", "^", "", True),
        (r"^[\d.]+$", "1.5", "", True),
        (r"^[\n\t]$", "\n", "", True),
        # quantifiers
        ("^a{2}$", "aa", "", True),
        ("^a{2,}$", "aaaa", "", True),
        ("^a{1,2}?$", "aa", "", True),
        ("^(|a)b$", "b", "", True),
        # no patterns
        ("(", "a", "", None),
        (")", "a", "", None),
        ("*a", "a", "", None),
        ("[]a]", "a", "", None),
        ("[z-a]", "a", "", None),
        ("a{2,1}", "a", "", None),
        ("a\\", "a", "", None),
        (r"(a\1)", "a", "", None),
        (r"\1(a)", "a", "", None),
    ],
)
def test_what_a_pattern_means(pattern: str, text: str, flags: str, expected: bool | None) -> None:
    assert found(pattern, text, flags) is expected


@pytest.mark.parametrize(
    "pattern",
    [
        *("a++", "a*+", "a?+", "a{2}+", "a**", "a{2}{3}", "(?=a)", "(?i)a", "(?P<n>a)", "(?#a)"),
        *(r"\p{L}", r"\i", r"\b", r"\Z", r"\0", r"[\p{L}]", "[a-z-[aeiou]]", "[-[a]]", "[[a]", r"[\d-a]", "[a-c-e]"),
        *("a{,2}", "a{", "a{x}", "a]", "a}", "a{99999999999}", "a{1,99999999999999999999999999}", "a{100001}"),
        *("(" * 5_000 + ")" * 5_000, "(" * 50 + "a" + ")" * 50, "a" * 2_001),
    ],
)
def test_what_engines_read_otherwise_is_refused(pattern: str) -> None:
    with pytest.raises(UnsupportedOperation):
        found(pattern, "a")


@pytest.mark.parametrize(
    "pattern",
    [
        *("^(a+)+$", "^(a*)*$", "^(a|a)*$", "^(a|aa)+$", "^(a?){40}$", "^(?:a?a?)+$", "(a*)*b", "(.*)*x", "(.+)+x"),
        *(
            "((a{1,9}){1,9}){1,9}$",
            "(a|b|ab)*c",
            "^(a*a*)*b",
            "(a+|b)*c",
            "((a)|a)+$",
            r"^((a*)\2)*b",
            "(a{0,30}){30}b",
        ),
        *("(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a|[a-c])+$", "a*a*a*a*a*a*a*b", ".*.*.*.*.*.*=", "(a??)*?b"),
    ],
)
def test_what_may_take_for_ever_is_refused(pattern: str) -> None:
    with pytest.raises(UnsupportedOperation):
        found(pattern, "a" * 60 + "!")


@pytest.mark.parametrize(
    ("pattern", "length"),
    [
        ("^.*foo.*$", 10_000),
        (".*foo.*", 1_000),
        ("foo", 1_000_000),
        ("(foo|bar|car)+$", 1_000),
        (r"^[\w.]+@[a-z]+[.][a-z]+$", 100),
        (r"\d{4}-\d\d(-\d\d)?", 10_000),
        ("^(ab)*$", 9_999),
        ("(^| )the( |$)", 10_000),
    ],
)
def test_what_is_usual_is_not(pattern: str, length: int) -> None:
    assert found(pattern, "a" * length) is False


def test_patterns_of_all_kinds_end_or_are_refused() -> None:
    random = Random(5)

    def drawn(depth: int) -> str:
        match random.randrange(7 if depth else 2):
            case 0:
                return random.choice("aab.")
            case 1:
                return random.choice(("[ab]", "\\w", "a", "[^b]"))
            case 2 | 3:
                return drawn(depth - 1) + drawn(depth - 1)
            case 4:
                return f"({drawn(depth - 1)}|{drawn(depth - 1)})"
            case _:
                return f"({drawn(depth - 1)})" + random.choice(("*", "+", "?", "{2}", "{0,3}", "*?", "+?", "{2,}"))

    ended = refused = 0
    for _ in range(400):
        pattern = drawn(4)
        compiled = pattern_of(pattern + "c", "")
        assert compiled is not None
        for text in ("a" * 8, "ab" * 8, "a" * 200):
            try:
                assert compiled.is_in(text) is False, pattern
                ended += 1
            except UnsupportedOperation:
                refused += 1
    assert min(ended, refused) > 100


def test_a_text_may_be_too_long_where_a_shorter_one_is_not() -> None:
    assert found("a.*b.*c", "a" * 100) is False
    assert found("^(a+)+$", "aaa") is True
    with pytest.raises(UnsupportedOperation, match="10,000 characters"):
        found("a.*b.*c", "a" * 10_000)


@pytest.mark.parametrize(
    ("written", "groups", "expected"),
    [
        ("a$1b", 1, ("a", 1, "b")),
        ("$12", 1, (1, "2")),
        ("$12", 12, (12,)),
        ("$3", 1, ()),
        ("\\$\\\\", 1, ("$", "\\")),
        ("$", 1, None),
        ("\\a", 1, None),
        ("$" + "9" * 5_000, 1, None),
    ],
)
def test_what_is_put_in_place_of_a_match(written: str, groups: int, expected: tuple[str | int, ...] | None) -> None:
    made = replacement_of(written, groups, literally=False)
    if len(written) < 100:
        assert made == expected
    else:
        assert made is not None
        assert made[0] == "9"
