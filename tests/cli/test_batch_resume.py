"""``pylf compile --batch -o``: runs that are cut short go on where they ended, and notice what has changed since."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pylf.batch.plan import plan_for
from pylf.batch.reading import open_records
from pylf.batch.resume import Output
from pylf.errors import InputError
from tests.sets import FIELD, TODAY, answers, lines, record, write_many

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Command


@pytest.fixture
def many(here: Path) -> Path:
    return write_many(here / "many.jsonl")


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
    # the last one is answered again: it may not have been whole
    assert "3 in, 3 out, 0 refused (1 of them answered before)" in pylf(*command).err
    assert [a["id"] for a in answers((here / "out.jsonl").read_text())] == ["q0", "q1", "q2"]
    assert "(3 of them answered before)" in pylf(*command).err
    before = (here / "out.jsonl").read_bytes()
    (here / "set.jsonl").write_text(lines(record(0), record(1), record(7)), encoding="utf-8")
    status, _, err = pylf(*command)
    assert (status, (here / "out.jsonl").read_bytes()) == (2, before)
    assert "the set has changed since" in err


@pytest.mark.parametrize("array", [False, True])
def test_what_was_cut_off_is_answered_when_it_is_whole(pylf: Command, here: Path, array: bool) -> None:
    whole = (json.dumps([record(1), record(2)]) if array else lines(record(1), record(2))).encode()
    for name in ("set.jsonl", "-"):
        for size in (len(whole) - 40, whole.index(b"q2"), 1):
            (here / "set.jsonl").write_bytes(whole[:size])
            command = ("compile", name, *FIELD, "-o", "out.jsonl")
            assert pylf(*command, "--fresh", stdin=whole[:size]).status == 1
            (here / "set.jsonl").write_bytes(whole)
            status, _, err = pylf(*command, stdin=whole)
            assert status == 0, err
            assert ["sparql" in a for a in answers((here / "out.jsonl").read_text())] == [True, True]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--to", "ir"), "it was compiled to sparql, and is now to ir"),
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
    assert f"out.jsonl is of another run: {told}; --fresh (fresh=True) starts over" in err
    assert (here / "out.jsonl").read_bytes() == before


def test_a_changed_set_or_output_is_noticed(pylf: Command, here: Path) -> None:
    command = ("compile", "set.jsonl", *FIELD, "-o", "out.jsonl")
    (here / "set.jsonl").write_text(lines(record(0), record(1)), encoding="utf-8")
    (here / "out.jsonl").write_text("mine\n")
    assert "out.jsonl exists, and nothing tells which run made it" in pylf(*command).err
    assert (here / "out.jsonl").read_text() == "mine\n"
    assert pylf(*command, "--fresh").status == 0
    (here / "set.jsonl").write_text(lines(record(5), record(1)), encoding="utf-8")
    assert "the set has changed since" in pylf(*command).err
    (here / "other.jsonl").write_text(lines(record(5)), encoding="utf-8")
    assert "its set was set.jsonl, not other.jsonl" in pylf("compile", "other.jsonl", *command[2:]).err
    (here / "copy.jsonl").write_text(lines(record(0), record(1)), encoding="utf-8")
    assert pylf("compile", "copy.jsonl", *command[2:]).status == 0
    (here / "set.jsonl").write_text(lines(record(0), record(1)), encoding="utf-8")
    with (here / "out.jsonl").open("a") as stream:
        stream.write("mine\n")
    assert "out.jsonl: line 3 is no answer of this run" in pylf(*command).err


def test_a_state_that_is_none_is_said(pylf: Command, here: Path) -> None:
    (here / "set.jsonl").write_text(lines(record(0)), encoding="utf-8")
    command = ("compile", "set.jsonl", *FIELD[:3], "-o", "out.jsonl")
    assert pylf(*command).status == 0
    path = here / "out.jsonl.state.json"
    good = json.loads(path.read_text())
    plan, choices = good["plan"], good["plan"]["choices"]
    wrong: tuple[object, ...] = (
        [],
        None,
        {**good, "plan": []},
        {**good, "files": None},
        {**good, "input": 5},
        {**good, "input": {"bytes": "5", "sha256": "", "name": ""}},
        {**good, "plan": {**plan, "forms": None}},
        {**good, "plan": {**plan, "forms": [3]}},
        {**good, "plan": {**plan, "choices": []}},
        {**good, "plan": {**plan, "choices": {**choices, "today": "never"}}},
        {**good, "plan": {**plan, "choices": {**choices, "today": 5}}},
        {k: v for k, v in good.items() if k != "pylf"},
    )
    for bad in wrong:
        path.write_text(json.dumps(bad))
        status, _, err = pylf(*command)
        assert status == 2, bad
        assert "out.jsonl.state.json is not the state of a run; --fresh (fresh=True) starts over" in err
    assert pylf(*command, "--fresh").status == 0


def test_what_a_run_left_that_was_killed_while_it_wrote_its_state_is_cleared_away(pylf: Command, here: Path) -> None:
    (here / "set.jsonl").write_text(lines(record(0)), encoding="utf-8")
    command = ("compile", "set.jsonl", *FIELD, "-o", "out.jsonl")
    for more in ((), (), ("--fresh",)):
        (here / "out.jsonl.state.json.new").write_text('{"pylf": ')
        assert pylf(*command, *more).status == 0
        assert [path.name for path in sorted(here.iterdir())] == ["out.jsonl", "out.jsonl.state.json", "set.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="limits what a process may write")
def test_a_disk_that_is_full_is_said_and_what_is_written_is_counted(
    pylf: Command, env: dict[str, str], here: Path
) -> None:
    (here / "set.jsonl").write_text(lines(*map(record, range(40))), encoding="utf-8")
    arguments = ["compile", "set.jsonl", *FIELD, "--to", "english", "-o", "out.jsonl"]
    assert pylf(*arguments).status == 0
    whole = (here / "out.jsonl").read_bytes()
    most = len(whole) // 2 + 10
    script = (
        "import resource, signal, sys; from pylf.cli.main import main; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most})); sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-B", "-c", script, *arguments, "--fresh"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, done.stderr
    kept = (here / "out.jsonl").read_bytes()
    assert kept == whole[:most]
    count = kept.count(b"\n")
    assert f"{count} in, {count} out, 0 refused" in done.stderr
    assert "pylf: out.jsonl: file too large" in done.stderr
    assert pylf(*arguments).status == 0
    assert (here / "out.jsonl").read_bytes() == whole


def test_a_schema_that_cannot_be_read_costs_no_answers(pylf: Command, here: Path) -> None:
    (here / "set.jsonl").write_text(lines(record(0)), encoding="utf-8")
    assert pylf("compile", "set.jsonl", *FIELD, "-o", "out.jsonl").status == 0
    kept = [(path.name, path.read_bytes()) for path in sorted(here.iterdir())]
    for output in ("out.jsonl", "new.jsonl"):
        assert pylf("compile", "set.jsonl", *FIELD, "-o", output, "--fresh", "--schema", "none.ttl").status == 2
    assert [(path.name, path.read_bytes()) for path in sorted(here.iterdir())] == kept


def test_a_schema_folder_is_told_by_what_its_files_hold(pylf: Command, here: Path) -> None:
    (here / "own").mkdir()
    roles = here / "own" / "fb_roles"
    roles.write_text("a.a a.a.b a.c\na line that is none\n")
    (here / "set.jsonl").write_text(lines({"program": "x = STOP(START('m.01'))"}), encoding="utf-8")
    command = ("compile", "set.jsonl", *FIELD, "--schema", "own", "-o", "out.jsonl")
    status, _, err = pylf(*command)
    assert (status, err.count("left out of the schema")) == (0, 1)
    assert pylf(*command).status == 0
    roles.write_text("a.a a.a.d a.c\na line that is none\n")
    assert "the schema has changed since" in pylf(*command).err


def test_one_run_at_a_time_writes_a_file(pylf: Command, here: Path) -> None:
    (here / "set.jsonl").write_text(lines(record(0), record(1)), encoding="utf-8")
    command = ("compile", "set.jsonl", *FIELD, "-o", "out.jsonl")
    for there in (False, True):
        plan = plan_for("program", None, None, ("sparql",), {"today": TODAY[1]})
        with open_records("set.jsonl") as records, Output("out.jsonl", plan, records, fresh=True) as output:
            if there:
                output.begin()
            for more in ((), ("--fresh",)):
                status, _, err = pylf(*command, *more)
                assert status == 2
                assert "out.jsonl: another run is writing it" in err
        assert (here / "out.jsonl").exists() == there
    assert pylf(*command).status == 0


def test_no_more_is_read_than_the_state_tells_of(here: Path) -> None:
    (here / "set.jsonl").write_text(lines(record(0)), encoding="utf-8")
    with open_records("set.jsonl") as records:
        assert (records.hashed() or {})["bytes"] == (here / "set.jsonl").stat().st_size
        with (here / "set.jsonl").open("a") as stream:
            stream.write(lines(record(1)))
        assert b"".join(chunk.data for chunk in records.chunks()).decode() == lines(record(0))
        records.check()
        (here / "set.jsonl").write_text(lines(record(2)), encoding="utf-8")
        os.utime("set.jsonl", (0, 0))
        with pytest.raises(InputError, match="was changed while it was read"):
            records.check()


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
