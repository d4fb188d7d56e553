"""The instances of classes, as a schema and a vocabulary say that a graph holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.terms import Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.graph import Graph
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node


class Extension:
    """The entities of a graph that are instances of at least one of some classes, or of a class below one.

    A class is asked for by the vocabulary's type predicates, a signature class by its relation; a class that the
    schema does not know is a class like any other. Which classes are below one the schema says, or the graph where
    the vocabulary has ``subclass_paths``. Literals are instances of nothing.
    """

    __slots__ = ("_classes", "_graph", "_objects_of", "_subjects_of", "_types")

    def __init__(self, classes: Iterable[Iri], graph: Graph, schema: Schema, vocabulary: Vocabulary) -> None:
        self._graph = graph
        self._types = [Iri(predicate) for predicate in vocabulary.type_predicates]
        self._classes: dict[Node, None] = {}
        self._subjects_of: list[Iri] = []
        self._objects_of: list[Iri] = []
        asked = [class_.value for class_ in classes]
        if not vocabulary.subclass_paths:
            asked = [below for class_ in asked for below in schema.subclasses(class_)]
        for iri in dict.fromkeys(asked):
            found = schema.class_(iri)
            if found is not None and found.subjects_of is not None:
                self._subjects_of.append(Iri(found.subjects_of))
            elif found is not None and found.objects_of is not None:
                self._objects_of.append(Iri(found.objects_of))
            else:
                self._classes[Iri(iri)] = None
        if vocabulary.subclass_paths:
            below = Iri(vocabulary.subclass_predicate)
            todo: list[Node] = list(self._classes)
            while todo:
                for child, _, _ in graph.triples(None, below, todo.pop()):
                    if child not in self._classes:
                        self._classes[child] = None
                        todo.append(child)

    def __contains__(self, node: object) -> bool:
        if not isinstance(node, Iri | Blank):
            return False
        triples = self._graph.triples
        return (
            any(found[2] in self._classes for predicate in self._types for found in triples(node, predicate, None))
            or any(True for relation in self._subjects_of for _ in triples(node, relation, None))
            or any(True for relation in self._objects_of for _ in triples(None, relation, node))
        )

    def members(self) -> list[Node]:
        """All instances, each once."""
        triples = self._graph.triples
        found: dict[Node, None] = {}
        for class_ in self._classes:
            for predicate in self._types:
                found.update([(triple[0], None) for triple in triples(None, predicate, class_)])
        for relation in self._subjects_of:
            found.update([(triple[0], None) for triple in triples(None, relation, None)])
        for relation in self._objects_of:
            found.update([(triple[2], None) for triple in triples(None, relation, None)])
        return [node for node in found if not isinstance(node, Literal)]

    def lookups(self) -> list[tuple[Iri, Node | None]]:
        """Predicate and object (None: any) of the triples that say who is an instance, for an estimate."""
        typed: list[tuple[Iri, Node | None]] = [(p, class_) for class_ in self._classes for p in self._types]
        return [*typed, *[(relation, None) for relation in (*self._subjects_of, *self._objects_of)]]
