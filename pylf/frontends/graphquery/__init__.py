"""Graph queries: questions drawn as graphs, as GraphQuestions and GrailQA publish them beside their questions.

::

    {"nodes": [{"nid": 0, "node_type": "class", "id": "film.film", "class": "film.film", "friendly_name": "Film",
                "question_node": 1, "function": "none"},
               {"nid": 1, "node_type": "entity", "id": "m.02xh1", "class": "film.director", "friendly_name": "…",
                "question_node": 0, "function": "none"}],
     "edges": [{"start": 0, "end": 1, "relation": "film.film.directed_by", "friendly_name": "Directed by"}]}

:mod:`~pylf.frontends.graphquery.reader` reads one into a :class:`~pylf.frontends.graphquery.record.GraphQuery`,
:mod:`~pylf.frontends.graphquery.to_pylf` translates it to a PyLF syntax tree, which
:mod:`pylf.language.lower` checks and lowers; :mod:`~pylf.frontends.graphquery.from_pylf` and
:mod:`~pylf.frontends.graphquery.writer` are the way back. The format is that of GraphQuestions (Su et al., EMNLP 2016,
``specification.md``) and of GrailQA (Gu et al., arXiv 2011.07743), which added ``class`` to the nodes.

**What a graph means.** The answers are what the question node may stand for. Its class is asked for; the classes of
other nodes are not, as in the s-expressions that GrailQA publishes with its graphs, but for a class that is all that
is said of a node. With ``inner_classes=True`` every stated class is asked for, as in GrailQA's SPARQL.

An entity node is that entity, whichever of its edges one comes by, and its ``class`` is a remark. A literal node is
met by value; with ``<``, ``<=``, ``>`` or ``>=`` what stands at the edge is compared with it, in this order: value,
sign, constant. A date is what it is spelled as, as in s-expressions (:func:`pylf.language.constants.typed_literal`).
A literal node with ``argmax`` or ``argmin`` (its id is a dummy, ``0``) orders the question node's members by the values
at the end of the way to it and keeps all that tie. Where a node on that way is limited further (the *versions* by this
publisher, ordered by release), the limit and the order are two ways from the member, as in the s-expressions; with
``inner_classes=True`` they are one, as in the graph. ``count`` on the question node counts.

A class node whose id is a datatype of the vocabulary (``type.float``) stands for values; one whose id is
``rdfs:Resource``, the class of everything, for anything.
"""
