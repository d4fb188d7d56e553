"""Which variables the parts of a SPARQL text mention and bind. A variable is told by a key: its name, or ``_:`` and the
label for a blank node, which is a variable that is not asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.sparql import syntax
from pylf.ir.terms import Blank, Var

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.ir.terms import Iri, Literal

    Node = syntax.Pattern | syntax.Expression


def key_of(term: Var | Iri | Literal | Blank) -> str | None:
    """The key of a variable or blank node; None for a constant."""
    if isinstance(term, Var):
        return term.name
    return f"_:{term.label}" if isinstance(term, Blank) else None


def is_hidden(key: str) -> bool:
    """Whether a key is that of a blank node."""
    return key.startswith("_:")


def mentioned(nodes: Iterable[Node]) -> list[str]:
    """The keys of the variables that are mentioned at any depth, as often as they are; of a SELECT within, those that
    it gives alone."""
    return [key for node in nodes for key in _mentioned(node)]


def _mentioned(node: Node) -> Iterator[str]:
    match node:
        case syntax.At(term):
            key = key_of(term)
            if key is not None:
                yield key
        case syntax.Call(_, arguments):
            for argument in arguments:
                yield from _mentioned(argument)
        case syntax.Reduce(_, of):
            if of is not None:
                yield from _mentioned(of)
        case syntax.Triple(subject, path, object_):
            yield from _mentioned(subject)
            if isinstance(path, syntax.At):
                yield from _mentioned(path)
            yield from _mentioned(object_)
        case syntax.Filter(condition):
            yield from _mentioned(condition)
        case syntax.Bind(value, variable):
            yield from _mentioned(value)
            yield from _mentioned(variable)
        case syntax.Data(variables):
            for variable in variables:
                yield from _mentioned(variable)
        case syntax.Union(arms):
            for arm in arms:
                yield from _mentioned(arm)
        case syntax.Group(parts):
            for part in parts:
                yield from _mentioned(part)
        case syntax.Select():
            yield from given_by(node)
        case syntax.Exists(group) | syntax.Optional(group) | syntax.Minus(group):
            yield from _mentioned(group)
        case syntax.Graph(name, group) | syntax.Service(name, group):
            yield from _mentioned(name)
            yield from _mentioned(group)


def given_by(select: syntax.Select) -> list[str]:
    """The keys of the columns of a SELECT that have a name, in their order."""
    if select.columns is None:
        return [key for key in in_scope(select.where) if not is_hidden(key)] + _listed(select.values)
    found = []
    for column in select.columns:
        at = column.name if column.name is not None else column.value
        if isinstance(at, syntax.At):
            key = key_of(at.term)
            if key is not None:
                found.append(key)
    return found


def within(select: syntax.Select) -> list[str]:
    """The keys that the parts of a SELECT besides its WHERE mention."""
    nodes: list[Node] = []
    for column in (*(select.columns or ()), *select.group_by):
        nodes += [column.value] if column.name is None else [column.value, column.name]
    nodes += [*select.having, *[key.value for key in select.order_by]]
    found = mentioned(nodes) + _listed(select.values)
    return found if select.columns is not None else found + given_by(select)


def in_scope(group: syntax.Group) -> list[str]:
    """The keys of the variables that a group may bind, each once, in the order in which they appear."""
    return list(dict.fromkeys(key for part in group.parts for key in _bindable(part)))


def _bindable(part: syntax.Pattern) -> Iterator[str]:
    match part:
        case syntax.Filter() | syntax.Minus():
            return
        case syntax.Bind(_, variable):
            yield from _mentioned(variable)
        case syntax.Group():
            yield from in_scope(part)
        case syntax.Union(arms):
            for arm in arms:
                yield from in_scope(arm)
        case syntax.Optional(group):
            yield from in_scope(group)
        case syntax.Graph(name, group) | syntax.Service(name, group):
            yield from _mentioned(name)
            yield from in_scope(group)
        case _:
            yield from _mentioned(part)


def surely_bound(parts: Iterable[syntax.Pattern]) -> set[str]:
    """The keys of the variables that some of these parts bind in every solution."""
    found: set[str] = set()
    for part in parts:
        match part:
            case syntax.Triple():
                found.update(_mentioned(part))
            case syntax.Data(variables, rows):
                for place, variable in enumerate(variables):
                    if all(row[place] is not None for row in rows):
                        found.update(_mentioned(variable))
            case syntax.Group(inner):
                found |= surely_bound(inner)
            case syntax.Union(arms):
                found |= set.intersection(*[surely_bound(arm.parts) for arm in arms]) if arms else set()
            case syntax.Bind(syntax.At(term), variable) if key_of(term) is None:
                found.update(_mentioned(variable))
            case syntax.Select():
                if not any(isinstance(c.value, syntax.Call) for c in part.columns or ()):
                    inside = surely_bound(part.where.parts)
                    found |= inside.intersection(given_by(part)) | _counted(part)
            case _:
                pass
    return found


def _counted(select: syntax.Select) -> set[str]:
    found: set[str] = set()
    for column in select.columns or ():
        if isinstance(column.value, syntax.Reduce) and column.value.function == "count" and column.name is not None:
            found.update(_mentioned(column.name))
    return found


def _listed(values: syntax.Data | None) -> list[str]:
    return [] if values is None else mentioned([values])
