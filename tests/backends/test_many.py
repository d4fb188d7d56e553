"""Many queries at one engine: what is asked together, what alone, and that each outcome is the one asked alone."""

from __future__ import annotations

from functools import partial
from itertools import count, groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pylf.backends.dialects import dialect_named
from pylf.backends.engines.http import HttpEngine
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.execute import asked
from pylf.backends.many import TOGETHER, Asking, ask_all, first_answered, outcomes, pays
from pylf.backends.outcome import IncompleteAnswer, Outcome, Status, outcome_of
from pylf.backends.results_cache import ResultsCache
from pylf.backends.sparql import emit
from pylf.errors import EngineError, EngineTimeout, InputError, UnsupportedOperation
from pylf.ir import build
from pylf.ir.answers import Answers
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Form, Kind, Op, Query
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import Iri, Literal, Var
from pylf.records import replace
from pylf.testing.differential.case import Case, Understood, understand
from pylf.testing.differential.engines import Served
from pylf.testing.drawn.schemas import VOCABULARY
from pylf.testing.drawn.worlds import block
from tests.ir.passes.pairs import pairs
from tests.ir.passes.planned import VOCABULARY as PLANNED
from tests.ir.passes.planned import stated

if TYPE_CHECKING:
    from pylf.backends.sparql.dialect import Dialect
    from pylf.ir.terms import Node
    from pylf.testing.servers import Server
    from tests.ir.passes.pairs import Pair

PLANS = Path(__file__).parents[1] / "ir" / "passes"
E = "http://e/"
SCHEMA = Schema(MemorySource((), (), {}))
PLAIN = Vocabulary("plain")
P = Iri(E + "p")
X, Y, N = Var("x"), Var("y"), Var("n")
#: ten entities in a row, each with the next
GRAPH = MemoryGraph([(Iri(f"{E}{n}"), P, Iri(f"{E}{n + 1}")) for n in range(10)])
STORE = OxigraphEngine.memory(GRAPH.triples())
#: of which parts are found first, at -O2
FIRST = pairs(PLANS / "project_early")


class Far:
    """The store as if it stood elsewhere: what is asked together and alone is noted, and may fail."""

    lookup_cost = 400
    cache_scope = "far"

    def __init__(
        self, spoken: Dialect | None = None, problem: EngineError | None = None, failing: Query | None = None
    ) -> None:
        self.spoken = spoken or dialect_named("oxigraph")
        #: what goes wrong with every batch, and with one query alone
        self.problem = problem
        self.failing = failing
        self.together: list[int] = []
        self.texts: list[str] = []
        self.alone = 0

    def run(
        self, query: Query, schema: Schema, vocabulary: Vocabulary, optimize: int = 1, timeout: float | None = None
    ) -> Answers:
        text = emit(query, schema, vocabulary, self.spoken, optimize)
        self.alone += 1
        if self.problem is not None and query == self.failing:
            raise self.problem
        return STORE.answers(query, text, timeout)

    def select(self, sparql: str, timeout: float | None = None) -> list[dict[str, Node]]:
        self.together.append(sparql.count("<urn:pylf:"))
        self.texts.append(sparql)
        if self.problem is not None:
            raise self.problem
        return STORE.select(sparql, timeout)


def _next(n: int) -> Query:
    """What comes after an entity."""
    return build.query(Form.SET, (X,), build.triple(Iri(f"{E}{n}"), P, X))


def _listed(n: int) -> Query:
    """What comes after an entity, or a word."""
    listed = build.member(X, (Literal("a word"), Iri(f"{E}{n}")))
    return build.query(Form.SET, (X,), build.union([listed, build.triple(Iri(f"{E}{n}"), P, X)]))


def _form(pair: Pair) -> str:
    return pair.before.form.value


def _many(n: int) -> Query:
    """How many come after an entity."""
    return build.query(Form.NUMBER, (N,), build.count(N, X, build.triple(Iri(f"{E}{n}"), P, X)))


def _asked(engine: Any, queries: list[Query], cache: ResultsCache | None = None) -> list[Outcome]:
    return ask_all(Asking(engine, SCHEMA, PLAIN, cache=cache), queries)


def _values(outcome: Outcome) -> list[str]:
    assert outcome.answers is not None
    return [str(value) for value in outcome.answers.values]


# --- together, or one by one --------------------------------------------------------------------------------------


def test_sixteen_candidates_cost_one_query() -> None:
    far: Any = Far()
    found = _asked(far, [_next(n) for n in range(TOGETHER)])
    assert (far.together, far.alone) == ([TOGETHER], 0)
    assert [_values(outcome) for outcome in found[:10]] == [[f"<{E}{n + 1}>"] for n in range(10)]
    assert [outcome.status for outcome in found] == [Status.ANSWERED] * 10 + [Status.EMPTY] * 6


def test_more_of_them_cost_as_many_as_it_takes() -> None:
    far: Any = Far()
    assert len(_asked(far, [_next(n) for n in range(2 * TOGETHER + 1)])) == 2 * TOGETHER + 1
    assert (far.together, far.alone) == ([TOGETHER, TOGETHER], 1)


def test_those_of_one_kind_go_together() -> None:
    far: Any = Far()
    found = _asked(far, [_next(1), _many(1), _next(2), _many(12), _next(12)])
    assert (sorted(far.together), far.alone) == ([2, 3], 0)
    assert [outcome.status for outcome in found] == [Status.ANSWERED] * 4 + [Status.EMPTY]
    assert [found[place].answers for place in (1, 3)] == [Answers.of_number(1), Answers.of_number(0)]


def test_a_store_at_hand_is_asked_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Query] = []
    run = OxigraphEngine.run

    def noted(engine: OxigraphEngine, query: Query, *more: Any) -> Answers:
        ran.append(query)
        return run(engine, query, *more)

    monkeypatch.setattr(OxigraphEngine, "run", noted)
    queries = [_next(n) for n in range(4)]
    found = outcomes(Asking(STORE, SCHEMA, PLAIN), queries)
    assert not pays(STORE)
    assert _values(next(found)) == [f"<{E}1>"]
    assert ran == queries[:1]
    assert len(list(found)) == 3
    assert ran == queries


def test_what_says_the_same_is_asked_once() -> None:
    other_name = build.query(Form.SET, (Y,), build.triple(Iri(f"{E}1"), P, Y))
    far: Any = Far()
    found = _asked(far, [_next(1), _next(2), other_name, *[_next(n) for n in range(20, 40)], _next(1)])
    assert sum(far.together) + far.alone == 22
    assert found[0].answers == found[2].answers == found[-1].answers
    assert [outcome.cached for outcome in found] == [False, False, True, *[False] * 20, True]
    assert found[2].seconds == found[-1].seconds == 0


def test_the_seconds_of_a_batch_are_shared_out() -> None:
    found = _asked(Far(), [_next(n) for n in range(4)])
    assert len({outcome.seconds for outcome in found}) == 1
    assert found[0].seconds > 0


# --- the first that is answered -----------------------------------------------------------------------------------


def test_the_first_that_is_answered_ends_the_asking() -> None:
    far: Any = Far()
    found = first_answered(Asking(far, SCHEMA, PLAIN), map(_next, count(-5)))
    assert found is not None
    assert found[0] == 5
    assert _values(found[1]) == [f"<{E}1>"]
    assert far.together == [TOGETHER]


def test_nothing_is_answered() -> None:
    assert first_answered(Asking(STORE, SCHEMA, PLAIN), [_next(50), _next(51)]) is None
    assert first_answered(Asking(STORE, SCHEMA, PLAIN), []) is None


def test_what_fails_is_passed_over() -> None:
    far: Any = Far(problem=EngineTimeout("too slow"), failing=_next(1))
    found = first_answered(Asking(far, SCHEMA, PLAIN), [_next(50), _next(1), _next(2)])
    assert found is not None
    assert found[0] == 2


# --- what does not go together ------------------------------------------------------------------------------------


def test_a_candidate_without_a_form_spoils_no_other() -> None:
    ordered = build.compare(Op.LT, X, Literal("m"), Kind.TEXT)
    unsaid = build.query(Form.SET, (X,), build.join(build.triple(Iri(E + "1"), P, X), ordered))
    unbound = build.query(Form.SET, (X,), build.negate(build.triple(Iri(E + "1"), P, X)))
    far: Any = Far(replace(dialect_named("oxigraph"), collates=True))
    found = _asked(far, [_next(0), _next(1), unsaid, _next(2), unbound, _next(3)])
    assert [outcome.status for outcome in found] == [
        *(Status.ANSWERED, Status.ANSWERED, Status.ERROR, Status.ANSWERED, Status.ERROR, Status.ANSWERED)
    ]
    assert "cannot be expressed in SPARQL" in found[2].reason
    assert "nothing positive binds the output" in found[4].reason
    assert sum(far.together) + far.alone == 4  # nothing is sent of either


@pytest.mark.parametrize("limits", [{"arms_limit": 4}, {"weight_limit": 26}])
def test_limits_of_the_dialect_make_smaller_batches(limits: dict[str, int]) -> None:
    far: Any = Far(replace(dialect_named("oxigraph"), **limits))
    found = _asked(far, [_next(n) for n in range(16)])
    assert far.together == [4, 4, 4, 4]
    assert [_values(outcome) for outcome in found[:2]] == [[f"<{E}1>"], [f"<{E}2>"]]


@pytest.mark.parametrize(
    "problem",
    [
        EngineTimeout("too slow"),
        EngineError("no idea"),
        IncompleteAnswer("cut", Answers.of_rows([(Iri("urn:pylf:0"), P)]), Status.TRUNCATED),
        IncompleteAnswer("gave up", None, Status.PARTIAL),
    ],
)
def test_what_fails_together_is_asked_alone(problem: EngineError) -> None:
    far: Any = Far(problem=problem, failing=_next(2))
    found = _asked(far, [_next(n) for n in range(4)])
    assert (far.together, far.alone) == ([4], 4)
    assert [outcome.complete for outcome in found] == [True, True, False, True]
    assert found[2].status == problem.status
    assert _values(found[3]) == [f"<{E}4>"]


def test_a_time_limit_that_is_none_is_refused() -> None:
    with pytest.raises(InputError):
        ask_all(Asking(STORE, SCHEMA, PLAIN, timeout=-1), [_next(1)])


class Silent:
    """An engine that does not answer, be it what it speaks."""

    lookup_cost = 400
    cache_scope = None

    @property
    def spoken(self) -> Dialect:
        raise EngineError("nobody there")

    def run(self, *_: object) -> Answers:
        raise EngineError("nobody there")


def test_an_engine_that_does_not_say_what_it_speaks_has_an_outcome_for_each() -> None:
    silent: Any = Silent()
    found = _asked(silent, [_next(0), _next(1), _listed(2), _listed(3)])
    assert [(outcome.status, outcome.reason) for outcome in found] == [(Status.ERROR, "nobody there")] * 4


def test_lists_of_literals_go_with_others_where_the_engine_keeps_them_apart() -> None:
    queries = [_next(0), _listed(0), _next(1), _listed(1)]
    expected = [evaluate(query, GRAPH, SCHEMA, PLAIN) for query in queries]
    for blurs, sent in ((False, ([4], 0)), (True, ([2], 2))):
        far: Any = Far(replace(dialect_named("oxigraph"), blurs_lists=blurs))
        found = _asked(far, queries)
        assert (far.together, far.alone) == sent
        assert [outcome.answers for outcome in found] == expected
    assert dialect_named("virtuoso").blurs_lists


def test_iris_that_a_parser_refuses_go_with_others() -> None:
    odd = Iri(E + "100%")
    asked_for = [build.join(build.triple(Y, P, X), build.negate(build.triple(odd, P, Y))), build.triple(odd, P, X)]
    queries = [_next(1), *(build.query(Form.SET, (X,), body) for body in asked_for)]
    far: Any = Far()
    assert dialect_named("oxigraph").strict_iris
    found = _asked(far, queries)
    assert (len(far.together), far.alone) == (1, 0)
    assert [outcome.answers for outcome in found] == [evaluate(query, GRAPH, SCHEMA, PLAIN) for query in queries]


# --- plans --------------------------------------------------------------------------------------------------------


def test_each_is_planned_as_it_would_be_alone() -> None:
    """What a pass of -O2 finds first for a query of its own, it finds first beside others."""
    schema = stated()
    for form, of_form in groupby(sorted(FIRST, key=_form), _form):
        queries = [pair.before for pair in of_form]
        far: Any = Far()
        ask_all(Asking(far, schema, PLANNED, 2), queries)
        alone = [emit(query, schema, PLANNED, far.spoken, 2).count("SELECT") - 1 for query in queries]
        assert sum(alone) > 0, form
        assert [text.count("SELECT") - 1 for text in far.texts] == [sum(alone)]


# --- kept answers -------------------------------------------------------------------------------------------------


def test_kept_answers_are_not_asked_for(tmp_path: Path) -> None:
    cache = ResultsCache(tmp_path / "answers.sqlite")
    first: Any = Far()
    again: Any = Far()
    found = _asked(first, [_next(n) for n in range(4)], cache)
    assert [outcome.cached for outcome in found] == [False] * 4
    more = _asked(again, [_next(n) for n in range(6)], cache)
    assert [outcome.cached for outcome in more] == [True] * 4 + [False] * 2
    assert [outcome.answers for outcome in more[:4]] == [outcome.answers for outcome in found]
    assert (again.together, again.alone) == ([2], 0)
    alone = asked(again, _next(0), SCHEMA, PLAIN, cache=cache)
    assert alone.cached
    assert alone.answers == found[0].answers


# --- real servers -------------------------------------------------------------------------------------------------


def test_random_candidates_on_servers(server: Server) -> None:
    """What is said of candidates that go together is what is said of each by itself."""
    contestant = Served(server.name, server.name, server)
    engine = contestant.engine
    nonempty = 0
    for number in range(6):
        drawn = block(7, number)
        level = number % 3
        contestant.load(drawn.setting.triples)
        graph = MemoryGraph(drawn.setting.triples)
        cases = [understand(Case(drawn.setting, one), drawn.schema, graph) for one in islice(drawn.programs, 24)]
        queries = [case.query for case in cases if isinstance(case, Understood)]
        found = ask_all(Asking(engine, drawn.schema, VOCABULARY, level), queries)
        for query, outcome in zip(queries, found, strict=True):
            try:
                alone = outcome_of(partial(engine.run, query, drawn.schema, VOCABULARY, level))
            except UnsupportedOperation:
                assert outcome.status is Status.ERROR
                continue
            assert outcome.status == alone.status
            if alone.answers is not None and outcome.answers is not None:
                assert outcome.answers.key() == alone.answers.key()
                nonempty += outcome.status is Status.ANSWERED
    contestant.close()
    assert nonempty > 20


def test_an_answer_that_a_cap_cuts_together_is_whole_alone(oxigraph_server: Server) -> None:
    graph = "urn:many-capped"
    things = [Iri(f"{E}{n}") for n in range(5)]
    oxigraph_server.load([(one, P, other) for one in things for other in things], graph)
    engine = HttpEngine(replace(oxigraph_server.endpoint(graph), row_cap=8))
    found = ask_all(Asking(engine, SCHEMA, PLAIN), [_next(n) for n in range(5)])
    assert [len(_values(outcome)) for outcome in found] == [5] * 5
    engine.close()
