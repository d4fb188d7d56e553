"""What is to be done with each record of a set: which field is compiled, from what, to what, against what."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from pylf.batch.gold import ASKED
from pylf.errors import InputError
from pylf.forms import EVERYTHING, FORMS, SOURCES, WITHOUT_TOPIC
from pylf.records import record

#: The fields that tell records apart in the published sets; the first that a record has is its id.
IDS = ("qid", "id", "question_id", "ID", "QuestionId")
#: What can be written of a record.
WRITTEN = (*FORMS, *(name for name in EVERYTHING if name not in FORMS), *ASKED)
#: The choices that name files.
SURROUNDINGS = ("kg", "schema", "vocabulary")

#: The fields that hold a source in the published sets; where none is named, it is the first.
_FIELDS = {
    "sexpr": ("s_expression", "sexpr", "s_expr", "SExpr"),
    "graphquery": ("graph_query", "graphquery"),
    "sparql": ("sparql", "sparql_query", "Sparql"),
    "chain": ("chain",),
    "path": ("path",),
    "subgraph": ("subgraph",),
}
_SOURCES = {field: source for source, fields in _FIELDS.items() for field in fields}


@record
class Plan:
    """What is to be done with each record.

    ``field`` holds the question, ``id`` names the record (None: the first of :data:`IDS`); ``source`` is one of
    :data:`pylf.forms.SOURCES`, ``forms`` are of :data:`WRITTEN`; ``choices`` are keyword arguments of
    :func:`pylf.compile`.
    """

    field: str
    id: str | None
    source: str
    forms: tuple[str, ...]
    choices: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data.

        Raises:
            InputError: the schema, the vocabulary or the graph is an object of this process.
        """
        for name in SURROUNDINGS:
            if not isinstance(self.choices.get(name), str | None):
                raise InputError(
                    f"other processes open the {'graph' if name == 'kg' else name} themselves: "
                    "give its path or built-in name, or jobs=1"
                )
        return {
            "field": self.field,
            "id": self.id,
            "source": self.source,
            "forms": list(self.forms),
            "choices": dict(self.choices),
        }


def field_of(source: str | None) -> str | None:
    """The field that holds such a source where none is named; None where that cannot be told."""
    return _FIELDS[source][0] if source in _FIELDS else None


def plan_for(
    field: str, id_field: str | None, source: str | None, forms: tuple[str, ...], choices: Mapping[str, Any]
) -> Plan:
    """A plan whose ``NOW`` is one and the same date for every record, however long the run takes. Where no source is
    given, the field's name may tell, as in the published sets; else it is PyLF.

    Raises:
        InputError: there is no such source or form.
    """
    if source is None:
        source = _SOURCES.get(field.rpartition(".")[2], "pylf")
    if source not in SOURCES:
        raise InputError(f"there is no source form {source!r}; the forms are {', '.join(SOURCES)}")
    for form in forms:
        if form not in WRITTEN:
            raise InputError(f"there is no form {form!r}; the forms are {', '.join(WRITTEN)}")
        if form in ASKED and choices.get("kg") is None:
            raise InputError(f"{form} come from a graph: name it (kg, on the command line --kg)")
    if choices.get("exclude_topic") and source in WITHOUT_TOPIC:
        raise InputError(f"exclude_topic is for programs: {WITHOUT_TOPIC[source]} tell what a question starts from")
    if choices.get("ties") == "cut" and source != "sparql":
        raise InputError("ties are cut in SPARQL alone: all other forms keep them")
    given = {k: os.fspath(v) if isinstance(v, os.PathLike) else v for k, v in choices.items()}
    today = given.get("today")
    if today is None:
        import datetime

        today = datetime.date.today()
    return Plan(field, id_field, source, forms, given | {"today": str(today)})


def read_plan(data: Mapping[str, Any]) -> Plan:
    """The plan that :meth:`Plan.to_json` gave."""
    return Plan(data["field"], data["id"], data["source"], tuple(data["forms"]), data["choices"])


def value_at(data: Mapping[str, Any], path: str) -> Any:
    """What a record has at ``path``: at the field of that very name, or going in at each dot; a number is a place in
    a list.

    Raises:
        LookupError: the record has no such field.
    """
    if path in data:
        return data[path]
    here: Any = data
    for part in path.split("."):
        match here:
            case dict() if part in here:
                here = here[part]
            case list() if part.isdecimal() and len(part) < 10 and int(part) < len(here):
                here = here[int(part)]
            case _:
                raise LookupError(part)
    return here


def id_of(data: object, path: str | None, number: int) -> str | int | None:
    """A record's id; its number where it has none. None where ``path`` names a field that holds no text or number."""
    if not isinstance(data, dict):
        return number
    if path is not None:
        try:
            found = value_at(data, path)
        except LookupError:
            return None
        return _named(found)
    for name in IDS:
        found = _named(data.get(name))
        if found is not None:
            return found
    return number


def _named(value: object) -> str | int | None:
    """Text or a number as it reads back from JSON, whatever of the kind it was."""
    match value:
        case str():
            return str.__str__(value)
        case bool():
            return None
        case int():
            return int.__int__(value)
    return None


def plain(given: object) -> object:
    """A record as a dictionary, whatever mapping it was."""
    return given if isinstance(given, dict) or not isinstance(given, Mapping) else dict(given)
