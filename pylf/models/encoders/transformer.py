"""BERT and RoBERTa in numpy: token ids in, the last layer's vectors out (Devlin et al. 2019; Liu et al. 2019).

Texts of the same number of tokens are computed together, so nothing is ever padded and no mask is needed. What is done
element by element is done in pieces that stay in the processor's cache: there numpy is as quick as torch.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pylf.errors import InputError
from pylf.models.encoders.needs import require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.models.encoders.checkpoint import Checkpoint
    from pylf.models.encoders.protocol import Vectors

#: tokens that are computed together
_TOKENS = 1024
#: numbers that are worked on at once, element by element
_PIECE = 1 << 16
_FAMILIES = ("bert", "roberta", "xlm-roberta")


class Transformer:
    """The encoder stack of a checkpoint. ``hidden`` is the width of its vectors, ``positions`` the most tokens that a
    text can have, ``tokens`` how many different ones there are."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        """Read the weights.

        Raises:
            InputError: another kind of model, or weights that are missing or of another shape than the configuration
                says.
        """
        require(("numpy", "safetensors"), "running a model")
        self._family = str(checkpoint.config.get("model_type", ""))
        self._where = checkpoint.folder
        self._refuse_others(checkpoint)
        self.hidden = checkpoint.number("hidden_size")
        self._heads = checkpoint.number("num_attention_heads")
        layers = checkpoint.number("num_hidden_layers")
        if self.hidden % self._heads:
            raise InputError(f"{self._where}: {self.hidden} numbers cannot be shared by {self._heads} heads")
        padding = checkpoint.config.get("pad_token_id")
        # RoBERTa counts its positions from behind the id of the padding token
        self._first = 0 if self._family == "bert" else (padding if isinstance(padding, int) else 1) + 1
        self.positions = checkpoint.number("max_position_embeddings") - self._first
        self._epsilon = float(checkpoint.config.get("layer_norm_eps", 1e-12))
        self._weights = checkpoint.weights()
        self._load(layers, checkpoint.number("intermediate_size"))

    def _refuse_others(self, checkpoint: Checkpoint) -> None:
        config = checkpoint.config
        if self._family not in _FAMILIES:
            raise InputError(
                f"{self._where}: a model of type {self._family!r}; computed here are {', '.join(_FAMILIES)}. "
                "sentence-transformers runs others: 'sentence-transformers:FOLDER'"
            )
        for name, known in (("hidden_act", "gelu"), ("position_embedding_type", "absolute")):
            if config.get(name, known) != known:
                raise InputError(f"{self._where}: {name} {config[name]!r}; computed here is {known!r}")

    def _load(self, layers: int, inner: int) -> None:
        import numpy as np

        hidden = self.hidden
        taken = self._taken
        self._words = taken("embeddings.word_embeddings.weight", None, hidden)
        self.tokens = len(self._words)
        positions = taken("embeddings.position_embeddings.weight", None, hidden)
        types = taken("embeddings.token_type_embeddings.weight", None, hidden)
        self._places = positions[self._first :] + types[0]
        self.positions = min(self.positions, len(self._places))
        self._embedded = self._norm("embeddings.LayerNorm")
        self._layers: list[dict[str, Any]] = []
        for number in range(layers):
            at = f"encoder.layer.{number}"
            parts = [f"{at}.attention.self.{part}" for part in ("query", "key", "value")]
            self._layers.append(
                {
                    "qkv": np.ascontiguousarray(
                        np.concatenate([taken(f"{part}.weight", hidden, hidden) for part in parts]).T
                    ),
                    "qkv_bias": np.concatenate([taken(f"{part}.bias", hidden) for part in parts]),
                    "attended": self._dense(f"{at}.attention.output.dense", hidden, hidden),
                    "attended_norm": self._norm(f"{at}.attention.output.LayerNorm"),
                    "inner": self._dense(f"{at}.intermediate.dense", inner, hidden),
                    "outer": self._dense(f"{at}.output.dense", hidden, inner),
                    "norm": self._norm(f"{at}.output.LayerNorm"),
                }
            )
        has_pooler = "pooler.dense.weight" in self._weights
        self._pooler = self._dense("pooler.dense", hidden, hidden) if has_pooler else None
        self._weights = {}

    def _taken(self, name: str, *shape: int | None) -> Vectors:
        """A weight of a shape, of which None may be any number."""
        weight = self._weights.get(name)
        if weight is None:
            raise InputError(f"{self._where}: the weights lack {name!r}")
        fits = len(weight.shape) == len(shape) and all(
            wanted is None or size == wanted for size, wanted in zip(weight.shape, shape, strict=True)
        )
        if not fits:
            stated = "×".join("any" if size is None else str(size) for size in shape)
            raise InputError(f"{self._where}: {name!r} has the shape {weight.shape}, config.json says {stated}")
        return weight

    def _dense(self, name: str, out: int, into: int) -> tuple[Vectors, Vectors]:
        import numpy as np

        return np.ascontiguousarray(self._taken(f"{name}.weight", out, into).T), self._taken(f"{name}.bias", out)

    def _norm(self, name: str) -> tuple[Vectors, Vectors]:
        return self._taken(f"{name}.weight", self.hidden), self._taken(f"{name}.bias", self.hidden)

    # --- running --------------------------------------------------------------------------------------------------

    @property
    def has_pooler(self) -> bool:
        """Whether the weights hold the layer behind the first token."""
        return self._pooler is not None

    def mean(self, ids: Sequence[Sequence[int]]) -> Vectors:
        """The mean over each text's tokens, of shape (texts, hidden)."""
        return self._over(ids, lambda states: states.mean(axis=1))

    def first(self, ids: Sequence[Sequence[int]]) -> Vectors:
        """The first token's vector of each text, before the pooler, of shape (texts, hidden)."""
        return self._over(ids, lambda states: states[:, 0])

    def pooled(self, ids: Sequence[Sequence[int]]) -> Vectors:
        """The first token's vector behind the pooler (a dense layer and tanh), of shape (texts, hidden).

        Raises:
            InputError: the weights have no pooler.
        """
        import numpy as np

        if self._pooler is None:
            raise InputError(f"{self._where}: the weights have no pooler; take the vectors before it")
        pooled: Vectors = np.tanh(_through(self.first(ids), self._pooler))
        return pooled

    def _over(self, ids: Sequence[Sequence[int]], pool: Any) -> Vectors:
        """Pooled vectors of texts given as token ids, texts of one length together."""
        import numpy as np

        result = np.empty((len(ids), self.hidden), dtype=np.float32)
        by_length: dict[int, list[int]] = {}
        for row, tokens in enumerate(ids):
            by_length.setdefault(len(tokens), []).append(row)
        for length, rows in by_length.items():
            step = max(1, _TOKENS // length)
            for start in range(0, len(rows), step):
                part = rows[start : start + step]
                result[part] = pool(self._states(np.array([ids[row] for row in part])))
        return result

    def _states(self, ids: Any) -> Vectors:
        """The last layer's vectors, of shape (texts, tokens, hidden), of texts of one length (texts, tokens)."""
        texts, length = ids.shape
        flat = (self._words[ids] + self._places[:length]).reshape(-1, self.hidden)
        _normalise(flat, self._embedded, self._epsilon)
        for layer in self._layers:
            mixed = self._attention(flat, layer, texts, length)
            flat += _through(mixed, layer["attended"])
            _normalise(flat, layer["attended_norm"], self._epsilon)
            inner = _through(flat, layer["inner"])
            _gelu(inner)
            flat += _through(inner, layer["outer"])
            _normalise(flat, layer["norm"], self._epsilon)
        states: Vectors = flat.reshape(texts, length, self.hidden)
        return states

    def _attention(self, flat: Vectors, layer: dict[str, Any], texts: int, length: int) -> Vectors:
        """What the tokens of each text take from each other, of shape (texts × tokens, hidden)."""
        import numpy as np

        size = self.hidden // self._heads
        parts = flat @ layer["qkv"]
        parts += layer["qkv_bias"]
        parts = parts.reshape(texts, length, 3, self._heads, size).transpose(2, 0, 3, 1, 4)
        query, key, value = np.ascontiguousarray(parts)
        scores = query @ key.transpose(0, 1, 3, 2)
        scores *= 1.0 / math.sqrt(size)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed: Vectors = (scores @ value).transpose(0, 2, 1, 3).reshape(-1, self.hidden)
        return mixed


def _through(vectors: Vectors, dense: tuple[Vectors, Vectors]) -> Vectors:
    result: Vectors = vectors @ dense[0]
    result += dense[1]
    return result


def _normalise(flat: Vectors, norm: tuple[Vectors, Vectors], epsilon: float) -> None:
    """Layer normalisation, in place."""
    import numpy as np

    flat -= flat.mean(axis=1, keepdims=True)
    spread = np.einsum("ij,ij->i", flat, flat) / flat.shape[1]
    flat *= (1.0 / np.sqrt(spread + epsilon))[:, None]
    flat *= norm[0]
    flat += norm[1]


def _gelu(values: Vectors) -> None:
    """x·Φ(x), in place: the exact form, with erf to 1.5e-7 (Abramowitz and Stegun 7.1.26)."""
    import numpy as np

    flat = values.reshape(-1)
    one = np.float32(1.0)
    p, half, root = np.float32(0.3275911), np.float32(-0.5), np.float32(math.sqrt(0.5))
    terms = [np.float32(x * 0.5) for x in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)]
    for start in range(0, len(flat), _PIECE):
        x = flat[start : start + _PIECE]
        size = np.abs(x)
        t = size * (p * root)
        t += one
        np.divide(one, t, out=t)
        tail = t * terms[0]
        for term in terms[1:]:
            tail += term
            tail *= t
        bell = x * x
        bell *= half
        np.exp(bell, out=bell)
        tail *= bell  # Φ(-|x|)
        tail *= size
        np.maximum(x, np.float32(0.0), out=x)
        x -= tail  # x·Φ(x) is max(x, 0) - |x|·Φ(-|x|)
