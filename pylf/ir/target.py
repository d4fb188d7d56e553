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
    #: it plans from what a query writes, by samples of its relations and classes; it starts from a class where it can,
    #: and checks a negation as soon as what that looks at is found. What is implied may then be what a good plan needs.
    #: So a class that a negation looks at is asked for even where it is implied, in two places: in a body that names no
    #: entity and no value to start from; and within a negation beside which there is both such a name and a class that
    #: is not implied, for a negation that looks cheaper would be checked on all of that class, before those by the name
    #: are found. And a fact in its two directions makes two plans of which either may be the better: inverses are left
    #: as they are written, unless the other direction is the one that is stored
    starts_from_classes: bool = False


#: The engine of which nothing is known.
GENERIC = Target()
