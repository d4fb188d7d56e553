"""From JSON to a :class:`~pylf.frontends.graphquery.record.GraphQuery`; what is wrong with it is named by its path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pylf.errors import CompileError, Diagnostic, Source
from pylf.frontends.graphquery.json_spans import json_spans, written
from pylf.frontends.graphquery.record import (
    AGGREGATES,
    FUNCTIONS,
    NODE_TYPES,
    GraphEdge,
    GraphNode,
    GraphQuery,
)
from pylf.language.characters import check_length
from pylf.language.findings import MAX_STRING
from pylf.language.hints import listed, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.errors import Span
    from pylf.frontends.graphquery.json_spans import JsonPath

    _T = TypeVar("_T")

#: Published graph queries have up to five nodes.
MAX_NODES = 300
MAX_EDGES = 600
MAX_NID = 1_000_000_000
MAX_FINDINGS = 20

_ABSENT: Any = object()


def read(data: str | Mapping[str, object], name: str = "<graph query>") -> GraphQuery:
    """The graph query in a JSON text, or in what ``json`` made of one: an object with ``nodes`` and ``edges``, or a
    published question, whose ``graph_query`` is one. ``name`` is what messages call the text.

    Of each node ``nid``, ``node_type``, ``id``, ``question_node`` and ``function`` are asked for, of each edge
    ``start``, ``end`` and ``relation``; ``class`` and friendly names may be absent, and other keys may be there.

    Raises:
        CompileError: the text is no JSON (code ``json``); something is missing or of the wrong type (``shape``);
            ``unknown-node-type``, ``unknown-function``, ``function-place``, ``duplicate-node``, ``unknown-node`` (at
            an edge), ``literal-subject``, ``question-node`` (none, or several), ``disconnected``; ``too-large``.
    """
    if not isinstance(data, str):
        return _Reader(None, {}).graph(data)
    source = Source(data, name)
    value = _parsed(source)
    return _Reader(source, json_spans(data)).graph(value)


def _parsed(source: Source) -> object:
    check_length(source, "text")
    import json

    try:
        value: object = json.loads(source.text)
    except json.JSONDecodeError as problem:
        from pylf.errors import Span

        message = f"this is not JSON: {problem.msg[:1].lower()}{problem.msg[1:]}"
        raise CompileError((Diagnostic("json", message, Span(problem.pos, problem.pos + 1), source),)) from None
    except ValueError:  # an integer of more digits than Python reads
        raise CompileError((Diagnostic("json", "this JSON holds a number that is too long", None, source),)) from None
    except RecursionError:
        raise CompileError((Diagnostic("json", "this JSON nests too deeply", None, source),)) from None
    return value


class _Reader:
    """One graph; findings gather, so that a user sees all of them."""

    def __init__(self, source: Source | None, spans: dict[JsonPath, Span]) -> None:
        self.source = source
        self.spans = spans
        self.findings: list[Diagnostic] = []

    def graph(self, value: object) -> GraphQuery:
        path: JsonPath = ()
        top = self.mapping(value, path)
        if "nodes" not in top and "graph_query" in top:
            path = ("graph_query",)
            top = self.mapping(top["graph_query"], path)
        nodes = self.items(top, "nodes", path, MAX_NODES)
        edges = self.items(top, "edges", path, MAX_EDGES)
        self.stop()
        read_nodes = [self.node(node, (*path, "nodes", i)) for i, node in enumerate(nodes)]
        read_edges = [self.edge(edge, (*path, "edges", i)) for i, edge in enumerate(edges)]
        self.stop()
        graph = GraphQuery(
            tuple([n for n in read_nodes if n is not None]),
            tuple([e for e in read_edges if e is not None]),
            self.source,
        )
        self.check(graph, path)
        self.stop()
        return graph

    # -- the parts

    def node(self, value: object, path: JsonPath) -> GraphNode | None:
        node = self.mapping(value, path)
        nid = self.take(node, "nid", path, int, "a whole number")
        node_type = self.word(node, "node_type", path, NODE_TYPES, "node type")
        id_ = self.text(node, "id", path)
        class_ = self.text(node, "class", path, optional=True, empty=True)
        friendly = self.text(node, "friendly_name", path, optional=True, empty=True)
        question = self.flag(node, "question_node", path)
        function = self.word(node, "function", path, FUNCTIONS, "function")
        if nid is None or node_type is None or id_ is None or question is None or function is None:
            return None
        if function in AGGREGATES:
            if not question:
                self.misplaced(function, "the question node", path)
        elif function != "none" and (node_type != "literal" or question):
            self.misplaced(function, "a literal node that is not asked for", path)
        if not class_:
            class_ = id_ if node_type == "class" else ""
        span = self.spans.get((*path, "id"))
        return GraphNode(nid, node_type, id_, class_, friendly, question, function, span)

    def misplaced(self, function: str, where: str, path: JsonPath) -> None:
        self.report("function-place", (*path, "function"), f"{function!r} belongs to {where}")

    def edge(self, value: object, path: JsonPath) -> GraphEdge | None:
        edge = self.mapping(value, path)
        start = self.take(edge, "start", path, int, "a node's nid")
        end = self.take(edge, "end", path, int, "a node's nid")
        relation = self.text(edge, "relation", path)
        friendly = self.text(edge, "friendly_name", path, optional=True, empty=True)
        if start is None or end is None or relation is None:
            return None
        return GraphEdge(start, end, relation, friendly, self.spans.get((*path, "relation")))

    def check(self, graph: GraphQuery, path: JsonPath) -> None:
        """That the parts make one graph with one question node."""
        by_nid: dict[int, GraphNode] = {}
        for i, node in enumerate(graph.nodes):
            if node.nid in by_nid:
                self.report("duplicate-node", (*path, "nodes", i, "nid"), f"the nid {node.nid} is another node's too")
            by_nid.setdefault(node.nid, node)
        asked = [i for i, node in enumerate(graph.nodes) if node.question_node]
        if not asked:
            message = "no node is the question node"
            self.report("question-node", (*path, "nodes"), message, "one node has 'question_node': 1")
        for i in asked[1:]:
            message = "there is a question node already; a graph query has one"
            self.report("question-node", (*path, "nodes", i, "question_node"), message)
        for i, edge in enumerate(graph.edges):
            for end, nid in (("start", edge.start), ("end", edge.end)):
                if nid not in by_nid:
                    self.report("unknown-node", (*path, "edges", i, end), f"no node has the nid {nid}")
            start = by_nid.get(edge.start)
            if start is not None and start.node_type == "literal":
                message = f"a relation leads from a literal ({shown(start.id)}); literals are at its end alone"
                self.report("literal-subject", (*path, "edges", i, "start"), message)
        self.stop()
        reached = _reached(graph, graph.question.nid)
        apart = [i for i, node in enumerate(graph.nodes) if node.nid not in reached]
        if apart:
            nids = listed([str(graph.nodes[i].nid) for i in apart[:5]])
            message = f"no edges lead from the question node to node{'s' if len(apart) > 1 else ''} {nids}"
            self.report("disconnected", (*path, "nodes", apart[0]), message)

    # -- values

    def mapping(self, value: object, path: JsonPath) -> Mapping[str, object]:
        from collections.abc import Mapping

        if isinstance(value, Mapping):
            return value
        self.report("shape", path, f"an object belongs here, not {_kind(value)}")
        self.stop()
        raise AssertionError("what was reported is raised")

    def items(self, top: Mapping[str, object], key: str, path: JsonPath, most: int) -> list[object]:
        value = top.get(key, _ABSENT)
        path = (*path, key)
        if value is _ABSENT:
            self.report("shape", path[:-1], f"the graph has no {key!r}")
        elif not isinstance(value, list):
            self.report("shape", path, f"a list belongs here, not {_kind(value)}")
        elif len(value) > most:
            self.report("too-large", path, f"there are {len(value):,} {key}; {most} are the most that is read")
        else:
            return value
        return []

    def take(self, record: Mapping[str, object], key: str, path: JsonPath, type_: type[_T], what: str) -> _T | None:
        value = record.get(key, _ABSENT)
        if value is _ABSENT:
            self.report("shape", path, f"{key!r} is missing")
        elif not isinstance(value, type_) or isinstance(value, bool):
            self.report("shape", (*path, key), f"{what} belongs here, not {_kind(value)}")
        elif isinstance(value, int) and abs(value) > MAX_NID:
            self.report("too-large", (*path, key), f"this number is larger than {MAX_NID:,}")
        else:
            return value
        return None

    def flag(self, record: Mapping[str, object], key: str, path: JsonPath) -> bool | None:
        value = record.get(key, _ABSENT)
        if value is _ABSENT:
            self.report("shape", path, f"{key!r} is missing")
        elif not isinstance(value, int) or value not in (0, 1):
            self.report("shape", (*path, key), f"0 or 1 belongs here, not {_kind(value)}")
        else:
            return bool(value)
        return None

    def text(
        self, record: Mapping[str, object], key: str, path: JsonPath, *, optional: bool = False, empty: bool = False
    ) -> str | None:
        if optional and record.get(key) is None:
            return None
        value = self.take(record, key, path, str, "text")
        if value is None:
            return None
        problem = None
        if not (value or empty):
            problem = "shape", "text belongs here, and it is empty"
        elif max(map(len, _parts(value) if key == "id" else (value,))) > MAX_STRING:
            problem = "too-large", f"this text has more than {MAX_STRING:,} characters"
        elif any("\ud800" <= c <= "\udfff" for c in value):
            problem = "shape", "this text holds half of a surrogate pair, which is no character"
        if problem is None:
            return value
        self.report(problem[0], (*path, key), problem[1])
        return None

    def word(
        self, record: Mapping[str, object], key: str, path: JsonPath, words: tuple[str, ...], what: str
    ) -> str | None:
        value = self.take(record, key, path, str, "text")
        if value is None or value in words:
            return value
        code = "unknown-" + what.replace(" ", "-")
        self.report(code, (*path, key), f"there is no {what} {shown(value)}", f"there are {listed(map(repr, words))}")
        return None

    # -- findings

    def report(self, code: str, path: JsonPath, message: str, *hints: str) -> None:
        span = self.spans.get(path)
        place = written(path)
        self.findings.append(
            Diagnostic(code, f"{place}: {message}" if place else message, span, self.source, hints=hints)
        )
        if len(self.findings) >= MAX_FINDINGS:
            self.stop()

    def stop(self) -> None:
        if self.findings:
            raise CompileError(self.findings)


def _reached(graph: GraphQuery, start: int) -> set[int]:
    """The nids of the nodes that hang together with one."""
    beside: dict[int, list[int]] = {}
    for edge in graph.edges:
        beside.setdefault(edge.start, []).append(edge.end)
        beside.setdefault(edge.end, []).append(edge.start)
    seen = {start}
    todo = [start]
    while todo:
        for nid in beside.get(todo.pop(), ()):
            if nid not in seen:
                seen.add(nid)
                todo.append(nid)
    return seen


def _parts(id_: str) -> tuple[str, ...]:
    """What is before the datatype or the language of a literal's id, and these: each may be as long as a text."""
    before, mark, note = id_.rpartition("^^" if "^^" in id_ else "@")
    return (before, note) if mark else (id_,)


def _kind(value: object) -> str:
    """A JSON value in words."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return f"the text {shown(value)}"
        case int() | float():
            return f"the number {shown(repr(value)[:50])[1:-1]}" if abs(value) < 1e50 else "a number"
        case list():
            return "a list"
        case dict():
            return "an object"
    return f"a {type(value).__name__}"
