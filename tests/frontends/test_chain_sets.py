"""Real questions as chains: the programs of WebQSP's and CWQ's questions, and GrailQA's s-expressions.

The programs are part of the project; the schema that they are read by, and GrailQA's records, come from the shared
material, without which these tests are skipped.
"""

from __future__ import annotations

import gzip
import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pylf.errors import CompileError
from pylf.frontends.chain import tree
from pylf.frontends.chain.from_pylf import from_expression
from pylf.frontends.chain.parser import parse
from pylf.frontends.chain.printer import print_chain
from pylf.frontends.chain.to_pylf import to_program
from pylf.frontends.sexpr import parser as sexpr_parser
from pylf.frontends.sexpr import to_pylf as sexpr_to_pylf
from pylf.ir.canonical import fingerprint
from pylf.ir.schema.freebase import read_freebase
from pylf.ir.schema.vocabularies import load
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.parser import parse as parse_program
from pylf.language.raise_ import raise_expression
from pylf.language.syntax import Stop

if TYPE_CHECKING:
    from pylf.ir.nodes import Query

REAL = Path(__file__).parents[1] / "real"
SETS = {"webqsp": 87, "cwq": 39}


@pytest.fixture(scope="module")
def context(shared: Path) -> Context:
    vocabulary = load("freebase")
    schema, _ = read_freebase(str(shared / "data" / "fb15k237" / "schema"), vocabulary)
    # a name that the schema files do not list is taken, as the graph has some that they lack
    return Context(schema, vocabulary, today="2015-08-10", lenient=True)


def came_back(query: Query, context: Context) -> tree.Chain:
    """The query's chain, whose text is the same query."""
    schema, vocabulary = context.schema, context.vocabulary
    chain = from_expression(raise_expression(query, schema, vocabulary).expression, schema, vocabulary)
    text = print_chain(chain)
    again = lower(to_program(parse(text), schema, vocabulary), context).query
    assert fingerprint(again) == fingerprint(query), text
    return chain


@pytest.mark.parametrize("questions", SETS)
def test_every_program_of_a_question_has_a_chain(context: Context, questions: str) -> None:
    programs = tomllib.loads((REAL / questions / "PROGRAMS.toml").read_text(encoding="utf-8"))
    outcomes: Counter[str] = Counter()
    for id_, record in programs.items():
        query = lower(parse_program(record["program"], id_), context).query
        chain = came_back(query, context)
        # a main chain from something named, with relations to the answers
        outcomes["walks from something named"] += isinstance(chain.start, tree.Atom) and bool(chain.hops)
        outcomes["begins with a union of walks"] += isinstance(chain.start, tree.Union)
        outcomes["all"] += 1
    assert outcomes["all"] == SETS[questions]
    assert outcomes["walks from something named"] + outcomes["begins with a union of walks"] == outcomes["all"]
    assert outcomes["begins with a union of walks"] < 5


def test_all_of_grailqa_have_chains(context: Context, shared: Path) -> None:
    schema, vocabulary = context.schema, context.vocabulary
    file = shared / "data" / "logical_forms" / "grailqa_1000.jsonl.gz"
    outcomes: Counter[str] = Counter()
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)["s_expression"]
            program = sexpr_to_pylf.to_program(sexpr_parser.parse(text), schema, vocabulary)
            query = lower(program, context).query
            try:
                chain = came_back(query, context)
                stop = program.assignments[-1].value
                assert isinstance(stop, Stop)
                direct = from_expression(stop.of, schema, vocabulary)
            except CompileError as error:
                outcomes.update(d.code for d in error.diagnostics)
                continue
            again = lower(to_program(direct, schema, vocabulary), context).query
            assert fingerprint(again) == fingerprint(query), text
            outcomes["come back"] += 1
            outcomes["walk"] += bool(chain.hops)
    assert outcomes["come back"] == 1_000
    assert outcomes.keys() == {"come back", "walk"}
