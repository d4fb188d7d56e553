"""``pylf schema``: infer a schema from a graph, or show one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.cli import options as shared

if TYPE_CHECKING:
    import argparse

    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    infer = actions.add_parser("infer", help="infer a schema from a graph's data")
    infer.add_argument("kg", metavar="GRAPH", help="a folder made by 'pylf kg load', or an RDF file")
    infer.add_argument("-o", "--output", metavar="FILE", required=True, help="the schema file to write (.sqlite)")
    infer.add_argument("--schema", metavar="FILE", help="a declared schema; what it states wins over what is inferred")
    infer.add_argument("--vocab", dest="vocabulary", metavar="NAME", help="rdf, freebase, or a TOML file")
    show = actions.add_parser("show", help="show a schema, or one of its relations or classes")
    show.add_argument("name", metavar="NAME", nargs="?", help="a relation or a class; all of them when left out")
    show.add_argument("--schema", metavar="FILE", help="the schema to show")
    show.add_argument("--kg", metavar="PATH", help="the graph whose schema to show")
    show.add_argument("--vocab", dest="vocabulary", metavar="NAME", help="rdf, freebase, or a TOML file")
    show.add_argument("--json", action="store_true", help="as JSON")


def run(options: argparse.Namespace) -> int:
    """Infer or show."""
    shared.settle(options)
    return _infer(options) if options.action == "infer" else _show(options)


def _infer(options: argparse.Namespace) -> int:
    from pylf.api import load_schema, open_kg
    from pylf.ir.schema.cache import write_schema
    from pylf.ir.schema.infer import infer_schema

    graph = open_kg(options.kg, vocabulary=options.vocabulary)
    declared = None if options.schema is None else load_schema(options.schema, graph.vocabulary)
    schema = infer_schema(graph.engine, graph.vocabulary, declared)
    write_schema(schema, options.output)
    relations, classes = _count(schema)
    shared.say(f"{options.output}: {relations} relations, {classes} classes")
    return 0


def _count(schema: Schema) -> tuple[int, int]:
    return sum(1 for _ in schema.source.all_relations()), sum(1 for _ in schema.source.all_classes())


def _surroundings(options: argparse.Namespace) -> tuple[Schema, Vocabulary]:
    from pylf.api import bundled_schema, load_schema, load_vocabulary, open_kg

    if options.schema is not None:
        vocabulary = load_vocabulary(options.vocabulary)
        return load_schema(options.schema, vocabulary), vocabulary
    if options.kg is not None:
        graph = open_kg(options.kg, vocabulary=options.vocabulary)
        return graph.schema, graph.vocabulary
    shared.say("no --kg, --schema or pylf.toml: showing the schema of the bundled graph of rockets")
    return bundled_schema()


def _show(options: argparse.Namespace) -> int:
    from pylf.ir.schema.describe import describe, overview

    schema, vocabulary = _surroundings(options)
    if options.name is None:
        data: dict[str, Any] = overview(schema)
    else:
        data = describe(schema, options.name, vocabulary)
    if options.json:
        shared.print_json(data)
        return 0
    for part in (data,) if options.name is None else (*data["relations"], *data["classes"]):
        print_fields(part)
    return 0


def print_fields(data: dict[str, Any], indent: str = "") -> None:
    """Plain data as aligned lines, nested data indented; what is empty is left out."""
    told = {key.replace("_", " "): value for key, value in data.items() if value not in (None, False, [], {}, ())}
    width = max(map(len, told), default=0)
    for key, value in told.items():
        if isinstance(value, dict):
            print(f"{indent}{key}")
            print_fields(value, indent + "  ")
        elif isinstance(value, list) and any(isinstance(v, dict) and "triples" in v for v in value):
            print(f"{indent}{key}")
            for item in value:
                print(f"{indent}  {item['triples']:>10,}  {item['iri']}")
        else:
            print(f"{indent}{key.ljust(width)}  {_words(value)}")


def _words(value: object) -> str:
    """A field in one line: classes by label, a conjunction of unions as ``a or b, and c``."""
    match value:
        case [[*_], *_]:
            return ", and ".join(" or ".join(map(_words, union)) for union in value)
        case list():
            return ", ".join(map(_words, value))
        case {"name": name}:
            return str(name)
        case {"label": label}:
            return str(label)
        case bool():
            return "yes"
        case int():
            return f"{value:,}"
    return str(value)
