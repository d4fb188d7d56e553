"""From IR to a query tree.

A body is taken apart into a :class:`~pylf.backends.sparql.frame.Frame` and written as one group, in the order that
every engine takes well: sub-selects with one row, other sub-selects, inline data, triples, unions, filters, negations.

What the shapes rest on:

- Solutions form a set, and every variable has a name of its own (:mod:`pylf.backends.sparql.names`). So a superlative
  is its body in place, with a filter that compares its key with the extreme one, and that is found by a sub-select of
  one row over a renamed copy of the body. All ties are kept, on every engine.
- Sub-selects are evaluated from the inside out and see nothing around them; those with one row may stand anywhere
  where their variable is needed. When optimizing they go to the outermost group that the scope allows, out of
  negations above all.
- Filters see the variables of their own group and, under EXISTS, those around; an arm of a union sees nothing from
  outside. Where a filter in an arm needs more, the arm repeats what binds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import atoms, constants, counting, superlatives, values, witnesses
from pylf.backends.sparql.arms import merged
from pylf.backends.sparql.atoms import NEVER, NOTHING
from pylf.backends.sparql.content import ANYTHING, COUNTED, ENTITIES, content_of
from pylf.backends.sparql.frame import (
    Choice,
    Either,
    Frame,
    KeyTest,
    Listed,
    SameTerm,
    Spelled,
    SubQuery,
    looks_at,
    names_of,
    shares,
)
from pylf.backends.sparql.hidden import hides
from pylf.backends.sparql.known import known_of
from pylf.backends.sparql.meeting import list_members, meets_alone, told_apart
from pylf.backends.sparql.names import Apart, plain
from pylf.backends.sparql.nesting import nested
from pylf.backends.sparql.order import connected
from pylf.backends.sparql.print import is_strict
from pylf.backends.sparql.query import (
    Aggregate,
    Ask,
    Column,
    Exists,
    Filter,
    Group,
    Minus,
    Operation,
    Select,
    TriplePattern,
    UnionPattern,
    Values,
)
from pylf.backends.sparql.weight import weight
from pylf.errors import UnsupportedOperation
from pylf.ir.mentions import mentioned_in
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
from pylf.ir.scope import exports, never
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.traverse import walk
from pylf.ir.types import EntityType
from pylf.ir.values import as_held, is_misspelled
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.backends.sparql.content import Content
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.frame import Atom, Test
    from pylf.backends.sparql.query import Expression, Pattern, QueryTree
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Constant, Term
    from pylf.ir.types import Type

_ZERO = Literal("0", XSD_INTEGER)
_ROWS = Aggregate("COUNT", None)
#: What has no solution.
#: How many conjuncts may be written at most: nested superlatives repeat their bodies.
_BUDGET = 20_000
#: How many negations one with unions in it may become: where it has to, and where it is only faster.
_MOST_DISTRIBUTED = 64
_FEW_DISTRIBUTED = 8


def lower_query(
    query: Query, schema: Schema, vocabulary: Vocabulary, dialect: Dialect, optimize: int, spell_iris: bool = False
) -> QueryTree:
    """The query tree of a query; where ``spell_iris``, with comparisons of spelling in the place of odd IRIs.

    Raises:
        UnsupportedOperation: an operator has no right form in SPARQL (two dates compared that are both variables).
    """
    tree = Lowering(query, schema, vocabulary, dialect, optimize, spell_iris).query()
    limit = dialect.weight_limit
    if limit is not None and weight(tree) > limit:
        size = f"a query of more than {limit} patterns and calls"
        raise UnsupportedOperation(size, f"SPARQL ({dialect.name}): the engine plans no such queries")
    return tree


class Lowering:
    """One query on its way into a tree."""

    def __init__(
        self,
        query: Query,
        schema: Schema,
        vocabulary: Vocabulary,
        dialect: Dialect,
        optimize: int,
        spell_iris: bool = False,
    ) -> None:
        self.root = query
        self.schema = schema
        self.vocabulary = vocabulary
        self.dialect = dialect
        self.optimize = optimize > 0
        #: triples stand in the order in which a pass has put them
        self.ordered = optimize > 1
        self.apart = Apart(query)
        self._types: dict[str, Type] | None = None
        self.known = known_of(schema)
        self.spell_iris = spell_iris
        #: the unions and closures that are being written: they are not repeated within themselves
        self.writing: list[Atom] = []
        self._budget = _BUDGET
        closures = [conjunct for conjunct in walk(query) if isinstance(conjunct, Closure)]
        self.has_closures = bool(closures)
        #: the variables that closures begin or end at, where the engine has closures of its own
        self.closure_ends = frozenset(
            [end.name for c in closures for end in (c.subject, c.object) if isinstance(end, Var)]
            if dialect.transitive_option
            else ()
        )
        self.met_counts: frozenset[str] | None = None

    # --- queries --------------------------------------------------------------------------------------------------

    def query(self) -> QueryTree:
        """The whole query."""
        query = self.root
        body = self._named_apart()
        if query.form is Form.BOOLEAN:
            return Ask(self.closed(body, ()))
        match body.conjuncts:
            case (Count() as count,) if query.outputs == (*count.group, count.result):
                return self.count(count)
            case (Project(outputs, inner),) if query.outputs == outputs:
                return Select(outputs, self.closed(inner, outputs), distinct=True)
            case _:
                group = self.closed(body, query.outputs)
                return Select(query.outputs, group, distinct=query.form is not Form.NUMBER)

    def _named_apart(self) -> Body:
        """The body of the query, its variables standardized apart where that may be needed."""
        body = self.root.body
        match body.conjuncts:
            case (Count(body=inner) | Project(body=inner),):
                alike = plain(inner)
            case _:
                alike = plain(body)
        return body if alike else self.apart.query_body()

    def closed(self, body: Body, outputs: tuple[Var, ...]) -> Group:
        """The group of a body that sees nothing around it."""
        frame = Frame(None, [output.name for output in outputs])
        self.expand(body, frame)
        return self.group(frame)

    def count(self, count: Count) -> Select:
        """The SELECT of a count."""
        frame = Frame(None, [count.of.name, *[var.name for var in count.group]])
        self.expand(count.body, frame)
        key = values.identity_key(count.of, self.content(count.of, frame), self.dialect)
        column = Column(Aggregate("COUNT", key, distinct=True), count.result)
        having = Operation(">", (_ROWS, _ZERO)) if count.group and self.dialect.blank_group else None
        group = self.group(frame)
        told_apart = key != count.of or any(isinstance(pattern, UnionPattern) for pattern in group.patterns)
        if self.dialect.shares_parts and told_apart and group != NOTHING:
            group = Group((Select((*count.group, count.of), group, distinct=True),))
        return Select((*count.group, column), group, group_by=count.group, having=having)

    # --- taking bodies apart --------------------------------------------------------------------------------------

    def expand(self, body: Body, frame: Frame) -> None:
        """Adds the conjuncts of a body to a frame."""
        self._budget -= 1 + len(body.conjuncts)
        if self._budget < 0:
            size = f"a query of more than {_BUDGET} conjuncts, superlatives written out,"
            raise UnsupportedOperation(size, f"SPARQL ({self.dialect.name})")
        unions: list[Union] = []
        for conjunct in body.conjuncts:
            match conjunct:
                case Triple():
                    self._triple(conjunct, frame)
                case InstanceOf(Var() as instance):
                    frame.bind(conjunct, (instance.name,))
                case InstanceOf(term):
                    self._ground(conjunct, not isinstance(term, Literal), frame)
                case Compare():
                    frame.tests.append(conjunct)
                case Not():
                    frame.negations.append(conjunct)
                case Member(term, constants):
                    self._member(conjunct, term, constants, frame)
                case Path(nodes, relations, forward):
                    for place, relation in enumerate(relations):
                        near, far = nodes[place], nodes[place + 1]
                        ends = (near, far) if forward[place] else (far, near)
                        self._triple(Triple(ends[0], relation, ends[1]), frame)
                case Confidence():
                    self._confidence(conjunct, frame)
                case Closure(subject, _, object_, 0) if subject == object_:
                    pass  # no steps lead from anything to itself
                case Closure(subject, _, object_, minimum):
                    frame.bind(conjunct, names_of(conjunct))
                    # no step leads from a literal
                    frame.never |= isinstance(subject, Literal) and (minimum > 0 or not isinstance(object_, Var))
                case Union():
                    unions.append(conjunct)
                case Project(outputs, inner):
                    if frame.existential and (self.optimize or self.dialect.flat_exists):
                        self.expand(inner, frame)
                    else:
                        select = Select(outputs, self.closed(inner, outputs), distinct=True)
                        frame.never |= select.where == NOTHING
                        frame.bind(SubQuery(select, outputs), [output.name for output in outputs])
                case Count():
                    counting.expand(self, conjunct, frame, body)
                case Extreme() | TopK():
                    superlatives.expand(self, conjunct, frame)
        for union in unions:
            self._union(union, frame)

    def _triple(self, triple: Triple, frame: Frame) -> None:
        if isinstance(triple.subject, Literal) or isinstance(triple.predicate, Literal):
            frame.never = True
        else:
            if self.spell_iris:
                terms = (triple.subject, triple.predicate, triple.object)
                subject, predicate, object_ = [self._spelled(term, frame) for term in terms]
                triple = Triple(subject, predicate, object_, triple.span)
            if not meets_alone(triple.object, self.dialect):
                assert isinstance(triple.object, Literal)
                var = self.apart.fresh("value")
                frame.tests.append(Listed(var, (triple.object,)))
                triple = Triple(triple.subject, triple.predicate, var, triple.span)
            frame.bind(triple, names_of(triple))

    def _spelled(self, term: Term, frame: Frame) -> Term:
        """A term; in the place of an IRI that the dialect's parser does not take a variable that is spelled so."""
        if not isinstance(term, Iri) or is_strict(term.value):
            return term
        var = self.apart.fresh("iri")
        frame.tests.append(Spelled(var, term))
        return var

    def _ground(self, atom: InstanceOf, holds: bool, frame: Frame) -> None:
        if holds:
            frame.bind(atom, ())
        else:
            frame.never = True

    def _member(self, member: Member, term: Term, constants: tuple[Constant, ...], frame: Frame) -> None:
        if any(map(is_misspelled, constants)):  # whatever an engine makes of it
            constants = tuple([as_held(one) if isinstance(one, Literal) else one for one in constants])
            term = as_held(term) if isinstance(term, Literal) else term
            member = Member(term, constants, member.span)
        if isinstance(term, Var) and constants:
            frame.bind(member, (term.name,))
        elif term not in constants:
            frame.never = True

    def _confidence(self, confidence: Confidence, frame: Frame) -> None:
        pattern = self.vocabulary.statements
        node = self.apart.fresh("statement")
        for predicate, part in (
            (pattern.subject, confidence.subject),
            (pattern.predicate, confidence.predicate),
            (pattern.object, confidence.object),
            (pattern.confidence, confidence.value),
        ):
            self._triple(Triple(node, Iri(predicate), part), frame)

    def _union(self, union: Union, frame: Frame) -> None:
        arms = tuple([arm for arm in union.arms if not never(arm)])
        if self.optimize and len(arms) > 1 and not self.closure_ends:
            # below a negation an engine that wants it nested is slow on inline data
            arms = merged(arms, listed=not (frame.existential and self.dialect.nest_negation))
        if len(arms) < 2:
            if arms:
                self.expand(arms[0], frame)
            else:
                frame.never = True
            return
        union = union if arms == union.arms else Union(arms, union.span)
        passes_on = any(isinstance(part, Closure) and part.minimum == 0 for part in walk(union))
        exported = exports(union, frame.names() if passes_on else frozenset())
        if exported or not shares(Body((union,)), frame):
            names = tuple(sorted(exported))
            frame.bind(Either(arms, names), names)
        else:
            frame.tests.append(union)

    # --- writing groups -------------------------------------------------------------------------------------------

    def group(self, frame: Frame, more: Iterable[Pattern] = ()) -> Group:
        """A frame as one group, with ``more`` filters."""
        found = constants.settled(self, frame)
        if self.dialect.joins_values or self.dialect.shy_data or not self.dialect.folds_language:
            found = told_apart(self, frame)
        if frame.never:
            return NOTHING
        aside: list[list[Atom]] = []
        if frame.negations and frame.parent is None and self.optimize and self.dialect.nest_negation:
            aside = witnesses.taken_out(frame)
            found = frame.atoms
        selects: list[Pattern] = []
        data: list[Pattern] = []
        triples: list[TriplePattern] = []
        others: list[Pattern] = []
        filters: list[Pattern] = []
        for atom in found:
            for pattern in atoms.patterns(self, atom, frame):
                match pattern:
                    case TriplePattern():
                        triples.append(pattern)
                    case Select():
                        selects.append(pattern)
                    case Values():
                        data.append(pattern)
                    case Filter():
                        filters.append(pattern)
                    case UnionPattern() if self.optimize and self.dialect.textual_order and self._anchored(pattern):
                        data.append(pattern)
                    case _:
                        others.append(pattern)
        if self.optimize and not self.ordered and self.dialect.textual_order and len(triples) > 2:
            around = frame.parent
            triples = connected(triples, (lambda name: False) if around is None else around.binds)
        for test in frame.tests:
            filters += self.filters_of(test, frame)
        for part in aside:
            witness = Frame(frame, (), frame.home, existential=True)
            for atom in part:
                witness.bind(atom, names_of(atom))
            filters.append(Filter(Exists(self.existential(witness))))
        negations = self.negations(frame)
        if NEVER in filters or NEVER in negations or NEVER in others:
            return NOTHING
        scalars: Iterable[Select] = frame.scalars
        if self.dialect.limits_scalars:
            # one row has only itself as the second; with LIMIT 1 an engine may lose it for some rows beside it
            scalars = [replace(scalar, limit=2) for scalar in scalars]
        return Group((*scalars, *selects, *data, *triples, *others, *filters, *more, *negations))

    def _anchored(self, union: UnionPattern) -> bool:
        """Whether every arm starts from a constant that is not a class."""
        types = self.vocabulary.type_predicates
        return all(
            any(
                type(pattern) is TriplePattern
                and not (isinstance(pattern.subject, Var) and isinstance(pattern.object, Var))
                and not (isinstance(pattern.predicate, Iri) and pattern.predicate.value in types)
                for pattern in arm.patterns
            )
            for arm in union.arms
        )

    def existential(self, frame: Frame) -> Group:
        """A frame as the group of an EXISTS, of which only matters whether it has a solution."""
        if self.optimize and self.dialect.nest_negation and not frame.scalars:
            found = constants.settled(self, frame)
            group = nested(self, frame, found) if len(found) > 1 and not frame.never else None
            if group is not None:
                return group
        return self.group(frame)

    def filters_of(self, test: Test, frame: Frame) -> tuple[Pattern, ...]:
        """A test as filters: none where it always holds."""
        expression = self.test(test, frame)
        if expression is None:
            return (NEVER,)
        if expression is values.TRUE:
            return ()
        if self.dialect.forgets_values:
            for name in sorted(looks_at(test)):
                if frame.only_listed(name):
                    expression = values.guarded(values.call("BOUND", Var(name)), expression)
        return (Filter(expression),)

    def negations(self, frame: Frame) -> list[Pattern]:
        """The negations of a frame."""
        return [pattern for negation in frame.negations for pattern in self.negation(negation, frame)]

    def negation(self, negation: Not, frame: Frame) -> list[Pattern]:
        """The patterns that say that a body has no solution."""
        body, apart = negation.body, negation.apart and self.optimize
        grouped = any(isinstance(part, Count) and part.group for part in body.conjuncts)
        if frame.parent is None and (apart or grouped):
            minus = self._minus(body, frame, apart or (self.optimize and self.dialect.subtract_grouped))
            if minus is not None:
                return [minus]
        denials = self.denials(body, frame)
        return [NEVER] if denials is None else [Filter(denial) for denial in denials]

    def _minus(self, body: Body, frame: Frame, wished: bool) -> Minus | None:
        """A body, subtracted; None where that would not mean the same, or is neither wished for nor needed."""
        inner = Frame(None, frame.names())
        self.expand(body, inner)
        own = inner.binders
        seen = {name for test in inner.tests for name in looks_at(test)}
        seen.update(name for negation in inner.negations for name in mentioned_in(negation.body))
        if any(frame.binds(name) and name not in own for name in seen) or not any(map(frame.binds, own)):
            return None
        if wished or any(isinstance(atom, SubQuery) and self.hides(atom.select) for atom in inner.atoms):
            return Minus(self.group(inner))
        return None

    def hides(self, select: Select) -> bool:
        """Whether a sub-select would not find what it has to where the dialect solves EXISTS flat."""
        return self.dialect.flat_exists and hides(select)

    # --- conditions -----------------------------------------------------------------------------------------------

    def inner(self, body: Body, frame: Frame) -> Frame:
        """The frame of a body under EXISTS."""
        apart = self.dialect.apart_exists
        home = frame.home if (self.optimize or self.dialect.flat_exists) and not apart else None
        inner = Frame(frame, (), home, existential=True)
        self.expand(body, inner)
        list_members(inner, self.dialect)
        if apart and inner.atoms:
            atoms.repeat_seen(self, inner)
        return inner

    def denials(self, body: Body, frame: Frame) -> list[Expression] | None:
        """Expressions that all hold where a body has no solution; None where it always has one."""
        match body.conjuncts:
            case ():
                return None
            case (Union(arms),) if self.optimize or self.dialect.flat_exists:
                of_arms = [self.denials(arm, frame) for arm in arms]
                return None if None in of_arms else [denial for denials in of_arms for denial in denials or ()]
        if never(body):
            return []
        if not shares(body, frame):
            return [self._none_at_all(self.closed(body, ()), frame)]
        found: list[Expression] = []
        for inner in self.distributed(self.inner(body, frame)):
            if inner.never:
                continue
            if inner.atoms or inner.scalars:
                found.append(self._none(inner, frame))
                continue
            condition = self.conjunction(inner)
            if condition is values.TRUE:
                return None
            if condition is not None:
                found.append(Operation("!", (condition,)))
        return found

    def _none(self, inner: Frame, frame: Frame) -> Expression:
        """That the frame of a negated body has no solution."""
        if not inner.shares() and not any(isinstance(test, KeyTest) for test in inner.tests):
            # one arm of a union, of which only others share a variable with what is around
            inner.parent, inner.home, inner.existential = None, inner, False
            return self._none_at_all(self.group(inner), frame)
        return Exists(self.existential(inner), negated=True)

    def distributed(self, frame: Frame) -> list[Frame]:
        """The frame of an EXISTS as several without unions, some of which has a solution where the frame has one.

        Raises:
            UnsupportedOperation: the dialect takes no unions there, and distributing them makes too many frames.
        """
        must = self.dialect.flat_exists
        if not must and not self.dialect.parts_unions and not (self.optimize and self.dialect.nest_negation):
            return [frame]
        todo, done = [frame], []
        while todo:
            at = todo.pop()
            either = next((atom for atom in at.atoms if type(atom) is Either), None)
            if either is None:
                done.append(at)
                continue
            for arm in reversed(either.arms):
                narrowed = at.without(either)
                self.expand(arm, narrowed)
                todo.append(narrowed)
            if len(todo) + len(done) > (_MOST_DISTRIBUTED if must else _FEW_DISTRIBUTED):
                if not must:
                    return [frame]
                raise UnsupportedOperation("so many unions under a negation", f"SPARQL ({self.dialect.name})")
        for part in done:
            list_members(part, self.dialect)
        return done

    def _none_at_all(self, group: Group, frame: Frame) -> Expression:
        """That a group which shares no variable with what is around has no solution: its solutions are counted."""
        found = self.apart.fresh("found")
        frame.home.scalars.append(Select((Column(_ROWS, found),), group))
        return Operation("=", (found, _ZERO))

    def conjunction(self, frame: Frame) -> Expression | None:
        """The tests and negations of a frame without atoms, free of errors; None: never, TRUE: always."""
        parts: list[Expression] = []
        for test in frame.tests:
            expression = self.test(test, frame)
            if expression is None:
                return None
            if expression is not values.TRUE:
                parts.append(expression if isinstance(test, Union) else values.total(expression))
        for negation in frame.negations:
            denials = self.denials(negation.body, frame)
            if denials is None:
                return None
            parts += denials
        return values.TRUE if not parts else parts[0] if len(parts) == 1 else Operation("&&", tuple(parts))

    def test(self, test: Test, frame: Frame) -> Expression | None:
        """A test as an expression; None where it never holds."""
        match test:
            case Compare(op, left, right, kind):
                typed = op is Op.IS
                if typed and self.spell_iris and isinstance(left, Var) and isinstance(right, Iri) and kind is Kind.ANY:
                    return values.spelled(left, right)
                contents = self.content(left, frame, typed), self.content(right, frame, typed)
                return values.compare_terms(op, left, right, kind, contents, self.dialect)
            case Spelled(var, iri):
                return values.spelled(var, iri)
            case Listed(var, terms):
                listed = values.among(var, terms, self.dialect)
                # bare, a list of what is bound on both sides of an EXISTS is more than the engine can plan
                return values.total(listed) if frame.existential else listed
            case SameTerm(left, right, entities):
                return values.same_of_equal(left, right, entities, self.dialect)
            case KeyTest():
                return superlatives.test(test, self.dialect)
            case Union(arms):
                return self._some_arm(arms, frame)

    def _some_arm(self, arms: tuple[Body, ...], frame: Frame) -> Expression | None:
        """That some arm of a union which binds nothing has a solution."""
        readings: list[Expression] = []
        for arm in arms:
            for inner in self.distributed(self.inner(arm, frame)):
                if inner.never:
                    continue
                held = inner.atoms or inner.scalars
                reading = Exists(self.existential(inner)) if held else self.conjunction(inner)
                if reading is values.TRUE:
                    return values.TRUE
                if reading is not None:
                    readings.append(reading)
        return values.either(readings) if readings else None

    # --- what is known of variables -------------------------------------------------------------------------------

    def content(self, term: Term, frame: Frame, typed: bool = True) -> Content:
        """What the values of a variable may be, by what binds it, and where ``typed`` by its type besides."""
        if not isinstance(term, Var):
            return ANYTHING
        name = term.name
        at: Frame | None = frame
        while at is not None:
            for atom in at.binders.get(name, ()):
                match atom:
                    case Triple(_, predicate, object_) | Choice((Triple(_, predicate, object_), *_)):
                        if object_ != term or predicate == term:
                            return ENTITIES
                        if self.optimize and isinstance(predicate, Iri):
                            profile = self.profile(predicate.value)
                            if profile is not ANYTHING:
                                return profile
                    case InstanceOf():
                        return ENTITIES
                    case SubQuery(_, _, counted) if counted == term:
                        return COUNTED
            at = at.parent
        return ENTITIES if typed and isinstance(self._type_of(name), EntityType) else ANYTHING

    def profile(self, relation: str) -> Content:
        """What the objects of a relation may be."""
        known = self.known.contents.get(relation) if self.optimize else ANYTHING
        if known is None:
            found = self.schema.relation(relation)
            profile = found.profile if found is not None else None
            known = self.known.contents[relation] = ANYTHING if profile is None else content_of(profile)
        return known

    def _type_of(self, name: str) -> Type | None:
        if self._types is None:
            self._types = dict(self.root.types)
        return self._types.get(self.apart.origin.get(name, name))
