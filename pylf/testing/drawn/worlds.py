"""Blocks of random worlds: a schema, a graph for it, and programs over both, had again by seed and number.

One block costs a few milliseconds. (For programs over a schema that is always the same:
:mod:`pylf.testing.programs`.) Every second block's programs are read under partial completeness; every third is
compiled with the graph at hand; and the schema is stated, or stated and counted on the graph, or inferred from it.

Where blocks are *planned*, half of them are such that passes have something to rest on: their graphs are made to keep
to their schema, or to break it, and are counted (:mod:`pylf.testing.drawn.grounds`), and each block has a source of
queries that passes find something in (:mod:`pylf.testing.drawn.disturbing`).
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.infer import infer_schema
from pylf.records import record
from pylf.testing.drawn.disturbing import Disturbing
from pylf.testing.drawn.graphs import random_triples
from pylf.testing.drawn.grounds import LARGE, ground
from pylf.testing.drawn.programs import Neighbourhood, random_program
from pylf.testing.drawn.schemas import VOCABULARY, Rows, counted, random_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.model import Schema
    from pylf.language import syntax
    from pylf.language.context import Negation


@record
class Setting:
    """A graph, its schema, and how programs over them are read: ``negation``, and whether the graph is ``at_hand``
    when they are compiled. The schema's counts are those of the graph ``times`` so many."""

    rows: Rows
    triples: tuple[TripleRow, ...]
    negation: Negation = "cwa"
    at_hand: bool = False
    times: int = 1


@record(eq=False)
class Block:
    """A setting with its number, and programs without end; where it is a planned one, what disturbs queries."""

    number: int
    setting: Setting
    schema: Schema
    programs: Iterator[syntax.Program]
    disturbing: Disturbing | None = None


def block(seed: int, number: int, planned: bool = False) -> Block:
    """The block of that number, the same for the same seed. Of ``planned`` ones, every other two are for passes."""
    random = Random(f"{seed} {number}")
    negation: Negation = "pca" if number % 2 else "cwa"
    return drawn(random, number, negation, number % 3 == 0, planned and number % 4 > 1)


def drawn(
    random: Random, number: int = 0, negation: Negation = "cwa", at_hand: bool = False, planned: bool = False
) -> Block:
    """A block drawn by any source of random choices."""
    rows = random_rows(random)
    schema = rows.schema()
    triples = random_triples(random, rows, schema)
    roll = random.random()
    if roll > 0.85:
        rows = _inferred(rows if roll > 0.93 else None, triples)
    elif roll > 0.5:
        rows = counted(rows, triples)
    times = 1
    if planned:
        rows, made = ground(random, rows, triples)
        triples, times = tuple(made), LARGE
    schema = rows.schema()
    programs = _programs(random, Neighbourhood(schema, triples))
    disturbing = Disturbing(random, triples, schema) if planned else None
    return Block(number, Setting(rows, triples, negation, at_hand, times), schema, programs, disturbing)


def drawn_pairs() -> SearchStrategy[tuple[Setting, syntax.Program]]:
    """A hypothesis strategy of a setting and a program over it; shrinks towards few triples and small programs."""
    from hypothesis import strategies as st

    def build(random: Random) -> tuple[Setting, syntax.Program]:
        negation: Negation = random.choice(("cwa", "pca"))
        found = drawn(random, negation=negation, at_hand=random.choice((False, True)))
        return found.setting, next(found.programs)

    return st.randoms(use_true_random=False).map(build)


def _programs(random: Random, around: Neighbourhood) -> Iterator[syntax.Program]:
    while True:
        yield random_program(random, around)


def _inferred(stated: Rows | None, triples: tuple[TripleRow, ...]) -> Rows:
    """The schema that the graph shows, completed from it where one is stated."""
    source = infer_schema(MemoryGraph(triples), VOCABULARY, None if stated is None else stated.schema()).source
    meta = [
        (key, found)
        for key in ("sound", "disjoint", "inverses", "languages")
        if (found := source.meta(key)) is not None
    ]
    return Rows(tuple(source.all_relations()), tuple(source.all_classes()), tuple(meta))
