"""Random questions of every frontend, compiled, each with graphs on which two readings of it can be told apart."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hypothesis import HealthCheck, Phase, given, settings

import pylf
from pylf.errors import CompileError
from pylf.frontends.chain import tree as chain
from pylf.frontends.chain.printer import print_chain
from pylf.frontends.path import tree as path
from pylf.frontends.path.printer import print_path
from pylf.frontends.sparql.parser import parse
from pylf.frontends.subgraph.printer import print_question
from pylf.graphs import empty_schema
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.vocabularies import load
from pylf.language.printer import print_program
from pylf.records import replace
from pylf.testing.programs import VOCABULARY, pairs, random_triples, schema
from tests.frontends.sparql_graphs import graph_for
from tests.frontends.sparql_texts import PREFIXES, TEXTS
from tests.frontends.subgraph_worlds import questions, vocabulary, worlds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
TODAY = "1990-07-01"

#: of the schema of :mod:`pylf.testing.programs`: relations that lead to entities, and to numbers
_TO_ENTITIES = ("aa", "ac", "ca", "bx", "ux", "xc")
_TO_VALUES = ("num", "val", "day")
_ENTITIES = (":e0", ":e1", ":e2", ":e3", "A", "C")


class Asked(NamedTuple):
    """A question, and graphs for it."""

    query: pylf.CompiledQuery
    graphs: tuple[MemoryGraph, ...]


def programs(seed: int, count: int) -> Iterator[Asked]:
    """Random programs; of ``count`` those that compile, which almost all do."""
    for world in pairs(seed, count):
        text = print_program(world.program)
        try:
            query = pylf.compile(text, schema=world.schema, vocabulary=VOCABULARY, today=TODAY)
        except CompileError:
            continue
        yield Asked(query, (world.graph,))


def chains(seed: int, count: int) -> Iterator[Asked]:
    """Random chains with constraints of every kind."""
    random = Random(seed)
    for _ in range(count):
        yield from _over_programs_schema(print_chain(_chain(random, 2)), "chain", random)


def paths(seed: int, count: int) -> Iterator[Asked]:
    """Random paths of every form: verified, sets, rows, with open relations."""
    random = Random(seed)
    places = (*_ENTITIES[:4], "?", "?", "?x", "?x", "?y", "?_z")
    for _ in range(count):
        nodes: list[path.Node] = []
        hops: list[path.Hop] = []
        for at in range(random.choice((2, 2, 3, 4))):
            name = random.choice(places)
            nodes.append(_variable(name) if name.startswith("?") else path.Named(name))
            if at:
                relation = random.choice((*_TO_ENTITIES, *_TO_ENTITIES, "num", "?r", "?_s"))
                over = _variable(relation) if relation.startswith("?") else path.Named(relation)
                hops.append(path.Hop(over, random.random() < 0.5))
        tree = path.PathTree(tuple(nodes), tuple(hops))
        yield from _over_programs_schema(print_path(tree), "path", random)


def subgraphs(count: int) -> Iterator[Asked]:
    """Questions for parts of uncertain graphs."""
    known = vocabulary()
    for question, world in zip(drawn(questions, count), drawn(worlds, count), strict=True):
        text = print_question(question)
        query = pylf.compile(text, source="subgraph", schema=empty_schema(), vocabulary=known, today=TODAY)
        yield Asked(query, (MemoryGraph(world.triples()),))


def sparql(graphs: int) -> Iterator[Asked]:
    """The texts of :mod:`tests.frontends.sparql_texts`, each with so many graphs made of its own patterns."""
    rdf = load("rdf")
    known = replace(rdf, prefixes={**rdf.prefixes, **PREFIXES})
    for text in TEXTS:
        query = pylf.compile(text, source="sparql", schema=empty_schema(), vocabulary=known, today=TODAY)
        tree = parse(text, "text", known.prefixes)
        yield Asked(query, tuple([graph_for(tree, Random(f"{text} {seed}")) for seed in range(graphs)]))


def drawn(strategy: SearchStrategy[T], count: int) -> list[T]:
    """So many of a strategy, the same on every run."""
    found: list[T] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(one: T) -> None:
        found.append(one)

    collect()
    return (found * count)[:count]


def _over_programs_schema(text: str, source: str, random: Random) -> Iterator[Asked]:
    known = schema()
    try:
        query = pylf.compile(text, source=source, schema=known, vocabulary=VOCABULARY, today=TODAY)
    except CompileError:
        return  # a relation that leads elsewhere
    yield Asked(query, tuple([MemoryGraph(random_triples(random)) for _ in range(2)]))


# --- trees --------------------------------------------------------------------------------------------------------


def _variable(text: str) -> path.Variable:
    """``?`` nothing, ``?x`` asked for, ``?_x`` only named."""
    name = text.removeprefix("?")
    return path.Variable(name.removeprefix("_") or None, asked=bool(name) and not name.startswith("_"))


def _chain(random: Random, depth: int) -> chain.Chain:
    start: chain.Atom | chain.Union = chain.Atom(random.choice(_ENTITIES))
    if depth and random.random() < 0.15:
        start = chain.Union((_chain(random, 0), _chain(random, 0)))
    steps: list[chain.Step] = [_hop(random) for _ in range(random.randint(0, 2))]
    for _ in range(random.choice((0, 1, 1, 2)) if depth else 0):
        steps.insert(random.randint(0, len(steps)), _constraint(random, depth))
    if depth == 2 and random.random() < 0.2:
        steps.append(random.choice((chain.Count(), chain.Exists())))
    return chain.Chain(start, tuple(steps))


def _hop(random: Random) -> chain.Hop:
    closure = random.choice((None, None, None, None, None, 0, 1))
    relation = chain.Relation(random.choice(_TO_ENTITIES), random.random() < 0.5, closure)
    return chain.Hop(relation, closure is None and random.random() < 0.2)


def _constraint(random: Random, depth: int) -> chain.Step:
    value = (chain.Relation(random.choice(_TO_VALUES)),)
    if random.random() < 0.25:
        counted = random.random() < 0.3
        by = (chain.Relation(random.choice(_TO_ENTITIES), random.random() < 0.5),) if counted else value
        return chain.Best(random.random() < 0.5, by, random.choice((None, None, 2)), counted)
    compared = chain.Atom(random.choice(("1", "2.5", "1990")), number=True)
    filters: tuple[chain.Along | chain.In | chain.Compare, ...] = (
        chain.Along(tuple([_hop(random) for _ in range(random.randint(1, 2))]), _chain(random, depth - 1)),
        chain.In(_chain(random, depth - 1)),
        chain.Compare(value, random.choice(("<", "<=", ">", ">=", "=", "!=")), compared),
    )
    chosen = random.choice(filters)
    return chain.Except(chosen) if random.random() < 0.25 else chosen
