"""The engines that take part in a differential run: each is loaded with one small graph after another, and asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

from pylf.backends.dialects import dialect_named
from pylf.backends.http.endpoint import Limits
from pylf.backends.sparql import emit, planned
from pylf.backends.sparql.lower import lower_query
from pylf.backends.sparql.print import print_tree
from pylf.errors import EngineError, InputError, UnsupportedOperation
from pylf.ir.terms import Literal
from pylf.ir.values import as_held
from pylf.testing.differential.probe import Probe, probed
from pylf.testing.drawn.schemas import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pylf.backends.engines.http import HttpEngine
    from pylf.backends.engines.oxigraph import OxigraphEngine
    from pylf.backends.engines.oxigraph_queries import Found
    from pylf.backends.engines.rdflib import RdflibEngine
    from pylf.backends.sparql.dialect import Dialect
    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Form, Query
    from pylf.ir.passes.manager import Observer
    from pylf.ir.schema.model import Schema
    from pylf.testing.servers import Server

    LocalEngine = OxigraphEngine | RdflibEngine

_GRAPH = "urn:pylf:differential"
#: the graphs are tiny: an answer that takes longer does not come
_LIMITS = Limits(connect=5.0, read=15.0, total=20.0)


class Contestant(Protocol):
    """An engine as a run sees it. ``name`` is what the command line calls it, ``dialect`` what it is asked in."""

    name: str
    dialect: str

    def load(self, triples: Sequence[TripleRow]) -> None:
        """Holds these triples and no others."""
        ...

    def held(self) -> Iterable[TripleRow]:
        """What it holds, as it says itself."""
        ...

    def ask(self, query: Query, schema: Schema, optimize: int, observer: Observer | None = None) -> Answers:
        """The answers of a query. At -O2 ``observer`` is told of the passes that ran.

        Raises:
            EngineError: it fails. UnsupportedOperation: its dialect has no form for the query.
        """
        ...

    def version(self) -> str:
        """The engine with its version."""
        ...

    def close(self) -> None:
        """Ends what was started."""
        ...


class Embedded:
    """An engine in this process, made anew for each graph: ``make`` is given its triples, ``package`` is what it comes
    from."""

    def __init__(self, name: str, package: str, make: Callable[[Sequence[TripleRow]], LocalEngine]) -> None:
        self.name = self.dialect = name
        self.package = package
        self.make = make
        self.engine: LocalEngine | None = None
        self._spoken = dialect_named(name)
        #: what was asked last, and the answers: two levels often make the same text of a query
        self._last: tuple[Form, str, Answers] | None = None

    def load(self, triples: Sequence[TripleRow]) -> None:
        """Holds these triples and no others."""
        self.engine = self.make(triples)
        self._last = None

    def held(self) -> Iterator[TripleRow]:
        """What it holds."""
        assert self.engine is not None
        return self.engine.triples()

    def ask(self, query: Query, schema: Schema, optimize: int, observer: Observer | None = None) -> Answers:
        """The answers of a query; see :class:`Contestant`. The text that was asked last is not asked again."""
        assert self.engine is not None
        text = text_of(query, schema, self._spoken, optimize, observer)
        if self._last is not None and self._last[:2] == (query.form, text):
            return self._last[2]
        found = self.engine.answers(query, text)
        self._last = (query.form, text, found)
        return found

    def version(self) -> str:
        """The package with its version."""
        from importlib.metadata import version

        return f"{self.package} {version(self.package)}"

    def close(self) -> None:
        """Lets the graph go."""
        self.engine = self._last = None


def text_of(query: Query, schema: Schema, spoken: Dialect, optimize: int, observer: Observer | None = None) -> str:
    """What :func:`pylf.backends.sparql.emit` gives, for plain IRIs; at -O2 ``observer`` is told of the passes."""
    if optimize < 2:
        return emit(query, schema, VOCABULARY, spoken, optimize)
    plan = planned(query, schema, VOCABULARY, spoken, optimize, observer)
    try:
        tree = lower_query(plan, schema, VOCABULARY, spoken, optimize)
    except UnsupportedOperation:
        if plan is query:
            raise
        tree = lower_query(query, schema, VOCABULARY, spoken, optimize)
    return print_tree(tree, spoken, strictly=spoken.strict_iris)


def oxigraph() -> Embedded:
    """Oxigraph in this process."""
    from pylf.backends.engines.oxigraph import OxigraphEngine

    return Embedded("oxigraph", "pyoxigraph", OxigraphEngine.memory)


def oxigraph_here() -> Embedded:
    """Oxigraph in this process, for a thread that has a deep stack itself: none is started for a long query."""
    import pyoxigraph

    from pylf.backends.engines.oxigraph import OxigraphEngine
    from pylf.backends.engines.oxigraph_queries import Queries

    class Here(Queries):
        def _performed(self, store: pyoxigraph.Store, sparql: str, union: bool, timeout: float | None) -> Found:
            return self._complaining(sparql, lambda: self._here(store, sparql, union))

    def make(triples: Sequence[TripleRow]) -> OxigraphEngine:
        engine = OxigraphEngine(pyoxigraph.Store(), queries=Here("memory"))
        engine.add(triples)
        return engine

    return Embedded("oxigraph", "pyoxigraph", make)


def rdflib() -> Embedded:
    """Rdflib in this process."""
    from pylf.backends.engines.rdflib import RdflibEngine

    return Embedded("rdflib", "rdflib", RdflibEngine.from_triples)


class Served:
    """A server that :mod:`pylf.testing.servers` knows, asked over HTTP. One that is handed in is not ended here.

    It is given literals in the form in which a graph has to hold them (:func:`pylf.ir.values.as_held`).
    """

    def __init__(self, name: str, kind: str, server: Server | None = None) -> None:
        from pylf.backends.engines.http import HttpEngine
        from pylf.testing import servers

        self.name = name
        self.kind = kind
        self.own = server is None
        self.server = servers.start(kind) if server is None else server
        self.engine: HttpEngine = HttpEngine(self.server.endpoint(_GRAPH, limits=_LIMITS))
        self.dialect = self.engine.dialect
        self._loaded: list[TripleRow] = []

    def load(self, triples: Sequence[TripleRow]) -> None:
        """Holds these triples and no others."""
        self._loaded = [(s, p, as_held(o) if isinstance(o, Literal) else o) for s, p, o in triples]
        self.server.load(self._loaded, _GRAPH)

    def held(self) -> Iterable[TripleRow]:
        """What it holds."""
        return self.engine.triples()

    def ask(self, query: Query, schema: Schema, optimize: int, observer: Observer | None = None) -> Answers:
        """The answers of a query; see :class:`Contestant`. A server that the query kills is started again, with the
        same graph, so that the next query finds one."""
        if observer is not None:
            planned(query, schema, VOCABULARY, self.engine.spoken, optimize, observer)
        try:
            return self.engine.run(query, schema, VOCABULARY, optimize)
        except EngineError as error:
            if not self.own or self._lives():
                raise
            self._start_again()
            raise EngineError("the server crashed on the query") from error

    def _lives(self) -> bool:
        try:
            return self.engine.client.ask("ASK { }")
        except EngineError:
            return False

    def _start_again(self) -> None:
        from pylf.backends.engines.http import HttpEngine
        from pylf.testing import servers

        self.engine.client.close()
        self.server.stop()
        self.server = servers.start(self.kind)
        self.engine = HttpEngine(self.server.endpoint(_GRAPH, limits=_LIMITS))
        self.server.load(self._loaded, _GRAPH)

    def version(self) -> str:
        """What the server says that it is."""
        return self.server.version

    def close(self) -> None:
        """Ends the server."""
        self.engine.client.close()
        if self.own:
            self.server.stop()


def _server(name: str, kind: str) -> Callable[[], Contestant]:
    return lambda: Served(name, kind)


#: what makes each engine that takes part, by its name on the command line
MAKERS: Mapping[str, Callable[[], Contestant]] = {
    "oxigraph": oxigraph,
    "rdflib": rdflib,
    "virtuoso": _server("virtuoso", "virtuoso"),
    "jena": _server("jena", "jena"),
    "oxigraph-server": _server("oxigraph-server", "oxigraph"),
}


class Engines:
    """Engines by name, each started when first asked for and probed once; used as a context, all are ended."""

    def __init__(self, makers: Mapping[str, Callable[[], Contestant]] = MAKERS) -> None:
        self._makers = makers
        self._made: dict[str, Contestant] = {}
        #: by engine, what it does to values
        self.probes: dict[str, Probe] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._made:
            self._made.popitem()[1].close()

    def get(self, name: str) -> Contestant:
        """The engine of that name.

        Raises:
            InputError: there is none, or it is not installed. EngineError: it does not start.
        """
        if name not in self._made:
            if name not in self._makers:
                raise InputError(f"there is no engine {name!r}; there are {', '.join(self._makers)}")
            self._made[name] = self._makers[name]()
            self.probes[name] = probed(self._made[name])
        return self._made[name]
