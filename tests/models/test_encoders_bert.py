"""BERT and RoBERTa in numpy against the same in plain Python; MiniLM and SimCSE checkpoints in folders."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from pylf.errors import InputError
from pylf.models.encoders import checkpoint, minilm, needs, sentence_transformers, simcse
from pylf.models.encoders.opening import open_encoder
from pylf.models.encoders.sentence_transformers import SentenceTransformers
from tests.models import tiny_checkpoints as tiny

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pylf.models.encoders.protocol import Encoder

np: Any = pytest.importorskip("numpy")

TEXTS = ["film", "Actors of the film", "place of birth", "directed", "nothing known here", ""]
#: what the tokenizer makes of them: [CLS] 2, [SEP] 3, [UNK] 1, words from 5
IDS = [[2, 5, 3], [2, 6, 10, 7, 14, 5, 3], [2, 9, 7, 13, 3], [2, 12, 11, 3], [2, 1, 1, 1, 3], [2, 3]]

#: the first numbers of the vectors of the model card's two sentences, by sentence-transformers
PUBLISHED = [[0.067656897, 0.063495941, 0.048713163, 0.079305001], [0.086438574, 0.102762669, 0.005394563, 0.002044406]]


def expected(pool: str, named: dict[str, Any] | None = None) -> Any:
    weights = tiny.weights() if named is None else named
    rows = []
    for ids in IDS:
        states = tiny.states(ids, weights)
        match pool:
            case "mean":
                row = [sum(numbers) / len(numbers) for numbers in zip(*states, strict=True)]
            case "first":
                row = states[0]
            case _:
                row = tiny.pooled(states[0], weights)
        rows.append(tiny.unit(row))
    return np.array(rows)


def near(vectors: Any, wanted: Any) -> bool:
    return vectors.dtype == np.float32 and vectors.shape == wanted.shape and bool(np.abs(vectors - wanted).max() < 2e-6)


def test_a_sentence_transformers_folder_gives_the_mean_over_tokens(tmp_path: Path) -> None:
    encoder = minilm.MiniLM(tiny.write_bert(tmp_path / "tiny", pooling="mean_tokens"))
    assert (encoder.name, encoder.dimension) == ("tiny", tiny.HIDDEN)
    assert near(encoder.encode(TEXTS), expected("mean"))


def test_or_the_first_token_where_the_folder_says_so(tmp_path: Path) -> None:
    encoder = minilm.MiniLM(tiny.write_bert(tmp_path / "tiny", pooling="cls_token"))
    assert near(encoder.encode(TEXTS), expected("first"))


def test_a_text_has_the_same_vector_alone_and_among_others(tmp_path: Path) -> None:
    encoder = minilm.MiniLM(tiny.write_bert(tmp_path / "tiny"))
    together = encoder.encode(TEXTS * 3)
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS * 3])
    assert np.abs(alone - together).max() < 1e-6
    assert encoder.encode([]).shape == (0, tiny.HIDDEN)


def test_texts_that_are_too_long_are_cut(tmp_path: Path) -> None:
    encoder = minilm.MiniLM(tiny.write_bert(tmp_path / "tiny", pooling="mean_tokens"))
    cut, longer = encoder.encode(["film " * 6, "film " * 400])
    assert np.abs(cut - longer).max() < 1e-6  # 8 tokens, both ends counted


def test_half_a_pair_of_surrogates_is_an_unknown_character(tmp_path: Path) -> None:
    encoder = minilm.MiniLM(tiny.write_bert(tmp_path / "tiny"))
    assert np.isfinite(encoder.encode(["film \ud800 of"])).all()


def test_unsupervised_simcse_stands_before_the_pooler(tmp_path: Path) -> None:
    encoder = simcse.SimCSE(tiny.write_bert(tmp_path / "unsup-simcse-tiny", prefix="bert."))
    assert near(encoder.encode(TEXTS), expected("first"))


def test_supervised_simcse_stands_behind_the_pooler(tmp_path: Path) -> None:
    folder = tiny.write_bert(tmp_path / "sup-simcse-tiny")
    assert near(simcse.SimCSE(folder).encode(TEXTS), expected("pooled"))
    assert near(simcse.SimCSE(folder, "cls_before_pooler").encode(TEXTS), expected("first"))


def test_unsupervised_is_read_from_the_folders_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny.write_bert(tmp_path / "unsup-tiny", pooler=False)
    monkeypatch.chdir(tmp_path / "unsup-tiny")
    assert near(simcse.SimCSE(".").encode(TEXTS), expected("first"))


def test_simcse_without_the_pooler_that_its_name_asks_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no pooler.*cls_before_pooler"):
        simcse.SimCSE(tiny.write_bert(tmp_path / "tiny", pooler=False))


def test_roberta_counts_its_places_from_behind_the_padding(tmp_path: Path) -> None:
    encoder = simcse.SimCSE(tiny.write_roberta(tmp_path / "unsup-roberta"))
    ids = [0, 14, 15, 10, 11, 2]  # <s> film Ġa c t </s>
    wanted = np.array([tiny.unit(tiny.states(ids, tiny.weights("roberta"), first=2)[0])])
    assert near(encoder.encode(["film act"]), wanted)


def test_older_names_of_weights_are_known(tmp_path: Path) -> None:
    folder = tiny.write_bert(tmp_path / "old")
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): weight
        for name, weight in tiny.weights().items()
    }
    tiny.safetensors.save_file(old, folder / "model.safetensors")
    assert near(minilm.MiniLM(folder).encode(TEXTS), expected("mean"))


def test_weights_in_parts_are_put_together(tmp_path: Path) -> None:
    folder = tiny.write_bert(tmp_path / "parts")
    (folder / "model.safetensors").unlink()
    weights = tiny.weights()
    where = {name: f"part-{number % 2}.safetensors" for number, name in enumerate(weights)}
    for part in set(where.values()):
        tiny.safetensors.save_file({name: weights[name] for name in where if where[name] == part}, folder / part)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": where}))
    assert near(minilm.MiniLM(folder).encode(TEXTS), expected("mean"))


def test_an_identity_changes_with_the_settings_of_the_tokenizer(tmp_path: Path) -> None:
    folder = tiny.write_bert(tmp_path / "tiny")
    found = {minilm.MiniLM(folder).identity}
    for lower in ("true", "false"):
        (folder / "tokenizer_config.json").write_text(f'{{"do_lower_case": {lower}}}')
        found.add(minilm.MiniLM(folder).identity)
    assert len(found) == 3


def test_an_identity_changes_with_the_pooling_of_simcse(tmp_path: Path) -> None:
    folder = tiny.write_bert(tmp_path / "tiny")
    assert simcse.SimCSE(folder, "cls").identity != simcse.SimCSE(folder, "cls_before_pooler").identity


def test_what_sentence_transformers_reads_is_part_of_its_identity(tmp_path: Path) -> None:
    folder = tiny.write_bert(tmp_path / "tiny", pooling="mean_tokens")
    found = {sentence_transformers._hash(folder)}
    (folder / "README.md").write_text("for readers")
    assert sentence_transformers._hash(folder) in found
    for name in ("1_Pooling/config.json", "tokenizer_config.json", "sentence_bert_config.json", "model.safetensors"):
        with (folder / name).open("ab") as file:
            file.write(b" ")
        found.add(sentence_transformers._hash(folder))
    assert len(found) == 5


def write_tokenizer(folder: Path, more: Sequence[str] = ()) -> None:
    """The tokenizer as one file, without special tokens at a text's ends, and with ``more`` tokens."""
    made = checkpoint.Checkpoint(folder).tokenizer(16)
    stated = json.loads(made.to_str()) | {"post_processor": None, "truncation": None}
    last = len(stated["model"]["vocab"])
    stated["model"]["vocab"] |= {word: last + number for number, word in enumerate(more)}
    (folder / "tokenizer.json").write_text(json.dumps(stated))


@pytest.mark.parametrize("pooling", ["mean_tokens", "cls_token"])
def test_a_text_of_no_tokens_is_refused(pooling: str, tmp_path: Path) -> None:
    folder = tiny.write_bert(tmp_path / "tiny", pooling=pooling)
    write_tokenizer(folder)
    encoder = minilm.MiniLM(folder)
    assert encoder.encode(["film", "of"]).shape == (2, tiny.HIDDEN)
    for empty in ("", " "):
        with pytest.raises(InputError, match=rf"makes no token of '{empty}'"):
            encoder.encode(["film", empty])


def test_a_tokenizer_with_tokens_that_the_weights_do_not_know_is_refused(tmp_path: Path) -> None:
    folder = tiny.write_bert(tmp_path / "tiny")
    write_tokenizer(folder, ["rocket"])
    for made in (minilm.MiniLM, simcse.SimCSE):
        with pytest.raises(InputError, match="token 'rocket' with the number 17, and the weights have 17 rows"):
            made(folder)


def test_an_identity_changes_with_weights_pooling_and_length(tmp_path: Path) -> None:
    one = minilm.MiniLM(tiny.write_bert(tmp_path / "a" / "tiny", pooling="mean_tokens"))
    same = minilm.MiniLM(tiny.write_bert(tmp_path / "b" / "tiny", pooling="mean_tokens"))
    first = minilm.MiniLM(tiny.write_bert(tmp_path / "c" / "tiny", pooling="cls_token"))
    longer = minilm.MiniLM(tiny.write_bert(tmp_path / "d" / "tiny"))
    folder = tiny.write_bert(tmp_path / "e" / "tiny", pooling="mean_tokens")
    tiny.safetensors.save_file(tiny.weights(seed=8), folder / "model.safetensors")
    assert one.identity == same.identity
    assert len({one.identity, first.identity, longer.identity, minilm.MiniLM(folder).identity}) == 4


REFUSED = {
    "another family": ({"model_type": "t5"}, "type 't5'"),
    "another activation": ({"hidden_act": "relu"}, "hidden_act 'relu'"),
    "relative places": ({"position_embedding_type": "relative_key"}, "relative_key"),
    "heads that do not fit": ({"num_attention_heads": 5}, "5 heads"),
    "no size": ({"hidden_size": None}, "'hidden_size' must be a number"),
    "another shape": ({"intermediate_size": 21}, r"intermediate.dense.weight' has the shape \(20, 12\).*21×12"),
    "more layers": ({"num_hidden_layers": 3}, "lack 'encoder.layer.2"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_other_models_are_refused_by_name(case: str, tmp_path: Path) -> None:
    changed, told = REFUSED[case]
    family = str(changed.pop("model_type", "bert"))
    folder = tiny.write_bert(tmp_path / "tiny", **changed)
    if family != "bert":
        (folder / "config.json").write_text(json.dumps(tiny.config(family)))
    with pytest.raises(InputError, match=told):
        minilm.MiniLM(folder)


def test_damaged_folders_are_refused_by_file(tmp_path: Path) -> None:
    folder = tiny.write_bert(tmp_path / "tiny")
    (folder / "model.safetensors").write_bytes(b"\xff" * 100)
    with pytest.raises(InputError, match=r"model.safetensors: the weights cannot be read"):
        minilm.MiniLM(folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"neither model.safetensors nor pytorch_model.bin"):
        minilm.MiniLM(folder)
    (folder / "config.json").write_text("{")
    with pytest.raises(InputError, match=r"config.json: cannot be read as JSON"):
        minilm.MiniLM(folder)
    with pytest.raises(InputError, match="no such folder"):
        minilm.MiniLM(tmp_path / "nowhere")


def test_a_folder_without_tokenizer_says_what_it_looked_for(tmp_path: Path) -> None:
    folder = tiny.write_bert(tmp_path / "tiny")
    (folder / "vocab.txt").unlink()
    with pytest.raises(InputError, match=r"no tokenizer.json, vocab.txt, or vocab.json"):
        minilm.MiniLM(folder)
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(InputError, match="the tokenizer cannot be read"):
        minilm.MiniLM(folder)


def test_other_poolings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="way of pooling"):
        minilm.MiniLM(tiny.write_bert(tmp_path / "tiny", pooling="max_tokens"))


def test_old_files_without_torch_say_how_to_save_them_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny.write_bert(tmp_path / "tiny")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(InputError, match=r"pip install torch.*save_pretrained"):
        minilm.MiniLM(folder)


# --- with the real packages ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real() -> Encoder:
    if minilm.installed_folder() is None:
        if os.environ.get("CI"):
            pytest.fail(minilm.INSTALL)
        pytest.skip(minilm.INSTALL)
    return open_encoder("minilm", cache=False)


def test_minilm_knows_what_is_alike(real: Encoder) -> None:
    film, movie, river = real.encode(["director of the film", "who directed this movie", "length of the river"])
    assert (real.name, real.dimension) == ("all-MiniLM-L6-v2", 384)
    assert float(film @ movie) > 0.7
    assert float(film @ river) < 0.3


def test_minilm_gives_the_vectors_that_its_makers_publish(real: Encoder) -> None:
    vectors = real.encode(["This is an example sentence", "Each sentence is converted"])
    assert np.abs(vectors[:, :4] - np.array(PUBLISHED)).max() < 1e-5


def test_sentence_transformers_gives_the_same(tmp_path: Path, real: Encoder) -> None:
    if not all(needs.has(module) for module in ("torch", "sentence_transformers")):
        pytest.skip(needs.BY_HAND["sentence_transformers"])
    folder = minilm.installed_folder()
    theirs = SentenceTransformers(str(folder), device="cpu")
    assert np.abs(theirs.encode(TEXTS) - real.encode(TEXTS)).max() < 1e-5
    assert theirs.encode([]).shape == (0, 384)
    assert theirs.identity == SentenceTransformers(str(folder), device="cpu").identity


@pytest.mark.parametrize("name", ["unsup-simcse-tiny", "sup-simcse-tiny", "unsup-roberta"])
def test_the_simcse_package_gives_the_same(name: str, tmp_path: Path) -> None:
    if not all(needs.has(module) for module in simcse._PACKAGE):
        pytest.skip(needs.BY_HAND["simcse"])
    write = tiny.write_roberta if "roberta" in name else tiny.write_bert
    folder = write(tmp_path / name)
    theirs, ours = simcse.open_simcse(str(folder)), simcse.SimCSE(folder)
    assert isinstance(theirs, simcse.PackagedSimCSE)
    texts = ["film", "film act"] if "roberta" in name else TEXTS
    assert np.abs(theirs.encode(texts) - ours.encode(texts)).max() < 1e-5
    assert (theirs.identity, theirs.name, theirs.dimension) == (ours.identity, ours.name, ours.dimension)
    assert theirs.encode([]).shape == (0, tiny.HIDDEN)


def test_simcse_without_the_package_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "simcse", None)
    folder = tiny.write_bert(tmp_path / "unsup-tiny")
    assert isinstance(open_encoder(f"simcse:{folder}", cache=False), simcse.SimCSE)
    with pytest.raises(InputError, match="only the simcse package looks models up by name"):
        open_encoder("simcse:princeton-nlp/unsup", cache=False)
