"""One block of a run: its programs, answered by the reference and by every engine whose turn it is."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pylf.errors import EngineError
from pylf.ir.memory import MemoryGraph
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
    meaning,
    not_loaded,
    verdict,
)
from pylf.testing.drawn.worlds import block

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pylf.testing.differential.case import Understood
    from pylf.testing.differential.engines import Engines
    from pylf.testing.drawn.worlds import Block

#: what the counts of queries without a form begin with
UNSUPPORTED = "unsupported: "
#: of this many drawn programs at most one has to compile, or a block is given up; where some forms alone are asked for,
#: of so many more
_TRIES, _RARE = 20, 30


class Found:
    """What came of one block, in counts that add up over blocks.

    ``engines`` counts by engine: graphs, pairs, nonempty, queries, mismatches, errors, and what its dialect has no form
    for. ``seconds`` are those spent on the definition and the reference evaluator, and on each engine.
    """

    def __init__(self, engines: Iterable[str]) -> None:
        self.programs = 0
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
    """An engine that takes part in a block, and the levels of optimization at which it is asked."""

    engine: str
    levels: tuple[int, ...]
    #: one level a program, in turn, in place of all of them
    alternate: bool = False

    def levels_for(self, place: int) -> tuple[int, ...]:
        """The levels at which the program at a place of its block is asked."""
        return (self.levels[place % len(self.levels)],) if self.alternate else self.levels


def run_block(
    seed: int,
    number: int,
    programs: int,
    turns: Sequence[Turn],
    engines: Engines,
    forms: Collection[str] = (),
) -> Found:
    """Draws a block and compares that many of its programs on the engines: of those alone, where ``forms`` are given,
    that use one of them. Never raises for what an engine does.

    Raises:
        InputError, EngineError: an engine cannot be started.
    """
    drawn = block(seed, number)
    found = Found(turn.engine for turn in turns)
    ground = _Block(drawn, turns, engines, found)
    for _ in range(programs * _TRIES * (_RARE if forms else 1)):
        if found.programs == programs:
            break
        program = next(drawn.programs)
        if not forms or not forms_of(program).isdisjoint(forms):
            ground.compare(Case(drawn.setting, program))
    return found


class _Block:
    """A block's graph, loaded into the engines whose turn it is."""

    def __init__(self, drawn: Block, turns: Sequence[Turn], engines: Engines, found: Found) -> None:
        self.schema = drawn.schema
        self.graph = MemoryGraph(drawn.setting.triples)
        self.found = found
        self.grounds: list[tuple[Turn, Ground]] = []
        for turn in turns:
            engines.get(turn.engine)
            with found.timed(turn.engine):
                try:
                    ground = Ground(drawn.setting, turn.engine, engines)
                except NotWhole:
                    found.engines[turn.engine]["not whole"] += 1
                    continue
                except EngineError as error:
                    first = Case(drawn.setting, next(drawn.programs))
                    found.fail(not_loaded(first, turn.engine, turn.levels[0], error))
                    continue
            found.engines[turn.engine]["graphs"] += 1
            self.grounds.append((turn, ground))

    def compare(self, case: Case) -> None:
        """Answers one program everywhere."""
        found = self.found
        with found.timed(DEFINITION):
            understood = meaning(case, self.schema, self.graph)
        if isinstance(understood, Refusal):
            found.refused[understood.code] += 1
            return
        place = found.programs
        found.programs += 1
        if isinstance(understood, Failure):
            found.fail(understood)
            return
        found.nonempty += not found_nothing(understood.expected)
        found.forms.update(forms_of(case.program))
        for turn, ground in self.grounds:
            with found.timed(turn.engine):
                self.ask(case, understood, ground, turn.levels_for(place))

    def ask(self, case: Case, understood: Understood, ground: Ground, levels: Iterable[int]) -> None:
        """One program on one engine; the pair counts once."""
        counts = self.found.engines[ground.contestant.name]
        expected = ground.expected(understood, self.schema)
        supported = False
        for level in levels:
            failure = verdict(case, understood, expected, ground, self.schema, level)
            if isinstance(failure, Unsupported):
                counts[f"{UNSUPPORTED}{failure.operator}"] += 1
                continue
            supported = True
            counts["queries"] += 1
            if failure is not None:
                self.found.fail(failure)
        counts["pairs"] += supported
        counts["nonempty"] += supported and not found_nothing(expected)
