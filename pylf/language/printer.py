"""From syntax tree to text: the canonical spelling, and the formatter behind ``pylf fmt``.

Both print a tree such that parsing gives the tree again. The canonical spelling is one statement a line, strings in
single quotes unless they hold one, paths of relations as lists, what is the default left out. The formatter keeps
comments and single blank lines besides, and breaks long lines the way Black does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.errors import Span
from pylf.language import syntax

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Columns that the formatter fills.
WIDTH = 100

_INDENT = 4
_NOWHERE = Span(0, 0)


def print_program(program: syntax.Program) -> str:
    """The program in canonical spelling, without comments; ends with a line break."""
    return "".join(f"{piece.flat}\n" for piece, _ in _statements(program))


def format_program(program: syntax.Program) -> str:
    """The program as ``pylf fmt`` writes it; ends with a line break.

    Lines are broken beyond WIDTH columns. Comments stay: those on lines of their own before the statement that they
    stood before, those after a statement on its line, those inside a statement on lines before it. A blank line between
    statements stays one blank line, and one follows ``question_info``. Formatting what was formatted changes nothing.
    """
    source = program.source.text if program.source is not None else ""
    out: list[str] = []
    end = 0
    for block in _blocks(program, source):
        if out and (_line_breaks(source[end : block.span.start]) > 1 or block.apart):
            out.append("")
        out.extend(block.lines)
        end = block.span.end
    return "".join(f"{line}\n" for line in out)


# --- layout -------------------------------------------------------------------------------------------------------


class _Block(NamedTuple):
    """Lines that stay together and where they come from; ``apart`` from what stands before."""

    lines: list[str]
    span: Span
    apart: bool


def _blocks(program: syntax.Program, source: str) -> Iterator[_Block]:
    """Statements with their comments, and comments that stand alone, in order."""
    comments = list(reversed(program.comments))
    apart = False
    statements = list(_statements(program))
    following = [span.start for _, span in statements[1:]]
    for (piece, span), next_start in zip(statements, [*following, len(source)], strict=True):
        while comments and comments[-1].span.start < span.start:
            comment = comments.pop()
            yield _Block([comment.text.rstrip()], comment.span, apart)
            apart = False
        lines: list[str] = []
        end = span.end
        while comments and comments[-1].span.start < end:
            lines.append(comments.pop().text.rstrip())
        _lay_out(piece, "", 0, lines)
        beside = comments[-1] if comments and comments[-1].span.start < next_start else None
        if beside is not None and not _line_breaks(source[end : beside.span.start]):
            lines[-1] += f"  {comments.pop().text.rstrip()}"
            end = beside.span.end
        yield _Block(lines, Span(span.start, end), apart)
        apart = piece.explodes
    for comment in reversed(comments):
        yield _Block([comment.text.rstrip()], comment.span, apart)
        apart = False


def _lay_out(piece: _Piece, suffix: str, indent: int, lines: list[str]) -> None:
    """Append the lines of a piece: one if it fits; else its parts on one line of their own, or on one line each."""
    margin = " " * indent
    if not piece.parts or len(margin) + len(piece.flat) + len(suffix) <= WIDTH:
        lines.append(margin + piece.flat + suffix)
        return
    lines.append(margin + piece.head)
    within = indent + _INDENT
    together = ", ".join(part.flat for part in piece.parts)
    if within + len(together) <= WIDTH and not piece.explodes:
        lines.append(" " * within + together)
    elif len(piece.parts) == 1:
        _lay_out(piece.parts[0], "", within, lines)
    else:
        for part in piece.parts:
            _lay_out(part, ",", within, lines)
    lines.append(margin + piece.tail + suffix)


def _line_breaks(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


# --- pieces -------------------------------------------------------------------------------------------------------


class _Piece(NamedTuple):
    """A text on one line, and how it falls apart: what opens it, its parts, what closes it."""

    flat: str
    head: str = ""
    parts: tuple[_Piece, ...] = ()
    tail: str = ""
    #: Whether each part has a line of its own once one line is too short.
    explodes: bool = False


def _composed(head: str, parts: Iterable[_Piece], tail: str, explodes: bool = False) -> _Piece:
    parts = tuple(parts)
    return _Piece(head + ", ".join([part.flat for part in parts]) + tail, head, parts, tail, explodes)


def _statements(program: syntax.Program) -> Iterator[tuple[_Piece, Span]]:
    info = program.question_info
    if info is not None:
        pairs = [
            _composed(f"{key!r}: [", [_Piece(repr(value)) for value in values], "]") for key, values in info.elements
        ]
        yield _composed("question_info = {", pairs, "}", explodes=True), info.span or _NOWHERE
    for assignment in program.assignments:
        piece = _expression(assignment.value)
        name = f"{assignment.name} = "
        piece = piece._replace(flat=name + piece.flat, head=name + piece.head)
        yield piece, assignment.span or _NOWHERE


def _expression(node: syntax.Expression | syntax.Stop) -> _Piece:
    match node:
        case syntax.Reference(name):
            return _Piece(name)
        case syntax.Start(value, kind, implicit):
            constant = _constant(value)
            if implicit:
                return constant
            return _composed("START(", [constant, *_keyword("kind", kind, None)], ")")
        case syntax.Join(relation, of, negated):
            return _composed("JOIN(", [_relation(relation), _expression(of), *_keyword("neg", negated, False)], ")")
        case syntax.And(sets):
            return _composed("AND(", [_expression(one) for one in sets], ")")
        case syntax.Or(sets):
            return _composed("OR(", [_expression(one) for one in sets], ")")
        case syntax.Minus(left, right):
            return _composed("MINUS(", [_expression(left), _expression(right)], ")")
        case syntax.CountOf(of):
            return _composed("COUNT(", [_expression(of)], ")")
        case syntax.Arg(mode, of, relation, k, counted):
            key = _relation(relation)
            if counted:
                key = _composed("COUNT(", [key], ")")
            return _composed("ARG(", [_Piece(repr(mode)), _expression(of), key, *_keyword("k", k, None)], ")")
        case syntax.Cmp(op, relation, value):
            return _composed("CMP(", [_Piece(repr(op)), _relation(relation), _constant(value)], ")")
        case syntax.TimeConstraint(of, relation, value, until):
            parts = [_expression(of), _relation(relation), _constant(value), *_keyword("until", until, False)]
            return _composed("TC(", parts, ")")
        case syntax.Ask(of):
            return _composed("ASK(", [_expression(of)], ")")
        case syntax.Stop(of):
            return _composed("STOP(", [_expression(of)], ")")


def _relation(node: syntax.Relation) -> _Piece:
    match node:
        case syntax.Name(text):
            return _Piece(repr(text))
        case syntax.Reach(name, minimum):
            return _composed("CLOSURE(", [_relation(name), *_keyword("min", minimum, 1)], ")")
        case syntax.RelationPath(steps):
            return _composed("[", [_relation(step) for step in steps], "]")


def _constant(node: syntax.Text | syntax.Number) -> _Piece:
    return _Piece(repr(node.text) if isinstance(node, syntax.Text) else node.text)


def _keyword(name: str, value: object, default: object) -> list[_Piece]:
    return [] if value == default else [_Piece(f"{name}={value!r}")]
