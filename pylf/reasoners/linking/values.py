"""Numbers, dates and quantities in a text, as typed literals.

Dates are read as English writes them and as ISO 8601 does; a year before Christ is the year that XSD 1.1 counts (44 BC
is ``-0043``). What may be read in two ways has both readings, the likelier first: ``05/01/2008`` is a day in May or in
January, ``1984`` a year or a number.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from pylf.errors import Span
from pylf.ir.dates import XSD_DATE, XSD_GYEAR, XSD_GYEARMONTH, date_literal, interval
from pylf.ir.terms import XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, Literal
from pylf.reasoners.linking.spelled import NUMBERS, SCALES, number_spelled
from pylf.reasoners.linking.units import Unit, unit_named, unit_pattern
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_MONTH = "|".join([*_MONTHS, *(f"{month[:3]}\\.?" for month in _MONTHS), "sept\\.?"])
# in small letters "ad" is an advertisement
_AD = r"(?-i:AD|CE)"
_ERA = rf"\s*(?:BCE|BC|{_AD}|B\.C\.|A\.D\.)(?![A-Za-z])"
_NUMBER_WORD = "|".join([*NUMBERS, *SCALES])
_PATTERN = re.compile(
    rf"""(?<![\w.])(?:
      (?P<iso>-?[0-9]{{4}}-[0-9]{{2}}(?:-[0-9]{{2}}(?:T[0-9:.]+)?)?(?:Z|[+-][0-9]{{2}}:[0-9]{{2}})?)(?![\w-])
    | (?P<slashed>[0-9]{{1,2}}[/.][0-9]{{1,2}}[/.][0-9]{{4}})(?!\w)
    | (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<month>{_MONTH})(?!\w),?\s+
        (?P<year>[0-9]{{3,4}})(?!\w)(?P<era>{_ERA})?
    | (?P<month2>{_MONTH})(?!\w)\s*(?P<day2>[0-9]{{1,2}})(?:st|nd|rd|th)?(?:\s*,\s*|\s+)(?P<year2>[0-9]{{4}})(?!\w)
    | (?P<month3>{_MONTH})(?!\w),?\s+(?:of\s+)?(?P<year3>[0-9]{{4}})(?!\w)
    | (?P<dated>[0-9]{{1,4}})(?P<era2>{_ERA})
    | (?:{_AD}|A\.D\.)\s+(?P<anno>[0-9]{{1,4}})(?!\w)
    | (?P<sign>[$€£])?\s?(?P<number>[+\u2212-]?(?:
        (?:[0-9]{{1,3}}(?:\.[0-9]{{3}}){{2,}}|(?:[0-9]{{1,3}}(?:,[0-9]{{3}})+|[0-9]+)(?:\.[0-9]+)?)
        (?:[eE][+-]?[0-9]+)?)(?!\.?[0-9]))
    | (?P<words>(?:{_NUMBER_WORD})(?:(?:[\s-]+|\s+and\s+)(?:{_NUMBER_WORD}))*)(?!\w)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_YEAR = re.compile(r"[12][0-9]{3}")
_SCALE = re.compile(rf"[\s-]*(?P<scale>{'|'.join(SCALES)})s?(?!\w)", re.IGNORECASE)
_YEARS_BEFORE = re.compile(
    r"\b(?:in|since|before|after|until|till|during|from|by|of|year|to|and|between)\s+\Z", re.IGNORECASE
)
#: what is written so far before a text is looked at for a word that a year follows
_BEFORE = 12
#: characters of a text that are looked at, digits of a number
_LONGEST = 10_000
_DIGITS = 40


@record
class TypedValue:
    """A value in a text.

    ``readings``: what it may be, the likeliest first; of a quantity its number, as written, and then its number in the
    SI's unit, where that is another one. ``unit``: the unit of a quantity.
    """

    text: str
    span: Span
    readings: tuple[Literal, ...]
    unit: Unit | None = None

    def converted(self, name: str) -> Literal | None:
        """A quantity's number in another unit, by symbol or word; None where there is no such unit, or it is one of
        something else."""
        other = unit_named(name)
        number = _fraction(self.readings[0])
        if self.unit is None or other is None or other.base != self.unit.base or number is None:
            return None
        return _literal((number * self.unit.factor + self.unit.offset - other.offset) / other.factor)


def values_in(text: str) -> tuple[TypedValue, ...]:
    """The values in a text, in order. ``one`` is none: it is a pronoun, most often."""
    return tuple([value for value in _values(text[:_LONGEST]) if value.text.lower() != "one"])


def value_of(text: str) -> TypedValue | None:
    """The value that a text is, all of it; None where it is something else."""
    stripped = text.strip()
    found = next(_values(stripped), None) if len(stripped) <= _LONGEST else None
    return found if found is not None and found.span == (0, len(stripped)) else None


def readings_of(text: str) -> tuple[Literal, ...]:
    """What a text may be as a value; nothing where it is none."""
    found = value_of(text)
    return () if found is None else found.readings


def _values(text: str) -> Iterator[TypedValue]:
    at = 0
    while (found := _PATTERN.search(text, at)) is not None:
        at = found.end()
        dates = _dates(found)
        if dates:
            yield TypedValue(found[0], Span(*found.span()), dates)
        elif found["number"] or found["words"]:
            value = _quantity(text, found)
            if value is not None:
                at = value.span.end
                yield value


# --- dates --------------------------------------------------------------------------------------------------------


def _dates(found: re.Match[str]) -> tuple[Literal, ...]:
    """The dates that a match may be; none where it is a number."""
    if found["iso"]:
        date = date_literal(found["iso"])
        return () if date is None or interval(date.lexical, date.datatype) is None else (date,)
    if found["slashed"]:
        first, second, year = map(int, re.split(r"[/.]", found["slashed"]))
        orders = [(second, first), (first, second)] if "." in found["slashed"] else [(first, second), (second, first)]
        days = [_day(year, month, day) for month, day in orders]
        return tuple(dict.fromkeys([day for day in days if day is not None]))
    if found["month"] or found["month2"]:
        which = "" if found["month"] else "2"
        era = None if which else found["era"]
        day = _day(_counted(found[f"year{which}"], era), _month(found[f"month{which}"]), int(found[f"day{which}"]))
        return () if day is None else (day,)
    if found["month3"]:
        return (Literal(f"{found['year3']}-{_month(found['month3']):02d}", XSD_GYEARMONTH),)
    if found["dated"] or found["anno"]:
        return (Literal(_year(_counted(found["dated"] or found["anno"], found["era2"])), XSD_GYEAR),)
    return ()


def _month(text: str) -> int:
    return next(number for number, name in enumerate(_MONTHS, 1) if name.startswith(text[:3].lower()))


def _counted(year: str, era: str | None) -> int:
    """A year as XSD 1.1 counts it, which has a year 0."""
    return 1 - int(year) if era is not None and era.strip()[0] in "Bb" else int(year)


def _year(year: int) -> str:
    return f"-{-year:04d}" if year < 0 else f"{year:04d}"


def _day(year: int, month: int, day: int) -> Literal | None:
    from calendar import monthrange

    # leap years come back every 400 years, and the calendar knows no year before 1
    if not 1 <= month <= 12 or not 1 <= day <= monthrange(2000 + year % 400, month)[1]:
        return None
    return Literal(f"{_year(year)}-{month:02d}-{day:02d}", XSD_DATE)


# --- numbers ------------------------------------------------------------------------------------------------------


def _quantity(text: str, found: re.Match[str]) -> TypedValue | None:
    start, end = found.start(), found.end()
    written = found["number"]
    spelled = None if written else number_spelled(found["words"])
    if spelled is not None:
        end = found.start("words") + spelled.end
    number = _number(written) if spelled is None else _whole(spelled.number)
    if number is None:
        return None
    scaled = False
    while written and (scale := _SCALE.match(text, end)) is not None and (exact := _fraction(number)) is not None:
        scaled, end = True, scale.end()
        number = _literal(exact * SCALES[scale["scale"].lower()])
    unit_found = unit_pattern().match(text, end)
    unit = unit_named(found["sign"]) if found["sign"] else None
    if unit_found is not None and written and unit_found[0] == "s" and _YEAR.fullmatch(written):
        return None  # the 1990s
    if unit is None and unit_found is not None:
        unit, end = unit_named(unit_found["unit"]), unit_found.end()
    if written and text[end : end + 1].isalnum() and unit is None:
        return None  # 3D, 747-400ER
    value = TypedValue(text[start:end].strip(), Span(end - len(text[start:end].lstrip()), end), (number,), unit)
    base = None if unit is None else value.converted(unit.base)
    if base is not None and unit is not None and unit.offset and Decimal(base.lexical) < 0:
        base = None  # nothing is colder than 0 K
    if base is not None and _fraction(base) != _fraction(number):
        return TypedValue(value.text, value.span, (number, base), unit)
    if spelled is not None and spelled.is_year and unit is None:
        return TypedValue(value.text, value.span, (Literal(number.lexical, XSD_GYEAR), number))
    if unit is None and not scaled and written and _YEAR.fullmatch(written):
        year = Literal(written, XSD_GYEAR)
        before = _YEARS_BEFORE.search(text[max(0, start - _BEFORE) : start]) is not None or len(text.strip()) == 4
        return TypedValue(value.text, value.span, (year, number) if before else (number, year))
    return value


def _whole(number: int) -> Literal | None:
    return Literal(str(number), XSD_INTEGER) if number < 10**_DIGITS else None


def _number(written: str) -> Literal | None:
    plain = written.replace(",", "").replace("\u2212", "-")
    if plain.count(".") > 1:  # 3.000.000, as much of Europe writes it
        plain = plain.replace(".", "")
    if len(plain) > _DIGITS:
        return None
    if "e" in plain.lower():
        return Literal(plain, XSD_DOUBLE)
    return Literal(plain, XSD_DECIMAL if "." in plain else XSD_INTEGER)


def _fraction(literal: Literal) -> Fraction | None:
    """The exact number of a literal; None of one that is too large or small to be worked out."""
    try:
        number = Decimal(literal.lexical)
    except ArithmeticError:
        return None
    return Fraction(number) if abs(number.adjusted()) <= 400 else None


def _literal(number: Fraction) -> Literal:
    """An integer, or a decimal where it has an end, else the nearest double."""
    if number.denominator == 1:
        return Literal(str(number.numerator), XSD_INTEGER)
    rest = number.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    if rest != 1 or number.denominator > 10**_DIGITS:
        return Literal(repr(float(number)), XSD_DOUBLE)
    text = format(Decimal(number.numerator) / Decimal(number.denominator), "f")
    return Literal(text, XSD_DECIMAL)
