"""Raising: from the IR back to a PyLF program, wherever PyLF can say what the query says.

The inverse of :mod:`pylf.language.lower`: lowering a raised program gives an equal query (same canonical form), but
for one of several classes or entities, which becomes ``OR``. A body is read as a tree that hangs from the answer's
variable; what is no such tree (a cycle, a disconnected part, a variable predicate) has no PyLF form and is refused by
name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.errors import CompileError, UnsupportedOperation
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Direction,
    Extend,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    LeftJoin,
    Member,
    Not,
    Op,
    Path,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.schema.model import Relation
from pylf.ir.terms import XSD_STRING, Iri, Literal, Var
from pylf.ir.traverse import walk
from pylf.ir.types import AnyType, LiteralType
from pylf.language import syntax
from pylf.language.constants import kind_of_datatype, kind_of_relation, may_be_date
from pylf.language.names import INVERSE
from pylf.language.printer import print_program
from pylf.language.reworded import same_but_for_words
from pylf.language.scope import WHERE, Scope, same_value, way
from pylf.language.spelling import Spelling
from pylf.language.unnest import in_lines
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.errors import Span
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Term
    from pylf.ir.types import Type
    from pylf.language.context import Negation
    from pylf.language.scope import Step

MAX_DEPTH = 210
#: how many variables of a yes/no question are tried for the one that it is about
MAX_TRIES = 30
_INSIDE = syntax.Reference("_")  # stands for a set that is not told yet
#: ways to tell a query: whether labels are said to be entities', as beside literals they have to be; and the reading
_WAYS: tuple[tuple[bool, Negation], ...] = ((False, "cwa"), (False, "pca"), (True, "cwa"), (True, "pca"))


_Steps = tuple[syntax.Name | syntax.Reach, ...]


class Raised(NamedTuple):
    """An expression for the answer, the reading of negation under which it means the query, and what its names mean."""

    expression: syntax.Expression
    negation: Negation
    spelling: Spelling


def raise_query(query: Query, schema: Schema, vocabulary: Vocabulary) -> syntax.Program:
    """The program that a query means, one call a line.

    A query whose negations ask for recorded values (partial completeness) gives a program to be read with
    ``negation='pca'``; :func:`raise_expression` tells which reading it is.

    Raises:
        UnsupportedOperation: PyLF has no form for a part of the query; names the part.
    """
    return in_lines(raise_expression(query, schema, vocabulary).expression)


def raise_text(query: Query, schema: Schema, vocabulary: Vocabulary) -> str:
    """The program as text; its first line is a comment that says so where it is to be read by partial completeness.

    Raises:
        UnsupportedOperation: as :func:`raise_query`.
    """
    raised = raise_expression(query, schema, vocabulary)
    remark = "" if raised.negation == "cwa" else "# to be read with negation='pca'\n"
    return remark + print_program(in_lines(raised.expression))


def raise_expression(query: Query, schema: Schema, vocabulary: Vocabulary) -> Raised:
    """The query as one nested expression, for readers that do not want a program.

    Raises:
        UnsupportedOperation: as :func:`raise_query`.
    """
    from pylf.ir.canonical import fingerprint

    for conjunct in walk(query):
        if isinstance(conjunct, LeftJoin | Condition | Extend | Aggregate | Slice):
            raise UnsupportedOperation(_named(conjunct), WHERE, conjunct.span)
    spelling = Spelling(schema, vocabulary)
    types = dict(query.types)
    problem: UnsupportedOperation | None = None
    reworded: Raised | None = None
    for spelling.insist, negation in _WAYS:
        if spelling.insist and not spelling.bare:
            break
        for x in _answers(query):
            raiser = _Raiser(schema, spelling, negation, types)
            try:
                expression = raiser.closed(x, query.body, -1)
            except UnsupportedOperation as refused:
                problem = problem or refused
                continue
            found = Raised(syntax.Ask(expression) if query.form is Form.BOOLEAN else expression, negation, spelling)
            lowered = _lowered(found, schema, vocabulary)
            if lowered is not None and fingerprint(lowered) == fingerprint(query):
                return found
            if lowered is not None and raiser.reworded and same_but_for_words(lowered, query):
                reworded = reworded or found
            problem = problem or _no_program(query)
    if reworded is not None:
        return reworded
    raise problem or UnsupportedOperation("a yes/no question without variables", WHERE)


def _no_program(query: Query) -> UnsupportedOperation:
    """What no program is compiled to, and why where that is told: programs compare values, and no terms."""
    for conjunct in walk(query):
        if isinstance(conjunct, Triple) and isinstance(conjunct.object, Literal):
            what = f"a value taken as the very term {conjunct.object}, where programs compare by value,"
            return UnsupportedOperation(what, WHERE, conjunct.span or query.span)
    return UnsupportedOperation("a query that no program is compiled to", WHERE, query.span)


def _lowered(raised: Raised, schema: Schema, vocabulary: Vocabulary) -> Query | None:
    """What was raised, lowered again; None where it does not compile. IR may hold what the language never says, such
    as a comparison by another kind of value than its relation has."""
    from pylf.language.context import Context
    from pylf.language.lower import lower

    program = syntax.Program((syntax.Assignment("expression", syntax.Stop(raised.expression)),))
    try:
        return lower(program, Context(schema, vocabulary, negation=raised.negation, lenient=True)).query
    except CompileError:
        return None


def _answers(query: Query) -> list[Var]:
    """The variables that a program for the query may be about: for a yes or no any that the body speaks of, those
    first that no edge leads to."""
    match query.form:
        case Form.SET | Form.NUMBER:
            return list(query.outputs)
        case Form.BOOLEAN:
            free = list(Scope(query.body).by_variable)
            reached = {c.object for c in query.body.conjuncts if isinstance(c, Triple | Closure)}
            return sorted(free, key=reached.__contains__)[:MAX_TRIES]
        case form:
            what = "a subgraph" if form is Form.SUBGRAPH else form.value
            raise UnsupportedOperation(f"a question for {what}", WHERE, query.span)


class _Raiser:
    def __init__(self, schema: Schema, spelling: Spelling, negation: Negation, types: dict[str, Type]) -> None:
        self.schema = schema
        self.types = types
        self.spelling = spelling
        self.negation = negation
        #: whether something was said in other words, which lower to another query of the same meaning
        self.reworded = False

    def members(self, x: Var, scope: Scope, depth: int) -> syntax.Expression:
        """What a scope says of ``x``, as one set expression."""
        if depth > MAX_DEPTH:
            raise UnsupportedOperation(f"a question of more than {MAX_DEPTH} nested parts", WHERE)
        parts: list[syntax.Expression] = []
        linked: list[syntax.Expression] = []
        classes: list[InstanceOf] = []
        negations: list[Not] = []
        anything: list[_Steps] = []
        todo = scope.unsaid(x)
        while todo:
            for position in todo:
                if scope.said[position]:
                    continue
                scope.said[position] = True
                conjunct = scope.conjuncts[position]
                match conjunct:
                    case InstanceOf():
                        classes.append(conjunct)
                    case Not():
                        negations.append(conjunct)
                    case Triple(subject=s, predicate=Iri(value=iri), object=o) if s != o:
                        name = self.name(iri, s != x, conjunct.span)
                        self.edge(name, o if s == x else s, scope, depth, parts, anything)
                    case Closure(subject=s, relation=Iri(value=iri), object=o, minimum=minimum) if s != o:
                        reach = syntax.Reach(self.name(iri, s != x), minimum, conjunct.span)
                        self.edge(reach, o if s == x else s, scope, depth, parts, anything)
                    case Compare(op=Op.IS, left=Var() as left, right=Var() as right):
                        # AND takes its members from the first of its sets, and the others are met by value
                        other = right if left == x else left
                        chain = scope.open_chain(other)
                        if chain:
                            anything.append(self.steps(chain))
                        else:
                            linked.append(self.members(other, scope, depth + 1))
                    case Member():
                        # of constants alone AND takes the first, and meets it with the others by value
                        parts.insert(0, self.part(conjunct, x, scope, depth))
                    case _:
                        parts.append(self.part(conjunct, x, scope, depth))
            todo = scope.unsaid(x)
        return self.assemble(x, parts, linked, classes, negations, anything, depth)

    def part(self, conjunct: Conjunct, x: Var, scope: Scope, depth: int) -> syntax.Expression:
        match conjunct:
            case Member(values=values) if values:
                starts = tuple(_at(self.spelling.start(v), conjunct.span) for v in values)
                self.reworded = self.reworded or len(starts) > 1
                return starts[0] if len(starts) == 1 else syntax.Or(starts, conjunct.span)
            case Compare(op=Op.EQ | Op.IS, left=Var(), right=Literal() as value):
                return _at(self.spelling.start(value), conjunct.span)
            case Compare(op=Op.IS, left=left, right=Iri() as value) if left == x:
                self.reworded = True
                return _at(self.spelling.start(value), conjunct.span)
            case Union(arms=arms) if (label := self.label_of(arms, x)) is not None:
                match [(i, scope.conjuncts[i]) for i in scope.unsaid(label)]:
                    case [(i, Member(values=values))] if (text := self.spelling.shared_text(values)) is not None:
                        scope.said[i] = True
                        return _at(self.spelling.labelled(text, values), conjunct.span)
                raise UnsupportedOperation("one of several relations to one value", WHERE, conjunct.span)
            case Union(arms=arms) if arms:
                return syntax.Or(tuple(self.closed(x, arm, depth) for arm in arms), conjunct.span)
            case Count(result=result, of=of, body=body, group=()) if result == x:
                return syntax.CountOf(self.closed(of, body, depth), conjunct.span)
            case Extreme() | TopK() if conjunct.item == x:
                return self.best(conjunct, depth)
        raise UnsupportedOperation(_named(conjunct), WHERE, conjunct.span)

    def label_of(self, arms: tuple[Body, ...], x: Var) -> Var | None:
        """The variable for a label of ``x``, where arms say in each of the graph's ways that it is one."""
        said: dict[str, Var] = {}
        for arm in arms:
            match arm.conjuncts:
                case (Triple(subject=s, predicate=Iri(value=iri), object=Var() as label),) if s == x:
                    said[iri] = label
                case _:
                    return None
        if set(said) != set(self.spelling.vocabulary.label_predicates) or len(set(said.values())) != 1:
            return None
        return next(iter(said.values()))

    def closed(self, x: Var, body: Body, depth: int) -> syntax.Expression:
        scope = Scope(body)
        expression = self.members(x, scope, depth + 1)
        scope.finish()
        return expression

    def edge(
        self,
        name: syntax.Name | syntax.Reach,
        other: Term,
        scope: Scope,
        depth: int,
        parts: list[syntax.Expression],
        anything: list[_Steps],
    ) -> None:
        """One step away from the variable at hand, and what is said of its other end.

        JOIN in JOIN meets values by what they mean. Where two steps meet in one variable that may be a value, they are
        steps of one path.
        """
        names: list[syntax.Name | syntax.Reach] = [name]
        while isinstance(other, Var) and isinstance(self.types.get(other.name), LiteralType | AnyType):
            match [(i, scope.conjuncts[i]) for i in scope.unsaid(other)]:
                case [(i, Triple(subject=s, predicate=Iri(value=iri), object=o))] if s != o:
                    names.append(self.name(iri, s != other))
                case [(i, Closure(subject=s, relation=Iri(value=iri), object=o, minimum=minimum))] if s != o:
                    names.append(syntax.Reach(self.name(iri, s != other), minimum))
                case _:
                    break
            scope.said[i] = True
            other = o if s == other else s
        relation = _relation(names)
        if not isinstance(other, Var):
            parts.append(syntax.Join(relation, _at(self.spelling.start(other), name.span), span=name.span))
            return
        chain = scope.open_chain(other)
        if chain is not None:
            anything.append((*names, *self.steps(chain)))
            return
        match [scope.conjuncts[i] for i in scope.unsaid(other)]:
            case [Compare(op=op, left=left, right=Literal()) as compare] if left == other and op is not Op.IS:
                scope.said[scope.unsaid(other)[0]] = True
                parts.append(self.compared(names, compare))
                return
            case [Member(values=values)] if (text := self.spelling.shared_text(values)) is not None:
                scope.said[scope.unsaid(other)[0]] = True
                if len(names) == 1 and self.spelling.label_relation(name):
                    parts.append(_at(self.spelling.labelled(text, values), name.span))
                else:
                    start = syntax.Start(syntax.Text(text), span=name.span)
                    parts.append(syntax.Join(relation, start, span=name.span))
                return
        parts.append(syntax.Join(relation, self.members(other, scope, depth + 1), span=name.span))

    def compared(self, names: list[syntax.Name | syntax.Reach], compare: Compare) -> syntax.Expression:
        """A comparison of the values that steps lead to, as the form that lowers to it."""
        value = compare.right
        assert isinstance(value, Literal)
        name = names[-1]
        iri, inverse = self.spelling.read(name.name if isinstance(name, syntax.Reach) else name)
        relation = self.schema.relation(iri) or Relation(iri)
        kind = kind_of_relation(relation)
        if compare.op is Op.EQ and compare.kind is kind and not inverse and _by_value(value, relation):
            start = _at(self.spelling.start(value, relation), compare.span)
            return syntax.Join(_relation(names), start, span=compare.span)
        written = self.spelling.value(value, relation)
        if kind is Kind.ANY and compare.kind is not Kind.ANY:
            written = self.spelling.typed(value)
        own = kind_of_datatype(value.datatype)
        if kind is Kind.ANY and isinstance(written, syntax.Text) and own is not Kind.TEXT:
            kind = own
        if compare.kind is not kind or value.language is not None:
            raise UnsupportedOperation(f"a comparison by {compare.kind.value} with {value}", WHERE, compare.span)
        return syntax.Cmp(compare.op.value, _relation(names), written, compare.span)

    def best(self, best: Extreme | TopK, depth: int) -> syntax.Arg:
        mode = "ARGMAX" if best.direction is Direction.MAX else "ARGMIN"
        k = best.k if isinstance(best, TopK) else None
        counts = [c for c in best.body.conjuncts if isinstance(c, Count) and c.result == best.key]
        if counts and len(best.body.conjuncts) == 1 and counts[0].group == (best.item,):
            scope, key, counted = Scope(counts[0].body), counts[0].of, True
        else:
            scope, key, counted = Scope(best.body), best.key, False
        relation = self.path(best.item, key, scope)
        of = self.members(best.item, scope, depth + 1)
        scope.finish()
        return syntax.Arg(mode, of, relation, k, counted, best.span)

    def path(self, x: Var, key: Var, scope: Scope) -> syntax.Relation:
        """The steps from ``x`` to ``key``, found from the key's end, where each variable has one way on."""
        steps: list[syntax.Name | syntax.Reach] = []
        here = key
        while here != x:
            unsaid = scope.unsaid(here)
            if len(unsaid) != 1:
                raise UnsupportedOperation("an order by a value that is also constrained", WHERE)
            scope.said[unsaid[0]] = True
            conjunct = scope.conjuncts[unsaid[0]]
            twin = same_value(conjunct, here)
            if twin is not None and twin != x and steps:  # two steps meet in a value
                here = twin
                continue
            match conjunct:
                case Triple(subject=Var() as s, predicate=Iri(value=iri), object=Var() as o):
                    inverse = s == here
                    steps.append(self.name(iri, inverse))
                case Closure(subject=Var() as s, relation=Iri(value=iri), object=Var() as o, minimum=minimum):
                    inverse = s == here
                    steps.append(syntax.Reach(self.name(iri, inverse), minimum))
                case Triple() | Closure():
                    raise UnsupportedOperation(_named(conjunct), WHERE, conjunct.span)
                case _:
                    raise UnsupportedOperation("an order by a value that is also constrained", WHERE)
            here = o if inverse else s
        if not steps:
            raise UnsupportedOperation("an order of values by themselves", WHERE)
        return _relation(steps[::-1])

    def assemble(
        self,
        x: Var,
        parts: list[syntax.Expression],
        linked: list[syntax.Expression],
        classes: list[InstanceOf],
        negations: list[Not],
        anything: list[_Steps],
        depth: int,
    ) -> syntax.Expression:
        implied: set[tuple[Iri, ...]] = set()
        around: list[syntax.Minus | syntax.TimeConstraint] = []
        stated = {c.classes for c in classes}
        for negation in negations:
            constraint = self.time_constraint(negation, x)
            if constraint is not None:
                around.append(constraint)
                continue
            expression = self.closed(x, negation.body, depth)
            if isinstance(expression, syntax.Join) and not expression.negated:
                domain = self.near_classes(expression.relation)
                joined = self.negative(expression, anything, negation.span)
                if joined is not None and domain <= stated:
                    implied |= domain
                    parts.append(joined)
                    continue
            around.append(syntax.Minus(_INSIDE, expression, negation.span))
        if anything:
            raise UnsupportedOperation("'has some value' on its own", WHERE)
        for instance in classes:
            if instance.classes not in implied:
                starts = tuple(_at(self.spelling.class_start(c), instance.span) for c in instance.classes)
                self.reworded = self.reworded or len(starts) > 1
                parts.insert(0, starts[0] if len(starts) == 1 else syntax.Or(starts, instance.span))
        parts.extend(linked)
        if not parts:
            raise UnsupportedOperation(f"a variable that nothing limits (?{x.name})", WHERE)
        if depth + len(around) > MAX_DEPTH:
            raise UnsupportedOperation(f"a question of more than {MAX_DEPTH} nested parts", WHERE)
        whole = parts[0] if len(parts) == 1 else syntax.And(tuple(parts))
        for outer in reversed(around):  # what stands outermost was lowered first
            match outer:
                case syntax.Minus(right=right, span=span):
                    whole = syntax.Minus(whole, right, span)
                case syntax.TimeConstraint():
                    whole = replace(outer, of=whole)
        return whole

    def negative(self, join: syntax.Join, anything: list[_Steps], span: Span | None) -> syntax.Join | None:
        """The negative form of a JOIN; under partial completeness only where the values are said to exist."""
        if self.negation == "cwa":
            return syntax.Join(join.relation, join.of, True, span)
        steps: list[syntax.Name | syntax.Reach] = []
        of: syntax.Expression = join
        while isinstance(of, syntax.Join) and not of.negated:
            steps.extend(of.relation.steps if isinstance(of.relation, syntax.RelationPath) else (of.relation,))
            of = of.of
            if tuple(steps) in anything:
                anything.remove(tuple(steps))
                return syntax.Join(_relation(steps), of, True, span)
        return None

    def near_classes(self, relation: syntax.Relation) -> set[tuple[Iri, ...]]:
        """The classes that a negative JOIN of this relation would restrict its members to."""
        first = relation.steps[0] if isinstance(relation, syntax.RelationPath) else relation
        name = first.name if isinstance(first, syntax.Reach) else first
        iri, inverse = self.spelling.read(name)
        found = self.schema.relation(iri) or Relation(iri)
        return {tuple(map(Iri, union)) for union in (found.range if inverse else found.domain)}

    def time_constraint(self, negation: Not, x: Var) -> syntax.TimeConstraint | None:
        """``TC``: not(some value, and not(some value that compares))."""
        outside = way(negation.body, x)
        if outside is None or not outside.steps:
            return None
        match outside.others:
            case (Not(body=body),):
                inside = way(body, x)
            case _:
                return None
        if inside is None or [_walked(s) for s in inside.steps] != [_walked(s) for s in outside.steps]:
            return None
        match inside.others:
            case (Compare(op=Op.LE | Op.GE as op, left=left, right=Literal() as t, kind=Kind.DATE),) if (
                left == inside.end
            ):
                relation = _relation(self.steps(outside.steps))
                return syntax.TimeConstraint(_INSIDE, relation, syntax.Text(t.lexical), op is Op.GE, negation.span)
        return None

    def steps(self, chain: tuple[Step, ...]) -> _Steps:
        found: list[syntax.Name | syntax.Reach] = []
        for edge, inverse in chain:
            term = edge.predicate if isinstance(edge, Triple) else edge.relation
            if not isinstance(term, Iri):
                raise UnsupportedOperation(_named(edge), WHERE, edge.span)
            name = self.name(term.value, inverse)
            found.append(name if isinstance(edge, Triple) else syntax.Reach(name, edge.minimum))
        return tuple(found)

    def name(self, iri: str, inverse: bool, span: Span | None = None) -> syntax.Name:
        return syntax.Name((INVERSE if inverse else "") + self.spelling.relation(iri), span)


def _at(start: syntax.Start, span: Span | None) -> syntax.Start:
    """The same at a place."""
    return syntax.Start(start.value, start.kind, start.implicit, span)


def _by_value(value: Literal, relation: Relation) -> bool:
    """Whether a JOIN with this literal meets it by value alone; other strings are met as terms."""
    if value.datatype != XSD_STRING:
        return value.language is None
    return may_be_date(value, relation) and not (relation.profile is not None and relation.profile.tagged)


def _relation(steps: Sequence[syntax.Name | syntax.Reach]) -> syntax.Relation:
    """One relation, or a path of several."""
    return steps[0] if len(steps) == 1 else syntax.RelationPath(tuple(steps))


def _walked(step: Step) -> tuple[Term, int | None, bool]:
    """What is walked by a step, and in which direction."""
    edge, inverse = step
    return (edge.predicate, None, inverse) if isinstance(edge, Triple) else (edge.relation, edge.minimum, inverse)


def _named(conjunct: Conjunct) -> str:
    match conjunct:
        case Triple(predicate=Var()):
            return "a variable relation"
        case Compare(op=op):
            return f"a comparison ({op.value}) between two values"
        case Member():
            return "an empty list of values"
        case LeftJoin():
            return "an optional part (LeftJoin)"
        case Condition():
            return "a computed condition (Condition)"
        case Extend():
            return "a computed value (Extend)"
        case Aggregate(reductions):
            return f"an aggregate ({', '.join([one.function for one in reductions]) or 'groups alone'})"
        case Slice():
            return "rows in an order, or so many of them (Slice)"
        case Path():
            return "a walk whose hops keep their order (Path)"
        case Confidence():
            return "how sure a triple is (Confidence)"
    return f"the operator {type(conjunct).__name__}"
