"""Records are what dataclasses with slots are that do not change."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.records import field, record, replace


@record
class Point:
    x: int
    y: int = 0
    note: str | None = field(default=None, compare=False, shown=False)

    def mirrored(self) -> Point:
        return Point(self.y, self.x, self.note)


@dataclasses.dataclass(frozen=True, slots=True)
class Twin:
    x: int
    y: int = 0
    note: str | None = dataclasses.field(default=None, compare=False, repr=False)


@record
class Wide:
    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int = 8
    i: int = 9
    j: int = 10


@record
class Empty:
    pass


@record(frozen=False, eq=False)
class Loose:
    value: int = 1


@record
class Named:
    name: str
    other: int = 0

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return f"<{self.name}>"


def test_it_is_made_by_position_by_name_and_by_default() -> None:
    assert (Point(1, 2).x, Point(1, 2).y, Point(1, 2).note) == (1, 2, None)
    assert Point(x=1, note="a") == Point(1)
    assert Point(y=3, x=1).y == 3
    assert str(inspect.signature(Point)) == "(x, y=0, note=None)"


@pytest.mark.parametrize(
    ("positions", "names"), [((), {}), ((1, 2, "a", 4), {}), ((1,), {"x": 2}), ((1,), {"z": 2}), ((), {"y": 1})]
)
def test_what_does_not_fit_is_refused_as_python_refuses_it(positions: tuple[Any, ...], names: dict[str, Any]) -> None:
    with pytest.raises(TypeError) as ours:
        Point(*positions, **names)
    with pytest.raises(TypeError) as theirs:
        Twin(*positions, **names)
    assert str(ours.value) == str(theirs.value).replace("Twin", "Point")


def test_many_fields_are_read_alike() -> None:
    assert repr(Wide(1, 2, 3, 4, 5, 6, 7)) == "Wide(a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8, i=9, j=10)"
    assert Wide(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == Wide(1, 2, 3, 4, 5, g=7, f=6) == Wide(1, 2, 3, 4, 5, 6, 7, j=10)
    assert Wide(1, 2, 3, 4, 5, 6, 7, j=0).j == 0


@pytest.mark.parametrize(
    ("count", "names"), [(6, {}), (11, {}), (7, {"a": 1}), (6, {"h": 1}), (7, {"z": 1}), (0, {}), (10, {"j": 1})]
)
def test_of_many_fields_none_is_missing_given_twice_or_unknown(count: int, names: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="Wide"):
        Wide(*range(count), **names)


@given(st.tuples(st.integers(0, 2), st.integers(0, 2)), st.tuples(st.integers(0, 2), st.integers(0, 2)))
def test_it_compares_and_hashes_by_its_fields(left: tuple[int, int], right: tuple[int, int]) -> None:
    one, other = Point(*left, note="one"), Point(*right, note="other")
    assert (one == other) == (left == right)
    assert (one != other) == (left != right)
    if left == right:
        assert hash(one) == hash(other)


def test_it_equals_nothing_of_another_class() -> None:
    assert Point(1) != Twin(1)
    assert Point(1) != (1, 0)
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())


def test_it_shows_itself_as_a_dataclass_does() -> None:
    assert repr(Point(1, 2, "a")) == repr(Twin(1, 2, "a")).replace("Twin", "Point") == "Point(x=1, y=2)"


def test_it_does_not_change() -> None:
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x'"):
        point.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x'"):
        del point.x
    with pytest.raises(AttributeError):
        point.z = 2
    assert point.x == 1
    assert not hasattr(point, "__dict__")


def test_it_may_be_loose() -> None:
    loose = Loose()
    loose.value = 2
    assert loose.value == 2
    assert loose != Loose(2)
    assert {loose: 1}[loose] == 1


def test_methods_of_its_own_stand() -> None:
    assert (hash(Named("a")), repr(Named("a"))) == (7, "<a>")
    assert Named("a") == Named("a") != Named("b")
    assert Point(1, 2).mirrored() == Point(2, 1)


def test_it_matches_by_position() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


@pytest.mark.parametrize("made", [Point(1, 2, "a"), Wide(*range(10)), Empty(), Named("a")])
def test_it_is_copied_and_pickled(made: Any) -> None:
    for twin in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert twin == made
        assert twin is not made
        assert [getattr(twin, n) for n in made.__match_args__] == [getattr(made, n) for n in made.__match_args__]


def test_replacing_keeps_the_other_fields() -> None:
    assert repr(replace(Point(1, 2, "a"), y=3)) == "Point(x=1, y=3)"
    assert replace(Point(1, 2, "a"), y=3).note == "a"
    with pytest.raises(TypeError):
        replace(Point(1), z=3)


def test_it_is_a_dataclass_to_whoever_asks() -> None:
    assert dataclasses.is_dataclass(Point)
    assert [(f.name, f.compare, f.repr) for f in dataclasses.fields(Point)] == [
        (f.name, f.compare, f.repr) for f in dataclasses.fields(Twin)
    ]
    assert dataclasses.replace(Point(1, 2, "a"), x=5).note == "a"
    assert dataclasses.asdict(Point(1, 2, "a")) == {"x": 1, "y": 2, "note": "a"}


def test_a_default_stands_before_no_field_without_one() -> None:
    with pytest.raises(TypeError, match="without default"):

        @record
        class _Wrong:
            x: int = 0
            y: int


def test_dataclasses_are_not_imported_for_records() -> None:
    script = (
        "import sys; from pylf.records import record\n"
        "@record\nclass A:\n    x: int\n"
        "assert A(1) == A(1); print(sorted({'dataclasses', 'inspect'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
