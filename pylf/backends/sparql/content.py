"""What a variable's values may be, as far as the schema's statistics tell: it decides which guards are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pylf.ir.schema.model import ValueProfile


class Content(NamedTuple):
    """Which kinds of values may occur; True wherever it is not known that none does.

    ``others`` are booleans, literals of other datatypes, and those that do not fit their datatype (NaN among them).
    The second part is about the dates: do some carry a zone, lie before year 0 or beyond 9999, have a time; are there
    several precisions. ``counted``: the values are integers that the query itself counted.
    """

    entities: bool = True
    numbers: bool = True
    dates: bool = True
    texts: bool = True
    tagged: bool = True
    others: bool = True
    zoned: bool = True
    before_zero: bool = True
    beyond_9999: bool = True
    times: bool = True
    precisions: bool = True
    counted: bool = False

    @property
    def only_numbers(self) -> bool:
        """Every value is a number."""
        return self.numbers and not (self.entities or self.dates or self.texts or self.tagged or self.others)

    @property
    def only_dates(self) -> bool:
        """Every value is a well-formed date."""
        return self.dates and not (self.entities or self.numbers or self.texts or self.tagged or self.others)

    @property
    def only_texts(self) -> bool:
        """Every value is a plain string."""
        return self.texts and not (self.entities or self.numbers or self.dates or self.tagged or self.others)

    @property
    def literals(self) -> bool:
        """Some value may be a literal."""
        return self.numbers or self.dates or self.texts or self.tagged or self.others


#: Nothing is known.
ANYTHING = Content()
#: No value at all: what :meth:`Content._replace` begins with.
NOTHING_AT_ALL = Content(*[False] * 12)
#: Entities alone.
ENTITIES = NOTHING_AT_ALL._replace(entities=True)
#: Integers that the query counted.
COUNTED = NOTHING_AT_ALL._replace(numbers=True, counted=True)


def content_of(profile: ValueProfile) -> Content:
    """What the objects of a relation are, by their statistics."""
    precisions = (profile.years, profile.months, profile.days, profile.times)
    return Content(
        entities=profile.entities > 0,
        numbers=profile.numbers > 0,
        dates=profile.dates > 0,
        texts=profile.strings > 0,
        tagged=profile.tagged > 0,
        others=profile.other > 0 or profile.ill_formed > 0,
        zoned=profile.zoned > 0,
        before_zero=profile.before_zero > 0,
        beyond_9999=profile.beyond_9999 > 0,
        times=profile.times > 0,
        precisions=sum(count > 0 for count in precisions) > 1,
    )
