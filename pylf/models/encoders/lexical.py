"""Texts by their words and the pieces of their words: an encoder of the standard library alone.

A text is the set of its words and of the pieces of three characters of each word between its bounds (``_b``, ``bo``,
…). Words are told apart by what is no letter and no digit, and where a small letter meets a capital (``isPartOf``);
capitals and accents do not count. How much a feature weighs is how rare it is: its inverse document frequency among the
texts that are indexed, where :meth:`Lexical.fitted` was told them; a word weighs more than a piece.

:meth:`Lexical.features` and :meth:`Lexical.similarity` need nothing; :meth:`Lexical.encode` folds the features into
vectors by hashing (Weinberger et al. 2009), for which numpy is needed.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
import zlib
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.models.encoders.needs import require
from pylf.models.encoders.protocol import unit_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pylf.models.encoders.protocol import Vectors

NAME = "lexical"
DIMENSION = 1024
#: changes with what the features of a text are
VERSION = 1

#: how much more a whole word counts than a piece of three characters, in its weight
_WORD = 1.5
_PIECE = 3
_WORDS = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
#: a word's bound; no text has it, since it is neither letter nor digit
_BOUND = "\x02"
#: characters of a text that are looked at
_LONGEST = 10_000


def words(text: str) -> list[str]:
    """The words of a text, without capitals and accents."""
    apart = _CAMEL.sub(" ", text[:_LONGEST])
    if apart.isascii():
        return _WORDS.findall(apart.lower())
    plain = "".join(c for c in unicodedata.normalize("NFKD", apart.casefold()) if not unicodedata.combining(c))
    return _WORDS.findall(plain)


def features(text: str) -> set[str]:
    """The words of a text (with both bounds) and their pieces; a text without words has one feature of its own kind,
    its characters."""
    found: set[str] = set()
    for word in words(text):
        bound = f"{_BOUND}{word}{_BOUND}"
        found.add(bound)
        found.update([bound[i : i + _PIECE] for i in range(len(bound) - _PIECE + 1)])
    return found or {f"{_BOUND}{_BOUND}{text[:_LONGEST].strip()}"}


def is_word(feature: str) -> bool:
    """Whether a feature is a whole word (or a text that has none), and no piece."""
    return len(feature) > _PIECE and feature[0] == _BOUND


def weight_of(feature: str, having: int, texts: int) -> float:
    """How much a feature weighs that so many of the texts have: its inverse document frequency, smoothed."""
    rare = math.log((1 + texts) / (1 + having)) + 1.0
    return rare * _WORD if is_word(feature) else rare


class Lexical:
    """Encodes texts by their words and pieces. ``dimension`` is that of the folded vectors."""

    def __init__(self, dimension: int = DIMENSION) -> None:
        """An encoder to which all features are equally rare.

        Raises:
            InputError: a dimension below 1.
        """
        if dimension < 1:
            raise InputError(f"vectors of {dimension} numbers cannot be made")
        self.name = NAME
        self.dimension = dimension
        self._texts = 0
        self._having: Mapping[str, int] = {}

    def fitted(self, texts: Iterable[str]) -> Lexical:
        """An encoder that knows how many of these texts have each feature. It has another identity."""
        having: dict[str, int] = {}
        count = 0
        for text in texts:
            count += 1
            for feature in features(text):
                having[feature] = having.get(feature, 0) + 1
        made = Lexical(self.dimension)
        made._texts, made._having = count, having
        return made

    @property
    def identity(self) -> str:
        """Version, dimension, and a hash of what is known of the features' frequencies."""
        told = ""
        if self._having:
            rows = "\n".join(f"{feature}\t{count}" for feature, count in sorted(self._having.items()))
            told = hashlib.sha256(f"{self._texts}\n{rows}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return f"{NAME} {VERSION} {self.dimension} {told}".rstrip()

    def weight(self, feature: str) -> float:
        """How much a feature weighs, before the text's norm."""
        return weight_of(feature, self._having.get(feature, 0), self._texts)

    def sparse(self, text: str) -> dict[str, float]:
        """The weights of a text's features, of norm 1."""
        weights = {feature: self.weight(feature) for feature in sorted(features(text))}
        norm = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
        return {feature: weight / norm for feature, weight in weights.items()}

    def similarity(self, one: str, other: str) -> float:
        """The cosine of two texts, from 0 (nothing in common) to 1."""
        first, second = self.sparse(one), self.sparse(other)
        if len(second) < len(first):
            first, second = second, first
        return min(1.0, math.fsum(weight * second.get(feature, 0.0) for feature, weight in first.items()))

    def dense(self, text: str) -> list[float]:
        """A text's features folded into so many numbers as the dimension says, of norm 1."""
        numbers = [0.0] * self.dimension
        for feature, weight in self.sparse(text).items():
            place = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
            numbers[(place >> 1) % self.dimension] += weight if place & 1 else -weight
        norm = math.sqrt(math.fsum(number * number for number in numbers))
        if norm < 1e-9:  # folded, the features may cancel each other out
            numbers[0], norm = 1.0, 1.0
        return [number / norm for number in numbers]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Folded vectors of norm 1, of shape (texts, dimension); their cosines are near the texts' similarities.

        Raises:
            InputError: numpy is missing.
        """
        require(("numpy",), "vectors of texts")
        import numpy as np

        rows = np.array([self.dense(text) for text in texts], dtype=np.float32)
        return unit_rows(rows.reshape(len(texts), self.dimension), self.name, texts)
