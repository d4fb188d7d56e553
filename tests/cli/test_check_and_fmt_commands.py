"""``pylf check`` and ``pylf fmt``: several files, what is printed where, and what formatting leaves as it was."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Command

GOOD = "e = STOP(START('rocket'))\n"
BAD = "e = STOP(JOIN('spaceflight.rocket.manufacterer', START('Boeing Company')))\n"
UGLY = "e=STOP( START( 'rocket' ) )   # why not\n"
NEAT = "e = STOP(START('rocket'))  # why not\n"


def test_check_tells_of_each_file(pylf: Command, here: Path) -> None:
    (here / "good.pylf").write_text(GOOD)
    (here / "bad.pylf").write_text(BAD)
    assert pylf("check", "good.pylf").out == "good.pylf: ok\n"
    status, out, _ = pylf("check", "good.pylf", "bad.pylf")
    assert status == 1
    assert "good.pylf: ok" in out
    assert "bad.pylf:1:15" in out
    assert "the nearest names are 'spaceflight.rocket.manufacturer'" in out
    status, out, err = pylf("check", "missing.pylf", "bad.pylf", "good.pylf")
    assert status == 2
    assert "missing.pylf: no such file" in err
    assert "bad.pylf:1:15" in out
    assert "good.pylf: ok" in out


def test_check_counts_warnings(pylf: Command) -> None:
    clash = "e = STOP(JOIN('spaceflight.rocket.mass', START('rocket')))"
    status, out, _ = pylf("check", "-", "--lenient", stdin=clash)
    assert status == 0
    assert "warning[type-mismatch]" in out
    assert "-: ok, 1 warning\n" in out


def test_check_json(pylf: Command, here: Path) -> None:
    (here / "é𝒳.pylf").write_text(BAD.replace("Boeing", "𝒳 é"), encoding="utf-8")
    (here / "good.pylf").write_text(GOOD)
    status, out, _ = pylf("check", "é𝒳.pylf", "good.pylf", "--json")
    assert status == 1
    (found,) = json.loads(out)
    assert found["code"] == "unknown-relation"
    assert (found["file"], found["line"], found["column"]) == ("é𝒳.pylf", 1, 15)
    assert pylf("check", "good.pylf", "--json").out == "[]\n"


def test_check_takes_ir(pylf: Command, example: Path) -> None:
    for form in ("ir", "json"):
        text = pylf("compile", example, "--to", form).out
        assert pylf("check", "-", "--from", form, stdin=text)[:2] == (0, "-: ok\n")


def test_check_against_a_graph(pylf: Command, films: Path) -> None:
    program = "e = STOP(JOIN('R_director', START('Amelie')))"
    status, out, _ = pylf("check", "-", "--kg", "films.ttl", "--vocab", "vocabulary.toml", stdin=program)
    assert status == 0
    assert "no entity of the graph is labelled 'Amelie'" in out


def test_every_example_is_well_formed_and_the_wrong_ones_are_not(pylf: Command, root: Path) -> None:
    good = sorted((root / "examples").glob("*.pylf"))
    assert pylf("check", *good).status == 0
    assert pylf("fmt", "--check", *good).status == 0
    bad = sorted((root / "examples" / "errors").glob("*.pylf"))
    status, out, _ = pylf("check", *bad)
    assert status == 1
    assert out.count("error[") >= len(bad)
    assert ": ok" not in out


# -- fmt


def test_fmt_writes_in_place_and_says_so(pylf: Command, here: Path, listed: Callable[[], list[str]]) -> None:
    path = here / "a.pylf"
    path.write_text(UGLY)
    path.chmod(0o640)
    assert pylf("fmt", "a.pylf") == (0, "", "a.pylf: formatted\n")
    assert path.read_text() == NEAT
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert pylf("fmt", "a.pylf") == (0, "", "")
    assert listed() == ["a.pylf"]


def test_fmt_leaves_a_link_a_link(pylf: Command, here: Path) -> None:
    (here / "real").mkdir()
    (here / "real" / "a.pylf").write_text(UGLY)
    (here / "link.pylf").symlink_to("real/a.pylf")
    assert pylf("fmt", "link.pylf").status == 0
    assert (here / "link.pylf").is_symlink()
    assert (here / "real" / "a.pylf").read_text() == NEAT
    assert [path.name for path in (here / "real").iterdir()] == ["a.pylf"]


def test_fmt_check_and_diff_change_nothing(pylf: Command, here: Path) -> None:
    path = here / "a.pylf"
    path.write_text(UGLY)
    (here / "b.pylf").write_text(NEAT)
    assert pylf("fmt", "--check", "a.pylf", "b.pylf") == (1, "", "a.pylf: would change\n")
    assert pylf("fmt", "--check", "b.pylf") == (0, "", "")
    status, out, _ = pylf("fmt", "--diff", "a.pylf", "b.pylf")
    assert status == 1
    assert out.splitlines() == [
        "--- a.pylf",
        "+++ a.pylf (formatted)",
        "@@ -1 +1 @@",
        "-" + UGLY.rstrip("\n"),
        "+" + NEAT.rstrip("\n"),
    ]
    assert pylf("fmt", "--diff", "b.pylf") == (0, "", "")
    assert path.read_text() == UGLY


def test_fmt_diff_of_a_file_without_final_line_break(pylf: Command) -> None:
    out = pylf("fmt", "--diff", "-", stdin=GOOD.rstrip("\n")).out
    assert "\\ No newline at end of file\n" in out


def test_fmt_of_standard_input_is_on_standard_output(pylf: Command) -> None:
    assert pylf("fmt", "-", stdin=UGLY) == (0, NEAT, "")
    assert pylf("fmt", "-", stdin=NEAT) == (0, NEAT, "")
    assert pylf("fmt", "-", "--check", stdin=UGLY) == (1, "", "<stdin>: would change\n")


def test_fmt_goes_on_after_a_file_that_is_no_program(pylf: Command, here: Path) -> None:
    (here / "bad.pylf").write_text("e = STOP(")
    (here / "ugly.pylf").write_text(UGLY)
    status, _, err = pylf("fmt", "bad.pylf", "missing.pylf", "ugly.pylf")
    assert status == 2
    assert "bad.pylf:1:" in err
    assert "missing.pylf: no such file" in err
    assert (here / "bad.pylf").read_text() == "e = STOP("
    assert (here / "ugly.pylf").read_text() == NEAT


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_fmt_in_a_folder_that_may_not_be_written(pylf: Command, here: Path) -> None:
    (here / "sealed").mkdir()
    (here / "sealed" / "a.pylf").write_text(UGLY)
    (here / "sealed").chmod(0o500)
    status, _, err = pylf("fmt", "sealed/a.pylf")
    (here / "sealed").chmod(0o700)
    assert status == 2
    assert "permission denied" in err


def test_fmt_failing_half_way_leaves_the_file_and_nothing_else(
    pylf: Command, here: Path, monkeypatch: pytest.MonkeyPatch, listed: Callable[[], list[str]]
) -> None:
    def refused(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (here / "a.pylf").write_text(UGLY)
    monkeypatch.setattr("os.replace", refused)
    status, _, err = pylf("fmt", "a.pylf")
    assert status == 2
    assert "a.pylf: no space left on device" in err
    assert listed() == ["a.pylf"]
    assert (here / "a.pylf").read_text() == UGLY


def test_fmt_makes_line_breaks_alike_and_keeps_text(pylf: Command) -> None:
    out = pylf("fmt", "-", stdin="\ufeff# é 𝒳\r\ne = STOP(START('𝒳'))\r\n".encode()).out
    assert out == "# é 𝒳\ne = STOP(START('𝒳'))\n"
