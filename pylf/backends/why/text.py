"""An explanation for a terminal: one block an answer, indented, labels first and ids after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.why.evidence import (
    Arm,
    Checked,
    Computed,
    Counted,
    Held,
    Labelled,
    Listed,
    Standing,
    Stated,
    Typed,
    Unfollowed,
    Walked,
    Weighed,
)
from pylf.backends.why.names import Names
from pylf.backends.why.wording import ENDS, INDENT, Wording
from pylf.errors import first_line
from pylf.ir.nodes import Count, Extreme, Form, Op, TopK, Triple
from pylf.ir.terms import Iri
from pylf.ir.traverse import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.backends.why.evidence import Block, Emptiness, Evidence, Recorded
    from pylf.backends.why.explanation import Explanation
    from pylf.errors import Source, Span
    from pylf.ir.graph import TripleRow

#: How wide a step may be for its count to stand in line with the others'.
WIDEST = 76
#: So much of the id of a graph's state tells it from others.
SNAPSHOT = 16


class Text:
    """The rendering of one explanation."""

    def __init__(self, explanation: Explanation, source: Source | None = None) -> None:
        self.explanation = explanation
        self.source = source
        self.names = Names(explanation.schema, explanation.vocabulary, explanation.labels)
        self.words = Wording(self.names)

    def render(self) -> str:
        """The whole text, without trailing line break."""
        parts = [[self.heading()]]
        if self.explanation.about:
            parts.append(self.evidence(self.explanation.about, INDENT))
        parts.extend(self.block(block) for block in self.explanation.blocks)
        if self.explanation.empty is not None:
            self.names.afresh()
            parts.append(self.emptiness(self.explanation.empty, ""))
        if self.explanation.untold:
            parts.append([f"Not all can be told: {first_line(self.explanation.untold)}"])
        return "\n\n".join("\n".join(part) for part in parts)

    def heading(self) -> str:
        """What is explained, and on which state of the graph."""
        explanation = self.explanation
        total, shown = explanation.total, len(explanation.blocks)
        match explanation.form:
            case Form.BOOLEAN:
                head = "No." if explanation.empty is not None else "Yes: there is a solution."
            case Form.NUMBER if explanation.counted is not None:
                head = f"The count is {total:,}"
            case Form.NUMBER:
                head = f"The number is {total:,}"
            case _:
                head = f"{total:,} answer{'' if total == 1 else 's'}" if total else "No answer"
        if explanation.form is not Form.BOOLEAN:
            head += f", the first {shown:,} explained." if 0 < shown < total else "."
        return f"{head} Graph snapshot {explanation.snapshot[:SNAPSHOT]}."

    def unless_untold(self, large: str, otherwise: str) -> str:
        """What is said of something that was not found out: the one where only its size may be to blame."""
        return otherwise if self.explanation.untold else large

    # --- answers --------------------------------------------------------------------------------------------------

    def block(self, block: Block) -> list[str]:
        """An answer and what supports it."""
        self.names.afresh()
        lines = []
        if block.answer:
            lines.append("  |  ".join("" if node is None else self.names.node(node) for node in block.answer))
        if block.found is None:
            lines.append(
                INDENT
                + self.unless_untold(
                    "too much of the graph would have to be looked at to tell what supports this",
                    "what supports this was not told",
                )
            )
        elif not block.found:
            lines.append(INDENT + "the reference evaluator does not find this, where the engine does: one is wrong")
        elif not block.evidence:
            lines.append(INDENT + "holds without any triple")
        return lines + self.evidence(block.evidence, INDENT)

    def evidence(self, evidence: Iterable[Evidence], indent: str) -> list[str]:
        """What supports something, one thing a line or more."""
        return [indent + line for one in evidence for line in self.lines(one)]

    def lines(self, one: Evidence) -> Iterator[str]:
        """The lines of one piece of evidence."""
        node = self.names.node
        match one:
            case Stated(triple):
                yield self.triple(triple)
            case Labelled((bearer, _, label)):
                yield f"{node(bearer)}  is labelled  {node(label)}"
            case Typed():
                yield self.typed(one)
            case Held(op, left, right):
                between = "is the same value as" if op is Op.IS else op.value
                yield f"{node(left)} {between} {node(right)}"
            case Listed(listed, values):
                which = "the one asked for" if len(values) == 1 else f"one of the {len(values):,} asked for"
                yield f"{node(listed)}  is {which}"
            case Walked():
                yield from self.walked(one)
            case Weighed(triple, confidence, statement):
                yield f"{self.triple(triple)}  with confidence  {node(confidence)}, stated by {node(statement)}"
            case Arm(number, arms, also, evidence):
                others = f" (so does {', '.join(str(n + 1) for n in also)})" if also else ""
                yield f"of {arms} alternatives, number {number + 1} holds{others}:"
                yield from self.evidence(evidence, INDENT)
            case Counted(count, number, group, members):
                yield f"{count.result} is {number:,}, the number of {count.of} with"
                yield from self.words.lines(count.body, dict(group), INDENT * 2)
                if members:
                    yield f"{INDENT}which are {self.words.several(members, number, 'and')}"
            case Standing():
                yield from self.standing(one)
            case Computed(conjunct, fixed):
                yield self.words.line((conjunct,), dict(fixed))
            case Unfollowed(conjuncts, fixed):
                held = self.words.line(conjuncts, dict(fixed))
                yield f"{held}  holds; " + self.unless_untold(
                    "its triples were not looked for in so large a graph", "its triples were not told"
                )
            case Checked():
                yield from self.checked(one)

    def triple(self, triple: TripleRow) -> str:
        """A triple on a line, its parts two blanks apart."""
        subject, predicate, object_ = triple
        relation = self.names.relation(predicate.value) if isinstance(predicate, Iri) else self.names.node(predicate)
        return f"{self.names.node(subject)}  {relation}  {self.names.node(object_)}"

    def typed(self, one: Typed) -> str:
        """An instance: the class that was asked for, and the one that is stated."""
        if one.by_signature:
            return self.triple(one.statement)
        said = f"{self.names.node(one.node)}  is a  {self.names.class_(one.asked.value)}"
        if len(one.above) < 2:
            return said
        classes = " below ".join(self.names.class_(class_.value) for class_ in one.above[:-1])
        return f"{said}, by its class {classes}"

    def walked(self, one: Walked) -> Iterator[str]:
        """A walk and its hops."""
        if one.relation is not None:
            steps = len(one.hops)
            by = f"by {steps} step{'' if steps == 1 else 's'} of {self.names.relation(one.relation.value)}"
            if not steps:
                yield f"{self.names.node(one.start)}  reaches itself by no step"
                return
            yield f"{self.names.node(one.start)}  reaches  {self.names.node(one.end)}  {by}:"
        for triple, _ in one.hops:
            yield ("" if one.relation is None else INDENT) + self.triple(triple)

    def standing(self, one: Standing) -> Iterator[str]:
        """A superlative: the value, who shares it, and who comes next."""
        superlative = one.superlative
        kind = superlative.kind
        end = ENDS[superlative.direction, kind]
        key = self.key(superlative)
        value = self.names.node(one.value)
        if isinstance(superlative, Extreme):
            head = f"{end} {key} of {one.candidates:,}: {value}"
        else:
            head = f"place {one.place} of the {superlative.k} {end} {key} of {one.candidates:,}: {value}"
        if one.tied:
            head += f", which {self.words.several(one.ties, one.tied, 'and')} {'has' if one.tied == 1 else 'have'} too"
        yield head
        if one.next is not None and one.bearer is not None:
            others = f" and {one.bearers - 1:,} more" if one.bearers > 1 else ""
            title = "runner-up" if isinstance(superlative, Extreme) else "the first one out"
            yield f"{INDENT}{title}: {self.names.node(one.next)}, of {self.names.node(one.bearer)}{others}"
        elif isinstance(superlative, Extreme):
            alone = "it is the only one that has a value" if one.candidates == 1 else "all have the same value"
            yield f"{INDENT}no runner-up: {alone}"
        else:
            yield f"{INDENT}all that have a value are among them"
        yield from self.evidence(one.evidence, "")

    def key(self, superlative: Extreme | TopK) -> str:
        """What is ranked by: the relation that leads to it, else the variable."""
        for conjunct in walk(superlative.body):
            match conjunct:
                case Triple(_, Iri(relation), object_) if object_ == superlative.key:
                    return self.names.relation(relation)
                case Count(result, of) if result == superlative.key:
                    return f"number of {of}"
                case _:
                    pass
        return str(superlative.key)

    # --- checks ---------------------------------------------------------------------------------------------------

    def checked(self, one: Checked) -> Iterator[str]:
        """A negative check: the pattern, and what is recorded instead."""
        yield "checked: no triple matches" if one.verdict is not None else "checked: this does not hold"
        yield from self.words.lines(one.pattern, dict(one.fixed), INDENT * 2)
        if one.verdict == "known otherwise":
            for number, recorded in enumerate([r for r in one.recorded if r.total]):
                head = "known otherwise: " if not number else "             and  "
                yield INDENT + head + self.recorded(recorded)
        elif one.verdict == "nothing recorded":
            missing = [r for r in one.recorded if not r.total]
            yield f"{INDENT}nothing recorded: {' and '.join(self.lacking(recorded) for recorded in missing)}"
        told = {node for recorded in one.recorded for node in recorded.values}
        if one.seen and not told.issuperset(one.seen):
            stopped = self.words.line(one.stopped, dict(one.fixed))
            yield f"{INDENT}but  {stopped}  holds for none of {self.words.several(one.seen, one.sighted, 'and')}"
        if one.against:
            yield f"{INDENT}what would match is ruled out by"
            yield from self.evidence(one.against, INDENT * 2)

    def recorded(self, one: Recorded) -> str:
        """The triples that are there, as one."""
        values = self.words.several(one.values, one.total, "and")
        relation = self.names.relation(one.relation.value)
        near = self.names.node(one.near)
        return f"{near}  {relation}  {values}" if one.along else f"{values}  {relation}  {near}"

    def lacking(self, one: Recorded) -> str:
        """That no triple is there."""
        relation = self.names.relation(one.relation.value)
        near = self.names.node(one.near)
        return f"{near} has no {relation}" if one.along else f"no {relation} leads to {near}"

    # --- nothing --------------------------------------------------------------------------------------------------

    def emptiness(self, empty: Emptiness, indent: str) -> list[str]:
        """The steps with what each leaves, the one that leaves nothing, and what would mend it."""
        fixed = dict(empty.fixed)
        steps = [self.words.line(step.conjuncts, fixed) for step in empty.steps]
        width = min(max(map(len, steps), default=0), WIDEST)
        digits = len(str(len(steps)))
        lines = []
        for number, (step, text) in enumerate(zip(empty.steps, steps, strict=True)):
            if empty.culprit is not None and number > empty.culprit:
                left = "not reached"
            elif step.left is None:
                left = self.unless_untold("too many to tell", "not told")
            else:
                left = f"{step.left:,} left" if step.variable is None else f"{step.left:,} ?{step.variable}"
            mark = "   <- nothing is left" if number == empty.culprit else ""
            place = self.place(step.span) if number == empty.culprit and not empty.within else ""
            lines.append(f"{indent}{number + 1:>{digits}}. {text:<{width}}   {left}{mark}{place}")
            if number == empty.culprit:
                lines.extend(self.mending(empty, indent + " " * (digits + 2)))
        if empty.culprit is None:
            lines.extend(self.mending(empty, indent))
        return lines

    def mending(self, empty: Emptiness, indent: str) -> list[str]:
        """What can be said of the culprit, and what is empty within it."""
        lines = []
        for remedy in empty.remedies:
            lines.append(f"{indent}- {self.words.sentence(remedy.sentence)}")
            lines.extend(self.evidence(remedy.evidence, indent + INDENT * 2))
        for title, inner in empty.within:
            lines.append(f"{indent}{title}:")
            lines.extend(self.emptiness(inner, indent + INDENT))
        return lines

    def place(self, span: Span | None) -> str:
        """Where a conjunct comes from: with the source file, line and column."""
        if span is None or self.source is None:
            return ""
        line, column = self.source.position(span.start)
        return f", at {self.source.name}:{line}:{column}"
