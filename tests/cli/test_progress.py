"""The progress bar: on a terminal, and nowhere else."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from pylf.progress import Progress

if TYPE_CHECKING:
    import pytest


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def use(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress() as bar:
        bar.phase("reading")
        for done in (0, 1, 5, 10):
            bar.drawn = 0.0
            bar.advance(done, 10)
        bar.drawn = 0.0
        bar.advance(3, 0)
        bar.phase("inferring the schema")
    return stream.getvalue()


def test_a_terminal_sees_how_far_it_is_and_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = use(monkeypatch, Terminal())
    assert "reading  [" + "#" * 15 + " " * 15 + "]  50%" in drawn
    assert "[" + "#" * 30 + "] 100%" in drawn
    assert "inferring the schema" in drawn
    assert drawn.endswith("\r\x1b[K")
    assert "\n" not in drawn


def test_a_pipe_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert use(monkeypatch, io.StringIO()) == ""
