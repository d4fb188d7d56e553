"""The types that a schema gives to the ends of a relation, and whether two types can share a member.

The verdict is three-valued. Only what is *provably* disjoint is an error anywhere, so a schema that says little never
refuses a right program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pylf.ir.dates import DATE_DATATYPES
from pylf.ir.terms import RDF, RDF_LANG_STRING, RDFS, XSD
from pylf.ir.types import ANY, ENTITY, EntityType, LiteralType, Type
from pylf.ir.values import INTEGER_DATATYPES, NUMERIC_DATATYPES

if TYPE_CHECKING:
    from pylf.ir.schema.model import Relation, Schema

Verdict = Literal["compatible", "unknown", "disjoint"]

_DECIMALS = INTEGER_DATATYPES | {XSD + "decimal"}
_DATES = frozenset(DATE_DATATYPES)
#: Strings of every sort: a relation that is said to hold xsd:string often holds tagged ones, and IRIs as text.
_TEXTS = frozenset(
    (
        *(XSD + name for name in ("string", "normalizedString", "token", "language", "Name", "NCName", "NMTOKEN")),
        *(XSD + "anyURI", RDF_LANG_STRING, RDF + "PlainLiteral"),
    )
)
#: Sorts of values that share nothing: XSD keeps the value spaces of its primitive types apart.
_FAMILIES: dict[str, str] = {
    **dict.fromkeys(NUMERIC_DATATYPES, "number"),
    **dict.fromkeys(_DATES, "date"),
    **dict.fromkeys(_TEXTS, "text"),
    XSD + "boolean": "boolean",
    XSD + "time": "time",
    **{XSD + name: "recurring" for name in ("gMonth", "gDay", "gMonthDay")},
    **{XSD + name: "duration" for name in ("duration", "dayTimeDuration", "yearMonthDuration")},
    **{XSD + name: "binary" for name in ("hexBinary", "base64Binary")},
}


def domain_type(relation: Relation) -> EntityType:
    """The type of a relation's subjects."""
    return EntityType(relation.domain) if relation.domain else ENTITY


def range_type(relation: Relation) -> Type:
    """The type of a relation's objects; :data:`ANY` where they may be entities or literals.

    Several datatypes of one sort are the widest of them; of several sorts, a literal of no known datatype.
    """
    if relation.literal is False or (relation.range and not relation.datatypes):
        return EntityType(relation.range)
    if relation.literal or (relation.datatypes and not relation.range):
        return LiteralType(_widest(relation.datatypes))
    return ANY


def compatible(left: Type, right: Type, schema: Schema) -> Verdict:
    """Whether something can be of both types.

    Entities: ``disjoint`` when a union of the one and a union of the other share no instance, as stated for every
    pair of their classes; ``compatible`` when each union of one side meets one of the other by subclass, in either
    direction; else ``unknown``. An entity is no literal, and literals of different sorts (numbers, dates, texts, …)
    are disjoint.
    """
    match left, right:
        case EntityType(), EntityType():
            if left.unions == right.unions:
                return "compatible" if left.unions else "unknown"
            return _memoised(left, right, schema)
        case LiteralType(), LiteralType():
            return _literals(left.datatype, right.datatype)
        case (EntityType(), LiteralType()) | (LiteralType(), EntityType()):
            return "disjoint"
        case _:
            return "unknown"


def _memoised(left: EntityType, right: EntityType, schema: Schema) -> Verdict:
    known = schema.verdicts.get((left, right))
    if known is None:
        known = schema.verdicts[left, right] = _entities(left, right, schema)
    return known


def _entities(left: EntityType, right: EntityType, schema: Schema) -> Verdict:
    pairs = [[_unions(mine, theirs, schema) for theirs in right.unions] for mine in left.unions]
    if any("disjoint" in row for row in pairs):
        return "disjoint"
    if not left.unions or not right.unions:
        return "unknown"
    columns = zip(*pairs, strict=True)
    if all("compatible" in row for row in pairs) or all("compatible" in column for column in columns):
        return "compatible"
    return "unknown"


def _unions(left: tuple[str, ...], right: tuple[str, ...], schema: Schema) -> Verdict:
    apart = True
    for one in left:
        above = schema.superclasses(one)
        for other in right:
            if other in above or one in schema.superclasses(other):
                return "compatible"
            apart = apart and schema.disjoint(one, other)
    return "disjoint" if apart else "unknown"


def _literals(left: str | None, right: str | None) -> Verdict:
    if left is None or right is None:
        return "unknown"
    if left == right:
        return "compatible"
    one, other = _FAMILIES.get(left), _FAMILIES.get(right)
    if one is None or other is None:
        return "unknown"
    if one != other:
        return "disjoint"
    # Two sorts of text may or may not be spelled alike; numbers and dates are compared by value.
    return "unknown" if one == "text" else "compatible"


def _widest(datatypes: tuple[str, ...]) -> str | None:
    """One datatype that takes in all of them: of numbers or dates the widest, else None."""
    stated = [d for d in datatypes if d != RDFS + "Literal"]
    if len(stated) == 1:
        return stated[0]
    distinct = frozenset(stated)
    if not distinct:
        return None
    if distinct <= INTEGER_DATATYPES:
        return XSD + "integer"
    if distinct <= NUMERIC_DATATYPES:
        return XSD + ("decimal" if distinct <= _DECIMALS else "double")
    if distinct <= _DATES:
        return XSD + "date"
    return None
