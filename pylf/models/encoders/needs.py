"""Packages that a bare install does not bring: asked for by name, and imported with one thread to begin with."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys

from pylf.errors import InputError

#: by extra, the modules that it brings
EXTRAS = {"vectors": ("numpy", "tokenizers", "safetensors", "faiss")}
#: what is installed by hand
BY_HAND = {
    "torch": "pip install torch",
    "transformers": "pip install torch transformers",
    "sentence_transformers": "pip install sentence-transformers",
    "simcse": "pip install torch transformers scikit-learn tqdm && pip install --no-deps simcse==0.4",
}
#: Where none of these says otherwise, BLAS and OpenMP begin with one thread: on busy cores their threads wait for each
#: other, spinning, and are slower together than one alone.
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def has(module: str) -> bool:
    """Whether a module can be imported; it is not."""
    if module in sys.modules:
        return sys.modules[module] is not None
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def require(modules: tuple[str, ...], purpose: str) -> None:
    """See that modules can be imported, numpy and faiss with one thread where the environment does not say how many.

    Raises:
        InputError: one is missing; says what it is for and the command that installs it.
    """
    missing = [module for module in modules if not has(module)]
    if missing:
        raise InputError(f"{purpose} needs {' and '.join(missing)}: {_command(missing[0])}")
    if "numpy" in modules and "numpy" not in sys.modules:
        _import_numpy()
    if "faiss" in modules and "faiss" not in sys.modules:
        faiss = importlib.import_module("faiss")
        if not any(os.environ.get(name) for name in _THREADS):
            faiss.omp_set_num_threads(1)


def _command(module: str) -> str:
    extra = next((name for name, brought in EXTRAS.items() if module in brought), None)
    return BY_HAND.get(module, f"pip install {module}") if extra is None else f"pip install 'pylf-kgqa[{extra}]'"


def _import_numpy() -> None:
    """Import numpy; its BLAS reads the number of threads from the environment at this moment, and never again."""
    if any(os.environ.get(name) for name in _THREADS):
        importlib.import_module("numpy")
        return
    os.environ[_THREADS[0]] = "1"
    try:
        importlib.import_module("numpy")
    finally:
        del os.environ[_THREADS[0]]
