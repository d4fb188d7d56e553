"""What emission has looked up in a schema, kept for the next query over the same schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from pylf.backends.sparql.content import Content
    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Iri


class Extension(NamedTuple):
    """What is meant by the classes of an instance-of: plain classes (as rows of inline data, which are long), relations
    whose subjects, relations whose objects."""

    plain: tuple[tuple[Iri], ...]
    subjects_of: tuple[Iri, ...]
    objects_of: tuple[Iri, ...]


class Known:
    """Answers of one schema: the content of relations, and the extensions of classes."""

    __slots__ = ("contents", "extensions")

    def __init__(self) -> None:
        self.contents: dict[str, Content] = {}
        self.extensions: dict[tuple[Iri, ...], Extension] = {}


_KNOWN: WeakKeyDictionary[Schema, Known] = WeakKeyDictionary()


def known_of(schema: Schema) -> Known:
    """What has been looked up in this schema."""
    known = _KNOWN.get(schema)
    if known is None:
        known = _KNOWN[schema] = Known()
    return known


def extension(schema: Schema, classes: tuple[Iri, ...], known: Known) -> Extension:
    """The classes meant by ``classes`` and those below: plain ones, and signature classes by their relation."""
    found = known.extensions.get(classes)
    if found is None:
        found = known.extensions[classes] = _looked_up(schema, classes)
    return found


def _looked_up(schema: Schema, classes: tuple[Iri, ...]) -> Extension:
    from pylf.ir.terms import Iri

    plain: list[tuple[Iri]] = []
    subjects_of: list[Iri] = []
    objects_of: list[Iri] = []
    for iri in dict.fromkeys([below for class_ in classes for below in schema.subclasses(class_.value)]):
        found = schema.class_(iri)
        if found is not None and found.subjects_of is not None:
            subjects_of.append(Iri(found.subjects_of))
        elif found is not None and found.objects_of is not None:
            objects_of.append(Iri(found.objects_of))
        else:
            plain.append((Iri(iri),))
    return Extension(tuple(plain), tuple(subjects_of), tuple(objects_of))
