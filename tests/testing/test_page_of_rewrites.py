"""The files that docs/testing-a-rewrite.md gives: they pass as they stand, and find what is wrong with a rewrite."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "testing-a-rewrite.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
GUARD = "        case syntax.Join(negated=True):\n            return node\n"
#: the same examples every time, and none made smaller
SAME = """from hypothesis import Phase, settings

settings.register_profile("same", derandomize=True, database=None, phases=[Phase.generate])
settings.load_profile("same")
"""


def run(folder: Path, *options: str, **changed: str) -> tuple[int, str]:
    for name, text in {**FILES, "conftest.py": SAME, **{f"{name}.py": text for name, text in changed.items()}}.items():
        (folder / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "120"}
    environment.pop("PYTEST_ADDOPTS", None)
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=300, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_the_files_on_the_page_pass_as_they_stand(tmp_path: Path) -> None:
    assert list(FILES) == ["in_parts.py", "test_in_parts.py"]
    status, told = run(tmp_path, "--hypothesis-show-statistics")
    assert status == 0, told
    assert "3 passed" in told
    changed = [float(share) for share in re.findall(r"([0-9.]+)%, changed", told)]
    assert max(changed) > 50, told


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (GUARD, "", ["AssertionError: not equivalent: on this graph the answers differ", "neg=True"]),
        ("split(each.value)", "each.value", ["1 failed, 2 passed", "::test_the_question_is_one_that_the_rewrite"]),
    ],
    ids=["unguarded", "idle"],
)
def test_they_find_what_is_wrong_with_a_rewrite(tmp_path: Path, right: str, wrong: str, told: list[str]) -> None:
    whole = FILES["in_parts.py"]
    assert right in whole
    status, shown = run(tmp_path, in_parts=whole.replace(right, wrong))
    assert status == 1, shown
    assert all(text in shown for text in told), shown
    assert "def assert_equivalent" not in shown


def test_they_find_arms_that_are_refused_alone(tmp_path: Path) -> None:
    strict = FILES["test_in_parts.py"].replace('event("refused")', "raise")
    status, shown = run(tmp_path, "-k", "nearly", test_in_parts=strict)
    assert status == 1, shown
    assert "CompileError: error[type-mismatch]" in shown
