"""Random queries over tiny graphs full of odd literals: the emitted SPARQL answers as the reference evaluator does.

Seeded, so that a failure repeats; the seed is in the assertion. PYLF_FUZZ=20 asks twenty times as many. Constants that
are matched as terms are spelled as Oxigraph stores them, since a store of values does not tell ``01`` from ``1``.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.errors import UnsupportedOperation
from pylf.ir.dates import canonical
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Direction,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    Member,
    Not,
    Op,
    Path,
    Project,
    Query,
    TopK,
    Triple,
    Union,
)
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.profiles import profile_of
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF, XSD, Iri, Literal, Var, tagged
from pylf.ir.text import print_query
from pylf.ir.traverse import variables
from pylf.ir.types import ANY, INTEGER, RELATION
from pylf.ir.verify import verify

FUZZ = int(os.environ.get("PYLF_FUZZ", "1"))
E = "http://e/"
TYPE = Iri(RDF + "type")
VOCABULARY = Vocabulary("rdf")
ENTITIES = [Iri(E + name) for name in "abcdef"]
RELATIONS = [Iri(E + name) for name in "pqr"]
VALUED = [Iri(E + name) for name in "vw"]
CLASSES = [Class(E + "C"), Class(E + "D", parents=(E + "C",)), Class(E + "F"), Class(E + "OfP", subjects_of=E + "p")]
CLASSES += [Class(E + "InV", objects_of=E + "v"), Class(E + "InP", parents=(E + "F",), objects_of=E + "p")]
ASKED = [Iri(found.iri) for found in CLASSES]


def typed(datatype: str, *forms: str) -> list[Literal]:
    return [Literal(form, XSD + datatype) for form in forms]


STORED = [
    *typed("integer", "1", "2", "0", "300", "abc", " 1", "99999999999999999999"),
    *typed("decimal", "2.5", "0.5"),
    *typed("double", "NaN", "INF", "1e"),
    *typed("gYear", "2001", "2001Z", "-0044", "12001", "0000", "1990"),
    *typed("gYearMonth", "2001-05"),
    *typed("date", "2001-05-17", "2001-05-17+02:00", "2001-02-30", "2000-12-31", "-0044-03-15", "2001-1-1"),
    *typed("dateTime", "2001-05-17T10:00:00", "2001-05-17T10:00:00.5", "2001-12-31T23:59:59", "2001-05-17T10:00:00Z"),
    *typed("boolean", "true", "false"),
    *[Literal(text) for text in ("x", "2001", "1", "")],
    *[tagged("x", "en"), tagged("x", "de"), tagged("y", "en"), Literal("zz", E + "dt")],
]
RESPELLED = [
    *typed("integer", "01"),
    *typed("decimal", "1.0", "2.50"),
    *typed("double", "1e0", "3e2", "-0"),
    *typed("float", "1", "-INF"),
    *typed("boolean", "1"),
]
LITERALS = STORED + RESPELLED
CONSTANTS = [*LITERALS, *typed("integer", "1949", "-44"), *typed("decimal", "1.5"), *typed("date", "2001-12-31")]
CONSTANTS += [*typed("gYear", "2000", "10000"), *typed("gYearMonth", "-0044-03"), Literal("1990"), ENTITIES[0]]
VARIABLE_COMPARISONS = [
    (Op.IS, Kind.ANY),
    (Op.IS, Kind.ANY),
    (Op.IS, Kind.NUMBER),
    (Op.IS, Kind.DATE),
    (Op.IS, Kind.TEXT),
    (Op.LT, Kind.NUMBER),
    (Op.NE, Kind.NUMBER),
    (Op.GE, Kind.TEXT),
    (Op.EQ, Kind.TEXT),
    (Op.LT, Kind.DATE),
    (Op.GE, Kind.DATE),
]


def random_graph(random: Random):
    entities = ENTITIES[:5]
    pool = random.sample(LITERALS, random.randint(2, 8))
    found = set()
    for _ in range(random.randint(2, 9)):
        found.add((random.choice(entities), random.choice(RELATIONS), random.choice(entities)))
    for _ in range(random.randint(1, 9)):
        found.add((random.choice(entities), random.choice(VALUED), random.choice(pool)))
    if random.random() < 0.2:
        found.add((random.choice(entities), VALUED[0], random.choice(entities)))
    if random.random() < 0.2:
        found.add((random.choice(entities), RELATIONS[0], random.choice(pool)))
    for entity in entities:
        if random.random() < 0.7:
            found.add((entity, TYPE, random.choice(ASKED[:3])))
    statements = VOCABULARY.statements
    for number in range(random.randint(0, 3)):
        node = Iri(f"{E}st{number}")
        stated = random.choice(sorted(found, key=str))
        for predicate, part in zip((statements.subject, statements.predicate, statements.object), stated, strict=True):
            found.add((node, Iri(predicate), part))
        found.add((node, Iri(statements.confidence), random.choice(typed("decimal", "0.5", "0.9"))))
    return sorted(found, key=str), pool


class Maker:
    """Makes bodies that verify: whatever they look at is bound, here or around. Variables begin with their kind:
    e(ntity), v(alue), n(umber counted), r(elation)."""

    def __init__(self, random: Random, pool: list[Literal]) -> None:
        self.random = random
        self.pool = pool
        self.made = 0

    def fresh(self, kind: str, have: list[Var]) -> Var:
        self.made += 1
        var = Var(f"{kind}{self.made}")
        have.append(var)
        return var

    def entity(self, have: list[Var]):
        known = [var for var in have if var.name[0] == "e"]
        draw = self.random.random()
        if draw < 0.3:
            return self.random.choice(ENTITIES)
        return self.random.choice(known) if known and draw < 0.65 else self.fresh("e", have)

    def closed(self, exports: list[Var], depth: int) -> Body:
        return self.body(exports, [], depth - 1)

    def bind(self, var: Var, have: list[Var], depth: int) -> list:
        """Conjuncts that bind a variable."""
        random = self.random
        kind = var.name[0]
        if kind == "n":
            of = Var(f"{random.choice('ev')}{self.made}of")
            group = [other for other in have if other.name[0] == "e"]
            if group and random.random() < 0.6:
                by = random.choice(group)
                return [Count(var, of, self.closed([by, of], depth), (by,))]
            return [Count(var, of, self.closed([of], depth))]
        nested = ["union", "project", "superlative", "superlative"] if depth > 0 else []
        if kind == "v":
            shape = random.choice(["triple", "triple", "triple", "member", "confidence", *nested])
        else:
            shape = random.choice(
                ["triple"] * 4 + ["instance"] * 2 + ["member", "path", "closure", "relation", *nested]
            )
        match shape:
            case "triple" if kind == "v":
                return [Triple(self.entity(have), random.choice(VALUED), var)]
            case "triple" if random.random() < 0.2:
                return [Triple(var, random.choice(VALUED), self.fresh("v", have))]
            case "triple":
                ends = (var, self.entity(have)) if random.random() < 0.5 else (self.entity(have), var)
                return [Triple(ends[0], random.choice(RELATIONS), ends[1])]
            case "member" if kind == "v":
                listed = [*random.sample(STORED, 2), *[literal for literal in self.pool if literal in STORED][:1]]
                if random.random() < 0.3:
                    return [Member(var, tuple(listed))]
                return [Member(var, tuple(listed)), Triple(self.entity(have), random.choice(VALUED), var)]
            case "member":
                return [Member(var, tuple(random.sample(ENTITIES, random.randint(1, 3))))]
            case "confidence":
                return [Confidence(self.entity(have), random.choice(RELATIONS), self.entity(have), var)]
            case "instance":
                return [InstanceOf(var, tuple(random.sample(ASKED, random.randint(1, 2))))]
            case "path":
                length = random.randint(1, 2)
                nodes = (var, *[self.entity(have) for _ in range(length)])
                relations = tuple(random.choice(RELATIONS) for _ in range(length))
                return [Path(nodes, relations, tuple(random.random() < 0.5 for _ in range(length)))]
            case "closure":
                if random.random() < 0.3:
                    ends = (var, random.choice(ENTITIES)) if random.random() < 0.5 else (random.choice(ENTITIES), var)
                    return [Closure(ends[0], random.choice(RELATIONS), ends[1], 0)]
                return [Closure(var, random.choice(RELATIONS), self.entity(have))]
            case "relation":
                return [Triple(var, self.fresh("r", have), self.entity(have))]
            case "union":
                seen = [other for other in have if other != var] if random.random() < 0.6 else []
                return [Union(tuple(self.body([var], list(seen), depth - 1) for _ in range(random.randint(1, 3))))]
            case "project":
                more = [self.fresh("e", have)] if random.random() < 0.4 else []
                return [Project((var, *more), self.closed([var, *more], depth))]
            case _:
                return [self.superlative(var, depth)]

    def superlative(self, item: Var, depth: int):
        random = self.random
        direction, kind = random.choice(list(Direction)), random.choice([*Kind, Kind.ANY])
        if random.random() < 0.2:
            self.made += 1
            key, of = Var(f"n{self.made}"), Var(f"e{self.made}of")
            counted = Count(key, of, self.closed([item, of], depth), (item,))
            body, kind = Body((*self.closed([item], depth).conjuncts, counted)), Kind.NUMBER
        else:
            key = self.fresh("v", [])
            body = self.closed([item, key], depth)
            if item.name[0] == "e" and random.random() < 0.7:
                body = Body((*body.conjuncts, Triple(item, random.choice(VALUED), key)))
        if random.random() < 0.3:
            return TopK(direction, random.randint(1, 3), item, key, body, kind)
        return Extreme(direction, item, key, body, kind)

    def body(self, exports: list[Var], around: list[Var], depth: int) -> Body:
        """A body that binds ``exports`` and may look at what is bound ``around``."""
        random = self.random
        have = [*around, *[var for var in exports if var not in around]]
        conjuncts = [conjunct for var in exports for conjunct in self.bind(var, have, depth)]
        for _ in range(random.randint(0, 2)):
            conjuncts += self.more(have, depth)
        random.shuffle(conjuncts)
        return Body(tuple(conjuncts))

    def more(self, have: list[Var], depth: int) -> list:
        """Another conjunct, if there is something that it can be about."""
        random = self.random
        entities = [var for var in have if var.name[0] == "e"]
        values = [var for var in have if var.name[0] == "v"]
        match random.choice(["triple", "value", "compare", "compare", "both", "not", "not", "either", "count"]):
            case "triple" if entities:
                return [Triple(random.choice(entities), random.choice(RELATIONS), self.entity(have))]
            case "value" if entities:
                return [Triple(random.choice(entities), random.choice(VALUED), self.fresh("v", have))]
            case "compare" if values:
                constant = random.choice(self.pool if random.random() < 0.5 else CONSTANTS)
                return [
                    Compare(random.choice(list(Op)), random.choice(values), constant, random.choice([*Kind, Kind.ANY]))
                ]
            case "both" if len(values) > 1:
                op, kind = random.choice(VARIABLE_COMPARISONS)
                return [Compare(op, *random.sample(values, 2), kind)]
            case "both" if len(entities) > 1:
                return [Compare(Op.IS, *random.sample(entities, 2))]
            case "not" if depth > 0:
                shared = random.choice([entities, entities, values, []])
                inner = [random.choice(shared)] if shared else []
                return [Not(self.body(inner, have, depth - 1))]
            case "either" if depth > 0 and entities:
                arms = [self.body([random.choice(entities)][: random.randint(0, 1)], have, depth - 1) for _ in "ab"]
                return [Union(tuple(arms))]
            case "count" if depth > 0:
                return self.bind(self.fresh("n", have), have, depth)
            case _:
                return []


def random_query(random: Random, pool: list[Literal], depth: int = 2) -> Query:
    maker = Maker(random, pool)
    form = random.choice([Form.SET] * 5 + [Form.NUMBER, Form.BOOLEAN, Form.ROWS])
    outputs: list[Var] = []
    match form:
        case Form.BOOLEAN:
            body = maker.body([maker.fresh("e", [])], [], depth)
        case Form.NUMBER:
            number, of = maker.fresh("n", outputs), maker.fresh(random.choice("ev"), [])
            body = Body((Count(number, of, maker.body([of], [], depth)),))
        case _:
            for _ in range(1 if form is Form.SET else 2):
                maker.fresh(random.choice("eev"), outputs)
            body = maker.body(outputs, [], depth)
    types = {"e": ANY, "v": ANY, "n": INTEGER, "r": RELATION}
    bare = Query(form, tuple(outputs), body)
    return Query(form, tuple(outputs), body, tuple(sorted((name, types[name[0]]) for name in variables(bare))))


def schema_of(triples=()) -> Schema:
    """The classes, and what the relations of some triples have as objects."""
    relations = []
    for relation in dict.fromkeys(p for _, p, _ in triples):
        objects = [o for _, p, o in triples if p == relation]
        literals = [(o.lexical, o.datatype, o.language or "", 1) for o in objects if isinstance(o, Literal)]
        profile = profile_of(literals, entities=len(objects) - len(literals))
        relations.append(Relation(relation.value, profile=profile))
    return Schema(MemorySource(relations, CLASSES, {}))


def agree(query: Query, graph, schema: Schema, engine, expected, dialect: str, level: int, seed: int) -> bool:
    """Asserts that the engine answers as the evaluator does; False where the dialect has no form for the query."""
    try:
        text = emit(query, schema, VOCABULARY, dialect, level)
    except UnsupportedOperation:
        return False
    found = engine.answers(query, text)
    message = f"seed {seed}, {dialect} {level}\n{print_query(query)}\n{text}\nexpected {expected}\nfound {found}"
    assert found.key() == expected.key(), message
    return True


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_oxigraph_agrees_with_the_evaluator(depth):
    plain = schema_of()
    full = asked = 0
    for seed in range(15 * FUZZ):
        random = Random(f"oxigraph {depth} {seed}")
        triples, pool = random_graph(random)
        engine = OxigraphEngine.memory(triples)
        stored = list(engine.triples())
        graph, known = MemoryGraph(stored), schema_of(stored)
        for _ in range(8):
            query = random_query(random, pool, depth)
            verify(query)
            expected = evaluate(query, graph, plain, VOCABULARY)
            for schema, dialect, level in ((plain, "oxigraph", 1), (known, "oxigraph", 1), (plain, "sparql11", 0)):
                asked += agree(query, graph, schema, engine, expected, dialect, level, seed)
            full += not (expected.empty or expected.number == 0 or expected.boolean is False)
    assert asked > 300 * FUZZ
    assert full > 30 * FUZZ


def test_rdflib_agrees_with_the_evaluator():
    plain = schema_of()
    asked = 0
    for seed in range(6 * FUZZ):
        random = Random(f"rdflib {seed}")
        triples, pool = random_graph(random)
        triples = [(s, p, canonical(o) if isinstance(o, Literal) else o) for s, p, o in triples]
        engine, graph = RdflibEngine.from_triples(triples), MemoryGraph(triples)
        schema = schema_of(triples) if seed % 2 else plain
        for _ in range(2):
            query = random_query(random, pool, 1 + seed % 2)
            verify(query)
            expected = evaluate(query, graph, plain, VOCABULARY)
            asked += agree(query, graph, schema, engine, expected, "rdflib", seed % 3 and 1, seed)
    assert asked > 9 * FUZZ
