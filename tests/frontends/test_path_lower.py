"""What paths mean: which form a query has, that nested JOINs are equal IR, and the way back from IR to a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pylf
from pylf.errors import CompileError, NoForm
from pylf.frontends.path.from_ir import from_query
from pylf.frontends.path.lower import lower
from pylf.frontends.path.parser import parse
from pylf.frontends.path.printer import print_path
from pylf.frontends.path.tree import Hop, Named, PathTree, Variable
from pylf.ir.canonical import fingerprint
from pylf.ir.nodes import Form, Path
from pylf.ir.text import parse_query
from pylf.language.context import Context
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.frontends.path.tree import Node
    from pylf.ir.nodes import Query

NS = "http://pylf.example/rockets/"
ROCKETS = pylf.bundled()
KNOWN = Context(ROCKETS.schema, ROCKETS.vocabulary, graph=ROCKETS.engine)
UNKNOWN = Context(ROCKETS.schema, ROCKETS.vocabulary)

MADE_BY, SITES, STAGES = (
    "spaceflight.rocket.manufacturer",
    "spaceflight.rocket.launch_sites",
    "spaceflight.rocket.stages",
)
NUMBER, FIRST = "spaceflight.rocket.number_of_stages", "spaceflight.rocket.first_flight"


def query_of(text: str, context: Context = KNOWN) -> Query:
    return lower(parse(text), context).query


def pylf_of(text: str, context: Context = KNOWN) -> Query:
    from pylf.language.lower import lower as lower_program
    from pylf.language.parser import parse as parse_program

    return lower_program(parse_program(f"expression = STOP({text})"), context).query


def short(text: str) -> str:
    return text.replace(NS, "")


# --- forms --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "form", "outputs"),
    [
        (f"Saturn V -> {MADE_BY} -> :boeing", Form.BOOLEAN, ""),
        (f"Saturn V -> {MADE_BY} -> ?", Form.BOOLEAN, ""),
        (f"Saturn V -> {MADE_BY} -> ?_x <- {MADE_BY} <- ?", Form.BOOLEAN, ""),
        (f"Saturn V -> {MADE_BY} -> ?x", Form.SET, "x"),
        (f"?x -> {MADE_BY} -> ? <- {MADE_BY} <- ?", Form.SET, "x"),
        (f"?x -> {SITES} -> ? <- {SITES} <- ?x", Form.SET, "x"),
        (f"Saturn V -> {MADE_BY} -> ?x <- {MADE_BY} <- ?y", Form.ROWS, "x y"),
        ("Saturn V -> ?r -> ?", Form.ROWS, "r"),
        ("?y -> ?s -> ?x <- ?r <- Saturn V", Form.ROWS, "y s x r"),
        (f"?y <- {MADE_BY} <- ?x -> {MADE_BY} -> ?y", Form.ROWS, "y x"),
    ],
)
def test_what_is_asked_for_tells_the_form(text: str, form: Form, outputs: str) -> None:
    query = query_of(text)
    assert query.form is form
    if form is not Form.SET or not outputs:
        assert [output.name for output in query.outputs] == outputs.split()


def test_rows_keep_their_hops() -> None:
    query = query_of(f"Saturn V -> {SITES} -> ?x -> R_{SITES} -> ?y <- R_{MADE_BY} <- ?z <- ?r <- ?w")
    (path,) = query.body.conjuncts
    assert isinstance(path, Path)
    assert [short(str(node)) for node in path.nodes] == ["<saturn_v>", "?x", "?y", "?z", "?w"]
    assert [short(str(relation)) for relation in path.relations] == [f"<{SITES}>", f"<{SITES}>", f"<{MADE_BY}>", "?r"]
    # against the edges of what leads the other way is along them
    assert path.forward == (True, False, True, False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Saturn V -> {MADE_BY} -> Boeing Company", True),
        (f"Boeing Company <- {MADE_BY} <- Saturn V", True),
        (f"Boeing Company -> R_{MADE_BY} -> Saturn V", True),
        (f"Falcon 9 -> {MADE_BY} -> Boeing Company", False),
        (f"Saturn V -> {NUMBER} -> 3", True),
        (f"Saturn V -> {NUMBER} -> 3.0", True),
        (f"Saturn V -> {NUMBER} -> 4", False),
        (f"Saturn V -> {FIRST} -> 1967", True),
        (f"Saturn V -> {FIRST} -> 1968", False),
        ("Saturn V -> rdfs:label -> Saturn V", True),
        ("Saturn V -> rdf:type -> spaceflight.orbital_rocket", True),
        ("Jupiter <- astronomy.celestial_body.orbited_by <- Sun", True),
        (f"Saturn V -> {NUMBER} -> 3 <- {NUMBER} <- Ariane 1@fr", True),
    ],
)
def test_a_path_without_open_places_is_verified(text: str, expected: bool) -> None:
    answers = ROCKETS.engine.run(query_of(text), ROCKETS.schema, ROCKETS.vocabulary)
    assert answers.boolean is expected


def test_what_bears_a_label_is_looked_for_where_there_is_no_graph() -> None:
    query = query_of(f"Saturn V -> {MADE_BY} -> Boeing Company -> ?r -> ?x", UNKNOWN)
    found = ROCKETS.engine.run(query, ROCKETS.schema, ROCKETS.vocabulary)
    assert found == ROCKETS.engine.run(
        query_of(":saturn_v -> spaceflight.rocket.manufacturer -> :boeing -> ?r -> ?x"),
        ROCKETS.schema,
        ROCKETS.vocabulary,
    )
    assert found.rows


def test_the_topic_is_no_answer_where_that_is_asked() -> None:
    context = replace(KNOWN, exclude_topic=True)
    there_and_back = f"Saturn V -> {SITES} -> ?_s <- {SITES} <- ?x -> {SITES} -> ?_s"
    every = ROCKETS.engine.run(query_of(there_and_back), ROCKETS.schema, ROCKETS.vocabulary).values
    others = ROCKETS.engine.run(query_of(there_and_back, context), ROCKETS.schema, ROCKETS.vocabulary).values
    assert {short(str(one)) for one in set(every) - set(others)} == {"<saturn_v>"}


# --- names and types ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("Saturn V -> made_bye -> ?x -> ?r -> ?y", "unknown-relation", "made_bye"),
        ("Saturn V -> made_bye -> ?x", "unknown-relation", "made_bye"),
        (f"?x -> {NUMBER} -> ?n -> ?r -> ?y", "type-mismatch", "?n"),
        (f"?x -> {NUMBER} -> many <- ?r <- ?y", "type-mismatch", "many"),
        (f"?y <- ?r <- :boeing -> {MADE_BY} -> ?x", "type-mismatch", ":boeing"),
        (f"?y <- ?r <- <http://a b> -> {MADE_BY} -> ?x", "illegal-iri", "<http://a b>"),
        (f"?y -> ?r -> 1^^xsd:dat <- {NUMBER} <- ?x", "unknown-datatype", "1^^xsd:dat"),
    ],
)
def test_a_name_that_cannot_be_meant_is_told_with_its_place(text: str, code: str, place: str) -> None:
    with pytest.raises(CompileError) as caught:
        query_of(text)
    finding = caught.value.diagnostics[0]
    assert finding.code == code
    assert finding.span is not None
    assert finding.source is not None
    assert text[finding.span.start : finding.span.end] == place


def test_where_clashes_are_tolerated_nothing_is_found() -> None:
    query, findings = lower(parse(f"?x -> {NUMBER} -> ?n -> ?r -> ?y"), replace(KNOWN, lenient=True))
    assert [(one.code, one.severity) for one in findings] == [("type-mismatch", "warning")]
    assert ROCKETS.engine.run(query, ROCKETS.schema, ROCKETS.vocabulary).empty


def test_several_bearers_of_a_label_are_taken_with_a_warning() -> None:
    query, findings = lower(parse("Jupiter <- ?r <- ?x"), KNOWN)
    assert [one.code for one in findings] == ["ambiguous-label"]
    assert [output.name for output in query.outputs] == ["r", "x"]


# --- nested JOINs are equal IR ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "program"),
    [
        (f"Saturn V -> {MADE_BY} -> ?x", f"JOIN('R_{MADE_BY}', 'Saturn V')"),
        (f"?x -> {MADE_BY} -> :boeing", f"JOIN('{MADE_BY}', ':boeing')"),
        (f"?x -> {MADE_BY} -> ? <- {MADE_BY} <- Saturn V", f"JOIN('{MADE_BY}', JOIN('R_{MADE_BY}', 'Saturn V'))"),
        (
            f"Saturn V -> {MADE_BY} -> ? <- R_{SITES} <- ?x",
            f"JOIN('R_{SITES}', JOIN('R_{MADE_BY}', 'Saturn V'))",
        ),
        (f":boeing <- {MADE_BY} <- ?x -> {NUMBER} -> 3", f"AND(JOIN('{MADE_BY}', ':boeing'), JOIN('{NUMBER}', 3))"),
        (
            f"?x -> {SITES} -> :kennedy <- {SITES} <- Saturn V",
            f"JOIN('{SITES}', AND(START(':kennedy'), JOIN('R_{SITES}', 'Saturn V')))",
        ),
        (f"?x -> {FIRST} -> 1967-11-09", f"JOIN('{FIRST}', '1967-11-09')"),
        ("?x -> rdfs:label -> Saturn V@en", "JOIN('rdfs:label', 'Saturn V@en')"),
        (f"Saturn V -> {MADE_BY} -> ?", f"ASK(JOIN('R_{MADE_BY}', 'Saturn V'))"),
        (
            f":boeing <- {MADE_BY} <- ?_x -> {SITES} -> :kennedy",
            f"ASK(AND(JOIN('{MADE_BY}', ':boeing'), JOIN('{SITES}', ':kennedy')))",
        ),
    ],
)
def test_a_set_at_a_place_of_a_path_is_what_joins_mean(path: str, program: str) -> None:
    for context in (KNOWN, UNKNOWN):
        lenient = replace(context, lenient=True)
        assert query_of(path, lenient) == pylf_of(program, lenient)


_RELATIONS = sorted(
    relation.iri.removeprefix(NS) for relation in ROCKETS.schema.source.all_relations() if relation.iri.startswith(NS)
)
_ENTITIES = (":saturn_v", ":boeing", "Falcon 9", "Jupiter", "<http://e/x>", "nobody at all", "3", "1967-11-09")
_STEPS = st.tuples(st.sampled_from(_RELATIONS), st.booleans(), st.booleans())


@given(st.sampled_from(_ENTITIES), st.lists(_STEPS, min_size=1, max_size=4), st.booleans(), st.booleans())
def test_any_chain_is_equal_to_its_nested_joins(
    start: str, steps: list[tuple[str, bool, bool]], from_the_left: bool, known: bool
) -> None:
    """A chain is written as JOINs by hand, and as a path from either side, its arrows and names turned at will."""
    program = repr(start)
    nodes: list[Named | Variable] = [Named(start)]
    hops: list[Hop] = []
    for relation, along, turned in steps:
        program = f"JOIN('{'R_' if along else ''}{relation}', {program})"
        # a path that is written from its other end has every arrow turned, and R_ turns one again
        hops.append(Hop(Named(f"{'R_' if turned else ''}{relation}"), (along is from_the_left) is not turned))
        nodes.append(Variable())
    nodes[-1] = Variable("x", asked=True)
    if not from_the_left:
        nodes, hops = nodes[::-1], hops[::-1]
    context = replace(KNOWN if known else UNKNOWN, lenient=True)
    tree = PathTree(tuple(nodes), tuple(hops))
    meant, codes = _query_or_codes(lambda: pylf_of(program, context))
    assert _query_or_codes(lambda: lower(tree, context).query) == (meant, codes)


def _query_or_codes(lowered: Callable[[], Query]) -> tuple[Query | None, set[str]]:
    """A query, or the codes of why there is none."""
    try:
        return lowered(), set()
    except CompileError as problem:
        return None, {one.code for one in problem.diagnostics}


# --- from IR to a path --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        (f"Saturn V -> {MADE_BY} -> :boeing", f":saturn_v -> {MADE_BY} -> :boeing"),
        (f"?y <- {MADE_BY} <- ?x -> ?r -> ?y", f"?y <- {MADE_BY} <- ?x -> ?r -> ?y"),
        (
            "?y -> ?_r -> ?_x -> ?_r -> ?_x -> ?r -> ?",
            "?y -> ?_relation1 -> ?_node1 -> ?_relation1 -> ?_node1 -> ?r -> ?",
        ),
        (f"Saturn V -> {NUMBER} -> 3", f":saturn_v -> {NUMBER} -> 3"),
        (
            f"Saturn V -> {MADE_BY} -> ? <- {MADE_BY} <- Falcon 9",
            f":saturn_v -> {MADE_BY} -> ? <- {MADE_BY} <- :falcon_9",
        ),
        (f"?x -> {MADE_BY} -> ? <- {MADE_BY} <- ?", f"?x -> {MADE_BY} -> ? <- {MADE_BY} <- ?"),
        (
            f"Saturn V -> {MADE_BY} -> ? <- {MADE_BY} <- ?x",
            f":saturn_v -> {MADE_BY} -> ? <- {MADE_BY} <- ?rocket",
        ),
    ],
)
def test_a_query_is_written_as_the_path_that_means_it(text: str, printed: str) -> None:
    assert print_path(from_query(query_of(text), UNKNOWN)) == printed
    assert fingerprint(query_of(printed, UNKNOWN)) == fingerprint(query_of(text))


def test_a_label_that_a_query_looks_for_is_written() -> None:
    text = f"Saturn V -> {MADE_BY} -> ? <- {MADE_BY} <- ?rocket"
    assert print_path(from_query(query_of(text, UNKNOWN), UNKNOWN)) == text


_PLACES: st.SearchStrategy[Node] = st.one_of(
    st.sampled_from([Named(text) for text in _ENTITIES]),
    st.just(Variable()),
    st.builds(Variable, st.sampled_from("ab"), st.booleans()),
)
_KNOWN_HOPS = st.builds(Hop, st.sampled_from([Named(relation) for relation in _RELATIONS]), st.booleans())
_ANY_HOPS = st.one_of(
    _KNOWN_HOPS, st.builds(Hop, st.builds(Variable, st.sampled_from("rs"), st.booleans()), st.booleans())
)


@given(st.lists(_ANY_HOPS, min_size=1, max_size=3), st.data())
def test_what_is_written_of_a_query_means_the_query(hops: list[Hop], data: st.DataObject) -> None:
    nodes = data.draw(st.lists(_PLACES, min_size=len(hops) + 1, max_size=len(hops) + 1))
    try:
        query = lower(PathTree(tuple(nodes), tuple(hops)), UNKNOWN).query
    except CompileError:
        return
    try:
        tree = from_query(query, UNKNOWN)
    except NoForm:
        return
    assert fingerprint(query_of(print_path(tree), UNKNOWN)) == fingerprint(query)


@pytest.mark.parametrize(
    ("program", "what"),
    [
        ("COUNT(JOIN('spaceflight.rocket.manufacturer', ':boeing'))", "a number"),
        ("MINUS(JOIN('R_spaceflight.rocket.manufacturer', ':saturn_v'), ':boeing')", "negation"),
        ("OR(':boeing', ':spacex')", "a union"),
        ("JOIN(CLOSURE('spaceflight.rocket.stages'), ':boeing')", "a closure"),
        (f"ARG('ARGMAX', JOIN('{MADE_BY}', ':boeing'), 'spaceflight.rocket.mass')", "a superlative"),
        ("CMP('<', 'spaceflight.rocket.mass', 1000)", "a comparison"),
        ("AND('spaceflight.rocket', JOIN('spaceflight.rocket.manufacturer', ':boeing'))", "the instances of a class"),
        ("START(':boeing')", "follows no relation"),
    ],
)
def test_what_paths_have_no_form_for_is_refused_by_name(program: str, what: str) -> None:
    with pytest.raises(NoForm, match="no-path") as caught:
        from_query(pylf_of(program, replace(UNKNOWN, lenient=True)), UNKNOWN)
    assert what in str(caught.value)


def test_columns_in_another_order_are_refused() -> None:
    query = parse_query("rows ?y ?x\nwhere\n  path ?x -<http://e/r>-> ?y\n")
    with pytest.raises(NoForm, match="another order"):
        from_query(query, UNKNOWN)
