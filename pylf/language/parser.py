"""From text to syntax tree. PyLF is Python-formatted text that is **parsed, never executed**.

What is accepted, beyond the functions themselves (:mod:`pylf.language.functions`): single- and double-quoted
strings with Python's escapes; numbers with sign, fraction and exponent; line breaks within brackets, trailing commas,
brackets around a value, comments, blank lines, indentation; ``;`` between statements; line ends of any system; a byte
order mark; one ``question_info = {…}`` before the program. Nothing else of Python's is: every error is a
:class:`~pylf.errors.Diagnostic`, and time and memory are linear in the text, which is limited in size and depth.

A variable holds what was last assigned to it, so a name may be used again; a program whose variables are not all
assigned before they are used is refused here.
"""

from __future__ import annotations

import re
import zlib
from functools import cache
from io import FileIO
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic, Source, Span
from pylf.language.syntax import Comment
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.language.lalr import Parser
    from pylf.language.syntax import Program

#: Characters that a program may have.
MAX_CHARACTERS = 1_000_000

_BYTE_ORDER_MARK = "\ufeff"


def parse(text: str, name: str = "<program>", strict: bool = False) -> Program:
    """Read a program.

    Args:
        text: the program.
        name: what diagnostics call it, for example the file's name.
        strict: refuse what goes beyond the functions of the CUCKOO paper (arXiv 2604.14749, Table 1).

    Returns:
        The program, its variables all assigned before use, its comments kept for the formatter.

    Raises:
        CompileError: the text is not a program. The first fault of form stands alone; faults of meaning (functions,
            arguments, variables) are all told, up to a limit.
    """
    from pylf.language.build_tree import build
    from pylf.language.tokens import Fault

    source = Source(text, name)
    _check_characters(source)
    start = 1 if text.startswith(_BYTE_ORDER_MARK) else 0
    try:
        statements = _parser().parse(text, start)
    except Fault as fault:
        from pylf.language.syntax_errors import explain

        raise CompileError([explain(fault, source, _parser().tokens(text, start))]) from None
    program = build(statements, source, strict)
    return replace(program, comments=_comments(text)) if "#" in text else program


def _comments(text: str) -> tuple[Comment, ...]:
    """The comments of a well-formed program, in order."""
    found = []
    for match in _strings_and_comments().finditer(text):
        if match[1] is None:
            continue
        start = match.start()
        line = text.rfind("\n", 0, start) + 1
        line = text.rfind("\r", line, start) + 1 or line
        alone = not text[line:start].strip(" \t\f" + _BYTE_ORDER_MARK)
        found.append(Comment(match[1], Span(start, match.end()), alone))
    return tuple(found)


def _check_characters(source: Source) -> None:
    """Refuse what no program may hold, wherever it stands: too much, NUL, and halves of characters."""
    text = source.text
    if len(text) > MAX_CHARACTERS:
        message = f"the program has {len(text):,} characters; {MAX_CHARACTERS:,} are the most that is read"
        raise CompileError([Diagnostic("too-large", message, None, source)])
    place = text.find("\0")
    if place < 0 and not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            place = error.start
    if place >= 0:
        message = f"U+{ord(text[place]):04X} is not a character of a text"
        hint = "was the file read in the encoding that it was written in?"
        raise CompileError([Diagnostic("syntax", message, Span(place, place + 1), source, (hint,))])


def checksum(data: bytes) -> int:
    """What tells two versions of a grammar file apart, however its line ends were converted."""
    return zlib.crc32(data.replace(b"\r\n", b"\n"))


@cache
def _parser() -> Parser:
    """The one parser; built on first use, from the tables kept for the grammar, or by Lark if it has been edited."""
    from pylf.language import table
    from pylf.language.lalr import Parser, Tables
    from pylf.language.shapes import Shapes

    try:
        with FileIO(table.__file__.rpartition("language")[0] + "grammars/pylf.lark") as file:
            grammar = file.readall()
    except OSError:
        grammar = None  # packed without it: the tables stand alone
    if grammar is None or checksum(grammar) == table.GRAMMAR:
        tables = Tables(table.TERMINALS, table.IGNORED, table.PRODUCTIONS, table.STATES, table.END)
        return Parser(tables, Shapes())
    from pylf.language.lark_tables import tables_of

    return Parser(tables_of(grammar.decode(), "program"), Shapes())


@cache
def _strings_and_comments() -> re.Pattern[str]:
    return re.compile(r"""'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|(#[^\r\n]*)""")
