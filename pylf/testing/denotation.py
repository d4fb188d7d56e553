"""What a PyLF program denotes, straight from the table that defines the language.

An evaluator of the syntax tree by set comprehensions over a graph: no IR, no planning, no sharing with the lowering
but the look-up of names and the values of :mod:`pylf.ir.values`. Slow and short on purpose, it is what lowering,
passes and engines are tested against. Types are not checked, except that negation has to be safe.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from pylf.errors import CompileError, Diagnostic
from pylf.ir.answers import Answers
from pylf.ir.dates import DATE_DATATYPES, date_literal
from pylf.ir.nodes import Kind, Op
from pylf.ir.schema.model import Relation
from pylf.ir.schema.names import resolve_entity, resolve_literal, resolve_relation_iri
from pylf.ir.terms import XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_STRING, Iri, Literal, tagged
from pylf.ir.values import NUMERIC_DATATYPES, XSD_FLOAT, compare, identity, kind_of, order_key
from pylf.language import syntax

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from pylf.errors import Span
    from pylf.ir.graph import Graph
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node


def denote(
    program: syntax.Program,
    graph: Graph,
    schema: Schema,
    vocabulary: Vocabulary,
    negation: str = "cwa",
    today: str | None = None,
) -> Answers:
    """The answers of a program. ``negation`` is ``cwa`` or ``pca``; ``today`` (``YYYY-MM-DD``) is what NOW means.

    Raises:
        CompileError: ``unsafe-negation``, ``unsafe``, ``unknown-relation``, ``unknown-class``, ``ambiguous-name``, or
            ``type-mismatch`` for a constant that the relation's values cannot be compared with.
    """
    return _Denotation(graph, schema, vocabulary, negation, today).program(program)


@dataclass(frozen=True, slots=True)
class Listed:
    """A set whose members are known. ``constant``: a literal that was written down. ``literal``: by type, the members
    are literals. ``number``: it is a COUNT."""

    nodes: dict[Hashable, Node]
    constant: Literal | None = None
    literal: bool = False
    number: int | None = None

    def holds(self, node: Node) -> bool:
        """Whether a node is a member, by value."""
        return identity(node) in self.nodes


@dataclass(frozen=True, slots=True)
class Rest:
    """Everything but some things: members can be told, but not listed, for ``reason``. ``code`` is what a program that
    would list them is refused with."""

    holds: Callable[[Node], bool]
    reason: str
    span: Span | None
    literal: bool = False
    code: str = "unsafe-negation"


class Bare(NamedTuple):
    """A string or number whose reading depends on what it meets."""

    text: str
    is_number: bool


Set = Listed | Rest


@dataclass(slots=True)
class _Denotation:
    graph: Graph
    schema: Schema
    vocabulary: Vocabulary
    negation: str
    today: str | None
    assigned: dict[str, Set | Bare | bool] = field(default_factory=dict)

    def program(self, program: syntax.Program) -> Answers:
        answer: Set | bool = False
        for assignment in program.assignments:
            if isinstance(assignment.value, syntax.Stop):
                found = self.value(assignment.value.of)
                answer = found if isinstance(found, bool) else self.settle(found)
            else:
                self.assigned[assignment.name] = self.value(assignment.value)
        if isinstance(answer, bool):
            return Answers.of_boolean(answer)
        listed = _listed(answer)
        return Answers.of_values(listed.nodes.values()) if listed.number is None else Answers.of_number(listed.number)

    # --- the table ------------------------------------------------------------------------------------------------

    def value(self, node: syntax.Expression) -> Set | Bare | bool:
        match node:
            case syntax.Reference(name):
                return self.assigned[name]
            case syntax.Start():
                return self.start(node)
            case syntax.Join():
                return self.join(node)
            case syntax.And(sets):
                return self.conjunction(self.together(sets))
            case syntax.Or(sets):
                parts = [_listed(part) for part in self.together(sets)]
                return Listed(
                    {key: node for part in parts for key, node in part.nodes.items()},
                    literal=all(part.literal for part in parts),
                )
            case syntax.Minus(left, right):
                return self.minus(left, right, node.span)
            case syntax.CountOf(of):
                number = len(_listed(self.set_of(of)).nodes)
                return replace(_written(Literal(str(number), XSD_INTEGER)), constant=None, number=number)
            case syntax.Arg():
                return self.superlative(node)
            case syntax.Cmp(op, relation, constant):
                # { h : ∃v, (h, r, v) ∈ G, v op n }
                steps = self.steps(relation)
                literal, kind = self.constant(constant, steps[-1].relation)
                fits = partial(_fits, Op(op), literal, kind)
                near = _is_literal(steps[0].relation, steps[0].inverse)
                if _endless(steps):
                    reason = f"in no steps of <{steps[0].relation.iri}> every value reaches itself"
                    return Rest(self.reaching(steps, fits), reason, node.span, near, "unsafe")
                return _set((h for h, v in self.pairs(steps) if fits(v)), literal=near)
            case syntax.TimeConstraint():
                return self.time(node)
            case syntax.Ask(of):
                return bool(_listed(self.set_of(of)).nodes)

    def join(self, node: syntax.Join) -> Set:
        steps = self.steps(node.relation)
        met, of = self.met(node.of, steps[-1])
        near, inverse = steps[0].relation, steps[0].inverse
        literal = _is_literal(near, inverse)
        if not node.negated:
            # { h : ∃t ∈ X, (h, r, t) ∈ G }
            if isinstance(of, Rest) and _endless(steps):
                return replace(of, holds=self.reaching(steps, met), literal=literal)
            members = of.nodes.values() if isinstance(of, Listed) else ()
            return _set((h for h, t in self.pairs(steps, members) if met(t)), literal=literal)
        # { h ∈ inst(dom r) : ¬∃t ∈ X, (h, r, t) ∈ G }, and under pca with some (h, r, t) ∈ G
        reaches = self.reaching(steps, met)
        has = self.reaching(steps, _anything) if self.negation == "pca" else _anything

        def rest(h: Node) -> bool:
            return has(h) and not reaches(h)

        domain = near.range if inverse else near.domain
        if literal or (inverse and not near.range and near.profile is not None and near.profile.literals):
            return Rest(rest, "the complement would be of literals", node.span, literal=True)
        if not domain:
            return Rest(rest, f"<{near.iri}> has no known {'range' if inverse else 'domain'}", node.span)
        # several unions intersect
        first, *others = [self.instances(*union) for union in domain]
        return _set(h for h in first if rest(h) and all(h in other for other in others))

    def met(self, of: syntax.Expression, last: Step) -> tuple[Callable[[Node], bool], Set]:
        """How a relation's value meets the set it is joined with: a constant by value, anything else by identity; and
        that set."""
        found = self.value(of)
        kind = _kind(last.relation)
        profile = last.relation.profile
        if isinstance(found, Bare) and not last.inverse and (found.is_number or _is_literal(last.relation, True)):
            literal, kind = self.constant(
                syntax.Number(found.text) if found.is_number else syntax.Text(found.text), last.relation
            )
        elif isinstance(found, Listed) and found.constant is not None:
            literal = found.constant
        elif isinstance(found, bool):
            raise _wrong("type-mismatch", "ASK gives yes or no, which is not a set", of.span)
        else:
            settled = self.settle(found)
            return settled.holds, settled
        if kind_of(literal) is Kind.TEXT and kind is not Kind.ANY:
            kind = Kind.TEXT
        spellings = [literal]
        if literal.datatype == XSD_STRING and profile is not None:
            spellings += [tagged(literal.lexical, tag) for tag in profile.languages if profile.tagged]
        return lambda node: any(compare(Op.EQ, node, spelling, kind) for spelling in spellings), _written(literal)

    def conjunction(self, sets: list[Set]) -> Set:
        """Intersection by value. What cannot be listed sifts what can; a constant takes what equals it."""
        listed = [part for part in sets if isinstance(part, Listed)]
        if not listed:
            first = sets[0]
            assert isinstance(first, Rest)
            return replace(first, holds=lambda node: all(s.holds(node) for s in sets))
        base = next((part for part in listed if part.constant is None), listed[0])
        tests = [_test(part) for part in sets if part is not base]
        kept = {key: node for key, node in base.nodes.items() if all(test(node) for test in tests)}
        return Listed(kept, literal=any(part.literal for part in sets))

    def minus(self, left: syntax.Expression, right: syntax.Expression, span: Span | None) -> Set:
        from_, taken = self.set_of(left), self.value(right)
        without = self.settle(taken, from_.literal) if not isinstance(taken, bool) else _no_set(span)
        if isinstance(from_, Rest):
            return replace(from_, holds=lambda node: from_.holds(node) and not without.holds(node), span=span)
        kept = {key: node for key, node in from_.nodes.items() if not without.holds(node)}
        return Listed(kept, literal=from_.literal)

    def superlative(self, node: syntax.Arg) -> Set:
        """The members of X whose r-value is the extreme one among X, all ties; with k, whose best value fewer than k
        others beat; counted, by how many r-values they have."""
        members, steps = self.set_of(node.of), self.steps(node.relation)
        if _endless(steps):  # nothing but the members themselves tells which they are
            members = _listed(members)
        also = members.nodes.values() if isinstance(members, Listed) else ()
        values = [(h, v) for h, v in self.pairs(steps, also) if members.holds(h)]
        keys: dict[Hashable, list[Any]] = {}
        if node.counted:
            counted: dict[Node, set[Hashable]] = {}
            for h, v in values:
                counted.setdefault(h, set()).add(identity(v))
            # a count is of a term: 300 and 300.0 are counted apart, and the member that both are has two keys
            for h, seen in counted.items():
                keys.setdefault(identity(h), []).append(len(seen))
        else:
            kind = _kind(steps[-1].relation)
            if kind is Kind.ANY:
                kind = Kind.NUMBER if any(kind_of(v) is Kind.NUMBER for _, v in values) else Kind.DATE
            for h, v in values:
                if (key := order_key(v, kind)) is not None:
                    keys.setdefault(identity(h), []).append(key)
        best: Callable[..., Any] = max if node.mode == "ARGMAX" else min
        bests = {h: best(found) for h, found in keys.items()}
        ranking = sorted(bests.values(), reverse=node.mode == "ARGMAX")[: 1 if node.k is None else max(node.k, 0)]
        kept = {h for h, key in bests.items() if ranking and best([key, ranking[-1]]) == key}
        return _set((h for h, _ in values if identity(h) in kept), literal=members.literal)

    def time(self, node: syntax.TimeConstraint) -> Set:
        """The members of X without any r-value, or with one that compares."""
        members, steps = self.set_of(node.of), self.steps(node.relation)
        text = node.value.text
        if text == "NOW":
            from datetime import date

            text = self.today or date.today().isoformat()
        constant = date_literal(text.partition("^^")[0])
        if constant is None:
            raise _wrong("type-mismatch", f"{text!r} cannot be read as a date", node.value.span)
        op = Op.GE if node.until else Op.LE
        has, fitting = self.reaching(steps, _anything), self.reaching(steps, partial(_fits, op, constant, Kind.DATE))

        def holds(h: Node) -> bool:
            return fitting(h) or not has(h)

        if isinstance(members, Rest):
            return replace(members, holds=lambda h: members.holds(h) and holds(h))
        return Listed({key: h for key, h in members.nodes.items() if holds(h)}, literal=members.literal)

    # --- names ----------------------------------------------------------------------------------------------------

    def start(self, node: syntax.Start) -> Set | Bare:
        """{e}; for a class name its instances; for a number or a date the literal; otherwise what bears the label,
        unless it meets literals."""
        text, kind = node.value.text, node.kind
        if isinstance(node.value, syntax.Number):
            return Bare(text, is_number=True)
        spelt = resolve_literal(text, self.vocabulary)
        if kind == "literal":
            literal = spelt or Literal(text)
            return _written(literal)
        entity = resolve_entity(text, self.vocabulary)
        if kind != "entity":
            classes: tuple[str, ...] = self.schema.classes_named(text)
            iri = resolve_relation_iri(text, self.vocabulary) if entity is None else entity.value
            if iri is not None:
                classes = (iri,) if self.schema.class_(iri) is not None else () if entity is not None else classes
            if len(classes) > 1:
                raise _wrong("ambiguous-name", f"{text!r} names {len(classes)} classes", node.span)
            if classes or kind == "class":
                if not classes:
                    raise _wrong("unknown-class", f"the schema has no class {text!r}", node.span)
                return _set(self.instances(*classes))
        if entity is not None:
            return _set((entity,))
        if kind == "entity":
            bare = spelt is None or spelt.language is None
            return self.labelled(text) if bare or spelt is None else self.labelled(spelt.lexical, spelt.language)
        if spelt is not None:
            return _written(spelt)
        return Bare(text, is_number=False)

    def labelled(self, text: str, language: str | None = None) -> Listed:
        tags = (language,) if language else (*self.vocabulary.label_languages, *self.schema.languages)
        labels = [tagged(text, tag) if tag else Literal(text) for tag in tags]
        predicates = [Iri(predicate) for predicate in self.vocabulary.label_predicates]
        return _set(s for p in predicates for label in labels for s, _, _ in self.graph.triples(None, p, label))

    def instances(self, *classes: str) -> dict[Node, None]:
        """Entities of at least one of the classes or of a class below one."""
        found: dict[Node, None] = {}
        for iri in [below for class_ in classes for below in self.subclasses(class_)]:
            class_ = self.schema.class_(iri)
            if class_ is not None and class_.subjects_of is not None:
                found.update((s, None) for s, _, _ in self.graph.triples(None, Iri(class_.subjects_of), None))
            elif class_ is not None and class_.objects_of is not None:
                found.update((o, None) for _, _, o in self.graph.triples(None, Iri(class_.objects_of), None))
            else:
                for predicate in self.vocabulary.type_predicates:
                    found.update((s, None) for s, _, _ in self.graph.triples(None, Iri(predicate), Iri(iri)))
        return {node: None for node in found if not isinstance(node, Literal)}

    def subclasses(self, class_: str) -> Iterable[str]:
        """The class and what is below it, by the schema or, where the vocabulary says so, by the graph."""
        if not self.vocabulary.subclass_paths:
            return self.schema.subclasses(class_)
        found, new = {class_}, {class_}
        while new:
            stated = [
                s for c in new for s, _, _ in self.graph.triples(None, Iri(self.vocabulary.subclass_predicate), Iri(c))
            ]
            new = {s.value for s in stated if isinstance(s, Iri)} - found
            found |= new
        return sorted(found)

    def settle(self, found: Set | Bare, literal: bool = False) -> Set:
        """A bare constant as the literal or the label that it has to be here."""
        if not isinstance(found, Bare):
            return found
        if not found.is_number and not literal:
            return self.labelled(found.text)
        return _written(_number(found.text) if found.is_number else Literal(found.text))

    def set_of(self, node: syntax.Expression) -> Set:
        found = self.value(node)
        return _no_set(node.span) if isinstance(found, bool) else self.settle(found)

    def together(self, nodes: Iterable[syntax.Expression]) -> list[Set]:
        """Sets that meet one another: beside literals a bare string is a literal."""
        found = [(self.value(node), node.span) for node in nodes]
        literal = any(part.literal for part, _ in found if isinstance(part, Listed | Rest))
        return [_no_set(span) if isinstance(part, bool) else self.settle(part, literal) for part, span in found]

    # --- relations ------------------------------------------------------------------------------------------------

    def steps(self, relation: syntax.Relation) -> list[Step]:
        match relation:
            case syntax.Name():
                return [self.step(relation, None)]
            case syntax.Reach(name, minimum):
                return [self.step(name, minimum)]
            case syntax.RelationPath(steps):
                return [found for step in steps for found in self.steps(step)]

    def step(self, name: syntax.Name, minimum: int | None) -> Step:
        """The relation of a name; of ``R_r`` the relation r, against its direction, unless there is an ``R_r``."""
        forward, backward = (name.text, False), (name.text.removeprefix("R_"), True)
        readings = [forward, backward] if name.text.startswith("R_") else [forward]
        for text, inverse in readings:
            iri = resolve_relation_iri(text, self.vocabulary)
            known = iri is not None and (text.startswith("<") or self.schema.relation(iri) is not None)
            iris = (iri,) if iri is not None and known else self.schema.relations_named(text)
            if len(iris) > 1:
                raise _wrong("ambiguous-name", f"{text!r} names {len(iris)} relations", name.span)
            if iris:
                return Step(self.schema.relation(iris[0]) or Relation(iris[0]), inverse, minimum)
        text, inverse = readings[-1]
        iri = resolve_relation_iri(text, self.vocabulary)
        if iri is None:
            raise _wrong("unknown-relation", f"the schema has no relation {text!r}", name.span)
        return Step(Relation(iri), inverse, minimum)

    def pairs(self, steps: list[Step], also: Iterable[Node] = ()) -> list[tuple[Node, Node]]:
        """(near end, far end) of every walk along the steps, among the nodes of the graph and some others. Where two
        steps meet they meet by value, as in a JOIN of a JOIN."""
        walks = self.edges(steps[0], also)
        for step in steps[1:]:
            onward: dict[Hashable, list[Node]] = {}
            for middle, far in self.edges(step, also):
                onward.setdefault(identity(middle), []).append(far)
            walks = dict.fromkeys((near, far) for near, middle in walks for far in onward.get(identity(middle), ()))
        return list(walks)

    def reaching(self, steps: list[Step], test: Callable[[Node], bool]) -> Callable[[Node], bool]:
        """Whether from a node, by value, there is a walk along the steps to something that passes a test."""
        found = {identity(h) for h, far in self.pairs(steps) if test(far)}
        itself = _endless(steps)  # in no steps also what the graph does not have reaches itself
        return lambda h: identity(h) in found or (itself and test(h))

    def edges(self, step: Step, also: Iterable[Node]) -> dict[tuple[Node, Node], None]:
        triples = self.graph.triples(None, Iri(step.relation.iri), None)
        direct = dict.fromkeys((o, s) if step.inverse else (s, o) for s, _, o in triples)
        if step.minimum is None:
            return direct
        onward: dict[Node, list[Node]] = {}
        for near, far in direct:
            onward.setdefault(near, []).append(far)
        if step.minimum == 0:
            nodes = dict.fromkeys([*also, *[node for triple in self.graph.triples() for node in triple]])
            return {**dict.fromkeys((node, node) for node in nodes), **_reachable(onward)}
        return _reachable(onward)

    def constant(self, value: syntax.Text | syntax.Number, relation: Relation) -> tuple[Literal, Kind]:
        """A written constant as the relation's values are, and which of them it is compared with."""
        kind, text = _kind(relation), value.text
        is_number = isinstance(value, syntax.Number)
        typed = None if is_number else resolve_literal(text, self.vocabulary)
        literal: Literal | None
        if typed is not None:
            own = kind_of(typed)
            return typed, own if kind is Kind.ANY and own in (Kind.NUMBER, Kind.DATE) else kind
        if kind is Kind.NUMBER:
            literal = _number(text)
            if relation.datatypes == (XSD_FLOAT,) and literal.datatype in NUMERIC_DATATYPES:
                literal = replace(literal, datatype=XSD_FLOAT)  # 16777217 is 16777216 there
            literal = literal if literal.datatype in NUMERIC_DATATYPES else None
        elif kind is Kind.DATE:
            literal = date_literal(text)
        elif kind is Kind.ANY and len(relation.datatypes) == 1:
            datatype = relation.datatypes[0]
            literal = Literal(
                text, datatype if ":" in datatype and not datatype.endswith("#langString") else XSD_STRING
            )
        else:
            literal = _number(text) if is_number and kind is Kind.ANY else Literal(text)
        if literal is None:
            raise _wrong("type-mismatch", f"{text!r} cannot be read as a {kind.value}", value.span)
        return literal, kind


class Step(NamedTuple):
    """One relation of a path; ``minimum`` where it is a closure."""

    relation: Relation
    inverse: bool
    minimum: int | None


def _endless(steps: list[Step]) -> bool:
    """Whether the steps may be no steps at all: everything reaches itself, in the graph or not."""
    return all(step.minimum == 0 for step in steps)


def _anything(node: Node) -> bool:
    return True


def _fits(op: Op, constant: Literal, kind: Kind, node: Node) -> bool:
    return compare(op, node, constant, kind)


def _kind(relation: Relation) -> Kind:
    """Which values a relation has: by its declared datatypes, else by what was counted; ANY where mixed or unknown."""
    kinds = {
        Kind.NUMBER
        if d in NUMERIC_DATATYPES
        else Kind.DATE
        if d in DATE_DATATYPES
        else Kind.TEXT
        if d == XSD_STRING
        else Kind.ANY
        for d in relation.datatypes
    }
    if len(kinds) == 1:
        return kinds.pop()
    profile = relation.profile
    if kinds or profile is None:
        return Kind.ANY
    present = {
        kind
        for kind, count in ((Kind.NUMBER, profile.numbers), (Kind.DATE, profile.dates), (Kind.TEXT, profile.strings))
        if count
    }
    only = present.pop() if len(present) == 1 else Kind.ANY
    return Kind.ANY if only is Kind.TEXT and profile.tagged else only


def _is_literal(relation: Relation, far: bool) -> bool:
    """Whether an end of a relation is said to hold literals."""
    return far and bool(relation.literal or (relation.datatypes and not relation.range and relation.literal is None))


def _number(text: str) -> Literal:
    """A number under the datatype that its spelling shows; a plain string for anything else."""
    for pattern, datatype in (
        (r"[+-]?[0-9]+", XSD_INTEGER),
        (r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)", XSD_DECIMAL),
        (r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+|[+-]?INF", XSD_DOUBLE),
    ):
        if re.fullmatch(pattern, text.strip()):
            return Literal(text.strip(), datatype)
    return Literal(text)


def _reachable(onward: dict[Node, list[Node]]) -> dict[tuple[Node, Node], None]:
    """All pairs of a first and a last node of a walk of at least one step."""
    found: dict[tuple[Node, Node], None] = {}
    for start in onward:
        todo = [start]
        while todo:
            for there in onward.get(todo.pop(), ()):
                if (start, there) not in found:
                    found[start, there] = None
                    todo.append(there)
    return found


def _test(part: Set) -> Callable[[Node], bool]:
    """What a node of another set has to pass: a constant takes what equals it, a set its members."""
    if isinstance(part, Listed) and part.constant is not None:
        return partial(_equals, part.constant)
    return part.holds


def _equals(constant: Literal, node: Node) -> bool:
    return compare(Op.EQ, node, constant)


def _written(literal: Literal) -> Listed:
    return Listed({identity(literal): literal}, constant=literal, literal=True)


def _set(nodes: Iterable[Node], literal: bool = False) -> Listed:
    return Listed({identity(node): node for node in nodes}, literal=literal)


def _listed(found: Set) -> Listed:
    if isinstance(found, Rest):
        raise _wrong(found.code, f"{found.code.replace('-', ' ')}: {found.reason}", found.span)
    return found


def _no_set(span: Span | None) -> NoReturn:
    raise _wrong("type-mismatch", "ASK gives yes or no, which is not a set", span)


def _wrong(code: str, message: str, span: Span | None) -> CompileError:
    return CompileError([Diagnostic(code, message, span)])
