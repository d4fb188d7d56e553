"""A process that compiles chunks of records: lines of JSON in at standard input, answers out at standard output.

What goes through the pipes is bytes in frames: a plan first, as JSON; then for each chunk its first line's number and
its lines, answered by lines and a tally, as JSON. The end of the input ends the process, so it never outlives the one
that feeds it.
"""

from __future__ import annotations

import gc
import json
import os
import struct
import sys
from typing import IO

from pylf.batch.compiler import Compiler
from pylf.batch.plan import read_plan
from pylf.batch.reading import Chunk
from pylf.errors import PylfError

#: number of the first line, length of the lines
ASKED = struct.Struct(">QI")
#: lengths of the answers and of the tally (of nothing and of the reason, where the plan cannot be followed)
ANSWERED = struct.Struct(">II")


def main() -> None:
    """Follow a plan until the input ends."""
    source, sink = sys.stdin.buffer, os.dup(1)
    os.dup2(2, 1)  # whatever is printed by mistake is no part of the frames
    plan = _asked(source)
    if plan is None:
        return
    try:
        compiler = Compiler(read_plan(json.loads(plan.data)))
    except PylfError as problem:
        _send(sink, b"", json.dumps(str(problem)).encode())
        return
    _send(sink, b"", b"null")
    gc.collect()
    gc.freeze()  # what all records share need not be looked at again,
    gc.set_threshold(50_000, 20, 20)  # and a compilation leaves next to nothing for the collector to find
    while (chunk := _asked(source)) is not None:
        out, tally = compiler.chunk(chunk)
        _send(sink, out, json.dumps(tally).encode())


def _asked(source: IO[bytes]) -> Chunk | None:
    """What is to be done next; None at the end, also where whoever asks is gone in the middle of it."""
    header = source.read(ASKED.size)
    if len(header) < ASKED.size:
        return None
    first, length = ASKED.unpack(header)
    data = source.read(length)
    return Chunk(first, data, 0) if len(data) == length else None


def _send(sink: int, out: bytes, tally: bytes) -> None:
    left = memoryview(ANSWERED.pack(len(out), len(tally)) + out + tally)
    while left:
        try:
            left = left[os.write(sink, left) :]
        except BrokenPipeError:  # whoever asked is gone
            os._exit(0)
