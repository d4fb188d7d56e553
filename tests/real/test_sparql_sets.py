"""The gold SPARQL of real sets, read, lowered and answered. The sets are read from the shared material, and these tests
are skipped without it; docs/runs/sparql.md has the tables that scripts/sparql_coverage.py prints of them."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from pyoxigraph import QuerySolutions

import pylf
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.frontends.sparql.lower import Lowered, lower
from pylf.frontends.sparql.parser import parse
from pylf.ir.canonical import fingerprint
from pylf.ir.evaluate import evaluate
from pylf.ir.nodes import Body, Compare, Not, Op
from pylf.ir.schema.cache import load_schema
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.traverse import rewrite
from scripts.sparql_coverage import TODAY, covered, emitted_again, sets
from tests.frontends.sparql_answers import agrees, answer
from tests.frontends.sparql_graphs import graph_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.frontends.sparql import syntax
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.vocabulary import Vocabulary

HERE = Path(__file__).parent
NAMESPACE = "http://rdf.freebase.com/ns/"
NOTHING_KNOWN = Schema(MemorySource([], []))
#: how many texts each set has, and how many land in the core tier; the rest is wide, and none is refused
SETS = {
    "qald10_394": (394, 297),
    "qald10_train": (412, 341),
    "webqsp_test": (1639, 1612),
    "wwq_val": (454, 433),
    "webqsp_executable": (87, 87),
    "cwq_executable": (39, 37),
}
EXECUTABLE = ("webqsp", "cwq")
#: texts of each set that are emitted again
SAMPLE = 12
#: what has no form in SPARQL where nothing is known of the values
NO_FORM = {"max of values that may be of several kinds", "min of values that may be of several kinds"}
#: graphs for each text
GRAPHS = 2
#: of these the program compares a number of unknown kind with a bare 12 or 8, the gold query one that it casts
CASTS = {"WebQTrn-1394_75a63b2d78bab35a97e07d53149a29e0", "WebQTrn-1394_a7c91a5ecf542ed3feb4615f6d882106"}


class Gold(NamedTuple):
    """A gold query of a set, read and lowered."""

    text: syntax.Text
    lowered: Lowered
    schema: Schema
    vocabulary: Vocabulary


@pytest.fixture(scope="session")
def freebase_schema(shared: Path) -> Schema:
    """Freebase's own schema files."""
    return load_schema(shared / "data" / "fb15k237" / "schema", load("freebase"))


def gold(data: Path, name: str, freebase: Schema) -> dict[str, Gold]:
    (questions,) = [one for one in sets(data) if one.name == name]
    vocabulary = load(questions.vocabulary)
    schema = freebase if questions.vocabulary == "freebase" else NOTHING_KNOWN
    found = {}
    for key, text in questions.texts.items():
        tree = parse(text, key, vocabulary.prefixes)
        found[key] = Gold(tree, lower(tree, schema, vocabulary, today=TODAY), schema, vocabulary)
    return found


@pytest.mark.parametrize("name", SETS)
def test_every_text_comes_in(shared: Path, freebase_schema: Schema, name: str) -> None:
    (questions,) = [one for one in sets(shared / "data") if one.name == name]
    schema = freebase_schema if questions.vocabulary == "freebase" else NOTHING_KNOWN
    found = covered(questions, schema, load(questions.vocabulary))
    assert (found.total, found.core) == SETS[name]
    assert not found.refused


@pytest.mark.parametrize("name", SETS)
def test_answers_are_those_of_the_text(shared: Path, freebase_schema: Schema, name: str) -> None:
    """On random graphs made of its own patterns, with values as the schema says."""
    said_something = 0
    queries = gold(shared / "data", name, freebase_schema)
    for key, one in queries.items():
        query = one.lowered.query
        for seed in range(GRAPHS):
            schema = one.schema if one.schema.has_relations else None
            graph = graph_for(one.text, Random(f"{name} {key} {seed}"), schema)
            ours = evaluate(query, graph, one.schema, one.vocabulary)
            theirs = answer(one.text, graph, query.form, TODAY)
            assert agrees(query, ours, theirs), f"{key} on graph {seed}"
            said_something += not (theirs.empty or theirs.boolean is False or theirs.number == 0)
    assert said_something > len(queries), "the graphs show little"


@pytest.mark.parametrize("name", SETS)
def test_emitted_again_it_answers_the_same(shared: Path, freebase_schema: Schema, name: str) -> None:
    """For Oxigraph, at all levels, without a schema of the graph and with it: a sample of the texts, or all of them
    where PYLF_WHOLE_SETS is set."""
    (questions,) = [one for one in sets(shared / "data") if one.name == name]
    schema = freebase_schema if questions.vocabulary == "freebase" else NOTHING_KNOWN
    keys = list(questions.texts)
    if not os.environ.get("PYLF_WHOLE_SETS"):
        keys = Random(name).sample(keys, min(SAMPLE, len(keys)))
    again = emitted_again(questions, schema, load(questions.vocabulary), keys)
    assert not again.wrong
    for _, emitted, of, refused, _ in again.rows:
        assert emitted + sum(refused.values()) == of
        assert set(refused) <= NO_FORM


def ids(values: Iterable[object]) -> list[str]:
    return sorted(str(value).strip("<>").removeprefix(NAMESPACE) for value in values)


@pytest.mark.parametrize("questions", EXECUTABLE)
def test_the_executable_ones_answer_as_the_set_says(
    shared: Path, freebase: pylf.KnowledgeGraph, freebase_schema: Schema, questions: str
) -> None:
    """Emitted again and asked of the graph. Ties at a superlative are kept, so that an answer may be more."""
    lines = (shared / "data" / "fb15k237" / "questions" / f"{questions}_executable.jsonl").read_text(encoding="utf-8")
    expected = {entry["id"]: sorted(entry["kg_answer"]) for entry in map(json.loads, lines.splitlines())}
    queries = gold(shared / "data", f"{questions}_executable", freebase_schema)
    assert queries.keys() == expected.keys()
    engine = freebase.engine
    assert isinstance(engine, OxigraphEngine)
    for key, one in queries.items():
        sparql = emit(one.lowered.query, one.schema, one.vocabulary, "oxigraph", 1)
        solutions = engine.store.query(sparql)
        assert isinstance(solutions, QuerySolutions)
        assert ids(row[0] for row in solutions) == expected[key], key


# --- the same query as the program --------------------------------------------------------------------------------


def programs(questions: str, schema: Schema, exclude_topic: bool) -> dict[str, pylf.CompiledQuery]:
    records = tomllib.loads((HERE / questions / "PROGRAMS.toml").read_text(encoding="utf-8"))
    return {
        key: pylf.compile(
            record["program"],
            schema=schema,
            vocabulary="freebase",
            name=key,
            today="2015-08-10",
            exclude_topic=exclude_topic,
        )
        for key, record in records.items()
    }


def test_a_gold_query_of_webqsp_is_its_program(shared: Path, freebase_schema: Schema) -> None:
    """All of them, with the topic entity excluded as the gold queries have it."""
    queries = gold(shared / "data", "webqsp_executable", freebase_schema)
    for key, program in programs("webqsp", freebase_schema, exclude_topic=True).items():
        assert fingerprint(queries[key].lowered.query) == program.fingerprint, key


def test_a_gold_query_of_cwq_is_its_program_but_for_what_is_excluded(shared: Path, freebase_schema: Schema) -> None:
    """A gold query excludes one entity, or whatever its first variable is, and before it looks for the extreme; a
    program excludes all entities that it names, at the end."""
    queries = gold(shared / "data", "cwq_executable", freebase_schema)
    different = set()
    for key, program in programs("cwq", freebase_schema, exclude_topic=False).items():
        if fingerprint(without_exclusions(queries[key].lowered.query)) != program.fingerprint:
            different.add(key)
    assert different == CASTS
    excluding = programs("cwq", freebase_schema, exclude_topic=True)
    assert sum(fingerprint(queries[key].lowered.query) == one.fingerprint for key, one in excluding.items()) == 2


def without_exclusions(query: Query) -> Query:
    def dropped(node: Body | Conjunct) -> Body | Conjunct:
        match node:
            case Not(Body((Compare(Op.IS),))):
                return Body()
            case _:
                return node

    return rewrite(query, dropped)
