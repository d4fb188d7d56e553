"""An encoder for tests of indexes: vectors that follow from the text alone, drawn around a few directions."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

np: Any = pytest.importorskip("numpy")


class Drawn:
    """``topics``: directions that texts are drawn around; ``spread``: how far they stray from theirs."""

    def __init__(
        self,
        dimension: int = 16,
        name: str = "drawn",
        identity: str | None = None,
        topics: int = 12,
        spread: float = 0.6,
    ) -> None:
        self.name = name
        self.dimension = dimension
        self.identity = f"{name} {dimension} {topics}" if identity is None else identity
        self._topics = np.random.default_rng(5).normal(size=(topics, dimension))
        self._spread = spread

    def encode(self, texts: Sequence[str]) -> Any:
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for number, text in enumerate(texts):
            random = np.random.default_rng(zlib.crc32(text.encode()))
            rows[number] = self._topics[random.integers(len(self._topics))]
            rows[number] += self._spread * random.normal(size=self.dimension)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def names(count: int) -> list[str]:
    """Texts, every tenth of which there is twice."""
    return [f"name {number - number % 10 * (number % 10 == 1)}" for number in range(count)]


def keys(count: int) -> list[str]:
    return [f"k{number}" for number in range(count)]


def by_hand(encoder: Any, texts: Sequence[str], query: str, k: int, threshold: float = -1.0) -> list[tuple[int, float]]:
    """The best rows by comparing with every one, in float64."""
    scores = encoder.encode(texts).astype(np.float64) @ encoder.encode([query])[0].astype(np.float64)
    order = sorted(range(len(texts)), key=lambda row: (-round(float(scores[row]), 6), row))
    return [(row, float(scores[row])) for row in order if scores[row] >= threshold - 1e-6][:k]
