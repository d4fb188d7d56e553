"""Linking mentions against the names of a graph: building what is kept, opening it, and a mention's candidates."""

from __future__ import annotations

import time
from functools import partial
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING

from benchmarks.tables import median, percentile, table
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.graphs import empty_schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import RDF, RDFS, Iri, Literal
from pylf.models.encoders.needs import has
from pylf.reasoners.linking.linker import NameLinker
from pylf.reasoners.linking.names import Names, write_names
from pylf.reasoners.linking.stated import names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import TypeVar

    from pylf.ir.graph import TripleRow
    from pylf.models.encoders.protocol import Vectors

    T = TypeVar("T")

_NAMES = 100_000
_QUERIES = 300
#: each with names that are opened anew
_ROUNDS = 3
_BEGINNINGS = ("", *"bcdfghjklmnprstvwz", "br", "ch", "cl", "fr", "gr", "kr", "pl", "pr", "sch", "sh", "st", "th", "tr")
_VOWELS = ("a", "e", "i", "o", "u", "y", "ai", "ea", "ou")
_ENDS = ("", "", "", "n", "r", "s", "l", "t", "m", "ck", "nd", "ng", "rt", "st", "x")
_DIMENSION = 384


def report(scratch: Path) -> str:
    """The table, as Markdown."""
    random = Random(5)
    names = _names(random)
    graph = OxigraphEngine.memory(_triples(names))
    vocabulary, schema = load("rdf"), empty_schema()
    path = scratch / "names.sqlite"
    built, _ = _timed(lambda: write_names(path, names_of(graph, schema, vocabulary)))
    opened, kept = _timed(lambda: Names(path))
    wanted = random.sample(names, _QUERIES)
    slips = [_slip(random, name) for name in wanted]
    ways = (
        {"by the standard library": False, "with numpy": True} if has("numpy") else {"by the standard library": False}
    )
    rows = []
    for how, numpy in ways.items():
        opened_anew = partial(_by_spelling, path, numpy, graph)
        rows.append(_row(f"a name as it is, by spelling, {how}", opened_anew, wanted, wanted))
        rows.append(_row(f"a name with a slip, by spelling, {how}", opened_anew, slips, wanted))
    rows += _with_vectors(scratch, kept, graph, wanted)
    words = (
        f"{len(kept):,} names of {len(kept):,} entities in a graph in memory, the classes of the ten candidates looked "
        f"up; {_QUERIES} mentions, each new, the least of {_ROUNDS} rounds with names opened anew. Names read, indexed "
        f"and written in {built:.1f} s, opened in {1e3 * opened:.0f} ms. Encoding is not counted: the vectors of "
        "mentions are at hand. `found` is the share of mentions with the right one among the ten. Goal: 20 ms."
    )
    return f"{words}\n\n{table(['ms for a mention', 'median', '99 %', 'found', 'goal'], rows)}"


def _by_spelling(path: Path, numpy: bool, graph: OxigraphEngine) -> NameLinker:
    return NameLinker(Names(path, numpy=numpy), empty_schema(), load("rdf"), graph)


def _row(title: str, opened_anew: Callable[[], NameLinker], mentions: list[str], wanted: list[str]) -> list[str]:
    times = [float("inf")] * len(mentions)
    found = 0
    for _ in range(_ROUNDS):
        linker = opened_anew()
        linker.link(wanted[0][::-1])
        found = 0
        for place, (mention, name) in enumerate(zip(mentions, wanted, strict=True)):
            seconds, linked = _timed(partial(linker.link, mention))
            times[place] = min(times[place], 1e3 * seconds)
            found += any(one.name == name for one in linked)
    share = f"{100 * found / len(wanted):.0f} %"
    return [title, f"{median(times):.1f}", f"{percentile(times, 0.99):.1f}", share, "≤ 20"]


def _with_vectors(scratch: Path, names: Names, graph: OxigraphEngine, wanted: list[str]) -> list[list[str]]:
    """The row of an encoder whose vectors are at hand: drawn ones of the length of MiniLM's."""
    if not has("numpy"):
        return []
    from pylf.models.vectors.index import VectorIndex

    encoder = _Drawn()
    keys, texts = names.all()
    index = VectorIndex.create(scratch / "vectors", encoder)
    index.add(keys, texts)
    linker = NameLinker(names, empty_schema(), load("rdf"), graph, index)
    return [_row("a name as it is, by vectors", lambda: linker, wanted, wanted)]


class _Drawn:
    """Vectors that are drawn once for each text."""

    name = "drawn"
    identity = "drawn 1"
    dimension = _DIMENSION

    def encode(self, texts: Sequence[str]) -> Vectors:
        import zlib

        import numpy as np

        from pylf.models.encoders.protocol import unit_rows

        rows = [np.random.default_rng(zlib.crc32(text.encode())).standard_normal(_DIMENSION) for text in texts]
        return unit_rows(np.array(rows, dtype=np.float32).reshape(len(texts), _DIMENSION), self.name)


def _names(random: Random) -> list[str]:
    """Different names of one to four words, some words much commoner than others."""
    parts = [begin + vowel + end for begin in _BEGINNINGS for vowel in _VOWELS for end in _ENDS]
    words = sorted({"".join(random.choices(parts, k=random.randint(1, 3))) for _ in range(40_000)})
    weights = list(accumulate(1 / (1 + place) for place in range(len(words))))
    random.shuffle(words)
    found: dict[str, None] = {}
    while len(found) < _NAMES:
        for count in (1, 2, 2, 3, 4):
            found[" ".join(word.capitalize() for word in random.choices(words, cum_weights=weights, k=count))] = None
    return list(found)[:_NAMES]


def _triples(names: list[str]) -> Iterator[TripleRow]:
    for place, name in enumerate(names):
        entity = Iri(f"http://e/{place}")
        yield entity, Iri(RDFS + "label"), Literal(name)
        yield entity, Iri(RDF + "type"), Iri(f"http://e/class/{place % 50}")


def _slip(random: Random, name: str) -> str:
    place = random.randrange(len(name))
    return name[:place] + name[place + 1 :] if random.random() < 0.5 else name[:place] + "e" + name[place:]


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    done = work()
    return time.perf_counter() - start, done
