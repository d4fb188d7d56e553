"""Rows as an engine gives them, as the answers of a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import EngineError, InvalidIR
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.ir.terms import Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.ir.answers import Row


def answers_of(form: Form, rows: Sequence[Row]) -> Answers:
    """The answers in the solutions of a SELECT, its columns in the order of the query's outputs.

    Raises:
        EngineError: a number is asked for and something else comes.
        InvalidIR: a number is asked for and none comes, since something beside the count does not hold.
        ValueError: the form is ``BOOLEAN``, which no SELECT answers.
    """
    match form:
        case Form.SET:
            return Answers.of_values(row[0] for row in rows if row[0] is not None)
        case Form.NUMBER:
            return Answers.of_number(_number(rows))
        case Form.ROWS | Form.SUBGRAPH:
            return Answers.of_rows(rows, form)
        case Form.BOOLEAN:
            raise ValueError("a yes or no has no rows")


def _number(rows: Sequence[Row]) -> int:
    if not rows:
        # as the reference evaluator has it: the engine is not to blame
        raise InvalidIR("a number query answers with one integer, this one found none: what stands beside it fails")
    if len(rows) != 1:
        raise EngineError(f"the engine answers a count with {len(rows)} rows")
    node = rows[0][0]
    try:
        return int(node.lexical) if isinstance(node, Literal) else int("")
    except ValueError:
        raise EngineError(f"the engine answers a count with {node}") from None
