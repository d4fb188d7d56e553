"""rdflib as a graph and as an engine."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.backends.engines.rdflib import RdflibEngine
from pylf.errors import EngineError, InputError
from pylf.ir.graph import Graph
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Form, Query, Triple
from pylf.ir.terms import XSD, Blank, Iri, Literal, Node, Var, tagged

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.ir.graph import TripleRow

E = "http://e.example/"


def e(name: str) -> Iri:
    return Iri(E + name)


def number(lexical: str, datatype: str = "integer") -> Literal:
    return Literal(lexical, XSD + datatype)


subjects: st.SearchStrategy[Node] = st.sampled_from([e("a"), e("b"), Blank("b0")])
predicates = st.sampled_from([e("p"), e("q")])
objects: st.SearchStrategy[Node] = st.one_of(
    subjects,
    st.sampled_from(
        [number("1"), number("01"), number("1.0", "decimal"), number("x"), number("2001-02-30", "date"), Literal("1")]
    ),
    st.sampled_from([tagged("1", "en"), tagged("1", "en-us"), number("1", "boolean"), number(" 1 ", "int")]),
)
rows = st.lists(st.tuples(subjects, predicates, objects), max_size=10)


@given(rows, st.one_of(st.none(), subjects), st.one_of(st.none(), predicates), st.one_of(st.none(), objects))
@settings(max_examples=60)
def test_look_ups_agree_with_the_plain_graph(
    triples: list[TripleRow], s: Node | None, p: Node | None, o: Node | None
) -> None:
    engine = RdflibEngine.from_triples(triples)
    assert set(engine.triples(s, p, o)) == set(MemoryGraph(triples).triples(s, p, o))
    assert engine.count() == len(set(triples))
    assert isinstance(engine, Graph)


SPELLINGS = ("01", "+5", "1.50", "1e3", "true")


def test_files_keep_their_spelling(tmp_path: Path) -> None:
    source = tmp_path / "g.ttl"
    written = ", ".join(SPELLINGS)
    source.write_text(f'<{E}a> <{E}p> {written}, "2001-02-30"^^<{XSD}date>, "x"@EN-gb, "s"^^<{XSD}string> .')
    found = {o for _, _, o in RdflibEngine.from_file(source).triples()}
    assert {o.lexical for o in found if isinstance(o, Literal)} == {*SPELLINGS, "2001-02-30", "x", "s"}
    assert tagged("x", "en-gb") in found
    (tmp_path / "bad.nt").write_text("oops")
    with pytest.raises(InputError, match=r"bad\.nt:1:"):
        RdflibEngine.from_file(tmp_path / "bad.nt")


def test_a_graph_of_rdflibs_own_is_taken_as_it_is() -> None:
    import rdflib

    graph = rdflib.Graph()
    graph.add((rdflib.URIRef(E + "a"), rdflib.URIRef(E + "p"), rdflib.Literal("x")))
    assert RdflibEngine.from_graph(graph).graph is graph
    graph.add((rdflib.URIRef(E + "a"), rdflib.URIRef(E + "p"), rdflib.Literal("y", datatype=rdflib.XSD.string)))
    engine = RdflibEngine.from_graph(graph)
    assert engine.graph is not graph
    assert engine.ask(f'ASK {{ <{E}a> <{E}p> "y" }}')


def test_constants_of_a_query_keep_their_spelling() -> None:
    engine = RdflibEngine.from_triples([(e("a"), e("p"), number("01"))])
    assert engine.ask(f'ASK {{ ?x <{E}p> "01"^^<{XSD}integer> }}')
    assert not engine.ask(f"ASK {{ ?x <{E}p> 1 }}")
    assert engine.ask(f"ASK {{ ?x <{E}p> ?v FILTER(?v = 1) }}")


def test_ill_formed_literals_are_not_reported_one_by_one(caplog: pytest.LogCaptureFixture) -> None:
    import rdflib

    level, normalize = logging.getLogger("rdflib.term").level, rdflib.NORMALIZE_LITERALS
    engine = RdflibEngine.from_triples([(e("a"), e("p"), number("abc"))])
    assert engine.select(f"SELECT ?v WHERE {{ ?x <{E}p> ?v }}") == [{"v": number("abc")}]
    assert caplog.records == []
    assert (logging.getLogger("rdflib.term").level, rdflib.NORMALIZE_LITERALS) == (level, normalize)


def test_answers_by_form() -> None:
    engine = RdflibEngine.from_triples(
        [(e("a"), e("p"), number("1")), (e("b"), e("p"), number("1.0", "decimal")), (e("b"), e("q"), e("c"))]
    )

    def query(form: Form, *outputs: str) -> Query:
        return Query(form, tuple(map(Var, outputs)), Body((Triple(Var("x"), e("p"), Var("y")),)))

    assert len(engine.answers(query(Form.SET, "y"), f"SELECT ?y WHERE {{ ?x <{E}p> ?y }}").values) == 1
    text = f"SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ ?x <{E}p> ?y }}"
    assert engine.answers(query(Form.NUMBER, "n"), text).number == 2
    assert engine.answers(query(Form.BOOLEAN), f"ASK {{ ?x <{E}q> ?y }}").boolean is True
    table = engine.answers(
        query(Form.ROWS, "x", "z"), f"SELECT ?x ?z WHERE {{ ?x <{E}p> ?y OPTIONAL {{ ?x <{E}q> ?z }} }}"
    )
    assert table.rows == ((e("a"), None), (e("b"), e("c")))
    blank = f"SELECT ?x (COUNT(?y) AS ?n) WHERE {{ ?x <{E}none> ?y }} GROUP BY ?x"
    assert engine.answers(query(Form.ROWS, "x", "n"), blank).empty


@pytest.mark.parametrize(
    "text",
    ["SELECT {", "SELECT ?x WHERE { ?x nope:p ?y }", "ASK {}", "SELECT ?x WHERE { ?x ?p ?y FILTER(" + "(" * 3000 + ")"],
)
def test_whatever_rdflib_complains_of_is_an_engine_error(text: str) -> None:
    engine = RdflibEngine.from_triples([(e("a"), e("p"), e("b"))])
    with pytest.raises(EngineError):
        engine.select(text)
    with pytest.raises(EngineError):
        engine.select(text, timeout=30)


def test_a_time_limit_gives_up_and_says_so() -> None:
    engine = RdflibEngine.from_triples((e(str(i)), e("p"), e(str(j))) for i in range(9) for j in range(9))
    chain = " ".join(f"?x{i} <{E}p> ?x{i + 1} ." for i in range(4))
    with pytest.raises(EngineError, match="longer than"):
        engine.select(f"SELECT (COUNT(*) AS ?n) WHERE {{ {chain} }}", timeout=0.2)
