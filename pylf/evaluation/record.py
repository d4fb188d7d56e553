"""What became of a question, and of which run that is: one schema for all methods, written as a line of JSON."""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pylf.datasets.formats.answers import answer_data, answer_of
from pylf.errors import InputError
from pylf.evaluation.states import State
from pylf.models.chat.protocol import Usage
from pylf.models.chat.written import usage_data, usage_of
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.datasets.formats.question import Answer


class Ended(StrEnum):
    """How a question ended. The first seven are those of :class:`pylf.backends.outcome.Status`."""

    ANSWERED = "answered"
    EMPTY = "empty"
    #: some answers are missing: not scored unless that is asked for
    PARTIAL = "partial"
    TRUNCATED = "truncated"
    #: the time for the question was used up, or that for something within it
    TIMEOUT = "timeout"
    REFUSED = "refused"
    ENGINE = "engine error"
    #: nothing that the model said can be read
    INVALID = "invalid"
    #: a budget of calls, tokens or money ran out; asked again when the run goes on
    BUDGET = "budget spent"
    #: the method itself went wrong
    FAILED = "failed"
    #: never asked; stands in reports alone
    UNASKED = "not asked"


#: what a question may cost of anything is less
_MOST = 1 << 63
#: the answers are all there
COMPLETE = frozenset((Ended.ANSWERED, Ended.EMPTY))
#: some of them are
INCOMPLETE = frozenset((Ended.PARTIAL, Ended.TRUNCATED))


@record
class Setup:
    """Everything that answers depend on besides the question: what has to be stated for others to get the same
    (case 68). It stands in every record. No secret is in it.

    ``model``: the identity of the chat; ``preset``: its name; ``settings``: all hyper-parameters; ``hashes``: of
    prompts, presets, indexes, by name; ``graph``: name and snapshot; ``engine``: name, version and dialect;
    ``limits``: time limits in seconds and the number of retries; ``data``: name and sha256 of the questions' file;
    ``versions``: of pylf, of Python, of packages that matter.
    """

    method: str
    model: str | None = None
    preset: str | None = None
    settings: Mapping[str, Any] = {}  # never changed
    hashes: Mapping[str, str] = {}
    graph: Mapping[str, Any] = {}
    engine: Mapping[str, Any] = {}
    limits: Mapping[str, Any] = {}
    data: Mapping[str, Any] = {}
    versions: Mapping[str, str] = {}

    def to_json(self) -> dict[str, Any]:
        """As plain data, without what is not there."""
        given = {name: getattr(self, name) for name in _SETUP}
        return {name: value for name, value in given.items() if value not in (None, {})}

    @property
    def hash(self) -> str:
        """The same for setups that are the same: 16 characters.

        Raises:
            TypeError: a setting is no plain data.
        """
        text = json.dumps(self.to_json(), ensure_ascii=True, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


_SETUP = ("method", "model", "preset", "settings", "hashes", "graph", "engine", "limits", "data", "versions")


@record
class Record:
    """An answered question, or why it is none.

    ``answers`` is the set that is the answer; ``ranking`` the same or more, best first, None where they have no order.
    ``gold`` None: not known; ``others``: the answers of other readings that the set accepts too. ``evidence`` is plain
    data, a piece each: ``{"triples": [[s, p, o], …]}``, ``{"path": …, "checked": true}``. ``state`` is what the method
    says that the answer rests on. ``program``: the chosen program, and ``program_form`` which of
    :data:`pylf.forms.SOURCES` it is in (None: PyLF); ``sparql``: the query that gave the answers, ``fingerprint``: that
    of its IR. ``usage``: what all calls of the question cost, also where it failed. ``seconds``: how long it took;
    ``memory``: the most bytes that the process held meanwhile. ``depth``: how many hops the method went. ``reason``:
    why there is no complete answer. ``form``: whether the program is the gold one, 1 or 0, where both are known.
    ``details``: what else the method tells. ``setup``: of which run this is.
    """

    id: str
    question: str
    ended: Ended
    answers: tuple[Answer, ...] = ()
    ranking: tuple[Answer, ...] | None = None
    gold: tuple[Answer, ...] | None = None
    others: tuple[tuple[Answer, ...], ...] = ()
    state: State | None = None
    program: str | None = None
    sparql: str | None = None
    fingerprint: str | None = None
    evidence: tuple[Mapping[str, Any], ...] = ()
    usage: Usage = Usage()
    seconds: float = 0.0
    memory: int | None = None
    depth: int | None = None
    reason: str = ""
    form: float | None = None
    tags: Mapping[str, Any] = {}  # never changed
    details: Mapping[str, Any] = {}
    setup: Setup | None = None
    program_form: str | None = None

    @property
    def complete(self) -> bool:
        """Whether the question was answered, be it with nothing."""
        return self.ended in COMPLETE

    def to_json(self) -> dict[str, Any]:
        """As plain data, without what is not there."""
        data: dict[str, Any] = {"id": self.id, "question": self.question, "outcome": str(self.ended)}
        data["answers"] = [answer_data(one) for one in self.answers]
        for name in ("ranking", "gold"):
            given = getattr(self, name)
            if given is not None:
                data[name] = [answer_data(one) for one in given]
        if self.others:
            data["others"] = [[answer_data(one) for one in given] for given in self.others]
        for name in ("state", "program", "program_form", "sparql", "fingerprint", "memory", "depth", "form"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        data["usage"] = usage_data(self.usage)
        data["seconds"] = round(self.seconds, 6)
        for name in ("evidence", "reason", "tags", "details"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        if self.setup is not None:
            data["run"] = self.setup.to_json()
        return data


def record_of(data: Any) -> Record:
    """The record that :meth:`Record.to_json` gave.

    Raises:
        InputError: it did not.
    """
    try:
        return _record(data)
    except (InputError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as problem:
        raise InputError(f"no record of a question: {str(problem) or repr(problem)}") from None


def line_of(one: Record) -> bytes:
    """A record as a line of JSON, in UTF-8, without NaN (case 70). It reads back equal, but that in what a method tells
    besides (evidence, tags, details) tuples come back as lists, and keys as text.

    Raises:
        ValueError, TypeError: what a method tells besides is no plain data.
    """
    data = one.to_json()
    try:
        return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can hold and UTF-8 cannot
        return json.dumps(data, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _record(data: dict[str, Any]) -> Record:
    ranking, gold, run, state = (data.get(name) for name in ("ranking", "gold", "run", "state"))
    usage = usage_of(data.get("usage", {}))
    for name in usage.__match_args__:
        _amount(getattr(usage, name), name)
    form = data.get("form")
    if form is not None and _amount(form, "form") > 1:
        raise ValueError("form is a share, from 0 to 1")
    tags, details, evidence = data.get("tags", {}), data.get("details", {}), data.get("evidence", [])
    for given in (tags, details, *_listed(evidence)):
        if not isinstance(given, dict):
            raise TypeError("tags, details or evidence")
    json.dumps([tags, details, evidence, run], allow_nan=False)
    return Record(
        _said(data["id"], "id"),
        _said(data["question"], "question"),
        Ended(data["outcome"]),
        _answers(data["answers"]),
        None if ranking is None else _answers(ranking),
        None if gold is None else _answers(gold),
        tuple(map(_answers, _listed(data.get("others", [])))),
        None if state is None else State(state),
        _text(data, "program"),
        _text(data, "sparql"),
        _text(data, "fingerprint"),
        tuple(evidence),
        usage,
        float(_amount(data.get("seconds", 0.0), "seconds")),
        _whole(data, "memory"),
        _whole(data, "depth"),
        _said(data.get("reason", ""), "reason"),
        None if form is None else float(form),
        tags,
        details,
        None if run is None else setup_of(run),
        _text(data, "program_form"),
    )


def setup_of(data: Mapping[str, Any]) -> Setup:
    """The setup that :meth:`Setup.to_json` gave.

    Raises:
        TypeError: it did not.
    """
    found = Setup(**data)
    for name in _SETUP:
        kind: Any = str if name == "method" else str | None if name in ("model", "preset") else dict
        if not isinstance(getattr(found, name), kind):
            raise TypeError(f"{name} of the run")
    return found


def _answers(given: Any) -> tuple[Answer, ...]:
    return tuple([answer_of(one) for one in _listed(given)])


def _listed(given: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(given, list | tuple):
        raise TypeError("what is no list stands where one is due")
    return given


def _said(given: Any, name: str) -> str:
    if not isinstance(given, str):
        raise TypeError(name)
    return given


def _text(data: Mapping[str, Any], name: str) -> str | None:
    found = data.get(name)
    return None if found is None else _said(found, name)


def _amount(given: Any, name: str) -> int | float:
    """A number that is not negative, neither NaN nor beyond all measure, so that sums are finite too."""
    if type(given) not in (int, float) or not 0 <= given < _MOST:
        raise TypeError(name)
    number: int | float = given
    return number


def _whole(data: Mapping[str, Any], name: str) -> int | None:
    found = data.get(name)
    if found is not None and type(_amount(found, name)) is not int:
        raise TypeError(name)
    return found
