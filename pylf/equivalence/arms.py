"""A query as a union of queries: with each arm of its outer unions in the place of the union."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.nodes import Body, Form, Union
from pylf.ir.scope import bound, union_exports
from pylf.ir.traverse import variables

if TYPE_CHECKING:
    from pylf.ir.nodes import Query

MOST = 64


def arms(query: Query) -> list[Query]:
    """Queries whose answers, taken together, are those of the query; itself alone where there is no such union, or
    where there would be more than :data:`MOST`. A NUMBER is never the union of two."""
    if query.form is Form.NUMBER:
        return [query]
    done: list[Body] = []
    todo = [query.body]
    while todo:
        if len(todo) + len(done) > MOST:
            return [query]
        body = todo.pop()
        union = next((c for c in body.conjuncts if isinstance(c, Union) and c.arms and _own(c, body)), None)
        if union is None:
            done.append(body)
            continue
        rest = [conjunct for conjunct in body.conjuncts if conjunct is not union]
        todo += [build.join(*rest, arm) for arm in union.arms]
    return [build.query(query.form, query.outputs, body, query.types) for body in reversed(done)]


def _own(union: Union, body: Body) -> bool:
    """Whether what is local to some arms occurs nowhere else, so that it stays local where an arm stands alone."""
    rest = Body(tuple(conjunct for conjunct in body.conjuncts if conjunct is not union))
    shared = union_exports(union, bound(rest)) | bound(rest)
    return not any(name in variables(rest) for name in variables(union) if name not in shared)
