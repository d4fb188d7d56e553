"""Negation over inline data: none of it is how pylf writes negation, but SPARQL from elsewhere does.

How pylf writes it takes triples: :mod:`pylf.doctor.probes.triples`.
"""

from __future__ import annotations

from pylf.doctor.probe import Probe, Use, grouped, rows

PROBES = grouped(
    "negation",
    Probe(
        "not-exists-values",
        "NOT EXISTS over VALUES sees the variable that it shares",
        "SELECT ?x WHERE { VALUES ?x { 1 2 3 } FILTER NOT EXISTS { VALUES ?x { 2 } } }",
        rows(1, 3),
        Use.FOREIGN,
    ),
    Probe(
        "not-exists-outer-filter",
        "a filter inside NOT EXISTS sees the variables outside",
        "SELECT ?x WHERE { VALUES ?x { 1 2 3 } FILTER NOT EXISTS { VALUES ?y { 2 } FILTER(?x = ?y) } }",
        rows(1, 3),
        Use.FOREIGN,
    ),
    Probe(
        "not-exists-nested-values",
        "NOT EXISTS within NOT EXISTS is the double negation",
        "SELECT ?x WHERE { VALUES ?x { 1 2 3 } FILTER NOT EXISTS { VALUES ?x { 2 3 } "
        "FILTER NOT EXISTS { VALUES ?x { 3 } } } }",
        rows(1, 3),
        Use.FOREIGN,
    ),
    Probe(
        "minus-values",
        "MINUS { VALUES … } is subtracted",
        "SELECT ?x WHERE { VALUES ?x { 1 2 3 } MINUS { VALUES ?x { 2 } } }",
        rows(1, 3),
        Use.FOREIGN,
    ),
    Probe(
        "minus-values-unshared",
        "MINUS of a VALUES without a shared variable removes nothing",
        "SELECT ?x WHERE { VALUES ?x { 1 2 3 } MINUS { VALUES ?y { 2 } } }",
        rows(1, 2, 3),
        Use.FOREIGN,
    ),
    Probe(
        "optional-values-not-bound",
        "OPTIONAL { VALUES … } and !BOUND is negation",
        "SELECT ?x WHERE { VALUES ?x { 1 2 3 } OPTIONAL { VALUES (?x ?y) { (2 20) } } FILTER(!BOUND(?y)) }",
        rows(1, 3),
        Use.FOREIGN,
    ),
)
