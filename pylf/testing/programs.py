"""Random typed programs over one fixed schema, on random tiny graphs.

To be taken where a test names relations and classes of its own (``ac`` and ``R_ca`` are inverses, ``num`` leads to
numbers), or wants programs without a graph: what :func:`pairs` gives is had again by seed and number, and names nothing
that :func:`schema` does not know. More than half of these programs have an empty answer. Where the schema is to vary,
or answers are to be there, :mod:`pylf.testing.drawn` is what to take; :func:`worlds` is its strategy for hypothesis, in
the shape of this module. The world is small and nasty on purpose: relations with several values and with none,
self-loops, values of every kind under one relation, dates of every precision, ill-typed literals, a relation without
domain, one without range, a datatype range, labels that two entities share.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.terms import RDF, RDFS, XSD, XSD_DECIMAL, XSD_STRING, Iri, Literal, tagged
from pylf.language import syntax
from pylf.testing.drawn.schemas import NS, VOCABULARY
from pylf.testing.drawn.worlds import drawn_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

    from pylf.ir.graph import TripleRow
    from pylf.testing.drawn.worlds import Setting

__all__ = ["NS", "VOCABULARY", "World", "pairs", "random_program", "random_triples", "schema", "worlds"]

_A, _B, _C = NS + "A", NS + "B", NS + "C"


#: by the sort of the answers: a relation with its direction, and the sort of its other end
_EDGES = {
    "A": (
        *(("aa", "A"), ("R_aa", "A"), ("ac", "C"), ("R_ca", "C"), ("bx", "A"), ("bx", "V")),
        *(("ux", "C"), ("num", "V"), ("day", "V"), ("val", "V")),
    ),
    "C": (("ca", "A"), ("R_ac", "A"), ("ux", "C"), ("R_ux", "A"), ("R_xc", "A"), ("txt", "V"), ("val", "V")),
}


def schema() -> Schema:
    """The schema that every tiny graph has: B below A, C apart (but not said to be disjoint)."""
    relations = [
        Relation(NS + "aa", domain=((_A,),), range=((_A,),)),
        Relation(NS + "ac", domain=((_A,),), range=((_C,),), inverse=NS + "ca"),
        Relation(NS + "ca", domain=((_C,),), range=((_A,),), inverse=NS + "ac"),
        Relation(NS + "bx", domain=((_B,),)),
        Relation(NS + "ux", domain=((_A, _C),), range=((_B, _C),)),
        Relation(NS + "xc", range=((_C,),)),
        Relation(NS + "num", domain=((_A,),), datatypes=(XSD_DECIMAL,)),
        Relation(NS + "day", domain=((_A,),), datatypes=(XSD + "date",)),
        Relation(NS + "txt", domain=((_C,),), datatypes=(XSD_STRING,)),
        Relation(NS + "val", domain=((_A, _C),)),
    ]
    classes = [Class(_A), Class(_B, parents=(_A,)), Class(_C)]
    return Schema(MemorySource(relations, classes, {}))


#: Values that engines are known to disagree about, beside plain ones.
LITERALS: tuple[Literal, ...] = (
    *(Literal(n, XSD + "integer") for n in ("1", "2", "10", "01", "-3", "1990", "9007199254740993")),
    *(Literal(n, XSD_DECIMAL) for n in ("1.0", "2.50", "10.0", "-3.0", ".5")),
    *(Literal(n, XSD + "double") for n in ("1e0", "1.0E1", "2.5e0", "NaN", "INF", "-INF", "1990.0", "-0.0")),
    Literal("1", XSD + "float"),
    Literal("10", XSD + "nonNegativeInteger"),
    Literal("abc", XSD + "integer"),
    Literal("many"),
    Literal("1990"),
    Literal("10"),
    Literal("true", XSD + "boolean"),
    tagged("many", "en"),
    *(Literal(d, XSD + "gYear") for d in ("1990", "1991", "-0044", "12000", "1990Z")),
    *(Literal(d, XSD + "gYearMonth") for d in ("1990-07", "1991-01", "1990-12")),
    *(Literal(d, XSD + "date") for d in ("1990-07-01", "1990-12-31", "1991-01-01", "-0044-03-15", "1990-07-01Z")),
    *(Literal(d, XSD + "dateTime") for d in ("1990-12-31T23:59:59", "1991-01-01T00:00:00Z", "1990-07-01T12:00:00.5")),
    Literal("199", XSD + "gYear"),
    Literal("1990-02-30", XSD + "date"),
)
_LABELS = (Literal("one"), Literal("two"), tagged("one", "en"), Literal('q"'))
_NUMBERS = ("1", "2.5", "10", "-3", "1e1", "0", "1990")
_DATES = ("1990", "1990-07", "1990-12-31", "1991-01-01T00:00:00", "-0044", "1991", "12000")
_TEXTS = ("many", "10", "a b")


class World(NamedTuple):
    """A graph with its schema, and a program over them."""

    triples: tuple[TripleRow, ...]
    graph: MemoryGraph
    schema: Schema
    program: syntax.Program


def pairs(seed: int, count: int, per_graph: int = 8) -> Iterator[World]:
    """``count`` programs, ``per_graph`` on each random graph, the same for the same seed."""
    random = Random(seed)
    known = schema()
    while count > 0:
        triples = random_triples(random)
        graph = MemoryGraph(triples)
        for _ in range(min(per_graph, count)):
            yield World(triples, graph, known, random_program(random))
        count -= per_graph


def worlds() -> SearchStrategy[World]:
    """A hypothesis strategy of worlds, each with its own schema; shrinks towards few triples and small programs."""

    def build(pair: tuple[Setting, syntax.Program]) -> World:
        setting, program = pair
        return World(setting.triples, MemoryGraph(setting.triples), setting.rows.schema(), program)

    return drawn_pairs().map(build)


def random_triples(random: Random) -> tuple[TripleRow, ...]:
    """A graph of at most nine entities and some thirty triples; types are mostly, not always, as the schema says."""
    entities = [Iri(NS + f"e{i}") for i in range(random.randint(2, 8))]
    type_, label = Iri(RDF + "type"), Iri(RDFS + "label")
    triples: list[TripleRow] = []
    of_class: dict[str, list[Iri]] = {_A: [], _B: [], _C: []}
    for entity in entities:
        for class_ in random.choice(((_A,), (_A,), (_B,), (_B,), (_C,), (_C,), (_A, _C), ())):
            triples.append((entity, type_, Iri(class_)))
            of_class[class_].append(entity)
        triples.append((entity, label, random.choice(_LABELS)))
    ends = {"aa": (_A, _A), "ac": (_A, _C), "ca": (_C, _A), "bx": (_B, ""), "ux": ("", ""), "xc": ("", _C)}

    def some(class_: str) -> Iri:
        known = [*of_class.get(class_, ()), *(of_class[_B] if class_ == _A else ())]
        return random.choice(known) if known and random.random() < 0.9 else random.choice(entities)

    for _ in range(random.randint(2, 14)):
        name = random.choice(tuple(ends))
        start, end = ends[name]
        object_ = random.choice(LITERALS) if name == "bx" and random.random() < 0.4 else some(end)
        triples.append((some(start), Iri(NS + name), object_))
    for _ in range(random.randint(1, 12)):
        name = random.choice(("num", "day", "txt", "val"))
        triples.append((some(_C if name == "txt" else _A), Iri(NS + name), random.choice(LITERALS)))
    return tuple(dict.fromkeys(triples))


def random_program(random: Random, depth: int = 4) -> syntax.Program:
    """A program whose names the schema knows and whose negation is safe; its types may clash only in degree."""
    expression = _Growing(random).answer(depth)
    return syntax.Program((syntax.Assignment("expression", syntax.Stop(expression)),))


@dataclass(slots=True)
class _Growing:
    """Grows an expression from its answer down. A sort is 'A', 'C' (entities) or 'V' (values)."""

    random: Random

    def pick(self, options: Sequence[str]) -> str:
        return self.random.choice(options)

    def answer(self, depth: int) -> syntax.Expression:
        expression = self.set_of(self.pick("AAACCV"), depth)
        match self.random.random():
            case r if r < 0.12:
                return syntax.CountOf(expression)
            case r if r < 0.18:
                return syntax.Ask(expression)
        return expression

    def set_of(self, sort: str, depth: int) -> syntax.Expression:
        if depth <= 0:
            return self.leaf(sort)
        roll = self.random.random()
        if sort == "V":
            return self.values(depth)
        if roll < 0.14:
            return self.leaf(sort)
        if roll < 0.60:
            return self.join(sort, depth)
        if roll < 0.76:
            return syntax.And(tuple(self.set_of(sort, depth - 1) for _ in range(self.random.choice((2, 2, 3)))))
        if roll < 0.80:
            return syntax.And((self.set_of(sort, depth - 1), self.unsafe(sort, depth)))
        if roll < 0.84:
            return syntax.Or((self.set_of(sort, depth - 1), self.set_of(sort, depth - 1)))
        if roll < 0.88:
            return syntax.Minus(self.set_of(sort, depth - 1), self.set_of(sort, depth - 1))
        if roll < 0.94:
            return self.arg(sort, depth)
        if roll < 0.96:
            return syntax.TimeConstraint(
                self.set_of(sort, depth - 1),
                self.name("day" if sort == "A" else "val"),
                self.date(),
                self.random.random() < 0.5,
            )
        return self.cmp(sort)

    def leaf(self, sort: str) -> syntax.Expression:
        roll = self.random.random()
        if sort == "V":
            return syntax.Start(self.constant())
        if roll < 0.35:
            return syntax.Start(syntax.Text({"A": self.pick("AAB"), "C": "C"}[sort]))
        if roll < 0.85:
            return syntax.Start(syntax.Text(f":e{self.random.randint(0, 5)}"))
        return syntax.Start(syntax.Text(self.pick(("one", "two", "none", 'q"'))), kind="entity")

    def join(self, sort: str, depth: int) -> syntax.Expression:
        name, other = self.random.choice(_EDGES[sort])
        relation: syntax.Relation = self.name(name)
        if name in ("aa", "R_aa") and self.random.random() < 0.1:
            relation = syntax.Reach(self.name(name), self.random.choice((0, 1)))
        elif name == "ac" and self.random.random() < 0.15:
            relation, other = syntax.RelationPath((self.name("ac"), self.name("ca"))), "A"
        negated = self.random.random() < 0.4
        return syntax.Join(relation, self.far(name, other, depth), negated)

    def far(self, name: str, other: str, depth: int) -> syntax.Expression:
        if other != "V":
            return self.set_of(other, depth - 1)
        if self.random.random() < 0.3:
            return self.values(depth - 1)
        return syntax.Start(self.constant_for(name), implicit=True)

    def unsafe(self, sort: str, depth: int) -> syntax.Expression:
        name = {"A": "R_bx", "C": "xc"}[sort]
        return syntax.Join(self.name(name), self.set_of("A" if sort == "A" else "C", depth - 1), True)

    def values(self, depth: int) -> syntax.Expression:
        roll = self.random.random()
        if roll < 0.1 or depth <= 0:
            return self.leaf("V")
        if roll < 0.2:
            return syntax.CountOf(self.set_of(self.pick("AC"), depth - 1))
        value = syntax.Join(self.name(self.pick(("R_num", "R_day", "R_val", "R_val"))), self.set_of("A", depth - 1))
        if roll < 0.35:
            other = syntax.Join(self.name("R_val"), self.set_of("C", depth - 1), self.random.random() < 0.5)
            return syntax.And((value, other))
        return value

    def arg(self, sort: str, depth: int) -> syntax.Expression:
        mode = self.pick(("ARGMAX", "ARGMIN"))
        of = self.set_of(sort, depth - 1)
        k = self.random.choice((None, None, None, 1, 2))
        if self.random.random() < 0.15:
            return syntax.Arg(mode, of, self.name("aa" if sort == "A" else "ca"), k, counted=True)
        relation: syntax.Relation = self.name(self.pick(("num", "day", "val")) if sort == "A" else "val")
        if sort == "C" and self.random.random() < 0.5:
            relation = syntax.RelationPath((self.name("ca"), self.name(self.pick(("num", "day", "val")))))
        return syntax.Arg(mode, of, relation, k)

    def cmp(self, sort: str) -> syntax.Expression:
        name = self.pick(("num", "day", "val")) if sort == "A" else self.pick(("val", "txt"))
        op = self.pick(("<", "<=", ">", ">=", "=", "!="))
        if sort == "C" and self.random.random() < 0.3:
            return syntax.Cmp(op, syntax.RelationPath((self.name("ca"), self.name("num"))), self.number())
        if sort == "C" and self.random.random() < 0.3:
            return syntax.Cmp(op, syntax.RelationPath((self.name("R_ac"), self.name("val"))), self.constant())
        return syntax.Cmp(op, self.name(name), self.constant_for(name))

    def constant_for(self, name: str) -> syntax.Text | syntax.Number:
        match name:
            case "num":
                return self.number()
            case "day":
                return self.date()
            case "txt":
                return syntax.Text(self.pick(_TEXTS))
        return self.constant()

    def constant(self) -> syntax.Text | syntax.Number:
        roll = self.random.random()
        if roll < 0.45:
            return self.number()
        if roll < 0.8:
            date = self.date()
            kinds = {4: "gYear", 5: "gYear", 7: "gYearMonth", 10: "date", 19: "dateTime"}
            return syntax.Text(f"{date.text}^^xsd:{kinds[len(date.text)]}")
        return syntax.Text(f"{self.pick(_TEXTS)}^^xsd:string")

    def number(self) -> syntax.Number:
        return syntax.Number(self.pick(_NUMBERS))

    def date(self) -> syntax.Text:
        return syntax.Text(self.pick(_DATES))

    def name(self, text: str) -> syntax.Name:
        return syntax.Name(text)
