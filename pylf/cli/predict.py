"""``pylf predict``: answer questions whose gold answers nobody has to know, for an official scorer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.cli import answering
from pylf.cli import options as shared

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    from pylf.evaluation.predictions import FORMS

    answering.add_questions(parser)
    answering.add_run(parser)
    parser.add_argument("-o", "--output", "--out", required=True, metavar="FILE", help="the predictions")
    parser.add_argument("--to", choices=tuple(FORMS), default="jsonl", help="their format (jsonl: pylf's records)")


def run(options: argparse.Namespace) -> int:
    """Answer all questions. In another format than pylf's own the records stand beside the predictions, so that the
    same command goes on where one was cut short."""
    from pylf.evaluation.harness import unasked
    from pylf.evaluation.predictions import REWORDED, withheld, written
    from pylf.evaluation.summary import in_order

    own = options.to == "jsonl"
    records = options.output if own else f"{options.output}.records.jsonl"
    made = {"the records": records, "the predictions": None if own else options.output, "the log of calls": options.log}
    answering.see_apart(options, answering.read_by(options), made)
    standing, questions, held = answering.answered(options, records)
    if not own:
        found = in_order(held, map(unasked, questions))
        against = {"kg": shared.opened(options)} if options.kg is not None and options.to in REWORDED else {}
        shared.write_text(options.output, written(found, options.to, **against))
        if incomplete := withheld(found):
            shared.say(f"not handed over, since incomplete: the answers to {incomplete} questions; {records} has them")
    return answering.status_of(standing)
