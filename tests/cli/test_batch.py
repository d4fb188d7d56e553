"""``pylf compile --batch``: every record answered in order, whatever is wrong with some; runs that are cut short."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Command

ROCKETS = "x = STOP(JOIN('spaceflight.rocket.manufacturer', START(':{}')))"
TODAY = ("--today", "2026-11-30")
FIELD = ("--batch", "--field", "program", *TODAY)


def record(number: int, **more: object) -> dict[str, object]:
    return {"id": f"q{number}", "program": ROCKETS.format(f"company_{number}"), **more}


def lines(*records: object) -> str:
    return "".join(json.dumps(r) + "\n" for r in records)


def answers(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def many(here: Path) -> Path:
    """A set that takes a second or two."""
    path = here / "many.jsonl"
    made = [record(n) if n % 50 else {"id": n, "program": "STOP("} for n in range(1, 4001)]
    path.write_text(lines(*made), encoding="utf-8")
    return path


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


@pytest.mark.parametrize("end", [b"", b"]x", b', {"id": "z"', b', nonsense, {"id": "z"}]', b", " + b"[" * 100_000])
def test_an_array_that_breaks_off_is_answered_so_far(pylf: Command, end: bytes) -> None:
    data = json.dumps([record(1), record(2)]).encode()[:-1] + end
    status, out, _ = pylf("compile", "-", *FIELD, stdin=data)
    found = answers(out)
    assert [("sparql" in a, a["line"]) for a in found[:2]] == [(True, 1), (True, 2)]
    assert status == (0 if end == b"]x" else 1)
    assert [a["line"] for a in found[2:]] == ([] if end == b"]x" else [3])
    assert [a["error"]["code"] for a in found[2:]] == ([] if end == b"]x" else [found[2]["error"]["code"]])


def test_a_damaged_archive_is_answered_so_far(pylf: Command, here: Path) -> None:
    packed = gzip.compress(lines(*map(record, range(3000))).encode())
    (here / "cut.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    status, out, err = pylf("compile", "cut.jsonl.gz", *FIELD, "-o", "out.jsonl")
    assert (status, out) == (2, "")
    assert "cut.jsonl.gz: cannot be read on" in err
    assert len(answers((here / "out.jsonl").read_text())) > 100


def test_the_summary_counts_reasons_and_names_the_first(pylf: Command, here: Path) -> None:
    made = [record(n) if n % 3 else {"id": f"bad{n}", "program": "STOP("} for n in range(30)]
    made.append({"id": "w", "program": "x = STOP(JOIN('spaceflight.rocket.manufacturer', START('Boeng')))"})
    made.append({"id": "t", "program": "x = STOP(JOIN('spaceflight.rocket.mass', START('rocket')))"})
    status, _, err = pylf("compile", "-", *FIELD, "--lenient", "--summary", "s.json", stdin=lines(*made))
    assert status == 1
    assert err.splitlines()[-5:] == [
        "32 in, 22 out, 10 refused",
        "refused",
        "  10  unclosed-bracket: bad0, bad3, bad6, bad9, bad12, …",
        "warnings",
        "  1  type-mismatch: t",
    ]
    assert json.loads((here / "s.json").read_text()) == {
        "in": 32,
        "out": 22,
        "refused": {"unclosed-bracket": {"count": 10, "first": ["bad0", "bad3", "bad6", "bad9", "bad12"]}},
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
    assert set(whole) == {"id", "line", "fingerprint", "english", "sparql", "ir", "warnings"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("compile", "set.jsonl", "--batch"), "--batch needs --field"),
        (("compile", "set.jsonl", "--field", "program"), "--field is for whole sets: --batch"),
        (("compile", "set.jsonl", "--fresh"), "--fresh is for whole sets: --batch"),
        (("compile", "set.jsonl", *FIELD, "--explain"), "--explain is for one question"),
        (("compile", "set.jsonl", *FIELD, "--fresh"), "--fresh is for a file that --output names"),
        (("compile", "set.jsonl", *FIELD, "--jobs", "0"), "'0' is not a whole number above 0"),
        (("compile", "set.jsonl", *FIELD, "-o", "set.jsonl"), "set.jsonl is the set itself"),
        (("compile", "set.jsonl", *FIELD, "-o", "."), ".: is a directory"),
        (("compile", "set.jsonl", *FIELD, "-o", "none/x"), "none/x"),
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


# -- runs that are cut short


def test_a_run_goes_on_where_its_output_ends(pylf: Command, here: Path) -> None:
    made = [record(n) if n % 4 else {"id": f"q{n}", "program": "STOP("} for n in range(40)]
    (here / "set.jsonl").write_text("\n" + lines(*made), encoding="utf-8")
    (here / "array.json").write_text(json.dumps(made, indent=2), encoding="utf-8")
    for name in ("set.jsonl", "array.json"):
        command = ("compile", name, *FIELD, "-o", "out.jsonl")
        assert pylf(*command, "--fresh").status == 1
        whole = (here / "out.jsonl").read_bytes()
        ends = [n + 1 for n, byte in enumerate(whole) if byte == 10]
        for size in (0, 5, ends[0], ends[0] + 1, ends[20], ends[20] + 30, ends[-1] - 1, ends[-1]):
            (here / "out.jsonl").write_bytes(whole[:size])
            status, out, err = pylf(*command)
            assert (status, out) == (1, ""), err
            assert (here / "out.jsonl").read_bytes() == whole, size
            kept = sum(end <= size for end in ends)
            assert f"40 in, 30 out, 10 refused{f' ({kept} of them answered before)' if kept else ''}\n" in err


def test_what_is_answered_is_not_compiled_again(pylf: Command, here: Path) -> None:
    (here / "set.jsonl").write_text(lines(*map(record, range(5))), encoding="utf-8")
    command = ("compile", "set.jsonl", *FIELD, "-o", "out.jsonl")
    assert pylf(*command).status == 0
    marked = answers((here / "out.jsonl").read_text())[:3]
    marked[1]["sparql"] = "as it was answered"
    (here / "out.jsonl").write_text(lines(*marked), encoding="utf-8")
    assert pylf(*command).status == 0
    found = answers((here / "out.jsonl").read_text())
    assert [a["id"] for a in found] == ["q0", "q1", "q2", "q3", "q4"]
    assert found[1]["sparql"] == "as it was answered"
    assert pylf(*command, "--fresh").status == 0
    assert answers((here / "out.jsonl").read_text())[1]["sparql"].startswith("SELECT")


def test_a_set_that_has_grown_is_the_same_set(pylf: Command, here: Path) -> None:
    command = ("compile", "set.jsonl", *FIELD, "-o", "out.jsonl")
    (here / "set.jsonl").write_text(lines(record(0), record(1)), encoding="utf-8")
    assert pylf(*command).status == 0
    (here / "set.jsonl").write_text(lines(record(0), record(1), record(2)), encoding="utf-8")
    assert "3 in, 3 out, 0 refused (2 of them answered before)" in pylf(*command).err
    assert [a["id"] for a in answers((here / "out.jsonl").read_text())] == ["q0", "q1", "q2"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--to", "ir"), "its forms was sparql and is now ir"),
        (("--negation", "pca"), "its negation was cwa and is now pca"),
        (("--id", "program"), "its id was not given and is now program"),
        (("--today", "2020-01-01"), "its today was 2026-11-30 and is now 2020-01-01"),
        (("--schema", "own.ttl"), "its schema was not given and is now own.ttl"),
    ],
)
def test_the_output_of_another_run_is_left_alone(pylf: Command, here: Path, more: tuple[str, ...], told: str) -> None:
    (here / "set.jsonl").write_text(lines(record(0)), encoding="utf-8")
    (here / "own.ttl").touch()
    command = ("compile", "set.jsonl", *FIELD, "-o", "out.jsonl")
    assert pylf(*command).status == 0
    before = (here / "out.jsonl").read_bytes()
    status, _, err = pylf(*command, *more)
    assert status == 2
    assert f"out.jsonl is of another run: {told}; --fresh starts over" in err
    assert (here / "out.jsonl").read_bytes() == before


def test_a_changed_set_or_output_is_noticed(pylf: Command, here: Path) -> None:
    command = ("compile", "set.jsonl", *FIELD, "-o", "out.jsonl")
    (here / "set.jsonl").write_text(lines(record(0), record(1)), encoding="utf-8")
    (here / "out.jsonl").write_text("mine\n")
    assert "out.jsonl exists, and nothing tells which run made it" in pylf(*command).err
    assert (here / "out.jsonl").read_text() == "mine\n"
    assert pylf(*command, "--fresh").status == 0
    (here / "set.jsonl").write_text(lines(record(5), record(1)), encoding="utf-8")
    assert "the input has changed since" in pylf(*command).err
    (here / "set.jsonl").write_text(lines(record(0), record(1)), encoding="utf-8")
    with (here / "out.jsonl").open("a") as stream:
        stream.write("mine\n")
    assert "out.jsonl: line 3 is no answer of this run" in pylf(*command).err
    (here / "out.jsonl.state.json").write_text("[]")
    assert "out.jsonl.state.json is not the state of a run" in pylf(*command).err


def test_standard_input_goes_on_too(pylf: Command, here: Path) -> None:
    command = ("compile", "-", *FIELD, "-o", "out.jsonl")
    given = lines(*map(record, range(4)))
    assert pylf(*command, stdin=given).status == 0
    whole = (here / "out.jsonl").read_bytes()
    (here / "out.jsonl").write_bytes(whole[: whole.index(b"\n") + 1])
    assert "its last record is not there" in pylf(*command, stdin=lines(record(9))).err
    assert "the set has fewer records" in pylf(*command, stdin="").err
    assert pylf(*command, stdin=given).status == 0
    assert (here / "out.jsonl").read_bytes() == whole


def begun(env: dict[str, str], many: Path, jobs: str) -> subprocess.Popen[str]:
    """A run that has written something and is not done."""
    command = [sys.executable, "-m", "pylf", "compile", str(many), *FIELD, "--jobs", jobs, "-o", "out.jsonl"]
    process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True, cwd=many.parent)
    output = many.parent / "out.jsonl"
    until(lambda: output.exists() and output.stat().st_size > 50_000)
    return process


def until(done: Callable[[], bool]) -> None:
    for _ in range(3000):
        if done():
            return
        time.sleep(0.01)
    raise AssertionError("it does not come to that")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_goes_on_to_the_same_end(
    pylf: Command, env: dict[str, str], many: Path, here: Path, how: signal.Signals
) -> None:
    process = begun(env, many, "2")
    process.send_signal(how)
    _, err = process.communicate(timeout=60)
    assert process.returncode == (130 if how is signal.SIGINT else -how)
    assert "Traceback" not in err
    part = (here / "out.jsonl").read_bytes()
    if how is signal.SIGINT:
        assert part.endswith(b"\n")
        assert "out.jsonl keeps them; the same command goes on from there" in err
    assert pylf("compile", many, *FIELD, "-o", "whole.jsonl", "--jobs", "1").status == 1
    whole = (here / "whole.jsonl").read_bytes()
    assert 50_000 < len(part) < len(whole)
    status, _, err = pylf("compile", many, *FIELD, "-o", "out.jsonl")
    assert status == 1
    kept = part.count(b"\n")
    assert f"4,000 in, 3,920 out, 80 refused ({kept:,} of them answered before)" in err
    assert (here / "out.jsonl").read_bytes() == whole


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds the processes by /proc")
def test_a_process_that_is_killed_costs_no_record(env: dict[str, str], many: Path, here: Path) -> None:
    process = begun(env, many, "2")
    children = Path(f"/proc/{process.pid}/task").glob("*/children")
    os.kill(int(next(text for path in children if (text := path.read_text())).split()[0]), signal.SIGKILL)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1, err
    assert "4,000 in, 3,920 out, 80 refused" in err
    assert [a["line"] for a in answers((here / "out.jsonl").read_text())] == list(range(1, 4001))
