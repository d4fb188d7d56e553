"""No pair of forms loses anything: what is written reads back to the same query, or is refused by a listed name.

Dates and classes are written out in SPARQL, so that SPARQL reads back to the same answers, not the same query.
docs/forms.md lists what is refused; its tables are read here and held to what happens.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING

import pytest

import pylf
from pylf.errors import CompileError, NoForm, UnsupportedOperation
from pylf.forms import FORMS, SOURCES
from pylf.frontends.no_form import NO_FORM
from pylf.ir.answers import Answers
from pylf.ir.evaluate import evaluate
from pylf.ir.nodes import Form
from pylf.language.reworded import same_but_for_words
from tests.frontends import random_questions
from tests.frontends.random_questions import TODAY, Asked
from tests.frontends.refusals import EXAMPLES, IN_WORDS
from tests.frontends.sparql_answers import agrees

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WRITTEN = tuple([form for form in FORMS if form not in SOURCES])
#: the columns of the page's table, and its rows, where what is drawn is left out
COLUMNS = (*[(form,) for form in SOURCES if form not in ("ir", "json")], ("ir", "json"), WRITTEN)
#: beside :data:`NO_FORM`: what paths and subgraphs have no form for is said in words, and what PyLF has no words for
#: has no form that is written by way of it
BY_WORDS = {"path": "no-path", "subgraph": "no-subgraph"}
#: what is written by way of PyLF
BY_PYLF = ("pylf", "sexpr", "graphquery", "chain")
#: why SPARQL that pylf wrote is not read again
UNREAD = {"open-variable", "nothing-selected", "unsupported-pattern"}

#: by pair of forms, how often what became of a conversion: "same", or the code of a refusal; by a form and "unread",
#: why its SPARQL was not read again
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


class Held:
    """One question, whose texts are read again and held against it."""

    def __init__(self, asked: Asked, found: Outcomes) -> None:
        self.asked = asked
        self.found = found
        self.seen: set[tuple[str, str, str]] = set()

    def convert(self) -> None:
        """From every form that has it to every form."""
        query = self.asked.query
        texts = {form: convert(query, form)[0] for form in SOURCES} | {query.source: query.text}
        for source, text in texts.items():
            given = None if text is None else self.read(text, source, query)
            if given is None:
                continue
            for form in SOURCES:
                written, outcome = convert(given, form)
                self.found[source, form][outcome] += 1
                if written is not None and (form, written, given.fingerprint) not in self.seen:
                    self.seen.add((form, written, given.fingerprint))
                    if self.read(written, form, given) is None:
                        self.found[source, "unread"]["in all"] += 1
            for form in WRITTEN:
                self.found[source, form][convert(given, form)[1]] += 1

    def read(self, text: str, form: str, meant: pylf.CompiledQuery) -> pylf.CompiledQuery | None:
        """What is read is what was meant; None where SPARQL of pylf's is not read."""
        try:
            again = compiled(text, form, meant)
        except CompileError as refused:
            (finding,) = refused.diagnostics
            assert form == "sparql", f"{meant.text}\n{form}: {text}\n{finding}"
            self.found[meant.source, "unread"][finding.code] += 1
            return None
        if again.fingerprint != meant.fingerprint:
            # PyLF says that something is one of several entities by OR
            reworded = form in BY_PYLF and same_but_for_words(again.ir, meant.ir)
            # and a path orders what triples do not
            assert form in ("sparql", "path") or reworded, f"{meant.text}\n{form}: {text}"
            self.same_answers(again, meant)
        return again

    def same_answers(self, again: pylf.CompiledQuery, meant: pylf.CompiledQuery) -> None:
        for graph in self.asked.graphs:
            ours = evaluate(meant.ir, graph, meant.schema, meant.vocabulary)
            theirs = evaluate(again.ir, graph, meant.schema, meant.vocabulary)
            if again.ir.form is not meant.ir.form:  # a SELECT of one column is a set, of more it is rows
                ours, theirs = as_rows(ours), as_rows(theirs)
            triples = sorted(map(str, graph.triples(None, None, None)))
            assert agrees(meant.ir, ours, theirs), f"{meant.text}\n{again.text}\n{ours}\n{theirs}\n{triples}"


def as_rows(answers: Answers) -> Answers:
    assert answers.form in (Form.SET, Form.ROWS, Form.SUBGRAPH)
    return Answers.of_rows([*answers.rows, *[(value,) for value in answers.values]], Form.ROWS)


def conversions(questions: Iterator[Asked]) -> Outcomes:
    """Every question, from every form that has it to every form."""
    found: Outcomes = defaultdict(Counter)
    for asked in questions:
        Held(asked, found).convert()
    return found


@pytest.fixture(scope="module")
def outcomes() -> Outcomes:
    return conversions(
        chain(
            random_questions.programs(seed=11, count=250),
            random_questions.chains(seed=12, count=100),
            random_questions.paths(seed=13, count=100),
            random_questions.subgraphs(count=20),
            random_questions.sparql(graphs=2),
        )
    )


def row(page: str, first: str, cells: int) -> list[str]:
    """The other cells, so many, of the table row whose first cell is this."""
    rows = re.findall(rf"^\| {re.escape(first)} \|(.*)\|$", page, re.MULTILINE)
    (found,) = [split for split in (text.split("|") for text in rows) if len(split) == cells]
    return [cell.strip() for cell in found]


def test_the_matrix_of_the_page_is_what_happens(outcomes: Outcomes, root: Path) -> None:
    page = (root / "docs" / "forms.md").read_text(encoding="utf-8")
    for sources in COLUMNS[:-1]:
        said = row(page, ", ".join(f"`{source}`" for source in sources), len(COLUMNS))
        for cell, forms in zip(said, COLUMNS, strict=True):
            pairs = [outcomes[source, form] for source in sources for form in forms]
            refused = any(pair.keys() - {"same"} for pair in pairs)
            # random questions meet some refusals, and examples the others
            refused |= any(example.source in sources and example.to in forms for example in EXAMPLES + IN_WORDS)
            some = all(pair["same"] for pair in pairs)
            assert cell == ("none" if not some else "some" if refused else "all"), (sources, forms)


def test_conversions_are_many(outcomes: Outcomes) -> None:
    pairs = {pair: found["same"] for pair, found in outcomes.items() if pair[1] != "unread" and found["same"]}
    assert min(pairs.values()) >= 3, min(pairs, key=lambda pair: pairs[pair])
    assert sum(count > 50 for count in pairs.values()) > 60


def test_every_refusal_is_one_that_the_page_lists_for_the_form(outcomes: Outcomes, root: Path) -> None:
    page = (root / "docs" / "forms.md").read_text(encoding="utf-8")
    listed = {code: row(page, f"`{code}`", 3)[1:] for code in NO_FORM}
    seen = set()
    for form in FORMS:
        refused = {code for source in SOURCES for code in outcomes[source, form] if code != "same"}
        allowed = {"unsupported", BY_WORDS.get(form, "unsupported")}
        if form in ("sexpr", "graphquery"):
            column = ("sexpr", "graphquery").index(form)
            allowed |= {code for code, cells in listed.items() if cells[column] == "refuses"}
        assert refused <= allowed, form
        seen |= refused
    assert len(seen) >= 14
    assert len(re.findall(r"^\| `no-[a-z-]+` \|", page, re.MULTILINE)) == len(NO_FORM)


def test_what_is_not_read_of_the_sparql_that_is_written_is_listed(outcomes: Outcomes, root: Path) -> None:
    page = (root / "docs" / "forms.md").read_text(encoding="utf-8")
    unread: Counter[str] = Counter()
    for source in SOURCES:
        unread.update(outcomes[source, "unread"])
    written = sum(outcomes[source, "sparql"]["same"] for source in SOURCES)
    assert unread.pop("in all") < written * 0.05
    assert unread.keys() <= UNREAD
    assert all(f"`{code}`" in page for code in UNREAD)


@pytest.mark.parametrize("with_graph", [True, False])
def test_the_examples_convert_or_are_refused_by_name(root: Path, with_graph: bool) -> None:
    """Each means the same in every form, on the graph too, whether or not a graph was at hand when it was written."""
    graph = pylf.bundled()
    kg = graph if with_graph else None
    found: Counter[str] = Counter()
    for example in sorted((root / "examples").glob("*.pylf")):
        query = pylf.compile(example.read_text(encoding="utf-8"), kg=kg)
        answers = query.run(graph).answers
        for form in SOURCES:
            text, outcome = convert(query, form)
            found[outcome] += 1
            if text is not None:
                again = pylf.compile(text, source=form, kg=kg)
                # several entities of one label become their OR, which is another query of the same answers
                several = form in BY_PYLF and "ambiguous-label" in {d.code for d in query.diagnostics}
                if form != "sparql" and not several:
                    assert again.fingerprint == query.fingerprint, example.name
                assert again.run(graph).answers == answers, example.name
                assert pylf.compile(text, source=form, kg=graph).run().answers == answers, example.name
    assert found["same"] > 80
    assert found.keys() <= {"same", *NO_FORM, *BY_WORDS.values()}


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
