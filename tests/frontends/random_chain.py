"""Random chains, as trees, and words that break them, for tests that print and parse."""

from __future__ import annotations

from hypothesis import strategies as st

from pylf.frontends.chain import tree
from pylf.frontends.chain.words import COMPARISONS, RESERVED

REAL = (
    "m.0178g -> film.director.film -> film.film.genre",
    "'Boeing Company' -> not ~spaceflight.rocket.manufacturer [-> spaceflight.rocket.mass < 2.3e+5] [count]",
    "(m.01 | m.02 -> a.b) -> a.b.c [smallest 3 count -> ~a.b.d -> e*] [except -> not r -> (x.y [-> z = 'w'])] -> f+",
    "film.film [-> a.b.from <= 1996 or none] [-> a.b.to >= NOW or none] [any]",
    "m.01 -> not (a.b -> ~c.d) [-> not (a.b* -> ~c.d) -> m.02]",
    "? [-> r != 1990-07-01] [class film.film | entity 'A b' | literal 'c@en']",
)
TOKENS = [
    *("->", "→", "-->", "<-", "←", "~", "^", "R_", "not", "NOT", "!", "¬", "[", "]", "(", ")", "|", "?", "+", "*"),
    *(
        "except",
        "or",
        "none",
        "count",
        "any",
        "class",
        "entity",
        "literal",
        "largest",
        "smallest",
        "top",
        "argmin",
        "3",
    ),
    *(
        "<",
        "<=",
        "=",
        "!=",
        ">=",
        ">",
        "==",
        "<>",
        "≤",
        "≥",
        "≠",
        "=>",
        "film.film",
        "m.0hj3n21",
        "wd:Q42",
        ":x",
        "NOW",
    ),
    *("<http://e/a>", "R_<http://e/a>", "<http://e/a", "5000", "-0.61", "2.3e+06", "1996", "2008-05-01", "5x", "007"),
    *(
        "2008-05-01^^xsd:date",
        '"x y"',
        "'x'@en",
        "'x'^^xsd:string",
        "a@en",
        "^^",
        "@",
        '"',
        "'",
        "\\",
        "'\\q'",
        "'\\x'",
    ),
    *(
        ",",
        ";",
        "{",
        "?x",
        "$x",
        "/m/0",
        "# remark",
        "#",
        "“",
        "\n",
        "\t",
        " ",
        "\ufeff",
        "\u2003",
        "é",
        "-",
        "--",
        ".",
    ),
]

_TEXTS = st.sampled_from(
    ["Kingdom of Prussia", "Dad's (film)", '"', "\\", "a\nb", "", "^^", "@en", "x^^xsd:date", "5", "1990-07", "->", "?"]
) | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_NAMES = st.one_of(
    st.sampled_from(
        ["film.film", "m.0hj3n21", "g.125czp5k_", "wd:Q42", ":x", "R_a.b", "<http://e/a(b)>", "NOW", "a-b"]
    ),
    st.sampled_from(["<http://e/a>", "R_<http://e/a>", "a@en", "9lives", "r+", "ends-", "größe", *sorted(RESERVED)]),
    st.from_regex(r"[a-z][a-z0-9_]{0,8}\.[a-z0-9_]{1,8}(\.[a-z0-9_]{1,8})?", fullmatch=True),
    _TEXTS,
)
_NUMBERS = st.one_of(
    st.sampled_from(["5000", "-0.61", "2.3e+06", "+5", "0", "0.5", ".5", "5.", "-912", "00.5"]),
    st.integers().map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)
NUMBERS = st.builds(tree.Atom, _NUMBERS, st.just(True))
CONSTANTS = NUMBERS | st.builds(tree.Atom, _NAMES)
ATOMS = st.one_of(
    CONSTANTS,
    st.builds(tree.Atom, _NAMES, st.just(False), st.sampled_from(["class", "entity", "literal"])),
    st.builds(tree.Atom, _NUMBERS, st.just(True), st.just("literal")),
)
RELATIONS = st.builds(tree.Relation, _NAMES, st.booleans(), st.sampled_from([None, None, None, 0, 1]))
HOPS = st.one_of(
    st.builds(tree.Hop, RELATIONS, st.booleans()),
    st.builds(tree.Hop, RELATIONS, st.just(True), st.lists(RELATIONS, min_size=1, max_size=2).map(tuple)),
)
PATHS = st.lists(RELATIONS, min_size=1, max_size=3).map(tuple)
COMPARES = st.one_of(
    st.builds(tree.Compare, PATHS, st.sampled_from(COMPARISONS), CONSTANTS),
    st.builds(tree.Compare, PATHS, st.sampled_from(["<=", ">="]), CONSTANTS, st.just(True)),
)
ORDERS = st.builds(tree.Best, st.booleans(), PATHS, st.none() | st.integers(1, 10**9), st.booleans())


def _larger(chains: st.SearchStrategy[tree.Chain]) -> st.SearchStrategy[tree.Chain]:
    filters = st.one_of(
        st.builds(tree.Along, st.lists(HOPS, min_size=1, max_size=3).map(tuple), chains),
        st.builds(tree.In, chains),
        st.builds(tree.Compare, PATHS, st.sampled_from(COMPARISONS), CONSTANTS),
    )
    unions = st.builds(tree.Union, st.lists(chains, min_size=2, max_size=3).map(tuple))
    steps = st.one_of(HOPS, filters, st.builds(tree.Except, filters), ORDERS, st.builds(tree.Count))
    return st.builds(tree.Chain, ATOMS | unions | st.builds(tree.Anything), st.lists(steps, max_size=4).map(tuple))


CHAINS: st.SearchStrategy[tree.Chain] = st.recursive(
    st.builds(
        tree.Chain,
        ATOMS,
        st.lists(st.one_of(HOPS, COMPARES, ORDERS, st.builds(tree.Exists)), max_size=3).map(tuple),
    ),
    _larger,
    max_leaves=6,
)
