"""The one printer: a query tree as SPARQL 1.1 text.

Deterministic, indented, full ``<IRI>``s only. Everything that comes from outside is checked or escaped here: an IRI
with a character that SPARQL forbids, a name that is no variable name, half of a surrogate pair are refused, never
passed on.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pylf.backends.sparql.query import (
    Aggregate,
    Ask,
    Bind,
    Call,
    Column,
    Exists,
    Filter,
    Group,
    Minus,
    Operation,
    OptionalPattern,
    PathExpression,
    Select,
    Stated,
    Transitive,
    TriplePattern,
    TypedString,
    UnionPattern,
    Values,
)
from pylf.backends.sparql.spoken import spoken, stated
from pylf.errors import InvalidIR
from pylf.ir.terms import (
    ILLEGAL_IN_IRI,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    Iri,
    Literal,
    Var,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.query import Expression, Pattern, QueryTree
    from pylf.ir.terms import Constant, Term

#: An expression longer than this is written over several lines.
_WIDTH = 100
_INDENT = "  "
#: Lists of more terms than this are remembered.
_LONG = 100
#: Indents grow up to here: beyond, a query a hundred levels deep would be white space for the most part.
_DEEPEST = 60
#: How tightly operators bind; operands that bind less tightly stand in parentheses.
_TIGHTNESS = {"||": 1, "&&": 2, "+": 4, "-": 4, "*": 5, "/": 5, "!": 6}
_PATH_TIGHTNESS = {"|": 1, "/": 2, "^": 3, "+": 4, "*": 4}
_COMPARISON = 3
_ATOM = 7
#: What an EXISTS counts as: parentheses make its extent plain.
_LOOSEST = 0
_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"})


class OddIri(Exception):
    """The dialect's parser would not take an IRI that SPARQL allows."""


def print_tree(tree: QueryTree, dialect: Dialect, strictly: bool = False) -> str:
    """The text of a query, with a line break at its end.

    Raises:
        InvalidIR: an IRI, a variable name, a language tag or a string cannot be written in SPARQL.
        OddIri: an IRI is one that RFC 3987 does not allow; where ``strictly`` that matters.
    """
    printer = _Printer(dialect, strictly)
    if isinstance(tree, Ask):
        printer.out.append("ASK {\n")
        printer.patterns(tree.where, _INDENT)
        printer.out.append("}\n")
    else:
        printer.select(tree, "")
        printer.out.append("\n")
    return "".join(printer.out)


class _Printer:
    def __init__(self, dialect: Dialect, strictly: bool) -> None:
        self.out: list[str] = []
        #: what :meth:`inline` made of an expression, by its ``id``: long ones are asked for at every depth
        self.inlined: dict[int, str] = {}
        self.iri = _strict_iri if strictly else _iri
        self.expands_escapes = dialect.expands_escapes
        self.dialect = dialect
        #: calls in the words of the dialect, by the ``id`` of the call in the tree
        self.spoken: dict[int, Call] = {}
        #: expressions that are in no tree: they are kept, since what is known of them goes by their ids
        self.made: list[Expression] = []

    # --- queries and patterns -------------------------------------------------------------------------------------

    def select(self, select: Select, indent: str) -> None:
        out = self.out
        inner = _deeper(indent)
        columns = [self.column(column, inner) for column in select.projection]
        broken = any("\n" in column for column in columns)
        listed = "".join([f"\n{inner}{column}" for column in columns]) if broken else f" {' '.join(columns)}"
        between = f"\n{indent}" if broken else " "
        out.append(f"SELECT{' DISTINCT' if select.distinct else ''}{listed}{between}WHERE {{\n")
        self.patterns(select.where, inner)
        out.append(f"{indent}}}")
        if select.group_by:
            keys = [self.column(column, inner) for column in select.group_by]
            out.append(f"\n{indent}GROUP BY {' '.join(keys)}")
        if select.having is not None:
            out.append(f"\n{indent}HAVING ({self.inline(stated(select.having, self.dialect), '')})")
        if select.order_by:
            keys = [
                f"{'DESC' if descending else 'ASC'}({self.inline(expression, '')})"
                for expression, descending in select.order_by
            ]
            out.append(f"\n{indent}ORDER BY {' '.join(keys)}")
        if select.limit is not None:
            out.append(f"\n{indent}LIMIT {select.limit}")
        if select.offset:
            out.append(f"\n{indent}OFFSET {select.offset}")

    def column(self, column: Var | Column, indent: str) -> str:
        if isinstance(column, Column):
            return f"({self.expression(column.expression, indent)} AS {_variable(column.variable.name)})"
        return _variable(column.name)

    def patterns(self, group: Group, indent: str) -> None:
        out = self.out
        for pattern in group.patterns:
            if type(pattern) is TriplePattern:
                predicate = pattern.predicate
                path = self.path(predicate, 0) if isinstance(predicate, PathExpression) else self.term(predicate)
                out.append(f"{indent}{self.term(pattern.subject)} {path} {self.term(pattern.object)} .\n")
            else:
                out.append(indent)
                self.pattern(pattern, indent)
                out.append("\n")

    def pattern(self, pattern: Pattern, indent: str) -> None:
        match pattern:
            case Filter(Exists(group, negated)):
                self.block("FILTER NOT EXISTS {\n" if negated else "FILTER EXISTS {\n", group, indent)
            case Filter(expression):
                self.filter(expression, indent)
            case UnionPattern(arms):
                for number, arm in enumerate(arms):
                    self.block(f"\n{indent}UNION {{\n" if number else "{\n", arm, indent)
            case Select():
                inner = _deeper(indent)
                self.out.append(f"{{\n{inner}")
                self.select(pattern, inner)
                self.out.append(f"\n{indent}}}")
            case Values(variables, rows):
                self.values(variables, rows, indent)
            case Group():
                self.block("{\n", pattern, indent)
            case Minus(group):
                self.block("MINUS {\n", group, indent)
            case OptionalPattern(group):
                self.block("OPTIONAL {\n", group, indent)
            case Stated():
                self.out.append(self.stated(pattern))
            case Transitive():
                self.transitive(pattern, indent)
            case Bind(expression, variable):
                self.out.append(f"BIND({self.inline(expression, '')} AS {_variable(variable.name)})")
            case TriplePattern():
                raise AssertionError(pattern)  # patterns() writes these itself

    def filter(self, expression: Expression, indent: str) -> None:
        condition = stated(expression, self.dialect)
        if condition is not expression:
            self.made.append(condition)
        if isinstance(condition, Operation) and condition.operator in ("&&", "||"):
            inner = _deeper(indent)
            text = self.expression(condition, inner)
            self.out.append(f"FILTER(\n{inner}{text}\n{indent})" if "\n" in text else f"FILTER({text})")
        else:
            self.out.append(f"FILTER({self.expression(condition, indent)})")

    def block(self, opening: str, group: Group, indent: str) -> None:
        self.out.append(opening)
        self.patterns(group, _deeper(indent))
        self.out.append(f"{indent}}}")

    def values(self, variables: tuple[Var, ...], rows: tuple[tuple[Constant, ...], ...], indent: str) -> None:
        if len(variables) == 1:
            names = _variable(variables[0].name)
            data = self.listed(rows)
        else:
            names = f"({' '.join([_variable(variable.name) for variable in variables])})"
            data = [f"({' '.join(map(self.term, row))})" for row in rows]
        inline = " ".join(data)
        if len(inline) > _WIDTH:
            between = f"\n{_deeper(indent)}"
            self.out.append(f"VALUES {names} {{{between}{between.join(data)}\n{indent}}}")
        else:
            self.out.append(f"VALUES {names} {{ {inline} }}")

    def listed(self, rows: tuple[tuple[Constant, ...], ...]) -> Sequence[str]:
        """Rows of one term each. Long lists of IRIs are the classes below a class, which come again and again."""
        if len(rows) > _LONG:
            iris = tuple([term.value for (term,) in rows if type(term) is Iri])
            if len(iris) == len(rows):
                return _long_list(iris, self.iri)
        return [self.term(term) for (term,) in rows]

    def transitive(self, steps: Transitive, indent: str) -> None:
        start, end = _variable(steps.start.name), _variable(steps.end.name)
        inner = _deeper(indent)
        step = f"{start} {self.iri(steps.relation.value)} {end} . FILTER(!isLiteral({end}))"
        self.out.append(f"{{\n{inner}SELECT {start} {end} WHERE {{ {step} }}\n{indent}}}")
        # what is known is called the way out, and walked from against the direction: from a known way in, the engine
        # finds no start where nothing else is joined with, and left to choose, it goes by what all its graphs hold
        into, out, way = (start, end, "") if steps.known is None else (start, end, ", T_DIRECTION 2")
        if steps.known == steps.start:
            into, out = out, into
        self.out.append(f" OPTION (TRANSITIVE, T_DISTINCT, T_IN({into}), T_OUT({out}), T_MIN(0){way})")

    def stated(self, pattern: Stated) -> str:
        name, triple = _variable(pattern.name.name), pattern.triple
        assert not isinstance(triple.predicate, PathExpression)
        said = " ".join(map(self.term, (triple.subject, triple.predicate, triple.object)))
        if pattern.by is None:
            return f"GRAPH {name} {{ {said} . }}"
        return f"{name} {self.term(pattern.by)} <<( {said} )>> ."

    def path(self, path: Iri | PathExpression, outer: int) -> str:
        if isinstance(path, Iri):
            return self.term(path)
        operator = path.operator
        tightness = _PATH_TIGHTNESS[operator]
        parts = [self.path(operand, tightness) for operand in path.operands]
        match operator:
            case "^":
                text = f"^{parts[0]}"
            case "+" | "*":
                text = f"{parts[0]}{operator}"
            case _:
                text = operator.join(parts)
        return f"({text})" if tightness <= outer else text

    # --- expressions ----------------------------------------------------------------------------------------------

    def expression(self, expression: Expression, indent: str) -> str:
        """An expression, over several lines where it is long; the first continues the line that it starts on."""
        text = self.inline(expression, indent)
        return text if len(text) <= _WIDTH else self.broken(expression, text, indent)

    def broken(self, expression: Expression, text: str, indent: str) -> str:
        """A long expression over several lines; ``text`` is what it is on one."""
        if type(expression) is Call:
            expression = self.said(expression)
            function, arguments = expression.function, expression.arguments
            name = function if isinstance(function, str) else _iri(function.value)
            if len(arguments) == 1:
                return f"{name}({self.expression(arguments[0], indent)})"
            inner = _deeper(indent)
            parts = f",\n{inner}".join(self.each(arguments, inner))
            return f"{name}(\n{inner}{parts}\n{indent})"
        if type(expression) is Operation and expression.operator == "!":
            return f"!({self.expression(expression.operands[0], indent)})"
        if type(expression) is Operation and expression.operator != "IN":
            operator, operands = expression.operator, expression.operands
            tightness = _TIGHTNESS.get(operator, _COMPARISON)
            texts = [
                f"({text})" if _tightness(operand) <= tightness else text
                for operand, text in zip(operands, self.each(operands, indent), strict=True)
            ]
            return (f"\n{indent}{operator} " if tightness < _COMPARISON else f" {operator} ").join(texts)
        if type(expression) is Aggregate and expression.expression is not None:
            return self.reduced(expression, self.expression(expression.expression, indent))
        return text

    def each(self, expressions: tuple[Expression, ...], indent: str) -> list[str]:
        """What :meth:`expression` makes of each."""
        texts = [self.inline(one, indent) for one in expressions]
        return [
            text if len(text) <= _WIDTH else self.broken(one, text, indent)
            for one, text in zip(expressions, texts, strict=True)
        ]

    def inline(self, expression: Expression, indent: str = "") -> str:
        """An expression on one line, but for the groups of EXISTS."""
        if type(expression) is Var:
            return _variable(expression.name)
        if type(expression) is TypedString:
            return self.typed(expression)
        if type(expression) is Literal:
            return _literal(expression.lexical, expression.datatype, expression.language, self.expands_escapes)
        known = self.inlined.get(id(expression))
        if known is None:
            known = self.inline_anew(expression, indent)
            if "\n" not in known:  # a group depends on the indent
                self.inlined[id(expression)] = known
        return known

    def inline_anew(self, expression: Expression, indent: str) -> str:
        if type(expression) is Call:
            expression = self.said(expression)
            function = expression.function
            name = function if isinstance(function, str) else _iri(function.value)
            return f"{name}({', '.join([self.inline(argument, indent) for argument in expression.arguments])})"
        match expression:
            case Operation("!", (operand,)):
                return f"!{self.operand(operand, _ATOM - 1, indent)}"
            case Operation("IN", operands):
                first, *values = [self.operand(operand, _COMPARISON, indent) for operand in operands]
                return f"{first} IN ({', '.join(values)})"
            case Operation(operator, operands):
                tightness = _TIGHTNESS.get(operator, _COMPARISON)
                return f" {operator} ".join([self.operand(operand, tightness, indent) for operand in operands])
            case Aggregate(_, operand):
                return self.reduced(expression, "*" if operand is None else self.inline(operand, indent))
            case Exists(group, negated):
                start = len(self.out)
                self.block("NOT EXISTS {\n" if negated else "EXISTS {\n", group, indent)
                text = "".join(self.out[start:])
                del self.out[start:]
                return text
            case Var() | Iri() | Literal():
                return self.term(expression)
        raise AssertionError(expression)

    def reduced(self, aggregate: Aggregate, inner: str) -> str:
        """An aggregate of what is written already."""
        distinct = "DISTINCT " if aggregate.distinct else ""
        separator = aggregate.separator
        ending = "" if separator is None else f"; SEPARATOR = {_quoted(separator, self.expands_escapes)}"
        return f"{aggregate.function}({distinct}{inner}{ending})"

    def said(self, call: Call) -> Call:
        """A call in the words of the dialect. They are kept, since what is printed is known by the ``id`` of a node."""
        dialect = self.dialect
        if not dialect.lacks_same_term:
            return call
        known = self.spoken.get(id(call))
        if known is None:
            known = self.spoken[id(call)] = spoken(call, dialect)
        return known

    def operand(self, expression: Expression, outer: int, indent: str) -> str:
        text = self.inline(expression, indent)
        return f"({text})" if _tightness(expression) <= outer else text

    # --- terms ----------------------------------------------------------------------------------------------------

    def typed(self, string: TypedString) -> str:
        return f"{_quoted(string.lexical, self.expands_escapes)}^^{_iri(XSD_STRING)}"

    def term(self, term: Term) -> str:
        if type(term) is Var:
            return _variable(term.name)
        if type(term) is Iri:
            return self.iri(term.value)
        assert isinstance(term, Literal)
        return _literal(term.lexical, term.datatype, term.language, self.expands_escapes)


def _deeper(indent: str) -> str:
    return indent + _INDENT if len(indent) < _DEEPEST else indent


# --- terms, checked ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _iri(value: str) -> str:
    if not ILLEGAL_IN_IRI.isdisjoint(value):
        found = sorted(ILLEGAL_IN_IRI.intersection(value))
        raise InvalidIR(f"an IRI may not hold {', '.join(map(repr, found))}: {value!r}")
    if not _iri_pattern().match(value) or _surrogate_pattern().search(value):
        raise InvalidIR(f"an IRI begins with its scheme and is made of whole characters: {value!r}")
    return f"<{value}>"


@lru_cache(maxsize=4096)
def _strict_iri(value: str) -> str:
    if not is_strict(value):
        raise OddIri(value)
    return _iri(value)


@lru_cache(maxsize=4096)
def is_strict(value: str) -> bool:
    """Whether an IRI is certainly one by RFC 3987. Some that are (with an address in brackets, say) are left out."""
    return _strict_pattern().fullmatch(value) is not None or not ILLEGAL_IN_IRI.isdisjoint(value)


@lru_cache(maxsize=16)
def _long_list(iris: tuple[str, ...], print_iri: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(map(print_iri, iris))


@lru_cache(maxsize=4096)
def _variable(name: str) -> str:
    if not (name.isascii() and name.isidentifier()) or name[0] == "_":
        raise InvalidIR(f"a variable's name is a letter, then letters, digits and underscores, not {name!r}")
    return f"?{name}"


@lru_cache(maxsize=4096)
def _literal(lexical: str, datatype: str, language: str | None, expands_escapes: bool) -> str:
    if language is not None:
        if not _language_pattern().fullmatch(language):
            raise InvalidIR(f"a language tag is letters, then groups of letters and digits, not {language!r}")
        return f"{_quoted(lexical, expands_escapes)}@{language}"
    if datatype == XSD_STRING:
        return _quoted(lexical, expands_escapes)
    if datatype in _BARE and _bare_pattern(datatype).fullmatch(lexical):
        return lexical
    return f"{_quoted(lexical, expands_escapes)}^^{_iri(datatype)}"


def _quoted(lexical: str, expands_escapes: bool) -> str:
    if _surrogate_pattern().search(lexical):
        raise InvalidIR(f"a string holds half of a surrogate pair: {lexical!r}")
    if expands_escapes and "\\" in lexical:
        parts = _before_u_pattern().split(lexical)
        return '"' + r"\u005C\u005C".join([part.translate(_ESCAPES) for part in parts]) + '"'
    return f'"{lexical.translate(_ESCAPES)}"'


@cache
def _iri_pattern() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@cache
def _strict_pattern() -> re.Pattern[str]:
    plain = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|[\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]|%[0-9A-Fa-f]{2})"
    return re.compile(
        rf"[A-Za-z][A-Za-z0-9+.-]*:(?://[A-Za-z0-9._~-]*(?::[0-9]*)?(?=[/?#]|$)|(?!//)){plain}*(?:\?(?:{plain}|\?)*)?(?:#(?:{plain}|\?)*)?"
    )


@cache
def _surrogate_pattern() -> re.Pattern[str]:
    return re.compile("[\ud800-\udfff]")


@cache
def _language_pattern() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*")


@cache
def _before_u_pattern() -> re.Pattern[str]:
    return re.compile(r"\\(?=[uU])")


@cache
def _bare_pattern(datatype: str) -> re.Pattern[str]:
    return re.compile(_BARE[datatype])


#: Spellings that SPARQL reads as a literal of the datatype without quotes, and that no engine respells. A decimal with
#: a sign is quoted: rdflib's parser does not take it among inline data.
_BARE = {
    XSD_INTEGER: r"-?(?:0|[1-9][0-9]*)",
    XSD_DECIMAL: r"(?:0|[1-9][0-9]*)\.[0-9]+",
    XSD_DOUBLE: r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?[eE][+-]?[0-9]+",
    XSD_BOOLEAN: r"true|false",
}


def _tightness(expression: Expression) -> int:
    if type(expression) is Operation:
        return _TIGHTNESS.get(expression.operator, _COMPARISON)
    return _LOOSEST if type(expression) is Exists else _ATOM
