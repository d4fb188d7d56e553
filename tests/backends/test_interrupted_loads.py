"""Loads that are interrupted or killed leave no half of a graph."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines import staging, store
from pylf.backends.engines.oxigraph import OxigraphEngine
from tests.backends.kg_files import in_memory, many, names, root_folder, wait_for, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """In memory, if that can be."""
    with in_memory(tmp_path) as folder:
        yield folder


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("moment", ["reading", "inferring the schema"])
def test_ctrl_c_cleans_up(tmp_path: Path, moment: str, replace: bool) -> None:
    kg = tmp_path / "kg"
    source = write(tmp_path, "g.nt", many(3000))
    if replace:
        store.load(write(tmp_path, "old.nt", many(5)), kg, infer=False)
    before = names(tmp_path) | {"g.nt"}
    phases: list[str] = []

    def progress(done: int, total: int) -> None:
        if moment == "reading":
            raise KeyboardInterrupt

    def phase(name: str) -> None:
        phases.append(name)
        if moment == name != "reading":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.load(source, kg, progress, replace=replace, phase=phase)
    assert phases[-1] == moment
    assert names(tmp_path) == before
    if replace:
        assert OxigraphEngine.open(kg).count() == 5
        assert len([n for n in names(kg) if n.startswith("graph-")]) == 1


_LOADER = """
import sys
from pylf.backends.engines import store
source, target, replace = sys.argv[1:]
def phase(name): print(name, flush=True)
print("go", flush=True)
try:
    store.load(source, target, replace=replace == "1", phase=phase)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(130)
print("done", flush=True)
"""


def loader(source: Path, target: Path, replace: bool) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _LOADER, str(source), str(target), "1" if replace else "0"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root_folder())


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize(
    ("moment", "delay"),
    [("reading", 0.0), ("reading", 0.1), ("looking at the data", 0.0), ("inferring the schema", 0.05)],
)
def test_a_killed_load_leaves_no_half_graph(tmp_path: Path, moment: str, delay: float, replace: bool) -> None:
    kg = tmp_path / "kg"
    source = write(tmp_path, "g.nt", many(60_000))
    if replace:
        store.load(write(tmp_path, "old.nt", many(5)), kg, infer=False)
    process = loader(source, kg, replace)
    wait_for(process, moment)
    time.sleep(delay)
    process.kill()
    process.communicate(timeout=30)
    if process.returncode == 0:
        pytest.skip("the load was over before it could be killed")
    if replace:
        assert OxigraphEngine.open(kg).count() == 5
    else:
        assert not kg.exists()
    # the next load sweeps up what the killed one left
    store.load(write(tmp_path, "next.nt", many(7)), kg, replace=replace, infer=False)
    assert OxigraphEngine.open(kg).count() == 7
    assert not [name for name in names(tmp_path) if ".partial-" in name]
    assert len([n for n in names(kg) if n.startswith("graph-")]) == 1


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
def test_sigint_in_a_real_process_cleans_up(tmp_path: Path) -> None:
    source = write(tmp_path, "g.nt", many(150_000))
    process = loader(source, tmp_path / "kg", replace=False)
    wait_for(process, "reading")
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert names(tmp_path) == {"g.nt"}


def test_a_load_that_lives_is_not_swept(tmp_path: Path) -> None:
    kg = tmp_path / "kg"
    folder, lock = staging.partial_beside(kg)
    assert staging.sweep(kg) == []
    # a maker that has not locked yet, or has just let go to move the folder into place
    lock.remove()
    assert staging.sweep(kg) == []
    (folder / staging.LOCK).touch()
    assert staging.sweep(kg) == [folder]
    assert not folder.exists()


def test_a_folder_that_only_looks_like_a_partial_one_is_not_swept(tmp_path: Path) -> None:
    for name in (".kg.partial-notes", ".kg2.partial-1-ab", "kg.partial-1-ab", ".kg.partial-1-ab.txt"):
        (tmp_path / name).mkdir()
    assert staging.sweep(tmp_path / "kg") == []
    assert len(names(tmp_path)) == 4
