"""Two queries, asked on one graph after the other until they answer differently."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pylf.equivalence.settled import leaves_open, settled
from pylf.errors import InvalidIR, UnsupportedOperation
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.equivalence.sound import Keeper
    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

    Triples = tuple[TripleRow, ...]


class Asking:
    """Asks two queries by the reference evaluator. With a ``keeper``, only on graphs that keep to the schema."""

    def __init__(
        self, left: Query, right: Query, schema: Schema, vocabulary: Vocabulary, keeper: Keeper | None = None
    ) -> None:
        self.left = left
        self.right = right
        self.schema = schema
        self.vocabulary = vocabulary
        self.keeper = keeper
        self.choosing = [query for query in (left, right) if leaves_open(query)]
        #: the graphs that were tried
        self.tried: set[frozenset[TripleRow]] = set()

    def answers(self, triples: Triples) -> tuple[Answers | None, Answers | None]:
        """What both answer; None for a number query that has no number."""
        graph = MemoryGraph(triples)
        return self._answer(self.left, graph), self._answer(self.right, graph)

    def differ(self, triples: Triples) -> bool:
        """Whether a graph is one that counts, and both answer differently on it, whatever an engine chooses. One that
        the evaluator refuses (a string that grows too long, a pattern that it does not read) shows nothing."""
        if self.keeper is not None and not self.keeper.keeps(triples):
            return False
        try:
            left, right = [None if answers is None else answers.key() for answers in self.answers(triples)]
            return left != right and self._settled(triples)
        except UnsupportedOperation:
            return False

    def _settled(self, triples: Triples) -> bool:
        graph = MemoryGraph(triples)
        return all(settled(query, graph, self.schema, self.vocabulary) for query in self.choosing)

    def search(self, graphs: Iterable[Triples], until: float, most: int = 1) -> tuple[list[Triples], bool]:
        """The first graphs, ``most`` at most, on which both differ, and whether all graphs were looked at before the
        time (of :func:`time.monotonic`) was over."""
        found: list[Triples] = []
        for number, triples in enumerate(graphs):
            if number % 16 == 15 and time.monotonic() > until:
                return found, False
            kept = triples if self.keeper is None else self.keeper.completed(triples)
            if kept is None:
                continue
            known = frozenset(kept)
            if known in self.tried:
                continue
            self.tried.add(known)
            if self.differ(kept):
                found.append(kept)
                if len(found) == most:
                    return found, False
        return found, True

    def _answer(self, query: Query, graph: MemoryGraph) -> Answers | None:
        try:
            return evaluate(query, graph, self.schema, self.vocabulary)
        except InvalidIR:  # the one rule that depends on the graph: a number query finds one integer
            return None
