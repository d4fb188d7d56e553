"""How a chat model is reached and what may be spent on it: from Python, or from a table of TOML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.backends.http.endpoint import Limits
from pylf.errors import InputError
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

#: the ``address`` of the model that pylf starts itself
LOCAL = "local"
OPENAI = "https://api.openai.com/v1"

#: A model takes longer than an endpoint: what is thought about says nothing until it is done.
PATIENCE = Limits(connect=10.0, read=120.0, total=300.0, tries=6)


@record
class Prices:
    """What a million tokens cost, in whatever currency."""

    prompt: float
    completion: float


@record
class Budget:
    """What may be spent: ``calls`` that are sent (retries are), tokens, money. None: as much as it takes."""

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None


@record
class ChatSettings:
    """A model and how it is asked.

    ``address``: the base of an OpenAI-compatible server, usually ending in ``/v1``, or ``"local"``. ``key`` names the
    environment variable that holds its key (for OpenAI's own address ``OPENAI_API_KEY`` unless another is named; a key
    is never sent to an address that it was not named for). ``known_as`` stands in the place of the address in cache
    keys, for a server that moves. ``at_once``: requests under way at the same time. ``samples_at_once``: replies that
    one request may ask for, None for any number (1 for llama.cpp's server, which states the tokens of one of several).
    ``token_limit``: the field that limits a reply's tokens (OpenAI's own models want ``max_completion_tokens``).
    ``grammars``: the server takes a field ``grammar``. ``strict_schemas``: it is to hold replies to schemas strictly,
    which not every schema allows. ``threads`` are those of the local model. ``cache``: the file of kept replies, None
    for that in the user's cache folder, "" for none. ``log``: the file that every call is written to.
    """

    model: str
    address: str = OPENAI
    key: str | None = None
    known_as: str | None = None
    limits: Limits = PATIENCE
    at_once: int = 8
    samples_at_once: int | None = None
    token_limit: str | None = None
    grammars: bool = False
    strict_schemas: bool = True
    threads: int = 1
    prices: Prices | None = None
    budget: Budget = Budget()
    cache: str | None = None
    log: str | None = None


def checked_settings(settings: ChatSettings, where: str = "the settings of the model") -> ChatSettings:
    """The settings, if a model can be asked with them.

    Raises:
        InputError: a number of things is below 1; says ``where``.
    """
    counts = {name: getattr(settings, name) for name in ("at_once", "samples_at_once", "threads")}
    counts["tries"] = settings.limits.tries
    for name, value in counts.items():
        if value is not None and value < 1:
            raise InputError(f"{where}: {name} is {value}; it has to be a whole number from 1 on")
    return settings


_TYPES: dict[str, tuple[type, ...]] = {
    "model": (str,),
    "address": (str,),
    "key": (str,),
    "known_as": (str,),
    "at_once": (int,),
    "samples_at_once": (int,),
    "token_limit": (str,),
    "grammars": (bool,),
    "strict_schemas": (bool,),
    "threads": (int,),
    "cache": (str,),
    "log": (str,),
}
_PARTS: dict[str, tuple[Any, dict[str, tuple[type, ...]]]] = {
    "limits": (
        PATIENCE,
        {"connect": (int, float), "read": (int, float), "total": (int, float), "tries": (int,)},
    ),
    "budget": (Budget(), {"calls": (int,), "tokens": (int,), "money": (int, float)}),
    "prices": (Prices(0.0, 0.0), {"prompt": (int, float), "completion": (int, float)}),
}


def settings_of(table: Mapping[str, object], where: str = "the settings of the model") -> ChatSettings:
    """Settings from plain data, as a table of a TOML file holds them; ``limits``, ``budget`` and ``prices`` are tables.

    Raises:
        InputError: a name or a value that is not known; says ``where``.
    """
    given: dict[str, Any] = {}
    for name, value in table.items():
        if name in _PARTS:
            usual, types = _PARTS[name]
            given[name] = _part(name, value, usual, types, where)
        else:
            given[name] = _value(name, value, _TYPES, where)
    if "model" not in given:
        raise InputError(f"{where}: no model is named")
    return checked_settings(ChatSettings(**given), where)


def _part(name: str, value: object, usual: Any, types: dict[str, tuple[type, ...]], where: str) -> object:
    from pylf.records import replace

    if not isinstance(value, dict):
        raise InputError(f"{where}: {name} has to be a table")
    if name == "prices" and value.keys() != types.keys():
        raise InputError(f"{where}: prices are those of prompt and completion, both, and nothing else")
    return replace(usual, **{key: _value(key, one, types, f"{where}, {name}") for key, one in value.items()})


def _value(name: str, value: object, types: dict[str, tuple[type, ...]], where: str) -> object:
    if name not in types:
        raise InputError(f"{where}: there is no setting {name!r}; there are {', '.join((*types, *_other(types)))}")
    wanted = types[name]
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        raise InputError(f"{where}: {name} has to be {_WORDS[wanted]}, not {value!r}")
    if isinstance(value, int | float) and not isinstance(value, bool) and not 0 <= value < float("inf"):
        raise InputError(f"{where}: {name} is {value}; it has to be a number from 0 on")
    return value


def _other(types: dict[str, tuple[type, ...]]) -> tuple[str, ...]:
    return tuple(_PARTS) if types is _TYPES else ()


_WORDS: dict[tuple[type, ...], str] = {
    (str,): "text in quotation marks",
    (int,): "a whole number",
    (bool,): "true or false",
    (int, float): "a number",
}
