"""What is examined: an endpoint, or an engine in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from pylf.errors import first_line
from pylf.ir.terms import XSD_BOOLEAN, Literal
from pylf.records import record

if TYPE_CHECKING:
    from pylf.backends.http.client import Client
    from pylf.backends.sparql.dialect import Dialect
    from pylf.doctor.probe import Row
    from pylf.ir.terms import Node


class Counted(NamedTuple):
    """How many rows came, the number in them where it is one, and what said that they are not all."""

    rows: int
    number: int | None = None
    told: str = ""


class Subject(Protocol):
    """What a probe is asked of."""

    @property
    def name(self) -> str:
        """What it is called in messages."""
        ...

    @property
    def dialect(self) -> Dialect:
        """The dialect that it is taken to speak."""
        ...

    @property
    def version(self) -> str:
        """The engine and its version, as far as it tells."""
        ...

    @property
    def remote(self) -> bool:
        """Whether it is a server, where a time limit ends a query."""
        ...

    def select(self, sparql: str, timeout: float | None) -> list[Row]:
        """The rows of a SELECT, columns in its order.

        Raises:
            EngineError: the engine refuses, fails or runs out of time, or the rows are not all there.
        """
        ...

    def ask(self, sparql: str, timeout: float | None) -> bool:
        """The answer of an ASK."""
        ...

    def counted(self, sparql: str, timeout: float | None) -> Counted:
        """How many rows a SELECT gives, though they be not all there.

        Raises:
            EngineError: no rows come.
        """
        ...


class _Asked(Protocol):
    """What an engine in this process offers."""

    def select(self, sparql: str, timeout: float | None = None) -> list[dict[str, Node]]: ...

    def ask(self, sparql: str, timeout: float | None = None) -> bool: ...


class Remote:
    """An endpoint, asked through its client."""

    remote = True

    def __init__(self, client: Client, dialect: Dialect, name: str, version: str) -> None:
        self.client = client
        self.dialect = dialect
        self.name = name
        self.version = version

    def select(self, sparql: str, timeout: float | None) -> list[Row]:
        """See :class:`Subject`."""
        return list(self.client.select(sparql, timeout, trusted=True).rows)

    def ask(self, sparql: str, timeout: float | None) -> bool:
        """See :class:`Subject`."""
        return self.client.ask(sparql, timeout, trusted=True)

    def counted(self, sparql: str, timeout: float | None) -> Counted:
        """See :class:`Subject`."""
        from pylf.backends.http.client import IncompleteRows

        try:
            return counted(self.select(sparql, timeout))
        except IncompleteRows as cut:
            return counted(list(cut.table.rows), first_line(cut))


@record
class Embedded:
    """An engine in this process."""

    engine: _Asked
    dialect: Dialect
    name: str
    version: str
    remote: bool = False

    def select(self, sparql: str, timeout: float | None) -> list[Row]:
        """See :class:`Subject`. An engine gives rows by name: columns are in the order of the text's first line."""
        names = columns_of(sparql)
        return [tuple(map(row.get, names)) for row in self.engine.select(sparql, timeout)]

    def ask(self, sparql: str, timeout: float | None) -> bool:
        """See :class:`Subject`."""
        return self.engine.ask(sparql, timeout)

    def counted(self, sparql: str, timeout: float | None) -> Counted:
        """See :class:`Subject`."""
        return counted(self.select(sparql, timeout))


def columns_of(sparql: str) -> list[str]:
    """The names of the columns of a SELECT that pylf wrote: the variables of its outermost clause, where an
    expression's is the one after ``AS``."""
    import re

    head = sparql[sparql.index("SELECT") : sparql.index("WHERE")]
    names, depth, last = [], 0, ""
    for token in re.findall(r"\(|\)|\?[A-Za-z_][A-Za-z0-9_]*|\"(?:[^\"\\]|\\.)*\"", head):
        match token:
            case "(":
                depth += 1
            case ")":
                depth -= 1
                if depth == 0:
                    names.append(last)
            case _ if token.startswith("?"):
                last = token[1:]
                if depth == 0:
                    names.append(last)
    return names


def counted(rows: list[Row], told: str = "") -> Counted:
    """Rows, counted; of one row with one number, that."""
    number = None
    match rows:
        case [(Literal(lexical),)] if lexical.lstrip("-").isdecimal():
            number = int(lexical)
    return Counted(len(rows), number, told)


def truth(given: bool) -> Literal:
    """A yes or no as a literal."""
    return Literal("true" if given else "false", XSD_BOOLEAN)
