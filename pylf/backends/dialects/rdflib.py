r"""RDFLib 7. Its graph must hold literals as they were written: with ``NORMALIZE_LITERALS`` on, ``" 5 "`` is a number.

- ``folds_language``: literals compare their tags in lower case.
- ``blank_group``: GROUP BY over nothing yields one empty row, which would join with everything.
- ``forgets_values``: what is bound around an arm is taken away from its filters, unless they or a pattern name the
  variable; neither inline data nor the two sides of a comparison count as naming it.
- ``falsy_ends``: a path to 0, or to an empty string, leads anywhere.
- ``flat_exists``: below an EXISTS it is taken away whatever names it.
- ``expands_escapes``: its parser replaces ``\uXXXX`` in the whole text first, so that an escaped backslash before a
  ``u`` is misread.
- ``graph_names``: names of graphs are dropped when files are read.
- ``counts_errors``: COUNT, SUM and GROUP_CONCAT of an expression that has no value go on with the error,
  ``isLiteral`` and ``sameTerm`` of one are false, and ORDER BY of some ends the query.
- ``misreads_arguments``: ``"abc"^^xsd:integer + 1`` never ends, and YEAR reads ``xsd:dateTime`` alone.

Besides, what holds for every dialect was chosen with it in mind: sub-selects stand first in their group and share no
variable that a binding from outside could narrow (it hands those in), a false filter is written ``1 = 0`` (it drops
``FILTER(false)``), guards are ``IF`` (an error inside ``&&`` is an error even beside false), and what a filter in an
arm of a union looks at is bound in the arm.
"""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect(
    "rdflib",
    folds_language=True,
    blank_group=True,
    forgets_values=True,
    flat_exists=True,
    falsy_ends=True,
    expands_escapes=True,
    graph_names=False,
    counts_errors=True,
    misreads_arguments=True,
)
