"""From text to the tree of a subgraph question (:mod:`pylf.frontends.subgraph.tree`).

White space and line breaks stand anywhere between words; ``#`` begins a comment. The clauses of a question stand in
any order, each at most once. Names are looked up later, when the tree is lowered: an IRI in angle brackets, an id or a
CURIE of the vocabulary, a label in quotes.

Every error is a :class:`~pylf.errors.Diagnostic` with its place. Nothing recurses, and time and memory are linear in
the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pylf.errors import CompileError, Diagnostic, Source, Span
from pylf.frontends.subgraph.scanner import WHAT, tokens
from pylf.frontends.subgraph.tree import (
    MOST_HOPS,
    Around,
    Bound,
    Compared,
    Hop,
    Name,
    Neighbours,
    OneOf,
    Paths,
    Patterns,
    Triple,
    Variable,
    Way,
)
from pylf.language.hints import listed, nearest, shown
from pylf.language.other_forms import other_form

if TYPE_CHECKING:
    from pylf.frontends.subgraph.scanner import Token
    from pylf.frontends.subgraph.tree import Part, Place, Question

_BEGINNINGS = ("subgraph around", "subgraph ?s ?p ?o ?c where", "neighbours of", "paths from", "rows ?x … where")
_WAYS = {"outward": Way.OUT, "inward": Way.IN}
#: The first words of clauses, and how each goes on.
_CLAUSES = {
    "outward": "outward",
    "inward": "inward",
    "either": "either way",
    "within": "within 2 hops",
    "of": "of 2 hops",
    "by": "by RELATION, …",
    "with": "with confidence >= 0.5",
    "without": "without confidence",
    "default": "default 1",
}
_AROUND = ("outward", "inward", "either", "within", "by", "with", "without", "default")
_NEIGHBOURS = tuple(word for word in _AROUND if word != "within")
_PATHS = tuple("of" if word == "within" else word for word in _AROUND)
_ONE_HOP = "one hop is asked for here; for more, 'subgraph around … within 2 hops' or 'paths from … of 2 hops'"
_EXACTLY = "paths are of one length, 'of 2 hops': ask once for each, and what is found has columns for every hop"


def parse(text: str, name: str = "<subgraph>") -> Question:
    """Read a subgraph question.

    Args:
        text: for example ``subgraph around :twitter within 2 hops with confidence >= 0.5``.
        name: what diagnostics call it, for example the file's name.

    Returns:
        The tree, its places pointing into ``text``.

    Raises:
        CompileError: the text is none; the first fault is told.
    """
    source = Source(text, name)
    try:
        return _Reader(source).question()
    except CompileError:
        another = other_form(source, "subgraph", f"a {WHAT}")
        if another is not None:
            raise CompileError([another]) from None
        raise


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = tokens(source)
        self.at = 0

    # --- questions ------------------------------------------------------------------------------------------------

    def question(self) -> Question:
        first = self.here
        if first.kind == "end":
            self.fail("empty", "the text is empty", f"a subgraph text begins with {_beginnings()}")
        found = self.beginning()
        if self.here.kind != "end":
            self.fail("after-end", f"{self.found()} stands after the end of the question", "one question is read")
        return found

    def beginning(self) -> Question:
        start = self.here.span
        match self.word():
            case "subgraph" if self.here.kind == "variable":
                return self.patterns(False, start)
            case "subgraph":
                self.expect("around")
                centers = self.names()
                told = self.clauses(_AROUND)
                return Around(centers, told.hops or 1, told.hop(), self.since(start))
            case "neighbours" | "neighbors":
                self.expect("of")
                centers = self.names()
                return Neighbours(centers, self.clauses(_NEIGHBOURS).hop(), self.since(start))
            case "simple":
                self.expect("paths")
                return self.paths(True, start)
            case "paths":
                return self.paths(False, start)
            case "rows":
                return self.patterns(True, start)
            case word:
                self.at -= 1
                hints = nearest(word, ("subgraph", "neighbours", "paths", "simple", "rows"))
                raise self.failure(
                    "syntax", f"{self.found()} begins no subgraph text", *hints, f"one begins with {_beginnings()}"
                )

    def paths(self, simple: bool, start: Span) -> Paths:
        self.expect("from")
        starts = self.names()
        ends: tuple[Name, ...] = ()
        if self.is_word("to"):
            self.at += 1
            ends = self.names()
        told = self.clauses(_PATHS)
        if told.hops is None:
            self.fail("syntax", "paths need a length: 'of 2 hops'", _EXACTLY, span=self.since(start))
        return Paths(starts, told.hops, ends, told.hop(), told.product, simple, self.since(start))

    def patterns(self, rows: bool, start: Span) -> Patterns:
        outputs: list[Variable] = []
        while self.here.kind == "variable":
            output = self.variable()
            if any(output == other for other in outputs):
                self.fail("syntax", f"?{output.name} is an output already", span=output.span)
            outputs.append(output)
        if not outputs:
            self.fail("syntax", f"an output such as ?x is wanted here, not {self.found()}")
        if not rows and len(outputs) not in (3, 4):
            message = f"a subgraph has three outputs, or four with confidence, not {len(outputs)}"
            self.fail("syntax", message, "other columns are 'rows ?x ?y where …'", span=self.since(start))
        self.expect("where")
        parts = [self.part()]
        while self.here.kind != "end":
            parts.append(self.part())
        return Patterns(tuple(outputs), tuple(parts), rows, self.since(start))

    # --- clauses --------------------------------------------------------------------------------------------------

    def clauses(self, allowed: tuple[str, ...]) -> _Told:
        told = _Told()
        said: dict[str, Span] = {}
        while self.here.kind != "end":
            start = self.here.span
            word = self.here.text if self.here.kind == "word" else ""
            if word in ("within", "of") and word not in allowed:
                self.fail("syntax", f"there is no '{word}' here", _EXACTLY if "of" in allowed else _ONE_HOP)
            if word not in allowed:
                if self.here.kind in ("iri", "string") or self.found() == "','":
                    self.fail(
                        "syntax", f"{self.found()} stands where a clause is wanted", "a comma stands between names"
                    )
                forms = listed([f"'{_CLAUSES[one]}'" for one in allowed], "or")
                hints = [*nearest(word, allowed), f"clauses are {forms}"]
                if word and not said and self.tokens[self.at - 1].kind == "word":
                    hints.append("a comma stands between names, and quotes around one of several words: 'New York'")
                self.fail("syntax", f"{self.found()} begins no clause", *hints)
            self.at += 1
            what = self.clause(word, told, allowed)
            if what in said:
                line, column = self.source.position(said[what].start)
                message = f"{what} is told twice: line {line}, column {column} tells it too"
                self.fail("clause-twice", message, "leave one out", span=self.since(start))
            said[what] = start
        clash = None if told.weighed else next((what for what in _OF_CONFIDENCE if what in said), None)
        if clash is not None:
            message = f"'without confidence' nothing is to be said of {clash}"
            self.fail("clause-clash", message, "leave one of both out", span=said[clash])
        return told

    def clause(self, word: str, told: _Told, allowed: tuple[str, ...]) -> str:
        """Reads the rest of a clause; gives what it is about."""
        match word:
            case "outward" | "inward":
                told.way = _WAYS[word]
                return "the way"
            case "either":
                self.expect("way")
                return "the way"
            case "within" | "of":
                told.hops = self.hops()
                return "the number of hops"
            case "by":
                told.relations = self.names()
                return "the relations"
            case "with":
                products = ("confidence", "product") if "of" in allowed else ("confidence",)
                if self.expect(*products) == "product":
                    told.product = self.test()
                    return "the product"
                told.floor = self.test()
                return "the confidence"
            case "without":
                self.expect("confidence")
                told.weighed = False
                return "'without confidence'"
            case _:
                told.default = self.sureness()
                return "the default"

    def hops(self) -> int:
        number = self.number("a number of hops")
        if not number.isdigit() or not 1 <= int(number[:9]) <= MOST_HOPS:
            self.at -= 1
            self.fail("hops", f"from 1 to {MOST_HOPS} hops are asked for, not {number[:40]}")
        self.expect("hops", "hop")
        return int(number)

    def test(self) -> Bound:
        start = self.here.span
        op = self.op()
        return Bound(op, self.number("a number"), self.since(start))

    def sureness(self) -> str:
        number = self.number("a confidence")
        if float(number) > 1:
            self.at -= 1
            self.fail("confidence", f"a confidence is a number from 0 to 1, not {number[:40]}")
        return number

    # --- patterns -------------------------------------------------------------------------------------------------

    def part(self) -> Part:
        start = self.here.span
        first = self.place()
        if isinstance(first, Variable) and self.here.kind == "op":
            return Compared(first, self.test(), self.since(start))
        if isinstance(first, Variable) and self.is_word("in"):
            self.at += 1
            self.sign("(")
            names = self.names()
            self.sign(")")
            return OneOf(first, names, self.since(start))
        second, third = self.place(), self.place()
        confidence = None
        if self.is_word("with"):
            self.at += 1
            self.expect("confidence")
            confidence = self.variable()
        return Triple(first, second, third, confidence, self.since(start))

    def place(self) -> Place:
        if self.here.kind == "variable":
            return self.variable()
        if self.here.kind == "number":
            hint = "a value is compared: … ?v, then ?v = " + self.here.text[:20]
            self.fail("syntax", "a number is no part of a triple here", hint)
        return self.name("a variable or a name")

    # --- words ----------------------------------------------------------------------------------------------------

    def names(self) -> tuple[Name, ...]:
        found = [self.name("a name")]
        while self.here.kind == "sign" and self.here.text == ",":
            self.at += 1
            found.append(self.name("a name"))
        return tuple(found)

    def name(self, what: str) -> Name:
        token = self.here
        if token.kind not in ("word", "iri", "string"):
            hint = "a name is an IRI <…>, an id or a CURIE of the vocabulary, or a label in quotes"
            self.fail("syntax", f"{what} is wanted here, not {self.found()}", hint)
        if token.kind == "string" and not token.text:
            self.fail("syntax", "this name is empty")
        self.at += 1
        return Name(token.text, token.kind == "string", token.span)

    def variable(self) -> Variable:
        token = self.here
        if token.kind != "variable":
            self.fail("syntax", f"a variable such as ?c is wanted here, not {self.found()}")
        self.at += 1
        return Variable(token.text, token.span)

    def number(self, what: str) -> str:
        token = self.here
        if token.kind != "number":
            self.fail("syntax", f"{what} is wanted here, not {self.found()}", "numbers are written like 2 or 0.5")
        self.at += 1
        return token.text

    def op(self) -> str:
        token = self.here
        if token.kind != "op":
            self.fail("syntax", f"a comparison such as >= 0.5 is wanted here, not {self.found()}")
        self.at += 1
        return token.text

    def sign(self, sign: str) -> None:
        if self.here.kind != "sign" or self.here.text != sign:
            self.fail("syntax", f"'{sign}' is wanted here, not {self.found()}")
        self.at += 1

    def word(self) -> str:
        token = self.here
        self.at += 1
        return token.text if token.kind == "word" else ""

    def is_word(self, word: str) -> bool:
        return self.here.kind == "word" and self.here.text == word

    def expect(self, *words: str) -> str:
        if self.here.kind != "word" or self.here.text not in words:
            wanted = listed([f"'{word}'" for word in words], "or")
            self.fail("syntax", f"{wanted} is wanted here, not {self.found()}")
        self.at += 1
        return self.tokens[self.at - 1].text

    # --- where we are ---------------------------------------------------------------------------------------------

    @property
    def here(self) -> Token:
        return self.tokens[self.at]

    def found(self) -> str:
        """The token at hand, as a message names it."""
        token = self.here
        return "the end of the text" if token.kind == "end" else shown(self.source.text[slice(*token.span)])

    def since(self, start: Span) -> Span:
        """From there to the last token read."""
        return start.cover(self.tokens[self.at - 1].span)

    def fail(self, code: str, message: str, *hints: str, span: Span | None = None) -> NoReturn:
        raise self.failure(code, message, *hints, span=span)

    def failure(self, code: str, message: str, *hints: str, span: Span | None = None) -> CompileError:
        return CompileError([Diagnostic(code, message, span or self.here.span, self.source, hints)])


class _Told:
    """What clauses tell, as they are read."""

    def __init__(self) -> None:
        self.way = Way.EITHER
        self.hops: int | None = None
        self.relations: tuple[Name, ...] = ()
        self.floor: Bound | None = None
        self.product: Bound | None = None
        self.default: str | None = None
        self.weighed = True

    def hop(self) -> Hop:
        return Hop(self.way, self.relations, self.floor, self.default, self.weighed)


_OF_CONFIDENCE = ("the confidence", "the default", "the product")


def _beginnings() -> str:
    return listed([f"'{one}'" for one in _BEGINNINGS], "or")
