"""Names that are spelled as IRIs, or as the vocabulary spells them, but that the schema does not list."""

from __future__ import annotations

import pytest

import pylf
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema

NS = "http://rdf.freebase.com/ns/"
SCHEMA = Schema(
    MemorySource(
        [Relation(NS + "film.film.genre", domain=((NS + "film.film",),), range=((NS + "film.film_genre",),))],
        [Class(NS + "film.film"), Class(NS + "film.film_genre")],
    )
)
NO_CLASSES = Schema(MemorySource([Relation(NS + "film.film.genre")], []))
EMPTY = Schema(MemorySource([], []))


def compiled(text: str, schema: Schema = SCHEMA, lenient: bool = False) -> pylf.CompiledQuery:
    return pylf.compile(f"x = STOP({text})", schema=schema, vocabulary="freebase", name="draft.py", lenient=lenient)


def test_an_unlisted_class_in_full_is_taken_with_a_warning() -> None:
    query = compiled(f"START('<{NS}film.short>', kind='class')")
    assert "?short" in query.sparql
    assert f"<{NS}type.object.type> <{NS}film.short>" in query.sparql
    (finding,) = query.diagnostics
    assert finding.render() == (
        "warning[unlisted-class]: the schema does not list the class 'film.short': its subclasses are not known\n"
        "  --> draft.py:1:10\n"
        "   |\n"
        " 1 | x = STOP(START('<http://rdf.freebase.com/ns/film.short>', kind='class'))\n"
        "   |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "   = help: the nearest names are 'film.film', 'film.film_genre'"
    )


def test_an_unlisted_class_meets_any_other() -> None:
    query = compiled(f"AND(START('<{NS}film.short>', kind='class'), JOIN('film.film.genre', 'm.07s9rl0'))")
    assert [d.code for d in query.diagnostics] == ["unlisted-class"]


def test_a_listed_class_in_full_needs_no_warning() -> None:
    assert compiled(f"START('<{NS}film.film>', kind='class')").diagnostics == ()


@pytest.mark.parametrize("schema", [NO_CLASSES, EMPTY])
@pytest.mark.parametrize("name", [f"<{NS}film.short>", "film.short", "/film/short", "ns:film.short"])
def test_where_no_class_is_listed_none_is_missed(name: str, schema: Schema) -> None:
    query = compiled(f"START('{name}', kind='class')", schema)
    assert f"<{NS}film.short>" in query.sparql
    assert query.diagnostics == ()


@pytest.mark.parametrize("name", ["film.short", "/film/short", "ns:film.short"])
def test_an_unlisted_name_is_unknown_unless_lenient(name: str) -> None:
    with pytest.raises(pylf.CompileError) as caught:
        compiled(f"START('{name}', kind='class')")
    (finding,) = caught.value.diagnostics
    assert (finding.code, finding.message) == ("unknown-class", f"the schema has no class '{name}'")
    query = compiled(f"START('{name}', kind='class')", lenient=True)
    assert [d.code for d in query.diagnostics] == ["unlisted-class"]
    assert query.ir == compiled(f"START('<{NS}film.short>', kind='class')").ir


def test_what_cannot_be_a_class_stays_unknown() -> None:
    for schema in (SCHEMA, EMPTY):
        with pytest.raises(pylf.CompileError) as caught:
            compiled("START('short film', kind='class')", schema, lenient=True)
        assert [d.code for d in caught.value.diagnostics] == ["unknown-class"]


def test_an_unlisted_relation_in_full_is_taken_with_a_warning() -> None:
    query = compiled(f"JOIN('<{NS}film.film.mood>', 'm.07s9rl0')")
    (finding,) = query.diagnostics
    assert finding.code == "unlisted-relation"
    assert finding.message == "the schema does not list 'film.film.mood': its types are not checked"
    assert finding.hints == ("the nearest name is 'film.film.genre'",)


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        (f"JOIN('<{NS}film.film.mood>', 'm.07s9rl0')", "unknown-relation"),
        (f"START('<{NS}film.short>', kind='class')", "unknown-class"),
    ],
)
def test_strict_takes_nothing_unlisted(expression: str, code: str) -> None:
    with pytest.raises(pylf.CompileError) as caught:
        pylf.compile(f"x = STOP({expression})", schema=SCHEMA, vocabulary="freebase", strict=True, lenient=True)
    (finding,) = caught.value.diagnostics
    assert finding.code == code
    assert not any("<" in hint for hint in finding.hints)


@pytest.mark.parametrize("schema", [SCHEMA, NO_CLASSES])
def test_an_unlisted_class_is_written_as_a_class(schema: Schema) -> None:
    query = compiled(f"AND(START('<{NS}film.short>', kind='class'), JOIN('film.film.genre', 'm.07s9rl0'))", schema)
    again = pylf.compile(query.to("pylf"), schema=schema, vocabulary="freebase")
    assert again.fingerprint == query.fingerprint
