"""Readers of other logical forms into the IR: one module a form.

S-expressions, graph queries, SPARQL, relation chains, relation paths and answer subgraphs belong here. A frontend
takes text and hands back a :class:`pylf.ir.nodes.Query` with the spans of that text on its nodes; what is wrong with
the text is a :class:`pylf.errors.Diagnostic`, never another exception. It may use the IR, the schema and the SPARQL
query tree, and knows nothing of reasoners, engines or the command line.

No frontend is here yet. PyLF itself, the language that the others are translated into, is read by
:mod:`pylf.language`.
"""
