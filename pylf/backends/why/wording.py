"""Conjuncts in words: ``?rocket  spaceflight.rocket.mass  ?mass``, with values in place of variables that have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.why.evidence import Class, Datatype, Relation
from pylf.backends.why.units import Unit, label_text, units_of
from pylf.ir.expression_signs import REDUCED, in_signs
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Direction,
    Extend,
    Extreme,
    InstanceOf,
    Kind,
    LeftJoin,
    Member,
    Not,
    Op,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Blank, Iri, Literal, Var
from pylf.ir.traverse import bodies

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pylf.backends.why.evidence import Sentence
    from pylf.backends.why.names import Names
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct, Order, Reduction
    from pylf.ir.terms import Node, Term

INDENT = "  "
#: Of many values that may be taken, the first few are named.
NAMED = 4
#: How deep one line goes into bodies within bodies.
DEPTH = 3

#: The ends of an order in words, by direction and kind.
ENDS = {
    (Direction.MAX, Kind.NUMBER): "largest",
    (Direction.MIN, Kind.NUMBER): "smallest",
    (Direction.MAX, Kind.DATE): "latest",
    (Direction.MIN, Kind.DATE): "earliest",
    (Direction.MAX, Kind.TEXT): "last",
    (Direction.MIN, Kind.TEXT): "first",
    (Direction.MAX, Kind.ANY): "largest",
    (Direction.MIN, Kind.ANY): "smallest",
}


class Wording:
    """Words for conjuncts and bodies, under names."""

    def __init__(self, names: Names) -> None:
        self.names = names

    # --- one line -------------------------------------------------------------------------------------------------

    def line(self, conjuncts: tuple[Conjunct, ...], fixed: Mapping[str, Node], depth: int = DEPTH) -> str:
        """Some conjuncts on one line, what stands within them in braces."""
        units = units_of(Body(conjuncts), self.names.vocabulary)
        return "; ".join([self._line(unit, fixed, depth) for unit in units]) or "always"

    def _line(self, unit: Unit, fixed: Mapping[str, Node], depth: int) -> str:
        inner = () if unit.label is not None else bodies(unit.first)
        head = self.head(unit, fixed)
        if not inner:
            return head
        braced = ["{ " + (self.line(body.conjuncts, fixed, depth - 1) if depth else "…") + " }" for body in inner]
        return " or ".join(braced) if isinstance(unit.first, Union) else f"{head} {braced[0]}"

    # --- several lines --------------------------------------------------------------------------------------------

    def lines(self, body: Body, fixed: Mapping[str, Node], indent: str = "", depth: int = 2 * DEPTH) -> list[str]:
        """A body, a unit a line, what stands within a unit indented below it; what is ``depth`` deep is left out."""
        if not depth:
            return [indent + "…"]
        out: list[str] = []
        for unit in units_of(body, self.names.vocabulary):
            inner = () if unit.label is not None else bodies(unit.first)
            if isinstance(unit.first, Union) and inner:
                for number, arm in enumerate(inner):
                    out.append(indent + ("or" if number else "either"))
                    out.extend(self.lines(arm, fixed, indent + INDENT, depth - 1))
                continue
            out.append(indent + self.head(unit, fixed))
            for below in inner:
                out.extend(self.lines(below, fixed, indent + INDENT, depth - 1))
        return out or [indent + "always"]

    # --- heads ----------------------------------------------------------------------------------------------------

    def head(self, unit: Unit, fixed: Mapping[str, Node]) -> str:
        """The line that a unit begins with; of one without bodies, all of it."""

        def of(term: Term) -> str:
            return self.term(term, fixed)

        if unit.label is not None:
            return f"{of(unit.label.bearer)}  is labelled  {self._label(unit)}"
        match unit.first:
            case Triple(subject, predicate, object_):
                return f"{of(subject)}  {self.predicate(predicate, fixed)}  {of(object_)}"
            case InstanceOf(term, classes):
                return f"{of(term)}  is a  {' or '.join(self.names.class_(c.value) for c in classes)}"
            case Compare(op, left, right):
                return f"{of(left)} {_OPERATORS[op]} {of(right)}"
            case Member(term, values):
                if not values:
                    return f"{of(term)}  is  nothing at all"
                return f"{of(term)}  is{'' if len(values) == 1 else ' one of'}  {self.several(values)}"
            case Confidence(subject, predicate, object_, value):
                stated = f"{of(subject)}  {self.predicate(predicate, fixed)}  {of(object_)}"
                return f"{stated}  with confidence  {of(value)}"
            case Path(nodes, relations, forward):
                parts = [of(nodes[0])]
                for node, relation, along in zip(nodes[1:], relations, forward, strict=False):
                    step = self.predicate(relation, fixed)
                    parts += [f"–{step}→" if along else f"←{step}–", of(node)]
                return " ".join(parts)
            case Closure(subject, relation, object_, minimum):
                steps = "one or more" if minimum else "no or more"
                name = self.names.relation(relation.value)
                return f"{of(subject)}  reaches  {of(object_)}  by {steps} steps of {name}"
            case Not():
                return "not"
            case Union():
                return "what can never hold"
            case Project(outputs):
                return f"the distinct {' '.join(map(of, outputs))} with"
            case Count(result, counted, _, group):
                per = f" for each {' '.join(map(of, group))}" if group else ""
                return f"{of(result)}  is the number of {counted}{per} with"
            case Extreme(direction, item, key, _, kind):
                return f"{of(item)}  has the {ENDS[direction, kind]} {key} of all with"
            case TopK(direction, k, item, key, _, kind):
                return f"{of(item)}  has one of the {k} {ENDS[direction, kind]} {key} of all with"
            case LeftJoin():
                return "where there is any"
            case Condition(expression):
                return self.expression(expression, fixed)
            case Extend(result, expression):
                return f"{of(result)}  is  {self.expression(expression, fixed)}"
            case Aggregate(reductions, _, group):
                per = f" for each {' '.join(map(of, group))}" if group else ""
                told = ", ".join([f"{of(one.result)}  is {self._reduced(one)}" for one in reductions])
                return f"{told or 'there is something'}{per} with"
            case Slice(outputs, _, order, limit, offset, distinct):
                rows = f"the{' distinct' if distinct else ''} rows {' '.join(map(of, outputs))}"
                which = f"{limit:,} of {rows}" if limit is not None else rows
                by = f" by {', '.join([self._key(key) for key in order])}" if order else ""
                return f"{which}{by}{f' after the first {offset:,}' if offset else ''} with"

    def _reduced(self, reduction: Reduction) -> str:
        of = "solutions" if reduction.of is None else self.expression(reduction.of, {})
        return f"{REDUCED[reduction.function]}{' the different' if reduction.distinct else ''} {of}"

    def _key(self, order: Order) -> str:
        return self.expression(order.expression, {}) + (", the last first" if order.descending else "")

    def expression(self, expression: Expression, fixed: Mapping[str, Node]) -> str:
        """An expression, as it would be computed by hand."""
        return in_signs(expression, lambda term: self.term(term, fixed))

    def _label(self, unit: Unit) -> str:
        assert unit.label is not None
        text = label_text(unit.label.values)
        return self.several(unit.label.values) if text is None else self.names.literal(Literal(text))

    # --- terms ----------------------------------------------------------------------------------------------------

    def term(self, term: Term, fixed: Mapping[str, Node]) -> str:
        """The thing that a term stands for, or the variable."""
        if isinstance(term, Var):
            node = fixed.get(term.name)
            return f"?{term.name}" if node is None else self.names.node(node)
        return self.names.node(term)

    def predicate(self, term: Term, fixed: Mapping[str, Node]) -> str:
        """A term in the place of a relation."""
        node = fixed.get(term.name) if isinstance(term, Var) else term
        return self.names.relation(node.value) if isinstance(node, Iri) else self.term(term, fixed)

    def several(self, nodes: Iterable[Node], total: int | None = None, conjunction: str = "or") -> str:
        """``A``, ``A or B``, ``A, B and 7 more``; ``total`` is how many there are where not all are given."""
        listed = list(nodes)
        total = len(listed) if total is None else total
        named = [self.names.node(node) for node in listed[:NAMED]]
        if total > len(named):
            return f"{', '.join(named)} and {total - len(named):,} more"
        return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} {conjunction} {named[-1]}"

    def sentence(self, sentence: Sentence) -> str:
        """A sentence, its things by their names."""
        parts = []
        for part in sentence:
            match part:
                case str():
                    parts.append(part)
                case Relation(iri):
                    parts.append(self.names.relation(iri))
                case Class(iri):
                    parts.append(self.names.class_(iri))
                case Datatype(literal):
                    parts.append(self.names.datatype(literal))
                case Var(name):
                    parts.append(f"?{name}")
                case Iri() | Literal() | Blank():
                    parts.append(self.names.node(part))
        return "".join(parts)


_OPERATORS = {op: op.value for op in Op} | {Op.IS: "is the same as"}
