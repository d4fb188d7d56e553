"""The operators of s-expressions: how each is written, how many arguments it takes, and other spellings of them."""

from __future__ import annotations

from typing import NamedTuple


class Operator(NamedTuple):
    """``name`` is the published spelling, ``usage`` the form shown in messages; ``most`` is None without a limit."""

    name: str
    usage: str
    least: int
    most: int | None


_ALL = (
    Operator("JOIN", "(JOIN r X)", 2, 2),
    Operator("AND", "(AND X Y)", 2, None),
    Operator("R", "(R r)", 1, 1),
    Operator("COUNT", "(COUNT X)", 1, 1),
    Operator("ARGMAX", "(ARGMAX X r)", 2, 2),
    Operator("ARGMIN", "(ARGMIN X r)", 2, 2),
    Operator("lt", "(lt r 5)", 2, 2),
    Operator("le", "(le r 5)", 2, 2),
    Operator("gt", "(gt r 5)", 2, 2),
    Operator("ge", "(ge r 5)", 2, 2),
    Operator("TC", "(TC X r 1996)", 3, 3),
)

#: By the published name, as messages list them.
OPERATORS = {operator.name: operator for operator in _ALL}

#: Signs that models write for a comparison.
_SIGNS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}

_SPELLINGS = (
    {operator.name.upper(): operator for operator in _ALL}
    | {sign: OPERATORS[name] for sign, name in _SIGNS.items()}
    | OPERATORS
)

#: Words that are operators wherever they stand: the published spellings, and signs.
_RESERVED = frozenset((*OPERATORS, *_SIGNS, "=", "==", "!="))

#: What people and models write out of habit from other notations, and how s-expressions say it.
HABITS = {
    "=": "(JOIN r 5)",
    "==": "(JOIN r 5)",
    "EQ": "(JOIN r 5)",
    "EQUAL": "(JOIN r 5)",
    "LESS": "(lt r 5)",
    "LESSTHAN": "(lt r 5)",
    "GREATER": "(gt r 5)",
    "GREATERTHAN": "(gt r 5)",
    "LEQ": "(le r 5)",
    "LTE": "(le r 5)",
    "GEQ": "(ge r 5)",
    "GTE": "(ge r 5)",
    "CMP": "(lt r 5)",
    "FILTER": "(lt r 5)",
    "MAX": "(ARGMAX X r)",
    "MIN": "(ARGMIN X r)",
    "ARG": "(ARGMAX X r)",
    "INTERSECT": "(AND X Y)",
    "INTERSECTION": "(AND X Y)",
    "INV": "(R r)",
    "INVERSE": "(R r)",
    "REVERSE": "(R r)",
    "START": "its argument alone",
    "STOP": "its argument alone",
    "VALUES": "its argument alone",
}

#: Operators of PyLF that s-expressions have no form for, and how PyLF writes them.
PYLF_ALONE = {
    "OR": "OR(X, Y)",
    "UNION": "OR(X, Y)",
    "NOT": "JOIN('relation', X, neg=True)",
    "NEG": "JOIN('relation', X, neg=True)",
    "MINUS": "MINUS(X, Y)",
    "DIFF": "MINUS(X, Y)",
    "DIFFERENCE": "MINUS(X, Y)",
    "EXCEPT": "MINUS(X, Y)",
    "ASK": "ASK(X)",
    "CLOSURE": "JOIN(CLOSURE('relation'), X)",
    "!=": "CMP('!=', 'relation', 5)",
    "NE": "CMP('!=', 'relation', 5)",
    "NEQ": "CMP('!=', 'relation', 5)",
}


def operator_of(word: str) -> Operator | None:
    """The operator that a word names, in whichever case it is written; None where there is no such operator."""
    return _SPELLINGS.get(word) or _SPELLINGS.get(word.upper())


def is_operator(word: str) -> bool:
    """Whether a word names no thing of a graph, wherever it stands, but an operator."""
    return word in _RESERVED
