"""English: any question as one readable sentence that can be read in one way only.

Deterministic, without a model. What belongs together stands between brackets when it has parts of its own, so no
reader has to guess what a negation or a superlative ranges over::

    Which rocket is not among the ‘rockets manufactured’ of ‘Boeing Company’ and has a ‘mass’ less than 2.32e+5?

Negation is worded by where it stands: "has among its ‘manufacturer’ none that is X" (the outer hop), "has (an
organization that has among its … none that is X) among its ‘manufacturer’" (an inner one), "has a ‘mass’ other than
2.32e+5" (``!=``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import UnsupportedOperation
from pylf.ir.dates import DATE_DATATYPES, date_literal
from pylf.ir.nodes import Form, Kind
from pylf.ir.schema.model import Relation
from pylf.ir.schema.names import resolve_entity, resolve_literal
from pylf.ir.schema.typing import domain_type, range_type
from pylf.ir.terms import XSD_STRING, Iri, Literal
from pylf.ir.types import EntityType
from pylf.language import syntax
from pylf.language.constants import kind_of_relation
from pylf.language.raise_ import raise_expression
from pylf.render.words import Words, article, plural, value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node
    from pylf.language.raise_ import Raised

_COMPARISONS = {
    "<": "less than {}",
    "<=": "at most {}",
    ">": "more than {}",
    ">=": "at least {}",
    "=": "equal to {}",
    "!=": "other than {}",
}
_DATE_COMPARISONS = {
    "<": "before {}",
    "<=": "not after {}",
    ">": "after {}",
    ">=": "not before {}",
    "=": "within {}",
    "!=": "not within {}",
}


def sentence(query: Query, schema: Schema, vocabulary: Vocabulary, labels: Mapping[Node, str] | None = None) -> str:
    """The question in English. ``labels`` names entities that the query mentions by IRI.

    A question that has no PyLF form is worded conjunct by conjunct.
    """
    try:
        raised = raise_expression(query, schema, vocabulary)
    except UnsupportedOperation:
        from pylf.render.conjuncts import list_conjuncts

        return list_conjuncts(query, Words(schema, labels))
    teller = _Teller(schema, vocabulary, Words(schema, labels), raised)
    match raised.expression:
        case syntax.CountOf(of=of) if query.form is Form.NUMBER:
            noun, clauses = teller.parts(of)
            return f"How many {plural(noun)} are there{_that(clauses, 'such that each one')}?"
        case syntax.Ask(of=of):
            noun, clauses = teller.parts(of)
            return f"Is there {article(noun)}{_that(clauses)}?"
        case expression:
            noun, clauses = teller.parts(expression)
            if not clauses:
                return f"Which {plural(noun)} are there?"
            return f"Which {noun}{_that(clauses, '')}?"


def _that(clauses: list[str], word: str = "that") -> str:
    lead = f" {word}" if word else ""
    return f"{lead} " + " and ".join(clauses) if clauses else ""


_EXTREMES = {
    Kind.NUMBER: ("smallest", "largest"),
    Kind.DATE: ("earliest", "latest"),
    Kind.TEXT: ("first", "last"),
    Kind.ANY: ("smallest or earliest", "largest or latest"),
}
_REACHES = {None: "", 1: " (directly or through others)", 0: " (itself, directly or through others)"}


class _Teller:
    def __init__(self, schema: Schema, vocabulary: Vocabulary, words: Words, raised: Raised) -> None:
        self.schema = schema
        self.words = words
        self.recorded = raised.negation == "pca"
        self.spelling = raised.spelling
        self.vocabulary = vocabulary

    # -- nouns

    def parts(self, node: syntax.Expression) -> tuple[str, list[str]]:
        """A set as a noun in the singular and the clauses that each member fulfils."""
        match node:
            case syntax.Start():
                if (class_ := self.class_of(node)) is not None:
                    return self.words.class_(class_), []
                return "thing", [f"is {self.name(node)}"]
            case syntax.Join():
                return self.near_noun(node.relation), [self.join(node)]
            case syntax.Cmp():
                return self.near_noun(node.relation), [self.comparison(node)]
            case syntax.And(sets=sets):
                return self.conjunction(sets)
            case syntax.Or(sets=sets):
                nouns = {self.parts(s)[0] for s in sets}
                noun = nouns.pop() if len(nouns) == 1 else "thing"
                return noun, ["is either " + " or ".join(self.one(s) for s in sets)]
            case syntax.Minus(left=left, right=right):
                noun, clauses = self.parts(left)
                return noun, [*clauses, f"is not {self.one(right)}"]
            case syntax.Arg():
                noun, _ = self.parts(node.of)
                return noun, [self.superlative(node)]
            case syntax.TimeConstraint(of=of):
                noun, clauses = self.parts(of)
                return noun, [*clauses, self.time(node)]
            case syntax.CountOf():
                return "number", [f"is {self.one(node)}"]
            case _:
                raise UnsupportedOperation(f"{type(node).__name__} inside a question", "English")

    def conjunction(self, sets: tuple[syntax.Expression, ...]) -> tuple[str, list[str]]:
        told = [self.parts(s) for s in sets]
        named = [i for i, s in enumerate(sets) if isinstance(s, syntax.Start) and self.class_of(s) is not None]
        first = named[0] if named else 0
        noun = told[first][0]
        clauses = []
        for i, (other, mine) in enumerate(told):
            if i in named and i != first:
                clauses.append(f"is {article(other)}")
            clauses.extend(mine)
        return noun, clauses

    def one(self, node: syntax.Expression) -> str:
        """A set where one of its members is meant: a name, or ``a rocket that …`` in brackets."""
        match node:
            case syntax.Start() if self.class_of(node) is None:
                return self.name(node)
            case syntax.CountOf(of=of):
                noun, clauses = self.parts(of)
                return f"the number of ({plural(noun)}{_that(clauses, 'such that each one')})"
            case syntax.Arg():
                return f"({self.superlative(node, noun=True)})"
            case syntax.Or(sets=sets):
                return "(" + " or ".join(self.one(s) for s in sets) + ")"
        noun, clauses = self.parts(node)
        return f"({article(noun)}{_that(clauses)})" if clauses else article(noun)

    def all_of(self, node: syntax.Expression) -> str:
        """A set where all of its members are meant: ``all rockets``, ``all (rockets such that …)``."""
        noun, clauses = self.parts(node)
        return f"all ({plural(noun)} such that each one{_that(clauses, '')})" if clauses else f"all {plural(noun)}"

    def name(self, start: syntax.Start) -> str:
        """An entity or a value by name."""
        if isinstance(start.value, syntax.Number):
            return start.value.text
        text = start.value.text
        node = self.node(start)
        return self.words.node(node) if node is not None else f"‘{text}’"

    def node(self, start: syntax.Start) -> Node | None:
        text = start.value.text
        if start.kind == "literal":
            return resolve_literal(text, self.vocabulary) or Literal(text)
        return resolve_entity(text, self.vocabulary) or resolve_literal(text, self.vocabulary)

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
        return node.value if isinstance(node, Iri) and self.schema.class_(node.value) is not None else None

    def near_noun(self, relation: syntax.Relation) -> str:
        """The noun for what stands at the answers' end of a relation."""
        first = relation.steps[0] if isinstance(relation, syntax.RelationPath) else relation
        name = first.name if isinstance(first, syntax.Reach) else first
        iri, inverse = self.spelling.read(name)
        found = self.schema.relation(iri) or Relation(iri)
        near = range_type(found) if inverse else domain_type(found)
        if isinstance(near, EntityType) and near.unions:
            return " or ".join(self.words.class_(c) for c in near.unions[0])
        return "thing"

    # -- clauses

    def join(self, join: syntax.Join) -> str:
        of = self.one(join.of)
        reading = ", though some are recorded" if self.recorded else ""
        if isinstance(join.relation, syntax.RelationPath):
            some = f"none that is {of}{reading}" if join.negated else of
            return f"has among the values of ({self.path(join.relation)}) {some}"
        iri, inverse, closure = self.relation(join.relation)
        what = f"‘{self.words.relation(iri)}’" + _REACHES[closure]
        if not join.negated:
            return f"is among the {what} of {of}" if inverse else f"has {of} among its {what}"
        if inverse:
            return f"is not among the {what} of {of}{reading}"
        return f"has among its {what} none that is {of}{reading}"

    def relation(self, relation: syntax.Relation) -> tuple[str, bool, int | None]:
        if isinstance(relation, syntax.Reach):
            iri, inverse = self.spelling.read(relation.name)
            return iri, inverse, relation.minimum
        assert isinstance(relation, syntax.Name)
        iri, inverse = self.spelling.read(relation)
        return iri, inverse, None

    def path(self, relation: syntax.Relation) -> str:
        """``‘mass’``, ``‘mass’ of a ‘stage’``: the words for a chain of relations, the last one first."""
        steps = relation.steps if isinstance(relation, syntax.RelationPath) else (relation,)
        told = []
        for step in steps:
            iri, inverse, closure = self.relation(step)
            word = f"‘{self.words.relation(iri)}’" + (" (directly or through others)" if closure is not None else "")
            told.append(f"thing it is a {word} of" if inverse else word)
        return " of a ".join(reversed(told))

    def comparison(self, node: syntax.Cmp) -> str:
        table = _COMPARISONS
        if isinstance(node.value, syntax.Number):
            of = node.value.text
        else:
            literal = resolve_literal(node.value.text, self.vocabulary) or Literal(node.value.text)
            if literal.datatype in (XSD_STRING, *DATE_DATATYPES) and date_literal(literal.lexical) is not None:
                table, of = _DATE_COMPARISONS, literal.lexical
            else:
                of = value(literal)
        return f"has a {self.path(node.relation)} {table[node.op].format(of)}"

    def superlative(self, node: syntax.Arg, noun: bool = False) -> str:
        kind = Kind.NUMBER if node.counted else self.kind(node.relation)
        extreme = _EXTREMES[kind][node.mode == "ARGMAX"]
        key = f"number of distinct values of {self.path(node.relation)}" if node.counted else self.path(node.relation)
        among = f"among {self.all_of(node.of)}"
        lead = f"{self.parts(node.of)[0]} that " if noun else ""
        if node.k is None:
            return f"{lead}has the {extreme} {key} {among}"
        return f"{lead}is one of the {node.k} with the {extreme} {key} {among}"

    def kind(self, relation: syntax.Relation) -> Kind:
        """Which values a relation leads to, as far as the schema tells."""
        iri, inverse, _ = self.relation(relation.steps[-1] if isinstance(relation, syntax.RelationPath) else relation)
        return Kind.ANY if inverse else kind_of_relation(self.schema.relation(iri) or Relation(iri))

    def time(self, node: syntax.TimeConstraint) -> str:
        iri, _, _ = self.relation(node.relation)
        what = self.words.relation(iri)
        when = node.value.text.partition("^^")[0]
        bound = "not before" if node.until else "not after"
        return f"has no ‘{what}’ or one that is {bound} {when}"
