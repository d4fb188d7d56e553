"""Random programs over a random schema, grown along a graph so that most of them have an answer.

A program grows from its answer down. Each part is given a *witness*: a node of the graph that it is to have among its
members, so that its relations are those which the witness has, and its constants are values that occur. Now and then a
part is grown for another node, or along a relation that is not there: those programs are mostly empty. Types are
looked at only as far as the graph keeps to its schema, so a few programs are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.ir.dates import DATE_DATATYPES
from pylf.ir.nodes import Kind
from pylf.ir.schema.names import literal_name
from pylf.ir.terms import RDF_LANG_STRING, Iri, Literal
from pylf.ir.values import NUMERIC_DATATYPES, kind_of
from pylf.language import syntax
from pylf.language.constants import NUMBER, kind_of_relation
from pylf.testing.drawn.graphs import LABEL, TYPE, VALUES
from pylf.testing.drawn.schemas import NS

if TYPE_CHECKING:
    from random import Random

    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.terms import Node

#: ``NOW`` in a drawn program is this day
TODAY = "1990-07-01"

#: how many parts a program is to have, roughly
_SIZES = (2, 1, 1, 2, 3, 3, 3, 4, 4, 5, 6, 8)
_OPERATORS = ("<=", ">=", "=", "<", ">", "!=")
_NUMBERS = ("1", "2.5", "10", "-3", "1e1", "0", "1990", "1.0")
_DATES = ("1990", "1990-07", "1990-12-31", "1991-01-01T00:00:00", "-0044", "1991", "12000", "1990-07-01")
_DATE_KINDS = frozenset(DATE_DATATYPES)


class Edge(NamedTuple):
    """One triple as seen from one of its ends: along its relation, or (``back``) against it."""

    relation: Relation
    back: bool
    other: Node


class Neighbourhood:
    """A graph as the generator looks at it: what each node is next to, and what it belongs to."""

    def __init__(self, schema: Schema, triples: tuple[TripleRow, ...]) -> None:
        self.schema = schema
        self.relations = list(schema.source.all_relations())
        self.named = {Iri(r.iri): r for r in self.relations}
        self.around: dict[Node, list[Edge]] = {}
        self.classes: dict[Node, list[str]] = {}
        self.labels: dict[Node, list[Literal]] = {}
        for s, p, o in triples:
            relation = self.named.get(p) if isinstance(p, Iri) else None
            self.around.setdefault(s, [])
            if relation is not None:
                self.around[s].append(Edge(relation, False, o))
                self.around.setdefault(o, []).append(Edge(relation, True, s))
            elif p == TYPE and isinstance(o, Iri):
                self.classes.setdefault(s, []).append(o.value)
            elif p == LABEL and isinstance(o, Literal):
                self.labels.setdefault(s, []).append(o)
        for class_ in schema.source.all_classes():
            of = class_.subjects_of or class_.objects_of
            for s, p, o in triples:
                end = s if class_.subjects_of else o
                if of is not None and p == Iri(of) and not isinstance(end, Literal):
                    self.classes.setdefault(end, []).append(class_.iri)
        if not self.around:  # a graph that holds nothing is asked about what it does not hold
            self.around[Iri(f"{NS}e0")] = []
        self.nodes = list(self.around)
        self.entities = [node for node in self.nodes if not isinstance(node, Literal)]
        self.connected = [node for node in self.nodes if self.around[node]] or self.nodes
        self.all_classes = [c.iri for c in schema.source.all_classes()]

    def labelled(self, node: Node) -> list[Literal]:
        """The labels that a bare name finds."""
        return [label for label in self.labels.get(node, ()) if label.language in (None, "en")]


def random_program(random: Random, around: Neighbourhood) -> syntax.Program:
    """A program, sometimes of several statements."""
    return _Growing(random, around).program()


class _Growing:
    def __init__(self, random: Random, around: Neighbourhood) -> None:
        self.random = random
        self.around = around
        self.statements: list[syntax.Assignment] = []

    def chance(self, share: float) -> bool:
        """True that often; False is the plain case, and what hypothesis shrinks towards."""
        return self.random.random() > 1 - share

    def program(self) -> syntax.Program:
        random = self.random
        witness = random.choice(self.around.connected)
        expression = self.grow(witness, random.choice(_SIZES))
        match random.random():
            case roll if roll > 0.94:
                expression = syntax.Ask(expression)
            case roll if roll > 0.84:
                expression = syntax.CountOf(expression)
        stop = syntax.Assignment("expression", syntax.Stop(expression))
        return syntax.Program((*self.statements, stop))

    def any_node(self) -> Node:
        return self.random.choice(self.around.nodes)

    # --- sets -----------------------------------------------------------------------------------------------------

    def grow(self, witness: Node, size: int) -> syntax.Expression:
        """A set expression of about that many parts which the witness is a member of, mostly."""
        if self.chance(0.06):
            witness = self.any_node()
        if size <= 1:
            return self.leaf(witness)
        found = self.values(witness, size) if isinstance(witness, Literal) else self.entities(witness, size)
        return self.named(found)

    def entities(self, witness: Node, size: int) -> syntax.Expression:
        roll = self.random.random()
        if roll < 0.28:
            return self.join(witness, size)
        if roll < 0.50:
            return self.negated(witness, size)
        if roll < 0.68:
            return self.combined(witness, size)
        if roll < 0.76:
            return self.compared(witness)
        if roll < 0.87:
            return self.extreme(witness, size)
        if roll < 0.92:
            return self.in_time(witness, size)
        if roll < 0.98:
            return self.walk(witness, size)
        return self.leaf(witness)

    def values(self, witness: Literal, size: int) -> syntax.Expression:
        roll = self.random.random()
        if roll < 0.45:
            return self.join(witness, size)
        if roll < 0.73:
            return self.combined(witness, size)
        if roll < 0.83:
            return syntax.CountOf(self.grow(self.any_node(), size - 1))
        if roll < 0.90:
            return self.walk(witness, size)
        if roll < 0.95:
            return self.negated(witness, size)
        if roll < 0.97:
            return self.extreme(witness, size)
        return self.leaf(witness)

    def leaf(self, witness: Node) -> syntax.Expression:
        """A class, an entity, a label or a value."""
        if isinstance(witness, Literal):
            if self.chance(0.5):
                return self.join(witness, 1)
            return syntax.Start(self.written(witness, None))
        roll = self.random.random()
        classes = self.around.classes.get(witness)
        if classes and roll < 0.45:
            iri = self.random.choice(classes)
            if self.chance(0.3):
                iri = self.random.choice(sorted(self.around.schema.superclasses(iri)))
            return syntax.Start(syntax.Text(self.class_name(iri)), kind="class" if self.chance(0.1) else None)
        labels = self.around.labelled(witness)
        if labels and roll > 0.9:
            label = self.random.choice(labels)
            return syntax.Start(syntax.Text(label.lexical), kind="entity")
        if isinstance(witness, Iri):
            return syntax.Start(syntax.Text(":" + witness.value[len(NS) :]))
        return syntax.Start(syntax.Text(self.class_name(self.random.choice(self.around.all_classes))))

    def join(self, witness: Node, size: int) -> syntax.Expression:
        edge = self.edge(witness)
        if edge is None:
            return self.leaf_or_cmp(witness)
        relation: syntax.Relation = self.relation_name(edge)
        if not isinstance(edge.other, Literal) and not isinstance(witness, Literal) and self.chance(0.08):
            relation = syntax.Reach(self.relation_name(edge), self.random.choice((1, 0)))
        return syntax.Join(relation, self.far(edge, size - 1))

    def far(self, edge: Edge, size: int) -> syntax.Expression:
        """What an edge leads to; a value is mostly written down."""
        if isinstance(edge.other, Literal) and (size <= 1 or self.random.random() < 0.6):
            return syntax.Start(self.written(edge.other, edge.relation), implicit=True)
        return self.grow(edge.other, size)

    def negated(self, witness: Node, size: int) -> syntax.Expression:
        """A negative JOIN that lets the witness pass, and beside it something positive where it would not be safe."""
        edges = self.around.around[witness]
        pool = [(r, back) for r in self.around.relations for back in (False, True) if self.fits(witness, r, back)]
        free = not pool or self.chance(0.2)
        relation, back = (
            (self.random.choice(self.around.relations), self.random.choice((False, True)))
            if free
            else self.random.choice(pool)
        )
        taken = {e.other for e in edges if e.relation is relation and e.back == back}
        others = [
            e.other
            for node in self.around.nodes
            for e in self.around.around[node]
            if e.relation is relation and e.back == back and e.other not in taken
        ]
        other = self.random.choice(others) if others and not self.chance(0.2) else self.any_node()
        edge = Edge(relation, back, other)
        of = self.far(edge, max(size - 2, 1)) if not back else self.grow(other, max(size - 2, 1))
        join = syntax.Join(self.relation_name(edge), of, True)
        if not free and not self.chance(0.15):
            return join
        return syntax.And((self.grow(witness, max(size - 2, 1)), join))

    def fits(self, witness: Node, relation: Relation, back: bool) -> bool:
        """Whether the witness is in the (stated) domain of a relation, or in its range."""
        unions = relation.range if back else relation.domain
        mine = {above for iri in self.around.classes.get(witness, ()) for above in self.around.schema.superclasses(iri)}
        return bool(unions) and all(not mine.isdisjoint(union) for union in unions)

    def combined(self, witness: Node, size: int) -> syntax.Expression:
        """AND, OR or MINUS."""
        roll = self.random.random()
        half = max(size // 2, 1)
        if roll < 0.6:
            count = 3 if size > 4 and self.chance(0.3) else 2
            return syntax.And(tuple(self.grow(witness, max(size // count, 1)) for _ in range(count)))
        if roll < 0.8:
            parts = [self.grow(witness, half), self.grow(self.like(witness), half)]
            return syntax.Or(tuple(parts if self.chance(0.5) else parts[::-1]))
        return syntax.Minus(self.grow(witness, half), self.grow(self.like(witness), half))

    def like(self, witness: Node) -> Node:
        """Another node of the same sort."""
        pool = [n for n in self.around.nodes if isinstance(n, Literal) == isinstance(witness, Literal)]
        return self.random.choice(pool)

    def compared(self, witness: Node) -> syntax.Expression:
        """CMP along a relation, or two, that the witness has values by."""
        steps, value = self.values_of(witness)
        if value is None:
            return self.leaf(witness)
        relation = steps[-1].relation
        constant = self.written(value, relation)
        kind = kind_of(value)
        roll = self.random.random()
        if kind is Kind.NUMBER and roll > 0.6:
            constant = syntax.Number(self.random.choice(_NUMBERS))
        elif kind is Kind.DATE and roll > 0.5:
            constant = syntax.Text(self.random.choice(_DATES))
        return syntax.Cmp(self.random.choice(_OPERATORS), self.path(steps), constant)

    def leaf_or_cmp(self, witness: Node) -> syntax.Expression:
        if isinstance(witness, Literal) or not self.chance(0.3):
            return self.leaf(witness)
        return self.compared(witness)

    def extreme(self, witness: Node, size: int) -> syntax.Expression:
        """ARGMAX, ARGMIN, top k, and those by a count."""
        mode = self.random.choice(("ARGMAX", "ARGMIN"))
        k = self.random.choice((None, None, None, 1, 2, 3))
        if self.chance(0.3) and not isinstance(witness, Literal):
            edge = self.edge(witness)
            if edge is not None:
                return syntax.Arg(mode, self.grow(witness, size - 1), self.relation_name(edge), k, counted=True)
        steps, value = self.values_of(witness)
        if value is None:
            return self.join(witness, size)
        if kind_of_relation(steps[-1].relation) is Kind.TEXT:
            return self.compared(witness)
        return syntax.Arg(mode, self.grow(witness, size - 1), self.path(steps), k)

    def in_time(self, witness: Node, size: int) -> syntax.Expression:
        """TC by a relation that leads to dates, if the witness has one."""
        dates = [e for e in self.around.around[witness] if not e.back and _is_date(e.other)]
        if dates:
            edge = self.random.choice(dates)
        else:
            pool = [r for r in self.around.relations if kind_of_relation(r) in (Kind.DATE, Kind.ANY)]
            pool = [r for r in pool if r.literal is not False]
            if not pool:
                return self.join(witness, size)
            edge = Edge(self.random.choice(pool), False, VALUES[0])
        value: syntax.Text | syntax.Number = syntax.Text(self.random.choice((*_DATES, "NOW")))
        if dates and isinstance(edge.other, Literal) and self.chance(0.4):
            value = syntax.Text(edge.other.lexical)
        of = self.grow(witness, size - 1)
        return syntax.TimeConstraint(of, self.relation_name(edge), value, self.chance(0.5))

    def walk(self, witness: Node, size: int) -> syntax.Expression:
        """A JOIN along a path of relations, negated now and then."""
        first = self.edge(witness)
        second = self.edge(first.other) if first is not None else None
        if first is None or second is None:
            return self.leaf_or_cmp(witness)
        negated = self.chance(0.2) and self.fits(witness, first.relation, first.back)
        return syntax.Join(self.path([first, second]), self.far(second, max(size - 2, 1)), negated)

    # --- along the graph ------------------------------------------------------------------------------------------

    def edge(self, node: Node) -> Edge | None:
        """An edge that the node has; one that it has not, now and then."""
        edges = self.around.around.get(node)
        if not edges or self.chance(0.04):
            if isinstance(node, Literal) or not self.around.relations:
                return None
            return Edge(self.random.choice(self.around.relations), self.random.random() > 0.5, self.any_node())
        return self.random.choice(edges)

    def values_of(self, witness: Node) -> tuple[list[Edge], Literal | None]:
        """One or two steps from the witness to a value, and that value; None where there is none."""
        edges = self.around.around.get(witness, [])
        direct = [e for e in edges if isinstance(e.other, Literal)]
        further = [e for e in edges if not isinstance(e.other, Literal)]
        if further and (not direct or self.chance(0.2)):
            first = self.random.choice(further)
            seconds = [e for e in self.around.around[first.other] if isinstance(e.other, Literal)]
            if seconds:
                second = self.random.choice(seconds)
                assert isinstance(second.other, Literal)
                return [first, second], second.other
        if not direct:
            return [], None
        edge = self.random.choice(direct)
        assert isinstance(edge.other, Literal)
        return [edge], edge.other

    def path(self, steps: list[Edge]) -> syntax.Relation:
        names = tuple(self.relation_name(step) for step in steps)
        return names[0] if len(names) == 1 else syntax.RelationPath(names)

    # --- spelling -------------------------------------------------------------------------------------------------

    def relation_name(self, edge: Edge) -> syntax.Name:
        relation = edge.relation
        text = relation.iri.removeprefix(NS)
        match self.random.random():
            case roll if roll > 0.97 or text == relation.iri:
                text = f"<{relation.iri}>"
            case roll if roll > 0.94:
                text = ":" + text
            case roll if roll > 0.85 and relation.label is not None:
                text = relation.label
        return syntax.Name("R_" + text if edge.back else text)

    def class_name(self, iri: str) -> str:
        found = self.around.schema.class_(iri)
        if found is not None and found.label is not None and self.chance(0.3):
            return found.label
        return f"<{iri}>" if not iri.startswith(NS) or self.chance(0.05) else iri[len(NS) :]

    def written(self, value: Literal, relation: Relation | None) -> syntax.Text | syntax.Number:
        """A value as a program writes it: bare where that is read as the same, else with its datatype."""
        if value.datatype == RDF_LANG_STRING:
            return syntax.Text(f"{value.lexical}@{value.language}")
        bare = self.random.random() < 0.7
        kind = kind_of_relation(relation) if relation is not None else Kind.ANY
        if value.datatype in NUMERIC_DATATYPES and bare and NUMBER.match(value.lexical):
            return syntax.Number(value.lexical)
        if value.datatype in _DATE_KINDS and bare and kind is Kind.DATE:
            return syntax.Text(value.lexical)
        if kind_of(value) is Kind.TEXT and bare and relation is not None:
            return syntax.Text(value.lexical)
        return syntax.Text(literal_name(value))

    def named(self, expression: syntax.Expression) -> syntax.Expression:
        """The expression, or now and then a variable that it has been given to."""
        if not self.chance(0.08):
            return expression
        name = f"expression{len(self.statements) + 1}"
        self.statements.append(syntax.Assignment(name, expression))
        return syntax.Reference(name)


def _is_date(node: Node) -> bool:
    return isinstance(node, Literal) and kind_of(node) is Kind.DATE
