"""Linking over the names of a graph: exact, by other names, by spelling or an encoder; and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError
from pylf.ir.graph import Pattern, matching
from pylf.ir.schema.names import resolve_entity, resolve_literal
from pylf.ir.terms import Iri
from pylf.reasoners.linking.candidate import MOST, How, Linked, of_readings, score_of
from pylf.reasoners.linking.folding import folded, sound
from pylf.reasoners.linking.stated import schema_words
from pylf.reasoners.linking.values import readings_of
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.ir.graph import Graph
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.models.vectors.hit import NameIndex
    from pylf.reasoners.linking.names import Named, Names

#: names that have less of their spelling in common are not alike
LEAST = 0.35
#: letters of a name that are compared
_COMPARED = 100
_SURE = {How.NAMED: 0, How.LABEL: 1, How.ALIAS: 1, How.VALUE: 2, How.ENCODER: 3, How.LEXICAL: 3}


class NameLinker:
    """Links mentions to the entities and classes of a graph whose names are at hand.

    ``index``: an index of an encoder's vectors over the same names, and ``encoder`` that one's identity; None: names
    are alike that are spelled alike. Those of a score below ``least`` (None: :data:`LEAST` for spelling, 0 for an
    encoder) are not alike.
    ``graph``: where the classes of entities are looked up, all of a call in one look-up; None: they are not told.
    """

    def __init__(
        self,
        names: Names,
        schema: Schema,
        vocabulary: Vocabulary,
        graph: Graph | None = None,
        index: NameIndex | None = None,
        least: float | None = None,
        encoder: str | None = None,
    ) -> None:
        self.names = names
        self._schema = schema
        self._vocabulary = vocabulary
        self._graph = graph
        self._index = index
        self._least = LEAST if least is None and index is None else least or 0.0
        self._encoder = encoder or ("lexical" if index is None else type(index).__name__)
        self._words: frozenset[str] | None = None

    @property
    def identity(self) -> str:
        """The hash of the names, and the encoder."""
        return f"names {self.names.hash[:16]}, {self._encoder}"

    def of_schema(self, words: Iterable[str]) -> set[str]:
        """Those of the words that classes or relations are called by, alone or among others."""
        if self._words is None:
            self._words = schema_words(self._schema)
        return {word for word in words if folded(word) in self._words}

    def known(self, phrases: Sequence[str]) -> set[str]:
        """Those of the phrases that are names, but for case, accents and punctuation."""
        return self.names.known(phrases)

    def link(self, mention: str, k: int = MOST) -> list[Linked]:
        """The candidates of one mention; see :meth:`link_all`."""
        return self.link_all([mention], k)[0]

    def link_all(self, mentions: Sequence[str], k: int = MOST) -> list[list[Linked]]:
        """Up to ``k`` candidates of each mention: what it names, those whose name it is, the values that it may be, and
        then those whose names are alike, the likeliest first. No thing stands there twice.

        Raises:
            EngineError: the graph does not tell the classes.
        """
        if k < 1:
            return [[] for _ in mentions]
        mentions = [sound(mention) for mention in mentions]
        bearing = self.names.bearing(mentions)
        found = []
        for mention, alike in zip(mentions, self._alike(mentions, k), strict=True):
            exact = [_met(mention, named) for named in bearing[mention]]
            found.append(chosen([*literal_readings(mention, self._vocabulary), *exact, *alike], k))
        return with_classes(found, self._graph, self._schema, self._vocabulary)

    def _alike(self, mentions: Sequence[str], k: int) -> list[list[Linked]]:
        """Likest names of each mention; a thing may have several, so there are more than ``k`` of them."""
        how = How.LEXICAL if self._index is None else How.ENCODER
        written = [i for i, mention in enumerate(mentions) if mention.strip()]
        texts = [mentions[i] for i in written]
        found: list[list[Linked]] = [[] for _ in mentions]
        if self._index is None:
            shortlists = self.names.alike(texts, 2 * k)
            hits = [_letter_by_letter(text, one) for text, one in zip(texts, shortlists, strict=True)]
        else:
            hits = [[(hit.key, hit.text, hit.score) for hit in one] for one in self._index.search(texts, 2 * k)]
        for i, one in zip(written, hits, strict=True):
            found[i] = [
                Linked(Iri(iri), text, max(0.0, score), how) for iri, text, score in one if score >= self._least
            ]
        return found


def _letter_by_letter(mention: str, found: list[tuple[str, str, float]]) -> list[tuple[str, str, float]]:
    """Names whose score is the mean of their cosine and of how alike they are letter by letter: a slip changes many
    pieces of a short word."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded(mention)[:_COMPARED])
    scored = []
    for iri, name, cosine in found:
        matcher.set_seq1(folded(name)[:_COMPARED])
        scored.append((iri, name, (cosine + matcher.ratio()) / 2))
    return scored


def literal_readings(mention: str, vocabulary: Vocabulary) -> list[Linked]:
    """What a mention is by itself: the entity whose IRI or id it is; a typed literal, a number, a date, a quantity."""
    mention = mention.strip()
    try:
        entity = resolve_entity(mention, vocabulary)
        literal = resolve_literal(mention, vocabulary)
    except CompileError:  # what looks like an IRI and is none
        entity = literal = None
    if entity is not None:
        return [Linked(entity, mention, 1.0, How.NAMED)]
    return of_readings(mention, readings_of(mention) if literal is None else (literal,))


def _met(mention: str, named: Named) -> Linked:
    score = score_of(mention, named.name, named.how)
    return Linked(Iri(named.iri), named.name, score, named.how, is_class=named.is_class)


def chosen(candidates: Iterable[Linked], k: int) -> list[Linked]:
    """The best ``k``, each thing once, the surest way to it before others."""
    best: dict[object, Linked] = {}
    for one in candidates:
        known = best.get(one.node)
        if known is None or _rank(one) < _rank(known):
            best[one.node] = one
    return sorted(best.values(), key=_rank)[:k]


def _rank(one: Linked) -> tuple[int, float, str, str]:
    return _SURE[one.how], -round(one.score, 6), one.name, str(one.node)


def with_classes(
    found: list[list[Linked]], graph: Graph | None, schema: Schema, vocabulary: Vocabulary
) -> list[list[Linked]]:
    """The same candidates with the classes that a graph states of them, looked up all at once."""
    asked = {one.node for linked in found for one in linked if isinstance(one.node, Iri)}
    classes: dict[object, set[str]] = {}
    types = [Iri(predicate) for predicate in vocabulary.type_predicates]
    if graph is not None and asked and types:
        for subject, _, target in matching(graph, [Pattern(asked, types, None)]):
            if isinstance(target, Iri):
                classes.setdefault(subject, set()).add(target.value)
    return [[_classed(one, classes.get(one.node, set()), schema) for one in linked] for linked in found]


def _classed(one: Linked, classes: set[str], schema: Schema) -> Linked:
    if not isinstance(one.node, Iri):
        return one
    is_class = one.is_class or schema.class_(one.node.value) is not None
    return replace(one, classes=tuple(sorted(classes)), is_class=is_class)
