"""From names as people write them to IRIs and literals, by the conventions of a vocabulary; and back.

Nothing here looks at a schema or a graph, except :func:`relation_name` and :func:`class_name`, which look for the
shortest name that means one thing, and :func:`nearest`. Every function that reads ``<IRI>`` raises
:class:`CompileError` with a diagnostic ``illegal-iri``, without a place, where what stands in the brackets is no IRI.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.ir.dates import as_spelled
from pylf.ir.schema.memory import local_name
from pylf.ir.terms import ILLEGAL_IN_IRI, RDF_LANG_STRING, XSD, XSD_NAMES, Iri, Literal, tagged

if TYPE_CHECKING:
    import re

    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary


def check_iri(iri: str) -> str:
    """The IRI itself.

    Raises:
        CompileError: code ``illegal-iri``; names what the text holds or lacks that an absolute IRI may not (RFC 3987).
    """
    illegal = ILLEGAL_IN_IRI.intersection(iri)
    if illegal:
        named = " or ".join(_character(c) for c in sorted(illegal))
        raise _illegal(f"<{iri}> is not an IRI: it may not hold {named}", "write such characters percent-encoded: %20")
    scheme, colon, rest = iri.partition(":")
    if not colon or not _is_scheme(scheme):
        raise _illegal(f"<{iri}> is not a full IRI: it lacks a scheme such as http:")
    if rest.count("#") > 1:
        raise _illegal(f"<{iri}> is not an IRI: it may hold '#' once", "write the other percent-encoded: %23")
    if "[" in rest or "]" in rest:
        host = rest[2:].partition("/")[0] if rest.startswith("//") else ""
        address, bracket, port = host.partition("]")
        numeric = address[:1] == "[" and bracket and port[:1] in ("", ":") and "[" not in address[1:]
        if not numeric or not {"[", "]"}.isdisjoint(rest[2 + len(host) :] + port):
            raise _illegal(f"<{iri}> is not an IRI: brackets stand around a numeric host alone", "write %5B and %5D")
    return iri


def expand(name: str, vocabulary: Vocabulary) -> str | None:
    """The IRI that ``<IRI>`` or a CURIE of a known prefix (``wd:Q66``, ``:f``) stands for; None for other names."""
    if name[:1] == "<" and name[-1:] == ">":
        return check_iri(name[1:-1])
    prefix, colon, local = name.partition(":")
    if not colon or not local:
        return None
    namespace = vocabulary.prefixes.get(prefix)
    if namespace is None or not ILLEGAL_IN_IRI.isdisjoint(local):
        return None
    return namespace + local


@lru_cache(maxsize=8192)
def resolve_entity(name: str, vocabulary: Vocabulary) -> Iri | None:
    """The entity that an ``<IRI>``, a CURIE or an id of the vocabulary (``m.0178g``, where paths are names also
    ``/m/0178g``) names; None for a label."""
    iri = expand(name, vocabulary)
    if iri is None and vocabulary.entity_pattern is not None:
        name = _dotted(name, vocabulary)
        if _matches(vocabulary.entity_pattern, name):
            iri = (vocabulary.entity_namespace or "") + name
    return None if iri is None else Iri(iri)


@lru_cache(maxsize=8192)
def resolve_relation_iri(name: str, vocabulary: Vocabulary) -> str | None:
    """The IRI that a relation's name (without ``R_``) stands for by itself; None where the schema has to know it."""
    iri = expand(name, vocabulary)
    if iri is None and vocabulary.relation_pattern is not None:
        name = _dotted(name, vocabulary)
        if _matches(vocabulary.relation_pattern, name):
            iri = (vocabulary.relation_namespace or "") + name
    return iri


def resolve_datatype(name: str, vocabulary: Vocabulary) -> str | None:
    """The datatype that ``<IRI>``, a CURIE (``xsd:`` is always known), a short name (``type.float``) or an IRI without
    brackets (``http://…``, ``urn:isbn:…``) names. What else has a colon is a CURIE of an unknown prefix, and names
    none."""
    known = vocabulary.datatypes.get(_dotted(name, vocabulary)) or expand(name, vocabulary)
    if known is None and name.startswith("xsd:"):
        known = XSD + name[4:]
    elif known is None:
        scheme, _, rest = name.partition(":")
        absolute = rest.startswith("/") or (scheme == "urn" and rest != "")
        known = name if absolute and _is_scheme(scheme) and ILLEGAL_IN_IRI.isdisjoint(name) else None
    # XML Schema's own are known by name, so that a slip is seen
    return None if known is not None and known.startswith(XSD) and known[len(XSD) :] not in XSD_NAMES else known


def datatype_name(iri: str) -> str:
    """The name from which :func:`resolve_datatype` gives a datatype back, whatever the vocabulary: ``xsd:date``, else
    ``<IRI>``."""
    name = iri[len(XSD) :] if iri.startswith(XSD) else ""
    return f"xsd:{name}" if name.isalpha() else f"<{iri}>"


def resolve_literal(text: str, vocabulary: Vocabulary) -> Literal | None:
    """The literal that ``'2008-05-01^^xsd:date'`` or ``'Delta@en'`` spells, or None for any other text.

    A date has the datatype that it is spelled as. A tag is two or three letters, with subtags: ``me@home`` is no tagged
    string.
    """
    lexical, mark, name = text.rpartition("^^")
    if mark:
        datatype = resolve_datatype(name, vocabulary)
        return None if datatype is None or datatype == RDF_LANG_STRING else as_spelled(Literal(lexical, datatype))
    lexical, mark, tag = text.rpartition("@")
    return tagged(lexical, tag) if mark and lexical and _is_language(tag) else None


def literal_name(literal: Literal) -> str:
    """The text from which :func:`resolve_literal` gives a literal back: ``Delta@en``, ``2008-05-01^^xsd:date``."""
    if literal.language is not None:
        return f"{literal.lexical}@{literal.language}"
    return f"{literal.lexical}^^{datatype_name(literal.datatype)}"


def shorten(iri: str, vocabulary: Vocabulary) -> str:
    """The shortest name from which :func:`resolve_entity` and :func:`resolve_relation_iri` give this IRI back:
    an id of the vocabulary's pattern, a CURIE, else ``<IRI>``."""
    for namespace, pattern in (
        (vocabulary.entity_namespace, vocabulary.entity_pattern),
        (vocabulary.relation_namespace, vocabulary.relation_pattern),
    ):
        if namespace is not None and pattern is not None and iri.startswith(namespace):
            name = iri[len(namespace) :]
            if _matches(pattern, name) and expand(name, vocabulary) is None:
                return name
    best = f"<{iri}>"
    for prefix, namespace in vocabulary.prefixes.items():
        if iri.startswith(namespace) and len(iri) > len(namespace):
            name = f"{prefix}:{iri[len(namespace) :]}"
            if (len(name), name) < (len(best), best):
                best = name
    return best


def relation_name(iri: str, schema: Schema, vocabulary: Vocabulary) -> str:
    """A name by which a program may call a relation: its local name where that means this one alone."""
    local = local_name(iri)
    # A local name that begins like a reversed relation would be read as one.
    if local and not local.startswith("R_") and schema.relations_named(local) == (iri,):
        try:
            by_vocabulary = resolve_relation_iri(local, vocabulary)
        except CompileError:
            by_vocabulary = ""
        if by_vocabulary in (None, iri):
            return local
    return shorten(iri, vocabulary)


def class_name(iri: str, schema: Schema, vocabulary: Vocabulary) -> str:
    """A name by which a program may call a class: its local name, or its label, where that means this one alone."""
    found = schema.class_(iri)
    for name in (local_name(iri), found.label if found is not None else None):
        if name and schema.classes_named(name) == (iri,):
            try:
                by_vocabulary = resolve_entity(name, vocabulary)
            except CompileError:
                continue
            if by_vocabulary is None or by_vocabulary.value == iri:
                return name
    return shorten(iri, vocabulary)


def nearest(
    name: str, schema: Schema, kind: str = "relation", class_iri: str | None = None, limit: int = 3
) -> tuple[str, ...]:
    """Names of relations or classes (``kind``) that may have been meant, best first; see
    :func:`pylf.ir.schema.nearness.nearest`."""
    from pylf.ir.schema import nearness

    return nearness.nearest(name, schema, kind, class_iri, limit)


def _dotted(name: str, vocabulary: Vocabulary) -> str:
    """A name that is written as a path as the vocabulary writes it."""
    return name[1:].replace("/", ".") if vocabulary.slashes and name[:1] == "/" else name


def _illegal(message: str, *hints: str) -> CompileError:
    return CompileError((Diagnostic("illegal-iri", message, hints=hints),))


def _matches(pattern: str, name: str) -> bool:
    return _compiled(pattern).fullmatch(name) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    import re

    return re.compile(pattern)


def _is_scheme(text: str) -> bool:
    return text.isascii() and text[:1].isalpha() and all(c.isalnum() or c in "+-." for c in text)


def _is_language(tag: str) -> bool:
    first, *others = tag.split("-")
    return (
        tag.isascii()
        and len(first) in (2, 3)
        and first.isalpha()
        and all(part.isalnum() and len(part) <= 8 for part in others)
    )


def _character(character: str) -> str:
    if character == " ":
        return "a space"
    return f"'{character}'" if character.isprintable() else f"the control character U+{ord(character):04X}"
