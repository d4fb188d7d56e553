"""From PyLF to an s-expression, for what the two share.

The expression is checked first, so that every name is known by its IRI and every constant by its value; what comes out
is written such that reading it gives the same query. Sets are put together in GrailQA's order: two at a time, classes
first. What s-expressions have no form for is refused by a diagnostic with a code of its own, at its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError
from pylf.frontends.no_form import (
    check_nesting,
    check_reading,
    may_be_literal,
    no_form,
    refusal,
)
from pylf.frontends.quoting import cut, quoted
from pylf.frontends.sexpr import tree
from pylf.frontends.sexpr.parser import parse
from pylf.frontends.sexpr.printer import print_expression
from pylf.frontends.sexpr.spelling import Spelling
from pylf.frontends.sexpr.to_pylf import MAX_DEPTH, to_program
from pylf.ir.dates import date_literal
from pylf.ir.nodes import Direction, Op
from pylf.ir.terms import Iri, Literal
from pylf.language import syntax, typed
from pylf.language.check import check
from pylf.language.constants import short_name
from pylf.language.context import Context
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

_FORM = "s-expressions"
#: So many sets are put together two at a time, as in the published sets; each such pair nests one deeper.
_MOST_NESTED = 20
_COMPARISONS = {Op.LT: "lt", Op.LE: "le", Op.GT: "gt", Op.GE: "ge"}
#: A time that nobody writes; it stands for NOW while the expression is checked.
_NOW = "0001-01-01T00:00:00.000000000000000000001"


def from_expression(expression: syntax.Expression, schema: Schema, vocabulary: Vocabulary) -> tree.SExpression:
    """The s-expression that a PyLF expression without variables means; reading it again gives the same query.

    Two time constraints that :func:`~pylf.frontends.sexpr.to_pylf.to_program` makes of one ``TC`` become one again.

    Raises:
        CompileError: s-expressions have no form for a part of it (a code of :data:`pylf.frontends.no_form.NO_FORM`);
            or the program has errors of its own: names that nothing answers to, types that clash; or ``reference``,
            ``too-deep``, ``too-large``.
    """
    check_nesting(expression, MAX_DEPTH)
    program = syntax.Program((syntax.Assignment("expression", syntax.Stop(expression)),))
    context = Context(schema, vocabulary, today=_NOW)
    answer, _ = check(program, context)
    writer = _Writer(Spelling(schema, vocabulary))
    try:
        written = tree.SExpression(writer.set_(answer))
    except Refused as problem:
        raise CompileError((problem.diagnostic,)) from None
    text = print_expression(written)
    check_reading(program, lambda: to_program(parse(text), schema, vocabulary), context, _FORM)
    return written


class _Writer:
    __slots__ = ("spelling",)

    def __init__(self, spelling: Spelling) -> None:
        self.spelling = spelling

    def set_(self, node: typed.Expression) -> tree.Expression:
        """A set.

        Raises:
            Refused: there is no form for it.
        """
        match node:
            case typed.Hop(negated=False):
                return self.hop(node)
            case typed.Known(terms=(Iri(value=iri),), span=span):
                return self.entity(iri, span, False)
            case typed.Known(terms=(Literal() as literal,), span=span):
                return self.literal(literal, None, span)
            case typed.Instances(class_iri=iri, span=span):
                name = self.spelling.class_(iri)
                if name is None:
                    raise _no_form("no-class", span, f"the class is <{cut(iri)}>")
                return tree.Word(name, span)
            case typed.Meet():
                return self.meet(node)
            case typed.Size(of=of, span=span):
                return tree.Count(self.set_(of), span)
            case typed.Best(k=None, counted=False):
                return self.best(node)
            case typed.Compared():
                return self.compared(node)
            case typed.Within():
                return self.within(node)
            case _:
                raise refusal(node, _FORM)

    # -- JOIN and AND

    def hop(self, hop: typed.Hop) -> tree.Expression:
        relations = [self.step(step) for step in hop.steps]
        result = self.far(hop.of, hop.steps[-1])
        for relation in reversed(relations):
            result = tree.Join(relation, result, hop.span)
        return result

    def far(self, node: typed.Expression, last: typed.Step) -> tree.Expression:
        """What a JOIN is joined with."""
        to_classes = self.spelling.leads_to_classes(last)
        match node:
            case typed.Known(terms=(Iri(value=iri),), span=span):
                return self.entity(iri, span, to_classes)
            case typed.Known(terms=(Literal() as literal,), span=span):
                return self.literal(literal, None if last.inverse else last, span)
            case typed.Instances(class_iri=iri, span=span) if to_classes:
                hint = f"beside {quoted(short_name(last.iri))} its name means the class <{cut(iri)}> itself"
                raise _no_form("no-class", span, hint)
        return self.set_(node)

    def entity(self, iri: str, span: Span | None, beside_classes: bool) -> tree.Word:
        name = self.spelling.entity(iri, beside_classes)
        if name is None:
            raise _no_form("no-class-itself", span, f"the class is <{cut(iri)}>")
        return tree.Word(name, span)

    def literal(self, literal: Literal, step: typed.Step | None, span: Span | None) -> tree.Value:
        value = self.spelling.value(literal, None if step is None else step.relation, span)
        if value is None:
            raise _no_form("no-value", span, f"the value is {cut(str(literal))}")
        return value

    def meet(self, meet: typed.Meet) -> tree.And:
        if all(may_be_literal(one.type) for one in meet.sets):
            # values meet in the order in which they stand
            return tree.And(tuple([self.set_(one) for one in meet.sets]), meet.span)
        sets = _flat(meet)
        sets.sort(key=lambda one: not isinstance(one, typed.Instances))
        written = [self.set_(one) for one in sets]
        if len(written) > _MOST_NESTED:
            return tree.And(tuple(written), meet.span)
        *others, last = written
        result = last
        for one in reversed(others):
            result = tree.And((one, result), meet.span)
        assert isinstance(result, tree.And), "AND has two sets at least"
        return result

    # -- values

    def best(self, best: typed.Best) -> tree.Superlative:
        mode = "ARGMAX" if best.direction is Direction.MAX else "ARGMIN"
        return tree.Superlative(mode, self.set_(best.of), self.relation(best.steps), best.span)

    def compared(self, compared: typed.Compared) -> tree.Comparison:
        op = _COMPARISONS.get(compared.op)
        span = compared.span
        if op is None:
            hints = ("what has a value is (JOIN relation value)",) if compared.op is Op.EQ else ()
            raise _no_form("no-comparison", span, *hints)
        relation = self.relation(compared.steps)
        value = self.spelling.compared(compared.value, compared.kind, compared.steps[-1].relation, span)
        if value is None:
            raise _no_form("no-value", span, f"the value is {cut(str(compared.value))}")
        return tree.Comparison(op, relation, value, span)

    def within(self, within: typed.Within) -> tree.Expression:
        """A run of time constraints, those put together that are the two ends of one time."""
        run: list[typed.Within] = []
        of: typed.Expression = within
        while isinstance(of, typed.Within):
            run.append(of)
            of = of.of
        result = self.set_(of)
        while run:
            one = run.pop()
            partner, is_end = self.spelling.other_end(one.steps[-1])
            if is_end != (one.op is Op.GE):
                hint = f"{quoted(short_name(one.steps[-1].iri))} is spelled like the other end"
                raise _no_form("no-half-time", one.span, hint)
            named = one
            if partner is not None:
                named, other = self.end_to_name(one, run, partner)
                run.remove(other)
            result = tree.TimeConstraint(result, self.relation(named.steps), self.time(named), named.span)
        return result

    def end_to_name(
        self, one: typed.Within, run: list[typed.Within], partner: str
    ) -> tuple[typed.Within, typed.Within]:
        """Of the two ends of a time the one that TC is to name, the beginning where it can be, and the one of ``run``
        that makes a time of ``one``. An end may have several names (``to``, ``until``) and one of them alone is that
        which goes with a beginning's name, while each goes with the beginning.

        Raises:
            Refused: there is no other end.
        """
        for other in run:
            begin, end = (one, other) if one.op is Op.LE else (other, one)
            for named, unnamed in ((begin, end), (end, begin)):
                goes_with, is_end = self.spelling.other_end(named.steps[-1])
                if goes_with is not None and is_end == (named is end) and _ends_of_one_time(named, unnamed, goes_with):
                    return named, other
        raise _no_form("no-half-time", one.span, f"TC means {quoted(short_name(partner))} too")

    def time(self, within: typed.Within) -> tree.Value | tree.Word:
        value, span = within.value, within.span
        if value == date_literal(_NOW):
            return tree.Word("NOW", span)
        return tree.Value(value.lexical, span=span)

    # -- relations

    def relation(self, steps: tuple[typed.Step, ...]) -> tree.Relation:
        written = [self.step(step) for step in steps]
        return written[0] if len(written) == 1 else tree.Path(tuple(written))

    def step(self, step: typed.Step) -> tree.Word | tree.Inverse:
        if step.closure is not None:
            raise refusal(step, _FORM)
        word = tree.Word(self.spelling.relation(step.iri), step.span)
        return tree.Inverse(word, step.span) if step.inverse else word


def _ends_of_one_time(one: typed.Within, other: typed.Within, partner: str) -> bool:
    """Whether two constraints are one TC: the same way to a time's two ends, and the same date."""
    way, others = one.steps, other.steps
    return (
        other.op is not one.op
        and other.value == one.value
        and len(way) == len(others)
        and (others[-1].iri, others[-1].inverse) == (partner, False)
        and all((a.iri, a.inverse) == (b.iri, b.inverse) for a, b in zip(way[:-1], others[:-1], strict=True))
    )


def _flat(meet: typed.Meet) -> list[typed.Expression]:
    """The sets of an AND, and of those that stand in it."""
    found: list[typed.Expression] = []
    todo: list[typed.Expression] = [meet]
    while todo:
        one = todo.pop()
        if isinstance(one, typed.Meet) and not all(may_be_literal(s.type) for s in one.sets):
            todo.extend(reversed(one.sets))
        else:
            found.append(one)
    return found


def _no_form(code: str, span: Span | None, *hints: str) -> Refused:
    return Refused(no_form(code, _FORM, span, *hints))
