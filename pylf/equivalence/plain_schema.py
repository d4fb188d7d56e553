"""A schema without what it says of one graph alone, for proofs about all graphs."""

from __future__ import annotations

from pylf.ir.schema.model import Schema
from pylf.ir.schema.stated import UncountedSource

#: what the schema of the bundled graph says that it is written in
_BUNDLED = "rockets"


def plain_schema(schema: Schema, sound: bool) -> Schema:
    """What the schema says of all graphs: that they keep to it exactly where ``sound`` is true, of inverses nothing."""
    return Schema(_Keeping(schema.source) if sound else _Open(schema.source))


def same_schema(one: Schema, other: Schema) -> bool:
    """Whether it is all one by which of two schemas a query is read: they state the same relations and classes,
    whatever they count; or both are of the bundled graph, of which one is the statements and the other is measured."""
    if one is other or one.source.meta("vocabulary") == other.source.meta("vocabulary") == _BUNDLED:
        return True
    left, right = UncountedSource(one.source), UncountedSource(other.source)
    both = UncountedSource.all_relations, UncountedSource.all_classes
    return all(list(rows(left)) == list(rows(right)) for rows in both)


class _Open(UncountedSource):
    """Of a graph that need not keep to the schema."""

    def meta(self, key: str) -> str | None:
        """A remark; none of ``inverses``, as no reading of them is part of what a query says."""
        return None if key == "inverses" else super().meta(key)


class _Keeping(_Open):
    """Of a graph that keeps to the schema."""

    def meta(self, key: str) -> str | None:
        """A remark, and that the graph is as stated."""
        return "true" if key in ("sound", "disjoint") else super().meta(key)
