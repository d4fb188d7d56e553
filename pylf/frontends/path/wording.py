"""The words in which findings speak of paths."""

from __future__ import annotations

from pylf.language.wording import Wording


class _Paths(Wording):
    entity = "<IRI>"
    path = "… -> first -> ? -> second -> …"

    def relation(self, name: str, inverse: bool) -> str:
        return f"'<- {name} <-'" if inverse else f"'-> {name} ->'"

    def join(self, name: str, inverse: bool, of: str = "…") -> str:
        return f"?x <- {name} <- {of}" if inverse else f"?x -> {name} -> {of}"

    def labelled(self, written: str) -> str:
        return f"{written!r} is read as a value beside a relation that leads to values"

    def in_full(self, iri: str) -> str:
        return f"<{iri}>"


PATHS = _Paths()
