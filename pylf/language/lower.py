"""Lowering: from typed set expressions to the IR.

Each set expression is lowered *into* a variable that stands for its members, from the answer down. Chains of JOINs
become conjuncts of one body, so only negation and sub-queries nest. The walk keeps its own stack: a program of
thousands of statements, each built on the one before, needs no deeper Python stack than a short one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pylf.errors import CompileError, Diagnostic
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Count,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    Member,
    Not,
    Op,
    Query,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import XSD_STRING, Iri, Literal, Var, tagged
from pylf.ir.types import ANY, ENTITY, INTEGER, AnyType, EntityType, LiteralType
from pylf.language import typed
from pylf.language.check import check
from pylf.language.constants import kind_of_relation, may_be_date

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.errors import Span
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Term
    from pylf.ir.types import Type
    from pylf.language import syntax
    from pylf.language.context import Context

#: Bodies inside bodies: negations, unions and sub-queries may nest this deep.
MAX_NESTING = 100


class Lowered(NamedTuple):
    """A query and the warnings that came with it."""

    query: Query
    diagnostics: tuple[Diagnostic, ...]


def lower(program: syntax.Program, context: Context) -> Lowered:
    """Check a program and lower it to the IR.

    Raises:
        CompileError: names that nothing answers to, types that clash, negation that is not safe, sizes beyond the
            limits.
    """
    answer, findings = check(program, context)
    query = _Lowering(context, program).query(answer)
    return Lowered(query, tuple(findings))


class _Scope:
    """A body under construction. ``later`` entries are finished once the scopes inside them are."""

    __slots__ = ("depth", "entries", "instances")

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.entries: list[Conjunct | Callable[[], Conjunct]] = []
        self.instances: set[tuple[str, tuple[Iri, ...]]] = set()

    def add(self, entry: Conjunct | Callable[[], Conjunct]) -> None:
        self.entries.append(entry)

    def add_instance(self, x: Var, classes: tuple[Iri, ...], span: Span | None) -> None:
        """``x`` is an instance of one of ``classes``: once for any number of negations of the same domain."""
        if (x.name, classes) not in self.instances:
            self.instances.add((x.name, classes))
            self.entries.append(InstanceOf(x, classes, span))

    def body(self) -> Body:
        return Body(tuple([e() if callable(e) else e for e in self.entries]))


class _Lowering:
    def __init__(self, context: Context, program: syntax.Program) -> None:
        self.context = context
        self.program = program
        self.types: dict[str, Type] = {}
        self.used: dict[str, int] = {}
        self.scopes: list[_Scope] = []
        self.bodies: dict[int, Body] = {}
        self.todo: list[tuple[typed.Expression, Var, _Scope]] = []
        self.topics: list[Iri | typed.Labelled] = []

    def query(self, answer: typed.Expression) -> Query:
        root = self.scope(None)
        match answer:
            case typed.Exists(of=of):
                form = Form.BOOLEAN
                self.into(of, self.member_of(of), root)
            case _:
                form = Form.NUMBER if isinstance(answer, typed.Size) else Form.SET
                self.into(answer, self.member_of(answer), root)
        member = self.todo[0][1]
        outputs: tuple[Var, ...] = () if form is Form.BOOLEAN else (member,)
        self.run()
        if self.context.exclude_topic and form is Form.SET and not isinstance(answer.type, LiteralType):
            self.exclude(member, root)
        for scope in reversed(self.scopes):
            self.bodies[id(scope)] = scope.body()
        self.scopes.clear()  # what is to be done later holds on to this object: no circles for the garbage collector
        return Query(form, outputs, self.bodies[id(root)], tuple(sorted(self.types.items())), answer.span)

    def exclude(self, member: Var, root: _Scope) -> None:
        """Take the entities that the program starts from out of its answers; of those that are only known by a label,
        all that bear it."""
        for topic in dict.fromkeys(self.topics):
            if isinstance(topic, Iri):
                root.add(Not(Body((Compare(Op.IS, member, topic),))))
                continue
            bearer = self.scope(root, topic.span)
            self.labelled(topic, member, bearer)
            root.add(self.negated(bearer, topic.span))

    def negated(self, scope: _Scope, span: Span | None) -> Callable[[], Conjunct]:
        """The negation of a scope, once it is finished."""
        return lambda: Not(self.bodies[id(scope)], span=span)

    def run(self) -> None:
        while self.todo:
            expression, var, scope = self.todo.pop()
            self.expand(expression, var, scope)

    def into(self, expression: typed.Expression, var: Var, scope: _Scope) -> None:
        """Constrain ``var`` to the members of ``expression``, in ``scope``."""
        self.todo.append((expression, var, scope))

    def scope(self, parent: _Scope | None, span: Span | None = None) -> _Scope:
        scope = _Scope(0 if parent is None else parent.depth + 1)
        if scope.depth > MAX_NESTING:
            found = Diagnostic("too-deep", f"negations and sub-queries nest deeper than {MAX_NESTING}", span)
            raise CompileError((found if self.program.source is None else found.at(self.program.source),))
        self.scopes.append(scope)
        return scope

    # -- one expression

    def expand(self, expression: typed.Expression, x: Var, scope: _Scope) -> None:
        match expression:
            case typed.Known(terms=terms, span=span):
                self.topics.extend(t for t in terms if isinstance(t, Iri))
                scope.add(Member(x, terms, span))
            case typed.Labelled():
                self.topics.append(expression)
                self.labelled(expression, x, scope)
            case typed.Instances(class_iri=iri, span=span):
                self.as_subject(x)
                scope.add_instance(x, (Iri(iri),), span)
            case typed.Hop(negated=False):
                self.hop(expression, x, scope)
            case typed.Hop():
                self.negated_hop(expression, x, scope)
            case typed.Meet(sets=sets):
                self.meet(sets, x, scope)
            case typed.AnyOf(sets=sets, span=span):
                arms = [self.scope(scope, span) for _ in sets]
                scope.add(lambda: Union(tuple(self.bodies[id(arm)] for arm in arms), span))
                for part, arm in zip(sets, arms, strict=True):
                    self.into(part, x, arm)
            case typed.Without(left=left, right=right, span=span):
                self.into(left, x, scope)
                inner = self.scope(scope, span)
                # what cannot be listed is looked at where it stands
                self.into(right, x if right.unsafe is not None else self.linked(x, right.type, inner, span), inner)
                scope.add(lambda: Not(self.bodies[id(inner)], span=span))
            case typed.Size(span=span) if isinstance(self.types[x.name], EntityType):
                scope.add(Member(x, (), span))  # no entity is a number
            case typed.Size(of=of, span=span):
                inner = self.scope(scope, span)
                member = self.member_of(of)
                self.into(of, member, inner)
                scope.add(lambda: Count(x, member, self.bodies[id(inner)], (), span))
            case typed.Best():
                self.best(expression, x, scope)
            case typed.Compared(steps=steps, op=op, value=value, kind=kind, span=span):
                end = self.walk(steps, x, None, scope)
                scope.add(Compare(op, end, value, kind, span))
            case typed.Within(of=of, steps=steps, op=op, value=value, span=span):
                self.into(of, x, scope)
                near = typed.near_ends(steps, steps[-1].far)[0]
                outside = self.scope(scope, span)
                inside = self.scope(outside, span)
                self.walk(steps, self.linked(x, near, outside, span), None, outside)
                end = self.walk(steps, self.linked(x, near, inside, span), None, inside)
                inside.add(Compare(op, end, value, Kind.DATE, span))
                outside.add(lambda: Not(self.bodies[id(inside)], span=span))
                scope.add(lambda: Not(self.bodies[id(outside)], span=span))
            case typed.Nothing(span=span):
                scope.add(Member(x, (), span))
            case _:
                raise AssertionError(f"{type(expression).__name__} is settled before lowering")

    def labelled(self, expression: typed.Labelled, x: Var, scope: _Scope) -> None:
        from pylf.language.names import Names

        languages = Names(self.context, []).label_languages(expression.language)
        values = tuple(tagged(expression.text, tag) if tag else Literal(expression.text) for tag in languages)
        predicates = self.context.vocabulary.label_predicates
        self.as_subject(x)
        label = self.fresh("label", LiteralType(None if len(values) > 1 else values[0].datatype))
        if len(predicates) == 1:
            scope.add(Triple(x, Iri(predicates[0]), label, expression.span))
        else:
            scope.add(
                Union(tuple(Body((Triple(x, Iri(p), label, expression.span),)) for p in predicates), expression.span)
            )
        scope.add(Member(label, values, expression.span))

    def hop(self, hop: typed.Hop, x: Var, scope: _Scope) -> None:
        """H with some t in X, (h, r, t) in G."""
        self.walk(hop.steps, x, hop.of, scope)

    def negated_hop(self, hop: typed.Hop, x: Var, scope: _Scope) -> None:
        """H in inst(dom r) with no t in X, (h, r, t) in G; under pca, with some r."""
        first = hop.steps[0]
        for union in first.classes:
            scope.add_instance(x, tuple(map(Iri, union)), hop.span)
        inner = self.scope(scope, hop.span)
        near = typed.near_ends(hop.steps, hop.of.type)[0]
        self.walk(hop.steps, self.linked(x, near, inner, hop.span), hop.of, inner)
        scope.add(lambda: Not(self.bodies[id(inner)], span=hop.span))
        if self.context.negation == "pca":
            near = typed.near_ends(hop.steps, hop.steps[-1].far)[0]
            self.walk(hop.steps, self.linked(x, near, scope, hop.span), None, scope)

    def walk(self, steps: tuple[typed.Step, ...], x: Var, of: typed.Expression | None, scope: _Scope) -> Term:
        """The steps from ``x`` on, the last one ending in ``of`` (in anything, where None). Returns that end."""
        last = steps[-1]
        here: Term = x if len(steps) == 1 else self.walk_to(last.far if of is None else of.type, steps, x, scope)
        if of is None:
            end: Term = self.fresh(_object_hint(last), last.far)
            self.edge(last, here, end, scope)
            return end
        if isinstance(of, typed.Known) and len(of.terms) == 1:
            return self.edge_to_constant(last, here, of, scope)
        if self.may_be_literal(last.far) and self.may_be_literal(of.type):
            # members of a value set are met by value: 10 is 10.0
            found = self.fresh(_object_hint(last), last.far)
            self.edge(last, here, found, scope)
            if of.unsafe is not None:  # its members cannot be listed; what was found is looked at
                self.into(of, found, scope)
                return found
            member = self.member_of(of)
            scope.add(Compare(Op.IS, found, member, Kind.ANY, last.span))
            self.into(of, member, scope)
            return found
        # in no steps whatever it is reaches itself
        known = last.closure == 0 or not isinstance(of.type, AnyType)
        member = self.member_of(of) if known else self.fresh(_object_hint(last), last.far)
        self.edge(last, here, member, scope)
        self.into(of, member, scope)
        return member

    def walk_to(self, end: Type, steps: tuple[typed.Step, ...], x: Var, scope: _Scope) -> Var:
        """The steps from ``x`` on, towards something of type ``end``, as far as to where the last one begins.

        What may be a literal on the way is met by value, as in a JOIN of a JOIN.
        """
        here = x
        begins = typed.near_ends(steps, end)[1:]
        for step, following, begin in zip(steps, steps[1:], begins, strict=False):
            passing = step.closure == 0 and isinstance(begin, AnyType)
            there = self.fresh(_object_hint(step), ANY if passing else step.far)
            self.edge(step, here, there, scope)
            here = there
            if self.may_be_literal(step.far) and self.may_be_literal(begin):
                here = self.fresh(_word(following.iri) if following.inverse else "x", begin)
                scope.add(Compare(Op.IS, there, here, Kind.ANY, step.span))
        return here

    def edge_to_constant(self, last: typed.Step, here: Term, of: typed.Known, scope: _Scope) -> Term:
        constant = of.terms[0]
        if isinstance(constant, Iri):
            self.topics.append(constant)
            self.edge(last, here, constant, scope)
            return constant
        kind = kind_of_relation(last.relation)
        profile = last.relation.profile
        tags: tuple[Literal, ...] = ()
        if constant.language is None and constant.datatype == XSD_STRING and profile is not None and profile.tagged:
            tags = tuple(tagged(constant.lexical, tag) for tag in profile.languages)
        as_date = may_be_date(constant, last.relation)
        if as_date and tags:  # one of the tagged strings, or a date
            arms = self.scope(scope, of.span), self.scope(scope, of.span)
            scope.add(lambda: Union(tuple([self.bodies[id(arm)] for arm in arms]), of.span))
            self.edge_to_one_of(last, here, tags, of.span, arms[0])
            return self.edge_to_value(last, here, constant, kind, of.span, arms[1])
        if constant.language is not None or (constant.datatype == XSD_STRING and not as_date):
            # strings are met as terms: the engine finds them in an index
            if tags:
                return self.edge_to_one_of(last, here, (constant, *tags), of.span, scope)
            self.edge(last, here, constant, scope)
            return constant
        return self.edge_to_value(last, here, constant, kind, of.span, scope)

    def edge_to_one_of(
        self, last: typed.Step, here: Term, terms: tuple[Literal, ...], span: Span | None, scope: _Scope
    ) -> Var:
        value = self.fresh(_object_hint(last), last.far)
        self.edge(last, here, value, scope)
        scope.add(Member(value, terms, span))
        return value

    def edge_to_value(
        self, last: typed.Step, here: Term, constant: Literal, kind: Kind, span: Span | None, scope: _Scope
    ) -> Var:
        value = self.fresh(_object_hint(last), last.far)
        self.edge(last, here, value, scope)
        scope.add(Compare(Op.EQ, value, constant, kind, span))
        return value

    def edge(self, step: typed.Step, near: Term, far: Term, scope: _Scope) -> None:
        subject, object_ = (far, near) if step.inverse else (near, far)
        self.as_subject(subject)
        if step.closure is None:
            scope.add(Triple(subject, Iri(step.iri), object_, step.span))
        else:
            scope.add(Closure(subject, Iri(step.iri), object_, step.closure, step.span))

    def meet(self, sets: tuple[typed.Expression, ...], x: Var, scope: _Scope) -> None:
        """Members of every set. Where all of them may be literals they meet by value."""
        by_value = self.may_be_literal(self.types[x.name]) and all(self.may_be_literal(s.type) for s in sets)
        if by_value:
            sets = self.meeting(sets)
        listed = [s for s in sets if s.unsafe is None]
        binding = next((s for s in listed if not isinstance(s, typed.Known)), listed[0] if listed else sets[0])
        for part in reversed(sets):  # what is put on the stack last is lowered first
            if not by_value or part is binding or part.unsafe is not None:
                self.into(part, x, scope)
            elif isinstance(part, typed.Known) and len(part.terms) == 1:
                scope.add(Compare(Op.EQ, x, part.terms[0], Kind.ANY, part.span))
            else:
                self.into(part, self.linked(x, part.type, scope, part.span), scope)

    def meeting(self, sets: tuple[typed.Expression, ...]) -> tuple[typed.Expression, ...]:
        """Sets that meet by value, with those of an AND among them in its place: AND(X, AND(Y, Z)) is AND(X, Y, Z).

        An AND of constants alone stays one: which of them its members are is for it to say.
        """
        found: list[typed.Expression] = []
        todo = list(reversed(sets))
        while todo:
            part = todo.pop()
            if (
                isinstance(part, typed.Meet)
                and all(self.may_be_literal(one.type) for one in part.sets)
                and any(one.unsafe is None and not isinstance(one, typed.Known) for one in part.sets)
            ):
                todo.extend(reversed(part.sets))
            else:
                found.append(part)
        return tuple(found)

    def best(self, best: typed.Best, x: Var, scope: _Scope) -> None:
        if not isinstance(best.type, EntityType):
            # which is the extreme one is told among all members, also where what stands around asks for an entity
            self.may_be_anything(x, EntityType)
        # the members that have a value are told by value, as the graph spells them
        begins = typed.near_ends(best.steps, best.steps[-1].far)[0]
        near = best.of.type if self.may_be_literal(begins) and best.of.unsafe is None else ENTITY
        inner = self.scope(scope, best.span)
        if best.counted:
            counted = self.scope(inner, best.span)
            self.into(best.of, self.linked(x, near, counted, best.span), counted)
            value = self.walk(best.steps, x, None, counted)
            key = self.fresh("count", INTEGER)
            assert isinstance(value, Var)
            inner.add(lambda: Count(key, value, self.bodies[id(counted)], (x,), best.span))
        else:
            self.into(best.of, self.linked(x, near, inner, best.span), inner)
            end = self.walk(best.steps, x, None, inner)
            assert isinstance(end, Var)
            key = end
        if best.k is None:
            scope.add(lambda: Extreme(best.direction, x, key, self.bodies[id(inner)], best.kind, best.span))
        else:
            k = best.k
            scope.add(lambda: TopK(best.direction, k, x, key, self.bodies[id(inner)], best.kind, best.span))

    # -- variables

    def linked(self, x: Var, other: Type, scope: _Scope, span: Span | None) -> Var:
        """``x`` itself, or where both may be literals another variable of ``scope`` with the same value."""
        if not (self.may_be_literal(self.types[x.name]) and self.may_be_literal(other)):
            return x
        twin = self.fresh(x.name.rstrip("0123456789"), other)
        scope.add(Compare(Op.IS, twin, x, Kind.ANY, span))
        return twin

    def as_subject(self, x: Term) -> None:
        """What stands where no literal can: a variable is not said to be one there, and the graph decides.

        ``AND(MINUS(X, Y), Z)`` with Z of literals and Y of entities, X unknown, asks of Z's members whether they are
        in Y.
        """
        if isinstance(x, Var):
            self.may_be_anything(x, LiteralType)

    def may_be_anything(self, x: Var, but: type[Type]) -> None:
        """Take back that ``x`` is only of such a type."""
        if isinstance(self.types[x.name], but):
            self.types[x.name] = ANY

    @staticmethod
    def may_be_literal(type_: Type) -> bool:
        return isinstance(type_, LiteralType | AnyType)

    def member_of(self, expression: typed.Expression) -> Var:
        """A fresh variable for the members of a set, named for what they are."""
        return self.fresh(_hint(expression), expression.type)

    def fresh(self, hint: str, type_: Type) -> Var:
        number = self.used.get(hint, 0) + 1
        self.used[hint] = number
        # a hint never ends in a digit, so numbered names cannot meet
        name = hint if number == 1 else f"{hint}{number}"
        self.types[name] = type_
        return Var(name)


def _hint(expression: typed.Expression) -> str:
    type_ = expression.type
    if isinstance(type_, EntityType) and type_.unions:
        return _word(type_.unions[0][0])
    if isinstance(expression, typed.Size):
        return "count"
    if isinstance(expression, typed.Hop):
        step = expression.steps[0]
        return _word(step.iri) if step.inverse else "x"
    return "x"


def _object_hint(step: typed.Step) -> str:
    far = step.far
    if step.inverse:
        return _word(far.unions[0][0]) if isinstance(far, EntityType) and far.unions else "x"
    return _word(step.iri)


_words: dict[str, str] = {}


def _word(iri: str) -> str:
    """The last word of an IRI as a variable name: ``…/spaceflight.rocket.mass`` is ``mass``."""
    known = _words.get(iri)
    if known is None:
        last = re.split(r"[#/.:]", iri.rstrip("#/.:"))[-1]
        cleaned = re.sub(r"[^A-Za-z0-9_]+", "_", last).strip("_")[:40].rstrip("0123456789_").lower()
        known = cleaned if cleaned[:1].isalpha() else "x"
        if len(_words) < 50_000:
            _words[iri] = known
    return known
