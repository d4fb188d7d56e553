"""From a text to the tree of a SPARQL query: all of SPARQL 1.1's SELECT and ASK, and what real sets write beside it.

The parser is our own. rdflib's, the one in pure Python that is kept, tells no places, so that no finding of the
lowering could show where it is; it reads none of the spellings of Virtuoso in which the Freebase sets are written; and
it takes seventy times as long. A grammar run by the tables of :mod:`pylf.language.lalr` would not fit the
language: whether ``<`` begins an IRI, ``?`` a variable and ``-`` a number depends on what stands before it, keywords
have any case, and each departure from the standard would be a conflict of the grammar. By hand each is one line, at the
place where it may stand, with its note and its message.

A reader per kind of thing, each one that knows the ones before: :mod:`.scanner` (tokens), :mod:`.parse_terms`,
:mod:`.parse_expressions`, :mod:`.parse_triples` (paths too), :mod:`.parse_patterns`, and here whole queries. Functions
are named after the grammar's rules where they read one. Nesting is bounded by :data:`.scanner.MAX_DEPTH`, size by the
limits of every text; time is linear in the text.

Not standard, read, and noted (``not-standard``, on ``Text.notes``, with the standard's spelling as the hint): ``OR``,
``AND``, ``NOT``, ``==`` and ``<>``; aggregates without brackets around them or their argument, without a name, named
outside of brackets; commas between what is selected; conditions without brackets around them; EXISTS without FILTER;
missing and idle dots; names of XML Schema in the wrong case; prefixes that are well known and not declared; Freebase's
names with slashes; modifiers out of their order, a ``;`` at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import Diagnostic, Source
from pylf.frontends.sparql.functions import AGGREGATES, FUNCTIONS
from pylf.frontends.sparql.parse_patterns import Patterns
from pylf.frontends.sparql.syntax import Ask, At, Call, Column, Group, Key, Reduce, Select, Text
from pylf.frontends.sparql.variable_rules import check
from pylf.ir.terms import XSD_INTEGER, Literal, Var
from pylf.language.characters import first_character
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.frontends.sparql.syntax import Data, Expression

_REFUSED = {
    "CONSTRUCT": "it makes a graph",
    "DESCRIBE": "it describes what it finds in words of the engine's choice",
    **dict.fromkeys(("INSERT", "DELETE", "WITH", "MODIFY"), "it changes the graph"),
    **dict.fromkeys(("LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY"), "it changes the store"),
}
_CALLED = frozenset((*FUNCTIONS, *AGGREGATES))
_BEGINS = "SELECT or ASK"
_MODIFIERS = ("GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET")


def parse(text: str, name: str = "<sparql>", prefixes: Mapping[str, str] = {}) -> Text:
    """Read a SPARQL query.

    Args:
        text: the query.
        name: what diagnostics call it, for example the file's name.
        prefixes: those that need no declaration; the text's own go before.

    Returns:
        The tree, its places pointing into ``text``, and the notes on what is not standard in it.

    Raises:
        CompileError: the text is no query that is read, or beyond a limit; the first fault stands alone.
    """
    source = Source(text, name)
    return Queries(source, first_character(source, "query"), prefixes).text_of_query()


class Queries(Patterns):
    """A reader of whole queries."""

    def text_of_query(self) -> Text:
        """The whole text."""
        self._prologue()
        start = self.start
        query: Select | Ask
        graphs: list[At] = []
        named: list[At] = []
        match self.word:
            case "SELECT":
                query = self.select(graphs, named)
            case "ASK":
                query = self._ask(graphs, named)
            case word if word in _REFUSED:
                hint = "read are SELECT and ASK queries"
                raise self.fault("not-a-question", f"{word} asks no question: {_REFUSED[word]}", hint, name=word)
            case _:
                raise self.unexpected(_BEGINS)
        self._end(start)
        check(query, self.source)
        notes: tuple[Diagnostic, ...] = tuple(self.notes)
        return Text(query, self.source, self.prefixes, notes, tuple(graphs), tuple(named))

    def _prologue(self) -> None:
        """``PREFIX`` and ``BASE``."""
        while True:
            turtle = self.kind == "LANG" and self.found.lower() in {"@prefix", "@base"}
            word = self.found[1:].upper() if turtle else self.word
            start = self.start
            if word == "BASE":
                self.advance()
                if self.kind != "IRI":
                    raise self.unexpected("an IRI in < > after BASE")
                self.base = self.full_iri()
            elif word == "PREFIX":
                self.advance()
                self._declare()
            else:
                return
            if turtle or self.kind == ".":
                self.accept(".")
                self.note(
                    "a declaration is written as in Turtle", f"write {word} without '@' and dot", self.since(start)
                )

    def _declare(self) -> None:
        if self.kind != "PNAME" or self.found.find(":") != len(self.found) - 1:
            hint = "as in PREFIX wdt: <http://www.wikidata.org/prop/direct/>"
            raise self.unexpected("a prefix with its colon", hint)
        prefix = self._decoded(self.found[:-1])
        self.advance()
        if self.kind != "IRI":
            raise self.unexpected(f"an IRI in < > after {prefix}:")
        self.prefixes[prefix] = self.full_iri()

    def _end(self, start: int) -> None:
        """Nothing more, but for a sign that ends statements elsewhere."""
        if self.kind in {";", "."} and self.peek()[0] == "END":
            self.note(f"a query is not ended by {self.kind!r}", "leave it out", self.span)
            self.advance()
        if self.kind == "END":
            return
        if self.word in {"SELECT", "ASK", "PREFIX", "BASE", *_REFUSED} or self.kind == ";":
            line, column = self.source.position(start)
            message = f"something follows the query of line {line}, column {column}: one query is read"
            raise self.fault("several-queries", message, "split the text, a query each")
        if self.kind == "}":
            raise self.fault("syntax", "there is no '{' that this '}' could close", "leave it out")
        raise self.unexpected("GROUP BY, HAVING, ORDER BY, LIMIT, OFFSET, VALUES or the end")

    def _datasets(self, graphs: list[At] | None, named: list[At] | None) -> None:
        """``FROM``, ``FROM NAMED``; None where there can be none."""
        while self.word == "FROM":
            if graphs is None or named is None:
                raise self.fault("syntax", "FROM stands in the outermost query only", "leave it out")
            self.advance()
            into = named if self.accept_word("NAMED") else graphs
            into.append(self.iri("the graph's name"))

    def _where(self) -> Group:
        return self.group("'{'" if self.accept_word("WHERE") else "WHERE or '{'")

    # --- SELECT ---------------------------------------------------------------------------------------------------

    def select(self, graphs: list[At] | None = None, named: list[At] | None = None) -> Select:
        """``SELECT … WHERE { … } …``."""
        start = self.start
        self.advance()
        distinct = self.word in {"DISTINCT", "REDUCED"}
        reduced = self.word == "REDUCED"
        if distinct:
            self.advance()
        columns = self._columns()
        highest = self.height
        self._datasets(graphs, named)
        where = self._where()
        self.height = max(highest, self.height)
        return self._modified(start, distinct and not reduced, columns, where)

    def _columns(self) -> tuple[Column, ...] | None:
        """What is selected; None for ``*``."""
        columns: list[Column] = []
        highest = 0
        if self.accept("*"):
            self.height = 0
            return None
        while self.word not in {"WHERE", "FROM"} and self.kind != "{":
            if columns and self.kind == ",":
                self.note("a comma stands between what is selected", "leave it out", self.span)
                self.advance()
            columns.append(self._column())
            highest = max(highest, self.height)
        if not columns:
            raise self.unexpected("what to select (variables, (value AS ?name) or '*')")
        self.height = highest
        return tuple(columns)

    def _column(self) -> Column:
        start = self.start
        value: Expression
        name: At | None = None
        if self.kind == "(":
            self.open("(", "'('")
            value = self.expression()
            if self.accept_word("AS"):
                name = self.variable("a variable after AS")
            self.close(")", "an operator, AS or ')'")
            if name is not None:
                return Column(value, name, self.since(start))
        elif self.kind == "VAR":
            value, self.height = self.variable("a variable"), 1
            if self.word != "AS":
                return Column(value, None, value.span)
        elif self.kind in {"IRI", "PNAME"} or self.word.lower() in _CALLED:
            value = self.expression(bare=True)
        else:
            raise self.unexpected("a variable, (value AS ?name), WHERE or '{'")
        return self._nameless(value, start)

    def _nameless(self, value: Expression, start: int) -> Column:
        """A value whose name is missing, or stands outside of its brackets."""
        written = self.text[value.span.start : value.span.end]
        if self.accept_word("AS"):
            name = self.variable("a variable after AS")
            message = "a name is given outside of brackets"
            self.note(message, f"write ({written} AS {self.text[name.span.start : name.span.end]})", self.since(start))
            return Column(value, name, self.since(start))
        span = self.since(start)
        if isinstance(value, At) and isinstance(value.term, Var):
            self.note("a variable is selected in brackets", f"write {written}", span)
            return Column(value, None, span)
        stem = value.function if isinstance(value, Reduce | Call) and isinstance(value.function, str) else "value"
        stem = stem if stem.isidentifier() else "value"
        chosen = self.unused(stem)
        self.note(
            f"what is selected has no name; it is called ?{chosen.name}", f"write ({written} AS ?{chosen.name})", span
        )
        return Column(value, At(chosen, span), span)

    # --- after the pattern ----------------------------------------------------------------------------------------

    def _modified(self, start: int, distinct: bool, columns: tuple[Column, ...] | None, where: Group) -> Select:
        """The SELECT with what stands after its pattern; the greatest height is kept."""
        highest = self.height
        group_by: list[Column] = []
        having: list[Expression] = []
        order_by: list[Key] = []
        numbers: dict[str, int] = {}
        order = 0
        seen: set[str] = set()
        while self.word in _MODIFIERS:
            word, span = self.word, self.span
            place = min(_MODIFIERS.index(word), 3)
            if word in seen:
                raise self.fault("syntax", f"there is a second {word} here", "leave one of the two out")
            if place < order:
                hint = "the order is GROUP BY, HAVING, ORDER BY, LIMIT and OFFSET"
                self.note(f"{word} stands after what it stands before", hint, span)
            order = max(order, place)
            seen.add(word)
            self.advance()
            self.height = 0
            match word:
                case "GROUP":
                    self._by(word)
                    highest = max(highest, self._grouped(group_by))
                case "ORDER":
                    self._by(word)
                    highest = max(highest, self._ordered(order_by))
                case "HAVING":
                    while not having or self._at_condition():
                        having.append(self.constraint())
                        highest = max(highest, self.height)
                case _:
                    numbers[word] = self._whole_number(word)
        values: Data | None = self.values() if self.word == "VALUES" else None
        self.height = highest + 1
        return Select(
            columns,
            where,
            self.since(start),
            distinct,
            tuple(group_by),
            tuple(having),
            tuple(order_by),
            numbers.get("LIMIT"),
            numbers.get("OFFSET", 0),
            values,
        )

    def _by(self, word: str) -> None:
        if not self.accept_word("BY"):
            raise self.unexpected(f"BY after {word}")

    def _at_condition(self) -> bool:
        """Whether a condition, a key or a group's value may begin here."""
        if self.kind in {"(", "VAR", "IRI", "PNAME"}:
            return True
        return self.word.lower() in _CALLED or self.word in {"EXISTS", "NOT"}

    def _comma(self, what: str) -> None:
        if self.kind == ",":
            self.note(f"a comma stands between {what}", "leave it out", self.span)
            self.advance()

    def _grouped(self, into: list[Column]) -> int:
        highest = 0
        while not into or self._at_condition():
            start = self.start
            name: At | None = None
            value: Expression
            if self.kind == "(":
                self.open("(", "'('")
                value = self.expression()
                if self.accept_word("AS"):
                    name = self.variable("a variable after AS")
                self.close(")", "an operator, AS or ')'")
            elif self._at_condition():
                value = self.operand()
            else:
                raise self.unexpected("what to group by (a variable, a function or (value AS ?name))")
            highest = max(highest, self.height)
            into.append(Column(value, name, self.since(start)))
            self._comma("what is grouped by")
        return highest

    def _ordered(self, into: list[Key]) -> int:
        highest = 0
        while not into or self._at_condition() or self.word in {"ASC", "DESC"}:
            start, word = self.start, self.word
            value: Expression
            if word in {"ASC", "DESC"}:
                self.advance()
                if self.kind == "(":
                    value = self.bracketed()
                elif self._at_condition():
                    value = self.operand()
                    self.note(f"what {word} sorts by stands without brackets", "put it into ( )", self.since(start))
                else:
                    raise self.unexpected(f"'(' after {word}")
            elif self._at_condition() or self.kind in {"+", "-", "!"}:
                standard = self._at_condition()
                value = self.operand()
                if not standard or self._operator(bare=True)[0]:
                    value = self.expression(bare=True, left=value)
                    self.note("what is sorted by stands without brackets", "put it into ( )", self.since(start))
            else:
                raise self.unexpected("what to sort by (a variable, ASC(…), DESC(…) or a function)")
            highest = max(highest, self.height)
            if word not in {"ASC", "DESC"} and self.word in {"ASC", "DESC"} and self._backwards():
                written = self.text[value.span.start : value.span.end]
                word, span = self.word, self.span
                self.advance()
                self.note(f"{word} stands after what it sorts by", f"write {word}({written})", span)
            into.append(Key(value, word == "DESC", self.since(start)))
            self._comma("what is sorted by")
        return highest

    def _backwards(self) -> bool:
        """Whether the ASC or DESC that is next belongs to what stands before it, as in SQL."""
        kind, word = self.peek()
        return kind in {"END", "}", ";", ","} or word in {"LIMIT", "OFFSET", "VALUES"}

    def _whole_number(self, word: str) -> int:
        written = self.found
        if self.kind != "NUMBER" or not written.isdigit():
            raise self.unexpected(f"a whole number after {word}")
        if len(written) > 18:
            raise self.fault("too-large", f"{word} is followed by a number of {len(written)} digits; 18 are read")
        self.advance()
        return int(written)

    # --- ASK ------------------------------------------------------------------------------------------------------

    def _ask(self, graphs: list[At], named: list[At]) -> Ask:
        """``ASK { … }``. What may stand after its pattern matters where it can leave no row: then the pattern is a
        SELECT, of which it is asked whether it has any."""
        start = self.start
        self.advance()
        self._datasets(graphs, named)
        where = self._where()
        select = self._modified(start, False, None, where)
        if not (select.group_by or select.having or select.offset or select.limit == 0):
            return Ask(where, self.since(start), select.values)
        columns = None
        if select.group_by or select.having:
            some = At(Literal("1", XSD_INTEGER), where.span)
            columns = (Column(some, At(self.unused("some"), where.span), where.span),)
        within = replace(select, columns=columns)
        return Ask(Group((within,), where.span), self.since(start))
