"""The stages of a compilation, each of them timed."""

from __future__ import annotations

import time
from array import array
from itertools import pairwise
from typing import TYPE_CHECKING

from pylf.backends.sparql import emit
from pylf.ir.canonical import fingerprint
from pylf.ir.verify import verify
from pylf.language.lower import lower
from pylf.language.parser import parse

if TYPE_CHECKING:
    from pylf.language.context import Context


#: What is timed, in microseconds. ``lower`` includes checking types; ``all`` is measured by itself, as wall time, and
#: ``cpu`` is the processor time of the same.
FIELDS = ("parse", "lower", "verify", "fingerprint", "emit", "all", "cpu")


def run(text: str, context: Context, dialect: str = "oxigraph") -> None:
    """All stages once."""
    query = lower(parse(text), context).query
    verify(query)
    fingerprint(query)
    emit(query, context.schema, context.vocabulary, dialect)


def measured(text: str, context: Context, times: int, dialect: str = "oxigraph") -> dict[str, array[float]]:
    """``times`` compilations of the same text, by :data:`FIELDS`. Nothing is kept between them but the schema's rows.

    Times go into arrays, so that the garbage collector has no more to look at in the end than in the beginning.
    """
    clock, processor = time.perf_counter_ns, time.thread_time_ns
    found = {field: array("d") for field in FIELDS}
    columns = tuple(found.values())
    for _ in range(times):
        before, start = processor(), clock()
        run(text, context, dialect)
        end, after = clock(), processor()
        begun = clock()
        program = parse(text)
        parsed = clock()
        query = lower(program, context).query
        lowered = clock()
        verify(query)
        verified = clock()
        fingerprint(query)
        hashed = clock()
        emit(query, context.schema, context.vocabulary, dialect)
        emitted = clock()
        marks = (begun, parsed, lowered, verified, hashed, emitted)
        spans = (*[late - early for early, late in pairwise(marks)], end - start, after - before)
        for column, span in zip(columns, spans, strict=True):
            column.append(span / 1e3)
    return found
