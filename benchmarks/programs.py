"""Programs to be compiled: typical ones over Freebase's relations, and families that grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: What people ask of the systems that PyLF comes from: two or three constraints, one of them negative.
TYPICAL = {
    "not by Boeing, lighter": """\
boeing = START('m.0178g')
rockets = JOIN('R_spaceflight.rocket_manufacturer.rockets_manufactured', boeing, neg=True)
light = CMP('<', 'spaceflight.rocket.mass', 2.32e+3)
expression = STOP(AND(rockets, light))
""",
    "two hops, a date, a negation": """\
parents = JOIN('R_people.person.parents', START('m.0d05w3'))
here = JOIN('people.person.place_of_birth', START('m.09c7w0'), neg=True)
late = CMP('>=', 'people.person.date_of_birth', '1950-07')
expression = STOP(AND(parents, here, late))
""",
    "the last of several": """\
films = JOIN('film.film.written_by', START('Woody Allen'))
drama = JOIN('film.film.genre', START('m.07s9rl0'), neg=True)
expression = STOP(ARG('ARGMAX', AND(films, drama), 'film.film.initial_release_date'))
""",
    "counted": """\
makers = JOIN('spaceflight.rocket.manufacturer', START('m.0178g'))
sites = JOIN('spaceflight.rocket.launch_sites', START('m.0k5f2'), neg=True)
expression = STOP(COUNT(AND(makers, sites, START('spaceflight.rocket', kind='class'))))
""",
}

_MODEL = "START('m.0d05w3')"


def chain(size: int) -> str:
    """JOINs one upon the other, each with a name."""
    lines = [f"x = {_MODEL}", *["x = JOIN('aviation.aircraft_model.variants', x)"] * (size - 2), "x = STOP(x)"]
    return "\n".join(lines)


def names(size: int) -> str:
    """The same, every name used once."""
    lines = [f"x0 = {_MODEL}"]
    lines += [f"x{n} = JOIN('aviation.aircraft_model.variants', x{n - 1})" for n in range(1, size - 1)]
    return "\n".join([*lines, f"x = STOP(x{size - 2})"])


def conjunction(size: int) -> str:
    """One AND of many sets, all of them different."""
    sets = [f"JOIN('aviation.aircraft_model.variants', 'm.{n}')" for n in range((size - 2) // 2)]
    return f"x = AND({', '.join(sets)})\nx = STOP(x)"


def equals(size: int) -> str:
    """One AND of sets that look alike: what a canonical form is slow at."""
    part = "JOIN('aviation.aircraft_model.variants', JOIN('aviation.aircraft_model.variants', START('aviation.aircraft_model', kind='class')))"
    return f"x = AND({', '.join([part] * max(2, (size - 2) // 3))})\nx = STOP(x)"


def union(size: int) -> str:
    """One OR of many sets."""
    return conjunction(size).replace("AND", "OR")


def comparisons(size: int) -> str:
    """One AND of comparisons."""
    sets = [f"CMP('<', 'aviation.aircraft_model.cruise_speed', {n})" for n in range(size - 2)]
    return f"x = AND({', '.join(sets)})\nx = STOP(x)"


def negations(size: int) -> str:
    """One AND of a set and many that are negated."""
    sets = [f"JOIN('aviation.aircraft_model.variants', 'm.{n}', neg=True)" for n in range((size - 3) // 2)]
    return f"x = AND(JOIN('aviation.aircraft_model.variants', 'm.a'), {', '.join(sets)})\nx = STOP(x)"


def brackets(size: int) -> str:
    """JOINs within JOINs."""
    opening = "JOIN('aviation.aircraft_model.variants', " * (size - 2)
    return f"x = STOP({opening}{_MODEL}{')' * (size - 2)})"


def negation_chain(size: int) -> str:
    """Negations within negations."""
    lines = [
        f"x = {_MODEL}",
        *["x = JOIN('aviation.aircraft_model.variants', x, neg=True)"] * (size - 2),
        "x = STOP(x)",
    ]
    return "\n".join(lines)


def superlatives(size: int) -> str:
    """Superlatives of superlatives."""
    line = "x = ARG('ARGMAX', x, 'aviation.aircraft_model.introduced')"
    return "\n".join([f"x = {_MODEL}", *[line] * (size - 2), "x = STOP(x)"])


def differences(size: int) -> str:
    """Differences of differences."""
    line = "x = MINUS(x, JOIN('aviation.aircraft_model.variants', 'm.a'))"
    return "\n".join([f"x = {_MODEL}", *[line] * ((size - 2) // 3), "x = STOP(x)"])


#: Each family, and the greatest size that the limits on depth leave room for.
FAMILIES: dict[str, tuple[Callable[[int], str], int]] = {
    "JOINs, one name used again": (chain, 2_000),
    "JOINs, a name each": (names, 2_000),
    "AND of different JOINs": (conjunction, 2_000),
    "AND of equal JOINs": (equals, 2_000),
    "AND of comparisons": (comparisons, 2_000),
    "AND of negations": (negations, 2_000),
    "OR of JOINs": (union, 2_000),
    "differences of differences": (differences, 2_000),
    "JOINs in brackets": (brackets, 200),
    "negations within negations": (negation_chain, 100),
    "superlatives of superlatives": (superlatives, 100),
}
