"""What a SPARQL text answers by Oxigraph, and whether that is what its query answers."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pyoxigraph

from pylf.backends.engines.terms import oxigraph_terms
from pylf.frontends.sparql import syntax
from pylf.frontends.sparql.mentions import given_by
from pylf.frontends.sparql.printer import print_text
from pylf.ir.answers import Answers
from pylf.ir.dates import DATE_DATATYPES, XSD_DATETIME, date_literal, interval
from pylf.ir.nodes import Extreme, Form, Slice, TopK
from pylf.ir.terms import Literal
from pylf.ir.traverse import walk
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.ir.memory import MemoryGraph
    from pylf.ir.nodes import Query

_COMPARISONS = frozenset(("<", ">", "<=", ">=", "=", "!="))

# --- the text as it is meant --------------------------------------------------------------------------------------


def meant(text: syntax.Text) -> syntax.Text:
    """The text with what is chosen for it written out in the standard's words.

    A constant that is an ill-typed date becomes midnight of the day it is spelled as, a difference of dates that is
    compared with 0 a comparison of the two, and a path with alternatives a union.
    """
    return replace(text, query=_meant(text.query), source=text.source)


def _meant(node: object) -> object:
    match node:
        case syntax.At(Literal(lexical, datatype, None) as literal, span) if datatype in DATE_DATATYPES:
            day = date_literal(lexical)
            if interval(lexical, datatype) is None and day is not None:
                return syntax.At(Literal(f"{lexical}T00:00:00", XSD_DATETIME), span)
            return syntax.At(literal, span)
        case syntax.Triple(subject, path, object_, span) if len(paths := list(_plain(path))) > 1:
            arms = [syntax.Group((syntax.Triple(subject, one, object_, span),), span) for one in paths]
            return syntax.Union(tuple(arms), span)
        case syntax.Call(op, (syntax.Call("-", (one, other)), syntax.At(Literal("0"))), span) if op in _COMPARISONS:
            return syntax.Call(op, (_meant(one), _meant(other)), span)  # type: ignore[arg-type]
        case tuple() if not hasattr(node, "_fields"):
            return tuple([_meant(one) for one in node])
        case _ if type(node).__module__ == syntax.__name__:
            fields = {name: getattr(node, name) for name in getattr(type(node), "__slots__", ())}
            return replace(node, **{name: value if name == "span" else _meant(value) for name, value in fields.items()})
        case _:
            return node


def _plain(path: syntax.Path) -> Iterator[syntax.Path]:
    """The paths that a path is the union of. (Of two that lead to the same node Oxigraph counts one.)"""
    match path:
        case syntax.Alternative(parts):
            for part in parts:
                yield from _plain(part)
        case syntax.Sequence(parts, span):
            for chosen in itertools.product(*[list(_plain(part)) for part in parts]):
                yield syntax.Sequence(chosen, span)
        case syntax.Inverse(inner, span):
            yield from (syntax.Inverse(one, span) for one in _plain(inner))
        case syntax.Except(forward, backward, span) if forward and backward:
            yield syntax.Except(forward, (), span)
            yield syntax.Except((), backward, span)
        case _:
            yield path


def answer(text: syntax.Text, graph: MemoryGraph, form: Form, today: str | None = None) -> Answers:
    """What Oxigraph answers to the text, as an answer of a form; ``today`` is what NOW() means.

    Raises:
        ValueError: Oxigraph refuses the text.
    """
    store = pyoxigraph.Store()
    node_of, term_of = oxigraph_terms()
    store.extend([pyoxigraph.Quad(*map(term_of, triple)) for triple in graph.triples(None, None, None)])  # type: ignore[arg-type]
    try:
        asked = print_text(meant(text))
        if today is not None:
            asked = asked.replace("NOW()", f'"{today}T00:00:00Z"^^<{XSD_DATETIME}>')
        found = store.query(asked)
    except SyntaxError as error:
        raise ValueError(str(error)) from error
    if isinstance(found, pyoxigraph.QueryBoolean):
        return Answers.of_boolean(bool(found))
    assert isinstance(found, pyoxigraph.QuerySolutions)
    columns = [variable.value for variable in found.variables]
    if isinstance(text.query, syntax.Select) and text.query.columns is None:
        columns.sort(key=given_by(text.query).index)  # of * the standard says no order
    rows = [tuple([None if one[name] is None else node_of(one[name]) for name in columns]) for one in found]
    if form is Form.NUMBER:
        (((one,)),) = rows
        assert isinstance(one, Literal)
        return Answers.of_number(int(one.lexical))
    if form is Form.SET:
        return Answers.of_values([row[0] for row in rows if row[0] is not None])
    return Answers.of_rows(rows, form)


# --- comparing ----------------------------------------------------------------------------------------------------


def agrees(query: Query, ours: Answers, theirs: Answers) -> bool:
    """Whether two answers to a query are the same; of what ties at a limit, as far as they have to be.

    A superlative keeps all that ties, of which ORDER BY … LIMIT gives some; where a slice is cut is a choice.
    """
    if ours.key() == theirs.key():
        return True
    cuts = [node for node in walk(query) if isinstance(node, Extreme | TopK | Slice)]
    if any(isinstance(node, Slice) for node in cuts):
        return len(ours.values) == len(theirs.values) and len(ours.rows) == len(theirs.rows)
    return bool(cuts) and set(theirs.values) <= set(ours.values)
