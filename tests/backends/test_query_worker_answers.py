"""What comes from a query's worker is what the store gives here, term for term."""

from __future__ import annotations

import itertools
import select

import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.backends.engines import store
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.solutions import TsvReader
from pylf.backends.engines.terms import oxigraph_terms
from pylf.errors import EngineError

pytestmark = pytest.mark.skipif(not hasattr(select, "poll"), reason="workers are had on POSIX")

#: longer than any of these queries takes; only a test that fails waits so long
AMPLE = 60.0

ODD = r"""
<a:1> <a:p> "tab\tline\nreturn\rquote\"backslash\\" , "" , " " , "_:x" , "<a:b>" , "é😀\u0085\u2028\u000B\u0000\u007F" .
<a:1> <a:q> "tab\t"@en-GB , "x"@de , ""@pt-br , "1" , "true" , "a\"^^<a:b>" .
<a:2> <a:p> 1 , 01 , -3 , 1.50 , 1e3 , .5 , true , false .
<a:2> <a:p> "x"^^<http://www.w3.org/2001/XMLSchema#integer> , "INF"^^<http://www.w3.org/2001/XMLSchema#double> .
<a:2> <a:p> "2001"^^<http://www.w3.org/2001/XMLSchema#gYear> , "z"^^<a:dt> , "t\t"^^<a:dt> .
_:b0 <a:p> _:b1 , _:abcdef , _:e6cf20152a2141993f38c8071caeacbc .
<a:é?q=%20#f> <a:p> [ <a:p> <a:3> ] .
"""
TEXTS = [
    "SELECT ?s ?p ?o WHERE { ?s ?p ?o } ORDER BY ?s ?p ?o",
    "SELECT ?o ?none ?s WHERE { ?s <a:p> ?o OPTIONAL { ?o <a:p> ?none } } ORDER BY ?o",
    "SELECT ?x ?y WHERE { VALUES (?x ?y) { (UNDEF UNDEF) (1 UNDEF) (UNDEF 'a') } }",
    "SELECT ?x WHERE { VALUES ?x { UNDEF 1 UNDEF } }",
    "SELECT * WHERE {}",
    "SELECT * WHERE { VALUES () { () () } }",
    "SELECT ?x WHERE {}",
    "SELECT ?x WHERE { VALUES ?x { 1 } FILTER(?x = 2) }",
    "SELECT (COUNT(*) AS ?n) (AVG(?o) AS ?m) WHERE { ?s ?p ?o FILTER isNumeric(?o) }",
    "SELECT (1/0 AS ?n) WHERE {}",
]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> OxigraphEngine:
    """A graph of terms that are hard to hand over; some of it in named graphs."""
    place = tmp_path_factory.mktemp("odd")
    (place / "g.ttl").write_text(ODD, encoding="utf-8")
    (place / "g.nq").write_text("_:n <a:p> _:m <a:g> .\n<a:1> <a:p> <a:4> <a:h> .\n<a:1> <a:p> <a:4> .\n")
    store.load([place / "g.ttl", place / "g.nq"], place / "kg")
    return OxigraphEngine.open(place / "kg")


@pytest.mark.parametrize("text", TEXTS)
def test_solutions_are_the_same_term_for_term(odd: OxigraphEngine, text: str) -> None:
    here = odd._queries.select(odd.store, text, True, None)
    there = odd._queries.select(odd.store, text, True, AMPLE)
    assert there == here
    assert odd.select(text) == odd.select(text, timeout=AMPLE)


def test_labels_of_blank_nodes_are_those_of_the_store(odd: OxigraphEngine) -> None:
    text = "SELECT ?s ?o WHERE { ?s <a:p> ?o FILTER(isBlank(?s) || isBlank(?o)) }"
    for row in odd.select(text, timeout=AMPLE):
        assert len(list(odd.triples(row["s"], None, row["o"]))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "SELECT {",
        "SELECT ?x WHERE { ?x e:p ?y }",
        "ASK {}",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "SELECT * WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "SELECT ?t WHERE { BIND(TRIPLE(<a:a>, <a:b>, <a:c>) AS ?t) }",
        "SELECT ?x WHERE { ?x ?y '\ud800' }",
    ],
)
def test_complaints_are_the_same(odd: OxigraphEngine, text: str) -> None:
    said = []
    for timeout in (None, AMPLE):
        with pytest.raises(EngineError) as caught:
            odd.select(text, timeout)
        said.append((type(caught.value), str(caught.value)))
    assert said[0] == said[1]


names = st.sampled_from([pyoxigraph.NamedNode("a:b"), pyoxigraph.NamedNode("http://e.example/é?a=%20#b")])
blanks = st.sampled_from([pyoxigraph.BlankNode("b0"), pyoxigraph.BlankNode("0abc"), pyoxigraph.BlankNode("abc")])
lexicals = st.one_of(st.text(), st.sampled_from(["1", "01", "1.0", "-1", "1e0", "true", "INF", '"', "\\", '"^^<a:b>']))
datatypes = st.sampled_from(["integer", "decimal", "double", "boolean", "string", "gYear", "float"])
literals = st.one_of(
    st.builds(pyoxigraph.Literal, lexicals),
    st.builds(lambda text, tag: pyoxigraph.Literal(text, language=tag), lexicals, st.sampled_from(["en", "de-CH"])),
    st.builds(
        lambda text, name: pyoxigraph.Literal(
            text, datatype=pyoxigraph.NamedNode("http://www.w3.org/2001/XMLSchema#" + name)
        ),
        lexicals,
        datatypes,
    ),
)


@given(st.lists(st.one_of(names, blanks, literals), max_size=8), st.lists(st.integers(0, 400), max_size=4))
@settings(max_examples=150)
def test_rows_are_read_from_any_parts(terms: list[pyoxigraph.Literal], cuts: list[int]) -> None:
    graph = pyoxigraph.Store()
    graph.extend(
        pyoxigraph.Quad(pyoxigraph.NamedNode(f"a:{place}"), pyoxigraph.NamedNode("a:p"), term)
        for place, term in enumerate(terms)
    )
    text = "SELECT ?s ?none ?o WHERE { ?s ?p ?o }"
    node, _ = oxigraph_terms()
    expected = [tuple(None if term is None else node(term) for term in row) for row in graph.query(text)]  # type: ignore[union-attr]
    written = graph.query(text).serialize(format=pyoxigraph.QueryResultsFormat.TSV)  # type: ignore[union-attr]
    assert written is not None
    reader = TsvReader()
    places = [0, *sorted(cuts), len(written)]
    for start, end in itertools.pairwise(places):
        reader.feed(written[start:end])
    assert reader.solutions().variables == ("s", "none", "o")
    assert reader.solutions().rows == expected


@pytest.mark.parametrize(
    "text", [b"", b"?x\n<a:b>", b"?x\t?y\n<a:b>\n", b"?x\n<a:b\n", b'?x\n"a\n', b'?x\n"\n', b"?x\nno\n"]
)
def test_rows_that_are_damaged_are_no_answer(text: bytes) -> None:
    reader = TsvReader()
    with pytest.raises(EngineError):  # noqa: PT012  # either of them notices
        reader.feed(text)
        reader.solutions()
