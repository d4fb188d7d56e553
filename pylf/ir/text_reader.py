"""The parser of the printed form (:mod:`pylf.ir.text`): Lark's LALR with the nodes built as it goes.

Importing this module imports Lark, so only :func:`pylf.ir.text.parse_query` does, on first use.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, cast

from lark import Lark, Token, UnexpectedInput, UnexpectedToken, v_args

from pylf.errors import CompileError, Diagnostic, InvalidIR, Source, Span
from pylf.ir.build import query as build_query
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Extreme,
    Form,
    InstanceOf,
    Member,
    Not,
    Op,
    Path,
    Project,
    Query,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import MAX_NESTING
from pylf.ir.terms import ILLEGAL_IN_IRI, Var
from pylf.ir.text_tokens import (
    Refused,
    constant_of,
    direction_of,
    illegal_iri,
    iri_of,
    kind_of,
    span_of,
    term_of,
    var_of,
)
from pylf.ir.text_wide import WideBuilder
from pylf.ir.traverse import variables
from pylf.ir.types import ANY, RELATION, EntityType, LiteralType, RowType, SubgraphType, Type, entity_of
from pylf.ir.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Term

#: Lines may be indented this many levels deep, the header's and the outermost body's among them.
_MAX_LEVELS = MAX_NESTING + 2

_Header = tuple[Form, tuple[Var, ...], Span]
_Typings = dict[Token, Type]
_Hop = tuple["Term", bool, "Term", int]


def read(text: str, name: str, check: bool) -> Query:
    """See :func:`pylf.ir.text.parse_query`."""
    source = Source(text, name)
    try:
        query = _parser()(text)
    except Refused as refused:
        raise CompileError([refused.diagnostic.at(source)]) from None
    except UnexpectedInput as error:
        raise CompileError([_unexpected(error, text).at(source)]) from None
    if check:
        try:
            verify(query)
        except InvalidIR as error:
            finding = Diagnostic("invalid-ir", str(error), error.span, source)
            raise CompileError([finding]) from error
    return query


class _Layout:
    """Turns indentation into tokens. Knows no brackets: a line is a line."""

    always_accept = ("_NEWLINE",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        levels = [0]
        token = None
        for token in stream:
            yield token
            if token.type != "_NEWLINE":
                continue
            blanks = token.rpartition("\n")[2]
            if "#" in blanks:  # a comment that ends the text
                continue
            width = len(blanks.expandtabs(8))
            if width > levels[-1]:
                levels.append(width)
                if len(levels) > _MAX_LEVELS:
                    place = Span(token.end_pos or 0, (token.end_pos or 0) + 1)
                    raise Refused("too-deep", f"bodies stand within bodies more than {MAX_NESTING} deep", place)
                yield Token.new_borrow_pos("_INDENT", "", token)
            while width < levels[-1]:
                levels.pop()
                yield Token.new_borrow_pos("_DEDENT", "", token)
            if width != levels[-1]:
                end = token.end_pos or 0
                raise Refused(
                    "ir-layout",
                    f"this line is indented by {width}, between the levels around it",
                    Span(end - len(blanks), end),
                    f"the levels open above it are indented by {', '.join(map(str, levels))}",
                )
        if token is not None:
            if token.type != "_NEWLINE":
                at = token.end_pos
                token = Token("_NEWLINE", "", at, token.end_line, token.end_column, token.end_line, None, at)
                yield token
            for _ in levels[1:]:
                yield Token.new_borrow_pos("_DEDENT", "", token)


@v_args(inline=True)
class _Builder(WideBuilder):
    """One method a rule of the grammar. Terms arrive as tokens, which know their places."""

    def start(self, header: _Header, typings: _Typings | None, body: Body) -> Query:
        form, outputs, span = header
        occurring = set(variables(Query(form, outputs, body)))
        known: dict[str, Type] = {}
        for token, type_ in (typings or {}).items():
            if token[1:] not in occurring:
                raise Refused("ir-types", f"{token} has a type and does not occur below", span_of(token))
            known[token[1:]] = type_
        return build_query(form, outputs, body, known, span)

    def head(self, form: Token, *outputs: Token) -> _Header:
        return Form(form), tuple(map(var_of, outputs)), span_of(form, outputs[-1] if outputs else form)

    # --- types ----------------------------------------------------------------------------------------------------

    def types(self, *typings: tuple[Token, Type]) -> _Typings:
        known: _Typings = {}
        for token, type_ in typings:
            if token in known:
                raise Refused("ir-types", f"{token} has a type already", span_of(token))
            known[token] = type_
        return known

    def typing(self, variable: Token, type_: Type) -> tuple[Token, Type]:
        return variable, type_

    def entity(self) -> Type:
        return EntityType()

    def entity_of_one(self, *classes: Token) -> Type:
        return entity_of(tuple(iri_of(c).value for c in classes))

    def entity_of_all(self, unions: tuple[tuple[str, ...], ...]) -> Type:
        return entity_of(*unions)

    def several(self, *choices: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        return choices

    def choice(self, *classes: Token) -> tuple[str, ...]:
        return tuple(iri_of(c).value for c in classes if c.type == "IRI")

    def literal(self, datatype: Token | None = None) -> Type:
        return LiteralType(None if datatype is None else iri_of(datatype).value)

    def any(self) -> Type:
        return ANY

    def relation(self) -> Type:
        return RELATION

    def row(self, *columns: Type | Token) -> Type:
        return RowType(tuple(c for c in columns if not isinstance(c, str)))

    def subgraph(self) -> Type:
        return SubgraphType()

    # --- atoms ----------------------------------------------------------------------------------------------------

    def triple(self, subject: Token, predicate: Token, object_: Token) -> Conjunct:
        return Triple(term_of(subject), term_of(predicate), term_of(object_), span_of(subject, object_))

    def instance(self, term: Token, *classes: Token) -> Conjunct:
        return InstanceOf(term_of(term), tuple(map(iri_of, classes)), span_of(term, classes[-1]))

    def comparison(self, left: Token, op: Token, right: Token, kind: Token | None) -> Conjunct:
        return Compare(Op(op), term_of(left), term_of(right), kind_of(kind), span_of(left, kind or right))

    def membership(self, term: Token, *values: Token) -> Conjunct:
        return Member(term_of(term), tuple(map(constant_of, values[:-1])), span_of(term, values[-1]))

    def confidence(self, subject: Token, predicate: Token, object_: Token, value: Token) -> Conjunct:
        span = span_of(subject, value)
        return Confidence(term_of(subject), term_of(predicate), term_of(object_), var_of(value), span)

    def path(self, word: Token, first: Token, *hops: _Hop) -> Conjunct:
        nodes = (term_of(first), *(node for _, _, node, _ in hops))
        forward = tuple(ahead for _, ahead, _, _ in hops)
        return Path(nodes, tuple(r for r, _, _, _ in hops), forward, Span(word.start_pos or 0, hops[-1][3]))

    def hop(self, first: Token, second: Token, node: Token) -> _Hop:
        ahead = second.type == "FORTH"
        return term_of(first if ahead else second), ahead, term_of(node), node.end_pos or 0

    def closure(self, subject: Token, relation: Token, steps: Token, object_: Token) -> Conjunct:
        minimum = 1 if steps == "+" else 0
        return Closure(term_of(subject), iri_of(relation), term_of(object_), minimum, span_of(subject, object_))

    def never(self, word: Token) -> Conjunct:
        return Union((), span_of(word))

    # --- operators ------------------------------------------------------------------------------------------------

    def body(self, *conjuncts: Conjunct) -> Body:
        return Body(conjuncts)

    def negation(self, word: Token, *parts: Token | Body) -> Conjunct:
        *apart, body = parts
        assert isinstance(body, Body)
        return Not(body, bool(apart), span_of(word))

    def union(self, word: Token, *arms: Body) -> Conjunct:
        return Union(arms, span_of(word))

    def projection(self, word: Token, *parts: Token | Body) -> Conjunct:
        *outputs, body = parts
        assert isinstance(body, Body)
        tokens = [token for token in outputs if isinstance(token, Token)]
        return Project(tuple(map(var_of, tokens)), body, span_of(word, tokens[-1]))

    def count(self, result: Token, of: Token, group: tuple[Token, ...] | None, body: Body) -> Conjunct:
        group = group or ()
        return Count(
            var_of(result), var_of(of), body, tuple(map(var_of, group)), span_of(result, group[-1] if group else of)
        )

    def group(self, *variables: Token) -> tuple[Token, ...]:
        return variables

    def extreme(self, item: Token, direction: Token, key: Token, kind: Token | None, body: Body) -> Conjunct:
        return Extreme(
            direction_of(direction), var_of(item), var_of(key), body, kind_of(kind), span_of(item, kind or key)
        )

    def best(
        self, item: Token, number: Token, direction: Token, key: Token, kind: Token | None, body: Body
    ) -> Conjunct:
        span = span_of(item, kind or key)
        return TopK(direction_of(direction), int(number), var_of(item), var_of(key), body, kind_of(kind), span)


@functools.cache
def _parser() -> Callable[[str], Query]:
    grammar = FilePath(__file__).parent.parent / "grammars" / "ir.lark"
    lark = Lark(
        grammar.read_text(encoding="utf-8"),
        parser="lalr",
        postlex=_Layout(),
        transformer=_Builder(),
        maybe_placeholders=True,
    )

    def parse(text: str) -> Query:
        # an embedded transformer makes the parser return what `start` returns, which Lark's types cannot say
        query: Query = lark.parse(text)  # type: ignore[assignment]
        return query

    return parse


# --- diagnostics --------------------------------------------------------------------------------------------------

_NAMES = {
    "VAR": "a variable (?x)",
    "IRI": "an IRI (<http://…>)",
    "TEXT": 'a literal ("…")',
    "FORM": "set, number, boolean, rows or subgraph",
    "OP": "a comparison (< <= > >= = != is)",
    "COMPARE": "a comparison between blanks (< <= > >= = !=)",
    "ARITHMETIC": "an operator between blanks (+ - * /)",
    "FUNCTION": "a function and its parenthesis",
    "BANG": "!",
    "STAR": "*",
    "_IS_VALUE": ":=",
    "_OR_ELSE": "||",
    "_AND_ALSO": "&&",
    "KIND": "number, date or text",
    "DIRECTION": "largest or smallest",
    "NUMBER": "a number",
    "STEPS": "+ or *",
    "FORTH": "->",
    "BACK": "<-",
    "RPAR": ")",
    "_LPAR": "(",
    "_COLON": ":",
    "_COMMA": ",",
    "_BAR": "|",
    "_AND": "&",
    "_DASH": "-",
    "_NEWLINE": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "a line indented less",
    "$END": "the end",
}


def _unexpected(error: UnexpectedInput, text: str) -> Diagnostic:
    """What Lark did not expect, in words."""
    expected = _expected(error)
    start = cast("int | None", error.pos_in_stream) or 0  # Lark's class says None, its instances do not
    before = text.rfind("\n", 0, start) + 1
    if isinstance(error, UnexpectedToken) and error.token.type in {"$END", "_DEDENT", "_INDENT", "_NEWLINE"}:
        if error.token.type == "$END" or not text[start:].strip():
            end = len(text.rstrip())
            return Diagnostic(
                "ir-syntax", "the text ends too early", Span(max(0, end - 1), end), None, _hints(expected)
            )
        place = error.token.start_pos if error.token.type == "_NEWLINE" else error.token.end_pos
        place = place or 0
        return Diagnostic("ir-syntax", _LAYOUT[error.token.type], Span(place, place + 1), None, _hints(expected))
    if expected == {"_INDENT"} and not text[before:start].strip():
        return Diagnostic("ir-syntax", _LAYOUT["_DEDENT"], Span(start, start + 1), None, _hints(expected))
    if text.startswith("^^<", start):
        start += 2
    if text.startswith("<", start) and (finding := _bad_iri(text, start)) is not None:
        return finding
    if re.compile(r"<[^\s<>]").match(text, start):
        span = Span(start, start + _first_line(text[start:]))
        return Diagnostic("ir-syntax", "this IRI has no closing '>'", span, None, _hints(expected))
    if text.startswith('"', start):
        span = Span(start, start + _first_line(text[start:]))
        what = "this literal has no end on its line, or stands in a wrong place"
        return Diagnostic("ir-syntax", what, span, None, _hints(expected))
    word = re.compile(r"[?\w]+|\S").match(text, start)
    found = word[0] if word is not None else text[start : start + 1]
    what = f"'{found}' is not expected here"
    return Diagnostic("ir-syntax", what, Span(start, start + len(found)), None, _hints(expected))


def _expected(error: UnexpectedInput) -> set[str]:
    """The terminals that the parser could have gone on with."""
    state = error.state
    row = state.parse_conf.parse_table.states[state.position]
    return {name for name in row if name.lstrip("_").isupper() or name == "$END"}


_LAYOUT = {
    "_NEWLINE": "the line ends too early",
    "_INDENT": "this line is indented more than the one above, which takes no body",
    "_DEDENT": "the indented body that should stand here is missing",
}


def _bad_iri(text: str, start: int) -> Diagnostic | None:
    line = text.find("\n", start)
    end = text.find(">", start, line if line >= 0 else len(text))
    written = text[start + 1 : end] if end >= 0 else ""
    for offset, char in enumerate(written):
        escape = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})").match(written, offset)
        if char in ILLEGAL_IN_IRI and escape is None:
            place = start + 1 + offset
            return illegal_iri(char, Span(place, place + 1)).diagnostic
    return None


def _hints(expected: set[str]) -> tuple[str, ...]:
    words = sorted(_NAMES.get(name, name.lstrip("_").lower()) for name in expected if name != "_DEDENT")
    return ("here may stand " + ", ".join(words),) if words else ()


def _first_line(text: str) -> int:
    end = text.find("\n")
    return end if end >= 0 else len(text)
