"""Random IR queries, every one of them accepted by :func:`pylf.ir.verify.verify`; every node type occurs.

``queries()`` is a hypothesis strategy, which shrinks what fails; ``random_query(random.Random(seed))`` is the same
generator for volume. ``disguised`` says the same query in other words, for properties of the canonical form::

    @given(queries(), st.randoms(use_true_random=False))
    def test_a_fingerprint_sees_through_names_and_order(query, random):
        assert fingerprint(disguised(query, random)) == fingerprint(query)
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from pylf.errors import InvalidIR
from pylf.ir.expressions import CASTS, FUNCTIONS, REDUCERS, Apply
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
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
    Path,
    Project,
    Query,
    Reduction,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import XSD, Iri, Literal, Var, tagged
from pylf.ir.traverse import bodies, rename, variables, walk, with_bodies
from pylf.ir.types import ANY, ENTITY, INTEGER, RELATION, LiteralType, entity_of
from pylf.ir.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Constant, Term
    from pylf.ir.types import Type

_IRIS = (
    "http://pylf.example/a",
    "http://pylf.example/b",
    "http://pylf.example/c#d",
    "http://rdf.freebase.com/ns/spaceflight.rocket.mass",
    "urn:isbn:0-486-27557-4",
    "http://pylf.example/Ελλάδα/%20'()*,;=",
    "http://pylf.example/zero\u200bwidth\U000e0001",
)
_TEXTS = (
    "",
    "a",
    "Boeing Company",
    'say "no"',
    "back\\slash\\",
    "\\",
    "two\nlines\r\n",
    "tab\tbell\x07null\x00",
    '"^^<http://pylf.example/a>',
    "Δelta \u2028 \U0001f680",
    "lone \udcff surrogate",
    "?x <p> # not a comment",
    "{ } ; | & ( )",
)
_LEXICALS = ("1", "1.0", "-0", "2.32e+3", "INF", "NaN", "2008", "2008-05-01", "-0044-03-15T00:00:00Z", "true", "abc")
_DATATYPES = tuple(
    XSD + name for name in ("integer", "decimal", "double", "gYear", "date", "dateTime", "boolean", "string")
)
_TAGS = ("en", "de-at", "zh-hant")
_PREFIXES = ("x", "v", "Rocket", "a_", "n0_")


def queries(depth: int = 3, *, wide: bool = False) -> st.SearchStrategy[Query]:
    """Queries whose bodies stand within bodies at most ``depth`` deep; of the core tier and closures, or where ``wide``
    of both tiers."""
    return st.randoms(use_true_random=False).map(lambda random: random_query(random, depth, wide=wide))


def random_query(random: Random, depth: int = 3, *, wide: bool = False) -> Query:
    """A query drawn with ``random``; the same for the same state of it."""
    while True:
        found = _Maker(random, depth, wide=wide).query()
        if not wide:
            return found
        with suppress(InvalidIR):  # a body that never holds has no open variables
            verify(found)
            return found


def disguised(query: Query, random: Random) -> Query:
    """An equal query with other variables, in another order, and with some conjuncts said twice."""
    old = variables(query)
    new = [f"{random.choice(_PREFIXES)}{i}" for i in range(len(old))]
    random.shuffle(new)
    renamed = rename(query, dict(zip(old, new, strict=True)))
    return Query(renamed.form, renamed.outputs, _shuffled(renamed.body, random), renamed.types, renamed.span)


class _Maker:
    def __init__(self, random: Random, depth: int, *, wide: bool = False) -> None:
        self.random = random
        self.depth = depth
        self.wide = wide
        self.made = 0
        #: variables that are integers, so never subjects or predicates
        self.numbers: set[str] = set()

    def query(self) -> Query:
        form = self.random.choice(list(Form))
        least, most = {Form.BOOLEAN: (0, 0), Form.ROWS: (1, 3), Form.SUBGRAPH: (3, 4)}.get(form, (1, 1))
        outputs = [self.fresh() for _ in range(self.random.randint(least, most))]
        if form is Form.NUMBER:
            self.numbers.add(outputs[0].name)
            body = Body((self.count(outputs[0], [], 1), *self.body(outputs, [], 0).conjuncts))
        else:
            body = self.body([], outputs, 0)
        return Query(form, tuple(outputs), body, self.types(form, tuple(outputs), body))

    def types(self, form: Form, outputs: tuple[Var, ...], body: Body) -> tuple[tuple[str, Type], ...]:
        subjects: set[Term] = set()
        predicates: set[Term] = set()
        for node in walk(body):
            match node:
                case Triple(subject, predicate) | Confidence(subject, predicate):
                    subjects.add(subject)
                    predicates.add(predicate)
                case Closure(subject, _, _, 1):
                    subjects.add(subject)
                case Path(nodes, relations):
                    subjects.update(nodes)
                    predicates.update(relations)
                case _:
                    pass
        typed: dict[str, Type] = {}
        for name in sorted(variables(Query(form, outputs, body))):
            if name in self.numbers:
                typed[name] = INTEGER
            elif Var(name) in predicates:
                typed[name] = RELATION
            else:
                typed[name] = self.type(literal=Var(name) not in subjects)
        return tuple(typed.items())

    def type(self, *, literal: bool) -> Type:
        unions = [tuple(iri.value for iri in self.iris()) for _ in range(self.random.randint(1, 2))]
        choices: list[Type] = [ENTITY, ANY, entity_of(*unions)]
        if literal:
            choices += [LiteralType(), LiteralType(self.random.choice(_DATATYPES))]
        return self.random.choice(choices)

    # --- terms ----------------------------------------------------------------------------------------------------

    def fresh(self) -> Var:
        self.made += 1
        return Var(f"{self.random.choice(_PREFIXES)}{self.made}")

    def iri(self) -> Iri:
        return Iri(self.random.choice(_IRIS))

    def constant(self) -> Constant:
        match self.random.randint(0, 4):
            case 0 | 1:
                return self.iri()
            case 2:
                return Literal(self.random.choice(_TEXTS))
            case 3:
                return tagged(self.random.choice(_TEXTS), self.random.choice(_TAGS))
            case _:
                return Literal(self.random.choice(_LEXICALS), self.random.choice((*_DATATYPES, _IRIS[5])))

    def term(self, pool: list[Var]) -> Term:
        return self.variable(pool) if self.random.random() < 0.7 else self.constant()

    def variable(self, pool: list[Var]) -> Var:
        """A variable of the pool, or a new one that is put into it."""
        if pool and self.random.random() < 0.6:
            return self.random.choice(pool)
        pool.append(self.fresh())
        return pool[-1]

    def node(self, pool: list[Var]) -> Term:
        """What may stand as a subject."""
        term = self.term(pool)
        if isinstance(term, Literal) or (isinstance(term, Var) and term.name in self.numbers):
            return self.iri()
        return term

    def predicate(self, pool: list[Var]) -> Term:
        term = self.node(pool) if self.random.random() > 0.8 else self.iri()
        return term if isinstance(term, Var) else self.iri()

    def iris(self) -> tuple[Iri, ...]:
        return tuple(self.iri() for _ in range(self.random.randint(1, 3)))

    # --- bodies ---------------------------------------------------------------------------------------------------

    # hypothesis shrinks towards random() == 0 and the first choice, so those are the small ones

    def body(self, around: list[Var], wanted: list[Var], depth: int) -> Body:
        """A body that sees ``around`` and binds ``wanted``."""
        pool = [*around, *wanted]
        conjuncts = [self.binding(variable, pool, depth) for variable in wanted]
        while self.random.random() > 0.5 and len(conjuncts) < 6:
            conjuncts.append(self.binding(self.variable(pool), pool, depth))
        while pool and self.random.random() > 0.6:
            conjuncts.append(self.using(pool, depth))
        if self.random.random() > 0.98:
            conjuncts.append(Union(()))
        if self.wide and pool:
            conjuncts += self.late(pool, depth)
        self.random.shuffle(conjuncts)
        return Body(tuple(conjuncts))

    def binding(self, variable: Var, pool: list[Var], depth: int) -> Conjunct:
        """A conjunct that binds ``variable``."""
        makers: list[Callable[[Var, list[Var]], Conjunct]] = [self.triple, self.triple, self.member, self.confidence]
        makers += [self.path, self.closure, self.instance]
        if depth < self.depth:
            inner = depth + 1
            makers += [
                lambda v, p: self.union(v, p, inner),
                lambda v, p: self.project(v, p, inner),
                lambda v, p: self.count(v, p, inner),
                lambda v, _: self.extreme(v, inner),
                lambda v, _: self.top_k(v, inner),
            ]
        return self.random.choice(makers)(variable, pool)

    def using(self, pool: list[Var], depth: int) -> Conjunct:
        """A conjunct that binds nothing new."""
        choice = self.random.randint(0, 3)
        if choice == 0 and depth < self.depth:
            return Not(self.body(pool, [], depth + 1))
        if choice == 1:
            known = self.random.choice(pool)
            other = self.random.choice((self.constant(), self.random.choice(pool)))
            ends: tuple[Term, Term] = (known, other) if self.random.random() < 0.5 else (other, known)
            return Closure(ends[0], self.iri(), ends[1], 0)
        left: Term = self.random.choice(pool)
        right: Term = self.random.choice((self.constant(), self.random.choice(pool)))
        if self.random.random() > 0.8:
            left, right = right, left
        return Compare(self.random.choice(list(Op)), left, right, self.random.choice(list(Kind)))

    # --- the wide tier --------------------------------------------------------------------------------------------

    def late(self, pool: list[Var], depth: int) -> list[Conjunct]:
        """What may be open in a body, and what looks at it. New variables, which nothing else has, are ``seen``."""
        random, seen = self.random, list(pool)
        found: list[Conjunct] = []
        if depth < self.depth and random.random() > 0.8:
            own = self.fresh()
            found.append(LeftJoin(self.body(pool, [own], depth + 1)))
            seen.append(own)
        if depth < self.depth and random.random() > 0.8:
            found.append(self.closed(seen, depth + 1))
        while random.random() > 0.8:
            result = self.fresh()
            found.append(Extend(result, self.expression(seen, 3)))
            seen.append(result)
        while random.random() > 0.8:
            found.append(Condition(self.expression(seen, 3)))
        return found

    def closed(self, seen: list[Var], depth: int) -> Conjunct:
        """An aggregate, or rows in an order, of new variables, which are put among the ``seen`` ones."""
        random = self.random
        own = [self.fresh() for _ in range(random.randint(1, 3))]
        body = self.body([], own, depth)
        if random.random() < 0.5:
            order = [Order(self.expression(own, 1), random.random() < 0.5) for _ in range(random.randint(0, 2))]
            limit = random.choice((None, 1, 10))
            seen.append(own[0])
            return Slice((own[0],), body, tuple(order), limit, random.choice((0, 5)), random.random() < 0.5)
        group = tuple(own[: random.randint(0, 1)])
        reductions = []
        for function in random.sample(sorted(REDUCERS), random.randint(1, 2)):
            result = self.fresh()
            if function == "count":
                self.numbers.add(result.name)
            of = None if function == "count" and random.random() < 0.5 else self.expression(own, 1)
            between = random.choice(_TEXTS) if function == "group_concat" else " "
            distinct = random.random() < 0.3 and of is not None
            reductions.append(Reduction(function, result, of, distinct, between))
            seen.append(result)
        seen += group
        return Aggregate(tuple(reductions), body, group)

    def expression(self, seen: list[Var], depth: int) -> Expression:
        """An expression over variables, in which any function may stand."""
        random = self.random
        if not depth or random.random() < 0.3:
            return random.choice(seen) if random.random() < 0.7 else self.constant()
        name = random.choice((*sorted(FUNCTIONS), *sorted(CASTS)[:2]))
        least, most = FUNCTIONS.get(name, (1, 1))
        if name == "bound":
            return Apply(name, (random.choice(seen),))
        number = random.randint(least, least + 2 if most is None else most)
        return Apply(name, tuple([self.expression(seen, depth - 1) for _ in range(number)]))

    # --- atoms that bind ------------------------------------------------------------------------------------------

    def triple(self, variable: Var, pool: list[Var]) -> Conjunct:
        if variable.name in self.numbers or self.random.random() < 0.5:
            return Triple(self.node(pool), self.predicate(pool), variable)
        return Triple(variable, self.predicate(pool), self.term(pool))

    def instance(self, variable: Var, _: list[Var]) -> Conjunct:
        return InstanceOf(variable, self.iris())

    def member(self, variable: Var, _: list[Var]) -> Conjunct:
        return Member(variable, tuple(self.constant() for _ in range(self.random.randint(0, 3))))

    def confidence(self, variable: Var, pool: list[Var]) -> Conjunct:
        if self.random.random() < 0.5:
            return Confidence(self.node(pool), self.predicate(pool), self.term(pool), variable)
        return Confidence(self.node(pool), self.predicate(pool), variable, self.variable(pool))

    def path(self, variable: Var, pool: list[Var]) -> Conjunct:
        hops = self.random.randint(1, 3)
        nodes: list[Term] = [self.node(pool) for _ in range(hops)]
        relations = tuple(self.predicate(pool) for _ in range(hops))
        forward = [self.random.random() < 0.5 for _ in range(hops - 1)]
        if variable.name in self.numbers or self.random.random() < 0.5:
            return Path((*nodes, variable), relations, (*forward, True))
        return Path((variable, *nodes), relations, (*forward, True))

    def closure(self, variable: Var, pool: list[Var]) -> Conjunct:
        return Closure(self.node(pool), self.iri(), variable)

    # --- operators that bind --------------------------------------------------------------------------------------

    def union(self, variable: Var, pool: list[Var], depth: int) -> Conjunct:
        return Union(tuple(self.body(pool, [variable], depth) for _ in range(self.random.randint(1, 3))))

    def project(self, variable: Var, pool: list[Var], depth: int) -> Conjunct:
        outputs = [variable]
        if self.random.random() > 0.6:
            other = self.variable(pool)
            outputs += [other] if other != variable else []
        self.random.shuffle(outputs)
        return Project(tuple(outputs), self.body([], outputs, depth))

    def count(self, variable: Var, pool: list[Var], depth: int) -> Conjunct:
        of = self.fresh()
        if variable.name in self.numbers:
            return Count(variable, of, self.body([], [of], depth))
        result = self.fresh()
        self.numbers.add(result.name)
        pool.append(result)
        if self.random.random() > 0.8:
            of = variable
        wanted = [variable] if of == variable else [variable, of]
        return Count(result, of, self.body([], wanted, depth), (variable,))

    def extreme(self, variable: Var, depth: int) -> Conjunct:
        key, body = self.keyed(variable, depth)
        direction, kind = self.random.choice(list(Direction)), self.random.choice(list(Kind))
        return Extreme(direction, variable, key, body, kind)

    def top_k(self, variable: Var, depth: int) -> Conjunct:
        key, body = self.keyed(variable, depth)
        direction, kind = self.random.choice(list(Direction)), self.random.choice(list(Kind))
        return TopK(direction, self.random.randint(1, 12), variable, key, body, kind)

    def keyed(self, variable: Var, depth: int) -> tuple[Var, Body]:
        key = variable if self.random.random() > 0.9 else self.fresh()
        return key, self.body([], [variable] if key == variable else [variable, key], depth)


def _shuffled(body: Body, random: Random) -> Body:
    conjuncts = [_disguised(node, random) for node in body.conjuncts]
    # only atoms are said twice: what is local to an operator may stand in one place alone
    conjuncts += [_disguised(node, random) for node in body.conjuncts if not bodies(node) and random.random() < 0.1]
    random.shuffle(conjuncts)
    return Body(tuple(conjuncts))


def _disguised(node: Conjunct, random: Random) -> Conjunct:
    inner = [_shuffled(body, random) for body in bodies(node)]
    match node:
        case Union():
            random.shuffle(inner)
        case InstanceOf(term, classes):
            return InstanceOf(term, tuple(random.sample(classes, len(classes))), node.span)
        case Member(term, values):
            return Member(term, tuple(random.sample(values, len(values))), node.span)
        case Compare(Op.IS, left, right, kind) if random.random() < 0.5:
            return Compare(Op.IS, right, left, kind, node.span)
        case _:
            pass
    return with_bodies(node, tuple(inner))
