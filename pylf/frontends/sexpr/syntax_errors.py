"""What to say of the first token of an s-expression that cannot stand where it does.

Each rule below looks at the place and either tells what is wrong there or leaves it to the next; the last one says what
was found. Texts in other languages are named, because what is wrong with them is not their spelling.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import Diagnostic, Span
from pylf.frontends.sexpr.operators import operator_of
from pylf.language.hints import shown
from pylf.language.other_forms import other_form
from pylf.language.places import TYPOGRAPHIC_QUOTES, place_of, unknown_character
from pylf.language.tokens import MAX_DEPTH, MAX_TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pylf.errors import Source
    from pylf.frontends.sexpr.operators import Operator
    from pylf.language.places import Place
    from pylf.language.tokens import Fault, Token

#: An atom whatever touches it: the grammar's terminals without their END.
_ATOM = re.compile(
    r"""(?:(?P<string>"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"|'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*')"""
    r"""|<[^\s<>"]+>|[+-]*\.?[\w:](?:[^\s()"<>^@]*[^\s()"<>^@,;])?)"""
    r"""(?P<note>\^\^(?:<[^\s<>"]+>|[^\s()"<>^]*[^\s()"<>^,;])|@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?"""
)
_DATATYPE = "as in 2008-05-01^^xsd:date"


def explain(fault: Fault, source: Source, tokens: Iterable[Token]) -> Diagnostic:
    """The diagnostic for a fault; ``tokens`` are the text's from its beginning."""
    if fault.reason == "too-deep":
        message = f"brackets nest too deeply here: {MAX_DEPTH} levels are read"
        return Diagnostic("too-deep", message, fault.span, source)
    if fault.reason == "too-large":
        message = f"the s-expression is too long: {MAX_TOKENS:,} words and brackets are read"
        return Diagnostic("too-large", message, fault.span, source)
    place = place_of(fault, source, tokens)
    for rule in _RULES:
        diagnostic = rule(place)
        if diagnostic is not None:
            return diagnostic
    return _after_the_end(place)


# --- rules, from the particular to the general --------------------------------------------------------------------


def _nothing(place: Place) -> Diagnostic | None:
    if place.kind != "$END" or place.before:
        return None
    return place.say("empty", "the text is empty", "the shortest s-expression is a name: film.film")


def _other_language(place: Place) -> Diagnostic | None:
    """A code fence, and other forms, which are told by how they begin."""
    text, start = place.source.text, place.span.start
    if text.startswith("```", start):
        span = Span(start, start + 3)
        return place.say("syntax", "a code fence is not part of an s-expression", "leave out its lines", span=span)
    return other_form(place.source, "sexpr", "an s-expression")


def _broken_atom(place: Place) -> Diagnostic | None:
    """An atom that something touches which is no part of it."""
    if place.kind != "UNKNOWN":
        return None
    text, start = place.source.text, place.span.start
    atom = _ATOM.match(text, start)
    if atom is None or atom.end() >= len(text):
        return None
    end = atom.end()
    sign = text[end]
    whole = Span(start, end)
    here = Span(end, end + 1)
    if sign in ",;":
        hint = f"leave out the {sign!r}: arguments are set apart by blanks"
        return place.say("syntax", f"there is no {sign!r} between the parts of an s-expression", hint, span=here)
    if sign == "^" and atom["note"] is None:
        return _datatype(place, end)
    if sign in "^@" and atom["note"] is not None:
        hint = "a value has a datatype or a language, not both"
        return place.say("syntax", f"something follows {shown(atom['note'])}, which ends its value", hint, span=here)
    if sign == "@" or (atom["note"] or "").startswith("@"):
        hint = 'a language is a tag like en or zh-Hans, as in "Berlin"@de'
        begin = end if atom["note"] is None else atom.start("note")
        tag = re.compile(r"@[^\s()]{0,40}").match(text, begin)
        assert tag is not None
        message = f"{shown(tag[0][1:])} is no language" if len(tag[0]) > 1 else "a language is missing after this '@'"
        return place.say("syntax", message, hint, span=Span(*tag.span()))
    rest = re.match(r"[^\s()]+", text[end : end + 60])
    after = Span(end, end + (len(rest[0]) if rest else 1))
    if atom["string"] is not None:
        quote = atom["string"][0]
        hint = f"where the text goes on, write the quote inside it as \\{quote}"
        what = shown(text[after.start : after.end])
        return place.say("syntax", f"the string ends before {what}", hint, span=after)
    hint = "parts of an s-expression are set apart by blanks"
    return place.say("syntax", f"a blank is missing after {shown(atom[0])}", hint, span=whole)


def _datatype(place: Place, start: int) -> Diagnostic:
    """``^`` and ``^^`` without a datatype."""
    if place.source.text.startswith("^^", start):
        span = Span(start, start + 2)
        return place.say("syntax", "a datatype is missing after this '^^'", _DATATYPE, span=span)
    span = Span(start, start + 1)
    return place.say("syntax", "a datatype stands after '^^', not after '^'", _DATATYPE, span=span)


def _lone_datatype(place: Place) -> Diagnostic | None:
    if place.found != "^":
        return None
    hint = f"it stands right after its value, without a blank, {_DATATYPE}"
    span = Span(place.span.start, place.span.start + 2)
    return place.say("syntax", "there is no value before this '^^'", hint, span=span)


def _open_quote(place: Place) -> Diagnostic | None:
    """Quotes that are not closed, or that are no quotes."""
    if place.kind != "UNKNOWN":
        return None
    quote, start = place.found, place.span.start
    if quote in {'"', "'"}:
        line, _ = place.source.position(start)
        hint = f"end it with {quote} on line {line}; a {quote} inside it is written \\{quote}"
        span = Span(start, start + len(place.rest_of_line))
        return place.say("unclosed-string", "this string does not end on its line", hint, span=span)
    if quote in TYPOGRAPHIC_QUOTES:
        return place.say("syntax", f"{quote} is a typographic quote", 'a text is written in plain quotes: "Berlin"')
    if quote == "<":
        hint = "an IRI ends with '>' and has no blanks inside: <http://…>"
        return place.say("syntax", "this '<' begins no IRI", hint)
    return None


def _sign(place: Place) -> Diagnostic | None:
    """Characters that mean something elsewhere."""
    if place.kind != "UNKNOWN":
        return None
    found = place.found
    if found in ",;":
        hint = f"leave out the {found!r}: arguments are set apart by blanks"
        return place.say("syntax", f"there is no {found!r} between the parts of an s-expression", hint)
    if found in "[]{}":
        hint = "write '('" if found in "[{" else "write ')'"
        return place.say("syntax", "the brackets of an s-expression are round", hint)
    if found in "?$":
        hint = "what it would stand for is written in its place: (JOIN r1 (JOIN r2 X))"
        return place.say("syntax", "there are no variables in an s-expression", hint)
    if found == "/":
        hint = "for /film/film write film.film, for /m/0f8l9c m.0f8l9c"
        return place.say("syntax", "names are written with points", hint)
    if found == "#":
        return place.say("syntax", "there are no comments in an s-expression", "leave it out")
    if found in "-*+•" and not place.before:
        return place.say("syntax", "a list marker is not part of an s-expression", "leave it out")
    return None


def _brackets(place: Place) -> Diagnostic | None:
    """Brackets that do not pair."""
    if place.kind == "RPAR":
        return place.say("syntax", "there is no '(' that this ')' could close", "leave it out")
    if place.kind != "$END" or not place.brackets:
        return None
    count = len(place.brackets)
    open_at_end = f"; {count} are open where the text ends" if count > 1 else ""
    message = f"this '(' is not closed{open_at_end}"
    too_full = _too_full(place.before)
    if too_full is not None:
        opening, operator = too_full
        hint = f"{operator.name} has more arguments than it takes: it may end earlier, as {operator.usage} does"
        return place.say("unclosed-bracket", message, hint, span=opening.span)
    hint = f"close {'them' if count > 1 else 'it'} with {')' * min(count, 20)!r}" + ("…" if count > 20 else "")
    return place.say("unclosed-bracket", message, hint, span=place.brackets[-1].span)


def _too_full(tokens: list[Token]) -> tuple[Token, Operator] | None:
    """The first bracket that holds more than its operator takes: most likely it is closed too late."""
    found: list[tuple[Token, Operator]] = []
    forms: list[tuple[Token, list[Token]]] = []
    for token in tokens:
        if token.kind == "RPAR":
            forms.pop()
            continue
        if forms:
            opening, items = forms[-1]
            items.append(token)
            operator = operator_of(items[0].text) if items[0].kind == "WORD" else None
            if operator is not None and operator.most is not None and len(items) == operator.most + 2:
                found.append((opening, operator))
        if token.kind == "LPAR":
            forms.append((token, []))
    return min(found, key=lambda one: one[0].start, default=None)


def _bare_operator(place: Place) -> Diagnostic | None:
    """``JOIN r X`` without brackets."""
    first = place.before[0] if place.before else None
    operator = operator_of(first.text) if first is not None and first.kind == "WORD" else None
    if first is None or operator is None:
        return None
    hint = f"the form is {operator.usage}"
    return place.say("syntax", f"'(' is missing before {first.text}", hint, span=first.span)


def _prose(place: Place) -> Diagnostic | None:
    """Words around the s-expression."""
    if [token.kind for token in place.before] != ["WORD"]:
        return None
    span = place.before[0].span.cover(place.span)
    hint = "an s-expression is a form in brackets, or one name"
    return place.say("syntax", "this is no s-expression", hint, span=span)


def _after_the_end(place: Place) -> Diagnostic:
    if place.kind == "LPAR":
        hint = "for what is in both sets, write (AND X Y)"
        return place.say("after-end", "a second s-expression begins here", hint)
    hint = "leave it out"
    if place.previous == "RPAR" and ")" in place.source.text[place.span.end :]:
        line, column = place.source.position(place.before[-1].start)
        hint = f"the ')' of line {line}, column {column} closes the first '('"
    return place.say("after-end", "this stands after the end of the s-expression", hint)


_RULES: tuple[Callable[[Place], Diagnostic | None], ...] = (
    _nothing,
    _other_language,
    _broken_atom,
    _lone_datatype,
    _open_quote,
    _sign,
    unknown_character,
    _brackets,
    _bare_operator,
    _prose,
)
