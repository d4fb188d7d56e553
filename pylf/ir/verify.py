"""What must hold of every query, checked after each step that makes or changes one.

``form``      the outputs are as many as the form wants, distinct, and bound; a number is the result of a count
              without groups that stands in the body of the query itself, so that there is at most one.
``safety``    a variable that a comparison, an expression or a negation uses is bound by something positive in the same
              or an enclosing body (:mod:`pylf.ir.scope`), or within the negation itself; a closure of zero or more
              steps has an end that is bound elsewhere or a constant. Where a conjunct can never hold nothing needs a
              binding.
``scope``     variables are named once per query: one that is local to a negation, to some arms of a union, or to a
              closed body does not occur outside of it; closed bodies bind what they export and count.
``term``      variables, IRIs and literals are well formed (an IRI is not empty and made of whole characters); no
              literal is a subject or a predicate; a relation is an IRI or a variable; values are constants.
``shape``     a path has one node more than it has relations; an instance-of names a class; the best k are at least
              one; a closure has at least zero or one steps.
``types``     ``Query.types`` covers exactly the variables that occur, sorted; predicates and nothing else are typed as
              relations, subjects never as literals, counts as integers.
``open``      an open variable (:mod:`pylf.ir.nodes`) has one binder, and only conditions, extensions, outputs, orders,
              groups and reductions look at it; extensions do not look at one another in a circle.
``nesting``   bodies stand within bodies, and expressions within expressions, at most 100 deep.

Of the wide tier besides: functions are known and have as many arguments as they take, reductions too; what an
expression looks at is bound; results stand apart; limits and offsets are not below zero (:mod:`pylf.ir.verify_wide`).
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import TYPE_CHECKING, NoReturn

from pylf.errors import InvalidIR
from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Extend,
    Extreme,
    Form,
    InstanceOf,
    LeftJoin,
    Member,
    Not,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import MAX_NESTING, OPENING, arms_bind, arms_may_open, close, exports, opened, openings
from pylf.ir.terms import ILLEGAL_IN_IRI, RDF_LANG_STRING, Iri, Literal, Var
from pylf.ir.traverse import variables
from pylf.ir.types import AnyType, EntityType, LiteralType, RelationType, RowType, SubgraphType
from pylf.ir.verify_wide import Openness, check_aggregate, check_expression, check_slice, circle

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Term
    from pylf.ir.types import Type

#: The best k of a top-k may be this many: what an engine's LIMIT can say.
MAX_K = 10**18 - 1

#: The place of the confidence among the outputs of a subgraph.
_CONFIDENCE = 3
_ARITY = {Form.SET: (1, 1), Form.NUMBER: (1, 1), Form.BOOLEAN: (0, 0), Form.ROWS: (1, None), Form.SUBGRAPH: (3, 4)}
_NOTHING: frozenset[str] = frozenset()
#: The conjuncts that bind what they do once the rest is bound.
_JOINED = frozenset((Closure, Union))


def verify(query: Query) -> None:
    """Check that a query keeps the rules of this module.

    Raises:
        InvalidIR: it breaks one; names the rule and the node.
    """
    _Verifier(query).run()


class _Verifier:
    __slots__ = ("homes", "names", "never", "predicates", "query", "results", "scopes", "subjects")

    def __init__(self, query: Query) -> None:
        self.query = query
        self.names = {name for name, _ in query.types}
        #: the scope that each variable belongs to, by number
        self.homes: dict[str, int] = {}
        self.scopes = 0
        #: whether some body can never hold: then variables may occur that nothing binds
        self.never = False
        self.subjects: set[str] = set()
        self.predicates: set[str] = set()
        self.results: set[str] = set()

    def run(self) -> None:
        query = self.query
        least, most = _ARITY[query.form]
        outputs = query.outputs
        if not least <= len(outputs) or (most is not None and len(outputs) > most):
            self.fail("form", f"a {query.form.value} query cannot have {len(outputs)} outputs")
        visible = self.body(query.body, _NOTHING, _NOTHING, 0)
        loose: AbstractSet[str] = _NOTHING
        for place, output in enumerate(outputs):
            if output.name not in visible:
                loose = loose or opened(query.body)
                if output.name not in loose:
                    self.fail("form", f"nothing positive binds the output {output}")
                if query.form is Form.SUBGRAPH and place < _CONFIDENCE:
                    self.fail("form", f"a triple has all of its parts, and the output {output} may be open")
        if len(outputs) > 1 and len({output.name for output in outputs}) != len(outputs):
            self.fail("form", "an output is named twice")
        if query.form is Form.NUMBER and not any(_counts(conjunct, outputs[0]) for conjunct in query.body.conjuncts):
            self.fail("form", f"a number is the result of a count without groups, and {outputs[0]} is not")
        self.types()

    # --- types ----------------------------------------------------------------------------------------------------

    def types(self) -> None:
        occurring = self.homes.keys() if not self.never else set(variables(self.query))
        before = ""
        for name, type_ in self.query.types:
            if name <= before:
                self.fail("types", f"types are not sorted by name, each once: ?{name} stands after ?{before}")
            before = name
            if name not in occurring:
                self.fail("types", f"?{name} has a type and does not occur")
            if not _is_name(name):
                self.fail("term", f"{name!r} is not a variable's name")
            kind = type(type_)
            if kind is RelationType:
                if name not in self.predicates:
                    self.fail("types", f"?{name} is typed as a relation and is no predicate")
            elif name in self.predicates:
                self.fail("types", f"?{name} is a predicate and is not typed as a relation")
            elif kind is EntityType:
                self.entity(name, type_)
            elif kind is LiteralType:
                if name in self.subjects:
                    self.fail("types", f"?{name} is a subject and is typed as a literal")
            elif kind is RowType or kind is SubgraphType:
                self.fail("types", f"?{name} has the type of a whole result")
        if len(self.names) != len(occurring):
            missing = min(occurring - self.names)
            self.fail("types", f"?{missing} occurs and has no type")
        if self.results:
            for name, type_ in self.query.types:
                # a count may meet other values, and then what it is and what they are is its type
                if name in self.results and not isinstance(type_, LiteralType | AnyType):
                    self.fail("types", f"?{name} is a number and is typed as something else")

    def entity(self, name: str, type_: Type) -> None:
        assert isinstance(type_, EntityType)
        unions = type_.unions
        if len(unions) > 1 and any(a >= b for a, b in itertools.pairwise(unions)):
            self.fail("types", f"the unions of ?{name}'s type are not sorted, each once")
        for union in unions:
            if not union or (len(union) > 1 and any(a >= b for a, b in itertools.pairwise(union))):
                self.fail("types", f"the classes in ?{name}'s type are not sorted, each once, or none")
            for iri in union:
                if not _is_iri(iri):
                    self.fail("term", f"{iri!r} in ?{name}'s type is not an IRI")

    # --- bodies ---------------------------------------------------------------------------------------------------

    def body(
        self,
        body: Body,
        around: AbstractSet[str],
        exported: AbstractSet[str],
        depth: int,
        loose: AbstractSet[str] = _NOTHING,
    ) -> AbstractSet[str]:
        """Checks a body. ``around`` is bound outside of it and seen in it, ``loose`` may be open there and is seen by
        conditions; ``exported`` belongs to the scope around a closed body or a left join's. Gives what is visible in it
        and not open."""
        if depth > MAX_NESTING:
            self.fail("nesting", f"bodies stand within bodies more than {MAX_NESTING} deep")
        self.scopes += 1
        return self.conjuncts(body, around, exported, self.scopes, depth, loose)

    def conjuncts(
        self,
        body: Body,
        around: AbstractSet[str],
        exported: AbstractSet[str],
        scope: int,
        depth: int,
        loose: AbstractSet[str] = _NOTHING,
    ) -> AbstractSet[str]:
        bound: set[str] = set()
        users: list[Conjunct] = []
        opens = False
        for conjunct in body.conjuncts:
            match conjunct:
                case Triple(subject, predicate, object_):
                    if type(subject) is Var:
                        bound.add(subject.name)
                        self.subjects.add(subject.name)
                    elif not (type(subject) is Iri and _is_iri(subject.value)):
                        self.subject(subject, conjunct)
                    if not (type(predicate) is Iri and _is_iri(predicate.value)):
                        bound.add(self.relation(predicate, conjunct))
                    if type(object_) is Var:
                        bound.add(object_.name)
                    elif not (type(object_) is Iri and _is_iri(object_.value)):
                        self.term(object_, conjunct)
                case Compare() | Not():
                    users.append(conjunct)
                case Union():
                    users.append(conjunct)
                    if arms_may_open(conjunct, depth):
                        opens = True
                case InstanceOf(term, classes):
                    self.bind(term, bound, conjunct)
                    if not classes:
                        self.fail("shape", "an instance-of names no class", conjunct)
                    for iri in classes:
                        if not (type(iri) is Iri and _is_iri(iri.value)):
                            self.constant(iri, conjunct)
                case _:
                    self.other(conjunct, bound)
                    if not isinstance(conjunct, (Member, Confidence, Path)):
                        users.append(conjunct)
                        if type(conjunct) in OPENING:
                            opens = True
        never = False
        if users and not _JOINED.isdisjoint(map(type, users)):
            never = self.join(users, bound, around, depth)
        openness = None
        # where nothing holds, all is bound
        if opens and not never:
            binders = openings(body, bound | around if around else bound, depth)
            if binders:
                openness = Openness(binders)
                self.open(body, openness, bound, around, loose)
        if loose and not never and not loose.isdisjoint(bound):
            self.joined(body, bound & loose)
        homes = self.homes
        for name in bound if openness is None else bound | openness.own:
            if name not in around and name not in exported and homes.setdefault(name, scope) != scope:
                node = next((c for c in body.conjuncts if name in variables(c)), None)
                self.fail("scope", f"?{name} is local to one part of the query and occurs in another", node)
        visible = (around | bound) if around else bound
        if never:
            self.never = True
            visible = visible | self.names
        for conjunct in users:
            self.use(conjunct, visible, depth, loose, openness)
        return visible

    def open(
        self,
        body: Body,
        openness: Openness,
        bound: AbstractSet[str],
        around: AbstractSet[str],
        loose: AbstractSet[str],
    ) -> None:
        """Checks that what may be open has one binder, and that no other body looks at what is seen here alone."""
        seen: set[str] = set()
        for conjunct, names in openness.binders:
            again = names & seen or names & loose or names & bound or names & around
            if again:
                self.fail("open", f"?{min(again)} may be open here and is bound besides", conjunct)
            seen |= names
        for conjunct in body.conjuncts:
            if isinstance(conjunct, Not | Union | LeftJoin):
                inside = mentions(conjunct) & openness.late - openness.of(conjunct)
                if inside:
                    self.fail("open", f"?{min(inside)} may be open, and is seen in its own body alone", conjunct)
        found = circle([conjunct for conjunct, _ in openness.binders if isinstance(conjunct, Extend)])
        if found is not None:
            self.fail("open", "extensions look at one another in a circle", found)

    def joined(self, body: Body, names: AbstractSet[str]) -> NoReturn:
        name = min(names)
        node = next((conjunct for conjunct in body.conjuncts if name in mentions(conjunct)), None)
        self.fail("open", f"?{name} may be open, and cannot be joined with", node)

    def join(self, users: list[Conjunct], bound: set[str], around: AbstractSet[str], depth: int) -> bool:
        """Adds what unions and closures of zero or more steps bind once the rest is bound; True where a conjunct can
        never hold."""
        closures = [c for c in users if isinstance(c, Closure) and c.minimum == 0]
        unions = [c for c in users if isinstance(c, Union)]
        if closures:
            close(closures, bound, around)
        never = False
        for union in unions:
            names = arms_bind(union, around | bound, depth)
            if names is None:
                never = True
            else:
                bound |= names
        if closures and unions:
            close(closures, bound, around)
        return never

    def use(
        self,
        conjunct: Conjunct,
        visible: AbstractSet[str],
        depth: int,
        loose: AbstractSet[str],
        openness: Openness | None,
    ) -> None:
        match conjunct:
            case Compare(_, left, right):
                for term in (left, right):
                    if type(term) is Var:
                        if term.name not in visible:
                            if term.name in loose or (openness is not None and term.name in openness.own):
                                self.fail("open", f"{term} may be open, and is compared", conjunct)
                            self.fail("safety", f"nothing positive binds {term}", conjunct)
                    else:
                        self.term(term, conjunct)
            case Not(body):
                self.body(body, visible, _NOTHING, depth + 1, openness.seen(loose, conjunct) if openness else loose)
            case Union(arms):
                if depth >= MAX_NESTING:
                    self.fail("nesting", f"bodies stand within bodies more than {MAX_NESTING} deep")
                self.scopes += 1
                within = self.scopes
                exported = _NOTHING if openness is None else openness.of(conjunct)
                seen = loose if openness is None else openness.seen(loose, conjunct)
                for arm in arms:
                    self.conjuncts(arm, visible, exported, within, depth + 1, seen)
            case Project(outputs, body):
                if not outputs or len(set(outputs)) != len(outputs):
                    self.fail("shape", "a projection has outputs, each once", conjunct)
                self.closed(conjunct, body, outputs, outputs, depth)
            case Count(result, of, body, group):
                self.results.add(result.name)
                if result == of or result in group or len(set(group)) != len(group):
                    self.fail("shape", "the result, what is counted and the groups of a count are apart", conjunct)
                self.closed(conjunct, body, (result, *group), (of, *group), depth)
            case Extreme() | TopK():
                if isinstance(conjunct, TopK) and not 1 <= conjunct.k <= MAX_K:
                    self.fail("shape", f"the best {conjunct.k} cannot be asked for", conjunct)
                self.closed(conjunct, conjunct.body, (conjunct.item,), (conjunct.item, conjunct.key), depth)
            case Closure(subject, _, object_):
                for term in (subject, object_):
                    if type(term) is Var and term.name not in visible:
                        self.fail("safety", f"neither end of the closure is bound, so {term} has no values", conjunct)
            case LeftJoin(body):
                exported = _NOTHING if openness is None else openness.of(conjunct)
                self.body(body, visible, exported, depth + 1, openness.seen(loose, conjunct) if openness else loose)
            case Condition() | Extend():
                looks = visible | loose
                check_expression(conjunct.expression, looks | openness.own if openness else looks, conjunct, self)
            case Aggregate(reductions, body, group):
                self.results.update([one.result.name for one in reductions if one.function == "count"])
                results = tuple([one.result for one in reductions])
                looks = self.closed(conjunct, body, (*results, *group), group, depth)
                check_aggregate(conjunct, looks, self)
            case Slice(outputs, body):
                looks = self.closed(conjunct, body, outputs, outputs, depth)
                check_slice(conjunct, looks, self)
            case _:
                pass

    def closed(
        self, node: Conjunct, body: Body, exported: tuple[Var, ...], needed: tuple[Var, ...], depth: int
    ) -> AbstractSet[str]:
        """Checks a closed body; gives what can be looked at in it, open or not."""
        outside = {variable.name for variable in exported}
        visible = self.body(body, _NOTHING, outside, depth + 1)
        looks = visible | opened(body, depth=depth + 1) if isinstance(node, (Aggregate, Slice)) else visible
        for variable in needed:
            if variable.name not in looks:
                if variable.name in opened(body, depth=depth + 1):
                    self.fail("open", f"{variable} may be open in the body, and cannot be asked for here", node)
                self.fail("scope", f"the body does not bind {variable}", node)
        if isinstance(node, Count) and node.result.name in variables(body):
            self.fail("scope", f"the result {node.result} occurs in the body that is counted", node)
        return looks

    # --- atoms and heads ------------------------------------------------------------------------------------------

    def other(self, conjunct: Conjunct, bound: set[str]) -> None:
        """Checks what stands in the conjunct itself and adds what it binds."""
        match conjunct:
            case Member(term, values):
                self.bind(term, bound, conjunct)
                for value in values:
                    if not (type(value) is Iri and _is_iri(value.value)):
                        self.constant(value, conjunct)
            case Confidence(subject, predicate, object_, value):
                self.subject(subject, conjunct)
                self.bind(subject, bound, conjunct)
                if not (type(predicate) is Iri and _is_iri(predicate.value)):
                    bound.add(self.relation(predicate, conjunct))
                self.bind(object_, bound, conjunct)
                self.bind(value, bound, conjunct)
                if type(value) is not Var:
                    self.fail("term", "a confidence is a variable", conjunct)
            case Path(nodes, relations, forward):
                if not relations or len(nodes) != len(relations) + 1 or len(forward) != len(relations):
                    self.fail(
                        "shape", "a path has at least one relation, a direction for each, and a node more", conjunct
                    )
                for node in nodes:
                    self.bind(node, bound, conjunct)
                for subject, relation, _ in conjunct.hops:
                    self.subject(subject, conjunct)
                    if not (type(relation) is Iri and _is_iri(relation.value)):
                        bound.add(self.relation(relation, conjunct))
            case Closure(subject, relation, object_, minimum):
                if type(relation) is not Iri:
                    self.fail("term", "the relation of a closure is an IRI", conjunct)
                self.constant(relation, conjunct)
                if minimum not in {0, 1}:
                    self.fail("shape", "a closure has at least zero or at least one steps", conjunct)
                ends: set[str] = set()
                self.bind(subject, ends, conjunct)
                self.bind(object_, ends, conjunct)
                if minimum:
                    self.subject(subject, conjunct)
                    bound |= ends
            case Project(outputs):
                bound.update(variable.name for variable in outputs)
            case Count(result, _, _, group):
                bound.add(result.name)
                bound.update(variable.name for variable in group)
            case Extreme() | TopK():
                bound.add(conjunct.item.name)
            case Aggregate() | Slice():
                bound |= exports(conjunct)
            case LeftJoin() | Condition() | Extend():
                pass
            case _:
                self.fail("shape", f"a {type(conjunct).__name__} is not a conjunct")

    def bind(self, term: Term, bound: set[str], node: Conjunct) -> None:
        if type(term) is Var:
            bound.add(term.name)
        else:
            self.term(term, node)

    def subject(self, term: Term, node: Conjunct) -> None:
        if type(term) is Var:
            self.subjects.add(term.name)
            return
        if type(term) is Literal:
            self.fail("term", "a literal cannot be a subject", node)
        self.term(term, node)

    def relation(self, term: Term, node: Conjunct) -> str:
        """The name of the variable that stands as a predicate."""
        if type(term) is not Var:
            if type(term) is Iri:
                self.term(term, node)
            self.fail("term", "a predicate is an IRI or a variable", node)
        self.predicates.add(term.name)
        return term.name

    def constant(self, term: Term, node: Conjunct) -> None:
        if type(term) is Var:
            self.fail("term", f"{term} stands where only a constant can", node)
        self.term(term, node)

    def term(self, term: Term, node: Conjunct) -> None:
        match term:
            case Iri(value) if not _is_iri(value):
                self.fail("term", f"{value!r} is not an IRI: it is empty or holds a character that none may hold", node)
            case Literal(_, datatype, language):
                if not _is_iri(datatype):
                    self.fail("term", f"the datatype {datatype!r} is not an IRI", node)
                if (language is not None) != (datatype == RDF_LANG_STRING):
                    self.fail("term", "rdf:langString is the datatype of tagged strings and of no others", node)
                if language is not None and not _is_tag(language):
                    self.fail("term", f"{language!r} is not a language tag in lower case", node)
            case Iri() | Var():
                pass
            case _:
                self.fail("term", f"a {type(term).__name__} is not a term of a query", node)

    def fail(self, rule: str, sentence: str, node: Conjunct | None = None) -> NoReturn:
        from pylf.ir.text import print_conjunct

        if node is None:
            raise InvalidIR(f"{rule}: {sentence}", self.query.span)
        printed = print_conjunct(node)
        if len(printed) > _MAX_PRINTED:
            printed = printed[: _MAX_PRINTED - 1] + "…"
        raise InvalidIR(f"{rule}: {sentence}, in: {printed}", node.span)


_MAX_PRINTED = 300


def _counts(conjunct: Conjunct, result: Var) -> bool:
    if isinstance(conjunct, Aggregate) and not conjunct.group:
        return any(one.function == "count" and one.result == result for one in conjunct.reductions)
    return isinstance(conjunct, Count) and conjunct.result == result and not conjunct.group


@functools.lru_cache(maxsize=8192)
def _is_iri(value: str) -> bool:
    return ILLEGAL_IN_IRI.isdisjoint(value) and value != "" and (value.isascii() or _is_whole(value))


def _is_whole(text: str) -> bool:
    """Whether a text holds no half of a surrogate pair."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


@functools.lru_cache(maxsize=1024)
def _is_name(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) is not None


@functools.lru_cache(maxsize=256)
def _is_tag(language: str) -> bool:
    return re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", language) is not None
