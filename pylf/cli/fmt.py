"""``pylf fmt``: programs in the one style.

Texts in other forms are printed again from their trees. Only PyLF's formatter keeps comments, so that a text of another
form that has some is refused.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from pylf.cli import options as shared
from pylf.errors import CompileError, Diagnostic, InputError, Source, Span

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

#: What ``--from`` names: the forms that are texts with a style of their own.
_FORMS = ("pylf", "sexpr", "sparql", "chain", "path", "subgraph")
#: A line of a path: its comments are lines that begin with "#" and a blank.
_NO_COMMENT = re.compile(r"^(?![ \t]*#(?:[ \t]|$)).+$", re.MULTILINE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    shared.add_source(parser, many=True)
    parser.add_argument("--from", dest="source", choices=_FORMS, default="pylf", help="the form of the programs (pylf)")
    parser.add_argument("--check", action="store_true", help="change nothing; 1 when a file would change")
    parser.add_argument("--diff", action="store_true", help="change nothing; print what would change")


def run(options: argparse.Namespace) -> int:
    """Format files in place; standard input goes to standard output. One that cannot be formatted does not keep the
    others from it."""
    changed = failed = False
    for path in options.file:
        try:
            changed |= _format(path, options.source, options.check, options.diff)
        except CompileError as problem:
            failed = True
            shared.say("\n\n".join(d.render() for d in problem.diagnostics))
        except InputError as problem:
            failed = True
            shared.say(f"pylf: {problem}")
    return 2 if failed else 1 if changed and (options.check or options.diff) else 0


def _format(path: str, form: str, check: bool, diff: bool) -> bool:
    """Formats one file, or says what that would change; whether it is not formatted yet."""
    name = shared.source_name(path)
    text = shared.read_text(path)
    formatted = _formatted(text, name, form)
    changed = formatted != text
    if diff:
        import difflib

        before, after = text.splitlines(keepends=True), formatted.splitlines(keepends=True)
        for line in difflib.unified_diff(before, after, name, f"{name} (formatted)"):
            sys.stdout.write(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    elif check:
        if changed:
            shared.say(f"{name}: would change")
    elif path == "-":
        sys.stdout.write(formatted)
    elif changed:
        shared.write_text(path, formatted)
        shared.say(f"{path}: formatted")
    return changed


def _formatted(text: str, name: str, form: str) -> str:
    """A text in the one style of its form; ends with a line break.

    Raises:
        CompileError: it is not well-formed, or has comments, which the form's printer would leave out.
    """
    match form:
        case "sexpr":
            from pylf.frontends.sexpr import parser as sexpr_parser
            from pylf.frontends.sexpr.printer import print_expression

            return print_expression(sexpr_parser.parse(text, name)) + "\n"
        case "sparql":
            from pylf.frontends.sparql import parser as sparql_parser
            from pylf.frontends.sparql.printer import print_text

            query = sparql_parser.parse(text, name)
            _check_comments(text, name, _words(text))
            return print_text(query)
        case "chain":
            from pylf.frontends.chain import parser as chain_parser
            from pylf.frontends.chain.printer import print_chain
            from pylf.frontends.chain.words import tokens as chain_words

            chain = chain_parser.parse(text, name)
            _check_comments(text, name, [word.span for word in chain_words(text, 0)])
            return print_chain(chain) + "\n"
        case "path":
            from pylf.frontends.path import parser as path_parser
            from pylf.frontends.path.printer import print_path

            path = path_parser.parse(text, name)
            _check_comments(text, name, [Span(*each.span()) for each in _NO_COMMENT.finditer(text)])
            return print_path(path) + "\n"
        case "subgraph":
            from pylf.frontends.subgraph import parser as subgraph_parser
            from pylf.frontends.subgraph.printer import print_question
            from pylf.frontends.subgraph.scanner import tokens

            question = subgraph_parser.parse(text, name)
            _check_comments(text, name, [token.span for token in tokens(Source(text, name))])
            return print_question(question)
        case _:
            from pylf.language.parser import parse
            from pylf.language.printer import format_program

            return format_program(parse(text, name))


def _words(text: str) -> Iterator[Span]:
    """The words and signs of a SPARQL text."""
    from pylf.frontends.sparql.scanner import Scanner

    scanner = Scanner(Source(text), 0)
    while scanner.kind not in ("END", "UNKNOWN"):
        yield scanner.span
        scanner.advance()


def _check_comments(text: str, name: str, words: Iterable[Span]) -> None:
    """Refuses a text that has a comment between its words."""
    end = 0
    for start, following in (*words, Span(len(text), len(text))):
        sign = text.find("#", end, start)
        if sign >= 0:
            place = Span(sign, len(text[sign:].partition("\n")[0]) + sign)
            message = "formatting would leave this comment out"
            found = Diagnostic("comment", message, place, Source(text, name), ("only PyLF's comments are kept",))
            raise CompileError([found])
        end = max(end, following)
