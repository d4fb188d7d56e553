"""Query results in JSON: every server's spelling, in pieces of any size; and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.backends.http import results
from pylf.backends.http.bindings import rows_in
from pylf.backends.http.results import Malformed, Reader, gathered
from pylf.backends.http.shape import shape_of
from pylf.errors import EngineError
from pylf.ir.terms import RDF_LANG_STRING, XSD_INTEGER, XSD_STRING, Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.ir.terms import Node

VIRTUOSO = """
{ "head": { "link": [], "vars": ["s", "o"] },
  "results": { "distinct": false, "ordered": true, "bindings": [
    { "s": { "type": "bnode", "value": "nodeID://b10070" }\t, "o": { "type": "typed-literal", "datatype": "http://www.w3.org/2001/XMLSchema#integer", "value": "1" }},
    { "s": { "type": "uri", "value": "http://e/a" }\t, "o": { "type": "literal", "xml:lang": "EN", "value": "x" }} ] } }
"""  # noqa: E501
JENA = """{ "head": {
    "vars": [ "s" , "o" ]
  } ,
  "results": {
    "bindings": [
      {
        "s": { "type": "bnode" , "value": "b0" } ,
        "o": { "type": "literal" , "datatype": "http://www.w3.org/2001/XMLSchema#integer" , "value": "1" }
      } ,
      {
        "s": { "type": "uri" , "value": "http://e/a" } ,
        "o": { "type": "literal" , "xml:lang": "en" , "value": "x" }
      }
    ]
  }
}
"""
OXIGRAPH = (
    '{"head":{"vars":["s","o"]},"results":{"bindings":[{"s":{"type":"bnode","value":"ee35"},"o":{"type":"literal",'
    '"value":"1","datatype":"http://www.w3.org/2001/XMLSchema#integer"}},{"s":{"type":"uri","value":"http://e/a"},'
    '"o":{"type":"literal","value":"x","xml:lang":"en"}}]}}'
)
QLEVER = (
    '{"head":{"vars":["s","o"]},"results":{"bindings":[{"s":{"value":"bn7","type":"bnode"},"o":{"value":"1","datatype":'
    '"http://www.w3.org/2001/XMLSchema#integer","type":"literal"}},{"s":{"value":"http://e/a","type":"uri"},'
    '"o":{"value":"x","xml:lang":"en","type":"literal"}}]},"meta":{"query-time-ms":0,"result-size-total":2}}'
)


def pieces(text: str | bytes, size: int) -> Iterator[bytes]:
    data = text.encode() if isinstance(text, str) else text
    return (data[at : at + size] for at in range(0, len(data), size))


def read(text: str | bytes, size: int = 1 << 16) -> tuple[tuple[str, ...] | None, list[tuple[Node | None, ...]]]:
    reader = Reader(pieces(text, size))
    rows = list(reader.rows())
    return reader.variables, rows


def rows_text(*terms: str) -> str:
    """The rows of one variable ``x``."""
    bindings = ",".join(f'{{"x":{term}}}' for term in terms)
    return f'{{"head":{{"vars":["x"]}},"results":{{"bindings":[{bindings}]}}}}'


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1 << 16])
@pytest.mark.parametrize(("text", "label"), [(VIRTUOSO, "b10070"), (JENA, "b0"), (OXIGRAPH, "ee35"), (QLEVER, "bn7")])
def test_each_servers_spelling_is_the_same_rows(text: str, label: str, size: int) -> None:
    assert read(text, size) == (
        ("s", "o"),
        [(Blank(label), Literal("1", XSD_INTEGER)), (Iri("http://e/a"), Literal("x", RDF_LANG_STRING, "en"))],
    )


nodes = st.one_of(
    st.none(),
    st.text(st.characters(exclude_categories=["Cs", "Cc"])).map(lambda text: Iri(f"e:{text}")),
    st.text(st.characters(exclude_categories=["Cs"])).map(Literal),
    st.builds(Literal, st.text(st.characters(exclude_categories=["Cs"])), st.just(XSD_INTEGER)),
    st.builds(Literal, st.text(st.characters(exclude_categories=["Cs"])), st.just(RDF_LANG_STRING), st.just("en-gb")),
    st.from_regex(r"[a-z][a-z0-9]*", fullmatch=True).map(Blank),
)


def spelled(node: Node) -> dict[str, str]:
    match node:
        case Iri(value):
            return {"type": "uri", "value": value}
        case Blank(label):
            return {"type": "bnode", "value": label}
        case Literal(lexical, _, str(language)):
            return {"type": "literal", "value": lexical, "xml:lang": language.upper()}
        case Literal(lexical, datatype):
            return {"type": "literal", "value": lexical} | ({} if datatype == XSD_STRING else {"datatype": datatype})


@given(st.lists(st.tuples(nodes, nodes), max_size=8), st.integers(1, 40), st.booleans(), st.sampled_from([None, 1]))
def test_any_rows_in_any_pieces(
    rows: list[tuple[Node | None, ...]], size: int, ascii_only: bool, indent: int | None
) -> None:
    # the names of the variables are those of a term's own keys
    bindings = [
        {name: spelled(node) for name, node in zip(("type", "value"), row, strict=True) if node is not None}
        for row in rows
    ]
    data = {"head": {"vars": ["type", "value"]}, "results": {"bindings": bindings}}
    assert read(json.dumps(data, ensure_ascii=ascii_only, indent=indent), size) == (("type", "value"), rows)


@given(st.integers(0, len(OXIGRAPH) - 1), st.integers(1, 30))
def test_a_truncated_body_is_an_error_wherever_it_ends(end: int, size: int) -> None:
    with pytest.raises(Malformed):
        read(OXIGRAPH[:end], size)


def test_the_head_may_come_last() -> None:
    text = '{"results":{"bindings":[{"b":{"type":"uri","value":"u:u"}}]},"head":{"vars":["a","b"]}}'
    assert read(text, 5) == (("a", "b"), [(None, Iri("u:u"))])


def test_xsd_string_is_the_plain_form_and_tags_are_lower_case() -> None:
    _, rows = read(
        rows_text(
            f'{{"type":"literal","value":"a","datatype":"{XSD_STRING}"}}',
            '{"type":"literal","value":"a"}',
            '{"type":"literal","value":"a","datatype":null}',
            '{"type":"literal","value":"a","xml:lang":""}',
            f'{{"type":"literal","value":"a","xml:lang":"De-AT","datatype":"{RDF_LANG_STRING}"}}',
        )
    )
    assert [row[0] for row in rows] == [*[Literal("a")] * 4, Literal("a", RDF_LANG_STRING, "de-at")]


def test_truth_values() -> None:
    for text, value in (('{"head":{},"boolean":true}', True), ('{"boolean" : false,"head":{"link":[]}}', False)):
        reader = Reader(pieces(text, 3))
        assert list(reader.rows()) == []
        assert reader.boolean is value


def test_no_rows_and_rows_without_a_binding() -> None:
    assert read('{"head":{"vars":[]},"results":{"bindings":[]}}') == ((), [])
    assert read('{"head":{"vars":["x"]},"results":{"bindings":[{},{}]}}') == (("x",), [(None,), (None,)])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cut off"),
        ("[]", "'{' is missing"),
        ("{}", "no rows"),
        ('{"head":{"vars":["x"]}}', "no rows"),
        ('{"results":{"bindings":[]}}', "does not name its variables"),
        ('{"head":{"vars":["x"]},"head":{"vars":["x"]},"results":{"bindings":[]}}', "'head' twice"),
        ('{"head":{"vars":["x"]},"results":{"bindings":[],"bindings":[]}}', "'bindings' twice"),
        ('{"head":{"vars":["x","x"]},"results":{"bindings":[]}}', "a variable twice"),
        ('{"head":{"vars":"x"},"results":{"bindings":[]}}', "list of variables"),
        ('{"head":[],"results":{"bindings":[]}}', "list of variables"),
        ('{"head":{},"boolean":1}', "neither true nor false"),
        ('{"head":{"vars":["x"]},"boolean":true,"results":{"bindings":[]}}', "both rows and a truth value"),
        (rows_text() + "x", "something follows"),
        (rows_text() + "{}", "something follows"),
        (rows_text('{"type":"uri","value":"u:a"}').replace('"x":{', '"y":{'), "none of the answer's variables"),
        (rows_text('{"type":"uri","value":"u:a","value":"b"}'), "'value' twice"),
        (
            rows_text('{"type":"uri","value":"u:a"}').replace('{"x"', '{"x":{"type":"uri","value":"u:b"},"x"'),
            "'x' twice",
        ),
        (rows_text('{"type":"uri","value":7}'), "no text as its value"),
        (rows_text('{"type":"uri"}'), "no text as its value"),
        (rows_text('{"type":"literal","value":"a","datatype":7}'), "language or datatype"),
        (rows_text('{"type":"graph","value":"a"}'), "type 'graph'"),
        (rows_text("null"), "is no term"),
        (rows_text('"a"'), "is no term"),
        (rows_text('["a"]'), "is no term"),
        (rows_text("7"), "is no term"),
        (rows_text('{"a":{"type":"uri","value":"u:a"}}'), "is no term"),
        (rows_text('{"type":"literal","value":"\\ud83d"}'), "half of a character"),
        ('{"head":{"vars":["x"]},"results":{"bindings":[{"type":"uri","value":"u:a"}]}}', "a term stands where a row"),
        ('{"head":{"vars":["x"]},"results":{"bindings":[{} {}]}}', "break off"),
        ('{"head":{"vars":["x"]},"results":{"bindings":[{},]}}', "a row is missing"),
        ('{"head":{"vars":["x"]},"results":{"bindings":{}}}', r"'\[' is missing"),
        (b'{"head":{"vars":["x\xff"]},"results":{"bindings":[]}}', "not in UTF-8"),
        ('{"head":' + "[" * 200_000 + "}", "nested too deeply"),
    ],
)
def test_what_is_no_result_is_an_error(text: str | bytes, words: str) -> None:
    for size in (1 << 16, 3) if len(text) < 1_000 else (1 << 16,):
        with pytest.raises(EngineError, match=words):
            read(text, size)


@pytest.mark.parametrize(
    "term",
    [
        (
            '{"type":"triple","value":{"subject":{"type":"uri","value":"u:a"},"predicate":{"type":"uri","value":"u:a"},'
            '"object":{"type":"uri","value":"u:a"}}}'
        ),
        '{"type":"literal","value":"a","xml:lang":"he","its:dir":"rtl"}',
    ],
)
def test_what_rdf_1_2_adds_is_named(term: str) -> None:
    with pytest.raises(EngineError, match=r"RDF 1\.2"):
        read(rows_text(term))


def test_rows_come_before_the_body_ends() -> None:
    def growing() -> Iterator[bytes]:
        yield b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"uri","value":"u:a"}},'
        raise EngineError("nobody should ask for more")

    assert next(Reader(growing()).rows()) == (Iri("u:a"),)


def test_a_long_value_is_not_read_again_and_again() -> None:
    """Pieces are gathered in doubling amounts while one value grows: the reads are few, however many pieces come."""
    reader = Reader(pieces(rows_text(json.dumps({"type": "literal", "value": "é" * 400_000})), 64))
    decoded = []
    whole = Reader._value

    def counted(self: Reader, decoder: json.JSONDecoder, *most: int) -> object:
        more = self._more
        self._more = lambda least=1: decoded.append(least) or more(least)  # type: ignore[method-assign,func-returns-value]
        try:
            return whole(self, decoder, *most)
        finally:
            del self._more

    reader._value = counted.__get__(reader)  # type: ignore[method-assign]
    ((literal,),) = reader.rows()
    assert isinstance(literal, Literal)
    assert len(literal.lexical) == 400_000
    assert len(decoded) < 60


# --- many rows at a time --------------------------------------------------------------------------------------------


def outcome(text: str | bytes, size: int = 1 << 16) -> tuple[object, ...]:
    """The rows that are given, and how it ends."""
    reader = Reader(pieces(text, size))
    rows: list[tuple[Node | None, ...]] = []
    try:
        for batch in reader.batches():
            rows += batch
    except EngineError as error:
        return rows, type(error), str(error)
    return rows, reader.variables, reader.boolean


def outcomes(text: str | bytes, size: int) -> list[tuple[object, ...]]:
    """What comes of a body that is read row by row, by pieces of text, and by shape."""
    found = []
    for many, alike in ((1 << 30, 1 << 30), (0, 1 << 30), (0, 0)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(results, "_MANY", many)
            patch.setattr(results, "_ALIKE", alike)
            found.append(outcome(text, size))
    return found


strings = st.one_of(
    st.text(st.sampled_from('a:{}[],"\\ \n\x01é\U0001f600'), max_size=6),
    st.sampled_from(["nodeID://b1", "_:b", "}},{", '"}},{"', "type", "value", "\\ud83d", "uri"]),
)
odd = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), strings, st.just({}), st.just([]))
cells = st.one_of(
    st.fixed_dictionaries({"type": st.just("uri"), "value": strings | strings.map("e:".__add__)}),
    st.fixed_dictionaries({"type": st.sampled_from(["literal", "typed-literal"]), "value": strings}),
    st.fixed_dictionaries({"type": st.just("literal"), "value": strings, "datatype": strings}),
    st.fixed_dictionaries(
        {"value": strings, "type": st.just("literal"), "xml:lang": st.sampled_from(["", "EN", "de"])}
    ),
    st.fixed_dictionaries({"type": st.just("bnode"), "value": strings}),
)
odd_cells = st.one_of(
    cells,
    odd,
    st.dictionaries(
        st.sampled_from(["type", "value", "datatype", "xml:lang", "its:dir", "x"]), odd | cells, max_size=4
    ),
)
layouts = st.sampled_from([(",", ":"), (" , ", ": "), (",\n", " :\t")])


@st.composite
def alike(draw: st.DrawFn) -> list[object]:
    """Rows that differ in the texts of their terms alone."""
    row = draw(st.dictionaries(st.sampled_from("ab"), cells, min_size=2))
    plain = st.text(st.sampled_from("a:{}[],"), max_size=6) | strings
    return [
        {
            name: {key: text if key == "type" else draw(plain) for key, text in cell.items()}
            for name, cell in row.items()
        }
        for _ in range(draw(st.integers(2, 6)))
    ]


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Bodies as servers write them, nearly so, or damaged."""
    kind = draw(st.sampled_from(["alike", "alike", "rows", "odd"]))
    of = {"rows": cells, "odd": odd_cells}.get(kind)
    rows = draw(alike()) if of is None else draw(st.lists(st.dictionaries(st.sampled_from("ab"), of), max_size=6))
    text = json.dumps(rows, ensure_ascii=draw(st.booleans()), separators=draw(layouts))
    for raw in ("\n", "\x01"):
        if draw(st.booleans()):
            text = text.replace(json.dumps(raw)[1:-1], raw)
    text = f'{{"head":{{"vars":["a","b"]}},"results":{{"bindings":{text}}}}}'
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        at = draw(st.integers(30, len(text)))
        match draw(st.sampled_from(["cut", "drop", "twice", "put"])):
            case "cut":
                text = text[:at]
            case "drop":
                text = text[: at - 1] + text[at:]
            case "twice":
                end = draw(st.integers(at, min(len(text), at + 60)))
                text = text[:end] + text[at:end] + text[end:]
            case _:
                text = (
                    text[:at]
                    + draw(st.sampled_from(['"', "\\", "{", "}", ",", "\x00", ',"type":"uri"', "\\ud83d", "c"]))
                    + text[at:]
                )
    return text


@settings(max_examples=200)
@given(bodies(), st.sampled_from([7, 40, 1 << 16]))
def test_rows_read_in_any_way_are_the_same_or_the_same_error(text: str, size: int) -> None:
    one_by_one, *others = outcomes(text, size)
    for other in others:
        assert other == one_by_one


def test_a_key_that_is_dropped_is_missed_in_any_way() -> None:
    term = '{"type":"uri","value":"u:a"}'
    whole = f'{{"a":{term},"b":{term}}}'
    for row in (
        whole.replace('"b"', '"a"'),
        whole.replace('"b"', r'"\u0061"'),
        whole.replace('"value":"u:a"', '"value":"u:a","value":"u:a"', 1),
        whole.replace('"value":"u:a"', '"value":"u:a","x":7,"x":7', 1),
    ):
        for rows in (f"{whole},{row}", f"{row},{whole}", f"{whole},{row},{whole}"):
            text = f'{{"head":{{"vars":["a","b"]}},"results":{{"bindings":[{rows}]}}}}'
            for found in outcomes(text, 1 << 16):
                assert found[1] is Malformed
                assert "twice" in str(found[2])


@pytest.mark.parametrize("layout", [(",", ":"), (" , ", ": ")])
@pytest.mark.parametrize("column", [[Iri("http://e/a")], [Literal("1", XSD_INTEGER), Literal("2", "http://e/t")]])
def test_rows_of_one_shape_are_found_as_such(layout: tuple[str, str], column: list[Node]) -> None:
    """The quick ways are taken where they are meant to be: an answer of thousands of rows depends on them."""
    nodes = [*column * 3, *column]
    rows: list[tuple[Node | None, ...]] = [(node, Literal("x", RDF_LANG_STRING, "en")) for node in nodes]
    text = json.dumps(
        [{name: spelled(node) for name, node in zip("ab", row, strict=True) if node} for row in rows], separators=layout
    )[1:-1]
    shape = shape_of(text, ("a", "b"))
    assert shape is not None
    assert shape.rows(text) == rows
    assert rows_in(text, ("a", "b")) == rows
    for other in (text[:-1], f"{text},", f"{text},{{}}", text.replace("uri", "bnode", 1).replace("literal", "uri", 1)):
        assert shape.rows(other) is None


def test_rows_of_many_shapes_are_read_together() -> None:
    rows: list[tuple[Node | None, ...]] = [
        (Iri("http://e/a"), None),
        (Literal('a "quoted" \\ text\n', RDF_LANG_STRING, "en"), Literal("1", XSD_INTEGER)),
        (None, Blank("b1")),
        (Literal("x"), Literal("\x01")),
    ]
    bindings = [{name: spelled(node) for name, node in zip("ab", row, strict=True) if node} for row in rows]
    text = json.dumps(bindings)[1:-1]
    assert rows_in(text, ("a", "b")) == rows
    assert rows_in(text.replace("\\u0001", "\x01"), ("a", "b")) == rows
    assert rows_in(text, ("a",)) is None


@pytest.mark.parametrize("size", [1, 10, 1 << 20])
def test_what_came_before_an_error_is_read_before_it(size: int) -> None:
    def broken() -> Iterator[bytes]:
        yield from pieces(OXIGRAPH[:-60], 7)
        raise EngineError("the connection broke")

    reader = Reader(gathered(broken(), size))
    rows = reader.rows()
    assert next(rows) == (Blank("ee35"), Literal("1", XSD_INTEGER))
    with pytest.raises(EngineError, match="the connection broke"):
        list(rows)
    assert b"".join(gathered(pieces(OXIGRAPH, 7), size)).decode() == OXIGRAPH


def test_gathered_pieces_are_few() -> None:
    assert list(map(len, gathered(pieces(b"x" * 1000, 10), 400))) == [400, 400, 200]
