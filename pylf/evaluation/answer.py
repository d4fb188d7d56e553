"""Answers, gold and predicted: which ones a query or a question gives, and what they are called.

They are those of :mod:`pylf.datasets.formats.question`: an entity by IRI or id, a literal, a ``name`` (what somebody
calls an entity or a value: a model, a published set), yes or no, one of the choices, a blank node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.datasets.formats.question import Answer
from pylf.errors import InputError
from pylf.ir.nodes import Form
from pylf.ir.terms import XSD_BOOLEAN, XSD_INTEGER, Iri, Literal
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.datasets.formats.question import Question
    from pylf.ir.answers import Answers
    from pylf.ir.terms import Node


def shown(one: Answer) -> str:
    """What a person calls an answer."""
    return one.label or one.value


def answers_of(given: Answers, labels: Mapping[Node, str] | None = None) -> tuple[Answer, ...]:
    """What a query answered. A number and a yes or no are one answer; of rows the first column counts.

    Raises:
        InputError: the answer is a subgraph.
    """
    match given.form:
        case Form.NUMBER:
            return (Answer("literal", str(given.number), datatype=XSD_INTEGER),)
        case Form.BOOLEAN:
            return (Answer("boolean", "true" if given.boolean else "false"),)
        case Form.SUBGRAPH:
            raise InputError("a subgraph is evidence and no answer")
        case Form.SET:
            nodes = given.values
        case _:
            nodes = tuple(dict.fromkeys(row[0] for row in given.rows if row and row[0] is not None))
    return tuple([of_node(node, None if labels is None else labels.get(node)) for node in nodes])


def of_node(node: Node, label: str | None = None) -> Answer:
    """The answer that a node of a graph is."""
    match node:
        case Literal(("true" | "false" | "1" | "0") as lexical, datatype) if datatype == XSD_BOOLEAN:
            return Answer("boolean", "true" if lexical in ("true", "1") else "false")
        case Literal(lexical, datatype, language):
            return Answer("literal", lexical, None, datatype, language)
        case Iri(value):
            return Answer("entity", value, label)
        case _:
            return Answer("blank", str(node), label)


def gold_of(question: Question) -> tuple[tuple[Answer, ...] | None, tuple[tuple[Answer, ...], ...]]:
    """The gold answers of a question, and those of other readings that its set accepts. Choices are named by their
    texts too."""
    texts = {one.label: one.text for one in question.choices}

    def named(answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        return tuple(
            [
                replace(one, label=texts[one.value])
                if one.kind == "choice" and one.label is None and one.value in texts
                else one
                for one in answers
            ]
        )

    others = tuple([named(one.answers) for one in question.alternatives if one.answers is not None])
    return None if question.answers is None else named(question.answers), others
