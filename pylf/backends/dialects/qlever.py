"""QLever (University of Freiburg)."""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect("qlever")
