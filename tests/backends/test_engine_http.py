"""An endpoint as an engine: what it says of a graph is what the store at hand says of it, on three real servers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import pylf
import pylf.api
import pylf.backends.sparql
from pylf.api import load_vocabulary
from pylf.backends.engines.http import HttpEngine
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.http.endpoint import Endpoint, Limits
from pylf.backends.missing import Named, named_in, not_held
from pylf.backends.outcome import IncompleteAnswer, Outcome, Status, outcome_of
from pylf.backends.sparql.query import Group, Select, TriplePattern
from pylf.backends.why import explain
from pylf.datasets import bundled
from pylf.errors import EngineError, EngineTimeout, InputError
from pylf.ir.answers import Answers
from pylf.ir.graph import Graph, Pattern, matching
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.infer import infer_schema
from pylf.ir.terms import RDF, RDFS, XSD, Blank, Iri, Literal, Var, tagged
from pylf.records import replace
from pylf.result import Result
from tests.backends.canned_endpoint import Reply, answering, rows, truth

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Node
    from pylf.testing.servers import Server

R = "http://pylf.example/rockets/"
E = "http://e.example/"
LABEL, TYPE = Iri(RDFS + "label"), Iri(RDF + "type")
P, L = Iri(E + "p"), Iri(E + "l")
_loaded: set[int] = set()


@pytest.fixture(scope="module")
def store() -> OxigraphEngine:
    return OxigraphEngine.open(bundled.path("rockets.ttl"))


@pytest.fixture
def engine(server: Server) -> HttpEngine:
    """The bundled graph at each server."""
    if id(server) not in _loaded:
        server.load(bundled.path("rockets.ttl"), "urn:engine-http")
        _loaded.add(id(server))
    return HttpEngine(server.endpoint("urn:engine-http"))


def engine_of(server: Server, triples: list[TripleRow], name: str) -> HttpEngine:
    server.load(triples, f"urn:{name}")
    return HttpEngine(server.endpoint(f"urn:{name}"))


def rows_of(schema: Schema) -> list[object]:
    source = schema.source
    keys = ("sound", "languages")
    return [list(source.all_relations()), list(source.all_classes()), [source.meta(key) for key in keys]]


def takes_odd_iris(engine: HttpEngine) -> bool:
    """Whether an IRI that RFC 3987 does not know may be asked for."""
    return engine.dialect == "virtuoso" or engine.spoken.strict_iris


# --- look-ups -------------------------------------------------------------------------------------------------------


def test_triples_by_every_combination_of_places(engine: HttpEngine, store: OxigraphEngine) -> None:
    # Jena holds literals as they are written, the others by their value
    held: Graph = MemoryGraph.read(bundled.path("rockets.ttl")) if engine.dialect == "jena" else store
    everything = sorted(held.triples(), key=str)
    assert sorted(engine.triples(), key=str) == everything
    choose = random.Random(4)
    for number, triple in enumerate(choose.sample(everything, 28)):
        shown = [node if (number + 1) >> place & 1 else None for place, node in enumerate(triple)]
        expected = sorted(held.triples(*shown), key=str)
        assert sorted(engine.triples(*shown), key=str) == expected
        assert engine.estimate(*shown) >= min(256, len(expected))


def test_what_is_in_no_graph_is_not_found(engine: HttpEngine) -> None:
    nowhere: list[tuple[Node | None, Node | None, Node | None]] = [
        (Literal("x"), None, None),
        (None, Literal("x"), None),
        (None, Blank("b"), None),
        (Iri("http://e/a b"), None, None),
        (Iri("no scheme"), None, None),
        (None, LABEL, Literal("\ud800")),
        (Iri(R + "boeing"), LABEL, Literal("no such label")),
        *([(Iri("http://e/100%"), None, None)] if takes_odd_iris(engine) else []),
    ]
    for places in nowhere:
        assert list(engine.triples(*places)) == []
        assert engine.estimate(*places) == 0
    assert not engine.holds_relation("http://e/a b")


def test_labels_classes_and_counts(engine: HttpEngine, store: OxigraphEngine) -> None:
    vocabulary = load_vocabulary()
    nodes = sorted({s for s, _, _ in store.triples(None, TYPE)}, key=str)
    odd: list[Node] = [Iri("http://e/a b"), Blank("b1"), Literal("Boeing")]
    if takes_odd_iris(engine):
        odd.append(Iri("http://e/100%"))
    assert engine.labels([*nodes, *odd], vocabulary) == store.labels(nodes, vocabulary)
    german = replace(vocabulary, label_languages=("de",))
    assert engine.labels(nodes, german) == store.labels(nodes, german)
    assert engine.label_languages(vocabulary) == store.label_languages(vocabulary)
    for text in ("Boeing Company", "Challenger", "Brasil", "no such label", 'a "quoted" \\ label\n'):
        assert engine.entities_labelled(text, vocabulary) == store.entities_labelled(text, vocabulary)
        assert engine.entities_labelled(text, vocabulary, ("en",)) == store.entities_labelled(text, vocabulary, ("en",))
    for node in nodes[::60]:
        assert engine.classes_of(node, vocabulary) == store.classes_of(node, vocabulary)
    assert engine.count() == store.count()
    assert engine.holds_at_most(store.count())
    assert not engine.holds_at_most(store.count() - 1)
    assert engine.holds_relation(R + "spaceflight.rocket.mass")
    assert not engine.holds_relation(R + "spaceflight.rocket.colour")


def test_many_look_ups_in_few_queries(
    engine: HttpEngine, store: OxigraphEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    select = engine.client.stream
    monkeypatch.setattr(engine.client, "stream", lambda text, *a, **k: (sent.append(text), select(text, *a, **k))[1])
    nodes = sorted({s for s, _, _ in store.triples(None, LABEL) if isinstance(s, Iri)}, key=str)
    assert len(engine.labels(nodes, load_vocabulary())) == 691
    assert len(sent) == 2
    patterns = [Pattern(None, [LABEL], None), Pattern(nodes[:3], [TYPE], None), Pattern([], [TYPE], None)]
    assert set(engine.matching(patterns)) == set(matching(MemoryGraph(store.triples()), patterns))


def test_it_says_what_it_is(server: Server, engine: HttpEngine) -> None:
    assert engine.dialect == server.name
    assert engine.version == HttpEngine(replace(engine.endpoint, dialect=None)).version
    assert server.name in engine.version.lower()
    assert HttpEngine(replace(engine.endpoint, dialect=None)).dialect == server.name
    assert (engine.snapshot, engine.cache_scope) == ("unstated", None)
    stated = HttpEngine(replace(engine.endpoint, snapshot="2026-11"))
    assert stated.snapshot == "2026-11"
    assert stated.cache_scope is not None
    assert isinstance(engine, Graph)


def test_a_dialect_as_it_is_at_this_endpoint() -> None:
    engine = HttpEngine(
        Endpoint("http://127.0.0.1:9/sparql", "jena", differs=(("folds_language", True), ("row_cap", 5)))
    )
    assert (engine.spoken.folds_language, engine.spoken.row_cap, engine.dialect) == (True, 5, "jena")
    for wrong in ("colour", "name"):
        with pytest.raises(InputError, match=wrong):
            HttpEngine(Endpoint("http://127.0.0.1:9/sparql", "jena", differs=((wrong, True),)))
    with pytest.raises(InputError, match="no dialect"):
        HttpEngine(Endpoint("http://127.0.0.1:9/sparql", "sparql12"))


# --- terms that engines treat in their own way ----------------------------------------------------------------------

ODD: list[TripleRow] = [
    *[
        (Iri(f"{E}{n}"), P, Literal(text, XSD + kind))
        for n, (text, kind) in enumerate(
            [
                ("1", "integer"),
                ("1.0", "decimal"),
                ("1.0E0", "double"),
                ("true", "boolean"),
                ("2001", "gYear"),
                ("2001-01-01", "date"),
                ("-0427", "gYear"),
                ("-0044-03-15", "date"),
                ("3.14159265358979", "double"),
                ("1", "string"),
            ]
        )
    ],
    (Iri(E + "a"), L, Literal("Delta")),
    (Iri(E + "b"), L, tagged("Delta", "en")),
    (Iri(E + "c"), L, tagged("Delta", "de")),
    (Iri(E + "d"), L, Literal("Delta", E + "datatype")),
    (Iri(E + "e"), L, tagged("Delta", "en-us")),
    (Iri(E + "ü"), L, Literal('é "\\ \n\t漢𝒳')),
]


def test_a_literal_is_found_as_the_term_that_it_is(server: Server) -> None:
    engine = engine_of(server, ODD, "odd")
    for subject, predicate, literal in engine.triples():
        found = list(engine.triples(None, predicate, literal))
        assert (subject, predicate, literal) in found
        assert {o for _, _, o in found} == {literal}
        assert list(engine.triples(subject, predicate, literal)) == [(subject, predicate, literal)]
    spelled = {s: o for s, _, o in engine.triples()}
    assert spelled[Iri(E + "6")] == Literal("-0427", XSD + "gYear")
    assert spelled[Iri(E + "7")] == Literal("-0044-03-15", XSD + "date")
    assert spelled[Iri(E + "3")] == Literal("true", XSD + "boolean")
    double = spelled[Iri(E + "8")]
    assert isinstance(double, Literal)
    assert float(double.lexical) == 3.14159265358979


def test_a_language_tag_is_found_in_any_case(jena: Server) -> None:
    tags = ("en-US", "EN-us", "eN", "zh-Hant-TW")
    jena.load_text("".join(f'<{E}{n}> <{LABEL.value}> "x"@{tag} .\n' for n, tag in enumerate(tags)), "urn:case")
    engine = HttpEngine(jena.endpoint("urn:case"))
    vocabulary = load_vocabulary()
    assert engine.label_languages(vocabulary) == ("", "en", "en-us", "zh-hant-tw")
    bearers = [Iri(f"{E}{n}") for n in range(4)]
    assert engine.entities_labelled("x", vocabulary) == tuple(bearers)
    assert engine.entities_labelled("x", vocabulary, ("En-uS",)) == tuple(bearers[:2])
    assert engine.entities_labelled("x", vocabulary, ("en", "")) == (bearers[2],)
    assert engine.entities_labelled("x", vocabulary, ("de",)) == ()
    american = tagged("x", "en-us")
    found = [(bearer, LABEL, american) for bearer in bearers[:2]]
    assert sorted(engine.triples(None, None, american), key=str) == found
    assert list(engine.triples(bearers[1], LABEL, american)) == found[1:]
    assert not list(engine.triples(bearers[2], LABEL, american))
    assert engine.estimate(None, LABEL, american) == 2
    assert set(engine.matching([Pattern(None, [LABEL], [american])])) == set(found)


BLANK: list[TripleRow] = [
    (Iri(E + "a"), P, Blank("x")),
    (Blank("x"), P, Blank("y")),
    (Blank("y"), L, Literal("end")),
    (Blank("y"), TYPE, Iri(E + "End")),
]


def test_a_blank_node_is_followed_or_refused_and_never_taken_for_another(server: Server) -> None:
    engine = engine_of(server, BLANK, "blank")
    ((_, _, x),) = engine.triples(Iri(E + "a"), P)
    assert isinstance(x, Blank)
    if server.name == "virtuoso":
        ((_, _, y),) = engine.triples(x, P)
        assert [o for _, _, o in engine.triples(y, L)] == [Literal("end")]
        assert engine.classes_of(y, load_vocabulary()) == (Iri(E + "End"),)
    else:
        with pytest.raises(EngineError, match="blank node"):
            list(engine.triples(x, P))
    ((again, _, _),) = engine.triples(None, L)
    assert again != x


def test_graphs_that_are_merged_hold_a_triple_once(server: Server) -> None:
    for name in ("one", "other"):
        server.load([(Iri(E + "a"), P, Iri(E + "b")), (Iri(E + name), P, Literal("x"))], f"urn:merged-{name}")
    engine = HttpEngine(replace(server.endpoint("urn:merged-one"), graphs=("urn:merged-one", "urn:merged-other")))
    assert len(list(engine.triples())) == engine.count() == engine.estimate() == 3
    assert list(engine.statistics().relation_counts()) == [(P.value, 3, 3, 2)]
    assert sorted(n for *_, n in engine.statistics().literals()) == [2]


# --- schema ---------------------------------------------------------------------------------------------------------


def test_the_schema_is_that_of_the_store(engine: HttpEngine, store: OxigraphEngine) -> None:
    vocabulary = load_vocabulary()
    assert rows_of(infer_schema(engine, vocabulary)) == rows_of(infer_schema(store, vocabulary))


STATED = """
@prefix : <http://e.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Film a owl:Class ; rdfs:label "film" . :Play a owl:Class . :Man a owl:Class .
:about rdfs:domain [ a owl:Class ; owl:unionOf ( :Film :Play ) ] ; rdfs:range :Man .
[] a owl:AllDisjointClasses ; owl:members ( :Film :Play :Man ) .
:f a :Film ; :about :m ; :part [ :of :f ; :when 3 ] . :g a :Play ; :about :m , :n .
:m a :Man ; :liked_by :n . :n a :Man ; :likes :m .
"""


def test_class_expressions_hang_together_by_their_blank_nodes(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "stated.ttl"
    path.write_text(STATED)
    server.load(path, "urn:stated")
    found = infer_schema(HttpEngine(server.endpoint("urn:stated")), load_vocabulary())
    expected = infer_schema(MemoryGraph.read(path), load_vocabulary())
    assert rows_of(found) == rows_of(expected)
    about = found.relation(E + "about")
    assert about is not None
    assert about.domain == ((E + "Film", E + "Play"),)


def test_the_schema_of_a_real_graph_with_blank_nodes(oxigraph_server: Server, shared: Path) -> None:
    folder = shared / "data" / "mondial"
    store = OxigraphEngine.memory()
    store.load(folder / "mondial-europe.n3.gz", folder / "mondial-meta.n3")
    oxigraph_server.load(store.triples(), "urn:mondial")
    engine = HttpEngine(oxigraph_server.endpoint("urn:mondial"))
    vocabulary = load_vocabulary()
    assert rows_of(infer_schema(engine, vocabulary)) == rows_of(infer_schema(store, vocabulary))


# --- questions ------------------------------------------------------------------------------------------------------

BOEING = "expression = JOIN('spaceflight.rocket.manufacturer', START('Boeing Company'))"
HEAVY_AND_NOT_BY_BOEING = (
    "expression = AND(JOIN('spaceflight.rocket.manufacturer', START('Boeing Company'), neg=True),"
    " CMP('>', 'spaceflight.rocket.mass', 700000))"
)
PROGRAMS = [
    BOEING,
    "expression = COUNT(JOIN('R_spaceflight.rocket.launches', START('Saturn V')))",
    HEAVY_AND_NOT_BY_BOEING,
    "expression = ARG('ARGMAX', START('spaceflight.rocket', kind='class'), 'spaceflight.rocket.mass')",
    "expression = JOIN('people.person.date_of_birth', START('-0427^^xsd:gYear'))",
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_question_has_the_store_s_answer(engine: HttpEngine, store: OxigraphEngine, program: str) -> None:
    declared, vocabulary = pylf.api.bundled_schema()
    query = pylf.compile(f"{program}\nexpression = STOP(expression)").ir
    found = engine.run(query, declared, vocabulary, timeout=30)
    assert found.key() == store.run(query, declared, vocabulary).key()
    assert not found.empty
    text = pylf.backends.sparql.emit(query, declared, vocabulary, engine.spoken)
    assert engine.answers(query, text).key() == found.key()


def test_select_and_ask_take_text(engine: HttpEngine) -> None:
    found = engine.select(
        f"SELECT ?l ?no {{ <{R}boeing> <{LABEL.value}> ?l OPTIONAL {{ ?l <{E}no> ?no }} }} ORDER BY ?l"
    )
    assert found == [{"l": tagged("Boeing Company", "en")}, {"l": tagged("ボーイング", "ja")}]
    assert engine.ask(f"ASK {{ <{R}boeing> ?p ?o }}")
    for update in ("DELETE WHERE { ?s ?p ?o }", "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }"):
        with pytest.raises(EngineError):
            engine.select(update)


def test_answers_are_explained(engine: HttpEngine, store: OxigraphEngine) -> None:
    declared, vocabulary = pylf.api.bundled_schema()
    for program in (BOEING, "expression = JOIN('spaceflight.rocket.manufacturer', START('Boeng'))"):
        query = pylf.compile(f"{program}\nexpression = STOP(expression)").ir
        answers = store.run(query, declared, vocabulary)
        told = [explain(query, answers, one, declared, vocabulary).render(None) for one in (engine, store)]
        assert told[0].replace("unstated", "") == told[1].replace(store.snapshot[:16], "").replace(store.snapshot, "")


def test_booleans_are_spelled_out(server: Server) -> None:
    truths: list[TripleRow] = [(Iri(f"{E}{word}"), P, Literal(word, XSD + "boolean")) for word in ("true", "false")]
    engine = engine_of(server, truths, "booleans")
    # whatever else is found to differ
    plain = HttpEngine(replace(engine.endpoint, dialect=engine.dialect, differs=(("short_years", False),)))
    for asked in (engine, plain):
        assert set(asked.triples()) == set(truths)
        found = asked.select(f"SELECT ?o WHERE {{ ?s <{P.value}> ?o }}")
        assert {row["o"] for row in found} == {o for _, _, o in truths}
        assert {o for (o,) in asked.rows(Select((Var("o"),), Group((TriplePattern(Var("s"), P, Var("o")),))))} == {
            o for _, _, o in truths
        }


# --- named cases ----------------------------------------------------------------------------------------------------


def test_case_34_the_endpoint_does_not_hold_a_relation(engine: HttpEngine) -> None:
    compiled = pylf.compile(
        "e = JOIN('<http://split.example/cites>', START('Boeing Company'))\n"
        "e = AND(e, JOIN('spaceflight.rocket.mass', START(1)))\n"
        "e = AND(e, JOIN('<http://split.example/blames>', START('Boeing Company'), neg=True))\n"
        "expression = STOP(e)",
        lenient=True,
    )
    query, vocabulary = compiled.ir, compiled.vocabulary
    needed = {Named("relation", iri) for iri in (R + "spaceflight.rocket.mass", "http://split.example/cites")}
    assert needed <= set(named_in(query, vocabulary))
    cites, blames = "http://split.example/cites", "http://split.example/blames"
    assert not_held(engine, query, vocabulary) == (cites, blames)
    # what excludes nothing may be missed where there are answers, too
    assert not_held(engine, query, vocabulary, negated=True) == (blames,)


def test_case_38_rows_in_another_order_are_the_same_answer() -> None:
    values = [[f"{E}{n}", f'"{n}'] for n in range(20)]
    query = pylf.compile("expression = STOP(JOIN('spaceflight.rocket.mass', START(1)))").ir
    declared, vocabulary = pylf.api.bundled_schema()
    name = query.outputs[0].name
    found = []
    for seed in range(3):
        random.Random(seed).shuffle(values)
        with answering(lambda _: Reply(rows([name], [[v[0]] for v in values]))) as url:
            found.append(HttpEngine(Endpoint(url, "sparql11")).run(query, declared, vocabulary))
    assert found[0] == found[1] == found[2]
    assert len(found[0].values) == 20


# --- what is incomplete does not serve ------------------------------------------------------------------------------

PARTIAL = (("X-SQL-State", "S1TAT"),)


@pytest.mark.parametrize(
    ("program", "body", "answers"),
    [
        ("ASK(START('rocket'))", truth(False), None),
        ("ASK(START('rocket'))", truth(True), Answers.of_boolean(True)),
        ("COUNT(START('rocket'))", rows(["count"], []), None),
        ("COUNT(START('rocket'))", rows(["count"], [['"7']]), Answers.of_number(7)),
    ],
)
def test_of_a_partial_yes_or_number_what_says_nothing_is_none(
    program: str, body: bytes, answers: Answers | None
) -> None:
    query = pylf.compile(f"expression = STOP({program})").ir
    declared, vocabulary = pylf.api.bundled_schema()
    body = body.replace(b'"count"', f'"{query.outputs[0].name}"'.encode()) if query.outputs else body
    with answering(lambda _: Reply(body, 200, PARTIAL)) as url:
        engine = HttpEngine(Endpoint(url, "sparql11"))
        outcome = outcome_of(lambda: engine.run(query, declared, vocabulary))
    assert (outcome.status, outcome.answers) == (Status.PARTIAL, answers)
    assert isinstance(outcome.failure(), IncompleteAnswer)


def test_a_cap_of_one_row_cuts_no_count() -> None:
    query = pylf.compile("expression = STOP(COUNT(START('rocket')))").ir
    declared, vocabulary = pylf.api.bundled_schema()
    for cap in (1, None):
        with answering(
            lambda text: Reply(rows(_columns(text)[-1:], [['"7']]), 200, (("X-SPARQL-MaxRows", "1"),))
        ) as url:
            engine = HttpEngine(Endpoint(url, "virtuoso", graphs=("urn:g",), row_cap=cap))
            assert engine.run(query, declared, vocabulary) == Answers.of_number(7)
            assert engine.count() == 7


def test_a_why_tells_that_the_endpoint_is_gone() -> None:
    declared, vocabulary = pylf.api.bundled_schema()
    graph = pylf.open_kg(
        Endpoint("http://127.0.0.1:9/", "sparql11", limits=Limits(tries=1)), schema=declared, vocabulary=vocabulary
    )
    query = pylf.compile("expression = STOP(JOIN('spaceflight.rocket.manufacturer', START('Boeing Company')))")
    found = Result(Outcome(Status.ANSWERED, Answers.of_values([Iri(E + "a")])), query, graph)
    explanation = found.why()
    assert explanation.failure is not None
    assert explanation.failure.status == "engine error"
    text = explanation.render()
    assert "too much of the graph" not in text
    assert f"Not all can be told: {explanation.failure}" in text
    told = explanation.to_json()
    assert (told["status"], told["reason"]) == ("engine error", str(explanation.failure))
    assert (found.labels, "127.0.0.1" in found.unlabelled) == ({}, True)
    nothing = Result(Outcome(Status.EMPTY, Answers.of_values([])), query, graph).why()
    assert nothing.empty is not None
    assert [remedy.kind for remedy in nothing.empty.remedies] == ["failed"]


def test_a_look_up_whose_answer_is_partial_is_an_error() -> None:
    def partial(text: str) -> Reply:
        return Reply(truth(True)) if text.startswith("ASK") else Reply(rows(_columns(text), []), 200, PARTIAL)

    vocabulary = load_vocabulary()
    with answering(partial) as url:
        engine = HttpEngine(Endpoint(url, "jena", graphs=("urn:g",)))
        for look in (
            lambda: list(engine.triples()),
            lambda: engine.select("SELECT ?s WHERE { ?s ?p ?o }"),
            lambda: engine.labels([Iri(E + "a")], vocabulary),
            lambda: engine.label_languages(vocabulary),
            lambda: engine.entities_labelled("x", vocabulary),
            lambda: engine.entities_labelled("x", vocabulary, ("en",)),
            lambda: engine.classes_of(Iri(E + "a"), vocabulary),
            engine.count,
            engine.estimate,
            lambda: infer_schema(engine, vocabulary),
        ):
            with pytest.raises(IncompleteAnswer) as raised:
                look()
            assert raised.value.status is Status.PARTIAL


def test_a_label_is_not_looked_up_under_some_languages_only() -> None:
    def slow(text: str) -> Reply:
        return Reply(b"timed out", 504) if "LANG" in text else Reply(rows(["s", "o"], []))

    with answering(slow) as url:
        engine = HttpEngine(Endpoint(url, "jena", limits=Limits(tries=1)))
        for languages in (None, ("en",)):  # it may be written "x"@EN
            with pytest.raises(EngineTimeout, match="write the entity"):
                engine.entities_labelled("x", load_vocabulary(), languages)
        assert engine.entities_labelled("x", load_vocabulary(), ("",)) == ()
        engine = HttpEngine(Endpoint(url, "oxigraph", limits=Limits(tries=1)))
        with pytest.raises(EngineTimeout, match="@en"):
            engine.entities_labelled("x", load_vocabulary())
        assert engine.entities_labelled("x", load_vocabulary(), ("en",)) == ()


def test_a_count_that_is_no_number_is_an_error() -> None:
    with answering(lambda _: Reply(rows(["n"], []))) as url, pytest.raises(EngineError, match="count"):
        HttpEngine(Endpoint(url, "jena")).count()
    with answering(lambda _: Reply(rows(["x"], [[E + "a"]]))) as url, pytest.raises(EngineError, match="columns"):
        HttpEngine(Endpoint(url, "jena")).count()


def _columns(text: str) -> list[str]:
    """The columns of a printed query's outermost SELECT."""
    head = text.split("WHERE", maxsplit=1)[0]
    return [
        word.strip("?)") for word in head.split() if word.startswith("?") and ("AS" not in head or word.endswith(")"))
    ]
