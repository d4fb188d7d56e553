"""What a name at a node of a path means: an entity, one of those that bear a label, or a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import Diagnostic
from pylf.frontends.path.tree import Number
from pylf.ir import build
from pylf.ir.nodes import Kind, Op, Triple
from pylf.ir.terms import XSD_STRING, Iri, Literal, tagged
from pylf.ir.types import ANY, ENTITY, EntityType, LiteralType
from pylf.language import syntax, typed
from pylf.language.constants import constant, kind_of_relation, may_be_date, number_literal
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.errors import Span
    from pylf.frontends.path.labels import Labels
    from pylf.frontends.path.tree import Named
    from pylf.ir.nodes import Body
    from pylf.ir.terms import Term, Var
    from pylf.ir.types import Type
    from pylf.language.names import Names

    Meaning = typed.Bare | typed.Known | typed.Labelled


def object_type(step: typed.Step) -> Type:
    """The type of what the edges of a step's relation lead to, whichever way it is walked."""
    return step.near if step.inverse else step.far


def subject_type(step: typed.Step) -> Type:
    """The type of what the edges of a step's relation begin at."""
    return step.far if step.inverse else step.near


def start_of(node: Named | Number, step: typed.Step | None, subject: bool, names: Names) -> syntax.Start:
    """A node's name as PyLF's ``START``.

    Args:
        node: the name.
        step: the known relation that leads to it, if any.
        subject: whether an edge begins at it, which none does at a value.
        names: where classes are looked up.

    Raises:
        Refused: the name breaks a rule, or several classes answer to it.
    """
    span = node.span
    entity = subject or (step is not None and isinstance(object_type(step), EntityType))
    if isinstance(node, Number) and not entity:
        return syntax.Start(syntax.Number(node.text, span), implicit=True, span=span)
    start = syntax.Start(syntax.Text(node.text, span), implicit=True, span=span)
    found = names.start(start)
    if isinstance(found, typed.Instances):  # a path leads through the class itself
        return syntax.Start(syntax.Text(f"<{found.class_iri}>", span), "entity", span=span)
    if entity and isinstance(found, typed.Known) and isinstance(found.terms[0], Literal):
        return syntax.Start(syntax.Text(node.text, span), "entity", span=span)  # a label with its language
    return start


class Constants:
    """The constants of one path. What they mean beside a term goes into ``beside``; ``labels``, where there are any,
    take the place of a look-up."""

    def __init__(
        self,
        names: Names,
        fresh: Callable[[str, Type], Var],
        beside: list[Body],
        labels: Labels | None,
    ) -> None:
        self.names = names
        self.fresh = fresh
        self.beside = beside
        self.labels = labels
        #: the entities that the path names, and what is known of each term
        self.topics: list[Iri | Var] = []
        self.types: dict[Term, Type] = {}

    def term(self, node: Named | Number, step: typed.Step | None, subject: bool) -> Term:
        """The term of a node; see :func:`start_of`.

        Raises:
            Refused: nothing answers to the name, or it cannot be read as what the relation's values are.
        """
        found = self.meaning(node, step, subject)
        match found:
            case typed.Known(terms=(Literal() as literal,)):
                term = self.value(literal, step, node.span)
            case typed.Known(terms=(Iri() as entity,)):
                term = entity
                self.topics.append(entity)
            case typed.Known(terms=terms):
                var = self.fresh("node", found.type)
                self.beside.append(build.member(var, terms, node.span))
                self.topics += [one for one in terms if isinstance(one, Iri)]
                term = var
            case typed.Labelled():
                term = self.bearer(found)
                self.topics.append(term)
            case _:
                raise AssertionError(f"{type(found).__name__} is settled")
        self.types[term] = found.type
        return term

    def meaning(self, node: Named | Number, step: typed.Step | None, subject: bool) -> Meaning:
        """What a node's name means, looked up."""
        names = self.names
        found = names.start(start_of(node, step, subject, names))
        if not isinstance(found, typed.Bare):
            assert not isinstance(found, typed.Instances)
            return found
        leads_to_values = step is not None and isinstance(object_type(step), LiteralType)
        if not subject and (found.is_number or leads_to_values):
            literal = number_literal(found.text, ()) or Literal(found.text)
            if step is not None:
                literal, _ = constant(found.text, found.is_number, step.relation, names, node.span)
            return typed.Known((literal,), LiteralType(literal.datatype), node.span)
        if self.labels is None:
            return names.labelled(found.text, None, node.span)
        bearers = self.labels.get(found.text, ())
        if bearers is None:  # one without a name, which a query can only tell by its label
            return typed.Labelled(found.text, None, ENTITY, node.span)
        if not bearers:
            message = f"no entity of the graph is labelled {found.text!r}"
            raise Refused(Diagnostic("unknown-label", message, node.span, name=found.text))
        return typed.Known(bearers, ENTITY, node.span)

    def value(self, literal: Literal, step: typed.Step | None, span: Span | None) -> Term:
        """A value: strings are met as terms, and where the graph's have tags, as one of these; others by value. As a
        JOIN with it."""
        relation = None if step is None else step.relation
        profile = None if relation is None else relation.profile
        kind = Kind.ANY if relation is None else kind_of_relation(relation)
        tags: tuple[Literal, ...] = ()
        if literal.language is None and literal.datatype == XSD_STRING and profile is not None and profile.tagged:
            tags = tuple([tagged(literal.lexical, tag) for tag in profile.languages])
        as_date = relation is not None and may_be_date(literal, relation)
        string = literal.language is not None or (literal.datatype == XSD_STRING and not as_date)
        if string and not tags:
            return literal
        var = self.fresh("value", LiteralType(literal.datatype) if string and not tags else ANY)
        if string:
            self.beside.append(build.member(var, (literal, *tags), span))
            return var
        equal = build.compare(Op.EQ, var, literal, kind, span)
        self.beside.append(build.union((build.member(var, tags, span), equal), span) if tags else equal)
        return var

    def bearer(self, labelled: typed.Labelled) -> Var:
        """A variable for what bears a label, which the query is to find."""
        span = labelled.span
        var = self.fresh("node", ENTITY)
        languages = self.names.label_languages(labelled.language)
        values = tuple([tagged(labelled.text, tag) if tag else Literal(labelled.text) for tag in languages])
        label = self.fresh("label", LiteralType(None if len(values) > 1 else values[0].datatype))
        predicates = self.names.vocabulary.label_predicates
        arms = [build.join(Triple(var, Iri(predicate), label, span)) for predicate in predicates]
        self.beside.append(build.union(arms, span))
        self.beside.append(build.member(label, values, span))
        return var
