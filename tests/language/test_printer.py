"""The canonical spelling and the formatter."""

from __future__ import annotations

import pytest

from pylf.language.parser import parse
from pylf.language.printer import WIDTH, format_program, print_program
from pylf.language.syntax import Assignment, Comment, Program, QuestionInfo, Reference, Start, Stop, Text


def formatted(text: str) -> str:
    """The formatter's output, checked to mean the same and to stay as it is."""
    program = parse(text)
    out = format_program(program)
    assert parse(out) == program
    assert format_program(parse(out)) == out
    return out


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ('START("Boeing")', "START('Boeing')"),
        (r"'Dad\'s'", '"Dad\'s"'),
        (r"""'N "one" and \'two\''""", r"""'N "one" and \'two\''"""),
        (r"'\x41\tb\u00e9\u200b'", r"'A\tbé\u200b'"),
        ("JOIN('r', 'a', neg = False)", "JOIN('r', 'a')"),
        ("JOIN('r', 'a', neg=True,)", "JOIN('r', 'a', neg=True)"),
        ("ARG('ARGMAX', ('a'), JOIN('r', JOIN('s', 't')), k = 3)", "ARG('ARGMAX', 'a', ['r', 's', 't'], k=3)"),
        ("ARG('ARGMIN', 'a', COUNT(CLOSURE('r', min=1)))", "ARG('ARGMIN', 'a', COUNT(CLOSURE('r')))"),
        ("JOIN([CLOSURE('r', min=0)], 'a')", "JOIN([CLOSURE('r', min=0)], 'a')"),
        ("START(5, kind='literal',)", "START(5, kind='literal')"),
        ("TC('a', 'r', 'NOW', until=False)", "TC('a', 'r', 'NOW')"),
        ("OR(MINUS('a', 'b'), ASK('c'), COUNT('d'))", "OR(MINUS('a', 'b'), ASK('c'), COUNT('d'))"),
        ("CMP('<', 'mass', START(+2.32E+3))", "CMP('<', 'mass', +2.32E+3)"),
    ],
)
def test_canonical_spelling(written: str, printed: str) -> None:
    assert print_program(parse(f"x = STOP({written})")) == f"x = STOP({printed})\n"


def test_canonical_spelling_has_a_line_for_each_statement_however_long() -> None:
    text = f"x = JOIN('{'r' * 80}', '{'a' * 80}')\nx = STOP(x)\n"
    assert print_program(parse(f"# comment\n\n{text}")) == text


def test_comments_stay_where_they_were() -> None:
    text = """\
# at the top

# above
x  =  START("a")   # beside
    # indented
y = JOIN(  # inside, first
    'r',
    # inside, second
    x,
)   # beside the end
z = 'b'; w = 'c'  # of the last on its line
# before STOP
expression = STOP(AND(x, y, z, w)) # answer
# at the end


# really
"""
    assert (
        formatted(text)
        == """\
# at the top

# above
x = START('a')  # beside
# indented
# inside, first
# inside, second
y = JOIN('r', x)  # beside the end
z = 'b'
w = 'c'  # of the last on its line
# before STOP
expression = STOP(AND(x, y, z, w))  # answer
# at the end

# really
"""
    )


def test_blank_lines_become_one_or_none() -> None:
    assert formatted("\n\n\nx = 'a'\n\n\n\ny = 'b'\nz = STOP(AND(x, y))\n\n\n") == (
        "x = 'a'\n\ny = 'b'\nz = STOP(AND(x, y))\n"
    )


def test_a_blank_line_follows_question_info() -> None:
    assert formatted("question_info={'k':'a'}\nx=STOP('a')") == "question_info = {'k': ['a']}\n\nx = STOP('a')\n"
    assert formatted("question_info = {}\n# c\n\nx = STOP('a')") == "question_info = {}\n\n# c\n\nx = STOP('a')\n"


def test_line_ends_become_one_kind() -> None:
    assert formatted("\ufeff# c\r\n\r\nx = 'a'\r\r\ry = STOP(x)") == "# c\n\nx = 'a'\n\ny = STOP(x)\n"


def test_long_calls_are_broken_as_black_breaks_them() -> None:
    relation = "R_spaceflight.rocket_manufacturer.rockets_manufactured"
    text = f"""\
x = START('{"a" * 60}')
fits = JOIN('{relation}', x, neg=True)
body_fits_on_one_line = JOIN('{relation}', fits, neg=True)
each = JOIN('{relation}', ARG('ARGMAX', x, ['{relation}', 'mass'], k=3), neg=True)
each_of_each = JOIN(['{relation}', '{relation}'], JOIN('{relation}', JOIN('{relation}', each)))
only = COUNT(COUNT(COUNT(START('{"a" * 90}'))))
expression = STOP(only)
"""
    assert (
        formatted(text)
        == f"""\
x = START('{"a" * 60}')
fits = JOIN('{relation}', x, neg=True)
body_fits_on_one_line = JOIN(
    '{relation}', fits, neg=True
)
each = JOIN(
    '{relation}',
    ARG('ARGMAX', x, ['{relation}', 'mass'], k=3),
    neg=True,
)
each_of_each = JOIN(
    [
        '{relation}',
        '{relation}',
    ],
    JOIN(
        '{relation}',
        JOIN('{relation}', each),
    ),
)
only = COUNT(
    COUNT(
        COUNT(
            START(
                '{"a" * 90}'
            )
        )
    )
)
expression = STOP(only)
"""
    )


def test_a_long_question_info_has_a_line_for_each_key() -> None:
    text = f"question_info = {{'topic': ['a', 'b'], 'positive': [], 'negative': ['{'c' * 90}']}}\nx = STOP('a')"
    assert (
        formatted(text)
        == f"""\
question_info = {{
    'topic': ['a', 'b'],
    'positive': [],
    'negative': [
        '{"c" * 90}'
    ],
}}

x = STOP('a')
"""
    )


def test_lines_that_can_be_broken_fill_the_width_at_most() -> None:
    out = formatted("\n".join(f"x = AND({', '.join(['START(5)'] * n)})" for n in range(2, 40)) + "\nx = STOP(x)")
    assert max(map(len, out.splitlines())) <= WIDTH


def test_trees_made_by_hand_are_printed_too() -> None:
    tree = Program(
        (Assignment("x", Start(Text("it's \n"))), Assignment("y", Stop(Reference("x")))),
        QuestionInfo((("topic", ("a",)),)),
    )
    assert print_program(tree) == "question_info = {'topic': ['a']}\nx = START(\"it's \\n\")\ny = STOP(x)\n"
    assert format_program(tree) == "question_info = {'topic': ['a']}\n\nx = START(\"it's \\n\")\ny = STOP(x)\n"


def test_comments_of_a_tree_without_places_follow_it() -> None:
    comments = parse("# kept\nx = STOP('a')").comments
    assert comments == (Comment("# kept", comments[0].span, own_line=True),)
    tree = Program((Assignment("x", Stop(Start(Text("a"), implicit=True))),), comments=comments)
    assert format_program(tree) == "x = STOP('a')\n# kept\n"
