"""Comparisons of one variable that meet: what passes make fewer of, or find that no value passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.equivalence.near import near as around
from pylf.ir.nodes import Body, Compare, Direction, Extreme, Kind, Member, Not, Op, Triple, Union
from pylf.ir.terms import Literal, Var
from pylf.ir.values import kind_of
from pylf.records import replace
from pylf.testing.drawn.atoms import Atoms, covering, inside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.ir.nodes import Conjunct

OPERATORS = (Op.LT, Op.LE, Op.GT, Op.GE, Op.LE, Op.GE, Op.EQ, Op.NE, Op.IS)


class Comparisons(Atoms):
    """Comparisons with the values of one graph, and with such as lie near them."""

    def compared(self, name: str, body: Body) -> list[Conjunct]:
        """Comparisons that meet, of one kind mostly, some of them denied and some of them in unions; with values that
        the variable has, or such as lie near them."""
        random = self.random
        if not self.literals:
            return []
        said = [c for c in body.conjuncts if isinstance(c, Triple) and c.object == Var(name)]
        near = random.choice(self.values.get(said[0].predicate if said else None) or self.literals)
        own = self.witness.get(name)
        denied = random.random() < 0.3
        if isinstance(own, Literal) and (denied or random.random() < 0.5):
            near = own
        kind = kind_of(near) or Kind.ANY
        alike = [
            literal for literal in (*self.literals, *around(near), *inside(near)) if kind_of(literal) is kind_of(near)
        ]
        found: list[Conjunct] = []
        if denied:
            pair = [
                replace(self.comparison(name, [*around(near), *inside(near), *inside(near)], kind), kind=kind)
                for _ in range(2)
            ]
            return [Not(Body((pair[0],))), pair[1]]
        for _ in range(random.choice((1, 2, 2, 3))):
            one = self.comparison(name, alike, kind)
            match random.randrange(10):
                case 0 | 1:
                    found.append(Not(Body((one,))))
                case 2:
                    found.append(Union((Body((one,)), Body((self.comparison(name, alike, kind),)))))
                case 3 | 4:
                    value, direction = Var(name), random.choice(list(Direction))
                    triple = self.value(self.fresh().name, value)
                    within = self.comparison(name, random.choice((alike, [near])), kind)
                    whole = Body((replace(triple, predicate=said[0].predicate) if said else triple, within))
                    outside = self.comparison(name, random.choice((alike, [near])), kind)
                    outside = replace(outside, op=random.choice((Op.EQ, Op.LE, Op.GE)))
                    found += (Extreme(direction, value, value, whole), outside)
                case 5 if self.listable:
                    found.append(Member(Var(name), tuple(dict.fromkeys(random.choices(self.listable, k=3)))))
                case 6 | 7:
                    constant = random.choice((near, *covering(near)))
                    known = replace(self.comparison(name, [constant], kind), kind=kind)
                    known = replace(known, op=Op.EQ) if random.random() < 0.4 else known
                    told = self.comparison(name, [constant, constant, *inside(constant)], kind)
                    found += [known, replace(told, op=Op.IS if random.random() < 0.3 else told.op, kind=kind)]
                case _:
                    found.append(one)
        return found

    def comparison(self, name: str, constants: Sequence[Literal], kind: Kind) -> Compare:
        """A comparison of a variable with one of some constants, mostly of the kind."""
        random = self.random
        asked = kind if random.random() < 0.8 else random.choice((Kind.ANY, Kind.NUMBER, Kind.DATE))
        op, constant = random.choice(OPERATORS), random.choice(constants)
        # SPARQL has no form for the order of a constant date and a variable that may be any value
        if random.random() < 0.2 and kind_of(constant) is not Kind.DATE:
            return Compare(op, constant, Var(name), asked)
        return Compare(op, Var(name), constant, asked)
