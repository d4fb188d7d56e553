"""Programs to be compiled: typical ones over Freebase's relations, and families that grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: What people ask of the systems that PyLF comes from: one to three constraints, most with a negative one. The first
#: three are the questions of the first figure of CUCKOO (arXiv 2604.14749), on Freebase's own relations.
TYPICAL = {
    "by Boeing, lighter": """\
boeing = START('m.0178g')
rockets = JOIN('R_spaceflight.rocket_manufacturer.rockets_manufactured', boeing)
light = CMP('<=', 'spaceflight.rocket.mass', 2.32e+3)
expression = STOP(AND(rockets, light))
""",
    "not by Boeing, lighter": """\
boeing = START('m.0178g')
rockets = JOIN('R_spaceflight.rocket_manufacturer.rockets_manufactured', boeing, neg=True)
light = CMP('<', 'spaceflight.rocket.mass', 2.32e+3)
expression = STOP(AND(rockets, light))
""",
    "by Boeing, another mass": """\
boeing = START('m.0178g')
rockets = JOIN('R_spaceflight.rocket_manufacturer.rockets_manufactured', boeing)
other = CMP('!=', 'spaceflight.rocket.mass', 2.32e+3)
expression = STOP(AND(rockets, other))
""",
    "a class and a negation": """\
rockets = START('spaceflight.rocket', kind='class')
elsewhere = JOIN('spaceflight.rocket.launch_sites', START('m.0k5f2'), neg=True)
expression = STOP(AND(rockets, elsewhere))
""",
    "two hops and a negation": """\
fuelled = JOIN('spaceflight.rocket.stages', JOIN('spaceflight.rocket_stage.fuel', START('m.04sh3')))
foreign = JOIN('spaceflight.rocket.country_of_origin', START('m.09c7w0'), neg=True)
expression = STOP(AND(fuelled, foreign))
""",
    "a date and a negation, of people": """\
parents = JOIN('R_people.person.parents', START('m.0d05w3'))
elsewhere = JOIN('people.person.place_of_birth', START('m.09c7w0'), neg=True)
late = CMP('>=', 'people.person.date_of_birth', '1950-07')
expression = STOP(AND(parents, elsewhere, late))
""",
    "the last of several": """\
films = JOIN('film.film.written_by', START('Woody Allen'))
others = JOIN('film.film.genre', START('m.07s9rl0'), neg=True)
expression = STOP(ARG('ARGMAX', AND(films, others), 'film.film.initial_release_date'))
""",
    "counted": """\
rockets = JOIN('spaceflight.rocket.manufacturer', START('m.0178g'))
elsewhere = JOIN('spaceflight.rocket.launch_sites', START('m.0k5f2'), neg=True)
expression = STOP(COUNT(AND(rockets, elsewhere)))
""",
}

_CLASS = "aviation.aircraft_model"
_VARIANTS = f"{_CLASS}.variants"
_MODEL = "START('m.0d05w3')"


def chain(size: int) -> str:
    """JOINs one upon the other, under one name."""
    return "\n".join([f"x = {_MODEL}", *[f"x = JOIN('{_VARIANTS}', x)"] * (size - 2), "x = STOP(x)"])


def names(size: int) -> str:
    """JOINs one upon the other, each under a name of its own."""
    lines = [f"x{n} = JOIN('{_VARIANTS}', x{n - 1})" for n in range(1, size - 1)]
    return "\n".join([f"x0 = {_MODEL}", *lines, f"x = STOP(x{size - 2})"])


def conjunction(size: int) -> str:
    """One AND of many sets, all of them different."""
    sets = [f"JOIN('{_VARIANTS}', 'm.{n}')" for n in range((size - 2) // 2)]
    return f"x = AND({', '.join(sets)})\nx = STOP(x)"


def equals(size: int) -> str:
    """One AND of sets that look alike: what a canonical form is slow at."""
    part = f"JOIN('{_VARIANTS}', JOIN('{_VARIANTS}', START('{_CLASS}', kind='class')))"
    return f"x = AND({', '.join([part] * max(2, (size - 2) // 3))})\nx = STOP(x)"


def union(size: int) -> str:
    """One OR of many sets."""
    return conjunction(size).replace("AND", "OR")


def comparisons(size: int) -> str:
    """One AND of comparisons."""
    sets = [f"CMP('<', '{_CLASS}.cruise_speed', {n})" for n in range(size - 2)]
    return f"x = AND({', '.join(sets)})\nx = STOP(x)"


def negations(size: int) -> str:
    """One AND of a set and many that are negated."""
    sets = [f"JOIN('{_VARIANTS}', 'm.{n}', neg=True)" for n in range((size - 3) // 2)]
    return f"x = AND(JOIN('{_VARIANTS}', 'm.a'), {', '.join(sets)})\nx = STOP(x)"


def brackets(size: int) -> str:
    """JOINs within JOINs."""
    opening = f"JOIN('{_VARIANTS}', " * (size - 2)
    return f"x = STOP({opening}{_MODEL}{')' * (size - 2)})"


def negation_chain(size: int) -> str:
    """Negations within negations."""
    lines = [f"x = {_MODEL}", *[f"x = JOIN('{_VARIANTS}', x, neg=True)"] * (size - 2), "x = STOP(x)"]
    return "\n".join(lines)


def superlatives(size: int) -> str:
    """Superlatives of superlatives."""
    line = f"x = ARG('ARGMAX', x, '{_CLASS}.introduced')"
    return "\n".join([f"x = {_MODEL}", *[line] * (size - 2), "x = STOP(x)"])


def differences(size: int) -> str:
    """Differences of differences."""
    line = f"x = MINUS(x, JOIN('{_VARIANTS}', 'm.a'))"
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
