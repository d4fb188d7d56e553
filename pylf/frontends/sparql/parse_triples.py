"""Reading triples: nodes, lists of relations and objects, bracketed blank nodes, lists, and property paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.sparql.parse_expressions import Expressions
from pylf.frontends.sparql.parse_terms import RDF_FIRST, RDF_NIL, RDF_REST, RDF_TYPE
from pylf.frontends.sparql.scanner import MAX_DEPTH
from pylf.frontends.sparql.syntax import Alternative, At, Except, Inverse, Repeated, Sequence, Triple
from pylf.ir.terms import Iri

if TYPE_CHECKING:
    from pylf.frontends.sparql.syntax import Path

_NODES = {"VAR", "IRI", "PNAME", "BLANK", "STRING", "NUMBER", "[", "(", "+", "-"}
_TIMES: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_NODE = "a variable, a name or a value"
_OBJECT = "an object (a variable, a name or a value)"
_RELATION = "a relation (a name, a variable or a path)"


class Triples(Expressions):
    """A reader of triples."""

    def at_node(self) -> bool:
        """Whether a node may begin here."""
        return self.kind in _NODES or self.word in {"TRUE", "FALSE"}

    def triples(self, out: list[Triple]) -> None:
        """The triples of one subject, without the dot after them."""
        bare = self.kind not in {"[", "("}
        subject = self._node(out, "a pattern or '}'")
        if bare or self._at_relation() or not out:
            self._properties(subject, out)

    def _at_relation(self) -> bool:
        return self.kind in {"VAR", "IRI", "PNAME", "^", "!", "("} or (self.kind == "WORD" and self.found == "a")

    def _properties(self, subject: At, out: list[Triple]) -> None:
        """``relation object, object; relation object``: in the order in which they are written, what a bracketed
        object says after the triple that it stands in."""
        while True:
            path: Path = self.variable(_RELATION) if self.kind == "VAR" else self.path()
            while True:
                within: list[Triple] = []
                found = self._node(within, _OBJECT)
                out.append(Triple(subject, path, found, self.since(subject.span.start)))
                out += within
                if not self.accept(","):
                    break
            if self.kind != ";":
                return
            while self.accept(";"):
                pass
            if not self._at_relation():
                return

    def _node(self, out: list[Triple], expected: str) -> At:
        """A subject or an object; what its brackets say is put out."""
        match self.kind:
            case "VAR":
                return self.variable(expected)
            case "BLANK":
                return self.blank()
            case "[":
                return self._described(out)
            case "(":
                return self._list(out, expected)
        constant = self.constant()
        if constant is None:
            raise self.unexpected(expected)
        return constant

    def _described(self, out: list[Triple]) -> At:
        """``[]``, ``[ relation object; … ]``."""
        start = self.start
        self.open("[", "'['")
        node = self.fresh(start, start + 1)
        if self.kind != "]":
            self._properties(node, out)
        self.close("]", "';' or ']'")
        return At(node.term, self.since(start))

    def _list(self, out: list[Triple], expected: str) -> At:
        """``(a b c)``: rdf:first and rdf:rest."""
        start = self.start
        self.open("(", expected)
        head: At | None = None
        last: At | None = None
        while self.kind != ")":
            place = self.start
            link = self.fresh(place, place)
            if last is not None:
                out.append(Triple(last, At(RDF_REST, last.span), link, last.span))
            within: list[Triple] = []
            item = self._node(within, "an item of the list or ')'")
            out.append(Triple(link, At(RDF_FIRST, item.span), item, item.span))
            out += within
            head, last = head or link, link
        self.close(")", "')'")
        span = self.since(start)
        if head is None or last is None:
            return At(RDF_NIL, span)
        out.append(Triple(last, At(RDF_REST, span), At(RDF_NIL, span), span))
        return At(head.term, span)

    # --- paths ----------------------------------------------------------------------------------------------------

    def path(self) -> Path:
        """A property path: alternatives of sequences."""
        start = self.start
        first = self._sequence()
        if self.kind != "|":
            return first
        parts: list[Path] = []
        self._extend(parts, first, Alternative)
        highest = self.height
        while self.accept("|"):
            self._extend(parts, self._sequence(), Alternative)
            highest = max(highest, self.height)
        self._higher(highest)
        return Alternative(tuple(parts), self.since(start))

    def _sequence(self) -> Path:
        start = self.start
        first = self._step()
        if self.kind != "/":
            return first
        parts: list[Path] = []
        self._extend(parts, first, Sequence)
        highest = self.height
        while self.accept("/"):
            self._extend(parts, self._step(), Sequence)
            highest = max(highest, self.height)
        self._higher(highest)
        return Sequence(tuple(parts), self.since(start))

    def _higher(self, below: int) -> None:
        """What was read is one higher than what it holds."""
        self.height = below + 1
        if self.height > MAX_DEPTH:
            raise self.too_deep()

    def _extend(self, parts: list[Path], part: Path, kind: type[Alternative | Sequence]) -> None:
        """Add a part; the parts of a bracketed one of the same kind are parts too."""
        if isinstance(part, Alternative | Sequence) and isinstance(part, kind):
            parts += part.parts
        else:
            parts.append(part)

    def _step(self) -> Path:
        """One step, perhaps against its direction, perhaps repeated."""
        start = self.start
        inverse = self.accept("^")
        step = self.start
        path: Path
        self.height = 1
        match self.kind:
            case "(":
                self.open("(", _RELATION)
                path = self.path()
                self.close(")", "'/', '|' or ')'")
            case "!":
                path = self._negated()
            case "VAR":
                hint = "what stands in a path are names; for a variable write a triple of its own"
                raise self.fault("syntax", "a variable cannot be part of a path", hint)
            case _:
                path = self._relation(_RELATION)
        times = _TIMES.get(self.kind)
        if times is not None:
            self.advance()
            self._higher(self.height)
            path = Repeated(path, *times, self.since(step))
        elif self.kind == "{":
            hint = "write the steps out: p/p/p? for two or three"
            raise self.fault("syntax", "SPARQL has no numbers of steps in paths", hint)
        if not inverse:
            return path
        self._higher(self.height)
        return Inverse(path, self.since(start))

    def _relation(self, expected: str) -> At:
        if self.kind == "WORD" and self.found == "a":
            at = At(RDF_TYPE, self.span)
            self.advance()
            return at
        return self.iri(expected)

    def _negated(self) -> Except:
        """``!p``, ``!^p``, ``!(p | ^q)``."""
        start = self.start
        self.advance()
        forward: list[Iri] = []
        backward: list[Iri] = []
        if self.kind != "(":
            self._one_negated(forward, backward)
            return Except(tuple(forward), tuple(backward), self.since(start))
        self.open("(", "a relation or '('")
        if self.kind != ")":
            self._one_negated(forward, backward)
            while self.accept("|"):
                self._one_negated(forward, backward)
        self.close(")", "'|' or ')'")
        return Except(tuple(forward), tuple(backward), self.since(start))

    def _one_negated(self, forward: list[Iri], backward: list[Iri]) -> None:
        into = backward if self.accept("^") else forward
        term = self._relation("a relation").term
        assert isinstance(term, Iri)
        into.append(term)
