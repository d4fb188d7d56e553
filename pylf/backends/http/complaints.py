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
_MOST_SHOWN = 150

#: for an address where something else answers
_USUALLY = "the address of an endpoint usually ends in /sparql or /query"

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
_TITLE = re.compile(r"<title[^<>]{0,200}>", re.IGNORECASE)
_TITLE_ENDS = re.compile(r"</title", re.IGNORECASE)
#: what begins something that a browser does not show, and what ends it
_UNSEEN = re.compile(r"<(?:(script|style|head)\b|!--)", re.IGNORECASE)
_UNSEEN_ENDS = {
    "script": re.compile(r"</script\s*>", re.IGNORECASE),
    "style": re.compile(r"</style\s*>", re.IGNORECASE),
    "head": re.compile(r"</head\s*>", re.IGNORECASE),
    "": re.compile("-->"),
}
_TAG = re.compile(r"<[^<>]{0,2000}>")
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


def told(words: str) -> str:
    """What follows a sentence to quote these words; nothing where there are none."""
    return f": {words}" if words else ""


def is_page(body: str, kind: str) -> bool:
    """Whether this is a page for browsers."""
    return "html" in kind.lower() or _PAGE.match(body[:2_000]) is not None


def page_words(body: str) -> str:
    """The title of a page and its first words."""
    body = body[:_MOST_READ]
    words = " ".join(html.unescape(_TAG.sub(" ", _seen(body))).split())
    named = " ".join(html.unescape(_titled(body)).split())
    if named and words.startswith(named):
        words = words[len(named) :].lstrip()
    both = f"{named!r}: {words}" if named and words else repr(named) if named else words
    return printable(_short(both)) or "an empty one"


def _titled(page: str) -> str:
    begins = _TITLE.search(page)
    ends = None if begins is None else _TITLE_ENDS.search(page, begins.end())
    return "" if begins is None or ends is None else page[begins.end() : ends.start()]


def _seen(page: str) -> str:
    """A page without what a browser does not show. No kind's end is looked for in vain more than once."""
    parts: list[str] = []
    at = 0
    endless: set[str] = set()
    for begins in _UNSEEN.finditer(page):
        kind = (begins[1] or "").lower()
        if begins.start() < at or kind in endless:
            continue
        ends = _UNSEEN_ENDS[kind].search(page, begins.end())
        if ends is None:
            endless.add(kind)
            continue
        parts.append(page[at : begins.start()])
        at = ends.end()
    return " ".join((*parts, page[at:]))


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
        return EngineRefused(f"the endpoint refuses the query{told(said(body, kind))}")
    if is_timeout(body):
        return EngineTimeout(f"the endpoint's time limit ended the query{told(said(_around(_TIMEOUTS, body), ''))}")
    return None


def complaint(
    status: int, reason: str, body: str, kind: str, forms: tuple[str, ...] = (), who: str | None = None
) -> EngineError:
    """The error for a response that is no answer. ``forms`` are the kinds of authentication that it asks for, ``who``
    is the user whose credentials were sent, or None."""
    known = named(body, kind)
    if known is not None:
        return known
    words = told(said(body, kind))
    match status:
        case 400 | 422:
            return EngineRefused(f"the endpoint does not take the query ({status}){words}")
        case 401 | 407:
            asked = f" ({', '.join(forms)})" if forms else ""
            if who is not None:
                return EngineRefused(f"the endpoint does not accept {who} ({status}){words}")
            return EngineRefused(
                f"the endpoint asks for credentials{asked}: set PYLF_ENDPOINT_HOST, PYLF_ENDPOINT_USER and "
                f"PYLF_ENDPOINT_PASSWORD (or PYLF_ENDPOINT_TOKEN), or write them into ~/.netrc{words}"
            )
        case 403:
            by = f" of {who}" if who is not None else ""
            return EngineRefused(f"the endpoint forbids the query{by} (403){words}")
        case 404 | 405 | 410:
            return EngineError(f"there is no endpoint at this address ({status}); {_USUALLY}{words}")
        case 413 | 414 | 431:
            return EngineRefused(f"the query is too long for the endpoint ({status}){words}")
        case 429:
            return EngineRefused(f"the endpoint has had too many requests (429){words}")
        case 503:
            return EngineRefused(f"the endpoint takes no queries for now (503){words}")
        case 504 | 408:
            return EngineTimeout(f"a time limit at the endpoint's side was reached ({status}){words}")
        case _ if _SYNTAX.search(body):
            return EngineRefused(f"the endpoint does not take the query ({status}){words}")
        case _:
            stated = f"{status} {printable(reason[:60])}".strip()
            return EngineError(f"the endpoint failed with {stated}{words}")


def unasked(body: bytes, kind: str, wanted: str) -> EngineError:
    """The error for a body that comes with success and is not what was asked for."""
    text = body[:_MOST_READ].decode("utf-8", "replace")
    what = printable(kind.partition(";")[0].strip()[:60]) or "something without a type"
    words = said(text, kind) or "nothing"
    return named(text, kind) or EngineError(
        f"the address answers with {what} where {wanted} were asked for; {_USUALLY}: {words}"
    )


def not_seen(body: str, kind: str) -> EngineError:
    """The error for a page that comes with success: what answers did not see the query."""
    return named(body, kind) or EngineError(f"the address answers with {said(body, kind) or 'nothing'}; {_USUALLY}")


def _around(pattern: re.Pattern[str], text: str) -> str:
    """The line of a text in which a pattern is found, its end where it is long."""
    found = pattern.search(text)
    if found is None:
        return text
    begin = max(text.rfind("\n", 0, found.start()) + 1, found.start() - 80)
    end = text.find("\n", found.end())
    return text[begin : end if end >= 0 else len(text)]
