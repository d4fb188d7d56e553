"""Where the values that a closure of zero or more steps passes on come from.

Such closures pass values on from one end to the other, and on to the next of them. A value that the graph holds is
passed on by a path ``*``. One that it does not hold stays itself on every closure that it meets, so that each end of
all of them has it from the same place: any one thing that binds an end, other than by passing on, gives it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.sparql.frame import Either
from pylf.ir.nodes import Closure, Member
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pylf.backends.sparql.frame import Atom, Frame
    from pylf.ir.terms import Constant, Term


class Ground(NamedTuple):
    """An atom that binds ``var``, other than by passing values on; a closure that ends in a constant gives that."""

    var: Var
    atom: Atom

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The values, where they are known; else none."""
        match self.atom:
            case Member(_, values):
                return tuple(dict.fromkeys(values))
            case Closure(subject, _, object_):
                return tuple([term for term in (subject, object_) if not isinstance(term, Var)])
            case _:
                return ()


def grounds(ends: tuple[Var, Var], frame: Frame, but: Sequence[Atom]) -> list[Ground]:
    """What grounds the ends of a closure, the nearest first; ``but`` are the unions that are not to be looked into."""
    found: list[Ground] = []
    todo, seen = list(ends), {end.name for end in ends}
    for var in todo:  # grows
        for atom in _binders(var.name, frame):
            if isinstance(atom, Closure) and not atom.minimum:
                other = atom.object if atom.subject == var else atom.subject
                if not isinstance(other, Var):
                    found.append(Ground(var, atom))
                elif other.name not in seen:
                    seen.add(other.name)
                    todo.append(other)
            elif not (type(atom) is Either and any(atom is one for one in but)):
                found.append(Ground(var, atom))
    return found


def passes_on(atom: Atom) -> bool:
    """Whether an atom binds one end only by what the other has."""
    return isinstance(atom, Closure) and not atom.minimum and _open(atom.subject) and _open(atom.object)


def _open(term: Term) -> bool:
    return isinstance(term, Var)


def _binders(name: str, frame: Frame | None) -> Iterator[Atom]:
    """What binds a variable here and around."""
    while frame is not None:
        yield from frame.binders.get(name, ())
        frame = frame.parent
