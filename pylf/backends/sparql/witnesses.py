"""Parts of a group of which only matters that there is something: *has some r at all*.

A group with a negation is a join, and then a check of every row of it. What binds no variable that is needed only
multiplies those rows: partial completeness asks for some triple of every relation that it negates. Such a part is asked
for by EXISTS, once a row, and the negation is checked as often as there are candidates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql.frame import looks_at, names_of
from pylf.backends.sparql.grounds import passes_on
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import InstanceOf, Triple
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from pylf.backends.sparql.frame import Atom, Frame


def taken_out(frame: Frame) -> list[list[Atom]]:
    """The parts of a frame that only have to exist; they are its own no longer.

    A part holds triples between variables, and types, that share variables which nothing else looks at. It goes where
    what remains binds all other variables of it; a part that starts from a constant stays, since it keeps rows few.
    """
    needed = set(frame.needed)
    for test in frame.tests:
        needed |= looks_at(test)
    for negation in frame.negations:
        needed |= mentioned_in(negation.body)
    parts = [part for part in _parts(frame, needed) if all(map(_open, part))]
    parts.sort(key=len, reverse=True)
    return [part for part in parts if _take(part, needed, frame)]


def _open(atom: Atom) -> bool:
    match atom:
        case Triple(subject, _, object_):
            return isinstance(subject, Var) and isinstance(object_, Var)
        case InstanceOf():
            return True
        case _:
            return False


def _parts(frame: Frame, needed: set[str]) -> list[list[Atom]]:
    """The atoms that share variables which are not needed, in groups; those without such a variable are left out."""
    parts: list[tuple[set[str], list[Atom]]] = []
    for atom in frame.atoms:
        names = {name for name in names_of(atom) if name not in needed}
        if not names:
            continue
        together = [atom]
        apart: list[tuple[set[str], list[Atom]]] = []
        for part in parts:
            if names.isdisjoint(part[0]):
                apart.append(part)
            else:
                names |= part[0]
                together = [*part[1], *together]
        parts = [*apart, (names, together)]
    return [atoms for _, atoms in parts]


def _take(part: list[Atom], needed: set[str], frame: Frame) -> bool:
    """Takes a part out of the frame, where the rest of the frame binds what is needed of it."""
    binders = frame.binders
    inside = {id(atom) for atom in part}
    names = {name for atom in part for name in names_of(atom)}
    tied = names & needed
    if not tied or any(all(id(atom) in inside or passes_on(atom) for atom in binders.get(name, ())) for name in tied):
        return False
    frame.atoms = [atom for atom in frame.atoms if id(atom) not in inside]
    for name in names:
        left = [atom for atom in binders.get(name, ()) if id(atom) not in inside]
        if left:
            binders[name] = left
        else:
            binders.pop(name, None)
    return True
