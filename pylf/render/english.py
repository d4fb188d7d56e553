"""English: any question as one readable sentence that can be read in one way only.

Deterministic, without a model. What has parts of its own stands between brackets where it does not end the sentence,
so no reader has to guess what a negation or a superlative ranges over::

    Which rockets have a ‘mass’ less than 1.5e+4 and are not among the ‘rockets manufactured’ of ‘Boeing Company’?

Negation is worded by where it stands: "whose ‘engines’ include no rocket engine whose ‘manufacturer’ includes X" (the
outer hop), "whose ‘engines’ include a rocket engine whose ‘manufacturer’ does not include X" (an inner one), "that have
a ‘mass’ other than 2.32e+5" (``!=``), "except those that …" (a difference).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import UnsupportedOperation
from pylf.ir.dates import date_literal
from pylf.ir.nodes import Form, Kind
from pylf.ir.schema.model import Relation
from pylf.ir.schema.names import resolve_entity, resolve_literal
from pylf.ir.schema.typing import domain_type, range_type
from pylf.ir.terms import XSD_STRING, Iri, Literal
from pylf.ir.types import EntityType, LiteralType
from pylf.language import syntax
from pylf.language.constants import kind_of_datatype, kind_of_relation
from pylf.language.raise_ import raise_expression
from pylf.render.phrases import THING, Clause, Phrase, being, either, excepted, fixed, joined
from pylf.render.words import Words, article, is_plural, plural, value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node
    from pylf.language.raise_ import Raised

_NUMBERS = {
    "<": "less than {}",
    "<=": "at most {}",
    ">": "more than {}",
    ">=": "at least {}",
    "=": "equal to {}",
    "!=": "other than {}",
}
_DATES = {
    "<": "before {}",
    "<=": "not after {}",
    ">": "after {}",
    ">=": "not before {}",
    "=": "within {}",
    "!=": "outside {}",
}
_EXTREMES = {
    Kind.NUMBER: ("smallest", "largest"),
    Kind.DATE: ("earliest", "latest"),
    Kind.TEXT: ("first", "last"),
    Kind.ANY: ("smallest or earliest", "largest or latest"),
}
MAX_DEPTH = 30
_STEPS = ("zero or more", "one or more")


def sentence(query: Query, schema: Schema, vocabulary: Vocabulary, labels: Mapping[Node, str] | None = None) -> str:
    """The question in English. ``labels`` names entities that the query mentions by IRI.

    A question that has no PyLF form, or is too nested for a sentence, is worded conjunct by conjunct.
    """
    words = Words(schema, labels, vocabulary)
    try:
        raised = raise_expression(query, schema, vocabulary)
        return _asked(raised.expression, query.form, _Teller(words, vocabulary, raised))
    except UnsupportedOperation:
        from pylf.render.conjuncts import list_conjuncts

        return list_conjuncts(query, words)


def _asked(expression: syntax.Expression, form: Form, teller: _Teller) -> str:
    match expression:
        case syntax.CountOf(of=of) if form is Form.NUMBER:
            phrase = teller.phrase(of)
            if phrase.names:
                return f"How many things are {' or '.join(phrase.names)}?"
            return f"How many {' or '.join(map(plural, phrase.heads))} are there{phrase.rest(True, True)}?"
        case syntax.Ask(of=of):
            phrase = teller.phrase(of)
            if phrase.names:
                return f"Is there {phrase.one(True)}?"
            head = " or ".join(phrase.heads)
            return f"Is there {article(head)}{phrase.rest(False, True)}?"
        case _:
            return _which(teller.phrase(expression))


def _which(phrase: Phrase) -> str:
    if phrase.names:
        return f"What is {phrase.names[0]}?" if len(phrase.names) == 1 else f"What are {' and '.join(phrase.names)}?"
    heads = " or ".join(map(plural, phrase.heads))
    rest = phrase.rest(True, True)
    if not rest:
        return f"Which {heads} are there?"
    clauses = phrase.all_clauses()[len(phrase.classes) :] if len(phrase.classes) <= 1 else []
    if clauses and all(c.lead == "that" for c in clauses) and rest == joined(clauses, True, True):
        told = [c.words(True, c is clauses[-1]) for c in clauses]
        return f"Which {heads} {' and '.join(told)}?"
    return f"What are the {heads}{rest}?"


class _Teller:
    def __init__(self, words: Words, vocabulary: Vocabulary, raised: Raised) -> None:
        self.words = words
        self.schema = words.schema
        self.vocabulary = vocabulary
        self.spelling = raised.spelling
        self.recorded = raised.negation == "pca"
        self.depth = 0

    # -- sets

    def phrase(self, node: syntax.Expression) -> Phrase:
        """A set in words.

        Raises:
            UnsupportedOperation: it nests deeper than a reader can follow.
        """
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnsupportedOperation(f"a question of more than {MAX_DEPTH} nested parts", "English")
        said = self.said(node)
        self.depth -= 1
        return said

    def said(self, node: syntax.Expression) -> Phrase:
        match node:
            case syntax.Start():
                class_ = self.class_of(node)
                if class_ is None:
                    return Phrase(names=(self.name(node),))
                return Phrase(classes=[self.words.class_(class_)])
            case syntax.Join():
                return Phrase([self.near(node.relation)], clauses=[self.join(node)])
            case syntax.Cmp():
                return Phrase([self.near(node.relation)], clauses=[self.comparison(node)])
            case syntax.And(sets=sets):
                return self.conjunction(sets)
            case syntax.Or(sets=sets):
                arms = [self.phrase(s) for s in sets]
                if all(arm.names for arm in arms):
                    return Phrase(names=tuple(dict.fromkeys(name for arm in arms for name in arm.names)))
                heads = {arm.heads for arm in arms}
                return Phrase([heads.pop() if len(heads) == 1 else THING], clauses=[either(arms)])
            case syntax.Minus(left=left, right=right):
                return _with(self.phrase(left), excepted(self.phrase(right)))
            case syntax.Arg():
                of = self.phrase(node.of)
                return Phrase([of.heads], clauses=[self.superlative(node, of)])
            case syntax.TimeConstraint(of=of):
                return _with(self.phrase(of), self.time(node))
            case syntax.CountOf(of=of):
                counted = self.phrase(of)
                said = f"the number of {counted.several(False, '')}"
                return Phrase([("number",)], names=(said,))
        raise UnsupportedOperation(f"{type(node).__name__} inside a question", "English")

    def conjunction(self, sets: tuple[syntax.Expression, ...]) -> Phrase:
        whole = Phrase()
        for part in map(self.phrase, sets):
            whole.nouns.extend(part.nouns)
            whole.classes.extend(c for c in part.classes if c not in whole.classes)
            whole.clauses.extend(part.clauses)
            if part.names:
                whole.clauses.append(being(" or ".join(part.names)))
        return whole

    def name(self, start: syntax.Start) -> str:
        """An entity or a value by name."""
        if isinstance(start.value, syntax.Number):
            return start.value.text
        node = self.node(start)
        if isinstance(node, Literal) and node.language is not None and start.kind != "literal":
            return f"{self.words.label(node.lexical)} ({node.language})"
        return self.words.label(start.value.text) if node is None else self.words.node(node)

    def node(self, start: syntax.Start) -> Node | None:
        text = start.value.text
        if start.kind == "literal":
            return resolve_literal(text, self.vocabulary) or Literal(text)
        found = resolve_entity(text, self.vocabulary) or resolve_literal(text, self.vocabulary)
        return None if start.kind == "entity" and isinstance(found, Literal) and found.language is None else found

    def class_of(self, start: syntax.Start) -> str | None:
        """The class that a START names, or None for an entity, a label or a value."""
        if isinstance(start.value, syntax.Number) or start.kind in ("entity", "literal"):
            return None
        text = start.value.text
        if start.kind == "class" and text.startswith("<"):
            return text[1:-1]
        named = self.schema.classes_named(text)
        if len(named) == 1:
            return named[0]
        node = self.node(start)
        return node.value if isinstance(node, Iri) and (start.kind or self.schema.class_(node.value)) else None

    def near(self, relation: syntax.Relation) -> tuple[str, ...]:
        """The noun for what stands at the answers' end of a relation."""
        first = relation.steps[0] if isinstance(relation, syntax.RelationPath) else relation
        found, inverse, _ = self.relation(first)
        near = range_type(found) if inverse else domain_type(found)
        match near:
            case EntityType(unions=[union, *_]):
                return tuple(map(self.words.noun, union))
            case LiteralType():
                return ("date",) if kind_of_relation(found) is Kind.DATE else ("value",)
        return THING

    # -- clauses

    def join(self, join: syntax.Join) -> Clause:
        of = self.phrase(join.of)
        steps = join.relation.steps if isinstance(join.relation, syntax.RelationPath) else (join.relation,)
        relation, inverse, closure = self.relation(steps[0])
        nested = bool(of.clauses)
        if len(steps) > 1:
            return self.along(self.path(join.relation), of, join.negated)
        what = self.words.relation(relation.iri)
        if closure is not None:
            return self.closure(f"{_STEPS[closure]} {what}", of, inverse, join.negated)
        if inverse:
            return self.inverse_join(what, of, join.negated)
        if isinstance(join.of, syntax.Start) and kind_of_relation(relation) is Kind.DATE and not join.negated:
            literal = self.node(join.of)
            if isinstance(literal, Literal) and literal.datatype != XSD_STRING:
                return _having(what, f"within {literal.lexical}")
        many = is_plural(self.words.relation_name(relation.iri))
        include = "include" if many else "includes"
        if not join.negated:
            return Clause("whose", lambda _, last: f"{what} {include} {of.one(last)}", nested)
        known = f"{'are' if many else 'is'} known and " if self.recorded else ""
        if len(of.names) == 1:
            return fixed("whose", f"{what} {known}{'do' if many else 'does'} not include {of.names[0]}")
        if of.names:
            return fixed("whose", f"{what} {known}{include} none of {', '.join(of.names)}")
        return Clause("whose", lambda _, last: f"{what} {known}{include} {of.one(last, 'no')}", nested)

    def inverse_join(self, what: str, of: Phrase, negated: bool) -> Clause:
        if not negated:
            return _verbal("be", lambda last: f"among the {what} of {of.one(last)}", bool(of.clauses))
        lead = f"among the {what} of something but not of" if self.recorded else f"not among the {what} of"
        return _verbal("be", lambda last: f"{lead} {of.one(last, 'any')}", bool(of.clauses))

    def closure(self, steps: str, of: Phrase, inverse: bool, negated: bool) -> Clause:
        """``that leads through one or more ‘part of’ to …``."""
        if negated and self.recorded:
            verb = ("is reached", "are reached") if inverse else ("leads", "lead")
            end = "from something but not from" if inverse else "to something but not to"
        elif negated:
            verb = ("is not reached", "are not reached") if inverse else ("does not lead", "do not lead")
            end = "from" if inverse else "to"
        else:
            verb = ("is reached", "are reached") if inverse else ("leads", "lead")
            end = "from" if inverse else "to"
        determiner = "any" if negated else "a"
        return Clause(
            "that",
            lambda many, last: f"{verb[many]} through {steps} {end} {of.one(last, determiner)}",
            bool(of.clauses),
        )

    def along(self, path: str, of: Phrase, negated: bool) -> Clause:
        if not negated:
            return _verbal("have", lambda last: f"{article(path)} that is {of.one(last)}", bool(of.clauses))
        if self.recorded:
            return _verbal("have", lambda last: f"{article(path)} but none that is {of.one(last)}", bool(of.clauses))
        return _verbal("have", lambda last: f"no {path} that is {of.one(last)}", bool(of.clauses))

    def relation(self, relation: syntax.Relation) -> tuple[Relation, bool, int | None]:
        """A step: its relation, whether it is walked against its direction, and how often at least if repeatedly."""
        name = relation.name if isinstance(relation, syntax.Reach) else relation
        assert isinstance(name, syntax.Name)
        iri, inverse = self.spelling.read(name)
        minimum = relation.minimum if isinstance(relation, syntax.Reach) else None
        return self.schema.relation(iri) or Relation(iri), inverse, minimum

    def path(self, relation: syntax.Relation, several: bool = False) -> str:
        """``‘mass’``, ``‘mass’ of its ‘stages’``: the words for a chain of relations, the last one first. ``several``
        of what it leads to: things against the direction are many then."""
        steps = relation.steps if isinstance(relation, syntax.RelationPath) else (relation,)
        told: list[str] = []
        for step in steps:
            found, inverse, closure = self.relation(step)
            word = self.words.relation(found.iri)
            if closure is not None:
                word = f"{word} ({_STEPS[closure]} steps)"
            if inverse:
                plural = several and step is steps[-1]
                word = f"things that have it among their {word}" if plural else f"thing that has it among its {word}"
            told.append(word)
        text = told[0]
        for word in told[1:]:
            text = f"{word} of its {text}"
        return text

    def comparison(self, node: syntax.Cmp) -> Clause:
        path = self.path(node.relation)
        kind = self.kind(node.relation)
        if isinstance(node.value, syntax.Number):
            return _having(path, _NUMBERS[node.op].format(node.value.text))
        written = resolve_literal(node.value.text, self.vocabulary)
        literal = written or Literal(node.value.text)
        if kind is Kind.DATE:
            return _having(path, _DATES[node.op].format(literal.lexical))
        own = kind_of_datatype(literal.datatype)
        if own is Kind.NUMBER:
            unit = "the number " if kind is Kind.ANY else ""
            return _having(path, _NUMBERS[node.op].format(unit + literal.lexical))
        dated = own is Kind.DATE or (own is Kind.TEXT and date_literal(literal.lexical) is not None)
        return _having(path, (_DATES if dated or own is Kind.TEXT else _NUMBERS)[node.op].format(value(literal)))

    def superlative(self, node: syntax.Arg, of: Phrase) -> Clause:
        extreme = _EXTREMES[Kind.NUMBER if node.counted else self.kind(node.relation)][node.mode == "ARGMAX"]
        key = self.path(node.relation)
        if node.counted:
            key = f"number of distinct {self.path(node.relation, several=True)}"
        if node.k is None:
            return _verbal("have", lambda last: f"the {extreme} {key} among {of.several(last)}", bool(of.clauses))
        lead = f"among the {node.k} with the {extreme} {key} of"
        return _verbal("be", lambda last: f"{lead} {of.several(last)}", bool(of.clauses))

    def kind(self, relation: syntax.Relation) -> Kind:
        """Which values a relation leads to, as far as the schema tells."""
        last = relation.steps[-1] if isinstance(relation, syntax.RelationPath) else relation
        found, inverse, _ = self.relation(last)
        return Kind.ANY if inverse else kind_of_relation(found)

    def time(self, node: syntax.TimeConstraint) -> Clause:
        what = self.path(node.relation)
        bound = "not before" if node.until else "not after"
        when = node.value.text.partition("^^")[0]
        return _verbal("have", lambda _: f"either no {what} or one {bound} {when}")


def _with(phrase: Phrase, clause: Clause) -> Phrase:
    """A set with one clause more."""
    if phrase.names:
        return Phrase([THING], clauses=[being(" or ".join(phrase.names)), clause])
    phrase.clauses.append(clause)
    return phrase


def _having(what: str, rest: str) -> Clause:
    """``that has a ‘mass’ less than 5``."""
    said = f"{article(what)} {rest}"
    return Clause("that", lambda many, _last: f"{'have' if many else 'has'} {said}")


_VERBS = {"be": ("is", "are"), "have": ("has", "have")}


def _verbal(verb: str, rest: Callable[[bool], str], nested: bool = False) -> Clause:
    """``that is …``, ``that have …``, as many as there are."""
    return Clause("that", lambda many, last: f"{_VERBS[verb][many]} {rest(last)}", nested)
