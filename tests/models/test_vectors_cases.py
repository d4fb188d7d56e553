"""Cases 57 and 58 of what went wrong elsewhere: sizes that differ, and products that are no cosines."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from pylf.errors import InputError
from pylf.models.encoders.needs import has
from pylf.models.vectors.index import VectorIndex
from pylf.models.vectors.store import content_hash
from tests.models.made_vectors import Drawn, keys, names

if TYPE_CHECKING:
    from pathlib import Path

np: Any = pytest.importorskip("numpy")

ENGINES = [
    "numpy",
    pytest.param("faiss", marks=pytest.mark.skipif(not has("faiss"), reason="pip install faiss-cpu")),
]


@pytest.mark.parametrize("engine", ENGINES)
def test_case_57_an_index_of_384_numbers_is_not_asked_with_768(engine: Any, tmp_path: Path) -> None:
    small, large = Drawn(384, "small-model"), Drawn(768, "large-model")
    index = VectorIndex.create(tmp_path, small, engine=engine)
    index.add(keys(5), names(5))
    for attempt in (
        lambda: index.search_vectors(large.encode(["x"]), large.name),
        lambda: index.add_vectors(["k"], ["x"], large.encode(["x"]), large.name),
        lambda: VectorIndex(tmp_path, large, engine=engine),
    ):
        with pytest.raises(InputError) as caught:
            attempt()
        told = str(caught.value)
        assert all(words in told for words in ("384", "768", "small-model", "large-model"))
    assert len(index) == 5


def test_case_57_an_index_of_another_model_of_the_same_size_is_refused(tmp_path: Path) -> None:
    VectorIndex.create(tmp_path, Drawn(384, "one")).close()
    with pytest.raises(InputError, match=r"'one 384 12', which is not 'two 384 12'"):
        VectorIndex(tmp_path, Drawn(384, "two"))
    with pytest.raises(InputError, match=r"'one 384 12', which is not 'one, other weights'"):
        VectorIndex(tmp_path, Drawn(384, "one", "one, other weights"))


def test_case_57_vectors_of_another_model_of_the_same_size_do_not_come_in(tmp_path: Path) -> None:
    small, other = Drawn(384, "small-model"), Drawn(384, "other-model")
    index = VectorIndex.create(tmp_path, small)
    index.add(keys(5), names(5))
    with pytest.raises(InputError, match=r"model small-model.*model other-model"):
        index.add_vectors(["k"], ["x"], other.encode(["x"]), other.name)
    with pytest.raises(InputError, match=r"model small-model.*model other-model"):
        index.search_vectors(other.encode(["x"]), other.name)
    assert len(index) == 5


def test_case_57_what_is_stored_beside_the_vectors(tmp_path: Path) -> None:
    index = VectorIndex.create(tmp_path, Drawn(384, "one"))
    index.add(keys(7), names(7))
    index.close()
    with sqlite3.connect(tmp_path / "index.sqlite") as connection:
        told = dict(connection.execute("SELECT name, value FROM meta").fetchall())
    assert (
        told
        | {
            "model": "one",
            "identity": "one 384 12",
            "dimension": "384",
            "count": "7",
            "normalised": "yes",
            "hash": content_hash(keys(7), names(7)),
        }
        == told
    )


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("dimension", "512", "512 numbers"),
        ("count", "9", "bytes, where 9 vectors"),
        ("count", "6", "rows where 6 are stated"),
        ("count", "-1", "damaged"),
        ("normalised", "no", "not normalised"),
        ("version", "0", "version 0"),
        ("laid", "5", "the cells cannot be read"),
    ],
)
def test_case_57_an_index_that_is_not_as_stated_is_refused(name: str, value: str, told: str, tmp_path: Path) -> None:
    index = VectorIndex.create(tmp_path, Drawn(384, "one"))
    index.add(keys(7), names(7))
    index.close()
    with sqlite3.connect(tmp_path / "index.sqlite") as connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = ?", (value, name))
    with pytest.raises(InputError, match=told):
        VectorIndex(tmp_path, Drawn(384, "one"))


def test_case_57_vectors_that_were_changed_are_refused_with_their_rows(tmp_path: Path) -> None:
    index = VectorIndex.create(tmp_path, Drawn())
    index.add(keys(3), names(3))
    index.add(keys(4), names(4))
    index.close()
    path = tmp_path / "vectors-0.f32"
    data = bytearray(path.read_bytes())
    data[5 * 64] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="rows 3 to 6 are not as they were written"):
        VectorIndex(tmp_path, Drawn())
    path.write_bytes(data[:100])
    with pytest.raises(InputError, match="100 bytes, where 7 vectors of 16 numbers"):
        VectorIndex(tmp_path, Drawn(), check=False)
    path.unlink()
    with pytest.raises(InputError, match="0 bytes, where 7 vectors"):
        VectorIndex(tmp_path, Drawn(), check=False)


@pytest.mark.parametrize("engine", ENGINES)
def test_case_58_scores_are_cosines_whatever_the_norms(engine: Any, tmp_path: Path) -> None:
    encoder = Drawn(384, "one")
    index = VectorIndex.create(tmp_path, encoder, engine=engine)
    rows = encoder.encode(["a", "a", "a", "b"]) * np.array([[1.0], [10.0], [100.0], [100.0]], dtype=np.float32)
    index.add_vectors(keys(4), ["a", "a", "a", "b"], rows, encoder.name)
    for norm in (1.0, 10.0, 100.0):
        (found,) = index.search_vectors(encoder.encode(["a"]) * np.float32(norm), encoder.name, threshold=0.7)
        assert [hit.row for hit in found] == [0, 1, 2]
        assert [hit.score for hit in found] == pytest.approx([1.0] * 3, abs=1e-6)


@pytest.mark.parametrize("engine", ENGINES)
def test_case_58_scores_are_clipped_and_a_vector_reaches_1_with_itself(engine: Any, tmp_path: Path) -> None:
    encoder = Drawn(384, "one")
    index = VectorIndex.create(tmp_path, encoder, engine=engine)
    texts = [f"text {number}" for number in range(300)]
    index.add([*keys(300), "opposite"], [*texts, "opposite"])
    opposite = -encoder.encode(texts[:1])
    index.add_vectors(["o"], ["o"], opposite, encoder.name)
    for text, found in zip(texts, index.search(texts, threshold=1.0), strict=True):
        assert [hit.text for hit in found] == [text]
    (whole,) = index.search(texts[:1], k=1000)
    assert len(whole) == 302
    assert all(-1.0 <= hit.score <= 1.0 for hit in whole)
    assert (whole[-1].key, whole[-1].score) == ("o", pytest.approx(-1.0))


@pytest.mark.parametrize(("bad", "told"), [(0.0, "is zero"), (float("nan"), "NaN"), (float("inf"), "infinity")])
def test_case_58_zero_and_nan_vectors_are_refused_with_the_row_and_nothing_is_added(
    bad: float, told: str, tmp_path: Path
) -> None:
    encoder = Drawn(4)
    index = VectorIndex.create(tmp_path, encoder)
    index.add(keys(3), names(3))
    rows = encoder.encode(["a", "b", "c"])
    rows[1] = bad
    with pytest.raises(InputError, match=rf"row 4 \('kb'\): its vector .*{told}.*model drawn"):
        index.add_vectors(["ka", "kb", "kc"], ["a", "b", "c"], rows, encoder.name)
    with pytest.raises(InputError, match=rf"row 1: its vector .*{told}"):
        index.search_vectors(rows, encoder.name)
    assert (len(index), len(VectorIndex(tmp_path, encoder))) == (3, 3)


@pytest.mark.parametrize("what", ["centres", "starts", "order"])
def test_cells_that_were_changed_are_refused(what: str, tmp_path: Path) -> None:
    VectorIndex.create(tmp_path, Drawn(), flat_up_to=50).add(keys(200), names(200))
    index = VectorIndex(tmp_path, Drawn())
    assert index.store.laid == 200
    index.close()
    (path,) = tmp_path.glob(f"{what}-*.npy")
    whole = path.read_bytes()
    np.save(path, np.load(path)[::-1])
    turned = path.read_bytes()
    unclosed = whole.replace(b"}", b"(", 1)  # numpy reads its header as a tokenizer would, and fails as one does
    archive = b"PK\x03\x04" + whole[4:]
    for other in (turned, b"", whole[:40], whole[:-8], unclosed, archive):
        path.write_bytes(other)
        for check in (True, False):
            with pytest.raises(InputError, match="the cells are not as they were written"):
                VectorIndex(tmp_path, Drawn(), check=check)
    path.unlink()
    with pytest.raises(InputError, match="the cells cannot be read"):
        VectorIndex(tmp_path, Drawn(), check=False)
    path.write_bytes(whole)
    assert VectorIndex(tmp_path, Drawn()).search(["name 5"], k=1)[0][0].text == "name 5"


def test_what_no_database_holds_is_refused(tmp_path: Path) -> None:
    index = VectorIndex.create(tmp_path, Drawn())
    vector = Drawn().encode(["x"])
    with pytest.raises(InputError, match="half of a pair of surrogates"):
        index.add_vectors(["k"], ["\ud800"], vector, "drawn")
    index.add_vectors(["k"], ["x"], vector, "drawn")
    assert len(index) == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE meta SET value = x'00ff' WHERE name = 'count'",
        "UPDATE meta SET value = x'00ff' WHERE name = 'model'",
        "INSERT INTO meta VALUES (x'00', 'other')",
    ],
)
def test_bytes_where_the_index_states_what_it_is_are_damage(change: str, tmp_path: Path) -> None:
    VectorIndex.create(tmp_path, Drawn()).close()
    with sqlite3.connect(tmp_path / "index.sqlite") as connection:
        connection.execute(change)
    with pytest.raises(InputError, match="damaged"):
        VectorIndex(tmp_path, Drawn())
