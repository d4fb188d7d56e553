"""pylf's own records, and what else is written like them: JSON Lines (or an array) with a question, and what is known
of it in fields of its own.

What :meth:`Question.to_json` writes is read back as it was. Read too are the fields that other files of this kind have
for the same things: lists of questions with a program in one form, as they go from paper to paper.

NestKGQA (arXiv 2604.14749) is read here as well. Its paper says what the set holds, not how its files are written: per
question of GrailQA or GraphQuestions a new text and a program in PyLF with a negated JOIN. Read are the fields of those
two sets, with the program in ``program``, ``pylf`` or ``logical_form``; pylf's own files of it have ``constraints``,
``question_info`` and ``snapshot`` besides, which are in ``meta``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.datasets.formats import parts
from pylf.datasets.formats.answers import MID, plain_answer
from pylf.datasets.formats.fields import Fields, kind_of
from pylf.datasets.formats.question import KINDS, Answer, Gold, Question, Topic

if TYPE_CHECKING:
    from pylf.datasets.formats.source import Entry

IDS = ("qid", "id", "question_id", "ID", "QuestionId")
TEXTS = ("question", "text")
ANSWERS = ("answers", "answer")
TOPICS = ("topics", "topic_entity", "topic_entities", "entities")
PYLF = ("program", "pylf", "logical_form")
SEXPR = ("s_expression", "sexpr", "s_expr", "SExpr")
SPARQL = ("sparql", "sparql_query")
_MARKS_OF_NESTKGQA = ("question_info", "constraints")


def plain(entry: Entry) -> Question:
    """A record whose field ``question`` is text. Without an id, its line is its id."""
    one = Fields(entry.data, entry.origin)
    name, text = parts.taken_or_line(one, entry.number, *IDS), one.text(*TEXTS)
    offered = parts.choices(one, "choices") if "choices" in one else ()
    keyed = bool(offered) and "answerKey" in one
    gold = _gold(one, parts.chosen(one, offered, "answerKey") if keyed else _answers(one, offered))
    others = tuple([_alternative(each) for each in one.objects("alternatives")]) if "alternatives" in one else ()
    level, function = one.maybe("level"), one.maybe("function")
    meta = _meta(one)
    return Question(
        name,
        text,
        gold.answers,
        offered,
        gold.programs,
        gold.topics,
        level,
        function,
        gold.hops,
        others,
        meta,
        entry.origin,
    )


def is_negated(data: Any) -> bool:
    """Whether a record looks like one of NestKGQA's: its program negates, or its constraints are told."""
    if not isinstance(data, dict):
        return False
    texts = [data[name] for name in PYLF if isinstance(data.get(name), str)]
    negates = any("neg=True" in text.replace(" ", "") for text in texts)
    return negates or (bool(texts) and any(name in data for name in _MARKS_OF_NESTKGQA))


def _gold(one: Fields, answers: tuple[Answer, ...] | None) -> Gold:
    """What a question and an alternative have in common."""
    query, drawn = parts.graph_query(one, "graphquery" if "graphquery" in one else "graph_query")
    topics = parts.merged(_topics(one), () if "topics" in one else drawn)
    programs = parts.programs(
        pylf=parts.program(one, *PYLF),
        sexpr=parts.program(one, *SEXPR),
        sparql=parts.program(one, *SPARQL),
        graphquery=query,
    )
    return Gold(answers, programs, topics, one.whole("hops"))


def _alternative(one: Fields) -> Gold:
    gold = _gold(one, _answers(one, ()))
    return Gold(gold.answers, gold.programs, gold.topics, gold.hops, _meta(one))


def _meta(one: Fields) -> dict[str, Any]:
    """What is left, with what stood in ``meta``."""
    inner = one.mapping("meta") if "meta" in one else {}
    both = inner.keys() & one.rest().keys()
    if both:
        raise one.wrong(f"{min(both)!r} stands here and in 'meta'")
    return inner | one.rest()


# --- answers ------------------------------------------------------------------------------------------------------


def _answers(one: Fields, offered: tuple[Any, ...]) -> tuple[Answer, ...] | None:
    name = one.first(*ANSWERS)
    if name is None:
        return None
    given = one.value(name)
    if not isinstance(given, list):
        found = [_answer(one, given, name)]
    else:
        found = [_answer(one, item, name, number) for number, item in enumerate(given)]
    labels = {choice.label: choice.text for choice in offered}
    for answer in found:
        if answer.kind == "choice" and answer.value not in labels:
            raise one.wrong(f"{answer.value!r} is none of the choices {', '.join(labels) or '(there are none)'}", name)
    if labels and all(answer.kind == "name" and answer.value in labels for answer in found):
        return tuple([Answer("choice", answer.value, labels[answer.value]) for answer in found])
    return tuple(found)


def _answer(one: Fields, given: Any, *path: str | int) -> Answer:
    match given:
        case bool() | int() | float():
            return plain_answer(given)
        case str():
            if not given.strip():
                raise one.wrong("the answer is empty", *path)
            return plain_answer(one.checked(given, *path))
        case dict():
            inner = Fields(given, one.origin, (*one.path, *path))
            return _object(inner)
    raise one.wrong(f"{kind_of(given)} stands where an answer is due", *path)


def _object(one: Fields) -> Answer:
    """Answers as pylf writes them, GrailQA's, and ids with names."""
    if "answer_argument" in one:
        return parts.typed_answer(one, "answer_type", "answer_argument", "entity_name")
    if "kind" in one:
        stated = one.text("kind")
        kind = next((kind for kind in KINDS if kind == stated), None)
        if kind is None:
            raise one.wrong(f"{stated!r} is no kind of answer: {', '.join(KINDS)}", "kind")
        empty = kind == "literal"
        value, label = one.text("value", empty=empty), one.maybe("label")
        found = Answer(kind, value, label, one.maybe("datatype"), one.maybe("language"), one.texts("aliases"))
    else:
        name, label = one.named("id"), one.maybe("name", "label")
        if name is None and label is None:
            raise one.wrong(f"an answer has 'kind' and 'value', or 'id' and 'name'; here are {', '.join(one.names())}")
        aliases = one.texts("aliases")
        kind = "name" if name is None else "entity"
        found = (
            Answer(kind, str(label), aliases=aliases) if name is None else Answer(kind, name, label, aliases=aliases)
        )
    parts.nothing_left(one)
    return found


# --- topics -------------------------------------------------------------------------------------------------------


def _topics(one: Fields) -> list[Topic]:
    name = one.first(*TOPICS)
    match None if name is None else one.peek(name):
        case None:
            return []
        case list() as listed:
            found = [_topic(one, item, str(name), number) for number, item in enumerate(listed)]
        case dict() as mapping:
            # by id the names (GrailQA), or by name the ids (AgentBench, in ``entities``)
            pairs = [(key, one.checked(value, str(name), key)) for key, value in mapping.items()]
            by_name = name == "entities"
            found = [Topic(value, key) if by_name else Topic(key, value) for key, value in pairs]
        case str() as text:
            found = [_topic(one, text, str(name))]
        case other:
            raise one.wrong(f"{kind_of(other)} stands where topics are due", str(name))
    one.value(str(name))
    return found


def _topic(one: Fields, given: Any, *path: str | int) -> Topic:
    if isinstance(given, str):
        text = one.checked(given, *path)
        return Topic(text) if MID.fullmatch(text) else Topic(None, text)
    inner = Fields(given, one.origin, (*one.path, *path))
    kind = inner.maybe("kind") or "entity"
    if kind not in ("entity", "literal"):
        raise inner.wrong(f"{kind!r} is neither 'entity' nor 'literal'", "kind")
    name, label, mention = inner.named("id"), inner.maybe("label", "name"), inner.maybe("mention")
    parts.nothing_left(inner)
    if name is None and label is None and mention is None:
        raise inner.wrong("the topic has neither an id nor a name")
    return Topic(name, label, mention, "literal" if kind == "literal" else "entity")
