"""A graph query as the tree that hangs from its question node.

Constants (entities and plain literals) mean the same wherever they stand, so one that several edges lead to is a leaf
at each of them; what lies beyond it hangs from it once. All other nodes are unknowns, which a tree can name only once:
where they form a circle there is no such tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.frontends.graphquery.record import GraphEdge, GraphNode, GraphQuery

#: How many edges a node may be away from the question node. Published graph queries have up to four edges.
MAX_DISTANCE = 50


class Part:
    """A node in its place: the edge that leads to it from above (None at the root), and what hangs from it.

    ``inverse`` tells that the edge is walked against its direction.
    """

    __slots__ = ("above", "depth", "edge", "inverse", "node", "parts")

    def __init__(self, node: GraphNode, above: Part | None, edge: GraphEdge | None, inverse: bool) -> None:
        self.node = node
        self.above = above
        self.edge = edge
        self.inverse = inverse
        self.depth: int = 0 if above is None else above.depth + 1
        self.parts: list[Part] = []


def hang(graph: GraphQuery) -> Part:
    """The question node with all that hangs from it, edges in the order of the graph.

    Raises:
        CompileError: ``cycle`` (unknowns form a circle), ``too-deep``.
    """
    nodes = {node.nid: node for node in graph.nodes}
    beside: dict[int, list[tuple[int, int, bool]]] = {nid: [] for nid in nodes}
    for i, edge in enumerate(graph.edges):
        beside[edge.start].append((i, edge.end, False))
        beside[edge.end].append((i, edge.start, True))
    group = _groups(graph, nodes)
    walked = [False] * len(graph.edges)
    root = Part(graph.question, None, None, False)
    seen = {root.node.nid}
    entered = set() if root.node.constant else {group[root.node.nid]}
    todo = [root]
    while todo:
        part = todo.pop()
        if part.depth > MAX_DISTANCE:
            raise _refused(graph, part, "too-deep", f"a node is more than {MAX_DISTANCE} edges from the question node")
        for i, nid, inverse in beside[part.node.nid]:
            there = nodes[nid]
            if walked[i] or (part.node.constant and not there.constant and group[nid] in entered):
                continue  # in a group that was entered elsewhere the edge will be walked from its other end
            walked[i] = True
            below = Part(there, part, graph.edges[i], inverse)
            if nid in seen and not there.constant:
                message = f"node {nid} is reached in two ways: PyLF's sets are trees and cannot ask for both at once"
                raise _refused(graph, below, "cycle", message)
            part.parts.append(below)
            if nid not in seen:
                seen.add(nid)
                if not there.constant:
                    entered.add(group[nid])
                todo.append(below)
    return root


def _groups(graph: GraphQuery, nodes: Mapping[int, GraphNode]) -> dict[int, int]:
    """For every unknown, one that stands for all that hang together without a constant in between."""
    leader = {nid: nid for nid, node in nodes.items() if not node.constant}

    def find(nid: int) -> int:
        while leader[nid] != nid:
            leader[nid] = leader[leader[nid]]
            nid = leader[nid]
        return nid

    for edge in graph.edges:
        if edge.start in leader and edge.end in leader:
            leader[find(edge.start)] = find(edge.end)
    return {nid: find(nid) for nid in leader}


def _refused(graph: GraphQuery, part: Part, code: str, message: str) -> CompileError:
    span = part.node.span if part.edge is None else part.edge.span
    return CompileError((Diagnostic(code, message, span, graph.source),))
