"""What came of asking a graph: the outcome, its answers with their labels, and why."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from pylf.errors import EngineError

if TYPE_CHECKING:
    from pylf.api import CompiledQuery
    from pylf.backends.outcome import Outcome
    from pylf.backends.why import Explanation
    from pylf.graphs import KnowledgeGraph
    from pylf.ir.answers import Answers
    from pylf.ir.terms import Node


class Result:
    """What came of a run: the ``outcome``, the query as it was compiled for the graph, and the graph."""

    def __init__(self, outcome: Outcome, query: CompiledQuery, graph: KnowledgeGraph) -> None:
        self.outcome = outcome
        self.query = query
        self.graph = graph

    @property
    def answers(self) -> Answers:
        """The answers: ``.values`` of a set, ``.number`` of a COUNT, ``.boolean`` of an ASK, ``.rows``. Of an outcome
        that is not complete, those that came.

        Raises:
            EngineError: none came.
        """
        if self.outcome.answers is None:
            raise self.outcome.failure()
        return self.outcome.answers

    @functools.cached_property
    def labels(self) -> dict[Node, str]:
        """Labels of the answers that have one."""
        nodes = (*self.answers.values, *(n for row in self.answers.rows for n in row if n is not None))
        return self.graph.labels(nodes)

    @functools.cached_property
    def not_held(self) -> tuple[str, ...]:
        """Where an endpoint's answer is empty, the relations of the question that it has no triple of (another part of
        a split graph may); empty where that is not so, or cannot be told."""
        from pylf.backends.missing import not_held
        from pylf.backends.outcome import Status
        from pylf.ir.graph import Holding

        engine = self.graph.engine
        if self.outcome.status is not Status.EMPTY or not isinstance(engine, Holding):
            return ()
        try:
            return not_held(engine, self.query.ir, self.query.vocabulary)
        except EngineError:
            return ()

    def __repr__(self) -> str:
        answers = self.outcome.answers
        if answers is None:
            return f"<Result: {self.outcome.status}: {self.query.name} on {self.graph.name}>"
        if answers.number is not None or answers.boolean is not None:
            return f"<Result {answers.number if answers.boolean is None else answers.boolean}>"
        return f"<Result of {len(answers.values) or len(answers.rows)}: {self.query.name} on {self.graph.name}>"

    def why(self, limit: int = 20) -> Explanation:
        """What supports the first ``limit`` answers, or what emptied the answer."""
        from pylf.backends.why import explain

        return explain(self.query.ir, self.answers, self.graph.engine, self.query.schema, self.query.vocabulary, limit)

    def _repr_html_(self) -> str:
        from pylf.render.notebook import result_html

        return result_html(self)
