"""Virtuoso 7 (OpenLink), which the papers on Freebase run on."""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect(
    "virtuoso",
    folds_language=True,
    joins_values=True,
    shy_data=True,
    numbers_as_terms=True,
    limits_scalars=True,
    parts_groups=True,
    wraps_replace=True,
    short_years=True,
    plus_as_star=True,
    textual_order=False,
    union_limit=1,
    values_limit=1000,
    arms_limit=400,
    weight_limit=450,
    row_cap=10_000,
)
