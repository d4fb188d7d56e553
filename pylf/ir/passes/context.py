"""What a pass may look at besides the query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.target import GENERIC
from pylf.records import record

if TYPE_CHECKING:
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.target import Target


@record(eq=False)
class Context:
    """The schema and the vocabulary that a query is read by, and the engine that it is for.

    The schema's statistics, where it has any, are those of the graph that is asked: a pass may rest on them.
    """

    schema: Schema
    vocabulary: Vocabulary
    target: Target = GENERIC
