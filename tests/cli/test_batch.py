"""``pylf compile --batch``: every record answered in order, whatever is wrong with some."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.sets import FIELD, TODAY, answers, lines, record, write_many

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


@pytest.fixture
def many(here: Path) -> Path:
    return write_many(here / "many.jsonl")


def test_every_record_is_answered_in_order(pylf: Command, here: Path) -> None:
    (here / "set.jsonl").write_text(lines(*map(record, range(300))), encoding="utf-8")
    status, out, err = pylf("compile", "set.jsonl", *FIELD)
    assert status == 0
    found = answers(out)
    assert [(a["id"], a["line"]) for a in found] == [(f"q{n}", n + 1) for n in range(300)]
    assert all(set(a) == {"id", "line", "sparql", "warnings"} for a in found)
    assert f"/company_{7}>" in found[7]["sparql"]
    assert "300 in, 300 out, 0 refused" in err
    assert found[0]["sparql"] == pylf("compile", "-", *TODAY, stdin=str(record(0)["program"])).out.rstrip("\n")


def test_several_processes_write_what_one_does(pylf: Command, many: Path, here: Path) -> None:
    outcomes = [pylf("compile", many, *FIELD, "--jobs", str(jobs), "-o", f"{jobs}.jsonl") for jobs in (1, 2)]
    assert [o.status for o in outcomes] == [1, 1]
    assert outcomes[0].err == outcomes[1].err
    assert (here / "1.jsonl").read_bytes() == (here / "2.jsonl").read_bytes()
    assert len(answers((here / "1.jsonl").read_text())) == 4000


BAD: dict[str, tuple[str | bytes, str | None]] = {
    "not JSON": ("{'id': 1}", "not-json"),
    "cut off": ('{"id": "a", "program": "x', "not-json"),
    "a list": ("[1, 2]", "not-an-object"),
    "text": ('"program"', "not-an-object"),
    "null": ("null", "not-an-object"),
    "no field": ('{"id": "a", "programs": ""}', "no-field"),
    "nothing": ("{}", "no-field"),
    "a number": ('{"id": "a", "program": 3}', "wrong-type"),
    "an object": ('{"id": "a", "program": {}}', "wrong-type"),
    "too deep": ("[" * 100_000, "too-deep"),
    "a long number": ('{"program": ' + "9" * 5000 + "}", "not-json"),
    "not UTF-8": (b'{"program": "\xff"}', "not-utf8"),
    "no program": ('{"id": "a", "program": ""}', "missing-stop"),
    "brackets": ('{"id": "a", "program": "STOP("}', "unclosed-bracket"),
    "many brackets": ('{"id": "a", "program": "' + "STOP(" * 9000 + '"}', "too-deep"),
    "half a pair": ('{"id": "\\ud800", "program": "STOP("}', "unclosed-bracket"),
    "hostile": ('{"id": "a", "program": "__import__(\'os\').abort()"}', None),
}


def test_what_is_no_good_record_is_refused_and_the_rest_goes_on(pylf: Command, here: Path) -> None:
    good = json.dumps(record(1)).encode()
    bad = [text if isinstance(text, bytes) else text.encode() for text, _ in BAD.values()]
    (here / "set.jsonl").write_bytes(b"\n".join(line for text in bad for line in (text, good)) + b"\r\n\n  \n")
    for jobs in ("1", "2"):
        status, out, err = pylf("compile", "set.jsonl", *FIELD, "--jobs", jobs)
        assert status == 1
        found = answers(out)
        assert [a["line"] for a in found] == list(range(1, 2 * len(BAD) + 1))
        assert all("sparql" in a for a in found[1::2])
        for answer, (name, (_, code)) in zip(found[::2], BAD.items(), strict=True):
            assert set(answer) >= {"id", "line", "error"}, name
            assert answer["error"]["message"], name
            assert code in (None, answer["error"]["code"]), (name, answer)
        assert f"{2 * len(BAD)} in, {len(BAD)} out, {len(BAD)} refused" in err


def test_an_error_says_where_in_the_field_it_is(pylf: Command) -> None:
    text = "x = START('a')\nx = STOP(JOIN('nothing.like.it', x))"
    status, out, _ = pylf("compile", "-", *FIELD, stdin=lines({"program": text}))
    assert status == 1
    (answer,) = answers(out)
    error = answer["error"]
    assert (error["code"], error["line"], error["column"]) == ("unknown-relation", 2, 15)
    assert text[error["start"] : error["end"]].strip("'") == "nothing.like.it"
    assert "file" not in error


def test_a_record_longer_than_the_limit_is_refused(pylf: Command, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pylf.batch import reading

    monkeypatch.setattr(reading, "MAX_RECORD", 100_000)
    long = record(2, filler="x" * 300_000)
    whole = json.dumps([record(1), long, record(3)])
    assert [a.get("error", {}).get("code") for a in answers(pylf("compile", "-", *FIELD, stdin=whole).out)] == [
        None,
        "too-long",
    ]
    for made, place in (((record(1), long, record(3)), 1), ((long, record(3)), 0), ((record(1), long), 1)):
        (here / "set.jsonl").write_text(lines(*made).rstrip("\n"), encoding="utf-8")
        found = answers(pylf("compile", "set.jsonl", *FIELD).out)
        assert [a["line"] for a in found] == list(range(1, len(made) + 1))
        assert [a.get("error", {}).get("code") for a in found] == [
            "too-long" if n == place else None for n in range(len(made))
        ]


def test_fields_may_be_nested_and_ids_chosen(pylf: Command) -> None:
    nested = {"qid": 5, "ID": "i", "Parses": [{}, {"form": {"text": "x = STOP(START('rocket'))"}}], "a.b": {"c": "own"}}
    deep = ("--batch", "--field", "Parses.1.form.text")
    assert answers(pylf("compile", "-", *deep, stdin=lines(nested)).out)[0]["id"] == 5
    assert answers(pylf("compile", "-", *deep, "--id", "ID", stdin=lines(nested)).out)[0]["id"] == "i"
    for missing in ("Parses.2.form.text", "Parses.x", "Parses.1.form.text.x", "qid.x"):
        found = answers(pylf("compile", "-", "--batch", "--field", missing, stdin=lines(nested)).out)
        assert found[0]["error"]["code"] == "no-field", missing
    found = answers(pylf("compile", "-", *deep, "--id", "Parses", stdin=lines(nested)).out)
    assert (found[0]["id"], found[0]["error"]["code"]) == (1, "no-id")


def test_records_of_one_id_are_both_answered(pylf: Command) -> None:
    program = "x = STOP(START('rocket'))"
    made = [{"qid": 7, "id": "x", "program": program}, {"qid": 7, "program": "STOP("}, {"program": program}]
    found = answers(pylf("compile", "-", *FIELD, stdin=lines(*made)).out)
    assert [(a["id"], a["line"], "error" in a) for a in found] == [(7, 1, False), (7, 2, True), (3, 3, False)]


def test_gzip_and_standard_input_and_arrays_read_alike(pylf: Command, here: Path) -> None:
    made = [record(n, question="a\u2028b\n\\u00e9 ]}", nested=[[{"x": [1]}]]) for n in range(60)]
    expected = pylf("compile", "-", *FIELD, stdin=lines(*made)).out
    assert len(answers(expected)) == 60
    shapes = {
        "array.json": json.dumps(made).encode(),
        "tall.json": b"\xef\xbb\xbf \n" + json.dumps(made, indent=4, ensure_ascii=False).encode() + b"\n",
        "set.jsonl.gz": gzip.compress(lines(*made).encode()),
        "bom.jsonl": b"\xef\xbb\xbf" + lines(*made).encode(),
        "tall.json.gz": gzip.compress(json.dumps(made, indent=1).encode()),
    }
    for name, data in shapes.items():
        (here / name).write_bytes(data)
        assert pylf("compile", name, *FIELD).out == expected, name
        assert pylf("compile", "-", *FIELD, stdin=data).out == expected, name
    assert pylf("compile", "-", *FIELD, stdin=b" [ ] ").out == ""
    assert pylf("compile", "-", *FIELD, stdin=b"").out == ""


BROKEN = {
    b"": "not-json",
    b"]x": "not-json",
    b"] []": "not-json",
    b",]": "not-json",
    b",,{}]": "not-json",
    b" {}]": "not-json",
    b"}": "not-json",
    b', {"id": "z"': "not-json",
    b', nonsense, {"id": "z"}]': "not-json",
    b', {"id": tru}, {}]' + b" " * 70_000: "not-json",
    b", " + b"[" * 100_000: "too-deep",
    b", 9" + b"9" * 5000 + b"]": "not-json",
}


@pytest.mark.parametrize("end", BROKEN)
def test_an_array_that_breaks_off_is_answered_so_far(pylf: Command, end: bytes) -> None:
    data = json.dumps([record(1), record(2)]).encode()[:-1] + end
    status, out, _ = pylf("compile", "-", *FIELD, stdin=data)
    found = answers(out)
    assert [("sparql" in a, a["line"]) for a in found] == [(True, 1), (True, 2), (False, 3)]
    assert found[2]["error"]["code"] == BROKEN[end]
    assert status == 1


def test_what_begins_with_a_bracket_is_an_array(pylf: Command) -> None:
    for white in (b"", b" \n" * 40_000):
        found = answers(pylf("compile", "-", *FIELD, stdin=white + b"[1, " + json.dumps(record(2)).encode() + b"]").out)
        assert [a.get("error", {}).get("code") for a in found] == ["not-an-object", None]
    far = "\n" * 20_000 + lines(record(1))
    assert answers(pylf("compile", "-", *FIELD, stdin=far).out)[0]["line"] == 20_001


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_damaged_archive_is_answered_so_far(pylf: Command, here: Path, jobs: str) -> None:
    made = list(map(record, range(600)))
    packed = gzip.compress(lines(*made).encode())
    whole = gzip.compress(json.dumps(made).encode())
    (here / "cut.jsonl.gz").write_bytes(packed[: len(packed) * 2 // 3])
    (here / "sum.json.gz").write_bytes(whole[:-8] + bytes(4) + whole[-4:])
    for name, least in (("cut.jsonl.gz", 300), ("sum.json.gz", 600)):
        status, out, err = pylf("compile", name, *FIELD, "-o", "out.jsonl", "--jobs", jobs, "--fresh")
        assert (status, out) == (2, "")
        assert f"{name}: cannot be read on" in err
        found = answers((here / "out.jsonl").read_text())
        assert [a["line"] for a in found] == list(range(1, len(found) + 1))
        assert len(found) >= least
        assert f"{len(found)} in, {len(found)} out, 0 refused" in err


def test_the_summary_counts_reasons_and_names_the_first(pylf: Command, here: Path) -> None:
    made: list[object] = [record(n) if n % 3 else {"id": f"bad{n}", "program": "STOP("} for n in range(30)]
    made.append({"id": "w", "program": "x = STOP(JOIN('spaceflight.rocket.manufacturer', START('Boeng')))"})
    made.append({"id": "t", "program": "x = STOP(JOIN('spaceflight.rocket.mass', START('rocket')))"})
    made += [{"id": 4}, {"id": 4}, {"program": ""}, {"id": 36, "program": ""}, {"id": 4}, 5]
    status, _, err = pylf("compile", "-", *FIELD, "--lenient", "--summary", "s.json", stdin=lines(*made))
    assert status == 1
    assert err.splitlines()[-8:] == [
        "38 in, 22 out, 16 refused",
        "refused",
        "  10  unclosed-bracket: bad0, bad3, bad6, bad9, bad12, …",
        "   3  no-field: 4",
        "   2  missing-stop: line 35, line 36",
        "   1  not-an-object: line 38",
        "warnings",
        "  1  type-mismatch: t",
    ]
    assert json.loads((here / "s.json").read_text()) == {
        "in": 38,
        "out": 22,
        "refused": {
            "unclosed-bracket": {"count": 10, "first": ["bad0", "bad3", "bad6", "bad9", "bad12"]},
            "no-field": {"count": 3, "first": [4]},
            "missing-stop": {"count": 2, "first": ["line 35", "line 36"]},
            "not-an-object": {"count": 1, "first": ["line 38"]},
        },
        "warned": {"type-mismatch": {"count": 1, "first": ["t"]}},
    }


def test_other_forms_and_all_of_them(pylf: Command) -> None:
    given = lines(record(1))
    assert answers(pylf("compile", "-", *FIELD, "--to", "pylf", stdin=given).out)[0]["pylf"].endswith(")")
    data = answers(pylf("compile", "-", *FIELD, "--to", "json", stdin=given).out)[0]["json"]
    assert isinstance(data, dict)
    back = lines({"id": "q1", "ir": data})
    again = pylf("compile", "-", "--batch", "--field", "ir", "--from", "json", "--to", "json", stdin=back).out
    assert answers(again)[0]["json"] == data
    whole = answers(pylf("compile", "-", *FIELD, "--json", stdin=given).out)[0]
    alone = json.loads(pylf("compile", "-", *TODAY, "--json", stdin=str(record(1)["program"])).out)
    assert alone.pop("diagnostics") == []
    assert whole == {"id": "q1", "line": 1, **alone, "warnings": []}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("compile", "set.jsonl", "--batch"), "--batch needs --field"),
        (("compile", "set.jsonl", "--field", "program"), "--field is for whole sets: --batch"),
        (("compile", "set.jsonl", "--fresh"), "--fresh is for whole sets: --batch"),
        (("compile", "set.jsonl", *FIELD, "--explain"), "--explain is for one question"),
        (("compile", "set.jsonl", *FIELD, "--fresh"), "--fresh is for a file that --output names"),
        (("compile", "set.jsonl", *FIELD, "--fresh", "-o", "-"), "--fresh is for a file that --output names"),
        (("compile", "set.jsonl", *FIELD, "--jobs", "0"), "'0' is not a whole number above 0"),
        (("compile", "set.jsonl", *FIELD, "-o", "set.jsonl"), "set.jsonl is the set, and cannot be the output too"),
        (("compile", "set.jsonl", *FIELD, "-o", "."), ".: is a directory"),
        (("compile", "set.jsonl", *FIELD, "-o", "none/x"), "none/x: no such file"),
        (("compile", "set.jsonl", *FIELD, "-o", ""), "--output names no file"),
        (("compile", "set.jsonl", *FIELD, "--summary", "none/x"), "none/x: no such folder"),
        (("compile", "set.jsonl", *FIELD, "--summary", "./set.jsonl"), "is the set, and cannot be the summary"),
        (("compile", "set.jsonl", *FIELD, "-o", "x", "--summary", "./x"), "is the summary, and cannot be the output"),
        (("compile", "set.jsonl", *FIELD, "-o", "x", "--summary", "x.state.json"), "cannot be the output's state"),
        (("compile", "x.state.json", *FIELD, "-o", "x"), "x.state.json is the set, and cannot be the output's state"),
        (("compile", "set.jsonl", *FIELD, "--vocab", "set.jsonl", "-o", "set.jsonl"), "cannot be the output"),
        (("compile", "set.jsonl", *FIELD, "--from", "ir", "--exclude-topic"), "exclude_topic is for programs"),
        (("compile", "none.jsonl", *FIELD), "none.jsonl: no such file"),
        (("compile", ".", *FIELD), "."),
        (("compile", "set.jsonl", *FIELD, "--schema", "none.ttl", "--jobs", "2"), "none.ttl"),
        (("compile", "set.jsonl", *FIELD, "--today", "never"), "today is a date"),
    ],
)
def test_what_cannot_be_done_is_said(pylf: Command, here: Path, given: tuple[str, ...], told: str) -> None:
    (here / "set.jsonl").write_text(lines(record(1)), encoding="utf-8")
    status, out, err = pylf(*given)
    assert (status, out) == (2, "")
    assert told in err
    assert (here / "set.jsonl").read_text() == lines(record(1))
    assert [path.name for path in here.iterdir()] == ["set.jsonl"]


# -- pipes, and streams that are closed


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_a_pipe_is_read_once_and_one_that_is_written_keeps_no_state(pylf: Command, here: Path) -> None:
    os.mkfifo("pipe")
    for _ in range(2):
        writer = threading.Thread(target=(here / "pipe").write_text, args=(lines(record(0), record(1)),))
        writer.start()
        assert "2 in, 2 out, 0 refused" in pylf("compile", "pipe", *FIELD, "-o", "out.jsonl").err
        writer.join()
    assert [a["id"] for a in answers((here / "out.jsonl").read_text())] == ["q0", "q1"]
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((here / "pipe").read_text()))
    reader.start()
    assert pylf("compile", "-", *FIELD, "-o", "pipe", stdin=lines(record(0))).status == 0
    reader.join()
    assert [a["id"] for a in answers(read[0])] == ["q0"]
    assert not (here / "pipe.state.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors by a shell")
def test_closed_streams_are_no_fault(env: dict[str, str], many: Path, here: Path) -> None:
    command = [sys.executable, "-m", "pylf", "compile", str(many), *FIELD, "--jobs", "2"]

    def run(how: str, *more: str) -> subprocess.CompletedProcess[str]:
        shell = ["sh", "-c", f'"$@" {how}', "sh", *command, *more]
        return subprocess.run(shell, env=env, capture_output=True, text=True, timeout=60, check=False)

    done = run("2>&-")
    assert (done.returncode, done.stderr, len(answers(done.stdout))) == (1, "", 4000)
    done = run("<&- >&- 2>&-", "-o", "out.jsonl")
    assert (done.returncode, len(answers((here / "out.jsonl").read_text()))) == (1, 4000)
    done = run(">&-")
    assert done.returncode == 2
    assert done.stderr.endswith("pylf: standard output is closed\n")


@pytest.mark.skipif(sys.platform == "win32", reason="whether a pipe waits cannot be told")
def test_what_is_done_is_handed_on_while_the_next_is_awaited(env: dict[str, str], here: Path) -> None:
    command = [sys.executable, "-m", "pylf", "compile", "-", *FIELD, "--jobs", "2"]
    process = subprocess.Popen(command, env=env, cwd=here, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        for number in range(3):
            process.stdin.write(lines(record(number)))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == f"q{number}"
        process.stdin.close()
    assert process.returncode == 0
