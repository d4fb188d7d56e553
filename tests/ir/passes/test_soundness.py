"""Every pass alone, and all of them together, keep the answers of queries on graphs of which the schema is true.

``wrong`` (:mod:`tests.ir.passes.soundness`) is the property; :mod:`tests.ir.passes.mutants` has broken copies of each
pass, and each has to be caught by it within the questions that the passes themselves are held against here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, get_args

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.errors import UnsupportedOperation
from pylf.ir.batch import batched, kind
from pylf.ir.nodes import Closure, CoreConjunct, Form, Triple
from pylf.ir.passes import PIPELINE, listed
from pylf.ir.passes.manager import optimized
from pylf.ir.terms import Var
from pylf.ir.text import print_query
from pylf.ir.traverse import walk
from tests.ir.passes.mutants import BATCH_MUTANTS, MUTANTS, Mutant, broken, source_of
from tests.ir.passes.soundness import TARGETS, Question, questions, small_questions, wrong, wrong_together
from tests.ir.passes.twins import twin_questions

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pylf.ir.nodes import Query
    from pylf.ir.passes.context import Context
    from pylf.ir.passes.manager import Pass

PASSES = tuple(listed())
EVERY = (*MUTANTS, *BATCH_MUTANTS)
SEED = 20


@cache
def material() -> tuple[Question, ...]:
    """What passes are held against: some seven thousand questions."""
    return tuple(chain(twin_questions(), questions(SEED, 200), small_questions(SEED, 1_500)))


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


def test_the_material_has_all_kinds_of_queries() -> None:
    found: Counter[object] = Counter()
    for question in material():
        found[question.query.form] += 1
        said = list(walk(question.query))
        found.update({type(conjunct) for conjunct in said})
        found["of any relation"] += any(isinstance(one, Triple) and isinstance(one.predicate, Var) for one in said)
        found["of no steps"] += any(isinstance(one, Closure) and one.minimum == 0 for one in said)
    assert min(found[form] for form in Form if form is not Form.SUBGRAPH) > 300
    assert min(found[one] for one in (*get_args(CoreConjunct), Closure)) > 200
    assert min(found["of any relation"], found["of no steps"]) > 300


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


def test_all_together_keep_the_answers() -> None:
    def run(query: Query, context: Context) -> Query:
        return optimized(query, context, PIPELINE, strict=True)

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


@pytest.mark.parametrize("mutant", EVERY, ids=[f"{m.name}: {m.breaks}" for m in EVERY])
def test_the_text_that_a_mutant_changes_is_there_once(mutant: Mutant) -> None:
    assert source_of(mutant.place).count(mutant.old) == 1


@pytest.mark.parametrize("mutant", MUTANTS, ids=[f"{m.name}: {m.breaks}" for m in MUTANTS])
def test_a_broken_pass_is_caught(mutant: Mutant) -> None:
    with broken(mutant) as module:
        assert any(wrong(module.run, question) is not None for question in material())


# --- several as one ---------------------------------------------------------------------------------------------------


def test_questions_of_one_kind_are_answered_together() -> None:
    assert sum(len(group) for group in groups()) > 1_000
    for group in groups():
        assert not wrong_together(batched, group), [print_query(question.query) for question in group]


@pytest.mark.parametrize("mutant", BATCH_MUTANTS, ids=[mutant.breaks for mutant in BATCH_MUTANTS])
def test_a_broken_batch_is_caught(mutant: Mutant) -> None:
    with broken(mutant) as module:
        assert any(wrong_together(module.batched, group) for group in groups())


def groups() -> list[list[Question]]:
    """Some of the questions that have an answer, those of one ground and one kind together."""
    found: defaultdict[tuple[int, Hashable], list[Question]] = defaultdict(list)
    for question in material()[::2]:
        if question.outcome() != "no number":
            found[id(question.ground), kind(question.query)].append(question)
    return [group for group in found.values() if len(group) > 1]
