"""Type checking: from the syntax tree to typed set expressions.

Bottom-up, one visit a node. The check is three-valued: what is provably disjoint is an error (a warning
and an empty set when the context is lenient); what is merely unknown passes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.ir.nodes import Direction, Kind, Op
from pylf.ir.schema.typing import compatible
from pylf.ir.terms import XSD_STRING, Literal
from pylf.ir.types import ANY, ENTITY, INTEGER, EntityType, LiteralType, meet
from pylf.language import syntax, typed
from pylf.language.constants import constant, kind_of_relation, number_literal, short_name
from pylf.language.names import INVERSE, Names
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.ir.types import Type
    from pylf.language.context import Context
    from pylf.language.wording import Wording

#: A program whose shared parts, written out, have more parts than this is refused before it is lowered.
MAX_SIZE = 20_000


def check(program: syntax.Program, context: Context) -> tuple[typed.Expression, list[Diagnostic]]:
    """The typed expression that the program answers with, and the warnings.

    Raises:
        CompileError: with every finding, errors and warnings, in the order of the text.
    """
    checker = _Checker(context, program.wording)
    answer = checker.program(program)
    if not checker.findings:
        return answer, []
    findings = sorted(
        (d.at(program.source) if program.source is not None else d for d in checker.findings),
        key=lambda d: d.span or (0, 0),
    )
    if any(d.severity == "error" for d in findings):
        raise CompileError(findings)
    return answer, findings


class _Checker:
    def __init__(self, context: Context, wording: Wording) -> None:
        self.context = context
        self.wording = wording
        self.schema = context.schema
        self.findings: list[Diagnostic] = []
        self.names = Names(context, self.findings, wording)
        self.values: dict[str, typed.Expression] = {}

    def program(self, program: syntax.Program) -> typed.Expression:
        answer: typed.Expression | None = None
        for assignment in program.assignments:
            value = assignment.value
            if isinstance(value, syntax.Stop):
                answer = self.alone(self.settle(self.expression(value.of)))
            else:
                self.values[assignment.name] = self.expression(value)
        assert answer is not None, "the parser lets no program without STOP through"
        return answer

    # -- expressions

    def expression(self, node: syntax.Expression) -> typed.Expression:
        try:
            result = self._expression(node)
        except Refused as problem:
            return self.instead(problem, node.span)
        if result.size > MAX_SIZE:
            self.findings.append(
                Diagnostic(
                    "too-large",
                    f"with its shared parts written out, the program has more than {MAX_SIZE:,} parts",
                    node.span,
                    hints=("a variable that is used twice counts twice",),
                )
            )
            return typed.Nothing(result.type, node.span)
        return result

    def _expression(self, node: syntax.Expression) -> typed.Expression:
        match node:
            case syntax.Reference(name=name):
                return self.values[name]
            case syntax.Start():
                return self.names.start(node)
            case syntax.Join():
                return self.join(node)
            case syntax.And(sets=sets):
                return self.conjunction(sets, node.span)
            case syntax.Or(sets=sets):
                return self.disjunction(sets, node.span)
            case syntax.Minus():
                return self.minus(node)
            case syntax.CountOf(of=of):
                counted = self.alone(self.members(of))
                return typed.Size(counted, INTEGER, counted.size + 1, node.span)
            case syntax.Arg():
                return self.arg(node)
            case syntax.Cmp():
                return self.cmp(node)
            case syntax.TimeConstraint():
                return self.time_constraint(node)
            case syntax.Ask(of=of):
                asked = self.alone(self.members(of))
                return typed.Exists(asked, ANY, asked.size + 1, node.span)

    def instead(self, problem: Refused, span: Span | None) -> typed.Nothing:
        """What stands in the place of a refused expression. A clash of types is tolerated where the context is
        lenient; after an error the type is open, so that one clash is reported once."""
        if self.context.lenient and problem.empty is not None:
            self.findings.append(problem.diagnostic._replace(severity="warning"))
            return typed.Nothing(problem.empty, span)
        self.findings.append(problem.diagnostic)
        return typed.Nothing(ANY, span)

    def members(self, node: syntax.Expression, expected: Type = ANY) -> typed.Expression:
        """A sub-expression that has to be a set; a bare START is read as what is expected."""
        result = self.settle(self.expression(node), expected)
        if isinstance(result, typed.Exists):
            raise _clash(
                "ASK gives yes or no, which is not a set", node.span, "ASK can only be the answer: STOP(ASK(…))"
            )
        return result

    def settle(self, expression: typed.Expression, expected: Type = ANY) -> typed.Expression:
        """A bare START as an entity's label or, where a literal is expected or a number was written, a literal."""
        if not isinstance(expression, typed.Bare):
            return expression
        if expression.is_number or isinstance(expected, LiteralType):
            if expression.is_number:
                literal = number_literal(expression.text, ()) or Literal(expression.text)
            else:
                literal = Literal(expression.text)
            return typed.Known((literal,), LiteralType(literal.datatype), expression.span)
        if expression.entities is None:
            expression.entities = self.names.labelled(expression.text, None, expression.span)
        return expression.entities

    def alone(self, expression: typed.Expression) -> typed.Expression:
        """Refuses a set whose members nothing positive binds."""
        if expression.unsafe is not None:
            unsafe = expression.unsafe
            self.findings.append(
                Diagnostic(
                    "unsafe-negation" if unsafe.negation else "unsafe",
                    f"unsafe negation: {unsafe.reason}, so 'everything else' cannot be listed"
                    if unsafe.negation
                    else f"unsafe: {unsafe.reason}, so its members cannot be listed",
                    unsafe.span,
                    hints=(
                        "put something positive beside it: "
                        + self.wording.beside(unsafe.relation if unsafe.negation else None),
                        *unsafe.hints,
                    ),
                )
            )
            return typed.Nothing(expression.type, expression.span)
        return expression

    # -- JOIN

    def steps(self, relation: syntax.Relation, beside: Type = ANY) -> tuple[typed.Step, ...]:
        """The steps of a relation, from the answers' end on; neighbouring steps have to fit."""
        if isinstance(relation, syntax.Name):
            return (self.names.step(relation, beside=beside),)
        if isinstance(relation, syntax.Reach):
            return (self.names.step(relation.name, closure=relation.minimum, beside=beside),)
        steps = tuple(self.steps(part, beside)[0] for part in relation.steps)
        for here, there in pairwise(steps):
            if compatible(here.far, there.near, self.schema) == "disjoint":
                raise _clash(
                    f"the path breaks: {self.spelt(here)} leads to {self.describe(here.far)}, "
                    f"but {self.spelt(there)} starts from {self.describe(there.near)}",
                    there.span,
                    empty=steps[0].near,
                )
        return steps

    def join(self, node: syntax.Join) -> typed.Expression:
        bare = self.expression(node.of)
        beside = bare.type if not isinstance(bare, typed.Bare) else ANY
        steps = self.steps(node.relation, beside)
        last = steps[-1]
        of = self.joined_with(bare, last, node)
        verdict = compatible(of.type, last.far, self.schema)
        if verdict != "compatible" and not isinstance(of, typed.Nothing):
            if verdict == "disjoint":
                hints = []
                if compatible(of.type, last.near, self.schema) != "disjoint":
                    hints.append(self.reversed_form(last))
                if isinstance(of, typed.Known) and isinstance(of.terms[0], Literal):
                    text = of.terms[0]
                    if text.language is not None:
                        hints.append(self.wording.labelled(f"{text.lexical}@{text.language}"))
                    elif text.datatype == XSD_STRING:
                        hints.append(self.wording.labelled(text.lexical))
                given, expected = self.describe(of.type), self.describe(last.far)
                raise _clash(
                    f"{self.spelt(last)} is joined with {given}, but expects {expected}",
                    node.span,
                    *hints,
                    empty=steps[0].near,
                )
            if (
                isinstance(of.type, EntityType)
                and of.type.unions
                and compatible(of.type, last.near, self.schema) == "compatible"
            ):
                given, expected = self.describe(of.type), self.describe(last.far)
                self.findings.append(
                    Diagnostic(
                        "direction",
                        f"{self.spelt(last)} expects {expected}; it is joined with {given}",
                        node.span,
                        hints=(self.reversed_form(last),),
                        severity="warning",
                    )
                )
        unsafe = self.unsafe(node, steps[0]) if node.negated else self.endless(steps, node.span, of)
        if node.negated:
            members = EntityType(steps[0].classes) if steps[0].classes else steps[0].near
        else:
            members = typed.near_ends(steps, of.type)[0]
        return typed.Hop(steps, of, node.negated, members, of.size + len(steps), unsafe, node.span)

    def joined_with(self, bare: typed.Expression, last: typed.Step, node: syntax.Join) -> typed.Expression:
        """What a JOIN is joined with: a bare START becomes a literal where the relation leads to literals."""
        if isinstance(bare, typed.Bare):
            if not last.inverse and (isinstance(last.far, LiteralType) or bare.is_number):
                literal, _ = constant(bare.text, bare.is_number, last.relation, self.names, bare.span)
                return typed.Known((literal,), LiteralType(literal.datatype), bare.span)
            if last.inverse and bare.is_number:
                raise _clash(
                    f"{self.spelt(last)} is joined with entities, and {bare.text} is a number",
                    bare.span,
                    f"the reversed form is {self.turned(last, bare.text)}",
                    empty=last.near,
                )
        of = self.settle(bare)
        if isinstance(of, typed.Exists):
            return self.members(node.of)
        return of

    def unsafe(self, node: syntax.Join, first: typed.Step) -> typed.Unsafe | None:
        """Why a negative JOIN cannot list its members on its own, or None when it can."""
        if first.classes:
            return None
        end = "range" if first.inverse else "domain"
        name = (INVERSE if first.inverse else "") + short_name(first.iri)
        if isinstance(first.near, LiteralType) or kind_of_literals(first):
            return typed.Unsafe(
                name,
                f"the {end} of {first_name(first)} is a datatype, and the complement would be of literals",
                node.span,
            )
        mend = f"or declare the {end} of {first_name(first)} in the schema"
        return typed.Unsafe(name, f"{first_name(first)} has no known {end}", node.span, (mend,))

    def endless(
        self, steps: tuple[typed.Step, ...], span: Span | None, of: typed.Expression | None = None
    ) -> typed.Unsafe | None:
        """Why a set that is reached in no steps or more cannot be listed: every term reaches itself."""
        if (of is not None and of.unsafe is None) or any(step.closure != 0 for step in steps):
            return None
        if of is not None:
            return of.unsafe
        name = short_name(steps[0].iri)
        return typed.Unsafe(name, f"in no steps of {name!r} every value reaches itself", span, negation=False)

    # -- set operations

    def conjunction(self, nodes: tuple[syntax.Expression, ...], span: Span | None) -> typed.Expression:
        raw = [self.expression(node) for node in nodes]
        literal = next((r.type for r in raw if isinstance(r.type, LiteralType)), ANY)
        sets = [self.as_set(r, node, literal) for r, node in zip(raw, nodes, strict=True)]
        together: Type = sets[0].type
        seen: dict[Type, None] = {together: None}
        for member in sets[1:]:
            other = None
            if member.type not in seen:
                other = next((t for t in seen if compatible(member.type, t, self.schema) == "disjoint"), None)
                seen[member.type] = None
            if other is not None:
                raise _clash(
                    f"nothing can be both {self.describe(other)} and {self.describe(member.type)}",
                    span,
                    empty=together,
                )
            together = meet(together, member.type) or together
        unsafe = sets[0].unsafe
        if unsafe is not None and any(s.unsafe is None for s in sets):
            unsafe = None
        return typed.Meet(tuple(sets), together, 1 + sum([s.size for s in sets]), unsafe, span)

    def as_set(self, expression: typed.Expression, node: syntax.Expression, expected: Type) -> typed.Expression:
        if isinstance(expression, typed.Exists):
            return self.members(node)
        return self.settle(expression, expected)

    def disjunction(self, nodes: tuple[syntax.Expression, ...], span: Span | None) -> typed.Expression:
        raw = [self.expression(node) for node in nodes]
        literal = next((r.type for r in raw if isinstance(r.type, LiteralType)), ANY)
        sets = tuple(self.alone(self.as_set(r, node, literal)) for r, node in zip(raw, nodes, strict=True))
        return typed.AnyOf(sets, _join_types([s.type for s in sets]), 1 + sum(s.size for s in sets), None, span)

    def minus(self, node: syntax.Minus) -> typed.Expression:
        left = self.members(node.left)
        right = self.members(node.right, left.type)
        if {type(left.type), type(right.type)} == {EntityType, LiteralType}:
            self.findings.append(
                Diagnostic(
                    "no-effect",
                    f"{self.wording.difference} removes nothing: "
                    f"{self.describe(left.type)} is never {self.describe(right.type)}",
                    node.span,
                    severity="warning",
                )
            )
        # the schema says so; the graph decides, and what is left is no number and no constant any more
        return typed.Without(left, right, left.type, left.size + right.size + 1, left.unsafe, node.span)

    # -- values

    def arg(self, node: syntax.Arg) -> typed.Expression:
        of = self.members(node.of)
        steps = self.steps(node.relation, of.type)
        self.fits(of, steps[0], node.span, self.wording.superlative)
        last = steps[-1]
        if all(step.closure == 0 for step in steps):  # nothing but the members themselves tells which they are
            of = self.alone(of)
        kind = Kind.NUMBER if node.counted else kind_of_relation(last.relation)
        if not node.counted:
            self.leads_to_values(steps, f"{self.wording.superlative} orders by")
        if kind is Kind.TEXT:
            raise _clash(f"the values of {self.spelt(last)} are text, which has no extreme", last.span, empty=of.type)
        direction = Direction.MAX if node.mode == "ARGMAX" else Direction.MIN
        together = meet(of.type, typed.near_ends(steps, last.far)[0]) or of.type
        return typed.Best(
            direction, of, steps, kind, node.k, node.counted, together, of.size + len(steps) + 1, None, node.span
        )

    def cmp(self, node: syntax.Cmp) -> typed.Expression:
        steps = self.steps(node.relation)
        last = steps[-1]
        self.leads_to_values(steps, f"{self.wording.comparison} compares")
        literal, kind = constant(
            node.value.text, isinstance(node.value, syntax.Number), last.relation, self.names, node.value.span
        )
        if literal.language is not None and node.op not in ("=", "!="):
            raise _clash("text with a language tag has no order", node.value.span, empty=steps[0].near)
        unsafe = self.endless(steps, node.span)
        near = typed.near_ends(steps, ANY if last.closure == 0 else last.far)[0]
        return typed.Compared(Op(node.op), steps, literal, kind, near, 1 + len(steps), unsafe, node.span)

    def time_constraint(self, node: syntax.TimeConstraint) -> typed.Expression:
        of = self.members(node.of)
        steps = self.steps(node.relation, of.type)
        self.fits(of, steps[0], node.span, self.wording.time_constraint)
        self.leads_to_values(steps, f"{self.wording.time_constraint} compares")
        if kind_of_relation(steps[-1].relation) not in (Kind.DATE, Kind.ANY):
            what = f"{self.wording.time_constraint} compares dates, and the values of {self.spelt(steps[-1])} are none"
            raise _clash(what, steps[-1].span, empty=of.type)
        text = node.value.text
        if text == "NOW":
            text = self.context.today or _today()
        from pylf.ir.dates import date_literal

        date = date_literal(text.partition("^^")[0])
        if date is None:
            raise _clash(
                f"{text!r} cannot be read as a date",
                node.value.span,
                self.wording.times(),
            )
        op = Op.GE if node.until else Op.LE
        return typed.Within(of, steps, op, date, of.type, of.size + 2 * len(steps), of.unsafe, node.span)

    def fits(self, of: typed.Expression, first: typed.Step, span: Span | None, where: str) -> None:
        if not isinstance(of, typed.Nothing) and compatible(of.type, first.near, self.schema) == "disjoint":
            raise _clash(
                f"{where} looks for {self.spelt(first)} of {self.describe(of.type)}, "
                f"but only {self.describe(first.near)} has it",
                span,
                empty=of.type,
            )

    def leads_to_values(self, steps: tuple[typed.Step, ...], what: str) -> None:
        last = steps[-1]
        if isinstance(last.far, EntityType) and (last.inverse or last.far.unions):
            raise _clash(
                f"{what} numbers and dates, but {self.spelt(last)} leads to {self.describe(last.far)}",
                last.span,
                f"a path of relations reaches further: {self.wording.path}",
                empty=steps[0].near,
            )

    # -- words

    def spelt(self, step: typed.Step) -> str:
        """The relation of a step, in quotes."""
        name = self.wording.relation(short_name(step.iri), step.inverse)
        return name if step.closure is None else self.wording.closure(name)

    def turned(self, step: typed.Step, of: str = "…") -> str:
        """A JOIN along the step in the other direction."""
        return self.wording.join(short_name(step.iri), not step.inverse, of)

    def reversed_form(self, step: typed.Step) -> str:
        return f"the reversed form {self.turned(step)} fits; was that meant?"

    def describe(self, type_: Type) -> str:
        """A type in words: ``a rocket``, ``an xsd:decimal``, ``an entity``."""
        match type_:
            case LiteralType(datatype=None):
                return "a literal"
            case LiteralType(datatype=datatype):
                return f"a literal of type {short_name(datatype or '')}"
            case EntityType(unions=()):
                return "an entity"
            case EntityType(unions=unions):
                return " and ".join(" or ".join(repr(self.class_name(c)) for c in union) for union in unions[:3])
        return "anything"

    def class_name(self, iri: str) -> str:
        found = self.schema.class_(iri)
        return found.label if found is not None and found.label else short_name(iri)


def kind_of_literals(step: typed.Step) -> bool:
    """True when the answers' end of a step holds literals, as far as the data was counted."""
    profile = step.relation.profile
    return step.inverse and not step.relation.range and profile is not None and profile.literals > 0


def first_name(step: typed.Step) -> str:
    """The relation of a step in quotes, without direction."""
    return repr(short_name(step.iri))


def _join_types(types: list[Type]) -> Type:
    """The type of a union of sets: what all of them share."""
    first = types[0]
    if all(t == first for t in types):
        return first
    if all(isinstance(t, EntityType) for t in types):
        return ENTITY
    if all(isinstance(t, LiteralType) for t in types):
        return LiteralType(None)
    return ANY


def _clash(message: str, span: Span | None, *hints: str, empty: Type | None = None) -> Refused:
    return Refused(Diagnostic("type-mismatch", message, span, hints=hints), empty)


def _today() -> str:
    import datetime

    return datetime.date.today().isoformat()
