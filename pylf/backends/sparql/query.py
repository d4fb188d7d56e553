"""The query tree: SPARQL 1.1 as immutable nodes, from which :mod:`pylf.backends.sparql.print` alone makes text.

Terms are those of :mod:`pylf.ir.terms`. A tree holds no prefixes, no blank nodes and no text that is spliced in.
"""

from __future__ import annotations

from pylf.ir.terms import Constant, Iri, Literal, Term, Var
from pylf.records import record


@record
class TypedString:
    """A plain string that is written with its datatype: to some stores that is another term."""

    lexical: str


# --- expressions --------------------------------------------------------------------------------------------------


@record
class Call:
    """A builtin (``REGEX``, ``IF``, …) by its name in capitals, or a cast by the IRI of its datatype."""

    function: str | Iri
    arguments: tuple[Expression, ...]


@record
class Operation:
    """``operator`` is ``!`` (one operand), a comparison, ``-``, ``*`` or ``/`` (two), ``+``, ``&&`` or ``||`` (two or
    more), or ``IN`` (the first operand among the others)."""

    operator: str
    operands: tuple[Expression, ...]


@record
class Exists:
    """``EXISTS { … }`` or, where ``negated``, ``NOT EXISTS { … }``."""

    group: Group
    negated: bool = False


@record
class Aggregate:
    """``COUNT``, ``SUM``, ``AVG``, ``MAX``, ``MIN``, ``SAMPLE`` or ``GROUP_CONCAT`` (with a separator) of an
    expression; None stands for ``*``."""

    function: str
    expression: Expression | None
    distinct: bool = False
    separator: str | None = None


Expression = Var | Iri | Literal | TypedString | Call | Operation | Exists | Aggregate

# --- patterns -----------------------------------------------------------------------------------------------------


@record
class PathExpression:
    """A property path: ``|`` and ``/`` of two or more paths, ``^``, ``+`` and ``*`` of one."""

    operator: str
    operands: tuple[Iri | PathExpression, ...]


@record
class TriplePattern:
    """A triple pattern, or a path pattern where the predicate is a path."""

    subject: Term
    predicate: Var | Iri | PathExpression
    object: Term


@record
class Stated:
    """A triple pattern under the name that it is stated by: ``GRAPH ?name { s p o }`` or, by a relation,
    ``?name <by> <<( s p o )>>`` (RDF 1.2)."""

    name: Var
    triple: TriplePattern
    by: Iri | None = None


@record
class Filter:
    """``FILTER``: keeps the solutions of its group for which the expression is true (an error is not true)."""

    expression: Expression


@record
class Bind:
    """``BIND(expression AS ?variable)``; must be the last of its group, with nothing after it but filters."""

    expression: Expression
    variable: Var


@record
class Values:
    """Inline data: at least one row, each as long as ``variables``."""

    variables: tuple[Var, ...]
    rows: tuple[tuple[Constant, ...], ...]


@record
class Group:
    """``{ … }``: patterns in the order in which they are written."""

    patterns: tuple[Pattern, ...]


@record
class UnionPattern:
    """``{ … } UNION { … }``: two arms or more."""

    arms: tuple[Group, ...]


@record
class Minus:
    """``MINUS { … }``; only ever after a pattern of its group that shares a variable with it."""

    group: Group


@record
class OptionalPattern:
    """``OPTIONAL { … }``."""

    group: Group


@record
class Transitive:
    """Zero or more steps of a relation between nodes that are no literals, by Virtuoso's option for sub-selects.

    Every node is visited once, where a path with ``*`` follows every way to it. ``known`` is the one of both that the
    steps are walked from, if either is known. No SPARQL 1.1.
    """

    start: Var
    relation: Iri
    end: Var
    known: Var | None = None


@record
class Column:
    """``(expression AS ?variable)`` among what is selected or grouped by."""

    expression: Expression
    variable: Var


@record
class Select:
    """A SELECT query; as a pattern, a sub-select. ``order_by`` holds (expression, descending) pairs."""

    projection: tuple[Var | Column, ...]
    where: Group
    distinct: bool = False
    group_by: tuple[Var | Column, ...] = ()
    having: Expression | None = None
    order_by: tuple[tuple[Expression, bool], ...] = ()
    limit: int | None = None
    offset: int = 0


@record
class Ask:
    """An ASK query."""

    where: Group


Pattern = (
    Stated
    | TriplePattern
    | Filter
    | Bind
    | Values
    | Group
    | UnionPattern
    | Minus
    | OptionalPattern
    | Transitive
    | Select
)
QueryTree = Select | Ask
