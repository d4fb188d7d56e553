"""``pylf dataset show`` and ``stats``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


@pytest.fixture
def sets(root: Path) -> Path:
    return root / "tests" / "fixtures" / "questions"


def test_show_prints_what_is_known_of_a_question(pylf: Command, sets: Path) -> None:
    status, out, err = pylf("dataset", "show", sets / "webqsp.json", "--first", "1")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "Written-1  what is the capital of France?",
        "  answers     Paris (m.05qtj)",
        "  or 1        none",
        "  topics      France (m.0f8l9c)",
        "  hops        1",
        "  sparql      SELECT DISTINCT ?x WHERE { ns:m.0f8l9c ns:location.country.capital ?x }",
        "  sexpr       (JOIN (R location.country.capital) m.0f8l9c)",
    ]


def test_show_prints_choices_and_programs_of_several_lines(pylf: Command, sets: Path) -> None:
    out = pylf("dataset", "show", sets / "csqa.jsonl").out
    assert "  A  desert\n  B  rain\n  C  cellar\n  answers     rain (B)\n" in out
    assert "  answers     not told\n" in out
    out = pylf("dataset", "show", sets / "nestkgqa.jsonl").out
    assert "  pylf        expression1 = START('Boeing')\n              expression1 = JOIN(" in out


def test_show_finds_by_id(pylf: Command, sets: Path) -> None:
    status, out, err = pylf("dataset", "show", sets / "qald.json", "--id", "2", "--id", "9")
    assert (status, err) == (1, "there is no question '9'\n")
    assert out.startswith("2  Is Vienna in Austria?\n  answers     true\n")
    assert pylf("dataset", "show", sets / "qald.json", "--id", "0", "--language", "de").out.startswith("0  Welcher")


def test_show_says_that_there_is_more(pylf: Command, here: Path) -> None:
    (here / "s.jsonl").write_text("".join(f'{{"id": {n}, "question": "a {n}"}}\n' for n in range(12)), encoding="utf-8")
    assert pylf("dataset", "show", "s.jsonl").err.startswith("the first 10; --first N shows more")
    status, out, err = pylf("dataset", "show", "s.jsonl", "--first", "2")
    assert (status, out.count("a "), err) == (0, 2, "")
    assert pylf("dataset", "show", "s.jsonl", "--jsonl").out.count("\n") == 12


def test_show_writes_pylfs_own_lines(pylf: Command, here: Path, sets: Path) -> None:
    out = pylf("dataset", "show", sets / "grailqa.json", "--jsonl").out
    assert json.loads(out.splitlines()[1])["answers"] == [{"kind": "literal", "value": "1"}]
    (here / "own.jsonl").write_text(out, encoding="utf-8")
    assert pylf("dataset", "show", "own.jsonl", "--jsonl").out == out
    assert pylf("dataset", "show", "-", "--jsonl", stdin=out).out == out
    # and what is written can be compiled as a set
    assert pylf("compile", "--batch", "own.jsonl", "--field", "s_expression", "--to", "pylf").out.count("\n") == 3


def test_stats(pylf: Command, sets: Path) -> None:
    status, out, err = pylf("dataset", "stats", sets / "webqsp.json", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "file": str(sets / "webqsp.json"),
        "format": "webqsp",
        "questions": 3,
        "answers": {"not told": 1, "one": 2},
        "answers a question": 1.0,
        "kinds of answers": {"entity": 1, "literal": 1},
        "programs": {"sparql": 2, "sexpr": 1},
        "topics": {"1": 2},
        "hops": {"1": 1, "2": 1},
        "further readings": {"1": 1},
        "malformed": [],
    }
    out = pylf("dataset", "stats", sets / "csqa.jsonl").out
    assert "keys\n  B  1\n" in out
    assert "choices offered\n  3  2\n" in out


def test_stats_of_a_set_with_bad_records_counts_the_good_and_names_the_bad(pylf: Command, here: Path) -> None:
    text = '{"id": 1, "question": "Who?"}\n{"id": 1, "question": "Where?"}\n{"id": 2}\n{"id": 3, "question": "who? "}\n'
    (here / "s.jsonl").write_text(text, encoding="utf-8")
    status, out, err = pylf("dataset", "stats", "s.jsonl")
    assert status == 2
    assert "malformed    2\n" in out
    assert "asked again  1\n" in out
    assert err.splitlines() == [
        "s.jsonl:2: the id '1' was there before, at s.jsonl:1",
        "s.jsonl:3: there is no 'question' or 'text'; the fields are 'id'",
    ]
    status, out, _ = pylf("dataset", "stats", "s.jsonl", "--json")
    assert status == 2
    assert [one["place"] for one in json.loads(out)["malformed"]] == ["s.jsonl:2", "s.jsonl:3"]


def test_what_cannot_be_read_is_bad_input(pylf: Command, here: Path) -> None:
    assert pylf("dataset", "show", "none.json") == (2, "", "pylf: none.json: no such file or directory\n")
    assert pylf("dataset", "stats", "none.json", "--format", "squad").status == 2
    (here / "s.jsonl").write_text('{"id": 1, "question": 3}', encoding="utf-8")
    assert pylf("dataset", "show", "s.jsonl", "--format", "pylf").err == (
        "pylf: s.jsonl:1: question: a number stands where text is due\n"
    )


def test_no_text_of_a_set_steers_the_terminal(pylf: Command, here: Path) -> None:
    record = {"id": "\x1b[2J", "question": "\x1b]0;x\x07Who?", "answer": ["\x1b[31m"], "program": "a\n\x1b[2J"}
    (here / "s.jsonl").write_text(json.dumps(record), encoding="utf-8")
    assert "\x1b" not in pylf("dataset", "show", "s.jsonl").out
    (here / "s.jsonl").write_text(json.dumps(record | {"level": 3}), encoding="utf-8")
    assert "\x1b" not in "".join(map(str, pylf("dataset", "stats", "s.jsonl")))
