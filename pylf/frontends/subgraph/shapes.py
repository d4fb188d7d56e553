"""Subgraph questions as queries, once their names are known: the shapes that frontier, way, hops and floor make.

Each hop in each direction, and each reading of its confidence, is an arm of its own that starts from its nodes: engines
then begin at the nodes, not with all statements. So there are 2 + 4 + 8 arms of up to three hops either way, and twice
as many for each hop where a triple without confidence counts. What is walked again from another arm is the same triple.

A triple *without* a confidence is one that the graph holds, that has none, and whose relation says something: labels,
and what only says where a confidence is (:func:`pylf.ir.confidence.no_bookkeeping`), are none.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from pylf.frontends.subgraph.tree import Way
from pylf.ir.build import compare, instance_of, join, member, query, union
from pylf.ir.confidence import no_bookkeeping
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Body, Compare, Condition, Confidence, Extend, Form, Kind, Member, Not, Op, Triple
from pylf.ir.terms import XSD_DECIMAL, Iri, Literal, Var
from pylf.ir.types import LiteralType
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.errors import Span
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.types import Type

OUT, IN = Literal("out"), Literal("in")


@record
class Nodes:
    """Entities by what is known of them: by name, as instances of some classes, and by their label (in any of several
    languages). Of several of these, any."""

    iris: tuple[Iri, ...] = ()
    classes: tuple[Iri, ...] = ()
    labels: tuple[tuple[Literal, ...], ...] = ()


@record
class Hops:
    """What every hop has in common, as :class:`~pylf.frontends.subgraph.tree.Hop` tells it, with names known."""

    way: Way
    relations: tuple[Iri, ...] = ()
    floor: tuple[str, Literal] | None = None
    default: Literal | None = None
    weighed: bool = True


def number(text: str) -> Literal:
    """A number as written, as a decimal."""
    whole, point, part = text.partition(".")
    digits = part.rstrip("0") if point else ""
    return Literal(f"{whole.lstrip('0') or '0'}.{digits or '0'}", XSD_DECIMAL)


def around(centers: Nodes, hops: int, hop: Hops, vocabulary: Vocabulary, span: Span | None = None) -> Query:
    """The triples within so many hops of some nodes."""
    shapes = _Shapes(hop, vocabulary, span)
    ends = Var("s"), Var("o")
    arms: list[Body] = []
    for length in range(1, hops + 1):
        for kinds in product(shapes.kinds, repeat=length):
            near, far = ends if kinds[-1].ahead else ends[::-1]
            inner = range(length - 1)
            nodes = [*[shapes.fresh("n") for _ in inner], near, far]
            relations = [*[shapes.fresh("r") for _ in inner], Var("p")]
            values = [*[shapes.fresh("k") for _ in inner], Var("c")]
            walked = shapes.walk(nodes, relations, values, kinds, (Var("p"),))
            arms.append(join(shapes.among(nodes[0], centers), walked))
    outputs = (Var("s"), Var("p"), Var("o"), *((Var("c"),) if hop.weighed else ()))
    return query(Form.SUBGRAPH, outputs, union(arms, span), shapes.types, span)


def neighbours(centers: Nodes, hop: Hops, vocabulary: Vocabulary, span: Span | None = None) -> Query:
    """The nodes next to some others, with the way, the relation and the confidence."""
    shapes = _Shapes(hop, vocabulary, span)
    node, way, relation, neighbour, value = map(Var, ("node", "way", "relation", "neighbour", "confidence"))
    arms = []
    for kind in shapes.kinds:
        told = Member(way, (OUT if kind.ahead else IN,), span)
        edge = shapes.edge(node, relation, neighbour, value, kind, shown=True)
        arms.append(join(shapes.among(node, centers), told, edge))
    outputs = (node, way, relation, neighbour, *((value,) if hop.weighed else ()))
    return query(Form.ROWS, outputs, union(arms, span), {**shapes.types, "way": LiteralType(OUT.datatype)}, span)


def paths(
    starts: Nodes,
    ends: Nodes | None,
    hops: int,
    hop: Hops,
    floor: tuple[str, Literal] | None,
    simple: bool,
    vocabulary: Vocabulary,
    span: Span | None = None,
) -> Query:
    """The walks of so many hops, hop by hop, and the product of their confidences."""
    shapes = _Shapes(hop, vocabulary, span)
    steps = range(1, hops + 1)
    nodes = [Var("start"), *[Var(f"node{step}") for step in steps]]
    ways = [Var(f"way{step}") for step in steps]
    relations = [Var(f"relation{step}") for step in steps]
    values = [Var(f"confidence{step}") for step in steps]
    arms: list[Body] = []
    for kinds in product(shapes.kinds, repeat=hops):
        told = [Member(way, (OUT if kind.ahead else IN,), span) for way, kind in zip(ways, kinds, strict=True)]
        tied = shapes.among(nodes[-1], ends) if ends is not None else Body()
        walked = shapes.walk(nodes, relations, values, kinds, relations)
        arms.append(join(shapes.among(nodes[0], starts), *told, tied, walked))
    body = union(arms, span)
    if simple:
        body = join(body, *[Not(compare(Op.IS, one, other), span=span) for one, other in combinations(nodes, 2)])
    outputs = [nodes[0]]
    for step in range(hops):
        outputs += [ways[step], relations[step], nodes[step + 1], *([values[step]] if hop.weighed else [])]
    types: dict[str, Type] = {**shapes.types, **{way.name: LiteralType(OUT.datatype) for way in ways}}
    if hop.weighed:
        whole: Expression = values[0]
        for value in values[1:]:
            whole = Apply("*", (whole, value))
        result = Var("product")
        body = join(body, Extend(result, whole, span))
        if floor is not None:
            body = join(body, Condition(Apply(floor[0], (result, floor[1])), span))
        outputs.append(result)
        types["product"] = LiteralType(None)
    return query(Form.ROWS, tuple(outputs), body, types, span)


def compared(value: Var, test: tuple[str, Literal], span: Span | None = None) -> Compare:
    """A variable compared with a number."""
    return Compare(Op(test[0]), value, test[1], Kind.NUMBER, span)


def among(var: Var, nodes: Nodes, vocabulary: Vocabulary, label: Var, span: Span | None = None) -> Body:
    """A variable is one of some nodes; ``label`` is a variable for their labels."""
    arms: list[Body] = []
    if nodes.iris:
        arms.append(member(var, nodes.iris, span))
    if nodes.classes:
        arms.append(instance_of(var, nodes.classes, span))
    for texts in nodes.labels:
        arms += [
            Body((Triple(var, Iri(predicate), label, span), Member(label, texts, span)))
            for predicate in vocabulary.label_predicates
        ]
    return union(arms, span)


@record
class _Kind:
    """How one hop goes: along its edge or against it, and whether its confidence is one that is ``missing``."""

    ahead: bool
    missing: bool


class _Shapes:
    """One question on its way: its variables, and the bodies of its hops."""

    def __init__(self, hop: Hops, vocabulary: Vocabulary, span: Span | None) -> None:
        self.hop = hop
        self.vocabulary = vocabulary
        self.span = span
        ways = {Way.OUT: (True,), Way.IN: (False,), Way.EITHER: (True, False)}[hop.way]
        self.kinds = [_Kind(*kind) for kind in product(ways, (False, True) if hop.default is not None else (False,))]
        self.types: dict[str, Type] = {}
        self._made = 0

    def fresh(self, word: str) -> Var:
        self._made += 1
        return Var(f"{word}_{self._made}")

    def among(self, var: Var, nodes: Nodes) -> Body:
        return among(var, nodes, self.vocabulary, self.fresh("label"), self.span)

    def walk(
        self,
        nodes: Sequence[Var],
        relations: Sequence[Var],
        values: Sequence[Var],
        kinds: Sequence[_Kind],
        shown: Sequence[Var],
    ) -> Body:
        """The body of a walk along ``nodes``; ``shown`` are the relations that are asked for."""
        hops = zip(nodes, relations, nodes[1:], values, kinds, strict=False)
        return join(*[self.edge(*hop, shown=hop[1] in shown) for hop in hops])

    def edge(self, near: Var, relation: Var, far: Var, value: Var, kind: _Kind, shown: bool) -> Body:
        """The body of one hop."""
        hop, span = self.hop, self.span
        subject, object_ = (near, far) if kind.ahead else (far, near)
        # one relation stands for itself: every encoding can be asked about a relation that is known
        predicate = hop.relations[0] if len(hop.relations) == 1 else relation
        found: list[Conjunct] = []
        if hop.relations and (shown or predicate is relation):
            found.append(Member(relation, hop.relations, span))
        if hop.weighed and not kind.missing:
            found.append(Confidence(subject, predicate, object_, value, span))
        else:
            found.append(Triple(subject, predicate, object_, span))
            if not hop.relations:
                found += no_bookkeeping(relation, self.vocabulary, self.fresh)
        if kind.missing:
            assert hop.default is not None
            other = self.fresh("k")
            self.types[other.name] = LiteralType(None)
            found.append(Not(Body((Confidence(subject, predicate, object_, other, span),)), span=span))
            found.append(Member(value, (hop.default,), span))
        if hop.weighed:
            self.types[value.name] = LiteralType(None)
            found += [] if hop.floor is None else [compared(value, hop.floor, span)]
        return Body(tuple(found))
