"""A model that is asked the question itself, in one of five ways.

io: outright. cot: with its thoughts first (Wei et al. 2022). fewshot: after examples (Brown et al. 2020). sc: several
times with thoughts, and the answer that most give (self-consistency, Wang et al. 2023). triples: with facts that were
found around the question's entities.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

from pylf.errors import InputError
from pylf.evaluation.record import Ended, Record
from pylf.evaluation.states import State
from pylf.models.chat.protocol import Request
from pylf.models.replies.taking import Why
from pylf.reasoners.baselines import replies
from pylf.reasoners.baselines.examples import shown
from pylf.reasoners.baselines.prompts import Prompts
from pylf.reasoners.baselines.triples import linked_as, plain
from pylf.records import record

if TYPE_CHECKING:
    from pylf.datasets.formats.question import Answer, Question
    from pylf.models.chat.protocol import Chat, Reply
    from pylf.reasoners.baselines.examples import Examples
    from pylf.reasoners.baselines.triples import Found, TripleRetriever

Name = Literal["io", "cot", "fewshot", "sc", "triples"]
METHODS: tuple[Name, ...] = ("io", "cot", "fewshot", "sc", "triples")
_THINKING = ("cot", "sc")


@record
class Settings:
    """How a model is asked. ``samples`` and ``temperature`` None: 1 at 0, and for sc 6 at 0.7. ``structured``: the
    server holds replies to a JSON schema, so that none is unreadable. ``examples``: how many of them are shown."""

    samples: int | None = None
    temperature: float | None = None
    max_tokens: int = 512
    seed: int | None = 0
    structured: bool = False
    examples: int = 5


class Baseline:
    """One of :data:`METHODS` on a chat. fewshot needs ``examples``, triples ``around``; the others take neither."""

    def __init__(
        self,
        name: str,
        chat: Chat,
        settings: Settings | None = None,
        *,
        prompts: Prompts | None = None,
        examples: Examples | None = None,
        around: TripleRetriever | None = None,
    ) -> None:
        found = next((one for one in METHODS if one == name), None)
        if found is None:
            raise InputError(f"there is no baseline {name!r}; there are {', '.join(METHODS)}")
        for given, owner, what in ((examples, "fewshot", "examples"), (around, "triples", "a graph")):
            if (given is not None) != (name == owner):
                raise InputError(f"{name} needs {what}" if name == owner else f"{name} has no use for {what}")
        self.name: Name = found
        self._chat = chat
        self._settings = settings or Settings()
        self._prompts = prompts or Prompts()
        self._examples = examples
        self._around = around
        several = name == "sc"
        samples = self._settings.samples
        self.samples = (6 if several else 1) if samples is None else samples
        if self.samples < 1 or self._settings.max_tokens < 1 or self._settings.examples < 1:
            raise InputError("samples, tokens of a reply and examples are 1 or more")
        stated = self._settings.temperature
        self.temperature = (0.7 if several else 0.0) if stated is None else stated
        if several and self.samples > 1 and self.temperature == 0:
            raise InputError("sc asks for several samples, which are all the same at temperature 0")
        if not several and self.samples > 1:
            raise InputError(f"{name} takes one sample; sc takes the answer that most of several give")

    @property
    def setup(self) -> dict[str, Any]:
        """What answers depend on, as fields of :class:`~pylf.evaluation.record.Setup`: model, settings, hashes of all
        prompts that the method may use and of the examples."""
        names = [self._prompt, *[f"ask-{kind}" for kind in replies.Asked]]
        names += ["ask-json"] if self._settings.structured else []
        names += ["example"] if self._examples is not None else []
        settings: dict[str, Any] = {
            "samples": self.samples,
            "temperature": self.temperature,
            "max_tokens": self._settings.max_tokens,
            "seed": self._settings.seed,
            "structured": self._settings.structured,
        }
        hashes = self._prompts.hashes_of(names)
        if self._examples is not None:
            settings |= {"examples": self._settings.examples, "examples nearest by": "lexical"}
            hashes["examples"] = self._examples.hash
        if self._around is not None:
            settings |= self._around.settings
        return {"model": self._chat.identity, "settings": settings, "hashes": hashes}

    def __call__(self, question: Question) -> Record:
        """The record of a question.

        Raises:
            ChatError: the model gave no reply.
            InputError: a prompt cannot be used.
        """
        found = None if self._around is None else self._around(question)
        request = Request(
            self._prompts.messages(self._prompt, **self._values(question, found)),
            n=self.samples,
            temperature=self.temperature,
            seed=self._settings.seed,
            max_tokens=self._settings.max_tokens,
            schema=replies.shape(question, self.name in _THINKING) if self._settings.structured else None,
        )
        done = self._chat.complete(request)
        read = [self._read(reply, question) for reply in done.replies]
        details: dict[str, Any] = {"replies": [reply.text for reply in done.replies]}
        if found is not None:
            details["entities"] = [linked_as(one) for one in found.entities]
            details |= {"cut": True} if found.cut else {}
        evidence = ({"triples": [plain(row) for row in found.triples]},) if found is not None and found.triples else ()
        state = State.SYNTHESIS if evidence else State.PARAMETRIC
        said = [answers for answers in read if not isinstance(answers, Why)]
        if not said:
            why = Counter(one for one in read if isinstance(one, Why)).most_common(1)[0][0]
            told = f"nothing can be read of the reply: {why}"
            return Record(
                question.id,
                question.text,
                Ended.INVALID,
                usage=done.usage,
                reason=told,
                evidence=evidence,
                details=details,
            )
        answers, ranking, votes = voted(said)
        if self.samples > 1:
            details["votes"] = [votes, len(said), len(read)]
        ended = Ended.ANSWERED if answers else Ended.EMPTY
        return Record(
            question.id, question.text, ended, answers, ranking if self.samples > 1 else None,
            state=state if answers else None, evidence=evidence, usage=done.usage, details=details,
        )  # fmt: skip

    @property
    def _prompt(self) -> str:
        return "cot" if self.name == "sc" else self.name

    def _values(self, question: Question, found: Found | None) -> dict[str, str]:
        """What fills the prompt's places."""
        values = {"question": question.text, "choices": _choices(question), "ask": self._ask(question)}
        if self._examples is not None:
            near = self._examples.near(question, self._settings.examples)
            values["examples"] = "\n\n".join([self._example(one) for one in near])
        if found is not None:
            values["triples"] = "\n".join(found.lines) or "(none were found)"
        return values

    def _example(self, one: Question) -> str:
        return self._prompts.text("example", question=one.text, choices=_choices(one), answer=shown(one))

    def _ask(self, question: Question) -> str:
        if self._settings.structured:
            return self._prompts.text("ask-json", shape=replies.told(question, self.name in _THINKING))
        labels = ", ".join([choice.label for choice in question.choices])
        return self._prompts.text(f"ask-{replies.asked_of(question)}", labels=labels)

    def _read(self, reply: Reply, question: Question) -> tuple[Answer, ...] | Why:
        read = replies.read_structured if self._settings.structured else replies.read_plain
        return read(reply, question)


def voted(said: list[tuple[Answer, ...]]) -> tuple[tuple[Answer, ...], tuple[Answer, ...], int]:
    """The set of answers that most samples gave (of as many the first), all answers by how many samples gave them, and
    how many gave the set. Names count without their capitals and spaces."""
    sets = [frozenset(map(_key, answers)) for answers in said]
    counted = Counter(sets)
    best = max(counted, key=lambda one: (counted[one], -sets.index(one)))
    single = Counter(key for one in sets for key in one)
    first: dict[tuple[str, str], Answer] = {}
    for answers in said:
        for answer in answers:
            first.setdefault(_key(answer), answer)
    chosen = tuple({_key(answer): answer for answer in said[sets.index(best)]}.values())
    # what was chosen comes first, so that the ranking never says otherwise
    ranking = sorted(first, key=lambda key: (key not in best, -single[key]))
    return chosen, tuple([first[key] for key in ranking]), counted[best]


def _key(answer: Answer) -> tuple[str, str]:
    return answer.kind, " ".join(answer.value.casefold().split())


def _choices(question: Question) -> str:
    return "\n".join([f"{choice.label}. {choice.text}" for choice in question.choices])
