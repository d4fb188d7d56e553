"""A server whose model replies as cases 40, 42 and 44 tell: over HTTP, through every layer, to a program or the reason
why there is none. Each is asked for once, and what it cost is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.errors import CompileError
from pylf.graphs import bundled_schema
from pylf.language.check import check
from pylf.language.context import Context
from pylf.language.parser import parse
from pylf.language.printer import print_program
from pylf.models.chat import Request, asked, open_chat
from pylf.models.chat.settings import ChatSettings
from pylf.models.replies.taking import NotTaken, Taken, Why, take
from tests.models.chat_server import completion, faulty

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.language.syntax import Program

pytest.importorskip("openai", reason="asking a model needs the package openai (extra llm)")

FORM = "expression = STOP(JOIN('spaceflight.rocket.manufacturer', START('Boeing Company')))"
READ = {
    "case 40, prose and a block": f"First I looked at (all) the rockets.\n\n```python\n{FORM}\n```\nThat's it.",
    "case 40, one paragraph": f"The form is {FORM}. It joins rockets, makers (of all kinds), and stops.",
    "case 42, printed quotes": FORM.replace("'Boeing Company'", "“Boeing Company”").replace("'", "’"),
    "case 42, a list": f"1. {FORM}",
    "thoughts first": f"<think>START('Saturn V')?</think>\n{FORM}",
}
UNREAD = {
    "case 40, prose alone": ("I would look at Boeing, and then at its rockets.", Why.UNREADABLE),
    "case 42, a comma that is missing": ("1. JOIN(‘r’ “x”)", Why.UNREADABLE),
    "case 44, code": ("__import__('pathlib').Path('TRACE').touch()", Why.UNREADABLE),
    "case 44, code in a block": ("```python\nopen('TRACE', 'w').write('x')\n```", Why.UNREADABLE),
    "null": (None, Why.EMPTY),
}


def program(text: str) -> Program:
    found = parse(text)
    check(found, Context(*bundled_schema()))
    return found


def heard(text: str | None, folder: Path) -> Taken[Program] | NotTaken:
    """What is taken from the one reply that the server gives."""
    with faulty([completion(text)]) as server:
        settings = ChatSettings("m", server.address, cache="", log=str(folder / "calls.jsonl"))
        with open_chat(settings) as chat:
            done = chat.complete(Request(asked("Which rockets did the Boeing Company make?")))
            found = take(done.replies[0], program, tags=("python",))
            assert (chat.usage.calls, chat.usage.retries, chat.usage.tokens) == (1, 0, 15)
        assert len(server.asked) == 1
    return found


@pytest.mark.parametrize("reply", READ.values(), ids=READ)
def test_replies_of_cases_40_and_42_are_read(reply: str, tmp_path: Path) -> None:
    found = heard(reply, tmp_path)
    assert isinstance(found, Taken)
    assert print_program(found.value) == print_program(program(FORM))


@pytest.mark.parametrize(("reply", "why"), UNREAD.values(), ids=UNREAD)
def test_replies_of_cases_40_42_and_44_that_are_none_are_told(reply: str | None, why: Why, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    found = heard(None if reply is None else reply.replace("TRACE", str(trace)), tmp_path)
    assert isinstance(found, NotTaken)
    assert found.why is why
    assert (found.problem is None) == (reply is None)
    assert reply is None or isinstance(found.problem, CompileError)
    assert not trace.exists()
