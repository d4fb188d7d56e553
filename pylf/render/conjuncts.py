"""English for a question that is no tree of sets: its conditions, one after another, over named variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.nodes import (
    Closure,
    Compare,
    Confidence,
    Count,
    Direction,
    Extreme,
    Form,
    InstanceOf,
    Member,
    Not,
    Path,
    Project,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Iri, Var
from pylf.render.words import article

if TYPE_CHECKING:
    from pylf.ir.nodes import Body, Conjunct, Query
    from pylf.ir.terms import Term
    from pylf.render.words import Words

_COMPARISONS = {
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
    "=": "equals",
    "!=": "differs from",
    "is": "is the same as",
}


def list_conjuncts(query: Query, words: Words) -> str:
    """``Which values of x are there such that: x has a ‘capital’ y; …?`` with inner conditions in brackets."""
    told = "; ".join(condition(c, words) for c in query.body.conjuncts) or "anything holds"
    names = ", ".join(v.name for v in query.outputs)
    match query.form:
        case Form.BOOLEAN:
            return f"Does it hold that: {told}?"
        case Form.NUMBER:
            return f"Which number {names} is there such that: {told}?"
        case Form.SUBGRAPH:
            return f"Which triples ({names}) are there such that: {told}?"
    return f"Which {names} are there such that: {told}?"


def condition(conjunct: Conjunct, words: Words) -> str:
    """One conjunct as a clause."""

    def term(t: Term) -> str:
        return t.name if isinstance(t, Var) else words.node(t)

    def relation(t: Term) -> str:
        return f"‘{words.relation(t.value)}’" if isinstance(t, Iri) else f"relation {term(t)} to"

    def inside(body: Body) -> str:
        return "(" + ("; ".join(condition(c, words) for c in body.conjuncts) or "anything") + ")"

    match conjunct:
        case Triple(subject=s, predicate=p, object=o):
            return f"{term(s)} has a {relation(p)} {term(o)}"
        case InstanceOf(term=t, classes=classes):
            return f"{term(t)} is " + " or ".join(article(words.class_(c.value)) for c in classes)
        case Compare(op=op, left=left, right=right):
            return f"{term(left)} {_COMPARISONS[op.value]} {term(right)}"
        case Member(term=t, values=values):
            return f"{term(t)} is " + (" or ".join(term(v) for v in values) if values else "nothing at all")
        case Confidence(subject=s, predicate=p, object=o, value=v):
            return f"{term(s)} has a {relation(p)} {term(o)} with confidence {v.name}"
        case Not(body=body):
            return f"it is not so that {inside(body)}"
        case Union(arms=arms):
            return "either " + " or ".join(inside(arm) for arm in arms)
        case Project(outputs=outputs, body=body):
            return f"{', '.join(v.name for v in outputs)} with some {inside(body)}"
        case Count(result=result, of=of, body=body, group=group):
            per = f" for each {', '.join(v.name for v in group)}" if group else ""
            return f"{result.name} is the number of distinct {of.name}{per} such that {inside(body)}"
        case Extreme(direction=direction, item=item, key=key, body=body):
            most = "largest" if direction is Direction.MAX else "smallest"
            return f"{item.name} is one with the {most} {key.name} such that {inside(body)}"
        case TopK(direction=direction, k=k, item=item, key=key, body=body):
            most = "largest" if direction is Direction.MAX else "smallest"
            return f"{item.name} is one of the {k} with the {most} {key.name} such that {inside(body)}"
        case Path(nodes=nodes, relations=relations, forward=forward):
            told = term(nodes[0])
            for node, r, along in zip(nodes[1:], relations, forward, strict=True):
                told += f" → {relation(r)} → {term(node)}" if along else f" ← {relation(r)} ← {term(node)}"
            return f"there is the path {told}"
        case Closure(subject=s, relation=r, object=o, minimum=minimum):
            steps = "one or more" if minimum else "no or more"
            return f"{term(s)} leads by {steps} steps of {relation(r)} to {term(o)}"
