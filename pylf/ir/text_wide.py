"""The wide tier's part of the parser of the printed form (:mod:`pylf.ir.text_reader`): expressions, and the conjuncts
that hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lark import Token, Transformer, v_args

from pylf.errors import Span
from pylf.ir.expressions import MAX_DEPTH, Apply
from pylf.ir.nodes import Aggregate, Body, Condition, Extend, LeftJoin, Order, Reduction, Slice
from pylf.ir.text_tokens import Refused, iri_of, span_of, term_of, var_of

if TYPE_CHECKING:
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct


class Part(NamedTuple):
    """An expression, where it stands, and how deep expressions stand within it."""

    expression: Expression
    span: Span
    depth: int


@v_args(inline=True)
class WideBuilder(Transformer[Token, object]):
    """One method a rule. A term arrives as its token, another expression as a :class:`Part`."""

    def condition(self, word: Token, written: Token | Part) -> Conjunct:
        """``if …``."""
        part = _part(written)
        return Condition(part.expression, span_of(word).cover(part.span))

    def extension(self, result: Token, written: Token | Part) -> Conjunct:
        """``?x := …``."""
        part = _part(written)
        return Extend(var_of(result), part.expression, span_of(result).cover(part.span))

    def optional(self, word: Token, body: Body) -> Conjunct:
        """``optionally``."""
        return LeftJoin(body, span_of(word))

    # --- expressions ----------------------------------------------------------------------------------------------

    def operation(self, left: Token | Part, operator: Token, right: Token | Part) -> Part:
        """``a < b``, ``a + b``."""
        return _applied(str(operator), (left, right))

    def disjunction(self, *operands: Token | Part) -> Part:
        """``a || b || …``."""
        return _applied("||", operands)

    def conjunction(self, *operands: Token | Part) -> Part:
        """``a && b && …``."""
        return _applied("&&", operands)

    def denial(self, sign: Token, operand: Token | Part) -> Part:
        """``!a``."""
        return _applied("!", (operand,), sign)

    def call(self, function: Token, *parts: Token | Part | None) -> Part:
        """``function(…)``."""
        return _applied(str(function), _arguments(parts), function)

    def cast(self, datatype: Token, *parts: Token | Part | None) -> Part:
        """``<datatype>(…)``."""
        return _applied(iri_of(datatype).value, _arguments(parts), datatype)

    def nested(self, written: Token | Part, _: Token) -> Part:
        """``(a)``."""
        return _part(written)

    # --- reductions and slices ------------------------------------------------------------------------------------

    def aggregate(
        self, word: Token, reductions: tuple[Reduction, ...] | None, group: tuple[Token, ...] | None, body: Body
    ) -> Conjunct:
        """``aggregate … per …``."""
        return Aggregate(reductions or (), body, tuple(map(var_of, group or ())), span_of(word))

    def reductions(self, *reductions: Reduction) -> tuple[Reduction, ...]:
        """What stands between commas."""
        return reductions

    def reduction(
        self,
        result: Token,
        function: Token,
        distinct: Token | None,
        of: Token | Part,
        separator: Token | None,
        _: Token,
    ) -> Reduction:
        """``?x := function(distinct … separator …)``."""
        expression = None if isinstance(of, Token) and of.type == "STAR" else _part(of).expression
        between = " " if separator is None else _plain(separator)
        return Reduction(str(function), var_of(result), expression, distinct is not None, between)

    def slice(
        self,
        word: Token,
        distinct: Token | None,
        outputs: tuple[Token, ...],
        order: tuple[Order, ...] | None,
        limit: Token | None,
        offset: Token | None,
        body: Body,
    ) -> Conjunct:
        """``slice distinct … by … limit … offset …``."""
        return Slice(
            tuple(map(var_of, outputs)),
            body,
            order or (),
            None if limit is None else int(limit),
            0 if offset is None else int(offset),
            distinct is not None,
            span_of(word, outputs[-1]),
        )

    def slots(self, *outputs: Token) -> tuple[Token, ...]:
        """The outputs of a slice."""
        return outputs

    def order(self, *keys: Order) -> tuple[Order, ...]:
        """``by …``."""
        return keys

    def key(self, descending: Token | None, written: Token | Part) -> Order:
        """``descending …``."""
        return Order(_part(written).expression, descending is not None)


def _part(written: Token | Part) -> Part:
    return written if isinstance(written, Part) else Part(term_of(written), span_of(written), 0)


def _arguments(parts: tuple[Token | Part | None, ...]) -> tuple[Token | Part, ...]:
    """The arguments of a call without its last parenthesis, and without what stands for their absence."""
    return tuple([part for part in parts[:-1] if part is not None])


def _applied(function: str, arguments: tuple[Token | Part, ...], first: Token | None = None) -> Part:
    parts = tuple(map(_part, arguments))
    places = [part.span for part in parts] if first is None else [span_of(first), *[part.span for part in parts]]
    depth = 1 + max([part.depth for part in parts], default=0)
    place = Span(places[0].start, places[-1].end)
    if depth > MAX_DEPTH:
        raise Refused("too-deep", f"expressions stand within expressions more than {MAX_DEPTH} deep", place)
    return Part(Apply(function, tuple([part.expression for part in parts])), place, depth)


def _plain(token: Token) -> str:
    from pylf.ir.terms import XSD_STRING, Literal

    term = term_of(token)
    if not isinstance(term, Literal) or term.datatype != XSD_STRING:
        raise Refused("ir-separator", "a separator is a plain string", span_of(token))
    return term.lexical
