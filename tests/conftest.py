"""What every test may use: the shared material beside the repository, and hypothesis profiles."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# Deadlines measure the machine, not the code. In CI the same examples run every time, and a failure prints the blob
# that repeats it (@reproduce_failure) elsewhere; while developing, examples are new on every run.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material (conformance suite, real graphs); the test is skipped where there is none.

    It lies beside the repository, or where PYLF_SHARED says.
    """
    folder = Path(os.environ.get("PYLF_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"no shared material at {folder}; PYLF_SHARED names another folder")
    return folder
