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
    passes = json.loads(pylf("opt", "--list", "--json").out)["passes"]
    assert passes == [{"name": one.name, "basis": one.basis.value, "why": one.why} for one in listed()]
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
    assert "no pass 'push-negations'; was 'push-negation' meant? The passes are normalize, push-negation," in err
    for command in ("opt", "compile"):
        status, out, _ = pylf(command, "--json", "--print-after", "zzz", "-", stdin=TWICE)
        assert status == 2
        assert json.loads(out)["diagnostics"][0]["message"].startswith(
            "there is no pass 'zzz'; the passes are normalize"
        )


def test_what_changed_is_shown(pylf: Command) -> None:
    out = pylf("opt", "--diff", "-p", "push-negation", "-", stdin=TWICE).out
    assert out.startswith("# push-negation\n")
    assert "-  not\n" in out
    assert pylf("opt", "--diff", "-", stdin=PLAIN).out == "nothing changed\n"
    data = json.loads(pylf("opt", "--json", "-", stdin=TWICE).out)
    assert data["before"].count("not") == 2
    assert "not" not in data["after"]
    assert "push-negation" in [change["pass"] for change in data["changes"]]
    assert json.loads(pylf("opt", "--diff", "--json", "-", stdin=TWICE).out) == data


def test_types_that_were_counted_are_not_asked_for(pylf: Command) -> None:
    program = "e = STOP(AND(START('rocket'), CMP('<', 'spaceflight.rocket.mass', 1000)))\n"
    assert SCAN in pylf("opt", "-", stdin=program).out  # stated, but of which graph?
    assert SCAN not in pylf("opt", "--kg", "bundled", "-", stdin=program).out


def test_the_query_after_a_pass_is_printed_beside_the_output(pylf: Command) -> None:
    plain = pylf("compile", "-O2", "-", stdin=TWICE)
    status, out, err = pylf("compile", "-O2", "--print-after", "push-negation", "-", stdin=TWICE)
    assert (status, out) == (0, plain.out)
    assert "# after push-negation, round 1:\nset ?rocket" in err
    _, _, err = pylf("compile", "-O1", "--print-after", "minimize", "-", stdin=TWICE)
    assert "# after minimize: it does not run at -O1" in err
    _, _, err = pylf("compile", "-O2", "--print-after", "minimize", "--print-after", "normalize", "-", stdin=PLAIN)
    assert re.findall("# .*", err) == ["# after minimize: it changed nothing", "# after normalize: it changed nothing"]
    _, _, err = pylf("opt", "-p", "minimize", "--print-after", "normalize", "-", stdin=PLAIN)
    assert "# after normalize: -p does not name it" in err
    assert pylf("compile", "--print-after", "nothing", "-", stdin=TWICE).status == 2


BOEING, NO_WEIGHT = (
    "JOIN('spaceflight.rocket.manufacturer', START(':boeing'))",
    "CMP('<', 'spaceflight.rocket.mass', 9)",
)
#: what the first round makes of it has a negation again that is resolved in the second one
SEVERAL_ROUNDS = (
    f"e = STOP(MINUS(START('rocket'), AND(START('rocket'), OR(MINUS(START('rocket'), {BOEING}), "
    f"MINUS(START('rocket'), OR({NO_WEIGHT}, AND({BOEING}, {NO_WEIGHT})))))))\n"
)


def test_each_round_in_which_a_pass_changed_the_query_is_printed(pylf: Command) -> None:
    asked = ("--kg", "bundled", "--dialect", "oxigraph", "-O2")
    passes = [one.name for one in listed()]
    wanted = [word for name in passes for word in ("--print-after", name)]
    data = json.loads(pylf("opt", *asked, *wanted, "--json", "-", stdin=SEVERAL_ROUNDS).out)
    changes = [change["pass"] for change in data["changes"]]
    printed = [one for one in data["printed_after"] if one["ir"] is not None]
    assert sorted(changes) == sorted(one["pass"] for one in printed)
    again = [one["round"] for one in printed if changes.count(one["pass"]) > 1]
    assert len(again) > 1, "no pass that changed it in two rounds"
    assert again == sorted(set(again))
    for one in printed:
        assert parse_query(one["ir"]).outputs
    unchanged = [one["pass"] for one in data["printed_after"] if one["ir"] is None]
    assert unchanged == [name for name in passes if name not in changes]
    # the same as text, and by compile
    text = pylf("opt", *asked, *wanted, "-", stdin=SEVERAL_ROUNDS).err
    for one in printed:
        turn = f", round {one['round']}" if one["round"] else ""
        assert f"# after {one['pass']}{turn}:\n{one['ir']}\n" in text
    compiled = json.loads(pylf("compile", *asked, *wanted, "--json", "-", stdin=SEVERAL_ROUNDS).out)
    assert compiled["printed_after"] == data["printed_after"]
    quiet = pylf("compile", *asked, *wanted, "--json", "-", stdin=SEVERAL_ROUNDS).err
    assert "# after" not in quiet


BESIDE_LIGHT = "JOIN('spaceflight.rocket.manufacturer', JOIN('R_spaceflight.rocket.manufacturer', {}))".format(
    "CMP('<', 'spaceflight.rocket.mass', 100000)"
)
NOT_LIGHT = f"e = STOP(MINUS(START('rocket'), {BESIDE_LIGHT}))\n"


def test_a_plan_is_for_the_engine_that_run_asks(pylf: Command, here: Path) -> None:
    plan = pylf("opt", "--kg", "bundled", "-", stdin=NOT_LIGHT)
    assert "planned for oxigraph: rockets (bundled) is asked in it\n" in plan.err
    assert plan.out == pylf("opt", "--kg", "bundled", "--dialect", "oxigraph", "-", stdin=NOT_LIGHT).out
    generic = pylf("opt", "--kg", "bundled", "--dialect", "sparql11", "-", stdin=NOT_LIGHT)
    assert "planned for sparql11: --dialect says so\n" in generic.err
    assert ("not apart" in plan.out, "not apart" in generic.out) == (True, False)
    for arguments, dialect in (((), "sparql11"), (("--kg", "bundled"), "oxigraph"), (("--dialect", "jena"), "jena")):
        assert json.loads(pylf("opt", "--json", *arguments, "-", stdin=NOT_LIGHT).out)["dialect"] == dialect
    assert "planned for sparql11: neither --kg nor --dialect names an engine\n" in pylf("opt", "-", stdin=PLAIN).err
    (here / "pylf.toml").write_text('kg = "bundled"\noptimize = 0\n')
    assert pylf("opt", "-", stdin=NOT_LIGHT).out == plan.out
    (here / "pylf.toml").write_text('dialect = "virtuoso"\n')
    assert "planned for virtuoso: pylf.toml says so\n" in pylf("opt", "-", stdin=PLAIN).err


def test_an_endpoint_that_does_not_answer_keeps_nobody_from_optimizing(pylf: Command, films: Path) -> None:
    assert pylf("schema", "infer", "films.ttl", "-o", "films.sqlite").status == 0
    program = "set ?x\nwhere\n  ?x <http://f.example/director> <http://f.example/j>\n"  # no name to look up
    asked = ("--from", "ir", "--kg", "http://127.0.0.1:9/", "--schema", "films.sqlite", "--timeout", "5")
    status, out, err = pylf("opt", *asked, "-", stdin=program)
    assert (status, out.count("director")) == (0, 1)
    assert "planned for sparql11: http://127.0.0.1:9/ does not tell what it speaks: " in err


def test_explain_tells_of_the_plan_that_run_executes(pylf: Command) -> None:
    remark = "planned for sparql11; 'run' asks oxigraph: --dialect oxigraph shows that plan"
    asked = ("compile", "--explain", "-O2", "--kg", "bundled", "-")
    assert f"{remark}\n" in pylf(*asked, stdin=LIGHT).err
    assert json.loads(pylf(*asked, "--json", stdin=LIGHT).out)["remarks"][-1] == remark
    for quiet in ((*asked, "--dialect", "sparql11"), (*asked, "--dialect", "oxigraph"), ("compile", "--explain", "-")):
        assert "planned for" not in pylf(*quiet, stdin=LIGHT).err


def test_a_form_that_the_passes_do_not_touch_is_told_of(pylf: Command) -> None:
    told = "'pylf opt' prints it after them"
    for form, level, said in (
        ("ir", "-O2", True),
        ("json", "-O2", True),
        ("ir", "-O1", False),
        ("sparql", "-O2", False),
    ):
        assert (told in pylf("compile", "--to", form, level, "-", stdin=TWICE).err) is said


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
    assert "(not counted: no graph is given; --kg bundled gives the graph of rockets whose schema this is)" in out


def test_explain_as_json_tells_the_same(pylf: Command) -> None:
    arguments = ("compile", "-O2", "--explain", "--kg", "bundled", "--dialect", "oxigraph", "-")
    data = json.loads(pylf(*arguments, "--json", stdin=LIGHT).out)
    plain = json.loads(
        pylf("compile", "-O2", "--json", "--kg", "bundled", "--dialect", "oxigraph", "-", stdin=LIGHT).out
    )
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
        (("opt", "--list", "--print-after", "minimize"), "--list lists the passes"),
        (("compile", "--explain", "--to", "ir", "-"), "--to writes one form and --explain several"),
        (("compile", "--json", "--to", "ir", "-"), "--to writes one form and --json several"),
        (("compile", "--batch", "--field", "a", "--print-after", "minimize", "-"), "--print-after is for one question"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_options_that_do_not_go_together(pylf: Command, arguments: tuple[str, ...], complaint: str) -> None:
    status, out, err = pylf(*arguments, stdin=PLAIN)
    assert (status, bool(out)) == (2, "--json" in arguments)
    assert complaint in err
