"""How findings of the check speak of a question: in the words of the form that it was written in."""

from __future__ import annotations

_INVERSE = "R_"

#: how dates are written, whichever form it is
DATES = "dates are written 1990, 1990-07, 1990-07-31 or 1990-07-31T12:00:00"


class Wording:
    """PyLF's words. Another form has its own: a subclass, which its programs carry."""

    superlative = "ARG"
    comparison = "CMP"
    time_constraint = "TC"
    difference = "MINUS"
    #: one entity, by its IRI
    entity = "START('<IRI>')"
    path = "['first', 'second']"
    now = "'NOW'"

    def relation(self, name: str, inverse: bool) -> str:
        """A relation as the text has it, in quotes."""
        return repr(f"{_INVERSE}{name}" if inverse else name)

    def join(self, name: str, inverse: bool, of: str = "…") -> str:
        """What is in a relation to the members of a set."""
        return f"JOIN({self.relation(name, inverse)}, {of})"

    def closure(self, relation: str) -> str:
        """One or more steps, or none or more, of a relation that is in quotes already."""
        return f"CLOSURE({relation})"

    def beside(self, negated: str | None) -> str:
        """Something positive beside what cannot be listed: beside a negation along a relation (``R_`` included), or
        beside another set."""
        return "AND(…, …)" if negated is None else f"AND(…, JOIN({negated!r}, …, neg=True))"

    def labelled(self, written: str) -> str:
        """How the entities with a label are asked for."""
        return f"the entities so labelled are START({written!r}, kind='entity')"

    def instead_of(self, label: str) -> tuple[str, ...]:
        """What may have been meant by a label that nothing bears."""
        return ()

    def in_full(self, iri: str) -> str:
        """How the IRI of a relation or a class is written in its name's place."""
        return f"'<{iri}>'"

    def times(self) -> str:
        """How the time of a time constraint is written."""
        return f"{DATES}, or {self.now}"


PYLF = Wording()
