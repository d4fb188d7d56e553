"""Says a query in as few words as its structure allows; every other pass may then rely on that.

What it does, and why each is sound on every graph:

- **flat**: a union of one arm, a union as the only conjunct of an arm, and what can never hold (up to the nearest
  negation or arm, or the whole query) are what :mod:`pylf.ir.build` makes of them.
- **distinct rows inlined**: bodies are sets of solutions of which only what is asked for remains, so the variables
  that a ``Project`` hides may as well be hidden by the body around it. Names cannot meet: a query names each once.
- **said once**: a conjunct that stands in a body, or positively around a negation or an arm in it, holds there and
  need not be said again. A negation whose whole body holds so never holds; ``A and not (A and B)`` is ``A and not B``,
  and ``A and (A or B)`` is ``A``. An arm goes where another one says less than it, a negation where another one
  denies less.
- **constants**: comparisons of constants are settled by :func:`pylf.ir.values.compare`, those of a variable that is
  one of listed values choose among these. A variable that is one listed value is that value, as a term, everywhere:
  all of its occurrences have to be within the body where it is listed.

Left alone: the count that a number query asks for; a constant where only a variable may stand, or where engines want
one (in a closure of no steps, before the operator of an order); a repeated conjunct without which a negation would
share no variable with what is around it, or an arm not bind what it did; the names of variables. Values are never
taken for the same here because they are equal: joins are by term.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.mentions import mentioned_in, mentions
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    Member,
    Not,
    Op,
    Path,
    Project,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import bound, never
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.traverse import rewrite, terms, walk, with_bodies, with_span
from pylf.ir.types import RelationType
from pylf.ir.values import compare

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.context import Context
    from pylf.ir.terms import Constant, Term

    _Set = frozenset[Conjunct]

#: What is found in one round may make work for another; so many are more than any question needs.
_ROUNDS = 8
_NOTHING: frozenset[Conjunct] = frozenset()


def run(query: Query, _: Context) -> Query:
    """The query in fewer words; the very query where there is nothing to say otherwise."""
    for _round in range(_ROUNDS):
        if _settled(query):
            break
        found = _Round(query).run()
        if found is query:
            break
        query = found
    return query


def predicates_stay(query: Query) -> bool:
    """Whether the variables that are typed as relations are still predicates somewhere. Where the last such place is
    dropped the variable would need another type, and a pass changes none."""
    relations = {name for name, type_ in query.types if isinstance(type_, RelationType)}
    for conjunct in walk(query) if relations else ():
        match conjunct:
            case Triple(_, Var(name)) | Confidence(_, Var(name)):
                relations.discard(name)
            case Path(_, steps):
                relations.difference_update([step.name for step in steps if isinstance(step, Var)])
    return not relations


def _settled(query: Query) -> bool:
    """Whether nothing can be left to do, by a look at each conjunct: none is of a kind that might be said otherwise,
    and no two atoms are alike."""
    seen: set[object] = set()
    listed: set[str] = set()
    compared: set[str] = set()
    constant: set[str] = set()
    kept = {output.name for output in query.outputs}
    todo = [query.body]
    while todo:
        for conjunct in todo.pop().conjuncts:
            key: object
            match conjunct:
                case Triple(subject, predicate, object_):
                    key = (_spelled(subject), _spelled(predicate), _spelled(object_))
                case InstanceOf((Var() | Iri()) as term, (first, *_)):
                    key = (_spelled(term), first.value)
                case Compare(_, Var(name), right) if right != conjunct.left:
                    compared.add(name)
                    key = (name, "compared", _spelled(right))
                case Member(Var(name), values) if values:
                    listed.add(name)
                    if len(values) == 1:
                        constant.add(name)
                    key = (name, "listed")
                case Not(body) if body.conjuncts:
                    todo.append(body)
                    continue
                case Union((_, _, *_) as arms) if not any(map(_hidden, arms)):
                    todo += arms
                    continue
                case Count(result, of, body, group):
                    kept.update((result.name, of.name, *[var.name for var in group]))
                    todo.append(body)
                    continue
                case Extreme() | TopK():
                    kept.update((conjunct.item.name, conjunct.key.name))
                    todo.append(conjunct.body)
                    continue
                case Path() | Confidence():
                    key = type(conjunct)
                case Closure(subject, relation, object_) if subject != object_:
                    key = (_spelled(subject), relation.value, _spelled(object_), "steps")
                case _:
                    return False
            if key in seen:
                return False
            seen.add(key)
    return listed.isdisjoint(compared) and constant <= kept


def _hidden(arm: Body) -> bool:
    """Whether an arm is no arm but always holds, or is more arms."""
    return not arm.conjuncts or (len(arm.conjuncts) == 1 and type(arm.conjuncts[0]) is Union)


def _spelled(term: Term) -> str:
    if isinstance(term, Var):
        return term.name
    return term.value if isinstance(term, Iri) else term.lexical


class _Round:
    """One way through a query, from the outside in."""

    __slots__ = ("_total", "number", "query")

    def __init__(self, query: Query) -> None:
        self.query = query
        #: the name of the count that a number query asks for
        self.number = query.outputs[0].name if query.form is Form.NUMBER else None
        self._total: Counter[str] | None = None

    def run(self) -> Query:
        query = self.query
        body = self.body(query.body, _NOTHING, ())
        if self.number is not None and never(body):
            body = self.no_number()
        if body is query.body:
            return query
        found = build.query(query.form, query.outputs, body, query.types, query.span)
        return found if predicates_stay(found) else query

    def no_number(self) -> Body:
        """The body of a number query that never has an answer: the count stays, since that is what is asked for."""
        body = self.query.body
        count = next(c for c in body.conjuncts if isinstance(c, Count) and c.result.name == self.number)
        least = (count, *build.NEVER.conjuncts)
        return body if body.conjuncts == least else Body(least)

    def body(self, body: Body, held: _Set, denied: Sequence[_Set], arm: bool = False) -> Body:
        """A body, inside of something where the conjuncts ``held`` hold, and those of each set of ``denied`` do not
        all hold; ``arm`` where it has to bind what it binds."""
        if never(body):
            return body if body.conjuncts == build.NEVER.conjuncts else build.join(*body.conjuncts)
        parts = _folded(self.substituted(_inlined(body.conjuncts)))
        if parts is None or never(Body(tuple(parts))):
            return build.NEVER
        parts = list(dict.fromkeys(parts))
        if held:
            parts = _not_held(parts, held, arm)
        atoms = held.union([part for part in parts if isinstance(part, _ATOMS)])
        nots = [frozenset(part.body.conjuncts) for part in parts if isinstance(part, Not)]
        denied = (*denied, *nots)
        if any(one <= atoms for one in denied):
            return build.NEVER
        found: list[Conjunct] = []
        for part in parts:
            match part:
                case Not(inner):
                    mine = frozenset(inner.conjuncts)
                    if len(nots) > 1 and any(other < mine for other in nots):
                        continue
                    new = self.body(inner, atoms, ())
                    found += (
                        (part,)
                        if new is inner and inner.conjuncts
                        else build.negate(new, part.span, part.apart).conjuncts
                    )
                case Union(arms):
                    found += self.union(part, [self.body(one, atoms, denied, arm=True) for one in arms])
                case Count() | Extreme() | TopK():
                    found += self.closed(part)
                case _:
                    found.append(part)
        if len(found) == len(body.conjuncts) and all(map(_is, found, body.conjuncts)):
            return body
        return build.join(*found)

    def union(self, union: Union, arms: list[Body]) -> Iterable[Conjunct]:
        kept: list[tuple[_Set, Body]] = []
        for one in arms:
            mine = frozenset(one.conjuncts)
            if any(other <= mine for other, _ in kept):
                continue
            kept = [(other, body) for other, body in kept if not mine <= other]
            kept.append((mine, one))
        found = build.union([body for _, body in kept], union.span)
        match found.conjuncts:
            case (Union(new),) if len(new) == len(union.arms) and all(map(_is, new, union.arms)):
                return (union,)
            case conjuncts:
                return conjuncts

    def closed(self, node: Count | Extreme | TopK) -> Iterable[Conjunct]:
        body = self.body(node.body, _NOTHING, ())
        if never(body):
            if not isinstance(node, Count):
                return Body((Union((), node.span),)).conjuncts
            if node.group or node.result.name != self.number:
                return build.count(node.result, node.of, body, node.group, node.span).conjuncts
        return (node if body is node.body else with_bodies(node, (body,)),)

    # --- constants ------------------------------------------------------------------------------------------------

    def substituted(self, parts: list[Conjunct]) -> list[Conjunct]:
        """The conjuncts with the one value that a variable may have in the place of the variable."""
        known: dict[str, Constant] = {}
        for part in parts:
            match part:
                case Member(Var(name), (value,)):
                    known.setdefault(name, value)
        if not known:
            return parts
        within: Counter[str] = Counter()
        for part in parts:
            for conjunct in walk(part):
                named = [term.name for term in terms(conjunct) if type(term) is Var]
                within.update(named)
                for name in named:
                    if name in known and not _may_stand(known[name], name, conjunct):
                        del known[name]
        known = {name: value for name, value in known.items() if within[name] == self.total[name]}
        if not known:
            return parts

        def put(node: Body | Conjunct) -> Body | Conjunct:
            return node if isinstance(node, Body) else _put(node, known)

        return list(rewrite(Body(tuple(parts)), put).conjuncts)

    @property
    def total(self) -> Counter[str]:
        """How often each variable occurs in the query."""
        if self._total is None:
            self._total = Counter([output.name for output in self.query.outputs])
            for conjunct in walk(self.query):
                self._total.update([term.name for term in terms(conjunct) if type(term) is Var])
        return self._total


#: What holds or does not by itself, so that it holds wherever its variables are seen.
_ATOMS = (Triple, InstanceOf, Compare, Member, Confidence, Path)


def _is(one: object, other: object) -> bool:
    return one is other


def _inlined(conjuncts: Iterable[Conjunct]) -> list[Conjunct]:
    found: list[Conjunct] = []
    for conjunct in conjuncts:
        if isinstance(conjunct, Project):
            found += _inlined(with_span(conjunct.body, conjunct.span).conjuncts)
        else:
            found.append(conjunct)
    return found


def _not_held(parts: list[Conjunct], held: _Set, arm: bool) -> list[Conjunct]:
    """The conjuncts but those that hold anyway, as far as these can be missed."""
    rest = [part for part in parts if part not in held]
    if not rest or len(rest) == len(parts):
        return rest
    gone, left = [part for part in parts if part in held], Body(tuple(rest))
    if arm:
        return rest if bound(Body(tuple(gone))) <= bound(left) else parts
    return parts if mentioned_in(left).isdisjoint([name for part in gone for name in mentions(part)]) else rest


def _folded(parts: list[Conjunct]) -> list[Conjunct] | None:
    """The conjuncts with what constants settle left out; None where they settle that one never holds."""
    listed: dict[str, tuple[Constant, ...]] = {}
    for part in parts:
        match part:
            case Member(Var(name), values):
                known = listed.get(name)
                listed[name] = values if known is None else tuple([value for value in known if value in values])
    found: list[Conjunct] = []
    for part in parts:
        match part:
            case Compare(op, left, right, kind):
                if op is Op.IS and kind is Kind.ANY and left == right:
                    continue
                match left, right:
                    case Var(name), Iri() | Literal() if name in listed:
                        listed[name] = tuple([value for value in listed[name] if compare(op, value, right, kind)])
                    case Iri() | Literal(), Var(name) if name in listed:
                        listed[name] = tuple([value for value in listed[name] if compare(op, left, value, kind)])
                    case Iri() | Literal(), Iri() | Literal():
                        if not compare(op, left, right, kind):
                            return None
                    case _:
                        found.append(part)
            case Member(term, values) if not isinstance(term, Var):
                if term not in values:
                    return None
            case InstanceOf(Literal()):
                return None
            case Closure(subject, _, object_, 0) if subject == object_:
                continue
            case _:
                found.append(part)
    if not all(listed.values()):
        return None
    if not listed:
        return found
    told: list[Conjunct] = []
    for part in found:
        match part:
            case Member(Var(name), values):
                left_ = listed.pop(name, None)
                if left_ is not None:
                    told.append(part if left_ == values else Member(part.term, left_, part.span))
            case _:
                told.append(part)
    return told


def _may_stand(value: Constant, name: str, conjunct: Conjunct) -> bool:
    """Whether a constant may stand in the place of a variable of a conjunct."""
    match conjunct:
        case Triple() | InstanceOf() | Member() | Path():
            return True
        case Compare(op, left, right):
            return op is Op.IS or left != Var(name) or not isinstance(right, Var) or right == left
        case Confidence(_, _, _, of):
            return of.name != name and not isinstance(value, Literal)
        case Closure(_, _, _, minimum):
            return minimum == 1
        case _:
            return False


def _put(node: Conjunct, known: dict[str, Constant]) -> Body | Conjunct:
    """An atom with constants in the place of variables."""
    if not any(type(term) is Var and term.name in known for term in terms(node)):
        return node

    def term(old: Term) -> Term:
        return known.get(old.name, old) if isinstance(old, Var) else old

    match node:
        case Triple(subject, predicate, object_):
            return build.triple(term(subject), term(predicate), term(object_), node.span)
        case InstanceOf(one, classes):
            return build.instance_of(term(one), classes, node.span)
        case Member(one, values):
            return build.member(term(one), values, node.span)
        case Path(nodes, steps, forward):
            return build.path(tuple(map(term, nodes)), tuple(map(term, steps)), forward, node.span)
        case Compare(op, left, right, kind):
            ends = term(left), term(right)
            if op is Op.IS and not isinstance(ends[0], Var):
                ends = ends[1], ends[0]
            return Compare(op, *ends, kind, node.span)
        case Confidence(subject, predicate, object_, value):
            return Confidence(term(subject), term(predicate), term(object_), value, node.span)
        case Closure(subject, relation, object_, minimum):
            return build.closure(term(subject), relation, term(object_), minimum, node.span)
        case _:
            return node
