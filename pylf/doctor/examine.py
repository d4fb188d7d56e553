"""An engine, examined: what is found of a graph at hand, of a file, or of an endpoint, and the profile that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.dialects import NAMES, dialect_at, dialect_named
from pylf.doctor import profiles
from pylf.doctor.asking import Found, findings_of
from pylf.errors import EngineError
from pylf.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.backends.http.endpoint import Endpoint
    from pylf.backends.sparql.dialect import Dialect
    from pylf.doctor.gold import Gold
    from pylf.doctor.probe import Finding
    from pylf.graphs import KnowledgeGraph

    Progress = Callable[[int, int], None]


@record
class Examination:
    """What was found of an engine.

    ``dialect`` is the dialect that it is taken to speak; ``identified`` the one that it says, if it says any;
    ``closest`` the one whose engine is known to answer the probes most alike. ``differs`` are the fields of the dialect
    that are otherwise here. ``gold`` is None where no gold set was asked. ``failure`` is what the engine ended the
    examination with, if it did: the findings are those until then.
    """

    name: str
    version: str
    dialect: str
    identified: str | None
    closest: str
    findings: tuple[Finding, ...]
    differs: tuple[tuple[str, bool | int | None], ...] = ()
    gold: Gold | None = None
    failure: EngineError | None = None

    @property
    def alarms(self) -> tuple[Finding, ...]:
        """What is wrong and matters for the queries that pylf writes."""
        return tuple([finding for finding in self.findings if finding.alarm])

    @property
    def fine(self) -> bool:
        """Whether all was asked, nothing that pylf rests on is wrong, and of a gold set something is answered."""
        return self.failure is None and not self.alarms and not (self.gold is not None and self.gold.fruitless)

    def to_json(self) -> dict[str, object]:
        """The examination as plain data."""
        failure = self.failure
        return {
            "name": self.name,
            "version": self.version,
            "dialect": self.dialect,
            "identified": self.identified,
            "closest": self.closest,
            "fine": self.fine,
            "differs": dict(self.differs),
            "alarms": [finding.name for finding in self.alarms],
            "findings": [finding.to_json() for finding in self.findings],
            "gold": None if self.gold is None else self.gold.to_json(),
            "failure": None if failure is None else {"status": failure.status, "reason": str(failure)},
        }


def examine_path(path: str, timeout: float | None = None, progress: Progress | None = None) -> Examination:
    """Examine the engine of a graph's folder or of an RDF file, which is embedded Oxigraph.

    Raises:
        EngineError: the graph cannot be asked.
        InputError: there is no graph there.
    """
    from pylf.graphs import open_kg

    return examine_graph(open_kg(path, limited=timeout is not None), timeout, progress)


def examine_graph(graph: KnowledgeGraph, timeout: float | None = None, progress: Progress | None = None) -> Examination:
    """Examine the engine of a graph that is open in this process.

    Raises:
        EngineError: the graph cannot be asked.
    """
    from pylf.doctor.subject import Embedded

    engine = graph.engine
    dialect = dialect_named(engine.dialect)
    found = findings_of(Embedded(engine, dialect, graph.name, engine.version), timeout, progress)
    return _examination(graph.name, engine.version, dialect, dialect.name, found)


def examine_endpoint(endpoint: Endpoint, timeout: float | None = None, progress: Progress | None = None) -> Examination:
    """Examine an endpoint, as the dialect that its description names, else as what it says it is, else as what it is
    most like. What its description says to differ is taken into account: only what is otherwise still is an alarm.

    ``timeout`` is in seconds, for each query, that which finds out what it is among them.

    Raises:
        EngineError: the endpoint does not answer. Where it fails later on, what was found by then is given.
        InputError: the description names a dialect, or a field of one, that there is not.
    """
    from pylf.backends.http.client import Client
    from pylf.doctor.subject import Remote

    with Client(patient(endpoint, timeout)) as client:
        identity = client.identify()
    version = identity.server or "unknown"
    said = identity.dialect if identity.dialect in NAMES else None

    def probed(name: str) -> tuple[Dialect, Found]:
        dialect = dialect_at(endpoint, name)
        if endpoint.row_cap is not None:
            dialect = replace(dialect, row_cap=endpoint.row_cap)
        with Client(endpoint, dialect) as client:
            return dialect, findings_of(Remote(client, dialect, endpoint.url, version), timeout, progress)

    taken = endpoint.dialect or said or NAMES[0]
    dialect, found = probed(taken)
    like = profiles.closest(found.findings)
    if endpoint.dialect is None and said is None and like != taken and found.failure is None:
        try:
            closer, again = probed(like)  # questions in the form of that dialect
        except EngineError as problem:
            closer, again = dialect, Found([], problem)
        # where it fails meanwhile, the first round tells more
        dialect, found = (closer, again) if again.failure is None else (dialect, Found(found.findings, again.failure))
    return _examination(endpoint.url, version, dialect, said, found)


def patient(endpoint: Endpoint, timeout: float | None) -> Endpoint:
    """The endpoint, with no single question given more than so many seconds, those that open it included."""
    limits = endpoint.limits
    if timeout is None or timeout >= limits.total:
        return endpoint
    return replace(endpoint, limits=replace(limits, total=timeout))


def profile_of(endpoint: Endpoint, examination: Examination, snapshot: str | None = None) -> Endpoint:
    """The description of an endpoint with what was found: its dialect, where it differs, and its row cap. ``snapshot``
    names the state of its data."""
    differs = dict(endpoint.differs) | dict(examination.differs)
    cap = differs.pop("row_cap", None)
    return replace(
        endpoint,
        dialect=examination.dialect,
        differs=tuple(sorted(differs.items())),
        row_cap=endpoint.row_cap if cap is None else cap,
        snapshot=snapshot or endpoint.snapshot,
    )


def _examination(name: str, version: str, dialect: Dialect, identified: str | None, found: Found) -> Examination:
    findings = tuple(found.findings)
    return Examination(
        name,
        version,
        dialect.name,
        identified,
        profiles.closest(findings),
        findings,
        tuple(sorted(profiles.differences(findings, dialect).items())),
        failure=found.failure,
    )
