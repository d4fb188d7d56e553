"""Two variables that are dates, compared in every way: the dates, and the queries as text."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema, ValueProfile
from pylf.ir.terms import XSD, Iri, Literal
from pylf.ir.text import parse_query

if TYPE_CHECKING:
    from pylf.ir.nodes import Query
    from pylf.ir.terms import Node

E = "http://e/"
OPS = ("<", "<=", ">", ">=", "=", "!=")
#: By relation: days alone, years alone, moments of four digits in the year, and all that there is.
SCHEMA = Schema(
    MemorySource(
        [
            Relation(E + "day", profile=ValueProfile(days=9)),
            Relation(E + "year", profile=ValueProfile(years=9)),
            Relation(E + "plain", profile=ValueProfile(years=9, months=9, days=9, times=9)),
            Relation(E + "date"),
        ],
        [],
        {},
    )
)
_DATATYPES = {4: "gYear", 7: "gYearMonth", 10: "date"}


def _date(text: str) -> Literal:
    return Literal(text, XSD + _DATATYPES.get(len(text), "dateTime"))


_PLAIN = """
    1990 1991 1900 2000 1996 1989-12 1990-01 1990-02 1990-04 1990-11 1990-12 1900-02 2000-02 1996-02
    1989-12-31 1990-01-01 1990-01-30 1990-01-31 1990-02-01 1990-02-28 1990-04-30 1990-11-12 1990-12-31 1991-01-01
    1900-02-28 2000-02-28 2000-02-29 1996-02-28 1996-02-29 1996-03-01
    1989-12-31T23:59:59 1990-01-01T00:00:00 1990-01-01T00:00:01 1990-02-28T23:59:59 1990-12-31T23:59:59
    """
PLAIN = [_date(text) for text in _PLAIN.split()]
#: Fractions, which Virtuoso respells.
_FRACTIONS = """
    1990-12-31T23:59:59.9 1990-12-31T23:59:59.5 1990-12-31T23:59:59.59 1990-12-31T23:59:58.99 1990-12-31T23:59:59.6
    """
FRACTIONS = [_date(text) for text in _FRACTIONS.split()]
ODD = [
    Literal("-0044", XSD + "gYear"),
    Literal("-0044-12-31", XSD + "date"),
    Literal("-0045-12", XSD + "gYearMonth"),
    Literal("0000-02-29", XSD + "date"),
    Literal("0000-02", XSD + "gYearMonth"),
    Literal("19900", XSD + "gYear"),
    Literal("19900-12-31T23:59:59", XSD + "dateTime"),
    Literal("1990-12-31Z", XSD + "date"),
    Literal("1990-12+01:00", XSD + "gYearMonth"),
]
#: What is no date.
OTHERS: list[Node] = [Literal("1990", XSD + "integer"), Literal("1990-12-31"), Iri(E + "a")]


def triples(seed: int, dates: list[Literal], size: int) -> list[tuple[Node, Iri, Node]]:
    """Pairs of dates: ``size`` of each relation, drawn, at as many nodes that no two relations share."""
    rng = Random(seed)
    pools: dict[str, list[Node]] = {
        "day": [date for date in PLAIN if date.datatype == XSD + "date"],
        "year": [date for date in PLAIN if date.datatype == XSD + "gYear"],
        "plain": [*PLAIN],
        "date": [*dates, *OTHERS],
    }
    found: list[tuple[Node, Iri, Node]] = []
    for relation, pool in pools.items():
        for place, value in enumerate(rng.sample(pool, min(size, len(pool)))):
            found.append((Iri(f"{E}{relation}{place}"), Iri(E + relation), value))
    return found


def compared(op: str, left: str, right: str, how: str) -> Query:
    """Which values of two relations compare: by a comparison of the core, by a condition, or by one that is denied."""
    tests = {
        "core": f"?v {op} ?w by date",
        "wide": f"if ?v {op} ?w",
        "denied": f"if !(?v {op} ?w)",
    }
    return parse_query(f"rows ?x ?y\nwhere\n  ?x <{E}{left}> ?v\n  ?y <{E}{right}> ?w\n  {tests[how]}\n")


def with_constant(op: str, constant: Literal, relation: str, how: str) -> Query:
    """Which values a constant date before them compares with."""
    date = f'"{constant.lexical}"^^<{constant.datatype}>'
    test = {"wide": f"if {date} {op} ?w", "denied": f"if !({date} {op} ?w)"}[how]
    return parse_query(f"rows ?y\nwhere\n  ?y <{E}{relation}> ?w\n  {test}\n")
