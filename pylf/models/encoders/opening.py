"""Encoders by name, as the command line and settings say them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import InputError, printable
from pylf.models.encoders.cached import Cached
from pylf.models.encoders.lexical import Lexical

if TYPE_CHECKING:
    from pylf.models.encoders.cached import VectorCache
    from pylf.models.encoders.protocol import Encoder

#: what stands before a colon, and what stands after it
KINDS = {
    "lexical": "nothing, or the number of dimensions",
    "minilm": "nothing, or a folder that sentence-transformers wrote",
    "simcse": "the folder of a checkpoint",
    "sentence-transformers": "a folder, or a model's name",
}
DEFAULT = "lexical"


def open_encoder(
    name: str = DEFAULT, *, cache: VectorCache | bool = True, threads: int | None = 1, device: str | None = None
) -> Encoder:
    """An encoder by name: ``lexical`` (the default: nothing need be installed), ``minilm``, ``minilm:FOLDER``,
    ``simcse:FOLDER``, ``sentence-transformers:NAME``, or the path of a folder, which ``minilm`` is asked for.

    ``cache``: where vectors are kept (True: in the user's cache folder; False: nowhere); the lexical ones are quicker
    made than kept. ``threads`` and ``device`` are for encoders that run in torch.

    Raises:
        InputError: no such encoder; a package or a folder is missing.
    """
    made = _opened(name, threads, device)
    if cache is False or isinstance(made, Lexical):
        return made
    return Cached(made) if cache is True else Cached(made, cache)


def _opened(name: str, threads: int | None, device: str | None) -> Encoder:
    kind, colon, what = name.partition(":")
    match kind:
        case "lexical" if not colon:
            return Lexical()
        case "lexical" if what.isdecimal():
            return Lexical(int(what))
        case "minilm" if what or not colon:
            from pylf.models.encoders.minilm import MiniLM

            return MiniLM(what or None)
        case "simcse" if what:
            from pylf.models.encoders.simcse import open_simcse

            return open_simcse(what, threads=threads)
        case "sentence-transformers" if what:
            from pylf.models.encoders.sentence_transformers import SentenceTransformers

            return SentenceTransformers(what, device, threads)
    if kind not in KINDS and Path(name).is_dir():
        from pylf.models.encoders.minilm import MiniLM

        return MiniLM(name)
    raise InputError(_unknown(name, kind))


def _unknown(name: str, kind: str) -> str:
    if kind in KINDS:
        return f"the encoder {printable(name)!r} is not complete: after {kind!r} and a colon comes {KINDS[kind]}"
    from difflib import get_close_matches

    near = get_close_matches(kind, KINDS, n=1)
    hint = f"; the nearest is {near[0]!r}" if near else ""
    return f"no encoder and no folder is called {printable(name)!r}{hint}. Encoders: {', '.join(KINDS)}"
