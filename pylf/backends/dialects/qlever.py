"""QLever (University of Freiburg), as its documentation, its issues and the source of August 2026 say.

It says of itself that it has all of SPARQL 1.1 (its README; https://docs.qlever.dev/compliance). Where it departs, in
what pylf writes:

- ``apart_exists``: the group of an EXISTS is "independent from the rest of the query" and joined with the rows
  afterwards, so that a filter in it sees no variable of the rows around
  (https://github.com/ad-freiburg/qlever/issues/2138; ``SparqlQleverVisitor::visitExists``).
- ``solves_optional_apart``: so it is taken to be with the group of an OPTIONAL, which its documentation does not tell;
  what is repeated does no harm.
- ``lacks_same_term``: a query with ``sameTerm`` is refused as "not yet implemented"
  (``SparqlQleverVisitor::visit(BuiltInCallContext)``; its own tests expect that).
- ``rounds_numbers``: all integers are 60 bits and called ``xsd:int``, decimals are doubles
  (https://docs.qlever.dev/compliance), and ``STR`` gives them with thirteen digits (``ExportIds.cpp``).
- ``collates``: strings are sorted as a language sorts them, by default US English, where ``~`` comes before digits and
  ``B`` after ``a`` (https://github.com/ad-freiburg/qlever/pull/297). So dates are compared as numbers, and a query that
  needs the order of plain strings is refused.
- ``folds_language`` stays off: it takes ``"a"@en`` and ``"a"@EN`` for two terms
  (https://github.com/ad-freiburg/qlever/issues/2108).
- ``reorders_distinct``: nothing is documented of DISTINCT in the order of what is not selected.
- ``textual_order``: its planner orders joins by cost.

REGEX and REPLACE are RE2's (``RegexExpression.cpp``): what pylf writes has neither look-around nor back references, and
``$1`` is understood. Dates come back as they were written, but for times finer than milliseconds and for years beyond
-9999 and 9999, of which only the year is kept (``Date.h``, ``DateYearDuration.cpp``). No limit on inline data, unions
or rows is documented; public instances end a query after some minutes.
"""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect(
    "qlever",
    apart_exists=True,
    lacks_same_term=True,
    rounds_numbers=True,
    collates=True,
    textual_order=False,
    solves_optional_apart=True,
    reorders_distinct=True,
)
