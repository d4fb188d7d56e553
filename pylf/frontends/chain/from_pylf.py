"""From PyLF to a chain. Chains have a form for all that PyLF says; what nests too deeply to be read again is refused.

Names stand as they do in the program, so that no graph and no look-up is needed. Of sets that meet, the one that is
reached along relations from something named becomes the main chain, and the others its constraints.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pylf.errors import CompileError
from pylf.frontends.chain import tree
from pylf.frontends.chain.names import Directions
from pylf.frontends.chain.parser import parse
from pylf.frontends.chain.printer import print_chain
from pylf.frontends.chain.to_pylf import MAX_DEPTH, to_program
from pylf.frontends.no_form import check_nesting, check_reading
from pylf.language import syntax
from pylf.language.context import Context

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.language.context import Negation

_FORM = "chains"
#: NOW is read as this day on both sides; it matters to nothing
_TODAY = "2000-01-01"


def from_expression(expression: syntax.Expression, schema: Schema, vocabulary: Vocabulary) -> tree.Chain:
    """The chain that a PyLF expression without variables means; reading it again gives the same query.

    Raises:
        CompileError: the program has errors of its own (names that nothing answers to, types that clash); or
            ``reference``, ``too-deep``, ``too-large``, ``unwritable``; or ``no-nesting``: what was written would be
            read as another query.
    """
    check_nesting(expression, MAX_DEPTH)
    program = syntax.Program((syntax.Assignment("expression", syntax.Stop(expression)),))
    directions = Directions(schema, vocabulary)
    try:
        return _written(program, expression, _Writer(directions, True))
    except CompileError as error:
        if [d.code for d in error.diagnostics] != ["no-nesting"]:
            raise
    # values meet in the order in which they stand: where that matters, the first set stays first
    return _written(program, expression, _Writer(directions, False))


def _written(program: syntax.Program, expression: syntax.Expression, writer: _Writer) -> tree.Chain:
    """What a writer makes of a program, checked: its text is read as the program's query."""
    schema, vocabulary = writer.directions.schema, writer.directions.vocabulary
    written = writer.set_(expression)
    read = partial(_read, print_chain(written), schema, vocabulary)
    # what is one query in one reading of negation may be two in the other
    readings: tuple[Negation, ...] = ("cwa", "pca") if writer.negated else ("cwa",)
    for reading in readings:
        check_reading(program, read, Context(schema, vocabulary, negation=reading, today=_TODAY), _FORM)
    return written


def _read(text: str, schema: Schema, vocabulary: Vocabulary) -> syntax.Program:
    return to_program(parse(text), schema, vocabulary)


class _Writer:
    __slots__ = ("directions", "negated", "readable")

    def __init__(self, directions: Directions, readable: bool) -> None:
        self.directions = directions
        self.readable = readable
        #: whether a negated JOIN was met
        self.negated = False

    def set_(self, node: syntax.Expression) -> tree.Chain:
        """The chain of a set."""
        # the walk to the innermost set is a loop: a chain of many hops nests as deeply in PyLF
        steps: list[tree.Step] = []
        while True:
            match node:
                case syntax.Join(relation=relation, of=of, negated=negated, span=span):
                    self.negated |= negated
                    walk = tuple([_turned(one) for one in reversed(self.relations(relation))])
                    steps += reversed(_hops(walk, negated, span))
                    node = of
                case syntax.Minus(left=left, right=right, span=span):
                    steps.append(tree.Except(self.filter(right), span))
                    node = left
                case syntax.CountOf(of=of, span=span):
                    steps.append(tree.Count(span))
                    node = of
                case syntax.Ask(of=of, span=span):
                    steps.append(tree.Exists(span))
                    node = of
                case syntax.Arg(mode=mode, of=of, relation=relation, k=k, counted=counted, span=span):
                    steps.append(tree.Best(mode == "ARGMAX", self.relations(relation), k, counted, span))
                    node = of
                case syntax.TimeConstraint(of=of, relation=relation, value=value, until=until, span=span):
                    op = ">=" if until else "<="
                    steps.append(tree.Compare(self.relations(relation), op, _atom(value), True, span))
                    node = of
                case syntax.And(span=span):
                    main, *others = self.sets(node)
                    steps += [self.filter(one) for one in reversed(others)]
                    node = main
                case syntax.Cmp(span=span):
                    steps.append(self.compared(node))
                    return tree.Chain(tree.Anything(span), tuple(reversed(steps)), span)
                case syntax.Start(value=value, kind=kind, span=span):
                    return tree.Chain(_atom(value, kind), tuple(reversed(steps)), span)
                case syntax.Or(sets=sets, span=span):
                    return tree.Chain(
                        tree.Union(tuple([self.set_(one) for one in sets]), span), tuple(reversed(steps)), span
                    )
                case syntax.Reference():
                    raise AssertionError("an expression is written out")

    def sets(self, node: syntax.And) -> list[syntax.Expression]:
        """The sets that meet, that of the main chain first."""
        if not self.readable:
            return list(node.sets)
        found: list[syntax.Expression] = []
        todo: list[syntax.Expression] = [node]
        while todo:
            one = todo.pop()
            if isinstance(one, syntax.And):
                todo.extend(reversed(one.sets))
            else:
                found.append(one)
        main = max(found, key=_suits)
        return [main, *[one for one in found if one is not main]]

    def filter(self, node: syntax.Expression) -> tree.Along | tree.Compare | tree.In:
        """A set as a constraint."""
        if isinstance(node, syntax.Cmp):
            return self.compared(node)
        span = node.span
        hops: list[tree.Hop] = []
        end: syntax.Expression = node
        while isinstance(end, syntax.Join):
            self.negated |= end.negated
            hops += _hops(self.relations(end.relation), end.negated, end.span)
            end = end.of
        if not hops:
            return tree.In(self.set_(node), span)
        return tree.Along(tuple(hops), self.set_(end), span)

    def compared(self, node: syntax.Cmp) -> tree.Compare:
        return tree.Compare(self.relations(node.relation), node.op, _atom(node.value), False, node.span)

    def relations(self, relation: syntax.Relation) -> tuple[tree.Relation, ...]:
        """The relations of a path, from a position outwards."""
        steps = relation.steps if isinstance(relation, syntax.RelationPath) else (relation,)
        found = []
        for step in steps:
            name, closure = (step.name, step.minimum) if isinstance(step, syntax.Reach) else (step, None)
            text, back = self.directions.read(name.text)
            found.append(tree.Relation(text, back, closure, step.span))
        return tuple(found)


def _suits(node: syntax.Expression) -> int:
    """How well a set suits as the main chain: one that leads from something named, then names, then classes and what is
    only compared or excluded."""
    match node:
        case syntax.Join(negated=False):
            return 4
        case syntax.Arg() | syntax.TimeConstraint() | syntax.Minus() | syntax.Or():
            return 3
        case syntax.Start():
            return 2
        case syntax.Join():
            return 1
        case _:
            return 0


def _hops(walk: tuple[tree.Relation, ...], negated: bool, span: Span | None) -> list[tree.Hop]:
    """The hops of a walk; what is negated is so as a whole."""
    if negated:
        return [tree.Hop(walk[0], True, walk[1:], span)]
    return [tree.Hop(one, False, (), span) for one in walk]


def _turned(relation: tree.Relation) -> tree.Relation:
    """The same relation, walked from its other end."""
    return tree.Relation(relation.name, not relation.back, relation.closure, relation.span)


def _atom(value: syntax.Text | syntax.Number, kind: str | None = None) -> tree.Atom:
    return tree.Atom(value.text, isinstance(value, syntax.Number), kind, value.span)
