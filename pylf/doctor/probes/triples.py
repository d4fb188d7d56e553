"""Probes over one triple of the graph at hand, on which negation, paths and matching are shown as pylf writes them.

Of the triple ``(s, p, o)``, o an IRI, only its presence is known; besides, that two made-up names occur nowhere:
``nobody`` in no triple, and ``nothing`` as no predicate.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.dialects.sparql11 import DIALECT as PLAIN
from pylf.backends.sparql.print import print_tree
from pylf.backends.sparql.query import (
    Aggregate,
    Ask,
    Column,
    Exists,
    Filter,
    Group,
    Minus,
    Operation,
    OptionalPattern,
    PathExpression,
    Select,
    TriplePattern,
    UnionPattern,
    Values,
)
from pylf.backends.sparql.values import FALSE, TRUE, call
from pylf.doctor.probe import Probe, Use, boolean, grouped, integer, rows, typed
from pylf.doctor.probes.emitted import NOBODY, NOTHING, OVER_A_TRIPLE
from pylf.ir.terms import XSD_DOUBLE, Iri, Literal, Var
from pylf.ir.values import NUMERIC_DATATYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.query import Pattern, QueryTree
    from pylf.doctor.probe import Row

#: Found in this many triples, an anchor is looked for among them.
SAMPLE = 200
#: No probe has as many rows.
_MOST = 10
#: Literals of more characters are not asked for.
_SHORT = 200
_X, _Y, _Z, _K, _N, _V = Var("x"), Var("y"), Var("z"), Var("k"), Var("n"), Var("v")


class Anchor(NamedTuple):
    """A triple of the graph between two IRIs; where there are such, one whose object is a literal, and one whose object
    is a number and the only value there."""

    subject: Iri
    predicate: Iri
    object: Iri
    literal: tuple[Iri, Iri, Literal] | None = None
    number: tuple[Iri, Iri, Literal] | None = None


def sample() -> str:
    """The query for triples to choose an anchor from."""
    subject, predicate, object_ = Var("s"), Var("p"), Var("o")
    where = Group((TriplePattern(subject, predicate, object_),))
    return print_tree(Select((subject, predicate, object_), where, limit=SAMPLE), PLAIN)


def values_of(subject: Iri, predicate: Iri) -> str:
    """The query for all values of a relation of a subject."""
    value = Var("o")
    return print_tree(Select((value,), Group((TriplePattern(subject, predicate, value),))), PLAIN)


def anchor_among(found: list[Row], values: Callable[[str], list[Row]]) -> Anchor | None:
    """An anchor among triples of the graph: of the rarest predicate among them, since scans of it are short. ``values``
    answers :func:`values_of`."""
    times = Counter([predicate for _, predicate, _ in found])
    literal = number = best = None
    for subject, predicate, object_ in sorted(found, key=lambda row: times[row[1]]):
        if not (isinstance(subject, Iri) and isinstance(predicate, Iri)):
            continue
        if isinstance(object_, Iri):
            best = best or (subject, predicate, object_)
        elif isinstance(object_, Literal) and len(object_.lexical) <= _SHORT:
            literal = literal or (subject, predicate, object_)
            if number is None and object_.lexical.isdecimal() and object_.datatype in NUMERIC_DATATYPES:
                alone = len(values(values_of(subject, predicate))) == 1
                number = (subject, predicate, object_) if alone else None
    return None if best is None else Anchor(*best, literal, number)


def probes(anchor: Anchor, dialect: Dialect) -> tuple[Probe, ...]:
    """The probes over an anchor."""
    s, p, o = anchor.subject, anchor.predicate, anchor.object
    both = Values((_X,), ((s,), (NOBODY,)))
    step = TriplePattern(_X, p, _Y)
    listed: list[Probe] = []

    def add(
        name: str,
        shows: str,
        where: tuple[Pattern, ...],
        expected: tuple[Row, ...],
        use: Use = Use.EMITTED,
        columns: tuple[Var, ...] = (_X,),
        field: str | None = None,
    ) -> None:
        text = print_tree(Select(columns, Group(where), distinct=True, limit=_MOST), dialect)
        listed.append(Probe(name, shows, text, expected, use, field=field))

    def ask(
        name: str,
        shows: str,
        where: tuple[Pattern, ...],
        expected: bool,
        use: Use,
        field: str | None = None,
    ) -> None:
        tree: QueryTree = Ask(Group(where))
        listed.append(Probe(name, shows, print_tree(tree, dialect), rows(boolean(expected)), use, field=field))

    add("exists", "EXISTS keeps what has the relation", (both, Filter(Exists(Group((step,))))), rows(s))
    add("not-exists", "NOT EXISTS removes what has the relation", (both, _not(step)), rows(NOBODY))
    pairs = Values((_X, _K), ((s, integer(1)), (s, integer(2)), (NOBODY, integer(1))))
    one = Filter(Operation("=", (_K, integer(1))))
    add(
        "not-exists-filter",
        "a filter under NOT EXISTS sees a variable outside",
        (pairs, _not(step, one)),
        rows((s, 2), (NOBODY, 1)),
        Use.ADAPTED,
        (_X, _K),
        "apart_exists",
    )
    arms = UnionPattern(
        (
            Group((step, Filter(Operation("=", (_K, integer(1)))))),
            Group((TriplePattern(_X, NOTHING, _Y),)),
        )
    )
    add(
        "exists-arm-filter",
        "a filter in an arm of a union under EXISTS sees a variable outside that the arm repeats",
        (pairs, Filter(Exists(Group((UnionPattern((_repeated(arms.arms[0]), arms.arms[1])),))))),
        rows((s, 1)),
        Use.ADAPTED,
        (_X, _K),
        "flat_exists",
    )
    count = Column(Aggregate("COUNT", _Y), _N)
    counted = Select((_X, count), Group((step,)), group_by=(_X,))
    enough = Filter(Operation(">=", (_N, integer(1))))
    add(
        "not-exists-grouped",
        "a grouped sub-select under NOT EXISTS",
        (both, _not(counted, enough)),
        rows(NOBODY),
        Use.FOREIGN,
    )
    without = Minus(Group((counted, enough)))
    add("minus-grouped", "MINUS of a grouped sub-select", (both, without), rows(NOBODY), Use.FOREIGN)
    add("minus", "MINUS removes what shares the variable", (both, Minus(Group((step,)))), rows(NOBODY))
    greatest = Select((Column(Aggregate("MAX", _V), _N),), Group((Values((_V,), ((integer(1),), (integer(2),))),)))
    two = Values((_K,), ((integer(1),), (integer(2),)))
    found = Filter(Exists(Group((TriplePattern(s, p, _Y), Filter(call("IF", Operation("=", (_K, _N)), TRUE, FALSE))))))
    add(
        "scalar-under-exists",
        "what a sub-select of one row found is seen under EXISTS",
        (greatest, two, found),
        rows(2),
        Use.ADAPTED,
        (_K,),
        "limits_scalars",
    )
    optional = OptionalPattern(Group((step,)))
    unbound = Filter(Operation("!", (call("BOUND", _Y),)))
    add("optional-not-bound", "OPTIONAL and !BOUND is negation", (both, optional, unbound), rows(NOBODY), Use.FOREIGN)
    other = TriplePattern(_Z, p, o)
    add(
        "minus-unshared",
        "MINUS without a shared variable removes nothing",
        (both, Minus(Group((other,)))),
        rows(s, NOBODY),
        Use.FOREIGN,
    )
    add(
        "minus-filter",
        "a filter inside MINUS does not see outside",
        (pairs, Minus(Group((step, one)))),
        rows((s, 1), (s, 2), (NOBODY, 1)),
        Use.FOREIGN,
        (_X, _K),
    )
    add(
        "minus-first",
        "MINUS first in a group removes nothing",
        (Minus(Group((TriplePattern(_X, p, o),))), both),
        rows(s, NOBODY),
        Use.FOREIGN,
    )
    add(
        "not-exists-optional",
        "NOT EXISTS over a variable that OPTIONAL left unbound asks for any value",
        (both, optional, _not(TriplePattern(_Z, p, _Y))),
        (),
        Use.FOREIGN,
    )
    add(
        "not-exists-scope",
        "NOT EXISTS in a group of its own does not see outside",
        (both, Group((_not(TriplePattern(_X, p, o)),))),
        (),
        Use.FOREIGN,
    )
    back = PathExpression("+", (PathExpression("|", (p, PathExpression("^", (p,)))),))
    ask("path", "p+ finds one step", (TriplePattern(s, PathExpression("+", (p,)), o),), True, Use.FOREIGN)
    around = (TriplePattern(s, back, _X), Filter(Operation("=", (call("STR", _X), Literal(s.value)))))
    add("path-cycle", "p+ comes back to its start on a cycle", around, rows(s), Use.ADAPTED, field="transitive_option")
    if anchor.number is not None:
        of, by, number = anchor.number
        differing = typed(number.lexical, "decimal" if number.datatype == XSD_DOUBLE else "double")
        ask(
            "literal-datatype",
            "a number in a pattern does not meet an equal one of another datatype",
            (TriplePattern(of, by, differing),),
            False,
            Use.ADAPTED,
            "joins_values",
        )
    return grouped(OVER_A_TRIPLE, *listed)


def _not(*patterns: Pattern) -> Filter:
    return Filter(Exists(Group(patterns), negated=True))


def _repeated(arm: Group) -> Group:
    """The arm with what binds ``?k`` in it once more."""
    return Group((Values((_K,), ((integer(1),), (integer(2),))), *arm.patterns))
