"""What a graph answers, as plain data: what a set of questions keeps beside each, so that it can be seen to move.

``pylf doctor GRAPH --gold FILE`` asks such records again (:mod:`pylf.doctor.gold`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.ir.nodes import Form
from pylf.ir.terms import XSD_STRING, Iri, Literal

if TYPE_CHECKING:
    from pylf.api import CompiledQuery
    from pylf.ir.answers import Answers
    from pylf.ir.terms import Node

#: What is written beside a form so that a record can be asked again, and its answers be held against those that come.
KEPT = ("sparql", "negation", "exclude_topic", "all_different", "inner_classes", "ties", "answers", "snapshot")
#: Those of them that only a graph tells.
ASKED = ("answers", "snapshot")


def told(query: CompiledQuery, what: str) -> Any:
    """The answers of the graph that a query was compiled against, or its snapshot id.

    Raises:
        EngineError: there are no complete answers.
    """
    assert query.graph is not None
    return as_data(query.run().answers) if what == "answers" else query.graph.engine.snapshot


def as_data(answers: Answers) -> Any:
    """A list of values, each an IRI or an object with ``value`` and ``datatype`` or ``language``; a list of such lists
    for rows, with None where a variable has no value; a number; or true or false."""
    match answers.form:
        case Form.NUMBER:
            return answers.number
        case Form.BOOLEAN:
            return answers.boolean
        case Form.SET:
            return [_node(node) for node in answers.values]
    return [[None if node is None else _node(node) for node in row] for row in answers.rows]


def _node(node: Node) -> Any:
    match node:
        case Iri(value):
            return value
        case Literal(lexical, _, str(language)):
            return {"value": lexical, "language": language}
        case Literal(lexical, datatype):
            return {"value": lexical} if datatype == XSD_STRING else {"value": lexical, "datatype": datatype}
    return str(node)
