"""The search of names by the standard library: what numpy finds, whatever the bands are."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.reasoners.linking import banded
from pylf.reasoners.linking.names import Named, Names, write_names

WORDS = ["Delta", "delta", "Deltas", "Ariane", "Heavy", "of", "the", "IV", "V", "Ünal", "b", "…"]
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@given(st.lists(phrases, max_size=40), phrases, st.integers(1, 12), st.sampled_from([-1.0, 0.3]), st.integers(1, 9))
def test_both_ways_find_the_same(texts: list[str], mention: str, k: int, threshold: float, size: int) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(banded, "_BAND", size)
        patch.setattr(banded, "_FIRST", 3 * size)
        path = Path(folder) / "names.sqlite"
        write_names(path, [Named(f"e:{number}", text) for number, text in enumerate(texts)])
        plain, quick = (
            Names(path, numpy=numpy)._postings.search([mention], k, threshold)[0] for numpy in (False, True)
        )
    assert [(hit.row, hit.key, hit.text) for hit in plain] == [(hit.row, hit.key, hit.text) for hit in quick]
    assert [hit.score for hit in plain] == pytest.approx([hit.score for hit in quick], abs=1e-12)
