"""Virtuoso 7 (OpenLink), which the papers on Freebase run on."""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect("virtuoso")
