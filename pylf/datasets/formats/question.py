"""A question of a data set, whatever set it comes from.

What a set says of a question has its own field here; all else that stood in the record is in ``meta``, as it stood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pylf.records import field, record

if TYPE_CHECKING:
    from collections.abc import Mapping

#: ``name``: what an entity or a value is called, where the set does not tell which it is; ``choice``: the label of one
#: of the choices; ``blank``: a node without a name.
AnswerKind = Literal["entity", "literal", "name", "boolean", "choice", "blank"]
KINDS: tuple[AnswerKind, ...] = ("entity", "literal", "name", "boolean", "choice", "blank")

#: The forms of programs, and the field that holds each in pylf's own files; the names are those of ``--from``.
PROGRAMS = {"pylf": "program", "sexpr": "s_expression", "sparql": "sparql", "graphquery": "graph_query"}


@record
class Answer:
    """One member of a gold answer.

    ``value`` is by ``kind``: the id or IRI of an entity, the lexical form of a literal, a name, ``true`` or ``false``,
    the label of a choice. ``label`` is what it is called, ``aliases`` what else counts as its name.
    """

    kind: AnswerKind
    value: str
    label: str | None = None
    datatype: str | None = None
    language: str | None = None
    aliases: tuple[str, ...] = ()


@record
class Choice:
    """One of the answers that a question offers."""

    label: str
    text: str


@record
class Topic:
    """What a question starts from: an entity or a literal. ``id`` is None where the set names it alone; ``mention`` is
    how the question says it."""

    id: str | None
    label: str | None = None
    mention: str | None = None
    kind: Literal["entity", "literal"] = "entity"


@record
class Gold:
    """Another reading of a question that its set accepts as well: WebQSP and FreebaseQA give several."""

    answers: tuple[Answer, ...] | None
    programs: Mapping[str, str]
    topics: tuple[Topic, ...] = ()
    hops: int | None = None
    meta: Mapping[str, Any] = field(default={}, shown=False)


@record
class Origin:
    """Where a question stands: the file, the name of its format, the line (from 1) or the JSON path.

    ``about`` is what the file says of all of its questions: version, name of the set …
    """

    file: str
    format: str
    line: int | None = None
    path: str = ""
    about: Mapping[str, Any] = field(default={}, shown=False)

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.file}:{self.line}"
        return f"{self.file}: {self.path}" if self.path else self.file


@record
class Question:
    """A question with what its set says of it.

    ``answers`` are the gold answers; None where the set does not tell them, as for a test set, and empty where it says
    that there are none. ``programs`` are the gold programs' texts, by form (:data:`PROGRAMS`). ``choices`` are empty
    where none are offered. ``level`` is the level of generalization, ``function`` the calculation that is asked for,
    ``hops`` how far the answer is from the topic, each in the set's own words. ``source`` does not count when two
    questions are compared.
    """

    id: str
    text: str
    answers: tuple[Answer, ...] | None = None
    choices: tuple[Choice, ...] = ()
    programs: Mapping[str, str] = field(default={})
    topics: tuple[Topic, ...] = ()
    level: str | None = None
    function: str | None = None
    hops: int | None = None
    alternatives: tuple[Gold, ...] = ()
    meta: Mapping[str, Any] = field(default={}, shown=False)
    source: Origin | None = field(default=None, compare=False, shown=False)

    @property
    def answer_kind(self) -> AnswerKind | Literal["mixed"] | None:
        """The kind that all gold answers have, else ``mixed``; None where there are none."""
        kinds = {answer.kind for answer in self.answers or ()}
        return kinds.pop() if len(kinds) == 1 else "mixed" if kinds else None

    def to_json(self) -> dict[str, Any]:
        """The question as a record of pylf's own files, which :mod:`pylf.datasets.formats.plain` reads; what is not
        known is left out."""
        data: dict[str, Any] = {"id": self.id, "question": self.text}
        if self.choices:
            data["choices"] = [{"label": one.label, "text": one.text} for one in self.choices]
        data |= _told(self.answers, self.programs, self.topics, self.hops)
        for name in ("level", "function"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        if self.alternatives:
            data["alternatives"] = [
                _told(one.answers, one.programs, one.topics, one.hops) | _meta(one.meta) for one in self.alternatives
            ]
        return data | _meta(self.meta)


def _told(
    answers: tuple[Answer, ...] | None, programs: Mapping[str, str], topics: tuple[Topic, ...], hops: int | None
) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if answers is not None:
        data["answers"] = [stated(answer) for answer in answers]
    data |= {PROGRAMS[form]: text for form, text in programs.items()}
    if topics:
        data["topics"] = [stated(topic) for topic in topics]
    return data if hops is None else data | {"hops": hops}


def stated(one: Answer | Topic) -> dict[str, Any]:
    """An answer or a topic as plain data: the fields that say something."""
    values = {name: getattr(one, name) for name in type(one).__match_args__}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items() if v not in (None, ())}


def _meta(meta: Mapping[str, Any]) -> dict[str, Any]:
    return {"meta": dict(meta)} if meta else {}
