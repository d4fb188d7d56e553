"""SimCSE (Gao, Yao and Chen 2021): by the package of that name where it is installed, else computed by numpy.

Checkpoints trained without supervision take the first token's vector as it is, before the pooler; supervised ones take
it behind the pooler. As in the package, ``unsup`` in the name says which; ``pooling`` says otherwise. Both ways of
computing give the same vectors up to rounding, so they share an identity.

The package pins versions that no installer resolves any longer; it is installed by hand, without what it asks for
(:data:`pylf.models.encoders.needs.BY_HAND`). Its class makes the vectors; its search is not used, which current faiss
breaks.
"""

from __future__ import annotations

import logging
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pylf.errors import InputError
from pylf.models.encoders.checkpoint import Checkpoint, revision
from pylf.models.encoders.needs import has, require
from pylf.models.encoders.protocol import unit_rows
from pylf.models.encoders.tokens import Tokens
from pylf.models.encoders.transformer import Transformer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.models.encoders.protocol import Encoder, Vectors

#: as the package calls them: behind the pooler, and before it
Pooling = Literal["cls", "cls_before_pooler"]
#: tokens of the longest text, the package's default
LONGEST = 128

_PACKAGE = ("numpy", "simcse", "torch", "transformers", "sklearn", "tqdm")


def open_simcse(model: str, pooling: Pooling | None = None, threads: int | None = 1) -> Encoder:
    """The encoder of a SimCSE checkpoint: the package's where it can be imported, else our own.

    ``model`` is a folder; with the package it may be a name, which the package looks up in its cache and downloads.
    ``threads`` are torch's (None: as they are).

    Raises:
        InputError: no such checkpoint, one of another kind, or a missing package.
    """
    if all(has(module) for module in _PACKAGE):
        return PackagedSimCSE(model, pooling, threads)
    if not Path(model).is_dir():
        raise InputError(f"{model}: no such folder; only the simcse package looks models up by name")
    return SimCSE(model, pooling)


def pooling_of(model: str) -> Pooling:
    """The pooling that a checkpoint's name implies, as it is given or as its folder is called."""
    whole = f"{model} {Path(model).resolve().name}"
    return "cls_before_pooler" if "unsup" in whole else "cls"


class SimCSE:
    """A checkpoint in a folder, computed by numpy."""

    def __init__(self, folder: str | Path, pooling: Pooling | None = None) -> None:
        """Read the model.

        Raises:
            InputError: it cannot be read, is of another kind, or has no pooler where the pooling asks for one.
        """
        self._checkpoint = Checkpoint(folder)
        place = self._checkpoint.folder.resolve()
        self.name = place.name
        self._pooling = pooling or pooling_of(str(folder))
        self._transformer = Transformer(self._checkpoint)
        if self._pooling == "cls" and not self._transformer.has_pooler:
            raise InputError(
                f"{folder}: the weights have no pooler. A checkpoint trained without supervision does without: "
                "pooling='cls_before_pooler', or 'unsup' in the folder's name"
            )
        longest = min(LONGEST, self._transformer.positions)
        self._tokens = Tokens(self._checkpoint, longest, self._transformer.tokens)
        self.dimension = self._transformer.hidden

    @cached_property
    def identity(self) -> str:
        """Name, hash of the files, pooling and longest text."""
        return _identity(self.name, self._checkpoint.hash(), self._pooling)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of norm 1, of shape (texts, dimension)."""
        ids = self._tokens.of(texts)
        pool = self._transformer.pooled if self._pooling == "cls" else self._transformer.first
        return unit_rows(pool(ids), self.name, texts)


class PackagedSimCSE:
    """A checkpoint in the class of the simcse package."""

    def __init__(self, model: str, pooling: Pooling | None = None, threads: int | None = 1) -> None:
        """Read the model.

        Raises:
            InputError: the package, or what it imports, is missing, or it cannot read the model.
        """
        require(_PACKAGE, "the simcse package")
        import torch

        if threads is not None:
            torch.set_num_threads(threads)
        self.name = Path(model).resolve().name if Path(model).is_dir() else model
        self._checkpoint = Checkpoint(model) if Path(model).is_dir() else None
        self._pooling = pooling or pooling_of(model)
        try:
            self._model = _package_class()(model, pooler=self._pooling)
        except (OSError, ValueError, RuntimeError) as problem:
            raise InputError(f"{model}: simcse cannot read it ({problem})") from problem
        self._model.model.eval()
        self.dimension = int(self._model.model.config.hidden_size)

    @cached_property
    def identity(self) -> str:
        """Name, what is known of the version (hash of a folder's files, or the revision), pooling, longest text."""
        known = revision(self._model.model.config) if self._checkpoint is None else self._checkpoint.hash()
        return _identity(self.name, known, self._pooling)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of norm 1, of shape (texts, dimension)."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        whole = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        # normalised here: the package would divide by a norm of zero
        vectors = self._model.encode(whole, return_numpy=True, normalize_to_unit=False, max_length=LONGEST)
        return unit_rows(vectors, self.name, texts)


def _identity(name: str, version: str, pooling: Pooling) -> str:
    return f"{name} {version} {pooling} {LONGEST}"


def _package_class() -> Any:
    """The package's class, made quiet: on import it sets up the program's log, and it draws a bar for every batch."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    try:
        from simcse import SimCSE as Packaged
        from simcse import tool
    except ImportError as problem:
        raise InputError(f"the simcse package cannot be imported ({problem})") from problem
    finally:
        root.handlers[:] = before
        root.setLevel(level)
    tool.tqdm = iter
    return Packaged
