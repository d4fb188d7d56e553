"""A frame: a body taken apart into what a SPARQL group is made of, before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.ir.expressions import names_in
from pylf.ir.mentions import mentioned_in, mentions
from pylf.ir.nodes import Closure, Compare, InstanceOf, Member, Triple, Union
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from pylf.backends.sparql.content import Content
    from pylf.backends.sparql.query import Select
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Body, Direction, Extend, Kind, LeftJoin, Not
    from pylf.ir.terms import Constant, Iri, Term


class SubQuery(NamedTuple):
    """A sub-select that binds its ``exports``; of these, ``counted`` is an integer that it counts."""

    select: Select
    exports: tuple[Var, ...]
    counted: Var | None = None


class Either(NamedTuple):
    """A union as an atom: some arm holds. ``exports`` are the variables that every arm binds."""

    arms: tuple[Body, ...]
    exports: tuple[str, ...]


class Choice(NamedTuple):
    """One of several triples holds; they differ in one constant."""

    triples: tuple[Triple, ...]


class Scalar(NamedTuple):
    """What a superlative found out beforehand, in variables of a sub-select with a single row.

    ``kind`` NUMBER, DATE, TEXT: one variable, the extreme key. ANY: an Extreme has three (whether there are numbers:
    1 or 0, the extreme number, the extreme date), a TopK two (the last number, the last date). ``content`` is that of
    the key, by which both the sub-select and the test are written.
    """

    variables: tuple[Var, ...]
    kind: Kind
    content: Content


class KeyTest(NamedTuple):
    """``key`` is as good as a superlative found beforehand; ``direction`` is None where it must be that very one."""

    key: Var
    scalar: Scalar
    direction: Direction | None


class Spelled(NamedTuple):
    """The variable is an IRI of this spelling, which the dialect's parser would not take."""

    var: Var
    iri: Iri


class Listed(NamedTuple):
    """The variable is one of these terms."""

    var: Var
    values: tuple[Constant, ...]


class SameTerm(NamedTuple):
    """Two variables are the same term; where ``entities``, the right one is none but an entity."""

    left: Var
    right: Var
    entities: bool = False


class StatedAtom(NamedTuple):
    """A triple with its confidence, where that is on what a pattern of its own names
    (:mod:`pylf.backends.sparql.confidences`)."""

    subject: Term
    predicate: Term
    object: Term
    confidence: Var
    node: Var


Atom = Triple | InstanceOf | Member | Closure | Either | SubQuery | Choice | StatedAtom
Test = Compare | KeyTest | Spelled | Listed | SameTerm | Union


class Frame:
    """The parts of one group.

    ``atoms`` bind variables, ``tests`` and ``negations`` look at them. ``scalars`` are sub-selects with one row that
    go first. ``parent`` is the frame around, whose variables this one sees (None for a closed body); ``home`` is the
    frame that takes the scalars of this one. ``existential``: only whether it has a solution matters. ``needed``: the
    variables whose values matter outside, besides those that are bound around. ``arm``: it is one of a union, whose
    patterns and filters see nothing of what is around.

    What the wide tier adds is late: ``left_joins``, then ``extends``, then ``conditions`` on what they may leave
    without value. ``opened`` are the variables among those bound here that may be without, ``contents`` what is known
    of variables that no atom binds. ``certain`` are those that its unions, and what stands beside them, bind in every
    solution. ``optional``: it is the group of a left join, or within one.
    """

    __slots__ = (
        "apart",
        "arm",
        "atoms",
        "binders",
        "certain",
        "conditions",
        "contents",
        "existential",
        "extends",
        "home",
        "left_joins",
        "needed",
        "negations",
        "never",
        "opened",
        "optional",
        "parent",
        "scalars",
        "settled",
        "shared",
        "tests",
    )

    def __init__(
        self,
        parent: Frame | None,
        needed: Collection[str],
        home: Frame | None = None,
        existential: bool = False,
    ) -> None:
        self.parent = parent
        self.home = home if home is not None else self
        self.existential = existential
        self.needed = needed
        self.never = False
        self.settled = False
        self.apart = False
        self.arm = False
        self.optional: bool = parent is not None and parent.optional
        self.atoms: list[Atom] = []
        self.tests: list[Test] = []
        self.negations: list[Not] = []
        self.left_joins: list[LeftJoin] = []
        self.extends: list[Extend] = []
        self.conditions: list[Expression] = []
        self.opened: set[str] = set()
        self.certain: set[str] = set()
        self.contents: dict[str, Content] = {}
        self.scalars: list[Select] = []
        #: scalars of superlatives, by the ``id`` of the node that they were made from
        self.shared: dict[int, Scalar] = {}
        #: by the name of a variable, the atoms that bind it
        self.binders: dict[str, list[Atom]] = {}

    def without(self, atom: Atom) -> Frame:
        """A copy of the frame that lacks an atom."""
        copy = Frame(self.parent, self.needed, self.home if self.home is not self else None, self.existential)
        copy.never, copy.arm = self.never, self.arm
        copy.atoms = [other for other in self.atoms if other is not atom]
        copy.tests, copy.negations, copy.scalars = list(self.tests), list(self.negations), list(self.scalars)
        copy.left_joins, copy.extends, copy.conditions = self.left_joins, self.extends, self.conditions
        copy.contents, copy.optional, copy.certain = dict(self.contents), self.optional, set(self.certain)
        copy.shared = dict(self.shared)
        copy.binders = {name: [b for b in binders if b is not atom] for name, binders in self.binders.items()}
        copy.binders = {name: binders for name, binders in copy.binders.items() if binders}
        copy.opened = {name for name in self.opened if name in copy.binders}
        return copy

    def bind(self, atom: Atom, names: Iterable[str]) -> None:
        """Adds an atom that binds variables."""
        self.atoms.append(atom)
        binders = self.binders
        for name in names:
            if name in binders:
                binders[name].append(atom)
            else:
                binders[name] = [atom]

    def binds(self, name: str) -> bool:
        """Whether the variable is bound here or around."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.binders:
                return True
            frame = frame.parent
        return False

    def is_certain(self, name: str) -> bool:
        """Whether the variable is bound here or around, and never without value."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.binders:
                return name not in frame.opened
            frame = frame.parent
        return False

    def opened_by(self, atom: Atom) -> set[str]:
        """The variables that an atom binds here or around, and may leave without value."""
        found: set[str] = set()
        frame: Frame | None = self
        while frame is not None:
            found |= {name for name in frame.opened if any(one is atom for one in frame.binders.get(name, ()))}
            frame = frame.parent
        return found

    @property
    def under_exists(self) -> bool:
        """Whether it is the group of an EXISTS, or within one."""
        return self.existential or (self.parent is not None and self.parent.under_exists)

    @property
    def late(self) -> bool:
        """Whether it has parts that stand after all that binds."""
        return bool(self.left_joins or self.extends or self.conditions)

    def late_names(self) -> set[str]:
        """The variables that its late parts look at or bind."""
        found = set(names_in(*self.conditions))
        for extend in self.extends:
            found |= names_in(extend.result, extend.expression)
        for left_join in self.left_joins:
            found |= mentioned_in(left_join.body)
        return found

    def keep(self, names: Iterable[str]) -> None:
        """The values of more variables matter."""
        self.needed = {*self.needed, *names}

    def binders_of(self, name: str, but: Sequence[Atom] = ()) -> list[Atom]:
        """The atoms that bind the variable, ``but`` those left out, in the nearest frame that has any."""
        frame: Frame | None = self
        while frame is not None:
            found = [atom for atom in frame.binders.get(name, ()) if not any(atom is other for other in but)]
            if found:
                return found
            frame = frame.parent
        return []

    def shares(self) -> bool:
        """Whether the frame looks at a variable that is bound around it."""
        around = self.parent
        if around is None:
            return False
        return (
            any(around.binds(name) for atom in self.atoms for name in names_of(atom))
            or any(around.binds(name) for test in self.tests for name in looks_at(test))
            or any(around.binds(var.name) for scalar in self.scalars for var in variables_of(scalar))
            or any(around.binds(name) for negation in self.negations for name in mentioned_in(negation.body))
            or any(map(around.binds, self.late_names()))
        )

    def only_listed(self, name: str) -> bool:
        """Whether nothing but memberships bind the variable here, and something may do so around."""
        own = self.binders.get(name, ())
        around = name in self.needed if self.parent is None else self.parent.binds(name)
        return around and bool(own) and all(type(atom) is Member for atom in own)

    def names(self) -> AbstractSet[str]:
        """The variables that are bound here or around; not to be changed."""
        own = self.binders.keys()
        return own if self.parent is None else self.parent.names() | own


def names_of(atom: Atom) -> tuple[str, ...]:
    """The variables of an atom, in written order; of a union, those that anything around it may see."""
    terms: tuple[Term, ...]
    match atom:
        case Triple(subject, predicate, object_):
            terms = (subject, predicate, object_)
        case InstanceOf(term) | Member(term):
            terms = (term,)
        case Closure(subject, _, object_):
            terms = (subject, object_)
        case SubQuery(_, exports):
            terms = exports
        case StatedAtom():
            terms = tuple(atom)
        case Choice(triples):
            return names_of(triples[0])
        case Either(arms):
            return tuple(sorted({name for arm in arms for name in mentioned_in(arm)}))
    return tuple([term.name for term in terms if type(term) is Var])


def variables_of(select: Select) -> list[Var]:
    """The variables that a SELECT gives."""
    return [column if isinstance(column, Var) else column.variable for column in select.projection]


def shares(body: Body, frame: Frame) -> bool:
    """Whether a body looks at a variable that is bound in a frame or around it."""
    return any(frame.binds(name) for conjunct in body.conjuncts for name in mentions(conjunct))


def looks_at(test: Test) -> set[str]:
    """The variables that a test may look at, scalars left out."""
    match test:
        case KeyTest(var) | Spelled(var) | Listed(var):
            return {var.name}
        case SameTerm(left, right, _):
            return {left.name, right.name}
        case Compare(_, left, right):
            return {term.name for term in (left, right) if type(term) is Var}
        case Union(arms):
            return {name for arm in arms for name in mentioned_in(arm)}
