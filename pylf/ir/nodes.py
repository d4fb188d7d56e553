"""The nodes of the intermediate representation: a relational algebra over named, typed variables.

A :class:`Query` asks for its ``outputs`` among the solutions of a :class:`Body`, a *set* of conjuncts. Conjuncts are
of two tiers. The **core** tier is what the four methods mean, and every pass works on it; the **wide** tier is what
real SPARQL brings in, and passes treat it as a barrier. Nodes are immutable; ``span`` points at the source that a
node came from, is kept by every rewrite, and never takes part in equality.

Scoping. Variables are named once per query. A :class:`Not` sees the variables of the bodies around it, and so does a
:class:`LeftJoin`. The bodies of :class:`Project`, :class:`Count`, :class:`Extreme`, :class:`TopK`, :class:`Aggregate`
and :class:`Slice` are *closed*: they see nothing from outside and export only the variables that their docstring names.
The arms of a :class:`Union` each bind what is used outside.

A variable that a solution may leave without value is *open*: what a :class:`LeftJoin` alone binds, the result of an
:class:`Extend`, what an :class:`Aggregate` or a :class:`Slice` exports from among them, a reduction that may have no
value, and what every arm of a union binds, and one of them leaves open. It has one binder. Conditions, extensions,
orders, reductions, groups and outputs look at it, and nothing else. Those of left joins and extensions are seen in
their own body alone; the others also by the conditions and extensions of the negations, unions and left joins beside.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from pylf.records import field, record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pylf.errors import Span
    from pylf.ir.expressions import Expression
    from pylf.ir.terms import Constant, Iri, Term, Var
    from pylf.ir.types import Type


class Op(Enum):
    """A comparison. ``IS`` is identity of values (10 is 10.0; IRIs by name), symmetric on every kind of value;
    ``EQ`` on dates is containment: the value lies within the constant's interval."""

    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    EQ = "="
    NE = "!="
    IS = "is"

    @property
    def mirrored(self) -> Op:
        """The comparison that says the same with its sides exchanged."""
        return _MIRRORED.get(self, self)


_MIRRORED = {Op.LT: Op.GT, Op.LE: Op.GE, Op.GT: Op.LT, Op.GE: Op.LE}


class Kind(Enum):
    """Which values a comparison or an order looks at; others never satisfy it.

    ``ANY`` decides value by value: numbers meet numbers, dates meet dates (an integer or a string spelled like a date
    meeting a date is that year, month or day), strings meet strings. As the order of an extreme, ``ANY`` means
    numbers if there is any number to order, else dates.
    """

    NUMBER = "number"
    DATE = "date"
    TEXT = "text"
    ANY = "any"


class Direction(Enum):
    """Which end of an order is asked for."""

    MAX = "max"
    MIN = "min"


# --- core tier: atoms ---------------------------------------------------------------------------------------------


@record
class Triple:
    """(subject, predicate, object) is in the graph; the predicate may be a variable (relation search)."""

    subject: Term
    predicate: Term
    object: Term
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class InstanceOf:
    """``term`` is an instance of at least one of ``classes`` or of a subclass; how that is asked is the schema's."""

    term: Term
    classes: tuple[Iri, ...]
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Compare:
    """``left op right`` by value (:mod:`pylf.ir.values`); ``right`` plays the constant's part on dates."""

    op: Op
    left: Term
    right: Term
    kind: Kind = Kind.ANY
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Member:
    """``term`` is one of ``values``, as a term (no value comparison). No values: never true."""

    term: Term
    values: tuple[Constant, ...]
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Confidence:
    """The triple is in the graph with the confidence that ``value`` takes; where the graph keeps it is the
    vocabulary's."""

    subject: Term
    predicate: Term
    object: Term
    value: Var
    span: Span | None = field(default=None, compare=False, shown=False)


# --- core tier: operators -----------------------------------------------------------------------------------------


@record
class Body:
    """An n-ary join: all conjuncts hold. Their order carries no meaning. No conjuncts: always true."""

    conjuncts: tuple[Conjunct, ...] = ()


@record
class Not:
    """Anti-join: ``body`` has no solution that agrees with the variables bound around it.

    ``apart`` is advice on how to find out, and part of no meaning: solve the body once, on its own, and take its
    solutions away, rather than look for one at each row around it.
    """

    body: Body
    apart: bool = field(default=False, compare=False, shown=False)
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Union:
    """At least one arm holds. Exports the variables that every arm binds and that occur outside; where an arm leaves
    one of them open it is open."""

    arms: tuple[Body, ...]
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Project:
    """The distinct rows of ``outputs`` over ``body``. Closed; exports ``outputs``."""

    outputs: tuple[Var, ...]
    body: Body
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Count:
    """``result`` is the number of distinct values of ``of`` over ``body``, per row of ``group``.

    Closed; exports ``result`` and ``group``. Without ``group`` there is always one row, 0 where nothing matches.
    """

    result: Var
    of: Var
    body: Body
    group: tuple[Var, ...] = ()
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Extreme:
    """The values of ``item`` over ``body`` whose ``key`` is the extreme one, with all ties.

    Keys that ``kind`` does not order take no part. Closed; exports ``item`` alone.
    """

    direction: Direction
    item: Var
    key: Var
    body: Body
    kind: Kind = Kind.ANY
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class TopK:
    """The values of ``item`` whose best ``key`` is beaten by the best keys of fewer than ``k`` others; ties at the
    last place are all kept. Closed; exports ``item`` alone."""

    direction: Direction
    k: int
    item: Var
    key: Var
    body: Body
    kind: Kind = Kind.ANY
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Path:
    """An ordered walk: ``nodes[i]`` to ``nodes[i+1]`` by ``relations[i]``, along the edge where ``forward[i]``, else
    against it. The hops keep their order, which a set of triples would lose."""

    nodes: tuple[Term, ...]
    relations: tuple[Term, ...]
    forward: tuple[bool, ...]
    span: Span | None = field(default=None, compare=False, shown=False)

    @property
    def hops(self) -> Iterator[tuple[Term, Term, Term]]:
        """The edges, in their order: each by its subject, relation and object."""
        for near, relation, far, ahead in zip(self.nodes, self.relations, self.nodes[1:], self.forward, strict=False):
            yield (near, relation, far) if ahead else (far, relation, near)


# --- wide tier ----------------------------------------------------------------------------------------------------


@record
class Closure:
    """``subject`` reaches ``object`` by ``minimum`` (0 or 1) or more steps of ``relation``.

    At 0 every term reaches itself, whether or not the graph holds it; one end must be bound by something else or be
    a constant.
    """

    subject: Term
    relation: Iri
    object: Term
    minimum: int = 1
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class LeftJoin:
    """Each solution of the other conjuncts, extended by every solution of ``body`` that agrees with it; where there is
    none, once as it is, and the variables that ``body`` alone binds are *open* (SPARQL's OPTIONAL).

    The body sees the variables that conjuncts other than left joins and extensions bind beside it and around it. Its
    own variables may be open, so only conditions, extensions, outputs, orders, groups and reductions look at them.
    """

    body: Body
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Condition:
    """The effective boolean value of ``expression`` is true (SPARQL 1.1, 17.2.2); no value is not true.

    Expressions are worth what SPARQL says, but that dates are compared as intervals; that numbers are compared as the
    doubles nearest to them, decimals too; and that NaN is no number: what is computed from it, and what would be it,
    has no value, and it is not unequal to anything.
    """

    expression: Expression
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Extend:
    """``result`` is the value of ``expression``, and open where it has none. Nothing else binds it; like what a left
    join leaves open, it may be looked at, not joined with."""

    result: Var
    expression: Expression
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Reduction:
    """``result`` is what ``function`` (count, sum, avg, min, max, sample, group_concat) makes of the values of ``of``:
    of one for each solution, or where ``distinct`` of each different term once. None, with count alone and never
    ``distinct``, counts solutions. What has no value is left out by count, and leaves the others' result open.

    Of nothing, count, sum and avg make 0, group_concat the empty string, the others nothing. Sum and avg have no value
    where something is no number; min and max follow :class:`Order`; sample is any value, and so is the order of what
    group_concat puts together with the ``separator``. The result is never open for count, nor for min, max and sample
    per group of a term that is not."""

    function: str
    result: Var
    of: Expression | None = None
    distinct: bool = False
    separator: str = " "


@record
class Aggregate:
    """One row for each row of ``group`` among the solutions of ``body``, with what ``reductions`` make of them; without
    ``group`` there is always one row. Closed; exports ``group`` and the results.

    A *bag*: every way of giving **all** the variables of ``body`` a value counts. What is not asked for counts too,
    so that no variable may be dropped from such a body, and none made two of.
    """

    reductions: tuple[Reduction, ...]
    body: Body
    group: tuple[Var, ...] = ()
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Order:
    """A key to order by: unbound, blank nodes, IRIs, literals, in this order; literals by value, kind by kind."""

    expression: Expression
    descending: bool = False


@record
class Slice:
    """The rows of ``outputs`` over ``body``, in ``order``: ``limit`` of them (None: all) after the first ``offset``.

    Closed; exports ``outputs``, at least one. Where ``distinct``, a row counts once, at its best place; else it is a
    bag, as in :class:`Aggregate`. Of rows that tie, which ones are in is the engine's choice.
    """

    outputs: tuple[Var, ...]
    body: Body
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int = 0
    distinct: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


CoreConjunct = (
    Triple | InstanceOf | Compare | Member | Confidence | Not | Union | Project | Count | Extreme | TopK | Path
)
WideConjunct = Closure | LeftJoin | Condition | Extend | Aggregate | Slice
Conjunct = CoreConjunct | WideConjunct


class Form(Enum):
    """What a query answers: a set of entities or values, a number, yes or no, rows, or triples with confidence."""

    SET = "set"
    NUMBER = "number"
    BOOLEAN = "boolean"
    ROWS = "rows"
    SUBGRAPH = "subgraph"


@record
class Query:
    """A whole question.

    ``outputs`` by form: SET one variable; NUMBER one variable with one integer; BOOLEAN none; ROWS one or more, in
    column order; SUBGRAPH three (subject, predicate, object) or four (and confidence).
    ``types`` holds the type of every variable that occurs, sorted by name.
    """

    form: Form
    outputs: tuple[Var, ...]
    body: Body
    types: tuple[tuple[str, Type], ...] = ()
    span: Span | None = field(default=None, compare=False, shown=False)

    @property
    def type_of(self) -> Mapping[str, Type]:
        """The types as a mapping from variable name."""
        return dict(self.types)
