"""Keeps what the pages show true: runs every example in README.md and docs/, and writes its output beneath it.

    python scripts/pages.py            rewrite the pages
    python scripts/pages.py --check    change nothing; exit status 1 and a diff where a page and the program disagree

Two kinds of fenced blocks are run, from the repository's root; all others are left alone.

``console``
    A line ``$ pylf …`` is a command; the lines up to the next ``$`` are its standard output, and its standard error
    too where it fails. ``$ cat FILE`` shows a file. What follows may be ``| head -n N``,
    ``| tail -n N`` and ``| tail -n +N``.
``pycon``
    A Python session; each page is one session.
"""

from __future__ import annotations

import code
import contextlib
import difflib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main(arguments: list[str]) -> int:
    """Rewrite or check every page; 1 when a check finds a difference."""
    check = arguments == ["--check"]
    if arguments and not check:
        print(__doc__, file=sys.stderr)
        return 2
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    differs = False
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        name = page.relative_to(ROOT).as_posix()
        before = page.read_text(encoding="utf-8")
        after = refreshed(before)
        if before == after:
            continue
        differs = True
        if check:
            old, new = before.splitlines(), after.splitlines()
            print(*difflib.unified_diff(old, new, name, "what the examples print", lineterm=""), sep="\n")
        else:
            page.write_text(after, encoding="utf-8")
            print(f"rewrote {name}")
    return int(check and differs)


def refreshed(page: str) -> str:
    """The text of a page with the output of every example as it is now."""
    session = code.InteractiveConsole(filename="<page>")

    def block(match: re.Match[str]) -> str:
        body = console(match[2]) if match[1] == "console" else pycon(match[2], session)
        return f"```{match[1]}\n{body}```"

    return BLOCK.sub(block, page)


def console(body: str) -> str:
    """A console block with each command followed by its output."""
    commands = [line for line in body.splitlines() if line.startswith("$ ")]
    return "\n".join(f"{line}\n{output_of(shlex.split(line[2:]))}" for line in commands)


def output_of(command: list[str]) -> str:
    """What a command of a page prints; it ends in a line break unless it is empty."""
    match command:
        case [*first, "|", "head", "-n", count]:
            return "".join(output_of(first).splitlines(keepends=True)[: int(count)])
        case [*first, "|", "tail", "-n", count]:
            start = int(count) - 1 if count.startswith("+") else -int(count)
            return "".join(output_of(first).splitlines(keepends=True)[start:])
    if command[0] == "cat":
        return Path(command[1]).read_text(encoding="utf-8").rstrip() + "\n"
    if command[0] != "pylf":
        raise SystemExit(f"a page may run pylf and cat, not {command[0]}: write that as a plain ```sh block")
    done = subprocess.run(
        [sys.executable, "-m", *command],
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    out = done.stdout + (done.stderr if done.returncode else "")
    return "".join(f"{line.rstrip()}\n" for line in out.rstrip().splitlines())


def pycon(body: str, session: code.InteractiveConsole) -> str:
    """A Python session's block with each statement followed by what it shows."""
    out = []
    for example in doctest.DocTestParser().get_examples(body):
        lines = example.source.splitlines()
        with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.redirect_stderr(shown):
            more = [session.push(line) for line in lines]
            if more[-1]:
                session.push("")
        prompts = [">>> ", *["... "] * (len(lines) - 1)]
        out += [f"{prompt}{line}".rstrip() for prompt, line in zip(prompts, lines, strict=True)]
        out += [line.rstrip() for line in shown.getvalue().splitlines()]
    return "".join(f"{line}\n" for line in out)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
