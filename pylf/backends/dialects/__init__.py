"""The dialects, one file each. A file says where its engine departs from generic SPARQL 1.1, and why."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
