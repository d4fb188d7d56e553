"""Files of triples to load, and folders to load them into."""

from __future__ import annotations

import gzip
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

E: Final = "http://e.example/"
TURTLE: Final = f"""@prefix e: <{E}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:saturn a e:Rocket ; rdfs:label "Saturn V"@en, "土星5号"@ja ; e:mass 2970000 ; e:maker e:boeing .
e:ariane a e:Rocket ; rdfs:label "Ariane 5" ; e:mass 777000 ; e:maker e:arianespace .
"""


@contextmanager
def in_memory(folder: Path) -> Iterator[Path]:
    """A folder in memory where there is such a place: every load waits for the disk, and there are many of them."""
    memory = Path("/dev/shm")
    if not (memory.is_dir() and os.access(memory, os.W_OK)):
        yield folder
        return
    with tempfile.TemporaryDirectory(dir=memory) as made:
        yield Path(made)


def write(folder: Path, name: str, text: str) -> Path:
    """A file of that name, compressed where it ends in .gz."""
    path = folder / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def many(count: int) -> str:
    """So many triples, as N-Triples."""
    return "".join(f"<{E}{i}> <{E}p{i % 7}> <{E}{i * 7919 % count}> .\n" for i in range(count))


def names(folder: Path) -> set[str]:
    """What is in a folder."""
    return {entry.name for entry in folder.iterdir()}


def root_folder() -> Path:
    """The checkout."""
    return Path(__file__).resolve().parents[2]


def wait_for(process: subprocess.Popen[str], line: str) -> None:
    """Waits until a process prints a line."""
    assert process.stdout is not None
    for said in process.stdout:
        if said.strip() == line:
            return
    pytest.fail(f"the loader ended before it said {line!r}")
