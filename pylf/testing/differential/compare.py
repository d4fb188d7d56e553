"""One block of a run: its programs, answered by the reference and by every engine whose turn it is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pylf.backends.sparql import emit
from pylf.errors import EngineError, PylfError, UnsupportedOperation, printable
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.records import record
from pylf.testing.differential.case import Case, Disagreement, Refusal, found_nothing, told, understand
from pylf.testing.differential.forms import forms_of
from pylf.testing.drawn_schemas import VOCABULARY
from pylf.testing.drawn_worlds import block

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.ir.answers import Answers
    from pylf.ir.schema.model import Schema
    from pylf.testing.differential.case import Understood
    from pylf.testing.differential.engines import Contestant, Engines
    from pylf.testing.drawn_worlds import Block

#: the name under which a disagreement of the definition and the reference evaluator is filed
DEFINITION = "definition"
#: What a compiler, an emitter or an engine's reader that is wrong may raise. All of it is a finding.
CRASHES = (PylfError, ArithmeticError, LookupError, TypeError, ValueError, AssertionError, RecursionError)
#: of this many drawn programs at most one has to compile, or a block is given up
_TRIES = 20


@record
class Failure:
    """A case that went wrong on an engine at a level of optimization, and what was said.

    ``kind`` is ``mismatch``, how the engine failed (the status of its error: ``engine error``, ``timeout``, …), or the
    name of an exception that nobody should have raised.
    """

    case: Case
    engine: str
    optimize: int
    kind: str
    said: str
    expected: str


class Found:
    """What came of one block, in counts that add up over blocks.

    ``engines`` counts by engine: graphs, pairs, nonempty, queries, mismatches, errors, and what its dialect has no form
    for.
    """

    def __init__(self, engines: Iterable[str]) -> None:
        self.programs = 0
        self.nonempty = 0
        self.forms: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.engines: dict[str, Counter[str]] = {name: Counter() for name in engines}
        self.failures: list[Failure] = []


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


def run_block(seed: int, number: int, programs: int, turns: Sequence[Turn], engines: Engines) -> Found:
    """Draws a block and compares that many of its programs on the engines. Never raises for what an engine does.

    Raises:
        InputError, EngineError: an engine cannot be started.
    """
    drawn = block(seed, number)
    found = Found(turn.engine for turn in turns)
    ground = _Ground(drawn, turns, engines, found)
    for _ in range(programs * _TRIES):
        if found.programs == programs:
            break
        ground.compare(Case(drawn.surrounding, next(drawn.programs)))
    return found


class _Ground:
    """A block's graph, loaded into the engines whose turn it is."""

    def __init__(self, drawn: Block, turns: Sequence[Turn], engines: Engines, found: Found) -> None:
        self.schema = drawn.schema
        self.graph = MemoryGraph(drawn.surrounding.triples)
        self.found = found
        self.loaded: list[tuple[Turn, Contestant, MemoryGraph]] = []
        for turn in turns:
            contestant = engines.get(turn.engine)
            kept = engines.kept(turn.engine, drawn.surrounding.triples)
            whole = len(kept) == len(drawn.surrounding.triples)
            try:
                contestant.load(kept)
            except EngineError as error:
                first = Case(drawn.surrounding, next(drawn.programs))
                self.fail(first, turn.engine, turn.levels[0], "engine error", error, "the graph is loaded")
                continue
            self.found.engines[turn.engine]["graphs"] += 1
            self.loaded.append((turn, contestant, self.graph if whole else MemoryGraph(kept)))

    def compare(self, case: Case) -> None:
        """Answers one program everywhere."""
        found = self.found
        try:
            understood = understand(case, self.schema, self.graph)
        except Disagreement as error:
            found.programs += 1
            self.fail(case, DEFINITION, 0, "mismatch", error.evaluated, error.defined)
            return
        except CRASHES as error:
            found.programs += 1
            self.fail(case, DEFINITION, 0, type(error).__name__, error, "an answer")
            return
        if isinstance(understood, Refusal):
            found.refused[understood.code] += 1
            return
        place = found.programs
        found.programs += 1
        found.nonempty += not found_nothing(understood.expected)
        found.forms.update(forms_of(case.program))
        for turn, contestant, graph in self.loaded:
            expected = understood.expected
            if graph is not self.graph:
                expected = evaluate(understood.query, graph, self.schema, VOCABULARY)
            self.ask(case, understood, expected, contestant, turn.levels_for(place))

    def ask(
        self,
        case: Case,
        understood: Understood,
        expected: Answers,
        contestant: Contestant,
        levels: Iterable[int],
    ) -> None:
        """One program on one engine; the pair counts once."""
        counts = self.found.engines[contestant.name]
        supported = False
        for level in levels:
            said = answer_of(contestant, understood, self.schema, level)
            if said.unsupported is not None:
                counts[f"unsupported: {said.unsupported}"] += 1
                continue
            supported = True
            counts["queries"] += 1
            if said.answers is None:
                self.fail(case, contestant.name, level, said.kind, said.problem, told(expected))
            elif said.answers.key() != expected.key():
                self.fail(case, contestant.name, level, "mismatch", told(said.answers), told(expected))
        counts["pairs"] += supported
        counts["nonempty"] += supported and not found_nothing(expected)

    def fail(self, case: Case, engine: str, level: int, kind: str, said: object, expected: str) -> None:
        counts = self.found.engines.setdefault(engine, Counter())
        counts["mismatches" if kind == "mismatch" else "errors"] += 1
        self.found.failures.append(Failure(case, engine, level, kind, printable(str(said)), expected))


@record
class Said:
    """What an engine said to a query: ``answers``, or why there are none."""

    answers: Answers | None = None
    unsupported: str | None = None
    kind: str = ""
    problem: str = ""


def answer_of(contestant: Contestant, understood: Understood, schema: Schema, level: int) -> Said:
    """Asks an engine; whatever it or the emitter complains of becomes part of what it said."""
    try:
        return Said(contestant.ask(understood.query, schema, level))
    except UnsupportedOperation as error:
        return Said(unsupported=error.operator)
    except EngineError as error:
        return Said(kind=str(error.status), problem=str(error))
    except CRASHES as error:
        return Said(kind=type(error).__name__, problem=str(error))


def sparql_of(query: Any, schema: Schema, dialect: str, level: int) -> str:
    """The text that an engine is sent, or why there is none."""
    try:
        return emit(query, schema, VOCABULARY, dialect, level)
    except PylfError as error:
        return f"# {error}"
