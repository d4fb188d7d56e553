"""GrailQA, GraphQuestions, WebQSP, ComplexWebQuestions and FreebaseQA: sets over Freebase.

GrailQA (Gu et al. 2021) and GraphQuestions (Su et al. 2016): arrays of questions, each with a graph query and SPARQL.
WebQSP (Yih et al. 2016) and FreebaseQA (Jiang et al. 2019): an object with ``Questions``, each with several parses, any
of which is right. ComplexWebQuestions (Talmor and Berant 2018): an array, each question with SPARQL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.datasets.formats import parts
from pylf.datasets.formats.answers import MID, plain_answer
from pylf.datasets.formats.fields import Fields
from pylf.datasets.formats.question import Answer, Gold, Question, Topic

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.datasets.formats.source import Entry


def grailqa(entry: Entry) -> Question:
    """``qid, question, answer: [{answer_type, answer_argument, entity_name}], function, level, s_expression,
    graph_query, sparql_query``; of a test set ``qid`` and ``question`` alone."""
    one = Fields(entry.data, entry.origin)
    name, text = one.named("qid", "id"), one.text("question")
    if name is None:
        raise one.wrong("there is no 'qid'")
    answers = None
    if "answer" in one:
        typed = one.objects("answer")
        answers = tuple([parts.typed_answer(a, "answer_type", "answer_argument", "entity_name") for a in typed])
    query, topics = parts.graph_query(one)
    linked = one.mapping("topic_entity") if "topic_entity" in one else {}
    named = [Topic(mid, one.checked(label, "topic_entity", mid)) for mid, label in linked.items()]
    programs = parts.programs(
        sexpr=parts.program(one, "s_expression"), sparql=parts.program(one, "sparql_query"), graphquery=query
    )
    level, function, hops = one.maybe("level"), one.maybe("function"), one.whole("hops")
    topics = parts.merged(topics, named)
    return Question(name, text, answers, (), programs, topics, level, function, hops, (), one.rest(), entry.origin)


def graphquestions(entry: Entry) -> Question:
    """``qid, question, answer: [name or value], function, commonness, num_node, num_edge, graph_query,
    sparql_query``. What the answers name, entities or values, is not told apart."""
    one = Fields(entry.data, entry.origin)
    name, text = one.named("qid"), one.text("question")
    if name is None:
        raise one.wrong("there is no 'qid'")
    answers = None
    if "answer" in one:
        answers = tuple([_name(one, answer, number) for number, answer in enumerate(one.listed("answer"))])
    query, topics = parts.graph_query(one)
    programs = parts.programs(
        sexpr=parts.program(one, "s_expression"), sparql=parts.program(one, "sparql_query"), graphquery=query
    )
    function = one.maybe("function")
    return Question(name, text, answers, (), programs, topics, None, function, None, (), one.rest(), entry.origin)


def _name(one: Fields, answer: object, number: int) -> Answer:
    if isinstance(answer, int | float):
        return plain_answer(answer)
    return Answer("name", one.checked(answer, "answer", number))


def webqsp(entry: Entry) -> Question:
    """``QuestionId, RawQuestion, ProcessedQuestion, Parses``. The question is as it was asked (RawQuestion). Its
    answers are the first parse's; those of the others are alternatives."""
    one = Fields(entry.data, entry.origin)
    return _parsed(one, one.named("QuestionId"), "QuestionId", _webqsp_parse, entry)


def _webqsp_parse(parse: Fields) -> Gold:
    answers = None
    if "Answers" in parse:
        typed = parse.objects("Answers")
        answers = tuple([parts.typed_answer(a, "AnswerType", "AnswerArgument", "EntityName") for a in typed])
    chain = parse.texts("InferentialChain")
    programs = parts.programs(sparql=parts.program(parse, "Sparql"), sexpr=parts.program(parse, "SExpr"))
    topic = _topic(parse)
    meta = ({"InferentialChain": list(chain)} if chain else {}) | parse.rest()
    return Gold(answers, programs, topic, len(chain) or None, meta)


def freebaseqa(entry: Entry) -> Question:
    """``Question-ID, RawQuestion, ProcessedQuestion, Parses``, read as WebQSP's. The answer's id stands with the names
    that the trivia question gave it. A chain of relations has two dots before each that follows."""
    one = Fields(entry.data, entry.origin)
    return _parsed(one, one.named("Question-ID"), "Question-ID", _freebaseqa_parse, entry)


def _freebaseqa_parse(parse: Fields) -> Gold:
    answers = None
    if "Answers" in parse:
        answers = tuple([_freebaseqa_answer(answer) for answer in parse.objects("Answers")])
    chain = parse.maybe("InferentialChain")
    topic = _topic(parse)
    meta = ({} if chain is None else {"InferentialChain": chain}) | parse.rest()
    return Gold(answers, {}, topic, None if chain is None else chain.count("..") + 1, meta)


def _freebaseqa_answer(answer: Fields) -> Answer:
    mid = answer.named("AnswersMid")
    names = answer.texts("AnswersName") if isinstance(answer.peek("AnswersName"), list) else ()
    label = names[0] if names else answer.maybe("AnswersName")
    parts.nothing_left(answer)
    if mid is None and label is None:
        raise answer.wrong("the answer has neither an id nor a name")
    if mid is None:
        return Answer("name", str(label), aliases=names[1:])
    return Answer("entity", mid, label, aliases=names[1:])


def _parsed(one: Fields, name: str | None, field: str, read: Callable[[Fields], Gold], entry: Entry) -> Question:
    """A question with parses, of which the first tells what the question itself is given."""
    if name is None:
        raise one.wrong(f"there is no {field!r}")
    text = one.text("RawQuestion", "ProcessedQuestion")
    golds: list[Gold] = [read(parse) for parse in one.objects("Parses")] if "Parses" in one else []
    if not golds:
        return Question(name, text, meta=one.rest(), source=entry.origin)
    first = golds[0]
    meta = one.rest() | ({"parse": dict(first.meta)} if first.meta else {})
    return Question(
        name,
        text,
        first.answers,
        (),
        first.programs,
        first.topics,
        None,
        None,
        first.hops,
        tuple(golds[1:]),
        meta,
        entry.origin,
    )


def _topic(parse: Fields) -> tuple[Topic, ...]:
    mid, label = parse.maybe("TopicEntityMid"), parse.maybe("TopicEntityName")
    mention = parse.maybe("PotentialTopicEntityMention")
    return () if mid is None and label is None and mention is None else (Topic(mid, label, mention),)


def cwq(entry: Entry) -> Question:
    """``ID, question, sparql, compositionality_type, answers: [{answer, answer_id, aliases}]``; the kind of composition
    is the function."""
    one = Fields(entry.data, entry.origin)
    name, text = one.named("ID"), one.text("question")
    if name is None:
        raise one.wrong("there is no 'ID'")
    answers = tuple([_cwq_answer(answer) for answer in one.objects("answers")]) if "answers" in one else None
    programs = parts.programs(sparql=parts.program(one, "sparql"), sexpr=parts.program(one, "SExpr", "s_expression"))
    function = one.maybe("compositionality_type")
    return Question(name, text, answers, (), programs, (), None, function, None, (), one.rest(), entry.origin)


def _cwq_answer(answer: Fields) -> Answer:
    label, mid, aliases = answer.maybe("answer"), answer.named("answer_id"), answer.texts("aliases")
    parts.nothing_left(answer)
    if mid is None and label is None:
        raise answer.wrong("the answer has neither an id nor a name")
    if mid is None:
        return Answer("name", str(label), aliases=aliases)
    if MID.fullmatch(mid):
        return Answer("entity", mid, label, aliases=aliases)
    return Answer("literal", mid, None if label == mid else label, aliases=aliases)
