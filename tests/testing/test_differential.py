"""Random schemas, graphs and programs: the definition, the reference evaluator, Oxigraph and rdflib say the same.

A failing pair is had again by its seed and block, or with ``python -m pylf.testing.differential``.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.terms import Iri
from pylf.ir.text import parse_query, print_query
from pylf.ir.verify import verify
from pylf.language.parser import parse
from pylf.language.printer import print_program
from pylf.testing.differential.case import Case, Refusal, found_nothing, understand
from pylf.testing.differential.compare import Turn, run_block
from pylf.testing.differential.engines import Engines
from pylf.testing.differential.forms import FORMS, forms_of
from pylf.testing.differential.replay import read
from pylf.testing.differential.smaller_queries import smaller_queries
from pylf.testing.differential.verdict import DEFINITION, Way, fails
from pylf.testing.drawn.grounds import LARGE, torn
from pylf.testing.drawn.programs import Neighbourhood, random_program
from pylf.testing.drawn.schemas import NS
from pylf.testing.drawn.worlds import Setting, block, drawn_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.language import syntax
    from pylf.testing.differential.compare import Found

#: smallest examples of what once went wrong, as runs write them
EXAMPLES = Path(__file__).parent / "differential"


@pytest.fixture(scope="module")
def engines() -> Iterator[Engines]:
    with Engines() as found:
        yield found


def failures(found: Found) -> list[tuple[str, int, str, str, str]]:
    return [
        (f.engine, f.optimize, print_program(f.case.program), f"said {f.said}", f"expected {f.expected}")
        for f in found.failures
    ]


def test_oxigraph_agrees_with_the_definition_and_the_reference(engines: Engines) -> None:
    total: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    for number in range(100):
        found = run_block(2_026, number, 20, [Turn("oxigraph", (0, 1))], engines)
        assert not failures(found), number
        total.update(programs=found.programs, nonempty=found.nonempty, refused=found.refused.total())
        total.update(found.engines["oxigraph"])
        forms.update(found.forms)
    assert total["programs"] == 2_000
    assert total["pairs"] > 1_980
    assert total["queries"] > 3_960
    assert total["nonempty"] > 1_300
    assert total["refused"] < 1_000
    assert [form for form in sorted(FORMS) if forms[form] < 10] == []
    assert set(forms) == FORMS


def test_rdflib_agrees_too(engines: Engines) -> None:
    total: Counter[str] = Counter()
    for number in range(8):
        found = run_block(7, number, 10, [Turn("rdflib", (0, 1), alternate=True)], engines)
        assert not failures(found), number
        total.update(found.engines["rdflib"])
    assert total["pairs"] == total["queries"] > 74


def test_oxigraph_agrees_about_the_wide_tier(engines: Engines) -> None:
    total: Counter[str] = Counter()
    for number in range(6):
        found = run_block(5, number, 20, [Turn("oxigraph", (0, 1, 2))], engines, wide=1.0)
        assert not found.failures, [(f.optimize, f.case.text, f.said, f.expected) for f in found.failures]
        total.update(queries=found.disturbed, nonempty=found.nonempty)
        total.update(found.engines["oxigraph"])
    assert total["queries"] > 90
    assert total["nonempty"] > 45


@settings(max_examples=100)
@given(drawn_pairs())
def test_whatever_hypothesis_draws_oxigraph_agrees(engines: Engines, pair: tuple[Setting, syntax.Program]) -> None:
    for level in (0, 1):
        found = fails(Case(*pair), "oxigraph", level, engines)
        assert found is None, f"{print_program(pair[1])}: {found.said}, not {found.expected}"


def test_the_same_number_gives_the_same_block() -> None:
    def drawn() -> list[object]:
        found = [block(3, number) for number in range(20)]
        return [(b.setting, [next(b.programs) for _ in range(5)]) for b in found]

    assert drawn() == drawn()


def test_most_drawn_programs_have_an_answer_and_every_reading_occurs() -> None:
    answered = compiled = 0
    readings: set[tuple[str, bool, bool]] = set()
    for number in range(72):
        drawn = block(5, number)
        graph = MemoryGraph(drawn.setting.triples)
        counted = any(relation.profile is not None for relation in drawn.setting.rows.relations)
        readings.add((drawn.setting.negation, drawn.setting.at_hand, counted))
        for _ in range(6):
            case = Case(drawn.setting, next(drawn.programs))
            understood = understand(case, drawn.schema, graph)
            if not isinstance(understood, Refusal):
                compiled += 1
                answered += not found_nothing(understood.expected)
    assert len(readings) == 8
    assert compiled > 240
    assert answered / compiled > 0.6


def test_schemas_differ_in_every_way() -> None:
    rows = [block(11, number).setting.rows for number in range(200)]
    relations = [relation for found in rows for relation in found.relations]
    classes = [class_ for found in rows for class_ in found.classes]
    for seen in (
        lambda r: not r.domain,
        lambda r: len(r.domain) > 1,
        lambda r: any(len(union) > 1 for union in r.domain),
        lambda r: len(r.range) > 1,
        lambda r: len(r.datatypes) > 1,
        lambda r: r.datatypes and r.range,
        lambda r: r.inverse is not None,
        lambda r: r.label is not None,
        lambda r: "." in r.iri.rpartition("/")[2],
        lambda r: r.profile is not None and r.profile.tagged,
    ):
        assert any(map(seen, relations))
    assert any(len(c.parents) > 1 for c in classes)
    assert any(c.disjoint for c in classes)
    assert any(c.subjects_of is not None for c in classes)
    assert any(c.objects_of is not None for c in classes)


def test_planned_blocks_have_what_passes_rest_on_and_look_for(engines: Engines) -> None:
    assert [block(3, n, planned=True).disturbing is not None for n in range(8)] == [False, False, True, True] * 2
    found: Counter[str] = Counter()
    for number in (n for n in range(160) if n % 4 > 1):
        setting = block(3, number, planned=True).setting
        rows = dict(setting.rows.meta)
        found.update(f"{key} {value}" for key, value in setting.rows.meta)
        triples = Counter(predicate for _, predicate, _ in set(setting.triples))
        for relation in setting.rows.relations:
            if relation.triples is not None:
                assert relation.triples == LARGE * triples[Iri(relation.iri)]
        if rows.get("inverses") == "mirrored":
            found["mirrored pairs"] += any(relation.inverse is not None for relation in setting.rows.relations)
        if rows.get("disjoint") == "true":
            assert not torn(setting.triples, setting.rows.schema())
    assert min(found["sound true"], found["disjoint true"], found["inverses mirrored"]) > 20
    assert min(found["sound false"], found["disjoint false"], found["mirrored pairs"]) > 2
    total = run_block(3, 2, 30, [Turn("oxigraph", (0, 2), passes=("minimize",))], engines, planned=True)
    assert not failures(total)
    assert 10 < total.disturbed < 25
    counts = total.engines["oxigraph"]
    assert counts["optimized"] == counts["alone: minimize"] == 30
    assert 0 < counts["changed alone: minimize"] < 30


def test_engines_that_alternate_are_asked_in_every_way_in_turn() -> None:
    every = Turn("rdflib", (0, 2), passes=("minimize",)).ways_for(0)
    turn = Turn("rdflib", (0, 2), alternate=True, passes=("minimize",))
    assert every == (Way(0), Way(2), Way(1, "minimize"))
    assert [turn.ways_for(place) for place in range(6)] == [(way,) for way in every * 2]


def test_a_smaller_query_keeps_the_rules_and_has_less() -> None:
    query = parse_query(
        "set ?x\n  ?x: entity\n  ?y: any\nwhere\n  ?x <urn:p> ?y\n"
        "  ?y in (<urn:a>, <urn:b>)\n  not\n    ?x a <urn:A> | <urn:B>\n"
    )
    texts = [print_query(smaller) for smaller in smaller_queries(query)]
    assert len(texts) == len(set(texts)) == 8
    assert all(len(text) < len(print_query(query)) for text in texts)
    for smaller in smaller_queries(query):
        verify(smaller)


def test_forms_are_told_apart() -> None:
    text = "e = STOP(AND(JOIN('r', JOIN('q', START('A'), neg=True), neg=True), CMP('<=', ['r', 'n'], 1)))"
    assert forms_of(parse(text)) == {"AND", "JOIN neg", "neg in neg", "START", "CMP <=", "relation path"}


def test_a_program_that_is_refused_fails_nowhere(engines: Engines) -> None:
    setting = block(1, 0).setting
    unknown, known = (Case(setting, parse(f"e = STOP({x})")) for x in ("JOIN('nothing', 1)", "START(':e1')"))
    assert fails(unknown, "oxigraph", 1, engines) is None
    assert fails(known, DEFINITION, 0, engines) is None


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_what_once_failed_does_not(file: Path, engines: Engines) -> None:
    replay = read(file)
    for engine, level in ((DEFINITION, 0), ("oxigraph", 0), ("oxigraph", 1), ("rdflib", 0), ("rdflib", 1)):
        found = fails(replay.case, engine, level, engines)
        assert found is None, f"{engine} at -O{level}: {found.said}, not {found.expected}"


def test_a_graph_that_holds_nothing_is_asked_about_what_it_does_not_hold() -> None:
    around = Neighbourhood(Schema(MemorySource([Relation(f"{NS}r")], [])), ())
    assert len({print_program(random_program(Random(seed), around)) for seed in range(50)}) > 20
