"""``pylf doctor``: its report, its exit status, and the profile that it saves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pylf import doctor, graphs
from pylf.backends.http.endpoint_file import read_endpoint
from pylf.doctor import sizes
from pylf.ir.terms import Iri

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.testing import servers
    from tests.cli.conftest import Command

DATA = "<urn:a> <urn:knows> <urn:b> .\n<urn:b> <urn:knows> <urn:c> .\n"
GOLD = (
    '{"id": "one", "program": "x = STOP(JOIN(\'<urn:knows>\', START(\'<urn:b>\')))", "answer": ["urn:a"]}\n'
    '{"id": "two", "program": "x = STOP(JOIN(\'<urn:likes>\', START(\'<urn:b>\')))"}\n'
)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the measures of size, which are tested elsewhere."""
    monkeypatch.setattr(sizes, "MEASURES", (sizes.row_cap,))


@pytest.fixture
def files(here: Path) -> Path:
    (here / "graph.nt").write_text(DATA)
    (here / "gold.jsonl").write_text(GOLD)
    return here


@pytest.mark.usefixtures("files", "quick")
def test_a_file_is_examined_and_asked_a_gold_set(pylf: Command) -> None:
    status, out, err = pylf("doctor", "graph.nt", "--gold", "gold.jsonl")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("graph.nt  (oxigraph ")
    assert lines[1] == "asked as oxigraph"
    assert "  ✓ negation removes what has the relation" in lines
    assert "  – an IRI that SPARQL allows and RFC 3987 does not is taken" in lines
    assert "      so the dialect oxigraph has it, and pylf writes around it" in lines
    assert "  1 answered, 1 empty" in lines
    assert "    1  the graph holds no triple of <urn:likes>" in lines
    assert "  1 of 1 agree with the answers that are given" in lines
    assert "nothing wrong that its queries rest on" in lines[-1]


@pytest.mark.usefixtures("files", "quick")
def test_the_same_as_json(pylf: Command) -> None:
    status, out, _ = pylf("doctor", "graph.nt", "--gold", "gold.jsonl", "--json")
    found = json.loads(out)
    assert status == 0
    assert (found["dialect"], found["fine"], found["alarms"], found["differs"]) == ("oxigraph", True, [], {})
    assert {"name", "group", "shows", "verdict", "use", "alarm"} <= found["findings"][0].keys()
    assert found["gold"]["counts"] == {"answered": 1, "empty": 1}
    assert found["gold"]["empty_share"] == 0.5
    assert found["gold"]["missing"] == [{"kind": "relation", "name": "urn:likes", "questions": 1}]
    assert [asked["id"] for asked in found["gold"]["outcomes"]] == ["one", "two"]


@pytest.mark.usefixtures("files", "quick")
def test_a_gold_set_of_which_nothing_is_answered_is_a_no(pylf: Command, here: Path) -> None:
    (here / "gold.jsonl").write_text(GOLD.splitlines()[1])
    status, out, _ = pylf("doctor", "graph.nt", "--gold", "gold.jsonl")
    assert status == 1
    assert "100.0% of the complete answers are empty" in out


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("http://127.0.0.1:9/sparql",), 4, "127.0.0.1"),
        (("absent.nt",), 2, "absent.nt"),
        (("absent.toml",), 2, "absent.toml"),
        (("graph.nt", "--save", "x.toml"), 2, "--save is for endpoints"),
        (("graph.nt", "--graph", "urn:g"), 2, "--graph is for endpoints"),
        (("graph.nt", "--dialect", "jena"), 2, "--dialect is for endpoints"),
        (("graph.nt", "--dialect", "sparkle"), 2, "sparkle"),
        (("graph.nt", "--timeout", "0"), 2, "above 0"),
        ((), 2, "no GRAPH is named"),
    ],
)
@pytest.mark.usefixtures("files")
def test_what_cannot_be_examined_is_told(pylf: Command, arguments: tuple[str, ...], status: int, told: str) -> None:
    found = pylf("doctor", *arguments)
    assert (found.status, found.out) == (status, "")
    assert told in found.err


@pytest.mark.usefixtures("files", "quick")
def test_a_gold_file_that_is_not_there_is_bad_input(pylf: Command) -> None:
    status, out, err = pylf("doctor", "graph.nt", "--gold", "absent.jsonl")
    assert status == 2
    assert "nothing wrong that its queries rest on" in out  # what was found stands
    assert "absent.jsonl" in err


@pytest.mark.usefixtures("files", "quick")
def test_an_endpoint_is_examined_and_its_profile_saved(
    pylf: Command, here: Path, oxigraph_server: servers.Server
) -> None:
    triples = [(Iri("urn:a"), Iri("urn:knows"), Iri("urn:b")), (Iri("urn:b"), Iri("urn:knows"), Iri("urn:c"))]
    oxigraph_server.load(triples, "urn:doctor:cli")
    status, out, err = pylf(
        "doctor", oxigraph_server.url, "--graph", "urn:doctor:cli", "--save", "endpoint.toml", "--snapshot", "today",
        "--gold", "gold.jsonl", "--vocab", "rdf", "--timeout", "30",
    )  # fmt: skip
    assert status == 0, out
    assert "1 of 1 agree" in out
    assert "endpoint.toml: the profile" in err
    saved = read_endpoint(str(here / "endpoint.toml"))
    assert (saved.url, saved.graphs) == (oxigraph_server.url, ("urn:doctor:cli",))
    assert (saved.dialect, saved.snapshot, saved.differs) == ("oxigraph", "today", ())
    (here / "program.py").write_text("x = STOP(JOIN('<urn:knows>', START('<urn:b>')))")
    ran = pylf("run", "program.py", "--kg", "endpoint.toml", "--format", "json", "--vocab", "rdf")
    assert ran.status == 0, ran.err
    assert [answer["value"] for answer in json.loads(ran.out)["answers"]] == ["urn:a"]
    again = pylf("doctor", "endpoint.toml", "--json")
    assert (again.status, json.loads(again.out)["identified"]) == (0, "oxigraph")


@pytest.mark.usefixtures("quick")
def test_the_graph_may_come_from_the_config_file(pylf: Command, files: Path) -> None:
    (files / "pylf.toml").write_text('kg = "graph.nt"\ndialect = "jena"\n')
    status, out, err = pylf("doctor", "--gold", "gold.jsonl")
    assert (status, err) == (0, "")
    assert out.splitlines()[1] == "asked as oxigraph"
    assert out.startswith("graph.nt  (oxigraph ")


@pytest.mark.usefixtures("files")
def test_a_gold_set_that_cannot_be_compiled_is_told_of_before_the_probes(
    pylf: Command, oxigraph_server: servers.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    oxigraph_server.load([(Iri("urn:a"), Iri("urn:knows"), Iri(f"urn:{n}")) for n in range(3)], "urn:doctor:large")
    monkeypatch.setattr(graphs, "MEASURED", 2)
    probed: list[object] = []
    monkeypatch.setattr(doctor, "examine_endpoint", lambda *given: probed.append(given))
    status, out, err = pylf(
        "doctor", oxigraph_server.url, "--graph", "urn:doctor:large", "--gold", "gold.jsonl"
    )  # fmt: skip
    assert (status, out, probed) == (2, "", [])
    assert "more than 2 triples" in err
    assert "--schema FILE.sqlite" in err


def test_the_command_is_listed_and_described(pylf: Command) -> None:
    assert "doctor" in pylf("--help").out
    described = pylf("doctor", "--help").out
    for option in (
        "--gold",
        "--save",
        "--graph",
        "--json",
        "--timeout",
        "--dialect",
        "--schema",
        "--vocab",
        "--snapshot",
    ):
        assert option in described
