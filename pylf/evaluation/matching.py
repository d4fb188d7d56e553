"""Which predicted answers are gold ones.

Two nodes of a graph match where they are one value: entities by IRI (where one of them is but an id, as ``m.0178g`` or
``Q66``, by that), numbers, dates and booleans by value, whatever they are called; choices by their labels. A literal
that does not say its datatype, as many sets write them, matches one that does by its lexical form, and by every value
that it is spelled like: ``1988`` is a number and a year.

A *name* that is a number or a date by all that it says stands for that value and for nothing else: ``3.14`` is not
``314``. Any other name matches an answer of another kind by one of its names (a literal's are its lexical form, a
choice's its label and text, a boolean's ``yes`` and ``true``), and another name by what it says. Names are compared
without case, width and compatibility forms (NFKC), quotes, full stops, commas and brackets (but within numbers),
hyphens (but signs), a leading article and doubled spaces.
"""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING

from pylf.ir.dates import Interval, as_spelled, date_literal
from pylf.ir.terms import RDF_LANG_STRING, XSD_BOOLEAN, Literal
from pylf.ir.values import Boolean, identity
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from pylf.datasets.formats.question import Answer

_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))
#: between two digits a point is part of a number, a comma too but before three digits, as in 1,000
_DROPPED = re.compile(r"[\"'`´‘’‚“”„«»;!?()\[\]{}]|(?<!\d)[.,:]|[.,:](?!\d)|(?<=\d),(?=\d{3}(?!\d))")
#: a hyphen before a digit, with no word before it, is a sign
_BETWEEN = re.compile(r"(?:[\s_/]|-(?!\.?\d)|(?<=\w)-)+")
_ARTICLE = re.compile(r"^(?:a|an|the) (?=\S)")
#: what may stand around a number or a date
_AROUND = " \t\r\n\"'`´‘’‚“”„«»()[]{}"
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?)")
#: what follows the namespace of an IRI, or the prefix of a short name
_ID = re.compile(r"[^/#:]+$")
_WORDS = {True: ("true", "yes"), False: ("false", "no")}


@record
class Matched:
    """``predicted`` and ``gold`` count distinct answers; ``right`` of the first are gold, ``found`` of the second are
    predicted."""

    predicted: int
    gold: int
    right: int
    found: int


@record
class _Keys:
    """How a node of a graph is found (``held``), and what it looks for (``sought``): two match where one seeks what the
    other holds, which is the same from both sides. Both are empty for a name that is no value."""

    held: tuple[Hashable, ...] = ()
    sought: tuple[Hashable, ...] = ()


def match_answers(predicted: Sequence[Answer], gold: Sequence[Answer]) -> Matched:
    """Compare two sets; what is there twice counts once."""
    mine, theirs = distinct(predicted), distinct(gold)
    nodes: dict[Hashable, list[int]] = defaultdict(list)
    called: dict[Hashable, list[int]] = defaultdict(list)
    names: dict[Hashable, list[int]] = defaultdict(list)
    for place, one in enumerate(theirs):
        for key in _keys(one).held:
            nodes[key].append(place)
        for name in _names(one):
            (names if one.kind == "name" else called)[name].append(place)
    found: set[int] = set()
    right = 0
    for one in mine:
        places = {place for key in _keys(one).sought for place in nodes.get(key, ())}
        for name in _names(one):
            places.update(names.get(name, ()))
            if one.kind == "name":
                places.update(called.get(name, ()))
        found |= places
        right += bool(places)
    return Matched(len(mine), len(theirs), right, len(found))


def distinct(answers: Iterable[Answer]) -> list[Answer]:
    """Each value once, and each other name by what it says, whatever their order.

    What says less (an id, a literal without datatype) is the same as what says more and matches it; of an entity and a
    name for it both stay, since names are shared.
    """
    kept: list[Answer] = []
    held: set[Hashable] = set()
    keyed = [(_keys(one), one) for one in answers]
    # what seeks less says more
    for keys, one in sorted(keyed, key=lambda pair: len(pair[0].sought)):
        said = [("name", name) for name in said_of(one.value)] if not keys.held else []
        if held.isdisjoint(said or keys.sought):
            kept.append(one)
            held.update(said or keys.held)
    return kept


@functools.lru_cache(maxsize=1 << 16)
def normal(text: str) -> str:
    """A text as texts are compared."""
    folded = _folded(text)
    plain = _BETWEEN.sub(" ", _DROPPED.sub("", folded)).strip()
    return _ARTICLE.sub("", plain) or folded.strip()


@functools.lru_cache(maxsize=1 << 16)
def values_of(text: str) -> tuple[Hashable, ...]:
    """The number and the date that a text is spelled like: none, one or both, as ``2008``."""
    bare = _folded(text).strip(_AROUND).rstrip(".,;:!?").rstrip(_AROUND)
    found: list[Hashable] = []
    if _NUMBER.fullmatch(bare) and math.isfinite(number := float(bare.replace(",", ""))):
        found.append(number)
    date = date_literal(bare.upper())  # T and Z
    if date is not None and isinstance(covers := identity(date), Interval):
        found.append(covers)
    return tuple(found)


def said_of(text: str) -> tuple[Hashable, ...]:
    """What a name says: a value, where all of it is one, else its normal form."""
    return values_of(text) or (normal(text),)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().translate(_DASHES)


def _keys(one: Answer) -> _Keys:
    match one.kind:
        case "entity":
            # an id finds an IRI that ends in it, and an IRI an id; of two IRIs all has to be the same
            tail = _ID.search(one.value)
            whole, local = ("entity", one.value), one.value if tail is None else tail.group()
            if "://" in one.value:
                return _Keys((whole, ("iri", local)), (whole, ("id", local)))
            return _Keys((whole, ("id", local)), (whole, ("id", local), ("iri", local)))
        case "literal" if one.datatype is None and one.language is None:
            truth = (Boolean(one.value == "true"),) if one.value in ("true", "false") else ()
            return _spelled((*values_of(one.value), *truth), one.value)
        case "literal" | "boolean":
            value, lexical = identity(_literal(one)), one.value
            return _Keys(
                (("value", value), ("typed", lexical)), (("value", value), ("spelled", value), ("untyped", lexical))
            )
        case "name":
            return _spelled(values_of(one.value))
    return _Keys(((one.kind, one.value),), ((one.kind, one.value),))


def _spelled(values: tuple[Hashable, ...], lexical: str | None = None) -> _Keys:
    """The keys of text without datatype that is spelled like these values; a ``lexical`` form alone does too."""
    held: list[Hashable] = [("spelled", value) for value in values]
    sought: list[Hashable] = [*held, *[("value", value) for value in values]]
    if lexical is not None:
        held.append(("untyped", lexical))
        sought += [("untyped", lexical), ("typed", lexical)]
    return _Keys(tuple(held), tuple(sought))


def _literal(one: Answer) -> Literal:
    """The term that an answer is which says its datatype or its language; a date as it is spelled."""
    if one.kind == "boolean":
        return Literal(one.value.lower(), XSD_BOOLEAN)
    datatype = one.datatype if one.language is None else RDF_LANG_STRING
    return as_spelled(Literal(one.value, datatype or "", one.language))


def _names(one: Answer) -> Iterable[Hashable]:
    """What names are compared with."""
    names: list[Hashable] = []
    for text in (one.label, *one.aliases):
        if text is not None:
            names += said_of(text)
    match one.kind:
        case "name" | "choice":
            names += said_of(one.value)
        case "boolean" | "literal":
            value = None if one.kind == "literal" and one.datatype is None else identity(_literal(one))
            match value:
                case float() | Interval():
                    names.append(value)
                case Boolean(true):
                    names += _WORDS[true]
                case _:
                    names += said_of(one.value)
    return names
