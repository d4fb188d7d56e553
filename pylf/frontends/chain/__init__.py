"""Chains of relations, as CCoR composes them: read, printed, built step by step, and translated to and from PyLF.

:mod:`.tree` says what there is; :mod:`.parser` reads it, :mod:`.printer` writes it, :mod:`.build` makes it without a
text; :mod:`.to_pylf` and :mod:`.from_pylf` are the two directions of translation. docs/chains.md shows the form.
"""
