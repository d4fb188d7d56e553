"""What conjuncts say a term is: an end of a relation, an instance of classes, or one of the things that the arms of a
union say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.nodes import Aggregate, Closure, Count, Extreme, InstanceOf, Path, Project, Slice, TopK, Triple, Union
from pylf.ir.scope import never
from pylf.ir.terms import Iri
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.nodes import Body, Conjunct
    from pylf.ir.terms import Term, Var

    Facts = dict[Term, list["Fact"]]


@record
class End:
    """The term is a subject (else an object) of a relation; of one that is not known where that is a variable."""

    relation: str | None
    subject: bool


@record(eq=False)
class Either:
    """What each arm of a union says of the term."""

    arms: tuple[list[Fact], ...]


Fact = End | InstanceOf | Either


def gathered(conjuncts: Iterable[Conjunct]) -> Facts:
    """What conjuncts that hold together say of each term."""
    facts: Facts = {}

    def edge(subject: Term, predicate: Term, object_: Term) -> None:
        relation = predicate.value if type(predicate) is Iri else None
        facts.setdefault(subject, []).append(End(relation, True))
        if relation is not None:
            facts.setdefault(object_, []).append(End(relation, False))

    def exported(variables: Iterable[Var], body: Body) -> None:
        within = gathered(body.conjuncts)
        for variable in variables:
            if variable in within:
                facts.setdefault(variable, []).extend(within[variable])

    for conjunct in conjuncts:
        match conjunct:
            case Triple(subject, predicate, object_):
                edge(subject, predicate, object_)
            case InstanceOf(term):
                facts.setdefault(term, []).append(conjunct)
            case Path(nodes, relations, forward):
                for near, far, relation, ahead in zip(nodes, nodes[1:], relations, forward, strict=False):
                    edge(*((near, relation, far) if ahead else (far, relation, near)))
            case Closure(subject, relation, object_, 1):
                edge(subject, relation, object_)
            case Project(outputs, body) | Slice(outputs, body):
                exported(outputs, body)
            case Count(_, _, body, group) | Aggregate(_, body, group):
                exported(group, body)
            case Extreme() | TopK():
                exported((conjunct.item,), conjunct.body)
            case Union(arms):
                each = [gathered(arm.conjuncts) for arm in arms if not never(arm)]
                for term in each[0] if each else ():
                    if all(term in arm for arm in each):
                        facts.setdefault(term, []).append(Either(tuple([arm[term] for arm in each])))
            case _:
                pass
    return facts
