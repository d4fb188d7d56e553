"""What supports an answer: for each conjunct, the triples, comparisons and checks by which it holds."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from pylf.backends.why.asking import Exhausted
from pylf.backends.why.checks import check
from pylf.backends.why.evidence import (
    Arm,
    Computed,
    Held,
    Labelled,
    Listed,
    Stated,
    Typed,
    Unfollowed,
    Walked,
    Weighed,
)
from pylf.backends.why.standing import counted, standing
from pylf.backends.why.units import reading_order, units_of
from pylf.ir.confidence import statements
from pylf.ir.mentions import mentioned_in, mentions
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Extend,
    Extreme,
    InstanceOf,
    LeftJoin,
    Member,
    Not,
    Op,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.schema.vocabulary import StatementPattern
from pylf.ir.scope import opened
from pylf.ir.tables import Table
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.values import sort_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from pylf.backends.why.asking import Asking
    from pylf.backends.why.evidence import Evidence
    from pylf.backends.why.units import Unit
    from pylf.errors import Span
    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node, Term


def support(body: Body, bindings: Mapping[str, Node], start: AbstractSet[str], asking: Asking) -> tuple[Evidence, ...]:
    """What makes a body hold in one of its solutions, ``bindings``: told from the variables ``start`` on, each
    conjunct once, negative checks last. What cannot be told within bounds is an :class:`Unfollowed`."""
    units, rest = reading_order(units_of(body, asking.vocabulary), body, start)
    found: dict[Evidence, None] = {}
    loose = opened(body) - bindings.keys()
    for unit in (*units, *rest):
        # of what a negation looks at that may be open around it, a solution does not tell whether it is
        told = not isinstance(unit.first, Not) or loose.isdisjoint(unit.mentions)
        with suppress(Exhausted), asking.meter.refilled():
            if told:
                found.update(dict.fromkeys(_held(unit, bindings, asking)))
                continue
        fixed = tuple([(name, bindings[name]) for name in sorted(unit.mentions & bindings.keys())])
        found[Unfollowed(unit.conjuncts, fixed, unit.span)] = None
    return tuple(found)


def witnessed(body: Body, known: Mapping[str, Node], asking: Asking) -> tuple[Evidence, ...]:
    """What makes a body hold with some of its variables ``known``; nothing where it does not. Raises Exhausted."""
    bindings = asking.witness(body, known)
    return () if bindings is None else support(body, bindings, known.keys(), asking)


def node_of(term: Term, bindings: Mapping[str, Node]) -> Node:
    """The node that a term stands for in a solution."""
    return bindings[term.name] if isinstance(term, Var) else term


def _held(unit: Unit, bindings: Mapping[str, Node], asking: Asking) -> Iterator[Evidence]:
    if unit.label is not None:
        bearer, label = node_of(unit.label.bearer, bindings), bindings[unit.label.variable.name]
        for says in unit.label.predicates:
            for triple in asking.graph.triples(bearer, says, label):
                yield Labelled(triple, unit.span)
                return
    conjunct = unit.first
    span = conjunct.span
    match conjunct:
        case Triple(subject, predicate, object_):
            yield Stated((node_of(subject, bindings), node_of(predicate, bindings), node_of(object_, bindings)), span)
        case InstanceOf(term, classes):
            yield from _typed(node_of(term, bindings), classes, asking, span)
        case Compare(op, left, right):
            one, two = node_of(left, bindings), node_of(right, bindings)
            if op is not Op.IS or one != two:
                yield Held(op, one, two, span)
        case Member(term, values):
            yield Listed(node_of(term, bindings), values, span)
        case Confidence():
            yield _weighed(conjunct, bindings, asking)
        case Path(nodes, relations, forward):
            walked = [node_of(node, bindings) for node in nodes]
            steps = zip(walked, walked[1:], relations, forward, strict=False)
            hops = [
                ((near, node_of(step, bindings), far) if along else (far, node_of(step, bindings), near), along)
                for near, far, step, along in steps
            ]
            yield Walked(walked[0], walked[-1], tuple(hops), None, span)
        case Closure(subject, by, object_, minimum):
            start, end = node_of(subject, bindings), node_of(object_, bindings)
            hops = [(hop, True) for hop in _walk(start, by, end, minimum, asking)]
            yield Walked(start, end, tuple(hops), by, span)
        case Union():
            yield from _arms(conjunct, bindings, asking)
        case Project(outputs, body):
            yield from witnessed(body, {output.name: bindings[output.name] for output in outputs}, asking)
        case Count():
            yield counted(conjunct, bindings, asking)
        case Extreme() | TopK():
            stands = standing(conjunct, bindings[conjunct.item.name], asking)
            best = {conjunct.item.name: stands.item, conjunct.key.name: stands.value}
            yield replace(stands, evidence=witnessed(conjunct.body, best, asking))
        case Not():
            checked, contradiction = check(conjunct, bindings, asking)
            if contradiction is not None:
                checked = replace(checked, against=witnessed(*contradiction, asking))
            yield checked
        case LeftJoin(body):
            # nothing, where nothing of it is there
            seen = mentioned_in(body)
            yield from witnessed(body, {name: node for name, node in bindings.items() if name in seen}, asking)
        case Condition() | Extend() | Aggregate() | Slice():
            known = tuple([(name, bindings[name]) for name in sorted(unit.mentions & bindings.keys())])
            yield Computed(conjunct, known, span)


def _typed(node: Node, classes: tuple[Iri, ...], asking: Asking, span: Span | None) -> Iterator[Typed]:
    """By what a node is an instance of one of some classes: the stated class that stands nearest to one asked for."""
    schema, graph = asking.schema, asking.graph
    stated: dict[str, TripleRow] = {}
    for predicate in asking.vocabulary.type_predicates:
        for triple in sorted(graph.triples(node, Iri(predicate), None), key=lambda found: sort_key(found[2])):
            if isinstance(triple[2], Iri):
                stated.setdefault(triple[2].value, triple)
    best: tuple[int, str, Typed] | None = None
    for asked in classes:
        for below in _below(asked.value, asking):
            known = schema.class_(below)
            signature = True
            if known is not None and known.subjects_of is not None:
                found = next(islice(graph.triples(node, Iri(known.subjects_of), None), 1), None)
            elif known is not None and known.objects_of is not None:
                found = next(islice(graph.triples(None, Iri(known.objects_of), node), 1), None)
            else:
                found, signature = stated.get(below), False
            if found is not None:
                above = _ascent(below, asked.value, asking)
                if best is None or (len(above), below) < best[:2]:
                    best = (len(above), below, Typed(node, asked, found, above, signature, span))
    if best is not None:
        yield best[2]


def _ascent(below: str, asked: str, asking: Asking) -> tuple[Iri, ...]:
    """The shortest way up from a class to one above it, both in it."""
    previous: dict[str, str | None] = {below: None}
    todo = deque([below])
    while todo:
        here = todo.popleft()
        if here == asked:
            break
        for parent in sorted(_parents(here, asking)):
            if parent not in previous:
                previous[parent] = here
                todo.append(parent)
    way = []
    at: str | None = asked if asked in previous else below
    while at is not None:
        way.append(Iri(at))
        at = previous[at]
    return tuple(reversed(way))


def _below(asked: str, asking: Asking) -> tuple[str, ...]:
    """A class and what is below it: as the schema says, or the graph where the vocabulary has it asked."""
    if not asking.vocabulary.subclass_paths:
        return asking.schema.subclasses(asked)
    says = Iri(asking.vocabulary.subclass_predicate)
    found: dict[str, None] = {asked: None}
    todo = [asked]
    while todo:
        for child, _, _ in sorted(asking.graph.triples(None, says, Iri(todo.pop())), key=lambda row: sort_key(row[0])):
            if isinstance(child, Iri) and child.value not in found:
                found[child.value] = None
                todo.append(child.value)
    return tuple(found)


def _parents(class_: str, asking: Asking) -> set[str]:
    if asking.vocabulary.subclass_paths:
        above = asking.graph.triples(Iri(class_), Iri(asking.vocabulary.subclass_predicate), None)
        return {parent.value for _, _, parent in above if isinstance(parent, Iri)}
    known = asking.schema.class_(class_)
    return set(known.parents) if known is not None else set()


def _walk(start: Node, relation: Iri, end: Node, minimum: int, asking: Asking) -> list[TripleRow]:
    """The triples of a shortest walk; none where no step is needed or none leads there."""
    if minimum == 0 and start == end:
        return []
    previous: dict[Node, Node] = {}
    todo = deque([start])
    while todo and end not in previous:
        here = todo.popleft()
        if isinstance(here, Literal):
            continue
        for _, _, there in sorted(asking.graph.triples(here, relation, None), key=lambda found: sort_key(found[2])):
            if there not in previous:
                previous[there] = here
                todo.append(there)
    hops: list[TripleRow] = []
    at = end
    while at in previous and (not hops or at != start):
        hops.append((previous[at], relation, at))
        at = previous[at]
    return hops[::-1]


def _hidden(word: str) -> Var:
    """A variable of a name that no query has."""
    return Var(f"{word} ")


def _weighed(conjunct: Confidence, bindings: Mapping[str, Node], asking: Asking) -> Weighed:
    triple = (
        node_of(conjunct.subject, bindings),
        node_of(conjunct.predicate, bindings),
        node_of(conjunct.object, bindings),
    )
    says = asking.vocabulary.statements
    confidence = bindings[conjunct.value.name]
    if not isinstance(says, StatementPattern):
        known = {name: bindings[name] for name in mentions(conjunct)}
        found = asking.witness(Body(statements(conjunct, asking.vocabulary, _hidden)), known)
        return Weighed(triple, confidence, triple[0] if found is None else found["statement "], conjunct.span)
    parts = list(zip((says.subject, says.predicate, says.object), triple, strict=True))
    # of the nodes that state this confidence, the first that names the three parts
    rarest = min(parts, key=lambda part: asking.meter.count(None, Iri(part[0]), part[1]))
    nodes = sorted({s for s, _, _ in asking.graph.triples(None, Iri(rarest[0]), rarest[1])}, key=sort_key)
    wanted = [*parts, (says.confidence, confidence)]
    for node in nodes:
        if all(next(islice(asking.graph.triples(node, Iri(p), o), 1), None) for p, o in wanted):
            return Weighed(triple, confidence, node, conjunct.span)
    return Weighed(triple, confidence, triple[0], conjunct.span)


def _arms(union: Union, bindings: Mapping[str, Node], asking: Asking) -> Iterator[Arm]:
    """The first arm that holds, and which others do."""
    first: tuple[int, tuple[Evidence, ...]] | None = None
    also = []
    for number, arm in enumerate(union.arms):
        seen = mentioned_in(arm)
        known = {name: node for name, node in bindings.items() if name in seen}
        if first is None:
            found = asking.witness(arm, known)
            if found is not None:
                first = number, support(arm, found, known.keys(), asking)
        elif asking.solve(arm, Table(tuple(known), (tuple(known.values()),)), frozenset()).rows:
            also.append(number)
    if first is not None:
        yield Arm(first[0], len(union.arms), tuple(also), first[1], union.span)
