"""SPARQL that a model wrote: read before it goes anywhere, and refused unless it only asks.

Two readers look at a text. :mod:`pylf.backends.http.guard` reads its tokens, and refuses whatever is not one SELECT,
ASK or CONSTRUCT (an update, a DESCRIBE, a second request, a SERVICE, a server's own functions, a file as a graph); it
takes words in strings, comments and names for what they are. rdflib's parser then reads it by the whole grammar of
SPARQL 1.1, and the tree is looked at for a SERVICE once more.

rdflib's grammar goes down a level for each triple, so it reads no more than some eighty in a row. Python's limit is not
raised for it: that is one for all threads, of which another may be in code that needs the limit. A copy of the grammar
has the triples side by side instead, and reads on a thread of its own, so that what is too deep does not depend on how
deep the caller is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from pylf.backends.engines.waiting import waited_for
from pylf.backends.http import guard
from pylf.errors import CompileError, Diagnostic, EngineRefused, Source, Span, printable
from pylf.models.replies.taking import NotTaken, Taken, take
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.models.chat.protocol import Reply

#: characters of a query, and brackets within brackets; beyond, a parser takes too long or too much
LONGEST = 50_000
DEPTH = 40
_NAME = "<reply>"
_TAGS = ("sparql", "sparql11", "sparql-query", "rq")

_BEGINNING = re.compile(r"\b(?:PREFIX|BASE|SELECT|ASK|CONSTRUCT)\b", re.IGNORECASE)
_PROLOGUE = frozenset({"PREFIX", "BASE"})
_SIGNS = re.compile(r"""[{}]|<[^<>\s"{}|^`\\]*>|(?<!\\)(?:'(?:[^'\\\r\n]|\\.)*+'|"(?:[^"\\\r\n]|\\.)*+")|\#[^\r\n]*""")
_NESTING = re.compile(
    r"""(?P<sign>[()\[\]{}])|<[^<>\s"{}|^`\\]*>|(?<!\\)(?:'(?:[^'\\\r\n]|\\.)*+'|"(?:[^"\\\r\n]|\\.)*+")"""
)
#: what may follow the last brace
_MODIFIERS = re.compile(
    r"(?:\s*(?:LIMIT\s+\d+|OFFSET\s+\d+|(?:GROUP|ORDER)\s+BY(?:[ \t]+(?:(?:ASC|DESC)\s*)?(?:\([^()\r\n]*\)|[?$]\w+))+"
    r"|HAVING\s*\([^\r\n]*\)))*",
    re.IGNORECASE,
)
#: what goes on after a brace: the pattern of a CONSTRUCT; and what makes all of it no question: a second request
_GOES_ON = re.compile(r"\s*(?:FROM\s+(?:NAMED\s+)?\S+\s*)*(?:WHERE\s*)?\{", re.IGNORECASE)
_ANOTHER = re.compile(r"\s*;")
#: beginnings in prose that are looked at
_MOST = 32


@record
class AskedSparql:
    """A query that only asks, as the model wrote it. ``kind``: ``SELECT``, ``ASK`` or ``CONSTRUCT``."""

    text: str
    kind: str


def read_sparql(text: str) -> AskedSparql:
    """A query that may be sent to a graph.

    Raises:
        CompileError: ``refused-sparql``: it is no SELECT, ASK or CONSTRUCT, has a SERVICE, or goes beyond a limit;
            ``syntax``: it is not SPARQL 1.1, with the place.
    """
    text = text.strip().removeprefix("\ufeff").replace("\r\n", "\n")
    source = Source(text, _NAME)
    if len(text) > LONGEST:
        raise _refused(source, f"the query has {len(text):,} characters; {LONGEST:,} are the most that is read")
    _check_depth(source)
    try:
        kind = guard.check(text)
    except EngineRefused as problem:
        raise _refused(source, str(problem)) from None
    _parse(source)
    return AskedSparql(text, kind)


def sparql_in(reply: Reply | str | None) -> Taken[AskedSparql] | NotTaken:
    """The first query in a reply that only asks: in a block tagged ``sparql``, in another, in prose."""
    return take(reply, read_sparql, tags=_TAGS, find=queries)


def queries(text: str) -> Iterator[str]:
    """What in prose looks like a query: from its first word to the brace that closes it, and what may follow that."""
    at = 0
    for _ in range(_MOST):
        beginning = _BEGINNING.search(text, at)
        if beginning is None:
            return
        end = _end(text, beginning.end())
        if end is None:
            at = beginning.end()
            continue
        modifiers = _MODIFIERS.match(text, end)
        stop = end if modifiers is None else modifiers.end()
        if not _ANOTHER.match(text, stop):
            yield text[beginning.start() : stop]
        # a word of the prose may have been taken for the first one of the query
        at = stop if beginning[0].upper() in _PROLOGUE else beginning.end()


def _end(text: str, start: int) -> int | None:
    depth = 0
    for sign in _SIGNS.finditer(text, start, start + LONGEST):
        if sign[0] == "{":
            depth += 1
        elif sign[0] == "}":
            depth -= 1
            if depth < 0:
                return None
            if depth == 0 and not _GOES_ON.match(text, sign.end()):
                return sign.end()
    return None


def _check_depth(source: Source) -> None:
    depth = 0
    for sign in _NESTING.finditer(source.text):
        if sign["sign"] is not None:
            depth += 1 if sign["sign"] in "([{" else -1
            if depth > DEPTH:
                raise _refused(source, f"the query nests brackets more than {DEPTH} deep", Span(*sign.span()))


def _parse(source: Source) -> None:
    from pyparsing import ParseBaseException

    grammar = _grammar()

    def tree() -> object:
        try:
            return grammar.parseQuery(source.text)
        except ParseBaseException as problem:
            place = min(problem.loc, len(source.text))
            found = printable(source.text[place : place + 20]) or "the end"
            message = f"no SPARQL 1.1: {found!r} cannot stand here"
            raise CompileError([Diagnostic("syntax", message, Span(place, place + 1), source)]) from None
        except RecursionError:
            told = "groups, brackets and calls of the query nest deeper than its parser goes"
            raise _refused(source, told) from None
        except Exception as problem:  # of any kind: what its actions trip over, as an escape of no character
            raise _refused(source, f"the parser fails on the query ({type(problem).__name__}: {problem})") from problem

    if _has_service(waited_for(tree, None)):
        raise _refused(source, "SERVICE would make the endpoint ask another one")


@cache
def _grammar() -> Any:
    """A module of rdflib's grammar for us alone, in which triples that follow each other are no deeper for it."""
    from importlib import util

    found = util.find_spec("rdflib.plugins.sparql.parser")
    assert found is not None
    assert found.loader is not None
    copy: Any = util.module_from_spec(found)
    found.loader.exec_module(copy)
    _flatten(copy.TriplesBlock, "triples", copy.TriplesSameSubjectPath)
    _flatten(copy.ConstructTriples, "template", copy.TriplesSameSubject)
    return copy


def _flatten(block: Any, name: str, triples: Any) -> None:
    """Make a rule that holds itself (triples, and after a dot the same again) one that repeats."""
    from pyparsing import Opt, Suppress, ZeroOrMore
    from rdflib.plugins.sparql.parserutils import ParamList

    one = ParamList(name, triples)
    flat = one + ZeroOrMore(Suppress(".") + one) + Opt(Suppress("."))
    for comment in block.ignoreExprs:
        flat.ignore(comment)
    block <<= flat


def _has_service(tree: object) -> bool:
    """Whether a node of rdflib's tree is a SERVICE; looked at without going down in calls."""
    from pyparsing import ParseResults

    left: list[object] = [tree]
    while left:
        node = left.pop()
        if getattr(node, "name", None) == "ServiceGraphPattern":
            return True
        if isinstance(node, dict):
            left += node.values()
        elif isinstance(node, list | tuple | ParseResults):
            left += list(node)
    return False


def _refused(source: Source, message: str, span: Span | None = None) -> CompileError:
    return CompileError([Diagnostic("refused-sparql", message, span, source)])
