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
    confidence: str = "urn:pylf:confidence"


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
    #: how the confidence of a triple is asked for
    statements: StatementPattern = StatementPattern()

    def __hash__(self) -> int:
        return hash(self.name)
