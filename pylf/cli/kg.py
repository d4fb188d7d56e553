"""``pylf kg``: graphs on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.cli import options as shared

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    load = actions.add_parser("load", help="load RDF files into a folder")
    load.add_argument(
        "files", metavar="FILE", nargs="+", help="N-Triples, Turtle, N3, RDF/XML, TriG or N-Quads, .gz too"
    )
    load.add_argument("--into", metavar="DIR", required=True, help="the folder to make")
    load.add_argument("--replace", action="store_true", help="replace the graph that is there")
    load.add_argument("--no-schema", action="store_true", help="infer no schema")
    load.add_argument("--base", metavar="IRI", help="what relative IRIs are resolved against")
    shared.add_vocabulary(load)
    load.add_argument("--json", action="store_true", help="print the manifest as JSON")
    info = actions.add_parser("info", help="describe a folder")
    info.add_argument("folder", metavar="DIR", help="a folder made by 'pylf kg load'")
    info.add_argument("--json", action="store_true", help="as JSON")


def run(options: argparse.Namespace) -> int:
    """Load or describe."""
    return _load(options) if options.action == "load" else _info(options)


def _load(options: argparse.Namespace) -> int:
    from pylf.api import load_vocabulary
    from pylf.backends.engines import store
    from pylf.progress import Progress

    shared.settle(options)
    vocabulary = None if options.vocabulary is None else load_vocabulary(options.vocabulary)
    with Progress() as bar:
        manifest = store.load(
            options.files,
            options.into,
            progress=bar.advance,
            phase=bar.phase,
            vocabulary=vocabulary,
            infer=not options.no_schema,
            replace=options.replace,
            base=options.base,
        )
    for warning in manifest.warnings:
        shared.say(f"warning: {warning}")
    if options.json:
        shared.print_json(manifest.to_json())
        return 0
    shared.say(f"{options.into}: {manifest.triples:,} triples, snapshot {manifest.snapshot[:16]}")
    return 0


def _info(options: argparse.Namespace) -> int:
    from pylf.backends.engines import store

    data = store.info(options.folder)
    if options.json:
        shared.print_json(data)
        return 0
    from pylf.cli.fields import print_fields

    size = data.pop("bytes")
    del data["store_bytes"]  # a check on the folder, of no use to a person
    print_fields({"path": data.pop("path"), "size": f"{size / 1e6:,.1f} MB", **data})
    return 0
