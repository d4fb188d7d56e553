"""Lists of constants that meet at one variable. To a store of values ``"2"^^xsd:int`` and ``"2"^^xsd:integer`` are one
term: a variable that is to be in a list of the one and in a list of the other is nothing, and the store finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import UnsupportedOperation
from pylf.ir.nodes import Member
from pylf.ir.terms import Literal, Var
from pylf.ir.traverse import bodies
from pylf.ir.values import identity

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pylf.ir.nodes import Body, Conjunct

    #: by variable, the literals of its lists by value
    _Listed = dict[str, dict[Hashable, set[Literal]]]


def check_lists(body: Body, dialect: str) -> None:
    """Sees that lists which meet at a variable do not spell one value in two ways. Those of the arms of a union do not
    meet.

    Raises:
        UnsupportedOperation: they do.
    """
    _listed(body, dialect)


def _listed(body: Body, dialect: str) -> _Listed:
    found: _Listed = {}
    for conjunct in body.conjuncts:
        for name, by_value in _listed_by(conjunct, dialect).items():
            known = found.setdefault(name, {})
            for value, literals in by_value.items():
                if known.get(value, literals) != literals:
                    spelled = " and ".join(sorted(map(str, known[value] | literals)))
                    raise UnsupportedOperation(f"lists of one variable with {spelled}", f"SPARQL ({dialect})")
                known[value] = literals
    return found


def _listed_by(conjunct: Conjunct, dialect: str) -> _Listed:
    found: _Listed = {}
    match conjunct:
        case Member(Var(name), values):
            for value in values:
                if isinstance(value, Literal):
                    found.setdefault(name, {}).setdefault(identity(value), set()).add(value)
        case _:
            for body in bodies(conjunct):
                for name, by_value in _listed(body, dialect).items():
                    for worth, literals in by_value.items():
                        found.setdefault(name, {}).setdefault(worth, set()).update(literals)
    return found
