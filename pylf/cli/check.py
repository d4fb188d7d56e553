"""``pylf check``: are these programs well-formed, well-typed and safe?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.cli import options as shared
from pylf.errors import CompileError, InputError, InvalidIR, Source

if TYPE_CHECKING:
    import argparse

    from pylf.api import CompiledQuery, KnowledgeGraph
    from pylf.errors import Diagnostic


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    shared.add_source(parser, many=True)
    parser.add_argument("--json", action="store_true", help="findings as JSON")
    parser.set_defaults(json_lists=True)
    shared.add_patience(parser)
    shared.add_surroundings(parser)


def run(options: argparse.Namespace) -> int:
    """Check each file; 1 when one has errors, 2 when one cannot be read."""
    from pylf.backends.patience import within

    with within(options.patience):
        return _check(options)


def _check(options: argparse.Namespace) -> int:
    from pylf.cli.failure import finding_of

    shared.settle(options)
    if options.kg is None and options.schema is None and options.vocabulary is None:
        shared.say(shared.BUNDLED)
    graph = None if options.kg is None else shared.opened(options)
    findings: dict[str, tuple[Diagnostic, ...]] = {}
    unread: dict[str, Diagnostic] = {}
    for path in options.file:
        try:
            query = _checked(options, path, graph)
            if not findings:
                shared.remark(query.schema)
            findings[path] = query.diagnostics
        except CompileError as problem:
            findings[path] = problem.diagnostics
        except (InputError, InvalidIR) as problem:
            unread[path] = finding_of(problem).at(Source("", shared.source_name(path)))
            shared.say(f"pylf: {problem}")
    bad = [path for path, found in findings.items() if any(d.severity == "error" for d in found)]
    empty = shared.emptiness(graph) if graph is not None and any(findings.values()) else None
    if empty is not None:
        shared.say(empty)
    if options.json:
        shared.print_json([d.to_json() for found in (*findings.values(), unread.values()) for d in found])
    else:
        for path, found in findings.items():
            if found:
                print("\n\n".join(d.render() for d in found))
            if path not in bad:
                warnings = f", {len(found)} warning{'' if len(found) == 1 else 's'}" if found else ""
                print(f"{path}: ok{warnings}")
    return 2 if unread else 1 if bad else 0


def _checked(options: argparse.Namespace, path: str, graph: KnowledgeGraph | None) -> CompiledQuery:
    from pylf.api import compile

    return compile(
        shared.read_text(path),
        kg=graph,
        schema=options.schema if graph is None else None,
        vocabulary=options.vocabulary if graph is None else None,
        source=options.source or "pylf",
        name=shared.source_name(path),
        **shared.choices(options),
    )
