"""Blazegraph, which Wikidata's query service runs on; by its documentation.

It reads SPARQL 1.1 from the inside out, as the standard has it
(https://github.com/blazegraph/database/wiki/SPARQL_Bottom_Up_Semantics): what every dialect writes, sub-selects that
are closed and unions whose arms bind what their filters look at, means the same there. The group of an EXISTS sees
what is bound around it, filters included (its ``ASTExistsOptimizer`` projects all variables in scope into it), but a
sub-select in it does not (https://mail-archive.com/public-sparql-dev@w3.org/msg01197.html), and none that is written
looks out.

- ``folds_language``: it writes all language tags in lower case, those of a query too (``BigdataLiteralImpl``).
- ``textual_order``: it orders joins itself, by what it knows of the sizes
  (https://www.wikidata.org/wiki/Wikidata:SPARQL_query_service/query_optimization). Hints are not written.
- No ``row_cap``, no limit on inline data; a query may take 60 seconds, and a client as much in a minute
  (https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual#Query_limits).

The label service is no SPARQL of its own graph and never written: labels are fetched apart, when answers are there.

What Wikidata's own data asks for needs no flag. Every date is an ``xsd:dateTime`` with zone Z, whatever its precision:
a year is its 1 January at midnight, 44 BCE is -0043 (https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format).
A value that is known to be but unknown is an IRI under http://www.wikidata.org/.well-known/genid/, on older
installations a blank node (https://www.mediawiki.org/wiki/Wikidata_Query_Service/Blank_Node_Skolemization): it is no
literal, so no comparison holds of it, it counts as having a value, and it can be an answer.
"""

from __future__ import annotations

from pylf.backends.sparql.dialect import Dialect

DIALECT = Dialect("blazegraph", folds_language=True, textual_order=False)
