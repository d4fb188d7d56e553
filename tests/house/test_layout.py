"""The root shows the house, and its pages point at what exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINKS = ("ir", "backends", "reasoners", "grammars", "datasets")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LONGEST_FILE = 650


@pytest.mark.parametrize("name", LINKS)
def test_the_root_shows_each_part_of_the_package(name: str) -> None:
    link = ROOT / name
    if not link.is_symlink():
        # a source distribution has no links, and a checkout without symbolic links has small text files
        pytest.skip(f"no link {name} in this checkout")
    assert link.readlink() == Path("pylf", name)
    assert link.is_dir()


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "LICENSE", "NOTICE", "pyproject.toml", "dev.py"])
def test_the_root_has_what_a_visitor_looks_for(name: str) -> None:
    assert (ROOT / name).stat().st_size > 0


def test_datasets_is_no_regular_package() -> None:
    # with the root on sys.path an installed package named "datasets" must win over the root's link of that name
    assert (ROOT / "pylf" / "datasets").is_dir()
    assert not (ROOT / "pylf" / "datasets" / "__init__.py").exists()


def test_no_file_is_long() -> None:
    lengths = {path: path.read_text(encoding="utf-8").count("\n") for path in (ROOT / "pylf").rglob("*.py")}
    assert {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > LONGEST_FILE} == {}


def test_test_files_have_names_of_their_own() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted({name for name in names if names.count(name) > 1}) == []
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_the_readme_opens_with_two_commands_that_exist() -> None:
    first_block = re.search(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert first_block is not None
    assert first_block[1].splitlines() == ["python3 dev.py example", "python3 dev.py test"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|mailto:)([^)#\s]*)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if target and not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_anchors_name_a_heading(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)", text):
        other = page.parent / target if target else page
        assert anchor in _anchors(other.read_text(encoding="utf-8")), f"{page.name} → {target}#{anchor}"


def _anchors(text: str) -> set[str]:
    """The anchors that a Markdown page's headings get: lower case, punctuation dropped, spaces as hyphens."""
    headings = re.findall(r"^#+ +(.+?)\s*$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
