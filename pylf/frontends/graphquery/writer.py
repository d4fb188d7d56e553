"""From a graph query to plain data in GrailQA's form, ready for ``json.dumps``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.frontends.quoting import cut

if TYPE_CHECKING:
    from pylf.frontends.graphquery.record import GraphNode, GraphQuery


def to_json(graph: GraphQuery) -> dict[str, list[dict[str, object]]]:
    """``{"nodes": […], "edges": […]}``, keys in GrailQA's order; ``read(to_json(graph)) == graph``.

    A friendly name that is not known is made from the id: ``film.film_art_director`` is ``Film art director``.
    """
    return {
        "nodes": [
            {
                "nid": node.nid,
                "node_type": node.node_type,
                "id": node.id,
                "class": node.class_,
                "friendly_name": node.friendly_name if node.friendly_name is not None else _node_name(node),
                "question_node": int(node.question_node),
                "function": node.function,
            }
            for node in graph.nodes
        ],
        "edges": [
            {
                "start": edge.start,
                "end": edge.end,
                "relation": edge.relation,
                "friendly_name": edge.friendly_name if edge.friendly_name is not None else _worded(edge.relation),
            }
            for edge in graph.edges
        ],
    }


def _node_name(node: GraphNode) -> str:
    match node.node_type:
        case "class":
            return _worded(node.id)
        case "literal":
            return cut(node.id.rpartition("^^")[0] or node.id)
    return cut(node.id)


def _worded(id_: str) -> str:
    """The last part of a name as words."""
    last = re.split(r"[.:/#]", id_.rstrip(">/#"))[-1]
    words = last.replace("_", " ").strip()
    return cut(words[:1].upper() + words[1:] or id_)
