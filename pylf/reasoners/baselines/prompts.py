"""Prompts, as text files that users can put others in the place of.

A file has parts, each below a line ``[system]`` or ``[user]``, and places ``{{name}}`` to be filled. What is filled in
is text: nothing in it is a place, so that no question can fill another one's.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import InputError, printable, reason
from pylf.models.chat.protocol import Message

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from pylf.models.chat.protocol import Role

_OWN = Path(__file__).with_name("prompts")
_PART = re.compile(r"^\[(\w+)\][ \t]*$", re.MULTILINE)
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_GAP = re.compile(r"\n(?:[ \t]*\n){2,}")
_LONGEST = 200_000
#: what makes prompts of different questions differ: where one of these is told, the prompt has a place for it
_NEEDED = frozenset({"question", "answer", "examples", "triples"})
_ROLES: tuple[Role, ...] = ("system", "user", "assistant")


class Prompts:
    """Prompts by name. A file ``NAME.txt`` in ``folder`` stands in the place of pylf's own of that name."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        """Reads nothing yet, but looks whether each file in ``folder`` has the name of a prompt.

        Raises:
            InputError: there is no such folder, or it has a file that would not be used.
        """
        self._folder = None if folder is None else Path(folder)
        self._read: dict[str, tuple[tuple[Role, str], ...]] = {}
        self._files: dict[str, tuple[Path, bytes]] = {}
        if self._folder is not None:
            if not self._folder.is_dir():
                raise InputError(f"{folder}: there is no such folder of prompts")
            known = {path.name for path in _OWN.glob("*.txt")}
            others = sorted({path.name for path in self._folder.glob("*.txt")} - known)
            if others:
                raise InputError(f"{self._folder / others[0]} is no prompt; there are {', '.join(sorted(known))}")

    def messages(self, name: str, **values: str) -> tuple[Message, ...]:
        """The messages of a prompt, with its places filled; a part of which nothing is left is none.

        Raises:
            InputError: the file cannot be read, has a place that these values do not fill, or none for the question.
        """
        filled = [(role, _filled(text, values)) for role, text in self._parts(name, values)]
        return tuple([Message(role, text) for role, text in filled if text])

    def text(self, name: str, **values: str) -> str:
        """The text of a prompt that is a part of others."""
        return "\n\n".join([message.content for message in self.messages(name, **values)])

    def hashes_of(self, names: Iterable[str]) -> dict[str, str]:
        """Of each of these prompts, ``prompt NAME`` and the start of its file's sha256.

        Raises:
            InputError: a file cannot be read.
        """
        return {f"prompt {name}": hashlib.sha256(self._data(name)[1]).hexdigest()[:16] for name in names}

    def _parts(self, name: str, values: Mapping[str, str]) -> tuple[tuple[Role, str], ...]:
        if name not in self._read:
            path, data = self._data(name)
            try:
                text = data.decode("utf-8-sig")
            except UnicodeDecodeError as problem:
                raise InputError(f"{path}: byte {problem.start + 1:,} is not UTF-8") from None
            self._read[name] = _apart(text.replace("\r\n", "\n"), path, values)
        return self._read[name]

    def _data(self, name: str) -> tuple[Path, bytes]:
        """The file that counts, and what it holds; read once, so that what is hashed is what is sent."""
        if name not in self._files:
            own = self._folder / f"{name}.txt" if self._folder is not None else None
            path = own if own is not None and own.exists() else _OWN / f"{name}.txt"
            try:
                self._files[name] = path, path.read_bytes()
            except OSError as problem:
                raise InputError(f"{path}: {reason(problem)}") from None
            if len(self._files[name][1]) > _LONGEST:
                raise InputError(f"{path}: a prompt of more than {_LONGEST:,} bytes")
        return self._files[name]


def _apart(text: str, path: Path, values: Mapping[str, str]) -> tuple[tuple[Role, str], ...]:
    before, *rest = _PART.split(text)
    if before.strip() or not rest:
        raise InputError(f"{path}:1: a prompt begins with a line '[system]' or '[user]'")
    parts: list[tuple[Role, str]] = []
    for role, part in zip(rest[::2], rest[1::2], strict=True):
        known = next((one for one in _ROLES if one == role), None)
        if known is None:
            line = text[: text.index(f"[{role}]")].count("\n") + 1
            raise InputError(f"{path}:{line}: there is no part [{printable(role)}]: system, user, assistant")
        parts.append((known, part))
    for place in _PLACE.finditer(text):
        if place[1] not in values:
            line = text[: place.start()].count("\n") + 1
            raise InputError(f"{path}:{line}: nothing fills {place[0]}; there are {', '.join(sorted(values))}")
    lacking = sorted(_NEEDED & values.keys() - {place[1] for place in _PLACE.finditer(text)})
    if lacking:
        raise InputError(f"{path}: a prompt without a place {{{{{lacking[0]}}}}} is the same whatever that is")
    return tuple(parts)


def _filled(text: str, values: Mapping[str, str]) -> str:
    """The text with its places filled. A line that is one place, and nothing fills it, is no line."""
    lines = []
    for line in text.split("\n"):
        alone = _PLACE.fullmatch(line.strip())
        if alone is None or values[alone[1]]:
            lines.append(_PLACE.sub(lambda place: values[place[1]], line))
    return _GAP.sub("\n\n", "\n".join(lines)).strip()
