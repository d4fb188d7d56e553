"""Encoders by name, vectors kept on disk, and packages that are missing."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from pylf.errors import InputError
from pylf.models.encoders import cached
from pylf.models.encoders.cached import Cached, VectorCache
from pylf.models.encoders.lexical import Lexical
from pylf.models.encoders.minilm import MiniLM
from pylf.models.encoders.opening import open_encoder
from pylf.models.encoders.protocol import unit_rows
from tests.models import tiny_checkpoints as tiny

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

np: Any = pytest.importorskip("numpy")


class Counting:
    """The lexical encoder, and what it was asked."""

    def __init__(self, dimension: int = 32, name: str = "counting") -> None:
        self._encoder = Lexical(dimension)
        self.name = name
        self.dimension = dimension
        self.identity = f"{name} {dimension}"
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        return self._encoder.encode(texts)


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path / "vectors.sqlite")


TEXTS = ["b", "a", "b", "half \ud800 a pair", ""]


def test_only_what_is_not_kept_is_encoded_and_each_text_once(cache: VectorCache) -> None:
    below = Counting()
    encoder = Cached(below, cache)
    first = encoder.encode(TEXTS)
    assert sorted(below.asked) == sorted(set(TEXTS))
    assert np.array_equal(first, Lexical(32).encode(TEXTS))
    assert np.array_equal(encoder.encode([*TEXTS, "c"]), np.concatenate([first, Lexical(32).encode(["c"])]))
    assert below.asked[4:] == ["c"]
    assert encoder.encode([]).shape == (0, 32)
    assert (encoder.name, encoder.dimension, encoder.identity) == (below.name, 32, below.identity)


def test_vectors_are_kept_across_processes_and_apart_by_identity(cache: VectorCache) -> None:
    Cached(Counting(), cache).encode(TEXTS)
    again, other = Counting(), Counting(name="other")
    Cached(again, VectorCache(cache.path)).encode(TEXTS)
    Cached(other, VectorCache(cache.path)).encode(TEXTS)
    assert (again.asked, len(other.asked)) == ([], 4)


def test_the_oldest_go_where_there_are_too_many(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "small.sqlite", limit=10 * 4 * 32)
    below = Counting()
    encoder = Cached(below, cache)
    for text in "abcdefghijkl":
        encoder.encode([text])
    below.asked.clear()
    encoder.encode(list("cdefghijkl"))
    assert below.asked == []
    encoder.encode(list("ab"))
    assert below.asked == ["a", "b"]


def test_a_tampered_vector_is_made_anew(cache: VectorCache) -> None:
    below = Counting()
    encoder = Cached(below, cache)
    wanted = encoder.encode(["a", "b", "c", "d"])
    cache.close()
    damaged = [b"\0" * 128, b"short", "text", np.full(32, np.nan, dtype="<f4").tobytes()]
    with sqlite3.connect(str(cache.path)) as connection:
        keys = connection.execute("SELECT key FROM answer").fetchall()
        for data, (key,) in zip(damaged, keys, strict=True):
            connection.execute("UPDATE answer SET data = ? WHERE key = ?", (data, key))
    below.asked.clear()
    assert np.array_equal(encoder.encode(["a", "b", "c", "d"]), wanted)
    assert sorted(below.asked) == ["a", "b", "c", "d"]


def test_a_cache_that_cannot_be_written_costs_time_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    below = Counting()
    encoder = Cached(below, VectorCache(tmp_path / "file" / "vectors.sqlite"))
    assert np.array_equal(encoder.encode(["a"]), encoder.encode(["a"]))
    assert below.asked == ["a", "a"]
    assert encoder.cache.remarks


class FullAtOnce(sqlite3.Connection):
    """A disk that is full when something is to be written."""

    def executemany(self, sql: str, *rest: Any) -> Any:
        raise sqlite3.OperationalError("database or disk is full", sql, rest)


class FullAtLast(sqlite3.Connection):
    """A disk that is full when what was written is to stay."""

    def commit(self) -> None:
        raise sqlite3.OperationalError("database or disk is full")


@pytest.mark.parametrize("full", [FullAtOnce, FullAtLast])
def test_a_full_disk_holds_no_other_process_up(full: type[sqlite3.Connection], tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    VectorCache(path).put({"a": b"0123"})
    with closing(sqlite3.connect(path, factory=full)) as connection:
        assert cached._found(connection, ["a"]) == {"a": b"0123"}
        assert not connection.in_transaction  # else all others meet "database is locked"
        with pytest.raises(sqlite3.OperationalError, match="full"):
            cached._keep(connection, {"b": b"4567"}, 1000)
        assert not connection.in_transaction
    assert VectorCache(path).get(["a", "b"]) == {"a": b"0123"}


def test_what_is_done_when_encoding_breaks_off_is_kept(cache: VectorCache) -> None:
    class Breaking(Counting):
        def encode(self, texts: Sequence[str]) -> Any:
            if self.asked:
                raise KeyboardInterrupt
            return super().encode(texts)

    texts = [f"text {number:04}" for number in range(1000)]
    with pytest.raises(KeyboardInterrupt):
        Cached(Breaking(), cache).encode(texts)
    later = Counting()
    Cached(later, cache).encode(texts)
    assert 0 < len(later.asked) < 1000


def test_encoders_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYLF_CACHE", str(tmp_path / "cache"))
    folder = tiny.write_bert(tmp_path / "unsup-tiny")
    assert isinstance(open_encoder(), Lexical)
    assert open_encoder("lexical:64").dimension == 64
    assert isinstance(open_encoder(str(folder), cache=False), MiniLM)
    kept = open_encoder(f"minilm:{folder}")
    assert isinstance(kept, Cached)
    assert np.array_equal(kept.encode(["film"]), kept.encode(["film"]))
    assert (tmp_path / "cache" / "vectors-1.sqlite").is_file()
    assert open_encoder(f"simcse:{folder}", cache=False).name == "unsup-tiny"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("minlm", "nearest is 'minilm'"),
        ("simcse", "after 'simcse' and a colon comes the folder"),
        ("minilm:", "after 'minilm' and a colon"),
        ("lexical:x", "number of dimensions"),
        ("lexical:0", "0 numbers"),
        ("minilm:/nowhere", "no such folder"),
        ("a\x1b[2Jb", "Encoders: lexical, minilm"),
    ],
)
def test_names_that_are_none(name: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        open_encoder(name, cache=False)
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("missing", ["numpy", "tokenizers", "safetensors"])
def test_a_missing_package_is_named_with_the_command(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny.write_bert(tmp_path / "tiny")
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(InputError, match=rf"needs {missing}: pip install 'pylf-kgqa\[vectors\]'"):
        open_encoder(f"minilm:{folder}", cache=False)


@pytest.mark.parametrize(("stated", "wanted"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_numpy_begins_with_one_thread_where_nobody_says_otherwise(stated: dict[str, str], wanted: str) -> None:
    script = (
        "import builtins, os, sys\n"
        "seen = []\n"
        "class Watch:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'numpy': seen.append(os.environ.get('OPENBLAS_NUM_THREADS'))\n"
        "sys.meta_path.insert(0, Watch())\n"
        "from pylf.models.encoders.needs import require\n"
        "require(('numpy',), 'this')\n"
        "print(seen[-1], os.environ.get('OPENBLAS_NUM_THREADS'))\n"
    )
    quiet = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=quiet | stated, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == [wanted, str(stated.get("OPENBLAS_NUM_THREADS"))]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ([0.0, 0.0], "is zero"),
        ([float("nan"), 1.0], "NaN"),
        ([float("inf"), 1.0], "infinity"),
        ([-float("inf"), float("nan")], "NaN"),
    ],
)
def test_vectors_without_direction_are_refused_with_their_row(row: list[float], told: str) -> None:
    rows = np.array([[1.0, 2.0], row], dtype=np.float32)
    with pytest.raises(InputError, match=rf"row 11 \('b'\).*{told}.*model m"):
        unit_rows(rows, "m", ["a", "b"], first=10)


@pytest.mark.parametrize("scale", [1e-38, 1e-20, 1.0, 1e10, 1e38])
def test_any_other_vector_becomes_one_of_norm_1(scale: float) -> None:
    made = unit_rows(np.array([[3.0, -1.0]], dtype=np.float32) * np.float32(scale), "m")
    assert np.abs(made - np.array([[3.0, -1.0]]) / 10**0.5).max() < 1e-6
