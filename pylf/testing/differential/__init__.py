"""Differential runs: the definition, the reference evaluator and every engine say the same of random programs.

``python -m pylf.testing.differential --pairs 2000`` draws schemas, graphs and programs
(:mod:`pylf.testing.drawn.worlds`), compares what each engine answers with what the reference evaluator does, shrinks
what differs to a smallest example (:mod:`~pylf.testing.differential.shrink`) and writes it as a file that ``replay``
runs again (:mod:`~pylf.testing.differential.replay`).
"""
