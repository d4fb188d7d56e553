"""Reading names, literals and blank nodes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.frontends.sparql.prefixes import FREEBASE, WELL_KNOWN
from pylf.frontends.sparql.scanner import Scanner, is_token
from pylf.frontends.sparql.syntax import At
from pylf.ir.terms import (
    ILLEGAL_IN_IRI,
    RDF,
    XSD,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_NAMES,
    Blank,
    Iri,
    Literal,
    Var,
    tagged,
)
from pylf.language.hints import nearest, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.errors import Source, Span

_CODE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_SIMPLE = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
#: The rest of a Freebase name whose parts are set apart by slashes, which are no paths: no prefix follows them.
_SLASHES = re.compile(r"(?:/[A-Za-z0-9][A-Za-z0-9_]*+(?![A-Za-z0-9_.\-]*:))++")
_XSD_CASE = {name.lower(): name for name in XSD_NAMES}

RDF_TYPE, RDF_FIRST, RDF_REST, RDF_NIL = Iri(RDF + "type"), Iri(RDF + "first"), Iri(RDF + "rest"), Iri(RDF + "nil")


class Terms(Scanner):
    """A scanner that knows the prefixes in force. ``given`` are those that need no declaration, by name."""

    def __init__(self, source: Source, start: int, given: Mapping[str, str]) -> None:
        self.given = given
        self.prefixes: dict[str, str] = {}
        self.base: str | None = None
        #: The pattern that a blank node's label stands in: it may stand in one alone.
        self.labels: dict[str, int] = {}
        self.pattern = self._patterns = 0
        self._fresh = 0
        self._labels_written: frozenset[str] | None = None
        self._variables: frozenset[str] | None = None
        self._handed_out: dict[str, int] = {}
        super().__init__(source, start)

    # --- names ----------------------------------------------------------------------------------------------------

    def variable(self, expected: str) -> At:
        """A variable."""
        if self.kind != "VAR":
            raise self.unexpected(expected)
        name = self._decoded(self.text[self.start + 1 : self.end])
        if "\\" in self.found and not is_token("VAR", f"?{name}"):
            raise self.fault("syntax", f"{shown(name)} is no name of a variable, not even in codes")
        at = At(Var(name), self.span)
        self.advance()
        return at

    def iri(self, expected: str) -> At:
        """An IRI, in full or by its prefix."""
        start = self.start
        if self.kind == "PNAME":
            value = self._prefixed()
        elif self.kind == "IRI":
            value = self.full_iri()
        else:
            raise self.unexpected(expected)
        return At(Iri(value), self.since(start))

    def full_iri(self) -> str:
        """An IRI between ``<`` and ``>``, which is next."""
        written = self.text[self.start + 1 : self.end - 1]
        value = self._decoded(written)
        if value is not written:
            illegal = ILLEGAL_IN_IRI.intersection(value)
            if illegal:
                raise self.fault("syntax", f"an IRI cannot hold {shown(min(illegal))}, not even as a code")
        if not _SCHEME.match(value):
            if self.base is None:
                hint = "write it in full, from its http:// on, or begin the query with BASE <http://…>"
                raise self.fault("relative-iri", f"nothing says what {shown(value)} is relative to", hint)
            from pylf.frontends.sparql.relative import resolve

            value = resolve(value, self.base)
        self.advance()
        return value

    def _prefixed(self) -> str:
        start, end = self.start, self.end
        written = self.text[start:end]
        prefix, _, local = written.partition(":")
        if "\\" in written:
            prefix = self._decoded(prefix)
            local = _ESCAPE.sub(self._plain, local)
            illegal = ILLEGAL_IN_IRI.intersection(local)
            if illegal:
                raise self.fault("syntax", f"an IRI cannot hold {shown(min(illegal))}, not even as a code")
        value = self.namespace(prefix) + local
        if value.startswith(FREEBASE) and (slashes := _SLASHES.match(self.text, end)):
            self.end = slashes.end()
            dotted = (value.removeprefix(FREEBASE) + slashes[0]).replace("/", ".").lstrip(".")
            value = FREEBASE + dotted
            message = f"{shown(self.found)} is a name of Freebase with slashes, read with dots"
            self.note(message, f"write {prefix}:{dotted}", self.span)
        self.advance()
        return value

    def namespace(self, prefix: str) -> str:
        """What a prefix stands for, at the next token."""
        known = self.prefixes.get(prefix)
        if known is not None:
            return known
        known = self.given.get(prefix)
        if known is None:
            known = WELL_KNOWN.get(prefix)
            span = self.span
            if known is None:
                names = [*self.prefixes, *self.given, *WELL_KNOWN]
                hint = f"declare it before the query: PREFIX {prefix}: <http://…>"
                message = f"the prefix {shown(prefix + ':')} is not declared"
                raise self.fault("unknown-prefix", message, *nearest(prefix, names), hint, name=prefix)
            message = f"the prefix {prefix}: is not declared; it is taken for <{known}>"
            self.note(message, f"begin the query with PREFIX {prefix}: <{known}>", span)
        self.prefixes[prefix] = known
        return known

    def datatype(self, iri: At) -> str:
        """An IRI that may be a datatype's, one of XML Schema's put into its own case."""
        assert isinstance(iri.term, Iri)
        value = iri.term.value
        if not value.startswith(XSD) or (local := value.removeprefix(XSD)) in XSD_NAMES:
            return value
        right = _XSD_CASE.get(local.lower())
        if right is None:
            return value
        message = f"XML Schema has no datatype {shown(local)}; it is taken for {right}"
        self.note(message, f"write xsd:{right}", iri.span)
        return XSD + right

    # --- literals -------------------------------------------------------------------------------------------------

    def string(self, expected: str) -> str:
        """A string in any quotes."""
        if self.kind != "STRING":
            raise self.unexpected(expected)
        written = self.found
        width = 3 if written.startswith(('"""', "'''")) else 1
        content = written[width:-width]
        if "\\" in content:
            content = _ESCAPE.sub(self._character, content)
        self.advance()
        return content

    def literal(self) -> At:
        """A string, with its datatype or its language: ``"x"``, ``"x"@en``, ``"1" ^^ xsd:integer``."""
        start = self.start
        content = self.string("a string")
        literal = Literal(content)
        if self.kind == "LANG":
            literal = tagged(content, self.found[1:])
            self.advance()
        elif self.accept("^^"):
            literal = Literal(content, self.datatype(self.iri("a datatype, as in ^^xsd:date,")))
        return At(literal, self.since(start))

    def number(self, sign: str = "", start: int | None = None) -> At:
        """A number, which is next, after its sign."""
        written = self.found
        datatype = XSD_INTEGER
        if not written.isdigit():
            datatype = XSD_DOUBLE if "e" in written or "E" in written else XSD_DECIMAL
        begin = self.start if start is None else start
        self.advance()
        return At(Literal(sign + written, datatype), self.since(begin))

    def signed(self) -> At | None:
        """A number after ``+`` or ``-`` that touches it, where that is next."""
        sign, start = self.kind, self.start
        if sign not in {"+", "-"} or self.peek()[0] != "NUMBER":
            return None
        after = self.end
        self.advance()
        if self.start != after:
            hint = f"write {sign}{self.found}"
            self.note("a blank stands between a number and its sign", hint, self.span)
        return self.number(sign, start)

    def constant(self) -> At | None:
        """An IRI or a literal, where one is next."""
        match self.kind:
            case "IRI" | "PNAME":
                return self.iri("an IRI")
            case "STRING":
                return self.literal()
            case "NUMBER":
                return self.number()
            case "+" | "-":
                return self.signed()
            case "WORD" if self.word in {"TRUE", "FALSE"}:
                at = At(Literal(self.word.lower(), XSD_BOOLEAN), self.span)
                self.advance()
                return at
        return None

    def unused(self, stem: str) -> Var:
        """A variable that the text does not have and that was not handed out before, called ``stem`` if that can be."""
        if self._variables is None:
            self._variables = frozenset(re.findall(r"[?$](\w+)", self.text))

        while True:
            number = self._handed_out[stem] = self._handed_out.get(stem, 0) + 1
            name = stem if number == 1 else f"{stem}_{number}"
            if name not in self._variables:
                return Var(name)

    # --- blank nodes ----------------------------------------------------------------------------------------------

    def blank(self) -> At:
        """A blank node's label, which is next."""
        label = self.text[self.start + 2 : self.end]
        at = At(Blank(label), self.span)
        if self.labels.setdefault(label, self.pattern) != self.pattern:
            hint = f"write a variable for it, as ?{re.sub('[^A-Za-z0-9_]', '_', label)}"
            message = f"the blank node _:{label} stands in two patterns, each of which would mean another node"
            raise self.fault("syntax", message, hint)
        self.advance()
        return at

    def new_pattern(self) -> None:
        """What follows is another basic graph pattern."""
        self._patterns += 1
        self.pattern = self._patterns

    def fresh(self, start: int, end: int) -> At:
        """A blank node that the text does not name."""
        if self._labels_written is None:
            self._labels_written = frozenset(re.findall(r"_:([\w.\-]+)", self.text))
        while True:
            self._fresh += 1
            label = f"b{self._fresh}"
            if label not in self._labels_written:
                return At(Blank(label), type(self.span)(start, end))

    # --- escapes --------------------------------------------------------------------------------------------------

    def _decoded(self, written: str) -> str:
        return written if "\\" not in written else _CODE.sub(self._code, written)

    def _code(self, match: re.Match[str]) -> str:
        code = int(match[1] or match[2], 16)
        if not code or code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise self.fault("syntax", f"{match[0]} is not a character", "write the character itself")
        return chr(code)

    def _plain(self, match: re.Match[str]) -> str:
        """What an escape in a prefixed name stands for: the sign itself."""
        return match[3] if match[3] is not None else self._code(match)

    def _character(self, match: re.Match[str]) -> str:
        """What an escape in a string stands for."""
        if match[3] is None:
            return self._code(match)
        simple = _SIMPLE.get(match[3])
        if simple is None:
            hint = f"for a backslash write two: \\\\{match[3]}"
            span = self._within(match)
            raise self.fault("syntax", f"{match[0]} is no escape of SPARQL", hint, span=span)
        return simple

    def _within(self, match: re.Match[str]) -> Span:
        width = 3 if self.found.startswith(('"""', "'''")) else 1
        begin = self.start + width
        return type(self.span)(begin + match.start(), begin + match.end())
