"""A SPARQL endpoint as an engine: the same questions and look-ups as of a graph at hand, each a query or a few.

Every query is a tree that the printer writes; every answer is whole, or an error (:mod:`pylf.backends.engines.paging`).
Nothing is sent before something is asked.

- **Blank nodes.** An endpoint's blank node has a label within one answer; to ask for it again is a matter of the
  engine. Virtuoso knows its own (``nodeID://b1``) by name. Elsewhere a look-up *of* a blank node is an EngineError:
  "no triples" would be a wrong answer. Labels that do not outlive an answer are made unlike those of other answers, so
  that no two nodes are taken for one.
- **Virtuoso's literals.** In a pattern, 1 matches whatever equals 1: what comes back is looked at again. Doubles
  are printed with six digits and booleans as 0 and 1, so triples take the spelling of literals from ``STR``.
- **Merged graphs.** Where not exactly one graph is asked, a triple of several may come several times: look-ups and
  counts are DISTINCT there.
- **Labels** are asked for apart from the question, some hundred nodes a query.
"""

from __future__ import annotations

import itertools
import math
import re
import threading
from typing import TYPE_CHECKING

from pylf.backends.dialects import NAMES, dialect_at
from pylf.backends.engines import lookups
from pylf.backends.engines.labels import best_labels, classes_of
from pylf.backends.engines.paging import AnswerReader, number_of
from pylf.backends.engines.results import answers_of
from pylf.backends.engines.spellings import mended_row, needs_mending
from pylf.backends.http.client import Client, IncompleteRows
from pylf.backends.http.request import shown_url
from pylf.backends.outcome import IncompleteAnswer, Nameless
from pylf.backends.patience import held, until
from pylf.backends.sparql import emitted
from pylf.backends.sparql.print import print_tree
from pylf.backends.sparql.query import Ask, Group, TriplePattern
from pylf.errors import EngineError, EngineTimeout, InvalidIR
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.ir.terms import Blank, Iri, Literal, Var

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pylf.backends.engines.http_statistics import HttpStatistics
    from pylf.backends.http.client import Identity
    from pylf.backends.http.endpoint import Endpoint
    from pylf.backends.patience import Limit
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.query import Select
    from pylf.ir.answers import Row
    from pylf.ir.graph import Pattern, TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

UNSTATED = "unstated"
#: how far an estimate counts
_ENOUGH = 256
#: Of a look-up, so many triples are asked for at first: most have fewer, and who wants one needs no more.
_FIRST = 1_000
#: Estimates that are remembered: they serve to choose an order, and may be out of date.
_REMEMBERED = 20_000
_VIRTUOSO_BLANK = re.compile("b[0-9]+")


class HttpEngine:
    """An endpoint, and the queries on it. Implements :class:`pylf.backends.engines.protocol.Engine`.

    A handle is cheap and may be shared by threads.

    Raises:
        InputError: the endpoint's dialect, or what is said to differ in it, does not exist.
    """

    #: a look-up is a message there and back
    lookup_cost = 400

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._lock = threading.RLock()
        self._spoken = None if endpoint.dialect is None else dialect_at(endpoint, endpoint.dialect)
        #: until the dialect is known, this one only asks what the endpoint is
        self._client = Client(endpoint, self._spoken)
        self._identity: Identity | None = None
        self._reader: AnswerReader | None = None
        self._estimates: dict[tuple[Node | None, ...], int] = {}
        self._languages: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._answer = itertools.count(1)

    # --- what it is -----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The address, without a password that may stand in it."""
        return shown_url(self.endpoint.url)

    @property
    def spoken(self) -> Dialect:
        """The dialect that the endpoint is said to speak, else that of the engine it says it is, else plain SPARQL 1.1;
        with what is said to differ at it.

        Raises:
            EngineError: it has to be asked, and does not answer.
        """
        with held(self._lock):
            if self._spoken is None:
                name = self.identity.dialect
                self._spoken = dialect_at(self.endpoint, name if name is not None and name in NAMES else "sparql11")
                self._client.close()
                self._client = Client(self.endpoint, self._spoken)
            return self._spoken

    @property
    def client(self) -> Client:
        """What sends the queries, and knows what to expect of the engine."""
        with held(self._lock):
            _ = self.spoken  # from then on there is one for this dialect
            return self._client

    @property
    def identity(self) -> Identity:
        """What the server says of itself; asked once."""
        with held(self._lock):
            if self._identity is None:
                self._identity = self._client.identify()
            return self._identity

    @property
    def dialect(self) -> str:
        """The name of that dialect."""
        return self.spoken.name

    @property
    def version(self) -> str:
        """What the server says that it is; ``unknown`` where it says nothing."""
        return self.identity.server or "unknown"

    @property
    def snapshot(self) -> str:
        """The state of the data as the endpoint's description states it; else ``unstated``."""
        return self.endpoint.snapshot or UNSTATED

    @property
    def cache_scope(self) -> str | None:
        """Address, caller, snapshot and graphs, none of which runs into the next; None where the snapshot is not
        stated."""
        if self.endpoint.snapshot is None:
            return None
        parts = (self.endpoint.url, self.client.caller, self.endpoint.snapshot, *self.endpoint.graphs)
        return "".join([f"{len(part)}:{part}" for part in parts])

    @property
    def merged(self) -> bool:
        """Whether a triple may come more than once: not exactly one graph is asked."""
        return len(self.endpoint.graphs) != 1

    @property
    def named_blanks(self) -> bool:
        """Whether a blank node has the same label in all answers."""
        return self.spoken.named_blanks

    def close(self) -> None:
        """Closes idle connections; the engine can be asked again."""
        with held(self._lock):
            self._client.close()

    # --- queries --------------------------------------------------------------------------------------------------

    def run(
        self, query: Query, schema: Schema, vocabulary: Vocabulary, optimize: int = 1, timeout: float | None = None
    ) -> Answers:
        """The answers of a query. ``timeout`` is in seconds and stands for the endpoint's total limit.

        Raises:
            EngineError: there are no complete answers: IncompleteAnswer, EngineTimeout, EngineRefused, or what else
                went wrong.
            UnsupportedOperation: the query cannot be expressed.
        """
        tree, text = emitted(query, schema, vocabulary, self.spoken, optimize)
        deadline = self._deadline(timeout)
        if isinstance(tree, Ask):
            return Answers.of_boolean(self._asked(text, deadline))
        try:
            rows = self.reader.table(tree, deadline, text)
        except IncompleteAnswer as cut:
            came = () if cut.answers is None else cut.answers.rows
            raise IncompleteAnswer(str(cut), _as_form(query.form, came), cut.status) from cut
        return answers_of(query.form, self._labelled_apart(rows))

    def answers(self, query: Query, sparql: str, timeout: float | None = None) -> Answers:
        """The answers of a query whose SPARQL text is at hand. Such a text has no pages: where its answer is cut, that
        is an IncompleteAnswer."""
        if query.form is Form.BOOLEAN:
            return Answers.of_boolean(self.ask(sparql, timeout))
        _, rows = self._selected(sparql, timeout, query.form)
        if any(len(row) != len(query.outputs) for row in rows):
            raise EngineError(f"the query's rows have {len(rows[0])} columns, not {len(query.outputs)}")
        return answers_of(query.form, rows)

    def select(self, sparql: str, timeout: float | None = None) -> list[dict[str, Node]]:
        """The solutions of a SELECT in its order, each by variable name; what is unbound is left out."""
        names, rows = self._selected(sparql, timeout, Form.ROWS)
        return [{name: node for name, node in zip(names, row, strict=True) if node is not None} for row in rows]

    def ask(self, sparql: str, timeout: float | None = None) -> bool:
        """The answer of an ASK."""
        return self._asked(sparql, self._deadline(timeout), trusted=False)

    def _selected(self, sparql: str, timeout: float | None, form: Form) -> tuple[Sequence[str], Sequence[Row]]:
        try:
            table = self.client.select(sparql, self._deadline(timeout))
        except IncompleteRows as cut:
            raise IncompleteAnswer(str(cut), _as_form(form, cut.table.rows), cut.status) from cut
        rows = list(map(mended_row, table.rows)) if needs_mending(self.spoken) else table.rows
        return table.variables, self._labelled_apart(rows)

    def asks(self, group: Group) -> bool:
        """Whether a group of patterns has a solution."""
        return self._asked(print_tree(Ask(group), self.spoken), self._deadline(None))

    def _asked(self, text: str, deadline: Limit, trusted: bool = True) -> bool:
        try:
            return self.client.ask(text, deadline, trusted=trusted)
        except IncompleteRows as cut:
            found = Answers.of_boolean(True) if cut.table.rows else None  # what is missing takes no solution away
            raise IncompleteAnswer(str(cut), found, cut.status) from cut

    # --- a graph --------------------------------------------------------------------------------------------------

    def triples(
        self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None
    ) -> Iterator[TripleRow]:
        """The triples that agree with the given places. See :class:`pylf.ir.graph.Graph`.

        A literal is matched as the endpoint holds it. Large answers are read as they are taken.

        Raises:
            EngineError: the endpoint fails or gives an incomplete answer (perhaps after some triples), or a blank node
                is given that cannot be asked for.
        """
        places = (subject, predicate, object)
        if not _possible(places):
            return
        look = lookups.Lookup(self._nameable(places), self.spoken, self.merged)
        deadline = self._deadline(None)
        answer = next(self._answer)
        try:
            if not look.open:
                if self._asked(print_tree(look.ask(), self.spoken), deadline):
                    yield from look.triples(places, [()])
                return
            first, whole = self.reader.peek(look.select(), _FIRST, deadline)
        except InvalidIR:
            return  # a term that cannot be written is in no graph
        if not whole and not self.named_blanks and any(isinstance(node, Blank) for row in first for node in row):
            first = ()  # what follows could not be told from it
        yield from look.triples(places, self._apart(first, answer))
        if not whole:
            given = set(first)
            more = (row for row in self.reader.stream(look.select(), deadline) if row not in given)
            yield from look.triples(places, self._apart(more, answer))

    def matching(self, patterns: Iterable[Pattern]) -> Iterator[TripleRow]:
        """The triples that agree with at least one pattern. See :class:`pylf.ir.graph.Matching`."""
        for tree in lookups.matching(patterns, self.spoken):
            answer = next(self._answer)
            rows = self.reader.stream(tree, self._deadline(None))
            yield from lookups.as_triples(self._apart(rows, answer))

    def count(self) -> int:
        """How many triples there are."""
        return number_of(self.rows(lookups.counted(self.merged)))

    def holds_at_most(self, number: int) -> bool:
        """Whether there are no more triples than this; it is not counted further."""
        return number_of(self.rows(lookups.counted(self.merged, number + 1))) <= number

    def estimate(self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None) -> int:
        """How many triples agree with the given places, counted no further than is worth knowing in advance."""
        places = (subject, predicate, object)
        known = self._estimates.get(places)
        if known is None:
            if not _possible(places):
                return 0
            look = lookups.Lookup(self._nameable(places), self.spoken, self.merged)
            try:
                known = number_of(self.rows(look.count(_ENOUGH)))
            except InvalidIR:
                known = 0
            if len(self._estimates) >= _REMEMBERED:
                self._estimates.clear()
            self._estimates[places] = known
        return known

    def holds_relation(self, iri: str) -> bool:
        """Whether the endpoint has a triple of this relation."""
        try:
            return self.asks(Group((TriplePattern(Var("s"), Iri(iri), Var("o")),)))
        except InvalidIR:
            return False

    def emptiness(self) -> str | None:
        """That the graphs that are asked hold no triples, and which graphs there are, as a sentence; None where they
        hold some, or that is not told."""
        from pylf.backends.engines.graph_names import emptiness

        try:
            return emptiness(self.endpoint, self.spoken)
        except EngineError:
            return None

    # --- labels and classes ---------------------------------------------------------------------------------------

    def labels(self, nodes: Iterable[Node], vocabulary: Vocabulary) -> dict[Node, str]:
        """The label of each node that has one: in the vocabulary's first language that there is, else in any. Some
        hundred nodes a query; nodes without a name are not asked for."""
        named = dict.fromkeys([node for node in nodes if isinstance(node, Iri)])
        predicates = [Iri(p) for p in vocabulary.label_predicates]
        if not named or not predicates:
            return {}
        best = best_labels(self.matching([lookups.by_subject(named, predicates)]), vocabulary)
        return {node: best[node] for node in named if node in best}

    def entities_labelled(
        self, text: str, vocabulary: Vocabulary, languages: Iterable[str] | None = None
    ) -> tuple[Iri | Blank, ...]:
        """The entities that bear exactly this label: named ones, sorted, then those without a name; as
        :meth:`bearers`."""
        return self.bearers((text,), vocabulary, None if languages is None else tuple(languages)).get(text, ())

    def bearers(
        self, texts: Sequence[str], vocabulary: Vocabulary, languages: Sequence[str] | None = None
    ) -> dict[str, tuple[Iri | Blank, ...]]:
        """The entities that bear exactly these labels, by label, many asked for at once; labels that nothing bears are
        left out. Of a label named entities come first, sorted.

        ``languages`` are the tags to look under ("" for none), in whatever case; without them, every tag that labels of
        the endpoint carry. These have to be found out first, as for :meth:`label_languages`, and so has their spelling
        where the endpoint tells ``en-US`` from ``en-us``.

        Raises:
            EngineError: the endpoint does not tell what its labels' tags are, or who bears the label.
        """
        tags = self.label_languages(vocabulary) if languages is None else tuple(languages)
        predicates = [Iri(p) for p in vocabulary.label_predicates]
        if any(tags) and not self.spoken.folds_language:
            wanted = {tag.lower() for tag in tags}
            tags = tuple([tag for tag in self._label_tags(vocabulary) if tag.lower() in wanted])
        if not tags or not predicates:
            return {}
        found: dict[str, set[Iri | Blank]] = {}
        try:
            for tree in lookups.bearers(texts, tags, predicates):
                for node, label in self._labelled_apart(self.rows(tree)):
                    if isinstance(node, Iri | Blank) and isinstance(label, Literal):
                        found.setdefault(label.lexical, set()).add(node)
        except InvalidIR:  # a text, a tag or a predicate that no query can hold
            if len(texts) < 2:
                return {}
            halves = texts[: len(texts) // 2], texts[len(texts) // 2 :]
            return {k: v for half in halves for k, v in self.bearers(half, vocabulary, languages).items()}
        return {text: tuple(sorted(nodes, key=str)) for text, nodes in found.items()}

    def label_languages(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """The language tags of the endpoint's labels, "" for none, those that the vocabulary names first. Found by a
        look at all labels, once.

        Raises:
            EngineError: the endpoint does not tell: then it is not known under which tags to look for a label.
        """
        known = sorted({tag.lower() for tag in self._label_tags(vocabulary)})
        return tuple(dict.fromkeys((*(t.lower() for t in vocabulary.label_languages), *known)))

    def _label_tags(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """The language tags of the endpoint's labels as they are written there."""
        predicates = vocabulary.label_predicates
        known = self._languages.get(predicates)
        if known is None:
            known = self._languages[predicates] = self._scan_languages(predicates)
        return known

    def _scan_languages(self, predicates: Sequence[str]) -> tuple[str, ...]:
        if not predicates:
            return ()
        try:
            rows = self.rows(lookups.languages([Iri(p) for p in predicates]))
        except EngineTimeout as late:
            written = (
                "the language with the label, as in 'Boeing Company@en', or " if self.spoken.folds_language else ""
            )
            raise EngineTimeout(
                f"{self.name} does not tell in time in which languages its labels are ({late}); write {written}"
                "the entity's id"
            ) from late
        return tuple(sorted({node.lexical for (node,) in rows if isinstance(node, Literal)}))

    def classes_of(self, node: Node, vocabulary: Vocabulary) -> tuple[Iri, ...]:
        """The classes that the graph states of a node, sorted; superclasses only where they are stated."""
        return classes_of(self, node, vocabulary)

    # --- schema ---------------------------------------------------------------------------------------------------

    def statistics(self) -> HttpStatistics:
        """Counts for schema inference, by queries that group and count; each of its methods may raise EngineError."""
        from pylf.backends.engines.http_statistics import HttpStatistics

        return HttpStatistics(self)

    # --- inside ---------------------------------------------------------------------------------------------------

    @property
    def reader(self) -> AnswerReader:
        """What reads whole answers."""
        with held(self._lock):
            if self._reader is None:
                spoken = self.spoken
                caps = [cap for cap in (self.endpoint.row_cap, spoken.row_cap) if cap is not None]
                # what the endpoint's description states stands for what its engine commonly does
                self._reader = AnswerReader(self.client, spoken, caps[0] if caps else None)
            return self._reader

    def rows(self, tree: Select) -> Sequence[Row]:
        """All rows of a SELECT."""
        return self.reader.table(tree, self._deadline(None))

    def stream(self, tree: Select) -> Iterator[Row]:
        """All rows of a SELECT as they come."""
        return self.reader.stream(tree, self._deadline(None))

    def _deadline(self, timeout: float | None) -> Limit:
        """The caller's limit, else the endpoint's, for all that one question takes."""
        return until(self.endpoint.limits.total if timeout is None or timeout == math.inf else timeout)

    def _nameable(self, places: tuple[Node | None, ...]) -> tuple[Iri | Literal | None, ...]:
        """The places as terms of a query.

        Raises:
            EngineError: a blank node that cannot be asked for.
        """
        found: list[Iri | Literal | None] = []
        for node in places:
            if isinstance(node, Blank):
                if not self.spoken.asks_blanks or not _VIRTUOSO_BLANK.fullmatch(node.label):
                    raise Nameless(f"{self.name}: a blank node ({node}) cannot be asked for")
                found.append(Iri(f"nodeID://{node.label}"))
            else:
                found.append(node)
        return tuple(found)

    def _labelled_apart(self, rows: Sequence[Row]) -> Sequence[Row]:
        return list(self._apart(rows, next(self._answer)))

    def _apart(self, rows: Iterable[Row], answer: int) -> Iterator[Row]:
        """Rows whose blank nodes cannot be taken for those of other answers."""
        if self.named_blanks:
            yield from rows
            return
        for row in rows:
            if any(isinstance(node, Blank) for node in row):
                row = tuple([Blank(f"{n.label}.{answer}") if isinstance(n, Blank) else n for n in row])  # noqa: PLW2901
            yield row


def _possible(places: tuple[Node | None, ...]) -> bool:
    """Whether a triple may have such terms in its places."""
    subject, predicate, _ = places
    return not isinstance(subject, Literal) and not isinstance(predicate, Literal | Blank)


def _as_form(form: Form, rows: Sequence[Row]) -> Answers | None:
    """What came of answers that are not complete; None for a number that did not come."""
    try:
        return answers_of(form, rows)
    except (EngineError, InvalidIR):
        return None
