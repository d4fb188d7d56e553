"""A run in figures, as Markdown: per engine pairs, graphs, non-empty share, what is unsupported, what differs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pylf.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.testing.differential.journal import Journal
    from pylf.testing.differential.plan import Plan

_UNSUPPORTED = "unsupported: "
#: so many failing examples are named
_LISTED = 50


class Totals:
    """The counts of all blocks of a journal."""

    def __init__(self, journal: Journal) -> None:
        rows = list(journal.blocks.values())
        self.graphs = len(rows)
        self.programs = sum(row["programs"] for row in rows)
        self.nonempty = sum(row["nonempty"] for row in rows)
        self.seconds = sum(row["seconds"] for row in rows)
        self.forms = _summed(row["forms"] for row in rows)
        self.refused = _summed(row["refused"] for row in rows)
        names = dict.fromkeys([*journal.about, *(name for row in rows for name in row["engines"])])
        self.engines = {name: _summed(row["engines"].get(name, {}) for row in rows) for name in names}
        self.failures: list[dict[str, Any]] = [failure for row in rows for failure in row["failures"]]

    @property
    def smallest(self) -> str | None:
        """The file of the smallest failing example."""
        filed = [f for f in self.failures if "file" in f]
        return min(filed, key=lambda f: (f["triples"], len(f["program"]), f["file"]))["file"] if filed else None


def report(plan: Plan, journal: Journal) -> str:
    """The whole report."""
    totals = Totals(journal)
    what = (
        f"Seed {plan.seed}. {totals.programs:,} programs over {totals.graphs:,} random graphs, each with a random "
        f"schema; {_share(totals.nonempty, totals.programs)} of the answers are not empty (not zero, not no). Each is "
        "answered by the definition of the language and by the reference evaluator, and by the engines below."
    )
    lines = [
        "# Differential run",
        "",
        what,
        "",
        "| engine | pairs | graphs | not empty | queries | unsupported | mismatches | errors |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    definition = totals.engines.pop("definition", Counter())
    lines.append(
        f"| definition | {totals.programs:,} | {totals.graphs:,} | {_share(totals.nonempty, totals.programs)} | – | – "
        f"| {definition['mismatches']:,} | {definition['errors']:,} |"
    )
    lines += [_row(name, counts, plan) for name, counts in totals.engines.items()]
    lines += ["", *_engines(plan, journal, totals)]
    lines += ["", *_failures(totals)]
    lines += ["", "Programs that use each form:", ""]
    lines += [f"- {form}: {_share(count, totals.programs)}" for form, count in totals.forms.most_common()]
    if totals.refused:
        refused = ", ".join(f"{count:,} {code}" for code, count in totals.refused.most_common())
        lines += ["", f"Drawn besides, and refused by the compiler: {refused}."]
    lines += ["", f"{totals.seconds:,.0f} seconds of work.", ""]
    return "\n".join(lines)


def _row(name: str, counts: Counter[str], plan: Plan) -> str:
    unsupported = sum(count for key, count in counts.items() if key.startswith(_UNSUPPORTED))
    share = _share(unsupported, unsupported + counts["queries"]) if unsupported else "0"
    alternate = any(s.engine == name and s.alternate for s in plan.shares)
    return (
        f"| {name} | {counts['pairs']:,} | {counts['graphs']:,} | {_share(counts['nonempty'], counts['pairs'])} "
        f"| {counts['queries']:,}{' ¹' if alternate else ''} | {share} | {counts['mismatches']:,} "
        f"| {counts['errors']:,} |"
    )


def _engines(plan: Plan, journal: Journal, totals: Totals) -> Iterable[str]:
    levels = " and ".join(f"-O{level}" for level in plan.levels)
    if any(share.alternate for share in plan.shares):
        yield f"Each pair is asked at {levels}; ¹ at one of them, in turn."
    else:
        yield f"Each pair is asked at {levels}."
    for name, about in journal.about.items():
        yield ""
        yield f"**{name}**: {printable(about['version'])}, dialect {about['dialect']}."
        if about["lost"]:
            values = ", ".join(f"`{printable(value)}`" for value in about["lost"])
            yield f"Left out of its graphs, as it does not keep their value on loading: {values}."
        for key, count in totals.engines.get(name, Counter()).most_common():
            if key.startswith(_UNSUPPORTED):
                yield f"No form for {key.removeprefix(_UNSUPPORTED)}: {count:,} queries."


def _failures(totals: Totals) -> Iterable[str]:
    if not totals.failures:
        yield "**0 mismatches, 0 errors.**"
        return
    yield f"**Failures: {len(totals.failures):,}**, the smallest first:"
    yield ""
    files: dict[str, dict[str, Any]] = {}
    for failure in totals.failures:
        if "file" in failure:
            files.setdefault(failure["file"], failure)
    listed = sorted(files.values(), key=lambda f: (f["triples"], len(f["program"])))[:_LISTED]
    for failure in listed:
        program = printable(failure["program"].strip().replace("\n", "; "))
        yield f"- {failure['kind']}, `{failure['file']}`: `{program}`"
    if len(files) > len(listed):
        yield f"- and {len(files) - len(listed):,} more files"


def _summed(counts: Iterable[dict[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for part in counts:
        total.update(part)
    return total


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"
