"""Which of an entity's labels is shown, and what its classes are, whatever engine holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.terms import Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.graph import Graph, TripleRow
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node


def best_labels(triples: Iterable[TripleRow], vocabulary: Vocabulary) -> dict[Node, str]:
    """The label of each subject in triples that state labels: in the vocabulary's first language that there is, else
    without a language, else in any; of several such by its first predicate, then by spelling."""
    ranks = {language: place for place, language in enumerate(vocabulary.label_languages)}
    places = {predicate: place for place, predicate in enumerate(vocabulary.label_predicates)}
    best: dict[Node, tuple[int, str, int, str]] = {}
    for node, predicate, label in triples:
        if isinstance(label, Literal) and isinstance(predicate, Iri):
            language = label.language or ""
            key = (ranks.get(language, len(ranks)), language, places[predicate.value], label.lexical)
            best[node] = min(best.get(node, key), key)
    return {node: key[3] for node, key in best.items()}


def classes_of(graph: Graph, node: Node, vocabulary: Vocabulary) -> tuple[Iri, ...]:
    """The classes that a graph states of a node, sorted; superclasses only where they are stated.

    Raises:
        EngineError: an engine fails.
    """
    if isinstance(node, Literal):
        return ()
    found = {o for p in vocabulary.type_predicates for _, _, o in graph.triples(node, Iri(p)) if isinstance(o, Iri)}
    return tuple(sorted(found, key=lambda iri: iri.value))
