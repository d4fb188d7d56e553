"""Vocabularies by name or from a TOML file.

A file holds the fields of :class:`pylf.ir.schema.vocabulary.Vocabulary` under their own names; ``prefixes``,
``datatypes`` and ``statements`` are tables. Whatever is left out is as in plain RDF Schema. ``builtin/rdf.toml`` is a
full example. ``statements`` says where confidences are: its ``kind`` is one of
:data:`~pylf.ir.schema.vocabulary.ENCODINGS` (``reification`` where it is left out), and its other keys are the fields
of that encoding.
"""

from __future__ import annotations

import os
from io import FileIO
from typing import TYPE_CHECKING

from pylf.errors import CompileError, InputError
from pylf.ir.schema.files import read_bounded
from pylf.ir.schema.names import check_iri
from pylf.ir.schema.vocabulary import ENCODINGS, Vocabulary, encoding_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pylf.ir.schema.vocabulary import Encoding

#: the vocabularies that come with pylf
BUILTIN = ("dbpedia", "freebase", "rdf", "wikidata")
#: the one that serves where none is chosen or implied
DEFAULT = "rdf"

_IRI = ("subclass_predicate", "entity_namespace", "relation_namespace")
_IRIS = ("type_predicates", "label_predicates", "class_relations", "metaclasses")
_PATTERNS = ("entity_pattern", "relation_pattern")
_BOOLEANS = ("subclass_paths", "slashes")
_TABLES = ("prefixes", "datatypes")
#: fields of encodings that are IRIs with a gap, and those that are lists of so many IRIs
_GAPPED, _LISTED = ("relation", "statement", "value"), {"links": 3}
#: a built-in one takes 2 kB; what is larger than this is something else
_LONGEST = 1_000_000
_KEYS = ("name", *_IRI, *_IRIS, "label_languages", *_PATTERNS, *_BOOLEANS, *_TABLES, "statements")

# The built-in ones that have been read.
_loaded: dict[str, Vocabulary] = {}


def load(name_or_path: str | os.PathLike[str]) -> Vocabulary:
    """The vocabulary built in under this name, or the one in this TOML file.

    Raises:
        InputError: no such name or file, no TOML, an unknown key, or a value of the wrong type.
    """
    name = os.fspath(name_or_path)
    known = _loaded.get(name)
    if known is not None:
        return known
    if name in BUILTIN:
        folder = __file__.rpartition(os.sep)[0]
        found = _loaded[name] = _read(f"{folder}/builtin/{name}.toml")
        return found
    return _read(name)


def from_mapping(data: Mapping[str, Any], origin: str) -> Vocabulary:
    """The vocabulary that plain data (as read from TOML) describes; ``origin`` names it in errors.

    Raises:
        InputError: an unknown key, or a value of the wrong type.
    """
    for key in data:
        if key not in _KEYS:
            raise InputError(f"{origin}: unknown key '{key}'{_nearest_key(key, _KEYS)}")
    fields: dict[str, Any] = {}
    for key in ("name", *_IRI, *_PATTERNS):
        if key in data:
            fields[key] = _string(data[key], key, origin)
    for key in (*_IRIS, "label_languages"):
        if key in data:
            fields[key] = _strings(data[key], key, origin)
    for key in _TABLES:
        if key in data:
            fields[key] = _table(data[key], key, origin)
    for key in _IRI:
        if key in fields:
            _iri(fields[key], key, origin)
    for key in _IRIS:
        for iri in fields.get(key, ()):
            _iri(iri, key, origin)
    for tag in fields.get("label_languages", ()):
        _tag(tag, "label_languages", origin)
    for key in _TABLES:
        for inner, iri in fields.get(key, {}).items():
            _iri(iri, f"{key}.{inner or chr(34) * 2}", origin)
    for key in _PATTERNS:
        if key in fields:
            _check_pattern(fields[key], key, origin)
    for key in _BOOLEANS:
        if key in data:
            fields[key] = _boolean(data[key], key, origin)
    if "statements" in data:
        fields["statements"] = _statements(data["statements"], origin)
    for kind in ("entity", "relation"):
        if f"{kind}_pattern" in fields and f"{kind}_namespace" not in fields:
            raise InputError(f"{origin}: '{kind}_pattern' needs '{kind}_namespace' beside it")
    fields.setdefault("name", origin)
    return Vocabulary(**fields)


def _read(path: str) -> Vocabulary:
    import tomllib

    try:
        with FileIO(path) as file:
            text = read_bounded(file, _LONGEST)
        if len(text) > _LONGEST:
            raise InputError(f"{path}: larger than {_LONGEST:,} bytes, so no vocabulary")
        data = tomllib.loads(text.decode())
    except FileNotFoundError as error:
        if path.endswith(".toml"):
            raise InputError(f"there is no vocabulary file {path}") from error
        raise InputError(f"there is no vocabulary '{path}': {_suggestion(path)}") from error
    except OSError as error:
        raise InputError(f"cannot read the vocabulary {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text, so not TOML") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from error
    except RecursionError as error:
        raise InputError(f"{path}: nested too deeply to be a vocabulary") from error
    stem = path.replace("\\", "/").rpartition("/")[2].removesuffix(".toml")
    return from_mapping({"name": stem, **data}, path)


def _string(value: object, key: str, origin: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{origin}: '{key}' must be a string, not {_kind(value)}")
    return value


def _boolean(value: object, key: str, origin: str) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{origin}: '{key}' must be true or false, not {_kind(value)}")
    return value


def _strings(value: object, key: str, origin: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InputError(f"{origin}: '{key}' must be a list of strings, not {_kind(value)}")
    for item in value:
        if not isinstance(item, str):
            raise InputError(f"{origin}: '{key}' must hold strings, not {_kind(item)}")
    if not value:
        raise InputError(f"{origin}: '{key}' is empty; leave it out for the default")
    return tuple(value)


def _table(value: object, key: str, origin: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise InputError(f"{origin}: '{key}' must be a table of strings, not {_kind(value)}")
    return {str(inner): _string(item, f"{key}.{inner}", origin) for inner, item in value.items()}


def encoding_data(encoding: Encoding) -> dict[str, Any]:
    """An encoding as the table ``statements`` of a file holds it."""
    fields: dict[str, Any] = {key: getattr(encoding, key) for key in type(encoding).__match_args__}
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()}
    return {"kind": encoding_name(encoding), **plain}


def _statements(value: object, origin: str) -> Encoding:
    if not isinstance(value, dict):
        raise InputError(f"{origin}: 'statements' must be a table, not {_kind(value)}")
    name = _string(value.get("kind", "reification"), "statements.kind", origin)
    if name not in ENCODINGS:
        raise InputError(f"{origin}: 'statements.kind' {name!r} is none of {', '.join(ENCODINGS)}")
    kind = ENCODINGS[name]
    fields: dict[str, Any] = {}
    for inner, item in value.items():
        key = f"statements.{inner}"
        if inner == "kind":
            continue
        if inner not in kind.__match_args__:
            raise InputError(f"{origin}: unknown key '{key}'{_nearest_key(inner, kind.__match_args__)}")
        if inner == "stated":
            fields[inner] = _boolean(item, key, origin)
        elif inner in _LISTED:
            fields[inner] = _links(item, key, _LISTED[inner], origin)
        else:
            fields[inner] = _string(item, key, origin)
            if inner in _GAPPED and name == "n-ary":
                _gapped(fields[inner], key, origin)
            else:
                _iri(fields[inner], key, origin)
    return kind(**fields)


def _links(value: object, key: str, count: int, origin: str) -> tuple[str, ...]:
    if value == []:
        return ()
    found = _strings(value, key, origin)
    if len(found) != count:
        raise InputError(f"{origin}: '{key}' must hold {count} IRIs, or none, not {len(found)}")
    for iri in found:
        _iri(iri, key, origin)
    return found


def _gapped(value: str, key: str, origin: str) -> None:
    """An IRI with one ``{}``, where a name or, at the beginning, a whole IRI stands."""
    if value.count("{}") != 1:
        raise InputError(f"{origin}: '{key}' must hold '{{}}' once, in the place of a relation's name")
    _iri(value.replace("{}", "urn:x" if value.startswith("{}") else "x"), key, origin)


def _iri(value: str, key: str, origin: str) -> None:
    try:
        check_iri(value)
    except CompileError as error:
        raise InputError(f"{origin}: '{key}': {error.diagnostics[0].message}") from error


def _tag(value: str, key: str, origin: str) -> None:
    import re

    if value and not re.fullmatch(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*", value):
        raise InputError(f"{origin}: '{key}': {value!r} is no language tag such as 'en' or 'pt-br' ('' is none)")


def _check_pattern(value: str, key: str, origin: str) -> None:
    import re

    try:
        re.compile(value)
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(f"{origin}: '{key}' is not a regular expression: {error}") from error


def _kind(value: object) -> str:
    match value:
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"


def _nearest_key(key: str, keys: tuple[str, ...]) -> str:
    import difflib

    near = difflib.get_close_matches(key, keys, n=1)
    return f"; did you mean '{near[0]}'?" if near else f"; the keys are {', '.join(sorted(keys))}"


def _suggestion(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name.lower(), BUILTIN, n=1, cutoff=0.5)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"built in are {', '.join(BUILTIN)}; otherwise name a TOML file"
