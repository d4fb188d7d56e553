"""How much of the sets' gold SPARQL comes in, as Markdown: by set, by reason for refusal, and by tier.

    python scripts/sparql_coverage.py DATA       DATA is the folder of shared data that has sparql/ and fb15k237/
    python scripts/sparql_coverage.py DATA 10    of these, every tenth text is emitted again and run as well
    python scripts/sparql_coverage.py DATA 10 rdflib                                        ... on another engine

Freebase's sets are read with Freebase's schema files, and without any; Wikidata's without. What is emitted again is
asked of a random graph made of the text's own patterns, at every level of optimization, without a schema of that graph
and with the one that is inferred from it; its answers are to be those of the reference evaluator. Engines are oxigraph
(the one that is meant where none is named), rdflib, jena and virtuoso.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.sparql import emit
from pylf.errors import CompileError, EngineError, UnsupportedOperation
from pylf.frontends.sparql.lower import lower
from pylf.frontends.sparql.parser import parse
from pylf.ir.evaluate import evaluate
from pylf.ir.nodes import WideConjunct
from pylf.ir.schema.cache import load_schema
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.traverse import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pylf.ir.answers import Answers
    from pylf.ir.memory import MemoryGraph
    from pylf.ir.nodes import Query
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.testing.servers import Server

    #: Puts a graph on an engine, and gives what answers a query by its text.
    Ask = Callable[[MemoryGraph], Callable[[Query, str], Answers]]

#: the day that NOW() means
TODAY = "2026-11-30"


class Questions(NamedTuple):
    """A set: its name, its vocabulary's, and its texts by id."""

    name: str
    vocabulary: str
    texts: dict[str, str]


def sets(data: Path) -> list[Questions]:
    """The sets that lie in a folder."""
    qald = json.loads((data / "sparql" / "qald10_394.json").read_text(encoding="utf-8"))["questions"]
    found = [Questions("qald10_394", "wikidata", {str(one["id"]): one["query"]["sparql"] for one in qald})]
    for name, vocabulary in (("qald10_train", "wikidata"), ("webqsp_test", "freebase"), ("wwq_val", "wikidata")):
        lines = gzip.decompress((data / "sparql" / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
        found.append(Questions(name, vocabulary, {str(one["id"]): one["sparql"] for one in map(json.loads, lines)}))
    for name in ("webqsp", "cwq"):
        lines = (data / "fb15k237" / "questions" / f"{name}_executable.jsonl").read_text(encoding="utf-8").splitlines()
        texts = {str(one["id"]): one["sparql"] for one in map(json.loads, lines)}
        found.append(Questions(f"{name}_executable", "freebase", texts))
    return found


class Coverage:
    """What became of a set's texts."""

    def __init__(self) -> None:
        self.core = self.wide = 0
        self.refused: Counter[str] = Counter()
        self.nodes: Counter[str] = Counter()
        self.warnings: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """All texts."""
        return self.core + self.wide + sum(self.refused.values())


def covered(questions: Questions, schema: Schema, vocabulary: Vocabulary) -> Coverage:
    """Reads and lowers every text of a set."""
    found = Coverage()
    for key, text in questions.texts.items():
        try:
            query, diagnostics = lower(parse(text, key, vocabulary.prefixes), schema, vocabulary, today=TODAY)
        except CompileError as error:
            found.refused[error.diagnostics[0].code] += 1
            continue
        kinds = {type(node).__name__ for node in walk(query) if isinstance(node, WideConjunct)}
        found.nodes.update(kinds)
        found.warnings.update({finding.code for finding in diagnostics})
        if kinds:
            found.wide += 1
        else:
            found.core += 1
    return found


# --- emitted again ------------------------------------------------------------------------------------------------

LEVELS = (0, 1, 2)
#: Without a schema of the graph that is asked, and with it.
SCHEMAS = ("none", "inferred")


class Again:
    """What became of texts that were emitted again: once for each level and schema."""

    def __init__(self) -> None:
        self.texts = 0
        self.right: Counter[str] = Counter()
        self.refused: dict[str, Counter[str]] = {schema: Counter() for schema in SCHEMAS}
        self.wrong: list[tuple[str, str, int, str]] = []

    @property
    def rows(self) -> Iterator[tuple[str, int, int, Counter[str], int]]:
        """By schema: how many were emitted, of how many, what the others were refused for, and how many are wrong."""
        for schema in SCHEMAS:
            wrong = sum(one[1] == schema for one in self.wrong)
            yield schema, self.right[schema] + wrong, self.texts * len(LEVELS), self.refused[schema], wrong


def emitted_again(
    questions: Questions,
    schema: Schema,
    vocabulary: Vocabulary,
    keys: list[str],
    engine: str = "oxigraph",
    ask: Ask | None = None,
) -> Again:
    """Emits texts of a set, asks an engine, and compares with the reference evaluator."""
    from tests.frontends.sparql_answers import agrees
    from tests.frontends.sparql_graphs import graph_named

    found, on = Again(), ask or embedded(engine)
    for key in keys:
        text = parse(questions.texts[key], key, vocabulary.prefixes)
        query = lower(text, schema, vocabulary, today=TODAY).query
        graph = graph_named(f"{questions.name} {key} again", text, schema if schema.has_relations else None)
        expected = evaluate(query, graph, schema, vocabulary)
        answer = on(graph)
        found.texts += 1
        for name, known in zip(SCHEMAS, (schema, infer_schema(graph, vocabulary)), strict=True):
            for level in LEVELS:
                try:
                    got = answer(query, emit(query, known, vocabulary, engine, level))
                except UnsupportedOperation as refused:
                    found.refused[name][_reason(refused)] += 1
                except EngineError as failed:
                    found.wrong.append((key, name, level, str(failed)))
                else:
                    if agrees(query, got, expected):
                        found.right[name] += 1
                    else:
                        found.wrong.append((key, name, level, "other answers"))
    return found


def embedded(engine: str) -> Ask:
    """An engine within this process."""

    def on(graph: MemoryGraph) -> Callable[[Query, str], Answers]:
        triples = list(graph.triples(None, None, None))
        if engine == "rdflib":
            from pylf.backends.engines.rdflib import RdflibEngine

            return RdflibEngine.from_triples(triples).answers
        from pylf.backends.engines.oxigraph import OxigraphEngine

        return OxigraphEngine.memory(triples).answers

    return on


def served(server: Server) -> Ask:
    """A server, which holds one graph at a time under one name."""
    from pylf.backends.engines.http import HttpEngine

    def on(graph: MemoryGraph) -> Callable[[Query, str], Answers]:
        server.load(list(graph.triples(None, None, None)), "urn:coverage")
        return HttpEngine(server.endpoint("urn:coverage")).answers

    return on


def _reason(refused: UnsupportedOperation) -> str:
    return str(refused).partition(" cannot be expressed")[0]


def _print_again(data: Path, freebase: Schema, nothing: Schema, step: int, engine: str) -> None:
    from pylf.testing import servers

    server = servers.start(engine) if engine in servers.NAMES and engine != "oxigraph" else None
    try:
        ask = served(server) if server is not None else None
        print(f"\n| set | texts | schema | emitted for {engine} | refused | wrong |\n|---|---|---|---|---|---|")
        for questions in sets(data):
            schema = freebase if questions.vocabulary == "freebase" else nothing
            keys = list(questions.texts)[::step]
            again = emitted_again(questions, schema, load(questions.vocabulary), keys, engine, ask)
            for name, emitted, of, refused, wrong in again.rows:
                cells = (questions.name, str(again.texts), name, f"{emitted} of {of}", _listed(refused), str(wrong))
                print(f"| {' | '.join(cells)} |")
            for one in again.wrong:
                print(questions.name, *one, file=sys.stderr)
    finally:
        if server is not None:
            server.stop()


def main(arguments: list[str]) -> int:
    """Print the tables."""
    if not 1 <= len(arguments) <= 3:
        print(__doc__, file=sys.stderr)
        return 2
    data = Path(arguments[0])
    freebase = load_schema(data / "fb15k237" / "schema", load("freebase"))
    nothing = Schema(MemorySource([], []))
    print("| set | schema | texts | come in | core tier | refused | wide nodes | warnings |")
    print("|---|---|---|---|---|---|---|---|")
    for questions in sets(data):
        schemas = [("none", nothing)]
        if questions.vocabulary == "freebase":
            schemas.insert(0, ("Freebase's", freebase))
        for name, schema in schemas:
            found = covered(questions, schema, load(questions.vocabulary))
            inside = found.core + found.wide
            cells = (
                questions.name,
                name,
                str(found.total),
                f"{inside} ({inside / found.total:.1%})",
                f"{found.core} ({found.core / found.total:.1%})",
                _listed(found.refused),
                _listed(found.nodes),
                _listed(found.warnings),
            )
            print(f"| {' | '.join(cells)} |")
    if len(arguments) > 1:
        engine = arguments[2] if len(arguments) > 2 else "oxigraph"
        _print_again(data, freebase, nothing, int(arguments[1]), engine)
    return 0


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common()) or "–"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
