"""No pair of forms loses anything: what is written reads back to the same query, or is refused by a listed name.

docs/forms.md lists what is refused; its tables are read here and held to what happens.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import pytest

import pylf
from pylf.errors import CompileError, NoForm, UnsupportedOperation
from pylf.frontends.no_form import NO_FORM
from pylf.language.printer import print_program
from pylf.testing.programs import VOCABULARY, pairs
from tests.frontends.refusals import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

READ_AND_WRITTEN = ("pylf", "sexpr", "graphquery", "ir", "json")
WRITTEN = ("sparql", "english", "dot", "svg", "mermaid")
TODAY = "1990-07-01"

#: by pair of forms, how often what became of a conversion: "same", or the code of a refusal
Outcomes = dict[tuple[str, str], Counter[str]]


def convert(query: pylf.CompiledQuery, form: str) -> tuple[str | None, str]:
    """The query in a form, and "same"; or None, and the code of the refusal."""
    try:
        return query.to(form), "same"
    except NoForm as refused:
        return None, refused.diagnostics[0].code
    except UnsupportedOperation:
        return None, "unsupported"


def compiled(text: str, source: str, beside: pylf.CompiledQuery) -> pylf.CompiledQuery:
    return pylf.compile(text, source=source, schema=beside.schema, vocabulary=beside.vocabulary, today=TODAY)


def conversions(queries: Iterator[pylf.CompiledQuery]) -> Outcomes:
    """Every query, from every form that has it to every form; each is read again and held against it."""
    found: Outcomes = defaultdict(Counter)
    for query in queries:
        texts = {form: convert(query, form)[0] for form in READ_AND_WRITTEN} | {"pylf": query.text}
        for source, text in texts.items():
            if text is None:
                continue
            given = compiled(text, source, query)
            assert given.fingerprint == query.fingerprint, f"{query.text}\n{source}: {text}"
            for form in READ_AND_WRITTEN:
                written, outcome = convert(given, form)
                found[source, form][outcome] += 1
                if written is not None:
                    again = compiled(written, form, query)
                    assert again.fingerprint == query.fingerprint, f"{text}\n{form}: {written}"
            for form in WRITTEN:
                found[source, form][convert(given, form)[1]] += 1
    return found


def random_queries(seed: int, count: int) -> Iterator[pylf.CompiledQuery]:
    for world in pairs(seed, count):
        try:
            yield pylf.compile(print_program(world.program), schema=world.schema, vocabulary=VOCABULARY, today=TODAY)
        except CompileError:
            continue


@pytest.fixture(scope="module")
def outcomes() -> Outcomes:
    return conversions(random_queries(seed=11, count=500))


def row(page: str, first: str, cells: int) -> list[str]:
    """The other cells, so many, of the table row whose first cell is this."""
    rows = re.findall(rf"^\| {re.escape(first)} \|(.*)\|$", page, re.MULTILINE)
    (found,) = [split for split in (text.split("|") for text in rows) if len(split) == cells]
    return [cell.strip() for cell in found]


def test_every_pair_converts_something_and_loses_nothing(outcomes: Outcomes) -> None:
    for source in READ_AND_WRITTEN:
        for form in (*READ_AND_WRITTEN, *WRITTEN):
            assert outcomes[source, form]["same"] > 50, (source, form)


def test_the_matrix_of_the_page_is_what_happens(outcomes: Outcomes, root: Path) -> None:
    page = (root / "docs" / "forms.md").read_text(encoding="utf-8")
    columns = (("pylf",), ("sexpr",), ("graphquery",), ("ir", "json"), WRITTEN)
    for first in ("`pylf`", "`sexpr`", "`graphquery`", "`ir`, `json`"):
        for cell, forms in zip(row(page, first, 5), columns, strict=True):
            sources = re.findall(r"\w+", first)
            refused = {code for s in sources for f in forms for code in outcomes[s, f] if code != "same"}
            # random programs meet some refusals, and examples the others
            refused |= {example.code for example in EXAMPLES if example.source in sources and example.to in forms}
            assert cell == ("refuses some" if refused else "all"), (first, forms)


def test_every_refusal_is_one_that_the_page_lists_for_the_form(outcomes: Outcomes, root: Path) -> None:
    page = (root / "docs" / "forms.md").read_text(encoding="utf-8")
    listed = {code: row(page, f"`{code}`", 3)[1:] for code in NO_FORM}
    seen = set()
    for column, form in enumerate(("sexpr", "graphquery")):
        refused = {code for source in READ_AND_WRITTEN for code in outcomes[source, form] if code != "same"}
        allowed = {code for code, cells in listed.items() if cells[column] == "refuses"}
        assert refused <= allowed, form
        seen |= refused
    assert len(seen) >= 14
    assert len(re.findall(r"^\| `no-[a-z-]+` \|", page, re.MULTILINE)) == len(NO_FORM)


@pytest.mark.parametrize("with_graph", [True, False])
def test_the_examples_convert_or_are_refused_by_name(root: Path, with_graph: bool) -> None:
    """Each means the same in every form, on the graph too, whether or not a graph was at hand when it was written."""
    graph = pylf.bundled()
    kg = graph if with_graph else None
    found: Counter[str] = Counter()
    for example in sorted((root / "examples").glob("*.pylf")):
        query = pylf.compile(example.read_text(encoding="utf-8"), kg=kg)
        answers = query.run(graph).answers
        for form in READ_AND_WRITTEN:
            text, outcome = convert(query, form)
            found[outcome] += 1
            if text is not None:
                again = pylf.compile(text, source=form, kg=kg)
                # several entities of one label become their OR, which is another query of the same answers
                if not (form == "pylf" and "ambiguous-label" in {d.code for d in query.diagnostics}):
                    assert again.fingerprint == query.fingerprint, example.name
                assert again.run(graph).answers == answers, example.name
                assert pylf.compile(text, source=form, kg=graph).run().answers == answers, example.name
    assert found["same"] > 80
    assert found.keys() <= {"same", *NO_FORM}


@pytest.mark.parametrize("form", ["pylf", "sexpr", "graphquery"])
@pytest.mark.parametrize("option", ["exclude_topic", "all_different"])
def test_what_is_read_with_an_option_is_written_to_be_read_with_it(form: str, option: str) -> None:
    made = "spaceflight.rocket_manufacturer.rockets_manufactured"
    text = f"(JOIN {made} (JOIN (R {made}) :boeing))"
    query = pylf.compile(text, source="sexpr", exclude_topic=option == "exclude_topic", all_different=option[0] == "a")
    written = query.to(form)
    again = pylf.compile(written, source=form, exclude_topic=option == "exclude_topic", all_different=option[0] == "a")
    assert again.run().answers == query.run().answers
    assert again.run().answers != pylf.compile(text, source="sexpr").run().answers
    assert form == "pylf" or written == pylf.compile(text, source="sexpr").to(form)
