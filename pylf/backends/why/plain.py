"""An explanation as plain data for programs: every IRI in full, every node as ``{kind, value, …}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from pylf.backends.why.names import FullNames
from pylf.backends.why.wording import Wording
from pylf.ir.terms import Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pylf.backends.why.evidence import Block, Emptiness, Evidence, Recorded, Remedy
    from pylf.backends.why.explanation import Explanation
    from pylf.errors import Span
    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node

Data = dict[str, Any]


def plain(explanation: Explanation) -> Data:
    """``form, snapshot, total, blocks``, where there is no answer ``empty``, and where the engine did not tell all
    ``reason``; ``status`` where it failed."""
    plainer = _Plainer(explanation)
    data: Data = {
        "form": explanation.form.value,
        "snapshot": explanation.snapshot,
        "total": explanation.total,
        "blocks": [plainer.block(block) for block in explanation.blocks],
    }
    if explanation.about:
        data["about"] = plainer.evidence(explanation.about)
    if explanation.empty is not None:
        data["empty"] = plainer.emptiness(explanation.empty)
    if explanation.untold:
        data["reason"] = explanation.untold
    if explanation.failure is not None:
        data["status"] = explanation.failure.status
    return data


class _Plainer:
    def __init__(self, explanation: Explanation) -> None:
        self.labels: Mapping[Node, str] = explanation.labels
        self.words = Wording(FullNames(explanation.schema, explanation.vocabulary, explanation.labels))

    def node(self, node: Node | None) -> Data | None:
        match node:
            case None:
                return None
            case Literal(lexical, datatype, language):
                return {"kind": "literal", "value": lexical, "datatype": datatype, "language": language}
            case Iri(value):
                return {"kind": "iri", "value": value, "label": self.labels.get(node)}
            case Blank(label):
                return {"kind": "blank", "value": f"_:{label}", "label": self.labels.get(node)}

    def nodes(self, nodes: Iterable[Node | None]) -> list[Data | None]:
        return [self.node(node) for node in nodes]

    def triple(self, triple: TripleRow) -> list[Data | None]:
        return self.nodes(triple)

    def block(self, block: Block) -> Data:
        return {
            "answer": self.nodes(block.answer),
            "found": block.found,
            "evidence": self.evidence(block.evidence),
        }

    def evidence(self, evidence: Iterable[Evidence]) -> list[Data]:
        return [self.one(one) | {"span": _span(one.span)} for one in evidence]

    def one(self, one: Evidence) -> Data:
        match one:
            case Stated(triple):
                return {"kind": "triple", "triple": self.triple(triple)}
            case Labelled(triple):
                return {"kind": "label", "triple": self.triple(triple)}
            case Typed(node, asked, statement, above, by_signature):
                return {
                    "kind": "instance",
                    "node": self.node(node),
                    "class": asked.value,
                    "triple": self.triple(statement),
                    "signature": by_signature,
                    "above": [class_.value for class_ in above],
                }
            case Held(op, left, right):
                return {"kind": "comparison", "op": op.value, "left": self.node(left), "right": self.node(right)}
            case Listed(node, values):
                return {"kind": "member", "node": self.node(node), "values": self.nodes(values)}
            case Walked(start, end, hops, relation):
                return {
                    "kind": "path" if relation is None else "closure",
                    "start": self.node(start),
                    "end": self.node(end),
                    "triples": [self.triple(triple) for triple, _ in hops],
                    "along": [along for _, along in hops],
                }
            case Weighed(triple, confidence, statement):
                return {
                    "kind": "confidence",
                    "triple": self.triple(triple),
                    "confidence": self.node(confidence),
                    "statement": self.node(statement),
                }
            case Arm(number, arms, also, evidence):
                return {
                    "kind": "alternative",
                    "number": number,
                    "of": arms,
                    "also": list(also),
                    "evidence": self.evidence(evidence),
                }
            case Counted(count, number, group, members):
                return {
                    "kind": "count",
                    "number": number,
                    "variable": count.of.name,
                    "group": {name: self.node(node) for name, node in group},
                    "members": self.nodes(members),
                }
            case Standing():
                return self.standing(one)
            case Computed(conjunct, fixed):
                return {
                    "kind": "computed",
                    "pattern": self.words.line((conjunct,), dict(fixed)),
                    "values": {name: self.node(node) for name, node in fixed},
                }
            case Unfollowed(conjuncts, fixed):
                return {"kind": "unfollowed", "pattern": self.words.line(conjuncts, dict(fixed))}
            case Checked():
                return self.checked(one)

    def standing(self, one: Standing) -> Data:
        return {
            "kind": "superlative",
            "direction": one.superlative.direction.value,
            "item": self.node(one.item),
            "value": self.node(one.value),
            "place": one.place,
            "candidates": one.candidates,
            "tied": one.tied,
            "ties": self.nodes(one.ties),
            "runner_up": None
            if one.next is None
            else {"value": self.node(one.next), "item": self.node(one.bearer), "items": one.bearers},
            "evidence": self.evidence(one.evidence),
        }

    def checked(self, one: Checked) -> Data:
        fixed = dict(one.fixed)
        return {
            "kind": "negation",
            "pattern": self.words.line(one.pattern.conjuncts, fixed),
            "verdict": one.verdict,
            "recorded": [self.recorded(recorded) for recorded in one.recorded],
            "stopped": self.words.line(one.stopped, fixed) if one.stopped else None,
            "seen": {"values": self.nodes(one.seen), "total": one.sighted},
            "against": self.evidence(one.against),
            "snapshot": one.snapshot,
        }

    def recorded(self, one: Recorded) -> Data:
        return {
            "node": self.node(one.near),
            "relation": one.relation.value,
            "along": one.along,
            "values": self.nodes(one.values),
            "total": one.total,
        }

    def emptiness(self, empty: Emptiness) -> Data:
        fixed = dict(empty.fixed)
        return {
            "steps": [
                {
                    "pattern": self.words.line(step.conjuncts, fixed),
                    "variable": step.variable,
                    "left": step.left,
                    "span": _span(step.span),
                }
                for step in empty.steps
            ],
            "culprit": empty.culprit,
            "span": _span(empty.span),
            "remedies": [self.remedy(remedy) for remedy in empty.remedies],
            "within": [{"title": title} | self.emptiness(inner) for title, inner in empty.within],
        }

    def remedy(self, remedy: Remedy) -> Data:
        nodes = [part for part in remedy.sentence if isinstance(part, Iri | Literal | Blank)]
        return {
            "kind": remedy.kind,
            "text": self.words.sentence(remedy.sentence),
            "nodes": self.nodes(nodes),
            "evidence": self.evidence(remedy.evidence),
        }


def _span(span: Span | None) -> list[int] | None:
    return None if span is None else list(span)
