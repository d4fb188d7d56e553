"""Methods that turn a question in natural language into programs and answers: one package a method.

CUCKOO (draft, then schema-guided matching), CCoR (relation chains), DoG (best-first subgraphs and debate), GCR
(decoding constrained to the graph's paths) and the baselines they are compared with belong here, each a producer of
the one IR. A reasoner may use the public API, the models and everything below them; the evaluation takes reasoners as
callables, so nothing imports this package but the command line.

Here so far: :mod:`~pylf.reasoners.linking`, which finds what a question's words name, and
:mod:`~pylf.reasoners.baselines`.
"""
