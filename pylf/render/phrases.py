"""The pieces of an English question: sets as noun phrases, and the clauses that their members fulfil.

A set inside another one stands between brackets, unless it has one clause and ends the sentence; then each clause
belongs to the noun before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pylf.render.words import article, plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: how a clause begins: ``that is …``, ``whose … is …``, ``, except …``; "or" has its own beginnings inside
Lead = Literal["that", "whose", "except", "or"]
THING = ("thing",)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause. ``words(many, last)`` gives it without its lead, for one or for ``many``; ``last`` where the sentence
    ends with it. ``nested`` where it holds a set with clauses of its own: such clauses come last."""

    lead: Lead
    words: Callable[[bool, bool], str]
    nested: bool = False

    def said(self, many: bool, last: bool) -> str:
        """The clause with its lead."""
        words = self.words(many, last)
        return words if self.lead in ("or", "except") else f"{self.lead} {words}"


def fixed(lead: Lead, words: str) -> Clause:
    """A clause whose words never change."""
    return Clause(lead, lambda _many, _last: words)


def being(rest: str) -> Clause:
    """``that is …``, ``that are …``."""
    return Clause("that", lambda many, _last: f"{'are' if many else 'is'} {rest}")


@dataclass(slots=True)
class Phrase:
    """A set in words.

    ``nouns`` are what its clauses imply that its members are, each a union of words; ``classes`` are what a program
    asks that they are; ``names`` are its members, where it lists entities or values and nothing more.
    """

    nouns: list[tuple[str, ...]] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)
    names: tuple[str, ...] = ()

    @property
    def heads(self) -> tuple[str, ...]:
        """The nouns that the phrase begins with."""
        if self.classes:
            return (self.classes[0],)
        return next((noun for noun in self.nouns if noun != THING), THING)

    def all_clauses(self) -> list[Clause]:
        """Every clause of the phrase, simple ones first; also that its members are of its classes."""
        return _ordered([*map(_of_class, self.classes), *self.clauses])

    def one(self, last: bool, determiner: str = "a") -> str:
        """A member: ``‘Boeing Company’``, ``a rocket that …``, ``no (rocket that … and that …)``."""
        if self.names:
            return self.names[0] if len(self.names) == 1 else f"one of {', '.join(self.names)}"
        return self._determined(" or ".join(self.heads), False, last, determiner)

    def several(self, last: bool, determiner: str = "all") -> str:
        """The members: ``all rockets that …``."""
        if self.names:
            return self.one(last)
        return self._determined(" or ".join(map(plural, self.heads)), True, last, determiner)

    def _determined(self, head: str, many: bool, last: bool, determiner: str) -> str:
        rest = self.rest(many, last)
        bracket = bool(rest) and not (last and self.simple)
        whole = f"({head}{rest})" if bracket else f"{head}{rest}"
        if determiner == "a":
            determiner = article(head).split(" ")[0]
        return f"{determiner} {whole}" if determiner else whole

    def rest(self, many: bool, last: bool) -> str:
        """What follows the noun: a remark, and the clauses."""
        remark = " (typed as such)" if self.classes and (self.classes[0],) in self.nouns else ""
        others = _ordered([*map(_of_class, self.classes[1:]), *self.clauses])
        return remark + joined(others, many, last)

    @property
    def simple(self) -> bool:
        """Whether the phrase may end a sentence without brackets: it has one clause, to be read in one way."""
        return len(self.clauses) + len(self.classes[1:]) <= 1 and all(c.lead in ("that", "whose") for c in self.clauses)


def joined(clauses: Sequence[Clause], many: bool, last: bool) -> str:
    """Clauses one after another, those that begin with ``except`` at the end; with a space or comma in front."""
    plain = [c for c in clauses if c.lead != "except"]
    exceptions = [c for c in clauses if c.lead == "except"]
    said = [c.said(many, last and not exceptions and c is plain[-1]) for c in plain]
    if len(clauses) > 1:
        said = [f"({words})" if c.lead == "or" else words for c, words in zip(plain, said, strict=True)]
    text = " " + " and ".join(said) if said else ""
    return text + "".join(f", except {c.words(True, last and c is exceptions[-1])}" for c in exceptions)


def either(arms: Sequence[Phrase]) -> Clause:
    """The clause of a union: ``whose … or that …``."""
    if all(arm.names for arm in arms):
        names = [name for arm in arms for name in arm.names]
        return being(" or ".join(names) if len(names) > 1 else names[0])

    def words(many: bool, _last: bool) -> str:
        told = []
        for arm in arms:
            clauses = arm.all_clauses() or [being(" or ".join(arm.names))]
            said = joined(clauses, many, False).strip()
            told.append(f"({said})" if len(clauses) > 1 else said)
        return " or ".join(told)

    return Clause("or", words)


def excepted(phrase: Phrase) -> Clause:
    """The clause of a difference: ``, except those whose …``."""

    def words(_many: bool, last: bool) -> str:
        if phrase.names:
            return " and ".join(phrase.names)
        if not phrase.clauses:
            return phrase.several(last)
        clauses = phrase.all_clauses()
        bare = last and phrase.simple and len(clauses) == 1
        said = joined(clauses, True, bare).strip()
        return f"those {said}" if bare else f"(those {said})"

    return Clause("except", words, True)


def _of_class(name: str) -> Clause:
    return Clause("that", lambda many, _last: f"are {plural(name)}" if many else f"is {article(name)}")


def _ordered(clauses: list[Clause]) -> list[Clause]:
    return sorted(clauses, key=lambda c: (c.lead == "except", c.nested))
