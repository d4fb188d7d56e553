"""The dialects, one file each. A file says where its engine departs from generic SPARQL 1.1, and why."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylf.backends.http.endpoint import Endpoint
    from pylf.backends.sparql.dialect import Dialect

#: Names of the dialects, the generic one first.
NAMES = ("sparql11", "oxigraph", "rdflib", "virtuoso", "jena", "qlever", "blazegraph")


@cache
def dialect_named(name: str) -> Dialect:
    """The dialect of this name.

    Raises:
        InputError: there is none.
    """
    match name:
        case "sparql11":
            from pylf.backends.dialects.sparql11 import DIALECT
        case "oxigraph":
            from pylf.backends.dialects.oxigraph import DIALECT
        case "rdflib":
            from pylf.backends.dialects.rdflib import DIALECT
        case "virtuoso":
            from pylf.backends.dialects.virtuoso import DIALECT
        case "jena":
            from pylf.backends.dialects.jena import DIALECT
        case "qlever":
            from pylf.backends.dialects.qlever import DIALECT
        case "blazegraph":
            from pylf.backends.dialects.blazegraph import DIALECT
        case _:
            from pylf.errors import InputError

            raise InputError(f"there is no dialect {name!r}; the dialects are {', '.join(NAMES)}")
    return DIALECT


def dialect_at(endpoint: Endpoint, name: str) -> Dialect:
    """The dialect of this name, with the fields that the endpoint's description says to be otherwise there. Its
    ``row_cap`` stands apart: who reads rows minds both.

    Raises:
        InputError: there is no such dialect, or it has no such field.
    """
    from pylf.errors import InputError
    from pylf.records import replace

    dialect = _of_named_graphs(name) if endpoint.graphs else dialect_named(name)
    for field, _ in endpoint.differs:
        if field == "name" or field not in type(dialect).__match_args__:
            raise InputError(f"{endpoint.url}: a dialect has no {field!r} that could differ")
    return replace(dialect, **dict(endpoint.differs)) if endpoint.differs else dialect


@cache
def _of_named_graphs(name: str) -> Dialect:
    """The dialect where a query says which graphs are asked: SPARQL's protocol then knows no other by name."""
    from pylf.records import replace

    return replace(dialect_named(name), graph_names=False)
