"""The index of the standard library: exactly what comparing with every row gives, by looking at few."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.errors import InputError
from pylf.models.encoders.lexical import Lexical, features
from pylf.models.vectors.postings import LexicalIndex

WORDS = ["film", "films", "director", "directed", "country", "of", "origin", "the", "place", "birth", "Ünal", "b"]
phrases = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)


def index_of(texts: list[str]) -> LexicalIndex:
    index = LexicalIndex()
    index.add([f"k{number}" for number in range(len(texts))], texts)
    return index


@given(st.lists(phrases, min_size=1, max_size=40), phrases, st.integers(1, 12), st.sampled_from([-1.0, 0.0, 0.3, 0.8]))
def test_answers_are_those_of_comparing_with_every_row(texts: list[str], query: str, k: int, threshold: float) -> None:
    encoder = Lexical().fitted(texts)
    shared = [row for row, text in enumerate(texts) if features(text) & features(query)]
    scores = {row: encoder.similarity(query, texts[row]) for row in shared}
    order = sorted(shared, key=lambda row: (-round(scores[row], 6), row))
    wanted = [row for row in order if scores[row] >= threshold - 1e-6][:k]
    (found,) = index_of(texts).search([query], k, threshold)
    assert [hit.score for hit in found] == pytest.approx([scores[row] for row in wanted], abs=1e-9)
    assert [round(scores[hit.row], 5) for hit in found] == [round(scores[row], 5) for row in wanted]
    assert all((hit.key, hit.text) == (f"k{hit.row}", texts[hit.row]) for hit in found)


@given(st.lists(phrases, max_size=20), st.integers(0, 20), phrases)
def test_adding_little_by_little_is_adding_at_once(texts: list[str], cut: int, query: str) -> None:
    parts = index_of(texts[:cut])
    parts.search([query])
    parts.add([f"k{number}" for number in range(cut, len(texts))], texts[cut:])
    assert parts.search([query]) == index_of(texts).search([query])
    assert len(parts) == len(texts)


def test_a_text_is_found_by_itself_and_those_alike_by_row() -> None:
    texts = ["Delta II", "Delta IV", "delta ii", "Ariane 5", "…", ""]
    index = index_of(texts)
    assert [hit.row for hit in index.search(["DELTA II"], threshold=1.0)[0]] == [0, 2]
    assert [hit.row for hit in index.search(["…"], threshold=1.0)[0]] == [4]
    assert index.search(["quite another"], threshold=0.1) == [[]]
    assert index.search(["Delta"], k=0) == [[]]


def test_an_index_of_nothing() -> None:
    assert LexicalIndex().search(["a", ""]) == [[], []]
    with pytest.raises(InputError, match="1 keys for 2 texts"):
        LexicalIndex().add(["a"], ["a", "b"])


def test_a_typing_error_in_many_names_is_seen_through() -> None:
    first = ["Anna", "Boris", "Carla", "Dmitri", "Elena", "Farid", "Greta", "Hiroshi", "Ingrid", "Jorge"]
    last = ["Andersson", "Boateng", "Castillo", "Dubois", "Eriksen", "Fontana", "Grigoryan", "Hakimi", "Ivanova"]
    texts = [f"{one} {other}" for one in first for other in last]
    index = index_of(texts)
    for row, text in enumerate(texts):
        broken = text[:2] + text[3:-3] + text[-2:]
        assert row in [hit.row for hit in index.search([broken], k=3)[0]], text
