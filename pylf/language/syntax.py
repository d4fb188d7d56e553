"""The syntax tree of PyLF: what was written, with places, before any name is looked up.

One class per function of the language (CUCKOO, arXiv 2604.14749, Table 1) and per extension of ours. The parser has
already normalised spelling: ``JOIN('R_r', …)`` keeps the ``R_`` in :class:`Name`; a bare string where a set is
expected is :class:`Start`; ``neg=True`` is a flag.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.language.wording import PYLF
from pylf.records import field, record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.errors import Source, Span
    from pylf.language.wording import Wording


@record
class Name:
    """A relation's name as written, ``R_`` included: ``spaceflight.rocket.mass``, ``R_wd:P31``, ``<http://…>``."""

    text: str
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Number:
    """A number as written (``2.32e+3``, ``-5``): its text is kept, the value is never computed by the parser."""

    text: str
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Text:
    """The contents of a string where a constant is expected (the last argument of CMP and TC)."""

    text: str
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Reach:
    """Extension: ``CLOSURE('r')``, one or more steps of a relation; ``CLOSURE('r', min=0)``, none or more."""

    name: Name
    minimum: int = 1
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class RelationPath:
    """Several relations in a row: ``['wrote', 'pages']`` or a nested ``JOIN('wrote', 'pages')`` of names."""

    steps: tuple[Name | Reach, ...]
    span: Span | None = field(default=None, compare=False, shown=False)


#: What may stand where a relation is expected.
Relation = Name | Reach | RelationPath


@record
class Reference:
    """A variable: the value of an earlier assignment."""

    name: str
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Start:
    """``START(x)``, or a bare string or number where a set is expected (then ``implicit``).

    ``kind`` is ``'class'``, ``'entity'``, ``'literal'`` or None (find out).
    """

    value: Text | Number
    kind: str | None = None
    implicit: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Join:
    """``JOIN(r, X)``, ``JOIN('R_r', X)``, each with ``neg=True`` or without."""

    relation: Relation
    of: Expression
    negated: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class And:
    """``AND(X, Y, …)``: intersection of two or more sets."""

    sets: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Or:
    """Extension: ``OR(X, Y, …)``, union of two or more sets."""

    sets: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Minus:
    """Extension: ``MINUS(X, Y)``, the members of X that are not in Y."""

    left: Expression
    right: Expression
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class CountOf:
    """``COUNT(X)``: the number of distinct members."""

    of: Expression
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Arg:
    """``ARG('ARGMAX'|'ARGMIN', X, r)``; as extensions ``k=N`` (top k, ties at the last place kept) and
    ``COUNT(r)`` for r (``counted``: the number of distinct r-values is the key)."""

    mode: str
    of: Expression
    relation: Relation
    k: int | None = None
    counted: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Cmp:
    """``CMP(op, r, n)`` with op ``<``, ``<=``, ``>``, ``>=``, and as extensions ``=`` and ``!=``."""

    op: str
    relation: Relation
    value: Text | Number
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class TimeConstraint:
    """Extension: ``TC(X, r, t)``, the members of X without any r-value, or with one that is ``<= t`` (r is a
    beginning); with ``until=True`` one that is ``>= t`` (r is an end), as dates compare. ``t`` is a date or 'NOW'.
    WebQSP's and CWQ's ``TC`` lower to it."""

    of: Expression
    relation: Relation
    value: Text | Number
    until: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Ask:
    """Extension: ``ASK(X)``, whether X has a member."""

    of: Expression
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Stop:
    """``STOP(X)``: the program's answer."""

    of: Expression
    span: Span | None = field(default=None, compare=False, shown=False)


Expression = Reference | Start | Join | And | Or | Minus | CountOf | Arg | Cmp | TimeConstraint | Ask


@record
class Assignment:
    """``name = value``; the last one's value is a :class:`Stop`."""

    name: str
    value: Expression | Stop
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class QuestionInfo:
    """``question_info = {…}``: CUCKOO's constraint elements; keys in written order, values lists of strings."""

    elements: tuple[tuple[str, tuple[str, ...]], ...]
    span: Span | None = field(default=None, compare=False, shown=False)

    @property
    def by_key(self) -> Mapping[str, tuple[str, ...]]:
        """The elements as a mapping."""
        return dict(self.elements)


@record
class Comment:
    """A ``# …`` comment, without line break; ``own_line`` where nothing stands before it on its line."""

    text: str
    span: Span
    own_line: bool


@record
class Program:
    """A whole program: assignments in order, the last one ``STOP``; comments are kept for the formatter."""

    assignments: tuple[Assignment, ...]
    question_info: QuestionInfo | None = None
    comments: tuple[Comment, ...] = field(default=(), compare=False)
    source: Source | None = field(default=None, compare=False, shown=False)
    #: in whose words findings speak of it
    wording: Wording = field(default=PYLF, compare=False, shown=False)
