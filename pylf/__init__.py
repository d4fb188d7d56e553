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
    from pylf.backends.http.endpoint import Endpoint, Limits
    from pylf.backends.outcome import IncompleteAnswer, Outcome, Status
    from pylf.errors import (
        CompileError,
        Diagnostic,
        EngineError,
        EngineRefused,
        EngineTimeout,
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
    "Endpoint",
    "EngineError",
    "EngineRefused",
    "EngineTimeout",
    "IncompleteAnswer",
    "InputError",
    "InvalidIR",
    "KnowledgeGraph",
    "Limits",
    "NoForm",
    "Outcome",
    "PylfError",
    "Result",
    "Status",
    "UnsupportedOperation",
    "bundled",
    "compile",
    "load_schema",
    "load_vocabulary",
    "open_kg",
]

#: where a name is found, for those that are not in pylf.api
_ELSEWHERE = {
    "pylf.errors": (
        *("CompileError", "Diagnostic", "EngineError", "EngineRefused", "EngineTimeout", "InputError", "InvalidIR"),
        *("NoForm", "PylfError", "UnsupportedOperation"),
    ),
    "pylf.backends.http.endpoint": ("Endpoint", "Limits"),
    "pylf.backends.outcome": ("IncompleteAnswer", "Outcome", "Status"),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'pylf' has no attribute {name!r}")
    import importlib

    module = next((module for module, names in _ELSEWHERE.items() if name in names), "pylf.api")
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted((*globals(), *__all__))
