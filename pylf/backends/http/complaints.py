"""What an endpoint says when it does not answer: bodies of errors, as a sentence and as the error that it is.

Each wording stands with the engine that writes it. Those of Virtuoso 7.2, Oxigraph 0.5 and Jena 4.5 are as they were
seen; those of QLever, Blazegraph and Fuseki are as their documentation and sources have them.
"""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING

from pylf.errors import EngineError, EngineRefused, EngineTimeout, printable

if TYPE_CHECKING:
    from pylf.backends.http.transport import Response

#: what is read of an error's body, and what of it is shown
_MOST_READ = 1 << 16
_MOST_SHOWN = 300

_TIMEOUTS = re.compile(
    r"The SPARQL operation has been cancelled"  # Oxigraph server, at the end of a body with status 200
    r"|\bS1T00\b"  # Virtuoso: transaction timed out
    r"|java\.util\.concurrent\.TimeoutException|QueryTimeoutException"  # Blazegraph
    r"|QueryCancelledException|Query timed out|[Qq]uery cancelled"  # Jena, Fuseki
    r"|[Oo]peration timed out|[Cc]ancelled due to timeout|Timeout was exceeded|Timeout exceeded"  # QLever
    r"|[Qq]uery evaluation exceeded (?:the )?(?:time|limit)"  # RDF4J, GraphDB
    r"|TimeLimitExceededException|deadline exceeded"  # Neptune
)
#: Virtuoso's planner, before it begins: it will not
_TOO_COSTLY = re.compile(r"estimated execution time[^\n]{0,80}exceeds the limit", re.IGNORECASE)
_SYNTAX = re.compile(
    r"\b37000\b|MalformedQueryException|QueryParseException|Parse error|Invalid SPARQL query|[Ss]yntax error"
)
#: the name of a form's field, as a server shows it that took the form for the query
_ECHOED = re.compile(r"\bquery(?:=|%3D)", re.IGNORECASE)
#: a server that did not find the query
_UNSEEN_QUERY = re.compile(
    r"\bno (?:\S+ ){0,3}query\b|\bquery\b (?:\S+ ){0,3}(?:missing|required|not (?:given|found|specified))"
    r"|(?:missing|required|requires) (?:\S+ ){0,3}query|empty query|query (?:string )?(?:is|was) empty|content.type",
    re.IGNORECASE,
)
_BAN = re.compile(r"\b(?:banned|ban|blacklisted|denylisted)\b", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_UNSEEN = re.compile(r"<(script|style|head)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]{0,2000}>")
_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


def body_of(response: Response) -> str:
    """The beginning of an error's body, as text."""
    parts: list[bytes] = []
    size = 0
    try:
        for piece in response.chunks():
            parts.append(piece)
            size += len(piece)
            if size >= _MOST_READ:
                break
    except EngineTimeout:
        raise
    except EngineError:
        pass  # what has come of a complaint is enough
    finally:
        response.close()
    # Virtuoso repeats the query, whose words say nothing of what went wrong
    return b"".join(parts).decode("utf-8", "replace").partition("\n\nSPARQL query:\n")[0]


def said(body: str, kind: str) -> str:
    """What a body says, on one line that people read."""
    if is_page(body, kind):
        return f"a page: {page_words(body)}"
    text = _from_json(body) or body
    lines = " ".join(text.split())
    return printable(_short(lines))


def is_page(body: str, kind: str) -> bool:
    """Whether this is a page for browsers."""
    return "html" in kind.lower() or _PAGE.match(body[:2_000]) is not None


def page_words(body: str) -> str:
    """The title of a page and its first words."""
    body = body[:_MOST_READ]
    title = _TITLE.search(body)
    words = " ".join(html.unescape(_TAG.sub(" ", _UNSEEN.sub(" ", body))).split())
    named = " ".join(html.unescape(title[1]).split()) if title else ""
    if named and words.startswith(named):
        words = words[len(named) :].lstrip()
    both = f"{named!r}: {words}" if named and words else repr(named) if named else words
    return printable(_short(both)) or "an empty one"


def _from_json(body: str) -> str | None:
    """The message in an error that is written as JSON (QLever: ``exception``)."""
    if not body.lstrip().startswith("{"):
        return None
    try:
        data = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None
    for key in ("exception", "message", "error", "detail"):
        if isinstance(data, dict) and isinstance(data.get(key), str):
            return str(data[key])
    return None


def _short(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def is_timeout(text: str) -> bool:
    """Whether an engine says here that its time limit ended the query."""
    return _TIMEOUTS.search(text) is not None


def is_ban(body: str) -> bool:
    """Whether a page speaks of a ban."""
    return _BAN.search(body) is not None


def misread(status: int, body: str, sparql: str) -> bool:
    """Whether the endpoint did not take the query for what it is, because of the way that it came."""
    if status in {405, 411, 415, 501}:
        return True
    if status not in {400, 422}:
        return False
    shown = body[:4_000]
    if _ECHOED.search(shown) and not _ECHOED.search(sparql):
        return True  # it read the form's field as part of the query, or shows the form
    return _UNSEEN_QUERY.search(shown) is not None and _SYNTAX.search(shown) is None


def named(body: str, kind: str) -> EngineError | None:
    """The error that a text says to be, whatever its status; None where no engine's wording is in it."""
    if _TOO_COSTLY.search(body):
        return EngineRefused(f"the endpoint refuses the query: {said(body, kind)}")
    if is_timeout(body):
        return EngineTimeout(f"the endpoint's time limit ended the query: {said(_around(_TIMEOUTS, body), '')}")
    return None


def complaint(status: int, reason: str, body: str, kind: str, forms: tuple[str, ...] = ()) -> EngineError:
    """The error for a response that is no answer. ``forms`` are the kinds of authentication that it asks for."""
    known = named(body, kind)
    if known is not None:
        return known
    words = said(body, kind)
    told = f": {words}" if words else ""
    match status:
        case 400 | 422:
            return EngineRefused(f"the endpoint does not take the query ({status}){told}")
        case 401 | 407:
            asked = f" ({', '.join(forms)})" if forms else ""
            return EngineRefused(
                f"the endpoint asks for credentials{asked}: set PYLF_ENDPOINT_HOST, PYLF_ENDPOINT_USER and "
                f"PYLF_ENDPOINT_PASSWORD (or PYLF_ENDPOINT_TOKEN), or write them into ~/.netrc{told}"
            )
        case 403:
            return EngineRefused(f"the endpoint forbids the query (403){told}")
        case 404 | 410:
            return EngineError(f"there is no endpoint at this address ({status}){told}")
        case 413 | 414 | 431:
            return EngineRefused(f"the query is too long for the endpoint ({status}){told}")
        case 429:
            return EngineRefused(f"the endpoint has had too many requests (429){told}")
        case 504 | 408:
            return EngineTimeout(f"a time limit at the endpoint's side was reached ({status}){told}")
        case _ if _SYNTAX.search(body):
            return EngineRefused(f"the endpoint does not take the query ({status}){told}")
        case _:
            return EngineError(f"the endpoint failed with {status} {printable(reason[:60])}{told}")


def unasked(body: bytes, kind: str, wanted: str) -> EngineError:
    """The error for a body that comes with success and is not what was asked for."""
    text = body[:_MOST_READ].decode("utf-8", "replace")
    what = printable(kind.partition(";")[0].strip()[:60]) or "something without a type"
    told = said(text, kind) or "nothing"
    return named(text, kind) or EngineError(f"the endpoint answers with {what} where {wanted} were asked for: {told}")


def _around(pattern: re.Pattern[str], text: str) -> str:
    """The line of a text in which a pattern is found, its end where it is long."""
    found = pattern.search(text)
    if found is None:
        return text
    begin = max(text.rfind("\n", 0, found.start()) + 1, found.start() - 80)
    end = text.find("\n", found.end())
    return text[begin : end if end >= 0 else len(text)]
