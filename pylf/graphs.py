"""Graphs that can be asked, and what describes them: schemas and vocabularies, opened by path, address or name."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, TypeVar

from pylf.errors import InputError
from pylf.ir.graph import Holding
from pylf.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.backends.engines.http import HttpEngine
    from pylf.backends.engines.protocol import Engine
    from pylf.backends.http.endpoint import Endpoint
    from pylf.backends.results_cache import ResultsCache
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

_T = TypeVar("_T")

#: triples of an endpoint up to which its schema is inferred whenever it is opened without one
MEASURED = 200_000


@record
class KnowledgeGraph:
    """A graph that can be asked, with the schema and the vocabulary that describe it."""

    engine: Engine
    schema: Schema
    vocabulary: Vocabulary
    name: str
    #: where complete answers of an endpoint are kept, if anywhere
    cache: ResultsCache | None = None

    def labels(self, nodes: tuple[Node, ...]) -> dict[Node, str]:
        """The labels of those nodes that have one."""
        return self.engine.labels(nodes, self.vocabulary)


def as_text(given: _T | os.PathLike[str]) -> _T | str:
    """A path as text; anything else as it is."""
    return os.fspath(given) if isinstance(given, os.PathLike) else given


def vocabulary_for(schema: Schema | str | None, vocabulary: Vocabulary | str | None) -> Vocabulary:
    """The vocabulary that was chosen, else the one that a schema, or the path of one, implies
    (:func:`pylf.ir.schema.cache.vocabulary_of`), else ``rdf``.

    Raises:
        InputError: the vocabulary, or a schema file that would imply one, cannot be read.
    """
    if vocabulary is None and schema is not None:
        from pylf.ir.schema import cache

        vocabulary = cache.vocabulary_of(schema)
    return load_vocabulary(vocabulary) if isinstance(vocabulary, str) or vocabulary is None else vocabulary


def load_vocabulary(name: str | None = None) -> Vocabulary:
    """A built-in vocabulary by name, or one from a TOML file; ``rdf`` where None."""
    from pylf.ir.schema import vocabularies

    return vocabularies.load(name or "rdf")


def load_schema(path: str, vocabulary: Vocabulary | None = None) -> Schema:
    """A schema from RDFS/OWL Turtle (or N-Triples, N3), from a schema file that ``pylf schema infer`` or ``pylf schema
    read`` wrote, or from a folder of Freebase's schema files (``fb_roles`` and what lies beside it).

    Without a vocabulary, the one that the schema implies serves: ``freebase`` for Freebase's, else ``rdf``.
    """
    from pylf.ir.schema import cache

    return cache.load_schema(path, vocabulary or load_vocabulary(cache.vocabulary_of(path)))


@functools.cache
def empty_schema() -> Schema:
    """The schema that knows nothing: every name needs the vocabulary or a full IRI, every type is unknown."""
    from pylf.ir.schema.memory import MemorySource
    from pylf.ir.schema.model import Schema

    return Schema(MemorySource((), (), {}))


@functools.cache
def bundled_schema() -> tuple[Schema, Vocabulary]:
    """Schema and vocabulary of the bundled graph of rockets."""
    from pylf.datasets.bundled import ready
    from pylf.ir.schema.memory import MemorySource
    from pylf.ir.schema.model import Schema

    return Schema(MemorySource(ready.RELATIONS, ready.CLASSES, ready.META)), ready.VOCABULARY


@functools.cache
def bundled() -> KnowledgeGraph:
    """The bundled graph of rockets, in memory."""
    from pylf.backends.engines.oxigraph import OxigraphEngine
    from pylf.datasets import bundled as files

    declared, vocabulary = bundled_schema()
    engine = OxigraphEngine.open(files.path("rockets.ttl"))
    return KnowledgeGraph(engine, _described(engine, vocabulary, None, declared), vocabulary, "rockets (bundled)")


def open_kg(
    path: str | os.PathLike[str] | Endpoint,
    *,
    schema: Schema | str | os.PathLike[str] | None = None,
    vocabulary: Vocabulary | str | os.PathLike[str] | None = None,
    graphs: Iterable[str] = (),
    cache: bool = True,
    limited: bool = False,
) -> KnowledgeGraph:
    """Open a graph: a folder that ``pylf kg load`` made; an RDF file, which is read into memory; a SPARQL endpoint, by
    its address, by an :class:`~pylf.backends.http.endpoint.Endpoint` or by the TOML file of one; ``bundled`` is the
    graph of rockets that comes along, unless there is something of that name.

    A folder has its own schema; a file's is inferred from its data, and so is that of an endpoint of no more than
    :data:`MEASURED` triples. What ``schema`` states wins over both, and the statistics are kept; an endpoint with a
    schema is not measured. ``graphs`` are the graphs of an endpoint to ask; ``cache`` False keeps no answers of it.
    ``limited`` says that queries with a time limit will come: a folder then begins to start what they run in.

    Raises:
        EngineError: an endpoint does not answer.
        InputError: there is no graph there, or it cannot be read.
    """
    from pathlib import Path

    from pylf.backends.engines import store

    schema, vocabulary = as_text(schema), as_text(vocabulary)
    if path == "bundled" and not Path(path).exists():
        return _bundled_under(schema, vocabulary)
    endpoint = endpoint_of(path)
    if endpoint is not None:
        return _open_endpoint(endpoint, schema, vocabulary, tuple(graphs), cache)
    engine, known = _engine_here(path, schema, vocabulary, tuple(graphs), limited)
    declared = load_schema(schema, known) if isinstance(schema, str) else schema
    own = store.schema_path(engine.name) if Path(engine.name).is_dir() else None
    return KnowledgeGraph(engine, _described(engine, known, own, declared), known, engine.name)


def _bundled_under(schema: Schema | str | None, vocabulary: Vocabulary | str | None) -> KnowledgeGraph:
    """The bundled graph, with what is chosen in place of its own vocabulary, and over its schema."""
    graph = bundled()
    if schema is None and vocabulary is None:
        return graph
    known = graph.vocabulary if vocabulary is None else vocabulary_for(None, vocabulary)
    declared = load_schema(schema, known) if isinstance(schema, str) else schema
    if declared is None:
        return replace(graph, vocabulary=known)
    from pylf.ir.schema.overlay import overlay

    return replace(graph, schema=overlay(declared, graph.schema), vocabulary=known)


def _open_endpoint(
    endpoint: Endpoint,
    schema: Schema | str | None,
    vocabulary: Vocabulary | str | None,
    graphs: tuple[str, ...],
    cache: bool,
) -> KnowledgeGraph:
    from pylf.backends.results_cache import ResultsCache

    schema = endpoint.schema if schema is None else schema
    stated = vocabulary is not None or endpoint.vocabulary is not None
    engine, known = _endpoint_engine(endpoint, schema, vocabulary, graphs)
    if schema is None:
        schema = _measured(engine, known, stated)
    elif isinstance(schema, str):
        schema = load_schema(schema, known)
    kept = ResultsCache() if cache and endpoint.snapshot is not None else None
    return KnowledgeGraph(engine, schema, known, endpoint.url, kept)


def _endpoint_engine(
    endpoint: Endpoint, schema: Schema | str | None, vocabulary: Vocabulary | str | None, graphs: tuple[str, ...]
) -> tuple[HttpEngine, Vocabulary]:
    from pylf.backends.engines.http import HttpEngine
    from pylf.backends.http.endpoint import graph_iri

    vocabulary = endpoint.vocabulary if vocabulary is None else vocabulary
    graphs = graphs or endpoint.graphs
    endpoint = replace(endpoint, graphs=tuple(map(graph_iri, graphs)))
    return HttpEngine(endpoint), vocabulary_for(schema, vocabulary)


def open_engine(
    path: str | os.PathLike[str] | Endpoint,
    *,
    schema: Schema | str | None = None,
    vocabulary: Vocabulary | str | None = None,
    graphs: Iterable[str] = (),
) -> tuple[Engine, Vocabulary]:
    """A graph's engine, and the vocabulary that was chosen, that it was loaded with or that the schema implies: a graph
    without its schema. See :func:`open_kg`.

    Raises:
        InputError: there is no graph there, or it cannot be read.
    """
    endpoint = endpoint_of(path)
    if endpoint is not None:
        return _endpoint_engine(endpoint, schema, vocabulary, tuple(graphs))
    return _engine_here(path, schema, vocabulary, tuple(graphs))


def _engine_here(
    path: str | os.PathLike[str] | Endpoint,
    schema: Schema | str | None,
    vocabulary: Vocabulary | str | None,
    graphs: tuple[str, ...],
    limited: bool = False,
) -> tuple[Engine, Vocabulary]:
    """The engine of a folder or of a file."""
    from pathlib import Path

    from pylf.backends.engines import store
    from pylf.backends.engines.oxigraph import OxigraphEngine

    assert isinstance(path, str | os.PathLike)
    path = os.fspath(path)
    if graphs:
        raise InputError(f"{path}: graphs are named where an endpoint is asked; here all of them are one")
    if isinstance(vocabulary, str) or vocabulary is None:
        known = store.vocabulary_of(path) if vocabulary is None and Path(path).is_dir() else None
        vocabulary = known if known is not None else vocabulary_for(schema, vocabulary)
    return OxigraphEngine.open(path, limited=limited), vocabulary


def endpoint_of(path: str | os.PathLike[str] | Endpoint) -> Endpoint | None:
    """The endpoint that is meant: one as it is, one by its address, or one by the TOML file of it; None where a path is
    none of an endpoint.

    Raises:
        InputError: the file cannot be read, or describes none.
    """
    if not isinstance(path, str | os.PathLike):
        return path
    text = os.fspath(path)
    if text.startswith(("http://", "https://")):
        from pylf.backends.http.endpoint import Endpoint

        return Endpoint(text)
    if text.endswith(".toml"):
        from pylf.backends.http.endpoint_file import read_endpoint

        return read_endpoint(text)
    return None


def _measured(engine: HttpEngine, vocabulary: Vocabulary, stated: bool) -> Schema:
    """The schema that a small endpoint's data shows. Of a large one the empty schema, where a vocabulary was ``stated``
    that tells what names mean.

    Raises:
        InputError: there is nothing that shows one, and no vocabulary was stated; or too much.
    """
    from pylf.ir.schema.infer import infer_schema

    if engine.holds_at_most(MEASURED):
        schema = infer_schema(engine, vocabulary)
        if not stated:
            check_not_empty(engine, schema)
        return schema
    if stated:
        return empty_schema()
    raise _too_large(engine)


def check_not_empty(engine: Engine, schema: Schema) -> None:
    """See that a schema was inferred from something, where that can be told.

    Raises:
        InputError: the graphs that are asked hold no triples; names those that do.
    """
    if isinstance(engine, Holding) and not any(relation.triples for relation in schema.source.all_relations()):
        told = engine.emptiness()
        if told is not None:
            raise InputError(told)


def check_described(
    endpoint: Endpoint, schema: Schema | str | None = None, vocabulary: Vocabulary | str | None = None
) -> None:
    """See that an endpoint can be opened with what describes it: one that is not small needs a schema or a vocabulary.

    Raises:
        EngineError: it does not answer.
        InputError: :func:`open_kg` could not open it; says what is needed.
    """
    if (schema, vocabulary, endpoint.schema, endpoint.vocabulary) == (None,) * 4:
        engine, _ = _endpoint_engine(endpoint, None, None, ())
        try:
            if not engine.holds_at_most(MEASURED):
                raise _too_large(engine)
        finally:
            engine.close()


def _too_large(engine: HttpEngine) -> InputError:
    return InputError(
        f"{engine.name} holds more than {MEASURED:,} triples, too many to measure each time: measure it once with "
        f"'pylf schema infer {engine.name} -o FILE.sqlite' and give --schema FILE.sqlite, or give the --vocab that it "
        "goes by"
    )


def _described(engine: Engine, vocabulary: Vocabulary, own: os.PathLike[str] | None, declared: Schema | None) -> Schema:
    """The schema of a graph at hand: what its folder knows, or what its data shows, under what is declared for it."""
    if own is not None:
        measured = load_schema(os.fspath(own), vocabulary)
        if declared is None:
            return measured
        from pylf.ir.schema.overlay import overlay

        return overlay(declared, measured)
    from pylf.ir.schema.infer import infer_schema

    return infer_schema(engine, vocabulary, declared)
