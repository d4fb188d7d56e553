"""Graphs that keep to a schema: to domains, ranges and disjoint classes.

That a relation has an inverse, is functional or symmetric is not looked at, and neither are counts.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pylf.ir.extensions import Extension
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.typing import compatible, range_type
from pylf.ir.terms import Iri, Literal
from pylf.ir.types import ENTITY, LiteralType

if TYPE_CHECKING:
    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

    #: An entity, and the classes of which it has to be an instance of one.
    Missing = tuple[Node, tuple[str, ...]]

_MOST_ROUNDS = 8


class Keeper:
    """Tells which graphs keep to a schema, and makes others keep to it."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary) -> None:
        self.schema = schema
        self.vocabulary = vocabulary

    def keeps(self, triples: tuple[TripleRow, ...]) -> bool:
        """Whether a graph keeps to the schema."""
        return self._values_fit(triples) and not self._missing(triples) and self._apart(triples)

    def completed(self, triples: tuple[TripleRow, ...]) -> tuple[TripleRow, ...] | None:
        """The graph with the types that it lacks; None where that does not help."""
        if not self._values_fit(triples):
            return None
        for _ in range(_MOST_ROUNDS):
            missing = self._missing(triples)
            if not missing:
                return triples if self._apart(triples) else None
            added: dict[TripleRow, None] = {}
            for entity, classes in missing:
                plain = [class_ for class_ in classes if not self._is_signature(class_)]
                if not plain or not self.vocabulary.type_predicates:
                    return None
                added[entity, Iri(self.vocabulary.type_predicates[0]), Iri(plain[0])] = None
            triples = (*triples, *added)
        return None

    def _relations(self, triples: tuple[TripleRow, ...]) -> list[tuple[TripleRow, Relation]]:
        known = [(one, self.schema.relation(one[1].value)) for one in triples if isinstance(one[1], Iri)]
        return [(triple, relation) for triple, relation in known if relation is not None]

    def _values_fit(self, triples: tuple[TripleRow, ...]) -> bool:
        """Whether objects are entities or literals as ranges say."""
        for (_, _, object_), relation in self._relations(triples):
            type_ = LiteralType(object_.datatype) if isinstance(object_, Literal) else ENTITY
            if compatible(type_, range_type(relation), self.schema) == "disjoint":
                return False
        return True

    def _missing(self, triples: tuple[TripleRow, ...]) -> list[Missing]:
        """What domains and ranges ask for and the graph does not say."""
        graph = MemoryGraph(triples)
        asked: dict[Missing, None] = {}
        for (subject, _, object_), relation in self._relations(triples):
            asked |= dict.fromkeys((subject, union) for union in relation.domain)
            if not isinstance(object_, Literal):
                asked |= dict.fromkeys((object_, union) for union in relation.range)
        return [(node, union) for node, union in asked if node not in self._extension(union, graph)]

    def _apart(self, triples: tuple[TripleRow, ...]) -> bool:
        """Whether no entity is an instance of two classes that share none."""
        graph = MemoryGraph(triples)
        classes: dict[str, None] = {}
        types = [Iri(iri) for iri in self.vocabulary.type_predicates]
        for _, predicate, object_ in triples:
            if isinstance(object_, Iri) and predicate in types:
                classes[object_.value] = None
        for _, relation in self._relations(triples):
            classes |= dict.fromkeys(
                c for unions in (relation.domain, relation.range) for union in unions for c in union
            )
        members = {class_: frozenset(self._extension((class_,), graph).members()) for class_ in classes}
        return not any(
            members[one] & members[other] and self.schema.disjoint(one, other)
            for one, other in combinations(members, 2)
        )

    def _extension(self, classes: tuple[str, ...], graph: MemoryGraph) -> Extension:
        return Extension([Iri(class_) for class_ in classes], graph, self.schema, self.vocabulary)

    def _is_signature(self, class_: str) -> bool:
        known = self.schema.class_(class_)
        return known is not None and (known.subjects_of is not None or known.objects_of is not None)
