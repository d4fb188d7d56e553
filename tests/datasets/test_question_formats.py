"""What is read of each set: a written file in the set's own format, field by field."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pylf.datasets.formats import Answer, Choice, Question, QuestionFile, Topic, read_questions

if TYPE_CHECKING:
    from pathlib import Path

XSD = "http://www.w3.org/2001/XMLSchema#"
PARIS = Answer("entity", "m.05qtj", "Paris")
FILES = {
    "grailqa.json": "grailqa",
    "graphquestions.json": "graphquestions",
    "webqsp.json": "webqsp",
    "cwq.json": "cwq",
    "freebaseqa.json": "freebaseqa",
    "qald.json": "qald",
    "metaqa.txt": "metaqa",
    "metaqa-vanilla.txt": "metaqa",
    "csqa.jsonl": "csqa",
    "csqa-flat.jsonl": "csqa",
    "csqa2.jsonl": "csqa2",
    "obqa.jsonl": "obqa",
    "obqa-flat.jsonl": "obqa",
    "medqa.jsonl": "medqa",
    "nestkgqa.jsonl": "nestkgqa",
    "nestkgqa-published.json": "nestkgqa",
    "pylf.jsonl": "pylf",
}


def read(path: Path, **choices: str) -> list[Question]:
    return list(read_questions(str(path), **choices))


def test_every_written_set_is_listed_here(written: Path) -> None:
    assert {path.name for path in written.iterdir()} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_the_format_is_told_by_looking_and_may_be_forced(written: Path, name: str) -> None:
    with QuestionFile(str(written / name)) as looked:
        found = list(looked)
    assert looked.format is not None
    assert looked.format.name == FILES[name]
    assert found
    assert found == read(written / name, form=FILES[name])
    assert all(one.source is not None and one.source.format == FILES[name] for one in found)


@pytest.mark.parametrize("name", FILES)
def test_every_set_is_written_as_pylfs_own_and_read_back_the_same(written: Path, name: str, tmp_path: Path) -> None:
    found = read(written / name)
    own = tmp_path / "own.jsonl"
    own.write_text("".join(json.dumps(one.to_json()) + "\n" for one in found), encoding="utf-8")
    assert read(own, form="pylf") == found


@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith(".txt")])
def test_no_field_of_a_record_is_lost(written: Path, name: str) -> None:
    """Each text and number of a record is somewhere in the question that is read of it."""
    text = (written / name).read_text(encoding="utf-8")
    given = json.loads(text) if name.endswith(".json") else [json.loads(line) for line in text.splitlines()]
    records = given.get("Questions", given.get("questions")) if isinstance(given, dict) else given
    for record, question in zip(records, read(written / name), strict=True):
        kept = set(leaves(question.to_json())) | set(leaves([_inside(p) for p in question.programs.values()]))
        told = {"Entity": "entity", "Value": "literal", "yes": "true", "no": "false", "uri": "entity", "bnode": "blank"}
        # what says of which kind something is shows in the kind; an empty text, true and false say nothing of their own
        lost = {leaf for leaf in leaves(record) if told.get(leaf, leaf) not in kept and not _split(leaf, kept)}
        names_of_columns = {"river", "n", "p", "name", "of"}
        assert lost <= {"typed-literal", "bnode", ""} | names_of_columns, (name, question.id)


def leaves(data: object) -> list[str]:
    match data:
        case dict():
            return [leaf for value in data.values() for leaf in leaves(value)]
        case list():
            return [leaf for value in data for leaf in leaves(value)]
        case None | bool():
            return []
    return [str(data)]


def _inside(program: str) -> object:
    return json.loads(program) if program.startswith("{") else program


def _split(leaf: str, kept: set[str]) -> bool:
    return "^^" in leaf and set(leaf.split("^^")) <= kept


def test_grailqa(written: Path) -> None:
    one, count, above = read(written / "grailqa.json")
    assert (one.id, one.text) == ("9001000", "which country has paris as its capital?")
    assert one.answers == (Answer("entity", "m.0f8l9c", "France"),)
    assert one.topics == (Topic("m.05qtj", "Paris"),)
    assert (one.level, one.function, one.answer_kind) == ("zero-shot", "none", "entity")
    assert one.programs["sexpr"] == "(AND location.country (JOIN location.country.capital m.05qtj))"
    assert json.loads(one.programs["graphquery"])["edges"][0]["relation"] == "location.country.capital"
    assert one.meta["domains"] == ["location"]
    assert count.answers == (Answer("literal", "1"),)
    assert "sparql" not in count.programs  # 'null' stands in its place, and is kept
    assert count.meta["sparql_query"] == "null"
    assert above.answers is not None
    assert above.answers[1] == Answer("literal", "8848.0", datatype=XSD + "float")
    assert above.answer_kind == "mixed"
    assert above.topics == (Topic(f"8800.0^^{XSD}float", "8800.0", kind="literal"),)


def test_graphquestions(written: Path) -> None:
    rome, games, players = read(written / "graphquestions.json")
    assert rome.answers == (Answer("name", "Italy"),)
    assert rome.topics == (Topic("m.06c62", "Rome"),)
    assert rome.meta["commonness"] == -17.25
    assert [answer.value for answer in games.answers or ()] == ["1908", "1948", "2012"]
    assert list(games.programs) == ["graphquery"]
    assert players.answers == (Answer("literal", "11", datatype=XSD + "integer"),)
    assert players.function == "count"


def test_webqsp_has_the_other_parses_as_alternatives(written: Path) -> None:
    capital, moon, nobody = read(written / "webqsp.json")
    assert capital.text == "what is the capital of France?"
    assert capital.answers == (PARIS,)
    assert capital.topics == (Topic("m.0f8l9c", "France", "france"),)
    assert capital.programs["sexpr"] == "(JOIN (R location.country.capital) m.0f8l9c)"
    assert capital.hops == 1
    (other,) = capital.alternatives
    assert other.answers == ()
    assert other.programs["sparql"].endswith("ns:location.capital_of ns:m.0f8l9c }")
    assert other.meta["ParseId"] == "Written-1.P1"
    assert capital.source is not None
    assert capital.source.about == {"Version": "1.0", "FreebaseVersion": "2015-08-09"}
    assert moon.answers == (Answer("literal", "1969-07-20"),)
    assert (moon.hops, moon.topics) == (2, (Topic("m.0q_b", None, "moon"),))
    assert moon.meta["parse"]["Constraints"] == [{"Operator": "Equal"}]
    assert (nobody.text, nobody.answers, nobody.alternatives) == ("who lives next door", None, ())


def test_cwq(written: Path) -> None:
    capital, tower, river = read(written / "cwq.json")
    assert capital.answers == (Answer("entity", "m.05qtj", "Paris", aliases=("City of Light",)),)
    assert capital.function == "conjunction"
    assert capital.meta["webqsp_ID"] == "Written-1"
    assert tower.answers == (Answer("literal", "1889"), Answer("name", "the Belle Époque"))
    assert (river.answers, river.programs) == (None, {})


def test_freebaseqa(written: Path) -> None:
    (one,) = read(written / "freebaseqa.json")
    assert one.id == "FreebaseQA-written-0"
    assert one.answers == (Answer("entity", "m.04lg6", "leonardo da vinci", aliases=("leonardo",)),)
    assert [one.hops, *[gold.hops for gold in one.alternatives]] == [1, 2]
    assert one.meta["parse"]["InferentialChain"] == "visual_art.artwork.artist"


def test_qald(written: Path) -> None:
    river, planets, austria, wide, cheese = read(written / "qald.json")
    assert (river.id, river.text) == ("0", "Which river flows through Vienna?")
    assert river.answers == (Answer("entity", "http://www.wikidata.org/entity/Q1653"),)
    assert river.meta["question"][0]["keywords"] == "river, Vienna"
    assert planets.text == "Wie viele Planeten hat die Sonne?"  # there is no English
    assert planets.meta["language"] == "de"
    assert planets.answers == (Answer("literal", "8", datatype=XSD + "integer"),)
    assert austria.answers == (Answer("boolean", "true", datatype=XSD + "boolean"),)
    assert wide.answers == (Answer("literal", "Wien", language="de"),)
    assert wide.meta["rows"][0]["of"] == {"type": "bnode", "value": "b0"}
    assert wide.meta["query"] == {"pseudo": "none", "sparql": ""}
    assert cheese.answers == ()
    german = read(written / "qald.json", language="de")
    assert german[0].text == "Welcher Fluss fließt durch Wien?"
    assert german[2].text == "Is Vienna in Austria?"


def test_metaqa(written: Path) -> None:
    lang, rec, harbou = read(written / "metaqa.txt")
    assert (lang.id, lang.text, lang.hops) == ("1hop-1", "what films did Fritz Lang direct", 1)
    assert lang.answers == (Answer("name", "Metropolis"), Answer("name", "M"))
    assert lang.topics == (Topic(None, "Fritz Lang", "Fritz Lang"),)
    assert rec.topics == (Topic(None, "[REC]", "[REC]"),)
    assert rec.text == "[REC] was directed by whom"
    assert (harbou.id, harbou.hops, harbou.meta["type"]) == ("2hop-3", 2, "writer_to_movie_to_actor")
    (vanilla,) = read(written / "metaqa-vanilla.txt")
    assert (vanilla.id, vanilla.hops) == ("1", None)


def test_multiple_choice_has_the_same_in_both_ways_of_writing(written: Path) -> None:
    assert read(written / "csqa.jsonl")[0] == read(written / "csqa-flat.jsonl")[0]
    umbrella, ice = read(written / "csqa.jsonl")
    assert umbrella.text == "Where is an umbrella of most use?"
    assert umbrella.choices == (Choice("A", "desert"), Choice("B", "rain"), Choice("C", "cellar"))
    assert umbrella.answers == (Answer("choice", "B", "rain"),)
    assert umbrella.topics == (Topic(None, "umbrella"),)
    assert ice.answers is None  # a test set has no key
    assert read(written / "csqa-flat.jsonl")[1].answers is None
    (magnet,) = read(written / "obqa.jsonl")
    (flat,) = read(written / "obqa-flat.jsonl")
    assert (magnet.choices, magnet.answers) == (flat.choices, flat.answers)
    assert magnet.answers == (Answer("choice", "B", "iron"),)
    assert magnet.meta["fact1"] == "a magnet attracts iron"


def test_csqa2(written: Path) -> None:
    whale, ice, stones = read(written / "csqa2.jsonl")
    assert whale.answers == (Answer("boolean", "false", "no"),)
    assert whale.topics == (Topic(None, "whale"),)
    assert whale.meta["relational_prompt"] == "is a"
    assert ice.answers == (Answer("boolean", "true", "yes"),)
    assert stones.answers is None


def test_medqa(written: Path) -> None:
    scurvy, insulin = read(written / "medqa.jsonl")
    assert (scurvy.id, insulin.id) == ("1", "2")
    assert scurvy.answers == (Answer("choice", "C", "Vitamin C"),)
    assert scurvy.meta["metamap_phrases"] == ["vitamin", "scurvy"]
    assert insulin.choices == (Choice("A", "Liver"), Choice("B", "Pancreas"))
    assert insulin.answers == (Answer("choice", "B", "Pancreas"),)


def test_nestkgqa_of_pylf_and_as_its_paper_describes_it(written: Path) -> None:
    (own,) = read(written / "nestkgqa.jsonl")
    assert "neg=True" in own.programs["pylf"]
    assert own.answers is not None
    assert own.answers[0] == Answer("entity", "http://example.org/vostok", "Vostok")
    assert own.meta["constraints"] == {"positive": 0, "negative": 1, "calculation": 1}
    assert own.meta["snapshot"] == "5f1d"
    (published,) = read(written / "nestkgqa-published.json")
    assert "neg = True" in published.programs["pylf"]
    assert published.level == "zero-shot"
    assert published.answers == (Answer("entity", "m.03rjj", "Italy"),)


def test_own_records_and_others_like_them(written: Path) -> None:
    danube, metals, gas, never = read(written / "pylf.jsonl")
    assert danube.answers == (Answer("boolean", "true", datatype=XSD + "boolean"),)
    assert (danube.hops, danube.meta) == (1, {"source": "written"})
    assert metals.id == "2"
    assert metals.answers == (Answer("name", "mercury"), Answer("entity", "m.025sq", "Caesium", aliases=("Cs",)))
    assert metals.topics == (Topic("m.025sw", "metal"),)
    assert gas.choices == (Choice("A", "oxygen"), Choice("B", "neon"))
    assert gas.answers == (Answer("choice", "B", "neon"),)
    assert gas.topics == (Topic("m.0f6c", "noble gas"),)
    assert never.answers is None
