"""From well-formed text to the syntax tree of PyLF: which functions there are, what each takes, which names are known.

The builder goes on after a finding, so that one look at a draft tells everything that is wrong with it; a part that
could not be built is None, and nothing is said about what only follows from that.
"""

from __future__ import annotations

from keyword import iskeyword
from typing import TYPE_CHECKING

from pylf.errors import Span
from pylf.language import syntax
from pylf.language.findings import Findings, described, is_token, ungrouped
from pylf.language.functions import (
    EXTENSION_OPERATORS,
    FUNCTIONS,
    KINDS,
    MODES,
    OPERATOR_HABITS,
    OPERATORS,
)
from pylf.language.hints import PARSED_NEVER_RUN, listed, nearest, shown
from pylf.language.shapes import Call, DictOf, Keyword, ListOf
from pylf.language.unknown import report_function, report_variable

if TYPE_CHECKING:
    from pylf.errors import Source
    from pylf.language.functions import Signature
    from pylf.language.shapes import Statement, Value
    from pylf.language.tokens import Token

_QUESTION_INFO = "question_info"
_QUESTION_INFO_FORM = "for example question_info = {'topic': ['Boeing Company'], 'negative': ['made by Boeing']}"


def build(statements: list[Statement], source: Source, strict: bool) -> syntax.Program:
    """The syntax tree of a program, without its comments.

    Raises:
        CompileError: with all that is wrong, in the order of the text.
    """
    return _Builder(statements, source, strict).program()


class _Builder(Findings):
    __slots__ = ("_defined", "_statements", "_strict")

    def __init__(self, statements: list[Statement], source: Source, strict: bool) -> None:
        super().__init__(source)
        self._statements = statements
        self._strict = strict
        #: The latest value of each variable so far; None where it could not be built.
        self._defined: dict[str, syntax.Expression | syntax.Stop | None] = {}

    # --- statements -----------------------------------------------------------------------------------------------

    def program(self) -> syntax.Program:
        assignments: list[syntax.Assignment] = []
        info: syntax.QuestionInfo | None = None
        stopped = False
        for position, statement in enumerate(self._statements):
            if stopped:
                self._after_stop(statement)
                break
            target = statement.target
            if target is None:
                stopped = self._nameless(statement.value)
                continue
            name = target.text
            if name == _QUESTION_INFO:
                if position > 0:
                    message = "question_info stands before the program, and only once"
                    self.report("question-info", message, target.span, "make it the first statement")
                info = self._question_info(statement)
                continue
            if iskeyword(name):
                hint = "write another name before the '='"
                self.report("syntax", f"{shown(name)} is a word of Python's own, not a variable", target.span, hint)
            stop = _stop_call(statement.value)
            stopped = stop is not None
            value = self._expression(statement.value) if stop is None else self._stop(stop)
            self._defined[name] = value
            if value is not None:
                assignments.append(syntax.Assignment(name, value, statement.span))
        if not stopped:
            self._missing_stop()
        if self.findings:
            self.fail()
        return syntax.Program(tuple(assignments), info, (), self.source)

    def _stop(self, call: Call) -> syntax.Stop | None:
        positional, _ = self._arguments(call)
        of = self._expression(positional[0]) if positional else None
        return None if of is None else syntax.Stop(of, call.span)

    def _nameless(self, value: Value) -> bool:
        """Report a line without ``name =``, unless what it says has been reported; whether it is a STOP."""
        before = len(self.findings)
        stop = _stop_call(value)
        if stop is not None:
            self._stop(stop)
        else:
            self._expression(value)
        if len(self.findings) == before:
            remedy = "expression = STOP(X)" if stop is not None else "expression = JOIN('relation', X)"
            self.report("syntax", "the value of this line is given no name", value.span, f"name it: {remedy}")
        return stop is not None

    def _missing_stop(self) -> None:
        if not self._statements:
            hint = "the shortest program is expression = STOP('name')"
            self.report("missing-stop", "the program is empty", Span(0, 0), hint)
            return
        last = self._statements[-1]
        if isinstance(last.value, Call) and last.value.function.text not in FUNCTIONS:
            return  # perhaps it is meant to be STOP
        name = last.target.text if last.target is not None and last.target.text != _QUESTION_INFO else "X"
        hint = f"end the program with a line of its own: expression = STOP({name})"
        end = last.span.end
        self.report("missing-stop", "the program does not say what its answer is", Span(end, end), hint)

    def _after_stop(self, statement: Statement) -> None:
        if _stop_call(statement.value) is not None:
            message, hint = "this is a second STOP, and the first one ends the program", "keep the one that is meant"
        else:
            message, hint = "this stands after STOP, which ends the program", "move it before STOP, or leave it out"
        self.report("after-stop", message, statement.span, hint)

    def _question_info(self, statement: Statement) -> syntax.QuestionInfo | None:
        value = ungrouped(statement.value)
        if not isinstance(value, DictOf):
            message = f"question_info is a dict of strings and lists of strings, not {described(value)}"
            self.report("question-info", message, value.span, _QUESTION_INFO_FORM)
            return None
        elements: dict[str, tuple[str, ...]] = {}
        for key, entry in value.pairs:
            name = self._element(key, "a key of question_info is a string")
            entries = entry.values if isinstance(entry, ListOf) else [entry]
            texts = [self._element(one, "a value of question_info is a string or a list of strings") for one in entries]
            if name is not None and name in elements:
                message = f"question_info has the key {shown(name)} twice"
                self.report("question-info", message, key.span, "put both lists into one")
            elif name is not None:
                elements[name] = tuple(text for text in texts if text is not None)
        return syntax.QuestionInfo(tuple(elements.items()), statement.span)

    def _element(self, value: Value, rule: str) -> str | None:
        if is_token(value, "STRING"):
            return self.string(value)
        hint = "put the number in quotes" if is_token(value, "NUMBER") else _QUESTION_INFO_FORM
        self.report("question-info", f"{rule}, not {described(value)}", value.span, hint)
        return None

    # --- sets -----------------------------------------------------------------------------------------------------

    def _expression(self, value: Value) -> syntax.Expression | None:
        """A set: a variable, a call, or a bare string or number."""
        value = ungrouped(value)
        if type(value) is Call:
            return self._call(value)
        if is_token(value, "NAME"):
            if value.text in self._defined:
                return syntax.Reference(value.text, value.span)
            self._undefined(value)
        elif is_token(value, "STRING") or is_token(value, "NUMBER"):
            constant = self.text(value) if value.kind == "STRING" else self.number(value)
            return None if constant is None else syntax.Start(constant, None, True, value.span)
        elif isinstance(value, DictOf):
            hint = f"sets are made by functions; {PARSED_NEVER_RUN}"
            self.report("not-allowed", "a dict stands only in question_info", value.span, hint)
        else:
            hint = "for what is in any of several sets, write OR(X, Y)"
            self.report("wrong-argument", "a list stands only where a relation does", value.span, hint)
        return None

    def _call(self, call: Call) -> syntax.Expression | None:
        name = call.function.text
        if name not in FUNCTIONS:
            report_function(self, name, call.function.span, self._defined)
            self._look_inside(call)
            return None
        if FUNCTIONS[name].extension:
            self._extension(name, call.function.span)
        positional, keyword = self._arguments(call)
        if positional is None:
            return None
        match name:
            case "JOIN":
                return self._join(call, positional, keyword)
            case "START":
                return self._start(call, positional[0], keyword)
            case "AND" | "OR":
                return self._sets(call, positional)
            case "CMP":
                return self._cmp(call, positional)
            case "ARG":
                return self._arg(call, positional, keyword)
            case "TC":
                return self._time_constraint(call, positional, keyword)
            case "MINUS":
                left, right = self._expression(positional[0]), self._expression(positional[1])
                return None if left is None or right is None else syntax.Minus(left, right, call.span)
            case "COUNT":
                of = self._expression(positional[0])
                return None if of is None else syntax.CountOf(of, call.span)
            case "ASK":
                of = self._expression(positional[0])
                return None if of is None else syntax.Ask(of, call.span)
            case "STOP":
                hint = "it stands alone on the last line: expression = STOP(X)"
                self.report("misplaced-stop", "STOP ends the program and is not a set", call.function.span, hint)
            case _:
                hint = "write it where a relation stands: JOIN(CLOSURE('relation'), X)"
                message = "CLOSURE says how to follow a relation; it is not a set"
                self.report("wrong-argument", message, call.function.span, hint)
        return None

    def _start(self, call: Call, value: Value, keyword: Keyword | None) -> syntax.Start | None:
        kind = self._choice(keyword.value, KINDS, "unknown-kind", "kind is") if keyword is not None else None
        value = ungrouped(value)
        if is_token(value, "STRING"):
            constant: syntax.Text | syntax.Number | None = self.text(value)
        elif is_token(value, "NUMBER"):
            constant = self.number(value)
        else:
            message = f"START takes a string or a number, not {described(value)}"
            self.report("wrong-argument", message, value.span, f"the form is {FUNCTIONS['START'].usage}")
            return None
        return None if constant is None else syntax.Start(constant, kind, False, call.span)

    def _join(self, call: Call, positional: list[Value], keyword: Keyword | None) -> syntax.Join | None:
        relation = self._relation(positional[0], "JOIN")
        of = self._expression(positional[1])
        negated = self.flag(keyword) if keyword is not None else False
        if relation is None or of is None or negated is None:
            return None
        return syntax.Join(relation, of, negated, call.span)

    def _sets(self, call: Call, positional: list[Value]) -> syntax.And | syntax.Or | None:
        sets: list[syntax.Expression] = []
        for value in positional:
            one = self._expression(value)
            if one is not None:
                sets.append(one)
        if len(sets) < len(positional):
            return None
        kind = syntax.And if call.function.text == "AND" else syntax.Or
        return kind(tuple(sets), call.span)

    def _cmp(self, call: Call, positional: list[Value]) -> syntax.Cmp | None:
        op = self._operator(positional[0])
        relation = self._relation(positional[1], "CMP")
        value = self._constant(positional[2], "CMP")
        if op is None or relation is None or value is None:
            return None
        return syntax.Cmp(op, relation, value, call.span)

    def _operator(self, value: Value) -> str | None:
        value = ungrouped(value)
        op = self.string(value) if is_token(value, "STRING") else None
        if op in OPERATORS or op in EXTENSION_OPERATORS:
            if op in EXTENSION_OPERATORS:
                self._extension(f"CMP with {op!r}", value.span)
            return op
        if op is None and is_token(value, "STRING"):
            return None
        known = OPERATORS if self._strict else (*OPERATORS, *EXTENSION_OPERATORS)
        if op in OPERATOR_HABITS:
            hint = f"that is written {OPERATOR_HABITS[op]!r}"
        elif op is None or len(op) > 2:
            hint = f"the operator comes first, as in {FUNCTIONS['CMP'].usage}"
        else:
            hint = f"the operators are {listed(map(repr, known))}"
        given = described(value) if op is None else shown(op)
        self.report("unknown-operator", f"CMP has no operator {given}", value.span, hint)
        return None

    def _arg(self, call: Call, positional: list[Value], keyword: Keyword | None) -> syntax.Arg | None:
        mode = self._choice(positional[0], MODES, "unknown-mode", "the first argument of ARG is")
        of = self._expression(positional[1])
        key = ungrouped(positional[2])
        counted = isinstance(key, Call) and key.function.text == "COUNT"
        if isinstance(key, Call) and counted:
            self._extension("ARG by COUNT", key.function.span)
            inner, _ = self._arguments(key)
            relation = None if inner is None else self._relation(inner[0], "COUNT")
        else:
            relation = self._relation(key, "ARG")
        k = None
        if keyword is not None:
            self._extension("ARG with k", keyword.name.span)
            k = self.whole(keyword, 1, 10**9, "a whole number from 1 on", "ARG('ARGMAX', X, 'relation', k=3)")
        if mode is None or of is None or relation is None:
            return None
        return syntax.Arg(mode, of, relation, k, counted, call.span)

    def _time_constraint(
        self, call: Call, positional: list[Value], keyword: Keyword | None
    ) -> syntax.TimeConstraint | None:
        of = self._expression(positional[0])
        relation = self._relation(positional[1], "TC")
        value = self._constant(positional[2], "TC")
        until = self.flag(keyword) if keyword is not None else False
        if of is None or relation is None or value is None or until is None:
            return None
        return syntax.TimeConstraint(of, relation, value, until, call.span)

    def _choice(self, value: Value, choices: tuple[str, ...], code: str, subject: str) -> str | None:
        """A string that is one of a few, or None."""
        value = ungrouped(value)
        chosen = self.string(value) if is_token(value, "STRING") else None
        if chosen in choices:
            return chosen
        if chosen is not None or not is_token(value, "STRING"):
            given = described(value) if chosen is None else shown(chosen)
            close = nearest(chosen, choices, 1) if chosen is not None else ()
            self.report(code, f"{subject} {listed(map(repr, choices), 'or')}, not {given}", value.span, *close)
        return None

    # --- relations ------------------------------------------------------------------------------------------------

    def _relation(self, value: Value, function: str) -> syntax.Relation | None:
        """What stands where a relation is expected: a name, a closure, or several of them in a row."""
        value = ungrouped(value)
        if isinstance(value, ListOf) or (isinstance(value, Call) and value.function.text == "JOIN"):
            self._extension("a path of relations", value.span)
            steps: list[syntax.Name | syntax.Reach] = []
            return syntax.RelationPath(tuple(steps), value.span) if self._steps(value, steps, function) else None
        if isinstance(value, Call) and value.function.text == "CLOSURE":
            self._extension("CLOSURE", value.function.span)
        return self._step(value, function)

    def _steps(self, value: Value, steps: list[syntax.Name | syntax.Reach], function: str) -> bool:
        """Append the steps of a path; whether all of them could be read."""
        value = ungrouped(value)
        if isinstance(value, ListOf):
            if not value.values:
                hint = "name the relations in order: ['first', 'second']"
                self.report("wrong-argument", "this path names no relation", value.span, hint)
            read = [self._steps(one, steps, function) for one in value.values]
            return bool(read) and all(read)
        if isinstance(value, Call) and value.function.text == "JOIN":
            positional, keyword = self._arguments(value)
            if keyword is not None:
                hint = "negate the JOIN around the path: JOIN(['first', 'second'], X, neg=True)"
                self.report("wrong-argument", "a path of relations cannot be negated", keyword.span, hint)
            read = [self._steps(one, steps, function) for one in positional or ()]
            return bool(read) and all(read) and keyword is None
        step = self._step(value, function)
        if step is not None:
            steps.append(step)
        return step is not None

    def _step(self, value: Value, function: str) -> syntax.Name | syntax.Reach | None:
        """One relation: a name or a closure."""
        if is_token(value, "STRING"):
            text = self.string(value)
            return None if text is None else syntax.Name(text, value.span)
        if isinstance(value, Call) and value.function.text == "CLOSURE":
            return self._closure(value)
        if isinstance(value, Call) and value.function.text not in FUNCTIONS:
            report_function(self, value.function.text, value.function.span, self._defined)
        else:
            usage = FUNCTIONS[function].usage if function != "COUNT" else "ARG('ARGMAX', X, COUNT('relation'))"
            message = f"{function} takes a relation here, which is a string, not {described(value)}"
            self.report("wrong-argument", message, value.span, f"the form is {usage}")
        return None

    def _closure(self, call: Call) -> syntax.Reach | None:
        positional, keyword = self._arguments(call)
        if positional is None:
            return None
        minimum = self.whole(keyword, 0, 1, "0 or 1", "CLOSURE('relation', min=0)") if keyword is not None else 1
        value = ungrouped(positional[0])
        if not is_token(value, "STRING"):
            message = f"CLOSURE takes the name of one relation, not {described(value)}"
            self.report("wrong-argument", message, value.span, f"the form is {FUNCTIONS['CLOSURE'].usage}")
            return None
        text = self.string(value)
        if text is None or minimum is None:
            return None
        return syntax.Reach(syntax.Name(text, value.span), minimum, call.span)

    # --- arguments ------------------------------------------------------------------------------------------------

    def _constant(self, value: Value, function: str) -> syntax.Text | syntax.Number | None:
        """The value that CMP or TC compares with.

        ``START(5)``, and a variable that holds it, mean the number itself: drafts in the style of KB-Coder say it so.
        """
        value = ungrouped(value)
        if is_token(value, "STRING"):
            return self.text(value)
        if is_token(value, "NUMBER"):
            return self.number(value)
        start: syntax.Expression | syntax.Stop | None = None
        if is_token(value, "NAME"):
            if value.text not in self._defined:
                self._undefined(value)
                return None
            start = self._defined[value.text]
            if start is None:
                return None  # said where it is assigned
        elif isinstance(value, Call) and (value.function.text == "START" or value.function.text not in FUNCTIONS):
            start = self._call(value)
            if start is None:
                return None
        if isinstance(start, syntax.Start) and start.kind in {None, "literal"}:
            constant = start.value
            return type(constant)(constant.text, value.span)
        message = f"{function} compares with a number or a string, not {described(value)}"
        self.report("wrong-argument", message, value.span, f"the form is {FUNCTIONS[function].usage}")
        return None

    def _arguments(self, call: Call) -> tuple[list[Value] | None, Keyword | None]:
        """The arguments of a known function without names, or None where they do not fit, and the one with a name."""
        signature = FUNCTIONS[call.function.text]
        positional: list[Value] = []
        named: Keyword | None = None
        fits = True
        for argument in call.arguments:
            if not isinstance(argument, Keyword):
                positional.append(argument)
                if named is not None:
                    message = "this argument has no name, and stands after one that has"
                    self.report("syntax", message, argument.span, f"put {named.name.text}= last")
                    fits = False
            elif argument.name.text not in signature.keywords:
                self._unknown_keyword(call, argument, signature)
                fits = False
            elif named is not None:
                self.report("syntax", f"{argument.name.text} is given twice", argument.name.span, "keep one of them")
                fits = False
            else:
                named = argument
        count = len(positional)
        if fits and (count < signature.least or (signature.most is not None and count > signature.most)):
            self._wrong_arity(call, positional, signature)
            fits = False
        if not fits:
            self._look_inside(call)
        return (positional if fits else None), named

    def _look_inside(self, call: Call) -> None:
        """Find what is wrong within a call that is wrong itself."""
        for argument in call.arguments:
            value = ungrouped(argument.value if isinstance(argument, Keyword) else argument)
            if isinstance(value, Call) and value.function.text != "CLOSURE":
                self._call(value)

    def _wrong_arity(self, call: Call, positional: list[Value], signature: Signature) -> None:
        words = ("none", "one", "two", "three")
        count = len(positional)
        needed = f"{words[signature.least]} or more" if signature.most is None else words[signature.least]
        plural = "s" if signature.least > 1 else ""
        given = f"{words[count] if count < len(words) else count} {'is' if count == 1 else 'are'} given"
        message = f"{call.function.text} takes {needed} argument{plural}, and {given}"
        hint = f"the form is {signature.usage}"
        span = call.function.span
        if signature.most is not None and count > signature.most:
            extra = positional[signature.most]
            span = extra.span
            if signature.keywords and is_token(extra, "NAME") and extra.text in {"True", "False"}:
                hint = f"write {signature.keywords[0]}={extra.text}"
        self.report("wrong-arity", message, span, hint)

    def _unknown_keyword(self, call: Call, keyword: Keyword, signature: Signature) -> None:
        function, name = call.function.text, keyword.name.text
        hints = nearest(name, signature.keywords)
        if signature.keywords and not hints:
            hints = (f"the one with a name is {signature.keywords[0]}",)
        elif not hints:
            hints = (f"its arguments have no names: {signature.usage}",)
        self.report("unknown-keyword", f"{function} has no argument {shown(name)}", keyword.name.span, *hints)

    def _undefined(self, token: Token) -> None:
        after: dict[str, Span] = {}
        for statement in self._statements:
            target = statement.target
            if target is not None and statement.span.end > token.span.start:
                after.setdefault(target.text, target.span)
        report_variable(self, token.text, token.span, self._defined, after)

    def _extension(self, what: str, span: Span) -> None:
        if self._strict:
            message = f"{what} is an extension of the language, and the strict reading refuses extensions"
            self.report("extension", message, span, "leave out strict (on the command line --strict) to use it")


def _stop_call(value: Value) -> Call | None:
    value = ungrouped(value)
    return value if isinstance(value, Call) and value.function.text == "STOP" else None
