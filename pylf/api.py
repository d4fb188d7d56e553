"""What a user calls: compile a program, look at it in any form, run it.

    >>> import pylf
    >>> q = pylf.compile("expression = STOP(JOIN('spaceflight.rocket.manufacturer', START('Boeing Company')))")
    >>> q.sparql, q.ir, q.english      # doctest: +SKIP
    >>> q.run().answers                # doctest: +SKIP

Without a graph, a schema or a vocabulary, those of the bundled graph of rockets serve.
"""

from __future__ import annotations

import functools
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pylf.errors import CompileError, EngineError, InputError, NoForm, Source, UnsupportedOperation
from pylf.forms import FORMS
from pylf.graphs import (
    KnowledgeGraph,
    as_text,
    bundled,
    bundled_schema,
    empty_schema,
    load_schema,
    load_vocabulary,
    open_kg,
    vocabulary_for,
)
from pylf.language.context import Context
from pylf.records import replace
from pylf.result import Result
from pylf.settings import Settings
from pylf.surroundings import Surroundings, surroundings

if TYPE_CHECKING:
    import datetime
    import os
    from collections.abc import Iterator

    from pylf.backends.http.endpoint import Endpoint
    from pylf.backends.sparql.dialect import Dialect
    from pylf.errors import Diagnostic
    from pylf.ir.nodes import Query
    from pylf.ir.passes.manager import Observer
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node
    from pylf.language.context import Negation
    from pylf.language.syntax import Expression
    from pylf.reading import Ties

__all__ = [
    "CompiledQuery",
    "KnowledgeGraph",
    "Result",
    "Settings",
    "bundled",
    "bundled_schema",
    "compile",
    "empty_schema",
    "load_schema",
    "load_vocabulary",
    "open_kg",
    "vocabulary_for",
]


class CompiledQuery:
    """A question, compiled: its IR, and every form it can be written in."""

    def __init__(
        self,
        text: str,
        name: str,
        source: str,
        settings: Settings,
        against: Surroundings,
    ) -> None:
        self.text = text
        self.name = name
        self.source = source
        self.settings = settings
        self.against = against
        self.schema = against.schema
        self.vocabulary = against.vocabulary
        self.graph = against.graph
        #: the verified query; and warnings (errors are raised)
        self.ir, self.diagnostics = self._read()
        if settings.all_different:
            from pylf.ir.all_different import all_different
            from pylf.ir.verify import verify

            self.ir = all_different(self.ir)
            verify(self.ir)

    def _read(self) -> tuple[Query, tuple[Diagnostic, ...]]:
        from pylf.reading import read

        settings = self.settings
        return read(self.text, self.name, self.source, self._context(), settings.inner_classes, settings.ties)

    def _context(self) -> Context:
        settings = self.settings
        return Context(
            self.schema,
            self.vocabulary,
            graph=None if self.graph is None else self.graph.engine,
            negation=settings.negation,
            lenient=settings.lenient,
            today=settings.today,
            exclude_topic=settings.exclude_topic,
            strict=settings.strict,
        )

    @functools.cached_property
    def sparql(self) -> str:
        """The query in SPARQL, in the dialect that was chosen."""
        return self.sparql_for(self.settings.dialect)

    def sparql_for(self, dialect: str | Dialect) -> str:
        """The query in SPARQL for a dialect: one of the built-in ones by name, or what an engine says it speaks.

        Raises:
            UnsupportedOperation: the dialect cannot express it.
        """
        from pylf.backends.sparql import emit

        return emit(self.ir, self.schema, self.vocabulary, dialect, self.settings.optimize)

    @functools.cached_property
    def fingerprint(self) -> str:
        """A stable hash: equal for queries that differ only in names and order."""
        from pylf.ir.canonical import fingerprint

        return fingerprint(self.ir)

    @property
    def english(self) -> str:
        """The question as one unambiguous English sentence."""
        return self.to("english")

    def to(self, form: str) -> str:
        """The question in one of :data:`pylf.forms.FORMS`, without trailing line break.

        Raises:
            InputError: there is no such form.
            NoForm: s-expressions, graph queries, chains, paths or subgraphs cannot express the question; names what
                they have no form for.
            UnsupportedOperation: the form cannot express the question.
        """
        try:
            return self._written(form)
        except NoForm as problem:
            source = Source(self.text, self.name)
            found = [d._replace(span=d.span or self.ir.span).at(source) for d in problem.diagnostics]
            raise NoForm(problem.where, found) from None
        except UnsupportedOperation as problem:
            raise self._placed(problem) from None

    def _placed(self, problem: UnsupportedOperation) -> UnsupportedOperation:
        """The error with its place in the question's text."""
        if problem.source is None:
            problem.source, problem.span = Source(self.text, self.name), problem.span or self.ir.span
        return problem

    def _written(self, form: str) -> str:
        match form:
            case "sparql":
                return self.sparql.rstrip("\n")
            case "ir":
                from pylf.ir.text import print_query

                return print_query(self.ir).rstrip("\n")
            case "json":
                import json

                from pylf.ir.json import to_json

                return json.dumps(to_json(self.ir), ensure_ascii=False, indent=2)
            case "pylf":
                from pylf.language.raise_ import raise_text

                remark = "# to be read with all_different=True\n" if self.settings.all_different else ""
                text = remark + raise_text(self._as_written().ir, self.schema, self.vocabulary).rstrip("\n")
                return self._read_again(text, form)
            case "sexpr":
                return self._read_again(self._sexpr(), form)
            case "graphquery":
                return self._read_again(self._graphquery(), form)
            case "chain":
                return self._read_again(self._chain(), form)
            case "path":
                from pylf.frontends.path import from_ir
                from pylf.frontends.path import printer as path_printer

                return self._read_again(path_printer.print_path(from_ir.from_query(self.ir, self._context())), form)
            case "subgraph":
                from pylf.frontends.subgraph.raise_ import raise_text as subgraph_text

                with self._no_form("subgraphs"):
                    text = subgraph_text(self.ir, self.schema, self.vocabulary).rstrip("\n")
                return self._read_again(text, form)
            case "english":
                from pylf.render.english import sentence

                return sentence(self.ir, self.schema, self.vocabulary, self._labels())
            case "dot" | "svg" | "mermaid":
                from pylf.render import picture

                return picture.draw(self.ir, self.schema, self.vocabulary, form, self._labels()).rstrip("\n")
        raise InputError(f"there is no form {form!r}; the forms are {', '.join(FORMS)}")

    def _read_again(self, text: str, form: str) -> str:
        """What was written, after it has been seen to say the same where all nodes differ: which pairs are told apart
        goes by what is known of each node, and other words may tell less."""
        if self.settings.all_different:
            from pylf.language.reworded import same_but_for_words

            again = CompiledQuery(text, self.name, form, self.settings, self.against)
            if not same_but_for_words(again.ir, self.ir):
                raise UnsupportedOperation("a question whose nodes all differ, and which is worded otherwise,", form)
        return text

    def _sexpr(self) -> str:
        from pylf.frontends.sexpr import from_pylf, printer

        with self._no_form("s-expressions"):
            return printer.print_expression(from_pylf.from_expression(self._expression(), self.schema, self.vocabulary))

    def _graphquery(self) -> str:
        import json

        from pylf.frontends.graphquery import from_pylf, writer

        inner_classes = self.settings.inner_classes
        with self._no_form("graph queries"):
            graph = from_pylf.from_expression(self._expression(), self.schema, self.vocabulary, inner_classes)
        return json.dumps(writer.to_json(graph), ensure_ascii=False, indent=2)

    def _chain(self) -> str:
        from pylf.frontends.chain import from_pylf, printer

        with self._no_form("chains"):
            return printer.print_chain(from_pylf.from_expression(self._expression(), self.schema, self.vocabulary))

    def _expression(self) -> Expression:
        """The question as one nested PyLF expression."""
        from pylf.language.raise_ import raise_expression

        plain = self._as_written(exclude_topic=False)
        return raise_expression(plain.ir, self.schema, self.vocabulary).expression

    def _as_written(self, exclude_topic: bool | None = None) -> CompiledQuery:
        """The question without what an option adds to it and the form to be written has no words for: the form is read
        with the same option. PyLF can say that a topic is no answer."""
        settings = self.settings
        exclude = settings.exclude_topic if exclude_topic is None else exclude_topic
        if not settings.all_different and exclude == settings.exclude_topic:
            return self
        settings = replace(settings, all_different=False, exclude_topic=exclude)
        return CompiledQuery(self.text, self.name, self.source, settings, self.against)

    @contextmanager
    def _no_form(self, form: str) -> Iterator[None]:
        """Findings about a question that was compiled are about the form it is written in, at their places in its
        text; and what PyLF has no form for, which lies between, that form has none for either."""
        try:
            yield
        except NoForm:
            raise
        except UnsupportedOperation as problem:
            raise UnsupportedOperation(problem.operator, form, problem.span) from None
        except CompileError as refused:
            source = Source(self.text, self.name)
            raise NoForm(form, (d.at(source) for d in refused.diagnostics)) from None

    def _labels(self) -> dict[Node, str]:
        """The labels of the entities that the query mentions, as far as a graph at hand has them and they tell the
        entities apart."""
        if self.graph is None:
            return {}
        from pylf.ir.nodes import Member
        from pylf.ir.terms import Iri
        from pylf.ir.traverse import terms, walk

        named = [t for c in walk(self.ir) for t in (*terms(c), *(c.values if isinstance(c, Member) else ()))]
        labels = self.graph.labels(tuple(t for t in named if isinstance(t, Iri)))
        languages = (*self.vocabulary.label_languages, *self.schema.languages)
        alike = self.graph.engine.entities_labelled
        return {n: label for n, label in labels.items() if alike(label, self.vocabulary, languages) == (n,)}

    def run(
        self,
        kg: KnowledgeGraph | Endpoint | str | os.PathLike[str] | None = None,
        timeout: float | None = None,
        allow_partial: bool = False,
    ) -> Result:
        """Ask a graph: the one compiled against, the given one, or the bundled one.

        For a graph other than the one compiled against, the text is compiled again: labels become that graph's
        entities, and the schema is that graph's, under the one that was chosen, if any.
        ``timeout`` is in seconds; with one, even ``math.inf``, Ctrl-C is heard while the engine works. At an endpoint
        it is for all that is asked there: opening it, look-ups, and the query. On a graph in a folder it ends the
        query; on one in memory the query is given up, and goes on until it is done. With ``allow_partial`` answers of
        which some are missing are given too; ``result.outcome`` tells.

        Raises:
            EngineError: there are no complete answers. Its ``status`` tells a time-out from a refusal and a failure;
                an :class:`~pylf.backends.outcome.IncompleteAnswer` holds what did come.
            CompileError: the program does not go with the graph.
            InputError: there is no such graph, or it needs a schema.
        """
        result = self.attempt(kg, timeout)
        if not result.outcome.complete and not (allow_partial and result.outcome.answers is not None):
            raise result.outcome.failure()
        return result

    def attempt(
        self, kg: KnowledgeGraph | Endpoint | str | os.PathLike[str] | None = None, timeout: float | None = None
    ) -> Result:
        """As :meth:`run`, for whoever records what came of it: a time-out, a refusal, a failure and incomplete answers
        are outcomes of the result, not errors, whether the query met with them, the look-up of a label or the opening
        of an endpoint. Of one that could not be opened, ``result.graph`` has the schema of this query.

        Raises:
            CompileError: the program does not go with the graph.
            UnsupportedOperation: the graph's engine cannot be asked the question.
            InputError: there is no such graph, or it needs a schema.
        """
        from pylf.backends.execute import asked
        from pylf.backends.outcome import failed
        from pylf.backends.patience import within

        began = time.monotonic()
        with within(timeout):
            try:
                graph = self.against.opened(kg)
            except EngineError as problem:
                assert kg is not None
                assert not isinstance(kg, KnowledgeGraph)
                # with a schema, nothing is asked of an endpoint
                unopened = open_kg(kg, schema=self.schema, vocabulary=self.vocabulary)
                return Result(failed(problem, began), self, unopened)
            query = self
            if self.graph is not graph:
                try:
                    query = CompiledQuery(self.text, self.name, self.source, self.settings, self.against.at(graph))
                except EngineError as problem:
                    return Result(failed(problem, began), self, graph)
            try:
                outcome = asked(
                    graph.engine, query.ir, query.schema, query.vocabulary, self.settings.optimize, timeout, graph.cache
                )
            except UnsupportedOperation as problem:
                raise query._placed(problem) from None
        return Result(outcome, query, graph)

    def optimized(self, observer: Observer | None = None) -> Query:
        """The IR as the passes of the chosen level leave it for the chosen dialect; ``observer`` is told of each pass
        that ran (:class:`pylf.ir.passes.watch.Watch` is one)."""
        from pylf.backends.dialects import dialect_named
        from pylf.backends.sparql import planned

        settings = self.settings
        dialect = dialect_named(settings.dialect)
        return planned(self.ir, self.schema, self.vocabulary, dialect, settings.optimize, observer)

    def explain(self) -> str:
        """English, IR, what each pass changed of it, how many rows each conjunct is estimated to have and, on a graph
        in memory or in a folder, has (counting may take some seconds), and SPARQL, one below the other."""
        from pylf.explained import explained

        parts = [("Question", self.english), ("IR", self.to("ir"))]
        parts += [*explained(self).sections(), ("SPARQL", self.to("sparql"))]
        return "\n\n".join([f"# {title}\n{text}" for title, text in parts])

    def __repr__(self) -> str:
        return f"<CompiledQuery {self.name}: {self.ir.form.value} {self.fingerprint[:12]}>"

    def _repr_html_(self) -> str:
        from pylf.render.notebook import query_html

        return query_html(self)


def compile(
    text: str,
    *,
    kg: KnowledgeGraph | str | os.PathLike[str] | None = None,
    schema: Schema | str | os.PathLike[str] | None = None,
    vocabulary: Vocabulary | str | os.PathLike[str] | None = None,
    source: str = "pylf",
    name: str = "<program>",
    negation: Negation = "cwa",
    dialect: str = "sparql11",
    optimize: int = 1,
    strict: bool = False,
    lenient: bool = False,
    exclude_topic: bool = False,
    today: str | datetime.date | None = None,
    inner_classes: bool = False,
    all_different: bool = False,
    ties: Ties = "kept",
) -> CompiledQuery:
    """Compile a question.

    ``text`` is in the form that ``source`` names (one of :data:`pylf.forms.SOURCES`) and is parsed, never executed.
    ``kg`` is a graph at hand: its schema and vocabulary serve unless others are given, and labels become entities.
    ``schema`` and ``vocabulary`` may be objects, or paths and built-in names. ``negation`` is the reading of
    ``neg=True`` (``cwa`` or ``pca``); ``optimize`` 0 is the plain SPARQL, 1 the shapes that the dialect's engine likes,
    2 those after every pass of the optimizer; ``strict`` refuses extensions of PyLF, spellings that SPARQL 1.1 does not
    have, and names that the schema does not list; ``lenient`` turns type clashes into warnings and empty sets (SPARQL
    knows none: what clashes is empty there); ``exclude_topic`` removes the program's own entities from its answers;
    ``today`` is what ``'NOW'`` and SPARQL's ``NOW()`` mean; ``inner_classes`` asks for the classes of a graph query's
    inner nodes too; ``all_different`` lets no two nodes of the question be one entity, as GrailQA's SPARQL has it;
    ``ties`` says what SPARQL's ``ORDER BY … LIMIT k`` does with what ties at the last place: it is ``kept``, as all
    other forms have it, or ``cut``, as SPARQL has it, which leaves to the engine what is left out.

    Raises:
        CompileError: the text is not a well-typed program; every finding is in ``.diagnostics``.
        InvalidIR: hand-written IR breaks a rule.
        InputError: a schema, a vocabulary or a graph cannot be read, or there is no such choice.
        EngineError: an endpoint fails, or does not answer, while it is opened or names are looked up there
            (:func:`pylf.backends.patience.within` limits how long that may take).
    """
    if not isinstance(text, str):  # what a caller without a type checker passes
        raise InputError(f"a question is text, not {type(text).__name__}")
    settings = Settings(
        negation,
        dialect,
        optimize,
        strict,
        lenient,
        exclude_topic,
        None if today is None else str(today),
        inner_classes,
        all_different,
        ties,
    )
    settings.check(source)
    against = surroundings(as_text(kg), as_text(schema), as_text(vocabulary))
    return CompiledQuery(text, name, source, settings, against)
