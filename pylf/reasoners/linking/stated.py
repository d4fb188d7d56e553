"""The names that a graph and its schema state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.graph import Pattern, matching
from pylf.ir.schema.memory import local_name
from pylf.ir.terms import OWL, RDF, RDFS, Iri, Literal
from pylf.reasoners.linking.candidate import How
from pylf.reasoners.linking.folding import folded
from pylf.reasoners.linking.names import Named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pylf.ir.graph import Graph
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

#: How graphs state further names: SKOS, Freebase, schema.org, FOAF, DBpedia, Wikidata's export.
ALIASES = (
    "http://www.w3.org/2004/02/skos/core#altLabel",
    "http://rdf.freebase.com/ns/common.topic.alias",
    "https://schema.org/alternateName",
    "http://schema.org/alternateName",
    "http://xmlns.com/foaf/0.1/nick",
    "http://dbpedia.org/ontology/alias",
)


def names_of(graph: Graph, schema: Schema, vocabulary: Vocabulary, aliases: Sequence[str] = ALIASES) -> Iterator[Named]:
    """All names of classes and entities, the labels of a thing before its other names as far as the graph gives them
    so. A graph that states none of an entity has its IRIs' local names.

    Raises:
        EngineError: the graph does not give all of them.
    """
    yield from class_names(schema)
    labels, others = ([Iri(one) for one in given] for given in (vocabulary.label_predicates, aliases))
    stated = False
    for predicates, how in ((labels, How.LABEL), (others, How.ALIAS)):
        for subject, _, label in matching(graph, [Pattern(None, predicates, None)] if predicates else []):
            if (
                not isinstance(subject, Iri)
                or not isinstance(label, Literal)
                or schema.relation(subject.value) is not None
            ):
                continue
            is_class = schema.class_(subject.value) is not None
            yield Named(subject.value, label.lexical, how, is_class)
            stated = stated or not is_class
    if not stated:
        yield from _local_names(graph, schema)


def class_names(schema: Schema) -> Iterator[Named]:
    """Labels, plurals and local names of classes, but for those that stand for the ends of a relation."""
    for one in schema.source.all_classes():
        if one.subjects_of is None and one.objects_of is None:
            local = local_name(one.iri)
            name = one.label or _words(local.rpartition(".")[2])
            yield Named(one.iri, name, How.LABEL, is_class=True)
            for other in (_plural(name), _words(local.rpartition(".")[2]), local):
                yield Named(one.iri, other, How.ALIAS, is_class=True)


def _local_names(graph: Graph, schema: Schema) -> Iterator[Named]:
    seen: set[str] = set()
    for subject, _, target in graph.triples():
        for node in (subject, target):
            if isinstance(node, Iri) and node.value not in seen and not node.value.startswith((RDF, RDFS, OWL)):
                seen.add(node.value)
                if schema.relation(node.value) is None and schema.class_(node.value) is None:
                    yield Named(node.value, _words(local_name(node.value)))


def schema_words(schema: Schema) -> frozenset[str]:
    """The words of the names of classes and relations, folded, in the singular and the plural."""
    found: set[str] = set()
    source = schema.source
    called = [(one.label, one.iri) for one in source.all_classes()]
    called += [(one.label, one.iri) for one in source.all_relations()]
    for label, iri in called:
        for word in folded(f"{label or ''} {local_name(iri)}").split():
            found |= {word, _plural(word)}
    return frozenset(found)


def _plural(name: str) -> str:
    """As English makes one most often: questions ask for rockets, and the class is called rocket."""
    if name[-1:] in "sxz" or name[-2:] in {"ch", "sh"}:
        return f"{name}es"
    return f"{name[:-1]}ies" if name[-1:] == "y" and name[-2:-1] not in "aeiou" else f"{name}s"


def _words(local: str) -> str:
    from urllib.parse import unquote

    return unquote(local).replace("_", " ")
