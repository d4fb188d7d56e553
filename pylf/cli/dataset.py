"""``pylf dataset``: sets of questions, in the formats in which they are published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.cli import options as shared
from pylf.errors import printable

if TYPE_CHECKING:
    import argparse

    from pylf.datasets.formats import Answer, Malformed, Question, QuestionFile

_SHOWN = 10
#: so many records that are malformed are told one by one
_TOLD = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="print questions, or write them as pylf's own JSON Lines")
    _add_file(show)
    show.add_argument("--id", dest="ids", action="append", metavar="ID", help="this question (repeat it for several)")
    show.add_argument(
        "--first", type=shared.count, metavar="N", help=f"so many questions ({_SHOWN}; with --id or --jsonl all)"
    )
    show.add_argument("--jsonl", action="store_true", help="a line of JSON for each question, whatever the format was")
    stats = actions.add_parser("stats", help="count what is in a set, and tell what is malformed")
    _add_file(stats)
    stats.add_argument("--json", action="store_true", help="as JSON")


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file of questions, .gz too, or - for standard input")
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser, flag: str = "--format", of: str = "the file") -> None:
    """How a file of questions is read; ``flag`` names its format."""
    from pylf.datasets.formats import NAMES
    from pylf.datasets.formats.reading import LANGUAGE

    parser.add_argument(flag, dest="form", choices=NAMES, help=f"the format of {of} (told by its first record)")
    parser.add_argument("--language", metavar="CODE", help=f"of a set in several languages, this one ({LANGUAGE})")
    parser.add_argument("--encoding", metavar="NAME", help=f"how {of} is written (utf-8, or told by its first bytes)")


def reading(options: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments of :class:`pylf.datasets.formats.QuestionFile` that :func:`add_reading` is for."""
    from pylf.datasets.formats.reading import LANGUAGE

    return {"form": options.form, "language": options.language or LANGUAGE, "encoding": options.encoding}


def run(options: argparse.Namespace) -> int:
    """Show or count."""
    return _show(options) if options.action == "show" else _stats(options)


def _opened(options: argparse.Namespace, **more: Any) -> QuestionFile:
    from pylf.datasets.formats import QuestionFile

    return QuestionFile(options.file, **reading(options), **more)


def _show(options: argparse.Namespace) -> int:
    wanted = dict.fromkeys(options.ids or ())
    most = options.first
    if most is None and not wanted and not options.jsonl:
        most = _SHOWN
    shown, more = 0, False
    with _opened(options) as questions:
        for question in questions:
            if options.ids and question.id not in wanted:
                continue
            if shown == most:
                more = True
                break
            wanted.pop(question.id, None)
            _print_line(question) if options.jsonl else _print_question(question, shown > 0)
            shown += 1
            if options.ids and not wanted:
                break
    if more and options.first is None:
        shared.say(f"the first {shown}; --first N shows more, 'pylf dataset stats' counts all")
    for name in wanted:
        shared.say(f"there is no question {printable(name)!r}")
    return 1 if wanted else 0


def _stats(options: argparse.Namespace) -> int:
    from pylf.datasets.formats.summary import Summary

    problems: list[Malformed] = []
    with _opened(options, tell=problems.append) as questions:
        summary = Summary().add_all(questions)
    form = None if questions.format is None else questions.format.name
    data: dict[str, Any] = {"file": options.file, "format": form} | summary.to_json()
    if options.json:
        told = [{"place": one.place, "problem": one.problem} for one in problems]
        shared.print_json(data | {"malformed": told})
    else:
        from pylf.cli.fields import print_fields

        print_fields(data | ({"malformed": len(problems)} if problems else {}))
        for one in problems[:_TOLD]:
            shared.say(printable(str(one)))
        if problems[_TOLD:]:
            shared.say(f"and {len(problems) - _TOLD:,} more; --json lists all")
    return 2 if problems else 0


def _print_line(question: Question) -> None:
    import json

    print(json.dumps(question.to_json(), ensure_ascii=False, allow_nan=False))


def _print_question(question: Question, apart: bool) -> None:
    if apart:
        print()
    print(f"{printable(question.id)}  {printable(question.text)}")
    for choice in question.choices:
        print(f"  {printable(choice.label)}  {printable(choice.text)}")
    rows = [("answers", "not told" if question.answers is None else _listed(question.answers))]
    rows += [(f"or {n}", _listed(gold.answers or ())) for n, gold in enumerate(question.alternatives, 1)]
    rows += [("topics", ", ".join([_named(one.id, one.label or one.mention) for one in question.topics]))]
    rows += [
        (name, str(value)) for name in ("level", "function", "hops") if (value := getattr(question, name)) is not None
    ]
    rows += list(question.programs.items())
    for name, value in rows:
        if value:
            print(f"  {name.ljust(10)}  {_indented(value)}")


def _indented(text: str) -> str:
    """Lines below one another, beside the name of the field."""
    return ("\n" + " " * 14).join(map(printable, text.strip().splitlines()))


def _listed(answers: tuple[Answer, ...]) -> str:
    return ", ".join([_named(one.value, one.label) for one in answers]) or "none"


def _named(name: str | None, label: str | None) -> str:
    return f"{label} ({name})" if name is not None and label is not None else str(name if label is None else label)
