"""What a question is compiled against: a schema, a vocabulary and perhaps a graph, chosen or taken from one another."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.graphs import (
    KnowledgeGraph,
    bundled,
    bundled_schema,
    empty_schema,
    load_schema,
    load_vocabulary,
    open_kg,
    vocabulary_for,
)
from pylf.ir.schema import vocabularies
from pylf.ir.schema.model import Schema
from pylf.records import record

if TYPE_CHECKING:
    from pylf.backends.http.endpoint import Endpoint
    from pylf.ir.schema.vocabulary import Vocabulary


@record(eq=False)
class Surroundings:
    """A schema, a vocabulary and perhaps a graph; and what of these was chosen, for whatever graph is asked."""

    schema: Schema
    vocabulary: Vocabulary
    graph: KnowledgeGraph | None
    #: a schema, or the full path of one
    chosen_schema: Schema | str | None = None
    chosen_vocabulary: Vocabulary | None = None

    def opened(self, kg: KnowledgeGraph | Endpoint | str | os.PathLike[str] | None) -> KnowledgeGraph:
        """A graph that is to be asked: the one compiled against, or the bundled one, where None.

        Raises:
            InputError: there is no such graph, or it needs a schema.
            EngineError: an endpoint fails, or does not answer.
        """
        if kg is None:
            return self.graph if self.graph is not None else bundled()
        _check_graph(kg)
        if isinstance(kg, KnowledgeGraph):
            return kg
        return open_kg(kg, schema=self.chosen_schema, vocabulary=self.chosen_vocabulary)

    def at(self, graph: KnowledgeGraph) -> Surroundings:
        """The same for another graph: what was chosen, laid over what that graph has. Counts are that graph's alone."""
        return _at(graph, self.chosen_schema, self.chosen_vocabulary)


def surroundings(
    kg: KnowledgeGraph | Endpoint | str | None, schema: Schema | str | None, vocabulary: Vocabulary | str | None
) -> Surroundings:
    """What is chosen; else the graph's; else the bundled graph's, where nothing at all was chosen, and otherwise the
    empty schema and the vocabulary of :func:`pylf.graphs.vocabulary_for`.

    Raises:
        InputError: a graph, a schema or a vocabulary cannot be read, or is something else.
        EngineError: an endpoint fails, or does not answer.
    """
    if not isinstance(schema, Schema | str | None):
        raise InputError(f"a schema is a path or what load_schema gives, not {type(schema).__name__}")
    if isinstance(vocabulary, str):
        vocabulary = load_vocabulary(vocabulary)
    if kg is None:
        if schema is None and vocabulary is None:
            return Surroundings(*bundled_schema(), None)
        reading = vocabulary_for(schema, vocabulary)
        found = empty_schema() if schema is None else _read(schema, reading)
        return Surroundings(found, reading, None, None if schema is None else found, vocabulary)
    _check_graph(kg)
    if isinstance(schema, str):
        # it is read again for another graph, from wherever that is asked
        schema = str(Path(schema).absolute())
    if isinstance(kg, KnowledgeGraph):
        return _at(kg, schema, vocabulary)
    graph = open_kg(kg, schema=schema, vocabulary=vocabulary)
    return Surroundings(graph.schema, graph.vocabulary, graph, schema, vocabulary)


def _check_graph(kg: object) -> None:
    """See that something may be a graph. Who has no type checker may pass anything."""
    from pylf.backends.http.endpoint import Endpoint

    if not isinstance(kg, KnowledgeGraph | Endpoint | str | os.PathLike):
        raise InputError(f"a graph is a path, an endpoint, its address or what open_kg gives, not {type(kg).__name__}")


def _at(graph: KnowledgeGraph, schema: Schema | str | None, vocabulary: Vocabulary | None) -> Surroundings:
    reading = _reading(graph, schema) if vocabulary is None else vocabulary
    chosen = None if schema is None else _read(schema, reading)
    return Surroundings(_over(chosen, graph), reading, graph, chosen, vocabulary)


def _reading(graph: KnowledgeGraph, schema: Schema | str | None) -> Vocabulary:
    """The vocabulary that a graph was loaded or opened with; where that is the default, the one that a chosen schema
    implies comes first, as it does where a file is opened."""
    own = graph.vocabulary
    return own if schema is None or own.name != vocabularies.DEFAULT else vocabulary_for(schema, None)


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
