"""What a group's conjuncts come to once all of them are known: variables that are one, and variables with one value.

Both keep every solution and how often it counts: a variable goes only where another, or a constant, has its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.sparql.comparisons import as_meant
from pylf.frontends.sparql.expressions import View
from pylf.ir.expressions import with_terms_in
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Compare,
    Condition,
    Confidence,
    Count,
    Extend,
    Extreme,
    Kind,
    LeftJoin,
    Member,
    Not,
    Op,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Literal, Var
from pylf.ir.traverse import bodies, rename, terms, variables, walk, with_bodies, with_terms

if TYPE_CHECKING:
    from pylf.frontends.sparql.scope import Part, Scope
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Constant, Term


def simplified(part: Part, used: frozenset[str], scope: Scope, view: View) -> None:
    """Rewrite a part in place. ``used``: keys that something outside looks at; their variables keep their names."""
    _unify(part, used, scope, view)
    unused = {variable.name for key, variable in part.open.items() if key in part.computed and key not in used}
    while (found := _idle(part, unused)) is not None:
        part.conjuncts = [c for c in part.conjuncts if c is not found]
    kept = {scope.known[key].name for key in used if key in scope.known}
    for conjunct in list(part.conjuncts):
        match conjunct:
            case Member(Var(name), (value,)) if name not in kept and _local(name, part):
                others = [c for c in part.conjuncts if c is not conjunct]
                new = [_with_constant(c, name, value) for c in others]
                if any(name in variables(c) for c in others) and all(c is not None for c in new):
                    part.conjuncts = [c for c in new if c is not None]
                    part.computed = _without(part.computed, name, value)
                    for key in [key for key, variable in part.certain.items() if variable.name == name]:
                        del part.certain[key]
            case _:
                pass


def _idle(part: Part, names: set[str]) -> Extend | None:
    """What computes one of some variables that no conjunct looks at: what is computed stands elsewhere in the place of
    its variable, but where it is asked whether there is any."""
    for one in part.conjuncts:
        if not isinstance(one, Extend) or one.result.name not in names:
            continue
        if not any(one.result.name in variables(other) for other in part.conjuncts if other is not one):
            return one
    return None


def _without(computed: dict[str, Expression], name: str, value: Constant) -> dict[str, Expression]:
    def term(one: Term) -> Term:
        return value if one == Var(name) else one

    return {key: as_meant(with_terms_in(expression, term)) for key, expression in computed.items()}


def _local(name: str, part: Part) -> bool:
    return any(variable.name == name for variable in part.certain.values())


def _unify(part: Part, used: frozenset[str], scope: Scope, view: View) -> None:
    """``?a = ?b`` of things that are no literals, where one of the two is this group's alone: they are one variable."""
    while (pair := _pair(part, used, View(view.low, part, scope, view.beside))) is not None:
        renamed(part, scope, *pair)


def _pair(part: Part, used: frozenset[str], view: View) -> tuple[Var, Var] | None:
    """Two variables that are one, the first to be called like the second. (Looked for anew after each renaming, since
    another equality may be of what has another name by then.)"""
    names = {variable.name for variable in part.certain.values()}
    kept = {variable.name for key, variable in part.certain.items() if key in used}
    for conjunct in part.conjuncts:
        match conjunct:
            case Compare(Op.IS, Var() as left, Var() as right, Kind.ANY) if left != right:
                if not names.issuperset((left.name, right.name)) or kept.issuperset((left.name, right.name)):
                    continue
                if not (view.is_entity(left) or view.is_entity(right)) or _side_by_side(part, left, right):
                    continue
                return (right, left) if left.name in kept else (left, right)
            case _:
                pass
    return None


def _side_by_side(part: Part, left: Var, right: Var) -> bool:
    """Whether one closed body gives both of two variables: it cannot give one twice, nor be asked within for fewer."""
    for conjunct in [inner for outer in part.conjuncts for inner in walk(outer)]:
        match conjunct:
            case Project(outputs) | Slice(outputs):
                given: tuple[Var, ...] = outputs
            case Count(result, _, _, group):
                given = (result, *group)
            case Aggregate(reductions, _, group):
                given = (*[one.result for one in reductions], *group)
            case _:
                continue
        if left in given and right in given:
            return True
    return False


def renamed(part: Part, scope: Scope, old: Var, new: Var) -> None:
    """Call a variable of a part like another one, in place."""

    def term(one: Term) -> Term:
        return new if one == old else one

    names = {old.name: new.name}
    conjuncts = [rename(conjunct, names) for conjunct in part.conjuncts]
    part.conjuncts = [one for one in conjuncts if one != Compare(Op.IS, new, new)]
    part.certain = {key: new if variable == old else variable for key, variable in part.certain.items()}
    part.computed = {key: with_terms_in(computed, term) for key, computed in part.computed.items()}
    for key, variable in scope.known.items():
        if variable == old:
            scope.known[key] = new


def _with_constant(conjunct: Conjunct, name: str, value: Constant) -> Conjunct | None:
    """The conjunct with a constant in a variable's place; None where a variable has to stand there."""
    if name not in variables(conjunct):
        return conjunct
    variable = Var(name)

    def term(one: Term) -> Term:
        return value if one == variable else one

    match conjunct:
        case Triple(subject, predicate, _):
            if isinstance(value, Literal) and variable in (subject, predicate):
                return None
            return with_terms(conjunct, term)
        case Condition(expression, span):
            return Condition(as_meant(with_terms_in(expression, term)), span)
        case Extend(result, expression, span):
            return None if result == variable else Extend(result, as_meant(with_terms_in(expression, term)), span)
        case Confidence() | Project() | Count() | Extreme() | TopK() | Aggregate() | Slice():
            return None
        case Not() | Union() | LeftJoin():
            inner = []
            for body in bodies(conjunct):
                new = [_with_constant(one, name, value) for one in body.conjuncts]
                if any(one is None for one in new):
                    return None
                inner.append(Body(tuple([one for one in new if one is not None])))
            return with_bodies(conjunct, tuple(inner))
        case Member() if variable in terms(conjunct):
            return None
        case _:
            if isinstance(value, Literal) and not isinstance(conjunct, Compare):
                return None
            return with_terms(conjunct, term)
