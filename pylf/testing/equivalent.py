"""``assert_equivalent``: for tests that say of two questions that they mean the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.equivalence.asking import Asking
from pylf.equivalence.decide import BOUND, SECONDS, equivalent
from pylf.equivalence.material import material
from pylf.equivalence.shrink import shrunk
from pylf.equivalence.sound import Keeper
from pylf.equivalence.turtle import Names
from pylf.equivalence.verdict import Verdict
from pylf.ir.graph import Graph
from pylf.ir.nodes import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pylf.api import CompiledQuery
    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

    Question = CompiledQuery | Query | str
    Triples = tuple[TripleRow, ...]

#: From so many triples on, a graph is made smaller by halves before it is by triples.
_MANY = 40


def assert_equivalent(
    left: Question,
    right: Question,
    *,
    schema: Schema | None = None,
    vocabulary: Vocabulary | None = None,
    graphs: Iterable[Graph | Iterable[TripleRow]] = (),
    proved: bool = False,
    sound: bool = False,
    bound: int = BOUND,
    seconds: float = SECONDS,
) -> Verdict:
    """Fails where two questions are found to differ, and shows the smallest graph on which they do, as Turtle, with
    what each answers there.

    Each is a program as text, a compiled query, or a query of the IR. Text is compiled under the schema and the
    vocabulary, by default those of the side that is compiled already, else those of :func:`pylf.compile`; for two
    queries of the IR the default is a schema that says nothing. Both are asked on the ``graphs`` first, if there are
    any; then a proof and a difference are looked for as :func:`pylf.equivalence.equivalent` does, on graphs of its own
    making (``bound``, ``seconds``, ``sound`` are its). The verdict is given back.

    That two questions mean the same is undecidable in general. Where neither a proof nor a difference is found they
    pass: nobody has seen them differ, on the graphs that the verdict tells. With ``proved`` they pass by a proof alone.

    Raises:
        AssertionError: they differ; or, with ``proved``, there is no proof.
        CompileError, InvalidIR: a side is no question.
    """
    one, other, schema, vocabulary = _read(left, right, schema, vocabulary)
    names = Names.of(vocabulary)
    if one.form is other.form:
        asking = Asking(one, other, schema, vocabulary, Keeper(schema, vocabulary) if sound else None)
        for graph in graphs:
            triples = tuple(graph.triples() if isinstance(graph, Graph) else graph)
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


_DIFFER = "on this graph the answers differ"


def _read(
    left: Question, right: Question, schema: Schema | None, vocabulary: Vocabulary | None
) -> tuple[Query, Query, Schema, Vocabulary]:
    """Both as queries of the IR, and what they are read by."""
    import pylf
    from pylf.graphs import empty_schema, vocabulary_for

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
