"""``pylf compile --batch``: a whole set of questions, a line of JSON for each."""

from __future__ import annotations

import io
import os
import sys
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from pylf.batch.answers import answers
from pylf.batch.compiler import Compiler
from pylf.batch.outcome import SHOWN, Tally
from pylf.batch.plan import plan_for
from pylf.batch.reading import RecordFile, open_records
from pylf.batch.resume import Output, apart, files_of, is_plain
from pylf.batch.state import state_path
from pylf.cli import options as shared
from pylf.cli.progress import Progress
from pylf.errors import InputError, PylfError, printable, reason
from pylf.forms import EVERYTHING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from pylf.batch.outcome import Answer
    from pylf.batch.plan import Plan

#: A file of fewer bytes is compiled before other processes have started.
_WORTH_SHARING = 1 << 17
#: The field that holds such a source, where none is named.
_FIELDS = {"sexpr": "s_expression", "graphquery": "graph_query"}


def run(options: argparse.Namespace) -> int:
    """Compile every record; 1 when some are refused, 2 when the set cannot be read."""
    plan = _plan(options)
    path: str | None = None if options.output in (None, "-") else options.output
    resumed = path if path is not None and is_plain(path) else None
    _check_paths(options, plan, resumed)
    with ExitStack() as stack:
        records = _records(options.file, stack)
        output = None
        if resumed is not None:
            output = Output(resumed, plan, records, fresh=options.fresh, dated=options.today is not None)
            plan = stack.enter_context(output).plan
        with Progress() as progress:
            progress.phase("opening the schema")
            compiler = Compiler(plan)
        shared.remark(compiler.schema)
        if output is not None:
            output.begin()
        tally = Tally() if output is None else output.tally
        sink = _stream(path, tally, stack) if output is None else output.write
        chunks = records.chunks() if output is None else output.left(records.chunks())
        before = tally.total
        try:
            with Progress() as progress, closing(answers(chunks, compiler, _jobs(options, records))) as found:
                for chunk, answer in found:
                    sink(answer)
                    progress.what = f"{tally.total:,} records"
                    if records.size is None:
                        progress.phase(progress.what)
                    else:
                        progress.advance(chunk.read, records.size)
            records.check()
        except (PylfError, KeyboardInterrupt) as problem:
            _summarize(options, tally, before)
            if output is not None and isinstance(problem, KeyboardInterrupt):
                shared.say(f"{path} keeps them; the same command goes on from there")
            raise
    _summarize(options, tally, before)
    return 1 if tally.refused else 0


def _plan(options: argparse.Namespace) -> Plan:
    if options.explain:
        raise InputError("--explain is for one question; --json writes all forms of each record")
    if options.fresh and options.output is None:
        raise InputError("--fresh is for a file that --output names")
    field = options.field or _FIELDS.get(options.source or "")
    if not field:
        raise InputError("--batch needs --field: the name of the field that holds the question")
    if options.kg is None and options.schema is None and options.vocabulary is None:
        shared.say(shared.BUNDLED)
    surroundings = {name: getattr(options, name) for name in ("kg", "schema", "vocabulary")}
    forms = EVERYTHING if options.json else (options.to,)
    return plan_for(field, options.id, options.source, forms, surroundings | shared.choices(options))


def _check_paths(options: argparse.Namespace, plan: Plan, output: str | None) -> None:
    """Look that no file is written that is also read, or written twice."""
    for name, path in (("--output", options.output), ("--summary", options.summary)):
        if path == "":
            raise InputError(f"{name} names no file")
    if options.summary is not None and not os.path.isdir(os.path.dirname(os.path.abspath(options.summary))):
        raise InputError(f"{options.summary}: no such folder")
    state = None if output is None else state_path(output)
    written = {"the output": output, "the output's state": state, "the summary": options.summary}
    apart(files_of(plan, options.file), written)


def _records(path: str, stack: ExitStack) -> RecordFile:
    if path != "-":
        return stack.enter_context(open_records(path))
    if sys.stdin is None:
        raise InputError("standard input is closed")
    stream: Any = sys.stdin.buffer
    return RecordFile(stream if hasattr(stream, "peek") else io.BufferedReader(stream), "standard input")


def _jobs(options: argparse.Namespace, records: RecordFile) -> int:
    if options.jobs is not None:
        return int(options.jobs)
    if records.size is not None and records.size < _WORTH_SHARING:
        return 1
    affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)  # Linux alone tells
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _stream(path: str | None, tally: Tally, stack: ExitStack) -> Callable[[Answer], None]:
    """Writes to standard output, a pipe or a device."""
    if path is None:
        if sys.stdout is None:
            raise InputError("standard output is closed")
        stream: Any = sys.stdout
    else:
        try:
            stream = stack.enter_context(io.TextIOWrapper(io.FileIO(path, "a"), "utf-8", newline=""))
        except OSError as problem:
            raise InputError(f"{path}: {reason(problem)}") from None

    def write(answer: Answer) -> None:
        stream.write(answer[0].decode())
        stream.flush()
        tally.merge(answer[1])

    return write


def _summarize(options: argparse.Namespace, tally: Tally, before: int) -> None:
    refusals = tally.refusals
    resumed = f" ({before:,} of them answered before)" if before else ""
    shared.say(f"{tally.total:,} in, {tally.total - refusals:,} out, {refusals:,} refused{resumed}")
    for title, found in (("refused", tally.refused), ("warnings", tally.warned)):
        if found:
            shared.say(title)
            width = max(len(f"{count:,}") for count, _ in found.values())
            for code, (count, ids) in sorted(found.items(), key=lambda item: (-item[1][0], item[0])):
                first = ", ".join(printable(str(name)[:80]) for name in ids)
                more = ", …" if count > len(ids) == SHOWN else ""
                shared.say(f"  {count:>{width},}  {code}: {first}{more}")
    if options.summary is not None:
        import json

        shared.write_text(options.summary, json.dumps(tally.to_json(), ensure_ascii=False, indent=2) + "\n")
