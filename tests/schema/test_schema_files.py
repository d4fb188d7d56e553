"""Files plain and compressed, and reading no more of them than is allowed."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import pytest

from pylf.ir.schema.files import is_file, open_plain_or_gzip, read_bounded, size

if TYPE_CHECKING:
    from pathlib import Path


class Trickle(io.BytesIO):
    """Gives less than it is asked for, as a pipe does."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(3, 3 if size is None else size))


@pytest.mark.parametrize("most", [11, 12, 100])
def test_the_same_bytes_plain_and_compressed(tmp_path: Path, most: int) -> None:
    (tmp_path / "a").write_bytes(b"Lake Baikal")
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"Lake Baikal"))
    for name in ("a", "a.gz"):
        with open_plain_or_gzip(str(tmp_path / name)) as stream:
            assert read_bounded(stream, most) == b"Lake Baikal"


def test_of_more_bytes_than_are_allowed_one_more_is_read() -> None:
    for stream in (io.BytesIO(b"Lake Baikal"), Trickle(b"Lake Baikal")):
        assert read_bounded(stream, 4) == b"Lake "
        assert stream.tell() == 5


def test_what_is_a_file_and_how_large(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"Lake Baikal")
    assert is_file(str(tmp_path / "a"))
    assert size(str(tmp_path / "a")) == 11
    assert not is_file(str(tmp_path))
    assert not is_file(str(tmp_path / "a" / "b"))
    assert not is_file("a\0b")


def test_what_is_not_there_or_not_compressed(tmp_path: Path) -> None:
    for name in ("none", "none.gz"):
        with pytest.raises(FileNotFoundError):
            open_plain_or_gzip(str(tmp_path / name))
    (tmp_path / "a.gz").write_bytes(b"Lake Baikal")
    with pytest.raises(OSError, match="gzip"), open_plain_or_gzip(str(tmp_path / "a.gz")) as stream:
        read_bounded(stream, 100)
