"""Two queries that differ only in how PyLF words them: one of several values, and a variable that is an entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.nodes import Body, Compare, InstanceOf, Member, Op, Union
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import rewrite

if TYPE_CHECKING:
    from pylf.ir.nodes import Conjunct, Query


def same_but_for_words(one: Query, other: Query) -> bool:
    """Whether the queries are equal once each ``x in (a, b)`` is a union, and each ``x is a`` is ``x in (a)``."""
    from pylf.ir.canonical import fingerprint

    return fingerprint(rewrite(one, _worded)) == fingerprint(rewrite(other, _worded))


def _worded(node: Body | Conjunct) -> Body | Conjunct:
    match node:
        case Member(term=term, values=values) if len(values) > 1:
            return Union(tuple(Body((Member(term, (value,)),)) for value in values))
        case InstanceOf(term=term, classes=classes) if len(classes) > 1:
            return Union(tuple(Body((InstanceOf(term, (iri,)),)) for iri in classes))
        case Compare(op=Op.IS, left=Var() as left, right=Iri() as right):
            return Member(left, (right,))
        case _:
            return node
