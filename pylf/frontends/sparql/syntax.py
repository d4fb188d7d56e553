"""What a SPARQL text says: the syntax tree, with the place in the text of every part.

Names are expanded, lists and bracketed blank nodes are triples, and what only spares writing (``;``, ``,``, ``a``) is
gone. A blank node is a :class:`~pylf.ir.terms.Blank`: a variable that is not asked for. Variables keep the names that
the text gives them, which may be none that the IR takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.records import field, record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.errors import Diagnostic, Source, Span
    from pylf.ir.terms import Blank, Iri, Literal, Var

# --- terms and paths ----------------------------------------------------------------------------------------------


@record
class At:
    """A term at its place."""

    term: Var | Iri | Literal | Blank
    span: Span = field(compare=False)


@record
class Sequence:
    """``p / q``: one after the other."""

    parts: tuple[Path, ...]
    span: Span = field(compare=False)


@record
class Alternative:
    """``p | q``: one or the other."""

    parts: tuple[Path, ...]
    span: Span = field(compare=False)


@record
class Inverse:
    """``^p``: against its direction."""

    path: Path
    span: Span = field(compare=False)


@record
class Repeated:
    """``p*`` (0, None), ``p+`` (1, None), ``p?`` (0, 1)."""

    path: Path
    least: int
    most: int | None
    span: Span = field(compare=False)


@record
class Except:
    """``!(p | ^q)``: by any relation but these, along or against."""

    forward: tuple[Iri, ...]
    backward: tuple[Iri, ...]
    span: Span = field(compare=False)


Path = At | Sequence | Alternative | Inverse | Repeated | Except

# --- expressions --------------------------------------------------------------------------------------------------


@record
class Call:
    """A function or an operator applied to arguments, by its name in :data:`pylf.ir.expressions.FUNCTIONS` or another
    in lower case; a call by IRI (a cast, an extension function) by that IRI."""

    function: str | Iri
    arguments: tuple[Expression, ...]
    span: Span = field(compare=False)


@record
class Exists:
    """``EXISTS { … }``, ``NOT EXISTS { … }``."""

    group: Group
    negated: bool
    span: Span = field(compare=False)


@record
class Reduce:
    """An aggregate: count, sum, avg, min, max, sample, group_concat; ``of`` None is ``*``."""

    function: str
    of: Expression | None
    distinct: bool
    span: Span = field(compare=False)
    separator: str = " "


Expression = At | Call | Exists | Reduce

# --- patterns -----------------------------------------------------------------------------------------------------


@record
class Triple:
    """A triple, or a path between two nodes."""

    subject: At
    path: Path
    object: At
    span: Span = field(compare=False)


@record
class Filter:
    """``FILTER``."""

    condition: Expression
    span: Span = field(compare=False)


@record
class Bind:
    """``BIND(value AS ?variable)``."""

    value: Expression
    variable: At
    span: Span = field(compare=False)


@record
class Data:
    """``VALUES``; None is UNDEF."""

    variables: tuple[At, ...]
    rows: tuple[tuple[At | None, ...], ...]
    span: Span = field(compare=False)


@record
class Optional:
    """``OPTIONAL { … }``."""

    group: Group
    span: Span = field(compare=False)


@record
class Minus:
    """``MINUS { … }``."""

    group: Group
    span: Span = field(compare=False)


@record
class Union:
    """``{ … } UNION { … }``: two arms or more."""

    arms: tuple[Group, ...]
    span: Span = field(compare=False)


@record
class Graph:
    """``GRAPH g { … }``."""

    name: At
    group: Group
    span: Span = field(compare=False)


@record
class Service:
    """``SERVICE s { … }``."""

    name: At
    group: Group
    span: Span = field(compare=False)
    silent: bool = False


@record
class Group:
    """``{ … }``: its parts in the order in which they are written. A sub-select is a group of one part."""

    parts: tuple[Pattern, ...]
    span: Span = field(compare=False)


# --- queries ------------------------------------------------------------------------------------------------------


@record
class Column:
    """What is selected or grouped by: a variable, or ``(value AS ?name)``; of a GROUP BY, also a value without name."""

    value: Expression
    name: At | None
    span: Span = field(compare=False)


@record
class Key:
    """A key of ORDER BY."""

    value: Expression
    descending: bool
    span: Span = field(compare=False)


@record
class Select:
    """A SELECT, the whole query or within one. ``columns`` None is ``*``; of ``distinct`` rows each counts once.

    REDUCED is read as if it were not there, which is one of the readings that SPARQL allows. ``values`` are those after
    the query: they are joined to the rows after grouping and HAVING (section 18.2.4.3).
    """

    columns: tuple[Column, ...] | None
    where: Group
    span: Span = field(compare=False)
    distinct: bool = False
    group_by: tuple[Column, ...] = ()
    having: tuple[Expression, ...] = ()
    order_by: tuple[Key, ...] = ()
    limit: int | None = None
    offset: int = 0
    values: Data | None = None


Pattern = Triple | Filter | Bind | Data | Optional | Minus | Union | Graph | Service | Group | Select


@record
class Ask:
    """An ASK query."""

    where: Group
    span: Span = field(compare=False)
    values: Data | None = None


@record(eq=False)
class Text:
    """A whole text: its query, and the prefixes that it declares or that were taken for granted.

    ``notes`` are warnings (``not-standard``), one for each spelling that is read though SPARQL 1.1 does not have it.
    ``graphs`` are what FROM names, ``named_graphs`` what FROM NAMED does: the query is asked of these alone.
    """

    query: Select | Ask
    source: Source
    prefixes: Mapping[str, str] = field(default={})
    notes: tuple[Diagnostic, ...] = ()
    graphs: tuple[At, ...] = ()
    named_graphs: tuple[At, ...] = ()
