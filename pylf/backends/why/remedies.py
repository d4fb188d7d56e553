"""What would mend an empty answer, as far as the data shows it.

Each function looks at one kind of conjunct that left nothing over, and at what its variables were before it. What it
says is true of the graph as it is; whether it is what the reader meant, the reader decides.
"""

from __future__ import annotations

from itertools import chain, islice, product
from typing import TYPE_CHECKING

from pylf.backends.why.asking import COUNTED
from pylf.backends.why.evidence import Class, Datatype, Relation, Remedy
from pylf.backends.why.standing import keys_of, settled_kind
from pylf.backends.why.support import witnessed
from pylf.backends.why.units import label_text
from pylf.errors import EngineError
from pylf.ir.answers import distinct
from pylf.ir.expressions import names_in
from pylf.ir.likeness import akin, nearest_labels
from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Closure,
    Compare,
    Condition,
    Confidence,
    Extreme,
    InstanceOf,
    Kind,
    Member,
    Not,
    Op,
    TopK,
    Triple,
)
from pylf.ir.scope import never_holds
from pylf.ir.tables import certain
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.values import compare, kind_of, order_key, sort_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pylf.backends.why.asking import Asking
    from pylf.backends.why.evidence import Sentence
    from pylf.backends.why.units import Label, Unit
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Op as Operator
    from pylf.ir.tables import Table
    from pylf.ir.terms import Node, Term

    Places = tuple[Node | None, Node | None, Node | None]

#: How many examples are named.
NAMED = 3
#: Of what was left before the culprit, so much is looked at.
LOOKED_AT = 500


def remedies(unit: Unit, before: Sequence[Table], asking: Asking) -> Iterator[Remedy]:
    """What can be said of a unit that left nothing over, from the variables that it looks at as they were ``before``.

    Raises Exhausted.
    """
    conjunct = unit.first
    if unit.label is not None:
        yield from _label(unit.label, before, asking)
        return
    if any(never_holds(each) for each in unit.conjuncts):
        yield Remedy("never", ("this cannot hold in any graph: no value is left that it could take",))
        return
    match conjunct:
        case Triple(subject, predicate, object_) if len(unit.conjuncts) == 1:
            yield from _triple((subject, predicate, object_), before, asking)
        case Closure(subject, relation, object_):
            yield from _triple((subject, relation, object_), before, asking)
        case Confidence(subject, predicate, object_):
            says = asking.vocabulary.statements.confidence
            if asking.meter.count(None, Iri(says), None):
                yield from _triple((subject, predicate, object_), before, asking)
            else:
                yield Remedy("absent", ("the graph states no confidence: it has no triple of ", Relation(says)))
        case InstanceOf(term, classes):
            yield from _instances(term, classes, before, asking)
        case Compare(op, left, right, kind):
            yield from _comparison(op, _values(left, before), _values(right, before), kind)
        case Member(term, values):
            nodes = _values(term, before)
            alike = _otherwise_typed(values, nodes)
            if alike is not None:
                yield alike
            elif nodes:
                yield Remedy("instead", ("what is there instead: ", *_listed(distinct(nodes))))
        case Not():
            yield from _negation(conjunct, before, asking)
        case Extreme() | TopK():
            yield from _superlative(conjunct, asking)
        case Condition(expression):
            for name in sorted(names_in(expression)):
                nodes = distinct(_values(Var(name), before))
                if nodes:
                    yield Remedy("instead", (f"what ?{name} is: ", *_listed(nodes, datatypes=True)))
        case _:
            pass


# --- triples ------------------------------------------------------------------------------------------------------


def _triple(terms: tuple[Term, Term, Term], before: Sequence[Table], asking: Asking) -> Iterator[Remedy]:
    predicate = terms[1]
    if not isinstance(predicate, Iri):
        return
    count = asking.meter.count
    if not count(None, predicate, None):
        yield Remedy("absent", ("the graph has no triple of ", Relation(predicate.value)))
    for node in (terms[0], terms[2]):
        if isinstance(node, Iri) and not count(node, None, None) and not count(None, None, node):
            yield Remedy("absent", (node, " is in no triple of this graph"))
    places = _placed(terms, before)
    turned = list(_turned(predicate, predicate, places, asking))
    known = asking.schema.relation(predicate.value)
    if known is not None and known.inverse not in (None, predicate.value):
        turned.extend(_turned(predicate, Iri(str(known.inverse)), places, asking))
    yield from turned
    if not count(None, predicate, None):
        return
    anchored = any(subject is not None for subject, _, _ in places)
    ends = distinct([object_ for _, _, object_ in places if object_ is not None])
    if not anchored and not any(isinstance(end, Literal) for end in ends):
        number = count(None, predicate, None)
        many = f"none of the {number:,}{'+' if number == COUNTED else ''} triples"
        if ends and not turned:
            none = many if number > 1 else "the one triple there is"
            leads = " leads to " if number > 1 else " does not lead to "
            yield Remedy("elsewhere", (f"{none} of ", Relation(predicate.value), leads, *_listed(ends)))
        return
    there = [
        object_
        for subject in dict.fromkeys([place[0] for place in places])
        if not isinstance(subject, Literal)
        for _, _, object_ in asking.graph.triples(subject, predicate, None)
    ]
    alike = _otherwise_typed(ends, there)
    if alike is not None:
        yield alike
    elif anchored and there:
        yield Remedy("instead", ("with ", Relation(predicate.value), " there are only ", *_listed(distinct(there))))
    elif anchored:
        yield Remedy("instead", ("nothing that was left has any ", Relation(predicate.value)))


def _turned(predicate: Iri, by: Iri, places: list[Places], asking: Asking) -> Iterator[Remedy]:
    """The triples that there are when the pattern is read in the other direction, by this or the inverse relation."""
    found: list[TripleRow] = []
    for subject, _, object_ in places:
        if isinstance(object_, Literal) or (subject is None and object_ is None and by == predicate):
            continue
        found.extend(islice(asking.graph.triples(object_, by, subject), LOOKED_AT))
        if len(found) >= LOOKED_AT:
            break
    if not found:
        return
    example = min(found, key=lambda triple: [sort_key(node) for node in triple])
    number = f"{len(found)}" if len(found) < LOOKED_AT else f"{LOOKED_AT}+"
    matches = f"{number} match" if number == "1" else f"{number} matches"
    shown: Sentence = (example[0], "  ", Relation(by.value), "  ", example[2])
    if by == predicate:
        yield Remedy(
            "reversed",
            (
                "in the other direction there is " if number == "1" else "in the other direction there are ",
                f"{matches}: ",
                *shown,
                " (R_ before a relation's name turns it round)",
            ),
        )
    else:
        yield Remedy("inverse", ("its inverse ", Relation(by.value), f" has {matches}: ", *shown))


def _placed(terms: tuple[Term, Term, Term], before: Sequence[Table]) -> list[Places]:
    """A triple's places as they were before, each once: a node, or None where nothing was known."""
    placed: dict[Places, None] = {}
    for row in _rows(before):
        subject, predicate, object_ = [row.get(t.name) if isinstance(t, Var) else t for t in terms]
        placed[subject, predicate, object_] = None
    return list(placed)


# --- labels and classes -------------------------------------------------------------------------------------------


def _label(label: Label, before: Sequence[Table], asking: Asking) -> Iterator[Remedy]:
    graph = asking.graph
    borne = any(asking.meter.count(None, p, value) for p in label.predicates for value in label.values)
    if borne:
        bearers = _values(label.bearer, before)
        labels = [o for node in bearers for p in label.predicates for _, _, o in graph.triples(node, p, None)]
        if labels:
            yield Remedy("instead", ("what was left is labelled ", *_listed(distinct(labels))))
        return
    text = label_text(label.values)
    if text is None:
        return
    try:
        near = nearest_labels(text, label.predicates, asking.engine)
    except EngineError as problem:  # an endpoint that does not list its labels
        if problem.status == EngineError.status:
            asking.meter.exhausted(problem)
        yield Remedy("label", ("nothing bears this label",))
        return
    if near:
        shown: list[str | Node] = []
        for literal, bearer in near[:NAMED]:
            shown += [", ", literal, " of ", bearer] if shown else [literal, " of ", bearer]
        yield Remedy("label", ("nothing bears this label; the nearest are ", *shown))
    else:
        yield Remedy("label", ("nothing bears this label, nor one like it",))


def _instances(term: Term, classes: tuple[Iri, ...], before: Sequence[Table], asking: Asking) -> Iterator[Remedy]:
    if not asking.extension(classes).members():
        for asked in classes:
            unknown = (
                "" if asking.schema.class_(asked.value) is not None else ", and the schema does not know the class"
            )
            yield Remedy("instances", ("the graph has no instance of ", Class(asked.value), unknown))
        return
    nodes = _values(term, before)
    if nodes and all(isinstance(node, Literal) for node in nodes):
        yield Remedy("classes", ("what was left are values, which are instances of nothing: ", *_listed(nodes)))
        return
    numbers: dict[Node, int] = {}
    for node in nodes:
        if not isinstance(node, Literal):
            for predicate in asking.vocabulary.type_predicates:
                for _, _, class_ in asking.graph.triples(node, Iri(predicate), None):
                    numbers[class_] = numbers.get(class_, 0) + 1
    shown: list[str | Class] = []
    for class_, number in sorted(numbers.items(), key=lambda entry: (-entry[1], sort_key(entry[0])))[:NAMED]:
        if isinstance(class_, Iri):
            shown += [", " if shown else "", Class(class_.value), f" ({number:,})"]
    if shown:
        yield Remedy("classes", ("what was left is of the classes ", *shown))
    elif nodes:
        yield Remedy("classes", ("no class is stated of what was left: ", *_listed(nodes)))


# --- values -------------------------------------------------------------------------------------------------------


def _comparison(op: Operator, left: list[Node], right: list[Node], kind: Kind) -> Iterator[Remedy]:
    if op in (Op.EQ, Op.IS):
        alike = _otherwise_typed(right[:NAMED], left)
        if alike is not None:
            yield alike
            return
    if op is Op.IS:
        yield Remedy("instead", ("no value is on both sides: ", *_listed(left), " and ", *_listed(right)))
        return
    probes = right[:NAMED]
    comparable = [
        node for node in left if any(compare(test, node, probe, kind) for test in (Op.EQ, Op.NE) for probe in probes)
    ]
    if not comparable:
        with_ = (" with ", probes[0]) if len(right) == 1 else ()
        one = "the one value that was left cannot" if len(left) == 1 else f"none of the {len(left):,} values left can"
        yield Remedy("incomparable", (f"{one} be compared", *with_, ": ", *_listed(left, datatypes=True)))
        return
    found = _ends(comparable, kind)
    if found is not None:
        smallest, largest = found
        if smallest == largest:
            yield Remedy("range", ("the one value is ", smallest))
        else:
            yield Remedy("range", ("the values lie between ", smallest, " and ", largest))
    else:
        yield Remedy("instead", ("what is there instead: ", *_listed(comparable)))


def _ends(nodes: list[Node], kind: Kind) -> tuple[Node, Node] | None:
    """The smallest and the largest of some values, by the kind that they are compared by."""
    if kind is Kind.ANY:
        kinds = {kind_of(node) for node in nodes}
        kind = next((k for k in (Kind.NUMBER, Kind.DATE, Kind.TEXT) if k in kinds), Kind.ANY)
        if kind is Kind.ANY:
            return None
    placed = [(order_key(node, kind), sort_key(node), node) for node in nodes]
    ordered = [entry for entry in placed if entry[0] is not None]
    if not ordered:
        return None
    return min(ordered)[2], max(ordered)[2]


def _superlative(superlative: Extreme | TopK, asking: Asking) -> Iterator[Remedy]:
    pairs = keys_of(superlative, asking)
    keys = distinct([key for _, key in pairs])
    kind = settled_kind(superlative, keys)
    if all(order_key(key, kind) is None for key in keys):
        noun = {Kind.NUMBER: "a number", Kind.DATE: "a date", Kind.TEXT: "a plain string"}[kind]
        text = f"of {len(keys):,} values none is {noun}: " if len(keys) > 1 else f"the only value is not {noun}: "
        yield Remedy("incomparable", (text, *_listed(keys, datatypes=True)))
        return
    table = asking.extreme(superlative) if isinstance(superlative, Extreme) else asking.top(superlative)
    winners = distinct([row[0] for row in certain(table)])
    yield Remedy("instead", ("the superlative gives ", *_listed(winners), ", and nothing else that is left"))


def _otherwise_typed(wanted: Iterable[Term | Node], there: Iterable[Node]) -> Remedy | None:
    """The values that are spelled like a wanted one, or overlap with it, under another datatype or language."""
    constants = [term for term in wanted if isinstance(term, Literal)]
    groups: dict[tuple[str, str | None], list[Node]] = {}
    for node in there:
        if isinstance(node, Literal) and any(akin(node, constant) for constant in constants):
            groups.setdefault((node.datatype, node.language), []).append(node)
    if not groups:
        return None
    sentence: list[str | Node | Datatype] = ["0 rows with ", Datatype(constants[0])]
    for _, nodes in sorted(groups.items(), key=lambda group: (-len(group[1]), str(group[0]))):
        rows = "1 row" if len(nodes) == 1 else f"{len(nodes):,} rows"
        sentence += [f"; {rows} with ", Datatype(nodes[0]), ": ", min(nodes, key=sort_key)]
    return Remedy("datatype", tuple(sentence))


# --- negation -----------------------------------------------------------------------------------------------------


def _negation(negation: Not, before: Sequence[Table], asking: Asking) -> Iterator[Remedy]:
    rows = _rows(before)
    number = 1
    for table in before:
        number *= len(table.rows)
    told = "the negation removes the one that was left" if number == 1 else f"the negation removes all {number:,} left"
    if not any(rows):
        told = "what must not be there is there"
    seen = mentions(negation)
    for row in rows[:1]:
        known = {name: node for name, node in row.items() if name in seen}
        example: Sentence = (", for one ", next(iter(known.values()))) if number > 1 and known else ()
        evidence = witnessed(negation.body, known, asking)
        yield Remedy("removed", (told, *example, ", by this:" if evidence else ""), evidence)


# --- what was left ------------------------------------------------------------------------------------------------


def _rows(before: Sequence[Table]) -> list[dict[str, Node]]:
    """What the variables were before, as far as it is looked at; each row of one part with each of the others."""
    columns = [name for table in before for name in table.columns]
    parts = [sorted(certain(table), key=lambda row: [sort_key(node) for node in row])[:LOOKED_AT] for table in before]
    together = (chain.from_iterable(rows) for rows in product(*parts))
    return [dict(zip(columns, row, strict=True)) for row in islice(together, LOOKED_AT)]


def _values(term: Term, before: Sequence[Table]) -> list[Node]:
    """The values that a variable had before, each once, all of them; a constant is itself."""
    if not isinstance(term, Var):
        return [term]
    for table in before:
        if term.name in table.columns:
            place = table.columns.index(term.name)
            return sorted({row[place] for row in certain(table)}, key=sort_key)
    return []


def _listed(nodes: Sequence[Node], *, datatypes: bool = False) -> list[str | Node | Datatype]:
    """The first few of some nodes, and how many more there are."""
    shown: list[str | Node | Datatype] = []
    for node in nodes[:NAMED]:
        shown += [", ", node] if shown else [node]
        if datatypes and isinstance(node, Literal):
            shown += [" with ", Datatype(node)]
    if len(nodes) > NAMED:
        shown.append(f" and {len(nodes) - NAMED:,} more")
    return shown
