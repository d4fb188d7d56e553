"""S-expressions, the logical forms of GrailQA, WebQSP and CWQ: read, printed, and translated to and from PyLF.

:mod:`.tree` says what there is; :mod:`.parser` reads it, :mod:`.printer` writes it; :mod:`.to_pylf` and
:mod:`.from_pylf` are the two directions of translation, each with a named diagnostic for what the other side has no
form for.
"""
