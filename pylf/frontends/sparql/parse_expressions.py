"""Reading expressions: operators by their power, functions, aggregates, EXISTS.

``height`` is that of what was read last, in nodes from the top down: brackets bound how deep a tree nests, but
``?a + ?b + …`` nests without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.sparql.functions import AGGREGATES, FUNCTIONS, SAME
from pylf.frontends.sparql.parse_terms import Terms
from pylf.frontends.sparql.scanner import MAX_DEPTH
from pylf.frontends.sparql.syntax import At, Call, Exists, Reduce
from pylf.ir.terms import XSD, XSD_INTEGER, XSD_NAMES, Iri, Literal, Var
from pylf.language.hints import nearest, shown

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.frontends.sparql.syntax import Expression, Group

#: How tightly the operators bind, and their names.
_POWERS = {
    "||": (1, "||"),
    "&&": (2, "&&"),
    **{sign: (3, sign) for sign in ("=", "!=", "<", ">", "<=", ">=")},
    "==": (3, "="),
    "IN": (3, "in"),
    **{sign: (4, sign) for sign in "+-"},
    **{sign: (5, sign) for sign in "*/"},
}
_WORDS = {"OR": "||", "AND": "&&"}
_NO_OPERATOR = (0, "")


class Expressions(Terms):
    """A reader of expressions."""

    height = 0

    def group(self) -> Group:
        """A group of patterns, for EXISTS; read by the class that knows patterns."""
        raise NotImplementedError

    def expression(self, least: int = 1, bare: bool = False, left: Expression | None = None) -> Expression:
        """An expression whose operators bind by ``least`` or tighter.

        Args:
            least: the power of the loosest operator.
            bare: no bracket stands around it, so an IRI after it is not ``<``, but what comes next.
            left: what was read of it.
        """
        start = self.start if left is None else left.span.start
        if left is None:
            left = self.operand()
        height = self.height
        while True:
            power, name = self._operator(bare)
            if power < least or not power:
                break
            self._take_operator(name)
            if power <= 2:
                arguments = [left]
                while True:
                    arguments.append(self.expression(power + 1, bare))
                    height = max(height, self.height)
                    if self._operator(bare) != (power, name):
                        break
                    self._take_operator(name)
                left = Call(name, tuple(arguments), self.since(start))
            elif name in {"in", "not in"}:
                left = self._among(left, name, start)
                height = max(height, self.height)
            else:
                right = self.expression(power + 1, bare)
                height = max(height, self.height)
                left = Call(name, (left, right), self.since(start))
            height += 1
            if height > MAX_DEPTH:
                raise self.too_deep()
            if power == 3 and self._operator(bare)[0] == 3:
                hint = "put one of the two comparisons in brackets, or join two with &&"
                raise self.fault("syntax", "what is compared cannot be compared again", hint)
        self.height = height
        return left

    def _operator(self, bare: bool) -> tuple[int, str]:
        """The operator that is next: how it binds, and its name."""
        kind = self.kind
        if kind == "WORD":
            if self.word == "NOT":
                return (3, "not in") if self.peek()[1] == "IN" else _NO_OPERATOR
            kind = _WORDS.get(self.word, self.word)
        elif kind == "IRI" and not bare:
            found = self.found
            if found == "<>":
                return 3, "!="
            self.shorten("<=" if found[1] == "=" else "<")
            kind = self.kind
        return _POWERS.get(kind, _NO_OPERATOR)

    def _take_operator(self, name: str) -> None:
        if name == "not in":
            self.advance()
        elif name not in {"in", self.kind}:
            self.note(
                f"{shown(self.found)} is no operator of SPARQL; it is taken for {name}", f"write {name}", self.span
            )
        self.advance()

    def _among(self, left: Expression, name: str, start: int) -> Call:
        height = self.height
        arguments = self._arguments(f"'(' after {name.upper()}")
        self.height = max(height, self.height)
        among = Call("in", (left, *arguments), self.since(start))
        if name == "in":
            return among
        self.height += 1
        return Call("!", (among,), among.span)

    # --- operands -------------------------------------------------------------------------------------------------

    def operand(self) -> Expression:
        """What an operator is applied to, with the signs before it."""
        kind = self.kind
        if kind == "VAR":
            self.height = 1
            return self.variable("a value")
        if kind == "(":
            return self.bracketed()
        if kind == "WORD":
            if self.word == "NOT" and self.peek()[1] != "EXISTS":
                return self._signs()
            return self._word()
        if kind in {"IRI", "PNAME"}:
            iri = self.iri("a value")
            self.height = 1
            return self._call_of(iri) if self.kind == "(" else At(Iri(self.datatype(iri)), iri.span)
        if kind in {"!", "-", "+"}:
            return self._signs()
        self.height = 1
        constant = self.constant()
        if constant is None:
            raise self.unexpected("a value (a variable, a name, a literal, a function or '(')")
        return constant

    def bracketed(self, expected: str = "'('") -> Expression:
        """An expression in brackets."""
        self.open("(", expected)
        inner = self.expression()
        self.close(")", "an operator or ')'")
        return inner

    def _signs(self) -> Expression:
        """Operators that stand before what they are applied to, and that."""
        signs: list[tuple[str, int]] = []
        inner: Expression | None = None
        while (kind := self.kind) in {"!", "-", "+"} or (self.word == "NOT" and self.peek()[1] != "EXISTS"):
            if signs:
                self.note(
                    f"a sign stands after another, {shown(signs[-1][0])}", "put what follows it in brackets", self.span
                )
            if len(signs) >= MAX_DEPTH:
                raise self.too_deep()
            start, after = self.start, self.end
            self.advance()
            if kind in {"-", "+"} and self.kind == "NUMBER" and self.start == after:
                inner, self.height = self.number(kind, start), 1
                break
            signs.append((kind if kind != "WORD" else "NOT", start))
        if inner is None:
            inner = self.operand()
        for sign, start in reversed(signs):
            span = self.since(start)
            match sign:
                case "-":
                    inner = Call("negative", (inner,), span)
                case "+":
                    inner = Call("+", (At(Literal("0", XSD_INTEGER), span), inner), span)
                case "NOT":
                    self._not(span, start)
                    inner = Call("!", (inner,), span)
                case _:
                    inner = Call("!", (inner,), span)
        self.height += len(signs)
        if self.height > MAX_DEPTH:
            raise self.too_deep()
        return inner

    def _not(self, span: Span, start: int) -> None:
        """NOT in the place of ``!``: read where it does not matter how far it reaches."""
        here = type(span)(start, start + 3)
        if self._operator(bare=True)[0] >= 3:
            hint = "put what it negates in brackets: !(…)"
            raise self.fault("syntax", "it is not clear how far this NOT reaches", hint, span=here)
        self.note("NOT is no operator of SPARQL; it is taken for !", "write !", here)

    def _word(self) -> Expression:
        word, start, span = self.word.lower(), self.start, self.span
        if word in {"true", "false"}:
            self.height = 1
            constant = self.constant()
            assert constant is not None
            return constant
        if word in {"exists", "not"}:
            self.advance()
            if word == "not":
                self.advance()
            group = self.group()
            self.height += 1
            return Exists(group, word == "not", self.since(start))
        if word in AGGREGATES:
            return self._aggregate(word)
        arity = FUNCTIONS.get(word)
        if arity is None:
            if self.peek()[0] != "(":
                raise self.unexpected("a value (a variable, a name, a literal, a function or '(')")
            names = [*FUNCTIONS, *AGGREGATES]
            hints = nearest(word, names) or ("a function of another origin is called by its IRI",)
            raise self.fault("unknown-function", f"SPARQL has no function {shown(self.found)}", *hints, name=self.found)
        written = self.found
        self.advance()
        arguments = self._arguments(f"'(' after {written}")
        call = Call(SAME.get(word, word), arguments, self.since(start))
        least, most = arity
        if len(arguments) < least or (most is not None and len(arguments) > most):
            takes = f"{least}" if least == most else f"{least} or more" if most is None else f"{least} to {most}"
            message = f"{written} takes {takes} argument{'' if takes == '1' else 's'}, not {len(arguments)}"
            raise self.fault("wrong-argument", message, span=call.span)
        if word == "bound" and not _is_variable(arguments[0]):
            raise self.fault("wrong-argument", f"{written} takes a variable", span=arguments[0].span)
        self.height += 1
        if self.height > MAX_DEPTH:
            raise self.too_deep(span)
        if call.function == "iri" and self.base is not None:
            return self._iri_by_base(call)
        return call

    def _iri_by_base(self, call: Call) -> Call:
        """``IRI("a")`` is relative to the BASE, which the tree does not have."""
        match call.arguments:
            case (At(term=Literal(lexical=lexical), span=span),):
                from pylf.frontends.sparql.relative import resolve

                return Call("iri", (At(Literal(resolve(lexical, self.base or "")), span),), call.span)
            case (At(term=Iri()),):
                return call
        hint = "leave BASE out, and write IRIs in full"
        message = "what IRI makes of this may depend on the BASE, which is not known any more when it has a value"
        raise self.fault("relative-iri", message, hint, span=call.span)

    def _call_of(self, iri: At) -> Call:
        """A call by IRI: a cast or an extension."""
        function = self.datatype(iri)
        local = function.removeprefix(XSD)
        if function.startswith(XSD) and local not in XSD_NAMES:
            hints = nearest(local, XSD_NAMES)
            raise self.fault(
                "unknown-function", f"XML Schema has no datatype {shown(local)}", *hints, span=iri.span, name=local
            )
        arguments = self._arguments("'('")
        call = Call(Iri(function), arguments, self.since(iri.span.start))
        if function.startswith(XSD) and len(arguments) != 1:
            raise self.fault("wrong-argument", f"a cast takes 1 argument, not {len(arguments)}", span=call.span)
        self.height += 1
        return call

    def _arguments(self, expected: str) -> tuple[Expression, ...]:
        """Expressions in brackets, with commas between; their height is the highest's."""
        self.open("(", expected)
        if self.word == "DISTINCT":
            raise self.fault("wrong-argument", "DISTINCT stands in aggregates only", "leave it out")
        arguments: list[Expression] = []
        height = 0
        if self.kind != ")":
            while True:
                arguments.append(self.expression())
                height = max(height, self.height)
                if not self.accept(","):
                    break
        self.close(")", "an operator, ',' or ')'")
        self.height = height
        return tuple(arguments)

    # --- aggregates -----------------------------------------------------------------------------------------------

    def _aggregate(self, function: str) -> Reduce:
        start, written = self.start, self.found
        self.advance()
        if self.kind != "(":
            return self._bare_aggregate(function, written, start)
        self.open("(", "'('")
        distinct = self.accept_word("DISTINCT")
        of = self._reduced(function)
        separator = " "
        if self.kind in {";", ","} and function == "group_concat":
            separator = self._separator()
        self.close(")", "an operator or ')'")
        self.height += 1
        return Reduce(function, of, distinct, self.since(start), separator)

    def _bare_aggregate(self, function: str, written: str, start: int) -> Reduce:
        """``COUNT DISTINCT ?x``, ``COUNT ?x``, ``COUNT DISTINCT (?x)``."""
        distinct = self.accept_word("DISTINCT")
        of: Expression | None
        if self.kind == "VAR":
            of, self.height = self.variable("a variable"), 1
        elif self.kind == "*" or (distinct and self.kind == "("):
            of = self._reduced(function) if self.kind == "*" else self.bracketed()
        else:
            raise self.unexpected(f"'(' after {written}")
        span = self.since(start)
        self.height += 1
        what = self.text[of.span.start : of.span.end] if of is not None else "*"
        hint = f"write {function.upper()}({'DISTINCT ' if distinct else ''}{what})"
        self.note(
            f"what {written} counts stands without brackets"
            if function == "count"
            else f"{written} stands without brackets",
            hint,
            span,
        )
        return Reduce(function, of, distinct, span)

    def _reduced(self, function: str) -> Expression | None:
        if self.kind == "*":
            if function != "count":
                raise self.fault("wrong-argument", f"COUNT alone takes '*', {function.upper()} does not")
            self.advance()
            self.height = 1
            return None
        return self.expression()

    def _separator(self) -> str:
        start = self.start
        comma = self.accept(",") or not self.accept(";")
        named = self.accept_word("SEPARATOR")
        if named and not self.accept("="):
            raise self.unexpected("'=' after SEPARATOR")
        separator = self.string("a string in quotes, the separator,")
        if comma or not named:
            hint = 'write GROUP_CONCAT(?x; SEPARATOR=", ")'
            self.note("the separator is not written as SPARQL writes it", hint, self.since(start))
        return separator


def _is_variable(value: Expression) -> bool:
    return isinstance(value, At) and isinstance(value.term, Var)
