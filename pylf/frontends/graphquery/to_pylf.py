"""From a graph query to a PyLF program that means the same: one nested expression of JOIN, AND, CMP, ARG and COUNT."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.graphquery.names import Ids
from pylf.frontends.graphquery.record import COMPARISONS, SUPERLATIVES
from pylf.frontends.graphquery.tree import hang
from pylf.frontends.wording import GRAPH_QUERIES
from pylf.language import syntax
from pylf.language.hints import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.errors import Span
    from pylf.frontends.graphquery.record import GraphQuery
    from pylf.frontends.graphquery.tree import Part
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary


def to_program(
    graph: GraphQuery, schema: Schema, vocabulary: Vocabulary, inner_classes: bool = False
) -> syntax.Program:
    """The program of one statement that a graph query means, as :mod:`pylf.frontends.graphquery` says.

    The schema tells which relations and classes are listed; names and types are checked when the program is lowered.

    Raises:
        CompileError: ``cycle``, ``too-deep``; ``unsupported-function`` (``max`` and ``min`` of values);
            ``several-superlatives``; ``inner-comparison`` and ``inner-superlative`` (a value that is compared or
            ordered by has edges of its own); ``unlimited`` (nothing is said of a node); ``entity-id``,
            ``illegal-iri``, ``unknown-datatype``; ``type-mismatch`` (text that cannot be read as what the relation's
            values are).
    """
    return _Translation(graph, Ids(schema, vocabulary, graph.source), inner_classes).program()


class _Translation:
    def __init__(self, graph: GraphQuery, ids: Ids, inner_classes: bool) -> None:
        self.graph = graph
        self.ids = ids
        self.inner_classes = inner_classes

    def program(self) -> syntax.Program:
        question = self.graph.question
        if question.function in ("max", "min"):
            self.refuse(
                "unsupported-function",
                f"{question.function!r} at node {question.nid} asks for the extreme one of the values themselves, "
                "which PyLF has no form for",
                question.span,
                f"'arg{question.function}' on a literal node asks for what has the extreme value",
            )
        root = hang(self.graph)
        ordered = [part for part in _walk(root) if part.node.function in SUPERLATIVES]
        if len(ordered) > 1:
            nids = listed([str(part.node.nid) for part in ordered[:5]])
            message = f"nodes {nids} are superlatives, and the graph does not say which comes first"
            self.refuse("several-superlatives", message, ordered[1].node.span)
        expression = self.superlative(root, ordered[0]) if ordered else self.members(root)
        if question.function == "count":
            expression = syntax.CountOf(expression, question.span)
        stop = syntax.Stop(expression, expression.span)
        answer = syntax.Assignment("expression", stop, expression.span)
        return syntax.Program((answer,), source=self.graph.source, wording=GRAPH_QUERIES)

    # -- sets

    def members(self, part: Part, beyond: Part | None = None) -> syntax.Expression:
        """What a node may stand for, whatever a part beyond it says."""
        return self.together(self.own(part, beyond), part)

    def own(self, part: Part, beyond: Part | None = None) -> list[syntax.Expression]:
        """What is said of a node: by itself, and by the parts that hang from it, but for one ``beyond``."""
        node = part.node
        said: list[syntax.Expression] = []
        match node.node_type:
            case "entity":
                said.append(self.ids.entity(node))
            case "literal":
                said.append(self.ids.literal(node, None if part.edge is None else self.name(part)))
            case _ if part.above is None or self.inner_classes or not part.parts:
                start = self.ids.class_(node)
                if start is not None:
                    said.append(start)
        said.extend(self.edge(below, beyond) for below in part.parts if below is not beyond)
        return said

    def together(self, said: list[syntax.Expression], part: Part) -> syntax.Expression:
        if not said:
            self.refuse(
                "unlimited",
                f"nothing limits what node {part.node.nid} stands for",
                part.node.span,
                "PyLF has no form for 'has some value' alone: the node needs a class, or an edge that leads on",
            )
        return said[0] if len(said) == 1 else syntax.And(tuple(said), part.node.span)

    def edge(self, part: Part, beyond: Part | None) -> syntax.Expression:
        """What the edge to a part says of the node above it."""
        if part.node.function in COMPARISONS:
            if part.parts:
                nid = part.node.nid
                message = f"node {nid} is compared and leads on: PyLF compares what is at the end of a path"
                self.refuse("inner-comparison", message, part.node.span)
            name = self.name(part)
            return syntax.Cmp(part.node.function, name, self.ids.value(part.node, name), self.span(part))
        return syntax.Join(self.name(part), self.members(part, beyond), span=self.span(part))

    # -- superlatives

    def superlative(self, root: Part, key: Part) -> syntax.Expression:
        """The question node's members, ordered by the way to ``key``."""
        if key.parts:
            message = f"node {key.node.nid} is ordered by and leads on: PyLF orders by what is at the end of a path"
            self.refuse("inner-superlative", message, key.node.span)
        way: list[Part] = []
        part = key
        while part.above is not None:
            way.insert(0, part)
            part = part.above
        if any(step.node.constant for step in way) or (self.inner_classes and self.limited(way)):
            return self.limited_way(root, way)
        # the way alone is the order's; what else is said along it stays as a limit of its own
        cut = next((below for above, below in reversed([*pairwise(way)]) if len(above.parts) > 1), way[0])
        return self.best(key, self.members(root, cut), way)

    def limited(self, way: list[Part]) -> bool:
        """Whether anything is said of what the way leads through."""
        return any(self.own(step, below) for step, below in pairwise(way))

    def limited_way(self, root: Part, way: list[Part]) -> syntax.Expression:
        """The order of what is last on the way to be limited (of those that lead back to members), and then the
        members that lead to the best of them: the same way for limit and order."""
        stops = [root, *way[:-1]]
        said = [self.own(stop, below) for stop, below in zip(stops, way, strict=True)]
        last = max(i for i, parts in enumerate(said) if parts)
        here = self.together(said[0], root)
        for i in range(1, last + 1):
            back = syntax.Join(self.name(stops[i], turned=True), here, span=self.span(stops[i]))
            here = self.together([*said[i], back], stops[i])
        best: syntax.Expression = self.best(way[-1], here, way[last:])
        for i in range(last, 0, -1):
            there = syntax.Join(self.name(stops[i]), best, span=self.span(stops[i]))
            best = self.together([*said[i - 1], there], stops[i - 1])
        return best

    def best(self, key: Part, of: syntax.Expression, way: list[Part]) -> syntax.Arg:
        names = tuple([self.name(step) for step in way])
        relation = names[0] if len(names) == 1 else syntax.RelationPath(names, self.span(key))
        return syntax.Arg(key.node.function.upper(), of, relation, span=key.node.span)

    # -- small things

    def name(self, part: Part, turned: bool = False) -> syntax.Name:
        assert part.edge is not None
        return self.ids.relation(part.edge, part.inverse is not turned)

    @staticmethod
    def span(part: Part) -> Span | None:
        return None if part.edge is None else part.edge.span

    def refuse(self, code: str, message: str, span: Span | None, *hints: str) -> NoReturn:
        raise CompileError((Diagnostic(code, message, span, self.graph.source, hints),))


def _walk(root: Part) -> Iterator[Part]:
    todo = [root]
    while todo:
        part = todo.pop()
        yield part
        todo.extend(reversed(part.parts))
