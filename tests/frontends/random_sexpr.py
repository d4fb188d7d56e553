"""Random small graphs of films, and random s-expressions about them, for tests of what s-expressions mean.

The same questions are asked with the schema below and without any, of which they are understood a little otherwise:
:data:`WITH_SCHEMA` and :data:`WITHOUT` say how.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.api import empty_schema
from pylf.ir.terms import XSD, Iri, Literal, tagged
from tests.frontends.sexpr_meaning import NS, TYPE_PREDICATES, Known, Triple
from tests.frontends.small_freebase import schema_of
from tests.frontends.value_meaning import Kind

if TYPE_CHECKING:
    from random import Random

    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Node

ROLES = (
    "film.film film.film.sequel film.film",
    "film.film film.film.directed_by people.person",
    "people.person people.person.spouse people.person",
    "people.person people.person.appears_in film.film",
    "film.film film.film.shots type.int",
    "film.film film.film.rating type.float",
    "film.film film.film.released type.datetime",
    "film.film film.film.tagline type.text",
    "film.film film.film.code type.rawstring",
    "film.film film.film.silent type.boolean",
    "film.film film.film.sort type.type",
    "film.film common.topic.notable_types type.type",
    "people.person people.person.height type.float",
    "people.person people.person.born type.datetime",
    "people.person people.person.from type.datetime",
    "people.person people.person.to type.datetime",
    "people.person people.person.start_date type.datetime",
    "type.type type.type.instance type.object",
)
PARENTS = {"film.short": "film.film", "film.silent_short": "film.short", "film.director": "people.person"}

_SAID = frozenset(("type.object.type", "rdf:type", "common.topic.notable_types"))
_FROM_TO = ("people.person.from", "people.person.to")
_START_END = ("people.person.start_date", "people.person.end_date")
_KINDS = {"type.int": Kind.NUMBER, "type.float": Kind.NUMBER, "type.datetime": Kind.DATE, "type.text": Kind.WORDS}
_KINDS |= {"type.rawstring": Kind.STRING, "type.boolean": Kind.TRUTH}

WITH_SCHEMA = Known(
    kinds={name: _KINDS[range_] for _, name, range_ in map(str.split, ROLES) if range_ in _KINDS},
    below={"film.film": ("film.short", "film.silent_short"), "film.short": ("film.silent_short",)}
    | {"people.person": ("film.director",)},
    to_classes=_SAID | {"film.film.sort"},
    from_classes=frozenset(("type.type.instance",)),
    times=dict.fromkeys(_FROM_TO, _FROM_TO),
)
WITHOUT = Known(
    to_classes=_SAID,
    times=dict.fromkeys(_FROM_TO, _FROM_TO) | {"people.person.start_date": _START_END},
)


def schema(known: Known) -> Schema:
    """The schema that tells pylf what is known."""
    if known is WITHOUT:
        return empty_schema()
    return schema_of(
        [*ROLES, *(f"{c} {c}.seen type.int" for c in PARENTS)], None, {c: (p,) for c, p in PARENTS.items()}
    )


ENTITIES = tuple(f"m.0{n}" for n in range(5))
CLASSES = {"film": ("film.film", "film.short", "film.silent_short"), "person": ("people.person", "film.director")}
ALL_CLASSES = (*CLASSES["film"], *CLASSES["person"])
#: relation, what it leads from, what it leads to
LINKS = (
    ("film.film.sequel", "film", "film"),
    ("film.film.directed_by", "film", "person"),
    ("people.person.spouse", "person", "person"),
    ("people.person.appears_in", "person", "film"),
)
#: by what has them, relations to values; ``film.film.note`` is one that no schema lists
VALUED = {
    "film": {
        "film.film.shots": "number",
        "film.film.rating": "number",
        "film.film.released": "date",
        "film.film.tagline": "text",
        "film.film.code": "text",
        "film.film.silent": "truth",
        "film.film.note": "any",
    },
    "person": {
        "people.person.height": "number",
        "people.person.born": "date",
        "people.person.from": "date",
        "people.person.to": "date",
        "people.person.start_date": "date",
        "people.person.end_date": "date",
    },
}
#: literals of the graph: ``lexical datatype``, some of them ill-typed
_TYPED = {
    "number": "1 integer|2 integer|10 integer|010 int|-3 integer|1.0 decimal|2.5 double|2.5 float|1e1 double"
    "|16777217 float|16777216 integer|1990 integer|NaN double|INF double|-INF double|1e400 double|1e40 float"
    "|99999999999999999999 integer|many integer|2,5 decimal",
    "date": "1990 gYear|1991 gYear|-0044 gYear|12000 gYear|0000 gYear|1990-07 gYearMonth|1990-07-01 date"
    "|1990-07-01Z date|1990-12-31 date|-0044-03-15 date|-0044-03 gYearMonth|1990-02-30 date|1992-02-29 date"
    "|1990-07-01T00:00:00 dateTime|1990-06-30T24:00:00 dateTime|1990-07-01T12:00:00.50+02:00 dateTime"
    "|1990-07-01T12:00:00.5 dateTime|1990 dateTime|1990-13 gYearMonth|soon date",
    "truth": "true boolean|false boolean|1 boolean|yes boolean",
}
_GRAPH_VALUES: dict[str, tuple[Literal, ...]] = {
    sort: tuple(Literal(lexical, XSD + name) for lexical, name in (row.split(" ") for row in rows.split("|")))
    for sort, rows in _TYPED.items()
}
_GRAPH_VALUES["text"] = (
    *(tagged("many", "en"), tagged("many", "de"), tagged("a b", "en-GB"), Literal("many"), Literal("1990")),
    *(Literal("10"), Literal('say "a"^^b@en'), Literal("m.01"), Literal("film.film"), Literal("")),
)
_GRAPH_VALUES["any"] = tuple(value for values in _GRAPH_VALUES.values() for value in values)

#: constants as s-expressions write them
_CONSTANTS: dict[str, tuple[str, ...]] = {
    "number": (
        *("1", "2", "10", "-3", "2.5", "1e1", "+2", "1990", "1.00", '"10"', "-1e500"),
        *("1^^xsd:decimal", '"2.5"^^xsd:float', f"10^^{XSD}integer", f'"1e1"^^<{XSD}double>', "16777217^^xsd:float"),
        *("1990^^xsd:integer", "INF^^xsd:double", "NaN^^xsd:double"),
    ),
    "date": (
        *("1990", "-44", "-0044", "1991", "12000", "1990-07", "1990-07-01", '"1990-07"', "1990-07-01T12:00:00"),
        *("1990^^xsd:dateTime", "1990-07^^xsd:gYearMonth", f"1990-07-01^^{XSD}date", "-0044-03-15^^xsd:date"),
        *('"1990-07-01Z"^^xsd:date', "1990-02-30^^xsd:date", "1990-07-01T24:00:00^^xsd:dateTime", "0000^^xsd:gYear"),
        "1990-07-01T12:00:00.50+02:00^^xsd:dateTime",
    ),
    "text": ('"many"', '"many"@en', '"a b"@EN-gb', '"1990"', '"m.01"', '"10"^^xsd:string', '"say \\"a\\"^^b@en"'),
    "truth": ("true", "false", '"1"^^xsd:boolean', "true^^xsd:boolean"),
}
_CONSTANTS["text"] += ('"film.film"', '""', "10", '"1990"^^xsd:string')
_CONSTANTS["any"] = tuple(text for texts in _CONSTANTS.values() for text in texts)


def random_graph(rng: Random) -> list[Triple]:
    """Some 60 triples: classes said with either predicate, links, and values, few enough to tie, of which one in eight
    is of a sort that its relation should not have."""
    triples: list[Triple] = []
    pools = {sort: rng.sample(values, min(10, len(values))) for sort, values in _GRAPH_VALUES.items()}
    pools["any"] = list(_GRAPH_VALUES["any"])

    def say(subject: str, predicate: str, object_: Node) -> None:
        triples.append((Iri(NS + subject), Iri(predicate), object_))

    for entity in ENTITIES:
        for _ in range(rng.choice((1, 2, 3))):
            say(entity, rng.choice(TYPE_PREDICATES), Iri(NS + rng.choice(ALL_CLASSES)))
    for _ in range(rng.randint(12, 24)):
        relation = rng.choice(LINKS)[0]
        say(rng.choice(ENTITIES), NS + relation, Iri(NS + rng.choice(ENTITIES)))
    for _ in range(rng.randint(25, 40)):
        relation, sort = rng.choice([pair for relations in VALUED.values() for pair in relations.items()])
        say(rng.choice(ENTITIES), NS + relation, rng.choice(pools[sort if rng.random() < 0.875 else "any"]))
    for _ in range(4):
        relation = rng.choice(("film.film.sort", "common.topic.notable_types"))
        say(rng.choice(ENTITIES), NS + relation, Iri(NS + rng.choice(ALL_CLASSES)))
        say(rng.choice(ALL_CLASSES), NS + "type.type.instance", Iri(NS + rng.choice(ENTITIES)))
    return list(dict.fromkeys(triples))


class Questions:
    """Random s-expressions, as text. ``sort`` is what a set is of: ``film`` or ``person``."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def question(self) -> str:
        sort = self.rng.choice(("film", "person"))
        found = self.set_(sort, self.rng.choice((1, 2, 2, 3)))
        return f"(COUNT {found})" if self.rng.random() < 0.12 else found

    def set_(self, sort: str, depth: int) -> str:
        if depth <= 0:
            return self.atom(sort)
        rng = self.rng
        forms = ("atom", "link", "value", "classes", "and", "superlative", "comparison", "time")
        (form,) = rng.choices(forms, (5, 24, 13, 5, 15, 17, 22, 10))
        match form:
            case "atom":
                return self.atom(sort)
            case "link":
                step, far = rng.choice(self.steps(sort))
                return f"(JOIN {step} {self.set_(far, depth - 1)})"
            case "value":
                return self.value(sort, depth)
            case "classes":
                return self.of_classes(sort)
            case "and":
                return f"(AND {' '.join(self.set_(sort, depth - 1) for _ in range(rng.choice((2, 2, 2, 3))))})"
            case "superlative":
                mode = rng.choice(("ARGMAX", "ARGMIN"))
                return f"({mode} {self.set_(sort, depth - 1)} {self.path(sort, 'number', 'date', 'any')[0]})"
            case "comparison":
                relation, of = self.path(sort, "number", "date", "any")
                return f"({rng.choice(('lt', 'le', 'gt', 'ge'))} {relation} {self.constant(of, 'truth')})"
            case _:
                relation, _ = self.path(sort, "time")
                time = "NOW" if rng.random() < 0.2 else self.date()
                return f"(TC {self.set_(sort, depth - 1)} {relation} {time})"

    def atom(self, sort: str) -> str:
        entity = self.rng.choice(ENTITIES)
        named = self.rng.choice((entity, entity, f"ns:{entity}", f"<{NS}{entity}>"))
        return named if self.rng.random() < 0.4 else self.rng.choice(CLASSES[sort])

    def value(self, sort: str, depth: int) -> str:
        """What has a value: a constant, a value of something else, or a number of things."""
        rng = self.rng
        relation, of = rng.choice(list(VALUED[sort].items()))
        chance = rng.random()
        if chance < 0.2:
            other = rng.choice([name for name, as_well in VALUED[sort].items() if as_well == of])
            return f"(JOIN {relation} (JOIN (R {other}) {self.set_(sort, depth - 1)}))"
        if chance < 0.4 and of == "number":
            others = [name for name, as_well in VALUED[sort].items() if as_well == of]
            values = f"(JOIN (R {rng.choice(others)}) {self.set_(sort, depth - 1)})"
            number = rng.choice((f"(COUNT {self.set_(sort, depth - 1)})", f"(AND {values} {self.constant(of)})"))
            return f"(JOIN {relation} {number})"
        return f"(JOIN {relation} {self.constant(of)})"

    def of_classes(self, sort: str) -> str:
        """What a class itself, not its instances, is beside."""
        name = self.rng.choice(ALL_CLASSES)
        relations = ["type.object.type", "rdf:type", "(R type.type.instance)"]
        relations += ["common.topic.notable_types", "film.film.sort"] if sort == "film" else []
        return f"(JOIN {self.rng.choice(relations)} {name})"

    def steps(self, sort: str) -> list[tuple[str, str]]:
        """Relations from things of a sort to things, with what they lead to."""
        forward = [(name, to) for name, near, to in LINKS if near == sort]
        return forward + [(f"(R {name})", near) for name, near, to in LINKS if to == sort]

    def path(self, sort: str, *kinds: str) -> tuple[str, str]:
        """A relation to values of one of some kinds, or a path of up to three; and the kind. The kind ``time`` is of
        relations that tell when something was."""
        if sort == "film" and kinds == ("time",):
            steps = [(step, to) for step, to in self.steps(sort) if to == "person"]
        else:
            steps = self.steps(sort) if self.rng.random() < 0.35 else []
        if steps:
            step, far = self.rng.choice(steps)
            rest, of = self.path(far, *kinds)
            if rest.count("JOIN") < 2:
                return f"(JOIN {step} {rest})", of
            return self.path(sort, *kinds)
        if kinds == ("time",):
            ends = ("people.person.from", "people.person.to", "people.person.start_date", "people.person.born")
            return self.rng.choice(ends), "date"
        return self.rng.choice([pair for pair in VALUED[sort].items() if pair[1] in kinds])

    def constant(self, of: str, *without: str) -> str:
        found = self.rng.choice(_CONSTANTS[of])
        return self.constant(of, *without) if any(found in _CONSTANTS[sort] for sort in without) else found

    def date(self) -> str:
        """A date without quotes."""
        found = self.rng.choice(_CONSTANTS["date"])
        return self.date() if found.startswith('"') else found
