"""The words in which findings speak of s-expressions, of graph queries, of chains and of subgraphs."""

from __future__ import annotations

from pylf.language.names import INVERSE
from pylf.language.wording import Wording

#: what one may say for 'largest' and 'smallest' in a chain
_LIKE_LARGEST = frozenset(
    ("biggest", "greatest", "heaviest", "highest", "last", "latest", "longest", "maximum", "most", "newest", "tallest")
)
_LIKE_SMALLEST = frozenset(("earliest", "fewest", "first", "least", "lightest", "lowest", "minimum", "shortest"))


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


class _Chains(Wording):
    superlative = "an order"
    comparison = "a comparison"
    time_constraint = "a time"
    difference = "'except'"
    entity = "<IRI>"
    path = "-> first -> second"
    now = "NOW"

    def relation(self, name: str, inverse: bool) -> str:
        # a hop of the main chain and one of a constraint turn the same JOIN differently
        return repr(name)

    def join(self, name: str, inverse: bool, of: str = "…") -> str:
        return f"({of} -> {'' if inverse else '~'}{name})"

    def closure(self, relation: str) -> str:
        return f"{relation}, repeated,"

    def beside(self, negated: str | None) -> str:
        if negated is None:
            return "X […]"
        name = negated.removeprefix(INVERSE)
        return f"X [-> not {'' if name == negated else '~'}{name} -> …]"

    def labelled(self, written: str) -> str:
        return f"the entities so labelled are entity {written!r}"

    def instead_of(self, label: str) -> tuple[str, ...]:
        for word, meant in (("largest", _LIKE_LARGEST), ("smallest", _LIKE_SMALLEST)):
            if label.lower() in meant:
                return (f"those with the {word} value are [{word} -> r]",)
        return ()

    def in_full(self, iri: str) -> str:
        return f"<{iri}>"


class _Subgraphs(Wording):
    entity = "<IRI>"

    def in_full(self, iri: str) -> str:
        return f"<{iri}>"

    def labelled(self, written: str) -> str:
        return f"a name in quotes is a label: {written!r}"


CHAINS = _Chains()
S_EXPRESSIONS = _SExpressions()
GRAPH_QUERIES = _GraphQueries()
SUBGRAPHS = _Subgraphs()
