"""What constants settle in a body, for :mod:`pylf.ir.passes.normalize`: comparisons of constants and of listed values,
and variables that are one value."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Confidence,
    InstanceOf,
    Kind,
    LeftJoin,
    Member,
    Op,
    Path,
    Triple,
)
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.traverse import rewrite, terms, walk
from pylf.ir.values import compare

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Constant, Term


def folded(parts: list[Conjunct]) -> list[Conjunct] | None:
    """The conjuncts with what constants settle left out; None where they settle that one never holds."""
    listed: dict[str, tuple[Constant, ...]] = {}
    for part in parts:
        match part:
            case Member(Var(name), values):
                known = listed.get(name)
                there = frozenset(values) if known else ()
                listed[name] = values if known is None else tuple([value for value in known if value in there])
    found: list[Conjunct] = []
    for part in parts:
        match part:
            case Compare(op, left, right, kind):
                if op is Op.IS and kind is Kind.ANY and left == right:
                    continue
                match left, right:
                    case Var(name), Iri() | Literal() if name in listed:
                        listed[name] = tuple([value for value in listed[name] if compare(op, value, right, kind)])
                    case Iri() | Literal(), Var(name) if name in listed:
                        listed[name] = tuple([value for value in listed[name] if compare(op, left, value, kind)])
                    case Iri() | Literal(), Iri() | Literal():
                        if not compare(op, left, right, kind):
                            return None
                    case _:
                        found.append(part)
            case Member(term, values) if not isinstance(term, Var):
                if term not in values:
                    return None
            case InstanceOf(Literal()):
                return None
            case Closure(subject, _, object_, 0) if subject == object_:
                continue
            case _:
                found.append(part)
    if not all(listed.values()):
        return None
    if not listed:
        return found
    told: list[Conjunct] = []
    for part in found:
        match part:
            case Member(Var(name), values):
                left_ = listed.pop(name, None)
                if left_ is not None:
                    told.append(part if left_ == values else Member(part.term, left_, part.span))
            case _:
                told.append(part)
    return told


def substituted(parts: list[Conjunct], total: Callable[[], Counter[str]]) -> list[Conjunct]:
    """The conjuncts with the one value that a variable may have in the place of the variable; ``total`` tells how often
    each variable occurs in the query."""
    known: dict[str, Constant] = {}
    for part in parts:
        match part:
            case Member(Var(name), (value,)):
                known.setdefault(name, value)
    if not known:
        return parts
    within: Counter[str] = Counter()
    for part in parts:
        for conjunct in walk(part):
            if isinstance(conjunct, LeftJoin):
                for name in mentioned_in(conjunct.body):
                    known.pop(name, None)  # it stays as it is
            named = [term.name for term in terms(conjunct) if type(term) is Var]
            within.update(named)
            for name in named:
                if name in known and not _may_stand(known[name], name, conjunct):
                    del known[name]
    everywhere = total()
    known = {name: value for name, value in known.items() if within[name] == everywhere[name]}
    if not known:
        return parts

    def put(node: Body | Conjunct) -> Body | Conjunct:
        return node if isinstance(node, Body) else _put(node, known)

    return list(rewrite(Body(tuple(parts)), put).conjuncts)


def _may_stand(value: Constant, name: str, conjunct: Conjunct) -> bool:
    """Whether a constant may stand in the place of a variable of a conjunct."""
    match conjunct:
        case Triple() | InstanceOf() | Member() | Path():
            return True
        case Compare(op, left, right):
            return op is Op.IS or left != Var(name) or not isinstance(right, Var) or right == left
        case Confidence(_, _, _, of):
            return of.name != name and not isinstance(value, Literal)
        case Closure(_, _, _, minimum):
            return minimum == 1
        case _:
            return False


def _put(node: Conjunct, known: dict[str, Constant]) -> Body | Conjunct:
    """An atom with constants in the place of variables."""
    if not any(type(term) is Var and term.name in known for term in terms(node)):
        return node

    def term(old: Term) -> Term:
        return known.get(old.name, old) if isinstance(old, Var) else old

    match node:
        case Triple(subject, predicate, object_):
            return build.triple(term(subject), term(predicate), term(object_), node.span)
        case InstanceOf(one, classes):
            return build.instance_of(term(one), classes, node.span)
        case Member(one, values):
            return build.member(term(one), values, node.span)
        case Path(nodes, steps, forward):
            return build.path(tuple(map(term, nodes)), tuple(map(term, steps)), forward, node.span)
        case Compare(op, left, right, kind):
            ends = term(left), term(right)
            if op is Op.IS and not isinstance(ends[0], Var):
                ends = ends[1], ends[0]
            return Compare(op, *ends, kind, node.span)
        case Confidence(subject, predicate, object_, value):
            return Confidence(term(subject), term(predicate), term(object_), value, node.span)
        case Closure(subject, relation, object_, minimum):
            return build.closure(term(subject), relation, term(object_), minimum, node.span)
        case _:
            return node
