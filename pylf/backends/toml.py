"""Writing TOML values. (Python reads TOML, and does not write it.)"""

from __future__ import annotations

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def written(value: object) -> str:
    """A value on one line: a string, a number, true or false, a tuple as a list, a dict of bare keys as a table.

    Raises:
        TypeError: it is nothing of that.
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return '"' + escaped(value) + '"'
        case tuple():
            return f"[{', '.join(map(written, value))}]"
        case dict():
            return "{ " + ", ".join(f"{key} = {written(item)}" for key, item in value.items()) + " }"
        case _:
            raise TypeError(f"TOML has no {type(value).__name__}")


def escaped(text: str) -> str:
    """A text as it stands between double quotes."""
    return "".join(_ESCAPES.get(c) or (c if c.isprintable() else f"\\U{ord(c):08x}") for c in text)
