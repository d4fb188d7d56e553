"""A schema's rows held in memory, indexed by IRI and by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pylf.ir.schema.model import Class, Relation


def local_name(iri: str) -> str:
    """What follows the last ``#`` or ``/`` of an IRI; the whole IRI where it has neither."""
    return iri[max(iri.rfind("#"), iri.rfind("/")) + 1 :]


def domain_and_range(relation: Relation) -> set[str]:
    """The classes that a relation's domain and range name."""
    return {iri for side in (relation.domain, relation.range) for union in side for iri in union}


class MemorySource:
    """Implements :class:`pylf.ir.schema.model.Source` over rows that are all at hand.

    Rows with the same IRI: the last one stands. Indexes are built when first asked for.
    """

    def __init__(
        self, relations: Iterable[Relation], classes: Iterable[Class], meta: Mapping[str, str] | None = None
    ) -> None:
        self._relations = {r.iri: r for r in relations}
        self._classes = {c.iri: c for c in classes}
        self._meta = dict(meta or {})
        self._children: dict[str, tuple[str, ...]] | None = None
        self._relations_of: dict[str, tuple[str, ...]] | None = None
        self._relation_names: _Names | None = None
        self._class_names: _Names | None = None

    def relation(self, iri: str) -> Relation | None:
        """The relation with this IRI, or None."""
        return self._relations.get(iri)

    def class_(self, iri: str) -> Class | None:
        """The class with this IRI, or None."""
        return self._classes.get(iri)

    def children(self, iri: str) -> tuple[str, ...]:
        """Direct subclasses, sorted."""
        if self._children is None:
            self._children = _inverted((c.iri, c.parents) for c in self._classes.values())
        return self._children.get(iri, ())

    def relations_named(self, name: str) -> tuple[str, ...]:
        """IRIs of the relations with this local name; where there is none, with this label. Sorted."""
        if self._relation_names is None:
            self._relation_names = _Names(self._relations.values())
        return self._relation_names.find(name)

    def classes_named(self, name: str) -> tuple[str, ...]:
        """IRIs of the classes with this local name; where there is none, with this label. Sorted."""
        if self._class_names is None:
            self._class_names = _Names(self._classes.values())
        return self._class_names.find(name)

    def relations_of(self, class_iri: str) -> tuple[str, ...]:
        """Relations whose domain or range names the class itself, sorted."""
        if self._relations_of is None:
            self._relations_of = _inverted((r.iri, domain_and_range(r)) for r in self._relations.values())
        return self._relations_of.get(class_iri, ())

    def all_relations(self) -> Iterable[Relation]:
        """Every relation, by IRI."""
        return [self._relations[iri] for iri in sorted(self._relations)]

    def all_classes(self) -> Iterable[Class]:
        """Every class, by IRI."""
        return [self._classes[iri] for iri in sorted(self._classes)]

    def meta(self, key: str) -> str | None:
        """A remark about the whole schema, or None."""
        return self._meta.get(key)


class _Names:
    """Local names and labels of things with an IRI; a local name is found before any label."""

    __slots__ = ("by_label", "by_local")

    def __init__(self, things: Iterable[Relation | Class]) -> None:
        things = list(things)
        self.by_local = _inverted((t.iri, (local_name(t.iri),)) for t in things)
        self.by_label = _inverted((t.iri, (t.label,)) for t in things if t.label is not None)

    def find(self, name: str) -> tuple[str, ...]:
        return self.by_local.get(name) or self.by_label.get(name, ())


def _inverted(pairs: Iterable[tuple[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for iri, keys in pairs:
        for key in keys:
            found.setdefault(key, set()).add(iri)
    return {key: tuple(sorted(iris)) for key, iris in found.items()}
