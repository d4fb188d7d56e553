"""Queries that differ only in where they lead, as one: their patterns once, and a table of what differs.

Candidates for what a question means often begin at the same entities and go on by other relations, to other ends. As
arms of a union (:mod:`pylf.ir.batch`) each is planned for itself; written once, they are planned once::

    SELECT DISTINCT ?of ?x WHERE {
      VALUES (?of ?iri_0 ?iri_1) { (<urn:pylf:0> <p> <q>) (<urn:pylf:1> <p> <r>) … }
      <e> ?iri_0 ?y .
      ?y ?iri_1 ?x .
    }

Sound because a row binds just what it replaces: a triple pattern in which a variable is bound to an IRI has the
solutions that it has with that IRI, and a NOT EXISTS sees what its group binds. The solutions of a row carry its tag,
and meet those of no other. It is made of trees, not of IR, so that what the emitter knows of each relation is kept:
queries that it writes otherwise have a table of their own, in an arm of a union. A count becomes one by tag; where a
tag has no solution it has no group, and the count is 0.

Only a **walk ahead** is written so: what every pattern is about is a constant that all share, or what another pattern
leads to. There an engine is quick whichever way it goes about it. Against the edges, or where they begin at different
constants, it may read the graph before the table: that was seen to take several times as long as the union.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.sparql.query import (
    Aggregate,
    Bind,
    Call,
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
from pylf.ir.nodes import Compare, Count, Not, Path, Project, Triple
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import walk
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.query import Expression, Pattern, QueryTree
    from pylf.ir.nodes import Query

#: So many queries share a table, on average, or it is not worth it.
_SHARED = 2
#: What a query may consist of: all that can come out as patterns and filters.
_TAKEN = (Triple, Path, Compare, Not, Count, Project)
#: what stands in the place of what may differ while queries are compared; no query has such a name
_ANY = Var("")


def may_be_alike(query: Query, dialect: Dialect) -> bool:
    """Whether the query may be one that :func:`tabled` takes, as far as shows before it is lowered."""
    return dialect.row_tables and all(isinstance(conjunct, _TAKEN) for conjunct in walk(query))


def tabled(trees: Sequence[QueryTree], tags: Sequence[Iri], dialect: Dialect) -> Select | None:
    """One query of several: rows of a tag and what the query of this tag selects. None where they are not alike enough,
    or are no walks ahead."""
    shapes: dict[Select, list[_Row]] = {}
    for tree, tag in zip(trees, tags, strict=True):
        found = _blanked(tree)
        if found is None:
            return None
        shapes.setdefault(found.shape, []).append(_Row(tag, found.iris))
    first, *others = shapes
    columns = selected(first)
    if len(shapes) * _SHARED > len(trees):
        return None
    if any(selected(shape) != columns for shape in others):
        return None
    taken = {name for shape in shapes for name in _mentioned(shape)}
    of = _fresh("of", taken)
    selects = [_select(shape, rows, of, taken, dialect) for shape, rows in shapes.items()]
    if not others:
        return selects[0]
    arms = tuple([select.where if select.distinct else Group((select,)) for select in selects])
    return Select((of, *columns), Group((UnionPattern(arms),)), distinct=True)


class _Row(NamedTuple):
    """A query of a shape."""

    tag: Iri
    iris: tuple[Iri, ...]


class _Blanked(NamedTuple):
    """A query without its relations and ends, and these in their order."""

    shape: Select
    iris: tuple[Iri, ...]


def _blanked(tree: QueryTree) -> _Blanked | None:
    """None for a query that is no walk ahead, or selects something else than its outputs or a count."""
    match tree:
        case Select((Column(Aggregate("COUNT"), _),), where, distinct=False, group_by=(), having=None, limit=None):
            pass
        case Select(where=where) if _selects(tree):
            pass
        case _:
            return None
    iris: list[Iri] = []
    group = _walk(where, set(), iris)
    if group is None or tree.order_by:
        return None
    return _Blanked(Select(tree.projection, group, tree.distinct), tuple(iris))


def _selects(select: Select) -> bool:
    """Whether different rows of variables are selected, and no more."""
    plain = select.distinct and select.having is None and select.limit is None
    variables = all(isinstance(column, Var) for column in select.projection)
    return plain and variables and not select.group_by and not select.order_by


def _walk(group: Group, known: set[str], iris: list[Iri], within: bool = False) -> Group | None:
    """The group without its relations and ends, which are added to ``iris``; None where it is no walk ahead."""
    match group.patterns:
        case (Select(projection, where) as select,) if not within and _selects(select):
            found = _walk(where, known, iris)
            return None if found is None else Group((Select(projection, found, distinct=True),))
    triples = [pattern for pattern in group.patterns if isinstance(pattern, TriplePattern)]
    if not triples or not _leads_on(triples, known):
        return None
    patterns: list[Pattern] = []
    for pattern in group.patterns:
        match pattern:
            case TriplePattern(subject, Iri() as relation, Iri() as end):
                iris += relation, end
                patterns.append(TriplePattern(subject, _ANY, _ANY))
            case TriplePattern(subject, Iri() as relation, object_):
                iris.append(relation)
                patterns.append(TriplePattern(subject, _ANY, object_))
            case Filter(Exists(inner, negated)) if not within:
                blanked = _walk(inner, set(known), iris, within=True)
                if blanked is None:
                    return None
                patterns.append(Filter(Exists(blanked, negated)))
            case Filter(expression) if not _asks(expression):
                patterns.append(pattern)
            case _:
                return None
    return Group(tuple(patterns))


def _leads_on(triples: list[TriplePattern], known: set[str]) -> bool:
    """Whether each pattern leads on from a constant, from ``known``, or from where another one leads; all that they
    lead to is known then."""
    rest = triples
    while rest:
        ahead = [triple for triple in rest if not isinstance(triple.subject, Var) or triple.subject.name in known]
        if not ahead:
            return False
        known.update(triple.object.name for triple in ahead if isinstance(triple.object, Var))
        rest = [triple for triple in rest if triple not in ahead]
    return True


def _asks(expression: Expression) -> bool:
    match expression:
        case Exists() | Aggregate():
            return True
        case Call(_, parts) | Operation(_, parts):
            return any(map(_asks, parts))
        case _:
            return False


# --- writing it ---------------------------------------------------------------------------------------------------


def _select(shape: Select, rows: list[_Row], of: Var, taken: set[str], dialect: Dialect) -> Select:
    """The queries of one shape. An IRI that is the same in all of them stays where it is, and what is one in each has
    one variable, but for an engine that goes astray there."""
    variables: dict[tuple[int, tuple[Iri, ...]], Var] = {}
    places: list[Var | Iri] = []
    for place, column in enumerate(zip(*[row.iris for row in rows], strict=True)):
        if len(set(column)) == 1 and not dialect.reads_past_tables:
            places.append(column[0])
        else:
            key = (place if dialect.loses_relations else 0, column)
            places.append(variables.setdefault(key, _fresh(f"iri_{len(variables)}", taken)))
    table = zip([row.tag for row in rows], *[column for _, column in variables], strict=True)
    data = Values((of, *variables.values()), tuple(table))
    where = _beside(data, _filled(shape.where, iter(places)), dialect)
    if shape.distinct:
        return Select((of, *shape.projection), where, distinct=True)
    return Select((of, *shape.projection), where, group_by=(of,))


def _beside(table: Values, group: Group, dialect: Dialect) -> Group:
    """The group beside the table; where it is a sub-select, that is what the table stands in."""
    match group.patterns:
        case (Select(projection, where, distinct=True),):
            return Group((Select((table.variables[0], *projection), _beside(table, where, dialect), distinct=True),))
        case patterns:
            return Group((table, *patterns)) if not dialect.plans_first_row else _in_steps(table, patterns)


def _in_steps(table: Values, patterns: Sequence[Pattern]) -> Group:
    """A walk that can be taken in its order only: what a step has led to has another name in those that lead on."""
    taken = {*_of_patterns(Group(tuple(patterns))), *(variable.name for variable in table.variables)}
    names: dict[str, Var] = {}
    steps: list[Pattern] = [table]
    rest = [pattern for pattern in patterns if isinstance(pattern, TriplePattern)]
    while rest:
        ahead = [step for step in rest if not isinstance(step.subject, Var) or step.subject.name in names]
        rest = [step for step in rest if step not in ahead]
        steps += [
            replace(step, subject=names[step.subject.name]) if isinstance(step.subject, Var) else step for step in ahead
        ]
        begins = {step.subject.name for step in rest if isinstance(step.subject, Var)} - names.keys()
        for found in [step.object for step in ahead if isinstance(step.object, Var)]:
            if found.name in begins:
                begins.remove(found.name)
                names[found.name] = again = _fresh(f"{found.name}_on", taken)
                steps = [Group((*steps, Bind(found, again)))]
    return Group((*steps, *(pattern for pattern in patterns if not isinstance(pattern, TriplePattern))))


def _filled(group: Group, iris: Iterator[Var | Iri]) -> Group:
    """The group with relations and ends in their places."""
    patterns: list[Pattern] = []
    for pattern in group.patterns:
        match pattern:
            case TriplePattern(subject, _, object_):
                relation = next(iris)
                patterns.append(TriplePattern(subject, relation, next(iris) if object_ is _ANY else object_))
            case Filter(Exists(inner, negated)):
                patterns.append(Filter(Exists(_filled(inner, iris), negated)))
            case Select(projection, where):
                patterns.append(Select(projection, _filled(where, iris), distinct=True))
            case _:
                patterns.append(pattern)
    return Group(tuple(patterns))


def selected(shape: Select) -> tuple[Var, ...]:
    """The variables that are selected."""
    return tuple([column.variable if isinstance(column, Column) else column for column in shape.projection])


def _mentioned(shape: Select) -> Iterator[str]:
    """The names of a query; what occurs in its filters is of its patterns."""
    yield from [name.name for name in selected(shape)]
    yield from _of_patterns(shape.where)


def _of_patterns(group: Group) -> Iterator[str]:
    for pattern in group.patterns:
        match pattern:
            case TriplePattern(subject, _, object_):
                yield from [term.name for term in (subject, object_) if isinstance(term, Var)]
            case Filter(Exists(inner)):
                yield from _of_patterns(inner)
            case Select() as inner:
                yield from _mentioned(inner)


def _fresh(name: str, taken: set[str]) -> Var:
    """A variable that no query has."""
    while name in taken:
        name += "_"
    return Var(name)
