"""Random graphs for a random schema: they mostly, not always, keep to it.

Small and nasty on purpose: relations with several values and with none, self-loops, values of every kind under one
relation, dates of every precision, ill-typed literals, labels that two entities share, blank nodes. A graph has few
different values, so that values meet and superlatives tie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.dates import DATE_DATATYPES
from pylf.ir.terms import RDF, RDFS, XSD, XSD_DECIMAL, Blank, Iri, Literal, tagged
from pylf.ir.values import FLOATING_DATATYPES, INTEGER_DATATYPES, NUMERIC_DATATYPES
from pylf.testing.drawn.schemas import NS

if TYPE_CHECKING:
    from random import Random

    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.terms import Node
    from pylf.testing.drawn.schemas import Rows

TYPE, LABEL = Iri(RDF + "type"), Iri(RDFS + "label")


def _typed(datatype: str, *forms: str) -> tuple[Literal, ...]:
    return tuple(Literal(form, XSD + datatype) for form in forms)


#: Plain values, and those that engines are known to disagree about.
VALUES: tuple[Literal, ...] = (
    *_typed("integer", "1", "2", "10", "01", "-3", "0", "1990", "9007199254740993", "300"),
    *_typed("decimal", "1.0", "2.50", "10.0", "-3.0", ".5", "2.5"),
    *_typed("double", "1e0", "1.0E1", "2.5e0", "NaN", "INF", "-INF", "1990.0", "-0.0", "-0"),
    *_typed("float", "1", "2.5", "16777217"),
    *_typed("nonNegativeInteger", "10"),
    *_typed("int", "2", "1990"),
    *_typed("integer", "abc", " 1"),
    *(Literal(text) for text in ("many", "1990", "10", "", "1990-07-01", 'say "x"\\', "é 😀")),
    *_typed("boolean", "true", "false", "1", "maybe"),
    *(tagged(*pair) for pair in (("many", "en"), ("many", "de"), ("10", "en-gb"))),
    *_typed("gYear", "1990", "1991", "2000", "-0044", "12000", "1990Z", "0000", "199"),
    *_typed("gYearMonth", "1990-07", "1991-01", "1990-12", "-0044-03"),
    *_typed("date", "1990-07-01", "1990-12-31", "1991-01-01", "2000-02-29", "-0044-03-15", "1990-07-01Z"),
    *_typed("date", "1990-07-01+02:00", "1990-02-30", "12000-01-01"),
    *_typed("dateTime", "1990-12-31T23:59:59", "1991-01-01T00:00:00Z", "1990-07-01T12:00:00.5", "1990-06-30T24:00:00"),
    *_typed("dateTime", "1990-07-01T12:00:00+02:00", "-0044-03-15T00:00:00"),
    Literal("zz", NS + "datatype"),
)
LABELS: tuple[Literal, ...] = (
    *(Literal(text) for text in ("one", "two", 'q"', "10")),
    *(tagged(*pair) for pair in (("one", "en"), ("two", "de"))),
)
_WIDER = {
    **dict.fromkeys((*INTEGER_DATATYPES, XSD_DECIMAL, *FLOATING_DATATYPES), NUMERIC_DATATYPES),
    **dict.fromkeys(DATE_DATATYPES, frozenset(DATE_DATATYPES)),
}


def random_triples(random: Random, rows: Rows, schema: Schema) -> tuple[TripleRow, ...]:
    """A graph of at most nine entities and some fifty triples."""
    drawing = _Drawing(random, rows, schema)
    for relation in rows.relations:
        for _ in range(random.choice((1, 2, 3, 4, 0))):
            drawing.edge(relation)
    return tuple(dict.fromkeys(drawing.triples))


class _Drawing:
    def __init__(self, random: Random, rows: Rows, schema: Schema) -> None:
        self.random = random
        self.schema = schema
        self.triples: list[TripleRow] = []
        self.entities: list[Node] = [Iri(f"{NS}e{i}") for i in range(random.randint(2, 8))]
        if random.random() > 0.85:
            self.entities.append(Blank("b1"))
        self.values = [random.choice(VALUES) for _ in range(random.randint(3, 9))]
        #: by class, whatever belongs to it or to one below it
        self.members: dict[str, list[Node]] = {}
        plain = [c.iri for c in rows.classes if c.subjects_of is None and c.objects_of is None]
        for entity in self.entities:
            for _ in range(random.choice((1, 1, 1, 2, 0))):
                class_ = random.choice(plain)
                self.triples.append((entity, TYPE, Iri(class_)))
                for above in schema.superclasses(class_):
                    self.members.setdefault(above, []).append(entity)
            if random.random() < 0.7:
                self.triples.append((entity, LABEL, random.choice(LABELS)))

    def edge(self, relation: Relation) -> None:
        """One triple of a relation; where it has a stated inverse, mostly that one's triple too."""
        subject, object_ = self.one_of(relation.domain), self.object(relation)
        self.triples.append((subject, Iri(relation.iri), object_))
        if relation.inverse is not None and not isinstance(object_, Literal) and self.random.random() < 0.7:
            self.triples.append((object_, Iri(relation.inverse), subject))

    def object(self, relation: Relation) -> Node:
        random = self.random
        if relation.range or (relation.literal is False):
            if not relation.datatypes or random.random() < 0.5:
                return self.one_of(relation.range)
            return self.value(relation.datatypes)
        if relation.datatypes:
            return self.value(relation.datatypes) if random.random() < 0.97 else random.choice(self.entities)
        # nothing is said: what the relation is called tells the generator, and nobody else
        is_value = relation.iri.rpartition("/")[2] in ("v", "w", "film.film.year", "n", "d")
        return random.choice(self.values) if random.random() < (0.9 if is_value else 0.1) else self.one_of(())

    def value(self, datatypes: tuple[str, ...]) -> Literal:
        """A value of a datatype or one like it; one of any kind now and then."""
        if self.random.random() < 0.9:
            stated = self.random.choice(datatypes)
            fitting = _WIDER.get(stated, frozenset((stated,)))
            for pool in (self.values, VALUES):
                if found := [value for value in pool if value.datatype in fitting]:
                    chosen = self.random.choice(found)
                    self.values.append(chosen)
                    return chosen
        return self.random.choice(self.values)

    def one_of(self, unions: tuple[tuple[str, ...], ...]) -> Node:
        """An entity that fits a domain or a range, if there is one; one in ten is any."""
        if unions and self.random.random() < 0.9:
            fitting = [
                entity
                for entity in self.entities
                if all(any(entity in self.members.get(iri, ()) for iri in union) for union in unions)
            ]
            if fitting:
                return self.random.choice(fitting)
        return self.random.choice(self.entities)
