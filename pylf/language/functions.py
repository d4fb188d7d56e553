"""The functions of PyLF and what each takes: the table of docs/language.md, and the extensions beyond it."""

from __future__ import annotations

from typing import NamedTuple


class Signature(NamedTuple):
    """How a function is called: an example, how many arguments it takes (``most`` None: any number), its keywords."""

    usage: str
    least: int
    most: int | None
    keywords: tuple[str, ...] = ()
    extension: bool = False


#: Every function by name; those of the paper's Table 1 first.
FUNCTIONS = {
    "START": Signature("START('name')", 1, 1, ("kind",)),
    "JOIN": Signature("JOIN('relation', X)", 2, 2, ("neg",)),
    "AND": Signature("AND(X, Y)", 2, None),
    "COUNT": Signature("COUNT(X)", 1, 1),
    "ARG": Signature("ARG('ARGMAX', X, 'relation')", 3, 3, ("k",)),
    "CMP": Signature("CMP('<', 'relation', 5)", 3, 3),
    "STOP": Signature("STOP(X)", 1, 1),
    "OR": Signature("OR(X, Y)", 2, None, (), True),
    "MINUS": Signature("MINUS(X, Y)", 2, 2, (), True),
    "ASK": Signature("ASK(X)", 1, 1, (), True),
    "TC": Signature("TC(X, 'relation', '2008')", 3, 3, ("until",), True),
    "CLOSURE": Signature("CLOSURE('relation')", 1, 1, ("min",), True),
}

#: Every keyword of any function.
KEYWORDS = frozenset(keyword for signature in FUNCTIONS.values() for keyword in signature.keywords)

MODES = ("ARGMAX", "ARGMIN")
OPERATORS = ("<", "<=", ">", ">=")
EXTENSION_OPERATORS = ("=", "!=")
KINDS = ("class", "entity", "literal")

#: What people and models write out of habit from other notations, and how PyLF says it.
HABITS = {
    "ARGMAX": "ARG('ARGMAX', X, 'relation')",
    "ARGMIN": "ARG('ARGMIN', X, 'relation')",
    "MAX": "ARG('ARGMAX', X, 'relation')",
    "MIN": "ARG('ARGMIN', X, 'relation')",
    "LT": "CMP('<', 'relation', 5)",
    "LE": "CMP('<=', 'relation', 5)",
    "GT": "CMP('>', 'relation', 5)",
    "GE": "CMP('>=', 'relation', 5)",
    "FILTER": "CMP('<', 'relation', 5)",
    "COMPARE": "CMP('<', 'relation', 5)",
    "R": "JOIN('R_relation', X)",
    "NOT": "JOIN('relation', X, neg=True)",
    "NEG": "JOIN('relation', X, neg=True)",
    "UNION": "OR(X, Y)",
    "INTERSECT": "AND(X, Y)",
    "INTERSECTION": "AND(X, Y)",
    "DIFFERENCE": "MINUS(X, Y)",
    "EXCEPT": "MINUS(X, Y)",
    "END": "STOP(X)",
}

#: The same for comparison operators.
OPERATOR_HABITS = {
    "==": "=",
    "<>": "!=",
    "≠": "!=",
    "=<": "<=",
    "=>": ">=",
    "≤": "<=",
    "≥": ">=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "=",
    "ne": "!=",
}
