"""Random queries of the wide tier: well formed, of every node, and the same for the same seed."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import get_args

import pytest

from pylf.ir.canonical import fingerprint
from pylf.ir.expressions import FUNCTIONS, functions_in
from pylf.ir.nodes import Condition, Conjunct, Extend, Form
from pylf.ir.text import parse_query, print_query
from pylf.ir.traverse import walk
from pylf.ir.verify import verify
from pylf.testing.drawn.wide import STRATA, Names, names_of, wide_query
from pylf.testing.drawn.worlds import block
from pylf.testing.ir_strategies import disguised, random_query
from tests.ir.small_queries import CLASSES, ENTITIES, RELATIONS, VALUES

NAMES = Names(RELATIONS, CLASSES, ENTITIES, VALUES)


def test_any_query_of_both_tiers() -> None:
    found: Counter[object] = Counter()
    for seed in range(500):
        query = random_query(Random(seed), 3, wide=True)
        verify(query)
        assert query == random_query(Random(seed), 3, wide=True)
        for conjunct in walk(query):
            found[type(conjunct)] += 1
            if isinstance(conjunct, Condition | Extend):
                found.update([one.function for one in functions_in(conjunct.expression)])
    assert min(found[one] for one in get_args(Conjunct)) > 50
    assert min(found[name] for name in FUNCTIONS) > 3


def test_text_and_fingerprints_of_them() -> None:
    for seed in range(200):
        random = Random(seed)
        query = random_query(random, 2, wide=True)
        assert parse_query(print_query(query)) == query
        assert fingerprint(disguised(query, random)) == fingerprint(query), print_query(query)


@pytest.mark.parametrize("stratum", STRATA)
def test_each_stratum(stratum: str) -> None:
    forms: Counter[Form] = Counter()
    for seed in range(40):
        query = wide_query(Random(seed), NAMES, stratum)
        verify(query)
        forms[query.form] += 1
        assert parse_query(print_query(query)) == query
    assert {Form.SET, Form.ROWS, Form.BOOLEAN} == set(forms)


def test_names_are_those_of_a_graph() -> None:
    some = 0
    for number in range(10):
        drawn = block(3, number)
        triples = drawn.setting.triples
        names = names_of(Random(number), drawn.schema, triples)
        if names is not None:
            some += 1
            nodes = {node for triple in triples for node in triple}
            assert nodes.issuperset((*names.relations, *names.entities, *names.values))
            verify(wide_query(Random(number), names))
    assert some > 3
