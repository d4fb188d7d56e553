"""SPARQL's expressions as the IR's, in the sight of a group.

A variable that nothing in sight binds has no value, nor has most of what is made of it (SPARQL 1.1, 17.2). What BIND
computes is put in the place of its variable, so that ``BIND(YEAR(?d) AS ?y) FILTER(?y > 1990)`` says what
``FILTER(YEAR(?d) > 1990)`` does.
"""

from __future__ import annotations

import re
from struct import pack, unpack
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.frontends.sparql import syntax
from pylf.frontends.sparql.comparisons import COMPARISONS, among, compared
from pylf.frontends.sparql.mentions import key_of
from pylf.frontends.sparql.told_types import datatypes_of, is_entity, kind_of, relations_to, told
from pylf.ir.dates import DATE_DATATYPES, XSD_DATETIME, as_spelled, constant_interval, date_literal, interval
from pylf.ir.expressions import CASTS, FALSE, FUNCTIONS, TRUE, Apply
from pylf.ir.nodes import Kind
from pylf.ir.terms import (
    RDF_LANG_STRING,
    XSD,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    Iri,
    Literal,
    Var,
    tagged,
)
from pylf.ir.types import ANY
from pylf.ir.values import INTEGER_DATATYPES, XSD_FLOAT, value_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.errors import Span
    from pylf.frontends.sparql.lower import Lowering
    from pylf.frontends.sparql.scope import Part, Scope
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct
    from pylf.ir.schema.model import Relation
    from pylf.ir.types import Type

#: What has no value.
NOTHING = Apply("coalesce", ())
#: Functions that may have a value though an argument has none.
_LENIENT = frozenset(("||", "&&", "in", "if", "coalesce", "bound"))


class View:
    """What an expression sees: the variables of a part, those given around it, and for an OPTIONAL those beside it."""

    def __init__(self, low: Lowering, part: Part, scope: Scope, beside: Part | None = None) -> None:
        self.low = low
        self.part = part
        self.scope = scope
        self.beside = beside
        #: what aggregates come to, in what follows a GROUP BY
        self.reductions: Mapping[syntax.Reduce, Expression] = {}
        self._facts: tuple[Conjunct, ...] | None = None
        self._types: dict[str, Type] | None = None

    def certain(self) -> dict[str, Var]:
        """All that has a value in every solution, by key."""
        found = {key: self.scope.var(key) for key in self.scope.given}
        if self.beside is not None:
            found |= self.beside.certain
        return found | self.part.certain

    def open(self) -> dict[str, Var]:
        """All that may have none."""
        return self.scope.loose | ({} if self.beside is None else self.beside.open) | self.part.open

    def look_up(self, key: str, span: Span) -> Expression | None:
        """What a variable stands for; None where nothing binds it.

        Raises:
            CompileError: ``open-variable``: an OPTIONAL asks for a variable that one beside it may leave open;
                ``partial-variable``.
        """
        part, beside = self.part, self.beside
        if key in part.computed:
            return part.computed[key]
        found = part.visible(key)
        if found is not None:
            return found
        if key in self.scope.given:
            return self.scope.var(key)
        if key in self.scope.loose:
            return self.scope.loose[key]
        if key in part.partial:
            self.low.refuse(
                "partial-variable", f"?{key} is bound by some arms of a UNION only, and by what is around it", span
            )
        if beside is not None:
            if key in beside.computed:
                return beside.computed[key]
            if key in beside.open:
                self.low.refuse(
                    "open-variable",
                    f"this OPTIONAL looks at ?{key}, which another part of the pattern may leave without value",
                    span,
                )
            return beside.certain.get(key)
        return None

    @property
    def facts(self) -> tuple[Conjunct, ...]:
        """The conjuncts that hold of what is seen."""
        if self._facts is None:
            beside = () if self.beside is None else self.beside.conjuncts
            self._facts = (*self.scope.facts, *beside, *self.part.conjuncts)
        return self._facts

    def type_of(self, variable: Var) -> Type:
        """The type of a variable, as the conjuncts in sight and the schema tell."""
        if self._types is None:
            self._types = told(self.facts, self.low.schema)
        return self._types.get(variable.name, ANY)

    def is_entity(self, expression: Expression) -> bool:
        """Whether an expression is plainly no literal."""
        if isinstance(expression, Var):
            return is_entity(self.type_of(expression))
        return isinstance(expression, Iri)

    def kind_of(self, expression: Expression) -> Kind:
        """NUMBER or DATE for a variable whose values are known to be of that kind alone."""
        if not isinstance(expression, Var):
            return Kind.ANY
        return kind_of(expression.name, self.facts, self.low.schema)


def value(expression: syntax.Expression, view: View) -> Expression | None:
    """What an expression stands for; None where it plainly has no value.

    Raises:
        CompileError: ``unsupported-function``, ``unsupported-exists``, ``misplaced-aggregate`` or, by
            :meth:`View.look_up`, ``open-variable``.
        InputError: NOW() of a day that is no date.
    """
    low = view.low
    match expression:
        case syntax.At(term, span):
            key = key_of(term)
            if key is not None:
                return view.look_up(key, span)
            return constant(low, term, span) if isinstance(term, Literal) else term if isinstance(term, Iri) else None
        case syntax.Reduce(span=span):
            found = view.reductions.get(expression)
            if found is None:
                low.refuse("misplaced-aggregate", f"{expression.function.upper()} does not belong here", span)
            return found
        case syntax.Exists(span=span):
            low.refuse("unsupported-exists", "EXISTS can be asked by FILTER, HAVING and BIND(IF(…)) only", span)
        case syntax.Call("bound", (syntax.At(term, span),)):
            return _bound(key_of(term), span, view)
        case syntax.Call("now", ()):
            if low.today is None:
                low.refuse("unsupported-function", "NOW() has no value that a query could be held to", expression.span)
            return _instant(low.today)
        case _:
            pass
    name = _name(expression.function, expression.span, view)
    return applied(name, tuple([value(argument, view) for argument in expression.arguments]), view)


def applied(name: str, arguments: tuple[Expression | None, ...], view: View) -> Expression | None:
    """A function applied, as far as it is plain what comes of it."""
    if None in arguments and name not in _LENIENT:
        return None
    whole = tuple([NOTHING if argument is None else argument for argument in arguments])
    match name, whole:
        case ("isliteral", (one,)) if view.is_entity(one):
            return FALSE
        case ("lang", (Var() as one,)) if view.kind_of(one) in (Kind.NUMBER, Kind.DATE):
            return Literal("")
        case ("=", (Literal() as one, Literal() as other)) if one == other and one.datatype == XSD_STRING:
            return TRUE
        case ("!", (Literal() as one,)) if one in (TRUE, FALSE):
            return FALSE if one == TRUE else TRUE
        case ("||", _) if TRUE in whole:
            return TRUE
        case ("&&", _) if FALSE in whole:
            return FALSE
        case ("coalesce", _):
            return Apply(name, tuple([one for one in whole if one != NOTHING]))
        case (_, (left, right)) if name in COMPARISONS:
            return compared(name, left, right)
        case ("in", (item, *listed)):
            return among(item, listed)
        case _:
            return Apply(name, whole)


def _bound(key: str | None, span: Span, view: View) -> Expression:
    if key is None:
        return TRUE
    found = view.look_up(key, span)
    if found is None:
        return FALSE
    certain = isinstance(found, Var) and found not in view.open().values()
    if certain:
        return TRUE
    variable = view.part.open.get(key)
    return Apply("bound", (found if variable is None else variable,))


def _instant(today: str) -> Literal:
    """The first moment of a day, a month or a year, in its time zone or else in that of Greenwich."""
    date = date_literal(today)
    covers = None if date is None else constant_interval(date.lexical, date.datatype)
    if covers is None:
        raise InputError(f"today is a date such as 2026-11-30, not {today!r}")
    year, month, day, time = covers.start
    zone = re.search(r"[+-][0-9]{2}:[0-9]{2}\Z", today)
    sign = "-" if year < 0 else ""
    spelled = f"{sign}{abs(year):04d}-{month:02d}-{day:02d}T{time}{'Z' if zone is None else zone[0]}"
    return Literal(spelled, XSD_DATETIME)


def _name(function: str | Iri, span: Span, view: View) -> str:
    name = function.value if isinstance(function, Iri) else function
    if isinstance(function, Iri) and name.lower() == (XSD + "datetime").lower():
        name = XSD + "dateTime"
    if name not in (CASTS if isinstance(function, Iri) else FUNCTIONS):
        message = f"the function {name} is not known here"
        if not isinstance(function, Iri):  # the parser knows SPARQL's own
            message = f"SPARQL's function {name.upper()} is not supported"
        view.low.refuse("unsupported-function", message, span)
    return name


def constant(low: Lowering, literal: Literal, span: Span | None) -> Literal:
    """A literal of an expression as the IR has it: a number by its shortest spelling, a date of the datatype that it is
    spelled as (``"2015-08-10"^^xsd:dateTime`` is ill-typed, and means the day)."""
    lexical, datatype, language = literal.lexical, literal.datatype, literal.language
    if language is not None:
        return tagged(lexical, language)
    if datatype.lower() == (XSD + "datetime").lower():
        datatype = XSD + "dateTime"
    if datatype in INTEGER_DATATYPES and lexical.lstrip("+-").isdecimal() and lexical.isascii():
        return Literal(str(int(lexical)) if len(lexical) < 1000 else lexical, datatype)
    if datatype in DATE_DATATYPES and interval(lexical, datatype) is None:
        spelled = as_spelled(Literal(lexical, datatype))
        if spelled.datatype != datatype:
            low.warn(
                "read-as-date",
                f"'{lexical}' is no {datatype.removeprefix(XSD)}: it is read as the "
                f"{spelled.datatype.removeprefix(XSD)} that it is spelled as",
                span,
            )
            return spelled
    return Literal(lexical, datatype if datatype != RDF_LANG_STRING else XSD_STRING)


def plain_key(expression: Expression, view: View, kind: Kind, beside: Expression | None = None) -> Var | None:
    """The variable whose values an expression has, where they are known to be of a kind: the variable itself, or a cast
    that leaves all of them as they are, or as far as a comparison with the constant ``beside`` sees."""
    match expression:
        case Var():
            return expression if view.kind_of(expression) is kind else None
        case Apply(cast, (Var() as inner,)) if cast in CASTS and view.kind_of(inner) is kind:
            if kind is Kind.DATE:
                return inner if cast in DATE_DATATYPES else None
            if cast == XSD_DOUBLE:
                return inner  # all numbers are compared as doubles (:mod:`pylf.ir.values`)
            unchanged = _UNCHANGED.get(cast, frozenset())
            if cast == XSD_FLOAT and _is_small(beside):
                unchanged |= INTEGER_DATATYPES
            told_by = datatypes_of(inner.name, view.facts, view.low.schema)
            return inner if any(datatypes <= unchanged for datatypes in told_by) else None
    return None


def ordered_key(expression: Expression, view: View, kind: Kind) -> Var | None:
    """The variable by which the order of an expression's values goes, where they are known to be of a kind: casts to
    float keep an order, and leave to the engine what comes first of numbers that become one."""
    match expression:
        case Apply(cast, (Var() as inner,)) if cast == XSD_FLOAT and kind is Kind.NUMBER:
            return inner if view.kind_of(inner) is kind else None
        case _:
            return plain_key(expression, view, kind)


#: By cast, the datatypes whose values all stay as they are.
_UNCHANGED = {
    XSD_FLOAT: frozenset((XSD_FLOAT, *(XSD + name for name in ("byte", "short", "unsignedByte", "unsignedShort")))),
    XSD_DECIMAL: frozenset((XSD_DECIMAL, *INTEGER_DATATYPES)),
    XSD_INTEGER: frozenset(INTEGER_DATATYPES),
}
#: Below this all integers are floats of 32 bits.
_FLOATING = 2**24


def _is_small(number: Expression | None) -> bool:
    """Whether a number is a float of 32 bits so small that the integers around it are others as floats too."""
    worth = value_of(number) if isinstance(number, Literal) else None
    return isinstance(worth, float) and abs(worth) < _FLOATING and unpack("<f", pack("<f", worth))[0] == worth


def view_relations(variable: Var, view: View) -> list[Relation]:
    """The relations that the schema knows of which a variable in sight is the object."""
    return list(relations_to(variable.name, view.facts, view.low.schema))
