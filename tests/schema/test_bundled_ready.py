"""What is kept of the bundled schema and vocabulary as Python is what their files say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from pylf.api import bundled_schema, load_schema, load_vocabulary
from pylf.datasets import bundled

ROOT = Path(__file__).resolve().parents[2]


def test_it_is_what_the_files_say() -> None:
    schema, vocabulary = bundled_schema()
    assert vocabulary == load_vocabulary(str(bundled.path(bundled.VOCABULARY)))
    read = load_schema(str(bundled.path(bundled.SCHEMA)), vocabulary).source
    assert list(schema.source.all_relations()) == list(read.all_relations())
    assert list(schema.source.all_classes()) == list(read.all_classes())
    for key in ("source", "snapshot", "vocabulary", "sound", "languages"):
        assert schema.source.meta(key) == read.meta(key)


def test_the_script_that_writes_it_has_nothing_to_write() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "scripts/bundled.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, timeout=60)
    assert done.returncode == 0, "run python scripts/bundled.py"
