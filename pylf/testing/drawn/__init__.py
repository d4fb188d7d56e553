"""Random schemas, graphs that mostly keep to them, and programs grown along the graph, so that most have an answer.

Four modules, each building on those before it: :mod:`~pylf.testing.drawn.schemas`, :mod:`~pylf.testing.drawn.graphs`,
:mod:`~pylf.testing.drawn.programs`, and :mod:`~pylf.testing.drawn.worlds`, which draws all three together by seed and
number. This is what differential runs are made of, and what to take where volume, every turn of the schema language,
or non-empty answers matter. Where one fixed schema is wanted, whose names a test can write down, take
:mod:`pylf.testing.programs`.
"""
