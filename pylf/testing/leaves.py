"""The words of a program: its names of relations, what its ``START`` names, and the values that it compares with."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from pylf.language import syntax
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Leaf = syntax.Name | syntax.Start | syntax.Text | syntax.Number

_P = TypeVar("_P")

_LEAVES = (syntax.Name, syntax.Start, syntax.Text, syntax.Number)
#: what holds words, however deep
_PARTS = (
    *(syntax.Program, syntax.Assignment, syntax.Stop, syntax.Reach, syntax.RelationPath, syntax.Join, syntax.And),
    *(syntax.Or, syntax.Minus, syntax.CountOf, syntax.Arg, syntax.Cmp, syntax.TimeConstraint, syntax.Ask),
)


def leaves(part: object) -> Iterator[Leaf]:
    """The words of a program or of a part of it, in the order in which they are written. A ``START`` is one word."""
    if isinstance(part, _LEAVES):
        yield part
    elif isinstance(part, tuple):
        for one in part:
            yield from leaves(one)
    elif isinstance(part, _PARTS):
        for name in type(part).__match_args__:
            yield from leaves(getattr(part, name))


def mapped(part: _P, change: Callable[[Leaf], Leaf]) -> _P:
    """A program, or a part of it, with each of its words changed; what does not change is the very same object."""
    made: object = part
    if isinstance(part, _LEAVES):
        made = change(part)
    elif isinstance(part, tuple):
        parts = tuple([mapped(one, change) for one in part])
        made = part if all(new is old for new, old in zip(parts, part, strict=True)) else parts
    elif isinstance(part, _PARTS):
        old = {name: getattr(part, name) for name in type(part).__match_args__}
        new = {name: mapped(value, change) for name, value in old.items()}
        changed = {name: value for name, value in new.items() if value is not old[name]}
        made = replace(part, **changed) if changed else part
    return cast("_P", made)
