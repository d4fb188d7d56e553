"""The parser: what is accepted and what it becomes, where things are said to stand, limits, hostile text."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import warnings
from typing import TYPE_CHECKING, Any

import lark
import pytest
from lark.lexer import Lexer

from pylf.errors import CompileError, Span
from pylf.language import parser, table, tokens
from pylf.language.escapes import unquote
from pylf.language.lark_tables import GRAMMARS, Grammar, tables_of
from pylf.language.parser import parse
from pylf.language.printer import format_program, print_program
from pylf.language.shapes import Shapes
from pylf.language.syntax import (
    And,
    Arg,
    Ask,
    Assignment,
    Cmp,
    Comment,
    CountOf,
    Expression,
    Join,
    Minus,
    Name,
    Number,
    Or,
    Program,
    QuestionInfo,
    Reach,
    Reference,
    RelationPath,
    Start,
    Stop,
    Text,
    TimeConstraint,
)

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = """\
question_info = {'topic': ['Boeing Company'], 'negative': ['produced by Boeing'], 'calculation': 'mass < 2.32e+3'}

# the maker
expression1 = START('Boeing Company')
expression1 = JOIN('R_spaceflight.rocket_manufacturer.rockets_manufactured', expression1, neg=True)  # not by it
expression2 = CMP('<', 'spaceflight.rocket.mass', 2.32e+3)
expression  = AND(expression1, expression2)
expression  = STOP(expression)
"""


def answer(text: str, **options: Any) -> Expression:
    """What is within STOP in a program of that one statement."""
    (assignment,) = parse(f"expression = STOP({text})", **options).assignments
    assert isinstance(assignment.value, Stop)
    return assignment.value.of


def codes(text: str, **options: Any) -> list[str]:
    with pytest.raises(CompileError) as caught:
        parse(text, **options)
    return [diagnostic.code for diagnostic in caught.value.diagnostics]


def boeing(text: str = "Boeing") -> Start:
    return Start(Text(text), implicit=True)


# --- trees --------------------------------------------------------------------------------------------------------


def test_the_papers_example() -> None:
    manufactured = Name("R_spaceflight.rocket_manufacturer.rockets_manufactured")
    assert parse(EXAMPLE) == Program(
        (
            Assignment("expression1", Start(Text("Boeing Company"))),
            Assignment("expression1", Join(manufactured, Reference("expression1"), negated=True)),
            Assignment("expression2", Cmp("<", Name("spaceflight.rocket.mass"), Number("2.32e+3"))),
            Assignment("expression", And((Reference("expression1"), Reference("expression2")))),
            Assignment("expression", Stop(Reference("expression"))),
        ),
        QuestionInfo(
            (
                ("topic", ("Boeing Company",)),
                ("negative", ("produced by Boeing",)),
                ("calculation", ("mass < 2.32e+3",)),
            )
        ),
    )


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("START('Boeing')", Start(Text("Boeing"))),
        ("START(2.32e+3)", Start(Number("2.32e+3"))),
        ("START('rocket', kind='class')", Start(Text("rocket"), "class")),
        ("START('Delta', kind = 'entity')", Start(Text("Delta"), "entity")),
        ("START('2008-05-01^^xsd:date', kind='literal')", Start(Text("2008-05-01^^xsd:date"), "literal")),
        ("'Boeing'", boeing()),
        ("-5", Start(Number("-5"), implicit=True)),
        ("JOIN('made_by', 'Boeing')", Join(Name("made_by"), boeing())),
        ("JOIN('pages', 300)", Join(Name("pages"), Start(Number("300"), implicit=True))),
        ("JOIN('made_by', 'Boeing', neg=False)", Join(Name("made_by"), boeing())),
        ("JOIN('R_made_by', 'Boeing', neg = True,)", Join(Name("R_made_by"), boeing(), negated=True)),
        ("AND('a', 'b', 'c')", And((boeing("a"), boeing("b"), boeing("c")))),
        ("COUNT('a')", CountOf(boeing("a"))),
        ("ARG('ARGMIN', 'a', 'mass')", Arg("ARGMIN", boeing("a"), Name("mass"))),
        ("CMP('>=', 'born', '1991-05')", Cmp(">=", Name("born"), Text("1991-05"))),
        ("CMP('<', 'mass', START(5))", Cmp("<", Name("mass"), Number("5"))),
        ("CMP('<', 'born', START('1991', kind='literal'))", Cmp("<", Name("born"), Text("1991"))),
        ("(('a'))", boeing("a")),
        ("JOIN(('made_by'), (START(('a'))), neg=True)", Join(Name("made_by"), Start(Text("a")), True)),
    ],
)
def test_functions_of_the_paper(text: str, tree: Expression) -> None:
    assert answer(text) == tree
    assert answer(text, strict=True) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("OR('a', 'b')", Or((boeing("a"), boeing("b")))),
        ("MINUS('a', 'b')", Minus(boeing("a"), boeing("b"))),
        ("ASK('a')", Ask(boeing("a"))),
        ("CMP('=', 'mass', 5)", Cmp("=", Name("mass"), Number("5"))),
        ("CMP('!=', 'mass', 5)", Cmp("!=", Name("mass"), Number("5"))),
        ("ARG('ARGMAX', 'a', 'mass', k=3)", Arg("ARGMAX", boeing("a"), Name("mass"), 3)),
        ("ARG('ARGMAX', 'a', COUNT('made'))", Arg("ARGMAX", boeing("a"), Name("made"), None, True)),
        ("TC('a', 'from', '2008')", TimeConstraint(boeing("a"), Name("from"), Text("2008"))),
        ("TC('a', 'to', 'NOW', until=True)", TimeConstraint(boeing("a"), Name("to"), Text("NOW"), True)),
        ("JOIN(CLOSURE('part_of'), 'a')", Join(Reach(Name("part_of")), boeing("a"))),
        ("JOIN(CLOSURE('R_part_of', min=0), 'a')", Join(Reach(Name("R_part_of"), 0), boeing("a"))),
        ("JOIN(['wrote'], 'a')", Join(RelationPath((Name("wrote"),)), boeing("a"))),
    ],
)
def test_extensions_are_refused_only_when_strict(text: str, tree: Expression) -> None:
    assert answer(text) == tree
    assert codes(f"expression = STOP({text})", strict=True) == ["extension"]


@pytest.mark.parametrize(
    "path",
    [
        "['a', 'b', 'c']",
        "JOIN('a', JOIN('b', 'c'))",
        "JOIN(JOIN('a', 'b'), 'c')",
        "JOIN('a', ['b', 'c'])",
        "['a', JOIN('b', 'c'),]",
    ],
)
def test_a_path_is_a_list_or_a_nested_join_of_names(path: str) -> None:
    steps = RelationPath((Name("a"), Name("b"), Name("c")))
    assert answer(f"CMP('<', {path}, 5)") == Cmp("<", steps, Number("5"))
    assert answer(f"ARG('ARGMAX', 'x', {path})") == Arg("ARGMAX", boeing("x"), steps)
    assert answer(f"ARG('ARGMAX', 'x', COUNT({path}))") == Arg("ARGMAX", boeing("x"), steps, counted=True)
    assert answer(f"TC('x', {path}, 'NOW')") == TimeConstraint(boeing("x"), steps, Text("NOW"))
    assert answer(f"JOIN({path}, 'x')") == Join(steps, boeing("x"))


def test_a_path_may_have_closures() -> None:
    steps = RelationPath((Reach(Name("a"), 0), Name("b")))
    assert answer("JOIN([CLOSURE('a', min=0), 'b'], 'x')") == Join(steps, boeing("x"))


def test_the_second_argument_of_a_join_in_set_position_is_a_set() -> None:
    assert answer("JOIN('a', JOIN('b', 'c'))") == Join(Name("a"), Join(Name("b"), boeing("c")))


def test_a_constant_may_be_held_by_a_variable() -> None:
    program = parse("x = START(2.32e+3)\nx = CMP('<', 'mass', x)\nexpression = STOP(x)")
    assert program.assignments[1].value == Cmp("<", Name("mass"), Number("2.32e+3"))


def test_variables_hold_any_value_and_names_may_be_used_again() -> None:
    program = parse("x = 'a'\ny = x\nx = 5\nexpression = STOP(AND(x, y))")
    assert [assignment.name for assignment in program.assignments] == ["x", "y", "x", "expression"]
    assert program.assignments[1].value == Reference("x")


@pytest.mark.parametrize("number", ["0", "300", "-5", "+5", "3.0e2", "2.32e+3", "1E-5", ".5", "5.", "-0.5", "00.5"])
def test_numbers_keep_their_spelling(number: str) -> None:
    assert answer(number) == Start(Number(number), implicit=True)


# --- spelling -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE.replace("\n", "\r\n"),
        EXAMPLE.replace("\n", "\r"),
        "\ufeff" + EXAMPLE,
        EXAMPLE.rstrip("\n"),
        EXAMPLE.replace(")\n", ");").replace("neg=True)  #", "neg=True) ; #"),
        EXAMPLE.replace("'", '"'),
        EXAMPLE.replace(", ", " ,\t\\\n  ").replace("(", "( \n # note\n\n ").replace(")", ",\n)"),
        EXAMPLE.replace("\n", "\n\t  "),
    ],
    ids=["CRLF", "CR", "BOM", "no last line break", "semicolons", "double quotes", "white space", "indented"],
)
def test_spelling_does_not_matter(text: str) -> None:
    assert parse(text) == parse(EXAMPLE)


@pytest.mark.parametrize(
    "literal",
    [
        r"'Dad\'s'",
        '"Dad\'s"',
        r'"N \"one\""',
        r"'a\nb\tc\\d\re\a\b\f\v'",
        r"'\x41\u00e9\U0001F680\N{ROCKET}\N{latin small letter a}'",
        r"'\0\101\60 \8'",
        r"'AC\DC \d \ '",
        "'joined \\\nlines'",
        "'日本 العربية 🚀'",
        "''",
    ],
)
def test_strings_are_read_as_python_reads_them(literal: str) -> None:
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        expected = ast.literal_eval(literal)
    assert answer(literal) == boeing(expected)
    assert unquote(literal) == expected


def test_special_characters_in_names_are_kept_case_10() -> None:
    assert answer(r"'<http://e/Dad\'s_(film),_100%>'") == boeing("<http://e/Dad's_(film),_100%>")


@pytest.mark.parametrize("literal", [r"'\x4'", r"'\u12'", r"'\U0011FFFF'", r"'\ud800'", r"'\N{NO SUCH}'", r"'\N'"])
def test_escapes_that_are_no_character(literal: str) -> None:
    assert codes(f"x = STOP({literal})") == ["bad-escape"]


# --- places -------------------------------------------------------------------------------------------------------


def test_spans_cover_what_is_written() -> None:
    program = parse(EXAMPLE, "film.py")
    source = program.source
    assert source is not None
    assert (source.name, source.text) == ("film.py", EXAMPLE)

    def written(node: Any) -> str:
        return EXAMPLE[slice(*node.span)]

    _, second, third, fourth, fifth = program.assignments
    assert written(second).startswith("expression1 = JOIN('R_")
    assert written(second).endswith("neg=True)")
    assert isinstance(second.value, Join)
    assert written(second.value).startswith("JOIN(")
    assert written(second.value.relation) == "'R_spaceflight.rocket_manufacturer.rockets_manufactured'"
    assert written(second.value.of) == "expression1"
    assert isinstance(third.value, Cmp)
    assert written(third.value.value) == "2.32e+3"
    assert isinstance(fourth.value, And)
    assert written(fourth.value.sets[1]) == "expression2"
    assert written(fifth) == "expression  = STOP(expression)"
    assert program.question_info is not None
    assert written(program.question_info).startswith("question_info = {")


def test_a_constant_from_a_variable_points_at_its_use() -> None:
    text = "x = START(5)\nexpression = STOP(CMP('<', 'mass', x))"
    value = parse(text).assignments[1].value
    assert isinstance(value, Stop)
    assert isinstance(value.of, Cmp)
    assert value.of.value.span == Span(text.rindex("x"), text.rindex("x") + 1)


def test_comments_are_kept_with_their_places() -> None:
    program = parse(EXAMPLE)
    assert [(comment.text, comment.own_line) for comment in program.comments] == [
        ("# the maker", True),
        ("# not by it", False),
    ]
    for comment in program.comments:
        assert EXAMPLE[slice(*comment.span)] == comment.text


def test_a_number_sign_in_a_string_begins_no_comment() -> None:
    text = "x = STOP('#1 \\' # \"') # it's \"the\" # end"
    start = text.index("# it's")
    assert parse(text).comments == (Comment('# it\'s "the" # end', Span(start, len(text)), own_line=False),)


def test_findings_are_told_in_the_order_of_the_text_and_all_at_once() -> None:
    text = "x = JION('r', 'a')\ny = CMP('=>', 'r', AND('a', 'b'))\nz = OR(z)\nu = JOIN('r', w, neg=1)"
    assert codes(text) == [
        "unknown-function",
        "unknown-operator",
        "wrong-argument",
        "wrong-arity",
        "undefined-name",
        "wrong-argument",
        "missing-stop",
    ]


def test_what_follows_from_a_finding_is_not_reported() -> None:
    assert codes("x = START(5, kind='x')\ny = CMP('<', 'r', x)\nexpression = STOP(AND(x, y))") == ["unknown-kind"]


def test_there_is_an_end_to_findings() -> None:
    assert len(codes("".join(f"x{i} = y{i}\n" for i in range(500)))) == 20


# --- limits and hostile text --------------------------------------------------------------------------------------


def nested(opening: str, closing: str, depth: int) -> str:
    return f"expression = STOP({opening * depth}'a'{closing * depth})"


@pytest.mark.parametrize(
    ("opening", "closing"), [("AND('a', ", ")"), ("JOIN('r', ", ")"), ("ARG('ARGMAX', ", ", 'r')"), ("(", ")")]
)
def test_depth_is_limited(opening: str, closing: str) -> None:
    text = nested(opening, closing, tokens.MAX_DEPTH - 1)
    program = parse(text)
    assert parse(print_program(program)) == parse(format_program(program)) == program
    assert repr(program)
    assert hash(program) == hash(parse(text))
    assert codes(nested(opening, closing, tokens.MAX_DEPTH)) == ["too-deep"]
    assert codes(nested(opening, closing, 5_000)) == ["too-deep"]


def test_deep_text_that_is_wrong_everywhere_case_44() -> None:
    assert codes(nested("NO(", ")", 150)) == ["unknown-function"] * 20
    assert codes(nested("AND(", ")", 150)) == ["wrong-arity"] * 20
    assert codes("x = " + "(" * 100_000) == ["too-deep"]
    assert codes("x = " + "[{(" * 100_000) == ["too-deep"]


@pytest.mark.parametrize(
    "text",
    [
        "#" * 1_000_001,
        "expression = STOP('" + "a" * 10_001 + "')",
        "expression = STOP(" + "9" * 1_001 + ")",
        "expression = STOP(AND(" + "'a'," * 50_000 + "))",
    ],
    ids=["text", "string", "number", "tokens"],
)
def test_size_is_limited(text: str) -> None:
    assert codes(text) == ["too-large"]


@pytest.mark.parametrize(
    "text",
    [
        " " * 900_000,
        " \n" * 400_000 + "x",
        "#\n" * 400_000,
        "\\\n" * 400_000,
        "x = '" + "\\'" * 400_000,
        "x = '" + "a" * 900_000 + "\n" + "'" * 90_000,
        "'" * 900_000,
        ")" * 900_000,
        "x = a" + "*" * 900_000,
        "x = " + "lambda " * 100_000,
        "\n".join(f"expression{i} = 'a'" for i in range(6_000)) + "\nx = AND(expresion1, expresion2)",
    ],
    ids=lambda text: repr(text[:8]),
)
def test_large_text_is_refused_without_much_ado(text: str) -> None:
    """Each takes well under a second; were the time not linear, none would end."""
    with pytest.raises(CompileError):
        parse(text)


def test_programs_of_thousands_of_statements_are_read() -> None:
    lines = ["x = START('a')", *[f"x = JOIN('r{i}', x, neg=True)" for i in range(4_000)], "x = STOP(x)"]
    assert len(parse("\n".join(lines)).assignments) == 4_002


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("__import__('os').system('x')", "attribute access ('.system')"),
        ("x = __import__('os')", "'__import__'"),
        ("expression = STOP(JOIN((lambda: 1)(), 'x'))", "a lambda"),
        ("expression = STOP(9**9**9)", "arithmetic ('**')"),
        ("x = eval('1')", "'eval'"),
        ("x = exec('1')", "'exec'"),
        ("import os", "an import"),
        ("from os import system", "an import"),
        ("x = [y for y in z]", "a comprehension"),
        ("x = f'{y}'", "an f-string"),
        ("x = y.z", "attribute access ('.z')"),
        ("x = y[0]", "indexing"),
        ("def f(): pass", "a function definition"),
        ("class A: pass", "a class"),
        ("while True: pass", "a loop"),
        ("x = y if z else w", "a conditional expression"),
        ("x = lambda y: y", "a lambda"),
        ("x = (yield)", "a 'yield'"),
        ("@decorated\nx = 'a'", "a decorator"),
        ("x = y @ z", "arithmetic ('@')"),
        ("del x", "a deletion"),
        ("print('x')", "'print'"),
        ("x = (y := 'a')", "an assignment inside an expression (':=')"),
    ],
)
def test_hostile_text_is_named_and_never_run_case_44(text: str, construct: str) -> None:
    with pytest.raises(CompileError) as caught:
        parse(text)
    first = caught.value.diagnostics[0]
    assert first.code == "not-allowed"
    assert construct in first.message
    assert "programs are parsed, never run" in first.hints


@pytest.mark.parametrize("text", ["x = 'a\0b'", "x = '\ud800'", "# \udfff\nx = STOP('a')", "\0"])
def test_what_is_not_text(text: str) -> None:
    assert codes(text) == ["syntax"]


# --- the machine --------------------------------------------------------------------------------------------------


def test_the_parser_is_built_once() -> None:
    assert parser._parser() is parser._parser()


@pytest.mark.parametrize("grammar", GRAMMARS, ids=lambda grammar: grammar.file.stem)
def test_the_tables_that_are_kept_are_those_of_the_grammar(grammar: Grammar) -> None:
    kept = grammar.table.read_text(encoding="utf-8")
    assert kept == grammar.module(), "run: python -m pylf.language.lark_tables"


def test_tables_of_another_grammar_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "GRAMMAR", 0)
    monkeypatch.setattr(table, "STATES", ())
    built = parser._parser.__wrapped__()
    assert _plain(built.parse(EXAMPLE)) == _plain(parser._parser().parse(EXAMPLE))


def test_a_program_is_read_without_lark(root: Path) -> None:
    code = "import sys; from pylf.language.parser import parse; parse('x = STOP(5)'); sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


class _Token(lark.Token):
    """A token of ours in the clothes of Lark's."""

    @property
    def kind(self) -> str:
        return self.type

    @property
    def text(self) -> str:
        return str(self.value)

    @property
    def start(self) -> int:
        assert self.start_pos is not None
        return self.start_pos

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class _Lexer(Lexer):
    """Our tokens, handed to Lark's own loop."""

    __future_interface__ = 1

    def __init__(self, lexer_conf: Any) -> None: ...

    def lex(self, lexer_state: Any, parser_state: Any) -> Any:
        text = getattr(lexer_state.text, "text", lexer_state.text)
        for token in parser._parser().tokens(text):
            yield _Token(token.kind, token.text, token.start)


def _plain(shape: Any) -> Any:
    if isinstance(shape, tokens.Token | _Token):
        return (shape.kind, shape.text, shape.span)
    if isinstance(shape, tuple | list):
        return (type(shape).__name__, *map(_plain, shape))
    return shape


@pytest.fixture(scope="module")
def larks_own() -> lark.Lark:
    return lark.Lark.open(
        "../../pylf/grammars/pylf.lark",
        rel_to=__file__,
        start="program",
        parser="lalr",
        lexer=_Lexer,
        transformer=Shapes(),
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        "",
        "\n# nothing\n",
        "x = (JOIN(['a', JOIN('b', [],)], ({'k': ['v', 5], 'l': {},}), neg=(True),)); y = F()\nSTOP(x);\n",
    ],
)
def test_larks_own_loop_builds_the_same(text: str, larks_own: lark.Lark) -> None:
    assert _plain(larks_own.parse(text)) == _plain(parser._parser().parse(text))


@pytest.mark.parametrize("text", ["x y", "x = ", "x = F(a b)", "x = F(a\n", "{'a', 'b'}", "f(x) = y", "x = y z"])
def test_larks_own_loop_stops_where_ours_does(text: str, larks_own: lark.Lark) -> None:
    with pytest.raises(tokens.Fault) as ours:
        parser._parser().parse(text)
    with pytest.raises(lark.UnexpectedToken) as theirs:
        larks_own.parse(text)
    assert ours.value.kind == theirs.value.token.type
    assert ours.value.expected <= theirs.value.expected | {"$END"}


def test_a_grammar_with_a_conflict_is_refused() -> None:
    with pytest.raises(lark.exceptions.GrammarError, match="conflict"):
        tables_of('start: start "+" start | NAME\nNAME: /[a-z]/', "start")


def test_every_program_of_the_conformance_suite_is_read(shared: Path) -> None:
    lines = (shared / "conformance" / "semantics.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines
    for line in lines:
        program = parse(json.loads(line)["program"])
        assert parse(print_program(program)) == program
