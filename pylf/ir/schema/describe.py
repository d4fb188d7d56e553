"""A schema as plain data to be printed: an overview, and what is known of a relation or a class by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.ir.schema.memory import local_name
from pylf.ir.schema.model import COUNTS
from pylf.ir.schema.names import nearest, resolve_entity, resolve_relation_iri
from pylf.ir.schema.nearness import relations_at

if TYPE_CHECKING:
    from pylf.ir.schema.model import Class, Relation, Schema, ValueProfile
    from pylf.ir.schema.vocabulary import Vocabulary

Data = dict[str, object]

_MAX_LISTED = 50


def overview(schema: Schema) -> Data:
    """The whole schema in numbers: ``relations, classes, signature_classes, triples, inverse_pairs``, its remarks
    (``source, sound, …``, where known), and the relations with the most triples as ``largest``."""
    relations = list(schema.source.all_relations())
    classes = list(schema.source.all_classes())
    signatures = sum(1 for c in classes if c.subjects_of is not None or c.objects_of is not None)
    largest = sorted((r for r in relations if r.triples), key=lambda r: (-(r.triples or 0), r.iri))[:10]
    found: Data = {
        "relations": len(relations),
        "classes": len(classes) - signatures,
        "signature_classes": signatures,
        "triples": sum(r.triples or 0 for r in relations),
        "inverse_pairs": sum(1 for r in relations if r.inverse is not None and r.iri < r.inverse),
    }
    for key in ("source", "snapshot", "vocabulary", "sound", "disjoint", "inverses"):
        remark = schema.source.meta(key)
        if remark is not None:
            found[key] = remark
    if schema.languages:
        found["label_languages"] = list(schema.languages)
    found["largest"] = [{"iri": r.iri, "triples": r.triples} for r in largest]
    return found


def describe(schema: Schema, name: str, vocabulary: Vocabulary | None = None) -> Data:
    """What is known by a name (local name, label, ``<IRI>`` or, with a vocabulary, CURIE or id).

    ``{"name", "relations": […], "classes": […]}``, each as :func:`describe_relation` and :func:`describe_class` give.

    Raises:
        InputError: nothing is known by it; gives the nearest names.
    """
    relations = [r for iri in _named(schema, name, "relation", vocabulary) if (r := schema.relation(iri)) is not None]
    classes = [c for iri in _named(schema, name, "class", vocabulary) if (c := schema.class_(iri)) is not None]
    if not relations and not classes:
        near = [*nearest(name, schema, "relation"), *nearest(name, schema, "class")]
        lead = "the nearest name is" if len(near) == 1 else "the nearest names are"
        hint = f"; {lead} {', '.join(map(repr, near))}" if near else ""
        raise InputError(f"the schema has no relation and no class {name!r}{hint}")
    return {
        "name": name,
        "relations": [describe_relation(schema, r) for r in relations],
        "classes": [describe_class(schema, c) for c in classes],
    }


def describe_relation(schema: Schema, relation: Relation) -> Data:
    """A relation: ``iri, label, domain, range, datatypes, inverse, functional, symmetric, inferred, statistics``.

    Domain and range are lists (all hold) of lists (one of them holds) of ``{"iri", "label"}``. ``statistics`` holds
    ``triples, subjects, objects, domain_support, range_support, values``, each where it is known.
    """
    found: Data = {"kind": "relation", "iri": relation.iri}
    if relation.label is not None:
        found["label"] = relation.label
    found["domain"] = _unions(schema, relation.domain)
    found["range"] = _unions(schema, relation.range)
    found["datatypes"] = list(relation.datatypes)
    if relation.literal is not None:
        found["objects_are"] = "literals" if relation.literal else "entities"
    found["inverse"] = relation.inverse
    found["functional"] = relation.functional
    found["symmetric"] = relation.symmetric
    found["inferred"] = list(relation.inferred)
    counts = {
        key: value
        for key in ("triples", "subjects", "objects", "domain_support", "range_support")
        if (value := getattr(relation, key)) is not None
    }
    if relation.profile is not None:
        counts["values"] = _values(relation.profile)
    found["statistics"] = counts
    return found


def describe_class(schema: Schema, found: Class) -> Data:
    """A class: ``iri, label, parents, subclasses, disjoint_with, instances, compound, relations`` (each with whether
    the class is at its far end, so that a program writes ``R_``; those of superclasses too), and for a signature class
    ``subjects_of`` or ``objects_of``."""
    data: Data = {"kind": "class", "iri": found.iri}
    if found.label is not None:
        data["label"] = found.label
    data["parents"] = [_thing(schema, iri) for iri in found.parents]
    children = schema.source.children(found.iri)
    data["subclasses"] = [_thing(schema, iri) for iri in children[:_MAX_LISTED]]
    if len(children) > _MAX_LISTED:
        data["subclasses_in_all"] = len(children)
    data["disjoint_with"] = [_thing(schema, iri) for iri in found.disjoint]
    data["instances"] = found.instances
    data["compound"] = found.compound
    for key in ("subjects_of", "objects_of"):
        relation = getattr(found, key)
        if relation is not None:
            data[key] = relation
    data["relations"] = [
        {"iri": iri, "name": f"{'R_' if reverse else ''}{local_name(iri)}", "reversed": reverse}
        for iri, reverse in relations_at(found.iri, schema)
    ]
    return data


def _named(schema: Schema, name: str, kind: str, vocabulary: Vocabulary | None) -> tuple[str, ...]:
    known = schema.relation if kind == "relation" else schema.class_
    if vocabulary is not None:
        entity = resolve_entity(name, vocabulary)
        for iri in (resolve_relation_iri(name, vocabulary), entity.value if entity is not None else None):
            if iri is not None and known(iri) is not None:
                return (iri,)
    bare = name.removeprefix("<").removesuffix(">")
    if known(bare) is not None:
        return (bare,)
    return schema.relations_named(name) if kind == "relation" else schema.classes_named(name)


def _unions(schema: Schema, unions: tuple[tuple[str, ...], ...]) -> list[list[Data]]:
    return [[_thing(schema, iri) for iri in union] for union in unions]


def _thing(schema: Schema, iri: str) -> Data:
    found = schema.class_(iri)
    return {"iri": iri, "label": found.label if found is not None and found.label is not None else local_name(iri)}


def _values(profile: ValueProfile) -> Data:
    """The kinds of values that occur, with their numbers, and what is special about them."""
    found: Data = {name: count for name in COUNTS if (count := getattr(profile, name))}
    if profile.languages:
        found["languages"] = list(profile.languages)
    return found
