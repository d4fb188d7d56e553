"""Writing TOML: strings, texts of several lines, and records as tables. (Python reads TOML, and does not write it.)"""

from __future__ import annotations

from typing import Any


def basic(text: str) -> str:
    """A string in double quotes."""
    return '"' + "".join(map(_escaped, text)) + '"'


def block_text(text: str) -> str:
    """A text of several lines between triple quotes: as it is where it can be, else escaped."""
    body = text if text.endswith("\n") else text + "\n"
    if "'''" not in body and all(c == "\n" or c.isprintable() for c in body):
        return f"'''\n{body}'''"
    return '"""\n' + "".join(c if c == "\n" else _escaped(c) for c in body) + '"""'


def table(row: Any, plain: Any) -> list[str]:
    """A record's fields that differ from those of a plain one, one a line."""
    lines = []
    for name in type(row).__match_args__:
        value = getattr(row, name)
        if value != getattr(plain, name):
            lines.append(f"{name} = {_value(value)}")
    return lines


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return basic(value)
        case tuple():
            return "[" + ", ".join(map(_value, value)) + "]"
        case _:
            return "{ " + ", ".join(table(value, type(value)())) + " }"


def _escaped(character: str) -> str:
    if character in ('"', "\\"):
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
