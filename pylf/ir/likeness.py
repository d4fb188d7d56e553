"""Values and labels that come near to what was asked for."""

from __future__ import annotations

import difflib
from itertools import islice
from typing import TYPE_CHECKING

from pylf.ir.dates import Interval, date_literal
from pylf.ir.terms import XSD_DOUBLE, Literal
from pylf.ir.values import value_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.graph import Graph
    from pylf.ir.terms import Iri, Node

#: So many labels are looked at for one that is like another, and so many of these letter by letter.
LABELS = 100_000
SHORTLIST = 2_000
#: Below this, a label is not like another (as difflib counts).
LIKE = 0.7


def akin(literal: Literal, wanted: Literal) -> bool:
    """Whether a literal says the same as another that it is not: the same text, the same number, or a date that
    overlaps with it, whatever the datatypes and languages."""
    if literal == wanted:
        return False
    one, other = literal.lexical.strip(), wanted.lexical.strip()
    if one.casefold() == other.casefold():
        return True
    first, second = _interval(literal), _interval(wanted)
    if first is not None and second is not None:
        return first.start < second.end and second.start < first.end
    number, another = (value_of(Literal(text, XSD_DOUBLE)) for text in (one, other))
    return isinstance(number, float) and number == another


def _interval(literal: Literal) -> Interval | None:
    value = value_of(literal)
    if isinstance(value, Interval):
        return value
    spelled = date_literal(literal.lexical.strip())
    covers = None if spelled is None else value_of(spelled)
    return covers if isinstance(covers, Interval) else None


def nearest_labels(text: str, predicates: Iterable[Iri], graph: Graph, limit: int = 3) -> list[tuple[Node, Node]]:
    """Labels of a graph that are most like a text, best first, each with a node that bears it."""
    wanted = text.casefold().strip()
    words = frozenset(wanted.split())
    rough: list[tuple[int, str, Literal, Node]] = []
    for predicate in predicates:
        for bearer, _, label in islice(graph.triples(None, predicate, None), LABELS):
            if isinstance(label, Literal):
                other = label.lexical[:200].casefold().strip()
                shared = len(words.intersection(other.split()))
                if other == wanted:
                    shared = len(words) + 1
                if shared or (other[:2] == wanted[:2] and abs(len(other) - len(wanted)) <= max(3, len(wanted) // 3)):
                    rough.append((shared, other, label, bearer))
    rough.sort(key=lambda entry: (-entry[0], entry[1], str(entry[3])))
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted[:200])
    scored = []
    for shared, other, label, bearer in rough[:SHORTLIST]:
        matcher.set_seq1(other)
        score = matcher.ratio()
        if score >= LIKE or (shared and shared == len(words)):
            scored.append((-score, other, str(bearer), label, bearer))
    scored.sort(key=lambda entry: entry[:3])
    return [(label, bearer) for _, _, _, label, bearer in scored[:limit]]
