"""Graphs made from a query itself: its body *frozen*, with a node of the graph for each variable.

Where two conjunctive queries differ at all, they differ on the frozen body of one of them (Chandra and Merlin, 1977).
Unions, negations, comparisons, counts and superlatives leave choices: which arm; whether a negated part holds, holds
but for one conjunct, or is left out; a value that satisfies a comparison or one near it; how many are counted; who wins
and who ties. So do the wide nodes: whether an optional part is there, how many rows are aggregated or ordered, and with
which values. Each is made by :class:`~pylf.equivalence.choices.Choices`, and so is whether two variables share a node.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pylf.equivalence.candidates import Candidates, holds, tests
from pylf.equivalence.choices import Choices
from pylf.equivalence.material import says_instance
from pylf.equivalence.near import ladder
from pylf.ir.confidence import statements
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
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
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.traverse import walk
from pylf.ir.values import value_of

if TYPE_CHECKING:
    from pylf.equivalence.candidates import Test
    from pylf.equivalence.material import Material
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Constant, Term

    Nodes = dict[str, Constant]

#: Which bodies one graph holds, the left (0) and the right (1), and whether they share their answer.
RECIPES = (((0,), False), ((1,), False), ((0, 1), True), ((0, 1), False), ((0, 0), False), ((1, 1), False))

#: A graph holds no more copies of a body that is counted or ranked, but where these are alike and only keys differ.
_MOST_COPIES = 5
_MOST_RANKED = 128
#: A count that is a key is of no more things.
_MOST_COUNTED = 16
#: So many nodes that are there already may stand for a variable besides one of its own.
_MOST_SHARED = 5


class Freezer:
    """Makes graphs of two queries."""

    def __init__(self, left: Query, right: Query, material: Material) -> None:
        self.queries = (left, right)
        self.material = material
        self.candidates = tuple(Candidates(query, material) for query in self.queries)
        ranks = [node.k for query in self.queries for node in walk(query) if isinstance(node, TopK)]
        self.rungs = min(max((1, *ranks)) + 1, _MOST_RANKED)

    def graph(self, choices: Choices) -> tuple[TripleRow, ...]:
        """The triples of one graph; the first choice is one of :data:`RECIPES`."""
        sides, shared = RECIPES[choices.pick(len(RECIPES))]
        triples: dict[TripleRow, None] = {}
        answer: tuple[Constant | None, ...] = ()
        freezing = _Freezing(self.material, choices, triples, self.candidates[0], self.rungs)
        for side in sides:
            query = self.queries[side]
            nodes: Nodes = {}
            if shared and len(answer) == len(query.outputs):
                nodes = {v.name: node for v, node in zip(query.outputs, answer, strict=True) if node is not None}
            freezing.candidates = self.candidates[side]
            freezing.body(query.body, nodes)
            answer = tuple(nodes.get(output.name) for output in query.outputs)
        return tuple(triples)


class _Freezing:
    """One graph in the making."""

    def __init__(
        self,
        material: Material,
        choices: Choices,
        triples: dict[TripleRow, None],
        candidates: Candidates,
        rungs: int,
    ) -> None:
        self.material = material
        self.choices = choices
        self.triples = triples
        self.candidates = candidates
        #: what is asked of variables alone in the bodies that are being frozen
        self.asked: dict[str, tuple[Test, ...]] = {}
        self.rungs = rungs
        self.fresh = material.fresh()
        self.used: dict[Iri, None] = {}

    def body(self, body: Body, nodes: Nodes, left_out: Conjunct | None = None) -> None:
        """Freezes all conjuncts but one: arms of unions are chosen first, and what is negated comes last."""
        flat: list[Conjunct] = []
        todo = [conjunct for conjunct in reversed(body.conjuncts) if conjunct is not left_out]
        while todo:
            conjunct = todo.pop()
            if isinstance(conjunct, Union) and conjunct.arms:
                todo += reversed(conjunct.arms[self.choices.pick(len(conjunct.arms))].conjuncts)
            else:
                flat.append(conjunct)
        around = self.asked
        self.asked = dict(around)
        for name, test in tests(flat):
            self.asked[name] = (*self.asked.get(name, ()), test)
        for conjunct in flat:
            if isinstance(conjunct, Compare):
                if conjunct.op is Op.IS:
                    self.same(conjunct.left, conjunct.right, nodes)
            elif not isinstance(conjunct, Not | LeftJoin | Condition):
                self.conjunct(conjunct, nodes)
        for conjunct in flat:
            if isinstance(conjunct, Not | LeftJoin):
                self.perhaps(conjunct.body, nodes)
        self.asked = around

    def conjunct(self, conjunct: Conjunct, nodes: Nodes) -> None:
        match conjunct:
            case Triple(subject, predicate, object_):
                self.triple(subject, predicate, object_, nodes)
            case Path(path, relations, forward):
                for near, relation, far, ahead in zip(path, relations, path[1:], forward, strict=False):
                    start, end = (near, far) if ahead else (far, near)
                    self.triple(start, relation, end, nodes)
            case Closure():
                self.closure(conjunct, nodes)
            case Confidence():
                self.confidence(conjunct, nodes)
            case InstanceOf(term, classes):
                self.instance_of(self.node(term, nodes), classes)
            case Member(term):
                self.node(term, nodes)
            case Project(_, body):
                self.body(body, nodes)
            case Count():
                self.count(conjunct, nodes)
            case Extreme() | TopK():
                self.superlative(conjunct, nodes)
            case Aggregate(_, body, group):
                self.rows(body, group, nodes, 4)
            case Slice(outputs, body, _, limit, offset):
                self.rows(body, outputs, nodes, _MOST_COPIES if limit is None else limit + offset + 1)

    def confidence(self, confidence: Confidence, nodes: Nodes) -> None:
        """Freezes a confidence as the vocabulary keeps it; what names the statement names nothing else."""

        def named(word: str) -> Var:
            node = self.own()
            nodes[f"{word} {node.value}"] = node
            return Var(f"{word} {node.value}")

        for triple in statements(confidence, self.material.vocabulary, named):
            subject, predicate, object_ = [
                self.relation(term, nodes) if term == confidence.predicate else self.node(term, nodes)
                for term in (triple.subject, triple.predicate, triple.object)
            ]
            self.triples[subject, predicate, object_] = None

    # --- nodes ----------------------------------------------------------------------------------------------------

    def own(self) -> Iri:
        node = next(self.fresh)
        self.used[node] = None
        return node

    def node(self, term: Term, nodes: Nodes) -> Constant:
        """The node that stands for a term."""
        if not isinstance(term, Var):
            return term
        known = nodes.get(term.name)
        if known is None:
            likely = self.candidates.ordered(term.name, self.asked.get(term.name, ()))
            others = (*self.used, *self.material.entities)[:_MOST_SHARED]
            chosen = (*likely, *others)[self.choices.pick(len(likely) + len(others))]
            known = self.own() if chosen is None else chosen
            nodes[term.name] = known
        return known

    def relation(self, term: Term, nodes: Nodes) -> Constant:
        if not isinstance(term, Var):
            return term
        known = nodes.get(term.name)
        if known is None:
            relations = self.material.relations
            known = nodes[term.name] = relations[-1 - self.choices.pick(len(relations))]
        return known

    def same(self, left: Term, right: Term, nodes: Nodes) -> None:
        """Lets one node stand for both sides, where one of them is free still."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Var) and one.name not in nodes and self.choices.pick(2) == 0:
                nodes[one.name] = self.node(other, nodes)

    # --- conjuncts ------------------------------------------------------------------------------------------------

    def triple(self, subject: Term, predicate: Term, object_: Term, nodes: Nodes) -> None:
        start, relation, end = self.node(subject, nodes), self.relation(predicate, nodes), self.node(object_, nodes)
        if isinstance(start, Iri) and isinstance(relation, Iri):
            self.triples[start, relation, end] = None

    def closure(self, closure: Closure, nodes: Nodes) -> None:
        """A walk of one step, two steps or, where that is one, none."""
        start, steps = closure.subject, 1 + self.choices.pick(3 if closure.minimum == 0 else 2)
        if steps == 3:
            self.same(start, closure.object, nodes)
            return
        for _ in range(steps - 1):
            between = self.own()
            self.triple(start, closure.relation, between, nodes)
            start = between
        self.triple(start, closure.relation, closure.object, nodes)

    def instance_of(self, node: Constant, classes: tuple[Iri, ...]) -> None:
        schema, vocabulary = self.material.schema, self.material.vocabulary
        ways = [way for class_ in classes for way in says_instance(class_.value, schema, vocabulary)]
        relation, said, subjects = ways[self.choices.pick(len(ways))]
        if relation != said:
            self.triples[node, relation, said] = None
        elif subjects:
            self.triples[node, relation, self.own()] = None
        else:
            self.triples[self.own(), relation, node] = None

    def perhaps(self, body: Body, nodes: Nodes) -> None:
        """Nothing, what is denied or optional, or all of that but for one conjunct."""
        size = len(body.conjuncts)
        chosen = self.choices.pick(2 + (size if size > 1 else 0))
        if chosen:
            self.body(body, dict(nodes), body.conjuncts[chosen - 2] if chosen > 1 else None)

    def count(self, count: Count, nodes: Nodes) -> None:
        """One, two, three or none of what is counted."""
        group = {variable.name: self.node(variable, nodes) for variable in count.group}
        known = nodes.get(count.result.name)
        asked = value_of(known) if isinstance(known, Literal) else None
        if isinstance(asked, float) and asked <= _MOST_COUNTED:  # a key that was chosen
            copies = int(asked)
        else:
            copies = (1, 2, 0, 3)[self.choices.pick(4)]
        for _ in range(copies):
            self.body(count.body, dict(group))
        nodes.setdefault(count.result.name, Literal(str(copies), XSD_INTEGER))

    def rows(self, body: Body, same: tuple[Var, ...], nodes: Nodes, most: int) -> None:
        """One, two, more or none of what is aggregated or ordered, in one group; one of them may be in another."""
        group = {variable.name: self.node(variable, nodes) for variable in same if variable.name in nodes}
        copies = (1, 2, min(most, _MOST_COPIES), 0)[self.choices.pick(4)]
        for number in range(copies):
            known = group if number == 0 or self.choices.pick(2) == 0 else {}
            own = dict(known)
            self.body(body, own)
            for variable in same:
                if variable.name in own:
                    nodes.setdefault(variable.name, own[variable.name])
                    group.setdefault(variable.name, own[variable.name])

    def superlative(self, node: Extreme | TopK, nodes: Nodes) -> None:
        """The item itself, and some others: as many as make a difference to the best k, or fewer; or one more than any
        k, each with a key of its own."""
        best = min(node.k, _MOST_COPIES - 1) if isinstance(node, TopK) else 1
        self.body(node.body, nodes_of := {node.item.name: self.node(node.item, nodes)})
        chosen = self.choices.pick(4)
        if chosen == 3:
            self.ladder(node)
            return
        others = (best, best - 1, best + 1)[chosen]
        for _ in range(others):
            same_item = self.choices.pick(3) == 2
            self.body(node.body, {node.item.name: nodes_of[node.item.name]} if same_item else {})

    def ladder(self, node: Extreme | TopK) -> None:
        """Items that differ in their keys and in nothing else: no choices are left."""
        choices, self.choices = self.choices, Choices()
        asked = [test for name, test in tests(node.body.conjuncts) if name == node.key.name]
        keys = (key for key in ladder(node.kind, self.material.values) if all(holds(test, key) for test in asked))
        for key in islice(keys, self.rungs):
            self.body(node.body, {node.key.name: key})
        self.choices = choices
