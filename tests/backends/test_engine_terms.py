"""Terms to the engines' own and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.backends.engines.terms import TripleTerm, oxigraph_terms, rdflib_terms
from pylf.errors import EngineError
from pylf.ir.terms import XSD, XSD_STRING, Blank, Iri, Literal, Node, tagged

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
languages = st.sampled_from(["en", "en-us", "zh-hant-tw", "x-klingon"])
datatypes = st.sampled_from(
    [XSD + n for n in ("integer", "int", "decimal", "double", "date", "gYear", "boolean", "anyURI")]
)
nodes: st.SearchStrategy[Node] = st.one_of(
    st.builds(lambda n: Iri(f"http://e.example/{n}"), st.from_regex(r"[\w.~-]{0,6}(%[0-9A-F]{2})?", fullmatch=True)),
    st.builds(Literal, text),
    st.builds(Literal, text, datatypes),
    st.builds(tagged, text, languages),
    st.builds(Blank, st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True)),
)


@given(nodes)
def test_what_goes_to_oxigraph_comes_back(node: Node) -> None:
    node_of, term_of = oxigraph_terms()
    assert node_of(term_of(node)) == node


@given(nodes)
def test_what_goes_to_rdflib_comes_back(node: Node) -> None:
    node_of, term_of = rdflib_terms()
    assert node_of(term_of(node)) == node


def test_language_tags_are_lower_case_on_our_side() -> None:
    import pyoxigraph
    import rdflib

    ox_node, _ = oxigraph_terms()
    rd_node, _ = rdflib_terms()
    assert ox_node(pyoxigraph.Literal("a", language="EN-us")) == tagged("a", "en-us")
    assert rd_node(rdflib.Literal("a", lang="EN-us")) == tagged("a", "en-us")


def test_a_plain_string_is_an_xsd_string() -> None:
    import pyoxigraph
    import rdflib

    ox_node, ox_term = oxigraph_terms()
    rd_node, rd_term = rdflib_terms()
    assert ox_node(pyoxigraph.Literal("a")) == rd_node(rdflib.Literal("a")) == Literal("a", XSD_STRING)
    assert rd_node(rdflib.Literal("a", datatype=rdflib.XSD.string)) == Literal("a")
    assert ox_term(Literal("a")) == pyoxigraph.Literal("a")
    assert rd_term(Literal("a")) == rdflib.Literal("a")


def test_what_no_term_can_hold_is_an_engine_error() -> None:
    import pyoxigraph
    import rdflib

    ox_node, ox_term = oxigraph_terms()
    rd_node, _ = rdflib_terms()
    a = pyoxigraph.NamedNode("http://e.example/a")
    with pytest.raises(TripleTerm, match="triple term"):
        ox_node(pyoxigraph.Triple(a, a, a))
    with pytest.raises(EngineError, match="no RDF term"):
        rd_node(rdflib.Variable("x"))
    with pytest.raises(ValueError, match="IRI"):
        ox_term(Iri("relative"))
