"""Paths on real graphs: those of one to three hops from a question's entity reach its gold answers, and hold."""

from __future__ import annotations

import gzip
import json
from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.api import empty_schema, load_vocabulary
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.graphs import KnowledgeGraph
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF, RDFS, XSD, Iri, Literal
from pylf.walks import Status, paths_between, verify_paths, write_paths

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.ir.terms import Node

NS = "http://rdf.freebase.com/ns/"
METAQA = "data/metaqa/metaqa.nt.gz"
FREEBASE = "data/fb15k237/fb15k237_cvt_inverse.nt.gz"


def opened(shared: Path, path: str, vocabulary: Vocabulary) -> KnowledgeGraph:
    if not (shared / path).exists():
        pytest.skip(f"there is no {shared / path}")
    return KnowledgeGraph(OxigraphEngine.open(shared / path), empty_schema(), vocabulary, path)


@pytest.fixture(scope="module")
def films(shared: Path) -> KnowledgeGraph:
    return opened(shared, METAQA, Vocabulary("metaqa", prefixes={"p": "http://metaqa.example/p/"}))


@pytest.fixture(scope="module")
def freebase(shared: Path) -> KnowledgeGraph:
    return opened(shared, FREEBASE, load_vocabulary("freebase"))


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_paths_from_the_entity_of_a_metaqa_question_reach_its_answers(
    films: KnowledgeGraph, shared: Path, hops: int
) -> None:
    with gzip.open(shared / f"data/metaqa/dev_{hops}hop.tsv.gz", "rt", encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    for line in Random(6).sample(lines, 20 if hops < 3 else 6):
        question, gold, _ = line.split("\t")
        entity = question[question.index("[") + 1 : question.index("]")]
        called: dict[str, set[Node]] = {
            name: {*films.engine.entities_labelled(name, films.vocabulary), Literal(name, XSD + "gYear")}
            for name in gold.split("|")
        }
        found = paths_between(
            films,
            films.engine.entities_labelled(entity, films.vocabulary),
            [node for nodes in called.values() for node in nodes],
            hops,
            either=True,
            without=[Iri(RDF + "type"), Iri(RDFS + "label")],
        )
        assert found.complete
        reached = {path.nodes[-1] for path in found.paths}
        assert [name for name, nodes in called.items() if not nodes & reached] == [], question
        assert all(path.simple and 1 <= len(path.relations) <= hops for path in found.paths)


def test_paths_as_a_model_would_write_them_are_told_from_others(films: KnowledgeGraph) -> None:
    found = paths_between(films, ["Whiplash"], ["Damien Chazelle", "Miles Teller", "jazz"], 2, either=True)
    written = write_paths(films, found.paths, tags=True, arrows="unicode")
    assert "<PATH> Whiplash → p:directed_by → Damien Chazelle </PATH>" in written
    assert {verdict.status for verdict in verify_paths(films, written)} == {Status.HOLDS}
    turned = [text.replace("→", "←") for text in written if "←" not in text]
    assert {verdict.status for verdict in verify_paths(films, turned)} == {Status.FAILS}


@pytest.mark.parametrize(("name", "hops", "most"), [("webqsp", 2, 40), ("cwq", 3, 6)])
def test_paths_along_freebases_edges_reach_the_gold_answers(
    freebase: KnowledgeGraph, shared: Path, name: str, hops: int, most: int
) -> None:
    lines = (shared / f"data/fb15k237/questions/{name}_executable.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= most
    for question in map(json.loads, Random(6).sample(lines, most)):
        gold = [Iri(NS + one) for one in question["kg_answer"] if one.startswith(("m.", "g."))]
        topics = [Iri(NS + entity["id"]) for entity in question["topic_entity"]]
        without = ["type.object.type", "type.object.name", "type.type.instance"]
        found = paths_between(freebase, topics, gold, hops, without=[Iri(NS + relation) for relation in without])
        assert found.complete
        assert {path.nodes[-1] for path in found.paths} == set(gold), question["question"]
