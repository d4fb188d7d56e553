"""SPARQL as GrailQA's published scheme writes it, from the positive core of the IR; made from its description.

A variable for each node, constants too (``VALUES ?x1 { :m.0178g }``); the class of each node as a triple; one pattern
for each edge; a filter that says that no two of all variables are equal; comparisons as they are written. A superlative
is the question itself beside a sub-select: the same patterns once more, under other names, for the one key that
``ORDER BY … LIMIT 1`` leaves, which is joined as a term. A count counts the distinct rows of the question.

So it says something else than PyLF where two nodes of a question may be the same thing, where a class that is known of
a node is not stated in the graph, and where equal keys are spelled in different ways. What it has no words for
(negation, union, a superlative inside of a question or of another) is refused.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pylf.backends.dialects import dialect_named
from pylf.backends.sparql.print import print_tree
from pylf.backends.sparql.query import Aggregate, Column, Filter, Group, Operation, Select, TriplePattern, Values
from pylf.errors import UnsupportedOperation
from pylf.ir.nodes import Compare, Count, Direction, Extreme, Form, InstanceOf, Member, Op, Triple
from pylf.ir.terms import RDF, Iri, Literal, Var
from pylf.ir.types import EntityType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pylf.backends.sparql.query import Pattern
    from pylf.ir.nodes import Body, Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Term
    from pylf.ir.types import Type

_TYPE = Iri(RDF + "type")
_WHERE = "GrailQA's scheme"


def grailqa(query: Query, schema: Schema) -> str:
    """The SPARQL text of a query.

    Raises:
        UnsupportedOperation: the scheme cannot say it; names what.
    """
    match query.form, query.body.conjuncts:
        case Form.SET, _:
            tree = _question(query.body, query.outputs[0], query.type_of, schema)
        case Form.NUMBER, (Count(of=of, body=inner, group=()),):
            rows = _question(inner, of, query.type_of, schema)
            (counted,) = rows.projection
            assert isinstance(counted, Var)
            tree = Select((Column(Aggregate("COUNT", counted), Var("value")),), Group((rows,)))
        case _:
            raise UnsupportedOperation(f"the form {query.form.value}", _WHERE)
    return print_tree(tree, dialect_named("sparql11"))


def _question(body: Body, asked: Var, types: Mapping[str, Type], schema: Schema) -> Select:
    match body.conjuncts:
        case (Extreme(direction=direction, item=item, key=key, body=inner),) if item == asked:
            nodes, again = (_Nodes(asked, inner.conjuncts, letter, types, schema) for letter in "xy")
            order = ((again.node(key), direction is Direction.MAX),)
            column = Column(again.node(key), nodes.node(key))
            best = Select((column,), Group(tuple(again.patterns())), order_by=order, limit=1)
            where = (best, *nodes.patterns())
        case conjuncts:
            nodes = _Nodes(asked, conjuncts, "x", types, schema)
            where = tuple(nodes.patterns())
    return Select((nodes.node(asked),), Group(where), distinct=True)


class _Nodes:
    """The nodes of a question, each with a variable of its own: ``?x0``, which is asked for, ``?x1`` and so on.

    Raises:
        UnsupportedOperation: a conjunct is none that the scheme has words for.
    """

    def __init__(
        self, asked: Var, conjuncts: tuple[Conjunct, ...], letter: str, types: Mapping[str, Type], schema: Schema
    ) -> None:
        self.letter = letter
        self.names: dict[Var, Var] = {}
        self.count = 0
        self.values: list[Pattern] = []
        self.edges: list[Pattern] = []
        self.filters: list[Pattern] = []
        self.classes: dict[Var, Iri] = {}
        self.node(asked)
        for conjunct in conjuncts:
            self.read(conjunct)
        for variable, node in self.names.items():
            known = _class_of(types.get(variable.name), schema)
            if known is not None:
                self.classes.setdefault(node, known)

    def patterns(self) -> Iterator[Pattern]:
        """Classes, constants, edges, comparisons, and that all are different."""
        for node, class_ in self.classes.items():
            yield TriplePattern(node, _TYPE, class_)
        yield from self.values
        yield from self.edges
        yield from self.filters
        pairs = combinations([Var(f"{self.letter}{number}") for number in range(self.count)], 2)
        different = tuple(Operation("!=", pair) for pair in pairs)
        if different:
            yield Filter(different[0] if len(different) == 1 else Operation("&&", different))

    def node(self, term: Term) -> Var:
        """The variable of a node; a constant is another node wherever it stands."""
        if isinstance(term, Var) and term in self.names:
            return self.names[term]
        node = Var(f"{self.letter}{self.count}")
        self.count += 1
        if isinstance(term, Var):
            self.names[term] = node
        else:
            self.values.append(Values((node,), ((term,),)))
        return node

    def read(self, conjunct: Conjunct) -> None:
        """Takes up a conjunct."""
        match conjunct:
            case Triple(subject=start, predicate=Iri() as relation, object=end):
                self.edges.append(TriplePattern(self.node(start), relation, self.node(end)))
            case InstanceOf(term=Var() as term, classes=(class_,)):
                self.classes[self.node(term)] = class_
            case Member(term=Var() as term, values=(constant,)):
                self.values.append(Values((self.node(term),), ((constant,),)))
            case Compare(op=op, left=Var() as left, right=Iri() | Literal() as right):
                sign = "=" if op is Op.IS else op.value
                self.filters.append(Filter(Operation(sign, (self.node(left), right))))
            case other:
                raise UnsupportedOperation(f"{type(other).__name__.lower()} in this place", _WHERE)


def _class_of(known: Type | None, schema: Schema) -> Iri | None:
    """The one class that the question gives a node, where the graph states its members."""
    for union in known.unions if isinstance(known, EntityType) else ():
        found = schema.class_(union[0]) if len(union) == 1 else None
        if found is not None and found.subjects_of is None and found.objects_of is None:
            return Iri(union[0])
    return None
