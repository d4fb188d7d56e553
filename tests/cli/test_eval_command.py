"""``pylf eval`` and ``pylf predict``."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Command

ROCKETS = (
    {
        "id": "a",
        "question": "Which rockets does SpaceX make?",
        "program": "x = STOP(JOIN('spaceflight.rocket.manufacturer', START('SpaceX')))",
        "answers": [{"kind": "name", "value": "Falcon 9"}],
        "level": "iid",
    },
    {
        "id": "b",
        "question": "Broken?",
        "program": "STOP(",
        "answers": [{"kind": "name", "value": "x"}],
        "level": "zero",
    },
    {
        "id": "c",
        "question": "How many SpaceXs?",
        "program": "x = STOP(COUNT(START('SpaceX')))",
        "answers": [{"kind": "literal", "value": "1", "datatype": "http://www.w3.org/2001/XMLSchema#integer"}],
        "level": "iid",
    },
)


@pytest.fixture
def rockets(here: Path) -> Path:
    path = here / "rockets.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in ROCKETS), encoding="utf-8")
    return path


def test_run_asks_scores_reports_and_goes_on(pylf: Command, rockets: Path, here: Path) -> None:
    call = ("eval", "run", rockets, "--method", "gold", "-o", "r.jsonl", "--report", "r.html", "--report", "r.md")
    status, out, err = pylf(*call)
    assert status == 0
    assert out.startswith("3 questions, 3 scored, 0 with empty gold\n")
    assert "outcomes: answered 2, empty 0, timeout 0, invalid 1\n" in out
    assert "3/3 · 1 invalid\n" in err
    assert (here / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "## By level" in (here / "r.md").read_text(encoding="utf-8")
    lines = (here / "r.jsonl").read_bytes()
    again = pylf(*call)
    assert (again.out, (here / "r.jsonl").read_bytes()) == (out, lines)
    assert "(3 of them before)" in again.err


def test_score_and_compare_read_what_run_wrote(pylf: Command, rockets: Path, here: Path) -> None:
    pylf("eval", "run", rockets, "--method", "gold", "-o", "all.jsonl")
    pylf("eval", "run", rockets, "--method", "gold", "-o", "two.jsonl", "--first", "2")
    data = json.loads(pylf("eval", "score", "all.jsonl", "--json", "--by", "level", "--draws", "100").out)
    assert data["averages"]["accuracy"]["value"] == pytest.approx(1 / 3)
    assert data["runs"][0]["engine"]["dialect"] == "oxigraph"
    assert len(data["runs"][0]["data"]["sha256"]) == 64
    assert [(one["value"], one["questions"]) for one in data["by"]["level"]] == [("iid", 2), ("zero", 1)]
    lines = (here / "all.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (here / "some.jsonl").write_text("".join(lines[:2]), encoding="utf-8")
    part = json.loads(pylf("eval", "score", "some.jsonl", "--gold", rockets, "--json").out)
    assert part["outcomes"]["not asked"] == 1
    assert part["averages"]["accuracy"] == {"value": 0, "count": 3, "low": 0, "high": 0}
    status, out, _ = pylf("eval", "compare", "all.jsonl", "two.jsonl")
    assert status == 0
    assert out.startswith("2 questions in common\n")
    forms = json.loads(pylf("eval", "score", "all.jsonl", "--gold", rockets, "--forms", "--json").out)
    assert forms["averages"]["form"]["value"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("run", "rockets.jsonl", "--method", "magic", "-o", "r.jsonl"), "there is no method 'magic'"),
        (("run", "rockets.jsonl", "--method", "nowhere:f", "-o", "r.jsonl"), "--method nowhere:f: No module"),
        (("run", "rockets.jsonl", "--method", "json:nothing", "-o", "r.jsonl"), "has no attribute 'nothing'"),
        (("run", "nowhere.jsonl", "--method", "gold", "-o", "r.jsonl"), "nowhere.jsonl"),
        (("run", "rockets.jsonl", "--method", "gold", "-o", "no/r.jsonl"), "no/r.jsonl: no such file"),
        (("run", "rockets.jsonl", "--method", "gold", "-o", "r.jsonl", "--again", "bad"), "there is no outcome 'bad'"),
        (("run", "rockets.jsonl", "--method", "gold", "-o", "r.jsonl", "--report", "r.pdf"), "ends in .html or .md"),
        (("score", "rockets.jsonl"), "no records of questions"),
        (("score", "nowhere.jsonl"), "no such file"),
        (("score", "empty.jsonl"), "holds no records"),
        (("run", "-", "--method", "gold", "-o", "r.jsonl"), "- is no file: a run goes on with its questions"),
        (("run", "rockets.jsonl", "--method", "broken:f", "-o", "r.jsonl"), "--method broken:f: SyntaxError: "),
        (("run", "rockets.jsonl", "--method", "bad:f", "-o", "r.jsonl"), "--method bad:f: ZeroDivisionError: division"),
        (("run", "rockets.jsonl", "--method", "leaves:f", "-o", "r.jsonl"), "--method leaves:f: SystemExit: 3"),
        (
            ("run", "rockets.jsonl", "--method", "gold", "-o", "r.jsonl", "--by", "no"),
            "no question has a tag 'no'; they",
        ),
        (("run", "rockets.jsonl", "--method", "gold", "-o", "r.jsonl", "--draws", "-1"), "'-1' is not a whole number"),
        (
            ("run", "rockets.jsonl", "--method", "gold", "-o", "r.jsonl", "--give-up", "-1"),
            "'-1' is not a whole number",
        ),
        (("run", "rockets.jsonl", "--method", "gold", "-o", "r.jsonl", "--report", "no/r.md"), "no/r.md: no such file"),
        (
            ("run", "rockets.jsonl", "--method", "gold", "-o", "rockets.jsonl"),
            "is the questions, and cannot be the rec",
        ),
        (("run", "rockets.jsonl", "--method", "gold", "-o", "rockets.jsonl", "--fresh"), "is the questions"),
        (("run", "rockets.jsonl", "--method", "gold", "-o", "notes.md", "--fresh"), "holds no records of questions"),
        (("run", "rockets.jsonl", "--method", "gold", "-o", "r.md", "--report", "r.md"), "is report 1, and cannot be"),
        (
            ("run", "rockets.jsonl", "--method", "gold", "-o", "r.jsonl", "--report", "r.md", "--report", "./r.md"),
            "report",
        ),
        (("run", "rockets.jsonl", "--method", "gold", "-o", "x.ttl", "--kg", "x.ttl"), "is the graph, and cannot be"),
        (("score", "r.md", "--report", "r.md"), "is the records, and cannot be report 1"),
        (("score", "r.jsonl", "--gold", "q.md", "--report", "q.md"), "is the questions, and cannot be report 1"),
        (("compare", "a.jsonl", "b.md", "--report", "b.md"), "is those of the second run, and cannot be report 1"),
        (("score", "empty.jsonl", "--kg", "bundled"), "--kg is of no use without --forms"),
        (("score", "empty.jsonl", "--schema", "s.ttl"), "--schema is of no use without --forms"),
        (("score", "empty.jsonl", "--vocab", "rdf"), "--vocab is of no use without --forms"),
        (("score", "empty.jsonl", "--no-cache"), "--no-cache is of no use without --forms"),
        (("score", "empty.jsonl", "--gold-format", "qald"), "--gold-format is of no use without --gold"),
        (("score", "empty.jsonl", "--language", "de"), "--language is of no use without --gold"),
        (("score", "empty.jsonl", "--gold", "rockets.jsonl", "--gold-format", "x"), "--gold-format: 'x' is not known"),
    ],
)
def test_what_is_no_call_is_told(
    pylf: Command, rockets: Path, here: Path, arguments: tuple[str, ...], told: str
) -> None:
    (here / "empty.jsonl").touch()
    (here / "x.ttl").touch()
    (here / "notes.md").write_text("# notes\nof a year\n", encoding="utf-8")
    for name, text in (("broken", "def ("), ("bad", "1 / 0"), ("leaves", "raise SystemExit(3)")):
        (here / f"{name}.py").write_text(text, encoding="utf-8")
    before = {path.name: path.read_bytes() for path in here.iterdir()}
    status, out, err = pylf("eval", *arguments)
    assert (status, out) == (2, "")
    assert told in err
    assert {path.name: path.read_bytes() for path in here.iterdir() if path.is_file()} == before


def test_predict_overwrites_nothing(pylf: Command, rockets: Path, listed: Callable[[], list[str]]) -> None:
    before = rockets.read_bytes()
    for form in ("choices", "jsonl"):
        status, _, err = pylf("predict", rockets, "--method", "gold", "--to", form, "-o", rockets)
        assert status == 2
        assert "is the questions, and cannot be the" in err
    assert (rockets.read_bytes(), listed()) == (before, ["rockets.jsonl"])


def test_scores_of_a_part_are_over_that_part(pylf: Command, rockets: Path, here: Path) -> None:
    for part, told in (("--first", "the first 2"), ("--sample", "a sample of 2, seed 3")):
        pylf("eval", "run", rockets, "--method", "gold", "-o", f"{part[2:]}.jsonl", part, "2", "--seed", "3")
        score = ("eval", "score", f"{part[2:]}.jsonl", "--json", "--draws", "0")
        alone = json.loads(pylf(*score).out)
        status, out, err = pylf(*score, "--gold", rockets)
        data = json.loads(out)
        assert (status, data["questions"], data["averages"]) == (0, 2, alone["averages"])
        assert f"is of {told}: these 2 of 3 questions count" in err
    other = here / "other.jsonl"  # the same questions and one that no run has seen, which moves the sample
    other.write_text(
        json.dumps(ROCKETS[0] | {"id": "z"}) + "\n" + rockets.read_text(encoding="utf-8"), encoding="utf-8"
    )
    _, out, err = pylf("eval", "score", "first.jsonl", "--json", "--gold", other)
    assert json.loads(out)["outcomes"]["not asked"] == 2
    assert "but of other questions than these: all of other.jsonl count" in err.replace(f"{here}/", "")


def test_a_run_tells_of_lines_that_are_no_records(pylf: Command, rockets: Path, here: Path) -> None:
    run = ("eval", "run", rockets, "--method", "gold", "-o", "r.jsonl")
    pylf(*run)
    with (here / "r.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"id":"b","question":"?","outcome":"newer","answers":[]}\n')
    before = (here / "r.jsonl").read_bytes()
    for call in (run, ("eval", "score", "r.jsonl"), ("eval", "compare", "r.jsonl", "r.jsonl")):
        status, _, err = pylf(*call)
        assert status == 0
        assert "r.jsonl: lines that are no records: 1, the first is line 4\n" in err
    assert (here / "r.jsonl").read_bytes() == before


def test_the_schema_and_the_vocabulary_are_part_of_a_run(pylf: Command, rockets: Path, here: Path) -> None:
    (here / "g.ttl").write_text("@prefix : <http://e/> . :a :r :b .", encoding="utf-8")
    for name in ("s", "t"):
        text = f"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . <http://e/{name}> rdfs:label '{name}' ."
        (here / f"{name}.ttl").write_text(text, encoding="utf-8")
    run = ("eval", "run", rockets, "--method", "gold", "--kg", "g.ttl", "-o", "r.jsonl", "--schema")
    assert pylf(*run, "s.ttl").status == 0
    setup = json.loads((here / "r.jsonl").read_text(encoding="utf-8").splitlines()[0])["run"]
    assert setup["engine"]["name"] == "oxigraph"
    assert setup["engine"]["version"].startswith("oxigraph ")
    assert sorted(setup["hashes"]) == ["schema", "vocabulary"]
    status, _, err = pylf(*run, "t.ttl")
    assert (status, "of another run: its hashes.schema was" in err) == (2, True)
    status, _, err = pylf(*run, "s.ttl", "--vocab", "wikidata")
    assert (status, "of another run: its hashes.vocabulary was" in err) == (2, True)
    assert pylf(*run, "s.ttl").status == 0


def test_a_set_in_several_languages_is_asked_in_one_of_them(pylf: Command, here: Path) -> None:
    asked = [{"language": "en", "string": "Which river?"}, {"language": "de", "string": "Welcher Fluß?"}]
    answers = [{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": "http://e/a"}}]}}]
    data = {"questions": [{"id": "1", "question": asked, "query": {"sparql": ""}, "answers": answers}]}
    (here / "qald.json").write_text(json.dumps(data, ensure_ascii=False), encoding="latin-1")
    (here / "own_method.py").write_text(METHOD, encoding="utf-8")
    read = ("--language", "de", "--encoding", "latin-1")
    for call in (("eval", "run"), ("predict",)):
        status, _, err = pylf(*call, "qald.json", "--method", "own_method:first", "-o", f"{call[0]}.jsonl", *read)
        assert status == 0, err
        one = json.loads((here / f"{call[0]}.jsonl").read_text(encoding="utf-8"))
        assert one["question"] == "Welcher Fluß?"
        assert one["run"]["data"]["language"] == "de"
    status, out, _ = pylf(
        "eval", "score", "eval.jsonl", "--gold", "qald.json", *read, "--gold-format", "qald", "--json"
    )
    assert (status, json.loads(out)["questions"]) == (0, 1)


def test_nothing_ends_a_run_where_that_is_asked_for(pylf: Command, here: Path) -> None:
    lines = [json.dumps({"id": str(n), "question": "?", "answers": []}) + "\n" for n in range(25)]
    (here / "many.jsonl").write_text("".join(lines), encoding="utf-8")
    (here / "down.py").write_text("def fails(question):\n    raise OSError('down')\n", encoding="utf-8")
    run = ("eval", "run", "many.jsonl", "--method", "down:fails", "--draws", "0", "-o")
    status, _, err = pylf(*run, "a.jsonl")
    assert (status, "stopped: 20 questions in a row failed" in err) == (4, True)
    status, _, err = pylf(*run, "b.jsonl", "--give-up", "0", "--timeout", "inf")
    assert status == 0
    assert "25/25 · 25 failed\n" in err


def test_tags_that_a_method_of_ones_own_does_not_give_cost_no_report(pylf: Command, rockets: Path, here: Path) -> None:
    (here / "own_method.py").write_text(METHOD, encoding="utf-8")
    run = ("eval", "run", rockets, "--method", "own_method:first", "-o", "r.jsonl", "--by", "own", "--by", "level")
    status, out, err = pylf(*run, "--json")
    assert (status, list(json.loads(out)["by"])) == (0, ["level"])
    assert "no question has a tag 'own'; they have kinds, level" in err


@pytest.mark.skipif(sys.platform == "win32", reason="limits on files are POSIX's")
def test_a_full_disk_ends_a_run_with_its_report(rockets: Path, here: Path, env: dict[str, str]) -> None:
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1_500, 1_500))\n"
    script = limit + "from pylf.cli.main import main; sys.exit(main(sys.argv[1:]))"
    call = [sys.executable, "-c", script, "eval", "run", str(rockets), "--method", "gold", "-o", "r.jsonl"]
    env = env | {"PYTHONDONTWRITEBYTECODE": "1"}  # else what is compiled is cut off too
    done = subprocess.run(call, cwd=here, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "3 questions, 3 scored" in done.stdout
    assert "not asked 2" in done.stdout
    assert "stopped: r.jsonl: file too large; 2 questions were not asked" in done.stderr


METHOD = """
from pylf.datasets.formats.question import Answer
from pylf.evaluation import Ended, Record
from pylf.models.chat.errors import BudgetSpent

def first(question):
    return Record(question.id, question.text, Ended.ANSWERED, (Answer("name", "Falcon 9"),))

def poor(question):
    if question.id == "c":
        raise BudgetSpent("the budget of 2 calls is used up")
    return first(question)
"""


def test_a_method_of_ones_own_and_a_run_that_stops(pylf: Command, rockets: Path, here: Path) -> None:
    (here / "own_method.py").write_text(METHOD, encoding="utf-8")
    status, out, err = pylf("eval", "run", rockets, "--method", "own_method:poor", "-o", "r.jsonl", "--jobs", "2")
    assert status == 4
    assert "budget spent 1" in out
    assert "stopped: the budget of 2 calls is used up" in err
    assert "the same command goes on from there" in err
    status, _, err = pylf("eval", "run", rockets, "--method", "own_method:first", "-o", "r.jsonl")
    assert status == 2
    assert "its method was own_method:poor and is now own_method:first" in err


def test_predict_writes_official_formats(pylf: Command, rockets: Path, here: Path) -> None:
    status, out, _ = pylf("predict", rockets, "--method", "gold", "-o", "p.json", "--to", "grailqa")
    assert (status, out) == (0, "")
    found = json.loads((here / "p.json").read_text(encoding="utf-8"))
    assert list(found) == ["a", "b", "c"]
    assert found["c"]["answer"] == ["1"]
    assert (here / "p.json.records.jsonl").exists()
    status, *_ = pylf("predict", rockets, "--method", "gold", "-o", "p.jsonl", "--sample", "2", "--seed", "1")
    assert status == 0
    assert len((here / "p.jsonl").read_text(encoding="utf-8").splitlines()) == 2
