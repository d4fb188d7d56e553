"""The baselines through ``pylf eval run`` and ``pylf predict``, on a model behind a loopback server."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from pylf.cli.methods import BASELINES
from pylf.models.chat.local import missing
from pylf.reasoners.baselines import METHODS
from tests.models.chat_server import Sent, completion, faulty, refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.conftest import Command
    from tests.models.chat_server import Faulty

WANTS = "asking a model needs the package openai (extra llm)"
asking = pytest.mark.skipif(find_spec("openai") is None, reason=WANTS)
ABSENT = missing() or (None if find_spec("openai") else WANTS)


def csqa(name: str, text: str, answer: str) -> dict[str, Any]:
    return {
        "id": name,
        "question": text,
        "question_concept": "x",
        "choices": {"label": ["A", "B", "C"], "text": ["desert", "rain", "cellar"]},
        "answerKey": answer,
    }


ASKED = (
    csqa("q1", "Where is an umbrella of most use?", "B"),
    csqa("q2", "Where are bottles of wine kept?", "C"),
    csqa("q3", "Where does a camel live?", "A"),
)
SHOWN = (csqa("t1", "Where is an umbrella wet?", "B"), csqa("t2", "Where does a cactus live?", "A"))
ROCKETS = {
    "id": "r",
    "question": "Which rockets does SpaceX make?",
    "answers": [{"kind": "name", "value": "Falcon 9"}],
    "topics": [{"label": "SpaceX"}],
}


def written(path: Path, *questions: dict[str, Any]) -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in questions), encoding="utf-8")


@pytest.fixture
def questions(here: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of three questions, and one of two others; no key and no reply of before is known."""
    written(here / "asked.jsonl", *ASKED)
    written(here / "shown.jsonl", *SHOWN)
    monkeypatch.setenv("PYLF_CACHE", str(here / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return "asked.jsonl"


def wet(request: dict[str, Any]) -> Sent:
    """Always the answer B, as it was asked for."""
    text = '{"answer": "B"}' if "response_format" in request else "It is wet.\nAnswer: B"
    return completion(*[text] * (request.get("n") or 1))


@pytest.fixture
def server() -> Iterator[Faulty]:
    with faulty(wet) as found:
        yield found


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_names_are_those_of_the_baselines() -> None:
    assert BASELINES == METHODS


@asking
@pytest.mark.parametrize(
    ("method", "options", "sent"),
    [
        ("io", (), {"temperature": 0.0, "max_tokens": 512, "seed": 0}),
        ("cot", ("--reply-tokens", "64", "--seed", "4"), {"max_tokens": 64, "seed": 4}),
        ("fewshot", ("--examples-from", "shown.jsonl", "--examples", "1"), {"temperature": 0.0}),
        ("sc", ("--samples", "3", "--temperature", "0.5"), {"n": 3, "temperature": 0.5}),
    ],
)
def test_each_asks_the_model_and_is_scored(
    pylf: Command,
    questions: str,
    here: Path,
    server: Faulty,
    method: str,
    options: tuple[str, ...],
    sent: dict[str, Any],
) -> None:
    run = ("eval", "run", questions, "--method", method, "--llm", f"{server.address}#m", "-o", "r.jsonl", *options)
    status, out, err = pylf(*run)
    assert (status, len(server.asked)) == (0, 3), err
    assert "outcomes: answered 3" in out
    assert "calls: 3 (0 from the cache)" in out
    assert {name: server.asked[0][name] for name in sent} == sent
    assert server.asked[0]["model"] == "m"
    found = records(here / "r.jsonl")
    assert [one["answers"][0]["value"] for one in found] == ["B"] * 3
    setup = found[0]["run"]
    assert server.address in setup["model"]
    assert setup["limits"] == {"model connect": 10.0, "model read": 120.0, "model total": 300.0, "model tries": 6}
    assert f"prompt {'cot' if method == 'sc' else method}" in setup["hashes"]
    shows = ["umbrella wet" in json.dumps(one["messages"]) for one in server.asked]
    assert shows[0] == (method == "fewshot")


@asking
def test_structured_replies_own_prompts_and_predictions(
    pylf: Command, questions: str, here: Path, server: Faulty
) -> None:
    (here / "own").mkdir()
    (here / "own" / "io.txt").write_text("[user]\nWell? {{question}}\n{{choices}}\n{{ask}}\n", encoding="utf-8")
    model = ("--method", "io", "--llm", f"{server.address}#m", "--structured", "--prompts", "own")
    status, _, err = pylf("predict", questions, *model, "-o", "p.jsonl", "--log", "calls.jsonl")
    assert status == 0, err
    assert "response_format" in server.asked[0]
    assert server.asked[0]["messages"][0]["content"].startswith("Well? Where is an umbrella")
    assert [one["answers"][0]["value"] for one in records(here / "p.jsonl")] == ["B"] * 3
    assert [one["usage"]["calls"] for one in records(here / "calls.jsonl")] == [1, 1, 1]


@asking
def test_replies_are_kept_unless_that_is_not_wanted(pylf: Command, questions: str, server: Faulty) -> None:
    run = ("eval", "run", questions, "--method", "io", "--llm", f"{server.address}#m", "-o", "r.jsonl", "--fresh")
    assert "calls: 3 (0 from the cache)" in pylf(*run).out
    assert "calls: 0 (3 from the cache)" in pylf(*run).out
    assert "calls: 3 (0 from the cache)" in pylf(*run, "--no-cache").out
    assert len(server.asked) == 6


@asking
def test_triples_come_from_the_graph(pylf: Command, questions: str, here: Path, server: Faulty) -> None:
    written(here / "rockets.jsonl", ROCKETS)
    run = ("eval", "run", "rockets.jsonl", "--method", "triples", "--llm", f"{server.address}#m", "-o", "r.jsonl")
    status, _, err = pylf(*run, "--triples", "5", "--kg", "bundled")
    assert status == 0, err
    found = records(here / "r.jsonl")[0]
    assert len(found["evidence"][0]["triples"]) == 5
    assert found["state"] == "synthesis"
    assert found["run"]["settings"]["triples"] == 5
    assert found["run"]["engine"]["dialect"] == "oxigraph"
    assert "SpaceX" in json.dumps(server.asked[0]["messages"])


@asking
@pytest.mark.parametrize(
    ("budget", "more", "told"),
    [
        (("--max-calls", "2"), ("--max-calls", "3"), "the budget of 2 calls is used up"),
        (("--max-tokens", "30"), ("--max-tokens", "45"), "the budget of 30 tokens is used up: 30 were billed"),
        (("--max-money", "30"), ("--max-money", "45"), "the budget of 30 is used up"),
    ],
)
def test_a_spent_budget_ends_the_run_with_a_report_and_a_larger_one_goes_on(
    pylf: Command,
    questions: str,
    here: Path,
    server: Faulty,
    budget: tuple[str, ...],
    more: tuple[str, ...],
    told: str,
) -> None:
    prices = "prices = {prompt = 1e6, completion = 1e6}\n"  # a token costs 1
    (here / "pylf.toml").write_text(f'[llm]\nmodel = "m"\naddress = "{server.address}"\n{prices}', encoding="utf-8")
    run = ("eval", "run", questions, "--method", "io", "-o", "r.jsonl", "--report", "r.md")
    status, out, err = pylf(*run, *budget)
    assert (status, len(server.asked)) == (4, 2)
    assert f"stopped: {told}" in err
    assert "answered 2" in out
    assert "budget spent 1" in out
    assert "budget spent" in (here / "r.md").read_text(encoding="utf-8")
    # what was spent before counts: the same budget buys nothing more, and one call more buys one call
    assert pylf(*run, *budget).status == 4
    assert len(server.asked) == 2
    status, out, err = pylf(*run, *more)
    assert (status, len(server.asked)) == (0, 3), err
    assert "answered 3" in out
    assert "(2 of them before)" in err


@asking
def test_a_budget_stands_in_the_table_too_and_the_option_wins(
    pylf: Command, questions: str, here: Path, server: Faulty
) -> None:
    (here / "pylf.toml").write_text(
        f'[llm.house]\nmodel = "m"\naddress = "{server.address}"\nbudget = {{calls = 1}}\nlog = "calls.jsonl"\n',
        encoding="utf-8",
    )
    run = ("eval", "run", questions, "--method", "io", "--llm", "house", "-o", "r.jsonl")
    assert pylf(*run).status == 4
    assert len(records(here / "calls.jsonl")) == 2  # one was sent, one was not
    assert pylf(*run, "--max-calls", "10").status == 0
    assert len(server.asked) == 3


@asking
def test_a_key_is_sent_where_its_table_names_it(
    pylf: Command, questions: str, here: Path, server: Faulty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOUSE_KEY", "k-123")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai-alone")
    table = f'model = "m"\naddress = "{server.address}"\n'
    (here / "pylf.toml").write_text(f'[llm]\n{table}[llm.house]\n{table}key = "HOUSE_KEY"\n', encoding="utf-8")
    run = ("eval", "run", questions, "--method", "io", "--first", "1", "--no-cache", "-o")
    assert pylf(*run, "a.jsonl").status == 0
    assert pylf(*run, "b.jsonl", "--llm", "house").status == 0
    assert ["k-123" in (key or "") for key in server.keys] == [False, True]
    assert not any("sk-of" in (key or "") for key in server.keys)
    assert "k-123" not in (here / "b.jsonl").read_text(encoding="utf-8")


@asking
def test_a_model_that_does_not_reply_is_an_outcome(pylf: Command, questions: str, here: Path) -> None:
    with faulty(lambda _: refusal(401, "wrong key", "invalid_api_key")) as server:
        run = ("eval", "run", questions, "--method", "io", "--llm", f"{server.address}#m", "-o", "r.jsonl")
        status, out, err = pylf(*run, "--give-up", "2")
    assert status == 4
    assert "stopped: 2 questions in a row failed" in err
    assert "not asked 1" in out
    assert [one["usage"]["calls"] for one in records(here / "r.jsonl")] == [1, 1]


@asking
def test_a_model_that_is_away_is_asked_again_and_all_that_it_cost_is_told(
    pylf: Command, questions: str, here: Path
) -> None:
    down = [refusal(500, "down")]
    with faulty(lambda request: down[0] if down else wet(request)) as server:
        table = f'[llm]\nmodel = "m"\naddress = "{server.address}"\nlimits = {{tries = 1}}\n'
        (here / "pylf.toml").write_text(table, encoding="utf-8")
        run = ("eval", "run", questions, "--method", "io", "-o", "r.jsonl")
        status, out, err = pylf(*run)
        assert (status, "engine error 3" in out, "calls: 3 (" in out) == (0, True, True)
        assert "3 questions did not reach the model: the same command asks them again" in err
        down.clear()
        status, out, err = pylf(*run)
        assert (status, "answered 3" in out, "calls: 6 (" in out) == (0, True, True)
        assert "did not reach" not in err
        assert "calls: 6 (" in pylf("eval", "score", "r.jsonl").out
        assert "calls: 6 (" in pylf(*run).out


@asking
def test_a_model_that_refuses_is_asked_again_where_that_is_wanted(pylf: Command, questions: str) -> None:
    with faulty(lambda _: refusal(401, "wrong key", "invalid_api_key")) as server:
        run = ("eval", "run", questions, "--method", "io", "--llm", f"{server.address}#m", "-o", "r.jsonl")
        assert "3 ended as 'refused': --again 'refused' asks them once more" in pylf(*run).err
        assert "(3 of them before)" in pylf(*run).err
        pylf(*run, "--again", "refused")
        assert len(server.asked) == 6


@asking
@pytest.mark.parametrize("key", ["log", "cache"])
@pytest.mark.parametrize(("path", "told"), [("asked.jsonl", "the questions"), ("pylf.toml", "the file of settings")])
def test_log_and_cache_overwrite_nothing(
    pylf: Command, questions: str, here: Path, key: str, path: str, told: str
) -> None:
    (here / "pylf.toml").write_text(f'{TABLES}{key} = "{path}"\n', encoding="utf-8")
    before = {one.name: one.read_bytes() for one in here.iterdir()}
    status, _, err = pylf("eval", "run", questions, "--method", "io", "--llm", "house", "-o", "r.jsonl")
    assert (status, f"{path} is {told}, and cannot be the" in err) == (2, True)
    assert {one.name: one.read_bytes() for one in here.iterdir()} == before


@asking
def test_the_log_is_none_of_the_other_files(pylf: Command, questions: str, here: Path) -> None:
    run = ("eval", "run", questions, "--method", "fewshot", "--examples-from", "shown.jsonl", "-o", "r.jsonl")
    for path, told in (("r.jsonl", "the records"), ("shown.jsonl", "the examples"), (questions, "the questions")):
        status, _, err = pylf(*run, "--llm", "http://127.0.0.1:1/v1#m", "--log", path)
        assert status == 2
        assert f"{path} is " in err
        assert told in err
    assert not (here / "r.jsonl").exists()


TABLES = '[llm.house]\nmodel = "m"\naddress = "http://127.0.0.1:1/v1"\n'


@asking
@pytest.mark.parametrize(
    ("toml", "options", "told"),
    [
        ("", "--method io", "no model is named: --llm NAME, or a table [llm] in pylf.toml ('local' is"),
        (TABLES, "--method io", "no model is named: --llm NAME, or a table [llm] in pylf.toml; pylf.toml has house"),
        (TABLES, "--method io --llm hose", "--llm hose: pylf.toml has no table of that name; it has house"),
        ("", "--method io --llm gpt-x", "in the environment as OPENAI_API_KEY, and there is none (gpt-x is taken for"),
        ("", "--method io --llm http://127.0.0.1:1/v1", "behind an address stands the model's name"),
        ("", "--method io --llm http://#m", "'http://' is no address of a model's server"),
        ("", "--method io --llm none.gguf", "none.gguf: "),
        (TABLES + 'key = "NO_SUCH_KEY"\n', "--method io --llm house", "NO_SUCH_KEY, and there is none"),
        (
            TABLES + "[llm.budgets]\ncalls = 1\n",
            "--method io --llm house",
            "[llm.budgets]: there is no setting 'calls'",
        ),
        ("[llm]\nmodel = 1\n", "--method io", "pylf.toml, [llm]: model has to be text in quotation marks"),
        ('[llm]\naddress = "local"\n', "--method io", "pylf.toml, [llm]: no model is named"),
        ("llm = 'm'\n", "--method io", "pylf.toml: llm has to be a table"),
        (TABLES, "--method io --llm house --max-money 1", "a budget of money needs prices"),
        (TABLES, "--method io --llm house --prompts nowhere", "nowhere: there is no such folder of prompts"),
        (TABLES, "--method io --llm house --samples 2", "io takes one sample"),
        (TABLES, "--method sc --llm house --temperature 0", "all the same at temperature 0"),
        (TABLES, "--method fewshot --llm house", "--method fewshot needs --examples-from FILE"),
        (TABLES, "--method fewshot --llm house --examples-from no.jsonl", "no.jsonl"),
        (TABLES, "--method io --llm house --examples-from shown.jsonl", "--method io has no use for --examples-from"),
        (TABLES, "--method io --llm house --kg bundled", "--method io has no use for --kg"),
        (TABLES, "--method triples --llm house -O2", "--method triples has no use for -O"),
        (TABLES, "--method gold --llm house", "--method gold has no use for --llm"),
        (TABLES, "--method json:loads --max-calls 3", "--method json:loads has no use for --max-calls"),
        (TABLES, "--method sc --llm house --temperature nan", "'nan' is not a number from 0 on"),
        (TABLES, "--method io --llm house --log no/calls.jsonl", "no/calls.jsonl: no such file or directory"),
    ],
)
def test_what_cannot_be_asked_is_told_before_anything_is(
    pylf: Command, questions: str, here: Path, toml: str, options: str, told: str
) -> None:
    (here / "pylf.toml").write_text(toml, encoding="utf-8")
    status, out, err = pylf("eval", "run", questions, *options.split(), "-o", "r.jsonl")
    assert (status, out) == (2, "")
    assert told in err
    assert not (here / "r.jsonl").exists()


def test_other_commands_leave_the_models_alone(pylf: Command, here: Path, example: Path) -> None:
    (here / "pylf.toml").write_text(TABLES, encoding="utf-8")
    assert pylf("compile", example).status == 0


def test_a_package_that_is_not_there_is_told_once(
    pylf: Command, questions: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    run = ("eval", "run", questions, "--method", "io", "--llm", "http://127.0.0.1:1/v1#m", "-o", "r.jsonl")
    told = "pylf: asking a model needs the package openai: pip install 'pylf-kgqa[llm]'\n"
    assert pylf(*run) == (2, "", told)
    assert not (here / "r.jsonl").exists()


@pytest.mark.skipif(ABSENT is not None, reason=ABSENT or "")
def test_the_local_model_is_started_and_answers(pylf: Command, questions: str, here: Path) -> None:
    run = ("eval", "run", questions, "--method", "io", "--llm", "local", "--structured", "-o", "r.jsonl")
    status, out, err = pylf(*run, "--first", "1", "--reply-tokens", "32")
    assert status == 0, err
    assert "outcomes: answered 1" in out
    found = records(here / "r.jsonl")[0]
    assert found["answers"][0]["value"] in {"A", "B", "C"}
    assert "local: " in found["run"]["model"]
