"""The forms that a question has: those that are read, and those that are written."""

from __future__ import annotations

#: What :func:`pylf.compile` and ``--from`` read.
SOURCES = ("pylf", "sexpr", "graphquery", "sparql", "chain", "path", "subgraph", "ir", "json")
#: What :meth:`pylf.CompiledQuery.to` and ``--to`` write.
FORMS = (
    *("sparql", "ir", "json", "pylf", "sexpr", "graphquery", "chain", "path", "subgraph"),
    *("english", "dot", "svg", "mermaid"),
)
#: What ``--json`` tells of a question.
EVERYTHING = (
    *("fingerprint", "negation", "exclude_topic", "all_different", "inner_classes", "ties"),
    *("english", "sparql", "dialect", "ir"),
)
#: The sources that are no programs, as is said of them where it matters which entities a question starts from.
WITHOUT_TOPIC = {
    "ir": "IR does not",
    "json": "IR does not",
    "sparql": "SPARQL does not",
    "subgraph": "subgraphs do not",
}
