"""One uncertain graph in every encoding of confidences, on every engine that reads it: the same answers everywhere."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from typing import TYPE_CHECKING

import pytest

from pylf.backends.dialects import NAMES
from pylf.backends.engines.http import HttpEngine
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.engines.uncertain import Quadruple, confidence_of, iri_of, lines, triples
from pylf.backends.sparql import emit
from pylf.errors import UnsupportedOperation
from pylf.graphs import empty_schema
from pylf.ir.answers import Answers
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Form
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.vocabulary import (
    NamedGraphs,
    NaryStatements,
    SingletonProperties,
    StatementPattern,
    TripleTerms,
    Vocabulary,
    encoding_name,
)
from pylf.ir.terms import RDF, XSD_DECIMAL, Iri, Literal
from pylf.ir.text import parse_query
from pylf.testing.servers import web

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pylf.backends.engines.protocol import Engine
    from pylf.ir.nodes import Query
    from pylf.ir.schema.vocabulary import Encoding
    from pylf.ir.terms import Node
    from pylf.testing.servers import Server

TABLE = [
    Quadruple(head, relation, tail, Decimal(confidence))
    for head, relation, tail, confidence in (
        ("twitter", "competes", "facebook", "0.85"),
        ("twitter", "competes", "facebook", "0.6"),
        ("facebook", "owns", "instagram", "0.97"),
        ("facebook", "competes", "myspace", "0.4"),
        ("instagram", "competes", "twitter", "0.5"),
        ("myspace", "owns", "myspace", "0.100000001"),
        ("google", "owns", "youtube", "1"),
        ("youtube", "competes", "twitter", "0.333333333"),
    )
]

PLAIN: tuple[Encoding, ...] = (
    StatementPattern(),
    StatementPattern("http://e/s", "http://e/p", "http://e/o", "http://e/c"),
    NaryStatements(),
    NaryStatements("urn:ukg:{}", "urn:p:{}", "urn:ps:{}", "http://e/c", ("http://e/d", "http://e/to", "http://e/of")),
    SingletonProperties(),
)
OTHERS: tuple[Encoding, ...] = (TripleTerms(), TripleTerms(stated=True), NamedGraphs())

DECIMAL = f"^^<{XSD_DECIMAL}>"
SURE = Iri("urn:ukg:owns")

Edge = tuple[str, str, str, Decimal]


def edges() -> list[Edge]:
    return [(row.head, row.relation, row.tail, round(row.confidence, 6)) for row in TABLE]


def neighbours() -> Iterable[tuple[object, ...]]:
    return [edge for edge in edges() if edge[0] in ("twitter", "facebook") and edge[3] >= Decimal("0.5")]


def into() -> Iterable[tuple[object, ...]]:
    return [(s, c) for s, p, o, c in edges() if o == "twitter" and p == "competes"]


def two_hops() -> Iterable[tuple[object, ...]]:
    return [(a[0], a[2], b[2], a[3], b[3]) for a, b in product(edges(), repeat=2) if a[2] == b[0]]


def doubted() -> Iterable[tuple[object, ...]]:
    known = edges()
    return [(s, o) for s, p, o, _ in known if not any(k[:3] == (s, p, o) and k[3] >= Decimal("0.5") for k in known)]


def either() -> Iterable[tuple[object, ...]]:
    return [(s, c) if o == "twitter" else (o, c) for s, _, o, c in edges() if "twitter" in (s, o)]


QUESTIONS: dict[str, tuple[str, Callable[[], Iterable[tuple[object, ...]]]]] = {
    "all": ("subgraph ?s ?p ?o ?c\nwhere\n  ?s ?p ?o with confidence ?c\n", edges),
    "neighbours above a floor": (
        (
            "subgraph ?s ?p ?o ?c\nwhere\n  ?s in (<urn:ukg:twitter>, <urn:ukg:facebook>)\n"
            f'  ?s ?p ?o with confidence ?c\n  ?c >= "0.5"{DECIMAL} by number\n'
        ),
        neighbours,
    ),
    "one relation into one node": (
        "rows ?s ?c\nwhere\n  ?s <urn:ukg:competes> <urn:ukg:twitter> with confidence ?c\n",
        into,
    ),
    "two hops": (
        "rows ?a ?b ?d ?c ?e\nwhere\n  ?a ?p ?b with confidence ?c\n  ?b ?q ?d with confidence ?e\n",
        two_hops,
    ),
    "in no way sure": (
        (
            "rows ?s ?o\nwhere\n  ?s ?p ?o with confidence ?any\n  not\n    ?s ?p ?o with confidence ?c\n"
            f'    ?c >= "0.5"{DECIMAL} by number\n'
        ),
        doubted,
    ),
    "either way": (
        (
            "rows ?x ?c\nwhere\n  either\n    ?x ?p <urn:ukg:twitter> with confidence ?c\n"
            "  or\n    <urn:ukg:twitter> ?p ?x with confidence ?c\n"
        ),
        either,
    ),
}


def expected(query: Query, found: Iterable[tuple[object, ...]]) -> Answers:
    def node(value: object) -> Node:
        return confidence_of(value) if isinstance(value, Decimal) else iri_of(str(value))

    return Answers.of_rows([tuple(map(node, row)) for row in found], query.form)


def vocabulary(encoding: Encoding) -> Vocabulary:
    return Vocabulary(f"of {encoding_name(encoding)}", statements=encoding)


def check(engine: Engine | RdflibEngine, encoding: Encoding) -> None:
    """Every question, with what is known of the graph and without, at every level."""
    known = vocabulary(encoding)
    plain = isinstance(encoding, StatementPattern | NaryStatements | SingletonProperties)
    schemas = [empty_schema(), *([infer_schema(engine, known)] if plain else [])]
    for name, (text, found) in QUESTIONS.items():
        query = parse_query(text)
        for schema, level in product(schemas, (0, 1)):
            answers = engine.run(query, schema, known, level)
            assert answers.key() == expected(query, found()).key(), (name, level)


def encoding_id(encoding: Encoding) -> str:
    return encoding_name(encoding) + (", stated" if encoding == TripleTerms(stated=True) else "")


@pytest.mark.parametrize("encoding", PLAIN, ids=encoding_id)
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_reference_evaluator_finds_what_a_scan_of_the_table_finds(encoding: Encoding, name: str) -> None:
    text, found = QUESTIONS[name]
    query = parse_query(text)
    for stated in (True, False):
        graph = MemoryGraph(triples(TABLE, encoding, stated=stated))
        answers = evaluate(query, graph, empty_schema(), vocabulary(encoding))
        assert answers.key() == expected(query, found()).key()


@pytest.mark.parametrize("encoding", [*PLAIN, *OTHERS], ids=encoding_id)
def test_oxigraph_reads_every_encoding(encoding: Encoding, tmp_path: Path) -> None:
    path = tmp_path / "graph.nq"
    path.write_text("".join(lines(TABLE, encoding)), encoding="utf-8")
    check(OxigraphEngine.open(path), encoding)


@pytest.mark.parametrize("encoding", PLAIN, ids=encoding_id)
def test_rdflib_reads_those_that_are_triples(encoding: Encoding) -> None:
    check(RdflibEngine.from_triples(triples(TABLE, encoding)), encoding)


@pytest.mark.parametrize("encoding", PLAIN, ids=encoding_id)
def test_servers_read_those_that_are_triples(encoding: Encoding, server: Server) -> None:
    graph = f"urn:encodings:{PLAIN.index(encoding)}"
    server.load(list(triples(TABLE, encoding)), graph)
    check(HttpEngine(server.endpoint(graph)), encoding)


@pytest.fixture
def quads(server: Server) -> Iterator[HttpEngine]:
    """A server whose graphs are named by their confidences, asked as a whole; then without them."""
    graphs: dict[str, list[tuple[Iri, Iri, Iri]]] = {}
    sure: list[tuple[Iri, Iri, Literal]] = []
    for row in TABLE:
        value = confidence_of(row.confidence)
        name = f"urn:encodings:confidence:{value.lexical}"
        sure += [(Iri(name), Iri(NamedGraphs().confidence), value)] if name not in graphs else []
        graphs.setdefault(name, []).append((iri_of(row.head), iri_of(row.relation), iri_of(row.tail)))
    text = "".join(f'<{s.value}> <{p.value}> "{o.lexical}"{DECIMAL} .\n' for s, p, o in sure)
    for name, held in graphs.items():
        server.load(held, name)
    default = {"jena": "urn:x-arq:DefaultGraph"}.get(server.name, "urn:encodings:sure")

    def put(content: str) -> None:
        if server.name == "oxigraph":
            web.put(server.port, "/store?default", content.encode(), "application/n-triples")
        else:
            server.load_text(content, default)

    put(text)
    yield HttpEngine(server.endpoint())
    put("")
    for name in graphs:
        server.load([], name)


def test_servers_read_names_of_graphs_where_all_of_them_are_asked(quads: HttpEngine) -> None:
    check(quads, NamedGraphs())


def test_where_graphs_to_be_asked_are_named_no_other_is_known_by_name(server: Server) -> None:
    query = parse_query(QUESTIONS["all"][0])
    engine = HttpEngine(server.endpoint("urn:encodings:some"))
    with pytest.raises(UnsupportedOperation, match=r"encoding 'quad' cannot be expressed in SPARQL \(\w+\) here"):
        engine.run(query, empty_schema(), vocabulary(NamedGraphs()))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "oxigraph"])
def test_triple_terms_are_refused_by_name_where_an_engine_does_not_read_them(name: str) -> None:
    query = parse_query(QUESTIONS["all"][0])
    message = rf"a confidence in the encoding 'triple term' cannot be expressed in SPARQL \({name}\)"
    with pytest.raises(UnsupportedOperation, match=message):
        emit(query, empty_schema(), vocabulary(TripleTerms()), name)


@pytest.mark.parametrize("encoding", OTHERS, ids=encoding_id)
def test_the_reference_evaluator_refuses_what_is_no_triples(encoding: Encoding) -> None:
    query = parse_query(QUESTIONS["all"][0])
    with pytest.raises(UnsupportedOperation, match=f"encoding '{encoding_name(encoding)}' .* the reference evaluator"):
        evaluate(query, MemoryGraph(), empty_schema(), vocabulary(encoding))


def test_relations_that_have_no_statements_are_refused_by_name() -> None:
    known = vocabulary(NaryStatements("http://e/prop/{}", "http://e/p/{}", "http://e/ps/{}", links=()))
    of_another = parse_query(QUESTIONS["one relation into one node"][0])
    asked_for = parse_query(QUESTIONS["all"][0])
    for query, told in ((of_another, "<urn:ukg:competes>"), (asked_for, "whose relation is asked for")):
        with pytest.raises(UnsupportedOperation, match=told):
            evaluate(query, MemoryGraph(), empty_schema(), known)
        with pytest.raises(UnsupportedOperation, match=told):
            emit(query, empty_schema(), known, "oxigraph")


def test_a_literal_may_be_what_is_doubted(tmp_path: Path) -> None:
    """Objects in every encoding may be literals; a tagged one and a number among them."""
    query = parse_query('rows ?s ?c\nwhere\n  ?s <urn:r> "x"@en with confidence ?c\n')
    path = tmp_path / "graph.nq"
    path.write_text(
        '<urn:a> <urn:r> "x"@en <urn:g> .\n<urn:b> <urn:r> "x" <urn:g> .\n'
        f'<urn:g> <{NamedGraphs().confidence}> "0.5"{DECIMAL} .\n'
        f'<urn:n> <{RDF}reifies> <<( <urn:a> <urn:r> "x"@en )>> .\n'
        f'<urn:n> <{NamedGraphs().confidence}> "0.5"{DECIMAL} .\n',
        encoding="utf-8",
    )
    engine = OxigraphEngine.open(path)
    for encoding in (NamedGraphs(), TripleTerms()):
        answers = engine.run(query, empty_schema(), vocabulary(encoding))
        assert answers == Answers.of_rows([(Iri("urn:a"), Literal("0.5", XSD_DECIMAL))], Form.ROWS)
