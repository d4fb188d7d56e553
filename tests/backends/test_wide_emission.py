"""The wide tier as text: what a person would write where that is right, and what has no form."""

from __future__ import annotations

import pytest

from pylf.backends.dialects import NAMES
from pylf.backends.sparql import emit
from pylf.errors import UnsupportedOperation
from pylf.ir.text import parse_query
from tests.backends.wide_texts import SCHEMA, VOCABULARY, WIDE, wide


def written(name: str, dialect: str = "sparql11", optimize: int = 1) -> str:
    return emit(wide(name), SCHEMA, VOCABULARY, dialect, optimize)


def of(*lines: str, dialect: str = "sparql11") -> str:
    return emit(parse_query("\n".join(lines) + "\n"), SCHEMA, VOCABULARY, dialect)


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize("dialect", NAMES)
def test_every_dialect_has_a_form_or_says_that_it_has_none(name: str, dialect: str) -> None:
    for optimize in (0, 1):
        try:
            said = written(name, dialect, optimize)
        except UnsupportedOperation as refused:
            said = str(refused)
        assert said.startswith("SELECT") or f"({dialect})" in said, optimize


def test_a_left_join_is_an_optional() -> None:
    assert written("optional") == (
        "SELECT DISTINCT ?x ?m WHERE {\n  ?x <http://e/p> ?y .\n  OPTIONAL {\n    ?x <http://e/mass> ?m .\n  }\n}\n"
    )


def test_a_condition_on_what_is_open_comes_last() -> None:
    assert written("no optional") == (
        "SELECT DISTINCT ?x WHERE {\n"
        "  ?x <http://e/p> ?y .\n"
        "  OPTIONAL {\n"
        "    ?y <http://e/q> ?z .\n"
        "  }\n"
        "  FILTER(!BOUND(?z))\n"
        "}\n"
    )


def test_the_most_is_written_as_one_would() -> None:
    assert written("the most") == (
        "SELECT ?x (COUNT(?y) AS ?n) WHERE {\n"
        "  ?x <http://e/p> ?y .\n"
        "}\n"
        "GROUP BY ?x\n"
        "ORDER BY DESC(?n) ASC(IF(isBlank(?x), 0, 1)) ASC(STR(?x))\n"
        "LIMIT 1\n"
    )


def test_an_order_by_what_is_no_column() -> None:
    text = written("the most, alone")
    assert text.startswith("SELECT ?x WHERE {")
    assert "ORDER BY DESC(COUNT(?y))" in text


def test_a_condition_beside_an_aggregate_is_its_having() -> None:
    assert written("having") == (
        "SELECT ?x (COUNT(?y) AS ?n) WHERE {\n  ?x <http://e/p> ?y .\n}\nGROUP BY ?x\nHAVING (COUNT(?y) > 1)\n"
    )


def test_a_bag_of_triples_is_counted_as_it_is() -> None:
    text = written("count of rows")
    assert text == ("SELECT (COUNT(*) AS ?n) WHERE {\n  ?x <http://e/p> ?y .\n  ?y <http://e/q> ?z .\n}\n")


@pytest.mark.parametrize("name", ["count of instances", "count of a union"])
def test_what_may_come_twice_is_counted_once(name: str) -> None:
    assert "SELECT DISTINCT ?x ?y" in written(name)


def test_what_is_not_counted_twice_anyhow_is_not_made_distinct_before() -> None:
    text = of(
        "rows ?n",
        "where",
        "  aggregate ?n := count(distinct ?x)",
        "    ?x a <http://e/C>",
    )
    assert "SELECT DISTINCT" not in text


def test_a_type_tells_what_least_means() -> None:
    head = ("rows ?x ?l", "  ?m: literal <http://www.w3.org/2001/XMLSchema#integer>", "where")
    text = of(*head, "  aggregate ?l := min(?m) per ?x", "    ?x <http://e/v> ?m")
    assert "(MIN(?m) AS ?l)" in text


def test_an_extension_is_a_bind() -> None:
    text = written("extensions")
    assert text.index("BIND(?m + 1 AS ?a)") < text.index("BIND(?a * ?m AS ?b)")


def test_an_order_without_a_cut_is_none() -> None:
    text = of(
        "rows ?x",
        "where",
        "  slice ?x by descending ?m",
        "    ?x <http://e/mass> ?m",
    )
    assert text == "SELECT DISTINCT ?x WHERE {\n  ?x <http://e/mass> ?m .\n}\n"


def test_a_page() -> None:
    text = of(
        "rows ?x ?m",
        "where",
        "  slice ?x ?m by ?m limit 3 offset 6",
        "    ?x <http://e/mass> ?m",
    )
    assert text.endswith("}\nORDER BY ASC(?m)\nLIMIT 3\nOFFSET 6\n")


def test_texts_are_put_together_with_their_separator() -> None:
    text = of(
        "rows ?x ?t",
        "where",
        '  aggregate ?t := group_concat(distinct ?m separator "; \\"") per ?x',
        "    ?x <http://e/name> ?m",
    )
    assert '(GROUP_CONCAT(?m; SEPARATOR = "; \\"") AS ?t)' in text
    assert "SELECT DISTINCT ?x ?m" in text


def test_entities_are_compared_barely() -> None:
    assert "  FILTER(?y != ?z)\n" in written("two entities")


def test_what_a_filter_of_an_optional_looks_at_is_repeated_where_it_is_not_seen() -> None:
    assert written("optional with a filter on what is around").count("<http://e/v>") == 1
    assert written("optional with a filter on what is around", "qlever").count("<http://e/v>") == 2


def test_what_stands_deeper_in_an_optional_is_repeated_in_it() -> None:
    text = written("optional in an optional")
    assert text.count("?x <http://e/p> ?y") == 2


@pytest.mark.parametrize(
    ("name", "dialect", "optimize"),
    [
        ("sums", "sparql11", 0),
        ("least day", "jena", 0),
        ("sums of anything", "virtuoso", 1),
        ("truth as a value", "virtuoso", 1),
        ("optional with a union", "virtuoso", 1),
        ("negation of an optional", "virtuoso", 1),
        ("negation of an optional", "qlever", 1),
        ("an aggregate in a negation", "virtuoso", 1),
        ("one of", "virtuoso", 1),
        ("second page by anything", "qlever", 1),
    ],
)
def test_what_has_no_form_is_refused_by_name(name: str, dialect: str, optimize: int) -> None:
    with pytest.raises(UnsupportedOperation, match=dialect):
        written(name, dialect, optimize)


def test_a_constant_date_before_a_variable_is_turned_round_or_compared_by_its_ends() -> None:
    head = ("set ?x", "where", "  ?x <http://e/flown> ?d")
    date = '"1990-01-01"^^<http://www.w3.org/2001/XMLSchema#date>'
    assert of(*head, f"  if {date} < ?d") == of(*head, f"  if ?d > {date}")
    assert 'FILTER("1990-01-01~" <= CONCAT(' in of(*head, f"  if {date} <= ?d")


def test_a_quotient_by_zero_has_no_value() -> None:
    """Of doubles it would be infinity."""
    head = ("rows ?x ?q", "where", "  ?x <http://e/mass> ?m", "  ?x <http://e/v> ?n")
    assert "BIND(IF(?m = 0, " in of(*head, "  ?q := ?n / ?m")
    assert "BIND(?m / 2 AS ?q)" in of(*head, '  ?q := ?m / "2"^^<http://www.w3.org/2001/XMLSchema#integer>')


def test_an_exclusion_names_the_entity_in_a_list_where_same_term_is_lost_in_coalesce() -> None:
    lines = ("set ?x", "where", "  <http://e/a> <http://e/p> ?x", "  not", "    ?x is <http://e/a>")
    assert "FILTER(!COALESCE(IF(!isLiteral(?x), ?x IN (<http://e/a>), false), false))" in of(*lines, dialect="virtuoso")
    assert "sameTerm" in of(*lines)
