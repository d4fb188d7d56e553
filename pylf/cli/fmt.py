"""``pylf fmt``: programs in the one style."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pylf.cli import options as shared
from pylf.errors import InputError

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    shared.add_source(parser, many=True)
    parser.add_argument("--check", action="store_true", help="change nothing; 1 when a file would change")
    parser.add_argument("--diff", action="store_true", help="change nothing; print what would change")


def run(options: argparse.Namespace) -> int:
    """Format files in place; standard input goes to standard output."""
    from pylf.language.parser import parse
    from pylf.language.printer import format_program

    changed = []
    for path in options.file:
        name = "<stdin>" if path == "-" else path
        text = shared.read_text(path)
        formatted = format_program(parse(text, name))
        if formatted != text:
            changed.append(path)
        if options.diff:
            import difflib

            sys.stdout.writelines(
                difflib.unified_diff(text.splitlines(True), formatted.splitlines(True), name, f"{name} (formatted)")
            )
        elif options.check:
            if formatted != text:
                shared.say(f"{name}: would change")
        elif path == "-":
            sys.stdout.write(formatted)
        elif formatted != text:
            _replace(path, formatted)
            shared.say(f"{path}: formatted")
    return 1 if changed and (options.check or options.diff) else 0


def _replace(path: str, text: str) -> None:
    """Write a file in one step, so that nothing is lost when that is cut short."""
    import os
    import tempfile

    folder = os.path.dirname(os.path.abspath(path))
    try:
        handle, fresh = tempfile.mkstemp(dir=folder, prefix=".pylf-")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.chmod(fresh, os.stat(path).st_mode)
        os.replace(fresh, os.path.realpath(path))
    except OSError as problem:
        raise InputError(f"{path}: {(problem.strerror or str(problem)).lower()}") from None
