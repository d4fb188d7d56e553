"""Whole sets of s-expressions: how many a second, end to end; and one by one, beside splicing strings."""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import freebase
from benchmarks.tables import median, percentile, table
from pylf.api import CompiledQuery, compile
from pylf.errors import PylfError

if TYPE_CHECKING:
    from collections.abc import Callable

_ROOT = Path(__file__).resolve().parents[1]
_SETS = ("grailqa_1000", "agentbench_std", "agentbench_dev", "cwq_sexpr_1700")
_ROUNDS = 5
#: So many records at least are compiled, the sets repeated: what starting costs should not be all that is seen.
_RECORDS = 20_000
#: What is compiled where the published sets are not at hand.
_OWN = (
    "(AND spaceflight.rocket (JOIN spaceflight.rocket.manufacturer m.0178g))",
    "(AND spaceflight.rocket (JOIN (R spaceflight.rocket_manufacturer.rockets_manufactured) m.0178g))",
    "(COUNT (AND spaceflight.rocket (JOIN spaceflight.rocket.country_of_origin m.09c7w0)))",
    "(AND spaceflight.rocket (le spaceflight.rocket.mass 2.32e+3^^http://www.w3.org/2001/XMLSchema#float))",
    "(ARGMAX (JOIN film.film.written_by m.081lh) film.film.initial_release_date)",
    "(JOIN (R people.person.place_of_birth) (JOIN (R people.person.parents) m.0d05w3))",
)


def report(schema_file: Path, scratch: Path) -> str:
    """The tables, as Markdown."""
    records, origin = _records()
    path = scratch / "set.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(r) + "\n" for r in records)
    rows = []
    taken: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    for _ in range(_ROUNDS):
        for jobs, found in taken.items():
            found.append(_run(path, schema_file, jobs))
    for jobs, found in taken.items():
        walls, processor = [wall for wall, _ in found], [cpu for _, cpu in found]
        numbers = (len(records) / median(walls), len(records) / min(walls), median(processor) / len(records) * 1e6)
        rows.append([f"`--jobs {jobs}`", *[f"{number:,.0f}" for number in numbers]])
    size = path.stat().st_size / 1e6
    words = (
        f"{len(records):,} records ({origin}), {size:.1f} MB of JSON Lines, `pylf compile --batch` with the schema "
        f"that the other tables have, {_ROUNDS} rounds in turn: whole processes, from the file to the file."
    )
    whole = table(["", "records a second, median", "best", "processor µs a record, median"], rows)
    return "\n\n".join((words, whole, _beside_splicing([r["s_expression"] for r in records], schema_file)))


def _records() -> tuple[list[dict[str, str]], str]:
    shared = freebase.shared()
    texts: list[str] = []
    for name in _SETS if shared is not None else ():
        path = (shared or _ROOT) / f"data/logical_forms/{name}.jsonl.gz"
        if path.is_file():
            with gzip.open(path, "rt", encoding="utf-8") as stream:
                texts += [json.loads(line)["s_expression"] for line in stream]
    origin = f"{len(texts):,} s-expressions of GrailQA, AgentBench and CWQ, repeated" if texts else "made up"
    texts = texts or list(_OWN)
    repeated = (texts * (_RECORDS // len(texts) + 1))[: max(_RECORDS, len(texts))]
    return [{"id": f"q{n}", "question": "?" * 60, "s_expression": text} for n, text in enumerate(repeated)], origin


def _run(path: Path, schema_file: Path, jobs: int) -> tuple[float, float]:
    """Seconds by the wall, and of processors."""
    command = [
        *(sys.executable, "-m", "pylf", "compile", "--batch", str(path), "--field", "s_expression"),
        *("--schema", str(schema_file), "--vocab", "freebase", "--today", "2026-11-30"),
        *("--jobs", str(jobs), "--fresh", "-o", str(path.with_suffix(".out"))),
    ]
    before, start = _spent(), time.perf_counter()
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    if done.returncode > 1:  # 1: some are refused
        raise RuntimeError(done.stderr)
    return time.perf_counter() - start, _spent() - before


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# -- one by one, in one thread


def _beside_splicing(texts: list[str], schema_file: Path) -> str:
    first = compile("answer = STOP(START(1))", schema=str(schema_file), vocabulary="freebase", today="2026-11-30")
    settings, against = first.settings, first.against

    def ours(text: str) -> object:
        try:
            return CompiledQuery(text, "record", "sexpr", settings, against).sparql
        except PylfError as problem:
            return problem

    some = list(dict.fromkeys(texts))
    for text in some:
        ours(text)
    times = {"spliced strings": _times(splice, some), "pylf, s-expression to SPARQL": _times(ours, some)}
    rows = [[name, *[f"{n:,.0f}" for n in (median(t), percentile(t, 0.99), min(t))]] for name, t in times.items()]
    plain, compiled = (median(found) for found in times.values())
    words = (
        f"Each of {len(some):,} different s-expressions by itself, in one process, warm; the best of {_ROUNDS}. The "
        "converter that splices strings, thirty lines in this folder, stands for what others do: it matches brackets "
        "and pastes names into lines of SPARQL. It checks nothing, knows no schema, type, value or position, and what "
        f"it writes need not be SPARQL. pylf takes {compiled / plain:.0f} times as long."
    )
    return words + "\n\n" + table(["µs", "median", "p99", "least"], rows)


def _times(convert: Callable[[str], object], texts: list[str]) -> list[float]:
    """Microseconds for each text."""
    clock = time.perf_counter_ns
    best = [float("inf")] * len(texts)
    for _ in range(_ROUNDS):
        for place, text in enumerate(texts):
            start = clock()
            convert(text)
            best[place] = min(best[place], (clock() - start) / 1e3)
    return best


def splice(text: str) -> str:
    """SPARQL by pasting strings together, for comparison alone."""
    stack: list[list[str]] = [[]]
    lines: list[str] = []
    count = 0
    for part in text.replace("(", " ( ").replace(")", " ) ").split():
        if part == "(":
            stack.append([])
        elif part != ")":
            stack[-1].append(part if part.startswith(("?", '"')) or len(stack[-1]) == 0 else f"ns:{part}")
        else:
            operator, *rest = stack.pop()
            var = f"?x{count}"
            count += 1
            if operator == "R":
                stack[-1].append(f"^{rest[0]}")
                continue
            if operator == "JOIN":
                lines.append(f"{var} {rest[0]} {rest[1]} .")
            elif operator == "AND":
                lines += [f"{var} a {r} ." if r[0] != "?" else f"FILTER({var} = {r})" for r in rest]
            elif operator in ("ARGMAX", "ARGMIN"):
                lines.append(f"{var} {rest[-1]} ?k{count} .")
                lines.append(f"# ORDER BY {'DESC' if operator == 'ARGMAX' else 'ASC'}(?k{count}) LIMIT 1")
            elif operator in ("lt", "le", "gt", "ge"):
                lines.append(f"{var} {rest[0]} ?v{count} . FILTER(?v{count} {operator} {rest[-1]})")
            stack[-1].append(var)
    return "PREFIX ns: <http://rdf.freebase.com/ns/>\nSELECT DISTINCT ?x0 WHERE {\n" + "\n".join(lines) + "\n}"
