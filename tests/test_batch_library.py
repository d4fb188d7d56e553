"""``pylf.batch``: sets of records from Python, and how they are read in chunks."""

from __future__ import annotations

import io
import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.api import bundled_schema, compile
from pylf.batch import compile_batch, plan_for
from pylf.batch.outcome import Compiled, Tally, read_compiled, refused, written
from pylf.batch.reading import Chunk, RecordFile
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
        list(compile_batch(RECORDS[:1], jobs=2, **given))


@pytest.mark.parametrize("wrong", [{"source": "x"}, {"to": "x"}, {"negation": "x"}, {"schema": "none.ttl"}])
def test_what_is_no_choice_is_said_before_any_record(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        compile_batch(iter(()), field="program", **wrong)


def test_a_process_that_cannot_open_the_schema_says_why() -> None:
    plan = plan_for("program", None, "pylf", ("sparql",), {"schema": "none.ttl"})
    with pytest.raises(InputError, match=r"none\.ttl"), Pool(plan, 2) as pool:
        list(pool.answers([Chunk(1, b"{}", 0)]))


def test_a_record_that_ends_its_process_is_named_and_the_others_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    from pylf.batch import workers

    # a worker that ends itself when it meets a certain record
    monkeypatch.setattr(
        workers,
        "_START",
        workers._START.replace(
            "main()",
            "import os, pylf.batch.compiler as c; line = c.Compiler.line; c.Compiler.line = lambda self, n, text: "
            "os._exit(9) if b'deadly' in text else line(self, n, text); main()",
        ),
    )
    records = [{"id": f"q{n}", "program": "deadly" if n in (2, 5) else PROGRAM} for n in range(8)]
    found = list(compile_batch(records, field="program", jobs=2))
    assert [c.id for c in found] == [f"q{n}" for n in range(8)]
    assert [c.id for c in found if c.errors] == ["q2", "q5"]
    assert {e["code"] for c in found for e in c.errors} == {"worker-died"}


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
    assert whole.warned["w"] == (20, [0, 2, 4, 6, 8])


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
