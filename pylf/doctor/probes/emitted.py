"""Questions as pylf writes them for the dialect: negation, superlatives, counts, comparison by value.

Each is a small IR query, emitted as any question is where nothing is known of the data. So what is wrong here is wrong
in the answers of pylf's own questions. The values are inline; negation and paths need a triple of the graph, of which
:mod:`pylf.doctor.probes.triples` tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import emit
from pylf.doctor.probe import Probe, Use, boolean, decimal, double, example, grouped, integer, rows, text, typed
from pylf.errors import UnsupportedOperation
from pylf.graphs import empty_schema, load_vocabulary
from pylf.ir.build import closure, compare, count, extreme, join, member, negate, query, top_k, triple, union
from pylf.ir.nodes import Direction, Form, Kind, Op
from pylf.ir.terms import Literal, Var
from pylf.ir.types import ENTITY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.backends.sparql.dialect import Dialect
    from pylf.doctor.probe import Row
    from pylf.doctor.probes.triples import Anchor
    from pylf.ir.nodes import Body, Query
    from pylf.ir.terms import Constant

    Question = tuple[str, str, Query, tuple[Row, ...]]

#: What the probes that take a triple of the graph are about.
OVER_A_TRIPLE = "negation and matching over a triple of the graph"
NOBODY, NOTHING = example("nobody"), example("nothing")
_X, _Y, _Z, _K, _N, _V = Var("x"), Var("y"), Var("z"), Var("k"), Var("n"), Var("v")
_ENTITIES = {"k": ENTITY, "y": ENTITY, "z": ENTITY}
#: Operators by the end of a probe's name.
_OPS = {"eq": Op.EQ, "ne": Op.NE, "lt": Op.LT, "le": Op.LE, "gt": Op.GT, "ge": Op.GE}

TEN = decimal("10.0")
LESS, MORE, INFINITE = double("-2.5"), decimal("12.5"), typed("INF", "double")
_NUMBERS: tuple[Constant, ...] = (
    *(TEN, LESS, MORE, INFINITE, Literal("10"), typed("2010", "gYear")),
    *(text("10", "en"), boolean(True), example("a")),
)
#: What of the numbers compares with 10 as the operator says.
_TO_TEN: dict[str, tuple[Constant, ...]] = {
    "eq": (TEN,),
    "ne": (LESS, MORE, INFINITE),
    "lt": (LESS,),
    "le": (TEN, LESS),
    "gt": (MORE, INFINITE),
    "ge": (TEN, MORE, INFINITE),
}
BEFORE, YEAR, MONTH = typed("2000-12-31", "date"), typed("2001", "gYear"), typed("2001-06", "gYearMonth")
DAY, LAST = typed("2001-06-15", "date"), typed("2001-12-31T23:59:59", "dateTime")
AFTER, SAME = typed("2002", "gYear"), typed("2002-01-01T00:00:00", "dateTime")
_DATES: tuple[Constant, ...] = (
    *(BEFORE, YEAR, MONTH, DAY, LAST, AFTER, SAME),
    *(Literal("2001-06-15"), integer(2001), example("a")),
)
#: What of the dates compares with the year 2001, [2001-01-01, 2002-01-01), as the operator says.
_TO_2001: dict[str, tuple[Constant, ...]] = {
    "lt": (BEFORE,),
    "le": (BEFORE, YEAR, MONTH, DAY, LAST),
    "gt": (AFTER, SAME),
    "ge": (YEAR, MONTH, DAY, LAST, AFTER, SAME),
    "eq": (YEAR, MONTH, DAY, LAST),
}


def over_values(dialect: Dialect) -> tuple[Probe, ...]:
    """Questions about inline data."""
    return _written("pylf's questions: values", value_questions(), dialect)


def over_triple(anchor: Anchor, dialect: Dialect) -> tuple[Probe, ...]:
    """Questions about a triple of the graph."""
    return _written(f"pylf's questions: {OVER_A_TRIPLE}", triple_questions(anchor), dialect)


def _written(group: str, questions: Iterator[Question], dialect: Dialect) -> tuple[Probe, ...]:
    """The questions as probes; without those that pylf refuses to write for the dialect."""
    found = []
    for name, shows, asked, expected in questions:
        try:
            sparql = emit(asked, empty_schema(), load_vocabulary(), dialect)
        except UnsupportedOperation:
            continue
        found.append(Probe(name, shows, sparql, expected, Use.EMITTED, distinct=True))
    return grouped(group, *found)


def _values(body: Body, *expected: Constant) -> tuple[Query, tuple[Row, ...]]:
    return query(Form.SET, (_V,), body), rows(*expected)


def _number(body: Body, expected: int) -> tuple[Query, tuple[Row, ...]]:
    return query(Form.NUMBER, (_N,), body), rows(expected)


def value_questions() -> Iterator[Question]:
    """Name, what it shows, query and right rows of each question about inline data."""
    for name, holds in _TO_TEN.items():
        body = join(member(_V, _NUMBERS), compare(_OPS[name], _V, integer(10), Kind.NUMBER))
        yield (
            f"number-{name}",
            f"numbers that are {_OPS[name].value} 10, among all kinds of terms",
            *_values(body, *holds),
        )
    body = join(member(_V, _NUMBERS), compare(Op.EQ, _V, integer(10)))
    yield "number-any", "what is 10, whatever its datatype", *_values(body, TEN)
    few: tuple[Constant, ...] = (LESS, TEN, MORE, double("1.25e1"), Literal("9"), example("a"))
    most = extreme(Direction.MAX, _V, _V, member(_V, few), Kind.NUMBER)
    yield "number-max", "the greatest number, among all kinds of terms", *_values(most, MORE)
    least = extreme(Direction.MIN, _V, _V, member(_V, few))
    yield "number-min", "the least number, where the kind is not known", *_values(least, LESS)
    best = top_k(Direction.MAX, 2, _V, _V, member(_V, few), Kind.NUMBER)
    yield "number-top", "the two greatest numbers", *_values(best, MORE, TEN)
    nan = member(_V, (typed("NaN", "double"), TEN))
    body = join(nan, compare(Op.GE, _V, integer(10), Kind.NUMBER))
    yield "number-nan", "NaN is compared with nothing", *_values(body, TEN)
    for name, holds in _TO_2001.items():
        body = join(member(_V, _DATES), compare(_OPS[name], _V, YEAR, Kind.DATE))
        yield f"date-{name}", f"dates of all precisions that are {_OPS[name].value} 2001", *_values(body, *holds)
    early: tuple[Constant, ...] = (typed("-0044", "gYear"), typed("-0042-03-15", "date"), typed("0033", "gYear"))
    body = join(member(_V, early), compare(Op.LT, _V, typed("-0043", "gYear"), Kind.DATE))
    yield "date-bc", "dates before the year 0", *_number(count(_N, _V, body), 1)
    latest = extreme(Direction.MAX, _V, _V, member(_V, _DATES), Kind.DATE)
    yield "date-max", "the latest dates, with ties, among all kinds of terms", *_values(latest, AFTER, SAME)
    earliest = extreme(Direction.MIN, _V, _V, member(_V, _DATES[:7]))
    yield "date-min", "the earliest date, where the kind is not known", *_values(earliest, BEFORE)
    texts: tuple[Constant, ...] = (Literal("Zürich"), text("Zürich", "de"), Literal("zürich"), integer(5), example("a"))
    body = join(member(_V, texts), compare(Op.EQ, _V, Literal("Zürich")))
    yield "text-eq", "a plain string, told from a tagged one", *_values(body, texts[0])
    body = join(member(_V, texts), compare(Op.EQ, _V, text("Zürich", "de")))
    yield "text-tagged", "a tagged string, told from a plain one", *_values(body, texts[1])
    mixed: tuple[Constant, ...] = (boolean(True), boolean(False), integer(1), Literal("true"))
    body = join(member(_V, mixed), compare(Op.EQ, _V, boolean(True)))
    yield "boolean-eq", 'true, told from 1 and "true"', *_values(body, boolean(True))
    alike: tuple[Constant, ...] = (integer(1), decimal("1.0"), double("1e0"), integer(2), Literal("1"), example("a"))
    yield "count-values", "distinct values, counted: 1 and 1.0 are one", *_number(count(_N, _V, member(_V, alike)), 4)
    body = join(member(_V, texts), compare(Op.EQ, _V, Literal("nowhere")))
    yield "count-none", "a count of nothing is 0", *_number(count(_N, _V, body), 0)
    arms = union((member(_V, (integer(1), integer(2))), member(_V, (integer(2), Literal("b")))))
    yield "union-values", "a union of inline data", *_values(arms, integer(1), integer(2), Literal("b"))
    odd = example("100%")
    body = join(member(_V, (example("Zürich"), example("a%20b"), odd)), negate(member(_V, (example("a"),))))
    yield (
        "names",
        "IRIs with %20 and with letters beyond ASCII",
        *_values(body, example("Zürich"), example("a%20b"), odd),
    )


def triple_questions(anchor: Anchor) -> Iterator[Question]:
    """The same for each question about a triple of the graph."""
    s, p, o = anchor.subject, anchor.predicate, anchor.object
    both, step = member(_X, (s, NOBODY)), triple(_X, p, _Y)
    lacking = triple(_Y, NOTHING, _Z)

    def listed(*parts: Body) -> Query:
        return query(Form.SET, (_X,), join(both, *parts))

    yield "not", "negation removes what has the relation", listed(negate(step)), rows(NOBODY)
    yield "not-of", "negation of a relation to one entity", listed(negate(triple(_X, p, o))), rows(NOBODY)
    yield (
        "not-not-chain",
        "negation within negation, along a chain",
        listed(negate(join(step, negate(lacking)))),
        rows(NOBODY),
    )
    yield (
        "for-all",
        "negation within negation over one relation",
        listed(negate(join(step, negate(step)))),
        rows(s, NOBODY),
    )
    back = join(step, triple(_Z, p, _Y))
    yield "not-two", "negation of two patterns", listed(negate(back)), rows(NOBODY)
    yield (
        "not-inverse",
        "negation against the direction of a relation",
        *_values(join(member(_V, (o, NOBODY)), negate(triple(_Y, p, _V))), NOBODY),
    )
    pairs = join(both, member(_K, (integer(1), integer(2))))
    seen = join(pairs, negate(join(step, compare(Op.EQ, _K, integer(1), Kind.NUMBER))))
    yield (
        "not-filter",
        "a comparison under negation sees what is bound outside",
        query(Form.ROWS, (_X, _K), seen),
        rows((s, 2), (NOBODY, 1), (NOBODY, 2)),
    )
    other = join(both, member(_K, (o, NOBODY)), negate(join(step, compare(Op.IS, _Y, _K))))
    yield (
        "not-same",
        "an entity under negation is the one that is bound outside",
        query(Form.ROWS, (_X, _K), other, _ENTITIES),
        rows((s, NOBODY), (NOBODY, o), (NOBODY, NOBODY)),
    )
    apart = negate(join(step, compare(Op.IS, _K, _Z)))
    yield (
        "not-same-outside",
        "two entities that are bound outside are compared under negation",
        query(Form.ROWS, (_X, _K, _Z), join(both, member(_K, (s, o)), member(_Z, (o,)), apart), _ENTITIES),
        rows((s, s, o), (NOBODY, s, o), (NOBODY, o, o)),
    )
    either = negate(union((step, triple(_X, NOTHING, _Y))))
    yield "not-union", "negation of a union", listed(either), rows(NOBODY)
    times = count(_N, _Y, step, (_X,))
    yield (
        "grouped-count",
        "a count for each entity, compared",
        listed(times, compare(Op.GE, _N, integer(1), Kind.NUMBER)),
        rows(s),
    )
    yield (
        "not-grouped-count",
        "negation of a count for each entity",
        listed(negate(join(times, compare(Op.GE, _N, integer(1), Kind.NUMBER)))),
        rows(NOBODY),
    )
    best = extreme(Direction.MAX, _V, _V, member(_V, (integer(3), integer(9))), Kind.NUMBER)
    chosen = join(member(_V, (integer(3), integer(9), integer(4))), negate(best))
    yield "not-superlative", "negation of a superlative", *_values(chosen, integer(3), integer(4))
    inside = negate(join(step, compare(Op.EQ, _K, _V, Kind.NUMBER), best))
    yield (
        "not-superlative-filter",
        "a superlative within negation, compared with what is bound outside",
        query(Form.ROWS, (_X, _K), join(both, member(_K, (integer(3), integer(9))), inside)),
        rows((s, 3), (NOBODY, 3), (NOBODY, 9)),
    )
    yes = rows(boolean(True))
    yield "closure", "one step or more of a relation", query(Form.BOOLEAN, (), closure(s, p, o)), yes
    yield "closure-open", "one step or more, neither end known", query(Form.BOOLEAN, (), closure(_X, p, _Y)), yes
    yield "ask", "a triple that is there", query(Form.BOOLEAN, (), triple(s, p, o)), yes
    yield "ask-none", "a triple that is not there", query(Form.BOOLEAN, (), triple(s, NOTHING, o)), rows(boolean(False))
    if anchor.literal is not None:
        subject, predicate, literal = anchor.literal
        yield (
            "literal",
            "a literal of the graph, by its own spelling",
            query(Form.BOOLEAN, (), triple(subject, predicate, literal)),
            yes,
        )
        held = join(triple(subject, predicate, _V), compare(Op.IS, _V, literal))
        yield "literal-is", "a literal of the graph, by its value", *_values(held, literal)
