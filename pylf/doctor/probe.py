"""A probe: one tiny query whose right answer is known beforehand, and what came of asking it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from pylf.ir.terms import RDF_LANG_STRING, XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, Iri, Literal
from pylf.records import record, replace

if TYPE_CHECKING:
    from pylf.ir.terms import Node

Row = tuple["Node | None", ...]

#: Most characters of an answer or a complaint that a finding quotes.
QUOTED = 200
#: What stands before a probe's text.
PROLOGUE = f"PREFIX xsd: <{XSD}>\n"


class Verdict(StrEnum):
    """What came of a probe. The values are what ``--json`` holds."""

    RIGHT = "right"
    WRONG = "wrong"
    #: the engine does not take the query, or fails on it
    REFUSED = "refused"
    TIMEOUT = "timeout"
    #: there is nothing here to ask it of
    UNASKED = "not asked"
    #: the engine had failed before
    UNANSWERED = "not answered"


class Use(StrEnum):
    """What pylf has to do with what a probe shows."""

    #: queries that pylf writes rest on it
    EMITTED = "emitted"
    #: pylf writes it for some dialects, or another form where a field of the dialect says so
    ADAPTED = "adapted"
    #: pylf never writes it; SPARQL from elsewhere may
    FOREIGN = "foreign"

    @property
    def remedy(self) -> str:
        """What follows where it is wrong, unless a probe says otherwise."""
        match self:
            case Use.EMITTED:
                return ""
            case Use.ADAPTED:
                return "'pylf doctor --save' notes it, and pylf writes around it"
            case Use.FOREIGN:
                return "pylf does not write this; mind it in SPARQL of your own"


@record
class Probe:
    """A query and its right answer, derived from the SPARQL 1.1 recommendation by hand.

    ``shows`` is a sentence that holds where the engine is right. ``expected`` are the rows, in any order; they are
    compared by value, and where ``exact`` as terms; where ``distinct``, as sets. ``field`` is the field of the dialect
    that the outcome decides: an answer that is not right means that the field is ``wrong``. A refusal does too, but not
    where ``refusable``: the engine may trip over something else then. ``remedy`` says what follows from a wrong answer,
    where that is not what commonly does (:attr:`Use.remedy`).
    """

    name: str
    shows: str
    query: str
    expected: tuple[Row, ...]
    use: Use = Use.EMITTED
    exact: bool = False
    distinct: bool = False
    field: str | None = None
    wrong: bool = True
    refusable: bool = False
    remedy: str = ""
    group: str = ""


@record
class Finding:
    """What came of a probe.

    ``got`` tells what came in the place of the right answer, ``value`` what the dialect's ``field`` should be here
    (None: nothing follows), ``alarm`` that queries which pylf writes for this dialect give wrong answers or none.
    """

    name: str
    group: str
    shows: str
    verdict: Verdict
    use: Use
    got: str = ""
    field: str | None = None
    value: bool | int | None = None
    alarm: bool = False
    remedy: str = ""

    def to_json(self) -> dict[str, object]:
        """The finding as plain data; what is empty is left out."""
        data: dict[str, object] = {
            "name": self.name,
            "group": self.group,
            "shows": self.shows,
            "verdict": self.verdict.value,
            "use": self.use.value,
            "alarm": self.alarm,
        }
        told = {"got": self.got, "field": self.field, "value": self.value, "remedy": self.remedy}
        return data | {key: value for key, value in told.items() if value not in ("", None)}


def grouped(group: str, *probes: Probe) -> tuple[Probe, ...]:
    """Probes under the heading that they are told under."""
    return tuple([replace(probe, group=group) for probe in probes])


def rows(*given: Node | str | int | tuple[Node | str | int | None, ...]) -> tuple[Row, ...]:
    """Rows of terms: a string is a plain literal, a number an integer, None what is unbound; a tuple is a row, and
    anything else a row by itself."""
    return tuple([tuple(map(_term, one)) if isinstance(one, tuple) else (_term(one),) for one in given])


def _term(given: Node | str | int | None) -> Node | None:
    match given:
        case str():
            return Literal(given)
        case int():
            return integer(given)
        case _:
            return given


def integer(number: int) -> Literal:
    """An ``xsd:integer``."""
    return Literal(str(number), XSD_INTEGER)


def decimal(lexical: str) -> Literal:
    """An ``xsd:decimal``."""
    return Literal(lexical, XSD_DECIMAL)


def double(lexical: str) -> Literal:
    """An ``xsd:double``."""
    return Literal(lexical, XSD_DOUBLE)


def boolean(true: bool) -> Literal:
    """An ``xsd:boolean``."""
    return Literal("true" if true else "false", XSD_BOOLEAN)


def typed(lexical: str, name: str) -> Literal:
    """A literal of the XSD datatype of this name."""
    return Literal(lexical, XSD + name)


def text(lexical: str, language: str) -> Literal:
    """A tagged string, its tag as it is given."""
    return Literal(lexical, RDF_LANG_STRING, language)


def example(name: str) -> Iri:
    """An IRI that no graph holds."""
    return Iri(f"http://pylf.example.org/{name}")
