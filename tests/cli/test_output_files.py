"""Files that commands write: all of them or none of them; and limits and paths that make no sense."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pylf.cli import options as shared
from pylf.errors import InputError

if TYPE_CHECKING:
    from conftest import Command

PROGRAM = "e = STOP(JOIN('spaceflight.rocket.manufacturer', 'Boeing Company'))\n"


class Full:
    """A file on a disk that has no room left."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)

    def __enter__(self) -> Full:
        self.path.write_text("")
        return self

    def __exit__(self, *_: object) -> None:
        assert self.path.is_file()

    def write(self, text: str) -> int:
        self.path.write_text(text[:3])
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_what_was_there(pylf: Command, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "q.pylf").write_text(PROGRAM)
    (here / "Old.rq").write_text("before")

    def opened(path: str, mode: str = "r", **_: str) -> object:
        return Path(path).open(mode) if "b" in mode else Full(path)

    monkeypatch.setattr(shared, "open", opened, raising=False)
    for name in ("Old.rq", "New.rq"):
        status, _, err = pylf("compile", "q.pylf", "-o", name)
        assert status == 2
        assert f"{name}: no space left on device" in err
    assert (here / "Old.rq").read_text() == "before"
    assert sorted(entry.name for entry in here.iterdir()) == ["Old.rq", "q.pylf"]


def test_an_output_takes_the_place_of_what_was_there(pylf: Command, here: Path) -> None:
    (here / "q.pylf").write_text(PROGRAM)
    (here / "real.rq").write_text("before")
    (here / "real.rq").chmod(0o640)
    (here / "link.rq").symlink_to("real.rq")
    assert pylf("compile", "q.pylf", "-o", "link.rq").status == 0
    assert (here / "link.rq").is_symlink()
    assert (here / "real.rq").read_text() == pylf("compile", "q.pylf").out
    assert (here / "real.rq").stat().st_mode & 0o777 == 0o640
    status, _, err = pylf("compile", "q.pylf", "-o", "No/Such/File.rq")
    assert (status, "No/Such/File.rq: no such file or directory" in err) == (2, True)


@pytest.mark.skipif(os.name != "posix", reason="named pipes and /dev are POSIX's")
def test_what_is_no_plain_file_is_written_to(here: Path) -> None:
    shared.write_text("/dev/null", "x")
    assert not Path("/dev/null").is_file()
    with pytest.raises(InputError, match="is a directory"):
        shared.write_text(str(here), "x")
    old = os.umask(0o027)
    try:
        shared.write_text("fresh", "x")
    finally:
        os.umask(old)
    assert (here / "fresh").stat().st_mode & 0o777 == 0o640


def test_a_limit_that_no_clock_reaches_is_none(pylf: Command, here: Path) -> None:
    (here / "q.pylf").write_text(PROGRAM)
    assert pylf("run", "q.pylf", "--timeout", "1e30").status == 0
    assert pylf("run", "q.pylf", "--timeout", "0").status == 2


def test_paths_that_are_no_graph_are_told_from_each_other(pylf: Command, here: Path) -> None:
    (here / "q.pylf").write_text(PROGRAM)
    (here / "ok.nt").write_text("<http://e/a> <http://e/p> <http://e/b> .\n")
    assert "ok.nt: is a file, not a graph folder" in pylf("kg", "info", "ok.nt").err
    status, _, err = pylf("run", "q.pylf", "--kg", "http://127.0.0.1:9/sparql")
    assert status == 4
    assert "no connection to 127.0.0.1:9" in err
    status, _, err = pylf("run", "q.pylf", "--kg", "ok.nt", "--graph", "http://e/g")
    assert (status, "where an endpoint is asked" in err) == (2, True)
    status, _, err = pylf("compile", "q.pylf", "--vocab", "/dev/zero")
    assert status == 2


def test_a_literal_that_no_parser_takes_is_bad_input(pylf: Command, here: Path) -> None:
    (here / "q.pylf").write_text(PROGRAM)
    (here / "long.nt").write_text(f'<http://e/a> <http://e/p> "{"x" * (17 << 20)}" .\n')
    for command in (
        ("kg", "load", "long.nt", "--into", "KG"),
        ("run", "q.pylf", "--kg", "long.nt"),
        ("schema", "infer", "long.nt", "-o", "s.sqlite"),
    ):
        status, _, err = pylf(*command)
        assert (status, "long.nt: one term of it is longer" in err) == (2, True), err
