"""Where the values of a JSON text stand: what ``json`` reads but does not tell."""

from __future__ import annotations

import re

from pylf.errors import Span

#: The way to a value: keys and positions, from the whole text on.
JsonPath = tuple[str | int, ...]

DEEPEST = 6

_SIGN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def json_spans(text: str) -> dict[JsonPath, Span]:
    """The span of every value of a valid JSON text by its path; of an object or a list, that of its first bracket.

    Of a key that an object has twice the last one counts, as for ``json``. Paths of more than DEEPEST parts are left
    out, since no graph query has any, and are not made either: the time is linear in the text, however it nests.
    """
    found: dict[JsonPath, Span] = {}
    around: list[JsonPath] = []
    path: JsonPath = ()
    key: str | None = None
    skipped = 0  # brackets that are open around the place, inside one with the longest path
    for match in _SIGN.finditer(text):
        sign = match.group()
        if skipped:
            skipped += (sign in "{[") - (sign in "}]")
            continue
        match sign[0]:
            case "{" | "[":
                found[path] = Span(*match.span())
                if len(path) == DEEPEST:
                    skipped = 1
                    continue
                around.append(path)
                path = (*path, 0) if sign == "[" else path
                key = None
            case "}" | "]":
                path = around.pop()
            case ",":
                here = around[-1]
                # inside a list the path is one longer than the list's own, and its last part a position
                last = path[-1] if len(path) > len(here) else None
                path = (*here, last + 1) if isinstance(last, int) else here
                key = None
            case ":":
                assert key is not None, "json has read the text"
                path = (*around[-1], key)
            case '"' if key is None and around and path == around[-1]:
                key = _unquoted(sign)
            case _:
                found[path] = Span(*match.span())
    return found


def written(path: JsonPath) -> str:
    """A path as messages name it: ``nodes[2].function``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _unquoted(sign: str) -> str:
    """A key's text. Keys that matter here are plain; one with escapes stays as written and matches none of them."""
    return sign[1:-1]
