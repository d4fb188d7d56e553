"""A schema inferred from the data of a graph, or stated and completed from it.

What is stated wins over what is inferred: first the schema that is handed in, then the statements in the graph itself.
Only where values are numbers alone, or dates alone, and something else is stated, the values decide.
From the data come

- classes with their instances; marks on those whose instances stand for a relationship (CVT);
- the domain of a relation: the most specific class that all its typed subjects belong to, else the few classes that
  together take them in; the range likewise, from the objects that are entities;
- *signature classes* ("subjects of wrote") where types say nothing of a relation's subjects or objects;
- datatypes and a profile of the values; inverse pairs, whose triples are exactly each other's reverse; functional and
  symmetric marks; counts of triples, subjects and objects, and how many of these support domain and range.

Nothing is ever inferred to be disjoint: that two classes share no instance today proves nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.errors import EngineError
from pylf.ir.graph import Counting, Pattern, matching
from pylf.ir.schema.memory import MemorySource, local_name
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.profiles import Profiler, contradicts
from pylf.ir.schema.stated import StatedSource
from pylf.ir.schema.statements import PREDICATES, SCHEMA_TYPES, Statements, is_class_name
from pylf.ir.schema.statistics import tally
from pylf.ir.schema.vocabulary import bookkeeping
from pylf.ir.terms import OWL, RDF, RDFS, Iri
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pylf.ir.graph import Graph
    from pylf.ir.schema.statements import Unions
    from pylf.ir.schema.statistics import Statistics
    from pylf.ir.schema.vocabulary import Vocabulary

#: Of the typed subjects or objects, the share that an inferred domain or range takes in at least.
COVERAGE = 0.95
#: The most classes that an inferred union holds.
MAX_UNION = 4
#: Of the subjects or objects, the share that must have a type for types to decide.
MIN_TYPED = 0.5
#: The least number of triples, or instances, from which a mark is inferred.
MIN_SUPPORT = 2

_UNTYPED = 0
_CHANGED = "the data changed while it was measured, its counts do not fit together; measure it again"
_INFERABLE = ("datatypes", "domain", "functional", "inverse", "range", "symmetric")


def infer_schema(
    graph: Graph, vocabulary: Vocabulary, declared: Schema | None = None, statistics: Statistics | None = None
) -> Schema:
    """The schema of a graph.

    ``declared`` is a schema whose statements win (what was inferred there was inferred from other data);
    ``statistics`` are counts over the same graph. Without them a graph
    with a method ``statistics()`` is asked for its own, and of any other all triples are passed over once. The result
    is all in memory. Its meta key ``sound`` is ``true`` when every subject and object of every relation is an instance
    of its domain and range; of a single relation that holds when ``domain_support == subjects`` and
    ``range_support == objects``. ``disjoint`` is ``true`` when no entity is of two classes that are stated to be
    disjoint; ``inverses`` is ``mirrored`` when the triples of each pair are exactly each other's reverse, or
    ``entailed`` where ``declared`` says so.

    Raises:
        InputError: the graph's own class expressions cannot be read.
        EngineError: the counts contradict each other, as they do where the data changes while it is measured.
    """
    counted = _counted(graph) if statistics is None else statistics
    counts = {relation: numbers for relation, *numbers in counted.relation_counts()}
    kinds: dict[str, set[str]] = {}
    for entity, kind in counted.type_pairs(vocabulary.type_predicates):
        if is_class_name(kind):
            kinds.setdefault(entity, set()).add(kind)
    statements = _own_statements(graph, vocabulary, {*counts, *(k for found in kinds.values() for k in found)})
    classes = _merged_classes(declared, statements)
    population = _Population(kinds, classes)
    stated = _merged_relations(declared, statements)
    # What is itself a class or a relation may have a label too, and is no member of any domain.
    aside = {*classes, *stated}.difference(kinds)
    relations = _Relations(counted, counts, vocabulary, population, stated, aside)
    found = relations.infer(statements)
    compound = population.relationships(relations.labelled, relations.ends())
    rows = {c.iri: relations.counted_class(c) for c in population.classes(statements, compound)}
    rows.update(relations.signatures)
    meta = {"source": "inferred", "vocabulary": vocabulary.name, "sound": "true" if relations.sound else "false"}
    meta["disjoint"] = "true" if population.kept_apart() else "false"
    if declared is not None and declared.source.meta("inverses") == "entailed":
        meta["inverses"] = "entailed"
    elif relations.mirrored(found):
        meta["inverses"] = "mirrored"
    if relations.languages:
        meta["languages"] = ",".join(sorted(relations.languages))
    remarks = None if declared is None else declared.source.meta("remarks")
    if remarks is not None:
        meta["remarks"] = remarks
    return Schema(MemorySource(found, rows.values(), meta))


def signature_iri(relation: str, end: str) -> str:
    """The IRI of a signature class: ``end`` is ``'subjects'`` or ``'objects'``."""
    escaped = "".join(
        c if c.isascii() and (c.isalnum() or c in "-._~") else "".join(f"%{b:02X}" for b in c.encode())
        for c in relation
    )
    return f"urn:pylf:{end}-of:{escaped}"


def _counted(graph: Graph) -> Statistics:
    return graph.statistics() if isinstance(graph, Counting) else tally(graph)


# --- what is stated -----------------------------------------------------------------------------------------------


def _own_statements(graph: Graph, vocabulary: Vocabulary, used: set[str]) -> Statements:
    """The schema statements in a graph, and the labels of its classes and relations (``used``, and those stated)."""
    statements = Statements(vocabulary)
    types = dict.fromkeys((RDF + "type", *vocabulary.type_predicates))
    stating = sorted(statements.predicates.difference(types, vocabulary.label_predicates))

    def gather(*patterns: Pattern) -> None:
        for subject, predicate, value in matching(graph, patterns):
            assert isinstance(predicate, Iri)
            statements.add(subject, predicate.value, value)

    # in one answer: what is said of a class without a name hangs together by its blank node
    kinds = [Iri(kind) for kind in sorted(SCHEMA_TYPES)]
    gather(Pattern(None, [Iri(p) for p in stating], None), Pattern(None, [Iri(p) for p in types], kinds))
    named = [Iri(iri) for iri in sorted(used.union(statements.classes(), statements.relations()))]
    gather(Pattern(named, [Iri(p) for p in vocabulary.label_predicates], None))
    return statements


def _merged_classes(declared: Schema | None, statements: Statements) -> dict[str, Class]:
    """The stated classes: parents and disjoint classes of both sources together."""
    found = dict(statements.classes())
    for theirs in declared.source.all_classes() if declared is not None else ():
        own = found.get(theirs.iri, Class(theirs.iri, statements.label(theirs.iri)))
        found[theirs.iri] = replace(
            theirs,
            label=own.label if theirs.label is None else theirs.label,
            parents=tuple(sorted({*theirs.parents, *own.parents})),
            disjoint=tuple(sorted({*theirs.disjoint, *own.disjoint})),
        )
    return found


def _merged_relations(declared: Schema | None, statements: Statements) -> dict[str, Relation]:
    """The stated relations; what ``declared`` leaves open, or has concluded from other data, the graph's own statements
    fill."""
    found = dict(statements.relations())
    for theirs in StatedSource(declared.source).all_relations() if declared is not None else ():
        own = found.get(theirs.iri, Relation(theirs.iri, statements.label(theirs.iri)))
        far = theirs if theirs.range or theirs.datatypes or theirs.literal is not None else own
        found[theirs.iri] = Relation(
            theirs.iri,
            label=own.label if theirs.label is None else theirs.label,
            domain=theirs.domain or own.domain,
            range=far.range,
            datatypes=far.datatypes,
            literal=far.literal,
            inverse=theirs.inverse or own.inverse,
            functional=theirs.functional or own.functional,
            symmetric=theirs.symmetric or own.symmetric,
        )
    return found


# --- entities and their classes -----------------------------------------------------------------------------------


class _Population:
    """Which classes the entities of a graph belong to, superclasses included.

    Entities with the same classes are one *group*; groups are numbered, :data:`_UNTYPED` being those without a type.
    """

    def __init__(self, kinds: Mapping[str, set[str]], stated: Mapping[str, Class]) -> None:
        self._stated = stated
        above: dict[str, frozenset[str]] = {}
        numbers: dict[frozenset[str], int] = {}
        #: the group of each typed entity
        self.group: dict[str, int] = {}
        #: the classes of each group
        self.members: list[frozenset[str]] = [frozenset()]
        for entity, direct in kinds.items():
            key = frozenset(direct)
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(self.members)
                self.members.append(frozenset().union(*(self._above(kind, above) for kind in key)))
            self.group[entity] = number
        #: instances per class
        self.instances = self.spread(Counter(self.group.values()))

    def kept_apart(self) -> bool:
        """Whether no entity is of two classes that are stated to be disjoint."""
        apart = {iri: frozenset(stated.disjoint) for iri, stated in self._stated.items() if stated.disjoint}
        return all(members.isdisjoint(apart[iri]) for members in self.members for iri in members if iri in apart)

    def spread(self, groups: Mapping[int, int]) -> dict[str, int]:
        """Counts per class from counts per group."""
        found: dict[str, int] = {}
        for number, entities in groups.items():
            for iri in self.members[number]:
                found[iri] = found.get(iri, 0) + entities
        return found

    def classes(self, statements: Statements, compound: set[str]) -> list[Class]:
        """A row for every class that is stated or has an instance."""
        return [
            replace(
                self._stated.get(iri) or Class(iri, statements.label(iri)),
                instances=self.instances.get(iri, 0),
                compound=iri in compound or (iri in self._stated and self._stated[iri].compound),
            )
            for iri in sorted({*self._stated, *self.instances})
        ]

    def _above(self, iri: str, known: dict[str, frozenset[str]]) -> frozenset[str]:
        found = known.get(iri)
        if found is None:
            seen = {iri}
            todo = [iri]
            while todo:
                stated = self._stated.get(todo.pop())
                for parent in stated.parents if stated is not None else ():
                    if parent not in seen:
                        seen.add(parent)
                        todo.append(parent)
            found = known[iri] = frozenset(seen)
        return found

    def relationships(self, labelled: set[str], ends: Iterable[Mapping[int, int]]) -> set[str]:
        """Classes whose instances stand for a relationship: two ends of relations at least meet in them, and they have
        no name, being all blank nodes, or none of them labelled where others are.

        ``labelled`` are the entities with a label, ``ends`` each relation's subjects and its objects, by group.
        """
        named = self.spread(Counter(g for e, g in self.group.items() if not e.startswith("_:")))
        with_label = self.spread(Counter(g for e, g in self.group.items() if e in labelled))
        nameless = {
            iri
            for iri, instances in self.instances.items()
            if instances >= MIN_SUPPORT and iri not in with_label and (with_label or iri not in named)
        }
        meeting: Counter[str] = Counter()
        for end in ends if nameless else ():
            meeting.update({iri for group in end for iri in self.members[group] if iri in nameless})
        return {iri for iri in nameless if meeting[iri] >= 2}


# --- relations ----------------------------------------------------------------------------------------------------


class _Relations:
    """Every relation of a graph, stated or in use, completed from the data."""

    def __init__(
        self,
        counted: Statistics,
        counts: Mapping[str, list[int]],
        vocabulary: Vocabulary,
        population: _Population,
        stated: Mapping[str, Relation],
        aside: set[str],
    ) -> None:
        self._population = population
        self._label_predicates = frozenset(vocabulary.label_predicates)
        self._passed_over = PREDICATES.union(
            vocabulary.type_predicates,
            (vocabulary.subclass_predicate,),
            bookkeeping(vocabulary.statements),
        )
        self._stated = {iri: r for iri, r in stated.items() if self._is_relation(iri)}
        self._counts = {iri: numbers for iri, numbers in counts.items() if self._is_relation(iri)}
        #: the entities that have a label
        self.labelled: set[str] = set()
        self._known = counts.keys()
        self._subjects: dict[str, Counter[int]] = {}
        passed: Counter[str] = Counter()
        for relation, subject in counted.subject_pairs():
            if subject in aside:
                passed[relation] += 1
                continue
            self._place(self._subjects, relation, subject)
            if relation in self._label_predicates:
                self.labelled.add(subject)
        self._objects: dict[str, Counter[int]] = {}
        for relation, target in counted.object_pairs():
            self._place(self._objects, relation, target)
        self._profilers: dict[str, Profiler] = {}
        self._literals: Counter[str] = Counter()
        for relation, lexical, datatype, language, triples in counted.literals():
            if relation in self._counts:
                self._profilers.setdefault(relation, Profiler()).add(lexical, datatype, language, triples)
                self._literals[relation] += triples
        self._check(passed)
        self._reversed = self._exactly_reversed(counted.reversed_pairs())
        self.signatures: dict[str, Class] = {}
        self.sound = True
        #: tags of labels
        self.languages: set[str] = set()

    def _check(self, passed: Counter[str]) -> None:
        """Raises EngineError where the answers that the counts come from are not of the same data. ``passed`` is how
        many subjects of each relation were left aside."""
        nothing: Counter[int] = Counter()
        for iri, (triples, subjects, objects) in self._counts.items():
            if (
                self._subjects.get(iri, nothing).total() + passed[iri] != subjects
                or self._objects.get(iri, nothing).total() > objects
                or self._literals[iri] > triples
            ):
                raise EngineError(f"<{iri}>: {_CHANGED}")

    def infer(self, statements: Statements) -> list[Relation]:
        """The relations by IRI. Fills ``signatures``, ``sound`` and ``languages`` on the way."""
        names = sorted({*self._counts, *self._stated})
        inverses = self._inverses(names)
        found = []
        for iri in names:
            stated = self._stated.get(iri) or Relation(iri, statements.label(iri))
            relation = self._counted(stated, inverses.get(iri))
            if relation.triples:
                relation = self._with_range(self._with_domain(relation))
            inferred = {f for f in _INFERABLE if getattr(relation, f) != getattr(stated, f)}
            found.append(replace(relation, inferred=tuple(sorted(inferred))))
        return found

    def mirrored(self, found: Iterable[Relation]) -> bool:
        """Whether there are pairs of inverses, and the triples of each are exactly each other's reverse."""
        pairs = [(r.iri, r.inverse) for r in found if r.inverse is not None and r.inverse != r.iri]
        return bool(pairs) and all(other in self._reversed.get(iri, ()) for iri, other in pairs)

    def counted_class(self, found: Class) -> Class:
        """The class itself; one that is a signature by an earlier inference with its instances as of now."""
        sides, relation = (
            (self._subjects, found.subjects_of) if found.subjects_of else (self._objects, found.objects_of)
        )
        return found if relation is None else replace(found, instances=sides.get(relation, Counter()).total())

    def ends(self) -> list[Counter[int]]:
        """The subjects of each relation, and the objects, by group; labels aside."""
        return [
            side
            for sides in (self._subjects, self._objects)
            for iri, side in sides.items()
            if iri not in self._label_predicates
        ]

    def _counted(self, relation: Relation, inverse: str | None) -> Relation:
        """The relation with its counts, and with the marks that are a matter of counting."""
        iri = relation.iri
        triples, subjects, objects = self._counts.get(iri, (0, 0, 0))
        profile = self._profilers.get(iri, Profiler()).profile(triples - self._literals[iri])
        if iri in self._label_predicates:
            self.languages.update(profile.languages, [""] if profile.strings else [])
        return replace(
            relation,
            triples=triples,
            subjects=subjects,
            objects=objects,
            profile=profile,
            inverse=relation.inverse or inverse,
            symmetric=relation.symmetric or iri in self._reversed.get(iri, ()),
            functional=relation.functional or triples == subjects >= MIN_SUPPORT,
        )

    def _with_domain(self, relation: Relation) -> Relation:
        side = self._subjects.get(relation.iri)
        if side is None:
            return relation
        # Anything may bear a label, so nothing less than all will do as its domain.
        coverage = 1.0 if relation.iri in self._label_predicates else COVERAGE
        domain = relation.domain or self._cover(side, coverage) or self._signature(relation, "subjects", side)
        return replace(relation, domain=domain, domain_support=self._support(relation, "subjects", domain, side))

    def _with_range(self, relation: Relation) -> Relation:
        """The relation with the range of its objects that are entities and the datatypes of those that are not."""
        literals = self._literals[relation.iri]
        side = self._objects.get(relation.iri)
        range_, datatypes, literal = relation.range, relation.datatypes, relation.literal
        if literal is None and not (range_ and datatypes):
            if range_ or datatypes:
                literal = bool(datatypes)
            elif not (literals and side):
                literal = literals > 0
        profiler = self._profilers.get(relation.iri, Profiler())
        untold = not datatypes and not range_ and literal is not False
        if untold or contradicts(profiler.profile(0), datatypes):
            datatypes = profiler.datatypes
        support = None
        if side is not None:
            if not range_ and not literal:
                range_ = self._cover(side) or self._signature(relation, "objects", side)
            if range_:
                support = self._support(relation, "objects", range_, side)
        # An object of the other sort is no instance of the range, nor a literal.
        self.sound = self.sound and not (range_ and literals) and not (literal and side is not None)
        return replace(relation, range=range_, datatypes=datatypes, literal=literal, range_support=support)

    def _cover(self, side: Counter[int], coverage: float = COVERAGE) -> Unions:
        """The classes that take in a side: one union, or none where too few are typed or no few classes suffice."""
        left = {group: n for group, n in side.items() if group != _UNTYPED}
        typed = sum(left.values())
        if typed == 0 or typed < MIN_TYPED * side.total():
            return ()
        chosen: list[str] = []
        while left and len(chosen) < MAX_UNION:
            best = self._most_specific(left)
            chosen.append(best)
            left = {group: n for group, n in left.items() if best not in self._population.members[group]}
        return (tuple(sorted(chosen)),) if sum(left.values()) <= (1 - coverage) * typed else ()

    def _most_specific(self, groups: dict[int, int]) -> str:
        """Of the classes that take in all of these entities, or nearly as many as any class does, the smallest."""
        gains = self._population.spread(groups)
        instances = self._population.instances
        most = max(gains.values())
        enough = most if most == sum(groups.values()) else COVERAGE * most
        return min((iri for iri, gain in gains.items() if gain >= enough), key=lambda iri: (instances[iri], iri))

    def _signature(self, relation: Relation, end: str, side: Counter[int]) -> Unions:
        """The class of a relation's subjects or objects, made where no other class says what they are."""
        iri = signature_iri(relation.iri, end)
        self.signatures[iri] = Class(
            iri,
            f"{end} of {relation.label or local_name(relation.iri)}",
            instances=side.total(),
            subjects_of=relation.iri if end == "subjects" else None,
            objects_of=relation.iri if end == "objects" else None,
        )
        return ((iri,),)

    def _support(self, relation: Relation, end: str, unions: Unions, side: Counter[int]) -> int:
        """How many of a side are instances; notes where not all are."""
        members = self._population.members
        own = signature_iri(relation.iri, end)
        asked = [union for union in unions if own not in union]
        support = sum(n for group, n in side.items() if all(not members[group].isdisjoint(union) for union in asked))
        self.sound = self.sound and support == side.total()
        return support

    def _inverses(self, names: list[str]) -> dict[str, str]:
        """Inverse pairs among the relations of which none is stated; each relation is in one pair at most."""
        found: dict[str, str] = {}
        taken = {iri for iri, r in self._stated.items() if r.inverse is not None}
        for iri in names:
            for other in sorted(self._reversed.get(iri, ())):
                if iri != other and taken.isdisjoint((iri, other)):
                    found[iri], found[other] = other, iri
                    taken.update((iri, other))
        return found

    def _exactly_reversed(self, pairs: Iterable[tuple[str, str, int]]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for one, other, triples in pairs:
            sizes = {self._counts[iri][0] if iri in self._counts else -1 for iri in (one, other)}
            if sizes == {triples} and triples >= MIN_SUPPORT:
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
        return found

    def _place(self, sides: dict[str, Counter[int]], relation: str, entity: str) -> None:
        """Count an entity at one end of a relation, under its group."""
        if relation in self._counts:
            side = sides.get(relation)
            if side is None:
                side = sides[relation] = Counter()
            side[self._population.group.get(entity, _UNTYPED)] += 1
        elif relation not in self._known:
            raise EngineError(f"<{relation}>: {_CHANGED}")

    def _is_relation(self, iri: str) -> bool:
        return iri in self._label_predicates or not (iri in self._passed_over or iri.startswith((RDF, RDFS, OWL)))
