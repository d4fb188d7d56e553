"""A run in figures, as Markdown: the command; per engine its version, pairs, graphs, non-empty share, what is
unsupported and left out; what differs; and, apart from that, what failed with an error."""

from __future__ import annotations

import platform
from collections import Counter
from typing import TYPE_CHECKING, Any

from pylf import __version__
from pylf.errors import printable
from pylf.ir.passes import listed
from pylf.testing.differential.compare import ALONE, CHANGED, CHANGED_ALONE, UNSUPPORTED
from pylf.testing.differential.verdict import DEFINITION, MISMATCH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.testing.differential.journal import Journal
    from pylf.testing.differential.plan import Plan

#: so many failing examples, and complaints, are named
_LISTED = 50


class Totals:
    """The counts of all blocks of a journal."""

    def __init__(self, journal: Journal) -> None:
        rows = list(journal.blocks.values())
        self.graphs = len(rows)
        self.programs = sum(row["programs"] for row in rows)
        self.disturbed = sum(row["disturbed"] for row in rows)
        self.nonempty = sum(row["nonempty"] for row in rows)
        self.seconds = _summed(row["seconds"] for row in rows)
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


def report(plan: Plan, journal: Journal, command: str) -> str:
    """The whole report of what ``command`` did."""
    totals = Totals(journal)
    programs = totals.programs - totals.disturbed
    drawn = f"{programs:,} programs{f' and {totals.disturbed:,} queries' if plan.planned else ''}"
    what = (
        f"Seed {plan.seed}. {drawn} over {totals.graphs:,} random graphs, each with a random schema; "
        f"{_share(totals.nonempty, totals.programs)} of the answers are not empty (not zero, not no). Each program is "
        "answered by the definition of the language and by the reference evaluator, and by the engines below."
    )
    if plan.planned:
        what += (
            " Half of the graphs were made to keep to their schema, or to break it, and counted: each program there is "
            "followed by queries of IR with something added that passes look for, which the reference evaluator alone "
            "judges."
        )
    lines = [
        "# Differential run",
        "",
        f"`{command}`, with pylf {__version__} on Python {platform.python_version()}.",
        "",
        what,
        "",
        "| engine | pairs | graphs | not empty | queries | unsupported | mismatches | errors |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    definition = totals.engines.pop(DEFINITION, Counter())
    lines.append(
        f"| definition | {programs:,} | {totals.graphs:,} | {_share(totals.nonempty, totals.programs)} | – | – "
        f"| {definition['mismatches']:,} | {definition['errors']:,} |"
    )
    lines += [_row(name, counts, plan) for name, counts in totals.engines.items()]
    lines += ["", *_engines(plan, journal, totals)]
    lines += ["", *_passes(plan, totals)]
    lines += ["", *_failures(totals)]
    lines += ["", "Programs that use each form:", ""]
    lines += [f"- {form}: {_share(count, programs)}" for form, count in totals.forms.most_common()]
    if totals.refused:
        refused = ", ".join(f"{count:,} {code}" for code, count in totals.refused.most_common())
        lines += ["", f"Drawn besides, and refused by the compiler: {refused}."]
    parts = ", ".join(f"{part} {seconds:,.0f}" for part, seconds in totals.seconds.most_common())
    lines += ["", f"Seconds of work, waiting included: {parts}.", ""]
    return "\n".join(lines)


def _row(name: str, counts: Counter[str], plan: Plan) -> str:
    unsupported = _unsupported(counts)
    share = _share(unsupported, unsupported + counts["queries"]) if unsupported else "0"
    alternate = any(s.engine == name and s.alternate for s in plan.shares)
    return (
        f"| {name} | {counts['pairs']:,} | {counts['graphs']:,} | {_share(counts['nonempty'], counts['pairs'])} "
        f"| {counts['queries']:,}{' ¹' if alternate else ''} | {share} | {counts['mismatches']:,} "
        f"| {counts['errors']:,} |"
    )


def _engines(plan: Plan, journal: Journal, totals: Totals) -> Iterable[str]:
    levels = " and ".join(f"-O{level}" for level in plan.levels)
    turns = "; ¹ in one of these ways, in turn" if any(share.alternate for share in plan.shares) else ""
    if levels:
        yield f"Each pair is asked at {levels}{'' if plan.passes else turns}."
    if len(plan.levels) > 1:
        yield "Where two levels make the same text of a query, both count, though an embedded engine is asked once."
    if plan.passes:
        pairs = "Each pair" if plan.alone >= plan.programs else f"Each of the first {plan.alone:,} pairs"
        yield (
            f"{pairs} is asked at -O1 after each of these passes alone, once for all that leave it as it is: "
            f"{', '.join(plan.passes)}{turns}."
        )
    for name, about in journal.about.items():
        yield ""
        yield f"**{name}**: {printable(about['version'])}, dialect {about['dialect']}."
        yield from _values(about)
        counts = totals.engines.get(name, Counter())
        asked = counts["queries"] + _unsupported(counts)
        if counts["not whole"]:
            yield (
                "Graphs of which it did not hold every triple after loading, and which it was not asked about: "
                f"{counts['not whole']:,}."
            )
        for key, count in counts.most_common():
            if key.startswith(UNSUPPORTED):
                yield f"No form for {key.removeprefix(UNSUPPORTED)}: {count:,} queries ({_share(count, asked)})."


def _passes(plan: Plan, totals: Totals) -> Iterable[str]:
    """How many queries the passes changed, together and alone."""
    for name, counts in totals.engines.items():
        if counts["optimized"]:
            yield (
                f"At -O2 the passes changed {counts['changed']:,} of the {counts['optimized']:,} queries for {name} "
                f"({_share(counts['changed'], counts['optimized'])}); "
                f"{_share(counts['changed nonempty'], counts['changed'])} of the answers to these are not empty."
            )
            yield ""
    asked = [name for name, counts in totals.engines.items() if counts["optimized"] or _alone(counts)]
    if not asked:
        return
    yield "| pass | engine | changed at -O2 | alone: queries | changed | mismatches | errors |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for step in listed():
        for name in asked:
            counts = totals.engines[name]
            if not counts[ALONE + step.name] and not counts["optimized"]:
                continue
            failed = [f for f in totals.failures if (f["engine"], f.get("pass")) == (name, step.name)]
            mismatches = sum(f["kind"] == MISMATCH for f in failed)
            yield (
                f"| {step.name} | {name} | {counts[CHANGED + step.name]:,} | {counts[ALONE + step.name]:,} "
                f"| {counts[CHANGED_ALONE + step.name]:,} | {mismatches:,} | {len(failed) - mismatches:,} |"
            )


def _alone(counts: Counter[str]) -> bool:
    return any(key.startswith(ALONE) for key in counts)


def _values(about: dict[str, Any]) -> Iterable[str]:
    """What is done about values that an engine does not keep."""

    def named(pairs: Iterable[Iterable[str]], between: str) -> str:
        return ", ".join(between.join(f"`{printable(value)}`" for value in pair) for pair in pairs)

    if about["lost"]:
        values = named(([value] for value in about["lost"]), "")
        yield f"Left out of its graphs, as it does not keep their value on loading: {values}."
    if about["merged"]:
        values = named(about["merged"], " and ")
        yield f"Of two values that it takes for one, its graphs hold the first that a relation has: {values}."
    if about["echoes"]:
        values = named(about["echoes"], " as ")
        yield f"Where a program writes them, it gives back (and that counts as agreement): {values}."


def _failures(totals: Totals) -> Iterable[str]:
    if not totals.failures:
        yield "**0 mismatches, 0 errors.**"
        return
    mismatches = [failure for failure in totals.failures if failure["kind"] == MISMATCH]
    errors = [failure for failure in totals.failures if failure["kind"] != MISMATCH]
    yield f"**Mismatches: {len(mismatches):,}.**"
    yield from _listed(mismatches)
    yield ""
    if not errors:
        yield "**0 errors.**"
        return
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in Counter(f["kind"] for f in errors).most_common())
    yield f"**Errors: {len(errors):,}** ({kinds}), no answer where one was due, by what was complained of:"
    yield ""
    alike = Counter((f["engine"], f["kind"], f.get("said", "")) for f in errors)
    for (engine, kind, said), count in alike.most_common(_LISTED):
        yield f"- {count:,} × {engine}, {kind}{': ' if said else ''}{printable(said)}"
    if len(alike) > _LISTED:
        yield f"- and {len(alike) - _LISTED:,} other complaints"
    yield from _listed(errors)


def _listed(failures: list[dict[str, Any]]) -> Iterable[str]:
    """The files of failures, the smallest first."""
    files: dict[str, dict[str, Any]] = {}
    for failure in failures:
        if "file" in failure:
            files.setdefault(failure["file"], failure)
    if files:
        yield ""
        yield "Examples, the smallest first:"
        yield ""
    for failure in sorted(files.values(), key=lambda f: (f["triples"], len(f["program"])))[:_LISTED]:
        program = printable(failure["program"].strip().replace("\n", "; "))
        yield f"- {failure['kind']}, `{failure['file']}`: `{program}`"
    if len(files) > _LISTED:
        yield f"- and {len(files) - _LISTED:,} more files"


def _unsupported(counts: Counter[str]) -> int:
    return sum(count for key, count in counts.items() if key.startswith(UNSUPPORTED))


def _summed(counts: Iterable[dict[str, Any]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for part in counts:
        total.update(part)
    return total


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"
