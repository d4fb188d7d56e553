"""The typed intermediate representation that every frontend produces and every backend reads.

In reading order: :mod:`~pylf.ir.terms` and :mod:`~pylf.ir.types`, :mod:`~pylf.ir.nodes` (the algebra),
:mod:`~pylf.ir.build` (constructors that own the identities), :mod:`~pylf.ir.traverse` and :mod:`~pylf.ir.scope`
(walking, rewriting, what is bound where), :mod:`~pylf.ir.verify` (what must hold), :mod:`~pylf.ir.evaluate` (what it
means), then the forms: :mod:`~pylf.ir.text`, :mod:`~pylf.ir.json` and :mod:`~pylf.ir.canonical`.

Import from these modules; the package itself imports none of them, so that a command pays only for what it uses.
"""
