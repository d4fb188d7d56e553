"""A question as a picture: variables and constants are nodes, triples are arrows, a negated body is a dashed red box.

:func:`sketch` turns a query into a drawing of boxes within boxes; :mod:`pylf.render.dot`, :mod:`pylf.render.mermaid`
and :mod:`pylf.render.svg` write it down. A node stands in the box that binds its variable; what an inner box says of
an outer variable is a note of its own there, tied to the variable by a dotted line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.ir.expressions import names_in
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Direction,
    Extend,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    LeftJoin,
    Member,
    Not,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import exports, opened
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.traverse import terms, walk
from pylf.render.expressions import reduced, short, taken
from pylf.render.words import Words, legible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node, Term


_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "is": "is"}
_MOST = {
    (Direction.MAX, Kind.DATE): "latest",
    (Direction.MIN, Kind.DATE): "earliest",
    (Direction.MAX, Kind.TEXT): "last",
    (Direction.MIN, Kind.TEXT): "first",
}
_SHOWN = 3  # members of a list that are drawn


@dataclass(slots=True)
class Dot:
    """A node of the picture: a variable, a constant or a note, with one line of text for each thing said of it."""

    id: str
    lines: list[str]
    kind: str  # "answer", "variable", "constant" or "note"


@dataclass(slots=True)
class Arrow:
    """An arrow between two nodes; without a label a mere tie between a note and what it speaks of."""

    source: str
    target: str
    label: str

    @property
    def tie(self) -> bool:
        """Whether the line has no direction and no meaning but belonging together."""
        return not self.label


@dataclass(slots=True)
class Box:
    """A body: its own nodes and arrows, and the boxes inside it. ``kind`` is "all", "not", "or", "optional" or
    "sub-query"."""

    kind: str
    title: str
    dots: list[Dot] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)

    def walk(self) -> list[Box]:
        """The box and all boxes inside it, outer ones first."""
        found = [self]
        for box in found:
            found.extend(box.boxes)
        return found


def draw(
    query: Query, schema: Schema, vocabulary: Vocabulary, form: str, labels: Mapping[Node, str] | None = None
) -> str:
    """The picture as ``dot``, ``mermaid`` or ``svg`` text. ``labels`` names entities.

    Raises:
        InputError: there is no such form.
    """
    box = sketch(query, schema, vocabulary, labels)
    match form:
        case "dot":
            from pylf.render.dot import write
        case "mermaid":
            from pylf.render.mermaid import write
        case "svg":
            from pylf.render.svg import write
        case _:
            raise InputError(f"a picture is drawn as dot, mermaid or svg, not {form!r}")
    return write(box)


def sketch(query: Query, schema: Schema, vocabulary: Vocabulary, labels: Mapping[Node, str] | None = None) -> Box:
    """The query as boxes within boxes."""
    sketcher = _Sketcher(Words(schema, labels, vocabulary), vocabulary, query)
    names = ", ".join(map(str, query.outputs))
    titles = {
        Form.SET: f"Which {names}?",
        Form.NUMBER: f"Which number {names}?",
        Form.BOOLEAN: "Is it so?",
        Form.ROWS: f"Which rows of {names}?",
        Form.SUBGRAPH: f"Which triples {names}?",
    }
    root = Box("all", titles[query.form])
    for output in query.outputs:
        sketcher.place(output, root)
    return sketcher.fill(root, query.body)


class _Sketcher:
    def __init__(self, words: Words, vocabulary: Vocabulary, query: Query) -> None:
        self.words = words
        self.label_predicates = vocabulary.label_predicates
        self.answers = {v.name for v in query.outputs}
        self.dots: dict[str, Dot] = {}
        self.homes: dict[str, Box] = {}
        self.constants = 0
        #: how often a variable is mentioned by a conjunct of its own
        self.mentions: dict[str, int] = {}
        for conjunct in walk(query.body):
            for name in {t.name for t in terms(conjunct) if isinstance(t, Var)}:
                self.mentions[name] = self.mentions.get(name, 0) + 1

    def inner(self, body: Body, kind: str, title: str) -> Box:
        return self.fill(Box(kind, title), body)

    def fill(self, box: Box, body: Body) -> Box:
        """Draws a body into its box. What binds variables comes first, so that each stands in the outermost body that
        binds it."""
        named = self.named(body)
        conjuncts = [c for c in body.conjuncts if id(c) not in named]
        for conjunct in conjuncts:
            if isinstance(conjunct, Union | Project | Count | Extreme | TopK | Aggregate | Slice):
                for name in sorted(exports(conjunct) | opened(Body((conjunct,)))):
                    if self.mentions.get(name, 0) > 1 or name in self.answers:
                        self.place(Var(name), box)
        for conjunct in conjuncts:
            self.binding(conjunct, box)
        for conjunct in body.conjuncts:
            if id(conjunct) in named:
                entity, text = named[id(conjunct)]
                if text:
                    self.say(entity, f"called {text}", box)
        # conditions last: what they look at may stand in a box
        for conjunct in sorted(conjuncts, key=lambda one: isinstance(one, Condition)):
            self.asking(conjunct, box)
        if not box.dots and not box.boxes:
            self.note("always so", box, ())
        return box

    def named(self, body: Body) -> dict[int, tuple[Term, str]]:
        """Label triples and the lists of what the label may be, where nothing else is said of the label: by conjunct,
        what is labelled, and the label to show, once."""
        labels = {
            c.object: c
            for c in body.conjuncts
            if isinstance(c, Triple) and isinstance(c.predicate, Iri) and c.predicate.value in self.label_predicates
        }
        found: dict[int, tuple[Term, str]] = {}
        for conjunct in body.conjuncts:
            match conjunct:
                case Member(term=Var(name=name) as label, values=values) if (
                    self.mentions[name] == 2 and label in labels
                ):
                    triple = labels[label]
                    texts = {v.lexical for v in values if isinstance(v, Literal)}
                    if len(texts) == 1 and len(values) > 1:
                        found[id(triple)] = triple.subject, ""
                        found[id(conjunct)] = triple.subject, self.words.label(texts.pop())
        return found

    def binding(self, conjunct: Conjunct, box: Box) -> None:
        match conjunct:
            case Triple(subject=s, predicate=p, object=o):
                self.arrow(s, o, self.relation(p), box)
            case Confidence(subject=s, predicate=p, object=o, value=value):
                self.arrow(s, o, f"{self.relation(p)} (confidence ?{value.name})", box)
            case Closure(subject=s, relation=step, object=o, minimum=minimum):
                self.arrow(s, o, f"{self.relation(step)}{'+' if minimum else '*'}", box)
            case Path(nodes=nodes, relations=relations, forward=forward):
                for i, (r, along) in enumerate(zip(relations, forward, strict=True)):
                    ends = (nodes[i], nodes[i + 1]) if along else (nodes[i + 1], nodes[i])
                    self.arrow(*ends, f"step {i + 1}: {self.relation(r)}", box)
            case InstanceOf(term=t, classes=classes):
                self.say(t, "a " + " or ".join(self.words.class_(c.value) for c in classes), box)
            case Member(term=t, values=values):
                first = list(dict.fromkeys(map(self.term, values[:_SHOWN])))
                more = [f"… ({len(values)} in all)"] if len(values) > _SHOWN else []
                self.say(t, "is " + (" or ".join([*first, *more]) or "nothing at all"), box)

    def asking(self, conjunct: Conjunct, box: Box) -> None:
        match conjunct:
            case Compare(op=op, left=left, right=right):
                self.say(left, f"{_SIGNS.get(op.value, op.value)} {self.term(right)}", box)
            case Union(arms=arms):
                for i, arm in enumerate(arms):
                    box.boxes.append(self.inner(arm, "or", "either" if i == 0 else "or"))
                if not arms:
                    self.note("nothing at all", box, ())
            case Not(body=body):
                box.boxes.append(self.inner(body, "not", "not"))
            case Count(result=result, of=of, body=body, group=group):
                per = f" for each {', '.join(map(str, group))}" if group else ""
                box.boxes.append(self.inner(body, "sub-query", f"{result} = number of {of}{per}"))
            case Extreme(item=item, key=key, body=body):
                box.boxes.append(self.inner(body, "sub-query", f"{item} with the {_most(conjunct)} {key}"))
            case TopK(item=item, key=key, body=body, k=k):
                box.boxes.append(self.inner(body, "sub-query", f"{item}: {k} with the {_most(conjunct)} {key}"))
            case Project(outputs=outputs, body=body):
                box.boxes.append(self.inner(body, "sub-query", f"distinct {', '.join(map(str, outputs))}"))
            case LeftJoin(body=body):
                box.boxes.append(self.inner(body, "optional", "where possible"))
            case Condition(expression=expression):
                self.computed(short(expression, self.term), expression, box)
            case Extend(result=result, expression=expression):
                self.say(result, f":= {short(expression, self.term)}", box)
            case Aggregate(reductions=reductions, body=body, group=group):
                per = f" for each {', '.join(map(str, group))}" if group else ""
                results = [f"{one.result} = {reduced(one, self.term)}" for one in reductions]
                box.boxes.append(self.inner(body, "sub-query", f"{', '.join(results) or 'groups'}{per}"))
            case Slice(outputs=outputs, body=body, distinct=distinct):
                rows = f"{'distinct ' if distinct else ''}{', '.join(map(str, outputs))}"
                box.boxes.append(self.inner(body, "sub-query", f"{rows}: {taken(conjunct, self.term)}"))

    # -- pieces

    def relation(self, term: Term) -> str:
        return legible(self.words.relation_name(term.value)) if isinstance(term, Iri) else str(term)

    def term(self, term: Term) -> str:
        return str(term) if isinstance(term, Var) else self.words.node(term)

    def arrow(self, source: Term, target: Term, label: str, box: Box) -> None:
        """An arrow of this box; a note where both of its ends stand outside or are one."""
        ends = [t for t in (source, target) if isinstance(t, Var)]
        if source == target:
            self.say(source, f"is its own {label}", box)
        elif len(ends) == 2 and all(self.homes.get(v.name, box) is not box for v in ends):
            self.note(f"{source} {label} {target}", box, ends)
        else:
            box.arrows.append(Arrow(self.place(source, box), self.place(target, box), label))

    def say(self, term: Term, line: str, box: Box) -> None:
        """One more line on a variable's node; in an inner box a note, tied to the variable."""
        if isinstance(term, Var) and self.homes.get(term.name, box) is not box:
            self.note(line, box, (term,))
            return
        place = self.place(term, box)
        box.dots[next(i for i, d in enumerate(box.dots) if d.id == place)].lines.append(line)

    def computed(self, line: str, expression: Expression, box: Box) -> None:
        """A line about several variables: a note, tied to each."""
        names = sorted(names_in(expression))
        if len(names) == 1:
            self.say(Var(names[0]), line, box)
            return
        for name in names:
            self.place(Var(name), box)
        self.note(line, box, list(map(Var, names)))

    def note(self, line: str, box: Box, of: Sequence[Var]) -> None:
        self.constants += 1
        note = Dot(f"n{self.constants}", [line], "note")
        box.dots.append(note)
        box.arrows.extend(Arrow(self.dots[v.name].id, note.id, "") for v in of)

    def place(self, term: Term, box: Box) -> str:
        """The id of a term's node, drawn into this box when it is new. Each mention of a constant has its own."""
        if isinstance(term, Var):
            known = self.dots.get(term.name)
            if known is None:
                kind = "answer" if term.name in self.answers else "variable"
                known = self.dots[term.name] = Dot(f"v_{term.name}", [str(term)], kind)
                self.homes[term.name] = box
                box.dots.append(known)
            return known.id
        self.constants += 1
        box.dots.append(Dot(f"c{self.constants}", [self.term(term)], "constant"))
        return f"c{self.constants}"


def _most(best: Extreme | TopK) -> str:
    return _MOST.get((best.direction, best.kind), "largest" if best.direction is Direction.MAX else "smallest")
