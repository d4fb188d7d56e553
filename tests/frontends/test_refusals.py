"""Every refusal that docs/forms.md lists is met by an example, and no other form refuses by that name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pylf.errors import NoForm, UnsupportedOperation
from pylf.frontends.no_form import NO_FORM
from tests.frontends.refusals import EXAMPLES, IN_WORDS, Example

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("example", EXAMPLES + IN_WORDS, ids=lambda e: f"{e.code} from {e.source} to {e.to}")
def test_an_example_is_refused_by_its_name(example: Example) -> None:
    query = example.compiled()
    if example.code == "unsupported":
        language = {"sparql": "SPARQL", "sexpr": "s-expressions"}.get(example.to, "PyLF")
        with pytest.raises(UnsupportedOperation, match=f"cannot be expressed in {language}"):
            query.to(example.to)
        return
    with pytest.raises(NoForm) as caught:
        query.to(example.to)
    (found,) = caught.value.diagnostics
    assert found.code == example.code
    assert found.message.endswith(f" have no form for {example.what or NO_FORM[example.code]}")
    assert len(str(caught.value)) < 2_000


def test_each_cell_of_the_page_has_its_example(root: Path) -> None:
    page = (root / "docs" / "forms.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(no-[a-z-]+)` \|[^|]*\|([^|]*)\|([^|]*)\|$", page, re.MULTILINE)
    assert [code for code, _, _ in rows] == list(dict.fromkeys(code for code, _, _ in rows))
    assert {code for code, _, _ in rows} == NO_FORM.keys()
    cells = {
        (code, form)
        for code, *said in rows
        for form, cell in zip(("sexpr", "graphquery"), said, strict=True)
        if cell.strip() == "refuses"
    }
    assert cells == {(e.code, e.to) for e in EXAMPLES if e.code in NO_FORM}
