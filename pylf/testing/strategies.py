"""Strategies for hypothesis: schemas, graphs over any schema, programs that compile on them, and near misses of these.

    from hypothesis import given
    from hypothesis import strategies as st
    from pylf.testing.strategies import graphs, programs

    @given(st.data())
    def test_my_rewrite(data):
        graph = data.draw(graphs(SCHEMA))
        program = data.draw(programs(SCHEMA, graph))
        ...

Programs are text, which :func:`pylf.compile` takes. All but near misses, which are one thing away from their program as
they are, shrink: towards small schemas, few triples and short programs.
Where volume is wanted and no shrinking, what these are made of is drawn by a seed: :mod:`pylf.testing.drawn` for
schemas of its own, :mod:`pylf.testing.any_schema` for others.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

from hypothesis import assume
from hypothesis import strategies as st

from pylf.equivalence.turtle import Names
from pylf.graphs import vocabulary_for
from pylf.ir.memory import MemoryGraph
from pylf.language.parser import parse
from pylf.language.printer import print_program
from pylf.records import record
from pylf.testing.any_schema import compiles, part_of, program_over, triples_over
from pylf.testing.drawn.schemas import random_rows
from pylf.testing.near_misses import near_miss, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hypothesis.strategies import SearchStrategy

    from pylf.ir.graph import Graph, TripleRow
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

_T = TypeVar("_T")

#: near misses of one program that may be drawn, the same ones among them
_SEEDS = 1 << 16

__all__ = ["DrawnGraph", "World", "graphs", "near_misses", "programs", "schemas", "worlds"]


class DrawnGraph(MemoryGraph):
    """A graph in memory that shows itself as Turtle, so that a failing example can be read."""

    __slots__ = ("_vocabulary",)

    def __init__(self, triples: Iterable[TripleRow], vocabulary: Vocabulary) -> None:
        super().__init__(triples)
        self._vocabulary = vocabulary

    def __repr__(self) -> str:
        text = Names.of(self._vocabulary).turtle(self) if len(self) else ""
        return f"MemoryGraph.parse('''\n{text}\n''')"


@record(eq=False)
class World:
    """A schema, the vocabulary that it is read by, a graph over it, and a program on both."""

    schema: Schema
    vocabulary: Vocabulary
    graph: DrawnGraph
    program: str


def schemas() -> SearchStrategy[Schema]:
    """Small schemas with every turn that a schema may take: classes above and beside each other, unions, datatypes
    alone and beside a range, inverses, signature classes, relations of which nothing is said."""
    return _by(lambda random: random_rows(random).schema())


def graphs(schema: Schema, vocabulary: Vocabulary | None = None) -> SearchStrategy[DrawnGraph]:
    """Small graphs over a schema, any: they mostly, not always, keep to what it says. Entities are made up; values
    are of the datatypes that it states, odd ones among them (NaN, years before 0, ill-typed ones, shared labels)."""
    spoken = vocabulary_for(schema, vocabulary)
    relations = list(schema.source.all_relations())

    def drawn(random: Random) -> DrawnGraph:
        return DrawnGraph(triples_over(part_of(schema, random, relations), spoken, random), spoken)

    return _by(drawn)


def programs(
    schema: Schema, graph: Graph | Iterable[TripleRow], vocabulary: Vocabulary | None = None
) -> SearchStrategy[str]:
    """Programs that compile under a schema, with the graph at hand or without; most of them have an answer on it. Of a
    large graph the first two thousand triples are looked at."""
    spoken = vocabulary_for(schema, vocabulary)
    triples = tuple(graph if not hasattr(graph, "triples") else graph.triples())

    def drawn(random: Random) -> str:
        program = program_over(schema, triples, spoken, random)
        assume(program is not None)
        assert program is not None
        return print_program(program).rstrip()

    return _by(drawn)


def near_misses(
    program: str, schema: Schema | None = None, vocabulary: Vocabulary | None = None
) -> SearchStrategy[str]:
    """The program with one thing changed, so that it mostly means something else: what has to tell programs apart is
    tried on these. With a schema, further words are the schema's, and all of them compile.

    Raises:
        CompileError: the program cannot be read.
    """
    read = parse(program)
    spoken = None if schema is None else vocabulary_for(schema, vocabulary)

    def drawn(random: Random) -> str:
        missed = near_miss(read, random, words_of(read, random, schema, spoken))
        assume(missed is not None)
        assert missed is not None
        if schema is not None and spoken is not None:
            assume(compiles(missed, schema, spoken))
        return print_program(missed).rstrip()

    # by a seed: of single choices hypothesis repeats those that it made, and most of what it draws is drawn again
    return st.integers(0, _SEEDS - 1).map(lambda seed: drawn(Random(seed)))


@st.composite
def worlds(draw: st.DrawFn, schema: Schema | None = None, vocabulary: Vocabulary | None = None) -> World:
    """A graph and a program over a schema; over a drawn one where none is given."""
    known = draw(schemas()) if schema is None else schema
    spoken = vocabulary_for(known, vocabulary)
    graph = draw(graphs(known, spoken))
    return World(known, spoken, graph, draw(programs(known, graph, spoken)))


def _by(drawn: Callable[[Random], _T]) -> SearchStrategy[_T]:
    """What is drawn by a source of random choices, which hypothesis shrinks."""
    return st.randoms(use_true_random=False).map(drawn)
