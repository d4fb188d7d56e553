"""Comparisons in expressions of the wide tier: when they hold, and when they fail.

What is compared is a variable or a constant, and one of three things is so: the comparison holds, it fails, or the two
cannot be compared. :func:`holds` and :func:`fails` write the first two, by the readings of
:mod:`pylf.backends.sparql.values`: numbers meet numbers, dates meet dates (as intervals), strings strings of the same
language, booleans booleans, and what is no literal meets its like, by ``=`` and ``!=``.

Two variables that are dates are compared by :mod:`pylf.backends.sparql.date_pairs`.
"""

from __future__ import annotations

from collections.abc import Callable

from pylf.backends.sparql import date_pairs, dates, values
from pylf.backends.sparql.content import Content
from pylf.backends.sparql.dialect import Dialect
from pylf.backends.sparql.query import Expression, Operation
from pylf.ir.dates import Interval, date_literal
from pylf.ir.expression_values import compared
from pylf.ir.nodes import Kind, Op
from pylf.ir.terms import XSD_DOUBLE, Iri, Literal, Term, Var
from pylf.ir.values import UNDERSTOOD_DATATYPES, Boolean, Text, value_of

#: What :func:`holds` and :func:`fails` are.
Reading = Callable[[Op, Term, Term, tuple[Content, Content], Dialect], Expression | None]

#: The comparison that holds where another one fails, but for dates.
NEGATED = {Op.LT: Op.GE, Op.GE: Op.LT, Op.GT: Op.LE, Op.LE: Op.GT, Op.EQ: Op.NE, Op.NE: Op.EQ}
_FLIPPED = {Op.LT: Op.GT, Op.GT: Op.LT}
_EQUALITIES = (Op.EQ, Op.NE)
_ZERO = Literal("0e0", XSD_DOUBLE)


def holds(op: Op, left: Term, right: Term, contents: tuple[Content, Content], dialect: Dialect) -> Expression | None:
    """When ``left op right`` holds: None where it never does, TRUE where it always does.

    Raises:
        UnsupportedOperation: the dialect has no order of texts.
    """
    match left, right:
        case Var(), Var():
            return _either(_of_variables(op, left, right, contents, dialect, held=True), dialect)
        case Var(), Iri():
            return _with_iri(op, left, right, contents[0], dialect)
        case Iri(), Var():
            return _with_iri(op, right, left, contents[1], dialect)
        case Var(), Literal():
            held = values.compare_constant(op, left, right, Kind.ANY, contents[0], dialect)
            return _either(
                [*([] if held is None else [held]), *_no_literal(op is Op.NE, left, contents[0], dialect)], dialect
            )
        case Literal(), Var():
            return _turned(op, left, right, contents[1], dialect, held=True)
        case _:
            return values.TRUE if _settled(op, left, right) is True else None


def fails(op: Op, left: Term, right: Term, contents: tuple[Content, Content], dialect: Dialect) -> Expression | None:
    """When two that can be compared are not so: None where that never is, TRUE where it always is.

    Raises:
        UnsupportedOperation: as :func:`holds`.
    """
    match left, right:
        case Var(), Var():
            return _either(_of_variables(op, left, right, contents, dialect, held=False), dialect)
        case Var(), Iri():
            return _with_iri(NEGATED[op], left, right, contents[0], dialect) if op in _EQUALITIES else None
        case Iri(), Var():
            return _with_iri(NEGATED[op], right, left, contents[1], dialect) if op in _EQUALITIES else None
        case Var(), Literal():
            failing = _failing(op, left, right, contents[0], dialect)
            return _either([*failing, *_no_literal(op is Op.EQ, left, contents[0], dialect)], dialect)
        case Literal(), Var():
            return _turned(op, left, right, contents[1], dialect, held=False)
        case _:
            return values.TRUE if _settled(op, left, right) is False else None


def _is_entity(var: Var, content: Content, dialect: Dialect) -> Expression:
    """Whether a variable has a value that is no literal, and so can be compared with IRIs."""
    bound = values.call("BOUND", var)
    if not content.literals:
        return bound
    no_literal = Operation("!", (values.call("isLiteral", var),))
    return Operation("&&", (bound, no_literal)) if dialect.joins_values else no_literal


def _no_literal(told: bool, var: Var, content: Content, dialect: Dialect) -> list[Expression]:
    """What is no literal is another one than a literal is, where that is what is ``told``."""
    return [_is_entity(var, content, dialect)] if told and content.entities else []


def _either(readings: list[Expression], dialect: Dialect) -> Expression | None:
    if not readings:
        return None
    found = values.either(readings)
    return values.total(found) if dialect.joins_values and len(readings) > 1 else found


def _settled(op: Op, left: Term, right: Term) -> bool | None:
    """What comes of comparing two constants; None: they cannot be compared."""
    assert not isinstance(left, Var)
    assert not isinstance(right, Var)
    return compared(op, left, right)


# --- with a constant ----------------------------------------------------------------------------------------------


def _with_iri(op: Op, var: Var, iri: Iri, content: Content, dialect: Dialect) -> Expression | None:
    if op is Op.EQ:
        return values.same(var, iri, dialect) if content.entities else None
    if op is not Op.NE:
        return None
    if dialect.joins_values:
        differs = Operation("!", (values.total(values.among(var, (iri,), dialect)),))
        return Operation("&&", (values.call("BOUND", var), differs))
    return Operation("!", (values.same(var, iri, dialect),))


def _turned(op: Op, constant: Literal, var: Var, content: Content, dialect: Dialect, held: bool) -> Expression | None:
    """``constant op var``, turned round: of numbers, strings and booleans as it is, of dates by < and >."""
    how = _holding if held else _failing
    others = _no_literal(op is (Op.NE if held else Op.EQ), var, content, dialect)
    match value_of(constant):
        case float():
            kinds = content._replace(dates=False)
            return _either([*how(op.mirrored, var, constant, kinds, dialect, Kind.NUMBER), *others], dialect)
        case Text():
            return _either([*how(op.mirrored, var, constant, content, dialect, Kind.TEXT), *others], dialect)
        case Interval() if op not in _FLIPPED:
            found = [_dates(op, constant, var, (content, content), dialect, held)] if content.dates else []
            return _either([*found, *others], dialect)
        case _:
            return _either([*how(op.mirrored, var, constant, content, dialect), *others], dialect)


def _holding(
    op: Op, var: Var, constant: Literal, content: Content, dialect: Dialect, kind: Kind = Kind.ANY
) -> list[Expression]:
    found = values.compare_constant(op, var, constant, kind, content, dialect)
    return [] if found is None else [found]


def _failing(
    op: Op, var: Var, constant: Literal, content: Content, dialect: Dialect, kind: Kind = Kind.ANY
) -> list[Expression]:
    """The ways in which a comparison with a constant can fail, one for each kind of value that it meets."""
    other, worth = NEGATED[op], value_of(constant)
    readings: list[Expression | None] = []
    date = date_literal(constant.lexical) if kind is Kind.ANY else None
    match worth:
        case float():
            readings.append(values.compare_constant(other, var, constant, Kind.NUMBER, content, dialect))
            date = date if constant.lexical.lstrip("+-").isdigit() else None
        case Text(_, language):
            readings.append(values.compare_constant(other, var, constant, Kind.TEXT, content, dialect))
            date = date if language is None else None
        case Interval():
            date = constant
        case Boolean():
            readings.append(values.compare_constant(other, var, constant, Kind.ANY, content, dialect))
            date = None
        case _:
            date = None
            if op is Op.NE and constant.datatype not in UNDERSTOOD_DATATYPES:
                readings.append(values.same(var, constant, dialect))
    if date is not None and content.dates:
        readings.append(_date_fails(op, var, date, content, dialect))
    return [reading for reading in readings if reading is not None]


def _date_fails(op: Op, var: Var, date: Literal, content: Content, dialect: Dialect) -> Expression:
    if op in _EQUALITIES:
        return dates.compare(NEGATED[op], var, date, content, dialect)
    fails_ = Operation("!", (values.total(dates.compare(op, var, date, content, dialect)),))
    return values.guarded(dates.date_guard(var, content, dialect), fails_)


# --- two variables ------------------------------------------------------------------------------------------------


def _of_variables(
    op: Op, left: Var, right: Var, contents: tuple[Content, Content], dialect: Dialect, held: bool
) -> list[Expression]:
    """The ways in which a comparison of two variables holds, or fails."""
    of_left, of_right = contents
    told = op if held else NEGATED[op]
    equality = op in _EQUALITIES
    readings: list[Expression] = []
    if told is Op.EQ and of_left.entities and of_right.entities:
        readings.append(_same_entity(left, right, contents, dialect))
    if told is Op.NE and (of_left.entities or of_right.entities):
        readings.append(_other_than_entity(left, right, contents, dialect))
    if of_left.numbers and of_right.numbers:
        keys = values.number_key(left, of_left, dialect), values.number_key(right, of_right, dialect)
        guards = [values.number_guard(left, of_left, dialect), values.number_guard(right, of_right, dialect)]
        readings.append(_guarded(guards, Operation(told.value, keys)))
    if of_left.texts and of_right.texts:
        if not equality:
            values.order_of_texts(dialect)
        guards = [values.text_guard(left, of_left), values.text_guard(right, of_right)]
        readings.append(_guarded(guards, Operation(told.value, (values.call("STR", left), values.call("STR", right)))))
    if equality and of_left.tagged and of_right.tagged:
        readings.append(_tagged(told, left, right))
    if equality and of_left.others and of_right.others:
        readings += _others(told, left, right, dialect, held, op)
    if of_left.dates and of_right.dates:
        readings.append(_dates(op, left, right, contents, dialect, held))
    return readings


def _guarded(guards: list[Expression | None], expression: Expression) -> Expression:
    for guard in reversed(guards):
        expression = values.guarded(guard, expression)
    return expression


def _same_entity(left: Var, right: Var, contents: tuple[Content, Content], dialect: Dialect) -> Expression:
    """Two that are the same, and no literals."""
    guard = Operation("!", (values.call("isLiteral", left),)) if contents[0].literals else None
    return _guarded([guard], values.same(left, right, dialect))


def _other_than_entity(left: Var, right: Var, contents: tuple[Content, Content], dialect: Dialect) -> Expression:
    """Two that are not the same, one of them at least no literal."""
    if not any(content.literals for content in contents):
        return Operation("!=", (left, right))
    sides = [side for side in zip((left, right), contents, strict=True) if side[1].entities]
    differ: Expression = Operation("!", (values.same(left, right, dialect),))
    if dialect.joins_values:  # which says no of what has no value
        differ = Operation("&&", (values.call("BOUND", left), values.call("BOUND", right), differ))
    if not all(content.literals for _, content in sides):
        return differ
    tests = [_is_entity(var, content, dialect) for var, content in sides]
    return _guarded([tests[0] if len(tests) == 1 else Operation("||", tuple(tests))], differ)


def _tagged(op: Op, left: Var, right: Var) -> Expression:
    tags = [values.call("LCASE", values.call("LANG", var)) for var in (left, right)]
    alike = Operation(op.value, (values.call("STR", left), values.call("STR", right)))
    of_one = values.guarded(Operation("!=", (tags[0], values.EMPTY)), alike)
    return values.guarded(Operation("=", (tags[0], tags[1])), of_one)


def _others(told: Op, left: Var, right: Var, dialect: Dialect, held: bool, op: Op) -> list[Expression]:
    """Booleans; and what is of a datatype that is not understood, which is equal to itself and else not compared."""
    readings: list[Expression] = [
        Operation("&&", (values.boolean(left, true, dialect), values.boolean(right, true is (told is Op.EQ), dialect)))
        for true in (True, False)
    ]
    if held is (op is Op.EQ):
        datatype = values.call("STR", values.call("DATATYPE", left))
        understood = values.call("REGEX", datatype, Literal(values.UNDERSTOOD_PATTERN))
        readings.append(values.guarded(values.same(left, right, dialect), Operation("!", (understood,))))
    return readings


def _dates(
    op: Op, left: Var | Literal, right: Var, contents: tuple[Content, Content], dialect: Dialect, held: bool
) -> Expression:
    """Two dates, the left one perhaps a constant: whether a comparison of them holds, or fails."""
    if op in _EQUALITIES:
        return date_pairs.compare(op if held else NEGATED[op], left, right, contents, dialect)
    found = date_pairs.compare(op, left, right, contents, dialect)
    if held:
        return found
    return _guarded(date_pairs.guards(left, right, contents, dialect), Operation("!", (values.total(found),)))


# --- what counts as true ------------------------------------------------------------------------------------------


def counting(var: Var, wanted: bool, content: Content, dialect: Dialect) -> list[Expression | None]:
    """The ways in which what a variable has counts as true, or as false (SPARQL 1.1, 17.2.2), one for each kind of
    value; an error or false for what counts as neither."""
    readings: list[Expression | None] = []
    if content.others:
        readings.append(values.boolean(var, wanted, dialect))
        if not wanted:
            readings.append(_ill_formed(var, dialect))
    if content.numbers:
        zero = values.ZERO if content.counted else _ZERO
        compared_ = Operation("!=" if wanted else "=", (values.number_key(var, content, dialect), zero))
        readings.append(values.guarded(values.number_guard(var, content, dialect), compared_))
    if content.texts or content.tagged:
        compared_ = Operation("!=" if wanted else "=", (values.call("STR", var), values.EMPTY))
        only = not (content.entities or content.numbers or content.dates or content.others)
        readings.append(compared_ if only else values.guarded(values.is_text(var), compared_))
    return readings


def _ill_formed(var: Var, dialect: Dialect) -> Expression:
    """Whether a variable has a literal that its datatype says to be a number or a boolean, and that is none."""
    said = values.call("REGEX", values.call("STR", values.call("DATATYPE", var)), Literal(values.COUNTING_PATTERN))
    is_any = (values.is_number(var, dialect), *[values.boolean(var, true, dialect) for true in (True, False)])
    return values.guarded(said, Operation("!", (Operation("||", is_any),)))
