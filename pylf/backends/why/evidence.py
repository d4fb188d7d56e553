"""What an explanation is made of, as data: nodes, triples and conjuncts, no words.

:mod:`pylf.backends.why.text` words it for a terminal, :mod:`pylf.backends.why.plain` for a program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Aggregate, Body, Condition, Conjunct, Count, Extend, Extreme, Op, Slice, TopK
    from pylf.ir.terms import Iri, Node, Term

#: Values of the variables of a pattern; the others are open.
Fixed = tuple[tuple[str, "Node"], ...]

#: Why nothing matches what is negated: something else is recorded in its place, or nothing is.
Verdict = Literal["known otherwise", "nothing recorded"]


# --- what holds ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stated:
    """A triple of the graph."""

    triple: TripleRow
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A triple that says a label which was asked for."""

    triple: TripleRow
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Typed:
    """``node`` is an instance of ``asked``: by ``statement``, a type triple whose class lies below it by the steps of
    ``above`` (the stated class first, the asked one last); or a triple of the relation whose subjects or objects the
    class is."""

    node: Node
    asked: Iri
    statement: TripleRow
    above: tuple[Iri, ...]
    by_signature: bool = False
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Held:
    """A comparison that held, with its values."""

    op: Op
    left: Node
    right: Node
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Listed:
    """``node`` is one of the values that were asked for."""

    node: Node
    values: tuple[Node, ...]
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Walked:
    """A walk: each hop a triple, and whether it goes along it. ``relation`` is that of a closure, None for a path."""

    start: Node
    end: Node
    hops: tuple[tuple[TripleRow, bool], ...]
    relation: Iri | None = None
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A triple with its confidence, and the node that states both."""

    triple: TripleRow
    confidence: Node
    statement: Node
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Arm:
    """Which alternative held (from 0, of ``arms``), by what; ``also`` are the other ones that hold."""

    number: int
    arms: int
    also: tuple[int, ...]
    evidence: tuple[Evidence, ...]
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Counted:
    """The number of members, and the first of them; ``count.group`` has the values ``group``."""

    count: Count
    number: int
    group: Fixed
    members: tuple[Node, ...]
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an item stands in a superlative: its value and place (from 1), among ``candidates`` items that have a
    value.

    ``tied`` others of the same value are in it too, the first of them are ``ties``; ``next`` is the best value of
    those that are out, ``bearer`` one that has it and ``bearers`` how many do. All counts are of distinct values.
    """

    superlative: Extreme | TopK
    item: Node
    value: Node
    place: int
    candidates: int
    tied: int
    ties: tuple[Node, ...]
    next: Node | None
    bearer: Node | None
    bearers: int
    evidence: tuple[Evidence, ...]
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Computed:
    """A condition that held, a value that was computed, or a row among those that were aggregated or put in order, with
    the values ``fixed``."""

    conjunct: Condition | Extend | Aggregate | Slice
    fixed: Fixed
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Unfollowed:
    """Conjuncts that hold with the values ``fixed``, and whose triples were not looked for: too much of the graph would
    have to be seen."""

    conjuncts: tuple[Conjunct, ...]
    fixed: Fixed
    span: Span | None = field(default=None, compare=False)


# --- what does not hold -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the graph records in place of what was negated: the ends of the triples of ``relation`` that start at
    ``near`` (that end there, where not ``along``); the first of them, of ``total``."""

    near: Node
    relation: Iri
    along: bool
    values: tuple[Node, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Checked:
    """A negative check: ``pattern`` with the values ``fixed`` has no match in the graph.

    ``verdict`` is None where the pattern asks for nothing that could be recorded otherwise. ``stopped`` is the part of
    the pattern that rules out what matches the others: ``seen`` are the first of the ``sighted`` values for which it
    does not hold where it is a comparison, ``against`` is what holds where it is itself a negation.
    """

    pattern: Body
    fixed: Fixed
    verdict: Verdict | None
    recorded: tuple[Recorded, ...]
    snapshot: str
    stopped: tuple[Conjunct, ...] = ()
    seen: tuple[Node, ...] = ()
    sighted: int = 0
    against: tuple[Evidence, ...] = ()
    span: Span | None = field(default=None, compare=False)


Evidence = (
    Stated
    | Labelled
    | Typed
    | Held
    | Listed
    | Walked
    | Weighed
    | Arm
    | Counted
    | Standing
    | Computed
    | Unfollowed
    | Checked
)


@dataclass(frozen=True, slots=True)
class Block:
    """An answer (a row's nodes, a set's one node, a counted member, nothing for a "yes") and what supports it.

    ``found`` is False where the reference evaluator does not find it, None where it could not tell within bounds.
    """

    answer: tuple[Node | None, ...]
    evidence: tuple[Evidence, ...]
    found: bool | None = True


# --- what left nothing over ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation in a sentence, by its IRI."""

    iri: str


@dataclass(frozen=True, slots=True)
class Class:
    """A class in a sentence, by its IRI."""

    iri: str


@dataclass(frozen=True, slots=True)
class Datatype:
    """The datatype of a literal in a sentence, or its language."""

    literal: Node


#: A sentence: words, and the things that it is about.
Sentence = tuple["str | Node | Term | Relation | Class | Datatype", ...]


@dataclass(frozen=True, slots=True)
class Remedy:
    """What would mend an empty answer, or what can be said of why it is empty.

    ``kind`` is stable: ``reversed``, ``inverse``, ``datatype``, ``label``, ``instances``, ``classes``, ``removed``,
    ``range``, ``incomparable``, ``absent``, ``instead``, ``elsewhere``, ``never``, ``open``; and ``disagree``,
    ``untold`` where the explanation itself fails.
    """

    kind: str
    sentence: Sentence
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A unit of the body, and how many values of ``variable`` are left once it holds too; None where that was not
    looked at, or where the graph is too large to tell."""

    conjuncts: tuple[Conjunct, ...]
    variable: str | None
    left: int | None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Emptiness:
    """Why a body has no solution: its steps, which of them (from 0) is the first that leaves nothing, what would mend
    it, and the same for the bodies within that step, each with a few words on what it is."""

    steps: tuple[Step, ...]
    culprit: int | None
    remedies: tuple[Remedy, ...] = ()
    within: tuple[tuple[str, Emptiness], ...] = ()
    fixed: Fixed = ()

    @property
    def span(self) -> Span | None:
        """Where the innermost conjunct that leaves nothing comes from, as far as that is known."""
        for _, inner in self.within[:1]:
            if inner.span is not None:
                return inner.span
        return None if self.culprit is None else self.steps[self.culprit].span
