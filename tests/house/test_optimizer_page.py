"""What docs/optimizer.md shows of each pass is a pair that the pass's own tests execute."""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import Path

from pylf.backends.dialects import NAMES, dialect_named
from pylf.ir.passes import listed

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "optimizer.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^### ([a-z-]+)\n(.*?)(?=^##)", re.MULTILINE | re.DOTALL)
PAIR = re.compile(r"\(\.\./(tests/ir/passes/(\w+)/\w+\.txt)\)")
BLOCK = re.compile(r"^```diff\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shown(query: str) -> list[str]:
    """The body of a printed query as the page writes it: names for IRIs, constants without their datatypes."""
    query = re.sub(r'"([^"]*)"\^\^<[^>]*>( by number)?', r"\1", query)
    query = re.sub(r"<[^>]*[/#]([^/#>]+)>", r":\1", query)
    return [line.removeprefix("  ") for line in query.partition("where\n")[2].splitlines()]


def difference(pair: str) -> str:
    before, _, after = (ROOT / pair).read_text(encoding="utf-8").partition("\n=>\n")
    return "\n".join(list(unified_diff(shown(before), shown(after), lineterm="", n=99))[3:])


def test_every_pass_has_a_section_in_the_order_of_the_passes() -> None:
    sections = [name for name, _ in SECTION.findall(PAGE)]
    assert sections == [one.name for one in listed()]


def test_what_is_shown_of_a_pass_is_a_pair_of_its_tests() -> None:
    for name, text in SECTION.findall(PAGE):
        pairs, blocks = PAIR.findall(text), BLOCK.findall(text)
        assert pairs, name
        assert {folder for _, folder in pairs} == {name.replace("-", "_")}
        assert [difference(path) for path, _ in pairs] == [block.rstrip("\n") for block in blocks], name


def test_every_dialect_gets_what_the_page_says() -> None:
    table = PAGE.partition("### Which engine gets what\n")[2].partition("\n\n`pylf run`")[0]
    told = {}
    for row in table.strip().splitlines()[2:]:
        dialects, order, others = row.strip("|").split("|")
        told.update(dict.fromkeys(re.findall(r"`(\w+)`", dialects), (order.split()[0].strip(":"), others.strip())))
    known = {}
    for name in NAMES:
        target = dialect_named(name).target
        order = "everywhere" if target.textual_order else "in" if target.nests else "nowhere"
        assert target.projects == target.subtracts
        known[name] = order, "yes" if target.projects else "no"
    assert told == known
