"""Requests of the SPARQL protocol: three forms, built by SPARQLWrapper.

A query goes as a posted form, as a posted text, or in the address (SPARQL 1.1 Protocol §2.1). Forms come first: every
server takes them, where Virtuoso 7.2 never answers a posted text. The address comes last: servers cut it, or refuse it,
from some thousand characters on.
"""

from __future__ import annotations

import re
import urllib.parse
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pylf import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

#: what a whole address may be long; Virtuoso cuts from about 9,000 characters on, Oxigraph refuses from 8,000 on
LONGEST_ADDRESS = 6_000

_RESULTS = "application/sparql-results+json, application/json;q=0.5"
_TRIPLES = "application/n-triples, text/turtle;q=0.8"
_ACCEPTED = {"SELECT": _RESULTS, "ASK": _RESULTS, "CONSTRUCT": _TRIPLES}


class Way(StrEnum):
    """How a query travels. The order is that in which they are tried."""

    FORM = "a posted form"
    DIRECT = "a posted text"
    ADDRESS = "the address"


WAYS = tuple(Way)


class Request(NamedTuple):
    """What is sent. No credentials stand in it."""

    method: str
    url: str
    body: bytes | None
    headers: dict[str, str]


def built(
    url: str, sparql: str, kind: str, way: Way, parameters: Sequence[tuple[str, str]], contact: str | None
) -> Request:
    """The request for a query of a kind (SELECT, ASK, CONSTRUCT) that goes this way."""
    address, _, asked = url.partition("?")
    wrapper = _wrapper_class()(address, agent=user_agent(contact))
    wrapper.kind = kind
    wrapper.onlyConneg = True
    wrapper.setMethod("GET" if way is Way.ADDRESS else "POST")
    wrapper.setRequestMethod("postdirectly" if way is Way.DIRECT else "urlencoded")
    wrapper.setQuery(sparql.removeprefix("\ufeff"))
    wrapper.addCustomHttpHeader("Accept", _ACCEPTED[kind])
    wrapper.addCustomHttpHeader("Accept-Encoding", "gzip")
    for name, value in parameters:
        wrapper.addParameter(name, value)
    made = wrapper.request()
    target, _, added = made.full_url.partition("?")
    # SPARQLWrapper begins the parameters with a question mark, whether the address has some or not
    everything = "&".join(filter(None, (asked, added)))
    headers = {name.title(): value for name, value in made.header_items()}
    return Request(made.get_method(), f"{target}?{everything}" if everything else target, made.data, headers)


def user_agent(contact: str | None) -> str:
    """What the requests call themselves. Public endpoints ask for a way to reach whoever sends them."""
    return f"pylf/{__version__} (+{contact}; SPARQL client)" if contact else f"pylf/{__version__} (SPARQL client)"


@cache
def _wrapper_class() -> Any:
    from SPARQLWrapper import SPARQLWrapper

    class Wrapper(SPARQLWrapper):
        """Builds requests and sends none. It is told a query's kind: SPARQLWrapper finds it by expressions that take
        seconds for some texts of 20 kB."""

        kind = "SELECT"

        def _parseQueryType(self, query: str) -> str:  # noqa: N802
            return self.kind

        def request(self) -> Any:
            """The :class:`urllib.request.Request` for the query."""
            return self._createRequest()

    return Wrapper


def fits(request: Request) -> bool:
    """Whether the request's address is as short as servers take them."""
    return request.method != "GET" or len(request.url) <= LONGEST_ADDRESS


def checked_url(url: str) -> str:
    """An endpoint's address as it is sent: no fragment, characters outside of ASCII written as bytes.

    Raises:
        InputError: it is no address of an endpoint, or a password stands in it.
    """
    from pylf.errors import InputError, printable

    shown = printable(harmless(url)[:200])
    if any(c <= " " or c == "\x7f" for c in url):
        raise InputError(f"the endpoint's address {shown!r} holds a blank or a control character")
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except ValueError:
        raise InputError(f"{shown!r} is no address of an endpoint") from None
    if parts.username is not None or parts.password is not None:
        raise InputError(
            f"the endpoint's address {shown} holds a user name or a password, which would end up in "
            "logs: take it out and set PYLF_ENDPOINT_HOST, PYLF_ENDPOINT_USER and PYLF_ENDPOINT_PASSWORD, or write it "
            "into ~/.netrc"
        )
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0:
        raise InputError(f"{shown!r} is no address of an endpoint: those begin with http:// or https:// and a host")
    try:
        host = parts.netloc.encode("idna").decode("ascii") if not parts.netloc.isascii() else parts.netloc
    except UnicodeError:
        raise InputError(f"{shown!r} is no address of an endpoint: there can be no such host") from None
    path = urllib.parse.quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    asked = urllib.parse.quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    return urllib.parse.urlunsplit((parts.scheme, host, path, asked, ""))


def checked_contact(stated: str | None) -> str | None:
    """The contact that the user agent names: the one stated, or that of ``PYLF_CONTACT``.

    Raises:
        InputError: it holds what cannot stand there.
    """
    import os

    from pylf.errors import InputError

    contact = stated or os.environ.get("PYLF_CONTACT") or None
    if contact is not None and not (contact.isascii() and contact.isprintable() and not set(contact) & set("();\\")):
        raise InputError(f"the contact {contact[:100]!r} has to be an address or a page, in ASCII")
    return contact


_BEGINS = re.compile(r"[A-Za-z][A-Za-z+.-]{0,20}://")
_HOST_AND_PORT = re.compile(r"(\[[0-9A-Fa-f:.]*\]|[^:/?#]*):([^/?#]*)")


def harmless(url: str) -> str:
    """What was given as an address, for messages: without whatever may be a password or a key in it, however badly it
    is written: all before the last ``@``, what is asked, and a port that is no number."""
    begins = _BEGINS.match(url)
    scheme = begins[0] if begins else ""
    rest = url[len(scheme) :]
    if "@" in rest:
        rest = f"…@{rest.rpartition('@')[2]}"
    port = _HOST_AND_PORT.match(rest)
    if port is not None and port[2] and not (port[2].isdecimal() and len(port[2]) < 6):
        rest = f"{port[1]}:…{rest[port.end() :]}"
    cut = re.split(r"[?#]", rest, maxsplit=1)
    return f"{scheme}{cut[0]}?…" if len(cut) > 1 else f"{scheme}{rest}"


def shown_url(url: str) -> str:
    """An address for messages: without what is asked of it, where keys are sometimes written."""
    return url.partition("?")[0]
