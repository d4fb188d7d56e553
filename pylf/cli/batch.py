"""``pylf compile --batch``: a whole set of questions, a line of JSON for each."""

from __future__ import annotations

import io
import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pylf.batch.answered import difference, read_answered, read_state, state_of, state_path
from pylf.batch.compiler import Compiler
from pylf.batch.outcome import Tally, refused, written
from pylf.batch.plan import id_of, plan_for
from pylf.batch.reading import Chunk, RecordFile
from pylf.cli import options as shared
from pylf.cli.progress import Progress
from pylf.errors import InputError, printable, reason

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pylf.batch.answered import Answered
    from pylf.batch.plan import Plan

#: A file of fewer bytes is compiled before other processes have started.
_WORTH_SHARING = 1 << 17
#: The source that a field of this name holds, in the published sets.
_SOURCES = {
    "s_expression": "sexpr", "sexpr": "sexpr", "s_expr": "sexpr", "SExpr": "sexpr",
    "graph_query": "graphquery", "graphquery": "graphquery",
}  # fmt: skip
#: The field that holds such a source, where none is named.
_FIELDS = {"sexpr": "s_expression", "graphquery": "graph_query"}
#: What ``--json`` writes of each record.
_EVERYTHING = ("fingerprint", "english", "sparql", "ir")


def run(options: argparse.Namespace) -> int:
    """Compile every record; 1 when some are refused, 2 when the set cannot be read."""
    plan = _plan(options)
    output = _output(options)
    with ExitStack() as stack:
        records = _records(options.file, stack)
        answered = None
        if output is not None:
            plan, answered = _resumed(options, plan, output)
        tally = Tally() if answered is None else answered.tally
        sink = _sink(output, answered, stack)
        before = tally.total
        chunks = records.chunks() if answered is None else _left(records.chunks(), answered, plan, output or "")
        try:
            with Progress() as progress:
                progress.phase("opening the schema")
                for chunk, (out, counted) in _answers(chunks, plan, _jobs(options, records), stack):
                    sink(out)
                    tally.merge(counted)
                    progress.what = f"{tally.total:,} records"
                    if records.size is None:
                        progress.phase(progress.what)
                    else:
                        progress.advance(chunk.read, records.size)
        except KeyboardInterrupt:
            _summarize(options, tally, before)
            if output is not None:
                shared.say(f"{output} keeps them; the same command goes on from there")
            raise
    _summarize(options, tally, before)
    return 1 if tally.refused else 0


def _plan(options: argparse.Namespace) -> Plan:
    if options.explain:
        raise InputError("--explain is for one question; --json writes all forms of each record")
    if options.fresh and options.output is None:
        raise InputError("--fresh is for a file that --output names")
    field, source = options.field, options.source
    if field is None:
        field = _FIELDS.get(source or "")
        if field is None:
            raise InputError("--batch needs --field: the name of the field that holds the question")
    source = source or _SOURCES.get(field.rpartition(".")[2], "pylf")
    if options.kg is None and options.schema is None and options.vocabulary is None:
        shared.say(shared.BUNDLED)
    surroundings = {name: getattr(options, name) for name in ("kg", "schema", "vocabulary")}
    forms = _EVERYTHING if options.json else (options.to,)
    return plan_for(field, options.id, source, forms, surroundings | shared.choices(options))


def _output(options: argparse.Namespace) -> str | None:
    """The file that a run may go on with; None for standard output."""
    output: str | None = options.output
    if output is None or output == "-":
        return None
    if os.path.exists(output) and os.path.exists(options.file) and os.path.samefile(output, options.file):
        raise InputError(f"{output} is the set itself")
    return output


def _records(path: str, stack: ExitStack) -> RecordFile:
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed")
        stream: Any = sys.stdin.buffer
        return RecordFile(stream if hasattr(stream, "peek") else io.BufferedReader(stream), "standard input")
    try:
        stream = stack.enter_context(io.BufferedReader(io.FileIO(path)))
        return RecordFile(stream, path, os.fstat(stream.fileno()).st_size or None)
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None


def _jobs(options: argparse.Namespace, records: RecordFile) -> int:
    if options.jobs is not None:
        return int(options.jobs)
    if records.size is not None and records.size < _WORTH_SHARING:
        return 1
    affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)  # Linux alone tells
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _answers(
    chunks: Iterator[Chunk], plan: Plan, jobs: int, stack: ExitStack
) -> Iterator[tuple[Chunk, tuple[bytes, Mapping[str, Any]]]]:
    """Each chunk's answers and their tally, in order."""
    compiler = Compiler(plan)  # with several jobs too: what cannot be opened is told once, what is cached is ready
    if jobs > 1:
        from pylf.batch.workers import Pool

        yield from stack.enter_context(Pool(plan, jobs)).answers(chunks)
        return
    for chunk in chunks:
        if chunk.fault is not None:
            answer = refused(chunk.first, chunk.first, *chunk.fault)
            tally = Tally()
            tally.add(answer)
            yield chunk, (written(answer), tally.to_json())
            continue
        for line in chunk.lines():  # one by one: an interrupted run keeps all that it has done
            out, tally = compiler.chunk(line.first, line.data)
            yield line, (out, tally.to_json())


# -- going on where a run ended


def _resumed(options: argparse.Namespace, plan: Plan, output: str) -> tuple[Plan, Answered | None]:
    """The plan, with the date of the run that it goes on with, and what that run has answered."""
    path = None if options.file == "-" else options.file
    if os.path.exists(output) and not os.path.isfile(output):
        if os.path.isdir(output):
            raise InputError(f"{output}: is a directory")
        return plan, None  # a pipe, or a device
    state = state_of(plan, path)
    there = not options.fresh and os.path.exists(output) and os.path.getsize(output) > 0
    if there:
        before = read_state(output)
        if before is None:
            raise InputError(f"{output} exists, and nothing tells which run made it; --fresh starts over")
        differs = difference(state, before, path, options.today is not None)
        if differs is not None:
            raise InputError(f"{output} is of another run: {differs}; --fresh starts over")
        today = before["plan"]["choices"].get("today")
        return plan_for(plan.field, plan.id, plan.source, plan.forms, {**plan.choices, "today": today}), (
            read_answered(output)
        )
    try:
        if os.path.exists(output):
            os.truncate(output, 0)
    except OSError as problem:
        raise InputError(f"{output}: {reason(problem)}") from None
    import json

    shared.write_text(state_path(output), json.dumps(state, ensure_ascii=False, indent=1) + "\n")
    return plan, None


def _left(chunks: Iterable[Chunk], answered: Answered, plan: Plan, output: str) -> Iterator[Chunk]:
    """What is still to be answered."""
    met = answered.line == 0
    for chunk in chunks:
        if not met and chunk.last >= answered.line:
            met = True
            text = next((c.data for c in chunk.lines() if c.first == answered.line), b"")
            if chunk.fault is None and _id(text, plan, answered.line) != answered.id:
                raise InputError(f"{output} is of another run: its last record is not there; --fresh starts over")
        left = chunk.after(answered.line)
        if left is not None:
            yield left
    if not met:
        raise InputError(f"{output} is of another run: the set has fewer records; --fresh starts over")


def _id(text: bytes, plan: Plan, line: int) -> str | int:
    import json

    try:
        found = id_of(json.loads(text.decode()), plan.id, line)
    except (ValueError, RecursionError):
        found = None
    return line if found is None else found


def _sink(output: str | None, answered: Answered | None, stack: ExitStack) -> Callable[[bytes], object]:
    """Where answers go: each chunk at once, so that what is written is whole lines, but for a torn last one."""
    if output is None:
        return lambda data: (sys.stdout.write(data.decode()), sys.stdout.flush())
    try:
        if answered is not None:
            os.truncate(output, answered.size)
        file = stack.enter_context(io.FileIO(output, "a"))
    except OSError as problem:
        raise InputError(f"{output}: {reason(problem)}") from None

    def write(data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]

    return write


# -- the summary


def _summarize(options: argparse.Namespace, tally: Tally, before: int) -> None:
    refusals = tally.refusals
    resumed = f" ({before:,} of them answered before)" if before else ""
    shared.say(f"{tally.total:,} in, {tally.total - refusals:,} out, {refusals:,} refused{resumed}")
    for title, found in (("refused", tally.refused), ("warnings", tally.warned)):
        if found:
            shared.say(title)
            width = max(len(f"{count:,}") for count, _ in found.values())
            for code, (count, ids) in sorted(found.items(), key=lambda item: (-item[1][0], item[0])):
                first = ", ".join(printable(str(known)[:80]) for known in ids)
                shared.say(f"  {count:>{width},}  {code}: {first}{', …' if count > len(ids) else ''}")
    if options.summary is not None:
        import json

        shared.write_text(options.summary, json.dumps(tally.to_json(), ensure_ascii=False, indent=2) + "\n")
