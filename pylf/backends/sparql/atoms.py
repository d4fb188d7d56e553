"""What is written for the atoms of a frame: triples, instances of classes, memberships, unions, closures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import confidences, values
from pylf.backends.sparql.frame import Choice, Either, Frame, StatedAtom, SubQuery, looks_at, names_of
from pylf.backends.sparql.grounds import grounds, passes_on
from pylf.backends.sparql.known import extension
from pylf.backends.sparql.meeting import comes_back_other, has_no_value, list_members
from pylf.backends.sparql.opaque import is_denied
from pylf.backends.sparql.query import (
    Bind,
    Call,
    Column,
    Filter,
    Group,
    Operation,
    PathExpression,
    Select,
    Transitive,
    TriplePattern,
    UnionPattern,
    Values,
)
from pylf.errors import UnsupportedOperation
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import Body, Closure, InstanceOf, Member, Triple
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.frame import Atom
    from pylf.backends.sparql.grounds import Ground
    from pylf.backends.sparql.lower import Lowering
    from pylf.backends.sparql.query import Pattern
    from pylf.ir.terms import Constant, Term

    _Row = tuple[Constant, ...]

_HELD = Literal("0", XSD_INTEGER)
#: A filter that nothing passes; ``FILTER(false)`` is overlooked by rdflib.
NEVER = Filter(Operation("=", (Literal("1", XSD_INTEGER), Literal("0", XSD_INTEGER))))
#: more rows than any engine gives
ALL_ROWS = 1_000_000_000
#: a group without solutions
NOTHING = Group((NEVER,))


def patterns(lowering: Lowering, atom: Atom, frame: Frame) -> tuple[Pattern, ...]:
    """The patterns that say what an atom says."""
    match atom:
        case Triple():
            return (_pattern(atom),)
        case InstanceOf(term, classes):
            return _instances(lowering, term, classes, frame)
        case Member(term, terms):
            assert isinstance(term, Var)
            rows = tuple([(value,) for value in dict.fromkeys(terms)])
            alone = frame.arm or len(frame.binders[term.name]) == 1
            kept = lowering.has_closures or is_denied(term.name, frame)
            return _data(lowering, (term,), rows, alone, stepped=kept)
        case Choice(triples):
            return _alternatives(lowering, [Group((_pattern(triple),)) for triple in triples])
        case SubQuery(select):
            return (select,)
        case StatedAtom():
            return confidences.patterns(lowering, atom)
        case Either() | Closure():
            lowering.writing.append(atom)
            written = _either(lowering, atom, frame) if isinstance(atom, Either) else _closure(lowering, atom, frame)
            lowering.writing.pop()
            return written


# --- unions -------------------------------------------------------------------------------------------------------


def _either(lowering: Lowering, either: Either, frame: Frame) -> tuple[Pattern, ...]:
    frames = [_arm(lowering, arm, frame, either.exports) for arm in either.arms]
    groups: list[Group] = []
    for arm in frames:
        group = NOTHING if arm.never else lowering.group(arm)
        if group != NOTHING:
            seen = tuple([Var(name) for name in sorted(arm.binders) if name in either.exports or frame.binds(name)])
            if lowering.dialect.shy_data and not frame.existential and not group.patterns:
                # an arm that says nothing is lost among others: it lists a value that nobody looks at
                group = Group(_data(lowering, (lowering.apart.fresh("held"),), ((_HELD,),)))
            apart = lowering.dialect.shy_data and not frame.existential and seen and _filters_only(group)
            groups.append(Group((Select(seen, group),)) if apart else group)
    return _alternatives(lowering, groups) if groups else (NEVER,)


def _filters_only(group: Group) -> bool:
    """Whether a group is nothing but filters of what unions and sub-selects find."""
    kinds = set(map(type, group.patterns))
    return Filter in kinds and kinds <= {UnionPattern, Select, Group, Filter}


def _arm(lowering: Lowering, body: Body, frame: Frame, exports: tuple[str, ...]) -> Frame:
    """The frame of an arm, with what its filters need to see."""
    arm = Frame(frame, exports, existential=frame.existential)
    arm.arm = True
    lowering.expand(body, arm)
    if not lowering.dialect.folds_language:
        list_members(arm, lowering.dialect, lambda name: bool(frame.binders_of(name, lowering.writing)))
    repeat_seen(lowering, arm)
    return arm


def repeat_seen(lowering: Lowering, frame: Frame) -> None:
    """Repeats in a frame what binds the variables around it that its tests and negations look at."""
    seen = {name for test in frame.tests for name in looks_at(test)}
    seen.update(name for negation in frame.negations for name in mentioned_in(negation.body))
    repeat(lowering, seen | frame.late_names(), frame)


def repeat(lowering: Lowering, names: Iterable[str], frame: Frame) -> None:
    """Repeats in a frame what binds variables around it, those that it does not bind itself."""
    for name in sorted(names):
        if name not in frame.binders:
            _repeat(lowering, name, frame)


def _repeat(lowering: Lowering, name: str, arm: Frame) -> bool:
    """Repeats in an arm what binds a variable around it; False where nothing does but what is being written.

    Raises:
        UnsupportedOperation: only what may leave a variable without value binds it.
    """
    assert arm.parent is not None
    binders = arm.parent.binders_of(name, lowering.writing)
    if not binders:
        return False
    around = arm.parent
    binder = min(binders, key=lambda one: (len(around.opened_by(one)), _repetition(one)))
    opened = around.opened_by(binder)
    if name in opened or len(opened) > 1:
        # without value in the one place, a variable meets any value in the other: of one that nobody looks at, that
        # makes no rows which are not there anyhow
        where = f"SPARQL ({lowering.dialect.name})"
        raise UnsupportedOperation("a look from another group at what may be without value", where)
    arm.bind(binder, (name,) if isinstance(binder, Either) else names_of(binder))
    return True


#: What is repeated rather than something else, first things first.
_REPEATED = (Triple, Choice, Member, InstanceOf, StatedAtom, SubQuery, Closure, Either)


# --- instances of classes -----------------------------------------------------------------------------------------


def _instances(lowering: Lowering, term: Term, classes: tuple[Iri, ...], frame: Frame) -> tuple[Pattern, ...]:
    in_graph = lowering.vocabulary.subclass_paths
    by_schema = tuple([class_ for class_ in classes if not in_graph or _by_signature(lowering, class_)])
    plain, subjects_of, objects_of = extension(lowering.schema, by_schema, lowering.known)
    predicates = lowering.vocabulary.type_predicates
    paths = tuple([Iri(predicate) for predicate in predicates])
    is_a = paths[0] if len(paths) == 1 else PathExpression("|", paths)
    if in_graph and lowering.dialect.transitive_option:
        arms = [_reached(lowering, term, is_a, class_, frame) for class_ in classes if class_ not in by_schema]
    elif in_graph:
        below = PathExpression("/", (is_a, PathExpression("*", (Iri(lowering.vocabulary.subclass_predicate),))))
        arms = _of_classes(lowering, term, (below,), below, tuple([(c,) for c in classes if c not in by_schema]))
    else:
        arms = _of_classes(lowering, term, paths, is_a, plain, len(subjects_of) + len(objects_of))
    arms += _ends(lowering, term, subjects_of, len(arms) + len(objects_of), subject=True)
    arms += _ends(lowering, term, objects_of, len(arms), subject=False)
    if any(_finds_literals(lowering, term, relation, frame) for relation in objects_of):
        return (*_alternatives(lowering, arms), Filter(Operation("!", (Call("isLiteral", (term,)),))))
    return _alternatives(lowering, arms)


def _reached(lowering: Lowering, term: Term, is_a: Iri | PathExpression, class_: Iri, frame: Frame) -> Group:
    """What leads to a class by way of those below it, for an engine that walks to it in a sub-select of its own."""
    below = lowering.apart.fresh("class")
    closure = Closure(below, Iri(lowering.vocabulary.subclass_predicate), class_, 0)
    return Group((TriplePattern(term, is_a, below), *_steps(lowering, closure, frame, "*")))


def _by_signature(lowering: Lowering, class_: Iri) -> bool:
    known = lowering.schema.class_(class_.value)
    return known is not None and (known.subjects_of is not None or known.objects_of is not None)


def _of_classes(
    lowering: Lowering,
    term: Term,
    each: tuple[Iri | PathExpression, ...],
    all_: Iri | PathExpression,
    classes: tuple[tuple[Iri], ...],
    others: int = 0,
) -> list[Group]:
    """What leads to one of some classes: few, beside ``others``, are arms of ``each`` path, many are listed at the end
    of one path."""
    dialect = lowering.dialect
    if len(classes) * len(each) + others <= dialect.union_limit:
        return [Group((TriplePattern(term, path, class_),)) for (class_,) in classes for path in each]
    if not classes:
        return []
    class_ = lowering.apart.fresh("class")
    found = TriplePattern(term, all_, class_)
    if dialect.shy_data and len(classes) <= (dialect.values_limit or len(classes)):
        listed = values.among(class_, tuple([iri for (iri,) in classes]), dialect)
        return [Group((found, Filter(listed)))]
    return [Group((Values((class_,), part), found)) for part in _split(classes, dialect)]


def _ends(lowering: Lowering, term: Term, relations: tuple[Iri, ...], others: int, subject: bool) -> list[Group]:
    """What has some value of a relation, or is one: an arm each beside ``others``, or lists of relations."""
    fresh, dialect = lowering.apart.fresh, lowering.dialect

    def found(relation: Var | Iri) -> TriplePattern:
        far = fresh("any")
        return TriplePattern(term, relation, far) if subject else TriplePattern(far, relation, term)

    if dialect.arms_limit is None or others + len(relations) <= dialect.arms_limit:
        return [Group((found(relation),)) for relation in relations]
    relation = fresh("relation")
    rows = tuple([(iri,) for iri in relations])
    return [Group((Values((relation,), part), found(relation))) for part in _split(rows, dialect)]


def _finds_literals(lowering: Lowering, term: Term, relation: Iri, frame: Frame) -> bool:
    return isinstance(term, Var) and lowering.profile(relation.value).literals and not _is_subject(term, frame)


def _is_subject(var: Var, frame: Frame) -> bool:
    return any(isinstance(atom, Triple) and atom.subject == var for atom in frame.binders_of(var.name))


# --- closures -----------------------------------------------------------------------------------------------------


def _closure(lowering: Lowering, closure: Closure, frame: Frame) -> tuple[Pattern, ...]:
    """A path. One of no steps finds what the graph does not hold only in an arm of its own."""
    near, far = closure.subject, closure.object
    if closure.minimum:
        return _beside(lowering, closure, frame, "+")
    if isinstance(near, Var) and isinstance(far, Var):
        found = grounds((near, far), frame, lowering.writing)
        with_literals = lowering.dialect.transitive_option and _may_be_literal(lowering, far, frame)
        if any(_in_graph(ground) for ground in found) and not with_literals:
            return _beside(lowering, closure, frame, "*")
        if not found:
            where = f"SPARQL ({lowering.dialect.name})"
            raise UnsupportedOperation("a closure of no steps with nothing else to bind an end", where)
        ground = min(found, key=_ease)
        # what binds an end gives all of its values, and anything else those that the graph does not hold
        direct = ground.var in (near, far) and not isinstance(ground.atom, Closure)
        if with_literals and not direct:
            where = f"SPARQL ({lowering.dialect.name})"
            raise UnsupportedOperation("a closure of no steps that may pass literals on", where)
        steps = Group(_steps(lowering, closure, frame, "+" if direct else "*"))
        return (UnionPattern((steps, _no_step(lowering, (near, far), ground, frame))),)
    end, constant = (near, far) if isinstance(near, Var) else (far, near)
    if not isinstance(end, Var):
        return _steps(lowering, closure, frame, "+")
    assert not isinstance(constant, Var)
    if lowering.dialect.transitive_option and isinstance(constant, Iri) and not _may_be_literal(lowering, far, frame):
        return _steps(lowering, closure, frame, "*")
    none = Group(_data(lowering, (end,), ((constant,),)))
    some = [] if isinstance(near, Literal) else [Group(_steps(lowering, closure, frame, "+"))]
    return _alternatives(lowering, [*some, none])


def _meets_a_value(lowering: Lowering, closure: Closure, frame: Frame) -> bool:
    """Whether the end of a closure is a variable that something beside it binds, maybe to a literal. Of closures that
    nothing else meets, the first binds what the others compare with."""
    far = closure.object
    if not isinstance(far, Var) or far == closure.subject:
        return False
    binders = frame.binders.get(far.name, ())
    if len(binders) < 2 or (binders[0] is closure and all(type(atom) is Closure for atom in binders)):
        return False
    return lowering.content(far, frame, typed=False).literals


def _may_be_literal(lowering: Lowering, end: Term, frame: Frame) -> bool:
    return isinstance(end, Var) and lowering.content(end, frame).literals


def _no_step(lowering: Lowering, ends: tuple[Var, Var], ground: Ground, frame: Frame) -> Group:
    """Both ends are the same: the arm repeats what they have their values from."""
    constants = ground.constants
    if constants:
        return Group(_data(lowering, ends, tuple([(value, value) for value in constants])))
    if frame.existential and lowering.dialect.flat_exists:
        raise UnsupportedOperation("such a closure of no steps under EXISTS", f"SPARQL ({lowering.dialect.name})")
    source, atom = ground.var, ground.atom
    arm = Frame(frame, (source.name, *[end.name for end in ends]), existential=frame.existential)
    arm.arm = True
    arm.bind(atom, atom.exports if isinstance(atom, Either) else names_of(atom))
    for end in ends:
        if end.name not in arm.binders:
            others = [other for other in frame.binders_of(end.name, lowering.writing) if not passes_on(other)]
            if others:
                other = min(others, key=_repetition)
                arm.bind(other, other.exports if isinstance(other, Either) else names_of(other))
    same = [end for end in ends if end.name in arm.binders and end != source]
    group = lowering.group(arm, [Filter(values.same(source, end, lowering.dialect)) for end in same])
    alike = [end for end in ends if end.name not in arm.binders]
    if not alike:
        return group
    mentioned = {name for atom in arm.atoms for name in names_of(atom)}
    if all(end.name not in mentioned and len(_bound_by(end, frame)) == 1 for end in alike):
        return Group((*group.patterns, *[Bind(source, end) for end in alike]))
    # an end that something else binds is joined with, which takes a sub-select: engines let BIND overwrite it; and an
    # arm of a union that binds the source may mention the end, where it is another variable
    columns = [Column(source, end) for end in alike]
    if not mentioned.isdisjoint(end.name for end in alike):
        group = Group((Select((source, *same), group, distinct=True),))
    return Group((Select((source, *same, *columns), group, distinct=True),))


def _bound_by(var: Var, frame: Frame) -> list[Atom]:
    """All that binds a variable, here and around."""
    found: list[Atom] = []
    at: Frame | None = frame
    while at is not None:
        found += at.binders.get(var.name, ())
        at = at.parent
    return found


def _in_graph(ground: Ground) -> bool:
    """Whether the values are subjects or objects of triples."""
    atom = ground.atom
    triple = atom.triples[0] if isinstance(atom, Choice) else atom
    match triple:
        case Triple(subject, _, object_):
            return ground.var in (subject, object_)
        case Closure(_, _, _, minimum):
            return minimum > 0
        case _:
            return isinstance(triple, InstanceOf)


def _ease(ground: Ground) -> tuple[bool, int]:
    """Known values are the easiest to repeat."""
    return not ground.constants, _repetition(ground.atom)


def _repetition(atom: Atom) -> int:
    return _REPEATED.index(type(atom))


# --- parts --------------------------------------------------------------------------------------------------------


def _pattern(triple: Triple) -> TriplePattern:
    predicate = triple.predicate
    assert not isinstance(predicate, Literal)
    return TriplePattern(triple.subject, predicate, triple.object)


def _steps(lowering: Lowering, closure: Closure, frame: Frame, operator: str) -> tuple[Pattern, ...]:
    near, relation, far = closure.subject, closure.relation, closure.object
    if not lowering.dialect.transitive_option:
        path = PathExpression(operator, (relation,))
        apart = lowering.dialect.falsy_ends or (not lowering.dialect.folds_language and values.is_tagged(far))
        if not (apart and isinstance(far, Literal)):
            return (TriplePattern(near, path, far),)
        value = lowering.apart.fresh("value")
        return TriplePattern(near, path, value), Filter(values.among(value, (far,), lowering.dialect))
    start, given = _open_end(lowering, near, frame)
    if operator == "*":
        end, also_given = _open_end(lowering, far, frame)
        # left to choose, the engine goes by what all its graphs hold, and from the unknown end it misses rows
        known = end if also_given else start if given else None
        walked = Group((*given, Transitive(start, relation, end, known), *also_given))
        return (*_apart(walked, (near, far), frame), *_no_literals((near, far), frame))
    last = lowering.apart.fresh("last")
    walked = Group((*given, Transitive(start, relation, last, start if given else None)))
    steps = (*_apart(walked, (near, last), frame), *_no_literals((near,), frame))
    if not isinstance(far, Literal):
        return (*steps, TriplePattern(last, relation, far))
    value = lowering.apart.fresh("value")
    return (*steps, TriplePattern(last, relation, value), Filter(values.same(value, far, lowering.dialect)))


def _beside(lowering: Lowering, closure: Closure, frame: Frame, operator: str) -> tuple[Pattern, ...]:
    """The steps of a closure among what else the frame says, to an end of its own that is compared where an engine
    would lose rows: of values that it takes for false, or by an option where something beside binds both ends."""
    dialect, far = lowering.dialect, closure.object
    lost = dialect.falsy_ends and operator == "+" and _meets_a_value(lowering, closure, frame)
    if not (lost or (dialect.transitive_option and _both_known(closure, frame))):
        return _steps(lowering, closure, frame, operator)
    end = lowering.apart.fresh("end")
    walked = _steps(lowering, replace(closure, object=end), frame, operator)
    return (*walked, Filter(values.same(end, far, dialect)))


def _both_known(closure: Closure, frame: Frame) -> bool:
    """Whether something beside a closure binds both of its ends."""
    binders = [frame.binders.get(end.name, ()) for end in (closure.subject, closure.object) if isinstance(end, Var)]
    return len(binders) == 2 and all(any(type(atom) is not Closure for atom in found) for found in binders)


def _apart(walked: Group, ends: tuple[Term, Term], frame: Frame) -> tuple[Pattern, ...]:
    """Steps from or to a constant are a sub-select of their own: joined with more, they lose rows on the engine. It has
    a limit, which keeps the engine from walking from each of the rows beside it: then rows that begin at the same node
    are lost but for one, or stand with what another row has found."""
    found = tuple([end for end in ends if isinstance(end, Var)])
    if len(found) != 1 or frame.existential:
        return walked.patterns
    return (Select(found, walked, distinct=True, limit=ALL_ROWS),)


def _no_literals(ends: tuple[Term, ...], frame: Frame) -> list[Filter]:
    """No step leads on from a literal; an engine that begins at one gives up the others too."""
    found = [end for end in ends if isinstance(end, Var) and not _is_subject(end, frame)]
    return [Filter(Operation("!", (Call("isLiteral", (end,)),))) for end in found]


def _open_end(lowering: Lowering, end: Term, frame: Frame) -> tuple[Var, tuple[Pattern, ...]]:
    """An end of a closure as a variable, and what says which node it is. Of a variable that is bound around an EXISTS
    the engine's sub-select makes another one of the same name."""
    around = frame.parent if frame.existential and not frame.arm else None
    if isinstance(end, Var) and (around is None or not around.binds(end.name)):
        return end, ()
    var = lowering.apart.fresh("end")
    return var, (Filter(Operation("=", (var, end))),)


def _data(
    lowering: Lowering,
    variables: tuple[Var, ...],
    rows: tuple[tuple[Constant, ...], ...],
    alone: bool = True,
    stepped: bool = False,
) -> tuple[Pattern, ...]:
    """Inline data; ``alone`` where nothing else binds its variables beside it, ``stepped`` where a closure may begin
    at them or a negation lists them."""
    if lowering.dialect.joins_values and any(comes_back_other(term) for row in rows for term in row):
        where = f"SPARQL ({lowering.dialect.name}): it gives them back otherwise"
        raise UnsupportedOperation("such a number or time among inline data", where)
    if lowering.dialect.joins_values and any(has_no_value(term) for row in rows for term in row):
        where = f"SPARQL ({lowering.dialect.name}): it stores values"
        raise UnsupportedOperation("a literal that has no value among inline data", where)
    if lowering.dialect.shy_data and alone and any(values.is_tagged(term) for row in rows for term in row):
        where = f"SPARQL ({lowering.dialect.name}): it does not keep their tags"
        raise UnsupportedOperation("tagged strings among inline data", where)
    folded = stepped or any(isinstance(term, Literal) for term in rows[0])
    if lowering.dialect.folds_single_rows and len(rows) == 1 and folded:
        rows = (*rows, *rows)
    blocks: list[Pattern] = [Values(variables, part) for part in _split(rows, lowering.dialect)]
    if lowering.dialect.shy_data and (alone or len(blocks) > 1):
        blocks = [Select(variables, Group((block,))) for block in blocks]
    return _alternatives(lowering, [Group((block,)) for block in blocks])


def _split(rows: tuple[_Row, ...], dialect: Dialect) -> list[tuple[_Row, ...]]:
    """The rows in blocks that the dialect takes."""
    limit = dialect.values_limit or len(rows)
    return [rows[at : at + limit] for at in range(0, len(rows), limit)]


def _alternatives(lowering: Lowering, arms: list[Group]) -> tuple[Pattern, ...]:
    if not arms:
        return (NEVER,)
    limit = lowering.dialect.arms_limit
    if limit is not None and len(arms) > limit:
        raise UnsupportedOperation(f"a union of more than {limit} arms", f"SPARQL ({lowering.dialect.name})")
    return arms[0].patterns if len(arms) == 1 else (UnionPattern(tuple(arms)),)
