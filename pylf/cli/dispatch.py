"""What ``pylf`` is given, parsed and handed to the command that it names.

Exit status: 0 done; 1 the answer is "no" (a check failed, a file is not formatted, two questions differ); 2 bad input;
3 undecided; 4 the engine failed, timed out or gave a partial result; 130 interrupted. Results go to stdout, everything
else to stderr.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from pylf.errors import InputError, reason

if TYPE_CHECKING:
    from collections.abc import Iterable

DONE, BAD_INPUT = 0, 2

#: Command and the one line that ``pylf --help`` says of it; each lives in a module of its own name.
COMMANDS = {
    "compile": "compile a question to SPARQL, IR, English, a picture …",
    "check": "check programs: names, types, safe negation",
    "fmt": "format programs",
    "run": "ask a graph",
    "opt": "what the passes of the optimizer make of a question",
    "equiv": "whether two questions are the same, with a proof or a counterexample",
    "schema": "infer a schema from a graph, or show one",
    "kg": "load a graph into a folder on disk, or describe one",
    "doctor": "examine a graph or an endpoint: operators, limits, a gold set",
    "dataset": "show a set of questions, or count what is in it",
    "llm": "serve a language model on this machine",
    "eval": "ask a method a set of questions, score and compare what came",
    "predict": "answer a set of questions, for an official scorer",
    "completion": "print a completion script for a shell",
}

_DESCRIPTION = "A compiler for questions over knowledge graphs."
_EPILOG = "'pylf COMMAND --help' tells more. Defaults can stand in a pylf.toml of the working folder."


class Misuse(InputError):
    """What is given is no call of the command."""

    def __init__(self, command: str, problem: str) -> None:
        super().__init__(problem)
        self.command = command


class _Formatter(argparse.HelpFormatter):
    """argparse's own, told how wide the terminal is; by itself it would import shutil and all that compresses files."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


class _Parser(argparse.ArgumentParser):
    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, formatter_class=_Formatter, allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        raise Misuse(self.prog, message)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parses as argparse does, but what is not known is refused by the command that was given it, with the
        nearest name."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            option = unknown[0].partition("=")[0]
            what = f"there is no option {option}" if option.startswith("-") else f"{option!r} is one argument too many"
            self.error(what + (_nearest(option, self._option_string_actions) if option.startswith("-") else ""))
        return found, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            if isinstance(action, argparse._SubParsersAction):  # the one action whose choices are commands
                hint = _nearest(str(value), known) or f"; there are {', '.join(known)}"
                raise argparse.ArgumentError(None, f"there is no command {value!r}{hint}")
            hint = _nearest(str(value), known) or f"; it can be {', '.join(known)}"
            raise argparse.ArgumentError(action, f"{value!r} is not known{hint}")


def carried_out(given: list[str]) -> int:
    """Run the command that is given, and give its exit status: whatever comes, a message and no traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = _answered(given)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
        return DONE
    except OSError as problem:  # reading is guarded where it is done, so this is a full disk or the like
        _silence_stdout()
        _complain(f"pylf: the output cannot be written: {reason(problem)}")
        return BAD_INPUT
    return status


def _answered(given: list[str]) -> int:
    """Runs a command; where it failed, that is told on stderr, and as JSON on stdout if JSON was asked for."""
    options = argparse.Namespace()
    try:
        return _run(given, options)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else BAD_INPUT if stop.code else DONE
    except Exception as problem:
        from pylf.cli.failure import failure_of, print_failure

        failure = failure_of(problem)
        if failure is None:
            raise
        print_failure(failure, given, options)
        _complain(failure.told)
        return failure.status


def _run(given: list[str], options: argparse.Namespace) -> int:
    # only the command that was asked for is imported and described: `pylf compile` does not pay for the others
    asked = next((a for a in given if not a.startswith("-")), None)
    parser = parser_for(asked if asked in COMMANDS else None)
    parser.parse_args(given, options)
    if options.version:
        from pylf.cli.version import print_version

        return print_version(options.verbose)
    if options.command is None:
        parser.print_help()
        return BAD_INPUT
    status: int = options.run(options)
    return status


def parser_for(command: str | None = None, every: bool = False) -> argparse.ArgumentParser:
    """The argument parser: for ``command`` alone, or naming all commands; with the options of ``every`` one."""
    parser = _Parser("pylf", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("--version", action="store_true", help="print the version; with -v also what is installed")
    parser.add_argument("-v", "--verbose", action="store_true", help=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name in COMMANDS if command is None else (command,):
        summary = COMMANDS[name]
        sub = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:].rstrip(" …") + ".")
        if every or name == command:
            module: Any = getattr(__import__(f"pylf.cli.{name}").cli, name)
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return parser


def _columns() -> int:
    """The width of the terminal, as :func:`shutil.get_terminal_size` finds it."""
    import os

    stated = os.environ.get("COLUMNS", "")
    if stated.isdecimal() and int(stated) > 0:
        return int(stated)
    if sys.__stdout__ is None:
        return 80
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80
    except (AttributeError, ValueError, OSError):
        return 80  # no terminal


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), 1)
    return f"; was {near[0]} meant?" if near else ""


def _complain(text: str) -> None:
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def _silence_stdout() -> None:
    """After a reader has gone away, keep the interpreter from complaining once more at exit."""
    import os

    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, ValueError, OSError):  # standing in for stdout is something without a descriptor
        return
