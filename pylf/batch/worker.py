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

from pylf.batch.compiler import Compiler
from pylf.batch.plan import read_plan
from pylf.errors import PylfError

#: number of the first line, length of the lines
ASKED = struct.Struct(">QI")
#: lengths of the answers and of the tally (of nothing and of the reason, where the plan cannot be followed)
ANSWERED = struct.Struct(">II")


def main() -> None:
    """Follow a plan until the input ends."""
    source, sink = sys.stdin.buffer, os.dup(1)
    os.dup2(2, 1)  # whatever is printed by mistake is no part of the frames
    _, length = ASKED.unpack(source.read(ASKED.size))
    try:
        compiler = Compiler(read_plan(json.loads(source.read(length))))
    except PylfError as problem:
        _send(sink, b"", json.dumps(str(problem)).encode())
        return
    _send(sink, b"", b"null")
    gc.collect()
    gc.freeze()  # what all records share need not be looked at again,
    gc.set_threshold(50_000, 20, 20)  # and a compilation leaves next to nothing for the collector to find
    while len(header := source.read(ASKED.size)) == ASKED.size:
        first, length = ASKED.unpack(header)
        out, tally = compiler.chunk(first, source.read(length))
        _send(sink, out, json.dumps(tally.to_json()).encode())


def _send(sink: int, out: bytes, tally: bytes) -> None:
    left = memoryview(ANSWERED.pack(len(out), len(tally)) + out + tally)
    while left:
        try:
            left = left[os.write(sink, left) :]
        except BrokenPipeError:  # whoever asked is gone
            os._exit(0)
