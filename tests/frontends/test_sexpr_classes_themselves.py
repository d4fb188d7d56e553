"""Where a class's name is the class itself: beside the relations that a vocabulary says to lead to classes."""

from __future__ import annotations

import pytest

from pylf.frontends.sexpr.parser import parse
from pylf.frontends.sexpr.to_pylf import to_program
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import OWL, RDFS
from pylf.language.printer import print_program

E = "http://e/"


def kind_of_start(relation: str, vocabulary: Vocabulary, inverse: bool = False) -> str:
    """What the class of lakes is taken for beside a relation: ``class`` (its instances) or ``entity`` (itself)."""
    rows = [
        Relation(E + "kind"),
        Relation(E + "sort", range=((E + "Kind", E + "Other"),)),
        Relation(E + "members", domain=((E + "Kind",),)),
        Relation(E + "class", range=((RDFS + "Class",),)),
        Relation(E + "concept", range=((OWL + "Class",),)),
        Relation(E + "near", range=((E + "Lake",),)),
    ]
    schema = Schema(MemorySource(rows, [Class(E + "Lake"), Class(E + "Kind"), Class(E + "Other")]))
    place = f"(R {relation})" if inverse else relation
    program = print_program(to_program(parse(f"(JOIN {place} Lake)"), schema, vocabulary))
    return program.partition("kind='")[2].partition("'")[0]


PLAIN = Vocabulary("plain")
OWN = Vocabulary("own", class_relations=(E + "kind",), metaclasses=(E + "Kind",))


@pytest.mark.parametrize(
    ("relation", "plain", "own"),
    [
        ("kind", "class", "entity"),
        ("sort", "class", "entity"),
        ("class", "entity", "class"),
        ("concept", "entity", "class"),
        ("near", "class", "class"),
        ("members", "class", "class"),
    ],
)
def test_a_relation_leads_to_classes_where_the_vocabulary_says_so(relation: str, plain: str, own: str) -> None:
    assert (kind_of_start(relation, PLAIN), kind_of_start(relation, OWN)) == (plain, own)


def test_only_the_end_of_which_it_is_said() -> None:
    assert kind_of_start("members", OWN, inverse=True) == "entity"
    assert kind_of_start("sort", OWN, inverse=True) == "class"
    assert kind_of_start("kind", OWN, inverse=True) == "class"


def test_type_predicates_always_lead_to_classes() -> None:
    assert kind_of_start("isa", Vocabulary("typed", type_predicates=(E + "isa",), prefixes={"": E})) == "class"
    assert kind_of_start(":isa", Vocabulary("typed", type_predicates=(E + "isa",), prefixes={"": E})) == "entity"
