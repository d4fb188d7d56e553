"""The probes themselves: their right answers, and what they make of engines that get some of them wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.backends.dialects import NAMES, dialect_named
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.http import guard
from pylf.doctor import asking, examine_graph, profiles, sizes
from pylf.doctor.probe import Finding, Probe, Use, Verdict, rows
from pylf.doctor.probes import emitted, triples, without_data
from pylf.doctor.report import render
from pylf.doctor.sizes import LIMITS
from pylf.doctor.subject import Counted, Embedded, columns_of, counted
from pylf.errors import EngineError, EngineRefused, EngineTimeout
from pylf.graphs import KnowledgeGraph, empty_schema, load_vocabulary
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Form
from pylf.ir.terms import XSD_BOOLEAN, XSD_INTEGER, Iri, Literal
from pylf.ir.values import identity
from pylf.ir.verify import verify

if TYPE_CHECKING:
    from pylf.backends.sparql.dialect import Dialect
    from pylf.doctor.probe import Row
    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow

S, P, END = Iri("urn:s"), Iri("urn:p"), Iri("urn:o")
FIVE = Literal("5", XSD_INTEGER)
TRIPLES: list[TripleRow] = [(S, P, END), (S, Iri("urn:n"), FIVE), (S, Iri("urn:l"), Literal("x"))]
ANCHOR = triples.Anchor(S, P, END, (S, Iri("urn:l"), Literal("x")), (S, Iri("urn:n"), FIVE))


def all_probes(dialect: Dialect) -> tuple[Probe, ...]:
    return (*without_data(dialect), *emitted.over_triple(ANCHOR, dialect), *triples.probes(ANCHOR, dialect))


def answered(answers: Answers) -> tuple[Row, ...]:
    match answers.form:
        case Form.SET:
            return tuple((value,) for value in answers.values)
        case Form.NUMBER:
            return ((Literal(str(answers.number), XSD_INTEGER),),)
        case Form.BOOLEAN:
            return ((Literal(str(answers.boolean).lower(), XSD_BOOLEAN),),)
    return answers.rows


def as_set(found: tuple[Row, ...]) -> set[tuple[object, ...]]:
    return {tuple(None if node is None else identity(node) for node in row) for row in found}


@pytest.mark.parametrize(
    "case", [*emitted.value_questions(), *emitted.triple_questions(ANCHOR)], ids=lambda case: case[0]
)
def test_the_right_answers_of_pylfs_questions_are_those_of_the_reference_evaluator(case: emitted.Question) -> None:
    _, _, query, expected = case
    verify(query)
    answers = evaluate(query, MemoryGraph(TRIPLES), empty_schema(), load_vocabulary())
    assert as_set(answered(answers)) == as_set(expected)


@pytest.mark.parametrize("name", NAMES)
def test_probes_have_names_of_their_own_fields_that_exist_and_texts_that_may_be_sent(name: str) -> None:
    dialect = dialect_named(name)
    probes = all_probes(dialect)
    names = [probe.name for probe in probes]
    assert sorted(set(names)) == sorted(names)
    assert len(names) > 90
    for probe in probes:
        if probe.name != "escaped-u":  # which is about texts that mean something else once their \\u are expanded
            assert guard.check(probe.query) in {"SELECT", "ASK"}
        assert (probe.field is None) or hasattr(dialect, probe.field)
        assert (probe.field is not None) <= (probe.use is Use.ADAPTED)
        assert all(len(row) == len(probe.expected[0]) for row in probe.expected)
        if probe.query.startswith("SELECT") and probe.expected:
            assert len(columns_of(probe.query)) == len(probe.expected[0])


def test_what_is_known_of_an_engine_is_told_by_probes_that_exist() -> None:
    for name, known in profiles.KNOWN.items():
        probes = {probe.name: probe for probe in all_probes(dialect_named(name))}
        assert known <= probes.keys()
        assert not any(probes[one].use is Use.EMITTED for one in known)


# --- engines in this process ------------------------------------------------------------------------------------------


def embedded(name: str, dialect: str, data: list[TripleRow]) -> Embedded:
    engine = OxigraphEngine.memory(data) if name == "oxigraph" else RdflibEngine.from_triples(data)
    return Embedded(engine, dialect_named(dialect), name, "1")


def wrong(findings: list[Finding] | tuple[Finding, ...]) -> set[str]:
    return {finding.name for finding in findings if finding.verdict in (Verdict.WRONG, Verdict.REFUSED)}


@pytest.fixture(scope="module")
def rdflib_findings() -> list[Finding]:
    """rdflib, whose parser takes too long over long queries: of pylf's questions it is asked those about triples."""
    subject = embedded("rdflib", "rdflib", TRIPLES)
    of_values = {name for name, *_ in emitted.value_questions()}
    probes = [probe for probe in all_probes(subject.dialect) if probe.name not in of_values]
    return [asking.asked(subject, probe) for probe in probes]


def test_embedded_oxigraph_is_as_known_and_has_no_limits() -> None:
    graph = KnowledgeGraph(OxigraphEngine.memory(TRIPLES), empty_schema(), load_vocabulary(), "three triples")
    told: list[tuple[int, int]] = []
    found = examine_graph(graph, progress=lambda done, total: told.append((done, total)))
    assert wrong(found.findings) == profiles.KNOWN["oxigraph"]
    assert (found.alarms, found.differs, found.closest, found.fine) == ((), (), "oxigraph", True)
    assert {finding.verdict for finding in found.findings if finding.group == LIMITS} == {Verdict.RIGHT}
    assert told[-1] == (told[-1][1], told[-1][1])
    text = render(found)
    assert "✗" not in text
    assert "nothing wrong that its queries rest on" in text


def test_rdflib_is_as_known(rdflib_findings: list[Finding]) -> None:
    assert wrong(rdflib_findings) == profiles.KNOWN["rdflib"]
    assert [finding.name for finding in rdflib_findings if finding.alarm] == []
    assert profiles.closest(rdflib_findings) == "rdflib"
    assert profiles.differences(rdflib_findings, dialect_named("rdflib")) == {}


def test_what_rdflib_gets_wrong_is_an_alarm_where_the_dialect_does_not_know(rdflib_findings: list[Finding]) -> None:
    subject = embedded("rdflib", "sparql11", TRIPLES)
    fields = {finding.field for finding in rdflib_findings if finding.value is True}
    assert fields == {"blank_group", "expands_escapes", "flat_exists", "forgets_values"}
    probes = [probe for probe in all_probes(subject.dialect) if probe.field in fields]
    findings = [asking.asked(subject, probe) for probe in probes]
    assert {finding.field for finding in findings if finding.alarm} == fields
    assert profiles.differences(findings, subject.dialect) == dict.fromkeys(fields, True)


def test_a_graph_without_triples_is_asked_what_takes_none() -> None:
    findings = asking.findings_of(embedded("oxigraph", "oxigraph", [(S, P, FIVE)])).findings
    (unasked,) = [finding for finding in findings if finding.verdict is Verdict.UNASKED]
    assert "no triple between two IRIs" in unasked.got
    assert not any(finding.alarm for finding in findings)


def test_the_rarest_predicate_is_probed() -> None:
    common: list[Row] = [(Iri(f"urn:{n}"), Iri("urn:type"), Iri("urn:c")) for n in range(5)]
    numbers: list[Row] = [(S, Iri("urn:n"), FIVE), (END, Iri("urn:n"), FIVE)]
    of: dict[str, list[Row]] = {"urn:s": [(FIVE,), (Literal("6"),)], "urn:o": [(FIVE,)]}
    anchor = triples.anchor_among(
        [*common, (S, P, END), *numbers], lambda query: next(of[name] for name in of if f"<{name}>" in query)
    )
    assert anchor is not None
    assert anchor[:3] == (S, P, END)
    assert anchor.literal == (S, Iri("urn:n"), FIVE)
    assert anchor.number == (END, Iri("urn:n"), FIVE)  # of urn:s there are two values
    assert triples.anchor_among(numbers, lambda _: []) is None


# --- engines that fail ------------------------------------------------------------------------------------------------


class Faulty:
    """Embedded Oxigraph, but for what a query that holds some text does."""

    name, version, remote = "faulty", "1", True

    def __init__(self, part: str, problem: EngineError | None, dialect: str = "oxigraph") -> None:
        self.part, self.problem = part, problem
        self.inner = embedded("oxigraph", dialect, TRIPLES)
        self.dialect = self.inner.dialect
        self.dead = False

    def _check(self, sparql: str) -> None:
        if self.dead or (self.part in sparql and self.problem is not None):
            raise self.problem or EngineError("gone")

    def select(self, sparql: str, timeout: float | None) -> list[Row]:
        self._check(sparql)
        return self.inner.select(sparql, timeout)

    def ask(self, sparql: str, timeout: float | None) -> bool:
        self._check(sparql)
        return self.inner.ask(sparql, timeout)

    def counted(self, sparql: str, timeout: float | None) -> Counted:
        return counted(self.select(sparql, timeout))


HAVING = next(probe for probe in without_data(dialect_named("sparql11")) if probe.name == "having")


@pytest.mark.parametrize(
    ("problem", "verdict", "alarm"),
    [
        (EngineRefused("no HAVING here\nsecond line"), Verdict.REFUSED, True),
        (EngineError("it broke"), Verdict.REFUSED, True),
        (EngineTimeout("too late"), Verdict.TIMEOUT, False),
    ],
)
def test_a_failure_is_told_from_a_time_out(problem: EngineError, verdict: Verdict, alarm: bool) -> None:
    finding = asking.asked(Faulty("HAVING", problem), HAVING)
    assert (finding.verdict, finding.alarm) == (verdict, alarm)
    assert finding.got == str(problem).partition("\n")[0]


def test_a_wrong_answer_is_quoted() -> None:
    finding = asking.asked(Faulty("never", None), Probe("x", "s", HAVING.query, rows("b"), remedy="mend it"))
    assert (finding.verdict, finding.got, finding.remedy, finding.alarm) == (Verdict.WRONG, '"a"', "mend it", True)


def test_an_engine_that_is_gone_ends_the_examination() -> None:
    gone = Faulty("HAVING", EngineError("connection reset"))
    gone.inner.engine.ask = lambda *_: (_ for _ in ()).throw(EngineError("connection refused"))  # type: ignore[method-assign]
    with pytest.raises(EngineError, match="refused"):
        asking.asked(gone, HAVING)
    with pytest.raises(EngineError, match="refused"):
        asking.findings_of(gone)


@pytest.mark.parametrize("after", [1, 40, 10_000])
def test_what_was_found_before_an_engine_failed_stands(after: int) -> None:
    class Dying(Embedded):
        left = after

        def select(self, sparql: str, timeout: float | None) -> list[Row]:
            self.spend()
            return super().select(sparql, timeout)

        def ask(self, sparql: str, timeout: float | None) -> bool:
            self.spend()
            return super().ask(sparql, timeout)

        def spend(self) -> None:
            Dying.left -= 1
            if Dying.left < 0:
                raise EngineError("connection refused")

    whole = embedded("oxigraph", "oxigraph", [(S, P, FIVE)])
    found = asking.findings_of(Dying(whole.engine, whole.dialect, "dying", "1"))
    unanswered = [finding for finding in found.findings if finding.verdict is Verdict.UNANSWERED]
    assert not [finding for finding in found.findings if finding.alarm]
    if after == 10_000:
        assert (found.failure, unanswered) == (None, [])
        return
    assert str(found.failure) == "connection refused"
    asked = [finding for finding in found.findings if finding.verdict is not Verdict.UNASKED]
    assert asked[-len(unanswered) :] == unanswered
    assert (after // 2 if after > 1 else 0) <= len(asked) - len(unanswered) < after
    assert {finding.name for finding in unanswered} >= {name for name, _ in sizes.NAMES.values()}


def test_a_refusal_that_may_have_other_reasons_decides_nothing() -> None:
    arm = next(probe for probe in without_data(dialect_named("sparql11")) if probe.name == "union-arm-filter")
    finding = asking.asked(Faulty("UNION", EngineRefused("compiler error")), arm)
    assert (finding.verdict, finding.value, finding.alarm) == (Verdict.REFUSED, None, False)


def test_of_two_limits_the_tighter_stands_and_none_is_lifted() -> None:
    def limit(name: str, field: str, value: int) -> Finding:
        return Finding(name, LIMITS, "", Verdict.REFUSED, Use.ADAPTED, "", field, value, True)

    found = [limit("a", "values_limit", 4000), limit("b", "values_limit", 3000), limit("c", "arms_limit", 900)]
    assert profiles.differences(found, dialect_named("sparql11")) == {"values_limit": 3000, "arms_limit": 900}
    assert profiles.differences(found, dialect_named("virtuoso")) == {}


def test_columns_are_in_the_order_of_the_text() -> None:
    text = 'SELECT DISTINCT (CONCAT("(", ?a) AS ?z) ?b (MAX(?c) AS ?d) WHERE { ?a ?b ?c }'
    assert columns_of(text) == ["z", "b", "d"]
