"""Graphs on servers, as each server can hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from pylf.backends.engines.http import HttpEngine
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.ir.terms import Literal
from pylf.ir.values import UNDERSTOOD_DATATYPES, value_of

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.ir.terms import Node
    from pylf.testing.servers import Server


class Hold(Protocol):
    def __call__(self, server: Server, path: Path, graph: str) -> HttpEngine: ...


@pytest.fixture(scope="session")
def hold() -> Hold:
    """Puts a file into a graph of a server, and gives the server asked about it.

    Virtuoso takes ``"abc"^^xsd:integer`` for 0, and nothing that is asked can tell that from a 0. There, what does not
    fit its datatype is given one of its own instead: no number either, and equal to itself alone.
    """

    def held(node: Node) -> Node:
        if (
            isinstance(node, Literal)
            and node.datatype in UNDERSTOOD_DATATYPES
            and value_of(node) == node
            and node.lexical != "NaN"
        ):
            return Literal(node.lexical, f"{node.datatype}-ill-formed")
        return node

    def put(server: Server, path: Path, graph: str) -> HttpEngine:
        if server.name == "virtuoso":
            server.load([(s, p, held(o)) for s, p, o in OxigraphEngine.open(path).triples()], graph)
        else:
            server.load(path, graph)
        return HttpEngine(server.endpoint(graph))

    return put
