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

    from pylf.cli.main import parser_for

    print(shtab.complete(parser_for(every=True), options.shell))
    return 0
