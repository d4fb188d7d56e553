"""Schemas and vocabularies: what is known of a graph's classes and relations, and how its names are written.

``model`` and ``vocabulary`` say what a schema and a vocabulary are. Schemas come from statements (``rdfs``, with
``statements`` saying what they mean), from data (``infer``, which counts through ``statistics`` and ``profiles``), and
from files that either was written to (``cache``). ``vocabularies`` reads vocabularies, ``names`` resolves names by
them, ``typing`` compares types, ``spelling`` finds the nearest names, ``describe`` prints.
"""
