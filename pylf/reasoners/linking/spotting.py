"""The mentions in a question: names that a graph knows, values, and what is written like a name.

The longest names win, from left to right, whether they are written with capitals or not. What stands in square brackets
or in quotes is a mention, as in MetaQA. A question in capitals alone is read as one in small letters. Where no name is
met, names are looked for that are spelled almost as the question has them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import Span
from pylf.reasoners.linking.candidate import MOST, How, Linked, of_readings
from pylf.reasoners.linking.folding import folded
from pylf.reasoners.linking.little import FUNCTION, LITTLE
from pylf.reasoners.linking.values import TypedValue, values_in
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pylf.reasoners.linking.candidate import Linker

#: words of a name, and characters of a question that is looked at
_WORDS = 9
_LONGEST = 2_000
#: what may end a word that owns something is a word of its own: Obama's
_WORD = re.compile(r"[^\W_]+(?:(?:['’](?!s(?!\w))|[.&/-])+[^\W_]+)*(?:\+\+|#)?", re.IGNORECASE)
_OWNING = re.compile(r"\s*['’]s\s+", re.IGNORECASE)
_MARKED = re.compile(r"\[(?P<bracket>[^\[\]]+)\]|\"(?P<double>[^\"]+)\"|“(?P<printed>[^“”]+)”")
#: how like a name is, letter by letter (2·M/T of difflib), of which a phrase is a slip; and the shortest such phrase
_SLIP = 0.86
_SHORTEST = 5


@record
class Mention:
    """A mention: its text and place in the question, and what it may stand for, the likeliest first.

    ``sure``: no word alone in small letters that the schema's classes or relations are called by too, and no slip.
    """

    text: str
    span: Span
    linked: tuple[Linked, ...]
    value: TypedValue | None = None
    sure: bool = True


def link_question(question: str, linker: Linker, k: int = MOST) -> tuple[Mention, ...]:
    """The mentions in a question with up to ``k`` candidates each, in the order of the text; none overlaps another.

    What is written with capitals and is no name is looked for by likeness, and is no mention where nothing is alike.

    Raises:
        EngineError: the graph does not answer.
    """
    if k < 1:
        return ()
    text = question[:_LONGEST]
    small = text.lower()
    # where all is in capitals they tell nothing
    asked = _Asked(small if text.upper() == text and len(small) == len(text) else text, linker, k)
    marked = [Span(*found.span(found.lastgroup or 0)) for found in asked.marked]
    found = [*asked.linked(marked), *asked.names()]
    values = [value for value in values_in(text) if not _meets(value.span, asked.taken)]
    values = [value for value in values if not _meets(value.span, [one.span for one in found])]
    found += asked.linked(asked.capitals([one.span for one in found] + [value.span for value in values]))
    if not any(one.sure and not one.linked[0].is_class for one in found):
        found += asked.slips([one.span for one in found if one.sure] + [value.span for value in values])
        found = [one for one in found if one.sure or not _meets(one.span, [o.span for o in found if o is not one])]
    mentions = [Mention(text[one.span.start : one.span.end], one.span, one.linked, None, one.sure) for one in found]
    mentions += [Mention(one.text, one.span, tuple(of_readings(one.text, one.readings)), one) for one in values]
    return tuple(sorted(mentions, key=lambda mention: mention.span))


class _Asked:
    """A question as its words are looked at."""

    def __init__(self, text: str, linker: Linker, k: int) -> None:
        self._text = text
        self._linker = linker
        self._k = k
        self.marked = list(_MARKED.finditer(text))
        self.taken = [Span(*found.span()) for found in self.marked]
        self._words = [Span(*w.span()) for w in _WORD.finditer(text) if not _meets(Span(*w.span()), self.taken)]
        self._small = [text[start:end].lower() for start, end in self._words]
        self._begins_large = [text[start].isupper() for start, _ in self._words]

    def linked(self, spans: Sequence[Span]) -> list[Mention]:
        """Those of the spans that may stand for something, with what that is."""
        texts = [self._text[start:end] for start, end in spans]
        return [
            Mention(text, span, tuple(one))
            for text, span, one in zip(texts, spans, self._linker.link_all(texts, self._k), strict=True)
            if one
        ]

    # --- names ----------------------------------------------------------------------------------------------------

    def names(self) -> list[Mention]:
        """Phrases that are names, the longest first from each word on."""
        phrases = list(self._phrases())
        text_of: dict[tuple[int, int] | None, str] = {place: self._said(*place) for place in phrases}
        known = self._linker.known(list(dict.fromkeys(text_of.values())))
        found: list[tuple[int, int]] = []
        for place in phrases:
            core = self._core(*place)
            if (found and place[0] <= found[-1][1]) or text_of[place] not in known:
                continue
            # "in boston" is Boston, though there be a film of that name
            if core in (None, place) or self._keeps_edges(*place) or text_of.get(core, "") not in known:
                found.append(place)
        places = {self._span(*place): place for place in found}
        covered = {n for first, last in found for n in range(first, last + 1)}
        of_schema = self._linker.of_schema([self._small[first] for first, last in found if first == last])
        mentions = []
        for one in self.linked(list(places)):
            first, last = places[one.span]
            if self._is_meant(one, first, last, covered):
                common = first == last and one.text == self._small[first] and self._small[first] in of_schema
                mentions.append(Mention(one.text, one.span, one.linked, sure=not common))
        return mentions

    def _phrases(self) -> Iterator[tuple[int, int]]:
        """The first and last words of phrases; the longest of each first word first."""
        for first in range(len(self._words)):
            for last in range(min(first + _WORDS, len(self._words)) - 1, first - 1, -1):
                between = self._text[self._words[last - 1].end : self._words[last].start] if last > first else ""
                if "?" not in between and (self._core(first, last) is not None or self._keeps_edges(first, last)):
                    yield first, last

    def _core(self, first: int, last: int) -> tuple[int, int] | None:
        """A phrase without the little words at its ends; None where nothing is left."""
        while first <= last and self._small[first] in LITTLE:
            first += 1
        while last >= first and self._small[last] in LITTLE:
            last -= 1
        return (first, last) if first <= last else None

    def _keeps_edges(self, first: int, last: int) -> bool:
        """Whether little words at the ends belong to a phrase: it has capitals within the question ("The Who"), or is a
        name of what someone owns ("mcdonald's")."""
        if last == first:
            return False
        owning = self._small[last] == "s" and self._text[self._words[last].start - 1] in "'’"
        large = self._words[first].start > 0 and all(self._begins_large[first : last + 1])
        return large or (owning and self._core(first, last) == (first, last - 1))

    def _is_meant(self, one: Mention, first: int, last: int, covered: set[int]) -> bool:
        """Whether a phrase that is a name is meant as one."""
        if one.linked[0].is_class:
            # "Boing Company" is a name that is not known, and no company
            beside = [n for n in (first - 1, last + 1) if 0 < n < len(self._words) and n not in covered]
            return not self._begins_large[first] or not any(self._begins_large[n] for n in beside)
        return first != last or one.text != self._small[first] or one.text not in FUNCTION

    # --- what is like a name --------------------------------------------------------------------------------------

    def capitals(self, taken: Sequence[Span]) -> list[Span]:
        """Runs of words with capitals, of which one at least is no little one."""
        runs: list[tuple[int, int]] = []
        for n, word in enumerate(self._words):
            if not self._begins_large[n] or (n == 0 and self._small[0] in LITTLE) or _meets(word, taken):
                continue
            between = self._text[self._words[runs[-1][1]].end : word.start] if runs else "-"
            if not between.strip() or _OWNING.fullmatch(between):
                runs[-1] = runs[-1][0], n
            else:
                runs.append((n, n))
        return [self._span(*run) for run in runs if self._core(*run) is not None]

    def slips(self, taken: Sequence[Span]) -> list[Mention]:
        """Phrases that are spelled almost as a name is, the likest first; none overlaps another."""
        free = [not _meets(word, list(taken)) for word in self._words]
        of_schema = self._linker.of_schema(self._small)
        places = [
            place
            for place in self._phrases()
            if place == self._core(*place)
            and all(free[place[0] : place[1] + 1])
            and not all(word in of_schema or word in FUNCTION for word in self._small[place[0] : place[1] + 1])
            and self._span(*place).end - self._span(*place).start >= _SHORTEST
        ]
        scored = [(_likeness(one), one) for one in self.linked([self._span(*place) for place in places])]
        found: list[Mention] = []
        for likeness, one in sorted(scored, key=lambda pair: (-pair[0], pair[1].span)):
            if likeness >= _SLIP and not _meets(one.span, [other.span for other in found]):
                found.append(Mention(one.text, one.span, one.linked, sure=False))
        return found

    def _said(self, first: int, last: int) -> str:
        return self._text[self._words[first].start : self._words[last].end]

    def _span(self, first: int, last: int) -> Span:
        return Span(self._words[first].start, self._words[last].end)


def _likeness(mention: Mention) -> float:
    """How alike a mention and the likest entity's name are, letter by letter; 0 of what is no entity."""
    from difflib import SequenceMatcher

    best = mention.linked[0]
    said, name = folded(mention.text), folded(best.name)
    # who slips, seldom does at the first letter
    if best.is_class or best.how not in {How.LEXICAL, How.ENCODER} or said[:1] != name[:1]:
        return 0.0
    return SequenceMatcher(None, said, name, autojunk=False).ratio()


def _meets(span: Span, others: Sequence[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)
