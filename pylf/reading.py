"""A question read from any of its forms: each is parsed in its own room and ends as the one IR, verified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pylf.errors import InputError

if TYPE_CHECKING:
    from pylf.errors import Diagnostic
    from pylf.ir.nodes import Query
    from pylf.language.context import Context
    from pylf.language.syntax import Program

    Read = tuple[Query, tuple[Diagnostic, ...]]

#: What SPARQL's ``ORDER BY … LIMIT k`` does with what ties at the last place.
Ties = Literal["kept", "cut"]


def read(text: str, name: str, source: str, context: Context, inner_classes: bool = False, ties: Ties = "kept") -> Read:
    """The query that a text means, in one of :data:`pylf.forms.SOURCES`, and warnings.

    Raises:
        CompileError: the text is not well-formed, names nothing, or does not go with the schema.
        InvalidIR: hand-written IR breaks a rule.
        InputError: the text is no JSON where it has to be.
    """
    match source:
        case "ir":
            from pylf.ir.text import parse_query

            return parse_query(text, name), ()
        case "json":
            return _from_json(text, name), ()
        case "sparql":
            return _from_sparql(text, name, context, ties)
        case "path":
            from pylf.frontends.path import lower as path_lower
            from pylf.frontends.path import parser as path_parser

            return _verified(path_lower.lower(path_parser.parse(text, name), context))
        case "subgraph":
            from pylf.errors import Source
            from pylf.frontends.subgraph import lower as subgraph_lower
            from pylf.frontends.subgraph import parser as subgraph_parser

            question = subgraph_parser.parse(text, name)
            return _verified(subgraph_lower.lower(question, context, Source(text, name)))
        case _:
            from pylf.language.lower import lower

            return _verified(lower(_program(text, name, source, context, inner_classes), context))


def _verified(read: Read) -> Read:
    from pylf.ir.verify import verify

    query, diagnostics = read
    verify(query)
    return query, diagnostics


def _from_sparql(text: str, name: str, context: Context, ties: Ties) -> Read:
    """What a SPARQL text asks. A relation or a class that the schema does not list is warned of; where the reading is
    strict, it is an error, and so is what is not standard."""
    from pylf.frontends.sparql.listed import unlisted, warned
    from pylf.frontends.sparql.lower import lower
    from pylf.frontends.sparql.parser import parse

    today = context.today
    if today is None:
        import datetime

        today = datetime.date.today().isoformat()
    parsed = parse(text, name, context.vocabulary.prefixes)
    query, diagnostics = lower(parsed, context.schema, context.vocabulary, ties=ties, today=today)
    if context.strict:
        from pylf.errors import CompileError

        refused = [d._replace(severity="error") for d in diagnostics if d.code == "not-standard"]
        refused += unlisted(parsed, query, context.schema, context.vocabulary)
        if refused:
            raise CompileError(refused)
        return query, diagnostics
    return query, (*diagnostics, *warned(parsed, query, context.schema, context.vocabulary))


def _program(text: str, name: str, source: str, context: Context, inner_classes: bool) -> Program:
    """The text as a PyLF program: read, or translated from a form whose names are looked up as PyLF's are."""
    match source:
        case "sexpr":
            from pylf.frontends.sexpr import parser, to_pylf

            return to_pylf.to_program(parser.parse(text, name), context.schema, context.vocabulary)
        case "graphquery":
            from pylf.frontends.graphquery import reader
            from pylf.frontends.graphquery import to_pylf as graph_to_pylf

            graph = reader.read(text, name)
            return graph_to_pylf.to_program(graph, context.schema, context.vocabulary, inner_classes)
        case "chain":
            from pylf.frontends.chain import parser as chain_parser
            from pylf.frontends.chain import to_pylf as chain_to_pylf

            return chain_to_pylf.to_program(chain_parser.parse(text, name), context.schema, context.vocabulary)
        case _:
            from pylf.language.parser import parse

            return parse(text, name, context.strict)


def _from_json(text: str, name: str) -> Query:
    import json

    from pylf.ir.json import from_json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{name} is not JSON: {problem}") from None
    return from_json(data)
