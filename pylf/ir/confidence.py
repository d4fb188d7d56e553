"""Confidences as triples: what a graph holds where a triple has a confidence, by the encoding of its vocabulary.

Three encodings are triples alone (reification, n-ary statements, singleton properties). They are asked for, and
written, by one function each: :func:`statements` for a :class:`~pylf.ir.nodes.Confidence` in a query,
:func:`written` for a triple of a graph. Triple terms and named graphs are no triples: whoever reads triples alone
refuses them by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import UnsupportedOperation
from pylf.ir.nodes import Body, Confidence, Member, Not, Triple
from pylf.ir.schema.vocabulary import (
    NamedGraphs,
    NaryStatements,
    SingletonProperties,
    StatementPattern,
    TripleTerms,
    bookkeeping,
    encoding_name,
)
from pylf.ir.terms import Iri, Var
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Conjunct
    from pylf.ir.schema.vocabulary import Encoding, Vocabulary
    from pylf.ir.terms import Node, Term

#: what the evaluator is called where it refuses
EVALUATOR = "the reference evaluator, which knows triples alone"


def statements(
    atom: Confidence, vocabulary: Vocabulary, fresh: Callable[[str], Var], where: str = EVALUATOR
) -> tuple[Triple, ...]:
    """The triples that a confidence stands for; ``fresh`` makes a variable from a word, another one for each word.

    Raises:
        UnsupportedOperation: the encoding is no triples, or cannot tell of this relation; names it, and ``where``.
    """
    subject, predicate, object_, value, span = atom.subject, atom.predicate, atom.object, atom.value, atom.span
    encoding = vocabulary.statements
    match encoding:
        case StatementPattern():
            node = fresh("statement")
            return (
                Triple(node, Iri(encoding.subject), subject, span),
                Triple(node, Iri(encoding.predicate), predicate, span),
                Triple(node, Iri(encoding.object), object_, span),
                Triple(node, Iri(encoding.confidence), value, span),
            )
        case SingletonProperties(single, confidence):
            node = fresh("statement")
            return (
                Triple(subject, node, object_, span),
                Triple(node, Iri(single), predicate, span),
                Triple(node, Iri(confidence), value, span),
            )
        case NaryStatements():
            node = fresh("statement")
            linked: tuple[Triple, ...] = ()
            to: Term
            of: Term
            if isinstance(predicate, Iri):
                to, of = both_relations(predicate, encoding, where)
            else:
                to, of, property_ = fresh("to"), fresh("of"), fresh("property")
                if not encoding.links:
                    asked = (
                        "the confidence of triples whose relation is asked for, with 'n-ary' statements without links,"
                    )
                    raise UnsupportedOperation(asked, where)
                ends = zip(encoding.links, (predicate, to, of), strict=True)
                linked = tuple([Triple(property_, Iri(link), end, span) for link, end in ends])
            return (
                *linked,
                Triple(subject, to, node, span),
                Triple(node, of, object_, span),
                Triple(node, Iri(encoding.confidence), value, span),
            )
        case TripleTerms() | NamedGraphs():
            raise UnsupportedOperation(f"a confidence in the encoding '{encoding_name(encoding)}'", where)


def in_triples(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary; where its encoding is more than triples, with reification in its place: for those who make graphs
    of their own, to whom it is all one where confidences are."""
    if isinstance(vocabulary.statements, TripleTerms | NamedGraphs):
        return replace(vocabulary, statements=StatementPattern())
    return vocabulary


def written(triple: TripleRow, confidence: Node, node: Iri, encoding: Encoding) -> tuple[TripleRow, ...]:
    """What a graph holds besides a triple of this confidence; ``node`` is a name of its own for the statement. What an
    n-ary encoding links is :func:`links_of`'s.

    Raises:
        UnsupportedOperation: the encoding is no triples, or has no names for the relation.
    """
    subject, predicate, object_ = triple
    match encoding:
        case StatementPattern():
            return (
                (node, Iri(encoding.subject), subject),
                (node, Iri(encoding.predicate), predicate),
                (node, Iri(encoding.object), object_),
                (node, Iri(encoding.confidence), confidence),
            )
        case SingletonProperties(property_, of):
            return (subject, node, object_), (node, Iri(property_), predicate), (node, Iri(of), confidence)
        case NaryStatements():
            assert isinstance(predicate, Iri)
            to, value = both_relations(predicate, encoding, "triples")
            return (subject, to, node), (node, value, object_), (node, Iri(encoding.confidence), confidence)
        case TripleTerms() | NamedGraphs():
            raise UnsupportedOperation(f"a confidence in the encoding '{encoding_name(encoding)}'", "triples")


def links_of(relation: Iri, encoding: Encoding) -> tuple[TripleRow, ...]:
    """The triples that say which relations stand for a relation, where the encoding links them: on the relation
    itself."""
    if not isinstance(encoding, NaryStatements) or not encoding.links:
        return ()
    names = (relation, *both_relations(relation, encoding, "triples"))
    return tuple([(relation, Iri(link), name) for link, name in zip(encoding.links, names, strict=True)])


def both_relations(relation: Iri, encoding: NaryStatements, where: str = EVALUATOR) -> tuple[Iri, Iri]:
    """The relation that leads to the statement of a relation, and the one that leads on.

    Raises:
        UnsupportedOperation: the IRI is not one of those that the encoding has names for.
    """
    before, _, after = encoding.relation.partition("{}")
    name = relation.value
    if not (name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after)):
        asked = f"the confidence of <{name}>, which is no relation {encoding.relation} of the 'n-ary' statements,"
        raise UnsupportedOperation(asked, where)
    local = name[len(before) : len(name) - len(after)]
    return Iri(encoding.statement.replace("{}", local)), Iri(encoding.value.replace("{}", local))


def no_bookkeeping(predicate: Var, vocabulary: Vocabulary, fresh: Callable[[str], Var]) -> tuple[Conjunct, ...]:
    """That a relation says something of its subject, not only its label or where a confidence is: one negation for each
    way of saying that."""
    encoding = vocabulary.statements
    silent = dict.fromkeys((*bookkeeping(encoding), *vocabulary.label_predicates))
    none: list[Conjunct] = [Not(Body((Member(predicate, tuple(map(Iri, silent))),)))]
    match encoding:
        case NaryStatements(links=(_, to, of)):
            none += [Not(Body((Triple(fresh("property"), Iri(link), predicate),))) for link in (to, of)]
        case SingletonProperties(property_):
            none.append(Not(Body((Triple(predicate, Iri(property_), fresh("property")),))))
    return tuple(none)
