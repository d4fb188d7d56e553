"""Apache Jena ARQ, alone or in Fuseki; seen with 4.5, in memory and on TDB2.

- ``nest_negation``: the body of a NOT EXISTS is joined in the order of its patterns for every outer row, and a
  pattern of the outer class that stands beside others is enumerated whole: one pattern to a level is faster by up to
  a thousand times ("labels without an artist from England", 444,000 triples in memory: 18.8 s flat, 17 ms nested) and
  was slower by 2.1 at worst.
- ``substitutes_equals``: it makes a substitution of a condition that two variables are equal, also where one of them is
  bound outside of the EXISTS that the condition stands in, and the condition is gone. Of two aggregates that a HAVING
  says are equal, over a sub-select, no group is left.
- ``orders_zeros``: it compares doubles by Java's ``Double.compare``, for which -0 is less than 0.
- ``folds_language`` stays off: language tags are kept as written and met as written, ``"x"@en-US`` is not found by
  ``"x"@en-us``. (Jena 5 writes all tags in one way, which does no harm here.)
- ``strict_iris``: it refuses a query that names ``http://e/100%``.
- ``row_tables``: beside a table of their relations, walks ahead were no slower than as arms of a union.
  ``plans_first_row``: TDB2 orders patterns by the first row that comes to them; where that had ``rdf:type``, the last
  step of a walk was taken first for all rows (3.5 s for 6 ms).
- ``timeout_unit``: milliseconds, in what ``pylf.testing.servers`` starts; the client knows that Fuseki counts seconds.
- ``textual_order`` stays: without statistics of its own it weighs patterns by which of their places are constants, and
  keeps the written order among equals.
- ``subtract_grouped`` stays off: it computes a grouped sub-select under NOT EXISTS with what the row binds, so that
  MINUS loses up to 35 times under a selective outer side.

What it changes when it loads, none of which a query has to know of: an in-memory dataset nothing at all; TDB2 stores
numbers, booleans and times by value, so that ``01`` comes back as ``1`` and ``10:00:00.50`` as ``10:00:00.5``, and
takes ``" 1"`` for the number that it would be without the space. A plain in-memory model (``arq --data``,
``DatasetFactory.createGeneral``) matches literals in triple patterns by value, ``sameTerm`` with a constant among them,
since ARQ makes a pattern of it: nothing that is emitted tells ``1`` from ``01``.
"""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect(
    "jena",
    nest_negation=True,
    substitutes_equals=True,
    orders_zeros=True,
    strict_iris=True,
    row_tables=True,
    plans_first_row=True,
    timeout_unit=1_000,
)
