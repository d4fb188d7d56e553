"""The functions of terms, strings, numbers and dates that expressions call (SPARQL 1.1, 17.4).

Each takes nodes and gives a node, or None where SPARQL's would be an error. Strings are plain or tagged; what is made
of a string has its tag. Of two strings the second has no tag or that of the first. A string that would be longer than
:data:`LONGEST`, and a pattern that may take too long (:mod:`pylf.ir.patterns`), are an UnsupportedOperation: what each
of many calls makes twice as long would else fill all memory.
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from string import ascii_letters, digits
from typing import TYPE_CHECKING

from pylf.errors import UnsupportedOperation
from pylf.ir.arithmetic import as_double, decimal_form, literal_of, number_of
from pylf.ir.dates import Interval, canonical
from pylf.ir.expressions import FALSE, TRUE
from pylf.ir.patterns import pattern_of, replacement_of
from pylf.ir.terms import (
    ILLEGAL_IN_IRI,
    RDF_LANG_STRING,
    XSD,
    XSD_DECIMAL,
    XSD_INTEGER,
    Iri,
    Literal,
    tagged,
)
from pylf.ir.values import Boolean, Text, value_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.arithmetic import Number
    from pylf.ir.patterns import Pattern
    from pylf.ir.terms import Node

#: Characters of the longest string that is made here.
LONGEST = 1_000_000


def bounded(length: int) -> None:
    """Refuses to make a string of so many characters.

    Raises:
        UnsupportedOperation: it is longer than LONGEST.
    """
    if length > LONGEST:
        raise UnsupportedOperation(f"a string of more than {LONGEST:,} characters", "the reference evaluator")


# --- terms --------------------------------------------------------------------------------------------------------


def _str(node: Node) -> Node | None:
    match node:
        case Iri(text) | Literal(text):
            return Literal(text)
        case _:
            return None


def _lang(node: Node) -> Node | None:
    return Literal(node.language or "") if isinstance(node, Literal) else None


def _datatype(node: Node) -> Node | None:
    return Iri(node.datatype) if isinstance(node, Literal) else None


def _iri(node: Node) -> Node | None:
    """There is no base to resolve a relative one against."""
    if isinstance(node, Iri):
        return node
    text = _plain(node)
    if text is None or not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text) or not ILLEGAL_IN_IRI.isdisjoint(text):
        return None
    return Iri(text)


def _strdt(node: Node, datatype: Node) -> Node | None:
    text = _plain(node)
    if text is None or not isinstance(datatype, Iri) or datatype.value == RDF_LANG_STRING:
        return None
    return Literal(text, datatype.value)


def _strlang(node: Node, language: Node) -> Node | None:
    text, tag = _plain(node), _plain(language)
    if text is None or tag is None or not re.fullmatch(r"[A-Za-z]+(-[A-Za-z0-9]+)*", tag):
        return None
    return tagged(text, tag)


# --- strings ------------------------------------------------------------------------------------------------------


def _text(node: Node) -> Text | None:
    worth = value_of(node)
    return worth if isinstance(worth, Text) else None


def _plain(node: Node) -> str | None:
    worth = _text(node)
    return worth.text if worth is not None and worth.language is None else None


def _like(text: str, model: Text) -> Literal:
    """A string with the tag of another."""
    bounded(len(text))
    return Literal(text) if model.language is None else tagged(text, model.language)


def _pair(left: Node, right: Node) -> tuple[Text, str] | None:
    """Two strings of which the second has no tag or that of the first."""
    a, b = _text(left), _text(right)
    if a is None or b is None or b.language not in (None, a.language):
        return None
    return a, b.text


def _mapped(change: Callable[[str], str]) -> Callable[[Node], Node | None]:
    def mapped(node: Node) -> Node | None:
        worth = _text(node)
        return None if worth is None else _like(change(worth.text), worth)

    return mapped


def _tested(test: Callable[[str, str], bool]) -> Callable[[Node, Node], Node | None]:
    def tested(left: Node, right: Node) -> Node | None:
        pair = _pair(left, right)
        return None if pair is None else TRUE if test(pair[0].text, pair[1]) else FALSE

    return tested


def _strlen(node: Node) -> Node | None:
    worth = _text(node)
    return None if worth is None else Literal(str(len(worth.text)), XSD_INTEGER)


def _encode(node: Node) -> Node | None:
    worth = _text(node)
    if worth is None:
        return None
    bounded(len(worth.text))
    octets = worth.text.encode("utf-8", "surrogatepass")
    encoded = "".join([chr(o) if chr(o) in _UNRESERVED else f"%{o:02X}" for o in octets])
    bounded(len(encoded))
    return Literal(encoded)


#: What stands for itself in an IRI (RFC 3986, 2.3).
_UNRESERVED = frozenset(ascii_letters + digits + "-._~")


def _before(left: Node, right: Node) -> Node | None:
    pair = _pair(left, right)
    if pair is None:
        return None
    start, found, _ = pair[0].text.partition(pair[1]) if pair[1] else ("", True, "")
    return _like(start, pair[0]) if found or not pair[1] else Literal("")


def _after(left: Node, right: Node) -> Node | None:
    pair = _pair(left, right)
    if pair is None:
        return None
    if not pair[1]:
        return _like(pair[0].text, pair[0])
    _, found, end = pair[0].text.partition(pair[1])
    return _like(end, pair[0]) if found else Literal("")


def _langmatches(tag: Node, wanted: Node) -> Node | None:
    """Basic filtering (RFC 4647, 3.3.1)."""
    language, range_ = _plain(tag), _plain(wanted)
    if language is None or range_ is None:
        return None
    language, range_ = language.lower(), range_.lower()
    if range_ == "*":
        return TRUE if language else FALSE
    return TRUE if language == range_ or language.startswith(range_ + "-") else FALSE


def _substr(node: Node, start: Node, length: Node | None = None) -> Node | None:
    """From a place on, counted from 1; places and lengths are rounded (XPath's fn:substring)."""
    worth, first = _text(node), number_of(start)
    count = None if length is None else number_of(length)
    if worth is None or first is None or (length is not None and count is None):
        return None
    begin = _round(first)
    end: Number = math.inf
    if count is not None:
        rounded = _round(count)
        if isinstance(begin, float) or isinstance(rounded, float):
            end = as_double(begin) + as_double(rounded)  # none (NaN) of both infinities
        else:
            end = int(begin) + int(rounded)
    kept = "".join([char for place, char in enumerate(worth.text, 1) if begin <= place < end])
    return _like(kept, worth)


def _concat(*nodes: Node) -> Node | None:
    worths = [_text(node) for node in nodes]
    if any(worth is None for worth in worths):
        return None
    texts = [worth for worth in worths if worth is not None]
    bounded(sum([len(worth.text) for worth in texts]))
    joined = "".join([worth.text for worth in texts])
    tags = {worth.language for worth in texts}
    tag = tags.pop() if len(tags) == 1 else None
    return Literal(joined) if tag is None else tagged(joined, tag)


def _regex(node: Node, pattern: Node, flags: Node | None = None) -> Node | None:
    worth, written, given = _text(node), _plain(pattern), "" if flags is None else _plain(flags)
    if worth is None or written is None or given is None:
        return None
    compiled = pattern_of(written, given)
    return None if compiled is None else TRUE if compiled.is_in(worth.text) else FALSE


def _replace(node: Node, pattern: Node, by: Node, flags: Node | None = None) -> Node | None:
    """A pattern that agrees with the empty string is an error (XPath's fn:replace)."""
    worth, written, other = _text(node), _plain(pattern), _plain(by)
    given = "" if flags is None else _plain(flags)
    if worth is None or written is None or other is None or given is None:
        return None
    compiled = pattern_of(written, given)
    if compiled is None or compiled.is_in(""):
        return None
    template = replacement_of(other, compiled.groups, literally="q" in given)
    return None if template is None else _like(_replaced(worth.text, compiled, template), worth)


def _replaced(text: str, pattern: Pattern, template: tuple[str | int, ...]) -> str:
    """The text with something in place of each match."""
    out: list[str] = []
    size = place = 0
    for match in pattern.matches(text):
        put = [part if isinstance(part, str) else match[part] or "" for part in template]
        put.insert(0, text[place : match.start()])
        place = match.end()
        size += sum(map(len, put))
        bounded(size)
        out += put
    return "".join((*out, text[place:]))


# --- numbers ------------------------------------------------------------------------------------------------------


def _rounded(change: Callable[[Number], Number]) -> Callable[[Node], Node | None]:
    def rounded(node: Node) -> Node | None:
        number = number_of(node)
        return None if number is None else literal_of(change(number))

    return rounded


def _absolute(number: Number) -> Number:
    return number.copy_abs() if isinstance(number, Decimal) else abs(number)


def _round(number: Number) -> Number:
    """To the nearest whole number, of two to the greater one."""
    match number:
        case int():
            return number
        case Decimal():
            return number.to_integral_value(ROUND_HALF_DOWN if number.is_signed() else ROUND_HALF_UP)
        case _:
            if math.isinf(number):
                return number
            below = math.floor(number)
            return float(below + 1 if number - below >= 0.5 else below)


def _whole(rounding: str, of_double: Callable[[float], int]) -> Callable[[Number], Number]:
    def whole(number: Number) -> Number:
        match number:
            case int():
                return number
            case Decimal():
                return number.to_integral_value(rounding)
            case _:
                return number if math.isinf(number) else float(of_double(number))

    return whole


# --- dates --------------------------------------------------------------------------------------------------------

_PARTS = re.compile(
    r"(?P<year>-?\d{4,})?(?:(?<=\d)-(?P<month>\d\d))?(?:(?<=\d)-(?P<day>\d\d))?"
    r"(?:T(?P<hours>\d\d):(?P<minutes>\d\d):(?P<seconds>\d\d(?:\.\d+)?))?(?P<zone>Z|[+-]\d\d:\d\d)?"
)
_ZONE = re.compile(r"([+-])(\d\d):(\d\d)")


def _part(name: str) -> Callable[[Node], Node | None]:
    def part(node: Node) -> Node | None:
        written = _date_part(node, name)
        if written is None:
            return None
        if name == "seconds":
            return Literal(decimal_form(Decimal(written)), XSD_DECIMAL)
        return Literal(str(int(written)), XSD_INTEGER)

    return part


def _date_part(node: Node, name: str) -> str | None:
    if not isinstance(node, Literal) or not isinstance(value_of(node), Interval):
        return None
    found = _PARTS.fullmatch(canonical(node).lexical)  # the last moment of a day is the first of the next
    return None if found is None else found[name]


def _canonical(node: Node) -> Node:
    """One node for all that are the same value (:func:`pylf.ir.values.identity`)."""
    match value_of(node):
        case float(number):
            return literal_of(number or 0.0) or node
        case Boolean(true):
            return TRUE if true else FALSE
        case Text(text, None):
            return Literal(text)
        case Text(text, str(language)):
            return tagged(text, language)
        case Interval() if isinstance(node, Literal):
            held = canonical(node)
            return Literal(held.lexical.removesuffix(_date_part(node, "zone") or ""), held.datatype)
        case _:
            return node


def _tz(node: Node) -> Node | None:
    if _date_part(node, "hours") is None:
        return None
    return Literal(_date_part(node, "zone") or "")


def _timezone(node: Node) -> Node | None:
    zone = _date_part(node, "zone") if _date_part(node, "hours") is not None else None
    if zone is None:
        return None
    found = _ZONE.fullmatch(zone)
    sign, hours, minutes = ("+", 0, 0) if found is None else (found[1], int(found[2]), int(found[3]))
    said = "".join([f"{hours}H" if hours else "", f"{minutes}M" if minutes else ""]) or "0S"
    sign = "-" if sign == "-" and (hours or minutes) else ""
    return Literal(f"{sign}PT{said}", XSD + "dayTimeDuration")


#: By its name in :data:`pylf.ir.expressions.FUNCTIONS`.
CALLS: dict[str, Callable[..., Node | None]] = {
    "str": _str,
    "lang": _lang,
    "datatype": _datatype,
    "iri": _iri,
    "strdt": _strdt,
    "strlang": _strlang,
    "strlen": _strlen,
    "ucase": _mapped(str.upper),
    "lcase": _mapped(str.lower),
    "encode_for_uri": _encode,
    "canonical": _canonical,
    "strstarts": _tested(str.startswith),
    "strends": _tested(str.endswith),
    "contains": _tested(lambda text, part: part in text),
    "strbefore": _before,
    "strafter": _after,
    "langmatches": _langmatches,
    "substr": _substr,
    "concat": _concat,
    "regex": _regex,
    "replace": _replace,
    "abs": _rounded(_absolute),
    "round": _rounded(_round),
    "ceil": _rounded(_whole(ROUND_CEILING, math.ceil)),
    "floor": _rounded(_whole(ROUND_FLOOR, math.floor)),
    "year": _part("year"),
    "month": _part("month"),
    "day": _part("day"),
    "hours": _part("hours"),
    "minutes": _part("minutes"),
    "seconds": _part("seconds"),
    "tz": _tz,
    "timezone": _timezone,
}
