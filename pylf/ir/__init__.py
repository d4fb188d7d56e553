"""The typed intermediate representation that every frontend produces and every backend reads.

In reading order: :mod:`~pylf.ir.terms` and :mod:`~pylf.ir.types`, :mod:`~pylf.ir.nodes` (the algebra),
:mod:`~pylf.ir.build` (constructors that own the identities), :mod:`~pylf.ir.traverse` and :mod:`~pylf.ir.scope`
(walking, rewriting, what is bound where), :mod:`~pylf.ir.verify` (what must hold), :mod:`~pylf.ir.evaluate` (what it
means, by :mod:`~pylf.ir.values`, :mod:`~pylf.ir.dates` and, in which order, :mod:`~pylf.ir.solve`), then the forms:
:mod:`~pylf.ir.text`, :mod:`~pylf.ir.json` and :mod:`~pylf.ir.canonical`. :mod:`~pylf.ir.schema` is what is known of a
graph; :mod:`~pylf.ir.memory` is a graph, and :mod:`~pylf.ir.answers` what comes out.

Import from these modules; the package itself imports none of them, so that a command pays only for what it uses.
"""
