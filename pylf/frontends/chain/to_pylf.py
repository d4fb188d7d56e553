"""From a chain to a PyLF program.

Each step is one function of the language around the set at its position, places kept; names and values are handed on as
they are written, so that what they mean, and whether the types fit, is asked in one place, when the program is lowered.

A hop walks from what is known to what is asked for, while ``JOIN(r, X)`` names what it asks for first: ``X -> r`` is
``JOIN('R_r', X)``, ``X -> ~r`` is ``JOIN('r', X)``. A constraint chain is read from its position outwards, so that
``[-> r -> X]`` is AND with ``JOIN('r', X)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic, Span
from pylf.frontends.chain import tree
from pylf.frontends.chain.names import Directions
from pylf.frontends.wording import CHAINS
from pylf.language import syntax
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

#: Sets inside sets may nest this deep; what comes after walks the program recursively.
MAX_DEPTH = 200


def to_program(chain: tree.Chain, schema: Schema, vocabulary: Vocabulary) -> syntax.Program:
    """The PyLF program of one nested expression that a chain means.

    Raises:
        CompileError: ``no-source``: ``?`` without a constraint that says what it is; ``type-mismatch``: ``[any]``
            anywhere but at the end; ``too-deep``: more than MAX_DEPTH sets inside each other, hops counted.
    """
    translation = _Translation(Directions(schema, vocabulary))
    try:
        root = translation.answer(chain)
    except CompileError as error:
        source = chain.source
        raise CompileError([d if source is None else d.at(source) for d in error.diagnostics]) from None
    answer = syntax.Assignment("expression", syntax.Stop(root, chain.span), chain.span)
    return syntax.Program((answer,), source=chain.source, wording=CHAINS)


class _Translation:
    __slots__ = ("directions",)

    def __init__(self, directions: Directions) -> None:
        self.directions = directions

    def answer(self, chain: tree.Chain) -> syntax.Expression:
        """What a whole chain asks for, which may be a yes or a no.

        Raises:
            CompileError: as :func:`to_program`, without a source.
        """
        if not (chain.steps and isinstance(chain.steps[-1], tree.Exists)):
            return self.set_(chain, MAX_DEPTH)
        members = replace(chain, steps=chain.steps[:-1])
        return syntax.Ask(self.set_(members, MAX_DEPTH - 1), _from(chain.start.span, chain.span))

    def set_(self, chain: tree.Chain, depth: int) -> syntax.Expression:
        """The set that a chain leads to, at most ``depth`` deep.

        Raises:
            CompileError: as :func:`to_program`, without a source.
        """
        left = depth - _levels(chain.steps)
        if left <= 0:
            message = f"the sets of this chain nest deeper than {MAX_DEPTH}"
            raise CompileError([Diagnostic("too-deep", message, chain.span)])
        found = self.start(chain, left)
        #: sets that are to be met by what is found, until something else is done with it
        together: list[syntax.Expression] = [] if found is None else [found]
        begin = chain.start.span
        before: Span | None = begin
        gathered = False
        for step in chain.steps:
            span = _from(begin, step.span)
            constraint = _gathers(step)
            if constraint is not None:
                together.append(self.filter(constraint, left))
                gathered = True
            else:
                left += gathered
                together = [self.step(step, self.met(together, before, chain), span, left)]
                left += 1
                gathered = False
            before = span
        return self.met(together, before, chain)

    def start(self, chain: tree.Chain, depth: int) -> syntax.Expression | None:
        match chain.start:
            case tree.Atom() as atom:
                return syntax.Start(_constant(atom), atom.kind, span=atom.span)
            case tree.Union(chains=chains, span=span):
                return syntax.Or(tuple([self.set_(one, depth - 1) for one in chains]), span)
            case tree.Anything():
                return None

    def met(self, sets: list[syntax.Expression], span: Span | None, chain: tree.Chain) -> syntax.Expression:
        """What is in all sets that were gathered."""
        if not sets:
            hint = "as in ? [-> r -> X], or begin with a name or a class"
            message = "nothing says what '?' is: a constraint has to follow it"
            raise CompileError([Diagnostic("no-source", message, chain.start.span, hints=(hint,))])
        return sets[0] if len(sets) == 1 else syntax.And(tuple(sets), span)

    def step(self, step: tree.Step, of: syntax.Expression, span: Span | None, depth: int) -> syntax.Expression:
        """What a step other than a constraint that meets others makes of the set at its position."""
        match step:
            case tree.Hop(relation=first, negated=negated, further=further):
                walk = [self.relation(one, not one.back) for one in reversed((first, *further))]
                return syntax.Join(_joined(walk), of, negated, step.span)
            case tree.Except(constraint=constraint):
                return syntax.Minus(of, self.filter(constraint, depth), span)
            case tree.Best(largest=largest, path=path, k=k, counted=counted):
                mode = "ARGMAX" if largest else "ARGMIN"
                return syntax.Arg(mode, of, self.path(path), k, counted, step.span)
            case tree.Count():
                return syntax.CountOf(of, span)
            case tree.Exists():
                hint = "it stands at the end of the whole chain"
                message = "[any] gives yes or no, which is not a set"
                raise CompileError([Diagnostic("type-mismatch", message, step.span, hints=(hint,))])
            case tree.Compare(path=path, op=op, value=value):
                return syntax.TimeConstraint(of, self.path(path), _constant(value), op == ">=", step.span)
            case tree.Along() | tree.In():
                raise AssertionError("those are gathered")

    def filter(self, step: tree.Along | tree.Compare | tree.In, depth: int) -> syntax.Expression:
        """What meets a constraint."""
        match step:
            case tree.In(chain=chain):
                return self.set_(chain, depth - 1)
            case tree.Along(hops=hops, end=end):
                found = self.set_(end, depth - len(hops))
                for hop in reversed(hops):
                    found = syntax.Join(self.path((hop.relation, *hop.further)), found, hop.negated, hop.span)
                return found
            case tree.Compare(path=path, op=op, value=value, span=span):
                return syntax.Cmp(op, self.path(path), _constant(value), span)

    # -- relations

    def path(self, path: tuple[tree.Relation, ...]) -> syntax.Relation:
        """Relations from a position outwards."""
        return _joined([self.relation(one, one.back) for one in path])

    def relation(self, relation: tree.Relation, inverse: bool) -> syntax.Name | syntax.Reach:
        """A relation as PyLF names it, turned if ``inverse``."""
        span = relation.span
        name, turned = self.directions.read(relation.name)
        written = syntax.Name(self.directions.written(name, inverse is not turned), span)
        return written if relation.closure is None else syntax.Reach(written, relation.closure, span)


def _gathers(step: tree.Step) -> tree.Along | tree.Compare | tree.In | None:
    """The step, if it says what else the members of the set at its position are in."""
    match step:
        case tree.Along() | tree.In() | tree.Compare(or_none=False):
            return step
    return None


def _levels(steps: Iterable[tree.Step]) -> int:
    """How many sets are put around the beginning of a chain by its steps."""
    levels = 0
    gathered = False
    for step in steps:
        # those that are gathered at one position are in one AND
        gathers = _gathers(step) is not None
        levels += not (gathered and gathers)
        gathered = gathers
    return levels


def _joined(steps: list[syntax.Name | syntax.Reach]) -> syntax.Relation:
    return steps[0] if len(steps) == 1 else syntax.RelationPath(tuple(steps))


def _constant(atom: tree.Atom) -> syntax.Text | syntax.Number:
    return syntax.Number(atom.text, atom.span) if atom.number else syntax.Text(atom.text, atom.span)


def _from(begin: Span | None, span: Span | None) -> Span | None:
    """From where a chain begins to the end of one of its steps."""
    return span if begin is None or span is None else begin.cover(span)
