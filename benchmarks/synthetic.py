"""A made-up graph of films and people: as large as is asked for, from a seed, with the proportions of a real one.

How many triples of each relation there are for a person or a film, which part of them has any, and how popular the most
popular is were counted on the films of FB15k-237 (people.person, film.film, award nominations), and rounded. So a film
has some six actors and an actor plays in five films, half of the films are from one country, and six of ten people too.
What a draw favours is a power law: of n things the k-th is drawn about (k/n)^(1/s - 1) times as often as the last, and
the first has n^(-1/s) of all draws.

Domains and ranges are stated and true, every entity has its class, numbers and dates are typed, and some release dates
are years alone.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NAMESPACE = "http://made.up/"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
#: class: members for each million triples
_CLASSES = {"person": 50_000, "film": 21_200, "town": 8_000, "prize": 1_000, "trade": 400, "genre": 300, "country": 200}
#: relation: domain, range, triples for each million, which part of the domain has any, how steeply subjects and objects
#: are drawn (1: all alike)
_RELATIONS = {
    "nationality": ("person", "country", 56_000, 0.98, 1, 10),
    "trade": ("person", "trade", 147_500, 0.97, 1.4, 3.8),
    "birthplace": ("person", "town", 30_500, 0.61, 1, 3.6),
    "prize": ("person", "prize", 145_500, 0.72, 1.4, 2),
    "worked_with": ("person", "person", 176_500, 0.5, 1.4, 1.4),
    "genre": ("film", "genre", 95_200, 0.98, 1, 3),
    "origin": ("film", "country", 29_500, 0.91, 1, 8),
    "within": ("town", "country", 8_000, 1, 1, 3),
    "played_in": ("person", "film", 0, 0.47, 1.4, 1.4),  # as many as are left: some 120,000
}
#: relation: domain, datatypes, triples for each million
_VALUES = {
    "height": ("person", "double", 31_500),
    "born": ("person", "date", 48_500),
    "takings": ("film", "integer", 10_000),
    "released": ("film", "date", 20_500),
}


def write(path: Path, triples: int = 1_000_000, seed: int = 5) -> None:
    """Writes exactly so many triples, all different, as N-Triples. At least some 30,000."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(_lines(triples, random.Random(seed)))


def _lines(triples: int, draw: random.Random) -> Iterator[str]:
    scale = triples / 1_000_000
    sizes = {name: max(10, int(size * scale)) for name, size in _CLASSES.items()}
    written = 0
    for line in _fixed(scale, sizes, draw):
        written += 1
        yield line
    yield from _drawn("played_in", triples - written, sizes, draw)


def _fixed(scale: float, sizes: dict[str, int], draw: random.Random) -> Iterator[str]:
    for name, (domain, range_, *_) in _RELATIONS.items():
        yield f"<{NAMESPACE}{name}> <{_RDFS}domain> <{NAMESPACE}{domain}> .\n"
        yield f"<{NAMESPACE}{name}> <{_RDFS}range> <{NAMESPACE}{range_}> .\n"
    for name, (domain, datatype, _) in _VALUES.items():
        yield f"<{NAMESPACE}{name}> <{_RDFS}domain> <{NAMESPACE}{domain}> .\n"
        if name != "released":  # it has years, too
            yield f"<{NAMESPACE}{name}> <{_RDFS}range> <{_XSD}{datatype}> .\n"
    for name, size in sizes.items():
        for number in range(size):
            yield f"<{NAMESPACE}{name}/{number}> <{_RDF}type> <{NAMESPACE}{name}> .\n"
    for name, (_, _, count, *_) in _RELATIONS.items():
        yield from _drawn(name, int(count * scale), sizes, draw)
    for name, (domain, _, count) in _VALUES.items():
        value = _MADE[name]
        for number in draw.sample(range(sizes[domain]), int(count * scale)):
            yield f"<{NAMESPACE}{domain}/{number}> <{NAMESPACE}{name}> {value(draw)} .\n"


def _drawn(name: str, count: int, sizes: dict[str, int], draw: random.Random) -> Iterator[str]:
    """So many different triples of a relation: one of each subject that has any, then as they are drawn."""
    domain, range_, _, part, left, right = _RELATIONS[name]
    subjects, chance = int(sizes[domain] * part), draw.random
    objects = subjects if range_ == domain else sizes[range_]  # people work with those who work with people
    seen: set[tuple[int, int]] = set()
    while len(seen) < count:
        subject = len(seen) if len(seen) < subjects else int(subjects * chance() ** left)
        pair = subject, int(objects * chance() ** right)
        if pair not in seen:
            seen.add(pair)
            yield f"<{NAMESPACE}{domain}/{pair[0]}> <{NAMESPACE}{name}> <{NAMESPACE}{range_}/{pair[1]}> .\n"


def _typed(lexical: str, datatype: str) -> str:
    return f'"{lexical}"^^<{_XSD}{datatype}>'


def _day(draw: random.Random, first: int, last: int) -> str:
    return f"{draw.randint(first, last)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"


def _released(draw: random.Random) -> str:
    if draw.random() < 0.1:
        return _typed(str(draw.randint(1920, 2025)), "gYear")
    return _typed(_day(draw, 1920, 2025), "date")


_MADE: dict[str, Callable[[random.Random], str]] = {
    "height": lambda draw: _typed(f"{draw.gauss(1.72, 0.1):.2f}", "double"),
    "born": lambda draw: _typed(_day(draw, 1880, 2005), "date"),
    "takings": lambda draw: _typed(str(int(draw.paretovariate(1.1) * 10_000)), "integer"),
    "released": _released,
}
