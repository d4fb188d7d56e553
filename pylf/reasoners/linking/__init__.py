"""Entity linking: what a mention in a question may stand for in a graph, with classes and scores.

``candidate`` is what is found and who finds it; ``opening`` chooses who that is. ``names`` keeps the names of a graph,
``postings`` finds those that are spelled alike, ``linker`` puts names, encoder and values together; ``asked`` is for an
endpoint whose names are too many to be read. ``values`` and ``units`` read numbers, dates and quantities; ``spotting``
finds the mentions in a question.
"""
