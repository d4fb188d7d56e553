"""Telling a text that is no PyLF at all, but a question in another form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import Diagnostic, Span

if TYPE_CHECKING:
    from pylf.errors import Source

#: By how a text begins: what it is, and how it is read.
_BEGINNINGS = (
    (r"\(\s*(?i:join|and|count|argmax|argmin|tc|[lg][te])[\s(]", "an s-expression", "s-expressions are", "sexpr"),
    (r'\{\s*"(?:nodes|edges|graph_query)"', "a graph query", "graph queries are", "graphquery"),
    (r'\{\s*"(?:form|outputs|body|types)"', "IR in JSON", "it is", "json"),
    (r"(?:set|number|rows|subgraph)\s+\?\w+|boolean\s+where\b", "IR", "it is", "ir"),
    (r"(?i:prefix\s+\w*:|base\s*<|select[\s(]+(?:distinct|reduced|count|\*|\?|\()|ask\s*(?:where\s*)?\{|construct\s*\{)",
     "SPARQL", "", ""),
)  # fmt: skip


def other_form(source: Source) -> Diagnostic | None:
    """What a text is that is not PyLF, and how it is read; None where it does not begin like another form."""
    text = source.text
    start = re.match(r"(?:\ufeff|\s|#[^\r\n]*(?:[\r\n]|\Z))*", text)
    assert start is not None, "it matches nothing, too"
    for pattern, name, plural, form in _BEGINNINGS:
        found = re.compile(pattern).match(text, start.end())
        if found is not None:
            hint = (
                f'{plural} read with source="{form}" (on the command line --from {form})'
                if form
                else "SPARQL is written, not read: --to sparql"
            )
            return Diagnostic("other-form", f"this is {name}, not PyLF", Span(*found.span()), source, (hint,))
    return None
