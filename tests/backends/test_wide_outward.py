"""What groups of the wide tier see of one another: values that a union leaves open, and sub-selects under EXISTS."""

from __future__ import annotations

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.backends.sparql.query import Call, Filter, Group, Select
from pylf.backends.sparql.weight import weight
from pylf.errors import UnsupportedOperation
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.text import parse_query
from tests.backends.wide_texts import SCHEMA, VOCABULARY

E = "http://e/"

OPEN_UNION = """
  either
    ?x <v> ?m
  or
    ?x <b> ?z
    optionally
      ?z <c> ?m
"""

#: By name: a query, graphs of it, and the engines that have no form for it.
SEEN: dict[str, tuple[str, tuple[str, ...], set[str]]] = {
    "a negation sees what a union leaves open": (
        f"""
set ?x
where{OPEN_UNION}  not
    ?y <q> ?w
    if ?w = ?m
""",
        ("x v 1; y q 1", "x v 1; y q 2", "x b z; z c 1; y q 1", "x b z; y q 1"),
        set(),
    ),
    "an arm sees what a union leaves open": (
        f"""
set ?x
where{OPEN_UNION}  either
    ?x <d> ?u
    if ?u = ?m
  or
    ?x <e> ?u
""",
        ("x v 1; x d 1",),
        {"oxigraph", "rdflib"},
    ),
    "an arm sees whether a union leaves it open": (
        f"""
set ?x
where{OPEN_UNION}  either
    ?x <d> ?u
    if !bound(?m)
  or
    ?x <e> ?u
""",
        ("x v 1; x b z; x d 1",),
        {"oxigraph", "rdflib"},
    ),
    "a left join sees what a union leaves open": (
        f"""
rows ?x ?u
where{OPEN_UNION}  optionally
    ?x <d> ?u
    if ?u = ?m
""",
        ("x v 1; x d 1", "x v 1; x d 2", "x b z; x d 1", "x b z; z c 2; x d 2"),
        set(),
    ),
    "a union under a negation leaves open what another negation sees": (
        """
set ?x
where
  ?x <q> ?w
  not
    either
      ?x <v> ?m
    or
      ?x <p> ?z
      optionally
        ?z <v> ?m
    not
      ?x <mass> ?k
      if ?k = ?m
""",
        ("a q w; b q w; a p w; w v 1; a mass 1; b v 2; b mass 3; c q d; c p d; c mass 2",),
        {"rdflib"},
    ),
    "one arm may be left, and what it leaves open is seen": (
        """
set ?x
where
  either
    ?x <b> ?z
    optionally
      ?z <v> ?m
  or
    never
  not
    ?x <q> ?w
    if ?w = ?m
""",
        ("x b z; z v 1; x q 1; y b u; y q 1",),
        set(),
    ),
    "one row of nothing, sliced": (
        """
rows ?s ?n
where
  ?s <q> ?o
  slice ?n limit 1
    aggregate ?n := count(*)
      ?x <p> ?y
      never
""",
        ("s q o",),
        set(),
    ),
    "no row of nothing, sliced": (
        """
rows ?s ?y
where
  ?s <q> ?o
  slice ?y
    ?x <p> ?y
    never
""",
        ("s q o",),
        set(),
    ),
    "the first one of all, under a negation": (
        """
set ?x
where
  ?x <q> ?w
  not
    slice ?x by ?m, ?x limit 1
      ?x <mass> ?m
""",
        ("a q w; b q w; a mass 1; b mass 2",),
        {"rdflib"},
    ),
    "the first one of all and more, under a negation": (
        """
set ?x
where
  ?x <q> ?w
  not
    slice ?x ?m by descending ?m limit 1
      ?x <mass> ?m
    ?x <p> ?m
""",
        ("a q w; b q w; a mass 1; b mass 2; a p 1; b p 2",),
        {"rdflib"},
    ),
    "the first one of all, in an arm under a negation": (
        """
set ?x
where
  ?x <q> ?w
  not
    either
      slice ?x by ?m, ?x limit 1
        ?x <mass> ?m
    or
      ?x <p> ?w
""",
        ("a q w; b q w; c q w; a mass 1; b mass 2; b p d; c p w",),
        {"rdflib"},
    ),
    "the first one of all, in a left join under a negation": (
        """
set ?x
where
  ?x <q> ?w
  not
    ?x <p> ?z
    optionally
      slice ?x ?m by ?m, ?x limit 1
        ?x <mass> ?m
    if bound(?m)
""",
        ("a q w; b q w; a p w; b p w; a mass 1; b mass 2",),
        {"rdflib"},
    ),
    "a row of the first ones, under a negation": (
        """
set ?x
where
  ?x <q> ?w
  not
    distinct ?x
      slice ?x by ?m, ?x limit 1
        ?x <mass> ?m
""",
        ("a q w; b q w; a mass 1; b mass 2",),
        {"rdflib"},
    ),
    "a count of the first ones, under a negation": (
        """
set ?x
where
  ?x <q> ?w
  not
    ?n counts ?m per ?x
      slice ?x ?m by ?m, ?x limit 1
        ?x <mass> ?m
""",
        ("a q w; b q w; a mass 1; b mass 2",),
        {"rdflib"},
    ),
    "a number of rows that is bound around a negation": (
        """
set ?x
where
  ?x <q> ?n
  not
    aggregate ?n := count(*) per ?x
      ?x <p> ?y
""",
        ("a q 2; b q 1; a p c; a p d; b p c; b p d",),
        set(),
    ),
    "a number of values that is bound around a negation": (
        """
set ?x
where
  ?x <q> ?n
  not
    ?n counts ?y per ?x
      ?x <p> ?y
""",
        ("a q 2; b q 1; a p c; a p d; b p c; b p d",),
        set(),
    ),
}
CASES = [(name, number) for name, (_, graphs, _) in SEEN.items() for number in range(len(graphs))]


def query_of(name: str) -> str:
    return SEEN[name][0].lstrip().replace(" <", f" <{E}")


def graph_of(text: str) -> list[tuple[Iri, Iri, Iri | Literal]]:
    def node(word: str) -> Iri | Literal:
        return Literal(word, XSD_INTEGER) if word.isdigit() else Iri(E + word)

    return [(Iri(E + s), Iri(E + p), node(o)) for s, p, o in map(str.split, text.split(";"))]


@pytest.mark.parametrize(("name", "number"), CASES)
@pytest.mark.parametrize("dialect", ["oxigraph", "rdflib"])
def test_engines_see_what_the_evaluator_sees(name: str, number: int, dialect: str) -> None:
    query = parse_query(query_of(name))
    triples = graph_of(SEEN[name][1][number])
    expected = evaluate(query, MemoryGraph(triples), SCHEMA, VOCABULARY)
    engine = OxigraphEngine.memory(triples) if dialect == "oxigraph" else RdflibEngine.from_triples(triples)
    for optimize in (0, 1, 2):
        if dialect in SEEN[name][2]:
            with pytest.raises(UnsupportedOperation):
                emit(query, SCHEMA, VOCABULARY, dialect, optimize)
        else:
            got = engine.answers(query, emit(query, SCHEMA, VOCABULARY, dialect, optimize))
            assert got.key() == expected.key(), optimize


def test_what_is_cut_under_a_negation_has_a_name_of_its_own() -> None:
    text = emit(parse_query(query_of("the first one of all, under a negation")), SCHEMA, VOCABULARY, "jena", 1)
    assert "SELECT ?x_2 WHERE" in text
    assert "sameTerm(?x_2, ?x)" in text


def test_conditions_of_groups_and_orders_weigh() -> None:
    test = Call("STR", (Call("LCASE", (Var("x"),)),))
    where = Group((Filter(test),))
    bare = Select((Var("x"),), where, group_by=(Var("x"),))
    assert weight(bare) == 2
    assert weight(Select((Var("x"),), where, group_by=(Var("x"),), having=test, order_by=((test, True),))) == 6
