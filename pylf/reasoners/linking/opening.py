"""The linker of a graph: over its names, which are read once and kept, or by asking for them one by one."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.backends.engines.http import HttpEngine
from pylf.backends.text_cache import in_cache_folder
from pylf.errors import InputError
from pylf.models.encoders.lexical import Lexical
from pylf.reasoners.linking.asked import AskedLinker
from pylf.reasoners.linking.linker import NameLinker
from pylf.reasoners.linking.names import VERSION, Names, write_names
from pylf.reasoners.linking.stated import ALIASES, class_names, names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.graphs import KnowledgeGraph
    from pylf.models.encoders.protocol import Encoder
    from pylf.models.vectors.hit import NameIndex
    from pylf.reasoners.linking.candidate import Linker
    from pylf.reasoners.linking.names import Named

#: triples of an endpoint up to which its names are read
READ = 200_000
FOLDER = "names-1"
#: bytes of names, with their indexes, that are kept
KEPT = 4_000_000_000


def open_linker(
    kg: KnowledgeGraph,
    encoder: Encoder | None = None,
    *,
    names: Names | None = None,
    aliases: Sequence[str] = ALIASES,
    folder: str | os.PathLike[str] | None = None,
    read_up_to: int = READ,
) -> Linker:
    """The linker of a graph.

    The names of a graph at hand, and of an endpoint of no more than ``read_up_to`` triples, are read once and kept in
    ``folder`` (None: the user's cache folder) until the graph changes; another endpoint is asked for each mention.
    ``names`` are some that are at hand already. ``encoder`` tells which names are alike, of which an index is kept
    beside them; None, or the lexical one: their spelling does.

    Raises:
        EngineError: the graph does not give its names.
        InputError: the names or the index cannot be kept, a package is missing, or an encoder is given for names that
            are not read.
    """
    engine = kg.engine
    if names is None and isinstance(engine, HttpEngine) and not engine.holds_at_most(read_up_to):
        if encoder is not None and not isinstance(encoder, Lexical):
            raise InputError(
                f"{kg.name}: an endpoint of more than {read_up_to:,} triples is asked for each name, and the encoder "
                f"{encoder.name} has no part in that; raise read_up_to to have its names read"
            )
        where = None if folder is None else Path(folder)
        key = _key("classes", *_told(class_names(kg.schema)))
        classes = NameLinker(kept_names(key, class_names(kg.schema), where), kg.schema, kg.vocabulary)
        return AskedLinker(engine, kg.schema, kg.vocabulary, classes, aliases)
    found = graph_names(kg, aliases, folder) if names is None else names
    index = None if encoder is None or isinstance(encoder, Lexical) else name_index(found, encoder)
    made_by = None if index is None or encoder is None else encoder.identity
    return NameLinker(found, kg.schema, kg.vocabulary, engine, index, encoder=made_by)


def graph_names(
    kg: KnowledgeGraph, aliases: Sequence[str] = ALIASES, folder: str | os.PathLike[str] | None = None
) -> Names:
    """The names of a graph, as they are kept, or read now where they are not."""
    engine = kg.engine
    # of an endpoint that does not state its snapshot nobody knows how long its names are the same
    scope = engine.cache_scope if isinstance(engine, HttpEngine) else engine.snapshot
    relations = sorted(one.iri for one in kg.schema.source.all_relations())  # which are no entities
    told = (*kg.vocabulary.label_predicates, "|", *aliases, "|", *_told(class_names(kg.schema)), "|", *relations)
    key = None if scope is None else _key("graph", scope, *told)
    return kept_names(
        key, names_of(engine, kg.schema, kg.vocabulary, aliases), None if folder is None else Path(folder)
    )


def kept_names(key: str | None, named: Iterable[Named], folder: Path | None, limit: int = KEPT) -> Names:
    """The names under a key, written now where there are none, or damaged ones. Without a key, or a folder to keep
    them in, they go with the process. Where more than ``limit`` bytes are kept, those go that were not used for
    longest."""
    if folder is None:
        cache = in_cache_folder(FOLDER)
        folder = None if cache is None else Path(cache)
    if key is None or folder is None:
        passing = tempfile.TemporaryDirectory(prefix="pylf-names-")
        path = Path(passing.name) / "names.sqlite"
        write_names(path, named)
        names = Names(path)
        names.passing = passing
        return names
    path = folder / f"{key}.sqlite"
    if path.is_file():
        try:
            names = Names(path)
        except InputError:
            path.unlink(missing_ok=True)
        else:
            with suppress(OSError):
                os.utime(path)  # used now
            return names
    write_names(path, named)
    _make_room(folder, path, limit)
    return Names(path)


def _make_room(folder: Path, kept: Path, limit: int) -> None:
    """Takes the names away that were used longest ago, with their indexes, until no more than so many bytes are left.
    Those that another process has open stay open there."""
    with suppress(OSError):
        files = sorted(folder.glob("*.sqlite"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        held = 0
        for path in [kept, *[path for path in files if path != kept]]:
            indexes = list(folder.glob(f"{path.stem}-*"))
            inside = [file for index in indexes for file in index.rglob("*")]
            held += sum(file.stat().st_size for file in (path, *inside))
            if held > limit and path != kept:
                path.unlink(missing_ok=True)
                for index in indexes:
                    shutil.rmtree(index, ignore_errors=True)


def name_index(names: Names, encoder: Encoder) -> NameIndex:
    """An index of an encoder's vectors of names, in a folder beside them; what it lacks is added."""
    from pylf.models.vectors.opening import open_index

    made_by = hashlib.blake2b(encoder.identity.encode(), digest_size=8).hexdigest()
    return open_index(f"{names.path.removesuffix('.sqlite')}-{made_by}", encoder, *names.all())


def _told(named: Iterable[Named]) -> Iterable[str]:
    return (part for one in named for part in (one.iri, one.name))


def _key(*parts: str) -> str:
    told = "".join([f"{len(part)}:{part}" for part in (VERSION, *parts)])
    return hashlib.blake2b(told.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()
