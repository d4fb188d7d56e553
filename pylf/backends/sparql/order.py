"""An order of triple patterns for engines that join in the order in which patterns are written."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.backends.sparql.query import TriplePattern


def connected(triples: list[TriplePattern], is_bound: Callable[[str], bool]) -> list[TriplePattern]:
    """The patterns with the fewest open variables first, then each beside one that has a variable of it already.

    ``is_bound`` tells the names of variables that are bound around; the others are open.
    """
    variables = [
        [
            term.name
            for term in (triple.subject, triple.predicate, triple.object)
            if isinstance(term, Var) and not is_bound(term.name)
        ]
        for triple in triples
    ]
    holders: dict[str, list[int]] = {}
    for number, names in enumerate(variables):
        for name in names:
            holders.setdefault(name, []).append(number)
    order: list[int] = []
    done: set[int] = set()
    for start in sorted(range(len(triples)), key=lambda number: len(variables[number])):
        todo = deque([start])
        while todo:
            number = todo.popleft()
            if number in done:
                continue
            done.add(number)
            order.append(number)
            for name in variables[number]:
                todo.extend(holders.pop(name, ()))
    return [triples[number] for number in order]
