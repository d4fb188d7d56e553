"""Wikidata's label service: ``?xLabel`` is a label of ``?x`` in the first of some languages that has one, else its id;
``?xDescription`` is its description, found likewise. Both may be given other names by a triple within the service.

Source: Wikidata Query Service user manual (mediawiki.org), "Label service".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.frontends.sparql import syntax
from pylf.frontends.sparql.mentions import key_of
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Body, Condition, Extend, LeftJoin, Triple
from pylf.ir.terms import RDFS, Iri, Literal, Var

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.errors import Span
    from pylf.frontends.sparql.lower import Lowering
    from pylf.frontends.sparql.scope import Part, Scope
    from pylf.ir.expressions import Expression

_SERVICE = "http://wikiba.se/ontology#label"
_LANGUAGE = "http://wikiba.se/ontology#language"
_PARAMETER = "http://www.bigdata.com/rdf#serviceParam"
_LABEL = RDFS + "label"
_DESCRIPTION = "http://schema.org/description"
_OTHER_NAMES = "http://www.w3.org/2004/02/skos/core#altLabel"
#: How the names of variables end for which the service has values, and of what; the longer before the shorter.
_ENDINGS = (("AltLabel", _OTHER_NAMES), ("Label", _LABEL), ("Description", _DESCRIPTION))


class _Asked(NamedTuple):
    """The variable of the key ``result`` is to have what ``relation`` says of ``item``."""

    item: syntax.At
    relation: str
    result: str
    span: Span


def labels_of(low: Lowering, service: syntax.Service, part: Part, scope: Scope, used: frozenset[str]) -> bool:
    """Add the labels that are asked for; False where this is another service. It serves what the part binds by now;
    what nothing looks at (``used`` are the keys that something does) is left out, since it takes no solution away.

    Raises:
        CompileError: ``unsupported-service`` for another parameter or pattern within, and for other names, which come
            as one string; ``open-variable`` for a label of what may have no value; ``bound-twice``.
    """
    if service.name.term != Iri(_SERVICE):
        return False
    languages, asked = _read(low, service)
    named = {one.result for one in asked}
    asked += [one for one in _implied(service, part, used) if one.result not in named]
    for one in asked:
        if one.result in used:
            _add(low, one, languages, part, scope)
    return True


def served(keys: Iterable[str]) -> set[str]:
    """The keys of the variables whose labels or descriptions some keys may be; a label looks at what it is one of."""
    return {key.removesuffix(ending) for key in keys for ending, _ in _ENDINGS if key.endswith(ending)}


def _read(low: Lowering, service: syntax.Service) -> tuple[list[str], list[_Asked]]:
    """The languages, in their order, and what is asked for by triples."""
    languages: list[str] = []
    asked: list[_Asked] = []
    for pattern in service.group.parts:
        match pattern:
            case syntax.Triple(syntax.At(Iri(parameter)), syntax.At(Iri(relation)), syntax.At(Literal(lexical))) if (
                parameter == _PARAMETER and relation == _LANGUAGE
            ):
                languages += [tag.strip().lower() for tag in lexical.split(",")]
            case syntax.Triple(item, syntax.At(Iri(relation)), object_, span) if (
                relation in (_LABEL, _DESCRIPTION, _OTHER_NAMES) and key_of(object_.term) is not None
            ):
                asked.append(_Asked(item, relation, str(key_of(object_.term)), span))
            case _:
                low.refuse(
                    "unsupported-service",
                    "the label service is asked by its languages, rdfs:label and schema:description alone",
                    pattern.span,
                )
    return [tag for tag in dict.fromkeys(languages) if tag and not tag.startswith("[")] or ["en"], asked


def _implied(service: syntax.Service, part: Part, used: frozenset[str]) -> Iterator[_Asked]:
    """What is asked for by the names of variables that nothing else binds."""
    for key in sorted(used):
        if part.visible(key) is not None or key in part.partial:
            continue
        for ending, relation in _ENDINGS:
            base = key.removesuffix(ending)
            if base != key and (part.visible(base) is not None or base in part.partial):
                yield _Asked(syntax.At(Var(base), service.span), relation, key, service.span)
                break


def _add(low: Lowering, asked: _Asked, languages: list[str], part: Part, scope: Scope) -> None:
    item, span = _item(low, asked, part, scope), asked.span
    key = asked.result
    if asked.relation == _OTHER_NAMES:
        low.refuse("unsupported-service", f"?{key} would be all other names of it as one string", span)
    if part.visible(key) is not None or key in scope.given or key in part.partial:
        low.refuse("bound-twice", f"?{key} has a value already where the label service would give it one", span)
    found: list[Expression] = []
    for language in languages:
        label = scope.hidden(key)
        wanted = Condition(Apply("=", (Apply("lang", (label,)), Literal(language))), span)
        part.conjuncts.append(LeftJoin(Body((Triple(item, Iri(asked.relation), label, span), wanted)), span))
        found.append(label)
    if asked.relation == _LABEL:
        found.append(Apply("strafter", (Apply("str", (item,)), Literal("/entity/"))))
    result = scope.var(key)
    part.conjuncts.append(Extend(result, Apply("coalesce", tuple(found)), span))
    part.open[key] = result


def _item(low: Lowering, asked: _Asked, part: Part, scope: Scope) -> Var | Iri:
    """What a label is asked of."""
    term = asked.item.term
    key = key_of(term)
    if key in part.open or key in part.partial:
        low.refuse(
            "open-variable",
            f"the label service is asked for ?{asked.result}, and what it is a label of may have no value",
            asked.span,
            "write a SERVICE for it into the OPTIONAL, or ask for rdfs:label there",
        )
    if isinstance(term, Iri):
        return term
    if key is None or (key not in part.certain and key not in scope.given):
        low.refuse("unsupported-service", "the label service is asked of what nothing beside it binds", asked.span)
    return part.certain.get(key) or scope.var(key)
