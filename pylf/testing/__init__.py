"""What tests of programs and passes need, public for users' own.

:func:`assert_equivalent` says of two questions that they mean the same. :mod:`pylf.testing.strategies` has schemas,
graphs over any schema, programs on them and near misses, for hypothesis, which has to be installed for these alone.
``docs/testing-a-rewrite.md`` shows both.

:mod:`pylf.testing.denotation` gives a program's answers straight from the language's definition, without the IR: what
is compiled can be held against it. Random material by seed comes from :mod:`~pylf.testing.drawn` (schemas, graphs
and programs), :mod:`~pylf.testing.any_schema` (graphs and programs over a schema that is there),
:mod:`~pylf.testing.programs` (programs over one fixed schema), :mod:`~pylf.testing.ir_strategies` (queries) and
:mod:`~pylf.testing.variants` (a program with one thing changed).
:mod:`~pylf.testing.servers` starts real SPARQL servers, and :mod:`~pylf.testing.differential` holds the definition, the
reference evaluator and every engine against each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylf.testing.equivalent import assert_equivalent

__all__ = ["assert_equivalent"]


def __getattr__(name: str) -> object:
    """``assert_equivalent``, imported when it is asked for: whoever wants a server alone does not pay for it."""
    if name not in __all__:
        raise AttributeError(f"module 'pylf.testing' has no attribute {name!r}")
    from pylf.testing.equivalent import assert_equivalent

    return assert_equivalent
