"""Pairs of inverses in one direction: when they are turned, and what that does to answers."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.ir.build import join
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Closure, Not, Triple
from pylf.ir.nodes import Path as Walk
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema, ValueProfile
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.text import parse_query, print_query
from pylf.ir.traverse import rewrite, walk
from pylf.ir.types import LiteralType
from pylf.ir.verify import verify
from pylf.records import replace
from pylf.testing.differential.case import Case, Refusal, understand
from pylf.testing.drawn.schemas import VOCABULARY as DRAWN
from pylf.testing.drawn.worlds import block
from tests.ir.passes.pairs import VOCABULARY, Pair, context, graphs, pairs
from tests.ir.passes.turns import turn_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Conjunct, Query

P = "http://p.example/"
PAIRS = pairs(Path(__file__).parent / "orient_inverses")
run = turn_of("orient-inverses")
MADE = Relation(P + "made", inverse=P + "made_by")
MADE_BY = Relation(P + "made_by", inverse=P + "made")
OTHERS = (Relation(P + "part_of"), Relation(P + "beside", inverse=P + "beside", symmetric=True))
ASKED = parse_query(f"set ?x\n  ?x: entity\nwhere\n  ?x <{P}made_by> <{P}acme>\n")
TURNED = parse_query(f"set ?x\n  ?x: entity\nwhere\n  <{P}acme> <{P}made> ?x\n")


def stated(made: Relation = MADE, made_by: Relation = MADE_BY, **meta: str) -> Schema:
    return Schema(MemorySource((made, made_by, *OTHERS), (), meta))


def mirrored(triples: Iterable[TripleRow], schema: Schema, add: bool = True) -> list[TripleRow]:
    """The triples, those of inverse pairs without literals, and (``add``) with the reverse of each."""
    found: list[TripleRow] = []
    for subject, predicate, target in triples:
        relation = schema.relation(predicate.value) if isinstance(predicate, Iri) else None
        if relation is None or relation.inverse in (None, relation.iri):
            found.append((subject, predicate, target))
        elif not isinstance(target, Literal):
            found.append((subject, predicate, target))
            if add:
                found.append((target, Iri(str(relation.inverse)), subject))
    return list(dict.fromkeys(found))


def one_way(triples: Iterable[TripleRow], schema: Schema, left_out: str) -> list[TripleRow]:
    """The triples without those of one relation, and of its inverse none with a literal."""
    return [t for t in mirrored(triples, schema, add=False) if t[1] != Iri(left_out)]


# --- pairs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_pairs(pair: Pair) -> None:
    schema = stated(inverses="mirrored")
    found = run(pair.before, context(schema))
    assert print_query(found) == print_query(pair.after)
    assert (found is pair.before) == (print_query(pair.before) == print_query(pair.after))
    assert run(found, context(schema)) is found
    verify(found)


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_pairs_agree_on_mirrored_graphs(pair: Pair) -> None:
    schema = stated(inverses="mirrored")
    for graph in graphs((pair.before, pair.after), seed=3, count=30):
        whole = MemoryGraph(mirrored(graph.triples(), schema))
        expected = evaluate(pair.before, whole, schema, VOCABULARY)
        assert evaluate(pair.after, whole, schema, VOCABULARY).key() == expected.key()


@pytest.mark.parametrize("left_out", [P + "made", P + "made_by"])
@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_entailed_answers_are_those_of_the_graph_with_its_inverses(pair: Pair, left_out: str) -> None:
    if pair.name == "relations_asked_for_stay":
        return  # a variable relation is none of a pair
    for graph in graphs((pair.before, pair.after), seed=4, count=30):
        triples = one_way(graph.triples(), stated(), left_out)
        stored = MemoryGraph(triples)
        source = infer_schema(stored, VOCABULARY, stated()).source
        schema = Schema(MemorySource(source.all_relations(), source.all_classes(), {"inverses": "entailed"}))
        expected = evaluate(pair.before, MemoryGraph(mirrored(triples, stated())), schema, VOCABULARY)
        found = run(pair.before, context(schema))
        assert evaluate(found, stored, schema, VOCABULARY).key() == expected.key(), sorted(map(str, triples))


# --- what is known of a pair ------------------------------------------------------------------------------------------


def counted(relation: Relation, triples: int, literals: int = 0, inferred: tuple[str, ...] = ()) -> Relation:
    profile = ValueProfile(entities=triples - literals, strings=literals)
    return replace(relation, triples=triples, subjects=triples, objects=triples, profile=profile, inferred=inferred)


FOUND = ("inverse",)


@pytest.mark.parametrize(
    ("made", "made_by", "reading", "turned"),
    [
        # found in the data: exact
        (counted(MADE, 3, inferred=FOUND), counted(MADE_BY, 3, inferred=FOUND), None, True),
        (counted(MADE, 3, inferred=FOUND), counted(MADE_BY, 3, inferred=FOUND), "entailed", True),
        # of an earlier reading of other data
        (counted(MADE, 3, inferred=FOUND), counted(MADE_BY, 2, inferred=FOUND), None, False),
        (replace(MADE, inferred=FOUND), replace(MADE_BY, inferred=FOUND), None, False),
        # equal counts prove nothing
        (counted(MADE, 3), counted(MADE_BY, 3), None, False),
        (counted(MADE, 3), counted(MADE_BY, 3), "entailed", False),
        (counted(MADE, 3), counted(MADE_BY, 3), "mirrored", True),
        (MADE, MADE_BY, "mirrored", True),
        (MADE, MADE_BY, "entailed", False),
        # the word of the schema against its counts
        (counted(MADE, 3), counted(MADE_BY, 2), "mirrored", False),
        (counted(MADE, 3), counted(MADE_BY, 0), "mirrored", False),
        (counted(MADE, 3), replace(counted(MADE_BY, 3), objects=2), "mirrored", False),
        (counted(MADE, 3), counted(MADE_BY, 3, literals=1), "mirrored", False),
        # one direction
        (counted(MADE, 3), counted(MADE_BY, 0), "entailed", True),
        (counted(MADE, 3), counted(MADE_BY, 0), None, False),
        (counted(MADE, 0), counted(MADE_BY, 3), "entailed", False),
        (counted(MADE, 0), counted(MADE_BY, 0), "entailed", False),
        (counted(MADE, 3), counted(MADE_BY, 1), "entailed", False),
        (counted(MADE, 3, literals=1), counted(MADE_BY, 0), "entailed", False),
        (counted(MADE, 3), MADE_BY, "entailed", False),
        # a pair is one only if both sides say so
        (replace(MADE, inverse=None), MADE_BY, "mirrored", False),
        (replace(MADE, inverse=P + "part_of"), MADE_BY, "mirrored", False),
    ],
)
def test_what_is_known_of_a_pair(made: Relation, made_by: Relation, reading: str | None, turned: bool) -> None:
    schema = stated(made, made_by, **({} if reading is None else {"inverses": reading}))
    found = run(ASKED, context(schema))
    assert found == (TURNED if turned else ASKED)
    assert turned or found is ASKED


def test_the_stored_direction_may_be_the_later_one() -> None:
    schema = stated(counted(MADE, 0), counted(MADE_BY, 3), inverses="entailed")
    assert run(TURNED, context(schema)) == ASKED
    assert run(ASKED, context(schema)) is ASKED


def test_pairs_that_are_found_in_data_are_turned() -> None:
    edges = [(Iri(P + f"r{n}"), Iri(P + "made_by"), Iri(P + "acme")) for n in range(3)]
    both = [*edges, *[(o, Iri(P + "made"), s) for s, _, o in edges]]
    graph = MemoryGraph(both)
    schema = infer_schema(graph, VOCABULARY)
    found = run(ASKED, context(schema))
    assert found == TURNED
    assert len(evaluate(found, graph, schema, VOCABULARY).values) == 3
    assert run(ASKED, context(infer_schema(MemoryGraph(both[:-1]), VOCABULARY))) is ASKED


# --- random worlds ----------------------------------------------------------------------------------------------------


def doubled(query: Query, schema: Schema, random: Random) -> Query:
    """The query with some of its triples also said by their inverse, or denied by it."""

    literals = {Var(name) for name, type_ in query.types if isinstance(type_, LiteralType)}

    def more(node: Body | Conjunct) -> Body | Conjunct:
        if not isinstance(node, Body):
            return node
        parts: list[Conjunct] = []
        for conjunct in node.conjuncts:
            match conjunct:
                case Triple(subject, Iri(iri), object_) if object_ not in literals and not isinstance(object_, Literal):
                    relation = schema.relation(iri)
                    if relation is not None and relation.inverse is not None and subject != object_:
                        other = Triple(object_, Iri(relation.inverse), subject)
                        swapped = Triple(subject, Iri(relation.inverse), object_)
                        parts.append(random.choice((other, swapped, Not(Body((swapped,))))))
                case _:
                    pass
        return join(node, *parts) if parts else node

    return rewrite(query, more)


def drawn_queries(
    seed: int, blocks: int, reading: str | None
) -> Iterator[tuple[MemoryGraph, MemoryGraph, Schema, Query]]:
    """Stored graphs, the same with their inverses, measured schemas, and queries. Where the pairs are to be ``found``,
    the graph is mirrored and nothing is stated of them."""
    for number in range(blocks):
        drawn = block(seed, number)
        ends = [c for c in drawn.schema.source.all_classes() if c.subjects_of or c.objects_of]
        pair = [r for r in drawn.schema.source.all_relations() if r.inverse is not None]
        if ends or not pair:
            continue
        random = Random(number)
        schema = drawn.schema
        triples = drawn.setting.triples
        if reading == "entailed":
            triples = tuple(one_way(triples, schema, random.choice(pair).iri))
        elif reading is not None:
            triples = tuple(mirrored(triples, schema))
        if reading == "found":
            silent = [replace(r, inverse=None) for r in schema.source.all_relations()]
            schema = Schema(MemorySource(silent, schema.source.all_classes()))
        graph = MemoryGraph(triples)
        source = infer_schema(graph, DRAWN, schema).source
        meta = {} if reading in {None, "found"} else {"inverses": str(reading)}
        schema = Schema(MemorySource(source.all_relations(), source.all_classes(), meta))
        whole = MemoryGraph(mirrored(triples, schema))
        setting = replace(drawn.setting, triples=triples)
        for _ in range(8):
            understood = understand(Case(setting, next(drawn.programs)), schema, graph)
            if not isinstance(understood, Refusal):
                yield graph, whole, schema, understood.query
                yield graph, whole, schema, doubled(understood.query, schema, random)


def asks(query: Query, schema: Schema) -> bool:
    """Whether a query names a relation that has an inverse."""
    for conjunct in walk(query):
        named: tuple[object, ...] = ()
        if isinstance(conjunct, Triple):
            named = (conjunct.predicate,)
        elif isinstance(conjunct, Closure):
            named = (conjunct.relation,)
        elif isinstance(conjunct, Walk):
            named = conjunct.relations
        for iri in named:
            relation = schema.relation(iri.value) if isinstance(iri, Iri) else None
            if relation is not None and relation.inverse is not None:
                return True
    return False


@pytest.mark.parametrize("reading", ["found", "mirrored", "entailed", None])
def test_answers_on_drawn_worlds(reading: str | None) -> None:
    changed = asked = 0
    for graph, whole, schema, query in drawn_queries(2, 200, reading):
        if not asks(query, schema):
            continue
        asked += 1
        found = run(query, context(schema, vocabulary=DRAWN))
        verify(found)
        expected = evaluate(query, whole if reading == "entailed" else graph, schema, DRAWN)
        assert evaluate(found, graph, schema, DRAWN).key() == expected.key(), print_query(query)
        changed += found is not query
    assert asked > 60
    assert changed > 20 or reading is None


def test_an_engine_that_plans_by_what_is_written_is_asked_in_that_direction() -> None:
    """But for the direction that the graph does not hold."""
    mirrored = context(stated(inverses="mirrored"))
    planning = replace(mirrored, target=replace(mirrored.target, starts_from_classes=True))
    assert run(ASKED, mirrored) is not ASKED
    assert run(ASKED, planning) is ASKED
    entailed = context(stated(counted(MADE, 3), counted(MADE_BY, 0), inverses="entailed"))
    assert run(ASKED, replace(entailed, target=planning.target)) == TURNED
