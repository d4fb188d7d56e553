"""From a query to a subgraph text, where there is one for it.

A question *around* nodes, of *neighbours* or of *paths* has a shape that its query shows no longer, so it is guessed:
what can be read off the query (its nodes, relations, length, floor and default) makes a few questions, and the one that
is read as an equal query (:func:`pylf.ir.canonical.fingerprint`) is it. What is none of them is written by its triples,
where it is nothing but triples, lists of entities and comparisons with numbers. All else is refused by name.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.subgraph.lower import lower
from pylf.frontends.subgraph.printer import print_question
from pylf.frontends.subgraph.scanner import is_word
from pylf.frontends.subgraph.tree import (
    MOST_HOPS,
    Around,
    Bound,
    Compared,
    Hop,
    Name,
    Neighbours,
    OneOf,
    Paths,
    Patterns,
    Triple,
    Variable,
    Way,
)
from pylf.ir.canonical import fingerprint
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Body, Compare, Condition, Confidence, Form, InstanceOf, Kind, Member, Not, Op, Union
from pylf.ir.nodes import Triple as Edge
from pylf.ir.schema.names import shorten
from pylf.ir.terms import XSD_DECIMAL, XSD_INTEGER, Iri, Literal, Var
from pylf.ir.traverse import walk
from pylf.language.context import Context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.errors import Span
    from pylf.frontends.subgraph.tree import Part, Place, Question
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Term

_WAY_NAMES = (Literal("out"), Literal("in"))


def raise_text(query: Query, schema: Schema, vocabulary: Vocabulary) -> str:
    """A query as a subgraph text, with a line break at its end.

    Raises:
        CompileError: ``no-subgraph``: there is none for it; says for what part of it, and where that stands.
    """
    return print_question(raise_question(query, schema, vocabulary))


def raise_question(query: Query, schema: Schema, vocabulary: Vocabulary) -> Question:
    """A query as the tree of a subgraph question, with names as short as the vocabulary has them. It is read as an
    equal query.

    Raises:
        CompileError: ``no-subgraph``: there is none for it.
    """
    if query.form not in (Form.SUBGRAPH, Form.ROWS):
        raise _none(_FORMS[query.form], query.span)
    meant = fingerprint(query)
    context = Context(schema, vocabulary)
    for question in _Read(query, vocabulary).questions():
        if _reads_as(question, meant, context):
            return question
    patterns = _Parts(query, vocabulary).question()
    if not _reads_as(patterns, meant, context):
        raise _none("names that would be read as others", query.span)
    return patterns


_FORMS = {Form.SET: "questions for a set", Form.NUMBER: "questions for a number", Form.BOOLEAN: "yes/no questions"}


def _reads_as(question: Question, meant: str, context: Context) -> bool:
    try:
        return fingerprint(lower(question, context)[0]) == meant
    except CompileError:
        return False


def _none(what: str, span: Span | None) -> CompileError:
    return CompileError([Diagnostic("no-subgraph", f"subgraph texts have no form for {what}", span)])


# --- shapes -------------------------------------------------------------------------------------------------------


class _Read:
    """What can be read off a query that may have the shape of a question."""

    def __init__(self, query: Query, vocabulary: Vocabulary) -> None:
        self.query = query
        self.vocabulary = vocabulary
        conjuncts = query.body.conjuncts
        unions = [c.arms for c in conjuncts if isinstance(c, Union) and any(map(self.length, c.arms))]
        self.arms = unions[0] if unions else (Body(conjuncts),)
        everything = list(walk(query))
        edges = [c for c in everything if isinstance(c, Confidence | Edge)]
        self.weighed = any(isinstance(edge, Confidence) for edge in edges)
        self.values = {edge.value for edge in edges if isinstance(edge, Confidence)}
        columns = query.outputs[1:2] if query.form is Form.SUBGRAPH else query.outputs[2 :: 3 + self.weighed]
        self.predicates = {edge.predicate for edge in edges if isinstance(edge.predicate, Var)}.union(columns)
        self.members = [c for c in everything if isinstance(c, Member)]
        self.floor = self.number_of(everything)
        self.default = next((m.values[0] for m in self.members if m.term in self.values), None)
        #: by variable, the names of what it is one of
        self.nodes: dict[Var, dict[Name, None]] = {}
        for conjunct in everything:
            self.add(conjunct)

    def number_of(self, conjuncts: list[Conjunct]) -> Bound | None:
        for conjunct in conjuncts:
            match conjunct:
                case Compare(op, Var() as left, Literal(text)) if left in self.values:
                    return Bound(op.value, text)
        return None

    def add(self, conjunct: Conjunct) -> None:
        match conjunct:
            case Member(Var() as var, values) if var not in self.predicates and var not in self.values:
                for value in values:
                    if isinstance(value, Iri):
                        self.nodes.setdefault(var, {})[_name(value, self.vocabulary)] = None
            case InstanceOf(Var() as var, classes):
                self.nodes.setdefault(var, {}).update(dict.fromkeys(_name(one, self.vocabulary) for one in classes))
            case Edge(Var() as var, Iri(predicate), Var() as label) if predicate in self.vocabulary.label_predicates:
                texts = [m.values[0] for m in self.members if m.term == label]
                named = self.nodes.setdefault(var, {})
                named.update({Name(text.lexical, True): None for text in texts if isinstance(text, Literal)})

    def questions(self) -> Iterator[Question]:
        """The questions that the query may be of."""
        lengths = [self.length(arm) for arm in self.arms]
        hops, columns = max(lengths), len(self.query.outputs)
        ends = {tuple(names) for names in self.nodes.values()}
        if not 1 <= hops <= MOST_HOPS or not ends:
            return
        first = next(iter(ends))
        for hop in self.hops():
            if self.query.form is Form.SUBGRAPH and len(ends) == 1:
                yield Around(first, hops, hop)
            elif self.query.form is Form.ROWS:
                if columns == 4 + self.weighed and hops == 1 and len(ends) == 1:
                    yield Neighbours(first, hop)
                if columns == 1 + self.weighed + hops * (3 + self.weighed):
                    yield from self.paths(ends, hops, hop)

    def paths(self, ends: set[tuple[Name, ...]], hops: int, hop: Hop) -> Iterator[Paths]:
        product, simple = None, False
        for conjunct in self.query.body.conjuncts:
            match conjunct:
                case Condition(Apply(op, (Var(), Literal(text)))):
                    product = Bound(op, text)
                case Not(Body((Compare(Op.IS),))):
                    simple = True
        if len(ends) == 1:
            (start,) = ends
            yield Paths(start, hops, (), hop, product, simple)
            yield Paths(start, hops, start, hop, product, simple)
        elif len(ends) == 2:
            for start, end in permutations(sorted(ends, key=str)):
                yield Paths(start, hops, end, hop, product, simple)

    def hops(self) -> Iterator[Hop]:
        default = self.default.lexical.removesuffix(".0") if isinstance(self.default, Literal) else None
        for way in Way:
            yield Hop(way, self.relations(), self.floor, default, self.weighed)

    def relations(self) -> tuple[Name, ...]:
        """The relations that hops are limited to: those listed, or the one that is named."""
        for member in self.members:
            if member.term in self.predicates and not self.is_denied(member):
                return tuple([_name(one, self.vocabulary) for one in member.values if isinstance(one, Iri)])
        return ()

    def is_denied(self, member: Member) -> bool:
        return any(isinstance(c, Not) and member in c.body.conjuncts for c in walk(self.query))

    def length(self, arm: Body) -> int:
        """The edges of an arm, labels left out."""
        labels = self.vocabulary.label_predicates
        edges = [c.predicate for c in arm.conjuncts if isinstance(c, Confidence | Edge)]
        return sum(not (isinstance(predicate, Iri) and predicate.value in labels) for predicate in edges)


# --- triples ------------------------------------------------------------------------------------------------------


class _Parts:
    """A query as patterns."""

    def __init__(self, query: Query, vocabulary: Vocabulary) -> None:
        self.query = query
        self.vocabulary = vocabulary

    def question(self) -> Patterns:
        outputs = tuple([Variable(output.name) for output in self.query.outputs])
        parts = tuple([self.part(conjunct) for conjunct in self.query.body.conjuncts])
        if not parts:
            raise _none("a query without triples", self.query.span)
        return Patterns(outputs, parts, self.query.form is Form.ROWS)

    def part(self, conjunct: Conjunct) -> Part:
        match conjunct:
            case Edge(subject, predicate, object_):
                return self.triple(conjunct, subject, predicate, object_)
            case Confidence(subject, predicate, object_, value):
                return self.triple(conjunct, subject, predicate, object_, Variable(value.name))
            case Member(Var(name), values) if values and all(isinstance(value, Iri) for value in values):
                return OneOf(Variable(name), tuple([_name(v, self.vocabulary) for v in values if isinstance(v, Iri)]))
            case InstanceOf(Var(name), classes):
                return OneOf(Variable(name), tuple([_name(one, self.vocabulary) for one in classes]))
            case Compare(op, Var(name), Literal(text, datatype), Kind.NUMBER) if op is not Op.IS:
                if datatype in (XSD_DECIMAL, XSD_INTEGER) and text.replace(".", "", 1).isdigit():
                    return Compared(Variable(name), Bound(op.value, text))
                raise _none(f"the number {text}", conjunct.span)
            case other:
                raise _none(_CALLED.get(type(other).__name__, f"a {type(other).__name__} of this kind"), other.span)

    def triple(
        self, edge: Conjunct, subject: Term, predicate: Term, object_: Term, confidence: Variable | None = None
    ) -> Triple:
        span = edge.span
        return Triple(self.place(subject, span), self.place(predicate, span), self.place(object_, span), confidence)

    def place(self, term: Term, span: Span | None) -> Place:
        match term:
            case Var(name):
                return Variable(name)
            case Iri():
                return _name(term, self.vocabulary)
            case _:
                raise _none("a value in a triple", span)


def _name(iri: Iri, vocabulary: Vocabulary) -> Name:
    short = shorten(iri.value, vocabulary)
    return Name(short if is_word(short) else f"<{iri.value}>")


#: What is refused, in words.
_CALLED = {
    "Not": "negation",
    "Union": "one of several patterns, other than walks from the same nodes",
    "Project": "distinct rows of a part",
    "Count": "counts",
    "Extreme": "extremes",
    "TopK": "the k best",
    "Path": "a walk whose hops keep their order: --to path writes one",
    "Closure": "closures",
    "Member": "a list of values",
    "Compare": "such a comparison",
    "LeftJoin": "what may be missing (a left join)",
    "Condition": "such a condition",
    "Extend": "what is computed",
    "Aggregate": "aggregates",
    "Slice": "an order or a limit",
}
