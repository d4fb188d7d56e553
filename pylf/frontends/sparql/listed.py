"""Which of the relations and classes that a text names the schema does not list: the strict reading refuses them, any
other warns of them, since a name that is misspelt finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import Diagnostic, Span
from pylf.frontends.sparql import syntax
from pylf.ir.nodes import Closure, Confidence, InstanceOf, Path, Triple
from pylf.ir.schema.memory import local_name
from pylf.ir.schema.names import class_name, nearest, relation_name
from pylf.ir.schema.vocabulary import bookkeeping
from pylf.ir.terms import Iri
from pylf.ir.traverse import walk
from pylf.language.hints import named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary


#: So many names of one text get nearest ones: the first search under a large schema takes half a second, each a while.
MOST_NEAREST = 5


def unlisted(text: syntax.Text, query: Query, schema: Schema, vocabulary: Vocabulary) -> list[Diagnostic]:
    """An error for each name of a text, which asks ``query``, that the schema does not list, at the first place where
    it stands. What the vocabulary names for itself (types, labels, statements) needs no schema."""
    own = {*vocabulary.type_predicates, vocabulary.subclass_predicate, *vocabulary.label_predicates}
    own.update(bookkeeping(vocabulary.statements))
    found: dict[tuple[str, str], Span | None] = {}
    for conjunct in walk(query):
        for what, iri in _named(conjunct, vocabulary.type_predicates):
            if iri not in own and (what, iri) not in found:
                known = schema.relation(iri) if what == "relation" else schema.class_(iri)
                if known is None:
                    found[what, iri] = conjunct.span
    if not found:
        return []
    written = _places(text.query)
    return [
        _finding(what, iri, written.get(iri, span), schema, vocabulary, number < MOST_NEAREST).at(text.source)
        for number, ((what, iri), span) in enumerate(found.items())
    ]


def warned(text: syntax.Text, query: Query, schema: Schema, vocabulary: Vocabulary) -> list[Diagnostic]:
    """A warning for each of :func:`unlisted` of whose kind the schema lists any."""
    lists = {"unknown-relation": schema.has_relations, "unknown-class": schema.has_classes}
    if not any(lists.values()):
        return []
    return [d._replace(severity="warning") for d in unlisted(text, query, schema, vocabulary) if lists[d.code]]


def _finding(what: str, iri: str, span: Span | None, schema: Schema, vocabulary: Vocabulary, near: bool) -> Diagnostic:
    name = relation_name(iri, schema, vocabulary) if what == "relation" else class_name(iri, schema, vocabulary)
    hints: tuple[str, ...] = ()
    if near:
        close = nearest(local_name(iri) if name.startswith("<") else name, schema, what)
        hints = (named(close),) if close else ()
    return Diagnostic(f"unknown-{what}", f"the schema has no {what} {name!r}", span, hints=hints, name=iri)


def _places(asked: syntax.Select | syntax.Ask) -> dict[str, Span]:
    """Where each IRI of a text stands first."""
    found: dict[str, Span] = {}
    left: list[object] = [asked]
    while left:
        match left.pop():
            case syntax.At(Iri(iri), span=Span() as span):
                if iri not in found or span < found[iri]:
                    found[iri] = span
            case tuple(parts):
                left += parts
            case part if type(part).__module__ == syntax.__name__:
                # a record's parts
                left += [getattr(part, name) for name in getattr(type(part), "__match_args__", ())]
    return found


def _named(conjunct: Conjunct, types: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    match conjunct:
        case Triple(_, Iri(type_), Iri(class_)) if type_ in types:
            yield "class", class_
        case Triple(_, Iri(relation), _) | Confidence(_, Iri(relation), _) | Closure(_, Iri(relation)):
            yield "relation", relation
        case Path(_, relations):
            yield from [("relation", each.value) for each in relations if isinstance(each, Iri)]
        case InstanceOf(_, classes):
            yield from [("class", each.value) for each in classes]
        case _:
            pass
