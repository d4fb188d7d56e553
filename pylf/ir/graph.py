"""What the IR needs of a graph: a small protocol that every engine and the plain in-memory graph satisfy.

What costs little in memory may cost a message over the network each time, so a graph may offer more than it has to:
:class:`Matching` many look-ups at once, :class:`LabelIndex` an index of its labels, :class:`Estimating` how many
triples there are, :class:`Counting` counts of its own, :class:`Holding` which relations it has any triple of. Whoever
asks takes the offer where there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from pylf.ir.schema.statistics import Statistics
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Blank, Iri, Node

TripleRow = tuple["Node", "Node", "Node"]


@runtime_checkable
class Graph(Protocol):
    """A set of triples that can be looked up by any of its three places."""

    def triples(
        self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None
    ) -> Iterator[TripleRow]:
        """The triples that agree with the given places; None stands for any node. Terms are matched as terms."""
        ...


class Pattern(NamedTuple):
    """Triples by what may stand in each place; None stands for any node."""

    subjects: Collection[Iri] | None = None
    predicates: Collection[Iri] | None = None
    objects: Collection[Iri] | None = None


@runtime_checkable
class Matching(Protocol):
    """A graph that answers many look-ups at once."""

    def matching(self, patterns: Iterable[Pattern]) -> Iterator[TripleRow]:
        """The triples that agree with at least one pattern, perhaps more than once. Patterns without subjects come
        from one answer, in which a blank node has one label."""
        ...


@runtime_checkable
class LabelIndex(Protocol):
    """A graph that finds nodes by their label."""

    def entities_labelled(
        self, text: str, vocabulary: Vocabulary, languages: Iterable[str] | None = None
    ) -> tuple[Iri | Blank, ...]:
        """The entities that bear exactly this label: named ones, sorted, then those without a name. ``languages`` are
        the tags to look under ("" for none); without them, every tag that labels of this graph carry."""
        ...


@runtime_checkable
class Estimating(Protocol):
    """A graph that tells how many triples a look-up would give."""

    def estimate(self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None) -> int:
        """How many triples agree with the given places, counted no further than is worth knowing in advance."""
        ...


@runtime_checkable
class Counting(Protocol):
    """A graph that counts its own triples."""

    def statistics(self) -> Statistics:
        """Counts for schema inference."""
        ...


@runtime_checkable
class Holding(Protocol):
    """A graph that may be part of a larger one, and tells what it has a part in."""

    def holds_relation(self, iri: str) -> bool:
        """Whether there is a triple of this relation."""
        ...

    def emptiness(self) -> str | None:
        """That there is no triple at all, and where there are some, as a sentence; None where there are, or that is
        not told."""
        ...


def matching(graph: Graph, patterns: Iterable[Pattern]) -> Iterator[TripleRow]:
    """The triples of a graph that agree with at least one pattern, perhaps more than once."""
    if isinstance(graph, Matching):
        yield from graph.matching(patterns)
        return
    anything = (None,)
    for pattern in patterns:
        for subject in anything if pattern.subjects is None else pattern.subjects:
            for predicate in anything if pattern.predicates is None else pattern.predicates:
                for target in anything if pattern.objects is None else pattern.objects:
                    yield from graph.triples(subject, predicate, target)
