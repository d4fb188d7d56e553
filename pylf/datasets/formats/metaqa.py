"""MetaQA (Zhang et al. 2018): a question a line, a tab, the answers with a bar between them, and perhaps its type.

The topic stands in the question in brackets. The type (``movie_to_actor_to_movie``) comes as a third column, or in a
file of its own, which is not read; of it the number of hops is told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.datasets.formats.fields import Malformed
from pylf.datasets.formats.question import Answer, Question, Topic

if TYPE_CHECKING:
    from pylf.datasets.formats.source import Entry

# to the last bracket: a film is called [REC]
_TOPIC = re.compile(r"\[(.+)\]")


def metaqa(entry: Entry) -> Question:
    """``question with [topic] TAB answer|answer TAB type``. The id is the number of hops and the line; ``meta`` has the
    type, and the question with its brackets."""
    place = str(entry.origin)
    if not isinstance(entry.data, str):
        raise Malformed(place, "MetaQA's questions are lines with tabs, and this is JSON")
    columns = entry.data.split("\t")
    if not 2 <= len(columns) <= 3:
        told = f"there are {len(columns)} columns" if columns[1:] else "there is no tab"
        raise Malformed(place, f"{told}; due are a question, its answers and perhaps its type")
    marked, listed, *kind = columns
    topic = _TOPIC.search(marked)
    if topic is None:
        raise Malformed(place, "column 1: no entity stands in brackets")
    names = listed.split("|") if listed.strip() else []
    if not all(name.strip() for name in names):
        raise Malformed(place, "column 2: an answer between two bars is empty")
    if kind and not kind[0].strip():
        raise Malformed(place, "column 3: the type is empty")
    hops = kind[0].count("_to_") or None if kind else None
    text = marked[: topic.start()] + topic[1] + marked[topic.end() :]
    return Question(
        str(entry.number) if hops is None else f"{hops}hop-{entry.number}",
        text.strip(),
        tuple([Answer("name", name) for name in names]),
        topics=(Topic(None, topic[1], topic[1]),),
        hops=hops,
        meta={"marked": marked} | ({"type": kind[0]} if kind else {}),
        source=entry.origin,
    )
