"""What is asked of an engine, whatever it is: embedded, or an endpoint.

:class:`Executor` runs queries; :class:`Engine` can besides be compiled against and explained: labels, classes,
estimates, counts. Every method gives a complete answer or raises an :class:`~pylf.errors.EngineError`, whose kind says
how it ended (:mod:`pylf.backends.outcome`); nothing incomplete passes for complete, in look-ups neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pylf.ir.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.backends.engines.http import HttpEngine
    from pylf.backends.engines.oxigraph import OxigraphEngine
    from pylf.backends.engines.rdflib import RdflibEngine
    from pylf.backends.sparql.dialect import Dialect
    from pylf.ir.answers import Answers
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.statistics import Statistics
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Blank, Iri, Node


class Executor(Graph, Protocol):
    """A graph on which SPARQL runs."""

    @property
    def dialect(self) -> str:
        """The name of the dialect that it speaks; one of :data:`pylf.backends.dialects.NAMES`."""
        ...

    @property
    def spoken(self) -> Dialect:
        """The dialect itself, with what is otherwise at this very engine."""
        ...

    def count(self) -> int:
        """How many triples there are."""
        ...

    def run(
        self, query: Query, schema: Schema, vocabulary: Vocabulary, optimize: int = 1, timeout: float | None = None
    ) -> Answers:
        """The answers of a query, all of them; ``timeout`` is in seconds.

        Raises:
            EngineError: there are no complete answers; the error's kind and ``status`` tell why.
            UnsupportedOperation: the query cannot be expressed.
        """
        ...

    def answers(self, query: Query, sparql: str, timeout: float | None = None) -> Answers:
        """The same for a query whose SPARQL text is at hand, its columns in the order of the query's outputs."""
        ...

    def select(self, sparql: str, timeout: float | None = None) -> list[dict[str, Node]]:
        """The solutions of a SELECT in its order, each by variable name; what is unbound is left out."""
        ...

    def ask(self, sparql: str, timeout: float | None = None) -> bool:
        """The answer of an ASK."""
        ...


class Engine(Executor, Protocol):
    """A graph that can be compiled against, asked and explained.

    It offers what :mod:`pylf.ir.graph` describes too, as far as that saves it work.
    """

    @property
    def name(self) -> str:
        """What it is called in messages: a path, an address."""
        ...

    @property
    def version(self) -> str:
        """The engine and its version, as far as it tells."""
        ...

    @property
    def snapshot(self) -> str:
        """The id of the data; ``unstated`` where nobody tells what state an endpoint's data is in."""
        ...

    @property
    def cache_scope(self) -> str | None:
        """What answers are kept under beside the query's text: it changes wherever they may: with the data, and with
        who asks. None: they are not kept."""
        ...

    @property
    def lookup_cost(self) -> int:
        """How many triples can be read in the time that one call of :meth:`triples` takes before its first."""
        ...

    def estimate(self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None) -> int:
        """How many triples agree with the given places, counted no further than is worth knowing in advance."""
        ...

    def labels(self, nodes: Iterable[Node], vocabulary: Vocabulary) -> dict[Node, str]:
        """The label of each node that has one: in the vocabulary's first language that there is, else in any."""
        ...

    def entities_labelled(
        self, text: str, vocabulary: Vocabulary, languages: Iterable[str] | None = None
    ) -> tuple[Iri | Blank, ...]:
        """The entities that bear exactly this label; see :class:`pylf.ir.graph.LabelIndex`."""
        ...

    def bearers(
        self, texts: Sequence[str], vocabulary: Vocabulary, languages: Sequence[str] | None = None
    ) -> dict[str, tuple[Iri | Blank, ...]]:
        """The same of many labels at once, by label; labels that nothing bears are left out."""
        ...

    def label_languages(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """The language tags of the graph's labels, "" for none, those that the vocabulary names first."""
        ...

    def classes_of(self, node: Node, vocabulary: Vocabulary) -> tuple[Iri, ...]:
        """The classes that the graph states of a node, sorted; superclasses only where they are stated."""
        ...

    def statistics(self) -> Statistics:
        """Counts for schema inference."""
        ...


if TYPE_CHECKING:

    def _satisfied(oxigraph: OxigraphEngine, http: HttpEngine, rdflib: RdflibEngine) -> tuple[Engine, Engine, Executor]:
        """The type checker sees here that the engines are what they are taken for."""
        return oxigraph, http, rdflib
