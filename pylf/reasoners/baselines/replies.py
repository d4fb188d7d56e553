"""What a model is asked to reply with, and what of its reply is the answer.

A question is answered by one of its choices, by yes or no, or by names. Which of these is told by the question and its
set, never by its gold answers.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pylf.datasets.formats.question import Answer
from pylf.models.chat.protocol import Finish, schema_text
from pylf.models.replies.refusals import is_refusal
from pylf.models.replies.strict_json import json_in
from pylf.models.replies.taking import NotTaken, Why
from pylf.models.replies.thinking import without_thoughts

if TYPE_CHECKING:
    from pylf.datasets.formats.question import Choice, Question
    from pylf.models.chat.protocol import Reply

_STATED = re.compile(r"\banswers?(?:\s?(?:is|are)?\s?[:=]|\s(?:is|are)\s)\s*(?P<said>\S.*)", re.IGNORECASE)
#: marks of a heading, a quotation or a list before an answer
_MARKER = re.compile(r"(?:#{1,6}|[-*+•>])\s+")
#: what emphasizes, wherever it stands, and what does or quotes only where it stands on both sides: ``C#``, ``A*``
_EMPHASIS = ("```", "**", "__")
_PAIRS = (("*", "*"), ("_", "_"), ("`", "`"), ('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"))
_UNKNOWN = re.compile(
    r"\W*(?:(?:it is |the answer is )?(?:unknown|unclear)|none|n/?a|i (?:do not|don't|don’t) know|cannot tell)\W*",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\s*;\s*")
#: a reply of one line alone may be the answer itself, where it is no longer
_LONGEST = 200
_NOT = re.compile(r"\b(?:not|neither|nor|never|except|cannot)\b|n['’]t\b", re.IGNORECASE)
_YES_OR_NO = {"yes": "true", "true": "true", "no": "false", "false": "false"}
_CONTRARY = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
#: behind a word that is an answer by itself: not "no whale", "no-one", "no doubt"
_ALONE = r"(?=\W*$|\s*[^\w\s-]|\s+-|\s+(?:and|or)\b)"
_LEADING = re.compile(
    rf"\W*(?P<said>yes\b|true\b|false\b|no\b(?:{_ALONE}|(?=\s+(?:it|this|that|they|because|since)\b)))", re.IGNORECASE
)
_WITHIN = re.compile(rf"\b(?P<said>(?:yes|no)\b{_ALONE}|(?:true|false)\b)", re.IGNORECASE)
_DENIED = re.compile(
    r"\W*(?:(?:that|this|it|(?:the|this) (?:statement|claim))(?:\s+is|['’]s)?\s+)?(?:not|isn['’]t)\s+"
    r"(?P<said>true|false)\W*",
    re.IGNORECASE,
)
#: abbreviations that names end with, too long to be taken for one by their length
_ABBREVIATED = frozenset({"assn", "assoc", "bros", "corp", "dept", "intl", "univ"})


class Asked(StrEnum):
    """What a question is answered by."""

    CHOICE = "choice"
    YES_OR_NO = "yesno"
    OPEN = "open"


def asked_of(question: Question) -> Asked:
    """What it is answered by: CommonsenseQA 2.0 asks for yes or no, a set that offers choices for one of them."""
    if question.choices:
        return Asked.CHOICE
    source = question.source
    return Asked.YES_OR_NO if source is not None and source.format == "csqa2" else Asked.OPEN


def shape(question: Question, thoughts: bool) -> str:
    """The JSON schema of a reply; with ``thoughts``, those come first."""
    names = {"type": "array", "items": {"type": "string"}}
    fields: dict[str, Any] = {"reasoning": {"type": "string"}} if thoughts else {}
    match asked_of(question):
        case Asked.CHOICE:
            fields["answer"] = {"enum": [choice.label for choice in question.choices]}
        case Asked.YES_OR_NO:
            fields["answer"] = {"enum": ["yes", "no"]}
        case Asked.OPEN:
            fields["answers"] = names
    return schema_text(
        {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    )


def told(question: Question, thoughts: bool) -> str:
    """The same for a model to read, as an example would be written."""
    fields: dict[str, Any] = {"reasoning": "…"} if thoughts else {}
    match asked_of(question):
        case Asked.CHOICE:
            fields["answer"] = " or ".join([choice.label for choice in question.choices])
        case Asked.YES_OR_NO:
            fields["answer"] = "yes or no"
        case Asked.OPEN:
            fields["answers"] = ["…"]
    return json.dumps(fields, ensure_ascii=False)


def read_structured(reply: Reply, question: Question) -> tuple[Answer, ...] | Why:
    """The answers in a reply that keeps to :func:`shape`; why there are none."""
    is_open = asked_of(question) is Asked.OPEN

    def check(data: Any) -> tuple[Answer, ...]:
        match data:
            case {"answer": str(one)} if not is_open:
                found = _read(one, question)
            case {"answers": list(names)} if is_open and all(isinstance(name, str) for name in names):
                found = _named(names)
            case _:
                found = None
        if found is None:
            raise ValueError("neither an answer nor answers")
        return found

    taken = json_in(reply, check)
    return taken.why if isinstance(taken, NotTaken) else taken.value


def read_plain(reply: Reply, question: Question) -> tuple[Answer, ...] | Why:
    """The answers in a reply in prose: of the last line that states one, else the reply itself where it is short."""
    if reply.finish is Finish.FILTERED:
        return Why.FILTERED
    if reply.finish is Finish.REFUSED:
        return Why.REFUSED
    text = without_thoughts(reply.text).strip()
    if not text:
        return Why.THOUGHTS if reply.text.strip() else Why.EMPTY
    stated = _stated(text)
    if stated is not None:
        found = _read(stated, question)
    elif _UNKNOWN.fullmatch(text):
        found = ()
    elif is_refusal(text):
        return Why.REFUSED
    elif reply.finish is Finish.LENGTH:
        return Why.CUT
    else:
        found = _unstated(text, question)
    return Why.UNREADABLE if found is None else found


def _stated(text: str) -> str | None:
    """What the last line that states an answer says that it is."""
    for line in reversed(text.splitlines()):
        found = _STATED.search(line)
        if found is not None and (said := _bare(_closed(found["said"], line[: found.start("said")]))):
            return said
    return None


def _unstated(text: str, question: Question) -> tuple[Answer, ...] | None:
    """What a reply without such a line answers: all of it where it is one short line; of one that goes on, the choice
    that it begins with, if no other line begins with another."""
    line, _, rest = text.partition("\n")
    if not rest.strip() and len(line) <= _LONGEST:
        return _read(line, question)
    if asked_of(question) is not Asked.CHOICE:
        return None
    begun = {found for one in text.splitlines() if (found := _chosen(one, question, leading=True)) is not None}
    # who lists the choices has chosen none
    return _chosen(line, question, leading=True) if len(begun) == 1 else None


def _read(text: str, question: Question) -> tuple[Answer, ...] | None:
    """What a stated answer means; None where it means nothing."""
    asked = asked_of(question)
    if asked is Asked.CHOICE:
        chosen = _chosen(text, question)
        return () if chosen is None and _UNKNOWN.fullmatch(text) else chosen
    if asked is Asked.YES_OR_NO:
        value = _yes_or_no(text)
        return None if value is None else (Answer("boolean", value),)
    return () if _UNKNOWN.fullmatch(text) else _named(_SEVERAL.split(text))


def _yes_or_no(text: str) -> str | None:
    """True or false, as the word says that a text begins with, unless the contrary is said too; of a text that begins
    otherwise as all such words in it say, where nothing is said *not* to be so. None: it cannot be told."""
    leading = _LEADING.match(text)
    if leading is not None:
        said, rest = leading["said"].lower(), text[leading.end() :]
        contrary = re.search(rf"\b{_CONTRARY[said]}\b{_ALONE}", rest, re.IGNORECASE)
        return _YES_OR_NO[said] if contrary is None or _NOT.search(rest) else None
    denied = _DENIED.fullmatch(text)
    if denied is not None:
        return _YES_OR_NO[_CONTRARY[denied["said"].lower()]]
    values = set() if _NOT.search(text) else {_YES_OR_NO[found["said"].lower()] for found in _WITHIN.finditer(text)}
    return values.pop() if len(values) == 1 else None


def _chosen(text: str, question: Question, leading: bool = False) -> tuple[Answer, ...] | None:
    """The choice that a text names: it is its label or its text, begins with its label (no more is looked at where
    ``leading``), has its label in brackets, or mentions no other. None where it names several, or says of something
    that it is *not* the answer."""
    plain = _bare(text).removesuffix(".")
    offered = question.choices
    for way in (
        [one for one in offered if re.fullmatch(rf"\W*{re.escape(one.label)}\W*", plain, re.IGNORECASE)],
        [one for one in offered if one.text.removesuffix(".").casefold() == plain.casefold()],
    ):
        if len(way) == 1:
            return _choice(way)
    heads = {one: re.match(rf"\W*{re.escape(one.label)}(?:[).:\]]|\s+-)", plain) for one in offered}
    begun = [(one, plain[head.end() :]) for one, head in heads.items() if head is not None]
    if begun or leading:
        return _choice([one for one, rest in begun if not _disputed(one, rest, offered)])
    if _NOT.search(plain):
        return None
    bracketed = [one for one in offered if re.search(rf"[(\[]{re.escape(one.label)}[)\]]", plain)]
    said = [one for one in offered if re.search(rf"(?<!\w){re.escape(one.text)}(?!\w)", plain, re.IGNORECASE)]
    texts = [one.text.casefold() for one in said]
    # rain is not mentioned where acid rain is
    said = [one for one in said if sum(one.text.casefold() in text for text in texts) == 1]
    if bracketed and said and bracketed != said:
        return None
    return _choice(bracketed or said)


def _choice(found: list[Choice]) -> tuple[Answer, ...] | None:
    return (Answer("choice", found[0].label, found[0].text),) if len(found) == 1 else None


def _disputed(chosen: Choice, rest: str, offered: tuple[Choice, ...]) -> bool:
    """Whether what follows a label names another choice as well, or says that it is not this one."""
    if re.match(
        r"\W*(?:(?:is|was|would be|cannot be)\s+)?(?:not\b|wrong\b|incorrect\b|\w+n['’]t\b)", rest, re.IGNORECASE
    ):
        return True
    for one in offered:
        label = re.escape(one.label)
        named = rf"(?:^|[\s(\[]){label}[).:\]]|(?:^|\b(?:and|or)\b|[,/&;])\W*{label}(?=\W*$|\s*[,;/&)\]])"
        if one != chosen and re.search(named, rest):
            return True
    begins = [one.text for one in offered if re.match(rf"\W*{re.escape(one.text)}(?!\w)", rest, re.IGNORECASE)]
    return bool(begins) and chosen.text not in {text for text in begins if len(text) == len(max(begins, key=len))}


def _named(names: list[str]) -> tuple[Answer, ...]:
    """Names, each once, without the quotes around them and the full stop of a sentence."""
    plain = [_bare(_sentence_end(_bare(name))) for name in names]
    return tuple([Answer("name", name) for name in dict.fromkeys(plain) if name and not _UNKNOWN.fullmatch(name)])


def _sentence_end(name: str) -> str:
    """A name without its full stop, unless that may be part of it: D.C., Jr., St., Bros."""
    last = name.rpartition(" ")[2]
    if not last.endswith(".") or "." in last[:-1]:
        return name
    closed = not last[-2:-1].isalnum()  # behind a quote it ends the sentence: "M".
    return name[:-1] if closed or (len(last) > 4 and last[:-1].lower() not in _ABBREVIATED) else name


def _closed(said: str, before: str) -> str:
    """What is said without the mark that closes one which was opened before it: ``*Answer: M*``."""
    for opening, closing in _PAIRS:
        once = before.count(opening) % 2 == 1 if opening == closing else before.count(opening) > before.count(closing)
        if once:
            said = said[1:] if said.startswith(closing) else said.removesuffix(closing)
    return said


def _bare(text: str) -> str:
    """A text without emphasis, the quotes around it and the mark of a list before it."""
    before = None
    while text != before:
        before = text
        text = text.strip()
        text = text[found.end() :] if (found := _MARKER.match(text)) is not None else text
        for mark in _EMPHASIS:
            text = text.removeprefix(mark).removesuffix(mark).strip()
        for opening, closing in _PAIRS:
            within = text[1:-1]
            if text[:1] == opening and text[-1:] == closing and within and not {opening, closing} & {*within}:
                text = within.strip()
    return text
