"""Small graphs and schemas written as Turtle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.rdfs import read_schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

PREFIXES = """
@prefix : <http://e/> .
@prefix other: <http://other/ns#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix schema: <https://schema.org/> .
"""


def node(term: object) -> Node:
    import pyoxigraph

    match term:
        case pyoxigraph.NamedNode(value=value):
            return Iri(value)
        case pyoxigraph.Literal(value=value, language=language, datatype=datatype):
            return Literal(value, datatype.value, language)
        case pyoxigraph.BlankNode(value=value):
            return Blank(value)
    raise AssertionError(term)


@pytest.fixture(scope="session")
def rdf() -> Vocabulary:
    return load("rdf")


@pytest.fixture(scope="session")
def freebase() -> Vocabulary:
    return load("freebase")


@pytest.fixture
def schema_of(tmp_path: Path, rdf: Vocabulary) -> Callable[..., Schema]:
    """Reads Turtle (the prefixes of this file are known) as a schema; several texts are several files."""

    def read(*texts: str, vocabulary: Vocabulary = rdf) -> Schema:
        paths = [tmp_path / f"schema{i}.ttl" for i in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(PREFIXES + text, encoding="utf-8")
        return read_schema(paths, vocabulary)

    return read


@pytest.fixture(scope="session")
def graph_of() -> Callable[[str], MemoryGraph]:
    """Reads Turtle as a graph."""

    import pyoxigraph

    def read(text: str) -> MemoryGraph:
        quads = pyoxigraph.parse(PREFIXES + text, format=pyoxigraph.RdfFormat.TURTLE)
        return MemoryGraph([(node(q.subject), node(q.predicate), node(q.object)) for q in quads])

    return read
