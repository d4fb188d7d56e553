"""Chains built step by step, without a text: what a search over relations does as it goes forward and back.

A chain is a value. Each function gives a new one, so that the branches of a search share what they have in common and a
memory of chains (CCoR, arXiv 2608.22762, §III) is a list of them. Positions are counted in hops: 0 is the source, and
``len(chain.hops)`` the end. Nothing is looked up here; :func:`pylf.frontends.chain.to_pylf.to_program` translates what
was built as it does what was read, and :func:`pylf.frontends.chain.printer.print_chain` shows it.

    >>> rockets = forward(source(":boeing"), hop("spaceflight.rocket.manufacturer", back=True))
    >>> light = attach(rockets, compare([relation("spaceflight.rocket.mass")], "<", 250_000))
    >>> print_chain(light)
    ':boeing -> ~spaceflight.rocket.manufacturer [-> spaceflight.rocket.mass < 250000]'
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

from pylf.frontends.chain import tree, words

if TYPE_CHECKING:
    from collections.abc import Iterable

_T = TypeVar("_T")

Value = str | int | float | Decimal


def atom(value: Value, kind: str | None = None) -> tree.Atom:
    """A name or a value. A text means what it means in PyLF's ``START``; ``kind`` is ``'class'``, ``'entity'`` or
    ``'literal'`` where that is known.

    Raises:
        ValueError: a number that no text can hold: infinity, NaN, or one of very many digits.
    """
    if isinstance(value, str):
        return tree.Atom(value, False, kind)
    if isinstance(value, bool):
        return tree.Atom(f"{str(value).lower()}^^xsd:boolean", False, kind)
    text = str(value)
    if words.number(text) != text:
        raise ValueError(f"{text[:40]} is no number that a chain can hold")
    return tree.Atom(text, True, kind)


def source(value: Value, kind: str | None = None) -> tree.Chain:
    """The chain without hops: its answer is its source."""
    return tree.Chain(atom(value, kind))


def anything() -> tree.Chain:
    """The chain that begins with ``?``: constraints have to be attached before it means something."""
    return tree.Chain(tree.Anything())


def union(first: tree.Chain, *others: tree.Chain) -> tree.Chain:
    """What one of several chains leads to; as the source of further hops, several sources."""
    return tree.Chain(tree.Union((first, *others))) if others else first


def relation(name: str, *, back: bool = False, closure: int | None = None) -> tree.Relation:
    """A relation, walked from subject to object, or ``back``; ``closure`` is 1 for one or more steps, 0 for none or
    more."""
    return tree.Relation(name, back, closure)


def hop(name: str, *, back: bool = False, negated: bool = False, closure: int | None = None) -> tree.Hop:
    """A hop along a relation."""
    return tree.Hop(tree.Relation(name, back, closure), negated)


def negated_walk(first: tree.Relation, *further: tree.Relation) -> tree.Hop:
    """A walk along several relations that is negated as a whole."""
    return tree.Hop(first, True, further)


# -- going on and back


def forward(chain: tree.Chain, *hops: tree.Hop) -> tree.Chain:
    """The chain gone on with: to the next position, or to several."""
    return tree.Chain(chain.start, (*chain.steps, *hops))


def attach(chain: tree.Chain, constraint: tree.Constraint, at: int | None = None) -> tree.Chain:
    """The chain with a constraint at a position, after those that are there; at its end if none is given.

    Raises:
        ValueError: the chain has no such position.
    """
    index = len(chain.steps) if at is None else _end_of(chain, at)
    return tree.Chain(chain.start, (*chain.steps[:index], constraint, *chain.steps[index:]))


def prefix(chain: tree.Chain, at: int) -> tree.Chain:
    """The chain up to a position, with the constraints there.

    Raises:
        ValueError: the chain has no such position.
    """
    return tree.Chain(chain.start, chain.steps[: _end_of(chain, at)])


def backtrack(chain: tree.Chain) -> tree.Chain:
    """The chain without its last hop and what was attached after it.

    Raises:
        ValueError: it has no hop.
    """
    return prefix(chain, len(chain.hops) - 1)


def _end_of(chain: tree.Chain, at: int) -> int:
    """The index of the first step after a position."""
    places = [index for index, step in enumerate(chain.steps) if isinstance(step, tree.Hop)]
    if not 0 <= at <= len(places):
        raise ValueError(f"the chain has the positions 0 to {len(places)}, not {at}")
    return places[at] if at < len(places) else len(chain.steps)


# -- constraints


def along(hops: Iterable[tree.Hop], end: tree.Chain) -> tree.Along:
    """A constraint chain: from its position along the hops to a member of its end.

    Raises:
        ValueError: there is no hop.
    """
    return tree.Along(_some(hops), end)


def leading(chain: tree.Chain) -> tree.In:
    """A constraint chain that is read from its own source: its position is where it leads. With a class as its source
    and no hop it limits to the instances of that class."""
    return tree.In(chain)


def excluding(constraint: tree.Along | tree.Compare | tree.In) -> tree.Except:
    """What does not meet a constraint."""
    return tree.Except(constraint)


def compare(path: Iterable[tree.Relation], op: str, value: Value, *, or_none: bool = False) -> tree.Compare:
    """A comparison of what a path leads to; with ``or_none`` what leads to no value stays as well, which makes a time
    constraint of it.

    Raises:
        ValueError: there is no relation.
    """
    return tree.Compare(_some(path), op, atom(value), or_none)


def best(path: Iterable[tree.Relation], *, largest: bool, k: int | None = None, counted: bool = False) -> tree.Best:
    """An order: those with the extreme value, with one of the ``k`` best, or with most or fewest values (``counted``).

    Raises:
        ValueError: there is no relation.
    """
    return tree.Best(largest, _some(path), k, counted)


def _some(items: Iterable[_T]) -> tuple[_T, ...]:
    found = tuple(items)
    if not found:
        raise ValueError("a constraint has one relation at least")
    return found
