"""Graph queries by hand, of films, and the programs that they mean; for the tests of graph queries."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from pylf.frontends.graphquery.reader import read
from pylf.frontends.graphquery.to_pylf import to_program
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD
from pylf.language.context import Context
from pylf.language.lower import Lowered, lower
from pylf.language.printer import print_program
from tests.frontends.small_freebase import schema_of

if TYPE_CHECKING:
    from pylf.frontends.graphquery.record import GraphQuery

FREEBASE = load("freebase")
#: domain, relation, range
ROLES = (
    "film.film film.film.directed_by film.director",
    "film.film film.film.written_by film.writer",
    "film.film film.film.genre film.film_genre",
    "film.film film.film.initial_release_date type.datetime",
    "film.film film.film.runtime film.film_cut",
    "film.film film.film.featured_locations location.location",
    "film.film_cut film.film_cut.runtime type.float",
    "film.film_cut film.film_cut.release_region location.location",
    "film.director film.director.film film.film",
    "people.person people.person.date_of_birth type.datetime",
    "people.person people.person.place_of_birth location.location",
    "people.person people.person.height_meters type.float",
    "location.location location.location.containedby location.location",
    "measurement_unit.dated_integer measurement_unit.dated_integer.number type.int",
    "location.location location.statistical_region.population measurement_unit.dated_integer",
    "type.object type.object.type type.type",
)
SCHEMA = schema_of(ROLES, labels={"film.film.directed_by": "Directed by", "film.film": "Film"})


def graph(*edges: tuple[int, str, int], **nodes: str) -> GraphQuery:
    """A graph query in GraphQuestions' own format, which gives nodes no ``class``: ``n0="film.film"`` is the question
    node, ``n1="m.06mn7"`` an entity, ``n2="1968 <="`` a literal with a function."""
    rows = []
    for name, text in nodes.items():
        nid = int(name[1:])
        id_, _, function = text.partition(" ")
        node_type = "entity" if id_[:2] in {"m.", "g."} else "literal" if id_[0].isdigit() or "^^" in id_ else "class"
        rows.append(
            {
                "nid": nid,
                "node_type": node_type,
                "id": id_,
                "friendly_name": id_,
                "question_node": int(nid == 0),
                "function": function or "none",
            }
        )
    data = {
        "nodes": rows,
        "edges": [{"start": s, "end": e, "relation": r, "friendly_name": r} for s, r, e in edges],
    }
    return read(json.dumps(data))


def lowered(query: GraphQuery, inner_classes: bool = False) -> Lowered:
    return lower(to_program(query, SCHEMA, FREEBASE, inner_classes), Context(SCHEMA, FREEBASE))


def written(query: GraphQuery, inner_classes: bool = False) -> str:
    """The program without what goes without saying: one line, kinds of START left out."""
    text = print_program(to_program(query, SCHEMA, FREEBASE, inner_classes))
    for kind in ("class", "entity", "literal"):
        text = text.replace(f", kind='{kind}'", "")
    return text.removeprefix("expression = STOP(").removesuffix(")\n")


KUBRICK = "m.06mn7"
DIRECTED = (0, "film.film.directed_by", 1)
VERSIONS = ((0, "film.film.runtime", 1), (1, "film.film_cut.runtime", 2))


class Meaning(NamedTuple):
    """A graph, its program without the classes of inner nodes, and with them (the same, where None)."""

    graph: GraphQuery
    plain: str
    with_classes: str | None = None


MEANINGS: dict[str, Meaning] = {
    "a class alone": Meaning(graph(n0="film.film"), "START('film.film')"),
    "an edge along its direction": Meaning(
        graph(DIRECTED, n0="film.film", n1=KUBRICK),
        "AND(START('film.film'), JOIN('film.film.directed_by', START('m.06mn7')))",
    ),
    "an edge against its direction": Meaning(
        graph((1, "film.director.film", 0), n0="film.film", n1=KUBRICK),
        "AND(START('film.film'), JOIN('R_film.director.film', START('m.06mn7')))",
    ),
    "a chain": Meaning(
        graph(DIRECTED, (1, "people.person.place_of_birth", 2), n0="film.film", n1="film.director", n2="m.02_286"),
        "AND(START('film.film'), JOIN('film.film.directed_by', JOIN('people.person.place_of_birth', "
        "START('m.02_286'))))",
        "AND(START('film.film'), JOIN('film.film.directed_by', AND(START('film.director'), "
        "JOIN('people.person.place_of_birth', START('m.02_286')))))",
    ),
    "a class that is all that is said of a node": Meaning(
        graph(DIRECTED, n0="film.film", n1="film.director"),
        "AND(START('film.film'), JOIN('film.film.directed_by', START('film.director')))",
    ),
    "one entity at two edges, one of them further on": Meaning(
        graph(
            DIRECTED,
            (0, "film.film.written_by", 1),
            (1, "people.person.place_of_birth", 2),
            n0="film.film",
            n1=KUBRICK,
            n2="m.02_286",
        ),
        "AND(START('film.film'), JOIN('film.film.directed_by', AND(START('m.06mn7'), "
        "JOIN('people.person.place_of_birth', START('m.02_286')))), JOIN('film.film.written_by', START('m.06mn7')))",
    ),
    "a circle through an entity": Meaning(
        graph(
            DIRECTED,
            (0, "film.film.featured_locations", 2),
            (2, "location.location.containedby", 3),
            (1, "people.person.place_of_birth", 3),
            n0="film.film",
            n1="film.director",
            n2="location.location",
            n3="m.09c7w0",
        ),
        "AND(START('film.film'), JOIN('film.film.directed_by', JOIN('people.person.place_of_birth', "
        "START('m.09c7w0'))), JOIN('film.film.featured_locations', JOIN('location.location.containedby', "
        "START('m.09c7w0'))))",
        "AND(START('film.film'), JOIN('film.film.directed_by', AND(START('film.director'), "
        "JOIN('people.person.place_of_birth', START('m.09c7w0')))), JOIN('film.film.featured_locations', "
        "AND(START('location.location'), JOIN('location.location.containedby', START('m.09c7w0')))))",
    ),
    "a circle of a question that is an entity": Meaning(
        graph(
            (0, "people.person.place_of_birth", 1),
            (2, "film.film.featured_locations", 1),
            (2, "film.film.directed_by", 0),
            n0=KUBRICK,
            n1="location.location",
            n2="film.film",
        ),
        "AND(START('m.06mn7'), JOIN('people.person.place_of_birth', JOIN('R_film.film.featured_locations', "
        "JOIN('film.film.directed_by', START('m.06mn7')))))",
        "AND(START('m.06mn7'), JOIN('people.person.place_of_birth', AND(START('location.location'), "
        "JOIN('R_film.film.featured_locations', AND(START('film.film'), "
        "JOIN('film.film.directed_by', START('m.06mn7')))))))",
    ),
    "an equal number": Meaning(
        graph((0, "people.person.height_meters", 1), n0="people.person", n1=f"1.69^^{XSD}double"),
        "AND(START('people.person'), JOIN('people.person.height_meters', START('1.69^^xsd:double')))",
    ),
    "a number whose datatype is left open": Meaning(
        graph((0, "people.person.height_meters", 1), n0="people.person", n1="1.69"),
        "AND(START('people.person'), JOIN('people.person.height_meters', 1.69))",
    ),
    "a dateTime that is cut short": Meaning(
        graph((0, "people.person.date_of_birth", 1), n0="people.person", n1=f"1928^^{XSD}dateTime"),
        "AND(START('people.person'), JOIN('people.person.date_of_birth', START('1928^^xsd:gYear')))",
    ),
    "a value by the vocabulary's datatype": Meaning(
        graph((0, "people.person.date_of_birth", 1), n0="people.person", n1="1928-07^^type.datetime <"),
        "AND(START('people.person'), CMP('<', 'people.person.date_of_birth', '1928-07^^xsd:gYearMonth'))",
    ),
    "a comparison": Meaning(
        graph((0, "film.film.initial_release_date", 1), n0="film.film", n1=f"1968-04-02^^{XSD}date >="),
        "AND(START('film.film'), CMP('>=', 'film.film.initial_release_date', '1968-04-02^^xsd:date'))",
    ),
    "a count": Meaning(
        graph(DIRECTED, n0="film.film count", n1=KUBRICK),
        "COUNT(AND(START('film.film'), JOIN('film.film.directed_by', START('m.06mn7'))))",
    ),
    "a superlative": Meaning(
        graph((0, "people.person.height_meters", 1), n0="film.director", n1=f"0^^{XSD}int argmax"),
        "ARG('ARGMAX', START('film.director'), 'people.person.height_meters')",
    ),
    "a superlative by the end of a path": Meaning(
        graph(*VERSIONS, n0="film.film", n1="film.film_cut", n2=f"0^^{XSD}int argmin"),
        "ARG('ARGMIN', START('film.film'), ['film.film.runtime', 'film.film_cut.runtime'])",
        "AND(START('film.film'), JOIN('film.film.runtime', ARG('ARGMIN', AND(START('film.film_cut'), "
        "JOIN('R_film.film.runtime', START('film.film'))), 'film.film_cut.runtime')))",
    ),
    "a counted superlative": Meaning(
        graph((0, "people.person.height_meters", 1), n0="film.director count", n1=f"0^^{XSD}int argmax"),
        "COUNT(ARG('ARGMAX', START('film.director'), 'people.person.height_meters'))",
    ),
    "a superlative by the end of a path that is limited on its way": Meaning(
        graph(
            *VERSIONS,
            (1, "film.film_cut.release_region", 3),
            n0="film.film",
            n1="film.film_cut",
            n2=f"0^^{XSD}int argmax",
            n3="m.09c7w0",
        ),
        "ARG('ARGMAX', AND(START('film.film'), JOIN('film.film.runtime', JOIN('film.film_cut.release_region', "
        "START('m.09c7w0')))), ['film.film.runtime', 'film.film_cut.runtime'])",
        "AND(START('film.film'), JOIN('film.film.runtime', ARG('ARGMAX', AND(START('film.film_cut'), "
        "JOIN('film.film_cut.release_region', START('m.09c7w0')), JOIN('R_film.film.runtime', START('film.film'))), "
        "'film.film_cut.runtime')))",
    ),
    "a superlative by a value of an entity": Meaning(
        graph(
            DIRECTED,
            (1, "people.person.height_meters", 2),
            n0="film.film",
            n1=KUBRICK,
            n2=f"0^^{XSD}int argmax",
        ),
        "AND(START('film.film'), JOIN('film.film.directed_by', ARG('ARGMAX', AND(START('m.06mn7'), "
        "JOIN('R_film.film.directed_by', START('film.film'))), 'people.person.height_meters')))",
    ),
    "values": Meaning(
        graph((1, "people.person.height_meters", 0), n0="type.float", n1=KUBRICK),
        "JOIN('R_people.person.height_meters', START('m.06mn7'))",
    ),
    "anything": Meaning(
        graph((1, "film.film.genre", 0), n0="rdfs:Resource", n1="m.0abc"),
        "JOIN('R_film.film.genre', START('m.0abc'))",
    ),
}
