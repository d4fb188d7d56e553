"""``pylf kg``: graphs on disk."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from pylf.cli import options as shared
from pylf.errors import InputError
from pylf.ir.schema.vocabulary import ENCODINGS

if TYPE_CHECKING:
    import argparse

    from pylf.ir.schema.vocabulary import Vocabulary

#: The encodings by the words that ``--confidence`` has for them.
CONFIDENCE = {name.removesuffix(" property").replace(" ", "-"): kind for name, kind in ENCODINGS.items()}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    load = actions.add_parser("load", help="load RDF files into a folder")
    load.add_argument(
        "files", metavar="FILE", nargs="+",
        help="N-Triples, Turtle, N3, RDF/XML, TriG or N-Quads, .gz too; with --confidence, tables of four columns",
    )  # fmt: skip
    load.add_argument("--into", metavar="DIR", required=True, help="the folder to make")
    load.add_argument("--replace", action="store_true", help="replace the graph that is there")
    load.add_argument("--no-schema", action="store_true", help="infer no schema")
    load.add_argument("--base", metavar="IRI", help="what relative IRIs are resolved against")
    load.add_argument(
        "--confidence", choices=tuple(CONFIDENCE),
        help="each FILE is a table of head, relation, tail and confidence, set apart by tabs; how the graph keeps the "
        "confidences (of the same kind as the statements of --vocab, where that has some, and in its words)",
    )  # fmt: skip
    load.add_argument("--namespace", metavar="IRI", help="with --confidence: what the names of a table begin with")
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
    files = options.files
    with ExitStack() as stack:
        bar = stack.enter_context(Progress())
        if options.confidence is not None:
            bar.phase("writing the table as RDF")
            files, vocabulary = _converted(options, vocabulary, stack)
        elif options.namespace is not None:
            raise InputError("--namespace is for tables: --confidence")
        manifest = store.load(
            files,
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


def _converted(
    options: argparse.Namespace, vocabulary: Vocabulary | None, stack: ExitStack
) -> tuple[list[str], Vocabulary]:
    """The table as an RDF file, which goes when the stack is closed, and the vocabulary that says where its confidences
    are: the graph keeps it, so that it need not be named again."""
    import os
    import tempfile

    from pylf.api import load_vocabulary
    from pylf.backends.engines.uncertain import NAMESPACE, convert
    from pylf.ir.schema.vocabulary import TripleTerms
    from pylf.records import replace

    if len(options.files) > 1:
        raise InputError("one table makes a graph: put the lines of several into one file")
    kind = CONFIDENCE[options.confidence]
    known = vocabulary or load_vocabulary("rdf")
    encoding = known.statements if isinstance(known.statements, kind) else kind()
    if isinstance(encoding, TripleTerms):
        encoding = replace(encoding, stated=True)  # as they are written
    namespace = options.namespace or known.prefixes.get("") or NAMESPACE
    prefixes = {"": namespace, **known.prefixes}
    vocabulary = replace(known, name=f"{known.name}, {options.confidence}", prefixes=prefixes, statements=encoding)
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    path = os.path.join(folder, os.path.basename(options.files[0]) + ".nq")
    convert(options.files[0], path, encoding, namespace)
    return [path], vocabulary


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
