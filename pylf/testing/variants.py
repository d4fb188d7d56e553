"""Near misses: a program with one thing changed, which mostly means something else.

Independent random programs seldom come near each other. What has to tell programs apart (a rendering, a fingerprint)
is tested on a program and its variants: a negation dropped or moved inwards, AND for OR, an operator, a constant of
another type, a class asked for besides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.language import syntax
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

_CLASSES = ("A", "B", "C")
_OPERATORS = ("<", "<=", ">", ">=", "=", "!=")
#: the same digits as a number, a year, a text, a label, an entity and a class
_LIKE = (
    syntax.Start(syntax.Number("1990")),
    syntax.Start(syntax.Text("1990^^xsd:gYear")),
    syntax.Start(syntax.Text("1990^^xsd:string")),
    syntax.Start(syntax.Text("one"), "entity"),
    syntax.Start(syntax.Text("one@en"), "entity"),
    syntax.Start(syntax.Text(":e1")),
    syntax.Start(syntax.Text("A"), "entity"),
    syntax.Start(syntax.Text("A")),
)
_VALUES: tuple[syntax.Number | syntax.Text, ...] = (
    syntax.Number("1990"),
    *(syntax.Text(f"1990{t}") for t in ("", "^^xsd:gYear", "^^xsd:integer", "^^xsd:string")),
)


def variant(expression: syntax.Expression, random: Random) -> syntax.Expression:
    """The expression with one part changed, for the world of :mod:`pylf.testing.programs`; may not compile."""
    part = random.choice(list(_parts(expression)))
    return _exchanged(expression, part, random.choice(_changes(part, random)))


def _changes(part: syntax.Expression, random: Random) -> list[syntax.Expression]:
    named = syntax.Start(syntax.Text(random.choice(_CLASSES)))
    found: list[syntax.Expression] = [syntax.And((part, named)), syntax.Or((part, named)), syntax.Minus(part, named)]
    match part:
        case syntax.Join(relation=relation, of=of, negated=negated):
            found += [syntax.Join(relation, of, not negated)] * 3
            if isinstance(of, syntax.Join):  # the negation moves to the other hop
                found.append(syntax.Join(relation, replace(of, negated=negated), of.negated))
        case syntax.And(sets=sets) | syntax.Or(sets=sets):
            found += [
                syntax.And(sets),
                syntax.Or(sets),
                syntax.And(sets[::-1]),
                syntax.Minus(sets[0], sets[1]),
                sets[0],
            ]
            if len(sets) > 2:
                found.append(type(part)((sets[0], type(part)(sets[1:]))))
        case syntax.Minus(left=left, right=right):
            found += [syntax.Minus(right, left), syntax.And((left, right)), syntax.Or((left, right)), left]
        case syntax.Arg(mode=mode, of=of):
            other = "ARGMIN" if mode == "ARGMAX" else "ARGMAX"
            key = syntax.Name(random.choice(("num", "day", "val")))
            found += [of, replace(part, mode=other), replace(part, k=random.choice((None, 1, 2)))]
            found.append(replace(part, relation=key, counted=False))
        case syntax.Cmp(relation=relation, value=value):
            found.append(syntax.Cmp(random.choice(_OPERATORS), relation, value))
            found.append(syntax.Cmp(part.op, relation, random.choice(_VALUES)))
            if isinstance(relation, syntax.Name):
                found.append(syntax.Join(relation, syntax.Start(value, implicit=True)))
        case syntax.Start():
            found += _LIKE
        case syntax.TimeConstraint(of=of, until=until):
            found += [of, replace(part, until=not until)]
        case syntax.CountOf(of=of) | syntax.Ask(of=of):
            found = [of, syntax.CountOf(of), syntax.Ask(of)]
    return found


def _parts(expression: syntax.Expression) -> Iterator[syntax.Expression]:
    yield expression
    for _, inner in _inner(expression):
        for part in inner if isinstance(inner, tuple) else (inner,):
            yield from _parts(part)


def _exchanged(expression: syntax.Expression, old: syntax.Expression, new: syntax.Expression) -> syntax.Expression:
    if expression is old:
        return new
    changed: dict[str, object] = {}
    for name, inner in _inner(expression):
        if isinstance(inner, tuple):
            changed[name] = tuple(_exchanged(part, old, new) for part in inner)
        else:
            changed[name] = _exchanged(inner, old, new)
    return replace(expression, **changed)


def _inner(expression: syntax.Expression) -> Iterator[tuple[str, syntax.Expression | tuple[syntax.Expression, ...]]]:
    """The fields of an expression that hold sets."""
    for name in expression.__match_args__:
        if name in ("of", "left", "right", "sets"):
            yield name, getattr(expression, name)
