"""A schema without what it says of one graph alone, for proofs about all graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.schema.model import Schema
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.schema.model import Class, Relation, Source


def plain_schema(schema: Schema, sound: bool) -> Schema:
    """The schema without counts; that it is sound it says exactly where ``sound`` is true, and of inverses nothing."""
    return Schema(_Plain(schema.source, sound))


class _Plain:
    """Implements :class:`pylf.ir.schema.model.Source`."""

    def __init__(self, source: Source, sound: bool) -> None:
        self._source = source
        self._sound = sound
        self.children = source.children
        self.relations_named = source.relations_named
        self.classes_named = source.classes_named
        self.relations_of = source.relations_of

    def relation(self, iri: str) -> Relation | None:
        found = self._source.relation(iri)
        return None if found is None else _uncounted(found)

    def class_(self, iri: str) -> Class | None:
        found = self._source.class_(iri)
        return None if found is None else replace(found, instances=None)

    def all_relations(self) -> Iterable[Relation]:
        return map(_uncounted, self._source.all_relations())

    def all_classes(self) -> Iterable[Class]:
        return (replace(class_, instances=None) for class_ in self._source.all_classes())

    def meta(self, key: str) -> str | None:
        match key:
            case "sound":
                return "true" if self._sound else None
            case "inverses":
                return None
            case _:
                return self._source.meta(key)


def _uncounted(relation: Relation) -> Relation:
    return replace(
        relation, triples=None, subjects=None, objects=None, profile=None, domain_support=None, range_support=None
    )
