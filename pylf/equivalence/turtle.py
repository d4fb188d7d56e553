"""A small graph, and answers on it, with short names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.equivalence.material import EXAMPLE
from pylf.ir.nodes import Form
from pylf.ir.terms import ESCAPES, RDF, RDFS, XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_INTEGER, XSD_STRING, Iri, Literal
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

_STANDARD = {"rdf": RDF, "rdfs": RDFS, "xsd": XSD, "ex": EXAMPLE}
#: local names that need no escapes in Turtle
_LOCAL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")
#: literals that Turtle writes without quotes
_BARE = {
    XSD_INTEGER: re.compile(r"[+-]?[0-9]+"),
    XSD_DECIMAL: re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    XSD_BOOLEAN: re.compile("true|false"),
}


@record
class Names:
    """Short names: prefix and namespace, the longest namespace first."""

    prefixes: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Names:
        """Those of a vocabulary, and the standard ones where it uses their prefixes for nothing else."""
        known = {**_STANDARD, **vocabulary.prefixes}
        return cls(tuple(sorted(known.items(), key=lambda pair: (-len(pair[1]), pair[0]))))

    def iri(self, iri: str) -> str:
        """An IRI, short where that can be."""
        for prefix, namespace in self.prefixes:
            if iri.startswith(namespace) and _LOCAL.fullmatch(iri[len(namespace) :]):
                return f"{prefix}:{iri[len(namespace) :]}"
        return f"<{iri}>"

    def node(self, node: Node) -> str:
        """A node, as Turtle writes it."""
        match node:
            case Iri(iri):
                return self.iri(iri)
            case Literal(lexical, datatype) if datatype in _BARE and _BARE[datatype].fullmatch(lexical):
                return lexical
            case Literal(lexical, datatype, None) if datatype != XSD_STRING:
                return f'"{lexical.translate(ESCAPES)}"^^{self.iri(datatype)}'
            case _:
                return str(node)

    def turtle(self, triples: Iterable[TripleRow]) -> str:
        """Triples in their order, one a line, below the prefixes that they use. Reads back to them."""
        lines = []
        for subject, predicate, object_ in triples:
            verb = "a" if predicate == Iri(RDF + "type") else self.node(predicate)
            lines.append((self.node(subject), verb, self.node(object_)))
        heads = {word.rpartition("^^")[2].partition(":")[0] for line in lines for word in line if ":" in word}
        used = [f"@prefix {p}: <{ns}> ." for p, ns in sorted(self.prefixes) if p in heads]
        return "\n".join((*used, *(" ".join((*line, ".")) for line in lines)))

    def answers(self, answers: Answers | None) -> str:
        """An answer in one line."""
        if answers is None:
            return "no number: what has to hold beside its count does not"
        match answers.form:
            case Form.NUMBER:
                return str(answers.number)
            case Form.BOOLEAN:
                return "yes" if answers.boolean else "no"
            case Form.SET:
                return ", ".join(map(self.node, answers.values)) or "nothing"
            case _:
                rows = (" ".join("–" if n is None else self.node(n) for n in row) for row in answers.rows)
                return ", ".join(f"({row})" for row in rows) or "nothing"
