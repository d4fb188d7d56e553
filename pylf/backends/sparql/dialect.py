"""What an engine's SPARQL differs in, as flags: a dialect states only where it departs from the generic one."""

from __future__ import annotations

from pylf.records import record


@record(eq=False)
class Dialect:
    """A variety of SPARQL 1.1. The defaults are the generic reading, which asks least of an engine.

    One dialect equals itself alone: it is part of the key of many a cache.
    """

    name: str
    #: A negated body of several patterns is written as nested EXISTS of one pattern each.
    nest_negation: bool = False
    #: A negated body that holds a grouped sub-select is subtracted by MINUS where that means the same.
    subtract_grouped: bool = False
    #: Up to so many alternatives (classes of an instance-of, values of a membership) are written as UNION; more
    #: of them as VALUES.
    union_limit: int = 32
    #: The store holds dates in the form of :func:`pylf.ir.dates.canonical`.
    canonical_dates: bool = False
    #: Language tags are compared without regard to case.
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
    #: An IRI that SPARQL allows and RFC 3987 does not (``http://e/100%``) is a syntax error.
    strict_iris: bool = False
    #: Rows that one VALUES block (or values that one IN) may have; more of them become a UNION of such blocks.
    values_limit: int | None = None
    #: Arms that one UNION may have.
    arms_limit: int | None = None
    #: Rows that an answer of the engine has at most as it is commonly set up; None where there is no such cap. An
    #: answer of exactly so many rows may be cut.
    row_cap: int | None = None
