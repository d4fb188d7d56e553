"""``pylf opt``, ``--print-after`` and ``--explain``: what the passes make of a question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pylf.ir.passes import listed
from pylf.ir.text import parse_query

if TYPE_CHECKING:
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
    assert pylf("compile", "--print-after", "nothing", "-", stdin=TWICE).status == 2


def test_explain_tells_what_passes_changed(pylf: Command) -> None:
    out = pylf("compile", "-O2", "--explain", "-", stdin=TWICE).out
    titles = [line for line in out.splitlines() if line.startswith("# ")]
    assert (titles[:2], titles[-1]) == (["# Question", "# IR"], "# SPARQL")
    assert "# Pass push-negation" in titles[2:-1]
    assert "# Pass" not in pylf("compile", "--explain", "-", stdin=TWICE).out
