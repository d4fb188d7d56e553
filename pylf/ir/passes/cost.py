"""What answering costs, estimated from the schema's statistics: rows of a conjunct, of a body, and the work for them.

:class:`Costs` knows how many triples, subjects and objects a relation has and how many instances a class, and takes
values to be spread evenly and independently of each other, as such estimates do. A
:class:`~pylf.ir.passes.flows.Flow` is what comes out of a body: rows, how many values each variable takes in them, and
the work, in units of about one row that is read.

The order of a join is the engine's. One that does not mind how a query is written is taken to begin where most is
constant and to go on along what is bound, without statistics: of equals it takes what is written first. So the order of
conjuncts, and what stands in a sub-select of its own, decide between plans. The weights are those of embedded Oxigraph.
What nothing is known of (a relation without counts, a closure, a predicate that is a variable) has no estimate, and
neither has a body with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Compare,
    Extreme,
    InstanceOf,
    Member,
    Not,
    Op,
    Path,
    Project,
    TopK,
    Triple,
    Union,
)
from pylf.ir.passes.flows import BUILD, GUESSED, LOOKUP, PROBE, Atom, Flow, by_guess, guessed, meet, projected, thin
from pylf.ir.terms import Iri, Var

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any, Self

    from pylf.ir.nodes import Body, Conjunct
    from pylf.ir.passes.context import Context
    from pylf.ir.terms import Term

#: No count is larger: so that whatever a schema or a program says can be reckoned with.
_LARGEST = 10**18


class Costs:
    """Estimates for one context, which remember what they have said of a conjunct.

    Two things the counts do not tell, so that they are assumed: ``skew``, how popular a constant is that a query names
    (0: as any other; 1: the only value that there is), and ``passing``, the share of values in a range. A rewrite that
    has to pay, and may not do harm, asks under several assumptions (:mod:`pylf.ir.passes.assumptions`).
    """

    def __init__(self, context: Context, skew: float, passing: float) -> None:
        self._skew = skew
        self._passing = passing
        self._schema = context.schema
        self._vocabulary = context.vocabulary
        self._target = context.target
        #: by the ``id`` of what they were made for, which is kept alive
        self._assumed: dict[int, tuple[Conjunct, Atom | None]] = {}
        #: those that are the same under all assumptions
        self._atoms: dict[int, tuple[Conjunct, Atom | None]] = context.once("atoms", _none)
        self._mentions: dict[int, tuple[Conjunct, frozenset[str]]] = context.once("mentions", _none)
        self._flows: dict[tuple[int, ...], tuple[tuple[Conjunct, ...], Flow | None]] = {}

    @classmethod
    def likely(cls, context: Context) -> Self:
        """As things mostly are: questions name what is popular, ranges are selective."""
        return cls(context, 0.5, 1 / 3)

    # --- conjuncts ------------------------------------------------------------------------------------------------

    def rows(self, conjunct: Conjunct) -> float | None:
        """How many rows a conjunct has that binds variables; None where nothing is known of it, and for any other."""
        atom = self._atom(conjunct)
        return None if atom is None else atom.flow.rows

    def known(self, conjunct: Conjunct) -> bool:
        """Whether there is an estimate for the conjunct, of rows or (of a comparison, a negation) of what they pass."""
        match conjunct:
            case Compare():
                return True
            case Not(body):
                return all(map(self.known, body.conjuncts))
            case _:
                return self._atom(conjunct) is not None

    def names(self, conjunct: Conjunct) -> frozenset[str]:
        """The variables that a conjunct binds, as far as it is known."""
        atom = self._atom(conjunct)
        return frozenset() if atom is None else frozenset(atom.names)

    def finds(self, conjunct: Conjunct, seen: AbstractSet[str]) -> tuple[bool, float]:
        """Whether a conjunct has a variable that is ``seen`` already, and how many rows it then finds for each."""
        atom = self._atom(conjunct)
        if atom is None:
            return False, 0.0
        tied, rows = False, atom.flow.rows
        for name in atom.names:
            if name in seen:
                tied = True
                rows /= max(atom.flow.values[name], 1.0)
        return tied, rows

    def mentions(self, conjunct: Conjunct) -> frozenset[str]:
        """The variables that a conjunct looks at."""
        found = self._mentions.get(id(conjunct))
        if found is None:
            found = self._mentions[id(conjunct)] = (conjunct, mentions(conjunct))
        return found[1]

    def _atom(self, conjunct: Conjunct) -> Atom | None:
        found = self._atoms.get(id(conjunct)) or self._assumed.get(id(conjunct))
        if found is None:
            found = (conjunct, self._looked_up(conjunct))
            match conjunct:
                case Triple(Var(), _, Var()) | InstanceOf() | Member():
                    self._atoms[id(conjunct)] = found
                case _:
                    self._assumed[id(conjunct)] = found
        return found[1]

    def _looked_up(self, conjunct: Conjunct) -> Atom | None:
        match conjunct:
            case Triple(subject, Iri(relation), object_):
                return self._triple(subject, relation, object_)
            case InstanceOf(term, classes):
                return self._instances(term, classes)
            case Member(Var(name), values):
                count = float(len(values))
                return Atom((name,), Flow(count, {name: count}, count, count))
            case Project(outputs, body):
                flow = self.flow(body.conjuncts)
                if flow is None:
                    return None
                names = tuple([output.name for output in outputs])
                return Atom(names, projected(flow, names))
            case Extreme(item=item, body=body) | TopK(item=item, body=body):
                flow = self.flow(body.conjuncts)
                if flow is None:
                    return None
                few = min(flow.rows, 2.0 if isinstance(conjunct, Extreme) else _float(conjunct.k) + 1.0)
                # found beforehand, and once more where it stands
                work = 2 * (flow.work + 2 * flow.rows)
                return Atom((item.name,), Flow(few, {item.name: few}, work, flow.guess * flow.guess))
            case Union(arms):
                return self._union(arms)
            case _:
                return None

    def _triple(self, subject: Term, relation: str, object_: Term) -> Atom | None:
        counted = self._schema.relation(relation)
        if counted is None or counted.triples is None or counted.subjects is None or counted.objects is None:
            return None
        rows, subjects, objects = map(_float, (counted.triples, counted.subjects, counted.objects))
        values: dict[str, float] = {}
        if isinstance(object_, Var):
            values[object_.name] = objects
        else:
            rows /= max(objects, 1.0) ** (1.0 - self._skew)
        if isinstance(subject, Var):
            values[subject.name] = min(subjects, values.get(subject.name, subjects))
        else:
            rows /= max(subjects, 1.0) ** (1.0 - self._skew)
        ends = (subject.name if isinstance(subject, Var) else None, object_.name if isinstance(object_, Var) else None)
        if len(values) < 2 and None not in ends:
            rows = min(rows, 1.0 + rows / max(subjects, objects, 1.0))  # a loop
        values = {name: min(rows, count) for name, count in values.items()}
        guess = GUESSED[ends[0] is None, ends[1] is None]
        return Atom(tuple(values), Flow(rows, values, LOOKUP + rows, guess), ends)

    def _instances(self, term: Term, classes: tuple[Iri, ...]) -> Atom | None:
        rows, arms = 0.0, 0
        for class_ in classes:
            known = self._schema.class_(class_.value)
            if known is None or known.instances is None:
                return None
            rows += _float(known.instances)
            arms += len(self._schema.subclasses(class_.value))
        arms *= len(self._vocabulary.type_predicates)
        guess = arms * GUESSED[False, True]
        if not isinstance(term, Var):
            return Atom((), Flow(1.0, {}, LOOKUP * arms, arms), None, arms)
        return Atom((term.name,), Flow(rows, {term.name: rows}, LOOKUP * arms + rows, guess), (term.name, None), arms)

    def _union(self, arms: tuple[Body, ...]) -> Atom | None:
        rows = work = guess = 0.0
        values: dict[str, float] = {}
        common: set[str] | None = None
        for arm in arms:
            flow = self.flow(arm.conjuncts)
            if flow is None:
                return None
            rows, work, guess = rows + flow.rows, work + flow.work, guess + flow.guess
            common = set(flow.values) if common is None else common & flow.values.keys()
            for name, count in flow.values.items():
                values[name] = values.get(name, 0.0) + count
        names = tuple(sorted(common or ()))
        return Atom(names, Flow(rows, {name: values[name] for name in names}, work, guess))

    # --- bodies ---------------------------------------------------------------------------------------------------

    def flow(self, conjuncts: Sequence[Conjunct]) -> Flow | None:
        """What comes out of conjuncts that are solved on their own, in the order that the engine takes them in; None
        where nothing is known of one. It is remembered, and not to be changed."""
        key = tuple(map(id, conjuncts))
        known = self._flows.get(key)
        if known is None:
            known = self._flows[key] = (tuple(conjuncts), self._flow(conjuncts))
        return known[1]

    def _flow(self, conjuncts: Sequence[Conjunct]) -> Flow | None:
        atoms: list[Atom] = []
        tests: list[tuple[frozenset[str], Compare]] = []
        negations: list[Not] = []
        for conjunct in conjuncts:
            match conjunct:
                case Compare():
                    tests.append((self.mentions(conjunct), conjunct))
                case Not():
                    negations.append(conjunct)
                case Path():
                    return None
                case _:
                    atom = self._atom(conjunct)
                    if atom is None:
                        return None
                    atoms.append(atom)
        state = self._joined(atoms, tests)
        for negation in negations:
            share = self._denied(negation, state)
            if share is None:
                return None
            thin(state, share)
        return state

    def _joined(self, atoms: list[Atom], tests: list[tuple[frozenset[str], Compare]]) -> Flow:
        left = list(atoms)
        total: Flow | None = None
        while left:
            first = left[0] if self._target.textual_order else min(left, key=by_guess)
            left.remove(first)
            flow = first.flow
            state = Flow(flow.rows, dict(flow.values), flow.work, flow.guess)
            self._passed(tests, state)
            while left:
                best: tuple[float, Atom] | None = None
                for atom in left:
                    if any(name in state.values for name in atom.names):
                        guess = guessed(atom, state)
                        if best is None or guess < best[0]:
                            best = (guess, atom)
                        if self._target.textual_order:
                            break
                if best is None:
                    break
                left.remove(best[1])
                reached = _reached(state, best[1])
                meet(state, best[1], best[0])
                for name, count in reached.items():
                    state.values[name] = min(state.values[name], count)
                self._passed(tests, state)
            if total is None:
                total = state
            else:
                total.work += state.work + total.rows * state.rows
                total.rows *= state.rows
                total.guess *= state.guess
                total.values.update(state.values)
                self._passed(tests, total)
        return total if total is not None else Flow(1.0, {}, 0.0, 1.0)

    def _denied(self, negation: Not, around: Flow) -> float | None:
        """The share of rows that a negation lets pass; its work is added to what is ``around`` it."""
        asked = self.asked(negation.body.conjuncts, around.values)
        if asked is None:
            return None
        share, work = asked
        apart = self.flow(negation.body.conjuncts)
        each = around.rows * work
        if apart is not None and self._target.subtracts:
            each = min(each, apart.work + BUILD * apart.rows + PROBE * around.rows)
        around.work += each
        return max(1.0 - share, 0.05)

    def asked(self, conjuncts: Sequence[Conjunct], around: Mapping[str, float]) -> tuple[float, float] | None:
        """How likely conjuncts have a solution for one row of what is ``around`` them (with so many values of each
        variable), and the work of finding that out one after the other, until one is found."""
        atoms: list[Atom] = []
        others: list[Compare | Not] = []
        for conjunct in conjuncts:
            if isinstance(conjunct, (Compare, Not)):
                others.append(conjunct)
                continue
            inner = conjunct.body.conjuncts if isinstance(conjunct, Project) else (conjunct,)
            for part in inner:
                if isinstance(part, (Compare, Not)):
                    others.append(part)
                    continue
                atom = self._atom(part)
                if atom is None:
                    return None
                atoms.append(atom)
        return self._level(atoms, others, dict(around))

    def _level(
        self, atoms: list[Atom], others: list[Compare | Not], bound: dict[str, float]
    ) -> tuple[float, float] | None:
        """:meth:`asked` for what is left: one atom, and then the rest for each row of it."""
        share, work = 1.0, 0.0
        left: list[Compare | Not] = []
        for other in others:
            if not self._bound(other, bound, atoms):
                left.append(other)
            elif isinstance(other, Compare):
                share *= self._share(other, bound)
            else:
                asked = self.asked(other.body.conjuncts, bound)
                if asked is None:
                    return None
                share, work = share * max(1.0 - asked[0], 0.05), work + asked[1]
        if not atoms:
            return share, work
        first = min(
            atoms, key=lambda atom: (not any(n in bound for n in atom.names), len(set(atom.names) - set(bound)))
        )
        rows, has = first.flow.rows, 1.0
        for name in first.names:
            if name in bound:
                values = max(first.flow.values[name], 1.0)
                has *= min(1.0, values / max(bound[name], 1.0))
                rows /= values
        found = max(rows, 1.0) if rows * has > 0 else 0.0
        has = min(has, rows * has if rows < 1.0 else has)
        inner = {**first.flow.values, **bound}
        rest = self._level([atom for atom in atoms if atom is not first], left, inner)
        if rest is None:
            return None
        likely, deeper = rest
        some = 1.0 - (1.0 - min(likely, 1.0)) ** found
        visited = found if likely <= 0 else min(found, some / likely)
        work += share * (LOOKUP * first.arms + has * visited * (1.0 + deeper))
        return share * has * some, work

    def _passed(self, tests: list[tuple[frozenset[str], Compare]], state: Flow) -> None:
        """Applies the comparisons that can be made by now."""
        for test in list(tests):
            names, comparison = test
            if all(name in state.values for name in names):
                tests.remove(test)
                thin(state, self._share(comparison, state.values))

    def _share(self, comparison: Compare, values: Mapping[str, float]) -> float:
        """The share of rows that a comparison lets pass."""
        match comparison.op:
            case Op.EQ | Op.IS:
                return 1.0 / max([1.0, *[values.get(name, 1.0) for name in self.mentions(comparison)]])
            case Op.NE:
                return 1.0
            case _:
                return self._passing

    def _bound(self, other: Compare | Not, bound: Mapping[str, float], atoms: list[Atom]) -> bool:
        """Whether what a comparison or negation looks at is bound, as far as anything here binds it."""
        seen = self.mentions(other)
        return not any(name in seen and name not in bound for atom in atoms for name in atom.names)


def _float(number: int) -> float:
    """A count as a float; one that is none is as large as any."""
    return float(min(number, _LARGEST))


def _reached(state: Flow, atom: Atom) -> dict[str, float]:
    """How many values each variable that an atom adds takes in the join: of n values that stand in m rows each, the
    part p of the rows reaches n(1 - (1 - p)^m) (Cardenas 1975), which is p where each has one row."""
    rows, share = atom.flow.rows, 1.0
    for name in atom.names:
        if name in state.values:
            share *= min(1.0, state.values[name] / max(atom.flow.values[name], 1.0))
    if share >= 1.0:
        return {}
    found: dict[str, float] = {}
    for name in atom.names:
        count = atom.flow.values[name]
        if name not in state.values and count > 0:
            found[name] = count * (1.0 - (1.0 - share) ** (rows / count))
    return found


def _none(_: Context) -> dict[int, Any]:
    return {}
