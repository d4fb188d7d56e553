"""Whether two queries are equivalent: proofs and searches, what is quick and telling first."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING

from pylf.equivalence.asking import Asking
from pylf.equivalence.choices import systematic
from pylf.equivalence.freeze import RECIPES, Freezer
from pylf.equivalence.material import material
from pylf.equivalence.proof import proof, same_form
from pylf.equivalence.random_graphs import MOST_TRIPLES, random_graphs
from pylf.equivalence.shrink import LARGE, shrunk, weight
from pylf.equivalence.sound import Keeper
from pylf.equivalence.tiny import ENTITIES, VALUES, possible, tiny
from pylf.equivalence.turtle import Names
from pylf.equivalence.verdict import Verdict
from pylf.errors import InputError
from pylf.ir.confidence import in_triples
from pylf.ir.verify import verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.equivalence.verdict import Status
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

    Triples = tuple[TripleRow, ...]

BOUND = 3
SECONDS = 2.0
#: so many frozen bodies are tried before a proof is looked for, which no proof should be able to contradict; so many
#: more, and so many random graphs, where none is found
FIRST = 120
FROZEN = 800
RANDOM = 2_000
_FORMS = {"set": "a set", "number": "a number", "boolean": "yes or no", "rows": "rows", "subgraph": "a subgraph"}
#: of so many graphs that are found early the smallest is taken
_MOST_FOUND = 4
#: the share of the time that is over when the frozen bodies end, the first random graphs, and the tiny graphs
_SHARES = (0.3, 0.5, 0.85)


def equivalent(
    left: Query,
    right: Query,
    schema: Schema,
    vocabulary: Vocabulary,
    bound: int = BOUND,
    seconds: float = SECONDS,
    sound: bool = False,
) -> Verdict:
    """Whether two queries have the same answers, by value (:meth:`pylf.ir.answers.Answers.key`), on every graph.

    Looked for on all graphs of up to ``bound`` triples over the names of both, and on others, for about ``seconds``.
    Where ``sound``, graphs alone count that keep to the domains, ranges and disjoint classes of the schema; what else
    the schema says of data (counts, inverses) is never relied on. The schema and the vocabulary also tell how
    instances of classes are asked for, as everywhere.

    Raises:
        InputError: ``bound`` or ``seconds`` is below 0, or no number.
        InvalidIR: a query breaks a rule (:mod:`pylf.ir.verify`).
    """
    for name, value in (("bound", bound), ("seconds", seconds)):
        if not value >= 0:  # NaN as well
            raise InputError(f"{name} is a number of at least 0, not {value!r}")
    verify(left)
    verify(right)
    return _Decision(left, right, schema, in_triples(vocabulary), bound, seconds, sound).verdict()


class _Decision:
    def __init__(
        self,
        left: Query,
        right: Query,
        schema: Schema,
        vocabulary: Vocabulary,
        bound: int,
        seconds: float,
        sound: bool,
    ) -> None:
        self.left = left
        self.right = right
        self.schema = schema
        self.vocabulary = vocabulary
        self.bound = bound
        self.seconds = seconds
        self.sound = sound
        self.began = time.monotonic()
        self.asking = Asking(left, right, schema, vocabulary, Keeper(schema, vocabulary) if sound else None)
        self.material = material((left, right), schema, vocabulary)
        self.complete = 0

    def verdict(self) -> Verdict:
        if self.left.form is not self.right.form:
            forms = f"one answers with {_FORMS[self.left.form.value]}, the other with {_FORMS[self.right.form.value]}"
            return self._told("different", f"{forms}: no answer of the one is one of the other", ())
        known = same_form(self.left, self.right)
        if known is not None:
            return self._told("equivalent", known)
        freezer = Freezer(self.left, self.right, self.material)
        frozen = _frozen(freezer)
        found, _ = self._search(islice(frozen, FIRST), _SHARES[0], _MOST_FOUND)
        if found:
            return self._different(found)
        for sound in (False, True) if self.sound else (False,):
            known = proof(self.left, self.right, self.schema, self.vocabulary, sound)
            if known is not None:
                which = ", on every graph that keeps to the schema" if sound else ""
                return self._told("equivalent", known + which)
        found, _ = self._search(frozen, _SHARES[0], _MOST_FOUND)
        if found:
            return self._different(found)
        triples = possible(self.material)
        at_random = random_graphs(freezer, self.material, triples)
        found, _ = self._search(islice(at_random, RANDOM // 2), _SHARES[1])
        if found:
            return self._different(found)
        for size in range(1, self.bound + 1):
            found, whole = self._search(tiny(triples, size, self.material), _SHARES[2])
            if found:
                return self._different(found)
            if not whole:
                break
            self.complete = size
        found, _ = self._search(islice(at_random, RANDOM // 2), 1.0)
        return self._different(found) if found else self._told("undecided", self._searched())

    def _search(self, graphs: Iterator[Triples], share: float, most: int = 1) -> tuple[list[Triples], bool]:
        return self.asking.search(graphs, self.began + share * self.seconds, most)

    def _different(self, found: list[Triples]) -> Verdict:
        few = [triples for triples in found if len(triples) <= LARGE] or [min(found, key=weight)]
        graphs = [shrunk(triples, self.asking.differ, self.material) for triples in few]
        return self._told("different", "on this graph the answers differ", min(graphs, key=weight))

    def _told(self, status: Status, why: str, graph: Triples | None = None) -> Verdict:
        left, right = (None, None) if graph is None else self.asking.answers(graph)
        turtle = None if graph is None else Names.of(self.vocabulary).turtle(graph)
        passed = time.monotonic() - self.began
        return Verdict(status, why, graph, turtle, left, right, len(self.asking.tried), self.complete, passed)

    def _searched(self) -> str:
        which = " that keep to the schema" if self.sound else ""
        values = "their values" if len(self.material.values) <= VALUES else f"{VALUES} of their values"
        all_of = (
            f"all of up to {self.complete} triple{'s' if self.complete > 1 else ''} over the names of both, {values} "
            f"and {ENTITIES} more entities, "
            if self.complete
            else ""
        )
        return (
            f"no proof, and no difference on {len(self.asking.tried):,} graphs{which}: {all_of}and others of up to "
            f"{MOST_TRIPLES} triples"
        )


def _frozen(freezer: Freezer) -> Iterator[Triples]:
    """The empty graph, and the frozen bodies."""
    yield ()
    yield from islice(systematic(freezer.graph, len(RECIPES)), FROZEN)
