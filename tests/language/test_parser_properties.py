"""Whatever the text, the parser gives a program or diagnostics; whatever the program, printing and parsing agree."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pylf.errors import CompileError, Diagnostic
from pylf.language.parser import _parser, parse
from pylf.language.printer import format_program, print_program
from pylf.language.syntax import Program

REAL = (
    """question_info = {'topic': ['Boeing Company'], 'negative': ['produced by "Boeing"'], 'calculation': '< 2.32e+3'}
expression1 = START('Boeing Company')  # the maker
expression1 = JOIN('R_spaceflight.rocket_manufacturer.rockets_manufactured', expression1, neg=True)
expression2 = CMP('<', 'spaceflight.rocket.mass', 2.32e+3)
expression  = AND(expression1, expression2)
expression  = STOP(expression)
""",
    """# nested, over several lines
expression = STOP(ARG(
    'ARGMAX',
    JOIN("wrote", ARG('ARGMIN', START('work', kind='class'), COUNT(['a', 'b'])), neg = False),  # inner
    JOIN('a', JOIN('b', CLOSURE('c', min=0))),
    k=3,
))
""",
    "x = OR('Dad\\'s \\u00e9', MINUS(5, -1.5e3)); y = TC(x, 'r', 'NOW', until=True)\r\nexpression = STOP(ASK((y)))",
)

TOKENS = [
    *("START", "JOIN", "AND", "COUNT", "ARG", "CMP", "STOP", "OR", "MINUS", "ASK", "TC", "CLOSURE", "join"),
    *("question_info", "x", "y", "expression", "neg", "kind", "k", "True", "False", "lambda", "for", "import"),
    *("'a'", '"b"', "'ARGMAX'", "'<'", "'class'", "5", "-2.5e+3", ".5", "1_0", "f'x'", "''"),
    *("(", ")", "[", "]", "{", "}", ",", ":", "=", ";", ".", "*", "'", '"', "‘"),
    *("\n", " ", "\t", "\\\n", "# c\n", "\ufeff"),
]


def assert_total(text: str) -> None:
    """The property: a program whose printed forms mean the same, or diagnostics that can be shown."""
    program: Program | None = None
    findings: tuple[Diagnostic, ...] = ()
    try:
        program = parse(text)
    except CompileError as error:
        findings = error.diagnostics
    assert program or findings
    for finding in findings:
        assert finding.span is None or 0 <= finding.span.start <= finding.span.end <= len(text) + 1
        assert finding.code in finding.render()
        assert finding.to_json()["severity"] == "error"
    if program is None:
        return
    assert parse(print_program(program)) == program
    formatted = format_program(program)
    again = parse(formatted)
    assert again == program
    assert [comment.text.rstrip() for comment in program.comments] == [comment.text for comment in again.comments]
    assert format_program(again) == formatted


@given(st.text(max_size=200))
@example("")
@example("\ufeff")
@example("\x00")
@example("x = '\ud800'")
@example("'''")
@example("\\")
@example("x = STOP('a')\\")
def test_random_text(text: str) -> None:
    assert_total(text)


@given(st.binary(max_size=200))
def test_random_bytes(data: bytes) -> None:
    assert_total(data.decode("latin-1"))


@settings(max_examples=300)
@given(st.lists(st.sampled_from(TOKENS), max_size=40).map("".join) | st.lists(st.sampled_from(TOKENS)).map(" ".join))
def test_random_tokens(text: str) -> None:
    assert_total(text)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A real program after a few insertions, deletions, duplications and exchanges of spans."""
    text = draw(st.sampled_from(REAL))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 30)))
        match draw(st.sampled_from(["insert", "delete", "double", "exchange"])):
            case "insert":
                text = text[:start] + draw(st.sampled_from(TOKENS) | st.text(max_size=5)) + text[start:]
            case "delete":
                text = text[:start] + text[end:]
            case "double":
                text = text[:end] + text[start:end] + text[end:]
            case "exchange":
                place = draw(st.integers(0, len(text)))
                span, rest = text[start:end], text[:start] + text[end:]
                text = rest[:place] + span + rest[place:]
    return text


@settings(max_examples=300)
@given(mutated())
def test_mutated_programs(text: str) -> None:
    assert_total(text)


@given(st.from_type(Program))
def test_printing_and_parsing_agree(program: Program) -> None:
    assert parse(print_program(program)) == program
    assert parse(format_program(program)) == program


@st.composite
def respelled(draw: st.DrawFn) -> tuple[Program, str]:
    """A program, and a text of it with other white space, line breaks, comments and brackets."""
    program = draw(st.from_type(Program))
    outside = st.sampled_from(["", " ", "\t", "\f", " \\\n "])
    inside = outside | st.sampled_from(["\n", "\r\n", "\r", "\n\n  ", '  # it\'s a "comment"\n', "# )\n# (\n"])
    ends = st.sampled_from(["\n", "\r\n", "\n\n\n", ";", "  # the end\n", " ;# the end\n", "\n  # alone\n\n"])
    out = [draw(st.sampled_from(["", "\ufeff", "\n", "# first\n\n"]))]
    depth = 0
    for token in _parser().tokens(print_program(program)):
        depth += token.kind in {"LPAR", "LSQB", "LBRACE"}
        if token.kind == "NEWLINE":
            out.append(draw(ends))
        else:
            out += [token.text, draw(inside if depth else outside)]
        depth -= token.kind in {"RPAR", "RSQB", "RBRACE"}
        if not depth and token.kind in {"RPAR", "RSQB", "RBRACE"}:
            out[-1] = draw(outside)
    return program, "".join(out)


@given(respelled())
def test_white_space_and_comments_mean_nothing(case: tuple[Program, str]) -> None:
    program, text = case
    assert parse(text) == program
    assert_total(text)


@given(st.from_type(Program))
def test_trees_can_be_compared_hashed_and_shown(program: Program) -> None:
    again = parse(print_program(program))
    assert hash(again) == hash(program)
    assert repr(again) == repr(program)
