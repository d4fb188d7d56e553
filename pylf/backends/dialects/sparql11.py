"""Generic SPARQL 1.1: what every conforming engine reads alike, whatever it stores."""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect("sparql11")
