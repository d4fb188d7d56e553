"""Complete answers of endpoints, kept in the user's cache folder.

An answer is kept under a key (:func:`pylf.backends.execute.key_of`): a hash of the query's SPARQL text, of the endpoint
with its graphs, its snapshot and whom it takes the caller for, and of the answer's form. Where any of them changes,
nothing is found. Only complete answers come in (a time-out is none), and none with
blank nodes, whose labels mean nothing later on. Where nobody states a snapshot nothing is kept, nor of an embedded
engine.

How they are kept: :mod:`pylf.backends.text_cache`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends import answers_json
from pylf.backends.text_cache import TextCache, in_cache_folder

if TYPE_CHECKING:
    import os

    from pylf.ir.answers import Answers

#: the file's name in the cache folder; the number changes with what is written
FILE = "answers-1.sqlite"
#: bytes of answers that are kept; beyond, those that were not used for longest go
LIMIT = 256_000_000


class ResultsCache(TextCache):
    """Kept answers. ``path`` None: the file :data:`FILE` in the user's cache folder (``$PYLF_CACHE``), nothing where
    there is none; ``limit`` is in bytes. Nothing is opened before it is used."""

    def __init__(self, path: str | os.PathLike[str] | None = None, limit: int = LIMIT) -> None:
        super().__init__(in_cache_folder(FILE) if path is None else path, limit, "answers")

    def get(self, key: str) -> Answers | None:
        """The answers under a key; None where there are none."""
        return self.read(key, answers_json.read)

    def put(self, key: str, answers: Answers) -> None:
        """Keeps complete answers; the oldest go where there are too many. Answers with blank nodes are not kept."""
        data = answers_json.written(answers)
        if data is not None:
            self.write(key, data)
