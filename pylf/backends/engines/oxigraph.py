"""Oxigraph in this process: the default engine, in memory or on a folder made by ``pylf kg load``.

Oxigraph keeps numbers, booleans and dateTimes by value: ``"01"^^xsd:int`` comes back as ``"1"^^xsd:integer``,
``"…T00:00:00.50"`` as ``"…T00:00:00.5"``, an ``xsd:float`` rounded to 32 bits, ``"P12M"`` as ``"P1Y"``, ``"inf"`` as
``"INF"`` (docs/language.md lists what that changes). All that pylf says of a graph (schema,
statistics, answers, lookups) is said of what Oxigraph holds.

Named graphs are read as part of the graph: a query sees the union of the default graph and all named ones.
"""

from __future__ import annotations

import itertools
import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.backends.engines.labels import best_labels, classes_of
from pylf.backends.engines.oxigraph_queries import Queries, damaged
from pylf.backends.engines.results import answers_of
from pylf.backends.engines.terms import TripleTerm, oxigraph_terms
from pylf.errors import EngineError, InputError
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.ir.terms import Blank, Iri, Literal, tagged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    import pyoxigraph

    from pylf.backends.engines.manifest import Manifest
    from pylf.backends.sparql.dialect import Dialect
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.statistics import Statistics
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

#: how far an estimate counts
_ENOUGH = 256


class OxigraphEngine:
    """A graph in Oxigraph, and the queries on it. Implements :class:`pylf.ir.graph.Graph`.

    A handle is cheap, may be shared by threads, and is read-only on a folder: several processes may open the same
    one. Use :meth:`memory` or :meth:`open`.
    """

    dialect = "oxigraph"
    #: answers come quicker than they could be looked up
    cache_scope = None
    lookup_cost = 1

    def __init__(
        self,
        store: pyoxigraph.Store,
        manifest: Manifest | None = None,
        name: str = "memory",
        queries: Queries | None = None,
    ) -> None:
        self.store = store
        #: what the folder says of itself; None in memory
        self.manifest = manifest
        #: the path that was opened, for messages
        self.name = name
        #: triple terms (RDF 1.2) that :meth:`triples` has passed over so far
        self.skipped = 0
        self._schema_file: Path | None = None
        self._snapshot: str | None = manifest.snapshot if manifest is not None else None
        self._sources: list[str] | None = []
        self._languages: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._node, self._term = oxigraph_terms()
        self._queries = queries or Queries(name)
        try:
            self._named = bool(next(iter(store.named_graphs()), None))
        except (OSError, RuntimeError) as error:
            raise self._damaged(error) from error

    # --- making one -----------------------------------------------------------------------------------------------

    @classmethod
    def memory(cls, triples: Iterable[TripleRow] = ()) -> Self:
        """A graph in memory, empty or of these triples."""
        import pyoxigraph

        engine = cls(pyoxigraph.Store())
        engine.add(triples)
        return engine

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], base: str | None = None, limited: bool = False, memory: int | None = None
    ) -> Self:
        """A folder made by :func:`pylf.backends.engines.store.load`, read-only; or an RDF file, read into memory.

        ``base`` is what relative IRIs of a file are resolved against; without one, the file's own address.

        Of a folder: ``limited`` says that queries with a time limit will come, so that the process for them begins to
        start now and the first need not wait for it; ``memory`` is how many bytes such a process may use (Linux).

        Raises:
            InputError: the path is neither, or does not parse (with file, line and column).
        """
        if not Path(path).is_dir():
            engine = cls.memory()
            engine.load(path, base=base)
            engine.name = os.fspath(path)
            return engine
        from pylf.backends.engines.store import open_store, store_files

        store, manifest, schema_file = open_store(path)
        queries = Queries(os.fspath(path), store_files(path, manifest), memory)
        if limited and (workers := queries.workers()) is not None:
            workers.start()
        engine = cls(store, manifest, os.fspath(path), queries)
        engine._schema_file = schema_file
        return engine

    def load(self, *paths: str | os.PathLike[str], base: str | None = None) -> None:
        """Reads RDF files into a graph in memory.

        Raises:
            InputError: a file cannot be read, or does not parse; what was read before stays.
        """
        from pylf.backends.engines.reading import Reading, bulk_load, check_source

        self._writable()
        for path in paths:
            check_source(path)
        for path in paths:
            with Reading(path) as reading:
                bulk_load(self.store, reading, base)
                if self._sources is not None:
                    self._sources.append(reading.source().content)
        self._changed()

    def add(self, triples: Iterable[TripleRow]) -> None:
        """Adds triples to a graph in memory.

        Raises:
            InputError: one that no RDF graph can hold.
        """
        import pyoxigraph

        self._writable()
        quad, term = pyoxigraph.Quad, self._term
        try:
            quads = [quad(term(s), term(p), term(o)) for s, p, o in triples]  # type: ignore[arg-type]
        except (ValueError, TypeError) as error:
            raise InputError(f"not an RDF triple: {error}") from error
        if quads:
            self.store.extend(quads)
            self._sources = None
            self._changed()

    def close(self) -> None:
        """Ends the processes that queries with a time limit ran in; they end with the engine, too. The engine goes on
        to serve, and the next such query starts one."""
        self._queries.close()

    # --- a graph --------------------------------------------------------------------------------------------------

    def triples(
        self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None
    ) -> Iterator[TripleRow]:
        """The triples that agree with the given places. See :class:`pylf.ir.graph.Graph`.

        A literal is matched as Oxigraph stores it, so ``"01"^^xsd:integer`` finds 1. Triples that hold a triple term
        are passed over and counted in :attr:`skipped`.
        """
        import pyoxigraph

        term, node = self._term, self._node
        try:
            quads = self.store.quads_for_pattern(
                None if subject is None else term(subject),  # type: ignore[arg-type]  # a wrong kind raises TypeError
                None if predicate is None else term(predicate),  # type: ignore[arg-type]
                None if object is None else term(object),
                None if self._named else pyoxigraph.DefaultGraph(),
            )
        except (ValueError, TypeError):
            return  # a term that Oxigraph cannot hold is in no triple
        except (OSError, RuntimeError) as error:
            raise self._damaged(error) from error
        seen: set[TripleRow] | None = set() if self._named else None
        while True:
            try:
                quad = next(quads, None)
            except (OSError, RuntimeError) as error:
                raise self._damaged(error) from error
            if quad is None:
                return
            try:
                row = node(quad.subject), node(quad.predicate), node(quad.object)
            except TripleTerm:
                self.skipped += 1
                continue
            if seen is not None:
                if row in seen:
                    continue
                seen.add(row)
            yield row

    def count(self) -> int:
        """How many triples there are; one that several named graphs hold counts once in each."""
        return self.manifest.triples if self.manifest is not None else len(self.store)

    def estimate(self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None) -> int:
        """How many triples agree with the given places, counted no further than is worth knowing in advance."""
        return sum(1 for _ in islice(self.triples(subject, predicate, object), _ENOUGH))

    # --- queries --------------------------------------------------------------------------------------------------

    def run(
        self,
        query: Query,
        schema: Schema,
        vocabulary: Vocabulary,
        optimize: int = 1,
        timeout: float | None = None,
    ) -> Answers:
        """The answers of a query.

        ``timeout`` is in seconds; with one, even ``math.inf``, Ctrl-C is heard while the engine works. A time limit on
        a graph on disk ends the query: it runs in a process of its own, which is killed
        (:mod:`pylf.backends.engines.worker`). On a graph in memory it ends the waiting alone: the query is given up,
        and keeps a core busy until it is done or this process ends.

        Raises:
            EngineTimeout: the time is up.
            EngineError: the engine refuses or fails.
            UnsupportedOperation: the query cannot be expressed.
        """
        from pylf.backends.sparql import emit

        return self.answers(query, emit(query, schema, vocabulary, dialect=self.dialect, optimize=optimize), timeout)

    def answers(self, query: Query, sparql: str, timeout: float | None = None) -> Answers:
        """The answers of a query whose SPARQL text is at hand: columns in the order of the query's outputs."""
        if query.form is Form.BOOLEAN:
            return Answers.of_boolean(self.ask(sparql, timeout))
        width = len(query.outputs)
        found = self._queries.select(self.store, sparql, self._named, timeout)
        if len(found.variables) != width:
            raise EngineError(f"the query has {len(found.variables)} columns, not {width}")
        return answers_of(query.form, found.rows)

    def select(self, sparql: str, timeout: float | None = None) -> list[dict[str, Node]]:
        """The solutions of a SELECT in its order, each by variable name; what is unbound is left out.

        Raises:
            EngineError: the engine fails, or the text is no SELECT.
        """
        found = self._queries.select(self.store, sparql, self._named, timeout)
        names = found.variables
        return [{n: term for n, term in zip(names, row, strict=True) if term is not None} for row in found.rows]

    def ask(self, sparql: str, timeout: float | None = None) -> bool:
        """The answer of an ASK.

        Raises:
            EngineError: the engine fails, or the text is no ASK.
        """
        return self._queries.ask(self.store, sparql, self._named, timeout)

    # --- labels and classes ---------------------------------------------------------------------------------------

    def labels(self, nodes: Iterable[Node], vocabulary: Vocabulary) -> dict[Node, str]:
        """The label of each node that has one: in the vocabulary's first language that there is, else in any."""
        predicates = [Iri(p) for p in vocabulary.label_predicates]
        named = [node for node in dict.fromkeys(nodes) if not isinstance(node, Literal)]
        stated = itertools.chain.from_iterable(self.triples(node, p) for node in named for p in predicates)
        return best_labels(stated, vocabulary)

    def entities_labelled(
        self, text: str, vocabulary: Vocabulary, languages: Iterable[str] | None = None
    ) -> tuple[Iri | Blank, ...]:
        """The entities that bear exactly this label: named ones, sorted, then those without a name.

        ``languages`` are the tags to look under ("" for none); without them, every tag that labels of this graph
        carry. Each is one index lookup.
        """
        if languages is None:
            languages = self.label_languages(vocabulary)
        found: set[Iri | Blank] = set()
        for language in languages:
            label = tagged(text, language) if language else Literal(text)
            for predicate in vocabulary.label_predicates:
                triples = self.triples(None, Iri(predicate), label)
                found.update(s for s, _, _ in triples if isinstance(s, Iri | Blank))
        return tuple(sorted(found, key=str))

    def bearers(
        self, texts: Sequence[str], vocabulary: Vocabulary, languages: Sequence[str] | None = None
    ) -> dict[str, tuple[Iri | Blank, ...]]:
        """The entities that bear exactly these labels, by label; labels that nothing bears are left out."""
        tags = self.label_languages(vocabulary) if languages is None else tuple(languages)
        found = {text: self.entities_labelled(text, vocabulary, tags) for text in texts}
        return {text: nodes for text, nodes in found.items() if nodes}

    def label_languages(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """The language tags of the graph's labels, "" for none, those that the vocabulary names first."""
        predicates = vocabulary.label_predicates
        known = self._languages.get(predicates)
        if known is None:
            known = self._languages[predicates] = self._scan_languages(predicates)
        return tuple(dict.fromkeys((*(t.lower() for t in vocabulary.label_languages), *known)))

    def classes_of(self, node: Node, vocabulary: Vocabulary) -> tuple[Iri, ...]:
        """The classes that the graph states of a node, sorted; superclasses only where they are stated."""
        return classes_of(self, node, vocabulary)

    # --- what it is -----------------------------------------------------------------------------------------------

    @property
    def spoken(self) -> Dialect:
        """The dialect that Oxigraph speaks."""
        from pylf.backends.dialects import dialect_named

        return dialect_named(self.dialect)

    @property
    def version(self) -> str:
        """The engine and its version, such as ``oxigraph 0.5.13``."""
        return oxigraph_version()

    @property
    def snapshot(self) -> str:
        """The id of the data: equal for equal content of the files it was read from, whatever their names and
        compression. For triples added one by one it is made of the triples."""
        if self._snapshot is None:
            from pylf.backends.engines.manifest import snapshot_of

            if self._sources is not None:
                self._snapshot = snapshot_of(self._sources)
            else:
                self._snapshot = snapshot_of([str(quad) for quad in self.store])
        return self._snapshot

    def schema(self) -> Schema | None:
        """The schema that was inferred when the folder was loaded; None where there is none."""
        if self._schema_file is None:
            return None
        from pylf.ir.schema.cache import open_schema

        return open_schema(self._schema_file)

    def statistics(self) -> Statistics:
        """Counts for schema inference, by one scan of the store."""
        from pylf.backends.engines.oxigraph_statistics import scan

        try:
            return scan(self.store)[0]
        except (OSError, RuntimeError) as error:
            raise self._damaged(error) from error

    # --- inside ---------------------------------------------------------------------------------------------------

    def _scan_languages(self, predicates: tuple[str, ...]) -> tuple[str, ...]:
        if self.manifest is not None:
            known = [self.manifest.languages.get(p) for p in predicates]
            if None not in known:
                return tuple(sorted({tag for tags in known for tag in tags or ()}))
        try:
            return languages_of(self.store, predicates)
        except (OSError, RuntimeError) as error:
            raise self._damaged(error) from error

    def _damaged(self, error: OSError | RuntimeError) -> EngineError:
        return damaged(self.name, self.manifest is not None, error)

    def _writable(self) -> None:
        if self.manifest is not None:
            raise InputError(f"{self.name}: the folder is open for reading; load files into a new one")

    def _changed(self) -> None:
        self._snapshot = None
        self._languages.clear()
        self._named = bool(next(iter(self.store.named_graphs()), None))


def languages_of(store: pyoxigraph.Store, predicates: Iterable[str]) -> tuple[str, ...]:
    """The language tags, "" for none, of the literals that these predicates have; one scan of them. Sorted."""
    from pyoxigraph import Literal as OxLiteral
    from pyoxigraph import NamedNode

    found: set[str] = set()
    for predicate in predicates:
        for quad in store.quads_for_pattern(None, NamedNode(predicate), None, None):
            label = quad.object
            if isinstance(label, OxLiteral):
                found.add((label.language or "").lower())
    return tuple(sorted(found))


def oxigraph_version() -> str:
    """The engine and its version, such as ``oxigraph 0.5.13``."""
    import pyoxigraph

    return f"oxigraph {pyoxigraph.__version__}"
