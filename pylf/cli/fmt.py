"""``pylf fmt``: programs in the one style."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pylf.cli import options as shared
from pylf.errors import CompileError, InputError

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    shared.add_source(parser, many=True)
    parser.add_argument("--check", action="store_true", help="change nothing; 1 when a file would change")
    parser.add_argument("--diff", action="store_true", help="change nothing; print what would change")


def run(options: argparse.Namespace) -> int:
    """Format files in place; standard input goes to standard output. One that cannot be formatted does not keep the
    others from it."""
    changed = failed = False
    for path in options.file:
        try:
            changed |= _format(path, options.check, options.diff)
        except CompileError as problem:
            failed = True
            shared.say("\n\n".join(d.render() for d in problem.diagnostics))
        except InputError as problem:
            failed = True
            shared.say(f"pylf: {problem}")
    return 2 if failed else 1 if changed and (options.check or options.diff) else 0


def _format(path: str, check: bool, diff: bool) -> bool:
    """Formats one file, or says what that would change; whether it is not formatted yet."""
    from pylf.language.parser import parse
    from pylf.language.printer import format_program

    name = shared.source_name(path)
    text = shared.read_text(path)
    formatted = format_program(parse(text, name))
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
