"""Readers and writers of other logical forms: one package a form.

:mod:`pylf.frontends.sexpr` has the s-expressions of GrailQA, WebQSP and CWQ, :mod:`pylf.frontends.graphquery` the
graph queries of GraphQuestions and GrailQA. SPARQL, relation chains, relation paths and answer subgraphs belong here.

A frontend takes text and hands back a PyLF syntax tree (:mod:`pylf.language.syntax`) whose spans point into that text;
:mod:`pylf.language.lower` makes a query of it, so that names, types, negation and values are looked at in one place. On
the way back it takes an expression as :mod:`pylf.language.raise_` gives it. What is wrong with a text is a
:class:`pylf.errors.Diagnostic`, and so is what a form cannot say (:mod:`pylf.frontends.no_form`). A frontend may use
the language, the IR, the schema and the SPARQL query tree, and knows nothing of reasoners, engines or the command line.
"""
