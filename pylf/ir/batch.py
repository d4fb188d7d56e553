"""Several queries as one, and the answers of that one as the answers of each.

The queries are *candidates*: what a method considers that a question may mean. Over a network each costs a round trip,
whatever little the engine has to do for it. :func:`batched` makes one ROWS query of them, a union with an arm for each,
in which a column ``of`` says whose row it is::

    rows ?of ?value
      either
        ?of in (<urn:pylf:0>)   and the first one's body, which binds ?value
      or
        ?of in (<urn:pylf:1>)   and the second one's

Sound because an arm sees nothing of another: its variables are named apart, outputs aside, and no two arms give rows
with the same tag. Tags are IRIs: engines that join ``1`` with ``true`` or hand literals back in other spellings know
IRIs by name.

- SET and NUMBER: rows of a tag and a value. A count stands in its arm as in any body; where its query has no row, it
  has none here.
- BOOLEAN: rows of a tag alone, given where the body has a solution.
- ROWS and SUBGRAPH: rows of a tag and their columns.

Only queries of one :func:`kind` go together. Nothing is rewritten beyond names. What is optimized is each candidate,
before: it is its plan that goes in, and no pass runs over the whole, in which arms are planned as arms or not at all.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from pylf.errors import EngineError
from pylf.ir import build
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form, Member
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.traverse import rename, walk
from pylf.ir.types import ANY, ENTITY, EntityType, RelationType
from pylf.ir.verify import verify
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from pylf.ir.answers import Row
    from pylf.ir.nodes import Body, Conjunct, Query
    from pylf.ir.terms import Node
    from pylf.ir.types import Type

# both are sent with every row
_TAG = Var("of")
_NAME = "urn:pylf:"


@record(eq=False)
class Batch:
    """Candidates of one kind, and the ROWS ``query`` that asks for all of them."""

    candidates: tuple[Query, ...]
    query: Query

    def split(self, rows: Iterable[Row]) -> list[Answers | None]:
        """The answers of each candidate in the rows of the query, in whatever order; None for a number of which there
        is not one row.

        Raises:
            EngineError: a row is no candidate's.
        """
        return split(self.candidates, rows)


def tags(number: int) -> list[Iri]:
    """The tags of so many candidates, in order."""
    return [Iri(f"{_NAME}{place}") for place in range(number)]


def split(candidates: Sequence[Query], rows: Iterable[Row]) -> list[Answers | None]:
    """The answers of each candidate in rows that begin with its tag; None for a number of which there is not one row.

    Raises:
        EngineError: a row is no candidate's.
    """
    own: dict[Node | None, list[Row]] = {tag: [] for tag in tags(len(candidates))}
    for row in rows:
        mine = own.get(row[0])
        if mine is None:
            raise EngineError(f"the engine answers for {row[0]}, which is no candidate")
        mine.append(row[1:])
    return [_answers(candidate.form, found) for candidate, found in zip(candidates, own.values(), strict=True)]


def kind(query: Query) -> Hashable:
    """What queries have in common that can be asked together: form, width, and which columns are relations."""
    types = query.type_of
    return query.form, tuple([isinstance(types[output.name], RelationType) for output in query.outputs])


def lists_literals(query: Query) -> bool:
    """Whether a column has literals that the query lists, which some engine may take for something else beside what
    another arm has in that column."""
    return query.form is not Form.NUMBER and any(map(_lists_literals, walk(query), repeat(query.outputs)))


def _lists_literals(conjunct: Conjunct, outputs: tuple[Var, ...]) -> bool:
    match conjunct:
        case Member(term, values) if term in outputs:
            return any(isinstance(value, Literal) for value in values)
        case _:
            return False


def batched(candidates: Sequence[Query]) -> Batch:
    """Verified queries of one kind as one.

    Raises:
        InvalidIR: the query breaks a rule, because a candidate does, or stands nested as deep as bodies may.
        ValueError: there are none, or they differ in form or columns.
    """
    if len(set(map(kind, candidates))) != 1:
        raise ValueError("queries of one form, with the same columns, go together")
    first = candidates[0]
    values = tuple([Var("value" if place == 1 else f"value{place}") for place in range(1, len(first.outputs) + 1)])
    types: dict[str, Type] = {_TAG.name: ENTITY}
    arms: list[Body] = []
    for place, (tag, candidate) in enumerate(zip(tags(len(candidates)), candidates, strict=True)):
        names = {name: f"{name}_{place}" for name, _ in candidate.types}
        for output, value in zip(candidate.outputs, values, strict=True):
            names[output.name] = value.name
        for name, type_ in candidate.types:
            new = names[name]
            types[new] = _common(types[new], type_) if new in types else type_
        arms.append(build.join(Member(_TAG, (tag,)), rename(candidate.body, names)))
    query = build.query(Form.ROWS, (_TAG, *values), build.union(arms), types)
    verify(query)
    return Batch(tuple(candidates), query)


def _common(one: Type, other: Type) -> Type:
    """The type of a column that has values of both."""
    if one == other:
        return one
    return ENTITY if isinstance(one, EntityType) and isinstance(other, EntityType) else ANY


def _answers(form: Form, rows: list[Row]) -> Answers | None:
    match form:
        case Form.SET:
            return Answers.of_values([row[0] for row in rows if row[0] is not None])
        case Form.BOOLEAN:
            return Answers.of_boolean(bool(rows))
        case Form.NUMBER:
            node = rows[0][0] if len(rows) == 1 else None
            try:
                return Answers.of_number(int(node.lexical)) if isinstance(node, Literal) else None
            except ValueError:
                return None
        case Form.ROWS | Form.SUBGRAPH:
            return Answers.of_rows(rows, form)
