"""The options that name a model and what may be spent on it, and how it is opened.

``--llm`` is a table of ``pylf.toml``, the model that pylf starts itself, a model behind an address, or one of OpenAI::

    [llm]                                  # the model that is asked where --llm is not given
    model = "smollm2"
    address = "local"

    [llm.house]                            # --llm house
    model = "qwen3"
    address = "http://10.0.0.7:8000/v1"
    key = "HOUSE_KEY"                      # the environment variable that holds its key
    prices = {prompt = 0.2, completion = 0.8}

What else a table may hold is in :class:`pylf.models.chat.settings.ChatSettings`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.cli import options as shared
from pylf.errors import InputError, printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from pylf.models.chat.opening import OpenChat
    from pylf.models.chat.settings import ChatSettings

#: what an option is called, by what it is kept as
FLAGS = {
    "llm": "--llm",
    "max_calls": "--max-calls",
    "max_tokens": "--max-tokens",
    "max_money": "--max-money",
    "log": "--log",
}
_SMOLLM2 = "smollm2"
_WAYS = "'local' is a model on this machine, http://host:port/v1#NAME one behind an address"


def add_model(parser: argparse.ArgumentParser) -> None:
    """Which model, what may be spent on it, and where its calls are written to."""
    group = parser.add_argument_group("the model")
    group.add_argument(
        "--llm", metavar="NAME",
        help="a table [llm.NAME] of pylf.toml, 'local' for SmolLM2 on this machine, a GGUF file, an address with the "
        "model's name (http://host:port/v1#NAME), or a model of OpenAI's ([llm] of pylf.toml)",
    )  # fmt: skip
    group.add_argument("--max-calls", type=shared.count, metavar="N", help="end the run after so many calls")
    group.add_argument("--max-tokens", type=shared.count, metavar="N", help="end the run after so many tokens")
    group.add_argument(
        "--max-money",
        type=shared.amount,
        metavar="X",
        help="end the run once it has cost so much, by the table's prices",
    )
    group.add_argument("--log", metavar="FILE", help="write every call to this file, a line of JSON for each")


def settings_from(options: argparse.Namespace) -> ChatSettings:
    """The model that the options and ``pylf.toml`` name, and how it is asked; options win.

    Raises:
        InputError: none is named, there is no such table, or one is wrong.
    """
    from pylf.models.chat.settings import Budget
    from pylf.records import replace

    found = _chosen(options.llm)
    table = found.budget
    budget = Budget(
        table.calls if options.max_calls is None else options.max_calls,
        table.tokens if options.max_tokens is None else options.max_tokens,
        table.money if options.max_money is None else options.max_money,
    )
    if budget.money is not None and found.prices is None:
        raise InputError(
            "a budget of money needs prices: what a million tokens cost, in the model's table of pylf.toml as "
            "prices = {prompt = …, completion = …}"
        )
    return replace(
        found,
        budget=budget,
        log=found.log if options.log is None else options.log,
        cache="" if options.no_cache else found.cache,
    )


def opened_model(options: argparse.Namespace) -> OpenChat:
    """The model, ready to be asked; of its budget is gone what the run that goes on has spent (``options.spent``).

    Raises:
        InputError: as :func:`settings_from`; a key, a package or a file is not there; the log or the cache is a file
            that is read or written otherwise (``options.files``).
    """
    from pylf.files import apart
    from pylf.models.chat.openai_chat import package
    from pylf.models.chat.opening import open_chat
    from pylf.models.chat.settings import OPENAI

    settings = settings_from(options)
    read, written = options.files
    apart(read, {**written, "the log of calls": settings.log, "the cache of replies": settings.cache or None})
    package()  # else every question would fail for it
    try:
        return open_chat(settings, options.spent)
    except InputError as problem:
        if settings.address != OPENAI:
            raise
        raise InputError(f"{problem} ({printable(settings.model)} is taken for a model of OpenAI's; {_WAYS})") from None


def _chosen(name: str | None) -> ChatSettings:
    from pylf.models.chat.settings import LOCAL, ChatSettings

    usual, named = _tables()
    if name is None:
        if usual is None:
            known = f"; pylf.toml has {_listed(named)}" if named else ""
            raise InputError(f"no model is named: --llm NAME, or a table [llm] in pylf.toml{known} ({_WAYS})")
        return usual
    if name in named:
        return named[name]
    if name == LOCAL:
        return ChatSettings(_SMOLLM2, LOCAL)
    if "://" in name:
        address, _, model = name.partition("#")
        if not model:  # the address is not repeated: who put a key into it does not want to read it in a log
            raise InputError("--llm: behind an address stands the model's name, as in http://127.0.0.1:8642/v1#smollm2")
        return ChatSettings(model, address)
    if name.endswith(".gguf"):
        return ChatSettings(name, LOCAL)
    if named:  # a slip of the pen is not to send the questions to somebody else
        shown = printable(name)
        raise InputError(
            f"--llm {shown}: pylf.toml has no table of that name; it has {_listed(named)} (a model of OpenAI's is then "
            f"spelled https://api.openai.com/v1#{shown}; {_WAYS})"
        )
    if not name.strip():
        raise InputError(f"--llm: no model is named ({_WAYS})")
    return ChatSettings(name)


def _tables() -> tuple[ChatSettings | None, dict[str, ChatSettings]]:
    """``[llm]`` of ``pylf.toml``, where it holds more than tables, and each ``[llm.NAME]``. All of them are read, so
    that no misspelled ``[llm.budget]`` passes for a model that nobody asks."""
    from dataclasses import fields

    from pylf.config import FILE, read_models
    from pylf.models.chat.settings import ChatSettings, settings_of

    table = read_models()
    known = {field.name for field in fields(ChatSettings)}
    inner = {name: value for name, value in table.items() if isinstance(value, dict) and name not in known}
    own = {name: value for name, value in table.items() if name not in inner}
    named = {name: settings_of(value, f"{FILE}, [llm.{printable(name)}]") for name, value in inner.items()}
    return settings_of(own, f"{FILE}, [llm]") if own else None, named


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(printable, names))
