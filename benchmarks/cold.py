"""Whole processes, from the wheel installed into a new environment, outside of the checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from benchmarks.tables import median, table

_ROOT = Path(__file__).resolve().parents[1]
_EXAMPLE = _ROOT / "examples" / "not_by_boeing.pylf"
_COPIED = ("pylf", "pyproject.toml", "README.md", "LICENSE", "NOTICE", "MANIFEST.in")
_BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"


def report(schema_file: Path, program: str, scratch: Path, rounds: int) -> str:
    """The table, as Markdown. Needs pip and, for pylf's dependencies, a package index."""
    scripts = _installed(scratch)
    folder = scratch / "elsewhere"
    folder.mkdir()
    shutil.copy(_EXAMPLE, folder)
    shutil.copy(schema_file, folder / "freebase.sqlite")
    (folder / "typical.pylf").write_text(program, encoding="utf-8")
    python, pylf = str(scripts / "python"), str(scripts / "pylf")
    large = ["--schema", "freebase.sqlite", "--vocab", "freebase"]
    commands = {
        "`python -c pass`": [python, "-c", "pass"],
        "`pylf --version`": [pylf, "--version"],
        "`pylf --help`": [pylf, "--help"],
        "`pylf compile EXAMPLE`": [pylf, "compile", _EXAMPLE.name],
        "`pylf compile` with Freebase's schema": [pylf, "compile", "typical.pylf", *large],
    }
    job = {
        "commands": list(commands.values()),
        "rounds": rounds,
        "folder": str(folder),
        "environment": {"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
    }
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(Path(__file__).with_name("spawn.py"))],
        input=json.dumps(job),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    goals = {"`pylf --help`": "≤ 50 ms", "`pylf compile EXAMPLE`": "≤ 120 ms, ≤ 45 MiB"}
    rows = []
    for name, times in zip(commands, json.loads(done.stdout), strict=True):
        wall, processor, memory = zip(*times, strict=True)
        numbers = (median(wall), min(wall), median(processor), min(processor), max(memory))
        rows.append([name, *[f"{number:.1f}" for number in numbers], goals.get(name, "")])
    words = (
        f"{rounds} rounds, the commands in turn; the wheel installed by pip, its modules compiled. Memory is the most "
        "that was resident."
    )
    headings = ["", "wall ms, median", "best", "processor ms, median", "best", "MiB", "goal"]
    return f"{words}\n\n{table(headings, rows)}"


def _installed(scratch: Path) -> Path:
    """Build the wheel from a copy, install it and what it needs, compile all modules; the folder of the scripts."""
    source, home = scratch / "source", scratch / "installed"
    source.mkdir()
    for name in _COPIED:
        if (_ROOT / name).is_dir():
            shutil.copytree(_ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(_ROOT / name, source)
    built = _run([sys.executable, "-c", _BUILD, str(scratch)], source)
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = str(scripts / "python")
    _run([sys.executable, "-m", "pip", "--python", python, "install", "-q", str(scratch / built)], scratch)
    _run([python, "-m", "compileall", "-q", str(home)], scratch)
    return scripts


def _run(command: list[str], folder: Path) -> str:
    """The last line that a command prints; a failing one ends the benchmark with what it said."""
    environment = {k: v for k, v in os.environ.items() if k not in {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH"}}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return (done.stdout.splitlines() or [""])[-1]
