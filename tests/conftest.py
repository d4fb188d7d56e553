"""What every test may use: the shared material beside the repository, real SPARQL servers, and hypothesis profiles."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from pylf.testing import servers
from tests.presence import must_have

if TYPE_CHECKING:
    from collections.abc import Iterator

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


@pytest.fixture(scope="session")
def virtuoso() -> Iterator[servers.Server]:
    """A Virtuoso. Servers are for all tests alike: each test loads graphs of its own, named after itself."""
    yield from _started("virtuoso")


@pytest.fixture(scope="session")
def oxigraph_server() -> Iterator[servers.Server]:
    """Oxigraph's own server."""
    yield from _started("oxigraph")


@pytest.fixture(scope="session")
def jena() -> Iterator[servers.Server]:
    """Jena's ARQ behind HTTP."""
    yield from _started("jena")


@pytest.fixture(params=servers.NAMES)
def server(request: pytest.FixtureRequest) -> servers.Server:
    """Each server in turn."""
    fixture = {"oxigraph": "oxigraph_server"}.get(request.param, request.param)
    found: servers.Server = request.getfixturevalue(fixture)
    return found


def _started(name: str) -> Iterator[servers.Server]:
    """A server, for as long as tests run. Where its program is absent, its tests are skipped; in CI they fail."""
    with servers.start(must_have(name)) as started:
        yield started
