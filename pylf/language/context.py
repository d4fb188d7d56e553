"""What a program is compiled against: schema, vocabulary, perhaps a graph, and the choices that change its meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pylf.records import record

if TYPE_CHECKING:
    from pylf.ir.graph import Graph
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

Negation = Literal["cwa", "pca"]


@record
class Context:
    """The surroundings of one compilation.

    ``graph``, when there is one, turns labels into entities and tells the classes of an entity.
    ``negation`` is the reading of ``neg=True``: the closed world (``cwa``) or partial completeness (``pca``).
    ``lenient`` makes a provable type clash a warning and an empty set, and lets unlisted relation names through.
    ``strict`` refuses every name that the schema does not list, written in full or not.
    ``today`` is the date that ``TC(…, 'NOW')`` means, as ``YYYY-MM-DD``; None asks the clock.
    ``exclude_topic`` removes the program's own entities from its answers, as some published converters do.
    """

    schema: Schema
    vocabulary: Vocabulary
    graph: Graph | None = None
    negation: Negation = "cwa"
    lenient: bool = False
    today: str | None = None
    exclude_topic: bool = False
    strict: bool = False
