"""What a mention may stand for, and who tells."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.ir.terms import Iri, Literal

#: candidates of a mention, where no number is given (CUCKOO's j, arXiv 2604.14749)
MOST = 10
#: what is taken from the score of a name that is spelled otherwise, or of a reading for each likelier one; and of a
#: name that is no label
_OTHERWISE = 0.01
_NO_LABEL = 0.02


class How(StrEnum):
    """How a candidate was found, surest first."""

    #: the mention is an IRI or an id, as the vocabulary writes one
    NAMED = "named"
    #: the mention is its label, or another name of it, but for case, accents and punctuation
    LABEL = "label"
    ALIAS = "alias"
    #: the mention is a number, a date or a quantity
    VALUE = "value"
    #: by likeness of a name, as the encoder or the spelling has it
    ENCODER = "encoder"
    LEXICAL = "lexical"


@record
class Linked:
    """One thing that a mention may stand for.

    ``name``: the name of it that was met. ``score``: from 0 to 1; of the mention itself 1, or a little less where it is
    spelled otherwise or is no label; else the cosine of the encoder, or, of what is spelled alike, the mean of the
    cosine of words and pieces and of the likeness letter by letter. ``classes``: IRIs of the classes that the graph
    states, sorted; of a value its datatype. ``is_class``: the thing is a class itself.
    """

    node: Iri | Literal
    name: str
    score: float
    how: How
    classes: tuple[str, ...] = ()
    is_class: bool = False


def score_of(mention: str, name: str, how: How) -> float:
    """The score of a name that a mention is, but for case, accents and punctuation."""
    return 1.0 - (name != mention) * _OTHERWISE - (how is How.ALIAS) * _NO_LABEL


def of_readings(text: str, readings: Iterable[Literal]) -> list[Linked]:
    """The values that a text may be, the likelier first."""
    return [
        Linked(one, text, 1.0 - place * _OTHERWISE, How.VALUE, (one.datatype,)) for place, one in enumerate(readings)
    ]


class Linker(Protocol):
    """Someone who links mentions to a graph. Threads may share one."""

    @property
    def identity(self) -> str:
        """What answers depend on: which names are met, and what tells which of them are alike."""
        ...

    def link_all(self, mentions: Sequence[str], k: int = MOST) -> list[list[Linked]]:
        """Up to ``k`` candidates of each mention, the likeliest first; no thing twice.

        Raises:
            EngineError: the graph does not answer.
        """
        ...

    def known(self, phrases: Sequence[str]) -> set[str]:
        """Those of the phrases that are names, but for case, accents and punctuation."""
        ...

    def of_schema(self, words: Iterable[str]) -> set[str]:
        """Those of the words that classes or relations of the schema are called by, alone or among others."""
        ...
