"""``pylf opt``, ``--print-after`` and ``--explain``: what the passes make of a question."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from pylf.ir.passes import listed
from pylf.ir.text import parse_query

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

NOT_A_ROCKET = (
    "MINUS(START('rocket'), MINUS(START('rocket'), JOIN('spaceflight.rocket.manufacturer', START(':boeing'))))"
)
TWICE = f"e = STOP({NOT_A_ROCKET})\n"
PLAIN = "e = STOP(START(':boeing'))\n"
SCAN = "  ?rocket a <http://pylf.example/rockets/spaceflight.rocket>\n"


def test_the_passes_are_listed_in_their_order(pylf: Command) -> None:
    status, out, _ = pylf("opt", "--list")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == [one.name for one in listed()]
    assert pylf("opt").status == 2


def test_all_passes_of_a_level_run(pylf: Command) -> None:
    plain = pylf("compile", "-", "--to", "ir", stdin=TWICE).out
    assert plain.count("not") == 2
    assert pylf("opt", "-O1", "-", stdin=TWICE).out == plain
    status, out, _ = pylf("opt", "-", stdin=TWICE)
    assert status == 0
    assert "not" not in out
    assert parse_query(out).outputs == parse_query(plain).outputs


def test_a_pass_runs_alone(pylf: Command) -> None:
    assert "not" not in pylf("opt", "-p", "push-negation", "-", stdin=TWICE).out
    assert pylf("opt", "-p", "merge-comparisons", "-", stdin=TWICE).out.count("not") == 2
    status, _, err = pylf("opt", "-p", "push-negations", "-", stdin=TWICE)
    assert status == 2
    assert "there is no pass 'push-negations'; the passes are normalize, push-negation," in err


def test_what_changed_is_shown(pylf: Command) -> None:
    out = pylf("opt", "--diff", "-p", "push-negation", "-", stdin=TWICE).out
    assert out.startswith("# push-negation\n")
    assert "-  not\n" in out
    assert pylf("opt", "--diff", "-", stdin=PLAIN).out == "nothing changed\n"
    data = json.loads(pylf("opt", "--json", "-", stdin=TWICE).out)
    assert data["before"].count("not") == 2
    assert "not" not in data["after"]
    assert "push-negation" in [change["pass"] for change in data["changes"]]


def test_types_that_were_counted_are_not_asked_for(pylf: Command) -> None:
    program = "e = STOP(AND(START('rocket'), CMP('<', 'spaceflight.rocket.mass', 1000)))\n"
    assert SCAN in pylf("opt", "-", stdin=program).out  # stated, but of which graph?
    assert SCAN not in pylf("opt", "--kg", "bundled", "-", stdin=program).out


def test_the_query_after_a_pass_is_printed_beside_the_output(pylf: Command) -> None:
    plain = pylf("compile", "-O2", "-", stdin=TWICE)
    status, out, err = pylf("compile", "-O2", "--print-after", "push-negation", "-", stdin=TWICE)
    assert (status, out) == (0, plain.out)
    assert "# after push-negation:\nset ?rocket" in err
    _, _, err = pylf("compile", "-O1", "--print-after", "minimize", "-", stdin=TWICE)
    assert "# after minimize: it does not run at -O1" in err
    _, _, err = pylf("compile", "-O2", "--print-after", "minimize", "--print-after", "normalize", "-", stdin=PLAIN)
    assert re.findall("# .*", err) == [
        "# after minimize, which changed nothing:",
        "# after normalize, which changed nothing:",
    ]
    assert pylf("compile", "--print-after", "nothing", "-", stdin=TWICE).status == 2


def test_explain_tells_what_passes_changed(pylf: Command) -> None:
    out = pylf("compile", "-O2", "--explain", "-", stdin=TWICE).out
    titles = [line for line in out.splitlines() if line.startswith("# ")]
    assert (titles[:2], titles[-1]) == (["# Question", "# IR"], "# SPARQL")
    assert "# Pass push-negation" in titles[2:-1]
    assert "# Pass" not in pylf("compile", "--explain", "-", stdin=TWICE).out


LIGHT = "e = STOP(AND(START('rocket'), CMP('<', 'spaceflight.rocket.mass', 1000)))\n"


def test_explain_shows_estimates_beside_counts(pylf: Command) -> None:
    out = pylf("compile", "-O2", "--explain", "--kg", "bundled", "-", stdin=LIGHT).out
    shown = out[out.index("# Rows\n") : out.index("# SPARQL\n")].splitlines()
    assert [line.split() for line in shown[1:3]] == [["alone", "so", "far"], ["estimated", "counted"] * 2]
    rocket = "?rocket <http://pylf.example/rockets/spaceflight.rocket.mass> ?mass"
    assert shown[3].split(maxsplit=4) == ["69", "69", "69", "69", rocket]
    estimated, counted, comparison = shown[4].split(maxsplit=2)
    assert (estimated, comparison.split()[:2]) == ("23", ["?mass", "<"])
    answers = json.loads(pylf("run", "--json", "-", stdin=LIGHT).out)["answers"]
    assert int(counted) == len(answers) > 0
    assert shown[5:] == ["(counted on rockets (bundled), each up to 100,000 rows and 2 s)", ""]


def test_explain_on_a_folder_counts_and_on_no_graph_does_not(pylf: Command, films: Path) -> None:
    program = "e = STOP(JOIN('<http://f.example/director>', START('<http://f.example/j>')))\n"
    assert pylf("kg", "load", films, "--into", "graph").status == 0
    out = pylf("compile", "--explain", "--kg", "graph", "-", stdin=program).out
    assert re.search(
        r"^ +1\.4 +1 +1\.4 +1   \?\w+ <http://f.example/director> <http://f.example/j>$", out, re.MULTILINE
    )
    assert "(counted on graph, each up to 100,000 rows and 2 s)" in out
    out = pylf("compile", "--explain", "-", stdin=LIGHT).out
    assert "# Rows\n(no statistics of <http://pylf.example/rockets/spaceflight.rocket>, " in out
    assert "(not counted: no graph is given)" in out


def test_explain_as_json_tells_the_same(pylf: Command) -> None:
    arguments = ("compile", "-O2", "--explain", "--kg", "bundled", "-")
    data = json.loads(pylf(*arguments, "--json", stdin=LIGHT).out)
    plain = json.loads(pylf("compile", "-O2", "--json", "--kg", "bundled", "-", stdin=LIGHT).out)
    assert plain == {name: told for name, told in data.items() if name in plain}
    assert set(data) - set(plain) == {"passes", "optimized", "rows", "remarks"}
    text = pylf(*arguments, stdin=LIGHT).out
    for change in data["passes"]:
        assert f"# Pass {change['pass']}\n{change['diff']}\n" in text
    assert data["optimized"] == pylf("opt", "--kg", "bundled", "-", stdin=LIGHT).out.rstrip()
    assert data["rows"][0]["so_far"] == {"estimated": 69, "counted": 69}
    assert data["rows"][1]["alone"] is None
    assert [f"({remark})" in text for remark in data["remarks"]] == [True]


def test_passes_without_statistics_are_told_of(pylf: Command) -> None:
    err = pylf("opt", "-", stdin=LIGHT).err
    assert "no statistics of <http://pylf.example/rockets/spaceflight.rocket>, <http" in err
    assert ": there, simplify-types, orient-inverses, plan-extremes, " in err
    assert "; --kg GRAPH ('bundled' is one), or a --schema that 'pylf schema infer' wrote, has them\n" in err
    assert ": there, simplify-types have nothing" in pylf("opt", "-p", "simplify-types", "-", stdin=LIGHT).err
    for quiet in (("-p", "minimize"), ("--kg", "bundled"), ("-O1",)):
        assert "statistics" not in pylf("opt", *quiet, "-", stdin=LIGHT).err
    unknown = json.loads(pylf("opt", "--json", "-", stdin=LIGHT).out)["uncounted"]
    assert unknown == [f"http://pylf.example/rockets/spaceflight.{name}" for name in ("rocket", "rocket.mass")]
    assert json.loads(pylf("opt", "--json", "--kg", "bundled", "-", stdin=LIGHT).out)["uncounted"] == []
    assert pylf("opt", "-O1", "-", stdin=LIGHT).err.endswith("no pass runs at -O1\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("opt", "--list", "-"), "--list lists the passes, for no FILE"),
        (("opt", "--list", "--diff"), "--list lists the passes"),
        (("opt", "--list", "-p", "minimize"), "--list lists the passes"),
        (("opt", "-p", "minimize"), "no FILE to optimize"),
        (("opt", "--diff", "--json", "-"), "--json has the changes too"),
        (("compile", "--explain", "--to", "ir", "-"), "--to writes one form and --explain several"),
        (("compile", "--json", "--to", "ir", "-"), "--to writes one form and --json several"),
        (("compile", "--batch", "--field", "a", "--print-after", "minimize", "-"), "--print-after is for one question"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_options_that_do_not_go_together(pylf: Command, arguments: tuple[str, ...], complaint: str) -> None:
    status, out, err = pylf(*arguments, stdin=PLAIN)
    assert (status, out) == (2, "")
    assert complaint in err
