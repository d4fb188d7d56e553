"""Linking at an endpoint whose names are too many to be read: it is asked who bears a label.

Names are met as they are written, with the first letter and with the first of every word a capital, in small letters
and in capitals, as labels and as other names. What is spelled alike is looked for among the schema's classes alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.terms import Iri
from pylf.reasoners.linking.candidate import MOST, How, Linked, score_of
from pylf.reasoners.linking.folding import folded, sound
from pylf.reasoners.linking.linker import chosen, literal_readings, with_classes
from pylf.reasoners.linking.stated import ALIASES
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.backends.engines.protocol import Engine
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.reasoners.linking.linker import NameLinker

#: answers that are remembered, and characters of a mention that is asked for
_REMEMBERED = 10_000
_LONGEST = 500


class AskedLinker:
    """Links mentions by look-ups of labels. ``classes``: links to the schema's classes."""

    def __init__(
        self,
        graph: Engine,
        schema: Schema,
        vocabulary: Vocabulary,
        classes: NameLinker,
        aliases: Sequence[str] = ALIASES,
    ) -> None:
        self._graph = graph
        self._schema = schema
        self._vocabulary = vocabulary
        self._classes = classes
        self._aliases = replace(vocabulary, label_predicates=tuple(aliases))
        self._languages = tuple(dict.fromkeys((*vocabulary.label_languages, *schema.languages)))
        self._known: dict[str, list[Linked]] = {}

    @property
    def identity(self) -> str:
        """That the endpoint is asked, and by which predicates."""
        told = (*self._vocabulary.label_predicates, *self._aliases.label_predicates)
        return f"asked by {', '.join(told)}; of classes: {self._classes.identity}"

    def of_schema(self, words: Iterable[str]) -> set[str]:
        """Those of the words that classes or relations of the schema are called by."""
        return self._classes.of_schema(words)

    def known(self, phrases: Sequence[str]) -> set[str]:
        """Those of the phrases that are names, as far as they are met."""
        return self._classes.known(phrases) | {phrase for phrase, one in self._bearing(phrases).items() if one}

    def link(self, mention: str, k: int = MOST) -> list[Linked]:
        """The candidates of one mention."""
        return self.link_all([mention], k)[0]

    def link_all(self, mentions: Sequence[str], k: int = MOST) -> list[list[Linked]]:
        """Up to ``k`` candidates of each mention.

        Raises:
            EngineError: the endpoint does not answer.
        """
        if k < 1:
            return [[] for _ in mentions]
        mentions = [sound(mention) for mention in mentions]
        classes = self._classes.link_all(mentions, k)
        bearing = self._bearing(mentions)
        found = [
            chosen([*literal_readings(mention, self._vocabulary), *bearing[mention], *of_classes], k)
            for mention, of_classes in zip(mentions, classes, strict=True)
        ]
        return with_classes(found, self._graph, self._schema, self._vocabulary)

    def _bearing(self, mentions: Sequence[str]) -> dict[str, list[Linked]]:
        """Who bears each name, as the first spelling has it that anything bears; all that is not known is asked at
        once."""
        found = {mention: self._known.get(" ".join(mention.split())) for mention in mentions}
        asked = dict.fromkeys([" ".join(mention.split()) for mention, known in found.items() if known is None])
        fresh = self._looked_up([name for name in asked if folded(name) and len(name) <= _LONGEST])
        if len(self._known) + len(asked) > _REMEMBERED:
            self._known.clear()
        self._known.update({name: fresh.get(name, []) for name in asked})
        return {
            mention: fresh.get(" ".join(mention.split()), []) if known is None else known
            for mention, known in found.items()
        }

    def _looked_up(self, names: Sequence[str]) -> dict[str, list[Linked]]:
        spellings = {
            name: dict.fromkeys((name, _large(name), name.title(), name.lower(), name.upper())) for name in names
        }
        wanted = list(dict.fromkeys(spelling for some in spellings.values() for spelling in some))
        if not wanted:
            return {}
        ways = [(self._vocabulary, How.LABEL), (self._aliases, How.ALIAS)]
        bearers = [(self._graph.bearers(wanted, vocabulary, self._languages), how) for vocabulary, how in ways]
        found = {}
        for name, some in spellings.items():
            borne = ((spelling, how, bears.get(spelling, ())) for spelling in some for bears, how in bearers)
            named = (
                [Linked(node, spelling, score_of(name, spelling, how), how) for node in nodes if isinstance(node, Iri)]
                for spelling, how, nodes in borne
            )
            found[name] = next(filter(None, named), [])
        return found


def _large(name: str) -> str:
    return name[:1].upper() + name[1:]
