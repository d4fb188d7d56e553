"""From the tree of a path to a query.

What is asked for are the path's named variables, in its order:

- none: whether the graph has the path (BOOLEAN), which verifies a path all of whose places are known;
- one, at a node: the SET of what may stand there;
- more, or a relation: ROWS, one for each way of walking the path.

Rows keep their hops: the body is an ordered :class:`~pylf.ir.nodes.Path`, and beside it what the names mean. A SET at
the end of a path, or between two ends that are known, is what nested JOINs mean, and is lowered as these are, to equal
IR; so is the question whether there is anything. (A node of a path is one and the same term for both of its hops; JOINs
meet values by value, so that 10 is 10.0. A SET of a path that goes through a value, against an edge again, may so hold
more than the ROWS.)

Names are looked up as PyLF's are (:mod:`pylf.language.names`), except that a class's name at a node is the class
itself, not its instances: a path leads through nodes of the graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.path.constants import Constants, object_type, subject_type
from pylf.frontends.path.to_pylf import as_program
from pylf.frontends.path.tree import Variable
from pylf.frontends.path.wording import PATHS
from pylf.ir import build
from pylf.ir.nodes import Body, Compare, Form, Not, Op
from pylf.ir.schema.typing import compatible
from pylf.ir.terms import Iri, Var
from pylf.ir.types import ANY, ENTITY, RELATION, LiteralType, meet
from pylf.ir.verify import verify
from pylf.language import syntax
from pylf.language.constants import short_name
from pylf.language.lower import Lowered
from pylf.language.lower import lower as lower_program
from pylf.language.names import Names
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.frontends.path.labels import Labels
    from pylf.frontends.path.tree import Hop, Node, PathTree
    from pylf.ir.nodes import Query
    from pylf.ir.terms import Term
    from pylf.ir.types import Type
    from pylf.language.context import Context
    from pylf.language.typed import Step


def lower(tree: PathTree, context: Context) -> Lowered:
    """The query that a path means, and warnings; see above which form it has.

    Raises:
        CompileError: names that nothing answers to, or a node that cannot be what its hops ask of it.
    """
    findings: list[Diagnostic] = []
    try:
        program = as_program(tree, context)
        if program is not None:
            return lower_program(program, context)
        query = _Lowering(tree, context, findings, None).query()
    except Refused as refused:
        raise _placed(tree, [*findings, refused.diagnostic]) from None
    if any(finding.severity == "error" for finding in findings):
        raise _placed(tree, findings)
    return Lowered(query, _at(tree, findings))


def lower_untyped(tree: PathTree, context: Context, labels: Labels) -> Query:
    """Whether a graph has a path (BOOLEAN, its variables open; verified), whatever the schema says of its relations'
    ends: an edge that is in the graph is there. ``labels`` are the entities that bear those of its names that are no
    ids.

    Raises:
        CompileError: nothing answers to a name: ``unknown-relation``, ``unknown-label``, …
    """
    try:
        query = _Lowering(tree, context, [], labels).query()
    except Refused as refused:
        raise _placed(tree, [refused.diagnostic]) from None
    verify(query)
    return query


def _at(tree: PathTree, findings: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    source = tree.source
    return tuple(findings if source is None else [finding.at(source) for finding in findings])


def _placed(tree: PathTree, findings: list[Diagnostic]) -> CompileError:
    return CompileError(_at(tree, findings))


class _Lowering:
    """The lowering of one path to a :class:`~pylf.ir.nodes.Path`. Where ``labels`` are given, all variables are open,
    and types are not looked at."""

    def __init__(
        self,
        tree: PathTree,
        context: Context,
        findings: list[Diagnostic],
        labels: Labels | None,
    ) -> None:
        self.tree = tree
        self.context = context
        self.findings = findings
        self.names = Names(context, findings, PATHS)
        self.typed = labels is None
        self.types: dict[str, Type] = {}
        self.taken = {one.name for one in tree.places if isinstance(one, Variable) and one.name is not None}
        self.variables = {one: Var(one.name) for one in tree.asked if one.name is not None}
        self.beside: list[Body] = []
        self.constants = Constants(self.names, self.fresh, self.beside, labels)
        self.steps = [self.step(hop) for hop in tree.hops]
        #: along the edge, whatever a name that is itself reversed makes of the arrow
        turned = [step is not None and step.inverse for step in self.steps]
        self.forward = tuple([hop.forward is not turns for hop, turns in zip(tree.hops, turned, strict=True)])

    def query(self) -> Query:
        """The query.

        Raises:
            Refused: nothing answers to a name.
        """
        tree = self.tree
        relations = tuple(map(self.relation, tree.hops, self.steps))
        nodes = tuple([self.node(node, place) for place, node in enumerate(tree.nodes)])
        if self.typed:
            for place, term in enumerate(nodes):
                self.check(term, place)
        outputs = tuple([self.variables[one] for one in tree.asked]) if self.typed else ()
        form = Form.ROWS if outputs else Form.BOOLEAN
        if len(outputs) == 1 and outputs[0] in nodes:
            form = Form.SET
        body = build.join(build.path(nodes, relations, self.forward, tree.span), *self.beside)
        if form is Form.SET and self.context.exclude_topic:
            body = build.join(body, *self.without_topics(outputs[0]))
        if body == build.NEVER:  # nothing is left that a relation would stand in
            self.types = {name: ANY if type_ == RELATION else type_ for name, type_ in self.types.items()}
        return build.query(form, outputs, body, self.types, tree.span)

    def without_topics(self, asked: Var) -> Iterator[Not]:
        """That what is asked for is none of the entities that the path names."""
        if not isinstance(self.types.get(asked.name, ANY), LiteralType):
            for topic in dict.fromkeys(self.constants.topics):
                yield Not(Body((Compare(Op.IS, asked, topic),)))

    # -- hops

    def step(self, hop: Hop) -> Step | None:
        """What a hop's relation means; None for a variable."""
        relation = hop.relation
        return None if isinstance(relation, Variable) else self.names.step(syntax.Name(relation.text, relation.span))

    def relation(self, hop: Hop, step: Step | None) -> Term:
        if step is not None:
            return Iri(step.iri)
        assert isinstance(hop.relation, Variable)
        var = self.variable(hop.relation, "relation")
        self.types[var.name] = RELATION
        return var

    def beside_node(self, place: int) -> Iterator[tuple[Step | None, bool]]:
        """The hops that touch a node: what each means, and whether its edge begins at the node."""
        if place > 0:
            yield self.steps[place - 1], not self.forward[place - 1]
        if place < len(self.steps):
            yield self.steps[place], self.forward[place]

    # -- nodes

    def node(self, node: Node, place: int) -> Term:
        if isinstance(node, Variable):
            return self.variable(node, "node")
        touching = list(self.beside_node(place))
        leads_here = next((step for step, begins in touching if step is not None and not begins), None)
        return self.constants.term(node, leads_here, any(begins for _, begins in touching))

    def variable(self, variable: Variable, hint: str) -> Var:
        known = self.variables.get(variable) if variable.name is not None else None
        if known is None:
            known = self.fresh(hint, ANY)
            if variable.name is not None:
                self.variables[variable] = known
        return known

    def fresh(self, hint: str, type_: Type) -> Var:
        number = 1
        while (name := f"{hint}{number}") in self.taken:
            number += 1
        self.taken.add(name)
        self.types[name] = type_
        return Var(name)

    # -- types

    def check(self, term: Term, place: int) -> None:
        """Notes what the hops say of a node as its type, or the finding that nothing can be all that."""
        known = self.types.get(term.name, ANY) if isinstance(term, Var) else self.constants.types[term]
        for step, begins in self.beside_node(place):
            told: list[Type] = [ENTITY] if begins else []
            if step is not None:
                told.append(subject_type(step) if begins else object_type(step))
            for type_ in told:
                if compatible(known, type_, self.context.schema) == "disjoint":
                    self.clash(place, step, begins)
                    return
                known = meet(known, type_) or ANY
        if isinstance(term, Var):
            self.types[term.name] = known

    def clash(self, place: int, step: Step | None, begins: bool) -> None:
        """Nothing can stand at a place: an error, unless that is tolerated."""
        end = "begins at" if begins else "leads to"
        name = "the relation" if step is None else repr(short_name(step.iri))
        # a path of relations alone says nothing of its nodes: the finding stands at a relation beside one
        span = self.tree.nodes[place].span
        here = "what stands here" if span is not None else "the node between these relations"
        span = span or self.tree.hops[min(place, len(self.tree.hops) - 1)].span
        message = f"{here} is nothing that {name} {end}"
        lenient = self.context.lenient
        hints = ("to walk against the edge, turn its arrows: ?x <- r <- ?y",)
        self.findings.append(
            Diagnostic("type-mismatch", message, span, hints=hints, severity="warning" if lenient else "error")
        )
        self.beside.append(build.NEVER)
