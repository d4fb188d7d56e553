"""Texts of several lines and records, as TOML."""

from __future__ import annotations

from typing import Any

from pylf.backends.toml import escaped, written


def block_text(text: str) -> str:
    """A text of several lines between triple quotes: as it is where it can be, else escaped."""
    body = text if text.endswith("\n") else text + "\n"
    if "'''" not in body and all(c == "\n" or c.isprintable() for c in body):
        return f"'''\n{body}'''"
    return '"""\n' + "\n".join(map(escaped, body.split("\n"))) + '"""'


def table(row: Any, plain: Any) -> list[str]:
    """A record's fields that differ from those of a plain one, one a line."""
    return [f"{name} = {written(value)}" for name, value in _said(row, plain).items()]


def _said(row: Any, plain: Any) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in type(row).__match_args__}
    return {name: _plain(value) for name, value in fields.items() if value != getattr(plain, name)}


def _plain(value: Any) -> Any:
    """The value, with a record as a table of what it says."""
    return _said(value, type(value)()) if hasattr(value, "__match_args__") else value
