"""Asking an engine, or what is kept of its earlier answers."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

from pylf.backends.outcome import Outcome, Status, failed, outcome_of
from pylf.errors import EngineError

if TYPE_CHECKING:
    from pylf.backends.engines.protocol import Engine
    from pylf.backends.results_cache import ResultsCache
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary


def key_of(sparql: str, cache_scope: str, query: Query) -> str:
    """The key of a query's answers: its text, whose answers these are (``Engine.cache_scope``), form and width."""
    parts = (sparql, cache_scope, query.form.value, str(len(query.outputs)))
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(encoded) + encoded)
    return digest.hexdigest()


def asked(
    engine: Engine,
    query: Query,
    schema: Schema,
    vocabulary: Vocabulary,
    optimize: int = 1,
    timeout: float | None = None,
    cache: ResultsCache | None = None,
) -> Outcome:
    """The outcome of a query on an engine: kept answers where there are any, else a new execution, whose answers are
    kept where they are complete and the engine says under what.

    Raises:
        UnsupportedOperation: the query cannot be expressed.
    """
    cache_scope = engine.cache_scope if cache is not None else None
    if cache is None or cache_scope is None:
        return outcome_of(lambda: engine.run(query, schema, vocabulary, optimize, timeout))
    from pylf.backends.sparql import emit

    began = time.monotonic()
    try:
        key = key_of(emit(query, schema, vocabulary, engine.spoken, optimize), cache_scope, query)
    except EngineError as problem:  # the endpoint does not say which engine it is
        return failed(problem, began)
    kept = cache.get(key)
    if kept is not None:
        status = Status.EMPTY if kept.empty else Status.ANSWERED
        return Outcome(status, kept, "", time.monotonic() - began, cached=True)
    outcome = outcome_of(lambda: engine.run(query, schema, vocabulary, optimize, timeout))
    if outcome.complete and outcome.answers is not None:
        cache.put(key, outcome.answers)
    return outcome
