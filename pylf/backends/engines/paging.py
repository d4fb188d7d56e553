"""Whole answers from an endpoint that gives only so many rows at a time.

An answer that was cut at a cap, or may have been, is asked for again in pages: the query as a sub-select, ordered by
the spelling (``STR``) of its columns, each page from the last row of the one before on. OFFSET would do the same work
and is refused beyond 10,000 by Virtuoso. Pages overlap in that row, so that rows of one spelling are not lost between
them; each row is given once. In the end the rows are counted against the endpoint's own count of the sub-select. What
cannot be shown to be whole is an :class:`~pylf.backends.outcome.IncompleteAnswer`.

A blank node has no name that outlives an answer, except where an engine gives it one: elsewhere, rows with blank nodes
cannot be told apart across pages, and are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.engines.spellings import mended_row, needs_mending
from pylf.backends.http.client import IncompleteRows
from pylf.backends.outcome import IncompleteAnswer, Status
from pylf.backends.sparql.print import print_tree
from pylf.backends.sparql.query import Aggregate, Call, Column, Filter, Group, Operation, Select
from pylf.errors import EngineError, EngineTimeout, printable
from pylf.ir.answers import Answers
from pylf.ir.terms import Blank, Literal, Var
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pylf.backends.http.client import Client, Table
    from pylf.backends.patience import Limit
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.query import Expression
    from pylf.ir.answers import Row
    from pylf.ir.terms import Node

#: Rows of a page at most: Virtuoso sorts no more than 10,000 for a LIMIT.
PAGE = 10_000
#: So many streamed rows are remembered, in case the stream turns out to be cut and its rows come again in pages.
REMEMBERED = 100_000
_NOTHING = Literal("")


class AnswerReader:
    """Reads whole answers. ``cap`` is how many rows the endpoint gives at most, where that is known, and is noted where
    it shows."""

    def __init__(self, client: Client, dialect: Dialect, cap: int | None) -> None:
        self._client = client
        self._dialect = dialect
        self.cap = cap
        self._mends = needs_mending(dialect)

    def text(self, tree: Select) -> str:
        """The text of a query tree."""
        return print_tree(tree, self._dialect)

    def table(self, tree: Select, deadline: Limit, text: str | None = None) -> Sequence[Row]:
        """All rows of a SELECT, whose text may be at hand, in the order of its columns. In pages, each row comes once.

        Raises:
            IncompleteAnswer: they cannot be had, or cannot be shown to be all.
            EngineError: the endpoint fails, refuses or takes too long.
        """
        names = tuple([_variable(column).name for column in tree.projection])
        alone = _has_one_row(tree)
        try:
            found = self._client.select(text or self.text(tree), deadline, trusted=True)
        except IncompleteRows as cut:
            rows = self._read(cut.table, names)
            if cut.status != Status.TRUNCATED:
                raise incomplete(str(cut), rows, cut.status) from cut
            if alone and len(rows) == 1:
                return rows
            self._learn(len(rows))
        else:
            rows = self._read(found, names)
            if alone or not self._is_cut(len(rows)):
                return rows
        return list(self._pages(tree, max(len(rows), 1), deadline, rows))

    def peek(self, tree: Select, limit: int, deadline: Limit) -> tuple[Sequence[Row], bool]:
        """Some rows, no more than ``limit``, and whether they are all."""
        names = tuple([_variable(column).name for column in tree.projection])
        text = self.text(replace(tree, limit=limit))
        try:
            rows = self._read(self._client.select(text, deadline, trusted=True), names)
        except IncompleteRows as cut:
            if cut.status != Status.TRUNCATED:
                raise incomplete(str(cut), (), cut.status) from cut
            rows = self._read(cut.table, names)
            self._learn(len(rows))
            return rows, False
        return rows, len(rows) < limit and not self._is_cut(len(rows))

    def stream(self, tree: Select, deadline: Limit) -> Iterator[Row]:
        """The same rows as they come, read no faster than they are taken."""
        names = tuple([_variable(column).name for column in tree.projection])
        given: set[Row] | None = set()
        count = 0
        try:
            with self._client.stream(self.text(tree), deadline, trusted=True) as rows:
                if tuple(rows.variables) != names:
                    raise EngineError(f"the endpoint answers with the columns {rows.variables}, not {names}")
                for row in map(mended_row, rows) if self._mends else rows:
                    count += 1
                    if given is not None:
                        given.add(row)
                        if count > REMEMBERED:
                            given = None
                    yield row
            if not self._is_cut(count):
                return
        except IncompleteRows as cut:
            if cut.status != Status.TRUNCATED:
                raise incomplete(str(cut), (), cut.status) from cut
            self._learn(count)
        if given is None:
            raise incomplete(f"the endpoint cut its answer after {count:,} rows", (), Status.TRUNCATED)
        for row in self._pages(tree, max(count, 1), deadline, ()):
            if row not in given:
                yield row

    def _read(self, table: Table, names: tuple[str, ...]) -> Sequence[Row]:
        """The rows of an answer, with their columns in this order.

        Raises:
            EngineError: there are other columns.
        """
        variables, rows = tuple(table.variables), table.rows
        if variables != names:
            if sorted(variables) != sorted(names):
                told = f"the columns {', '.join(variables)}, not {', '.join(names)}"
                raise EngineError(f"the endpoint answers with {printable(told)}")
            places = [variables.index(name) for name in names]
            rows = [tuple([row[place] for place in places]) for row in rows]
        return list(map(mended_row, rows)) if self._mends else rows

    # --- pages ----------------------------------------------------------------------------------------------------

    def _learn(self, rows: int) -> None:
        if rows and (self.cap is None or rows < self.cap):
            self.cap = rows

    def _pages(self, tree: Select, size: int, deadline: Limit, first: Sequence[Row]) -> Iterator[Row]:
        """All rows, in pages. ``first`` are those of the answer that was cut, for the error to show."""
        if tree.limit is not None:
            raise incomplete("the endpoint cut an ordered answer, which has no pages", first, Status.TRUNCATED)
        inner = replace(tree, distinct=True, order_by=())
        seen: set[Row] = set()
        try:
            for page in self._from_place(inner, 0, (), min(size, PAGE), deadline):
                new = [row for row in dict.fromkeys(page) if row not in seen]
                if not self._dialect.named_blanks and any(isinstance(node, Blank) for row in new for node in row):
                    raise incomplete("the endpoint cut its answer, which holds blank nodes: they have no pages", first)
                seen.update(new)
                yield from new
            expected = self._counted(inner, deadline)
        except (EngineTimeout, IncompleteAnswer):
            raise
        except EngineError as problem:
            raise incomplete(f"the endpoint cut its answer, and gives no pages of it: {problem}", first) from problem
        if len(seen) != expected:
            reason = f"pages of the endpoint's answer hold {len(seen):,} rows where it counts {expected:,}"
            raise incomplete(reason, tuple(seen))

    def _from_place(
        self, inner: Select, place: int, fixed: tuple[Expression, ...], size: int, deadline: Limit
    ) -> Iterator[Sequence[Row]]:
        """Pages ordered by one column, those before it being ``fixed``. Where a page's rows are all of one spelling,
        the rows of that spelling are gone through by the next column. Filters are conjunctions alone: Virtuoso takes
        nested alternatives over a grouped sub-select for something else."""
        spelled = Call("COALESCE", (Call("STR", (_variable(inner.projection[place]),)), _NOTHING))
        last: tuple[Expression, ...] = ()
        while True:
            page = self._page(inner, spelled, (*fixed, *last), size, deadline)
            yield [row[:-1] for row in page]
            if not page or (len(page) < size and not self._is_cut(len(page))):
                return
            size = min(size, len(page))
            start, end = [_spelling(row[-1]) for row in (page[0], page[-1])]
            beyond = ">="
            if start == end:
                if place + 1 == len(inner.projection):
                    raise EngineError("too many rows of one spelling")
                yield from self._from_place(inner, place + 1, (*fixed, Operation("=", (spelled, end))), size, deadline)
                beyond = ">"
            last = (Operation(beyond, (spelled, end)),)

    def _is_cut(self, rows: int) -> bool:
        """Whether an answer of so many rows may be a cut one: of a cap that is told or noted, exactly so many come."""
        if self.cap is not None and rows > self.cap:
            self.cap = None  # it is none here: what an engine commonly does, this one does not
        return rows == self.cap

    def _page(
        self, inner: Select, spelled: Expression, tests: tuple[Expression, ...], size: int, deadline: Limit
    ) -> Sequence[Row]:
        """The first rows that pass the tests, each followed by the spelling that it is ordered by."""
        columns = tuple(map(_variable, inner.projection))
        key = _apart(columns)
        patterns = (inner, Filter(Operation("&&", tests) if len(tests) > 1 else tests[0])) if tests else (inner,)
        page = Select((*columns, Column(spelled, key)), Group(patterns), order_by=((spelled, False),), limit=size)
        wanted = tuple([column.name for column in (*columns, key)])
        try:
            return self._read(self._client.select(self.text(page), deadline, trusted=True), wanted)
        except IncompleteRows as cut:
            # a full page looks like a cut answer, and one that was cut below its size makes the next ones smaller
            if cut.status != Status.TRUNCATED:
                raise incomplete(str(cut), (), cut.status) from cut
            rows = self._read(cut.table, wanted)
            self._learn(len(rows))
            return rows

    def _counted(self, inner: Select, deadline: Limit) -> int:
        counted = Select((Column(Aggregate("COUNT", None), Var("n")),), Group((inner,)))
        return number_of(self.table(counted, deadline))


def incomplete(reason: str, rows: Sequence[Row], status: str = Status.TRUNCATED) -> IncompleteAnswer:
    """The error for rows of which some are missing."""
    return IncompleteAnswer(reason, Answers.of_rows(rows), Status(status))


def number_of(rows: Sequence[Row]) -> int:
    """The number in an answer of one row with one integer.

    Raises:
        EngineError: it is something else.
    """
    node = rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else None
    if isinstance(node, Literal):
        try:
            return int(node.lexical)
        except ValueError:
            pass
    raise EngineError(f"the endpoint answers a count with {len(rows)} rows, not with a number")


def _has_one_row(tree: Select) -> bool:
    """Whether it is of aggregates over all there is, which give one row, however few an endpoint gives."""
    columns = [column for column in tree.projection if isinstance(column, Column)]
    return not tree.group_by and any(isinstance(column.expression, Aggregate) for column in columns)


def _variable(column: Var | Column) -> Var:
    return column.variable if isinstance(column, Column) else column


def _spelling(node: Node | None) -> Literal:
    return Literal(node.lexical) if isinstance(node, Literal) else _NOTHING


def _apart(columns: tuple[Var, ...]) -> Var:
    """A name that no column has."""
    taken = {column.name for column in columns}
    name = "key"
    while name in taken:
        name += "y"
    return Var(name)
