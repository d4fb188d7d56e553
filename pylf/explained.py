"""What becomes of a question on its way to SPARQL, for people and as data: :meth:`pylf.CompiledQuery.explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.dialects import dialect_named
from pylf.backends.rows import EACH, MOST, RowCounter
from pylf.ir.passes.context import Context
from pylf.ir.passes.estimates import estimates, named_first, table, uncounted
from pylf.ir.passes.watch import Watch
from pylf.ir.text import print_query
from pylf.records import record

if TYPE_CHECKING:
    from typing import Any

    from pylf.api import CompiledQuery
    from pylf.ir.nodes import Query
    from pylf.ir.passes.estimates import Line


#: what the schema of the bundled graph says that it is written in
_BUNDLED = "rockets"


@record
class Explained:
    """The passes that changed a question, each with the diff; what they left; the rows of each conjunct of that; and
    remarks on these."""

    passes: list[tuple[str, str]]
    optimized: Query
    rows: list[Line]
    remarks: list[str]

    def sections(self) -> list[tuple[str, str]]:
        """Titles and texts."""
        shown = [f"({remark})" for remark in self.remarks]
        if any(_known(line) for line in self.rows):
            shown.insert(0, table(self.rows, any(_counted(line) for line in self.rows)))
        return [*[(f"Pass {name}", diff) for name, diff in self.passes], ("Rows", "\n".join(shown))]

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "passes": [{"pass": name, "diff": diff} for name, diff in self.passes],
            "optimized": print_query(self.optimized).rstrip("\n"),
            "rows": [line.to_json() for line in self.rows],
            "remarks": self.remarks,
        }


def explained(query: CompiledQuery) -> Explained:
    """Explains a question; on a graph in memory or in a folder rows are counted, which may take some seconds."""
    watch = Watch()
    final = query.optimized(watch)
    graph, schema, vocabulary = query.graph, query.schema, query.vocabulary
    counter = None if graph is None else RowCounter.of(graph.engine, schema, vocabulary)
    context = Context(schema, vocabulary, dialect_named(query.settings.dialect).target)
    lines = estimates(final, context, counter)
    unknown = uncounted(final, schema)
    remarks = [f"no statistics of {named_first(unknown)}"] if unknown else []
    if graph is None:
        remarks.append(f"not counted: no graph is given; {_to_give(query)}")
    elif counter is None:
        remarks.append(f"not counted: {graph.name} is an endpoint")
    else:
        remarks.append(f"counted on {graph.name}, each up to {MOST:,} rows and {EACH:g} s")
    return Explained(watch.changes(), final, lines, remarks)


def _to_give(query: CompiledQuery) -> str:
    """Which graph would have rows to count."""
    if query.schema.source.meta("vocabulary") == _BUNDLED:
        return "--kg bundled gives the graph of rockets whose schema this is"
    return "--kg GRAPH gives one of this schema"


def _known(line: Line) -> bool:
    """Whether anything is told of the rows up to here."""
    return line.so_far is not None and (line.so_far.estimated, line.so_far.counted) != (None, None)


def _counted(line: Line) -> bool:
    return any(rows is not None and rows.counted is not None for rows in (line.alone, line.so_far))
