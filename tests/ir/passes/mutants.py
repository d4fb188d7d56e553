"""Passes that are broken on purpose, to see that the properties of soundness notice.

A mutant is made of the source of a module with one text exchanged. It is executed as a module of its own and never
written to disk; where the module is one that a pass imports, those from there up to the pass are executed anew too, and
stand in the place of the real ones while the mutant is looked at.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib.abc import InspectLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pylf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_ROOT = Path(pylf.__file__).parent
PASSES = "ir/passes/"


class Mutant(NamedTuple):
    """A pass, with the text ``old`` of a file replaced by ``new``; ``through`` are the files by which the pass imports
    that one, from it on; ``room`` is the folder of the pass."""

    name: str
    breaks: str
    old: str
    new: str
    file: str = ""
    through: tuple[str, ...] = ()
    room: str = PASSES

    @property
    def own(self) -> str:
        """The file of the pass."""
        return f"{self.room}{self.name.replace('-', '_')}.py"

    @property
    def place(self) -> str:
        """The file that is changed."""
        return self.file or self.own


MUTANTS = (
    # --- normalize
    Mutant(
        "normalize",
        "an arm goes where another one says something of the same",
        "(other < mine and _is_sure(other))",
        "(other & mine and _is_sure(other))",
    ),
    Mutant(
        "normalize",
        "a negation never holds where a part of its body does",
        "if any(one <= atoms for one in denied):",
        "if any(one & atoms for one in denied):",
    ),
    Mutant(
        "normalize",
        "of two lists of values the last one counts alone",
        "values if known is None else tuple([value for value in known if value in there])",
        "values",
        "ir/passes/constants.py",
    ),
    Mutant(
        "normalize",
        "a denial goes where another one denies more",
        "if len(nots) > 1 and any(other < mine for other in nots):",
        "if len(nots) > 1 and any(mine < other for other in nots):",
    ),
    Mutant(
        "normalize",
        "comparisons beside a list of values are dropped",
        "listed[name] = tuple([value for value in listed[name] if compare(op, value, right, kind)])",
        "pass",
        "ir/passes/constants.py",
    ),
    # --- push-negation
    Mutant(
        "push-negation",
        "of a negated union one arm is denied",
        "for one in self.renamed(negation, arms) for part",
        "for one in list(self.renamed(negation, arms))[:1] for part",
    ),
    Mutant(
        "push-negation",
        "what is not not so is forgotten",
        "return with_span(inner, negation.span).conjuncts",
        "return ()",
    ),
    Mutant(
        "push-negation",
        "memberships imply each other whatever their classes",
        "return all(any(one.value in subclasses(other.value) for other in upper) for one in lower)",
        "return True",
    ),
    Mutant(
        "push-negation",
        "subjects are taken for objects",
        'if subject == term and (relation, "subject") in defined:',
        'if term in (subject, object_) and (relation, "subject") in defined:',
    ),
    # --- simplify-types
    Mutant(
        "simplify-types",
        "domains and ranges are believed, whatever was counted",
        "return self._sound if counted is None else counted == support",
        "return True",
    ),
    Mutant(
        "simplify-types",
        "classes that are stated to be disjoint are believed to be",
        'self._apart = self._measured and not self._paths and meta("disjoint") == "true"',
        "self._apart = True",
    ),
    Mutant(
        "simplify-types",
        "one class of a union is enough",
        "return all(not self._schema.superclasses(name).isdisjoint(asked) for name in classes)",
        "return any(not self._schema.superclasses(name).isdisjoint(asked) for name in classes)",
    ),
    Mutant(
        "simplify-types",
        "a membership implies itself",
        "return [fact for fact in self._of(membership.term) if fact is not membership]",
        "return [fact for fact in self._of(membership.term)]",
    ),
    # --- orient-inverses
    Mutant(
        "orient-inverses",
        "the relation is turned and its ends are not",
        "return build.triple(object_, Iri(other), subject, node.span)",
        "return build.triple(subject, Iri(other), object_, node.span)",
    ),
    Mutant(
        "orient-inverses",
        "stated inverses are taken for stored ones",
        'if reading != "mirrored" and not (found and one.triples is not None and other.triples is not None):',
        "if one is other:",
    ),
    Mutant(
        "orient-inverses",
        "hops of a path keep their direction",
        "return build.path(path.nodes, tuple(relations), tuple(forward), path.span)",
        "return build.path(path.nodes, tuple(relations), path.forward, path.span)",
    ),
    # --- merge-comparisons
    Mutant(
        "merge-comparisons",
        "a value is one of those that some comparison lets pass",
        "if all(holds(piece, value) for piece in pieces)])",
        "if any(holds(piece, value) for piece in pieces)])",
    ),
    Mutant(
        "merge-comparisons",
        "what is known outside holds in closed bodies",
        "known if isinstance(conjunct, Not | Union) else {}",
        "known",
    ),
    Mutant(
        "merge-comparisons",
        "dates are points: what is not before is from then on",
        "for count in (1, 2, 3)], whole]",
        "for count in ()], whole]",
        "ir/intervals.py",
        ("ir/comparisons.py",),
    ),
    Mutant(
        "merge-comparisons",
        "an operator and its mirror image are the same",
        "return Asked(right.name, op.mirrored, left, kind)",
        "return Asked(right.name, op, left, kind)",
        "ir/comparisons.py",
    ),
    Mutant(
        "merge-comparisons",
        "a union arm is forgotten",
        "found |= self.all_of(arm.conjuncts)",
        "found = self.all_of(arm.conjuncts)",
        "ir/comparisons.py",
    ),
    # --- minimize
    Mutant(
        "minimize",
        "a conjunct goes whose variable is looked at",
        "free = binders(Body(tuple(conjuncts))) - seen",
        "free = binders(Body(tuple(conjuncts)))",
    ),
    Mutant(
        "minimize",
        "of two arms the larger one goes",
        "if any(other is not arm and self.within(arm, other, outside, place) for other in kept):",
        "if any(other is not arm and self.within(other, arm, outside, place) for other in kept):",
    ),
    Mutant(
        "minimize",
        "variables outside of an arm may be any",
        "frozenset(binders(body) - outside)",
        "frozenset(binders(body))",
        "ir/passes/alike.py",
    ),
    Mutant(
        "minimize",
        "what stands beside a variable is not asked for",
        "pulled += self.beside.get(term.name, ())",
        "pulled += ()",
        "ir/homomorphism.py",
        ("ir/containment.py",),
    ),
    Mutant(
        "minimize",
        "a closure of no steps is one of some",
        "if closure.relation == conjunct.relation and closure.minimum >= conjunct.minimum:",
        "if closure.relation == conjunct.relation:",
        "ir/homomorphism.py",
        ("ir/containment.py",),
    ),
    Mutant(
        "minimize",
        "classes above are taken for classes below",
        "for below in self.schema.subclasses(class_)]",
        "for below in self.schema.superclasses(class_)]",
        "ir/containment.py",
    ),
    Mutant(
        "minimize",
        "a count is one of more",
        "return entails(body, body_too, there, self, depth) and entails(body_too, body, back, self, depth)",
        "return entails(body_too, body, back, self, depth)",
        "ir/containment.py",
    ),
    Mutant(
        "minimize",
        "dates that are equal are one term",
        "Op.EQ: frozenset((Op.LE, Op.GE))},",
        "Op.EQ: frozenset((Op.LE, Op.GE, Op.IS))},",
        "ir/implied.py",
        ("ir/homomorphism.py", "ir/containment.py"),
    ),
    Mutant(
        "minimize",
        "what is at most a number is below it",
        "(one <= other if asked is Op.LE else one < other)",
        "one <= other",
        "ir/implied.py",
        ("ir/homomorphism.py", "ir/containment.py"),
    ),
    Mutant(
        "minimize",
        "what ends with a date is all before it",
        "            end = one[1]\n",
        "            end = one[0]\n",
        "ir/implied.py",
        ("ir/homomorphism.py", "ir/containment.py"),
    ),
    Mutant(
        "minimize",
        "of a union that holds the first arm does",
        "cases = [[*case, *arm] for case in cases for arm in arms]",
        "cases = [[*case, *arm] for case in cases for arm in arms[:1]]",
        "ir/facts.py",
        ("ir/homomorphism.py", "ir/containment.py", "ir/passes/alike.py"),
    ),
    Mutant(
        "minimize",
        "paths lead the other way",
        "return [Triple(subject, relation, object_, path.span) for",
        "return [Triple(object_, relation, subject, path.span) for",
        "ir/facts.py",
        ("ir/homomorphism.py", "ir/containment.py", "ir/passes/alike.py"),
    ),
    # --- plan-extremes
    Mutant(
        "plan-extremes",
        "two superlatives of one item are one",
        "if told in seen:",
        "if seen:",
    ),
    Mutant(
        "plan-extremes",
        "what has nothing to do with the item is dropped",
        "return build.join(planned, *others) if others else planned",
        "return planned",
    ),
    Mutant(
        "plan-extremes",
        "the key is projected away before items are found",
        "new = own if assumptions is None else reduced(own, needed, assumptions)",
        "new = own if assumptions is None else reduced(own, needed - {node.key.name}, assumptions)",
    ),
    # --- project-early
    Mutant(
        "project-early",
        "parts that a step does not look at are lost",
        "parts = [merged, *[part for part in parts if name not in part.names]]",
        "parts = [merged, *[part for part in parts if name not in part.names][1:]]",
    ),
    Mutant(
        "project-early",
        "a part goes in alone",
        "merged = _joined(with_name, left,",
        "merged = _joined(with_name[:1], left,",
    ),
    Mutant(
        "project-early",
        "needed variables are taken away",
        "todo = {name for name in names if name not in needed and name in far}",
        "todo = {name for name in names if name in far}",
    ),
    # --- shape-negation
    Mutant(
        "shape-negation",
        "a variable that is shared is lost",
        "plan = reduced(inner, frozenset(shared), assumptions, anyway=True)",
        "plan = reduced(inner, frozenset(sorted(shared)[:1]), assumptions, anyway=True)",
    ),
    Mutant(
        "shape-negation",
        "a conjunct is left out of what is denied",
        "return Not(_closed(plan, ",
        "return Not(_closed(Body(plan.conjuncts[1:] or plan.conjuncts), ",
    ),
    # --- order-joins
    Mutant(
        "order-joins",
        "one conjunct is written twice, and another one not",
        "done.append(first)",
        "done.append(done[0] if done else first)",
    ),
    Mutant(
        "order-joins",
        "negations are lost",
        "if isinstance(conjunct, (Compare, Not))]]",
        "if isinstance(conjunct, Compare)]]",
    ),
)

#: of what makes one query of several
BATCH_MUTANTS = (
    Mutant(
        "batch",
        "tags are swapped",
        "zip(tags(len(candidates)), candidates, strict=True)",
        "zip(tags(len(candidates))[::-1], candidates, strict=True)",
        room="ir/",
    ),
    Mutant(
        "batch",
        "columns are handed back in another order",
        "mine.append(row[1:])",
        "mine.append(row[:0:-1])",
        room="ir/",
    ),
)


def source_of(file: str) -> str:
    """The text of a file of the package."""
    return (_ROOT / file).read_text(encoding="utf-8")


@contextmanager
def broken(mutant: Mutant) -> Iterator[ModuleType]:
    """The module of the pass, broken, for as long as it is looked at."""
    files = tuple(dict.fromkeys((mutant.place, *mutant.through, mutant.own)))
    names = [f"pylf.{file.removesuffix('.py').replace('/', '.')}" for file in files]
    saved = {name: sys.modules.get(name) for name in names}
    try:
        for file, name in zip(files, names, strict=True):
            text = source_of(file)
            if file == mutant.place:
                assert text.count(mutant.old) == 1, f"{file}: {mutant.old!r} does not stand there once"
                text = text.replace(mutant.old, mutant.new)
            sys.modules[name] = _executed(name, text)
        yield sys.modules[names[-1]]
    finally:
        for name, module in saved.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


class _Text(InspectLoader):
    def __init__(self, text: str) -> None:
        self.text = text

    def get_source(self, fullname: str) -> str:
        return self.text


def _executed(name: str, text: str) -> ModuleType:
    """A module that is not in the package, of a text."""
    loader = _Text(text)
    spec = spec_from_loader(f"broken.{name}", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module
