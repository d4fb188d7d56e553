"""The exception by which name lookup and type checking give up on one expression and go on with the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylf.errors import Diagnostic
    from pylf.ir.types import Type


class Refused(Exception):
    """An expression that cannot be used; carries the finding.

    ``empty`` is the type of the empty set that stands in the expression's place where clashes of types are tolerated;
    None where there is nothing to tolerate, e.g. an unknown name.
    """

    def __init__(self, diagnostic: Diagnostic, empty: Type | None = None) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.empty = empty
