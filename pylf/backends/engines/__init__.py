"""Engines that run SPARQL: embedded Oxigraph (the default) and rdflib; graphs on disk.

Each engine is a module of its own, imported when it is used: ``oxigraph`` and ``rdflib`` hold the engines, ``store``
makes graphs on disk.
"""
