"""``pylf completion``: scripts that let bash, zsh and fish complete commands, options and their values.

Written by shtab from the argument parser itself, so they cannot fall behind it. To use one::

    eval "$(pylf completion bash)"                                    # in ~/.bashrc
    pylf completion zsh > /usr/local/share/zsh/site-functions/_pylf
    pylf completion fish > ~/.config/fish/completions/pylf.fish
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    from pylf.cli.dispatch import parser_for

    parser = parser_for(every=True)
    _mark_values(parser)
    print(shtab.complete(parser, options.shell))
    return 0


def _mark_values(parser: argparse.ArgumentParser) -> None:
    """Tells shtab which arguments are files or folders, and which are passes: by how the help calls them."""
    import argparse

    import shtab

    from pylf.ir.passes import listed

    kinds = {"FILE": shtab.FILE, "PATH": shtab.FILE, "GRAPH": shtab.FILE, "DIR": shtab.DIRECTORY}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in dict.fromkeys(action.choices.values()):
                _mark_values(inner)
        elif action.metavar == "PASS":
            action.choices = [one.name for one in listed()]
        elif isinstance(action.metavar, str) and action.metavar in kinds:
            vars(action)["complete"] = kinds[action.metavar]
