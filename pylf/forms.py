"""The forms that a question has: those that are read, and those that are written."""

from __future__ import annotations

#: What :func:`pylf.compile` and ``--from`` read.
SOURCES = ("pylf", "sexpr", "graphquery", "ir", "json")
#: What :meth:`pylf.CompiledQuery.to` and ``--to`` write.
FORMS = ("sparql", "ir", "json", "pylf", "sexpr", "graphquery", "english", "dot", "svg", "mermaid")
#: What ``--json`` tells of a question.
EVERYTHING = (
    *("fingerprint", "negation", "exclude_topic", "all_different", "inner_classes"),
    *("english", "sparql", "dialect", "ir"),
)
