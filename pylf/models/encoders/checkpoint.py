"""A model's folder as Hugging Face's libraries write it: configuration, weights, tokenizer. Nothing is downloaded.

Read are ``config.json``; ``model.safetensors`` (or its parts, by ``model.safetensors.index.json``), else
``pytorch_model.bin`` where torch is installed, which reads it without running what it may hold; ``tokenizer.json``,
else ``vocab.txt`` (BERT), else ``vocab.json`` and ``merges.txt`` (RoBERTa).
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pylf.errors import InputError, reason
from pylf.models.encoders.needs import has, require

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenizers import Tokenizer

    from pylf.models.encoders.protocol import Vectors

_BLOCK = 1 << 20
#: what a tokenizer is made of: by us, or by transformers
_TOKENIZER_FILES = (
    *("tokenizer.json", "vocab.txt", "vocab.json", "merges.txt"),
    *("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
)
#: what a tokenizer file of these families calls its special tokens, where nothing beside it says so
_SPECIAL = {"bert": ("[CLS]", "[SEP]", "[PAD]", "[UNK]"), "roberta": ("<s>", "</s>", "<pad>", "<unk>")}


class Checkpoint:
    """A folder that holds a model. Files are read when they are asked for."""

    def __init__(self, folder: str | Path) -> None:
        """The folder of a model.

        Raises:
            InputError: there is no such folder, or no ``config.json`` in it.
        """
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise InputError(f"{folder}: no such folder; a model is given by the folder that holds its config.json")
        self.config: Mapping[str, Any] = self.settings("config.json") or {}
        if not self.config:
            raise InputError(f"{folder}: no config.json there, so it is no model's folder")

    def settings(self, name: str) -> Any:
        """A JSON file of the folder; None where there is none.

        Raises:
            InputError: the file cannot be read.
        """
        path = self.folder / name
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as problem:
            raise InputError(f"{path}: cannot be read as JSON ({type(problem).__name__})") from problem

    def number(self, name: str, default: int | None = None) -> int:
        """A positive whole number of the configuration.

        Raises:
            InputError: it is absent, or something else.
        """
        value = self.config.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InputError(f"{self.folder / 'config.json'}: {name!r} must be a number of 1 or more, not {value!r}")
        return value

    # --- weights --------------------------------------------------------------------------------------------------

    def weight_files(self) -> list[Path]:
        """The files that hold the weights.

        Raises:
            InputError: there are none.
        """
        index = self.settings("model.safetensors.index.json")
        if (self.folder / "model.safetensors").is_file():
            return [self.folder / "model.safetensors"]
        if isinstance(index, dict) and isinstance(index.get("weight_map"), dict):
            # only names beside the index: one that leads elsewhere is none of this model's
            return [self.folder / Path(str(name)).name for name in sorted(set(index["weight_map"].values()))]
        if (self.folder / "pytorch_model.bin").is_file():
            return [self.folder / "pytorch_model.bin"]
        raise InputError(f"{self.folder}: neither model.safetensors nor pytorch_model.bin is there")

    def weights(self) -> dict[str, Vectors]:
        """All weights as float32, by name; names without the prefix of the model that they were part of.

        Raises:
            InputError: a file cannot be read, or only torch could read it and is not installed.
        """
        require(("numpy", "safetensors"), "reading a model")
        found: dict[str, Vectors] = {}
        for path in self.weight_files():
            found |= _torch_weights(path) if path.suffix == ".bin" else _safe_weights(path)
        return {_plain(name): weight for name, weight in found.items()}

    def hash(self) -> str:
        """A hash over configuration, tokenizer and its settings, and weights: 16 hexadecimal digits."""
        names = [self.folder / name for name in _TOKENIZER_FILES if (self.folder / name).is_file()]
        before = json.dumps(self.config, sort_keys=True)
        return files_hash([*names, *self.weight_files()], self.folder, before)

    # --- tokenizer ------------------------------------------------------------------------------------------------

    def tokenizer(self, longest: int) -> Tokenizer:
        """The tokenizer, which cuts texts to so many tokens, special ones counted, and pads nothing.

        Raises:
            InputError: the folder has none that is known.
        """
        require(("tokenizers",), "reading a model")
        path = self.folder / "tokenizer.json"
        try:
            made = self._read_tokenizer(path) if path.is_file() else self._made_tokenizer()
        except InputError:
            raise
        except Exception as problem:  # the library raises bare Exception for what it cannot read
            raise InputError(f"{self.folder}: the tokenizer cannot be read ({problem})") from problem
        made.no_padding()
        made.enable_truncation(longest)
        return made

    @staticmethod
    def _read_tokenizer(path: Path) -> Tokenizer:
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(path))

    def _made_tokenizer(self) -> Tokenizer:
        """The tokenizer of a folder that has vocabulary files alone."""
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

        stated = self.settings("tokenizer_config.json") or {}
        if (self.folder / "vocab.txt").is_file():
            cls, sep, pad, unknown = _SPECIAL["bert"]
            made = Tokenizer(models.WordPiece.from_file(str(self.folder / "vocab.txt"), unk_token=unknown))
            made.normalizer = normalizers.BertNormalizer(lowercase=bool(stated.get("do_lower_case", True)))
            made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        elif (self.folder / "vocab.json").is_file() and (self.folder / "merges.txt").is_file():
            cls, sep, pad, unknown = _SPECIAL["roberta"]
            files = str(self.folder / "vocab.json"), str(self.folder / "merges.txt")
            made = Tokenizer(models.BPE.from_file(*files, unk_token=unknown))
            made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=bool(stated.get("add_prefix_space", False)))
        else:
            raise InputError(f"{self.folder}: no tokenizer.json, vocab.txt, or vocab.json with merges.txt is there")
        made.add_special_tokens([cls, sep, pad, unknown])
        ids = [(token, made.token_to_id(token)) for token in (cls, sep)]
        made.post_processor = processors.TemplateProcessing(single=f"{cls} $A {sep}", special_tokens=ids)
        return made


def files_hash(files: Iterable[Path], folder: Path, before: str = "") -> str:
    """A hash over files, by what they are called in a folder, and a text: 16 hexadecimal digits.

    Raises:
        InputError: a file cannot be read.
    """
    total = hashlib.sha256(before.encode())
    for path in files:
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").digest()
        except OSError as problem:
            raise InputError(f"{path}: cannot be read ({reason(problem)})") from problem
        total.update(os.fsencode(os.path.relpath(path, folder)) + b"\0" + digest)
    return total.hexdigest()[:16]


def revision(config: object) -> str:
    """The revision of a model that transformers looked up by its name, as its configuration tells it; empty where it
    does not."""
    return str(getattr(config, "_commit_hash", None) or "")


def _plain(name: str) -> str:
    """A weight's name without what stands before it in a larger model, and as newer libraries call it."""
    for prefix in ("module.", "bert.", "roberta.", "model."):
        name = name.removeprefix(prefix)
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")


def _safe_weights(path: Path) -> dict[str, Vectors]:
    import numpy as np
    from safetensors import SafetensorError, safe_open

    found: dict[str, Vectors] = {}
    try:
        with safe_open(str(path), framework="np") as file:
            names = file.keys()  # the file itself is no mapping
            for name in names:
                found[name] = np.asarray(file.get_tensor(name), dtype=np.float32)
    except (OSError, SafetensorError, TypeError, ValueError) as problem:
        raise InputError(f"{path}: the weights cannot be read ({problem})") from problem
    return found


def _torch_weights(path: Path) -> dict[str, Vectors]:
    if not has("torch"):
        raise InputError(
            f"{path}: this older kind of file can only be read by torch. Install it (pip install torch), "
            "or save the model anew with save_pretrained, which writes model.safetensors"
        )
    import numpy as np
    import torch

    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        return {str(name): np.asarray(weight.float().numpy()) for name, weight in state.items()}
    except Exception as problem:
        raise InputError(f"{path}: the weights cannot be read ({problem})") from problem
