"""For each refusal that docs/forms.md lists, a question that meets it; over the schema of small_freebase."""

from __future__ import annotations

import json
from typing import NamedTuple

import pylf
from tests.frontends import small_freebase

SCHEMA = small_freebase.schema()
FREEBASE = small_freebase.vocabulary()
NS = small_freebase.NS
HELD = "government.government_position_held"
TODAY = "1990-07-01"


class Example(NamedTuple):
    """A question in a form, which ``to`` has no form for, by ``code``; ``what`` says it where the code does not."""

    source: str
    to: str
    code: str
    text: str
    inner_classes: bool = False
    what: str = ""

    def compiled(self) -> pylf.CompiledQuery:
        return pylf.compile(
            self.text,
            source=self.source,
            schema=SCHEMA,
            vocabulary=FREEBASE,
            today=TODAY,
            inner_classes=self.inner_classes,
        )


def of_both(code: str, expression: str) -> tuple[Example, Example]:
    text = f"expression = STOP({expression})"
    return Example("pylf", "sexpr", code, text), Example("pylf", "graphquery", code, text)


def graph(*edges: tuple[int, str, int], **nodes: str) -> str:
    """A graph query whose nodes are written ``n1="entity m.1"``, or ``n2="literal 0 argmax"``; node 0 is asked for."""
    rows = []
    for name, written in nodes.items():
        node_type, id_, function = (*written.split(), "none")[:3]
        nid = int(name[1:])
        question = int(nid == 0)
        rows.append({"nid": nid, "node_type": node_type, "id": id_, "question_node": question, "function": function})
    return json.dumps({"nodes": rows, "edges": [{"start": s, "end": e, "relation": r} for s, r, e in edges]})


LONG_VALUE = f"""set ?x
  ?x: entity
where
  ?x <{NS}film.film.netflix_id> "{"x" * 10_001}"
"""

CIRCLE = f"""set ?x
  ?x: entity
  ?y: entity
  ?z: entity
where
  ?x <{NS}people.person.sibling> ?y
  ?y <{NS}people.person.sibling> ?z
  ?z <{NS}people.person.sibling> ?x
"""

EXAMPLES = (
    *of_both("no-negation", "AND(START('film.film'), JOIN('film.film.genre', START('m.1'), neg=True))"),
    *of_both("no-union", "OR(START('m.1'), JOIN('film.film.genre', 'm.2'))"),
    *of_both("no-difference", "MINUS(START('film.film'), START('m.1'))"),
    *of_both("no-yes-no", "ASK(START('film.film'))"),
    *of_both("no-comparison", "CMP('!=', 'film.film.shots', 9)"),
    *of_both("no-top-k", "ARG('ARGMAX', START('film.film'), 'film.film.shots', k=2)"),
    *of_both("no-count-order", "ARG('ARGMAX', START('film.film'), COUNT('film.film.genre'))"),
    *of_both("no-closure", "JOIN(CLOSURE('people.person.sibling'), START('m.1'))"),
    *of_both("no-label", "JOIN('film.film.directed_by', START('Michael Curtiz'))"),
    *of_both("no-several", "JOIN('film.film.genre', OR(START('m.1'), START('m.2')))"),
    Example("ir", "sexpr", "no-value", LONG_VALUE),
    Example("ir", "graphquery", "no-value", LONG_VALUE),
    Example("pylf", "sexpr", "no-half-time", f"expression = STOP(TC(START('m.1'), '{HELD}.from', '1992'))"),
    Example("sexpr", "graphquery", "no-time", f"(TC m.1 {HELD}.from 1992)"),
    # a class that is spelled like an entity, and a class itself where its name would mean its instances
    Example("graphquery", "sexpr", "no-class", graph(n0="class m.1")),
    Example(
        "graphquery",
        "sexpr",
        "no-class-itself",
        graph((0, "film.film.genre", 1), n0="class film.film", n1="entity film.film_genre"),
    ),
    Example(
        "sexpr", "graphquery", "no-nested-superlative", "(JOIN film.film.runtime (ARGMAX m.1 film.film_cut.runtime))"
    ),
    Example("sexpr", "graphquery", "no-nested-count", "(JOIN film.film.shots (COUNT film.film))"),
    Example(
        "sexpr",
        "graphquery",
        "no-inner-class",
        "(JOIN film.film.directed_by (AND film.director (JOIN people.person.sibling m.1)))",
    ),
    Example("sexpr", "graphquery", "no-several-classes", "(AND film.film people.person)"),
    Example("sexpr", "graphquery", "no-nesting", "(JOIN film.film.genre (AND m.1 m.1))"),
    # the order of what the question node leads to, and not of the question node
    Example(
        "graphquery",
        "graphquery",
        "no-nested-superlative",
        graph(
            (0, "film.film.runtime", 1),
            (1, "film.film_cut.runtime", 2),
            n0="class film.film",
            n1="class film.film_cut",
            n2="literal 0 argmax",
        ),
        inner_classes=True,
    ),
    Example("ir", "pylf", "unsupported", CIRCLE),
    Example("path", "pylf", "unsupported", "?x -> film.film.genre -> ?y"),
    Example("sparql", "pylf", "unsupported", f"SELECT ?x ?z {{ ?x <{NS}a> ?y OPTIONAL {{ ?y <{NS}b> ?z }} }}"),
    Example("sparql", "sexpr", "unsupported", f"SELECT (COUNT(*) AS ?n) {{ ?x <{NS}a> ?y . ?y <{NS}b> ?z }}"),
    Example("sparql", "sparql", "unsupported", f"SELECT (MAX(?y) AS ?n) {{ ?x <{NS}a> ?y }}"),
)

#: What paths and subgraph texts have no form for, which they say in words.
IN_WORDS = (
    Example("sexpr", "path", "no-path", "(COUNT (JOIN film.film.genre m.1))", what="questions for a number"),
    Example("sexpr", "path", "no-path", "(lt film.film.shots 9)", what="a comparison beside a walk"),
    Example(
        "chain", "path", "no-path", "m.1 -> ~film.film.genre | m.2 -> ~film.film.genre", what="a union beside a walk"
    ),
    Example("chain", "path", "no-path", "m.1", what="a question that follows no relation"),
    Example("path", "subgraph", "no-subgraph", "?x -> film.film.genre -> m.1", what="questions for a set"),
    Example(
        "path",
        "subgraph",
        "no-subgraph",
        "?x -> film.film.genre -> ?y",
        what="a walk whose hops keep their order: --to path writes one",
    ),
    Example(
        "sparql",
        "subgraph",
        "no-subgraph",
        f"SELECT ?x ?z {{ ?x <{NS}a> ?y OPTIONAL {{ ?y <{NS}b> ?z }} }}",
        what="what may be missing (a left join)",
    ),
)
