"""The mentions in a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.api import bundled, open_kg
from pylf.reasoners.linking.opening import open_linker
from pylf.reasoners.linking.spotting import Mention, link_question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.reasoners.linking.candidate import Linked, Linker


@pytest.fixture(scope="module")
def mentions(tmp_path_factory: pytest.TempPathFactory) -> object:
    linker = open_linker(bundled(), folder=tmp_path_factory.mktemp("names"))

    def found(question: str) -> list[tuple[str, str]]:
        spotted = link_question(question, linker, 3)
        check(question, spotted)
        return [(one.text, str(one.linked[0].node).rpartition("/")[2].rstrip(">")) for one in spotted]

    return found


def check(question: str, spotted: tuple[Mention, ...]) -> None:
    end = 0
    for one in spotted:
        assert question[one.span.start : one.span.end] == one.text
        assert one.span.start >= end
        assert one.linked
        end = one.span.end


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who made the Saturn V?", [("Saturn V", "saturn_v")]),
        ("which rockets did boeing company make", [("rockets", "spaceflight.rocket"), ("boeing company", "boeing")]),
        ("what does [Neil Armstrong] do", [("Neil Armstrong", "neil_armstrong")]),
        ('Who flew on "Saturn V"?', [("Saturn V", "saturn_v")]),
        ("What did the Boing Company make?", [("Boing Company", "boeing")]),
        ("", []),
        ("who is it that did what?", []),
    ],
)
def test_names_are_spotted(question: str, expected: list[tuple[str, str]], mentions: object) -> None:
    assert callable(mentions)
    found = mentions(question)
    assert found == expected


def test_values_and_names_do_not_overlap(mentions: object) -> None:
    assert callable(mentions)
    found = mentions("Did Apollo 11 or a rocket of over 2.5 tonnes fly between 1969 and 24 July 1970?")
    assert [text for text, _ in found] == ["Apollo 11", "rocket", "2.5 tonnes", "1969", "24 July 1970"]


@pytest.mark.parametrize("question", ["[" * 5000, '"' * 999, "A " * 5000, "1 " * 5000, "\ud800 Saturn V", "?" * 10_000])
def test_odd_questions_end(question: str, mentions: object) -> None:
    assert callable(mentions)
    assert isinstance(mentions(question), list)


# --- names in small letters ---------------------------------------------------------------------------------------

LABELS = (
    *("Bolivia", "Italy", "Barack Obama", "Germany", "Amsterdam", "Massachusetts Institute of Technology", "Boston"),
    *("In God's Hands", "The Break-Up", "Who Killed the Electric Car?", "In Boston", "McDonald's", "It", "Her"),
    *("Border", "Obama Foundation", "The Who", "C", "C++", "C#", "Saturn V"),
)


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Linker:
    folder = tmp_path_factory.mktemp("labels")
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    lines = [f'<http://e/{n}> {label} "{text}" .\n' for n, text in enumerate(LABELS)]
    lines += ["<http://e/0> <http://e/border> <http://e/1> .\n"]
    (folder / "g.nt").write_text("".join(lines), encoding="utf-8")
    return open_linker(open_kg(folder / "g.nt"), folder=folder)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what does bolivia border?", [("bolivia", "Bolivia", True), ("border", "Border", False)]),
        ("what time is it in italy today?", [("italy", "Italy", True)]),
        ("is it her?", []),
        ("who is barack obama's wife?", [("barack obama", "Barack Obama", True)]),
        ("Who is Barack Obama’s wife?", [("Barack Obama", "Barack Obama", True)]),
        ("what is germany's capital?", [("germany", "Germany", True)]),
        ("who runs mcdonald's?", [("mcdonald's", "McDonald's", True)]),
        (
            "who studied at the massachussetts institute of technology",
            [("massachussetts institute of technology", "Massachusetts Institute of Technology", False)],
        ),
        ("what is amesterdam like?", [("amesterdam", "Amsterdam", False)]),
        ("who sealed the oston deal?", []),
        ("who wrote in god's hands?", [("in god's hands", "In God's Hands", True)]),
        ("who starred in the break-up", [("break-up", "The Break-Up", True)]),
        ("who directed who killed the electric car?", [("who killed the electric car", LABELS[9], True)]),
        ("who lives in boston?", [("boston", "Boston", True)]),
        ("Who is in The Who?", [("The Who", "The Who", True)]),
        ("WHO IS BARACK OBAMA", [("BARACK OBAMA", "Barack Obama", True)]),
        ("WHAT IS GERMANY'S CAPITAL?", [("GERMANY", "Germany", True)]),
        ("Who Is Barack Obama", [("Barack Obama", "Barack Obama", True)]),
        ("What is C++ and C# and C?", [("C++", "C++", True), ("C#", "C#", True), ("C", "C", True)]),
        ("what is c# and c?", [("c#", "C#", True), ("c", "C", True)]),
    ],
)
def test_names_are_met_however_questions_write_them(
    question: str, expected: list[tuple[str, str, bool]], named: Linker
) -> None:
    spotted = link_question(question, named, 3)
    check(question, spotted)
    assert [(one.text, one.linked[0].name, one.sure) for one in spotted] == expected


def test_each_phrase_is_linked_once(named: Linker) -> None:
    class Counted:
        identity = named.identity
        known = staticmethod(named.known)
        of_schema = staticmethod(named.of_schema)

        def __init__(self) -> None:
            self.asked: list[str] = []

        def link_all(self, mentions: Sequence[str], k: int = 10) -> list[list[Linked]]:
            self.asked += mentions
            return named.link_all(mentions, k)

    linker = Counted()
    assert len(link_question("what do bolivia, germany and the Boing Company border?", linker)) == 3
    assert len(linker.asked) == len(set(linker.asked))
