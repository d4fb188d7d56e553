"""PyLF itself: syntax tree, parser, formatter, lowering to the IR and raising from it.

Text becomes a :class:`pylf.language.syntax.Program` (:mod:`~pylf.language.parser`), which is printed again
(:mod:`~pylf.language.printer`) or checked and lowered (:mod:`~pylf.language.lower`). Nothing is ever executed.
"""
