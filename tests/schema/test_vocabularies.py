from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.errors import InputError
from pylf.ir.confidence import both_relations
from pylf.ir.schema.vocabularies import BUILTIN, DEFAULT, encoding_data, from_mapping, load
from pylf.ir.schema.vocabulary import (
    ENCODINGS,
    NaryStatements,
    StatementPattern,
    Vocabulary,
    bookkeeping,
    encoding_name,
)
from pylf.ir.terms import Iri

NS = "http://rdf.freebase.com/ns/"


def test_built_in_vocabularies() -> None:
    assert load("rdf").type_predicates == ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type",)
    freebase = load("freebase")
    assert len(freebase.type_predicates) == len(freebase.label_predicates) == 2
    assert freebase.datatypes["type.float"].endswith("#double")
    assert NS + "common.topic.alias" not in freebase.label_predicates
    assert freebase.type_predicates[1] == NS + "type.object.type"
    assert NS + "kg.object_profile.prominent_type" in freebase.class_relations
    assert freebase.metaclasses == (NS + "type.type", *load("rdf").metaclasses)
    assert freebase.slashes
    assert not load("rdf").slashes
    assert load("freebase") is freebase
    assert DEFAULT in BUILTIN
    for name in BUILTIN:
        assert load(name).name == name
        assert load(name).subclass_paths is (name == "wikidata")


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    path.write_text(
        'label_predicates = ["http://e/name"]\nlabel_languages = ["", "de"]\nentity_pattern = "Q[0-9]+"\n'
        'entity_namespace = "http://e/"\n[prefixes]\n"" = "http://e/"\nf = "http://f/"\n'
        '[statements]\nconfidence = "http://e/conf"\n[datatypes]\nint = "http://www.w3.org/2001/XMLSchema#integer"\n',
        encoding="utf-8",
    )
    found = load(path)
    assert found.name == "films"
    assert found.prefixes == {"": "http://e/", "f": "http://f/"}
    assert found.statements.confidence == "http://e/conf"
    assert isinstance(found.statements, StatementPattern)
    assert found.statements.subject.endswith("#subject")
    assert found.type_predicates == Vocabulary("x").type_predicates


@pytest.mark.parametrize("name", ENCODINGS)
def test_each_encoding_of_confidences_is_read_as_it_is_written(name: str) -> None:
    for encoding in (ENCODINGS[name](), *([NaryStatements(links=())] if name == "n-ary" else [])):
        data = encoding_data(encoding)
        assert data["kind"] == name == encoding_name(encoding)
        assert from_mapping({"statements": data}, "mine").statements == encoding
        assert encoding.confidence in bookkeeping(encoding)
    told = {"statements": {"kind": name, "confidence": "http://e/c"}}
    assert from_mapping(told, "mine").statements == ENCODINGS[name](confidence="http://e/c")


def test_the_statements_of_wikidata_can_be_told(tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    path.write_text(
        '[statements]\nkind = "n-ary"\nrelation = "http://www.wikidata.org/prop/direct/{}"\n'
        'statement = "http://www.wikidata.org/prop/{}"\nvalue = "http://www.wikidata.org/prop/statement/{}"\n'
        'confidence = "http://e/c"\n'
        'links = ["http://wikiba.se/ontology#directClaim", "http://wikiba.se/ontology#claim", '
        '"http://wikiba.se/ontology#statementProperty"]\n',
        encoding="utf-8",
    )
    says = load(path).statements
    assert isinstance(says, NaryStatements)
    there, back = both_relations(Iri("http://www.wikidata.org/prop/direct/P31"), says)
    assert (there.value, back.value) == (
        "http://www.wikidata.org/prop/P31",
        "http://www.wikidata.org/prop/statement/P31",
    )


def test_classes_of_classes_and_relations_to_classes(tmp_path: Path) -> None:
    path = tmp_path / "kinds.toml"
    path.write_text('class_relations = ["http://e/kind"]\nmetaclasses = ["http://e/Kind"]\n', encoding="utf-8")
    found = load(path)
    assert (found.class_relations, found.metaclasses) == (("http://e/kind",), ("http://e/Kind",))
    assert Vocabulary("x").class_relations == ()
    assert Vocabulary("x").metaclasses == load("rdf").metaclasses


def test_the_tags_of_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    path.write_text('label_languages = ["", "en", "pt-BR", "zh-Hant-TW", "x-9"]', encoding="utf-8")
    assert load(path).label_languages == ("", "en", "pt-BR", "zh-Hant-TW", "x-9")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero here")
def test_a_file_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(InputError, match=r"/dev/zero: larger than 1,000,000 bytes"):
        load("/dev/zero")


def test_an_empty_file_is_plain_rdf_schema(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("", encoding="utf-8")
    assert load(tmp_path / "mine.toml") == Vocabulary("mine")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("label_predicate = []", "unknown key 'label_predicate'; did you mean 'label_predicates'?"),
        ("zzz = 1", "unknown key 'zzz'; the keys are class_relations, datatypes, "),
        ("name = 3", "'name' must be a string, not a number"),
        ("name = true", "'name' must be a string, not a boolean"),
        ("name = 2001-01-01", "'name' must be a string, not a date or time"),
        ('type_predicates = "http://e/t"', "'type_predicates' must be a list of strings, not a string"),
        ("type_predicates = [1]", "'type_predicates' must hold strings, not a number"),
        ("slashes = 1", "'slashes' must be true or false, not a number"),
        ("label_languages = []", "'label_languages' is empty"),
        ('label_languages = ["", "e n"]', "'label_languages': 'e n' is no language tag"),
        ('label_languages = ["en_GB"]', "'label_languages': 'en_GB' is no language tag"),
        ("#" * 1_000_001, "larger than 1,000,000 bytes"),
        ('type_predicates = ["rdf type"]', "'type_predicates': <rdf type> is not an IRI: it may not hold a space"),
        ("class_relations = []", "'class_relations' is empty; leave it out for the default"),
        ('metaclasses = ["Kind"]', "'metaclasses': <Kind> is not a full IRI"),
        ('subclass_predicate = "narrower"', "'subclass_predicate': <narrower> is not a full IRI"),
        ("prefixes = 1", "'prefixes' must be a table of strings, not a number"),
        ("[prefixes]\na = 1", "'prefixes.a' must be a string, not a number"),
        ('[prefixes]\n"" = "x"', "'prefixes.\"\"': <x> is not a full IRI"),
        ("[statements]\nweight = 'http://e/w'", "unknown key 'statements.weight'; the keys are confidence, "),
        ("statements = 3", "'statements' must be a table, not a number"),
        ("[statements]\nkind = 3", "'statements.kind' must be a string, not a number"),
        ("[statements]\nkind = 'nary'", "'statements.kind' 'nary' is none of reification, n-ary, singleton property, "),
        ("[statements]\nkind = 'quad'\nsubject = 'http://e/s'", "unknown key 'statements.subject'; the keys are conf"),
        ("[statements]\nkind = 'n-ary'\nvalue = 'http://e/v'", "'statements.value' must hold '{}' once"),
        ("[statements]\nkind = 'n-ary'\nvalue = 'http://e/{}{}'", "'statements.value' must hold '{}' once"),
        ("[statements]\nkind = 'n-ary'\nvalue = 'e {}'", "'statements.value': <e x> is not an IRI"),
        ("[statements]\nkind = 'n-ary'\nlinks = ['http://e/l']", "'statements.links' must hold 3 IRIs, or none, not 1"),
        ("[statements]\nkind = 'n-ary'\nlinks = ['a', 'b', 'c']", "'statements.links': <a> is not a full IRI"),
        ("[statements]\nkind = 'triple term'\nstated = 1", "'statements.stated' must be true or false, not a number"),
        ('entity_namespace = "http://e/"\nentity_pattern = "("', "'entity_pattern' is not a regular expression"),
        ('relation_pattern = "a"', "'relation_pattern' needs 'relation_namespace' beside it"),
        ("name = ", "not TOML: "),
        ("a = " + "[" * 5000, "not TOML|nested too deeply"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(path)
    assert any(part in str(caught.value) for part in message.split("|"))
    assert "bad.toml" in str(caught.value)


def test_names_that_mean_no_vocabulary(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'freebase'"):
        load("Freebas")
    with pytest.raises(InputError, match="built in are dbpedia, freebase, rdf, wikidata"):
        load("xyzzy")
    with pytest.raises(InputError, match="there is no vocabulary file"):
        load(tmp_path / "none.toml")
    with pytest.raises(InputError, match="cannot read"):
        load(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(InputError, match="not UTF-8"):
        load(tmp_path / "latin.toml")


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
keys = st.sampled_from(
    ["name", "slashes", "type_predicates", "metaclasses", "prefixes", "entity_pattern", "statements", "datatypes", "x"]
)


@given(st.dictionaries(keys, plain, max_size=4))
def test_any_data_is_a_vocabulary_or_an_input_error(data: dict[str, object]) -> None:
    try:
        found = from_mapping(data, "data")
    except InputError:
        return
    assert found == from_mapping(data, "data")
