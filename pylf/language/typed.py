"""Typed set expressions: a program after its names are looked up and its types are known.

The stage between syntax and IR. Every expression has the ``type`` of its members, the ``size`` of its tree with shared
parts counted each time they are used, and ``unsafe``: None, or why its members cannot be listed without something
positive beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.types import ANY, AnyType
from pylf.records import record

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.ir.nodes import Direction, Kind, Op
    from pylf.ir.schema.model import Relation
    from pylf.ir.terms import Constant, Literal
    from pylf.ir.types import Type


@record(frozen=False, eq=False)
class Step:
    """One relation, walked from its ``near`` end (where the answers are) to its ``far`` end."""

    iri: str
    relation: Relation
    inverse: bool
    #: what a negation along it ranges over: the instances of these classes (conjunction of unions), empty if unknown
    classes: tuple[tuple[str, ...], ...]
    near: Type
    far: Type
    closure: int | None
    span: Span | None


def near_ends(steps: tuple[Step, ...], end: Type) -> list[Type]:
    """Where each step of a path begins, when the path ends in something of type ``end``: in no steps whatever it is
    reaches itself."""
    found: list[Type] = []
    for step in reversed(steps):
        end = ANY if step.closure == 0 and isinstance(end, AnyType) else step.near
        found.append(end)
    return found[::-1]


@record(frozen=False, eq=False)
class Unsafe:
    """Why the members of a set (a negative JOIN, as a rule) cannot be listed on their own."""

    relation: str
    reason: str
    span: Span | None
    hints: tuple[str, ...] = ()
    negation: bool = True


@record(frozen=False, eq=False)
class Bare:
    """``START('…')`` or ``START(10)`` whose reading depends on what it meets: an entity's label or a literal."""

    text: str
    is_number: bool
    type: Type
    span: Span | None
    size: int = 1
    unsafe: None = None
    #: the entities that bear it as their label, once that was asked
    entities: Known | Labelled | None = None


@record(frozen=False, eq=False)
class Known:
    """Named terms: one literal, or one or several entities."""

    terms: tuple[Constant, ...]
    type: Type
    span: Span | None
    size: int = 1
    unsafe: None = None


@record(frozen=False, eq=False)
class Labelled:
    """The entities that bear a label, found when the query runs; ``language`` None means any that is looked for."""

    text: str
    language: str | None
    type: Type
    span: Span | None
    size: int = 1
    unsafe: None = None


@record(frozen=False, eq=False)
class Instances:
    """The instances of a class."""

    class_iri: str
    type: Type
    span: Span | None
    size: int = 1
    unsafe: None = None


@record(frozen=False, eq=False)
class Hop:
    """JOIN along one or several steps."""

    steps: tuple[Step, ...]
    of: Expression
    negated: bool
    type: Type
    size: int
    unsafe: Unsafe | None
    span: Span | None


@record(frozen=False, eq=False)
class Meet:
    """AND."""

    sets: tuple[Expression, ...]
    type: Type
    size: int
    unsafe: Unsafe | None
    span: Span | None


@record(frozen=False, eq=False)
class AnyOf:
    """OR."""

    sets: tuple[Expression, ...]
    type: Type
    size: int
    unsafe: Unsafe | None
    span: Span | None


@record(frozen=False, eq=False)
class Without:
    """MINUS."""

    left: Expression
    right: Expression
    type: Type
    size: int
    unsafe: Unsafe | None
    span: Span | None


@record(frozen=False, eq=False)
class Size:
    """COUNT."""

    of: Expression
    type: Type
    size: int
    span: Span | None
    unsafe: None = None


@record(frozen=False, eq=False)
class Best:
    """ARG: the members with the extreme value, or with one of the ``k`` best; ``counted`` orders by how many."""

    direction: Direction
    of: Expression
    steps: tuple[Step, ...]
    kind: Kind
    k: int | None
    counted: bool
    type: Type
    size: int
    unsafe: Unsafe | None
    span: Span | None


@record(frozen=False, eq=False)
class Compared:
    """CMP."""

    op: Op
    steps: tuple[Step, ...]
    value: Literal
    kind: Kind
    type: Type
    size: int
    unsafe: Unsafe | None
    span: Span | None


@record(frozen=False, eq=False)
class Within:
    """TC: members without any value, or with one that compares."""

    of: Expression
    steps: tuple[Step, ...]
    op: Op
    value: Literal
    type: Type
    size: int
    unsafe: Unsafe | None
    span: Span | None


@record(frozen=False, eq=False)
class Exists:
    """ASK."""

    of: Expression
    type: Type
    size: int
    span: Span | None
    unsafe: None = None


@record(frozen=False, eq=False)
class Nothing:
    """The empty set: what a type clash means when it is tolerated, or what was already reported."""

    type: Type
    span: Span | None
    size: int = 1
    unsafe: None = None


Expression = (
    Bare
    | Known
    | Labelled
    | Instances
    | Hop
    | Meet
    | AnyOf
    | Without
    | Size
    | Best
    | Compared
    | Within
    | Exists
    | Nothing
)
