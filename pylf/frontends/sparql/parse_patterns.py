"""Reading groups of patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.sparql.parse_triples import Triples
from pylf.frontends.sparql.scanner import MAX_DEPTH
from pylf.frontends.sparql.syntax import (
    At,
    Bind,
    Data,
    Exists,
    Filter,
    Graph,
    Group,
    Minus,
    Optional,
    Select,
    Service,
    Triple,
    Union,
)

if TYPE_CHECKING:
    from pylf.frontends.sparql.syntax import Expression, Pattern

_PATTERN = "a pattern or '}'"
_SUBSELECT = "a SELECT within a pattern stands alone in its braces: { SELECT … { … } }"


class Patterns(Triples):
    """A reader of groups."""

    def select(self) -> Select:
        """A SELECT; read by the class that knows queries."""
        raise NotImplementedError

    def group(self, expected: str = "'{'") -> Group:
        """``{ … }``."""
        start = self.start
        self.open("{", expected)
        self.new_pattern()
        if self.word == "SELECT":
            parts: list[Pattern] = [self.select()]
            highest = self.height
            if self.kind not in {"}", "END"}:
                raise self.unexpected("'}' after the SELECT within", _SUBSELECT)
        else:
            parts = []
            highest = self._parts(parts)
        self.close("}", _PATTERN)
        self.new_pattern()
        self.height = highest + 1
        if self.height > MAX_DEPTH:
            raise self.too_deep(type(self.span)(start, start + 1))
        return Group(tuple(parts), self.since(start))

    def _parts(self, parts: list[Pattern]) -> int:
        """What stands between the braces; the greatest height of it."""
        highest = 0
        undotted = False  # whether a triple came last, without a dot after it
        while self.kind != "}":
            if self.kind == "." and (not parts or self.previous == "."):
                self.note("a dot stands here that ends no triple", "leave it out", self.span)
                self.advance()
                continue
            if self.accept("."):
                continue
            self.height = 0
            if self.at_node():
                if undotted and self.previous != ".":
                    place = type(self.span)(self.last - 1, self.last)
                    self.note("a dot is missing after this triple", "write '.' between triples", place)
                found: list[Triple] = []
                self.triples(found)
                parts += found
                undotted = True
            else:
                undotted = False
                parts.append(self._pattern())
                highest = max(highest, self.height)
        return highest

    def _pattern(self) -> Pattern:
        """A pattern that is no triple."""
        start, word = self.start, self.word
        if word not in {"FILTER", "EXISTS", "NOT", ""}:
            self.new_pattern()
        match word:
            case "FILTER":
                pattern = self.pattern
                self.advance()
                condition = self.constraint()
                self.pattern = pattern  # a filter stands within the triples around it
                return Filter(condition, self.since(start))
            case "OPTIONAL":
                self.advance()
                return Optional(self.group("'{' after OPTIONAL"), self.since(start))
            case "MINUS":
                self.advance()
                return Minus(self.group("'{' after MINUS"), self.since(start))
            case "BIND":
                return self._bind()
            case "VALUES":
                return self.values()
            case "GRAPH":
                self.advance()
                name = self._name("the graph's name or a variable")
                return Graph(name, self.group("'{'"), self.since(start))
            case "SERVICE":
                self.advance()
                silent = self.accept_word("SILENT")
                name = self._name("the service's address or a variable")
                return Service(name, self.group("'{'"), self.since(start), silent)
            case "EXISTS" | "NOT":
                if word == "NOT" and self.peek()[1] != "EXISTS":
                    raise self.unexpected(_PATTERN)
                span, pattern = self.span, self.pattern
                exists = self.operand()
                self.pattern = pattern
                assert isinstance(exists, Exists)
                self.note("this EXISTS stands without FILTER", "write FILTER before it", span)
                return Filter(exists, self.since(start))
            case "SELECT":
                raise self.fault("syntax", "a SELECT cannot stand beside other patterns", _SUBSELECT)
            case "UNION":
                hint = "UNION stands between two groups: { … } UNION { … }"
                raise self.fault("syntax", "there is no group before this UNION", hint)
        return self._groups()

    def _groups(self) -> Group | Union:
        """``{ … }``, and what UNION adds to it."""
        start = self.start
        arms = [self.group(_PATTERN)]
        highest = self.height
        while self.accept_word("UNION"):
            arms.append(self.group("'{' after UNION"))
            highest = max(highest, self.height)
        self.height = highest
        return arms[0] if len(arms) == 1 else Union(tuple(arms), self.since(start))

    def _name(self, expected: str) -> At:
        return self.variable(expected) if self.kind == "VAR" else self.iri(expected)

    def _bind(self) -> Bind:
        start = self.start
        self.advance()
        self.open("(", "'(' after BIND")
        value = self.expression()
        if not self.accept_word("AS"):
            raise self.unexpected("an operator or AS", "write BIND(value AS ?variable)")
        variable = self.variable("a variable after AS")
        self.close(")", "')'")
        return Bind(value, variable, self.since(start))

    def constraint(self) -> Expression:
        """What FILTER and HAVING demand."""
        start = self.start
        if self.kind == "(":
            value = self.bracketed()
        elif self.kind in {"IRI", "PNAME"} or (self.word not in {"", "TRUE", "FALSE", "NOT"}):
            value = self.operand()
            if isinstance(value, At) and not self._operator(bare=True)[0]:
                raise self.unexpected("'(' after the function's name")
        elif self.word == "NOT" and self.peek()[1] == "EXISTS":
            value = self.operand()
        else:
            value = self.expression(bare=True)
            self.note("a condition stands without brackets", "put it into ( )", self.since(start))
            return value
        if self._operator(bare=True)[0]:
            value = self.expression(bare=True, left=value)
            self.note("a condition goes on after its brackets", "put the whole of it into ( )", self.since(start))
        return value

    # --- VALUES ---------------------------------------------------------------------------------------------------

    def values(self) -> Data:
        """``VALUES ?x { … }``, ``VALUES (?x ?y) { (…) … }``."""
        start = self.start
        self.advance()
        variables: list[At] = []
        several = self.kind == "("
        if several:
            self.open("(", "'('")
            while self.kind != ")":
                variables.append(self.variable("a variable or ')'"))
            self.close(")", "')'")
        else:
            variables.append(self.variable("a variable or '(' after VALUES"))
        self.open("{", "'{' before the values")
        rows: list[tuple[At | None, ...]] = []
        while self.kind != "}":
            rows.append(self._row(len(variables), several))
        self.close("}", "a value or '}'")
        return Data(tuple(variables), tuple(rows), self.since(start))

    def _row(self, width: int, several: bool) -> tuple[At | None, ...]:
        start = self.start
        if self.kind != "(":
            value = self._value("a row in brackets or '}'" if several else "a value or '}'")
            if several:
                if width != 1:
                    raise self.fault("syntax", f"a row of {width} values stands in brackets", span=self.since(start))
                self.note("a row stands without brackets", "put it into ( )", self.since(start))
            return (value,)
        self.open("(", "'('")
        row = []
        while self.kind != ")":
            row.append(self._value("a value or ')'"))
        self.close(")", "')'")
        span = self.since(start)
        if len(row) != width:
            variables = f"{width} variable{'' if width == 1 else 's'}"
            hint = "where there is no value, write UNDEF"
            raise self.fault("syntax", f"a row of {len(row)} does not fit {variables}", hint, span=span)
        if not several:
            self.note("a row stands in brackets after one variable without", "leave the brackets out", span)
        return tuple(row)

    def _value(self, expected: str) -> At | None:
        if self.accept_word("UNDEF"):
            return None
        value = self.constant()
        if value is None:
            raise self.unexpected(expected)
        return value
