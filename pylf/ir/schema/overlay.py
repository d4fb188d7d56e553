"""A declared schema laid over one that was measured on the data: what is stated wins, what is counted is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.schema.model import Schema
from pylf.ir.schema.profiles import contradicts
from pylf.ir.schema.stated import StatedSource
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from pylf.ir.schema.model import Class, Relation, Source

    Row = TypeVar("Row", Class, Relation)


def overlay(declared: Schema, measured: Schema) -> Schema:
    """One schema with the domains, ranges, classes and labels of ``declared`` where it has them, and the statistics of
    ``measured``; what ``declared`` has counted was of another graph, and is left out. Rows are joined when they are
    asked for; nothing is copied."""
    return Schema(OverlaySource(StatedSource(declared.source), measured.source))


class OverlaySource:
    """Two sources as one; see :func:`overlay`."""

    def __init__(self, declared: Source, measured: Source) -> None:
        self.declared = declared
        self.measured = measured

    def relation(self, iri: str) -> Relation | None:
        """The relation, joined."""
        stated, counted = self.declared.relation(iri), self.measured.relation(iri)
        if stated is None or counted is None:
            return stated or counted
        tells_objects = stated.range or stated.datatypes or stated.literal is not None
        wrong = counted.profile is not None and contradicts(counted.profile, stated.datatypes)
        objects = stated if tells_objects and not wrong else counted
        domain, inverse = stated.domain or counted.domain, stated.inverse or counted.inverse
        # what was measured of another domain, range or inverse says nothing of these
        joined = replace(
            counted,
            label=stated.label or counted.label,
            domain=domain,
            domain_support=counted.domain_support if domain == counted.domain else None,
            range_support=counted.range_support if objects.range == counted.range else None,
            range=objects.range,
            datatypes=objects.datatypes,
            literal=objects.literal,
            inverse=inverse,
            functional=stated.functional or counted.functional,
            symmetric=stated.symmetric or counted.symmetric,
        )
        return replace(
            joined,
            inferred=tuple([field for field in counted.inferred if _is_inferred(field, joined, stated, counted)]),
        )

    def class_(self, iri: str) -> Class | None:
        """The class, joined."""
        stated, counted = self.declared.class_(iri), self.measured.class_(iri)
        if stated is None or counted is None:
            return stated or counted
        return replace(
            stated,
            label=stated.label or counted.label,
            parents=_both(stated.parents, counted.parents),
            disjoint=_both(stated.disjoint, counted.disjoint),
            instances=counted.instances,
            compound=stated.compound or counted.compound,
            subjects_of=stated.subjects_of or counted.subjects_of,
            objects_of=stated.objects_of or counted.objects_of,
        )

    def children(self, iri: str) -> tuple[str, ...]:
        """Direct subclasses in either."""
        return _both(self.declared.children(iri), self.measured.children(iri))

    def relations_named(self, name: str) -> tuple[str, ...]:
        """Relations so named in either."""
        return _both(self.declared.relations_named(name), self.measured.relations_named(name))

    def classes_named(self, name: str) -> tuple[str, ...]:
        """Classes so named in either."""
        return _both(self.declared.classes_named(name), self.measured.classes_named(name))

    def relations_of(self, class_iri: str) -> tuple[str, ...]:
        """Relations that name the class in either."""
        return _both(self.declared.relations_of(class_iri), self.measured.relations_of(class_iri))

    def all_relations(self) -> Iterable[Relation]:
        """Every relation of either, joined."""
        return _joined(self.declared.all_relations(), self.measured.all_relations(), self.relation)

    def all_classes(self) -> Iterable[Class]:
        """Every class of either, joined."""
        return _joined(self.declared.all_classes(), self.measured.all_classes(), self.class_)

    def meta(self, key: str) -> str | None:
        """A remark of the declared schema, else of the measured one, unless it is about what that one states: of both
        together nobody has looked whether the graph keeps to them."""
        stated = self.declared.meta(key)
        if stated is not None:
            return stated
        measured = self.measured.meta(key)
        return None if key in {"sound", "disjoint"} or (key, measured) == ("inverses", "mirrored") else measured


def _is_inferred(field: str, joined: Relation, stated: Relation, counted: Relation) -> bool:
    """Whether what was inferred is still there, and only inferred; of an inverse, that it was found in the data too."""
    found = getattr(joined, field)
    return found == getattr(counted, field) and (field == "inverse" or found != getattr(stated, field))


def _joined(stated: Iterable[Row], counted: Iterable[Row], lookup: Callable[[str], Row | None]) -> Iterator[Row]:
    for iri in sorted({row.iri for rows in (stated, counted) for row in rows}):
        row = lookup(iri)
        if row is not None:
            yield row


def _both(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    return left if left == right or not right else tuple(sorted({*left, *right}))
