"""The index that suits an encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.models.encoders.lexical import Lexical
from pylf.models.vectors.postings import LexicalIndex

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from pylf.models.encoders.protocol import Encoder
    from pylf.models.vectors.hit import NameIndex
    from pylf.models.vectors.index import VectorIndex

#: how often an index is opened again to which others add
_TIMES = 1000


def open_index(
    folder: str | os.PathLike[str] | None, encoder: Encoder, keys: Sequence[str], texts: Sequence[str]
) -> NameIndex:
    """An index of these rows: the one in the folder, where it begins with them; else one that is built there.

    Rows that the index lacks are added; so a build that was interrupted goes on where it was. The lexical encoder's is
    made anew each time, and takes no folder.

    Raises:
        InputError: the index in the folder is another model's, or of other rows; the folder is needed, or cannot be
            written.
    """
    if isinstance(encoder, Lexical):
        lexical = LexicalIndex()
        lexical.add(keys, texts)
        return lexical
    from pylf.models.vectors.store import AddedMeanwhile

    if folder is None:
        raise InputError(f"an index of the encoder {encoder.name} is kept in a folder, which is not given")
    for _ in range(_TIMES):
        try:
            return _completed(folder, encoder, keys, texts)
        except AddedMeanwhile:  # another process builds the same one
            continue
    return _completed(folder, encoder, keys, texts)


def _completed(
    folder: str | os.PathLike[str], encoder: Encoder, keys: Sequence[str], texts: Sequence[str]
) -> NameIndex:
    from pylf.models.vectors.index import VectorIndex
    from pylf.models.vectors.store import exists

    index = _made(folder, encoder) if not exists(folder) else VectorIndex(folder, encoder)
    if not index.is_of(keys, texts):
        raise InputError(
            f"{folder}: an index of {len(index)} other rows (hash {index.hash}); "
            "name another folder, or remove this one to build it anew"
        )
    index.add(keys[len(index) :], texts[len(index) :])
    return index


def _made(folder: str | os.PathLike[str], encoder: Encoder) -> VectorIndex:
    """A new index, or the one that another process made in the same moment."""
    from pylf.models.vectors.index import VectorIndex
    from pylf.models.vectors.store import exists

    try:
        return VectorIndex.create(folder, encoder)
    except InputError:
        if not exists(folder):
            raise
        return VectorIndex(folder, encoder)
