"""Walking and rewriting the IR. Nothing here recurses over the conjuncts of a body, only over nesting.

``rewrite`` goes bottom-up and hands unchanged nodes back as the same object, so ``rewrite(q, f) is q`` says that a
pass had nothing to do::

    def drop_double_negation(node: Body | Conjunct) -> Body | Conjunct:
        match node:
            case Not(Body((Not(Body((Triple(),)) as inner),))):
                return inner
            case _:
                return node

    rewrite(query, drop_double_negation)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from pylf.ir.expressions import terms_in, with_terms_in
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Extend,
    Extreme,
    InstanceOf,
    LeftJoin,
    Member,
    Not,
    Order,
    Path,
    Project,
    Query,
    Reduction,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Var
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pylf.errors import Span
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Term

    Rewriter = Callable[[Body | Conjunct], Body | Conjunct]


#: The conjuncts that bodies stand in: most are not of these, and a look at the type is quicker than a match.
_OPERATORS = frozenset((Not, Union, Project, Count, Extreme, TopK, LeftJoin, Aggregate, Slice))


def terms(conjunct: Conjunct) -> tuple[Term, ...]:
    """The terms that stand in the conjunct itself, in written order, those of its expressions among them; those of
    nested bodies are left out, and so are the classes of an instance-of and the values of a membership."""
    match conjunct:
        case Triple(subject, predicate, object_):
            return (subject, predicate, object_)
        case InstanceOf(term) | Member(term):
            return (term,)
        case Compare(_, left, right):
            return (left, right)
        case Confidence(subject, predicate, object_, value):
            return (subject, predicate, object_, value)
        case Not() | Union() | LeftJoin():
            return ()
        case Project(outputs):
            return outputs
        case Count(result, of, _, group):
            return (result, of, *group)
        case Extreme() | TopK():
            return (conjunct.item, conjunct.key)
        case Path(nodes, relations):
            return (*nodes, *relations)
        case Closure(subject, relation, object_):
            return (subject, relation, object_)
        case Condition(expression):
            return terms_in(expression)
        case Extend(result, expression):
            return (result, *terms_in(expression))
        case Aggregate(reductions, _, group):
            return (*[term for one in reductions for term in _reduction_terms(one)], *group)
        case Slice(outputs, _, order):
            return (*outputs, *[term for key in order for term in terms_in(key.expression)])


def _reduction_terms(reduction: Reduction) -> tuple[Term, ...]:
    return (reduction.result,) if reduction.of is None else (reduction.result, *terms_in(reduction.of))


def bodies(conjunct: Conjunct) -> tuple[Body, ...]:
    """The bodies that stand directly within a conjunct."""
    if type(conjunct) not in _OPERATORS:
        return ()
    match conjunct:
        case Not(body):
            return (body,)
        case Union(arms):
            return arms
        case Project() | Count() | Extreme() | TopK() | LeftJoin() | Aggregate() | Slice():
            return (conjunct.body,)
        case _:
            return ()


def children(node: Query | Body | Conjunct) -> tuple[Body, ...] | tuple[Conjunct, ...]:
    """What stands directly within a node: the body of a query, the conjuncts of a body, the bodies of a conjunct."""
    match node:
        case Query():
            return (node.body,)
        case Body(conjuncts):
            return conjuncts
        case _:
            return bodies(node)


def walk(node: Query | Body | Conjunct) -> Iterator[Conjunct]:
    """Every conjunct at any depth, in printed order: each before those within it."""
    if isinstance(node, Query):
        node = node.body
    todo: list[Conjunct] = list(reversed(node.conjuncts)) if isinstance(node, Body) else [node]
    while todo:
        at = todo.pop()
        yield at
        if type(at) in _OPERATORS:
            for body in reversed(bodies(at)):
                todo.extend(reversed(body.conjuncts))


def variables(node: Query | Body | Conjunct) -> tuple[str, ...]:
    """Names of the variables that occur at any depth, each once: a query's outputs first, then in printed order."""
    seen: dict[str, None] = {}
    if isinstance(node, Query):
        for output in node.outputs:
            seen[output.name] = None
    for conjunct in walk(node):
        for term in terms(conjunct):
            if type(term) is Var:
                seen[term.name] = None
    return tuple(seen)


@overload
def rewrite(node: Query, fn: Rewriter) -> Query: ...
@overload
def rewrite(node: Body, fn: Rewriter) -> Body: ...
@overload
def rewrite(node: Conjunct, fn: Rewriter) -> Body | Conjunct: ...
def rewrite(node: Query | Body | Conjunct, fn: Rewriter) -> Query | Body | Conjunct:
    """The node with ``fn`` applied to every body and conjunct in it, innermost first.

    ``fn`` gives a body for a body; for a conjunct it gives a conjunct, or a body that is spliced in its place (an
    empty one drops it). What ``fn`` leaves alone stays the same object. A node with changed parts is built anew by
    the constructors of :mod:`pylf.ir.build`, so that their identities hold. A new node without a span takes that of
    the node it replaces; a query keeps the types of the variables that still occur.

    Raises:
        TypeError: ``fn`` gives a conjunct for a body.
    """
    from pylf.ir import build

    match node:
        case Query():
            body = _rewrite_body(node.body, fn)
            return node if body is node.body else build.query(node.form, node.outputs, body, node.types, node.span)
        case Body():
            return _rewrite_body(node, fn)
        case _:
            return _rewrite_conjunct(node, fn)


@overload
def rename(node: Query, names: Mapping[str, str]) -> Query: ...
@overload
def rename(node: Body, names: Mapping[str, str]) -> Body: ...
@overload
def rename(node: Conjunct, names: Mapping[str, str]) -> Conjunct: ...
def rename(node: Query | Body | Conjunct, names: Mapping[str, str]) -> Query | Body | Conjunct:
    """The node with variables renamed, all at once (``{"x": "y", "y": "x"}`` swaps); names not mentioned stay.

    Parts without a renamed variable stay the same object. Two variables that get one name become one variable:
    whether that is sound is the caller's to know.
    """
    renamer = _Renamer(names)
    match node:
        case Query(form, outputs, body, types):
            new_outputs, new_body = renamer.variables(outputs), renamer.body(body)
            new_types = tuple(sorted({names.get(name, name): type_ for name, type_ in types}.items(), key=_first))
            if new_outputs is outputs and new_body is body and new_types == types:
                return node
            return Query(form, new_outputs, new_body, new_types, node.span)
        case Body():
            return renamer.body(node)
        case _:
            return renamer.conjunct(node)


def with_bodies(conjunct: Conjunct, new: tuple[Body, ...]) -> Conjunct:
    """The conjunct with other bodies in place of those that :func:`bodies` gives, in that order; nothing is folded."""
    if not new and not isinstance(conjunct, Union):
        return conjunct
    match conjunct:
        case Not():
            return Not(new[0], conjunct.apart, conjunct.span)
        case Union():
            return Union(new, conjunct.span)
        case Project(outputs):
            return Project(outputs, new[0], conjunct.span)
        case Count(result, of, _, group):
            return Count(result, of, new[0], group, conjunct.span)
        case Extreme(direction, item, key, _, kind):
            return Extreme(direction, item, key, new[0], kind, conjunct.span)
        case TopK(direction, k, item, key, _, kind):
            return TopK(direction, k, item, key, new[0], kind, conjunct.span)
        case LeftJoin() | Aggregate() | Slice():
            return replace(conjunct, body=new[0])
        case _:
            return conjunct


def rebuilt(conjunct: Conjunct, new: tuple[Body, ...]) -> Body:
    """The conjunct with other bodies in place of those that :func:`bodies` gives, in that order, as the constructors of
    :mod:`pylf.ir.build` make it: so it may become other conjuncts, or none."""
    from pylf.ir import build

    match conjunct:
        case Not():
            return build.negate(new[0], conjunct.span, conjunct.apart)
        case Union():
            return build.union(new, conjunct.span)
        case Project(outputs):
            return build.project(outputs, new[0], conjunct.span)
        case Count(result, of, _, group):
            return build.count(result, of, new[0], group, conjunct.span)
        case Extreme(direction, item, key, _, kind):
            return build.extreme(direction, item, key, new[0], kind, conjunct.span)
        case TopK(direction, k, item, key, _, kind):
            return build.top_k(direction, k, item, key, new[0], kind, conjunct.span)
        case LeftJoin(body):
            return build.left_join(new[0], conjunct.span, body)
        case Aggregate(reductions, _, group):
            return build.aggregate(reductions, new[0], group, conjunct.span)
        case Slice(outputs, _, order, limit, offset, distinct):
            return build.slice_(outputs, new[0], order, limit, offset, distinct, conjunct.span)
        case _:
            return Body((conjunct,))


def with_terms(atom: Conjunct, term: Callable[[Term], Term]) -> Conjunct:
    """The atom with what ``term`` gives for each of its terms; nothing is folded, and a conjunct that is no atom stays.

    Raises:
        TypeError: no variable is given for the value of a confidence or the result of an extension.
    """
    span = atom.span
    match atom:
        case Triple(subject, predicate, object_):
            return Triple(term(subject), term(predicate), term(object_), span)
        case InstanceOf(one, classes):
            return InstanceOf(term(one), classes, span)
        case Compare(op, left, right, kind):
            return Compare(op, term(left), term(right), kind, span)
        case Member(one, values):
            return Member(term(one), values, span)
        case Confidence(subject, predicate, object_, value):
            new = term(value)
            if not isinstance(new, Var):
                raise TypeError(f"a confidence is a variable, and {new} is none")
            return Confidence(term(subject), term(predicate), term(object_), new, span)
        case Path(nodes, relations, forward):
            return Path(tuple(map(term, nodes)), tuple(map(term, relations)), forward, span)
        case Closure(subject, relation, object_, minimum):
            return Closure(term(subject), relation, term(object_), minimum, span)
        case Condition(expression):
            return Condition(with_terms_in(expression, term), span)
        case Extend(result, expression):
            new = term(result)
            if not isinstance(new, Var):
                raise TypeError(f"the result of an extension is a variable, and {new} is none")
            return Extend(new, with_terms_in(expression, term), span)
        case _:
            return atom


@overload
def with_span(node: Body, span: Span | None) -> Body: ...
@overload
def with_span(node: Conjunct, span: Span | None) -> Conjunct: ...
def with_span(node: Body | Conjunct, span: Span | None) -> Body | Conjunct:
    """The node with ``span`` on every conjunct in it, at any depth, that has none."""
    if span is None:
        return node
    if isinstance(node, Body):
        conjuncts = tuple(with_span(conjunct, span) for conjunct in node.conjuncts)
        return node if _same(conjuncts, node.conjuncts) else Body(conjuncts)
    inner = bodies(node)
    new = tuple(with_span(body, span) for body in inner)
    if not _same(new, inner):
        node = with_bodies(node, new)
    return node if node.span is not None else replace(node, span=span)


def _rewrite_body(body: Body, fn: Rewriter) -> Body:
    from pylf.ir import build

    parts = tuple(_rewrite_conjunct(conjunct, fn) for conjunct in body.conjuncts)
    node = fn(body if _same(parts, body.conjuncts) else build.join(*parts))
    if not isinstance(node, Body):
        raise TypeError(f"a body can only be rewritten into a body, not into {type(node).__name__}")
    return node


def _rewrite_conjunct(conjunct: Conjunct, fn: Rewriter) -> Body | Conjunct:
    inner = bodies(conjunct)
    if inner:
        new = tuple(_rewrite_body(body, fn) for body in inner)
        if not _same(new, inner):
            folded = rebuilt(conjunct, new)
            # an identity has turned the node into something else: what it left has been rewritten already
            if len(folded.conjuncts) != 1 or type(folded.conjuncts[0]) is not type(conjunct):
                return with_span(folded, conjunct.span)
            conjunct = folded.conjuncts[0]
    node = fn(conjunct)
    return node if node is conjunct else with_span(node, conjunct.span)


class _Renamer:
    __slots__ = ("_new",)

    def __init__(self, names: Mapping[str, str]) -> None:
        self._new = {old: Var(new) for old, new in names.items() if old != new}

    def variable(self, variable: Var) -> Var:
        return self._new.get(variable.name, variable)

    def variables(self, variables: tuple[Var, ...]) -> tuple[Var, ...]:
        new = tuple(self._new.get(v.name, v) for v in variables)
        return variables if _same(new, variables) else new

    def term(self, term: Term) -> Term:
        return self._new.get(term.name, term) if type(term) is Var else term

    def body(self, body: Body) -> Body:
        new = tuple(self.conjunct(conjunct) for conjunct in body.conjuncts)
        return body if _same(new, body.conjuncts) else Body(new)

    def conjunct(self, node: Conjunct) -> Conjunct:
        inner = bodies(node)
        if inner:
            new = tuple(self.body(body) for body in inner)
            if not _same(new, inner):
                node = with_bodies(node, new)
        if not any(type(term) is Var and term.name in self._new for term in terms(node)):
            return node
        return self._renamed(node)

    def _renamed(self, node: Conjunct) -> Conjunct:
        match node:
            case Project(outputs, body):
                return Project(self.variables(outputs), body, node.span)
            case Count(result, of, body, group):
                return Count(self.variable(result), self.variable(of), body, self.variables(group), node.span)
            case Extreme(direction, item, key, body, kind):
                return Extreme(direction, self.variable(item), self.variable(key), body, kind, node.span)
            case TopK(direction, k, item, key, body, kind):
                return TopK(direction, k, self.variable(item), self.variable(key), body, kind, node.span)
            case Aggregate(reductions, body, group):
                return Aggregate(tuple(map(self.reduction, reductions)), body, self.variables(group), node.span)
            case Slice(outputs, _, order):
                keys = tuple(Order(self.expression(key.expression), key.descending) for key in order)
                return replace(node, outputs=self.variables(outputs), order=keys)
            case _:
                return with_terms(node, self.term)

    def reduction(self, reduction: Reduction) -> Reduction:
        of = reduction.of
        return replace(
            reduction, result=self.variable(reduction.result), of=None if of is None else self.expression(of)
        )

    def expression(self, expression: Expression) -> Expression:
        return with_terms_in(expression, self.term)


def _same(new: tuple[object, ...], old: tuple[object, ...]) -> bool:
    """The same objects in the same places."""
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))


def _first(pair: tuple[str, object]) -> str:
    return pair[0]
