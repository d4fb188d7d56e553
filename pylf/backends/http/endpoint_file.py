"""The TOML file that describes an endpoint: read, and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.http.endpoint import Endpoint, Limits, graph_iri
from pylf.backends.toml import written
from pylf.errors import InputError, printable, reason

if TYPE_CHECKING:
    from typing import Any

#: keys of the file, in the order in which they are written
_TEXTS = ("url", "dialect", "snapshot", "contact", "schema", "vocabulary")
_LIMITS = ("connect", "read", "total", "tries")
_KEYS = ("url", "dialect", "graphs", "snapshot", "contact", "row_cap", "schema", "vocabulary", "limits", "differs")
#: what is larger than this is something else
_LONGEST = 1_000_000


def read_endpoint(path: str) -> Endpoint:
    """The endpoint that a TOML file describes: the fields of :class:`Endpoint` under their own names, ``limits`` and
    ``differs`` as tables, and ``url`` alone required. A ``schema`` is a file, beside the TOML file where it lies there.

    Raises:
        InputError: the file cannot be read, is not TOML, or holds a key or a value that is not known; names the key.
    """
    from pathlib import Path

    try:
        with Path(path).open("rb") as stream:
            text = stream.read(_LONGEST + 1)
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None
    if len(text) > _LONGEST:
        raise InputError(f"{path}: larger than {_LONGEST:,} bytes, so no description of an endpoint")
    import tomllib

    try:
        data = tomllib.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}: this is not TOML: {printable(str(problem))}") from None
    return _described(data, path)


def write_endpoint(endpoint: Endpoint, path: str | None = None) -> str:
    """The endpoint as the text of a TOML file that :func:`read_endpoint` reads; what is as by default is left out.
    Where a path is named, the file is written, too.

    Raises:
        InputError: it cannot be written.
    """
    lines = []
    for key in _KEYS[:-2]:
        value = getattr(endpoint, key)
        if value not in (None, ()):
            lines.append(f"{key} = {written(value)}")
    limits = [key for key in _LIMITS if getattr(endpoint.limits, key) != getattr(Limits(), key)]
    if limits:
        lines += ["", "[limits]", *(f"{key} = {written(getattr(endpoint.limits, key))}" for key in limits)]
    if endpoint.differs:
        lines += ["", "[differs]"]
        # TOML has no null: an unbounded number is written as a word
        lines += [f"{key} = {written('none' if value is None else value)}" for key, value in endpoint.differs]
    text = "\n".join(lines) + "\n"
    if path is not None:
        from pathlib import Path

        try:
            Path(path).write_text(text, encoding="utf-8", newline="\n")
        except OSError as problem:
            raise InputError(f"{path}: {reason(problem)}") from None
    return text


def _described(data: dict[str, Any], path: str) -> Endpoint:
    fields: dict[str, Any] = {}
    for key, value in data.items():
        match key:
            case "graphs":
                if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
                    raise InputError(f"{path}: graphs has to be a list of IRIs in quotation marks")
                try:
                    fields[key] = tuple(map(graph_iri, value))
                except InputError as problem:
                    raise InputError(f"{path}: {problem}") from None
            case "row_cap":
                fields[key] = _count(value, key, path)
            case "limits":
                fields[key] = _limits(_table(value, key, path), path)
            case "differs":
                fields[key] = _differs(_table(value, key, path), path)
            case _ if key in _TEXTS:
                if not isinstance(value, str) or not value or not value.isprintable():
                    raise InputError(f"{path}: {key} has to be text in quotation marks, on one line")
                fields[key] = value
            case _:
                raise InputError(f"{path}: there is no key {key!r}{_meant(key, _KEYS)}")
    if "url" not in fields:
        raise InputError(f"{path}: url is missing, the address of the endpoint")
    from pathlib import Path

    from pylf.backends.dialects import NAMES
    from pylf.backends.http.request import checked_contact, checked_url

    try:
        checked_url(fields["url"])
        checked_contact(fields.get("contact"))
    except InputError as problem:
        raise InputError(f"{path}: {problem}") from None
    dialect = fields.get("dialect")
    if dialect is not None and dialect not in NAMES:
        raise InputError(f"{path}: there is no dialect {dialect!r}{_meant(dialect, NAMES)}")
    schema = fields.get("schema")
    if schema is not None:
        beside = Path(path).parent / schema
        fields["schema"] = str(beside) if beside.exists() else schema
    return Endpoint(**fields)


def _limits(data: dict[str, Any], path: str) -> Limits:
    fields: dict[str, Any] = {}
    for key, value in data.items():
        name = f"limits.{key}"
        if key not in _LIMITS:
            raise InputError(f"{path}: there is no key {name!r}{_meant(key, _LIMITS)}")
        if key == "tries":
            fields[key] = _count(value, name, path)
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e9:
            fields[key] = float(value)
        else:
            raise InputError(f"{path}: {name} has to be a number of seconds above 0")
    return Limits(**fields)


def _differs(data: dict[str, Any], path: str) -> tuple[tuple[str, bool | int | None], ...]:
    from pylf.backends.sparql.dialect import Dialect

    plain = Dialect("plain")
    known = tuple(name for name in Dialect.__match_args__ if name != "name")
    found: list[tuple[str, bool | int | None]] = []
    for key, value in data.items():
        name = f"differs.{key}"
        if key not in known:
            raise InputError(f"{path}: there is no key {name!r}{_meant(key, known)}")
        default = getattr(plain, key)
        if isinstance(default, bool):
            if not isinstance(value, bool):
                raise InputError(f"{path}: {name} has to be true or false")
            found.append((key, value))
        elif value == "none" and default is None:
            found.append((key, None))
        else:
            found.append((key, _count(value, name, path)))
    return tuple(found)


def _table(value: object, key: str, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{path}: {key} has to be a table: a line [{key}], and its keys below it")
    return value


def _count(value: object, key: str, path: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 1 << 62:
        raise InputError(f"{path}: {key} has to be a whole number above 0")
    return value


def _meant(key: str, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, known, 1)
    return f"; was {near[0]!r} meant?" if near else f"; there are {', '.join(known)}"
