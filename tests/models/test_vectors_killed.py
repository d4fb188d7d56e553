"""A process that builds an index is killed, again and again; what is there is whole, and the build goes on."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from pylf.models.vectors.index import VectorIndex
from pylf.models.vectors.opening import open_index
from pylf.models.vectors.store import exists
from tests.models.made_vectors import Drawn, keys, names

if TYPE_CHECKING:
    from pathlib import Path

COUNT = 1500

SCRIPT = f"""
import sys
from pylf.models.vectors import index
from pylf.models.vectors.opening import open_index
from tests.models.made_vectors import Drawn, keys, names
index._BLOCK = 8
print("on", flush=True)
open_index(sys.argv[1], Drawn(), keys({COUNT}), names({COUNT}))
"""


def test_a_build_that_is_killed_goes_on_where_it_was(tmp_path: Path, root: Path) -> None:
    folder = tmp_path / "index"
    draw = random.Random(57)
    reached = []
    for _ in range(6):
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(folder)], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"on\n", process.communicate()[1].decode()
        time.sleep(draw.uniform(0.02, 0.2))
        process.kill()
        process.communicate()
        if exists(folder):
            reached.append(len(VectorIndex(folder, Drawn())))
    assert reached == sorted(reached)
    index = open_index(folder, Drawn(), keys(COUNT), names(COUNT))
    whole = open_index(tmp_path / "whole", Drawn(), keys(COUNT), names(COUNT))
    assert isinstance(index, VectorIndex)
    assert isinstance(whole, VectorIndex)
    assert (len(index), index.hash) == (COUNT, whole.hash)
    for query in ("name 3", "name 1499", "other"):
        assert [(hit.row, hit.score) for hit in index.search([query])[0]] == [
            (hit.row, hit.score) for hit in whole.search([query])[0]
        ]


def test_several_processes_that_build_one_index_all_have_it(tmp_path: Path, root: Path) -> None:
    folder = str(tmp_path / "index")
    built = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, folder], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    told = [process.communicate()[1] for process in built]
    assert [process.returncode for process in built] == [0, 0, 0], told
    index = VectorIndex(folder, Drawn())
    assert len(index) == COUNT
    assert index.is_of(keys(COUNT), names(COUNT))
