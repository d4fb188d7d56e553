"""Every text of fixtures/bad_sparql.toml is refused with exactly the words that stand there.

The file is for reading: what a user sees is judged there. After a change of words, ``PYLF_UPDATE=1 python -m pytest
tests/frontends/test_sparql_parser_errors.py`` writes what the parser says now; read the difference before keeping it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pylf.errors import CompileError
from pylf.frontends.sparql.parser import parse
from pylf.language.characters import MAX_CHARACTERS
from pylf.language.tokens import MAX_TOKENS
from tests.messages import read_cases, write_messages

FILE = Path(__file__).parents[1] / "fixtures" / "bad_sparql.toml"


def said(case: dict[str, Any]) -> str:
    with pytest.raises(CompileError) as caught:
        parse(case["text"], "question.rq")
    return f"{caught.value}\n"


if os.environ.get("PYLF_UPDATE"):
    write_messages(FILE, said)
CASES = read_cases(FILE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_message(case: dict[str, Any]) -> None:
    assert said(case) == case["message"]


def test_names_are_told_apart() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names) >= 60


DEEP = 5_000


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ASK " + "{" * DEEP + "}" * DEEP, "too-deep"),
        ("ASK " + "{ SELECT * " * DEEP + "}" * DEEP, "too-deep"),
        ("ASK { " + "OPTIONAL { " * DEEP + "}" * DEEP + "}", "too-deep"),
        ("ASK { " + "FILTER EXISTS { " * DEEP + "}" * DEEP + "}", "too-deep"),
        ("ASK { FILTER " + "(" * DEEP + "?x" + ")" * DEEP + "}", "too-deep"),
        ("ASK { FILTER (" + "!" * DEEP + "?x) }", "too-deep"),
        ("ASK { FILTER (" + "- " * DEEP + "?x) }", "too-deep"),
        ("ASK { FILTER (" + "NOT " * DEEP + "?x) }", "too-deep"),
        ("ASK { FILTER (?x" + " + ?x" * DEEP + ") }", "too-deep"),
        ("ASK { FILTER (" + "(" * 50 + "1" + (" + 1" * 50 + ")") * 50 + ") }", "too-deep"),
        ("ASK { FILTER " + "STR(" * DEEP + "?x" + ")" * DEEP + "}", "too-deep"),
        ("ASK { FILTER " + "xsd:string(" * DEEP + "?x" + ")" * DEEP + "}", "too-deep"),
        ("ASK { FILTER (?x" + " IN (?x" * DEEP + ")" * DEEP + ") }", "too-deep"),
        ("ASK { ?x ?p " + "[ ?p " * DEEP + "1" + "]" * DEEP + "}", "too-deep"),
        ("ASK { ?x ?p " + "(" * DEEP + "1" + ")" * DEEP + "}", "too-deep"),
        ("ASK { ?x " + "(" * DEEP + "wdt:P1" + ")*" * DEEP + " ?y }", "too-deep"),
        ("ASK { ?x " + "(^" * 60 + "wdt:P1" + ")*" * 60 + " ?y }", "too-deep"),
        ("ASK { " + "{" * DEEP, "too-deep"),
        ("ASK { ?x " + "!" * DEEP + "wdt:P1 ?y }", "syntax"),
        ("ASK { VALUES ?x { " + "1 " * MAX_TOKENS + "} }", "too-large"),
        (" " * (MAX_CHARACTERS + 1), "too-large"),
        ("ASK { } LIMIT " + "9" * 5_000, "too-large"),
        ("ASK { ?x ?p " + '"' * DEEP, "syntax"),
        ("ASK { ?x ?p '''" + "'' " * DEEP, "unclosed-string"),
        ("ASK { ?x wd:" + "a." * DEEP + " }", "syntax"),
        ("ASK { ?x wd:a" + "." * DEEP + " }", "syntax"),
        ("ASK { ?x wd:" + "\\" * DEEP + " }", "syntax"),
        ("ASK { ?x <" + "a" * 100_000, "syntax"),
        ("ASK { \0 }", "syntax"),
        ("ASK { '\ud800' }", "syntax"),
    ],
)
def test_limits(text: str, code: str) -> None:
    with pytest.raises(CompileError) as caught:
        parse(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code
    assert len(diagnostic.render()) < 2_000


@pytest.mark.parametrize(
    "text",
    [
        "ASK { FILTER (?x" + " || ?x" * 20_000 + ") }",
        "ASK { ?x ?p ?y" + " ; ?p ?y" * 15_000 + " }",
        "ASK { ?x wdt:P1" + "/wdt:P1" * 20_000 + " ?y }",
        "ASK { ?x fb:a" + "/b" * 100_000 + " ?y }",
        "ASK { {} " + "UNION {} " * 20_000 + "}",
        "ASK { " + "#\n" * 100_000 + "}",
        "SELECT " + "COUNT(?x) " * 15_000 + "{ }",
        "ASK { FILTER (" + "?x<?y&&" * 10_000 + "?z) }",
        "ASK { ?x ?p " + "1" * 500_000 + " }",
        "\ufeffASK { }",
    ],
)
def test_long_texts_are_read(text: str) -> None:
    assert parse(text).query.span.end <= len(text)
