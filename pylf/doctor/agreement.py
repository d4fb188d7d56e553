"""Whether answers are those that a gold record gives, however it writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.ir.nodes import Form
from pylf.ir.terms import XSD_BOOLEAN, XSD_DOUBLE, XSD_INTEGER, Iri, Literal, tagged
from pylf.ir.values import identity

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from pylf.graphs import KnowledgeGraph
    from pylf.ir.answers import Answers
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

#: Where a record of an answer has the answer itself.
_VALUES = ("value", "answer_argument", "AnswerArgument", "entity", "id", "answer")


def agrees(answers: Answers, expected: Any, graph: KnowledgeGraph) -> bool:
    """Whether the answers are those expected, as sets.

    An expected answer is text, a number, true or false, or an object with one of the fields ``value`` (and ``datatype``
    and ``language``) or ``answer_argument``; in a list, or alone. Text stands for an entity by its IRI, its short name
    in the vocabulary or its label, or for a literal by its spelling.

    Raises:
        EngineError: that depends on labels, and the graph does not tell them.
    """
    listed = expected if isinstance(expected, list) else [expected]
    match answers.form:
        case Form.BOOLEAN:
            return [_as_boolean(each) for each in listed] == [answers.boolean]
        case Form.NUMBER:
            return [_as_number(each) for each in listed] == [float(answers.number or 0)]
        case Form.SET:
            return _same(answers.values, listed, graph)
    columns = zip(*answers.rows, strict=True) if answers.rows else [()]
    return any(_same([node for node in column if node is not None], listed, graph) for column in columns)


def _same(nodes: Iterable[Node], listed: list[Any], graph: KnowledgeGraph) -> bool:
    """Whether each node is expected, and each expected answer is a node."""
    wanted = [_keys(each) for each in listed]
    found = {node: _keys_of(node, graph.vocabulary) for node in nodes}
    if _matched(list(found.values()), wanted):
        return True
    labels = graph.labels(tuple(found))
    return _matched([keys | {labels[node]} if node in labels else keys for node, keys in found.items()], wanted)


def _matched(found: list[set[Hashable]], wanted: list[set[Hashable]]) -> bool:
    return all(any(keys & each for each in wanted) for keys in found) and all(
        any(keys & each for keys in found) for each in wanted
    )


def _keys(expected: Any) -> set[Hashable]:
    """What an expected answer may be known by."""
    match expected:
        case dict():
            value = next((expected[field] for field in _VALUES if field in expected), None)
            datatype, language = expected.get("datatype"), expected.get("language")
            if isinstance(value, str) and isinstance(language, str):
                return {identity(tagged(value, language))}
            if isinstance(value, str) and isinstance(datatype, str) and ":" in datatype:
                return {identity(Literal(value, datatype))}
            return _keys(value) if not isinstance(value, dict) else set()
        case bool():
            return {identity(Literal(str(expected).lower(), XSD_BOOLEAN))}
        case int():
            return {identity(Literal(str(expected), XSD_INTEGER)), str(expected)}
        case float():
            return {identity(Literal(repr(expected), XSD_DOUBLE)), repr(expected)}
        case str():
            return {expected, *([expected[1:-1]] if expected[:1] == "<" and expected[-1:] == ">" else ())}
    return set()


def _keys_of(node: Node, vocabulary: Vocabulary) -> set[Hashable]:
    """What a node may be called."""
    keys: set[Hashable] = {identity(node)}
    match node:
        case Iri(value):
            keys.add(value)
            for namespace in (vocabulary.entity_namespace, vocabulary.relation_namespace):
                if namespace and value.startswith(namespace):
                    keys.add(value.removeprefix(namespace))
            for prefix, namespace in vocabulary.prefixes.items():
                if value.startswith(namespace):
                    keys |= {f"{prefix}:{value.removeprefix(namespace)}", value.removeprefix(namespace)}
        case Literal(lexical):
            keys.add(lexical)
    return keys


def _as_boolean(given: Any) -> bool | None:
    if isinstance(given, dict):
        given = next((given[field] for field in _VALUES if field in given), None)
    match given:
        case bool():
            return given
        case str():
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(given.lower())
    return None


def _as_number(given: Any) -> float | None:
    if isinstance(given, dict):
        given = next((given[field] for field in _VALUES if field in given), None)
    try:
        return None if isinstance(given, bool | None) else float(given)
    except (TypeError, ValueError):
        return None
