"""From a query to the path that means it.

What is a path: a :class:`~pylf.ir.nodes.Path`, or triples in a row as nested JOINs have them; and what its constants
are, beside it. Whether the text says the same is not left to argument: it is read again, and its query compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic, NoForm, UnsupportedOperation
from pylf.frontends.path.lower import lower
from pylf.frontends.path.parser import MAX_HOPS
from pylf.frontends.path.tree import Hop, Named, Number, PathTree, Variable
from pylf.ir.canonical import fingerprint
from pylf.ir.nodes import Body, Compare, Form, Member, Op, Path, Triple, Union
from pylf.ir.terms import Iri, Literal, Var
from pylf.language import syntax
from pylf.language.spelling import Spelling
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.frontends.path.tree import Node
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Constant, Term
    from pylf.language.context import Context

FORM = "paths"
_Edge = tuple["Term", "Term", "Term", bool]


def from_query(query: Query, context: Context) -> PathTree:
    """The path whose query is equal to this one.

    Raises:
        NoForm: there is none; names what paths have no form for.
    """
    try:
        tree = _Reader(query, context).tree()
        again = lower(tree, context).query
    except CompileError:
        raise _refusal(query, "names that stand for something else in a path") from None
    except UnsupportedOperation as problem:
        if isinstance(problem, NoForm):
            raise
        raise _refusal(query, problem.operator) from None
    asked = fingerprint(query)
    if asked not in (fingerprint(again), fingerprint(_as_triples(again))):
        raise _refusal(query, "what is beside a walk from node to node")
    return tree


def _as_triples(query: Query) -> Query:
    """A path's query without the order of its hops, which other forms do not tell: each hop as a triple."""
    conjuncts: list[Conjunct] = []
    for conjunct in query.body.conjuncts:
        if isinstance(conjunct, Path) and not any(isinstance(subject, Literal) for subject, _, _ in conjunct.hops):
            conjuncts += [Triple(subject, relation, object_) for subject, relation, object_ in conjunct.hops]
        else:
            conjuncts.append(conjunct)
    return replace(query, body=Body(tuple(conjuncts)))


def _refusal(query: Query, what: str) -> NoForm:
    return NoForm(FORM, [Diagnostic("no-path", f"paths have no form for {what}", query.span)])


class _Reader:
    def __init__(self, query: Query, context: Context) -> None:
        self.query = query
        self.vocabulary = context.vocabulary
        self.schema = context.schema
        self.spelling = Spelling(context.schema, context.vocabulary)
        self.constants: dict[Var, Constant] = {}
        self.labels: dict[Var, syntax.Start] = {}

    def tree(self) -> PathTree:
        """The path, if all else is as it should be.

        Raises:
            NoForm: there is no walk.
            UnsupportedOperation: a constant has no spelling.
        """
        query = self.query
        if query.form not in (Form.SET, Form.ROWS, Form.BOOLEAN):
            raise _refusal(query, f"questions for a {query.form.value}")
        edges = self.edges()
        if len(edges) > MAX_HOPS:
            raise _refusal(query, f"a walk of more than {MAX_HOPS} hops")
        order = self.passed(edges)
        if order != query.outputs and not any(isinstance(one, Path) for one in query.body.conjuncts):
            # triples may be walked from either end
            turned: list[_Edge] = [(far, relation, near, not ahead) for near, relation, far, ahead in reversed(edges)]
            if self.passed(turned) == query.outputs:
                edges, order = turned, query.outputs
        if order != query.outputs:
            if set(order) != set(query.outputs) or len(query.outputs) != len(set(query.outputs)):
                raise _refusal(query, "columns that are no places of a path")
            raise _refusal(query, "columns in another order than that of the path")
        hops = []
        nodes = [self.node(edges[0][0], edges, 0)]
        for at, (_, relation, far, forward) in enumerate(edges):
            hops.append(Hop(self.relation(relation), forward))
            nodes.append(self.node(far, edges, at + 1))
        return PathTree(tuple(nodes), tuple(hops), span=query.span)

    def passed(self, edges: list[_Edge]) -> tuple[Term, ...]:
        """The outputs that a walk comes by, each once, in its order."""
        places = [*[place for edge in edges for place in edge[:2]], edges[-1][2]]
        return tuple(dict.fromkeys([place for place in places if place in self.query.outputs]))

    # -- the walk

    def edges(self) -> list[_Edge]:
        """The hops in their order, each from its near node by a relation to its far node, along the edge or not."""
        rest = self.settled(list(self.query.body.conjuncts))
        other = next((one for one in rest if not isinstance(one, Triple | Path)), None)
        if other is not None:
            raise _refusal(self.query, f"{_WORDS.get(type(other).__name__, type(other).__name__)} beside a walk")
        match rest:
            case []:
                raise _refusal(self.query, "a question that follows no relation")
            case [Path(nodes, relations, forward)]:
                return list(zip(nodes, relations, nodes[1:], forward, strict=False))
        if any(isinstance(one, Path) for one in rest):
            raise _refusal(self.query, "more than one walk")
        triples = [one for one in rest if isinstance(one, Triple)]
        # a constant is an end, if it need not be where two hops meet
        walked = self.in_a_row(triples, (Var,)) or self.in_a_row(triples, (Var, Iri))
        if walked is None:
            raise _refusal(self.query, "relations that are no one walk")
        return walked

    def settled(self, conjuncts: list[Conjunct]) -> list[Conjunct]:
        """The conjuncts without those that say which constant, or which label's bearer, a variable is."""
        taken: set[int] = set()
        labels: dict[Var, tuple[Constant, ...]] = {}
        for place, conjunct in enumerate(conjuncts):
            match conjunct:
                case Member(Var() as var, (constant,)) if isinstance(constant, Iri):
                    self.constants[var] = constant
                    taken.add(place)
                case Compare(Op.EQ, Var() as var, Literal() as literal):
                    self.constants[var] = literal
                    taken.add(place)
                case Member(Var() as var, values) if self.spelling.shared_text(values) is not None:
                    labels[var] = values
        for place, conjunct in enumerate(conjuncts):
            label = self.label_triple(conjunct)
            values = labels.get(label.object, ()) if label is not None and isinstance(label.object, Var) else ()
            text = self.spelling.shared_text(values) if values else None
            if label is not None and text is not None and isinstance(label.subject, Var):
                self.labels[label.subject] = self.spelling.labelled(text, values)
                taken |= {
                    place,
                    *(p for p, c in enumerate(conjuncts) if isinstance(c, Member) and c.term == label.object),
                }
        return [conjunct for place, conjunct in enumerate(conjuncts) if place not in taken]

    def label_triple(self, conjunct: Conjunct) -> Triple | None:
        """A triple that says a label, or the first of those among which one does."""
        match conjunct:
            case Triple(_, Iri(predicate)) if predicate in self.vocabulary.label_predicates:
                return conjunct
            case Union(arms) if all(len(arm.conjuncts) == 1 for arm in arms):
                found = [self.label_triple(arm.conjuncts[0]) for arm in arms]
                return found[0] if found and None not in found else None
        return None

    def in_a_row(self, triples: list[Triple], joints: tuple[type[Term], ...]) -> list[_Edge] | None:
        """Triples as a walk over all of them, that begins at a known end or else ends at what is asked for; None where
        they are no one walk whose hops meet at terms of the kinds ``joints``."""
        touching: dict[Term, list[Triple]] = {}
        for triple in triples:
            for term in (triple.subject, triple.object):
                if isinstance(term, joints):
                    touching.setdefault(term, []).append(triple)
        if any(len(some) > 2 for some in touching.values()):
            raise _refusal(self.query, "a node with more than two relations")
        ends = [
            (term, triple)
            for triple in triples
            for term in (triple.subject, triple.object)
            if not isinstance(term, joints) or len(touching[term]) == 1
        ]
        if not ends:
            raise _refusal(self.query, "a walk that ends where it began")
        # a known end first, what is asked for last
        here, triple = min(ends, key=lambda end: self.rank(end[0]))
        walked: list[_Edge] = []
        done: set[int] = set()
        following: Triple | None = triple
        while following is not None:
            done.add(id(following))
            forward = following.subject == here
            there = following.object if forward else following.subject
            walked.append((here, following.predicate, there, forward))
            here = there
            following = next((one for one in touching.get(here, ()) if id(one) not in done), None)
        return walked if len(walked) == len(triples) else None

    def rank(self, end: Term) -> int:
        if not isinstance(end, Var) or end in self.constants or end in self.labels:
            return 0
        return 2 if end in self.query.outputs else 1

    # -- places

    def node(self, term: Term, edges: list[_Edge], place: int) -> Node:
        if isinstance(term, Var):
            if term in self.labels and term not in self.query.outputs:
                return _written(self.labels[term])
            if term not in self.constants or term in self.query.outputs:
                return self.variable(term, edges)
            term = self.constants[term]
        relation = None
        for at, is_end in ((place - 1, True), (place, False)):
            if 0 <= at < len(edges) and edges[at][3] is is_end and isinstance(step := edges[at][1], Iri):
                relation = relation or self.schema.relation(step.value)
        return _written(self.spelling.start(term, relation))

    def relation(self, term: Term) -> Variable | Named:
        match term:
            case Iri(iri):
                return Named(self.spelling.relation(iri))
            case Var(name):
                return Variable(name, term in self.query.outputs)
        raise _refusal(self.query, "a value as a relation")

    def variable(self, var: Var, edges: list[_Edge]) -> Variable:
        if var in self.query.outputs:
            return Variable(var.name, asked=True)
        places = [edges[0][0], *(part for edge in edges for part in edge[1:3])]
        return Variable(var.name if places.count(var) > 1 else None)


def _written(start: syntax.Start) -> Named | Number:
    value = start.value
    return Number(value.text) if isinstance(value, syntax.Number) else Named(value.text)


_WORDS = {
    "Not": "negation",
    "Union": "a union",
    "Compare": "a comparison",
    "InstanceOf": "the instances of a class",
    "Member": "one of several values",
    "Count": "a count",
    "Extreme": "a superlative",
    "TopK": "the k best",
    "Closure": "a closure",
    "Confidence": "a confidence",
    "LeftJoin": "an optional part",
    "Condition": "a computed condition",
    "Extend": "a computed value",
    "Aggregate": "an aggregate",
    "Slice": "an order or a limit",
}
