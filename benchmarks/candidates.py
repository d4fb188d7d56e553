"""Sixteen candidates of a question asked together, beside the same one by one: over HTTP with connections that are
kept, on this machine and behind a delay; and on a store at hand, where it does not pay.
"""

from __future__ import annotations

import gc
import gzip
import time
from collections import defaultdict
from random import Random
from statistics import geometric_mean
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.delay import delayed
from benchmarks.tables import median, table
from pylf.backends.engines.http import HttpEngine
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.execute import asked
from pylf.backends.many import Asking, ask_all
from pylf.backends.sparql import emit
from pylf.ir import build
from pylf.ir.batch import batched
from pylf.ir.nodes import Form
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import Iri, Var
from pylf.records import replace
from pylf.testing import servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pylf.backends.engines.protocol import Engine
    from pylf.ir.answers import Answers
    from pylf.ir.nodes import Body, Query
    from pylf.ir.schema.model import Schema

_CANDIDATES = 16
_QUESTIONS = 48
#: of the half that is asked at one place, so many go before the others and are not counted
_WARMING = 4
_DELAY = 0.005
#: the share of hops that lead somewhere
_THERE = 0.7
_GRAPH = "urn:g"
_VOCABULARY = load("freebase")
_X, _Y, _N = Var("x"), Var("y"), Var("n")


class _Found(NamedTuple):
    """Milliseconds for all candidates of a question."""

    one_by_one: float
    together: float
    values: int


class _Asked(NamedTuple):
    """An engine, and what its questions are compiled with."""

    engine: Engine
    schema: Schema

    def one_by_one(self, queries: list[Query]) -> list[Answers | None]:
        return [asked(self.engine, query, self.schema, _VOCABULARY).answers for query in queries]

    def together(self, queries: list[Query]) -> list[Answers | None]:
        return [outcome.answers for outcome in ask_all(Asking(self.engine, self.schema, _VOCABULARY), queries)]

    def batched(self, queries: list[Query]) -> list[Answers | None]:
        """What :meth:`together` would do if it paid."""
        batch = batched(queries)
        text = emit(batch.query, self.schema, _VOCABULARY, self.engine.spoken)
        names = [output.name for output in batch.query.outputs]
        return batch.split([tuple(map(row.get, names)) for row in self.engine.select(text)])


def report(data: Path | None) -> str:
    """The table, as Markdown."""
    if data is None:
        return "Not measured: the data of fb15k237 is not here."
    families = _families(data)
    store = OxigraphEngine.open(data)
    schema = infer_schema(store, _VOCABULARY)
    rows, summary = [], []
    gc.freeze()  # what is made up here and the schema are no part of what is measured
    for turn, (place, engine, goal) in enumerate(_places(data, store)):
        at = _Asked(engine, schema)
        together = at.batched if engine is store else at.together
        by_kind: dict[str, float] = {}
        for family, questions in families.items():
            found = [
                _measured(at.one_by_one, together, question, n) for n, question in enumerate(questions[turn % 2 :: 2])
            ]
            found = found[_WARMING:]
            ratios = [one.one_by_one / one.together for one in found]
            times = [median(one.one_by_one for one in found), median(one.together for one in found)]
            spread = [geometric_mean(ratios), min(ratios), max(ratios)]
            figures = [f"{figure:.1f}" for figure in (*times, median(ratios), *spread)]
            values = f"{median(one.values for one in found):.0f}"
            rows.append([f"{place}: {family}", values, *figures, "" if goal is None else f"≥ {goal}"])
            by_kind[family] = geometric_mean(ratios)
        worst = min(by_kind, key=by_kind.__getitem__)
        figures = [f"{geometric_mean(by_kind.values()):.1f}", f"{by_kind[worst]:.1f} ({worst})"]
        missed = ["", ""]
        if goal is not None:
            below = [family for family, ratio in by_kind.items() if ratio < goal]
            missed = [f"≥ {goal}", "; ".join(below) or "none"]
        summary.append([place, *figures, *missed])
    words = (
        f"{_CANDIDATES} candidates of a question on `{data.name}`, {_QUESTIONS // 2 - _WARMING} questions of each "
        "kind; milliseconds for all candidates, from IR to answers, each text new to the server, the one or the other "
        "way first in turn. Candidates lead from one or two entities by relations that are there and by chance ones; "
        "`values` is how many answers they have in all, at the median. Together is `pylf.backends.many.ask_all`; on "
        "the store at hand, where that asks one by one, it is the batch that it does not make. The delay is "
        f"{_DELAY * 1e3:g} ms there and back."
    )
    headings = ["ms", "values", "one by one", "together", "ratio, median", "geometric mean", "worst", "best", "goal"]
    over = ["how many times as quick together", "geometric mean over kinds", "worst kind", "goal", "kinds below it"]
    return "\n\n".join([words, table(over, summary), table(headings, rows)])


def _places(data: Path, store: OxigraphEngine) -> Iterator[tuple[str, Engine, int | None]]:
    """Where it is asked, by name, and the goal there. A server is gone when the next one comes."""
    for name, shown in (("oxigraph", "Oxigraph server"), ("virtuoso", "Virtuoso"), ("jena", "Jena")):
        if servers.missing(name) is not None:
            continue
        with servers.start(name) as server:
            server.load(data, _GRAPH)
            endpoint = server.endpoint(_GRAPH)
            engine = HttpEngine(endpoint)
            yield f"{shown}, loopback", engine, 2
            engine.close()
            with delayed(server.port, _DELAY) as far:
                engine = HttpEngine(replace(endpoint, url=endpoint.url.replace(f":{server.port}/", f":{far}/")))
                yield f"{shown}, {_DELAY * 1e3:g} ms away", engine, 8
                engine.close()
    yield "store at hand", store, None


def _measured(
    one_by_one: Callable[[list[Query]], list[Answers | None]],
    together: Callable[[list[Query]], list[Answers | None]],
    question: list[Query],
    turn: int,
) -> _Found:
    seconds, answers = {}, {}
    for way in (one_by_one, together) if turn % 2 else (together, one_by_one):
        start = time.perf_counter()
        answers[way] = way(question)
        seconds[way] = time.perf_counter() - start
    values = 0
    for alone, joint in zip(answers[one_by_one], answers[together], strict=True):
        assert alone is not None
        assert joint is not None
        assert alone.key() == joint.key()
        values += len(joint.values)
    return _Found(seconds[one_by_one] * 1e3, seconds[together] * 1e3, values)


# --- questions ----------------------------------------------------------------------------------------------------


def _families(data: Path) -> dict[str, list[list[Query]]]:
    """By kind, questions: each is its candidates."""
    known: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    relations: dict[str, None] = {}
    with gzip.open(data, "rt", encoding="utf-8") as file:
        for line in file:
            subject, relation, target = line.rstrip(" .\n").split(" ", 2)
            relations[relation] = None
            if target.startswith("<"):
                known[subject].append((relation, target))
    random = Random(1)
    several = sorted(subject for subject, triples in known.items() if len({relation for relation, _ in triples}) > 4)
    entities = [(entity, known[entity]) for entity in random.sample(several, _QUESTIONS)]
    others = sorted(relations)
    hops = [_hops(random, entity, triples, known, others) for entity, triples in entities]
    return {
        "one hop": [[_set(_hop(entity, first)) for first, _, _ in walks] for entity, walks in hops],
        "two entities": [
            [_set(build.join(_hop(entity, first), build.triple(_X, second, end))) for first, second, end in walks]
            for entity, walks in hops
        ],
        "two hops": [[_set(_walk(entity, *pair)) for *pair, _ in walks] for entity, walks in hops],
        "two hops, not one": [
            [_set(build.join(_walk(entity, *pair), build.negate(_hop(entity, pair[1])))) for *pair, _ in walks]
            for entity, walks in hops
        ],
        "two hops, counted": [[_number(_walk(entity, *pair)) for *pair, _ in walks] for entity, walks in hops],
    }


def _hops(
    random: Random,
    entity: str,
    triples: list[tuple[str, str]],
    known: dict[str, list[tuple[str, str]]],
    others: list[str],
) -> tuple[Iri, list[tuple[Iri, Iri, Iri]]]:
    """An entity, and different pairs of relations with what they lead to: those that lead on from it, and chance ones
    in their place now and then."""
    walks: dict[tuple[Iri, Iri], Iri] = {}
    while len(walks) < _CANDIDATES:
        first, middle = random.choice(triples)
        second, end = random.choice(known.get(middle) or triples)
        first, second = (hop if random.random() < _THERE else random.choice(others) for hop in (first, second))
        walks[_iri(first), _iri(second)] = _iri(end)
    return _iri(entity), [(*pair, end) for pair, end in walks.items()]


def _iri(written: str) -> Iri:
    return Iri(written.strip("<>"))


def _hop(entity: Iri, relation: Iri) -> Body:
    return build.triple(entity, relation, _X)


def _walk(entity: Iri, first: Iri, second: Iri) -> Body:
    return build.join(build.triple(entity, first, _Y), build.triple(_Y, second, _X))


def _set(body: Body) -> Query:
    return build.query(Form.SET, (_X,), body)


def _number(body: Body) -> Query:
    return build.query(Form.NUMBER, (_N,), build.count(_N, _X, body))
