"""Random chains on random small graphs mean what is read straight from them: :mod:`tests.frontends.chain_meaning`."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pylf.errors import CompileError
from pylf.frontends.chain import tree
from pylf.frontends.chain.parser import parse
from pylf.frontends.chain.printer import print_chain
from pylf.frontends.chain.to_pylf import to_program
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF, XSD_INTEGER, Iri, Literal
from pylf.language.context import Context
from pylf.language.lower import lower
from tests.frontends.chain_meaning import Graph, Meaning, Member

NS = "http://e/"
VOCABULARY = Vocabulary("meaning", prefixes={"": NS}, entity_namespace=NS, entity_pattern="e[0-9]")
THING = ((NS + "thing",),)
SCHEMA = Schema(
    MemorySource(
        [
            Relation(NS + "knows", domain=THING, range=THING),
            Relation(NS + "likes", domain=THING, range=THING),
            Relation(NS + "size", domain=THING, datatypes=(XSD_INTEGER,)),
            Relation(NS + "age", domain=THING, datatypes=(XSD_INTEGER,)),
        ],
        [Class(NS + "thing")],
        {},
    )
)
ENTITIES = tuple(f"e{n}" for n in range(6))


def random_graph(rng: Random) -> Graph:
    def pairs(others: tuple[Member, ...], count: int) -> frozenset[tuple[str, Member]]:
        return frozenset((rng.choice(ENTITIES), rng.choice(others)) for _ in range(count))

    return {
        "knows": pairs(ENTITIES, 9),
        "likes": pairs(ENTITIES, 7),
        "size": pairs((1, 2, 3), 7),
        "age": pairs((1, 2, 3), 5),
    }


def stored(graph: Graph) -> MemoryGraph:
    triples = [(Iri(NS + name), Iri(RDF + "type"), Iri(NS + "thing")) for name in ENTITIES]
    return MemoryGraph(
        [
            *triples,
            *(
                (Iri(NS + s), Iri(NS + relation), Literal(str(o), XSD_INTEGER) if isinstance(o, int) else Iri(NS + o))
                for relation, rows in graph.items()
                for s, o in rows
            ),
        ]
    )


class Chains:
    """Random chains, as text, whose positions are entities."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def question(self) -> str:
        text = self.chain(3)
        return text + self.rng.choice(("", "", "", " -> size", " [count]", " -> not likes"))

    def chain(self, depth: int) -> str:
        rng = self.rng
        steps = [self.step(depth) for _ in range(rng.choice((0, 1, 1, 2, 3) if depth > 1 else (0, 1)))]
        return " ".join((self.start(depth), *steps))

    def start(self, depth: int) -> str:
        rng = self.rng
        match rng.choice(("atom", "atom", "union", "anything", "value")):
            case "union" if depth > 1:
                return f"({self.chain(depth - 1)} | {self.chain(depth - 1)})"
            case "anything" if depth > 1:
                return f"? {self.positive(depth - 1)}"
            case "value":
                return f"{rng.choice((1, 2, 3))} -> ~{rng.choice(('size', 'age'))}"
        return rng.choice(ENTITIES)

    def relation(self) -> str:
        turned = self.rng.choice(("", "~"))
        return turned + self.rng.choice(("knows", "likes")) + self.rng.choice(("", "", "", "+", "*"))

    def hop(self) -> str:
        relation = self.relation()
        if self.rng.random() < 0.1:
            return f"-> not ({self.relation().rstrip('+*')} -> {relation.rstrip('+*')})"
        negated = "not " if self.rng.random() < 0.25 and relation[-1] not in "+*" else ""
        return f"-> {negated}{relation}"

    def path(self) -> str:
        steps = [f"-> {self.relation()}" for _ in range(self.rng.choice((0, 0, 0, 1)))]
        return " ".join((*steps, f"-> {self.rng.choice(('size', 'age'))}"))

    def positive(self, depth: int) -> str:
        """A constraint that can stand after ``?``."""
        rng = self.rng
        match rng.choice(("along", "value", "compare")):
            case "along":
                return f"[-> {self.relation().rstrip('*')} -> {self.end(depth)}]"
            case "value":
                return f"[{self.path()} -> {rng.choice((1, 2, 3))}]"
            case _:
                op = rng.choice(("<", "<=", "=", "!=", ">=", ">"))
                return f"[{self.path()} {op} {rng.choice((1, 2, 3))}]"

    def end(self, depth: int) -> str:
        return f"({self.chain(depth - 1)})" if depth > 1 and self.rng.random() < 0.4 else self.rng.choice(ENTITIES)

    def step(self, depth: int) -> str:
        rng = self.rng
        match rng.choice(("hop", "hop", "hop", "positive", "along", "in", "except", "best")):
            case "hop":
                return self.hop()
            case "positive":
                return self.positive(depth)
            case "along":
                hops = " ".join(self.hop() for _ in range(rng.choice((1, 2))))
                return f"[{hops} -> {self.end(depth)}]"
            case "in":
                return f"[{self.chain(depth - 1) if depth > 1 else 'thing'}]" if rng.random() < 0.7 else "[thing]"
            case "except":
                return f"[except {self.positive(depth)[1:]}"
            case _:
                words = rng.choice(
                    ("largest", "smallest", "largest 2", "smallest 3", "largest count", "smallest count")
                )
                return f"[{words} {self.path()}]"


class WithThings(Meaning):
    """The class ``thing`` is all entities."""

    def start(self, start: tree.Start) -> frozenset[Member]:
        if start == tree.Atom("thing"):
            return frozenset(self.entities)
        return super().start(start)


@pytest.mark.parametrize("seed", range(4))
def test_a_chain_means_what_it_says(seed: int) -> None:
    rng = Random(f"chains {seed}")
    outcomes: Counter[str] = Counter()
    for _ in range(40):
        graph = random_graph(rng)
        store = stored(graph)
        meaning = WithThings(graph, frozenset(ENTITIES))
        for _ in range(6):
            text = Chains(rng).question()
            chain = parse(text)
            assert parse(print_chain(chain)) == chain
            try:
                query = lower(to_program(chain, SCHEMA, VOCABULARY), Context(SCHEMA, VOCABULARY)).query
            except CompileError as error:
                outcomes.update(d.code for d in error.diagnostics)
                continue
            found = evaluate(query, store, SCHEMA, VOCABULARY)
            answers = (found.number,) if found.number is not None else found.values
            expected = {str(one) for one in meaning.members(chain)}
            assert {_short(one) for one in answers or ()} == expected, text
            outcomes["answered" if expected else "empty"] += 1
    assert outcomes["answered"] > 100
    assert outcomes["empty"] > 20
    assert outcomes.keys() <= {"answered", "empty", "unsafe"}


def _short(one: object) -> str:
    match one:
        case Iri(value=iri):
            return iri.removeprefix(NS)
        case Literal(lexical=lexical):
            return lexical
    return str(one)
