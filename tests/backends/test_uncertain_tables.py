"""Tables of an uncertain graph: what is read, what is refused, and what they become."""

from __future__ import annotations

import gzip
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.store import load
from pylf.backends.engines.uncertain import Quadruple, confidence_of, convert, iri_of, read_table, triples
from pylf.errors import InputError, UnsupportedOperation
from pylf.graphs import open_kg
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.vocabulary import (
    ENCODINGS,
    NamedGraphs,
    NaryStatements,
    SingletonProperties,
    StatementPattern,
    TripleTerms,
    Vocabulary,
)
from pylf.ir.terms import RDF, RDFS, XSD_DECIMAL, Iri, Literal

if TYPE_CHECKING:
    from pathlib import Path

TABLE = "concept:company:a b\tr\tü\t0.9999961853\nx\tr\ty\t1\nx\tr\ty\t1.0\nx\tr\ty\t0.25\n\n"


def written(tmp_path: Path, text: str = TABLE) -> Path:
    path = tmp_path / "table.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_is_read_line_by_line(tmp_path: Path) -> None:
    rows = list(read_table(written(tmp_path)))
    assert rows[0] == Quadruple("concept:company:a b", "r", "ü", Decimal("0.9999961853"))
    assert len(rows) == 4
    packed = tmp_path / "table.tsv.gz"
    packed.write_bytes(gzip.compress(TABLE.encode()))
    assert list(read_table(packed)) == rows


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a\tr\tb\n", ":2: head, relation, tail and confidence are wanted"),
        ("a\tr\tb\t0.5\tmore\n", ":2: head, relation, tail and confidence are wanted"),
        ("a\t \tb\t0.5\n", ":2: head, relation, tail and confidence are wanted"),
        ("a\tr\tb\tsure\n", ":2: a confidence is a number from 0 to 1, not 'sure'"),
        ("a\tr\tb\t1.5\n", "not '1.5'"),
        ("a\tr\tb\t-0.1\n", "not '-0.1'"),
        ("a\tr\tb\tNaN\n", "not 'NaN'"),
    ],
)
def test_a_line_that_is_none_is_named(line: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        list(read_table(written(tmp_path, "a\tr\tb\t0.5\n" + line)))
    assert told in str(refused.value)


def test_a_line_that_is_too_long_is_not_read_in_pieces(tmp_path: Path) -> None:
    lines = f"a\tr\tb\t0.5\n{'x' * 99_992}\tr\tb\t0.5a\tr\tb\t0.5\n"
    with pytest.raises(InputError, match=r":2: a line has less than 100,000 characters"):
        list(read_table(written(tmp_path, lines)))
    (row,) = read_table(written(tmp_path, f"{'x' * 99_990}\tr\tb\t0.5\n"))
    assert len(row.head) == 99_990


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "no.gz").write_bytes(b"no gzip")
    (tmp_path / "latin.tsv").write_bytes(b"\xfc\tr\tb\t1\n")
    for name in ("absent.tsv", "no.gz", "latin.tsv"):
        with pytest.raises(InputError, match=name):
            list(read_table(tmp_path / name))
    with pytest.raises(InputError, match=r"ends in \.nq"):
        convert(written(tmp_path), tmp_path / "out.ttl", StatementPattern())
    with pytest.raises(InputError, match="no namespace"):
        convert(written(tmp_path), tmp_path / "out.nq", StatementPattern(), namespace="not one")


def test_names_become_iris_and_labels(tmp_path: Path) -> None:
    graph = MemoryGraph(triples(read_table(written(tmp_path)), StatementPattern(), "http://e/"))
    company = Iri("http://e/concept:company:a%20b")
    assert iri_of("concept:company:a b", "http://e/") == company
    assert (company, Iri("http://e/r"), Iri("http://e/%C3%BC")) in graph
    assert (company, Iri(RDFS + "label"), Literal("concept:company:a b")) in graph
    assert not any(
        True
        for _ in MemoryGraph(triples(read_table(written(tmp_path)), StatementPattern(), labels=False)).triples(
            None, Iri(RDFS + "label")
        )
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [("1", "1.0"), ("0", "0.0"), ("0.5", "0.5"), ("0.9999961853", "0.999996"), ("0.0000001", "0.0"), ("1E-3", "0.001")],
)
def test_confidences_are_short_decimals(value: str, text: str) -> None:
    assert confidence_of(Decimal(value)) == Literal(text, XSD_DECIMAL)


def test_what_is_said_twice_is_kept_once_and_several_confidences_are_all_kept(tmp_path: Path) -> None:
    graph = MemoryGraph(triples(read_table(written(tmp_path)), StatementPattern()))
    about_x = [n for n, _, _ in graph.triples(None, Iri(RDF + "subject"), iri_of("x"))]
    found = sorted(str(c) for n in about_x for _, _, c in graph.triples(n, Iri(StatementPattern().confidence)))
    assert found == [f'"{text}"^^<{XSD_DECIMAL}>' for text in ("0.25", "1.0")]


def test_triples_may_be_left_unstated(tmp_path: Path) -> None:
    rows = list(read_table(written(tmp_path)))
    for encoding in (StatementPattern(), NaryStatements(), SingletonProperties()):
        stated, unstated = (MemoryGraph(triples(rows, encoding, stated=stated)) for stated in (True, False))
        assert len(stated) == len(unstated) + 2
        assert not list(unstated.triples(iri_of("x"), iri_of("r")))


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_encoding_can_be_loaded_and_is_remembered(name: str, tmp_path: Path) -> None:
    encoding = ENCODINGS[name]()
    count = convert(written(tmp_path), tmp_path / "graph.nq.gz", encoding)
    assert count == len(gzip.decompress((tmp_path / "graph.nq.gz").read_bytes()).splitlines())
    load([tmp_path / "graph.nq.gz"], tmp_path / "kg", vocabulary=Vocabulary("mine", statements=encoding))
    graph = open_kg(tmp_path / "kg")
    assert graph.vocabulary.statements == encoding
    known = graph.schema.relation("urn:ukg:r")
    assert known is not None
    assert graph.schema.relation(encoding.confidence) is None


@pytest.mark.parametrize("encoding", [TripleTerms(), NamedGraphs()], ids=str)
def test_what_is_more_than_triples_is_not_given_as_triples(encoding: TripleTerms | NamedGraphs) -> None:
    with pytest.raises(UnsupportedOperation, match="in triples"):
        list(triples([Quadruple("a", "r", "b", Decimal(1))], encoding))


def test_a_relation_without_names_for_its_statements_is_refused() -> None:
    encoding = NaryStatements("http://other/{}", "http://p/{}", "http://ps/{}")
    with pytest.raises(UnsupportedOperation, match="<urn:ukg:r>"):
        list(triples([Quadruple("a", "r", "b", Decimal(1))], encoding))


def test_an_encoded_graph_is_one_that_opens_as_a_file(tmp_path: Path) -> None:
    convert(written(tmp_path), tmp_path / "graph.nq", NaryStatements())
    assert OxigraphEngine.open(tmp_path / "graph.nq").count() == sum(1 for _ in (tmp_path / "graph.nq").open())
