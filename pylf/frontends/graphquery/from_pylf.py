"""From a PyLF expression to a graph query that means the same, where there is one.

Graph queries are joined sets with at most one superlative, and a count around the whole. What PyLF has besides is
refused by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.graphquery.draft import FORM, Draft, Drawing
from pylf.frontends.graphquery.reader import MAX_NODES
from pylf.frontends.graphquery.record import COMPARISONS
from pylf.frontends.graphquery.tree import MAX_DEPTH
from pylf.frontends.no_form import LABEL_REMEDY, no_form
from pylf.ir.nodes import Kind
from pylf.ir.terms import Iri, Literal
from pylf.ir.types import LiteralType
from pylf.language import syntax
from pylf.language.constants import constant, kind_of_datatype, number_literal
from pylf.language.context import Context
from pylf.language.names import Names
from pylf.language.refused import Refused
from pylf.language.typed import Bare, Instances, Known

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.frontends.graphquery.record import GraphQuery
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.language.typed import Step

#: Calls in calls; an edge is one JOIN, mostly inside one AND.
MAX_NESTING = 3 * MAX_DEPTH


def from_expression(
    expression: syntax.Expression, schema: Schema, vocabulary: Vocabulary, inner_classes: bool = False
) -> GraphQuery:
    """The graph query that an expression means, read with the same ``inner_classes``.

    The expression is nested, as :func:`pylf.language.raise_.raise_expression` gives it. The question node is node 0.
    Where the expression states no class of a node, the schema's class at the end of its edge stands there as a remark,
    where the reader takes it for one; else ``rdfs:Resource``, or a datatype.

    Raises:
        CompileError: names of the expression that nothing answers to; what graph queries have no form for (a code of
            :data:`pylf.frontends.no_form.NO_FORM`); ``reference``, ``literal-subject``, ``too-deep``, ``too-large``.
    """
    return _Translation(schema, vocabulary, inner_classes).graph(expression)


class _Translation:
    def __init__(self, schema: Schema, vocabulary: Vocabulary, inner_classes: bool) -> None:
        self.names = Names(Context(schema, vocabulary), [])
        self.drawing = Drawing(schema, vocabulary, inner_classes)
        self.inner_classes = inner_classes

    def graph(self, expression: syntax.Expression) -> GraphQuery:
        question = self.drawing.node(None)
        if isinstance(expression, syntax.CountOf):
            question.function = "count"
            expression = expression.of
        try:
            if isinstance(expression, syntax.Arg):
                self.superlative(expression, question)
                expression = expression.of
            self.members(expression, question, 0)
        except Refused as refused:
            raise CompileError((refused.diagnostic,)) from None
        return self.drawing.finish()

    # -- sets

    def members(self, expression: syntax.Expression, at: Draft, level: int) -> None:
        """Say of a node what an expression says of its members."""
        span = expression.span
        if level > MAX_NESTING:
            _refuse("too-deep", f"the expression nests more than {MAX_NESTING} calls", span)
        match expression:
            case syntax.Start():
                self.start(expression, at)
            case syntax.And(sets=sets):
                for part in sets:
                    self.members(part, at, level + 1)
            case syntax.Join(negated=False):
                self.join(expression, at, level)
            case syntax.Cmp(op=op) if op in COMPARISONS:
                self.comparison(expression, at)
            case _:
                _refuse_form(expression)

    def join(self, join: syntax.Join, at: Draft, level: int) -> None:
        steps = self.steps(join.relation)
        below = self.walk(steps, at)
        match join.of:
            case syntax.Start():
                self.end(join.of, steps[-1], below)
            case of:
                self.members(of, below, level + 1)

    def end(self, start: syntax.Start, last: Step, at: Draft) -> None:
        """What a JOIN ends in: one entity, one value, or the members of a class."""
        meant = self.names.start(start)
        if isinstance(meant, Bare) and not last.inverse and (meant.is_number or isinstance(last.far, LiteralType)):
            value, _ = constant(meant.text, meant.is_number, last.relation, self.names, start.span)
            at.be_value(value, start.span)
        elif isinstance(meant, Instances):
            at.be_instance(meant.class_iri, start.span)
        else:
            self.start(start, at)

    def start(self, start: syntax.Start, at: Draft) -> None:
        match self.names.start(start):
            case Instances(class_iri=iri):
                if at.nid != 0 and not self.inner_classes:
                    _no_form(
                        "no-inner-class",
                        start.span,
                        "inner classes are remarks; with inner_classes=True they count, there and when it is read",
                    )
                at.be_instance(iri, start.span)
            case Known(terms=(Iri(value=iri),)):
                at.be_entity(iri, start.span)
            case Known(terms=(Literal() as value,)):
                at.be_value(value, start.span)
            case Bare(is_number=True, text=text):
                at.be_value(number_literal(text, ()) or Literal(text), start.span)
            case _:
                hint = f"the label is {start.value.text!r}: {LABEL_REMEDY}"
                _no_form("no-label", start.span, hint)

    # -- values at the end of a path

    def comparison(self, cmp: syntax.Cmp, at: Draft) -> None:
        steps = self.steps(cmp.relation)
        below = self.walk(steps, at)
        below.function = cmp.op
        is_number = isinstance(cmp.value, syntax.Number)
        value, kind = constant(cmp.value.text, is_number, steps[-1].relation, self.names, cmp.value.span)
        if is_number and kind is Kind.ANY and kind_of_datatype(value.datatype) is not Kind.ANY:
            below.be_bare(cmp.value.text, cmp.value.span)  # with a datatype it would be compared as a number alone
        else:
            below.be_value(value, cmp.value.span)

    def superlative(self, arg: syntax.Arg, at: Draft) -> None:
        if arg.k is not None:
            _no_form("no-top-k", arg.span)
        if arg.counted:
            _no_form("no-count-order", arg.span)
        below = self.walk(self.steps(arg.relation), at)
        below.function = arg.mode.lower()
        below.be_dummy()

    # -- edges

    def steps(self, relation: syntax.Relation) -> tuple[Step, ...]:
        parts = relation.steps if isinstance(relation, syntax.RelationPath) else (relation,)
        found = []
        for part in parts:
            if isinstance(part, syntax.Reach):
                _no_form("no-closure", part.span)
            found.append(self.names.step(part))
        return tuple(found)

    def walk(self, steps: tuple[Step, ...], at: Draft) -> Draft:
        """New nodes along the steps; the last of them."""
        for step in steps:
            below = self.drawing.node(at)
            if below.depth > MAX_DEPTH:
                message = f"a node is more than {MAX_DEPTH} edges from the question node"
                _refuse("too-deep", message, step.span)
            if below.nid >= MAX_NODES:
                _refuse("too-large", f"the graph has more than {MAX_NODES} nodes", step.span)
            self.drawing.edge(at, step, below)
            at = below
        return at


def _refuse_form(expression: syntax.Expression) -> NoReturn:
    span = expression.span
    match expression:
        case syntax.Join():
            _no_form("no-negation", span)
        case syntax.Or():
            _no_form("no-union", span)
        case syntax.Minus():
            _no_form("no-difference", span)
        case syntax.Ask():
            _no_form("no-yes-no", span)
        case syntax.TimeConstraint():
            _no_form("no-time", span)
        case syntax.Cmp(op=op):
            _no_form("no-comparison", span, *_EQUALITY.get(op, ()))
        case syntax.Arg():
            _no_form("no-nested-superlative", span)
        case syntax.CountOf():
            _no_form("no-nested-count", span)
    assert isinstance(expression, syntax.Reference)
    message = f"the variable {expression.name!r} stands in an expression that should be written out"
    _refuse("reference", message, span)


_EQUALITY = {"=": ("JOIN('relation', value) asks for what has the value",)}


def _no_form(code: str, span: Span | None, *hints: str) -> NoReturn:
    raise CompileError((no_form(code, FORM, span, *hints),))


def _refuse(code: str, message: str, span: Span | None) -> NoReturn:
    raise CompileError((Diagnostic(code, message, span),))
