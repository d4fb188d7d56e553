"""Which values a relation has, counted by kind."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.ir.dates import DATE_DATATYPES, XSD_DATE, XSD_DATETIME, XSD_DATETIMESTAMP, XSD_GYEAR, XSD_GYEARMONTH
from pylf.ir.schema.model import ValueProfile
from pylf.ir.terms import RDF_LANG_STRING, RDFS, XSD_STRING, Literal
from pylf.ir.values import NUMERIC_DATATYPES, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_PRECISIONS = {
    XSD_GYEAR: "years",
    XSD_GYEARMONTH: "months",
    XSD_DATE: "days",
    XSD_DATETIME: "times",
    XSD_DATETIMESTAMP: "times",
}
_COMPARABLE = NUMERIC_DATATYPES.union(DATE_DATATYPES)


class Profiler:
    """Counts the objects of one relation."""

    __slots__ = ("_counts", "_datatypes", "_languages")

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._datatypes: set[str] = set()
        self._languages: set[str] = set()

    def add(self, lexical: str, datatype: str, language: str, triples: int) -> None:
        """Count a literal that stands in this many triples."""
        counts = self._counts
        if datatype == RDF_LANG_STRING:
            counts["tagged"] += triples
            self._languages.add(language)
        elif datatype == XSD_STRING:
            counts["strings"] += triples
        elif datatype not in _COMPARABLE:
            counts["other"] += triples
        elif kind_of(Literal(lexical, datatype)) is None:
            # Numbers and dates that cannot be read, NaN among them: no comparison ever holds of them.
            counts["ill_formed"] += triples
            return
        elif datatype in NUMERIC_DATATYPES:
            counts["numbers"] += triples
        else:
            self._add_date(lexical, datatype, triples)
        self._datatypes.add(datatype)

    def profile(self, entities: int) -> ValueProfile:
        """The counts, beside this many triples whose object is an entity."""
        return ValueProfile(entities=entities, languages=tuple(sorted(self._languages)), **self._counts)

    @property
    def datatypes(self) -> tuple[str, ...]:
        """The datatypes of the literals that can be read, sorted."""
        return tuple(sorted(self._datatypes))

    def _add_date(self, lexical: str, datatype: str, triples: int) -> None:
        counts = self._counts
        counts[_PRECISIONS[datatype]] += triples
        if lexical.endswith("Z") or (lexical[-6:-5] in ("+", "-") and lexical[-3:-2] == ":"):
            counts["zoned"] += triples
        if lexical.startswith("-"):
            counts["before_zero"] += triples
        if len(lexical.lstrip("-").partition("-")[0].rstrip("Z").partition("+")[0]) > 4:
            counts["beyond_9999"] += triples


def contradicts(profile: ValueProfile, stated: Iterable[str]) -> bool:
    """Whether the values that were counted are numbers alone, or dates alone, and none of the stated datatypes is.

    Freebase calls the ISO number of a country an enumeration, so text; a graph that has it as a number is asked for
    numbers. Text where a number is stated is another matter: it is never compared as one.
    """
    names = frozenset(stated)
    if not names or RDFS + "Literal" in names or profile.strings or profile.tagged or profile.other:
        return False
    if profile.numbers:
        return not profile.dates and names.isdisjoint(NUMERIC_DATATYPES)
    return profile.dates > 0 and names.isdisjoint(DATE_DATATYPES)


def profile_of(literals: Iterable[tuple[str, str, str, int]], entities: int = 0) -> ValueProfile:
    """The profile of literals given as ``(lexical form, datatype, language or "", triples)``."""
    profiler = Profiler()
    for lexical, datatype, language, triples in literals:
        profiler.add(lexical, datatype, language, triples)
    return profiler.profile(entities)
