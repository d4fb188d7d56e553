"""What a query names and the graph does not hold, which may be why an answer is empty: another part of a split graph
may hold it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from pylf.backends.dialects.sparql11 import DIALECT as PLAIN
from pylf.backends.sparql.print import print_tree
from pylf.backends.sparql.query import Ask, Group, TriplePattern, UnionPattern
from pylf.errors import EngineError, InvalidIR, printable
from pylf.ir.nodes import (
    Aggregate,
    Closure,
    Compare,
    Confidence,
    Count,
    Extreme,
    InstanceOf,
    LeftJoin,
    Member,
    Not,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import bodies, terms, walk
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pylf.ir.graph import Holding
    from pylf.ir.nodes import Body, Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

_S, _P, _O = Var("s"), Var("p"), Var("o")
#: Of the classes below one, so many are asked for.
_MOST_CLASSES = 100


@record
class Named:
    """What a query names: ``kind`` is ``relation``, ``entity``, ``class`` or ``label``; ``name`` an IRI or a label."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name!r}" if self.kind == "label" else f"{self.kind} <{self.name}>"

    @property
    def told(self) -> str:
        """That the graph does not hold it, as a sentence on one line."""
        name = printable(self.name)
        match self.kind:
            case "relation":
                return f"the graph holds no triple of <{name}>"
            case "class":
                return f"the graph holds no instance of <{name}>"
            case "label":
                return f"nothing is labelled {name!r}"
        return f"the graph knows nothing of <{name}>"


def named_in(query: Query, vocabulary: Vocabulary) -> Iterator[Named]:
    """The relations, classes and entities that a query needs triples of, each once, in printed order. What is not there
    and stands under a negation or is optional empties nothing, and is left out (under two negations it may); so are the
    predicates by which types are told."""
    yield from dict.fromkeys(_needed(query.body, frozenset(vocabulary.type_predicates)))


def not_held(graph: Holding, query: Query, vocabulary: Vocabulary, negated: bool = False) -> tuple[str, ...]:
    """Of the relations that a query names, those that the graph has no triple of: one look each. ``negated``: of those
    alone that stand under a negation, which then excludes nothing.

    Raises:
        EngineError: the graph does not tell.
    """
    types = frozenset(vocabulary.type_predicates)
    within = [c.body for c in walk(query) if isinstance(c, Not)] if negated else [query]
    named = dict.fromkeys([each for part in within for c in walk(part) for each in _named(c, types)])
    relations = [each.name for each in named if each.kind == "relation"]
    return tuple([relation for relation in relations if not graph.holds_relation(relation)])


def _needed(body: Body, types: frozenset[str], negated: bool = False) -> Iterator[Named]:
    for conjunct in body.conjuncts:
        match conjunct:
            case Not(inside):
                yield from _needed(inside, types, not negated)
            case LeftJoin():
                pass
            case Union() | Project() | Count() | Extreme() | TopK() | Aggregate() | Slice():
                for inner in bodies(conjunct):
                    yield from _needed(inner, types, negated)
            case _ if not negated:
                yield from _named(conjunct, types)
            case _:
                pass


def _named(conjunct: Conjunct, types: frozenset[str]) -> Iterator[Named]:
    match conjunct:
        case Triple(subject, predicate, object_) | Confidence(subject, predicate, object_):
            yield from _entities((subject,))
            typed = isinstance(predicate, Iri) and predicate.value in types
            if isinstance(predicate, Iri) and not typed:
                yield Named("relation", predicate.value)
            if typed and isinstance(object_, Iri):
                yield Named("class", object_.value)
            else:
                yield from _entities((object_,))
        case Closure(subject, relation, object_, minimum):
            yield from _entities((subject,))
            if minimum:
                yield Named("relation", relation.value)
            yield from _entities((object_,))
        case InstanceOf(term, classes):
            yield from _entities((term,))
            yield from [Named("class", each.value) for each in classes]
        case Member(_, values):
            yield from _entities(values)
        case Compare():
            yield from _entities(terms(conjunct))
        case Path(nodes, relations):
            yield from _entities(nodes)
            yield from [Named("relation", each.value) for each in relations if isinstance(each, Iri)]
        case _:
            pass


def _entities(given: tuple[object, ...]) -> Iterator[Named]:
    for term in given:
        if isinstance(term, Iri):
            yield Named("entity", term.value)


class Presence:
    """What a graph holds of names, asked once for each; may be shared by threads."""

    def __init__(self, ask: Callable[[str], bool], schema: Schema, vocabulary: Vocabulary) -> None:
        self._ask = ask
        self._schema = schema
        self._vocabulary = vocabulary
        self._known: dict[Named, bool | None] = {}
        self._lock = threading.Lock()

    def holds(self, named: Named) -> bool | None:
        """Whether some triple has it in its place; None where that is not told."""
        with self._lock:
            if named in self._known:
                return self._known[named]
        try:
            found: bool | None = self._ask(print_tree(self._question(named), PLAIN))
        except (EngineError, InvalidIR):
            found = None
        with self._lock:
            self._known[named] = found
        return found

    def first_missing(self, query: Query) -> Named | None:
        """The first of what the query names that the graph does not hold."""
        return next((named for named in named_in(query, self._vocabulary) if self.holds(named) is False), None)

    def _question(self, named: Named) -> Ask:
        iri = Iri(named.name)
        match named.kind:
            case "relation":
                patterns = [TriplePattern(_S, iri, _O)]
            case "class":
                patterns = self._instances(named.name)
            case _:
                patterns = [TriplePattern(iri, _P, _O), TriplePattern(_S, _P, iri)]
        if len(patterns) == 1:
            return Ask(Group((patterns[0],)))
        return Ask(Group((UnionPattern(tuple([Group((pattern,)) for pattern in patterns])),)))

    def _instances(self, name: str) -> list[TriplePattern]:
        """What an instance of a class, or of one below it, would show in."""
        known = self._schema.class_(name)
        if known is not None and known.subjects_of is not None:
            return [TriplePattern(_S, Iri(known.subjects_of), _O)]
        if known is not None and known.objects_of is not None:
            return [TriplePattern(_S, Iri(known.objects_of), _O)]
        below = [name, *[each for each in self._schema.subclasses(name) if each != name]]
        types = self._vocabulary.type_predicates
        return [TriplePattern(_S, Iri(each), Iri(one)) for one in below[:_MOST_CLASSES] for each in types]
