"""Programs as queries, over the small world of :mod:`pylf.testing.programs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pylf
from pylf.errors import InvalidIR
from pylf.ir.evaluate import evaluate
from pylf.testing import programs

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from pylf.ir.graph import Graph
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema

    Compiled = Callable[[str], Query]
    Keyed = Callable[[Query, Graph], Hashable]


@pytest.fixture(scope="session")
def world() -> Schema:
    """The schema of :mod:`pylf.testing.programs`."""
    return programs.schema()


@pytest.fixture(scope="session")
def question(world: Schema) -> Compiled:
    """The query of an expression."""

    def compiled(expression: str) -> Query:
        return pylf.compile(f"e = STOP({expression})", schema=world, vocabulary=programs.VOCABULARY).ir

    return compiled


@pytest.fixture(scope="session")
def answer(world: Schema) -> Keyed:
    """What a query answers by the reference evaluator; None for a number query that has no number."""

    def keyed(query: Query, graph: Graph) -> Hashable:
        try:
            return evaluate(query, graph, world, programs.VOCABULARY).key()
        except InvalidIR:
            return None

    return keyed
