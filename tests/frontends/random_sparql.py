"""Random trees of SPARQL queries, and words that break texts, for tests that print and parse."""

from __future__ import annotations

from hypothesis import strategies as st

from pylf.errors import Span
from pylf.frontends.sparql import syntax
from pylf.ir.terms import XSD, Iri, Literal, Var, tagged

HERE = Span(0, 0)

TOKENS = [
    *"{}()[].;,|/^?*+-!=<",
    *("^^", "!=", ">="),
    *("&&", "||", "?x", "?y", "wdt:P31", "wd:Q5", "fb:a.b/c", "<http://e/>", "<", "'a'", '"""', '"', "5", "-1.5", "a"),
    *("SELECT", "ASK", "WHERE", "DISTINCT", "COUNT", "AS", "FILTER", "NOT", "EXISTS", "OPTIONAL", "UNION", "MINUS"),
    *("VALUES", "BIND", "SERVICE", "GRAPH", "GROUP", "BY", "ORDER", "DESC", "LIMIT", "OFFSET", "HAVING", "IN", "OR"),
    *("UNDEF", "STR", "regex", "_:b", "@en", "#", "\n", "PREFIX", "BASE", "e:", "true", "\\", "é", "\u00a0", "∧"),
]
REAL = (
    (
        "PREFIX fb: <http://rdf.freebase.com/ns/> SELECT DISTINCT ?x WHERE { FILTER ( ?x != fb:m.03_r3 ) "
        "FILTER ( ! isLiteral ( ?x ) OR lang ( ?x ) = '' OR langMatches ( lang ( ?x ) , 'en' ) ) "
        "fb:m.03_r3 fb:location.country.languages_spoken ?x . ?x fb:a.b ?d } "
        "ORDER BY DESC ( xsd:datetime ( ?d ) ) LIMIT 1"
    ),
    (
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x wdt:P31 / wdt:P279 * wd:Q5 ; wdt:P27 ?c , [ wdt:P1 ( 1 'a'@en ) ] . "
        "OPTIONAL { ?x ^(p:P1|!(a|^ps:P2))+ ?y } { ?x a ?c } UNION { SELECT * { ?c ?p -5.0 } } MINUS { ?x ?q ?r } "
        "VALUES ( ?c ?z ) { ( wd:Q1 UNDEF ) } BIND ( ?y + 1 AS ?w ) SERVICE <http://s/> { ?x a ?u } } "
        "GROUP BY ?c (STR(?y) AS ?k) HAVING (SUM(?w) > 2) ORDER BY ?c OFFSET 2 LIMIT 3"
    ),
    'ASK { ?x ?p "1984-01-01" ^^ xsd:date FILTER NOT EXISTS { ?x ?q ?r FILTER (?r IN (1, 2) && -?r < 1e3) } }',
)

iris = st.sampled_from(["http://e/a", "http://e/b#c", "http://www.wikidata.org/entity/Q5", "urn:x", "http://e/é"]).map(
    Iri
)
variables = st.sampled_from(["x", "y", "z", "é", "x_1", "1"]).map(Var)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
literals = st.one_of(
    texts.map(Literal),
    st.builds(tagged, texts, st.sampled_from(["en", "zh-hans"])),
    st.builds(Literal, texts, st.sampled_from([f"{XSD}date", f"{XSD}integer", "http://e/type"])),
    st.builds(Literal, st.sampled_from(["5", "-5", "+5", "007"]), st.just(f"{XSD}integer")),
    st.builds(Literal, st.sampled_from(["5.0", "-.5", ".5", "5."]), st.just(f"{XSD}decimal")),
    st.builds(Literal, st.sampled_from(["true", "false", "1"]), st.just(f"{XSD}boolean")),
    st.builds(Literal, st.sampled_from(["1e3", "-1.5E-7"]), st.just(f"{XSD}double")),
)


def at(terms: st.SearchStrategy[object]) -> st.SearchStrategy[syntax.At]:
    return st.builds(syntax.At, terms, st.just(HERE))


names = at(iris)
nodes = at(iris | variables | literals)
asked = at(variables)
new = st.integers(0, 10**6).map(lambda number: syntax.At(Var(f"new{number}"), HERE))


def _flat(kind: type) -> object:
    """What makes a sequence or alternative of parts, none of which is one itself."""

    def make(parts: list[syntax.Path]) -> syntax.Path:
        flat: list[syntax.Path] = []
        for part in parts:
            flat += part.parts if isinstance(part, kind) else [part]
        return kind(tuple(flat), HERE)

    return make


def _paths(inner: st.SearchStrategy[syntax.Path]) -> st.SearchStrategy[syntax.Path]:
    several = st.lists(inner, min_size=2, max_size=3)
    times = st.sampled_from([(0, None), (1, None), (0, 1)])
    return st.one_of(
        several.map(_flat(syntax.Sequence)),
        several.map(_flat(syntax.Alternative)),
        st.builds(syntax.Inverse, inner, st.just(HERE)),
        st.tuples(inner, times).map(lambda pair: syntax.Repeated(pair[0], *pair[1], HERE)),
    )


few_iris = st.lists(iris, max_size=2).map(tuple)
paths = st.recursive(names | st.builds(syntax.Except, few_iris, few_iris, st.just(HERE)), _paths, max_leaves=5)
triples = st.builds(syntax.Triple, nodes, asked | paths, nodes, st.just(HERE))

_CALLS = [
    *((name, 2) for name in ("||", "&&", "=", "!=", "<", ">=", "+", "-", "*", "/", "strdt", "contains", "in")),
    *((name, 1) for name in ("!", "negative", "str", "isiri", "in", "year", Iri(f"{XSD}dateTime"), Iri("http://e/f"))),
    *((name, 3) for name in ("||", "if", "coalesce", "regex", "in")),
    *((name, 0) for name in ("now", "concat")),
]


def _calls(inner: st.SearchStrategy[syntax.Expression]) -> st.SearchStrategy[syntax.Expression]:
    def call(function_and_arity: tuple[str | Iri, int]) -> st.SearchStrategy[syntax.Expression]:
        function, arity = function_and_arity
        return st.builds(syntax.Call, st.just(function), st.tuples(*[inner] * arity), st.just(HERE))

    return st.sampled_from(_CALLS).flatmap(call)


expressions = st.recursive(nodes, _calls, max_leaves=4)


@st.composite
def tables(draw: st.DrawFn) -> syntax.Data:
    columns = draw(st.lists(asked, max_size=2, unique=True))
    row = st.tuples(*[at(iris | literals) | st.none()] * len(columns))
    return syntax.Data(tuple(columns), tuple(draw(st.lists(row, max_size=2))), HERE)


def _group(part: st.SearchStrategy[syntax.Pattern]) -> st.SearchStrategy[syntax.Group]:
    return st.builds(syntax.Group, st.lists(part, max_size=3).map(tuple), st.just(HERE))


def _patterns(inner: st.SearchStrategy[syntax.Pattern]) -> st.SearchStrategy[syntax.Pattern]:
    groups = _group(inner) | selects(_group(inner)).map(lambda select: syntax.Group((select,), HERE))
    exists = st.builds(syntax.Exists, groups, st.booleans(), st.just(HERE))
    either = st.builds(lambda left, right: syntax.Call("||", (left, right), HERE), expressions, exists)
    return st.one_of(
        groups,
        st.builds(syntax.Optional, groups, st.just(HERE)),
        st.builds(syntax.Minus, groups, st.just(HERE)),
        st.builds(syntax.Union, st.lists(groups, min_size=2, max_size=3).map(tuple), st.just(HERE)),
        st.builds(syntax.Graph, names | asked, groups, st.just(HERE)),
        st.builds(syntax.Service, names | asked, groups, st.just(HERE), st.booleans()),
        st.builds(syntax.Filter, exists | either, st.just(HERE)),
    )


@st.composite
def selects(draw: st.DrawFn, groups: st.SearchStrategy[syntax.Group]) -> syntax.Select:
    reduced = st.builds(
        syntax.Reduce,
        st.sampled_from(["count", "sum", "avg", "min", "max", "sample"]),
        expressions,
        st.booleans(),
        st.just(HERE),
    )
    counted = st.just(syntax.Reduce("count", None, True, HERE))
    joined = st.builds(syntax.Reduce, st.just("group_concat"), expressions, st.booleans(), st.just(HERE), texts)
    keys: list[syntax.Column] = draw(st.lists(st.builds(syntax.Column, asked, st.none(), st.just(HERE)), max_size=2))
    if draw(st.booleans()):
        columns = [*keys, syntax.Column(draw(reduced | counted | joined), draw(new), HERE)]
        having = draw(st.lists(reduced, max_size=2))
    else:
        keys, having = [], []
        named = st.builds(syntax.Column, expressions, new, st.just(HERE))
        plain = st.builds(syntax.Column, asked, st.none(), st.just(HERE))
        columns = draw(st.lists(named | plain, min_size=1, max_size=2) | st.none())
    return syntax.Select(
        None if columns is None else tuple(columns),
        draw(groups),
        HERE,
        draw(st.booleans()),
        tuple(keys),
        tuple(having),
        tuple(draw(st.lists(st.builds(syntax.Key, expressions, st.booleans(), st.just(HERE)), max_size=2))),
        draw(st.none() | st.integers(0, 99)),
        draw(st.integers(0, 3)),
        draw(st.none() | tables()),
    )


patterns = st.recursive(
    st.one_of(
        triples,
        st.builds(syntax.Filter, expressions, st.just(HERE)),
        st.builds(syntax.Bind, expressions, new, st.just(HERE)),
        tables(),
    ),
    _patterns,
    max_leaves=4,
)
queries = selects(_group(patterns)) | st.builds(syntax.Ask, _group(patterns), st.just(HERE), st.none() | tables())
