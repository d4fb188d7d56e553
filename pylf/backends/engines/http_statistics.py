"""Counts for schema inference, from an endpoint: what :class:`pylf.ir.schema.statistics.Statistics` asks, by queries.

Literals are grouped by what they are spelled as, by datatype and by language, since engines differ in which of them
they hold for the same. Their datatypes and spellings are those that the endpoint holds, whatever was loaded into it.

A blank node is the same in the six answers only where it keeps its name between answers. Where it does not, and there
are blank nodes, all triples are read in one answer and counted here.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pylf.backends.engines import lookups
from pylf.backends.engines.lookups import OBJECT, PLACES, PREDICATE, SUBJECT
from pylf.backends.engines.paging import number_of
from pylf.backends.engines.spellings import mended, needs_mending
from pylf.backends.sparql.query import (
    Aggregate,
    Bind,
    Call,
    Column,
    Filter,
    Group,
    Operation,
    Select,
    TriplePattern,
    Values,
)
from pylf.errors import EngineError
from pylf.ir.schema.statistics import tally
from pylf.ir.terms import RDF_LANG_STRING, Blank, Iri, Literal, Var

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.backends.engines.http import HttpEngine
    from pylf.backends.sparql.query import Expression, Pattern
    from pylf.ir.answers import Row
    from pylf.ir.schema.statistics import LiteralRow, Tally
    from pylf.ir.terms import Node

_TRIPLE = TriplePattern(*PLACES)
_OTHER = Var("q")
_TRIPLES, _SUBJECTS, _OBJECTS = Var("triples"), Var("subjects"), Var("objects")
_SPELLING, _DATATYPE, _LANGUAGE = Var("spelling"), Var("datatype"), Var("language")
_IS_ENTITY = Operation("||", (Call("isIRI", (OBJECT,)), Call("isBlank", (OBJECT,))))


class HttpStatistics:
    """Implements :class:`pylf.ir.schema.statistics.Statistics`. What differs most stands first in each answer, since
    that is what pages are made by.

    Raises:
        EngineError: by any method, where the endpoint fails or does not give the whole answer.
    """

    def __init__(self, engine: HttpEngine) -> None:
        self._engine = engine

    def relation_counts(self) -> Iterable[tuple[str, int, int, int]]:
        """See :meth:`pylf.ir.schema.statistics.Statistics.relation_counts`."""
        return self._tally.relation_counts() if self._tally is not None else self._counts

    def type_pairs(self, predicates: tuple[str, ...]) -> Iterable[tuple[str, str]]:
        """See :meth:`pylf.ir.schema.statistics.Statistics.type_pairs`."""
        if self._tally is not None:
            yield from self._tally.type_pairs(predicates)
            return
        named = Filter(Call("isIRI", (OBJECT,)))
        for predicate in predicates:
            pattern = TriplePattern(SUBJECT, Iri(predicate), OBJECT)
            for subject, kind in self._rows((SUBJECT, OBJECT), pattern, named):
                yield _key(subject), _iri(kind)

    def subject_pairs(self) -> Iterable[tuple[str, str]]:
        """See :meth:`pylf.ir.schema.statistics.Statistics.subject_pairs`."""
        if self._tally is not None:
            yield from self._tally.subject_pairs()
            return
        for subject, relation in self._rows((SUBJECT, PREDICATE), _TRIPLE):
            yield _iri(relation), _key(subject)

    def object_pairs(self) -> Iterable[tuple[str, str]]:
        """See :meth:`pylf.ir.schema.statistics.Statistics.object_pairs`."""
        if self._tally is not None:
            yield from self._tally.object_pairs()
            return
        for target, relation in self._rows((OBJECT, PREDICATE), _TRIPLE, Filter(_IS_ENTITY)):
            yield _iri(relation), _key(target)

    def literals(self) -> Iterable[LiteralRow]:
        """See :meth:`pylf.ir.schema.statistics.Statistics.literals`."""
        if self._tally is not None:
            yield from self._tally.literals()
            return
        keys = (_SPELLING, PREDICATE, _DATATYPE, _LANGUAGE)
        patterns: list[Pattern] = [self._each(_TRIPLE), Filter(Call("isLiteral", (OBJECT,)))]
        for function, variable in (("STR", _SPELLING), ("DATATYPE", _DATATYPE), ("LANG", _LANGUAGE)):
            patterns.append(Bind(Call(function, (OBJECT,)), variable))
        counted = Select((*keys, _number(None, _TRIPLES)), Group(tuple(patterns)), group_by=keys)
        for spelling, relation, datatype, language, triples in self._engine.stream(counted):
            tag = _text(language).lower()
            # of a tagged string some engines tell no datatype
            literal = Literal(_text(spelling), RDF_LANG_STRING if tag else _iri(datatype), tag or None)
            if needs_mending(self._engine.spoken):
                literal = mended(literal)
            yield _iri(relation), literal.lexical, literal.datatype, tag, _integer(triples)

    def reversed_pairs(self) -> Iterable[tuple[str, str, int]]:
        """See :meth:`pylf.ir.schema.statistics.Statistics.reversed_pairs`. Of relations alone that have as many
        subjects as the other has objects."""
        if self._tally is not None:
            yield from self._tally.reversed_pairs()
            return
        ends = {relation: numbers for relation, *numbers in self._counts}
        mirrored = {(triples, objects, subjects) for triples, subjects, objects in ends.values()}
        candidates = [relation for relation, numbers in ends.items() if tuple(numbers) in mirrored]
        # entity triples alone: a literal is no subject
        back = TriplePattern(OBJECT, _OTHER, SUBJECT)
        limit = self._engine.spoken.values_limit or lookups.CHUNK
        for start in range(0, len(candidates), min(limit, lookups.CHUNK)):
            chunk = candidates[start : start + min(limit, lookups.CHUNK)]
            among = Values((PREDICATE,), tuple([(Iri(relation),) for relation in chunk]))
            both: tuple[Pattern, ...] = (among, _TRIPLE, back)
            if self._engine.merged:
                both = (Select((SUBJECT, PREDICATE, OBJECT, _OTHER), Group(both), distinct=True),)
            counted = Select((PREDICATE, _OTHER, _number(None, _TRIPLES)), Group(both), group_by=(PREDICATE, _OTHER))
            for relation, other, triples in self._engine.stream(counted):
                if _iri(relation) <= _iri(other):
                    yield _iri(relation), _iri(other), _integer(triples)

    # --- inside ---------------------------------------------------------------------------------------------------

    @cached_property
    def _counts(self) -> list[tuple[str, int, int, int]]:
        columns = (
            PREDICATE,
            _number(None, _TRIPLES),
            _number(SUBJECT, _SUBJECTS),
            _number(OBJECT, _OBJECTS),
        )
        rows = self._engine.rows(Select(columns, Group((self._each(_TRIPLE),)), group_by=(PREDICATE,)))
        return [
            (_iri(p), _integer(triples), _integer(subjects), _integer(objects))
            for p, triples, subjects, objects in rows
        ]

    @cached_property
    def _tally(self) -> Tally | None:
        """The counts from one answer with all triples, where the six questions would not fit together."""
        engine = self._engine
        if engine.named_blanks:
            return None
        blank = Operation("||", (Call("isBlank", (SUBJECT,)), Call("isBlank", (OBJECT,))))
        return tally(engine) if engine.asks(Group((_TRIPLE, Filter(blank)))) else None

    def _each(self, pattern: TriplePattern) -> Pattern:
        """A pattern in which each triple counts once."""
        return Select(PLACES, Group((pattern,)), distinct=True) if self._engine.merged else pattern

    def _rows(self, columns: tuple[Var, ...], *patterns: Pattern) -> Iterator[Row]:
        yield from self._engine.stream(Select(columns, Group(patterns), distinct=True))


def _number(of: Var | None, name: Var) -> Column:
    """How many rows, or different values of a variable."""
    counted: Expression = Aggregate("COUNT", of, distinct=of is not None)
    return Column(counted, name)


def _iri(node: Node | None) -> str:
    if isinstance(node, Iri):
        return node.value
    raise EngineError(f"the endpoint answers with {node} where an IRI is expected")


def _key(node: Node | None) -> str:
    return f"_:{node.label}" if isinstance(node, Blank) else _iri(node)


def _text(node: Node | None) -> str:
    if node is None:
        return ""
    if isinstance(node, Literal):
        return node.lexical
    raise EngineError(f"the endpoint answers with {node} where a string is expected")


def _integer(node: Node | None) -> int:
    return number_of([(node,)])
