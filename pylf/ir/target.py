"""What passes need to know of the engine that a query is for."""

from __future__ import annotations

from pylf.records import record


@record
class Target:
    """An engine, as far as the shape of a query matters to it. The defaults are one of which nothing is known: nothing
    is done then that could cost more than it saves."""

    name: str = "generic"
    #: patterns are joined in the order in which they are written
    textual_order: bool = True
    #: the body of an EXISTS is joined as a whole for each row around it: several patterns in it are best nested, one
    #: pattern a level
    nests: bool = False
    #: MINUS is a hash join against the whole body, solved once
    subtracts: bool = False
    #: a sub-select with DISTINCT costs no more than its rows: what only has to exist is projected away early
    projects: bool = False


#: The engine of which nothing is known.
GENERIC = Target()
