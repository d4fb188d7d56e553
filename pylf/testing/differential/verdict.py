"""What becomes of one case: what it means, what an engine is to say, and whether it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.dialects import dialect_named
from pylf.errors import EngineError, InvalidIR, PylfError, UnsupportedOperation, first_line, printable
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Form
from pylf.ir.passes import PIPELINE
from pylf.ir.passes.context import Context
from pylf.ir.passes.manager import named, optimized
from pylf.ir.terms import Literal
from pylf.ir.values import identity
from pylf.records import record
from pylf.testing.differential.case import Case, Disagreement, Refusal, Understood, told, understand
from pylf.testing.drawn.grounds import is_measured, measured
from pylf.testing.drawn.schemas import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.passes.manager import Observer
    from pylf.ir.schema.model import Schema
    from pylf.testing.differential.engines import Contestant, Engines
    from pylf.testing.differential.probe import Probe
    from pylf.testing.drawn.worlds import Setting

#: the name under which a disagreement of the definition and the reference evaluator is filed
DEFINITION = "definition"
MISMATCH = "mismatch"
_LONGEST_LINE = 300
#: What a compiler, an emitter or an engine's reader that is wrong may raise. All of it is a finding.
_CRASHES = (PylfError, ArithmeticError, LookupError, TypeError, ValueError, AssertionError, RecursionError)


@record
class Way:
    """How a query is asked: at a level of optimization; after a pass ``alone``, if one is named, that of -O1 else."""

    level: int
    alone: str = ""


@record
class Failure:
    """A case that went wrong on an engine at a level of optimization, and what was said.

    ``kind`` is ``mismatch``, how the engine failed (the status of its error: ``engine error``, ``timeout``, …), or the
    name of an exception that nobody should have raised. ``said`` is the answers, or the first line of the complaint.
    Where a pass had the query ``alone``, that is its name.
    """

    case: Case
    engine: str
    optimize: int
    kind: str
    said: str
    expected: str
    alone: str = ""


@record
class Unsupported:
    """The engine's dialect has no form for something in the query."""

    operator: str


def meaning(
    case: Case, schema: Schema | None = None, graph: MemoryGraph | None = None
) -> Understood | Refusal | Failure:
    """What a case means by the definition and the reference evaluator alike, or how the two differ. ``schema`` and
    ``graph`` are the case's own, where they are at hand."""
    try:
        return understand(case, schema, graph)
    except Disagreement as error:
        return _failure(case, DEFINITION, Way(0), MISMATCH, error.evaluated, error.defined)
    except _CRASHES as error:
        return _failure(case, DEFINITION, Way(0), type(error).__name__, error, "an answer")


class NotWhole(EngineError):
    """An engine has taken two triples for one, or lost one, when it loaded a graph: nothing can be asked of it."""


class Ground:
    """A setting's graph, loaded into an engine: without what the engine does not keep.

    Raises:
        EngineError: the engine does not take the graph. NotWhole: it does not hold all of it afterwards.
    """

    def __init__(self, setting: Setting, engine: str, engines: Engines, schema: Schema) -> None:
        self.contestant: Contestant = engines.get(engine)
        self.probe: Probe = engines.probes[engine]
        self.kept = self.probe.kept(setting.triples)
        self.whole = len(self.kept) == len(setting.triples)
        #: the setting's; where that was measured on the graph and the engine does not hold all of it, measured anew
        self.schema = schema
        if not self.whole and is_measured(setting.rows):
            self.schema = measured(setting.rows, self.kept, setting.times).schema()
        self.graph: MemoryGraph | None = None
        self.contestant.load(self.kept)
        given, held = _facts(self.kept), _facts(self.contestant.held())
        if given != held:
            raise NotWhole(f"{engine} holds {held} of {given} facts that it was given")

    def expected(self, understood: Understood) -> Answers | None:
        """The reference evaluator's answer on the graph that the engine holds; None where it has nothing to count."""
        if self.whole:
            return understood.expected
        if self.graph is None:
            self.graph = MemoryGraph(self.kept)
        try:
            return evaluate(understood.query, self.graph, self.schema, VOCABULARY)
        except InvalidIR:
            return None


def _facts(triples: Iterable[TripleRow]) -> int:
    """How many facts there are, values counted as values."""
    return len({(s, p, identity(o)) for s, p, o in triples})


def verdict(
    case: Case,
    query: Query,
    expected: Answers,
    ground: Ground,
    way: Way,
    observer: Observer | None = None,
) -> Failure | Unsupported | None:
    """Asks an engine; None where it says what is expected. Whatever it or the emitter complains of is a failure.
    ``query`` is what the case means, rewritten where a pass has it alone."""
    contestant = ground.contestant
    name = contestant.name
    try:
        said = contestant.ask(query, ground.schema, way.level, observer)
    except UnsupportedOperation as error:
        return Unsupported(error.operator)
    except EngineError as error:
        return _failure(case, name, way, str(error.status), error, told(expected))
    except _CRASHES as error:
        return _failure(case, name, way, type(error).__name__, error, told(expected))
    if said.key() == expected.key() or _respelled(said, expected, ground.probe):
        return None
    return _failure(case, name, way, MISMATCH, told(said), told(expected))


def rewritten(case: Case, query: Query, expected: Answers, ground: Ground, way: Way) -> Query | Failure:
    """What the pass that has a query alone makes of it, for the engine; the very query, where none has."""
    if not way.alone:
        return query
    target = dialect_named(ground.contestant.dialect).target
    try:
        step = named(way.alone, PIPELINE)
        return optimized(query, Context(ground.schema, VOCABULARY, target), (step,))
    except _CRASHES as error:
        return _failure(case, ground.contestant.name, way, type(error).__name__, error, told(expected))


def not_loaded(case: Case, engine: str, level: int, error: EngineError) -> Failure:
    """The failure of an engine that does not take the graph."""
    return _failure(case, engine, Way(level), str(error.status), error, "the graph is loaded")


def fails(case: Case, engine: str, level: int, engines: Engines, alone: str = "") -> Failure | None:
    """The failure of a case on an engine at a level of optimization, or after a pass ``alone``, or None where all goes
    well, it is refused, or the engine has no form for it."""
    schema = case.setting.rows.schema()
    understood = meaning(case, schema)
    if isinstance(understood, Failure):
        return understood
    if isinstance(understood, Refusal) or engine == DEFINITION:
        return None
    engines.get(engine)
    try:
        ground = Ground(case.setting, engine, engines, schema)
    except EngineError as error:
        return not_loaded(case, engine, level, error)
    expected = ground.expected(understood)
    if expected is None:
        return None
    way = Way(level, alone)
    query = rewritten(case, understood.query, expected, ground, way)
    found = query if isinstance(query, Failure) else verdict(case, query, expected, ground, way)
    return found if isinstance(found, Failure) else None


def _failure(case: Case, engine: str, way: Way, kind: str, said: object, expected: str) -> Failure:
    line = printable(str(said)) if kind == MISMATCH else first_line(said, _LONGEST_LINE)
    return Failure(case, engine, way.level, kind, line, expected, way.alone)


def _respelled(said: Answers, expected: Answers, probe: Probe) -> bool:
    """Whether a set is the expected one, but for constants that the engine is known to give back as another value.

    Each expected value is there as itself or as what the engine makes of it, and nothing else is; two expected values
    that would become one are a difference.
    """
    if not probe.echoes or said.form is not Form.SET or expected.form is not Form.SET:
        return False
    if len(said.values) != len(expected.values):
        return False
    found: set[Hashable] = {identity(node) for node in said.values}
    for node in expected.values:
        own = identity(node)
        if own in found:
            found.remove(own)
            continue
        echo = probe.echo(node) if isinstance(node, Literal) else None
        if echo not in found:
            return False
        found.remove(echo)
    return not found
