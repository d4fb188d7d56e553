"""Relative IRIs, resolved as RFC 3986 (section 5.2) resolves references."""

from __future__ import annotations

import re

_PARTS = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


def resolve(reference: str, base: str) -> str:
    """The IRI that ``reference`` is, relative to ``base``, which has a scheme."""
    scheme, authority, path, query, fragment = _split(reference)
    base_scheme, base_authority, base_path, base_query, _ = _split(base)
    if scheme is not None:
        return _joined(scheme, authority, _without_dots(path or ""), query, fragment)
    assert path is not None
    assert base_path is not None
    if authority is not None:
        return _joined(base_scheme, authority, _without_dots(path), query, fragment)
    if not path:
        return _joined(base_scheme, base_authority, base_path, base_query if query is None else query, fragment)
    if not path.startswith("/"):
        before = "/" if base_authority is not None and not base_path else base_path[: base_path.rfind("/") + 1]
        path = before + path
    return _joined(base_scheme, base_authority, _without_dots(path), query, fragment)


def _split(iri: str) -> tuple[str | None, ...]:
    parts = _PARTS.fullmatch(iri)
    assert parts is not None
    return parts.groups()


def _joined(scheme: str | None, authority: str | None, path: str, query: str | None, fragment: str | None) -> str:
    out = f"{scheme}:"
    if authority is not None:
        out += f"//{authority}"
    out += path
    if query is not None:
        out += f"?{query}"
    return out if fragment is None else f"{out}#{fragment}"


def _without_dots(path: str) -> str:
    """A path without ``.`` and ``..`` (section 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")
    for place, segment in enumerate(segments):
        last = place == len(segments) - 1
        if segment == "..":
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
        elif segment != ".":
            kept.append(segment)
            continue
        if last:
            kept.append("")
    return "/".join(kept)
