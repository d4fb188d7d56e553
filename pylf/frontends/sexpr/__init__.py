"""S-expressions, the logical forms of GrailQA, WebQSP and CWQ: read, printed, and translated to and from PyLF.

:mod:`.tree` says what there is; :mod:`.parser` reads it, :mod:`.printer` writes it; :mod:`.to_pylf` and
:mod:`.from_pylf` are the two directions of translation. What an atom means is :mod:`.atoms`, how one is spelt
:mod:`.spelling`, and :mod:`.time` finds the two ends of a ``TC``.
"""
