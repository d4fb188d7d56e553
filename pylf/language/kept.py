"""Parsers from the tables that are kept for their grammars; :mod:`pylf.language.lark_tables` writes those."""

from __future__ import annotations

import zlib
from io import FileIO
from typing import TYPE_CHECKING, Protocol

from pylf.language.lalr import Parser, Tables

if TYPE_CHECKING:

    class KeptTables(Protocol):
        """A module of tables: the parts of :class:`~pylf.language.lalr.Tables`, and which grammar they are of."""

        #: The grammar's file below ``pylf/grammars``, its checksum, and the rule that a whole text obeys.
        FILE: str
        GRAMMAR: int
        START: str
        TERMINALS: dict[str, str]
        IGNORED: tuple[str, ...]
        PRODUCTIONS: tuple[tuple[int, str | None, str], ...]
        STATES: tuple[dict[str, int], ...]
        END: int


def parser_of(kept: KeptTables, shapes: object, frequent: tuple[str, ...] = ()) -> Parser:
    """The parser of a grammar: from the tables kept for it, or by Lark if the grammar has been edited since."""
    try:
        with FileIO(f"{__file__.rpartition('language')[0]}grammars/{kept.FILE}") as file:
            grammar = file.readall()
    except OSError:
        grammar = None  # packed without it: the tables stand alone
    if grammar is None or checksum(grammar) == kept.GRAMMAR:
        tables = Tables(kept.TERMINALS, kept.IGNORED, kept.PRODUCTIONS, kept.STATES, kept.END)
        return Parser(tables, shapes, frequent)
    from pylf.language.lark_tables import tables_of

    return Parser(tables_of(grammar.decode(), kept.START), shapes, frequent)


def checksum(data: bytes) -> int:
    """What tells two versions of a grammar file apart, however its line ends were converted."""
    return zlib.crc32(data.replace(b"\r\n", b"\n"))
