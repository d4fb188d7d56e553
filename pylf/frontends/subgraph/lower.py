"""From the tree of a subgraph question to a query: names are looked up as PyLF's are, then the shape is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.subgraph import shapes
from pylf.frontends.subgraph.shapes import Hops, Nodes
from pylf.frontends.subgraph.tree import Around, Compared, Name, Neighbours, OneOf, Paths, Patterns, Triple, Variable
from pylf.frontends.wording import SUBGRAPHS
from pylf.ir.build import join, query
from pylf.ir.nodes import Confidence, Form
from pylf.ir.nodes import Triple as Edge
from pylf.ir.terms import Iri, Literal, Var, tagged
from pylf.ir.types import LiteralType
from pylf.language import syntax, typed
from pylf.language.hints import shown
from pylf.language.names import INVERSE, Names
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from pylf.errors import Source
    from pylf.frontends.subgraph.tree import Bound, Hop, Part, Place, Question
    from pylf.ir.nodes import Body, Conjunct, Query
    from pylf.ir.terms import Term
    from pylf.ir.types import Type
    from pylf.language.context import Context

    _T = TypeVar("_T")
    _Meant = typed.Known | typed.Labelled | typed.Instances


#: In the place of a name that means nothing: the error is noted, and no query comes of it. The rest is looked at all
#: the same, so that every error is told.
_NO_MATTER = Iri("urn:x")


def lower(question: Question, context: Context, source: Source | None = None) -> tuple[Query, tuple[Diagnostic, ...]]:
    """The query of a question, and warnings; ``source`` is the text that the question's places point into.

    Raises:
        CompileError: names that mean nothing, or not what can stand there; every one of them is told.
    """
    lowering = _Lowering(context)
    try:
        found = lowering.question(question)
        lowering.check()
    except CompileError as error:
        raise CompileError([d if source is None else d.at(source) for d in error.diagnostics]) from None
    return found, tuple([d if source is None else d.at(source) for d in lowering.findings])


class _Lowering:
    def __init__(self, context: Context) -> None:
        self.vocabulary = context.vocabulary
        self.findings: list[Diagnostic] = []
        self.errors: list[Diagnostic] = []
        self.names = Names(context, self.findings, SUBGRAPHS)
        self.made = 0
        #: the variables that the text names
        self.taken: set[str] = set()
        #: and those of them that are subjects or relations
        self.subjects: set[str] = set()

    def question(self, question: Question) -> Query:
        match question:
            case Around(centers, hops, hop, span):
                return shapes.around(self.nodes(centers), hops, self.hops(hop), self.vocabulary, span)
            case Neighbours(centers, hop, span):
                return shapes.neighbours(self.nodes(centers), self.hops(hop), self.vocabulary, span)
            case Paths(starts, hops, ends, hop, product, simple, span):
                tied = self.nodes(ends) if ends else None
                floor, hop_ = self.test(product), self.hops(hop)
                return shapes.paths(self.nodes(starts), tied, hops, hop_, floor, simple, self.vocabulary, span)
            case Patterns():
                return self.patterns(question)

    def test(self, test: Bound | None) -> tuple[str, Literal] | None:
        """What a confidence, or a product of some, is compared with."""
        if test is not None and float(test.number) > 1:
            message = f"confidences lie between 0 and 1: {'none' if test.op in ('>', '>=', '=') else 'every one'} is "
            self.findings.append(
                Diagnostic("confidence", f"{message}{test.op} {test.number[:40]}", test.span, severity="warning")
            )
        return _test(test)

    def hops(self, hop: Hop) -> Hops:
        relations = [iri for name in hop.relations if (iri := self.relation_ahead(name)) is not None]
        default = None if hop.default is None else shapes.number(hop.default)
        return Hops(hop.way, tuple(dict.fromkeys(relations)), self.test(hop.floor), default, hop.weighed)

    def check(self) -> None:
        """Raises CompileError where something was found to be wrong."""
        if self.errors:
            raise CompileError(self.errors)

    # --- names ----------------------------------------------------------------------------------------------------

    def attempt(self, work: Callable[[], _T]) -> _T | None:
        """What a look-up gives; None where it is refused, which is kept."""
        try:
            return work()
        except Refused as refused:
            self.errors.append(refused.diagnostic)
            return None

    def relation(self, name: Name) -> tuple[Iri, bool] | None:
        """A relation, and whether its name says that it is reversed."""
        step = self.attempt(lambda: self.names.step(syntax.Name(name.text, name.span)))
        return None if step is None else (Iri(step.iri), step.inverse)

    def relation_ahead(self, name: Name) -> Iri | None:
        found = self.relation(name)
        if found is not None and found[1]:
            message = f"{shown(name.text)} is a relation reversed: which way is taken is told for all, by 'inward'"
            self.errors.append(Diagnostic("reversed", message, name.span, hints=("leave out the R_",)))
        return None if found is None else found[0]

    def terms(self, name: Name) -> _Meant | None:
        """What a name in the place of a node means."""

        def work() -> _Meant:
            found = self.names.start(syntax.Start(syntax.Text(name.text, name.span), span=name.span))
            if not isinstance(found, typed.Bare):
                return found
            return self.names.labelled(name.text, None, name.span)

        return self.attempt(work)

    def nodes(self, names: tuple[Name, ...]) -> Nodes:
        """The entities that are named."""
        return self.entities([(name, self.terms(name)) for name in names])

    def entities(self, named: list[tuple[Name, _Meant | None]]) -> Nodes:
        """The entities that are meant by names."""
        iris: list[Iri] = []
        classes: list[Iri] = []
        labels: list[tuple[Literal, ...]] = []
        for name, meant in named:
            match meant:
                case typed.Known(terms=found):
                    iris += [term for term in found if isinstance(term, Iri)]
                    if any(isinstance(term, Literal) for term in found):
                        message = f"{shown(name.text)} is a value, and an entity is wanted here"
                        self.errors.append(Diagnostic("type-mismatch", message, name.span))
                case typed.Labelled() as labelled:
                    labels.append(self.texts(labelled))
                case typed.Instances(class_iri=iri):
                    classes.append(Iri(iri))
        return Nodes(tuple(dict.fromkeys(iris)), tuple(dict.fromkeys(classes)), tuple(dict.fromkeys(labels)))

    def texts(self, labelled: typed.Labelled) -> tuple[Literal, ...]:
        tags = self.names.label_languages(labelled.language)
        return tuple([tagged(labelled.text, tag) if tag else Literal(labelled.text) for tag in tags])

    # --- patterns -------------------------------------------------------------------------------------------------

    def patterns(self, question: Patterns) -> Query:
        self.taken = {place.name for part in question.parts for place in _variables(part)}
        edges = [part for part in question.parts if isinstance(part, Triple)]
        # where a relation is reversed, its object is the subject
        places = [place for edge in edges for place in (edge.subject, edge.predicate, *_reversed(edge))]
        self.subjects = {place.name for place in places if isinstance(place, Variable)}
        bound: set[str] = set()
        body: list[Conjunct | Body] = []
        types: dict[str, Type] = {}
        for part in question.parts:
            match part:
                case Triple():
                    body += self.triple(part, bound, types)
                case OneOf(variable, names, span):
                    bound.add(variable.name)
                    label = self.fresh("label")
                    body.append(shapes.among(Var(variable.name), self.nodes(names), self.vocabulary, label, span))
                case Compared():
                    pass
        for part in question.parts:
            if isinstance(part, Compared):
                self.bound(part.variable, bound)
                test = (part.test.op, shapes.number(part.test.number))
                body.append(shapes.compared(Var(part.variable.name), test, part.span))
        for output in question.outputs:
            self.bound(output, bound)
        form = Form.ROWS if question.rows else Form.SUBGRAPH
        outputs = tuple([Var(output.name) for output in question.outputs])
        self.check()
        return query(form, outputs, join(*body), types, question.span)

    def triple(self, part: Triple, bound: set[str], types: dict[str, Type]) -> list[Conjunct | Body]:
        subject, ties = self.place(part.subject, bound)
        object_, others = self.place(part.object, bound)
        predicate: Term
        if isinstance(part.predicate, Variable):
            bound.add(part.predicate.name)
            predicate = Var(part.predicate.name)
        else:
            found = self.relation(part.predicate)
            predicate = _NO_MATTER if found is None else found[0]
            if found is not None and found[1]:
                subject, object_ = object_, subject
        if isinstance(subject, Literal):
            self.errors.append(Diagnostic("type-mismatch", "a value is no subject", part.span))
        if part.confidence is None:
            return [Edge(subject, predicate, object_, part.span), *ties, *others]
        bound.add(part.confidence.name)
        value = Var(part.confidence.name)
        if value.name not in self.subjects:
            types[value.name] = LiteralType(None)
        return [Confidence(subject, predicate, object_, value, part.span), *ties, *others]

    def place(self, place: Place, bound: set[str]) -> tuple[Term, list[Body]]:
        """A term, and what it is tied to where it is not one that is known."""
        if isinstance(place, Variable):
            bound.add(place.name)
            return Var(place.name), []
        meant = self.terms(place)
        match meant:
            case typed.Known(terms=(term,)):
                return term, []
            case None:
                return _NO_MATTER, []
        var, label = self.fresh("node"), self.fresh("label")
        return var, [shapes.among(var, self.entities([(place, meant)]), self.vocabulary, label, place.span)]

    def bound(self, variable: Variable, bound: set[str]) -> None:
        if variable.name not in bound:
            message = f"no triple and no list binds ?{variable.name}"
            self.errors.append(Diagnostic("unbound", message, variable.span))

    def fresh(self, word: str) -> Var:
        """A variable of another name than those of the text."""
        while True:
            self.made += 1
            name = f"{word}_{self.made}"
            if name not in self.taken:
                return Var(name)


def _reversed(edge: Triple) -> tuple[Place, ...]:
    return (edge.object,) if isinstance(edge.predicate, Name) and edge.predicate.text.startswith(INVERSE) else ()


def _variables(part: Part) -> list[Variable]:
    match part:
        case Triple(subject, predicate, object_, confidence):
            return [place for place in (subject, predicate, object_, confidence) if isinstance(place, Variable)]
        case OneOf(variable) | Compared(variable):
            return [variable]


def _test(test: Bound | None) -> tuple[str, Literal] | None:
    return None if test is None else (test.op, shapes.number(test.number))
