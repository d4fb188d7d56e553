"""The stages of a compilation, each of them timed."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.sparql import emit
from pylf.ir.canonical import fingerprint
from pylf.ir.verify import verify
from pylf.language.lower import lower
from pylf.language.parser import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.language.context import Context


class Times(NamedTuple):
    """Microseconds of each stage; ``lower`` includes checking types. ``all`` is measured by itself, as wall time;
    ``cpu`` is the processor time of the same."""

    parse: float
    lower: float
    verify: float
    fingerprint: float
    emit: float
    all: float
    cpu: float


def run(text: str, context: Context, dialect: str = "oxigraph") -> None:
    """All stages once."""
    query = lower(parse(text), context).query
    verify(query)
    fingerprint(query)
    emit(query, context.schema, context.vocabulary, dialect)


def measured(text: str, context: Context, times: int, dialect: str = "oxigraph") -> Iterator[Times]:
    """The stages of ``times`` compilations of the same text. Nothing is kept between them but the schema's rows."""
    clock, processor = time.perf_counter_ns, time.thread_time_ns
    for _ in range(times):
        before, start = processor(), clock()
        run(text, context, dialect)
        end, after = clock(), processor()
        marks = [clock()]
        program = parse(text)
        marks.append(clock())
        query = lower(program, context).query
        marks.append(clock())
        verify(query)
        marks.append(clock())
        fingerprint(query)
        marks.append(clock())
        emit(query, context.schema, context.vocabulary, dialect)
        marks.append(clock())
        stages = [(late - early) / 1e3 for early, late in pairwise(marks)]
        yield Times._make((*stages, (end - start) / 1e3, (after - before) / 1e3))
