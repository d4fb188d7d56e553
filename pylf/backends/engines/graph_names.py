"""Whether the graphs that are asked hold anything, and which graphs there are: a name that is mistyped, or left out,
gives an endpoint without data, and not one that complains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.engines.lookups import PLACES
from pylf.backends.http.client import Client, IncompleteRows
from pylf.backends.http.request import shown_url
from pylf.backends.patience import within
from pylf.backends.sparql.print import print_tree
from pylf.backends.sparql.query import Ask, Group, TriplePattern
from pylf.errors import EngineError, printable
from pylf.ir.terms import Iri
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.backends.http.endpoint import Endpoint
    from pylf.backends.sparql.dialect import Dialect

#: seconds for finding out, and graphs looked at, asked for and told
_PATIENCE = 10.0
_MOST_ASKED = 8
_MOST_TOLD = 8
#: graphs that Virtuoso makes for itself
_SYSTEM = (
    "http://www.openlinksw.com/",
    "http://www.w3.org/ns/ldp#",
    "http://www.w3.org/2002/07/owl#",
    "http://localuriqaserver/",
    "http://localhost:8890/",
    "urn:activitystreams-owl:",
    "urn:core:services:",
    "urn:virtuoso:",
    "virtrdf-label",
    "dbprdf-label",
    "facets",
    "b3sifp",
    "b3sonto",
)
_NAMES = "SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } } LIMIT 60"


def emptiness(endpoint: Endpoint, dialect: Dialect) -> str | None:
    """That the graphs that are asked hold no triples, and which others there are, as a sentence; None where they hold
    some, or the endpoint does not tell within a few seconds."""
    try:
        with within(_PATIENCE):
            empty = _empty(endpoint, dialect)
            if empty is None:
                return None
            return f"{_told(empty)} at {shown_url(endpoint.url)} {_holds(empty)}; {_others(endpoint, dialect)}"
    except EngineError:
        return None


def _empty(endpoint: Endpoint, dialect: Dialect) -> tuple[str, ...] | None:
    """The graphs without a triple, of those that are asked, () for the default graph; None where there are none."""
    if not endpoint.graphs:
        return None if _holds_some(endpoint, dialect) else ()
    graphs = endpoint.graphs[:_MOST_ASKED]
    found = tuple([graph for graph in graphs if not _holds_some(replace(endpoint, graphs=(graph,)), dialect)])
    return found or None


def _holds_some(endpoint: Endpoint, dialect: Dialect) -> bool:
    with Client(endpoint, dialect) as client:
        return client.ask(print_tree(Ask(Group((TriplePattern(*PLACES),))), dialect), trusted=True)


def _others(endpoint: Endpoint, dialect: Dialect) -> str:
    """The names of graphs that hold something."""
    # with graphs named in the request, none would be within reach of GRAPH
    with Client(replace(endpoint, graphs=()), dialect) as client:
        try:
            rows: Iterable[tuple[object, ...]] = client.select(_NAMES, trusted=True).rows
        except IncompleteRows as cut:
            rows = cut.table.rows
        except EngineError:
            return "which graphs there are it does not tell in time"
    found = {row[0].value for row in rows if isinstance(row[0], Iri) and not row[0].value.startswith(_SYSTEM)}
    names = sorted(found, key=lambda name: (-_likeness(name, endpoint.graphs), name))
    if not names:
        return "there is no other graph with triples" if endpoint.graphs else "there is no graph with triples at all"
    more = ", …" if len(names) > _MOST_TOLD else ""
    return f"graphs there: {', '.join(map(printable, names[:_MOST_TOLD]))}{more}"


def _likeness(name: str, asked: tuple[str, ...]) -> float:
    """How much a graph's name is like one that was asked for: it may have been meant."""
    from difflib import SequenceMatcher

    return max((SequenceMatcher(None, name, one).ratio() for one in asked), default=0.0)


def _told(empty: tuple[str, ...]) -> str:
    match empty:
        case ():
            return "the default graph"
        case (one,):
            return f"the graph {printable(one)}"
    return f"the graphs {', '.join(map(printable, empty))}"


def _holds(empty: tuple[str, ...]) -> str:
    return "holds no triples" if len(empty) < 2 else "hold no triples"
