"""Endpoints as TOML files, both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.backends.dialects import NAMES
from pylf.backends.http.endpoint import Endpoint, Limits
from pylf.backends.http.endpoint_file import read_endpoint, write_endpoint
from pylf.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

line = st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn", "Cf", "Zl", "Zp", "Zs", "Co"]), min_size=1)
seconds = st.floats(0.001, 1e6)
endpoints = st.builds(
    Endpoint,
    st.sampled_from(["http://127.0.0.1:8890/sparql", "https://e.org/é?a=b"]),
    st.none() | st.sampled_from(NAMES),
    st.lists(st.from_regex(r"urn:[a-z0-9é:]{1,9}", fullmatch=True)).map(tuple),
    st.none() | line,
    st.none() | st.just("https://e.org/bot"),
    st.builds(Limits, seconds, seconds, seconds, st.integers(1, 99)),
    st.none() | st.integers(1, 10**9),
    st.lists(
        st.sampled_from(
            [
                ("nest_negation", True),
                ("union_limit", 7),
                ("values_limit", None),
                ("row_cap", 9),
                ("flat_exists", False),
            ]
        ),
        unique_by=lambda pair: pair[0],
    ).map(tuple),
    st.none() | line.filter(lambda text: "\0" not in text and len(text.encode()) < 200),
    st.none() | line,
)


@given(endpoints)
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, endpoint: Endpoint) -> None:
    path = tmp_path_factory.getbasetemp() / "endpoint.toml"
    text = write_endpoint(endpoint)
    path.write_text(text, encoding="utf-8")
    assert read_endpoint(str(path)) == endpoint
    assert write_endpoint(endpoint, str(path)) == text == path.read_text(encoding="utf-8")


def test_what_is_as_by_default_is_left_out(tmp_path: Path) -> None:
    assert write_endpoint(Endpoint("http://e.org/")) == 'url = "http://e.org/"\n'
    with pytest.raises(InputError, match="nowhere"):
        write_endpoint(Endpoint("http://e.org/"), str(tmp_path / "nowhere" / "a.toml"))


def test_a_schema_lies_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "films.ttl").touch()
    path = tmp_path / "e.toml"
    path.write_text('url = "http://e.org/"\nschema = "films.ttl"\n', encoding="utf-8")
    assert read_endpoint(str(path)).schema == str(tmp_path / "films.ttl")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "url is missing"),
        ("urll = 'http://e.org/'", "no key 'urll'; was 'url' meant"),
        ("url = 7", "url has to be text"),
        ("url = ''", "url has to be text"),
        ("url = 'e.org'", "no address of an endpoint"),
        ("url = 'http://a:b@e.org/'", "holds a user name or a password"),
        ("url = 'http://e.org/'\npassword = 'a'", "no key 'password'; "),
        ("url = 'http://e.org/'\ndialect = 'virtuos'", "no dialect 'virtuos'; was 'virtuoso' meant"),
        ("url = 'http://e.org/'\ngraphs = 'urn:g'", "graphs has to be a list"),
        ("url = 'http://e.org/'\ngraphs = ['urn:g', 7]", "graphs has to be a list"),
        ("url = 'http://e.org/'\nrow_cap = 0", "row_cap has to be a whole number above 0"),
        ("url = 'http://e.org/'\nrow_cap = true", "row_cap has to be a whole number above 0"),
        ("url = 'http://e.org/'\ncontact = \"a\\nb\"", "contact has to be text"),
        ("url = 'http://e.org/'\nlimits = 7", r"limits has to be a table: a line \[limits\]"),
        ("url = 'http://e.org/'\n[limits]\nread = 0", "limits.read has to be a number of seconds above 0"),
        ("url = 'http://e.org/'\n[limits]\nread = true", "limits.read has to be a number of seconds above 0"),
        ("url = 'http://e.org/'\n[limits]\nread = nan", "limits.read has to be a number of seconds above 0"),
        ("url = 'http://e.org/'\n[limits]\nreed = 7", "no key 'limits.reed'; was 'read' meant"),
        ("url = 'http://e.org/'\n[limits]\ntries = 1.5", "limits.tries has to be a whole number"),
        ("url = 'http://e.org/'\n[differs]\nvalue_limit = 7", "no key 'differs.value_limit'; was 'values_limit' meant"),
        ("url = 'http://e.org/'\n[differs]\nname = 7", "no key 'differs.name'"),
        ("url = 'http://e.org/'\n[differs]\nnest_negation = 7", "differs.nest_negation has to be true or false"),
        ("url = 'http://e.org/'\n[differs]\nunion_limit = 'none'", "differs.union_limit has to be a whole number"),
        ("url = 'http://e.org/", "this is not TOML"),
        ("url = \xff".encode("latin-1"), "this is not TOML"),
        ("a = " + "[" * 100_000, "this is not TOML"),
        (b" " * 1_000_001, "larger than 1,000,000 bytes"),
    ],
)
def test_what_is_none_is_named(tmp_path: Path, text: str | bytes, words: str) -> None:
    path = tmp_path / "e.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(InputError, match=words) as caught:
        read_endpoint(str(path))
    assert str(caught.value).startswith(f"{path}: ")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere.toml"):
        with pytest.raises(InputError, match=str(path)):
            read_endpoint(str(path))
