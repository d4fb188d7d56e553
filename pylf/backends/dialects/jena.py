"""Apache Jena ARQ, alone or in Fuseki."""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect("jena")
