"""From text to the tree of an s-expression.

What is accepted, beyond the published forms (:mod:`pylf.frontends.sexpr.tree`): operators in any case, as models write
them, and ``<``, ``<=``, ``>``, ``>=`` for the four comparisons; white space and line breaks anywhere between atoms;
text in single quotes; IRIs in angle brackets; AND of more than two sets. Nothing is looked up here: whether a name is
known, and whether it names what can stand there, is asked when the tree is translated.

Every error is a :class:`~pylf.errors.Diagnostic`, and time and memory are linear in the text, which is limited in size
and depth as PyLF's is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Source
from pylf.language.characters import first_character

if TYPE_CHECKING:
    from pylf.frontends.sexpr.tree import SExpression
    from pylf.language.lalr import Parser


def parse(text: str, name: str = "<s-expression>") -> SExpression:
    """Read an s-expression.

    Args:
        text: the s-expression, for example ``(AND film.film (JOIN film.film.genre m.0hj3n21))``.
        name: what diagnostics call it, for example the file's name.

    Returns:
        The tree, its places pointing into ``text``.

    Raises:
        CompileError: the text is not an s-expression. The first fault of form stands alone; faults of meaning
            (operators, arguments) are all told, up to a limit.
    """
    from pylf.frontends.sexpr.build_tree import build
    from pylf.language.tokens import Fault

    source = Source(text, name)
    start = first_character(source, "s-expression")
    try:
        item = _parser().parse(text, start)
    except Fault as fault:
        from pylf.frontends.sexpr.syntax_errors import explain

        raise CompileError([explain(fault, source, _parser().tokens(text, start))]) from None
    return build(item, source)


@cache
def _parser() -> Parser:
    """The one parser; built on first use."""
    from pylf.frontends.sexpr import table
    from pylf.frontends.sexpr.shapes import Shapes
    from pylf.language.kept import parser_of

    return parser_of(table, Shapes(), ("WORD",))
