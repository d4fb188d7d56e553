"""Terms that meet by value are told apart: for engines that join ``1`` with ``true``, and 1990 with 1990-01-01.

Where a variable is bound in several places and a literal may stand in it, each place but one gets a variable of its
own, and a filter asks for the very same term. Where both places name an entity there is nothing to tell apart: those
are the subjects of triples, instances of classes, and what the query's types or the statistics of a relation say.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from pylf.backends.sparql.frame import Choice, Listed, SameTerm, StatedAtom, SubQuery, names_of
from pylf.backends.sparql.opaque import is_denied
from pylf.backends.sparql.relations import relations_apart
from pylf.errors import UnsupportedOperation
from pylf.ir.nodes import Closure, InstanceOf, Member, Triple
from pylf.ir.terms import RDF_LANG_STRING, XSD, XSD_STRING, Iri, Literal, Var
from pylf.ir.values import INTEGER_DATATYPES, UNDERSTOOD_DATATYPES, value_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.frame import Atom, Frame
    from pylf.backends.sparql.lower import Lowering
    from pylf.ir.terms import Term


def meets_alone(term: Term, dialect: Dialect) -> bool:
    """Whether a constant in a pattern meets itself, however it is spelled, and no other term."""
    if not isinstance(term, Literal) or term.datatype == XSD_STRING:
        return True
    return dialect.folds_language if term.datatype == RDF_LANG_STRING else not dialect.joins_values


def has_no_value(term: Term) -> bool:
    """Whether a literal's form does not fit its datatype, or is an integer of more than 64 bits: a store of values
    holds none like it."""
    if not isinstance(term, Literal) or term.datatype not in UNDERSTOOD_DATATYPES:
        return False
    value = value_of(term)
    return isinstance(value, Literal) or (term.datatype in INTEGER_DATATYPES and abs(int(term.lexical)) >= 2**63)


def comes_back_other(term: Term) -> bool:
    """Whether such a store answers with another literal: it prints six digits of a double, and knows no 24 o'clock."""
    if not isinstance(term, Literal):
        return False
    value = value_of(term)
    if isinstance(value, float) and term.datatype in (XSD + "double", XSD + "float"):
        return isfinite(value) and float(f"{value:.6g}") != value
    return term.datatype in (XSD + "dateTime", XSD + "dateTimeStamp") and "T24:00:00" in term.lexical


def told_apart(lowering: Lowering, frame: Frame) -> list[Atom]:
    """The atoms of a frame, which get variables and tests of their own where terms would meet by value.

    Raises:
        UnsupportedOperation: two of them give what they bind no other name (unions, sub-selects, closures).
    """
    if frame.apart:
        return frame.atoms
    frame.apart = True
    stepped = frozenset([name for name in frame.binders if lowering.is_closure_end(name)])
    list_members(frame, lowering.dialect, stepped=stepped, found_by=lowering)
    if not (lowering.dialect.joins_values or lowering.dialect.shy_data):
        return frame.atoms
    if lowering.dialect.loses_relations:
        relations_apart(frame, lowering.apart, lowering.dialect)
    for atom in list(frame.atoms):
        if (
            isinstance(atom, Triple | StatedAtom)
            and isinstance(atom.object, Literal)
            and atom.object.datatype == XSD_STRING
        ):
            _listed(lowering, atom, atom.object, frame)
        if isinstance(atom, Triple | StatedAtom) and isinstance(atom.subject, Var) and atom.subject == atom.object:
            _renamed(lowering, atom, frame)
    for name in [name for name, binders in frame.binders.items() if len(binders) > 1 or _around(name, frame)]:
        if _may_differ(lowering, name, frame):
            _tell_apart(lowering, name, frame)
    return frame.atoms


def list_members(
    frame: Frame,
    dialect: Dialect,
    around: Callable[[str], bool] | None = None,
    stepped: AbstractSet[str] = frozenset(),
    found_by: Lowering | None = None,
) -> None:
    """Memberships as filters, wherever their variable is bound by something else; several of one variable as one.

    A few IRIs at the top of a query stay data, unless their variable is ``stepped``, an end of a closure: an engine
    that has its own closures ends its process over inline data beside a union that one stands in; or may be a literal
    by what ``found_by`` knows: it would read the IRIs as numbers, to compare them with.

    All of them where the dialect heeds inline data only here and there; otherwise those of a tagged string that would
    be joined by the spelling of its tag. ``around`` tells of a variable whether something binds it outside.
    """
    names = {
        name
        for atom in frame.atoms
        if type(atom) is Member and (dialect.shy_data or not all(meets_alone(value, dialect) for value in atom.values))
        for name in names_of(atom)
    }
    members: dict[str, list[Member]] = {}
    for atom in frame.atoms:
        if type(atom) is Member and not names.isdisjoint(names_of(atom)):
            assert isinstance(atom.term, Var)
            members.setdefault(atom.term.name, []).append(atom)
    for name, of_name in members.items():
        values = [
            value for value in dict.fromkeys(of_name[0].values) if all(value in other.values for other in of_name)
        ]
        if (name in stepped or dialect.joins_values) and _begins(name, frame):
            # a start that is compared with none but literals is no start to the engine, which refuses the query; and
            # among literals it may not find the one IRI that is listed
            values = [value for value in values if not isinstance(value, Literal)]
        frame.never |= not values
        member = of_name[0]
        if len(of_name) > 1 or len(values) < len(member.values):
            member = Member(Var(name), tuple(values))
            frame.atoms = [atom for atom in frame.atoms if not _one_of(atom, of_name)]
            frame.atoms.append(member)
            frame.binders[name] = [member, *[atom for atom in frame.binders[name] if not _one_of(atom, of_name)]]
        few = len(values) <= (dialect.values_limit or len(values))
        alone = len(values) == 1 and dialect.folds_single_rows and is_denied(name, frame)
        bare = (
            few
            and name not in stepped
            and not alone
            and not (frame.existential or frame.arm)
            and all(isinstance(value, Iri) for value in values)
            and not (found_by is not None and _with_literals(name, frame, found_by))
        )
        if (len(frame.binders[name]) > 1 and not bare) or (around(name) if around else _around(name, frame)):
            frame.atoms = [atom for atom in frame.atoms if atom is not member]
            frame.binders[name] = [atom for atom in frame.binders[name] if atom is not member]
            if not frame.binders[name]:
                del frame.binders[name]
            if alone or (name in stepped and len(values) == 1):
                # of a list of one the engine makes a constant, and has no variable left to step from or to deny
                values *= 2
            frame.tests.append(Listed(Var(name), tuple(values)))


def _begins(name: str, frame: Frame) -> bool:
    """Whether a triple begins at the variable, which is no literal then."""
    return any(type(atom) is Triple and atom.subject == Var(name) for atom in frame.binders[name])


def _with_literals(name: str, frame: Frame, lowering: Lowering) -> bool:
    """Whether anything but the list of its values would leave literals in a variable."""
    others = [atom for atom in frame.binders[name] if type(atom) is not Member]
    return bool(others) and lowering.content(Var(name), frame, typed=False).literals


def _one_of(atom: Atom, others: list[Member]) -> bool:
    return any(atom is other for other in others)


def _around(name: str, frame: Frame) -> bool:
    """Whether the variable is bound around and seen here; the arm of a union sees nothing."""
    return frame.parent is not None and not frame.arm and frame.parent.binds(name)


def _may_differ(lowering: Lowering, name: str, frame: Frame) -> bool:
    """Whether literals that are equal and not the same may stand in a variable."""
    at: Frame | None = frame
    while at is not None:
        for atom in at.binders.get(name, ()):
            match atom:
                case Triple(subject, predicate, _) | Choice((Triple(subject, predicate, _), *_)):
                    if Var(name) in (subject, predicate):
                        return False
                case StatedAtom(subject, predicate, _, _, node):
                    if Var(name) in (subject, predicate, node):
                        return False
                case InstanceOf():
                    return False
                case Closure(subject) if subject == Var(name):
                    return False
                case Member(_, values) if all(meets_alone(value, lowering.dialect) for value in values):
                    return False
                case SubQuery(_, _, counted) if counted is not None and counted.name != name:
                    pass
        at = at.parent
    content = lowering.content(Var(name), frame)
    return content.numbers or content.dates or content.others


def _tell_apart(lowering: Lowering, name: str, frame: Frame) -> None:
    binders = frame.binders[name]
    fixed = [atom for atom in binders if not _can_rename(atom, name)]
    if len(fixed) + _around(name, frame) > 1:
        where = f"SPARQL ({lowering.dialect.name}): it joins values, not terms"
        raise UnsupportedOperation("a join of literals that two sub-queries find", where)
    meets_no_node = lowering.dialect.transitive_option and not lowering.content(Var(name), frame).entities
    if meets_no_node and any(type(atom) is Closure for atom in fixed):
        # the end of a transitive sub-select is read as a node in some plans, and what is compared with it too
        where = f"SPARQL ({lowering.dialect.name}): ends of its closures are nodes"
        raise UnsupportedOperation("a join of a value and the end of a closure", where)
    kept = fixed[0] if fixed else None if _around(name, frame) else binders[0]
    for atom in binders:
        if atom is kept or not (isinstance(atom, Triple | StatedAtom) and _can_rename(atom, name)):
            continue
        _renamed(lowering, atom, frame)
    left = [atom for atom in binders if atom is kept or not _can_rename(atom, name)]
    if left:
        frame.binders[name] = left
    else:
        del frame.binders[name]


def _can_rename(atom: Atom, name: str) -> bool:
    """Whether a variable is the object of an atom that may have another in its place."""
    return type(atom) is Triple or (isinstance(atom, StatedAtom) and atom.object == Var(name) != atom.confidence)


def _renamed(lowering: Lowering, triple: Triple | StatedAtom, frame: Frame) -> None:
    """Gives the object of a triple a name of its own, and tests that it is what it was."""
    old = triple.object
    assert isinstance(old, Var)
    other = lowering.apart.fresh(old.name)
    _replace_object(triple, other, frame)
    frame.tests.append(SameTerm(other, old, entities=old == triple.subject))


def _listed(lowering: Lowering, triple: Triple | StatedAtom, string: Literal, frame: Frame) -> None:
    """Lists the two spellings of a plain string in the place of an object."""
    other = lowering.apart.fresh("text")
    _replace_object(triple, other, frame)
    frame.tests.append(Listed(other, (string,)))


def _replace_object(triple: Triple | StatedAtom, var: Var, frame: Frame) -> None:
    new: Triple | StatedAtom
    if isinstance(triple, Triple):
        new = Triple(triple.subject, triple.predicate, var, triple.span)
    else:
        new = triple._replace(object=var)
    frame.atoms[next(at for at, atom in enumerate(frame.atoms) if atom is triple)] = new
    for bound in {name for name in names_of(new) if name != var.name}:
        frame.binders[bound] = [new if atom is triple else atom for atom in frame.binders[bound]]
    frame.binders[var.name] = [new]
