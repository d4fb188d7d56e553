"""Uncertain graphs from tables: head, relation, tail and confidence, a line each, as UKGE's data sets have them.

:func:`convert` writes such a table as an RDF file with the confidences in an encoding of a vocabulary
(:data:`pylf.ir.schema.vocabulary.ENCODINGS`), to be loaded like any other; :func:`triples` gives the triples alone. A
confidence becomes a short ``xsd:decimal``: engines compare and multiply those exactly, and print them alike.

A line that says again what an earlier one says is dropped. Lines that give one triple several confidences are all
kept: which of them counts is for whoever asks.
"""

from __future__ import annotations

import gzip
from decimal import Decimal, InvalidOperation
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from pylf.errors import CompileError, InputError, reason
from pylf.ir.confidence import links_of, written
from pylf.ir.schema.names import check_iri
from pylf.ir.schema.vocabulary import NamedGraphs, TripleTerms
from pylf.ir.terms import RDFS, XSD_DECIMAL, Blank, Iri, Literal
from pylf.ir.text import print_term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.vocabulary import Encoding
    from pylf.ir.terms import Node

#: where names of a table become IRIs, unless another namespace is given
NAMESPACE = "urn:ukg:"
#: digits of a confidence after the point
_DIGITS = 6
#: characters of a line: far more than any name has
_LONGEST_LINE = 100_000
_LABEL = Iri(RDFS + "label")
#: what stands in an IRI besides letters, digits and ``_.-~``
_SAFE = "/:@!$&'()*+,;="


class Quadruple(NamedTuple):
    """A triple of names, and how sure it is: from 0 to 1."""

    head: str
    relation: str
    tail: str
    confidence: Decimal


def read_table(path: str | PathLike[str]) -> Iterator[Quadruple]:
    """The lines of a table: four columns set apart by tabs, in UTF-8, optionally with ``.gz``.

    Raises:
        InputError: the file cannot be read; a line (it says which) is too long, has not four columns, or a confidence
            that is none.
    """
    name = str(path)
    try:
        with (gzip.open if name.endswith(".gz") else open)(Path(path), "rb") as raw:
            stream = TextIOWrapper(raw, encoding="utf-8", newline="\n")
            number = 0
            while line := stream.readline(_LONGEST_LINE):
                number += 1
                if not line.endswith("\n") and len(line) == _LONGEST_LINE:
                    raise InputError(f"{name}:{number}: a line has less than {_LONGEST_LINE:,} characters")
                if line.strip():
                    yield _quadruple(line.rstrip("\r\n"), f"{name}:{number}")
    except UnicodeDecodeError as problem:
        raise InputError(f"{name}: not UTF-8 text") from problem
    except (OSError, EOFError) as problem:
        told = reason(problem) if isinstance(problem, OSError) else "it ends too early"
        raise InputError(f"cannot read {name}: {told}") from problem


def _quadruple(line: str, place: str) -> Quadruple:
    columns = line.split("\t")
    if len(columns) != 4 or not all(column.strip() for column in columns):
        raise InputError(f"{place}: head, relation, tail and confidence are wanted, set apart by tabs")
    head, relation, tail, written_as = columns
    try:
        confidence = Decimal(written_as.strip())
    except InvalidOperation:
        confidence = Decimal(-1)
    if confidence.is_nan() or not 0 <= confidence <= 1:
        raise InputError(f"{place}: a confidence is a number from 0 to 1, not {written_as.strip()[:40]!r}")
    return Quadruple(head, relation, tail, confidence)


def iri_of(name: str, namespace: str = NAMESPACE) -> Iri:
    """The IRI of a name: the namespace, and the name with what no IRI may hold percent-encoded."""
    return Iri(namespace + quote(name, safe=_SAFE))


def confidence_of(confidence: Decimal) -> Literal:
    """A confidence as a decimal of at most six digits after the point, and at least one."""
    digits = f"{confidence:.{_DIGITS}f}".rstrip("0")
    return Literal(digits + "0" if digits.endswith(".") else digits, XSD_DECIMAL)


def triples(
    rows: Iterable[Quadruple],
    encoding: Encoding,
    namespace: str = NAMESPACE,
    stated: bool = True,
    labels: bool = True,
) -> Iterator[TripleRow]:
    """The triples of an uncertain graph: those of the table, unless ``stated`` is off, and where each confidence is;
    the names as labels, unless ``labels`` is off.

    Raises:
        UnsupportedOperation: the encoding is more than triples, or has no names for a relation.
        InputError: the namespace is none.
    """
    for statement in _statements(rows, namespace, labels):
        match statement:
            case (triple, confidence, node, new):
                if stated and new:
                    yield triple
                yield from written(triple, confidence, node, encoding)
            case Iri():
                yield from links_of(statement, encoding)
            case (entity, label):
                yield entity, _LABEL, label


def lines(
    rows: Iterable[Quadruple],
    encoding: Encoding,
    namespace: str = NAMESPACE,
    stated: bool = True,
    labels: bool = True,
) -> Iterator[str]:
    """The same in N-Quads, line by line, in any encoding: triple terms as RDF 1.2 has them, and a named graph for each
    confidence.

    Raises:
        UnsupportedOperation: the encoding has no names for a relation.
        InputError: the namespace is none.
    """
    if not isinstance(encoding, TripleTerms | NamedGraphs):
        for s, p, o in triples(rows, encoding, namespace, stated, labels):
            yield f"{_n(s)} {_n(p)} {_n(o)} .\n"
        return
    graphs: dict[str, None] = {}
    for statement in _statements(rows, namespace, labels):
        match statement:
            case ((s, p, o), confidence, node, new):
                said = f"{_n(s)} {_n(p)} {_n(o)}"
                if stated and new:
                    yield f"{said} .\n"
                if isinstance(encoding, TripleTerms):
                    yield f"{_n(node)} <{encoding.reifies}> <<( {said} )>> .\n"
                    yield f"{_n(node)} <{encoding.confidence}> {_n(confidence)} .\n"
                    continue
                graph = f"<{namespace}confidence/{confidence.lexical}>"
                yield f"{said} {graph} .\n"
                if graph not in graphs:
                    graphs[graph] = None
                    yield f"{graph} <{encoding.confidence}> {_n(confidence)} .\n"
            case Iri():
                pass
            case (entity, label):
                yield f"{_n(entity)} {_n(_LABEL)} {_n(label)} .\n"


def convert(
    source: str | PathLike[str],
    target: str | PathLike[str],
    encoding: Encoding,
    namespace: str = NAMESPACE,
    stated: bool = True,
    labels: bool = True,
) -> int:
    """Write a table as an RDF file; its name ends in ``.nq``, or ``.nq.gz``. Gives the number of its lines.

    Raises:
        InputError: a file cannot be read or written, or a line of the table is none.
        UnsupportedOperation: the encoding has no names for a relation.
    """
    name = str(target)
    if not name.removesuffix(".gz").endswith(".nq"):
        raise InputError(f"{name}: what is written is N-Quads, so that the name ends in .nq or .nq.gz")
    count = 0
    found = lines(read_table(source), encoding, namespace, stated, labels)
    try:
        with (gzip.open if name.endswith(".gz") else open)(Path(target), "wb") as out:
            for line in found:
                out.write(line.encode())
                count += 1
    except OSError as problem:
        raise InputError(f"cannot write {name}: {reason(problem)}") from problem
    return count


#: a triple with its confidence, a name of its own and whether it comes for the first time; a relation, once; an entity
#: with its label, once
_Statement = tuple[tuple[Iri, Iri, Iri], Literal, Iri, bool] | Iri | tuple[Iri, Literal]


def _statements(rows: Iterable[Quadruple], namespace: str, labels: bool) -> Iterator[_Statement]:
    try:
        check_iri(namespace + "x")
    except CompileError as problem:
        raise InputError(f"{namespace!r} is no namespace: an IRI begins with it") from problem
    seen: set[tuple[str, str, str, str]] = set()
    said: set[tuple[Iri, Iri, Iri]] = set()
    known: dict[str, Iri] = {}
    relations: dict[str, Iri] = {}
    for head, relation, tail, sure in rows:
        confidence = confidence_of(sure)
        key = (head, relation, tail, confidence.lexical)
        if key in seen:
            continue
        seen.add(key)
        if relation not in relations:
            relations[relation] = iri_of(relation, namespace)
            yield relations[relation]
        for name in (head, tail):
            if name not in known:
                known[name] = iri_of(name, namespace)
                if labels:
                    yield known[name], Literal(name)
        triple = (known[head], relations[relation], known[tail])
        yield triple, confidence, Iri(f"{namespace}statement/{len(seen)}"), triple not in said
        said.add(triple)


def _n(node: Node) -> str:
    assert not isinstance(node, Blank)
    return print_term(node)
