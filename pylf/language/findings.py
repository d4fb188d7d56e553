"""Diagnostics gathered while a program is built, and the reading of its constants and flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, TypeGuard

from pylf.errors import CompileError, Diagnostic, Span
from pylf.language import syntax
from pylf.language.escapes import BadEscape, unquote
from pylf.language.hints import CONSTRUCTS, PARSED_NEVER_RUN, REMEDIES, shown
from pylf.language.shapes import Call, DictOf, Group, ListOf
from pylf.language.tokens import Token

if TYPE_CHECKING:
    from pylf.errors import Source
    from pylf.language.shapes import Keyword, Value

#: Characters that a string, and that a number may have.
MAX_STRING = 10_000
MAX_NUMBER = 1_000
#: So many findings are enough.
MAX_FINDINGS = 20


class Findings:
    """What is wrong with one program; building goes on after each finding, until there are MAX_FINDINGS."""

    __slots__ = ("findings", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.findings: list[Diagnostic] = []

    def report(self, code: str, message: str, span: Span, *hints: str) -> None:
        """Note a finding.

        Raises:
            CompileError: there are MAX_FINDINGS now.
        """
        self.findings.append(Diagnostic(code, message, span, self.source, hints))
        if len(self.findings) >= MAX_FINDINGS:
            self.fail()

    def fail(self) -> NoReturn:
        """Give up, with the findings in the order of the text.

        Raises:
            CompileError: always.
        """
        raise CompileError(sorted(self.findings, key=lambda finding: finding.span or Span(0, 0)))

    def not_allowed(self, word: str, span: Span) -> None:
        """Report a construct of Python's by its reserved word."""
        remedy = (REMEDIES[word],) if word in REMEDIES else ()
        self.report("not-allowed", f"{CONSTRUCTS[word]} cannot stand in a program", span, PARSED_NEVER_RUN, *remedy)

    def string(self, token: Token) -> str | None:
        """The contents of a STRING, or None."""
        try:
            text = unquote(token.text)
        except BadEscape as error:
            start = token.span.start
            self.report("bad-escape", str(error), Span(start + error.start, start + error.end), error.hint)
            return None
        # neither quotes and escapes count nor a datatype: what can be said in another form can be said here
        if len(text) > MAX_STRING and len(text.rpartition("^^")[0] or text) > MAX_STRING:
            self.report("too-large", f"this string has more than {MAX_STRING:,} characters", token.span)
            return None
        return text

    def text(self, token: Token) -> syntax.Text | None:
        """A STRING as a constant, or None."""
        text = self.string(token)
        return None if text is None else syntax.Text(text, token.span)

    def number(self, token: Token) -> syntax.Number | None:
        """A NUMBER as a constant, or None."""
        text = token.text
        digits = text.lstrip("+-")
        if len(text) > MAX_NUMBER:
            self.report("too-large", f"this number has more than {MAX_NUMBER:,} characters", token.span)
        elif digits[0] == "0" and len(digits) > 1 and digits.isdecimal():
            hint = f"a year or an identifier is a string: {shown(text)}"
            self.report("bad-number", "a whole number does not begin with 0", token.span, hint)
        else:
            return syntax.Number(text, token.span)
        return None

    def flag(self, keyword: Keyword) -> bool | None:
        """The value of a keyword that is True or False, or None."""
        value = keyword.value
        if is_token(value, "NAME") and value.text in {"True", "False"}:
            return value.text == "True"
        name = keyword.name.text
        advice = " without quotes" if is_token(value, "STRING") else ", or leave it out"
        self.report(
            "wrong-argument",
            f"{name} is True or False, not {described(value)}",
            value.span,
            f"write {name}=True{advice}",
        )
        return None

    def whole(self, keyword: Keyword, least: int, most: int, words: str, usage: str) -> int | None:
        """The value of a keyword that is a whole number in a range (told in ``words``), or None."""
        value = keyword.value
        text = value.text if is_token(value, "NUMBER") else ""
        if text.isdecimal() and len(text) < 12 and least <= int(text) <= most:
            return int(text)
        message = f"{keyword.name.text} is {words}, not {described(value)}"
        self.report("wrong-argument", message, value.span, f"as in {usage}")
        return None


def is_token(value: Value, kind: str) -> TypeGuard[Token]:
    """Whether a value is a token of this kind: NAME, STRING or NUMBER."""
    return type(value) is Token and value.kind == kind


def ungrouped(value: Value) -> Value:
    """A value without the brackets around it."""
    while type(value) is Group:
        value = value.value
    return value


def described(value: Value) -> str:
    """What a value is, in words."""
    value = ungrouped(value)
    if isinstance(value, Call):
        return f"a call of {value.function.text[:40]}"
    if isinstance(value, ListOf):
        return "a list"
    if isinstance(value, DictOf):
        return "a dict"
    assert isinstance(value, Token)
    if value.kind == "STRING":
        return f"the string {shown(value.text[1:-1])}"
    if value.kind == "NAME" and value.text not in {"True", "False", "None"}:
        return f"the variable {shown(value.text)}"
    return value.text[:40]
