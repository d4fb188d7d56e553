"""Backends: from the IR to SPARQL (:mod:`pylf.backends.sparql`) and to answers (:mod:`pylf.backends.engines`)."""
