"""Records: frozen classes with slots, as ``@dataclass(frozen=True, slots=True)`` makes them, at a tenth of the price.

``dataclasses`` takes 8 ms to import, and then writes, compiles and runs the source of every method of every class: half
a millisecond each. A compilation defines ninety classes, and start-up is most of its time. Here all records share their
methods, which differ only in the slots that they look at; that also makes an instance in half the time.

A record compares, hashes and shows by its fields, in their order, and matches by position. Methods that its class
defines itself stand. To :mod:`dataclasses` it is a dataclass: ``fields``, ``replace`` and ``asdict`` take it.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from dataclasses import Field

    _Setter = Callable[[object, object], None]
    _Method = Callable[..., Any]

_C = TypeVar("_C", bound=type)
_T = TypeVar("_T")

_ABSENT: Any = object()


class _Field:
    """What :func:`field` says of a field."""

    __slots__ = ("compare", "default", "shown")

    def __init__(self, default: object, compare: bool, shown: bool) -> None:
        self.default = default
        self.compare = compare
        self.shown = shown


def field(*, default: Any = _ABSENT, compare: bool = True, shown: bool = True) -> Any:
    """A field's default, whether it takes part in comparison and hash, and whether it is shown."""
    return _Field(default, compare, shown)


@overload
def record(cls: _C, /) -> _C: ...
@overload
def record(*, frozen: bool = True, eq: bool = True) -> Callable[[_C], _C]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: _C | None = None, /, *, frozen: bool = True, eq: bool = True) -> _C | Callable[[_C], _C]:
    """Make a class a record: its annotations are its fields. One record is not derived from another.

    Not ``frozen``, fields can be set; without ``eq``, an instance equals itself alone.

    Raises:
        TypeError: a field without default stands after one that has one.
    """
    if cls is None:
        return lambda decorated: _made(decorated, frozen, eq)
    made: _C = _made(cls, frozen, eq)
    return made


def replace(instance: _T, /, **changes: object) -> _T:
    """The record with other values in some of its fields; :func:`dataclasses.replace`, but quick to import."""
    cls: Any = type(instance)
    values = dict(zip(cls.__match_args__, _state(instance), strict=True))
    made: _T = cls(**(values | changes))
    return made


def _made(cls: Any, frozen: bool, eq: bool) -> Any:
    """The class anew, with slots and methods."""
    body = dict(cls.__dict__)
    names = tuple(body.get("__annotations__", ()))
    fields = {name: _field_of(body.pop(name, _ABSENT)) for name in names}
    defaults = tuple([one.default for one in fields.values() if one.default is not _ABSENT])
    if any(fields[name].default is _ABSENT for name in names[len(names) - len(defaults) :]):
        raise TypeError(f"{cls.__name__}: a field without default stands after one that has one")
    for name in ("__dict__", "__weakref__"):
        body.pop(name, None)
    body |= {"__slots__": names, "__match_args__": names, "__getstate__": _state, "__setstate__": _restore}
    body["__dataclass_fields__"] = _AsDataclass(fields)
    body.setdefault("__repr__", _show([name for name, one in fields.items() if one.shown]))
    if frozen:
        body["__setattr__"] = body["__delattr__"] = _refuse
    if eq:
        compared = [name for name, one in fields.items() if one.compare]
        key: _Method = attrgetter(*compared) if compared else _nothing
        body.setdefault("__eq__", _equality(key))
        body.setdefault("__hash__", _hash(key) if frozen else None)
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__init__ = _initializer(made, names, defaults)
    return made


def _field_of(stated: Any) -> _Field:
    """What stands after an annotation, if anything, as a field."""
    return stated if type(stated) is _Field else _Field(stated, True, True)


class _AsDataclass:
    """``__dataclass_fields__``: the mark of a dataclass, worked out for those alone who look at it."""

    __slots__ = ("_own", "_theirs")

    def __init__(self, fields: dict[str, _Field]) -> None:
        self._own = fields
        self._theirs: dict[str, Field[Any]] | None = None

    def __get__(self, instance: object, owner: type) -> dict[str, Field[Any]]:
        if self._theirs is None:
            import dataclasses

            field: Any = dataclasses.field
            specified = []
            for name, own in self._own.items():
                # a factory, since dataclasses refuses what it takes for a default that may change
                given = {} if own.default is _ABSENT else {"default_factory": lambda default=own.default: default}
                one = field(**given, compare=own.compare, repr=own.shown)
                specified.append((name, owner.__annotations__[name], one))
            twin: Any = dataclasses.make_dataclass(owner.__name__, specified)
            self._theirs = twin.__dataclass_fields__
        return self._theirs


# --- the methods of all records -----------------------------------------------------------------------------------


def _refuse(self: object, name: str, _: object = None) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot set or delete {name!r} of a {type(self).__name__}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__match_args__]


def _restore(self: Any, state: Sequence[Any]) -> None:
    for name, value in zip(self.__match_args__, state, strict=True):
        object.__setattr__(self, name, value)


def _nothing(_: object) -> tuple[()]:
    return ()


def _show(names: Sequence[str]) -> _Method:
    def show(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in names])})"

    return show


def _equality(key: _Method) -> _Method:
    def equal(self: Any, other: Any) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hash(key: _Method) -> _Method:
    def hashed(self: Any) -> int:
        return hash(key(self))

    return hashed


# --- making instances ---------------------------------------------------------------------------------------------


def _initializer(cls: type, names: tuple[str, ...], defaults: tuple[Any, ...]) -> Any:
    """The ``__init__`` of a class with slots of these names.

    Up to eight fields it is one of the functions below, its parameters named after the fields, so that Python itself
    reads positions, names and defaults: reading them here, as is done above eight, makes an instance three times as
    slow, and compiling a function for each class is what dataclasses takes its time for.
    """
    setters = [cls.__dict__[name].__set__ for name in names]
    if len(names) < len(_SETTING):
        made: Any = _SETTING[len(names)](*setters)
        made.__code__ = made.__code__.replace(co_varnames=("self", *names))
        made.__defaults__ = defaults
    else:
        made = _many(names, defaults, setters)
    made.__name__, made.__qualname__ = "__init__", f"{cls.__qualname__}.__init__"
    return made


def _many(names: tuple[str, ...], defaults: tuple[Any, ...], setters: Sequence[_Setter]) -> _Method:
    count, required = len(names), len(names) - len(defaults)

    def initialize(self: Any, /, *values: Any, **named: Any) -> None:
        given = len(values)
        if named:
            rest = names[given:]
            unknown = named.keys() - set(rest)
            if unknown:
                raise TypeError(f"{type(self).__name__}: {min(unknown)!r} is no field, or is given twice")
            ends = (*[_ABSENT] * required, *defaults)[given:]
            values += tuple([named.get(name, end) for name, end in zip(rest, ends, strict=True)])
            if any(value is _ABSENT for value in values):
                raise TypeError(f"{type(self).__name__}: a field that has no default is missing")
        elif given < count:
            values += defaults[given - required :] if given >= required else ()
        if len(values) != count:
            raise TypeError(f"{type(self).__name__}: {required} to {count} fields are given, not {given}")
        for setter, value in zip(setters, values, strict=True):
            setter(self, value)

    return initialize


#: By the number of fields: from setters of slots to an ``__init__``. A setter gives None, so ``or`` goes on.
_SETTING: tuple[_Method, ...] = (
    lambda: lambda self: None,
    lambda a: lambda self, p: a(self, p) or None,
    lambda a, b: lambda self, p, q: a(self, p) or b(self, q),
    lambda a, b, c: lambda self, p, q, r: a(self, p) or b(self, q) or c(self, r),
    lambda a, b, c, d: lambda self, p, q, r, s: a(self, p) or b(self, q) or c(self, r) or d(self, s),
    lambda a, b, c, d, e: (
        lambda self, p, q, r, s, t: a(self, p) or b(self, q) or c(self, r) or d(self, s) or e(self, t)
    ),
    lambda a, b, c, d, e, f: (
        lambda self, p, q, r, s, t, u: a(self, p) or b(self, q) or c(self, r) or d(self, s) or e(self, t) or f(self, u)
    ),
    lambda a, b, c, d, e, f, g: (
        lambda self, p, q, r, s, t, u, v: (
            a(self, p) or b(self, q) or c(self, r) or d(self, s) or e(self, t) or f(self, u) or g(self, v)
        )
    ),
    lambda a, b, c, d, e, f, g, h: (
        lambda self, p, q, r, s, t, u, v, w: (
            a(self, p) or b(self, q) or c(self, r) or d(self, s) or e(self, t) or f(self, u) or g(self, v) or h(self, w)
        )
    ),
)
