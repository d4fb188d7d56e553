"""The methods that ``pylf eval run`` and ``pylf predict`` know by name, and how each is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.cli import models
from pylf.cli import options as shared
from pylf.errors import InputError, first_line
from pylf.records import record

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from pylf.api import KnowledgeGraph
    from pylf.backends.http.endpoint import Limits
    from pylf.evaluation.harness import Method
    from pylf.models.chat.opening import OpenChat
    from pylf.reasoners.baselines import Examples, Prompts, TripleRetriever

_GRAPH = {"kg": "--kg", "graphs": "--graph", "schema": "--schema", "vocabulary": "--vocab"}
_PROGRAMS = {"negation": "--negation", "optimize": "-O"}
_ASKED = {
    "structured": "--structured",
    "samples": "--samples",
    "temperature": "--temperature",
    "reply_tokens": "--reply-tokens",
    "prompts": "--prompts",
}
_SHOWN = {"examples_from": "--examples-from", "examples": "--examples"}
_AROUND = {"hops": "--hops", "triples": "--triples"}
_BASELINE = models.FLAGS | _ASKED


@record
class Opened:
    """A method, what it states of itself (fields of :class:`pylf.evaluation.record.Setup`), and how it is closed."""

    method: Method
    setup: dict[str, Any]
    close: Callable[[], None] | None = None


def add_baselines(parser: argparse.ArgumentParser) -> None:
    """How a baseline asks its model."""
    group = parser.add_argument_group("how a baseline asks")
    group.add_argument(
        "--structured", action="store_true", default=None, help="the server holds replies to a JSON schema"
    )
    group.add_argument("--samples", type=shared.count, metavar="N", help="replies that sc takes the answer of (6)")
    group.add_argument("--temperature", type=_temperature, metavar="T", help="0 for the likeliest reply (0; sc 0.7)")
    group.add_argument("--reply-tokens", type=shared.count, metavar="N", help="tokens that a reply may have (512)")
    group.add_argument("--prompts", metavar="DIR", help="a folder of prompts that stand in the place of pylf's own")
    group.add_argument("--examples-from", metavar="FILE", help="the questions that fewshot shows the nearest of")
    group.add_argument("--examples", type=shared.count, metavar="N", help="so many of them (5)")
    group.add_argument("--hops", type=shared.count, metavar="N", help="how far from the entities triples may lie (1)")
    group.add_argument("--triples", type=shared.count, metavar="N", help="so many triples, the nearest ones (30)")


def opened(options: argparse.Namespace) -> Opened:
    """The method that ``--method`` names: one of :data:`METHODS`, or ``module:name`` for a callable of one's own, from
    a question to a record.

    Raises:
        InputError: there is none, or an option is given that it has no use for.
    """
    name: str = options.method
    of_use = {"gold": _GRAPH | _PROGRAMS, "fewshot": _BASELINE | _SHOWN, "triples": _BASELINE | _GRAPH | _AROUND}
    uses = of_use.get(name, _BASELINE if name in METHODS else {})
    for kept, flag in (_GRAPH | _PROGRAMS | _BASELINE | _SHOWN | _AROUND).items():
        if kept not in uses and getattr(options, kept, None) is not None:
            raise InputError(f"--method {name} has no use for {flag}")
    if name in METHODS:
        return METHODS[name](options)
    module, colon, inner = name.partition(":")
    if not colon:
        raise InputError(f"there is no method {name!r}; there are {', '.join(METHODS)}, and module:name for your own")
    import importlib
    import os
    import sys

    sys.path.insert(0, os.getcwd())
    try:
        found: Any = importlib.import_module(module)
        for part in inner.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as problem:
        raise InputError(f"--method {name}: {problem}") from None
    except (Exception, SystemExit) as problem:  # whatever the module does when it is imported
        raise InputError(f"--method {name}: {type(problem).__name__}: {first_line(problem)}") from problem
    finally:
        sys.path.remove(os.getcwd())
    if not callable(found):
        raise InputError(f"--method {name} is nothing that can be called with a question")
    return Opened(found, {})


def _gold(options: argparse.Namespace) -> Opened:
    """The gold programs of the questions themselves, run on the graph."""
    from pylf.evaluation.harness.gold import GoldProgram

    shared.settle(options, "negation", "optimize")
    graph, setup = _graph(options)
    level = options.optimize
    choices: dict[str, Any] = {"negation": options.negation or "cwa", "optimize": 1 if level is None else level}
    return Opened(GoldProgram(graph, **choices), {"settings": choices, **setup})


def _graph(options: argparse.Namespace) -> tuple[KnowledgeGraph, dict[str, Any]]:
    """The graph that the options name, and what is stated of it."""
    from pylf.api import bundled

    shared.settle(options, "kg", "schema", "vocabulary")
    if options.kg is None:
        shared.say("no --kg or pylf.toml: asking the bundled graph of rockets")
        graph = bundled()
    else:
        graph = shared.opened(options)
    return graph, _stated(graph, options.schema)


def _stated(graph: KnowledgeGraph, schema: str | None) -> dict[str, Any]:
    """What is stated of a graph. What it says of itself is in its snapshot; ``schema`` is the path of what was given
    besides."""
    import hashlib

    from pylf.ir.schema.freebase import add_contents

    engine = graph.engine
    endpoint = getattr(engine, "endpoint", None)
    setup: dict[str, Any] = {
        "graph": {"name": graph.name, "snapshot": engine.snapshot},
        "engine": {
            "name": engine.version.partition(" ")[0].partition("/")[0],
            "version": engine.version,
            "dialect": engine.spoken.name,
        },
        "hashes": {"vocabulary": hashlib.sha256(repr(graph.vocabulary).encode()).hexdigest()},
    }
    if endpoint is not None:
        setup["limits"] = _limits(endpoint.limits)
        setup["graph"]["graphs"] = list(endpoint.graphs)
        schema = endpoint.schema if schema is None else schema
    if isinstance(schema, str):
        key = hashlib.sha256()
        add_contents(key, schema)
        setup["hashes"]["schema"] = key.hexdigest()
    return setup


def _limits(limits: Limits, before: str = "") -> dict[str, float]:
    """Time limits, without those that are none."""
    stated = {before + name: getattr(limits, name) for name in ("connect", "read", "total", "tries")}
    return {name: value for name, value in stated.items() if value < float("inf")}


def _baseline(options: argparse.Namespace) -> Opened:
    """One of :mod:`pylf.reasoners.baselines`, on the model that the options name."""
    from pylf.reasoners.baselines import Prompts

    prompts = Prompts(options.prompts)
    examples = _examples(options) if options.method == "fewshot" else None
    around, setup = _around(options) if options.method == "triples" else (None, {})
    chat = models.opened_model(options)
    try:
        return _asking(options, chat, prompts, examples, around, setup)
    except BaseException:
        chat.close()
        raise


def _asking(
    options: argparse.Namespace,
    chat: OpenChat,
    prompts: Prompts,
    examples: Examples | None,
    around: TripleRetriever | None,
    setup: dict[str, Any],
) -> Opened:
    from pylf.evaluation.harness import metered
    from pylf.reasoners.baselines import Baseline, Settings

    usual = Settings()
    settings = Settings(
        options.samples,
        options.temperature,
        usual.max_tokens if options.reply_tokens is None else options.reply_tokens,
        options.seed,
        bool(options.structured),
        usual.examples if options.examples is None else options.examples,
    )
    asked = metered(chat, chat.settings.samples_at_once)
    method = Baseline(options.method, asked, settings, prompts=prompts, examples=examples, around=around)

    def close() -> None:
        chat.close()
        for remark in chat.remarks:
            shared.say(f"pylf: {remark}")

    stated = {**setup, **method.setup}
    for name, more in (("limits", _limits(chat.settings.limits, "model ")), ("hashes", method.setup["hashes"])):
        stated[name] = {**setup.get(name, {}), **more}
    return Opened(method, stated, close)


def _examples(options: argparse.Namespace) -> Examples:
    from pylf.datasets.formats import read_questions
    from pylf.reasoners.baselines import Examples

    if options.examples_from is None:
        raise InputError("--method fewshot needs --examples-from FILE: questions with their answers, to be shown")
    try:
        return Examples(read_questions(options.examples_from))
    except InputError as problem:
        told = str(problem)
        raise InputError(told if options.examples_from in told else f"{options.examples_from}: {told}") from None


def _around(options: argparse.Namespace) -> tuple[TripleRetriever, dict[str, Any]]:
    from pylf.reasoners.baselines import TripleRetriever
    from pylf.reasoners.linking.opening import open_linker

    graph, setup = _graph(options)
    given = {"hops": options.hops, "most": options.triples}
    # what answers depend on is stated before the first question, so that the names are read now
    linker = open_linker(graph)
    return TripleRetriever(graph, linker, **{name: n for name, n in given.items() if n is not None}), setup


def _temperature(text: str) -> float:
    import argparse

    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return value


#: as :data:`pylf.reasoners.baselines.METHODS`, which only a run of one imports
BASELINES = ("io", "cot", "fewshot", "sc", "triples")
#: by name; each takes the command's options
METHODS: dict[str, Callable[[argparse.Namespace], Opened]] = {"gold": _gold, **dict.fromkeys(BASELINES, _baseline)}
