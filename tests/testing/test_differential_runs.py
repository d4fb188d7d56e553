"""The machinery of differential runs: an engine that lies is found out, the lie made small, written down and replayed;
a run that is killed goes on."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from pylf.backends.dialects import dialect_named
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.errors import EngineError, UnsupportedOperation
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.ir.passes import listed
from pylf.ir.schema.model import Relation
from pylf.ir.terms import XSD, XSD_BOOLEAN, Iri, Literal
from pylf.ir.text import print_query
from pylf.ir.values import identity
from pylf.language.parser import parse
from pylf.testing.differential.__main__ import main
from pylf.testing.differential.case import Case
from pylf.testing.differential.engines import Embedded, Engines, text_of
from pylf.testing.differential.replay import read, written
from pylf.testing.differential.shrink import smallest
from pylf.testing.differential.toml import block_text
from pylf.testing.differential.verdict import Failure, fails
from pylf.testing.drawn.graphs import VALUES
from pylf.testing.drawn.schemas import NS, VOCABULARY, Rows
from pylf.testing.drawn.worlds import Setting, block

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.passes.manager import Observer
    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Node

TRUE, ONE = Literal("true", XSD_BOOLEAN), Literal("1", XSD + "integer")
MODULE = [sys.executable, "-m", "pylf.testing.differential"]


class Oxigraph(Embedded):
    def __init__(self) -> None:
        super().__init__("oxigraph", "pyoxigraph", OxigraphEngine.memory)


class Liar(Oxigraph):
    """Oxigraph, but of a set that a negation took part in it keeps the first member to itself."""

    def ask(self, query: Query, schema: Schema, optimize: int, observer: Observer | None = None) -> Answers:
        found = super().ask(query, schema, optimize, observer)
        if found.form is Form.SET and found.values and "not" in print_query(query).split():
            return Answers.of_values(found.values[1:])
        return found


class Failing(Oxigraph):
    """Oxigraph that gives up at every union, and has no form for a count."""

    def ask(self, query: Query, schema: Schema, optimize: int, observer: Observer | None = None) -> Answers:
        text = print_query(query)
        if "either" in text.split():
            raise EngineError("it gives up")
        if "counts" in text.split():
            raise UnsupportedOperation("a count", "this engine")
        return super().ask(query, schema, optimize, observer)


class Losing(Oxigraph):
    """Oxigraph that holds every boolean as true, and takes no graph with a literal of a datatype it does not know."""

    def load(self, triples: Sequence[TripleRow]) -> None:
        if any(isinstance(o, Literal) and o.datatype.endswith("/datatype") for _, _, o in triples):
            raise EngineError("an unknown datatype")
        super().load([(s, p, self.kept(o)) for s, p, o in triples])

    @staticmethod
    def kept(node: Node) -> Node:
        boolean = isinstance(node, Literal) and node.datatype.endswith("#boolean")
        return Literal("true", XSD_BOOLEAN) if boolean else node


class Confusing(Oxigraph):
    """Oxigraph for which true is 1: one subject keeps the first of the two, and gives back a constant so."""

    def load(self, triples: Sequence[TripleRow]) -> None:
        seen: set[tuple[Node, Node]] = set()
        kept = []
        for s, p, o in triples:
            if identity(o) in (identity(TRUE), identity(ONE)):
                if (s, p) in seen:
                    continue
                seen.add((s, p))
            kept.append((s, p, o))
        super().load(kept)

    def ask(self, query: Query, schema: Schema, optimize: int, observer: Observer | None = None) -> Answers:
        found = super().ask(query, schema, optimize, observer)
        if found.form is Form.SET and f"<{NS}" not in print_query(query):  # constants alone
            return Answers.of_values(ONE if identity(value) == identity(TRUE) else value for value in found.values)
        return found


@pytest.fixture(scope="module")
def lie(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    """A run with the liar: its exit status and its folder."""
    folder = tmp_path_factory.mktemp("lie")
    status = main(
        ["--pairs", "60", "--failures", str(folder), "--report", str(folder / "report.md")], {"oxigraph": Liar}
    )
    return status, folder


def test_a_lie_is_found_and_made_small(lie: tuple[int, Path]) -> None:
    status, folder = lie
    assert status == 1
    report = (folder / "report.md").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in (folder / "blocks.jsonl").read_text(encoding="utf-8").splitlines()]
    filed = [failure for row in rows for failure in row.get("failures", ())]
    assert f"**Mismatches: {len(filed)}.**" in report
    assert "**0 errors.**" in report
    assert f"`python -m pylf.testing.differential --pairs 60 --failures {folder}" in report
    smallest_one = min(filed, key=lambda failure: (failure["triples"], len(failure["program"])))
    assert smallest_one["triples"] <= 2
    assert len(smallest_one["program"]) < 60
    assert all(failure["kind"] == "mismatch" for failure in filed)
    assert smallest_one["file"] in report


def test_the_file_of_a_lie_says_everything_and_replays(
    lie: tuple[int, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    files = sorted(lie[1].glob("oxigraph-*.toml"))
    assert files
    for file in files[:3]:
        assert main(["replay", str(file)], {"oxigraph": Liar}) == 1
        assert re.search(r"oxigraph at -O\d: mismatch: .*, not \{.+\}", capsys.readouterr().out)
        assert main(["replay", str(file), "--optimize", "0,1"]) == 0
        assert capsys.readouterr().out.count("agrees") == 2
    text = files[0].read_text(encoding="utf-8")
    assert "# SELECT" in text
    assert "# the reference says" in text
    assert "SERVICE" not in text


def test_what_an_engine_fails_at_or_has_no_form_for_is_no_agreement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--pairs", "60", "--failures", str(tmp_path)], {"oxigraph": Failing}) == 1
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if line.startswith("| oxigraph "))
    pairs, *_, unsupported, mismatches, errors = [cell.strip() for cell in row.strip("|").split("|")][1:]
    assert int(pairs) < 60
    assert unsupported != "0"
    assert mismatches == "0"
    assert int(errors) > 0
    assert "No form for a count:" in out
    assert "- engine error, `oxigraph-O" in out
    assert f"- {errors} × oxigraph, engine error: it gives up" in out


def test_values_that_an_engine_changes_are_left_out_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Engines({"oxigraph": Losing}) as engines:
        engines.get("oxigraph")
        probe = engines.probes["oxigraph"]
        booleans = {value for value in VALUES if value.datatype.endswith("#boolean")}
        assert probe.lost == {value for value in booleans if value.lexical in ("false", "maybe")} | {VALUES[-1]}
        triple = (Iri("urn:s"), Iri("urn:p"), VALUES[-1])
        assert probe.kept([triple]) == ()
    assert main(["--pairs", "100", "--failures", str(tmp_path)], {"oxigraph": Losing}) == 0
    assert 'Left out of its graphs, as it does not keep their value on loading: `"false"' in capsys.readouterr().out


def test_values_that_an_engine_takes_for_one_are_no_difference_and_hide_none() -> None:
    setting = Setting(Rows((Relation(NS + "v"),), ()), ((Iri(NS + "a"), Iri(NS + "v"), TRUE),))
    with Engines({"oxigraph": Confusing}) as engines:
        engines.get("oxigraph")
        probe = engines.probes["oxigraph"]
        assert [{identity(a), identity(b)} for a, b in probe.merged] == [{identity(TRUE), identity(ONE)}]
        assert [(identity(a), b) for a, b in probe.echoes] == [(identity(TRUE), ONE)]
        a, b, v, w = (Iri(NS + name) for name in "abvw")
        assert probe.kept([(a, v, ONE), (a, v, TRUE), (b, v, TRUE), (a, w, TRUE)]) == (
            *((a, v, ONE), (b, v, TRUE), (a, w, TRUE)),
        )

        def kind(expression: str) -> str | None:
            found = fails(Case(setting, parse(f"e = STOP({expression})")), "oxigraph", 0, engines)
            return None if found is None else found.kind

        assert kind("START('true^^xsd:boolean')") is None
        assert kind("JOIN('R_v', START(':a'))") is None
        assert kind("START('1^^xsd:integer')") is None
        assert kind("OR(START('true^^xsd:boolean'), START('1^^xsd:integer'))") == "mismatch"


def test_drawn_cases_survive_being_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    for number in range(60):
        drawn = block(17, number)
        case = Case(drawn.setting, next(drawn.programs))
        file.write_text(
            written(Failure(case, "oxigraph", 1, "mismatch", "a", "b"), "here", "oxigraph"), encoding="utf-8"
        )
        found = read(file)
        assert (found.case, found.engine, found.optimize) == (case, "oxigraph", 1)


@pytest.mark.parametrize("text", ["plain", "'''", "a\x07b", 'q"\\', "é 😀", "\x7f", "'''\U000e0001"])
def test_texts_survive_toml(text: str) -> None:
    import tomllib

    assert tomllib.loads(f"x = {block_text(text)}") == {"x": text + "\n"}


@pytest.mark.parametrize(
    "text",
    ["", "negation = 'maybe'", "\x00", "program = 1", "[[relation]]\niri = 'urn:r'\nno_such_field = 1"],
)
def test_what_is_no_replay_file_is_bad_input(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.toml"
    file.write_text(text, encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    assert "not a replay file" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "absent.toml")]) == 2


def test_disturbed_queries_survive_being_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    written_ones = 0
    for number in range(2, 80, 4):
        drawn = block(17, number, planned=True)
        assert drawn.disturbing is not None
        query = drawn.disturbing.plain()
        if query is None:
            continue
        failure = Failure(Case(drawn.setting, query), "oxigraph", 1, "mismatch", "a", "b", "minimize")
        file.write_text(written(failure, "here", "oxigraph"), encoding="utf-8")
        found = read(file)
        assert (found.case, found.engine, found.optimize, found.alone) == (failure.case, "oxigraph", 1, "minimize")
        assert found.case.text == print_query(query)
        written_ones += 1
    assert written_ones > 10


def test_a_lie_about_a_disturbed_query_is_made_small_and_replays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = ["--pairs", "120", "--planned", "--pass", "all", "--failures", str(tmp_path)]
    assert main(settings, {"oxigraph": Liar}) == 1
    capsys.readouterr()
    files = [read(file) for file in sorted(tmp_path.glob("*.toml"))]
    queries = [replay for replay in files if "where" in replay.case.text.splitlines()]
    assert queries
    assert all(replay.alone for replay in files)
    assert min(len(replay.case.setting.triples) for replay in queries) <= 2
    assert min(len(replay.case.text.splitlines()) for replay in queries) < 10
    file = next(file for file in sorted(tmp_path.glob("*.toml")) if "\nquery = " in file.read_text(encoding="utf-8"))
    assert main(["replay", str(file)], {"oxigraph": Liar}) == 1
    assert " alone: mismatch: " in capsys.readouterr().out
    assert main(["replay", str(file)]) == 0


def test_the_report_says_what_each_pass_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["--pairs", "400", "--planned", "--optimize", "2", "--pass", "all", "--alone", "80"]
    assert main([*settings, "--failures", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"At -O2 the passes changed \d+ of the 400 queries for oxigraph \(\d", out)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in out.splitlines()]
    found = {row[0]: list(map(int, row[2:])) for row in rows if row[0] in {one.name for one in listed()}}
    assert list(found) == [one.name for one in listed()]
    for name, (changed, asked, changed_alone, mismatches, errors) in found.items():
        assert changed > 0, name
        assert asked == 80, name
        assert changed_alone <= asked
        assert mismatches == errors == 0
    assert sum(row[2] for row in found.values()) > 20


def test_what_the_engine_is_asked_at_each_level_is_what_is_emitted() -> None:
    spoken = dialect_named("oxigraph")
    different = 0
    for number in range(2, 60, 4):
        drawn = block(23, number, planned=True)
        assert drawn.disturbing is not None
        for query in filter(None, (drawn.disturbing.plain() for _ in range(10))):
            texts = []
            for level in (0, 1, 2):
                try:
                    emitted = emit(query, drawn.schema, VOCABULARY, spoken, level)
                except UnsupportedOperation:
                    with pytest.raises(UnsupportedOperation):
                        text_of(query, drawn.schema, spoken, level)
                    continue
                assert text_of(query, drawn.schema, spoken, level) == emitted
                texts.append(emitted)
            different += len(set(texts)) > 1
    assert different > 30


def test_the_quickened_parser_reads_what_the_plain_one_does() -> None:
    """In a process of its own: it is for the whole process."""
    code = """
from pylf.backends.sparql import emit
from pylf.errors import UnsupportedOperation
from pylf.testing.differential.rdflib_parser import quicken
from pylf.testing.drawn.schemas import VOCABULARY
from pylf.testing.drawn.worlds import block
from rdflib.plugins.sparql.parser import parseQuery

texts = []
for number in range(2, 40, 4):
    drawn = block(29, number, planned=True)
    for query in filter(None, (drawn.disturbing.plain() for _ in range(3))):
        try:
            texts.append(emit(query, drawn.schema, VOCABULARY, "rdflib", 2))
        except UnsupportedOperation:
            pass
texts += ["SELECT ?x { ?x a <urn:é> ; <urn:p>+ 'a'@en, -1.5e3, .5, true . FILTER(?x IN (1, 2)) } LIMIT 3"]
plain = [parseQuery(text).dump() for text in texts]
quicken()
print(len(texts), plain == [parseQuery(text).dump() for text in texts])
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    count, same = ran.stdout.split()
    assert int(count) > 20
    assert same == "True"


def test_the_fewest_items_are_found() -> None:
    tried: list[tuple[int, ...]] = []

    def needs_two(items: tuple[int, ...]) -> bool:
        tried.append(items)
        return {3, 17} <= set(items)

    assert smallest(tuple(range(40)), needs_two) == (3, 17)
    assert len(tried) < 100
    assert smallest(tuple(range(5)), lambda _: True) == ()


def test_a_run_that_is_killed_goes_on(tmp_path: Path) -> None:
    settings = ["--pairs", "400", "--seed", "3", "--per-graph", "10"]
    killed = tmp_path / "killed"
    journal = killed / "blocks.jsonl"
    process = subprocess.Popen([*MODULE, *settings, "--failures", str(killed)], stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while (not journal.exists() or journal.read_bytes().count(b"\n") < 12) and time.monotonic() < until:
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = journal.read_bytes()
    done = before.count(b"\n")
    assert 12 <= done < 40
    journal.write_bytes(before + b'{"block": 39, "progr')  # as a row looks that was being written
    assert main([*settings, "--failures", str(killed)]) == 2
    assert main([*settings, "--failures", str(killed), "--resume", "--optimize", "1"]) == 2
    assert main([*settings, "--failures", str(killed), "--resume"]) == 0
    whole = tmp_path / "whole"
    assert main([*settings, "--failures", str(whole)]) == 0
    assert blocks(killed) == blocks(whole)
    assert journal.read_bytes().startswith(before)
    assert len(blocks(killed)) == 40


def blocks(folder: Path) -> list[dict[str, object]]:
    """The rows of a journal's blocks, without their times."""
    rows = [json.loads(line) for line in (folder / "blocks.jsonl").read_text(encoding="utf-8").splitlines()]
    found = sorted((row for row in rows if "block" in row), key=lambda row: row["block"])
    return [{key: value for key, value in row.items() if key != "seconds"} for row in found]


def test_several_processes_give_what_one_does(tmp_path: Path) -> None:
    settings = ["--pairs", "160", "--seed", "3", "--per-graph", "10", "--rdflib", "10"]
    alone, together = tmp_path / "alone", tmp_path / "together"
    assert main([*settings, "--failures", str(alone)]) == 0
    ran = subprocess.run(
        [*MODULE, *settings, "--jobs", "2", "--failures", str(together)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""  # no progress bar in a pipe
    assert "**0 mismatches, 0 errors.**" in ran.stdout
    assert blocks(alone) == blocks(together)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*MODULE, "--pairs", "4000", "--jobs", "2", "--failures", str(tmp_path)], stderr=subprocess.PIPE, text=True
    )
    journal = tmp_path / "blocks.jsonl"
    until = time.monotonic() + 60
    while (not journal.exists() or journal.read_bytes().count(b"\n") < 5) and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume goes on" in err
    assert "Traceback" not in err
    assert journal.read_bytes().endswith(b"\n")


@pytest.mark.parametrize("wrong", ["--pairs -1", "--jobs 0", "--optimize 7", "--seed x", "--pass x", "--alone -1"])
def test_wrong_settings_are_refused(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(wrong.split())
    assert ended.value.code == 2
    assert "error: argument" in capsys.readouterr().err
