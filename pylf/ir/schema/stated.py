"""What a schema states, without what it found in one graph: so it may be laid over another graph's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.schema.model import Relation
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.schema.model import Class, Source

#: remarks about the graph that was measured
_MEASURED = {"source", "snapshot", "vocabulary", "sound", "disjoint"}
_UNKNOWN = Relation("")


class UncountedSource:
    """A source without its counts, and without remarks about the graph that they were taken from."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.children = source.children
        self.relations_named = source.relations_named
        self.classes_named = source.classes_named
        self.relations_of = source.relations_of

    def relation(self, iri: str) -> Relation | None:
        """The relation, uncounted."""
        found = self._source.relation(iri)
        return None if found is None else self._without(found)

    def class_(self, iri: str) -> Class | None:
        """The class, uncounted."""
        found = self._source.class_(iri)
        return None if found is None else replace(found, instances=None)

    def all_relations(self) -> Iterable[Relation]:
        """Every relation, uncounted."""
        return map(self._without, self._source.all_relations())

    def all_classes(self) -> Iterable[Class]:
        """Every class, uncounted."""
        return (replace(class_, instances=None) for class_ in self._source.all_classes())

    def meta(self, key: str) -> str | None:
        """A remark that holds whatever graph is asked: ``inverses`` where they are ``entailed``, which is a reading and
        no finding, ``languages`` and ``remarks``."""
        found = None if key in _MEASURED else self._source.meta(key)
        return None if (key, found) == ("inverses", "mirrored") else found

    def _without(self, relation: Relation) -> Relation:
        return replace(
            relation, triples=None, subjects=None, objects=None, profile=None, domain_support=None, range_support=None
        )


class StatedSource(UncountedSource):
    """A source without its counts, and without domains, ranges and the like that were concluded from them."""

    def _without(self, relation: Relation) -> Relation:
        unknown = {field: getattr(_UNKNOWN, field) for field in relation.inferred}
        return super()._without(replace(relation, inferred=(), **unknown))
