"""Proofs that two queries have the same answers on every graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.equivalence.arms import arms
from pylf.equivalence.plain_schema import plain_schema
from pylf.equivalence.ranks import ranked_once
from pylf.equivalence.spellings import spellings
from pylf.equivalence.walks import walked_once
from pylf.ir.canonical import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.nodes import Query
    from pylf.ir.passes.manager import Pass
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

    Contained = Callable[[Query, Query], bool]

#: what may be said in several ways that no pass makes one of
_PLAINER = ((ranked_once, "superlatives"), (walked_once, "closures"))
#: passes of a higher level that hold for every graph that keeps to the schema
_SOUND = ("simplify-types",)


def proof(left: Query, right: Query, schema: Schema, vocabulary: Vocabulary, sound: bool = False) -> str | None:
    """A proof, in a sentence, or None where none is found; where ``sound``, for graphs that keep to the schema."""
    known = same_form(left, right)
    if known is not None:
        return known
    plain = plain_schema(schema, sound)
    one, other, named = _simplified(left, right, plain, vocabulary, sound)
    known = _compared(one, other, plain, vocabulary, _after(named, []))
    told: list[str] = []
    for said_once, what in _PLAINER:
        plainer = said_once(one), said_once(other)
        if known is None and plainer != (one, other):
            one, other, again = _simplified(*plainer, plain, vocabulary, sound)
            named += [name for name in again if name not in named]
            told.append(f" with {what} said in one way")
            known = _compared(one, other, plain, vocabulary, _after(named, told))
    return known


def _after(passes: list[str], ways: list[str]) -> str:
    """What both queries have become before they were compared, in words."""
    first = [f" after the pass{'es' if len(passes) > 1 else ''} {', '.join(passes)}"] if passes else []
    return ",".join([*first, *ways])


def _compared(one: Query, other: Query, schema: Schema, vocabulary: Vocabulary, after: str) -> str | None:
    """A proof by the canonical forms or by containment."""
    mark = _shared_mark(one, other)
    if mark is not None:
        return f"both have one canonical form{after} ({mark[:12]})"
    contained = _containment(schema, vocabulary)
    if contained(one, other) and contained(other, one):
        return f"each is contained in the other{after}"
    if _covered(one, other, contained) and _covered(other, one, contained):
        return f"each arm of the one is contained in an arm of the other, both ways{after}"
    return None


def same_form(left: Query, right: Query) -> str | None:
    """That both have one canonical form, which is a proof on its own and the quickest; None where they have not."""
    mark = _shared_mark(left, right)
    return None if mark is None else f"both have one canonical form ({mark[:12]})"


def _shared_mark(left: Query, right: Query) -> str | None:
    """The fingerprint that some spellings of both have."""
    marks = {fingerprint(query) for query in spellings(left)}
    return next((mark for mark in map(fingerprint, spellings(right)) if mark in marks), None)


def _simplified(
    left: Query, right: Query, schema: Schema, vocabulary: Vocabulary, sound: bool
) -> tuple[Query, Query, list[str]]:
    """Both queries after the passes that keep their answers on every graph, and the names of those that did
    anything."""
    from pylf.ir.passes import PIPELINE, listed
    from pylf.ir.passes.context import Context
    from pylf.ir.passes.manager import Basis, optimized

    without = frozenset(
        one.name for one in listed() if one.basis is not Basis.DEFINITION and not (sound and one.name in _SOUND)
    )
    context = Context(schema, vocabulary)
    named: dict[str, None] = {}

    def observer(step: Pass, before: Query, after: Query) -> None:
        if after is not before:
            named[step.name] = None

    one = optimized(left, context, PIPELINE, 2, without, observer)
    other = optimized(right, context, PIPELINE, 2, without, observer)
    return one, other, list(named)


def _containment(schema: Schema, vocabulary: Vocabulary) -> Contained:
    """Tells whether the answers of one query are known to be among those of another on every graph."""
    from pylf.ir.containment import contained

    def asked(left: Query, right: Query) -> bool:
        return any(contained(left, query, schema, vocabulary) for query in spellings(right))

    return asked


def _covered(left: Query, right: Query, contained: Contained) -> bool:
    """Whether each arm of the one is contained in an arm of the other."""
    others = arms(right)
    return all(any(contained(arm, other) for other in others) for arm in arms(left))
