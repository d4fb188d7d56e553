"""How answers differ from those that a gold record gives, however it writes them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pylf.ir.nodes import Form
from pylf.ir.terms import XSD_BOOLEAN, XSD_DOUBLE, XSD_INTEGER, Iri, Literal, tagged
from pylf.ir.values import identity
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from pylf.graphs import KnowledgeGraph
    from pylf.ir.answers import Answers
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

#: Where a record of an answer has the answer itself.
_VALUES = ("value", "answer_argument", "AnswerArgument", "entity", "id", "answer")
#: What a cell without value is known by.
_NO_VALUE: set[Hashable] = {None}


@record
class Moved:
    """What is expected and did not come (``gone``), and what came and is not expected (``new``), as text."""

    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gone or self.new)


def moved(answers: Answers, expected: Any, graph: KnowledgeGraph) -> Moved:
    """How the answers differ from those expected, as sets.

    An expected answer is text, a number, true or false, or an object with one of the fields ``value`` (and ``datatype``
    and ``language``) or ``answer_argument``; in a list, or alone. Text stands for an entity by its IRI, its short name
    in the vocabulary or its label, or for a literal by its spelling. Rows are held against rows where the expected
    answers are lists, else the column that differs least against them.

    Raises:
        EngineError: that depends on labels, and the graph does not tell them.
    """
    listed = expected if isinstance(expected, list) else [expected]
    match answers.form:
        case Form.BOOLEAN:
            if [_as_boolean(each) for each in listed] == [answers.boolean]:
                return Moved()
            return Moved(_texts(listed), (str(answers.boolean).lower(),))
        case Form.NUMBER:
            if [_as_number(each) for each in listed] == [float(answers.number or 0)]:
                return Moved()
            return Moved(_texts(listed), (str(answers.number),))
        case Form.SET:
            return _difference([(node,) for node in answers.values], [[each] for each in listed], graph)
    if listed and all(isinstance(each, list) for each in listed):
        return _difference(answers.rows, listed, graph)
    columns = zip(*answers.rows, strict=True) if answers.rows else [()]
    cells = [[(node,) for node in column if node is not None] for column in columns]
    found = [_difference(column, [[each] for each in listed], graph) for column in cells]
    return min(found, key=lambda each: len(each.gone) + len(each.new))


def _difference(rows: Sequence[tuple[Node | None, ...]], listed: list[list[Any]], graph: KnowledgeGraph) -> Moved:
    """Whether each row is expected, and each expected row is there."""
    wanted = [[_keys(cell) for cell in each] for each in listed]
    nodes = dict.fromkeys([node for row in rows for node in row if node is not None])
    keys = {node: _keys_of(node, graph.vocabulary) for node in nodes}
    found = _unmatched(rows, keys, listed, wanted)
    if found:
        for node, label in graph.labels(tuple(nodes)).items():
            keys[node].add(label)
        found = _unmatched(rows, keys, listed, wanted)
    return found


def _unmatched(
    rows: Sequence[tuple[Node | None, ...]],
    keys: Mapping[Node, set[Hashable]],
    listed: list[list[Any]],
    wanted: list[list[set[Hashable]]],
) -> Moved:
    """The rows and the expected ones that have no counterpart; a row has one where all its cells have."""
    ours = [[_NO_VALUE if node is None else keys[node] for node in row] for row in rows]
    # by the keys of the first cells, since gold sets have thousands of answers
    by_key: dict[Hashable, list[int]] = {}
    for place, cells in enumerate(ours):
        for key in cells[0] if cells else ():
            by_key.setdefault(key, []).append(place)
    matched: set[int] = set()
    gone: list[str] = []
    for each, cells in zip(listed, wanted, strict=True):
        near = {place for key in (cells[0] if cells else ()) for place in by_key.get(key, ())}
        same = {place for place in near if _meet(ours[place], cells)}
        matched |= same
        if not same:
            gone.append(", ".join(map(_text, each)))
    new = [", ".join(map(_text_of, row)) for place, row in enumerate(rows) if place not in matched]
    return Moved(tuple(dict.fromkeys(gone)), tuple(dict.fromkeys(new)))


def _meet(one: list[set[Hashable]], other: list[set[Hashable]]) -> bool:
    return len(one) == len(other) and all(mine & yours for mine, yours in zip(one, other, strict=True))


def _texts(listed: list[Any]) -> tuple[str, ...]:
    return tuple(map(_text, listed))


def _text(expected: Any) -> str:
    """An expected answer, to be read."""
    if isinstance(expected, dict):
        expected = next((expected[field] for field in _VALUES if field in expected), None)
    match expected:
        case str():
            return expected
        case None:
            return ""
    return json.dumps(expected, ensure_ascii=False)


def _text_of(node: Node | None) -> str:
    match node:
        case None:
            return ""
        case Iri(value):
            return value
        case Literal(lexical):
            return lexical
    return str(node)


def _keys(expected: Any) -> set[Hashable]:
    """What an expected answer may be known by."""
    match expected:
        case None:
            return _NO_VALUE
        case dict():
            value = next((expected[field] for field in _VALUES if field in expected), None)
            datatype, language = expected.get("datatype"), expected.get("language")
            if isinstance(value, str) and isinstance(language, str):
                return {identity(tagged(value, language))}
            if isinstance(value, str) and isinstance(datatype, str) and ":" in datatype:
                return {identity(Literal(value, datatype))}
            return set() if value is None or isinstance(value, dict) else _keys(value)
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
