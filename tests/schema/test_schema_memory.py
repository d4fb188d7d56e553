from __future__ import annotations

from pylf.ir.schema.memory import MemorySource, local_name
from pylf.ir.schema.model import Class, Relation, Schema


def test_local_name_is_what_follows_the_last_hash_or_slash() -> None:
    assert local_name("http://e/a#b") == "b"
    assert local_name("http://e/a.b.c") == "a.b.c"
    assert local_name("http://e/a#b/c") == "c"
    assert local_name("urn:x:y") == "urn:x:y"
    assert not local_name("http://e/")


def test_a_local_name_of_two_namespaces_means_both() -> None:
    schema = Schema(MemorySource([Relation("http://b/wrote"), Relation("http://a#wrote"), Relation("http://a#w")], []))
    assert schema.relations_named("wrote") == ("http://a#wrote", "http://b/wrote")


def test_a_label_is_found_only_where_no_local_name_is() -> None:
    schema = Schema(
        MemorySource(
            [Relation("http://e/title"), Relation("http://e/p1", label="title"), Relation("http://e/p2", label="film")],
            [Class("http://e/C1", label="film"), Class("http://e/C2", label="film")],
        )
    )
    assert schema.relations_named("title") == ("http://e/title",)
    assert schema.relations_named("film") == ("http://e/p2",)
    assert schema.classes_named("film") == ("http://e/C1", "http://e/C2")
    assert schema.classes_named("nothing") == ()


def test_children_and_relations_of_a_class() -> None:
    source = MemorySource(
        [
            Relation("http://e/r", domain=(("http://e/A", "http://e/B"), ("http://e/C",))),
            Relation("http://e/s", range=(("http://e/A",),)),
        ],
        [Class("http://e/B", parents=("http://e/A",)), Class("http://e/C", parents=("http://e/A", "http://e/B"))],
        {"source": "stated"},
    )
    assert source.children("http://e/A") == ("http://e/B", "http://e/C")
    assert source.relations_of("http://e/A") == ("http://e/r", "http://e/s")
    assert source.relations_of("http://e/C") == ("http://e/r",)
    assert source.relations_of("http://e/D") == ()
    assert (source.meta("source"), source.meta("snapshot")) == ("stated", None)
    assert [r.iri for r in source.all_relations()] == ["http://e/r", "http://e/s"]
