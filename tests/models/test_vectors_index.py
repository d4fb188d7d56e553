"""Indexes of names: the same answers by numpy, by faiss and by hand; adding, breaking off, and going on."""

from __future__ import annotations

import multiprocessing
import os
import threading
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.errors import InputError
from pylf.models.encoders.lexical import Lexical
from pylf.models.encoders.needs import has
from pylf.models.vectors import cells
from pylf.models.vectors import index as indexes
from pylf.models.vectors.index import VectorIndex
from pylf.models.vectors.opening import open_index
from pylf.models.vectors.store import Store, content_hash
from tests.models.made_vectors import Drawn, by_hand, keys, names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

np: Any = pytest.importorskip("numpy")

QUERIES = ["name 3", "name 60", "something else", "x"]


def built(folder: Path, count: int, encoder: Drawn | None = None, **choices: Any) -> VectorIndex:
    encoder = encoder or Drawn()
    VectorIndex.create(folder, encoder).close()
    index = VectorIndex(folder, encoder, **choices)
    index.add(keys(count), names(count))
    return index


def found(index: VectorIndex, k: int = 10, threshold: float = -1.0) -> list[list[tuple[int, float]]]:
    return [[(hit.row, hit.score) for hit in hits] for hits in index.search(QUERIES, k, threshold)]


@pytest.mark.parametrize(("k", "threshold"), [(1, -1.0), (7, -1.0), (50, 0.5), (1000, -1.0), (1000, 0.9)])
def test_answers_are_those_of_comparing_with_every_row(k: int, threshold: float, tmp_path: Path) -> None:
    index = built(tmp_path, 240)
    for query, hits in zip(QUERIES, found(index, k, threshold), strict=True):
        wanted = by_hand(Drawn(), names(240), query, k, threshold)
        assert [row for row, _ in hits] == [row for row, _ in wanted]
        assert [score for _, score in hits] == pytest.approx([score for _, score in wanted], abs=1e-6)
    (first, *_), *_ = index.search(["name 7"])
    assert (first.key, first.text) == ("k7", "name 7")


@pytest.mark.skipif(not has("faiss"), reason="pip install faiss-cpu")
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), k=st.integers(1, 90), threshold=st.sampled_from([-1.0, 0.0, 0.6]))
def test_faiss_and_numpy_give_the_same_to_the_last_digit(
    seed: int, k: int, threshold: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    random = np.random.default_rng(seed)
    folder = tmp_path_factory.mktemp("both")
    encoder = Drawn(8)
    index = VectorIndex.create(folder, encoder)
    rows = random.integers(-2, 3, size=(200, 8)).astype(np.float32)  # many are the same, and many scores are
    rows[~rows.any(axis=1)] = 1.0
    index.add_vectors(keys(200), keys(200), rows, encoder.name)
    other = VectorIndex(folder, encoder, engine="faiss")
    queries = random.integers(1, 4, size=(5, 8)).astype(np.float32)
    asked = {"k": k, "threshold": threshold}
    assert index.search_vectors(queries, "drawn", **asked) == other.search_vectors(queries, "drawn", **asked)


def test_an_index_of_nothing_and_asking_for_nothing(tmp_path: Path) -> None:
    index = built(tmp_path, 0)
    assert index.search(["a", "b"]) == [[], []]
    index.add(keys(3), names(3))
    assert index.search([]) == []
    assert index.search(["a"], k=0) == [[]]


def test_adding_little_by_little_is_adding_at_once(tmp_path: Path) -> None:
    whole = built(tmp_path / "whole", 130)
    parts = built(tmp_path / "parts", 0)
    for start, end in ((0, 1), (1, 60), (60, 60), (60, 130)):
        parts.add(keys(130)[start:end], names(130)[start:end])
        parts = VectorIndex(tmp_path / "parts", Drawn()) if end == 60 else parts
    assert found(parts) == found(whole)
    assert (parts.hash, len(parts)) == (whole.hash, 130)
    assert whole.hash == content_hash(keys(130), names(130))


@given(st.lists(st.tuples(st.text(), st.text()), max_size=6), st.integers(0, 6))
def test_the_hash_does_not_depend_on_how_rows_were_added(rows: list[tuple[str, str]], cut: int) -> None:
    at, told = [key for key, _ in rows], [text for _, text in rows]
    before = content_hash(at[:cut], told[:cut])
    assert content_hash(at[cut:], told[cut:], len(at[:cut]), before) == content_hash(at, told)
    if len(set(rows)) > 1:
        assert content_hash(at[::-1], told[::-1]) != content_hash(at, told) or rows == rows[::-1]


def test_the_file_is_mapped_and_not_read(tmp_path: Path) -> None:
    index = built(tmp_path, 50)
    vectors = index.store.vectors()
    while isinstance(vectors, np.ndarray) and not isinstance(vectors, np.memmap):
        vectors = vectors.base
    assert isinstance(vectors, np.memmap)
    assert not index.store.vectors().flags.writeable


class Breaking(Drawn):
    """Stops in the middle."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.left = after

    def encode(self, texts: Sequence[str]) -> Any:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().encode(texts)


def test_a_build_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    count = 3 * indexes._BLOCK
    with pytest.raises(KeyboardInterrupt):
        open_index(tmp_path / "index", Breaking(1), keys(count), names(count))
    with (tmp_path / "index" / "vectors-0.f32").open("ab") as file:
        file.write(b"half a row that nobody said was there")
    later = Breaking(9)
    index = open_index(tmp_path / "index", later, keys(count), names(count))
    assert (len(index), later.left) == (count, 7)
    assert isinstance(index, VectorIndex)
    assert found(index) == found(built(tmp_path / "other", count))
    assert found(VectorIndex(tmp_path / "index", Drawn())) == found(index)


def test_an_index_of_other_rows_is_refused(tmp_path: Path) -> None:
    open_index(tmp_path, Drawn(), keys(5), names(5))
    assert len(open_index(tmp_path, Drawn(), keys(8), names(8))) == 8
    for other in (names(8)[::-1], names(5)):
        with pytest.raises(InputError, match="an index of 8 other rows"):
            open_index(tmp_path, Drawn(), keys(len(other)), other)


def test_what_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no index of vectors \(index.sqlite is missing or empty\)"):
        VectorIndex(tmp_path, Drawn())
    (tmp_path / "index.sqlite").touch()  # its making was broken off
    with pytest.raises(InputError, match="missing or empty"):
        VectorIndex(tmp_path, Drawn())
    assert open_index(tmp_path, Drawn(), ["a"], ["a"]).search(["a"])[0][0].key == "a"
    (tmp_path / "index.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(InputError, match="cannot be used"):
        VectorIndex(tmp_path, Drawn())
    with pytest.raises(InputError, match="cannot be written"):
        VectorIndex.create(tmp_path, Drawn())
    built(tmp_path / "one", 2)
    with pytest.raises(InputError, match="there is an index already"):
        VectorIndex.create(tmp_path / "one", Drawn())
    with pytest.raises(InputError, match="2 keys for 1 texts"):
        built(tmp_path / "two", 0).add(["a", "b"], ["a"])
    with pytest.raises(InputError, match="shape"):
        built(tmp_path / "three", 0).search_vectors(np.ones(16, dtype=np.float32), "drawn")
    with pytest.raises(InputError, match="which is not given"):
        open_index(None, Drawn(), [], [])


def test_a_full_disk_is_told_and_costs_nothing_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = built(tmp_path, 20)
    before = found(index)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(InputError, match=r"cannot be written .no space left on device"):
            index.add(keys(9), names(9))
    assert found(index) == found(VectorIndex(tmp_path, Drawn())) == before
    index.add(keys(9), names(9))
    assert len(VectorIndex(tmp_path, Drawn())) == 29


def test_of_two_that_add_the_second_is_told(tmp_path: Path) -> None:
    built(tmp_path, 5)
    one, two = VectorIndex(tmp_path, Drawn()), VectorIndex(tmp_path, Drawn())
    one.add(["a"], ["a"])
    with pytest.raises(InputError, match="another process added to this index meanwhile"):
        two.add(["b"], ["b"])
    assert two.search(["name 3"])[0][0].key == "k3"  # what it opened stands
    assert len(VectorIndex(tmp_path, Drawn())) == 6


def test_threads_and_forked_processes_search_one_index(tmp_path: Path) -> None:
    index = built(tmp_path, 100)
    wanted = found(index)
    seen: list[Any] = []
    threads = [threading.Thread(target=lambda: seen.append(found(index))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [wanted] * 4
    if "fork" in multiprocessing.get_all_start_methods():
        forking = multiprocessing.get_context("fork")
        told = forking.SimpleQueue()
        process = forking.Process(target=lambda: told.put(found(index)))
        process.start()
        assert told.get() == wanted
        process.join()
    assert found(index) == wanted


# --- very many ----------------------------------------------------------------------------------------------------

PARTED = 4000
FLAT = 1000


@pytest.fixture(params=["faiss", "numpy"])
def trained_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Who finds the cells."""
    name: str = request.param
    if name == "faiss" and not has("faiss"):
        pytest.skip("pip install faiss-cpu")
    if name == "numpy":
        monkeypatch.setattr(cells, "has", lambda _: False)
    return name


def test_cells_find_what_looking_at_all_finds(trained_by: str, tmp_path: Path) -> None:
    index = built(tmp_path, PARTED, Drawn(topics=60), flat_up_to=FLAT, probes=16)
    assert index.store.laid == PARTED
    queries = [f"asked {number}" for number in range(100)]
    vectors = Drawn(topics=60).encode(queries)
    some = index.search_vectors(vectors, "drawn")
    every = index.search_vectors(vectors, "drawn", exact=True)
    shared = [len({hit.row for hit in a} & {hit.row for hit in b}) / 10 for a, b in zip(some, every, strict=True)]
    assert sum(shared) / len(shared) > 0.95
    wanted = [by_hand(Drawn(topics=60), names(PARTED), query, 10) for query in queries[:2]]
    assert [[hit.row for hit in hits] for hits in every[:2]] == [[row for row, _ in rows] for rows in wanted]
    assert all(hit.key == f"k{hit.row}" and hit.text == names(PARTED)[hit.row] for hits in some for hit in hits)


def test_all_cells_are_all_rows(trained_by: str, tmp_path: Path) -> None:
    index = built(tmp_path, PARTED, flat_up_to=FLAT, probes=10**6)
    vectors = Drawn().encode(QUERIES)
    assert index.search_vectors(vectors, "drawn") == index.search_vectors(vectors, "drawn", exact=True)


def test_rows_that_come_later_are_found_and_then_parted_too(tmp_path: Path) -> None:
    index = built(tmp_path, FLAT + 1, flat_up_to=FLAT)
    assert index.store.laid == FLAT + 1
    index.add(["late"], ["a late one"])
    assert index.store.laid == FLAT + 1
    assert index.search(["a late one"])[0][0].key == "late"
    more = [f"more {number}" for number in range(600)]
    index.add(more, more)
    assert index.store.laid == len(index) == FLAT + 602
    again = VectorIndex(tmp_path, Drawn(), flat_up_to=FLAT)
    for key in ("late", "more 5", "more 599"):
        text = "a late one" if key == "late" else key
        assert again.search([text])[0][0].key == key
    assert found(again) == found(index)
    assert sorted(path.name for path in tmp_path.iterdir() if "-" in path.name) == [
        "centres-2.npy",
        "order-2.npy",
        "starts-2.npy",
        "vectors-2.f32",
    ]


def test_cells_are_the_same_with_and_without_faiss_to_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = built(tmp_path, PARTED, flat_up_to=FLAT)
    with_faiss = found(index)
    monkeypatch.setattr(cells, "has", lambda _: False)
    assert found(VectorIndex(tmp_path, Drawn(), flat_up_to=FLAT)) == with_faiss


def test_cells_of_another_build_are_refused(tmp_path: Path) -> None:
    built(tmp_path, FLAT + 1, flat_up_to=FLAT).close()
    np.save(tmp_path / "order-1.npy", np.arange(3))
    with pytest.raises(InputError, match="the cells are not as they were written"):
        VectorIndex(tmp_path, Drawn())
    (tmp_path / "order-1.npy").unlink()
    with pytest.raises(InputError, match="the cells cannot be read"):
        VectorIndex(tmp_path, Drawn())


def test_what_another_process_lays_out_anew_is_mapped_as_it_is_then(tmp_path: Path) -> None:
    built(tmp_path, FLAT).close()
    opened = Store(tmp_path)
    VectorIndex(tmp_path, Drawn(), flat_up_to=FLAT).add(["late"], ["late"])  # the files that were opened are gone
    vectors, parted = opened.mapped()
    assert vectors.shape == (FLAT + 1, 16)
    assert parted is not None
    assert len(parted.order) == FLAT + 1


def test_vectors_that_are_all_the_same_are_parted_too(trained_by: str, tmp_path: Path) -> None:
    encoder = Drawn()
    index = VectorIndex.create(tmp_path, encoder, flat_up_to=100)
    rows = np.repeat(encoder.encode(["a"]), 300, axis=0)
    index.add_vectors(keys(300), keys(300), rows, encoder.name)
    (hits,) = index.search(["a"], k=300)
    assert [hit.row for hit in hits][:3] == [0, 1, 2]
    assert len(hits) == 300


def test_the_lexical_encoder_can_be_folded_into_vectors_as_well(tmp_path: Path) -> None:
    index = VectorIndex.create(tmp_path, Lexical(256))
    index.add(["1", "2"], ["launch site", "launch vehicle"])
    assert index.search(["vehicles"], k=1)[0][0].key == "2"
    assert Store(tmp_path).model == "lexical"
