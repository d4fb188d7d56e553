"""An endpoint: its address, what is asked of it there, and how patient to be."""

from __future__ import annotations

from pylf.errors import InputError, printable
from pylf.records import record


@record
class Limits:
    """Three time limits, in seconds, and how often a query is sent at most.

    ``connect`` is for making a connection, ``read`` for the longest silence while an answer is awaited or read,
    ``total`` for a query altogether: waiting for a free connection, all tries and the pauses between them included.
    """

    connect: float = 10.0
    read: float = 60.0
    total: float = 180.0
    tries: int = 4


def graph_iri(text: str) -> str:
    """The IRI of a graph, without the angle brackets that may stand around it.

    Raises:
        InputError: it is no absolute IRI.
    """
    from pylf.ir.terms import ILLEGAL_IN_IRI

    iri = text[1:-1] if text.startswith("<") and text.endswith(">") else text
    scheme, colon, rest = iri.partition(":")
    named = scheme[:1].isalpha() and scheme.isascii() and scheme.replace("+", "").replace(".", "").replace("-", "")
    if not (colon and rest and named and named.isalnum() and ILLEGAL_IN_IRI.isdisjoint(iri)):
        raise InputError(f"{printable(text[:200])!r} is no name of a graph: those are IRIs, such as urn:team")
    return iri


@record
class Endpoint:
    """Where and how to ask. Written to and read from TOML (``pylf doctor URL --save FILE``).

    ``dialect`` None: found out from what the server says of itself. ``graphs`` are the graphs whose merge is asked
    (``default-graph-uri``); none: the endpoint's default. ``snapshot`` names the state of the data; complete answers
    are cached where it is known. ``contact`` is an address or a page that the user agent names, which public endpoints
    ask for. ``row_cap`` is how many rows the endpoint gives at most, if that is known. ``differs`` are fields of the
    dialect that were found to be otherwise at this endpoint. ``schema`` and ``vocabulary`` are what programs are
    compiled against. No secret stands here: credentials come from the environment or from netrc.
    """

    url: str
    dialect: str | None = None
    graphs: tuple[str, ...] = ()
    snapshot: str | None = None
    contact: str | None = None
    limits: Limits = Limits()
    row_cap: int | None = None
    differs: tuple[tuple[str, bool | int | None], ...] = ()
    schema: str | None = None
    vocabulary: str | None = None
