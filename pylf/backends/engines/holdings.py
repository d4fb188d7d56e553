"""Why an answer may be empty at an endpoint: it may hold nothing of a relation (another part of a split graph does)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.nodes import Closure, Confidence, Not, Path, Triple
from pylf.ir.terms import Iri
from pylf.ir.traverse import bodies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.backends.engines.http import HttpEngine
    from pylf.ir.nodes import Body, Query


def relations_of(query: Query) -> tuple[str, ...]:
    """The relations that a query needs triples of, in the order in which they are asked for: those under a negation
    are left out, and so are the predicates by which types are told."""
    return tuple(dict.fromkeys(_needed(query.body)))


def not_held(engine: HttpEngine, query: Query) -> tuple[str, ...]:
    """Of these relations, those that the endpoint has no triple of: one ASK each.

    Raises:
        EngineError: the endpoint does not tell.
    """
    return tuple([relation for relation in relations_of(query) if not engine.holds_relation(relation)])


def _needed(body: Body) -> Iterator[str]:
    for conjunct in body.conjuncts:
        match conjunct:
            case Triple(_, Iri(relation), _) | Confidence(_, Iri(relation), _, _) | Closure(_, Iri(relation), _, 1):
                yield relation
            case Path(_, relations):
                yield from [relation.value for relation in relations if isinstance(relation, Iri)]
            case Not():
                pass
            case _:
                for inner in bodies(conjunct):
                    yield from _needed(inner)
