"""What ``pylf eval run`` and ``pylf predict`` share: asking a method all questions of a set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.cli import options as shared
from pylf.errors import InputError, printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence

    from pylf.datasets.formats import Question
    from pylf.evaluation.files import Held
    from pylf.evaluation.harness import Standing
    from pylf.evaluation.record import Ended

INTERRUPTED, STOPPED = 130, 4


def add_questions(parser: argparse.ArgumentParser) -> None:
    """Which questions."""
    from pylf.cli.dataset import add_reading

    parser.add_argument("file", metavar="FILE", help="a file of questions, .gz too")
    add_reading(parser)


def add_run(parser: argparse.ArgumentParser) -> None:
    """Which method, and how it is run."""
    from pylf.cli.methods import METHODS, add_baselines
    from pylf.cli.models import add_model
    from pylf.evaluation.harness.run import GIVE_UP

    parser.add_argument(
        "--method", required=True, metavar="NAME", help=f"{', '.join(METHODS)}, or module:name for a callable"
    )
    some = parser.add_mutually_exclusive_group()
    some.add_argument("--first", type=shared.count, metavar="N", help="so many questions, the first ones")
    some.add_argument("--sample", type=shared.count, metavar="N", help="so many questions, drawn by --seed")
    parser.add_argument("--seed", type=int, default=0, help="of the sample, and of what models reply (0)")
    parser.add_argument("--jobs", type=shared.count, default=1, metavar="N", help="questions asked at a time (1)")
    parser.add_argument("--timeout", type=shared.seconds, metavar="SECONDS", help="give a question up after so long")
    parser.add_argument(
        "--give-up", type=from_zero, default=GIVE_UP, metavar="N",
        help=f"end where so many questions in a row fail, 0 for never ({GIVE_UP})",
    )  # fmt: skip
    parser.add_argument(
        "--again", action="append", default=[], metavar="OUTCOME",
        help="ask questions once more that ended so: 'timeout', 'engine error', 'failed' … (repeat it for several)",
    )  # fmt: skip
    parser.add_argument("--fresh", action="store_true", help="start over, whatever the records hold")
    add_model(parser)
    add_baselines(parser)
    group = parser.add_argument_group("the graph")
    shared.add_graph(group, "answers of an endpoint and replies of a model")
    shared.add_description(group)
    group.add_argument("--negation", choices=("cwa", "pca"), help="closed world, or only what has some value (cwa)")
    shared.add_level(group)


def from_zero(text: str) -> int:
    """A number of things that may be none."""
    import argparse

    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)


def questions_of(options: argparse.Namespace) -> tuple[Question, ...]:
    """The questions that the options choose, in the order of the file.

    Raises:
        InputError: the file cannot be read, or a record of it.
    """
    import os

    from pylf.cli.dataset import reading
    from pylf.datasets.formats import read_questions

    if options.file == "-" or (os.path.exists(options.file) and not os.path.isfile(options.file)):
        raise InputError(
            f"{options.file} is no file: a run goes on with its questions, and tells their SHA-256; write them to one"
        )
    found = tuple(read_questions(options.file, **reading(options)))
    return chosen(found, options.first, options.sample, options.seed)


def chosen(questions: Sequence[Question], first: int | None, sample: int | None, seed: int) -> tuple[Question, ...]:
    """Those that a run asks: so many, the first ones or drawn, in the order of the file."""
    from pylf.evaluation.intervals import drawing

    if sample is not None and sample < len(questions):
        places = sorted(drawing(seed).sample(range(len(questions)), sample))
        return tuple([questions[place] for place in places])
    return tuple(questions[:first])


def read_by(options: argparse.Namespace) -> dict[str, str | None]:
    """The files that a run reads, by what messages call them."""
    return {"the questions": options.file, "the examples": options.examples_from}


def see_apart(options: argparse.Namespace, read: Mapping[str, str | None], written: Mapping[str, str | None]) -> None:
    """See that what is written overwrites nothing that is read, by what messages call the files, and that it can be
    written. The options keep both (``options.files``), for what methods open besides.

    Raises:
        InputError: it does, or cannot.
    """
    import os

    from pylf.config import FILE
    from pylf.files import apart

    surroundings = {"the graph": "kg", "the schema": "schema", "the vocabulary": "vocabulary"}
    given = {name: getattr(options, kept, None) for name, kept in surroundings.items()}
    read = {**read, **{name: path for name, path in given.items() if path is not None and os.path.exists(path)}}
    if os.path.exists(FILE):
        read = {**read, "the file of settings": FILE}
    apart(read, written)
    for path in written.values():
        if path is None:
            continue
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise InputError(f"{path}: no such file or directory")
        if os.path.isdir(path):
            raise InputError(f"{path}: is a directory")
    options.files = read, written


def answered(
    options: argparse.Namespace, records: str, see: Callable[[Sequence[Question], Held], None] | None = None
) -> tuple[Standing, tuple[Question, ...], Held]:
    """Ask what the file of records does not hold yet; what it holds then. ``see`` may object before anything is asked.

    Raises:
        InputError: something that is named is not there, or the records are of another run.
    """
    from pylf.cli.methods import opened
    from pylf.evaluation.files import RecordLog
    from pylf.evaluation.harness.run import AGAIN, Run
    from pylf.evaluation.harness.stating import setup_for
    from pylf.progress import Progress
    from pylf.records import replace

    again = AGAIN | {_outcome(name) for name in options.again}
    questions = questions_of(options)
    with RecordLog(records, fresh=options.fresh) as log:
        tell_broken(records, log.held)
        if see is not None:
            see(questions, log.held)
        options.spent = log.held.spent
        asked = opened(options)
        try:
            setup = setup_for(options.method, options.file, seconds=options.timeout, **asked.setup)
            setup = replace(setup, data={**setup.data, **_part(options)})
            with Progress("asking") as progress:

                def watch(standing: Standing) -> None:
                    if standing.interrupted:
                        progress.phase(f"{standing.told()} · finishing what was begun; Ctrl-C again drops it")
                        return
                    progress.what = standing.told()
                    progress.advance(standing.done, standing.total)

                run = Run(
                    questions,
                    asked.method,
                    log,
                    setup,
                    jobs=options.jobs,
                    seconds=options.timeout,
                    again=again,
                    give_up=options.give_up or None,
                    watch=watch,
                )
                try:
                    standing = run.go()
                except (InputError, KeyboardInterrupt):
                    if run.standing.done:
                        shared.say(f"{run.standing.told()}; {records} keeps them")
                    raise
        finally:
            if asked.close is not None:
                asked.close()
        _tell(standing, records)
        return standing, questions, log.held


def _part(options: argparse.Namespace) -> dict[str, object]:
    """Which of the questions of the file are asked, and how it is read, as far as that is said."""
    names = ("first", "sample", "language", "encoding")
    stated = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    return stated if options.sample is None else stated | {"seed": options.seed}


def tell_broken(path: str, held: Held) -> None:
    """Tell of lines that are no records."""
    if held.broken:
        shared.say(f"{path}: lines that are no records: {len(held.broken):,}, the first is line {held.broken[0]:,}")


def status_of(standing: Standing) -> int:
    """0 where every question was asked."""
    if standing.interrupted:
        return INTERRUPTED
    return 0 if standing.stopped is None else STOPPED


def _tell(standing: Standing, records: str) -> None:
    from pylf.evaluation.record import Ended

    before = f" ({standing.before:,} of them before)" if standing.before else ""
    shared.say(f"{standing.told()}{before}")
    if standing.late.calls:
        shared.say(f"{standing.late.calls:,} calls ({standing.late.tokens:,} tokens) came after their questions' time")
    if standing.stopped is not None:
        left = standing.total - standing.done
        shared.say(f"stopped: {printable(standing.stopped)}; {left:,} questions were not asked")
        shared.say(f"{records} keeps what came; the same command goes on from there")
    if unreached := standing.unreached.total():
        shared.say(f"{unreached:,} questions did not reach the model: the same command asks them again")
    for ended in (Ended.ENGINE, Ended.REFUSED):
        if others := standing.ended[ended] - standing.unreached[ended]:
            shared.say(f"{others:,} ended as '{ended}': --again '{ended}' asks them once more")


def _outcome(name: str) -> Ended:
    from pylf.evaluation.record import Ended

    try:
        return Ended(name)
    except ValueError:
        raise InputError(f"there is no outcome {name!r}; there are {', '.join(Ended)}") from None
