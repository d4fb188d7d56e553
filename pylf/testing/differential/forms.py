"""Which forms of the language a program uses, and the parts of an expression that hold sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.language import syntax
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator


#: every form that is drawn, as :func:`forms_of` names it; ``neg in neg`` is a negation inside another
FORMS = frozenset(
    (
        *("JOIN", "JOIN neg", "neg in neg", "relation path", "CLOSURE", "AND", "OR", "MINUS", "ASK", "COUNT", "TC"),
        *("ARG", "ARG k", "ARG COUNT", "START", "START class", "START entity", "a value"),
        *("CMP <", "CMP <=", "CMP >", "CMP >=", "CMP =", "CMP !=", "several statements"),
    )
)


def forms_of(program: syntax.Program) -> set[str]:
    """The functions of a program, negation and extensions told apart: ``JOIN neg``, ``ARG k``, ``CLOSURE``, …"""
    found: set[str] = set()
    for assignment in program.assignments:
        value = assignment.value
        for part in parts(value.of if isinstance(value, syntax.Stop) else value):
            found.update(_forms(part))
    if len(program.assignments) > 1:
        found.add("several statements")
    return found


def parts(expression: syntax.Expression) -> Iterator[syntax.Expression]:
    """The expression and every set expression in it, outermost first."""
    yield expression
    for inner in inside(expression):
        yield from parts(inner)


def inside(expression: syntax.Expression) -> tuple[syntax.Expression, ...]:
    """The set expressions directly in an expression."""
    match expression:
        case syntax.Join(of=of) | syntax.CountOf(of=of) | syntax.Ask(of=of):
            return (of,)
        case syntax.Arg(of=of) | syntax.TimeConstraint(of=of):
            return (of,)
        case syntax.And(sets=sets) | syntax.Or(sets=sets):
            return sets
        case syntax.Minus(left=left, right=right):
            return (left, right)
        case _:
            return ()


def with_inside(expression: syntax.Expression, inner: tuple[syntax.Expression, ...]) -> syntax.Expression:
    """The expression with others in the place of those directly in it, as many as :func:`inside` gives."""
    match expression:
        case syntax.And() | syntax.Or():
            return replace(expression, sets=inner)
        case syntax.Minus():
            return replace(expression, left=inner[0], right=inner[1])
        case _:
            return replace(expression, of=inner[0]) if inner else expression


def _forms(part: syntax.Expression) -> Iterator[str]:
    match part:
        case syntax.Join(relation=relation, negated=negated, of=of):
            yield "JOIN neg" if negated else "JOIN"
            yield from _relation(relation)
            if negated and any(isinstance(p, syntax.Join) and p.negated for p in parts(of)):
                yield "neg in neg"
        case syntax.Arg(relation=relation, k=k, counted=counted):
            yield "ARG COUNT" if counted else "ARG"
            if k is not None:
                yield "ARG k"
            yield from _relation(relation)
        case syntax.Cmp(op=op, relation=relation):
            yield f"CMP {op}"
            yield from _relation(relation)
        case syntax.TimeConstraint():
            yield "TC"
        case syntax.CountOf():
            yield "COUNT"
        case syntax.Start(kind=kind, implicit=implicit):
            yield "a value" if implicit else "START" if kind is None else f"START {kind}"
        case syntax.And() | syntax.Or() | syntax.Minus() | syntax.Ask():
            yield type(part).__name__.upper()


def _relation(relation: syntax.Relation) -> Iterator[str]:
    match relation:
        case syntax.RelationPath():
            yield "relation path"
        case syntax.Reach():
            yield "CLOSURE"
