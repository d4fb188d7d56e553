"""Graphs of which a schema tells the truth: made to keep to it or to break it, and counted.

Passes may rest on what a schema says and counts of the graph that is asked. Random graphs of
:mod:`pylf.testing.drawn.graphs` keep to their schema mostly, which is never enough for that. Here their types are
completed, what cannot be made to fit is left out, and inverses are stored both ways; or, on purpose, entities are put
into classes that are said to be disjoint. Then the graph is measured, and the schema says what was found. Last come
statements of how sure some triples are, of which no schema says anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.model import COUNTS
from pylf.ir.schema.vocabulary import StatementPattern
from pylf.ir.terms import XSD, Iri, Literal
from pylf.records import replace
from pylf.testing.drawn.graphs import TYPE
from pylf.testing.drawn.schemas import NS, VOCABULARY, Rows, uncounted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.model import Class, Relation, Schema
    from pylf.ir.terms import Node

#: Each thing of a graph is counted so often: what rests on counts being equal stays true, and estimates speak of a
#: graph on which planning pays.
LARGE = 2_000

_STATED = StatementPattern()
_SURE = tuple([Literal(text, XSD + "double") for text in ("0.25", "0.5", "0.75")])


def ground(
    random: Random, rows: Rows, triples: Sequence[TripleRow], times: int = LARGE
) -> tuple[Rows, list[TripleRow]]:
    """Some graph made of the given one, and a schema that tells the truth of it: of six in ten, that they keep to it in
    all ways; of some, nothing."""
    stated = rows.schema()
    sound = random.random() < 0.6
    if sound:
        made = mirrored(kept(triples, stated), stated)
        made = kept(made, stated) if random.random() < 0.5 else made
    else:
        made = list(dict.fromkeys((*triples, *tearing(triples, stated))))
    counted = random.random() > (0.1 if sound else 0.4)
    found = measured(rows, made, times) if counted else uncounted(rows)._replace(meta=())
    return found, [*made, *(statements(random, made) if random.random() < 0.4 else ())]


def measured(rows: Rows, triples: Sequence[TripleRow], times: int = 1) -> Rows:
    """The rows with what a graph shows: its counts, each ``times`` as large, and, in their ``meta``, whether it keeps
    to its domains and ranges (``sound``), whether classes that are said to be disjoint are (``disjoint``), and whether
    inverse pairs are stored both ways (``inverses``)."""
    stated = rows.schema()
    source = infer_schema(MemoryGraph(triples), VOCABULARY, stated).source
    meta = {"sound": source.meta("sound") or "", "disjoint": "false" if torn(triples, stated) else "true"}
    if set(triples) == set(mirrored(triples, stated)):
        meta["inverses"] = "mirrored"
    relations = tuple([_larger(row, times) for row in source.all_relations()])
    classes = tuple([_larger_class(row, times) for row in source.all_classes()])
    return Rows(relations, classes, tuple(meta.items()))


def statements(random: Random, triples: Sequence[TripleRow], most: int = 3) -> list[TripleRow]:
    """How sure some of the triples are, as :class:`~pylf.ir.schema.vocabulary.StatementPattern` says by default."""
    found: list[TripleRow] = []
    for number, (subject, predicate, target) in enumerate(random.sample(triples, min(most, len(triples)))):
        node = Iri(f"{NS}said{number}")
        found += [
            (node, Iri(_STATED.subject), subject),
            (node, Iri(_STATED.predicate), predicate),
            (node, Iri(_STATED.object), target),
            (node, Iri(_STATED.confidence), random.choice(_SURE)),
        ]
    return found


def is_measured(rows: Rows) -> bool:
    """Whether the rows say how far a graph keeps to them."""
    return any(key == "sound" for key, _ in rows.meta)


# --- what a graph keeps to --------------------------------------------------------------------------------------------


def kept(triples: Iterable[TripleRow], schema: Schema) -> list[TripleRow]:
    """A graph that keeps to the schema: the types, and those of the other triples whose ends are of their domain and
    range, or can be made so by a type that no disjoint class stands against; that type with them."""
    triples = list(triples)
    bad = torn(triples, schema)
    types: dict[Node, set[str]] = {}
    found: list[TripleRow] = []
    for subject, predicate, target in triples:
        if predicate == TYPE and isinstance(target, Iri) and subject not in bad:
            types.setdefault(subject, set()).add(target.value)
            found.append((subject, predicate, target))
    for subject, predicate, target in triples:
        relation = schema.relation(predicate.value) if isinstance(predicate, Iri) else None
        if predicate == TYPE or (relation is not None and isinstance(target, Literal) and relation.range):
            continue
        ends = [(subject, relation.domain), (target, relation.range)] if relation is not None else []
        needed = [(node, _choice(types.setdefault(node, set()), union, schema)) for node, us in ends for union in us]
        # one after the other: the two ends may be one node
        for node, class_ in needed:
            if class_ is None or any(schema.disjoint(class_, other) for other in types[node]):
                break
            types[node].add(class_)
            found.append((node, TYPE, Iri(class_)))
        else:
            found.append((subject, predicate, target))
    return list(dict.fromkeys(found))


def _choice(has: set[str], union: tuple[str, ...], schema: Schema) -> str | None:
    """A class of the union that an entity is of, or else may be; None where there is none."""
    plain = [iri for iri in union if not _is_signature(schema, iri)]
    below = [iri for iri in sorted(has) if not schema.superclasses(iri).isdisjoint(plain)]
    free = [iri for iri in plain if not any(schema.disjoint(iri, other) for other in has)]
    return next(iter((*below, *free)), None)


def _is_signature(schema: Schema, iri: str) -> bool:
    found = schema.class_(iri)
    return found is not None and bool(found.subjects_of or found.objects_of)


def torn(triples: Iterable[TripleRow], schema: Schema) -> set[Node]:
    """The entities that belong, by their types, to two classes that are stated to be disjoint."""
    types: dict[Node, list[str]] = {}
    for subject, predicate, target in triples:
        if predicate == TYPE and isinstance(target, Iri):
            types.setdefault(subject, []).append(target.value)
    return {
        node
        for node, classes in types.items()
        if any(schema.disjoint(one, other) for one in classes for other in classes)
    }


def tearing(triples: Iterable[TripleRow], schema: Schema) -> list[TripleRow]:
    """Types that put some entities of a graph into classes that are stated to be disjoint, if any are."""
    apart = [(row.iri, other) for row in schema.source.all_classes() for other in row.disjoint]
    subjects = list(dict.fromkeys(subject for subject, _, _ in triples))[:3]
    return [(subject, TYPE, Iri(iri)) for subject in subjects for iri in apart[0]] if apart else []


def mirrored(triples: Iterable[TripleRow], schema: Schema) -> list[TripleRow]:
    """The graph with what its inverse pairs say stored both ways; what has no reverse is left out."""
    found: list[TripleRow] = []
    for subject, predicate, target in triples:
        relation = schema.relation(predicate.value) if isinstance(predicate, Iri) else None
        if relation is None or relation.inverse is None:
            found.append((subject, predicate, target))
        elif not isinstance(target, Literal):
            found += [(subject, predicate, target), (target, Iri(relation.inverse), subject)]
    return list(dict.fromkeys(found))


# --- counts -----------------------------------------------------------------------------------------------------------


def _larger(relation: Relation, times: int) -> Relation:
    def large(count: int | None) -> int | None:
        return None if count is None else count * times

    profile = relation.profile
    return replace(
        relation,
        triples=large(relation.triples),
        subjects=large(relation.subjects),
        objects=large(relation.objects),
        domain_support=large(relation.domain_support),
        range_support=large(relation.range_support),
        profile=profile and replace(profile, **{name: getattr(profile, name) * times for name in COUNTS}),
    )


def _larger_class(class_: Class, times: int) -> Class:
    return class_ if class_.instances is None else replace(class_, instances=class_.instances * times)
