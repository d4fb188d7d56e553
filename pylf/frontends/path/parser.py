"""From text to the tree of a path.

A path is a node and, for each hop, an arrow, a relation, the same arrow again and a node::

    Alice -> marry_to -> ?x <- father_of <- ?y

``->`` goes along the edge, ``<-`` against it; ``→`` and ``←`` are the same, and longer ones (``-->``). A name is what
stands between two arrows, spaces inside it included; one that holds an arrow or a control character, or looks like
something else, stands in quotes, read as Python reads strings. ``?x`` is a variable that is asked for, ``?_x`` one that
is not, ``?`` one that stands there alone. The tags of GCR (``<PATH> … </PATH>``) may stand around a path. RoG's paths
of relations alone (``<PATH> r <SEP> s </PATH>``) lead from any node along the first relation, and on. Lines that begin
with ``#`` and a space are comments.

Every error is a :class:`~pylf.errors.Diagnostic`; time and memory are linear in the text, whose size is limited as that
of PyLF's programs is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from pylf.errors import CompileError, Diagnostic, Source, Span
from pylf.frontends.path.tree import Hop, Named, Number, PathTree, Variable
from pylf.language.characters import first_character
from pylf.language.constants import NUMBER
from pylf.language.escapes import BadEscape, unquote
from pylf.language.findings import MAX_NUMBER, MAX_STRING
from pylf.language.other_forms import other_form

if TYPE_CHECKING:
    from pylf.frontends.path.tree import Node

#: Hops that a path may have.
MAX_HOPS = 100

#: what ends a name that has no quotes
_MARK = r"-{1,3}>|→|<--{1,2}(?![-.\d])|<-|←|</?PATH>|<SEP>"
MARK = re.compile(_MARK, re.IGNORECASE)
_NEXT = re.compile(rf"\s*(?:(?P<mark>{_MARK})|\Z)", re.IGNORECASE)
_ITEM = re.compile(
    rf"""\s*(?:
        (?P<quoted> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' ) (?=\s*(?:{_MARK}|\Z))
      | (?P<iri> <[A-Za-z][^<>\s:]*:[^<>\n]*> ) (?=\s*(?:{_MARK}|\Z))
      | (?P<plain> (?:(?!{_MARK})[^\n])+ )
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_COMMENT = re.compile(r"^[ \t]*#(?:[ \t].*)?$", re.MULTILINE)
_VARIABLE = re.compile(r"\?(?:(?P<hidden>_)?(?P<name>[A-Za-z][A-Za-z0-9_]*))?\Z", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ARROWS = {"->": True, "-->": True, "--->": True, "→": True, "<-": False, "<--": False, "<---": False, "←": False}
#: what looks like an arrow and is none
_NO_ARROW = re.compile(r"[=–—]+>|<[=–—]+|[–—⟶⟵⇒⇐]|--+|>>")
_EXAMPLE = "a path reads: Alice -> marry_to -> ?x"


def parse(text: str, name: str = "<path>") -> PathTree:
    """Read a path.

    Args:
        text: the path, for example ``Alice -> marry_to -> ?x``.
        name: what diagnostics call it, for example the file's name.

    Returns:
        The tree, its places pointing into ``text``.

    Raises:
        CompileError: the text is not one path, with the place of the first fault.
    """
    source = Source(text, name)
    start = first_character(source, "path")
    # a comment becomes as many spaces, so that places stay what they are
    plain = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    try:
        return _Reader(plain, source, start, len(text)).path()
    except CompileError:
        another = other_form(source, "path", "a path")
        if another is not None:
            raise CompileError([another]) from None
        raise


def parse_within(source: Source, span: Span) -> PathTree:
    """Read the path that a part of a text is; there are no comments in it.

    Raises:
        CompileError: as :func:`parse`.
    """
    return _Reader(source.text, source, span.start, span.end).path()


class _Reader:
    """Reads one path from a stretch of text; it knows how far it came."""

    def __init__(self, text: str, source: Source, start: int, end: int) -> None:
        self.text = text
        self.source = source
        self.at = start
        self.end = start + len(text[start:end].rstrip())

    def path(self) -> PathTree:
        if not self.text[self.at : self.end].strip():
            self.fail("the text is empty", Span(self.end, self.end), _EXAMPLE, code="empty")
        tagged = self.mark_is("<path>")
        first = self.item("a node")
        begins = self.at if first.span is None else first.span.start
        if self.mark_is("<sep>") or (tagged and self.ahead() == "</path>"):
            tree = self.relations_alone(first)
        else:
            tree = self.hops(first)
        if tagged and not self.mark_is("</path>"):
            self.fail("<PATH> is not closed", Span(self.at, self.end), "write </PATH> behind the path")
        ends = self.at
        if self.at < self.end:
            self.rest()
        span = Span(begins, ends)
        _check_kinds(tree, self.source)
        return PathTree(tree.nodes, tree.hops, self.source, span)

    def hops(self, first: Node) -> PathTree:
        nodes, hops = [first], []
        while (mark := self.ahead()) in _ARROWS:
            begins = self.at
            self.take()
            relation = self.relation(self.item("a relation"))
            again = self.ahead()
            if again not in _ARROWS:
                self.rest("the relation is followed by an arrow and a node", _EXAMPLE)
            if _ARROWS[again] is not _ARROWS[mark]:
                place = self.place()
                self.fail("the two arrows of a hop point the same way", place, "-> r -> goes along, <- r <- against")
            self.take()
            nodes.append(self.item("a node"))
            hops.append(Hop(relation, _ARROWS[mark], Span(begins, self.at)))
            if len(hops) > MAX_HOPS:
                self.fail(f"a path has at most {MAX_HOPS} hops", Span(begins, self.at), code="too-large")
        if not hops:
            other = _NO_ARROW.search(self.text, first.span.start if first.span is not None else 0, self.end)
            if other is not None:
                hint = f"'{other[0]}' is no arrow: arrows are -> and <-"
                self.fail("a path has at least one hop", Span(*other.span()), hint, _EXAMPLE)
            self.rest("a path has at least one hop", _EXAMPLE)
        return PathTree(tuple(nodes), tuple(hops))

    def relations_alone(self, first: Node) -> PathTree:
        """RoG's paths; the first ``<SEP>`` is taken."""
        items = [first]
        more = self.ahead() != "</path>"
        while more:
            items.append(self.item("a relation"))
            more = self.mark_is("<sep>")
            if len(items) > MAX_HOPS:
                self.fail(f"a path has at most {MAX_HOPS} hops", Span(self.at, self.at), code="too-large")
        hops = tuple([Hop(self.relation(item), True, item.span) for item in items])
        taken = {hop.relation.name for hop in hops if isinstance(hop.relation, Variable)}
        free = (f"n{number}" for number in range(len(items) + 1 + len(taken)))
        names = [name for name in free if name not in taken][: len(items) + 1]
        return PathTree(tuple([Variable(name, asked=True) for name in names]), hops)

    # -- pieces

    def ahead(self) -> str:
        """The mark that comes next, in small letters; nothing where something else does, or the text ends."""
        found = _NEXT.match(self.text, self.at, self.end)
        return (found["mark"] or "").lower() if found is not None else ""

    def take(self) -> None:
        """Go on behind the mark that comes next."""
        found = _NEXT.match(self.text, self.at, self.end)
        assert found is not None
        self.at = found.end()

    def mark_is(self, mark: str) -> bool:
        """Whether a mark comes next; if so, it is taken."""
        if self.ahead() != mark:
            return False
        self.take()
        return True

    def item(self, what: str) -> Node:
        """A name, a number or a variable."""
        found = _ITEM.match(self.text, self.at, self.end)
        if found is None or not (found["quoted"] or found["iri"] or (found["plain"] or "").strip()):
            if what == "a node" and self.ahead() in _ARROWS:
                mark = self.text[slice(*self.place())]
                self.fail("a node is missing here", self.place(), f"'?' stands for any node: ? {mark} r {mark} ?x")
            self.fail(f"{what} is missing here", self.place(), 'a name without letters stands in quotes: ""')
        start = found.start(found.lastgroup or 0)
        written = found[found.lastgroup or 0].rstrip()
        span = Span(start, start + len(written))
        self.at = span.end
        if len(written) > MAX_STRING:
            message = f"a name has at most {MAX_STRING:,} characters"
            self.fail(message, span, code="too-large")
        if found["quoted"]:
            return Named(self.unquoted(written, span), span)
        if written.startswith("?"):
            return self.variable(written, span)
        control = _CONTROL.search(written)
        if control is not None:
            message = f"the character U+{ord(control[0]):04X} has no meaning in a name without quotes"
            self.fail(message, Span(start + control.start(), start + control.end()))
        if NUMBER.match(written) and len(written) <= MAX_NUMBER:
            return Number(written, span)
        return Named(written, span)

    def unquoted(self, written: str, span: Span) -> str:
        try:
            return unquote(written)
        except BadEscape as error:
            place = Span(span.start + error.start, span.start + error.end)
            self.fail(str(error), place, error.hint, code="bad-escape")

    def variable(self, written: str, span: Span) -> Variable:
        found = _VARIABLE.match(written)
        if found is None:
            hint = "a variable is ?x, ?_x where it is not asked for, or ? alone; a name that begins so stands in quotes"
            self.fail(f"{written[:40]!r} is no variable", span, hint)
        return Variable(found["name"], found["name"] is not None and found["hidden"] is None, span)

    def relation(self, item: Node) -> Variable | Named:
        if isinstance(item, Number):
            self.fail(f"a number is no relation: {item.text}", item.span or self.place(), _EXAMPLE)
        return item

    # -- faults

    def place(self) -> Span:
        """Where something else was expected: the mark or the rest of the line."""
        found = _NEXT.match(self.text, self.at, self.end)
        if found is not None and found["mark"]:
            return Span(*found.span("mark"))
        left = self.text[self.at : self.end]
        start = self.at + len(left) - len(left.lstrip())
        line_end = self.text.find("\n", start, self.end)
        return Span(start, self.end if line_end < 0 else line_end)

    def rest(self, message: str = "the path is at its end here", *hints: str) -> NoReturn:
        """Complain of what comes next."""
        self.fail(message, self.place(), *(hints or ("one text is one path", _EXAMPLE)))

    def fail(self, message: str, span: Span, *hints: str, code: str = "syntax") -> NoReturn:
        raise CompileError([Diagnostic(code, message, span, self.source, hints)])


def _check_kinds(tree: PathTree, source: Source) -> None:
    """Raises CompileError where a variable is a node and a relation."""
    at_nodes = {node.name for node in tree.nodes if isinstance(node, Variable) and node.name is not None}
    for hop in tree.hops:
        relation = hop.relation
        if isinstance(relation, Variable) and relation.name in at_nodes:
            message = f"?{relation.name} is a node of this path, and cannot be a relation too"
            raise CompileError([Diagnostic("syntax", message, relation.span, source, ("name one of the two apart",))])
