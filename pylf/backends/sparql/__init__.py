"""SPARQL from IR: :func:`emit` lowers a query into a tree (``lower``, ``query``) and prints it (``print``).

What costs a question its answer, and what does not, where the passes of ``-O2`` run first:

- A pass that breaks a rule is a bug of ours, and is loud everywhere: :class:`~pylf.errors.PassError`, which names the
  pass. To answer all the same, by the query as it was, would hide it: no result says how it was found. ``-O1`` does
  without passes.
- A right query for which the emitter finds no form is no bug of a pass. One may leave out what told the emitter enough
  of a value; so the query is written as it was before the passes, whose answers are the same, and only if that has no
  form either is it an :class:`~pylf.errors.UnsupportedOperation`.
- What a pass leaves out although the query stands on it is put back, and passes that find no end are stopped
  (:mod:`pylf.ir.passes.manager`): these cost time, and no answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.dialects import dialect_named
from pylf.backends.sparql.lower import lower_query
from pylf.backends.sparql.print import OddIri, print_tree
from pylf.errors import UnsupportedOperation

if TYPE_CHECKING:
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.query import QueryTree
    from pylf.ir.nodes import Query
    from pylf.ir.passes.manager import Observer
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

__all__ = ["emit", "emitted", "planned"]


def planned(
    query: Query,
    schema: Schema,
    vocabulary: Vocabulary,
    dialect: Dialect,
    optimize: int,
    observer: Observer | None = None,
) -> Query:
    """The query as the passes of a level leave it for an engine that speaks the dialect.

    Raises:
        InvalidIR: the query breaks a rule.
        PassError: a pass went wrong.
    """
    if optimize < 2:  # without loading what would not run
        return query
    from pylf.ir.passes import PIPELINE
    from pylf.ir.passes.context import Context
    from pylf.ir.passes.manager import optimized

    return optimized(query, Context(schema, vocabulary, dialect.target), PIPELINE, optimize, observer=observer)


def emit(
    query: Query,
    schema: Schema,
    vocabulary: Vocabulary,
    dialect: str | Dialect = "sparql11",
    optimize: int = 1,
) -> str:
    """The SPARQL text of a verified query, for an engine that speaks the dialect.

    Answers by form: SET and ROWS select the outputs, distinct as terms, in the order of the outputs; NUMBER selects
    one row with one integer; BOOLEAN is an ASK; SUBGRAPH selects subject, predicate, object (and confidence).

    ``optimize`` 0 is the plain form: one flat NOT EXISTS a negation, sub-selects where they are needed, every
    comparison guarded. From 1 on, negations take the shape that the dialect is fast at, superlatives are found once
    and outside of negations, and guards that the schema's statistics show to be needless are left out; that holds on
    the graph which the statistics are of. At 2 the passes of :mod:`pylf.ir.passes` run first.

    Raises:
        InputError: there is no such dialect.
        InvalidIR: an IRI or name cannot be written in SPARQL.
        PassError: a pass went wrong (below 2 none runs); see above.
        UnsupportedOperation: an operator has no right form in SPARQL.
    """
    return emitted(query, schema, vocabulary, dialect, optimize)[1]


def emitted(
    query: Query,
    schema: Schema,
    vocabulary: Vocabulary,
    dialect: str | Dialect = "sparql11",
    optimize: int = 1,
) -> tuple[QueryTree, str]:
    """The query tree, and the text that :func:`emit` gives; it raises the same."""
    spoken = dialect_named(dialect) if isinstance(dialect, str) else dialect
    optimized = planned(query, schema, vocabulary, spoken, optimize)
    try:
        return _written(optimized, schema, vocabulary, spoken, optimize)
    except UnsupportedOperation:
        if optimized is query:
            raise
    # a pass may take away what told the emitter enough of a value to find a form for it
    return _written(query, schema, vocabulary, spoken, optimize)


def _written(
    query: Query, schema: Schema, vocabulary: Vocabulary, spoken: Dialect, optimize: int
) -> tuple[QueryTree, str]:
    tree = lower_query(query, schema, vocabulary, spoken, optimize)
    if not spoken.strict_iris:
        return tree, print_tree(tree, spoken)
    try:
        return tree, print_tree(tree, spoken, strictly=True)
    except OddIri:
        tree = lower_query(query, schema, vocabulary, spoken, optimize, spell_iris=True)
    try:
        return tree, print_tree(tree, spoken, strictly=True)
    except OddIri as odd:
        where = f"SPARQL ({spoken.name}) here: the engine takes no such IRI (RFC 3987)"
        raise UnsupportedOperation(f"the IRI <{odd}>", where) from None
