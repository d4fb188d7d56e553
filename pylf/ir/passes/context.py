"""What a pass may look at besides the query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pylf.ir.target import GENERIC
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.target import Target

_T = TypeVar("_T")


@record(eq=False)
class Context:
    """The schema and the vocabulary that a query is read by, and the engine that it is for.

    The schema's statistics, where it has any, are those of the graph that is asked: a pass may rest on them.
    ``known`` is what passes have worked out for one query, by name: None where nothing is kept.
    """

    schema: Schema
    vocabulary: Vocabulary
    target: Target = GENERIC
    known: dict[str, Any] | None = None

    def for_one_query(self) -> Self:
        """The same, in which the passes over one query share what :meth:`once` makes; it is dropped with the query, so
        that it neither grows nor outlives what it was made of."""
        return type(self)(self.schema, self.vocabulary, self.target, {})

    def once(self, name: str, make: Callable[[Context], _T]) -> _T:
        """What ``make`` makes of the context, once for each query."""
        if self.known is None:
            return make(self)
        if name not in self.known:
            self.known[name] = make(self)
        found: _T = self.known[name]
        return found
