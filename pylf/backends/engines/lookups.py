"""The queries that look things up at an endpoint, as trees: triples by their places, labels, who bears one, counts."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pylf.backends.engines.spellings import mended
from pylf.backends.sparql.print import is_strict, print_tree
from pylf.backends.sparql.query import (
    Aggregate,
    Ask,
    Bind,
    Call,
    Column,
    Filter,
    Group,
    Operation,
    Select,
    TriplePattern,
    UnionPattern,
    Values,
)
from pylf.backends.sparql.values import among, is_tagged
from pylf.errors import InvalidIR
from pylf.ir.graph import Pattern
from pylf.ir.terms import ILLEGAL_IN_IRI, RDF_LANG_STRING, XSD_STRING, Iri, Literal, Var
from pylf.ir.values import identity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pylf.backends.sparql import query as tree
    from pylf.backends.sparql.dialect import Dialect
    from pylf.ir.answers import Row
    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node, Term

#: nodes that one query asks about at most
CHUNK = 500
#: datatypes whose literals every engine matches by their characters
_BY_SPELLING = frozenset({XSD_STRING, RDF_LANG_STRING})

SUBJECT, PREDICATE, OBJECT = PLACES = Var("s"), Var("p"), Var("o")
_SPELLED = Var("spelled")


class Lookup:
    """The triples with given terms in some places.

    What a pattern would not match as the term that it is, is matched by a filter, and looked at again when it comes:
    IRIs that the engine's parser does not take, by their spelling; tagged strings, where a pattern meets the spelling
    of a tag, by text and tag in lower case; numbers, dates and booleans, where a pattern meets whatever equals them: by
    all that is in the place of what they meet.
    """

    def __init__(self, places: Sequence[Iri | Literal | None], dialect: Dialect, distinct: bool) -> None:
        self._respelled = dialect.prints_numbers and (places[2] is None or isinstance(places[2], Literal))
        self._distinct = distinct
        terms: list[Term] = []
        narrowed: list[tree.Pattern] = []
        after: list[tree.Pattern] = []
        meeting: Literal | None = None
        for variable, term in zip(PLACES, places, strict=True):
            match term:
                case Iri(value) if dialect.strict_iris and not is_strict(value):
                    after.append(Filter(Operation("=", (Call("STR", (variable,)), Literal(value)))))
                case Literal(_, _, str()) if not dialect.folds_language:
                    after.append(Filter(among(variable, (term,), dialect)))
                case Literal(_, datatype) if dialect.joins_values and datatype not in _BY_SPELLING:
                    # besides, a filter ``?o = 1`` would put that 1 in the place of what ?o is
                    meeting = term
                case Iri() | Literal():
                    terms.append(term)
                    continue
            terms.append(variable)
        subject, predicate, target = terms
        assert isinstance(predicate, Iri | Var)
        if meeting is not None:
            narrowed.append(TriplePattern(subject, predicate, meeting))
        self._group = Group((*narrowed, TriplePattern(subject, predicate, target), *after))
        self._variables = tuple([term for term in terms if isinstance(term, Var)])

    @property
    def open(self) -> bool:
        """Whether there is something to select; otherwise :meth:`ask` tells all."""
        return bool(self._variables)

    def ask(self) -> Ask:
        """Whether there is any such triple."""
        return Ask(self._group)

    def select(self, limit: int | None = None) -> Select:
        """What stands in the other places."""
        columns: list[Var | Column] = list(self._variables)
        if self._respelled and OBJECT in self._variables:
            columns.append(Column(Call("STR", (OBJECT,)), _SPELLED))
        return Select(tuple(columns), self._group, distinct=self._distinct, limit=limit)

    def count(self, limit: int) -> Select:
        """How many there are, counted up to a limit."""
        if not self._variables:
            return _count(self._group)
        return _count(Group((Select(self._variables, self._group, distinct=self._distinct, limit=limit),)))

    def triples(self, places: Sequence[Node | None], rows: Iterable[Row]) -> Iterator[TripleRow]:
        """The triples in the rows that :meth:`select` gave; ``places`` are the terms that were asked for."""
        columns = [self._variables.index(place) if place in self._variables else None for place in PLACES]
        respelled = self._respelled and columns[2] is not None
        for row in rows:
            found: list[Node] = []
            for place, column, asked in zip(PLACES, columns, places, strict=True):
                node = asked if column is None else row[column]
                if respelled and place is OBJECT and isinstance(node, Literal):
                    told = row[-1]
                    assert isinstance(told, Literal)
                    node = mended(Literal(told.lexical, node.datatype, node.language))
                if node is None or (column is not None and asked is not None and not _same(node, asked)):
                    break
                found.append(node)
            else:
                subject, predicate, target = found
                yield subject, predicate, target


def _same(node: Node, asked: Node) -> bool:
    """Whether a node is the one that was asked for, as far as the engine keeps its spelling."""
    if isinstance(node, Literal) and isinstance(asked, Literal):
        return node.datatype == asked.datatype and node.language == asked.language and identity(node) == identity(asked)
    return node == asked


# --- many at once -------------------------------------------------------------------------------------------------


def by_subject(subjects: Collection[Iri], predicates: Collection[Iri]) -> Pattern:
    """What some subjects have by some predicates."""
    return Pattern(subjects, predicates, None)


def matching(patterns: Iterable[Pattern], dialect: Dialect) -> Iterator[Select]:
    """The queries for the triples that agree with a pattern: one for all patterns without subjects, the others by so
    many subjects at a time. Subjects that cannot be written are in no graph, and left out."""
    together: list[tree.Group] = []
    for pattern in patterns:
        if any(place is not None and not place for place in pattern):
            continue
        if pattern.subjects is None:
            together.append(Group((*_narrowed(pattern, dialect), TriplePattern(*PLACES))))
            continue
        plain = [subject for subject in pattern.subjects if _writable(subject, dialect)]
        odd = [s for s in plain if dialect.strict_iris and not is_strict(s.value)]
        rest = iter([s for s in plain if not odd or is_strict(s.value)])
        while chunk := list(islice(rest, min(CHUNK, dialect.values_limit or CHUNK))):
            yield _select((*_narrowed(pattern._replace(subjects=chunk), dialect), TriplePattern(*PLACES)))
        if odd:
            spelled = Operation("IN", (Call("STR", (SUBJECT,)), *[Literal(s.value) for s in odd]))
            others = _narrowed(pattern._replace(subjects=None), dialect)
            yield _select((*others, TriplePattern(*PLACES), Filter(spelled)))
    if len(together) == 1:
        yield _select(together[0].patterns)
    elif together:
        yield _select((UnionPattern(tuple(together)),))


def as_triples(rows: Iterable[Row]) -> Iterator[TripleRow]:
    """The triples in rows of three nodes."""
    for subject, predicate, target in rows:
        if subject is not None and predicate is not None and target is not None:
            yield subject, predicate, target


def bearers(texts: Iterable[str], tags: Iterable[str], predicates: Iterable[Iri]) -> Iterator[Select]:
    """Who bears which of these labels in one of these languages ("" for none), their tags as written; so many labels a
    query."""
    tags = tuple(dict.fromkeys(tags))
    labels = (Literal(text, RDF_LANG_STRING, tag) if tag else Literal(text) for text in texts for tag in tags)
    while chunk := list(islice(labels, CHUNK)):
        patterns = (_values(PREDICATE, predicates), _values(OBJECT, chunk), TriplePattern(*PLACES))
        yield Select((SUBJECT, OBJECT), Group(patterns), distinct=True)


def languages(predicates: Iterable[Iri]) -> Select:
    """The language tags of labels, "" for none."""
    tag = Var("tag")
    literal = Filter(Call("isLiteral", (OBJECT,)))
    patterns = (_values(PREDICATE, predicates), TriplePattern(*PLACES), literal, Bind(Call("LANG", (OBJECT,)), tag))
    return Select((tag,), Group(patterns), distinct=True)


def counted(distinct: bool, limit: int | None = None) -> Select:
    """How many triples there are, up to a limit."""
    everything = Group((TriplePattern(*PLACES),))
    if not distinct and limit is None:
        return _count(everything)
    return _count(Group((Select(PLACES, everything, distinct=distinct, limit=limit),)))


def _count(group: Group) -> Select:
    return Select((Column(Aggregate("COUNT", None), Var("n")),), group)


def _select(patterns: tuple[tree.Pattern, ...]) -> Select:
    return Select(PLACES, Group(patterns), distinct=True)


def _narrowed(pattern: Pattern, dialect: Dialect) -> list[tree.Pattern]:
    found: list[tree.Pattern] = []
    for variable, terms in zip(PLACES, pattern, strict=True):
        if terms is None:
            continue
        if not dialect.folds_language and any(map(is_tagged, terms)):
            found.append(Filter(among(variable, tuple(terms), dialect)))
        else:
            found.append(_values(variable, terms))
    return found


def _values(variable: Var, terms: Iterable[Iri | Literal]) -> Values:
    return Values((variable,), tuple([(term,) for term in terms]))


def _writable(iri: Iri, dialect: Dialect) -> bool:
    if ILLEGAL_IN_IRI.isdisjoint(iri.value) and is_strict(iri.value):
        return True
    try:
        print_tree(Ask(Group((TriplePattern(iri, PREDICATE, OBJECT),))), dialect)
    except InvalidIR:
        return False
    return True
