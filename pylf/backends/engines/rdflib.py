"""rdflib in this process: slow, and everywhere. It serves as a second opinion and for graphs that are in it already.

Lexical forms survive: literals are made with ``normalize=False``, and files are read by Oxigraph's parser (rdflib's
own turns Turtle's ``+5`` into ``5``). The constants of a query keep their spelling too. Only dates and ``xsd:float``
take the one form that they are compared in (:func:`pylf.ir.values.as_held`), so that ``24:00:00`` is the next day here
as elsewhere. Durations and ``xsd:time`` stay as written, unlike in Oxigraph.
"""

from __future__ import annotations

import logging
import threading
import warnings
from typing import TYPE_CHECKING, Any

from pylf.backends.engines.results import answers_of
from pylf.backends.engines.terms import oxigraph_terms, rdflib_terms
from pylf.backends.engines.waiting import waited_for
from pylf.errors import EngineError
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.ir.terms import XSD_STRING, Literal
from pylf.ir.values import as_held

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self, TypeVar

    import rdflib
    from rdflib.query import Result

    from pylf.backends.sparql.dialect import Dialect
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

    T = TypeVar("T")


class RdflibEngine:
    """A graph in rdflib, and the queries on it. Implements :class:`pylf.ir.graph.Graph`."""

    dialect = "rdflib"

    def __init__(self, graph: rdflib.Graph) -> None:
        self.graph = graph
        self._node, self._term = rdflib_terms()

    # --- making one -----------------------------------------------------------------------------------------------

    @classmethod
    def from_triples(cls, triples: Iterable[TripleRow]) -> Self:
        """A graph of these triples."""
        import rdflib

        _, term = rdflib_terms()
        graph = rdflib.Graph()
        with _AS_WRITTEN:
            for s, p, o in triples:
                graph.add((term(s), term(p), term(as_held(o) if isinstance(o, Literal) else o)))
        return cls(graph)

    @classmethod
    def from_graph(cls, graph: rdflib.Graph) -> Self:
        """A graph that is in rdflib already. It is taken as it is, unless it holds ``"…"^^xsd:string`` spelled out,
        which rdflib tells from the plain string, or a date or float that is not in the form in which they are compared:
        then a copy is taken in which they are."""
        import rdflib

        string = rdflib.URIRef(XSD_STRING)
        node, _ = rdflib_terms()

        def usable(term: object) -> bool:
            if not isinstance(term, rdflib.Literal) or term.datatype is None:
                return True
            known = node(term)
            return term.datatype != string and isinstance(known, Literal) and as_held(known) == known

        if all(map(usable, graph.objects())):
            return cls(graph)
        return cls.from_triples((node(s), node(p), node(o)) for s, p, o in graph)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], base: str | None = None) -> Self:
        """A graph from an RDF file, by its suffix (see :data:`pylf.backends.engines.reading.FORMATS`); graph names are
        dropped.

        Raises:
            InputError: it cannot be read, or does not parse (with file, line and column).
        """
        from pylf.backends.engines.reading import check_source, parse

        check_source(path)
        node, _ = oxigraph_terms()
        return cls.from_triples((node(q.subject), node(q.predicate), node(q.object)) for q in parse(path, base))

    # --- a graph --------------------------------------------------------------------------------------------------

    def triples(
        self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None
    ) -> Iterator[TripleRow]:
        """The triples that agree with the given places. See :class:`pylf.ir.graph.Graph`."""
        node, term = self._node, self._term
        if isinstance(object, Literal):
            object = as_held(object)
        with _AS_WRITTEN:
            pattern: Any = tuple(None if place is None else term(place) for place in (subject, predicate, object))
        for s, p, o in self.graph.triples(pattern):
            yield node(s), node(p), node(o)

    def count(self) -> int:
        """How many triples there are."""
        return len(self.graph)

    @property
    def spoken(self) -> Dialect:
        """The dialect that rdflib speaks."""
        from pylf.backends.dialects import dialect_named

        return dialect_named(self.dialect)

    # --- queries --------------------------------------------------------------------------------------------------

    def run(
        self,
        query: Query,
        schema: Schema,
        vocabulary: Vocabulary,
        optimize: int = 1,
        timeout: float | None = None,
    ) -> Answers:
        """The answers of a query; ``timeout`` is in seconds.

        Raises:
            EngineError: rdflib refuses, fails or runs out of time.
            UnsupportedOperation: the query cannot be expressed.
        """
        from pylf.backends.sparql import emit

        return self.answers(query, emit(query, schema, vocabulary, dialect=self.dialect, optimize=optimize), timeout)

    def answers(self, query: Query, sparql: str, timeout: float | None = None) -> Answers:
        """The answers of a query whose SPARQL text is at hand: columns in the order of the query's outputs."""
        if query.form is Form.BOOLEAN:
            return Answers.of_boolean(self.ask(sparql, timeout))
        width = len(query.outputs)
        return answers_of(query.form, self._performed(sparql, timeout, lambda found: self._rows(found, width)))

    def select(self, sparql: str, timeout: float | None = None) -> list[dict[str, Node]]:
        """The solutions of a SELECT in its order, each by variable name; what is unbound is left out."""
        return self._performed(sparql, timeout, self._dictionaries)

    def ask(self, sparql: str, timeout: float | None = None) -> bool:
        """The answer of an ASK."""
        return self._performed(sparql, timeout, _truth)

    # --- inside ---------------------------------------------------------------------------------------------------

    def _performed(self, sparql: str, timeout: float | None, convert: Callable[[Result], T]) -> T:
        def work() -> T:
            with _AS_WRITTEN:
                # rdflib raises bare Exception (an unknown prefix), its parser's own errors, and whatever its
                # evaluation trips over: there is no narrower class to catch
                try:
                    found = self.graph.query(sparql)
                    if found.type == "SELECT" and not all(found.bindings) and _groups(self.graph, sparql):
                        # over nothing, that gives one row with nothing in it
                        found.bindings = [binding for binding in found.bindings if binding]
                    return convert(found)
                except EngineError:
                    raise
                except RecursionError as error:
                    raise EngineError("the query is nested too deeply for rdflib") from error
                except Exception as error:
                    raise EngineError(f"rdflib fails on the query: {type(error).__name__}: {error}") from error

        return work() if timeout is None else waited_for(work, timeout)

    def _rows(self, found: Result, width: int) -> list[tuple[Node | None, ...]]:
        names = _columns(found)
        if len(names) != width:
            raise EngineError(f"the query has {len(names)} columns, not {width}")
        node = self._node
        return [tuple([None if term is None else node(term) for term in row]) for row in _solutions(found)]

    def _dictionaries(self, found: Result) -> list[dict[str, Node]]:
        names = _columns(found)
        node = self._node
        return [
            {name: node(term) for name, term in zip(names, row, strict=True) if term is not None}
            for row in _solutions(found)
        ]


class _AsWritten:
    """Within, literals keep their spelling, and rdflib does not report each ill-formed one with a traceback.

    Both are settings of the whole process: the first to enter changes them, the last to leave puts them back.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before = (True, logging.NOTSET)

    def __enter__(self) -> None:
        import rdflib

        logger = logging.getLogger("rdflib.term")
        with self._lock:
            if self._inside == 0:
                self._before = (rdflib.NORMALIZE_LITERALS, logger.level)
                rdflib.NORMALIZE_LITERALS = False
                logger.setLevel(logging.ERROR)
                warnings.filterwarnings("ignore", "Parsing weird boolean", UserWarning)
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        import rdflib

        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                rdflib.NORMALIZE_LITERALS, level = self._before
                logging.getLogger("rdflib.term").setLevel(level)


_AS_WRITTEN = _AsWritten()


def _columns(found: Result) -> list[str]:
    if found.type != "SELECT":
        raise EngineError("the query is no SELECT")
    return [str(variable) for variable in found.vars or ()]


def _solutions(found: Result) -> Iterator[tuple[object, ...]]:
    """The rows of a SELECT, None where a variable is unbound."""
    columns = found.vars or ()
    for binding in found.bindings:  # iteration over the result leaves out rows that bind nothing
        yield tuple([binding.get(column) for column in columns])


def _groups(graph: rdflib.Graph, sparql: str) -> bool:
    """Whether what a query selects are groups."""
    from rdflib.plugins.sparql import prepareQuery

    algebra: Any = prepareQuery(sparql, initNs=dict(graph.namespaces())).algebra
    while algebra.name != "Group":
        if "p" not in algebra:  # it has two parts or none
            return False
        algebra = algebra["p"]
    return algebra.expr is not None


def _truth(found: Result) -> bool:
    if found.type != "ASK":
        raise EngineError("the query is no ASK")
    return bool(found.askAnswer)
