"""Options that several commands share, and how they become a compiled query."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar

from pylf.backends.dialects import NAMES
from pylf.errors import InputError, printable, reason
from pylf.forms import SOURCES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from pylf.api import CompiledQuery, KnowledgeGraph
    from pylf.errors import Diagnostic
    from pylf.ir.schema.model import Schema

_N = TypeVar("_N", int, float)
MAX_INPUT = 10_000_000
SCHEMA = "a schema: Turtle, a file that 'pylf schema' wrote, or a folder of Freebase's schema files"
GRAPHS = "a graph of the endpoint, its IRI, of those to ask (repeat it for several)"
VOCABULARY = "a vocabulary: rdf, freebase, wikidata, dbpedia, or a TOML file"
GRAPH = (
    "a graph: a folder made by 'pylf kg load', an RDF file, a SPARQL endpoint (its address, or the file that 'pylf "
    "doctor --save' wrote), or 'bundled'"
)
BUNDLED = "no --kg, --schema or pylf.toml: using the bundled graph of rockets"


def add_source(parser: argparse.ArgumentParser, many: bool = False) -> None:
    """The program file."""
    parser.add_argument("file", metavar="FILE", nargs="+" if many else None, help="a program, or - for standard input")


def add_surroundings(parser: argparse.ArgumentParser) -> None:
    """What a program is compiled against, and how it is read."""
    group = parser.add_argument_group("what it is compiled against")
    add_graph(group)
    add_description(group)
    group = parser.add_argument_group("how it is read")
    group.add_argument("--from", dest="source", choices=SOURCES, help="the form of the program (pylf)")
    group.add_argument("--negation", choices=("cwa", "pca"), help="closed world, or only what has some value (cwa)")
    add_switch(group, "strict", "refuse extensions of PyLF and of SPARQL, and names that the schema does not list")
    add_switch(group, "lenient", "type clashes are warnings and empty sets")
    group.add_argument("--exclude-topic", action="store_true", help="drop the program's own entities from its answers")
    group.add_argument("--all-different", action="store_true", help="no two nodes of the question are one entity")
    group.add_argument(
        "--inner-classes", action="store_true", help="ask for the classes of a graph query's inner nodes"
    )
    group.add_argument("--today", metavar="DATE", help="the date that 'NOW' and SPARQL's NOW() mean (today)")
    group.add_argument(
        "--ties", choices=("kept", "cut"), help="what ties at the last place of SPARQL's ORDER BY … LIMIT (kept)"
    )


def add_graph(group: argparse._ActionsContainer, kept: str = "answers of an endpoint") -> None:
    """Which graph, and whether what is ``kept`` is used."""
    group.add_argument("--kg", metavar="GRAPH", help=GRAPH)
    add_graphs(group)
    group.add_argument("--no-cache", action="store_true", help=f"neither use nor keep {kept}")


def add_graphs(group: argparse._ActionsContainer) -> None:
    """Which graphs of an endpoint."""
    group.add_argument("--graph", dest="graphs", action="append", metavar="IRI", help=GRAPHS)


def add_description(group: argparse._ActionsContainer) -> None:
    """What tells how to read a graph."""
    group.add_argument("--schema", metavar="PATH", help=SCHEMA)
    add_vocabulary(group)


def add_vocabulary(group: argparse._ActionsContainer) -> None:
    """Which vocabulary."""
    group.add_argument("--vocab", dest="vocabulary", metavar="NAME", help=VOCABULARY)


def add_patience(parser: argparse._ActionsContainer) -> None:
    """How long an endpoint is waited for; to be handed to :func:`pylf.backends.patience.within`."""
    parser.add_argument(
        "--timeout", dest="patience", type=seconds, metavar="SECONDS", help="give an endpoint up after so long"
    )


def opened(options: argparse.Namespace) -> KnowledgeGraph:
    """The graph that the options name, with its schema and vocabulary."""
    from pylf.graphs import empty_schema, open_kg

    graph = open_kg(
        options.kg,
        schema=options.schema,
        vocabulary=options.vocabulary,
        graphs=options.graphs or (),
        cache=not options.no_cache,
        limited=getattr(options, "timeout", None) not in (None, float("inf")),
    )
    if graph.schema is empty_schema():
        say(f"{graph.name}: no --schema, so that names mean what the vocabulary says and types are unknown")
    return graph


def add_switch(group: argparse._ArgumentGroup, name: str, told: str) -> None:
    """A switch that pylf.toml may have on, and a flag turns on or off."""
    group.add_argument(f"--{name}", action="store_true", default=None, help=told)
    group.add_argument(f"--no-{name}", dest=name, action="store_false", help="not that, whatever pylf.toml says")


def add_emission(parser: argparse.ArgumentParser, usual: str = "sparql11", level: int | None = None) -> None:
    """How SPARQL is written; ``usual`` names the usual dialect. The -O is ``level``, else that of pylf.toml, else 1."""
    group = parser.add_argument_group("how SPARQL is written")
    group.add_argument("--dialect", choices=NAMES, help=f"the engine it is for ({usual})")
    add_level(group, level)


def add_level(group: argparse._ActionsContainer, level: int | None = None) -> None:
    """How much is optimized; as for :func:`add_emission`."""
    group.add_argument(
        "-O", dest="optimize", type=int, choices=(0, 1, 2), default=level,
        help="-O0 the plain form, -O1 the shapes that the engine likes, -O2 all passes of the optimizer "
        f"({1 if level is None else level})",
    )  # fmt: skip


def add_print_after(parser: argparse.ArgumentParser) -> None:
    """After which passes the query is printed, as :mod:`pylf.cli.after` does."""
    parser.add_argument(
        "--print-after", metavar="PASS", action="append", default=[],
        help="print the IR after each round in which a pass of the optimizer changed it, to standard error or, with "
        "--json, in that (again for more)",
    )  # fmt: skip


def seconds(text: str) -> float:
    """A time limit: a positive number."""
    return _positive(float, text, "a number of seconds")


def count(text: str) -> int:
    """A number of things: at least 1."""
    return _positive(int, text, "a whole number")


def amount(text: str) -> float:
    """An amount of money: a positive number."""
    return _positive(float, text, "an amount")


def _positive(read: Callable[[str], _N], text: str, what: str) -> _N:
    import argparse

    try:
        value = read(text)
    except ValueError:
        value = read("0")
    if not value > 0:  # NaN as well
        raise argparse.ArgumentTypeError(f"{text!r} is not {what} above 0")
    return value


def settle(options: argparse.Namespace, *names: str) -> None:
    """Fill what the flags leave open from ``pylf.toml``; of ``names`` alone, where some are given."""
    from pylf.config import read_config

    for key, value in read_config().items():
        if getattr(options, key, None) is None and (not names or key in names):
            setattr(options, key, value)


def read_text(path: str) -> str:
    """A file's text, or standard input for ``-``.

    Raises:
        InputError: it cannot be read, is not UTF-8 or is too large.
    """
    try:
        if path == "-" and sys.stdin is None:
            raise InputError("standard input is closed")
        if path == "-":
            data = sys.stdin.buffer.read(MAX_INPUT + 1)
        else:
            with open(path, "rb") as stream:
                data = stream.read(MAX_INPUT + 1)
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None
    if len(data) > MAX_INPUT:
        raise InputError(f"{path}: larger than {MAX_INPUT:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: not UTF-8 text (byte {problem.start})") from None


def source_name(path: str) -> str:
    """How findings call a file."""
    return "<stdin>" if path == "-" else path


def write_text(path: str, text: str) -> None:
    """Writes a file in one step, so that nothing is lost when that is cut short; a link stays one, and modes stay.

    What is no plain file (a pipe, /dev/stdout) is written to.

    Raises:
        InputError: it cannot be written.
    """
    import os
    import shutil

    target = os.path.realpath(path)
    fresh = None
    try:
        if path.startswith("/dev/") or (os.path.exists(target) and not os.path.isfile(target)):
            with open(path, "w", encoding="utf-8", newline="") as there:
                there.write(text)
            return
        beside = os.path.join(os.path.dirname(target), f".pylf-{os.getpid()}-{os.urandom(4).hex()}")
        with open(beside, "x", encoding="utf-8", newline="") as stream:
            fresh = beside
            stream.write(text)
        if os.path.exists(target):
            shutil.copymode(target, fresh)
        os.replace(fresh, target)
        fresh = None
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None
    finally:
        if fresh is not None:
            os.unlink(fresh)


def compiled(options: argparse.Namespace, path: str, graph: KnowledgeGraph | None = None) -> CompiledQuery:
    """The program of a file, compiled as the options say; warnings are printed."""
    from pylf.api import compile

    if graph is None and options.schema is None and options.vocabulary is None:
        say(BUNDLED)
    query = compile(
        read_text(path),
        kg=graph,
        schema=options.schema if graph is None else None,
        vocabulary=options.vocabulary if graph is None else None,
        source=options.source or "pylf",
        name=source_name(path),
        **choices(options),
    )
    remark(query.schema)
    warn(query.diagnostics)
    return query


def compiled_on(options: argparse.Namespace, path: str, graph: KnowledgeGraph | None = None) -> CompiledQuery:
    """As :func:`compiled`, on the graph that is given or that the options name; where that fails, a graph that holds
    nothing is told of."""
    from pylf.errors import CompileError

    if graph is None and options.kg is not None:
        graph = opened(options)
    try:
        return compiled(options, path, graph)
    except CompileError:
        empty = None if graph is None else emptiness(graph)
        if empty is not None:
            say(empty)
            known(options, no_triples=empty)
        raise


def known(options: argparse.Namespace, **data: Any) -> None:
    """Keeps what a command knows already: with ``--json`` that is told even where the command fails."""
    options.so_far = getattr(options, "so_far", {}) | data


def emptiness(graph: KnowledgeGraph) -> str | None:
    """That the graphs that are asked at an endpoint hold nothing, which is why names are not found; None where they do,
    or that is not told."""
    from pylf.ir.graph import Holding

    return graph.engine.emptiness() if isinstance(graph.engine, Holding) else None


def choices(options: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments of :func:`pylf.compile` that do not name a graph."""
    level = getattr(options, "optimize", None)
    return {
        "negation": options.negation or "cwa",
        "dialect": getattr(options, "dialect", None) or "sparql11",
        "optimize": 1 if level is None else level,
        "strict": bool(options.strict),
        "lenient": bool(options.lenient),
        "exclude_topic": options.exclude_topic,
        "today": options.today,
        "inner_classes": options.inner_classes,
        "all_different": options.all_different,
        "ties": options.ties or "kept",
    }


def warn(diagnostics: tuple[Diagnostic, ...]) -> None:
    """Warnings, rendered, to stderr."""
    for diagnostic in diagnostics:
        say(diagnostic.render())


def remark(schema: Schema) -> None:
    """What of a schema's files was left out when they were read, if anything, to stderr."""
    left_out = schema.source.meta("remarks")
    if left_out is not None:
        say(f"left out of the schema: {printable(left_out)}")


def say(text: str) -> None:
    """A remark for the person at the terminal, to stderr, where that is open."""
    if sys.stderr is not None:  # print would take standard output for it
        print(text, file=sys.stderr)


def print_json(data: object) -> None:
    """Data as one JSON document on stdout: UTF-8, no NaN, reads back equal."""
    import json

    json.dump(data, sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")
