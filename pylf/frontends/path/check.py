"""Telling of many paths which of them a graph has, and where the others fail.

A path holds where its names can be given nodes of the graph (of a label's bearers, any) so that every hop is an edge of
it; whatever stands at a variable. Of one that does not hold, the first hop is told with which it no longer does.

All paths are asked together, those of one shape beside each other, and then the beginnings of those that fail; so a
set of paths costs two or three rounds of queries, not one for each path (:mod:`pylf.backends.many` says what goes
together, and what the dialects' limits are). Labels are looked up before, many at once.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from pylf.backends.many import Asking, ask_all, pays
from pylf.errors import CompileError, Diagnostic
from pylf.frontends.path.labels import labels_of
from pylf.frontends.path.lower import lower_untyped
from pylf.ir import build
from pylf.ir.nodes import Body, Form, Path, Triple
from pylf.ir.terms import Iri, Var
from pylf.language.context import Context
from pylf.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.backends.outcome import Outcome
    from pylf.frontends.path.tree import PathTree
    from pylf.ir.nodes import Query

#: So many paths go together at most; a dialect that stands less has its batches halved.
TOGETHER = 64

#: what is wrong with a name, not with a path
_NAMES = frozenset(
    ("unknown-relation", "unknown-label", "unknown-datatype", "unknown-class", "ambiguous-name", "illegal-iri", "kind")
)


class Status(StrEnum):
    """What is known of a path."""

    HOLDS = "holds"
    FAILS = "fails"
    #: nothing in the graph or its schema, or more than one relation, answers to a name
    UNKNOWN = "unknown name"
    #: the text is no path
    UNREADABLE = "unreadable"
    #: the engine gave no answer
    UNDECIDED = "undecided"


@record
class Verdict:
    """What is known of a path. ``hop``, counted from 1, is the first that fails, as far as that could be told;
    ``finding`` says what is wrong with a name or a text; ``outcome`` how the query ended that should have told more."""

    status: Status
    hop: int | None = None
    finding: Diagnostic | None = None
    outcome: Outcome | None = None

    @property
    def holds(self) -> bool:
        """Whether the graph has the path."""
        return self.status is Status.HOLDS


def counts(verdicts: Iterable[Verdict]) -> dict[Status, int]:
    """How many verdicts there are of each status, 0 included."""
    found = Counter(verdict.status for verdict in verdicts)
    return {status: found[status] for status in Status}


def check_paths(asking: Asking, trees: Sequence[PathTree]) -> list[Verdict]:
    """The verdict on each path, in order.

    Raises:
        EngineError: labels could not be looked up.
    """
    asking = replace(asking, together=max(TOGETHER, asking.together))
    return _Checking(asking, trees).verdicts()


class _Checking:
    def __init__(self, asking: Asking, trees: Sequence[PathTree]) -> None:
        self.asking = asking
        self.trees = trees
        self.context = Context(asking.schema, asking.vocabulary)
        self.labels = labels_of(trees, asking)
        self.found: dict[int, Verdict] = {}

    def verdicts(self) -> list[Verdict]:
        whole = {place: self.beginning(place, len(tree.hops)) for place, tree in enumerate(self.trees)}
        told, untold = self.answers({(place, 0): query for place, query in whole.items() if query is not None})
        self.found |= {place: Verdict(Status.UNDECIDED, outcome=outcome) for (place, _), outcome in untold.items()}
        failed = [place for place in whole if place not in self.found and not told.get((place, 0), False)]
        self.look_where(failed)
        self.found |= self.missing(failed)
        return [self.found.get(place, Verdict(Status.HOLDS)) for place in range(len(self.trees))]

    def beginning(self, place: int, hops: int) -> Query | None:
        """The query for the first so many hops of a path; None where it needs no asking: the verdict is noted, or it
        cannot hold."""
        try:
            return lower_untyped(self.trees[place].until(hops), self.context, self.labels)
        except CompileError as error:
            first = error.diagnostics[0]
            if first.code in _NAMES:
                self.found[place] = Verdict(Status.UNKNOWN, None, first)
            return None

    def answers(
        self, queries: dict[tuple[int, int], Query]
    ) -> tuple[dict[tuple[int, int], bool], dict[tuple[int, int], Outcome]]:
        """Yes or no, by what was asked for; and how those queries ended that gave no answer."""
        # those of one shape beside each other: they are asked as one table, others as a union
        keys = sorted(queries, key=lambda key: (*_shape(queries[key]), key))
        told: dict[tuple[int, int], bool] = {}
        untold: dict[tuple[int, int], Outcome] = {}
        for key, outcome in zip(keys, ask_all(self.asking, [queries[key] for key in keys]), strict=True):
            yes = None if outcome.answers is None else outcome.answers.boolean
            if yes is None or not (yes or outcome.complete):
                untold[key] = outcome
            else:
                told[key] = yes
        return told, untold

    def look_where(self, failed: list[int]) -> None:
        """Notes of each path that fails the first hop with which it does. Where the beginnings that would tell were
        not answered, it is not known; that the path fails is."""
        queries: dict[tuple[int, int], Query] = {}
        for place in failed:
            for hops in range(1, len(self.trees[place].hops)):
                query = self.beginning(place, hops)
                if query is None:
                    break
                queries[place, hops] = query
        told, untold = self.answers(queries)
        for place in failed:
            if place in self.found:
                continue
            last = len(self.trees[place].hops)
            # a beginning that fails takes all longer ones with it; one that needed no asking fails
            fails = next(
                (hops for hops in range(1, last) if (place, hops) not in untold and not told.get((place, hops), False)),
                last,
            )
            holds = max((hops for hops in range(1, fails) if told.get((place, hops), False)), default=0)
            if fails == holds + 1:
                self.found[place] = Verdict(Status.FAILS, fails)
            else:
                self.found[place] = Verdict(Status.FAILS, outcome=untold[place, holds + 1])

    def missing(self, failed: list[int]) -> dict[int, Verdict]:
        """Verdicts on those paths that fail because of an id that no triple mentions."""
        ends: dict[int, list[tuple[int, Iri]]] = {}
        for place in failed:
            hop = self.found[place].hop
            query = None if hop is None else self.beginning(place, hop)
            path = next((c for c in query.body.conjuncts if isinstance(c, Path)), None) if query is not None else None
            if path is not None and hop is not None:
                ends[place] = [(at, node) for at in (hop - 1, hop) if isinstance(node := path.nodes[at], Iri)]
        there = self.mentioned(list(dict.fromkeys(node for some in ends.values() for _, node in some)))
        found: dict[int, Verdict] = {}
        for place, some in ends.items():
            absent = next((at for at, node in some if not there.get(node, True)), None)
            if absent is not None:
                tree = self.trees[place]
                at = tree.nodes[absent]
                text = getattr(at, "text", "")
                message = f"no triple of the graph is about {text!r}"
                finding = Diagnostic("unknown-entity", message, at.span, tree.source, name=text)
                found[place] = Verdict(Status.UNKNOWN, self.found[place].hop, finding)
        return found

    def mentioned(self, nodes: list[Iri]) -> dict[Iri, bool]:
        """Whether some triple is about each node, as far as that can be told."""
        engine = self.asking.engine
        if not pays(engine):
            return {
                node: any(True for place in ((node, None, None), (None, None, node)) for _ in engine.triples(*place))
                for node in nodes
            }
        one, other = Var("relation"), Var("other")
        queries = [
            build.query(
                Form.BOOLEAN,
                (),
                build.union([Body((Triple(node, one, other),)), Body((Triple(other, one, node),))]),
            )
            for node in nodes
        ]
        told = ask_all(self.asking, queries)
        # only a complete answer tells that there is none
        return {
            node: not outcome.complete or outcome.answers is None or outcome.answers.boolean is True
            for node, outcome in zip(nodes, told, strict=True)
        }


def _shape(query: Query) -> tuple[int, tuple[bool, ...]]:
    path = next((conjunct for conjunct in query.body.conjuncts if isinstance(conjunct, Path)), None)
    return (0, ()) if path is None else (len(path.relations), path.forward)
