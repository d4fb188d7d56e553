"""Relation variables of several patterns, for an engine that loses them where one pattern leads on to another.

With some plans Virtuoso looks up which relations there are at a node, and forgets then that ``?x ?p ?y . ?y ?p ?z``
asks for one and the same. With a relation of its own for each pattern, compared by spelling, every plan is right. Such
relations are not looked up, so that only those are told apart that need it: something is the object of one triple and
the subject of another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql.frame import Either, SameTerm, names_of
from pylf.errors import UnsupportedOperation
from pylf.ir.nodes import Compare, InstanceOf, Path, Triple
from pylf.ir.terms import Var
from pylf.ir.traverse import walk
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.frame import Frame
    from pylf.backends.sparql.names import Apart
    from pylf.ir.nodes import Body
    from pylf.ir.terms import Term


def relations_apart(frame: Frame, apart: Apart, dialect: Dialect) -> None:
    """Gives the relation variables of a frame names of their own, and tests that they are what they were.

    Raises:
        UnsupportedOperation: they would have to be told apart in a union and beside it; or something is the object of
            a triple beside a union and the subject of one in some of its arms, but does not stand in each of them.
    """
    if _begins_in_some_arm(frame):
        raise UnsupportedOperation("an object beside a union that is a subject in it", f"SPARQL ({dialect.name})")
    if _of_unions(frame):
        raise UnsupportedOperation("a relation variable of a union and beside it", f"SPARQL ({dialect.name})")
    own = [atom for atom in frame.atoms if type(atom) is Triple]
    if not any(isinstance(triple.predicate, Var) for triple in own):
        return
    frames = _seen(frame)
    around = [atom for other in frames[1:] for atom in other.atoms if type(atom) is Triple]
    if not _leads_on([*own, *around], frames):
        return
    met = {triple.predicate for triple in around}
    for triple in own:
        relation = triple.predicate
        if isinstance(relation, Var) and relation in met:
            other = apart.fresh(relation.name)
            _replace(triple, replace(triple, predicate=other), frame)
            frame.tests.append(SameTerm(other, relation, entities=True))
        met.add(relation)


def _of_unions(frame: Frame) -> bool:
    """Whether a union that stands beside something shares relation variables with that, or has one in several arms,
    and one pattern leads on to another; or what such a relation leads to is a subject in some of the arms only."""
    unions = [atom for atom in frame.atoms if type(atom) is Either]
    if not unions or len(frame.atoms) < 2:
        return False
    beside = [atom for atom in frame.atoms if type(atom) is Triple]
    parts = [beside, *[_triples(arm) for union in unions for arm in union.arms]]
    ends = {triple.object for triple in beside if isinstance(triple.predicate, Var) and isinstance(triple.object, Var)}
    for union in unions:
        begin = [ends & {triple.subject for triple in _triples(arm)} for arm in union.arms]
        if any(one != begin[0] for one in begin):
            return True
    relations = [{triple.predicate for triple in part if isinstance(triple.predicate, Var)} for part in parts]
    several = any(one & other for place, one in enumerate(relations) for other in relations[:place])
    return several and _leads_on([triple for part in parts for triple in part], [frame])


def _begins_in_some_arm(frame: Frame) -> bool:
    """Whether what may be a literal beside a union is none in some arm, and is not met in another."""
    begins = {term for atom in frame.atoms for term in _nodes(atom)}
    ends = {atom.object for atom in frame.atoms if isinstance(atom, Triple) and isinstance(atom.object, Var)} - begins
    return any(
        term in ends and term.name not in atom.exports
        for atom in frame.atoms
        if isinstance(atom, Either)
        for arm in atom.arms
        for conjunct in arm.conjuncts
        for part in walk(conjunct)
        for term in _nodes(part)
        if isinstance(term, Var)
    )


def _nodes(atom: object) -> tuple[Term, ...]:
    """What an atom or a conjunct says to be no literal."""
    match atom:
        case Triple(subject, predicate):
            return subject, predicate
        case InstanceOf(instance):
            return (instance,)
        case Path(nodes, _, forward):
            return tuple([nodes[place if along else place + 1] for place, along in enumerate(forward)])
        case _:
            return ()


def _triples(body: Body) -> list[Triple]:
    """All triples of a body, those of its negations too."""
    return [node for conjunct in body.conjuncts for node in walk(conjunct) if isinstance(node, Triple)]


def _seen(frame: Frame) -> list[Frame]:
    """A frame and those around that it sees: the arm of a union sees none."""
    found = [frame]
    while not found[-1].arm and found[-1].parent is not None:
        found.append(found[-1].parent)
    return found


def _leads_on(triples: list[Triple], frames: list[Frame]) -> bool:
    """Whether something may be the subject of a triple and the object of another, or of the same."""
    subjects = {triple.subject for triple in triples if isinstance(triple.subject, Var)}
    if any(triple.object in subjects for triple in triples):
        return True
    for test in [test for frame in frames for test in frame.tests]:
        match test:
            case Compare(_, Var(), Var()) | SameTerm(_, _, True):
                return True
    return False


def _replace(old: Triple, new: Triple, frame: Frame) -> None:
    """Puts a triple in the place of another."""
    frame.atoms[next(at for at, atom in enumerate(frame.atoms) if atom is old)] = new
    for name in dict.fromkeys(names_of(old)):
        left = [new if atom is old else atom for atom in frame.binders[name]]
        frame.binders[name] = [atom for atom in left if atom is not new or name in names_of(new)]
        if not frame.binders[name]:
            del frame.binders[name]
    for name in names_of(new):
        if name not in names_of(old):
            frame.binders[name] = [new]
