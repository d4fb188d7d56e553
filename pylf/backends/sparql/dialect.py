"""What an engine's SPARQL differs in, as flags: a dialect states only where it departs from the generic one."""

from __future__ import annotations

from pylf.ir.target import Target
from pylf.records import record


@record(eq=False)
class Dialect:
    """A variety of SPARQL 1.1. The defaults are the generic reading, which asks least of an engine.

    One dialect equals itself alone: it is part of the key of many a cache.
    """

    name: str
    #: A negated body of several patterns is written as nested EXISTS of one pattern each.
    nest_negation: bool = False
    #: A negated body that is solved apart is subtracted by MINUS, which is a hash join.
    subtracts: bool = False
    #: A sub-select with DISTINCT costs no more than its rows.
    projects: bool = False
    #: The engine starts from the instances of a class, and checks negations of them before it joins on.
    starts_from_classes: bool = False
    #: A negated body that holds a grouped sub-select is subtracted by MINUS where that means the same.
    subtract_grouped: bool = False
    #: Up to so many alternatives (classes of an instance-of, values of a membership) are written as UNION; more
    #: of them as VALUES.
    union_limit: int = 32
    #: The store holds dates in the form of :func:`pylf.ir.dates.canonical`.
    canonical_dates: bool = False
    #: Patterns, joins and ``sameTerm`` meet a language tag without regard to case. Where they meet its spelling, a
    #: tagged string is looked for by a filter.
    folds_language: bool = False
    #: Triple patterns are joined in the order in which they are written.
    textual_order: bool = True
    #: A grouping of nothing gives one row that binds nothing, where it should give none.
    blank_group: bool = False
    #: ``\uXXXX`` is expanded before strings are read, even where the backslash is itself escaped.
    expands_escapes: bool = False
    #: In an arm of a union, a comparison does not see a variable that only VALUES binds there, but ``BOUND`` does.
    forgets_values: bool = False
    #: Under EXISTS, the filters of an arm or a sub-select do not see what is bound around it, repeated or not: such
    #: groups hold patterns only, unions are distributed over the negation.
    flat_exists: bool = False
    #: The end of a path that is known, and false as a condition (0, the empty string), counts as unknown there.
    falsy_ends: bool = False
    #: The body of an EXISTS is solved on its own and joined with the rows around it on the variables that both bind:
    #: what its filters and negations look at is repeated in it.
    apart_exists: bool = False
    #: A condition of its own that two variables are equal becomes a substitution, which is lost under EXISTS where one
    #: of them is bound around it: such conditions are put into ``IF``.
    substitutes_equals: bool = False
    #: The double -0 is less than 0 and not equal to it, as in a total order of doubles: 0 is added to what is compared,
    #: which makes it 0.
    orders_zeros: bool = False
    #: There is no ``sameTerm``.
    lacks_same_term: bool = False
    #: ``STR`` of a number may have fewer digits than the number: it is cast without.
    rounds_numbers: bool = False
    #: Strings are ordered by a collation, not by code points: dates are compared as numbers, and the order of texts is
    #: refused.
    collates: bool = False
    #: An IRI that SPARQL allows and RFC 3987 does not (``http://e/100%``) is a syntax error.
    strict_iris: bool = False
    #: Patterns, joins, inline data, ``IN`` and ``sameTerm`` meet terms of equal value, whatever their datatypes: ``1``
    #: meets ``true``, 1990 meets 1990-01-01. Plain strings are other terms than those typed as xsd:string.
    joins_values: bool = False
    #: Inline data is heeded only at the top of a group that binds something else: elsewhere it is a sub-select of its
    #: own, and where the variable is bound otherwise, a filter.
    shy_data: bool = False
    #: Numbers are told by ``isNumeric`` and cast as terms: ``STR`` spells infinity as no cast reads it.
    numbers_as_terms: bool = False
    #: A sub-select of one row says ``LIMIT 2``, or what it finds cannot be used under EXISTS; what is used there is
    #: found by a sub-select of its own.
    limits_scalars: bool = False
    #: A union in the body of an EXISTS is written as an EXISTS for each arm, where those are few.
    parts_unions: bool = False
    #: A grouped sub-select under EXISTS groups nothing by a variable that is bound besides: it is compared with. One
    #: that only projects is no sub-select there.
    parts_groups: bool = False
    #: What REPLACE gives is compared as a string only as an argument of ``CONCAT``.
    wraps_replace: bool = False
    #: ``STR`` spells years from -0999 to -0001 with three digits.
    short_years: bool = False
    #: In ``IF`` and ``COALESCE`` a plain string beyond ASCII is compared as its bytes: it is written as ``STR`` of one
    #: that is typed as xsd:string.
    bare_bytes: bool = False
    #: A single row of inline data is put in the place of its variable, as another term (1 for true): it is written
    #: twice.
    folds_single_rows: bool = False
    #: Parts that two expressions of one group have in common are computed once, now and then of another row: what is
    #: counted by is computed over a sub-select.
    shares_parts: bool = False
    #: Closures are written with the engine's own option for transitive sub-selects, not as paths.
    transitive_option: bool = False
    #: Queries that differ in relations and ends alone may be one body beside a table of these
    #: (:mod:`pylf.backends.sparql.row_table`). Set where ``benchmarks/candidates.py`` found that to be no slower than a
    #: union of them, kind by kind.
    row_tables: bool = False
    #: Patterns beside inline data are ordered as is good for its first row. Where that has ``rdf:type`` for a relation,
    #: this may be from the end of a walk, for all rows: a table has each step in a group of its own.
    plans_first_row: bool = False
    #: Where one step of a walk is written out and the next one stands in a table, all triples are read before the
    #: table: it holds what is the same in all rows too.
    reads_past_tables: bool = False
    #: Where one arm of a union lists strings and another finds blank nodes in the same column, the strings come as
    #: IRIs: a query that lists literals has no other beside it.
    blurs_lists: bool = False
    #: A relation variable of several patterns is lost where one pattern leads on to another: each has one of its own,
    #: compared by spelling.
    loses_relations: bool = False
    #: Lists of values that stand side by side, or under EXISTS and look around, are misread: they are put into
    #: ``COALESCE``.
    misreads_lists: bool = False
    #: The filters of an OPTIONAL do not see what is bound around it: what they look at is bound in it.
    solves_optional_apart: bool = False
    #: COUNT and GROUP_CONCAT of an expression count errors: it is bound beforehand. ``sameTerm``, ``isLiteral`` and
    #: their like are false of errors: they are asked of what has a value.
    counts_errors: bool = False
    #: COUNT of a variable counts the rows that have no value for it too, where these come out of a sub-select with
    #: DISTINCT: it is counted by its spelling.
    counts_unbound: bool = False
    #: Functions and arithmetic take what they should not: they are given nothing else than what they are for, and parts
    #: of dates are cut out of their spelling.
    misreads_arguments: bool = False
    #: SELECT DISTINCT does not keep the order of what is not selected: its rows are grouped by their best place.
    reorders_distinct: bool = False
    #: Beside a closure one of several negations is lost by some plans: they have no form.
    loses_denials: bool = False
    #: Triple terms are read (RDF 1.2).
    triple_terms: bool = False
    #: The graph that is asked has parts that can be asked for by name.
    graph_names: bool = True
    #: Rows that one VALUES block (or values that one IN) may have; more of them become a UNION of such blocks.
    values_limit: int | None = None
    #: Arms that one UNION may have.
    arms_limit: int | None = None
    #: Patterns and calls that a query may have (:func:`pylf.backends.sparql.weight.weight`).
    weight_limit: int | None = None
    #: Tables that a query may join once its unions are multiplied out (:func:`pylf.backends.sparql.weight.joins`).
    joins_limit: int | None = None
    #: Tables that one group may join that has sub-selects among them (:func:`pylf.backends.sparql.weight.widest`).
    group_limit: int | None = None
    #: Rows that an answer of the engine has at most as it is commonly set up; None where there is no such cap. An
    #: answer of exactly so many rows may be cut.
    row_cap: int | None = None
    # How the engine is asked and answers; nothing of it is emitted.
    #: A blank node has the same label in all answers.
    named_blanks: bool = False
    #: A blank node can be asked for by its label, as the IRI ``nodeID://b1``.
    asks_blanks: bool = False
    #: Answers spell booleans as 0 and 1, and doubles with six digits; ``STR`` tells all of them.
    prints_numbers: bool = False
    #: A request may say how long its query is waited for, by a parameter ``timeout`` that counts so many parts of a
    #: second; None: it may not.
    timeout_unit: int | None = None

    @property
    def target(self) -> Target:
        """What the passes of :mod:`pylf.ir.passes` are told of the engine."""
        return Target(
            name=self.name,
            textual_order=self.textual_order,
            nests=self.nest_negation,
            subtracts=self.subtracts,
            projects=self.projects,
            starts_from_classes=self.starts_from_classes,
        )
