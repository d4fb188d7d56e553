"""JSON of a reply, strictly: bounded in depth and size, and nothing that is no JSON (NaN, comments, single quotes).

:func:`read_json` reads one text; :func:`json_in` finds JSON in a reply and has it checked.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NoReturn, TypeAlias, TypeVar

from pylf.errors import CompileError, Diagnostic, Source, Span
from pylf.models.replies.expressions import objects
from pylf.models.replies.taking import NotTaken, Taken, take

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.models.chat.protocol import Reply

T = TypeVar("T")
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

DEPTH = 32
LONGEST = 200_000
#: digits of a number, as written
_DIGITS = 400
_SIGNS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[\[{\]}]', re.DOTALL)
_NAME = "<reply>"


def read_json(text: str, *, depth: int = DEPTH, longest: int = LONGEST) -> Json:
    """The value that a text writes in JSON (RFC 8259).

    Raises:
        CompileError: code ``json``: it is none, with the place; or goes beyond a limit; holds a number that is no
            number, a name twice in one object, or half a pair of surrogates.
    """
    import json

    if len(text) > longest:
        _refuse(text, f"the JSON has {len(text):,} characters; {longest:,} are the most that is read")
    _check_depth(text, depth)
    try:
        value: Json = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_constant, parse_float=_float, parse_int=_integer
        )
        # what is escaped in a string may be no character
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as problem:
        message = f"no JSON: {problem.msg[0].lower()}{problem.msg[1:]}"
        _refuse(text, message, Span(problem.pos, min(problem.pos + 1, len(text))))
    except UnicodeEncodeError:
        _refuse(text, "the JSON holds half of a pair of surrogates, which is no character")
    except ValueError as problem:
        _refuse(text, str(problem))
    return value


def json_in(reply: Reply | str | None, check: Callable[[Json], T]) -> Taken[T] | NotTaken:
    """The first JSON in a reply that ``check`` takes: in a block tagged ``json``, in another, in prose. ``check``
    raises ValueError or a PylfError for a value that is not as it was asked for."""
    return take(reply, lambda text: check(read_json(text)), tags=("json", "jsonc", "json5"), find=objects)


def _check_depth(text: str, most: int) -> None:
    """Refuses what is nested too deep, before anything goes down there."""
    open_signs = 0
    for sign in _SIGNS.finditer(text):
        if sign[0] in "[{":
            open_signs += 1
            if open_signs > most:
                _refuse(text, f"the JSON is nested more than {most} deep", Span(*sign.span()))
        elif sign[0] in "]}":
            open_signs -= 1


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the JSON has {name[:80]!r} twice in one object")
        found[name] = value
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]} is more than a number of JSON can be here")
    return number


def _integer(text: str) -> int:
    if len(text) > _DIGITS:
        raise ValueError(f"a number of the JSON has {len(text)} digits")
    return int(text)


def _refuse(text: str, message: str, span: Span | None = None) -> NoReturn:
    raise CompileError([Diagnostic("json", message, span, Source(text, _NAME))]) from None
