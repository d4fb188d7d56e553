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
from functools import cache
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Source, Span
from pylf.language.characters import BYTE_ORDER_MARK, first_character
from pylf.language.syntax import Comment
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.language.lalr import Parser
    from pylf.language.syntax import Program


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
    start = first_character(source)
    try:
        statements = _parser().parse(text, start)
        program = build(statements, source, strict)
    except (Fault, CompileError) as fault:
        from pylf.language.other_forms import other_form
        from pylf.language.syntax_errors import explain

        another = other_form(source)
        if another is not None:
            raise CompileError([another]) from None
        if isinstance(fault, CompileError):
            raise
        raise CompileError([explain(fault, source, _parser().tokens(text, start))]) from None
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
        alone = not text[line:start].strip(" \t\f" + BYTE_ORDER_MARK)
        found.append(Comment(match[1], Span(start, match.end()), alone))
    return tuple(found)


@cache
def _parser() -> Parser:
    """The one parser; built on first use."""
    from pylf.language import table
    from pylf.language.kept import parser_of
    from pylf.language.shapes import Shapes

    return parser_of(table, Shapes(), ("NAME", "STRING", "COMMA", "EQUAL", "NUMBER"))


@cache
def _strings_and_comments() -> re.Pattern[str]:
    return re.compile(r"""'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|(#[^\r\n]*)""")
