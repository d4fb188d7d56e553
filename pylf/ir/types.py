"""Types of variables and results.

An entity type is a *conjunction of unions* of class IRIs: several ``rdfs:domain`` statements intersect, a stated
``owl:unionOf`` unites. ``EntityType()`` is an entity of unknown class; ``AnyType()`` may be an entity or a literal.
"""

from __future__ import annotations

from pylf.ir.terms import XSD_INTEGER
from pylf.records import record


@record
class EntityType:
    """An entity that belongs to at least one class of every union; ``unions`` is sorted, each union too."""

    unions: tuple[tuple[str, ...], ...] = ()


@record
class LiteralType:
    """A literal; ``datatype`` is an IRI, or None where it is not known."""

    datatype: str | None = None


@record
class AnyType:
    """An entity or a literal: nothing is known."""


@record
class RelationType:
    """A relation (a variable in predicate position)."""


@record
class RowType:
    """A row of named columns: the result of a ``rows`` query."""

    columns: tuple[Type, ...] = ()


@record
class SubgraphType:
    """Triples with confidence: the result of a ``subgraph`` query."""


Type = EntityType | LiteralType | AnyType | RelationType | RowType | SubgraphType

ANY = AnyType()
ENTITY = EntityType()
INTEGER = LiteralType(XSD_INTEGER)
RELATION = RelationType()


def entity_of(*unions: tuple[str, ...]) -> EntityType:
    """An entity type in its normal form: unions sorted, none twice."""
    return EntityType(tuple(sorted({tuple(sorted(set(u))) for u in unions if u})))


def meet(left: Type, right: Type) -> Type | None:
    """The type of what belongs to both, or None where an entity would have to be a literal.

    Of two datatypes the left one is kept. Whether two datatypes, or two classes, share anything is the schema's
    knowledge (:func:`pylf.ir.schema.typing.compatible`) and is not looked at here.
    """
    if isinstance(left, AnyType):
        return right
    if isinstance(right, AnyType):
        return left
    if isinstance(left, EntityType) and isinstance(right, EntityType):
        if left.unions == right.unions or not right.unions:
            return left
        return entity_of(*left.unions, *right.unions) if left.unions else right
    if isinstance(left, LiteralType) and isinstance(right, LiteralType):
        if left.datatype is None or left.datatype == right.datatype:
            return right
        return left
    return left if left == right else None
