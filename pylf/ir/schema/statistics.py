"""What schema inference needs to count in a graph, and a way to count it over any graph.

:class:`Statistics` is the protocol: six questions, each answered with plain tuples of strings and integers, so that an
engine can answer them by its own means (``GROUP BY``, ``SELECT DISTINCT``, a raw scan) without making a term per node.
:class:`Tally` answers them from one pass over the triples; :func:`tally` is that pass over any
:class:`pylf.ir.graph.Graph`. An engine with a cheap raw scan may feed a :class:`Tally` itself.

Entities are named by a *key*: the IRI of a named node, ``_:`` and the label of a blank node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pylf.ir.terms import Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.ir.graph import Graph

#: relation, lexical form, datatype, language tag ("" where there is none), triples
LiteralRow = tuple[str, str, str, str, int]


class Statistics(Protocol):
    """Counts over one graph. Rows come in any order; each method may be called more than once.

    All predicates of the graph are relations here, those for type and label too: the caller knows which to leave out.
    """

    def relation_counts(self) -> Iterable[tuple[str, int, int, int]]:
        """Per relation: ``(relation, triples, distinct subjects, distinct objects)``, literals among the objects."""
        ...

    def type_pairs(self, predicates: tuple[str, ...]) -> Iterable[tuple[str, str]]:
        """``(entity key, class IRI)`` for every triple with one of these predicates and a named object."""
        ...

    def subject_pairs(self) -> Iterable[tuple[str, str]]:
        """``(relation, subject key)``, distinct."""
        ...

    def object_pairs(self) -> Iterable[tuple[str, str]]:
        """``(relation, object key)`` for the objects that are entities, distinct."""
        ...

    def literals(self) -> Iterable[LiteralRow]:
        """``(relation, lexical form, datatype, language or "", triples)``, one row per relation and literal."""
        ...

    def reversed_pairs(self) -> Iterable[tuple[str, str, int]]:
        """``(relation, other, triples)`` where that many triples of the one have their reverse in the other.

        ``relation <= other``; the two are equal for what is symmetric. Pairs of which one is not *exactly* the
        reverse of the other (entity triples only) may be left out: inference takes exact pairs alone.
        """
        ...


class Tally:
    """Statistics from one pass: call :meth:`add` and :meth:`add_literal` once per triple of the graph."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}
        self._relations: dict[str, _Extension] = {}

    def add(self, subject: str, predicate: str, target: str) -> None:
        """One triple whose object is an entity; subject and object by key."""
        keys = self._keys
        subject = keys.setdefault(subject, subject)
        target = keys.setdefault(target, target)
        found = self._relations.get(predicate)
        if found is None:
            found = self._relations[predicate] = _Extension()
        found.edges.append((subject, target))

    def add_literal(self, subject: str, predicate: str, lexical: str, datatype: str, language: str | None) -> None:
        """One triple whose object is a literal; subject by key."""
        found = self._relations.get(predicate)
        if found is None:
            found = self._relations[predicate] = _Extension()
        found.owners.append(self._keys.setdefault(subject, subject))
        literal = (lexical, datatype, language or "")
        found.literals[literal] = found.literals.get(literal, 0) + 1

    def relation_counts(self) -> Iterator[tuple[str, int, int, int]]:
        """See :meth:`Statistics.relation_counts`."""
        for relation, found in self._relations.items():
            triples = len(found.edges) + len(found.owners)
            objects = len({o for _, o in found.edges}) + len(found.literals)
            yield relation, triples, len(found.subjects()), objects

    def type_pairs(self, predicates: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """See :meth:`Statistics.type_pairs`."""
        for predicate in predicates:
            found = self._relations.get(predicate)
            if found is not None:
                yield from ((s, o) for s, o in found.edges if not o.startswith("_:"))

    def subject_pairs(self) -> Iterator[tuple[str, str]]:
        """See :meth:`Statistics.subject_pairs`."""
        for relation, found in self._relations.items():
            for subject in found.subjects():
                yield relation, subject

    def object_pairs(self) -> Iterator[tuple[str, str]]:
        """See :meth:`Statistics.object_pairs`."""
        for relation, found in self._relations.items():
            for target in {o for _, o in found.edges}:
                yield relation, target

    def literals(self) -> Iterator[LiteralRow]:
        """See :meth:`Statistics.literals`."""
        for relation, found in self._relations.items():
            for (lexical, datatype, language), triples in found.literals.items():
                yield relation, lexical, datatype, language, triples

    def reversed_pairs(self) -> Iterator[tuple[str, str, int]]:
        """See :meth:`Statistics.reversed_pairs`. Exact pairs alone."""
        by_size: dict[int, list[str]] = {}
        for relation in sorted(self._relations):
            size = len(self._relations[relation].edges)
            if size:
                by_size.setdefault(size, []).append(relation)
        for size, relations in by_size.items():
            forward = {r: self._relations[r].fingerprint(backward=False) for r in relations}
            backward = {r: self._relations[r].fingerprint(backward=True) for r in relations}
            of: dict[int, list[str]] = {}
            for relation in relations:
                of.setdefault(forward[relation], []).append(relation)
            for relation in relations:
                for other in of.get(backward[relation], ()):
                    if relation <= other and self._reverse_of(relation, other):
                        yield relation, other, size

    def _reverse_of(self, relation: str, other: str) -> bool:
        mine = set(self._relations[relation].edges)
        return mine == {(o, s) for s, o in self._relations[other].edges}


class _Extension:
    """The triples of one relation: edges to entities, and owners of literals with the literals counted."""

    __slots__ = ("edges", "literals", "owners")

    def __init__(self) -> None:
        self.edges: list[tuple[str, str]] = []
        self.owners: list[str] = []
        self.literals: dict[tuple[str, str, str], int] = {}

    def subjects(self) -> set[str]:
        found = {s for s, _ in self.edges}
        found.update(self.owners)
        return found

    def fingerprint(self, backward: bool) -> int:
        """A sum over the edges that does not depend on their order; equal sets have equal sums."""
        if backward:
            return sum(hash((o, s)) for s, o in self.edges)
        return sum(map(hash, self.edges))


def tally(graph: Graph) -> Tally:
    """Count a graph in one pass over all its triples."""
    counted = Tally()
    add, add_literal = counted.add, counted.add_literal
    for subject, predicate, target in graph.triples():
        if not isinstance(predicate, Iri):
            continue
        key = _key(subject)
        if key is None:
            continue
        if isinstance(target, Literal):
            add_literal(key, predicate.value, target.lexical, target.datatype, target.language)
        elif isinstance(target, Iri):
            add(key, predicate.value, target.value)
        else:
            add(key, predicate.value, f"_:{target.label}")
    return counted


def _key(node: object) -> str | None:
    if isinstance(node, Iri):
        return node.value
    return f"_:{node.label}" if isinstance(node, Blank) else None
