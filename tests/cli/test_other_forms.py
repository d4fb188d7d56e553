"""Questions in SPARQL, as chains, paths and subgraphs, on the command line: every command takes them."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

NS = "http://pylf.example/rockets/"
HEIGHT = f"<{NS}spaceflight.rocket.height>"
TALLEST = f"SELECT ?x WHERE {{ ?x {HEIGHT} ?h FILTER(?h > 60 OR ?h < 5) }} ORDER BY DESC(?h) LIMIT 1"
PROGRAM = "x = STOP(JOIN('spaceflight.rocket.manufacturer', START(':boeing')))"
#: one question in each form
SAME = {
    "sparql": f"SELECT DISTINCT ?x {{ ?x <{NS}spaceflight.rocket.manufacturer> <{NS}boeing> }}",
    "chain": ":boeing -> ~spaceflight.rocket.manufacturer",
    "path": "?x -> spaceflight.rocket.manufacturer -> :boeing",
}
AROUND = "subgraph around :Twitter within 1 hop"


@pytest.fixture
def rivals(pylf: Command, root: Path, here: Path) -> Path:
    table = root / "examples" / "rivals" / "rivals.tsv"
    loaded = pylf(
        "kg", "load", table, "--into", "rivals", "--confidence", "n-ary", "--namespace", "http://rivals.example/"
    )
    assert loaded.status == 0, loaded.err
    return here / "rivals"


@pytest.mark.parametrize("form", SAME)
def test_every_command_takes_it(pylf: Command, here: Path, form: str) -> None:
    (here / "a.txt").write_text(SAME[form], encoding="utf-8")
    (here / "p.pylf").write_text(PROGRAM, encoding="utf-8")
    given = ("a.txt", "--from", form)
    assert pylf("check", *given).out == "a.txt: ok\n"
    data = json.loads(pylf("compile", *given, "--json").out)
    assert data["fingerprint"] == json.loads(pylf("compile", "p.pylf", "--json").out)["fingerprint"]
    assert data["ties"] == "kept"
    assert "# Question" in pylf("compile", *given, "--explain").out
    assert pylf("opt", *given, "--diff").status == 0
    assert pylf("equiv", "a.txt", "p.pylf", "--from-a", form).out.startswith("equivalent")
    ran = pylf("run", *given, "--json")
    assert json.loads(ran.out)["answers"] == json.loads(pylf("run", "p.pylf", "--json").out)["answers"] != []
    why = pylf("run", *given, "--why")
    assert why.status == 0
    assert "spaceflight.rocket.manufacturer" in why.out
    assert pylf("compile", *given, "--dialect", "virtuoso", "-O2").status == 0


@pytest.mark.parametrize("to", ["chain", "path", "subgraph"])
def test_what_is_written_in_a_form_reads_back(pylf: Command, here: Path, to: str) -> None:
    for form, text in SAME.items():
        (here / "a.txt").write_text(text, encoding="utf-8")
        done = pylf("compile", "a.txt", "--from", form, "--to", to)
        if to == "subgraph":
            assert (done.status, done.out) == (2, "")
            assert "error[no-subgraph]" in done.err
            assert "a.txt:1:" in done.err
            continue
        (here / "b.txt").write_text(done.out, encoding="utf-8")
        both = [
            json.loads(pylf("compile", *given, "--json").out)["fingerprint"]
            for given in (("a.txt", "--from", form), ("b.txt", "--from", to))
        ]
        assert both[0] == both[1]


def test_a_subgraph_as_table_json_and_csv(pylf: Command, rivals: Path, here: Path) -> None:
    (here / "a.txt").write_text(AROUND, encoding="utf-8")
    given = ("a.txt", "--from", "subgraph", "--kg", rivals)
    table = pylf("run", *given)
    assert table.status == 0, table.err
    data = json.loads(pylf("run", *given, "--format", "json").out)
    assert data["form"] == "subgraph"
    rows = list(csv.reader(io.StringIO(pylf("run", *given, "--format", "csv").out)))
    assert [name.removesuffix("_label") for name in rows[0]][::2] == data["columns"]
    assert len(rows) - 1 == len(data["rows"]) == len(table.out.splitlines()) > 3
    cells = [[cell["value"] for cell in row] for row in data["rows"]]
    assert [row[::2] for row in rows[1:]] == cells
    assert all("http://rivals.example/Twitter" in row for row in cells)
    (here / "b.txt").write_text(pylf("compile", *given, "--to", "subgraph").out, encoding="utf-8")
    assert json.loads(pylf("run", "b.txt", *given[1:], "--json").out)["rows"] == data["rows"]
    checked = pylf("check", *given)
    assert (checked.status, checked.out) == (0, "a.txt: ok\n")
    assert pylf("run", *given, "--why").status == 0


# -- choices


def test_ties_are_kept_or_cut(pylf: Command, here: Path) -> None:
    (here / "a.rq").write_text(TALLEST, encoding="utf-8")
    kept = pylf("compile", "a.rq", "--from", "sparql", "--to", "ir")
    assert "with largest ?h by number" in kept.out
    assert "warning[not-standard]" in kept.err
    assert pylf("compile", "a.rq", "--from", "sparql", "--to", "ir", "--ties", "kept").out == kept.out
    assert "limit 1" in pylf("compile", "a.rq", "--from", "sparql", "--to", "ir", "--ties", "cut").out
    assert json.loads(pylf("run", "a.rq", "--from", "sparql", "--ties", "cut", "--json").out)["ties"] == "cut"


def test_ties_are_cut_in_sparql_alone(pylf: Command, here: Path) -> None:
    (here / "a.rq").write_text(TALLEST, encoding="utf-8")
    (here / "p.pylf").write_text(PROGRAM, encoding="utf-8")
    for command in ("compile", "run"):
        status, out, err = pylf(command, "p.pylf", "--ties", "cut")
        assert (status, out) == (2, "")
        assert "ties are cut in SPARQL alone" in err
    assert pylf("compile", "p.pylf", "--ties", "kept").status == 0
    # of two questions those in SPARQL
    assert pylf("equiv", "a.rq", "p.pylf", "--from-a", "sparql", "--ties", "cut").out.startswith("different")
    assert pylf("equiv", "p.pylf", "p.pylf", "--ties", "cut").status == 2


def test_strict_refuses_spellings_and_names(pylf: Command, here: Path) -> None:
    (here / "a.rq").write_text(TALLEST, encoding="utf-8")
    checked = pylf("check", "a.rq", "--from", "sparql", "--strict")
    assert checked.status == 1
    assert "error[not-standard]" in checked.out
    (here / "a.rq").write_text(f"SELECT ?x {{ ?x {HEIGHT} ?h ; a <{NS}rokcet> ; <{NS}heigth> ?i }}", encoding="utf-8")
    found = json.loads(pylf("check", "a.rq", "--from", "sparql", "--strict", "--json").out)
    assert [(each["code"], each["line"]) for each in found] == [("unknown-class", 1), ("unknown-relation", 1)]
    assert pylf("check", "a.rq", "--from", "sparql").status == 0


def test_now_is_today(pylf: Command, here: Path) -> None:
    (here / "a.rq").write_text("SELECT ?x { ?x <urn:p> ?d FILTER(?d < NOW()) }", encoding="utf-8")
    assert (
        '"2001-02-03T00:00:00Z"'
        in pylf("compile", "a.rq", "--from", "sparql", "--to", "ir", "--today", "2001-02-03").out
    )
    assert pylf("compile", "a.rq", "--from", "sparql").status == 0


@pytest.mark.parametrize("form", ["sparql", "subgraph"])
def test_a_form_without_topics_excludes_none(pylf: Command, form: str) -> None:
    status, _, err = pylf("compile", "-", "--from", form, "--exclude-topic", stdin=SAME["sparql"])
    assert status == 2
    assert "exclude_topic is for programs" in err


# -- fmt


@pytest.mark.parametrize(
    ("form", "ugly", "neat"),
    [
        ("sexpr", "(JOIN  a.b\n :c )", "(JOIN a.b :c)\n"),
        ("chain", ":a  ->  b  [ max ->c ]\n", ":a -> b [largest -> c]\n"),
        ("path", "Alice  ->  knows -> ?x", "Alice -> knows -> ?x\n"),
        ("subgraph", "subgraph around 'A' within 2 hops outward", "subgraph around 'A'\n  within 2 hops\n  outward\n"),
        ("sparql", "select ?x{?x <urn:a#b> '#'}", 'SELECT ?x WHERE {\n  ?x <urn:a#b> "#" .\n}\n'),
    ],
)
def test_fmt_prints_each_form_in_its_own_style(pylf: Command, here: Path, form: str, ugly: str, neat: str) -> None:
    assert pylf("fmt", "-", "--from", form, stdin=ugly) == (0, neat, "")
    assert pylf("fmt", "-", "--from", form, stdin=neat) == (0, neat, "")
    (here / "a").write_text(ugly, encoding="utf-8")
    assert pylf("fmt", "a", "--from", form, "--check").status == 1
    assert pylf("fmt", "a", "--from", form) == (0, "", "a: formatted\n")
    assert (here / "a").read_text(encoding="utf-8") == neat


@pytest.mark.parametrize(
    ("form", "text", "place"),
    [
        ("sparql", "SELECT ?x # which\n{ ?x <urn:a#b> '#' }", "1:11"),
        ("sparql", "SELECT ?x { ?x <urn:a> 1 }\n# end", "2:1"),
        ("subgraph", "subgraph around 'a#b' # those\n", "1:23"),
        ("path", "# one\nAlice -> knows#well -> ?x\n", "1:1"),
        ("chain", ":a -> b#c [count] # how many\n", "1:19"),
    ],
)
def test_fmt_leaves_a_text_alone_whose_comments_it_would_lose(
    pylf: Command, here: Path, form: str, text: str, place: str
) -> None:
    (here / "a").write_text(text, encoding="utf-8")
    status, out, err = pylf("fmt", "a", "--from", form)
    assert (status, out) == (2, "")
    assert f"--> a:{place}\n" in err
    assert "error[comment]" in err
    assert (here / "a").read_text(encoding="utf-8") == text


# -- tables


@pytest.mark.parametrize("kind", ["reification", "n-ary", "singleton", "triple-term", "quad"])
def test_a_table_is_loaded_with_its_confidences(pylf: Command, here: Path, kind: str) -> None:
    (here / "t.tsv").write_text("Twitter\trivals\tMyspace\t0.25\nTwitter\trivals\tMeta\t0.75\n", encoding="utf-8")
    status, _, err = pylf("kg", "load", "t.tsv", "--into", "g", "--confidence", kind)
    assert status == 0, err
    (here / "a.txt").write_text("subgraph around 'Twitter' with confidence >= 0.5", encoding="utf-8")
    data = json.loads(pylf("run", "a.txt", "--from", "subgraph", "--kg", "g", "--json").out)
    assert [[cell["value"] for cell in row] for row in data["rows"]] == [
        ["urn:ukg:Twitter", "urn:ukg:rivals", "urn:ukg:Meta", "0.75"]
    ]
    sources = json.loads(pylf("kg", "info", "g", "--json").out)["sources"]
    assert [source["name"] for source in sources] == ["t.tsv.nq"]


def test_a_table_that_is_none(pylf: Command, here: Path) -> None:
    (here / "t.tsv").write_text("a\tb\tc\n", encoding="utf-8")
    status, _, err = pylf("kg", "load", "t.tsv", "--into", "g", "--confidence", "quad")
    assert status == 2
    assert "t.tsv:1: head, relation, tail and confidence are wanted" in err
    assert not (here / "g").exists()
    assert "one table makes a graph" in pylf("kg", "load", "t.tsv", "t.tsv", "--into", "g", "--confidence", "quad").err
    assert "--namespace is for tables" in pylf("kg", "load", "t.tsv", "--into", "g", "--namespace", "urn:x:").err
