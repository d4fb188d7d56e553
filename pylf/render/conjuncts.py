"""English for a question that is no tree of sets: its conditions, one after another, over named variables.

Where a condition looks at one kind of value only, or a term is meant rather than its value, that is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.nodes import (
    Aggregate,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Direction,
    Extend,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    LeftJoin,
    Member,
    Not,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Iri, Var
from pylf.render.expressions import reduced, taken, told
from pylf.render.words import article, exactly

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
_KINDS = {Kind.NUMBER: ", as a number", Kind.DATE: ", as a date", Kind.TEXT: ", as text", Kind.ANY: ""}


def list_conjuncts(query: Query, words: Words) -> str:
    """``Which x are there such that: x has a ‘capital’ y; …?`` with inner conditions in brackets."""
    said = "; ".join(condition(c, words) for c in query.body.conjuncts) or "anything holds"
    names = ", ".join(v.name for v in query.outputs)
    match query.form:
        case Form.BOOLEAN:
            return f"Does it hold that: {said}?"
        case Form.NUMBER:
            return f"Which number {names} is there such that: {said}?"
        case Form.SUBGRAPH:
            return f"Which triples ({names}) are there such that: {said}?"
        case Form.ROWS:
            return f"Which rows of ({names}) are there such that: {said}?"
    return f"Which {names} are there such that: {said}?"


def condition(conjunct: Conjunct, words: Words) -> str:
    """One conjunct as a clause."""

    def term(t: Term) -> str:
        return t.name if isinstance(t, Var) else exactly(t, words)

    def relation(t: Term) -> str:
        return words.relation(t.value) if isinstance(t, Iri) else f"relation {term(t)} to"

    def inside(body: Body) -> str:
        return "(" + ("; ".join(condition(c, words) for c in body.conjuncts) or "anything") + ")"

    match conjunct:
        case Triple(subject=s, predicate=p, object=o):
            return f"{term(s)} has a {relation(p)} {term(o)}"
        case InstanceOf(term=t, classes=classes):
            return f"{term(t)} is " + (" or ".join(article(words.class_(c.value)) for c in classes) or "of no class")
        case Compare(op=op, left=left, right=right, kind=kind):
            return f"{term(left)} {_COMPARISONS[op.value]} {term(right)}{_KINDS[kind]}"
        case Member(term=t, values=values):
            return f"{term(t)} is " + (" or ".join(map(term, values)) if values else "nothing at all")
        case Confidence(subject=s, predicate=p, object=o, value=v):
            return f"{term(s)} has a {relation(p)} {term(o)} with confidence {v.name}"
        case Not(body=body):
            return f"it is not so that {inside(body)}"
        case Union(arms=arms):
            return "either " + " or ".join(map(inside, arms)) if arms else "nothing at all holds"
        case Project(outputs=outputs, body=body):
            return f"{', '.join(v.name for v in outputs)} with some {inside(body)}"
        case Count(result=result, of=of, body=body, group=group):
            per = f" for each {', '.join(v.name for v in group)}" if group else ""
            return f"{result.name} is the number of distinct {of.name}{per} such that {inside(body)}"
        case Extreme(direction=direction, item=item, key=key, body=body, kind=kind):
            most = "largest" if direction is Direction.MAX else "smallest"
            return f"{item.name} is one with the {most} {key.name}{_KINDS[kind]} such that {inside(body)}"
        case TopK(direction=direction, k=k, item=item, key=key, body=body, kind=kind):
            most = "largest" if direction is Direction.MAX else "smallest"
            return f"{item.name} is one of the {k} with the {most} {key.name}{_KINDS[kind]} such that {inside(body)}"
        case Path(nodes=nodes, relations=relations, forward=forward):
            walk = term(nodes[0])
            for node, r, along in zip(nodes[1:], relations, forward, strict=True):
                walk += f" → {relation(r)} → {term(node)}" if along else f" ← {relation(r)} ← {term(node)}"
            return f"there is the path {walk}"
        case Closure(subject=s, relation=r, object=o, minimum=minimum):
            steps = "one or more" if minimum else "no or more"
            return f"{term(s)} leads by {steps} steps of {relation(r)} to {term(o)}"
        case LeftJoin(body=body):
            return f"where possible {inside(body)}"
        case Condition(expression=expression):
            return told(expression, term)
        case Extend(result=result, expression=expression):
            return f"{result.name} is {told(expression, term)}"
        case Aggregate(reductions=reductions, body=body, group=group):
            per = f" for each {', '.join(v.name for v in group)}" if group else ""
            results = [f"{one.result.name} is {reduced(one, term)}" for one in reductions]
            return f"{' and '.join(results) or 'there is a row'}{per}, over every way in which {inside(body)}"
        case Slice(outputs=outputs, body=body, distinct=distinct):
            rows = f"{'distinct ' if distinct else ''}rows of ({', '.join(v.name for v in outputs)})"
            return f"of the {rows} such that {inside(body)}: {taken(conjunct, term)}"
