"""Reads files of questions, of any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from pylf.datasets.formats import known
from pylf.datasets.formats.fields import Fields, Malformed, kind_of
from pylf.datasets.formats.qald import qald
from pylf.datasets.formats.source import QuestionSource
from pylf.errors import InputError, printable
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from pylf.datasets.formats.question import Question
    from pylf.datasets.formats.source import Entry

#: what questions are asked in where that is not said, of a set in several languages
LANGUAGE = "en"


class QuestionFile:
    """A file of questions, to be read once. ``path`` is ``-`` for standard input.

    ``format`` is one of :data:`pylf.datasets.formats.known.NAMES`; None: what the first record shows. ``language`` is
    for sets in several; ``encoding`` for files that are not in UTF-8 and do not say so in their first bytes.

    ``tell`` gets each record that is malformed, or has an id that was there before, and the next one follows; without
    it the first such record is an error.

    Raises:
        InputError: the file cannot be read.
    """

    def __init__(
        self,
        path: str,
        form: str | None = None,
        *,
        language: str = LANGUAGE,
        encoding: str | None = None,
        tell: Callable[[Malformed], None] | None = None,
    ) -> None:
        self.format = None if form is None else known.named(form)
        self.language = language
        self._tell = tell or _raised
        self._source = QuestionSource(path, encoding)
        self._source.format = form or ""
        if form == "metaqa" and not self._source.json:
            self._source.columns = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._source.__exit__(kind, error, trace)

    def __iter__(self) -> Iterator[Question]:
        """The questions, in the order of the file.

        Raises:
            Malformed: a record is not what the format says; only without ``tell``.
            InputError: the file cannot be read on, holds no record, or its format cannot be told.
        """
        seen: dict[str, str] = {}
        problems: list[Malformed] = []

        def tell(problem: Malformed) -> None:
            problems.append(problem)
            self._tell(problem)

        any_record = False
        for entry in self._source.entries(tell):
            any_record = True
            try:
                question = self._read(entry)
            except Malformed as problem:
                tell(problem)
                continue
            place = str(entry.origin)
            before = seen.setdefault(question.id, place)
            if before == place:
                yield question
            else:
                tell(Malformed(place, f"the id {question.id!r} was there before, at {before}"))
        if not any_record and not problems:
            raise InputError(f"{self._source.name}: there is no question in it")

    def _read(self, entry: Entry) -> Question:
        if self.format is None:
            self.format = self._told_by(entry)
            self._source.format = self.format.name
            entry = replace(entry, origin=replace(entry.origin, format=self.format.name))
        if self.format.name == "qald":
            return qald(entry, self.language)
        return self.format.read(entry)

    def _told_by(self, entry: Entry) -> known.Format:
        found = known.named("metaqa") if self._source.columns else known.told_by(entry.data)
        if found is not None:
            return found
        if not isinstance(entry.data, dict):
            raise Malformed(str(entry.origin), f"{kind_of(entry.data)} stands where an object is due")
        fields = ", ".join([printable(name) for name in Fields(entry.data, entry.origin).names()[:12]]) or "none"
        raise InputError(
            f"{entry.origin}: the format cannot be told; the fields are {fields}. Formats that can be named are "
            f"{', '.join(known.NAMES)}"
        )


def read_questions(
    path: str,
    form: str | None = None,
    *,
    language: str = LANGUAGE,
    encoding: str | None = None,
    tell: Callable[[Malformed], None] | None = None,
) -> Iterator[Question]:
    """The questions of a file, one after the other; arguments and errors are those of :class:`QuestionFile`."""
    with QuestionFile(path, form, language=language, encoding=encoding, tell=tell) as questions:
        yield from questions


def _raised(problem: Malformed) -> None:
    raise problem
