"""``pylf eval``: ask a method a whole set of questions, score what came, compare two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.cli import answering
from pylf.cli import options as shared
from pylf.errors import InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from pylf.datasets.formats import Question
    from pylf.evaluation.breakdowns import Part
    from pylf.evaluation.files import Held
    from pylf.evaluation.record import Record
    from pylf.evaluation.report import Page
    from pylf.evaluation.summary import Summary

_RECORDS = "a file of records, as 'pylf eval run' writes it"
#: what is of use with other options alone
_OF_GOLD = {"form": "--gold-format", "language": "--language", "encoding": "--encoding"}
_OF_FORMS = {
    "kg": "--kg",
    "graphs": "--graph",
    "no_cache": "--no-cache",
    "schema": "--schema",
    "vocabulary": "--vocab",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    from pylf.cli.dataset import add_reading

    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    run_ = actions.add_parser("run", help="ask a method all questions, and score what came")
    answering.add_questions(run_)
    answering.add_run(run_)
    run_.add_argument("-o", "--output", required=True, metavar="FILE", help="the records, a line of JSON for each")
    _add_report(run_)
    score = actions.add_parser("score", help="score records")
    score.add_argument("records", metavar="FILE", help=_RECORDS)
    score.add_argument("--gold", metavar="FILE", help="the questions: their gold answers, and which were never asked")
    add_reading(score, "--gold-format", "the questions")
    _add_report(score)
    group = score.add_argument_group("programs")
    shared.add_switch(group, "forms", "compare programs with those of --gold, up to equivalence")
    shared.add_graph(group)
    shared.add_description(group)
    compare = actions.add_parser("compare", help="compare two runs question by question")
    compare.add_argument("records", metavar="FILE", help=_RECORDS)
    compare.add_argument("other", metavar="OTHER", help="those of the second run")
    _add_common(compare)


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--by", action="append", metavar="TAG", help="averages by this tag of the questions (repeat it for several)"
    )
    _add_common(parser)


def _add_common(parser: argparse.ArgumentParser) -> None:
    from pylf.evaluation.intervals import DRAWS

    parser.add_argument(
        "--report",
        action="append",
        default=[],
        metavar="FILE",
        help="write a report: .html or .md (repeat it for both)",
    )
    parser.add_argument(
        "--draws",
        type=answering.from_zero,
        default=DRAWS,
        metavar="N",
        help=f"draws for intervals, 0 for none ({DRAWS:,})",
    )
    parser.add_argument("--allow-partial", action="store_true", help="score answers of which some are missing")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(options: argparse.Namespace) -> int:
    """Run, score or compare."""
    for path in options.report:
        _written_as(path)
    match options.action:
        case "run":
            return _run(options)
        case "score":
            return _score(options)
    return _compare(options)


def _run(options: argparse.Namespace) -> int:
    from functools import partial

    from pylf.evaluation.harness import unasked
    from pylf.evaluation.summary import in_order

    written = {"the records": options.output, "the log of calls": options.log, **_reports(options)}
    answering.see_apart(options, answering.read_by(options), written)

    standing, questions, held = answering.answered(options, options.output, partial(_see_tags, options))
    _tell(options, in_order(held, map(unasked, questions)), held, options.output)
    return answering.status_of(standing)


def _reports(options: argparse.Namespace) -> dict[str, str | None]:
    return {f"report {number}": path for number, path in enumerate(options.report, 1)}


def _see_tags(options: argparse.Namespace, questions: Sequence[Question], held: Held) -> None:
    """See that questions have the tags of ``--by``, unless a method of one's own may yet give them.

    Raises:
        InputError: none has one.
    """
    from pylf.cli.methods import METHODS
    from pylf.evaluation.harness import unasked

    if options.by and options.method in METHODS:
        _tags(options, [*map(unasked, questions), *held.records.values()], strict=True)


def _tags(options: argparse.Namespace, records: Sequence[Record], strict: bool) -> tuple[str, ...]:
    """The tags to break down by; what no question has is left out, and told.

    Raises:
        InputError: no question has one of them, and that is ``strict``.
    """
    from pylf.evaluation.breakdowns import worth_telling

    if options.by is None:
        return worth_telling(records)
    known = {tag for one in records for tag in one.tags}
    for tag in options.by:
        if tag not in known:
            told = f"no question has a tag {tag!r}; they have {', '.join(sorted(known)) or 'none'}"
            if strict:
                raise InputError(told)
            shared.say(told)
    return tuple([tag for tag in options.by if tag in known])


def _score(options: argparse.Namespace) -> int:
    _see_of_use(options)
    answering.see_apart(options, {"the records": options.records, "the questions": options.gold}, _reports(options))
    held = _read(options.records)
    records = list(held.records.values()) if options.gold is None else _with_gold(options, held)
    if not records:
        raise InputError(f"{options.records} holds no records")
    _tell(options, records, held, options.records)
    return 0


def _see_of_use(options: argparse.Namespace) -> None:
    """Raises:
    InputError: an option is given without the one that it is for.
    """
    if options.forms and options.gold is None:
        raise InputError("--forms needs --gold: the questions with their programs")
    for needed, given, flags in (("--gold", options.gold, _OF_GOLD), ("--forms", options.forms, _OF_FORMS)):
        idle = next((flag for kept, flag in flags.items() if getattr(options, kept)), None)
        if idle is not None and not given:
            raise InputError(f"{idle} is of no use without {needed}")


def _with_gold(options: argparse.Namespace, held: Held) -> list[Record]:
    """The records in the order of the questions, with their gold answers, and with those that were not asked."""
    from pylf.cli.dataset import reading
    from pylf.datasets.formats import read_questions
    from pylf.evaluation.harness import unasked
    from pylf.evaluation.summary import in_order

    questions = tuple(read_questions(options.gold, **reading(options)))
    strange = held.records.keys() - {one.id for one in questions}
    if strange:
        raise InputError(f"{options.gold} has no question {min(strange)!r}, which {options.records} answers")
    questions = _part(options, held, questions)
    records = in_order(held, map(unasked, questions))
    return _with_forms(options, records, questions) if options.forms else records


def _part(options: argparse.Namespace, held: Held, questions: tuple[Question, ...]) -> tuple[Question, ...]:
    """The part of the questions that the run of the records was over: all where that is not told."""
    parts = []
    for one in held.records.values():
        data = {} if one.setup is None else one.setup.data
        parts.append((data.get("first"), data.get("sample"), data.get("seed", 0)))
    known = parts and all(one == parts[0] for one in parts) and all(isinstance(n, int | None) for n in parts[0])
    if not known or parts[0][:2] == (None, None):
        return questions
    first, sample, seed = parts[0]
    found = answering.chosen(questions, first, sample, seed)
    told = f"the first {first:,}" if sample is None else f"a sample of {sample:,}, seed {seed}"
    if not held.records.keys() <= {one.id for one in found}:
        shared.say(f"{options.records} is of {told}, but of other questions than these: all of {options.gold} count")
        return questions
    shared.say(f"{options.records} is of {told}: these {len(found):,} of {len(questions):,} questions count")
    return found


def _with_forms(options: argparse.Namespace, records: Sequence[Record], questions: Sequence[Question]) -> list[Record]:
    from pylf.evaluation.forms import with_form
    from pylf.progress import Progress

    shared.settle(options, "kg", "schema", "vocabulary")
    against: dict[str, Any] = {}
    if options.kg is not None:
        against = {"kg": shared.opened(options)}
    elif options.schema is not None or options.vocabulary is not None:
        against = {"schema": options.schema, "vocabulary": options.vocabulary}
    else:
        shared.say(shared.BUNDLED)
    found = []
    with Progress("comparing programs") as progress:
        for one, question in zip(records, questions, strict=True):
            found.append(with_form(one, question, **against))
            progress.advance(len(found), len(records))
    return found


def _tell(options: argparse.Namespace, records: Sequence[Record], held: Held, name: str) -> None:
    from pylf.evaluation.breakdowns import breakdown, parts_data
    from pylf.evaluation.report import score_page
    from pylf.evaluation.summary import summarize

    draws, partial = options.draws, options.allow_partial
    tags = _tags(options, records, strict=options.action == "score")
    summary = summarize(records, again=held.before, draws=draws, allow_partial=partial)
    parts: dict[str, tuple[Part, ...]] = {
        tag: breakdown(records, tag, draws=draws, allow_partial=partial) for tag in tags
    }
    page = score_page(summary, records, parts, title=f"Scores of {name}", allow_partial=partial)
    if not options.json:
        _print(summary, page)
    _write(options, page)
    if options.json:
        shared.print_json(summary.to_json() | {"by": {tag: parts_data(found) for tag, found in parts.items()}})


def _print(summary: Summary, page: Page) -> None:
    print(f"{summary.questions:,} questions, {summary.scored:,} scored, {summary.empty_gold:,} with empty gold")
    _print_tables(page)
    for title, counts in (("outcomes", summary.ended), ("states", summary.states)):
        print(f"{title}: {', '.join(f'{name} {count:,}' for name, count in counts.items()) or 'none'}")
    usage = summary.cost.total
    cached = f"{usage.cached_calls:,} from the cache"
    print(f"calls: {usage.calls:,} ({cached}), retries {usage.retries:,}, tokens {usage.tokens:,}")


def _print_tables(page: Page) -> None:
    """The tables of a report's first section."""
    from pylf.cli.fields import print_table

    for table in page.sections[0].tables:
        print_table([table.columns, *table.rows], right=frozenset(range(table.text, len(table.columns))))


def _compare(options: argparse.Namespace) -> int:
    import os

    from pylf.evaluation.comparing import compare
    from pylf.evaluation.report import comparison_page

    read = {"the records of the first run": options.records, "those of the second run": options.other}
    answering.see_apart(options, read, _reports(options))
    first, second = ([*_read(path).records.values()] for path in (options.records, options.other))
    found = compare(first, second, draws=options.draws, allow_partial=options.allow_partial)
    names = (os.path.basename(options.records), os.path.basename(options.other))
    page = comparison_page(found, names, {one.id: one.question for one in (*first, *second)})
    if not options.json:
        print(f"{found.questions:,} questions in common")
        _print_tables(page)
    _write(options, page)
    if options.json:
        shared.print_json(found.to_json())
    return 0


def _read(path: str) -> Held:
    from pylf.evaluation.files import read_records

    held = read_records(path)
    answering.tell_broken(path, held)
    return held


def _write(options: argparse.Namespace, page: Page) -> None:
    from pylf.evaluation.report import html, markdown

    for path in options.report:
        shared.write_text(path, html(page) if _written_as(path) == "html" else markdown(page))


def _written_as(path: str) -> str:
    """The format of a report, by the file's name.

    Raises:
        InputError: it does not tell.
    """
    kind = path.rpartition(".")[2].lower()
    if kind not in ("html", "md"):
        raise InputError(f"--report {path}: a report's name ends in .html or .md")
    return kind
