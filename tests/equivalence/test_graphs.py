"""What graphs are made of and how: choices, values near a constant, tiny graphs, graphs that keep to a schema."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING

import pytest

from pylf.equivalence.choices import Choices, systematic
from pylf.equivalence.material import EXAMPLE, Material, material
from pylf.equivalence.near import between, near
from pylf.equivalence.shrink import shrunk
from pylf.equivalence.sound import Keeper
from pylf.equivalence.tiny import ENTITIES, possible, tiny
from pylf.equivalence.turtle import Names
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Op
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.terms import RDF, XSD, Iri, Literal, tagged
from pylf.ir.values import compare, identity
from pylf.testing.programs import LITERALS, NS, VOCABULARY

if TYPE_CHECKING:
    from pylf.ir.graph import TripleRow
    from tests.equivalence.conftest import Compiled

E1, E2, E3 = (Iri(f"{EXAMPLE}e{i}") for i in (1, 2, 3))
R = Iri(NS + "r")
TYPE = Iri(RDF + "type")


def test_every_sequence_of_choices_comes_once_and_the_plain_ones_first() -> None:
    def make(choices: Choices) -> tuple[int, ...]:
        first = choices.pick(2)
        return first, choices.pick(3), choices.pick(2 if first else 1)

    made = list(systematic(make, 2))
    assert len(made) == len(set(made)) == 3 + 6
    assert made[:2] == [(0, 0, 0), (1, 0, 0)]
    others = [sum(choice > 0 for choice in choices[1:]) for choices in made]
    assert others == sorted(others)


@pytest.mark.parametrize("constant", LITERALS, ids=str)
def test_near_a_constant_there_are_values_on_which_comparisons_differ(constant: Literal) -> None:
    values = near(constant)
    assert values[0] == constant
    assert len(set(values)) == len(values) > 1
    if not compare(Op.LE, constant, constant):
        return
    told = {op: tuple(compare(op, value, constant) for value in values) for op in Op if op is not Op.IS}
    if isinstance(identity(constant), float) and abs(float(constant.lexical)) < 1e15:
        assert len(set(told.values())) == len(told)
    elif constant.datatype in (XSD + "date", XSD + "gYear", XSD + "gYearMonth"):
        assert len({told[op] for op in (Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ)}) == 5


def test_between_two_numbers_there_is_one() -> None:
    ends = [Literal("3", XSD + "integer"), Literal("4", XSD + "integer"), Literal("x")]
    assert between(ends) == (Literal("3.5", XSD + "decimal"),)


def test_tiny_graphs_are_all_graphs_but_for_names(question: Compiled, world: Schema) -> None:
    made_of = material([question("JOIN('aa', START(':e1'), neg=True)")], world, VOCABULARY)
    triples = possible(made_of)
    fresh = [node for node in (E1, E2) if made_of.is_fresh(node)]
    assert len(fresh) == ENTITIES

    def forms(graph: tuple[TripleRow, ...]) -> set[frozenset[TripleRow]]:
        names = [dict(zip(fresh, order, strict=True)) for order in permutations(fresh)]
        return {frozenset((n.get(s, s), p, n.get(o, o)) for s, p, o in graph) for n in names}

    kept = {frozenset(graph) for graph in tiny(triples, 2, made_of)}
    assert len(kept) < len(list(combinations(triples, 2)))
    assert all(forms(graph) & kept for graph in combinations(triples, 2))


def test_a_graph_is_shrunk_until_nothing_can_go(question: Compiled, world: Schema) -> None:
    made_of: Material = material([question("CMP('<', 'num', 3)")], world, VOCABULARY)
    number = Iri(NS + "num")
    graph = (
        (E3, number, Literal("2.5e0", XSD + "double")),
        (E2, number, Literal("7", XSD + "integer")),
        (E2, R, E3),
        (E1, R, E2),
    )

    def has_a_number_and_a_step(triples: tuple[TripleRow, ...]) -> bool:
        return any(p == number for _, p, _ in triples) and any(p == R for _, p, _ in triples)

    small = shrunk(graph, has_a_number_and_a_step, made_of)
    assert {(s, p) for s, p, _ in small} == {(E1, R), (E1, number)}
    assert len(small) == 2


def keeper() -> Keeper:
    classes = [Class(NS + "A", disjoint=(NS + "C",)), Class(NS + "B", parents=(NS + "A",)), Class(NS + "C")]
    relations = [
        Relation(NS + "r", domain=((NS + "A",),), range=((NS + "A", NS + "C"),)),
        Relation(NS + "n", datatypes=(XSD + "integer",), literal=True),
    ]
    return Keeper(Schema(MemorySource(relations, classes)), VOCABULARY)


def test_what_keeps_to_a_schema() -> None:
    a, b, c = (Iri(NS + name) for name in "ABC")
    number = Iri(NS + "n")
    keeps, completed = keeper().keeps, keeper().completed
    assert keeps(())
    assert keeps(((E1, R, E2), (E1, TYPE, b), (E2, TYPE, c)))
    assert not keeps(((E1, R, E2), (E1, TYPE, a)))
    assert not keeps(((E1, TYPE, b), (E1, TYPE, c)))
    assert not keeps(((E1, number, E2),))
    assert not keeps(((E1, number, Literal("x")),))
    assert keeps(((E1, number, Literal("2.5", XSD + "decimal")),))
    whole = completed(((E1, R, E2),))
    assert whole == ((E1, R, E2), (E1, TYPE, a), (E2, TYPE, a))
    assert completed(((E1, R, E1), (E1, TYPE, c))) is None
    assert completed(((E1, R, Literal("x")),)) is None


def test_turtle_reads_back() -> None:
    odd = (
        *LITERALS,
        tagged('a "quoted"\nline', "en-gb"),
        Literal("2", XSD + "byte"),
        Literal("1.", XSD + "decimal"),
        Literal("a:b^^c"),
        Literal("http://w.example/A"),
    )
    nodes = (
        E1,
        Iri("http://www.w3.org/2000/01/rdf-schema#"),
        Iri("urn:a.b"),
        Iri(NS + "a.b"),
        Iri(NS + "a."),
        Iri(NS + "é"),
    )
    triples = [(E1, TYPE, Iri(NS + "A")), *((E1, R, node) for node in (*odd, *nodes))]
    assert list(MemoryGraph.parse(Names.of(VOCABULARY).turtle(triples))) == triples
    assert Names.of(VOCABULARY).turtle([]) == ""
