"""``pylf completion``: scripts that let bash, zsh and fish complete commands, options and their values.

Written from the argument parser itself, so they cannot fall behind it. To use one::

    eval "$(pylf completion bash)"        # in ~/.bashrc; likewise for zsh
    pylf completion fish > ~/.config/fish/completions/pylf.fish
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    from pylf.cli.main import parser_for

    print(script(parser_for(every=True), options.shell))
    return 0


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """A completion script for a parser."""
    if shell == "fish":
        return "\n".join(_fish(parser, ()))
    lines = [] if shell == "bash" else ["autoload -U +X bashcompinit && bashcompinit"]
    return "\n".join([*lines, *_bash(parser)])


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:  # argparse tells its structure nowhere else
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _options(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    return (a for a in parser._actions if a.option_strings and a.help is not argparse.SUPPRESS)


def _bash(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield "_pylf() {"
    yield '  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=""'
    yield '  case "${COMP_WORDS[1]} ${COMP_WORDS[2]} $before" in'
    for path, sub in _walk(parser, ()):
        for action in _options(sub):
            if action.choices is not None and path:
                pattern = " ".join((*path, *["*"] * (2 - len(path))))
                values = " ".join(map(str, action.choices))
                for option in action.option_strings:
                    yield f'    "{pattern.split(" ")[0]} "*" {option}") COMPREPLY=($(compgen -W "{values}" -- "$current")); return;;'
    yield "  esac"
    yield '  case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in'
    for path, sub in sorted(_walk(parser, ()), key=lambda pair: -len(pair[0])):
        words = [*_commands(sub), *(o for a in _options(sub) for o in a.option_strings)]
        words += [str(c) for a in sub._actions if not a.option_strings and a.choices for c in a.choices if a.dest == "shell"]
        pattern = {0: "*", 1: f'"{" ".join(path)} "*', 2: f'"{" ".join(path)}"'}[len(path)]
        yield f'    {pattern}) words="{" ".join(words)}";;'
    yield "  esac"
    yield '  [[ $COMP_CWORD == 1 ]] && words="' + " ".join([*_commands(parser), "--version", "--help"]) + '"'
    yield '  COMPREPLY=($(compgen -W "$words" -- "$current"))'
    yield "}"
    yield "complete -o default -F _pylf pylf"


def _walk(
    parser: argparse.ArgumentParser, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    yield path, parser
    for name, sub in _commands(parser).items():
        yield from _walk(sub, (*path, name))


def _fish(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[str]:
    commands = _commands(parser)
    seen = " ".join(f"__fish_seen_subcommand_from {name};" for name in path[-1:])
    if commands:
        none = f"not __fish_seen_subcommand_from {' '.join(commands)}"
        condition = " and ".join(filter(None, [seen.rstrip(";"), none])).replace(" and ", "; and ")
        helps = {a.dest: a.help for action in parser._actions for a in getattr(action, "_choices_actions", ())}
        for name in commands:
            yield f"complete -c pylf -f -n {_quoted(condition)} -a {name} -d {_quoted(helps.get(name) or '')}"
    for action in _options(parser):
        parts = ["complete -c pylf"]
        if path:
            parts.append(f"-n {_quoted(seen.rstrip(';'))}")
        for option in action.option_strings:
            parts.append(f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}")
        if action.choices is not None:
            parts.append(f"-x -a {_quoted(' '.join(map(str, action.choices)))}")
        elif action.nargs != 0:
            parts.append("-r")
        yield " ".join([*parts, f"-d {_quoted(action.help or '')}"])
    for action in parser._actions:
        if not action.option_strings and action.choices is not None and not commands:
            yield f"complete -c pylf -f -n {_quoted(seen.rstrip(';'))} -a {_quoted(' '.join(map(str, action.choices)))}"
    for name, sub in commands.items():
        yield from _fish(sub, (*path, name))


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
