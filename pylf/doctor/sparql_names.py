"""SPARQL as somebody wrote it: the names in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.backends.missing import Named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


def names_in(text: str, types: Collection[str]) -> tuple[Named, ...]:
    """What the patterns of a SPARQL text name, in order; none where it could not be taken apart. ``types`` are the
    predicates that lead to classes. Imports rdflib."""
    return tuple(dict.fromkeys(_names(text, types)))


def _names(text: str, types: Collection[str]) -> Iterator[Named]:
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        algebra = translateQuery(parseQuery(text)).algebra
    except Exception:  # noqa: BLE001 (its parser raises bare Exception, and errors of its own; the engine is to judge)
        return
    yield from _walked(algebra, types)


def _walked(root: Any, types: Collection[str]) -> Iterator[Named]:
    from rdflib import URIRef
    from rdflib.paths import Path

    todo: list[Any] = [root]
    seen: set[int] = set()
    while todo:
        at = todo.pop()
        if id(at) in seen:
            continue
        if isinstance(at, dict):
            seen.add(id(at))
            for subject, predicate, object_ in dict.get(at, "triples") or ():  # its own get is another
                typed = isinstance(predicate, URIRef) and str(predicate) in types
                if isinstance(subject, URIRef):
                    yield Named("entity", str(subject))
                if isinstance(predicate, URIRef) and not typed:
                    yield Named("relation", str(predicate))
                elif isinstance(predicate, Path):
                    yield from [Named("relation", each) for each in _of_path(predicate)]
                if isinstance(object_, URIRef):
                    yield Named("class" if typed else "entity", str(object_))
            # a cast is named like any other function: no part of the data
            parts = [value for key, value in at.items() if key not in ("triples", "iri", "datatype")]
            todo.extend(reversed(parts))
        elif isinstance(at, list | tuple):
            todo.extend(reversed(at))
        elif isinstance(at, URIRef):
            yield Named("entity", str(at))


def _of_path(path: Any) -> list[str]:
    from rdflib import URIRef

    found: list[str] = []
    todo = [path]
    while todo:
        at = todo.pop()
        if isinstance(at, URIRef):
            found.append(str(at))
        else:
            todo += [
                *reversed(getattr(at, "args", ())),
                *[x for x in (getattr(at, "arg", None), getattr(at, "path", None)) if x is not None],
            ]
    return found
