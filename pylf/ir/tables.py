"""Tables of partial solutions, and the few relational operations that the reference evaluator needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from pylf.ir.terms import Var
from pylf.ir.values import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable

    from pylf.ir.terms import Node, Term

#: A value for each column; None in that of a variable that is open.
Row = tuple["Node | None", ...]


class Table(NamedTuple):
    """Partial solutions: what the variables named by ``columns`` may be together. Rows are distinct."""

    columns: tuple[str, ...]
    rows: Collection[Row]


#: The one solution that binds nothing.
UNIT = Table((), ((),))


def certain(table: Table) -> Collection[tuple[Node, ...]]:
    """The rows of a table none of whose columns is that of an open variable."""
    return cast("Collection[tuple[Node, ...]]", table.rows)


def project(table: Table, columns: tuple[str, ...]) -> Table:
    """The distinct rows of some columns."""
    if columns == table.columns:
        return table
    return Table(columns, dict.fromkeys(map(picker(table.columns, columns), table.rows)))


def join(left: Table, right: Table) -> Table:
    """The natural join: rows that agree, as terms, on the columns in common."""
    if not left.columns:
        return right if left.rows else Table(right.columns, ())
    common = tuple([name for name in right.columns if name in left.columns])
    rest = tuple([name for name in right.columns if name not in left.columns])
    left_key, right_key = picker(left.columns, common), picker(right.columns, common)
    right_rest = picker(right.columns, rest)
    index: dict[Row, list[Row]] = {}
    for row in right.rows:
        index.setdefault(right_key(row), []).append(right_rest(row))
    return Table(left.columns + rest, [row + more for row in left.rows for more in index.get(left_key(row), ())])


def match_values(left: Table, right: Table, pairs: Iterable[tuple[str, str]]) -> Table:
    """Rows with rows, where each pair of columns, one of either side, holds the same value. No pair: all rows with
    all rows. The tables have no column in common."""
    pairs = tuple(pairs)
    left_places = [left.columns.index(near) for near, _ in pairs]
    right_places = [right.columns.index(far) for _, far in pairs]
    index: dict[Hashable, list[Row]] = {}
    for row in certain(right):
        index.setdefault(tuple([identity(row[place]) for place in right_places]), []).append(row)
    found = certain(left)
    rows = [row + more for row in found for more in index.get(tuple([identity(row[p]) for p in left_places]), ())]
    return Table(left.columns + right.columns, rows)


def picker(columns: tuple[str, ...], names: tuple[str, ...]) -> Callable[[Row], Row]:
    """A function from a row of ``columns`` to its row of ``names``."""
    places = [columns.index(name) for name in names]
    if places == list(range(len(columns))):
        return lambda row: row
    if len(places) == 1:
        (place,) = places
        return lambda row: (row[place],)
    return lambda row: tuple([row[place] for place in places])


def getter(term: Term, columns: tuple[str, ...]) -> Callable[[Row], Node | None]:
    """A function from a row to the node that a term stands for; None where the term is a variable without column."""
    if not isinstance(term, Var):
        return lambda _: term
    if term.name not in columns:
        return lambda _: None
    place = columns.index(term.name)
    return lambda row: row[place]


def fresh(terms: Iterable[Term], columns: tuple[str, ...]) -> tuple[str, ...]:
    """The variables among some terms that have no column yet, each once, in order."""
    return tuple(dict.fromkeys([t.name for t in terms if isinstance(t, Var) and t.name not in columns]))
