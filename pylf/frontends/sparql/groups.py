"""Groups of patterns as conjuncts (SPARQL 1.1, section 18.2.2), part by part in the order in which they are written.

A join of two patterns is their conjuncts together: what is bound twice is one variable. Filters come last, since they
are the whole group's. What a UNION's arm, a MINUS or an EXISTS has for itself is renamed apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.sparql import syntax
from pylf.frontends.sparql.expressions import View
from pylf.frontends.sparql.filters import holds
from pylf.frontends.sparql.labels import labels_of, served
from pylf.frontends.sparql.mentions import in_scope, key_of, mentioned, surely_bound
from pylf.frontends.sparql.paths import is_below, is_type, triple
from pylf.frontends.sparql.scope import Part
from pylf.frontends.sparql.simplify import simplified
from pylf.frontends.sparql.unions import bag_union, table
from pylf.ir import build
from pylf.ir.nodes import Body, LeftJoin, Member
from pylf.ir.scope import bound, opened
from pylf.ir.terms import Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.errors import Span
    from pylf.frontends.sparql.lower import Lowering
    from pylf.frontends.sparql.scope import Scope
    from pylf.ir.terms import Constant


def group(
    low: Lowering,
    pattern: syntax.Group,
    scope: Scope,
    used: frozenset[str],
    elsewhere: frozenset[str] = frozenset(),
    beside: Part | None = None,
) -> Part:
    """What a group comes to.

    ``used``: the keys that something outside of it looks at. ``elsewhere``: those that a pattern joined with it binds
    in every solution. ``beside``: what an OPTIONAL's group is asked for beside, which its filters see.

    Raises:
        CompileError: what the IR does not say, by name.
    """
    return _Group(low, pattern, scope, used | scope.given, elsewhere, beside).part_of()


class _Group:
    def __init__(
        self,
        low: Lowering,
        pattern: syntax.Group,
        scope: Scope,
        used: frozenset[str],
        elsewhere: frozenset[str],
        beside: Part | None,
    ) -> None:
        self.low = low
        self.scope = scope
        self.used = used
        self.elsewhere = elsewhere
        self.part = Part()
        #: the keys that an OPTIONAL opened
        self.optional: set[str] = set()
        self.view = View(low, self.part, scope, beside)
        self.parts = list(pattern.parts)
        if any(isinstance(part, syntax.Service) for part in self.parts):
            self.used |= served(used.union(mentioned(self.parts)))

    def part_of(self) -> Part:
        part = self.part
        filters: list[syntax.Filter] = []
        for place, pattern in self._in_turn():
            others = self.used.union(mentioned(p for i, p in enumerate(self.parts) if i != place))
            match pattern:
                case None:
                    pass  # said by another one
                case syntax.Filter():
                    filters.append(pattern)
                case syntax.Triple(span=span):
                    self._certain([pattern.subject, pattern.path, pattern.object], span)
                    part.conjuncts += triple(self.low, pattern, self.scope)
                case syntax.Group():
                    sure = self.elsewhere | surely_bound(p for i, p in enumerate(self.parts) if i != place)
                    self._join(group(self.low, pattern, self.scope, others, frozenset(sure)), pattern.span)
                case syntax.Select():
                    self._join(self.low.select(pattern, self.scope), pattern.span)
                case syntax.Optional():
                    self._optional(pattern, others)
                case syntax.Minus():
                    self._minus(pattern)
                case syntax.Union(arms, span):
                    sure = self.elsewhere | surely_bound(p for i, p in enumerate(self.parts) if i != place)
                    self._union(arms, span, others, frozenset(sure))
                case syntax.Data():
                    self._data(
                        pattern, others, self.elsewhere | surely_bound(p for p in self.parts if p is not pattern)
                    )
                case syntax.Bind():
                    self._bind(pattern)
                case syntax.Graph(span=span):
                    self.low.refuse(
                        "unsupported-graph", "GRAPH asks of a named graph, and here there is one graph", span
                    )
                case syntax.Service():
                    self._service(pattern, others)
        for one in filters:
            self._see()
            part.conjuncts += holds(one.condition, self.view).conjuncts
        self._see()
        simplified(part, self.used, self.scope, self.view)
        return part

    def _see(self) -> None:
        """Look anew at what is told by the conjuncts that there are by now."""
        view = View(self.low, self.part, self.scope, self.view.beside)
        view.reductions = self.view.reductions
        self.view = view

    def _in_turn(self) -> list[tuple[int, syntax.Pattern | None]]:
        """The parts with their places, in the order in which they are lowered: a SERVICE for labels runs after the
        patterns beside it, wherever it stands, and so do the BINDs behind it that look at what it gives."""
        parts = list(enumerate(self._instances()))
        services = [(place, part) for place, part in parts if isinstance(part, syntax.Service)]
        if not services:
            return parts
        first, service = services[0]
        others = [part for part in self.parts if not isinstance(part, syntax.Service)]
        known = set(in_scope(syntax.Group(tuple(others), service.span)))
        late: list[tuple[int, syntax.Pattern | None]] = []
        for place, part in parts:
            if isinstance(part, syntax.Bind) and place > first and not known.issuperset(mentioned([part.value])):
                late.append((place, part))
                known.difference_update(mentioned([part.variable]))
        return [one for one in parts if one not in services and one not in late] + services + late

    def _instances(self) -> list[syntax.Pattern | None]:
        """The parts; two triples that say that something is an instance of a class, its own class being looked at
        nowhere else, become one path (a set has room for that, a bag counts the classes)."""
        parts: list[syntax.Pattern | None] = list(self.parts)
        if self.scope.bag or not self.low.vocabulary.subclass_paths:
            return parts
        counts: dict[str, int] = {}
        for key in mentioned(self.parts):
            counts[key] = counts.get(key, 0) + 1
        for place, one in enumerate(self.parts):
            if not isinstance(one, syntax.Triple) or not is_type(self.low, one.path):
                continue
            class_key = key_of(one.object.term)
            if class_key is None or counts.get(class_key) != 2 or class_key in self.used:
                continue
            for other_place, other in enumerate(self.parts):
                if (
                    isinstance(other, syntax.Triple)
                    and key_of(other.subject.term) == class_key
                    and is_below(self.low, other.path)
                    and isinstance(other.object.term, Iri)
                ):
                    path = syntax.Sequence((one.path, other.path), one.span)
                    parts[place] = syntax.Triple(one.subject, path, other.object, one.span)
                    parts[other_place] = None
        return parts

    # --- joining ------------------------------------------------------------------------------------------------

    def _certain(self, nodes: Iterable[syntax.At | syntax.Path], span: Span) -> None:
        for node in nodes:
            key = key_of(node.term) if isinstance(node, syntax.At) else None
            if key is not None:
                self._bound(key, span)
                self.part.certain[key] = self.scope.var(key)

    def _bound(self, key: str, span: Span) -> None:
        """A variable is bound by one part more."""
        if key in self.part.open:
            self.low.refuse(
                "open-variable",
                f"?{key} may have no value from what stands before, and would then have one from here",
                span,
                "write what binds it in every case before the OPTIONAL" if key in self.optional else _compared(key),
            )
        self.part.partial.pop(key, None)

    def _join(self, other: Part, span: Span) -> None:
        part = self.part
        for key, variable in other.certain.items():
            self._bound(key, span)
            part.certain[key] = variable
        self._opened(other, span)
        part.conjuncts += other.conjuncts
        for key, place in other.partial.items():
            if key not in part.certain:
                part.partial[key] = place

    def _opened(self, other: Part, span: Span) -> None:
        part = self.part
        for key, variable in other.open.items():
            if key in part.certain or key in part.open or key in self.scope.given or key in part.partial:
                self.low.refuse(
                    "open-variable",
                    f"?{key} may have no value here, and is bound beside: the two cannot be joined",
                    span,
                    _compared(key),
                )
            part.open[key] = variable
        part.computed |= other.computed

    # --- parts --------------------------------------------------------------------------------------------------

    def _optional(self, pattern: syntax.Optional, others: frozenset[str]) -> None:
        low, part = self.low, self.part
        beside = part
        if self.view.beside is not None:
            beside = Part()
            beside.conjuncts = [*self.view.beside.conjuncts, *part.conjuncts]
            beside.certain = dict(part.certain)
            beside.open, beside.computed = dict(part.open), dict(part.computed)
        inner = group(low, pattern.group, self.scope, others | frozenset(part.certain), frozenset(), beside)
        new = (inner.certain.keys() | inner.open.keys() | inner.partial.keys()) - part.certain.keys() - self.scope.given
        for key in (*inner.certain, *inner.open):
            if key in part.open:
                low.refuse(
                    "open-variable",
                    f"two parts of the pattern may bind ?{key} or leave it without value",
                    pattern.span,
                    "name it apart in each, and take COALESCE of the two",
                )
        for key in inner.open:
            if key in part.certain or key in self.scope.given:
                low.refuse(
                    "not-well-designed",
                    f"an OPTIONAL within this one binds ?{key}, which is bound outside of both and not between",
                    pattern.span,
                    f"bind ?{key} in the outer OPTIONAL too, or write the inner one behind it and not within",
                )
        body = Body(tuple(inner.conjuncts))
        if self.scope.bag:
            # a variable without a name tells solutions apart as well as another
            here = {variable.name for variable in View(low, part, self.scope).certain().values()}
            adds = bool(new) or not here.issuperset(bound(body, here) | opened(body, here))
        else:
            adds = any(key in others for key in new)
        if not adds:
            return  # nothing looks at what it adds
        part.conjuncts.append(LeftJoin(body, pattern.span))
        for key in new:
            part.open[key] = self.scope.var(key)
            part.partial.pop(key, None)
            self.optional.add(key)

    def _minus(self, pattern: syntax.Minus) -> None:
        low, part = self.low, self.part
        binds = in_scope(pattern.group)
        inherited = self.scope.asked.union(self.scope.loose).intersection(mentioned([pattern.group]))
        if inherited:
            low.refuse(
                "unsupported-minus",
                f"MINUS within EXISTS looks at ?{min(inherited)}, of which engines think differently",
                pattern.span,
                "write FILTER NOT EXISTS in place of MINUS",
            )
        for key in binds:
            if key in part.open or key in part.partial:
                low.refuse("open-variable", f"MINUS compares ?{key}, which may have no value here", pattern.span)
        shared = [key for key in binds if key in part.certain]
        inside = self.scope.within(shared, bag=False)
        inner = group(low, pattern.group, inside, frozenset(shared))
        for key in shared:
            if key in inner.open or key in inner.partial:
                low.refuse("open-variable", f"MINUS compares ?{key}, which may have no value within it", pattern.span)
        if not any(key in inner.certain for key in shared):
            low.warn("minus-without-effect", "this MINUS shares no variable with what it is taken from", pattern.span)
            return
        part.conjuncts += build.negate(Body(tuple(inner.conjuncts)), pattern.span).conjuncts

    def _union(self, arms: tuple[syntax.Group, ...], span: Span, others: frozenset[str], sure: frozenset[str]) -> None:
        low, scope, part = self.low, self.scope, self.part
        mentions = [frozenset(in_scope(arm)) for arm in arms]
        scopes = [scope.within(keys & others) for keys in mentions]
        # a filter in an arm may name a variable that only its arm's pattern has; what it shares by name is no value
        found = [group(low, arm, inside, others, sure) for arm, inside in zip(arms, scopes, strict=True)]
        common = set.intersection(*[set(one.certain) | set(one.open) for one in found]) & others
        loose = {key for one in found for key in one.open} & others
        some = ({key for one in found for key in (*one.certain, *one.open, *one.partial)} & others) - common
        bodies = []
        for one in found:
            conjuncts = list(one.conjuncts)
            for key in sorted(some - sure - self.scope.given):
                if key not in one.certain and key not in one.open:
                    # without value in this arm, and known to be
                    conjuncts.append(LeftJoin(Body((Member(scope.var(key), (), span),)), span))
                    loose.add(key)
            bodies.append(Body(tuple(conjuncts)))
        partial = (some & sure) | (some & self.scope.given)
        for key in sorted(partial - self.scope.given):
            if any(key in one.open for one in found):
                low.refuse(
                    "open-variable",
                    f"?{key} may have no value in an arm of this UNION, and is bound beside: the two cannot be joined",
                    span,
                )
        exported = {scope.var(key).name for key in (common | some) - partial}
        combined = Part()
        combined.conjuncts = bag_union(bodies, exported | {scope.var(key).name for key in partial}, scope, span)
        for key in (common | some) - partial:
            if key in loose:
                combined.open[key] = scope.var(key)
            else:
                combined.certain[key] = scope.var(key)
        self._join(combined, span)
        for key in partial:
            if key not in part.certain:
                part.partial[key] = span

    def _data(self, pattern: syntax.Data, others: frozenset[str], sure: Iterable[str]) -> None:
        low, scope, span = self.low, self.scope, pattern.span
        keys: list[str] = []
        for at in pattern.variables:
            key = key_of(at.term)
            assert key is not None
            if key in keys:
                low.refuse("bound-twice", f"?{key} stands twice in VALUES", at.span)
            keys.append(key)
        if any(cell is None for row in pattern.rows for cell in row):
            arms = tuple(
                syntax.Group(
                    (
                        syntax.Data(
                            tuple(at for at, cell in zip(pattern.variables, row, strict=True) if cell is not None),
                            (tuple(cell for cell in row if cell is not None),),
                            span,
                        ),
                    ),
                    span,
                )
                for row in pattern.rows
            )
            self._union(arms, span, others, frozenset(sure))
            return
        rows = [tuple(constant_of(cell) for cell in row if cell is not None) for row in pattern.rows]
        combined = Part()
        combined.certain = {key: scope.var(key) for key in keys}
        combined.conjuncts = table(tuple(combined.certain.values()), rows, scope, span)
        self._join(combined, span)

    def _bind(self, pattern: syntax.Bind) -> None:
        low, part, scope, span = self.low, self.part, self.scope, pattern.span
        key = key_of(pattern.variable.term)
        assert key is not None
        if key in part.certain or key in part.open or key in scope.given:
            low.refuse("bound-twice", f"?{key} has a value already where BIND would give it one", span)
        # an OPTIONAL's filters see what is beside it, its other parts do not (18.2.2.6)
        low.assign(part, key, pattern.value, View(low, part, scope), self.used, span)

    def _service(self, pattern: syntax.Service, others: frozenset[str]) -> None:
        if not labels_of(self.low, pattern, self.part, self.scope, others):
            self.low.refuse("unsupported-service", f"SERVICE asks another endpoint, {pattern.name.term}", pattern.span)


def constant_of(at: syntax.At) -> Constant:
    """A value of VALUES."""
    assert isinstance(at.term, Iri | Literal)
    return at.term


def _compared(key: str) -> str:
    """What mends a join with what may have no value."""
    other = "m" if key != "m" else "n"
    return f"give it another name where it may have none, such as AS ?{other}, and compare: FILTER(?{key} = ?{other})"
