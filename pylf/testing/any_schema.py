"""Random graphs and programs over any schema, a user's own too: what :mod:`pylf.testing.drawn` has for its own.

A schema may have thousands of relations, and a small graph shows a few: :func:`part_of` draws some that hang together
by their classes. Entities are made up (``ex:e1``, ``ex:e2``, …), relations and classes are the schema's, values are of
the datatypes that it states, odd ones among them. A program is drawn along a graph, by the names that drawn graphs
have, and then put into the words of its schema and vocabulary.
"""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING

from pylf.equivalence.material import EXAMPLE
from pylf.errors import CompileError
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import domain_and_range
from pylf.ir.schema.model import Class, Relation
from pylf.ir.schema.names import class_name, relation_name, shorten
from pylf.ir.terms import Iri, Literal
from pylf.language import syntax
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.names import INVERSE
from pylf.testing.drawn.graphs import LABEL, TYPE, VALUES, random_triples
from pylf.testing.drawn.programs import Neighbourhood, random_program
from pylf.testing.drawn.schemas import NS, Rows
from pylf.testing.leaves import leaves, mapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node
    from pylf.testing.leaves import Leaf

    Triples = tuple[TripleRow, ...]

#: A schema with at most so many relations is taken whole; of others so many are drawn.
MOST_RELATIONS = 10
#: So many triples of a graph are looked at.
MOST_TRIPLES = 2_000
#: So many programs are drawn until one compiles.
TRIES = 25
#: Stands where a schema has no classes; nothing is ever said to be one.
_NO_CLASS = Class(NS + "Anything")
_DATATYPES = frozenset(value.datatype for value in VALUES)


def part_of(schema: Schema, random: Random, relations: Sequence[Relation] | None = None) -> Rows:
    """Some relations of a schema, with the classes that they lead to and some that lie above and below those.
    ``relations`` are all that it has, where they are at hand."""
    known = list(schema.source.all_relations()) if relations is None else relations
    if len(known) <= MOST_RELATIONS:
        return Rows(tuple(known), tuple(schema.source.all_classes()))
    chosen: dict[str, Relation] = {}
    classes: dict[str, None] = {}
    for _ in range(MOST_RELATIONS):
        near = schema.source.relations_of(random.choice(list(classes))) if classes else ()
        found = schema.relation(random.choice(near)) if near and random.random() < 0.8 else random.choice(known)
        assert found is not None
        chosen[found.iri] = found
        other = schema.relation(found.inverse) if found.inverse is not None else None
        if other is not None:
            chosen[other.iri] = other
        for iri in sorted(domain_and_range(found)):
            classes |= dict.fromkeys((iri, random.choice(schema.subclasses(iri)), *sorted(schema.superclasses(iri))))
    return Rows(tuple(chosen.values()), tuple([row for row in map(schema.class_, classes) if row is not None]))


def triples_over(part: Rows, vocabulary: Vocabulary, random: Random) -> Triples:
    """A graph of at most nine entities over some relations and classes; it mostly, not always, keeps to what they
    say. Types and labels are said as the vocabulary says them."""
    whole = part if any(map(_is_plain, part.classes)) else part._replace(classes=(*part.classes, _NO_CLASS))
    drawn = random_triples(random, whole, whole.schema())
    says = {TYPE: vocabulary.type_predicates, LABEL: vocabulary.label_predicates}
    datatypes = {relation.iri: relation.datatypes for relation in part.relations}
    found: dict[TripleRow, None] = {}
    for subject, predicate, target in drawn:
        assert isinstance(predicate, Iri)
        names = says.get(predicate, (predicate.value,))
        if names and target != Iri(_NO_CLASS.iri):
            object_ = _made_up(target) if predicate != TYPE else target
            object_ = _of_datatype(object_, datatypes.get(predicate.value, ()), random)
            found[_made_up(subject), Iri(names[0]), object_] = None
    if vocabulary.subclass_paths:
        below = Iri(vocabulary.subclass_predicate)
        found |= {(Iri(c.iri), below, Iri(parent)): None for c in part.classes for parent in c.parents}
    return tuple(found)


def program_over(
    schema: Schema, triples: Iterable[TripleRow], vocabulary: Vocabulary, random: Random
) -> syntax.Program | None:
    """A program that compiles under a schema, with the graph at hand and without, and that has an answer on the graph
    in most cases; None where none was drawn."""
    whole = tuple(islice(triples, MOST_TRIPLES))
    if not whole:
        whole = triples_over(part_of(schema, random), vocabulary, random)
    view = _View(schema, vocabulary, whole, random)
    if not view.around.connected:
        return None
    graph = MemoryGraph(whole)
    found = None
    for _ in range(TRIES):
        program = view.in_words(random_program(random, view.around))
        if compiles(program, schema, vocabulary) and compiles(program, schema, vocabulary, graph):
            # the simplest ones are refused least, and would be a third of all
            if _uses_relations(program) or random.random() < 0.3:
                return program
            found = program
    return found


def compiles(program: syntax.Program, schema: Schema, vocabulary: Vocabulary, graph: MemoryGraph | None = None) -> bool:
    """Whether the compiler takes a program."""
    try:
        lower(program, Context(schema, vocabulary, graph))
    except CompileError:
        return False
    return True


class _View:
    """A graph by the names that drawn graphs have, and the way back to its own."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary, triples: Triples, random: Random) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        #: by the name in a drawn program
        self.entities: dict[str, Iri] = {}
        names: dict[Node, Node] = {}
        numbers = count()

        def drawn(node: Node) -> Node:
            if isinstance(node, Iri) and node not in names:
                name = f"e{next(numbers)}"
                names[node] = Iri(NS + name)
                self.entities[f":{name}"] = node
            return names.get(node, node)

        seen: list[TripleRow] = []
        for subject, predicate, target in triples:
            iri = predicate.value if isinstance(predicate, Iri) else ""
            if iri in vocabulary.type_predicates:
                seen.append((drawn(subject), TYPE, target))
            elif iri in vocabulary.label_predicates:
                seen.append((drawn(subject), LABEL, target))
            else:
                seen.append((drawn(subject), predicate, drawn(target)))
        part = _shown(schema, seen, random)
        self.around = Neighbourhood(part.schema(), tuple(seen))
        # neither has to be in the graph: a program that names them does not compile, or finds nothing
        self.around.all_classes = self.around.all_classes or [_NO_CLASS.iri]
        self.around.relations = self.around.relations or [Relation(LABEL.value)]

    def in_words(self, program: syntax.Program) -> syntax.Program:
        """A drawn program in the words of the schema and the vocabulary."""
        return mapped(program, self._word)

    def _word(self, leaf: Leaf) -> Leaf:
        match leaf:
            case syntax.Name(text):
                turned = text.startswith(INVERSE)
                iri = _iri(text.removeprefix(INVERSE))
                if iri is None:
                    return leaf
                return syntax.Name((INVERSE if turned else "") + relation_name(iri, self.schema, self.vocabulary))
            case syntax.Start(syntax.Text(text), kind, implicit):
                entity = self.entities.get(text)
                if entity is not None:
                    return syntax.Start(syntax.Text(shorten(entity.value, self.vocabulary)), kind, implicit)
                iri = _iri(text)
                if iri is not None:
                    return syntax.Start(syntax.Text(class_name(iri, self.schema, self.vocabulary)), kind, implicit)
        return leaf


def _shown(schema: Schema, triples: Sequence[TripleRow], random: Random) -> Rows:
    """The relations and classes that a graph shows, and a few besides."""
    rows: dict[str, Relation] = {}
    for predicate in dict.fromkeys(predicate for _, predicate, _ in triples):
        if isinstance(predicate, Iri) and predicate not in (TYPE, LABEL):
            known = schema.relation(predicate.value)
            if known is not None or not schema.has_relations:
                rows[predicate.value] = known or Relation(predicate.value)
    further = part_of(schema, random)
    for relation in further.relations[:3]:
        rows.setdefault(relation.iri, relation)
    named = {target.value for _, predicate, target in triples if predicate == TYPE and isinstance(target, Iri)}
    named.update(*map(domain_and_range, rows.values()), [c.iri for c in further.classes[:3]])
    classes = {above: schema.class_(above) for iri in sorted(named) for above in sorted(schema.superclasses(iri))}
    return Rows(tuple(rows.values()), tuple([row for row in classes.values() if row is not None]))


def _uses_relations(program: syntax.Program) -> bool:
    return any(isinstance(leaf, syntax.Name) for leaf in leaves(program))


def _is_plain(class_: Class) -> bool:
    return class_.subjects_of is None and class_.objects_of is None


def _made_up(node: Node) -> Node:
    """An entity of a drawn graph by the name that comparisons of queries give to entities without one."""
    if isinstance(node, Iri) and node.value.startswith(NS + "e"):
        return Iri(f"{EXAMPLE}e{int(node.value.removeprefix(NS + 'e')) + 1}")
    return node


def _of_datatype(node: Node, datatypes: tuple[str, ...], random: Random) -> Node:
    """A value of a datatype of which none is drawn, mostly; any other node as it is."""
    if not isinstance(node, Literal) or not datatypes or not _DATATYPES.isdisjoint(datatypes) or random.random() > 0.9:
        return node
    return Literal(node.lexical, random.choice(datatypes))


def _iri(text: str) -> str | None:
    """The IRI that a drawn program writes in full or by the prefix of drawn names."""
    if text.startswith("<") and text.endswith(">"):
        return text[1:-1]
    return NS + text[1:] if text.startswith(":") else None
