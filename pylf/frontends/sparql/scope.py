"""What the lowering of SPARQL works on: names of variables, the scopes in which they are seen, and what a pattern comes
to."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NoReturn

from pylf.errors import CompileError, Diagnostic
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.errors import Source, Span
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct


class Names:
    """Names for the IR's variables, each given once."""

    def __init__(self) -> None:
        self.used: set[str] = set()

    def fresh(self, hint: str) -> Var:
        """A new variable, named like the one of the text."""
        plain = unicodedata.normalize("NFKD", hint)
        stem = re.sub(r"[^A-Za-z0-9_]+", "", plain).strip("_") or "node"
        if not stem[0].isalpha():
            stem = "v" + stem
        name, number = stem, 1
        while name in self.used:
            number += 1
            name = f"{stem}_{number}"
        self.used.add(name)
        return Var(name)


class Scope:
    """The names of the variables of a SELECT, or of a part of one that has some of its own.

    ``known``: the variables that have a name, by their keys. ``given``: the keys of those that have values before
    anything here is looked at, as in EXISTS. ``bag``: solutions are counted, so that none may be merged or split.
    ``facts``: what holds of the variables that are given. ``loose``: further variables that are given, by their keys,
    which may have no value; expressions alone look at them. ``asked``: the keys of those that an EXISTS around gives,
    though a SELECT stands between which sees nothing of them here.
    """

    def __init__(
        self,
        names: Names,
        known: dict[str, Var],
        given: frozenset[str] = frozenset(),
        bag: bool = False,
        facts: tuple[Conjunct, ...] = (),
        loose: dict[str, Var] | None = None,
        asked: frozenset[str] = frozenset(),
    ) -> None:
        self.names = names
        self.known = known
        self.given = given
        self.bag = bag
        self.facts = facts
        self.loose = {} if loose is None else loose
        self.asked = asked | given

    def var(self, key: str) -> Var:
        """The variable of a key."""
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.names.fresh("node" if key.startswith("_:") else key)
        return found

    def hidden(self, hint: str = "node") -> Var:
        """A variable that the text does not have."""
        return self.names.fresh(hint)

    def counting(self, bag: bool) -> Scope:
        """This scope, its solutions counted or not."""
        return Scope(self.names, self.known, self.given, bag, self.facts, self.loose, self.asked)

    def within(self, shared: Iterable[str], *, bag: bool | None = None) -> Scope:
        """A scope inside, which shares variables with this one; the others are its own, whatever their names."""
        known = {key: self.var(key) for key in (*shared, *self.given)}
        bag = self.bag if bag is None else bag
        return Scope(self.names, known, self.given, bag, self.facts, self.loose, self.asked)

    def exists(self, given: dict[str, Var], loose: dict[str, Var], facts: tuple[Conjunct, ...]) -> Scope:
        """The scope of an EXISTS, in which variables of this one have values and no solution counts twice."""
        return Scope(self.names, given | loose, frozenset(given), False, facts, loose, self.asked)

    def selected(self, keys: Iterable[str]) -> Scope:
        """The scope of a SELECT inside that keeps all solutions and gives this one its columns, of which alone it
        sees what is given."""
        known = {key: self.var(key) for key in keys}
        loose = {key: variable for key, variable in self.loose.items() if key in known}
        asked = self.asked.intersection(known)
        return Scope(self.names, known, self.given.intersection(known), self.bag, self.facts, loose, asked)

    def closed(self, keys: Iterable[str], *, bag: bool) -> Scope:
        """The scope of a SELECT inside that sees nothing of this one and gives it its columns."""
        known = {key: self.var(key) for key in keys}
        return Scope(self.names, known, bag=bag, asked=self.asked.intersection(known))


class Part:
    """What a pattern comes to: conjuncts, and the variables that they bind, by key.

    ``certain`` are bound in every solution. ``open`` may have no value. ``computed`` are those of the open ones that
    have an expression each, which can be put in their place. ``partial`` are bound by some arms of a union alone.
    """

    def __init__(self) -> None:
        self.conjuncts: list[Conjunct] = []
        self.certain: dict[str, Var] = {}
        self.open: dict[str, Var] = {}
        self.computed: dict[str, Expression] = {}
        self.partial: dict[str, Span] = {}

    def visible(self, key: str) -> Var | None:
        """The variable of a key that is bound here, certain or open."""
        return self.certain.get(key) or self.open.get(key)


class Reporter:
    """Where findings go."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.warnings: list[Diagnostic] = []

    def refuse(self, code: str, message: str, span: Span | None, *hints: str) -> NoReturn:
        """End the lowering here.

        Raises:
            CompileError: always.
        """
        raise CompileError((Diagnostic(code, message, span, self.source, hints),))

    def warn(self, code: str, message: str, span: Span | None, *hints: str) -> None:
        """Tell what the text says and the query does not, or what had to be chosen; once each."""
        found = Diagnostic(code, message, span, self.source, hints, "warning")
        if found not in self.warnings:
            self.warnings.append(found)
