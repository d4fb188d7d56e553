"""``pylf doctor``: what an engine gets right, what its limits are, and what of a gold set it answers."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pylf.backends.dialects import NAMES
from pylf.cli import options as shared
from pylf.errors import EngineError, InputError, PylfError, first_line
from pylf.progress import Progress

if TYPE_CHECKING:
    import argparse

    from pylf.backends.http.endpoint import Endpoint
    from pylf.doctor import Examination


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("kg", metavar="GRAPH", nargs="?", help=shared.GRAPH)
    parser.add_argument("--gold", metavar="FILE", help="ask a gold set too: JSON Lines with programs or SPARQL")
    parser.add_argument("--save", metavar="FILE", help="write what was found as the endpoint's profile (TOML)")
    parser.add_argument("--snapshot", metavar="NAME", help="what the profile calls the present state of the data")
    shared.add_graphs(parser)
    parser.add_argument(
        "--timeout", type=shared.seconds, metavar="SECONDS", help="end a query after so long (the endpoint's limits)"
    )
    parser.add_argument("--dialect", choices=NAMES, help="the dialect to examine it as (what it says that it is)")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    shared.add_description(parser.add_argument_group("what a gold set is compiled against"))


def run(options: argparse.Namespace) -> int:
    """Examine, report and save; 1 where something that pylf rests on is wrong, 4 where the engine failed on the way."""
    from pylf import doctor
    from pylf.doctor.examine import patient
    from pylf.doctor.gold import run_gold
    from pylf.graphs import open_kg
    from pylf.records import replace

    shared.settle(options, "kg", "schema", "vocabulary")  # the dialect is what is examined
    if options.kg is None:
        raise InputError("no GRAPH is named, and pylf.toml names no kg either")
    endpoint = _endpoint(options)
    if endpoint is None:
        _only_for_endpoints(options)
    elif options.gold is not None:
        _check_described(endpoint, options)
    with Progress("probing") as bar:
        target: Endpoint | str = options.kg
        try:
            if endpoint is None:
                found = doctor.examine_path(options.kg, options.timeout, bar.advance)
            else:
                found = doctor.examine_endpoint(endpoint, options.timeout, bar.advance)
                target = doctor.profile_of(endpoint, found, options.snapshot)
        except EngineError as problem:  # before anything was found
            failure = {"status": problem.status, "reason": str(problem)}
            shared.known(options, name=options.kg, fine=False, failure=failure)
            raise
        if found.failure is None and options.save is not None and not isinstance(target, str):
            _save(target, options.save)
        if found.failure is None and options.gold is not None:
            try:
                bar.phase("opening the graph")
                at = target if isinstance(target, str) else patient(target, options.timeout)
                graph = open_kg(at, schema=options.schema, vocabulary=options.vocabulary, cache=False)
                bar.what = "asking the gold set"
                found = replace(found, gold=run_gold(options.gold, graph, options.timeout, progress=bar.advance))
            except PylfError:  # what was found stands
                if options.json:
                    shared.known(options, **found.to_json())
                else:
                    _print(found, as_json=False)
                raise
    _print(found, options.json)
    if found.failure is not None:
        unsaved = "" if options.save is None else f" ({options.save} is not written)"
        shared.say(f"pylf: {first_line(found.failure)}{unsaved}")
        return 4
    if options.save is not None:
        shared.say(f"{options.save}: the profile; ask with --kg {options.save}")
    return 0 if found.fine else 1


def _print(found: Examination, as_json: bool) -> None:
    if as_json:
        shared.print_json(found.to_json())
    else:
        from pylf.doctor.report import render

        print(render(found))


def _endpoint(options: argparse.Namespace) -> Endpoint | None:
    """The endpoint that is to be examined, with what the options say of it; None for a path."""
    from pylf.backends.http.endpoint import graph_iri
    from pylf.graphs import endpoint_of
    from pylf.records import replace

    endpoint = endpoint_of(options.kg)
    if endpoint is None:
        return None
    if options.graphs:
        endpoint = replace(endpoint, graphs=tuple(map(graph_iri, options.graphs)))
    return endpoint if options.dialect is None else replace(endpoint, dialect=options.dialect)


def _check_described(endpoint: Endpoint, options: argparse.Namespace) -> None:
    """That a gold set cannot be compiled is told before the probes, which take their time."""
    from pylf.doctor.examine import patient
    from pylf.graphs import check_described

    with suppress(EngineError):  # whether it answers at all is what the probes tell
        check_described(patient(endpoint, options.timeout), options.schema, options.vocabulary)


def _only_for_endpoints(options: argparse.Namespace) -> None:
    for name, given in (("--save", options.save), ("--graph", options.graphs), ("--dialect", options.dialect),
                        ("--snapshot", options.snapshot)):  # fmt: skip
        if given:
            raise InputError(f"{name} is for endpoints; {options.kg} is asked by the engine in this process")


def _save(profile: Endpoint, path: str) -> None:
    from pylf.backends.http.endpoint_file import write_endpoint

    write_endpoint(profile, path)
    if "?" in profile.url:
        shared.say(f"{path}: holds all of the address, also what stands after its '?': no place for a key")
