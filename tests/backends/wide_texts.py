"""Queries of the wide tier as text, and small random graphs to ask them of.

By relation: ``p`` and ``q`` lead to entities, ``mass`` to numbers, ``flown`` to days, ``name`` to plain strings,
``label`` to tagged ones, ``when`` to dates of any precision, and ``v`` to anything. The schema tells of all but the
last two what they lead to.
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema, ValueProfile
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF, XSD, Iri, Literal, tagged
from pylf.ir.text import parse_query

if TYPE_CHECKING:
    from pylf.ir.nodes import Query

E = "http://e/"
VOCABULARY = Vocabulary("rdf")
SCHEMA = Schema(
    MemorySource(
        [
            Relation(E + "p", profile=ValueProfile(entities=9)),
            Relation(E + "q", profile=ValueProfile(entities=9)),
            Relation(E + "mass", profile=ValueProfile(numbers=9)),
            Relation(E + "flown", profile=ValueProfile(days=9)),
            Relation(E + "name", profile=ValueProfile(strings=9)),
            Relation(E + "label", profile=ValueProfile(tagged=9)),
            Relation(E + "v"),
            Relation(E + "when"),
        ],
        [Class(E + "C"), Class(E + "D", parents=(E + "C",)), Class(E + "F")],
        {},
    )
)
_ENTITIES = [Iri(E + name) for name in "abcdef"]


def _n(text: str, datatype: str = "integer") -> Literal:
    return Literal(text, XSD + datatype)


NUMBERS = [
    _n("1"),
    _n("2"),
    _n("3"),
    _n("7"),
    _n("-4"),
    _n("2.5", "decimal"),
    _n("0.5", "decimal"),
    _n("1.5", "double"),
]
DAYS = [_n(day, "date") for day in ("1969-07-16", "1970-01-01", "1990-12-31", "1991-02-03")]
NAMES = [Literal(text) for text in ("one", "two", "Three", "", "four five", "é")]
LABELS = [tagged("one", "en"), tagged("eins", "de"), tagged("two", "en"), tagged("x", "en-us")]
DATES = [*DAYS[1:], _n("1990", "gYear"), _n("1990-12", "gYearMonth"), _n("1991", "gYear"), _n("19905", "gYear")]
DATES += [_n("1990-12-31T10:00:00", "dateTime"), _n("1991-02-03T08:00:00", "dateTime")]
#: What every server holds as it is.
PLAIN_VALUES = [
    *NUMBERS[:6],
    *DAYS,
    *NAMES[:5],
    *LABELS,
    *_ENTITIES[:3],
    _n("1990", "gYear"),
    _n("1990-12", "gYearMonth"),
]
ODD_VALUES = [
    _n("true", "boolean"),
    _n("false", "boolean"),
    _n("abc", "integer"),
    _n("0"),
    _n("1990-12-31T10:00:00", "dateTime"),
]
ODD_VALUES += [_n("5", "double"), Literal("1990-12-31"), _n("P1D", "x")]


def triples(seed: int, odd: bool = True) -> list[tuple[Iri, Iri, Iri | Literal]]:
    """A random graph; without ``odd`` values where a server would not hold them."""
    random = Random(seed)
    values = {
        "p": _ENTITIES,
        "q": _ENTITIES,
        "mass": NUMBERS,
        "flown": DAYS,
        "name": NAMES,
        "label": LABELS,
        "when": DATES,
        "v": [*PLAIN_VALUES, *(ODD_VALUES if odd else [])],
    }
    found: set[tuple[Iri, Iri, Iri | Literal]] = set()
    for relation, objects in values.items():
        for _ in range(random.randrange(2, 8)):
            found.add((random.choice(_ENTITIES), Iri(E + relation), random.choice(objects)))
    for _ in range(5):
        found.add((random.choice(_ENTITIES), Iri(RDF + "type"), Iri(E + random.choice("CDF"))))
    return sorted(found, key=str)


def wide(name: str) -> Query:
    """The query of a name."""
    return parse_query(WIDE[name], name)


#: What stays as it is; and names and numbers in short.
_WORD = re.compile(r'"[^"]*"(?:\^\^<[^>]*>)?|<[^>]*>|\b(?:limit|offset) \d+|(?<=[ (,]):([A-Za-z]\w*)|(?<=[ (])(\d+)\b')


def _text(written: str) -> str:
    """IR text with short names: ``:p`` for a relation, bare numbers for integers."""

    def told(found: re.Match[str]) -> str:
        if found[1]:
            return f"<{E}{found[1]}>"
        return f'"{found[2]}"^^<{XSD}integer>' if found[2] else found[0]

    return _WORD.sub(told, written.strip("\n")) + "\n"


_SHORT = {
    "optional": """
rows ?x ?m
where
  ?x :p ?y
  optionally
    ?x :mass ?m
""",
    "optional with a filter on what is around": """
rows ?x ?m ?z
where
  ?x :v ?m
  optionally
    ?x :p ?z
    if ?m > 2
""",
    "optional with a comparison between both": """
rows ?x ?m ?w
where
  ?x :mass ?m
  optionally
    ?x :p ?y
    ?y :mass ?w
    if ?w < ?m
""",
    "no optional": """
set ?x
where
  ?x :p ?y
  optionally
    ?y :q ?z
  if !bound(?z)
""",
    "either bound or": """
rows ?x ?z
where
  ?x :p ?y
  optionally
    ?y :q ?z
  optionally
    ?x :mass ?m
  if bound(?z) || (?m > 2)
""",
    "optional in an optional": """
rows ?x ?m ?w
where
  ?x :p ?y
  optionally
    ?y :mass ?m
    optionally
      ?x :q ?w
""",
    "optional with a negation": """
rows ?x ?m
where
  ?x :p ?y
  optionally
    ?y :mass ?m
    not
      ?x :q ?y
""",
    "optional with a union": """
rows ?x ?w
where
  ?x :p ?y
  optionally
    either
      ?y :mass ?w
      if ?w > 1
    or
      ?x :name ?w
""",
    "a union of what is open": """
rows ?x ?w
where
  ?x :p ?y
  either
    ?y :q ?z
    optionally
      ?z :mass ?w
  or
    ?y :mass ?w
""",
    "a condition in an arm": """
set ?x
where
  ?x :mass ?m
  either
    ?x :p ?y
    if ?m > 2
  or
    ?x :q ?y
    ?d := ?m + 1
    if ?d < 3
""",
    "a condition in a negation": """
set ?x
where
  ?x :mass ?m
  not
    ?x :p ?y
    ?y :mass ?w
    if !(?w < (?m + 1))
""",
    "negation of an optional": """
set ?x
where
  ?x :p ?y
  not
    ?x :q ?z
    optionally
      ?z :mass ?m
    if !bound(?m)
""",
    "count of rows": """
number ?n
where
  aggregate ?n := count(*)
    ?x :p ?y
    ?y :q ?z
""",
    "count per": """
rows ?x ?n ?m
where
  aggregate ?n := count(*), ?m := count(distinct ?z) per ?x
    ?x :p ?y
    ?y :v ?z
""",
    "groups of values": """
rows ?m ?n ?k
where
  aggregate ?m := sample(?z), ?n := count(*), ?k := count(distinct ?x) per ?w
    ?x :v ?z
    ?w := canonical(?z)
""",
    "distinct values of two kinds": """
rows ?x ?n ?s
where
  aggregate ?n := count(distinct canonical(?z)), ?s := count(?z) per ?x
    ?x ?r ?z
    ?r in (:v, :p, :label)
""",
    "count of optional": """
rows ?x ?n
where
  aggregate ?n := count(?z) per ?x
    ?x :p ?y
    optionally
      ?y :q ?z
""",
    "count of instances": """
rows ?n
where
  aggregate ?n := count(*)
    ?x a :C
    ?x :p ?y
""",
    "count of a union": """
rows ?x ?n
where
  aggregate ?n := count(*) per ?x
    ?x :p ?y
    either
      ?y :q ?z
    or
      ?y :p ?z
""",
    "count of nothing": """
rows ?n ?s
where
  aggregate ?n := count(?x), ?s := sum(?m)
    ?x :mass ?m
    if ?m > 1000
""",
    "sums": """
rows ?x ?s ?a ?l ?g
where
  aggregate ?s := sum(?m), ?a := avg(?m), ?l := min(?m), ?g := max(?m) per ?x
    ?x :mass ?m
    ?x :p ?y
""",
    "sums of anything": """
rows ?x ?s ?a
where
  aggregate ?s := sum(?m), ?a := avg(?m) per ?x
    ?x :v ?m
    ?x :p ?y
""",
    "sum of an optional": """
rows ?x ?s
where
  aggregate ?s := sum(?m) per ?x
    ?x :p ?y
    optionally
      ?y :mass ?m
""",
    "sum of distinct": """
rows ?s
where
  aggregate ?s := sum(distinct ?m)
    ?x :mass ?m
    ?x :p ?y
""",
    "sum of a product": """
rows ?x ?s
where
  aggregate ?s := sum(?m * 2) per ?x
    ?x :mass ?m
""",
    "least day": """
rows ?x ?d
where
  aggregate ?d := min(?y) per ?x
    ?x :flown ?y
""",
    "greatest name": """
rows ?d
where
  aggregate ?d := max(?y)
    ?x :name ?y
    ?x :p ?z
""",
    "having": """
rows ?x ?n
where
  aggregate ?n := count(?y) per ?x
    ?x :p ?y
  if ?n > 1
""",
    "having, sums": """
set ?x
where
  aggregate ?n := sum(?m), ?k := count(*) per ?x
    ?x :mass ?m
  if (?n > 2) || !(?k = 1)
""",
    "beside an aggregate": """
rows ?x ?d
where
  aggregate ?n := count(?y) per ?x
    ?x :p ?y
  ?d := ?n * 2
""",
    "an aggregate beside": """
rows ?x ?z ?n
where
  aggregate ?n := count(?y) per ?x
    ?x :p ?y
  ?x :q ?z
  if ?n > 1
""",
    "an aggregate in a negation": """
set ?x
where
  ?x :q ?w
  not
    aggregate ?n := count(?y) per ?x
      ?x :p ?y
    if ?n > 1
""",
    "first by number": """
rows ?x ?m
where
  slice ?x ?m by descending ?m, ?x limit 2
    ?x :mass ?m
""",
    "second page by anything": """
rows ?x ?m
where
  slice distinct ?x ?m by ?m, ?x limit 3 offset 1
    ?x :v ?m
    ?x :p ?z
""",
    "first by anything downwards": """
rows ?m
where
  slice distinct ?m by descending ?m limit 2
    ?x :v ?m
""",
    "first by a day": """
rows ?x ?m
where
  slice ?x ?m by ?m, ?x limit 2
    ?x :flown ?m
""",
    "the most": """
rows ?x ?n
where
  slice ?x ?n by descending ?n, ?x limit 1
    aggregate ?n := count(?y) per ?x
      ?x :p ?y
""",
    "the most, alone": """
set ?x
where
  slice ?x by descending ?n, ?x limit 1
    aggregate ?n := count(?y) per ?x
      ?x :p ?y
""",
    "a slice beside": """
rows ?x ?z
where
  slice ?x by ?x limit 2
    ?x :mass ?m
    ?x :p ?y
  ?x :q ?z
""",
    "a slice with an open key": """
rows ?x ?m
where
  slice ?x ?m by ?m, ?x limit 3
    ?x :p ?y
    optionally
      ?x :mass ?m
""",
    "a bag is cut": """
rows ?x
where
  slice ?x by ?x limit 3
    ?x :p ?y
    ?y :q ?z
""",
    "extensions": """
rows ?x ?a ?b ?c ?d
where
  ?x :mass ?m
  ?a := ?m + 1
  ?b := ?a * ?m
  ?c := ?m - 1
  ?d := ?m / 2
""",
    "extensions of anything": """
rows ?x ?a ?d
where
  ?x :v ?m
  ?a := ?m + 1
  ?d := ?m / ?m
""",
    "a choice": """
rows ?x ?a
where
  ?x :v ?m
  ?a := if(?m > 2, "big", "small")
""",
    "a choice of bound": """
rows ?x ?a
where
  ?x :p ?y
  optionally
    ?y :mass ?m
  ?a := coalesce(?m, 0)
""",
    "truth as a value": """
rows ?m ?a
where
  ?x :v ?m
  ?a := ?m != 2
""",
    "a function of strings": """
rows ?x ?a ?b
where
  ?x :name ?m
  ?a := strlen(?m)
  ?b := ucase(substr(?m, 1, 2))
""",
    "equal to a number": """
set ?m
where
  ?x :v ?m
  if ?m = 2
""",
    "unequal to a number": """
set ?m
where
  ?x :v ?m
  if ?m != 2
""",
    "not less than a number": """
set ?m
where
  ?x :v ?m
  if !(?m < 2)
""",
    "equal to a day": """
set ?m
where
  ?x :v ?m
  if ?m <= "1990-12-31"^^<http://www.w3.org/2001/XMLSchema#date>
""",
    "not before a year": """
set ?m
where
  ?x :v ?m
  if !(?m < "1990"^^<http://www.w3.org/2001/XMLSchema#gYear>)
""",
    "unequal to an entity": """
set ?m
where
  ?x :v ?m
  if ?m != :a
""",
    "one of": """
set ?m
where
  ?x :v ?m
  if in(?m, :a, :b, 2)
""",
    "none of": """
set ?m
where
  ?x :v ?m
  if !in(?m, :a, :b)
""",
    "two entities": """
rows ?y ?z
where
  ?x :p ?y
  ?x :q ?z
  if ?y != ?z
""",
    "two numbers": """
rows ?y ?z
where
  ?x :mass ?y
  ?x :mass ?z
  if ?y < ?z
""",
    "two of anything are equal": """
rows ?y ?z
where
  ?x :v ?y
  ?w :v ?z
  if ?y = ?z
""",
    "two dates are equal": """
rows ?y ?z
where
  ?x :when ?y
  ?w :when ?z
  if ?y = ?z
""",
    "two dates are unequal": """
rows ?y ?z
where
  ?x :when ?y
  ?w :when ?z
  if ?y != ?z
""",
    "one date is before another": """
rows ?y ?z
where
  ?x :when ?y
  ?w :when ?z
  if ?y < ?z
""",
    "one date is not after another": """
rows ?y ?z
where
  ?x :when ?y
  ?w :when ?z
  if !(?y > ?z)
""",
    "one date begins no sooner": """
rows ?y ?z
where
  ?x :when ?y
  ?w :when ?z
  if ?y >= ?z
""",
    "two numbers are unequal": """
rows ?y ?z
where
  ?x :mass ?y
  ?w :mass ?z
  if ?y != ?z
""",
    "one name is no less": """
rows ?y ?z
where
  ?x :name ?y
  ?w :name ?z
  if !(?y >= ?z)
""",
    "two labels are unequal": """
rows ?y ?z
where
  ?x :label ?y
  ?w :label ?z
  if ?y != ?z
""",
    "one that counts": """
set ?m
where
  ?x :v ?m
  if ?m
""",
    "one that does not count": """
set ?m
where
  ?x :v ?m
  if !?m
""",
    "a language": """
set ?m
where
  ?x :v ?m
  if langmatches(lang(?m), "en")
""",
    "a language by name": """
set ?m
where
  ?x :label ?m
  if lang(?m) = "en"
""",
    "a datatype": """
set ?m
where
  ?x :v ?m
  if datatype(?m) = <http://www.w3.org/2001/XMLSchema#date>
""",
    "a pattern": """
set ?m
where
  ?x :name ?m
  if regex(?m, "^t", "i")
""",
    "a part": """
set ?m
where
  ?x :v ?m
  if contains(str(?m), "o") && !strstarts(str(?m), "f")
""",
    "kinds": """
set ?m
where
  ?x :v ?m
  if isiri(?m) || isnumeric(?m)
""",
    "no kinds": """
set ?m
where
  ?x :v ?m
  if !(isiri(?m) || isnumeric(?m))
""",
    "not the same term": """
rows ?y ?z
where
  ?x :v ?y
  ?w :v ?z
  if !sameterm(?y, ?z)
""",
    "a year": """
rows ?m ?y
where
  ?x :flown ?m
  ?y := year(?m)
""",
    "years of anything": """
set ?m
where
  ?x :v ?m
  if year(?m) = 1990
""",
    "rounded": """
rows ?m ?a ?b ?c
where
  ?x :mass ?m
  ?a := abs(?m)
  ?b := round(?m)
  ?c := floor(?m)
""",
    "a union of bags": """
rows ?n
where
  aggregate ?n := count(*)
    either
      ?x :p ?y
      ?arm in ("1")
    or
      ?x :q ?y
      ?arm in ("2")
""",
    "texts put together": """
rows ?x ?t
where
  aggregate ?t := group_concat(?m separator "|") per ?x
    slice distinct ?x ?m by ?m, ?x limit 1
      ?x :name ?m
""",
}
WIDE = {name: _text(written) for name, written in _SHORT.items()}
