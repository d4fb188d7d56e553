"""The words in which findings speak of s-expressions and of graph queries."""

from __future__ import annotations

from pylf.language.wording import Wording


class _OtherForm(Wording):
    superlative = "a superlative"
    comparison = "a comparison"
    now = "NOW"

    def labelled(self, written: str) -> str:
        return f"entities are named by id; PyLF's START({written!r}, kind='entity') looks a label up"

    def in_full(self, iri: str) -> str:
        return f"<{iri}>"


class _SExpressions(_OtherForm):
    path = "(JOIN first second)"

    def relation(self, name: str, inverse: bool) -> str:
        return f"'(R {name})'" if inverse else repr(name)

    def join(self, name: str, inverse: bool, of: str = "…") -> str:
        return f"(JOIN (R {name}) {of})" if inverse else f"(JOIN {name} {of})"


class _GraphQueries(_OtherForm):
    path = "a node between the two"

    def relation(self, name: str, inverse: bool) -> str:
        return f"{name!r} (from its end)" if inverse else repr(name)

    def join(self, name: str, inverse: bool, of: str = "…") -> str:
        return f"with 'start' and 'end' of {name!r} exchanged"


S_EXPRESSIONS = _SExpressions()
GRAPH_QUERIES = _GraphQueries()
