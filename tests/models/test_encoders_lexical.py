"""The encoder of the standard library: what is alike, what does not count, and that it needs nothing."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.errors import InputError
from pylf.models.encoders.lexical import Lexical, words

LEXICAL = Lexical()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("film.film.directed_by", ["film", "film", "directed", "by"]),
        ("isPartOf", ["is", "part", "of"]),
        ("HTTPServer2Name", ["http", "server2", "name"]),
        ("Škoda  Auto", ["skoda", "auto"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("東京 – Łódź", ["東京", "łodz"]),
        ("…", []),
    ],
)
def test_words(text: str, told: list[str]) -> None:
    assert words(text) == told


@pytest.mark.parametrize(
    ("text", "nearer", "farther"),
    [
        ("Delta II", "delta ii", "Delta IV"),
        ("launch vehicle", "launchVehicle", "launch site"),
        ("Boing", "Boeing", "Airbus"),
        ("directed by", "film.director", "film.country"),
        ("produced", "producer", "product"),
    ],
)
def test_what_is_alike(text: str, nearer: str, farther: str) -> None:
    assert LEXICAL.similarity(text, nearer) > LEXICAL.similarity(text, farther)


def test_rare_words_count_for_more_where_the_texts_are_known() -> None:
    names = [f"{name} river" for name in ("ebro", "rhine", "loire", "tagus", "douro", "elbe", "oder")]
    knowing = LEXICAL.fitted(names)
    assert knowing.similarity("rhine", "rhine river") > LEXICAL.similarity("rhine", "rhine river")
    assert knowing.similarity("ebro river", "rhine river") < LEXICAL.similarity("ebro river", "rhine river")
    assert len({knowing.identity, LEXICAL.identity, LEXICAL.fitted(names[1:]).identity}) == 3
    assert knowing.identity == LEXICAL.fitted(names).identity


@given(st.text(max_size=12), st.text(max_size=12))
def test_similarity_is_a_cosine(one: str, other: str) -> None:
    assert 0.0 <= LEXICAL.similarity(one, other) <= 1.0
    assert LEXICAL.similarity(one, other) == pytest.approx(LEXICAL.similarity(other, one))
    assert LEXICAL.similarity(one, one) == pytest.approx(1.0)
    assert math.fsum(x * x for x in LEXICAL.dense(one)) == pytest.approx(1.0)


def test_folded_vectors_are_near_to_the_features() -> None:
    np = pytest.importorskip("numpy")
    texts = ["launch vehicle", "launch site", "vehicle family", "", "launchVehicle"]
    vectors = LEXICAL.encode(texts)
    assert (vectors.dtype, vectors.shape) == (np.float32, (5, LEXICAL.dimension))
    exact = np.array([[LEXICAL.similarity(one, other) for other in texts] for one in texts])
    assert np.abs(vectors @ vectors.T - exact).max() < 0.15
    assert LEXICAL.encode([]).shape == (0, LEXICAL.dimension)


def test_even_one_number_is_a_direction() -> None:
    pytest.importorskip("numpy")
    assert {abs(float(row[0])) for row in Lexical(1).encode(["a", "ab", "abc", "launch site", ""])} == {1.0}
    with pytest.raises(InputError, match="0 numbers"):
        Lexical(0)


def test_nothing_but_the_standard_library_is_imported() -> None:
    script = (
        "import sys\n"
        "from pylf.models.encoders.opening import open_encoder\n"
        "from pylf.models.vectors.opening import open_index\n"
        "index = open_index(None, open_encoder(), ['1', '2'], ['launch site', 'launch vehicle'])\n"
        "assert index.search(['vehicles'])[0][0].key == '2'\n"
        "assert not {'numpy', 'faiss', 'tokenizers', 'safetensors', 'torch'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
