"""Plain retrieval of triples around the entities of a question: what DoG (2607.17266) compares itself with."""

from __future__ import annotations

import heapq
from itertools import islice
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.ir.graph import Pattern, matching
from pylf.ir.schema.names import relation_name, shorten
from pylf.ir.terms import Iri, Literal
from pylf.models.encoders.lexical import Lexical
from pylf.reasoners.linking.candidate import How
from pylf.reasoners.linking.spotting import link_question
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.datasets.formats.question import Question, Topic
    from pylf.graphs import KnowledgeGraph
    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node
    from pylf.reasoners.linking.candidate import Linked, Linker

#: nodes that are asked for together
_CHUNK = 500


@record
class Found:
    """The best triples, best first: as terms, and as text. ``entities``: what they are around, as it was linked.
    ``cut``: there were more triples than are read."""

    entities: tuple[Linked, ...]
    triples: tuple[TripleRow, ...]
    lines: tuple[str, ...]
    cut: bool


class TripleRetriever:
    """Finds the triples within so many ``hops`` of a question's entities, and keeps ``most``: those whose text is
    nearest to the question by words. In each direction of a hop ``read`` triples are looked at.

    The entities are the topics that the set states, as ``linker`` links them; of a question without any, those that its
    words name.
    """

    def __init__(
        self, graph: KnowledgeGraph, linker: Linker, hops: int = 1, most: int = 30, read: int = 10_000
    ) -> None:
        if hops < 1 or most < 1 or read < 1:
            raise InputError("hops, the number of triples and of those that are looked at are 1 or more")
        self._graph = graph
        self._linker = linker
        self._hops = hops
        self._most = most
        self._read = read
        self.settings = {
            "hops": hops,
            "triples": most,
            "triples read": read,
            "linking": f"topics, else the question; {linker.identity}",
        }

    def __call__(self, question: Question) -> Found:
        """The triples around the question's entities; none where it has no entity.

        Raises:
            EngineError: the graph does not answer.
        """
        entities = self._entities(question)
        naming = frozenset(map(Iri, self._graph.vocabulary.label_predicates))
        found: dict[TripleRow, None] = {}
        frontier = [one.node for one in entities if isinstance(one.node, Iri)]
        seen: set[Node] = set(frontier)
        cut = False
        for _ in range(self._hops):
            rows, more = self._around(frontier)
            cut = cut or more
            found |= dict.fromkeys([row for row in rows if row[1] not in naming])
            ends = dict.fromkeys([end for row in rows if row[1] not in naming for end in (row[0], row[2])])
            frontier = [end for end in ends if isinstance(end, Iri) and end not in seen]
            seen.update(frontier)
        return self._best(question, entities, list(found), cut)

    def _around(self, nodes: list[Iri]) -> tuple[list[TripleRow], bool]:
        """The triples that go out from some nodes, and those that come in; whether there are more of them."""
        found: list[TripleRow] = []
        cut = False
        for outward in (True, False):
            rows = [*islice(self._one_way(nodes, outward), self._read + 1)]
            cut = cut or len(rows) > self._read
            found += rows[: self._read]
        return found, cut

    def _one_way(self, nodes: list[Iri], outward: bool) -> Iterator[TripleRow]:
        for start in range(0, len(nodes), _CHUNK):
            some = nodes[start : start + _CHUNK]
            yield from matching(self._graph.engine, [Pattern(some) if outward else Pattern(objects=some)])

    # --- entities -------------------------------------------------------------------------------------------------

    def _entities(self, question: Question) -> tuple[Linked, ...]:
        """What the question is about, each thing once."""
        topics = [topic for topic in question.topics if topic.kind == "entity"]
        if topics:
            told = dict.fromkeys([text for topic in topics for text in _told(topic)])
            linked = dict(zip(told, self._linker.link_all(list(told)), strict=True))
            found = [one for topic in topics for one in self._of_topic(*[linked[text] for text in _told(topic)])]
        else:
            mentions = link_question(question.text, self._linker, 1)
            # what is a name for certain comes before words that may be one
            sure = [mention for mention in mentions if mention.sure] or mentions
            found = [one for mention in sure for one in mention.linked if _is_entity(one)]
        return tuple({one.node: one for one in reversed(found)}.values())[::-1]

    def _of_topic(self, by_id: list[Linked], by_name: list[Linked]) -> list[Linked]:
        """The entity that the set's id names, where the graph knows it; else all that bear the topic's name equally
        well; else the one whose name is most like it."""
        entities = [one for one in (*by_id, *by_name) if _is_entity(one)]
        named = [one for one in entities if one.how is How.NAMED and self._stands(one.node)]
        bearing = [one for one in entities if one.how in {How.LABEL, How.ALIAS}]
        best = max([one.score for one in bearing], default=0.0)
        alike = [one for one in by_name if one.how in {How.ENCODER, How.LEXICAL} and _is_entity(one)]
        return named or [one for one in bearing if one.score == best] or alike[:1]

    def _stands(self, node: Iri | Literal) -> bool:
        """Whether the graph has a triple of it."""
        engine = self._graph.engine
        return any(True for _ in engine.triples(node)) or any(True for _ in engine.triples(None, None, node))

    # --- triples --------------------------------------------------------------------------------------------------

    def _best(self, question: Question, entities: tuple[Linked, ...], rows: list[TripleRow], cut: bool) -> Found:
        labels = self._graph.labels(tuple(dict.fromkeys(end for row in rows for end in (row[0], row[2]))))
        texts = [self._text(row, labels) for row in rows]
        encoder = Lexical().fitted(texts)
        scores = [encoder.similarity(question.text, text) for text in texts]
        order = heapq.nsmallest(self._most, range(len(rows)), key=lambda at: (-scores[at], texts[at]))
        return Found(entities, tuple([rows[at] for at in order]), tuple([texts[at] for at in order]), cut)

    def _text(self, row: TripleRow, labels: dict[Node, str]) -> str:
        head, relation, tail = row
        name = (
            relation_name(relation.value, self._graph.schema, self._graph.vocabulary)
            if isinstance(relation, Iri)
            else ""
        )
        return ", ".join([self._called(head, labels), name, self._called(tail, labels)])

    def _called(self, node: Node, labels: dict[Node, str]) -> str:
        match node:
            case Literal(lexical):
                return _line(lexical)
            case Iri(value):
                return _line(labels.get(node) or shorten(value, self._graph.vocabulary))
        return _line(labels.get(node) or str(node))


def _told(topic: Topic) -> tuple[str, str]:
    """How a topic is told: by its id, which may be an IRI without brackets, and by its name; "" for none."""
    bare = topic.id is not None and "://" in topic.id and topic.id[:1] != "<"
    return f"<{topic.id}>" if bare else topic.id or "", topic.label or topic.mention or ""


def _is_entity(one: Linked) -> bool:
    return isinstance(one.node, Iri) and not one.is_class


def _line(text: str) -> str:
    """On one line: a label may hold a line break, and no fact is to begin there."""
    return " ".join(text.split())


def plain(row: TripleRow) -> list[str]:
    """A triple as records hold it."""
    return [node.lexical if isinstance(node, Literal) else str(getattr(node, "value", node)) for node in row]


def linked_as(one: Linked) -> dict[str, str | float]:
    """An entity as records hold it: its IRI, the name that was met, how it was linked, and the score."""
    node = str(getattr(one.node, "value", one.node))
    return {"iri": node, "name": one.name, "how": one.how.value, "score": round(one.score, 6)}
