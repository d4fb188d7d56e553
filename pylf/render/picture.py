"""A question as a picture: variables and constants are nodes, triples are arrows, a negated body is a dashed red box.

:func:`sketch` turns a query into a drawing of boxes within boxes; :mod:`pylf.render.dot`, :mod:`pylf.render.mermaid`
and :mod:`pylf.render.svg` write it down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.ir.nodes import (
    Closure,
    Compare,
    Confidence,
    Count,
    Direction,
    Extreme,
    InstanceOf,
    Member,
    Not,
    Path,
    Project,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Iri, Literal, Var
from pylf.render.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.ir.nodes import Body, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node, Term


@dataclass(slots=True)
class Dot:
    """A node of the picture: a variable or a constant, with one line of text for each thing said of it alone."""

    id: str
    lines: list[str]
    kind: str  # "answer", "variable" or "constant"


@dataclass(slots=True)
class Arrow:
    """An arrow between two nodes."""

    source: str
    target: str
    label: str


@dataclass(slots=True)
class Box:
    """A body: its own nodes and arrows, and the boxes inside it. ``kind`` is "all", "not", "or" or "sub-query"."""

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


def draw(query: Query, schema: Schema, vocabulary: Vocabulary, form: str) -> str:
    """The picture as ``dot``, ``mermaid`` or ``svg`` text.

    Raises:
        InputError: there is no such form.
    """
    box = sketch(query, schema)
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


def sketch(query: Query, schema: Schema, labels: Mapping[Node, str] | None = None) -> Box:
    """The query as boxes within boxes."""
    sketcher = _Sketcher(Words(schema, labels), {v.name for v in query.outputs})
    title = {
        "set": "which",
        "number": "how many",
        "boolean": "is there",
        "rows": "which rows",
        "subgraph": "which triples",
    }
    return sketcher.box(query.body, "all", title[query.form.value])


class _Sketcher:
    def __init__(self, words: Words, answers: set[str]) -> None:
        self.words = words
        self.answers = answers
        self.dots: dict[str, Dot] = {}
        self.constants = 0

    def box(self, body: Body, kind: str, title: str) -> Box:
        box = Box(kind, title)
        # what binds a variable draws it first, so that it stands in the outermost body that mentions it
        for conjunct in body.conjuncts:
            match conjunct:
                case Triple(subject=s, predicate=p, object=o) | Confidence(subject=s, predicate=p, object=o):
                    label = self.relation(p)
                    if isinstance(conjunct, Confidence):
                        label += f" (confidence ?{conjunct.value.name})"
                    box.arrows.append(Arrow(self.place(s, box), self.place(o, box), label))
                case Closure(subject=s, relation=step, object=o, minimum=minimum):
                    label = self.relation(step) + ("+" if minimum else "*")
                    box.arrows.append(Arrow(self.place(s, box), self.place(o, box), label))
                case Path(nodes=nodes, relations=relations, forward=forward):
                    places = [self.place(n, box) for n in nodes]
                    for i, (r, along) in enumerate(zip(relations, forward, strict=True)):
                        ends = (places[i], places[i + 1]) if along else (places[i + 1], places[i])
                        box.arrows.append(Arrow(*ends, f"{i + 1}. {self.relation(r)}"))
                case InstanceOf(term=t, classes=classes):
                    self.say(t, "a " + " or ".join(self.words.class_(c.value) for c in classes), box)
                case Member(term=t, values=values):
                    first = dict.fromkeys([*map(self.words.node, values[:3]), *(["…"] if len(values) > 3 else [])])
                    self.say(t, "is " + (" or ".join(first) or "nothing"), box)
                case Union() | Not() | Compare():
                    pass
                case Count(result=result, of=of, body=inner, group=group):
                    per = f" for each ?{group[0].name}" if group else ""
                    self.place(result, box)
                    box.boxes.append(self.box(inner, "sub-query", f"?{result.name} = number of ?{of.name}{per}"))
                case Extreme(item=item, key=key, body=inner, direction=direction):
                    self.place(item, box)
                    most = "largest" if direction is Direction.MAX else "smallest"
                    box.boxes.append(self.box(inner, "sub-query", f"?{item.name} with the {most} ?{key.name}"))
                case TopK(item=item, key=key, body=inner, direction=direction, k=k):
                    self.place(item, box)
                    most = "largest" if direction is Direction.MAX else "smallest"
                    box.boxes.append(self.box(inner, "sub-query", f"?{item.name}: {k} with the {most} ?{key.name}"))
                case Project(outputs=outputs, body=inner):
                    box.boxes.append(self.box(inner, "sub-query", f"distinct {', '.join(map(str, outputs))}"))
        for conjunct in body.conjuncts:
            match conjunct:
                case Union(arms=arms):
                    for i, arm in enumerate(arms):
                        box.boxes.append(self.box(arm, "or", "either" if i == 0 else "or"))
                case Not(body=inner):
                    box.boxes.append(self.box(inner, "not", "not"))
                case Compare(op=op, left=left, right=right):
                    shown = f"?{right.name}" if isinstance(right, Var) else self.words.node(right)
                    self.say(left, f"{op.value} {shown}", box)
        return box

    def relation(self, term: Term) -> str:
        return self.words.relation(term.value) if isinstance(term, Iri) else str(term)

    def say(self, term: Term, line: str, box: Box) -> None:
        """One more line on a variable's node; inside an inner body, on a node of its own, tied to the variable."""
        place = self.place(term, box)
        dot = next((d for d in box.dots if d.id == place), None)
        if dot is not None:
            dot.lines.append(line)
            return
        self.constants += 1
        note = Dot(f"c{self.constants}", [line], "constant")
        box.dots.append(note)
        box.arrows.append(Arrow(place, note.id, ""))

    def place(self, term: Term, box: Box) -> str:
        """The id of a term's node, drawn into this box when it is new. Each mention of a constant has its own."""
        if isinstance(term, Var):
            known = self.dots.get(term.name)
            if known is None:
                kind = "answer" if term.name in self.answers else "variable"
                known = self.dots[term.name] = Dot(f"v_{term.name}", [f"?{term.name}"], kind)
                box.dots.append(known)
            return known.id
        self.constants += 1
        assert isinstance(term, Iri | Literal)
        box.dots.append(Dot(f"c{self.constants}", [self.words.node(term)], "constant"))
        return f"c{self.constants}"
