"""Terms: what stands in an atom, a graph or an answer.

``Var``, ``Iri`` and ``Literal`` may stand in a query; ``Blank`` only in graphs and answers. Each hashes by its one
string, which is cheaper than by all fields: terms are the keys of every index.
"""

from __future__ import annotations

from pylf.records import record

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"

XSD_STRING = XSD + "string"
XSD_BOOLEAN = XSD + "boolean"
XSD_INTEGER = XSD + "integer"
XSD_DECIMAL = XSD + "decimal"
XSD_DOUBLE = XSD + "double"
#: The names that XML Schema gives a datatype (XSD 1.1, part 2).
XSD_NAMES = frozenset(
    (
        *("string", "boolean", "decimal", "float", "double", "duration", "dateTime", "time", "date", "gYearMonth"),
        *("gYear", "gMonthDay", "gDay", "gMonth", "hexBinary", "base64Binary", "anyURI", "QName", "NOTATION"),
        *("normalizedString", "token", "language", "NMTOKEN", "Name", "NCName", "ID", "IDREF", "ENTITY", "integer"),
        *("nonPositiveInteger", "negativeInteger", "long", "int", "short", "byte", "nonNegativeInteger"),
        *("unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte", "positiveInteger", "yearMonthDuration"),
        *("dayTimeDuration", "dateTimeStamp", "anySimpleType", "anyAtomicType", "NMTOKENS", "IDREFS", "ENTITIES"),
    )
)
RDF_LANG_STRING = RDF + "langString"

#: Characters that an IRI may not hold (RFC 3987, as SPARQL's IRIREF reads it).
ILLEGAL_IN_IRI = frozenset('<>"{}|^`\\') | frozenset(map(chr, range(0x21)))


@record
class Var:
    """A variable, named without its question mark: ``[A-Za-z][A-Za-z0-9_]*``."""

    name: str

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return f"?{self.name}"


@record
class Iri:
    """A full IRI, without angle brackets."""

    value: str

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        return f"<{self.value}>"


@record
class Literal:
    """A literal as written: lexical form, datatype IRI, and language tag (then ``rdf:langString``)."""

    lexical: str
    datatype: str = XSD_STRING
    language: str | None = None

    def __hash__(self) -> int:
        return hash(self.lexical)

    def __str__(self) -> str:
        quoted = '"' + self.lexical.translate(ESCAPES) + '"'
        if self.language is not None:
            return f"{quoted}@{self.language}"
        return quoted if self.datatype == XSD_STRING else f"{quoted}^^<{self.datatype}>"


@record
class Blank:
    """A blank node of a graph, by the label that its store gives it."""

    label: str

    def __hash__(self) -> int:
        return hash(self.label)

    def __str__(self) -> str:
        return f"_:{self.label}"


Term = Var | Iri | Literal
Constant = Iri | Literal
#: What a graph holds and an answer is.
Node = Iri | Literal | Blank

#: How a string is written between double quotes, by code point (SPARQL's ECHAR).
ESCAPES = {
    ord('"'): '\\"',
    ord("\\"): "\\\\",
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
    ord("\b"): "\\b",
    ord("\f"): "\\f",
}


def tagged(lexical: str, language: str) -> Literal:
    """A language-tagged string; tags are lower-cased (RDF 1.1 compares them without case)."""
    return Literal(lexical, RDF_LANG_STRING, language.lower())
