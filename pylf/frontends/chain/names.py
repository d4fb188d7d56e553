"""Which way a relation's name leads: from what a chain writes to what ``JOIN`` takes, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError
from pylf.ir.schema.names import resolve_relation_iri
from pylf.language.names import INVERSE

if TYPE_CHECKING:
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary


class Directions:
    """The names of relations under one schema and vocabulary.

    A name of PyLF's that begins with ``R_`` is a relation turned, unless the schema lists one of that very name; a
    chain reads names in the same way.
    """

    __slots__ = ("schema", "vocabulary")

    def __init__(self, schema: Schema, vocabulary: Vocabulary) -> None:
        self.schema = schema
        self.vocabulary = vocabulary

    def read(self, text: str) -> tuple[str, bool]:
        """A relation's name without ``R_``, and whether that stood there and turned it."""
        if text.startswith(INVERSE) and len(text) > len(INVERSE) and not self._listed(text):
            return text[len(INVERSE) :], True
        return text, False

    def written(self, name: str, inverse: bool) -> str:
        """What PyLF reads as this relation, or as this relation turned."""
        if not inverse:
            return name
        turned = INVERSE + name
        if not self._listed(turned):
            return turned
        # turned, it would be read as a relation of its own: in full it is not
        found = self._listed(name)
        return f"{INVERSE}<{found[0]}>" if len(found) == 1 else turned

    def _listed(self, name: str) -> tuple[str, ...]:
        """The relations that the schema lists under a name."""
        try:
            iri = resolve_relation_iri(name, self.vocabulary)
        except CompileError:  # what is wrong with it is said when it is looked up
            return ()
        if iri is not None and self.schema.relation(iri) is not None:
            return (iri,)
        return self.schema.relations_named(name)
