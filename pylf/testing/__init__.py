"""What tests of programs and passes need, public for users' own.

:mod:`pylf.testing.denotation` gives a program's answers straight from the language's definition, without the IR: what
is compiled can be held against it. Random material to do so with comes from :mod:`~pylf.testing.drawn` (schemas, graphs
and programs), :mod:`~pylf.testing.programs` (programs over one fixed schema), :mod:`~pylf.testing.ir_strategies`
(queries, for hypothesis) and :mod:`~pylf.testing.variants` (a program with one thing changed).
:mod:`~pylf.testing.servers` starts real SPARQL servers, and :mod:`~pylf.testing.differential` holds the definition, the
reference evaluator and every engine against each other.
"""
