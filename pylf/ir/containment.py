"""Containment: whether what holds implies a body, by mapping the body onto it.

A body holds where its variables can be given terms such that every conjunct is among the *facts*, or follows from
some: a homomorphism (Chandra and Merlin, 1977), extended by what is plain of the other conjuncts.

- An instance of a class is one of the classes above it, and so is the subject of a signature class's relation.
- A membership follows from one in fewer values; a comparison from one that implies it (:mod:`pylf.ir.implied`), or
  from a membership all of whose values satisfy it; a step from a triple.
- ``Not(B)`` follows from a ``Not(C)`` such that B, were it to hold beside the facts, would imply C.
- A union follows from any of its arms; facts that hold a union are looked at arm by arm (Sagiv and Yannakakis, 1980).
- A projection is its body, which is closed. A count and a superlative follow from one whose body is equivalent.
- A condition follows from the same one. What may be open, and so a left join, an extension, an aggregate and a slice,
  follows from nothing.

Nothing else is known, so a mapping that is not found proves nothing but where bodies are made of triples, unions and
projections alone. The search counts its steps and gives up at a bound.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pylf.ir.facts import CASES, Facts, binders, disjuncts, is_plain
from pylf.ir.homomorphism import Search
from pylf.ir.nodes import Count, Extreme, TopK
from pylf.ir.scope import never, never_holds
from pylf.ir.terms import Iri
from pylf.ir.traverse import walk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.ir.nodes import Body, Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Term

#: Steps of a search for one proof of containment.
STEPS = 20_000
#: So many conjuncts are mapped one within the other: a bound on the stack.
_DEEPEST = 120


class SpentError(Exception):
    """The steps are used up; nothing is known."""


class Standing:
    """What a search goes by: which classes lie below which, and how many steps are left."""

    def __init__(self, schema: Schema | None = None, vocabulary: Vocabulary | None = None, steps: int = STEPS) -> None:
        self.steps = steps
        self._fresh = itertools.count()
        # where the graph says what is below a class, the schema does not
        self.paths = vocabulary is not None and vocabulary.subclass_paths
        self.schema = schema
        self._below: dict[tuple[Iri, ...], frozenset[str]] = {}
        self._relations: dict[tuple[Iri, ...], list[Iri]] = {}
        self._equivalent: dict[tuple[int, int], tuple[Conjunct, Conjunct, bool]] = {}

    @property
    def spent(self) -> bool:
        """Whether no search can find anything any more."""
        return self.steps <= 0

    def spend(self, depth: int) -> None:
        """One step, at some depth of the stack.

        Raises:
            SpentError: there are no more, or it is too deep.
        """
        self.steps -= 1
        if self.steps < 0 or depth > _DEEPEST:
            raise SpentError

    def below(self, classes: tuple[Iri, ...]) -> frozenset[str]:
        """The classes, and all that lie below one of them."""
        known = self._below.get(classes)
        if known is None:
            named = [class_.value for class_ in classes]
            if self.schema is not None and not self.paths:
                named = [below for class_ in named for below in self.schema.subclasses(class_)]
            known = self._below[classes] = frozenset(named)
        return known

    def relations(self, classes: tuple[Iri, ...]) -> list[Iri]:
        """The relations whose every subject is an instance of one of the classes: those of signature classes."""
        if self.schema is None:
            return []
        known = self._relations.get(classes)
        if known is None:
            found = [self.schema.class_(name) for name in self.below(classes)]
            known = [Iri(one.subjects_of) for one in found if one is not None and one.subjects_of is not None]
            self._relations[classes] = known
        return known

    def fresh(self) -> int:
        """A number that has not been given before."""
        return next(self._fresh)

    def equivalent(self, one: Conjunct, other: Conjunct, depth: int) -> bool:
        """Two counts or superlatives whose bodies mean the same, and all else is the same but the names."""
        known = self._equivalent.get((id(one), id(other)))
        if known is None:
            found = self._same(one, other, depth)
            # the nodes are kept, so that their identities are
            known = self._equivalent[id(one), id(other)] = (one, other, found)
        return known[2]

    def _same(self, one: Conjunct, other: Conjunct, depth: int) -> bool:
        match one, other:
            case Count(_, of, body, group), Count(_, of_too, body_too, group_too) if len(group) == len(group_too):
                pairs = list(zip((of, *group), (of_too, *group_too), strict=True))
            case Extreme(direction, item, key, body, kind), Extreme(
                direction_too, item_too, key_too, body_too, kind_too
            ):
                if (direction, kind) != (direction_too, kind_too):
                    return False
                pairs = [(item, item_too), (key, key_too)]
            case TopK(direction, k, item, key, body, kind), TopK(way, k_too, item_too, key_too, body_too, kind_too):
                if (direction, k, kind) != (way, k_too, kind_too):
                    return False
                pairs = [(item, item_too), (key, key_too)]
            case _:
                return False
        there: dict[str, Term] = {}
        back: dict[str, Term] = {}
        for near, far in pairs:
            if there.setdefault(far.name, near) != near or back.setdefault(near.name, far) != far:
                return False
        if body == body_too and all(near == far for near, far in pairs):
            return True
        return entails(body, body_too, there, self, depth) and entails(body_too, body, back, self, depth)


def contained(
    left: Query, right: Query, schema: Schema | None = None, vocabulary: Vocabulary | None = None, steps: int = STEPS
) -> bool | None:
    """Whether every answer of ``left`` is one of ``right``, on every graph, read by ``schema`` and ``vocabulary``.

    True where that is proved; False where a graph of the shape of ``left`` refutes it, which is known of queries of
    triples, unions and projections alone; None where neither is known. A yes-or-no query is contained in one that is
    true wherever it is. The queries are ones that :func:`pylf.ir.verify.verify` accepts.
    """
    if left.form is not right.form or len(left.outputs) != len(right.outputs):
        return None
    if never(left.body):
        return True
    if _holds_never(left) or _holds_never(right):
        return None  # where a conjunct can never hold, variables need not be bound
    rules = Standing(schema, vocabulary, steps)
    outputs: dict[str, Term] = {far.name: near for near, far in zip(left.outputs, right.outputs, strict=True)}
    try:
        if entails(left.body, right.body, outputs, rules):
            return True
    except SpentError:
        return None
    return False if is_plain(left.body, CASES) and is_plain(right.body, CASES) else None


def entails(left: Body, right: Body, outputs: Mapping[str, Term], rules: Standing, depth: int = 0) -> bool:
    """True when each solution of ``left`` gives one of ``right``, in which the ``outputs`` of ``right`` have the terms
    that they are mapped to. Both bodies stand on their own.

    Raises:
        SpentError: the steps are used up.
    """
    free = binders(right).difference(outputs)
    for case in disjuncts([(conjunct, None) for conjunct in left.conjuncts], CASES):
        search = Search(Facts(case), rules, free, mapping=dict(outputs), depth=depth)
        if not search.holds(list(right.conjuncts)):
            return False
    return True


def _holds_never(query: Query) -> bool:
    return any(never_holds(conjunct) for conjunct in walk(query))
