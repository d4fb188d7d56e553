#!/usr/bin/env python3
"""The chores of a checkout. Needs only Python 3.11 or later and pip; each chore first sets up what it needs.

python3 dev.py example       compile an example, print its SPARQL and its answers on the bundled graph
python3 dev.py test [ARGS]   run the tests (ARGS go to pytest)
python3 dev.py setup         set up everything, the linters included
python3 dev.py lint          ruff: rules and formatting
python3 dev.py types         mypy, strict
python3 dev.py fmt           let ruff format the code and mend what it can
python3 dev.py pages         run the examples in README.md and docs/ and write their output beneath them
python3 dev.py clean         remove caches and builds; the virtual environment stays

The environment is .venv, or the folder that PYLF_VENV names. It is set up once, and again when pyproject.toml
changes; after that no chore needs a network.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("PYLF_VENV") or ROOT / ".venv").absolute()
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "pylf-setup.json"
EXAMPLE = "examples/not_by_boeing.pylf"

# what each extra brings besides itself
EXTRAS = {"": {""}, "test": {"", "test"}, "dev": {"", "test", "dev"}}


def main(arguments: list[str]) -> int:
    """Run the chore that ``arguments`` names; the exit status is that of its first failing command."""
    chores = {
        "example": example,
        "test": test,
        "setup": setup,
        "lint": lint,
        "types": types,
        "fmt": fmt,
        "pages": pages,
        "clean": clean,
    }
    chore = chores.get(arguments[0]) if arguments else None
    if chore is None or (len(arguments) > 1 and chore is not test):
        print(__doc__, file=sys.stderr)
        return 2
    return chore(arguments[1:])


def example(_: list[str]) -> int:
    """Compile the example, then run it on the bundled graph."""
    install("")
    print((ROOT / EXAMPLE).read_text(encoding="utf-8").rstrip())
    return show("pylf", "compile", EXAMPLE, "--to", "sparql") or show("pylf", "run", EXAMPLE)


def test(arguments: list[str]) -> int:
    """Run pytest with ``arguments``."""
    install("test")
    return run(PYTHON, "-m", "pytest", *arguments)


def setup(_: list[str]) -> int:
    """Set up the environment with everything that development needs."""
    install("dev")
    print(f"ready: {BIN}")
    return 0


def lint(_: list[str]) -> int:
    """Check rules and formatting."""
    install("dev")
    return run(PYTHON, "-m", "ruff", "check", ".") or run(PYTHON, "-m", "ruff", "format", "--check", ".")


def types(_: list[str]) -> int:
    """Check the types."""
    install("dev")
    return run(PYTHON, "-m", "mypy")


def fmt(_: list[str]) -> int:
    """Format the code and mend what can be mended by machine."""
    install("dev")
    return run(PYTHON, "-m", "ruff", "check", "--fix", ".") or run(PYTHON, "-m", "ruff", "format", ".")


def pages(_: list[str]) -> int:
    """Write the output of every example in the pages beneath it."""
    install("")
    return run(PYTHON, "scripts/pages.py")


def clean(_: list[str]) -> int:
    """Remove what the tools leave behind."""
    left = [ROOT / n for n in ("build", "dist", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis")]
    left += ROOT.glob("*.egg-info")
    for top in ("pylf", "tests", "benchmarks", "examples"):
        left += (ROOT / top).rglob("__pycache__")
    for folder in left:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def install(extra: str) -> None:
    """Make the environment and install the checkout with ``extra`` into it, unless that is already done.

    The environment is made without pip and filled by the pip of the Python that runs this file, so Debian's Python,
    which cannot make one with pip, serves too.
    """
    made_from = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + str(ROOT).encode()).hexdigest()
    stamp = json.loads(STAMP.read_text(encoding="utf-8")) if STAMP.exists() else {}
    if PYTHON.exists() and stamp.get("made_from") == made_from and extra in stamp["extras"]:
        return
    print(f"setting up {VENV} (once; this takes a minute) …", file=sys.stderr, flush=True)
    own_pip = importlib.util.find_spec("pip") is not None
    if not PYTHON.exists():
        venv.create(VENV, with_pip=not own_pip, symlinks=os.name != "nt")
    pip = [sys.executable, "-m", "pip", "--python", str(PYTHON)] if own_pip else [str(PYTHON), "-m", "pip"]
    what = f".[{extra}]" if extra else "."
    done = subprocess.run(
        [*pip, "install", "pip", "-e", what],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}pip could not install pylf into {VENV}; what it said is above")
    STAMP.write_text(json.dumps({"made_from": made_from, "extras": sorted(EXTRAS[extra])}), encoding="utf-8")


def show(program: str, *arguments: str) -> int:
    """Run a command of the environment, its command line printed first."""
    print(f"\n$ {program} {' '.join(arguments)}", flush=True)
    return run(BIN / program, *arguments)


def run(*command: str | Path) -> int:
    """Run a command in the checkout's root; its exit status."""
    return subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        sys.exit(f"pylf needs Python 3.11 or later; this is {sys.version.split()[0]}")
    sys.exit(main(sys.argv[1:]))
