"""The choices of a compilation that do not come from the graph, and whether they go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.dialects import NAMES
from pylf.errors import InputError
from pylf.forms import SOURCES, WITHOUT_TOPIC
from pylf.ir.dates import date_literal
from pylf.records import record

if TYPE_CHECKING:
    from pylf.language.context import Negation
    from pylf.reading import Ties


@record
class Settings:
    """What :func:`pylf.compile` is told besides a question and a graph; see there what each choice means."""

    negation: Negation = "cwa"
    dialect: str = "sparql11"
    optimize: int = 1
    strict: bool = False
    lenient: bool = False
    exclude_topic: bool = False
    today: str | None = None
    inner_classes: bool = False
    all_different: bool = False
    ties: Ties = "kept"

    def check(self, source: str) -> None:
        """See whether these are choices for a question in the form ``source``.

        Raises:
            InputError: there is no such form or no such choice, or the form does not know it.
        """
        if source not in SOURCES:
            raise InputError(f"there is no source form {source!r}; the forms are {', '.join(SOURCES)}")
        if self.negation not in ("cwa", "pca"):
            raise InputError(f"negation is read as 'cwa' or 'pca', not {self.negation!r}")
        if self.dialect not in NAMES:
            raise InputError(f"there is no dialect {self.dialect!r}; the dialects are {', '.join(NAMES)}")
        if self.exclude_topic and source in WITHOUT_TOPIC:
            raise InputError(f"exclude_topic is for programs: {WITHOUT_TOPIC[source]} tell what a question starts from")
        if self.ties not in ("kept", "cut"):
            raise InputError(f"ties are 'kept' or 'cut', not {self.ties!r}")
        if self.ties == "cut" and source != "sparql":
            raise InputError("ties are cut in SPARQL alone: all other forms keep them")
        if self.optimize not in (0, 1, 2):
            raise InputError(f"queries are optimized at level 0, 1 or 2, not {self.optimize!r}")
        if self.today is not None and date_literal(self.today) is None:
            raise InputError(f"today is a date such as 2026-11-30, not {self.today!r}")
