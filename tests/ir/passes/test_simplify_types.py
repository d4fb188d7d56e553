"""Memberships that follow from what stands beside them: which are dropped, and that no answer changes by it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.errors import InvalidIR
from pylf.ir.build import join
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import Body, InstanceOf, Triple, Union
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDFS, XSD, Iri, Literal, Var
from pylf.ir.text import parse_query, print_query
from pylf.ir.traverse import rewrite, walk
from pylf.ir.types import LiteralType
from pylf.ir.verify import verify
from pylf.records import replace
from pylf.testing.differential.case import Case, Refusal, understand
from pylf.testing.drawn.grounds import kept, torn
from pylf.testing.drawn.schemas import VOCABULARY as DRAWN
from pylf.testing.drawn.worlds import block
from tests.ir.passes.pairs import TYPE, VOCABULARY, Pair, context, graphs, pairs
from tests.ir.passes.turns import turn_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Conjunct, Query

P = "http://p.example/"
run = turn_of("simplify-types")
PAIRS = pairs(Path(__file__).parent / "simplify_types")
RELATIONS = (
    Relation(P + "made_by", domain=((P + "Rocket",),), range=((P + "Company",),)),
    Relation(P + "crew", domain=((P + "Vehicle",),), range=((P + "Person",),)),
    Relation(P + "launches", range=((P + "Person", P + "Rocket"),)),
    Relation(P + "weight", domain=((P + "Rocket",),), datatypes=(XSD + "double",)),
    Relation(P + "sponsor", range=((P + "Company",),), datatypes=(XSD + "string",)),
    Relation(P + "part_of"),
)
CLASSES = (
    Class(P + "Vehicle", disjoint=(P + "Person",)),
    Class(P + "Rocket", parents=(P + "Vehicle",)),
    Class(P + "Person", disjoint=(P + "Vehicle",)),
    Class(P + "Company"),
    Class(P + "Part", subjects_of=P + "part_of"),
    Class(P + "Whole", objects_of=P + "part_of"),
)
#: the schema of graphs that keep to it in every way
KEPT = {"sound": "true", "disjoint": "true"}


def stated(**meta: str) -> Schema:
    return Schema(MemorySource(RELATIONS, CLASSES, meta))


# --- pairs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_pairs(pair: Pair) -> None:
    schema = stated(**KEPT)
    found = run(pair.before, context(schema))
    assert print_query(found) == print_query(pair.after)
    assert (found is pair.before) == (print_query(pair.before) == print_query(pair.after))
    assert run(found, context(schema)) is found
    verify(found)


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_pairs_agree_on_graphs_that_keep_to_the_schema(pair: Pair) -> None:
    schema = stated(**KEPT)
    answered = 0
    for graph in graphs((pair.before, pair.after), seed=5, count=60):
        triples = kept(graph.triples(), schema)
        whole = MemoryGraph(triples)
        expected = evaluate(pair.before, whole, schema, VOCABULARY)
        assert evaluate(pair.after, whole, schema, VOCABULARY).key() == expected.key(), sorted(map(str, triples))
        answered += bool(expected.values or expected.rows or expected.boolean)
    assert answered or "never" in print_query(pair.after)


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_nothing_rests_on_a_schema_that_proves_nothing(pair: Pair) -> None:
    for meta in ({}, {"sound": "false"}, {**KEPT, "vocabulary": "another"}):
        schema = stated(**meta)
        found = run(pair.before, context(schema))
        for graph in graphs((pair.before, pair.after), seed=7, count=20):
            expected = evaluate(pair.before, graph, schema, VOCABULARY)
            assert evaluate(found, graph, schema, VOCABULARY).key() == expected.key()


# --- when statistics prove something ----------------------------------------------------------------------------------

MADE_BY = f"""
set ?x
  ?x: entity
  ?y: any
where
  ?x a <{P}Rocket>
  ?x <{P}made_by> ?y
"""
MADE = f"""
set ?y
  ?x: entity
  ?y: any
where
  ?y a <{P}Company>
  ?x <{P}made_by> ?y
"""


def row(**counts: int | None) -> Schema:
    """The schema with counts for ``made_by``, by its own word sound."""
    relation = replace(RELATIONS[0], **counts)
    return Schema(MemorySource((relation, *RELATIONS[1:]), CLASSES, KEPT))


@pytest.mark.parametrize(
    ("counts", "dropped"),
    [
        ({"subjects": 3, "domain_support": 3}, True),
        ({"subjects": 3, "domain_support": 2}, False),
        # counted and without support: all its subjects are classes themselves, of which "sound" says nothing
        ({"subjects": 3, "domain_support": None}, False),
        ({"subjects": None, "domain_support": None}, True),
    ],
)
def test_a_domain_holds_where_all_subjects_support_it(counts: dict[str, int | None], dropped: bool) -> None:
    query = parse_query(MADE_BY)
    assert (run(query, context(row(**counts))) is not query) == dropped


@pytest.mark.parametrize(
    ("counts", "dropped"),
    [
        ({"objects": 3, "range_support": 3}, True),
        ({"objects": 4, "range_support": 3}, False),
        ({"objects": 3, "range_support": None}, False),
    ],
)
def test_a_range_holds_where_all_objects_support_it(counts: dict[str, int | None], dropped: bool) -> None:
    query = parse_query(MADE)
    assert (run(query, context(row(**counts))) is not query) == dropped


def test_classes_that_bear_a_label_are_no_instances() -> None:
    label = Iri(RDFS + "label")
    triples: list[TripleRow] = [(Iri(P + f"e{n}"), TYPE, Iri(P + "Rocket")) for n in range(3)]
    triples += [(Iri(P + f"e{n}"), label, Literal("e")) for n in range(3)]
    triples += [(Iri(P + "Rocket"), label, Literal("rocket"))]
    graph = MemoryGraph(triples)
    schema = infer_schema(graph, VOCABULARY, stated())
    assert schema.source.meta("sound") == "true"
    query = parse_query(
        f"set ?x\n  ?x: entity\n  ?y: any\nwhere\n  ?x <{label.value}> ?y\n  ?x a <{P}Rocket> | <{P}Vehicle>\n"
    )
    assert run(query, context(schema)) is query
    assert len(evaluate(query, graph, schema, VOCABULARY).values) == 3


def test_types_that_name_a_signature_class_are_no_membership() -> None:
    """The class is asked for by its relation, while the counts were taken by type."""
    relation = Relation(P + "made_by", domain=((P + "Part",),))
    declared = Schema(MemorySource((relation, RELATIONS[5]), CLASSES))
    triples: list[TripleRow] = []
    for number in range(3):
        entity = Iri(P + f"e{number}")
        triples += [(entity, TYPE, Iri(P + "Part")), (entity, Iri(P + "made_by"), Iri(P + "acme"))]
    schema = infer_schema(MemoryGraph(triples), VOCABULARY, declared)
    found = schema.relation(P + "made_by")
    assert found is not None
    assert found.domain_support == found.subjects == 3
    query = parse_query(f"set ?x\n  ?x: entity\n  ?y: any\nwhere\n  ?x a <{P}Part>\n  ?x <{P}made_by> ?y\n")
    assert run(query, context(schema)) is query


def test_where_the_graph_says_what_lies_below_the_schema_does_not() -> None:
    paths = Vocabulary("pairs", subclass_paths=True)
    asked = {name: parse_query(MADE_BY.replace("Rocket", name)) for name in ("Rocket", "Vehicle")}
    schema = stated(**KEPT)
    assert run(asked["Vehicle"], context(schema, vocabulary=paths)) is asked["Vehicle"]
    assert run(asked["Rocket"], context(schema, vocabulary=paths)) is not asked["Rocket"]
    below = Class(P + "Starship", parents=(P + "Rocket",))
    schema = Schema(MemorySource(RELATIONS, (*CLASSES, below), KEPT))
    assert run(asked["Rocket"], context(schema, vocabulary=paths)) is asked["Rocket"]


def test_soundness_says_nothing_of_disjoint_classes() -> None:
    query = parse_query(f"set ?x\n  ?x: entity\nwhere\n  ?x a <{P}Person>\n  ?x a <{P}Vehicle>\n")
    both = MemoryGraph([(Iri(P + "e"), TYPE, Iri(P + name)) for name in ("Person", "Vehicle")])
    schema = infer_schema(both, VOCABULARY, stated())
    assert schema.source.meta("sound") == "true"
    assert run(query, context(schema)) is query
    assert len(evaluate(query, both, schema, VOCABULARY).values) == 1
    assert run(query, context(stated(**KEPT))).body == Body((Union(()),))


def test_nothing_to_do_is_the_same_query() -> None:
    query = parse_query(f"set ?x\n  ?x: entity\n  ?y: any\nwhere\n  ?x <{P}made_by> ?y\n")
    assert run(query, context(stated(**KEPT))) is query


# --- random worlds ----------------------------------------------------------------------------------------------------


def sprinkled(query: Query, schema: Schema, random: Random) -> Query:
    """The query with memberships, and unions of them, put on variables at random places."""
    classes = [Iri(c.iri) for c in schema.source.all_classes()]
    relations = [Iri(r.iri) for r in schema.source.all_relations()]
    literals = {name for name, type_ in query.types if isinstance(type_, LiteralType)}
    predicates = {c.predicate.name for c in walk(query) if isinstance(c, Triple) and isinstance(c.predicate, Var)}
    made = 0

    def membership(name: str) -> Conjunct:
        nonlocal made
        if random.random() < 0.25:
            made += 1
            return Triple(Var(name), random.choice(relations), Var(f"made{made}"))
        return InstanceOf(Var(name), tuple(dict.fromkeys(random.choices(classes, k=random.choice((1, 1, 2))))))

    def more(node: Body | Conjunct) -> Body | Conjunct:
        names = sorted(mentioned_in(node) - literals - predicates) if isinstance(node, Body) else []
        if not isinstance(node, Body) or not names:
            return node
        parts: list[Conjunct] = []
        for _ in range(random.choice((0, 1, 1, 2))):
            name = random.choice(names)
            if random.random() < 0.3:
                parts.append(Union((Body((membership(name),)), Body((membership(name), membership(name))))))
            else:
                parts.append(membership(name))
        return join(node, *parts) if parts else node

    return rewrite(query, more)


def outcome(query: Query, graph: MemoryGraph, schema: Schema) -> object:
    """The answers; one word for a number query of which something beside its count does not hold."""
    try:
        return evaluate(query, graph, schema, DRAWN).key()
    except InvalidIR:
        return "no number"


def drawn_queries(seed: int, blocks: int, sound: bool) -> Iterator[tuple[MemoryGraph, Schema, Query]]:
    """Queries over drawn graphs with the schemas that were measured on them; ``sound`` graphs were closed first."""
    for number in range(blocks):
        drawn = block(seed, number)
        random = Random(number)
        declared = drawn.schema
        triples = list(drawn.setting.triples)
        if sound:
            triples = kept(triples, declared)
        graph = MemoryGraph(triples)
        source = infer_schema(graph, DRAWN, declared).source
        meta = {"sound": source.meta("sound") or "", "disjoint": "false" if torn(triples, declared) else "true"}
        schema = Schema(MemorySource(source.all_relations(), source.all_classes(), meta))
        setting = replace(drawn.setting, triples=tuple(triples))
        for _ in range(6):
            understood = understand(Case(setting, next(drawn.programs)), schema, graph)
            if not isinstance(understood, Refusal):
                yield graph, schema, understood.query
                yield graph, schema, sprinkled(understood.query, schema, random)


@pytest.mark.parametrize("sound", [True, False])
def test_no_answer_changes_on_drawn_worlds(sound: bool) -> None:
    changed = answered = 0
    for graph, schema, query in drawn_queries(11, 60, sound):
        found = run(query, context(schema, vocabulary=DRAWN))
        if found is query:
            continue
        verify(found)
        expected = outcome(query, graph, schema)
        assert outcome(found, graph, schema) == expected, print_query(query)
        changed += 1
        answered += bool(expected) and found.body != Body((Union(()),))
    assert changed > 100
    assert answered > 20


# --- what an engine starts from ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("beside", "stays"),
    [
        (f"not\n    ?x <{P}crew> <{P}e1>", True),
        (f"not\n    ?y <{P}crew> <{P}e1>", False),
        (f"not\n    ?x <{P}crew> <{P}e1>\n  ?x <{P}part_of> <{P}e2>", False),
        (f'not\n    ?x <{P}crew> <{P}e1>\n  ?x <{P}weight> ?w\n  ?w > "9"', False),
        (f'not\n    ?x <{P}crew> <{P}e1>\n  ?x <{P}weight> ?w\n  ?w != "9"', True),
        (f"not\n    ?x <{P}crew> <{P}e1>\n  ?x <{P}weight> ?w\n  ?y <{P}weight> ?v\n  ?w > ?v", True),
        (f"?x <{P}part_of> ?y", False),
    ],
)
def test_an_engine_that_starts_from_classes_keeps_those_that_a_negation_looks_at(beside: str, stays: bool) -> None:
    query = parse_query(f"{MADE_BY.rstrip()}\n  {beside}\n")
    plain = context(stated(**KEPT))
    starting = replace(plain, target=replace(plain.target, starts_from_classes=True))
    held = InstanceOf(Var("x"), (Iri(P + "Rocket"),))
    assert held not in run(query, plain).body.conjuncts
    assert (held in run(query, starting).body.conjuncts) == stays


@pytest.mark.parametrize(
    ("around", "stays"),
    [
        (f"?x <{P}part_of> <{P}e2>\n  ?x a <{P}Person>", True),
        (f"?x <{P}part_of> <{P}e2>", False),
        (f"?x <{P}part_of> ?x\n  ?x a <{P}Person>", False),
    ],
)
def test_such_an_engine_keeps_a_class_within_a_negation_beside_a_name_and_a_class(around: str, stays: bool) -> None:
    query = parse_query(
        f"set ?x\n  ?x: entity\n  ?y: entity\nwhere\n  {around}\n"
        f"  not\n    ?y a <{P}Vehicle>\n    ?y <{P}crew> ?x\n    not\n      ?y <{P}part_of> <{P}e1>\n"
    )
    schema = Schema(MemorySource((*RELATIONS[:1], replace(RELATIONS[1], range=()), *RELATIONS[2:]), CLASSES, KEPT))
    plain = context(schema)
    starting = replace(plain, target=replace(plain.target, starts_from_classes=True))
    held = InstanceOf(Var("y"), (Iri(P + "Vehicle"),))
    assert held not in list(walk(run(query, plain)))
    assert (held in list(walk(run(query, starting)))) == stays
