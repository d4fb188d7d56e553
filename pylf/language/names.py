"""Looking names up: what a relation name, a ``START`` string or a datatype means in a schema and a vocabulary.

The order is that of docs/language.md. Names that nothing answers to become diagnostics with the nearest names that do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic, EngineError
from pylf.ir.graph import LabelIndex
from pylf.ir.schema.memory import local_name
from pylf.ir.schema.model import Relation
from pylf.ir.schema.names import nearest as nearest_of_all
from pylf.ir.schema.names import resolve_entity, resolve_literal, resolve_relation_iri, shorten
from pylf.ir.schema.typing import domain_type, range_type
from pylf.ir.terms import Blank, Iri, Literal, tagged
from pylf.ir.types import ANY, ENTITY, EntityType, LiteralType
from pylf.language import syntax
from pylf.language.hints import named, nearest
from pylf.language.refused import Refused
from pylf.language.typed import Bare, Instances, Known, Labelled, Step
from pylf.language.wording import PYLF

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.errors import Span
    from pylf.ir.graph import Graph
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.types import Type
    from pylf.language.context import Context
    from pylf.language.wording import Wording

    Resolver = Callable[[str, Vocabulary], Iri | str | None]

    Classes = tuple[tuple[str, ...], ...]

INVERSE = "R_"
#: So many relation names whose meaning is known are kept: names come from programs, and there is no end to them.
_MOST_MEANINGS = 10_000
#: what a CURIE looks like: the prefix, and the rest
_CURIE = re.compile(r"([A-Za-z][\w-]{0,20})?:([^\s:/<>\"'][^\s<>\"']*)")


class Names:
    """The names of one compilation; warnings gather in ``findings``."""

    def __init__(self, context: Context, findings: list[Diagnostic], wording: Wording = PYLF) -> None:
        self.context = context
        self.wording = wording
        self.schema = context.schema
        self.vocabulary = context.vocabulary
        self.findings = findings
        meanings = self.schema.meanings.setdefault(self.vocabulary, {})
        assert isinstance(meanings, dict)
        self.meanings: dict[tuple[str, int | None], tuple[Relation, bool, Classes, Type, Type]] = meanings

    # -- relations

    def step(self, name: syntax.Name, closure: int | None = None, beside: Type = ANY) -> Step:
        """The relation that a name means, with its direction. ``beside`` (the type of the set it is joined with)
        ranks the suggestions for an unknown name.

        Raises:
            Refused: nothing, or several relations, answer to the name.
        """
        meaning = self.meanings.get((name.text, closure))
        if meaning is None:
            meaning = self._meaning(name, closure, beside)
            relation = meaning[0]
            if self.schema.relation(relation.iri) is relation and len(self.meanings) < _MOST_MEANINGS:
                self.meanings[name.text, closure] = meaning
        relation, inverse, classes, near, far = meaning
        return Step(relation.iri, relation, inverse, classes, near, far, closure, name.span)

    def _meaning(
        self, name: syntax.Name, closure: int | None, beside: Type
    ) -> tuple[Relation, bool, Classes, Type, Type]:
        """A relation, whether it is walked against its direction, the classes that a negation along it ranges over,
        and the types of its near and its far end."""
        text, inverse = name.text, False
        found = self._relation(text, name.span)
        # `R_…` may fit the vocabulary's pattern as it stands: then only the schema can say that it is a name of its own
        if text.startswith(INVERSE) and not any(map(self.schema.relation, found)):
            turned = self._relation(text[len(INVERSE) :], name.span)
            if turned or not found:
                text, inverse, found = text[len(INVERSE) :], True, turned
        if not found:
            raise Refused(self._unknown_relation(text, None, name.span, beside))
        if len(found) > 1:
            raise Refused(
                Diagnostic(
                    "ambiguous-name",
                    f"{text!r} names {len(found)} relations",
                    name.span,
                    hints=("write one of them in full: " + ", ".join(map(self.wording.in_full, found[:5])),),
                )
            )
        relation = self.schema.relation(found[0])
        if relation is None:
            relation = self._unlisted(found[0], text, name.span, beside)
        near: Type = domain_type(relation)
        far = range_type(relation)
        if closure is not None and isinstance(far, LiteralType):
            message = f"{text!r} leads to values, where no second step can begin"
            raise Refused(Diagnostic("type-mismatch", message, name.span), near)
        if closure == 0:
            # what is reached in no steps is where one began: of no known class; and it begins with an entity
            near, far = (ANY if inverse and far == ANY else ENTITY), ENTITY
        elif inverse:
            near, far = far, near
        return relation, inverse, relation.range if inverse else relation.domain, near, far

    def _relation(self, text: str, span: Span | None) -> tuple[str, ...]:
        iri = self._iri(resolve_relation_iri, text, span)
        if iri is not None and (text.startswith("<") or self.schema.relation(iri) is not None):
            return (iri,)
        return self.schema.relations_named(text) or (() if iri is None else (iri,))

    def _unlisted(self, iri: str, text: str, span: Span | None, beside: Type) -> Relation:
        """A relation that the vocabulary can spell but the schema does not list."""
        if iri in self.vocabulary.label_predicates:
            return Relation(iri, datatypes=())
        if iri in self.vocabulary.type_predicates:
            return Relation(iri)
        if self.schema.has_relations:
            if not self._insisted(text):
                raise Refused(self._unknown_relation(text, iri, span, beside))
            message = f"the schema does not list {self._shown(text, iri)!r}: its types are not checked"
            hints = self._namesakes(iri)
            self.findings.append(Diagnostic("unlisted-relation", message, span, None, hints, "warning"))
        return Relation(iri)

    def _namesakes(self, iri: str) -> tuple[str, ...]:
        """A hint that gives the relations of the class in whose namespace a relation's name lies, if they are spelled
        like it. (Where names are not built so, all relations are looked through, which takes longer.)"""
        namespace, dot, _ = iri.rpartition(".")
        if dot and "/" not in iri[len(namespace) :]:
            names = [local_name(relation) for relation in self.schema.source.relations_of(namespace)]
            return nearest(local_name(iri), names)
        close = nearest_of_all(local_name(iri), self.schema, "relation")
        return (named(close),) if close else ()

    def _insisted(self, text: str) -> bool:
        """Whether a name that the schema does not list is taken all the same."""
        return not self.context.strict and (text.startswith("<") or self.context.lenient)

    def _unknown_relation(self, text: str, iri: str | None, span: Span | None, beside: Type) -> Diagnostic:
        """The finding that nothing answers to a name; ``iri`` is what the vocabulary makes of it."""
        name = self._shown(text, iri)
        class_iri = beside.unions[0][0] if isinstance(beside, EntityType) and beside.unions else None
        close = nearest_of_all(name, self.schema, "relation", class_iri)
        if close:
            hint = named(close)
        elif self.schema.has_relations:
            hint = "'pylf schema show' lists the relations"
        else:
            in_full = self.wording.in_full("IRI")
            hint = f"the schema states no relations: 'pylf schema infer' makes one from data; or write {in_full}"
        hints = (hint, *self._insisting(iri), *(self._no_prefix(text) if iri is None else ()))
        return Diagnostic("unknown-relation", f"the schema has no relation {name!r}", span, hints=hints)

    def _shown(self, text: str, iri: str | None) -> str:
        """A name as messages show it: as it was written, and in short where it was written in full."""
        return shorten(iri, self.vocabulary) if iri is not None and text.startswith("<") else text

    def _insisting(self, iri: str | None) -> tuple[str, ...]:
        """How to use a name that the vocabulary can spell, though the schema does not list it."""
        if iri is None or self.context.strict:
            return ()
        return (f"if the graph has it all the same, write {self.wording.in_full(iri)}",)

    # -- what START means

    def start(self, start: syntax.Start) -> Bare | Known | Labelled | Instances:
        """What ``START`` names, as far as that can be told before it meets a relation.

        Raises:
            Refused: the name breaks a rule, or ``kind=`` asks for what it is not.
        """
        text, span, kind = start.value.text, start.span, start.kind
        if isinstance(start.value, syntax.Number):
            if kind in ("class", "entity"):
                raise Refused(Diagnostic("kind", f"the number {text} is no {kind}", span))
            return Bare(text, True, ANY, span)
        if kind == "literal":
            written = self.literal(text, span) or Literal(text)
            return Known((written,), LiteralType(written.datatype), span)
        if kind != "entity":
            classes = self._classes(text, span)
            if len(classes) > 1:
                raise Refused(
                    Diagnostic(
                        "ambiguous-name",
                        f"{text!r} names {len(classes)} classes",
                        span,
                        hints=("write one of them in full: " + ", ".join(map(self.wording.in_full, classes[:5])),),
                    )
                )
            if classes:
                return Instances(classes[0], EntityType((classes,)), span)
            if kind == "class":
                unlisted = self._unlisted_class(text, span)
                return Instances(unlisted, EntityType(((unlisted,),)), span)
        iri = self._iri(resolve_entity, text, span)
        if iri is not None:
            entity = Iri(iri)
            type_ = self.entity_type(entity)
            if not type_.unions:
                self.missed(entity, text, span)
            return Known((entity,), type_, span)
        if kind == "entity":
            spelt = resolve_literal(text, self.vocabulary)
            tag = None if spelt is None else spelt.language
            return self.labelled(text if spelt is None or tag is None else spelt.lexical, tag, span)
        literal = self.literal(text, span)
        if literal is not None:
            return Known((literal,), LiteralType(literal.datatype), span)
        return Bare(text, False, ENTITY, span)

    def _classes(self, text: str, span: Span | None) -> tuple[str, ...]:
        iri = self._iri(resolve_entity, text, span)
        if iri is not None:
            return () if self.schema.class_(iri) is None else (iri,)
        iri = self._iri(resolve_relation_iri, text, span)
        if iri is not None and self.schema.class_(iri) is not None:
            return (iri,)
        return self.schema.classes_named(text)

    def _unlisted_class(self, text: str, span: Span | None) -> str:
        """A class that is spelled as an IRI, or as the vocabulary spells one, but that the schema does not list."""
        iri = self._iri(resolve_entity, text, span) or self._iri(resolve_relation_iri, text, span)
        if iri is not None and not self.schema.has_classes:
            return iri
        name = self._shown(text, iri)
        close = nearest_of_all(name, self.schema, "class")
        hints = (named(close),) if close else ()
        if iri is None or not self._insisted(text):
            hints = (*hints, *self._insisting(iri))
            raise Refused(Diagnostic("unknown-class", f"the schema has no class {name!r}", span, hints=hints))
        message = f"the schema does not list the class {name!r}: its subclasses are not known"
        self.findings.append(Diagnostic("unlisted-class", message, span, None, hints, "warning"))
        return iri

    def literal(self, text: str, span: Span | None) -> Literal | None:
        """``'2008-05-01^^xsd:date'`` and ``'Delta@en'`` as literals; None for any other text.

        Raises:
            Refused: what follows ``^^`` names no datatype.
        """
        try:
            literal = resolve_literal(text, self.vocabulary)
        except CompileError as error:
            raise Refused(error.diagnostics[0]._replace(span=span)) from None
        name = text.rpartition("^^")[2]
        if literal is None and "^^" in text and (name.startswith(("xsd:", "<")) or name.replace(".", "").isalnum()):
            raise Refused(
                Diagnostic(
                    "unknown-datatype",
                    f"{name!r} names no datatype",
                    span,
                    hints=("write it as xsd:date, as '<IRI>', or by a name that the vocabulary lists",),
                )
            )
        return literal

    def labelled(self, text: str, language: str | None, span: Span | None) -> Known | Labelled:
        """The entities that bear a label: looked up in the graph at hand, else a pattern for the query."""
        graph = self.context.graph
        if graph is None:
            return Labelled(text, language, ENTITY, span)
        bearers = self.entities_labelled(graph, text, language)
        found = tuple(e for e in bearers if isinstance(e, Iri))
        if not bearers:
            self.findings.append(self._unknown_label(graph, text, span))
            return Labelled(text, language, ENTITY, span)
        if len(bearers) > 1:
            one = f"to take one, write {self.wording.entity}: " + ", ".join(str(e) for e in found[:5])
            self.findings.append(
                Diagnostic(
                    "ambiguous-label",
                    f"{len(bearers)} entities are labelled {text!r}; all of them are taken",
                    span,
                    hints=(one,) if found else (),
                    severity="warning",
                )
            )
        if len(found) < len(bearers):  # a blank node cannot be named in a query; its label can
            return Labelled(text, language, ENTITY, span)
        if len(found) > 1:
            return Known(found, ENTITY, span)
        return Known(found, self.entity_type(found[0]), span)

    def _unknown_label(self, graph: Graph, text: str, span: Span | None) -> Diagnostic:
        from pylf.ir.likeness import nearest_labels

        predicates = [Iri(p) for p in self.vocabulary.label_predicates]
        try:
            near = nearest_labels(text, predicates, graph)
        except EngineError:  # a hint is not worth a failure
            near = []
        labels = dict.fromkeys(x.lexical for x, _ in near if isinstance(x, Literal))
        hints = [named(tuple(labels), "label")] if labels else []
        classes = nearest_of_all(text, self.schema, "class", limit=1)
        if classes and classes[0].casefold().startswith(text.casefold()[:3]):
            hints.append(f"there is a class {classes[0]!r}")
        hints += [*self.wording.instead_of(text), *self._no_prefix(text)]
        message = f"no entity of the graph is labelled {text!r}"
        return Diagnostic("unknown-label", message, span, hints=tuple(hints), severity="warning", name=text)

    def _no_prefix(self, text: str) -> tuple[str, ...]:
        """A hint for what looks like a CURIE and is none here."""
        found = _CURIE.fullmatch(text)
        if found is None or (found[1] or "") in self.vocabulary.prefixes:
            return ()
        full = self.wording.entity.replace("IRI", f"…{found[2]}")
        return (
            f"the vocabulary has no prefix '{found[1] or ''}:': write {full}, or give it one (--vocab, [prefixes])",
        )

    def entities_labelled(self, graph: Graph, text: str, language: str | None) -> tuple[Iri | Blank, ...]:
        """The entities of a graph whose label is ``text``, sorted. A graph with an index of its labels is asked."""
        if isinstance(graph, LabelIndex):
            return graph.entities_labelled(text, self.vocabulary, None if language is None else (language,))
        literals = [tagged(text, tag) if tag else Literal(text) for tag in self.label_languages(language)]
        found = {
            s
            for p in self.vocabulary.label_predicates
            for literal in literals
            for s, _, _ in graph.triples(None, Iri(p), literal)
            if isinstance(s, Iri | Blank)
        }
        return tuple(sorted(found, key=str))

    def missed(self, entity: Iri, text: str, span: Span | None) -> None:
        """Warns of an entity that no triple of the graph at hand is about: its name may be misspelt. A relation may
        be named as an entity is."""
        graph = self.context.graph
        if graph is None or self.schema.relation(entity.value) is not None:
            return
        places = ((entity, None, None), (None, None, entity), (None, entity, None))
        if not any(True for place in places for _ in graph.triples(*place)):
            self.findings.append(
                Diagnostic("unknown-entity", f"no triple of the graph is about {text!r}", span, severity="warning")
            )

    def label_languages(self, language: str | None) -> tuple[str, ...]:
        """The tags ("" for none) under which a label is looked up."""
        if language is not None:
            return (language,)
        known = self.schema.languages
        return tuple(dict.fromkeys((*self.vocabulary.label_languages, *known)))

    def entity_type(self, entity: Iri) -> EntityType:
        """The classes of an entity that the graph at hand states; unknown without a graph."""
        graph = self.context.graph
        if graph is None:
            return ENTITY
        classes = {
            o.value
            for p in self.vocabulary.type_predicates
            for _, _, o in graph.triples(entity, Iri(p), None)
            if isinstance(o, Iri) and self.schema.class_(o.value) is not None
        }
        return EntityType(tuple((c,) for c in sorted(classes)))

    def _iri(self, resolve: Resolver, text: str, span: Span | None = None) -> str | None:
        """The IRI that a resolver reads from a name; its complaint about an illegal character placed at ``span``."""
        try:
            found = resolve(text, self.vocabulary)
        except CompileError as error:
            raise Refused(error.diagnostics[0]._replace(span=span)) from None
        return found.value if isinstance(found, Iri) else found
