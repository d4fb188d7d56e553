"""Random queries of the wide tier over few names, so that the passes find something to do in every place of them.

Each is well formed (:func:`pylf.ir.verify.verify`). What stands at its top is drawn in equal shares from the wide nodes
and mixes of them (:data:`STRATA`); bodies within are of both tiers, and say some things twice, in two ways, or in vain:
a triple and its twin with an open end, a membership and one in a class above, distinct rows within, a union whose arms
say more or less of each other or can never hold, a denial denied, a variable that is one listed value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.expressions import Apply
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Count,
    Direction,
    Extend,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    LeftJoin,
    Member,
    Not,
    Op,
    Order,
    Project,
    Reduction,
    Slice,
    Triple,
    Union,
)
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.types import ANY
from pylf.ir.verify import verify
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from pylf.ir.expressions import Expression
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Constant, Node

#: What stands in the body of a query.
STRATA = ("optional", "condition", "extension", "aggregate", "bag", "rows", "mixed", "within")
#: So many draws are made for one query that keeps the rules.
_TRIES = 200
#: Of a graph, so many things of a kind are named.
_NAMED = 6


@record(eq=False)
class Names:
    """What the queries name. Of the ``classes`` each may lie below another. Whether they may look at how values are
    ``spelled``, which some engines change."""

    relations: tuple[Iri, ...]
    classes: tuple[Iri, ...]
    entities: tuple[Iri, ...]
    values: tuple[Literal, ...]
    spelled: bool = True

    @property
    def nodes(self) -> tuple[Constant, ...]:
        """The entities and the values."""
        return (*self.entities, *self.values)


def names_of(random: Random, schema: Schema, triples: Sequence[TripleRow]) -> Names | None:
    """What queries over a graph may name, such that some find something: two relations that have much in common, and
    what they lead from and to. None where there is too little of something."""
    classes = tuple([Iri(known.iri) for known in schema.source.all_classes()])
    ends: dict[Iri, dict[Node, None]] = {}
    for subject, predicate, object_ in triples:
        if isinstance(predicate, Iri) and object_ not in classes:
            ends.setdefault(predicate, {}).update({subject: None, object_: None})
    if not ends or len(classes) < 2:
        return None
    first = random.choice(sorted(ends, key=lambda one: (-len(ends[one]), one.value))[:4])
    others = [one for one in ends if one != first] or [first]
    second = max(others, key=lambda one: (len(ends[one].keys() & ends[first].keys()), one.value))
    met = list(ends[first] | ends[second])
    entities = [node for node in met if isinstance(node, Iri)]
    values = [node for node in met if isinstance(node, Literal)]
    values += [object_ for _, _, object_ in triples if isinstance(object_, Literal) and object_ not in values]
    if min(len(entities), len(values)) < 2:
        return None
    random.shuffle(entities)
    named = random.sample(classes, min(len(classes), _NAMED))
    return Names((first, second), tuple(named), tuple(entities[:_NAMED]), tuple(values[:_NAMED]), spelled=False)


def wide_query(random: Random, names: Names, stratum: str | None = None) -> Query:
    """A query of one of the :data:`STRATA`, drawn if none is given.

    Raises:
        InvalidIR: none that keeps the rules was found.
    """
    for _ in range(_TRIES):
        found = _Maker(random, names).query(stratum or random.choice(STRATA))
        try:
            verify(found)
        except InvalidIR:
            continue
        return found
    raise InvalidIR(f"no query of the stratum {stratum} keeps the rules")


class _Maker:
    def __init__(self, random: Random, names: Names) -> None:
        self.random = random
        self.names = names
        self.fresh: Iterator[Var] = (Var(f"v{number}") for number in range(1000))

    # --- queries --------------------------------------------------------------------------------------------------

    def query(self, stratum: str) -> Query:
        """A query in which something of a stratum stands."""
        random = self.random
        seen = [next(self.fresh) for _ in range(random.choice((1, 2, 2)))]
        parts: list[Conjunct] = self.core(seen, seen, 1)
        loose: list[Var] = []
        match stratum:
            case "optional":
                parts += self.optional(seen, loose, 1)
            case "condition":
                parts.append(Condition(self.truth(seen, 2)))
            case "extension":
                parts += self.extended(seen, loose)
            case "aggregate":
                parts += self.aggregate(seen, loose)
            case "bag":
                parts += self.sliced(seen, loose, distinct=False)
            case "rows":
                parts += self.sliced(seen, loose, distinct=True)
            case "within":
                parts += self.within(seen)
            case _:
                for _ in range(2):
                    parts += self.some(seen, loose)
        if loose and random.random() < 0.5:
            parts.append(Condition(self.truth([*loose, *seen], 1)))
        random.shuffle(parts)
        shown = [*seen, *loose]
        form, most = random.choice(((Form.BOOLEAN, 0), *[(Form.SET, 1)] * 2, *[(Form.ROWS, 3)] * 5))
        outputs = tuple(random.sample(shown, random.randint(min(most, 1), min(most, len(shown)))))
        if stratum == "aggregate" and most > 1 and loose[0] not in outputs:
            outputs = (*outputs[1:], loose[0])  # what comes of a bag shows what was done to it
        body = Body(tuple(parts))
        return build.query(form, outputs, body, {output.name: ANY for output in outputs})

    def some(self, seen: list[Var], loose: list[Var]) -> list[Conjunct]:
        """Something of the wide tier; what it may leave open is put among the ``loose`` variables."""
        random = self.random
        match random.randrange(6):
            case 0 | 1:
                return self.optional(seen, loose, 1)
            case 2:
                return self.extended([*seen, *loose], loose)
            case 3:
                return self.aggregate(seen, loose)
            case 4:
                return self.sliced(seen, loose, distinct=random.random() < 0.4)
            case _:
                return [Condition(self.truth([*seen, *loose], 1))]

    # --- wide nodes -----------------------------------------------------------------------------------------------

    def optional(self, seen: list[Var], loose: list[Var], depth: int) -> list[Conjunct]:
        """A left join, perhaps with another one within, or with a condition on what it adds and on what is around."""
        random = self.random
        own = [next(self.fresh) for _ in range(random.choice((1, 1, 2)))]
        parts = [self.edge(random.choice(seen), own[0]), *self.core(own, [*own, *seen], 0)]
        within: list[Var] = []
        if depth and random.random() < 0.25:
            parts += self.optional([*seen, *own], within, depth - 1)
        if random.random() < 0.25:
            parts.append(Condition(self.truth([*own, *seen, *within], 1)))
        loose += [*own, *within]
        return [LeftJoin(Body(tuple(parts)))]

    def extended(self, seen: list[Var], loose: list[Var]) -> list[Conjunct]:
        """An extension, perhaps with another one of its result."""
        result = next(self.fresh)
        found: list[Conjunct] = [Extend(result, self.value(seen, 2))]
        if self.random.random() < 0.3:
            other = next(self.fresh)
            found.append(Extend(other, self.value([result, *seen], 1)))
            loose.append(other)
        loose.append(result)
        return found

    def aggregate(self, seen: list[Var], loose: list[Var]) -> list[Conjunct]:
        """What is made of a bag, per row of some variables or of all of it."""
        random = self.random
        group = (random.choice(seen),) if random.random() < 0.7 else ()
        body, inner, open_ = self.bag(list(group))
        reductions: list[Reduction] = []
        for _ in range(random.choice((1, 1, 2))):
            result = next(self.fresh)
            loose.append(result)
            reductions.append(self.reduction(result, [*inner, *open_]))
        return [Aggregate(tuple(reductions), body, group)]

    def reduction(self, result: Var, inner: list[Var]) -> Reduction:
        random = self.random
        function = random.choice(("count", "count", "sum", "avg", "min", "max"))
        distinct = random.random() < 0.25
        if function == "count" and random.random() < 0.6:
            return Reduction(function, result)  # of solutions: each of them is one
        return Reduction(function, result, random.choice(inner), distinct)

    def sliced(self, seen: list[Var], loose: list[Var], *, distinct: bool) -> list[Conjunct]:
        """Some rows in an order: of a bag, or distinct ones."""
        random = self.random
        output = random.choice(seen)
        body, inner, open_ = self.bag([output]) if not distinct else self.set([output])
        keys = [Order(self.value([*inner, *open_], 1), random.random() < 0.5) for _ in range(random.choice((0, 1, 1)))]
        outputs = [output]
        if open_ and random.random() < 0.5:
            outputs.append(open_[0])
            loose.append(open_[0])
        # so that no two rows tie, mostly
        keys += [Order(one) for one in [*inner, *open_] if random.random() < 0.9]
        limit = random.choice((None, 1, 1, 2, 3))
        return [Slice(tuple(outputs), body, tuple(keys), limit, random.choice((0, 0, 0, 1)), distinct)]

    def within(self, seen: list[Var]) -> list[Conjunct]:
        """Something of the wide tier within a negation, an arm, distinct rows, a count or a superlative."""
        random = self.random
        one, own = random.choice(seen), next(self.fresh)
        loose: list[Var] = []
        inner = [self.edge(one, own), *self.some([one, own], loose)]
        if loose and random.random() < 0.5:
            inner.append(Condition(self.truth([*loose, own], 1)))
        body = Body(tuple(inner))
        match random.randrange(6):
            case 0:
                return [Not(body)]
            case 5:
                return self.half_open(one)
            case 1:
                arms = [body, Body((self.edge(one, own),)), Body((self.edge(one, next(self.fresh)),))]
                return [Union(tuple(random.sample(arms, 2)))]
            case 2:
                return [Project((one,), body)]
            case 3:
                return [Count(next(self.fresh), own, body, (one,))]
            case _:
                return [Extreme(random.choice(list(Direction)), one, own, body)]

    def half_open(self, one: Var) -> list[Conjunct]:
        """A union of which one arm leaves open what another binds, and a negation that looks at it."""
        far, near, other = next(self.fresh), next(self.fresh), next(self.fresh)
        open_arm = Body((self.edge(one, near), LeftJoin(Body((self.edge(near, far),)))))
        test = Condition(self.truth([far, other], 1))
        denied = Not(Body((self.edge(next(self.fresh), other), test)))
        return [Union((Body((self.edge(one, far),)), open_arm)), denied]

    # --- bodies ---------------------------------------------------------------------------------------------------

    def bag(self, exported: list[Var]) -> tuple[Body, list[Var], list[Var]]:
        """A closed body of which each solution counts, what it binds, and what it may leave open."""
        random = self.random
        own = [*exported, *(next(self.fresh) for _ in range(random.choice((1, 2)) if exported else 2))]
        parts = self.core(own, own, 1)
        if random.random() < 0.5:
            parts += self.hidden(random.choice(own))
        loose: list[Var] = []
        if random.random() < 0.3:
            parts.append(self.tagged(own))
        for _ in range(random.choice((0, 0, 1))):
            parts += self.some(own, loose) if random.random() < 0.5 else self.optional(own, loose, 0)
        random.shuffle(parts)
        return Body(tuple(parts)), own, loose

    def set(self, exported: list[Var]) -> tuple[Body, list[Var], list[Var]]:
        """A closed body of which what is asked for counts once."""
        own = [*exported, *(next(self.fresh) for _ in range(self.random.choice((0, 1, 2))))]
        parts = self.core(own, own, 1)
        loose: list[Var] = []
        if self.random.random() < 0.3:
            parts += self.optional(own, loose, 0)
        return Body(tuple(parts)), own, loose

    def hidden(self, variable: Var) -> list[Conjunct]:
        """What has variables that a bag has not, and that one might let out."""
        random = self.random
        far, other, relation = next(self.fresh), next(self.fresh), random.choice(self.names.relations)
        match random.randrange(5):
            case 0:
                return [Project((variable,), Body((Triple(variable, relation, far),)))]
            case 1:
                return [Not(Body((Not(Body((Triple(variable, relation, far),))),)))]
            case 2:
                apart = Triple(other, random.choice(self.names.relations), next(self.fresh))
                return [Extreme(random.choice(list(Direction)), variable, far, Body((self.edge(variable, far), apart)))]
            case 3:
                longer = Body((Triple(variable, relation, far), Triple(variable, relation, other)))
                never = Compare(Op.LT, self.names.values[0], self.names.values[0], Kind.NUMBER)
                return [Union((longer, Body((Triple(variable, relation, far), never))))]
            case _:
                return [Count(other, far, Body((self.edge(variable, far),)), (variable,))]

    def tagged(self, own: list[Var]) -> Union:
        """A union as SPARQL's, whose solutions count for each arm: a variable tells the arms apart, and both bind the
        same variables."""
        tag, one, far = next(self.fresh), self.random.choice(own), next(self.fresh)
        arms = []
        for place in range(self.random.choice((2, 2, 3))):
            arm: list[Conjunct] = [
                Member(tag, (self.names.entities[place % len(self.names.entities)],)),
                self.edge(one, far),
            ]
            if self.random.random() < 0.3:
                arm.append(self.edge(one, far))
            if self.random.random() < 0.1:
                arm.append(Union(()))
            arms.append(Body(tuple(arm)))
        return Union(tuple(arms))

    def core(self, own: Sequence[Var], visible: list[Var], depth: int) -> list[Conjunct]:
        """Conjuncts of the core tier that bind the ``own`` variables."""
        random = self.random
        parts: list[Conjunct] = []
        for place, variable in enumerate(own):
            before = own[:place]
            parts.append(self.edge(random.choice(before), variable) if before else self.binder(variable))
        for _ in range(random.choice((0, 1, 1, 2))):
            parts += self.more(random.choice(visible), depth)
        return parts

    def binder(self, variable: Var) -> Conjunct:
        random, names = self.random, self.names
        match random.randrange(6):
            case 0:
                return InstanceOf(variable, (random.choice(names.classes),))
            case 1:
                return Member(variable, tuple(random.sample(names.nodes, random.randint(1, 3))))
            case _:
                return self.edge(variable, next(self.fresh))

    def edge(self, one: Var, other: Var | Iri | Literal) -> Triple:
        relation = self.random.choice(self.names.relations)
        if isinstance(other, Var) and self.random.random() < 0.35:
            return Triple(other, relation, one)
        return Triple(one, relation, other)

    def more(self, variable: Var, depth: int) -> list[Conjunct]:
        """Something about a variable that is bound, often such that there is less to say."""
        random, names = self.random, self.names
        far = next(self.fresh)
        ends: tuple[Var | Iri, ...] = (far, *names.entities)
        relation = random.choice(names.relations)
        match random.randrange(13):
            case 0:
                return [Triple(variable, relation, far), Triple(variable, relation, next(self.fresh))]
            case 1:
                return [Triple(variable, relation, random.choice(names.entities)), Triple(variable, relation, far)]
            case 2:
                return [InstanceOf(variable, (one,)) for one in random.sample(names.classes, 2)]
            case 3:
                return [Member(far, (random.choice(names.nodes),)), Triple(variable, relation, far)]
            case 4:
                found = [Compare(random.choice(list(Op)), far, random.choice(names.values), Kind.ANY) for _ in range(2)]
                return [Triple(variable, relation, far), *found]
            case 5:
                return [Not(Body((Not(Body((Triple(variable, relation, far),))),)))]
            case 6:
                return [Not(Body((self.either(variable, far),)))]
            case 7 if depth:
                inner = Body((Triple(variable, relation, far), *self.core((), [variable, far], 0)))
                return [Project((variable,) if random.random() < 0.7 else (variable, far), inner)]
            case 8 | 9 if depth:
                return [self.either(variable, far)]
            case 10 if depth:
                apart = [self.edge(next(self.fresh), next(self.fresh))] if random.random() < 0.4 else []
                ranked = Body((Triple(variable, relation, far), *apart))
                return [Extreme(random.choice(list(Direction)), variable, far, ranked)]
            case 11:
                return [Closure(variable, relation, random.choice((far, random.choice(names.entities))))]
            case _:
                return [self.edge(variable, random.choice(ends))]

    def either(self, variable: Var, far: Var) -> Union:
        """A union of which one arm often says more than another, or can never hold."""
        random = self.random
        first = self.edge(variable, far)
        arms = [
            Body((first,)),
            Body((first, InstanceOf(variable, (random.choice(self.names.classes),)))),
            Body((self.edge(variable, far),)),
            Body((self.edge(variable, far), Compare(Op.LT, self.names.values[0], self.names.values[0], Kind.NUMBER))),
            Body((self.edge(variable, next(self.fresh)),)),
            Body((Union((Body((self.edge(variable, far),)), Body((self.edge(variable, far),)))),)),
        ]
        return Union(tuple(random.sample(arms, random.choice((1, 2, 2, 3)))))

    # --- expressions ----------------------------------------------------------------------------------------------

    def truth(self, seen: list[Var], depth: int) -> Expression:
        """An expression that is true or not."""
        random = self.random
        if depth and random.random() < 0.35:
            sign = random.choice(("&&", "||", "||", "!"))
            if sign == "!":
                return Apply("!", (self.truth(seen, depth - 1),))
            return Apply(sign, (self.truth(seen, depth - 1), self.truth(seen, depth - 1)))
        match random.randrange(9):
            case 0:
                return Apply("bound", (random.choice(seen),))
            case 1:
                sign = random.choice(("isiri", "isliteral", "isnumeric"))
                return Apply(sign, (random.choice(seen),))
            case 2:
                others = random.sample((*self.names.nodes, *seen), random.choice((0, 1, 2, 3)))
                return Apply("in", (self.value(seen, depth), *others))
            case 3:
                terms = (*self.names.nodes, *seen) if self.names.spelled else self.names.entities
                return Apply("sameterm", (random.choice(seen), random.choice(terms)))
            case 4 if depth:
                return Apply("if", tuple([self.truth(seen, depth - 1) for _ in range(3)]))
            case 5:
                return random.choice(seen)
            case _:
                sign = random.choice(("=", "!=", "!=", "<", ">", "<=", ">="))
                return Apply(sign, (self.value(seen, depth), self.value(seen, 0)))

    def value(self, seen: list[Var], depth: int) -> Expression:
        """An expression of any value."""
        random = self.random
        if depth and random.random() < 0.5:
            match random.randrange(7):
                case 0:
                    return Apply("coalesce", (self.value(seen, depth - 1), self.value(seen, 0)))
                case 1 if self.names.spelled:
                    return Apply("str", (random.choice(seen),))
                case 2 if self.names.spelled:
                    return Apply("strlen", (Apply("str", (random.choice(seen),)),))
                case 3:
                    return Apply("if", (self.truth(seen, depth - 1), self.value(seen, 0), self.value(seen, 0)))
                case 4:
                    return self.truth(seen, depth - 1)
                case 5:  # of few digits, so that all of them are kept
                    return Apply("/", (random.choice(seen), Literal(random.choice("0248"), XSD_INTEGER)))
                case _:
                    signs = random.choice(("+", "-", "*"))
                    return Apply(signs, (random.choice(seen), self.value(seen, 0)))
        return random.choice(seen) if random.random() < 0.7 else random.choice(self.names.nodes)
