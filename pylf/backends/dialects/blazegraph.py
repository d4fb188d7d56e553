"""Blazegraph, which Wikidata's query service runs on."""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect("blazegraph")
