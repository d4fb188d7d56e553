"""Models of a few hundred numbers, in folders as Hugging Face's libraries write them, and what they compute, slowly."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

np: Any = pytest.importorskip("numpy")
safetensors: Any = pytest.importorskip("safetensors.numpy")
pytest.importorskip("tokenizers")

HIDDEN, HEADS, LAYERS, INNER, PLACES = 12, 3, 2, 20, 16
BERT_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = ["film", "actor", "of", "country", "place", "##s", "##ed", "direct", "birth", "the", "is", "part"]


def config(family: str = "bert", **changed: Any) -> dict[str, Any]:
    return {
        "architectures": ["RobertaModel" if family == "roberta" else "BertModel"],
        "model_type": family,
        "hidden_size": HIDDEN,
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "intermediate_size": INNER,
        "max_position_embeddings": PLACES,
        "type_vocab_size": 1 if family == "roberta" else 2,
        "vocab_size": len(BERT_WORDS) + len(WORDS),
        "layer_norm_eps": 1e-12,
        "hidden_act": "gelu",
        "pad_token_id": 1 if family == "roberta" else 0,
        **changed,
    }


def weights(family: str = "bert", seed: int = 7, pooler: bool = True) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    types = 1 if family == "roberta" else 2

    def drawn(*shape: int) -> Any:
        return random.normal(0.0, 0.6, shape).astype(np.float32)

    made = {
        "embeddings.word_embeddings.weight": drawn(len(BERT_WORDS) + len(WORDS), HIDDEN),
        "embeddings.position_embeddings.weight": drawn(PLACES, HIDDEN),
        "embeddings.token_type_embeddings.weight": drawn(types, HIDDEN),
        "embeddings.LayerNorm.weight": drawn(HIDDEN),
        "embeddings.LayerNorm.bias": drawn(HIDDEN),
    }
    dense = {"attention.output": (HIDDEN, HIDDEN), "intermediate": (INNER, HIDDEN), "output": (HIDDEN, INNER)}
    dense |= {f"attention.self.{part}": (HIDDEN, HIDDEN) for part in ("query", "key", "value")}
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        for name, shape in dense.items():
            inside = name if name.startswith("attention.self") else f"{name}.dense"
            made[f"{at}.{inside}.weight"] = drawn(*shape)
            made[f"{at}.{inside}.bias"] = drawn(shape[0])
        for name in ("attention.output", "output"):
            made[f"{at}.{name}.LayerNorm.weight"] = drawn(HIDDEN)
            made[f"{at}.{name}.LayerNorm.bias"] = drawn(HIDDEN)
    if pooler:
        made |= {"pooler.dense.weight": drawn(HIDDEN, HIDDEN), "pooler.dense.bias": drawn(HIDDEN)}
    return made


def write_bert(
    folder: Path, *, pooler: bool = True, prefix: str = "", pooling: str | None = None, **changed: Any
) -> Path:
    """A BERT; ``pooling``: as sentence-transformers says it beside (``mean_tokens``, ``cls_token`` …)."""
    folder.mkdir(parents=True, exist_ok=True)
    _json(folder / "config.json", config(**changed))
    named = {f"{prefix}{name}": weight for name, weight in weights(pooler=pooler).items()}
    safetensors.save_file(named, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "vocab.txt").write_text("\n".join(BERT_WORDS + WORDS) + "\n", encoding="utf-8")
    _json(folder / "tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "do_lower_case": True})
    if pooling is not None:
        kinds = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]
        stages = [
            {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
            for n, (path, kind) in enumerate(kinds)
        ]
        _json(folder / "modules.json", stages)
        (folder / "1_Pooling").mkdir(exist_ok=True)
        ways = {f"pooling_mode_{way}": way == pooling for way in ("cls_token", "mean_tokens", "max_tokens")}
        _json(folder / "1_Pooling" / "config.json", {"word_embedding_dimension": HIDDEN, **ways})
        _json(folder / "sentence_bert_config.json", {"max_seq_length": 8, "do_lower_case": False})
    return folder


def write_roberta(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    _json(folder / "config.json", config("roberta"))
    safetensors.save_file(weights("roberta"), folder / "model.safetensors", metadata={"format": "pt"})
    letters = ["<s>", "<pad>", "</s>", "<unk>", "f", "i", "l", "m", "Ġ", "a", "c", "t", "fi", "lm", "film", "Ġa", "ac"]
    _json(folder / "vocab.json", {letter: number for number, letter in enumerate(letters)})
    merges = "#version: 0.2\nf i\nl m\nfi lm\nĠ a\na c\n"
    (folder / "merges.txt").write_text(merges, encoding="utf-8")
    _json(folder / "tokenizer_config.json", {"tokenizer_class": "RobertaTokenizer"})
    return folder


def _json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


# --- the same in plain Python, one number at a time -----------------------------------------------------------------


def states(ids: list[int], named: dict[str, Any], first: int = 0) -> list[list[float]]:
    """The last layer's vectors of one text, by the definition (Devlin et al. 2019; Vaswani et al. 2017)."""
    w = {name: weight.astype(float).tolist() for name, weight in named.items()}
    at = "embeddings"
    xs = [
        _sum(
            w[f"{at}.word_embeddings.weight"][token],
            w[f"{at}.position_embeddings.weight"][first + place],
            w[f"{at}.token_type_embeddings.weight"][0],
        )
        for place, token in enumerate(ids)
    ]
    xs = [_norm(x, w, f"{at}.LayerNorm") for x in xs]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        q, k, v = ([_dense(x, w, f"{at}.attention.self.{part}") for x in xs] for part in ("query", "key", "value"))
        size = HIDDEN // HEADS
        mixed = []
        for query in q:
            row: list[float] = []
            for head in range(HEADS):
                part = slice(head * size, (head + 1) * size)
                raw = [_dot(query[part], key[part]) / math.sqrt(size) for key in k]
                total = sum(math.exp(one) for one in raw)
                row += [sum(math.exp(one) / total * v[j][i] for j, one in enumerate(raw)) for i in range(HIDDEN)[part]]
            mixed.append(_dense(row, w, f"{at}.attention.output.dense"))
        xs = [_norm(_sum(x, y), w, f"{at}.attention.output.LayerNorm") for x, y in zip(xs, mixed, strict=True)]
        inner = [[_gelu(y) for y in _dense(x, w, f"{at}.intermediate.dense")] for x in xs]
        outer = [_dense(x, w, f"{at}.output.dense") for x in inner]
        xs = [_norm(_sum(x, y), w, f"{at}.output.LayerNorm") for x, y in zip(xs, outer, strict=True)]
    return xs


def pooled(state: list[float], named: dict[str, Any]) -> list[float]:
    w = {name: weight.astype(float).tolist() for name, weight in named.items() if name.startswith("pooler")}
    return [math.tanh(y) for y in _dense(state, w, "pooler.dense")]


def unit(vector: list[float]) -> list[float]:
    norm = math.sqrt(_dot(vector, vector))
    return [x / norm for x in vector]


def _dot(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _sum(*vectors: list[float]) -> list[float]:
    return [sum(numbers) for numbers in zip(*vectors, strict=True)]


def _dense(x: list[float], w: dict[str, Any], name: str) -> list[float]:
    return [_dot(row, x) + bias for row, bias in zip(w[f"{name}.weight"], w[f"{name}.bias"], strict=True)]


def _gelu(x: float) -> float:
    return 0.5 * x * (1.0 + math.erf(x / math.sqrt(2.0)))


def _norm(x: list[float], w: dict[str, Any], name: str) -> list[float]:
    mean = sum(x) / len(x)
    spread = sum((one - mean) ** 2 for one in x) / len(x)
    scaled = [(one - mean) / math.sqrt(spread + 1e-12) for one in x]
    return [one * a + b for one, a, b in zip(scaled, w[f"{name}.weight"], w[f"{name}.bias"], strict=True)]
