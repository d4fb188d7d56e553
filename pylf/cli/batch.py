"""``pylf compile --batch``: a whole set of questions, a line of JSON for each."""

from __future__ import annotations

import io
import os
import sys
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from pylf.batch.compiler import Compiler
from pylf.batch.gold import KEPT
from pylf.batch.outcome import SHOWN
from pylf.batch.plan import field_of, plan_for
from pylf.batch.reading import RecordFile, open_records
from pylf.batch.resume import Output, files_of
from pylf.batch.run import carry_out, files_written, opened
from pylf.cli import options as shared
from pylf.errors import InputError, PylfError, printable
from pylf.files import apart
from pylf.forms import EVERYTHING
from pylf.progress import Progress

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from pylf.batch.outcome import Tally
    from pylf.batch.plan import Plan

#: A file of fewer bytes is compiled before other processes have started.
_WORTH_SHARING = 1 << 17


def run(options: argparse.Namespace) -> int:
    """Compile every record; 1 when some are refused, 2 when the set cannot be read."""
    plan = _plan(options)
    path: str | None = None if options.output in (None, "-") else options.output
    _check_paths(options, plan, path)
    with ExitStack() as stack:
        records = _records(options.file, stack)
        output = opened(path, plan, records, fresh=options.fresh, dated=options.today is not None)
        stack.enter_context(output)
        with Progress() as progress:
            progress.phase("opening the schema")
            compiler = Compiler(output.plan)
        shared.remark(compiler.schema)
        tally, before = output.tally, output.before
        chunks = carry_out(records, output, compiler, _jobs(options, records))
        try:
            with Progress() as progress, closing(chunks):
                for chunk in chunks:
                    progress.what = f"{tally.total:,} records"
                    if records.size is None:
                        progress.phase(progress.what)
                    else:
                        progress.advance(chunk.read, records.size)
        except (PylfError, KeyboardInterrupt) as problem:
            _summarize(options, tally, before)
            if isinstance(output, Output) and isinstance(problem, KeyboardInterrupt):
                shared.say(f"{path} keeps them; the same command goes on from there")
            raise
    _summarize(options, tally, before)
    return 1 if tally.refused else 0


def _plan(options: argparse.Namespace) -> Plan:
    if options.explain:
        raise InputError("--explain is for one question; --json writes all forms of each record")
    if options.fresh and options.output in (None, "-"):
        raise InputError("--fresh is for a file that --output names")
    if options.patience is not None:
        raise InputError("--timeout is for one question, not for --batch")
    if options.graphs:
        raise InputError("--batch takes the graphs to ask from the endpoint's file ('pylf doctor --save')")
    field = options.field or field_of(options.source)
    if not field:
        raise InputError("--batch needs --field: the name of the field that holds the question")
    if options.kg is None and options.schema is None and options.vocabulary is None:
        shared.say(shared.BUNDLED)
    surroundings = {name: getattr(options, name) for name in ("kg", "schema", "vocabulary")}
    forms = EVERYTHING if options.json else (options.to,)
    if options.answers:
        forms = tuple(dict.fromkeys((*forms, *KEPT)))
    return plan_for(field, options.id, options.source, forms, surroundings | shared.choices(options))


def _check_paths(options: argparse.Namespace, plan: Plan, output: str | None) -> None:
    """Look that no file is written that is also read, or written twice."""
    for name, path in (("--output", options.output), ("--summary", options.summary)):
        if path == "":
            raise InputError(f"{name} names no file")
    if options.summary is not None and not os.path.isdir(os.path.dirname(os.path.abspath(options.summary))):
        raise InputError(f"{options.summary}: no such folder")
    apart(files_of(plan, options.file), files_written(output) | {"the summary": options.summary})


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
