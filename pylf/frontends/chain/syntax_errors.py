"""What to say of the first word or sign of a chain that cannot stand where it does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import Diagnostic, Span
from pylf.frontends.chain.words import KINDS, RESERVED
from pylf.language.hints import shown
from pylf.language.other_forms import other_form
from pylf.language.places import TYPOGRAPHIC_QUOTES, Place, unknown_character
from pylf.language.tokens import MAX_TOKENS

if TYPE_CHECKING:
    from pylf.errors import Source
    from pylf.frontends.chain.words import Token

_VARIABLE = re.compile(r"[?$]\w+")

#: By what was expected: what is missing, and how it is written.
_EXPECTED = {
    "source": ("a source is missing here", "a chain begins with a name, a value or '?': m.0178g -> r"),
    "relation": ("a relation is missing here", "after an arrow stands a relation: -> r, or -> ~r, which turns it"),
    "further": (
        "what this constraint ends in is missing",
        "a constraint ends in a name, a value or a comparison: [-> r -> X], [-> r < 5]",
    ),
    "constraint": ("nothing stands in these brackets", "as in X [-> r -> Y], X [Y] and X [count]"),
    "inner-constraint": (
        "a constraint chain has no constraints of its own",
        "what it ends in may have them, as a chain in brackets: [-> r -> (X -> ~s [Y])]",
    ),
    "lone-end": (
        "a relation is missing in this constraint",
        "a constraint has a relation and an end, [-> r -> X]; what is in a set, too, is [X]",
    ),
    "plain-arrow": (
        "this arrow leads to the end of the constraint, and is plain",
        "relations are turned and negated, names and values are not: [-> ~r -> X], [-> not r -> X]",
    ),
    "end": ("what this constraint ends in is missing", "as in [-> r -> X]; sets stand in brackets: [-> r -> (X | Y)]"),
    "value": ("a value is missing here", "as in [-> r < 5]; a text stands in quotes"),
    "none": ("'none' is missing after 'or'", "as in [-> r <= 1996 or none]"),
    "order": ("what to order by is missing", "as in [largest -> r], [smallest 3 -> r -> s] or [largest count -> r]"),
    "negation": (
        "what is not is a relation, or an exception",
        "as in [-> not r -> X], which asks for what could have r; all others are [except X]",
    ),
}  # fmt: skip


def explain(source: Source, tokens: list[Token], at: int, expected: str) -> Diagnostic:
    """The diagnostic for the token at a place; ``expected`` is a key of the table above, a closing bracket's kind, or
    ``after`` at the end of the chain."""
    token = tokens[at]
    if token.kind == "TOO_MANY":
        message = f"the chain is too long: {MAX_TOKENS:,} words and signs are read"
        return Diagnostic("too-large", message, token.span, source)
    for found in (
        _other_form(source, tokens, at),
        _empty(source, token, at),
        _character(source, token),
        _reserved(source, tokens, at, expected),
    ):
        if found is not None:
            return found
    if expected in _EXPECTED:
        message, hint = _EXPECTED[expected]
        return Diagnostic("syntax", message, token.span, source, (hint,))
    if expected in ("RPAR", "RSQB") and token.kind == "END":
        return _unclosed(source, tokens)
    return _misplaced(source, tokens, at)


def _empty(source: Source, token: Token, at: int) -> Diagnostic | None:
    if at or token.kind != "END":
        return None
    return Diagnostic("empty", "the text is empty", token.span, source, ("the shortest chain is a name: m.0178g",))


def _other_form(source: Source, tokens: list[Token], at: int) -> Diagnostic | None:
    """A code fence, and other forms, which are told by how they begin."""
    start = tokens[0].span.start
    if at > 4:
        return None
    if source.text.startswith("```", start):
        message = "a code fence is not part of a chain"
        return Diagnostic("syntax", message, Span(start, start + 3), source, ("leave out its lines",))
    return other_form(source, "chain", "a chain")


def _character(source: Source, token: Token) -> Diagnostic | None:
    """A character that begins nothing."""
    if token.kind != "UNKNOWN":
        return None
    found, span = token.text, token.span
    place = Place(source, "UNKNOWN", span, frozenset(), [], [])
    if found in {'"', "'"}:
        line, _ = source.position(span.start)
        hint = f"end it with {found} on line {line}; a {found} inside it is written \\{found}"
        whole = Span(span.start, span.start + len(place.rest_of_line))
        return place.say("unclosed-string", "this string does not end on its line", hint, span=whole)
    if found in TYPOGRAPHIC_QUOTES:
        return place.say("syntax", f"{found} is a typographic quote", "a text is written in plain quotes: 'Berlin'")
    variable = _VARIABLE.match(source.text, span.start)
    if variable is not None:
        hint = "the positions of a chain have no names: X -> r -> s"
        return place.say("syntax", "there are no variables in a chain", hint, span=Span(*variable.span()))
    if found == ",":
        return place.say("syntax", "there is no ',' between the steps of a chain", "write an arrow: X -> r -> s")
    if found == "/":
        return place.say("syntax", "names are written with points", "for /film/film write film.film, or quote the name")
    if found == "&":
        return place.say("syntax", "there is no '&' between constraints", "each stands in brackets: X [Y] [Z]")
    return unknown_character(place)


def _reserved(source: Source, tokens: list[Token], at: int, expected: str) -> Diagnostic | None:
    """A word of chains where a name is expected."""
    token = tokens[at]
    if expected not in ("source", "relation", "end", "value", "lone-end") or token.kind != "WORD":
        return None
    if token.text not in RESERVED:
        return None
    word = token.text.lower()
    hints = [f"where it is a name, write it in quotes: '{token.text}'"]
    if word == "count":
        hints.append("how many there are is asked in brackets: X -> r [count]")
    if word in KINDS and at + 1 < len(tokens):
        hints.append(f"it stands before a name: {word} 'Boeing'")
    message = f"{shown(token.text)} is a word of chains, and no name"
    return Diagnostic("wrong-argument", message, token.span, source, tuple(hints))


def _unclosed(source: Source, tokens: list[Token]) -> Diagnostic:
    brackets: list[Token] = []
    for token in tokens:
        if token.kind in ("LPAR", "LSQB"):
            brackets.append(token)
        elif token.kind in ("RPAR", "RSQB") and brackets:
            brackets.pop()
    last = brackets[-1]
    hint = f"close it with {')' if last.kind == 'LPAR' else ']'!r}"
    return Diagnostic("unclosed-bracket", f"this {last.text!r} is not closed", last.span, source, (hint,))


def _misplaced(source: Source, tokens: list[Token], at: int) -> Diagnostic:
    """Something where a chain, or what stands in brackets, should go on or end."""
    token = tokens[at]
    hint = "a chain goes on with an arrow and a relation, or with a constraint in brackets: X -> r [Y] -> s"
    match token.kind:
        case "RPAR" | "RSQB":
            opening = "(" if token.kind == "RPAR" else "["
            message = f"there is no {opening!r} that this {token.text!r} could close"
            return Diagnostic("syntax", message, token.span, source, ("leave it out",))
        case "COMPARISON":
            message = "a comparison stands in a constraint, after a relation"
            return Diagnostic("syntax", message, token.span, source, ("as in X [-> r < 5]",))
        case "BAR":
            message = "'|' stands between sets, and not after a relation or a value of a constraint"
            return Diagnostic("syntax", message, token.span, source, ("put them in brackets: [-> r -> (X | Y)]",))
        case "WORD" | "STRING" | "IRI" | "VALUE":
            previous = tokens[at - 1].kind if at else ""
            if token.text not in RESERVED and previous in ("WORD", "VALUE"):
                hint = (
                    "a name of several words stands in quotes, and before a relation stands an arrow: 'New York' -> r"
                )
            message = f"{shown(token.text)} follows without an arrow"
            return Diagnostic("syntax", message, token.span, source, (hint,))
    return Diagnostic("syntax", f"{token.text!r} cannot stand here", token.span, source, (hint,))
