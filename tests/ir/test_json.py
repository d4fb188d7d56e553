"""The IR as plain data: back the same, and strict about what it is given."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.errors import InputError, InvalidIR, PylfError, Span
from pylf.ir.json import from_json, to_json
from pylf.ir.nodes import Body, Form, Query
from pylf.ir.text import parse_query
from pylf.ir.traverse import walk
from pylf.ir.types import ENTITY, RowType, SubgraphType
from pylf.testing.ir_strategies import queries

ROCKETS = parse_query(
    """\
set ?x
where
  ?x a <http://rockets.example/Rocket>
  ?x <http://rockets.example/mass> ?m
  ?m < "2320"^^<http://www.w3.org/2001/XMLSchema#integer> by number
  ?x <http://rockets.example/name> "Delta"@en
  not
    ?x <http://rockets.example/made_by> <http://rockets.example/Boeing>
"""
)


def damaged(path: tuple[Any, ...], value: object) -> dict[str, Any]:
    """The rockets with one value replaced; ``...`` deletes it."""
    data = json.loads(json.dumps(to_json(ROCKETS)))
    at = data
    for step in path[:-1]:
        at = at[step]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return data


@settings(max_examples=40)
@given(queries())
def test_what_is_written_reads_back_the_same(query: Query) -> None:
    data = to_json(query)
    assert from_json(data) == query
    assert from_json(json.loads(json.dumps(data))) == query


def test_the_form_is_the_documented_one() -> None:
    query = parse_query('set ?x\nwhere\n  ?x <http://x/made_by> "Delta"@en\n')
    assert to_json(query) == {
        "version": 1,
        "form": "set",
        "outputs": ["x"],
        "types": {"x": {"type": "entity"}},
        "body": [
            {
                "node": "triple",
                "subject": {"var": "x"},
                "predicate": {"iri": "http://x/made_by"},
                "object": {"literal": "Delta", "language": "en"},
                "span": [15, 47],
            }
        ],
        "span": [0, 6],
    }


def test_spans_are_kept() -> None:
    again = from_json(to_json(ROCKETS))
    assert again.span == Span(0, 6)
    assert [node.span for node in walk(again)] == [node.span for node in walk(ROCKETS)]


def test_types_of_results_read_back_the_same() -> None:
    query = Query(Form.BOOLEAN, (), Body(), (("x", RowType((ENTITY, SubgraphType()))),))
    assert from_json(to_json(query), check=False) == query


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("version",), 2, "version 2 is not known"),
        (("version",), True, "version true is not known"),
        (("version",), ..., "at the query: 'version' is missing"),
        (("form",), "sets", "at form: 'sets' is not one of set, number"),
        (("outputs",), "x", "at outputs: a list should stand here, not 'x'"),
        (("outputs", 0), 5, "at outputs[0]: a string should stand here, not 5"),
        (("types",), [], "at types: an object should stand here, not a list"),
        (("types", "x"), {"type": "thing"}, "at types.x: 'thing' is not a type"),
        (("types", "x"), {"type": "entity", "unions": [[1]]}, "at types.x.unions[0][0]: a string"),
        (("types", "m"), {"type": "literal", "datatype": []}, "at types.m.datatype: a string"),
        (("body",), {}, "at body: a list should stand here, not an object"),
        (("body", 0), None, "at body[0]: an object should stand here, not null"),
        (("body", 0, "node"), "query", "at body[0]: 'query' is not a node; the nodes are triple"),
        (("body", 0, "classes"), [{"iri": "x"}], "at body[0].classes[0]: a string should stand here, not an object"),
        (("body", 0, "more"), 1, "at body[0]: 'more' is not known here"),
        (("body", 1, "object"), ..., "at body[1]: 'object' is missing"),
        (("body", 1, "object"), {"blank": "b0"}, "at body[1].object: a term has a 'var', an 'iri' or a 'literal'"),
        (("body", 1, "object"), {"var": "m", "iri": "x"}, "at body[1].object: 'iri' is not known here"),
        (("body", 2, "op"), "<>", "at body[2].op: '<>' is not one of <, <=, >"),
        (("body", 2, "kind"), None, "at body[2].kind: null is not one of number"),
        (("body", 4, "body", 0, "subject"), "?x", "at body[4].body[0].subject: an object should stand here"),
        (("body", 4, "span"), [1], "at body[4].span: a span has a start and an end"),
        (("body", 4, "span"), [1, 2.5], "at body[4].span: a whole number"),
        (("extra",), 1, "at the query: 'extra' is not known here"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(path: tuple[Any, ...], value: object, message: str) -> None:
    with pytest.raises(InputError) as refused:
        from_json(damaged(path, value))
    assert message in str(refused.value)


@pytest.mark.parametrize("data", [None, [], "set", 1, {}, {1: 2}, {"version": 1}])
def test_what_is_no_query_at_all_is_refused(data: object) -> None:
    with pytest.raises(InputError):
        from_json(data)


def test_unsound_ir_is_refused_unless_nothing_is_checked() -> None:
    data = damaged(("outputs", 0), "y")
    with pytest.raises(InvalidIR, match=r"nothing positive binds the output \?y"):
        from_json(data)
    assert from_json(data, check=False).outputs[0].name == "y"


def test_deep_data_is_refused_and_does_not_end_the_stack() -> None:
    body: list[object] = []
    for _ in range(5000):
        body = [{"node": "not", "body": body}]
    with pytest.raises(InputError, match="more than 100 deep"):
        from_json({"version": 1, "form": "boolean", "outputs": [], "types": {}, "body": body})
    row: dict[str, object] = {"type": "row", "columns": []}
    for _ in range(5000):
        row = {"type": "row", "columns": [row]}
    with pytest.raises(InputError, match="more than 100 deep"):
        from_json({"version": 1, "form": "boolean", "outputs": [], "types": {"x": row}, "body": []})


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**50)


@settings(max_examples=60)
@given(queries(2), st.data())
def test_damaged_data_is_a_query_or_an_error_of_ours(query: Query, data: st.DataObject) -> None:
    plain: Any = json.loads(json.dumps(to_json(query)))
    at = plain
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if isinstance(at[key], (dict, list)) and data.draw(st.booleans()):
            at = at[key]
            continue
        at[key] = data.draw(scalars | st.lists(scalars, max_size=2) | st.dictionaries(st.text(max_size=5), scalars))
        break
    try:
        from_json(plain)
    except PylfError as error:
        message = str(error)
    else:
        message = "sound"
    assert message
