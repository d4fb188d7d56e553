"""From a path that is asked for one node, or whether there is one, to the PyLF that means the same: nested JOINs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.frontends.path.constants import start_of
from pylf.frontends.path.tree import Variable
from pylf.frontends.path.wording import PATHS
from pylf.language import syntax
from pylf.language.names import INVERSE, Names
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from pylf.frontends.path.tree import Hop, Named, Number, PathTree
    from pylf.language.context import Context


def as_program(tree: PathTree, context: Context) -> syntax.Program | None:
    """The program ``STOP(JOIN(…))`` of a path that asks for one node, or ``STOP(ASK(JOIN(…)))`` of one that asks for
    none and has an open node; None for other paths.

    JOINs go from a known end to one open node. So the other end is known, or both are where the node stands between
    them; relations are known, and no variable ties one place to another.

    Raises:
        Refused: a name breaks a rule, or nothing, or several things, answer to it.
    """
    place = _open_place(tree)
    if place is None:
        return None
    writer = _Writer(tree, context)
    sides: list[syntax.Expression] = []
    if place > 0:
        sides.append(writer.side(range(place)))
    if place < len(tree.hops):
        sides.append(writer.side(range(len(tree.hops), place, -1)))
    answer = sides[0] if len(sides) == 1 else syntax.And(tuple(sides), tree.span)
    stop = syntax.Stop(answer if tree.asked else syntax.Ask(answer, tree.span), tree.span)
    return syntax.Program((syntax.Assignment("expression", stop, tree.span),), source=tree.source, wording=PATHS)


def _open_place(tree: PathTree) -> int | None:
    """The place of the one node that is asked for, or of one that is open where none is, in a path that JOINs can
    say."""
    if any(isinstance(hop.relation, Variable) for hop in tree.hops):
        return None
    variables = [node for node in tree.nodes if isinstance(node, Variable)]
    if any(number > 1 for variable, number in Counter(variables).items() if variable.name is not None):
        return None
    ends = (0, len(tree.hops))
    places = [place for place, node in enumerate(tree.nodes) if isinstance(node, Variable)]
    asked = [place for place in places if tree.nodes[place] in tree.asked]
    if len(asked) > 1:
        return None
    # a JOIN begins at a known end
    place = next(iter(asked or [end for end in ends if end in places] or places), None)
    return None if any(end in places and end != place for end in ends) else place


class _Writer:
    def __init__(self, tree: PathTree, context: Context) -> None:
        self.tree = tree
        # what is found here is found again where the program is lowered, and told there
        self.names = Names(context, [], PATHS)
        self.steps = [self.names.step(self.name(hop)) for hop in tree.hops]

    def side(self, places: range) -> syntax.Expression:
        """The set of what is one hop beyond the last of ``places``, reached from the first one."""
        expression: syntax.Expression = self.start(places[0])
        for place in places:
            beyond = place + places.step
            # the hop between the two, and whether it leads back to where we come from
            hop = self.tree.hops[min(place, beyond)]
            towards = hop.forward is (places.step < 0)
            relation = self.name(hop) if towards else self.turned(min(place, beyond))
            expression = syntax.Join(relation, expression, span=hop.span)
            if beyond != places.stop and not isinstance(self.tree.nodes[beyond], Variable):
                expression = syntax.And((self.start(beyond), expression), hop.span)
        return expression

    def start(self, place: int) -> syntax.Start:
        node: Named | Number | Variable = self.tree.nodes[place]
        assert not isinstance(node, Variable)
        leads_here = None
        subject = False
        for at, is_end in ((place - 1, True), (place, False)):
            if 0 <= at < len(self.steps):
                # along the edge, whatever a name that is itself reversed makes of the arrow
                along = self.tree.hops[at].forward is not self.steps[at].inverse
                if along is is_end:
                    leads_here = leads_here or self.steps[at]
                else:
                    subject = True
        return start_of(node, leads_here, subject, self.names)

    @staticmethod
    def name(hop: Hop) -> syntax.Name:
        assert not isinstance(hop.relation, Variable)
        return syntax.Name(hop.relation.text, hop.relation.span)

    def turned(self, at: int) -> syntax.Name:
        """The name of a hop's relation, the other way round."""
        name, step = self.name(self.tree.hops[at]), self.steps[at]
        other = name.text[len(INVERSE) :] if step.inverse else INVERSE + name.text
        try:
            found = self.names.step(syntax.Name(other, name.span))
            if found.iri == step.iri and found.inverse is not step.inverse:
                return syntax.Name(other, name.span)
        except Refused:
            pass  # a name of its own begins like a reversed one
        return syntax.Name(f"<{step.iri}>" if step.inverse else f"{INVERSE}<{step.iri}>", name.span)
