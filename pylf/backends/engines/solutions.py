"""Solutions of a SELECT, and how they are read from the TSV that Oxigraph writes.

Oxigraph writes terms as Turtle does, one solution a line: line breaks and tabs in literals are escaped, numbers and
booleans stand bare, an empty cell is unbound. Most cells of an answer are IRIs, and most occur in it again; each is
read once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.engines.terms import oxigraph_terms
from pylf.errors import EngineError
from pylf.ir.terms import RDF_LANG_STRING, XSD_STRING, Iri, Literal
from pylf.records import record

if TYPE_CHECKING:
    from pylf.ir.terms import Node


@record
class Solutions:
    """The names of the variables, and a row for each solution with a place for each variable; None is unbound."""

    variables: tuple[str, ...]
    rows: list[tuple[Node | None, ...]]


class TsvReader:
    """Reads a text that comes in parts.

    Raises, wherever it reads:
        EngineError: a triple term, which no pylf term can hold; or a text that is not as Oxigraph writes it.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._names: tuple[str, ...] | None = None
        self._rows: list[tuple[Node | None, ...]] = []
        self._cells = _Cells()

    def feed(self, part: bytes) -> None:
        """Reads the lines that are now whole."""
        whole, newline, rest = part.rpartition(b"\n")
        if not newline:
            self._rest += part
            return
        lines = (self._rest + whole).decode().split("\n")
        self._rest = rest
        if self._names is None:
            names = lines.pop(0)
            self._names = tuple([name[1:] for name in names.split("\t")]) if names else ()
        if not self._names:
            self._rows.extend([()] * len(lines))
            return
        node = self._cells.__getitem__
        rows = [tuple(map(node, line.split("\t"))) for line in lines]
        width = len(self._names)
        if any(len(row) != width for row in rows):
            raise EngineError("Oxigraph's rows are not as long as its heading")
        self._rows += rows

    def solutions(self) -> Solutions:
        """All that was read."""
        if self._rest or self._names is None:
            raise EngineError("Oxigraph's rows end in the middle of a line")
        return Solutions(self._names, self._rows)


class _Cells(dict[str, "Node | None"]):
    """The terms that have been read so far, by how they are written."""

    def __init__(self) -> None:
        super().__init__({"": None})
        self._node, _ = oxigraph_terms()

    def __missing__(self, cell: str) -> Node | None:
        found = self[cell] = self._read(cell)
        return found

    def _read(self, cell: str) -> Node:
        if "\\" not in cell:
            if cell[0] == "<" and cell[-1] == ">" and cell[1] != "<":
                return Iri(cell[1:-1])
            if cell[0] == '"':
                lexical, _, kind = cell[1:].rpartition('"')
                if not kind and len(cell) > 1:
                    return Literal(lexical, XSD_STRING)
                if kind.startswith("^^<") and kind[-1] == ">":
                    return Literal(lexical, kind[3:-1])
                if kind.startswith("@") and "--" not in kind:  # a base direction (RDF 1.2)
                    return Literal(lexical, RDF_LANG_STRING, kind[1:].lower())
        return self._parsed(cell)

    def _parsed(self, cell: str) -> Node:
        """A cell as the engine itself reads it: an escape, a bare number, a blank node, a triple term."""
        import pyoxigraph

        try:
            found = pyoxigraph.parse_query_results(f"?x\n{cell}\n", pyoxigraph.QueryResultsFormat.TSV)
            term = next(found)[0]  # type: ignore[arg-type]
        except (SyntaxError, ValueError, StopIteration) as error:
            raise EngineError(f"Oxigraph answers with {cell!r}, and cannot read it") from error
        return self._node(term)
