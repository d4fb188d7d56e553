"""What an engine does to values, found out before it takes part.

Every literal that drawn graphs may hold is loaded, alone and beside each other one, and asked for, as programs ask.

- One that comes back as another value, or not at all, is *lost*: it is left out of that engine's graphs.
- Two values of which one subject keeps but one are *merged* (Virtuoso takes true for 1): graphs there hold the first.
- A literal that a program writes, and that comes back as another value, is *echoed* so: the answer counts as that one.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pylf.errors import CompileError, EngineError, UnsupportedOperation
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.schema.names import literal_name
from pylf.ir.terms import Iri, Literal
from pylf.ir.values import identity
from pylf.language import syntax
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.records import record
from pylf.testing.drawn.graphs import LABELS, VALUES
from pylf.testing.drawn.schemas import NS, VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.terms import Node
    from pylf.testing.differential.engines import Contestant

_RELATION = NS + "probe"
_SCHEMA = Schema(MemorySource((Relation(_RELATION),), (), {}))


@record(eq=False)
class Probe:
    """What an engine does to values. ``merged`` holds pairs of values, ``echoes`` a constant's value and what it
    becomes, with the literals that showed it."""

    lost: frozenset[Literal]
    merged: tuple[tuple[Literal, Literal], ...] = ()
    echoes: tuple[tuple[Literal, Node], ...] = ()

    def kept(self, triples: Sequence[TripleRow]) -> tuple[TripleRow, ...]:
        """The triples that the engine keeps, all of them, as they are."""
        kept = [t for t in triples if t[2] not in self.lost]
        if not self.merged:
            return tuple(kept)
        pairs = {frozenset((identity(a), identity(b))) for a, b in self.merged}
        seen: dict[tuple[Node, Node], list[Hashable]] = {}
        found = []
        for s, p, o in kept:
            if isinstance(o, Literal):
                value = identity(o)
                there = seen.setdefault((s, p), [])
                # an engine that merges values keeps one literal of each (10 and 10.0)
                if value in there or any(frozenset((value, other)) in pairs for other in there):
                    continue
                there.append(value)
            found.append((s, p, o))
        return tuple(found)

    def echo(self, constant: Literal) -> Hashable:
        """The value as which a constant comes back, where it is another one; else None."""
        own = identity(constant)
        return next((identity(to) for of, to in self.echoes if identity(of) == own), None)


def probed(engine: Contestant) -> Probe:
    """What an engine does to the values of drawn graphs.

    Raises:
        EngineError: it does not take even a graph of plain values.
    """
    pool = tuple(dict.fromkeys((*VALUES, *LABELS)))
    try:
        lost = frozenset(_changed(engine, pool))
    except EngineError:  # one of them spoils the rest: each on its own
        alone = {value for value in pool if _refused(engine, value)}
        lost = frozenset(alone).union(_changed(engine, [value for value in pool if value not in alone]))
    return Probe(lost, tuple(_merged(engine, [v for v in pool if v not in lost])), tuple(_echoed(engine, pool)))


def _changed(engine: Contestant, pool: Sequence[Literal]) -> list[Literal]:
    """The literals that are another value, or none, when all the graph is read or when a program asks for them."""
    engine.load([(_subject(i), Iri(_RELATION), value) for i, value in enumerate(pool)])
    held = {s: o for s, p, o in engine.held() if p == Iri(_RELATION)}
    lost = []
    for i, value in enumerate(pool):
        of = syntax.Start(syntax.Text(f"<{_subject(i).value}>"))
        asked = _answer(engine, _query(syntax.Join(syntax.Name(f"R_<{_RELATION}>"), of)))
        if any(node is None or identity(node) != identity(value) for node in (held.get(_subject(i)), asked)):
            lost.append(value)
    return lost


def _refused(engine: Contestant, value: Literal) -> bool:
    try:
        _changed(engine, [value])
    except EngineError:
        return True
    return False


def _merged(engine: Contestant, pool: Sequence[Literal]) -> Iterable[tuple[Literal, Literal]]:
    """Pairs of values of which a subject that should have both has one."""
    values = {identity(value): value for value in reversed(pool)}
    pairs = list(combinations(reversed(values.values()), 2))
    engine.load([(_subject(i), Iri(_RELATION), value) for i, pair in enumerate(pairs) for value in pair])
    held: dict[Node, set[Hashable]] = {}
    for s, _, o in engine.held():
        held.setdefault(s, set()).add(identity(o))
    for i, pair in enumerate(pairs):
        if len(held.get(_subject(i), ())) < 2:
            yield pair


def _echoed(engine: Contestant, pool: Sequence[Literal]) -> Iterable[tuple[Literal, Node]]:
    """Constants that come back as another value. One that the engine fails on shows when a program asks for it."""
    engine.load([])
    values = {identity(value): value for value in reversed(pool)}
    for value in reversed(values.values()):
        try:
            query = _query(syntax.Start(syntax.Text(literal_name(value))))
            found = _answer(engine, query)
        except (CompileError, EngineError, UnsupportedOperation):
            continue
        meant = evaluate(query, MemoryGraph(()), _SCHEMA, VOCABULARY).values
        if found is not None and identity(found) != identity(meant[0]) and isinstance(meant[0], Literal):
            yield meant[0], found


def _subject(number: int) -> Iri:
    return Iri(f"{NS}probe{number}")


def _query(expression: syntax.Expression) -> Query:
    program = syntax.Program((syntax.Assignment("expression", syntax.Stop(expression)),))
    return lower(program, Context(_SCHEMA, VOCABULARY)).query


def _answer(engine: Contestant, query: Query) -> Node | None:
    """The only member of the answer; None where there is none."""
    values = engine.ask(query, _SCHEMA, 1).values
    return values[0] if len(values) == 1 else None
