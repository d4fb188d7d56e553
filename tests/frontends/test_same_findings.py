"""What is wrong with a question is found and told alike in each form, in the words of the form."""

from __future__ import annotations

import json

import pytest

import pylf
from pylf.errors import CompileError, Diagnostic, NoForm
from pylf.frontends.sexpr import tree
from pylf.frontends.sexpr.to_pylf import to_program
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabularies import load
from tests.frontends import small_freebase
from tests.frontends.refusals import graph

FREEBASE = small_freebase.vocabulary()
FILMS = small_freebase.schema()
RDF = load("rdf")

FILM = "film.film."
#: two relations, and two classes, that have a name in common
TWINS = Schema(
    MemorySource(
        [Relation("http://a.example/width"), Relation("http://b.example/width")],
        [Class("http://a.example/Ship"), Class("http://b.example/Ship")],
        {"source": "stated", "vocabulary": "rdf"},
    )
)


def joined(relation: str, value: str) -> dict[str, str]:
    """In each form what has a text among a relation's values."""
    return {
        "pylf": f"expression = STOP(JOIN('{relation}', '{value}'))",
        "sexpr": f'(JOIN {relation} "{value}")',
        "graphquery": graph((0, relation, 1), n0="class rdfs:Resource", n1=f"literal {value}"),
    }


def found(source: str, text: str, schema: Schema = FILMS, lenient: bool = False) -> Diagnostic:
    """The one finding."""
    vocabulary = RDF if schema is TWINS else FREEBASE
    with pytest.raises(CompileError) as caught:
        _ = pylf.compile(text, source=source, schema=schema, vocabulary=vocabulary, lenient=lenient).sparql
    (finding,) = caught.value.diagnostics
    return finding


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("form", ["pylf", "sexpr", "graphquery"])
@pytest.mark.parametrize(
    ("relation", "text", "kind"),
    [
        ("silent", "maybe", "a boolean"),
        ("silent", "2", "a boolean"),
        ("shots", "many", "a number"),
        ("shots", "1996-02", "a number"),
        ("initial_release_date", "soon", "a date"),
    ],
)
def test_text_that_a_relation_cannot_have(form: str, relation: str, text: str, kind: str, lenient: bool) -> None:
    finding = found(form, joined(FILM + relation, text)[form], lenient=lenient)
    assert finding.code == "type-mismatch"
    assert finding.message == f"'{text}' cannot be read as {kind}, which the values of '{FILM}{relation}' are"
    assert finding.span is not None
    assert text in joined(FILM + relation, text)[form][slice(*finding.span)]


@pytest.mark.parametrize("word", ["true", "false"])
def test_a_truth_value_beside_what_has_none(word: str) -> None:
    finding = found("sexpr", f"(JOIN film.film.shots {word})")
    assert finding.message == f"'{word}' cannot be read as a number, which the values of 'film.film.shots' are"


@pytest.mark.parametrize(
    ("form", "text", "left", "right"),
    [
        ("pylf", "expression = STOP(JOIN('width', 5))", "'<", ">'"),
        ("pylf", "expression = STOP(START('Ship'))", "'<", ">'"),
        ("sexpr", "(JOIN width 5)", "<", ">"),
        ("sexpr", "(COUNT Ship)", "<", ">"),
        ("graphquery", graph((0, "width", 1), n0="class rdfs:Resource", n1="literal 5"), "<", ">"),
        ("graphquery", graph(n0="class Ship"), "<", ">"),
    ],
)
def test_a_name_of_two_things_is_to_be_written_as_the_form_writes_an_iri(
    form: str, text: str, left: str, right: str
) -> None:
    finding = found(form, text, TWINS)
    name = "Ship" if "Ship" in text else "width"
    (hint,) = finding.hints
    assert finding.code == "ambiguous-name"
    told, _, iris = hint.partition(": ")
    assert told == "write one of them in full"
    assert iris.split(", ") == [f"{left}http://{host}.example/{name}{right}" for host in "ab"]
    # what the hint says is read
    written = iris.split(", ")[0]
    mended = text.replace(f"'{name}'" if form == "pylf" else name, written)
    assert pylf.compile(mended, source=form, schema=TWINS, vocabulary=RDF).sparql


def test_an_unknown_name_without_a_schema_is_to_be_written_so_too() -> None:
    nothing = Schema(MemorySource([], [], {"source": "stated", "vocabulary": "freebase"}))
    for form, text, iri in (
        ("pylf", "expression = STOP(JOIN('width', START('m.1')))", "'<IRI>'"),
        ("sexpr", "(JOIN width m.1)", "<IRI>"),
        ("graphquery", graph((0, "width", 1), n0="class rdfs:Resource", n1="entity m.1"), "<IRI>"),
    ):
        assert found(form, text, nothing).hints[0].endswith(f"; or write {iri}")


def test_a_time_that_is_none() -> None:
    written = "dates are written 1990, 1990-07, 1990-07-31 or 1990-07-31T12:00:00, or "
    born = "people.person.date_of_birth"
    assert found("pylf", f"expression = STOP(TC(START('m.1'), '{born}', 'soon'))").hints == (f"{written}'NOW'",)
    assert found("sexpr", f'(TC m.1 {born} "soon")').hints == (f"{written}NOW",)
    made = tree.SExpression(tree.TimeConstraint(tree.Word("m.1"), tree.Word(born), tree.Word("soon")))
    with pytest.raises(CompileError) as caught:
        to_program(made, FILMS, FREEBASE)
    assert caught.value.diagnostics[0].hints == (f"{written}NOW",)


def test_the_option_that_keeps_inner_classes_is_named() -> None:
    text = "(JOIN film.film.directed_by (AND film.director (JOIN people.person.sibling m.1)))"
    query = pylf.compile(text, source="sexpr", schema=FILMS, vocabulary=FREEBASE)
    with pytest.raises(NoForm) as caught:
        query.to("graphquery")
    (finding,) = caught.value.diagnostics
    assert finding.hints == ("inner classes are remarks; with --inner-classes they count, there and when it is read",)
    kept = pylf.compile(text, source="sexpr", schema=FILMS, vocabulary=FREEBASE, inner_classes=True).to("graphquery")
    assert "film.director" in [node["id"] for node in json.loads(kept)["nodes"]]
