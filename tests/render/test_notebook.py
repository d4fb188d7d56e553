"""What a notebook shows by itself: useful, complete HTML in which nothing of the data is markup."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import pylf
from pylf import api

GRAPH = """
@prefix : <http://h.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :C ; :p :b ; rdfs:label "<script>alert('a')</script>" .
:b a :C ; :p "<img src=x onerror=alert(1)>"@en .
"""
VOID = {"rect", "path", "br"}


class Balanced(HTMLParser):
    """Raises where tags do not close; gathers text and tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def kg(tmp_path_factory: pytest.TempPathFactory) -> api.KnowledgeGraph:
    path = tmp_path_factory.mktemp("graph") / "<i>.ttl"
    path.write_text(GRAPH, encoding="utf-8")
    return api.open_kg(str(path))


def test_a_query_shows_sentence_warnings_picture_and_sparql(kg: api.KnowledgeGraph) -> None:
    query = pylf.compile("e = STOP(JOIN('p', START(\"a <script>alert('b')</script>\")))", kg=kg)
    html = query._repr_html_()
    shown = Balanced(html)
    assert "script" not in shown.tags
    assert {"svg", "details", "pre"} <= shown.tags
    assert "What are the Cs" in shown.text or "What are the cs" in shown.text
    assert "<script>alert('b')</script>" in shown.text
    assert "warning[unknown-label]" in shown.text
    assert "SELECT" in shown.text


def test_a_query_that_a_dialect_cannot_say_still_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    from pylf.errors import UnsupportedOperation

    def refused(*_: object) -> str:
        raise UnsupportedOperation("the operator <b>", "some dialect")

    query = pylf.compile("e = STOP(START('rocket'))")
    monkeypatch.setattr("pylf.backends.sparql.emit", refused)
    assert "the operator <b> cannot be expressed in some dialect" in Balanced(query._repr_html_()).text


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("STOP(START('C'))", "<script>alert('a')</script>"),
        ("STOP(JOIN('R_p', START(':b')))", "<img src=x onerror=alert(1)> en"),
        ("STOP(COUNT(START('C')))", "2"),
        ("STOP(ASK(START('C')))", "yes"),
        ("STOP(JOIN('p', START(':zzz')))", "no answer"),
    ],
)
def test_a_result_shows_question_and_answers(kg: api.KnowledgeGraph, program: str, told: str) -> None:
    program = program.replace("':b'", "'<http://h.example/b>'").replace("':zzz'", "'<http://h.example/zzz>'")
    result = pylf.compile(f"e = {program}", kg=kg).run()
    shown = Balanced(result._repr_html_())
    assert not {"script", "img", "i"} & shown.tags
    assert told in shown.text
    assert result.query.english in shown.text
    assert "<i>.ttl" in shown.text


def test_a_long_result_is_cut_and_says_so() -> None:
    shown = Balanced(pylf.compile("e = STOP(START('entity', kind='entity'))").run()._repr_html_())
    assert "no answer" in shown.text
    result = pylf.compile("e = STOP(START('launch'))").run()
    shown = Balanced(result._repr_html_())
    assert f"and {len(result.answers.values) - 50} more" in shown.text
