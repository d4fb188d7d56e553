"""What README.md and docs/ show is what the program prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_example_in_the_pages_prints_what_it_is_said_to_print() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "pages.py"), "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"`python3 dev.py pages` rewrites these:\n{done.stdout}{done.stderr}"
