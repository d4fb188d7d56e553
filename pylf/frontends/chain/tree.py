"""The tree of a chain of relations: what was written, with places, before any name is looked up.

CCoR (arXiv 2608.22762, §III) answers a question by a *main chain*, which walks from its source along relations to the
answers, and by *constraint chains*, each of which ends at a position of the main chain and filters what is there. A
:class:`Chain` is such a main chain. Its steps stand in the order in which they are taken: a :class:`Hop` goes on to the
next position, every other step does something to the set at the position where it stands.

Names and values are PyLF's own: the text of an :class:`Atom` means what it means in ``START('…')``, that of a
:class:`Relation` what it means in ``JOIN('…', X)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.records import field, record

if TYPE_CHECKING:
    from pylf.errors import Source, Span


@record
class Atom:
    """A name or a value: ``m.0178g``, ``:boeing``, ``'Boeing Company'``, ``film.film``, ``5000``, ``1990-07``, ``NOW``.

    ``number`` tells a number from a text; ``kind`` is ``'class'``, ``'entity'``, ``'literal'`` or None (find out).
    """

    text: str
    number: bool = False
    kind: str | None = None
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Anything:
    """``?``: what nothing is known of but the constraints that follow."""

    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Union:
    """``X | Y | …``: what is in one of the sets at least; there are two or more."""

    chains: tuple[Chain, ...]
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Relation:
    """A relation that is walked from subject to object, or against that: ``~r``, ``back``.

    ``closure`` is None for one step, 1 for one or more (``r+``), 0 for none or more (``r*``).
    """

    name: str
    back: bool = False
    closure: int | None = None
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Hop:
    """``-> r``: what the set leads to by a relation; ``-> not r``: what none of its members leads to.

    A negated hop may be a walk of several relations, ``-> not (r -> s)``, of which ``further`` are all but the first:
    what could be reached by such a walk, and is not. (``-> r -> not s`` is what could be reached by s alone.)
    """

    relation: Relation
    negated: bool = False
    further: tuple[Relation, ...] = ()
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Along:
    """``[-> r -> s -> X]``: what leads, along the relations, to a member of the end. It has one hop at least."""

    hops: tuple[Hop, ...]
    end: Chain
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Compare:
    """``[-> r < 5]``: what has, along the path, a value that is so to the constant. ``op`` is one of ``<``, ``<=``,
    ``=``, ``!=``, ``>=``, ``>``. With ``or_none`` (and ``<=`` or ``>=``) it is a time constraint: what has such a value
    or no value at all, ``[-> r <= 1996 or none]``."""

    path: tuple[Relation, ...]
    op: str
    value: Atom
    or_none: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class In:
    """``[X]``: what is in another set, too; a class limits to its instances."""

    chain: Chain
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Except:
    """``[except …]``: what does not meet a constraint, whatever else is known of it."""

    constraint: Along | Compare | In
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Best:
    """``[largest -> r]``, ``[smallest -> r]``: those whose value along the path is the extreme one, all ties.

    ``[largest 3 -> r]`` keeps the ``k`` best, ties at the last place included; ``[largest count -> r]`` goes by how
    many values there are (``counted``).
    """

    largest: bool
    path: tuple[Relation, ...]
    k: int | None = None
    counted: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Count:
    """``[count]``: how many there are."""

    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Exists:
    """``[any]``: whether there are any."""

    span: Span | None = field(default=None, compare=False, shown=False)


Constraint = Along | Compare | In | Except | Best | Count | Exists
Step = Hop | Constraint
Start = Atom | Anything | Union


@record
class Chain:
    """A set: where it starts and the steps from there, in order."""

    start: Start
    steps: tuple[Step, ...] = ()
    span: Span | None = field(default=None, compare=False, shown=False)
    #: the text that it was read from; inner chains have none
    source: Source | None = field(default=None, compare=False, shown=False)

    @property
    def hops(self) -> tuple[Hop, ...]:
        """The relations of the main chain, without what is attached to its positions."""
        return tuple([step for step in self.steps if isinstance(step, Hop)])
