"""Adds to queries what passes look for, so that they find it in every place that a body may have.

What is added changes what a query means, mostly: a pass has to keep the answers of any query, of this one too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.mentions import mentioned_in
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
    Path,
    Project,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import XSD, Blank, Iri, Literal, Var
from pylf.ir.traverse import rename, rewrite, variables, walk
from pylf.ir.types import LiteralType, RelationType
from pylf.ir.values import identity
from pylf.ir.verify import verify
from pylf.records import replace
from pylf.testing.drawn.comparisons import OPERATORS, Comparisons

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.nodes import Conjunct, Query

    Adder = Callable[[str, Body], list[Conjunct]]


class Disturbing(Comparisons):
    """Adds to queries over one graph."""

    def more(self, query: Query) -> Query | None:
        """The query with something more in some of its bodies; None where that is no query that keeps the rules."""
        random = self.random
        if not (self.triples and self.entities and self.classes) or self.respells(query):
            return None
        self.witness = {}
        types = query.type_of
        subjects = {name for name, type_ in types.items() if not isinstance(type_, LiteralType | RelationType)}
        predicates = {name for name, type_ in types.items() if isinstance(type_, RelationType)}

        def put(node: Body | Conjunct) -> Body | Conjunct:
            if not isinstance(node, Body) or random.random() < 0.35:
                return node
            names = sorted(mentioned_in(node) - predicates)
            if not names:
                return node
            parts: list[Conjunct] = list(node.conjuncts)
            for _ in range(random.choice((1, 1, 2))):
                name = random.choice(names)
                parts += self.some(name, name in subjects, node)
            random.shuffle(parts)
            # a body that never holds is empty but for that, and a number query loses its count there: it is kept here
            return Body((*parts, Union(()))) if random.random() < 0.03 else build.join(*parts)

        body = rewrite(query, put).body
        found = build.query(query.form, query.outputs, body, query.types, query.span)
        try:
            verify(found)
        except InvalidIR:
            return None
        return found if found != query else None

    def respells(self, query: Query) -> bool:
        """Whether a list names a value that the graph spells otherwise: what is added may ask for both, as terms, which
        stores that join values do not tell apart."""
        listed = [value for node in walk(query) if isinstance(node, Member) for value in node.values]
        return any(
            isinstance(value, Literal) and not self.spellings.get(identity(value), set()) <= {value} for value in listed
        )

    def plain(self) -> Query | None:
        """What is a subject, or an object, of some relation that the graph has, with something more: few conjuncts, so
        that what becomes of each of them is seen in the answer."""
        random = self.random
        if not (self.triples and self.entities and self.classes):
            return None
        torn = [triple for triple in self.triples if triple[0] in self.torn] if random.random() < 0.2 else []
        subject, predicate, target = random.choice(torn or self.triples)
        self.witness = {"x": subject, "y": target}
        said = Var("p") if random.random() < 0.1 else predicate
        body = Body((Triple(Var("x"), said, Var("y")),))
        parts: list[Conjunct] = list(body.conjuncts)
        for _ in range(random.choice((1, 1, 2))):
            name = random.choice("xy")
            parts += self.some(name, name == "x" or not isinstance(target, Literal), body)
        found = self.asked([one for one in (Var("x"), Var("y"), said) if isinstance(one, Var)], build.join(*parts))
        try:
            verify(found)
        except InvalidIR:
            return None
        return found

    def asked(self, names: list[Var], body: Body) -> Query:
        """One of the variables, mostly; or two of them, whether there are any, or how many, perhaps beside a count for
        each of some."""
        random = self.random
        match random.randrange(20):
            case 0:
                return build.query(Form.ROWS, tuple(random.sample(names, 2)), body)
            case 1:
                return build.query(Form.BOOLEAN, (), body)
            case 2:
                result, counted = self.fresh(), random.choice(names)
                counts = [Count(result, counted, body)]
                if random.random() < 0.5:
                    own = {name: self.fresh() for name in variables(body)}
                    again = rename(body, {name: new.name for name, new in own.items()})
                    of, group = random.sample([own[one.name] for one in names], 2)
                    counts.append(Count(self.fresh(), of, again, (group,)))
                return build.query(Form.NUMBER, (result,), Body(tuple(counts)))
            case _:
                return build.query(Form.SET, (random.choice(names),), body)

    def some(self, name: str, entity: bool, body: Body) -> list[Conjunct]:
        """Conjuncts about a variable."""
        random = self.random
        if not entity:
            return self.compared(name, body)
        kinds: tuple[Adder, ...] = (
            self.typed,
            self.twin,
            self.twin,
            self.listed,
            self.denied,
            self.denied,
            self.within,
        )
        kinds += (self.either, self.either, self.best, self.best, self.hops, self.told, self.walked)
        kinds += (self.unsaid, self.believed)
        kinds += (self.reversed,) * (3 if self.inverses else 1)
        return random.choice(kinds)(name, body)

    # --- entities -----------------------------------------------------------------------------------------------------

    def typed(self, name: str, body: Body) -> list[Conjunct]:
        """A membership, alone, beside another one, or in each arm of a union."""
        random = self.random
        one = self.membership(name)
        if self.disjoint and random.random() < 0.3:
            pair = self.torn.get(self.witness[name]) if name in self.witness else None
            return [InstanceOf(Var(name), (class_,)) for class_ in pair or random.choice(self.disjoint)]
        match random.randrange(4):
            case 0:
                return [one, self.membership(name)]
            case 1:
                return [Union((Body((one,)), Body((self.membership(name), self.edge(name)))))]
            case 2:
                return [one, self.edge(name)]
            case _:
                return [one]

    def twin(self, name: str, body: Body) -> list[Conjunct]:
        """Something that the body says already, with an end left open; perhaps with more about that end."""
        random = self.random
        said = [c for c in body.conjuncts if isinstance(c, Triple) and Var(name) in (c.subject, c.object)]
        if not said:
            return [self.edge(name), self.edge(name)]
        one = random.choice(said)
        assert isinstance(one, Triple)
        other = self.fresh()
        copy = Triple(one.subject, one.predicate, other) if one.subject == Var(name) else None
        copy = copy or Triple(other, one.predicate, one.object)
        match random.randrange(5):
            case 0:
                return [one]
            case 1:
                further = [c for c in body.conjuncts if isinstance(c, Compare) and one.object in (c.left, c.right)]
                if copy.object == other and further:
                    also = random.choice(further)
                    return [copy, Compare(also.op, other, also.right, also.kind)]
                return [copy, Triple(other, one.predicate, self.fresh())]
            case 2:
                inner = Triple(one.subject, one.predicate, other)
                return [Not(Body((inner, self.edge(other.name)))), Not(Body(self.renamed((inner,))))]
            case 3:
                return [Not(Body((one, self.edge(name))))]
            case _:
                return [copy]

    def listed(self, name: str, body: Body) -> list[Conjunct]:
        """One of some entities, most of them such that something is said of them."""
        random = self.random
        return [Member(Var(name), tuple(dict.fromkeys(random.choices(self.entities, k=random.choice((1, 1, 2, 3))))))]

    def denied(self, name: str, body: Body) -> list[Conjunct]:
        """Denials: of one thing, of a union, of another denial, of two things that share a variable."""
        random = self.random
        edge = self.edge(name)
        match random.randrange(10):
            case 0:
                return [Not(Body((Not(Body((edge, self.membership(name)))),)))]
            case 5 | 6:
                one = self.membership(name)
                return [Not(Body((one,))), Not(Body((one, edge)))]
            case 1:
                far = self.fresh()
                arms = [Body((self.edge(name, far),)), Body((self.edge(name, far),))]
                return [Not(Body((Union((*arms, Body((self.membership(name),)))),)))]
            case 2:
                far = self.fresh()
                return [Not(Body((self.edge(name, far), self.edge(far.name))))]
            case 3:
                far = self.fresh()
                within = Not(Body((self.edge(far.name), self.membership(name))))
                return [Not(Body((self.edge(name, far), within)))]
            case 4:
                return [Not(Body((edge,))), Not(Body((*self.renamed((edge,)), self.membership(name))))]
            case 7 | 8:
                # of the node that the variable may stand for the one mostly is not so, and the other is
                one = self.edge_of_any(name)
                either = Union((Body(self.renamed((one,))), Body((edge,))))
                return [Not(Body((either,))), Not(Body((one,)))]
            case _:
                return [Not(Body((edge, self.membership(name))))]

    def within(self, name: str, body: Body) -> list[Conjunct]:
        """Distinct rows of which one thing is asked for, or two."""
        far = self.fresh()
        inner = Body((self.edge(name, far), self.edge(far.name)))
        outputs = (Var(name),) if self.random.random() < 0.7 else (Var(name), far)
        return [Project(outputs, inner)]

    def reversed(self, name: str, body: Body) -> list[Conjunct]:
        """The reverse of a triple of a relation that has an inverse, or a triple of such a relation."""
        random = self.random
        pairs = self.inverses
        said = [
            Triple(c.object, Iri(pairs[c.predicate.value]), c.subject)
            for c in body.conjuncts
            if isinstance(c, Triple) and isinstance(c.predicate, Iri) and c.predicate.value in pairs
            if not isinstance(c.object, Literal)
        ]
        if said and random.random() < 0.7:
            return [random.choice(said)]
        if not pairs:
            return [self.edge(name)]
        relation, far = Iri(random.choice(sorted(pairs))), self.fresh()
        match random.randrange(5):
            case 0:
                return [Closure(Var(name), relation, far, 1)]
            case 1 | 2:
                return [Path((Var(name), far, self.fresh()), (relation, relation), (True, random.random() < 0.5))]
            case 3:
                return [Triple(far, relation, Var(name))]
            case _:
                return [Triple(Var(name), relation, far)]

    def either(self, name: str, body: Body) -> list[Conjunct]:
        """A union in which one arm says more than another, or both say something else."""
        random = self.random
        edge = self.edge(name)
        # what is local to an arm may be so to another one, by the same name
        again = (edge,) if random.random() < 0.3 else self.renamed((edge,))
        arms = [Body((edge,)), Body((*again, self.membership(name)))]
        match random.randrange(5):
            case 0 | 1:
                arms[random.randrange(2)] = Body((self.edge(name),))
            case 3:
                one = self.edge_of_any(name)
                more = Body((*self.renamed((one,)), self.membership(name)))
                arms = [Body((one,)), Body((Union((more, Body((edge,)))),))]
            case 2:
                arms = [Body((edge, self.membership(name))), Body((edge, self.edge(name)))]
        if random.random() < 0.3:
            arms.append(Body((self.edge(name), Not(Body((self.edge(name),))))))
        random.shuffle(arms)
        return [Union(tuple(arms))]

    def unsaid(self, name: str, body: Body) -> list[Conjunct]:
        """Triples of any relation: of one that two have in common, of one that is listed, or of none."""
        random = self.random
        relation = self.fresh()
        one = self.unnamed(name, relation)
        match random.randrange(5):
            case 0:
                return [one, self.unnamed(name, relation)]
            case 1:
                relations = [random.choice(self.triples)[1] for _ in range(3)]
                return [one, Member(relation, tuple(dict.fromkeys(relations)))]
            case 2:
                return [Not(Body((one, self.edge(name))))]
            case 3:
                return [Union((Body((one,)), Body((self.unnamed(name, relation), self.membership(name)))))]
            case _:
                return [one]

    def believed(self, name: str, body: Body) -> list[Conjunct]:
        """How sure something is: compared, denied, or as what a superlative goes by."""
        random = self.random
        sure = self.fresh()
        one = self.confidence(name, sure)
        compared = Compare(random.choice(OPERATORS), sure, Literal("0.5", XSD + "double"), Kind.NUMBER)
        match random.randrange(6):
            case 0:
                return [one]
            case 1:
                return [one, Triple(one.subject, one.predicate, one.object)]
            case 2:
                return [Not(Body((one, compared)))]
            case 3:
                return [Extreme(random.choice(list(Direction)), Var(name), sure, Body((one,)), Kind.NUMBER)]
            case _:
                return [one, compared]

    def best(self, name: str, body: Body) -> list[Conjunct]:
        """Superlatives and counts, with parts that repeat items or have nothing to do with them; or one twice."""
        random = self.random
        key = self.fresh()
        leading = self.value(name, key)
        inner: list[Conjunct] = [leading]
        if random.random() < 0.8:
            far = self.fresh()
            inner += [self.edge(name, far), self.edge(far.name)]
        if random.random() < 0.3:
            subject, predicate, _ = random.choice(self.triples)
            end = random.choice((random.choice(self.triples)[2], subject))
            if not isinstance(end, Blank):
                inner.append(Triple(self.fresh(), predicate, end))
        if random.random() < 0.3:
            inner.append(Not(Body((self.edge(name),))))
        if random.random() < 0.4:
            inner += self.compared(key.name, Body(tuple(inner)))[:1]
        random.shuffle(inner)
        item, direction = Var(name), random.choice(list(Direction))
        kind = random.choice((Kind.ANY, Kind.ANY, Kind.NUMBER, Kind.DATE))
        match random.randrange(6):
            case 0:
                return [TopK(direction, 2, item, key, Body(tuple(inner)), kind)]
            case 1:
                counts = [Count(self.fresh(), key, Body(tuple(inner)), (item,))]
                if random.random() < 0.5:
                    fewer = Body(tuple([one for one in inner if one is leading or random.random() < 0.7]))
                    counts.append(Count(self.fresh(), key, fewer, (item,)))
                    random.shuffle(counts)
                return [counts[0], *self.renamed(counts[1:], spare=name)]
            case 2 | 3:
                first = Extreme(direction, item, key, Body(tuple(inner)), kind)
                again = Extreme(direction, item, key, Body(tuple(inner[::-1])), kind)
                if random.random() < 0.7:
                    other = Direction.MIN if direction is Direction.MAX else Direction.MAX
                    again = replace(again, direction=other)
                return [first, *self.renamed((again,), spare=name)]
            case _:
                return [Extreme(direction, item, key, Body(tuple(inner)), kind)]

    def hops(self, name: str, body: Body) -> list[Conjunct]:
        """A chain of two or three hops, whose end is perhaps a constant."""
        random = self.random
        found: list[Conjunct] = []
        for _ in range(random.choice((2, 2, 3))):
            far = self.fresh()
            found.append(self.edge(name, far))
            name = far.name
        if random.random() < 0.5:
            found.append(self.membership(name))
        return found

    def walked(self, name: str, body: Body) -> list[Conjunct]:
        """Two walks along one relation between the same ends, one of which may be of no steps. None is along a relation
        to values that have two spellings, which would meet there as terms."""
        random = self.random
        triple = self.edge(name, self.fresh())
        relations = [relation for _, relation, _ in self.triples if relation not in self.unjoined]
        if not relations:
            return [triple]
        relation = random.choice(relations)
        walks = [Closure(triple.subject, relation, triple.object, least) for least in (0, random.choice((0, 1, 1)))]
        return [triple, *walks]

    def told(self, name: str, body: Body) -> list[Conjunct]:
        """A value, compared."""
        value = self.fresh()
        triple = self.value(name, value)
        return [triple, *self.compared(value.name, Body((triple,)))]
