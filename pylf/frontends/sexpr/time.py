"""The two ends of a time: from the relation that says when something began to the one that says when it ended.

And back: ``TC`` names one of the two and means both. Which is which can only be told by their names, and whether the
other one is there by the schema.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Words in the names of relations: a beginning, and the ends that may go with it, the likeliest first.
_PAIRS = (
    ("from", ("to", "until", "through")),
    ("start", ("end", "finish", "stop")),
    ("begin", ("end",)),
    ("beginning", ("end",)),
    ("since", ("until", "till")),
    ("started", ("ended", "finished")),
    ("opened", ("closed",)),
    ("opening", ("closing",)),
    ("founded", ("dissolved", "closed")),
    ("P580", ("P582",)),  # Wikidata's start time and end time
)
_ENDS: dict[str, tuple[str, ...]] = dict(_PAIRS)
_BEGINNINGS: dict[str, tuple[str, ...]] = {
    end: tuple(begin for begin, ends in _PAIRS if end in ends) for _, others in _PAIRS for end in others
}
#: ``start_date``, ``startDate``, ``P580``
_WORD = re.compile(r"P[0-9]+|[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")


def other_end(iri: str, listed: Callable[[str], bool]) -> tuple[str | None, bool]:
    """The relation that tells the other end of a time, None where there is none; and whether this one is an end.

    Of the names that the other may have, the first is taken for which ``listed``. A relation that is spelled like
    neither is a beginning.
    """
    for words, is_end in ((_ENDS, False), (_BEGINNINGS, True)):
        for partner in _renamed(iri, words):
            if listed(partner):
                return partner, is_end
    found = _WORD.findall(_tail(iri))
    return None, any(word in _BEGINNINGS for word in map(_plain, found)) and not any(_plain(w) in _ENDS for w in found)


def _renamed(iri: str, words: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """The IRI with one of its name's words replaced by each of its counterparts."""
    tail = _tail(iri)
    stem = iri[: len(iri) - len(tail)]
    for match in _WORD.finditer(tail):
        word = match.group()
        for counterpart in words.get(_plain(word), ()):
            written = counterpart.capitalize() if word[:1].isupper() else counterpart
            yield stem + tail[: match.start()] + written + tail[match.end() :]


def _plain(word: str) -> str:
    return word if word[1:].isdigit() else word.lower()


def _tail(iri: str) -> str:
    """What stands after the last mark in an IRI: ``from`` in ``…/ns/people.place_lived.from``."""
    return re.split(r"[./#:]", iri)[-1]
