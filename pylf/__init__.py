"""pylf: a compiler for questions over knowledge graphs.

``pylf.compile(text)`` reads a PyLF program and gives its typed IR, its SPARQL, its English and, run on a graph, its
answers. Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from pylf.api import (
        CompiledQuery,
        KnowledgeGraph,
        Result,
        bundled,
        compile,
        load_schema,
        load_vocabulary,
        open_kg,
    )
    from pylf.errors import (
        CompileError,
        Diagnostic,
        EngineError,
        InputError,
        InvalidIR,
        NoForm,
        PylfError,
        UnsupportedOperation,
    )

__all__ = [
    "CompileError",
    "CompiledQuery",
    "Diagnostic",
    "EngineError",
    "InputError",
    "InvalidIR",
    "KnowledgeGraph",
    "NoForm",
    "PylfError",
    "Result",
    "UnsupportedOperation",
    "bundled",
    "compile",
    "load_schema",
    "load_vocabulary",
    "open_kg",
]

_ERRORS = frozenset(
    (
        *("CompileError", "Diagnostic", "EngineError", "InputError", "InvalidIR", "NoForm", "PylfError"),
        "UnsupportedOperation",
    )
)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'pylf' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module("pylf.errors" if name in _ERRORS else "pylf.api"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted((*globals(), *__all__))
