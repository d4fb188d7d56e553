"""Random graph queries: their programs lower, and come back from the IR as graphs that mean the same."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.errors import CompileError
from pylf.frontends.graphquery.from_pylf import from_expression
from pylf.frontends.graphquery.json_spans import json_spans
from pylf.frontends.graphquery.reader import read
from pylf.frontends.graphquery.to_pylf import to_program
from pylf.frontends.graphquery.writer import to_json
from pylf.ir.canonical import fingerprint
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD
from pylf.ir.verify import verify
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.raise_ import raise_expression
from tests.frontends.small_freebase import schema_of

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

    from pylf.frontends.graphquery.json_spans import JsonPath
    from pylf.frontends.graphquery.record import GraphQuery
    from pylf.ir.nodes import Query

FREEBASE = load("freebase")
CLASSES = ["astronomy.planet", "astronomy.star", "astronomy.moon"]
#: from every class to every class, and values of three sorts of every class
LINKS = {(a, b): f"{a}.{b.partition('.')[2]}" for a in CLASSES for b in CLASSES}
VALUES = {"type.float": "mass", "type.datetime": "discovered", "type.int": "number"}
WRITTEN = {
    "type.float": [f"5.97e24^^{XSD}double", f"300^^{XSD}double", "4.5", "7^^type.float"],
    "type.datetime": [f"1781-03-13^^{XSD}date", f"1846^^{XSD}dateTime", f"1610-01^^{XSD}gYearMonth", "1877"],
    "type.int": [f"8^^{XSD}integer", "12"],
}
FUNCTIONS = ["none", "<", "<=", ">", ">="]
CONTEXT = Context(
    schema_of(
        [
            *(f"{a} {relation} {b}" for (a, b), relation in LINKS.items()),
            *(f"{c} {c}.{relation} {datatype}" for c in CLASSES for datatype, relation in VALUES.items()),
        ]
    ),
    FREEBASE,
)


@st.composite
def graph_queries(draw: DrawFn, circles: bool = False) -> dict[str, Any]:
    """Trees that hang from a question node, with at most one superlative, nodes in any order and under any numbers;
    ``circles`` adds an edge between nodes that are there."""
    nids = iter(draw(st.permutations(range(40))))
    nodes: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []

    def node(node_type: str, id_: str, function: str = "none") -> int:
        nid = next(nids)
        nodes.append(
            {
                "nid": nid,
                "node_type": node_type,
                "id": id_,
                "question_node": int(not nodes),
                "function": function,
            }
        )
        return nid

    def grow(nid: int, class_: str, depth: int) -> None:
        for kind in draw(st.lists(st.sampled_from(["class", "entity", "value"]), max_size=3 - depth)):
            if kind == "value":
                sort = draw(st.sampled_from(list(VALUES)))
                end = node("literal", draw(st.sampled_from(WRITTEN[sort])), draw(st.sampled_from(FUNCTIONS)))
                edges.append({"start": nid, "end": end, "relation": f"{class_}.{VALUES[sort]}"})
                continue
            other = draw(st.sampled_from(CLASSES))
            below = node(kind, other if kind == "class" else draw(st.sampled_from(["m.0c1", "m.0c2", "g.11b"])))
            link(nid, class_, below, other)
            if kind == "class" or draw(st.booleans()):
                grow(below, other, depth + 1)

    def link(nid: int, class_: str, other_nid: int, other: str) -> None:
        if draw(st.booleans()):
            edges.append({"start": nid, "end": other_nid, "relation": LINKS[class_, other]})
        else:
            edges.append({"start": other_nid, "end": nid, "relation": LINKS[other, class_]})

    class_ = draw(st.sampled_from(CLASSES))
    root = node("class", class_, draw(st.sampled_from(["none", "count"])))
    grow(root, class_, 0)
    if draw(st.booleans()):
        here, at = root, class_
        for _ in range(draw(st.integers(0, 2))):
            other = draw(st.sampled_from(CLASSES))
            below = node("class", other)
            link(here, at, below, other)
            here, at = below, other
        sort = draw(st.sampled_from(list(VALUES)))
        end = node("literal", f"0^^{XSD}int", draw(st.sampled_from(["argmax", "argmin"])))
        edges.append({"start": here, "end": end, "relation": f"{at}.{VALUES[sort]}"})
    if circles:
        ends = [(n["nid"], n["id"]) for n in nodes if n["node_type"] == "class"]
        (one, a), (two, b) = draw(st.sampled_from(ends)), draw(st.sampled_from(ends))
        edges.append({"start": one, "end": two, "relation": LINKS[a, b]})
    return {"nodes": draw(st.permutations(nodes)), "edges": draw(st.permutations(edges))}


def query_of(graph: GraphQuery, inner_classes: bool = False) -> Query:
    return lower(to_program(graph, CONTEXT.schema, FREEBASE, inner_classes), CONTEXT).query


@given(graph_queries())
@settings(max_examples=150)
def test_every_tree_comes_back(data: dict[str, Any]) -> None:
    graph = read(json.dumps(data))
    query = query_of(graph)
    verify(query)
    expression = raise_expression(query, CONTEXT.schema, FREEBASE).expression
    back = from_expression(expression, CONTEXT.schema, FREEBASE)
    again = read(to_json(back))
    assert again == back
    assert fingerprint(query_of(again)) == fingerprint(query)
    assert read(data) == graph == read(to_json(graph))


@given(graph_queries())
@settings(max_examples=100)
def test_with_inner_classes_too_but_for_orders_inside(data: dict[str, Any]) -> None:
    query = query_of(read(data), inner_classes=True)
    verify(query)
    expression = raise_expression(query, CONTEXT.schema, FREEBASE).expression
    try:
        back = from_expression(expression, CONTEXT.schema, FREEBASE, inner_classes=True)
    except CompileError as refused:
        found = refused.diagnostics[0].code
    else:
        found = "none"
        assert fingerprint(query_of(back, inner_classes=True)) == fingerprint(query)
    assert found in {"none", "no-nested-superlative"}


@given(graph_queries(circles=True))
@settings(max_examples=60)
def test_every_circle_of_unknowns_is_named(data: dict[str, Any]) -> None:
    try:
        query_of(read(data))
    except CompileError as refused:
        found = [d.code for d in refused.diagnostics]
    else:
        found = []
    # two edges between the same two parts may be joined by an entity in between, which is no circle of unknowns
    entities = any(node["node_type"] == "entity" for node in data["nodes"])
    assert found == ["cycle"] or (found == [] and entities)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(JSON)
def test_spans_of_any_json(value: Any) -> None:
    text = json.dumps(value, indent=1)
    expected = dict(spelled(value, ()))
    found = {path: text[span.start : span.end] for path, span in json_spans(text).items()}
    assert found.keys() == expected.keys()
    for path, part in expected.items():
        if isinstance(part, dict | list):
            assert found[path] in {"{", "["}
        else:
            assert json.loads(found[path]) == part


def spelled(value: Any, path: JsonPath) -> list[tuple[JsonPath, Any]]:
    found = [(path, value)] if len(path) <= 6 else []
    inner = value.items() if isinstance(value, dict) else zip(count(), value) if isinstance(value, list) else ()
    for key, part in inner:
        found += spelled(part, (*path, key))
    return found


@given(JSON, st.sampled_from(["nodes", "edges", "graph_query"]), st.integers(0, 6))
def test_anything_else_is_a_diagnostic(value: Any, key: str, choice: int) -> None:
    whole = {
        "nodes": [{"nid": 0, "node_type": "class", "id": "a.b", "question_node": 1, "function": "none"}],
        "edges": [],
    }
    fields = ["nid", "node_type", "id", "question_node", "function", "class", "friendly_name"]
    assert said(value)
    for data in ({**whole, key: value}, {**whole, "nodes": [{**whole["nodes"][0], fields[choice]: value}]}):
        assert said(data) or read(to_json(read(data))) == read(data)


def said(data: Any) -> str:
    """What is said of data that is no graph query; nothing where it is one."""
    try:
        read(json.dumps(data))
    except CompileError as refused:
        return str(refused)
    return ""
