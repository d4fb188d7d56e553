"""Encoders: texts to vectors (``protocol``), opened by name (``opening``).

``lexical`` needs nothing, ``minilm`` and ``simcse`` compute BERT in numpy (``transformer``, from a ``checkpoint``),
``sentence_transformers`` runs that package; ``cached`` keeps vectors on disk.
"""
