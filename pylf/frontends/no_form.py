"""What another form of questions cannot say, under the same codes whichever form it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.quoting import quoted
from pylf.ir.types import AnyType, LiteralType
from pylf.language import syntax, typed
from pylf.language.check import MAX_SIZE
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.errors import Span
    from pylf.ir.types import Type
    from pylf.language.context import Context

#: By the code of its diagnostic, what a form may have no form for.
NO_FORM = {
    "no-negation": "negation",
    "no-union": "the union of sets",
    "no-difference": "the difference of sets",
    "no-yes-no": "yes/no questions",
    "no-comparison": "comparison by = or !=",
    "no-top-k": "the k best",
    "no-count-order": "an order by how many",
    "no-closure": "closures",
    "no-label": "labels",
    "no-several": "one of several values",
    "no-time": "what held at a time",
    "no-half-time": "a time of which only one end is given",
    "no-class": "this class",
    "no-class-itself": "a class itself, other than beside a relation whose values are classes",
    "no-value": "this value",
    "no-nested-superlative": "a superlative inside another form",
    "no-nested-count": "a count inside another form",
    "no-inner-class": "a class that limits an inner node",
    "no-several-classes": "a node that is several things",
    "no-nesting": "sets put together in this way",
}

#: How to have an id in a label's place.
LABEL_REMEDY = "write the id of the entity, or give a graph in which to look it up: --kg"


def no_form(code: str, form: str, span: Span | None, *hints: str) -> Diagnostic:
    """The finding that ``form`` ("s-expressions", "graph queries") cannot say what stands at a place."""
    return Diagnostic(code, f"{form} have no form for {NO_FORM[code]}", span, hints=hints)


def refusal(node: typed.Expression | typed.Step, form: str) -> Refused:
    """The refusal of what PyLF has, and no other form: ``node`` is a closure, a negated JOIN, OR, MINUS, ASK, an order
    of the k best or by how many, or a label."""
    hints: tuple[str, ...] = ()
    match node:
        case typed.Step():
            code = "no-closure"
        case typed.Hop():
            code = "no-negation"
        case typed.AnyOf(sets=sets):
            code = "no-several" if all(isinstance(one, typed.Known) for one in sets) else "no-union"
        case typed.Without():
            code = "no-difference"
        case typed.Exists():
            code = "no-yes-no"
        case typed.Best(k=None):
            code = "no-count-order"
        case typed.Best():
            code = "no-top-k"
        case typed.Labelled(text=text):
            code = "no-label"
            hints = (f"the label is {quoted(text)}: {LABEL_REMEDY}",)
        case _:
            raise AssertionError("without a graph and without lenience, the check leaves nothing else")
    return Refused(no_form(code, form, node.span, *hints))


def may_be_literal(type_: Type) -> bool:
    """Whether literals may be among the members of a set of that type."""
    return isinstance(type_, LiteralType | AnyType)


def check_reading(program: syntax.Program, read: Callable[[], syntax.Program], context: Context, form: str) -> None:
    """That what was written of a program is read as the same query; ``read`` reads it.

    The writers know what each part of a program becomes. This is for what several parts become together, and for the
    limits of what is read.

    Raises:
        CompileError: ``no-nesting``: it is read as another query; or what its reading raises, without a place.
    """
    from pylf.ir.canonical import fingerprint
    from pylf.language.lower import lower

    answer = program.assignments[-1].value
    span = answer.of.span if isinstance(answer, syntax.Stop) else answer.span
    meant = fingerprint(lower(program, context).query)
    try:
        found = fingerprint(lower(read(), context).query)
    except CompileError as error:
        raise CompileError([d._replace(span=span, source=None) for d in error.diagnostics]) from None
    if found != meant:
        raise CompileError((no_form("no-nesting", form, span),))


def check_nesting(expression: syntax.Expression, deepest: int) -> None:
    """That an expression is written out, and small enough to be walked.

    Raises:
        CompileError: ``too-deep`` (more than ``deepest`` sets inside each other), ``too-large``, ``reference``.
    """
    todo = [(expression, 1)]
    size = 0
    while todo:
        node, depth = todo.pop()
        size += 1
        if depth > deepest:
            raise CompileError((Diagnostic("too-deep", f"sets nest deeper than {deepest}", node.span),))
        if size > MAX_SIZE:
            raise CompileError((Diagnostic("too-large", f"there are more than {MAX_SIZE:,} sets", node.span),))
        match node:
            case syntax.And(sets=sets) | syntax.Or(sets=sets):
                todo.extend([(one, depth + 1) for one in sets])
            case syntax.Minus(left=left, right=right):
                todo += (left, depth + 1), (right, depth + 1)
            case syntax.Start() | syntax.Cmp():
                pass
            case syntax.Reference(name=name, span=span):
                message = f"the variable {quoted(name)} stands in an expression that should be written out"
                raise CompileError((Diagnostic("reference", message, span),))
            case _:
                todo.append((node.of, depth + 1))
