"""Random syntactically valid programs, for any test of the language: ``@given(st.from_type(syntax.Program))``.

Nothing in them means anything: relations, classes and types are whatever comes. They obey the form alone: variables are
assigned before they are used, and the last statement is STOP.
"""

from __future__ import annotations

from keyword import iskeyword
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from pylf.language import syntax

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

NAMES = st.one_of(
    st.sampled_from(["expression", "expression1", "expression2", "x", "été", "JOIN", "_"]),
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,6}", fullmatch=True).filter(
        lambda name: not iskeyword(name) and name != "question_info"
    ),
)
# Everything that UTF-8 can carry: a surrogate is not a character.
TEXTS = st.one_of(
    st.sampled_from(["Boeing Company", "R_producing", "<http://e/Dad's_(film),_100%>", '"', "\\", "#", "a\nb", ""]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
NUMBERS = st.one_of(
    st.sampled_from(["0", "-0", "+5", "5.", ".5", "1E5", "2.32e+3", "-1e-300", "00.5"]),
    st.integers().map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)


CONSTANTS = st.builds(syntax.Text, TEXTS) | st.builds(syntax.Number, NUMBERS)
STEPS = st.builds(syntax.Name, TEXTS) | st.builds(syntax.Reach, st.builds(syntax.Name, TEXTS), st.sampled_from([0, 1]))
RELATIONS = STEPS | st.builds(syntax.RelationPath, st.lists(STEPS, min_size=1, max_size=3).map(tuple))
LEAVES = st.one_of(
    st.builds(syntax.Start, CONSTANTS, st.sampled_from([None, "class", "entity", "literal"])),
    st.builds(syntax.Start, CONSTANTS, st.none(), st.just(True)),
    st.builds(syntax.Cmp, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), RELATIONS, CONSTANTS),
)
FORMS = st.sampled_from(["leaf", "JOIN", "AND", "OR", "MINUS", "COUNT", "ARG", "TC", "ASK"])
FLAGS = st.booleans()
INFOS = st.none() | st.dictionaries(TEXTS, st.lists(TEXTS, max_size=4).map(tuple), max_size=4).map(
    lambda entries: syntax.QuestionInfo(tuple(entries.items()))
)


def draw_expression(draw: DrawFn, variables: list[str], depth: int) -> syntax.Expression:
    """A set made of the given variables, at most ``depth`` calls deep."""

    def inner() -> syntax.Expression:
        return draw_expression(draw, variables, depth - 1)

    match draw(FORMS) if depth > 0 else "leaf":
        case "JOIN":
            return syntax.Join(draw(RELATIONS), inner(), draw(FLAGS))
        case "AND":
            return syntax.And(tuple(inner() for _ in range(draw(st.integers(2, 3)))))
        case "OR":
            return syntax.Or(tuple(inner() for _ in range(draw(st.integers(2, 3)))))
        case "MINUS":
            return syntax.Minus(inner(), inner())
        case "COUNT":
            return syntax.CountOf(inner())
        case "ARG":
            mode, k = draw(st.sampled_from(["ARGMAX", "ARGMIN"])), draw(st.none() | st.integers(1, 10**9))
            return syntax.Arg(mode, inner(), draw(RELATIONS), k, draw(FLAGS))
        case "TC":
            return syntax.TimeConstraint(inner(), draw(RELATIONS), draw(CONSTANTS), draw(FLAGS))
        case "ASK":
            return syntax.Ask(inner())
    if draw(FLAGS) and variables:
        return syntax.Reference(draw(st.sampled_from(variables)))
    return draw(LEAVES)


@st.composite
def programs(draw: DrawFn) -> syntax.Program:
    assigned: list[str] = []
    assignments: list[syntax.Assignment] = []
    for _ in range(draw(st.integers(0, 4))):
        name = draw(NAMES)
        assignments.append(syntax.Assignment(name, draw_expression(draw, assigned, 2)))
        assigned.append(name)
    assignments.append(syntax.Assignment(draw(NAMES), syntax.Stop(draw_expression(draw, assigned, 2))))
    return syntax.Program(tuple(assignments), draw(INFOS))


st.register_type_strategy(syntax.Program, programs())
