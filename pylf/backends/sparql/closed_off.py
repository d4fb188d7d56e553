"""Sub-selects under EXISTS, kept apart from what is bound around.

SPARQL 1.1 (18.6) puts the values of the row around into the whole group of an EXISTS, sub-selects too, and leaves open
what becomes of those. Oxigraph solves a sub-select with them, Jena writes them into it: what a limit cuts is then what
is left for that row, and what a reduction finds is what the row has anyhow. So what such a sub-select exports and
something around binds gets another name in it, and the two are compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pylf.backends.sparql.frame import SameTerm
from pylf.errors import UnsupportedOperation
from pylf.ir.nodes import Aggregate, Count, Project, Slice
from pylf.ir.terms import Var
from pylf.ir.traverse import rename, walk

if TYPE_CHECKING:
    from pylf.backends.sparql.frame import Frame
    from pylf.backends.sparql.lower import Lowering

_Closed = TypeVar("_Closed", Project, Count, Aggregate, Slice)


def is_cut(node: Slice) -> bool:
    """Whether a slice leaves rows out."""
    return node.limit is not None or node.offset > 0


def closed_off(lowering: Lowering, node: _Closed, frame: Frame) -> _Closed:
    """A closed conjunct as it is to stand in a frame: one under EXISTS with other names in the place of those that
    something around binds, which the frame compares.

    Raises:
        UnsupportedOperation: the dialect has no right form for a limit there.
    """
    if not frame.under_exists:
        return node
    cut = any(isinstance(one, Slice) and is_cut(one) for one in (node, *walk(node)))
    dialect = lowering.dialect
    if cut and (dialect.flat_exists or dialect.parts_groups or dialect.apart_exists):
        raise UnsupportedOperation("a limit under EXISTS or OPTIONAL", f"SPARQL ({dialect.name})")
    around = frame.parent
    if around is None or dialect.flat_exists:
        return node
    met = [var for var in (_exported(node) if cut else _found(node)) if around.binds(var.name)]
    if not met:
        return node
    new = {var.name: lowering.apart.fresh(var.name).name for var in met}
    renamed = rename(node, new)
    assert isinstance(renamed, type(node))
    lowering.kept.append(renamed)
    frame.tests += [SameTerm(Var(new[var.name]), var) for var in met]
    return renamed


def _found(node: _Closed) -> tuple[Var, ...]:
    """What a conjunct makes of its solutions."""
    match node:
        case Aggregate(reductions):
            return tuple([reduction.result for reduction in reductions])
        case Count(result):
            return (result,)
        case _:
            return ()


def _exported(node: _Closed) -> tuple[Var, ...]:
    """What a conjunct binds outside of its body."""
    match node:
        case Project() | Slice():
            return node.outputs
        case Aggregate() | Count():
            return (*_found(node), *node.group)
