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

    @property
    def labels(self) -> dict[Node, str]:
        """Labels of the answers that have one; none where the engine does not tell them, which :attr:`unlabelled` says:
        the answers stand."""
        return self._labelled[0]

    @property
    def unlabelled(self) -> str:
        """Why :attr:`labels` are not told; "" where they are."""
        return self._labelled[1]

    @functools.cached_property
    def _labelled(self) -> tuple[dict[Node, str], str]:
        nodes = (*self.answers.values, *(n for row in self.answers.rows for n in row if n is not None))
        try:
            return self.graph.labels(nodes), ""
        except EngineError as problem:
            return {}, str(problem)

    @functools.cached_property
    def not_held(self) -> tuple[str, ...]:
        """The relations of the question that an endpoint has no triple of (another part of a split graph may), where
        its answer is complete and holds nothing, 0 or no; otherwise those under a negation alone, which excluded
        nothing. Empty where that is not so, or cannot be told."""
        from pylf.backends.missing import not_held
        from pylf.ir.graph import Holding

        engine = self.graph.engine
        if not self.outcome.complete or not isinstance(engine, Holding):
            return ()
        try:
            return not_held(engine, self.query.ir, self.query.vocabulary, negated=not self._nothing)
        except EngineError:
            return ()

    @functools.cached_property
    def no_triples(self) -> str | None:
        """Where an endpoint's answer is complete and holds nothing, 0 or no: that the graphs that were asked hold no
        triples, and which ones there are, as a sentence. None where that is not so, or cannot be told."""
        from pylf.ir.graph import Holding

        engine = self.graph.engine
        if not self.outcome.complete or not self._nothing or not isinstance(engine, Holding):
            return None
        return engine.emptiness()

    @property
    def _nothing(self) -> bool:
        """Whether the answer is empty, 0 or no."""
        answers = self.answers
        return answers.empty or answers.number == 0 or answers.boolean is False

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
