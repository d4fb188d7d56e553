"""Random schemas: small, and with every turn that a stated schema may take.

A lattice of a few classes, some said to be disjoint; relations with a domain or without one, of one class, of a union,
of several domains that intersect; ranges likewise; datatypes, one or several, beside a range or alone; inverse pairs,
functional and symmetric marks; labels that are not the local name; names with two dots, as Freebase has them; signature
classes. What comes first in each choice is the plainest, which is what hypothesis shrinks towards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.profiles import profile_of
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF_LANG_STRING, XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_STRING, Literal
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node

    Unions = tuple[tuple[str, ...], ...]

NS = "http://w.example/"
VOCABULARY = Vocabulary("tiny", prefixes={"": NS})

_CLASSES = "ABCDE"
#: relations between entities, and what each is called
_ENTITY_RELATIONS = ("r", "q", "film.film.cast", "s", "t")
#: relations that lead to values
_VALUE_RELATIONS = ("v", "w", "film.film.year", "n", "d")
_LABELS = {"q": "made by", "w": "how many", "A": "rocket", "film.film.cast": "is played by"}
#: what the values of a relation are said to be
_DATATYPES: tuple[tuple[str, ...], ...] = (
    (),
    (XSD_DECIMAL,),
    (XSD + "date",),
    (XSD_STRING,),
    (XSD + "integer",),
    (XSD + "gYear",),
    (XSD + "double",),
    (XSD + "dateTime",),
    (XSD + "date", XSD + "gYear"),
    (XSD + "integer", XSD_STRING),
    (XSD + "float",),
    (XSD + "int", XSD_DECIMAL),
    (RDF_LANG_STRING,),
    (XSD_BOOLEAN,),
    (XSD + "gYearMonth",),
)


class Rows(NamedTuple):
    """A schema by its rows. ``meta`` is as :class:`pylf.ir.schema.memory.MemorySource` takes it, as pairs."""

    relations: tuple[Relation, ...]
    classes: tuple[Class, ...]
    meta: tuple[tuple[str, str], ...] = ()

    def schema(self) -> Schema:
        """The schema that they make."""
        return Schema(MemorySource(self.relations, self.classes, dict(self.meta)))


def random_rows(random: Random) -> Rows:
    """The rows of a schema of two to five classes, and as many relations to entities and to values again."""
    classes = _classes(random)
    names = [c.iri for c in classes]
    relations = [_between_entities(random, name, names) for name in _ENTITY_RELATIONS[: random.randint(2, 5)]]
    if random.random() > 0.6:
        relations = _with_inverse(random, relations)
    relations += [_to_values(random, name, names) for name in _VALUE_RELATIONS[: random.randint(2, 5)]]
    if random.random() > 0.75:
        signature = _signature(random, relations)
        classes.append(signature)
        place = random.randrange(len(relations))
        relations[place] = replace(relations[place], domain=((signature.iri,),))
    return Rows(tuple(relations), tuple(classes))


def counted(rows: Rows, triples: Sequence[TripleRow]) -> Rows:
    """The rows with the statistics of a graph: how many triples each relation has, and values of which kinds."""
    objects: dict[str, list[tuple[Node, Node]]] = {}
    for s, p, o in triples:
        objects.setdefault(str(p)[1:-1], []).append((s, o))
    found = []
    for relation in rows.relations:
        pairs = objects.get(relation.iri, [])
        literals = [(o.lexical, o.datatype, o.language or "", 1) for _, o in pairs if isinstance(o, Literal)]
        profile = profile_of(literals, entities=len(pairs) - len(literals))
        ends = len({s for s, _ in pairs}), len({o for _, o in pairs})
        found.append(replace(relation, triples=len(pairs), subjects=ends[0], objects=ends[1], profile=profile))
    return rows._replace(relations=tuple(found))


def uncounted(rows: Rows) -> Rows:
    """The rows without statistics."""
    return rows._replace(
        relations=tuple(
            replace(r, triples=None, subjects=None, objects=None, profile=None, domain_support=None, range_support=None)
            for r in rows.relations
        ),
        classes=tuple(replace(c, instances=None) for c in rows.classes),
    )


def _classes(random: Random) -> list[Class]:
    """A lattice: each class lies below none, one or two of those before it."""
    found: list[Class] = []
    for letter in _CLASSES[: random.randint(2, 5)]:
        above = random.choice((0, 0, 1, 1, 2))
        parents = tuple(sorted({random.choice(found).iri for _ in range(above)})) if found else ()
        found.append(Class(NS + letter, _label(random, letter), parents))
    if random.random() > 0.7:
        left, right = random.randrange(len(found)), random.randrange(len(found))
        if left != right and not _related(found, left, right):
            found[left] = replace(found[left], disjoint=(found[right].iri,))
            found[right] = replace(found[right], disjoint=(found[left].iri,))
    return found


def _related(classes: list[Class], left: int, right: int) -> bool:
    """Whether one class lies below the other, or some class below both."""
    schema = Schema(MemorySource((), classes))
    below = [set(schema.subclasses(classes[place].iri)) for place in (left, right)]
    return not below[0].isdisjoint(below[1])


def _unions(random: Random, classes: list[str]) -> Unions:
    """What a domain or a range says: one class, nothing, a union, two that intersect."""
    match random.random():
        case roll if roll < 0.55:
            return ((random.choice(classes),),)
        case roll if roll < 0.75:
            return ()
        case roll if roll < 0.9:
            return (_union(random, classes),)
        case _:
            return tuple(sorted({_union(random, classes), (random.choice(classes),)}))


def _union(random: Random, classes: list[str]) -> tuple[str, ...]:
    return tuple(sorted({random.choice(classes), random.choice(classes)}))


def _between_entities(random: Random, name: str, classes: list[str]) -> Relation:
    range_ = _unions(random, classes)
    return Relation(
        NS + name,
        _label(random, name),
        _unions(random, classes),
        range_,
        literal=False if range_ and random.random() > 0.5 else None,
        functional=random.random() > 0.9,
        symmetric=random.random() > 0.95,
    )


def _to_values(random: Random, name: str, classes: list[str]) -> Relation:
    datatypes = random.choice(_DATATYPES)
    mixed = random.random()
    return Relation(
        NS + name,
        _label(random, name),
        _unions(random, classes),
        range=((random.choice(classes),),) if mixed > 0.93 else (),
        datatypes=datatypes,
        literal=True if datatypes and 0.5 < mixed < 0.8 else None,
        functional=random.random() > 0.9,
    )


def _with_inverse(random: Random, relations: list[Relation]) -> list[Relation]:
    """The relations with the inverse of one of them, which the graph states in its own right."""
    of = random.choice(relations)
    other = Relation(NS + "of", domain=of.range, range=of.domain, inverse=of.iri)
    return [*(replace(r, inverse=other.iri) if r is of else r for r in relations), other]


def _signature(random: Random, relations: list[Relation]) -> Class:
    of = random.choice(relations)
    name = NS + "with." + of.iri[len(NS) :]
    return Class(name, subjects_of=of.iri) if random.random() < 0.6 else Class(name, objects_of=of.iri)


def _label(random: Random, name: str) -> str | None:
    return _LABELS.get(name) if random.random() > 0.5 else None
