"""The vocabulary of a graph: how it says type, subclass and label, and how names become IRIs.

Built in are ``rdf``, ``freebase``, ``wikidata`` and ``dbpedia``; a user's own is a small TOML file with the same
fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.terms import OWL, RDF, RDFS
from pylf.records import field, record

if TYPE_CHECKING:
    from collections.abc import Mapping

#: where confidences are, unless a vocabulary says otherwise
CONFIDENCE = "urn:pylf:confidence"


@record
class StatementPattern:
    """Where a graph keeps the confidence of a triple: on a statement node that names the triple's three parts.

    ``(s, p, o)`` has confidence ``c`` where, for some node ``n``, the graph holds ``(n, subject, s)``,
    ``(n, predicate, p)``, ``(n, object, o)`` and ``(n, confidence, c)``. The triple itself need not be stated too.
    The default is standard RDF reification with a confidence predicate of ours.
    """

    subject: str = RDF + "subject"
    predicate: str = RDF + "predicate"
    object: str = RDF + "object"
    confidence: str = CONFIDENCE


@record
class NaryStatements:
    """On a statement node between the two ends, by two relations for each relation, as Wikidata has them.

    ``(s, p, o)`` has confidence ``c`` where, for some node ``n``, the graph holds ``(s, p_r, n)``, ``(n, v_r, o)`` and
    ``(n, confidence, c)``. ``relation``, ``statement`` and ``value`` are IRIs of p, p_r and v_r, with ``{}`` in the
    place of what the three have in common. ``links`` are three relations of one node that says which of them belong
    together: it has ``p``, ``p_r`` and ``v_r`` as values. By them a relation can be asked for; without them it cannot.
    """

    relation: str = "{}"
    statement: str = "{}/statement"
    value: str = "{}/value"
    confidence: str = CONFIDENCE
    links: tuple[str, ...] = ("urn:pylf:relation", "urn:pylf:statement", "urn:pylf:value")


@record
class SingletonProperties:
    """On a relation that one triple alone has.

    ``(s, p, o)`` has confidence ``c`` where, for some ``n``, the graph holds ``(s, n, o)``, ``(n, property, p)`` and
    ``(n, confidence, c)``.
    """

    property: str = RDF + "singletonPropertyOf"
    confidence: str = CONFIDENCE


@record
class TripleTerms:
    """On a reifier of a triple term (RDF 1.2).

    ``(s, p, o)`` has confidence ``c`` where, for some node ``n``, the graph holds ``(n, reifies, <<( s p o )>>)`` and
    ``(n, confidence, c)``. Where ``stated``, it holds the triple itself too, by which engines find the term sooner.
    """

    reifies: str = RDF + "reifies"
    confidence: str = CONFIDENCE
    stated: bool = False


@record
class NamedGraphs:
    """On the name of a graph that holds the triple: a graph for each triple, or for all that are alike.

    ``(s, p, o)`` has confidence ``c`` where a graph named ``n`` holds it, and what is asked ``(n, confidence, c)``.
    """

    confidence: str = CONFIDENCE


Encoding = StatementPattern | NaryStatements | SingletonProperties | TripleTerms | NamedGraphs

#: the encodings by the name that a vocabulary's file calls them
ENCODINGS: Mapping[str, type[Encoding]] = {
    "reification": StatementPattern,
    "n-ary": NaryStatements,
    "singleton property": SingletonProperties,
    "triple term": TripleTerms,
    "quad": NamedGraphs,
}


def encoding_name(encoding: Encoding) -> str:
    """What a vocabulary's file calls an encoding."""
    return next(name for name, kind in ENCODINGS.items() if kind is type(encoding))


def bookkeeping(encoding: Encoding) -> tuple[str, ...]:
    """The relations that say nothing but where a confidence is."""
    match encoding:
        case StatementPattern(subject, predicate, object_, confidence):
            return subject, predicate, object_, confidence
        case NaryStatements(confidence=confidence, links=links):
            return (confidence, *links)
        case SingletonProperties(property_, confidence):
            return property_, confidence
        case TripleTerms(reifies, confidence):
            return reifies, confidence
        case NamedGraphs(confidence):
            return (confidence,)


@record
class Vocabulary:
    """Conventions of one graph. All IRIs are full."""

    name: str
    type_predicates: tuple[str, ...] = (RDF + "type",)
    subclass_predicate: str = RDFS + "subClassOf"
    #: whether the classes below a class are asked of the graph, as a path of ``subclass_predicate``, instead of read
    #: from the schema: for graphs whose classes are too many to be listed beforehand
    subclass_paths: bool = False
    label_predicates: tuple[str, ...] = (RDFS + "label",)
    #: language tags that a label may carry, "" for none; a bare label is looked up under each of them
    label_languages: tuple[str, ...] = ("", "en")
    #: relations whose objects are classes themselves, not instances of them, besides ``type_predicates``
    class_relations: tuple[str, ...] = ()
    #: classes whose instances are classes: a relation that leads to one of them leads to classes themselves
    metaclasses: tuple[str, ...] = (RDFS + "Class", OWL + "Class")
    #: prefix (without colon) to namespace
    prefixes: Mapping[str, str] = field(default={})
    #: namespace for names that match ``entity_pattern`` / ``relation_pattern`` (regular expressions, whole name)
    entity_namespace: str | None = None
    entity_pattern: str | None = None
    relation_namespace: str | None = None
    relation_pattern: str | None = None
    #: whether a name may also be written as a path, ``/people/person`` for ``people.person``
    slashes: bool = False
    #: short names of datatypes, e.g. ``type.float``
    datatypes: Mapping[str, str] = field(default={})
    #: where the confidence of a triple is
    statements: Encoding = StatementPattern()

    def __hash__(self) -> int:
        return hash(self.name)
