"""Counts for schema inference over what an Oxigraph store holds.

A scan of a store on disk costs 5–6 µs a triple, most of it Oxigraph's look-ups from its own ids to text; ``GROUP BY``
would pay them again for each of the questions that inference asks. To read the files a second time costs less than
half of that, and gives the same counts where no triple stands in them twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.engines.reading import parse
from pylf.ir.schema.statistics import Tally
from pylf.ir.terms import RDF_LANG_STRING, XSD_STRING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyoxigraph

    from pylf.backends.engines.reading import AnyPath

#: literals of other datatypes than these may be stored in another spelling than they were written in
_KEPT = frozenset({XSD_STRING, RDF_LANG_STRING})


def scan(store: pyoxigraph.Store) -> tuple[Tally, int]:
    """The counts over all triples (one that several named graphs hold counts once), and how many triples were passed
    over because they hold a triple term (RDF 1.2)."""
    from pyoxigraph import DefaultGraph

    named = bool(next(iter(store.named_graphs()), None))
    quads = store.quads_for_pattern(None, None, None, None if named else DefaultGraph())
    counter = _Counter()
    skipped = counter.count(_distinct(quads) if named else (quad.triple for quad in quads))
    return counter.tally, skipped


def count_files(paths: Iterable[AnyPath], base: str | None, triples: int) -> tuple[Tally, int] | None:
    """The same as :func:`scan` for a store of that many triples into which these files were loaded, taken from the
    files; None where they hold some triple more than once, so that only the store can tell."""
    counter = _Counter(respelled=True)
    skipped = sum(counter.count(quad.triple for quad in parse(path, base)) for path in paths)
    return (counter.finished(), skipped) if counter.triples == triples else None


class _Counter:
    """Feeds a tally. ``respelled``: literals come as written, and are to be counted as Oxigraph stores them."""

    def __init__(self, respelled: bool = False) -> None:
        self.tally = Tally()
        self.triples = 0
        self._respelled = respelled
        self._held: dict[tuple[str, str], list[tuple[str, str]]] = {}

    def count(self, triples: Iterable[pyoxigraph.Triple]) -> int:
        """Counts triples; returns how many it had to pass over."""
        from pyoxigraph import BlankNode, NamedNode
        from pyoxigraph import Literal as OxLiteral

        add, add_literal = self.tally.add, self.tally.add_literal
        held = self._held if self._respelled else None
        seen = skipped = 0
        for subject, predicate, value in triples:
            seen += 1
            if isinstance(subject, NamedNode):
                key = subject.value
            elif isinstance(subject, BlankNode):
                key = f"_:{subject.value}"
            else:
                skipped += 1
                continue
            if isinstance(value, NamedNode):
                add(key, predicate.value, value.value)
            elif isinstance(value, OxLiteral):
                datatype = value.datatype.value
                if held is None or datatype in _KEPT:
                    add_literal(key, predicate.value, value.value, datatype, value.language)
                else:
                    held.setdefault((value.value, datatype), []).append((key, predicate.value))
            elif isinstance(value, BlankNode):
                add(key, predicate.value, f"_:{value.value}")
            else:
                skipped += 1
        self.triples += seen
        return skipped

    def finished(self) -> Tally:
        """The tally, the literals that were held back counted as Oxigraph would store them."""
        import pyoxigraph
        from pyoxigraph import Literal as OxLiteral
        from pyoxigraph import NamedNode, Quad

        store = pyoxigraph.Store()
        held = list(self._held.items())
        any_relation = NamedNode("urn:x")
        store.extend(
            Quad(NamedNode(f"urn:{number}"), any_relation, OxLiteral(lexical, datatype=NamedNode(datatype)))
            for number, ((lexical, datatype), _) in enumerate(held)
        )
        for subject, _, stored, _ in store:
            assert isinstance(subject, NamedNode)
            assert isinstance(stored, OxLiteral)
            lexical, datatype = stored.value, stored.datatype.value
            for owner, predicate in held[int(subject.value[4:])][1]:
                self.tally.add_literal(owner, predicate, lexical, datatype, None)
        return self.tally


def _distinct(quads: Iterable[pyoxigraph.Quad]) -> Iterable[pyoxigraph.Triple]:
    seen: set[pyoxigraph.Triple] = set()
    for quad in quads:
        triple = quad.triple
        if triple not in seen:
            seen.add(triple)
            yield triple
