"""SPARQL's syntax tree as a query of the IR.

The answers are SPARQL's (1.1, section 18), as sets. What is chosen differently is what the IR is for, and each has a
name:

``values``           terms of one value are one in answers and counts: 10 and 10.0
``dates``            dates are intervals (:mod:`pylf.ir.dates`), and stay what they are where a date that a schema tells
                     of is cast to another precision; a constant that is ill-typed is the date that it is spelled as
``ties``             ORDER BY … LIMIT k over numbers or dates keeps what ties at the last place (``ties="cut"``: not)
``types``            what a schema says of a relation's values is so: a cast of numbers that changes none of them goes,
                     and by a cast to float the numbers are ordered as they are, those too that become one float

The core tier holds what it can. What neither tier holds is refused by name, with its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn, TypeVar

from pylf.errors import Diagnostic, InvalidIR
from pylf.frontends.sparql import selects, syntax
from pylf.frontends.sparql.groups import group
from pylf.frontends.sparql.mentions import in_scope, mentioned
from pylf.frontends.sparql.scope import Names, Part, Reporter, Scope
from pylf.frontends.sparql.told_types import types_of
from pylf.ir import build
from pylf.ir.nodes import Body, Form, Query
from pylf.ir.scope import LATE, openings
from pylf.ir.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.errors import Span
    from pylf.frontends.sparql.expressions import View
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Var

_Result = TypeVar("_Result")

#: Groups may stand within groups this deep: far deeper than any question, shallow enough for any stack.
MAX_DEPTH = 60


class Lowered(NamedTuple):
    """A query and the warnings that came with it."""

    query: Query
    diagnostics: tuple[Diagnostic, ...]


def lower(
    text: syntax.Text,
    schema: Schema,
    vocabulary: Vocabulary,
    *,
    ties: Literal["kept", "cut"] = "kept",
    today: str | None = None,
) -> Lowered:
    """The query that a text asks, verified. ``today`` is a date, of which NOW() is the first moment.

    Raises:
        CompileError: ``unsupported-…`` names what the IR does not hold, ``open-variable`` a join with what may have no
            value, ``not-well-designed`` an OPTIONAL that looks past the pattern it is in.
        InputError: ``today`` is no date, and NOW() is asked for.
    """
    low = Lowering(text, schema, vocabulary, ties, today)
    if text.graphs or text.named_graphs:
        low.refuse(
            "unsupported-from", "FROM names a graph, and here there is one", (*text.graphs, *text.named_graphs)[0].span
        )
    try:
        query = low.query(text.query)
        verify(query)
    except RecursionError:
        low.refuse("too-deep", "the groups of this text nest too deeply", None)
    except InvalidIR as problem:
        message = str(problem.args[0]) if problem.args else "the query cannot be held"
        low.refuse("unsupported-pattern", f"this pattern has no form here: {message}", problem.span)
    return Lowered(query, (*text.notes, *low.report.warnings))


class Lowering:
    """What all parts of a text share."""

    def __init__(
        self, text: syntax.Text, schema: Schema, vocabulary: Vocabulary, ties: Literal["kept", "cut"], today: str | None
    ) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        self.ties = ties
        self.today = today
        self.names = Names()
        self.report = Reporter(text.source)
        #: the key of the one column of the whole query, where only its values count
        self.only: str | None = None
        #: the SELECT that is the query itself
        self.asked: syntax.Select | None = None
        self._depth = 0

    def query(self, asked: syntax.Select | syntax.Ask) -> Query:
        """The whole query."""
        scope = Scope(self.names, {})
        outputs: tuple[Var, ...] = ()
        form = Form.BOOLEAN
        if isinstance(asked, syntax.Select):
            part, outputs, form = selects.whole(self, asked, scope)
        else:
            where = asked.where
            if asked.values is not None:
                where = syntax.Group((*where.parts, asked.values), where.span)
            part = group(self, where, scope, frozenset())
        body = Body(tuple(part.conjuncts))
        return build.query(form, outputs, body, types_of(body, self.schema), asked.span)

    # --- what the modules ask of one another ------------------------------------------------------------------------

    def select(self, select: syntax.Select, scope: Scope) -> Part:
        """A SELECT within a group."""
        return self._deeper(lambda: selects.within_group(self, select, scope), select.span)

    def exists(self, pattern: syntax.Group, view: View) -> Body:
        """What EXISTS asks, in the sight of what it is asked in.

        Raises:
            CompileError: ``open-variable``: it looks at what may have no value, as a pattern or out of an OPTIONAL or
                BIND; and what its pattern raises.
        """
        looked_at = dict.fromkeys(mentioned([pattern]))
        binds = set(in_scope(pattern))
        late = {
            name for conjunct, names in openings(Body(view.facts), set()) if type(conjunct) in LATE for name in names
        }
        loose: dict[str, Var] = {}
        for key in looked_at:
            variable = view.open().get(key)
            # what comes out of a closed body or a union is seen by expressions within, without value or not
            if variable is not None and variable.name not in late and key not in binds:
                loose[key] = variable
            elif variable is not None or key in view.part.partial:
                self.refuse(
                    "open-variable", f"EXISTS looks at ?{key}, which may have no value where it is asked", pattern.span
                )
        given = {key: variable for key, variable in view.certain().items() if key in looked_at}
        scope = view.scope.exists(given, loose, view.facts)
        part = self._deeper(lambda: group(self, pattern, scope, frozenset(given)), pattern.span)
        return Body(tuple(part.conjuncts))

    def _deeper(self, work: Callable[[], _Result], span: Span) -> _Result:
        if self._depth >= MAX_DEPTH:
            self.refuse("too-deep", f"groups nest deeper than {MAX_DEPTH}", span)
        self._depth += 1
        try:
            return work()
        finally:
            self._depth -= 1

    def assign(
        self, part: Part, key: str, expression: syntax.Expression, view: View, used: frozenset[str], span: Span
    ) -> None:
        """A variable gets the value of an expression."""
        selects.assign(self, part, key, expression, view, used, span)

    def refuse(self, code: str, message: str, span: Span | None, *hints: str) -> NoReturn:
        """See :meth:`Reporter.refuse`."""
        self.report.refuse(code, message, span, *hints)

    def warn(self, code: str, message: str, span: Span | None, *hints: str) -> None:
        """See :meth:`Reporter.warn`."""
        self.report.warn(code, message, span, *hints)
