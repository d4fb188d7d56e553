"""``assert_equivalent``: for tests that say of two questions that they mean the same."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pylf.equivalence.asking import Asking
from pylf.equivalence.decide import BOUND, SECONDS, equivalent
from pylf.equivalence.material import material
from pylf.equivalence.plain_schema import same_schema
from pylf.equivalence.shrink import shrunk
from pylf.equivalence.sound import Keeper
from pylf.equivalence.turtle import Names
from pylf.equivalence.verdict import Verdict
from pylf.errors import InputError
from pylf.graphs import KnowledgeGraph, bundled
from pylf.ir.graph import Graph
from pylf.ir.nodes import Query
from pylf.ir.terms import Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pylf.api import CompiledQuery
    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

    Question = CompiledQuery | Query | str
    Triples = tuple[TripleRow, ...]
    Given = Graph | KnowledgeGraph | str | os.PathLike[str] | Iterable[TripleRow]

#: From so many triples on, a graph is made smaller by halves before it is by triples.
_MANY = 40
_TAKEN = (
    "graphs= takes a list of graphs: each is a path (of an RDF file, or of a folder that 'pylf kg load' made), "
    "'bundled', what pylf.open_kg gives for one of these, a graph of pylf.ir.graph, or triples of terms of "
    "pylf.ir.terms"
)


def assert_equivalent(
    left: Question,
    right: Question,
    *,
    schema: Schema | None = None,
    vocabulary: Vocabulary | None = None,
    graphs: Iterable[Given] = (),
    proved: bool = False,
    sound: bool = False,
    bound: int = BOUND,
    seconds: float = SECONDS,
) -> Verdict:
    """Fails where two questions are found to differ, and shows the smallest graph on which they do, as Turtle, with
    what each answers there.

    Each is a program as text, a compiled query, or a query of the IR. Text is compiled under the schema and the
    vocabulary, by default those of the side that is compiled already, else those of :func:`pylf.compile`; for two
    queries of the IR the default is a schema that says nothing.

    Both are asked on the ``graphs`` first, if there are any: paths of RDF files or of folders that ``pylf kg load``
    made, ``"bundled"``, what :func:`pylf.open_kg` gives for one of these, graphs in memory, or plain triples. They are
    read whole and asked by the reference evaluator: graphs of thousands of triples, not of millions. Then a proof and
    a difference are looked for as :func:`pylf.equivalence.equivalent` does, on graphs of its own making (``bound``,
    ``seconds``, ``sound`` are its). The verdict is given back.

    That two questions mean the same is undecidable in general. Where neither a proof nor a difference is found they
    pass: nobody has seen them differ, on the graphs that the verdict tells. With ``proved`` they pass by a proof alone.

    Raises:
        AssertionError: they differ; or, with ``proved``, there is no proof.
        CompileError, InvalidIR: a side is no question.
        InputError: one of the ``graphs`` is none, cannot be read, or is an endpoint; or both sides are compiled, by
            schemas or vocabularies that say different things, and neither is given here.
    """
    __tracebackhide__ = True  # pytest then shows the line of the test, and not this function
    one, other, schema, vocabulary = _read(left, right, schema, vocabulary)
    names = Names.of(vocabulary)
    if one.form is other.form:
        asking = Asking(one, other, schema, vocabulary, Keeper(schema, vocabulary) if sound else None)
        for triples in map(_triples, _listed(graphs)):
            if asking.differ(triples):
                least = _halved(triples, asking.differ) if len(triples) > _MANY else triples
                least = shrunk(least, asking.differ, material((one, other), schema, vocabulary))
                raise AssertionError(_told(Verdict("different", _DIFFER, least, None, *asking.answers(least)), names))
    verdict = equivalent(one, other, schema, vocabulary, bound, seconds, sound)
    if verdict.status == "different":
        raise AssertionError(_told(verdict, names))
    if proved and verdict.status != "equivalent":
        raise AssertionError(f"not proved to be equivalent: {verdict.why}")
    return verdict


_TWO = (
    "the two questions were compiled by different {0}: compile both by one, or give the one by which both are to be "
    "read as {1}="
)
_DIFFER = "on this graph the answers differ"


def _read(
    left: Question, right: Question, schema: Schema | None, vocabulary: Vocabulary | None
) -> tuple[Query, Query, Schema, Vocabulary]:
    """Both as queries of the IR, and what they are read by.

    Raises:
        InputError: each is compiled by a schema or a vocabulary of its own, and none is given.
    """
    import pylf
    from pylf.graphs import empty_schema, vocabulary_for

    if not isinstance(left, Query | str) and not isinstance(right, Query | str):
        if schema is None and not same_schema(left.schema, right.schema):
            raise InputError(_TWO.format("schemas", "schema"))
        if vocabulary is None and left.vocabulary != right.vocabulary:
            raise InputError(_TWO.format("vocabularies", "vocabulary"))
    for side in (left, right):
        if not isinstance(side, Query | str):
            schema, vocabulary = schema or side.schema, vocabulary or side.vocabulary
    read: list[Query] = []
    for side in (left, right):
        if isinstance(side, str):
            compiled = pylf.compile(side, schema=schema, vocabulary=vocabulary)
            schema, vocabulary = compiled.schema, compiled.vocabulary
            read.append(compiled.ir)
        else:
            read.append(side if isinstance(side, Query) else side.ir)
    schema = schema or empty_schema()
    return read[0], read[1], schema, vocabulary_for(schema, vocabulary)


def _listed(graphs: Iterable[Given]) -> Iterable[Given]:
    """Several graphs, as they are given.

    Raises:
        InputError: what is given is one graph, and not a list.
    """
    if isinstance(graphs, str | os.PathLike | KnowledgeGraph | Graph):
        raise InputError(f"{_TAKEN}; one alone is a list too: graphs=[…]")
    return graphs


def _triples(given: Given) -> Triples:
    """The triples of a graph in any of the ways that one is given.

    Raises:
        InputError: it is none, cannot be read, or is an endpoint.
    """
    from pylf.backends.engines.http import HttpEngine

    if isinstance(given, str | os.PathLike):
        given = _opened(os.fspath(given))
    graph = given.engine if isinstance(given, KnowledgeGraph) else given
    if isinstance(graph, HttpEngine):
        raise InputError(f"{graph.name}: an endpoint is not read whole; {_TAKEN}")
    if not isinstance(graph, Graph) and not hasattr(graph, "__iter__"):
        raise InputError(f"{_TAKEN}; not {type(graph).__name__}")
    return tuple(map(_triple, graph.triples() if isinstance(graph, Graph) else graph))


def _opened(path: str) -> Graph:
    """The graph in a file or a folder, or the bundled one."""
    from pathlib import Path

    from pylf.backends.engines.oxigraph import OxigraphEngine

    if "://" in path:
        raise InputError(f"{path}: an endpoint is not read whole; {_TAKEN}")
    return bundled().engine if path == "bundled" and not Path(path).exists() else OxigraphEngine.open(path)


def _triple(row: object) -> TripleRow:
    match row:
        case (
            (Iri() | Blank() | Literal()) as subject,
            (Iri() | Blank() | Literal()) as predicate,
            (Iri() | Blank() | Literal()) as target,
        ):
            return subject, predicate, target
    raise InputError(f"{_TAKEN}; {row!r} is no such triple")


def _told(verdict: Verdict, names: Names) -> str:
    """What a failing test shows."""
    graph = names.turtle(verdict.graph) if verdict.graph else "(the graph without any triple)"
    answers = (f"{side}: {names.answers(found)}" for side, found in (("left ", verdict.left), ("right", verdict.right)))
    return "\n".join((f"not equivalent: {verdict.why}", "", graph, "", *answers))


def _halved(triples: Triples, differ: Callable[[Triples], bool]) -> Triples:
    """A part of a graph for which ``differ`` still holds: halves are left out, then quarters, and so on."""
    size = len(triples) // 2
    while size > 0:
        place = 0
        while place < len(triples):
            rest = triples[:place] + triples[place + size :]
            if rest and differ(rest):
                triples = rest
            else:
                place += size
        size //= 2
    return triples
