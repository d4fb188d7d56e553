"""The canonical form of a query, and a hash of it: equal up to renaming of variables and order of conjuncts.

Also without meaning, and so not told apart: the order of a union's arms, of a membership's values and of an
instance-of's classes, the sides of ``IS``, the reductions and the groups of an aggregate, and a conjunct, arm, value or
class that stands there twice. Expressions are taken as they are written.

**How.** A query is a hypergraph. Its vertices are variables and nested bodies, its edges are conjuncts, labelled with
all that is not a vertex (:class:`_Shape`). A walk from the outputs numbers the vertices, taking the edges at each in
the order of their labels and of the numbers at them; this settles every query whose parts can be told apart within a
step, which is nearly every question. Where two edges look alike, :mod:`pylf.ir.symmetry` refines and searches. The
numbered edges, sorted, are the form that is hashed.

**What is lost.** Queries that are equal in the sense above have equal fingerprints, except where that search ends at
its bound: queries whose conjuncts form large symmetric knots (dense strongly regular graphs), not chains, stars,
trees, cliques, cycles or grids. Then equal queries may get different fingerprints. Different queries never get equal
ones but for a collision of 128 bits of BLAKE2b.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING

from pylf.ir.expressions import Apply
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
    Op,
    Path,
    Project,
    Query,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import bodies, rename, with_bodies

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct, Reduction
    from pylf.ir.terms import Term

    #: A label and the vertices at it, in their order. In a nested body the body's own vertex comes first.
    Edge = tuple[str, tuple[int, ...]]
    #: What a conjunct is once variables have numbers: label, numbers, and the same of the bodies in it.
    Key = tuple[str, tuple[int, ...], tuple[tuple["Key", ...], ...]]


def fingerprint(query: Query) -> str:
    """32 hexadecimal digits that depend on the form, the outputs and the body, not on types and spans; the same in
    every process and on every machine. The query is one that :func:`pylf.ir.verify.verify` accepts."""
    import hashlib  # 3 ms, for those alone who ask for a fingerprint

    shape = _Shape(query)
    number = _numbering(shape, {})
    edges = sorted([(label, [number[v] for v in vertices]) for label, vertices in shape.edges])
    # ascii, not repr: what repr leaves as it is depends on the interpreter's version of Unicode
    text = ascii((query.form.value, shape.fixed, edges))
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()


def canonical(query: Query) -> Query:
    """The query with variables named v0, v1, … (outputs first), and everything whose order has no meaning sorted and
    held once. Types are carried over to the new names, spans are kept.

    Queries that are equal in the sense of this module, and whose types agree, have equal canonical forms.
    """
    shape = _Shape(query)
    number = _numbering(shape, {name: repr(type_) for name, type_ in query.types})
    ranked = sorted((number[vertex], name) for name, vertex in shape.vertex.items())
    names = {name: f"v{i}" for i, (_, name) in enumerate(ranked)}
    body, _ = _ordered(rename(query.body, names), {f"v{i}": i for i in range(len(ranked))})
    types = {names[name]: type_ for name, type_ in query.types if name in names}
    return Query(
        query.form,
        tuple(Var(names[variable.name]) for variable in query.outputs),
        body,
        tuple((name, types[name]) for name in sorted(types)),
        query.span,
    )


# --- a query as a hypergraph --------------------------------------------------------------------------------------


class _Shape:
    """The hypergraph of a query. Vertices are numbers; the first ``fixed`` are the outputs."""

    __slots__ = ("_next", "count", "edges", "fixed", "vertex")

    def __init__(self, query: Query) -> None:
        self._next = itertools.count().__next__
        self.vertex: defaultdict[str, int] = defaultdict(self._next)
        for output in query.outputs:
            self.vertex[output.name]
        self.fixed = len(self.vertex)
        self.edges: dict[Edge, None] = {}
        self._body(query.body, ())
        self.count = self._next()

    def _body(self, body: Body, at: tuple[int, ...]) -> None:
        """Adds what a body holds; ``at`` is its vertex, or nothing for the outermost."""
        vertex = self.vertex
        edges = self.edges
        operators: list[Conjunct] = []
        for node in body.conjuncts:
            names: list[str] = []
            if type(node) is Triple:
                subject, predicate, object_ = node.subject, node.predicate, node.object
                if type(predicate) is Iri and type(subject) is Var and type(object_) is Var:  # the commonest, quicker
                    edges[f"a ? <{predicate.value} ?", (*at, vertex[subject.name], vertex[object_.name])] = None
                    continue
            elif isinstance(node, _OPERATORS):
                operators.append(node)
                continue
            label = _label(node, names)
            places = [vertex[name] for name in names]
            edges[label, (*at, *places)] = None
            if len(places) == 2 and isinstance(node, Compare) and node.op is Op.IS:
                edges[label, (*at, places[1], places[0])] = None  # both ways: neither side comes first
        for node in _distinct(operators) if len(operators) > 1 else operators:
            self._operator(node, at)

    def _operator(self, node: Conjunct, at: tuple[int, ...]) -> None:
        names: list[str] = []
        own = self._next()
        if isinstance(node, Aggregate):
            # an edge for each reduction and each group: which of them comes first has no meaning
            label = f"p {len(node.reductions)} {len(node.group)}"
            for variable in node.group:
                self.edges["per", (own, self.vertex[variable.name])] = None
            for one in node.reductions:
                looks: list[str] = []
                reduction = _reduction(one, looks)
                self.edges[reduction, (own, *[self.vertex[name] for name in looks])] = None
        else:
            label = _label(node, names)
        self.edges[label, (*at, own, *[self.vertex[name] for name in names])] = None
        if isinstance(node, Union):
            for arm in _distinct_bodies(node.arms):
                inner = self._next()
                self.edges["arm", (own, inner)] = None
                self._body(arm, (inner,))
        else:
            self._body(bodies(node)[0], (own,))


_OPERATORS = (Not, Union, Project, Count, Extreme, TopK, LeftJoin, Aggregate, Slice)


def _label(node: Conjunct, names: list[str]) -> str:
    """All of a conjunct but its variables and bodies, whose order it fixes: their names are added to ``names``.

    Distinct for what is distinct: IRIs hold no blanks, literals are written with their length.
    """
    match node:
        case Triple(subject, predicate, object_):
            return f"a {_code(subject, names)} {_code(predicate, names)} {_code(object_, names)}"
        case InstanceOf(term, classes):
            return " ".join(("b", _code(term, names), *sorted({c.value for c in classes})))
        case Member(term, values):
            return " ".join(("c", _code(term, names), *sorted({_code(value, names) for value in values})))
        case Confidence(subject, predicate, object_, value):
            return " ".join(("d", *(_code(term, names) for term in (subject, predicate, object_, value))))
        case Path(nodes, relations, forward):
            ways = "".join(">" if ahead else "<" for ahead in forward)
            return " ".join(("e", ways, *(_code(term, names) for term in (*nodes, *relations))))
        case Closure(subject, relation, object_, minimum):
            return f"f{minimum} {_code(subject, names)} {relation.value} {_code(object_, names)}"
        case Compare(op, left, right, kind):
            first, second = _code(left, names), _code(right, names)
            if op is Op.IS and first < second:  # variables come first: "?" sorts after IRIs and literals
                first, second = second, first
            return f"g {op.value} {kind.value} {first} {second}"
        case Project(outputs):
            names += [variable.name for variable in outputs]
            return f"h {len(outputs)}"
        case Count(result, of, _, group):
            names += (result.name, of.name, *[variable.name for variable in group])
            return f"i {len(group)}"
        case Extreme(direction, item, key, _, kind):
            names += (item.name, key.name)
            return f"j {direction.value} {kind.value}"
        case TopK(direction, k, item, key, _, kind):
            names += (item.name, key.name)
            return f"k {k} {direction.value} {kind.value}"
        case Union():
            return "l"
        case Not():
            return "m"
        case LeftJoin():
            return "n"
        case Condition(expression):
            return f"o {_expression(expression, names)}"
        case Extend(result, expression):
            names.append(result.name)
            return f"q {_expression(expression, names)}"
        case Aggregate(reductions, _, group):
            said = " ".join([_reduction(one, names) for one in reductions])
            names += [variable.name for variable in group]
            return f"p {len(reductions)} {len(group)} {said}"
        case Slice(outputs, _, order, limit, offset, distinct):
            names += [variable.name for variable in outputs]
            keys = " ".join([("-" if k.descending else "+") + _expression(k.expression, names) for k in order])
            return f"r {len(outputs)} {limit} {offset} {int(distinct)} {keys}"


def _expression(expression: Expression, names: list[str]) -> str:
    if isinstance(expression, Apply):
        inside = " ".join([_expression(argument, names) for argument in expression.arguments])
        return f"({expression.function} {len(expression.arguments)} {inside})"
    return _code(expression, names)


def _reduction(reduction: Reduction, names: list[str]) -> str:
    names.append(reduction.result.name)
    of = "*" if reduction.of is None else _expression(reduction.of, names)
    return f"[{reduction.function} {int(reduction.distinct)} {len(reduction.separator)} {reduction.separator} {of}]"


def _code(term: Term, names: list[str]) -> str:
    if isinstance(term, Var):
        names.append(term.name)
        return "?"
    if isinstance(term, Iri):
        return "<" + term.value
    return f'"{len(term.lexical)} {term.lexical} {term.datatype} {term.language or ""}'


def _distinct(nodes: Iterable[Conjunct]) -> Iterable[Conjunct]:
    """The nodes without those that say the same as an earlier one, with the same variables."""
    return {_same(node): node for node in nodes}.values()


def _distinct_bodies(arms: tuple[Body, ...]) -> Iterable[Body]:
    return {frozenset(map(_same, arm.conjuncts)): arm for arm in arms}.values()


def _same(node: Conjunct) -> Hashable:
    """Equal for conjuncts that differ in order alone."""
    if isinstance(node, Aggregate):
        reductions = sorted(node.reductions, key=lambda one: one.result.name)
        node = Aggregate(tuple(reductions), node.body, tuple(sorted(node.group, key=lambda v: v.name)))
    names: list[str] = []
    label = _label(node, names)
    if isinstance(node, Compare) and node.op is Op.IS:
        names.sort()
    inner = [frozenset(map(_same, body.conjuncts)) for body in bodies(node)]
    return (label, *names, frozenset(inner) if isinstance(node, Union) else tuple(inner))


# --- numbering ----------------------------------------------------------------------------------------------------


def _numbering(shape: _Shape, types: Mapping[str, str]) -> list[int]:
    """A number for each vertex, the same for vertices that correspond in equal queries. ``types`` of variables decide
    between numberings that give the same edges."""
    edges = list(shape.edges)
    beside: list[list[int]] = [[] for _ in range(shape.count)]
    for i, (_, vertices) in enumerate(edges):
        for vertex in vertices:
            beside[vertex].append(i)
    number = _walk(shape.count, shape.fixed, edges, beside)
    if number is None:
        from pylf.ir.symmetry import search

        given = [""] * shape.count
        for name, type_ in types.items():
            if name in shape.vertex:
                given[shape.vertex[name]] = type_
        number = search(shape.fixed, edges, beside, given)
    return number


#: Edges that a look one step further may take in: beyond it the search is quicker.
_FAR = 200


def _walk(count: int, fixed: int, edges: list[Edge], beside: list[list[int]]) -> list[int] | None:
    """Numbers the vertices breadth first from the outputs, then what hangs together with none of them; None where two
    edges look alike."""
    number = [*range(fixed), *[-1] * (count - fixed)]
    queue = list(range(fixed))
    seen = [False] * len(edges)
    at = 0
    while len(queue) < count:
        if at < len(queue):
            near: Iterable[int] = beside[queue[at]]
            at += 1
        else:
            near = range(len(edges))
        fresh = []
        for i in near:
            if not seen[i]:
                seen[i] = True
                for vertex in edges[i][1]:
                    if number[vertex] < 0:
                        fresh.append(i)
                        break
        if len(fresh) > 1:
            ordered = _apart(fresh, number, edges, beside)
            if ordered is None:
                return None
            fresh = ordered
        for i in fresh:
            for vertex in edges[i][1]:
                if number[vertex] < 0:
                    number[vertex] = len(queue)
                    queue.append(vertex)
    return number


def _apart(fresh: list[int], number: list[int], edges: list[Edge], beside: list[list[int]]) -> list[int] | None:
    """The edges in the order of what can be seen at them, or one step further where that is the same."""
    views = sorted([(_view(edges[i], number), i) for i in fresh])
    if all(a[0] != b[0] for a, b in itertools.pairwise(views)):
        return [i for _, i in views]
    beyond = [[v for v in edges[i][1] if number[v] < 0] for _, i in views]
    if sum(len(beside[v]) for ends in beyond for v in ends) > _FAR:
        return None
    further = [
        (view, [sorted([_view(edges[j], number) for j in beside[v]]) for v in ends], i)
        for (view, i), ends in zip(views, beyond, strict=True)
    ]
    further.sort()
    if all(a[:2] != b[:2] for a, b in itertools.pairwise(further)):
        return [i for _, _, i in further]
    return None


def _view(edge: Edge, number: list[int]) -> tuple[str, list[int]]:
    """An edge with the numbers at it; vertices without one count down from -1, so that equal ones show."""
    label, vertices = edge
    places = [number[v] for v in vertices]
    if places.count(-1) > 1:
        first: dict[int, int] = {}
        places = [n if n >= 0 else -1 - first.setdefault(v, len(first)) for n, v in zip(places, vertices, strict=True)]
    return label, places


# --- the canonical query ------------------------------------------------------------------------------------------


def _ordered(body: Body, rank: Mapping[str, int]) -> tuple[Body, tuple[Key, ...]]:
    """A body sorted, each conjunct once, with the key that it sorts by in a union; ``rank`` orders variables."""
    found: dict[Key, Conjunct] = {}
    for node in body.conjuncts:
        key, conjunct = _ordered_conjunct(node, rank)
        found.setdefault(key, conjunct)
    keys = tuple(sorted(found))
    return Body(tuple(found[key] for key in keys)), keys


def _ordered_conjunct(node: Conjunct, rank: Mapping[str, int]) -> tuple[Key, Conjunct]:
    inner = [_ordered(body, rank) for body in bodies(node)]
    match node:
        case Union():
            arms = {key: body for body, key in inner}
            inner = [(arms[key], key) for key in sorted(arms)]
        case InstanceOf(term, classes):
            node = InstanceOf(term, tuple(sorted(set(classes), key=lambda c: c.value)), node.span)
        case Member(term, values):
            node = Member(term, tuple(sorted(set(values), key=lambda v: _code(v, []))), node.span)
        case Compare(Op.IS, left, right, kind) if _side(right, rank) < _side(left, rank):
            node = Compare(Op.IS, right, left, kind, node.span)
        case Aggregate(reductions, body, group):
            ordered = tuple(sorted(reductions, key=lambda one: rank[one.result.name]))
            node = Aggregate(ordered, body, tuple(sorted(group, key=lambda v: rank[v.name])), node.span)
        case _:
            pass
    names: list[str] = []
    label = _label(node, names)
    key = (label, tuple(rank[name] for name in names), tuple(key for _, key in inner))
    return key, with_bodies(node, tuple(body for body, _ in inner))


def _side(term: Term, rank: Mapping[str, int]) -> tuple[int, str]:
    """Variables by rank, then constants."""
    return (rank[term.name], "") if isinstance(term, Var) else (len(rank), _code(term, []))
