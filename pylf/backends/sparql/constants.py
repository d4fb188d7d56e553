"""Constants in the place of variables: a label that is known is looked up, not filtered for."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from pylf.backends.sparql.frame import Choice, Either, Listed, looks_at, names_of
from pylf.backends.sparql.meeting import meets_alone
from pylf.ir.dates import date_literal
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import Compare, Kind, Member, Op, Triple
from pylf.ir.terms import RDF_LANG_STRING, XSD_STRING, Iri, Literal, Var
from pylf.ir.values import UNDERSTOOD_DATATYPES

if TYPE_CHECKING:
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.frame import Atom, Frame, Test
    from pylf.backends.sparql.lower import Lowering
    from pylf.ir.terms import Constant


def settled(lowering: Lowering, frame: Frame) -> list[Atom]:
    """The atoms of a frame; where optimizing, without variables that one triple has and a constant stands for."""
    if frame.settled or not lowering.optimize or lowering.spell_iris:
        return frame.atoms
    frame.settled = True
    for atom in list(frame.atoms):
        if type(atom) is Member:
            assert isinstance(atom.term, Var)
            triple = _only_triple(atom.term.name, frame, atom)
            values = _met(tuple(dict.fromkeys(atom.values)), lowering.dialect)
            if triple is not None and len(values) <= lowering.dialect.union_limit and _exactly(values, lowering):
                frame.atoms.remove(atom)
                _put_in(triple, atom.term.name, values, frame)
    for test in list(frame.tests):
        match test:
            case Compare(_, Var(name), _) if (constant := _exact(test)) is not None:
                wanted: tuple[Constant, ...] = (constant,)
            case Listed(Var(name), wanted) if not lowering.dialect.shy_data:
                pass
            case _:
                continue
        triple = _only_triple(name, frame, test)
        values = _met(wanted, lowering.dialect)
        if triple is not None and len(values) <= lowering.dialect.union_limit and _exactly(values, lowering):
            frame.tests.remove(test)
            _put_in(triple, name, values, frame)
    return frame.atoms


def _met(values: tuple[Constant, ...], dialect: Dialect) -> tuple[Constant, ...]:
    """The terms that patterns have to name to find these values: where a pattern meets the spelling of a language tag,
    each tag in upper and lower case, letter by letter. Long tags have more spellings than anyone would list, and stay
    as they are."""
    if dialect.folds_language:
        return values
    met: list[Constant] = []
    for value in values:
        tag = value.language if isinstance(value, Literal) else None
        if tag is None or not isinstance(value, Literal) or not _few_cases(value, dialect):
            met.append(value)
        else:
            cases = product(*[sorted({c.lower(), c.upper()}, reverse=True) for c in tag])
            met += [Literal(value.lexical, RDF_LANG_STRING, "".join(case)) for case in cases]
    return tuple(met)


def _only_triple(name: str, frame: Frame, beside: Atom | Test) -> Triple | None:
    """The one triple that has the variable, once, where nothing else does ``beside`` what is given; else None."""
    binders = [atom for atom in frame.binders.get(name, ()) if atom is not beside]
    if len(binders) != 1 or name in frame.needed or (frame.parent is not None and frame.parent.binds(name)):
        return None
    (triple,) = binders
    if type(triple) is not Triple:
        return None
    for test in frame.tests:
        if test is not beside and name in looks_at(test):
            return None
    for negation in frame.negations:
        if name in mentioned_in(negation.body):
            return None
    for atom in frame.atoms:
        if type(atom) is Either and name in names_of(atom):
            return None
    return triple


def _exactly(values: tuple[Constant, ...], lowering: Lowering) -> bool:
    """Whether patterns find these very terms and no others."""
    dialect = lowering.dialect
    return all(meets_alone(value, dialect) or _few_cases(value, dialect) for value in values)


def _few_cases(value: Constant, dialect: Dialect) -> bool:
    """Whether :func:`_met` lists a tagged string in every case of its tag."""
    tag = value.language if isinstance(value, Literal) else None
    return tag is not None and 1 << sum(map(str.isalpha, tag)) <= dialect.union_limit


def _put_in(triple: Triple, name: str, values: tuple[Constant, ...], frame: Frame) -> None:
    """Puts constants in the place of a variable of a triple."""
    subject, predicate, object_ = triple.subject, triple.predicate, triple.object
    if isinstance(object_, Var) and object_.name == name:
        triples = tuple([Triple(subject, predicate, value, triple.span) for value in values])
    else:
        first = isinstance(subject, Var) and subject.name == name
        triples = tuple(
            [
                Triple(value, predicate, object_, triple.span)
                if first
                else Triple(subject, value, object_, triple.span)
                for value in values
                if isinstance(value, Iri)  # no literal is a subject or predicate
            ]
        )
    if not triples:
        frame.never = True
        return
    new: Atom = triples[0] if len(triples) == 1 else Choice(triples)
    frame.atoms[frame.atoms.index(triple)] = new
    for other in names_of(triple):
        frame.binders[other] = [new if atom is triple else atom for atom in frame.binders[other]]


def _exact(comparison: Compare) -> Constant | None:
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
            return constant
        case Literal(_, datatype) if kind is Kind.ANY and datatype not in UNDERSTOOD_DATATYPES:
            return constant
        case _:
            return None
