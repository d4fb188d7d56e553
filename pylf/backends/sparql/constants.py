"""Constants in the place of variables: a label that is known is looked up, not filtered for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql.frame import Choice, names_of
from pylf.ir.dates import date_literal
from pylf.ir.nodes import Compare, Kind, Member, Op, Triple
from pylf.ir.terms import RDF_LANG_STRING, XSD_STRING, Iri, Literal, Var
from pylf.ir.values import UNDERSTOOD_DATATYPES

if TYPE_CHECKING:
    from pylf.backends.sparql.frame import Atom, Frame
    from pylf.backends.sparql.lower import Lowering
    from pylf.ir.terms import Constant, Term


def settled(lowering: Lowering, frame: Frame) -> list[Atom]:
    """The atoms of a frame; where optimizing, without variables that one triple has and a constant stands for."""
    if frame.settled or not lowering.optimize:
        return frame.atoms
    frame.settled = True
    uses = lowering.apart.uses
    for atom in list(frame.atoms):
        if type(atom) is Member and isinstance(atom.term, Var) and uses[atom.term.name] == 2:
            values = tuple(dict.fromkeys(atom.values))
            if _put_in(lowering, atom.term.name, values, frame):
                frame.atoms.remove(atom)
    for test in list(frame.tests):
        if type(test) is Compare and isinstance(test.left, Var) and uses[test.left.name] == 2:
            constant = _exact(test, lowering.dialect.folds_language)
            if constant is not None and _put_in(lowering, test.left.name, (constant,), frame):
                frame.tests.remove(test)
    return frame.atoms


def _put_in(lowering: Lowering, name: str, values: tuple[Constant, ...], frame: Frame) -> bool:
    """Puts constants in the place of a variable of one triple, if it is of this frame."""
    triple = next((atom for atom in frame.binders.get(name, ()) if type(atom) is Triple), None)
    if triple is None or len(values) > lowering.dialect.union_limit:
        return False
    triples = [_with(triple, name, value) for value in values]
    possible = tuple(
        [t for t in triples if not isinstance(t.subject, Literal) and not isinstance(t.predicate, Literal)]
    )
    if not possible:
        frame.never = True
        return True
    new: Atom = possible[0] if len(possible) == 1 else Choice(possible)
    frame.atoms[frame.atoms.index(triple)] = new
    for other in names_of(triple):
        frame.binders[other] = [new if atom is triple else atom for atom in frame.binders[other]]
    return True


def _with(triple: Triple, name: str, value: Constant) -> Triple:
    def put(term: Term) -> Term:
        return value if isinstance(term, Var) and term.name == name else term

    return Triple(put(triple.subject), put(triple.predicate), put(triple.object), triple.span)


def _exact(comparison: Compare, folds_language: bool) -> Constant | None:
    """The constant, if the comparison holds of that very term and of no other."""
    op, constant, kind = comparison.op, comparison.right, comparison.kind
    if op not in (Op.EQ, Op.IS):
        return None
    match constant:
        case Iri():
            return constant if op is Op.IS and kind is Kind.ANY else None
        case Literal(lexical, datatype) if datatype == XSD_STRING and kind in (Kind.ANY, Kind.TEXT):
            as_date = op is Op.EQ and kind is Kind.ANY and date_literal(lexical) is not None
            return None if as_date else constant
        case Literal(_, datatype) if datatype == RDF_LANG_STRING and kind in (Kind.ANY, Kind.TEXT):
            return constant if folds_language else None
        case Literal(_, datatype) if kind is Kind.ANY and datatype not in UNDERSTOOD_DATATYPES:
            return constant
        case _:
            return None
