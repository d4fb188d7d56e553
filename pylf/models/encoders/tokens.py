"""Texts to token ids, one text after the other: the library's own threads do not live through a fork."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InputError, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.models.encoders.checkpoint import Checkpoint


class Tokens:
    """The tokenizer of a checkpoint whose weights know the tokens below ``known``; no text has more than ``longest``
    tokens."""

    def __init__(self, checkpoint: Checkpoint, longest: int, known: int) -> None:
        """Read the tokenizer.

        Raises:
            InputError: it cannot be read, or has tokens that the weights do not know.
        """
        self.longest = longest
        self._folder = checkpoint.folder
        self._tokenizer = checkpoint.tokenizer(longest)
        last = max(self._tokenizer.get_vocab().items(), key=lambda one: one[1], default=("", -1))
        if last[1] >= known:
            raise InputError(
                f"{self._folder}: the tokenizer has the token {printable(last[0])!r} with the number {last[1]}, and "
                f"the weights have {known} rows, from 0 on: the two are not of one model"
            )

    def of(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of each text's tokens, the special ones at its ends included. Characters that no UTF-8 has (lone
        surrogates) are taken for unknown ones.

        Raises:
            InputError: a text has no tokens, so that no vector can be made of it.
        """
        encode = self._tokenizer.encode
        found = [encode(text.encode("utf-8", "replace").decode("utf-8")).ids for text in texts]
        if [] in found:
            text = texts[found.index([])]
            raise InputError(
                f"{self._folder}: the tokenizer makes no token of {printable(text)!r}, so it has no vector"
            )
        return found
