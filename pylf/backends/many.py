"""Asking an engine many queries: the candidates that a method has for what a question means.

Over HTTP, candidates of one kind go together (:mod:`pylf.ir.batch`): one round trip for all of them. On a store
at hand there is no trip to save, and they are asked one by one. Either way there is an outcome for each, in order, and
it is the one that asking it alone gives. Candidates that say the same are asked once. Those that differ only in where
they lead are a table and one body (:mod:`pylf.backends.sparql.row_table`), others the arms of a union. Either way each
is planned for itself, as it would be alone.

**What cannot be said together** shows before anything is sent: a candidate that the dialect has no form for, or more
patterns than the engine plans well. Such a batch is halved until it can be said. A candidate that cannot be said alone
has that for its outcome, and spoils no other.

**What fails together** (a time-out, an answer that a cap cut, an error of the engine) is asked again one by one. That
is one query more than one by one from the beginning, and every candidate has its own limit, and pages. Halving such a
batch would ask the candidate that is too slow once on every level, each time up to the limit.

Who wants one limit over all puts :func:`pylf.backends.patience.within` around.
"""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.execute import asked, key_of
from pylf.backends.outcome import Outcome, Status
from pylf.backends.sparql import emitted, planned
from pylf.backends.sparql.lower import lower_query
from pylf.backends.sparql.print import OddIri, print_tree
from pylf.backends.sparql.row_table import may_be_alike, selected, tabled
from pylf.backends.sparql.weight import weight
from pylf.errors import EngineError, InvalidIR, UnsupportedOperation
from pylf.ir.batch import batched, kind, lists_literals, split, tags
from pylf.ir.canonical import fingerprint
from pylf.ir.nodes import Form
from pylf.ir.terms import XSD_INTEGER, Literal
from pylf.ir.verify import verify
from pylf.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from pylf.backends.engines.protocol import Engine
    from pylf.backends.results_cache import ResultsCache
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.query import QueryTree
    from pylf.ir.answers import Answers, Row
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Var

#: How many candidates go together at most.
TOGETHER = 16
#: The share of a dialect's ``weight_limit`` that a batch may have. Virtuoso takes the rest from one question, but ended
#: itself over a batch of three quarters, when it had answered some hundred other queries before.
_LIGHT = 0.5
#: The ``lookup_cost`` of a store at hand, where asking costs no more than reading on.
_AT_HAND = 1
_ZERO = Literal("0", XSD_INTEGER)


@record(eq=False)
class Asking:
    """Whom queries are asked, and how.

    ``timeout`` is in seconds, for each query that is sent; ``together``, how many queries go together at most.
    """

    engine: Engine
    schema: Schema
    vocabulary: Vocabulary
    optimize: int = 1
    timeout: float | None = None
    cache: ResultsCache | None = None
    together: int = TOGETHER


def pays(engine: Engine) -> bool:
    """Whether candidates are asked together: where a question is a message there and back."""
    return engine.lookup_cost > _AT_HAND


def ask_all(asking: Asking, queries: Iterable[Query]) -> list[Outcome]:
    """The outcome of each query, in order; see :func:`outcomes`."""
    return list(outcomes(asking, queries))


def first_answered(asking: Asking, queries: Iterable[Query]) -> tuple[int, Outcome] | None:
    """The place of the first query that is answered by more than the empty set, and its outcome; None where none is.

    Those before it that had no complete answer are passed over; :func:`outcomes` shows them. A number and a yes or no
    always answer.
    """
    found = enumerate(outcomes(asking, queries))
    return next(((place, one) for place, one in found if one.status is Status.ANSWERED), None)


def outcomes(asking: Asking, queries: Iterable[Query]) -> Iterator[Outcome]:
    """The outcome of each query, in order, as they are taken: several queries are asked when the first of them is
    wanted, one where it does not pay to ask more.

    A candidate's seconds are its share of its batch's; one that says what an earlier one said has that one's outcome,
    as ``cached``. A query that breaks a rule of the IR, or has no form in the dialect, has the status ``engine error``
    and says so.

    Raises:
        InputError: the time limit is not above 0.
    """
    asker = _Asker(asking)
    size = asking.together if pays(asking.engine) else 1
    rest = iter(queries)
    while some := list(islice(rest, size)):
        yield from asker.outcomes(some)


class _Wanted(NamedTuple):
    """A query that is yet to be asked, as a tree where that is of use, and what its answers are kept under."""

    query: Query
    tree: QueryTree | None
    key: str | None


class _Together(NamedTuple):
    """What asks for several, its columns, the tag first, and whether they are in a ``table``."""

    text: str
    columns: Sequence[Var]
    table: bool


class _Asker:
    """Asks, and remembers what came of it."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking
        self.engine = asking.engine
        self.cache = asking.cache
        #: outcomes so far, by what was asked
        self.known: dict[str, Outcome] = {}

    def outcomes(self, queries: Sequence[Query]) -> list[Outcome]:
        """The outcome of each of a few queries, those of one kind asked together."""
        found: list[Outcome | None] = [None] * len(queries)
        said: list[str] = [""] * len(queries)
        kinds: dict[Hashable | None, dict[str, Query]] = {}
        for place, query in enumerate(queries):
            try:
                verify(query)
            except InvalidIR as problem:
                found[place] = Outcome(Status.ERROR, reason=str(problem))
                continue
            said[place] = fingerprint(query)
            if said[place] not in self.known:
                kinds.setdefault(self._kind(query), {}).setdefault(said[place], query)
        new: dict[str, Outcome] = {}
        for of_kind, these in kinds.items():
            told = self._all(list(these.values())) if of_kind is not None else map(self._alone, these.values())
            new.update(zip(these, told, strict=True))
        self.known |= new
        return [self._told(say, new) if outcome is None else outcome for outcome, say in zip(found, said, strict=True)]

    def _kind(self, query: Query) -> Hashable | None:
        """What goes together has this in common; None for what is asked alone."""
        try:
            return None if lists_literals(query) and self.engine.spoken.blurs_lists else kind(query)
        except EngineError:  # asked, it says so
            return None

    def _told(self, said: str, new: dict[str, Outcome]) -> Outcome:
        outcome = new.pop(said, None)
        return replace(self.known[said], seconds=0.0, cached=True) if outcome is None else outcome

    def _all(self, queries: list[Query]) -> list[Outcome]:
        """The outcomes of different queries of one kind; what is kept of earlier answers is not asked for."""
        if len(queries) == 1:
            return [self._alone(queries[0])]
        wanted = [self._wanted(query) for query in queries]
        kept = [self._kept(one) for one in wanted]
        rest = iter(self._together([one for one, outcome in zip(wanted, kept, strict=True) if outcome is None]))
        return [next(rest) if outcome is None else outcome for outcome in kept]

    def _together(self, wanted: list[_Wanted]) -> list[Outcome]:
        if len(wanted) < 2:
            return [self._alone(one.query) for one in wanted]
        began = time.monotonic()
        own: list[Answers | None] = [None] * len(wanted)
        try:
            with suppress(EngineError):
                one = self._as_one(wanted)
                own = split([each.query for each in wanted], self._rows(one, wanted))
        except (UnsupportedOperation, InvalidIR):
            half = len(wanted) // 2
            return self._together(wanted[:half]) + self._together(wanted[half:])
        share = (time.monotonic() - began) / len(wanted)
        return [
            self._alone(each.query, share) if answers is None else self._whole(each, answers, share)
            for each, answers in zip(wanted, own, strict=True)
        ]

    def _as_one(self, wanted: list[_Wanted]) -> _Together:
        """What asks for all of them: a table of what they differ in, where they are alike, else a union.

        Raises:
            InvalidIR, UnsupportedOperation: they cannot be said together.
        """
        spoken = self.engine.spoken
        trees = [each.tree for each in wanted if each.tree is not None]
        table = tabled(trees, tags(len(wanted)), spoken) if len(trees) == len(wanted) else None
        if table is not None:
            return _Together(print_tree(table, spoken), selected(table), table=True)
        asking = self.asking
        ground = asking.schema, asking.vocabulary, spoken, asking.optimize
        query = batched([planned(each.query, *ground) for each in wanted]).query
        tree, text = self._written(query, spoken)
        if spoken.weight_limit is not None and weight(tree) > spoken.weight_limit * _LIGHT:
            raise UnsupportedOperation("so much together", f"SPARQL ({spoken.name}): the engine may not stand it")
        return _Together(text, query.outputs, table=False)

    def _written(self, query: Query, spoken: Dialect) -> tuple[QueryTree, str]:
        """The tree and the text of a query of plans, over which no pass runs.

        Raises:
            UnsupportedOperation: it has no form in the dialect.
        """
        asking = self.asking
        for spell_iris in (False, True):
            tree = lower_query(query, asking.schema, asking.vocabulary, spoken, asking.optimize, spell_iris)
            with suppress(OddIri):
                return tree, print_tree(tree, spoken, strictly=spoken.strict_iris)
        where = f"SPARQL ({spoken.name}) here: the engine takes no such IRI (RFC 3987)"
        raise UnsupportedOperation("an IRI of theirs", where)

    def _rows(self, one: _Together, wanted: list[_Wanted]) -> list[Row]:
        """The rows of a batch, which are not asked for in pages: where a cap cuts them, that is an error."""
        names = [column.name for column in one.columns]
        rows = [tuple(map(solution.get, names)) for solution in self.engine.select(one.text, self.asking.timeout)]
        if not one.table or wanted[0].query.form is not Form.NUMBER:
            return rows
        counted = {row[0] for row in rows}  # in groups: there is none where there is nothing
        return [*rows, *((tag, _ZERO) for tag in tags(len(wanted)) if tag not in counted)]

    def _wanted(self, query: Query) -> _Wanted:
        """A query, lowered where that is of use, and what its answers are kept under: None where they are not."""
        asking = self.asking
        scope = self.engine.cache_scope if self.cache is not None else None
        try:
            spoken = self.engine.spoken
            if scope is None and not may_be_alike(query, spoken):
                return _Wanted(query, None, None)
            tree, text = emitted(query, asking.schema, asking.vocabulary, spoken, asking.optimize)
        except (EngineError, UnsupportedOperation, InvalidIR):
            return _Wanted(query, None, None)  # asked, it says so
        return _Wanted(query, tree, None if scope is None else key_of(text, scope, query))

    def _whole(self, wanted: _Wanted, answers: Answers, seconds: float) -> Outcome:
        if self.cache is not None and wanted.key is not None:
            self.cache.put(wanted.key, answers)
        return Outcome(Status.EMPTY if answers.empty else Status.ANSWERED, answers, seconds=seconds)

    def _alone(self, query: Query, spent: float = 0.0) -> Outcome:
        """The outcome of a query by itself, for which so many seconds have been spent already."""
        asking = self.asking
        schema, vocabulary, optimize = asking.schema, asking.vocabulary, asking.optimize
        try:
            outcome = asked(self.engine, query, schema, vocabulary, optimize, asking.timeout, self.cache)
        except (UnsupportedOperation, InvalidIR) as problem:
            return Outcome(Status.ERROR, reason=str(problem), seconds=spent)
        return replace(outcome, seconds=outcome.seconds + spent) if spent else outcome

    def _kept(self, wanted: _Wanted) -> Outcome | None:
        answers = self.cache.get(wanted.key) if self.cache is not None and wanted.key is not None else None
        if answers is None:
            return None
        return Outcome(Status.EMPTY if answers.empty else Status.ANSWERED, answers, cached=True)
