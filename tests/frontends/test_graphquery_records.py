"""The graph queries of 1,000 GrailQA records beside their s-expressions: read from the shared material, never shipped.

Compared as IR, up to renaming of variables and order. Where a reading differs on purpose, the count stands here.
"""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from pylf.errors import CompileError
from pylf.frontends.graphquery.from_pylf import from_expression
from pylf.frontends.graphquery.reader import read
from pylf.frontends.graphquery.to_pylf import to_program
from pylf.frontends.graphquery.writer import to_json
from pylf.frontends.sexpr import parser as sexpr
from pylf.frontends.sexpr import to_pylf as of_sexpr
from pylf.ir.canonical import fingerprint
from pylf.ir.schema.freebase import read_freebase
from pylf.ir.schema.vocabularies import load
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.raise_ import raise_expression

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.frontends.graphquery.record import GraphQuery
    from pylf.ir.schema.model import Schema
    from pylf.language.syntax import Program

FREEBASE = load("freebase")


@pytest.fixture(scope="module")
def schema(shared: Path) -> Schema:
    return read_freebase(shared / "data/fb15k237/schema", FREEBASE)[0]


@pytest.fixture(scope="module")
def records(shared: Path) -> list[dict[str, Any]]:
    with gzip.open(shared / "data/logical_forms/grailqa_1000.jsonl.gz", "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def meaning(program: Program, schema: Schema) -> str:
    return fingerprint(lower(program, Context(schema, FREEBASE)).query)


def of_graph(graph: GraphQuery, schema: Schema, inner_classes: bool = False) -> str:
    return meaning(to_program(graph, schema, FREEBASE, inner_classes), schema)


def test_every_record_is_read_and_written_as_it_stands(records: list[dict[str, Any]]) -> None:
    assert len(records) == 1_000
    for record in records:
        graph = read(record["graph_query"])
        assert to_json(graph) == record["graph_query"]
        assert read(json.dumps(record)) == graph


def test_graph_query_and_s_expression_of_every_record_mean_the_same(
    records: list[dict[str, Any]], schema: Schema
) -> None:
    differ = []
    for record in records:
        program = of_sexpr.to_program(sexpr.parse(record["s_expression"]), schema, FREEBASE)
        if of_graph(read(record["graph_query"]), schema) != meaning(program, schema):
            differ.append(record["qid"])
    assert differ == []


def test_inner_classes_make_a_difference_where_there_are_any(records: list[dict[str, Any]], schema: Schema) -> None:
    differ = 0
    for record in records:
        graph = read(record["graph_query"])
        inner = any(node.node_type == "class" and not node.question_node for node in graph.nodes)
        assert (of_graph(graph, schema) != of_graph(graph, schema, inner_classes=True)) == inner
        differ += inner
    assert differ == 254


def test_every_record_comes_back_from_the_ir(records: list[dict[str, Any]], schema: Schema) -> None:
    for record in records:
        query = lower(to_program(read(record["graph_query"]), schema, FREEBASE), Context(schema, FREEBASE)).query
        back = from_expression(raise_expression(query, schema, FREEBASE).expression, schema, FREEBASE)
        again = read(json.dumps(to_json(back)))
        assert again == back
        assert of_graph(again, schema) == fingerprint(query)


def test_with_inner_classes_all_come_back_but_orders_by_what_is_limited_on_the_way(
    records: list[dict[str, Any]], schema: Schema
) -> None:
    refused = 0
    context = Context(schema, FREEBASE)
    for record in records:
        query = lower(to_program(read(record["graph_query"]), schema, FREEBASE, True), context).query
        expression = raise_expression(query, schema, FREEBASE).expression
        try:
            back = from_expression(expression, schema, FREEBASE, inner_classes=True)
        except CompileError as problem:
            refused += problem.diagnostics[0].code == "no-nested-superlative"
            continue
        assert of_graph(back, schema, inner_classes=True) == fingerprint(query)
    assert refused == 8
