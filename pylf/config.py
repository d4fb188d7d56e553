"""``pylf.toml``: the defaults of a working folder.

::

    kg = "graphs/films"            # a folder that `pylf kg load` made, or an RDF file
    schema = "films.ttl"           # paths are relative to the file
    vocabulary = "freebase"        # a built-in name, or a path
    negation = "cwa"
    dialect = "oxigraph"

Flags on the command line win.
"""

from __future__ import annotations

import os
from typing import Any

from pylf.errors import InputError

FILE = "pylf.toml"
_KEYS = {"kg": str, "schema": str, "vocabulary": str, "negation": str, "dialect": str, "lenient": bool, "strict": bool}
_PATHS = ("kg", "schema", "vocabulary")


def read_config(folder: str = ".") -> dict[str, Any]:
    """The settings of ``folder``'s ``pylf.toml``; empty where there is none.

    Raises:
        InputError: the file is not TOML, or holds a key or a value that is not known.
    """
    path = os.path.join(folder, FILE)
    if not os.path.isfile(path):
        return {}
    import tomllib

    try:
        with open(path, "rb") as stream:
            data = tomllib.load(stream)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as problem:
        raise InputError(f"{path}: {problem}") from None
    for key, value in data.items():
        wanted = _KEYS.get(key)
        if wanted is None:
            raise InputError(f"{path}: there is no setting {key!r}; the settings are {', '.join(_KEYS)}")
        if not isinstance(value, wanted):
            raise InputError(f"{path}: {key} has to be {'text' if wanted is str else 'true or false'}")
        if key in _PATHS and os.path.exists(os.path.join(folder, value)):
            data[key] = os.path.join(folder, value)
    return data
