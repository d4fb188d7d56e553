"""Graphs on disk: ``pylf kg load`` and what stands in the folder that it makes.

::

    DIR/manifest.json              what the folder says of itself; without it the folder is no graph
    DIR/graph-3f2a…/store/         Oxigraph's files
    DIR/graph-3f2a…/schema.sqlite  the schema inferred from the data

A graph is put in place in one step: a new one is built in a hidden folder beside its place and renamed; one that
replaces another is built inside the old one's folder, and the new manifest takes the place of the old. So whatever
stops a load (an error, Ctrl-C, a kill), the place holds what it held before, and the next load sweeps up.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import os
import secrets
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pylf.backends.engines import manifest as manifests
from pylf.backends.engines import staging
from pylf.backends.engines.manifest import Manifest
from pylf.backends.engines.reading import Reading, bulk_load, check_source, parse
from pylf.errors import InputError, reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pyoxigraph

    from pylf.backends.engines.reading import AnyPath, SourceFile
    from pylf.ir.schema.vocabulary import Vocabulary

_STORE = "store"
_SCHEMA = "schema.sqlite"
_FREEBASE = "http://rdf.freebase.com/ns/"
#: a file with less text than this is looked into to see whether it holds any triple
_SMALL = 1 << 16
_SAMPLE = 2_000


def load(
    sources: AnyPath | Sequence[AnyPath],
    target: AnyPath,
    progress: Callable[[int, int], None] | None = None,
    vocabulary: Vocabulary | None = None,
    infer: bool = True,
    replace: bool = False,
    base: str | None = None,
    phase: Callable[[str], None] | None = None,
) -> Manifest:
    """Loads RDF files (suffixes in :data:`pylf.backends.engines.reading.FORMATS`) into a folder, and infers a schema.

    ``progress(done, total)`` is told bytes of the files as they lie on the disk; ``phase(text)`` what is being done.
    ``vocabulary`` serves the inference; without one it is guessed (Freebase by its namespace, else ``rdf``).
    ``replace`` lets the new graph take the place of one that is there, which serves until then.
    ``base`` is what relative IRIs are resolved against; without one, each file's own address.

    Raises:
        InputError: a file that cannot be read or does not parse (with file, line and column), a folder that is in the
            way or cannot be written. Nothing is left behind then, nor after a KeyboardInterrupt.
    """
    sizes, warnings = _distinct(sources)
    place = Path(target)
    job = _Load(list(sizes), sum(sizes.values()), progress, vocabulary, infer, base, phase or _silent, warnings)
    try:
        if staging.check_target(place, replace, manifests.NAME):
            return job.replacing(place)
        return job.fresh(place)
    except OSError as error:
        raise InputError(f"{place}: the graph cannot be written ({reason(error)})") from error


def info(folder: AnyPath) -> dict[str, Any]:
    """What a graph's folder holds, as plain data: the manifest, ``path`` and ``bytes`` on disk.

    Raises:
        InputError: the folder is no graph.
    """
    place = Path(folder)
    found = manifests.read(place)
    size = sum(file.stat().st_size for file in (place / found.folder).rglob("*") if file.is_file())
    return {"path": str(place), "bytes": size, **found.to_json()}


def schema_path(folder: AnyPath) -> Path | None:
    """The schema file in a graph's folder; None where none was made.

    Raises:
        InputError: the folder is no graph.
    """
    found = manifests.read(Path(folder))
    return Path(folder) / found.folder / _SCHEMA if found.schema else None


def vocabulary_of(folder: AnyPath) -> Vocabulary:
    """The vocabulary that a graph was loaded with.

    Raises:
        InputError: the folder is no graph.
    """
    from pylf.ir.schema import vocabularies

    data = manifests.read(Path(folder)).vocabulary
    if set(data) == {"name"}:
        return vocabularies.load(str(data["name"]))
    return vocabularies.from_mapping(data, str(Path(folder) / manifests.NAME))


def open_store(folder: AnyPath) -> tuple[pyoxigraph.Store, Manifest, Path | None]:
    """A graph's store, read-only, its manifest and its schema file.

    Raises:
        InputError: the folder is no graph, or its store cannot be opened or is not as it was left by the load. (To
            count the triples would tell most, and takes 0.4 s a million of them; sizes of files are had for nothing.)
    """
    import pyoxigraph

    place = Path(folder)
    found = manifests.read(place)
    files = store_files(place, found)
    try:
        store = pyoxigraph.Store.read_only(str(files))
        whole = (next(iter(store), None) is None) == (found.triples == 0)
        whole = whole and found.store_bytes in (0, _size_of(files))
    except (OSError, RuntimeError) as error:  # RocksDB's "Corruption: …" comes as a RuntimeError
        newer = manifests.read(place)
        if newer.folder != found.folder:  # it was replaced between the two looks
            return open_store(folder)
        raise InputError(f"{place}: the store cannot be opened ({error}); load the graph again") from error
    if not whole:
        raise InputError(f"{place}: the store is damaged: it is not as it was left by the load; load the graph again")
    return store, found, place / found.folder / _SCHEMA if found.schema else None


def store_files(folder: AnyPath, manifest: Manifest) -> Path:
    """The folder of Oxigraph's own files that a manifest speaks of; another load's is another one."""
    return Path(folder) / manifest.folder / _STORE


def guess_vocabulary(store: pyoxigraph.Store) -> Vocabulary:
    """Freebase's vocabulary where most of a sample of predicates are in its namespace, else that of plain RDF."""
    import itertools

    from pylf.ir.schema import vocabularies

    quads = itertools.islice(store.quads_for_pattern(None, None, None, None), _SAMPLE)
    names = [quad.predicate.value for quad in quads]
    ours = sum(name.startswith(_FREEBASE) for name in names)
    return vocabularies.load("freebase" if 2 * ours > len(names) else "rdf")


class _Load:
    """One load: what it reads, and the two ways of putting the result in place."""

    def __init__(
        self,
        paths: list[str],
        total: int,
        progress: Callable[[int, int], None] | None,
        vocabulary: Vocabulary | None,
        infer: bool,
        base: str | None,
        phase: Callable[[str], None],
        warnings: list[str],
    ) -> None:
        self.paths = paths
        self.total = total
        self.progress = progress
        self.vocabulary = vocabulary
        self.infer = infer
        self.base = base
        self.phase = phase
        self.warnings = warnings
        self.done = 0

    def fresh(self, target: Path) -> Manifest:
        """Builds beside ``target`` and renames."""
        staging.sweep(target)
        folder, lock = staging.partial_beside(target)
        try:
            made = self.build(folder)
            manifests.write(folder, made)
            lock.remove()
            _move(folder, target)
        except BaseException:
            lock.free()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        manifests.sync_folder(target.absolute().parent)
        return made

    def replacing(self, target: Path) -> Manifest:
        """Builds inside ``target`` and puts the new manifest over the old."""
        lock = staging.Lock.take(target)
        if lock is None:
            raise InputError(f"{target}: another load is replacing this graph")
        kept = _folder_of(target)
        try:
            staging.sweep_inside(target, manifests.NAME, kept)
            made = self.build(target)
            manifests.write(target, made)
            kept = made.folder
            return made
        finally:
            staging.sweep_inside(target, manifests.NAME, kept)
            lock.free()

    def build(self, folder: Path) -> Manifest:
        """Makes a data folder inside ``folder`` and says what its manifest is."""
        import pyoxigraph

        data = folder / f"{staging.DATA_PREFIX}{secrets.token_hex(6)}"
        data.mkdir()
        store = pyoxigraph.Store(str(data / _STORE))
        try:
            self.phase("reading")
            sources = tuple([self.read(path, store) for path in self.paths])
            store.flush()
            made = self.describe(data.name, store, sources, data / _SCHEMA)
        finally:
            # the store closes, and lets go of its lock, when the last reference to it is gone
            del store
            gc.collect()
        _drop_logs(data / _STORE)
        return dataclasses.replace(made, store_bytes=_size_of(data / _STORE))

    def read(self, path: str, store: pyoxigraph.Store) -> SourceFile:
        """Loads one file."""
        with Reading(path, self.advanced) as reading:
            bulk_load(store, reading, self.base)
            if reading.bytes_out == 0:
                self.warnings.append(f"{path}: the file is empty")
            elif reading.bytes_out < _SMALL and next(parse(path, self.base), None) is None:
                self.warnings.append(f"{path}: the file holds no triples")
            return reading.source()

    def advanced(self, count: int) -> None:
        """Bytes have been read."""
        self.done += count
        if self.progress is not None:
            self.progress(self.done, self.total)

    def describe(
        self, name: str, store: pyoxigraph.Store, sources: tuple[SourceFile, ...], schema_file: Path
    ) -> Manifest:
        """Infers the schema, writes it, and makes the manifest."""
        from pylf import __version__
        from pylf.backends.engines.oxigraph import languages_of, oxigraph_version

        self.phase("looking at the data")
        vocabulary = self.vocabulary or guess_vocabulary(store)
        snapshot = manifests.snapshot_of([source.content for source in sources], self.base)
        relations = classes = triple_terms = 0
        if self.infer:
            self.phase("inferring the schema")
            with _without_collections():
                relations, classes, triple_terms = self.inferred(store, vocabulary, snapshot, schema_file)
            if triple_terms:
                self.warnings.append(f"{triple_terms:,} triples hold a triple term (RDF 1.2) and are passed over")
        return Manifest(
            folder=name,
            snapshot=snapshot,
            triples=len(store),
            sources=sources,
            tool=__version__,
            engine=oxigraph_version(),
            created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            vocabulary=_vocabulary_data(vocabulary),
            base=self.base,
            named_graphs=sum(1 for _ in store.named_graphs()),
            triple_terms=triple_terms,
            languages={p: languages_of(store, [p]) for p in vocabulary.label_predicates},
            schema=self.infer,
            relations=relations,
            classes=classes,
            warnings=tuple(self.warnings),
        )

    def inferred(
        self, store: pyoxigraph.Store, vocabulary: Vocabulary, snapshot: str, schema_file: Path
    ) -> tuple[int, int, int]:
        """Writes the schema; how many relations and classes it has, and triples that it could not look at."""
        from pylf.backends.engines.oxigraph import OxigraphEngine
        from pylf.backends.engines.oxigraph_statistics import count_files, scan
        from pylf.ir.schema.cache import write_schema
        from pylf.ir.schema.infer import infer_schema
        from pylf.ir.schema.memory import MemorySource
        from pylf.ir.schema.model import Schema

        named = next(iter(store.named_graphs()), None) is not None
        counted = None if named else count_files(self.paths, self.base, len(store))
        tally, skipped = counted if counted is not None else scan(store)
        found = infer_schema(OxigraphEngine(store), vocabulary, statistics=tally).source
        relations, classes = tuple(found.all_relations()), tuple(found.all_classes())
        meta = {
            key: value
            for key in ("source", "vocabulary", "sound", "disjoint", "inverses", "languages")
            if (value := found.meta(key))
        }
        write_schema(Schema(MemorySource(relations, classes, {**meta, "snapshot": snapshot})), schema_file)
        return len(relations), len(classes), skipped


def _distinct(sources: AnyPath | Sequence[AnyPath]) -> tuple[dict[str, int], list[str]]:
    """The paths to read with their sizes, and a warning for each that is named twice. Raises InputError where one
    cannot be read, or there is none."""
    given = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    if not given:
        raise InputError("no files to load")
    sizes: dict[str, int] = {}
    seen = set()
    warnings = []
    for source in given:
        name = os.fspath(source)
        size = check_source(name)
        file = Path(name).resolve()
        if file in seen:
            warnings.append(f"{name}: is named twice and read once")
        else:
            seen.add(file)
            sizes[name] = size
    return sizes, warnings


def _folder_of(target: Path) -> str | None:
    try:
        return manifests.read(target).folder
    except InputError:
        return None  # it is being replaced because it is damaged


def _move(folder: Path, target: Path) -> None:
    """Renames a finished folder. Raises InputError where something has taken its place meanwhile."""
    try:
        if os.name != "posix" and target.is_dir():
            target.rmdir()  # elsewhere an empty folder gives way by itself
        folder.rename(target)
    except OSError as error:
        if os.path.lexists(target):
            raise InputError(f"{target}: something else was put there during the load") from error
        raise


@contextlib.contextmanager
def _without_collections() -> Iterator[None]:
    """No garbage collection meanwhile: counting makes a million tuples, none in a circle, to be searched for circles
    again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _drop_logs(store_folder: Path) -> None:
    """Removes RocksDB's diary of the load (as large as a small graph, and of no use to a reader)."""
    for file in list(store_folder.glob("LOG*")):
        if file.name == "LOG" or file.name.startswith("LOG.old"):
            with contextlib.suppress(OSError):
                file.unlink()


def _size_of(store_folder: Path) -> int:
    """Bytes of a store's tables and of the file that says which they are; no reader changes those."""
    return sum(file.stat().st_size for pattern in ("*.sst", "MANIFEST-*") for file in store_folder.glob(pattern))


def _vocabulary_data(vocabulary: Vocabulary) -> dict[str, Any]:
    """A vocabulary as its TOML file would hold it; a built-in one by its name alone."""
    from dataclasses import fields

    from pylf.ir.schema import vocabularies

    if vocabulary.name in vocabularies.BUILTIN and vocabularies.load(vocabulary.name) == vocabulary:
        return {"name": vocabulary.name}
    data: dict[str, Any] = {}
    for field in fields(vocabulary):
        value = getattr(vocabulary, field.name)
        if field.name == "statements":
            value = vocabularies.encoding_data(value)
        if isinstance(value, tuple):
            value = list(value)
        if value is not None and value not in ({}, []):
            data[field.name] = dict(value) if hasattr(value, "items") else value
    return data


def _silent(_: str) -> None:
    return
