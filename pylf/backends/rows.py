"""How many rows queries have on a graph in this process or in a folder: counted within bounds, for people to see.

Nobody waits for a count that only illustrates something, and none may fill the memory: each is cut off at
:data:`MOST` rows, which Oxigraph finds one after the other, and at :data:`EACH` seconds. Oxigraph cannot end a query on
a graph in memory; after one that was given up there, nothing more is counted.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.patience import lasting, until
from pylf.errors import EngineError, EngineTimeout, UnsupportedOperation
from pylf.ir.terms import Literal, Var
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.backends.engines.protocol import Engine
    from pylf.backends.sparql.query import QueryTree
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

#: rows that are counted, and the seconds that one count and all of them may take
MOST = 100_000
EACH = 2.0
ALL = 10.0


class RowCounter:
    """Counts on one graph; a :data:`pylf.ir.passes.estimates.Counter`."""

    def __init__(self, engine: OxigraphEngine, schema: Schema, vocabulary: Vocabulary) -> None:
        self._engine = engine
        self._schema = schema
        self._vocabulary = vocabulary
        self._left = ALL

    @classmethod
    def of(cls, engine: Engine, schema: Schema, vocabulary: Vocabulary) -> RowCounter | None:
        """The counter of a graph; None for an endpoint, which has better to do."""
        return cls(engine, schema, vocabulary) if isinstance(engine, OxigraphEngine) else None

    def __call__(self, query: Query) -> int | str | None:
        """How many rows a ROWS query has (1 or 0 for yes or no); as text, why that was not counted to the end; None
        where the query has no form in SPARQL."""
        if self._left <= 0:
            return "not tried"
        from pylf.backends.sparql import emitted

        try:
            tree, text = emitted(query, self._schema, self._vocabulary, self._engine.spoken)
        except UnsupportedOperation:
            return None
        began, limit = time.monotonic(), until(min(EACH, self._left))
        try:
            found = self._found(query, tree, text, limit.left())
        except EngineTimeout:
            if self._engine.manifest is None:
                self._left = 0.0
            return f"> {lasting(limit.seconds)}"
        except EngineError:
            return "failed"
        finally:
            self._left -= time.monotonic() - began
        return f"> {MOST:,}" if found > MOST else found

    def _found(self, query: Query, tree: QueryTree, text: str, seconds: float) -> int:
        from pylf.backends.sparql.print import print_tree
        from pylf.backends.sparql.query import Aggregate, Ask, Column, Group, Select

        if isinstance(tree, Ask):
            return int(self._engine.ask(text, seconds))
        name = "rows"
        while any(output.name == name for output in query.outputs):
            name += "_"
        column = Column(Aggregate("COUNT", None), Var(name))
        counting = Select((column,), Group((replace(tree, limit=MOST + 1),)))
        (solution,) = self._engine.select(print_tree(counting, self._engine.spoken), seconds)
        number = solution[name]
        assert isinstance(number, Literal)
        return int(number.lexical)
