"""What to say of a token of SPARQL that cannot stand where it does.

Each rule looks at the token and at what is expected there, and either tells what is wrong or leaves it to the next; the
last one says what was found. Texts in other languages are named, because what is wrong with them is not their spelling.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import Diagnostic, Span
from pylf.frontends.sparql.functions import AGGREGATES, FUNCTIONS
from pylf.language.hints import nearest, shown
from pylf.language.other_forms import other_form
from pylf.language.places import TYPOGRAPHIC_QUOTES, Place, unknown_character

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.frontends.sparql.scanner import Scanner

_CLOSING = {")": "(", "]": "[", "}": "{"}
_CLOSED_BY = {opening: closing for closing, opening in _CLOSING.items()}
_PATTERNS = ("FILTER", "OPTIONAL", "MINUS", "UNION", "BIND", "VALUES", "GRAPH", "SERVICE", "SELECT", "EXISTS", "NOT")
_MODIFIERS = ("GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET")
_QUERIES = ("SELECT", "ASK", "PREFIX", "BASE")
_TRIPLE = "a triple is a subject, a relation and an object; between two objects of a relation stands ','"
_NAMES = "a name has a prefix, as wdt:P31 has, or stands in full in < >; a variable begins with '?'"


def explain(at: Scanner, expected: str, hints: tuple[str, ...] = ()) -> Diagnostic:
    """The diagnostic on the next token, where ``expected`` (in words) should be; ``hints`` are those of the place."""
    for rule in _RULES:
        diagnostic = rule(at, expected)
        if diagnostic is not None:
            return diagnostic
    found = "the text ends" if at.kind == "END" else f"not {shown(at.found)}"
    message = f"{expected} is expected here, {'but ' if at.kind == 'END' else ''}{found}"
    return _say(at, "syntax", message, *(hints or _hints(at, expected)))


def _say(at: Scanner, code: str, message: str, *hints: str, span: Span | None = None) -> Diagnostic:
    return Diagnostic(code, message, span or at.span, at.source, hints)


def _hints(at: Scanner, expected: str) -> tuple[str, ...]:
    """What may mend a word or a sign that is not what is expected."""
    if at.kind == "WORD":
        return _word_hints(at, expected)
    if at.kind in {"<", "<="}:
        return ("an IRI ends with '>' and has no blanks inside: <http://…>",)
    if at.kind == "?":
        return ("a variable's name follows its '?' without a blank",)
    if at.kind == "BLANK" and "value" in expected:
        return ("a blank node stands in triples only; write a variable",)
    if expected.startswith("a relation") and at.kind == "STRING":
        return (_NAMES,)
    return (_TRIPLE,) if expected.startswith(("a relation", "an object")) else ()


def _word_hints(at: Scanner, expected: str) -> tuple[str, ...]:
    word = at.word
    if "pattern" in expected:
        if word in _MODIFIERS:
            return (f"{word} stands after the '}}' that closes the pattern",)
        if word == "OPTION":
            return ("this is Virtuoso's; for one step or more write p+, for none or more p*",)
        return nearest(word, _PATTERNS) or (_NAMES,)
    if expected.startswith("SELECT or"):
        return nearest(word, _QUERIES) or ("a short query is: ASK { ?x ?relation ?y }",)
    if expected.startswith("GROUP BY,"):
        return nearest(word, (*_MODIFIERS, "VALUES"))
    if expected.startswith(("a relation", "an object")):
        return (_NAMES,)
    if word in {*_PATTERNS, *_MODIFIERS, *_QUERIES, "AS"} or not ("variable" in expected or "value" in expected):
        return ()
    functions = [name.upper() for name in (*FUNCTIONS, *AGGREGATES)] if "function" in expected else []
    return nearest(word, functions) or (f"a variable begins with '?', as ?{at.found} does; a text stands in quotes",)


# --- rules, from the particular to the general --------------------------------------------------------------------


def _nothing(at: Scanner, _: str) -> Diagnostic | None:
    if at.kind != "END" or at.begun:
        return None
    return _say(at, "empty", "the text is empty", "a short query is: ASK { ?x ?relation ?y }")


def _other_language(at: Scanner, _: str) -> Diagnostic | None:
    """A code fence, another form, Cypher: where the text begins."""
    text, start = at.text, at.start
    if text.startswith("```", start):
        hint = "leave out its lines"
        return _say(at, "syntax", "a code fence is not part of a query", hint, span=Span(start, start + 3))
    if at.begun:
        return None
    another = other_form(at.source, "sparql", "SPARQL")
    if another is not None:
        return another
    if at.word == "MATCH":
        return _say(at, "syntax", "this is Cypher, not SPARQL", "SPARQL's queries begin with SELECT or ASK")
    if at.kind == "{":
        return _say(at, "syntax", "SELECT or ASK is missing before this '{'", "write SELECT * or ASK before it")
    return None


def _quotes(at: Scanner, _: str) -> Diagnostic | None:
    """Quotes that are not closed, or that are no quotes."""
    if at.kind != "UNKNOWN":
        return None
    text, start = at.text, at.start
    quote = at.found
    if quote in {'"', "'"}:
        if text.startswith(quote * 3, start):
            hint = f"end it with {quote * 3}"
            return _say(at, "unclosed-string", "this string does not end", hint, span=Span(start, start + 3))
        line, _column = at.source.position(start)
        rest = re.compile(r"[^\r\n]*").match(text, start)
        assert rest is not None
        hint = f"end it with {quote} on line {line}; a {quote} inside it is written \\{quote}"
        return _say(at, "unclosed-string", "this string does not end on its line", hint, span=Span(*rest.span()))
    if quote in TYPOGRAPHIC_QUOTES:
        return _say(at, "syntax", f"{quote} is a typographic quote", 'a text is written in plain quotes: "Berlin"')
    return None


def _sign(at: Scanner, _: str) -> Diagnostic | None:
    """Characters that begin nothing."""
    if at.kind != "UNKNOWN":
        return None
    if at.found == "@":
        return _say(at, "syntax", "a language is missing after this '@'", 'it is a tag like en or zh-Hans: "Berlin"@de')
    if at.found == "&":
        return _say(at, "syntax", "one '&' is no operator", "write &&")
    if at.found == "$":
        return _say(at, "syntax", "a variable's name is missing after this '$'", "it follows without a blank")
    if at.found == "_":
        hint = "a prefix begins with a letter, and a blank node's label stands after '_:'"
        return _say(at, "syntax", "nothing begins with this '_'", hint)
    return unknown_character(Place(at.source, at.kind, at.span, frozenset(), [], []))


def _brackets(at: Scanner, expected: str) -> Diagnostic | None:
    """Brackets that do not pair."""
    if at.kind == "END" and at.brackets:
        sign, start = at.brackets[-1]
        count = len(at.brackets)
        open_at_end = f"; {count} are open where the text ends" if count > 1 else ""
        missing = "".join([_CLOSED_BY[one] for one, _ in reversed(at.brackets[-20:])])
        hint = f"close {'them' if count > 1 else 'it'} with {missing!r}" + ("…" if count > 20 else "")
        hints = (
            (hint,)
            if "'" + _CLOSED_BY[sign] + "'" in expected
            else (f"the text ends where {expected} is expected", hint)
        )
        message = f"this {sign!r} is not closed{open_at_end}"
        return _say(at, "unclosed-bracket", message, *hints, span=Span(start, start + 1))
    opening = _CLOSING.get(at.kind)
    if opening is None:
        return None
    if not at.brackets:
        message = f"there is no {opening!r} that this {at.kind!r} could close"
        return _say(at, "syntax", message, "leave it out")
    sign, start = at.brackets[-1]
    if sign == opening:
        return None
    line, column = at.source.position(start)
    message = f"this {at.kind!r} cannot close the {sign!r} of line {line}, column {column}"
    return _say(at, "syntax", message, f"close that with {_CLOSED_BY[sign]!r} first")


_RULES: tuple[Callable[[Scanner, str], Diagnostic | None], ...] = (
    _nothing,
    _other_language,
    _quotes,
    _sign,
    _brackets,
)
