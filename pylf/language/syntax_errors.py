"""What to say of the first token that cannot stand where it does.

Each rule below looks at the place and either tells what is wrong there or leaves it to the next; the last one can
always say what was expected. Constructs of Python's are named, because whoever wrote one should learn that it is not
the spelling that is at fault: nothing in a program is run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import Diagnostic, Span
from pylf.language.functions import FUNCTIONS, KEYWORDS
from pylf.language.hints import CONSTRUCTS, REMEDIES, listed, shown
from pylf.language.places import CLOSING, TYPOGRAPHIC_QUOTES, place_of, unknown_character
from pylf.language.tokens import MAX_DEPTH, MAX_TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pylf.errors import Source
    from pylf.language.places import Place
    from pylf.language.tokens import Fault, Token

_VALUE_ENDS = {"NAME", "STRING", "NUMBER", "RPAR", "RSQB", "RBRACE"}
_VALUE_BEGINS = {"NAME", "STRING", "NUMBER", "LSQB", "LBRACE"}

#: How terminals are called in messages; the others are shown as they are spelled.
_SPOKEN = {
    "NAME": "a name",
    "STRING": "a string",
    "NUMBER": "a number",
    "NEWLINE": "the end of the line",
    "$END": "the end of the program",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "COMMA": "','",
    "COLON": "':'",
    "EQUAL": "'='",
    "SEMICOLON": "';'",
}
_OPERATOR = re.compile(r"\*\*|//|<<|>>|->|[-+*/%@&|^~]")
_COMPARISON = re.compile(r"==|!=|<=|>=|<>|[<>≤≥≠]")
_ATTRIBUTE = re.compile(r"\.\s*([^\W\d]\w*)?")
_DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?(?![0-9])")
_STATEMENT_FORM = "a statement is written name = FUNCTION(…), and a comment begins with '#'"


def explain(fault: Fault, source: Source, tokens: Iterable[Token]) -> Diagnostic:
    """The diagnostic for a fault; ``tokens`` are the text's from its beginning."""
    if fault.reason == "too-deep":
        message = f"brackets nest too deeply here: {MAX_DEPTH} levels are read"
        hint = "give inner parts names of their own: part = JOIN('relation', X)"
        return Diagnostic("too-deep", message, fault.span, source, (hint,))
    if fault.reason == "too-large":
        message = f"the program is too long: {MAX_TOKENS:,} words and signs are read"
        return Diagnostic("too-large", message, fault.span, source)
    place = place_of(fault, source, tokens)
    for rule in _RULES:
        diagnostic = rule(place)
        if diagnostic is not None:
            return diagnostic
    return _unexpected(place)


# --- rules, from the particular to the general --------------------------------------------------------------------


def _foreign_quotes(place: Place) -> Diagnostic | None:
    start = place.span.start
    if place.source.text.startswith("```", start):
        hint = "leave out the lines of the fence"
        return place.say("syntax", "a code fence is not part of a program", hint, span=Span(start, start + 3))
    if place.kind == "UNKNOWN" and place.found in TYPOGRAPHIC_QUOTES:
        hint = "strings are written in plain quotes: 'name'"
        return place.say("syntax", f"{place.found} is a typographic quote", hint)
    return None


def _open_string(place: Place) -> Diagnostic | None:
    """A quote that begins no string, triple quotes, and strings with a prefix."""
    if place.kind not in {"UNKNOWN", "STRING"} or place.found[0] not in "'\"":
        return None
    quote = place.found[0]
    if place.touches and place.previous == "STRING" and place.before[-1].text == quote * 2:
        span = Span(place.before[-1].span.start, place.span.start + 1)
        return place.refuse("a triple-quoted string", "a string stands on one line, in single quotes", span=span)
    if place.touches and place.previous == "NAME":
        prefix = place.before[-1].text
        kind = "an f-string" if prefix.lower() in {"f", "rf", "fr"} else f"a string with the prefix {prefix[:3]!r}"
        if prefix.lower() in {"f", "r", "b", "u", "rf", "fr", "rb", "br"}:
            return place.refuse(kind, "a string begins with its quote", span=place.before[-1].span.cover(place.span))
    if place.kind == "STRING":
        return None
    line, _ = place.source.position(place.span.start)
    end = place.span.start + len(place.rest_of_line)
    hint = f"end it with {quote} on line {line}; a {quote} inside it is written \\{quote}"
    return place.say("unclosed-string", "this string does not end on its line", hint, span=Span(place.span.start, end))


def _apostrophe(place: Place) -> Diagnostic | None:
    if place.touches and place.previous == "STRING" and place.kind in {"NAME", "NUMBER"}:
        quote = place.before[-1].text[0]
        other = '"' if quote == "'" else "'"
        hint = f"where the text goes on, write the quote inside it as \\{quote}, or put {other} around the text"
        return place.say("syntax", f"the string ends before {shown(place.found)}", hint)
    return None


def _prose(place: Place) -> Diagnostic | None:
    """A line of words around the program."""
    if [token.kind for token in place.before] != ["NAME"]:
        return None
    word = place.before[0].text
    quote = place.kind == "UNKNOWN" and place.found in {"'", '"'}
    if not (quote or place.kind in {"NAME", "NUMBER", "STRING", "COMMA", "COLON"}):
        return None
    if word in CONSTRUCTS or word in FUNCTIONS or "=" in place.rest_of_line:
        return None
    span = place.before[0].span.cover(place.span)
    return place.say("syntax", "this line is not a statement", _STATEMENT_FORM, span=span)


def _number(place: Place) -> Diagnostic | None:
    """What is written right after a number as if it belonged to it; dates; list markers."""
    if place.previous != "NUMBER":
        return None
    number = place.before[-1]
    span = number.span.cover(place.span)
    if len(place.before) == 1 and not place.brackets and (number.text[-1] == "." or place.kind == "RPAR"):
        return place.say("syntax", "a list marker is not part of a program", "leave it out", span=number.span)
    if not place.touches:
        return None
    if date := _DATE.match(place.source.text, number.span.start):
        span = Span(number.span.start, date.end())
        return place.say("syntax", "a date is a string", f"put it in quotes: '{date[0]}'", span=span)
    if place.kind == "NAME" and place.found[0] == "_":
        return place.say("bad-number", "a number has no underscores", "write its digits alone", span=span)
    if place.kind == "NAME":
        hint = "a number has digits, a sign, a point and an exponent, as -2.5e+3 does; all else is a string"
        return place.say("bad-number", f"{shown(place.found)} does not belong to a number", hint, span=span)
    if place.kind == "NUMBER" and place.found[0] == ".":
        return place.say("bad-number", "a number has one point", "anything else is a string", span=span)
    return None


def _sum(place: Place) -> Diagnostic | None:
    """``x -1``, which the lexer reads as a value and a number with a sign."""
    if place.kind == "NUMBER" and place.found[0] in "+-" and place.previous in _VALUE_ENDS:
        start = place.span.start
        return place.refuse(f"arithmetic ({place.found[0]!r})", "write the result", span=Span(start, start + 1))
    return None


def _construct(place: Place) -> Diagnostic | None:
    """A reserved word of Python's: the one that the statement begins with, the one found, or one just before it."""
    words = [(token.text, token.span) for token in place.before[:1] + place.before[-20:] if token.kind == "NAME"]
    if place.kind == "NAME":
        words.append((place.found, place.span))
    reserved = [(word, span) for word, span in words if word in CONSTRUCTS]
    if not reserved:
        return None
    word, span = reserved[0] if reserved[0] == words[0] else reserved[-1]
    name = CONSTRUCTS[word]
    if place.brackets or any(token.kind == "EQUAL" for token in place.before):
        name = {"for": "a comprehension", "if": "a conditional expression"}.get(word, name)
    return place.refuse(name, *((REMEDIES[word],) if word in REMEDIES else ()), span=span)


def _attribute(place: Place) -> Diagnostic | None:
    if place.found != ".":
        return None
    match = _ATTRIBUTE.match(place.source.text, place.span.start)
    if match and match[1] and place.previous in _VALUE_ENDS:
        span = Span(place.span.start, match.end())
        hint = "names with points are strings: JOIN('spaceflight.rocket.mass', X)"
        return place.refuse(f"attribute access ({shown('.' + match[1])})", hint, span=span)
    if place.source.text.startswith("...", place.span.start):
        return place.say("syntax", "'...' stands for nothing here", "write out what is left out")
    return None


def _operators(place: Place) -> Diagnostic | None:
    """Arithmetic, comparisons, unpacking, decorators, and assignments other than ``=``."""
    text, start = place.source.text, place.span.start
    cmp = "a value is compared with CMP('<', 'relation', 5)"
    if place.kind == "EQUAL" and place.touches and place.previous == "EQUAL":
        return place.refuse("a comparison ('==')", cmp, span=Span(start - 1, start + 1))
    if place.kind == "COLON" and text.startswith(":=", start):
        span = Span(start, start + 2)
        return place.refuse("an assignment inside an expression (':=')", "assign on a line of its own", span=span)
    if place.kind != "UNKNOWN":
        return None
    if comparison := _COMPARISON.match(text, start):
        span = Span(start, comparison.end())
        if re.match(r"<[A-Za-z]+:", place.rest_of_line):
            return place.say("syntax", "an IRI is a string", "put it in quotes, angle brackets included: '<http://…>'")
        return place.refuse(f"a comparison ({comparison[0]!r})", cmp, span=span)
    operator = _OPERATOR.match(text, start)
    if operator is None:
        return None
    sign, span = operator[0], Span(start, operator.end())
    if text.startswith("=", operator.end()):
        span = Span(start, operator.end() + 1)
        return place.refuse(f"an assignment with '{sign}='", "assign with '='", span=span)
    if not place.before and sign == "@":
        return place.refuse("a decorator", span=span)
    if not place.before:
        if sign in {"-", "*", "+"}:
            return place.say("syntax", "a list marker is not part of a program", "leave it out")
        return None
    if sign in {"*", "**"} and place.previous in {"LPAR", "COMMA", "LSQB", "LBRACE"}:
        return place.refuse(f"unpacking ({sign!r})", span=span)
    if sign in {"&", "|", "^", "~"}:
        hint = "sets are combined with AND(X, Y), OR(X, Y) and MINUS(X, Y)"
        return place.refuse(f"the operator {sign!r}", hint, span=span)
    if sign in {"+", "-"} and place.previous not in _VALUE_ENDS:
        hint = f"a sign stands right before the digits of a number, as in {sign}5"
        return place.say("bad-number", f"the sign {sign!r} belongs to no number", hint, span=span)
    return place.refuse(f"arithmetic ({sign!r})", "write the result", span=span)


def _brackets(place: Place) -> Diagnostic | None:
    """Brackets that do not pair."""
    closes = CLOSING.get(place.kind)
    if closes is not None and not place.brackets:
        return place.say("syntax", f"there is no '{closes}' that this {place.found!r} could close", "leave it out")
    if closes is not None and place.brackets[-1].text != closes:
        opened = place.brackets[-1]
        line, column = place.source.position(opened.span.start)
        hint = f"the '{opened.text}' of line {line}, column {column} is still open"
        return place.say("syntax", f"this {place.found!r} does not close the '{opened.text}' before it", hint)
    if place.brackets and (place.kind == "$END" or _begins_statement(place)):
        opened = place.brackets[-1]
        closing = {"(": ")", "[": "]", "{": "}"}[opened.text]
        message, hint = f"this '{opened.text}' is not closed", f"close it with '{closing}'"
        return place.say("unclosed-bracket", message, hint, span=opened.span)
    return None


def _begins_statement(place: Place) -> bool:
    """Whether ``name =`` stands at the beginning of a line, and is no argument of PyLF's."""
    text, span = place.source.text, place.span
    if place.kind == "EQUAL" and place.previous == "NAME":
        span = place.before[-1].span
    elif place.kind != "NAME" or not _is_assigned(place):
        return False
    alone = not re.split(r"[\r\n]", text[max(0, span.start - 200) : span.start])[-1].strip()
    return alone and text[span.start : span.end] not in KEYWORDS


def _is_assigned(place: Place) -> bool:
    return re.match(r"[ \t]*=(?!=)", place.source.text[place.span.end : place.span.end + 50]) is not None


def _pythonic(place: Place) -> Diagnostic | None:
    """Indexing, calls of what is not a name, tuples, sets, annotations, chained and odd assignments."""
    within = place.brackets[-1].kind if place.brackets else ""
    if place.kind == "LSQB" and place.previous in _VALUE_ENDS:
        return place.refuse("indexing ('[…]')")
    if place.kind == "LPAR" and place.previous in _VALUE_ENDS - {"NAME"}:
        return place.refuse("a call of what is not a function's name")
    if place.kind in {"COMMA", "RBRACE"} and within == "LBRACE" and "COLON" in place.expected:
        return place.refuse("a set ('{…}')", "question_info is a dict: {'topic': ['name']}")
    if place.kind == "COMMA" and "COMMA" not in place.expected and place.previous in _VALUE_ENDS:
        return place.refuse("a tuple", "a name is given one value; sets are combined with AND(X, Y) and OR(X, Y)")
    if place.kind == "COLON" and within == "LSQB":
        return place.refuse("a slice (':')")
    if place.kind == "COLON" and not place.brackets and "=" in place.rest_of_line:
        return place.refuse("a type annotation (':')", "a name stands alone before '='")
    if place.kind == "EQUAL" and not place.brackets:
        if any(token.kind == "EQUAL" for token in place.before):
            return place.say("syntax", "a value is assigned to one name at a time", "write one line for each name")
        return place.say("syntax", "only a name can stand before '='", "as in expression = START('name')")
    return None


def _missing(place: Place) -> Diagnostic | None:
    """A value, a comma, a bracket or a line break that should stand before what was found."""
    if place.previous == "NAME" and place.kind in {"STRING", "NUMBER", "NAME"} and place.before[-1].text in FUNCTIONS:
        function = place.before[-1].text
        return place.say("syntax", f"'(' is missing after {function}", f"the form is {FUNCTIONS[function].usage}")
    if place.brackets and place.kind in _VALUE_BEGINS and place.previous in _VALUE_ENDS and "COMMA" in place.expected:
        return place.say("syntax", f"',' is missing before {_spoken(place)}", "arguments are set apart by commas")
    value_expected = "STRING" in place.expected
    if value_expected and place.previous in {"COMMA", "LPAR", "LSQB", "LBRACE"} and place.kind in {"COMMA", *CLOSING}:
        hint = "a value is a call, a variable, a string or a number"
        return place.say("syntax", f"a value is missing before {_spoken(place)}", hint)
    if value_expected and place.previous in {"EQUAL", "COLON"}:
        after = "'='" if place.previous == "EQUAL" else "':'"
        hint = "a value is a call, a variable, a string or a number"
        return place.say("syntax", f"a value is missing after {after}", hint, span=place.before[-1].span)
    if not place.brackets and place.kind == "NAME" and place.previous in _VALUE_ENDS and _is_assigned(place):
        hint = "each statement has its own line"
        return place.say("syntax", f"a line break is missing before {_spoken(place)}", hint)
    return None


def _unexpected(place: Place) -> Diagnostic:
    """The last resort: what was found, and what could stand there."""
    expected = sorted(_SPOKEN.get(kind, kind) for kind in place.expected)
    hints = (f"here could stand {listed(expected, 'or')}",) if 0 < len(expected) <= 6 else ()
    if not place.brackets and len(place.before) <= 2 and not any(token.kind == "EQUAL" for token in place.before):
        hints = (_STATEMENT_FORM,)
    return place.say("syntax", f"{_spoken(place)} cannot stand here", *hints)


_RULES: tuple[Callable[[Place], Diagnostic | None], ...] = (
    _foreign_quotes,  # before strings: a fence begins with a quote of sorts
    _prose,  # before strings: words have apostrophes
    _open_string,
    _apostrophe,
    _number,  # before sums: 2001-12-31 is a date
    _sum,
    _construct,  # before everything that only sees the sign after the word
    _attribute,
    _operators,
    unknown_character,
    _brackets,  # before missing commas: an open bracket makes the next line look like an argument
    _pythonic,
    _missing,
)


def _spoken(place: Place) -> str:
    """The token found, in words."""
    if place.kind in {"NAME", "NUMBER"}:
        return shown(place.found)
    if place.kind == "STRING":
        return f"the string {shown(place.found[1:-1])}"
    return _SPOKEN.get(place.kind, shown(place.found))
