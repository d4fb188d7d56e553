"""What several sets write alike: typed answers, choices with a key, graph queries, programs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pylf.datasets.formats.answers import MID
from pylf.datasets.formats.fields import Fields, kind_of
from pylf.datasets.formats.question import Answer, Choice, Topic

if TYPE_CHECKING:
    from collections.abc import Iterable

_TYPED = re.compile(r"(.*)\^\^<?([^<>\s]+?)>?", re.DOTALL)
#: what stands in place of a program where a conversion failed
_NO_PROGRAM = ("", "null", "none")


def literal(lexical: str, label: str | None = None) -> Answer:
    """A literal that may carry its datatype, as ``2.5^^http://…#float``."""
    typed = _TYPED.fullmatch(lexical)
    return Answer("literal", lexical, label) if typed is None else Answer("literal", typed[1], label, typed[2])


def typed_answer(one: Fields, kind: str, argument: str, name: str) -> Answer:
    """``{answer_type: Entity | Value, answer_argument, entity_name}``, under these names; an answer without a type is
    an entity where it has an id of Freebase or a name."""
    stated, label, value = one.maybe(kind), one.maybe(name), one.value(argument)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = json.dumps(value)
    value = one.checked(value, argument)
    if not value.strip():
        raise one.wrong("the answer is empty", argument)
    nothing_left(one)
    match None if stated is None else stated.lower():
        case "entity":
            return Answer("entity", value, label)
        case "value":
            return literal(value, label)
        case None:
            return Answer("entity", value, label) if label or MID.fullmatch(value) else literal(value)
    raise one.wrong(f"{stated!r} is neither 'Entity' nor 'Value'", kind)


def nothing_left(one: Fields) -> None:
    """What is read has no field besides, so that none is lost.

    Raises:
        Malformed: it has.
    """
    left = one.rest()
    if left:
        raise one.wrong(f"the field {next(iter(left))!r} is not known here")


def program(one: Fields, *names: str) -> str | None:
    """The text of a program; None where there is none, or what stands in its place is empty or ``null``, which is then
    left to :meth:`Fields.rest`."""
    name = one.first(*names)
    if name is None:
        return None
    found = one.peek(name)
    return None if isinstance(found, str) and found.strip().lower() in _NO_PROGRAM else one.text(name)


def graph_query(one: Fields, name: str = "graph_query") -> tuple[str | None, tuple[Topic, ...]]:
    """A graph query as text, and the entities and literals that it names; its nodes may be left out."""
    if name not in one:
        return one.maybe(name), ()
    given = one.value(name)
    if isinstance(given, str):
        return given, ()
    topics = []
    inner = one.inner(name)
    for node in inner.objects("nodes") if "nodes" in inner else ():
        kind = node.value("node_type")
        if kind in ("entity", "literal"):
            found = node.named("id")
            topics.append(Topic(found, node.maybe("friendly_name"), kind="entity" if kind == "entity" else "literal"))
    return json.dumps(given, ensure_ascii=False), tuple(dict.fromkeys(topics))


def merged(topics: Iterable[Topic], more: Iterable[Topic]) -> tuple[Topic, ...]:
    """Topics of two places: of an id that both name the first counts."""
    found = list(topics)
    known = {topic.id for topic in found if topic.id is not None}
    found += [topic for topic in more if topic.id is None or topic.id not in known]
    return tuple(found)


# --- multiple choice ----------------------------------------------------------------------------------------------


def choices(one: Fields, name: str) -> tuple[Choice, ...]:
    """Choices as sets write them: ``[{label, text}]``, ``[{key, value}]``, ``{label: [], text: []}``, ``{A: text}``, or
    a list of texts, which are then A, B, C …

    Raises:
        Malformed: they are none of these, fewer than two, or two have one label.
    """
    given = one.value(name)
    match given:
        case {"label": list(), "text": list()}:
            found = _columns(one.inner(name))
        case dict():
            found = [Choice(label, one.checked(text, name, label)) for label, text in given.items()]
        case list() if given and all(isinstance(item, str) for item in given):
            found = [Choice(_letter(n), one.checked(text, name, n)) for n, text in enumerate(given)]
        case list():
            found = [_choice(item) for item in one.objects(name)]
        case _:
            raise one.wrong(f"{kind_of(given)} stands where choices are due", name)
    if len(found) < 2:
        raise one.wrong("there are fewer than two choices", name)
    labels = [choice.label for choice in found]
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise one.wrong(f"two choices are called {twice!r}", name)
    return tuple(found)


def chosen(one: Fields, offered: tuple[Choice, ...], *names: str) -> tuple[Answer, ...] | None:
    """The choice that the key names; None where there is no key, as in test sets.

    Raises:
        Malformed: it names none of those that are offered.
    """
    stated = one.first(*names)
    key = one.maybe(*names) if stated is None or one.peek(stated) == "" else one.named(*names)
    if key is None:
        return None
    found = next((choice for choice in offered if choice.label == key), None)
    if found is None:
        labels = ", ".join(choice.label for choice in offered)
        raise one.wrong(f"{key!r} is none of the choices {labels}", stated or "")
    return (Answer("choice", found.label, found.text),)


def _columns(one: Fields) -> list[Choice]:
    labels, texts = one.texts("label"), one.texts("text")
    nothing_left(one)
    if len(labels) != len(texts):
        raise one.wrong(f"there are {len(labels)} labels and {len(texts)} texts")
    return [Choice(label, text) for label, text in zip(labels, texts, strict=True)]


def _choice(one: Fields) -> Choice:
    found = Choice(one.text("label", "key"), one.text("text", "value", empty=True))
    nothing_left(one)
    return found


def _letter(number: int) -> str:
    """A, B, … Z, 27, 28 …"""
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def programs(**texts: str | None) -> dict[str, str]:
    """The programs that there are, by form."""
    return {form: text for form, text in texts.items() if text is not None}


def taken_or_line(one: Fields, number: int, *names: str) -> str:
    """The record's id, else its number in the file."""
    found = one.named(*names)
    return str(number) if found is None else found
