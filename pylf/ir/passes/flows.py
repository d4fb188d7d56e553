"""What comes out of a body, and how that changes by a join: the arithmetic of :mod:`pylf.ir.passes.cost`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The work for a look-up by what is bound, for a row put into a table of hashes, and for one that is looked up there.
LOOKUP = 18.0
BUILD = 2.0
PROBE = 2.0

#: What an engine takes a triple to find, by whether its subject and its object are bound.
GUESSED = {(False, False): 1e6, (False, True): 1e4, (True, False): 10.0, (True, True): 1.0}
#: by so much does a variable in common make a join of two tables smaller, as engines guess
_KEYED = 1e3
#: more in common make it no smaller: a float has no more digits
_MOST_KEYS = 100


class Flow:
    """What comes out of a body: ``rows``, the number of ``values`` of each variable, and the ``work`` for them.
    ``guess`` is how many rows an engine takes it for that has no statistics."""

    __slots__ = ("guess", "rows", "values", "work")

    def __init__(self, rows: float, values: dict[str, float], work: float, guess: float) -> None:
        self.rows = rows
        self.values = values
        self.work = work
        self.guess = guess

    def distinct(self, names: Iterable[str]) -> float:
        """How many different rows there are of some of the variables."""
        found = 1.0
        for name in names:
            found *= self.values.get(name, 1.0)
        return min(found, self.rows)


@record(eq=False)
class Atom:
    """A conjunct that binds variables: all of its rows. ``ends`` tells for a triple which variable is its subject and
    which its object; it is looked up by what is bound, anything else is found once and met by hashing."""

    names: tuple[str, ...]
    flow: Flow
    ends: tuple[str | None, str | None] | None = None
    #: look-ups that it takes to look for one value
    arms: int = 1


def projected(flow: Flow, names: tuple[str, ...]) -> Flow:
    """The distinct rows of some variables of a flow."""
    rows = flow.distinct(names)
    values = {name: min(rows, flow.values.get(name, rows)) for name in names}
    return Flow(rows, values, flow.work + BUILD * flow.rows, flow.guess)


def by_guess(atom: Atom) -> float:
    """What an engine begins with the least of."""
    return atom.flow.guess


def guessed(atom: Atom, state: Flow) -> float:
    """How many rows the engine takes the join of what is found so far with an atom to have."""
    if atom.ends is None:
        keys = sum(name in state.values for name in atom.names)
        return state.guess * atom.flow.guess / _KEYED ** min(keys, _MOST_KEYS)
    subject, object_ = atom.ends
    known = subject is None or subject in state.values, object_ is None or object_ in state.values
    return state.guess * GUESSED[known] * atom.arms


def meet(state: Flow, atom: Atom, guess: float) -> None:
    """Joins an atom to what is found so far: each row looked up, or both sides met by hashing."""
    flow = atom.flow
    rows = state.rows * flow.rows
    for name in atom.names:
        if name in state.values:
            rows /= max(state.values[name], flow.values[name], 1.0)
    if atom.ends is None:
        state.work += flow.work + BUILD * state.rows + PROBE * flow.rows + rows
    else:
        state.work += LOOKUP * atom.arms * state.rows + rows
    for name in atom.names:
        count = flow.values[name]
        state.values[name] = min(state.values[name], count) if name in state.values else count
    _settle(state, rows)
    state.guess = guess


def thin(state: Flow, share: float) -> None:
    """Lets a share of the rows pass."""
    _settle(state, state.rows * share)


def _settle(state: Flow, rows: float) -> None:
    state.rows = rows
    for name, count in state.values.items():
        if count > rows:
            state.values[name] = rows
