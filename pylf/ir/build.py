"""Constructors that own the identities of the algebra, so that no frontend and no pass repeats them.

Each gives a :class:`~pylf.ir.nodes.Body`, because an identity may turn one conjunct into none or several; ``join``
takes bodies and conjuncts alike::

    join(triple(x, made_by, boeing), negate(join(triple(x, launched_from, site))))

- a join is flat, and holds nothing but ``Union(())`` once a part of it can never hold;
- the negation of what always holds never holds, and the other way round;
- a union drops the arms that never hold, has no union as an arm, and is its arm where there is one only: but for one
  with left joins or extensions, since what they leave open is seen beside a union, and in its own body alone without;
- what ranges over a body that never holds never holds itself, but for a count without groups, which is 0, and for
  other reductions without groups, which have their say about nothing;
- a left join with what always holds vanishes, as does a condition that is true; of two conditions joined by ``&&`` both
  hold;
- membership in nothing, of another constant, or of a literal in a class never holds; nor does a triple about a
  literal or with one as predicate.

Nothing here decides a comparison of two constants: that is a matter of values, and the normalize pass's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.expressions import FALSE, TRUE, Apply
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Extend,
    Extreme,
    InstanceOf,
    Kind,
    LeftJoin,
    Member,
    Not,
    Op,
    Order,
    Path,
    Project,
    Query,
    Reduction,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import LATE, bound, never, never_holds, opened
from pylf.ir.terms import XSD_INTEGER, Literal, Var
from pylf.ir.traverse import bodies, variables, walk
from pylf.ir.types import ANY, ENTITY, INTEGER, RELATION, LiteralType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pylf.errors import Span
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct, Direction, Form
    from pylf.ir.terms import Constant, Iri, Term
    from pylf.ir.types import Type

#: The body that always holds.
ALWAYS = Body()
#: The body that never holds.
NEVER = Body((Union(()),))


def join(*parts: Body | Conjunct) -> Body:
    """All parts hold."""
    if len(parts) == 1 and isinstance(parts[0], Body):
        conjuncts = parts[0].conjuncts
    else:
        flat: list[Conjunct] = []
        for part in parts:
            if isinstance(part, Body):
                flat += part.conjuncts
            else:
                flat.append(part)
        conjuncts = tuple(flat)
    for conjunct in conjuncts:
        if isinstance(conjunct, (Union, Member)) and never_holds(conjunct):
            return Body((Union((), conjunct.span),))
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Body) else Body(conjuncts)


def negate(body: Body, span: Span | None = None, apart: bool = False) -> Body:
    """``body`` has no solution that agrees with what is bound around it."""
    if not body.conjuncts:
        return Body((Union((), span),))
    if never(body):
        return ALWAYS
    return Body((Not(body, apart, span),))


def union(arms: Iterable[Body], span: Span | None = None) -> Body:
    """At least one arm holds."""
    flat: list[Body] = []
    for arm in arms:
        match arm:
            case Body(()):
                return ALWAYS
            case Body((Union(inner),)):
                flat += inner
            case _:
                flat.append(arm)
    flat = [arm for arm in flat if not never(arm)]
    if len(flat) == 1 and LATE.isdisjoint(map(type, flat[0].conjuncts)):
        return flat[0]
    return Body((Union(tuple(flat), span),))


def project(outputs: tuple[Var, ...], body: Body, span: Span | None = None) -> Body:
    """The distinct rows of ``outputs`` over a closed ``body``."""
    match body:
        case Body((Project(inner) as same,)) if inner == outputs:
            return Body((same,))
        case _ if never(body):
            return Body((Union((), span),))
        case _:
            return Body((Project(outputs, body, span),))


def count(result: Var, of: Var, body: Body, group: tuple[Var, ...] = (), span: Span | None = None) -> Body:
    """``result`` is the number of distinct values of ``of`` over a closed ``body``, per row of ``group``."""
    if not never(body):
        return Body((Count(result, of, body, group, span),))
    if group:
        return Body((Union((), span),))
    return Body((Member(result, (Literal("0", XSD_INTEGER),), span),))


def extreme(
    direction: Direction, item: Var, key: Var, body: Body, kind: Kind = Kind.ANY, span: Span | None = None
) -> Body:
    """The values of ``item`` whose ``key`` is the extreme one over a closed ``body``, with all ties."""
    return Body((Union((), span) if never(body) else Extreme(direction, item, key, body, kind, span),))


def top_k(
    direction: Direction, k: int, item: Var, key: Var, body: Body, kind: Kind = Kind.ANY, span: Span | None = None
) -> Body:
    """The ``k`` best values of ``item`` by ``key`` over a closed ``body``, ties at the last place kept. (The best one
    alone is no :func:`extreme`: an item in two spellings is one here, with the better of their keys.)"""
    return Body((Union((), span) if never(body) else TopK(direction, k, item, key, body, kind, span),))


def triple(subject: Term, predicate: Term, object_: Term, span: Span | None = None) -> Body:
    """The triple is in the graph."""
    if isinstance(subject, Literal) or isinstance(predicate, Literal):
        return Body((Union((), span),))
    return Body((Triple(subject, predicate, object_, span),))


def instance_of(term: Term, classes: Iterable[Iri], span: Span | None = None) -> Body:
    """``term`` is an instance of at least one of ``classes``, each named once."""
    classes = tuple(dict.fromkeys(classes))
    if not classes or isinstance(term, Literal):
        return Body((Union((), span),))
    return Body((InstanceOf(term, classes, span),))


def member(term: Term, values: Iterable[Constant], span: Span | None = None) -> Body:
    """``term`` is one of ``values``, each named once."""
    values = tuple(dict.fromkeys(values))
    if isinstance(term, Var):
        return Body((Member(term, values, span),))
    return ALWAYS if term in values else Body((Union((), span),))


def compare(op: Op, left: Term, right: Term, kind: Kind = Kind.ANY, span: Span | None = None) -> Body:
    """``left op right`` by value; what is the same term is the same value, of whatever kind."""
    if op is Op.IS and kind is Kind.ANY and left == right:
        return ALWAYS
    return Body((Compare(op, left, right, kind, span),))


def path(
    nodes: tuple[Term, ...], relations: tuple[Term, ...], forward: tuple[bool, ...], span: Span | None = None
) -> Body:
    """An ordered walk of at least one hop, none of which starts at a literal."""
    hops = zip(nodes, nodes[1:], relations, forward, strict=False)
    if any(isinstance(a if ahead else b, Literal) or isinstance(r, Literal) for a, b, r, ahead in hops):
        return Body((Union((), span),))
    return Body((Path(nodes, relations, forward, span),))


def closure(subject: Term, relation: Iri, object_: Term, minimum: int = 1, span: Span | None = None) -> Body:
    """``subject`` reaches ``object_`` by ``minimum`` (0 or 1) or more steps of ``relation``."""
    if minimum == 0 and subject == object_:
        return ALWAYS
    if minimum == 1 and isinstance(subject, Literal):
        return Body((Union((), span),))
    return Body((Closure(subject, relation, object_, minimum, span),))


def left_join(body: Body, span: Span | None = None, was: Body | None = None) -> Body:
    """Each solution of what stands beside, extended by those of ``body`` that agree with it, if any.

    Where ``body`` never holds what it binds is always open: it goes on binding, for those who look at it, what ``was``,
    the body that it came from, bound.
    """
    if not body.conjuncts:
        return ALWAYS
    if never(body) and was is not None:
        names = sorted(bound(was) | opened(was))
        body = Body(tuple([Member(Var(name), (), span) for name in names]))
        if not names:
            return ALWAYS
    return Body((LeftJoin(body, span),))


def condition(expression: Expression, span: Span | None = None) -> Body:
    """The effective boolean value of ``expression`` is true."""
    if expression == TRUE:
        return ALWAYS
    if expression == FALSE:
        return Body((Union((), span),))
    if isinstance(expression, Apply) and expression.function == "&&":
        return join(*[condition(part, span) for part in expression.arguments])
    return Body((Condition(expression, span),))


def extend(result: Var, expression: Expression, span: Span | None = None) -> Body:
    """``result`` is the value of ``expression``, and open where it has none."""
    return Body((Extend(result, expression, span),))


def aggregate(
    reductions: Iterable[Reduction], body: Body, group: tuple[Var, ...] = (), span: Span | None = None
) -> Body:
    """What ``reductions`` make of the solutions of a closed ``body``, a bag, per row of ``group``."""
    if group and never(body):
        return Body((Union((), span),))
    return Body((Aggregate(tuple(reductions), body, group, span),))


def slice_(
    outputs: tuple[Var, ...],
    body: Body,
    order: Iterable[Order] = (),
    limit: int | None = None,
    offset: int = 0,
    distinct: bool = False,
    span: Span | None = None,
) -> Body:
    """The rows of ``outputs`` over a closed ``body``, in ``order``: ``limit`` of them after the first ``offset``."""
    if limit == 0 or never(body):
        return Body((Union((), span),))
    return Body((Slice(outputs, body, tuple(order), limit, offset, distinct, span),))


def query(
    form: Form,
    outputs: tuple[Var, ...],
    body: Body,
    types: Mapping[str, Type] | Iterable[tuple[str, Type]] = (),
    span: Span | None = None,
) -> Query:
    """A query whose types cover exactly the variables that occur, sorted by name.

    Types of variables that do not occur are dropped; a variable without one gets what its places tell: a relation as
    a predicate, an integer as the result of a count, a literal as that of another computation that gives no others, an
    entity as a subject, else unknown.
    """
    known = dict(types)
    names = variables(Query(form, outputs, body))
    if not all(name in known for name in names):
        known = _told(body) | known
    return Query(form, outputs, body, tuple((name, known.get(name, ANY)) for name in sorted(names)), span)


def _told(body: Body) -> dict[str, Type]:
    """The types that the conjuncts of a body tell."""
    told: dict[str, Type] = dict.fromkeys(_entities(body), ENTITY)
    for conjunct in walk(body):
        match conjunct:
            case Triple(_, Var(name)) | Confidence(_, Var(name)):
                told[name] = RELATION
            case Path(_, steps):
                told |= {step.name: RELATION for step in steps if isinstance(step, Var)}
            case Count(result):
                told.setdefault(result.name, INTEGER)
            case Aggregate(reductions):
                for one in reductions:
                    if one.function == "count":
                        told.setdefault(one.result.name, INTEGER)
                    elif one.function in ("sum", "avg", "group_concat"):
                        told.setdefault(one.result.name, LiteralType())
            case _:
                pass
    return told


def _entities(body: Body) -> set[str]:
    """The variables that are entities wherever the body holds, as some conjunct has it. What a union or a negation says
    of a variable counts where nothing beside it mentions the variable, and where all arms that do say the same."""
    found: set[str] = set()
    for place, conjunct in enumerate(body.conjuncts):
        match conjunct:
            case Triple(subject) | Confidence(subject) | Closure(subject, _, _, 1) | InstanceOf(subject):
                found |= {subject.name} if isinstance(subject, Var) else set()
            case Path():
                found |= {subject.name for subject, _, _ in conjunct.hops if isinstance(subject, Var)}
            case Not() | Union() | LeftJoin():
                parts = [(_entities(part), mentioned_in(part)) for part in bodies(conjunct)]
                others = Body((*body.conjuncts[:place], *body.conjuncts[place + 1 :]))
                free = set().union(*(told for told, _ in parts)) - mentioned_in(others)
                found |= {name for name in free if all(name in told or name not in said for told, said in parts)}
            case _:
                for part in bodies(conjunct):
                    found |= _entities(part)
    return found
