"""The syntax tree of s-expressions: what was written, with places, before any name is looked up.

One class per operator of GrailQA's logical forms (Gu et al., arXiv 2011.07743, Table 1) and of those made for WebQSP
and CWQ, which add ``TC``. What an atom means depends on where it stands and on the schema, so a :class:`Word` may be an
entity, a class, a relation or ``NOW``; only values are told apart here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.records import field, record

if TYPE_CHECKING:
    from pylf.errors import Source, Span


@record
class Word:
    """An atom without quotes that is no value: ``m.0178g``, ``film.film``, ``wd:Q42``, ``<http://…>``, ``NOW``."""

    text: str
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Value:
    """A literal: ``5000``, ``2.3e+06``, ``1996``, ``2008-05-01^^http://…#date``, ``"Kingdom of Prussia"@en``.

    ``datatype`` is as written (an IRI, ``xsd:date`` or ``type.float``), None where none is; ``quoted`` tells a string
    from a bare number or date.
    """

    lexical: str
    datatype: str | None = None
    language: str | None = None
    quoted: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Inverse:
    """``(R r)``: the relation, walked against its direction."""

    relation: Word
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Path:
    """Relations in a row where a relation is expected: ``(JOIN r1 (JOIN (R r2) r3))``, ``r1`` first."""

    steps: tuple[Word | Inverse, ...]
    span: Span | None = field(default=None, compare=False, shown=False)


#: What may stand where a superlative, a comparison or TC expects a relation.
Relation = Word | Inverse | Path


@record
class Join:
    """``(JOIN r X)``, ``(JOIN (R r) X)``: what is in relation r to some member of X."""

    relation: Word | Inverse
    of: Expression
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class And:
    """``(AND X Y …)``: two sets in the published forms; more are read."""

    sets: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Count:
    """``(COUNT X)``."""

    of: Expression
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Superlative:
    """``(ARGMAX X r)``, ``(ARGMIN X r)``; ``mode`` is ``'ARGMAX'`` or ``'ARGMIN'``."""

    mode: str
    of: Expression
    relation: Relation
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Comparison:
    """``(lt r n)``, ``le``, ``gt``, ``ge``: what has an r-value that is so to ``n``. ``op`` is one of the four."""

    op: str
    relation: Relation
    value: Value
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class TimeConstraint:
    """``(TC X r t)``: the members of X that held at ``t`` (a date, or the word NOW); r is the beginning or the end of
    their time, and its partner (``….from`` and ``….to``) is meant too."""

    of: Expression
    relation: Relation
    value: Value | Word
    span: Span | None = field(default=None, compare=False, shown=False)


Expression = Word | Value | Join | And | Count | Superlative | Comparison | TimeConstraint


@record
class SExpression:
    """A whole logical form and the text that it was read from."""

    root: Expression
    source: Source | None = field(default=None, compare=False, shown=False)
