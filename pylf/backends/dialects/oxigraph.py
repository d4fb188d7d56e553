"""Oxigraph 0.5 (embedded and as a server).

- ``nest_negation``: it solves the body of a NOT EXISTS once per outer row and does not push what the row binds into a
  join, so that a flat body of two patterns costs 100 to 1,000 times the same body nested.
- ``subtract_grouped``: for the same reason a grouped sub-select under NOT EXISTS is computed once per row.
- ``canonical_dates``, ``folds_language``: it stores values, not spellings.
- ``strict_iris``: its parser checks IRIs to the letter, while a store that was loaded leniently may hold others: those
  are compared by their spelling.
- ``textual_order``: it orders joins itself.
- ``row_tables``: beside a table of their relations, walks ahead were no slower than as arms of a union.
- ``triple_terms``: it reads RDF 1.2, and finds a triple term by its parts only where the triple itself is stated.
- ``named_blanks``: blank nodes have the label that they were loaded with; none can be asked for by it.
"""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect(
    "oxigraph",
    nest_negation=True,
    subtracts=True,
    projects=True,
    subtract_grouped=True,
    canonical_dates=True,
    folds_language=True,
    textual_order=False,
    strict_iris=True,
    row_tables=True,
    named_blanks=True,
    triple_terms=True,
)
