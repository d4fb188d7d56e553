"""Oxigraph as a graph and as an engine."""

from __future__ import annotations

import math
import signal
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.errors import EngineError, InputError
from pylf.ir.evaluate import evaluate
from pylf.ir.graph import Graph
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Compare, Form, Kind, Op, Query, Triple
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import XSD, Blank, Iri, Literal, Node, Var, tagged
from pylf.ir.types import ENTITY, LiteralType

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.ir.graph import TripleRow

E = "http://e.example/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDF = Vocabulary("rdf")


def e(name: str) -> Iri:
    return Iri(E + name)


def number(lexical: str, datatype: str = "integer") -> Literal:
    return Literal(lexical, XSD + datatype)


def of(*triples: TripleRow) -> OxigraphEngine:
    return OxigraphEngine.memory(triples)


def query(form: Form, *outputs: str) -> Query:
    variables = tuple(map(Var, outputs))
    return Query(form, variables, Body((Triple(Var("x"), e("p"), Var("y")),)))


# --- a graph ----------------------------------------------------------------------------------------------------------

# values that Oxigraph keeps as they are written
subjects: st.SearchStrategy[Node] = st.sampled_from([e("a"), e("b"), Blank("b0"), Blank("b1")])
predicates = st.sampled_from([e("p"), e("q")])
objects: st.SearchStrategy[Node] = st.one_of(
    subjects,
    st.sampled_from([number("1"), number("1", "gYear"), number("x"), Literal("1"), Literal(""), tagged("1", "en")]),
)
rows = st.lists(st.tuples(subjects, predicates, objects), max_size=12)


@given(rows, st.one_of(st.none(), subjects), st.one_of(st.none(), predicates), st.one_of(st.none(), objects))
@settings(max_examples=60)
def test_look_ups_agree_with_the_plain_graph(
    triples: list[TripleRow], s: Node | None, p: Node | None, o: Node | None
) -> None:
    engine = of(*triples)
    found = list(engine.triples(s, p, o))
    assert set(found) == set(MemoryGraph(triples).triples(s, p, o))
    assert len(found) == len(set(found))
    assert engine.count() == len(set(triples))


def test_it_is_a_graph() -> None:
    assert isinstance(of(), Graph)


def test_what_oxigraph_cannot_hold_is_in_no_triple() -> None:
    engine = of((e("a"), e("p"), number("1")))
    assert list(engine.triples(Iri("relative"))) == []
    assert list(engine.triples(Literal("a"))) == []
    assert list(engine.triples(None, Blank("b"))) == []
    assert list(engine.triples(None, None, Literal("a", "x y"))) == []
    with pytest.raises(InputError, match="not an RDF triple"):
        engine.add([(Literal("a"), e("p"), e("b"))])
    with pytest.raises(InputError, match="not an RDF triple"):
        engine.add([(e("a"), e("p"), Iri("rel"))])


def test_numbers_are_held_by_value() -> None:
    engine = of((e("a"), e("p"), number("01", "int")))
    assert [o for _, _, o in engine.triples()] == [number("1")]
    assert len(list(engine.triples(None, None, number("+1")))) == 1


def test_named_graphs_are_part_of_the_graph(tmp_path: Path) -> None:
    source = tmp_path / "g.nq"
    line = f"<{E}a> <{E}p> <{E}b>"
    source.write_text(f"{line} <{E}g1> .\n{line} <{E}g2> .\n{line} .\n")
    engine = OxigraphEngine.open(source)
    assert list(engine.triples()) == [(e("a"), e("p"), e("b"))]
    assert engine.count() == 3
    assert engine.ask(f"ASK {{ <{E}a> <{E}p> <{E}b> }}")
    engine.add([(e("c"), e("p"), e("d"))])
    assert len(list(engine.triples())) == 2
    assert len(engine.select("SELECT DISTINCT ?s WHERE { ?s ?p ?o }")) == 2


# --- queries ----------------------------------------------------------------------------------------------------------


def test_select_gives_solutions_by_name_and_leaves_out_what_is_unbound() -> None:
    engine = of((e("a"), e("p"), tagged("x", "EN")), (e("b"), e("p"), number("2")))
    found = engine.select(
        f"SELECT ?s ?v WHERE {{ ?s <{E}p> ?o OPTIONAL {{ ?s <{E}p> ?v FILTER isNumeric(?v) }} }} ORDER BY ?s"
    )
    assert found == [{"s": e("a")}, {"s": e("b"), "v": number("2")}]
    assert engine.ask("ASK {}")
    assert not engine.ask(f"ASK {{ ?s <{E}q> ?o }}")


def test_answers_by_form() -> None:
    engine = of((e("a"), e("p"), number("1")), (e("b"), e("p"), number("1.0", "decimal")))
    values = engine.answers(query(Form.SET, "y"), f"SELECT ?y WHERE {{ ?x <{E}p> ?y }}")
    assert len(values.values) == 1  # 1 and 1.0 are one value
    count = engine.answers(query(Form.NUMBER, "n"), f"SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ ?x <{E}p> ?y }}")
    assert count.number == 2
    assert engine.answers(query(Form.BOOLEAN), f"ASK {{ ?x <{E}q> ?y }}").boolean is False
    table = engine.answers(query(Form.ROWS, "y", "x"), f"SELECT ?y ?x WHERE {{ ?x <{E}p> ?y }}")
    assert {row[1] for row in table.rows} == {e("a"), e("b")}
    none = engine.answers(query(Form.SET, "y"), f"SELECT ?y WHERE {{ ?x <{E}q> ?y }}")
    assert none.empty


@pytest.mark.parametrize(
    "ask",
    [
        lambda g: g.select("SELECT {"),
        lambda g: g.select("SELECT ?x WHERE { ?x e:p ?y }"),
        lambda g: g.select("ASK {}"),
        lambda g: g.select("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"),
        lambda g: g.ask("SELECT ?x WHERE { ?x ?y ?z }"),
        lambda g: g.select("SELECT * WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"),
        lambda g: g.answers(query(Form.NUMBER, "n"), "SELECT ?n WHERE { VALUES ?n { 1 2 } }"),
        lambda g: g.answers(query(Form.NUMBER, "n"), "SELECT ?n WHERE { VALUES ?n { 'many' } }"),
        lambda g: g.answers(query(Form.SET, "x"), "SELECT ?x ?y WHERE { ?x ?p ?y }"),
        lambda g: g.select("SELECT ?t WHERE { BIND(TRIPLE(<a:a>, <a:b>, <a:c>) AS ?t) }"),
    ],
)
def test_whatever_the_engine_complains_of_is_an_engine_error(ask) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(EngineError):
        ask(of((e("a"), e("p"), e("b"))))


def slow() -> tuple[OxigraphEngine, str]:
    """A graph and a query that takes seconds, and not much longer: a thread given up goes on to its end."""
    engine = of(*((e(str(i)), e("p"), e(str(j))) for i in range(16) for j in range(16)))
    chain = " ".join(f"?x{i} <{E}p> ?x{i + 1} ." for i in range(5))
    return engine, f"SELECT (COUNT(*) AS ?n) WHERE {{ {chain} }}"


def test_a_time_limit_gives_up_and_says_so() -> None:
    engine, text = slow()
    with pytest.raises(EngineError, match=r"longer than 0\.1 s"):
        engine.select(text, timeout=0.1)
    assert engine.select("SELECT (1 AS ?n) WHERE {}", timeout=30) == [{"n": number("1")}]
    with pytest.raises(EngineError, match="refuses"):
        engine.select("SELECT", timeout=30)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="POSIX signals")
def test_ctrl_c_is_heard_while_the_engine_works() -> None:
    engine, text = slow()
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.1, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        engine.select(text, timeout=math.inf)
    timer.join()


def test_deep_and_long_queries_do_not_overrun_the_stack() -> None:
    engine = of((e("a"), e("p"), e("a")))
    levels = "".join(f"FILTER EXISTS {{ ?x{i} <{E}p> ?x{i + 1} . " for i in range(1500))
    assert engine.select(f"SELECT ?x0 WHERE {{ ?x0 <{E}p> ?y {levels}" + "}" * 1501) == [{"x0": e("a")}]
    for hostile in ("ASK {}" + " " * 20_000_001, "ASK " + "{" * 200_000):
        with pytest.raises(EngineError, match="too large"):
            engine.select(hostile)


# --- labels and classes -----------------------------------------------------------------------------------------------


def test_labels_prefer_the_vocabularys_languages() -> None:
    engine = of(
        (e("a"), Iri(LABEL), tagged("eins", "de")),
        (e("a"), Iri(LABEL), tagged("one", "en")),
        (e("b"), Iri(LABEL), tagged("zwei", "de")),
        (e("b"), Iri(LABEL), tagged("deux", "fr")),
        (e("c"), Iri(LABEL), tagged("three", "en")),
        (e("c"), Iri(LABEL), Literal("3")),
        (e("d"), e("name"), Literal("other predicate")),
        (e("f"), Iri(LABEL), e("a")),
        (Blank("x"), Iri(LABEL), Literal("nameless")),
    )
    asked: list[Node] = [e("a"), e("b"), e("c"), e("d"), e("f"), Literal("a"), e("a")]
    assert engine.labels(asked, RDF) == {e("a"): "one", e("b"): "zwei", e("c"): "3"}
    french = Vocabulary("f", label_predicates=(E + "name", LABEL), label_languages=("fr", ""))
    assert engine.labels(asked, french)[e("b")] == "deux"
    assert engine.labels(asked, french)[e("d")] == "other predicate"
    blanks = [s for s, _, _ in engine.triples(None, Iri(LABEL), Literal("nameless"))]
    assert engine.labels(blanks, RDF) == {blanks[0]: "nameless"}


def test_entities_are_found_by_label_in_any_language() -> None:
    engine = of(
        (e("b"), Iri(LABEL), tagged("Delta", "en")),
        (e("a"), Iri(LABEL), Literal("Delta")),
        (e("c"), Iri(LABEL), tagged("Delta", "pt-br")),
        (e("d"), Iri(LABEL), tagged("delta", "en")),
        (e("f"), e("name"), Literal("Delta")),
        (Blank("x"), Iri(LABEL), Literal("Delta")),
    )
    assert engine.label_languages(RDF) == ("", "en", "pt-br")
    *named, nameless = engine.entities_labelled("Delta", RDF)
    assert named == [e("a"), e("b"), e("c")]
    assert isinstance(nameless, Blank)
    assert engine.entities_labelled("Delta", RDF, ["en"]) == (e("b"),)
    assert engine.entities_labelled("Delta", RDF, ["pt-BR"]) == (e("c"),)
    assert engine.entities_labelled('De"lta\n', RDF) == ()
    engine.add([(e("g"), Iri(LABEL), tagged("Delta", "ja"))])
    assert engine.entities_labelled("Delta", RDF)[:4] == (e("a"), e("b"), e("c"), e("g"))


def test_classes_of_a_node_are_what_is_stated() -> None:
    engine = of(
        (e("a"), Iri(TYPE), e("B")),
        (e("a"), Iri(TYPE), e("A")),
        (e("a"), Iri(TYPE), Blank("x")),
        (e("a"), e("isa"), e("C")),
    )
    assert engine.classes_of(e("a"), RDF) == (e("A"), e("B"))
    both = Vocabulary("v", type_predicates=(E + "isa", TYPE))
    assert engine.classes_of(e("a"), both) == (e("A"), e("B"), e("C"))
    assert engine.classes_of(Literal("a"), RDF) == ()


# --- what it is -------------------------------------------------------------------------------------------------------


def test_version_and_snapshot() -> None:
    one, two = (
        of((e("a"), e("p"), e("b")), (e("a"), e("q"), e("b"))),
        of((e("a"), e("q"), e("b")), (e("a"), e("p"), e("b"))),
    )
    assert one.version.startswith("oxigraph 0.")
    assert one.snapshot == two.snapshot
    before = one.snapshot
    one.add([(e("a"), e("p"), e("c"))])
    assert one.snapshot != before
    assert one.schema() is None
    assert of().snapshot == of().snapshot != before


# --- from the IR ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("optimize", [0, 1])
@pytest.mark.parametrize("timeout", [None, 30.0])
def test_a_query_runs_alike_on_both_engines_and_by_the_reference_evaluator(
    optimize: int, timeout: float | None
) -> None:
    triples = [(e("a"), e("p"), number("2")), (e("b"), e("p"), number("10")), (e("c"), e("p"), number("x"))]
    x, y = Var("x"), Var("y")
    body = Body((Triple(x, e("p"), y), Compare(Op.GT, y, number("3"), Kind.NUMBER)))
    asked = Query(Form.SET, (x,), body, (("x", ENTITY), ("y", LiteralType())))
    schema = Schema(MemorySource((), ()))
    expected = evaluate(asked, MemoryGraph(triples), schema, RDF)
    assert expected.values == (e("b"),)
    for engine in (OxigraphEngine.memory(triples), RdflibEngine.from_triples(triples)):
        assert engine.run(asked, schema, RDF, optimize, timeout).key() == expected.key()
