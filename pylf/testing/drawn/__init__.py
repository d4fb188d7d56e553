"""Random schemas, graphs that mostly keep to them, and programs grown along the graph, so that most have an answer.

Each module builds on those before it: :mod:`~pylf.testing.drawn.schemas`, :mod:`~pylf.testing.drawn.graphs`,
:mod:`~pylf.testing.drawn.programs`; for passes, :mod:`~pylf.testing.drawn.grounds`, graphs of which a schema tells the
truth, and :mod:`~pylf.testing.drawn.disturbing`, queries in which passes find something to do; and
:mod:`~pylf.testing.drawn.worlds`, which draws all of them together by seed and number. This is what differential runs
are made of, and what to take where volume, every turn of the schema language, or non-empty answers matter. Where one
fixed schema is wanted, whose names a test can write down, take :mod:`pylf.testing.programs`.
"""
