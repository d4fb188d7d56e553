"""``pylf.toml``: the defaults of a working folder.

::

    kg = "graphs/films"            # a folder that `pylf kg load` made, an RDF file, an endpoint's address or its file
    schema = "films.ttl"           # paths are relative to the file
    vocabulary = "freebase"        # a built-in name, or a path
    negation = "cwa"
    dialect = "oxigraph"
    optimize = 2                   # as -O2, of `pylf compile` and `pylf run`

    [llm]                          # the model that methods ask; [llm.NAME] are others, for --llm NAME
    model = "smollm2"
    address = "local"

Flags on the command line win.
"""

from __future__ import annotations

import os

from pylf.backends.dialects import NAMES
from pylf.errors import InputError, reason

FILE = "pylf.toml"
_TEXTS = ("kg", "schema", "vocabulary", "negation", "dialect")
_SWITCHES = ("lenient", "strict")
_MODELS = "llm"
_KEYS = (*_TEXTS, "optimize", *_SWITCHES, _MODELS)
_PATHS = ("kg", "schema", "vocabulary")
_CHOICES = {"negation": ("cwa", "pca"), "dialect": NAMES}


def read_config(folder: str = ".") -> dict[str, str | int | bool]:
    """The settings of ``folder``'s ``pylf.toml`` without its models; empty where there is none.

    Raises:
        InputError: the file cannot be read, is not TOML, or holds a key or a value that is not known.
    """
    return _read(folder)[0]


def read_models(folder: str = ".") -> dict[str, object]:
    """The table ``[llm]`` of ``folder``'s ``pylf.toml`` as it stands there; empty where there is none.

    Raises:
        InputError: as :func:`read_config`; what is in the table is not looked at.
    """
    return _read(folder)[1]


def _read(folder: str) -> tuple[dict[str, str | int | bool], dict[str, object]]:
    """The settings, and the table of models."""
    path = os.path.join(folder, FILE) if folder != "." else FILE
    try:
        with open(path, "rb") as stream:
            text = stream.read()
    except FileNotFoundError:
        return {}, {}
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None
    import tomllib

    try:
        data = tomllib.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}: this is not TOML: {problem}") from None
    models = data.pop(_MODELS, {})
    if not isinstance(models, dict):
        raise InputError(f'{path}: {_MODELS} has to be a table: [{_MODELS}], and below it model = "…"')
    return {key: _setting(path, folder, key, value) for key, value in data.items()}, models


def _setting(path: str, folder: str, key: str, value: object) -> str | int | bool:
    if key in _SWITCHES:
        if not isinstance(value, bool):
            raise InputError(f"{path}: {key} has to be true or false")
        return value
    if key == "optimize":
        if type(value) is not int or value not in (0, 1, 2):  # neither true, which is 1 in Python, nor 1.0
            raise InputError(f"{path}: optimize has to be 0, 1 or 2, without quotation marks")
        return value
    if key not in _KEYS:
        from difflib import get_close_matches

        near = get_close_matches(key, _KEYS, 1)
        meant = f"; was {near[0]!r} meant?" if near else f"; the settings are {', '.join(_KEYS)}"
        raise InputError(f"{path}: there is no setting {key!r}{meant}")
    if not isinstance(value, str):
        raise InputError(f"{path}: {key} has to be text in quotation marks")
    if not value or "\0" in value:
        raise InputError(f"{path}: {key} is empty" if not value else f"{path}: {key} holds a null character")
    choices = _CHOICES.get(key)
    if choices is not None and value not in choices:
        raise InputError(f"{path}: {key} has to be {' or '.join(choices)}, not {value!r}")
    if key in _PATHS and os.path.exists(beside := os.path.join(folder, value)):
        return beside if folder != "." else value
    return value
