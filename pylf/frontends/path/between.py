"""All paths of a graph between two sets of nodes, or from a set of nodes, up to so many hops.

GCR takes the paths within two hops of a question's entities; RoG and others those between these and the answers. For
each *shape*, which is a length and a direction for each hop, one query is asked: ROWS over a
:class:`~pylf.ir.nodes.Path` of variables, whose ends are listed. The queries of all shapes go to the engine together,
where that saves messages (:mod:`pylf.backends.many`), short shapes first.

Nothing is cut in silence. With a limit, every query asks for one row more than that, and :class:`Walks` says whether
there are, or may be, more; what could not be asked to its end is there as a failure.
"""

from __future__ import annotations

from itertools import combinations, islice, product
from typing import TYPE_CHECKING

from pylf.backends.many import ask_all, outcomes
from pylf.errors import InputError
from pylf.frontends.path.walked import WalkedPath
from pylf.ir import build
from pylf.ir.nodes import Aggregate, Body, Compare, Form, Kind, Member, Not, Op, Path, Reduction, Slice
from pylf.ir.terms import XSD_STRING, Blank, Iri, Literal, Var
from pylf.ir.types import ANY, ENTITY, INTEGER, RELATION
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.backends.many import Asking
    from pylf.backends.outcome import Outcome
    from pylf.ir.answers import Row
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Constant, Node
    from pylf.ir.types import Type

#: Directions, one for each hop: True along the edge.
Shape = tuple[bool, ...]

#: So many queries at most are made of one request for each set of ends: paths of six hops along the edges or against.
MOST_SHAPES = 128
#: So many nodes are listed in one query.
LISTED = 200


@record
class Bounds:
    """Which paths are asked for.

    ``hops`` is the most and ``at_least`` the fewest hops; ``either`` walks edges in either direction; ``simple`` takes
    only paths that come to no node twice; ``relations``, where there are any, are those that may be walked, and
    ``without`` those that may not; ``limit`` is how many paths are wanted at most, None for all.
    """

    hops: int = 2
    at_least: int = 1
    either: bool = False
    simple: bool = True
    relations: tuple[Iri, ...] = ()
    without: tuple[Iri, ...] = ()
    limit: int | None = None


@record
class Walks:
    """The ``paths`` that were found, in a stable order: short ones first, then by what they pass. ``more`` says that
    the limit left paths out, or may have; which ones, of the longest kept, is the engine's choice. ``failures`` are the
    outcomes of those queries that had no complete answer."""

    paths: tuple[WalkedPath, ...]
    more: bool = False
    failures: tuple[Outcome, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether these are all paths."""
        return not self.more and not self.failures


def find_paths(
    asking: Asking, sources: Iterable[Node], targets: Iterable[Node] | None = None, bounds: Bounds | None = None
) -> Walks:
    """The paths from ``sources``, to ``targets`` where these are given.

    Literals of several spellings of one value count as one.

    Raises:
        InputError: the bounds allow nothing, or too many shapes; or a blank node is given, for which no query can ask.
    """
    bounds = bounds or Bounds()
    all_shapes = shapes(bounds)
    begins, ends = _named(sources), None if targets is None else _named(targets)
    asked = [
        (shape, shape_query(shape, some, others, bounds))
        for shape in all_shapes
        for some in _chunks(begins)
        for others in ([None] if ends is None else _chunks(ends))
    ]
    found: list[WalkedPath] = []
    failures: list[Outcome] = []
    more = False
    length = 0
    told = outcomes(asking, (query for _, query in asked))
    for place, ((shape, query), outcome) in enumerate(zip(asked, told, strict=True), start=1):
        rows = () if outcome.answers is None else outcome.answers.rows
        if not outcome.complete:
            failures.append(outcome)
        elif bounds.limit is not None:
            more = more or len(rows) > bounds.limit or _merged(asking, query, rows, bounds.limit)
        walked = (_walked(row, shape) for row in rows)
        found += [path for path in walked if path is not None and (path.simple or not bounds.simple)]
        length = len(shape)
        following = asked[place][0] if place < len(asked) else ()
        # longer paths are not needed once there are enough; of this length, all are looked at
        if bounds.limit is not None and len(found) > bounds.limit and len(following) != length:
            more = True
            break
    found.sort(key=lambda path: path.order)
    kept = found if bounds.limit is None else found[: bounds.limit]
    return Walks(tuple(kept), more or len(kept) < len(found), tuple(failures))


def shapes(bounds: Bounds) -> list[Shape]:
    """The shapes that the bounds allow, short ones first.

    Raises:
        InputError: there are none, or too many.
    """
    if not 1 <= bounds.at_least <= bounds.hops:
        raise InputError(f"paths have {bounds.at_least} to {bounds.hops} hops: no path has so many")
    if bounds.limit is not None and bounds.limit < 1:
        raise InputError(f"a limit is 1 or more, not {bounds.limit}")
    lengths = range(bounds.at_least, bounds.hops + 1)
    number = sum(2**length for length in lengths) if bounds.either else len(lengths)
    if number > MOST_SHAPES:
        raise InputError(f"paths of up to {bounds.hops} hops have {number:,} shapes; {MOST_SHAPES} are the most")
    ways = (True, False) if bounds.either else (True,)
    return [shape for length in lengths for shape in product(ways, repeat=length)]


def shape_query(
    shape: Shape, sources: tuple[Constant, ...], targets: tuple[Constant, ...] | None, bounds: Bounds
) -> Query:
    """The query for the paths of one shape: ROWS of nodes and relations in turn."""
    nodes = tuple([Var(f"n{place}") for place in range(len(shape) + 1)])
    relations = tuple([Var(f"r{place}") for place in range(1, len(shape) + 1)])
    conjuncts: list[Conjunct] = [Path(nodes, relations, shape), Member(nodes[0], sources)]
    if targets is not None:
        conjuncts.append(Member(nodes[-1], targets))
    if bounds.relations:
        conjuncts += [Member(relation, bounds.relations) for relation in relations]
    if bounds.without:
        conjuncts += [Not(Body((Member(relation, bounds.without),))) for relation in relations]
    begins = {nodes[place if along else place + 1] for place, along in enumerate(shape)}
    if bounds.simple:
        conjuncts += [Not(Body((Compare(Op.IS, one, other, Kind.ANY),))) for one, other in combinations(nodes, 2)]
    outputs = (nodes[0], *(var for pair in zip(relations, nodes[1:], strict=True) for var in pair))
    body = Body(tuple(conjuncts))
    if bounds.limit is not None:
        body = Body((Slice(outputs, body, limit=bounds.limit + 1, distinct=True),))
    types: dict[str, Type] = {relation.name: RELATION for relation in relations}
    types |= dict.fromkeys([node.name for node in begins], ENTITY)
    for node, listed in ((nodes[0], sources), (nodes[-1], targets)):
        if listed is not None and all(isinstance(one, Iri) for one in listed):
            types[node.name] = ENTITY
    types = {node.name: ANY for node in nodes} | types
    return build.query(Form.ROWS, outputs, body, types)


def _merged(asking: Asking, query: Query, rows: tuple[Row, ...], limit: int) -> bool:
    """Whether there may be more rows than there seem to be, since several spellings of a value are one row."""
    if not any(isinstance(node, Literal) and node.datatype != XSD_STRING for row in rows for node in row):
        return False
    number = Var("rows")
    counted = build.query(
        Form.NUMBER, (number,), Body((Aggregate((Reduction("count", number),), query.body),)), {number.name: INTEGER}
    )
    (outcome,) = ask_all(asking, [counted])
    found = None if outcome.answers is None else outcome.answers.number
    return not outcome.complete or found is None or found > limit


def _walked(row: Row, shape: Shape) -> WalkedPath | None:
    """A row as a path; None where a relation is none that can be named."""
    nodes = tuple([node for node in row[::2] if node is not None])
    relations = tuple([relation for relation in row[1::2] if isinstance(relation, Iri)])
    return WalkedPath(nodes, relations, shape) if len(nodes) == len(relations) + 1 == len(shape) + 1 else None


def _named(nodes: Iterable[Node]) -> tuple[Constant, ...]:
    """The nodes, each once.

    Raises:
        InputError: one is blank.
    """
    found: list[Constant] = []
    for node in dict.fromkeys(nodes):
        if isinstance(node, Blank):
            raise InputError(f"{node} is a blank node: no query can ask for it")
        found.append(node)
    return tuple(found)


def _chunks(nodes: tuple[Constant, ...]) -> Iterator[tuple[Constant, ...]]:
    """The nodes in lists for one query each, entities and values apart: engines look for these in ways of their own."""
    for wanted in (Iri, Literal):
        rest = (node for node in nodes if isinstance(node, wanted))
        while some := tuple(islice(rest, LISTED)):
            yield some
