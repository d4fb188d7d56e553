"""Numbers: natively, and in the form that does not depend on how an engine compares two datatypes."""

from __future__ import annotations

from pylf.doctor.probe import PROLOGUE, Probe, Use, boolean, decimal, double, grouped, rows

PROBES = grouped(
    "numbers and booleans",
    Probe(
        "number-equal",
        "1, 1.0 and 1e0 are = (natively)",
        "SELECT ?v WHERE { VALUES ?v { 1 1.0 1e0 2 } FILTER(?v = 1) }",
        rows(1, decimal("1.0"), double("1e0")),
        Use.FOREIGN,
    ),
    Probe(
        "ill-typed-number",
        "a literal that is no number of its datatype is > nothing (natively)",
        PROLOGUE + 'SELECT ?v WHERE { VALUES ?v { "abc"^^xsd:integer 5 } FILTER(?v > -1) }',
        rows(5),
        Use.FOREIGN,
    ),
    Probe(
        "ill-typed-kept",
        "a literal that does not fit its datatype keeps its spelling",
        PROLOGUE + 'SELECT (STR(?v) AS ?s) WHERE { VALUES ?v { "abc"^^xsd:integer } }',
        rows("abc"),
        Use.FOREIGN,
        remedy="ill-typed numbers become 0 here: nothing that a query can say repairs that, clean the data",
    ),
    Probe(
        "nan",
        "NaN is neither < nor >= anything (natively)",
        PROLOGUE + 'SELECT ?v WHERE { VALUES ?v { "NaN"^^xsd:double 1e0 } FILTER(?v < 0 || ?v >= 0) }',
        rows(double("1e0")),
        Use.FOREIGN,
    ),
    Probe(
        "zeros",
        "the double -0 is = 0 and not less",
        PROLOGUE
        + 'SELECT ?v WHERE { VALUES ?v { "-0" "0" "-1" } FILTER(xsd:double(?v) = 0e0 || xsd:double(?v) > 0e0) }',
        rows("-0", "0"),
        Use.ADAPTED,
        field="orders_zeros",
    ),
    Probe(
        "division",
        "1 / 2 is 0.5",
        "SELECT ?r WHERE { BIND(1 / 2 AS ?r) }",
        rows(decimal("0.5")),
        Use.FOREIGN,
    ),
    Probe(
        "division-by-zero",
        "1 / 0 leaves its variable unbound and the rest standing",
        "SELECT ?r ?x WHERE { VALUES ?x { 7 } BIND(1 / 0 AS ?r) }",
        rows((None, 7)),
        Use.FOREIGN,
    ),
    Probe(
        "large-integer-type",
        "an integer above 2³¹ is printed as an integer",
        "SELECT ?v WHERE { VALUES ?v { 3000000000 } }",
        rows(3000000000),
        Use.FOREIGN,
        exact=True,
        remedy="answers are compared by value, so that only the datatype that is shown differs",
    ),
    Probe(
        "large-integer-value",
        "an integer of 18 digits keeps its value",
        "SELECT (STR(?v) AS ?s) WHERE { VALUES ?v { 900719925474099312 } }",
        rows("900719925474099312"),
        Use.FOREIGN,
        remedy="large integers lose digits among answers",
    ),
    Probe(
        "double-digits",
        "doubles are printed with all their digits",
        "SELECT ?v WHERE { VALUES ?v { 1.2345678901234e-3 } }",
        rows(double("1.2345678901234e-3")),
        Use.FOREIGN,
        remedy="doubles lose digits among answers; comparisons and superlatives see all of them",
    ),
    Probe(
        "double-spelling",
        "STR of a double has all its digits",
        PROLOGUE + "SELECT (COUNT(?v) AS ?n) WHERE { VALUES ?v { 1.2345678901234e-3 5e0 } "
        "FILTER(xsd:double(STR(?v)) = ?v) }",
        rows(2),
        Use.ADAPTED,
        field="rounds_numbers",
    ),
    Probe(
        "infinity-spelling",
        "STR of infinity is INF",
        PROLOGUE + 'SELECT (STR(?v) AS ?s) WHERE { VALUES ?v { "INF"^^xsd:double "-INF"^^xsd:double } }',
        rows("INF", "-INF"),
        Use.ADAPTED,
        field="numbers_as_terms",
    ),
    Probe(
        "boolean-printed",
        "booleans are printed as booleans",
        "SELECT ?v WHERE { VALUES ?v { true false } }",
        rows(boolean(True), boolean(False)),
        Use.FOREIGN,
        exact=True,
        remedy="true and false may come back as the integers 1 and 0",
    ),
    Probe(
        "count-printed",
        "a count is printed as an integer",
        "SELECT (COUNT(?v) AS ?n) WHERE { VALUES ?v { 5 6 7 } }",
        rows(3),
        exact=True,
    ),
)
