"""From the tree of an s-expression to text: one line, as in the published sets, which parses back to an equal tree."""

from __future__ import annotations

import re
from functools import cache
from typing import NoReturn

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.sexpr import table
from pylf.frontends.sexpr.literals import value_of
from pylf.frontends.sexpr.operators import is_operator
from pylf.frontends.sexpr.tree import (
    And,
    Comparison,
    Count,
    Inverse,
    Join,
    Path,
    SExpression,
    Superlative,
    TimeConstraint,
    Value,
    Word,
)
from pylf.language.hints import shown
from pylf.language.tokens import MAX_DEPTH

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def print_expression(expression: SExpression) -> str:
    """The expression on one line, for example ``(AND film.film (JOIN (R film.actor.film) m.0abc))``; no line break.

    Raises:
        CompileError: it nests too deeply to be read again ('too-deep'), or holds a name or a value that cannot be
            written such that it is read again as what it is ('unwritable').
    """
    out: list[str] = []
    depth = 0
    # what is still to be written, the last first: text, or a part of the tree
    left: list[object] = [expression.root]
    while left:
        part = left.pop()
        match part:
            case str():
                depth += part.count("(") - part.count(")")
                if depth > MAX_DEPTH:
                    message = f"the s-expression nests too deeply to be written: {MAX_DEPTH} levels are read"
                    raise CompileError([Diagnostic("too-deep", message)])
                out.append(part)
            case Word(text=text):
                out.append(_word(text))
            case Value():
                out.append(_value(part))
            case Inverse(relation=relation):
                left += (")", relation, "(R ")
            case Join(relation=relation, of=of):
                left += (")", of, " ", relation, "(JOIN ")
            case And(sets=sets):
                left.append(")")
                for one in reversed(sets):
                    left += (one, " ")
                left.append("(AND")
            case Count(of=of):
                left += (")", of, "(COUNT ")
            case Superlative(mode=mode, of=of, relation=key):
                left += (")", key, " ", of, f"({mode} ")
            case Comparison(op=op, relation=key, value=value):
                left += (")", value, " ", key, f"({op} ")
            case TimeConstraint(of=of, relation=key, value=value):
                left += (")", value, " ", key, " ", of, "(TC ")
            case Path(steps=steps):
                left += (")" * (len(steps) - 1), steps[-1])
                for step in reversed(steps[:-1]):
                    left += (" ", step, "(JOIN ")
    text = "".join(out)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        _refuse(f"U+{ord(text[error.start]):04X} is not a character of a text", "it is half of one")
    return text


def _word(text: str) -> str:
    kind = "IRI" if text.startswith("<") else "WORD"
    noted = kind == "WORD" and ("^" in text or "@" in text)  # it would be read as a value
    if noted or is_operator(text) or not _terminal(kind).fullmatch(text):
        hint = "a full IRI can be written in angle brackets: <http://…>"
        _refuse(f"{shown(text)} is no name that an s-expression can hold", hint)
    return text


def _value(value: Value) -> str:
    text = f'"{_escaped().sub(_escape, value.lexical)}"' if value.quoted else value.lexical
    if value.language is not None:
        text += f"@{value.language}"
    elif value.datatype is not None:
        bare = f"{text}^^{value.datatype}"
        text = bare if _terminal("VALUE", "STRING", "WORD").fullmatch(bare) else f"{text}^^<{value.datatype}>"
    if not _terminal("VALUE", "STRING", "WORD").fullmatch(text) or value_of(text) != value:
        hint = "a text stands in quotes, and its language is a tag like en or zh-Hans"
        _refuse(f"{shown(text)} is no value that an s-expression can hold", hint)
    return text


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _ESCAPES.get(character) or f"\\u{ord(character):04X}"


def _refuse(message: str, hint: str) -> NoReturn:
    raise CompileError([Diagnostic("unwritable", message, hints=(hint,))])


@cache
def _escaped() -> re.Pattern[str]:
    return re.compile(r'[\\"\x00-\x1f\x7f]')


@cache
def _terminal(*kinds: str) -> re.Pattern[str]:
    """What is read as a token of one of these kinds."""
    return re.compile("|".join(table.TERMINALS[kind] for kind in kinds))
