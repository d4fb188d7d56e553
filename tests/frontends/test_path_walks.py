"""Paths that a graph has: all that walking it by hand finds, and no others; and of many paths, which it has."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pylf
from pylf.backends.dialects import dialect_named
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.many import Asking
from pylf.backends.outcome import Status as Ended
from pylf.backends.sparql import emit
from pylf.errors import CompileError, EngineTimeout, InputError
from pylf.frontends.path.between import MOST_SHAPES, Bounds, find_paths, shape_query
from pylf.frontends.path.check import Status, Verdict, check_paths, counts
from pylf.frontends.path.tree import Hop, Named, Number, PathTree, Variable
from pylf.frontends.path.walked import WalkedPath
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDFS, XSD, XSD_DECIMAL, XSD_INTEGER, Blank, Iri, Literal
from pylf.ir.values import identity
from pylf.ir.verify import verify
from pylf.records import replace
from pylf.walks import paths_between, verify_paths, write_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pylf.frontends.path.tree import Node as Place
    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.terms import Constant, Node

E = "http://e/"
SCHEMA = Schema(MemorySource((), (), {}))
PLAIN = Vocabulary("plain", prefixes={"": E})
RELATIONS = tuple([Iri(f"{E}r{number}") for number in range(3)])
ENTITIES = tuple([Iri(f"{E}e{number}") for number in range(5)])
VALUES = (Literal("10", XSD_INTEGER), Literal("10", XSD_DECIMAL), Literal("ten"), Literal("11", XSD_INTEGER))
LABEL = Iri(RDFS + "label")


class Far:
    """A store as if it stood elsewhere: what is asked costs messages, which are counted."""

    lookup_cost = 400
    cache_scope = None

    def __init__(self, store: OxigraphEngine, problem: EngineTimeout | None = None) -> None:
        self.store = store
        self.spoken = dialect_named("sparql11")
        self.problem = problem
        self.messages = 0

    def run(
        self, query: Query, schema: Schema, vocabulary: Vocabulary, optimize: int = 1, timeout: float | None = None
    ) -> Answers:
        self.sent()
        return self.store.answers(query, emit(query, schema, vocabulary, self.spoken, optimize), timeout)

    def select(self, sparql: str, timeout: float | None = None) -> list[dict[str, Node]]:
        self.sent()
        return self.store.select(sparql, timeout)

    def sent(self) -> None:
        self.messages += 1
        if self.problem is not None:
            raise self.problem


def asking(engine: Any) -> Asking:
    return Asking(engine, SCHEMA, PLAIN)


_NODES = st.sampled_from((*ENTITIES, *ENTITIES, Blank("b")))
_ENDS = st.one_of(_NODES, _NODES, st.sampled_from(VALUES))
GRAPHS = st.lists(st.tuples(_NODES, st.sampled_from(RELATIONS), _ENDS), max_size=14)
BOUNDS = st.builds(
    lambda hops, fewer, either, simple, relations, without: Bounds(
        hops, max(1, hops - fewer), either, simple, tuple(relations), tuple(without)
    ),
    st.integers(1, 3),
    st.integers(0, 2),
    st.booleans(),
    st.booleans(),
    st.lists(st.sampled_from(RELATIONS), max_size=2, unique=True),
    st.lists(st.sampled_from(RELATIONS), max_size=1),
)


def by_hand(
    triples: list[TripleRow], sources: list[Constant], targets: list[Constant] | None, bounds: Bounds
) -> Iterator[WalkedPath]:
    """Every walk over the triples that the bounds allow, one edge after another."""
    edges = [(s, p, o, True) for s, p, o in triples]
    if bounds.either:
        edges += [(o, p, s, False) for s, p, o in triples]
    walks: list[tuple[tuple[Any, ...], tuple[Any, ...], tuple[bool, ...]]] = [((one,), (), ()) for one in sources]
    for length in range(1, bounds.hops + 1):
        walks = [
            ((*nodes, far), (*relations, relation), (*forward, along))
            for nodes, relations, forward in walks
            for near, relation, far, along in edges
            if near == nodes[-1]
            if not bounds.relations or relation in bounds.relations
            if relation not in bounds.without
        ]
        for nodes, relations, forward in walks:
            if bounds.simple and len(set(map(identity, nodes))) < len(nodes):
                continue
            if length >= bounds.at_least and (targets is None or nodes[-1] in targets):
                yield WalkedPath(nodes, relations, forward)


def by_value(path: WalkedPath) -> object:
    return tuple(map(identity, path.nodes)), path.relations, path.forward


# --- between and from ---------------------------------------------------------------------------------------------


@given(GRAPHS, BOUNDS, st.lists(_ENDS, min_size=1, max_size=2), st.one_of(st.none(), st.lists(_ENDS, max_size=3)))
@settings(max_examples=40)
def test_the_paths_are_those_that_walking_by_hand_finds(
    graph: list[TripleRow], bounds: Bounds, sources: list[Any], targets: list[Any] | None
) -> None:
    sources = [one for one in dict.fromkeys(sources) if not isinstance(one, Blank)]
    targets = None if targets is None else [one for one in dict.fromkeys(targets) if not isinstance(one, Blank)]
    store = OxigraphEngine.memory(graph)
    expected = {by_value(path) for path in by_hand(list(store.triples()), sources, targets, bounds)}
    for engine in (store, Far(store)):
        found = find_paths(asking(engine), sources, targets, bounds)
        assert found.complete
        assert [by_value(path) for path in found.paths] == list(dict.fromkeys(map(by_value, found.paths)))
        assert set(map(by_value, found.paths)) == expected
        assert list(found.paths) == sorted(found.paths, key=lambda path: path.order)
        edges = set(store.triples())
        assert all(edge in edges for path in found.paths for edge in path.edges)


def test_all_shapes_of_a_length_are_asked_together() -> None:
    far = Far(OxigraphEngine.memory([(ENTITIES[0], RELATIONS[0], ENTITIES[1])]))
    (path,) = find_paths(asking(far), [ENTITIES[0]], None, Bounds(3, either=True)).paths
    assert path == WalkedPath((ENTITIES[0], ENTITIES[1]), (RELATIONS[0],), (True,))
    assert far.messages == 3


@given(GRAPHS, BOUNDS, st.integers(1, 6))
@settings(max_examples=40)
def test_a_limit_leaves_none_out_in_silence(graph: list[TripleRow], bounds: Bounds, limit: int) -> None:
    store = OxigraphEngine.memory(graph)
    sources: list[Constant] = [ENTITIES[0], ENTITIES[1]]
    every = [by_value(path) for path in by_hand(list(store.triples()), sources, None, bounds)]
    for engine in (store, Far(store)):
        found = find_paths(asking(engine), sources, None, replace(bounds, limit=limit))
        assert set(map(by_value, found.paths)) <= set(every)
        assert len(found.paths) <= limit
        assert found.more or len(found.paths) == len(set(every))
        assert found.complete is not found.more
        # that there may be more is said where spellings of a value, or two values, could have been cut; else there are
        if found.more and all(not isinstance(o, Literal) for _, _, o in store.triples()):
            assert len(set(every)) > limit == len(found.paths)
        # none of those left out is shorter than one that is kept
        lengths = sorted(len(path[1]) for path in dict.fromkeys(every))  # type: ignore[index]
        assert [len(path.relations) for path in found.paths] == lengths[: len(found.paths)]


@given(GRAPHS, st.integers(1, 3).flatmap(lambda hops: st.tuples(*[st.booleans()] * hops)), st.booleans())
@settings(max_examples=40)
def test_the_query_of_a_shape_means_on_paper_what_the_engine_says(
    graph: list[TripleRow], shape: tuple[bool, ...], simple: bool
) -> None:
    graph = [triple for triple in graph if not any(isinstance(node, Blank) for node in triple)]
    query = shape_query(shape, ENTITIES[:2], None, Bounds(simple=simple))
    verify(query)
    evaluated = evaluate(query, MemoryGraph(graph), SCHEMA, PLAIN)
    assert evaluated.key() == OxigraphEngine.memory(graph).run(query, SCHEMA, PLAIN).key()


def test_a_value_of_many_spellings_is_one_end_and_cuts_nothing() -> None:
    spellings = [Literal("10", XSD + datatype) for datatype in ("integer", "decimal", "double", "float")]
    graph: list[TripleRow] = [(ENTITIES[0], RELATIONS[0], spelling) for spelling in spellings]
    engine = OxigraphEngine.memory([*graph, (ENTITIES[0], RELATIONS[1], ENTITIES[1])])
    every = find_paths(asking(engine), [ENTITIES[0]], None, Bounds(1))
    assert (len(every.paths), every.complete) == (2, True)
    # the engine stops at three rows, which may all be the one value: there may be more, and so it says
    some = find_paths(asking(engine), [ENTITIES[0]], None, Bounds(1, limit=2))
    assert some.more


def test_what_cannot_be_asked_is_no_empty_set() -> None:
    far: Any = Far(OxigraphEngine.memory([]), EngineTimeout("too slow"))
    found = find_paths(asking(far), [ENTITIES[0]], None, Bounds(2))
    assert not found.complete
    assert {outcome.status for outcome in found.failures} == {Ended.TIMEOUT}
    graph = pylf.KnowledgeGraph(far, SCHEMA, PLAIN, "far")
    with pytest.raises(EngineTimeout, match="too slow"):
        paths_between(graph, [ENTITIES[0]])
    assert not paths_between(graph, [ENTITIES[0]], allow_partial=True).complete
    assert [verdict.status for verdict in verify_paths(graph, [":e0 -> :r0 -> :e1"])] == [Status.UNDECIDED]


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        (Bounds(0), "no path has so many"),
        (Bounds(1, 2), "no path has so many"),
        (Bounds(2, 0), "no path has so many"),
        (Bounds(7, either=True), f"{MOST_SHAPES} are the most"),
        (Bounds(2, limit=0), "a limit is 1 or more"),
    ],
)
def test_bounds_that_allow_nothing_or_too_much_are_refused(bounds: Bounds, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_paths(asking(OxigraphEngine.memory([])), ENTITIES, None, bounds)


def test_a_blank_node_is_walked_through_and_never_asked_for() -> None:
    graph: list[TripleRow] = [(ENTITIES[0], RELATIONS[0], Blank("b")), (Blank("b"), RELATIONS[1], ENTITIES[1])]
    engine = OxigraphEngine.memory(graph)
    (path,) = find_paths(asking(engine), [ENTITIES[0]], [ENTITIES[1]]).paths
    assert isinstance(path.nodes[1], Blank)
    # written, it is a place that is open
    assert [verdict.holds for verdict in check_paths(asking(engine), [path.tree()])] == [True]
    with pytest.raises(InputError, match="blank node"):
        find_paths(asking(engine), [Blank("b")], None)


def test_ends_are_listed_in_several_queries_where_there_are_many() -> None:
    many = [Iri(f"{E}n{number}") for number in range(450)]
    engine = OxigraphEngine.memory([(one, RELATIONS[0], ENTITIES[0]) for one in many])
    assert len(find_paths(asking(engine), many, ENTITIES, Bounds(1)).paths) == len(many)


def test_paths_are_asked_for_by_name() -> None:
    rockets = pylf.bundled()
    relation = "spaceflight.rocket.launch_sites"
    found = paths_between(rockets, ["Saturn V"], ["Falcon 9", ":delta_ii"], either=True, relations=[relation])
    assert write_paths(rockets, found.paths, arrows="unicode", tags=True) == [
        f"<PATH> Saturn V → {relation} → Kennedy Space Center ← {relation} ← Falcon 9 </PATH>"
    ]
    assert paths_between("bundled", [Iri("http://pylf.example/rockets/saturn_v")], ["Boeing Company"]).paths
    with pytest.raises(CompileError, match="unknown-label"):
        paths_between(rockets, ["Saturn VI"])
    with pytest.raises(CompileError, match="unknown-relation"):
        paths_between(rockets, ["Saturn V"], without=["launch_sights"])
    with pytest.raises(InputError, match="a list of nodes"):
        paths_between(rockets, "Saturn V")


# --- bulk verification --------------------------------------------------------------------------------------------

_PLACES: st.SearchStrategy[Place] = st.one_of(
    st.sampled_from([Named(f":e{number}") for number in range(5)]),
    st.sampled_from([Named(f":e{number}") for number in range(5)]),
    st.just(Variable()),
    st.builds(Variable, st.sampled_from("xy"), st.booleans()),
    st.sampled_from((Number("10"), Named("ten^^xsd:string"), Named("one"), Named("two"))),
)
_HOPS = st.builds(
    Hop,
    st.one_of(st.sampled_from([Named(f":r{number}") for number in range(3)]), st.just(Variable())),
    st.booleans(),
)


@st.composite
def _trees(draw: st.DrawFn) -> PathTree:
    hops = draw(st.lists(_HOPS, min_size=1, max_size=3))
    nodes = draw(st.lists(_PLACES, min_size=len(hops) + 1, max_size=len(hops) + 1))
    return PathTree(tuple(nodes), tuple(hops))


def _may_stand(place: Place | Variable, subject: bool, labels: dict[str, set[Node]]) -> Callable[[Node], bool]:
    """Whether a node may stand at a place, whatever stands at the others."""
    match place:
        case Variable():
            return lambda node: True
        case Number("10") if not subject:
            return lambda node: identity(node) == identity(VALUES[0])
        case Named("ten^^xsd:string") if not subject:
            return lambda node: node == Literal("ten")
        case Named(text) if text.startswith(":"):
            return lambda node: node == Iri(E + text[1:])
    return lambda node: node in labels.get(place.text, set())


def _walks(tree: PathTree, triples: list[TripleRow], labels: dict[str, set[Node]]) -> int:
    """How many hops of a path can be walked, counted by walking all edges."""
    states: list[tuple[dict[Variable, Node], Node | None]] = [({}, None)]
    for done, hop in enumerate(tree.hops):
        near, far = tree.nodes[done], tree.nodes[done + 1]
        reached: list[tuple[dict[Variable, Node], Node | None]] = []
        for (bound, at), (s, p, o) in product(states, triples):
            one, other = (s, o) if hop.forward else (o, s)
            if isinstance(hop.relation, Named) and p != Iri(E + hop.relation.text[1:]):
                continue
            if at is not None and one != at:
                continue
            now = dict(bound)
            # which hops begin at a node tells how its name is read; of a path's beginning, its own hops alone
            places = (
                (near, one, hop.forward or (done > 0 and not tree.hops[done - 1].forward)),
                (far, other, not hop.forward),
            )
            for place, node, subject in places:
                if not _may_stand(place, subject, labels)(node):
                    break
                if isinstance(place, Variable) and place.name is not None and now.setdefault(place, node) != node:
                    break
            else:
                reached.append((now, other))
        states = reached
        if not states:
            return done
    return len(tree.hops)


@given(GRAPHS, st.lists(_trees(), min_size=1, max_size=6))
@settings(max_examples=40)
def test_a_verdict_is_what_walking_by_hand_tells(graph: list[TripleRow], trees: list[PathTree]) -> None:
    labelled: list[TripleRow] = [(ENTITIES[0], LABEL, Literal("one")), (ENTITIES[1], LABEL, Literal("one"))]
    labelled += [(ENTITIES[2], LABEL, Literal("two"))]
    labels: dict[str, set[Node]] = {"one": {ENTITIES[0], ENTITIES[1]}, "two": {ENTITIES[2]}}
    store = OxigraphEngine.memory([*graph, *labelled])
    triples = list(store.triples())
    for engine in (store, Far(store)):
        for tree, verdict in zip(trees, check_paths(asking(engine), trees), strict=True):
            walked = _walks(tree, triples, labels)
            if verdict.status is Status.UNKNOWN:
                told = verdict.finding
                assert told is not None
                if told.code == "unknown-entity":
                    assert not any(Iri(E + str(told.name)[1:]) in triple for triple in triples)
                else:  # a number or a text where an edge begins, that is no label either
                    assert (told.code, told.name in ("10", "ten")) == ("unknown-label", True)
                assert walked < len(tree.hops)
            elif walked == len(tree.hops):
                assert verdict == Verdict(Status.HOLDS)
            else:
                assert (verdict.status, verdict.hop) == (Status.FAILS, walked + 1)


def test_verdicts_name_what_is_wrong() -> None:
    made_by, stages = "spaceflight.rocket.manufacturer", "spaceflight.rocket.number_of_stages"
    said = [
        f"Saturn V -> {made_by} -> Boeing Company",
        f"Saturn V -> {made_by} -> Boeing Company <- {made_by} <- Falcon 9",
        f"Saturn V -> {made_by} -> SpaceX <- {made_by} <- Falcon 9",
        f"Saturn V -> {stages} -> 3.0 <- {stages} <- ?",
        f"Saturn V -> {stages} -> many",
        f"Saturn V -> {stages} -> ? -> {stages} -> ?",
        f"Saturn VI -> {made_by} -> Boeing Company",
        "Saturn V -> made_of -> Boeing Company",
        f":saturn_v -> {made_by} -> :nobody",
        "Saturn V, by Boeing",
        "Jupiter <- astronomy.celestial_body.orbited_by <- Sun",
    ]
    found = verify_paths("bundled", said)
    assert [(verdict.status.value, verdict.hop) for verdict in found] == [
        ("holds", None),
        ("fails", 2),
        ("fails", 1),
        ("holds", None),
        ("fails", 1),
        ("fails", 2),
        ("unknown name", None),
        ("unknown name", None),
        ("unknown name", 1),
        ("unreadable", None),
        ("holds", None),
    ]
    assert [verdict.finding.code for verdict in found if verdict.finding is not None] == [
        *("unknown-label", "unknown-relation", "unknown-entity", "syntax")
    ]
    assert counts(found) == {
        Status.HOLDS: 3,
        Status.FAILS: 4,
        Status.UNKNOWN: 3,
        Status.UNREADABLE: 1,
        Status.UNDECIDED: 0,
    }


def test_many_paths_cost_few_messages() -> None:
    nodes = [Iri(f"{E}n{number}") for number in range(300)]
    far = Far(OxigraphEngine.memory([(one, RELATIONS[0], other) for one, other in pairwise(nodes)]))
    trees = [
        WalkedPath((one, other, third), (RELATIONS[0],) * 2, (True, True)).tree()
        for one, other, third in zip(nodes, nodes[1:], nodes[2:], strict=False)
    ]
    trees[7] = WalkedPath((nodes[7], nodes[8], nodes[7]), (RELATIONS[0],) * 2, (True, True)).tree()
    found = check_paths(asking(far), trees)
    assert [place for place, verdict in enumerate(found) if not verdict.holds] == [7]
    assert found[7].hop == 2
    assert far.messages <= len(trees) // 32


def test_every_walked_path_holds() -> None:
    rockets = pylf.bundled()
    found = paths_between(rockets, ["Saturn V"], either=True)
    assert len(found.paths) > 500
    for texts in (write_paths(rockets, found.paths), write_paths(rockets, found.paths, labels=False)):
        assert {verdict.status for verdict in verify_paths(rockets, texts)} == {Status.HOLDS}
