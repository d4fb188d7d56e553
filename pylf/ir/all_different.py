"""Pairwise difference: the reading in which no two nodes of a question may be one entity.

The SPARQL that GrailQA publishes asks so of all its variables, topic entities included. It is no part of what programs
mean (the siblings of someone's siblings include that person), so it is there on request alone.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.ir.nodes import Body, Closure, Compare, Kind, Member, Not, Op, Triple
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import bodies, with_bodies
from pylf.ir.types import EntityType, LiteralType
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.errors import Span
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.types import Type

#: Nodes of one body; each pair of them makes a conjunct.
MAX_NODES = 100


def all_different(query: Query) -> Query:
    """The query, with all entities that it speaks of told to be different.

    Each body, those of sub-queries and of unions too, has its own variables told apart from each other, and from every
    entity that the query names. What is negated is left as it is, and so are values: two things of which neither is
    known to be an entity may be equal.

    Raises:
        CompileError: a body has more than MAX_NODES nodes (``too-large``).
    """
    named = {node: None for body in _asserted(query.body) for node in _nodes(body) if isinstance(node, Iri)}
    return replace(query, body=_told_apart(query.body, tuple(named), dict(query.types), query.span))


def _told_apart(body: Body, named: tuple[Iri, ...], types: dict[str, Type], span: Span | None) -> Body:
    conjuncts: list[Conjunct] = [
        conjunct
        if isinstance(conjunct, Not)
        else with_bodies(conjunct, tuple(_told_apart(inner, named, types, span) for inner in bodies(conjunct)))
        for conjunct in body.conjuncts
    ]
    free = dict.fromkeys(
        node for node in _nodes(body) if isinstance(node, Var) and not isinstance(types.get(node.name), LiteralType)
    )
    if len(free) + len(named) > MAX_NODES:
        message = f"a question of more than {MAX_NODES} nodes has too many pairs to tell apart"
        raise CompileError((Diagnostic("too-large", message, span),))
    given = {c.term: c.values for c in body.conjuncts if isinstance(c, Member)}
    entities = {var for var in free if isinstance(types.get(var.name), EntityType)}
    pairs: list[tuple[Var, Var | Iri]] = [
        (one, other)
        for one, other in combinations(free, 2)
        if (one in entities or other in entities) and not set(given.get(one, ())) & set(given.get(other, ()))
    ]
    # a variable that is given as an entity is one node with that entity, wherever else it is named
    pairs += [(var, iri) for var in free for iri in named if iri not in given.get(var, ())]
    conjuncts += [Not(Body((Compare(Op.IS, left, right, Kind.ANY),))) for left, right in pairs]
    return Body(tuple(conjuncts))


def _asserted(body: Body) -> Iterator[Body]:
    """The body and all in it that is not negated."""
    yield body
    for conjunct in body.conjuncts:
        if not isinstance(conjunct, Not):
            for inner in bodies(conjunct):
                yield from _asserted(inner)


def _nodes(body: Body) -> Iterator[object]:
    """What the edges of a body lead from and to."""
    for conjunct in body.conjuncts:
        if isinstance(conjunct, Triple | Closure):
            yield conjunct.subject
            yield conjunct.object
