"""Which relation tells the other end of a time."""

from __future__ import annotations

import pytest

from pylf.frontends.sexpr.time import other_end


@pytest.mark.parametrize(
    ("name", "partner", "is_end"),
    [
        ("ns/a.b.from", "ns/a.b.to", False),
        ("ns/a.b.to", "ns/a.b.from", True),
        ("ns/a.b.used_until", "ns/a.b.used_from", True),
        ("ns/a.b.start_date_time", "ns/a.b.end_date_time", False),
        ("ns#endDate", "ns#startDate", True),
        ("ns#validFrom", "ns#validTo", False),
        ("ns#StartTime", "ns#EndTime", False),
        ("prop/qualifier/P580", "prop/qualifier/P582", False),
        ("prop/qualifier/P582", "prop/qualifier/P580", True),
        ("ns/a.from.b", None, False),
        ("ns/a.b.fromage", None, False),
        ("ns/a.b.end_of_rivalry", "ns/a.b.start_of_rivalry", True),
    ],
)
def test_the_other_end_of_a_time(name: str, partner: str | None, is_end: bool) -> None:
    assert other_end(name, lambda iri: iri == partner) == (partner, is_end)


def test_of_several_names_the_likeliest_that_is_listed_is_taken() -> None:
    assert other_end("ns/a.from", {"ns/a.until", "ns/a.through"}.__contains__) == ("ns/a.until", False)
    assert other_end("ns/a.until", {"ns/a.since"}.__contains__) == ("ns/a.since", True)
    assert other_end("ns/a.from", lambda _: True) == ("ns/a.to", False)
