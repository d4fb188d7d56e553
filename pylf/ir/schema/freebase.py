"""Freebase's own schema files, as GrailQA and Freebase-Setup hand them on.

A folder holds some of these, each plain or with ``.gz`` behind its name; parts of a line are set apart by white space.

``fb_roles``
    domain, relation, range. Always there.
``fb_types``
    class, ``meta.subclassOf``, class above it, and perhaps a full stop.
``reverse_properties``
    two relations that say the same in opposite directions.
``numeric_properties``
    relation, and the datatype of its values: ``type.int``, ``type.float`` or ``type.boolean``.

A line that does not have this form is reported and left out: nothing of it is guessed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pylf.errors import Diagnostic, InputError, Source, Span, reason
from pylf.ir.schema.files import add_file, add_files, is_file, open_plain_or_gzip, read_bounded
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.records import record

if TYPE_CHECKING:
    import hashlib
    from collections.abc import Callable, Collection, Container, Iterable, Mapping

    from pylf.ir.schema.vocabulary import Vocabulary

    _Unions = tuple[tuple[str, ...], ...]

#: the one file that a folder has to hold
ROLES = "fb_roles"
TYPES = "fb_types"
PAIRS = "reverse_properties"
NUMBERS = "numeric_properties"
FILES = (ROLES, TYPES, PAIRS, NUMBERS)

#: the vocabulary that is built in for these names
VOCABULARY = "freebase"
NAMESPACE = "http://rdf.freebase.com/ns/"
TOPIC = "common.topic"

#: Freebase's files take 2 MB at most; what is larger than this is something else
_LARGEST = 200_000_000
#: and so is a line: three names have 300 characters at most
_LONGEST_LINE = 2_000
#: so many lines that are left out are told one by one
_MOST_FINDINGS = 10_000
#: Every object is one, so it tells nothing of any.
_OBJECT = "type.object"
#: Its values are IRIs in some dumps, and literals in others.
_EITHER = frozenset(("type.uri",))
#: Its values are keys of other people's registers: numbers for ISO's countries and Netflix's films, letters elsewhere.
_KEYS = frozenset(("type.enumeration",))
#: Every class is one.
_CLASS = "type.type"
#: What Freebase's dumps hold and none of the files lists, besides relations to classes: a count that the server keeps.
_COUNTS = {"topic_server.population_number": "type.int"}
#: Freebase's books about itself: their objects have no names, but stand for no relationship either
_BOOKS = ("type.", "freebase.", "dataworld.", "pipeline.", "common.")
#: but for these of them
_MEDIATORS = frozenset(("common.license_usage", "common.notable_for", "common.phone_number", "common.webpage"))

_NAME = r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+"
_FORMS = {
    ROLES: rf"({_NAME})\s+({_NAME})\s+({_NAME})",
    TYPES: rf"({_NAME})\s+meta\.subclassOf\s+({_NAME})(?:\s+\.)?",
    PAIRS: rf"({_NAME})\s+({_NAME})",
    NUMBERS: rf"(?!m\.)({_NAME})\s+({_NAME})",
}


@record
class _Problem:
    """Why a line is left out: the code of the diagnostic that says so, and what it says."""

    code: str
    message: str


_UNNAMED = _Problem("unnamed-relation", "the relation is given by its machine id, by which no data calls it: left out")


def is_folder(path: str) -> bool:
    """Whether Freebase's schema files lie in this folder."""
    return _file(path, ROLES) is not None


def files(folder: str) -> tuple[str, ...]:
    """The paths of the schema files that a folder holds."""
    found = (_file(folder, name) for name in FILES)
    return tuple([path for path in found if path is not None])


def add_contents(key: hashlib._Hash, path: str) -> bool:
    """Add to a hash what a schema's path holds: a file, or a folder of Freebase's schema files. False where it is
    neither.

    Raises:
        OSError: a file cannot be read.
    """
    if is_file(path):
        add_file(key, path)
        return True
    if is_folder(path):
        add_files(key, path, files(path))
        return True
    return False


def read_freebase(
    folder: str | os.PathLike[str], vocabulary: Vocabulary | None = None
) -> tuple[Schema, tuple[Diagnostic, ...]]:
    """The schema that the files in a folder state, and a warning for each of the first 10,000 lines
    that are left out.

    What the vocabulary says of names and of datatypes goes before what the built-in ``freebase`` says.

    Raises:
        InputError: there is no ``fb_roles``, or it states no relation; or a file cannot be read or is not UTF-8 text.
    """
    from pylf.ir.schema.vocabularies import load

    path = os.fspath(folder)
    if not is_folder(path):
        raise InputError(f"{path}: there is no {ROLES} or {ROLES}.gz, so no schema of Freebase")
    own = load(VOCABULARY)
    reading = _Reading(own if vocabulary is None else vocabulary, own)
    for name in FILES:
        there = _file(path, name)
        if there is not None:
            reading.read(name, there)
    if not reading.roles:
        raise InputError(f"{_file(path, ROLES)}: no line gives a domain, a relation and a range")
    return reading.schema(), tuple(reading.findings)


class _Reading:
    """What has been read so far. Names are Freebase's until rows are made of them."""

    def __init__(self, vocabulary: Vocabulary, own: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.namespace = vocabulary.relation_namespace or NAMESPACE
        self.datatypes = {**own.datatypes, **vocabulary.datatypes}
        #: relations that are known whether or not a file lists them, and their ranges
        self.system = {iri.removeprefix(NAMESPACE): _CLASS for iri in own.class_relations} | _COUNTS
        self.findings: list[Diagnostic] = []
        #: by file, the lines that are left out: malformed ones, and those of relations without a name
        self.malformed: dict[str, list[int]] = {}
        self.unnamed = 0
        #: relation to domain and range
        self.roles: dict[str, tuple[str, str]] = {}
        self.parents: dict[str, set[str]] = {}
        self.inverse: dict[str, str] = {}
        self.numbers: dict[str, str] = {}

    def read(self, name: str, path: str) -> None:
        """Add what a file states."""
        import re

        # each keeps a record, and says what is wrong with one that cannot be, or where an earlier one says otherwise
        readers: dict[str, Callable[..., _Problem | None]] = {
            ROLES: self._role,
            TYPES: self._type,
            PAIRS: self._pair,
            NUMBERS: self._number,
        }
        form, keep = re.compile(_FORMS[name]), readers[name]
        source = Source(_text(path), path)
        start = 0
        for number, line in enumerate(source.text.split("\n"), 1):
            stripped = line.strip()
            if stripped:
                match = form.fullmatch(stripped) if len(stripped) <= _LONGEST_LINE else None
                problem = _complaint(name, stripped) if match is None else keep(*match.groups())
                if problem is not None:
                    self._leave_out(name, number, problem, Span(start, start + len(line.rstrip())), source)
            start += len(line) + 1

    def _leave_out(self, name: str, number: int, problem: _Problem, span: Span, source: Source) -> None:
        if problem.code == _UNNAMED.code:
            self.unnamed += 1
        else:
            self.malformed.setdefault(name, []).append(number)
        if len(self.findings) >= _MOST_FINDINGS:
            return  # they are still counted
        self.findings.append(Diagnostic(problem.code, problem.message, span, source, severity="warning"))

    def _role(self, domain: str, relation: str, range_: str) -> _Problem | None:
        if relation.startswith(f"{domain}.") and "." in relation[len(domain) + 1 :]:
            return _malformed("another name is spliced into the relation's")
        if self.roles.setdefault(relation, (domain, range_)) != (domain, range_):
            return _malformed("the relation has another domain or range already")
        return None

    def _type(self, below: str, above: str) -> _Problem | None:
        self.parents.setdefault(below, set()).add(above)
        return None

    def _pair(self, one: str, other: str) -> _Problem | None:
        if self.inverse.get(one, other) != other or self.inverse.get(other, one) != one:
            return _malformed("one of the two has another inverse already")
        self.inverse[one], self.inverse[other] = other, one
        return None

    def _number(self, relation: str, datatype: str) -> _Problem | None:
        if datatype not in self.datatypes:
            return _malformed(f"{datatype} is no datatype")
        if self.numbers.setdefault(relation, datatype) != datatype:
            return _malformed("the relation has another datatype already")
        return None

    def schema(self) -> Schema:
        """All that was read, as a schema."""
        namespace = self.namespace
        named = {*self.parents, *(above for parents in self.parents.values() for above in parents)}
        named.update(domain for domain, _ in self.roles.values())
        ranges = (*(range_ for _, range_ in self.roles.values()), *self.system.values())
        named.update(range_ for range_ in ranges if range_ not in self.datatypes)
        # each class is named by many relations: the IRI, and the union of it alone, are made once
        unions: dict[str | None, _Unions] = {name: ((namespace + name,),) for name in named}
        unions[None] = unions[_OBJECT] = ()
        names = {*self.roles, *self.inverse, *self.numbers, *self.system}
        relations = [self._relation(name, unions) for name in names]
        compound = mediators(self.roles.values(), self.parents)
        classes = [
            Class(
                namespace + name,
                parents=tuple(sorted([namespace + above for above in self.parents.get(name, ()) if above != name])),
                compound=name in compound,
            )
            for name in named
        ]
        meta = {"source": "stated", "vocabulary": self.vocabulary.name}
        remarks = [_remark(name, lines) for name, lines in self.malformed.items()]
        if self.unnamed:
            remarks.append(
                f"{NUMBERS}: {self.unnamed:,} line{'s' if self.unnamed > 1 else ''} without a relation's name"
            )
        if remarks:
            meta["remarks"] = "; ".join(remarks)
        return Schema(MemorySource(relations, classes, meta))

    def _relation(self, name: str, unions: Mapping[str | None, _Unions]) -> Relation:
        domain, range_ = self._domain(name, unions), self._range(name, unions)
        datatype = self._datatype(range_)
        other = self.inverse.get(name)
        if datatype is not None or (other is not None and self._datatype(self._range(other, unions)) is not None):
            other = None  # a value has no relations
        open_ = range_ in _EITHER
        inferred = []
        if name not in self.roles:
            stated = name in self.numbers or name in self.system
            inferred = [*(["domain"] if domain else []), *(["range"] if range_ and not stated else [])]
        return Relation(
            self.namespace + name,
            domain=unions[domain],
            range=() if datatype is not None else unions[range_],
            datatypes=() if datatype is None or open_ or range_ in _KEYS else (datatype,),
            inverse=None if other is None or other == name else self.namespace + other,
            symmetric=other == name,
            literal=None if open_ else datatype is not None,
            inferred=tuple(inferred),
        )

    def _domain(self, name: str, classes: Container[str | None]) -> str | None:
        """A relation's domain. Where ``fb_roles`` does not list it, the class in whose namespace its name lies, if the
        files know one: a class may have been renamed, and its relations not."""
        role = self.roles.get(name)
        before = name.rpartition(".")[0]
        return role[0] if role is not None else before if before in classes else None

    def _range(self, name: str, classes: Container[str | None]) -> str | None:
        """A relation's range. Where ``fb_roles`` does not list it, it is stated elsewhere, or its inverse's domain."""
        role = self.roles.get(name)
        stated = role[1] if role is not None else self.numbers.get(name) or self.system.get(name)
        return self._domain(self.inverse[name], classes) if stated is None else stated

    def _datatype(self, range_: str | None) -> str | None:
        return None if range_ is None else self.datatypes.get(range_)


def mediators(roles: Collection[tuple[str, str]], parents: Mapping[str, Iterable[str]]) -> set[str]:
    """The classes whose instances stand for a relationship: Freebase's mediators, or compound value types.

    Freebase makes every object that has a name of its own a ``common.topic``, so that all classes but mediators include
    that class. A mediator is one that does not, at any remove, that relations lead to, and from which relations lead
    on. What Freebase keeps for itself is left aside.

    ``roles`` is domain and range as ``fb_roles`` states them: of classes that it does not know, ``fb_types`` does not
    say either what they include. ``parents`` is the direct superclasses by class. Names are Freebase's.
    """
    left, reached = (set(ends) for ends in zip(*roles, strict=True)) if roles else (set(), set())
    found = {name for name in (left & reached) - _below(TOPIC, parents) if not name.startswith(_BOOKS)}
    return found | (reached & _MEDIATORS)


def _below(top: str, parents: Mapping[str, Iterable[str]]) -> set[str]:
    """A class and all that are below it."""
    children: dict[str, list[str]] = {}
    for name, above in parents.items():
        for one in above:
            children.setdefault(one, []).append(name)
    found, todo = {top}, [top]
    while todo:
        for child in children.get(todo.pop(), ()):
            if child not in found:
                found.add(child)
                todo.append(child)
    return found


def _complaint(name: str, line: str) -> _Problem:
    """What is wrong with a line that does not have its file's form."""
    if len(line) > _LONGEST_LINE:
        return _malformed(f"a line of {len(line):,} characters")
    if name == NUMBERS and line.startswith("m."):
        return _UNNAMED
    parts = line.split()
    if (name == ROLES and len(parts) > 3) or (name == TYPES and len(parts) > 4):
        return _malformed("two records on one line")
    return _malformed(f"not a line of {name}")


def _malformed(what: str) -> _Problem:
    return _Problem("malformed-line", f"{what}: left out")


def _remark(name: str, lines: list[int]) -> str:
    """A file's lines that are left out, in short."""
    few = ", ".join(map(str, lines[:5])) + (", …" if len(lines) > 5 else "")
    return f"{name}: {len(lines):,} malformed line{'s' if len(lines) > 1 else ''} ({few})"


# -- files


def _file(folder: str, name: str) -> str | None:
    """The path of a file, plain or compressed; None where there is neither."""
    for path in (f"{folder}/{name}", f"{folder}/{name}.gz"):
        if is_file(path):
            return path
    return None


def _text(path: str) -> str:
    """The text of a file.

    Raises:
        InputError: it cannot be read, is too large, or is not UTF-8.
    """
    import zlib

    try:
        with open_plain_or_gzip(path) as stream:
            data = read_bounded(stream, _LARGEST)
    except (EOFError, zlib.error) as error:
        raise InputError(f"{path}: the compressed file is damaged: {error}") from error
    except OSError as error:
        raise InputError(f"cannot read the schema {path}: {reason(error)}") from error
    if len(data) > _LARGEST:
        raise InputError(f"{path}: larger than {_LARGEST:,} bytes, so no schema file of Freebase")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start})") from error
