"""Dates: natively, and as the strings that pylf compares."""

from __future__ import annotations

from pylf.doctor.probe import PROLOGUE, Probe, Use, grouped, rows

PROBES = grouped(
    "dates",
    Probe(
        "date-less",
        "< on xsd:date (natively)",
        PROLOGUE + 'SELECT (STR(?v) AS ?s) WHERE { VALUES ?v { "2001-01-31"^^xsd:date "2002-01-01"^^xsd:date } '
        'FILTER(?v < "2001-12-31"^^xsd:date) }',
        rows("2001-01-31"),
        Use.FOREIGN,
    ),
    Probe(
        "date-native-max",
        "MAX over xsd:date (natively)",
        PROLOGUE + 'SELECT (STR(MAX(?v)) AS ?m) WHERE { VALUES ?v { "2007-12-31"^^xsd:date "2008-01-06"^^xsd:date } }',
        rows("2008-01-06"),
        Use.FOREIGN,
    ),
    Probe(
        "year-less",
        "< on xsd:gYear (natively; the recommendation leaves it open)",
        PROLOGUE + 'SELECT (STR(?v) AS ?s) WHERE { VALUES ?v { "1999"^^xsd:gYear "2002"^^xsd:gYear } '
        'FILTER(?v < "2001"^^xsd:gYear) }',
        rows("1999"),
        Use.FOREIGN,
    ),
    Probe(
        "mixed-dates",
        "a gYear and a date are not compared (natively)",
        PROLOGUE + 'SELECT (STR(?v) AS ?s) WHERE { VALUES ?v { "2001"^^xsd:gYear } '
        'FILTER(?v < "2005-01-01"^^xsd:date) }',
        (),
        Use.FOREIGN,
    ),
    Probe(
        "year-of-date",
        "YEAR of an xsd:dateTime (natively)",
        PROLOGUE + 'SELECT (YEAR("2006-05-04T03:02:01"^^xsd:dateTime) AS ?y) WHERE {}',
        rows(2006),
        Use.FOREIGN,
    ),
    Probe(
        "date-spelling",
        "a dateTime keeps the spelling that it was given",
        PROLOGUE + 'SELECT (STR(?v) AS ?s) WHERE { VALUES ?v { "2001-02-03T04:05:06.50"^^xsd:dateTime } }',
        rows("2001-02-03T04:05:06.50"),
        Use.ADAPTED,
        remedy="values are respelled here; pylf compares dates in a form that allows for it",
    ),
    Probe(
        "date-string",
        "STR of dates of every precision is their spelling",
        PROLOGUE + 'SELECT (STR(?v) AS ?s) WHERE { VALUES ?v { "2001"^^xsd:gYear "2001-02"^^xsd:gYearMonth '
        '"2001-02-03"^^xsd:date "2001-02-03T04:05:06"^^xsd:dateTime } }',
        rows("2001", "2001-02", "2001-02-03", "2001-02-03T04:05:06"),
    ),
    Probe(
        "date-datatype",
        "DATATYPE tells a gYear from a date",
        PROLOGUE + 'SELECT (STRAFTER(STR(DATATYPE(?v)), "#") AS ?d) WHERE { VALUES ?v { "2001"^^xsd:gYear '
        '"2001-02"^^xsd:gYearMonth "2001-02-03"^^xsd:date "2001-02-03T04:05:06"^^xsd:dateTime } }',
        rows("gYear", "gYearMonth", "date", "dateTime"),
    ),
    Probe(
        "date-cut",
        "SUBSTR, REPLACE and REGEX take the spelling of a date",
        PROLOGUE + 'SELECT (SUBSTR(STR(?v), 1, 4) AS ?y) (REPLACE(STR(?v), "(Z|[+-][0-9][0-9]:[0-9][0-9])$", "") AS ?t)'
        ' WHERE { VALUES ?v { "2001-02-03T04:05:06+01:00"^^xsd:dateTime } FILTER(REGEX(STR(?v), "^[0-9]{4}-")) }',
        rows(("2001", "2001-02-03T04:05:06")),
    ),
    Probe(
        "string-order",
        "< on strings goes by code point: - before digits, Z before a, ~ last",
        'SELECT ?v WHERE { VALUES ?v { "2001" "2001-" "2001~" "2001Z" "2001a" } '
        'FILTER(CONCAT(STR(?v), "") < "2001a") }',
        rows("2001", "2001-", "2001Z"),
        Use.ADAPTED,
        field="collates",
    ),
    Probe(
        "replaced-order",
        "what REPLACE gives is compared as a string",
        'SELECT ?n WHERE { VALUES (?n ?v) { (1 "2001Z") (2 "2002Z") } FILTER(REPLACE(STR(?v), "Z$", "") < "2001-") }',
        rows(1),
        Use.ADAPTED,
        field="wraps_replace",
    ),
    Probe(
        "early-years",
        "STR of a year before 0 has its four digits",
        PROLOGUE + 'SELECT (STR(?v) AS ?s) WHERE { VALUES ?v { "-0044"^^xsd:gYear } }',
        rows("-0044"),
        Use.ADAPTED,
        field="short_years",
    ),
)
