"""``pylf.batch``: sets of records from Python, and how they are read in chunks."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
import threading
import tracemalloc
from enum import IntEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.api import bundled_schema, compile
from pylf.batch import compile_batch, compile_file, plan_for
from pylf.batch.outcome import Compiled, Tally, read_compiled, refused, written
from pylf.batch.reading import Chunk, RecordFile
from pylf.batch.worker import ASKED
from pylf.batch.workers import Pool
from pylf.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = "x = STOP(JOIN('spaceflight.rocket.manufacturer', START(':boeing')))"
NOW = "x = STOP(TC(START('company'), 'organization.organization.date_founded', 'NOW'))"
RECORDS: list[Any] = [
    {"id": "a", "program": PROGRAM},
    {"id": "b", "program": "STOP("},
    {"qid": 3, "program": PROGRAM, "other": object()},
    {"program": object()},
    [1],
    MappingProxyType({"id": "m", "program": PROGRAM}),
]


def test_one_process_and_two_give_the_same() -> None:
    alone = list(compile_batch(RECORDS, field="program", to=("sparql", "fingerprint")))
    assert [(c.id, c.line, sorted(c.forms)) for c in alone] == [
        ("a", 1, ["fingerprint", "sparql"]),
        ("b", 2, []),
        (3, 3, ["fingerprint", "sparql"]),
        (4, 4, []),
        (5, 5, []),
        ("m", 6, ["fingerprint", "sparql"]),
    ]
    assert alone[0].forms["sparql"] == compile(PROGRAM).to("sparql")
    assert [[e["code"] for e in c.errors] for c in alone if c.errors] == [
        ["unclosed-bracket"],
        ["wrong-type"],
        ["not-an-object"],
    ]
    shared = list(compile_batch(RECORDS, field="program", to=("sparql", "fingerprint"), jobs=2))
    assert [(c.id, c.line, c.forms) for c in shared] == [(c.id, c.line, c.forms) for c in alone]
    assert [[e["code"] for e in c.errors] for c in shared] == [[e["code"] for e in c.errors] for c in alone]


class Word(str):
    """Text of another class."""

    __slots__ = ()


class Number(IntEnum):
    FOUR = 4


CIRCLE: dict[str, Any] = {"id": "circle", "program": PROGRAM}
CIRCLE["self"] = CIRCLE
DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]
ODD: list[Any] = [
    {"id": Word("word"), "program": Word(PROGRAM)},
    {"id": Number.FOUR, "program": PROGRAM},
    {"id": True, "program": PROGRAM},
    {"id": float("nan"), "program": PROGRAM},
    {"id": "tuple", "program": (PROGRAM,)},
    {"id": "set", "program": {PROGRAM}},
    {"id": "bytes", "program": PROGRAM.encode()},
    {"id": "half \ud800", "program": "\udfff"},
    {"id": "named", "other": 1, "more": object(), 3: 4, ("a", "b"): 5},
    {"id": "deep", "other": DEEP, "program": PROGRAM},
    {3: "x"},
    CIRCLE,
    None,
    float("inf"),
    iter(()),
    [CIRCLE],
]


@pytest.mark.parametrize(("field", "source"), [("program", None), ("self", "json"), ("other", "graphquery")])
def test_odd_records_are_answered_alike_however_many_processes_there_are(field: str, source: str | None) -> None:
    alone, shared = ([c.to_json() for c in compile_batch(ODD, field=field, source=source, jobs=n)] for n in (1, 2))
    assert shared == alone
    assert [c["line"] for c in alone] == list(range(1, len(ODD) + 1))
    if field == "program":
        assert [c["id"] for c in alone if "sparql" in c] == ["word", 4, 3, 4, "deep", "circle"]
        assert alone[8]["error"]["hints"] == ["its fields are 'id', 'other', 'more', 3, ('a', 'b')"]
    else:
        assert all("error" in c for c in alone)


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_came_before_the_records_failed_is_answered(jobs: int) -> None:
    def failing() -> Iterator[dict[str, Any]]:
        for number in range(70):
            yield {"id": number, "program": PROGRAM}
        raise KeyError("the end")

    found: list[str | int] = []
    with pytest.raises(KeyError, match="the end"):
        found.extend(answer.id for answer in compile_batch(failing(), field="program", jobs=jobs))
    assert found == list(range(70))


def test_the_name_of_a_field_tells_the_source() -> None:
    text = "(AND spaceflight.rocket (JOIN spaceflight.rocket.manufacturer :boeing))"
    for field in ("s_expression", "Parses.0.SExpr"):
        (found,) = compile_batch([{field: text}], field=field)
        assert found.forms["sparql"] == compile(text, source="sexpr").sparql.rstrip("\n")
    (found,) = compile_batch([{"s_expression": PROGRAM}], field="s_expression", source="pylf", to="negation")
    assert found.forms == {"negation": "cwa"}


def test_a_file_is_compiled_into_a_file_and_gone_on_with(tmp_path: Path) -> None:
    records, output = tmp_path / "set.jsonl", tmp_path / "out.jsonl"
    records.write_text("".join(json.dumps({"id": n, "program": PROGRAM if n else "STOP("}) + "\n" for n in range(5)))
    tally = compile_file(records, output, field="program", to="english")
    assert (tally.total, tally.refused) == (5, {"unclosed-bracket": (1, [0])})
    whole = output.read_bytes()
    output.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="it was compiled to english, and is now to ir"):
        compile_file(records, output, field="program", to="ir")
    assert compile_file(records, output, field="program", to="english", jobs=2).total == 5
    assert output.read_bytes() == whole
    with pytest.raises(InputError, match="is the set, and cannot be the output too"):
        compile_file(records, records, field="program", fresh=True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_a_pipe_or_a_device_keeps_no_state(tmp_path: Path) -> None:
    records, pipe = tmp_path / "set.jsonl", tmp_path / "pipe"
    records.write_text("".join(json.dumps({"id": n, "program": PROGRAM if n else "STOP("}) + "\n" for n in range(5)))
    os.mkfifo(pipe)
    read: list[str] = []
    for jobs in (1, 2):
        reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
        reader.start()
        tally = compile_file(records, pipe, field="program", to="english", jobs=jobs)
        reader.join()
        assert (tally.total, tally.refused) == (5, {"unclosed-bracket": (1, [0])})
    assert compile_file(records, "/dev/null", field="program", to="english").total == 5
    assert [json.loads(line)["id"] for line in read[0].splitlines()] == [0, 1, 2, 3, 4]
    assert read[0] == read[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe", "set.jsonl"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    records = tmp_path / "set.jsonl"
    records.write_text(json.dumps({"id": 1, "program": PROGRAM}) + "\n")
    with pytest.raises(InputError, match="/dev/full: no space left on device"):
        compile_file(records, "/dev/full", field="program")


def test_records_are_taken_as_they_are_asked_for() -> None:
    taken: list[int] = []

    def endless() -> Iterator[dict[str, object]]:
        while True:
            taken.append(len(taken))
            yield {"program": PROGRAM}

    found = compile_batch(endless(), field="program")
    assert [next(found).id, next(found).id] == [1, 2]
    assert len(taken) == 2
    several = iter(compile_batch(endless(), field="program", jobs=2))
    assert next(several).id == 1
    assert len(taken) < 1000
    del several


def test_now_is_one_date_for_all() -> None:
    (found,) = compile_batch([{"program": NOW}], field="program", to="english", today="1999-12-31")
    assert "not after 1999-12-31" in found.forms["english"]
    assert plan_for("x", None, "pylf", ("ir",), {}).choices["today"].startswith("2")


def test_objects_of_this_process_stay_in_it() -> None:
    schema, vocabulary = bundled_schema()
    given: dict[str, Any] = {"field": "program", "schema": schema, "vocabulary": vocabulary}
    assert [c.id for c in compile_batch(RECORDS[:1], **given)] == ["a"]
    with pytest.raises(InputError, match="give its path or built-in name, or jobs=1"):
        compile_batch(RECORDS[:1], jobs=2, **given)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("wrong", [{"source": "x"}, {"to": "x"}, {"negation": "x"}, {"schema": "none.ttl"}])
def test_what_is_no_choice_is_said_before_any_record(wrong: dict[str, Any], jobs: int) -> None:
    with pytest.raises(InputError):
        compile_batch(iter(()), field="program", jobs=jobs, **wrong)


@pytest.mark.parametrize("jobs", [0, -1, True, 1.5, "2"])
def test_jobs_are_a_number_of_processes(jobs: Any) -> None:
    with pytest.raises(InputError, match="jobs is a number of processes, 1 or more"):
        compile_batch([], field="program", jobs=jobs)


@pytest.mark.parametrize("name", ["negations", "name", "text"])
def test_an_argument_that_there_is_not_is_named(name: str) -> None:
    wrong: dict[str, Any] = {name: "x"}
    with pytest.raises(TypeError, match=rf"compile_batch\(\) got an unexpected keyword argument '{name}'"):
        compile_batch([], field="program", **wrong)


def test_a_process_that_cannot_open_the_schema_says_why() -> None:
    plan = plan_for("program", None, "pylf", ("sparql",), {"schema": "none.ttl"})
    with pytest.raises(InputError, match=r"none\.ttl"), Pool(plan, 2) as pool:
        list(pool.answers([Chunk(1, b"{}", 0)]))


def _started(command: list[str], old: str, new: str) -> list[str]:
    """A command with other code: the last ``old`` in it replaced, or ``new`` in front of it."""
    place = command.index("-c") + 1
    code = command[place]
    at = code.rindex(old) if old else 0
    return [*command[:place], code[:at] + new + code[at + len(old) :], *command[place + 1 :]]


def test_a_record_that_ends_its_process_is_named_and_the_others_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    from pylf.batch import workers

    # a worker that ends itself when it meets a certain record
    deadly = (
        "import os, pylf.batch.compiler as c; line = c.Compiler.line; c.Compiler.line = lambda self, n, text: "
        "os._exit(9) if b'deadly' in text else line(self, n, text); main()"
    )
    start = workers.worker_command
    monkeypatch.setattr(workers, "worker_command", lambda module: _started(start(module), "main()", deadly))
    records = [{"id": f"q{n}", "program": "deadly" if n in (2, 5) else PROGRAM} for n in range(8)]
    found = list(compile_batch(records, field="program", jobs=2))
    assert [c.id for c in found] == [f"q{n}" for n in range(8)]
    assert [c.id for c in found if c.errors] == ["q2", "q5"]
    assert {e["code"] for c in found for e in c.errors} == {"worker-died"}


def test_a_process_that_ends_while_it_starts_is_started_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from pylf.batch import workers

    flag = tmp_path / "flag"
    ending = f"import os; p = {str(flag)!r}; os.path.exists(p) or (open(p, 'w'), os._exit(9)); "
    start = workers.worker_command
    monkeypatch.setattr(workers, "worker_command", lambda module: _started(start(module), "", ending))
    records = [{"id": n, "program": PROGRAM} for n in range(3)]
    assert [c.id for c in compile_batch(records, field="program", jobs=2) if c.forms] == [0, 1, 2]
    assert flag.exists()
    monkeypatch.setattr(workers, "worker_command", lambda _: [sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(
        InputError, match=r"the processes that compile do not start .* --jobs 1 \(jobs=1\) does without them"
    ):
        list(compile_batch(records, field="program", jobs=2))


def test_a_system_that_starts_no_process_is_told_from_one_that_cannot_write(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(InputError, match=r"do not start \(resource temporarily unavailable\)"):
        list(compile_batch(RECORDS, field="program", jobs=2))


@pytest.mark.parametrize("given", [b"", b"abc", ASKED.pack(0, 500) + b"{"])
def test_a_process_whose_pool_is_gone_ends_without_a_word(given: bytes) -> None:
    command = [sys.executable, "-c", "from pylf.batch.worker import main; main()"]
    done = subprocess.run(command, input=given, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_batch_that_is_left_half_way_ends_without_a_word() -> None:
    text = (
        "import itertools\nfrom pylf.batch import compile_batch\n"
        "found = compile_batch(itertools.repeat({'program': 'STOP('}), field='program', jobs=2)\n"
        "print(next(found).line)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, b"1", b"")


def test_an_answer_reads_back() -> None:
    finding = {"code": "c", "message": "m", "hints": ["h"], "line": 1, "column": 2, "start": 1, "end": 3}
    for answer in (
        Compiled("é\ud800", 3, {"sparql": "SELECT"}, (finding,)),
        Compiled(4, 4, {"json": {"a": [1]}, "ir": "x"}),
        Compiled("r", 5, {}, (), (finding, finding)),
        refused(6, 6, "code", "message", "hint"),
    ):
        assert written(read_compiled(json.loads(written(answer)))) == written(answer)
        assert written(answer).count(b"\n") == 1


def test_tallies_add_up() -> None:
    whole, parts = Tally(), Tally()
    for n in range(0, 40, 4):
        part = Tally()
        for k in range(n, n + 4):
            answer = refused(k, k, f"code{k % 3}", "m") if k % 2 else Compiled(k, k, {}, ({"code": "w"},))
            whole.add(answer)
            part.add(answer)
        parts.merge(json.loads(json.dumps(part.to_json())))
    assert parts.to_json() == whole.to_json()
    assert whole.refusals == 20
    assert whole.warned["w"] == (20, ["line 0", "line 2", "line 4", "line 6", "line 8"])


class Trickle(io.RawIOBase):
    """Gives a few bytes at a time, as a pipe may."""

    def __init__(self, data: bytes, step: int) -> None:
        self.data = data
        self.step = step

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self.data[: min(self.step, len(buffer))]
        self.data = self.data[len(part) :]
        buffer[: len(part)] = part
        return len(part)


class Spaces(io.RawIOBase):
    """An array of one record, with so many spaces before it, and before and behind its brackets."""

    def __init__(self, count: int) -> None:
        self.parts = [(b" ", count), (b"[", 1), (b"\n", count), (b"{}", 1), (b"\t", count), (b"]", 1), (b" ", count)]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self.parts:
            return 0
        text, count = self.parts.pop(0)
        part = text * min(count, len(buffer) // len(text))
        if count > len(part) // len(text):
            self.parts.insert(0, (text, count - len(part) // len(text)))
        buffer[: len(part)] = part
        return len(part)


def test_white_space_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        reader = RecordFile(io.BufferedReader(Spaces(5_000_000)), "set")
        assert numbered(reader.chunks()) == [(1, {})]
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=3), max_size=8)


def numbered(chunks: Iterator[Chunk]) -> list[tuple[int, Any]]:
    return [(line.first, json.loads(line.data)) for chunk in chunks for line in chunk.lines()]


@given(OBJECTS, st.integers(1, 200), st.sampled_from([None, 1]), st.booleans(), st.sampled_from([None, 2]))
def test_however_a_set_comes_in_its_records_and_their_numbers_are_the_same(
    objects: list[dict[str, Any]], step: int, size: int | None, array: bool, indent: int | None
) -> None:
    if array:
        data = json.dumps(objects, indent=indent, ensure_ascii=step % 2 == 0).encode("utf-8", "surrogatepass")
    else:
        data = "\n".join(map(json.dumps, objects)).encode()
    reader = RecordFile(io.BufferedReader(Trickle(data, step), 16), "set")
    assert numbered(reader.chunks()) == list(enumerate(objects, 1))


@given(st.lists(st.binary(max_size=6).filter(lambda b: b"\n" not in b)), st.integers(1, 5), st.integers(0, 12))
def test_what_is_left_after_a_line_is_the_rest(texts: list[bytes], first: int, line: int) -> None:
    chunk = Chunk(first, b"\n".join(texts) or b"x", 0)
    left = chunk.after(line)
    expected = [(c.first, c.data) for c in chunk.lines() if c.first > line]
    assert ([] if left is None else [(c.first, c.data) for c in left.lines()]) == expected
