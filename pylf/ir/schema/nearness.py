"""The nearest names to one that the schema does not know: by spelling, and by the class that it was used with.

Used on error paths only. The first search under a schema looks at each of its names (half a second for 20,000
relations) and keeps an index of their words and letters, by which later ones take a few milliseconds; what was asked
before is remembered. Neither changes what is found.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pylf.ir.schema.memory import local_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.schema.model import Class, Relation, Schema

#: Below this, a name is not like the other.
_CUTOFF = 0.4
#: Names that share no word are like where more than this part of length is, and so much of letters.
_ALIKE = 0.6
#: How many names that share a word, or all letters but a few, are looked at letter by letter.
_SHORTLIST = 200
#: What is longer than any name is compared by its beginning, so that hostile input costs no more.
_LONGEST = 200
#: so many answers are kept for a schema
_REMEMBERED = 4_096
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[^\W\d_]+")

#: Words that say little about what a relation means.
_LITTLE = frozenset(("a", "an", "and", "at", "by", "for", "from", "has", "in", "is", "of", "on", "s", "the", "to"))


def nearest(
    name: str, schema: Schema, kind: str = "relation", class_iri: str | None = None, limit: int = 3
) -> tuple[str, ...]:
    """Names that may have been meant, best first, each as a program may write it.

    ``kind`` is ``'relation'`` or ``'class'``. With ``class_iri`` the relations of that class and of those above it
    stand before equally like ones, and fill the list where nothing is spelled alike.
    """
    asked = (name.removeprefix("R_") if kind == "relation" else name).removeprefix(":")[:_LONGEST]
    index = _index(schema, kind)
    known = index.found.get((asked, class_iri, limit))
    if known is None:
        if len(index.found) >= _REMEMBERED:
            index.found.clear()
        known = index.found[asked, class_iri, limit] = _nearest(asked, schema, kind, class_iri, limit)
    return known


def _nearest(name: str, schema: Schema, kind: str, class_iri: str | None, limit: int) -> tuple[str, ...]:
    beside = _relations_around(class_iri, schema) if class_iri is not None and kind == "relation" else frozenset()
    wanted = _Spelling(name)
    index = _index(schema, kind)
    scored: list[tuple[float, str]] = []
    least = _CUTOFF
    for place in index.shortlist(wanted, beside):
        iri = index.iris[place]
        near = iri in beside
        more = 0.15 if near else 0.0
        spelled = max([wanted.score(*name, 0.0 if near else least) for name in index.names[place]])
        if spelled >= _CUTOFF or near:
            scored.append((spelled + more, iri))
            if len(scored) >= limit:
                least = max(_CUTOFF, sorted(score for score, _ in scored)[-limit])
    scored.sort(key=lambda entry: (-entry[0], entry[1]))
    return tuple(_written(iri, schema, kind) for _, iri in scored[:limit])


def relations_at(class_iri: str, schema: Schema) -> tuple[tuple[str, bool], ...]:
    """Relations whose domain or range is the class or one above it, as ``(IRI, reversed)``, sorted; ``reversed`` where
    the class is at the far end, so that a program writes ``R_``."""
    above = schema.superclasses(class_iri)
    found = set()
    for iri in _relations_around(class_iri, schema):
        relation = schema.relation(iri)
        if relation is not None:
            for reverse, side in ((False, relation.domain), (True, relation.range)):
                if any(not above.isdisjoint(union) for union in side):
                    found.add((iri, reverse))
    return tuple(sorted(found))


def _relations_around(class_iri: str, schema: Schema) -> frozenset[str]:
    return frozenset(iri for above in schema.superclasses(class_iri) for iri in schema.source.relations_of(above))


def _written(iri: str, schema: Schema, kind: str) -> str:
    """The name in a program: the local name where it means this one alone, else the label, else ``<IRI>``."""
    named = schema.relations_named if kind == "relation" else schema.classes_named
    thing = schema.relation(iri) if kind == "relation" else schema.class_(iri)
    for name in (local_name(iri), thing.label if thing is not None else None):
        if name and named(name) == (iri,):
            return name
    return f"<{iri}>"


class _Spelling:
    """A name to which others are compared: by words and by letters, without case."""

    def __init__(self, name: str) -> None:
        self.text = name.lower()
        self.words = _words(name)
        self.likeness = {word: _Likeness(word) for word in self.words}
        self.matcher = difflib.SequenceMatcher(autojunk=False)
        self.matcher.set_seq2(self.text)
        self.letters = frozenset(self.text)

    def score(self, other: str, words: frozenset[str], least: float = 0.0) -> float:
        """Between 0 and 1.2: the better of likeness letter by letter and likeness word by word; whole words that are
        shared count beyond their letters. Where it is below ``least``, it may be 0."""
        alike = 0.0
        for word, others in self.likeness.items():
            alike += 1.0 if word in words else max([others[w] for w in words], default=0.0)
        most = max(len(self.words), len(words), 1)
        together = alike / most
        shared = 0.2 * len(self.words & words) / most
        matcher = self.matcher
        matcher.set_seq1(other[:_LONGEST].lower())
        for bound in (matcher.real_quick_ratio, matcher.quick_ratio):  # neither is below the ratio itself
            letters = bound()
            if 0.5 * letters + 0.5 * max(letters, together) + shared < least:
                return 0.0
        letters = matcher.ratio()
        return 0.5 * letters + 0.5 * max(letters, together) + shared


class _Likeness(dict[str, float]):
    """How alike a word and others are, each worked out once."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word

    def __missing__(self, other: str) -> float:
        self[other] = found = _likeness(self.word, other)
        return found


class _Index:
    """The names of a schema's relations or classes, by words, and by length and letters."""

    def __init__(self, things: Iterable[Relation | Class]) -> None:
        #: of each thing its IRI, sorted, and its local name and label with their words
        self.iris: list[str] = []
        self.names: list[list[tuple[str, frozenset[str]]]] = []
        #: what was asked, and what was answered
        self.found: dict[tuple[str, str | None, int], tuple[str, ...]] = {}
        self._places: dict[str, int] = {}
        self._words: dict[str, list[tuple[int, int]]] = {}  # where a word stands: the thing, and which of its names
        self._lengths: dict[int, list[tuple[int, int]]] = {}  # by length of names: the thing, and the name's letters
        self._letters: list[list[tuple[int, int]]] = []  # of each thing: length and letters of its names
        self._bits: dict[str, int] = {}
        for place, thing in enumerate(sorted(things, key=lambda thing: thing.iri)):
            self.iris.append(thing.iri)
            self._places[thing.iri] = place
            local = local_name(thing.iri)
            names = (local,) if thing.label in (None, "", local) else (local, str(thing.label))
            self.names.append([(name, _words(name)) for name in names])
            self._letters.append([(len(name), self._mask(name.lower())) for name in names])
            for which, (_, words) in enumerate(self.names[place]):
                for word in words:
                    self._words.setdefault(word, []).append((place, which))
            for length, mask in self._letters[place]:
                self._lengths.setdefault(length, []).append((place, mask))

    def shortlist(self, wanted: _Spelling, beside: frozenset[str]) -> list[int]:
        """The things for which :meth:`_Spelling.score` may reach the cutoff, by a cheap score, best first: 1, and 1 for
        each word that is shared; else how like length and letters are. Those ``beside`` have 1 more, and are never left
        out for being unlike."""
        shared: Counter[tuple[int, int]] = Counter()
        for word in wanted.words:
            shared.update(self._words.get(word, ()))
        scores: dict[int, float] = {}
        for (place, _), count in shared.items():
            if count >= scores.get(place, 0.0):
                scores[place] = 1.0 + count
        near = [place for iri, place in self._places.items() if iri in beside] if beside else []
        if len(scores) < _SHORTLIST:
            for length, names in self._lengths.items():
                if min(length, len(wanted.text)) > _ALIKE * max(length, len(wanted.text)):
                    self._add_alike(wanted, [(place, length, mask) for place, mask in names], scores)
        else:  # others share no word and stand behind all these, unless they are beside
            names_near = [(place, *name) for place in near for name in self._letters[place]]
            self._add_alike(wanted, names_near, scores)
        for place in near:
            scores[place] = scores.get(place, 0.0) + 1.0
        found = sorted(scores)
        found.sort(key=scores.__getitem__, reverse=True)
        return found[:_SHORTLIST]

    def _add_alike(self, wanted: _Spelling, names: list[tuple[int, int, int]], scores: dict[int, float]) -> None:
        size, count = len(wanted.text), len(wanted.letters)
        letters = 0
        for letter in wanted.letters:
            letters |= self._bits.get(letter, 0)
        least = _ALIKE * count
        for place, length, mask in names:
            alike = (mask & letters).bit_count()
            if alike >= least:
                lengths = min(length, size) / max(length, size)
                score = lengths * (alike / count)
                if lengths > _ALIKE and score > scores.get(place, 0.0):
                    scores[place] = score

    def _mask(self, text: str) -> int:
        mask = 0
        for letter in set(text):
            mask |= self._bits.setdefault(letter, 1 << len(self._bits))
        return mask


_indexes: WeakKeyDictionary[Schema, dict[str, _Index]] = WeakKeyDictionary()


def _index(schema: Schema, kind: str) -> _Index:
    known = _indexes.setdefault(schema, {})
    if kind not in known:
        known[kind] = _Index(schema.source.all_relations() if kind == "relation" else schema.source.all_classes())
    return known[kind]


def _likeness(word: str, other: str) -> float:
    """How alike two words are; words that share fewer than their first four letters are not."""
    shared = 0
    for one, two in zip(word, other, strict=False):
        if one != two:
            break
        shared += 1
    return shared / max(len(word), len(other)) if shared >= min(4, len(word), len(other)) and shared > 1 else 0.0


def _words(name: str) -> frozenset[str]:
    words = frozenset(word.lower() for word in _WORD.findall(name))
    return words - _LITTLE or words
