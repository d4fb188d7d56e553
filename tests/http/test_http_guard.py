r"""Which texts may leave: told by SPARQL's tokens, not by words that stand in strings, names and comments."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.backends.http.client import Client
from pylf.backends.http.endpoint import Endpoint
from pylf.backends.http.guard import check
from pylf.errors import EngineRefused
from tests.http.faults import numbered, serving


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SELECT * { ?s ?p ?o }", "SELECT"),
        ("select*{?s?p?o}", "SELECT"),
        ("ASK{}", "ASK"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "CONSTRUCT"),
        ("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 5", "CONSTRUCT"),
        ("# SERVICE <x>\nPREFIX service: <http://e/>\nASK { service:service service:a.b.c_SERVICE ?SERVICE }", "ASK"),
        ("BASE <http://e/> PREFIX : <> SELECT $service { :service :drop 'DROP ALL' , \"SERVICE\" }", "SELECT"),
        ("SELECT * { ?s ?p '''it's \" DELETE''' , \"\"\"a\"b\"\"INSERT\n\"\"\" , 'a\\'b' , \"\\u0041\" }", "SELECT"),
        ("SELECT * { ?s <http://e/SERVICE#LOAD> ?o FILTER(?o<3 && ?o>-1.5e3) }", "SELECT"),
        ("SELECT * { _:service ?p 'x'@service-load , true, 7 , .5, 1., 'x'^^<http://e/t> }", "SELECT"),
        ("SELECT (GROUP_CONCAT(?x ; SEPARATOR=', ') AS ?y) { SELECT ?x { ?x a ?o ; ?p [] . [] ?q () } }", "SELECT"),
        ("SELECT ?x { ?x (<a>|^<b>/!(<c>|^a))*/<d>+/<e>? ?y MINUS { ?x ?p ?z } } VALUES (?x) { (UNDEF) }", "SELECT"),
        ("PREFIX wd: <http://www.wikidata.org/entity/> SELECT ?x { ?x wdt:P31/wdt:P279* wd:Q5 }", "SELECT"),
        ("SELECT ?é { ?é <http://e/é> 'é' . ?é e:%C3%A9\\,x ?o }", "SELECT"),
        ("ASK { FILTER NOT EXISTS { ?s ?p ?o } }", "ASK"),
    ],
)  # fmt: skip
def test_what_may_leave(text: str, kind: str) -> None:
    assert check(text) == kind


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SELECT * { SERVICE <http://e/> { ?s ?p ?o } }", r"SERVICE would make .* \(line 1, column 12\)"),
        ("SELECT * {\n  { { sErViCe SILENT ?x { } } }\n}", r"SERVICE would make .* \(line 2, column 7\)"),
        ("SELECT * { ?s ?p 1SERVICE<http://e/>{} }", "SERVICE would make"),
        ("SELECT * { ?s ?p 'a'SERVICE<http://e/>{} }", "SERVICE would make"),
        ("SELECT * { ?s ?p '''a'''''SERVICE<http://e/>{} }", "SERVICE would make"),
        ("SELECT * { ?s ?p ?o #\rSERVICE<http://e/>{}\n}", "a carriage return without a line feed"),
        ("INSERT DATA { <a> <b> <c> }", "INSERT belongs to an update"),
        ("PREFIX a: <b> DELETE WHERE { ?s ?p ?o }", "DELETE belongs to an update"),
        ("WITH <g> DELETE { } WHERE { }", "WITH belongs to an update"),
        ("LOAD <http://e/>", "LOAD belongs to an update"),
        ("DROP ALL", "DROP belongs"),
        ("CLEAR ALL", "CLEAR belongs"),
        ("CREATE GRAPH <g>", "CREATE belongs"),
        ("COPY <a> TO <b>", "COPY belongs"),
        ("MOVE <a> TO <b>", "MOVE belongs"),
        ("ADD <a> TO <b>", "ADD belongs"),
        ("ASK {} ; DROP ALL", "a second request begins after ';'"),
        ("ASK {} DROP ALL", "DROP belongs"),
        ("ASK {} ASK {}", "a second query begins with ASK"),
        ("SELECT * {} SELECT * {}", "a second query begins with SELECT"),
        ("SELECT * { ASK {} }", "a second query begins with ASK"),
        ("DESCRIBE <a>", "DESCRIBE has no defined answer"),
        ("DESC?x", "DESC stands where a query begins"),
        ("", "no query in it"),
        ("# SELECT * {}", "no query in it"),
        ("PREFIX a: <b>", "no query in it"),
        ("{ SELECT * {} }", "'{' stands where a query begins"),
        ("?x SELECT * {}", "'?x' stands where a query begins"),
        ("SELECT * { ?s ?p ?o", r"'{' is never closed \(line 1, column 10\)"),
        ("SELECT * { ?s ?p ?o }}", "'}' closes nothing"),
        ("SELECT * { (?s ?p ?o }", "'}' closes nothing"),
        ('define get:soft "replace" SELECT * {}', "'define' is no word of SPARQL"),
        ("SELECT * { ?s ?p ?o OPTION (QUIETCAST) }", "'QUIETCAST' is no word of SPARQL"),
        ('SELECT * { ?s ?p "a }', "is no SPARQL"),
        ('SELECT * { ?s ?p "a\n" }', "is no SPARQL"),
        ("SELECT * { ?s ?p 'a\\x' }", "is no SPARQL"),
        ("SELECT * { ?s ?p `x` }", "is no SPARQL"),
        ("SELECT * { << ?s ?p ?o >> ?q ?r . ?a ~ ?b }", "is no SPARQL"),
        ("SELECT\x00 * { }", r"'\\x00 \* \{ \}' is no SPARQL"),
        ("SELECT * { \x1b[2J }", r"\\x1b"),
        ("SELECT (bif:exec('x') AS ?y) { }", "calls a function of the server's own"),
        ("SELECT (<bif:exec>('x') AS ?y) { }", "calls a function of the server's own"),
        ("SELECT (sql:x() AS ?y) { }", "calls a function of the server's own"),
        ("PREFIX x: <bif:> SELECT (x:exec('x') AS ?y) { }", "calls a function of the server's own"),
        ("PREFIX b: <bi> SELECT (b:f:exec('x') AS ?y) { }", "calls a function of the server's own"),
        ("ASK { \\u0053ERVICE <http://e/> {} }", "is no SPARQL"),
        ("ASK { ?s ?p '\\u0027 . SERVICE <http://e/> {} #' }", r"SERVICE would make .* once its \\u are expanded"),
        ("ASK { ?s ?p '\\u0027 } ; DROP ALL #' }", "once its"),
    ],
)  # fmt: skip
def test_what_may_not(text: str, words: str) -> None:
    with pytest.raises(EngineRefused, match=words) as caught:
        check(text)
    assert str(caught.value).startswith("pylf does not send the query: ")
    assert str(caught.value).isprintable()


def test_a_query_of_another_kind_is_not_what_is_asked_for() -> None:
    with pytest.raises(EngineRefused, match="it is an ASK, and a SELECT is asked for"):
        check("ASK {}", "SELECT")


def judged(text: str) -> str:
    """The text's kind, or "refused"."""
    try:
        return check(text)
    except EngineRefused as refused:
        return "refused" if str(refused).isprintable() else "refused by what a terminal should not see"


def test_long_texts_take_their_length() -> None:
    values = " ".join(f"<http://e/entity/{number}>" for number in range(25_000))
    assert check(f"SELECT ?x {{ VALUES ?x {{ {values} }} }}") == "SELECT"
    for text in (
        'ASK { ?s ?p """' + '"" ' * 200_000 + '""" }',
        "ASK { ?s ?p 'a" + "\\n" * 200_000 + "' }",
        "a" * 600_000,
    ):
        assert judged(text) in {"ASK", "refused"}


@given(st.text(max_size=60))
def test_any_text_is_let_through_or_refused(text: str) -> None:
    assert judged(text) in {"SELECT", "ASK", "CONSTRUCT", "refused"}


def test_what_is_refused_is_not_sent_and_what_is_trusted_is_not_looked_at() -> None:
    with serving(numbered(1)) as server, Client(Endpoint(server.url)) as asked:
        for ask in (asked.select, asked.ask, asked.construct):
            with pytest.raises(EngineRefused):
                ask("DROP ALL")
        with pytest.raises(EngineRefused), asked.stream("DROP ALL"):
            pass
        assert server.requests == []
        asked.select("SELECT * { SERVICE <http://e/> { } }", trusted=True)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SELECT * { VALUES ?x {1 2 3} # keep\r FILTER(?x > 2)\n }", "a carriage return without"),
        ('ASK { ?s ?p ?o . # \r ?x ?p """\n SERVICE <http://e/> { } # """ . }', "a carriage return without"),
        ("ASK { ?s ?p ?o \r }", "a carriage return without"),
        ("ASK { # \\u000D SERVICE <http://e/> {}\n}", r"a carriage return without .* once its \\u"),
        ("ASK { ?s ?p ?o # a\x00b\n }", "is no SPARQL"),
        ("ASK { ?s ?p ?o # a\x0bb\n }", "is no SPARQL"),
        ("SELECT (<java:org.e.F>() AS ?x) { }", "calls a function of the server's own"),
        ("PREFIX j: <java:> SELECT (j:F() AS ?x) { }", "calls a function of the server's own"),
        ("SELECT * FROM <file:///etc/passwd> { }", "read a file as a graph"),
        ("SELECT * FROM NAMED <FILE:///etc/passwd> { }", "read a file as a graph"),
        ("PREFIX f: <file:///etc/> SELECT * FROM f:passwd { }", "read a file as a graph"),
        ("BASE <file:///etc/> SELECT * FROM <passwd> { }", "read a file as a graph"),
        ("SELECT * FROM <passwd> { }", "by less than a whole IRI"),
        ("ASK { } " + " " * 10_000_000, "longer than 10,000,000"),
    ],
)
def test_what_engines_read_otherwise_or_from_elsewhere(text: str, words: str) -> None:
    with pytest.raises(EngineRefused, match=words):
        check(text)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffASK { }",
        "ASK\r\n{ # a comment\r\n ?s ?p '''a\rb''' }\r\n",
        "ASK FROM <http://e/g> FROM NAMED <urn:h> { }",
        "BASE <http://e/> PREFIX g: <urn:> ASK FROM <g> FROM NAMED g:h { }",
        "PREFIX a.b-c: <http://e/> ASK { a.b-c:d.e a.b-c:f. ?x ?y _:a.b. }",
        "ASK { ?x a.b:c ?y . ?y a a.b: }",
        "ASK { ?x ?y 1.a .. }",
    ],
)
def test_what_is_read_alike(text: str) -> None:
    assert check(text) == "ASK"


@pytest.mark.parametrize(
    "piece", ["a.", "a..", ".", "a-", "_:a..", ":a.", "a:b..", "a..:", "1.", "<a", "?a.", "(", "%20", "a:%2", '"" ']
)
def test_no_text_takes_more_than_its_length(piece: str) -> None:
    began = time.process_time()
    judged("ASK { ?x ?y " + piece * (200_000 // len(piece)) + " }")
    assert time.process_time() - began < 4  # quadratic, it takes minutes
