"""One question in many forms is one query: the fingerprints are equal, whichever frontend read it."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

import pylf
from pylf.errors import CompileError
from pylf.testing.programs import VOCABULARY, schema
from tests.frontends.refusals import graph

ROCKETS = pylf.bundled()
MADE_BY, SITES = "spaceflight.rocket.manufacturer", "spaceflight.rocket.launch_sites"
MASS, HEIGHT = "spaceflight.rocket.mass", "spaceflight.rocket.height"
PREFIXES = (
    "PREFIX : <http://pylf.example/rockets/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
    "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
)
ANYTHING, BOEING, ROCKET = "class rdfs:Resource", "entity :boeing", "class spaceflight.rocket"

#: by name, a question in the forms that can ask it
QUESTIONS = {
    "one hop": {
        "pylf": f"JOIN('{MADE_BY}', ':boeing')",
        "sexpr": f"(JOIN {MADE_BY} :boeing)",
        "chain": f":boeing -> ~{MADE_BY}",
        "path": f"?x -> {MADE_BY} -> :boeing",
        "sparql": f"SELECT DISTINCT ?x {{ ?x :{MADE_BY} :boeing }}",
        "graphquery": graph((0, MADE_BY, 1), n0=ANYTHING, n1=BOEING),
    },
    "two hops": {
        "pylf": f"JOIN('R_{SITES}', JOIN('{MADE_BY}', ':boeing'))",
        "sexpr": f"(JOIN (R {SITES}) (JOIN {MADE_BY} :boeing))",
        "chain": f":boeing -> ~{MADE_BY} -> {SITES}",
        "path": f":boeing <- {MADE_BY} <- ? -> {SITES} -> ?site",
        "sparql": f"SELECT ?site {{ :boeing ^:{MADE_BY}/:{SITES} ?site }}",
        "graphquery": graph((1, MADE_BY, 2), (1, SITES, 0), n0=ANYTHING, n1=ANYTHING, n2=BOEING),
    },
    "two ways to the same": {
        "pylf": f"AND(JOIN('{MADE_BY}', ':boeing'), JOIN('{SITES}', ':kennedy'))",
        "sexpr": f"(AND (JOIN {SITES} :kennedy) (JOIN {MADE_BY} :boeing))",
        "chain": f":boeing -> ~{MADE_BY} [-> {SITES} -> :kennedy]",
        "path": f":boeing <- {MADE_BY} <- ?rocket -> {SITES} -> :kennedy",
        "sparql": f"SELECT ?r {{ ?r :{MADE_BY} ?m ; :{SITES} ?s . FILTER(?s = :kennedy && ?m IN (:boeing)) }}",
        "graphquery": graph((0, MADE_BY, 1), (0, SITES, 2), n0=ANYTHING, n1=BOEING, n2="entity :kennedy"),
    },
    "a comparison": {
        "pylf": f"AND(JOIN('{MADE_BY}', ':boeing'), CMP('<', '{MASS}', 250000))",
        "sexpr": f"(AND (JOIN {MADE_BY} :boeing) (lt {MASS} 250000))",
        "chain": f":boeing -> ~{MADE_BY} [-> {MASS} < 250000]",
        "sparql": f"SELECT ?x {{ ?x :{MADE_BY} :boeing ; :{MASS} ?m FILTER(250000 > xsd:decimal(?m)) }}",
        "graphquery": graph((0, MADE_BY, 1), (0, MASS, 2), n0=ANYTHING, n1=BOEING, n2="literal 250000^^xsd:decimal <"),
    },
    # SPARQL has triples that say a class, and no words for what is an instance by the schema
    "a class": {
        "pylf": f"AND('spaceflight.rocket', JOIN('{MADE_BY}', ':boeing'))",
        "sexpr": f"(AND spaceflight.rocket (JOIN {MADE_BY} :boeing))",
        "chain": f"spaceflight.rocket [-> {MADE_BY} -> :boeing]",
        "graphquery": graph((0, MADE_BY, 1), n0=ROCKET, n1=BOEING),
    },
    "negation": {
        "pylf": f"MINUS(JOIN('{SITES}', ':kennedy'), JOIN('{MADE_BY}', ':boeing'))",
        "chain": f":kennedy -> ~{SITES} [except -> {MADE_BY} -> :boeing]",
        "sparql": f"SELECT ?x {{ ?x :{SITES} :kennedy FILTER NOT EXISTS {{ ?x :{MADE_BY} :boeing }} }}",
    },
    "a union": {
        "pylf": f"OR(JOIN('{MADE_BY}', ':boeing'), JOIN('{MADE_BY}', ':spacex'))",
        "chain": f":boeing -> ~{MADE_BY} | :spacex -> ~{MADE_BY}",
        "sparql": f"SELECT ?x {{ {{ ?x :{MADE_BY} :spacex }} UNION {{ :boeing ^:{MADE_BY} ?x }} }}",
    },
    "a count": {
        "pylf": f"COUNT(JOIN('{MADE_BY}', ':boeing'))",
        "sexpr": f"(COUNT (JOIN {MADE_BY} :boeing))",
        "chain": f":boeing -> ~{MADE_BY} [count]",
        "sparql": f"SELECT (COUNT(DISTINCT ?x) AS ?n) {{ ?x :{MADE_BY} :boeing }}",
    },
    "a superlative": {
        "pylf": f"ARG('ARGMAX', JOIN('{MADE_BY}', ':boeing'), '{HEIGHT}')",
        "sexpr": f"(ARGMAX (JOIN {MADE_BY} :boeing) {HEIGHT})",
        "chain": f":boeing -> ~{MADE_BY} [largest -> {HEIGHT}]",
        "sparql": f"SELECT ?x {{ ?x :{MADE_BY} :boeing ; :{HEIGHT} ?h }} ORDER BY DESC(?h) LIMIT 1",
        "graphquery": graph((0, MADE_BY, 1), (0, HEIGHT, 2), n0=ANYTHING, n1=BOEING, n2="literal 0 argmax"),
    },
    "yes or no": {
        "pylf": f"ASK(JOIN('{MADE_BY}', ':boeing'))",
        "chain": f":boeing -> ~{MADE_BY} [any]",
        "path": f"? -> {MADE_BY} -> :boeing",
        "sparql": f"ASK {{ ?x :{MADE_BY} :boeing }}",
    },
    "any number of steps": {
        "pylf": f"JOIN(CLOSURE('{SITES}'), ':kennedy')",
        "chain": f":kennedy -> ~{SITES}+",
        "sparql": f"SELECT ?x {{ :kennedy ^:{SITES}+ ?x }}",
    },
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_one_query_in_all_its_forms(name: str) -> None:
    found = {}
    for form, text in QUESTIONS[name].items():
        written = {"pylf": f"expression = STOP({text})", "sparql": PREFIXES + text}.get(form, text)
        found[form] = pylf.compile(written, source=form, kg=ROCKETS, lenient=True)
    meant = found["pylf"]
    assert {form: query.fingerprint for form, query in found.items()} == dict.fromkeys(found, meant.fingerprint)
    # and its IR, printed and as JSON, is that query too
    for form in ("ir", "json"):
        assert pylf.compile(meant.to(form), source=form, kg=ROCKETS).fingerprint == meant.fingerprint


# --- random questions, written by hand in each form ---------------------------------------------------------------

_RELATIONS = ("aa", "ac", "ca", "ux", "xc")


class Set(NamedTuple):
    """An entity; or what a hop leads to from ``inner``, limited by what is in ``also`` and not in ``but``.

    ``back`` tells that the hop is from object to subject.
    """

    entity: int
    relation: str = ""
    back: bool = False
    inner: Set | None = None
    also: tuple[Set, ...] = ()
    but: tuple[Set, ...] = ()


def random_set(random: Random, depth: int) -> Set:
    """A set that is reached by a hop, of so many hops inside each other at most."""
    inner = Set(random.randint(0, 5))
    if depth > 1 and random.random() < 0.6:
        inner = random_set(random, depth - 1)
    also = [random_set(random, depth - 1) for _ in range(random.choice((0, 0, 1, 2)) if depth > 1 else 0)]
    but = [random_set(random, depth - 1) for _ in range(random.choice((0, 0, 1)) if depth > 1 else 0)]
    return Set(0, random.choice(_RELATIONS), random.random() < 0.5, inner, tuple(also), tuple(but))


def as_pylf(one: Set) -> str:
    if one.inner is None:
        return f"START(':e{one.entity}')"
    text = f"JOIN('{'' if one.back else 'R_'}{one.relation}', {as_pylf(one.inner)})"
    if one.also:
        text = f"AND({', '.join([text, *map(as_pylf, one.also)])})"
    for other in one.but:
        text = f"MINUS({text}, {as_pylf(other)})"
    return text


def as_sexpr(one: Set) -> str | None:
    """None where there is a negation."""
    if one.inner is None:
        return f":e{one.entity}"
    inner, also = as_sexpr(one.inner), [as_sexpr(other) for other in one.also]
    if inner is None or None in also or one.but:
        return None
    text = f"(JOIN {one.relation if one.back else f'(R {one.relation})'} {inner})"
    for other in also:
        text = f"(AND {text} {other})"
    return text


def as_chain(one: Set) -> str:
    if one.inner is None:
        return f":e{one.entity}"
    hop = f"{as_chain(one.inner)} -> {'~' if one.back else ''}{one.relation}"
    return "".join([hop, *[f" [{as_chain(o)}]" for o in one.also], *[f" [except {as_chain(o)}]" for o in one.but]])


def as_path(one: Set) -> str | None:
    """None where a hop has something beside it."""
    if one.inner is None:
        return f":e{one.entity}"
    if one.also or one.but:
        return None
    inner = as_path(one.inner)
    return inner and f"{inner} {'<-' if one.back else '->'} {one.relation} {'<-' if one.back else '->'} ?"


class Writer:
    """SPARQL of a set, in one of its many spellings."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.variables = 0

    def text(self, one: Set) -> str:
        distinct = self.random.choice(("", "DISTINCT "))
        return f"PREFIX w: <http://w.example/> SELECT {distinct}?x {{ {self.members(one, '?x')} }}"

    def members(self, one: Set, variable: str) -> str:
        """Patterns that hold where a variable is of the set."""
        assert one.inner is not None
        patterns = [self.hop(one, variable), *[self.members(other, variable) for other in one.also]]
        self.random.shuffle(patterns)
        text = " . ".join(patterns)
        for other in one.but:
            without = self.random.choice(("MINUS {{ {} }}", "FILTER NOT EXISTS {{ {} }}", "FILTER(!EXISTS {{ {} }})"))
            text += " " + without.format(self.members(other, variable))
        return text

    def hop(self, one: Set, variable: str) -> str:
        inner = one.inner
        assert inner is not None
        if inner.inner is None:
            constant = f"w:e{inner.entity}"
            match self.random.randint(0, 3):
                case 0:
                    far = self.variable()
                    return f"{self.triple(one, variable, far)} FILTER({constant} = {far})"
                case 1:
                    far = self.variable()
                    return f"VALUES {far} {{ {constant} }} {self.triple(one, variable, far)}"
                case _:
                    return self.triple(one, variable, constant)
        far = self.variable()
        return f"{self.triple(one, variable, far)} . {self.members(inner, far)}"

    def triple(self, one: Set, near: str, far: str) -> str:
        """``near`` is what is reached."""
        subject, object_ = (near, far) if one.back else (far, near)
        if self.random.random() < 0.3:
            return f"{object_} ^w:{one.relation} {subject}"
        return f"{subject} w:{one.relation} {object_}"

    def variable(self) -> str:
        self.variables += 1
        return f"?v{self.variables}"


def test_a_random_question_is_one_query_in_all_its_forms() -> None:
    random = Random(6)
    known = schema()
    compared = dict.fromkeys(("sexpr", "chain", "path", "sparql"), 0)
    for _ in range(300):
        one = random_set(random, random.choice((1, 2, 2, 3)))
        program = f"expression = STOP({as_pylf(one)})"
        try:
            meant = pylf.compile(program, schema=known, vocabulary=VOCABULARY)
        except CompileError:
            continue  # relations that do not go together
        path = as_path(one)
        texts = {"sexpr": as_sexpr(one), "chain": as_chain(one), "path": path and path + "x"}
        texts["sparql"] = Writer(random).text(one)
        for form, text in texts.items():
            if text is not None:
                found = pylf.compile(text, source=form, schema=known, vocabulary=VOCABULARY)
                assert found.fingerprint == meant.fingerprint, f"{program}\n{form}: {text}"
                compared[form] += 1
    assert compared["chain"] == compared["sparql"] > 150
    assert compared["sexpr"] > 80
    assert compared["path"] > 40
