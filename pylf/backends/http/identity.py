"""Which engine answers, by its headers. Those of Virtuoso and Oxigraph are as seen; the others' as documented."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import printable

if TYPE_CHECKING:
    from email.message import Message

#: in the header Server; the first that fits
_SERVERS = (
    ("virtuoso", re.compile(r"\bVirtuoso\b", re.IGNORECASE)),
    ("oxigraph", re.compile(r"\bOxigraph\b", re.IGNORECASE)),
    ("jena", re.compile(r"\bJena\b|\bFuseki\b|\bARQ\b", re.IGNORECASE)),
    ("qlever", re.compile(r"\bQLever\b", re.IGNORECASE)),
    ("blazegraph", re.compile(r"\bBlazegraph\b|\bBigdata\b", re.IGNORECASE)),
)
#: headers that one engine alone writes, where a proxy has put its own name into Server
_MARKS = (
    ("virtuoso", "X-SPARQL-default-graph"),
    ("jena", "Fuseki-Request-Id"),
    ("blazegraph", "X-First-Solution-Millis"),  # Wikidata's query service
    ("blazegraph", "X-BIGDATA-MAX-QUERY-MILLIS"),
)
_LONGEST = 200


def identity_of(headers: Message) -> tuple[str | None, str]:
    """The name of the engine's dialect, None where it cannot be told, and what the server calls itself."""
    server = printable(" ".join(str(headers.get("Server") or "").split())[:_LONGEST])
    for name, pattern in _SERVERS:
        if pattern.search(server):
            return name, server
    for name, mark in _MARKS:
        if headers.get(mark) is not None:
            return name, server
    return None, server


def is_fuseki(headers: Message) -> bool:
    """Whether Jena answers through its own server."""
    return headers.get("Fuseki-Request-Id") is not None or "fuseki" in str(headers.get("Server") or "").lower()
