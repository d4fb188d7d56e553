"""The machine that runs a grammar: tables that Lark made, and a lexer and a loop of our own.

Two things are ours because the languages need them: the lexer counts brackets (a line break ends a statement of PyLF
only outside of them) and holds the limits on size and depth; and both are quicker than the general ones, which matters
where thousands of drafts are parsed. The trees are those that Lark's own loop builds: tests compare the two.

The tables lie ready beside their parsers, so that reading a program neither imports Lark nor waits for it; see
:mod:`pylf.language.kept` and :mod:`pylf.language.lark_tables`.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from pylf.errors import Span
from pylf.language.tokens import MAX_DEPTH, MAX_TOKENS, Fault, Token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    #: How many parts, what makes one of them, and the symbol that results.
    _Production = tuple[int, Callable[[list[Any]], Any] | None, str]
    #: What to do at a symbol: go to a state, or reduce.
    _Action = tuple[int, _Production | None]

#: Terminals that the lexer counts, as Lark writes them.
_OPENING = (r"\(", r"\[", r"\{")
_CLOSING = (r"\)", r"\]", r"\}")


class Tables(NamedTuple):
    """A grammar as the machine reads it; state 0 is where a text begins."""

    #: The regular expression of each terminal.
    terminals: Mapping[str, str]
    #: Terminals that mean nothing: white space.
    ignored: tuple[str, ...]
    #: How many parts, the method that makes one of them (None hands the only part on), and the symbol that results.
    productions: tuple[tuple[int, str | None, str], ...]
    #: For each state, what to do at a symbol: go to a state (0, 1, …) or reduce by a production (~0, ~1, …).
    states: tuple[Mapping[str, int], ...]
    #: The state in which a text may end.
    end: int


class Lexer:
    """Splits a text into tokens, in one pass of one regular expression made from the grammar's terminals.

    Where the grammar has a NEWLINE, it is handed on outside of brackets alone, and every text ends with one.
    """

    __slots__ = ("_brackets", "_kinds", "_newline", "_opening", "_pattern")

    def __init__(self, tables: Tables, frequent: tuple[str, ...]) -> None:
        terminals, ignored = tables.terminals, tables.ignored
        opening = [name for name, pattern in terminals.items() if pattern in _OPENING]
        closing = [name for name, pattern in terminals.items() if pattern in _CLOSING]
        newline = [name for name in terminals if name == "NEWLINE"]
        # The brackets come first, so that one comparison tells them from other tokens; what is frequent comes next, and
        # NEWLINE last, since whether one begins takes the longest to tell.
        first = (*opening, *closing, *frequent, *terminals)
        order = [*[name for name in dict.fromkeys(first) if name not in {*ignored, *newline}], *newline]
        space = "|".join(terminals[name] for name in ignored)
        groups = "|".join(f"({terminals[name]})" for name in order)
        # Some alternative matches everywhere, the end included: the search never moves on by itself.
        self._pattern = re.compile(f"(?:{space})*(?:{groups}|(\\Z)|([\\s\\S]))")
        self._kinds = ("", *order, "$END", "UNKNOWN")
        # numbers of groups: the last opening bracket, the last bracket, and NEWLINE (no group has the number 0)
        self._opening = len(opening)
        self._brackets = len(opening) + len(closing)
        self._newline = len(order) if newline else 0

    def tokens(self, text: str, start: int = 0) -> Iterator[Token]:
        """The tokens of ``text`` from ``start`` on, a NEWLINE at its end included.

        Raises:
            Fault: brackets nest deeper than MAX_DEPTH, or there are more than MAX_TOKENS tokens.
        """
        kinds, opening, brackets, newline = self._kinds, self._opening, self._brackets, self._newline
        end = len(kinds) - 2
        depth = index = 0
        match = None
        for match in islice(self._pattern.finditer(text + "\n", start), MAX_TOKENS):
            index = match.lastindex or end
            if index <= brackets:
                if index <= opening:
                    depth += 1
                    if depth > MAX_DEPTH:
                        raise Fault("too-deep", kinds[index], Span(*match.span(index)))
                else:
                    depth -= 1
            elif index == newline:
                if depth > 0:
                    continue
            elif index == end:
                return
            yield Token(kinds[index], match)
        assert match is not None  # there are many
        raise Fault("too-large", kinds[index], Span(match.end() - 1, match.end()))


class Parser:
    """A grammar made ready: built once, then used for any number of texts, from any number of threads."""

    __slots__ = ("_lexer", "_rows")

    def __init__(self, tables: Tables, shapes: object, frequent: tuple[str, ...] = ()) -> None:
        """Take the tables, and an object whose methods the productions name; each is called with a list of parts.

        ``frequent`` terminals are looked for before others, which makes no difference but in time: no two terminals
        of a grammar match at the same place.
        """
        productions: list[_Production] = [
            (size, None if method is None else getattr(shapes, method), symbol)
            for size, method, symbol in tables.productions
        ]
        #: state -> symbol -> (next state, None) or (0, production)
        self._rows: list[dict[str, _Action]] = [
            {symbol: (to, None) if to >= 0 else (0, productions[~to]) for symbol, to in row.items()}
            for row in tables.states
        ]
        # where a text may end, its end is read like a token
        self._rows[tables.end]["$END"] = (tables.end, None)
        self._lexer = Lexer(tables, frequent)

    def tokens(self, text: str, start: int = 0) -> Iterator[Token]:
        """The tokens of ``text`` from ``start`` on; see :meth:`Lexer.tokens`."""
        return self._lexer.tokens(text, start)

    def parse(self, text: str, start: int = 0) -> Any:
        """What the start rule's method makes of ``text`` from ``start`` on.

        Raises:
            Fault: the first token that cannot stand where it does, or a limit.
        """
        return self.run(self._lexer.tokens(text, start))

    def run(self, tokens: Iterable[Token]) -> Any:
        """What the start rule's method makes of ``tokens``, by the loop of every LR parser: a token goes on the stack,
        or the parts on top of the stack are made into one.

        Raises:
            Fault: the first token that cannot stand where it does.
        """
        rows = self._rows
        states = [0]
        values: list[Any] = []
        row = rows[0]
        last: Token | None = None
        token: Token | None = None
        kind = "$END"
        try:
            for token in chain(tokens, (None,)):
                kind = "$END" if token is None else token.kind
                while True:
                    state, production = row[kind]
                    if production is None:
                        break
                    size, method, symbol = production
                    if method is None:
                        del states[-1]
                    elif size:
                        values[-size:] = [method(values[-size:])]
                        del states[-size:]
                    else:
                        values.append(method([]))
                    state = rows[states[-1]][symbol][0]
                    states.append(state)
                    row = rows[state]
                states.append(state)
                values.append(token)
                row = rows[state]
                last = token
        except KeyError:
            expected = frozenset(symbol for symbol in row if symbol.isupper() and self._accepts(states, symbol))
            end = 0 if last is None else last.end
            span = Span(end, end) if token is None else token.span
            raise Fault("syntax", kind, span, expected) from None
        return values[0]

    def _accepts(self, states: list[int], kind: str) -> bool:
        """Whether ``kind`` can be read here: a row alone says yes to some kinds that a reduction then refuses."""
        states = states[:]
        while True:
            action = self._rows[states[-1]].get(kind)
            if action is None:
                return False
            _, production = action
            if production is None:
                return True
            size, _, symbol = production
            del states[len(states) - size :]
            states.append(self._rows[states[-1]][symbol][0])
