"""Questions in which two things are said of one entity, and the one follows from the other or almost does: comparisons
with all operators and constants that lie around each other, and the hops of paths.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Compare, Form, Kind, Op, Path, Triple
from pylf.ir.terms import XSD, Iri, Literal, Var
from pylf.ir.types import ENTITY
from tests.ir import small_queries
from tests.ir.passes.soundness import EVERY, Ground, Question

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pylf.ir.nodes import Conjunct

_R = small_queries.RELATIONS[0]
_X, _Y, _Z = Var("x"), Var("y"), Var("z")
_NUMBERS = tuple([Literal(text, XSD + name) for text, name in (("1", "integer"), ("5", "integer"), ("5.0", "double"))])
_DATES = tuple(
    [
        Literal(text, XSD + name)
        for text, name in (("1990", "gYear"), ("1990-07", "gYearMonth"), ("1990-07-01", "date"), ("1991", "gYear"))
    ]
)
_OPERATORS = (Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.IS)


def twin_questions() -> Iterator[Question]:
    """All of them; each on one graph, on which every constant is a value of some entity."""
    for kind, constants in ((Kind.NUMBER, _NUMBERS), (Kind.DATE, _DATES)):
        ground = _ground(constants)
        said = [(op, constant) for op in _OPERATORS for constant in constants]
        for (op, one), (other_op, other) in product(said, said):
            first = (Triple(_X, _R, _Y), Compare(op, _Y, one, kind))
            yield _asked(ground, *first, Triple(_X, _R, _Z), Compare(other_op, _Z, other, kind))
    ground = _ground(small_queries.ENTITIES)
    for ahead, back in product((True, False), repeat=2):
        path = Path((_X, _Y), (_R,), (ahead,))
        yield _asked(ground, path, Triple(_Z, _R, _X) if back else Triple(_X, _R, _Z))


def _ground(values: Sequence[Iri | Literal]) -> Ground:
    triples = tuple([(Iri(f"{small_queries.N}of{place}"), _R, value) for place, value in enumerate(values)])
    return Ground(triples, MemoryGraph(triples), small_queries.SCHEMA)


def _asked(ground: Ground, *conjuncts: Conjunct) -> Question:
    query = build.query(Form.SET, (_X,), Body(conjuncts), {_X.name: ENTITY})
    return Question(ground, query, EVERY, small_queries.VOCABULARY)
