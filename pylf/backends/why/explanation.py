"""An explanation: what it holds, and the two forms it is given out in."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pylf.ir.terms import Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pylf.backends.why.evidence import Block, Emptiness, Evidence
    from pylf.errors import EngineError, Source, Span
    from pylf.ir.nodes import Count, Form
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """Why a query has the answers that it has, on one state of a graph.

    ``blocks`` are the answers that are explained, of ``total``: those of a set or of rows, the members of
    ``counted``, one solution of a "yes". ``about`` is what else holds of a counted number. ``empty`` is why there is
    no answer, where there is none. ``failure`` is what the engine failed with, if it did: the explanation is what was
    found by then. ``untold`` says why something is missing where its size is not the reason.
    """

    form: Form
    snapshot: str
    total: int
    blocks: tuple[Block, ...]
    about: tuple[Evidence, ...]
    empty: Emptiness | None
    counted: Count | None
    schema: Schema
    vocabulary: Vocabulary
    labels: Mapping[Node, str]
    untold: str = ""
    failure: EngineError | None = None

    @property
    def span(self) -> Span | None:
        """Where in the program the conjunct that emptied the answer comes from, as far as that is known."""
        return None if self.empty is None else self.empty.span

    def render(self, source: Source | None = None) -> str:
        """The explanation for a terminal, without trailing line break; with the program's ``source``, the place of the
        conjunct that emptied the answer is told as line and column."""
        from pylf.backends.why.text import Text

        return Text(self, source).render()

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<Explanation of a {self.form.value} of {self.total} on {self.snapshot[:16]}>"

    def to_json(self) -> dict[str, Any]:
        """The explanation as plain data, valid JSON; every IRI in full."""
        from pylf.backends.why.plain import plain

        return plain(self)


def nodes_in(things: Iterable[object]) -> set[Node]:
    """The entities that occur in evidence, at any depth."""
    found: set[Node] = set()
    todo = list(things)
    while todo:
        thing = todo.pop()
        if isinstance(thing, Iri | Blank):
            found.add(thing)
        elif isinstance(thing, tuple):
            todo.extend(thing)
        elif dataclasses.is_dataclass(thing) and not isinstance(thing, Literal | type):
            todo.extend(getattr(thing, field.name) for field in dataclasses.fields(thing))
    return found
