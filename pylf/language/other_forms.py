"""Telling a text that is not in the form that was expected, but a question in another one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import Diagnostic, Span
from pylf.language.functions import FUNCTIONS

if TYPE_CHECKING:
    from pylf.errors import Source

_ARROW = r"(->|\u2192|<-|\u2190)"
#: A name as chains and paths begin with one, in quotes or of some words, with a constraint perhaps; and an arrow.
_NAME_AND_ARROW = (
    r"(?:'[^'\n]*'|\"[^\"\n]*\"|<[^<>\s]*>|[^\s='\"<(\[\u2190\u2192]+)"
    r"(?:[ \t]+[^\s='\"<(\[\u2190\u2192-]+){0,8}\s*(?:\[[^=\n]*?)?" + _ARROW
)

#: By how a text begins: what it is, and how it is read. What is marked is the group of a pattern that has one.
_BEGINNINGS = (
    (r"\(\s*(?i:join|and|count|argmax|argmin|tc|[lg][te])[\s(]", "an s-expression", "s-expressions are", "sexpr"),
    (r'\{\s*"(?:nodes|edges|graph_query)"', "a graph query", "graph queries are", "graphquery"),
    (r'\{\s*"(?:form|outputs|body|types)"', "IR in JSON", "it is", "json"),
    (r"(?:set|number)\s+\?\w+|boolean\s+where\b", "IR", "it is", "ir"),
    (r"(?:rows|subgraph)\s+\?\w+", "IR or a subgraph text", "it is", "ir subgraph"),
    (r"(?i:prefix\s+\w*:|base\s*<|select[\s(]+(?:distinct|reduced|count|\*|\?|\()|ask\s*(?:where\s*)?\{|construct\s*\{)",
     "SPARQL", "it is", "sparql"),
    (r"subgraph\s+around\b|neighbours\s+of\b|(?:simple\s+)?paths\s+from\b", "a subgraph text", "it is", "subgraph"),
    (r"<PATH>", "a path", "paths are", "path"),
    (r"\?\w+\s*" + _ARROW, "a path", "paths are", "path"),
    # x <- JOIN(...) is an assignment of another language
    (_NAME_AND_ARROW + r"(?!\s*[A-Z]+\()", "a chain or a path", "they are", "chain path"),
    (rf"[^\W\d]\w*\s*=[^=>]|(?:{'|'.join(FUNCTIONS)})\s*\(\s*(?:['\"\[]|[A-Z]+\()", "PyLF", "it is", "pylf"),
    (r'[\[{]\s*[\[\]{}"]', "JSON", "it is", "graphquery json"),
)  # fmt: skip


def other_form(source: Source, expected: str = "pylf", called: str = "PyLF") -> Diagnostic | None:
    """What a text is that is not in the form ``expected`` (as messages call it: ``called``), and how it is read; None
    where it does not begin like another form, or like that one too."""
    text = source.text
    start = re.match(r"(?:\ufeff|\s|#[^\r\n]*(?:[\r\n]|\Z))*", text)
    assert start is not None, "it matches nothing, too"
    for pattern, name, plural, forms in _BEGINNINGS:
        found = re.compile(pattern).match(text, start.end())
        if found is None:
            continue
        if expected in forms.split():
            return None
        quoted = " or ".join([f'"{one}"' for one in forms.split()])
        options = forms.replace(" ", " or ")
        hint = f"{plural} read with source={quoted} (on the command line --from {options})"
        span = Span(*found.span(found.lastindex or 0))
        return Diagnostic("other-form", f"this is {name}, not {called}", span, source, (hint,))
    return None
