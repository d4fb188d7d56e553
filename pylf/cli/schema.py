"""``pylf schema``: infer a schema from a graph, read one that is stated, show one, or find names in one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.cli import options as shared
from pylf.errors import InputError

if TYPE_CHECKING:
    import argparse

    from pylf.ir.schema.model import Class, Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary

#: a schema of no more names than this is listed whole
_WHOLE = 200
#: so many malformed lines of a schema's files are shown
_MOST_FINDINGS = 20
_INVERSES = ("entailed", "mirrored")
_INVERSES_HELP = (
    "how the graph keeps pairs of inverses: each triple in both directions (mirrored), or in one, which stands for the "
    "other (entailed)"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    infer = actions.add_parser("infer", help="infer a schema from a graph's data")
    infer.add_argument("kg", metavar="GRAPH", help=shared.GRAPH)
    shared.add_graphs(infer)
    infer.add_argument("-o", "--output", metavar="FILE", required=True, help="the schema file to write (.sqlite)")
    infer.add_argument("--schema", metavar="PATH", help="a declared schema; what it states wins over what is inferred")
    infer.add_argument("--inverses", choices=_INVERSES, help=_INVERSES_HELP)
    shared.add_vocabulary(infer)
    shared.add_patience(infer)
    read = actions.add_parser("read", help="read a schema that is stated, and keep it in a file that opens at once")
    read.add_argument("schema", metavar="SCHEMA", help=shared.SCHEMA)
    read.add_argument("-o", "--output", metavar="FILE", required=True, help="the schema file to write (.sqlite)")
    read.add_argument("--inverses", choices=_INVERSES, help=_INVERSES_HELP)
    shared.add_vocabulary(read)
    show = actions.add_parser("show", help="show a schema, find names in it, or tell all of one name")
    show.add_argument("name", metavar="NAME", nargs="?", help="a relation or a class to tell all of")
    show.add_argument("--like", metavar="TEXT", help="list the relations and classes whose name or label holds TEXT")
    show.add_argument("--schema", metavar="PATH", help=shared.SCHEMA)
    show.add_argument("--kg", metavar="GRAPH", help="the graph whose schema to show")
    show.add_argument("--vocab", dest="vocabulary", metavar="NAME", help=shared.VOCABULARY)
    show.add_argument("--json", action="store_true", help="as JSON")
    shared.add_patience(show)


def run(options: argparse.Namespace) -> int:
    """Infer, read or show."""
    from pylf.backends.patience import within

    if options.action == "read":
        return _read(options)
    shared.settle(options)
    with within(options.patience):
        return _infer(options) if options.action == "infer" else _show(options)


def _infer(options: argparse.Namespace) -> int:
    from pylf.graphs import check_not_empty, load_schema, open_engine
    from pylf.ir.schema.infer import infer_schema

    _check_output(options.output)
    engine, vocabulary = open_engine(
        options.kg, schema=options.schema, vocabulary=options.vocabulary, graphs=options.graphs or ()
    )
    declared = None if options.schema is None else load_schema(options.schema, vocabulary)
    schema = infer_schema(engine, vocabulary, declared)
    check_not_empty(engine, schema)
    return _write(schema, options.output, options.inverses)


def _read(options: argparse.Namespace) -> int:
    from pylf.api import load_schema, vocabulary_for
    from pylf.ir.schema import freebase

    _check_output(options.output)
    vocabulary = vocabulary_for(options.schema, options.vocabulary)
    if not freebase.is_folder(options.schema):
        schema = load_schema(options.schema, vocabulary)
        _write(schema, options.output, options.inverses)
        if not any(True for _ in schema.source.all_relations()) and not any(True for _ in schema.source.all_classes()):
            shared.say(
                f"no class or relation is declared in {options.schema}; if it holds data, infer a schema from them: "
                f"pylf schema infer {options.schema} -o {options.output}"
            )
        return 0
    schema, findings = freebase.read_freebase(options.schema, vocabulary)
    malformed = [finding for finding in findings if finding.code == "malformed-line"]
    shared.warn(tuple(malformed[:_MOST_FINDINGS]))
    if len(malformed) > _MOST_FINDINGS:
        shared.say(f"… and {len(malformed) - _MOST_FINDINGS:,} malformed lines more")
    return _write(schema, options.output, options.inverses)


def _check_output(path: str) -> None:
    import os

    if os.path.isdir(path):
        raise InputError(f"{path}: is a directory")
    if not path.endswith(".sqlite"):
        raise InputError(f"{path}: a schema file is SQLite's; let its name end in .sqlite")


def _write(schema: Schema, path: str, inverses: str | None) -> int:
    from pylf.cli.fields import counted
    from pylf.ir.schema.cache import write_schema

    write_schema(schema, path, inverses)
    relations = sum(1 for _ in schema.source.all_relations())
    classes = sum(1 for _ in schema.source.all_classes())
    shared.remark(schema)
    shared.say(f"{path}: {counted(relations, 'relation')}, {counted(classes, 'class')}")
    return 0


def _surroundings(options: argparse.Namespace) -> tuple[Schema, Vocabulary]:
    from pylf.api import bundled_schema, load_schema, open_kg, vocabulary_for

    if options.kg is not None:
        graph = open_kg(options.kg, schema=options.schema, vocabulary=options.vocabulary)
        return graph.schema, graph.vocabulary
    if options.schema is not None:
        vocabulary = vocabulary_for(options.schema, options.vocabulary)
        return load_schema(options.schema, vocabulary), vocabulary
    shared.say("no --kg, --schema or pylf.toml: showing the schema of the bundled graph of rockets")
    return bundled_schema()


def _show(options: argparse.Namespace) -> int:
    schema, vocabulary = _surroundings(options)
    shared.remark(schema)
    if options.name is not None:
        return _show_one(options, schema, vocabulary)
    data = _found(schema, vocabulary, options.like)
    from pylf.cli.fields import counted, print_fields
    from pylf.ir.schema.describe import overview

    if options.json:
        shared.print_json(({"overview": overview(schema)} if options.like is None else {}) | data)
        return 0
    if options.like is None:
        print_fields({k: v for k, v in overview(schema).items() if k != "largest"})
        print()
    relations, classes = data["relations"], data["classes"]
    if options.like is None and len(relations) + len(classes) > _WHOLE:
        relations = sorted(relations, key=lambda r: -(r["triples"] or 0))[:20]
        classes = sorted(classes, key=lambda c: -(c["instances"] or 0))[:20]
        shared.say("the largest only; 'pylf schema show --like TEXT' finds the others")
    _print_classes(classes)
    if relations and classes:
        print()
    _print_relations(relations)
    if options.like is not None:
        shared.say(f"{counted(len(relations), 'relation')}, {counted(len(classes), 'class')}")
        return 0 if relations or classes else 1
    return 0


def _show_one(options: argparse.Namespace, schema: Schema, vocabulary: Vocabulary) -> int:
    from pylf.cli.fields import print_fields
    from pylf.ir.schema.describe import describe

    data: dict[str, Any] = describe(schema, options.name, vocabulary)
    if options.json:
        shared.print_json(data)
        return 0
    for number, part in enumerate((*data["relations"], *data["classes"])):
        if number:
            print()
        print_fields(part)
    return 0


# -- lists of names


def _found(schema: Schema, vocabulary: Vocabulary, like: str | None) -> dict[str, Any]:
    """``{"relations": [{"name", "iri", "label", "from", "to", "triples"}], "classes": [{"name", "iri", "label",
    "instances"}]}``: all, or those whose name or label holds a text, whatever the case."""
    from pylf.ir.schema.memory import local_name
    from pylf.ir.schema.names import class_name, relation_name

    sought = None if like is None else like.casefold()

    def fits(thing: Relation | Class) -> bool:
        return sought is None or sought in local_name(thing.iri).casefold() or sought in (thing.label or "").casefold()

    relations = [r for r in schema.source.all_relations() if fits(r)]
    classes = [c for c in schema.source.all_classes() if fits(c) and c.subjects_of is None and c.objects_of is None]
    return {
        "relations": [
            {
                "name": relation_name(r.iri, schema, vocabulary),
                "iri": r.iri,
                "label": r.label,
                "from": _ends(schema, r.domain),
                "to": _far_end(schema, r),
                "triples": r.triples,
            }
            for r in relations
        ],
        "classes": [
            {
                "name": class_name(c.iri, schema, vocabulary),
                "iri": c.iri,
                "label": c.label,
                "instances": c.instances,
            }
            for c in classes
        ],
    }


def _ends(schema: Schema, unions: tuple[tuple[str, ...], ...]) -> str | None:
    from pylf.ir.schema.memory import local_name

    def called(iri: str) -> str:
        found = schema.class_(iri)
        if found is not None and (found.subjects_of or found.objects_of):
            side = "subjects" if found.subjects_of else "objects"
            return f"{side} of {local_name(found.subjects_of or found.objects_of or '')}"
        return found.label if found is not None and found.label else local_name(iri)

    told = [" or ".join(map(called, union[:3])) + (" or …" if len(union) > 3 else "") for union in unions[:2]]
    return " and ".join(told) + (" and …" if len(unions) > 2 else "") if told else None


def _far_end(schema: Schema, relation: Relation) -> str | None:
    from pylf.cli.fields import datatype

    found = [_ends(schema, relation.range), " or ".join(map(datatype, relation.datatypes))]
    return " or ".join(filter(None, found)) or ("a literal" if relation.literal else None)


def _print_relations(relations: list[dict[str, Any]]) -> None:
    rows = [(r["name"], f"{r['from'] or 'anything'} → {r['to'] or 'anything'}") for r in relations]
    _print_list("relations", rows, [r["triples"] for r in relations])


def _print_classes(classes: list[dict[str, Any]]) -> None:
    rows = [(c["name"], "" if c["label"] in (None, c["name"]) else c["label"]) for c in classes]
    _print_list("classes", rows, [c["instances"] for c in classes])


def _print_list(title: str, rows: list[tuple[str, str]], numbers: list[int | None]) -> None:
    """A title and rows below it, with how often each occurs where that is known."""
    from pylf.cli.fields import print_table

    if not rows:
        return
    print(title)
    if any(number is not None for number in numbers):
        shown = ["" if number is None else f"{number:,}" for number in numbers]
        print_table([(number, *row) for number, row in zip(shown, rows, strict=True)], right=frozenset((0,)))
    else:
        print_table(rows)
