"""Comparisons, keys and identities by value, as SPARQL expressions that engines agree on.

What they compute is defined by :mod:`pylf.ir.values`; nothing here depends on how an engine compares literals of two
datatypes, orders them, or reacts to a literal that does not fit its datatype. Every comparison is guarded by a regular
expression over datatype and lexical form, unless the :class:`~pylf.backends.sparql.content.Content` of the variable
says that only one clean kind occurs. Guards are ``IF``: an error inside ``&&`` is handled differently by engines.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pylf.backends.sparql import date_pairs, dates
from pylf.backends.sparql.query import Call, Operation, TypedString
from pylf.errors import UnsupportedOperation
from pylf.ir.dates import Interval, date_literal
from pylf.ir.nodes import Kind, Op
from pylf.ir.terms import RDF_LANG_STRING, XSD, XSD_BOOLEAN, XSD_DOUBLE, XSD_INTEGER, XSD_STRING, Iri, Literal, Var
from pylf.ir.values import UNDERSTOOD_DATATYPES, Boolean, Text, value_of
from pylf.ir.values import compare as compare_values

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from pylf.backends.sparql.content import Content
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.query import Expression
    from pylf.ir.terms import Constant, Term

TRUE = Literal("true", XSD_BOOLEAN)
FALSE = Literal("false", XSD_BOOLEAN)
ZERO = Literal("0", XSD_INTEGER)
ONE = Literal("1", XSD_INTEGER)
EMPTY = Literal("")
_DOUBLE = Iri(XSD_DOUBLE)
_STRING = Iri(XSD_STRING)
_BOOLEAN = Iri(XSD_BOOLEAN)
_EQUALITIES = (Op.EQ, Op.NE, Op.IS)
_WITH_TEXT = (Kind.ANY, Kind.TEXT)
_FLIPPED = {Op.LT: Op.GT, Op.LE: Op.GE, Op.GT: Op.LT, Op.GE: Op.LE, Op.EQ: Op.EQ, Op.NE: Op.NE, Op.IS: Op.IS}

_DECIMAL = "[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)"
_INTEGER_TYPE = (
    "(integer|(nonP|p)ositiveInteger|(nonN|n)egativeInteger|"
    "(unsignedL|l)ong|(unsignedI|i)nt|(unsignedS|s)hort|(unsignedB|b)yte)"
)
#: Lexical form, space and local name of the datatype of a number.
NUMBER_PATTERN = (
    f"^([+-]?[0-9]+ {_INTEGER_TYPE}|{_DECIMAL} decimal|({_DECIMAL}([eE][+-]?[0-9]+)?|[+-]?INF) (double|float))$"
)
#: The datatypes of which a store that keeps values keeps no spellings.
_RESPELLED = UNDERSTOOD_DATATYPES - {XSD_STRING, RDF_LANG_STRING}
#: The datatypes whose literals are compared by value, or not at all where they are ill-formed.
UNDERSTOOD_PATTERN = (
    f"^http://www[.]w3[.]org/2001/XMLSchema#({_INTEGER_TYPE}|decimal|double|float|gYear|gYearMonth|date|dateTime(Stamp)?|"
    "boolean|string)$|^http://www[.]w3[.]org/1999/02/22-rdf-syntax-ns#langString$"
)

#: The datatypes of numbers and booleans.
COUNTING_PATTERN = f"^http://www[.]w3[.]org/2001/XMLSchema#({_INTEGER_TYPE}|decimal|double|float|boolean)$"


def call(function: str, *arguments: Expression) -> Call:
    """A builtin applied to arguments."""
    return Call(function, arguments)


def guarded(guard: Expression | None, expression: Expression) -> Expression:
    """``IF(guard, expression, false)``; the expression alone where there is nothing to guard against."""
    return expression if guard is None else call("IF", guard, expression, FALSE)


def either(readings: list[Expression]) -> Expression:
    """The disjunction of one or more readings."""
    return readings[0] if len(readings) == 1 else Operation("||", tuple(readings))


def total(expression: Expression) -> Expression:
    """The expression with false in place of an error, so that it can be negated."""
    if isinstance(expression, Call) and expression.function == "COALESCE" and expression.arguments[-1] == FALSE:
        return expression
    return call("COALESCE", expression, FALSE)


def spelled(var: Var, iri: Iri) -> Expression:
    """Whether a variable is an IRI, told by its spelling."""
    return guarded(call("isIRI", var), Operation("=", (call("STR", var), Literal(iri.value))))


# --- terms --------------------------------------------------------------------------------------------------------


def same(var: Var, other: Var | Constant, dialect: Dialect) -> Expression:
    """Whether a variable is the very term that another is, or a constant."""
    if not dialect.joins_values:
        return call("sameTerm", var, other)
    if isinstance(other, Iri):
        # sameTerm of an object and an IRI is neither true nor false in COALESCE, and a list of one is found by the
        # index as well
        return guarded(Operation("!", (call("isLiteral", var),)), Operation("IN", (var, other)))
    if isinstance(other, Literal):
        if other.datatype == RDF_LANG_STRING:
            # in the place of the variable, a tagged string that the store does not hold makes functions fail
            return total(Operation("IN", (var, other)))
        return Operation("IN", (var, *_spelled(other))) if _alone(other) else _same_literal(var, other, dialect)
    spelled = Operation("=", (call("STR", var), call("STR", other)))
    # COALESCE also keeps the engine from carrying the equation over into other groups
    return total(Operation("&&", (spelled, Operation("=", (_described(var), _described(other))))))


def same_of_equal(left: Var, right: Var, entities: bool, dialect: Dialect) -> Expression:
    """Whether two variables are the same term, where an equality between them would make them one to the engine."""
    if not entities:
        return same(left, right, dialect)
    spelled = Operation("=", (call("STR", left), call("STR", right)))
    return total(
        Operation(
            "&&", (spelled, Operation("!", (call("isLiteral", left),)), Operation("!", (call("isLiteral", right),)))
        )
    )


def among(var: Var, terms: tuple[Constant, ...], dialect: Dialect) -> Expression:
    """Whether a variable is one of some terms."""
    by_tag = [] if dialect.folds_language else [term for term in terms if is_tagged(term)]
    terms = tuple([term for term in terms if dialect.folds_language or not is_tagged(term)])
    alone = [term for term in terms if _alone(term)]
    named = [one for term in alone for one in _spelled(term)] if dialect.joins_values else alone
    if dialect.folds_single_rows and len(named) == 1 and is_tagged(alone[0]):
        named *= 2  # of a list of one it makes a constant, and a string that it does not hold makes functions fail
    limit = dialect.values_limit or len(named)
    lists = [Operation("IN", (var, *named[at : at + limit])) for at in range(0, len(named), limit or 1)]
    readings: list[Expression] = [*lists]
    if len(lists) > 1:
        # engines put several lists side by side together again
        readings = [Operation("!", (Operation("&&", tuple([Operation("!", (one,)) for one in lists])),))]
    readings += [same(var, term, dialect) for term in terms if not _alone(term)]
    readings += _tagged_alike(var, by_tag, dialect)
    return readings[0] if len(readings) == 1 else total(either(readings))


def listed(var: Var, terms: tuple[Constant, ...], mixed: bool, whole: bool, dialect: Dialect) -> Expression:
    """Whether a variable is one of some terms, where it may be a literal as well if ``mixed``: an engine that joins
    values reads IRIs as numbers and dates then, to compare them with. ``whole``: free of errors."""
    if not mixed or not any(isinstance(term, Iri) for term in terms):
        found = among(var, terms, dialect)
        return total(found) if whole else found
    entity = Operation("!", (call("isLiteral", var),))
    iris = among(var, tuple([term for term in terms if isinstance(term, Iri)]), dialect)
    literals = tuple([term for term in terms if not isinstance(term, Iri)])
    if literals:
        return total(either([guarded(entity, iris), among(var, literals, dialect)]))
    # the engine may look at the second half of a conjunction first, and cannot make a number of an IRI
    found = guarded(entity, iris)
    return total(found) if whole else found


def is_tagged(term: Term) -> bool:
    """Whether a term is a tagged string."""
    return isinstance(term, Literal) and term.datatype == RDF_LANG_STRING


def _tagged_alike(var: Var, strings: Sequence[Constant], dialect: Dialect) -> list[Expression]:
    """Whether a variable is one of some tagged strings, their tags in whatever case."""
    tags: dict[str, dict[str, None]] = {}
    for string in strings:
        assert isinstance(string, Literal)
        tags.setdefault(string.lexical, {})[(string.language or "").lower()] = None
    tag = call("LCASE", call("LANG", var))
    readings: list[Expression] = []
    for text, languages in tags.items():
        named = tuple(map(Literal, languages))
        tagged = Operation("=", (tag, *named)) if len(named) == 1 else Operation("IN", (tag, *named))
        readings.append(guarded(tagged, Operation("=", (call("STR", var), _text_of(text, dialect)))))
    return readings


def _alone(term: Constant) -> bool:
    """Whether no other term has the same value."""
    return isinstance(term, Iri) or term.datatype in (XSD_STRING, RDF_LANG_STRING)


def _spelled(term: Constant) -> tuple[Constant | TypedString, ...]:
    """The terms that a term may be to a store."""
    if isinstance(term, Literal) and term.datatype == XSD_STRING:
        return term, TypedString(term.lexical)
    return (term,)


def _described(var: Var) -> Expression:
    """The datatype or language tag of a literal; an empty string for what is none."""
    described = call("COALESCE", call("STR", call("DATATYPE", var)), call("CONCAT", Literal("@"), call("LANG", var)))
    return call("IF", call("isLiteral", var), described, EMPTY)


def _same_literal(var: Var, literal: Literal, dialect: Dialect) -> Expression:
    """The same, told by spelling and datatype; what the engine respells is respelled by it, be it a constant to it
    (``1990.0``, ``INF``) or a value (``1990``, ``inf``)."""
    alike: Expression
    datatype = literal.datatype
    if datatype in _RESPELLED and not isinstance(value_of(literal), Literal):
        spellings = call("STR", literal), call("STR", call("COALESCE", literal, literal))
        alike = Operation("IN", (call("STR", var), *spellings))
        if datatype == XSD_INTEGER and not -(2**31) <= int(literal.lexical) < 2**31:
            datatype = XSD + "decimal"  # what such an engine calls an integer of more than 32 bits
    else:
        alike = Operation("=", (call("STR", var), _text_of(literal.lexical, dialect)))
    return Operation("&&", (Operation("=", (call("DATATYPE", var), Iri(datatype))), alike))


# --- numbers ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def is_number(var: Var, dialect: Dialect) -> Expression:
    """Whether a literal is a number; an error for what is no literal."""
    spelled_as_number = call("REGEX", dates.described(var, call("STR", var)), Literal(NUMBER_PATTERN))
    if not dialect.numbers_as_terms:
        return spelled_as_number
    no_boolean = Operation("!=", (call("DATATYPE", var), _BOOLEAN))
    return call("IF", call("isNumeric", var), no_boolean, spelled_as_number)


@lru_cache(maxsize=1024)
def double_of(var: Var, dialect: Dialect) -> Expression:
    """The IEEE double of a number's lexical form."""
    cast = Call(_DOUBLE, (var if dialect.numbers_as_terms or dialect.rounds_numbers else call("STR", var),))
    return _without_sign_of_zero(cast) if dialect.orders_zeros else cast


def _without_sign_of_zero(number: Expression) -> Expression:
    return Operation("+", (number, Literal("0e0", XSD_DOUBLE)))


@lru_cache(maxsize=1024)
def double_literal(number: float) -> Literal:
    """A double as SPARQL writes it, without the sign of a zero."""
    number += 0.0
    if number in (float("inf"), float("-inf")):
        return Literal("INF" if number > 0 else "-INF", XSD_DOUBLE)
    text = repr(number)
    return Literal(text if "e" in text else text.removesuffix(".0") + "e0", XSD_DOUBLE)


def number_guard(var: Var, content: Content, dialect: Dialect) -> Expression | None:
    """The guard that only numbers pass, or None where nothing else occurs."""
    return None if content.only_numbers else is_number(var, dialect)


def number_key(var: Var, content: Content, dialect: Dialect) -> Expression:
    """What numbers are compared by."""
    return var if content.counted else double_of(var, dialect)


# --- comparison with a constant -------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def compare_constant(
    op: Op, var: Var, constant: Constant, kind: Kind, content: Content, dialect: Dialect
) -> Expression | None:
    """``var op constant`` by value; None where it never holds."""
    readings = _readings(op, var, constant, kind, content, dialect)
    if dialect.joins_values and len(readings) > 1:
        return total(either(readings))
    return either(readings) if readings else None


def _readings(op: Op, var: Var, constant: Constant, kind: Kind, content: Content, dialect: Dialect) -> list[Expression]:
    """The ways in which the comparison can hold, one for each kind of value that the constant meets."""
    anything = kind is Kind.ANY
    if isinstance(constant, Literal):
        match value_of(constant):
            case float(number):
                meets = anything or kind is Kind.NUMBER
                readings = [_number(op, var, number, constant, content, dialect)] if meets else []
                occurs, spelled_as_date = content.numbers, constant.lexical.lstrip("+-").isdigit()
            case Text(_, language):
                readings = _text(op, var, constant, content, dialect) if anything or kind is Kind.TEXT else []
                occurs, spelled_as_date = content.texts, language is None
            case Boolean(true):
                return [boolean(var, true is (op is not Op.NE), dialect)] if anything and op in _EQUALITIES else []
            case Interval():
                return [dates.compare(op, var, constant, content, dialect)] if anything or kind is Kind.DATE else []
            case _:
                alike = op is Op.IS or (op is Op.EQ and constant.datatype not in UNDERSTOOD_DATATYPES)
                return [same(var, constant, dialect)] if anything and alike else []
        date = date_literal(constant.lexical) if anything and spelled_as_date and op is not Op.IS else None
        if date is not None and (content.dates or not readings):
            reading = dates.compare(op, var, date, content, dialect)
            readings = [*readings, reading] if occurs else [reading]
        return readings
    return [same(var, constant, dialect)] if anything and op is Op.IS else []


def _number(op: Op, var: Var, number: float, constant: Literal, content: Content, dialect: Dialect) -> Expression:
    right = double_literal(number)
    if content.counted and number.is_integer():  # an engine may put the constant in the place of the count
        right = constant if constant.datatype == XSD_INTEGER else Literal(str(int(number)), XSD_INTEGER)
    compared = Operation(_symbol(op), (number_key(var, content, dialect), right))
    return guarded(number_guard(var, content, dialect), compared)


def _text(op: Op, var: Var, constant: Literal, content: Content, dialect: Dialect) -> list[Expression]:
    language = constant.language
    if language is None:
        if op in (Op.EQ, Op.IS):
            return [same(var, constant, dialect)]
        if op is not Op.NE:
            order_of_texts(dialect)
        compared = Operation(op.value, (call("STR", var), _text_of(constant.lexical, dialect)))
        return [guarded(text_guard(var, content), compared)]
    tagged = Operation("=", (call("LCASE", call("LANG", var)), Literal(language.lower())))
    match op:
        case Op.EQ | Op.IS if dialect.folds_language:
            return [same(var, constant, dialect)]
        case Op.EQ | Op.IS | Op.NE:
            alike = Operation(_symbol(op), (call("STR", var), _text_of(constant.lexical, dialect)))
            return [guarded(tagged, alike)]
        case _:
            return []


def boolean(var: Var, true: bool, dialect: Dialect) -> Expression:
    """Whether a variable is true, or is false."""
    if dialect.joins_values:
        return _same_literal(var, TRUE if true else FALSE, dialect)
    spellings = ("true", "1") if true else ("false", "0")
    return either([call("sameTerm", var, Literal(spelled, XSD_BOOLEAN)) for spelled in spellings])


def _text_of(text: str, dialect: Dialect) -> Expression:
    """A plain string to compare with."""
    return call("STR", TypedString(text)) if dialect.bare_bytes and not text.isascii() else Literal(text)


def _symbol(op: Op) -> str:
    return "=" if op is Op.IS else op.value


# --- comparison of two variables ------------------------------------------------------------------------------------


def compare_terms(
    op: Op, left: Term, right: Term, kind: Kind, contents: tuple[Content, Content], dialect: Dialect
) -> Expression | None:
    """``left op right`` by value; None where it never holds, TRUE where it always does.

    Raises:
        UnsupportedOperation: what may be a date is compared with a variable that may be spelled like one, and is none.
    """
    match left, right:
        case Var(), Var():
            return _compare_variables(op, left, right, kind, contents, dialect)
        case Var(), _:
            return compare_constant(op, left, right, kind, contents[0], dialect)
        case _, Var():
            return _compare_reversed(op, left, right, kind, contents[1], dialect)
        case _:
            return TRUE if compare_values(op, left, right, kind) else None


def _compare_reversed(
    op: Op, constant: Constant, var: Var, kind: Kind, content: Content, dialect: Dialect
) -> Expression | None:
    """``constant op var``: what has no dates in it is turned round."""
    if op is Op.IS or not isinstance(constant, Literal):
        return compare_constant(op, var, constant, kind, content, dialect) if op is Op.IS else None
    match value_of(constant):
        case float() if kind is Kind.ANY:
            kind = Kind.NUMBER
        case Text() if kind is Kind.ANY:
            kind = Kind.TEXT
        case Interval() if kind in (Kind.ANY, Kind.DATE):
            if kind is Kind.ANY and _meets_spelled(content):
                _refuse_spelled(f"a constant date {op.value} a variable of any kind", dialect)
            occurs = content.dates or kind is Kind.DATE
            return date_pairs.compare(op, constant, var, (content, content), dialect) if occurs else None
    return compare_constant(_FLIPPED[op], var, constant, kind, content, dialect)


def _compare_variables(
    op: Op, left: Var, right: Var, kind: Kind, contents: tuple[Content, Content], dialect: Dialect
) -> Expression | None:
    of_left, of_right = contents
    readings: list[Expression] = []
    if op is Op.IS and kind is Kind.ANY:
        readings.append(same(left, right, dialect))
    if kind is Kind.NUMBER or (kind is Kind.ANY and of_left.numbers and of_right.numbers):
        both = Operation(_symbol(op), (number_key(left, of_left, dialect), number_key(right, of_right, dialect)))
        both_numbers = guarded(number_guard(right, of_right, dialect), both)
        readings.append(guarded(number_guard(left, of_left, dialect), both_numbers))
    if kind is Kind.TEXT or (kind is Kind.ANY and op is not Op.IS and of_left.texts and of_right.texts):
        if op not in _EQUALITIES:
            order_of_texts(dialect)
        both = Operation(_symbol(op), (call("STR", left), call("STR", right)))
        readings.append(guarded(text_guard(left, of_left), guarded(text_guard(right, of_right), both)))
    same_term = op is Op.IS and kind is Kind.ANY and dialect.folds_language  # has been asked for already
    if op in _EQUALITIES and kind in _WITH_TEXT and of_left.tagged and of_right.tagged and not same_term:
        readings.append(_tagged(op, left, right))
    if op in _EQUALITIES and kind is Kind.ANY and of_left.others and of_right.others:
        readings += [
            Operation("&&", (boolean(left, true, dialect), boolean(right, true is (op is not Op.NE), dialect)))
            for true in (True, False)
        ]
        if op is Op.EQ:
            understood = call("REGEX", call("STR", call("DATATYPE", left)), Literal(UNDERSTOOD_PATTERN))
            readings.append(guarded(same(left, right, dialect), Operation("!", (understood,))))
    if kind is Kind.ANY and op is not Op.IS and of_left.dates and _meets_spelled(of_right):
        _refuse_spelled(f"{op.value} between two variables of any kind", dialect)
    if kind is Kind.DATE or (kind is Kind.ANY and of_left.dates and of_right.dates):
        if op is not Op.IS or not all(dates.plainly_spelled(content, dialect) for content in contents):
            readings.append(date_pairs.compare(op, left, right, contents, dialect))
        elif kind is Kind.DATE:
            readings.append(guarded(dates.date_guard(left, of_left, dialect), same(left, right, dialect)))
    if not readings:
        return None
    return total(either(readings)) if dialect.joins_values else either(readings)


def _meets_spelled(content: Content) -> bool:
    """Whether some value that is no date may be spelled like one, and is compared with dates."""
    return content.numbers or content.texts


def _refuse_spelled(what: str, dialect: Dialect) -> NoReturn:
    """What is spelled like a date may be spelled as no graph has to hold dates."""
    raise UnsupportedOperation(what, f"SPARQL ({dialect.name}): give the comparison a kind")


def _tagged(op: Op, left: Var, right: Var) -> Expression:
    tags = [call("LCASE", call("LANG", var)) for var in (left, right)]
    same = Operation(_symbol(op), (call("STR", left), call("STR", right)))
    return guarded(Operation("=", (tags[0], tags[1])), guarded(Operation("!=", (tags[0], EMPTY)), same))


# --- keys -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def text_guard(var: Var, content: Content) -> Expression | None:
    """The guard that only plain strings pass, or None where nothing else occurs."""
    return None if content.only_texts else Operation("=", (call("DATATYPE", var), _STRING))


def is_text(var: Var) -> Expression:
    """Whether a value is a string, plain or tagged; of an IRI, which has no tag, some engines say that it has one."""
    told = Operation(
        "||", (Operation("=", (call("DATATYPE", var), _STRING)), Operation("!=", (call("LANG", var), EMPTY)))
    )
    return call("IF", call("isLiteral", var), told, FALSE)


def order_guard(kind: Kind, var: Var, content: Content, dialect: Dialect) -> Expression | None:
    """The guard that only values with a place in the order of ``kind`` (not ANY) pass; None where all have one."""
    match kind:
        case Kind.NUMBER:
            return number_guard(var, content, dialect)
        case Kind.DATE:
            return dates.date_guard(var, content, dialect)
        case _:
            return text_guard(var, content)


def order_key(kind: Kind, var: Var, content: Content, dialect: Dialect) -> Expression:
    """What values are ordered by under ``kind`` (not ANY): a double or a string, equal only where the places are."""
    match kind:
        case Kind.NUMBER:
            return number_key(var, content, dialect)
        case Kind.DATE:
            return dates.start_key(var, content, dialect)
        case _:
            order_of_texts(dialect)
            return call("STR", var)


def order_of_texts(dialect: Dialect) -> None:
    """Raises UnsupportedOperation where strings are not ordered by their code points."""
    if dialect.collates:
        where = (
            f"SPARQL ({dialect.name}), where strings have the order of a language; dates are written as '…^^xsd:date'"
        )
        raise UnsupportedOperation("the order of texts", where)


@lru_cache(maxsize=1024)
def identity_key(var: Var, content: Content, dialect: Dialect) -> Expression:
    """A term that two values share exactly when they are the same value; what is no literal stands for itself."""
    if content.counted:
        return var
    number = double_of(var, dialect)
    if not dialect.orders_zeros:
        number = _without_sign_of_zero(number)
    if content.only_numbers:
        return number
    key: Expression = var
    if content.texts and dialect.joins_values:  # there plain strings and typed ones are two terms
        guard = text_guard(var, content)
        key = call("STR", var) if guard is None else call("IF", guard, call("STR", var), key)
    if content.others:
        for true in (False, True):
            key = call("IF", boolean(var, true, dialect), TRUE if true else FALSE, key)
    if content.tagged and not dialect.folds_language:
        tag = call("LANG", var)
        key = call("IF", Operation("!=", (tag, EMPTY)), call("STRLANG", call("STR", var), call("LCASE", tag)), key)
    if content.dates and not dates.plainly_spelled(content, dialect):
        spelled = call("STRDT", dates.spelling(var, content, dialect), call("DATATYPE", var))
        key = call("IF", dates.is_date(var, content, dialect), spelled, key)
    if content.numbers:
        key = call("IF", is_number(var, dialect), number, key)
    return call("IF", call("isLiteral", var), key, var) if content.entities and key is not var else key
