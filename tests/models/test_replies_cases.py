"""Cases 40, 42 and 44 of what went wrong elsewhere: fences and prose, printed quotes and lists, text that is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pylf.datasets.formats import Question
from pylf.errors import CompileError
from pylf.evaluation.record import Ended
from pylf.graphs import bundled_schema
from pylf.language.check import check
from pylf.language.context import Context
from pylf.language.parser import parse
from pylf.language.printer import print_program
from pylf.models.chat.scripted import Scripted
from pylf.models.replies.candidates import Place
from pylf.models.replies.sparql import read_sparql, sparql_in
from pylf.models.replies.taking import NotTaken, Taken, Why, take
from pylf.reasoners.baselines import Baseline

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.language.syntax import Program
    from pylf.models.chat.protocol import Request

TAGS = ("python", "pylf")
FORM = "expression = JOIN('spaceflight.rocket.manufacturer', START('Boeing Company'))\nexpression = STOP(expression)"


def program(text: str) -> Program:
    """A program that parses and type-checks under the schema of rockets."""
    found = parse(text)
    check(found, Context(*bundled_schema()))
    return found


def expression(text: str) -> Program:
    """One expression, as the answer of a program."""
    return parse(f"expression = STOP({text.removeprefix('expression = ')})")


def taken(reply: str, read: Any = program) -> Taken[Program]:
    found = take(reply, read, tags=TAGS)
    assert isinstance(found, Taken), found
    return found


# --- case 40 ------------------------------------------------------------------------------------------------------

PROSE = f"""Here is the query, as you asked: first I looked at the rockets, then at their makers.

```text
JOIN(manufacturer, Boeing), which is what the question says
```

```python
{FORM}
```

It joins rockets, makers and stages, and stops."""


def test_case_40_the_tagged_block_is_taken_before_the_block_that_comes_first() -> None:
    found = taken(PROSE)
    assert (found.candidate.text, found.candidate.place, found.tried) == (FORM, Place.TAGGED, ())


def test_case_40_where_no_block_has_a_tag_that_was_asked_for_each_is_tried() -> None:
    found = taken(PROSE.replace("```python", "```"))
    assert (found.candidate.text, found.candidate.place) == (FORM, Place.FENCED)
    assert found.tried[0].candidate.text == "JOIN(manufacturer, Boeing), which is what the question says"


def test_case_40_a_block_that_parses_and_does_not_type_check_is_passed_over() -> None:
    wrong = FORM.replace("spaceflight.rocket.manufacturer", "spaceflight.rocket.producing_country")
    found = taken(f"First:\n```python\n{wrong}\n```\nBetter:\n```python\n{FORM}\n```")
    assert found.candidate.text == FORM
    problem = found.tried[0].problem
    assert isinstance(problem, CompileError)
    assert problem.diagnostics[0].code == "unknown-relation"


@pytest.mark.parametrize(
    "reply",
    [
        f"The form is {FORM.replace(chr(10), '; ')}. It joins rockets, makers (of all kinds), and stops.",
        f"Don't worry (it's easy):\n\n{FORM}\n\nThat's it, isn't it?",
        f"Sure!\n~~~~ PYTHON title=x\n{FORM}\n~~~~\nbye",
        f"Sure!\n1. Look:\n   ```python\n   {FORM.replace(chr(10), chr(10) + '   ')}\n   ```",
        f"cut off:\n```python\n{FORM}",
        FORM,
        "Use `" + FORM.replace("\n", "; ") + "`, please.",
        "Use ```python " + FORM.replace("\n", "; ") + "```, please.",
        f"<think>\nPerhaps\n```python\nexpression = STOP(START('Saturn V'))\n```\nno\n</think>\n{FORM}",
        f"Perhaps STOP(START('Saturn V')) …</think>\n\n{FORM}",
        (
            "<|channel|>analysis<|message|>expression = STOP(START('Saturn V'))<|end|><|start|>assistant"
            f"<|channel|>final<|message|>{FORM}<|return|>"
        ),
    ],
)
def test_case_40_whatever_stands_around_the_form(reply: str) -> None:
    assert print_program(taken(reply).value) == print_program(program(FORM))


@pytest.mark.parametrize(("reply", "ended"), [("Answer: Vostok", Ended.ANSWERED), ("", Ended.INVALID)])
def test_case_40_one_reply_is_asked_for_whether_or_not_it_can_be_read(reply: str, ended: Ended) -> None:
    heard: list[Request] = []

    def model(request: Request) -> str:
        heard.append(request)
        return reply if len(heard) == 1 else "Answer: asked again"

    record = Baseline("io", Scripted(model))(Question("q", "Which rocket was the first with a crew?"))
    assert record.ended is ended
    assert len(heard) == record.usage.calls == 1


# --- case 42 ------------------------------------------------------------------------------------------------------

CLEAN = """JOIN('R_r', JOIN('r', "x"))"""


@pytest.mark.parametrize(
    "reply",
    [
        "1. JOIN(‘R_r’, JOIN(‘r’, “x”))",
        "1. JOIN('R_r', JOIN(‘r’, “x”))",
        "- JOIN('R_r', JOIN(’r’, ”x”))",
        "  * **JOIN(«R_r», JOIN(„r“, “x”))**",
        "2) expression = JOIN(‘R_r', JOIN('r’, \"x”))",
        "(a) JOIN(\u200b'R_r',\u00a0JOIN(`r´, ＂x＂))",
        "> JOIN（‘R_r’，JOIN（‘r’，“x”））",
        "1. JOIN(′R_r′, JOIN(′r′, ″x″))",
        "1. JOIN(&#39;R_r&#39;, JOIN(&apos;r&apos;, &quot;x&quot;))",
        "1. JOIN(\\'R_r\\', JOIN(\\'r\\', \\\"x\\\"))",
        "The form: JOIN(\\'R_r\\', JOIN('r', &#34;x&#34;)), isn't it?",
    ],
)
def test_case_42_the_tree_is_that_of_the_clean_form(reply: str) -> None:
    assert print_program(taken(reply, expression).value) == print_program(expression(CLEAN))


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("1. JOIN('r', “Dad’s Army”)", "Dad’s Army"),
        ("1. JOIN('r', ‘Dad’s Army’)", "Dad’s Army"),
        ("1. JOIN('r', \"the “Delta” rocket\")", "the “Delta” rocket"),
        ("1. JOIN('r', “Electron \"Still Testing\"”)", 'Electron "Still Testing"'),
        ("1. JOIN('r', ‘Dad's Army’)", "Dad's Army"),
        ("JOIN('r', '1. FC Köln – «Geißböcke»')", "1. FC Köln – «Geißböcke»"),
        ("1. JOIN(‘r’, “5′ 3″”)", "5′ 3″"),
        ("JOIN('r', 'the &quot;Delta&quot; rocket')", "the &quot;Delta&quot; rocket"),
        ("JOIN(′r′, 'the &quot;Delta&quot; rocket')", "the &quot;Delta&quot; rocket"),
        ("JOIN(&#39;r&#39;, &#39;Dad&#39;s &amp; Mum&#39;)", "Dad's & Mum"),
        ("JOIN(\\'r\\', \\'Dad\\'s &amp; Mum\\')", "Dad's &amp; Mum"),
    ],
)
def test_case_42_what_stands_in_a_string_stays(reply: str, name: str) -> None:
    expected = expression(f"JOIN('r', {name!r})")
    assert print_program(taken(reply, expression).value) == print_program(expected)


def test_case_42_the_lines_of_a_list_are_one_program() -> None:
    listed = "Steps:\n1. expression1 = START(“Boeing Company”)\n2. expression = JOIN(‘manufacturer’, expression1)\n"
    clean = "expression1 = START('Boeing Company')\nexpression = JOIN('manufacturer', expression1)\n"
    stop = "expression = STOP(expression)"
    found = taken(f"{listed}3. {stop}\nDone.", parse)
    assert print_program(found.value) == print_program(parse(clean + stop))


def test_case_42_what_cannot_be_read_is_told_and_is_no_empty_result() -> None:
    found = take("1. JOIN(‘r’ “x”)", expression)
    assert isinstance(found, NotTaken)
    assert found.why is Why.UNREADABLE
    assert isinstance(found.problem, CompileError)


# --- case 44 ------------------------------------------------------------------------------------------------------

HOSTILE = [
    ("__import__('os').system('touch TRACE')", "not-allowed"),
    ("JOIN((lambda: 1)(), 'x')", "not-allowed"),
    ("expression = STOP(" + "JOIN('r', " * 5_000 + "'x'" + ")" * 5_000 + ")", "too-deep"),
    ("9**9**9", "not-allowed"),
    ("eval('1')", "not-allowed"),
    ("open('TRACE', 'w').close()", "not-allowed"),
    ("[x for x in ().__class__.__bases__]", "not-allowed"),
]


@pytest.mark.parametrize("wrapped", ["{}", "```python\n{}\n```", "Sure: {} – and that's it."])
@pytest.mark.parametrize(("text", "code"), HOSTILE)
def test_case_44_nothing_of_a_reply_is_run(text: str, code: str, wrapped: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    found = take(wrapped.replace("{}", text.replace("TRACE", str(trace))), program, tags=TAGS)
    assert isinstance(found, NotTaken)
    assert not trace.exists()
    if not wrapped.startswith("Sure"):
        assert isinstance(found.problem, CompileError)
        assert found.problem.diagnostics[0].code == code
        assert found.problem.diagnostics[0].span is not None


@pytest.mark.parametrize(
    "sign",
    [
        "(",
        "[{",
        "‘",
        "'\\'",
        "```\n",
        "<think>x",
        "x<think>",
        "“",
        "«",
        "JOIN(",
        "a=b(",
        "1. ",
        "`",
        "PREFIX ",
        "&#39;",
        " \\'x",
        "{",
        "'",
    ],
)
def test_case_44_a_reply_of_nothing_but_openings_is_gone_through_once(sign: str) -> None:
    text = sign * (200_000 // len(sign))
    assert isinstance(take(text, lambda one: int(one, 0), tags=TAGS), NotTaken)
    assert isinstance(sparql_in(text), NotTaken)


QUERY = "SELECT ?x WHERE { ?x <http://e/p> 'a SERVICE for all; DROP ALL' . # SERVICE\n }"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (QUERY, "SELECT"),
        ("PREFIX service: <http://e/> ASK { ?load service:insert service:delete }", "ASK"),
        ("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER NOT EXISTS { ?s a ?o } }", "CONSTRUCT"),
    ],
)
def test_case_44_a_query_that_only_asks_is_taken(text: str, kind: str) -> None:
    assert read_sparql(text).kind == kind
    found = sparql_in(f"Here (it's simple):\n\n{text}\n\nThe answer (above) is what you want.")
    assert isinstance(found, Taken)
    assert (found.value.text, found.value.kind) == (text, kind)


def test_case_44_how_many_triples_follow_each_other_is_no_depth_and_nor_is_the_caller() -> None:
    triples = "?x <http://e/p> ?y . # and\n" * 500

    def called(depth: int, text: str) -> str:
        return called(depth - 1, text) if depth else read_sparql(text).kind

    assert called(0, f"SELECT ?x {{ {triples} OPTIONAL {{ {triples} }} {triples} }}") == "SELECT"
    assert called(0, f"CONSTRUCT {{ {triples} }} WHERE {{ {triples} }}") == "CONSTRUCT"
    assert called(600, "ASK { FILTER(" + "(" * 18 + "?x" + ")" * 18 + ") }") == "ASK"
    with pytest.raises(CompileError, match="SERVICE"):
        read_sparql(f"SELECT ?x {{ {triples} OPTIONAL {{ {triples} SERVICE <http://evil/> {{ {triples} }} }} }}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT * { SERVICE <http://evil/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { OPTIONAL { { sErViCe SILENT ?where { ?s ?p ?o } } } }", "SERVICE"),
        ("SELECT * { SERVICE # comment\n <http://evil/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { \\u0053ERVICE <http://evil/> { ?s ?p ?o } }", r"SPARQL|\\u"),
        ("LOAD <http://evil/data>", "LOAD"),
        ("INSERT DATA { <a:a> <a:b> <a:c> }", "INSERT"),
        ("DELETE WHERE { ?s ?p ?o }", "DELETE"),
        ("PREFIX a: <a:> DROP ALL", "DROP"),
        ("SELECT * { ?s ?p ?o } ; DROP ALL", "second request"),
        ("DESCRIBE <http://e/a>", "DESCRIBE"),
        ("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }", "file"),
        ("SELECT * { ?s ?p ?o FILTER(<bif:system>('x')) }", "server's own"),
        ("SELECT * WHERE ?s ?p ?o }", "closes nothing"),
        ("SELECT ?x WHERE { ?x ?p }", "cannot stand here"),
        ("ASK " + "{" * 5_000 + "}" * 5_000, "40 deep"),
        ("ASK { FILTER(" + "(" * 35 + "?x" + ")" * 35 + ") }", "nest deeper than its parser goes"),
        ("ASK { ?s ?p '\\U0011FFFF' }", "parser fails on the query .ValueError"),
        ("SELECT * { ?s ?p '" + "x" * 60_000 + "' }", "50,000"),
        ("", "no query"),
    ],
)
def test_case_44_a_query_that_does_more_than_ask_is_refused(text: str, told: str) -> None:
    with pytest.raises(CompileError, match=told):
        read_sparql(text)
    found = sparql_in(f"```sparql\n{text}\n```")
    assert isinstance(found, NotTaken), found
