"""Whether a real server can be had: where it is absent its tests are skipped by name, and in CI they fail."""

from __future__ import annotations

import os

import pytest

from pylf.testing import servers


def must_have(name: str) -> str:
    """The name of a server that can be started; else this ends the test, and says which package brings the server."""
    absent = servers.missing(name)
    if absent is None:
        return name
    if os.environ.get("CI"):
        pytest.fail(absent)
    pytest.skip(absent)
