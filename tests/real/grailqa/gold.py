"""The SPARQL that comes with a record, made standard; and read as pylf reads, one documented choice at a time.

A difference between the two is no longer one when the record's own text, changed as a choice says (or run on the graph
with its values spelled as a choice says), has pylf's answers.
"""

from __future__ import annotations

import re
from calendar import monthrange
from typing import TYPE_CHECKING

import pyoxigraph

from pylf.ir.dates import DATE_DATATYPES
from pylf.ir.terms import XSD, Iri, Literal
from tests.real.grailqa.records import NS, RDF_TYPE, TYPE, ZONE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from pylf.ir.terms import Node
    from tests.real.grailqa.records import Constraint, Record, Triple

#: what answers are compared as: names of entities, or the number that a count finds
Names = set[str] | int

DOUBLE = XSD + "double"
NUMBERS = {XSD + name for name in ("integer", "decimal", "double", "float")}

#: What pylf reads otherwise than the published SPARQL.
CHOICES = {
    "coincidence": "two variables may have one value; GrailQA asks that all of them differ",
    "inner classes": "the class of an inner node is not asked for: its s-expression does not name it",
    "subclasses": "an instance of a subclass is an instance",
    "type predicates": "rdf:type says a class as well as type.object.type",
    "superlative": "the best of a set by a value of its members: any path to a value counts, not only one that also "
    "leads to the set's other conditions",
    "zones": "the zones of dates are not looked at",
    "precision": "dates of any precision compare as what they cover",
    "numbers": "numbers are equal by value, whatever their datatype",
    "unordered": "what cannot be ordered has no part in a comparison or a superlative",
}
#: … and which of them are of values: the graph is spelled otherwise for them.
OF_VALUES = ("zones", "precision", "numbers", "unordered")


def standard(sparql: str) -> str:
    """The text with full IRIs: a name with two dots, as ``:film.film.genre``, is standard SPARQL, but Oxigraph refuses
    it. Nothing else in the 1,000 texts need be changed."""
    return re.sub(r"(?<=\s):(\S+)(?=\s)", rf"<{NS}\1>", sparql)


def read_as(record: Record, choices: Collection[str], subclass: Callable[[str], str | None]) -> str:
    """The record's SPARQL, standard, in the reading of ``choices``."""
    text = standard(record.sparql)
    if "coincidence" in choices:
        text = re.sub(r"FILTER \( \?\w+ != [^)]*\)", "", text)
    for nid, name in record.classes.items():
        if nid in record.constants:
            continue
        stated = re.compile(rf"(\?([xy]{nid})) {re.escape(str(TYPE))} <{re.escape(NS + name)}> \.")
        if "inner classes" in choices and nid != record.question:
            text = stated.sub("", text)
            continue
        predicate = f"({TYPE}|{RDF_TYPE})" if "type predicates" in choices else str(TYPE)
        below = subclass(name) if "subclasses" in choices else None
        listed = " ".join(f"<{NS}{c}>" for c in (name, below) if c is not None)
        text = stated.sub(rf"VALUES ?c\2 {{ {listed} }} \1 {predicate} ?c\2 .", text)
    if "superlative" in choices and record.literal is not None and record.literal.superlative:
        text = _with_own_path(text, record)
    if "zones" in choices:
        text = text.replace(f'{ZONE}"^^', '"^^')
    if "numbers" in choices:
        text = re.sub(rf'"\^\^<{XSD}(?:integer|float)>', f'"^^<{DOUBLE}>', text)
    return text


def _with_own_path(text: str, record: Record) -> str:
    """The superlative's path asked by variables of its own between the question node and the value."""
    path = record.path()
    assert record.literal is not None
    ends = {record.question, record.literal.nid}
    for which in ("x", "y"):

        def name(nid: int, which: str = which) -> str:
            return f"?{which}{nid}" if nid in ends else f"?p{which}{nid}"

        start, relation, end = path[-1]
        last = f"?{which}{start} <{NS}{relation}> ?{which}{end} ."
        assert text.count(last) == 1
        text = text.replace(last, " ".join(f"{name(a)} <{NS}{r}> {name(b)} ." for a, r, b in path))
    return text


def spelled_as(triples: Iterable[Triple], literal: Constraint | None, choices: Collection[str]) -> list[Triple]:
    """The graph with its values spelled so that an engine's own comparison takes them as ``choices`` say."""
    found = []
    for subject, predicate, value in triples:
        term = value
        if isinstance(value, Literal) and literal is not None:
            spelled = _spelled(value, literal, choices)
            if spelled is None:
                continue
            term = spelled
        found.append((subject, predicate, term))
    return found


def _spelled(value: Literal, literal: Constraint, choices: Collection[str]) -> Literal | None:
    if value.datatype in DATE_DATATYPES:
        lexical = re.sub(r"(Z|[+-]\d\d:\d\d)$", "", value.lexical) if "zones" in choices else value.lexical
        if "precision" in choices:
            return _day(Literal(lexical, value.datatype), literal.function)
        return Literal(lexical, value.datatype)
    if value.datatype in NUMBERS:
        return Literal(value.lexical, DOUBLE) if "numbers" in choices else value
    return None if "unordered" in choices else value


def _day(value: Literal, function: str) -> Literal | None:
    """The day by which a date is compared: its last one with an upper bound, else its first; with a day to be equal
    to, the one it lies in, if it does."""
    found = re.fullmatch(r"(-?\d+)(?:-(\d\d))?(?:-(\d\d))?(?:T[\d:]+)?(.*)", value.lexical)
    assert found is not None
    year, month, day, zone = found.groups("")
    if function == "none" and not day:
        return None
    last = function in ("<", "<=")
    month = month or ("12" if last else "01")
    if not day:
        day = f"{monthrange(abs(int(year)) or 4, int(month))[1]}" if last else "01"
    return Literal(f"{year}-{month}-{day}{zone}", XSD + "date")


class Store:
    """A graph in the engine, without anything of pylf's in between."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self.store = pyoxigraph.Store()
        self.store.extend([pyoxigraph.Quad(_named(s), _named(p), _term(o)) for s, p, o in triples])

    def answers(self, sparql: str) -> Names:
        found = self.store.query(sparql)
        assert isinstance(found, pyoxigraph.QuerySolutions)
        terms = [row[0] for row in found]
        if len(terms) == 1 and isinstance(terms[0], pyoxigraph.Literal):
            return int(terms[0].value)
        return {term.value for term in terms if isinstance(term, pyoxigraph.NamedNode)}


def _named(node: Node) -> pyoxigraph.NamedNode:
    assert isinstance(node, Iri)
    return pyoxigraph.NamedNode(node.value)


def _term(node: Node) -> pyoxigraph.NamedNode | pyoxigraph.Literal:
    if isinstance(node, Literal):
        return pyoxigraph.Literal(node.lexical, datatype=pyoxigraph.NamedNode(node.datatype))
    return _named(node)
