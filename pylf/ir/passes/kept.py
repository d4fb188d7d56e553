"""What a query stands on, whatever is left out of it: the one reason for which a pass's change is dropped.

Passes leave out what the rest of a query says, and what never holds. By what queries mean they may; but three rules of
:mod:`pylf.ir.verify` ask for a conjunct to be *there*, and the last one that keeps such a rule has to stay:

- a number is asked for by its own count, even where nothing is left to be counted;
- a variable that is typed as a relation is the predicate of something;
- a variable that is bound in a body is named anew in no other part of the query. Where a body stops binding one, what
  is left of it in two parts, such as two arms, is two variables by one name.

Passes need not know this: :mod:`pylf.ir.passes.manager` asks after each of them, and the query stays as it was. So it
does where a bag would have other variables than before; that each pass sees to itself (:mod:`pylf.ir.passes.barriers`),
and it is asked once more because nothing in what it makes would show it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir.nodes import Confidence, Count, Form, LeftJoin, Not, Path, Triple, Union
from pylf.ir.passes.barriers import bags
from pylf.ir.scope import bound, exports, never
from pylf.ir.terms import Var
from pylf.ir.traverse import bodies, terms, walk
from pylf.ir.types import RelationType

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from pylf.ir.nodes import Body, Query

_NOTHING: frozenset[str] = frozenset()


def lost(before: Query, after: Query) -> bool:
    """Whether ``before`` stood on something that ``after`` has no more: its count, the predicate that a variable is, or
    what bound a variable for several parts. Neither what is bound nowhere nor what is named twice though nothing was
    left out is such a loss: these are faults of a pass."""
    if after.form is Form.NUMBER and not _counts(after):
        return True
    if {name for name, type_ in after.types if isinstance(type_, RelationType)} - _predicates(after):
        return True
    try:
        apart = _apart(after)
    except InvalidIR:  # nested too deep, which is another fault
        return False
    if not apart:
        return False
    was, now = _occurrences(before), _occurrences(after)
    return all(now[name] < was[name] for name in apart)


def recounted(before: Query, after: Query) -> bool:
    """Whether a bag that both have has other variables than it had, so that its solutions are others."""
    now = dict(bags(after))
    return bool(now) and any(names in now and now[names] != was for names, was in bags(before))


def _counts(query: Query) -> bool:
    """Whether the number that a query asks for is the result of a count without groups."""
    return any(
        isinstance(conjunct, Count) and not conjunct.group and (conjunct.result,) == query.outputs
        for conjunct in query.body.conjuncts
    )


def _predicates(query: Query) -> set[str]:
    """The variables that are predicates somewhere."""
    found: set[str] = set()
    for conjunct in walk(query):
        match conjunct:
            case Triple(_, Var(name)) | Confidence(_, Var(name)):
                found.add(name)
            case Path(_, relations):
                found.update([relation.name for relation in relations if isinstance(relation, Var)])
            case _:
                pass
    return found


def _apart(query: Query) -> set[str]:
    """The variables that several parts of a query have, none of which sees the others'.

    Raises:
        InvalidIR: bodies nest too deep.
    """
    found: set[str] = set()
    #: the scope that each variable belongs to, by number
    homes: dict[str, int] = {}
    scopes = 0
    #: bodies, what is bound around each and seen in it, what belongs to the scope around it, and their own scope
    todo: list[tuple[Body, AbstractSet[str], AbstractSet[str], int]] = [(query.body, _NOTHING, _NOTHING, 0)]
    while todo:
        body, around, exported, scope = todo.pop()
        here = bound(body, around)
        found.update([name for name in here - around - exported if homes.setdefault(name, scope) != scope])
        # where something never holds, variables need no binding: each is taken to be seen
        visible = {name for name, _ in query.types} if never(body) else here | around
        for conjunct in body.conjuncts:
            inner = bodies(conjunct)
            scopes += 1  # the arms of a union share theirs
            if isinstance(conjunct, Not | Union | LeftJoin):
                todo += [(one, visible, _NOTHING, scopes) for one in inner]
            elif inner:
                todo += [(one, _NOTHING, exports(conjunct), scopes) for one in inner]
    return found


def _occurrences(query: Query) -> Counter[str]:
    """How often each variable occurs."""
    return Counter([term.name for conjunct in walk(query) for term in terms(conjunct) if isinstance(term, Var)])
