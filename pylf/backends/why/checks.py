"""Negative checks: that nothing matches, and whether something else is recorded in its place.

"Known otherwise" says that the graph has the relation for this very thing, with other values; "nothing recorded", that
it has none at all. A closed world reads both as "not"; partial completeness, the first alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.why.evidence import Checked, Recorded
from pylf.backends.why.steps import walk_through
from pylf.backends.why.units import units_of
from pylf.ir.answers import distinct
from pylf.ir.mentions import mentions
from pylf.ir.nodes import Body, Closure, Compare, Confidence, InstanceOf, Not, Op, Path, Triple, Union
from pylf.ir.tables import UNIT, Table, certain
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.values import sort_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pylf.backends.why.asking import Asking, Bindings
    from pylf.backends.why.evidence import Verdict
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Node

#: How many of the other values are named.
NAMED = 3


class Contradiction(NamedTuple):
    """A body that does hold, and known values of its variables."""

    body: Body
    known: Bindings


def check(negation: Not, bindings: Mapping[str, Node], asking: Asking) -> tuple[Checked, Contradiction | None]:
    """The check that a negation made for one solution of what stands around it; and, where it is a negation within it
    that ruled the pattern out, what holds against that. Raises Exhausted."""
    body = negation.body
    fixed = {name: bindings[name] for name in sorted(mentions(negation) & bindings.keys())}
    recorded, verdict = _recorded(body, fixed, asking)
    stopped: tuple[Conjunct, ...] = ()
    seen: list[Node] = []
    contradiction = None
    if len(units_of(body, asking.vocabulary)) > 1:
        walk = walk_through(body, Table(tuple(fixed), (tuple(fixed.values()),)), (), asking)
        if walk.culprit is not None:
            stopped = walk.units[walk.culprit].conjuncts
            for table in walk.before[:1]:
                match stopped[0]:
                    case Not(inner):
                        row = min(certain(table), key=lambda nodes: [sort_key(node) for node in nodes])
                        names = mentions(stopped[0])
                        known = fixed | dict(zip(table.columns, row, strict=True))
                        contradiction = Contradiction(inner, {n: node for n, node in known.items() if n in names})
                    case Compare(_, Var(name)) if name in table.columns and name not in fixed:
                        place = table.columns.index(name)
                        seen = distinct([row[place] for row in certain(table)])
                    case _:
                        pass
    checked = Checked(
        body,
        tuple(fixed.items()),
        verdict,
        recorded,
        asking.engine.snapshot,
        stopped,
        tuple(seen[:NAMED]),
        len(seen),
        span=negation.span,
    )
    return checked, contradiction


def _recorded(body: Body, fixed: Bindings, asking: Asking) -> tuple[tuple[Recorded, ...], Verdict | None]:
    """What the graph records where the pattern touches the things that are asked about, and what that comes to."""
    always: list[Recorded] = []
    by_arms: list[Recorded] = []
    atoms = list(_atoms(body, fixed))
    # a class is a condition on the thing, unless it is all that is denied of it
    if any(isinstance(atom, Triple) for atom, _, _ in atoms) or any(isinstance(c, Not) for c in body.conjuncts):
        atoms = [entry for entry in atoms if isinstance(entry[0], Triple)]
    for atom, twins, within_arm in atoms:
        found = _beside(atom, fixed | twins, twins, asking)
        if found is not None and found not in always and found not in by_arms:
            (by_arms if within_arm else always).append(found)
    if not always and not by_arms:
        return (), None
    nothing = any(not r.total for r in always) if always else not any(r.total for r in by_arms)
    return (*always, *by_arms), "nothing recorded" if nothing else "known otherwise"


def _atoms(
    body: Body, fixed: Mapping[str, Node], within_arm: bool = False
) -> Iterator[tuple[Triple | InstanceOf, Bindings, bool]]:
    """The triples and types that a pattern asks for, those of its alternatives included; with each the variables that
    have the same value as a fixed one."""
    twins: Bindings = {}
    for conjunct in body.conjuncts:
        match conjunct:
            case Compare(Op.IS, Var(one), Var(other)):
                if one in fixed and other not in fixed:
                    twins[other] = fixed[one]
                elif other in fixed and one not in fixed:
                    twins[one] = fixed[other]
    for conjunct in body.conjuncts:
        match conjunct:
            case Triple() | InstanceOf():
                yield conjunct, twins, within_arm
            case Confidence(subject, predicate, object_):
                yield Triple(subject, predicate, object_), twins, within_arm
            case Closure(subject, relation, object_):
                yield Triple(subject, relation, object_), twins, within_arm
            case Path(nodes, relations, forward):
                for near, far, step, along in zip(nodes, nodes[1:], relations, forward, strict=False):
                    yield (Triple(near, step, far) if along else Triple(far, step, near)), twins, within_arm
            case Union(arms):
                for arm in arms:
                    yield from _atoms(arm, fixed, True)
            case _:
                pass


def _beside(atom: Triple | InstanceOf, known: Bindings, twins: Bindings, asking: Asking) -> Recorded | None:
    """What is recorded at that end of a triple which is known; None where neither end is."""
    match atom:
        case InstanceOf(Var(name)) if name in known:
            node = known[name]
            for predicate in asking.vocabulary.type_predicates:
                classes = distinct([o for _, _, o in _from(node, Iri(predicate), asking)])
                if classes:
                    return Recorded(node, Iri(predicate), True, tuple(classes[:NAMED]), len(classes))
            return Recorded(node, Iri(asking.vocabulary.type_predicates[0]), True, (), 0)
        case Triple(subject, predicate, object_):
            named = known.get(predicate.name) if isinstance(predicate, Var) else predicate
            if not isinstance(named, Iri):
                return None
            relation = named
            if isinstance(subject, Var) and subject.name in known:
                node = known[subject.name]
                ends = distinct([o for _, _, o in _from(node, relation, asking)])
                return Recorded(node, relation, True, tuple(ends[:NAMED]), len(ends))
            if isinstance(object_, Var) and object_.name in known:
                node = known[object_.name]
                if object_.name in twins:
                    starts = _bearers(relation, node, asking)
                else:
                    starts = distinct([s for s, _, _ in asking.graph.triples(None, relation, node)])
                return Recorded(node, relation, False, tuple(starts[:NAMED]), len(starts))
    return None


def _from(node: Node, relation: Iri, asking: Asking) -> Iterator[tuple[Node, Node, Node]]:
    return iter(()) if isinstance(node, Literal) else asking.graph.triples(node, relation, None)


def _bearers(relation: Iri, value: Node, asking: Asking) -> list[Node]:
    """What has this very value, in whatever spelling."""
    near, far = Var("near"), Var("far")
    if not isinstance(value, Iri | Literal):
        return distinct([s for s, _, _ in asking.graph.triples(None, relation, value)])
    body = Body((Triple(near, relation, far), Compare(Op.IS, far, value)))
    found = asking.solve(body, UNIT, frozenset((near.name,)))
    return distinct([node for (node,) in certain(found)])
