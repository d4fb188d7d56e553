"""What graph queries mean, computed from docs/forms.md alone: all ways to let the nodes of a graph query stand for
things of a graph. Shares with pylf what :mod:`tests.frontends.sexpr_meaning` does, and reads the JSON itself.

- An entity node is that entity; a literal node is met by value, or compared where its function says so.
- The class of the question node is asked for, and of a node of which nothing else is said; that of any other inner node
  is a remark. ``rdfs:Resource`` asks for nothing.
- A superlative orders the question node by what the way to the literal node leads to, and keeps all that tie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.frontends.sexpr import tree
from tests.frontends.sexpr_meaning import thing
from tests.frontends.value_meaning import Number, Value, extremes, holds, number, readings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.frontends.sexpr_meaning import Meaning, Members

ANYTHING = "rdfs:Resource"
Edge = dict[str, Any]
#: what the nodes without a constant stand for, by their numbers
Assignment = dict[int, Value]


def graph_meaning(data: Mapping[str, Any], meaning: Meaning) -> Members:
    """The answers of a graph query, as its JSON has it; of one that counts the set of the one number."""
    return _GraphMeaning(data, meaning).answers()


class _GraphMeaning:
    def __init__(self, data: Mapping[str, Any], meaning: Meaning) -> None:
        self.meaning = meaning
        self.nodes: dict[int, dict[str, Any]] = {node["nid"]: node for node in data["nodes"]}
        self.edges: list[Edge] = data["edges"]
        (self.question,) = (nid for nid, node in self.nodes.items() if node["question_node"])

    def answers(self) -> Members:
        orders = [nid for nid, node in self.nodes.items() if node["function"] in ("argmax", "argmin")]
        way = self.way(orders[0]) if orders else []
        members = self.members([edge for edge in self.edges if edge not in way])
        if orders:
            relation = tree.Path(tuple(self.steps(way)))
            among = {(member, value) for member, value in self.meaning.walk(relation) if member in members}
            members = extremes(among, self.nodes[orders[0]]["function"].upper(), self.meaning.kind(relation))
        if self.nodes[self.question]["function"] == "count":
            return frozenset((Number(float(len(members))),))
        return members

    def members(self, edges: list[Edge]) -> Members:
        """What the question node stands for in some assignment that satisfies all edges."""
        found = [{self.question: value} for value in self.candidates(edges)]
        reached, left = {self.question}, list(edges)
        while left:
            edge = next(edge for edge in left if edge["start"] in reached or edge["end"] in reached)
            left.remove(edge)
            reached |= {edge["start"], edge["end"]}
            extended = [one for assignment in found for one in self.extended(assignment, edge)]
            found = list({frozenset(assignment.items()): assignment for assignment in extended}.values())
        return frozenset(assignment[self.question] for assignment in found)

    def candidates(self, edges: list[Edge]) -> Members:
        """What the question node may stand for before any edge is looked at."""
        node = self.nodes[self.question]
        if node["node_type"] == "entity":
            return frozenset((thing(node["id"]),))
        if node["id"] != ANYTHING:
            return self.meaning.instances(node["id"])
        ends = {"start": 0, "end": 1}
        place, edge = next((place, edge) for edge in edges for place in ends if edge[place] == self.question)
        return frozenset(pair[ends[place]] for pair in self.meaning.step(tree.Word(edge["relation"])))

    def extended(self, assignment: Assignment, edge: Edge) -> list[Assignment]:
        """The assignments that agree with one and satisfy an edge as well."""
        found = []
        for near, far in self.meaning.step(tree.Word(edge["relation"])):
            ends = {edge["start"]: near, edge["end"]: far}
            if len(ends) == 1 and near != far:
                continue
            if all(assignment.get(nid, value) == value and self.fits(nid, value, edge) for nid, value in ends.items()):
                unknown = {nid: value for nid, value in ends.items() if self.nodes[nid]["node_type"] == "class"}
                found.append(assignment | unknown)
        return found

    def fits(self, nid: int, value: Value, edge: Edge) -> bool:
        """Whether a node may stand for a value at the end of an edge."""
        node = self.nodes[nid]
        match node["node_type"]:
            case "entity":
                return value == thing(node["id"])
            case "literal":
                joined = node["function"] == "none"
                kind = self.meaning.kind(tree.Word(edge["relation"]))
                constant = readings(written(node["id"]), kind, joined)
                return holds("=" if joined else node["function"], value, constant)
            case _:
                at_node = [other for other in self.edges if nid in (other["start"], other["end"])]
                asked = len(at_node) == 1 and node["id"] != ANYTHING
                return not asked or value in self.meaning.instances(node["id"])

    # -- superlatives

    def way(self, goal: int) -> list[Edge]:
        """The edges that lead from the question node to a node."""
        ways: dict[int, list[Edge]] = {self.question: []}
        while goal not in ways:
            for edge in self.edges:
                for near, far in ((edge["start"], edge["end"]), (edge["end"], edge["start"])):
                    if near in ways and far not in ways:
                        ways[far] = [*ways[near], edge]
        return ways[goal]

    def steps(self, way: list[Edge]) -> list[tree.Word | tree.Inverse]:
        steps: list[tree.Word | tree.Inverse] = []
        here = self.question
        for edge in way:
            name = tree.Word(edge["relation"])
            forward = edge["start"] == here
            steps.append(name if forward else tree.Inverse(name))
            here = edge["end"] if forward else edge["start"]
        return steps


def written(text: str) -> tree.Value:
    """The id of a literal node: ``lexical^^datatype``, ``lexical@language``, or text alone, which is a number where it
    is spelled like one, and else as if in quotes."""
    lexical, mark, datatype = text.rpartition("^^")
    if mark:
        return tree.Value(lexical, datatype)
    lexical, mark, language = text.rpartition("@")
    if mark:
        return tree.Value(lexical, None, language, quoted=True)
    return tree.Value(text, quoted=number(text) is None)
