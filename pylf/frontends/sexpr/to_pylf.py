"""From an s-expression to a PyLF program.

One function of the language for each operator, places kept; every atom says whether it is an entity, a class or a
literal, so that nothing is left to be guessed from its text. What the schema says of the names, and whether the types
fit, is asked when the program is lowered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.quoting import quoted
from pylf.frontends.sexpr import tree
from pylf.frontends.sexpr.atoms import NOW, Words
from pylf.frontends.wording import S_EXPRESSIONS
from pylf.language import syntax
from pylf.language.findings import MAX_FINDINGS
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from pylf.frontends.sexpr.atoms import RelationName
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

#: Sets inside sets may nest this deep, far deeper than any question; what comes after walks the program recursively.
MAX_DEPTH = 200

_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def to_program(expression: tree.SExpression, schema: Schema, vocabulary: Vocabulary) -> syntax.Program:
    """The PyLF program of one nested expression that an s-expression means.

    ``(TC X r t)`` becomes two time constraints where the schema lists the relation for the other end. A relation or a
    class that the vocabulary can spell but the schema does not list is written as ``<IRI>``, of which PyLF warns.

    Raises:
        CompileError: with every finding, MAX_FINDINGS at most: ``not-a-set`` and ``unknown-name`` (a relation, or the
            name of nothing, where a set is expected), ``not-a-relation`` (an entity or a class where a relation is),
            ``illegal-iri``, ``unknown-datatype``, ``type-mismatch`` (what cannot be read as a time, or as what the
            relation's values are), ``no-spelling``, ``too-deep`` (more than MAX_DEPTH sets inside each other).
    """
    translation = _Translation(Words(schema, vocabulary))
    source = expression.source
    try:
        root = translation.set_(expression.root, MAX_DEPTH)
    except _Enough:
        root = None
    if root is None or translation.findings:
        raise CompileError([f if source is None else f.at(source) for f in translation.findings])
    span = expression.root.span
    answer = syntax.Assignment("expression", syntax.Stop(root, span), span)
    return syntax.Program((answer,), source=source, wording=S_EXPRESSIONS)


class _Enough(Exception):
    """There are MAX_FINDINGS."""


class _Translation:
    __slots__ = ("findings", "words")

    def __init__(self, words: Words) -> None:
        self.words = words
        self.findings: list[Diagnostic] = []

    def set_(self, node: tree.Expression, depth: int) -> syntax.Expression:
        """A set, at most ``depth`` deep. After a finding something stands in its place, and the rest is looked at."""
        if depth > 0:
            try:
                return self._set(node, depth - 1)
            except Refused as problem:
                self.report(problem.diagnostic)
        else:
            self.report(Diagnostic("too-deep", f"sets nest deeper than {MAX_DEPTH}", node.span))
        return syntax.Start(syntax.Text(""), "literal", span=node.span)

    def report(self, finding: Diagnostic) -> None:
        """Note a finding.

        Raises:
            _Enough: there are MAX_FINDINGS now.
        """
        self.findings.append(finding)
        if len(self.findings) >= MAX_FINDINGS:
            raise _Enough

    def _set(self, node: tree.Expression, depth: int) -> syntax.Expression:
        match node:
            case tree.Join():
                return self.join(node, depth)
            case tree.Word(text=text, span=span):
                found = self.words.set_(text, span)
                return syntax.Start(syntax.Text(found.text, span), found.sort, span=span)
            case tree.And(sets=sets, span=span):
                return syntax.And(tuple([self.set_(one, depth) for one in sets]), span)
            case tree.Count(of=of, span=span):
                return syntax.CountOf(self.set_(of, depth), span)
            case tree.Superlative(mode=mode, of=of, relation=relation, span=span):
                return syntax.Arg(mode, self.set_(of, depth), self.relation(relation), span=span)
            case tree.Comparison(op=op, relation=relation, value=value, span=span):
                name = self.steps(relation)[-1]
                constant = self.words.constant(value, name.relation)
                return syntax.Cmp(_COMPARISONS[op], self.relation(relation), constant, span)
            case tree.TimeConstraint():
                return self.time_constraint(node, depth)
            case tree.Value():
                return self.words.start(node, None)

    def join(self, node: tree.Join, depth: int) -> syntax.Join:
        relation, of, span = node.relation, node.of, node.span
        inverse = isinstance(relation, tree.Inverse)
        try:
            name = self.name(relation)
        except Refused as problem:
            self.report(problem.diagnostic)
            return syntax.Join(syntax.Name("", relation.span), self.set_(of, depth), span=span)
        written = syntax.Name(name.inverse if inverse else name.text, relation.span)
        if isinstance(of, tree.Value):
            return syntax.Join(written, self.words.start(of, None if inverse else name.relation), span=span)
        if isinstance(of, tree.Word):
            start = self.member(of, name, inverse)
            if start is not None:
                return syntax.Join(written, start, span=span)
        return syntax.Join(written, self.set_(of, depth), span=span)

    def member(self, word: tree.Word, name: RelationName, inverse: bool) -> syntax.Start | None:
        """A word beside a relation, where it means something else there: a class itself, or a truth value."""
        text, span = word.text, word.span
        if text in ("true", "false") and not inverse and name.relation.datatypes:
            return self.words.start(tree.Value(text, span=span), name.relation)
        if name.from_classes if inverse else name.to_classes:
            found = self.words.set_(text, span)
            if found.sort == "class" and found.iri is not None:
                return syntax.Start(syntax.Text(f"<{found.iri}>", span), "entity", span=span)
        return None

    def time_constraint(self, node: tree.TimeConstraint, depth: int) -> syntax.TimeConstraint:
        # one form becomes two
        of, value, span = self.set_(node.of, depth - 1), node.value, node.span
        if isinstance(value, tree.Word):
            if value.text != NOW:
                message = f"{quoted(value.text)} cannot be read as a date"
                raise Refused(Diagnostic("type-mismatch", message, value.span, hints=(S_EXPRESSIONS.times(),)))
            time = syntax.Text(NOW, value.span)
        else:
            time = syntax.Text(value.lexical, value.span)
        relation = self.relation(node.relation)
        steps = self.steps(node.relation)
        last = steps[-1]
        parts = node.relation.steps if isinstance(node.relation, tree.Path) else (node.relation,)
        if isinstance(parts[-1], tree.Inverse):
            return syntax.TimeConstraint(of, relation, time, span=span)
        other, is_end = self.words.other_end(last)
        if other is None:
            return syntax.TimeConstraint(of, relation, time, is_end, span)
        name = syntax.Name(other.text, parts[-1].span)
        partner: syntax.Relation = name
        if isinstance(relation, syntax.RelationPath):
            partner = syntax.RelationPath((*relation.steps[:-1], name), relation.span)
        begin, end = (partner, relation) if is_end else (relation, partner)
        return syntax.TimeConstraint(syntax.TimeConstraint(of, begin, time, span=span), end, time, True, span)

    # -- relations

    def name(self, relation: tree.Word | tree.Inverse) -> RelationName:
        word = relation.relation if isinstance(relation, tree.Inverse) else relation
        return self.words.relation(word.text, word.span)

    def steps(self, relation: tree.Relation) -> list[RelationName]:
        return [self.name(step) for step in (relation.steps if isinstance(relation, tree.Path) else (relation,))]

    def relation(self, relation: tree.Relation) -> syntax.Relation:
        match relation:
            case tree.Word(text=text, span=span):
                return syntax.Name(self.words.relation(text, span).text, span)
            case tree.Inverse(relation=word, span=span):
                return syntax.Name(self.words.relation(word.text, word.span).inverse, span)
            case tree.Path(steps=steps, span=span):
                return syntax.RelationPath(tuple([self._step(step) for step in steps]), span)

    def _step(self, step: tree.Word | tree.Inverse) -> syntax.Name:
        name = self.name(step)
        return syntax.Name(name.inverse if isinstance(step, tree.Inverse) else name.text, step.span)
