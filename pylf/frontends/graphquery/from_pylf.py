"""From a PyLF expression to a graph query that means the same, where there is one.

The expression is checked first, so that every name is known by its IRI and every constant by its value. Graph queries
are joined sets with at most one superlative, and a count around the whole. What PyLF has besides is refused by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.graphquery.draft import FORM, Draft, Drawing
from pylf.frontends.graphquery.reader import MAX_NODES, read
from pylf.frontends.graphquery.record import COMPARISONS
from pylf.frontends.graphquery.to_pylf import to_program
from pylf.frontends.graphquery.tree import MAX_DISTANCE
from pylf.frontends.graphquery.writer import to_json
from pylf.frontends.no_form import check_nesting, check_reading, no_form, refusal
from pylf.ir.nodes import Direction, Op
from pylf.ir.terms import Iri, Literal
from pylf.language import syntax, typed
from pylf.language.check import check
from pylf.language.context import Context
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.frontends.graphquery.record import GraphQuery
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

#: Calls in calls; an edge is one JOIN, mostly inside one AND.
MAX_NESTING = 3 * MAX_DISTANCE


def from_expression(
    expression: syntax.Expression, schema: Schema, vocabulary: Vocabulary, inner_classes: bool = False
) -> GraphQuery:
    """The graph query that an expression means, read with the same ``inner_classes``.

    The expression is nested, as :func:`pylf.language.raise_.raise_expression` gives it. The question node is node 0.
    Where the expression states no class of a node, the schema's class at the end of its edge stands there as a remark,
    where the reader takes it for one; else ``rdfs:Resource``, or a datatype.

    Raises:
        CompileError: graph queries have no form for a part of it (a code of :data:`pylf.frontends.no_form.NO_FORM`);
            or the program has errors of its own: names that nothing answers to, types that clash; or ``reference``,
            ``literal-subject``, ``too-deep``, ``too-large``.
    """
    check_nesting(expression, MAX_NESTING)
    program = syntax.Program((syntax.Assignment("expression", syntax.Stop(expression)),))
    context = Context(schema, vocabulary)
    answer, _ = check(program, context)
    try:
        written = _Translation(schema, vocabulary, inner_classes).graph(answer)
    except Refused as problem:
        raise CompileError((problem.diagnostic,)) from None
    again = to_json(written)
    check_reading(program, lambda: to_program(read(again), schema, vocabulary, inner_classes), context, FORM)
    return written


class _Translation:
    def __init__(self, schema: Schema, vocabulary: Vocabulary, inner_classes: bool) -> None:
        self.drawing = Drawing(schema, vocabulary, inner_classes)
        self.inner_classes = inner_classes

    def graph(self, answer: typed.Expression) -> GraphQuery:
        """The graph.

        Raises:
            Refused: there is no form for it.
        """
        question = self.drawing.node(None)
        if isinstance(answer, typed.Size):
            question.function = "count"
            answer = answer.of
        if isinstance(answer, typed.Best):
            self.superlative(answer, question)
            answer = answer.of
        self.members(answer, question)
        return self.drawing.finish()

    # -- sets

    def members(self, node: typed.Expression, at: Draft) -> None:
        """Say of a node what an expression says of its members."""
        match node:
            case typed.Hop(negated=False):
                self.join(node, at)
            case typed.Meet(sets=sets):
                for part in sets:
                    self.members(part, at)
            case typed.Known(terms=(Iri(value=iri),), span=span):
                at.be_entity(iri, span)
            case typed.Known(terms=(Literal() as value,), span=span):
                at.be_value(value, span)
            case typed.Instances(class_iri=iri, span=span):
                if at.nid != 0 and not self.inner_classes:
                    hint = "inner classes are remarks; with --inner-classes they count, there and when it is read"
                    raise _no_form("no-inner-class", span, hint)
                at.be_instance(iri, span)
            case typed.Compared():
                self.comparison(node, at)
            case typed.Within(span=span):
                raise _no_form("no-time", span)
            case typed.Best(span=span):
                raise _no_form("no-nested-superlative", span)
            case typed.Size(span=span):
                raise _no_form("no-nested-count", span)
            case _:
                raise refusal(node, FORM)

    def join(self, hop: typed.Hop, at: Draft) -> None:
        below = self.walk(hop.steps, at)
        match hop.of:
            case typed.Instances(class_iri=iri, span=span):
                # a class that is all that is said of a node is asked for
                below.be_instance(iri, span)
            case of:
                self.members(of, below)

    # -- values at the end of a path

    def comparison(self, compared: typed.Compared, at: Draft) -> None:
        if compared.op.value not in COMPARISONS:
            hints = ("JOIN('relation', value) asks for what has the value",) if compared.op is Op.EQ else ()
            raise _no_form("no-comparison", compared.span, *hints)
        self.walk(compared.steps, at).be_compared(compared)

    def superlative(self, best: typed.Best, at: Draft) -> None:
        if best.k is not None or best.counted:
            raise refusal(best, FORM)
        self.walk(best.steps, at).be_extreme("argmax" if best.direction is Direction.MAX else "argmin")

    # -- edges

    def walk(self, steps: tuple[typed.Step, ...], at: Draft) -> Draft:
        """New nodes along the steps; the last of them."""
        for step in steps:
            if step.closure is not None:
                raise refusal(step, FORM)
            below = self.drawing.node(at)
            if below.depth > MAX_DISTANCE:
                message = f"a node is more than {MAX_DISTANCE} edges from the question node"
                raise Refused(Diagnostic("too-deep", message, step.span))
            if below.nid >= MAX_NODES:
                raise Refused(Diagnostic("too-large", f"the graph has more than {MAX_NODES} nodes", step.span))
            self.drawing.edge(at, step, below)
            at = below
        return at


def _no_form(code: str, span: Span | None, *hints: str) -> Refused:
    return Refused(no_form(code, FORM, span, *hints))
