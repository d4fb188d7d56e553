"""Tables for :mod:`pylf.language.lalr` from a Lark grammar.

Lark takes some 60 ms to import and to work a grammar out, longer than compiling a program takes in all. So the tables
of PyLF and of s-expressions are kept, each beside its parser, in modules that this one writes::

    python -m pylf.language.lark_tables

Whoever edits the grammar need not remember that at once: tables that are not of the grammar as it is are not used,
but worked out anew on each start instead. A test says that they should be written.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark
from lark.parsers.lalr_analysis import LALR_Analyzer, Shift

from pylf.language.kept import checksum
from pylf.language.lalr import Tables

_PACKAGE = Path(__file__).parents[1]

#: No literal holds this character: it is written with an escape.
_BLANK = "\N{NO-BREAK SPACE}"

_HEAD = '''\
"""The LALR(1) tables of grammars/{file}, worked out by Lark.

Written by ``python -m pylf.language.lark_tables``, to be read by :mod:`pylf.language.lalr`; not to be edited.
"""

from __future__ import annotations

# fmt: off
'''


class Grammar(NamedTuple):
    """A grammar whose tables are kept: its file, the rule that a whole text obeys, and the module of its tables."""

    file: Path
    start: str
    table: Path

    def module(self) -> str:
        """The module as the grammar says now."""
        text = self.file.read_text(encoding="utf-8")
        return module_of(tables_of(text, self.start), text, self.file.name, self.start)


GRAMMARS = (
    Grammar(_PACKAGE / "grammars" / "pylf.lark", "program", _PACKAGE / "language" / "table.py"),
    Grammar(_PACKAGE / "grammars" / "sexpr.lark", "text", _PACKAGE / "frontends" / "sexpr" / "table.py"),
)


def tables_of(grammar: str, start: str) -> Tables:
    """Work a grammar out.

    A rule or alias is the name of the method that makes one value of its parts, tokens included; a rule that begins
    with ``?`` hands on the only part it has.

    Raises:
        lark.exceptions.GrammarError: the grammar is ill-formed, or not LALR(1).
    """
    lark = Lark(grammar, start=start, parser="lalr", lexer="basic", keep_all_tokens=True, maybe_placeholders=False)
    frontend: Any = lark.parser
    analysis: Any = LALR_Analyzer(frontend.parser_conf, strict=True)
    analysis.compute_lalr()
    table = analysis.parse_table
    (first,), (last,) = table.start_states.values(), table.end_states.values()
    # Lark numbers states as sets happen to be ordered; we, as they are met from the first one on.
    numbers = {first: 0}
    for state in (queue := [first]):
        for _, (action, target) in sorted(table.states[state].items()):
            if action is Shift and target not in numbers:
                numbers[target] = len(numbers)
                queue.append(target)
    productions = sorted({_production(rule) for rule in lark.rules}, key=repr)
    states = tuple(
        {
            str(symbol): numbers[target] if action is Shift else ~productions.index(_production(target))
            for symbol, (action, target) in sorted(table.states[state].items())
        }
        for state in queue
    )
    terminals = {terminal.name: terminal.pattern.to_regexp() for terminal in lark.terminals}
    return Tables(terminals, tuple(lark.ignore_tokens), tuple(productions), states, numbers[last])


def module_of(tables: Tables, grammar: str, file: str, start: str) -> str:
    """The text of a module that holds the tables of ``grammar``, which ``file`` holds; see
    :class:`~pylf.language.kept.KeptTables`."""
    terminals = [f"{_quoted(name)}: {_quoted(pattern)}" for name, pattern in tables.terminals.items()]
    productions = [
        f"({size}, {'None' if method is None else _quoted(method)}, {_quoted(symbol)})"
        for size, method, symbol in tables.productions
    ]
    rows = [", ".join(f"{_quoted(symbol)}: {target}" for symbol, target in row.items()) for row in tables.states]
    return "".join(
        [
            _HEAD.format(file=file),
            f"FILE = {_quoted(file)}\n",
            f"START = {_quoted(start)}\n",
            f"GRAMMAR = {checksum(grammar.encode())}\n",
            *_lines("TERMINALS = {", terminals, "}"),
            f"IGNORED: tuple[str, ...] = ({', '.join(map(_quoted, tables.ignored))},)\n",
            *_lines("PRODUCTIONS: tuple[tuple[int, str | None, str], ...] = (", productions, ")"),
            *_lines("STATES: tuple[dict[str, int], ...] = (", [f"{{{row}}}" for row in rows], ")"),
            f"END = {tables.end}\n",
        ]
    )


def _lines(opening: str, entries: list[str], closing: str) -> list[str]:
    wrapped = [
        textwrap.fill(f"{entry},", 116, initial_indent="    ", subsequent_indent="     ", break_on_hyphens=False)
        for entry in entries
    ]
    return [f"{line}\n".replace(_BLANK, " ") for line in (opening, *wrapped, closing)]


def _quoted(text: str) -> str:
    """A Python literal, in pieces of a line's length, each in the quotes that need no escape; lines break between
    them, not at the blanks inside them, which are written as _BLANK for that while."""
    pieces = [text[start : start + 70] for start in range(0, len(text), 70)]
    return " ".join(written.replace(" ", _BLANK) for piece in pieces for written in _literals(piece))


def _literals(text: str) -> list[str]:
    written = repr(text) if '"' in text and "'" not in text else json.dumps(text)
    half = len(text) // 2
    return [written] if len(written) < 110 else [*_literals(text[:half]), *_literals(text[half:])]


def _production(rule: Any) -> tuple[int, str | None, str]:
    size = len(rule.expansion)
    only = rule.options.expand1 and size == 1 and not rule.alias
    return size, None if only else rule.alias or str(rule.origin.name), str(rule.origin.name)


def main() -> None:
    """Write the tables of every grammar."""
    for grammar in GRAMMARS:
        grammar.table.write_text(grammar.module(), encoding="utf-8")


if __name__ == "__main__":
    main()
