"""The reference evaluator, node by node, and the graph in memory."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import pytest

from pylf.errors import InputError, InvalidIR
from pylf.ir.evaluate import evaluate
from pylf.ir.graph import Graph
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Direction,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    Member,
    Not,
    Op,
    Path,
    Project,
    Query,
    TopK,
    Triple,
    Union,
)
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Schema
from pylf.ir.schema.vocabulary import StatementPattern, Vocabulary
from pylf.ir.terms import XSD, XSD_INTEGER, Blank, Iri, Literal, Var, tagged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path as FilePath

    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Node

NS = "http://e/"
RDF_VOCABULARY = Vocabulary("rdf")
NO_SCHEMA = Schema(MemorySource((), ()))
X, Y, Z, V, W, N = map(Var, ("x", "y", "z", "v", "w", "n"))


def iri(name: str) -> Iri:
    return Iri(NS + name)


def number(lexical: str) -> Literal:
    return Literal(lexical, XSD_INTEGER if lexical.lstrip("-").isdigit() else XSD + "decimal")


def graph(text: str) -> MemoryGraph:
    prefixes = f"@prefix : <{NS}> . @prefix xsd: <{XSD}> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> ."
    return MemoryGraph.parse(prefixes + text)


def ask(
    where: Graph,
    *conjuncts: Conjunct,
    out: Var = X,
    schema: Schema = NO_SCHEMA,
    vocabulary: Vocabulary = RDF_VOCABULARY,
) -> set[str]:
    """The answers of a set query, by local name or as literals are written, in whatever order conjuncts stand."""
    forms = {
        evaluate(Query(Form.SET, (out,), Body(order)), where, schema, vocabulary)
        for order in (conjuncts, conjuncts[::-1])
    }
    assert len(forms) == 1
    return {node.value.removeprefix(NS) if isinstance(node, Iri) else str(node) for node in forms.pop().values}


LIBRARY = graph(
    """
    :n1 a :Novel ; :set_in :paris, :oslo ; :pages 300 . :n2 a :Novel ; :set_in :oslo ; :pages 300.0 .
    :n3 a :Play ; :pages 120 . :n4 a :Novel ; :pages "many" . :ann :wrote :n1, :n2 . :bo :wrote :n3 .
    """
)
WORKS = Schema(
    MemorySource(
        (),
        (Class(NS + "Work"), Class(NS + "Novel", parents=(NS + "Work",)), Class(NS + "Play", parents=(NS + "Work",))),
    )
)
A_WORK = InstanceOf(X, (iri("Work"),))


# --- one node after the other ----------------------------------------------------------------------------------------


def test_triple() -> None:
    assert ask(LIBRARY, Triple(X, iri("set_in"), iri("oslo"))) == {"n1", "n2"}
    assert ask(LIBRARY, Triple(iri("n1"), iri("set_in"), X)) == {"paris", "oslo"}
    assert ask(LIBRARY, Triple(iri("n1"), X, iri("oslo"))) == {"set_in"}
    assert ask(LIBRARY, Triple(X, iri("set_in"), Y), Triple(Z, iri("wrote"), X), out=Z) == {"ann"}
    assert ask(graph(":a :p :a, :b . :b :p :a ."), Triple(X, iri("p"), X)) == {"a"}
    assert ask(graph(":a :a :a . :b :b :a ."), Triple(X, X, X)) == {"a"}


def test_terms_meet_as_terms() -> None:
    assert ask(LIBRARY, Triple(X, iri("pages"), number("300"))) == {"n1"}
    # a literal is the subject of nothing
    assert ask(LIBRARY, Triple(iri("n1"), iri("pages"), Y), Triple(Y, iri("pages"), X)) == set()


def test_instance_of_follows_the_schema() -> None:
    assert ask(LIBRARY, A_WORK, schema=WORKS) == {"n1", "n2", "n3", "n4"}
    assert ask(LIBRARY, A_WORK) == set()
    assert ask(LIBRARY, InstanceOf(X, (iri("Play"), iri("Novel")))) == {"n1", "n2", "n3", "n4"}
    assert ask(LIBRARY, A_WORK, Triple(iri("bo"), iri("wrote"), X), schema=WORKS) == {"n3"}
    assert ask(LIBRARY, A_WORK, Member(X, (iri("n1"), iri("paris"), number("300"))), schema=WORKS) == {"n1"}
    assert ask(LIBRARY, InstanceOf(X, ())) == set()


def test_instance_of_signature_classes() -> None:
    schema = Schema(
        MemorySource(
            (),
            (
                Class("urn:s", subjects_of=NS + "pages"),
                Class("urn:o", objects_of=NS + "set_in"),
                Class("urn:v", objects_of=NS + "pages"),
            ),
        )
    )
    assert ask(LIBRARY, InstanceOf(X, (Iri("urn:s"),)), schema=schema) == {"n1", "n2", "n3", "n4"}
    assert ask(LIBRARY, InstanceOf(X, (Iri("urn:o"),)), schema=schema) == {"paris", "oslo"}
    assert ask(LIBRARY, InstanceOf(X, (Iri("urn:o"),)), Triple(iri("n2"), Y, X), schema=schema) == {"oslo"}
    # instances are entities
    assert ask(LIBRARY, InstanceOf(X, (Iri("urn:v"),)), schema=schema) == set()


def test_every_type_predicate_counts() -> None:
    vocabulary = Vocabulary("two", type_predicates=(NS + "is", NS + "was"))
    where = graph(":a :is :C . :b :was :C . :c a :C .")
    assert ask(where, InstanceOf(X, (iri("C"),)), vocabulary=vocabulary) == {"a", "b"}


def test_compare() -> None:
    assert ask(LIBRARY, Triple(X, iri("pages"), V), Compare(Op.EQ, V, number("300"))) == {"n1", "n2"}
    assert ask(LIBRARY, Triple(X, iri("pages"), V), Compare(Op.LT, V, number("1000"))) == {"n1", "n2", "n3"}
    assert ask(LIBRARY, Triple(X, iri("pages"), V), Compare(Op.NE, V, number("300"))) == {"n3"}


def test_case_4_what_is_no_number_satisfies_no_numeric_comparison() -> None:
    where = graph(
        ':a :h 10 . :b :h "hello"^^xsd:integer . :c :h "abc" . :d :h "NaN"^^xsd:double . :e :h true . :f :h :g .'
    )
    for kind in (Kind.ANY, Kind.NUMBER):
        assert ask(where, Triple(X, iri("h"), V), Compare(Op.GT, V, number("5"), kind)) == {"a"}
        assert ask(where, Triple(X, iri("h"), V), Compare(Op.NE, V, number("5"), kind)) == {"a"}
        assert ask(where, Triple(X, iri("h"), V), Compare(Op.LT, V, number("5"), kind)) == set()


def test_member() -> None:
    assert ask(LIBRARY, Member(X, (iri("n1"), iri("nowhere")))) == {"n1", "nowhere"}
    assert ask(LIBRARY, Member(X, (iri("n1"), iri("n4"))), Triple(X, iri("set_in"), Y)) == {"n1"}
    assert ask(LIBRARY, Member(X, ())) == set()
    # as a term, not by value
    assert ask(LIBRARY, Triple(X, iri("pages"), V), Member(V, (number("300"),))) == {"n1"}


def test_confidence() -> None:
    says = StatementPattern(confidence=NS + "conf")
    where = graph(
        """:s1 rdf:subject :a ; rdf:predicate :r ; rdf:object :b ; :conf 0.9 .
        :s2 rdf:subject :a ; rdf:predicate :r ; rdf:object :c ; :conf 0.2 . :a :r :d ."""
    )
    vocabulary = Vocabulary("uncertain", statements=says)
    sure = (Confidence(iri("a"), iri("r"), X, V), Compare(Op.GT, V, number("0.5")))
    assert ask(where, *sure, vocabulary=vocabulary) == {"b"}
    query = Query(Form.SUBGRAPH, (X, Y, Z, V), Body((Confidence(X, Y, Z, V),)))
    found = evaluate(query, where, NO_SCHEMA, vocabulary)
    assert [row[2:] for row in found.rows] == [(iri("b"), number("0.9")), (iri("c"), number("0.2"))]
    assert not found.empty


def test_not() -> None:
    assert ask(LIBRARY, A_WORK, Not(Body((Triple(X, iri("set_in"), iri("paris")),))), schema=WORKS) == {
        "n2",
        "n3",
        "n4",
    }
    assert ask(LIBRARY, A_WORK, Not(Body((Triple(X, iri("set_in"), Y),))), schema=WORKS) == {"n3", "n4"}
    # nothing shared: the body holds or it does not
    assert ask(LIBRARY, A_WORK, Not(Body((Triple(Y, iri("wrote"), Z),))), schema=WORKS) == set()
    assert ask(LIBRARY, A_WORK, Not(Body((Triple(Y, iri("burnt"), Z),))), schema=WORKS) == {"n1", "n2", "n3", "n4"}
    assert ask(LIBRARY, A_WORK, Not(Body()), schema=WORKS) == set()
    assert ask(LIBRARY, A_WORK, Not(Body((Compare(Op.IS, X, iri("n1")),))), schema=WORKS) == {"n2", "n3", "n4"}


def test_union() -> None:
    arms = Union((Body((Triple(iri("ann"), iri("wrote"), X),)), Body((Triple(X, iri("pages"), number("120")),))))
    assert ask(LIBRARY, arms) == {"n1", "n2", "n3"}
    assert ask(LIBRARY, arms, Triple(X, iri("set_in"), iri("paris"))) == {"n1"}
    assert ask(LIBRARY, Union(())) == set()
    # an arm that can never hold takes nothing away
    assert ask(LIBRARY, Union((Body((Triple(X, iri("wrote"), Y),)), Body((Member(Z, ()),))))) == {"ann", "bo"}


def test_the_arms_of_a_union_see_what_is_bound_around_them() -> None:
    late = Union((Body((Not(Body((Triple(X, iri("set_in"), Y),))),)), Body((Triple(X, iri("set_in"), iri("paris")),))))
    assert ask(LIBRARY, A_WORK, late, schema=WORKS) == {"n1", "n3", "n4"}
    either = Union((Body((Compare(Op.GT, V, number("200")),)), Body((Compare(Op.LT, V, number("50")),))))
    assert ask(LIBRARY, Triple(X, iri("pages"), V), either) == {"n1", "n2"}


def test_unions_that_need_each_other() -> None:
    where = graph(":a :p :b . :c :q :d . :b :r :a . :e :s :f .")
    one = Union((Body((Triple(X, iri("p"), Y),)), Body((Triple(X, iri("q"), iri("d")),))))
    other = Union((Body((Triple(Y, iri("r"), X),)), Body((Triple(Y, iri("s"), iri("f")),))))
    assert ask(where, one, other) == {"a", "c"}
    assert ask(where, one, other, out=Y) == {"b", "e"}


def test_project_hides_what_it_does_not_export() -> None:
    inner = Project((X,), Body((Triple(X, iri("set_in"), Y),)))
    assert ask(LIBRARY, inner, Triple(Y, iri("wrote"), X), out=Y) == {"ann"}
    assert ask(LIBRARY, inner, Member(Y, (iri("nowhere"),))) == {"n1", "n2"}


def test_count() -> None:
    def count(*conjuncts: Conjunct) -> int | None:
        query = Query(Form.NUMBER, (N,), Body((Count(N, V, Body(conjuncts)),)))
        return evaluate(query, LIBRARY, NO_SCHEMA, RDF_VOCABULARY).number

    # by value: 300 and 300.0 are one, "many" is another
    assert count(Triple(X, iri("pages"), V)) == 3
    assert count(Triple(V, iri("set_in"), X)) == 2
    assert count(Triple(V, iri("burnt"), X)) == 0


def test_count_by_group() -> None:
    per_work = Count(N, Y, Body((Triple(X, iri("set_in"), Y),)), (X,))
    assert ask(LIBRARY, per_work, Compare(Op.GE, N, number("2"))) == {"n1"}
    assert ask(LIBRARY, Count(N, Y, Body((Triple(X, iri("burnt"), Y),)), (X,))) == set()


def test_case_6_extremes_keep_all_ties() -> None:
    where = graph(':a :height 5 . :b :height 5.0 . :c :height 3 . :d :height "tall" .')
    body = Body((Triple(X, iri("height"), V),))
    for kind in (Kind.ANY, Kind.NUMBER):
        assert ask(where, Extreme(Direction.MAX, X, V, body, kind)) == {"a", "b"}
        assert ask(where, Extreme(Direction.MIN, X, V, body, kind)) == {"c"}
    assert ask(where, Extreme(Direction.MAX, X, V, body, Kind.TEXT)) == {"d"}
    assert ask(where, Extreme(Direction.MAX, X, V, body, Kind.DATE)) == set()


def test_extremes_of_any_kind_are_of_numbers_if_there_are_any() -> None:
    where = graph(':a :k "2001"^^xsd:gYear . :b :k "2001-01-01"^^xsd:date . :c :k "x" . :d :k 7 .')
    dates = (Triple(X, iri("k"), V), Not(Body((Compare(Op.EQ, V, number("7")),))))
    assert ask(where, Extreme(Direction.MIN, X, V, Body((Triple(X, iri("k"), V),)))) == {"d"}
    # a year ties with its first day
    assert ask(where, Extreme(Direction.MIN, X, V, Body(dates))) == {"a", "b"}


def test_nested_extremes_are_closed() -> None:
    inner = Extreme(Direction.MIN, X, V, Body((Triple(X, iri("pages"), V),)))
    assert ask(LIBRARY, inner, Triple(Y, iri("wrote"), X), out=Y) == {"bo"}
    # the same names inside mean other variables
    assert ask(LIBRARY, inner, Triple(X, iri("pages"), V), out=V) == {f'"120"^^<{XSD_INTEGER}>'}
    outer = Extreme(Direction.MAX, Y, W, Body((inner, Triple(Y, iri("wrote"), X), Triple(X, iri("pages"), W))))
    assert ask(LIBRARY, outer, out=Y) == {"bo"}


@pytest.mark.parametrize(
    ("k", "expected"), [(0, ""), (1, "ab"), (2, "ab"), (3, "abc"), (4, "abcde"), (5, "abcde"), (9, "abcdef")]
)
def test_top_k_keeps_ties_at_the_last_place(k: int, expected: str) -> None:
    where = graph(":a :k 9, 1 . :b :k 9.0 . :c :k 8 . :d :k 7 . :e :k 7, 2 . :f :k 0 .")
    body = Body((Triple(X, iri("k"), V),))
    assert ask(where, TopK(Direction.MAX, k, X, V, body)) == set(expected)


def test_path_is_walked_hop_by_hop() -> None:
    walk = Path((iri("ann"), X, Y), (iri("wrote"), iri("set_in")), (True, True))
    assert ask(LIBRARY, walk, out=Y) == {"paris", "oslo"}
    back = Path((iri("paris"), X, Y), (iri("set_in"), iri("wrote")), (False, False))
    assert ask(LIBRARY, back, out=Y) == {"ann"}
    rows = evaluate(Query(Form.ROWS, (Y, X), Body((walk,))), LIBRARY, NO_SCHEMA, RDF_VOCABULARY).rows
    assert rows == ((iri("oslo"), iri("n1")), (iri("oslo"), iri("n2")), (iri("paris"), iri("n1")))


def test_closure() -> None:
    where = graph(":a :r :b . :b :r :c, :a . :d :r :d . :c :r 1 .")
    assert ask(where, Closure(iri("a"), iri("r"), X)) == {"a", "b", "c", f'"1"^^<{XSD_INTEGER}>'}
    assert ask(where, Closure(X, iri("r"), iri("c"))) == {"a", "b"}
    assert ask(where, Closure(X, iri("r"), iri("c"), 0)) == {"a", "b", "c"}
    assert ask(where, Closure(iri("nowhere"), iri("r"), X, 0)) == {"nowhere"}
    assert ask(where, Closure(iri("nowhere"), iri("r"), X)) == set()
    assert ask(where, Closure(X, iri("r"), Y), Triple(X, iri("r"), X)) == {"d"}
    assert ask(where, Triple(X, iri("r"), Y), Closure(Y, iri("r"), X)) == {"a", "b", "d"}
    assert ask(where, Closure(X, iri("r"), Y)) == {"a", "b", "d", "c"}
    assert ask(where, Closure(X, iri("r"), X)) == {"a", "b", "d"}
    with pytest.raises(InvalidIR, match="nothing binds"):
        ask(where, Closure(X, iri("r"), Y, 0))


def test_values_meet_by_value_across_parts() -> None:
    where = graph(':a :p 10 . :b :q 10.0 . :c :q "10" . :d :q "1e1"^^xsd:double . :e :q "ten" .')
    linked = (Triple(iri("a"), iri("p"), V), Triple(X, iri("q"), W), Compare(Op.IS, W, V))
    assert ask(where, *linked) == {"b", "d"}
    assert ask(where, *linked[:2], Compare(Op.EQ, W, V)) == {"b", "d"}


def test_forms() -> None:
    def run(form: Form, outputs: tuple[Var, ...], *conjuncts: Conjunct) -> Answers:
        return evaluate(Query(form, outputs, Body(conjuncts)), LIBRARY, NO_SCHEMA, RDF_VOCABULARY)

    assert run(Form.BOOLEAN, (), Triple(X, iri("wrote"), Y)).boolean is True
    assert run(Form.BOOLEAN, (), Triple(X, iri("burnt"), Y)).boolean is False
    assert run(Form.BOOLEAN, ()).boolean is True
    # distinct by value; of several spellings the smallest datatype stands for them
    assert run(Form.SET, (V,), Triple(X, iri("pages"), V)).values == (number("120"), number("300.0"), Literal("many"))
    assert run(Form.ROWS, (V, V), Triple(X, iri("pages"), V)).rows[0] == (number("120"), number("120"))
    with pytest.raises(InvalidIR, match="one integer"):
        run(Form.NUMBER, (V,), Triple(X, iri("pages"), V))
    with pytest.raises(InvalidIR, match="one integer"):
        run(Form.NUMBER, (V,), Triple(X, iri("burnt"), V))


@pytest.mark.parametrize(
    "conjuncts",
    [
        (Not(Body((Triple(X, iri("set_in"), Y),))),),
        (Triple(Y, iri("set_in"), Z),),
        (Triple(X, iri("pages"), V), Compare(Op.GT, W, number("1"))),
        (Triple(X, iri("pages"), V), Not(Body((Compare(Op.GT, W, V),)))),
        (Union((Body((Triple(X, iri("pages"), V),)), Body((Triple(Y, iri("pages"), V),)))),),
    ],
)
def test_what_nothing_binds_is_refused(conjuncts: tuple[Conjunct, ...]) -> None:
    with pytest.raises(InvalidIR, match="nothing binds"):
        ask(LIBRARY, *conjuncts)


# --- cases -----------------------------------------------------------------------------------------------------------


def test_case_7_the_topic_may_be_an_answer() -> None:
    where = graph(":a :sibling :b . :b :sibling :a .")
    assert ask(where, Triple(X, iri("sibling"), Y), Triple(Y, iri("sibling"), iri("a"))) == {"a"}


def test_case_14_nested_negation() -> None:
    where = graph(":root a :El ; :part :body . :body a :El ; :part :leaf . :leaf a :El ; :f 1 .")
    without = Not(Body((Triple(X, iri("part"), Y), Not(Body((Triple(Y, iri("f"), Z),))))))
    assert ask(where, InstanceOf(X, (iri("El"),)), without) == {"body", "leaf"}


def test_case_15_an_outer_variable_compared_inside_a_negation() -> None:
    where = graph(":a :p 1 ; :q 1, 2 . :b :p 3.0 ; :q 4.0, 5.0 .")
    for op in (Op.EQ, Op.IS):
        differs = Not(Body((Triple(X, iri("q"), W), Compare(op, W, V))))
        assert ask(where, Triple(X, iri("p"), V), differs) == {"b"}


def test_case_18_the_place_of_a_negation_means_nothing() -> None:
    where = graph(":a :p 1 . :b :p 2 .")
    without = Not(Body((Triple(X, iri("p"), number("1")),)))
    assert ask(where, without, Triple(X, iri("p"), Y)) == {"b"}
    assert ask(where, Triple(X, iri("p"), Y), without) == {"b"}


def test_case_22_not_directed_by_is_not_directed_by_another() -> None:
    where = graph(":f a :Film ; :by :x, :y . :g a :Film ; :by :y . :h a :Film . :x :of :s . :y :of :t .")
    film = InstanceOf(X, (iri("Film"),))
    assert ask(where, film, Not(Body((Triple(X, iri("by"), iri("x")),)))) == {"g", "h"}
    assert ask(where, Triple(X, iri("by"), Y), Not(Body((Compare(Op.IS, Y, iri("x")),)))) == {"f", "g"}
    # the whole chain negated, and its inner hop negated
    assert ask(where, film, Not(Body((Triple(X, iri("by"), Y), Triple(Y, iri("of"), iri("s")))))) == {"g", "h"}
    assert ask(where, Triple(X, iri("by"), Y), Not(Body((Triple(Y, iri("of"), iri("s")),)))) == {"f", "g"}


# --- size ------------------------------------------------------------------------------------------------------------


def test_thousands_of_conjuncts() -> None:
    where = graph(":a :r :a, :b . :b :r :a .")
    steps = [Triple(Var(f"v{i}"), iri("r"), Var(f"v{i + 1}")) for i in range(3000)]
    random.Random(5).shuffle(steps)
    assert ask(where, *steps, out=Var("v0")) == {"a", "b"}
    apart = [Triple(Var(f"x{i}"), iri("r"), Var(f"y{i}")) for i in range(3000)]
    assert ask(where, *apart, out=Var("x7")) == {"a", "b"}
    linked = [Compare(Op.IS, Var(f"x{i}"), Var(f"y{i + 1}")) for i in range(2999)]
    assert ask(where, *apart, *linked, out=Var("x0")) == {"a", "b"}


def test_a_hundred_negations_deep() -> None:
    chain = graph("".join(f":a{i} :r :a{i + 1} ." for i in range(120)))
    body = Body((Triple(Var("v100"), iri("r"), Var("v101")),))
    for depth in range(99, -1, -1):
        body = Body((Triple(Var(f"v{depth}"), iri("r"), Var(f"v{depth + 1}")), Not(body)))
    assert ask(chain, *body.conjuncts, out=Var("v0"))


def test_parts_that_are_not_linked_do_not_multiply() -> None:
    many = graph("".join(f":a{i} :r :b{i} . :c{i} :s {i} ." for i in range(3000)))
    assert len(ask(many, Triple(X, iri("r"), Y), Triple(Z, iri("s"), V))) == 3000
    by_value = (Triple(X, iri("s"), V), Triple(Y, iri("s"), W), Compare(Op.IS, V, W))
    assert len(ask(many, *by_value)) == 3000


# --- any graph -------------------------------------------------------------------------------------------------------


class Listing:
    """A graph that can do nothing but list."""

    def __init__(self, triples: Iterable[TripleRow]) -> None:
        self.rows = list(triples)

    def triples(self, *places: Node | None) -> Iterator[TripleRow]:
        return (row for row in self.rows if all(p in {None, n} for p, n in zip(places, row, strict=False)))


def test_any_graph_serves() -> None:
    listing = Listing(LIBRARY)
    assert isinstance(listing, Graph)
    assert isinstance(LIBRARY, Graph)
    assert ask(listing, Triple(X, iri("set_in"), Y), Triple(Z, iri("wrote"), X), out=Z) == {"ann"}
    assert ask(listing, A_WORK, Not(Body((Triple(X, iri("set_in"), Y),))), schema=WORKS) == {"n3", "n4"}


def test_memory_graph_looks_up_by_every_place() -> None:
    rows = [*LIBRARY, *LIBRARY]
    twice = MemoryGraph(rows)
    assert len(twice) == len(set(rows))
    assert rows[0] in twice
    listing = Listing(twice)
    for subject, predicate, object_ in rows:
        for mask in itertools.product((True, False), repeat=3):
            places = [node if kept else None for node, kept in zip((subject, predicate, object_), mask, strict=True)]
            assert sorted(map(str, twice.triples(*places))) == sorted(map(str, listing.triples(*places)))
            assert twice.count(*places) == len(list(listing.triples(*places)))
    assert list(twice.triples(iri("nowhere"))) == []


def test_memory_graph_reads_files(tmp_path: FilePath) -> None:
    import gzip

    text = '<http://e/a> <http://e/p> "x"@EN, 01, _:b .\n<http://e/a> <http://e/p> 01 .'
    plain, packed = tmp_path / "g.ttl", tmp_path / "g.ttl.gz"
    plain.write_text(text, encoding="utf-8")
    packed.write_bytes(gzip.compress(text.encode()))
    for path in (plain, packed):
        objects = {o for _, _, o in MemoryGraph.read(path)}
        # lexical forms stay as they are, tags are in lower case
        assert {tagged("x", "en"), Literal("01", XSD_INTEGER)} < objects
        assert any(isinstance(o, Blank) for o in objects)
    with pytest.raises(InputError, match="nowhere"):
        MemoryGraph.read(tmp_path / "nowhere.nt")
    with pytest.raises(InputError, match="file name ends in"):
        MemoryGraph.read(tmp_path / "g.csv")
    packed.write_bytes(gzip.compress(text.encode())[:20])
    with pytest.raises(InputError, match=r"g\.ttl\.gz"):
        MemoryGraph.read(packed)
    plain.write_text("<a> <b> .", encoding="utf-8")
    with pytest.raises(InputError, match=r"g\.ttl:1"):
        MemoryGraph.read(plain)
