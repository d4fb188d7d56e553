"""``manifest.json``: what a graph's folder says of itself. A folder without a sound one is no graph."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from pylf.backends.engines.reading import SourceFile
from pylf.errors import InputError, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

NAME = "manifest.json"
#: raised when a folder's layout changes so that older versions of pylf cannot read it
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """A loaded graph.

    ``folder`` is the name, inside the graph's own folder, of the folder that holds ``store`` and ``schema.sqlite``;
    it changes with every load, so that replacing this file replaces the graph.
    """

    folder: str
    #: id of the data; see :func:`snapshot_of`
    snapshot: str
    #: distinct triples (quads, where there are named graphs)
    triples: int
    sources: tuple[SourceFile, ...] = ()
    #: version of pylf and of the engine that wrote the folder
    tool: str = ""
    engine: str = ""
    #: when, in UTC, as ``2026-11-30T07:11:27Z``
    created: str = ""
    #: the vocabulary that the schema was inferred with, as its TOML file would hold it; a built-in one by name alone
    vocabulary: Mapping[str, Any] = field(default_factory=lambda: {"name": "rdf"})
    #: what relative IRIs were resolved against, where it was given
    base: str | None = None
    named_graphs: int = 0
    #: triples that hold a triple term (RDF 1.2), which lookups pass over
    triple_terms: int = 0
    #: label predicate to the language tags that its literals carry ("" for none)
    languages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: whether there is a ``schema.sqlite``, and what it holds
    schema: bool = False
    relations: int = 0
    classes: int = 0
    warnings: tuple[str, ...] = ()
    #: bytes of the store's files that reading needs, by which damage shows at once; 0 where it was not noted
    store_bytes: int = 0
    format: int = FORMAT

    def to_json(self) -> dict[str, Any]:
        """The manifest as plain data."""
        data = asdict(self)
        data["sources"] = [source._asdict() for source in self.sources]
        return {"format": data.pop("format"), **data}


def snapshot_of(contents: Iterable[str], base: str | None = None) -> str:
    """The id of data that is made of parts with these checksums: the same in any order, and for equal content."""
    parts = sorted(contents)
    if base is not None:
        parts.append(f"base {base}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def write(folder: Path, manifest: Manifest) -> None:
    """Puts the manifest in place at once: a reader sees the one before or this one.

    Raises:
        OSError: the folder cannot be written.
    """
    path = folder / NAME
    beside = folder / f"{NAME}.{os.getpid()}"
    with beside.open("w", encoding="utf-8") as stream:
        json.dump(manifest.to_json(), stream, indent=1, ensure_ascii=False)
        stream.write("\n")
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)
    sync_folder(folder)


def read(folder: Path) -> Manifest:
    """The manifest of a graph's folder.

    Raises:
        InputError: the folder is no graph, or its manifest is damaged or of a newer version; says which.
    """
    path = folder / NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(_no_graph(folder)) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: the manifest is damaged ({error}); load the graph again") from error
    if isinstance(data, dict) and isinstance(data.get("format"), int) and data["format"] > FORMAT:
        raise InputError(f"{folder}: was written by a newer pylf ({data.get('tool', 'unknown')}); load the graph again")
    try:
        return _manifest(data)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: the manifest is damaged ({error}); load the graph again") from error


def sync_folder(folder: Path) -> None:
    """Makes what was renamed in a folder last over a power cut, where the system can do that."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _manifest(data: Any) -> Manifest:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError("not the manifest of a graph")
    known: dict[str, Any] = {name: data[name] for name in Manifest.__dataclass_fields__ if name in data}
    for name, kind in (("folder", str), ("snapshot", str), ("triples", int)):
        if not isinstance(data[name], kind):
            raise TypeError(f"{name} is {data[name]!r}")
    if not isinstance(data.get("store_bytes", 0), int):
        raise TypeError(f"store_bytes is {data['store_bytes']!r}")
    if not re.fullmatch(r"graph-[0-9a-f]+", data["folder"]):
        raise ValueError(f"folder is {data['folder']!r}")
    known["sources"] = tuple(SourceFile(**source) for source in data.get("sources", ()))
    known["vocabulary"] = dict(data.get("vocabulary", {"name": "rdf"}))
    known["warnings"] = tuple(str(warning) for warning in data.get("warnings", ()))
    known["languages"] = {str(p): tuple(map(str, tags)) for p, tags in dict(data.get("languages", {})).items()}
    return Manifest(**known)


def _no_graph(folder: Path) -> str:
    if folder.is_file():
        return f"{folder}: is a file, not a graph folder; make one of it with 'pylf kg load'"
    if not folder.is_dir():
        return f"{folder}: no such folder"
    if (folder / "CURRENT").exists():
        return f"{folder}: is a bare Oxigraph store without a manifest; dump it to a file and run 'pylf kg load'"
    return f"{folder}: is not a graph (no {NAME}); make one with 'pylf kg load'"
