"""Sub-selects, grouping, superlatives, unions: what is seen where, and what nothing counts as."""

from __future__ import annotations

from pylf.doctor.probe import Probe, Use, grouped, rows

PROBES = grouped(
    "sub-selects, groups, unions",
    Probe(
        "max-first",
        "a MAX found by a first sub-select keeps all ties",
        "SELECT ?x WHERE { { SELECT (MAX(?v) AS ?m) WHERE { VALUES ?v { 1 3 2 } } } "
        'VALUES (?x ?w) { ("a" 3) ("b" 1) ("c" 3) } FILTER(?w = ?m) }',
        rows("a", "c"),
    ),
    Probe(
        "min-string",
        "MIN and MAX of strings go by their characters",
        'SELECT (MAX(?v) AS ?m) (MIN(?v) AS ?n) WHERE { VALUES ?v { "10" "9" "B" "a" } }',
        rows(("a", "10")),
    ),
    Probe(
        "most-frequent",
        "the groups with the highest count are found by a sub-select over a grouped one",
        "SELECT ?g WHERE { { SELECT (MAX(?n) AS ?m) WHERE { { SELECT ?h (COUNT(?v) AS ?n) WHERE { "
        'VALUES (?h ?v) { ("a" 1) ("a" 2) ("b" 1) ("c" 5) ("c" 6) } } GROUP BY ?h } } } '
        '{ SELECT ?g (COUNT(?w) AS ?k) WHERE { VALUES (?g ?w) { ("a" 1) ("a" 2) ("b" 1) ("c" 5) ("c" 6) } } '
        "GROUP BY ?g } FILTER(?k = ?m) }",
        rows("a", "c"),
    ),
    Probe(
        "top-k",
        "ORDER BY and LIMIT within a sub-select",
        "SELECT (MIN(?v) AS ?m) WHERE { { SELECT ?v WHERE { VALUES ?v { 4 1 3 2 } } ORDER BY DESC(?v) LIMIT 2 } }",
        rows(3),
    ),
    Probe(
        "count-nothing",
        "a COUNT of nothing is one row with 0",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { VALUES ?x { 1 } FILTER(1 = 0) }",
        rows(0),
    ),
    Probe(
        "count-distinct",
        "COUNT(DISTINCT …) counts a term once",
        'SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { VALUES ?x { 1 1 2 "1" "1" } }',
        rows(3),
    ),
    Probe(
        "count-distinct-terms",
        "COUNT(DISTINCT …) tells 1, 1.0 and 1e0 apart: they are three terms",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { VALUES ?x { 1 1.0 1e0 } }",
        rows(3),
        Use.FOREIGN,
    ),
    Probe(
        "having",
        "HAVING compares the count of a group",
        'SELECT ?g WHERE { VALUES (?g ?v) { ("a" 1) ("a" 2) ("b" 1) } } GROUP BY ?g HAVING (COUNT(?v) > 1)',
        rows("a"),
    ),
    Probe(
        "group-of-nothing",
        "GROUP BY over nothing gives no row that would join with everything",
        "SELECT ?x WHERE { VALUES ?x { 1 2 } { SELECT ?g (COUNT(?v) AS ?n) WHERE { VALUES (?g ?v) { (1 1) } "
        "FILTER(1 = 0) } GROUP BY ?g } }",
        (),
        Use.ADAPTED,
        field="blank_group",
    ),
    Probe(
        "sub-select-last",
        "what is bound outside does not reach into a sub-select",
        "SELECT ?x ?m WHERE { VALUES ?x { 1 2 } { SELECT (MAX(?x) AS ?m) WHERE { VALUES ?x { 1 2 3 } } } }",
        rows((1, 3), (2, 3)),
        Use.FOREIGN,
    ),
    Probe(
        "union-arm-filter",
        "a filter in an arm of a union sees what VALUES binds in the arm",
        "SELECT DISTINCT ?x WHERE { VALUES ?x { 1 2 } { { VALUES ?x { 1 2 } FILTER(?x = 1) } UNION "
        "{ VALUES ?x { 2 } FILTER(?x = 3) } } }",
        rows(1),
        Use.ADAPTED,
        field="forgets_values",
        refusable=True,
    ),
    Probe(
        "union-data",
        "inline data is an arm of a union",
        "SELECT DISTINCT ?x WHERE { { VALUES ?x { 1 2 } } UNION { VALUES ?x { 2 3 } } }",
        rows(1, 2, 3),
        Use.ADAPTED,
        field="shy_data",
    ),
    Probe(
        "values-unbound",
        "what an arm of a union leaves unbound stays unbound",
        "SELECT ?x ?y WHERE { { VALUES ?x { 1 } } UNION { VALUES ?y { 2 } } }",
        rows((1, None), (None, 2)),
        Use.FOREIGN,
    ),
    Probe(
        "false-filter",
        "a filter that is never true leaves nothing",
        "SELECT ?x WHERE { VALUES ?x { 1 2 } FILTER(1 = 0) }",
        (),
    ),
)
