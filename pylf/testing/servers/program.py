"""The programs that serve: what tells one from another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@record
class Options:
    """How a server is to differ from its default: a limit on a query's seconds and on an answer's rows."""

    time_limit: float | None = None
    row_cap: int | None = None


@record
class Program:
    """One: how it is started, and where it is asked and loaded.

    ``missing()`` says which package brings it where it cannot be started. ``command(folder, port, options)`` writes
    what the server needs into its folder and gives the command that starts it; ``ready(folder, port)`` is whether it
    serves (asked again and again), ``prepare`` what is to be done then. ``put(folder, port, graph, n_triples)`` puts a
    graph in the place of what there was. ``query`` is the path of the SPARQL endpoint, ``reference`` that of another
    engine at the same server, which follows the specification's algebra to the letter. ``dialect`` names the SPARQL
    dialect. ``longest_iri`` is how many bytes of an IRI are kept, where there is a limit; ``seconds`` how long the
    start may take on a slow machine; ``caps`` whether rows can be capped.
    """

    name: str
    dialect: str
    query: str
    missing: Callable[[], str | None]
    command: Callable[[Path, int, Options], list[str]]
    ready: Callable[[Path, int], bool]
    put: Callable[[Path, int, str, bytes], None]
    prepare: Callable[[Path, int], None] | None = None
    reference: str | None = None
    longest_iri: int | None = None
    seconds: float = 60.0
    caps: bool = False
