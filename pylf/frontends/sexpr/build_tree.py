"""From well-formed text to the tree of an s-expression: which operators there are, and what each takes.

The builder goes on after a finding, so that one look tells everything that is wrong; a part that could not be built is
None, and nothing is said about what only follows from that. Whether a name is that of a relation or of a set is known
to the schema alone; what can be told here is that a form or a value stands in the wrong place.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pylf.errors import Span
from pylf.frontends.sexpr.literals import value_of
from pylf.frontends.sexpr.operators import HABITS, OPERATORS, PYLF_ALONE, is_operator, operator_of
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
from pylf.language.escapes import BadEscape
from pylf.language.findings import MAX_STRING, Findings
from pylf.language.hints import listed, nearest, shown
from pylf.language.tokens import Token

if TYPE_CHECKING:
    from pylf.errors import Source
    from pylf.frontends.sexpr.operators import Operator
    from pylf.frontends.sexpr.shapes import Form, Item
    from pylf.frontends.sexpr.tree import Expression, Relation

#: Where the sets stand among the arguments of each operator; of AND all are.
_SETS = {"JOIN": 2, "COUNT": 1, "ARGMAX": 1, "ARGMIN": 1, "TC": 1}
_COUNTED = ("none", "one", "two", "three", "four", "five")


def build(item: Item, source: Source) -> SExpression:
    """The tree of an s-expression.

    Raises:
        CompileError: with all that is wrong, in the order of the text.
    """
    return _Builder(source).root_of(item)


class _Builder(Findings):
    __slots__ = ()

    def root_of(self, item: Item) -> SExpression:
        root = self._set(item)
        if root is None or self.findings:
            self.fail()
        return SExpression(root, self.source)

    # --- sets -----------------------------------------------------------------------------------------------------

    def _set(self, item: Item) -> Expression | None:
        """What stands where a set is expected: a form, a name or a value."""
        if isinstance(item, Token):
            return self._atom(item)
        operator = self._operator(item)
        if operator is None:
            return None
        items = item.items
        match operator.name:
            case "JOIN":
                step, of = self._step(items[1], operator), self._set(items[2])
                return None if step is None or of is None else Join(step, of, item.span)
            case "AND":
                sets = [one for one in map(self._set, items[1:]) if one is not None]
                return And(tuple(sets), item.span) if len(sets) == len(items) - 1 else None
            case "R":
                self._step(item, operator)
                name = self._excerpt(items[1])
                hint = f"what is in that relation to X is written (JOIN (R {name}) X)"
                self.report("wrong-argument", "this is a relation, and a set is expected here", item.span, hint)
                return None
            case "COUNT":
                of = self._set(items[1])
                return None if of is None else Count(of, item.span)
            case "ARGMAX" | "ARGMIN":
                of, key = self._set(items[1]), self._relation(items[2], operator)
                return None if of is None or key is None else Superlative(operator.name, of, key, item.span)
            case "TC":
                of, key, time = self._set(items[1]), self._relation(items[2], operator), self._time(items[3])
                if of is None or key is None or time is None:
                    return None
                return TimeConstraint(of, key, time, item.span)
            case _ if _is_value(items[1]) and type(items[2]) is Token and items[2].kind == "WORD":
                hint = f"the relation comes first: {operator.usage}"
                self.report("wrong-argument", f"{operator.name} has relation and value exchanged", item.span, hint)
                return None
            case _:
                key, value = self._relation(items[1], operator), self._compared(items[2], operator)
                return None if key is None or value is None else Comparison(operator.name, key, value, item.span)

    def _operator(self, form: Form) -> Operator | None:
        """The operator of a form that has as many arguments as it takes; what is wrong with others is reported."""
        items = form.items
        if not items:
            hint = "a form begins with its operator, as in (JOIN r X)"
            self.report("wrong-argument", "these brackets are empty", form.span, hint)
            return None
        head = items[0]
        if not isinstance(head, Token):
            self._headless(form)
            return None
        operator = operator_of(head.text) if head.kind == "WORD" else None
        if operator is None:
            self._unknown_operator(form, head)
            return None
        count = len(items) - 1
        if count < operator.least or (operator.most is not None and count > operator.most):
            self._wrong_arity(form, operator)
            return None
        return operator

    # --- relations ------------------------------------------------------------------------------------------------

    def _relation(self, item: Item, operator: Operator) -> Relation | None:
        """What stands where a relation, or several in a row, are expected."""
        steps: list[Word | Inverse] = []
        fits = True
        rest = item
        while not isinstance(rest, Token) and _is_join(rest):
            if self._operator(rest) is None:
                return None
            step = self._step(rest.items[1], OPERATORS["JOIN"])
            if step is None:
                fits = False
            else:
                steps.append(step)
            rest = rest.items[2]
        last = self._step(rest, operator)
        if last is None or not fits:
            return None
        return Path((*steps, last), item.span) if steps else last

    def _step(self, item: Item, operator: Operator) -> Word | Inverse | None:
        """One relation: a name, or a name in (R …)."""
        if isinstance(item, Token):
            return self._name(item, operator)
        inner = self._operator(item)
        if inner is None:
            return None
        if inner.name != "R":
            self._no_relation(item, inner, operator)
            return None
        of = item.items[1]
        if isinstance(of, Token):
            name = self._name(of, inner)
            return None if name is None else Inverse(name, item.span)
        within = self._operator(of)
        if within is not None and within.name == "R":
            if self._step(of, operator) is not None:
                hint = f"against its direction twice is the relation itself: {self._excerpt(of.items[1])}"
                self.report("wrong-argument", "R stands around a relation that has R already", item.span, hint)
        elif within is not None:
            hint = "a path is walked back relation by relation, the last first: (JOIN (R second) (R first))"
            hints = (hint,) if within.name == "JOIN" else (f"the form is {inner.usage}",)
            message = f"R takes the name of one relation, not ({within.name} …)"
            self.report("wrong-argument", message, of.span, *hints)
        return None

    def _name(self, token: Token, operator: Operator) -> Word | None:
        """The name of a relation."""
        atom = self._atom(token)
        if not isinstance(atom, Value):
            return atom
        hints = [f"the form is {operator.usage}"]
        if token.kind == "STRING" and atom.language is None and atom.datatype is None:
            hints.append("relations are written without quotes")
        message = f"{operator.name} takes a relation here, not {_described(atom)}"
        self.report("wrong-argument", message, token.span, *hints)
        return None

    def _no_relation(self, form: Form, inner: Operator, operator: Operator) -> None:
        """Report a set in a relation's place."""
        if inner.name == "JOIN" and operator.name == "JOIN":
            hint = "a path is walked step by step: (JOIN first (JOIN second X))"
            self.report("wrong-argument", "JOIN follows one relation at a time", form.span, hint)
            return
        message = f"this is a set, and {operator.name} takes a relation here"
        self.report("wrong-argument", message, form.span, f"the form is {operator.usage}")
        self._set(form)

    # --- values ---------------------------------------------------------------------------------------------------

    def _compared(self, item: Item, operator: Operator) -> Value | None:
        """The value of a comparison."""
        if not isinstance(item, Token):
            self._no_value(item, operator, "a form in brackets")
            return None
        atom = self._atom(item)
        if isinstance(atom, Word):
            self._no_value(item, operator, f"the name {shown(atom.text)}")
            return None
        return atom

    def _time(self, item: Item) -> Value | Word | None:
        """The time of TC."""
        operator = OPERATORS["TC"]
        if not isinstance(item, Token):
            self._no_value(item, operator, "a form in brackets")
            return None
        atom = self._atom(item)
        if not isinstance(atom, Word):
            return atom
        if atom.text.upper() == "NOW":
            return Word("NOW", atom.span)
        self._no_value(item, operator, f"the name {shown(atom.text)}")
        return None

    def _no_value(self, item: Item, operator: Operator, what: str) -> None:
        if operator.name == "TC":
            message, hints = f"TC takes a date or NOW here, not {what}", [f"the form is {operator.usage}"]
        else:
            message, hints = f"{operator.name} compares with a value, not {what}", [f"the form is {operator.usage}"]
            if isinstance(item, Token) and item.kind == "WORD":
                hints.append("NOW stands in TC alone" if item.text.upper() == "NOW" else "a text stands in quotes")
        self.report("wrong-argument", message, item.span, *hints)

    def _atom(self, token: Token) -> Word | Value | None:
        """A name or a value."""
        text, span = token.text, token.span
        if token.kind == "IRI":
            return Word(text, span)
        if token.kind == "WORD" and "^" not in text and "@" not in text:
            if is_operator(text):
                operator = operator_of(text)
                hints = (f"the form is {operator.usage}",) if operator is not None else ()
                self.report("wrong-argument", f"{shown(text)} is an operator, and stands after '('", span, *hints)
                return None
            return Word(text, span)
        try:
            value = value_of(text, span)
        except BadEscape as error:
            place = Span(span.start + error.start, span.start + error.end)
            self.report("bad-escape", str(error), place, error.hint)
            return None
        if value is None:
            hint = f'a text stands in quotes: "{text}"' if len(text) < 40 else "a text stands in quotes"
            self.report("bad-value", f"{shown(text)} is neither a number nor a date", span, hint)
        elif max(len(value.lexical), len(value.datatype or "")) > MAX_STRING:
            self.report("too-large", f"this value has more than {MAX_STRING:,} characters", span)
            return None
        return value

    # --- what is said of forms ------------------------------------------------------------------------------------

    def _headless(self, form: Form) -> None:
        """Report brackets in which no operator stands first."""
        if len(form.items) == 1:
            hint = "one pair of brackets is enough"
        else:
            hint = f"to join sets write {OPERATORS['AND'].usage}"
        self.report("unknown-operator", "an operator is missing after this '('", _first(form), hint)
        self._look_inside(form.items)

    def _unknown_operator(self, form: Form, head: Token) -> None:
        word, span = head.text, head.span
        upper = word.upper()
        if head.kind != "WORD" or "." in word or ":" in word or "^" in word or "@" in word:
            if len(form.items) == 1:
                hint = "names and values stand without brackets"
            elif len(form.items) == 2 and head.kind in {"WORD", "IRI"}:
                hint = f"to follow a relation write {OPERATORS['JOIN'].usage}"
            else:
                hint = "a form begins with its operator, as in (JOIN r X)"
            self.report("unknown-operator", f"{shown(word)} is no operator, and stands after '('", span, hint)
        elif upper in PYLF_ALONE:
            message = f"s-expressions have no form for {word}"
            self.report("unknown-operator", message, span, f"PyLF has: {PYLF_ALONE[upper]}")
        elif upper in HABITS:
            self.report("unknown-operator", f"there is no operator {shown(word)}", span, f"write {HABITS[upper]}")
        else:
            hints = nearest(word, OPERATORS) or (f"the operators are {listed(OPERATORS)}",)
            self.report("unknown-operator", f"there is no operator {shown(word)}", span, *hints)
        self._look_inside(form.items[1:])

    def _wrong_arity(self, form: Form, operator: Operator) -> None:
        arguments = form.items[1:]
        count = len(arguments)
        needed = f"{_COUNTED[operator.least]} or more" if operator.most is None else _COUNTED[operator.least]
        plural = "s" if operator.least > 1 else ""
        given = f"{_COUNTED[count] if count < len(_COUNTED) else count} {'is' if count == 1 else 'are'} given"
        hints = [f"the form is {operator.usage}"]
        span = form.items[0].span
        if operator.most is not None and count > operator.most:
            span = arguments[operator.most].span
            hints += self._remedies(operator, arguments)
        self.report("wrong-arity", f"{operator.name} takes {needed} argument{plural}, and {given}", span, *hints)
        if operator.name == "AND":
            self._look_inside(arguments)
        elif operator.name in _SETS:
            self._look_inside(arguments[_SETS[operator.name] - 1 : _SETS[operator.name]])

    def _remedies(self, operator: Operator, arguments: list[Item]) -> list[str]:
        """What may have been meant by too many arguments: R without brackets, or a text without quotes."""
        for one, following in pairwise(arguments):
            if isinstance(one, Token) and one.text in {"R", "r"}:
                return [f"R has brackets of its own: (R {self._excerpt(following)})"]
        words = arguments[operator.least - 1 :]
        if operator.name in {"ARGMAX", "ARGMIN"}:
            return ["all that are largest or smallest are given; a number of them cannot be asked for"]
        if operator.name not in {"COUNT", "R"} and all(map(_is_plain, words)):
            text = self.source.text[words[0].span.start : words[-1].span.end]
            if len(text) <= 40 and text.isprintable():
                text, mark, language = text.partition("@")
                return [f'a text with spaces stands in quotes: "{text}"{mark}{language}']
        return []

    def _look_inside(self, items: list[Item]) -> None:
        """Find what is wrong within a form that is wrong itself."""
        for item in items:
            if not isinstance(item, Token) and not _is_inverse(item):
                self._set(item)

    def _excerpt(self, item: Item) -> str:
        """An item as written, where it is short."""
        text = self.source.text[item.span.start : item.span.end]
        return text if len(text) <= 60 and text.isprintable() else "r"


def _first(form: Form) -> Span:
    return Span(form.span.start, form.span.start + 1)


def _is_join(form: Form) -> bool:
    return _begins_with(form, "JOIN")


def _is_inverse(form: Form) -> bool:
    return _begins_with(form, "R")


def _begins_with(form: Form, name: str) -> bool:
    head = form.items[0] if form.items else None
    return isinstance(head, Token) and head.text.upper() == name


def _is_value(item: Item) -> bool:
    return isinstance(item, Token) and item.kind in {"VALUE", "STRING"}


def _is_plain(item: Item) -> bool:
    """Whether an item is a word of ordinary language rather than an identifier."""
    if not isinstance(item, Token) or item.kind not in {"WORD", "VALUE"}:
        return False
    return "." not in item.text[:-1] and ":" not in item.text


def _described(value: Value) -> str:
    if value.quoted:
        return f"the text {shown(value.lexical)}"
    return f"the value {shown(value.lexical)}"
