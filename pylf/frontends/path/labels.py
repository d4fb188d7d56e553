"""The entities that bear labels, many labels at once."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pylf.backends.many import outcomes, pays
from pylf.errors import CompileError
from pylf.frontends.path.tree import Variable
from pylf.ir import build
from pylf.ir.nodes import Body, Form, Member, Triple
from pylf.ir.schema.names import resolve_entity
from pylf.ir.terms import Blank, Iri, Literal, Var, tagged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pylf.backends.many import Asking
    from pylf.frontends.path.tree import PathTree
    from pylf.ir.nodes import Query
    from pylf.ir.terms import Node

    #: By label, the entities that bear it; None where a query does better to look for the label itself: an entity
    #: without a name is among them, or there are too many.
    Labels = Mapping[str, tuple[Iri, ...] | None]

#: So many spellings of labels are listed in one query.
_LISTED = 400
#: So many bearers of a label are listed by name.
_MOST_BEARERS = 200


def labels_of(trees: Iterable[PathTree], asking: Asking) -> Labels:
    """Who bears the labels among the names at the nodes of paths: names that are no IRIs.

    Raises:
        EngineError: they could not be looked up.
    """
    vocabulary = asking.vocabulary
    texts = [node.text for tree in trees for node in tree.nodes if not isinstance(node, Variable)]
    wanted = [text for text in dict.fromkeys(texts) if not text.startswith("<") and not _is_id(text, asking)]
    languages = tuple(dict.fromkeys((*vocabulary.label_languages, *asking.schema.languages)))
    if not pays(asking.engine):
        found = {text: asking.engine.entities_labelled(text, vocabulary, languages) for text in wanted}
        return {text: _listed(bearers) for text, bearers in found.items()}
    bearers: dict[str, dict[Node, None]] = {text: {} for text in wanted}
    for outcome in outcomes(asking, _queries(wanted, languages, asking)):
        if not outcome.complete or outcome.answers is None:
            raise outcome.failure()
        for bearer, label in outcome.answers.rows:
            if bearer is not None and isinstance(label, Literal) and label.lexical in bearers:
                bearers[label.lexical][bearer] = None
    return {text: _listed(tuple(some)) for text, some in bearers.items()}


def _is_id(text: str, asking: Asking) -> bool:
    try:
        return resolve_entity(text, asking.vocabulary) is not None
    except CompileError:  # it is told where it stands
        return True


def _listed(bearers: tuple[Node, ...]) -> tuple[Iri, ...] | None:
    if len(bearers) > _MOST_BEARERS or any(isinstance(bearer, Blank) for bearer in bearers):
        return None
    return tuple(sorted([bearer for bearer in bearers if isinstance(bearer, Iri)], key=lambda iri: iri.value))


def _queries(texts: list[str], languages: tuple[str, ...], asking: Asking) -> Iterator[Query]:
    bearer, label = Var("bearer"), Var("label")
    rest = iter(texts)
    while some := list(islice(rest, max(1, _LISTED // len(languages)))):
        values = tuple([tagged(text, tag) if tag else Literal(text) for text in some for tag in languages])
        arms = [Body((Triple(bearer, Iri(p), label),)) for p in asking.vocabulary.label_predicates]
        yield build.query(Form.ROWS, (bearer, label), build.join(build.union(arms), Member(label, values)))
