"""Writes the triples of a relation and of its inverse in one direction, so that what says the same looks the same.

A pair of inverses is one of which the schema says of each that it is the other's. Two things may be known of it:

- The graph stores both directions, each triple of the one being the reverse of one of the other. That is so where the
  pair was *found* in the data ("inverse" is among the ``inferred`` fields of both: only exact pairs are), or the
  schema's meta key ``inverses`` is ``mirrored``; counts that contradict it put the pair aside, while equal counts alone
  prove nothing. Then the direction is that of the relation whose IRI comes first, and no answer changes.
- The graph stores one direction only: the other is counted with no triples. By the letter of the graph what is asked in
  that direction is not there, and so it stays, unless the meta key ``inverses`` is ``entailed``: OWL's reading, in
  which the one triple entails the other. Then the direction is the one that is stored, and the answers are those on the
  graph with the reverse triples added to it. A relation with literal objects is left alone, for they have no reverse.

With ``entailed``, pairs of which each direction holds some triples and neither all are left as they are. So are, here
as everywhere, a relation that is its own inverse, variables in the place of a relation, confidences, and memberships in
signature classes. A triple whose object is a literal, or a variable that is typed as one, keeps its direction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.nodes import Closure, Path, Triple
from pylf.ir.scope import never
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.traverse import rewrite, walk
from pylf.ir.types import LiteralType

if TYPE_CHECKING:
    from collections.abc import Container

    from pylf.ir.nodes import Body, Conjunct, Query
    from pylf.ir.passes.context import Context
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.terms import Term

#: So many relations are remembered with a schema.
_MOST_KEPT = 10_000


def run(query: Query, context: Context) -> Query:
    """The query with each triple of a pair of inverses in the pair's one direction."""
    if never(query.body):
        return query
    if context.target.starts_from_classes and context.schema.source.meta("inverses") != "entailed":
        return query  # the graph holds both directions; the engine plans by the one that is written
    directions = _directions(context.schema)
    if not any(directions.turned(conjunct) for conjunct in walk(query)):
        return query
    literals = frozenset([name for name, type_ in query.types if isinstance(type_, LiteralType)])

    def oriented(node: Body | Conjunct) -> Body | Conjunct:
        match node:
            case Triple(subject, Iri(relation), object_) if other := directions.of(relation):
                if _is_entity(object_, literals):
                    return build.triple(object_, Iri(other), subject, node.span)
            case Closure(subject, Iri(relation), object_, minimum) if other := directions.of(relation):
                if _is_entity(object_, literals):
                    return build.closure(object_, Iri(other), subject, minimum, node.span)
            case Path():
                return _oriented_path(node, directions, literals)
            case _:
                pass
        return node

    return rewrite(query, oriented)


def _oriented_path(path: Path, directions: _Directions, literals: Container[str]) -> Body | Path:
    """The path with the same nodes in the same order, each hop by the relation that its pair is written by."""
    relations, forward = list(path.relations), list(path.forward)
    for place, relation in enumerate(path.relations):
        other = directions.of(relation.value) if type(relation) is Iri else None
        if other is not None and _is_entity(path.nodes[place + 1 if forward[place] else place], literals):
            relations[place], forward[place] = Iri(other), not forward[place]
    if tuple(forward) == path.forward:
        return path
    return build.path(path.nodes, tuple(relations), tuple(forward), path.span)


def _is_entity(object_: Term, literals: Container[str]) -> bool:
    """Whether an object may stand as a subject."""
    return object_.name not in literals if type(object_) is Var else not isinstance(object_, Literal)


# --- what the schema proves -------------------------------------------------------------------------------------------


def _directions(schema: Schema) -> _Directions:
    """In which direction pairs are written under a schema; kept with it."""
    known = schema.meanings.get("orient-inverses")
    if not isinstance(known, _Directions):
        known = schema.meanings["orient-inverses"] = _Directions(schema)
    return known


class _Directions:
    """The relation by whose reverse each relation is written."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._reading = schema.source.meta("inverses")
        self._known: dict[str, str | None] = {}

    def turned(self, conjunct: Conjunct) -> bool:
        """Whether a conjunct names a relation that is written by another."""
        match conjunct:
            case Triple(_, Iri(relation)) | Closure(_, Iri(relation)):
                return self.of(relation) is not None
            case Path(_, relations):
                return any(type(relation) is Iri and self.of(relation.value) is not None for relation in relations)
            case _:
                return False

    def of(self, relation: str) -> str | None:
        """The inverse that a relation is written by; None where it is written by itself."""
        if relation in self._known:
            return self._known[relation]
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()  # relations come from programs: there is no end to them
        found = self._known[relation] = self._found(relation)
        return found

    def _found(self, iri: str) -> str | None:
        asked = self._schema.relation(iri)
        if asked is None or asked.inverse is None or asked.inverse == iri:
            return None
        other = self._schema.relation(asked.inverse)
        if other is None or other.inverse != iri:
            return None
        if _mirrored(asked, other, self._reading):
            return other.iri if other.iri < iri else None
        if self._reading == "entailed" and asked.triples == 0 and other.triples and _all_reversible(other):
            return other.iri
        return None


def _mirrored(one: Relation, other: Relation, reading: str | None) -> bool:
    """Whether each triple of the one relation is the reverse of one of the other."""
    found = "inverse" in one.inferred and "inverse" in other.inferred
    if reading != "mirrored" and not (found and one.triples is not None and other.triples is not None):
        return False
    crossed = (one.triples, one.subjects, one.objects), (other.triples, other.objects, other.subjects)
    fits = all(mine is None or theirs is None or mine == theirs for mine, theirs in zip(*crossed, strict=True))
    return fits and all(relation.profile is None or _all_reversible(relation) for relation in (one, other))


def _all_reversible(relation: Relation) -> bool:
    """Whether all objects of a relation have been counted as entities."""
    return relation.profile is not None and relation.profile.entities == relation.triples
