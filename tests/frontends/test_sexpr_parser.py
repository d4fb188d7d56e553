"""What s-expressions are read as, and how they are printed."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import lark
import pytest

from pylf.errors import CompileError, Span
from pylf.frontends.sexpr import parser
from pylf.frontends.sexpr.parser import parse
from pylf.frontends.sexpr.printer import print_expression
from pylf.frontends.sexpr.shapes import Form
from pylf.frontends.sexpr.tree import (
    And,
    Comparison,
    Count,
    Expression,
    Inverse,
    Join,
    Path,
    SExpression,
    Superlative,
    TimeConstraint,
    Value,
    Word,
)
from pylf.language.lark_tables import GRAMMARS
from pylf.language.tokens import MAX_DEPTH, MAX_TOKENS

if TYPE_CHECKING:
    import pathlib

FILM, COMEDY = Word("film.film"), Word("m.0hj3n21")
GENRE, PARENT = Word("film.film.genre"), Word("film.genre.parent")


def codes(text: str) -> list[str]:
    with pytest.raises(CompileError) as caught:
        parse(text)
    return [finding.code for finding in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("film.film", FILM),
        ("(JOIN film.film.genre m.0hj3n21)", Join(GENRE, COMEDY)),
        ("(JOIN (R film.film.genre) m.0hj3n21)", Join(Inverse(GENRE), COMEDY)),
        ("(AND film.film (JOIN film.film.genre m.0hj3n21))", And((FILM, Join(GENRE, COMEDY)))),
        ("(AND film.film m.0hj3n21 a.b)", And((FILM, COMEDY, Word("a.b")))),
        ("(COUNT film.film)", Count(FILM)),
        ("(ARGMAX film.film film.film.genre)", Superlative("ARGMAX", FILM, GENRE)),
        ("(ARGMIN film.film (R film.film.genre))", Superlative("ARGMIN", FILM, Inverse(GENRE))),
        ("(lt film.film.genre 90)", Comparison("lt", GENRE, Value("90"))),
        ("(TC film.film film.film.genre 1996)", TimeConstraint(FILM, GENRE, Value("1996"))),
        ("(TC film.film film.film.genre NOW)", TimeConstraint(FILM, GENRE, Word("NOW"))),
        (
            "(ge (JOIN film.film.genre (JOIN (R film.genre.parent) film.film.genre)) 5)",
            Comparison("ge", Path((GENRE, Inverse(PARENT), GENRE)), Value("5")),
        ),
        (
            "(ARGMAX film.film (JOIN film.film.genre (R film.genre.parent)))",
            Superlative("ARGMAX", FILM, Path((GENRE, Inverse(PARENT)))),
        ),
    ],
)
def test_forms(text: str, root: Expression) -> None:
    assert parse(text).root == root
    assert print_expression(SExpression(root)) == text


@pytest.mark.parametrize(
    ("text", "atom"),
    [
        ("m.0178g", Word("m.0178g")),
        ("g.125czp5k_", Word("g.125czp5k_")),
        ("wd:Q42", Word("wd:Q42")),
        (":Berlin", Word(":Berlin")),
        ("<http://e.org/Dad's_(film)>", Word("<http://e.org/Dad's_(film)>")),
        ("base.services.e-commerce_service", Word("base.services.e-commerce_service")),
        ("NOW", Word("NOW")),
        ("5000", Value("5000")),
        ("-0.61", Value("-0.61")),
        ("+5", Value("+5")),
        (".5", Value(".5")),
        ("2.3e+06", Value("2.3e+06")),
        ("2009-08-11", Value("2009-08-11")),
        ("-0044-03", Value("-0044-03")),
        ("2009-08-11T12:30:00Z", Value("2009-08-11T12:30:00Z")),
        ("--08-11", Value("--08-11")),
        ("12:30", Value("12:30")),
        ("2008-05-01^^xsd:date", Value("2008-05-01", "xsd:date")),
        ("2.3e+06^^type.float", Value("2.3e+06", "type.float")),
        ("true^^xsd:boolean", Value("true", "xsd:boolean")),
        ('"5"^^http://www.w3.org/2001/XMLSchema#int', Value("5", "http://www.w3.org/2001/XMLSchema#int", None, True)),
        ('"Dad\'s (new) film"', Value("Dad's (new) film", None, None, True)),
        ('"Kingdom of Prussia"@en', Value("Kingdom of Prussia", None, "en", True)),
        ('"你好"@zh-Hans', Value("你好", None, "zh-Hans", True)),
        ('"he said \\"no\\" \\\\ twice"', Value('he said "no" \\ twice', None, None, True)),
        ('""', Value("", None, None, True)),
        ('"a^^b@c"', Value("a^^b@c", None, None, True)),
    ],
)
def test_atoms(text: str, atom: Word | Value) -> None:
    assert parse(text).root == atom
    assert parse(f"(COUNT {text})").root == Count(atom)
    assert print_expression(SExpression(atom)) == text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("(join (r film.film.genre) m.0hj3n21)", "(JOIN (R film.film.genre) m.0hj3n21)"),
        ("(And film.film (argMax a.b c.d))", "(AND film.film (ARGMAX a.b c.d))"),
        ("(LT a.b 5)", "(lt a.b 5)"),
        ("(<= a.b 5)", "(le a.b 5)"),
        ("(> a.b 5)", "(gt a.b 5)"),
        ("(tc a.b c.d now)", "(TC a.b c.d NOW)"),
        (" ( AND\n\tfilm.film\r\n( COUNT a.b ) ) \n", "(AND film.film (COUNT a.b))"),
        ("\ufeff(COUNT a.b)", "(COUNT a.b)"),
        ("(COUNT 'x \"y\"')", '(COUNT "x \\"y\\"")'),
        ("(COUNT Animation@en)", '(COUNT "Animation"@en)'),
        ("(COUNT 5^^<http://e.org/t>)", "(COUNT 5^^http://e.org/t)"),
        ("(COUNT 5^^<http://e.org/t(1)>)", "(COUNT 5^^<http://e.org/t(1)>)"),
        ('(COUNT "\\u0007\\t")', '(COUNT "\\u0007\\t")'),
        ("(AND(COUNT a.b)(COUNT c.d))", "(AND (COUNT a.b) (COUNT c.d))"),
    ],
)
def test_other_spellings_are_read_and_printed_as_published(text: str, printed: str) -> None:
    assert print_expression(parse(text)) == printed
    assert print_expression(parse(printed)) == printed


def test_places_point_into_the_text() -> None:
    text = '\n(AND film.film (JOIN (R film.film.genre) "x"@en))'
    expression = parse(text, "form")
    assert expression.source is not None
    assert (expression.source.text, expression.source.name) == (text, "form")
    root: Any = expression.root
    parts = [root, root.sets[0], root.sets[1], root.sets[1].relation, root.sets[1].relation.relation, root.sets[1].of]
    assert [text[part.span.start : part.span.end] for part in parts] == [
        text[1:],
        "film.film",
        '(JOIN (R film.film.genre) "x"@en)',
        "(R film.film.genre)",
        "film.film.genre",
        '"x"@en',
    ]
    path: Any = parse("(ARGMIN a.b (JOIN c.d (R e.f)))").root
    assert path.relation.span == Span(12, 30)


# --- limits -------------------------------------------------------------------------------------------------------


def test_depth_is_limited() -> None:
    deepest = "(COUNT " * MAX_DEPTH + "a.b" + ")" * MAX_DEPTH
    assert print_expression(parse(deepest)) == deepest
    assert codes(f"(COUNT {deepest})") == ["too-deep"]
    assert codes("(" * 5_000) == ["too-deep"]
    assert codes("(JOIN a.b " * 5_000 + "c.d" + ")" * 5_000) == ["too-deep"]
    assert codes("(ARGMAX a.b (JOIN c.d " * 5_000) == ["too-deep"]


@pytest.mark.parametrize(
    "form", ["(R ", "(lt ", "(FOO ", "(", "(JOIN (AND a.b ", "(JOIN R a.b ", "(ARGMAX a.b ", "(lt a.b "]
)
def test_wrong_forms_within_wrong_forms(form: str) -> None:
    times = MAX_DEPTH // form.count("(")
    found = codes(form * times + "a.b" + ")" * (times * form.count("(")))
    assert 1 <= len(found) <= 20
    assert set(found) <= {"wrong-argument", "wrong-arity", "unknown-operator"}


def test_a_tree_too_deep_to_be_read_is_not_printed() -> None:
    root: Expression = FILM
    for _ in range(5_000):
        root = Count(root)
    with pytest.raises(CompileError) as caught:
        print_expression(SExpression(root))
    assert [finding.code for finding in caught.value.diagnostics] == ["too-deep"]
    path = Superlative("ARGMAX", FILM, Path((GENRE,) * 5_000))
    with pytest.raises(CompileError, match="too-deep"):
        print_expression(SExpression(path))


def test_size_is_limited() -> None:
    assert codes("(AND" + " a.b" * MAX_TOKENS + ")") == ["too-large"]
    assert codes("(COUNT " + "a" * 1_000_000 + ")") == ["too-large"]
    assert codes('(COUNT "' + "a" * 10_001 + '")') == ["too-large"]
    assert len(codes("(AND " + "(FOO) " * 1_000 + ")")) == 20


@pytest.mark.parametrize(
    "text",
    [
        "# \n" * 100_000,
        "# \n#" * 100_000 + "\nx = START('a')",
        "a," * 200_000,
        "a^" * 200_000,
        '"' + "\\" * 400_000,
        "-" * 400_000,
        'a"' * 200_000,
        "a@b" * 100_000,
        "\n" * 400_000 + "?",
        "a = " * 100_000,
        "x" + " " * 400_000 + "?",
        "( " * 150 + "^^" * 100_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_long_texts_are_refused_in_time_linear_in_them(text: str) -> None:
    assert len(codes(text)) == 1  # what takes longer would not end


@pytest.mark.parametrize("text", ["(COUNT a\0b)", '(COUNT "\ud800")', "\udfff", "\0"])
def test_what_is_not_text(text: str) -> None:
    assert codes(text) == ["syntax"]


# --- what cannot be printed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "atom",
    [
        Word("a) (b"),
        Word("two words"),
        Word("JOIN"),
        Word("5"),
        Word('"x"'),
        Word("a^^b"),
        Word("a@en"),
        Word("<http://e.org/a b>"),
        Word(""),
        Word("a,"),
        Word("a\0"),
        Word("a\x1b[0m"),
        Word("a\ud800"),
        Value("a\ud800", None, None, True),
        Value("a.b"),
        Value("5 or 6"),
        Value("x", None, "not a tag", True),
        Value("x", "a b", None, True),
        Value("x", "a>b", None, True),
        Value("x", None, "en", False),
    ],
)
def test_what_would_be_read_as_something_else_is_not_printed(atom: Word | Value) -> None:
    with pytest.raises(CompileError) as caught:
        print_expression(SExpression(Count(atom)))
    assert [finding.code for finding in caught.value.diagnostics] == ["unwritable"]


# --- the machine --------------------------------------------------------------------------------------------------


def test_the_parser_is_built_once() -> None:
    assert parser._parser() is parser._parser()


def test_an_s_expression_is_read_without_lark(root: pathlib.Path) -> None:
    code = "import sys; from pylf.frontends.sexpr import parser; parser.parse('m.0'); sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


@pytest.fixture(scope="module")
def larks_own() -> lark.Lark:
    (grammar,) = (one for one in GRAMMARS if one.file.name == "sexpr.lark")
    return lark.Lark(
        grammar.file.read_text(encoding="utf-8"),
        start=grammar.start,
        parser="lalr",
        lexer="basic",
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def _ours(item: Any) -> Any:
    return tuple(map(_ours, item.items)) if isinstance(item, Form) else (item.kind, item.text)


def _theirs(item: Any) -> Any:
    """A form of Lark's: ``open`` holds the bracket, then each item in turn on top of those before."""
    if isinstance(item, lark.Token):
        return (item.type, str(item))
    items = []
    rest = item.children[0]
    while rest.data == "add":
        rest, last = rest.children
        items.append(_theirs(last))
    return tuple(reversed(items))


@pytest.mark.parametrize(
    "text",
    [
        "film.film",
        "()",
        "(AND (COUNT a.b) (JOIN (R c.d) 5) (lt e.f -2.5e+3^^xsd:float))",
        '(JOIN r "x (y) \\" z"@en \'it\' <http://e.org/(a)> 5x :a a:b NOW < <= = !=)\n',
        '(AND("a"^^<http://e/t>)(2008-05-01)(()((a))))',
    ],
)
def test_larks_own_lexer_and_loop_read_the_same(text: str, larks_own: lark.Lark) -> None:
    assert _theirs(larks_own.parse(text)) == _ours(parser._parser().parse(text))


# --- the published sets -------------------------------------------------------------------------------------------

#: Records whose s-expression is ill-formed, by file and place, with the reason: there is none.
ILL_FORMED: dict[tuple[str, int], str] = {}


@pytest.mark.parametrize(
    ("file", "count"),
    [("grailqa_1000", 1000), ("agentbench_std", 150), ("agentbench_dev", 20), ("cwq_sexpr_1700", 1702)],
)
def test_every_published_form_is_read_and_printed_as_it_is(shared: pathlib.Path, file: str, count: int) -> None:
    path = shared / "data" / "logical_forms" / f"{file}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no {path.name} in the shared material")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["s_expression"] for line in lines]
    assert len(texts) == count
    refused = {}
    for number, text in enumerate(texts, 1):
        try:
            expression = parse(text)
        except CompileError as error:
            refused[file, number] = error.diagnostics[0].message
            continue
        assert print_expression(expression) == " ".join(text.split())
        assert parse(print_expression(expression)) == expression
    assert refused.keys() == {key for key in ILL_FORMED if key[0] == file}
