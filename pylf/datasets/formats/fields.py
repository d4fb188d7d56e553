"""The fields of a JSON record, taken one by one, and exactly what is wrong with one that is not what it has to be.

What is never taken is what is left: :meth:`Fields.rest`. So no reader can lose a field without saying so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.errors import InputError, printable
from pylf.frontends.graphquery.json_spans import written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pylf.datasets.formats.question import Origin
    from pylf.frontends.graphquery.json_spans import JsonPath

_SHOWN = 80


class Malformed(InputError):
    """A record is not what its format says; ``place`` is the file with line or JSON path, ``problem`` the rest."""

    def __init__(self, place: str, problem: str) -> None:
        self.place = place
        self.problem = problem
        super().__init__(f"{place}: {problem}")


class Fields:
    """An object of a record: ``path`` leads to it from the record, which stands at ``origin``."""

    __slots__ = ("_data", "_taken", "origin", "path")

    def __init__(self, data: object, origin: Origin, path: JsonPath = ()) -> None:
        self.origin = origin
        self.path = path
        self._taken: set[str] = set()
        if not isinstance(data, dict):
            raise Malformed(*_at(origin, path, f"{kind_of(data)} stands where an object is due"))
        self._data: Mapping[str, Any] = data

    def __contains__(self, name: str) -> bool:
        return self._data.get(name) is not None

    def names(self) -> list[str]:
        """The names of all fields."""
        return list(self._data)

    def wrong(self, problem: str, *path: str | int) -> Malformed:
        """The error that says what is wrong at a place in this object."""
        return Malformed(*_at(self.origin, (*self.path, *path), problem))

    def first(self, *names: str) -> str | None:
        """The first of these fields that the record has, null not counted."""
        return next((name for name in names if name in self), None)

    def value(self, name: str) -> Any:
        """Whatever the field holds; None where there is none."""
        self._taken.add(name)
        return self._data.get(name)

    def peek(self, name: str) -> Any:
        """The same, and the field stays to be taken."""
        return self._data.get(name)

    def text(self, *names: str, empty: bool = False) -> str:
        """Text that has to be there, in the first of these fields that has some; not ``empty``, it says something."""
        said = [name for name in names if not isinstance(self._data.get(name), str) or self._data[name].strip()]
        name = self.first(*said) or self.first(*names)
        if name is None:
            stated = next((one for one in names if one in self._data), None)
            if stated is not None:
                raise self.wrong("null stands where text is due", stated)
            missing = " or ".join(map(repr, names))
            raise self.wrong(f"there is no {missing}; the fields are {_listed(self._data)}")
        found = self._text(self.value(name), name)
        if not empty and not found.strip():
            raise self.wrong("the text is empty", name)
        return found

    def maybe(self, *names: str) -> str | None:
        """Text, where one of these fields is there, is not null and says something."""
        name = self.first(*names)
        if name is None:
            self._taken.update(names)
            return None
        found = self._text(self.value(name), name)
        return found if found.strip() else None

    def named(self, *names: str) -> str | None:
        """An id: text or a whole number, as text; None where there is none of these fields."""
        name = self.first(*names)
        match None if name is None else self.value(name):
            case None:
                self._taken.update(names)
                return None
            case str(found) if found.strip():
                return self._text(found, str(name))
            case int(found) if not isinstance(found, bool):
                return str(found)
            case other:
                raise self.wrong(f"{kind_of(other)} stands where an id is due: text or a whole number", str(name))

    def whole(self, name: str) -> int | None:
        """A whole number that is not negative, where the field is there and not null."""
        found = self.value(name)
        if found is not None and (not isinstance(found, int) or isinstance(found, bool) or found < 0):
            raise self.wrong(f"{_shown(found)} stands where a number of something is due", name)
        return found

    def inner(self, name: str) -> Fields:
        """The object in a field."""
        return Fields(self._there(name), self.origin, (*self.path, name))

    def listed(self, name: str) -> list[Any]:
        """The list in a field."""
        found = self._there(name)
        if not isinstance(found, list):
            raise self.wrong(f"{kind_of(found)} stands where a list is due", name)
        return found

    def objects(self, name: str) -> Iterator[Fields]:
        """The objects of the list in a field."""
        for number, one in enumerate(self.listed(name)):
            yield Fields(one, self.origin, (*self.path, name, number))

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts of the list in a field; none where it is not there or null."""
        if name not in self:
            self._taken.add(name)
            return ()
        return tuple([self._text(one, name, number) for number, one in enumerate(self.listed(name))])

    def mapping(self, name: str) -> dict[str, Any]:
        """The object in a field, as it is."""
        found = self._there(name)
        if not isinstance(found, dict):
            raise self.wrong(f"{kind_of(found)} stands where an object is due", name)
        return found

    def rest(self) -> dict[str, Any]:
        """The fields that nobody has taken."""
        return {name: value for name, value in self._data.items() if name not in self._taken}

    def checked(self, value: object, *path: str | int) -> str:
        """A value found below, as text.

        Raises:
            Malformed: it is none.
        """
        return self._text(value, *path)

    def _there(self, name: str) -> Any:
        found = self.value(name)
        if found is None:
            if name in self._data:
                raise self.wrong("null stands where something is due", name)
            raise self.wrong(f"there is no {name!r}; the fields are {_listed(self._data)}")
        return found

    def _text(self, value: object, *path: str | int) -> str:
        if not isinstance(value, str):
            raise self.wrong(f"{kind_of(value)} stands where text is due", *path)
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError as problem:
                told = f"character {problem.start + 1} of the text is half of a pair of surrogates"
                raise self.wrong(told, *path) from None
        return value


def kind_of(value: object) -> str:
    """What a value of JSON is, for a message."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
    return "an object"


def _at(origin: Origin, path: JsonPath, problem: str) -> tuple[str, str]:
    """The place and what is wrong there. Of a file of lines the path begins at the record, of another at the top."""
    inside = printable(written(path))
    if origin.line is not None:
        return str(origin), f"{inside}: {problem}" if inside else problem
    joint = "." if origin.path and inside and not inside.startswith("[") else ""
    return f"{origin}{joint}{inside}" if origin.path else f"{origin}: {inside}", problem


def _listed(data: Mapping[str, Any]) -> str:
    """The first dozen of the fields' names."""
    names = list(data)
    return ", ".join([_shown(name) for name in names[:12]]) + (" …" if names[12:] else "") if names else "none"


def _shown(value: object) -> str:
    text = printable(repr(value))
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
