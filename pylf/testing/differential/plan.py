"""What a run is to do, and doing one block of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any

from pylf.errors import EngineTimeout
from pylf.records import record
from pylf.testing.differential.compare import Found, Turn, run_block
from pylf.testing.differential.replay import written
from pylf.testing.differential.shrink import shrunk
from pylf.testing.differential.verdict import DEFINITION, MISMATCH

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pylf.testing.differential.case import Case
    from pylf.testing.differential.engines import Engines
    from pylf.testing.differential.verdict import Failure

#: so many failing examples are shrunk by one process, and so many more written as they are
_SHRUNK = 20
_WRITTEN = 200
#: of these, so many that an engine complains of in the same words
_ALIKE = 2


@record
class Share:
    """How many pairs an engine takes part in. ``alternate``: each at one level of optimization, in turn."""

    engine: str
    pairs: int
    alternate: bool = False


@record
class Plan:
    """A run: ``shares`` of the engines, the first blocks of a seed, ``per_graph`` programs in each; of those alone,
    where ``forms`` are given, that use one of them. ``planned``: half of the blocks are made for passes. The engines
    are asked at ``levels`` of optimization and, of the first ``alone`` pairs, after each of ``passes`` alone. About the
    share ``wide`` of the pairs are queries of the wide tier in the place of programs."""

    seed: int
    shares: tuple[Share, ...]
    levels: tuple[int, ...] = (0, 1)
    per_graph: int = 20
    forms: tuple[str, ...] = ()
    planned: bool = False
    passes: tuple[str, ...] = ()
    alone: int = 0
    wide: float = 0.0

    @property
    def programs(self) -> int:
        """How many programs there are altogether."""
        return max((share.pairs for share in self.shares), default=0)

    @property
    def blocks(self) -> int:
        """How many graphs they are over."""
        return -(-self.programs // self.per_graph)

    def turns(self, number: int) -> tuple[Turn, ...]:
        """The engines that take part in a block: an engine does in the first ones, by whole blocks."""
        first = number * self.per_graph
        passes = self.passes if first < self.alone else ()
        return tuple(
            Turn(share.engine, self.levels, share.alternate, passes)
            for share in self.shares
            if first < share.pairs and (self.levels or passes)
        )

    def programs_in(self, number: int) -> int:
        """How many programs a block has; the last one may have fewer."""
        return min(self.per_graph, self.programs - number * self.per_graph)

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data."""
        shares = [[share.engine, share.pairs, share.alternate] for share in self.shares]
        plan = {"seed": self.seed, "shares": shares, "levels": list(self.levels), "per_graph": self.per_graph}
        passes = {"planned": self.planned, "passes": list(self.passes), "alone": self.alone, "wide": self.wide}
        return {**plan, "forms": list(self.forms), **passes}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """The plan that :meth:`to_json` gave."""
        shares = tuple(Share(str(name), int(pairs), bool(alternate)) for name, pairs, alternate in data["shares"])
        levels, forms = tuple(map(int, data["levels"])), tuple(map(str, data["forms"]))
        passes = bool(data["planned"]), tuple(map(str, data["passes"])), int(data["alone"]), float(data.get("wide", 0))
        return cls(int(data["seed"]), shares, levels, int(data["per_graph"]), forms, *passes)


class Runner:
    """Runs blocks of a plan on engines of its own, and writes what fails to a folder."""

    def __init__(self, plan: Plan, engines: Engines, folder: Path) -> None:
        self.plan = plan
        self.engines = engines
        self.folder = folder
        self.failed = 0
        #: by engine, kind and case, what the journal says of a failure that has a file
        self.names: dict[tuple[str, str, Case], dict[str, Any]] = {}
        self.complaints: Counter[tuple[str, str, str]] = Counter()

    def about(self) -> dict[str, dict[str, Any]]:
        """Starts the engines: by name their version, their dialect, and what they do to values.

        Raises:
            InputError, EngineError: one cannot be started.
        """
        found = {}
        for share in self.plan.shares:
            if share.pairs:
                engine = self.engines.get(share.engine)
                probe = self.engines.probes[share.engine]
                found[share.engine] = {
                    "version": engine.version(),
                    "dialect": engine.dialect,
                    "lost": sorted(map(str, probe.lost)),
                    "merged": [[str(a), str(b)] for a, b in probe.merged],
                    "echoes": [[str(a), str(b)] for a, b in probe.echoes],
                }
        return found

    def block(self, number: int) -> dict[str, Any]:
        """One block as a row of the journal."""
        plan = self.plan
        programs, turns = plan.programs_in(number), plan.turns(number)
        found = run_block(plan.seed, number, programs, turns, self.engines, plan.forms, plan.planned, plan.wide)
        failures = [self.filed(failure, number) for failure in found.failures]
        seconds = {part: round(spent, 3) for part, spent in found.seconds.items()}
        return {"block": number, **_counts(found), "failures": failures, "seconds": seconds}

    def filed(self, failure: Failure, number: int) -> dict[str, Any]:
        """A failure as the journal has it, shrunk and written to a file of its own."""
        row: dict[str, Any] = {"engine": failure.engine, "optimize": failure.optimize, "kind": failure.kind}
        if failure.alone:
            row["pass"] = failure.alone
        if failure.kind != MISMATCH:
            row["said"] = failure.said
            complaint = (failure.engine, failure.kind, failure.said)
            self.complaints[complaint] += 1
            if self.complaints[complaint] > _ALIKE:
                return row
        self.failed += 1
        if self.failed > _SHRUNK + _WRITTEN:
            return row
        if self.failed <= _SHRUNK and failure.kind != EngineTimeout.status:  # each try would take as long again
            failure = shrunk(failure, self.engines)
        same = (failure.engine, failure.kind, failure.case)
        if same in self.names:  # at another level, or from another program
            return {**row, **self.names[same]}
        dialect = None if failure.engine == DEFINITION else self.engines.get(failure.engine).dialect
        text = written(failure, f"seed {self.plan.seed}, block {number}", dialect)
        key = hashlib.sha256(text.encode()).hexdigest()[:8]
        name = f"{failure.engine}-{failure.alone or f'O{failure.optimize}'}-{number}-{key}.toml"
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")
        size = len(failure.case.setting.triples)
        self.names[same] = {"file": name, "triples": size, "program": failure.case.text}
        return {**row, **self.names[same]}


def _counts(found: Found) -> dict[str, Any]:
    return {
        "programs": found.programs,
        "disturbed": found.disturbed,
        "nonempty": found.nonempty,
        "forms": dict(found.forms),
        "refused": dict(found.refused),
        "engines": {name: dict(counts) for name, counts in found.engines.items()},
    }
