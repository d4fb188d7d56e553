"""Triples and property paths as conjuncts (SPARQL 1.1, sections 9 and 18.2.2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.sparql import syntax
from pylf.frontends.sparql.mentions import key_of
from pylf.frontends.sparql.unions import bag_union, once
from pylf.ir import build
from pylf.ir.nodes import Body, Closure, Compare, InstanceOf, Member, Not, Op, Triple, Union
from pylf.ir.terms import Iri, Literal, Var

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.frontends.sparql.lower import Lowering
    from pylf.frontends.sparql.scope import Scope
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Constant, Term


def term_of(at: syntax.At, scope: Scope) -> Term:
    """A node of a triple: a constant, or the variable of its key."""
    key = key_of(at.term)
    if key is not None:
        return scope.var(key)
    assert isinstance(at.term, Iri | Literal)
    return at.term


def triple(low: Lowering, pattern: syntax.Triple, scope: Scope) -> list[Conjunct]:
    """The conjuncts that a triple pattern or a path between two nodes comes to."""
    near, far = term_of(pattern.subject, scope), term_of(pattern.object, scope)
    return walk(low, near, pattern.path, far, scope)


def walk(low: Lowering, near: Term, path: syntax.Path, far: Term, scope: Scope) -> list[Conjunct]:
    """``near path far``. In a bag each way to walk counts as often as SPARQL counts it: the nodes between are variables
    of the body, and closures are sets."""
    span = path.span
    match path:
        case syntax.At():
            predicate = term_of(path, scope)
            return list(build.triple(near, predicate, far, span).conjuncts)
        case syntax.Inverse(inner):
            return walk(low, far, inner, near, scope)
        case syntax.Sequence():
            return _sequence(low, near, _flat(path), far, scope)
        case syntax.Alternative(parts):
            arms = [Body(tuple(walk(low, near, part, far, scope))) for part in parts]
            return bag_union(arms, {t.name for t in (near, far) if isinstance(t, Var)}, scope, span)
        case syntax.Except(forward, backward):
            return _except(low, near, forward, backward, far, scope, span)
        case syntax.Repeated(inner, least, most):
            relation, ahead = _relation(inner)
            if most == 1:
                return _at_most_one(low, near, path, far, scope)
            if relation is None:
                low.refuse(
                    "unsupported-path",
                    "a path of several relations cannot be repeated any number of times",
                    span,
                    "repeat one relation, or write out how often",
                )
            ends = (near, far) if ahead else (far, near)
            if near == far and isinstance(near, Var) and least == 0:
                # of what has a value that is so; where nothing gives it one it is every node there is: see verify
                return [Closure(near, relation, near, 0, span)]
            return list(build.closure(ends[0], relation, ends[1], least, span).conjuncts)


def _flat(path: syntax.Path) -> list[syntax.Path]:
    if not isinstance(path, syntax.Sequence):
        return [path]
    return [step for part in path.parts for step in _flat(part)]


def _relation(path: syntax.Path) -> tuple[Iri | None, bool]:
    """The one relation that a path is, and whether it is walked along its direction; None for any other path."""
    match path:
        case syntax.At(Iri() as relation):
            return relation, True
        case syntax.Inverse(inner):
            relation_, ahead = _relation(inner)
            return relation_, not ahead
        case syntax.Sequence((one,)) | syntax.Alternative((one,)):
            return _relation(one)
        case _:
            return None, True


def _sequence(low: Lowering, near: Term, steps: list[syntax.Path], far: Term, scope: Scope) -> list[Conjunct]:
    found: list[Conjunct] = []
    if (
        len(steps) > 1
        and isinstance(far, Iri)
        and not scope.bag
        and is_type(low, steps[-2])
        and is_below(low, steps[-1])
    ):
        span = steps[-2].span.cover(steps[-1].span)
        here = near if len(steps) == 2 else scope.hidden()
        found = [InstanceOf(here, (far,), span)] if not isinstance(here, Literal) else [Union((), span)]
        if len(steps) > 2:
            found = _sequence(low, near, steps[:-2], here, scope) + found
        return found
    here = near
    for place, step in enumerate(steps):
        there = far if place == len(steps) - 1 else scope.hidden()
        found += walk(low, here, step, there, scope)
        here = there
    return found


def is_type(low: Lowering, path: syntax.Path) -> bool:
    """Whether a path is the one relation by which the vocabulary says type, the classes below being asked of the
    graph: then with :func:`is_below` behind it, it is what an instance-of means."""
    vocabulary = low.vocabulary
    relation, ahead = _relation(path)
    return (
        vocabulary.subclass_paths and ahead and relation is not None and vocabulary.type_predicates == (relation.value,)
    )


def is_below(low: Lowering, path: syntax.Path) -> bool:
    """Whether a path is that from a class to all above it, itself among them."""
    match path:
        case syntax.Repeated(inner, 0, None):
            relation, ahead = _relation(inner)
            return ahead and relation is not None and relation.value == low.vocabulary.subclass_predicate
        case _:
            return False


def _at_most_one(low: Lowering, near: Term, path: syntax.Repeated, far: Term, scope: Scope) -> list[Conjunct]:
    """``p?``: a set, as closures are."""
    span = path.span
    inside = scope.within((), bag=False)
    step = Body(tuple(walk(low, near, path.path, far, inside)))
    if isinstance(near, Var) and isinstance(far, Var):
        relation, ahead = _relation(path.path)
        if relation is None:
            low.refuse("unsupported-path", "a path of several relations cannot be optional between variables", span)
        # what is reached in any number of steps, none among them, and in none or one
        ends = (near, far) if ahead else (far, near)
        closure = Closure(ends[0], relation, ends[1], 0, span)
        return [closure, Union((Body((Compare(Op.IS, near, far, span=span),)), step), span)]
    if isinstance(near, Var) or isinstance(far, Var):
        variable, end = (near, far) if isinstance(near, Var) else (far, near)
        assert isinstance(variable, Var)
        assert not isinstance(end, Var)
        return [Union((Body((Member(variable, (end,), span),)), step), span)]
    return [] if near == far else list(once(step, scope, span).conjuncts)


def _except(
    low: Lowering,
    near: Term,
    forward: tuple[Iri, ...],
    backward: tuple[Iri, ...],
    far: Term,
    scope: Scope,
    span: Span,
) -> list[Conjunct]:
    arms = []
    for subject, object_, excluded, asked in (
        (near, far, forward, bool(forward) or not backward),
        (far, near, backward, bool(backward)),
    ):
        if asked:
            relation = scope.hidden("relation")
            conjuncts: list[Conjunct] = [Triple(subject, relation, object_, span)]
            if isinstance(subject, Literal):
                conjuncts = [Union((), span)]
            elif excluded:
                values: tuple[Constant, ...] = tuple(dict.fromkeys(excluded))
                conjuncts.append(Not(Body((Member(relation, values, span),)), span=span))
            arms.append(Body(tuple(conjuncts)))
    if len(arms) == 1:
        return list(arms[0].conjuncts)
    return bag_union(arms, {t.name for t in (near, far) if isinstance(t, Var)}, scope, span)
