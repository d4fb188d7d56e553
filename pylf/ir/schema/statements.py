"""What RDFS, OWL and schema.org statements say about classes and relations.

:class:`Statements` gathers triples in any order and gives rows that depend on their set alone. It reads:

- classes: ``rdfs:Class``, ``owl:Class``, both ends of subclass statements, what domains and ranges name;
- ``rdfs:subClassOf``, ``owl:equivalentClass``, ``owl:unionOf`` and ``owl:disjointUnionOf`` (parts lie below the
  whole), ``owl:intersectionOf`` (the whole lies below the parts), ``owl:disjointWith``, ``owl:AllDisjointClasses``,
  ``owl:complementOf`` between named classes;
- ``rdfs:domain`` and ``rdfs:range`` (several intersect), ``domainIncludes`` and ``rangeIncludes`` (several unite),
  with class expressions of unions and intersections; complements and restrictions in them are left out, which only
  widens what is read;
- ``owl:inverseOf`` in both directions (a domain or range stated for one side serves the other), functional, inverse
  functional and symmetric marks; labels.

``rdfs:subPropertyOf`` makes both ends relations and says nothing else here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.ir.schema.memory import domain_and_range
from pylf.ir.schema.model import Class, Relation
from pylf.ir.terms import OWL, RDF, RDFS, XSD, Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

#: A class expression in conjunctive form: at least one class of every union. None: says nothing.
Unions = tuple[tuple[str, ...], ...]

SCHEMA_ORG = ("http://schema.org/", "https://schema.org/")

_TYPE = RDF + "type"
_FIRST, _REST, _NIL = RDF + "first", RDF + "rest", RDF + "nil"
_DOMAIN, _RANGE, _SUBPROPERTY = RDFS + "domain", RDFS + "range", RDFS + "subPropertyOf"
_EQUIVALENT, _DISJOINT, _COMPLEMENT = OWL + "equivalentClass", OWL + "disjointWith", OWL + "complementOf"
_UNION, _INTERSECTION, _DISJOINT_UNION = OWL + "unionOf", OWL + "intersectionOf", OWL + "disjointUnionOf"
_INVERSE, _MEMBERS, _ON_DATATYPE = OWL + "inverseOf", OWL + "members", OWL + "onDatatype"
_DOMAIN_INCLUDES = tuple(ns + "domainIncludes" for ns in SCHEMA_ORG)
_RANGE_INCLUDES = tuple(ns + "rangeIncludes" for ns in SCHEMA_ORG)
_SUBCLASS = RDFS + "subClassOf"

#: The predicates whose triples matter, besides the vocabulary's for type, subclass and label.
PREDICATES = frozenset(
    (
        *(_TYPE, _FIRST, _REST, _DOMAIN, _RANGE, _SUBPROPERTY, _SUBCLASS, _EQUIVALENT, _DISJOINT, _COMPLEMENT),
        *(_UNION, _INTERSECTION, _DISJOINT_UNION, _INVERSE, _MEMBERS, _ON_DATATYPE),
        *_DOMAIN_INCLUDES,
        *_RANGE_INCLUDES,
    )
)

_CLASS_TYPES = frozenset((RDFS + "Class", OWL + "Class"))
_OBJECT_PROPERTY, _DATATYPE_PROPERTY = OWL + "ObjectProperty", OWL + "DatatypeProperty"
_FUNCTIONAL, _INVERSE_FUNCTIONAL = OWL + "FunctionalProperty", OWL + "InverseFunctionalProperty"
_SYMMETRIC, _ALL_DISJOINT = OWL + "SymmetricProperty", OWL + "AllDisjointClasses"
_PROPERTY_TYPES = frozenset(
    (
        *(RDF + "Property", _OBJECT_PROPERTY, _DATATYPE_PROPERTY, OWL + "AnnotationProperty", _FUNCTIONAL),
        *(_INVERSE_FUNCTIONAL, _SYMMETRIC, OWL + "TransitiveProperty", OWL + "AsymmetricProperty"),
        *(OWL + "IrreflexiveProperty", OWL + "ReflexiveProperty"),
        *(ns + "Property" for ns in SCHEMA_ORG),
    )
)
_DATATYPE = RDFS + "Datatype"
#: Every class of these is told by its type triples; other types are data.
SCHEMA_TYPES = _CLASS_TYPES | _PROPERTY_TYPES | {_ALL_DISJOINT, _DATATYPE}

#: Classes that hold everything, so that naming them says nothing.
TOP = frozenset((OWL + "Thing", RDFS + "Resource"))
_LITERAL = RDFS + "Literal"
_LITERALS = frozenset((_LITERAL, RDF + "langString", RDF + "PlainLiteral", RDF + "HTML", RDF + "XMLLiteral"))
_SCHEMA_ORG_DATATYPES = {
    ns + name: datatype
    for ns in SCHEMA_ORG
    for name, datatype in {
        "Boolean": XSD + "boolean",
        "Date": XSD + "date",
        "DateTime": XSD + "dateTime",
        "Float": XSD + "double",
        "Integer": XSD + "integer",
        "Number": _LITERAL,
        "Text": _LITERAL,
        "Time": XSD + "time",
        "URL": XSD + "anyURI",
    }.items()
}

_MAX_DEPTH = 50
_MAX_UNIONS = 64


class Statements:
    """Schema statements, gathered by :meth:`add` and read out by :meth:`classes` and :meth:`relations`."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._type_predicates = frozenset((_TYPE, *vocabulary.type_predicates))
        self._subclass_predicates = tuple(dict.fromkeys((_SUBCLASS, vocabulary.subclass_predicate)))
        #: what :meth:`add` takes in; other triples may be kept from it
        self.predicates = PREDICATES.union(
            vocabulary.type_predicates, (vocabulary.subclass_predicate,), vocabulary.label_predicates
        )
        self._triples: dict[str, dict[str, set[str]]] = {}
        self._types: dict[str, set[str]] = {}
        self._labels: dict[str, set[tuple[int, int, str]]] = {}
        self._short_datatypes = {
            namespace + name: iri
            for namespace in (vocabulary.entity_namespace, vocabulary.relation_namespace)
            if namespace is not None
            for name, iri in vocabulary.datatypes.items()
        }
        self._rank = {tag: i for i, tag in enumerate(vocabulary.label_languages)}
        self._rows: tuple[dict[str, Class], dict[str, Relation]] | None = None

    def add(self, subject: Node, predicate: str, target: Node) -> None:
        """Take in one triple; those that say nothing about a schema are passed over."""
        if predicate not in self.predicates:
            return
        self._rows = None
        key = subject.value if isinstance(subject, Iri) else f"_:{subject.label}" if isinstance(subject, Blank) else ""
        if isinstance(target, Literal):
            if predicate in self._vocabulary.label_predicates and key and not key.startswith("_:"):
                place = self._vocabulary.label_predicates.index(predicate)
                rank = self._rank.get(target.language or "", len(self._rank))
                self._labels.setdefault(key, set()).add((place, rank, target.lexical))
            return
        if not key:
            return
        value = target.value if isinstance(target, Iri) else f"_:{target.label}"
        if predicate in self._type_predicates:
            if value in SCHEMA_TYPES:
                self._types.setdefault(value, set()).add(key)
        else:
            self._triples.setdefault(predicate, {}).setdefault(key, set()).add(value)

    def classes(self) -> dict[str, Class]:
        """The classes by IRI.

        Raises:
            InputError: a class expression is nested too deeply, or in a circle.
        """
        return self._read()[0]

    def relations(self) -> dict[str, Relation]:
        """The relations by IRI.

        Raises:
            InputError: as :meth:`classes` does.
        """
        return self._read()[1]

    def label(self, iri: str) -> str | None:
        """The label of any named node: of the first label predicate and language that has one, the least."""
        found = self._labels.get(iri)
        return min(found)[2] if found else None

    # --- reading --------------------------------------------------------------------------------------------------

    def _read(self) -> tuple[dict[str, Class], dict[str, Relation]]:
        if self._rows is None:
            relations = self._read_relations()
            self._rows = (self._read_classes(relations), relations)
        return self._rows

    def _read_classes(self, relations: dict[str, Relation]) -> dict[str, Class]:
        parents: dict[str, set[str]] = {}
        disjoint: dict[str, set[str]] = {}
        named: set[str] = set()
        for kind in _CLASS_TYPES:
            named.update(filter(is_class_name, self._types.get(kind, ())))

        def below(child: str, parent: str) -> None:
            named.update(filter(is_class_name, (child, parent)))
            if child != parent and is_class_name(child) and is_class_name(parent):
                parents.setdefault(child, set()).add(parent)

        def apart(left: str, right: str) -> None:
            named.update((left, right))
            if left != right:
                disjoint.setdefault(left, set()).add(right)
                disjoint.setdefault(right, set()).add(left)

        for child, parent in self._hierarchy():
            below(child, parent)
        for left, right in self._disjoint_pairs():
            apart(left, right)
        for relation in relations.values():
            named.update(domain_and_range(relation))
        for child, parent in _classified(self._definitions(), named, parents, disjoint):
            below(child, parent)
        return {
            iri: Class(
                iri,
                self.label(iri),
                parents=tuple(sorted(parents.get(iri, ()))),
                disjoint=tuple(sorted(disjoint.get(iri, ()))),
            )
            for iri in sorted(named)
        }

    def _hierarchy(self) -> Iterator[tuple[str, str]]:
        """Pairs (subclass, superclass) that the statements give; some may be blank or say nothing."""
        for predicate in self._subclass_predicates:
            for child, parent in self._pairs(predicate):
                yield from self._under(child, parent)
        for left, right in self._pairs(_EQUIVALENT):
            for whole, other in ((left, right), (right, left)):
                yield from self._under(whole, other)
                yield from self._over(whole, other)
        for whole in self._subjects(_UNION, _INTERSECTION, _DISJOINT_UNION):
            if not whole.startswith("_:"):
                yield from self._under(whole, whole)
                yield from self._over(whole, whole)
        for whole, items in self._pairs(_DISJOINT_UNION):
            for part in self._list(items):
                yield part, whole

    def _under(self, child: str, expression: str) -> Iterator[tuple[str, str]]:
        """What lies above a named class by a statement that it lies below an expression."""
        if child.startswith("_:"):
            return
        if expression.startswith("_:") or expression == child:
            unions = self._expression(expression, structure=True)
            for union in unions or ():
                if len(union) == 1:
                    yield child, union[0]
        else:
            yield child, expression

    def _over(self, whole: str, expression: str) -> Iterator[tuple[str, str]]:
        """What lies below a named class because the expression it equals is a union of named classes."""
        if not whole.startswith("_:"):
            for items in self._objects(expression, _UNION):
                for part in self._list(items):
                    yield part, whole

    def _disjoint_pairs(self) -> Iterator[tuple[str, str]]:
        for predicate in (_DISJOINT, _COMPLEMENT):
            for left, right in self._pairs(predicate):
                if is_class_name(left) and is_class_name(right):
                    yield left, right
        groups = [self._list(items) for _, items in self._pairs(_DISJOINT_UNION)]
        groups += [
            self._list(items) for node in self._types.get(_ALL_DISJOINT, ()) for items in self._objects(node, _MEMBERS)
        ]
        for group in groups:
            parts = sorted(set(filter(is_class_name, group)))
            for i, left in enumerate(parts):
                for right in parts[i + 1 :]:
                    yield left, right

    def _definitions(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """Named classes that equal an intersection of named classes and complements of named classes: both sets."""
        found = {}
        pairs = [*self._pairs(_EQUIVALENT), *((w, w) for w in self._subjects(_INTERSECTION))]
        for whole, expression in pairs:
            if not is_class_name(whole):
                continue
            for items in self._objects(expression, _INTERSECTION):
                within: set[str] = set()
                without: set[str] = set()
                for part in self._list(items):
                    if is_class_name(part):
                        within.add(part)
                    else:
                        without.update(self._objects(part, _COMPLEMENT) or (part,))
                if within and all(map(is_class_name, without)):
                    found[whole] = (frozenset(within), frozenset(without))
        return found

    def _read_relations(self) -> dict[str, Relation]:
        named: set[str] = set()
        for kind in _PROPERTY_TYPES:
            named.update(self._types.get(kind, ()))
        for predicate in (_DOMAIN, _RANGE, *_DOMAIN_INCLUDES, *_RANGE_INCLUDES):
            named.update(self._triples.get(predicate, ()))
        for predicate in (_INVERSE, _SUBPROPERTY):
            for pair in self._pairs(predicate):
                named.update(pair)
        inverses = self._inverses()
        found = {iri: self._relation(iri, inverses.get(iri)) for iri in sorted(named) if _is_relation_name(iri)}
        return {iri: _with_inverse(r, found.get(r.inverse or "")) for iri, r in found.items()}

    def _relation(self, iri: str, inverse: str | None) -> Relation:
        domain, _ = self._stated(iri, _DOMAIN, _DOMAIN_INCLUDES)
        range_, datatypes = self._stated(iri, _RANGE, _RANGE_INCLUDES)
        literal: bool | None = None
        if self._has_type(iri, _DATATYPE_PROPERTY):
            # A range that nothing else is known of is a datatype here.
            datatypes.update(c for union in range_ for c in union)
            range_ = ()
            literal = True
        elif datatypes or range_:
            literal = None if datatypes and range_ else bool(datatypes)
        elif self._has_type(iri, _OBJECT_PROPERTY):
            literal = False
        if literal or len(datatypes) > 1:
            datatypes.discard(_LITERAL)
        return Relation(
            iri,
            self.label(iri),
            domain=domain,
            range=range_,
            datatypes=tuple(sorted(datatypes)),
            inverse=inverse,
            functional=self._has_type(iri, _FUNCTIONAL)
            or (inverse is not None and self._has_type(inverse, _INVERSE_FUNCTIONAL)),
            symmetric=self._has_type(iri, _SYMMETRIC) or inverse == iri,
            literal=literal,
        )

    def _inverses(self) -> dict[str, str]:
        """The inverse of each relation; where several are stated, the first by IRI that is still free."""
        found: dict[str, str] = {}
        pairs = {(min(p), max(p)) for p in self._pairs(_INVERSE) if not any(n.startswith("_:") for n in p)}
        for left, right in sorted(pairs):
            if left not in found and right not in found:
                found[left] = right
                found[right] = left
        return found

    def _stated(self, iri: str, whole: str, parts: tuple[str, ...]) -> tuple[Unions, set[str]]:
        """The classes and the datatypes of a relation's domain or range; ``rdfs:Literal`` is any datatype."""
        unions: set[tuple[str, ...]] = set()
        datatypes: set[str] = set()
        for value in self._objects(iri, whole):
            self._side(value, unions, datatypes)
        included: set[str] = set()
        vague = False
        for predicate in parts:
            for value in self._objects(iri, predicate):
                if value in _SCHEMA_ORG_DATATYPES or self._is_datatype(value):
                    datatypes.add(self._datatype(value))
                elif is_class_name(value):
                    included.add(value)
                else:
                    vague = True
        if included and not vague:
            unions.add(tuple(sorted(included)))
        return _minimal(unions), datatypes

    def _side(self, value: str, unions: set[tuple[str, ...]], datatypes: set[str]) -> None:
        if self._is_datatype(value):
            datatypes.add(self._datatype(value))
            return
        for union in self._expression(value) or ():
            literal = {c for c in union if self._is_datatype(c)}
            datatypes.update(map(self._datatype, literal))
            classes = tuple(c for c in union if c not in literal)
            if classes:
                unions.add(classes)

    # --- class expressions ----------------------------------------------------------------------------------------

    def _expression(self, node: str, depth: int = 0, structure: bool = False) -> Unions | None:
        """A class expression in conjunctive form; None where it says nothing that is read.

        A named class stands for itself, unless ``structure`` asks for what is said of its own build.
        """
        if depth > _MAX_DEPTH:
            raise InputError(f"a class expression is nested more than {_MAX_DEPTH} deep, or holds itself")
        if not node.startswith("_:") and not structure:
            return None if node in TOP else ((node,),)
        found: set[tuple[str, ...]] = set()
        for items in self._objects(node, _INTERSECTION):
            for part in self._list(items):
                found.update(self._expression(part, depth + 1) or ())
        if node.startswith("_:"):
            for predicate in (_UNION, _DISJOINT_UNION):
                for items in self._objects(node, predicate):
                    found.update(self._united(self._list(items), depth + 1) or ())
            for datatype in self._objects(node, _ON_DATATYPE):
                found.add((datatype,))
        return _minimal(found) if found else None

    def _united(self, parts: list[str], depth: int) -> Unions | None:
        """The union of expressions: one of every combination of their unions. None where a part says nothing."""
        combined: set[tuple[str, ...]] = {()}
        for part in parts:
            unions = self._expression(part, depth)
            if unions is None or len(combined) * len(unions) > _MAX_UNIONS:
                return None
            combined = {tuple(sorted({*c, *u})) for c in combined for u in unions}
        return tuple(sorted(combined - {()}))

    def _is_datatype(self, node: str) -> bool:
        return (
            node.startswith(XSD)
            or node in _LITERALS
            or node in self._short_datatypes
            or self._has_type(node, _DATATYPE)
            or bool(self._objects(node, _ON_DATATYPE))
        )

    def _datatype(self, node: str) -> str:
        """The datatype that a node stands for: itself, what a vocabulary's short name means, what it restricts."""
        base = next(iter(self._objects(node, _ON_DATATYPE)), node)
        return self._short_datatypes.get(base) or _SCHEMA_ORG_DATATYPES.get(base, base)

    # --- triples --------------------------------------------------------------------------------------------------

    def _has_type(self, node: str, kind: str) -> bool:
        return node in self._types.get(kind, ())

    def _pairs(self, predicate: str) -> Iterator[tuple[str, str]]:
        for subject, objects in sorted(self._triples.get(predicate, {}).items()):
            for value in sorted(objects):
                yield subject, value

    def _subjects(self, *predicates: str) -> list[str]:
        return sorted({s for p in predicates for s in self._triples.get(p, ())})

    def _objects(self, subject: str, predicate: str) -> list[str]:
        return sorted(self._triples.get(predicate, {}).get(subject, ()))

    def _list(self, node: str) -> list[str]:
        """The members of an RDF list; one that runs in a circle ends where it began to."""
        found: list[str] = []
        seen = set()
        while node != _NIL and node not in seen:
            seen.add(node)
            found += self._objects(node, _FIRST)
            node = next(iter(self._objects(node, _REST)), _NIL)
        return found


def is_class_name(node: str) -> bool:
    """Whether a node may name a class of the domain: no blank node, no datatype, none of the schema language's own."""
    return not (node.startswith(("_:", XSD, RDF, RDFS, OWL)) or node in _SCHEMA_ORG_DATATYPES)


def _is_relation_name(node: str) -> bool:
    return not node.startswith(("_:", RDF, RDFS, OWL))


def _minimal(unions: Iterable[tuple[str, ...]]) -> Unions:
    """The unions, sorted, without those that another one, being narrower, makes needless."""
    distinct = sorted(set(unions))
    sets = [(u, frozenset(u)) for u in distinct]
    return tuple(u for u, members in sets if not any(other < members for _, other in sets))


def _with_inverse(relation: Relation, inverse: Relation | None) -> Relation:
    """The relation with the domain and range that its inverse states and itself does not."""
    if inverse is None or inverse.literal:
        return relation
    domain = relation.domain or inverse.range
    range_ = relation.range or (() if relation.datatypes else inverse.domain)
    if (domain, range_) == (relation.domain, relation.range):
        return relation
    from pylf.records import replace

    literal = False if relation.literal is None and range_ else relation.literal
    return replace(relation, domain=domain, range=range_, literal=literal)


def _classified(
    definitions: dict[str, tuple[frozenset[str], frozenset[str]]],
    named: set[str],
    parents: dict[str, set[str]],
    disjoint: dict[str, set[str]],
) -> list[tuple[str, str]]:
    """Named classes that lie below a defined one: below all it lies within, disjoint from all it leaves out.

    ``EncompassedArea = LargeArea and not Sea`` has no instances of its own in the data; its instances are those of
    Country, which is a LargeArea and disjoint from Sea.
    """
    children: dict[str, set[str]] = {}
    for child, above in parents.items():
        for parent in above:
            children.setdefault(parent, set()).add(child)
    found = []
    for whole, (within, without) in sorted(definitions.items()):
        candidates = set.intersection(*(_reached(w, children) for w in within)) & named
        for iri in sorted(candidates - _reached(whole, parents) - _reached(whole, children)):
            apart = {d for a in _reached(iri, parents) for d in disjoint.get(a, ())}
            if all(not apart.isdisjoint(_reached(w, parents)) for w in without):
                found.append((iri, whole))
    return found


def _reached(iri: str, steps: dict[str, set[str]]) -> set[str]:
    """A class and all that is reached from it by the steps."""
    seen = {iri}
    todo = [iri]
    while todo:
        for other in steps.get(todo.pop(), ()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen
