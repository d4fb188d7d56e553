"""Values that an engine rewrites when it loads them: the same answers everywhere, whoever keeps the spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.ir.terms import XSD, Iri, Literal
from pylf.ir.values import as_held, float_form, identity

if TYPE_CHECKING:
    from conftest import MakeWorld


def test_midnight_at_the_end_of_a_day_is_the_next_day(world: MakeWorld) -> None:
    w = world(
        """:Thing a rdfs:Class . :d rdfs:domain :Thing .
        :a a :Thing ; :d "2009-05-01T24:00:00"^^xsd:dateTime . :b a :Thing ; :d "2009-05-01"^^xsd:date .
        :c a :Thing ; :d "2009-05-02T00:00:00"^^xsd:dateTime .
        :e a :Thing ; :d "2009-04-30T24:00:00.00Z"^^xsd:dateTime ."""
    )
    assert w.names("e = STOP(CMP('=', 'd', '2009-05-02'))") == {"a", "c"}
    assert w.names("e = STOP(CMP('=', 'd', '2009-05-01'))") == {"b", "e"}
    assert w.names("e = STOP(CMP('<', 'd', '2009-05-02'))") == {"b", "e"}
    assert w.names("e = STOP(ARG('ARGMAX', START('Thing'), 'd'))") == {"a", "c"}
    assert w.answers("e = STOP(COUNT(JOIN('R_d', START('Thing'))))").number == 3


def test_zeros_at_the_end_of_a_fraction_do_not_count(world: MakeWorld) -> None:
    w = world(
        """:Thing a rdfs:Class . :d rdfs:domain :Thing .
        :a a :Thing ; :d "2009-05-01T10:00:00.50"^^xsd:dateTime .
        :b a :Thing ; :d "2009-05-01T10:00:00.5"^^xsd:dateTime .
        :c a :Thing ; :d "2009-05-01T10:00:00.000"^^xsd:dateTime , "2009-05-01T10:00:00"^^xsd:dateTime ."""
    )
    assert w.names("e = STOP(CMP('=', 'd', '2009-05-01T10:00:00.5^^xsd:dateTime'))") == {"a", "b"}
    assert w.answers("e = STOP(COUNT(JOIN('R_d', START('Thing'))))").number == 2


@pytest.mark.parametrize("declared", ["", ":d rdfs:range xsd:dateTimeStamp .", ":d rdfs:range xsd:dateTime ."])
def test_a_time_stamp_is_a_time(world: MakeWorld, declared: str) -> None:
    w = world(
        f"""{declared} :Thing a rdfs:Class . :d rdfs:domain :Thing .
        :a a :Thing ; :d "2009-05-01T10:00:00.50Z"^^xsd:dateTimeStamp .
        :b a :Thing ; :d "2009-05-01T10:00:00.5+02:00"^^xsd:dateTime .
        :c a :Thing ; :d "2010-01-01T00:00:00"^^xsd:dateTimeStamp . :e a :Thing ; :d "soon"^^xsd:dateTimeStamp ."""
    )
    assert w.names("e = STOP(CMP('>=', 'd', 2010))") == {"c"}
    assert w.names("e = STOP(CMP('<', 'd', 2010))") == {"a", "b"}
    assert w.names("e = STOP(CMP('=', 'd', '2009-05-01T10:00:00.5Z^^xsd:dateTimeStamp'))") == {"a", "b"}
    assert w.names("e = STOP(ARG('ARGMIN', START('Thing'), 'd'))") == {"a", "b"}
    assert w.answers("e = STOP(COUNT(JOIN('R_d', START('Thing'))))").number == 3


def test_a_float_has_32_bits(world: MakeWorld) -> None:
    w = world(
        """:Thing a rdfs:Class . :d rdfs:domain :Thing .
        :a a :Thing ; :d "16777217"^^xsd:float . :b a :Thing ; :d "16777216"^^xsd:float , 16777216 .
        :c a :Thing ; :d "0.10"^^xsd:float , 0.1 . :e a :Thing ; :d "1e40"^^xsd:float .
        :f a :Thing ; :d "INF"^^xsd:float .
        :g a :Thing ; :d "-334604.63821"^^xsd:float . :h a :Thing ; :d "1e-50"^^xsd:float ."""
    )
    assert w.names("e = STOP(CMP('=', 'd', 16777216))") == {"a", "b"}
    assert w.names("e = STOP(CMP('=', 'd', '16777217^^xsd:float'))") == {"a", "b"}
    assert w.names("e = STOP(CMP('=', 'd', 0.1))") == {"c"}
    assert w.names("e = STOP(CMP('=', 'd', 0))") == {"h"}
    assert w.names("e = STOP(ARG('ARGMAX', START('Thing'), 'd'))") == {"e", "f"}
    assert w.answers("e = STOP(COUNT(JOIN('R_d', START('Thing'))))").number == 5


@pytest.mark.parametrize(
    ("written", "held"),
    [
        ("16777217", "16777216"),
        ("0.10", "0.1"),
        ("1e40", "INF"),
        ("-1e40", "-INF"),
        ("+INF", "INF"),
        ("-334604.6382153", "-334604.63"),  # the middle of two shortest forms: rounded away from zero
        ("3.1415927410", "3.1415927"),
    ],
)
def test_the_shortest_form_of_a_float_is_oxigraphs(written: str, held: str) -> None:
    assert float_form(written) == held
    literal = Literal(written, XSD + "float")
    (stored,) = [o for _, _, o in OxigraphEngine.memory([(Iri("urn:a"), Iri("urn:p"), literal)]).triples()]
    assert identity(stored) == identity(as_held(literal)) == identity(literal)
    assert isinstance(stored, Literal)
    assert float(stored.lexical) == float(held)


def test_a_graph_of_rdflibs_own_takes_the_form_that_is_compared() -> None:
    import rdflib

    late = rdflib.Literal("2009-05-01T24:00:00", datatype=rdflib.XSD.dateTime, normalize=False)
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef("urn:a"), rdflib.URIRef("urn:d"), late))
    engine = RdflibEngine.from_graph(graph)
    assert engine.graph is not graph
    assert [o for _, _, o in engine.triples()] == [Literal("2009-05-02T00:00:00", XSD + "dateTime")]
    assert len(list(engine.triples(None, None, Literal("2009-05-01T24:00:00.0", XSD + "dateTime")))) == 1
