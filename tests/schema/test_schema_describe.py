from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pylf.errors import InputError
from pylf.ir.schema.describe import describe, overview
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.graph import Graph
    from pylf.ir.schema.model import Schema


@pytest.fixture
def schema(graph_of: Callable[[str], Graph], rdf: Vocabulary) -> Schema:
    return infer_schema(
        graph_of(
            ':Novel rdfs:subClassOf :Work ; rdfs:label "novel" ; owl:disjointWith :Play . :wrote rdfs:domain :Writer .'
            ':a a :Writer ; :wrote :n . :n a :Novel ; :by :a ; :pages 300, "many" ; rdfs:label "N"@en .'
            ":b a :Writer ; :wrote :m . :m a :Novel ; :by :b . :loose :near :a ."
        ),
        rdf,
    )


def test_a_relation(schema: Schema) -> None:
    (found,) = describe(schema, "wrote")["relations"]
    assert found["domain"] == [[{"iri": "http://e/Writer", "label": "Writer"}]]
    assert found["range"] == [[{"iri": "http://e/Novel", "label": "novel"}]]
    assert found["inverse"] == "http://e/by"
    assert found["inferred"] == ["functional", "inverse", "range"]
    assert found["objects_are"] == "entities"
    assert found["statistics"] == {
        "triples": 2,
        "subjects": 2,
        "objects": 2,
        "domain_support": 2,
        "range_support": 2,
        "values": {"entities": 2},
    }
    (pages,) = describe(schema, "pages")["relations"]
    assert pages["statistics"]["values"] == {"numbers": 1, "strings": 1}
    assert pages["objects_are"] == "literals"


def test_a_class(schema: Schema) -> None:
    (found,) = describe(schema, "novel")["classes"]
    assert (found["instances"], found["compound"]) == (2, False)
    assert found["parents"] == [{"iri": "http://e/Work", "label": "Work"}]
    assert found["disjoint_with"] == [{"iri": "http://e/Play", "label": "Play"}]
    assert [(r["name"], r["reversed"]) for r in found["relations"]] == [
        ("by", False),
        ("pages", False),
        ("R_wrote", True),
        ("label", False),
    ]
    (work,) = describe(schema, "Work")["classes"]
    assert work["subclasses"] == [{"iri": "http://e/Novel", "label": "novel"}]
    (near,) = describe(schema, "subjects of near")["classes"]
    assert near["subjects_of"] == "http://e/near"


def test_names_in_every_spelling(schema: Schema) -> None:
    vocabulary = Vocabulary("own", prefixes={"e": "http://e/"})
    by_name = describe(schema, "wrote")["relations"]
    assert describe(schema, "<http://e/wrote>")["relations"] == by_name
    assert describe(schema, "http://e/wrote")["relations"] == by_name
    assert describe(schema, "e:wrote", vocabulary)["relations"] == by_name
    assert describe(schema, "e:Novel", vocabulary)["classes"] == describe(schema, "novel")["classes"]


def test_unknown_names(schema: Schema) -> None:
    with pytest.raises(InputError, match=r"no relation and no class 'wrot'; the nearest names are 'wrote'"):
        describe(schema, "wrot")
    with pytest.raises(InputError, match=r"no class 'xyzzy'$"):
        describe(schema, "xyzzy")


def test_the_whole(schema: Schema) -> None:
    found = overview(schema)
    assert (found["relations"], found["classes"], found["inverse_pairs"]) == (5, 4, 1)
    assert found["label_languages"] == ["", "en"] or found["label_languages"] == ["en", ""]
    assert found["sound"] == "true"


def test_everything_is_plain_data(schema: Schema) -> None:
    things = [r.iri for r in schema.source.all_relations()] + [c.iri for c in schema.source.all_classes()]
    for data in (overview(schema), *(describe(schema, iri) for iri in things)):
        assert json.loads(json.dumps(data)) == data
