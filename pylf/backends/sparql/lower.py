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

from pylf.backends.sparql import (
    aggregates,
    atoms,
    confidences,
    constants,
    counting,
    left_joins,
    negation,
    slices,
    superlatives,
    values,
    witnesses,
)
from pylf.backends.sparql.arms import merged
from pylf.backends.sparql.atoms import ALL_ROWS, NEVER, NOTHING
from pylf.backends.sparql.closed_off import closed_off
from pylf.backends.sparql.content import ANYTHING, COUNTED, ENTITIES, content_of
from pylf.backends.sparql.exchanged import Sizes
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
from pylf.backends.sparql.lists import check_lists
from pylf.backends.sparql.meeting import meets_alone, told_apart
from pylf.backends.sparql.names import Apart, plain
from pylf.backends.sparql.nesting import nested
from pylf.backends.sparql.opaque import leaks, opaque_lists
from pylf.backends.sparql.order import connected
from pylf.backends.sparql.own_rows import own_rows
from pylf.backends.sparql.print import is_strict
from pylf.backends.sparql.query import Aggregate as Reduced
from pylf.backends.sparql.query import (
    Ask,
    Column,
    Exists,
    Filter,
    Group,
    Operation,
    Select,
    TriplePattern,
    UnionPattern,
    Values,
)
from pylf.backends.sparql.weight import joins, weight, widest
from pylf.errors import UnsupportedOperation
from pylf.ir.confidence import statements
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
from pylf.ir.schema.vocabulary import NamedGraphs, TripleTerms
from pylf.ir.scope import bound, exports, never, opened_by_arms
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
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Constant, Term
    from pylf.ir.types import Type

_ZERO = Literal("0", XSD_INTEGER)
_ROWS = Reduced("COUNT", None)
#: How many conjuncts may be written at most: nested superlatives repeat their bodies.
_BUDGET = 20_000


def lower_query(
    query: Query, schema: Schema, vocabulary: Vocabulary, dialect: Dialect, optimize: int, spell_iris: bool = False
) -> QueryTree:
    """The query tree of a query; where ``spell_iris``, with comparisons of spelling in the place of odd IRIs.

    Raises:
        UnsupportedOperation: an operator has no right form in the dialect, or the query is larger than it plans.
    """
    tree = Lowering(query, schema, vocabulary, dialect, optimize, spell_iris).query()
    limit = dialect.weight_limit
    if limit is not None and weight(tree) > limit:
        size = f"a query of more than {limit} patterns and calls"
        raise UnsupportedOperation(size, f"SPARQL ({dialect.name}): the engine plans no such queries")
    most = dialect.joins_limit
    if most is not None and joins(tree) > most:
        size = f"a query that joins more than {most} tables with its unions multiplied out"
        raise UnsupportedOperation(size, f"SPARQL ({dialect.name}): the engine plans no such queries")
    wide = dialect.group_limit
    if wide is not None and widest(tree.where) > wide:
        size = f"a group of more than {wide} tables with sub-selects among them"
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
        #: conjuncts that are made on the way: kept, since superlatives are told apart by their ``id``
        self.kept: list[Conjunct] = []
        self._budget = _BUDGET
        self.sizes = Sizes(dialect.name)
        nodes = list(walk(query))
        closures = [conjunct for conjunct in nodes if isinstance(conjunct, Closure)]
        if sum(isinstance(conjunct, Member) for conjunct in nodes) > 1:
            check_lists(query.body, dialect.name)
        # a class whose graph says what is below it is walked to as well
        walked = dialect.transitive_option and vocabulary.subclass_paths
        self.has_closures = bool(closures) or (walked and any(isinstance(one, InstanceOf) for one in nodes))
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
            case (Slice() as slice_,) if query.outputs == slice_.outputs:
                return slices.selected(self, slice_)[0]
            case conjuncts if (aggregate := aggregates.split(conjuncts)) is not None:
                beside = tuple([conjunct for conjunct in conjuncts if conjunct is not aggregate])
                found = aggregates.select(self, aggregate, beside, query.outputs)
                return found[0] if found is not None else self._rows(body)
            case _:
                return self._rows(body)

    def _rows(self, body: Body) -> Select:
        """The SELECT of what has no head of its own."""
        query = self.root
        group = self.closed(body, query.outputs)
        # a count has one row by itself, beside other things one for each way in which they hold
        once = query.form is Form.NUMBER and all(map(_holds_once, body.conjuncts))
        return Select(query.outputs, group, distinct=not once)

    def _named_apart(self) -> Body:
        """The body of the query, its variables standardized apart where that may be needed."""
        body = self.root.body
        match body.conjuncts:
            case (Count(body=inner) | Project(body=inner) | Slice(body=inner),):
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
        column = Column(Reduced("COUNT", key, distinct=True), count.result)
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
        unions: list[Union] = [conjunct for conjunct in body.conjuncts if isinstance(conjunct, Union)]
        if unions:
            frame.certain |= bound(body, self._around(frame))
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
                    pass  # after all else, which tells what they leave open
                case Project(_, inner):
                    opened = self.optimize or self.dialect.flat_exists or self.dialect.parts_groups
                    if frame.existential and opened:
                        self.expand(inner, frame)
                    else:
                        outputs, inner = (apart := closed_off(self, conjunct, frame)).outputs, apart.body
                        select = Select(outputs, self.closed(inner, outputs), distinct=True)
                        frame.never |= select.where == NOTHING
                        frame.bind(SubQuery(select, outputs), [output.name for output in outputs])
                case Count():
                    counting.expand(self, closed_off(self, conjunct, frame), frame, body)
                case Extreme() | TopK():
                    superlatives.expand(self, conjunct, frame)
                case LeftJoin():
                    frame.left_joins = [*frame.left_joins, conjunct]
                case Extend():
                    frame.extends = [*frame.extends, conjunct]
                case Condition(expression):
                    frame.conditions = [*frame.conditions, expression]
                case Aggregate():
                    aggregates.expand(self, closed_off(self, conjunct, frame), frame)
                case Slice():
                    slices.expand(self, closed_off(self, conjunct, frame), frame)
        for union in unions:
            self._union(union, frame)
        if frame.late:
            frame.keep(frame.late_names())

    def _triple(self, triple: Triple, frame: Frame) -> None:
        if isinstance(triple.subject, Literal) or isinstance(triple.predicate, Literal):
            frame.never = True
        else:
            if isinstance(triple.object, Literal) and is_misspelled(triple.object):
                triple = Triple(triple.subject, triple.predicate, as_held(triple.object), triple.span)
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
        if isinstance(self.vocabulary.statements, TripleTerms | NamedGraphs):
            confidences.bind(self, confidence, frame)
            return
        where = f"SPARQL ({self.dialect.name})"
        for triple in statements(confidence, self.vocabulary, self.apart.fresh, where):
            self._triple(triple, frame)

    def _union(self, union: Union, frame: Frame) -> None:
        arms = tuple([arm for arm in union.arms if not never(arm)])
        if self.optimize and len(arms) > 1 and not self.closure_ends:
            # below a negation an engine that wants it nested is slow on inline data
            arms = merged(arms, listed=not (frame.existential and self.dialect.nest_negation))
        union = union if arms == union.arms else Union(arms, union.span)
        around = self._around(frame) | frame.certain
        loose = opened_by_arms(union, around)
        if len(arms) < 2 and not loose:
            if arms:
                self.expand(arms[0], frame)
            else:
                frame.never = True
            return
        passes_on = any(isinstance(part, Closure) and part.minimum == 0 for part in walk(union))
        exported = exports(union, around if passes_on else frozenset())
        # what the arms bind, if only for some rows, is to be seen beside the union; else it is a test
        if exported or loose or not shares(Body((union,)), frame):
            names = tuple(sorted(exported | loose))
            frame.bind(Either(arms, names), names)
            frame.opened |= loose
        else:
            frame.tests.append(union)

    def _around(self, frame: Frame) -> set[str]:
        """The variables that are bound in a frame or around it, but those which only what is being written binds: an
        arm's own names are bound around it too, by the very union that it is an arm of."""
        if not self.writing:
            return set(frame.names())
        return {name for name in frame.names() if frame.binders_of(name, self.writing)}

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
        selects: list[Select] = []
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
        filters += left_joins.early_filters(self, frame)
        negations = negation.negations(self, frame)
        late = left_joins.late_patterns(self, frame)
        if self.dialect.misreads_lists:
            around = frame.parent if frame.existential and not frame.arm else None
            filters = opaque_lists(
                filters, (lambda name: leaks(name, frame, self.writing)) if around is None else around.binds
            )
        if NEVER in filters or NEVER in negations or NEVER in others or NEVER in late:
            return NOTHING
        scalars = frame.scalars
        if self.dialect.limits_scalars:
            scalars, conditions = own_rows(scalars, (*filters, *more, *negations), self.apart)
            filters, more, negations = conditions, (), []
            # one row has only itself as the second; with LIMIT 1 an engine may lose it for some rows beside it
            scalars = [replace(scalar, limit=2) for scalar in scalars]
            tests = [pattern.expression for pattern in conditions if isinstance(pattern, Filter)]
            # so it is with one that is repeated where it is looked at
            selects = [replace(one, limit=2) if _is_scalar(one) and one.limit is None else one for one in selects]
            selects = [replace(one, limit=ALL_ROWS) if counting.computed_with(one, tests) else one for one in selects]
        return Group((*scalars, *selects, *data, *triples, *others, *filters, *more, *negations, *late))

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
        if self.optimize and self.dialect.nest_negation and not frame.scalars and not frame.late:
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

    def hides(self, select: Select) -> bool:
        """Whether a sub-select would not find what it has to where the dialect solves EXISTS flat."""
        return self.dialect.flat_exists and hides(select)

    # --- conditions -----------------------------------------------------------------------------------------------

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
                mixed = self.dialect.joins_values and self.content(var, frame, typed=False).literals
                # bare, a list of what is bound on both sides of an EXISTS is more than the engine can plan
                return values.listed(var, terms, mixed, frame.existential, self.dialect)
            case SameTerm(left, right, entities):
                return values.same_of_equal(left, right, entities, self.dialect)
            case KeyTest():
                return superlatives.test(test, self.dialect)
            case Union(arms):
                return negation.some_arm(self, arms, frame)

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
            if name in at.contents:
                return at.contents[name]
            at = at.parent
        return ENTITIES if typed and isinstance(self.type_of(name), EntityType) else ANYTHING

    def is_closure_end(self, name: str) -> bool:
        """Whether a closure begins or ends at a variable, or at what it is a copy of."""
        return name in self.closure_ends or self.apart.origin.get(name, name) in self.closure_ends

    def profile(self, relation: str) -> Content:
        """What the objects of a relation may be."""
        known = self.known.contents.get(relation) if self.optimize else ANYTHING
        if known is None:
            found = self.schema.relation(relation)
            profile = found.profile if found is not None else None
            known = self.known.contents[relation] = ANYTHING if profile is None else content_of(profile)
        return known

    def type_of(self, name: str) -> Type | None:
        """The type of a variable, by the query."""
        if self._types is None:
            self._types = dict(self.root.types)
        return self._types.get(self.apart.origin.get(name, name))


def _is_scalar(select: Select) -> bool:
    """Whether a sub-select has one row, of what it makes of all solutions."""
    return not select.group_by and any(_is_reduced(column) for column in select.projection)


def _is_reduced(column: Var | Column) -> bool:
    return isinstance(column, Column) and isinstance(column.expression, Reduced)


def _holds_once(conjunct: Conjunct) -> bool:
    """Whether there is but one way for a conjunct to hold, so that it makes no two rows of one."""
    return isinstance(conjunct, (Compare, Not)) or (isinstance(conjunct, Count) and not conjunct.group)
