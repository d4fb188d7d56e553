"""Paths through a graph, hop by hop, as GCR and RoG write them: ``Alice -> marry_to -> ?x <- father_of <- ?y``.

:mod:`.tree` says what there is; :mod:`.parser` reads one path and :mod:`.reading` all that a model's text holds;
:mod:`.printer` writes them. :mod:`.lower` makes a query of a path, and :mod:`.from_ir` a path of a query.
:mod:`.between` finds the paths that a graph has, and :mod:`.check` tells of many paths which of them it has.
"""
