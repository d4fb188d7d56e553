"""A failing example as one text file that says everything, and runs again.

TOML: the program, or the query as text of IR, the graph in Turtle, the schema row by row, how programs are read, and
what each side said (as comments, with the SPARQL text that was sent).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pylf.backends.dialects import dialect_named
from pylf.backends.sparql import emit
from pylf.backends.toml import written as toml
from pylf.errors import CompileError, InputError, PylfError, printable
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Query
from pylf.ir.passes import PIPELINE, listed
from pylf.ir.passes.context import Context
from pylf.ir.passes.manager import named, optimized
from pylf.ir.schema.model import COUNTS, Class, Relation, ValueProfile
from pylf.ir.text import parse_query
from pylf.language.context import Negation
from pylf.language.parser import parse
from pylf.records import record
from pylf.testing.differential.case import Case, Disagreement, Refusal, told, understand
from pylf.testing.differential.toml import block_text, table
from pylf.testing.differential.turtle import turtle
from pylf.testing.differential.verdict import DEFINITION, Failure
from pylf.testing.drawn.programs import TODAY
from pylf.testing.drawn.schemas import VOCABULARY, Rows
from pylf.testing.drawn.worlds import Setting

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

#: a replay file is small; a larger one is none
_MOST_BYTES = 5_000_000


@record
class Replay:
    """What a file says: a case, the engine on which it went wrong, the level of optimization, and the pass, if one had
    the query alone."""

    case: Case
    engine: str
    optimize: int
    alone: str = ""


def written(failure: Failure, found: str, dialect: str | None) -> str:
    """The text of a replay file. ``found`` says where the case comes from (seed and block); ``dialect`` is what the
    engine was asked in."""
    setting = failure.case.setting
    is_query = isinstance(failure.case.program, Query)
    lines = [
        f"# {failure.kind} on {failure.engine} at -O{failure.optimize}"
        + (f", after {failure.alone} alone" if failure.alone else ""),
        "# python -m pylf.testing.differential replay THIS-FILE",
        "#",
        f"# {'the definition' if failure.engine == DEFINITION else 'the reference'} says {printable(failure.expected)}",
        f"# {'the reference' if failure.engine == DEFINITION else failure.engine} says {printable(failure.said)}",
        *(f"# {line}" for line in _query_text(failure, dialect)),
        "",
        f"found = {toml(found)}",
        f"engine = {toml(failure.engine)}",
        f"optimize = {failure.optimize}",
        *([f"pass = {toml(failure.alone)}"] if failure.alone else []),
        f"negation = {toml(setting.negation)}",
        f"at_hand = {'true' if setting.at_hand else 'false'}  # whether the graph is there when it is compiled",
        f"today = {toml(TODAY)}",
        *([f"times = {setting.times}  # so often is each thing of the graph counted"] if setting.times > 1 else []),
        f"{'query' if is_query else 'program'} = {block_text(failure.case.text)}",
        f"graph = {block_text(turtle(setting.triples))}",
    ]
    if setting.rows.meta:
        lines += ["", "[meta]", *(f"{key} = {toml(value)}" for key, value in setting.rows.meta)]
    for class_ in setting.rows.classes:
        lines += ["", "[[class]]", *table(class_, Class("-"))]
    for relation in setting.rows.relations:
        lines += ["", "[[relation]]", *table(relation, Relation("-"))]
    return "\n".join(lines) + "\n"


def _query_text(failure: Failure, dialect: str | None) -> Iterator[str]:
    if dialect is None:
        return
    case = failure.case
    try:
        understood = understand(case)
    except Disagreement as error:
        query = error.query
    else:
        query = None if isinstance(understood, Refusal) else understood.query
    if query is not None:
        yield ""
        schema = case.setting.rows.schema()
        try:
            if failure.alone:
                context = Context(schema, VOCABULARY, dialect_named(dialect).target)
                query = optimized(query, context, (named(failure.alone, PIPELINE),))
            text = emit(query, schema, VOCABULARY, dialect, failure.optimize)
        except PylfError as error:
            text = f"# {error}"
        for line in text.splitlines():
            yield printable(line)


def read(path: str | os.PathLike[str]) -> Replay:
    """What a replay file says.

    Raises:
        InputError: it cannot be read, or does not say what such a file has to say.
    """
    import tomllib

    name = str(path)
    try:
        data = Path(path).read_bytes()
        if len(data) > _MOST_BYTES:
            raise InputError(f"{name}: too large for a replay file")
        said = tomllib.loads(data.decode())
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{name}: not a replay file: {printable(str(error))}") from error
    try:
        return _replay(said)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        problem = f"{type(error).__name__} {printable(str(error))}"
        raise InputError(f"{name}: not a replay file: {problem}") from error
    except CompileError as error:
        raise InputError(f"{name}: the program does not parse:\n{error}") from error


def _replay(said: dict[str, Any]) -> Replay:
    if said["negation"] not in get_args(Negation):
        raise ValueError(f"negation {said['negation']!r}")
    if said["today"] != TODAY:
        raise ValueError(f"today {said['today']!r}, where it is always {TODAY}")
    rows = Rows(
        tuple(_relation(dict(row)) for row in said.get("relation", ())),
        tuple(Class(**_tuples(row)) for row in said.get("class", ())),
        tuple((str(key), str(value)) for key, value in said.get("meta", {}).items()),
    )
    triples = tuple(MemoryGraph.parse(said["graph"]))
    program = parse_query(said["query"]) if "query" in said else parse(said["program"])
    alone = str(said.get("pass", ""))
    if alone and alone not in {step.name for step in listed()}:
        raise ValueError(f"pass {alone!r}")
    setting = Setting(rows, triples, said["negation"], bool(said["at_hand"]), int(said.get("times", 1)))
    return Replay(Case(setting, program), str(said["engine"]), int(said["optimize"]), alone)


def _relation(row: dict[str, Any]) -> Relation:
    profile = row.pop("profile", None)
    if profile is not None:
        languages = tuple(map(str, profile.pop("languages", ())))
        counts = {key: int(count) for key, count in profile.items() if key in COUNTS}
        row["profile"] = ValueProfile(languages=languages, **counts)
    return Relation(**_tuples(row))


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    """The row with tuples in the place of lists."""

    def frozen(value: Any) -> Any:
        return tuple(map(frozen, value)) if isinstance(value, list) else value

    return {key: frozen(value) for key, value in row.items()}


def expected_of(case: Case) -> str:
    """What the reference evaluator says of a case, in one line."""
    try:
        understood = understand(case)
    except Disagreement as error:
        return str(error)
    return f"error {understood.code}" if isinstance(understood, Refusal) else told(understood.expected)
