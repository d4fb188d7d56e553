"""Virtuoso 7 (OpenLink), which the papers on Freebase run on; seen with 7.2.5.

Where it departs from SPARQL, by flag:

- ``starts_from_classes``: without the class of what a negation looks at, in a body that names no entity, it joins all
  that the body says and negates last; with it, it starts from the instances and takes two thirds of the time or half.
  Which of two inverse relations is written decides its plan, either way: 0.4 to 1.7 times the speed.
- ``joins_values``: it joins values. ``?s :v 1`` finds true and 1.0, ``VALUES`` and ``IN`` do, ``sameTerm(?v, 1.0)``
  does *and* hands 1.0 back for what was 1; two patterns with ``?v`` meet where one has the year 1990 and the other
  1990-01-01. A filter ``STR(?x) = STR(?y)`` beside any equality of the two is folded away with it, and one under EXISTS
  may be carried out of it, unless it stands in ``COALESCE``. DISTINCT and GROUP BY do tell terms apart, and so do
  ``IN`` and patterns among IRIs and strings, but for what may be a number or a date it reads the IRIs as such to
  compare them ("Unsupported case in CONVERT (IRI_ID -> DOUBLE PRECISION)"), unless literals are sorted out; and a plain
  string and one typed as xsd:string are two terms, so that both are asked for.
  ``sameTerm`` of a variable and an IRI is false in ``COALESCE`` whatever they are: a list of that IRI is not.
- ``shy_data``: a VALUES that is all of an arm of a union applies to the whole union, one that is all of an EXISTS is
  ignored, an arm that is nothing but unions or sub-selects and filters of them loses the filters, or is not compiled
  ("sparp_gp_deprecate()"), unless it is a sub-select; and one whose variable is bound around an EXISTS overflows the
  compiler's stack. A tagged string in such a sub-select has no tag where the store holds it besides, and is not found
  by ``IN`` where it does not: refused. An arm that is an empty group is lost beside others.
- ``parts_groups``: a grouped sub-select under EXISTS, or in MINUS, whose group is bound around it finds the wrong
  groups. One with names of its own, compared by a filter, finds the right ones.
  A sub-select that only projects is not compiled there beside a negation that looks at what it exports, where that is
  bound around too ("sparp_find_origin_of_external_var()"), nor with DISTINCT beside what has no other variable in
  common with the outside ("ssl refd before set").
- ``parts_unions``: a negated union with a superlative in an arm has brought the server down.
- ``limits_scalars``: a filter under EXISTS on what a sub-select aggregates ("Aggregate function not allowed in
  context", "Bad dfe in sqlo_place_exp"), unless the sub-select has a LIMIT. With ``LIMIT 1`` some plans join its row to
  one row only and leave it unbound beside the others; with ``LIMIT 2`` none does. Where a filter of the group and an
  EXISTS, or two EXISTS, look at what one sub-select finds, some plans lose one of the two, unless the EXISTS has a
  sub-select of its own.
  A function of what a grouped sub-select counts, beside a relation that the store does not hold, ends with "Bad dfe"
  too, unless the sub-select has a LIMIT.
- ``numbers_as_terms``: an integer of more than 32 bits has the datatype xsd:decimal; ``STR`` of infinity is ``inf``,
  ``isNumeric(true)`` holds, and what it did not read as a number it keeps as a string with that datatype, which
  ``isNumeric`` denies. Casts that fail give no error but nothing.
- ``wraps_replace``: ``REPLACE(…) >= "1990"`` holds of nothing, ``CONCAT(REPLACE(…), "") >= "1990"`` does.
- ``bare_bytes``: ``IF(true, STR(?x) = "é", false)`` holds of nothing, ``… = STR("é"^^xsd:string)`` does.
- ``folds_single_rows``: ``VALUES ?x { true }`` gives the integer 1, in a union ``1990-07`` comes as a date, and
  functions fail on tagged strings ("Incomplete RDF box"). Of two rows, be they the same, the terms are kept.
  A variable with a list of one value that is listed in a negation too, in a sub-select of one row, makes some plans
  find nothing beside the sub-select; with that value twice none does.
- ``short_years``: the year -44 is spelled ``-044``, by ``STR`` and in answers.
- ``shares_parts``: ``COUNT(DISTINCT …)`` of a key beside a superlative that has the same key counted one value for two,
  on a server that had answered some two thousand queries before; over a sub-select with DISTINCT it is right. So it is
  with ``COUNT(DISTINCT ?x)`` over a union of two equal arms, in a sub-select with a LIMIT: it counted 2 of 3.
- ``transitive_option``: a path with ``+`` or ``*`` follows every way to a node, and so needs more than its gigabyte
  where many lead there ("Exceeded 1000000000 bytes in transitive temp memory": 851 triples of
  ``music.genre.parent_genre`` do); ``p+`` leaves out the start of a cycle and fails where no end is known
  ("transitive start not given"); a path
  beside a union is lost by some plans; one that comes by a literal fails ("Unsupported case in CONVERT"). A sub-select
  with ``OPTION (TRANSITIVE, T_DISTINCT, …)`` over the triples without literals, and a triple for the last step, do none
  of that: the same closure takes 10 ms. It has turns of its own: from a known way in it finds no start where nothing
  else is joined with; joined with more, one from a constant loses rows, and so does one whose end is a literal in
  another row; under EXISTS an end that is bound around it is another variable. So a known end is called the way out and
  walked from, in a sub-select with DISTINCT; ends are no literals; and around an EXISTS they are compared with ``=``.
  By what it has loaded before, it may put the rows beside such a sub-select into it, or into a path, and walk from all
  of them at once: of rows that begin at the same node it then keeps one, and others stand with what another row has
  found. A LIMIT, of more than there can be, keeps the sub-select by itself; so the classes below one are found too.
- ``loses_relations``: some plans answer ``?x ?p ?y . ?y ?p ?z`` as if the two relations had nothing to do with each
  other, or find none, whether they are one variable or two compared by ``=`` or ``sameTerm``; two compared by ``STR``
  are right. Beside a union that such a variable stands in too there is no right form.
  Where ``?y`` is the object of a triple beside a union and a subject in one of its arms, but not in all, the other arms
  lose the rows where it is a literal: refused.
- ``misreads_lists``: ``?y IN ("one", "x")`` beside ``?y IN ("one", "y")`` finds nothing; ``IN`` or ``||`` under EXISTS
  on what is bound around it ends with "Stack Overflow in cost model"; ``IN`` or ``=`` in an arm of a union on what is
  bound beside it is applied to the other arms too. In ``COALESCE`` none of that happens.
- ``sameTerm`` of an object and an IRI is neither true nor false in ``COALESCE``: ``IN`` a list of that one is written.
- ``loses_denials``: beside a transitive sub-select the second of two NOT EXISTS is lost by some plans (7 % of drawn
  ones), and rows by other plans of ``!(EXISTS … || EXISTS …)``: refused.
- ``solves_optional_apart``: a filter of an OPTIONAL does not see what is bound around it, and nothing is found. One
  with a union or a sub-select in it loses rows: refused, and so is OPTIONAL under EXISTS.
- ``misreads_arguments``: a cast that fails in IF, a division by zero, YEAR of no date each end the query, and functions
  of strings take IRIs. ``7 / 2`` is 3; ``IF`` of what has no value is its third argument; a truth value that is bound
  or selected comes as a number. SUM and AVG of nothing are nothing; ``COALESCE`` of them in a grouping is not compiled,
  and neither is any function of a reduction over triples of which the store has none (SQ156, "Bad dfe"); it is over a
  sub-select with DISTINCT.
- ``counts_unbound``: ``COUNT(?y)`` over a sub-select with DISTINCT in which a union or an OPTIONAL leaves ``?y``
  unbound counts those rows too; ``COUNT(STR(?y))`` and ``COUNT(DISTINCT ?y)`` do not.
- ``reorders_distinct``: what ORDER BY names counts as selected, so that DISTINCT keeps a row for each of its values.
- ``folds_language``: ``"x"@en`` and ``"x"@EN`` are one term.
- ``union_limit``: unions that stand side by side are multiplied out, so that three of three arms take minutes to plan.
  Alternatives are filters ``IN`` as far as can be, which finds them by the index just as well.
- ``values_limit``: VALUES and ``IN`` end at 4,094 terms; blocks of 4,000 take ten times as long to compile as the same
  classes in blocks of 1,000. ``arms_limit``: the compiler's stack overflows between 410 and 420 arms.
- ``weight_limit``: from about 400 patterns and calls on it finds no plan ("The memory pool size … reached the limit").
  ``joins_limit``: so it does from about 120 joined tables on, where unions are multiplied out, with all that stands
  beside them; of drawn programs one in 4,000 has more than 80.
  ``group_limit``: now and then for ten tables of one group that tests what sub-selects beside them find.
- ``row_tables``: a table that stands with patterns in a group is no shy data. ``reads_past_tables``: of ``e a ?y . ?y
  ?p ?x`` beside a table of ``?p`` it read all triples (2 s of 300,000), beside one that holds ``a`` too those of ``e``.
- ``blurs_lists``: a string that one arm of a union lists by VALUES comes as an IRI where another arm finds blank nodes.
- ``row_cap``: as public endpoints are commonly set up.
- ``named_blanks``, ``asks_blanks``: ``nodeID://b1`` is the same node in all answers and in queries.
- ``prints_numbers``: ``true`` comes as 1, a double with six digits. ``timeout_unit``: milliseconds.
- ``textual_order``: it orders joins itself.

What it makes of literals when it loads them; no query can bring back what they were:

==============================================  ==============================================================
loaded                                          kept
==============================================  ==============================================================
``"01"``, ``"+5"``, ``" 1"`` xsd:integer        1, 5, 1
``"abc"`` xsd:integer                           0 from a file; INSERT DATA is refused ("Invalid integer value")
``"1e"`` xsd:double, ``"abc"`` xsd:boolean      INSERT DATA is refused
integers beyond 64 bits                         xsd:integer: INSERT DATA is refused; xsd:unsignedLong: as a string of
                                                that datatype, which is compared as the number that it spells
``"2.50"`` xsd:decimal                          2.5
xsd:double                                      its value, but answers print six digits: 0.1234567890123456 comes
                                                back as 0.123457, 123456789.125 as 1.23457e+08; comparisons are exact
xsd:float                                       the float, compared as the double that it is: 0.1 is 0.10000000149
``INF``, ``-INF``                               themselves; from Turtle or N-Triples as strings of that datatype
``NaN``                                         by INSERT DATA it breaks the indexes: later loads fail ("out of seg
                                                data") and rows are lost; from a file it is a string of that datatype
``"true"`` xsd:boolean                          ``1`` in answers, of the same datatype; ``"false"``: ``0``
the year -0001                                  0000
years -0999 to -0002                            the year, spelled with three digits, as the answers are read here
``"199"`` xsd:gYear                             0199
``"1990"``, ``"1990-07"`` xsd:dateTime          1990-01-01T00:00:00, 1990-07-01T00:00:00; ``"1990"`` xsd:date 1990-01-01
fractions of a second                           three digits or six: .5 is .500, .123456789 is .123456
dates out of bounds (``"1990-13"``, ``"abc"``)  the string, of that datatype
xsd:duration                                    INSERT DATA is refused (``P1Y``); from a file a number of months
``"x"`` and ``"x"^^xsd:string``                 two terms
==============================================  ==============================================================

Of two literals of equal value (1 and true, the year 1990 and the date 1990-01-01) under one subject and relation, it
keeps one.
"""

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
    parts_unions=True,
    wraps_replace=True,
    bare_bytes=True,
    folds_single_rows=True,
    short_years=True,
    shares_parts=True,
    transitive_option=True,
    loses_relations=True,
    misreads_lists=True,
    loses_denials=True,
    starts_from_classes=True,
    textual_order=False,
    union_limit=1,
    values_limit=1000,
    arms_limit=400,
    weight_limit=400,
    joins_limit=100,
    group_limit=9,
    row_tables=True,
    reads_past_tables=True,
    blurs_lists=True,
    row_cap=10_000,
    named_blanks=True,
    asks_blanks=True,
    prints_numbers=True,
    timeout_unit=1_000,
    solves_optional_apart=True,
    misreads_arguments=True,
    reorders_distinct=True,
    counts_unbound=True,
)
