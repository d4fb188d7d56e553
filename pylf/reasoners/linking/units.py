"""Units of measure, by what people write, each with its factor to the SI's own unit (The SI Brochure, 9th ed.)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from pylf.records import record

if TYPE_CHECKING:
    import re


@record
class Unit:
    """A unit. ``name`` is its usual symbol, ``base`` that of the unit of the same dimension in which ``factor`` times a
    number, plus ``offset``, is the same quantity."""

    name: str
    base: str
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)


#: By base: symbol (as it is written, capitals count), factor, and words (singular; capitals do not count).
_UNITS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "m": (
        ("m", "1", "meter metre"),
        ("km", "1000", "kilometer kilometre"),
        ("cm", "0.01", "centimeter centimetre"),
        ("mm", "0.001", "millimeter millimetre"),
        ("ft", "0.3048", "foot feet"),
        ("in", "0.0254", "inch inches"),
        ("yd", "0.9144", "yard"),
        ("mi", "1609.344", "mile"),
        ("nmi", "1852", ""),
        ("au", "149597870700", ""),
        ("ly", "9460730472580800", ""),
    ),
    "kg": (
        ("kg", "1", "kilogram kilogramme kilo"),
        ("g", "0.001", "gram gramme"),
        ("mg", "0.000001", "milligram"),
        ("t", "1000", "tonne ton"),
        ("lb", "0.45359237", "pound lbs"),
        ("oz", "0.028349523125", "ounce"),
    ),
    "s": (
        ("s", "1", "second sec"),
        ("ms", "0.001", "millisecond"),
        ("min", "60", "minute"),
        ("h", "3600", "hour hr"),
        ("d", "86400", "day"),
        ("wk", "604800", "week"),
    ),
    "m/s": (("m/s", "1", ""), ("km/h", "5/18", "kph"), ("mph", "0.44704", ""), ("kn", "463/900", "knot")),
    "m²": (
        ("m²", "1", "sqm"),
        ("km²", "1000000", "sqkm"),
        ("ha", "10000", "hectare"),
        ("ac", "4046.8564224", "acre"),
        ("mi²", "2589988.110336", ""),
    ),
    "m³": (("m³", "1", ""), ("L", "0.001", "liter litre l"), ("mL", "0.000001", "milliliter millilitre ml")),
    "N": (("N", "1", "newton"), ("kN", "1000", "kilonewton"), ("MN", "1000000", "meganewton")),
    "W": (("W", "1", "watt"), ("kW", "1000", "kilowatt"), ("MW", "1000000", "megawatt"), ("GW", "1000000000", "")),
    "J": (("J", "1", "joule"), ("kJ", "1000", "kilojoule"), ("MJ", "1000000", ""), ("kWh", "3600000", "")),
    "Pa": (("Pa", "1", "pascal"), ("kPa", "1000", ""), ("MPa", "1000000", ""), ("bar", "100000", "bar")),
    "Hz": (("Hz", "1", "hertz"), ("kHz", "1000", ""), ("MHz", "1000000", ""), ("GHz", "1000000000", "")),
    "K": (("K", "1", "kelvin"),),
    "°": (("°", "1", "degree deg"),),
    "%": (("%", "1", "percent"),),
    "USD": (("$", "1", "dollar usd"),),
    "EUR": (("€", "1", "euro eur"),),
    "GBP": (("£", "1", "gbp"),),
}
_TEMPERATURES = (
    Unit("°C", "K", Fraction(1), Fraction("273.15")),
    Unit("°F", "K", Fraction(5, 9), Fraction("459.67") * Fraction(5, 9)),
)
#: what is written otherwise
_SPELLED = {
    "m2": "m²",
    "km2": "km²",
    "m^2": "m²",
    "km^2": "km²",
    "m3": "m³",
    "m^3": "m³",
    "square metre": "m²",
    "square meter": "m²",
    "square kilometre": "km²",
    "square kilometer": "km²",
    "sq km": "km²",
    "square mile": "mi²",
    "sq mi": "mi²",
    "cubic metre": "m³",
    "cubic meter": "m³",
    "metric ton": "t",
    "nautical mile": "nmi",
    "light year": "ly",
    "light-year": "ly",
    "astronomical unit": "au",
    "mile per hour": "mph",
    "miles per hour": "mph",
    "kilometers per hour": "km/h",
    "kilometres per hour": "km/h",
    "meters per second": "m/s",
    "metres per second": "m/s",
    "per cent": "%",
    "degree celsius": "°C",
    "degrees celsius": "°C",
    "degree fahrenheit": "°F",
    "degrees fahrenheit": "°F",
    "celsius": "°C",
    "fahrenheit": "°F",
}
#: what is a word of English too where a number stands before it
_NO_SIGNS = frozenset({"in"})


@cache
def _known() -> tuple[dict[str, Unit], dict[str, Unit]]:
    """Units by symbol, and by word in small letters."""
    symbols = {
        symbol: Unit(symbol, base, Fraction(factor)) for base, units in _UNITS.items() for symbol, factor, _ in units
    }
    symbols |= {unit.name: unit for unit in _TEMPERATURES}
    words = {
        form: symbols[symbol]
        for units in _UNITS.values()
        for symbol, _, named in units
        for word in named.split()
        for form in (word, f"{word}s")
    }
    for spelled, symbol in _SPELLED.items():
        words |= {spelled: symbols[symbol], f"{spelled}s": symbols[symbol]}
    return {symbol: unit for symbol, unit in symbols.items() if symbol not in _NO_SIGNS}, words


def unit_named(text: str) -> Unit | None:
    """The unit that a text writes, by symbol or word; None where it writes none."""
    symbols, words = _known()
    return symbols.get(text) or words.get(" ".join(text.lower().split()))


@cache
def unit_pattern() -> re.Pattern[str]:
    """Matches a unit, the longest one that stands there, with what may part it from its number."""
    import re

    symbols, words = _known()

    def any_of(names: dict[str, Unit]) -> str:
        return "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in sorted(names, key=len, reverse=True))

    return re.compile(rf"[\s-]?(?P<unit>(?:{any_of(symbols)})(?!\w)|(?i:{any_of(words)})(?!\w))")
