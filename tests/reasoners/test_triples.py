"""The triples baseline: which entities a question is about, what is read around them, what is shown and recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pylf.api import bundled, open_kg
from pylf.datasets.formats import Question, Topic
from pylf.errors import InputError
from pylf.evaluation.states import State
from pylf.ir.terms import Iri, Literal
from pylf.models.chat.scripted import Scripted
from pylf.reasoners.baselines import Baseline, TripleRetriever
from pylf.reasoners.linking.opening import open_linker
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pylf.graphs import KnowledgeGraph
    from pylf.models.chat.protocol import Request

ROCKETS = "http://pylf.example/rockets/"
BOEING = Question("r", "Which rockets did Boeing make?", topics=(Topic(":boeing", "Boeing"),))


def retriever(graph: KnowledgeGraph | None = None, **settings: Any) -> TripleRetriever:
    graph = graph or bundled()
    return TripleRetriever(graph, open_linker(graph), **settings)


def asked(question: Question, **settings: Any) -> tuple[Any, str, Baseline]:
    """The record of a question, what the model was asked, and the method."""
    heard: list[Request] = []
    method = Baseline(
        "triples",
        Scripted(lambda request: (heard.append(request), "Answer: Saturn V")[1]),
        around=retriever(**settings),
    )
    record = method(question)
    return record, heard[0].messages[1].content, method


def test_triples_around_the_topics_are_shown_and_recorded() -> None:
    record, text, method = asked(BOEING, most=12)
    assert text.startswith("Facts:\n")
    facts = text.partition("\n\n")[0].splitlines()[1:]
    assert len(facts) == 12
    assert any("spaceflight.rocket.manufacturer" in fact and fact.endswith("Boeing Company") for fact in facts)
    assert record.state is State.SYNTHESIS
    (evidence,) = record.evidence
    assert len(evidence["triples"]) == 12
    assert all(graph_has(triple) for triple in evidence["triples"])
    assert record.details["entities"] == [{"iri": f"{ROCKETS}boeing", "name": ":boeing", "how": "named", "score": 1.0}]
    linking = method.setup["settings"]["linking"]
    assert linking.startswith("topics, else the question; names ")
    assert linking.endswith(", lexical")


def graph_has(triple: list[str]) -> bool:
    rows = bundled().engine.triples(Iri(triple[0]), Iri(triple[1]))
    return any(
        (row[2].lexical if isinstance(row[2], Literal) else str(row[2]).strip("<>")) == triple[2] for row in rows
    )


def test_an_answer_without_any_triple_is_the_models_own() -> None:
    record, text, _ = asked(Question("l", "who is it that did what?"))
    assert "(none were found)" in text
    assert (record.state, record.evidence, record.details["entities"]) == (State.PARAMETRIC, (), [])


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        (Topic(":boeing", None), [("boeing", "named")]),
        (Topic(f"{ROCKETS}boeing", None), [("boeing", "named")]),
        (Topic(None, "boeing company"), [("boeing", "label")]),
        (Topic(None, None, "the Boeing Company"), [("boeing", "label")]),
        (Topic("<http://nowhere/x>", "Boeing Company"), [("boeing", "label")]),
        (Topic(":nothing_at_all", "Boing Company"), [("boeing", "lexical")]),
        (Topic(None, "Saturn"), [("saturn", "label"), ("saturn_family", "label")]),
        (Topic("m.04wgh", "qqqq zzzz"), []),
        (Topic(None, "rocket"), None),
        (Topic("1969", None, None, "literal"), []),
    ],
)
def test_topics_are_linked_by_id_else_by_name(topic: Topic, expected: list[tuple[str, str]] | None) -> None:
    found = retriever()(Question("q", "what?", topics=(topic,)))
    told = [(str(one.node).strip("<>").removeprefix(ROCKETS), one.how.value) for one in found.entities]
    if expected is None:  # a class is no entity
        assert "spaceflight.rocket" not in [name for name, _ in told]
    else:
        assert told == expected
        assert bool(found.triples) == bool(expected)


def test_a_question_without_topics_is_about_what_it_names() -> None:
    found = retriever()(Question("q", "Which rockets did the Boeing Company make before 1970?"))
    assert [one.node for one in found.entities] == [Iri(f"{ROCKETS}boeing")]
    assert found.triples


def test_words_of_the_schema_are_entities_only_where_no_name_is_said(tmp_path: Path) -> None:
    (tmp_path / "g.nt").write_text(
        "".join(
            f'<http://e/the_{name}> <http://www.w3.org/2000/01/rdf-schema#label> "{name}" .\n'
            f"<http://e/the_{name}> <http://e/border> <http://e/x> .\n"
            for name in ("bolivia", "border")
        )
    )
    graph = open_kg(tmp_path / "g.nt")
    for text, expected in (("what does bolivia border?", "bolivia"), ("what is a border?", "border")):
        (entity,) = retriever(graph)(Question("q", text)).entities
        assert entity.node == Iri(f"http://e/the_{expected}")


class Counted:
    """A graph's engine that counts look-ups of many nodes."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.inner: Any = graph.engine
        self.asked: list[int] = []

    def matching(self, patterns: Any) -> Iterator[Any]:
        for pattern in patterns:
            nodes = pattern.subjects if pattern.subjects is not None else pattern.objects
            self.asked.append(len(nodes))
            for node in nodes:
                places = (node, None, None) if pattern.subjects is not None else (None, None, node)
                yield from self.inner.triples(*places)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_a_hop_is_two_look_ups(hops: int) -> None:
    graph = bundled()
    engine = Counted(graph)
    found = TripleRetriever(replace(graph, engine=engine), open_linker(graph), hops)(BOEING)
    assert len(engine.asked) == 2 * hops
    assert not found.cut


def test_two_hops_reach_further_and_more_than_is_read_is_told() -> None:
    one, two = (retriever(hops=hops, most=10_000)(BOEING) for hops in (1, 2))
    assert set(one.triples) < set(two.triples)
    assert not one.cut
    cut = retriever(read=3, hops=2, most=10_000)(BOEING)
    assert cut.cut
    assert len(cut.triples) <= 12
    record, _, _ = asked(BOEING, read=1)
    assert record.details["cut"] is True


@pytest.mark.parametrize("settings", [{"hops": 0}, {"most": 0}, {"read": 0}])
def test_numbers_below_one_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(InputError, match="1 or more"):
        retriever(**settings)
