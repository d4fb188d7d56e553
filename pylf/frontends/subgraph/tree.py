"""The tree of a subgraph text: what :mod:`~pylf.frontends.subgraph.parser` reads and its printer writes.

Four questions. The first three are DoG's (2607.17266, section 4.1): the part of an uncertain graph *around* some
nodes, the *neighbours* of a frontier with the way that leads to each, and the *paths* from some nodes with the product
of their confidences (definition 5). The fourth names its triples one by one::

    subgraph around :twitter, 'Facebook'
      within 2 hops
      by :competes_with, :owns
      with confidence >= 0.5

    neighbours of :twitter inward with confidence >= 0.5 default 1

    simple paths from :twitter to :meta of 2 hops with confidence >= 0.5 with product >= 0.4

    subgraph ?s ?p ?o ?c where
      ?s ?p ?o with confidence ?c
      ?s in (:twitter, :meta)
      ?c >= 0.5

Places never take part in equality. Names and numbers are kept as they are written.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from pylf.records import field, record

if TYPE_CHECKING:
    from pylf.errors import Span

#: hops that a neighbourhood or a path may have: each more doubles the shapes of what is asked
MOST_HOPS = 3


class Way(Enum):
    """How an edge is followed: from its subject, from its object, or from either."""

    OUT = "outward"
    IN = "inward"
    EITHER = "either way"


@record
class Name:
    """A name of an entity, a class or a relation, as written; ``quoted`` where it stands in quotes."""

    text: str
    quoted: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Variable:
    """A variable, without its question mark."""

    name: str
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Bound:
    """A comparison with a number: ``>= 0.5``."""

    op: str
    number: str
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Hop:
    """What every hop has in common: the ``way`` that it goes, its relation (one of ``relations``, or any where there is
    none), and what is known of its confidence.

    ``weighed`` off: confidences are not asked for. ``floor``: what each confidence has to be. ``default``: what a
    triple without confidence counts as; None leaves such triples out.
    """

    way: Way = Way.EITHER
    relations: tuple[Name, ...] = ()
    floor: Bound | None = None
    default: str | None = None
    weighed: bool = True


@record
class Around:
    """The triples that lie within so many hops of some nodes: those of all walks of at most so many."""

    centers: tuple[Name, ...]
    hops: int = 1
    hop: Hop = Hop()
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Neighbours:
    """The nodes next to some others: rows of the node, the way (``out``, ``in``), the relation, the neighbour and the
    confidence."""

    centers: tuple[Name, ...]
    hop: Hop = Hop()
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Paths:
    """The walks of exactly so many hops: rows of a node, and for each hop its way, relation, node and confidence; then
    the product of the confidences. ``simple``: no node is met twice."""

    starts: tuple[Name, ...]
    hops: int
    ends: tuple[Name, ...] = ()
    hop: Hop = Hop()
    product: Bound | None = None
    simple: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


Place = Name | Variable


@record
class Triple:
    """A triple; ``confidence`` is the variable that is its confidence, if that is asked for."""

    subject: Place
    predicate: Place
    object: Place
    confidence: Variable | None = None
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class OneOf:
    """A variable is one of the entities that are named."""

    variable: Variable
    names: tuple[Name, ...]
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Compared:
    """A variable compared with a number."""

    variable: Variable
    test: Bound
    span: Span | None = field(default=None, compare=False, shown=False)


Part = Triple | OneOf | Compared


@record
class Patterns:
    """Triples by their patterns: ``outputs`` are subject, predicate and object, and confidence where it is asked for,
    as a subgraph; or any variables, as ``rows``."""

    outputs: tuple[Variable, ...]
    parts: tuple[Part, ...]
    rows: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


Question = Around | Neighbours | Paths | Patterns
