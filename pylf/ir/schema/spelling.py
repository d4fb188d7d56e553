"""The nearest names to one that the schema does not know: by spelling, and by the class that it was used with.

Used on error paths only; it looks at every name of the schema (tens of milliseconds for 19,000 relations).
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from pylf.ir.schema.memory import local_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.schema.model import Class, Relation, Schema

#: Below this, a name is not like the other.
_CUTOFF = 0.4
#: How many names that share a word, or all letters but a few, are looked at letter by letter.
_SHORTLIST = 200
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
    things: Iterable[Relation | Class] = (
        schema.source.all_relations() if kind == "relation" else schema.source.all_classes()
    )
    beside = _relations_around(class_iri, schema) if class_iri is not None and kind == "relation" else frozenset()
    wanted = _Spelling(name.removeprefix("R_") if kind == "relation" else name)
    rough: list[tuple[float, str, str]] = []
    for thing in things:
        local = local_name(thing.iri)
        score = wanted.rough(local)
        if thing.label is not None and thing.label != local:
            score = max(score, wanted.rough(thing.label))
        if score > 0.0 or thing.iri in beside:
            rough.append((score + (1.0 if thing.iri in beside else 0.0), thing.iri, thing.label or ""))
    rough.sort(key=lambda entry: (-entry[0], entry[1]))
    scored = []
    for _, iri, label in rough[:_SHORTLIST]:
        spelled = max(wanted.score(local_name(iri)), wanted.score(label) if label else 0.0)
        near = iri in beside
        if spelled >= _CUTOFF or near:
            scored.append((spelled + (0.15 if near else 0.0), iri))
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
        # What is longer than any name is compared by its beginning, so that hostile input costs no more.
        self.text = name[:200].lower()
        self.words = _words(name[:200])
        self.matcher = difflib.SequenceMatcher(autojunk=False)
        self.matcher.set_seq2(self.text)
        self.letters = frozenset(self.text)

    def rough(self, other: str) -> float:
        """A cheap score that is above 0 where :meth:`score` may reach the cutoff."""
        shared = len(self.words & _words(other))
        if shared:
            return 1.0 + shared
        if not self.letters:
            return 0.0
        lengths = min(len(other), len(self.text)) / max(len(other), len(self.text), 1)
        letters = len(self.letters.intersection(other.lower())) / len(self.letters)
        return lengths * letters if lengths > 0.6 and letters > 0.6 else 0.0

    def score(self, other: str) -> float:
        """Between 0 and 1.2: the better of likeness letter by letter and likeness word by word; whole words that are
        shared count beyond their letters."""
        self.matcher.set_seq1(other[:200].lower())
        letters = self.matcher.ratio()
        words = _words(other)
        alike = 0.0
        for word in self.words:
            alike += 1.0 if word in words else max((_likeness(word, w) for w in words), default=0.0)
        most = max(len(self.words), len(words), 1)
        together = alike / most
        return 0.5 * letters + 0.5 * max(letters, together) + 0.2 * len(self.words & words) / most


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
