"""One block of a run: its programs, answered by the reference and by every engine whose turn it is."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

from pylf.errors import EngineError
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Query
from pylf.records import record
from pylf.testing.differential.case import Case, Refusal, found_nothing
from pylf.testing.differential.forms import forms_of
from pylf.testing.differential.verdict import (
    DEFINITION,
    MISMATCH,
    Failure,
    Ground,
    NotWhole,
    Unsupported,
    Way,
    meaning,
    not_loaded,
    rewritten,
    verdict,
)
from pylf.testing.drawn.schemas import VOCABULARY
from pylf.testing.drawn.wide import names_of, wide_query
from pylf.testing.drawn.worlds import block

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pylf.ir.answers import Answers
    from pylf.ir.passes.manager import Pass
    from pylf.testing.differential.case import Understood
    from pylf.testing.differential.engines import Engines
    from pylf.testing.drawn.wide import Names
    from pylf.testing.drawn.worlds import Block

#: what the counts of queries without a form begin with
UNSUPPORTED = "unsupported: "
#: those of queries that a pass has changed at -O2; that it has had alone; and, of these, that it has changed
CHANGED, ALONE, CHANGED_ALONE = "changed by ", "alone: ", "changed alone: "
#: of this many drawn programs at most one has to compile, or a block is given up; where some forms alone are asked for,
#: of so many more
_TRIES, _RARE = 20, 30
#: of so many wide queries one is taken that finds something
_DRAWN = 6


class Found:
    """What came of one block, in counts that add up over blocks.

    ``programs`` are all of them, ``disturbed`` those that are queries made of programs. ``engines`` counts by engine:
    graphs, pairs, nonempty, queries, mismatches, errors, what its dialect has no form for, the queries asked at -O2
    (optimized) and what passes have changed. ``seconds`` are those spent on the definition and the reference
    evaluator, and on each engine.
    """

    def __init__(self, engines: Iterable[str]) -> None:
        self.programs = 0
        self.disturbed = 0
        self.nonempty = 0
        self.forms: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.engines: dict[str, Counter[str]] = {name: Counter() for name in engines}
        self.failures: list[Failure] = []
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def fail(self, failure: Failure) -> None:
        """Counts a failure in."""
        counts = self.engines.setdefault(failure.engine, Counter())
        counts["mismatches" if failure.kind == MISMATCH else "errors"] += 1
        self.failures.append(failure)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Counts the seconds that the block takes."""
        began = time.perf_counter()
        yield
        self.seconds[part] += time.perf_counter() - began


@record
class Turn:
    """An engine that takes part in a block, the levels of optimization at which it is asked, and the passes after each
    of which, alone, it is asked at -O1."""

    engine: str
    levels: tuple[int, ...]
    #: one way a program, in turn, in place of all of them
    alternate: bool = False
    passes: tuple[str, ...] = ()

    def ways_for(self, place: int) -> tuple[Way, ...]:
        """The ways in which the program at a place of the run is asked."""
        ways = (*(Way(level) for level in self.levels), *(Way(1, name) for name in self.passes))
        return (ways[place % len(ways)],) if self.alternate else ways


def run_block(
    seed: int,
    number: int,
    programs: int,
    turns: Sequence[Turn],
    engines: Engines,
    forms: Collection[str] = (),
    planned: bool = False,
    wide: float = 0.0,
) -> Found:
    """Draws a block and compares that many of its programs on the engines: of those alone, where ``forms`` are given,
    that use one of them. In a block for passes (``planned``: see :func:`pylf.testing.drawn.worlds.block`) each program
    is followed by what it becomes when it is disturbed, and by another query; they count. About the share ``wide`` of
    all are queries of the wide tier (:mod:`pylf.testing.drawn.wide`). Never raises for what an engine does.

    Raises:
        InputError, EngineError: an engine cannot be started.
    """
    drawn = block(seed, number, planned)
    disturbing = drawn.disturbing
    random = Random(f"{seed} {number} wide")
    found = Found(turn.engine for turn in turns)
    ground = _Block(drawn, turns, engines, found, number * programs)
    for _ in range(programs * _TRIES * (_RARE if forms else 1)):
        if found.programs == programs:
            break
        if wide and random.random() < wide:
            names = names_of(random, drawn.schema, drawn.setting.triples)
            if names is not None:
                ground.compare(Case(drawn.setting, ground.telling(random, names)))
                continue
        program = next(drawn.programs)
        if forms and forms_of(program).isdisjoint(forms):
            continue
        query = ground.compare(Case(drawn.setting, program))
        if disturbing is None or query is None:
            continue
        for disturbed in (disturbing.more(query), disturbing.plain()):
            if disturbed is not None and found.programs < programs:
                ground.compare(Case(drawn.setting, disturbed))
    return found


class _Block:
    """A block's graph, loaded into the engines whose turn it is. ``first`` is the place of its first program."""

    def __init__(self, drawn: Block, turns: Sequence[Turn], engines: Engines, found: Found, first: int) -> None:
        self.first = first
        self.schema = drawn.schema
        self.graph = MemoryGraph(drawn.setting.triples)
        self.found = found
        self.grounds: list[tuple[Turn, Ground]] = []
        for turn in turns:
            engines.get(turn.engine)
            with found.timed(turn.engine):
                try:
                    ground = Ground(drawn.setting, turn.engine, engines, self.schema)
                except NotWhole:
                    found.engines[turn.engine]["not whole"] += 1
                    continue
                except EngineError as error:
                    case = Case(drawn.setting, next(drawn.programs))
                    found.fail(not_loaded(case, turn.engine, turn.ways_for(0)[0].level, error))
                    continue
            found.engines[turn.engine]["graphs"] += 1
            self.grounds.append((turn, ground))

    def telling(self, random: Random, names: Names) -> Query:
        """A query of the wide tier, one that finds something if one of a few does."""
        drawn = [wide_query(random, names) for _ in range(_DRAWN)]
        found = (one for one in drawn if not found_nothing(evaluate(one, self.graph, self.schema, VOCABULARY)))
        return next(found, drawn[0])

    def compare(self, case: Case) -> Query | None:
        """Answers one program everywhere; gives the query that it is, if all agree what it means."""
        found = self.found
        with found.timed(DEFINITION):
            understood = meaning(case, self.schema, self.graph)
        if isinstance(understood, Refusal):
            found.refused[understood.code] += 1
            return None
        place = self.first + found.programs
        found.programs += 1
        if isinstance(understood, Failure):
            found.fail(understood)
            return None
        found.nonempty += not found_nothing(understood.expected)
        if isinstance(case.program, Query):
            found.disturbed += 1
        else:
            found.forms.update(forms_of(case.program))
        for turn, ground in self.grounds:
            with found.timed(turn.engine):
                self.ask(case, understood, ground, turn.ways_for(place))
        return understood.query

    def ask(self, case: Case, understood: Understood, ground: Ground, ways: Iterable[Way]) -> None:
        """One program on one engine; the pair counts once. Of the passes that leave a query as it is, one stands for
        all: the engine would be asked the same again."""
        counts = self.found.engines[ground.contestant.name]
        expected = ground.expected(understood)
        if expected is None:
            return
        supported = unchanged = False
        for way in ways:
            query = rewritten(case, understood.query, expected, ground, way)
            if isinstance(query, Failure):
                self.found.fail(query)
                continue
            if way.alone:
                counts[f"{ALONE}{way.alone}"] += 1
                counts[f"{CHANGED_ALONE}{way.alone}"] += query is not understood.query
                if query is understood.query:
                    if unchanged:
                        continue
                    unchanged = True
            failure = self.verdict(case, query, expected, ground, way)
            if isinstance(failure, Unsupported):
                counts[f"{UNSUPPORTED}{failure.operator}"] += 1
                continue
            supported = True
            counts["queries"] += 1
            if failure is not None:
                self.found.fail(failure)
        counts["pairs"] += supported
        counts["nonempty"] += supported and not found_nothing(expected)

    def verdict(
        self, case: Case, query: Query, expected: Answers, ground: Ground, way: Way
    ) -> Failure | Unsupported | None:
        """What an engine says; at -O2, what the passes changed is counted."""
        if way.level < 2:
            return verdict(case, query, expected, ground, way)
        changed: set[str] = set()

        def observer(step: Pass, before: Query, after: Query) -> None:
            if after is not before:
                changed.add(step.name)

        found = verdict(case, query, expected, ground, way, observer)
        counts = self.found.engines[ground.contestant.name]
        counts["optimized"] += 1
        counts["changed"] += bool(changed)
        counts["changed nonempty"] += bool(changed) and not found_nothing(expected)
        counts.update(CHANGED + name for name in changed)
        return found
