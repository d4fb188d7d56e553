"""What a query answers, in a form that two engines can be compared by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.nodes import Form
from pylf.ir.terms import Blank
from pylf.ir.values import identity, sort_key
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from pylf.ir.terms import Node

Row = tuple["Node | None", ...]


@record
class Answers:
    """The answer of a query, by form:

    - SET: ``values``, distinct *by value* (300 and 300.0 are one member), sorted;
    - NUMBER: ``number``;
    - BOOLEAN: ``boolean``;
    - ROWS and SUBGRAPH: ``rows``, distinct, sorted, in the order of the query's outputs (None: unbound).

    ``==`` compares them as they are spelled; :meth:`key` compares across engines, by value.
    """

    form: Form
    values: tuple[Node, ...] = ()
    number: int | None = None
    boolean: bool | None = None
    rows: tuple[Row, ...] = ()

    @classmethod
    def of_values(cls, nodes: Iterable[Node]) -> Answers:
        """A SET of any nodes: one node per value (the smallest by datatype, then lexical form), sorted for display."""
        return cls(Form.SET, values=tuple(distinct(nodes)))

    @classmethod
    def of_number(cls, number: int) -> Answers:
        """A NUMBER."""
        return cls(Form.NUMBER, number=number)

    @classmethod
    def of_boolean(cls, boolean: bool) -> Answers:
        """A yes or no."""
        return cls(Form.BOOLEAN, boolean=boolean)

    @classmethod
    def of_rows(cls, rows: Iterable[Row], form: Form = Form.ROWS) -> Answers:
        """ROWS, or a SUBGRAPH: one row per row of values, sorted."""
        kept: dict[Hashable, Row] = {}
        for row in sorted(set(rows), key=_row_key):
            kept.setdefault(_row_identity(row), row)
        return cls(form, rows=tuple(kept.values()))

    @property
    def empty(self) -> bool:
        """True when a set or rows query found nothing. A number and a yes/no are never empty."""
        return self.form in (Form.SET, Form.ROWS, Form.SUBGRAPH) and not self.values and not self.rows

    def key(self) -> Hashable:
        """The answer up to what engines may differ in: equal exactly when form and values are.

        Numbers, dates and booleans count by value, not by spelling. Blank nodes have no name that two engines share:
        of them only how many there are is compared (in rows: how many rows are alike but for their blank nodes).
        """
        match self.form:
            case Form.NUMBER:
                return self.form, self.number
            case Form.BOOLEAN:
                return self.form, self.boolean
            case Form.SET:
                named = frozenset(identity(node) for node in self.values if not isinstance(node, Blank))
                return self.form, named, sum(isinstance(node, Blank) for node in self.values)
            case _:
                alike: dict[Hashable, int] = {}
                for row in self.rows:
                    anonymous = tuple(None if node is None else _anonymous(node) for node in row)
                    alike[anonymous] = alike.get(anonymous, 0) + 1
                return self.form, frozenset(alike.items())


def distinct(nodes: Iterable[Node]) -> list[Node]:
    """One node per value, sorted for display; of several spellings of one value the smallest by datatype, then
    lexical form."""
    kept: dict[Hashable, Node] = {}
    for node in sorted(set(nodes), key=sort_key):
        kept.setdefault(identity(node), node)
    return list(kept.values())


def _row_key(row: Row) -> tuple[object, ...]:
    return tuple((-1,) if node is None else sort_key(node) for node in row)


def _row_identity(row: Row) -> Hashable:
    return tuple(None if node is None else identity(node) for node in row)


def _anonymous(node: Node) -> Hashable:
    return Blank if isinstance(node, Blank) else identity(node)
