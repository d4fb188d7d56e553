"""What another form of questions cannot say, under the same codes whichever form it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import Diagnostic

if TYPE_CHECKING:
    from pylf.errors import Span

#: By the code of its diagnostic, what a form may have no form for.
NO_FORM = {
    "no-negation": "negation",
    "no-union": "the union of sets",
    "no-difference": "the difference of sets",
    "no-yes-no": "yes/no questions",
    "no-comparison": "comparison by = or !=",
    "no-top-k": "the k best",
    "no-count-order": "an order by how many",
    "no-closure": "closures",
    "no-label": "labels",
    "no-several": "one of several values",
    "no-time": "what held at a time",
    "no-half-time": "a time of which only one end is given",
    "no-class": "this class",
    "no-class-itself": "a class itself, other than beside a relation whose values are classes",
    "no-value": "this value",
    "no-value-path": "a path through values",
    "no-nested-superlative": "a superlative inside another form",
    "no-nested-count": "a count inside another form",
    "no-inner-class": "a class that limits an inner node",
    "no-several-classes": "a node that is several things",
}

#: How to have an id in a label's place.
LABEL_REMEDY = "write the id of the entity, or give a graph in which to look it up"


def no_form(code: str, form: str, span: Span | None, *hints: str) -> Diagnostic:
    """The finding that ``form`` ("s-expressions", "graph queries") cannot say what stands at a place."""
    return Diagnostic(code, f"{form} have no form for {NO_FORM[code]}", span, hints=hints)
