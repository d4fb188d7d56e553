"""A text in another form than the one that was expected: which one it is, and how it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.errors import CompileError
from pylf.frontends.chain import parser as chain
from pylf.frontends.path import parser as path
from pylf.frontends.sexpr import parser as sexpr
from pylf.frontends.sparql import parser as sparql
from pylf.frontends.subgraph import parser as subgraph
from pylf.language.parser import parse as pylf_text

if TYPE_CHECKING:
    from collections.abc import Callable

READERS: dict[str, Callable[[str], object]] = {
    "pylf": pylf_text,
    "sexpr": sexpr.parse,
    "sparql": sparql.parse,
    "chain": chain.parse,
    "path": path.parse,
    "subgraph": subgraph.parse,
}
#: By form, texts that begin as such.
TEXTS = {
    "sexpr": ["(JOIN film.film.genre m.1)"],
    "graphquery": ['{"nodes": [], "edges": []}'],
    "json": ['{"form": "set", "outputs": []}'],
    "ir": ["set ?x\nwhere\n  ?x <p> ?y", "boolean where\n  ?x <p> ?y", "number ?n where"],
    "sparql": [
        "SELECT ?x WHERE { ?x ?y ?z }",
        "CONSTRUCT { ?x ?y ?z } WHERE { ?x ?y ?z }",
        "prefix : <http://e/> ASK { ?x :p ?y }",
    ],
    "subgraph": ["subgraph around :a within 2 hops", "neighbours of :a", "simple paths from :a of 2 hops"],
    "path": ["<PATH> a -> r -> b </PATH>", "?x -> r -> a"],
    "pylf": ["expression = STOP(START('m.1'))", "expression = STOP(JOIN('r', START('a')))"],
}


@pytest.mark.parametrize("expected", READERS)
@pytest.mark.parametrize(("form", "text"), [(form, text) for form, texts in TEXTS.items() for text in texts])
def test_another_form_is_named(expected: str, form: str, text: str) -> None:
    if form == expected and "CONSTRUCT" not in text:
        READERS[expected](text)
        return
    with pytest.raises(CompileError) as refused:
        READERS[expected](text)
    (finding,) = refused.value.diagnostics
    if form == expected:  # read it is, and asks no question
        assert finding.code == "not-a-question"
        return
    assert finding.code == "other-form"
    assert f'"{form}"' in finding.hints[0]


@pytest.mark.parametrize("form", ["pylf", "chain", "path"])
def test_what_two_forms_begin_like_is_said_to_be_either(form: str) -> None:
    for text in ("rows ?x ?y where ?x :p ?y", "subgraph ?s ?p ?o where ?s ?p ?o"):
        with pytest.raises(CompileError, match="IR or a subgraph text"):
            READERS[form](text)
    # and one that is expected, its own faults are told
    with pytest.raises(CompileError) as refused:
        subgraph.parse("rows ?x ?y where ?x :p")
    assert refused.value.diagnostics[0].code == "syntax"
