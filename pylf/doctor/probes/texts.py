"""Strings, tags, IRIs, and the functions that pylf writes around values."""

from __future__ import annotations

from pylf.doctor.probe import PROLOGUE, Probe, Use, example, grouped, integer, rows, text
from pylf.ir.terms import Iri

_NAMES = "names with such characters are not found: rename them in the data, or ask another engine"

PROBES = grouped(
    "strings, IRIs, functions",
    Probe(
        "datatypes",
        "DATATYPE and LANG of plain strings and numbers",
        'SELECT (STRAFTER(STR(DATATYPE(?v)), "#") AS ?d) (LANG(?v) AS ?l) WHERE { VALUES ?v { "a" 1 } }',
        rows(("string", ""), ("integer", "")),
    ),
    Probe(
        "tagged-datatype",
        "DATATYPE of a tagged string is rdf:langString",
        'SELECT (STRAFTER(STR(DATATYPE(?v)), "#") AS ?d) (LANG(?v) AS ?l) WHERE { VALUES ?v { "a"@en } }',
        rows(("langString", "en")),
        Use.FOREIGN,
    ),
    Probe(
        "if-lazy",
        "IF does not evaluate the branch that it does not take",
        PROLOGUE + 'SELECT ?r WHERE { VALUES ?v { "abc" "5" } '
        'BIND(IF(REGEX(?v, "^[0-9]+$"), xsd:double(?v) > 4e0, false) AS ?b) BIND(IF(?b, "yes", "no") AS ?r) }',
        rows("yes", "no"),
    ),
    Probe(
        "coalesce-error",
        "COALESCE puts a value in the place of an error",
        'SELECT (IF(COALESCE(IF(REGEX(STR(DATATYPE(?x)), "integer"), 1 = 1, 1 = 0), 1 = 0), "yes", "no") AS ?r) '
        "WHERE { VALUES ?x { <http://pylf.example.org/a> 1 } }",
        rows("no", "yes"),  # an IRI has no datatype
    ),
    Probe(
        "error-in-or",
        "an error beside true in || is true, in a filter",
        "SELECT ?x WHERE { VALUES ?x { <http://pylf.example.org/a> 1 } "
        'FILTER(REGEX(STR(DATATYPE(?x)), "zzz") || 1 = 1) }',
        rows(example("a"), 1),
    ),
    Probe(
        "same-term",
        "sameTerm tells 1 from 1.0",
        "SELECT ?v WHERE { VALUES ?v { 1 1.0 2 } FILTER(sameTerm(?v, 1)) }",
        rows(1),
        Use.ADAPTED,
        exact=True,
        field="lacks_same_term",
    ),
    Probe(
        "in-list",
        "IN finds IRIs",
        "SELECT ?v WHERE { VALUES ?v { <http://pylf.example.org/a> <http://pylf.example.org/b> } "
        "FILTER(?v IN (<http://pylf.example.org/b>, <http://pylf.example.org/c>)) }",
        rows(example("b")),
    ),
    Probe(
        "tagged-join",
        "a tagged string is not the plain one",
        'SELECT ?v WHERE { VALUES ?v { "a"@en "a" } FILTER(STR(?v) = "a" && LANG(?v) = "en") }',
        rows(text("a", "en")),
    ),
    Probe(
        "tag-case",
        'language tags are compared without regard to case: "a"@EN is "a"@en',
        'SELECT ?v WHERE { VALUES ?v { "a"@en } VALUES ?v { "a"@EN } }',
        rows(text("a", "en")),
        Use.ADAPTED,
        field="folds_language",
        wrong=False,
        remedy="'pylf doctor --save' notes it, and pylf looks for tagged strings by filters, tags in lower case",
    ),
    Probe(
        "string-functions",
        "CONCAT, SUBSTR, STRLEN, STRAFTER and LCASE count and fold characters, not bytes",
        'SELECT (CONCAT("é", "-") AS ?a) (SUBSTR("Zürich", 2, 2) AS ?b) (STRLEN("Zürich") AS ?c) '
        '(STRAFTER("a#é#", "#") AS ?d) (LCASE("ÉA") AS ?e) WHERE {}',
        rows(("é-", "ür", 6, "é#", "éa")),
    ),
    Probe(
        "replace-group",
        "REPLACE puts a group of its pattern back",
        'SELECT (REPLACE("04:05:06.500", "([.][0-9]*[1-9])0+$|[.]0+$", "$1") AS ?r) WHERE {}',
        rows("04:05:06.5"),
    ),
    Probe(
        "typed-strings",
        "STRDT and STRLANG make literals",
        PROLOGUE + 'SELECT (DATATYPE(STRDT("x", <http://pylf.example.org/d>)) AS ?d) '
        '(LANG(STRLANG("x", "en")) AS ?l) WHERE {}',
        rows((example("d"), "en")),
    ),
    Probe(
        "kinds-of-terms",
        "isIRI, isLiteral and BOUND tell terms apart",
        "SELECT ?n WHERE { VALUES (?n ?v) { (1 <http://pylf.example.org/a>) (2 5) (3 UNDEF) } "
        "FILTER(IF(BOUND(?v), isIRI(?v) || !isLiteral(?v), 1 = 1)) }",
        rows(1, 3),
    ),
    Probe(
        "escaped-strings",
        "quotes, backslashes, line breaks and characters beyond the BMP come back as they went",
        'SELECT ?v WHERE { VALUES ?v { "say \\"a\\\\b\\"\\n\\tend" "😀 Zürich" } }',
        rows('say "a\\b"\n\tend', "😀 Zürich"),
    ),
    Probe(
        "escaped-u",
        "an escaped backslash before a u is a backslash and a u",
        'SELECT (STRLEN(?v) AS ?n) WHERE { VALUES ?v { "\\\\u0041" } }',
        rows(6),
        Use.ADAPTED,
        field="expands_escapes",
    ),
    Probe(
        "control-characters",
        "a control character in a string can be read from the result",
        'SELECT ?v WHERE { VALUES ?v { "a\\u0001b" } }',
        rows("a\x01b"),
        Use.FOREIGN,
        remedy="strings with control characters cannot be read from this endpoint's results",
    ),
    Probe(
        "iri-percent",
        "an IRI with %20 comes back as it is",
        "SELECT ?v WHERE { VALUES ?v { <http://pylf.example.org/a%20b> } }",
        rows(example("a%20b")),
        remedy=_NAMES,
    ),
    Probe(
        "iri-non-ascii",
        "an IRI with letters beyond ASCII comes back as it is",
        "SELECT ?v WHERE { VALUES ?v { <http://pylf.example.org/Zürich> } }",
        rows(example("Zürich")),
        remedy=_NAMES,
    ),
    Probe(
        "iri-odd",
        "an IRI that SPARQL allows and RFC 3987 does not is taken",
        "SELECT ?v WHERE { VALUES ?v { <http://pylf.example.org/100%> } }",
        rows(Iri("http://pylf.example.org/100%")),
        Use.ADAPTED,
        field="strict_iris",
    ),
    Probe(
        "iri-dots",
        "a full IRI with dots is taken",
        "SELECT ?n WHERE { VALUES (?v ?n) { (<http://rdf.freebase.com/ns/people.person.place_of_birth> 1) } }",
        ((integer(1),),),
    ),
)
