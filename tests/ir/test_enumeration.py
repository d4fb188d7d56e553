"""The reference evaluator against an enumeration of all ways to give variables a value, on random graphs and bodies."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

import pytest

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.answers import Answers
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Count,
    Direction,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    Member,
    Not,
    Op,
    Project,
    TopK,
    Triple,
    Union,
)
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import XSD, XSD_INTEGER, Iri, Literal, Var
from pylf.ir.values import compare, identity, kind_of, order_key
from pylf.ir.verify import verify

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Node, Term

NS = "http://e/"
RDF_VOCABULARY = Vocabulary("rdf")


def iri(name: str) -> Iri:
    return Iri(NS + name)


def number(lexical: str) -> Literal:
    return Literal(lexical, XSD_INTEGER if lexical.isdigit() else XSD + "decimal")


class Enumeration:
    """The semantics by trying every node for every variable; exponential, and nothing else to get wrong."""

    def __init__(self, where: MemoryGraph, schema: Schema, constants: Iterable[Node]) -> None:
        self.where = where
        self.schema = schema
        self.universe = list(dict.fromkeys([*constants, *[node for row in where for node in row]]))
        self.universe += [n for n in map(number, "0123") if n not in self.universe]

    def effort(self, body: Body, given: set[str]) -> int:
        """How many ways there are to try."""
        own = {name for conjunct in body.conjuncts for name in positive(conjunct)} - given
        inside = 1
        for conjunct in body.conjuncts:
            match conjunct:
                case Not(inner):
                    inside += self.effort(inner, given | own)
                case Union(arms):
                    inside += sum(self.effort(arm, given | own) for arm in arms)
                case Project(_, inner) | Extreme(_, _, _, inner) | TopK(_, _, _, _, inner) | Count(_, _, inner):
                    inside += self.effort(inner, set())
                case _:
                    pass
        return int(len(self.universe) ** len(own)) * inside

    def solutions(self, body: Body, given: Mapping[str, Node]) -> list[dict[str, Node]]:
        own = sorted({name for conjunct in body.conjuncts for name in positive(conjunct)} - set(given))
        found = []
        for nodes in itertools.product(self.universe, repeat=len(own)):
            solution = {**given, **dict(zip(own, nodes, strict=True))}
            if all(self.holds(conjunct, solution) for conjunct in body.conjuncts):
                found.append(solution)
        return found

    def holds(self, conjunct: Conjunct, given: Mapping[str, Node]) -> bool:
        def at(term: Term) -> Node:
            return given[term.name] if isinstance(term, Var) else term

        match conjunct:
            case Triple(s, p, o):
                return (at(s), at(p), at(o)) in self.where
            case InstanceOf(term, classes):
                below = {Iri(b) for c in classes for b in self.schema.subclasses(c.value)}
                return any(s == at(term) and p == TYPE and o in below for s, p, o in self.where)
            case Member(term, values):
                return at(term) in values
            case Compare(op, left, right, kind):
                return compare(op, at(left), at(right), kind)
            case Not(body):
                return not self.solutions(body, given)
            case Union(arms):
                return any(self.solutions(arm, given) for arm in arms)
            case Project(outputs, body):
                return any(all(s[o.name] == at(o) for o in outputs) for s in self.solutions(body, {}))
            case Count(result, of, body, group):
                rows = [s for s in self.solutions(body, {}) if all(s[g.name] == at(g) for g in group)]
                size = len({identity(s[of.name]) for s in rows})
                return at(result) == number(str(size)) and (bool(rows) or not group)
            case Extreme(direction, item, key, body, kind) | TopK(direction, _, item, key, body, kind):
                k = conjunct.k if isinstance(conjunct, TopK) else 1
                rows = self.solutions(body, {})
                if kind is Kind.ANY:
                    kind = Kind.NUMBER if any(kind_of(s[key.name]) is Kind.NUMBER for s in rows) else Kind.DATE
                best: Any = max if direction is Direction.MAX else min
                bests: dict[object, Any] = {}
                for s in rows:
                    place = order_key(s[key.name], kind)
                    if place is not None:
                        value = identity(s[item.name])
                        bests[value] = best(bests.get(value, place), place)
                mine = bests.get(identity(at(item)))
                beaten_by = [b for b in bests.values() if mine is not None and b != mine and best(b, mine) == b]
                return mine is not None and len(beaten_by) < k and any(s[item.name] == at(item) for s in rows)
            case Closure(start, relation, end, minimum):
                reached, grown = set(), {at(start)}
                while grown:
                    grown = {o for s, p, o in self.where if s in grown and p == relation} - reached
                    reached |= grown
                return at(end) in reached or (minimum == 0 and at(end) == at(start))
            case other:
                raise AssertionError(other)


def positive(conjunct: Conjunct) -> set[str]:
    """The variables that a conjunct gives values to."""
    terms: tuple[Term, ...]
    match conjunct:
        case Triple(s, p, o):
            terms = (s, p, o)
        case InstanceOf(term) | Member(term):
            terms = (term,)
        case Union(arms):
            return set.intersection(*[{n for c in arm.conjuncts for n in positive(c)} for arm in arms])
        case Project(outputs):
            terms = outputs
        case Count(result, _, _, group):
            terms = (result, *group)
        case Extreme(_, item) | TopK(_, _, item):
            terms = (item,)
        case Closure(s, _, o):
            terms = (s, o)
        case _:
            terms = ()
    return {term.name for term in terms if isinstance(term, Var)}


TYPE = Iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
ENTITIES = [iri(name) for name in "abc"]
VALUES = [number("1"), number("1.0"), number("2"), Literal("0002"), Literal("0002", XSD + "gYear")]
RELATIONS = [iri("p"), iri("q")]
CLASSES = [iri("C"), iri("D")]
BELOW = Schema(MemorySource((), (Class(NS + "C"), Class(NS + "D", parents=(NS + "C",)))))


class Maker:
    """Random graphs and bodies, small enough to enumerate."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numbered = 0

    def graph(self) -> MemoryGraph:
        rows: list[TripleRow] = []
        for _ in range(self.random.randint(2, 8)):
            subject, relation = self.random.choice(ENTITIES), self.random.choice(RELATIONS)
            rows.append((subject, relation, self.random.choice([*ENTITIES, *VALUES])))
        rows += [
            (self.random.choice(ENTITIES), TYPE, self.random.choice(CLASSES)) for _ in range(self.random.randint(0, 2))
        ]
        return MemoryGraph(rows)

    def term(self, names: list[str]) -> Term:
        return Var(self.random.choice(names)) if self.random.random() < 0.75 else self.random.choice(ENTITIES)

    def body(self, names: list[str], depth: int) -> Body:
        """A body over some variables; now and then with one of its own."""
        names = names if self.random.random() < 0.5 else [*names, self.fresh()]
        return Body(tuple(self.conjunct(names, depth) for _ in range(self.random.randint(1, 3))))

    def fresh(self) -> str:
        self.numbered += 1
        return f"f{self.numbered}"

    def conjunct(self, names: list[str], depth: int) -> Conjunct:
        pick = self.random.random()
        if pick < 0.45 or depth == 0:
            relation = self.random.choice(RELATIONS)
            return Triple(
                self.term(names), relation, self.random.choice([self.term(names), self.random.choice(VALUES)])
            )
        if pick < 0.55:
            ops = self.random.choice([Op.LT, Op.LE, Op.EQ, Op.NE, Op.IS])
            right = self.random.choice([Var(self.random.choice(names)), self.random.choice(VALUES)])
            return Compare(ops, Var(self.random.choice(names)), right, self.random.choice([Kind.ANY, Kind.NUMBER]))
        if pick < 0.6:
            return InstanceOf(Var(self.random.choice(names)), (self.random.choice(CLASSES),))
        if pick < 0.65:
            return Member(Var(self.random.choice(names)), tuple(self.random.sample([*ENTITIES, *VALUES], 2)))
        if pick < 0.8:
            return Not(self.body(names, depth - 1))
        if pick < 0.87:
            return Union((self.body(names, depth - 1), self.body(names, depth - 1)))
        item, key = self.random.choice(names), self.fresh()
        inside = Body(
            (Triple(Var(item), self.random.choice(RELATIONS), Var(key)), *self.body([item, key], 0).conjuncts)
        )
        choice = self.random.randrange(5)
        direction = self.random.choice(list(Direction))
        if choice == 0:
            return Extreme(
                direction, Var(item), Var(key), inside, self.random.choice([Kind.ANY, Kind.NUMBER, Kind.TEXT])
            )
        if choice == 1:
            return TopK(direction, self.random.randint(1, 2), Var(item), Var(key), inside)
        if choice == 2:
            return Count(Var(self.fresh()), Var(key), inside, self.random.choice([(), (Var(item),)]))
        if choice == 3:
            return Project((Var(item),), inside)
        return Closure(Var(item), self.random.choice(RELATIONS), self.term(names), self.random.randint(0, 1))


def bound_everywhere(body: Body, around: set[str]) -> bool:
    """Whether all that comparisons look at is bound, here or around, all the way down."""
    here = around | {name for conjunct in body.conjuncts for name in positive(conjunct)}
    for conjunct in body.conjuncts:
        match conjunct:
            case Compare(_, left, right):
                if not {t.name for t in (left, right) if isinstance(t, Var)} <= here:
                    return False
            case Not(inner):
                if not bound_everywhere(inner, here):
                    return False
            case Union(arms):
                if not all(bound_everywhere(arm, here) for arm in arms):
                    return False
            case Project(_, inner) | Extreme(_, _, _, inner) | TopK(_, _, _, _, inner) | Count(_, _, inner):
                if not bound_everywhere(inner, set()):
                    return False
            case _:
                pass
    return True


def test_evaluation_finds_what_enumeration_finds() -> None:
    compared = answered = 0
    for seed in range(1500):
        maker = Maker(seed)
        where, body = maker.graph(), maker.body(["x", "y"], 2)
        outputs = sorted({name for conjunct in body.conjuncts for name in positive(conjunct)})
        if not bound_everywhere(body, set()) or len(outputs) > 3:
            continue
        query = build.query(Form.ROWS, tuple(map(Var, outputs)), body)
        try:
            found = evaluate(query, where, BELOW, RDF_VOCABULARY)
        except InvalidIR:
            with pytest.raises(InvalidIR):
                verify(query)
            continue
        enumeration = Enumeration(where, BELOW, [*ENTITIES, *VALUES])
        if enumeration.effort(body, set()) > 20_000:
            continue
        expected = {tuple(solution[name] for name in outputs) for solution in enumeration.solutions(body, {})}
        assert found == Answers.of_rows(expected), (seed, body)
        compared += 1
        answered += bool(expected)
    assert compared > 500
    assert answered > 150
