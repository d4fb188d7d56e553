"""Any model that the package sentence-transformers runs (Reimers and Gurevych 2019)."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.models.encoders.checkpoint import files_hash, revision
from pylf.models.encoders.needs import require
from pylf.models.encoders.protocol import unit_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.models.encoders.protocol import Vectors


class SentenceTransformers:
    """A model of the package: a folder, or a name that the package looks up in its cache and downloads."""

    def __init__(self, model: str, device: str | None = None, threads: int | None = 1) -> None:
        """Read the model. ``device`` as torch names it (None: as the package chooses); ``threads`` are torch's (None:
        as they are).

        Raises:
            InputError: the package is missing or cannot read the model.
        """
        require(("numpy", "torch", "sentence_transformers"), "sentence-transformers")
        import torch
        from sentence_transformers import SentenceTransformer

        if threads is not None:
            torch.set_num_threads(threads)
        is_folder = Path(model).is_dir()
        try:
            self._model = SentenceTransformer(model, device=device)
        except Exception as problem:  # what its parts raise is of many kinds
            raise InputError(f"{model}: sentence-transformers cannot read it ({problem})") from problem
        self.name = Path(model).resolve().name if is_folder else model
        self._folder = Path(model) if is_folder else None
        # newer releases call it otherwise, and warn of the older name
        asked = getattr(self._model, "get_embedding_dimension", None) or self._model.get_sentence_embedding_dimension
        size = asked()
        if size is None:
            raise InputError(f"{model}: it does not say how many numbers its vectors have")
        self.dimension = int(size)

    @cached_property
    def identity(self) -> str:
        """Name, what is known of the version (hash of a folder's files, else the revision), and longest text."""
        if self._folder is not None:
            version = _hash(self._folder)
        else:
            version = revision(getattr(getattr(self._model[0], "auto_model", None), "config", None))
        return f"{self.name} {version} sentence-transformers {self._model.max_seq_length}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of norm 1, of shape (texts, dimension)."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        whole = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        vectors = self._model.encode(whole, convert_to_numpy=True, show_progress_bar=False)
        return unit_rows(np.asarray(vectors, dtype=np.float32), self.name, texts)


def _hash(folder: Path) -> str:
    """A hash of the model in a folder: of the files beside ``modules.json`` and of all in the folders of the stages
    that it names. What is written for readers alone is no part of it."""
    stages = _json(folder / "modules.json")
    paths = [stage.get("path") for stage in stages if isinstance(stage, dict)] if isinstance(stages, list) else []
    files = {file for file in folder.iterdir() if file.is_file()}
    for path in paths:
        if isinstance(path, str) and path:
            files |= {file for file in (folder / path).rglob("*") if file.is_file()}
    read = [file for file in sorted(files) if not file.name.startswith(".") and file.suffix != ".md"]
    return files_hash(read, folder)


def _json(path: Path) -> object:
    """What a file of JSON says; None where there is none, or none that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
