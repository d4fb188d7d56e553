"""``pylf compile``: a program in another form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.cli import options as shared

if TYPE_CHECKING:
    import argparse

FORMS = ("sparql", "ir", "json", "pylf", "english", "dot", "svg", "mermaid")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    shared.add_source(parser)
    parser.add_argument("--to", choices=FORMS, default="sparql", help="the form to write (sparql)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there, not to standard output")
    parser.add_argument("--explain", action="store_true", help="the question in English, its IR and its SPARQL")
    parser.add_argument("--json", action="store_true", help="all of it as JSON: forms, fingerprint, warnings")
    shared.add_surroundings(parser)
    shared.add_emission(parser)


def run(options: argparse.Namespace) -> int:
    """Compile and print."""
    shared.settle(options)
    query = shared.compiled(options, options.file)
    if options.json:
        shared.print_json(
            {
                "fingerprint": query.fingerprint,
                "negation": query.settings.negation,
                "english": query.english,
                "sparql": query.sparql,
                "dialect": query.settings.dialect,
                "ir": query.to("ir"),
                "diagnostics": [d.to_json() for d in query.diagnostics],
            }
        )
        return 0
    text = query.explain() if options.explain else query.to(options.to)
    if options.output is None:
        print(text)
        return 0
    shared.write_text(options.output, text + "\n")
    return 0
