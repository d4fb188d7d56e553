"""What a question is compiled against: a schema, a vocabulary and perhaps a graph, chosen or taken from one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.graphs import (
    KnowledgeGraph,
    bundled,
    bundled_schema,
    empty_schema,
    endpoint_of,
    load_schema,
    open_kg,
    vocabulary_for,
)
from pylf.records import record

if TYPE_CHECKING:
    import os

    from pylf.backends.http.endpoint import Endpoint
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary


@record(eq=False)
class Surroundings:
    """A schema, a vocabulary and perhaps a graph; and what of these was chosen, for whatever graph is asked."""

    schema: Schema
    vocabulary: Vocabulary
    graph: KnowledgeGraph | None
    #: a schema, or the path of one
    chosen_schema: Schema | str | None = None
    #: a vocabulary, or the name or path of one
    chosen_vocabulary: Vocabulary | str | None = None

    def opened(self, kg: KnowledgeGraph | Endpoint | str | os.PathLike[str] | None) -> KnowledgeGraph:
        """A graph that is to be asked: the one compiled against, or the bundled one, where None.

        Raises:
            InputError: there is no such graph, or it needs a schema.
            EngineError: an endpoint fails, or does not answer.
        """
        if kg is None:
            return self.graph if self.graph is not None else bundled()
        if isinstance(kg, KnowledgeGraph):
            return kg
        # an endpoint is not measured; a graph at hand is, and what was chosen is laid over that by :meth:`at`
        schema = None if endpoint_of(kg) is None else self.chosen_schema
        return open_kg(kg, schema=schema, vocabulary=self.chosen_vocabulary)

    def at(self, graph: KnowledgeGraph) -> Surroundings:
        """The same for another graph: what was chosen, laid over what that graph has. Counts are that graph's alone."""
        return _at(graph, self.chosen_schema, self.chosen_vocabulary)


def surroundings(
    kg: KnowledgeGraph | str | None, schema: Schema | str | None, vocabulary: Vocabulary | str | None
) -> Surroundings:
    """What is chosen; else the graph's; else the bundled graph's, where nothing at all was chosen, and otherwise the
    empty schema and the vocabulary of :func:`pylf.graphs.vocabulary_for`.

    Raises:
        InputError: a graph, a schema or a vocabulary cannot be read.
        EngineError: an endpoint fails, or does not answer.
    """
    match kg:
        case str():
            graph = open_kg(kg, schema=schema, vocabulary=vocabulary)
            return Surroundings(graph.schema, graph.vocabulary, graph, schema, vocabulary)
        case KnowledgeGraph():
            return _at(kg, schema, vocabulary)
        case None if schema is None and vocabulary is None:
            return Surroundings(*bundled_schema(), None)
        case None:
            reading = vocabulary_for(schema, vocabulary)
            found = empty_schema() if schema is None else _read(schema, reading)
            return Surroundings(found, reading, None, None if schema is None else found, reading)


def _at(graph: KnowledgeGraph, schema: Schema | str | None, vocabulary: Vocabulary | str | None) -> Surroundings:
    reading = graph.vocabulary if vocabulary is None else vocabulary_for(None, vocabulary)
    chosen = None if schema is None else _read(schema, reading)
    return Surroundings(_over(chosen, graph), reading, graph, chosen, vocabulary)


def _read(schema: Schema | str, vocabulary: Vocabulary) -> Schema:
    return load_schema(schema, vocabulary) if isinstance(schema, str) else schema


def _over(chosen: Schema | None, graph: KnowledgeGraph) -> Schema:
    """A chosen schema over a graph's; itself where that is the graph's, or nothing is known of the graph."""
    if chosen is None or chosen is graph.schema:
        return graph.schema
    if not graph.schema.has_relations:
        return chosen
    from pylf.ir.schema.overlay import overlay

    return overlay(chosen, graph.schema)
