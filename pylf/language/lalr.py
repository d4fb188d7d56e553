"""The machine that runs ``grammars/pylf.lark``: Lark builds the tables, a lexer and a loop of ours run them.

Two things are ours because PyLF needs them: the lexer counts brackets (a line break ends a statement only outside of
them) and holds the limits on size and depth; and both are quicker than the general ones, which matters where thousands
of drafts are parsed. The trees are those that Lark's own loop builds: a test compares the two.

Importing this module imports Lark, so only :mod:`pylf.language.parser` does, on first use.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from lark import Lark
from lark.parsers.lalr_analysis import LALR_Analyzer, Shift

from pylf.errors import Span
from pylf.language.tokens import MAX_DEPTH, MAX_TOKENS, Fault, Token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lark.common import ParserConf
    from lark.lexer import TerminalDef

_OPENING = ("LPAR", "LSQB", "LBRACE")
_CLOSING = ("RPAR", "RSQB", "RBRACE")


class Lexer:
    """Splits a text into tokens, in one pass of one regular expression made from the grammar's terminals."""

    __slots__ = ("_kinds", "_pattern")

    def __init__(self, terminals: Iterable[TerminalDef], ignored: Iterable[str]) -> None:
        patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in terminals}
        space = "|".join(patterns.pop(name) for name in ignored)
        # NEWLINE and the brackets come first, so that one comparison tells the tokens that change the lexer's state.
        structure = ("NEWLINE", *_OPENING, *_CLOSING)
        order = (*structure, *(name for name in patterns if name not in structure))
        groups = [f"({patterns[name]})" for name in order]
        # Some alternative matches everywhere, the end included: the search never moves on by itself.
        self._pattern = re.compile(f"(?:{space})*(?:{'|'.join(groups)}|(\\Z)|([\\s\\S]))")
        self._kinds = ("", *order, "$END", "UNKNOWN")

    def tokens(self, text: str, start: int = 0) -> Iterator[Token]:
        """The tokens of ``text`` from ``start`` on, a NEWLINE at its end included.

        Raises:
            Fault: brackets nest deeper than MAX_DEPTH, or there are more than MAX_TOKENS tokens.
        """
        kinds = self._kinds
        end = len(kinds) - 2
        depth = index = place = 0
        for match in islice(self._pattern.finditer(text + "\n", start), MAX_TOKENS):
            index = match.lastindex or end
            place = match.end()
            if index <= 7:  # NEWLINE, three opening brackets, three closing ones
                if index == 1:
                    if depth > 0:
                        continue
                elif index <= 4:
                    depth += 1
                    if depth > MAX_DEPTH:
                        raise Fault("too-deep", kinds[index], Span(match.start(index), match.end()))
                else:
                    depth -= 1
            elif index == end:
                return
            yield Token(kinds[index], match)
        raise Fault("too-large", kinds[index], Span(place - 1, place))


class Table:
    """Lark's LALR(1) table with its loop: the tables as plain dictionaries, callbacks and sizes at hand.

    Stands in for ``lark.parsers.lalr_parser.LALR_Parser``, which has the same two parameters more.
    """

    __slots__ = ("_end", "_rows", "_start")

    def __init__(self, conf: ParserConf, debug: bool = False, strict: bool = False) -> None:
        # A conflict is an error of the grammar, whatever Lark is asked for.
        analysis: Any = LALR_Analyzer(conf, debug=debug, strict=True)
        analysis.compute_lalr()
        table = analysis.parse_table
        callbacks: Any = conf.callbacks
        rules = {
            # A rule that only says what else may stand somewhere (``?value: call``) hands its part on.
            rule: (
                len(rule.expansion),
                None if rule.options.expand1 and len(rule.expansion) == 1 and not rule.alias else callbacks[rule],
                str(rule.origin.name),
            )
            for rule in set(conf.rules)
        }
        #: state -> symbol -> (next state, None) to shift, or (-1, (size, callback, symbol made)) to reduce
        self._rows: dict[int, dict[str, tuple[int, tuple[int, Callable[[list[Any]], Any] | None, str] | None]]] = {
            state: {
                str(symbol): (argument, None) if action is Shift else (-1, rules[argument])
                for symbol, (action, argument) in row.items()
            }
            for state, row in table.states.items()
        }
        (self._start,) = table.start_states.values()
        (self._end,) = table.end_states.values()

    def run(self, tokens: Iterable[Token]) -> Any:
        """What the start rule's callback makes of ``tokens``.

        Raises:
            Fault: the first token that cannot stand where it does.
        """
        rows = self._rows
        states = [self._start]
        values: list[Any] = []
        row = rows[self._start]
        token = None
        kind = "$END"
        try:
            for token in tokens:
                kind = token.kind
                while True:
                    state, reduction = row[kind]
                    if reduction is None:
                        break
                    size, callback, symbol = reduction
                    if callback is None:
                        del states[-1]
                    elif size:
                        values[-size:] = [callback(values[-size:])]
                        del states[-size:]
                    else:
                        values.append(callback([]))
                    state = rows[states[-1]][symbol][0]
                    states.append(state)
                    row = rows[state]
                states.append(state)
                values.append(token)
                row = rows[state]
            kind = "$END"
            while states[-1] != self._end:
                _, reduction = row[kind]
                assert reduction is not None  # the end of the text is never shifted
                size, callback, symbol = reduction
                assert callback is not None  # nor is a value what it ends
                values[len(values) - size :] = [callback(values[len(values) - size :])]
                del states[len(states) - size :]
                states.append(rows[states[-1]][symbol][0])
                row = rows[states[-1]]
        except KeyError:
            expected = frozenset(symbol for symbol in row if symbol.isupper() and self._accepts(states, symbol))
            span = token.span if token is not None else Span(0, 0)
            if kind == "$END":
                span = Span(span.end, span.end)
            raise Fault("syntax", kind, span, expected) from None
        return values[0]

    def _accepts(self, states: list[int], kind: str) -> bool:
        """Whether ``kind`` can be read here: a row alone says yes to some kinds that a reduction then refuses."""
        states = states[:]
        while True:
            action = self._rows[states[-1]].get(kind)
            if action is None:
                return False
            state, reduction = action
            if reduction is None:
                return True
            size, _, symbol = reduction
            del states[len(states) - size :]
            state = self._rows[states[-1]][symbol][0]
            if state == self._end and kind == "$END":
                return True
            states.append(state)


class Parser:
    """A grammar file made ready: built once, then used for any number of texts, from any number of threads."""

    __slots__ = ("_lexer", "_table")

    def __init__(self, file: str, start: str, shapes: Any) -> None:
        """Read a grammar.

        Args:
            file: the grammar's file, relative to this one.
            start: the rule that a whole text is.
            shapes: a transformer: an object with one method a rule (or alias), called with the list of all its parts.
        """
        lark = Lark.open(
            file,
            rel_to=__file__,
            start=start,
            parser="lalr",
            lexer="basic",
            transformer=shapes,
            keep_all_tokens=True,
            maybe_placeholders=False,
            _plugins={"LALR_Parser": Table},
        )
        self._lexer = Lexer(lark.terminals, lark.ignore_tokens)
        self._table: Table = lark.parser.parser

    def parse(self, text: str, start: int = 0) -> Any:
        """What the start rule's method makes of ``text`` from ``start`` on.

        Raises:
            Fault: the text is not in the language or beyond a limit.
        """
        return self._table.run(self._lexer.tokens(text, start))

    def tokens(self, text: str, start: int = 0) -> Iterator[Token]:
        """The tokens of ``text`` from ``start`` on, to look at what went wrong; see :meth:`Lexer.tokens`."""
        return self._lexer.tokens(text, start)
