"""The schema of a graph: classes, relations, and what is known of their values.

A :class:`Schema` answers questions by IRI or by name. Rows come from a :class:`Source`, either all in memory or on
demand from a cache file (:mod:`pylf.ir.schema.cache`), and are kept once read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pylf.ir.schema.typing import Verdict
    from pylf.ir.types import EntityType


@record
class ValueProfile:
    """How many objects of a relation are of which kind, as counted in the data."""

    entities: int = 0
    numbers: int = 0
    years: int = 0
    months: int = 0
    days: int = 0
    times: int = 0
    strings: int = 0
    tagged: int = 0
    other: int = 0
    #: of the dates: how many carry a zone, lie before year 0, lie beyond year 9999
    zoned: int = 0
    before_zero: int = 0
    beyond_9999: int = 0
    #: literals whose lexical form does not fit their numeric or date datatype
    ill_formed: int = 0
    #: language tags that occur, sorted
    languages: tuple[str, ...] = ()

    @property
    def dates(self) -> int:
        """Dates of every precision."""
        return self.years + self.months + self.days + self.times

    @property
    def literals(self) -> int:
        """All literals."""
        return self.numbers + self.dates + self.strings + self.tagged + self.other + self.ill_formed


#: The fields of a profile that are counts.
COUNTS = (
    *("entities", "numbers", "years", "months", "days", "times", "strings", "tagged", "other"),
    *("zoned", "before_zero", "beyond_9999", "ill_formed"),
)


@record
class Relation:
    """A relation. ``domain`` and ``range`` are conjunctions of unions of class IRIs (see :mod:`pylf.ir.types`),
    empty where unknown; ``datatypes`` is given in place of ``range`` where the objects are literals, and beside it
    where some are."""

    iri: str
    label: str | None = None
    domain: tuple[tuple[str, ...], ...] = ()
    range: tuple[tuple[str, ...], ...] = ()
    datatypes: tuple[str, ...] = ()
    inverse: str | None = None
    functional: bool = False
    symmetric: bool = False
    triples: int | None = None
    subjects: int | None = None
    objects: int | None = None
    profile: ValueProfile | None = None
    #: whether the objects are literals; None where that is not known, or where only some are
    literal: bool | None = None
    #: how many of the distinct subjects are instances of the domain, of the distinct entity objects of the range
    domain_support: int | None = None
    range_support: int | None = None
    #: the fields that were inferred from data rather than stated, sorted
    inferred: tuple[str, ...] = ()


@record
class Class:
    """A class. ``parents`` are its direct superclasses; ``instances`` counts those of subclasses too. A *signature
    class* has no type statements: its instances are the subjects (``subjects_of``) or objects (``objects_of``) of a
    relation. ``compound`` marks CVT-like classes whose instances stand for a relationship and have no name of their
    own."""

    iri: str
    label: str | None = None
    parents: tuple[str, ...] = ()
    disjoint: tuple[str, ...] = ()
    instances: int | None = None
    subjects_of: str | None = None
    objects_of: str | None = None
    compound: bool = False


class Source(Protocol):
    """Where a schema's rows come from. Every method is a lookup by key; none scans, except the ``all_`` pair."""

    def relation(self, iri: str) -> Relation | None:
        """The relation with this IRI, or None."""
        ...

    def class_(self, iri: str) -> Class | None:
        """The class with this IRI, or None."""
        ...

    def children(self, iri: str) -> tuple[str, ...]:
        """Direct subclasses."""
        ...

    def relations_named(self, name: str) -> tuple[str, ...]:
        """IRIs of relations whose local name (what follows the last ``#`` or ``/``) is ``name``; where there is none,
        whose label is. Sorted."""
        ...

    def classes_named(self, name: str) -> tuple[str, ...]:
        """IRIs of classes, looked up as :meth:`relations_named` does."""
        ...

    def relations_of(self, class_iri: str) -> tuple[str, ...]:
        """Relations whose domain or range names the class itself (not a super- or subclass)."""
        ...

    def all_relations(self) -> Iterable[Relation]:
        """Every relation, by IRI."""
        ...

    def all_classes(self) -> Iterable[Class]:
        """Every class, by IRI."""
        ...

    def meta(self, key: str) -> str | None:
        """A remark about the whole schema: ``source``, ``snapshot``, ``vocabulary``, ``sound``, ``disjoint``,
        ``inverses`` (see :func:`pylf.ir.schema.infer.infer_schema`), ``languages`` (tags of labels, comma-separated),
        ``remarks`` (what of the schema's files was left out)."""
        ...


#: So many names that were looked up are kept.
_MOST_NAMES = 10_000


class Schema:
    """The schema of one graph, with a memory for what was looked up."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._relations: dict[str, Relation | None] = {}
        self._classes: dict[str, Class | None] = {}
        self._below: dict[str, tuple[str, ...]] = {}
        self._above: dict[str, frozenset[str]] = {}
        self._disjoint: dict[tuple[str, str], bool] = {}
        self._relations_named: dict[str, tuple[str, ...]] = {}
        self._classes_named: dict[str, tuple[str, ...]] = {}
        #: what :func:`pylf.ir.schema.typing.compatible` has found out
        self.verdicts: dict[tuple[EntityType, EntityType], Verdict] = {}
        #: A memo of the rooms that read programs: what words mean under this schema and a vocabulary. The vocabulary is
        #: part of each key, and the rest of it and what it leads to are the room's, which keeps a bounded number there.
        self.meanings: dict[object, object] = {}
        self._has_relations: bool | None = None
        self._has_classes: bool | None = None
        self._languages: tuple[str, ...] | None = None

    @property
    def has_relations(self) -> bool:
        """False for the empty schema, which says nothing about any name."""
        if self._has_relations is None:
            self._has_relations = next(iter(self.source.all_relations()), None) is not None
        return self._has_relations

    @property
    def has_classes(self) -> bool:
        """False where no class is known, so that one that is named cannot be said to be missing."""
        if self._has_classes is None:
            self._has_classes = next(iter(self.source.all_classes()), None) is not None
        return self._has_classes

    @property
    def languages(self) -> tuple[str, ...]:
        """Language tags that labels of the graph carry, where the schema was taken from data; "" is no tag."""
        if self._languages is None:
            stated = self.source.meta("languages")
            self._languages = () if stated is None else tuple(stated.split(","))
        return self._languages

    def relation(self, iri: str) -> Relation | None:
        """The relation with this IRI, or None."""
        if iri not in self._relations:
            self._relations[iri] = self.source.relation(iri)
        return self._relations[iri]

    def class_(self, iri: str) -> Class | None:
        """The class with this IRI, or None."""
        if iri not in self._classes:
            self._classes[iri] = self.source.class_(iri)
        return self._classes[iri]

    def subclasses(self, iri: str) -> tuple[str, ...]:
        """The class itself and everything below it, itself first, the others sorted."""
        known = self._below.get(iri)
        if known is None:
            seen = {iri}
            todo = [iri]
            while todo:
                for child in self.source.children(todo.pop()):
                    if child not in seen:
                        seen.add(child)
                        todo.append(child)
            seen.remove(iri)
            known = self._below[iri] = (iri, *sorted(seen))
        return known

    def superclasses(self, iri: str) -> frozenset[str]:
        """The class itself and everything above it."""
        known = self._above.get(iri)
        if known is None:
            seen = {iri}
            todo = [iri]
            while todo:
                found = self.class_(todo.pop())
                for parent in found.parents if found is not None else ():
                    if parent not in seen:
                        seen.add(parent)
                        todo.append(parent)
            known = self._above[iri] = frozenset(seen)
        return known

    def disjoint(self, left: str, right: str) -> bool:
        """True only when a statement says that the two classes, or classes above them, share no instance."""
        key = (left, right) if left <= right else (right, left)
        known = self._disjoint.get(key)
        if known is None:
            known = self._disjoint[key] = self._stated_disjoint(left, right)
        return known

    def _stated_disjoint(self, left: str, right: str) -> bool:
        left_above, right_above = self.superclasses(left), self.superclasses(right)
        if left in right_above or right in left_above:
            return False
        for above, others in ((left_above, right_above), (right_above, left_above)):
            for iri in above:
                found = self.class_(iri)
                if found is not None and not others.isdisjoint(found.disjoint):
                    return True
        return False

    def relations_named(self, name: str) -> tuple[str, ...]:
        """IRIs of the relations with this local name; where there is none, with this label. Sorted."""
        return _remembered(self._relations_named, self.source.relations_named, name)

    def classes_named(self, name: str) -> tuple[str, ...]:
        """IRIs of the classes with this local name; where there is none, with this label. Sorted."""
        return _remembered(self._classes_named, self.source.classes_named, name)


def _remembered(
    known: dict[str, tuple[str, ...]], look_up: Callable[[str], tuple[str, ...]], name: str
) -> tuple[str, ...]:
    found = known.get(name)
    if found is None:
        if len(known) >= _MOST_NAMES:
            known.clear()  # names come from programs: there is no end to them
        found = known[name] = look_up(name)
    return found
