"""Random graphs for a SPARQL text, made of its own patterns.

Everything is read from the syntax tree: nothing here knows the IR. Each variable has a small pool of nodes; each of
several instances of the whole text gives every variable one of its pool and states most of the triples that its
patterns ask for, those within EXISTS, MINUS, OPTIONAL and SELECT among them, some with another node in a place. Values
that filters look at lie at and beside the constants that they are compared with.
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from pylf.frontends.sparql import syntax
from pylf.ir.dates import DATE_DATATYPES, XSD_DATETIME
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Kind
from pylf.ir.schema.typing import range_type
from pylf.ir.terms import XSD, XSD_INTEGER, XSD_STRING, Blank, Iri, Literal, Var, tagged
from pylf.ir.types import EntityType
from pylf.ir.values import NUMERIC_DATATYPES
from pylf.language.constants import kind_of_relation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Node

    Triple = tuple[Node, Iri, Node]

XSD_DECIMAL = XSD + "decimal"
_ORDERED = frozenset(("<", ">", "<=", ">=", "=", "!=", "in"))
_ARITHMETIC = frozenset(("+", "-", "*", "/", "abs", "round", "ceil", "floor", "negative"))
_DATE_PARTS = frozenset(("year", "month", "day"))
_DATE_WORDS = _DATE_PARTS | {"datetime", "date"}
_NUMBER_WORDS = _ORDERED | _ARITHMETIC | {"order", "float", "integer", "double", "decimal"}
_TEXTS = frozenset(("regex", "contains", "strstarts", "strends", "langmatches", "lang", "str", "strlen", "lcase"))


def walk(node: object) -> Iterator[object]:
    """Every record and constant in a tree, each before what is in it."""
    todo = [node]
    while todo:
        at = todo.pop()
        yield at
        if isinstance(at, tuple) and not hasattr(at, "_fields"):
            todo.extend(reversed(at))
        elif type(at).__module__ == syntax.__name__:
            slots = [name for name in getattr(type(at), "__slots__", ()) if name not in ("span", "source")]
            todo.extend(reversed([getattr(at, name) for name in slots]))


# --- pools --------------------------------------------------------------------------------------------------------


class Clues(NamedTuple):
    """What the expressions of a text say of a variable."""

    constants: list[Node]
    functions: set[str]


def _clues(text: syntax.Text) -> dict[str, Clues]:
    clues: dict[str, Clues] = {}

    def of(name: str) -> Clues:
        return clues.setdefault(name, Clues([], set()))

    for node in walk(text.query):
        match node:
            case syntax.Call("if", (condition, *_)):
                for variable in walk(condition):
                    if isinstance(variable, Var):
                        of(variable.name).functions.add("if")
            case syntax.Call(function, arguments):
                name = function if isinstance(function, str) else function.value.lower()
                constants = [
                    a.term for a in arguments if isinstance(a, syntax.At) and isinstance(a.term, Iri | Literal)
                ]
                constants += [
                    b.arguments[0].term
                    for b in arguments
                    if isinstance(b, syntax.Call) and isinstance(b.arguments[:1], tuple) and b.arguments
                    if isinstance(b.arguments[0], syntax.At) and isinstance(b.arguments[0].term, Literal)
                ]
                inner = [v for a in arguments for v in walk(a) if isinstance(v, Var)]
                for variable in inner:
                    found = of(variable.name)
                    found.functions.add(name)
                    found.constants.extend(c for c in constants if c not in found.constants)
            case syntax.Key(value):
                for variable in walk(value):
                    if isinstance(variable, Var):
                        of(variable.name).functions.add("order")
            case syntax.Reduce(function, of_) if function in ("sum", "avg", "max", "min"):
                for variable in walk(of_):
                    if isinstance(variable, Var):
                        of(variable.name).functions.add("+")
            case _:
                pass
    return clues


def _kinds(text: syntax.Text, schema: Schema) -> dict[str, str]:
    """What a schema says of the objects of the text's relations: entities, numbers or dates."""
    found: dict[str, str] = {}
    for node in walk(text.query):
        match node:
            case syntax.Triple(_, syntax.At(Iri(predicate)), syntax.At(Var(name))):
                relation = schema.relation(predicate)
                if relation is None:
                    continue
                if isinstance(range_type(relation), EntityType):
                    found.setdefault(name, "entity")
                elif kind_of_relation(relation) is Kind.NUMBER:
                    found[name] = "number"
                elif kind_of_relation(relation) is Kind.DATE:
                    found[name] = "date"
            case _:
                pass
    return found


class Pools:
    """The nodes that each variable of a text may be."""

    def __init__(self, text: syntax.Text, rng: Random, schema: Schema | None = None) -> None:
        self.rng = rng
        self.kinds = {} if schema is None else _kinds(text, schema)
        self.clues = _clues(text)
        self.pools: dict[str, list[Node]] = {}
        self.subjects = {
            t.subject.term for t in walk(text.query) if isinstance(t, syntax.Triple) and isinstance(t.subject.term, Var)
        }
        self.predicates = {
            t.path.term for t in walk(text.query) if isinstance(t, syntax.Triple) and isinstance(t.path, syntax.At)
        }
        zoned = [one.lexical for one in walk(text.query) if isinstance(one, Literal) and one.datatype in DATE_DATATYPES]
        self.zone = "Z" if any(lexical.endswith("Z") for lexical in zoned) else ""
        dates = any(c.functions & _DATE_PARTS or any("date" in f for f in c.functions) for c in self.clues.values())
        self.dates = dates or bool(zoned)
        self.iris = [n for n in walk(text.query) if isinstance(n, Iri)]
        self.cells: dict[str, list[Node]] = {}
        for data in walk(text.query):
            if isinstance(data, syntax.Bind) and isinstance(data.value, syntax.At) and isinstance(data.value.term, Iri):
                assert isinstance(data.variable.term, Var)
                self.cells.setdefault(data.variable.term.name, []).append(data.value.term)
            if isinstance(data, syntax.Data):
                for place, at in enumerate(data.variables):
                    listed = [row[place].term for row in data.rows if row[place] is not None]  # type: ignore[union-attr]
                    self.cells.setdefault(at.term.name if isinstance(at.term, Var) else "", []).extend(listed)  # type: ignore[arg-type]

    def pick(self, term: Node | Var, chosen: Mapping[Node | Var, Node] = {}) -> Node:
        """A node for a term of a pattern; now and then one that has been chosen for another."""
        if isinstance(term, Iri | Literal):
            return term
        key = term.name if isinstance(term, Var) else f"_:{term.label}"
        if chosen and self.kinds.get(key, "entity") == "entity" and self.rng.random() < 0.08:
            other = self.rng.choice(list(chosen.values()))
            if isinstance(other, Iri):
                return other
        pool = self.pools.get(key)
        if pool is None:
            pool = self.pools[key] = self._pool(key, term)
        return self.rng.choice(pool)

    def _pool(self, key: str, term: Var | Blank) -> list[Node]:
        rng = self.rng
        kind = self.kinds.get(key)
        own: list[Node] = [Iri(f"urn:n:{re.sub(r'[^A-Za-z0-9]', '', key)}{i}") for i in range(3)]
        if isinstance(term, Var) and term in self.predicates:
            named = [c for c in self.clues.get(key, Clues([], set())).constants if isinstance(c, Iri)]
            return [
                *own[:2],
                *named,
                *self.cells.get(key, ()),
                *[p for p in self.predicates if isinstance(p, Iri)][:2],
            ]
        clue = self.clues.get(key)
        found: list[Node] = [*own, Iri("urn:n:shared"), *self.cells.get(key, ())]
        if kind is not None:
            listed = [] if clue is None else [c for c in clue.constants if isinstance(c, Literal)]
            match kind:
                case "entity":
                    return found + ([] if clue is None else [c for c in clue.constants if isinstance(c, Iri)])
                case "number":
                    return [n for n in self._numbers(listed) if isinstance(n, Literal) and n.datatype == XSD_INTEGER]
                case _:
                    return self._dates(listed)
        if clue is None:
            if term not in self.subjects and rng.random() < 0.3:
                found.append(Literal("word"))
            return found
        iris = [c for c in clue.constants if isinstance(c, Iri)]
        found += iris
        if isinstance(term, Var) and term in self.subjects:
            return found
        literals = [c for c in clue.constants if isinstance(c, Literal)]
        values: list[Node] = []
        names = {f.rpartition("#")[2] for f in clue.functions}
        if names & _TEXTS or any(one.datatype == XSD_STRING or one.language for one in literals):
            values += self._strings(literals)
        numbers = any(one.datatype in NUMERIC_DATATYPES for one in literals)
        dates = any(one.datatype in DATE_DATATYPES for one in literals) or bool(names & _DATE_WORDS)
        ordered = names & _ORDERED and not numbers
        if self.dates and (dates or ordered or "order" in names):
            values += self._dates(literals)
        elif names & _NUMBER_WORDS and not iris and (numbers or not values):
            values += self._numbers(literals)
        if not values:
            return found
        if "if" in names:
            return values  # of an error within IF Oxigraph makes false
        # once in a while what is no such value
        return values * 3 + found[:1] + ([Literal("word")] if rng.random() < 0.3 else [])

    def _strings(self, literals: list[Literal]) -> list[Node]:
        found: list[Node] = []
        words = {re.sub(r"[\^$]", "", one.lexical) for one in literals if one.datatype not in NUMERIC_DATATYPES}
        for word in sorted({"word", *words}):
            found += [
                Literal(word),
                tagged(word, "en"),
                tagged(word, "de"),
                Literal(f"a {word} b"),
                tagged(f"{word}x", "tr"),
            ]
        found += [
            tagged("name", one.lexical) for one in literals if re.fullmatch("[a-z]{2}(-[a-z]{2})?", one.lexical.lower())
        ]
        return found

    def _numbers(self, literals: list[Literal]) -> list[Node]:
        found: list[Node] = []
        centres = [float(one.lexical) for one in literals if one.datatype in NUMERIC_DATATYPES]
        for centre in centres[:3] or [float(self.rng.randint(2, 9))]:
            whole = int(centre)
            found += [Literal(str(n), XSD_INTEGER) for n in (whole - 1, whole, whole + 1)]
            found.append(Literal(f"{abs(whole)}.5", XSD_DECIMAL))
        found.append(Literal(str(self.rng.randint(3, 12)), XSD_INTEGER))
        return found

    def _dates(self, literals: list[Literal]) -> list[Node]:
        years = [
            int(one.lexical)
            for one in literals
            if one.datatype in NUMERIC_DATATYPES and re.fullmatch("[0-9]{3,4}", one.lexical)
        ]
        days = [
            one.lexical[:10]
            for one in literals
            if one.datatype in DATE_DATATYPES and re.match("[0-9]{4}-..-..", one.lexical)
        ]
        for year in years or ([] if days else [self.rng.randint(1900, 2010)]):
            days += [f"{year - 1:04d}-12-31", f"{year:04d}-01-01", f"{year:04d}-06-15", f"{year + 1:04d}-01-01"]
        for day in list(days):
            days += [day[:8] + "15", f"{int(day[:4]) + 1:04d}{day[4:]}"]
        return [Literal(f"{day}T00:00:00{self.zone}", XSD_DATETIME) for day in dict.fromkeys(days)]

    def other(self) -> Node:
        """A node that nothing asks for by name, or one that something else does."""
        return self.rng.choice([Iri("urn:n:shared"), Iri("urn:n:other"), *self.iris[:6]])


# --- triples ------------------------------------------------------------------------------------------------------


def graph_for(text: syntax.Text, rng: Random, schema: Schema | None = None, instances: int = 5) -> MemoryGraph:
    """A graph on which the patterns of a text are found often, and often nearly; with values as a schema says."""
    pools = Pools(text, rng, schema)
    triples: dict[Triple, None] = {}
    patterns = [node for node in walk(text.query) if isinstance(node, syntax.Triple)]
    for _ in range(instances):
        chosen: dict[Node | Var, Node] = {}
        missing = rng.choice((0.0, 0.0, 0.0, 0.1, 0.2, 0.5))
        for pattern in patterns:
            if rng.random() < missing:
                continue
            subject, object_ = (
                chosen.setdefault(at.term, pools.pick(at.term, chosen)) for at in (pattern.subject, pattern.object)
            )
            if rng.random() < 0.1 and (schema is None or isinstance(object_, Iri)):
                object_ = pools.pick(pattern.object.term) if isinstance(pattern.object.term, Var) else pools.other()
            if rng.random() < 0.05:
                subject = pools.other()
            for triple in _walked(subject, pattern.path, object_, pools, chosen):
                triples[triple] = None
    return MemoryGraph(triples)


def graph_named(name: str, text: syntax.Text, schema: Schema | None = None) -> MemoryGraph:
    """The same, drawn by a name."""
    return graph_for(text, Random(name), schema)


def _walked(near: Node, path: syntax.Path, far: Node, pools: Pools, chosen: dict[Node | Var, Node]) -> Iterator[Triple]:
    """Triples by which a path leads from one node to another."""
    rng = pools.rng
    match path:
        case syntax.At(term):
            predicate = chosen.setdefault(term, pools.pick(term))
            if isinstance(predicate, Iri) and not isinstance(near, Literal):
                yield near, predicate, far
        case syntax.Inverse(inner):
            yield from _walked(far, inner, near, pools, chosen)
        case syntax.Alternative(parts):
            for part in rng.sample(parts, rng.randint(1, len(parts))):
                yield from _walked(near, part, far, pools, chosen)
        case syntax.Sequence(parts):
            here = near
            for place, part in enumerate(parts):
                there = far if place == len(parts) - 1 else Iri(f"urn:n:m{rng.randint(0, 3)}")
                if _may_stay(part) and rng.random() < 0.4:
                    continue
                rest = parts[place + 1 :]
                if rest and all(map(_may_stay, rest)) and rng.random() < 0.4:
                    yield from _walked(here, part, far, pools, chosen)
                    return
                yield from _walked(here, part, there, pools, chosen)
                here = there
        case syntax.Except(forward, backward):
            predicate = rng.choice([Iri("urn:n:other"), *forward, *backward])
            subject, object_ = (near, far) if forward else (far, near)
            if not isinstance(subject, Literal):
                yield subject, predicate, object_
        case syntax.Repeated(inner, _, most):
            here = near
            for _ in range(0 if most == 1 else rng.choice((0, 0, 1, 2))):
                there = Iri(f"urn:n:m{rng.randint(0, 3)}")
                yield from _walked(here, inner, there, pools, chosen)
                here = there
            yield from _walked(here, inner, far, pools, chosen)


def _may_stay(path: syntax.Path) -> bool:
    return isinstance(path, syntax.Repeated) and path.least == 0
