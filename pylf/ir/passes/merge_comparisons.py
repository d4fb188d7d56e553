"""merge-comparisons: what several comparisons of one variable with constants say, said in fewer.

``?v < 5`` beside ``?v < 10`` is ``?v < 5``; ``?v <= 5`` beside ``?v >= 5`` is ``?v = 5``; what contradicts itself can
never hold; a negated comparison of what has to be a number is the opposite comparison; a union of comparisons loses
arms. Sound because a comparison with a constant, and a negation or union of nothing but such comparisons of one
variable, holds of a value or does not, whatever else the body says: :mod:`pylf.ir.comparisons` finds the fewest that
hold of exactly the same values, by the definition of a comparison, so that dates (where ``<`` and ``>=`` are not each
other's negation), NaN, values of other kinds and ill-typed literals need no rules here; nothing rests on types or on
the schema. What a body says of a variable is also known in the negations and unions within it, and decides which
constants of a membership are left. A form is taken only if it is smaller, so that rounds end. Left alone: comparisons
of two variables, those with the constant on the left where that changes what they mean, closed bodies and those of left
joins as far as what is said outside goes, and variables that are compared with more than twelve constants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.nodes import Aggregate, Body, Compare, LeftJoin, Member, Not, Query, Slice, Union
from pylf.ir.passes.barriers import closed_over, optional
from pylf.ir.scope import never
from pylf.ir.terms import Var
from pylf.ir.traverse import bodies, rebuilt, walk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pylf.ir.comparisons import Pieces
    from pylf.ir.nodes import Conjunct
    from pylf.ir.passes.context import Context

_MOST_CONSTANTS = 12


def run(query: Query, context: Context) -> Query:
    """The query with the comparisons of each variable merged; the very query where no two meet."""
    variables = _variables(query)
    if not variables:
        return query
    body = _Merging(variables).body(query.body, {})
    if body is query.body:
        return query
    return build.query(query.form, query.outputs, body, query.types, query.span)


def _variables(query: Query) -> dict[str, Pieces]:
    """The variables of which there is something to merge: two comparisons, or one and a membership."""
    compared: dict[str, list[Compare]] = {}
    members: set[str] = set()
    for conjunct in walk(query):
        if type(conjunct) is Compare:
            for term in (conjunct.left, conjunct.right):
                if type(term) is Var:
                    compared.setdefault(term.name, []).append(conjunct)
        elif type(conjunct) is Member and type(conjunct.term) is Var:
            members.add(conjunct.term.name)
    if not any(len(found) > 1 or name in members for name, found in compared.items()):
        return {}
    from pylf.ir.comparisons import Pieces, asked

    variables: dict[str, Pieces] = {}
    for name, found in compared.items():
        read = [one for comparison in found if (one := asked(comparison)) is not None]
        if (len(read) > 1 or (read and name in members)) and len({one.constant for one in read}) <= _MOST_CONSTANTS:
            variables[name] = Pieces(read)
    return variables


class _Merging:
    """Merges in all bodies of one query."""

    __slots__ = ("variables",)

    def __init__(self, variables: Mapping[str, Pieces]) -> None:
        self.variables = variables

    def body(self, body: Body, known: Mapping[str, int]) -> Body:
        """A body, smaller if it can be; ``known`` are the values that its variables can have by what is around it."""
        if never(body):
            return body
        groups = self.groups(body)
        slots: list[Body | Conjunct] = list(body.conjuncts)
        within = dict(known)
        for name, places in groups.items():
            pieces = [body.conjuncts[place] for place in places]
            if _among_members(name, places, pieces, slots):
                continue
            variable = self.variables[name]
            around = known.get(name, variable.values.everything)
            found = variable.smallest(pieces, around)
            if found is None:
                return Body((Union((), pieces[0].span),))
            within[name] = around & variable.all_of(pieces)
            if found is not pieces:
                _put(found, places, slots)
        merged = {place for places in groups.values() for place in places}
        for place, conjunct in enumerate(slots):
            if place not in merged and not isinstance(conjunct, Body):
                slots[place] = self.inner(conjunct, within)
        if all(new is old for new, old in zip(slots, body.conjuncts, strict=True)):
            return body
        return build.join(*slots)

    def groups(self, body: Body) -> dict[str, list[int]]:
        """Where in a body the pieces about each variable stand."""
        from pylf.ir.comparisons import about

        groups: dict[str, list[int]] = {}
        for place, conjunct in enumerate(body.conjuncts):
            name = about(conjunct)
            if name is not None and name in self.variables:
                groups.setdefault(name, []).append(place)
        return groups

    def inner(self, conjunct: Conjunct, known: Mapping[str, int]) -> Body | Conjunct:
        """A conjunct with the bodies within it merged."""
        old = bodies(conjunct)
        new = tuple([self.body(body, known if isinstance(conjunct, Not | Union) else {}) for body in old])
        if all(a is b for a, b in zip(new, old, strict=True)):
            return conjunct
        match conjunct:
            case LeftJoin():
                return optional(conjunct, new[0])
            case Aggregate() | Slice():
                return closed_over(conjunct, new[0])
            case _:
                return rebuilt(conjunct, new)


def _among_members(name: str, places: list[int], pieces: list[Conjunct], slots: list[Body | Conjunct]) -> bool:
    """Whether the variable is one of some constants. Then those of which the pieces hold are kept, and no piece."""
    from pylf.ir.comparisons import holds

    for place, conjunct in enumerate(slots):
        if isinstance(conjunct, Member) and conjunct.term == Var(name):
            kept = tuple([value for value in conjunct.values if all(holds(piece, value) for piece in pieces)])
            if kept != conjunct.values:
                slots[place] = Member(conjunct.term, kept, conjunct.span)
            _put((), places, slots)
            return True
    return False


def _put(found: Sequence[Conjunct], places: list[int], slots: list[Body | Conjunct]) -> None:
    """Puts conjuncts in the places of a group: what is left of it where it stood, what is new in the first free one."""
    there = {id(slots[place]) for place in places}
    kept = {id(piece) for piece in found if id(piece) in there}
    new = Body(tuple([piece for piece in found if id(piece) not in kept]))
    for place in places:
        if id(slots[place]) in kept:
            # an object may stand in several places: one is enough
            kept.remove(id(slots[place]))
        else:
            slots[place] = new
            new = build.ALWAYS
