"""Every pass alone, and all of them together, keep the answers of queries on graphs of which the schema is true.

``wrong`` (:mod:`tests.ir.passes.soundness`) is the property; :mod:`tests.ir.passes.mutants` has broken copies of each
pass, and each has to be caught by it within the questions that the passes themselves are held against here.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.errors import UnsupportedOperation
from pylf.ir.passes import PIPELINE, listed
from pylf.ir.passes.manager import optimized
from pylf.ir.text import print_query
from tests.ir.passes.mutants import MUTANTS, Mutant, broken, source_of
from tests.ir.passes.soundness import TARGETS, Question, questions, small_questions, wrong

if TYPE_CHECKING:
    from pylf.ir.nodes import Query
    from pylf.ir.passes.context import Context
    from pylf.ir.passes.manager import Pass

PASSES = tuple(listed())
SEED = 20


@cache
def material() -> tuple[Question, ...]:
    """What passes are held against: some four thousand questions."""
    return tuple(chain(questions(SEED, 200), small_questions(SEED, 1_500)))


def test_the_material_has_all_that_passes_may_rest_on() -> None:
    found: Counter[str] = Counter()
    for question in material():
        schema = question.ground.schema
        found[question.target.name] += 1
        for key in ("sound", "disjoint", "inverses"):
            found[f"{key} {schema.source.meta(key)}"] += 1
        found["answered"] += question.answered
    assert min(found[target.name] for target in TARGETS) > 500
    assert min(found[key] for key in ("sound true", "disjoint true", "inverses mirrored")) > 300
    assert found["disjoint false"] > 20
    assert found["answered"] > len(material()) / 4


@pytest.mark.parametrize("one", PASSES, ids=[one.name for one in PASSES])
def test_a_pass_alone_keeps_the_answers(one: Pass) -> None:
    changed = answered = 0
    for question in material():
        problem = wrong(one.run, question)
        assert problem is None, f"{problem}\n{print_query(question.query)}"
        if one.run(question.query, question.context) is not question.query:
            changed += 1
            answered += question.answered
    assert changed > 100
    assert answered > 20


@pytest.mark.parametrize("level", [1, 2])
def test_all_together_keep_the_answers(level: int) -> None:
    def run(query: Query, context: Context) -> Query:
        return optimized(query, context, PIPELINE, level)

    for question in material():
        problem = wrong(run, question)
        assert problem is None, f"{problem}\n{print_query(question.query)}"


@pytest.mark.parametrize("shaped", [False, True], ids=["for oxigraph", "for every engine"])
def test_what_is_asked_of_oxigraph_keeps_the_answers(shaped: bool) -> None:
    """The SPARQL at -O2; and that of what the passes make for an engine with every flag, which says the same there."""
    compared = 0
    engines: dict[int, OxigraphEngine] = {}
    for place, question in enumerate(material()):
        if place % 3 or question.outcome() == "no number":
            continue
        ground = question.ground
        engine = engines.get(id(ground)) or OxigraphEngine.memory(ground.triples)
        engines = {id(ground): engine}
        query = optimized(question.query, question.context, PIPELINE) if shaped else question.query
        try:
            found = engine.run(query, ground.schema, question.vocabulary, 1 if shaped else 2)
        except UnsupportedOperation:
            continue
        compared += 1
        assert found.key() == question.outcome(), print_query(question.query)
    assert compared > 800


# --- broken passes ----------------------------------------------------------------------------------------------------


def test_each_pass_has_mutants() -> None:
    made = Counter(mutant.name for mutant in MUTANTS)
    assert set(made) == {one.name for one in PASSES}
    assert min(made.values()) >= 2


@pytest.mark.parametrize("mutant", MUTANTS, ids=[f"{m.name}: {m.breaks}" for m in MUTANTS])
def test_the_text_that_a_mutant_changes_is_there_once(mutant: Mutant) -> None:
    assert source_of(mutant.place).count(mutant.old) == 1


@pytest.mark.parametrize("mutant", MUTANTS, ids=[f"{m.name}: {m.breaks}" for m in MUTANTS])
def test_a_broken_pass_is_caught(mutant: Mutant) -> None:
    with broken(mutant) as run:
        assert any(wrong(run, question) is not None for question in material())
