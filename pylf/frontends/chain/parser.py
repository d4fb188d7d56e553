"""From text to the tree of a chain.

What is read besides the canonical spelling (:mod:`pylf.frontends.chain.printer`): ``→`` and longer arrows; ``<- r`` and
``←`` for ``-> ~r``, and ``^r`` for ``~r``; ``not`` before its arrow, ``!`` and ``¬``; ``==``, ``<>``, ``≤``, ``≥`` and
``≠``; ``max``, ``argmax``, ``top`` and ``min``, ``argmin``, ``bottom``; reserved words in capitals; brackets around
what needs none; datatypes and languages after a text's quotes; line breaks, and comments after ``#``. ``R_r`` is read
as it is written, and means ``~r`` unless the schema has a relation of that name.

Every error is a :class:`~pylf.errors.Diagnostic`; the first one stands alone. Time and memory are linear in the text,
which is limited in size and depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pylf.errors import CompileError, Diagnostic, Source, Span
from pylf.frontends.chain import tree, words
from pylf.frontends.chain.syntax_errors import explain
from pylf.language.characters import first_character
from pylf.language.escapes import BadEscape, unquote
from pylf.language.findings import MAX_NUMBER, MAX_STRING
from pylf.language.hints import shown
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.frontends.chain.words import Token

#: Brackets may stand within brackets this deep.
MAX_DEPTH = 100
#: The largest k of ``[largest k -> r]``.
MAX_K = 10**9


def parse(text: str, name: str = "<chain>") -> tree.Chain:
    """Read a chain.

    Args:
        text: the chain, for example ``m.0178g -> film.director.film [-> film.film.genre -> m.02l7c8]``.
        name: what diagnostics call it, for example the file's name.

    Returns:
        The tree, its places pointing into ``text``.

    Raises:
        CompileError: the text is no chain; its first fault.
    """
    source = Source(text, name)
    reader = _Reader(source, list(words.tokens(text, first_character(source, "chain"))))
    found = reader.sets()
    if reader.kind != "END":
        reader.fail("after")
    return tree.Chain(found.start, found.steps, found.span, source)


class _Reader:
    __slots__ = ("at", "depth", "source", "tokens")

    def __init__(self, source: Source, tokens: list[Token]) -> None:
        self.source = source
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    # -- the place

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    @property
    def kind(self) -> str:
        return self.tokens[self.at].kind

    def ahead(self, count: int) -> Token:
        return self.tokens[min(self.at + count, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.tokens[self.at]
        if self.at + 1 < len(self.tokens):
            self.at += 1
        return token

    def since(self, start: int) -> Span:
        """From a place to the end of the last token taken."""
        return Span(start, self.tokens[self.at - 1].span.end)

    def fail(self, expected: str) -> NoReturn:
        """Say what is wrong with the token at this place, where something else was ``expected``."""
        raise CompileError([explain(self.source, self.tokens, self.at, expected)])

    def refuse(self, code: str, message: str, span: Span, *hints: str) -> NoReturn:
        raise CompileError([Diagnostic(code, message, span, self.source, hints)])

    def deeper(self) -> Token:
        """Take an opening bracket."""
        token = self.take()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            message = f"brackets nest too deeply here: {MAX_DEPTH} levels are read"
            self.refuse("too-deep", message, token.span)
        return token

    def close(self, kind: str) -> None:
        if self.kind != kind:
            self.fail(kind)
        self.take()
        self.depth -= 1

    # -- sets

    def sets(self) -> tree.Chain:
        """One chain, or several with ``|`` between them."""
        start = self.token.span.start
        chains = [self.chain()]
        while self.kind == "BAR":
            self.take()
            chains.append(self.chain())
        if len(chains) == 1:
            return chains[0]
        span = self.since(start)
        return tree.Chain(tree.Union(tuple(chains), span), (), span)

    def chain(self) -> tree.Chain:
        begin = self.token.span.start
        start: tree.Start
        steps: list[tree.Step] = []
        if self.kind == "LPAR":
            self.deeper()
            inner = self.sets()
            self.close("RPAR")
            start = inner.start
            steps += inner.steps
        elif self.kind == "ANYTHING":
            start = tree.Anything(self.take().span)
        else:
            start = self.atom("source")
        while True:
            if self.kind == "LSQB":
                steps.append(self.constraint())
            elif self.is_arrow():
                steps.append(self.hop())
            else:
                return tree.Chain(start, tuple(steps), self.since(begin))

    def atom(self, expected: str) -> tree.Atom:
        """A name or a value, perhaps after what it is."""
        begin = self.token.span.start
        kind = None
        if self.token.is_word(*words.KINDS):
            kind = self.take().text.lower()
        token = self.token
        text, number = self.constant(expected)
        if kind in ("class", "entity") and number:
            self.refuse("kind", f"the number {text} is no {kind}", token.span)
        return tree.Atom(text, number, kind, self.since(begin))

    def constant(self, expected: str) -> tuple[str, bool]:
        """A name or a value, and whether it is a number."""
        token = self.token
        match token.kind:
            case "WORD" if token.text not in words.RESERVED:
                text = token.text
            case "IRI":
                text = token.text
            case "STRING":
                text = self.string(token)
            case "VALUE":
                number = words.number(token.text)
                if number is not None:
                    self.take()
                    return number, True
                if len(token.text) > MAX_NUMBER:
                    message = f"this value has more than {MAX_NUMBER:,} characters"
                    self.refuse("too-large", message, token.span, "a text stands in quotes")
                text = token.text
                if not words.is_date(text) and "^^" not in text:
                    hint = (
                        f"a name or a text stands in quotes: '{text}'" if len(text) < 40 else "a text stands in quotes"
                    )
                    self.refuse("bad-value", f"{shown(text)} is neither a number nor a date", token.span, hint)
            case _:
                self.fail(expected)
        if len(text) > MAX_STRING and len(text.rpartition("^^")[0] or text) > MAX_STRING:
            self.refuse("too-large", f"this text has more than {MAX_STRING:,} characters", token.span)
        self.take()
        return text, False

    def string(self, token: Token) -> str:
        text = token.text
        end = text.rindex(text[0]) + 1
        try:
            return unquote(text[:end]) + text[end:]
        except BadEscape as error:
            place = Span(token.span.start + error.start, token.span.start + error.end)
            self.refuse("bad-escape", str(error), place, error.hint)

    # -- hops

    def is_arrow(self) -> bool:
        """Whether a hop begins here."""
        kind = self.kind
        if kind == "NOT" or self.token.is_word("not"):
            kind = self.ahead(1).kind
        return kind in ("FORWARD", "BACKWARD")

    def arrow(self) -> tuple[bool, bool]:
        """An arrow: whether it leads back, and whether it is negated, before it or after it."""
        negated = self.negation()
        back = self.take().kind == "BACKWARD"
        return back, self.negation() or negated

    def negation(self) -> bool:
        if self.kind == "NOT" or self.token.is_word("not"):
            self.take()
            return True
        return False

    def hop(self) -> tree.Hop:
        begin = self.token.span.start
        back, negated = self.arrow()
        if self.kind == "LPAR" and negated and not back:
            return self.negated_walk(begin)
        return tree.Hop(self.relation(back), negated, (), self.since(begin))

    def negated_walk(self, begin: int) -> tree.Hop:
        """Relations in brackets that are negated together."""
        self.deeper()
        back = self.is_arrow() and self.arrow_of_walk()
        path = [self.relation(back)]
        while self.is_arrow():
            path.append(self.relation(self.arrow_of_walk()))
        self.close("RPAR")
        return tree.Hop(path[0], True, tuple(path[1:]), self.since(begin))

    def arrow_of_walk(self) -> bool:
        """An arrow inside a negated walk: whether it leads back."""
        span = self.token.span
        back, negated = self.arrow()
        if negated:
            hint = "as in -> not (r -> s); what is not reached by s alone is -> r -> not s"
            self.refuse("wrong-argument", "a negated walk is negated as a whole", span, hint)
        return back

    def relation(self, back: bool) -> tree.Relation:
        begin = self.token.span.start
        if self.kind == "BACK":
            token = self.take()
            if back:
                hint = "'-> ~r' and '<- r' both walk r from object to subject"
                self.refuse("wrong-argument", "this relation is turned twice", token.span, hint)
            back = True
        token = self.token
        if token.kind == "STRING":
            name = self.string(token)
        elif token.kind in ("IRI", "VALUE") or (token.kind == "WORD" and token.text not in words.RESERVED):
            name = token.text
        else:
            self.fail("relation")
        if len(name) > MAX_STRING:
            self.refuse("too-large", f"this name has more than {MAX_STRING:,} characters", token.span)
        self.take()
        closure = {"PLUS": 1, "STAR": 0}.get(self.kind)
        if closure is not None:
            self.take()
        return tree.Relation(name, back, closure, self.since(begin))

    # -- constraints

    def constraint(self) -> tree.Constraint:
        begin = self.deeper().span.start
        found: tree.Constraint
        token = self.token
        if token.is_word("except"):
            self.take()
            found = tree.Except(self.filter(begin))
        elif token.is_word("count"):
            self.take()
            found = tree.Count()
        elif token.is_word("any"):
            self.take()
            found = tree.Exists()
        elif token.is_word(*words.LARGEST, *words.SMALLEST):
            found = self.best()
        else:
            if token.kind == "RSQB":
                self.fail("constraint")
            found = self.filter(begin)
        self.close("RSQB")
        return replace(found, span=self.since(begin))

    def filter(self, begin: int) -> tree.Along | tree.Compare | tree.In:
        """What follows a bracket that filters."""
        if self.is_arrow():
            return self.walk(begin)
        if self.kind == "NOT" or self.token.is_word("not"):
            self.fail("negation")
        chain = self.sets()
        return tree.In(chain, chain.span)

    def walk(self, begin: int) -> tree.Along | tree.Compare:
        """A constraint chain: relations, and what it ends in."""
        hops: list[tree.Hop] = []
        while True:
            start = self.token.span.start
            back, negated = self.arrow()
            if self.kind == "LPAR" and negated and not back:
                hops.append(self.negated_walk(start))
            elif self.is_relation():
                hops.append(tree.Hop(self.relation(back), negated, (), self.since(start)))
            else:
                if self.ahead(1).kind == "LSQB":
                    self.take()
                    self.fail("inner-constraint")
                if not hops:
                    self.fail("lone-end")
                if back or negated:
                    self.fail("plain-arrow")
                return tree.Along(tuple(hops), self.end(), self.since(begin))
            if self.kind == "COMPARISON":
                return self.comparison(hops, begin)
            if not self.is_arrow():
                self.fail("inner-constraint" if self.kind == "LSQB" else "further")

    def is_relation(self) -> bool:
        """Whether a relation stands here, after which a constraint chain goes on, rather than what it ends in."""
        count = 1 if self.kind == "BACK" else 0
        if self.ahead(count).kind not in ("WORD", "IRI", "STRING", "VALUE") or self.ahead(count).text in words.RESERVED:
            return count == 1
        count += 1
        if count == 2 or self.ahead(count).kind in ("PLUS", "STAR"):
            return True
        after = self.ahead(count)
        return after.kind in ("FORWARD", "BACKWARD", "COMPARISON", "NOT") or after.is_word("not")

    def end(self) -> tree.Chain:
        """What a constraint chain ends in: a name, a value, or sets in brackets."""
        if self.kind != "LPAR":
            atom = self.atom("end")
            return tree.Chain(atom, (), atom.span)
        self.deeper()
        found = self.sets()
        self.close("RPAR")
        return found

    def comparison(self, hops: list[tree.Hop], begin: int) -> tree.Compare:
        for hop in hops:
            if hop.negated:
                hint = "what has no such value is [except -> r < 5], what has another one [-> r >= 5]"
                message = "a chain that ends in a comparison has no negated relation"
                self.refuse("wrong-argument", message, hop.span or self.token.span, hint)
        sign = self.take().text
        op = words.READ_AS.get(sign, sign)
        token = self.token
        text, number = self.constant("value")
        value = tree.Atom(text, number, None, token.span)
        or_none = self.token.is_word("or")
        if or_none:
            place = self.take().span
            if not self.token.is_word("none"):
                self.fail("none")
            self.take()
            if op not in ("<=", ">="):
                hint = "a beginning is [-> r <= 1996 or none], an end [-> r >= 1996 or none]"
                message = f"'or none' stands after <= and >=, not after {op}"
                self.refuse("wrong-argument", message, place.cover(self.tokens[self.at - 1].span), hint)
        path = tuple([hop.relation for hop in hops])
        return tree.Compare(path, op, value, or_none, self.since(begin))

    def best(self) -> tree.Best:
        largest = self.take().text.lower() in words.LARGEST
        k = None
        if self.kind == "VALUE":
            token = self.token
            text = token.text
            if not (text.isdecimal() and text.isascii() and len(text) < 12 and 1 <= int(text) <= MAX_K):
                hint = "as in [largest 3 -> r]"
                self.refuse("wrong-argument", "how many is a whole number from 1 on", token.span, hint)
            k = int(self.take().text)
        counted = self.token.is_word("count")
        if counted:
            self.take()
        if not self.is_arrow():
            self.fail("order")
        path: list[tree.Relation] = []
        while self.is_arrow():
            hop = self.hop()
            if hop.negated:
                message = "what is ordered by has no negated relation"
                self.refuse("wrong-argument", message, hop.span or self.token.span, "as in [largest -> r]")
            path.append(hop.relation)
        return tree.Best(largest, tuple(path), k, counted)
